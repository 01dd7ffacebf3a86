"""How answers to notebook 13 are compared. What is not here is compared as grader/marking/compare.py does."""

import json
from functools import cache, partial

from grader.asking.describe import describe
from grader.broken_engines.named_walks import names_on_the_way
from grader.broken_engines.sabotaged_engines import ENGINES, MOST_OPERATIONS, found_by, problem
from grader.course.phrases import plural
from grader.probes.recipe import operations

from .questions import MOST_EXPRESSIONS

# 13.1: the walk by hand.

LOOK = {
    "A": "A is ((x @ w).abs() / (y.exp() + 1)).sum(): after the / all that is left of it, then all that is right.",
    "B": "B is z + z.exp() with z = x * x: two paths lead to z. Mul is printed when the walk first gets there.",
    "B backward": "B is z + z.exp() with z = x * x. Two operations use z: which rule can backward call only last?",
    "C backward": "C is t * (t + t * 2).tanh() with t = x.exp(). A rule waits for all that use its result: "
    "which three use t, and which one uses t * 2?",
}
NAMES = """
Add Sub Mul Div Pow Negate AddScalar MulScalar DivScalar PowerScalar Log Exp Sqrt Abs ReLU Sigmoid Tanh
Reshape Transpose Summation BroadcastTo MatMul Mean Max LogSumExp LogSoftmax Softmax Gather
"""
OTHER_NAMES = {
    "sum": ".sum() is Summation here",
    "reducesum": ".sum() is Summation here",
    "truediv": "/ of two Tensors is Div here",
    "divide": "/ of two Tensors is Div here",
    "mm": "@ is MatMul here",
    "dot": "@ is MatMul here",
    "multiply": "* of two Tensors is Mul here",
    "subtract": "- of two Tensors is Sub here",
    "exponential": ".exp() is Exp here",
    "absolute": ".abs() is Abs here",
    "affine": "that is what nn.Linear uses; a plain @ is MatMul",
    "none": "a leaf has no Function, and nothing is printed there",
    **dict.fromkeys("xyw", "it is a leaf: no Function made it, so nothing is printed there"),
    "z": "z is only a variable's name; the Function that made it is Mul",
}
ONCE = ("the walk prints each Function once", "backward calls each rule once, when all shares have arrived")


def is_the_walk(key, expected, got):
    """The comparison for one list of names."""
    names, wanted = got.get("names"), names_on_the_way(key)
    if "returned" in got:
        return f"It returned {describe(got['returned'])[:200]}, but a dict with four lists of names was expected."
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        return f"It is {describe(names)[:200]}, but a list of names was expected, such as ['Add', 'Exp']."
    names = [name.strip() for name in names]  # walk prints them with an indent
    if names == wanted:
        return None
    if not names:
        return f"The list is empty. {LOOK[key]}"
    return f"It returned {', '.join(names)[:200]}. {advice(key, names, wanted)}"


def advice(key, names, wanted):
    """What to say of a wrong list."""
    if strange := [name for name in names if name not in NAMES.split()]:
        return of_a_strange(strange[0])
    if sorted(names) == sorted(wanted) and names[-1] == wanted[0] and len(names) > 1:
        return f"This is the order of the forward pass, or close to it: {names[-1]} was computed last. Begin there."
    if sorted(names) == sorted(wanted):
        return f"These are the right names in another order. {LOOK[key]}"
    if names == wanted[: len(names)]:
        return f"So far it is right, but {counted(len(wanted) - len(names))} missing. {LOOK[key]}"
    if too_often := [name for name in names if names.count(name) > wanted.count(name) > 0]:
        return f"{too_often[0]} is there more often than it should be: {ONCE[key.endswith('backward')]}. {LOOK[key]}"
    first = next(i for i, name in enumerate([*names, ""]) if name != (wanted + [""])[i])
    return f"The name at position {first} is not the right one. {LOOK[key]}"


def of_a_strange(name):
    """What to say of a name that is none of ours."""
    letters = "".join(filter(str.isalpha, name.lower())).removesuffix("backward") or name
    ours = {known.lower(): f"the class is called {known}" for known in NAMES.split()} | OTHER_NAMES
    if letters in ours:
        return f"{name!r:.40}: {ours[letters]}."
    return f"{name!r:.40} is none of our operations. Their names look like this: Add, MulScalar, Summation, Exp."


def counted(number):
    return "one name is" if number == 1 else f"{number} names are"


# 13.4: the hunt.

WALKS = {8, 9, 10, 11}  # the engines whose rules are right
NOTHING_LIKE_IT = "A list of expressions was expected, such as: return [x.exp()]"
NUDGES = {
    1: "Engine 1 comes from notebook 05: it is right as long as a number stands to the right of the operator.",
    2: "Engine 2 comes from notebook 06. One rule with two gradients has a sign missing.",
    3: "Engine 3 comes from notebook 06. One rule should use the result of its operation. It uses the input.",
    4: "Engine 4 comes from notebook 06. One operation has a kink, and one of x's numbers lies on it.",
    5: "Engine 5 comes from notebook 07. It sums new axes. But there is another way to be stretched.",
    6: "Engine 6 comes from notebook 07. It handles all axes but one: which axis counts as false in Python?",
    7: "Engine 7 comes from notebook 08. For two matrices it is right.",
    8: "Engine 8 comes from notebook 03. It is right about everything that is used only once.",
    9: "Engine 9 comes from notebook 03. It errs where a result is used twice, near the end and farther away.",
    10: "Engine 10 comes from notebook 09. + hands one array to both inputs. Who else holds it when more is added?",
    11: "Engine 11 comes from notebook 09. Its first backward pass is right, and so is any over a single operation.",
    12: "Engine 12 comes from notebook 10. Which operation has a favourite, and what if there are two?",
}


def complaint_about(recipes):
    """Why these are no expressions that can be played; None if they are."""
    if not isinstance(recipes, list) or not recipes:
        return f"It returned {describe(recipes)[:200]}. {NOTHING_LIKE_IT}"
    if len(recipes) > MOST_EXPRESSIONS:
        return f"It returned {len(recipes)} expressions. At most {MOST_EXPRESSIONS} are allowed."
    for place, recipe in enumerate(recipes):
        if words := problem(recipe):
            return f"Look at place {place} of the list (counted from 0): {words}"
    return None


@cache
def verdict(recipes_as_json):
    """(what is wrong with the expressions, the engines that none of them gives away)."""
    recipes = json.loads(recipes_as_json)
    if problem := complaint_about(recipes):
        return problem, None
    found = {number for recipe in recipes for number in found_by(recipe)}
    return None, [number for number in ENGINES if number not in found]


def gives_away(number, expected, got):
    """The comparison for one engine, on which the expressions are played."""
    recipes = got.get("recipes")
    try:
        problem, hidden = verdict(json.dumps(recipes))
    except TypeError:  # something in it is no plain value, so it is no list of recipes
        problem, hidden = complaint_about(recipes), None
    if problem:
        return problem
    if number not in hidden:
        return None
    told = f"Given away: {12 - len(hidden)} of 12. Not yet: {', '.join(map(str, hidden))}. {lengths(recipes)}"
    return f"{told} {only_rules(recipes, hidden)}{NUDGES[number]}"


def only_rules(recipes, hidden):
    """A word to those who have tried each operation alone: that exposes no wrong backward pass, except by x + x."""
    if set(hidden) <= WALKS and all(operations(recipe) == 1 for recipe in recipes):
        found = "Your expressions have one operation each: that exposes wrong rules."
        return f"{found} The engines left have right rules and a wrong backward pass. "
    return ""


def lengths(recipes):
    """How much room is left."""
    longest = max(map(operations, recipes))
    left = MOST_EXPRESSIONS - len(recipes)
    if left:
        return f"There is room for {left} more {plural('expression', left)}."
    return f"The list is full. {'Put two ideas into one expression.' if longest < MOST_OPERATIONS else ''}".strip()


COMPARISONS = {
    "13.1": {f"list_{key.replace(' ', '_')}": partial(is_the_walk, key) for key in LOOK},
    "13.4": {f"engine_{number}": partial(gives_away, number) for number in range(1, 13)},
}
