"""Every operation against central differences, up to the third order; and kinks and other special points."""

import runpy
from pathlib import Path

import numpy as np
import pytest
import torch

import babygrad as bg
from babygrad import Tensor, ops

TABLE = runpy.run_path(str(Path(__file__).with_name("engine_operations.py")))
CASES, every = TABLE["CASES"], TABLE["every"]
NAN, INF = np.nan, np.inf


# Orders one to three.


def weighted(case):
    """The operation as a function of its inputs and of weights for its numbers; the result is one number."""
    return lambda *inputs: (case.call(*inputs[:-1]) * inputs[-1]).sum()


def slope_along(function, directions):
    """How fast function(*inputs) changes along the directions: one order more, differentiable again."""

    def slope(*inputs):
        gradients = bg.grad(function(*inputs), inputs, create_graph=True)
        return sum((gradient * direction).sum() for gradient, direction in zip(gradients, directions))

    return slope


def central_differences(function, arrays, h=1e-5):
    """The slopes of function to every number of every array."""
    slopes = [np.zeros_like(array) for array in arrays]
    for array, slope in zip(arrays, slopes):
        for index in np.ndindex(array.shape):
            kept, ends = array[index], []
            for nudge in (h, -h):
                array[index] = kept + nudge
                ends.append(function(*map(Tensor, arrays)).item())
            array[index] = kept
            slope[index] = (ends[0] - ends[1]) / (2 * h)
    return slopes


@pytest.mark.parametrize("order", [1, 2, pytest.param(3, marks=pytest.mark.leg("push"))])
@every(CASES)
def test_the_gradient_equals_central_differences(case, order):
    rng = np.random.default_rng(order)
    arrays = case.arrays(seed=order)
    arrays.append(rng.normal(size=case.call(*map(Tensor, arrays)).shape))
    function = weighted(case)
    for _ in range(order - 1):
        function = slope_along(function, [rng.normal(size=array.shape) for array in arrays])
    inputs = [Tensor(array) for array in arrays]
    gradients = bg.grad(function(*inputs), inputs)
    for gradient, slope in zip(gradients, central_differences(function, arrays)):
        assert gradient.shape == slope.shape
        np.testing.assert_allclose(gradient.data, slope, rtol=1e-5, atol=1e-6)


@every(CASES)
def test_gradcheck_passes_the_operation_and_its_gradient(case):
    inputs = case.tensors()
    assert bg.gradcheck(case.call, inputs)
    assert bg.gradcheck(lambda *xs: bg.grad(case.call(*xs), xs[0], create_graph=True) * xs[0], inputs)


@every(CASES)
def test_gradgradcheck_passes_the_operation(case):
    assert bg.gradgradcheck(case.call, case.tensors())


def test_gradgradcheck_stops_what_gradcheck_and_pytorchs_gradcheck_pass():
    class Forgetful(bg.Function):
        def forward(self, a):
            return np.tanh(a)

        def backward(self, out_grad, node):
            return out_grad * (1 - node * node.data)

    class Theirs(torch.autograd.Function):
        @staticmethod
        def forward(ctx, a):
            y = a.tanh()
            ctx.save_for_backward(y)
            return y

        @staticmethod
        def backward(ctx, out_grad):
            (y,) = ctx.saved_tensors
            return out_grad * (1 - y * y.detach())

    array = np.array([0.7, -0.4])
    theirs = torch.tensor(array, requires_grad=True)
    assert bg.gradcheck(lambda x: Forgetful()(x), Tensor(array)) and torch.autograd.gradcheck(Theirs.apply, theirs)
    with pytest.raises(bg.GradcheckError, match="input 0"):
        bg.gradgradcheck(lambda x: Forgetful()(x), Tensor(array))
    with pytest.raises(RuntimeError, match=r"not equal|mismatch"):
        torch.autograd.gradgradcheck(Theirs.apply, theirs)


def test_the_initial_gradient_can_be_a_tensor_that_is_differentiated_too():
    x, g = Tensor([2.0, 5.0]), Tensor([3.0, -0.5])
    slope = bg.grad(x * x, x, g, create_graph=True)
    to_x, to_g = bg.grad(slope, [x, g])
    np.testing.assert_array_equal(to_x.data, 2 * g.data)
    np.testing.assert_array_equal(to_g.data, 2 * x.data)


def test_derivatives_of_an_expression_equal_pytorchs_to_third_order():
    def expression(x, w):
        return ((x @ w).tanh() * (x * x).sum(1, keepdims=True) + (w**3).mean() / (x.exp() + 1.0)).sigmoid().sum()

    rng = np.random.default_rng(0)
    arrays = rng.normal(size=(3, 2)), rng.normal(size=(2, 2))
    ours, theirs = [Tensor(a) for a in arrays], [torch.tensor(a, requires_grad=True) for a in arrays]
    f, g = expression(*ours), expression(*theirs)
    for _ in range(3):
        f, g = bg.grad(f, ours, create_graph=True), torch.autograd.grad(g, theirs, create_graph=True)
        for mine, other in zip(f, g):
            np.testing.assert_allclose(mine.data, other.detach().numpy(), rtol=1e-10, atol=1e-10)
        f, g = sum((x * x).sum() for x in f), sum((x * x).sum() for x in g)


# Special points. Each row: the function, the point, the value there, the slopes there.

ONE_INPUT = [
    ("relu at 0", ops.relu, 0.0, 0.0, 0.0),
    ("relu at -0", ops.relu, -0.0, 0.0, 0.0),
    ("relu at -inf", ops.relu, -INF, 0.0, 0.0),
    ("relu at inf", ops.relu, INF, INF, 1.0),
    ("abs at 0", ops.abs, 0.0, 0.0, 0.0),
    ("abs at -inf", ops.abs, -INF, INF, -1.0),
    ("x ** 0 at 0", lambda x: x**0, 0.0, 1.0, 0.0),
    ("x ** 0 at -2", lambda x: x**0, -2.0, 1.0, 0.0),
    ("x ** 1 at 0", lambda x: x**1, 0.0, 0.0, 1.0),
    ("x ** 2 at 0", lambda x: x**2, 0.0, 0.0, 0.0),
    ("x ** 3 at -2", lambda x: x**3, -2.0, -8.0, 12.0),
    ("x ** -1 at -2", lambda x: x**-1, -2.0, -0.5, -0.25),
    ("x ** [3] at -2", lambda x: x ** np.array(3.0), -2.0, -8.0, 12.0),
    ("x ** 0.5 at 0", lambda x: x**0.5, 0.0, 0.0, INF),
    ("x ** 0.5 at -1", lambda x: x**0.5, -1.0, NAN, NAN),
    ("0 ** x at 2", lambda x: 0**x, 2.0, 0.0, 0.0),
    ("0 ** x at 0", lambda x: 0**x, 0.0, 1.0, 0.0),
    ("sqrt at 0", ops.sqrt, 0.0, 0.0, INF),
    ("sqrt at -1", ops.sqrt, -1.0, NAN, NAN),
    ("log at 0", ops.log, 0.0, -INF, INF),
    ("1 / x at 0", lambda x: 1 / x, 0.0, INF, -INF),
    ("exp at 1000", ops.exp, 1000.0, INF, INF),
    ("exp at -1000", ops.exp, -1000.0, 0.0, 0.0),
    ("sigmoid at 1000", ops.sigmoid, 1000.0, 1.0, 0.0),
    ("sigmoid at -1000", ops.sigmoid, -1000.0, 0.0, 0.0),
    ("sigmoid at inf", ops.sigmoid, INF, 1.0, 0.0),
    ("sigmoid at -inf", ops.sigmoid, -INF, 0.0, 0.0),
    ("tanh at 1000", ops.tanh, 1000.0, 1.0, 0.0),
    ("tanh at -inf", ops.tanh, -INF, -1.0, 0.0),
    ("exp at nan", ops.exp, NAN, NAN, NAN),
    ("log at nan", ops.log, NAN, NAN, NAN),
    ("sigmoid at nan", ops.sigmoid, NAN, NAN, NAN),
    ("tanh at nan", ops.tanh, NAN, NAN, NAN),
    ("abs at nan", ops.abs, NAN, NAN, NAN),
    ("x * x at nan", lambda x: x * x, NAN, NAN, NAN),
]


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize(("call", "point", "value", "slope"), [pytest.param(*row[1:], id=row[0]) for row in ONE_INPUT])
def test_value_and_slope_at_a_special_point(call, point, value, slope):
    x = Tensor([point, 1.5])
    out = call(x)
    out.backward()
    np.testing.assert_equal((out.data[0], x.grad[0]), (value, slope))
    assert np.isfinite([out.data[1], x.grad[1]]).all(), "the number beside it is not touched"


BASES = [0.0, -0.0, 0.5, 1.0, 2.0]
EXPONENTS = [0.0, 0.5, 1.0, 2.0, 3.0, -1.0, -0.5]


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("a", BASES)
@pytest.mark.parametrize("b", EXPONENTS)
def test_both_slopes_of_a_power_equal_pytorchs(a, b):
    ours, theirs = [Tensor(a), Tensor(b)], [torch.tensor(n, dtype=torch.float64, requires_grad=True) for n in (a, b)]
    out, other = ours[0] ** ours[1], theirs[0] ** theirs[1]
    np.testing.assert_allclose(out.data, other.item(), rtol=1e-15)
    out.backward()
    other.backward()
    for mine, their in zip(ours, theirs):
        np.testing.assert_allclose(mine.grad, their.grad.item(), rtol=1e-15)


def test_zero_to_the_power_of_zero_has_slope_0_to_both():
    a, b = Tensor([0.0, 0.0]), Tensor([0.0, 0.0])
    (a**b).backward([3.0, -2.0])
    assert a.grad.tolist() == [0.0, 0.0] and b.grad.tolist() == [0.0, 0.0]


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("exponent", [Tensor([2.0, 3.0], requires_grad=False), np.array([2.0, 3.0]), [2, 3]])
def test_a_negative_base_with_a_constant_exponent_takes_no_logarithm(exponent):
    a = Tensor([-2.0, -3.0])
    (a**exponent).backward()
    assert a.grad.tolist() == [-4.0, 27.0]


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_a_negative_base_gives_nan_only_to_the_exponent_that_wants_a_gradient():
    a, b = Tensor([-2.0, 2.0]), Tensor([3.0, 3.0])
    (a**b).backward()
    assert a.grad.tolist() == [12.0, 12.0]
    assert np.isnan(b.grad[0]) and b.grad[1] == 8.0 * np.log(2.0)


@pytest.mark.parametrize("first", ["a", "b"])
@pytest.mark.parametrize("at", [0.5, 2.0, 3.0])
def test_the_mixed_second_derivative_of_a_power_at_exponent_0_is_one_over_a(first, at):
    a, b = Tensor(at), Tensor(0.0)
    one, other = (a, b) if first == "a" else (b, a)
    slope = bg.grad(a**b, one, create_graph=True)
    assert bg.grad(slope, other).item() == pytest.approx(1 / at, rel=1e-15)


@pytest.mark.parametrize(("exponent", "slopes"), [(0, (0, 0, 0)), (1, (1, 0, 0)), (2, (0, 2, 0)), (3, (0, 0, 6))])
def test_three_derivatives_of_a_power_at_0(exponent, slopes):
    x = Tensor(0.0)
    out, found = x**exponent, []
    for _ in range(3):
        out = bg.grad(out, x, create_graph=True)
        found.append(out.item())
    assert found == list(slopes)


@pytest.mark.parametrize("call", [ops.relu, ops.abs])
def test_the_second_derivative_at_a_kink_is_0(call):
    x = Tensor([0.0, 1.0, -1.0])
    slope = bg.grad(call(x) * x, x, create_graph=True)
    assert bg.grad(slope, x).data[0] == 0.0


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("name", ["sigmoid", "tanh"])
def test_saturated_units_raise_no_warning(name):
    x = Tensor([-1000.0, -50.0, 0.0, 50.0, 1000.0])
    getattr(ops, name)(x).backward()
    assert np.isfinite(x.grad).all()


@pytest.mark.filterwarnings("error")
def test_the_loss_of_huge_scores_is_finite():
    scores = Tensor([[1000.0, -1000.0, 0.0], [-1000.0, 1000.0, 0.0]])
    loss = ops.cross_entropy(scores, [0, 0])
    loss.backward()
    assert loss.item() == 1000.0
    assert scores.grad.tolist() == [[0.0, 0.0, 0.0], [-0.5, 0.5, 0.0]]


# NaN and inf travel as in NumPy.

STRANGE = np.array([NAN, INF, -INF, 0.0, -0.0, 1.0, -2.0, 1e308, 5e-324])
IN_NUMPY = {
    "add": np.add,
    "sub": np.subtract,
    "mul": np.multiply,
    "div": np.divide,
    "pow": np.power,
    "negate": np.negative,
    "exp": np.exp,
    "log": np.log,
    "sqrt": np.sqrt,
    "abs": np.abs,
    "relu": lambda x: np.maximum(x, 0),
    "tanh": np.tanh,
}


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("name", IN_NUMPY)
def test_nan_and_inf_come_out_as_in_numpy(name):
    expected = IN_NUMPY[name]
    inputs = np.meshgrid(STRANGE, STRANGE) if getattr(expected, "nin", 1) == 2 else [STRANGE]
    np.testing.assert_array_equal(getattr(ops, name)(*map(Tensor, inputs)).data, expected(*inputs))


OUTSIDE = {
    "log of 0": (lambda: Tensor(0.0).log(), "divide by zero"),
    "log of -1": (lambda: Tensor(-1.0).log(), "invalid value"),
    "sqrt of -1": (lambda: Tensor(-1.0).sqrt(), "invalid value"),
    "1 / 0": (lambda: 1 / Tensor(0.0), "divide by zero"),
    "exp of 1000": (lambda: Tensor(1000.0).exp(), "overflow"),
    "-1 ** 0.5": (lambda: Tensor(-1.0) ** 0.5, "invalid value"),
}


@pytest.mark.parametrize("name", OUTSIDE)
def test_outside_its_domain_an_operation_gives_numpys_warning(name):
    call, words = OUTSIDE[name]
    with pytest.warns(RuntimeWarning, match=words):
        call()


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_sums_products_and_means_carry_nan_and_inf():
    x = Tensor([[NAN, 1.0], [INF, 2.0]])
    np.testing.assert_array_equal(x.sum(0).data, [NAN, 3.0])
    np.testing.assert_array_equal(x.mean(1).data, [NAN, INF])
    np.testing.assert_array_equal((x @ np.ones(2)).data, [NAN, INF])


def test_an_infinite_or_missing_upstream_number_reaches_only_its_own_place():
    x = Tensor([[1.0, 2.0, 3.0]])
    (x * 2.0).reshape(3).backward([NAN, INF, 1.0])
    np.testing.assert_array_equal(x.grad, [[NAN, INF, 2.0]])
