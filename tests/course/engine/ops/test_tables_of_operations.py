"""Each operation of the package stands in each table that lists operations, or here, as one that it can do without.

To add an operation: its forward and its rule, its name in ops/__init__.py, and then what this test asks for.
"""

import itertools
import runpy
from pathlib import Path

import numpy as np
import pytest

from babygrad import Tensor, compiler, forward_mode, ops
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
