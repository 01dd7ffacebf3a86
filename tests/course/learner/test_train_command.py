"""python -m grader train: the reference and half-filled packages, stopped and resumed, with and without MNIST; text."""

import gzip
import html
import re
import shutil
import signal
import struct
import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest

from babygrad import nn
from grader.course import stubs
from grader.course.paths import REFERENCE, ROOT
from grader.learner import compiled_steps
from grader.learner.train import Options
from toolbox.data import sets as data
from toolbox.training.runs import RUNS
from toolbox.training.trainer import Trainer

FILES = ("png", "html", "npz", "csv")


def command(*words):
    return [sys.executable, "-m", "grader", "train", *map(str, words)]


def train(*words):
    return subprocess.run(command(*words), capture_output=True, text=True, cwd=ROOT)


def package_without(folder, *files):
    """A copy of the reference in which these files are stubs."""
    shutil.copytree(REFERENCE / "babygrad", folder / "babygrad", ignore=shutil.ignore_patterns("__pycache__"))
    for name in files:
        (folder / "babygrad" / name).write_text(stubs.generated()[name])
    return folder


def change(package, file, old, new):
    path = package / "babygrad" / file
    text = path.read_text()
    assert text.count(old) == 1
    path.write_text(text.replace(old, new))


@pytest.fixture(scope="module")
def moons(tmp_path_factory):
    """What a short run printed, and the folder with its files."""
    folder = tmp_path_factory.mktemp("moons")
    return train("moons", "--package", REFERENCE, "--epochs", 3, "--out", folder), folder


def colours(path):
    import matplotlib.image

    image = matplotlib.image.imread(path)[..., :3]
    return len(np.unique(image.reshape(-1, 3), axis=0))


@pytest.mark.leg("push")
def test_it_says_what_it_trains_how_well_and_where_everything_is(moons):
    run, folder = moons
    assert run.returncode == 0, run.stderr
    assert "1,000 points to train on, 4,000 to validate. MLP 2-32-32-2 tanh, 3 epochs." in run.stdout
    assert "% of 4,000 points it was not trained on" in run.stdout
    for ending in FILES:
        assert (folder / f"moons.{ending}").is_file() and str(folder / f"moons.{ending}") in run.stdout


@pytest.mark.leg("push")
def test_it_shows_its_progress(moons):
    assert "epoch 3/3 100%" in moons[0].stderr and "accuracy" in moons[0].stderr


def test_the_accuracy_is_that_of_the_last_epoch(moons):
    run, folder = moons
    history = nn.load(folder / "moons.npz")
    assert f"{history['history/val_accuracy'][-1]:.1%} of 4,000" in run.stdout
    assert len((folder / "moons.csv").read_text().splitlines()) == 4


@pytest.mark.leg("night")
def test_the_film_is_of_this_run(moons, tmp_path):
    page = (moons[1] / "moons.html").read_text(encoding="utf-8")
    assert "Epoch 3, step 48: loss " in page and "of 200 points" in page
    shutil.copytree(moons[1], tmp_path / "on")
    words = "--package", REFERENCE, "--resume", "--no-progress", "--out", tmp_path / "on"
    assert train("moons", *words, "--epochs", 3).returncode == 0
    assert (tmp_path / "on" / "moons.html").read_text(encoding="utf-8") == page, (
        "nothing was trained, and the film is lost"
    )
    assert train("moons", *words, "--epochs", 4).returncode == 0
    assert "After epoch 3, where the run went on: " in (tmp_path / "on" / "moons.html").read_text(encoding="utf-8")


@pytest.mark.leg("night")
def test_the_picture_is_not_blank(moons, tmp_path):
    import matplotlib.pyplot as plt

    plt.figure().savefig(tmp_path / "blank.png")
    plt.close("all")
    assert colours(moons[1] / "moons.png") > 50 > colours(tmp_path / "blank.png")


@pytest.mark.leg("night")
def test_without_progress_only_the_outcome_is_printed(tmp_path):
    run = train("digits", "--package", REFERENCE, "--epochs", 1, "--out", tmp_path, "--no-progress")
    assert run.returncode == 0 and run.stderr == ""
    assert colours(tmp_path / "digits.png") > 50
    assert "a sample has 64 numbers" in (tmp_path / "digits.html").read_text(encoding="utf-8")


@pytest.mark.leg("night")
def test_ctrl_c_says_how_to_go_on_and_the_run_goes_on_to_the_same_numbers(tmp_path):
    words = "moons", "--package", REFERENCE, "--no-progress", "--out"
    run = subprocess.Popen(
        command(*words, tmp_path / "a", "--epochs", 100_000),
        stdout=subprocess.PIPE,
        text=True,
    )
    while run.poll() is None and not (tmp_path / "a" / "moons.npz").exists():
        pass
    run.send_signal(signal.SIGINT)
    printed, _ = run.communicate()
    assert run.returncode == 130
    assert "Stopped in epoch" in printed and (tmp_path / "a" / "moons.png").is_file()
    go_on = f"make train DATA=moons PACKAGE=solutions ARGS='--resume --epochs 100000 --out {tmp_path / 'a'}'"
    assert f"To continue: {go_on}" in printed
    epochs = len(nn.load(tmp_path / "a" / "moons.npz")["history/loss"]) + 2
    assert train(*words, tmp_path / "a", "--epochs", epochs, "--resume").returncode == 0
    assert train(*words, tmp_path / "b", "--epochs", epochs).returncode == 0
    assert (tmp_path / "a" / "moons.csv").read_text() == (tmp_path / "b" / "moons.csv").read_text()


@pytest.mark.leg("night")
def test_after_notebook_11_the_moons_are_trained_and_what_misses_for_the_digits_is_said(tmp_path):
    package = package_without(tmp_path / "mine", "optim.py", "normalize.py")
    words = "--package", package, "--epochs", 1, "--out", tmp_path / "out"
    assert train("moons", *words).returncode == 0
    run = train("digits", *words)
    assert run.returncode == 1 and "Traceback" not in run.stderr
    last = run.stdout.splitlines()[-1]
    assert last.startswith("Exercise 12.1 (SGD.update) is not filled in yet: babygrad/optim.py, line ")


@pytest.mark.leg("push")
def test_it_trains_the_package_it_is_given(tmp_path):
    package = package_without(tmp_path)
    path = package / "babygrad" / "training.py"
    path.write_text(path.read_text().replace("return total / samples", "return None"))
    run = train("moons", "--package", package, "--epochs", 1, "--out", tmp_path)
    assert run.returncode == 1
    assert "TypeError: train_epoch returned None" in run.stderr


def test_a_file_that_python_cannot_read_is_named(tmp_path):
    package = package_without(tmp_path)
    with open(package / "babygrad" / "nn.py", "a") as file:
        file.write("def broken(:\n")
    run = train("moons", "--package", package, "--out", tmp_path)
    assert run.returncode == 1 and run.stderr == ""
    assert run.stdout.startswith("Python could not read babygrad/nn.py, line ")


@pytest.mark.leg("night")
def test_a_run_that_diverges_says_where_and_exits_with_1(tmp_path):
    package = package_without(tmp_path)
    change(package, "training.py", "super().__init__(params, lr)", "super().__init__(params, 1e100)")
    change(package, "nn.py", "ACTIVATIONS[activation], rng", "ReLU, rng")
    run = train("moons", "--package", package, "--out", tmp_path, "--no-progress")
    assert run.returncode == 1 and "Traceback" not in run.stderr
    assert "epoch 1, batch " in run.stdout and "layers." in run.stdout
    assert run.stdout.endswith(f"What came before:\n  film        {tmp_path / 'moons.html'}\n")
    film = (tmp_path / "moons.html").read_text(encoding="utf-8")
    assert "Before the first step: loss " in film and "Epoch 1, step 1: loss " in film


@pytest.mark.leg("night")
def test_a_run_that_diverges_before_its_first_step_leaves_no_film(tmp_path):
    package = package_without(tmp_path)
    last = "super().__init__(*mlp_layers(dims, ACTIVATIONS[activation], rng))"
    change(package, "nn.py", last, f"{last}; self.parameters()[0].data[...] = np.nan")
    run = train("moons", "--package", package, "--out", tmp_path, "--no-progress")
    assert run.returncode == 1 and "Traceback" not in run.stderr
    assert "epoch 1, batch 1" in run.stdout and "film" not in run.stdout
    assert not (tmp_path / "moons.html").exists()


@pytest.mark.leg("night")
def test_a_damaged_checkpoint_is_named_and_kept(tmp_path):
    (tmp_path / "moons.npz").write_bytes(b"damaged")
    run = train("moons", "--package", REFERENCE, "--out", tmp_path, "--resume", "--no-progress")
    assert run.returncode == 1 and "moons.npz is not a saved state" in run.stdout and run.stderr == ""
    assert (tmp_path / "moons.npz").read_bytes() == b"damaged" and not (tmp_path / "moons.html").exists()


@pytest.mark.parametrize(
    ("words", "named"),
    [
        (["stars"], "Choose from moons, digits, mnist, cities, manual"),
        ([], "DATA"),
        (["moons", "--epochs", "0"], "epochs"),
        (["moons", "--seed", "-1"], "seed"),
        (["moons", "--package", "no/such/folder"], "no/such/folder"),
        (["moons", "--out", "README.md"], "README.md"),
    ],
)
def test_a_usage_error_exits_with_2_and_names_it(words, named):
    run = train(*words)
    assert run.returncode == 2
    assert named in run.stderr and "Traceback" not in run.stderr


# ---- MNIST ----


def idx(path, array):
    header = struct.pack(f">HBB{array.ndim}I", 0, 8, array.ndim, *array.shape)
    path.write_bytes(gzip.compress(header + array.astype(np.uint8).tobytes()))


@pytest.fixture
def write_mnist(tmp_path):
    """Writes files like MNIST's, with few digits.  Returns their folder."""

    def write(**sizes):
        rng = np.random.default_rng(0)
        for prefix, size in sizes.items():
            idx(tmp_path / f"{prefix}-images-idx3-ubyte.gz", rng.integers(0, 256, (size, 28, 28)))
            idx(tmp_path / f"{prefix}-labels-idx1-ubyte.gz", np.arange(size) % 10)
        return tmp_path

    return write


def test_all_four_files_are_trained_on_and_validated_with_as_published(write_mnist):
    split = RUNS["mnist"].split(0, write_mnist(train=30, t10k=20))
    assert (len(split.x_train), len(split.x_val), split.note) == (30, 20, "")


def test_the_test_files_alone_are_split_the_same_way_each_time_and_a_note_says_so(write_mnist):
    folder = write_mnist(t10k=50)
    split, other = RUNS["mnist"].split(0, folder), RUNS["mnist"].split(1, folder)
    assert (len(split.x_train), len(split.x_val)) == (40, 10)
    assert "40 of their digits" in split.note and "not comparable with published numbers" in split.note
    np.testing.assert_array_equal(split.x_val, other.x_val)
    whole = data.load_mnist_part(folder, "test")[0]
    assert {row.tobytes() for row in whole} == {row.tobytes() for part in (split.x_train, split.x_val) for row in part}


@pytest.mark.leg("night")
def test_mnist_is_trained_from_the_folder_that_is_named(write_mnist, tmp_path):
    folder = write_mnist(t10k=50)
    words = "--package", REFERENCE, "--epochs", 1, "--out", tmp_path / "out", "--no-progress"
    run = train("mnist", "--data", folder, *words)
    assert run.returncode == 0, run.stderr
    assert "not comparable with published numbers" in run.stdout
    assert colours(tmp_path / "out" / "mnist.png") > 50


def test_missing_files_of_mnist_are_named(tmp_path):
    run = train("mnist", "--package", REFERENCE, "--data", tmp_path, "--out", tmp_path / "out")
    assert run.returncode == 1 and run.stderr == ""
    for prefix in ("train", "t10k"):
        assert f"{prefix}-images-idx3-ubyte, {prefix}-labels-idx1-ubyte" in run.stdout
    assert "docs/using.md says where" in run.stdout


def test_a_damaged_file_of_mnist_is_named(write_mnist, tmp_path):
    folder = write_mnist(t10k=50)
    (folder / "t10k-images-idx3-ubyte.gz").write_bytes(b"")
    run = train("mnist", "--package", REFERENCE, "--data", folder, "--out", tmp_path / "out")
    assert run.returncode == 1 and "t10k-images-idx3-ubyte.gz is empty" in run.stdout


# ---- the runs ----


def test_moons_descends_plainly_to_what_sgd_comes_to():
    from babygrad import optim

    run = RUNS["moons"]
    split, results = run.split(), []
    for make in (run.optimizer, lambda model: optim.SGD(model.parameters(), 0.05)):
        model = run.model()
        Trainer(model, run.loss_fn, make(model), progress=False).fit(run.loaders(split)[0], 3)
        results.append([x.tobytes() for x in model.state_dict().values()])
    assert results[0] == results[1]


@pytest.mark.leg("night")
@pytest.mark.parametrize("name", ["moons", "digits"])
def test_a_whole_run_reaches_what_the_course_promises(name):
    run = RUNS[name]
    split, model = run.split(), run.model()
    train_loader, val_loader = run.loaders(split)
    history = Trainer(model, run.loss_fn, run.optimizer(model), progress=False).fit(
        train_loader, run.epochs, val_loader
    )
    assert history["val_accuracy"][-1] >= 0.95


def test_the_data_of_a_run_depend_on_its_seed():
    for name in ("moons", "digits"):
        one, again, other = (RUNS[name].split(seed) for seed in (0, 0, 1))
        assert np.array_equal(one.x_train, again.x_train) and not np.array_equal(one.x_train, other.x_train)


def test_each_package_and_each_seed_has_files_of_its_own():
    several = [Options("moons"), Options("digits"), Options("moons", seed=2), Options("moons", REFERENCE)]
    assert len({options.file("npz") for options in several}) == 4


def test_what_is_typed_to_go_on_repeats_what_was_asked():
    assert Options("moons").to_go_on() == "make train DATA=moons ARGS=--resume"
    assert Options("digits", epochs=5, seed=3).to_go_on() == (
        "make train DATA=digits ARGS='--resume --epochs 5 --seed 3'"
    )


# ---- text ----

SHORT = "--epochs", 2, "--no-progress"


@pytest.fixture(scope="module")
def cities(tmp_path_factory):
    """What a short run printed, and the folder with its files."""
    folder = tmp_path_factory.mktemp("cities")
    return train("cities", "--package", REFERENCE, *SHORT, "--out", folder), folder


@pytest.mark.leg("night")
def test_it_says_what_it_trains_what_it_writes_how_well_and_where_everything_is(cities):
    run, folder = cities
    assert run.returncode == 0 and run.stderr == ""
    first, *samples, last = run.stdout.partition("  picture")[0].splitlines()
    assert first.startswith("cities: 3,290 characters to train on, 392 to validate, 396 for the end. Transformer: ")
    assert first.endswith("context 16; 2 epochs.")
    assert [samples[0], samples[2]] == ["epoch 1", "epoch 2"] and samples[1] != samples[3]
    assert all(line.startswith("    ") and ", " in line for line in samples[1::2])
    assert last.startswith("Bits per character of 396 that it was not trained on: ")
    assert "after 2 epochs; 3.99 a bigram model; 3.93 a trigram model." in last
    for ending in FILES:
        assert (folder / f"cities.{ending}").is_file() and str(folder / f"cities.{ending}") in run.stdout
    assert colours(folder / "cities.png") > 50


@pytest.mark.leg("push")
def test_the_film_says_what_it_wrote_after_each_epoch(cities):
    run, folder = cities
    page = html.unescape((folder / "cities.html").read_text(encoding="utf-8"))
    for epoch, written in re.findall(r"^epoch (\d)\n    (.+)$", run.stdout, re.MULTILINE):
        assert re.search(rf"Epoch {epoch}: bits per character [\d.]+ in training, [\d.]+ in validation\.", page)
        assert f"It writes: {written}" in page
    assert "a sample has" not in page


@pytest.mark.leg("night")
def test_what_a_run_wrote_before_it_was_resumed_is_left_open(cities, tmp_path):
    shutil.copytree(cities[1], tmp_path / "on")
    words = "--package", REFERENCE, "--resume", "--no-progress", "--epochs", 3, "--out", tmp_path / "on"
    assert train("cities", *words).returncode == 0
    page = (tmp_path / "on" / "cities.html").read_text(encoding="utf-8")
    said = re.findall(r"Epoch (\d): bits[^\"<\n]* in validation\.( It writes: )?", page)
    assert set(said) == {("1", ""), ("2", ""), ("3", " It writes: ")}


@pytest.mark.leg("night")
def test_samples_stand_above_the_progress_bar(tmp_path):
    run = train("cities", "--package", REFERENCE, "--epochs", 1, "--out", tmp_path)
    assert run.returncode == 0 and "epoch 1/1 100%" in run.stderr
    assert "\nepoch 1\n    " in run.stdout


def package_whose_compiler_ends_with(line, folder):
    package = package_without(folder / "package")
    with open(package / "babygrad" / "compiler.py", "a") as file:
        file.write(f"\n\ndef without_unused(program):\n    {line}\n")
    return package


@pytest.mark.leg("night")
@pytest.mark.parametrize(
    ("line", "why"),
    [
        (
            'raise NotImplementedError("exercise 15.2: without_unused")',
            "Exercise 15.2 without_unused is not filled in yet.",
        ),
        ("return None", "The compiler stopped with "),
    ],
    ids=["unfilled", "wrong"],
)
def test_without_a_compiler_the_run_is_the_same_and_says_why_it_is_slower(line, why, cities, tmp_path):
    package = package_whose_compiler_ends_with(line, tmp_path)
    run = train("cities", "--package", package, *SHORT, "--out", tmp_path / "out")
    assert run.returncode == 0 and run.stderr == ""
    said = run.stdout.splitlines()[1]
    assert said.startswith(why) and said.endswith("So the steps are not compiled: the same numbers, only slower.")
    assert why not in cities[0].stdout and "compile" not in cities[0].stdout
    rows, wanted = ((folder / "cities.csv").read_text().split()[1:] for folder in (tmp_path / "out", cities[1]))
    for row, other in zip(rows, wanted, strict=True):
        assert [float(x) for x in row.split(",")] == pytest.approx([float(x) for x in other.split(",")], nan_ok=True)


def test_a_compiler_with_other_numbers_is_not_used(monkeypatch):
    class Wrong(Trainer):
        """Its compiled steps come to a little more."""

        def fit(self, *arguments):
            super().fit(*arguments)
            if self.compiled:
                self.model.parameters()[0].data[0, 0] += 1e-5

    run = replace(RUNS["cities"], context=6, features=8, heads=2, layers=1)
    assert compiled_steps.why_not_compiled(run, run.split()) == ""
    monkeypatch.setattr(compiled_steps, "Trainer", Wrong)
    assert compiled_steps.why_not_compiled(run, run.split()) == "The compiled step came to other numbers."


def test_a_transformer_that_is_not_written_is_named(tmp_path):
    package = package_without(tmp_path / "mine")
    path = package / "babygrad" / "transformer.py"
    body = (
        'def language_loss(logits, targets):\n    raise NotImplementedError("exercise 16.8: language_loss")\n\n\ndef '
    )
    path.write_text(path.read_text().replace("def language_loss(", f"{body}other_loss("))
    run = train("cities", "--package", package, *SHORT, "--out", tmp_path / "out")
    assert run.returncode == 1 and run.stderr == ""
    assert run.stdout.splitlines()[-1].startswith(
        "Exercise 16.8 (language_loss) is not filled in yet: babygrad/transformer.py, line "
    )
