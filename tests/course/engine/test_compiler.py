"""The compiler: a compiled function gives what the function itself gives, and says which line it cannot do again."""

import importlib
import re
import runpy
from pathlib import Path

import numpy as np
import pytest

import babygrad as bg
import toolbox
from babygrad import Tensor, compiler, losses, nn, ops, optim, watch
from babygrad.normalize import Dropout, LayerNorm
from babygrad.tracing import CannotCompile, trace
from babygrad.training import GradientDescent
from grader.course import catalogue, stubs
from grader.course.packages import imported_by_name
from grader.course.stub_message import unfilled_by
from toolbox.training import trainer as trainers
from toolbox.training.monitor import GradientMonitor

MADE = runpy.run_path(str(Path(__file__).with_name("random_programs.py")))
Made, MadeStep = MADE["Made"], MADE["MadeStep"]
CLOSE = dict(rtol=1e-12, atol=1e-12)


def same_arrays(found, wanted):
    assert found.shape == wanted.shape and found.dtype == wanted.dtype
    np.testing.assert_allclose(found, wanted, **CLOSE)


# ---- random functions ----


def compare_with_eager(seed):
    """A random function and its compiled one: three calls with different numbers, values and gradients."""
    made = Made(seed)
    run = bg.compile(made)
    for call in range(3):
        inputs = made.inputs(call)
        with np.errstate(all="ignore"):
            wanted = [x.data.copy() for x in made(*inputs)]
            gradients = [leaf.grad for leaf in made.leaves]
            for leaf in made.leaves:
                leaf.grad = None
            found = [x.data for x in run(*inputs)]
        for one, other in zip(found, wanted, strict=True):
            same_arrays(one, other)
        for leaf, gradient in zip(made.leaves, gradients):
            assert (leaf.grad is None) == (gradient is None)
            if gradient is not None:
                same_arrays(leaf.grad, gradient)


@pytest.mark.parametrize("seeds", [range(50), pytest.param(range(50, 150), marks=pytest.mark.leg("night"))])
def test_random_functions_give_what_they_give_uncompiled(seeds):
    for seed in seeds:
        compare_with_eager(seed)


@pytest.mark.leg("night")
def test_a_thousand_random_functions():
    for seed in range(150, 1150):
        compare_with_eager(seed)


def compare_steps_with_eager(seed):
    """A random step of training and its compiled one, five calls: what they return, leaves and gradients."""
    eager, compiled = MadeStep(seed), MadeStep(seed)
    run = bg.compile(compiled)
    for call in range(5):
        inputs = eager.inputs(call)
        with np.errstate(all="ignore"):
            wanted, found = eager(*inputs), run(*inputs)
        for made in (eager, compiled):  # what lies outside
            made.array, made.factor = made.array * 1.5, made.factor - 0.25
        for one, other in zip(found, wanted, strict=True):
            same_arrays(one.data, other.data)
        for one, other in zip(compiled.leaves, eager.leaves):
            same_arrays(one.data, other.data)
    # One more where the array without axes becomes a number; one where an index is, by chance, that of an input too.
    assert len(run.programs) <= 4


@pytest.mark.leg("push")
@pytest.mark.parametrize("seeds", [range(20), pytest.param(range(20, 40), marks=pytest.mark.leg("night"))])
def test_random_steps_train_as_they_do_uncompiled(seeds):
    for seed in seeds:
        compare_steps_with_eager(seed)


@pytest.mark.leg("night")
def test_a_thousand_random_steps():
    for seed in range(40, 1040):
        compare_steps_with_eager(seed)


@pytest.mark.leg("night")
def test_no_name_of_a_program_stands_for_two_things():
    for seed in range(60):
        for made in (Made(seed), MadeStep(seed)):
            with np.errstate(all="ignore"):
                program = trace(made, *made.inputs(0))
            for each in (program, compiler.optimized(program)):
                given = [*each.inputs, *each.leaves, *each.constants, *[line.name for line in each.lines]]
                assert len(given) == len(set(given))
                assert set(each.writes) <= set(each.leaves) and set(each.gradients) <= {*each.leaves, *each.inputs}
                known = set(given)
                assert each.wanted <= known and all(known >= {*line.inputs} for line in each.lines)


def test_a_frozen_tensor_outside_has_a_name_of_its_own():
    scale = Tensor([2.0, 3.0], requires_grad=False)

    def step(x):
        return (Tensor(x, requires_grad=False) * scale + np.array([100.0, 200.0])) * np.array([1.0, 10.0])

    assert bg.compile(step)(np.ones(2)).data.tolist() == step(np.ones(2)).data.tolist() == [102, 2030]


@pytest.mark.parametrize("frozen", ["layers.0.weight", "layers.0.bias", "layers.2.weight"])
def test_a_frozen_layer(frozen):
    eager, compiled = (Setting(LAYERS["tanh"], losses.cross_entropy, OPTIMIZERS["SGD"]) for _ in range(2))
    for setting in (eager, compiled):
        dict(setting.model.named_parameters())[frozen].requires_grad = False
    wanted = train(eager, eager.step, batches(losses.cross_entropy, 10))
    np.testing.assert_allclose(
        train(compiled, bg.compile(compiled.step), batches(losses.cross_entropy, 10)), wanted, **CLOSE
    )


# ---- training ----


class Setting:
    """A model at its start, a loss and an optimizer; step(x, y) trains it. Twice the same for the same seed."""

    def __init__(self, layers, loss, optimizer, schedule=None, dtype=np.float64):
        self.model = nn.Sequential(*layers(np.random.default_rng(3)))
        for p in self.model.parameters():
            p.data = p.data.astype(dtype)
        self.loss, self.optimizer = loss, optimizer(self.model.parameters())
        self.schedule = schedule and schedule(self.optimizer)

    def step(self, x, y):
        loss = self.loss(self.model(Tensor(x, requires_grad=False)), y)
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
        if self.schedule:
            self.schedule.step()
        return loss


class Counted:
    """A step that counts how often it is called."""

    def __init__(self, step):
        self.step, self.calls = step, []

    def __call__(self, x, y):
        self.calls.append(1)
        return self.step(x, y)


def train(setting, step, batches):
    return [step(x, y).item() for x, y in batches]


def batches(loss, count, dtype=np.float64, size=6):
    """Pairs (x, y) that fit a loss."""
    rng = np.random.default_rng(5)
    for _ in range(count):
        targets = {
            "cross_entropy": rng.integers(0, 3, size),
            "nll_loss": rng.integers(0, 3, size),
            "hinge_loss": rng.choice([-1, 1], (size, 3)),
            "binary_cross_entropy_with_logits": rng.integers(0, 2, (size, 3)),
        }.get(loss.__name__, rng.normal(size=(size, 3)).astype(dtype))
        yield rng.normal(size=(size, 4)).astype(dtype), targets


def nll_loss(scores, targets):
    return losses.nll_loss(scores.log_softmax(), targets)


LAYERS = {
    "tanh": lambda rng: [nn.Linear(4, 5, rng=rng), nn.Tanh(), nn.Linear(5, 3, rng=rng)],
    "relu, without bias": lambda rng: [nn.Linear(4, 5, bias=False, rng=rng), nn.ReLU(), nn.Linear(5, 3, rng=rng)],
    "sigmoid": lambda rng: [nn.Linear(4, 5, rng=rng), nn.Sigmoid(), nn.Linear(5, 3, rng=rng)],
    "LayerNorm": lambda rng: [nn.Linear(4, 5, rng=rng), LayerNorm(5), nn.ReLU(), nn.Linear(5, 3, rng=rng)],
    "Dropout": lambda rng: [nn.Linear(4, 8, rng=rng), Dropout(0.4, rng), nn.Tanh(), Dropout(0.2, rng),
                            nn.Linear(8, 3, rng=rng)],
    "MLP": lambda rng: [nn.MLP([4, 5, 3], "tanh", rng=rng)],
}  # fmt: skip
LOSSES = [
    losses.mse_loss, losses.cross_entropy, nll_loss, losses.binary_cross_entropy_with_logits, losses.hinge_loss
]  # fmt: skip
OPTIMIZERS = {
    "plain": lambda ps: GradientDescent(ps, 0.05),
    "SGD": lambda ps: optim.SGD(ps, 0.05),
    "momentum": lambda ps: optim.SGD(ps, 0.02, momentum=0.9, weight_decay=0.01),
    "nesterov": lambda ps: optim.SGD(ps, 0.02, momentum=0.9, nesterov=True),
    "RMSprop": lambda ps: optim.RMSprop(ps, 0.01, weight_decay=0.01),
    "RMSprop, momentum": lambda ps: optim.RMSprop(ps, 0.01, momentum=0.5),
    "Adam": lambda ps: optim.Adam(ps, 0.01),
    "Adam, decay": lambda ps: optim.Adam(ps, 0.01, betas=(0.8, 0.95), weight_decay=0.1),
    "AdamW": lambda ps: optim.AdamW(ps, 0.01),
}
SCHEDULES = {
    "StepLR": lambda optimizer: optim.StepLR(optimizer, 20, 0.7),
    "CosineLR": lambda optimizer: optim.CosineLR(optimizer, 150, warmup=10),
}


def compare_training(steps, *made, close=CLOSE, dtype=np.float64):
    """A setting trained uncompiled, and one trained compiled: losses, weights, and what the optimizer keeps."""
    eager, compiled = Setting(*made, dtype=dtype), Setting(*made, dtype=dtype)
    step = Counted(compiled.step)
    wanted = train(eager, eager.step, batches(eager.loss, steps, dtype))
    found = train(compiled, bg.compile(step), batches(eager.loss, steps, dtype))
    np.testing.assert_allclose(found, wanted, **close)
    for one, other in zip(compiled.model.parameters(), eager.model.parameters()):
        assert one.grad is None and one.dtype == other.dtype
        np.testing.assert_allclose(one.data, other.data, **close)
    mine, others = compiled.optimizer.state_dict(), eager.optimizer.state_dict()
    assert mine.keys() == others.keys()
    for name, value in others.items():
        assert type(mine[name]) is type(value) and np.asarray(mine[name]).dtype == np.asarray(value).dtype
        np.testing.assert_allclose(mine[name], value, **close) if name != "kind" else None
    assert len(step.calls) == 2  # the trace's two: a new number, such as lr, makes no new program


@pytest.mark.leg("push")
@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize("layers", LAYERS)
def test_two_hundred_steps_with_each_module_and_loss(layers, loss):
    compare_training(200, LAYERS[layers], loss, OPTIMIZERS["momentum"])


@pytest.mark.parametrize("optimizer", OPTIMIZERS)
@pytest.mark.parametrize("schedule", [None, *SCHEDULES])
@pytest.mark.leg("push")
def test_two_hundred_steps_with_each_optimizer_and_schedule(optimizer, schedule):
    compare_training(200, LAYERS["Dropout"], losses.cross_entropy, OPTIMIZERS[optimizer], SCHEDULES.get(schedule))


@pytest.mark.leg("night")
@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize("layers", LAYERS)
@pytest.mark.parametrize("optimizer", OPTIMIZERS)
def test_two_hundred_steps_with_each_module_loss_and_optimizer(layers, loss, optimizer):
    compare_training(200, LAYERS[layers], loss, OPTIMIZERS[optimizer], SCHEDULES["CosineLR"])


@pytest.mark.parametrize("optimizer", OPTIMIZERS)
def test_in_float32(optimizer):
    made = LAYERS["LayerNorm"], losses.cross_entropy, OPTIMIZERS[optimizer]
    compare_training(20, *made, close=dict(rtol=1e-4, atol=1e-5), dtype=np.float32)


# ---- the Trainer ----


class Run:
    """A run of the Trainer with all that has a state of its own, compiled or not."""

    def __init__(self, compile, checkpoint=None):
        rng = np.random.default_rng(7)
        self.model = nn.Sequential(nn.Linear(2, 8, rng=rng), nn.Tanh(), Dropout(0.3, rng), nn.Linear(8, 2, rng=rng))
        optimizer = optim.Adam(self.model.parameters(), 0.02, weight_decay=0.01)
        optimizer.before_step = [lambda: optim.clip_grad_norm_(self.model.parameters(), 0.5)]
        schedule = optim.CosineLR(optimizer, 12, warmup=3)
        options = dict(progress=False, scheduler=schedule, checkpoint=checkpoint, compile=compile)
        self.trainer = toolbox.Trainer(self.model, losses.cross_entropy, optimizer, **options)
        self.loaders = [bg.DataLoader(*toolbox.make_moons(50, 0.2, seed=seed), 16) for seed in (0, 1)]

    def fit(self, epochs, resume=False):
        return self.trainer.fit(self.loaders[0], epochs, self.loaders[1], resume=resume)


def test_a_compiled_run_of_the_trainer_comes_to_the_same_numbers():
    histories = [Run(compile).fit(8) for compile in (False, True)]
    assert histories[0].keys() == histories[1].keys()
    for name, values in histories[0].items():
        np.testing.assert_allclose(histories[1][name], values, **CLOSE)


def test_a_compiled_run_goes_on_as_if_it_had_never_been_stopped(tmp_path):
    through = Run(True)
    history = through.fit(8)
    Run(True, tmp_path / "run.npz").fit(3)
    resumed = Run(True, tmp_path / "run.npz")
    assert resumed.fit(8, resume=True) == history
    for one, other in zip(resumed.model.parameters(), through.model.parameters()):
        assert one.data.tobytes() == other.data.tobytes()


def test_the_trainer_says_why_a_step_cannot_be_compiled():
    model = nn.MLP([2, 4, 2])
    loss = lambda answers, y: losses.cross_entropy(answers, y) * float(answers.data.max())
    trainer = toolbox.Trainer(model, loss, optim.SGD(model.parameters(), 0.1), progress=False, compile=True)
    with pytest.raises(CannotCompile, match=r"line \d+ of test_compiler.py reads the numbers of a traced Tensor"):
        trainer.fit(bg.DataLoader(*toolbox.make_moons(20), 10), 1)


def test_a_compiled_run_stops_before_a_bad_step():
    model = nn.Linear(2, 2)
    before = [p.data.copy() for p in model.parameters()]
    trainer = toolbox.Trainer(model, losses.mse_loss, optim.SGD(model.parameters(), 0.1), progress=False, compile=True)
    with np.errstate(all="ignore"), pytest.raises(trainers.TrainingDiverged, match="the loss is inf"):
        trainer.fit([(np.full((3, 2), 1e200), np.zeros((3, 2)))], 1)
    assert all(np.array_equal(p.data, b) for p, b in zip(model.parameters(), before))


def test_the_trainers_update_is_compiled_and_stops_before_a_bad_gradient():
    run = Run(True)
    run.fit(2)
    (update,) = run.trainer.compiled[1].programs
    assert "sqrt(" in update.text and "f_" in update.text  # Adam's arithmetic, and the call of the callbacks
    before = [p.data.copy() for p in run.model.parameters()]
    run.trainer.optimizer.before_step = [lambda: run.model.parameters()[0].grad.fill(np.nan)]
    with pytest.raises(trainers.TrainingDiverged, match="a gradient is nan"):
        run.fit(1)
    assert all(np.array_equal(p.data, b) for p, b in zip(run.model.parameters(), before))


# ---- callbacks before an optimizer's step ----


class Clipped:
    """A setting whose gradients are clipped, and written down, before each step."""

    def __init__(self, optimizer):
        self.setting, self.norms, self.most = Setting(LAYERS["tanh"], losses.cross_entropy, optimizer), [], 0.5
        self.setting.optimizer.before_step = [self.clip]

    def clip(self):
        self.norms.append(optim.clip_grad_norm_(self.setting.model.parameters(), self.most))

    def train(self, step):
        monitor, numbers = GradientMonitor(self.setting.model), []
        for i, (x, y) in enumerate(batches(losses.cross_entropy, 15)):
            self.most, self.setting.optimizer.lr = 0.5 / (i + 1), 0.1 / (i + 1)
            numbers.append(step(x, y).item())
            monitor.record()
        arrays = [p.data for p in self.setting.model.parameters()]
        return [*numbers, *self.norms, *monitor.total_norm, *np.concatenate(arrays, None)]


@pytest.mark.parametrize("optimizer", OPTIMIZERS)
def test_callbacks_come_between_the_gradients_and_the_update_of_one_program(optimizer):
    eager, compiled = Clipped(OPTIMIZERS[optimizer]), Clipped(OPTIMIZERS[optimizer])
    step = Counted(compiled.setting.step)
    np.testing.assert_allclose(compiled.train(bg.compile(step)), eager.train(eager.setting.step), **CLOSE)
    assert len(step.calls) == 2  # the trace's two: a new number, such as lr, makes no new program


def clipping_step(setting):
    """A step of a setting that clips by itself; its third input says to which length."""

    def step(x, y, max_norm):
        loss = setting.loss(setting.model(Tensor(x, requires_grad=False)), y)
        setting.optimizer.zero_grad()
        loss.backward()
        length = optim.clip_grad_norm_((p for p in setting.model.parameters()), max_norm)
        setting.optimizer.step()
        if setting.schedule:
            setting.schedule.step()
        return loss, length

    return step


def clipped_training(step, model, most):
    """200 clipped steps: losses and lengths, and the gradients that are left."""
    numbers, monitor = [], GradientMonitor(model)
    for i, (x, y) in enumerate(batches(losses.cross_entropy, 200)):
        loss, length = step(x, y, most(i))
        numbers += loss.item(), float(length.data if isinstance(length, Tensor) else length)
        monitor.record()
    return [*numbers, *monitor.total_norm, *np.concatenate([p.data for p in model.parameters()], None)]


def clips_one_by_one(params, max_norm):
    """clip_grad_norm_ by somebody who writes in another way."""
    total, params = 0.0, list(params)
    for p in params:
        for number in p.grad.ravel().tolist():
            total += number * number
    if total**0.5 > max_norm:
        for p in params:
            np.multiply(p.grad, max_norm / (total**0.5 + 1e-6), out=p.grad)
    return total**0.5


@pytest.mark.leg("night")
@pytest.mark.parametrize("own", [None, clips_one_by_one])
@pytest.mark.parametrize("optimizer", [*OPTIMIZERS, "Own"])
def test_clipping_is_part_of_a_step_and_its_length_an_input(optimizer, own, monkeypatch):
    made = OPTIMIZERS.get(optimizer, lambda ps: Own(ps, 0.1))
    if own:
        monkeypatch.setattr(optim.clip_grad_norm_, "__wrapped__", own)
        made_of = LAYERS["tanh"], losses.cross_entropy, made, SCHEDULES["CosineLR"]
    else:
        made_of = LAYERS["Dropout"], losses.cross_entropy, made
    eager, compiled = Setting(*made_of), Setting(*made_of)
    step, calls = clipping_step(compiled), []

    def counted(*inputs):
        calls.append(1)
        return step(*inputs)

    run, most = bg.compile(counted), lambda i: np.array(0.5 / (1 + i % 7))
    wanted = clipped_training(clipping_step(eager), eager.model, most)
    np.testing.assert_allclose(clipped_training(run, compiled.model, most), wanted, **CLOSE)
    assert len(calls) == 2 and len(run.programs) == 1  # the trace's two
    mine, others = compiled.optimizer.state_dict(), eager.optimizer.state_dict()
    for name in mine.keys() - {"kind"}:
        np.testing.assert_allclose(mine[name], others[name], **CLOSE)


def test_clipped_gradients_without_an_update_are_left_where_they_are():
    a, b = Tensor([3.0, 0.0]), Tensor([[0.0], [4.0]])

    def step(x, together):
        a.grad = b.grad = None
        ((a * a).sum() + (b * b).sum() * x).backward()
        if together:
            length = optim.clip_grad_norm_([a, b], 0.5)
            return length if together < 2 else None
        optim.clip_grad_norm_(a, 0.5)
        optim.clip_grad_norm_([b], 2)
        optim.clip_grad_norm_([a, b, Tensor(1.0)], 1.0)
        return (a * x).sum()

    for together in (0, 1, 2):
        run = bg.compile(step)
        for x in (1.0, 0.25):
            wanted = step(np.array(x), together), a.grad, b.grad
            found = run(np.array(x), together), a.grad, b.grad
            assert (found[0] is None) == (wanted[0] is None)
            for one, other in list(zip(found, wanted))[found[0] is None :]:
                same_arrays(*[thing.data if isinstance(thing, Tensor) else np.asarray(thing) for thing in (one, other)])


def test_what_cannot_be_clipped_in_a_step_is_said():
    w = Tensor(np.ones(3))
    optimizer = optim.SGD([w], 0.1)

    def step(x, order):
        if order != "before":
            optimizer.zero_grad()
            (w * x).sum().backward()
        if order == "after":
            optimizer.step()
        optim.clip_grad_norm_([w], -1.0 if order == "length" else 1.0)
        optimizer.step()

    line = step.__code__.co_firstlineno + 6
    for order, words in (("before", "from before the step: call backward"), ("after", "after the optimizer's step")):
        w.grad = np.ones(3)
        with pytest.raises(CannotCompile, match=rf"^line {line} of test_compiler.py clips gradients {words}"):
            bg.compile(step)(np.ones(3), order)
    with pytest.raises(ValueError, match=r"max_norm must be above 0, but it is -1\.0"):
        bg.compile(step)(np.ones(3), "length")
    assert w.data.tolist() == [1, 1, 1]


def test_clipping_without_any_gradient_does_in_a_step_what_it_does_outside():
    w = Tensor(np.ones(3))
    run = bg.compile(lambda x, most: Tensor(x, requires_grad=False) * w + optim.clip_grad_norm_([w], most))
    assert run(np.ones(3), 1.0).data.tolist() == [1, 1, 1] and w.grad is None
    with pytest.raises(ValueError, match="max_norm must be above 0"):
        run(np.ones(3), -1.0)


def test_a_function_of_ones_own_that_reads_gradients_in_a_step_is_refused():
    w = Tensor(np.ones(3))

    def clip_by_value(params):
        for p in params:
            np.clip(p.grad, -1, 1, out=p.grad)

    def step(x):
        w.zero_grad()
        (w * x).sum().backward()
        clip_by_value([w])

    line = clip_by_value.__code__.co_firstlineno + 2
    with pytest.raises(CannotCompile, match=rf"^line {line} of test_compiler.py reads the numbers of a traced Tensor"):
        bg.compile(step)(np.ones(3))


def test_an_update_alone_takes_the_gradients_that_are_there():
    eager, compiled = (Setting(LAYERS["tanh"], losses.mse_loss, OPTIMIZERS["Adam"]) for _ in range(2))
    run = bg.compile(lambda: compiled.optimizer.step())
    for i in range(5):
        for setting, step in ((eager, eager.optimizer.step), (compiled, run)):
            for p in setting.model.parameters():
                p.grad = np.sin(p.data + i)
            assert step() is None
    for one, other in zip(compiled.model.parameters(), eager.model.parameters()):
        np.testing.assert_allclose(one.data, other.data, **CLOSE)
        same_arrays(one.grad, other.grad)


# ---- what is refused, and with which words ----

W = Tensor(np.arange(1.0, 7.0).reshape(3, 2))


def scaled_by_data(x):
    return (x @ W) * W.data.sum()


def scaled_by_item(x):
    return x * (x @ W).sum().item()


def with_an_if(x):
    return x @ W if (x @ W).sum() else x


def through_numpy(x):
    return x * np.tanh((x @ W).data)


def through_a_mask(x):
    return x * (x.data > 0)


READS = [scaled_by_data, scaled_by_item, with_an_if, through_numpy, through_a_mask]


@pytest.mark.parametrize("function", READS)
def test_reading_the_numbers_of_a_traced_tensor_is_refused(function):
    line = function.__code__.co_firstlineno + 1
    with pytest.raises(CannotCompile, match=rf"^line {line} of test_compiler.py reads the numbers of a traced Tensor"):
        bg.compile(function)(Tensor(np.ones((2, 3)), requires_grad=False))


class Leaky(bg.Function):
    """A relu whose rule takes its mask from .data."""

    def forward(self, a):
        return np.maximum(a, 0)

    def backward(self, out_grad, node):
        return out_grad * (node._inputs[0].data > 0)


class PutAside(Leaky):
    """The same with a mask that forward puts aside."""

    def forward(self, a):
        self.mask = a > 0
        return a * self.mask

    def backward(self, out_grad, node):
        return out_grad * node._op.mask


@pytest.mark.parametrize(("rule", "words"), [(Leaky, "reads the numbers"), (PutAside, "uses numbers that change")])
def test_a_rule_that_takes_arrays_on_the_side_is_refused_by_name(rule, words):
    def step(x):
        total = rule()(x @ W).sum()
        W.zero_grad()
        total.backward()
        return total

    with pytest.raises(CannotCompile, match=rf"^the rule of {rule.__name__}, line \d+ of test_compiler.py,? {words}"):
        bg.compile(step)(np.linspace(-1, 1, 6).reshape(2, 3) @ np.eye(3))
    W.zero_grad()


def test_an_array_that_changes_and_is_no_input_is_refused():
    rng = np.random.default_rng(0)
    with pytest.raises(CannotCompile, match=r"^line \d+ of test_compiler.py draws random numbers"):
        bg.compile(lambda x: x @ W + rng.normal(size=2))(np.ones((2, 3)))
    with pytest.raises(CannotCompile, match=r"^line \d+ of test_compiler.py uses numbers that change"):
        bg.compile(lambda x: x @ W + np.random.default_rng().normal(size=2))(np.ones((2, 3)))
    with pytest.raises(CannotCompile, match=r"^line \d+ of test_compiler.py uses numbers that change"):
        bg.compile(lambda x, y: x @ W * (np.ascontiguousarray(y) > 0)[:, None])(np.ones((2, 3)), np.array([1, -1]))


def test_other_operations_for_other_numbers_are_refused():
    with pytest.raises(CannotCompile, match="with other numbers"):
        bg.compile(lambda x, y: x @ W if sum(np.ascontiguousarray(y)) == 1 else x @ W + 1.0)(
            np.ones((2, 3)), np.array([0, 1])
        )
    with pytest.raises(CannotCompile, match=r"^line \d+ of test_compiler.py does something else with other numbers"):
        bg.compile(lambda x, y: (x @ W).tanh() if sum(np.ascontiguousarray(y)) == 1 else (x @ W).relu())(
            np.ones((2, 3)), np.array([0, 1])
        )


def test_two_inputs_that_nothing_tells_apart_are_refused():
    zeros = np.zeros(1, int)
    words = r"^line \d+ of test_compiler.py could take either of two inputs: compile it with different ones"
    with pytest.raises(CannotCompile, match=words):
        bg.compile(lambda y, z: Tensor(np.arange(3.0))[y] - Tensor(np.arange(3.0))[z])(zeros, zeros.copy())


def test_backward_where_nothing_requires_grad_is_refused():
    with pytest.raises(CannotCompile, match=r"^line \d+ of test_compiler.py calls backward on a Tensor that"):
        bg.compile(lambda x: (Tensor(x, requires_grad=False) * 2.0).sum().backward())(np.ones(3))


def test_an_operation_may_be_made_of_others_inside():
    class Softplus(bg.Function):
        def forward(self, a):
            return bg.ops.log(bg.ops.exp(Tensor(a)) + 1.0).data

        def backward(self, out_grad, node):
            return out_grad / (bg.ops.exp(-node._inputs[0]) + 1.0)

    def step(x):
        W.zero_grad()
        total = Softplus()(x @ W).sum()
        total.backward()
        return total

    run = bg.compile(step)
    for x in (np.ones((2, 3)), np.linspace(-1, 1, 6).reshape(2, 3)):
        wanted, gradient = step(x).data, W.grad
        same_arrays(run(x).data, wanted)
        same_arrays(W.grad, gradient)
    W.zero_grad()


@pytest.mark.parametrize("bad", [3, -1])
def test_targets_that_are_no_classes_are_refused_in_each_call(bad):
    run = bg.compile(losses.cross_entropy)
    scores = Tensor(np.ones((2, 3)))
    assert run(scores, np.array([0, 2])).item() == losses.cross_entropy(scores, [0, 2]).item()
    with pytest.raises(ValueError, match="from 0 to 2"):
        run(scores, np.array([0, bad]))


def test_two_inputs_with_the_same_numbers_are_told_apart():
    run = bg.compile(lambda x, y: Tensor(x) - Tensor(y))
    x, y = np.ones((2, 3)), np.zeros((2, 3))
    assert not run(x, x).data.any()
    assert run(x, y).data.all()
    y, x = np.array([0, 1, 1]), np.array([1.0, 2, 3])
    run = bg.compile(lambda y, z: Tensor(x)[y] - Tensor(x)[z])
    assert not run(y, y).data.any()
    assert run(y, 1 - y).data.all()


def test_gradients_from_before_the_step_are_refused():
    w = Tensor(np.ones(3))

    def step(x):
        loss = (w * x).sum()
        loss.backward()
        return loss

    with pytest.raises(
        CannotCompile, match=r"^line \d+ of test_compiler.py adds to a gradient from before the step: call"
    ):
        bg.compile(step)(np.ones(3))
    assert w.grad is None


def test_the_optimizers_step_is_the_last_one():
    w = Tensor(np.ones(3))
    optimizer = optim.SGD([w], 0.1)
    schedule = optim.StepLR(optimizer, 2)

    def computes_afterwards(x):
        optimizer.zero_grad()
        (w * x).sum().backward()
        optimizer.step()
        return w * x

    def schedule_first(x):
        optimizer.zero_grad()
        loss = (w * x).sum()
        loss.backward()
        schedule.step()
        optimizer.step()
        return loss

    for step, words in ((computes_afterwards, "after the optimizer's step"), (schedule_first, "comes before all")):
        with pytest.raises(CannotCompile, match=words):
            bg.compile(step)(np.ones(3))
    with pytest.raises(CannotCompile, match="no parameter has a gradient"):
        bg.compile(lambda x: optimizer.step())(np.ones(3))
    assert w.data.tolist() == [1, 1, 1] and w.grad is None and schedule.t == 0


def test_after_a_refusal_everything_is_as_it_was():
    model = nn.Sequential(nn.Linear(3, 2), Dropout(0.5))
    state, before = model.layers[1].rng.bit_generator.state, model.state_dict()

    def step(x):
        loss = model(Tensor(x)).sum()
        loss.backward()
        return loss * loss.item()

    with pytest.raises(CannotCompile):
        bg.compile(step)(np.ones((2, 3)))
    assert model.layers[1].rng.bit_generator.state == state and model.training is True
    assert all(p.grad is None for p in model.parameters())
    assert {name: a.tobytes() for name, a in before.items()} == {n: a.tobytes() for n, a in model.state_dict().items()}
    assert type(Tensor([1.0]).data) is np.ndarray and (Tensor([1.0]) * 2).grad_fn is not None
    assert "training" not in vars(model)


@pytest.mark.parametrize("id", [f"15.{number}" for number in range(1, 7)])
def test_a_stub_of_notebook_15_says_which_exercise_it_is(id, tmp_path):
    stubs.write(tmp_path, given=[ex.id for ex in catalogue.all_exercises() if ex.id != id])
    with imported_by_name(tmp_path) as own:
        Trainer = importlib.import_module("toolbox").Trainer
        model = own.nn.MLP([2, 3, 2])
        before = [p.data.copy() for p in model.parameters()]
        optimizer = own.optim.SGD(model.parameters(), 0.1)
        trainer = Trainer(model, own.losses.mse_loss, optimizer, progress=False, compile=True)
        loader = [(np.ones((3, 2)), np.ones((3, 2)))]
        for asked in (lambda: own.compile(model)(own.Tensor(np.ones((3, 2)))), lambda: trainer.fit(loader, 1)):
            with pytest.raises(NotImplementedError) as stop:
                asked()
            assert unfilled_by(stop.value)[0] == id
        if id == "15.1":
            with pytest.raises(NotImplementedError, match=r"^exercise 15\.1: noted"):
                own.trace(model, own.Tensor(np.ones((3, 2))))
        assert all(np.array_equal(p.data, b) and p.grad is None for p, b in zip(model.parameters(), before))
        assert Trainer(model, own.losses.mse_loss, optimizer, progress=False).fit(loader, 1)["loss"]


def test_what_is_no_stub_of_ours_passes_through():
    class Unfilled(bg.Function):
        def forward(self, a):
            raise NotImplementedError("exercise 6.7: ReLU.forward")

    with pytest.raises(NotImplementedError, match=r"exercise 6\.7"):
        bg.compile(lambda x: Unfilled()(x))(np.ones(3))


# ---- what a program is right for ----


def test_a_new_shape_dtype_or_number_makes_a_new_program():
    run = bg.compile(lambda x, power: Tensor(x, requires_grad=False) ** power)
    arrays = np.ones(3), np.ones(4), np.ones(3, np.float32), np.full(3, 2.0), np.full(3, 3.0)
    for x, power in zip(arrays, (2, 2, 2, 3, 2)):
        found = run(x, power)
        assert found.dtype == x.dtype and np.array_equal(found.data, x**power)
    assert len(run.programs) == 4


def test_modes_parameters_and_optimizers_may_change_between_calls():
    def changes(setting, step):
        numbers = train(setting, step, batches(losses.cross_entropy, 4))
        setting.optimizer.lr = 0.3
        numbers += train(setting, step, batches(losses.cross_entropy, 4))
        setting.model.eval()
        numbers += train(setting, step, batches(losses.cross_entropy, 4))
        setting.model.train()
        for p in setting.model.parameters():
            p.data = p.data * 0.9
        numbers += train(setting, step, batches(losses.cross_entropy, 4))
        setting.optimizer.momentum = 0.5
        numbers += train(setting, step, batches(losses.cross_entropy, 4, size=5))
        setting.optimizer.load_state_dict(setting.optimizer.state_dict())
        numbers += train(setting, setting.step, batches(losses.cross_entropy, 2))
        setting.optimizer.before_step = [lambda: optim.clip_grad_norm_(setting.model.parameters(), 0.01)]
        numbers += train(setting, step, batches(losses.cross_entropy, 4))
        setting.optimizer.before_step = ()
        return numbers + train(setting, step, batches(losses.cross_entropy, 4))

    eager, compiled = (Setting(LAYERS["Dropout"], losses.cross_entropy, OPTIMIZERS["momentum"]) for _ in range(2))
    np.testing.assert_allclose(changes(compiled, bg.compile(compiled.step)), changes(eager, eager.step), **CLOSE)


def test_the_numbers_of_a_tensor_that_requires_no_grad_may_change():
    scale = Tensor([1.0, 2.0], requires_grad=False)
    run = bg.compile(lambda x: Tensor(x, requires_grad=False) * (scale + 1.0))
    assert run(np.ones(2)).data.tolist() == [2, 3]
    scale.data[...] = 4
    assert run(np.ones(2)).data.tolist() == [5, 5]
    scale.data = np.array([0.0, 1.0])
    assert run(np.ones(2)).data.tolist() == [1, 2]


def test_a_draw_is_not_taken_for_an_array_that_happens_to_equal_it():
    for seed in range(10):
        eager, compiled = (Dropout(0.4, np.random.default_rng(seed)) for _ in range(2))
        run = bg.compile(lambda x, drop=compiled: drop(Tensor(x, requires_grad=False)) + np.ones(1))
        for _ in range(8):
            assert run(np.ones(1)).item() == (eager(Tensor(np.ones(1))) + np.ones(1)).item()


def test_an_input_may_hold_nan():
    run = bg.compile(lambda x: Tensor(x, requires_grad=False) + 1.0)
    for x in (np.array([np.nan, np.inf, 1.0]), np.arange(3.0)):
        np.testing.assert_array_equal(run(x).data, x + 1)


class Own(optim.Optimizer):
    """An optimizer that is none of the course's."""

    def __init__(self, params, lr):
        super().__init__(params, lr)
        self.calls = 0

    def update(self, p, memory):
        self.calls += 1
        p.data[...] = p.data - self.lr / self.calls * np.sign(p.grad)


def test_any_other_optimizer_steps_by_itself():
    eager, compiled = (Setting(LAYERS["tanh"], losses.mse_loss, lambda ps: Own(ps, 0.1)) for _ in range(2))
    wanted = train(eager, eager.step, batches(losses.mse_loss, 20))
    found = train(compiled, bg.compile(compiled.step), batches(losses.mse_loss, 20))
    np.testing.assert_allclose(found, wanted, **CLOSE)
    for one, other in zip(compiled.model.parameters(), eager.model.parameters()):
        same_arrays(one.grad, other.grad)


def test_an_update_that_numpy_alone_can_do_steps_by_itself(monkeypatch):
    def update(self, p, memory):
        np.subtract(p.data, self.lr * p.grad, out=p.data)

    monkeypatch.setattr(optim.SGD, "update", update)
    compare_some_training(OPTIMIZERS["SGD"])


@pytest.mark.parametrize("own", ["update", "doubted", "of_two_kinds"])
def test_an_update_that_decides_by_a_number_that_it_keeps_steps_by_itself(own, monkeypatch):
    def update(self, p, memory):
        memory["t"] = memory.get("t", 0) + 1
        p.data -= self.lr * p.grad * (2.0 if memory["t"] % 2 else 1.0)

    def doubted(self, p, memory):
        p.data -= self.lr * p.grad * (1.0 if memory.get("t", 0) else 2.0)
        memory["t"] = memory.get("t", 0) + 1

    def of_two_kinds(self, p, memory):
        p.data -= self.lr * (p.grad + memory.get("mean", 0))
        memory["mean"] = 0.1 if isinstance(memory.get("mean", 0), int | float) else p.grad * 1.0

    monkeypatch.setattr(optim.SGD, "update", dict(update=update, doubted=doubted, of_two_kinds=of_two_kinds)[own])
    compare_some_training(OPTIMIZERS["SGD"])


def test_an_update_may_read_what_it_has_replaced(monkeypatch):
    def update(self, p, memory):
        before = memory.get("velocity", 0.0)
        memory["velocity"] = before * 0.9 + p.grad
        p.data -= self.lr * (memory["velocity"] * 2.0 - before)

    monkeypatch.setattr(optim.SGD, "update", update)
    compare_some_training(OPTIMIZERS["SGD"])


def compare_some_training(optimizer):
    eager, compiled = (Setting(LAYERS["tanh"], losses.mse_loss, optimizer) for _ in range(2))
    wanted = train(eager, eager.step, batches(losses.mse_loss, 20))
    found = train(compiled, bg.compile(compiled.step), batches(losses.mse_loss, 20))
    np.testing.assert_allclose(found, wanted, **CLOSE)


def test_two_backward_passes_add_up_and_zero_grad_between_them_forgets():
    a, b = Tensor([1.0, 2.0]), Tensor([3.0, 4.0])

    def step(x, forget):
        a.grad = b.grad = None
        (a * x).sum().backward()
        if forget:
            a.zero_grad()
        out = (a * b * x).sum()
        out.backward()
        return out

    for forget in (False, True):
        run = bg.compile(step)
        for x in (np.array([1.0, -1.0]), np.array([0.5, 2.0])):
            step(x, forget)
            wanted = a.grad, b.grad
            run(x, forget)
            same_arrays(a.grad, wanted[0])
            same_arrays(b.grad, wanted[1])


def test_inputs_that_require_grad_get_theirs():
    def step(x, y):
        out = (x * x * y).sum() + (x.T * 2.0).sum()
        x.zero_grad()
        out.backward()
        return out

    run = bg.compile(step)
    for seed in range(3):
        array = np.random.default_rng(seed).normal(size=(2, 3))
        x, twin = Tensor(array), Tensor(array)
        run(x, array)
        step(twin, array)
        same_arrays(x.grad, twin.grad)


def test_gradients_are_arrays_of_their_own():
    a, b, c = Tensor(np.ones(3)), Tensor(np.ones(3)), Tensor(np.ones((3, 1)))

    def step(x):
        for leaf in (a, b, c):
            leaf.zero_grad()
        out = a + b + x
        (out.sum() + c.reshape(3).sum()).backward()
        return out

    run = bg.compile(step)
    for _ in range(2):
        out = run(np.ones(3))
        kept = out.data.copy(), a.grad.copy()
        a.grad += 1
        out.data += 1
        assert b.grad.tolist() == [1, 1, 1] and c.grad.tolist() == [[1]] * 3 and a.data.tolist() == [1, 1, 1]
    assert run(np.ones(3)).data.tolist() == kept[0].tolist() and a.grad.tolist() == kept[1].tolist()


def test_inputs_are_left_alone_and_a_step_may_return_them():
    x = np.ones((2, 2))
    run = bg.compile(lambda x: (Tensor(x), W, Tensor(x).T + 1.0, Tensor(2.0)))
    for _ in range(2):
        answers = run(x)
        assert [answer.data.tolist() for answer in answers[2:]] == [[[2, 2], [2, 2]], 2.0]
        assert np.array_equal(answers[0].data, x) and np.array_equal(answers[1].data, W.data)
        for answer in answers:
            answer.data[...] = 5
        assert x.tolist() == [[1, 1], [1, 1]] and W.data[0, 0] == 1


def test_gradients_inside_of_the_step_are_part_of_it():
    w = Tensor(np.array([0.5, -1.0]))

    def step(x):
        x = Tensor(x)
        out = (x * w).tanh().sum()
        penalty = (bg.grad(out, x, create_graph=True) ** 2).sum()
        w.zero_grad()
        (out + penalty).backward()
        return penalty

    run = bg.compile(step)
    for x in (np.array([1.0, 2.0]), np.array([-0.3, 0.1])):
        wanted, gradient = step(x).data, w.grad
        same_arrays(run(x).data, wanted)
        same_arrays(w.grad, gradient)


# ---- the page, the passes, the arrays ----


def test_a_program_is_a_page_that_can_be_read():
    w = Tensor(np.ones((3, 2)))
    page = str(trace(lambda x: (Tensor(x, requires_grad=False) @ w * 2.0).sum(), np.ones((4, 3))))
    assert [line.split() for line in page.splitlines()] == [
        line.split()
        for line in """given x0 (4, 3)
        given p0 (3, 2)
        t0 = taken(x0, shape=(4, 3)) (4, 3)
        v0 = matmul(t0, p0) (4, 2)
        v1 = mulscalar(v0, scalar=2.0) (4, 2)
        v2 = summation(v1, keepdims=False) ()
        return v2""".splitlines()
    ]


def test_what_is_taken_from_an_input_has_a_letter_of_its_own_and_constants_are_counted_without_it():
    def step(x, y):
        return Tensor(x, requires_grad=False) + Tensor(np.full(3, 7.0)) * Tensor(y, requires_grad=False)

    program = trace(step, np.arange(3.0), np.arange(4.0, 7.0))
    assert list(program.constants) == ["c0"] and program.constants["c0"].tolist() == [7.0] * 3
    taken = {line.inputs[0]: line.name for line in program.lines if line.function.name() == "Taken"}
    assert {*taken} == {"x0", "x1"} and {*taken.values()} == {"t0", "t1"}
    assert [line.inputs for line in program.lines[2:]] == [("c0", taken["x1"]), (taken["x0"], "v0")]


def test_no_array_is_copied_onto_itself():
    assert not re.search(r"copyto\((\w+), \1\)", compiler.function_of(compiler.optimized(a_program())).text)
    less_one = compiler.Line("v0", ops.fused.LessOne(), ("c0", "c1"), np.ones(2))
    assert compiler.written(less_one, ["v1", "v2"], "v1") == "v1.reshape(-1)[v2] -= 1"
    assert compiler.written(less_one, ["v1", "v2"], "v3") == "copyto(v3, v1); v3.reshape(-1)[v2] -= 1"


def a_program(layers="tanh", loss=losses.cross_entropy):
    """The Program of a step of a network of two layers."""
    setting = Setting(LAYERS[layers], loss, OPTIMIZERS["SGD"])
    return trace(setting.step, *next(batches(loss, 1)))


def test_each_pass_shortens_a_training_step():
    program = a_program("Dropout")
    for change in (compiler.with_folded, compiler.with_each_once, compiler.without_unused):
        shorter = change(program)
        assert len(shorter.lines) < len(program.lines), change.__name__
        program = shorter


@pytest.mark.leg("night")
@pytest.mark.parametrize("change", [compiler.with_folded, compiler.with_each_once, compiler.without_unused,
                                    compiler.with_faster_reductions])  # fmt: skip
def test_each_pass_alone_keeps_the_numbers(change, monkeypatch):
    monkeypatch.setattr(compiler, "optimized", change)
    for seed in range(40):
        compare_with_eager(seed)


def places_read_too_late(program):
    """Where a program's text would read an array whose numbers another line has overwritten: pairs (line, name)."""
    arrays, owner = compiler.Arrays(program), compiler.owners(program)
    place = {name: arrays.array_of[owner[name]] for name in owner}
    holds = {}
    for line in program.lines:
        for name in line.inputs:
            if holds.get(place[name], owner[name]) != owner[name]:
                yield line.name, name
        if owner[line.name] == line.name:
            holds[place[line.name]] = line.name
            number_by_number = line.function.name() in compiler.NUMBER_BY_NUMBER
            if not number_by_number and place[line.name] in [place[name] for name in line.inputs]:
                yield line.name, "written while it is read"
    for name in program.wanted:
        if holds.get(place[name], owner[name]) != owner[name]:
            yield "the end", name


def lines_and_arrays(program):
    """How many lines write into an array of the program's own, and how many arrays there are."""
    arrays = compiler.Arrays(program)
    written = [line.name for line in program.lines if arrays.array_of[line.name] in arrays.own]
    return len(written), len(arrays.own)


def random_program(seed):
    made = Made(seed)
    with np.errstate(all="ignore"):
        return compiler.optimized(trace(made, *made.inputs(0)))


@pytest.mark.leg("push")
def test_no_array_is_overwritten_before_its_last_reader():
    programs = [a_program(), compiler.optimized(a_program()), *map(random_program, range(100))]
    assert [list(places_read_too_late(program)) for program in programs] == [[]] * len(programs)
    assert sum(lines > arrays for lines, arrays in map(lines_and_arrays, programs)) > 50


class Mirrored(bg.Function):
    """Its result lies in its input's array, and the compiler has never heard of it."""

    def forward(self, a):
        return a[:, ::-1]


def test_a_view_that_an_operation_of_ones_own_makes_is_seen_in_its_array_alone(monkeypatch):
    def step(x):
        doubled = bg.Tensor(x, requires_grad=False) * 2.0
        mirrored = Mirrored()(doubled)
        return (doubled + 1.0).sum() + (mirrored * mirrored).sum()

    x, own = np.arange(6.0).reshape(2, 3), watch.noted
    assert bg.compile(step)(x).item() == step(x).item()
    assert bg.compile(lambda x: bg.Tensor(x) * 2.0)(x[:0]).shape == (0, 3)
    monkeypatch.setattr(watch, "noted", lambda *call: own(*call)._replace(like=call[2].data.copy()))
    with pytest.raises(ValueError, match="noted put a copy into a line"):
        bg.compile(step)(x)


def test_arrays_are_used_again():
    program = compiler.optimized(a_program())
    lines, arrays = lines_and_arrays(program)
    assert arrays <= lines / 2
    calls = [line.function.name() for line in program.lines if f"f_{line.name}" in compiler.Arrays(program).space]
    assert calls == ["Places"]
