"""Rates that go forward agree with gradients that go back: sum of gradient times rate is the rate of the output."""

import numpy as np
import pytest

import babygrad as bg
from babygrad.forward_mode import rate_of

SHAPES = {"x": (4, 3), "w": (3, 2), "b": (2,), "v": (2,), "stack": (2, 4, 3)}
EXPRESSIONS = {
    "layer": lambda x, w, b, **_: ((x @ w + b).tanh() * 2 - 1) / 4,
    "vector": lambda x, w, v, **_: (x @ w @ v).exp().mean(),
    "batch": lambda stack, w, v, **_: (stack @ w * v).sum(axis=0),
    "near and far": lambda x, b, **_: (x * x) * (x * x * 3),
    "turned": lambda x, w, **_: -(x.T.reshape(3, 2, 2) - w.reshape(3, 1, 2)).transpose((2, 0, 1)),
    "a constant": lambda b, v, **_: b * bg.Tensor([3.0, -2.0], requires_grad=False) + v,
}


@pytest.mark.parametrize("build", EXPRESSIONS.values(), ids=EXPRESSIONS)
def test_forward_and_backward_agree(build):
    rng = np.random.default_rng(5)
    leaves = {name: bg.Tensor(rng.normal(size=shape)) for name, shape in SHAPES.items()}
    out = build(**leaves)
    rates = {leaf: rng.normal(size=leaf.shape) for leaf in leaves.values()}
    out_grad = rng.normal(size=out.shape)
    out.backward(out_grad)
    back = sum((leaf.grad * rate).sum() for leaf, rate in rates.items() if leaf.grad is not None)
    assert np.isclose((out_grad * rate_of(out, rates)).sum(), back, rtol=1e-12)


UNKNOWN = {
    "ReLU": lambda x: x.relu() + 1,
    "PowerScalar": lambda x: x**2,
    "Div": lambda x: 5 / x,
    "Affine": lambda x: bg.ops.affine(x, bg.Tensor(np.ones((2, 2))), bg.Tensor(np.ones(2))),
}


@pytest.mark.parametrize("name", UNKNOWN)
def test_an_operation_without_a_rule_is_named(name):
    x = bg.Tensor([[1.0, -2.0]])
    with pytest.raises(LookupError, match=f"no rule for {name}; it knows Add, "):
        rate_of(UNKNOWN[name](x), {x: np.ones((1, 2))})
