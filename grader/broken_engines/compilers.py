"""Compilers of a function of two matrices: a right one and four broken ones, for the hunt of notebook 15.

A program is written down for one pair of matrices, and run for another. What each compiler makes of it is carried out
line by line here, arrays written over included. Its lines are those that babygrad.trace notes.
"""

from typing import NamedTuple

import numpy as np

from ..probes.recipe import BINARY, FUNCTIONS, REDUCTIONS, operands, recipes_of

SHAPE = (3, 3)
LEAVES = {"x": list(SHAPE), "y": list(SHAPE)}
SCALAR = {"+": "+ number", "-": "+ number", "*": "* number", "/": "/ number"}  # where the number is a setting
ELEMENTWISE = {*BINARY, *SCALAR.values(), *FUNCTIONS, "**"} - {"@"}


class Compiler(NamedTuple):
    """Where it is careful: about settings when it merges, about later readers, about inputs, about products."""

    settings: bool = True  # do two lines with different settings differ?
    readers: bool = True  # is an array written over only if nobody reads it later?
    inputs: bool = True  # are only lines folded whose inputs are all constants?
    products: bool = True  # does a matrix product get an array of its own?


RIGHT = Compiler()
ENGINES = {
    "Ada": Compiler(settings=False),
    "Ben": Compiler(readers=False),
    "Cleo": Compiler(inputs=False),
    "Dora": Compiler(products=False),
}


def _operation(kind, rest):
    """The operation of a step as a function of arrays.  rest: its settings."""
    if kind in BINARY:
        return BINARY[kind]
    if kind in SCALAR.values():
        return lambda a: BINARY[kind[0]](a, rest[0])
    if kind == "**":
        return lambda a: a ** rest[0]
    if kind in REDUCTIONS:
        return lambda a: getattr(a, kind)(rest[0], keepdims=rest[1])
    return {"relu": lambda a: np.maximum(a, 0.0), "sigmoid": lambda a: 1 / (1 + np.exp(-a))}.get(kind) or getattr(
        np, kind
    )


def as_traced(recipe):
    """For each step (kind, places of its inputs, settings), as trace would note it.

    A plain number is a setting. Only to the left of - and / it is a constant of its own. A square is a product.
    """
    return [_apart(step, recipe) for step in recipe]


def _apart(step, recipe):
    kind, places, rest = step[0], tuple(operands(step)), tuple(step[1 + len(operands(step)) :])
    if kind == "**" and rest == (2.0,):
        return "*", places * 2, ()
    plain = [place for place in places if recipe[place][0] == "number"]
    if kind not in SCALAR or not plain or (kind in "-/" and plain[0] == places[0]):
        return kind, places, rest
    number = recipe[plain[0]][1]
    return SCALAR[kind], tuple(place for place in places if place not in plain), (-number if kind == "-" else number,)


def matrices(seed):
    """The numbers of the leaves, all of them positive."""
    rng = np.random.Generator(np.random.PCG64(seed))
    return {name: rng.uniform(0.5, 1.5, SHAPE) for name in LEAVES}


def eager(recipe, given):
    """The numbers of all steps, one after the other, each in an array of its own."""
    made = []
    for kind, places, rest in as_traced(recipe):
        if kind in ("leaf", "number"):
            made.append(given[rest[0]] if kind == "leaf" else np.float64(rest[0]))
        else:
            made.append(_operation(kind, rest)(*(np.asarray(made[place]) for place in places)))
    return made


def compiled(recipe, compiler, first, given):
    """What the program of a recipe returns for given, written down for first by this compiler."""
    constants = _folded(recipe, compiler, eager(recipe, first))
    lines, called = _each_once(recipe, compiler, constants)
    leaves = {place: given[step[1]] for place, step in enumerate(recipe) if step[0] == "leaf"}
    last = {name: place for place, (_, names, _) in lines.items() for name in names}
    arrays, own = leaves | constants, set()
    for place, (kind, names, rest) in lines.items():
        new = np.array(_operation(kind, rest)(*(np.asarray(arrays[name]) for name in names)))
        dead = [name for name in names if name in own and (last[name] == place or not compiler.readers)]
        fit = [arrays[name] for name in dead if arrays[name].shape == new.shape]
        if fit and kind in ELEMENTWISE:
            fit[0][...] = new
            new = fit[0]
        elif fit and kind == "@" and new.ndim == 2 and not compiler.products:
            new = _cell_by_cell(*(arrays[name] for name in names), fit[0])
        arrays[place] = new
        own.add(place)
    return arrays[called[len(recipe) - 1]]


def _folded(recipe, compiler, numbers):
    """{place: its numbers} of what the compiler takes for constant."""
    constants = {place: numbers[place] for place, step in enumerate(recipe) if step[0] == "number"}
    for place, (_, places, _) in enumerate(as_traced(recipe)):
        known = [name in constants for name in places]
        if places and (all(known) if compiler.inputs else any(known)):
            constants[place] = numbers[place]
    return constants


def _each_once(recipe, compiler, constants):
    """({place: (kind, places of its inputs, settings)} of the lines that are left, {place: what it is called})."""
    lines, first, called = {}, {}, {}
    for place, (kind, places, rest) in enumerate(as_traced(recipe)):
        called[place] = first.setdefault((kind, rest), place) if kind == "number" else place
        if places and place not in constants:
            names = tuple([called[name] for name in places])
            called[place] = first.setdefault((kind, names, rest if compiler.settings else ()), place)
            if called[place] == place:
                lines[place] = kind, names, rest
    return lines, called


def _cell_by_cell(a, b, out):
    """a @ b, each number written into out as soon as it is there. out may be a or b."""
    for i, j in np.ndindex(out.shape):
        out[i, j] = a[i] @ b[:, j]
    return out


def outcomes(recipe):
    """{name: how far the compiled program is off}: the largest difference from the eager numbers.

    Raises ValueError for shapes that do not fit.  nan where there are no finite numbers.
    """
    first, given = matrices(1), matrices(2)
    with np.errstate(all="ignore"):
        right = eager(recipe, given)[-1]
        found = {name: compiled(recipe, who, first, given) for name, who in {"right": RIGHT, **ENGINES}.items()}
    return {name: _off(array, right) for name, array in found.items()}


def _off(array, right):
    if not np.isfinite(right).all():
        return np.nan
    if np.shape(array) != np.shape(right):
        return np.inf
    with np.errstate(all="ignore"):
        return float(np.nan_to_num(np.abs(array - right), nan=np.inf).max())


def outcomes_of(function):
    """The same for a function of two matrices, without a recipe: for the notebook."""
    return outcomes(recipes_of(lambda x, y: [function(x, y)], **LEAVES)[0])
