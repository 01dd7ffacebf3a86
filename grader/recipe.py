"""Expressions as recipes: written down in the learner's process, played on an engine in the checking one.

A recipe is a list of steps, each a list of plain values, that refer to earlier steps by position:
["leaf", "a", 2.0], ["number", 3.0], ["+", 0, 1], ["**", 2, 3.0] (a power with a plain exponent),
["tanh", 3]. The last step is the result.
"""

import math
from numbers import Real

from .compare import describe
from .exercise import Form

BINARY = {
    "+": lambda x, y: x + y,
    "-": lambda x, y: x - y,
    "*": lambda x, y: x * y,
    "/": lambda x, y: x / y,
}
FUNCTIONS = ("exp", "log", "sin", "tanh", "sigmoid", "relu")
ONLY_A_RECORDER = "A leaf of a hunt only writes down what you do with it: use + - * / ** and .exp() .log() and so on."
NAMES = "yzuvwpqrst"  # of results that are used twice
MOST_SHOWN = len(NAMES)  # operations of an expression that is written out


class RecipeError(Exception):
    """What came back is no recipe. The message says what it is instead."""


class Expression:
    """Stands for a number: every operation on it is written down on a tape that its fellows share."""

    __array_ufunc__ = None

    def __init__(self, tape, *step):
        self.tape = tape
        self.position = len(tape)
        tape.append(list(step))

    def __getattr__(self, name):
        raise AttributeError(f"there is no .{name} here. {ONLY_A_RECORDER}")

    def __float__(self):
        raise TypeError(ONLY_A_RECORDER)

    def __repr__(self):
        return as_text(self.tape[: self.position + 1])

    def _binary(self, op, left, right):
        return Expression(self.tape, op, *(_position(side, self.tape) for side in (left, right)))

    def __add__(self, other):
        return self._binary("+", self, other)

    def __radd__(self, other):
        return self._binary("+", other, self)

    def __sub__(self, other):
        return self._binary("-", self, other)

    def __rsub__(self, other):
        return self._binary("-", other, self)

    def __mul__(self, other):
        return self._binary("*", self, other)

    def __rmul__(self, other):
        return self._binary("*", other, self)

    def __truediv__(self, other):
        return self._binary("/", self, other)

    def __rtruediv__(self, other):
        return self._binary("/", other, self)

    def __neg__(self):
        return self * -1.0

    def __pow__(self, exponent):
        return Expression(self.tape, "**", self.position, _number(exponent))


def _add_functions():
    for name in FUNCTIONS:
        setattr(Expression, name, lambda self, name=name: Expression(self.tape, name, self.position))


_add_functions()


def record(build, **leaves):
    """The recipe of build(*leaves); what it returned itself, if that is no expression of the leaves."""
    tape = []
    result = build(*(Expression(tape, "leaf", name, float(data)) for name, data in leaves.items()))
    if not isinstance(result, Expression) or result.tape is not tape:
        return result
    if result.position < len(leaves):
        return Form(f"{result} itself, without an operation")
    return _without_unused(tape[: result.position + 1], len(leaves))


def _without_unused(steps, leaves):
    """The steps that the last one is made of, numbered anew. All leaves stay."""
    used = set(range(leaves)) | {len(steps) - 1}
    for place in reversed(range(len(steps))):
        if place in used:
            used |= set(operands(steps[place]))
    new = {old: place for place, old in enumerate(sorted(used))}
    return [_renumbered(steps[old], new) for old in sorted(used)]


def _renumbered(step, new):
    count = len(operands(step))
    return [step[0], *(new[place] for place in step[1 : 1 + count]), *step[1 + count :]]


def operands(step):
    """The places of the earlier steps that a step is made of."""
    kind, *rest = step
    return [] if kind in ("leaf", "number") else rest[:1] if kind == "**" else rest


def play(recipe, make_leaf):
    """The recipe carried out by another engine.

    make_leaf(number): makes a leaf of that engine.
    Returns (the result, {leaf name: leaf}).  Raises RecipeError.
    """
    made, leaves = [], {}
    for step in _checked(recipe):
        kind, *operands = step
        if kind == "leaf":
            leaves[operands[0]] = made_now = make_leaf(operands[1])
        elif kind == "number":
            made_now = operands[0]
        elif kind == "**":
            made_now = made[operands[0]] ** operands[1]
        elif kind in BINARY:
            made_now = BINARY[kind](*(made[i] for i in operands))
        elif isinstance(made[operands[0]], float):
            raise RecipeError(f"it takes .{kind}() of a plain number")
        else:
            made_now = getattr(made[operands[0]], kind)()
        made.append(made_now)
    return made[-1], leaves


def operations(recipe):
    """How many operations of the recipe the result is made of."""
    return sum(step[0] not in ("leaf", "number") for step in _checked(recipe))


def as_text(recipe):
    """The recipe as an expression, such as y * (3 * y) with y = a * b: what is used twice has a name."""
    if operations(recipe) > MOST_SHOWN:
        return f"an expression of {operations(recipe)} operations"
    texts, named = [], []
    for place, step in enumerate(recipe):
        text = _text(step, texts)
        if len(uses(recipe, place)) > 1:
            named.append(f"{NAMES[len(named)]} = {text}")
            text = NAMES[len(named) - 1]
        texts.append(text if " " not in text or place == len(recipe) - 1 else f"({text})")
    return texts[-1] + (f" with {', '.join(named)}" if named else "")


def uses(recipe, place):
    """For each use of the result of an operation: the place of the step that uses it."""
    if not operands(recipe[place]):
        return []
    return [user for user, step in enumerate(recipe) for operand in operands(step) if operand == place]


def complaint(recipe, leaves, most):
    """Why this is no expression of exactly these leaves with at most `most` operations; None if it is.

    leaves: {name: number}. Survives whatever came back from the learner's process.
    """
    names = " and ".join(leaves)
    try:
        count = operations(recipe)
    except RecipeError:
        return f"It returned {describe(recipe)}, but an expression of {names} was expected."
    if [step for step in recipe if step[0] == "leaf"] != [["leaf", n, x] for n, x in leaves.items()]:
        return f"It returned an expression of other leaves than {names}."
    if count > most:
        return f"It returned {as_text(recipe)}. At most {most} operations are allowed."
    return None


def _text(step, texts):
    kind, first, *rest = step
    if kind == "leaf":
        return first
    if kind == "number":
        return f"{first:g}"
    if kind in BINARY:
        return f"{texts[first]} {kind} {texts[rest[0]]}"
    return f"{texts[first]} ** {rest[0]:g}" if kind == "**" else f"{texts[first]}.{kind}()"


def _position(x, tape):
    if isinstance(x, Expression):
        if x.tape is not tape:
            raise RecipeError("the expression mixes leaves of two calls")
        return x.position
    return Expression(tape, "number", _number(x)).position


def _number(x):
    if isinstance(x, Real) and math.isfinite(x):
        return float(x)
    raise TypeError(f"a number was expected, but {x!r} is of type {type(x).__name__}")


def _checked(recipe):
    """The recipe itself, if every step is well formed."""
    if not isinstance(recipe, list) or not recipe:
        raise RecipeError("it is no expression of the leaves")
    for position, step in enumerate(recipe):
        if not isinstance(step, list) or not _well_formed(step, position):
            raise RecipeError("it is no expression of the leaves")
    return recipe


def _well_formed(step, position):
    kind, *operands = step or [None]
    if not isinstance(kind, str):
        return False
    if kind == "leaf":
        return len(operands) == 2 and isinstance(operands[0], str) and isinstance(operands[1], float)
    if kind == "number":
        return len(operands) == 1 and isinstance(operands[0], float)
    if kind == "**" and (len(operands) != 2 or not isinstance(operands[1], float)):
        return False
    places = operands[:1] if kind == "**" else operands
    wanted = {"**": 2, **dict.fromkeys(BINARY, 2), **dict.fromkeys(FUNCTIONS, 1)}.get(kind)
    return len(operands) == wanted and all(type(i) is int and 0 <= i < position for i in places)
