"""What the engine announces: each call of a Function, each rule that is asked, each backward pass, and to whom."""

from contextlib import suppress

import numpy as np
import pytest

import babygrad as bg
from babygrad import Tensor, announce, autograd, optim
from babygrad.normalize import Dropout
from grader.course.paths import REFERENCE
from grader.course.regions import stub_text


class Diary(announce.Listener):
    """Writes down what it is told, and lets the engine do it."""

    def __init__(self):
        self.told = []

    def computes(self, function, inputs):
        self.told.append(function.name())

    def asks(self, node, gradient):
        self.told.append(f"the rule of {node._op.name()}")

    def calls(self, function, *inputs, **named):
        self.told.append(function.__qualname__)
        return super().calls(function, *inputs, **named)


def small_step():
    """A loss and its leaf, as they were before and after a backward pass; a step of SGD."""
    x = Tensor([1.0, -2.0])
    loss = (x * x).sum()
    loss.backward()
    optim.SGD([x], 0.5).step()
    return loss.data, x.grad, x.data


def test_everything_is_told_in_order_and_nothing_is_changed():
    with Diary() as diary:
        found = small_step()
    rules = ["the rule of Summation", "Reshape", "BroadcastTo", "the rule of Mul", "Mul", "Mul"]
    assert diary.told == ["Mul", "Summation", "Tensor.backward", "gradients", *rules, "Add", "Optimizer.step"]
    for one, other in zip(found, small_step()):
        np.testing.assert_array_equal(one, other)


def test_what_a_listener_returns_stands_in_for_what_the_engine_would_compute():
    class Instead(announce.Listener):
        def computes(self, function, inputs):
            return Tensor(7.0, requires_grad=False)

        def asks(self, node, gradient):
            return [(x, None) for x in node._inputs]

        def calls(self, function, *inputs, **named):
            return None if function.__name__ == "backward" else super().calls(function, *inputs, **named)

    x = Tensor([1.0, 2.0])
    y = x * x
    with Instead():
        assert (x * x).item() == 7.0
        assert list(autograd.gradients(y, Tensor([1.0, 1.0]))) == [y]
        y.backward()
    assert x.grad is None


def test_the_last_listener_is_told_and_nobody_once_it_has_gone():
    x, first, second = Tensor([1.0]), Diary(), Diary()
    with first:
        with suppress(ZeroDivisionError), second:
            announce.unheard(lambda: x - x)
            print(x + x, 1 / 0)
        x * x
    x * x
    assert first.told == ["Mul"] and second.told == ["Add"] and announce.listeners == []


def test_what_is_announced_besides():
    dropout = Dropout(0.5, np.random.default_rng(0))
    x = Tensor(np.ones(3))
    optimizer = optim.SGD([x], 0.1)
    with Diary() as diary:
        x.detach()
        dropout.kept(shape=(2,))
        optim.clip_grad_norm_([x], max_norm=1.0)
        optim.CosineLR(optimizer, 5).step()
    assert diary.told == ["Tensor.detach", "Dropout.kept", "clip_grad_norm_", "Schedule.step"]


def test_clipping_with_a_name_is_part_of_a_compiled_step():
    x = Tensor([3.0, 4.0])

    def step():
        x.zero_grad()
        (x * x).sum().backward()
        return optim.clip_grad_norm_([x], max_norm=1.0)

    assert bg.compile(step)().item() == pytest.approx(10.0)
    np.testing.assert_allclose(x.grad, [0.6, 0.8], rtol=1e-5)


@pytest.mark.parametrize(("file", "lines"), [("ops/function.py", 2), ("autograd.py", 3), ("tensor.py", 3)])
def test_no_line_that_announces_is_the_learners(file, lines):
    """A stub has them all."""
    text = (REFERENCE / "babygrad" / file).read_text(encoding="utf-8")
    given = [each for each in stub_text(text).splitlines() if "listeners" in each or "announced" in each]
    assert given == [each for each in text.splitlines() if "listeners" in each or "announced" in each]
    assert len(given) == lines
