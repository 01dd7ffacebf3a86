"""The Trainer: history, early stop, a guard against numbers gone bad, Ctrl-C, and a resume that is bit for bit."""

import csv
import random
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from babygrad import losses, nn, optim, training
from babygrad.arrays import DataLoader
from babygrad.normalize import Dropout
from babygrad.tensor import Tensor
from babygrad.training import train_epoch
from grader.course.paths import REFERENCE
from toolbox.data.sets import make_moons
from toolbox.training.trainer import CheckpointError, Trainer, TrainingDiverged, evaluate, predict

POINTS, LABELS = make_moons(40, 0.1, seed=3)


def loader(batch=16, shuffle=True):
    return DataLoader(POINTS, LABELS, batch, shuffle=shuffle, seed=5)


def net(seed=0, sizes=(2, 8, 2)):
    return nn.MLP(sizes, "tanh", np.random.default_rng(seed))


def trainer(model=None, lr=0.1, **options):
    model = model or net()
    return Trainer(model, losses.cross_entropy, optim.SGD(model.parameters(), lr), progress=False, **options)


def weights(model):
    return {name: numbers.tobytes() for name, numbers in model.state_dict().items()}


class Complex:
    """A run in which everything has a state of its own: dropout, Adam, a schedule, shuffled validation."""

    def __init__(self, checkpoint, patience=None, log=None):
        rng = np.random.default_rng(7)
        dropout = Dropout(0.3, np.random.default_rng(8))
        self.model = nn.Sequential(nn.Linear(2, 8, rng=rng), nn.Tanh(), dropout, nn.Linear(8, 2, rng=rng))
        self.optimizer = optim.Adam(self.model.parameters(), 0.02, weight_decay=0.01)
        self.scheduler = optim.CosineLR(self.optimizer, 12, warmup=3)
        self.loaders = loader(), DataLoader(*make_moons(30, 0.3, seed=9), 7, seed=1)
        options = dict(checkpoint=checkpoint, scheduler=self.scheduler, patience=patience, log=log)
        self.trainer = Trainer(self.model, losses.cross_entropy, self.optimizer, progress=False, **options)

    def fit(self, epochs, resume=False):
        return self.trainer.fit(self.loaders[0], epochs, self.loaders[1], resume=resume)


# ---- training and its history ----


def test_it_trains_as_train_epoch_alone_does():
    alone, trained = net(), net()
    optimizer, batches = optim.SGD(alone.parameters(), 0.1), loader()
    costs = [train_epoch(alone, losses.cross_entropy, optimizer, batches) for _ in range(4)]
    history = trainer(trained).fit(loader(), 4)
    assert history["loss"] == costs
    assert weights(trained) == weights(alone)


def test_the_history_has_one_number_for_each_epoch():
    history = trainer().fit(loader(), 3, val_loader=loader())
    assert list(history) == ["loss", "accuracy", "val_loss", "val_accuracy", "lr"]
    assert all(len(values) == 3 and all(type(v) is float for v in values) for values in history.values())


def test_without_validation_data_there_is_no_validation_in_the_history():
    assert list(trainer().fit(loader(), 1)) == ["loss", "accuracy", "lr"]


def test_losses_and_accuracies_are_those_of_evaluate():
    model = net()
    standing_still = trainer(model)
    standing_still.optimizer.lr = 0
    history = standing_still.fit(loader(16, shuffle=False), 1, val_loader=loader(7))
    loss, accuracy = evaluate(model, losses.cross_entropy, loader(40))
    assert history["loss"] + history["val_loss"] == pytest.approx([loss] * 2, rel=1e-12)
    assert history["accuracy"] + history["val_accuracy"] == pytest.approx([accuracy] * 2, rel=1e-12)


def test_the_schedule_moves_after_each_epoch():
    model = net()
    optimizer = optim.SGD(model.parameters(), 0.8)
    schedule = optim.StepLR(optimizer, 2, gamma=0.5)
    history = Trainer(model, losses.cross_entropy, optimizer, progress=False, scheduler=schedule).fit(loader(), 5)
    assert history["lr"] == [0.8, 0.8, 0.4, 0.4, 0.2]


def test_targets_that_are_no_classes_have_no_accuracy():
    rng = np.random.default_rng(0)
    batches = DataLoader(rng.normal(size=(12, 2)), rng.normal(size=(12, 3)), 5)
    model = net(sizes=(2, 3))
    run = Trainer(model, losses.mse_loss, optim.SGD(model.parameters(), 0.1), progress=False)
    history = run.fit(batches, 2, val_loader=batches)
    assert np.isnan(history["accuracy"] + history["val_accuracy"]).all() and history["loss"][1] < history["loss"][0]


def test_validation_is_in_use_and_unrecorded_training_is_not_and_modes_are_kept():
    seen = []

    class Spy(nn.Module):
        def __init__(self):
            self.linear, self.frozen = nn.Linear(2, 2), Dropout(0.5)

        def forward(self, x):
            answers = self.linear(x)
            seen.append((self.training, answers.requires_grad))
            return answers

    model = Spy()
    model.frozen.eval()
    trainer(model).fit(loader(40), 1, val_loader=loader(40))
    assert seen == [(True, True), (False, False)]
    assert model.training and not model.frozen.training


def test_evaluating_keeps_the_mode_of_each_part():
    model = nn.Sequential(Dropout(0.5), nn.Linear(2, 2))
    model.layers[0].eval()
    evaluate(model, losses.cross_entropy, loader(40))
    assert model.training and not model.layers[0].training
    model.eval().layers[0].train()
    with pytest.raises(ZeroDivisionError):
        evaluate(model, lambda answers, targets: 1 / 0, loader(40))
    assert not model.training and model.layers[0].training


def test_a_prediction_is_in_use_and_keeps_the_mode():
    model = nn.Sequential(Dropout(0.9), nn.Linear(2, 2))
    expected = POINTS @ model.layers[1].weight.data + model.layers[1].bias.data
    np.testing.assert_array_equal(predict(model, POINTS), expected)
    assert model.training and model.layers[0].training


def test_a_second_fit_begins_a_new_history_and_trains_on():
    run = trainer()
    first = run.fit(loader(), 2)["loss"]
    assert len(run.fit(loader(), 3)["loss"]) == 3
    assert run.history["loss"][0] < first[0]


def one_by_one(batches):
    yield from batches


LOADERS = {"list": list, "tuple": tuple, "generator": one_by_one, "loader": lambda batches: batches}


@pytest.mark.parametrize("kind", LOADERS)
def test_a_loader_is_anything_that_gives_pairs(kind):
    run, usual = trainer(), trainer()
    assert run.fit(LOADERS[kind](loader()), 1) == usual.fit(loader(), 1)
    assert weights(run.model) == weights(usual.model)


# ---- what train_epoch is given ----


class Plain:
    """An optimizer that is no Optimizer, with nothing but what train_epoch asks for, and lr."""

    __slots__ = ("lr", "params")

    def __init__(self, params, lr):
        self.params, self.lr = params, lr

    def zero_grad(self):
        for p in self.params:
            p.grad = None

    def step(self):
        for p in self.params:
            p.data -= self.lr * p.grad


@dataclass(frozen=True)
class Frozen:
    params: list
    lr: float
    zero_grad, step = Plain.zero_grad, Plain.step


class StepOfItsOwn(optim.Optimizer):
    step = Plain.step


class Around:
    """Attributes are those of another optimizer, its step too."""

    def __init__(self, params, lr):
        self.inner = optim.SGD(params, lr)

    def __getattr__(self, name):
        return getattr(vars(self)["inner"], name)


def in_a_namespace(params, lr):
    plain = Plain(params, lr)
    return SimpleNamespace(zero_grad=plain.zero_grad, step=plain.step, params=params, lr=lr)


def with_another_step(params, lr):
    optimizer = optim.SGD(params, lr)
    optimizer.step = Plain(params, lr).step
    return optimizer


OPTIMIZERS = {
    "SGD": optim.SGD,
    "that of notebook 11": training.GradientDescent,
    "slots": Plain,
    "frozen": Frozen,
    "a step of its own": StepOfItsOwn,
    "around another": Around,
    "namespace": in_a_namespace,
    "another step": with_another_step,
}


@pytest.mark.parametrize("kind", OPTIMIZERS)
def test_an_optimizer_is_anything_with_zero_grad_and_step(kind):
    run, usual = trainer(), trainer()
    run.optimizer = OPTIMIZERS[kind](run.model.parameters(), 0.1)
    assert run.fit(loader(), 2) == usual.fit(loader(), 2)
    assert weights(run.model) == weights(usual.model)


@pytest.mark.parametrize("kind", OPTIMIZERS)
def test_the_steps_of_any_optimizer_are_guarded(kind):
    model = nn.Sequential(nn.Linear(2, 3), BadAtBack(), nn.Linear(3, 2))
    run, before = trainer(model), weights(model)
    run.optimizer = OPTIMIZERS[kind](model.parameters(), 0.1)
    with np.errstate(all="ignore"), pytest.raises(TrainingDiverged, match="batch 1: a gradient is nan or infinite"):
        run.fit(loader(), 1)
    assert weights(model) == before


@pytest.mark.parametrize("loader_kind", ["loader", "list", "tuple"])
@pytest.mark.parametrize("optimizer_kind", [kind for kind in OPTIMIZERS if kind != "frozen"])
def test_a_train_epoch_may_ask_its_loader_and_optimizer_for_more(loader_kind, optimizer_kind, monkeypatch):
    batches = LOADERS[loader_kind](loader())

    def curious(model, loss_fn, optimizer, given):
        assert len(given) == 3 and optimizer.params == model.parameters()
        if loader_kind == "loader":
            assert given.batch_size == 16
            given.shuffle = False
        optimizer.lr = 0.05
        return train_epoch(model, loss_fn, optimizer, given)

    monkeypatch.setattr(training, "train_epoch", curious)
    run = trainer()
    run.optimizer = OPTIMIZERS[optimizer_kind](run.model.parameters(), 0.1)
    assert run.fit(batches, 2)["lr"] == [0.1, 0.05]
    assert loader_kind != "loader" or not batches.shuffle


def test_a_train_epoch_is_given_the_optimizer_itself(monkeypatch):
    run, given = trainer(), []
    monkeypatch.setattr(training, "train_epoch", lambda *them: given.append(them) or train_epoch(*them))
    run.fit(loader(), 1)
    assert given[0][0] is run.model and given[0][2] is run.optimizer


def to_the_end():
    return list(loader())


def to_a_nan():
    return [(POINTS * np.nan, LABELS)]


def to_ctrl_c():
    yield POINTS, LABELS
    raise KeyboardInterrupt


@pytest.mark.parametrize("batches", [to_the_end, to_a_nan, to_ctrl_c])
def test_after_an_epoch_the_optimizer_is_as_it_was(batches):
    run, own = trainer(), [lambda: None]
    run.optimizer.before_step = own
    try:
        run.fit(batches(), 1)
    except TrainingDiverged:
        assert batches is to_a_nan
    assert run.optimizer.before_step is own


def test_gradients_are_clipped_before_each_step():
    def clip(model):
        return optim.clip_grad_norm_(model.parameters(), 0.01)

    run, by_hand = trainer(), trainer()
    run.optimizer.before_step = [lambda: clip(run.model)]
    run.fit(loader(), 1)
    for x, y in loader():
        by_hand.optimizer.zero_grad()
        losses.cross_entropy(by_hand.model(Tensor(x, requires_grad=False)), y).backward()
        assert clip(by_hand.model) > 0.01
        by_hand.optimizer.step()
    assert weights(run.model) == weights(by_hand.model)


def test_a_gradient_that_was_mended_before_the_step_is_good():
    model = nn.Sequential(nn.Linear(2, 3), BadAtBack(), nn.Linear(3, 2))
    run = trainer(model)
    run.optimizer.before_step = [lambda: [p.grad.fill(0.0) for p in model.parameters()]]
    with np.errstate(all="ignore"):
        assert len(run.fit(loader(), 1)["loss"]) == 1


@pytest.mark.parametrize(
    ("answer", "error", "shown"),
    [
        (None, TypeError, "None"),
        (Tensor(0.5), TypeError, "Tensor"),
        ([0.5], TypeError, r"\[0.5\]"),
        (float("nan"), ValueError, "nan"),
        (np.arange(1000.0), TypeError, "ndarray|array"),
    ],
    ids=["None", "Tensor", "list", "nan", "array"],
)
def test_a_train_epoch_that_returns_no_mean_loss_is_named(answer, error, shown, monkeypatch):
    monkeypatch.setattr(training, "train_epoch", lambda *_: answer)
    with pytest.raises(error, match=f"(?s)train_epoch returned .*({shown}).*mean loss"):
        trainer().fit(loader(), 1)


@pytest.mark.parametrize("loss", [0.5, np.float64(0.5), None])
def test_a_loss_that_is_no_tensor_is_named(loss):
    model = net()
    run = Trainer(model, lambda answers, y: loss, optim.SGD(model.parameters(), 0.1), progress=False)
    with pytest.raises(TypeError, match="loss_fn must return a Tensor"):
        run.fit(loader(), 1)


@pytest.mark.parametrize(
    ("call", "error", "words"),
    [
        (lambda: Trainer(len, losses.cross_entropy, None), TypeError, "the model must be a Module"),
        (lambda: trainer(patience=0), ValueError, "patience must be at least 1, but it is 0"),
        (lambda: trainer().fit(loader(), 0), ValueError, "epochs must be at least 1, but it is 0"),
        (lambda: trainer().fit(loader(), 1.5), TypeError, "epochs must be a whole number, but it is 1.5"),
        (lambda: trainer().fit(loader(), True), TypeError, "epochs must be a whole number, but it is True"),
        (lambda: trainer(patience=2).fit(loader(), 1), ValueError, "give fit a val_loader"),
        (lambda: trainer().fit(loader(), 1, resume=True), ValueError, "resume goes on from a checkpoint"),
    ],
)
def test_a_wrong_request_is_named(call, error, words):
    with pytest.raises(error, match=words):
        call()


# ---- progress and log ----


def test_the_bar_shows_epoch_loss_and_accuracy(capsys):
    model = net()
    run = Trainer(model, losses.cross_entropy, optim.SGD(model.parameters(), 0.1))
    history = run.fit(loader(), 2, val_loader=loader())
    shown = capsys.readouterr().err.split("\r")[-1]
    assert "epoch 2/2" in shown and "100%" in shown
    assert f"loss {history['loss'][1]:.4f}, accuracy {100 * history['accuracy'][1]:.1f} %" in shown
    assert f"validation loss {history['val_loss'][1]:.4f}, accuracy {100 * history['val_accuracy'][1]:.1f} %" in shown


def test_without_progress_nothing_is_printed(capsys):
    trainer().fit(loader(), 2)
    assert capsys.readouterr() == ("", "")


def test_an_error_leaves_no_bar_behind(capsys, monkeypatch):
    monkeypatch.setattr(training, "train_epoch", lambda *_: None)
    model = net()
    with pytest.raises(TypeError):
        Trainer(model, losses.cross_entropy, optim.SGD(model.parameters(), 0.1)).fit(loader(), 2)
    assert capsys.readouterr().err.split("\r")[-1].strip() == ""


def rows(path):
    with open(path, newline="") as file:
        return list(csv.DictReader(file))


def test_the_log_has_a_row_for_each_epoch(tmp_path):
    history = trainer(log=tmp_path / "log.csv").fit(loader(), 3, val_loader=loader())
    assert [row["epoch"] for row in rows(tmp_path / "log.csv")] == ["1", "2", "3"]
    for name, values in history.items():
        assert [float(row[name]) for row in rows(tmp_path / "log.csv")] == values


# ---- early stop ----


class WithLosses(Trainer):
    """Its validation losses are given."""

    def validation(self):
        return {"val_loss": self.given[self.done], "val_accuracy": 0.5}


def with_losses(*given, patience, **options):
    model = net()
    run = WithLosses(
        model, losses.cross_entropy, optim.SGD(model.parameters(), 0.1), progress=False, patience=patience, **options
    )
    run.given = given
    return run


@pytest.mark.parametrize(
    ("given", "patience", "epochs", "best"),
    [
        ((3, 2, 2.5, 2.4, 1, 0), 2, 4, 2),
        ((3, 2, 2.5, 2.4, 1, 0), 3, 6, 6),
        ((3, 3, 3, 3, 3, 3), 2, 3, 1),
        ((3, float("nan"), 2, 4, 4, 4), 2, 5, 3),
        ((1, 2, 0.5, 2, 0.4, 2), 2, 6, 5),
    ],
)
def test_it_stops_when_patience_is_over_and_has_the_weights_of_its_best_epoch(given, patience, epochs, best):
    run = with_losses(*map(float, given), patience=patience)
    assert len(run.fit(loader(), 6, val_loader=loader())["loss"]) == epochs
    as_far = trainer()
    as_far.fit(loader(), best)
    assert weights(run.model) == weights(as_far.model)


def test_an_early_stop_is_told(capsys):
    with_losses(1.0, 2.0, 3.0, 4.0, patience=2).fit(loader(), 4, val_loader=loader())
    told = capsys.readouterr().out
    assert "after epoch 3" in told and "weights of epoch 1" in told


# ---- numbers gone bad ----


def deep(seed=0):
    rng = np.random.default_rng(seed)
    return nn.MLP([2, 5, 4, 2], "relu", rng)


def diverging(model, loss_fn=losses.cross_entropy, batches=None, lr=0.1):
    run = Trainer(model, loss_fn, optim.SGD(model.parameters(), lr), progress=False)
    with np.errstate(all="ignore"), pytest.raises(TrainingDiverged) as caught:
        run.fit(batches or loader(), 3)
    return str(caught.value)


def test_a_loss_that_is_no_number_stops_before_the_step():
    model, kept = deep(), []

    def broken(answers, targets):
        loss = losses.cross_entropy(answers, targets)
        kept.append(weights(model))
        return loss * float("nan") if len(kept) == 5 else loss

    words = diverging(model, broken)
    assert "epoch 2, batch 2: the loss is nan" in words and "that of layers.4.weight" in words
    assert "smaller lr (it is 0.1)" in words and "clip_grad_norm_" in words
    assert weights(model) == kept[-1] != kept[-2]


class BadAtBack(nn.Module):
    """Answers x, and spoils the gradient on its way back: a root whose slope at 0 is infinite."""

    def forward(self, x):
        return x + ((x - x.data).abs() ** 0.5).sum()


@pytest.mark.parametrize(("place", "first"), [(1, "layers.0.weight"), (3, "layers.2.weight"), (5, "layers.4.weight")])
def test_the_first_layer_on_the_way_back_whose_gradient_went_bad_is_named(place, first):
    rng = np.random.default_rng(0)
    parts = [nn.Linear(2, 4, rng=rng), nn.Tanh(), nn.Linear(4, 3, rng=rng), nn.Tanh(), nn.Linear(3, 2, rng=rng)]
    parts.insert(place, BadAtBack())
    model = nn.Sequential(*parts)
    before = weights(model)
    words = diverging(model)
    assert "epoch 1, batch 1: a gradient is nan or infinite" in words
    assert f"that of {first}." in words
    assert weights(model) == before


def test_the_order_of_the_way_back_is_that_of_the_graph_not_of_the_attributes():
    class Backwards(nn.Module):
        def __init__(self):
            self.last, self.first = nn.Linear(3, 2), nn.Linear(2, 3)

        def forward(self, x):
            return self.last(self.first(x))

    assert "that of last.weight." in diverging(Backwards(), lambda a, y: losses.cross_entropy(a, y) * float("inf"))


@pytest.mark.parametrize("kind", LOADERS)
@pytest.mark.parametrize(("inputs", "named"), [(True, "inputs"), (False, "targets")])
def test_bad_data_are_named(inputs, named, kind):
    x, y = POINTS.copy(), POINTS @ np.ones((2, 2))
    (x if inputs else y)[30, 0] = np.nan
    words = diverging(deep(), losses.mse_loss, LOADERS[kind](DataLoader(x, y, 16, shuffle=False)))
    assert "epoch 1, batch 2: the loss is nan. The parameters are" in words
    assert f"The {named} of this batch hold nan or infinite numbers" in words


def test_a_step_that_was_too_large_is_seen_in_the_weights():
    words = diverging(deep(), lambda answers, y: 1000 * losses.cross_entropy(answers, y), lr=1e307)
    assert "Already nan or infinite before this step: layers." in words


def test_an_infinite_loss_with_good_gradients_says_so():
    def too_large(answers, targets):
        loss = losses.cross_entropy(answers, targets)
        return loss + Tensor(np.inf, requires_grad=False)

    assert "the loss is inf" in (words := diverging(deep(), too_large)) and "All gradients are still finite." in words


def test_large_gradients_whose_sum_overflows_are_still_numbers():
    model = net(sizes=(2, 2))
    standing_still = trainer(model, lr=1e-300)
    standing_still.loss_fn = lambda answers, y: (answers * 1e308).sum() * 0.5
    with np.errstate(all="ignore"):
        assert len(standing_still.fit([(np.ones((1, 2)), np.array([0]))], 1)["loss"]) == 1


# ---- Ctrl-C ----


class Interrupting:
    """A loader in whose pass number `epoch` (from 1), after `batches` batches, somebody presses Ctrl-C."""

    def __init__(self, inner, epoch, batches):
        self.inner, self.at = inner, (epoch, batches)

    epoch = property(lambda self: self.inner.epoch, lambda self, value: setattr(self.inner, "epoch", value))

    def __iter__(self):
        for number, batch in enumerate(self.inner):
            if (self.inner.epoch, number) == self.at:
                raise KeyboardInterrupt
            yield batch


def test_ctrl_c_keeps_what_was_learnt(capsys):
    run, whole = trainer(), trainer()
    history = run.fit(Interrupting(loader(), 3, 2), 9)
    assert run.interrupted and history == whole.fit(loader(), 2)
    more = train_two_batches(whole)
    assert weights(run.model) == more
    told = capsys.readouterr().out
    assert told == ("Stopped in epoch 3, after 2 batches. The model keeps what it learnt. There is no checkpoint.\n")


def train_two_batches(run):
    """The weights after two more batches of the third pass."""
    batches = loader()
    batches.epoch = 2
    train_epoch(run.model, losses.cross_entropy, run.optimizer, list(batches)[:2])
    return weights(run.model)


def test_ctrl_c_tells_what_the_checkpoint_holds(tmp_path, capsys):
    trainer(checkpoint=tmp_path / "run.npz").fit(Interrupting(loader(), 3, 1), 9)
    assert "run.npz holds epoch 2: fit(..., resume=True)" in capsys.readouterr().out


def test_ctrl_c_in_the_first_epoch_writes_no_checkpoint_and_says_so(tmp_path, capsys):
    assert trainer(checkpoint=tmp_path / "run.npz").fit(Interrupting(loader(), 1, 1), 9) == {}
    assert "nothing was written" in capsys.readouterr().out and not list(tmp_path.iterdir())


def test_a_run_goes_on_after_ctrl_c_as_if_nothing_had_been(tmp_path):
    whole = Complex(tmp_path / "whole.npz")
    history = whole.fit(8)
    stopped = Complex(tmp_path / "run.npz")
    batches, validation = stopped.loaders
    stopped.trainer.fit(Interrupting(batches, 4, 2), 8, validation)
    assert stopped.fit(8, resume=True) == history  # the same objects, with half an epoch in them
    assert weights(stopped.model) == weights(whole.model) and not stopped.trainer.interrupted


def test_ctrl_c_while_the_checkpoint_is_written_leaves_the_one_before(tmp_path, monkeypatch, capsys):
    run, whole = Complex(tmp_path / "run.npz"), Complex(tmp_path / "whole.npz")
    writing, calls = np.lib.format.write_array, []

    def interrupted(*arguments, **options):
        calls.append(1)
        if run.trainer.done == 3:
            raise KeyboardInterrupt
        writing(*arguments, **options)

    monkeypatch.setattr(np.lib.format, "write_array", interrupted)
    assert len(run.fit(6)["loss"]) == 3
    monkeypatch.undo()
    assert "holds epoch 2" in capsys.readouterr().out
    assert [path.name for path in tmp_path.iterdir()] == ["run.npz"]
    assert run.fit(6, resume=True) == whole.fit(6)


# ---- after each epoch ----


def test_a_function_is_called_after_each_epoch_when_its_checkpoint_is_written(tmp_path, capsys):
    seen = []

    def after_epoch(run):
        seen.append((run.done, epochs_in(run.checkpoint), len(run.history["val_loss"])))
        return f"epoch {run.done} is over" if run.done < 3 else None

    run = trainer(checkpoint=tmp_path / "run.npz", after_epoch=after_epoch)
    history = run.fit(loader(), 3, loader())
    assert seen == [(1, 1, 1), (2, 2, 2), (3, 3, 3)]
    assert capsys.readouterr().out == "epoch 1 is over\nepoch 2 is over\n"
    assert history == trainer().fit(loader(), 3, loader())


# ---- checkpoint and resume ----


@pytest.mark.parametrize("epochs", [1, 4, 6])
def test_a_new_process_goes_on_bit_for_bit(epochs, tmp_path):
    whole = Complex(tmp_path / "whole.npz", log=tmp_path / "whole.csv")
    history = whole.fit(6)
    Complex(tmp_path / "run.npz", log=tmp_path / "run.csv").fit(epochs)
    resumed = Complex(tmp_path / "run.npz", log=tmp_path / "run.csv")
    resumed.model.load_state_dict({n: 0 * x for n, x in resumed.model.state_dict().items()})
    assert resumed.fit(6, resume=True) == history
    assert weights(resumed.model) == weights(whole.model)
    assert resumed.optimizer.lr == whole.optimizer.lr
    assert (tmp_path / "run.csv").read_text() == (tmp_path / "whole.csv").read_text()


@pytest.mark.parametrize("bits", ["PCG64", "PCG64DXSM", "MT19937", "Philox", "SFC64"])
def test_every_kind_of_generator_is_resumed(bits, tmp_path):
    def run():
        rng = np.random.Generator(getattr(np.random, bits)(4))
        model = nn.Sequential(
            nn.Linear(2, 4, rng=np.random.default_rng(0)), Dropout(0.5, rng), nn.Linear(4, 2, rng=rng)
        )
        return trainer(model, checkpoint=tmp_path / "run.npz")

    whole = run().fit(loader(), 4)
    run().fit(loader(), 2)
    assert run().fit(loader(), 4, resume=True) == whole


KILLED = """
import sys
sys.path.insert(0, {folder!r})
from test_trainer import Complex
run = Complex({path!r}, patience=50)
run.fit(100_000)
"""


@pytest.mark.leg("push")
def test_a_run_that_was_killed_goes_on_to_the_same_weights(tmp_path):
    path = tmp_path / "run.npz"
    code = KILLED.format(folder=str(Path(__file__).parent), path=str(path))
    child = subprocess.Popen([sys.executable, "-c", code], cwd=REFERENCE, stdout=subprocess.PIPE, text=True)
    epochs = random.randint(1, 10)
    while child.poll() is None and not (path.exists() and epochs_in(path) >= epochs):
        pass
    child.kill()  # SIGKILL: no line of Python runs any more
    child.communicate()
    held = epochs_in(path)
    assert child.returncode == -9 and held >= epochs
    resumed, whole = Complex(path, patience=50), Complex(tmp_path / "whole.npz", patience=50)
    assert resumed.fit(held + 3, resume=True) == whole.fit(held + 3)
    assert weights(resumed.model) == weights(whole.model)


def epochs_in(path):
    return len(nn.load(path)["history/loss"])


def test_an_early_stop_is_resumed_too(tmp_path):
    given = (3.0, 2.0, 2.5, 2.4, 1.0)
    with_losses(*given, patience=2, checkpoint=tmp_path / "run.npz").fit(loader(), 3, val_loader=loader())
    resumed = with_losses(*given, patience=2, checkpoint=tmp_path / "run.npz")
    assert len(resumed.fit(loader(), 5, val_loader=loader(), resume=True)["loss"]) == 4
    as_far = trainer()
    as_far.fit(loader(), 2)
    assert weights(resumed.model) == weights(as_far.model)


def test_nothing_is_trained_when_all_epochs_are_there(tmp_path):
    trainer(checkpoint=tmp_path / "run.npz").fit(loader(), 3)
    again = trainer(checkpoint=tmp_path / "run.npz")
    assert len(again.fit(loader(), 2, resume=True)["loss"]) == 3


def test_resume_without_a_checkpoint_starts_anew_and_says_so(tmp_path, capsys):
    run = trainer(checkpoint=tmp_path / "run.npz")
    assert run.fit(loader(), 2, resume=True) == trainer().fit(loader(), 2)
    assert "run.npz yet: training starts anew" in capsys.readouterr().out


def test_a_new_run_keeps_the_checkpoint_of_the_one_before(tmp_path):
    trainer(checkpoint=tmp_path / "run.npz").fit(loader(), 3)
    before = (tmp_path / "run.npz").read_bytes()
    trainer(checkpoint=tmp_path / "run.npz").fit(loader(), 1)
    assert (tmp_path / "run.before.npz").read_bytes() == before
    assert epochs_in(tmp_path / "run.npz") == 1


def test_a_checkpoint_holds_no_pickle(tmp_path):
    Complex(tmp_path / "run.npz", patience=3).fit(2)
    with np.load(tmp_path / "run.npz", allow_pickle=False) as file:
        assert all(file[name].dtype.kind in "fiubU" for name in file.files)


def with_adam(model, **options):
    return Trainer(model, losses.cross_entropy, optim.Adam(model.parameters()), progress=False, **options)


OTHERS = {
    "another model": (lambda path: trainer(net(sizes=(2, 9, 2)), checkpoint=path), "shape of layers.0.weight"),
    "more layers": (lambda path: trainer(net(sizes=(2, 8, 8, 2)), checkpoint=path), "missing: layers.4.weight"),
    "another optimizer": (
        lambda path: with_adam(net(), checkpoint=path),
        "optimizer: Adam here, SGD in the checkpoint",
    ),
    "more dropout": (
        lambda path: trainer(nn.Sequential(*net().layers, Dropout(0.1)), checkpoint=path),
        "random generators that are not both in the model and in the checkpoint: layers.3.rng",
    ),
}


@pytest.mark.parametrize("name", OTHERS)
def test_a_checkpoint_of_something_else_is_refused_and_nothing_is_changed(name, tmp_path):
    trainer(checkpoint=tmp_path / "run.npz").fit(loader(), 1)
    make, words = OTHERS[name]
    run = make(tmp_path / "run.npz")
    before, file = weights(run.model), (tmp_path / "run.npz").read_bytes()
    with pytest.raises(CheckpointError, match=words):
        run.fit(loader(), 2, resume=True)
    assert weights(run.model) == before and (tmp_path / "run.npz").read_bytes() == file


def test_a_schedule_or_validation_that_is_missing_is_named(tmp_path):
    Complex(tmp_path / "run.npz").fit(1)
    run = Complex(tmp_path / "run.npz")
    run.trainer.scheduler = None
    with pytest.raises(CheckpointError, match="scheduler: none here, CosineLR in the checkpoint"):
        run.fit(2, resume=True)
    run = Complex(tmp_path / "run.npz")
    with pytest.raises(CheckpointError, match="each epoch: not validated here, validated in the checkpoint"):
        run.trainer.fit(run.loaders[0], 2, resume=True)


@pytest.mark.parametrize("content", [b"", b"hello", None], ids=["empty", "text", "cut"])
def test_a_damaged_checkpoint_is_named(content, tmp_path):
    path = tmp_path / "run.npz"
    trainer(checkpoint=path).fit(loader(), 1)
    path.write_bytes(path.read_bytes()[:-100] if content is None else content)
    with pytest.raises(CheckpointError, match=r"run\.npz is not a saved state, or it is damaged"):
        trainer(checkpoint=path).fit(loader(), 2, resume=True)


def test_saved_weights_alone_are_no_checkpoint(tmp_path):
    net().save(tmp_path / "run.npz")
    with pytest.raises(CheckpointError, match="not a checkpoint of a Trainer"):
        trainer(checkpoint=tmp_path / "run.npz").fit(loader(), 2, resume=True)


def test_the_plain_optimizer_of_notebook_11_resumes_too(tmp_path):
    def run():
        model = net()
        optimizer = training.GradientDescent(model.parameters(), 0.1)
        return Trainer(model, losses.cross_entropy, optimizer, progress=False, checkpoint=tmp_path / "run.npz")

    whole = run().fit(loader(), 4)
    run().fit(loader(), 2)
    assert run().fit(loader(), 4, resume=True) == whole == trainer().fit(loader(), 4)


def test_an_optimizer_that_does_not_fit_leaves_the_model_as_it_was(tmp_path):
    def run(model, params):
        optimizer = optim.SGD(params, 0.1, momentum=0.9)
        return Trainer(model, losses.cross_entropy, optimizer, progress=False, checkpoint=tmp_path / "run.npz")

    model, other = net(), net(seed=1)
    run(model, model.parameters()).fit(loader(), 1)
    before = weights(other)
    with pytest.raises(CheckpointError, match="no parameter for"):
        run(other, other.parameters()[:2]).fit(loader(), 2, resume=True)
    assert weights(other) == before
