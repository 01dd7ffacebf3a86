"""Expressions as recipes: recorded in the learner's process, evaluated by an engine in the checking one.

A recipe is a list of steps, each a list of plain values, that refer to earlier steps by position:
["leaf", "a", 2.0], ["number", 3.0], ["+", 0, 1], ["**", 2, 3.0] (a power with a plain exponent),
["tanh", 3]. The last step is the result.

A leaf may also stand for an array: then the list of its sizes is in the place of its number, ["leaf", "x", [2, 3]],
and there are ["@", 0, 1] and ["sum", 0, axis, keepdims] as well, with None for all axes. So has ["max", ...].
"""

import math
from functools import partialmethod
from numbers import Real

from ..asking.answers import Form

BINARY = {
    "+": lambda x, y: x + y,
    "-": lambda x, y: x - y,
    "*": lambda x, y: x * y,
    "/": lambda x, y: x / y,
    "@": lambda x, y: x @ y,
}
FUNCTIONS = ("exp", "log", "sin", "tanh", "sigmoid", "relu")
REDUCTIONS = ("sum", "max")
REFUSED = {
    "lt": "<",
    "le": "<=",
    "gt": ">",
    "ge": ">=",
    "getitem": "[]",
    "abs": "abs()",
    "mod": "%",
    "floordiv": "//",
    "rpow": "power of a number, such as 2 ** x,",
    "rmatmul": "@ with a number or an array",
}
ONLY_A_RECORDER = "A leaf of a hunt only records what you do with it: use the operations that the docstring names."
NAMES = "yzuvwpqrstabcdefghkmnx"  # of results that are used twice, but for those that leaves have
MOST_SHOWN = 10  # operations of an expression that is written out
MOST_AXES = 10
OPERANDS = {
    **dict.fromkeys(BINARY, 2),
    **dict.fromkeys((*FUNCTIONS, *REDUCTIONS, "**"), 1),
}  # earlier steps that each takes


class RecipeError(Exception):
    """What came back is not a recipe. The message says what it is instead."""


class Expression:
    """Stands for a number: every operation on it is recorded on a tape that all leaves share."""

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

    def _made(self, *step):
        return type(self)(self.tape, *step)

    def _binary(self, op, left, right):
        return self._made(op, *(_position(side, self.tape) for side in (left, right)))

    def __neg__(self):
        return self * -1.0

    def __pow__(self, exponent):
        if isinstance(exponent, Expression):
            raise TypeError(f"in a hunt the exponent of ** must be a plain number, such as 2, but {exponent} was given")
        return self._made("**", self.position, _number(exponent))


def _add_functions():
    for op, name in {"+": "add", "-": "sub", "*": "mul", "/": "truediv"}.items():
        setattr(Expression, f"__{name}__", lambda self, other, op=op: self._binary(op, self, other))
        setattr(Expression, f"__r{name}__", lambda self, other, op=op: self._binary(op, other, self))
    for name in FUNCTIONS:
        setattr(Expression, name, lambda self, name=name: self._made(name, self.position))
    for name, sign in REFUSED.items():
        setattr(Expression, f"__{name}__", partialmethod(_refuse, sign))


def _refuse(self, sign, *others):
    raise TypeError(f"there is no {sign} here. {ONLY_A_RECORDER}")


_add_functions()


class ArrayExpression(Expression):
    """Stands for an array: it can also be multiplied as a matrix, and reduced."""

    def __getattr__(self, name):
        raise AttributeError(f"there is no .{name} here. {ONLY_A_RECORDER} There are @ .sum() .max() too.")

    def __matmul__(self, other):
        if not isinstance(other, Expression):
            raise TypeError(f"@ takes another leaf or expression, but {other!r} is of type {type(other).__name__}")
        return self._binary("@", self, other)

    def sum(self, axis=None, keepdims=False):
        return self._made("sum", self.position, _axis(axis), bool(keepdims))

    def max(self, axis=None, keepdims=False):
        return self._made("max", self.position, _axis(axis), bool(keepdims))


def recipe_of(build, **leaves):
    """The recipe of build(*leaves); the returned value itself, if it is not an expression of the leaves."""
    tape = []
    return _recipe(build(*(Expression(tape, "leaf", name, float(data)) for name, data in leaves.items())), tape)


def recipes_of(build, **shapes):
    """The recipes of the list of expressions build(*leaves), for leaves that are arrays of these shapes.

    The returned value itself, if it is not a list; what is not an expression stays as it is in the list.
    """
    tape = []
    results = build(*(ArrayExpression(tape, "leaf", name, list(shape)) for name, shape in shapes.items()))
    if isinstance(results, Expression):
        return Form(f"{results}, a single expression")
    return [_recipe(each, tape) for each in results] if isinstance(results, (list, tuple)) else results


def _recipe(result, tape):
    """The steps on the tape that result is made of; result itself, if it is not an expression on this tape."""
    if not isinstance(result, Expression) or result.tape is not tape:
        return result
    if tape[result.position][0] == "leaf":
        return Form(f"{result} itself, without an operation")
    return _without_unused(tape[: result.position + 1], sum(step[0] == "leaf" for step in tape))


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
    return [] if kind in ("leaf", "number") else rest[: OPERANDS[kind]]


def operations(recipe):
    """How many operations of the recipe the result is made of."""
    return sum(step[0] not in ("leaf", "number") for step in checked(recipe))


def as_text(recipe):
    """The recipe as an expression, such as y * (3 * y) with y = a * b: what is used twice has a name."""
    if operations(recipe) > MOST_SHOWN:
        return f"an expression of {operations(recipe)} operations"
    texts, named = [], []
    leaves = [step[1] for step in recipe if step[0] == "leaf"]
    names = (name for name in NAMES if name not in leaves)
    for place, step in enumerate(recipe):
        text = _text(step, texts)
        if len(uses(recipe, place)) > 1:
            name = next(names)
            named.append(f"{name} = {text}")
            text = name
        texts.append(text if " " not in text or place == len(recipe) - 1 else f"({text})")
    return texts[-1] + (f" with {', '.join(named)}" if named else "")


def with_count(recipe):
    """The recipe as an expression, and how many operations it has."""
    text, count = as_text(recipe), operations(recipe)
    return text if count > MOST_SHOWN else f"{text}, which has {count} operations"


def uses(recipe, place):
    """For each use of the result of an operation: the place of the step that uses it."""
    if not operands(recipe[place]):
        return []
    return [user for user, step in enumerate(recipe) for operand in operands(step) if operand == place]


def _text(step, texts):
    kind, first, *rest = step
    if kind == "leaf":
        return first
    if kind == "number":
        return f"{first:g}"
    if kind in BINARY:
        return f"{texts[first]} {kind} {texts[rest[0]]}"
    if kind in REDUCTIONS:
        axis, keepdims = rest
        arguments = ([] if axis is None else [f"{axis}"]) + (["keepdims=True"] if keepdims else [])
        return f"{texts[first]}.{kind}({', '.join(arguments)})"
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
    raise TypeError(f"a hunt computes with its leaves and plain numbers, but {x!r} is of type {type(x).__name__}")


def _axis(axis):
    """An axis that .sum or .max may get: a whole number, or None for all axes."""
    if axis is None or (type(axis) is int and abs(axis) < MOST_AXES):
        return axis
    raise TypeError(f"in a hunt .sum and .max take one axis, such as 0, or none, but {axis!r} was given")


def checked(recipe):
    """The recipe itself, if every step is well formed."""
    if not isinstance(recipe, list) or not recipe:
        raise RecipeError("it is not an expression of the leaves")
    for position, step in enumerate(recipe):
        if not isinstance(step, list) or not _well_formed(step, position):
            raise RecipeError("it is not an expression of the leaves")
    return recipe


def _well_formed(step, position):
    kind, *operands = step or [None]
    if not isinstance(kind, str):
        return False
    if kind == "leaf":
        return len(operands) == 2 and isinstance(operands[0], str) and _is_leaf_data(operands[1])
    if kind == "number":
        return len(operands) == 1 and _is_finite(operands[0])
    if kind not in OPERANDS:
        return False
    places, rest = operands[: OPERANDS[kind]], operands[OPERANDS[kind] :]
    are_places = all(type(i) is int and 0 <= i < position for i in places)
    return are_places and len(places) == OPERANDS[kind] and _fits(kind, rest)


def _is_finite(x):
    return isinstance(x, float) and math.isfinite(x)


def _is_leaf_data(data):
    """A number; or the sizes of an array."""
    return isinstance(data, float) or (isinstance(data, list) and all(type(size) is int for size in data))


def _fits(kind, rest):
    """Is this what such a step holds besides its operands?"""
    if kind == "**":
        return len(rest) == 1 and _is_finite(rest[0])
    if kind in REDUCTIONS:
        return len(rest) == 2 and (rest[0] is None or type(rest[0]) is int) and isinstance(rest[1], bool)
    return not rest
