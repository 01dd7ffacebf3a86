"""What a compiled step reads besides its inputs: it does as the step does uncompiled, or is refused with its line."""

import random
from collections import deque
from contextlib import suppress

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
        class_weights, any_of_class_one, as_many_as_the_largest, masked, padded, by_argmax, standardised
    ],
    "reads a number of an array": [one_number],
    "draws random numbers": [a_coin, a_coin_of_ones_own, a_coin_of_numpy, a_generator],
    "changes counter": [a_global_counter],
    "reads the numbers of a traced Tensor": [swallowed],
}  # fmt: skip
LATER = {swallowed: 2, a_global_counter: 6, seen_in_a_list: 1}


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
        self.w, self.history = Tensor(np.array([0.5, -1.0, 2.0])), []

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

    def by_numbers(self, x):
        mask = np.asarray(x) > -5
        return (Tensor(x, requires_grad=False) * mask * self.w).sum()


@pytest.mark.parametrize(("name", "line"), [("by_length", 3), ("by_coin", 2), ("by_numbers", 2)])
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
