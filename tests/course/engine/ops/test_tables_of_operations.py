"""Each operation of the package stands in each table that lists operations, or here, as one that it can do without.

To add an operation: its forward and its rule, its name in ops/__init__.py, and then what this test asks for.
"""

import itertools
import runpy
from pathlib import Path

import numpy as np
import pytest

from babygrad import Tensor, compile, compiler, forward_mode, grad, ops
from babygrad.autograd import topological_order
from babygrad.ops import Elementwise, Function

HERE = Path(__file__).parent
ASKED = runpy.run_path(str(HERE / "engine_operations.py"))
PROMISED = runpy.run_path(str(HERE.parent / "public_names.py"))["promises"]


def operations():
    """The names of all Functions that the package offers."""
    things = {name: getattr(ops, name) for name in ops.__all__}
    kinds = {name for name, thing in things.items() if isinstance(thing, type) and issubclass(thing, Function)}
    return kinds - {Function.__name__, Elementwise.__name__}


def asked():
    """Those that the tests of values and derivatives go through, called by their rules included."""
    names, call = set(), Function.__call__
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Function, "__call__", lambda self, *inputs: names.add(self.name()) or call(self, *inputs))
        for case in ASKED["CASES"]:
            out = case.call(*case.tensors())
            out.backward(np.ones(out.shape))
    return names


def with_a_method():
    """Those whose function is a method of Tensor."""
    functions = {id(method) for method in vars(Tensor).values()}
    words = " ".join(ops.NAMES_IN.values()).split()
    return {name for name, after in itertools.pairwise(words) if id(getattr(ops, after)) in functions}


IN_NUMPY = compiler.UFUNCS.keys() | compiler.REDUCTIONS.keys() | compiler.OTHERS.keys() | {*compiler.VIEWS, "MatMul"}
ONLY_IN_RULES = {"Positive", "Sign", "Equal", "Scatter"}  # a program in test_engine_against_torch.py cannot call them

# {table: (what stands in it, what it can do without)}
TABLES = {
    "engine_operations.py": (asked, set()),
    "engine_operations.py, IN_RANDOM_GRAPHS": (
        lambda: ASKED["IN_RANDOM_GRAPHS"],
        ONLY_IN_RULES
        | {"Lerp", "Softplus"},  # losses and optimizers use them, beside PyTorch in tests/course/engine/nn/
    ),
    "compiler.py": (
        lambda: IN_NUMPY,
        # in a program they are a call of forward
        {"PowerScalar", "Lerp", "Sigmoid", "Mean", "Scatter", "LogSumExp", "LogSoftmax", "Softmax", "Softplus"}
        | {"CrossEntropy"},
    ),
    "forward_mode.py, RULES": (
        lambda: forward_mode.RULES.keys(),
        # notebook 13 needs a small net and no more; anything else raises LookupError
        ONLY_IN_RULES
        | {"Div", "Pow", "PowerScalar", "Lerp", "Log", "Sqrt", "Abs", "ReLU", "Sigmoid", "BroadcastTo", "Affine"}
        | {"CrossEntropy", "Gather", "Max", "LogSumExp", "LogSoftmax", "Softmax", "Softplus"},
    ),
    "tensor.py, its last lines": (
        with_a_method,
        # + - * / ** [] and reshape are written in the class; layers, losses and optimizers call the others
        ONLY_IN_RULES
        | {"Add", "AddScalar", "Sub", "Mul", "MulScalar", "Div", "DivScalar", "Pow", "PowerScalar", "Gather"}
        | {"Reshape", "Affine", "CrossEntropy", "Lerp", "Softplus"},
    ),
    "public_names.py": (lambda: {name.removeprefix("ops.") for name, _ in PROMISED()}, set()),
}


@pytest.mark.parametrize("table", TABLES)
def test_each_operation_stands_in_each_table_or_it_is_said_that_it_does_not(table):
    there, left_out = TABLES[table]
    assert operations() - there() == left_out


def test_an_operation_that_stands_in_no_table_is_noticed_by_all(monkeypatch):
    class Sin(Function):
        """An operation that nobody has told the tables of."""

    monkeypatch.setattr(ops, "Sin", Sin, raising=False)
    monkeypatch.setattr(ops, "__all__", [*ops.__all__, "Sin"])
    unnoticed = [table for table, (there, left_out) in TABLES.items() if operations() - there() == left_out]
    assert unnoticed == []


def made_by(case):
    """The names of the operations in a case's graph."""
    return {node._op.name() for node in topological_order(case.call(*case.tensors())) if node._op is not None}


def one_of_each(cases):
    """Cases of which each brings an operation that none before it has; the largest come first."""
    seen, kept = set(), []
    for case in sorted(cases, key=lambda case: -sum(array.size for array in case.arrays())):
        if not made_by(case) <= seen:
            seen |= made_by(case)
            kept.append(case)
    return kept


ONE_OF_EACH = one_of_each(ASKED["CASES"])
MOVING = one_of_each(case for case in ASKED["CASES"] if made_by(case) <= forward_mode.RULES.keys())


@pytest.mark.parametrize("case", ONE_OF_EACH, ids=str)
def test_the_compiler_has_the_right_name_for_each_operation(case):
    def step(*arrays):
        inputs = [Tensor(array) for array in arrays]
        out = case.call(*inputs)
        total = (out * out * 0.5).sum()
        return out, *(grad(total, node) for node in inputs)

    compiled = compile(step)
    for seed in (0, 1):  # the second time by the program alone
        for wanted, found in zip(step(*case.arrays(seed)), compiled(*case.arrays(seed)), strict=True):
            np.testing.assert_allclose(found.data, wanted.data, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("case", MOVING, ids=str)
def test_each_rule_of_forward_mode_agrees_with_nudging(case):
    rng, arrays = np.random.default_rng(3), case.arrays()
    rates = [rng.normal(size=array.shape) for array in arrays]
    leaves = [Tensor(array) for array in arrays]
    found = forward_mode.rate_of(case.call(*leaves), dict(zip(leaves, rates)))
    there, back = (
        case.call(*(Tensor(array + step * rate) for array, rate in zip(arrays, rates))).data for step in (1e-6, -1e-6)
    )
    np.testing.assert_allclose(found, (there - back) / 2e-6, rtol=1e-6, atol=1e-8)


def test_both_are_asked_of_each_operation_that_they_know():
    assert set().union(*map(made_by, ONE_OF_EACH)) >= IN_NUMPY & operations() - ONLY_IN_RULES
    assert set().union(*map(made_by, MOVING)) == forward_mode.RULES.keys()
