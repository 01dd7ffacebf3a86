"""What a compiled step reads besides its inputs: it does as the step does uncompiled, or is refused with its line."""

import random
from collections import deque
from contextlib import suppress
from types import SimpleNamespace

import numpy as np
import pytest

import babygrad as bg
from babygrad import Tensor, losses, nn, optim
from babygrad.normalize import Dropout
from babygrad.tracing import CannotCompile

X, Y = np.linspace(-1, 1, 12).reshape(4, 3), np.array([0, 1, 1, 0])
LINE = r"^line (\d+) of test_outside.py,? "
beta, weights = 2.0, np.array([1.0, 2.0, 3.0])


def leaf():
    return Tensor(np.array([0.5, -1.0, 2.0]))


class Training:
    """A net at its start and steps of its training."""

    def __init__(self, dropout=0.0):
        rng = np.random.default_rng(0)
        self.net = nn.Sequential(
            nn.Linear(3, 5, rng=rng), nn.Tanh(), Dropout(dropout, np.random.default_rng(1)), nn.Linear(5, 2, rng=rng)
        )
        self.optimizer = optim.SGD(self.net.parameters(), 0.1)
        self.beta, self.most, self.calls, self.last = 1.0, 0.5, 0, None

    def update(self, loss):
        self.net.zero_grad()
        loss.backward()
        self.optimizer.step()
        return loss

    def loss(self, x, y):
        return losses.cross_entropy(self.net(Tensor(x, requires_grad=False)), y)

    def step(self, x, y):
        return self.update(self.loss(x, y) * self.beta)

    def clipped(self, x, y):
        self.optimizer.zero_grad()
        loss = self.loss(x, y)
        loss.backward()
        optim.clip_grad_norm_(self.net.parameters(), self.most)
        self.optimizer.step()
        return loss

    def lr_inside(self, x, y):
        self.optimizer.lr = 0.01
        return self.step(x, y)

    def counted(self, x, y):
        self.calls += 1
        return self.step(x, y)

    def remembered(self, x, y):
        self.last = self.step(x, y)
        return self.last


def same_training(name, change, dropout=0.0, programs=2):
    """Trains twins, one compiled; change(training, call) comes before each call."""
    eager, compiled = Training(dropout), Training(dropout)
    run = bg.compile(getattr(compiled, name))
    for call in range(6):
        for training in (eager, compiled):
            change(training, call)
        x = X + call * 0.1
        found, wanted = run(x, Y).item(), getattr(eager, name)(x, Y).item()
        assert found == pytest.approx(wanted, rel=1e-12)
    for one, other in zip(compiled.net.parameters(), eager.net.parameters()):
        np.testing.assert_allclose(one.data, other.data, rtol=1e-11)
    assert len(run.programs) <= programs


def freeze(training, call):
    for p in training.net.layers[0].parameters():
        p.requires_grad = call not in (2, 3)


def another_layer(training, call):
    if call == 3:
        training.net.layers[3] = nn.Linear(5, 2, rng=np.random.default_rng(7))


CHANGES = {
    "a number of an object": ("step", lambda training, call: setattr(training, "beta", 1 / (1 + call))),
    "max_norm": ("clipped", lambda training, call: setattr(training, "most", 0.1 * (1 + call))),
    "a frozen layer": ("step", freeze),
    "a layer replaced": ("step", another_layer),
    "Dropout.p": ("step", lambda training, call: setattr(training.net.layers[2], "p", 0.1 * (1 + call))),
    "a mode": ("step", lambda training, call: training.net.train(call % 2 == 0)),
}


@pytest.mark.parametrize("what", CHANGES)
def test_what_changes_between_calls_is_read_anew_or_guarded(what):
    name, change = CHANGES[what]
    same_training(name, change, dropout=0.5 if what in ("Dropout.p", "a mode") else 0.0)


def compare(step, calls, programs=2, before=lambda call: None):
    """Each call compiled and not."""
    run = bg.compile(step)
    for call in range(calls):
        before(call)
        x = X + 0.1 * call
        wanted = step(x)
        np.testing.assert_allclose(run(x).data, wanted.data, rtol=1e-12)
    assert len(run.programs) <= programs


def test_a_number_and_an_array_of_a_closure():
    w, factor, array, settings = leaf(), 1.0, np.ones(3), {"scale": 1.0, "deep": [1.0, 2.0]}

    def step(x):
        scaled = Tensor(x, requires_grad=False) * w * factor + array * w
        return scaled.sum() / settings["scale"] + settings["deep"][1] + (w - 1.5 * factor).sum() ** 2

    def before(call):
        nonlocal factor, array
        factor = 0.5 + call
        array[...] += call
        settings["scale"], settings["deep"][1] = 1.0 + call, 2.0 * call
        if call == 3:
            array = array * 3
        if call == 5:
            array, settings["deep"] = np.ones((4, 3)), [0.0, 7.0]

    compare(step, 7, 4, before)


def test_the_members_of_a_set_and_of_a_deque():
    w, doubled, last = leaf(), {"none"}, deque([1.0, 2.0], maxlen=2)

    def step(x):
        return (Tensor(x, requires_grad=False) * w).sum() * (2 if "w" in doubled else 1) * last[0]

    def before(call):
        doubled.symmetric_difference_update({"w"})
        last.append(float(call // 2))

    compare(step, 6, 6, before)


def test_the_keys_of_a_dict_and_their_order():
    w, weights = leaf(), {"a": leaf()}

    def step(x):
        out = Tensor(x, requires_grad=False) * w
        for name in weights:
            out = out.tanh() * weights[name]
        return out.sum()

    def before(call):
        if call == 1:
            weights["b"] = Tensor(np.full(3, 2.0))
        elif call == 2:
            weights["a"] = weights.pop("a")
        elif call == 3:
            del weights["a"]

    compare(step, 5, 4, before)


def test_a_number_and_an_array_of_the_module(monkeypatch):
    w = leaf()

    def step(x):
        return (Tensor(x, requires_grad=False) * w * weights).sum() * beta

    def before(call):
        monkeypatch.setitem(globals(), "beta", 0.1 * call)
        monkeypatch.setitem(globals(), "weights", weights * 2.0)

    compare(step, 5, 2, before)


def test_a_tensor_that_is_replaced():
    w = leaf()

    def step(x):
        return (Tensor(x, requires_grad=False) * w).sum()

    def before(call):
        nonlocal w
        w = Tensor(np.full(3, 1.0 + call))

    compare(step, 4, 4, before)


def test_a_comparison_with_a_number_is_a_guard():
    w, n = leaf(), 0

    def step(x):
        total = (Tensor(x, requires_grad=False) * w).sum()
        return total * 2.0 if n > 3 else total / (n + 1.0)

    def before(call):
        nonlocal n
        n = call

    compare(step, 8, 3, before)


def test_an_array_that_the_step_computes_with_is_compared_in_each_call():
    w, mask = leaf(), np.array([1, 0, 1])

    def step(x):
        return (Tensor(x, requires_grad=False) * w * np.where(mask > 0, 1.0, -1.0)).sum()

    def before(call):
        mask[1] = call > 1

    compare(step, 4, 2, before)


def test_programs_have_a_bound_and_what_changes_is_named():
    w, n = leaf(), 1

    def step(x):
        total = Tensor(x, requires_grad=False) * w
        for _ in range(n):
            total = total.tanh()
        return total.sum()

    run = bg.compile(step)
    for n in range(8):  # noqa: B007  the step reads it
        assert run(X).item() == pytest.approx(step(X).item())
    assert len(run.programs) <= 8
    n = 20
    with pytest.raises(CannotCompile, match=rf"{LINE}reads n, which has had \d values.*Make it an input"):
        run(X)


def test_a_plain_number_as_an_input_makes_two_programs():
    w = leaf()
    run = bg.compile(lambda x, factor: (Tensor(x, requires_grad=False) * w * factor).sum())
    for factor in range(1, 20):
        assert run(X, factor).item() == pytest.approx((X * w.data * factor).sum(), rel=1e-12)
    assert len(run.programs) == 2


def test_a_number_that_is_read_anew_is_still_a_number():
    box = SimpleNamespace(k=1.5)

    def step(x, factor):
        numbers = [k for k in (box.k, factor) if isinstance(k, float)]
        return (Tensor(x, requires_grad=False) * sum(numbers)).sum() + isinstance(box.k, int | float)

    run = bg.compile(step)
    for call in range(6):
        box.k, factor = (0.5 + call, 2.0 * call) if call < 4 else (call, call)
        assert run(X, factor).item() == pytest.approx(step(X, factor).item())
    assert len(run.programs) <= 4


def test_structures_go_in_and_out():
    w = leaf()

    def step(batch, *, factor, options):
        x, y = batch
        scores = Tensor(x, requires_grad=False) * w * factor
        shown = [scores.sum(), {"scores": scores, "n": len(x), "name": options["name"], "y": y}]
        return shown if options["more"] else (shown[0],)

    run = bg.compile(step)
    for call in range(3):
        for more in (True, False):
            batch = (X + call, Y)
            given = dict(factor=2.0, options={"name": "a", "more": more})
            found, wanted = run(batch, **given), step(batch, **given)
            assert type(found) is type(wanted) and len(found) == len(wanted)
            assert found[0].item() == pytest.approx(wanted[0].item())
            if more:
                assert found[1].keys() == wanted[1].keys() and found[1]["y"] is batch[1]
                assert (found[1]["n"], found[1]["name"]) == (4, "a")
                np.testing.assert_allclose(found[1]["scores"].data, wanted[1]["scores"].data)


# ---- what is one thing, and what two ----


def same_as_uncompiled(step, *calls, leaves=()):
    """Each call, a tuple of inputs, with the step and with its compiled one: what comes back, and leaves' gradients."""
    run = bg.compile(step)
    for inputs in calls:
        wanted, gradients = step(*inputs).item(), [leaf.grad for leaf in leaves]
        assert run(*inputs).item() == pytest.approx(wanted, rel=1e-12)
        for leaf, gradient in zip(leaves, gradients):
            np.testing.assert_allclose(leaf.grad, gradient)


IDENTITIES = {
    "is": lambda a, b: 2.0 if a is b else 3.0,
    "id": lambda a, b: len({id(a), id(b)}),
    "any": lambda a, b: 2.0 if any(x is b for x in (a, None)) else 3.0,
}


@pytest.mark.parametrize("identity", IDENTITIES)
@pytest.mark.parametrize("kind", [np.array, Tensor])
def test_two_inputs_that_are_one_thing_and_one_that_are_two(identity, kind):
    a, b, w = kind(X), kind(X + 1.0), leaf()

    def step(one, other):
        out = (w * one * 2.0).sum() + (w * other).mean()
        return out * IDENTITIES[identity](one, other)

    for calls in ([(a, b), (a, a), (b, a)], [(a, a), (a, b), (b, b)]):
        same_as_uncompiled(step, *calls)
        same_as_uncompiled(lambda batch: step(batch[0], batch[-1]), *[([*call],) for call in calls])


def test_an_input_that_is_outside_too():
    u, v, array = leaf(), leaf(), np.ones(3)

    def step(x):
        for each in (u, x):
            each.zero_grad()
        out = (x * u * 2.0).sum() * (5.0 if x is u else 1.0) + (x * x).sum()
        out.backward()
        return out

    def with_array(x):
        return (Tensor(x, requires_grad=False) * v).sum() * (2.0 if x is array else 3.0)

    same_as_uncompiled(step, (v,), (u,), (v,), leaves=(u,))
    same_as_uncompiled(step, (u,), (v,), leaves=(u,))
    same_as_uncompiled(with_array, (X,), (array,), (np.zeros(3),))
    same_as_uncompiled(with_array, (array,), (np.zeros(3),))


def test_two_arrays_outside_that_become_one():
    w, box = leaf(), SimpleNamespace(a=np.ones(3), b=np.full(3, 2.0))

    def step(x):
        return (Tensor(x, requires_grad=False) * w * box.a * box.b).sum() * (2.0 if box.a is box.b else 3.0)

    compare(step, 4, before=lambda call: setattr(box, "b", box.a if call > 1 else np.full(3, 2.0)))


def test_an_input_that_operations_have_made():
    w, made = leaf(), leaf() * 2.0
    same_as_uncompiled(lambda x: (x * w).sum(), (leaf(),), (made,), (leaf(),))

    def step(x):
        w.zero_grad(), x.zero_grad()
        (x * w).sum().backward()

    for first in (made, leaf()):
        run = bg.compile(step)
        with pytest.raises(CannotCompile, match=LINE + "calls backward through an input that operations have made"):
            run(first), run(made)


# ---- what objects, classes and functions hold ----


class Held:
    """An object whose class holds something too."""

    beta, scale, pair, on = 2.0, Tensor(np.ones(3), requires_grad=False), (1.0, 2.0), {"a"}
    step_size = property(lambda self: self.beta)

    def times(self, x):
        return x * self.beta


class Upper(Held):
    beta = 5.0

    def from_super(self):
        return super().beta

    def __getitem__(self, place):
        return self.beta + place

    def __len__(self):
        return len(self.on)


READ = {  # what a step reads, and what changes
    "of the class, by an instance that has one": (lambda h: type(h).beta, lambda h: setattr(Upper, "beta", 3.0)),
    "of the class, by __class__": (lambda h: h.__class__.beta, lambda h: setattr(Upper, "beta", 3.0)),
    "of the base": (lambda h: h.from_super(), lambda h: setattr(Held, "beta", 3.0)),
    "of an instance that gets one": (lambda h: h.beta, lambda h: setattr(h, "beta", 9.0)),
    "of an instance that loses it": (lambda h: h.beta, lambda h: vars(h).clear()),
    "a Tensor of the class": (lambda h: h.scale.sum(), lambda h: setattr(Held, "scale", Tensor(np.full(3, 2.0)))),
    "a tuple of the class": (lambda h: h.pair[1], lambda h: setattr(Held, "pair", (1.0, 7.0))),
    "a set of the class": (lambda h: 1.0 if "b" in h.on else 2.0, lambda h: setattr(Held, "on", {"b"})),
    "a method": (lambda h: h.times(2.0), lambda h: setattr(Held, "times", lambda self, x: x * 30.0)),
    "a method of the instance": (lambda h: h.times(2.0), lambda h: setattr(h, "times", lambda x: x * 30.0)),
    "a property": (lambda h: h.step_size, lambda h: setattr(Held, "step_size", property(lambda self: 4.0))),
    "a function": (lambda h: h.loss(1.0), lambda h: setattr(h, "loss", lambda x: x * 8.0)),
    "by getattr": (lambda h: getattr(h, "factor"), lambda h: setattr(h, "factor", 8.0)),  # noqa: B009
    "by vars": (lambda h: vars(h)["factor"], lambda h: setattr(h, "factor", 8.0)),
    "none at first": (lambda h: getattr(h, "later", 1.0), lambda h: setattr(h, "later", 8.0)),
    "by [ ]": (lambda h: h[1], lambda h: setattr(h, "beta", 3.0)),
    "by len": (lambda h: len(h), lambda h: setattr(Held, "on", {"a", "b"})),
    "of a function": (lambda h: scaled.by, lambda h: setattr(scaled, "by", 3.0)),
    "a default": (lambda h: scaled(2.0), lambda h: setattr(scaled, "__defaults__", (7.0,))),
    "by a key that is no text": (lambda h: h.table[0, None], lambda h: h.table.update({(0, None): 4.0})),
    "far back in a list": (lambda h: h.long[90], lambda h: h.long.__setitem__(90, 4.0)),
    "0.0 and -0.0": (lambda h: np.copysign(1.0, h.zero), lambda h: setattr(h, "zero", -0.0)),
    "an int and a float": (lambda h: 2.0 if isinstance(h.one, int) else 3.0, lambda h: setattr(h, "one", 1.0)),
    "nan": (lambda h: 1.0 if h.none != h.none else h.none, lambda h: setattr(h, "none", 4.0)),
}  # fmt: skip


def scaled(x, by=3.0):
    return x * by


@pytest.mark.parametrize("what", READ)
def test_what_an_object_or_its_class_holds_may_change(what, monkeypatch):
    read, change = READ[what]
    for kind in (Held, Upper):  # monkeypatch puts them back
        for name, value in [*vars(kind).items()]:
            if name[0] != "_":
                monkeypatch.setattr(kind, name, value)
    monkeypatch.setattr(scaled, "__defaults__", (3.0,))
    monkeypatch.setattr(scaled, "by", 2.0, raising=False)
    w, held = leaf(), Upper()
    held.table, held.long, held.zero, held.one, held.none = {(0, None): 1.0}, [1.0] * 100, 0.0, 1, float("nan")
    held.factor, held.loss = 2.0, lambda x: x * 2.0
    if what in ("of the class, by an instance that has one", "of an instance that loses it"):
        held.beta = 11.0

    def step(x):
        return (Tensor(x, requires_grad=False) * w).sum() * read(held)

    compare(step, 4, before=lambda call: change(held) if call == 2 else None)


def test_a_list_that_a_step_takes_from_is_as_it_was_after_the_refusal():
    w, left = leaf(), [1.0, 2.0, 3.0]
    with pytest.raises(CannotCompile, match=LINE + r"changes left\[2\]"):
        bg.compile(lambda x: (Tensor(x, requires_grad=False) * w).sum() * left.pop())(X)
    assert left == [1.0, 2.0, 3.0]


def test_the_parameters_of_an_optimizer_may_be_others():
    eager, compiled = ((leaf(), leaf()) for _ in range(2))
    for w, v in (eager, compiled):
        optimizer = optim.SGD([w], 0.1)

        def step(x, w=w, v=v, optimizer=optimizer):
            w.zero_grad(), v.zero_grad()
            loss = (Tensor(x, requires_grad=False) * w * v).sum()
            loss.backward()
            optimizer.step()
            return loss

        run = bg.compile(step) if w is compiled[0] else step
        run(X)
        optimizer.params[0] = v
        run(X), run(X)
    for one, other in zip(compiled, eager):
        np.testing.assert_allclose(one.data, other.data)


# ---- gradients from before ----


def test_whether_there_is_a_gradient_from_before_is_checked_in_each_call():
    u, v = leaf(), leaf()
    same_as_uncompiled(lambda x: (x * 2.0).sum() * (2.0 if x.grad is None else 3.0), (u,), (v,))
    run = bg.compile(lambda x: (x * 2.0).sum() * (2.0 if x.grad is None else 3.0))
    assert run(u).item() == 6.0
    u.grad = np.ones(3)
    assert run(u).item() == 9.0
    with pytest.raises(CannotCompile, match=LINE + "reads the numbers of a traced Tensor"):
        bg.compile(lambda x: x * Tensor(u.grad))(v)


def test_a_gradient_that_a_step_forgets_is_gone():
    w, unused = leaf(), leaf()

    def step(x):
        w.zero_grad(), unused.zero_grad()
        loss = (Tensor(x, requires_grad=False) * w).sum()
        loss.backward()
        return loss

    run = bg.compile(step)
    for _ in range(2):
        unused.grad = np.ones(3)
        run(X)
        assert unused.grad is None and w.grad is not None


def test_detach_is_part_of_a_program():
    w = leaf()

    def step(x):
        w.zero_grad()
        s = (Tensor(x, requires_grad=False) * w).tanh()
        loss = (s * s.detach()).sum() + (w.detach() * w).sum()
        loss.backward()
        return loss

    run = bg.compile(step)
    for call in range(3):
        wanted = step(X + call), w.grad
        found = run(X + call), w.grad
        assert found[0].item() == pytest.approx(wanted[0].item())
        np.testing.assert_allclose(found[1], wanted[1])


def test_indices_that_are_all_zero():
    table = Tensor(np.array([[1.0, 2.0]]))
    run = bg.compile(lambda places: table[places].sum() * 2.0)
    assert run(np.zeros(3, int)).item() == 18
    with pytest.raises(CannotCompile, match="raises ValueError with other numbers of the same kind"):
        bg.compile(lambda x, y: losses.cross_entropy(Tensor(x), y))(np.ones((3, 1)), np.zeros(3, int))


def test_targets_may_be_a_tensor():
    w = leaf()
    run = bg.compile(lambda x, y: losses.mse_loss(Tensor(x, requires_grad=False) * w, y))
    for call in range(2):
        y = Tensor(X * call, requires_grad=False)
        assert run(X, y).item() == pytest.approx(((X * w.data - X * call) ** 2).mean())


# ---- refused, with the line ----

w = leaf()
coin, generator = random.Random(0), np.random.default_rng(0)
running = np.ones(3)


def centred_in_place(x, y):
    x -= x.mean(0)


def shifted_in_place(x, y):
    x -= 1.0


def first_set(x, y):
    x[0] = 0.0


def sorted_in_place(x, y):
    x.sort()


def class_weights(x, y):
    np.bincount(y)


def any_of_class_one(x, y):
    (y == 1).any()


def as_many_as_the_largest(x, y):
    range(y.max() + 1)


def masked(x, y):
    w * (x > -5)


def padded(x, y):
    w * (y != 9)[:, None]


def by_argmax(x, y):
    w[np.argmax(x.sum(1))]


def one_number(x, y):
    return x[0, 0] > 0


def first_rows(x, y):
    w * Tensor(x[:1])


def backwards(x, y):
    w * Tensor(y[::-1])[:3]


def rows_by_number(x, y):
    w * Tensor(x[[0, 1]])


def part_of_asarray(x, y):
    w[int(np.asarray(y)[0])]


def mask_of_array(x, y):
    w * (np.array(x) > -5)


def turned(x, y):
    w * Tensor(x.T)[0, :3]


def as_truth_values(x, y):
    w * Tensor(y.astype(bool))[:3]


def another_class(x, y):
    w * float(x.view(np.ndarray).max())


def column_by_column(x, y):
    w * Tensor(x.ravel("F"))[:3]


def layout(x, y):
    w * float(x.flags.c_contiguous)


def flat(x, y):
    w * max(x.flat)


def memory(x, y):
    w * x.data[0, 0]


def assigned(x, y):
    w.data = np.ones(3)


def inner_gradient(x, y):
    w.zero_grad()
    inner = w * 2.0
    inner.sum().backward()
    w * inner.grad


def standardised(x, y):
    (x - x.mean(0)) / x.std(0)


def a_coin(x, y):
    return random.random() < 0.5


def a_coin_of_ones_own(x, y):
    return coin.random() < 0.5


def a_coin_of_numpy(x, y):
    return np.random.random() < 0.5


def a_generator(x, y):
    return generator.random() < 0.5


def a_coin_before_a_helper(x, y):
    return helped(x) if random.random() < 0.5 else helped(y)


def helped(x):
    return len(x)


def a_global_counter(x, y):
    globals_counter()


def globals_counter():
    global counter
    counter += 1


def running_mean(x, y):
    running[...] = running * 0.9


def swallowed(x, y):
    with suppress(Exception):
        (w * 2.0).sum().item()


def seen_in_a_list(x, y):
    return [(w * 2.0).data]


counter = 0
WORDS = {
    "changes an array": [centred_in_place, shifted_in_place, first_set, sorted_in_place, running_mean],
    "computes .* of an array that it is given": [
        class_weights, any_of_class_one, as_many_as_the_largest, masked, padded, by_argmax, standardised,
        as_truth_values, another_class, column_by_column, mask_of_array,
    ],
    "reads (T|flags|flat|data) of an array that it is given": [turned, layout, flat, memory],
    "reads a number of an array": [one_number, part_of_asarray],
    "takes a part of an array that it is given": [first_rows, backwards, rows_by_number],
    "changes the numbers of a Tensor that it did not make": [assigned],
    "draws random numbers": [a_coin, a_coin_of_ones_own, a_coin_of_numpy, a_generator, a_coin_before_a_helper],
    "changes counter": [a_global_counter],
    "reads the numbers of a traced Tensor": [swallowed, inner_gradient],
}  # fmt: skip
LATER = {swallowed: 2, a_global_counter: 6, seen_in_a_list: 1, inner_gradient: 4}


def test_an_index_is_not_taken_for_small_numbers_that_are_given():
    table, index = Tensor(np.array([[1.0, 2.0], [3.0, 4.0]])), (0, 0, 0)
    same_as_uncompiled(lambda x: (table[list(index)][:, 0] * x).sum(), (np.full(3, 0.25),), (np.full(3, 1.5),))


@pytest.mark.parametrize(("words", "function"), [(w, f) for w, functions in WORDS.items() for f in functions])
def test_what_no_program_can_do_is_refused_with_its_line(words, function):
    def step(x, y):
        function(x, y)
        return (Tensor(x, requires_grad=False) * w).sum()

    x, y, states = X.copy(), Y.copy(), (random.getstate(), coin.getstate(), str(generator.bit_generator.state))
    if function in (centred_in_place, sorted_in_place):
        words = "computes|changes"
    with pytest.raises(CannotCompile, match=LINE + f"({words})") as refusal:
        bg.compile(step)(x, y)
    number = function.__code__.co_firstlineno + LATER.get(function, 1)
    assert str(refusal.value).startswith(f"line {number} ")
    assert np.array_equal(x, X) and np.array_equal(y, Y) and counter == 0 and running.tolist() == [1, 1, 1]
    assert states == (random.getstate(), coin.getstate(), str(generator.bit_generator.state))
    assert w.data.tolist() == [0.5, -1, 2] and w.grad is None


def test_arrays_that_are_given_keep_what_only_their_shape_decides():
    w = leaf()

    def step(x, y):
        rows = Tensor(y[:, None], requires_grad=False) + Tensor(np.expand_dims(y, 1).astype(float), requires_grad=False)
        rows = rows + Tensor(np.asarray(y)[..., None], requires_grad=False)
        rows = rows + Tensor(x.astype(np.float32), requires_grad=False) + Tensor(x, dtype=np.float32)
        again = Tensor(np.array(x)[...].reshape(2, 6).ravel().copy(), requires_grad=False).reshape(4, 3)
        return ((rows * w + again) * (len(x) if x.__class__ is np.ndarray else 0)).sum()

    run = bg.compile(step)
    for call in range(3):
        assert run(X + call, Y + call).item() == pytest.approx(step(X + call, Y + call).item(), rel=1e-12)


@pytest.mark.parametrize(
    ("name", "words"),
    [("lr_inside", "changes .*_lr"), ("counted", "changes .*calls"), ("remembered", "changes .*last")],
)
def test_a_step_that_changes_what_it_reads_is_refused(name, words):
    training = Training()
    step = getattr(training, name)
    with pytest.raises(CannotCompile, match=LINE + words) as refusal:
        bg.compile(step)(X, Y)
    assert str(refusal.value).startswith(f"line {step.__func__.__code__.co_firstlineno + 1} ")
    assert training.calls == 0 and training.last is None and training.optimizer.lr == 0.1


def test_an_array_that_is_returned_and_a_list_of_numbers_are_refused():
    with pytest.raises(CannotCompile, match=LINE + "returns an array"):
        bg.compile(seen_in_a_list)(X, Y)
    with pytest.raises(CannotCompile, match="input 0 is a list of numbers"):
        bg.compile(lambda x: Tensor(x) * 2.0)([[1.0, 2.0], [3.0, 4.0]])


def test_a_list_that_a_step_appends_to_is_not_guarded():
    history = []

    def step(x):
        loss = (Tensor(x, requires_grad=False) * w).sum()
        history.append(loss)
        return loss

    run = bg.compile(step)
    for _ in range(4):
        run(X)
    assert len(history) == 2 and len(run.programs) == 1


# ---- checked: each call uncompiled too ----


class Unseen:
    """Steps that no trace can see through."""

    def __init__(self):
        self.w, self.twin = (Tensor(np.array([0.5, -1.0, 2.0])) for _ in range(2))
        self.history = []

    def by_length(self, x):
        self.history.append(0)
        total = (Tensor(x, requires_grad=False) * self.w).sum()
        return total * 2.0 if len(self.history) > 4 else total.tanh()

    def by_coin(self, x):
        total = (Tensor(x, requires_grad=False) * self.w).sum()
        return total * 2.0 if self.coin() else total + 1.0

    def coin(self):
        self.history.append(0)
        return len(self.history) > 4

    def by_twin(self, x):
        weight = self.twin if self.coin() else self.w
        return (Tensor(x, requires_grad=False) * weight).sum()

    def by_numbers(self, x):
        mask = np.ascontiguousarray(x) > -5
        return (Tensor(x, requires_grad=False) * mask * self.w).sum()


@pytest.mark.parametrize(("name", "line"), [("by_length", 3), ("by_coin", 2), ("by_twin", 2), ("by_numbers", 2)])
def test_checked_stops_at_the_first_line_that_does_something_else(name, line):
    step = getattr(Unseen(), name)
    run = bg.compile(step, checked=True)
    run(X)
    with pytest.raises(CannotCompile, match=LINE + ".*than when it was compiled") as stop:
        list(map(run, [X - 3.0 * call for call in range(1, 5)]))
    assert str(stop.value).startswith(f"line {step.__func__.__code__.co_firstlineno + line} ")


def test_checked_changes_nothing_where_all_is_right():
    eager, checked = Training(0.3), Training(0.3)
    run = bg.compile(checked.step, checked=True)
    for call in range(5):
        eager.beta = checked.beta = 1.0 / (1 + call)
        assert run(X + call, Y).item() == pytest.approx(eager.step(X + call, Y).item(), rel=1e-12)
    for one, other in zip(checked.net.parameters(), eager.net.parameters()):
        np.testing.assert_allclose(one.data, other.data, rtol=1e-11)


def test_checked_reads_an_array_anew_that_has_been_replaced():
    box = SimpleNamespace(array=np.ones(3))
    run = bg.compile(lambda x: (Tensor(x, requires_grad=False) * w * box.array).sum(), checked=True)
    for call in range(3):
        box.array = np.full(3, 1.0 + call)
        assert run(X).item() == pytest.approx((X * w.data).sum() * (1 + call), rel=1e-12)
    assert len(run.programs) == 1


def test_checked_finds_a_pass_that_changes_numbers(monkeypatch):
    right = bg.compiler.optimized

    def wrong(program):
        lines = [
            line._replace(inputs=line.inputs[::-1]) if line.function.name() == "Sub" else line for line in program.lines
        ]
        return right(program._replace(lines=tuple(lines)))

    monkeypatch.setattr(bg.compiler, "optimized", wrong)
    run = bg.compile(lambda x: Tensor(x, requires_grad=False) - w, checked=True)
    with pytest.raises(CannotCompile, match=LINE + "gives other numbers compiled: they are off by up to 4"):
        run(np.ones(3))
