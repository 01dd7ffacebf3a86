"""Expressions as recipes: written down in the learner's process, played on an engine in the checking one.

A recipe is a list of steps, each a list of plain values, that refer to earlier steps by position:
["leaf", "a", 2.0], ["number", 3.0], ["+", 0, 1], ["**", 2, 3.0] (a power with a plain exponent),
["tanh", 3]. The last step is the result.
"""

import math
from numbers import Real

BINARY = {
    "+": lambda x, y: x + y,
    "-": lambda x, y: x - y,
    "*": lambda x, y: x * y,
    "/": lambda x, y: x / y,
}
FUNCTIONS = ("exp", "log", "sin", "tanh", "sigmoid", "relu")


class RecipeError(Exception):
    """What came back is no recipe. The message says what it is instead."""


class Recorder:
    """Stands for a number: every operation on it is written down on a tape that its fellows share."""

    __array_ufunc__ = None

    def __init__(self, tape, *step):
        self.tape = tape
        self.position = len(tape)
        tape.append(list(step))

    def __repr__(self):
        return as_text(self.tape[: self.position + 1])

    def _binary(self, op, left, right):
        return Recorder(self.tape, op, *(_position(side, self.tape) for side in (left, right)))

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
        return Recorder(self.tape, "**", self.position, _number(exponent))


def _add_functions():
    for name in FUNCTIONS:
        setattr(Recorder, name, lambda self, name=name: Recorder(self.tape, name, self.position))


_add_functions()


def record(build, **leaves):
    """The recipe of build(*leaves); what it returned itself, if that is no expression of the leaves."""
    tape = []
    result = build(*(Recorder(tape, "leaf", name, float(data)) for name, data in leaves.items()))
    if not isinstance(result, Recorder) or result.tape is not tape:
        return result
    return tape[: result.position + 1]


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
    """The recipe as an expression, such as (a * a) + 3."""
    made = []
    for kind, *operands in _checked(recipe):
        if kind == "leaf":
            text = operands[0]
        elif kind == "number":
            text = f"{operands[0]:g}"
        elif kind == "**":
            text = f"({made[operands[0]]} ** {operands[1]:g})"
        elif kind in BINARY:
            text = f"({made[operands[0]]} {kind} {made[operands[1]]})"
        else:
            text = f"{made[operands[0]]}.{kind}()"
        made.append(text)
    return made[-1][1:-1] if _checked(recipe)[-1][0] in ("**", *BINARY) else made[-1]


def _position(x, tape):
    if isinstance(x, Recorder):
        if x.tape is not tape:
            raise RecipeError("the expression mixes leaves of two calls")
        return x.position
    return Recorder(tape, "number", _number(x)).position


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
