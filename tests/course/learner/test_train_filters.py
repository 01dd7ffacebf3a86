"""python -m grader train --net conv: a net of filters, its film and checkpoint; what notebook 17 shows of MNIST."""

import html
import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest

from grader.course.paths import LEARNER, REFERENCE, ROOT
from grader.learner.train import Options
from toolbox import Pad
from toolbox.training import mnist_filters
from toolbox.training.quick import program_text, quick
from toolbox.training.runs import RUNS, WITH_FILTERS, Split


def train(*words):
    command = [sys.executable, "-m", "grader", "train", *map(str, words), "--net", "conv", "--no-progress"]
    return subprocess.run(command, capture_output=True, text=True, cwd=ROOT)


@pytest.fixture(scope="module")
def short(tmp_path_factory):
    """Two short runs: one of two epochs, and one of one epoch that was resumed."""
    whole, parted = tmp_path_factory.mktemp("whole"), tmp_path_factory.mktemp("parted")
    runs = [train("digits", "--package", REFERENCE, "--epochs", 2, "--out", whole)]
    runs.append(train("digits", "--package", REFERENCE, "--epochs", 2, "--out", parted))
    return runs, whole, parted


@pytest.mark.leg("night")
def test_a_net_of_filters_is_trained_with_a_film_of_them(short):
    (run, _), folder, _ = short
    assert run.returncode == 0 and run.stderr == ""
    assert run.stdout.startswith(
        "digits: 1,437 digits to train on, 360 to validate. Filters of 3x3: 8, then 16 of them"
    )
    assert "% of 360 digits it was not trained on." in run.stdout
    for ending in ("png", "html", "npz", "csv"):
        assert (folder / f"digits-conv.{ending}").is_file() and str(folder / f"digits-conv.{ending}") in run.stdout
    page = html.unescape((folder / "digits-conv.html").read_text(encoding="utf-8"))
    assert "Before the first step: the filters are random numbers." in page and "After epoch 2:" in page


@pytest.mark.leg("night")
def test_the_checkpoint_holds_the_running_numbers_and_the_same_run_ends_the_same(short):
    _, *folders = short
    one, other = (np.load(folder / "digits-conv.npz") for folder in folders)
    assert any("running_mean" in name for name in one.files)
    assert all(np.array_equal(one[name], other[name]) for name in one.files if name.startswith("model"))


@pytest.mark.leg("night")
def test_an_exercise_that_is_missing_is_named(tmp_path):
    run = train("digits", "--package", LEARNER, "--out", tmp_path)
    assert run.returncode == 1 and "Exercise " in run.stdout and "is not filled in yet" in run.stdout


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["moons"], "There is no run 'moons' with NET=conv. Choose from digits, mnist."),
        (["digits", "--net", "lstm"], "There is no net 'lstm'. NET=conv has filters; without NET it is the usual one."),
    ],
)
def test_what_is_not_there_is_said(words, said):
    command = [sys.executable, "-m", "grader", "train", "--package", str(REFERENCE), "--net", "conv", *words]
    run = subprocess.run(command, capture_output=True, text=True, cwd=ROOT)
    assert run.returncode == 2 and said in run.stderr


def test_what_is_typed_to_go_on_names_the_net():
    assert "make train DATA=mnist NET=conv" in Options("mnist", net="conv").to_go_on()
    assert Options("mnist", net="conv").to_start() == "make train DATA=mnist NET=conv"
    assert Options("mnist", net="conv", seed=3).file("npz").name == "mnist-conv-seed3.npz"


@pytest.mark.parametrize("name", WITH_FILTERS)
def test_runs_of_filters_take_the_same_data(name):
    run = WITH_FILTERS[name]
    assert run.read is RUNS[name].read and run.sizes[0] == RUNS[name].sizes[0]
    model = run.model(0)
    assert model(mnist_filters.conv.Tensor(np.zeros((2, run.sizes[0])))).shape == (2, 10)
    assert run.scheduler(run.optimizer(model), 4) is not None


# What notebook 17 shows of MNIST.


def test_without_mnist_a_recorded_run_is_shown(monkeypatch, tmp_path):
    monkeypatch.delenv("BABYGRAD_MNIST", raising=False)
    monkeypatch.chdir(tmp_path)
    reading = mnist_filters.reading_mnist()
    assert reading.told.startswith("MNIST's files are not here. A run that was recorded:\nMNIST, 8,000 pictures")
    assert reading.filters.shape == (8, 5, 5) and reading.titles[0] == "read as 7" != reading.titles[1]
    assert np.abs(reading.fooled - reading.picture).max() <= mnist_filters.STEP + 1e-9
    assert reading.picture.shape == reading.saliency.shape == reading.fooled.shape == (28, 28)
    assert reading.net is None


def test_with_mnist_a_net_is_trained(monkeypatch):
    rng = np.random.default_rng(0)
    data = rng.random((40, 784)), np.arange(40) % 10
    split = Split(data[0][:30], data[1][:30], data[0][30:], data[1][30:])
    run = replace(WITH_FILTERS["mnist"], batch=10, read=lambda *_: split)
    monkeypatch.setitem(WITH_FILTERS, "mnist", run)
    reading = mnist_filters.trained("somewhere", epochs=1)
    assert reading.told.splitlines()[1].startswith("epoch 1   ")
    assert reading.filters.shape == (8, 5, 5) and reading.saliency.shape == (28, 28)
    assert Pad(*reading.net).read({"strokes": [], "digit": 3, "moved": [0, 0]})["said"].startswith("Read as ")


def test_a_step_is_taken_as_it_is_where_the_compiler_is_not_written(monkeypatch):
    taken = []

    def stub(step):
        def call(*_):
            raise NotImplementedError("exercise 15.1: noted")

        return call

    monkeypatch.setattr("babygrad.compile", stub)
    run = quick(lambda x: taken.append(x))
    run(1), run(2)
    assert taken == [1, 2]


def test_another_stub_is_not_hidden(monkeypatch):
    def stop(*_):
        raise NotImplementedError("exercise 17.3: conv2d")

    monkeypatch.setattr("babygrad.compile", lambda step: step)
    with pytest.raises(NotImplementedError, match=r"exercise 17\.3"):
        quick(stop)(1)


def test_without_the_compiler_there_are_words_in_place_of_the_program(monkeypatch):
    def stub(step):
        raise NotImplementedError("exercise 15.1: noted")

    monkeypatch.setattr("babygrad.compile", lambda step: stub)
    assert "your compiler is not there yet (exercise 15.1: noted)" in program_text(lambda x: x, 1)


def test_of_a_program_that_has_another_stub_nothing_is_hidden(monkeypatch):
    def stub(step):
        raise NotImplementedError("exercise 17.3: conv2d")

    monkeypatch.setattr("babygrad.compile", lambda step: stub)
    with pytest.raises(NotImplementedError, match=r"exercise 17\.3"):
        program_text(lambda x: x, 1)
