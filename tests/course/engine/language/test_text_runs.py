"""The two runs of a transformer: small ones, stopped and resumed; what they write."""

from dataclasses import replace

import numpy as np
import pytest

from toolbox.data import text
from toolbox.training.runs import RUNS
from toolbox.training.trainer import Trainer

SMALL = dict(context=6, features=8, heads=2, layers=1, stride=20, epochs=4)


def small(name, **changes):
    return replace(RUNS[name], **{**SMALL, **changes})


def trained(run, path=None, resume=False, compile=False, stop_after=None, seed=0):
    """(history, weights, what it wrote after each epoch) of a run, as make train makes it."""
    written, model = [], run.model(seed)

    def after_epoch(trainer):
        written.append(run.sample(model, (seed, trainer.done)))
        if trainer.done == stop_after:
            raise KeyboardInterrupt

    optimizer = run.optimizer(model)
    trainer = Trainer(
        model,
        run.loss_fn,
        optimizer,
        scheduler=run.scheduler(optimizer, run.epochs),
        checkpoint=path,
        progress=False,
        compile=compile,
        after_epoch=after_epoch,
    )
    train, validation = run.loaders(run.split(), seed)
    history = trainer.fit(train, run.epochs, validation, resume)
    return history, {name: x.tobytes() for name, x in model.state_dict().items()}, written


@pytest.mark.parametrize("compile", [False, True], ids=["eager", "compiled"])
@pytest.mark.leg("push")
def test_a_run_that_was_stopped_goes_on_bit_for_bit(compile, tmp_path, capsys):
    run = small("cities")
    history, weights, written = trained(run, tmp_path / "whole.npz", compile=compile)
    stopped = trained(run, tmp_path / "run.npz", compile=compile, stop_after=2)
    assert len(stopped[0]["loss"]) == 2 and "run.npz holds epoch 2" in capsys.readouterr().out
    resumed = trained(run, tmp_path / "run.npz", resume=True, compile=compile)
    assert resumed[1] == weights and repr(resumed[0]) == repr(history)  # repr: nan is not equal to itself
    assert stopped[2] + resumed[2] == written and written[0] != written[-1]


@pytest.mark.leg("push")
def test_compiled_and_eager_runs_come_to_the_same_numbers():
    (eager, _, wrote), (compiled, _, wrote_too) = (trained(small("cities"), compile=compile) for compile in (0, 1))
    for name in ("loss", "val_loss", "lr"):
        np.testing.assert_allclose(compiled[name], eager[name], rtol=1e-9)
    assert wrote == wrote_too


def test_the_learning_rate_warms_up_and_falls_and_gradients_are_clipped():
    run = small("cities")
    model = run.model()
    optimizer = run.optimizer(model)
    schedule, rates = run.scheduler(optimizer, 4), []
    for _ in range(4):
        rates.append(optimizer.lr)
        schedule.step()
    assert rates[0] == run.lr / 2 and rates[1] == run.lr > rates[2] > rates[3] > 0
    assert run.scheduler(run.optimizer(model), 1).lr_at(0) == run.lr
    for p in model.parameters():
        p.grad = np.ones(p.shape)
    optimizer.step()
    assert sum((p.grad**2).sum() for p in model.parameters()) == pytest.approx(1, rel=1e-5)


@pytest.mark.parametrize("name", ["cities", "manual"])
def test_what_a_model_writes_depends_on_the_seed_alone(name):
    run = small(name, length=3, times=60)  # so short and so many that some are empty
    model = run.model()
    model.train()
    one, again, other = (run.sample(model, seed) for seed in ((3, 1), (3, 1), (3, 2)))
    assert one == again != other and model.training
    assert 1 < len(one) <= run.times - (name == "cities") and all(one)
    assert set("".join(one)) <= set(run.corpus.vocabulary.characters)


def test_the_targets_are_the_inputs_shifted_by_one():
    for name in ("cities", "manual"):
        run = RUNS[name]
        split, corpus = run.split(), run.corpus
        np.testing.assert_array_equal(split.x_train[:, 1:], split.y_train[:, :-1])
        np.testing.assert_array_equal(split.x_train[1], corpus.train[run.stride : run.stride + run.context])
        np.testing.assert_array_equal(split.x_val[1], corpus.validation[run.context : 2 * run.context])


@pytest.mark.leg("night")
def test_a_whole_run_on_the_cities_is_better_than_models_that_count():
    """It takes a second. benchmarks/language.py has the manual's, and the times."""
    run = RUNS["cities"]
    model = run.model()
    optimizer = run.optimizer(model)
    trainer = Trainer(
        model, run.loss_fn, optimizer, progress=False, scheduler=run.scheduler(optimizer, run.epochs), compile=True
    )
    trainer.fit(run.loaders(run.split())[0], run.epochs)
    bigram, trigram = (text.best_counts(run.corpus, order).bits(run.corpus.test) for order in (2, 3))
    assert text.bits_per_character(model, run.corpus.test) < trigram < bigram
