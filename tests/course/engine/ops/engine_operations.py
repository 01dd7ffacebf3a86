"""Every operation of the tensor engine, with shapes that fit it. Several tests go through this table."""

import functools
import inspect
from typing import NamedTuple

import numpy as np
import pytest

import babygrad as bg
from babygrad import ops
from babygrad.ops import fused


def signed(rng, shape):
    """Numbers of both signs, none of them near 0, where relu and abs have their kink and division its pole."""
    return rng.uniform(0.4, 1.6, shape) * rng.choice([-1.0, 1.0], shape)


def positive(rng, shape):
    return rng.uniform(0.4, 1.6, shape)


def apart(rng, shape):
    """Numbers of both signs, any two of them at least 0.1 apart: max has its kink where two are equal."""
    count = int(np.prod(shape))
    return (rng.permutation(count).reshape(shape) - count / 2) * 0.2 + rng.uniform(0, 0.1, shape)


class Case(NamedTuple):
    """One operation on inputs of certain shapes."""

    name: str
    call: callable
    shapes: tuple
    draw: callable = signed

    def arrays(self, seed=0):
        rng = np.random.default_rng(seed)
        return [np.asarray(self.draw(rng, shape)) for shape in self.shapes]

    def tensors(self, seed=0):
        return [bg.Tensor(array) for array in self.arrays(seed)]

    def __str__(self):
        return f"{self.name} of {' and '.join(map(str, self.shapes))}"


TOGETHER = 40  # to report a test takes as long as to ask some cases


def every(cases):
    """Asks a test of each case, of many in one test; a failure names its case."""
    blocks = [cases[start : start + TOGETHER] for start in range(0, len(cases), TOGETHER)]

    def asking(test):
        @functools.wraps(test)
        def of_each(cases, **given):
            for case in cases:
                try:
                    test(case=case, **given)
                except Exception as error:
                    error.add_note(str(case))
                    raise

        names = ["cases", *(name for name in inspect.signature(test).parameters if name != "case")]
        of_each.__signature__ = inspect.Signature([inspect.Parameter(name, 1) for name in names])
        return pytest.mark.parametrize("cases", blocks, ids=[f"{block[0]} and on" for block in blocks])(of_each)

    return asking


PAIRS = {"add": signed, "sub": signed, "mul": signed, "div": signed, "pow": positive}
POINTWISE = {
    "negate": signed,
    "exp": signed,
    "log": positive,
    "sqrt": positive,
    "abs": signed,
    "relu": signed,
    "sigmoid": signed,
    "tanh": signed,
}
WITH_A_NUMBER = {
    "add_scalar": [1.7],
    "mul_scalar": [-2.5],
    "div_scalar": [0.7],
    "power_scalar": [0, 1, 2, 3, -2],
}
ROW = np.array([2.0, 0.5, 1.5])
OPERATORS = {
    "2 - x": (lambda x: 2 - x, signed),
    "x - 2": (lambda x: x - 2, signed),
    "2 / x": (lambda x: 2 / x, signed),
    "2 ** x": (lambda x: 2**x, signed),
    "ROW + x": (lambda x: ROW + x, signed),
    "ROW - x": (lambda x: ROW - x, signed),
    "ROW / x": (lambda x: ROW / x, signed),
    "ROW ** x": (lambda x: ROW**x, signed),
    "x ** ROW": (lambda x: x**ROW, positive),
    "x ** 0.5": (lambda x: x**0.5, positive),
    "[1, 2, 3] * x": (lambda x: [1, 2, 3] * x, signed),
    "x * (a mask)": (lambda x: x * (ROW > 1), signed),
    "x * x (the same twice)": (lambda x: x * x, signed),
    "x / x (the same twice)": (lambda x: x / x, signed),
    "x ** x (the same twice)": (lambda x: x**x, positive),
}

STRETCHED = [
    ((2, 3), (2, 3)),
    ((2, 3), (3,)),
    ((3,), (2, 3)),
    ((2, 1), (1, 3)),
    ((), (2, 3)),
    ((2, 3), ()),
    ((2, 1, 3), (4, 1)),
    ((1,), (2, 1)),
]
ANY_SHAPE = [(), (3,), (2, 3)]

RESHAPED = [((2, 3, 4), (4, 6)), ((2, 3), (-1,)), ((6,), (1, 2, 3)), ((), (1, 1)), ((1, 1), ())]
TRANSPOSED = [
    ((2, 3), None),
    ((2, 3, 4), None),
    ((2, 3, 4), (1, 2, 0)),
    ((2, 3, 4), (2, 0, 1)),
    ((2, 3, 4), (-1, 0, -2)),
    ((2, 3, 4, 5), (3, 1, 0, 2)),
    ((3,), (0,)),
    ((), ()),
]
SUMMED = [
    ((2, 3), None, False),
    ((2, 3), None, True),
    ((2, 3), 0, False),
    ((3, 3), 0, False),
    ((2, 3), -1, True),
    ((2, 3, 4), (2, 0), False),
    ((2, 3, 4), (-1, 0), True),
    ((2, 3, 4), [1], False),
    ((2, 3), (), False),
    ((2, 1, 3), 1, False),
    ((), None, False),
]
STRETCHED_TO = [((3,), (2, 3)), ((2, 1), (2, 3)), ((1, 3, 1), (4, 2, 3, 5)), ((), (2, 3)), ((2, 3), (2, 3))]
PRODUCTS = [
    ((2, 3), (3, 4)),
    ((3, 3), (3, 3)),
    ((3,), (3,)),
    ((3,), (3, 4)),
    ((2, 3), (3,)),
    ((5, 2, 3), (5, 3, 4)),
    ((1, 2, 3), (5, 3, 4)),
    ((2, 3), (5, 3, 4)),
    ((5, 2, 3), (3, 4)),
    ((5, 1, 2, 3), (2, 3, 4)),
    ((5, 2, 3), (3,)),
    ((3,), (5, 3, 4)),
    ((1, 1), (1, 1)),
]
AFFINE = [((2, 3), (3, 4), (4,)), ((3,), (3, 4), (4,)), ((5, 2, 3), (3, 4), (4,)), ((2, 3), (3, 4), (1,))]
TARGETS = [2, 0, 1, 1]
# What an index may be: the array's shape, and the index. Some name a place twice.
PICKED = {
    "1": ((3, 2), 1),
    "-1": ((3,), -1),
    "1, 0": ((3, 2), (1, 0)),
    "1:": ((3, 2), slice(1, None)),
    "::-2": ((3, 2), slice(None, None, -2)),
    ":, 1": ((3, 2), (slice(None), 1)),
    "..., None": ((3, 2), (..., None)),
    "..., 0": ((2, 3, 2), (..., 0)),
    "a list with one twice": ((3, 2), [0, 2, 0]),
    "an empty list": ((3, 2), []),
    "an array (2, 2)": ((3, 2), np.array([[0, -1], [1, 2]])),
    "rows, columns": ((3, 2), (np.array([0, 2, 0, 1]), np.array([1, 0, 1, 1]))),
    "rows and columns, stretched": ((3, 2), (np.array([[0], [2]]), np.array([1, 0, 1]))),
    "rows, slice": ((3, 2), (np.array([2, 2, 0]), slice(0, 1))),
    "truth values": ((3, 2), np.array([[True, False], [False, True], [True, True]])),
    "truth values for rows": ((3, 2), np.array([True, False, True])),
    "()": ((), ()),
}
ALONG = [  # shape, axis, keepdims
    ((2, 3), -1, False),
    ((2, 3), -1, True),
    ((3, 3), 0, False),
    ((2, 3), 0, True),
    ((2, 3), None, False),
    ((2, 3), None, True),
    ((2, 3, 4), 1, False),
    ((2, 3, 4), (2, 0), False),
    ((2, 3, 4), (0, -1), True),
    ((2, 1), -1, False),
    ((4,), 0, False),
]


def elementwise():
    for name, draw in PAIRS.items():
        for shapes in STRETCHED:
            yield Case(name, getattr(ops, name), shapes, draw)
    for shapes in STRETCHED:
        yield Case("lerp 0.3", lambda a, b: ops.lerp(a, b, 0.3), shapes)
    for shape in ANY_SHAPE:
        for name, draw in POINTWISE.items():
            yield Case(name, getattr(ops, name), (shape,), draw)
        for name, numbers in WITH_A_NUMBER.items():
            for number in numbers:
                yield Case(f"{name} {number}", with_a_number(name, number), (shape,), signed)
    for name, (call, draw) in OPERATORS.items():
        yield Case(name, call, ((2, 3),), draw)


def with_a_number(name, number):
    return lambda x: getattr(ops, name)(x, number)


def moving():
    for shape, to in RESHAPED:
        yield Case(f"reshape to {to}", lambda x, to=to: ops.reshape(x, to), (shape,))
    for shape, axes in TRANSPOSED:
        yield Case(f"transpose {axes}", lambda x, axes=axes: ops.transpose(x, axes), (shape,))
    for shape, axes, keep in SUMMED:
        yield Case(f"summation {axes} {keep}", lambda x, axes=axes, keep=keep: ops.summation(x, axes, keep), (shape,))
        yield Case(f"mean {axes} {keep}", lambda x, axes=axes, keep=keep: ops.mean(x, axes, keep), (shape,))
    for shape, to in STRETCHED_TO:
        yield Case(f"broadcast_to {to}", lambda x, to=to: ops.broadcast_to(x, to), (shape,))
        yield Case(f"unbroadcast to {shape}", lambda x, shape=shape: ops.unbroadcast(x, shape), (to,))


def products():
    for shapes in PRODUCTS:
        yield Case("matmul", ops.matmul, shapes)
    for shapes in AFFINE:
        yield Case("affine", ops.affine, shapes)
    yield Case("cross_entropy", lambda x: ops.cross_entropy(x, TARGETS), ((4, 3),))
    yield Case("x times w transposed", lambda x, w: fused.TimesTransposed()(x, w), ((2, 3), (4, 3)))
    yield Case("x transposed times w", lambda x, w: fused.TransposedTimes()(x, w), ((3, 2), (3, 4)))


def picking():
    for name, (shape, index) in PICKED.items():
        yield Case(f"x[{name}]", lambda x, index=index: x[index], (shape,))
        picked = np.zeros(shape)[index].shape
        back = lambda x, index=index, shape=shape: ops.scatter(x, index, shape)
        yield Case(f"scatter to [{name}] of {shape}", back, (picked,))
    yield Case("the rows of x, by a loop", lambda x: sum(row * (i + 1.0) for i, row in enumerate(x)), ((3, 2),))
    yield Case("x / len(x)", lambda x: x / len(x), ((3, 2),))


def along_axes():
    for shape, axis, keep in ALONG:
        for name, draw in (("max", apart), ("logsumexp", signed)):
            call = lambda x, name=name, axis=axis, keep=keep: getattr(ops, name)(x, axis, keep)
            yield Case(f"{name} {axis} {keep}", call, (shape,), draw)
        for name in () if keep else ("softmax", "log_softmax"):
            call = lambda x, name=name, axis=axis: getattr(ops, name)(x, axis)
            yield Case(f"{name} {axis}", call, (shape,))
    for shape in ANY_SHAPE:
        yield Case("softplus", ops.softplus, (shape,))


ELEMENTWISE, MOVING, PRODUCT = list(elementwise()), list(moving()), list(products())
PICKING, ALONG_AXES = list(picking()), list(along_axes())
CASES = [*ELEMENTWISE, *MOVING, *PRODUCT, *PICKING, *ALONG_AXES]

# What test_engine_against_torch.py makes its random graphs of.
IN_RANDOM_GRAPHS = {
    *("Add", "Sub", "Mul", "Div", "Pow", "Negate", "AddScalar", "MulScalar", "DivScalar", "PowerScalar"),
    *("Exp", "Log", "Sqrt", "Abs", "ReLU", "Sigmoid", "Tanh"),
    *("Reshape", "Transpose", "Summation", "Mean", "BroadcastTo", "MatMul", "Affine", "CrossEntropy"),
    *("Gather", "Max", "LogSumExp", "LogSoftmax", "Softmax"),
}
