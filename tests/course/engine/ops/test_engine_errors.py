"""Errors of the tensor engine name the operation, the shapes or the value, and the way out."""

import numpy as np
import pytest

import babygrad as bg
from babygrad import Tensor, ops


def ones(*shape):
    return Tensor(np.ones(shape))


CONSTANT = Tensor([1.0, 2.0], requires_grad=False)

# What is called, the exception, and what its message must hold.
REFUSED = {
    # shapes that do not broadcast
    "add": (lambda: ones(2, 3) + ones(2), ValueError, ["Add", "(2, 3)", "(2,)", "do not broadcast", "reshape"]),
    "sub": (lambda: ones(2, 3) - ones(4, 3), ValueError, ["Sub", "(2, 3)", "(4, 3)", "equal, or one of them 1"]),
    "mul with an array": (lambda: ones(3) * np.ones(2), ValueError, ["Mul", "(3,)", "(2,)", "do not broadcast"]),
    "a list on the left": (lambda: [1, 2] / ones(3), ValueError, ["Div", "(2,)", "(3,)", "do not broadcast"]),
    "pow": (lambda: ones(2) ** ones(3), ValueError, ["Pow", "(2,)", "(3,)", "do not broadcast"]),
    # matmul
    "matmul": (lambda: ones(2, 3) @ ones(2, 3), ValueError, ["MatMul", "(2, 3)", "size 3", "size 2", "transposed"]),
    "matmul of vectors": (lambda: ones(3) @ ones(2), ValueError, ["MatMul", "(3,)", "(2,)", "must be equal"]),
    "matmul of batches": (lambda: ones(5, 2, 3) @ ones(4, 3, 2), ValueError, ["MatMul", "(5,)", "(4,)", "broadcast"]),
    "matmul by a number": (lambda: ones(2, 3) @ 2, ValueError, ["MatMul", "(2, 3)", "()", "*"]),
    "a number by a matrix": (lambda: 2 @ ones(2, 3), ValueError, ["MatMul", "()", "(2, 3)", "*"]),
    "affine": (lambda: ops.affine(ones(2, 3), ones(2, 4), ones(4)), ValueError, ["Affine", "(2, 4)", "equal"]),
    "affine's bias": (lambda: ops.affine(ones(2, 3), ones(3, 4), ones(3)), ValueError, ["Affine", "bias", "(3,)"]),
    "affine by a vector": (lambda: ops.affine(ones(2, 3), ones(3), ones(2)), ValueError, ["Affine", "(3,)", "weight"]),
    "affine by a batch": (lambda: ops.affine(ones(2, 3), ones(5, 3, 4), ones(4)), ValueError, ["Affine", "(5, 3, 4)"]),
    # axes
    "axes twice": (lambda: ones(2, 3).transpose((0, 0)), ValueError, ["Transpose", "(2, 3)", "(0, 0)", "0, 1 once"]),
    "an axis missing": (lambda: ones(2, 3, 4).transpose((1, 0)), ValueError, ["Transpose", "(1, 0)", "0, 1, 2 once"]),
    "an axis too high": (lambda: ones(2, 3).transpose((0, 2)), ValueError, ["Transpose", "(0, 2)", "negative"]),
    "no two axes": (lambda: ones(3).transpose(), ValueError, ["Transpose", "(3,)", "two last axes", "reshape"]),
    "axes that are text": (lambda: ones(2, 3).transpose("ab"), TypeError, ["'ab'", "integer"]),
    "sum of axis 2": (lambda: ones(2, 3).sum(2), ValueError, ["Summation", "(2, 3)", "no axis 2", "0 to 1"]),
    "sum of axis -3": (lambda: ones(2, 3).sum((0, -3)), ValueError, ["Summation", "no axis -3"]),
    "sum of a number": (lambda: Tensor(1.0).sum(0), ValueError, ["Summation", "()", "no axis 0"]),
    "sum of an axis twice": (lambda: ones(2, 3).sum((0, -2)), ValueError, ["Summation", "(0, -2)", "twice"]),
    "sum of axis 1.5": (lambda: ones(2, 3).sum(1.5), TypeError, ["1.5", "integer"]),
    "mean of axis 2": (lambda: ones(2, 3).mean(2), ValueError, ["Mean", "(2, 3)", "no axis 2"]),
    # sizes
    "reshape": (lambda: ones(2, 3).reshape(4), ValueError, ["Reshape", "(2, 3)", "6 numbers", "(4,)", "-1"]),
    "reshape, open": (lambda: ones(2, 3).reshape(-1, 4), ValueError, ["Reshape", "6 numbers", "(-1, 4)"]),
    "reshape to text": (lambda: ones(2, 3).reshape("a"), TypeError, ["'a'", "integer"]),
    "reshape to 2.0": (lambda: ones(2, 3).reshape(2.0, 3), TypeError, ["(2.0, 3)", "integer"]),
    "broadcast_to": (lambda: ones(2, 3).broadcast_to((3, 2)), ValueError, ["BroadcastTo", "(2, 3)", "(3, 2)", "front"]),
    "broadcast_to fewer": (lambda: ones(2, 3).broadcast_to((3,)), ValueError, ["BroadcastTo", "(2, 3)", "(3,)"]),
    "broadcast_to None": (lambda: ones(2).broadcast_to(None), TypeError, ["None", "integer"]),
    # data
    "a text": (lambda: Tensor("two"), TypeError, ["'two'", "str", "real numbers"]),
    "None": (lambda: Tensor(None), TypeError, ["None", "real numbers"]),
    "objects": (lambda: Tensor(np.array([1, None])), TypeError, ["object", "real numbers"]),
    "a list of texts": (lambda: Tensor(["a", "b"]), TypeError, ["['a', 'b']", "list"]),
    "complex numbers": (lambda: Tensor([1j]), TypeError, ["1j", "complex", "real numbers"]),
    "dates": (lambda: Tensor(np.array(["2020-01-01"], "M8[D]")), TypeError, ["datetime64", "real numbers"]),
    "ragged rows": (lambda: Tensor([[1, 2], [3]]), ValueError, ["[[1, 2], [3]]", "different lengths"]),
    "a list of Tensors": (lambda: Tensor([Tensor(1.0)]), TypeError, ["Tensor", "x.data"]),
    "an int dtype": (lambda: Tensor([1], dtype=int), TypeError, ["dtype", "int64", "floating-point"]),
    "text beside": (lambda: ones(2) + "x", TypeError, ["'x'", "str", "real numbers"]),
    "None on the left": (lambda: None * ones(2), TypeError, ["None", "real numbers"]),
    "objects beside": (lambda: ones(2) - np.array([1, None]), TypeError, ["object", "real numbers"]),
    "ragged rows beside": (lambda: ones(2) @ [[1, 2], [3]], ValueError, ["[[1, 2], [3]]", "different lengths"]),
    # backward and grad
    "backward without grad": (lambda: CONSTANT.backward(), RuntimeError, ["requires no grad", "from a leaf"]),
    "backward of a detached": (lambda: (ones(2) * 2).detach().backward(), RuntimeError, ["no grad", "detached"]),
    "a seed of another shape": (lambda: ones(2, 3).backward(np.ones(3)), ValueError, ["(2, 3)", "(3,)", "gradient"]),
    "a seed that is a number": (lambda: ones(2).backward(1.0), ValueError, ["(2,)", "()", "gradient"]),
    "a seed that is a text": (lambda: ones(2).backward("up"), TypeError, ["'up'", "real numbers"]),
    "grad of a constant": (lambda: bg.grad(CONSTANT * 2, CONSTANT), RuntimeError, ["input 0", "requires_grad=True"]),
    "grad of the second": (lambda: bg.grad(ones(2), [ones(2), CONSTANT]), RuntimeError, ["input 1", "no grad"]),
    "grad_output": (lambda: bg.grad(ones(2), ones(2), np.ones(3)), ValueError, ["(2,)", "(3,)"]),
    "item of two": (lambda: ones(2).item(), ValueError, ["item", "(2,)", "one number"]),
    # gradcheck
    "gradcheck of a constant": (lambda: bg.gradcheck(ops.exp, CONSTANT), ValueError, ["none of the inputs"]),
    "gradgradcheck of a constant": (lambda: bg.gradgradcheck(ops.exp, CONSTANT), ValueError, ["none of the inputs"]),
    "gradcheck of an array": (lambda: bg.gradcheck(lambda x: x.data, ones(2)), TypeError, ["Tensor", "ndarray"]),
    # the loss
    "a target too high": (lambda: ops.cross_entropy(ones(2, 3), [0, 3]), ValueError, ["CrossEntropy", "3", "0 to 2"]),
    "a negative target": (lambda: ops.cross_entropy(ones(2, 3), [0, -1]), ValueError, ["CrossEntropy", "-1", "0 to 2"]),
    "too many targets": (lambda: ops.cross_entropy(ones(2, 3), [0, 1, 2]), ValueError, ["CrossEntropy", "(3,)"]),
    "targets in a column": (lambda: ops.cross_entropy(ones(2, 3), [[0], [1]]), ValueError, ["CrossEntropy", "(2, 1)"]),
    "targets as floats": (lambda: ops.cross_entropy(ones(2, 3), [0.0, 1.0]), TypeError, ["targets", "integers"]),
    "one target in a hundred": (lambda: ops.cross_entropy(ones(100, 3), [0] * 99 + [7]), ValueError, ["7", "0 to 2"]),
    "scores of one axis": (lambda: ops.cross_entropy(ones(3), [0]), ValueError, ["CrossEntropy", "(3,)", "(N, C)"]),
}


@pytest.mark.parametrize(("call", "kind", "fragments"), REFUSED.values(), ids=REFUSED)
def test_the_message_names_what_is_wrong_and_the_way_out(call, kind, fragments):
    with pytest.raises(kind) as caught:
        call()
    for fragment in fragments:
        assert fragment in str(caught.value)


@pytest.mark.parametrize("call", [row[0] for row in REFUSED.values()], ids=REFUSED)
def test_the_message_is_short_and_shows_no_second_traceback(call):
    with pytest.raises(Exception) as caught:  # noqa: PT011 (the kind is asked above)
        call()
    assert len(str(caught.value)) < 260 and "\n" not in str(caught.value)
    assert caught.value.__context__ is None or caught.value.__suppress_context__


def test_grad_of_what_was_not_recorded_is_zero_as_for_a_gradient_that_is_constant():
    """What the docstring of grad and notebook 09 say; PyTorch raises an error in both cases."""
    x = Tensor([2.0, 3.0])
    for unrecorded in (bg.grad(x**3, x), bg.grad(x + 2, x, create_graph=True)):
        assert bg.grad(unrecorded, x).data.tolist() == [0.0, 0.0]


def test_backward_of_what_was_computed_under_no_grad_is_refused():
    x = ones(2)
    with bg.no_grad():
        out = x * 2.0
        with pytest.raises(RuntimeError, match=r"no_grad\(\)"):
            out.backward()
    with pytest.raises(RuntimeError, match=r"no_grad\(\)"):
        out.backward()
    assert x.grad is None


def test_grad_under_no_grad_is_refused_with_the_way_out():
    x = ones(2)
    with bg.no_grad(), pytest.raises(RuntimeError, match=r"no_grad\(\).*outside"):
        bg.grad(x * 2.0, x)


def test_a_refused_call_changes_nothing_and_recording_goes_on():
    x = ones(2, 3)
    with pytest.raises(ValueError, match="Add"), bg.no_grad():
        x + ones(2)
    (x * 2.0).backward()
    assert (x.grad == 2.0).all()


RULES = {
    "no Tensor": (lambda self, out_grad, node: np.ones(2), TypeError, "the rule of Exp gave a ndarray"),
    "another shape": (lambda self, out_grad, node: out_grad.sum(), ValueError, r"Exp gave a gradient of shape \(\)"),
    "too many": (lambda self, out_grad, node: (out_grad, out_grad), ValueError, "Exp gave 2 gradients for 1 inputs?"),
}


@pytest.mark.parametrize("name", RULES)
def test_a_rule_that_breaks_its_promise_is_named(name, monkeypatch):
    rule, kind, words = RULES[name]
    monkeypatch.setattr(ops.Exp, "backward", rule)
    with pytest.raises(kind, match=words):
        ones(2).exp().backward()


def test_an_operation_without_a_forward_or_a_rule_says_so():
    class Cube(bg.Function):
        pass

    with pytest.raises(NotImplementedError, match="Cube has no forward yet"):
        Cube()(ones(2))
    Cube.forward = lambda self, a: a**3
    with pytest.raises(NotImplementedError, match="Cube has no backward yet"):
        Cube()(ones(2)).backward()


def test_gradcheck_names_the_input_the_place_and_both_numbers(monkeypatch):
    monkeypatch.setattr(ops.Mul, "backward", lambda self, out_grad, node: (out_grad * node._inputs[1], out_grad))
    words = r"input 1 at index \(0,\) is -?[\d.]+ by backward, but -?[\d.]+ by nudging"
    with pytest.raises(bg.GradcheckError, match=words):
        bg.gradcheck(ops.mul, [Tensor([2.0, 3.0]), Tensor([4.0, 5.0])])


def test_the_check_of_a_rule_looks_at_the_shape_first(monkeypatch):
    monkeypatch.setattr(ops.Exp, "backward", lambda self, out_grad, node: out_grad.sum())
    words = r"input 0 has shape \(2,\), but backward gives it a gradient of shape \(\)"
    with pytest.raises(bg.GradcheckError, match=words):
        bg.check_rule(ops.exp, ones(2))
