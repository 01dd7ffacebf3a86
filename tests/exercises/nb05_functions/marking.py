"""How answers to notebook 05 are compared. What is not here is compared as grader/marking/compare.py does."""

import numpy as np

from grader.asking.answers import Raised
from grader.asking.describe import SHOWN_ELEMENTS, describe
from grader.broken_engines import broadcasters, operator_tables
from grader.marking.compare import Sentence, same
from grader.marking.play import complaint, play, too_long
from grader.probes.recipe import RecipeError, as_text

from .questions import A_LIST, AN_EXCEPTION, LEAF

OPERATIONS, MOST_PLAYED = 5, 10
SIGNS = ("+", "-", "*", "/", "**")


# 5.1: broadcast_shape.


def written(answer):
    """Lists as tuples: shapes are tuples, and a tuple has become a list on its way here."""
    if not isinstance(answer, list):
        return describe(answer)
    items = [written(item) for item in answer[:SHOWN_ELEMENTS]] + ["..."] * (len(answer) > SHOWN_ELEMENTS)
    return f"({', '.join(items)}{',' * (len(answer) == 1)})"


def shapes(expected, got):
    """The comparison for several pairs of shapes: the first whose answer is wrong, in words."""
    for pair, want in expected.items():
        if pair != "asked" and not same(want, got.get(pair)):
            words = f"For {pair} it {what_it_did(got.get(pair))}, but {wanted(want)} was expected."
            return Sentence(words, nothing=got.get(pair) is None and not isinstance(want, Raised))
    return None


def what_it_did(answer):
    if isinstance(answer, Raised):
        return "raised " + describe(answer).removesuffix(": ")
    if isinstance(answer, str) and answer == AN_EXCEPTION:
        return f"returned {answer}"
    if isinstance(answer, dict) and A_LIST in answer:
        return f"returned the list {describe(answer[A_LIST])}"
    return f"returned {'an array, ' if hasattr(answer, 'dtype') else ''}{written(answer)}"


def wanted(answer):
    return f"a {answer.type}" if isinstance(answer, Raised) else str(tuple(answer))


# 5.2: the hunt.


def catches(name):
    """The comparison for one broadcaster: does the pair of shapes show its mistake?"""

    def compare(expected, got):
        pair, size = got.get("the pair"), expected["asked"]["size"]
        if not broadcasters.is_pair_of_shapes(pair):
            return about_no_pair(pair)
        a, b = map(tuple, pair)
        return broadcasters.verdict(name, a, b) if size in a + b else f"Neither {a} nor {b} has the size {size}."

    return compare


def about_no_pair(pair):
    words = (
        f"It returned {written(pair)}, but two shapes were expected, each of at most {broadcasters.LONGEST} whole "
        "numbers from 0 up, such as (2, 3), (3,)."
    )
    kinds = set(map(type, pair)) if isinstance(pair, list) else set()
    return words + " (0) is only the number 0; a shape of one size has a comma: (0,)." * (kinds == {list, int})


# 5.7: the operator tables.


def foreign(steps):
    """A complaint about anything but the five operators."""
    strange = [step[0] for step in steps if step[0] not in (*SIGNS, "leaf", "number")]
    return f"It uses .{strange[0]}(), but these tables know only + - * / **." if strange else None


def numbers(table, steps):
    with np.errstate(all="ignore"):
        out, _ = play(steps, lambda number: table(LEAF))
        return np.ravel(getattr(out, "data", out)).tolist()


def differ(found, name):
    right = found["right"]
    return any(not abs(got - want) <= 1e-9 * max(1, abs(want)) for got, want in zip(found[name], right))


def judged(steps):
    """(None, {table: its numbers}) of an expression, the right ones included; or (why not, None)."""
    problem = complaint(steps, {"x": LEAF[0]}, MOST_PLAYED) or foreign(steps)
    if problem:
        return problem, None
    try:
        found = {
            name: numbers(table, steps)
            for name, table in {"right": operator_tables.Right, **operator_tables.ENGINES}.items()
        }
    except (ArithmeticError, ValueError, RecipeError) as error:
        return f"It returned {as_text(steps)}, which cannot be computed: {error}.", None
    if not all(abs(number) < 1e12 for number in found["right"]):
        return f"It returned {as_text(steps)}, which is not finite for x = {LEAF}.", None
    return None, found


def tells(name):
    """The comparison for one table: the expression is played on it here, not in the learner's process."""

    def compare(expected, got):
        problem, found = judged(got.get("recipe"))
        if problem or differ(found, name):
            return problem
        steps = got["recipe"]
        shown = ", ".join(f"{number:.4g}" for number in found[name])
        return f"It returned {as_text(steps)}. Table {name} finds [{shown}], and that is right. {advice(name, steps)}"

    return compare


def advice(name, steps):
    if name == "A":
        reflects = any(step[0] == "-" and steps[step[1]][0] == "number" for step in steps)
        hidden = "A sign is flipped there, but another operation hides it again."
        return hidden if reflects else "A is wrong where a plain number stands on the left of one operator. Which one?"
    if name == "B":
        return "B's sum is right. Who reads x afterwards, once the sum has been computed?"
    return "C is right for every power that repeated multiplication reaches. Which does it not reach?"


def is_small(expected, got):
    """The comparison for the size; an expression that tells nothing apart is not small but empty."""
    steps = got.get("recipe")
    problem, found = judged(steps)
    if problem:
        return problem
    if not any(differ(found, name) for name in "ABC"):
        return f"It returned {as_text(steps)}, for which all tables find the same numbers."
    return too_long(steps, OPERATIONS)


COMPARISONS = {
    "5.1": shapes,
    "5.2": {f"broadcaster_{name}": catches(name) for name in "ABC"},
    "5.7": {f"table_{name}": tells(name) for name in "ABC"} | {"its_size": is_small},
}
