"""The two sides of a race in `make bench` train to the same numbers, and a promise that is broken is noticed."""

import os
import subprocess
import sys
from dataclasses import replace
from functools import partial
from itertools import count
from types import SimpleNamespace

import numpy as np
import pytest

import babygrad
from benchmarks import __main__ as command
from benchmarks import engine, language, measured, players, playground, reading, training_runs
from grader.course.paths import REFERENCE, ROOT
from toolbox import playground as shown
from toolbox.play import picture
from toolbox.training import runs

SMALL = engine.Step("small", (5, 7, 6, 3), batch=8, nonlin="tanh", most=1.0, compiled=1.0, calls=1)
SMALL_RELU = engine.Step("small", (5, 7, 3), batch=8, nonlin="relu", most=1.0, compiled=1.0, calls=1)


@pytest.fixture(autouse=True)
def elsewhere(monkeypatch, tmp_path):
    """What a test measures is no figure for README."""
    monkeypatch.setattr(measured, "FILE", tmp_path / "measured.json")


SLOW = {engine.TORCH_COMPILED}  # it calls a C++ compiler


class AdamInNumPy(engine.Limit):
    """Adam as its paper writes it, not in place."""

    means = squares = 0
    t = 0

    def update(self):
        self.t += 1
        self.means, self.squares = self.means or [0] * 9, self.squares or [0] * 9
        for i, (p, g) in enumerate(self.parameters):
            self.means[i] = 0.9 * self.means[i] + 0.1 * g
            self.squares[i] = 0.999 * self.squares[i] + 0.001 * g**2
            mean, square = self.means[i] / (1 - 0.9**self.t), self.squares[i] / (1 - 0.999**self.t)
            p -= engine.LEARNING_RATE * mean / (np.sqrt(square) + 1e-8)


@pytest.mark.parametrize("step", [SMALL, SMALL_RELU], ids=lambda step: step.nonlin)
@pytest.mark.parametrize("name", [name for name in engine.ENGINES if name not in SLOW])
def test_every_engine_takes_the_same_steps_as_the_limit(name, step):
    racer = engine.made(engine.ENGINES[name], step)
    if racer is None:
        pytest.skip(f"{name} is installed by requirements/bench.txt only")
    adam = name in (engine.ADAM, engine.COMPILED_ADAM)
    limit = (AdamInNumPy if adam else engine.Limit)(engine.Start(step))
    steps = [racer.step() for _ in range(5)]
    assert np.allclose(steps, [limit.step() for _ in range(5)], rtol=1e-12)
    assert steps[4] < steps[0]


def test_the_four_steps_and_their_promises_are_those_of_the_course():
    promised = {step.name: (step.most, step.compiled) for step in engine.STEPS}
    assert promised == {"T1": (3.3, 1.1), "T2": (2.4, 1.05), "T3": (1.7, 1.05), "T4": (1.15, 1.05)}
    assert (engine.ADAM_AT_MOST, engine.COMPILING_AT_MOST, engine.MEMORY_AT_MOST) == (1.15, 60, 1.05)
    assert training_runs.AT_LEAST == {"moons": 4.0, "digits": 2.5}


KEPT = {engine.OURS: 1.0, engine.WITH_NN: 1.05, engine.TORCH: 4.0, engine.HIPS: 11.0}
KEPT |= {engine.COMPILED: 1.0, engine.ADAM: 2.0, engine.COMPILED_ADAM: 2.2}
ALWAYS = [(engine.COMPILED, 1.11), (engine.COMPILED_ADAM, 2.31)]
BROKEN = {
    "T1": [(engine.OURS, 3.4), (engine.WITH_NN, 3.4), (engine.TORCH, 0.99), (engine.TORCH, 1.02), (engine.HIPS, 3.9)],
    "T2": [(engine.OURS, 2.5), (engine.WITH_NN, 2.5), (engine.TORCH, 0.99), (engine.TORCH, 1.02)],
    "T3": [(engine.OURS, 1.8), (engine.WITH_NN, 1.8), (engine.COMPILED, 1.06)],
    "T4": [(engine.OURS, 1.2), (engine.WITH_NN, 1.2), (engine.COMPILED, 1.06)],
}


@pytest.mark.parametrize("step", engine.STEPS, ids=lambda step: step.name)
def test_a_promise_that_is_not_kept_is_noticed(step):
    assert all(engine.promises(step, KEPT))
    for name, ratio in [*BROKEN[step.name], *ALWAYS]:
        assert not all(engine.promises(step, {**KEPT, name: ratio})), (name, ratio)


def test_the_engines_table_has_a_line_for_each_engine_and_its_limit(capsys, monkeypatch):
    absent = {engine.HIPS, engine.JAX, *SLOW}
    monkeypatch.setattr(engine, "ENGINES", {k: v for k, v in engine.ENGINES.items() if k not in absent})
    monkeypatch.setattr(engine, "ROUNDS", 1)
    monkeypatch.setattr(engine, "promises", lambda step, ratios: [True])
    assert engine.table(replace(SMALL, most=7.25, compiled=8.25))
    lines = capsys.readouterr().out.splitlines()
    assert [line for name in engine.ENGINES for line in lines if line.startswith(f"{name}  ")] == lines[2:]
    limited = [line for line in lines if line.endswith("7.25")]
    assert [line.startswith(f"{name}  ") for line, name in zip(limited, (engine.OURS, engine.WITH_NN))] == [True, True]
    assert len(limited) == 2
    assert [line.endswith("8.25") for line in lines if line.startswith(f"{engine.COMPILED}  ")] == [True]


def test_compiling_and_memory_are_promised_too(capsys, monkeypatch):
    monkeypatch.setattr(engine, "ROUNDS", 1)
    for promise, name in ((engine.compiling, "COMPILING_AT_MOST"), (engine.memory, "MEMORY_AT_MOST")):
        for limit in (1e9, 0):
            monkeypatch.setattr(engine, name, limit)
            assert promise(SMALL) is (limit > 0)
    assert "compiling small, in eager steps" in capsys.readouterr().out


# Whole runs.


def few():
    rng = np.random.default_rng(0)
    x, y = rng.normal(size=(13, 4)), rng.integers(3, size=13)
    return x[:8], x[8:], y[:8], y[8:]


TINY = training_runs.Run("tiny", (4, 5, 3), "relu", epochs=1, lr=0.1, momentum=0.9, data=few, batch=8)
NOT_THERE = replace(TINY, name="absent", data=lambda: training_runs.load_mnist_part("no-such-folder", "test"))


@pytest.mark.parametrize("run", training_runs.RUNS, ids=lambda run: run.name)
def test_both_sides_of_a_run_start_from_equal_weights_of_their_own(run):
    ours, compiled, theirs = (side(run).weights() for side in training_runs.SIDES.values())
    assert training_runs.apart_at_most(ours, compiled) == 0
    assert training_runs.apart_at_most(ours, theirs) == 0
    assert [w.shape for w, _ in ours] == list(zip(run.sizes, run.sizes[1:]))
    ours[0][0][0, 0] += 0.5
    assert training_runs.apart_at_most(ours, theirs) == pytest.approx(0.5)


def test_both_sides_of_a_run_come_to_the_same_numbers():
    run = replace(TINY, epochs=3, batch=3, nonlin="tanh")
    ours, compiled, theirs = (results[-1] for results in training_runs.measured(run, rounds=1).values())
    assert training_runs.apart_at_most(ours.weights, compiled.weights) < 1e-14
    assert training_runs.apart_at_most(ours.weights, theirs.weights) < 1e-14
    assert compiled.loss == pytest.approx(ours.loss, rel=1e-13)
    assert ours.loss == pytest.approx(theirs.loss, rel=1e-13)
    assert ours.accuracy == theirs.accuracy
    assert training_runs.apart_at_most(ours.weights, training_runs.Babygrad(run).weights()) > 1e-3


def test_a_runs_seed_deals_both_sides_the_same_batches():
    class Recorder:
        def __init__(self):
            self.dealt = []

        def epoch(self, batches):
            self.dealt += [x.tobytes() + y.tobytes() for x, y in batches]

        def scores(self, x):
            return np.zeros((len(x), 3))

        def weights(self):
            return []

    one, other = Recorder(), Recorder()
    for side in (one, other):
        training_runs.trained(side, replace(TINY, epochs=2, batch=3), few())
    assert one.dealt == other.dealt
    assert len(set(one.dealt)) == 6


def test_the_three_runs_are_those_of_the_course():
    runs = [(run.name, run.sizes, run.epochs) for run in training_runs.RUNS]
    assert runs == [
        ("moons", (2, 32, 32, 2), 200),
        ("digits", (64, 64, 10), 30),
        ("mnist", (784, 128, 10), 1),
    ]


def test_the_runs_table_shows_time_ratio_loss_accuracy_and_agreement_of_both(capsys, monkeypatch):
    monkeypatch.setattr(training_runs, "RUNS", (TINY,))
    monkeypatch.setattr(training_runs, "ROUNDS", 1)
    assert training_runs.main()
    _, head, title, ours, compiled, theirs, _ = capsys.readouterr().out.splitlines()
    assert compiled.split()[:2] == ["babygrad,", "compiled"]
    assert head.split()[-5:] == ["time", "ratio", "loss", "accuracy", "apart"]
    assert title == "tiny, 4-5-3 relu, one epoch"
    assert ours.split()[0] == "babygrad" and ours.split()[-1] == "%"
    assert theirs.strip().startswith(training_runs.TORCH) and float(theirs.split()[-1]) <= training_runs.AGREE
    assert ours.split()[-3:] == theirs.split()[-4:-1]


def test_a_run_without_its_files_is_left_out_with_one_line(capsys):
    assert training_runs.row(NOT_THERE)
    printed = capsys.readouterr()
    assert printed.out == ""
    assert len(printed.err.splitlines()) == 1
    assert printed.err.startswith("absent is left out: ") and "no-such-folder" in printed.err


def test_mnist_is_read_from_the_folder_that_the_environment_names(monkeypatch, tmp_path):
    monkeypatch.setenv("BABYGRAD_MNIST", str(tmp_path / "mine"))
    with pytest.raises(FileNotFoundError, match="mine"):
        training_runs.mnist()


@pytest.mark.parametrize("there", ["data/mnist", "../shared/data/mnist"])
def test_mnist_is_read_from_the_usual_folder_that_is_there(there, monkeypatch, tmp_path):
    (tmp_path / "course").mkdir()
    (tmp_path / "course" / there).mkdir(parents=True)
    monkeypatch.delenv("BABYGRAD_MNIST", raising=False)
    monkeypatch.setattr(training_runs, "ROOT", tmp_path / "course")
    assert training_runs.mnist_folder().resolve() == (tmp_path / "course" / there).resolve()


# Reading.


def test_what_is_promised_of_the_filters_is_what_the_course_promises():
    promised = reading.AT_LEAST, reading.MOST_SECONDS, len(reading.SEEDS), reading.MOST_TIMES
    assert promised == (0.975, 180, 5, 1.1)


def test_a_convolution_that_is_too_slow_or_wrong_is_noticed(monkeypatch, capsys):
    monkeypatch.setattr(reading, "ROUNDS", 1)
    monkeypatch.setattr(reading, "MOST_TIMES", 1e9)
    assert reading.speed("small", 2, 8, 3)
    assert "small" in capsys.readouterr().out
    monkeypatch.setattr(reading, "MOST_TIMES", 0)
    assert not reading.speed("small", 2, 8, 3)
    by_hand = reading.by_hand
    monkeypatch.setattr(reading, "MOST_TIMES", 1e9)
    monkeypatch.setattr(reading, "by_hand", lambda *given: [x + 1 for x in by_hand(*given)])
    assert not reading.speed("small", 2, 8, 3)


@pytest.mark.parametrize(("shares", "kept"), [([0.5, 0.98], True), ([0.98, 0.97], False)])
def test_a_net_that_reads_too_little_or_too_slowly_is_noticed(monkeypatch, capsys, shares, kept):
    monkeypatch.setattr(reading.mnist_filters, "shares", lambda *_: iter(shares))
    monkeypatch.setattr(runs.FilterRun, "split", lambda *_: runs.Split(*np.zeros((4, 3))))
    assert reading.reads("folder") is kept
    assert f"mean {shares[-1]:.2%}, at least 97.5%" in capsys.readouterr().out
    monkeypatch.setattr(reading, "MOST_SECONDS", -1)
    assert not reading.reads("folder")


# Language.

LITTLE = language.Promise("little", order=2, seconds=3600, to_the_end=True, faster=0.0, steps=2)


@pytest.fixture
def little(monkeypatch):
    """A run on the cities that takes no time, and its promise."""
    run = replace(language.run_of(language.PROMISES[0]), context=6, features=8, heads=2, layers=2, stride=40, epochs=3)
    monkeypatch.setattr(language, "run_of", lambda promise: run)
    monkeypatch.setattr(language, "ROUNDS", 1)
    return run


def test_the_three_sides_of_a_transformer_take_the_same_steps(little):
    batches = language.batches_of(little, 4) * 2
    steps = [[side.step(*batch) for batch in batches] for side in [make(little) for make in language.SIDES.values()]]
    assert np.allclose(steps[1], steps[0], rtol=1e-12, atol=0) and np.allclose(steps[2], steps[0], rtol=1e-11, atol=0)
    assert steps[0][4] < steps[0][0]


def test_what_is_promised_of_the_transformers_is_what_the_course_promises():
    promised = [(p.name, p.order, p.seconds, p.faster) for p in language.PROMISES]
    assert promised == [("cities", 2, 60, 1.0), ("manual", 3, 900, 0.0)]


def test_a_transformer_that_is_too_slow_or_goes_apart_is_noticed(little, monkeypatch, capsys):
    assert language.speed(LITTLE)
    lines = capsys.readouterr().out.splitlines()
    assert [line.split("  ")[1] for line in lines[:3]] == list(language.SIDES)
    assert not language.speed(replace(LITTLE, faster=1e9))
    assert "at least 1000000000.00" in capsys.readouterr().out
    monkeypatch.setattr(language, "AGREE", -1.0)
    assert not language.speed(LITTLE)


@pytest.mark.leg("push")
def test_a_transformer_that_learns_too_little_or_too_slowly_is_noticed(little, monkeypatch, capsys):
    assert not language.learned(LITTLE), "three epochs of a few steps are not enough to beat the bigrams"
    found = dict(line.strip().split("  ", 1) for line in capsys.readouterr().out.splitlines())
    assert [*found] == ["after 3 of 3 epochs", "unigram model", "bigram model", "trigram model",
                        "all characters equally likely", "trained for"]  # fmt: skip
    assert found["bigram model"].split()[0] == "3.990"
    monkeypatch.setattr(language.text, "bits_per_character", lambda model, tokens: 3.98)
    assert language.learned(LITTLE) and not language.learned(replace(LITTLE, seconds=0))


@pytest.mark.parametrize(("to_the_end", "epochs"), [(True, 3), (False, 1)])
@pytest.mark.leg("push")
def test_a_run_ends_where_its_promise_says(little, to_the_end, epochs):
    assert language.trained(replace(LITTLE, to_the_end=to_the_end), little, goal=100.0)[1] == epochs
    assert language.trained(replace(LITTLE, to_the_end=to_the_end), little, goal=0.0)[1] == 3


# The command.


def test_weights_that_do_not_agree_give_exit_code_1(capsys, monkeypatch):
    monkeypatch.setattr(training_runs, "RUNS", (TINY,))
    monkeypatch.setattr(training_runs, "ROUNDS", 1)
    assert command.main(["runs"]) == 0
    monkeypatch.setattr(training_runs, "AGREE", -1.0)
    assert command.main(["runs"]) == 1


def test_a_broken_promise_of_an_engine_gives_exit_code_1_and_what_was_measured_is_kept(monkeypatch, capsys):
    monkeypatch.setattr(engine, "MEASURED", {})
    monkeypatch.setattr(engine, "STEPS", (SMALL,))
    monkeypatch.setattr(engine, "ROUNDS", 1)
    monkeypatch.setattr(engine, "ENGINES", {k: engine.ENGINES[k] for k in (engine.LIMIT, engine.OURS, engine.WITH_NN)})
    everything = {engine.TORCH: float("inf"), engine.HIPS: float("inf"), engine.ADAM: 1}
    everything |= {engine.COMPILED: 0, engine.COMPILED_ADAM: 0}
    monkeypatch.setattr(engine, "COMPILING_AT_MOST", 1e9)
    monkeypatch.setattr(engine, "MEMORY_AT_MOST", 1e9)
    promises = engine.promises
    monkeypatch.setattr(engine, "promises", lambda step, ratios: promises(step, {**everything, **ratios}))
    monkeypatch.setattr(engine, "STEPS", (replace(SMALL, most=1e9),))
    assert command.main(["engine"]) == 0
    monkeypatch.setattr(engine, "STEPS", (replace(SMALL, most=0.0),))
    assert command.main(["engine"]) == 1
    kept = measured.read()["engine"]
    assert kept["measured"]["small"].keys() == engine.ENGINES.keys() and kept["measured"]["small"][engine.LIMIT] == 1
    assert "NumPy" in kept["machine"] and kept["date"].startswith("20")


def test_a_benchmark_that_does_not_exist_is_named_with_those_that_do(capsys):
    assert command.main(["runs", "rnus"]) == 2
    printed = capsys.readouterr()
    assert "no benchmark rnus" in printed.err and "checks, scalar, engine, runs" in printed.err
    assert printed.out == ""


def test_each_part_of_the_command_is_a_file_with_a_main():
    for name in command.PARTS:
        assert callable(command.part(name).main), name


# Players.


@pytest.mark.parametrize("nodes", players.LIMITS)
def test_a_measured_player_shows_a_graph_of_so_many_nodes(nodes):
    root = players.graph(nodes, seed=0)
    assert len(babygrad.value.topological_order(root)) == nodes
    assert len({node.label for node in babygrad.value.topological_order(root)} - {""}) == nodes // 3


@pytest.mark.parametrize(("slower", "larger", "kept"), [(1, 1, True), (3, 1, False), (1, 3, False)])
def test_a_player_that_takes_too_long_or_is_too_large_is_noticed(monkeypatch, capsys, slower, larger, kept):
    row = {"frames": 30, "bytes": 60_000, "bytes_of_60": 70_000 * larger, "first": 0.5 * slower, "again": 0.03}
    monkeypatch.setattr(players, "_in_a_process", lambda nodes: row)
    assert players.main() == kept
    assert f"{70 * larger} kB" in capsys.readouterr().out


# What the course's parts for training cost to import.


def test_training_with_nn_imports_nothing_heavy_and_needs_no_other_part_first():
    """In a process of its own: nn alone must be enough for a Tensor to have its operations."""
    code = """
import sys, babygrad as bg
from babygrad import init, layers, losses, nn, normalize, optim, training
from toolbox.data import idx, sets
from toolbox.training import monitor
model = nn.MLP([2, 3, 2], "tanh")
loader = bg.DataLoader([[1.0, 2.0], [3.0, 4.0]], [0, 1], 2)
training.train_epoch(model, losses.cross_entropy, optim.SGD(model.parameters(), 0.1), loader)
print({"matplotlib", "sklearn", "torch", "tqdm", "scipy"} & sys.modules.keys())
"""
    paths = os.pathsep.join([str(REFERENCE), str(ROOT)])
    run = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "PYTHONPATH": paths},
        cwd=REFERENCE,
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.stdout.strip() == "set()", run.stderr


@pytest.mark.parametrize(("rates", "kept"), [((10.0, 2.0), True), ((9.9, 2.0), False), ((99.0, 1.9), False)])
@pytest.mark.leg("push")
def test_a_slow_playground_is_noticed(capsys, monkeypatch, rates, kept):
    taken = iter(rates)
    monkeypatch.setattr(playground, "measured", lambda training, picture: (next(taken), 2000, training.engine.title))
    assert playground.main() is kept
    assert [line.split()[3] for line in capsys.readouterr().out.splitlines()[2:]] == ["Tensors", "Values"]


def test_the_playground_is_measured_while_it_learns(monkeypatch):
    monkeypatch.setattr(playground, "time", SimpleNamespace(perf_counter=partial(next, count(0, 0.01))))
    rate, size, name = playground.measured((training := shown("tensor").training), picture, seconds=0.1)
    assert rate * 0.2 > training.steps / 5 >= 1 and 1000 < size < 12_000
    assert name == "Tensors 2 x 16, 5 steps of 50"
