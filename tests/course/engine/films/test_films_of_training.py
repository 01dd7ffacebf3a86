"""Films of 10, 11 and 12: what their frames say is what an independent computation finds, and they are small."""

import importlib
import re
import runpy
from pathlib import Path

import numpy as np
import pytest

from babygrad import losses, nn, optim
from babygrad.arrays import DataLoader
from babygrad.layers import softmax_jacobian, softmax_rows
from babygrad.tensor import Tensor
from babygrad.training import train_epoch
from grader.course.packages import imported_by_name, private_copy
from grader.course.paths import LEARNER, REFERENCE
from grader.course.stub_message import unfilled_by
from toolbox.data.sets import load_digits, make_moons
from toolbox.films.curves import Panel, ends
from toolbox.films.dead_units import lights_go_out
from toolbox.films.gradient_sizes import gradients_move
from toolbox.films.races import race_down, race_on
from toolbox.films.softmaxes import one_logit_moves
from toolbox.training.monitor import GradientMonitor
from toolbox.training.trainer import Trainer, predict

crosses_shown = runpy.run_path(str(Path(__file__).with_name("crosses.py")))["crosses_shown"]
NUMBER = re.compile(r"-?\d+(?:,\d{3})*(?:\.\d+)?(?:e-?\d+)?")
FILMS = ("races", "softmaxes")
CURVATURE = np.array([0.5, 10.0])


def numbers(text):
    return [float(number.replace(",", "")) for number in NUMBER.findall(text)]


def path(moved):
    """The places of a curve, in pixels."""
    return np.array(numbers(moved["d"].replace("M", " ").replace("L", " "))).reshape(-1, 2)


def place(moved):
    return np.array(numbers(moved["style"]))


def whole(film, number=0):
    """The places of the curves of a film that are drawn whole, in pixels: a list of arrays (n, 2)."""
    inside = re.findall(r'<svg data-key="[^"]*" width="0"[^>]*>(.*?)</svg>', film.picture)[number]
    return [path({"d": d}) for d in re.findall(r' d="([^"]*)"', inside)]


def is_linear(values, pixels):
    """Do the pixels follow the values on one straight scale?"""
    scale = np.polyfit(values, pixels, 1)
    np.testing.assert_allclose(np.polyval(scale, values), pixels, atol=0.11)  # they have one digit
    assert abs(scale[0]) > 1


# ---- training ----


@pytest.fixture(scope="module")
def moons():
    return filmed_moons()


def filmed_moons():
    """A Trainer that has filmed a training, and the points and labels."""
    x, y = make_moons(300, 0.2, seed=4)
    model = nn.MLP((2, 8, 2), "tanh", np.random.default_rng(1))
    optimizer = optim.SGD(model.parameters(), 0.3)
    trainer = Trainer(model, losses.cross_entropy, optimizer, film=True, progress=False)
    trainer.fit(DataLoader(x, y, 30, seed=2), 25)
    return trainer, x, y


def by_hand(x, y, epochs=25):
    """{step: (the loss of its batch, the boundary's wrong points among the first 200, the model's weights)}."""
    model = nn.MLP((2, 8, 2), "tanh", np.random.default_rng(1))
    optimizer, loader, found = optim.SGD(model.parameters(), 0.3), DataLoader(x, y, 30, seed=2), {}
    for batch in (batch for _ in range(epochs) for batch in loader):
        wrong = int((predict(model, x[:200]).argmax(axis=1) != y[:200]).sum())
        cost = train_epoch(model, losses.cross_entropy, optimizer, [batch])
        found[len(found)] = cost, wrong
    wrong = int((predict(model, x[:200]).argmax(axis=1) != y[:200]).sum())
    return found | {len(found): (None, wrong)}


def test_the_film_of_a_training_says_step_loss_and_wrong_points(moons):
    trainer, x, y = moons
    film, found = trainer.film(), by_hand(x, y)
    assert 30 <= len(film) <= 60
    last = 0
    for number, frame in enumerate(film.frames):
        told = numbers(frame.sentence)
        if number == 0:
            assert frame.sentence.startswith("Before the first step: ")
            loss, wrong = told[:2]
            assert loss == pytest.approx(found[0][0], abs=0.0051)
            step = 0
        else:
            epoch, step, loss, wrong = told[:4]
            since = [found[i][0] for i in range(int(last), int(step))]
            assert epoch == -(-step // 10) and loss == pytest.approx(np.mean(since), abs=0.0051)
        assert wrong == found[step][1]
        last = step
    assert last == 250


def test_in_the_film_the_curve_grows_and_as_many_crosses_are_drawn_as_points_are_wrong(moons):
    film = moons[0].film()
    [curve] = whole(film)
    assert len(curve) == len(film)
    for number, (frame, crosses) in enumerate(zip(film.frames, crosses_shown(film), strict=True)):
        wrong = numbers(frame.sentence)[1 if number == 0 else 3]
        assert crosses == wrong
        assert place(frame.moved["now"]) == pytest.approx(curve[number])
        assert float(frame.moved["loss"]["width"]) == curve[number, 0]
    moments = moons[0].recording.moments
    is_linear([moment.step for moment in moments], curve[:, 0])
    is_linear([moment.loss for moment in moments], curve[:, 1])


class Fixed(nn.Module):
    """Answers f(points), with one parameter that does nothing."""

    def __init__(self, f):
        self.f, self.nothing = f, nn.Parameter([0.0])

    def forward(self, points):
        return self.f(points).reshape(-1, 1) + self.nothing * 0.0


@pytest.mark.parametrize(
    ("f", "words"),
    [
        (lambda points: points[:, 0] - points[:, 1], " The boundary is nearly straight."),
        (lambda points: 1 - (points * points).sum(axis=1), " The boundary is closed."),
        (lambda points: points[:, 1] - points[:, 0].abs() * 2, " The boundary is 2."),
        (lambda points: points[:, 0] * 0.0 + 1.0, "wrong side."),
    ],
)
def test_the_form_of_the_boundary_is_told(f, words):
    x = np.random.default_rng(0).normal(size=(100, 2))
    y = np.arange(100) % 2
    model = Fixed(f)
    trained = Trainer(model, one_score, optim.SGD(model.parameters(), 1e-9), film=True, progress=False)
    trained.fit(DataLoader(x, y, 50), 1)
    last = trained.film().frames[-1].sentence
    assert words in last and (last.endswith("wrong side.") or words.startswith(" The"))


def one_score(answers, targets):
    return (answers * answers).mean()


def test_a_film_of_digits_shows_the_curves_and_says_why_there_is_no_boundary():
    x, y = load_digits()
    model = nn.MLP((64, 10), "relu", np.random.default_rng(0))
    trained = Trainer(model, losses.cross_entropy, optim.SGD(model.parameters(), 0.1), film=True, progress=False)
    history = trained.fit(DataLoader(x[:500], y[:500], 50), 70, DataLoader(x[500:900], y[500:900], 400))
    film = trained.film()
    assert len(film) == 60 and "a sample has 64 numbers" in film.caption
    for frame in film.frames:
        epoch, loss, val_loss, accuracy, val_accuracy = numbers(frame.sentence)
        row = {name: values[int(epoch) - 1] for name, values in history.items()}
        assert (loss, val_loss) == pytest.approx((row["loss"], row["val_loss"]), abs=0.00051)
        assert (accuracy, val_accuracy) == pytest.approx((100 * row["accuracy"], 100 * row["val_accuracy"]), abs=0.051)
    assert [numbers(film.frames[i].sentence)[0] for i in (0, -1)] == [1, 70]
    is_linear(history["loss"], whole(film)[0][:, 1])
    is_linear(history["val_accuracy"], whole(film, 1)[1][:, 1])


def test_a_film_of_a_resumed_run_says_where_it_begins(tmp_path):
    x, y = make_moons(60, 0.2, seed=4)

    def fit(epochs, resume):
        model = nn.MLP((2, 4, 2), "tanh", np.random.default_rng(1))
        optimizer = optim.SGD(model.parameters(), 0.3)
        options = dict(film=True, progress=False, checkpoint=tmp_path / "run.npz")
        trained = Trainer(model, losses.cross_entropy, optimizer, **options)
        trained.fit(DataLoader(x, y, 30, seed=2), epochs, resume=resume)
        return trained.film()

    fit(3, False)
    film = fit(5, True)
    assert film.frames[0].sentence.startswith("After epoch 3, where the run went on: ")
    assert film.frames[1].sentence.startswith("Epoch 4, step 1: ") and len(film) == 5
    nothing_left = fit(5, True)
    assert len(nothing_left) == 5 and nothing_left.frames[0].sentence.startswith("Epoch 1: ")


# ---- races ----


def descend(make_optimizer, steps=60):
    p = Tensor(np.array([-8.0, 1.5]))
    optimizer, places = make_optimizer([p]), [[-8.0, 1.5]]
    for _ in range(steps):
        optimizer.zero_grad()
        (p * p * CURVATURE).sum().backward()
        optimizer.step()
        places.append(p.data.copy())
    return np.array(places)


RACERS = {
    "SGD": lambda params: optim.SGD(params, 0.05),
    "momentum": lambda params: optim.SGD(params, 0.05, momentum=0.8),
    "Nesterov": lambda params: optim.SGD(params, 0.05, momentum=0.8, nesterov=True),
}


def in_numpy(momentum, nesterov=False, lr=0.05, steps=60):
    """The same descents from the book's formulas."""
    p, v, places = np.array([-8.0, 1.5]), np.zeros(2), [(-8.0, 1.5)]
    for _ in range(steps):
        gradient = 2 * CURVATURE * p
        v = momentum * v + gradient
        p = p - lr * (gradient + momentum * v if nesterov else v)
        places.append(tuple(p))
    return np.array(places)


EXPECTED = {"SGD": in_numpy(0), "momentum": in_numpy(0.8), "Nesterov": in_numpy(0.8, True)}


def test_the_race_says_where_each_is_and_moves_it_there():
    film = race_down(RACERS, descend, CURVATURE, steps=40)
    assert len(film) == 41
    for step, frame in enumerate(film.frames):
        told = numbers(frame.sentence)
        told = told[1:] if step else told
        for index, places in enumerate(EXPECTED.values()):
            x, y, height = told[3 * index : 3 * index + 3]
            assert (x, y) == pytest.approx(places[step], abs=0.0501)
            assert height == pytest.approx((places[step] ** 2 * CURVATURE).sum(), rel=0.051)
            assert len(path(frame.moved[f"trace{index}"])) == step + 1
    for index, places in enumerate(EXPECTED.values()):
        now = np.array([place(frame.moved[f"now{index}"]) for frame in film.frames])
        is_linear(places[:41, 0], now[:, 0])
        is_linear(places[:41, 1], now[:, 1])


def test_the_race_says_once_who_runs_past_and_who_arrives():
    text = str(race_down(RACERS, descend, CURVATURE, steps=60))
    for name, places in EXPECTED.items():
        past = np.flatnonzero(places[:, 0] > 0)
        low = np.flatnonzero((places**2 * CURVATURE).sum(axis=1) < 0.01)
        for words, steps in ((f"Now past the star: {name}.", past), (f"First below 0.01: {name}.", low)):
            lines = [line for line in text.splitlines() if words in line]
            assert len(lines) == (len(steps) > 0)
            assert all(f"  Step {steps[0]}: " in line for line in lines)


def unfilled(params):
    raise NotImplementedError("exercise 12.3: RMSprop.update")


def test_who_is_not_filled_in_stays_away_and_is_named():
    film = race_down({**RACERS, "RMSprop": unfilled}, descend, CURVATURE)
    assert "Without RMSprop (exercise 12.3: RMSprop.update)." in film.caption
    assert "RMSprop at" not in str(film)
    with pytest.raises(NotImplementedError, match=r"exercise 12\.3"):
        race_down({"RMSprop": unfilled}, descend, CURVATURE)
    assert "Without RMSprop" in race_on({"one": lambda: 0, "RMSprop": unfilled}, curves_of).caption


def curves_of(maker):
    maker = maker() if maker is not unfilled else maker(None)
    return [2.0, 1.0, 0.5], [0.25, 0.5, 0.75]


def test_the_race_of_curves_says_what_it_was_given():
    given = {"a": ([2.0, 1.0, 0.5], [0.25, 0.5, 0.75]), "b": ([2.5, 0.4, 0.3], [0.5, 0.9, 0.95])}
    film = race_on({name: name for name in given}, lambda name: given[name])
    assert len(film) == 3
    for epoch, frame in enumerate(film.frames):
        wanted = [number for losses, shares in given.values() for number in (losses[epoch], 100 * shares[epoch])]
        assert numbers(frame.sentence) == pytest.approx([epoch + 1, *wanted])
        for panel in (0, 1):
            curves = whole(film, panel)
            assert float(frame.moved[f"curves{panel}"]["width"]) == curves[0][epoch, 0]
            assert [place(frame.moved[f"d{panel}.{i}"]).tolist() for i in (0, 1)] == [c[epoch].tolist() for c in curves]
    is_linear([*given["a"][0], *given["b"][0]], np.vstack(whole(film))[:, 1])


# ---- softmax ----


def test_the_film_of_a_softmax_says_its_probabilities_and_their_rate():
    film = one_logit_moves(softmax_rows, softmax_jacobian)
    assert len(film) == 33
    fastest = []
    for logit, frame in zip(np.linspace(-4, 4, 33), film.frames):
        p = np.exp([1, 2, logit]) / np.exp([1, 2, logit]).sum()
        nudged = np.exp([1, 2, logit + 1e-6]) / np.exp([1, 2, logit + 1e-6]).sum()
        told = numbers(frame.sentence)
        assert told == pytest.approx([1, 2, logit, *p, np.e, (nudged[2] - p[2]) / 1e-6], abs=0.0051)
        heights = [float(frame.moved[f"bar{i}"]["height"]) for i in range(3)]
        is_linear([0, *p], [0, *heights])
        assert [float(frame.texts[f"p{i}"]) for i in range(3)] == pytest.approx(p, abs=0.00051)
        if "fastest" in frame.sentence:
            fastest.append(logit)
    assert fastest == [2.25]  # log(e + e²) = 2.31
    is_linear(
        softmax_rows(np.array([[1, 2, s] for s in np.linspace(-4, 4, 33)])).T.ravel(), np.vstack(whole(film))[:, 1]
    )


def test_the_film_of_a_softmax_is_made_by_the_functions_it_is_given():
    film = one_logit_moves(lambda rows: rows * 0 + 1 / 3, lambda row: np.full((3, 3), 0.5))
    assert "0.333, 0.333, 0.333; p₁ is 1.00 times p₀. p₂ grows by 0.500" in film.frames[5].sentence


# ---- units and gradients ----


def dying(lr):
    x, y = load_digits()
    net = nn.MLP([64, 20, 10], "relu", np.random.default_rng(0))
    return net, optim.SGD(net.parameters(), lr), DataLoader(x[:300], y[:300], 20, seed=0)


def test_a_light_is_out_when_its_unit_answers_0_for_every_sample():
    nets = {f"lr {lr}": dying(lr)[:2] for lr in (0.5, 2.5)}
    film = lights_go_out(nets, losses.cross_entropy, dying(1)[2], epochs=2, every=5)
    assert len(film) == 1 + 2 * 3
    on = {}
    wanted = []
    for lr in (0.5, 2.5):
        net, optimizer, loader = dying(lr)
        out = [silent(net, loader)]
        for batches in (list(loader), list(loader)):
            for start in range(0, 15, 5):
                train_epoch(net, losses.cross_entropy, optimizer, batches[start : start + 5])
                out.append(silent(net, loader))
        wanted.append(out)
    assert 0 < wanted[1][-1].sum() != wanted[0][-1].sum()
    for number, frame in enumerate(film.frames):
        on |= frame.texts
        for net in (0, 1):
            assert [on[f"u{net}.{unit}"] == "" for unit in range(20)] == wanted[net][number].tolist()
            assert on[f"n{net}"] == f"{wanted[net][number].sum()} dead"
        assert f"lr 2.5: {wanted[1][number].sum()} of 20 units" in frame.sentence


def silent(net, loader):
    """Which units of the first layer answer 0 for all samples."""
    x, _ = loader.dataset
    first = net.layers[0]
    return ~((x @ first.weight.data + first.bias.data) > 0).any(axis=0)


def test_the_loader_is_as_it_was_and_each_net_is_dealt_the_same_batches():
    loader = dying(1)[2]
    film = lights_go_out({"one": dying(0.5)[:2], "two": dying(0.5)[:2]}, losses.cross_entropy, loader, epochs=2)
    assert loader.epoch == 0
    for frame in film.frames:
        one, two = re.search(r"one: (.*); two: (.*)\.$", frame.sentence).groups()
        assert one == two


def test_the_bars_of_gradients_are_the_norms_of_each_step():
    x, y = make_moons(50, 0.2, seed=1)
    net = nn.MLP([2, 6, 5, 2], "sigmoid", np.random.default_rng(0))
    monitor, optimizer, norms = GradientMonitor(net), optim.SGD(net.parameters(), 0.5), []
    for _ in range(21):
        optimizer.zero_grad()
        losses.cross_entropy(net(Tensor(x, requires_grad=False)), y).backward()
        norms.append([np.linalg.norm(layer.weight.grad) for layer in net.layers if isinstance(layer, nn.Linear)])
        optimizer.step()
        monitor.record()
    film = gradients_move({"a net": monitor}, every=2)
    assert len(film) == 11
    for step, frame in zip(range(0, 21, 2), film.frames):
        told = numbers(frame.sentence)
        assert told[0] == step + 1 and told[1:] == pytest.approx(norms[step], rel=0.51)
    heights = [[float(f.moved[f"b0.{layer}"]["height"]) for layer in range(3)] for f in film.frames]
    is_linear(np.log10(norms[::2]).ravel(), np.ravel(heights))


# ---- the learner's own ----


def test_where_the_learners_exercise_is_missing_its_stub_is_what_is_met():
    """A notebook makes one line of that: tests/course/notebook/test_stub_stop.py."""
    with imported_by_name(LEARNER) as mine:
        films = {name: importlib.import_module(f"toolbox.films.{name}") for name in FILMS}
        p = mine.Tensor([1.0, 2.0])
        for expected, film in {
            "10.3": lambda: films["softmaxes"].one_logit_moves(mine.layers.softmax_rows, mine.layers.softmax_jacobian),
            "12.1": lambda: films["races"].race_down(
                {"SGD": lambda _: mine.optim.SGD([p], 0.1).update(p, {})}, lambda make: make([p]), CURVATURE
            ),
        }.items():
            with pytest.raises(NotImplementedError) as error:
                film()
            assert unfilled_by(error.value).id == expected


def test_a_trainer_with_a_film_meets_the_stub_of_the_epoch():
    with private_copy(LEARNER) as unfilled, imported_by_name(REFERENCE) as mine:
        mine.training.train_epoch = unfilled.training.train_epoch
        model = mine.nn.MLP((2, 4, 2), "tanh", np.random.default_rng(0))
        options = dict(film=True, progress=False)
        trainer = importlib.import_module("toolbox").Trainer(
            model, mine.losses.cross_entropy, mine.SGD(model.parameters(), 0.1), **options
        )
        with pytest.raises(NotImplementedError) as error:
            trainer.fit(mine.DataLoader(*make_moons(20), 5), 1)
        assert unfilled_by(error.value).id == "11.8"
        with pytest.raises(RuntimeError, match="no epoch was complete"):
            trainer.film()


def test_an_axis_begins_at_0_or_close_to_its_curves():
    curves = {"training": [4.4, 3.9, 3.7], "validation": [4.2, float("nan"), 4.0]}
    assert ends(Panel("loss", curves)) == pytest.approx((0, 1.05 * 4.4))
    low, high = ends(Panel("loss", curves, close=True))
    assert 3.6 < low < 3.7 and 4.4 < high < 4.5
    assert ends(Panel("loss", curves | {"a": [4.0], "b": [4.0]}, close=True))[1] > 4.7, "no room for four names"
    low, high = ends(Panel("loss", {"level": [2.0, 2.0]}, close=True))
    assert low < 2 < high


# ---- all of them ----


def all_films(trainer):
    x, y = make_moons(60, 0.2, seed=1)
    net = nn.MLP([2, 6, 6, 2], "sigmoid", np.random.default_rng(0))
    monitor, optimizer = GradientMonitor(net), optim.SGD(net.parameters(), 0.5)
    for _ in range(10):
        train_epoch(net, losses.cross_entropy, optimizer, [(x, y)])
        monitor.record()
    yield trainer.film()
    yield gradients_move({"one net": monitor, "another": monitor})
    yield race_down(RACERS, descend, CURVATURE)
    yield race_on({name: name for name in "abcd"}, lambda name: ([1.0] * 60, [0.5] * 60))
    yield one_logit_moves(softmax_rows, softmax_jacobian)
    yield lights_go_out({"a": dying(0.5)[:2], "b": dying(2.5)[:2]}, losses.cross_entropy, dying(1)[2], epochs=1)


def test_each_is_small_has_a_caption_and_says_the_same_each_time(moons):
    for film, again in zip(all_films(moons[0]), all_films(moons[0])):
        assert len(film.html.encode()) < 150_000, film.title
        assert film.caption and str(film) == str(again)
        assert all(frame.sentence and "nan" not in frame.sentence for frame in film.frames)
        assert "nan" not in film.picture
