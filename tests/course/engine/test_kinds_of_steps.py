"""Steps of many kinds: a compiled one does in each call what the step does uncompiled, or is refused with its line."""

import dataclasses
import functools
import inspect
import sys
import types
from collections import defaultdict

import numpy as np
import pytest

import babygrad as bg
from babygrad import Tensor, nn, optim
from babygrad.normalize import Dropout
from babygrad.ops.function import Function
from babygrad.tracing import CannotCompile

X = np.linspace(-1, 1, 12).reshape(4, 3)


def leaf():
    return Tensor(np.array([0.5, -1.0, 2.0]))


def given(x):
    return Tensor(x, requires_grad=False)


def arrays_in(thing):
    if isinstance(thing, tuple):
        return [array for part in thing for array in arrays_in(part)]
    return [thing.data if isinstance(thing, Tensor) else np.asarray(thing)]


# ---- right: functions that return a step, what is done before each call (its number), and leaves ----


def nothing(call):
    pass


def a_class_and_its_instance():
    kind = type("Kind", (), {"k": 2.0})
    thing, w = kind(), leaf()
    thing.k = 3.0

    def change(call):
        if call % 2:
            kind.k = 5.0 + call
        else:
            thing.k = 1.0 + call

    return lambda x: (given(x) * w).sum() * thing.k * kind.k * type(thing).k, change, [w]


def a_classmethod_replaced():
    class Kind:
        k = 2.0

        @classmethod
        def times(cls, x):
            return x * cls.k

    thing, w = Kind(), leaf()
    thing.k = 11.0

    def change(call):
        if call == 1:
            Kind.k = 5.0
        elif call == 3:
            Kind.times = classmethod(lambda cls, x: x * 100.0)

    return lambda x: thing.times((given(x) * w).sum()), change, [w]


def slots_and_a_frozen_dataclass():
    slots = dataclasses.make_dataclass("Slots", ["scale", "array"], slots=True)(1.0, np.ones(3))
    frozen = dataclasses.make_dataclass("Frozen", ["k"], frozen=True)
    box, w = types.SimpleNamespace(config=frozen(1.0)), leaf()

    def change(call):
        slots.scale, box.config = 1.0 + call, frozen(2.0 * call)
        slots.array[0] = call
        if call == 3:
            slots.array = np.arange(3.0)

    return lambda x: (given(x) * w * slots.array).sum() * slots.scale + box.config.k, change, [w]


def a_partial_with_a_dict():
    w, box = leaf(), {"bias": 1.0}

    def step(factor, x, *, options):
        return (given(x) * w).sum() * factor + options["bias"]

    return functools.partial(step, 2.0, options=box), lambda call: box.update(bias=1.0 * call), [w]


def match_and_early_return():
    w, box = leaf(), types.SimpleNamespace(mode=None)

    def step(x):
        match box.mode:
            case ("times", k):
                return (given(x) * w).sum() * k
            case {"plus": k} if (twice := 2 * k) > 3:
                return (given(x) * w).sum() + twice
        return (given(x) * w).mean()

    modes = [("times", 2.0), ("times", 3.0), {"plus": 1.0}, {"plus": 5.0}, None]
    return step, lambda call: setattr(box, "mode", modes[call]), [w]


def two_dropouts_with_one_generator():
    rng = np.random.default_rng(0)
    net = nn.Sequential(
        nn.Linear(3, 4, rng=rng), Dropout(0.5, rng), nn.Tanh(), nn.Linear(4, 4, rng=rng), Dropout(0.5, rng)
    )
    optimizer = optim.Adam(net.parameters(), 0.01)

    def step(x):
        loss = (net(given(x)) ** 2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        return loss

    return step, nothing, net.parameters()


def one_dropout_in_a_loop():
    w, dropout = leaf(), Dropout(0.2, np.random.default_rng(0))

    def step(x):
        out = given(x[...]) * w
        for _ in range(3):
            out = dropout(out.tanh())
        return out.sum()

    def change(call):
        dropout.p = (0.2, 0.0, 0.0, 0.5, 0.9)[call]

    return step, change, [w]


def part_of_a_step_in_use():
    rng = np.random.default_rng(0)
    net = nn.Sequential(nn.Linear(3, 3, rng=rng), Dropout(0.5, rng))

    def step(x):
        net.eval()
        wanted = net(given(x)).detach()
        net.train()
        return ((net(given(x)) - wanted) ** 2).sum()

    return step, nothing, net.parameters()


def frozen_inside_and_back():
    made, judge = leaf(), leaf()
    optimizer = optim.SGD([made], 0.1)

    def step(x):
        judge.requires_grad = False
        optimizer.zero_grad()
        loss = (given(x) * made * judge).sum()
        loss.backward()
        optimizer.step()
        judge.requires_grad = True
        return loss

    return step, nothing, [made, judge]


def numbers_of_a_constant_tensor():
    w, limit, scale = leaf(), given(np.array(1.0)), given(np.ones(3))

    def step(x):
        return (given(x) * w * np.exp(scale.numpy())).sum() * (2.0 if limit.item() > 2 else scale.size)

    def change(call):
        limit.data = np.array(1.0 + call)
        scale.data[0] = call // 2

    return step, change, [w]


def operations_of_ones_own_with_the_names_of_others():
    class ReLU(Function):
        forward = staticmethod(lambda a: np.where(a > 0, a, 0.1 * a))

    class Exp(Function):
        forward = staticmethod(lambda a: a.sum(0))

    class Max(Function):
        axes, keepdims = (1,), False
        forward = staticmethod(lambda a: a.min(1))

    class Reshape(Function):
        def __init__(self, shift):
            self.shift = shift

        def forward(self, a):
            return a * 2 + self.shift

    class Taken(Function):
        def forward(self, a):
            self.kept = a
            return a + 5

    w, shift = leaf(), np.ones(3)

    def step(x):
        out = ReLU()(given(x) * w)
        return Exp()(out), Max()(out) * 2.0, Reshape(shift)(out).tanh(), Taken()(out * 1.5)

    return step, lambda call: shift.__setitem__(0, call), [w]


def an_operation_that_changes():
    class Power(Function):
        def __init__(self, power):
            self.power = power

        def forward(self, a):
            return a**self.power

    w, power = leaf(), Power(2)
    return lambda x: power(given(x) * w).sum(), lambda call: setattr(power, "power", 1 + call), [w]


def gradients_now_and_then():
    w, box = leaf(), types.SimpleNamespace(call=0)
    optimizer = optim.SGD([w], 0.01)

    def step(x):
        optimizer.zero_grad()
        loss = ((given(x) * w) ** 2).sum()
        loss.backward()
        if box.call % 2 == 0:
            optimizer.step()
        return loss

    return step, lambda call: setattr(box, "call", call), [w]


def gradients_forgotten_at_the_end():
    w = leaf()
    optimizer = optim.Adam([w], 0.01)

    def step(x):
        loss = ((given(x) * w) ** 2).sum()
        loss.backward()
        (w * w).sum().backward()
        optim.clip_grad_norm_([w], 1.5)
        optimizer.step()
        optimizer.zero_grad()
        return loss

    return step, nothing, [w]


RIGHT = [
    a_class_and_its_instance, a_classmethod_replaced, slots_and_a_frozen_dataclass, a_partial_with_a_dict,
    match_and_early_return, two_dropouts_with_one_generator, one_dropout_in_a_loop, part_of_a_step_in_use,
    frozen_inside_and_back, numbers_of_a_constant_tensor, operations_of_ones_own_with_the_names_of_others,
    an_operation_that_changes, gradients_now_and_then, gradients_forgotten_at_the_end,
]  # fmt: skip


@pytest.mark.parametrize("checked", [False, True])
@pytest.mark.parametrize("kind", RIGHT)
def test_a_kind_of_step_does_what_it_does_uncompiled(kind, checked):
    (eager, change, leaves), (step, change_too, leaves_too) = kind(), kind()
    compiled = bg.compile(step, checked)
    for call in range(5):
        change(call), change_too(call)
        found, wanted = arrays_in(compiled(X + 0.1 * call)), arrays_in(eager(X + 0.1 * call))
        for one, other in zip(
            [*found, *[p.data for p in leaves_too]], [*wanted, *[p.data for p in leaves]], strict=True
        ):
            np.testing.assert_allclose(one, other, rtol=1e-9)
            assert one.dtype == other.dtype
        for one, other in zip(leaves_too, leaves):  # a gradient that an optimizer has used may be gone
            assert one.grad is None or np.allclose(one.grad, other.grad)


def test_gradients_that_an_optimizer_has_used_are_gone_also_those_of_another_program():
    step, change, (w,) = gradients_now_and_then()
    run = bg.compile(step)
    for call in range(5):
        change(call)
        run(X)
        assert (w.grad is None) == (call % 2 == 0)


def test_a_gradient_of_an_input_is_left_and_one_from_before_is_refused():
    x, w = Tensor(X), leaf()

    def step(x):
        loss = ((x * w) ** 2).sum()
        w.zero_grad()
        loss.backward()
        return loss

    run = bg.compile(step)
    for _ in range(3):
        run(x)
        found = x.grad, w.grad
        x.zero_grad()
        step(x)
        assert np.allclose(found[0], x.grad) and np.allclose(found[1], w.grad)
        x.zero_grad()
    step(x)
    with pytest.raises(CannotCompile, match="from before the step"):
        run(x)


def test_a_step_is_not_followed_line_by_line_while_nothing_is_wrong():
    found, w = [], leaf()

    def step(x):
        found.append(sys.gettrace())
        return (given(x) * w).sum()

    bg.compile(step)(X)
    assert found == [sys.gettrace()] * 2


# ---- refused, with the line that ends in "# here" ----


def trained(inside=lambda optimizer: None, after=lambda optimizer: 0.0, optimizer=optim.SGD):
    """A step of training that does two things more."""
    w = leaf()
    optimizer = optimizer([w], 0.1)

    def step(x):
        optimizer.zero_grad()
        loss = ((given(x) * w) ** 2).sum()
        loss.backward()
        inside(optimizer)
        optimizer.step()
        return loss, after(optimizer)

    return step


def a_rate_that_is_set_back():
    def set_rate(optimizer):
        optimizer.lr = 0.5  # here

    return trained(set_rate, lambda optimizer: setattr(optimizer, "lr", 0.1))


def a_rate_that_is_set_back_in_the_same_line():
    w = leaf()
    optimizer = optim.SGD([w], 0.1)

    def step(x):
        optimizer.zero_grad()
        (given(x) * w).sum().backward()
        optimizer.lr = 0.5; optimizer.step(); optimizer.lr = 0.1  # noqa: E702  # fmt: skip  # here

    return step


def the_rate_after_its_schedule():
    w = leaf()
    optimizer = optim.SGD([w], 0.1)
    schedule = optim.StepLR(optimizer, 1, 0.5)

    def step(x):
        optimizer.zero_grad()
        loss = (given(x) * w).sum()
        loss.backward()
        optimizer.step()
        schedule.step()
        return loss, optimizer.lr  # here

    return step


def a_comparison_with_the_count_of_steps():
    def counted(optimizer):
        return 1.0 if optimizer.memories[0]["t"] > 3 else 2.0  # here

    return trained(after=counted, optimizer=optim.Adam)


def a_dict_that_is_filled():
    w, masks = leaf(), {}

    def step(x):
        if len(x) not in masks:
            masks[len(x)] = np.full(3, 2.0)  # here
        return (given(x) * w * masks[len(x)]).sum()

    return step


def a_default_of_a_dict():
    w, counts = leaf(), defaultdict(float)

    def step(x):
        return (given(x) * w).sum() * counts["none"]  # here

    return step


def a_set_that_is_filled():
    w, done = leaf(), set()

    def step(x):
        out = (given(x) * w).sum()
        if "warm" not in done:
            done.add("warm")  # here
            out = out * 2.0
        return out

    return step


def a_constant_tensor_changed_in_place():
    w, mean = leaf(), given(np.zeros(3))

    def step(x):
        mean.data[...] += 1.0  # here
        return (given(x) * w - mean).sum()

    return step


def a_tensor_made_of_part_of_one():
    w = leaf()

    def step(x):
        scores = given(x) * w
        return Tensor(scores[:2]).sum()  # here

    return step


def a_printed_tensor():
    w = leaf()

    def step(x):
        loss = (given(x) * w).sum()
        f"{loss}"  # here
        return loss

    return step


def rows_one_by_one():
    w = leaf()
    return lambda x: sum((given(row) * w).sum() for row in x)  # here


def no_gradients_forgotten():
    w = leaf()
    optimizer = optim.SGD([w], 0.1)

    def step(x):
        loss = (given(x) * w).sum()
        loss.backward()  # here
        optimizer.step()
        return loss

    return step


def an_index_out_of_range_with_other_numbers():
    w, table = leaf(), given(X[:1])
    return lambda x: table[(x[0, 0] > 0) * 1].sum() + w.sum()  # here


REFUSED = {
    "changes .*_lr": [a_rate_that_is_set_back, a_rate_that_is_set_back_in_the_same_line],
    r"reads lr after a step\(\) that may change it": [the_rate_after_its_schedule],
    r"reads t after a step\(\) that may change it": [a_comparison_with_the_count_of_steps],
    "changes masks": [a_dict_that_is_filled],
    "changes counts": [a_default_of_a_dict],
    "changes done": [a_set_that_is_filled],
    "changes an array in place": [a_constant_tensor_changed_in_place],
    r"reads the numbers of a traced Tensor \(.*Tensor\(\) of it": [a_tensor_made_of_part_of_one],
    r"reads the numbers of a traced Tensor \(.*print\(\)": [a_printed_tensor],
    "takes the rows of an array that it is given": [rows_one_by_one],
    r"adds to a gradient from before the step: call zero_grad\(\) before this line": [no_gradients_forgotten],
    "reads a number of an array": [an_index_out_of_range_with_other_numbers],
}


@pytest.mark.parametrize(("words", "kind"), [(words, kind) for words, kinds in REFUSED.items() for kind in kinds])
def test_a_kind_of_step_is_refused_with_its_line(words, kind):
    lines, first = inspect.getsourcelines(kind)
    (number,) = [first + place for place, line in enumerate(lines) if line.rstrip().endswith("# here")]
    with pytest.raises(CannotCompile, match=f"^line {number} of test_kinds_of_steps.py,? {words}"):
        bg.compile(kind())(X)


def test_what_a_refused_step_has_filled_is_as_it_was():
    masks, done, w = {}, {"a"}, leaf()

    def step(x):
        masks["a"] = 1.0
        done.discard("a"), done.add("b")
        return w * 2.0

    with pytest.raises(CannotCompile, match="changes masks"):
        bg.compile(step)(X)
    assert masks == {} and done == {"a"}
