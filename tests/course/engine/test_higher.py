"""jvp, hvp and hessian against torch.func, on 300 random functions; third order by formula; what is refused."""

from functools import partial

import numpy as np
import pytest
import torch

import babygrad as bg
from babygrad import Tensor, higher

CHUNKS = [range(start, start + 50) for start in range(0, 300, 50)]
close = partial(np.testing.assert_allclose, rtol=1e-10, atol=1e-10)
SHAPES = {"x": (3, 2), "w": (2, 4), "b": (4,)}  # of the inputs of a random function


STEPS = {  # (the last result, one of those before, a number, the inputs): what both engines write alike
    "tanh": lambda last, other, number, x, w, b: (last * 0.5).tanh(),
    "sigmoid": lambda last, other, number, x, w, b: last.sigmoid(),
    "exp": lambda last, other, number, x, w, b: (other * 0.3).tanh().exp() - last,
    "product": lambda last, other, number, x, w, b: last * other * 0.3,
    "difference": lambda last, other, number, x, w, b: number - last + other.tanh(),
    "quotient": lambda last, other, number, x, w, b: (last + number) / (other * other + 1.5),
    "power": lambda last, other, number, x, w, b: (last * last + 0.7) ** 1.5 * 0.2,
    "matrices": lambda last, other, number, x, w, b: (last.tanh() @ w.T) @ w + x.sum() * number,
    "stretched": lambda last, other, number, x, w, b: last * b + last.sum(0) * number,
}


def random_steps(rng):
    """What a random function does to its inputs: (name of a step, which result before it, a number)."""
    names = rng.choice(list(STEPS), rng.integers(2, 6))
    return [(name, rng.integers(0, 100), float(rng.normal())) for name in names]


def value_of(steps, *inputs):
    """The result of the steps on x, w and b, of shape (3, 4)."""
    x, w, b = inputs
    known = [x @ w + b]
    for name, place, number in steps:
        known.append(STEPS[name](known[-1], known[place % len(known)], number, *inputs))
    return known[-1]


def drawn(seed):
    """(steps, inputs, vectors of their shapes), as arrays."""
    rng = np.random.default_rng(seed)
    return random_steps(rng), *([rng.normal(size=shape) for shape in SHAPES.values()] for _ in range(2))


MORE = [pytest.param(seeds, marks=pytest.mark.leg("push")) for seeds in CHUNKS[1:]]


@pytest.mark.parametrize("seeds", [CHUNKS[0], *MORE], ids=lambda seeds: f"{seeds[0]}-{seeds[-1]}")
def test_products_are_those_of_torch(seeds):
    for seed in seeds:
        steps, arrays, vectors = drawn(seed)
        theirs, along = (tuple(map(torch.from_numpy, each)) for each in (arrays, vectors))
        output, tangent = higher.jvp(partial(value_of, steps), tuple(map(Tensor, arrays)), vectors)
        for ours, right in zip((output, tangent), torch.func.jvp(partial(value_of, steps), theirs, along)):
            close(ours.data, right.numpy(), err_msg=f"jvp, seed {seed}")

        def loss(*inputs, steps=steps):
            return (value_of(steps, *inputs) * 0.4).tanh().sum()

        gradient = torch.func.grad(loss, argnums=(0, 1, 2))
        products = higher.hvp(loss, tuple(map(Tensor, arrays)), vectors)
        for ours, right in zip(products, torch.func.jvp(gradient, theirs, along)[1]):
            close(ours.data, right.numpy(), err_msg=f"hvp, seed {seed}")


AT_NIGHT = [pytest.param(seeds, marks=pytest.mark.leg("night")) for seeds in CHUNKS[1:]]


@pytest.mark.parametrize("seeds", [CHUNKS[0], *AT_NIGHT], ids=lambda seeds: f"{seeds[0]}-{seeds[-1]}")
def test_the_hessian_is_that_of_torch(seeds):
    for seed in seeds:
        steps, (x, w, b), _ = drawn(seed)

        def loss(x, constant, steps=steps, w=w, b=b):
            return (value_of(steps, x, constant(w), constant(b)) * 0.4).tanh().sum()

        ours = higher.hessian(lambda x: loss(x, partial(Tensor, requires_grad=False)), Tensor(x))
        theirs = torch.func.hessian(lambda x: loss(x, torch.from_numpy))(torch.from_numpy(x))
        assert ours.shape == (3, 2, 3, 2)
        close(ours.data, theirs.numpy(), err_msg=f"seed {seed}")
        close(ours.data, ours.data.transpose(2, 3, 0, 1), err_msg=f"symmetric, seed {seed}")


def test_all_steps_are_taken():
    assert {name for seed in range(300) for name, _, _ in drawn(seed)[0]} == {*STEPS}


def test_the_third_derivative_of_tanh_is_its_formula():
    x = Tensor(np.linspace(-2, 2, 9))
    derivative = t = x.tanh()
    for _ in range(3):
        derivative = bg.grad(derivative, x, create_graph=True)
    close(derivative.data, -2 * (1 - t.data**2) * (1 - 3 * t.data**2), rtol=1e-13)


def test_forward_mode_of_a_dual_finds_the_same():
    def wave(x):
        return (x * x).exp() / (x + 3) - x.tanh()

    for number in (-1.3, 0.0, 0.7):
        dual = wave(bg.Dual(number, 2.0))
        output, tangent = higher.jvp(wave, Tensor(number), 2.0)
        close((output.item(), tangent.item()), (dual.value, dual.slope), rtol=1e-13)


def test_newton_is_at_the_bottom_of_the_valley_in_six_steps():
    place = Tensor([-1.2, 1.0])
    for _ in range(6):
        place = higher.newton_step(lambda p: (1 - p[0]) ** 2 + 100 * (p[1] - p[0] * p[0]) ** 2, place)
    close(place.data, [1, 1], rtol=1e-8)


def test_a_hypergradient_is_what_nudging_finds():
    weights = [Tensor([0.4, -0.3]), Tensor([1.2])]

    def loss(a, b):
        return (a.exp() * b).sum() + (b**4).sum()

    def after(lr):
        return loss(*higher.descended(loss, weights, lr, 4))

    lr = Tensor(0.05)
    nudged = (after(0.05 + 1e-6).item() - after(0.05 - 1e-6).item()) / 2e-6
    assert np.isclose(bg.grad(after(lr), lr).item(), nudged, rtol=1e-7)


def test_a_penalty_pulls_where_nudging_says():
    w, points = Tensor([[0.5, -1.0], [0.3, 0.8]]), np.array([[0.2, -0.4], [1.0, 0.5], [-0.7, 0.1]])

    def model(x):
        return (x @ w).tanh().sum(axis=1)

    higher.gradient_penalty(model, points).backward()
    assert bg.gradcheck(lambda v: higher.gradient_penalty(lambda x: (x @ v).tanh().sum(axis=1), points), [w])
    assert w.grad.shape == (2, 2)


def test_a_dtype_is_kept():
    x = Tensor(np.array([1.0, 2.0], np.float32))
    assert higher.jvp(lambda x: x * x, x, [1.0, 2.0])[1].dtype == np.float32
    assert higher.hvp(lambda x: (x**3).sum(), x, [1.0, 2.0]).dtype == np.float32
    assert higher.hessian(lambda x: (x**3).sum(), x).dtype == np.float32


X = Tensor([1.0, 2.0])
REFUSED = {
    "no tensor": (lambda: higher.jvp(lambda x: x, [[1.0, 2.0]], [[1.0, 2.0]]), TypeError, "input 0 must be a Tensor"),
    "too few": (lambda: higher.hvp(lambda x, y: x.sum(), (X, X), (X,)), ValueError, "2 inputs, but 1 vectors"),
    "a shape": (lambda: higher.jvp(lambda x: x, X, [1.0]), ValueError, r"tangent 0 has shape \(1,\), but its input"),
    "a constant": (lambda: higher.hvp(lambda x: x.sum(), X.detach(), [1, 2]), RuntimeError, "input 0 requires no grad"),
    "two numbers": (lambda: higher.hessian(lambda x: x * x, X), ValueError, r"one number.*returned shape \(2,\)"),
    "a float": (lambda: higher.hvp(lambda x: 3.0, X, [1, 2]), TypeError, "must return a Tensor, but.*float"),
    "an array": (lambda: higher.jvp(lambda x: x.data, X, [1, 2]), TypeError, "fn must return a Tensor, but.*ndarray"),
    "flat": (lambda: higher.newton_step(lambda x: x.sum(), X), np.linalg.LinAlgError, "Singular"),
}


@pytest.mark.parametrize(("call", "error", "words"), REFUSED.values(), ids=REFUSED)
def test_what_is_refused(call, error, words):
    with pytest.raises(error, match=words):
        call()


def test_one_inside_of_another_says_that_it_would_find_nothing():
    x, v = bg.Tensor(np.array([0.5, -1.0])), np.ones(2)
    cubes = lambda x: (x * x * x).sum()
    inner = {
        "jvp": lambda x: higher.jvp(cubes, x, v)[1],
        "hvp": lambda x: higher.hvp(cubes, x, v).sum(),
        "of a result": lambda x: higher.jvp(cubes, x * 2.0, v)[1],
        "along it": lambda x: higher.jvp(cubes, bg.Tensor(v), x)[1],
    }
    for fn in inner.values():
        with pytest.raises(RuntimeError, match=r"inside of another one.*use grad\(\.\.\., create_graph=True\)"):
            higher.jvp(fn, x, v)
    _, tangent = higher.jvp(lambda x: bg.grad(cubes(x), x, create_graph=True).sum(), x, v)
    assert tangent.item() == pytest.approx(6 * x.data.sum())
    _, tangent = higher.jvp(lambda x: higher.jvp(cubes, bg.Tensor(v), v)[1] * x.sum(), x, v)
    assert tangent.item() == pytest.approx(12)
