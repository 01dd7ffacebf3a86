"""The playground without a browser: its net is the learner's own, each control acts, and what goes wrong is told."""

import asyncio
import os
import re
import signal
import subprocess
import sys
import threading
from functools import partial
from importlib import import_module

import numpy as np
import pytest

import babygrad
from babygrad import scalar_nn
from grader.course import catalogue, stubs
from grader.course.packages import imported_by_name
from grader.course.paths import LEARNER, package_folder
from toolbox import play, playground
from toolbox.data import sets as data
from toolbox.play import picture
from toolbox.play.engines import ENGINES, mean_squared_error
from toolbox.play.points import parsed, point
from toolbox.play.settings import BEGIN_ANEW, NAMES, SettingError
from toolbox.play.training import Training

scalar = partial(Training, ENGINES["scalar"], width=2)  # a small net: Values take their time
tensor = partial(Training, ENGINES["tensor"])
EACH = pytest.mark.parametrize("made", [scalar, tensor], ids=ENGINES)


def numbers(training):
    """All numbers that learn, in one array."""
    return np.concatenate([np.ravel(parameter.data) for parameter in training.net.model.parameters()])


# ------------------------------------------------------------------ whose steps they are


def by_hand(training, steps, zero_grad=True):
    """The scalar net of a training, and as many steps of the learner's loop, from the same start."""
    settings = training.settings
    rng = np.random.default_rng(settings.seed)
    sizes = [settings.width] * settings.depth + [1]
    model = scalar_nn.MLP(2, sizes, settings.activation, "tanh", np.random.default_rng(settings.seed))
    batches = iter(())
    for _ in range(steps):
        batch = next(batches, None)
        if batch is None:
            batches = iter(scalar_nn.minibatches(training.x, 2 * training.y - 1, settings.batch, rng))
            batch = next(batches)
        loss = mean_squared_error([model(x) for x in batch[0]], batch[1])
        if zero_grad:
            model.zero_grad()
        loss.backward()
        for parameter in model.parameters():
            parameter.data -= settings.learning_rate * parameter.grad
    return np.array([parameter.data for parameter in model.parameters()])


@pytest.mark.parametrize("zero_grad", [True, False])
def test_a_step_is_that_of_the_learners_loop_over_the_learners_batches(zero_grad):
    training = scalar(zero_grad=zero_grad)
    training.advance(7)
    assert training.steps == 7
    assert numbers(training) == pytest.approx(by_hand(training, 7, zero_grad), rel=1e-12)
    assert numbers(training) != pytest.approx(by_hand(training, 7, not zero_grad), rel=1e-3)


@pytest.mark.parametrize(
    ("made", "place"),
    [(scalar, "scalar_nn.train_step"), (scalar, "scalar_nn.minibatches"), (scalar, "scalar_nn.squared_error")]
    + [(tensor, "training.train_epoch"), (tensor, "losses.cross_entropy"), (tensor, "nn.MLP.forward")],
)
def test_what_the_learner_wrote_is_called(made, place, monkeypatch):
    called = []
    *owner, name = place.split(".")
    thing = babygrad
    for part in owner:
        thing = getattr(thing, part)
    own = getattr(thing, name)
    monkeypatch.setattr(thing, name, lambda *args: called.append(name) or own(*args))
    made().advance(2)
    assert called


@EACH
def test_the_same_settings_give_the_same_numbers(made):
    one, other = made(), made()
    for training in (one, other):
        training.advance(6)
    assert np.array_equal(numbers(one), numbers(other)) and one.losses == other.losses


@pytest.mark.parametrize(("made", "steps"), [(scalar, 100), (tensor, 700)], ids=ENGINES)
def test_the_net_learns(made, steps):
    training = made()
    at_first = training.view
    training.advance(steps)
    assert training.view.loss < at_first.loss / 2 and training.view.wrong.sum() < at_first.wrong.sum() / 2


@EACH
def test_what_is_counted_is_what_the_net_answers(made):
    training = made(data="spirals")
    training.advance(3)
    answers = [training.net.scores(training.net.answers(row[None]))[0] for row in training.x]
    wrong = (np.array(answers) > 0) != (training.y > 0)
    assert np.array_equal(training.view.wrong, wrong)
    facts = training.facts()
    assert f"{wrong.sum()} of {len(wrong)} points wrong" in facts
    assert f"({wrong[training.y == 0].sum()} circles, {wrong[training.y == 1].sum()} triangles)" in facts
    across, up = training.view.across, training.view.up
    there = training.net.scores(training.net.answers(np.array([[across[3], up[5]]])))[0]
    assert training.view.scores[5, 3] == pytest.approx(there)


# ------------------------------------------------------------------ each control acts

OTHERS = {
    "data": "circles",
    "data_seed": 5,
    "points": "0 0 1\n1 1 0",
    "depth": 3,
    "width": 3,
    "activation": "relu",
    "seed": 7,
    "learning_rate": 0.05,
    "batch": 0,
    "zero_grad": False,
    "steps": 10,
}
SAID = {
    "data": "Data: circles. Step 0",
    "data_seed": "Seed of the data: 5. Step 0",
    "points": "Your points changed. Step 0",
    "depth": "Hidden layers: 3. Step 0",
    "width": "Neurons in each: 3. Step 0",
    "activation": "Activation: relu. Step 0",
    "seed": "Seed of the net: 7. Step 0",
    "learning_rate": "Learning rate: 0.05.",
    "batch": "Batch: all points.",
    "zero_grad": "zero_grad: off.",
    "steps": "Steps per picture: 10.",
}
ALONE = {"steps"}  # changes what a picture is, not what the net learns


def test_each_setting_is_tried_here():
    assert OTHERS.keys() | {"optimizer"} == set(NAMES)


@pytest.mark.leg("night")
@EACH
@pytest.mark.parametrize("name", sorted(OTHERS))
def test_each_setting_acts_and_begins_anew_only_where_it_must(made, name):
    training, as_it_was = made(), made()
    for one in (training, as_it_was):
        one.advance(3)
    anew = training.change(**{name: OTHERS[name]})
    assert anew == (name in BEGIN_ANEW) and training.steps == (0 if anew else 3)
    for one in (training, as_it_was):
        one.advance(2)
    same = numbers(training).shape == numbers(as_it_was).shape and np.allclose(numbers(training), numbers(as_it_was))
    assert same == (name in ALONE)
    assert training.trouble is None


def test_each_optimizer_of_tensors_takes_steps_of_its_own():
    training = tensor()
    found = {}
    for name in training.optimizers:
        training.change(optimizer=name)
        training.begin()
        training.advance(4)
        found[name] = numbers(training)
    assert list(found) == list(ENGINES["tensor"].limits.optimizer) and training.missing == ""
    assert not any(np.allclose(found[a], found[b]) for a in found for b in found if a != b and "AdamW" not in (a, b))


def test_a_rate_is_changed_under_a_running_optimizer_which_keeps_its_memory():
    training = tensor(optimizer="Adam")
    training.advance(3)
    before = training.net.optimizer
    training.change(learning_rate=0.5)
    assert training.net.optimizer is before and before.lr == 0.5 and before.memories[0]["t"] == 3


@pytest.mark.parametrize("depth", ENGINES["tensor"].limits.depth)
def test_without_activation_the_boundary_is_straight_however_many_layers(depth):
    training = tensor(activation="none", depth=depth)
    training.advance(20)
    bent = np.diff(training.view.scores, n=2, axis=1)
    assert np.abs(bent).max() < 1e-9 * np.abs(training.view.scores).max()
    bending = tensor(depth=depth)
    bending.advance(20)
    assert np.abs(np.diff(bending.view.scores, n=2, axis=1)).max() > 1e-6


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"colour": 1}, "a playground has no 'colour'; there are data, data_seed"),
        ({"data": "rings"}, "data is 'rings', but must be one of moons, circles, spirals, only mine"),
        ({"width": 5}, "width is 5, but must be one of 1, 2, 3"),
        ({"learning_rate": 0}, "learning_rate is 0, but must be a number above 0"),
        ({"learning_rate": "fast"}, "learning_rate is 'fast'"),
        ({"seed": 1.5}, "seed is 1.5, but must be a whole number, 0 or more"),
        ({"data_seed": -1}, "data_seed is -1"),
        ({"points": "1 2"}, "line 1 of your points"),
    ],
)
def test_a_setting_that_cannot_be_is_named_and_changes_nothing(changes, said):
    training = scalar()
    before, points = training.settings, training.x
    with pytest.raises(SettingError, match=re.escape(said)):
        training.change(**changes)
    assert training.settings == before and training.x is points
    with pytest.raises(ValueError, match=re.escape(said)):
        playground("scalar", **changes)


def test_an_engine_that_does_not_exist_is_named():
    with pytest.raises(ValueError, match="engine is 'values', but must be one of scalar, tensor"):
        playground("values")


# ------------------------------------------------------------------ data, and points of one's own


@pytest.mark.parametrize("make", [data.make_circles, data.make_spirals])
def test_circles_and_spirals_are_as_many_as_asked_for_half_of_each_and_the_same_for_the_same_seed(make):
    x, y = make(60, 0.0, seed=3)
    assert x.shape == (60, 2) and sorted(y) == [0] * 30 + [1] * 30
    assert np.array_equal(make(60, 0.1, seed=3)[0], make(60, 0.1, seed=3)[0])
    assert not np.array_equal(make(60, 0.1, seed=3)[0], make(60, 0.1, seed=4)[0])


def test_circles_lie_inside_each_other_and_arms_wind_once_round_each_other():
    x, y = data.make_circles(50, 0.0)
    assert np.linalg.norm(x, axis=1) == pytest.approx(np.where(y == 1, 0.5, 1.0))
    x, y = data.make_spirals(400, 0.0)
    radius = np.linalg.norm(x, axis=1)
    turned = 2 * np.pi * radius + np.pi * y
    assert x == pytest.approx(radius[:, None] * np.stack([np.cos(turned), np.sin(turned)], axis=1))
    assert 0.1 < radius.min() < 0.3 and 0.9 < radius.max() <= 1


@pytest.mark.parametrize("line", ["0.5 -1 1", "0.5, -1, 1", "  .5;-1;+1 ", "5e-1 -1 1"])
def test_a_point_may_be_typed_in_several_ways(line):
    assert point(line, 1) == (0.5, -1.0, 1)


def test_a_label_of_minus_one_is_the_lower_one():
    x, y = parsed("1 2 -1\n\n3 4 0\n")
    assert x.tolist() == [[1, 2], [3, 4]] and y.tolist() == [0, 0]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("1 2 0\n3 4", "line 2 of your points: x, y and label are needed, but it says '3 4'"),
        ("1 2 3", "line 1 of your points: the label must be 0 or 1, but it is '3'"),
        ("\n\none 2 1", "line 3 of your points: 'one' is not a number"),
        ("nan 2 1", "line 1 of your points: nan is not between -100 and 100"),
        ("1 1e9 1", "line 1 of your points: 1e9 is not between -100 and 100"),
    ],
)
def test_what_is_wrong_with_a_typed_point_is_named(text, said):
    with pytest.raises(SettingError, match=f"^{re.escape(said)}$"):
        parsed(text)


@EACH
def test_points_of_ones_own_are_added_while_the_net_keeps_what_it_learned(made):
    training = made()
    training.advance(5)
    before, many = numbers(training), len(training.x)
    training.change(points="0 0 0\n0 0 1")
    assert len(training.x) == many + 2 and np.array_equal(numbers(training), before) and training.steps == 5
    assert training.view.wrong[-2:].sum() == 1  # two labels in one place


@EACH
def test_with_no_points_at_all_it_says_so_and_goes_on_when_there_is_one(made):
    training = made(data="only mine")
    training.advance(1)
    assert training.trouble.sentence.startswith("There are no points yet: type one") and training.steps == 0
    training.change(points="0.5 1 0")
    training.advance(1)
    assert training.trouble is None and training.steps == 1 and training.facts().startswith("Step 1: ")


# ------------------------------------------------------------------ what goes wrong


def package_with(directory, *missing, edit=()):
    """A learner's package in a folder, everything filled in but those exercises. edit: (file, text, another)."""
    everything = {ex.id for nb in catalogue.notebooks() for ex in catalogue.exercises_of(nb.number)}
    stubs.write(directory, given=everything - set(missing))
    if edit:
        path = package_folder(directory) / edit[0]
        text = path.read_text(encoding="utf-8")
        assert edit[1] in text
        path.write_text(text.replace(edit[1], edit[2], 1), encoding="utf-8")
    return imported_by_name(directory)


@pytest.mark.parametrize(
    ("engine", "exercise", "said"),
    [
        ("scalar", "4.3", "This needs exercise 4.3, MLP.__call__: babygrad/scalar_nn.py."),
        ("scalar", "4.1", "This needs exercise 4.1, Neuron.__call__: babygrad/scalar_nn.py."),
        ("scalar", "2.1", "This needs exercise 2.1, Value.__mul__: babygrad/value.py."),
        ("tensor", "11.3", "This needs exercise 11.3, mlp_layers: babygrad/nn.py."),
        ("tensor", "11.5", "This needs exercise 11.5, cross_entropy: babygrad/losses.py."),
    ],
)
def test_an_exercise_that_is_missing_is_named_and_nothing_crashes(tmp_path, engine, exercise, said):
    with package_with(tmp_path, exercise):
        shown = import_module("toolbox").playground(engine)
        assert shown.training.trouble.sentence == said and shown.training.trouble.traceback == ""
        assert said in str(shown) and said in shown.still("")
        shown.training.advance(1)
        assert shown.training.trouble.sentence == said and shown.training.steps == 0


@pytest.mark.parametrize(
    ("engine", "exercise", "said"),
    [
        ("scalar", "4.4", "This needs exercise 4.4, "),
        ("scalar", "4.5", "This needs exercise 4.5, minibatches: babygrad/scalar_nn.py."),
        ("tensor", "11.8", "This needs exercise 11.8, train_epoch: babygrad/training.py."),
        ("tensor", "9.2", "This needs exercise 9.2, "),
    ],
)
@pytest.mark.leg("push")
def test_one_that_only_learning_needs_is_named_when_it_is_needed(tmp_path, engine, exercise, said):
    with package_with(tmp_path, exercise):
        training = import_module("toolbox").playground(engine).training
        training.advance(1)
        assert training.trouble.sentence.startswith(said)


def test_a_fresh_package_shows_the_points_and_names_an_exercise():
    with imported_by_name(LEARNER):
        for engine in ENGINES:
            shown = import_module("toolbox").playground(engine)
            assert re.match(r"This needs exercise \d+\.\d+, ", shown.training.trouble.sentence)
            assert "points." in str(shown) and "<img" in shown.still("")


def test_optimizers_that_are_missing_are_named_and_not_on_the_list(tmp_path):
    with package_with(tmp_path, "12.2", "12.4"):
        training = import_module("toolbox").playground("tensor").training
        assert list(training.optimizers) == ["gradient descent", "RMSprop"]
        assert training.missing == (
            "Not filled in yet: SGD with momentum (exercise 12.2: SGD.direction), Adam (exercise 12.4: Adam.move), "
            "AdamW (exercise 12.4: Adam.move)."
        )
        training.advance(1)
        assert training.trouble is None
        chosen = import_module("toolbox").playground("tensor", optimizer="Adam").training
        assert chosen.trouble.sentence.startswith("Adam is not filled in yet.")
        chosen.advance(1)
        assert chosen.trouble.sentence.startswith("Adam is not filled in yet.") and chosen.steps == 0


def test_an_error_of_the_learners_own_is_told_with_its_place_and_the_training_goes_on_when_it_is_mended(tmp_path):
    line = "    return loss.data"
    with package_with(tmp_path, edit=("scalar_nn.py", line, f"{line} / 0")) as package:
        training = import_module("toolbox").playground("scalar").training
        training.advance(3)
        said = training.trouble.sentence
        assert re.fullmatch(
            r"After 0 steps the code stopped in babygrad/scalar_nn\.py, line \d+\. ZeroDivisionError: .*", said
        )
        written = training.trouble.traceback
        assert written.startswith("Traceback") and "return loss.data / 0" in written
        package.scalar_nn.train_step = lambda model, xs, ys, loss_fn, rate: 1.0
        training.advance(3)
        assert training.trouble is None and training.steps == 3


def test_a_file_that_cannot_be_read_is_told(tmp_path):
    with package_with(tmp_path, edit=("scalar_nn.py", "class MLP:", "class MLP")):
        said = import_module("toolbox").playground("scalar").training.trouble.sentence
        assert re.fullmatch(r"Python could not read scalar_nn\.py, line \d+: .*", said)


@pytest.mark.parametrize(
    ("made", "place", "said"),
    [
        (scalar, "scalar_nn.MLP.__call__", "the network should answer with one Value, but it answered with None"),
        (tensor, "nn.MLP.forward", "AttributeError"),
    ],
)
def test_a_net_that_answers_something_else_is_told(made, place, said, monkeypatch):
    file, cls, name = place.split(".")
    monkeypatch.setattr(getattr(getattr(babygrad, file), cls), name, lambda self, x: None)
    assert said in made().trouble.sentence


def test_a_training_that_runs_away_is_told_and_begins_anew(monkeypatch):
    training = tensor(learning_rate=1e200, activation="none")
    training.advance(20)
    assert re.match(r"After step \d+ the loss is (nan|inf): the numbers ran away\.", training.trouble.sentence)
    assert "smaller learning rate" in training.trouble.sentence and training.steps < 20
    assert "nan" in training.facts() or "inf" in training.facts()
    picture.sides_layer(training, training.facts())
    picture.loss_curve(training)
    training.change(learning_rate=0.1)
    training.begin()
    training.advance(20)
    assert training.trouble is None and np.isfinite(training.view.loss)


def test_a_value_that_overflows_has_run_away_too(monkeypatch):
    monkeypatch.setattr(scalar_nn, "squared_error", lambda p, t: (p[0] * 1e200) ** 2)
    training = scalar()
    assert training.trouble.sentence.startswith("In step 1 a number became too large. The steps are too long")


def test_a_step_that_never_ends_can_be_interrupted(monkeypatch):
    from toolbox.play.controls import interruptible

    training = scalar()
    monkeypatch.setattr(scalar_nn, "train_step", lambda *args: os.kill(os.getpid(), signal.SIGINT))
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)  # as a kernel has it between cells
    try:
        with interruptible():
            training.advance(1)
        assert signal.getsignal(signal.SIGINT) == signal.SIG_IGN
    finally:
        signal.signal(signal.SIGINT, before)
    assert training.trouble.sentence == "Interrupted in step 1."


# ------------------------------------------------------------------ pictures


def area_of(path):
    """The area of the pieces of an SVG path made of M, L and z; a hole goes round the other way."""
    pieces = [re.findall(r"(\d+) (\d+)", piece) for piece in path.split("z")]
    corners = [[(int(x), int(y)) for x, y in piece] for piece in pieces]
    return abs(sum(a * d - b * c for piece in corners for (a, b), (c, d) in zip(piece, piece[1:] + piece[:1]))) / 2


@pytest.mark.parametrize(
    ("name", "function", "share"),
    [
        ("a slanted line", lambda x, y: x + 0.5 * y - 0.75, 0.5),
        ("everywhere", lambda x, y: x * 0 + 1, 1),
        ("nowhere", lambda x, y: x * 0 - 1, 0),
        ("a disc", lambda x, y: 0.09 - (x - 0.5) ** 2 - (y - 0.5) ** 2, np.pi * 0.09),
        ("all but a disc", lambda x, y: (x - 0.5) ** 2 + (y - 0.5) ** 2 - 0.09, 1 - np.pi * 0.09),
        ("two corners", lambda x, y: (x - 0.5) * (y - 0.5), 0.5),
    ],
)
def test_the_side_of_the_triangles_is_where_the_scores_are_above_zero(name, function, share):
    x, y = np.meshgrid(np.linspace(0, 1, 41), np.linspace(0, 1, 31))
    area, boundary = picture.outline(function(x, y))
    whole = picture.WIDE * picture.HIGH * picture.FINE**2
    assert area_of(area) / whole == pytest.approx(share, abs=0.003)
    ends = np.array([float(number) for number in re.findall(r"-?\d+", boundary)]).reshape(-1, 2)
    places = ends / (picture.WIDE * picture.FINE, picture.HIGH * picture.FINE)
    assert np.abs(function(places[:, 0], 1 - places[:, 1])).max(initial=0) < 0.004
    assert (len(ends) > 0) == (0 < share < 1)


def test_scores_of_nan_and_inf_are_drawn_without_complaint():
    scores = np.array([[np.nan, 1.0, np.inf], [-np.inf, -1.0, np.nan], [1.0, 1.0, -1.0]])
    area, boundary = picture.outline(scores)
    assert "nan" not in area + boundary and "inf" not in area + boundary


def test_a_point_lies_where_it_is_and_up_is_up():
    frame = picture.Frame((np.array([-1.0, 0.0]), np.array([1.0, 2.0])))
    corner, middle = frame.places([[-1, 0], [0, 1.5]]).tolist()
    assert corner == [0, picture.HIGH * picture.FINE]
    assert middle == [picture.WIDE * picture.FINE / 2, picture.HIGH * picture.FINE / 4]


def test_what_is_sent_for_a_picture_is_small():
    for made in (scalar, tensor):
        training = made(data="spirals")
        for _ in range(200):
            training.losses.append((len(training.losses), 0.5))
        training.advance(20)
        sent = picture.sides_layer(training, training.facts()) + picture.loss_curve(training)
        assert len(sent) < 12_000


def test_no_colour_stands_alone():
    training = scalar()
    drawn = picture.points_layer(training)
    assert drawn.count("a16 16") == 2 * (training.y == 0).sum() and drawn.count("l18 32") == (training.y == 1).sum()
    assert picture.sides_layer(training, "").count("a32 32") == 2 * training.view.wrong.sum()
    assert 'stroke-dasharray="16 8"' in picture.sides_layer(training, "")


# ------------------------------------------------------------------ what a notebook is shown


def test_a_notebook_gets_a_still_picture_and_the_controls(shown):
    still, live = shown(playground("scalar"))
    assert still["text/html"].startswith('<div class="babygrad-playground-still" style=')
    assert "<script" not in still["text/html"] and play.RUN in still["text/html"]
    assert list(live) == ["application/vnd.jupyter.widget-view+json"]


def test_the_text_says_what_is_seen_and_is_always_the_same(shown):
    one, other = (shown(playground("tensor"))[0]["text/plain"] for _ in range(2))
    assert one == other
    assert re.match(
        r"A network of Tensors; its loss is cross-entropy\. Step 0: loss [\d.]+, \d+ of 200 points wrong ", one
    )


def test_in_a_terminal_there_is_the_text(shown):
    [still] = shown(playground("scalar"), kernel=False)
    assert still["text/plain"].startswith("A network of Values; its loss is mean squared error.")


def test_without_ipywidgets_it_says_what_to_install(shown, monkeypatch):
    monkeypatch.setitem(sys.modules, "ipywidgets", None)
    monkeypatch.delitem(sys.modules, "toolbox.play.controls", raising=False)
    [still] = shown(playground("scalar"))
    assert still["text/plain"].endswith("Its controls need ipywidgets: python -m pip install ipywidgets")


def test_babygrad_is_imported_without_the_playgrounds_libraries():
    asked = "import sys; from toolbox import playground; print([m for m in ('ipywidgets', 'sklearn', 'IPython', "
    asked += "'toolbox.training.trainer') if m in sys.modules])"
    assert subprocess.run([sys.executable, "-c", asked], capture_output=True, text=True, check=True).stdout == "[]\n"


# ------------------------------------------------------------------ the controls, in an event loop


def controlled(engine, story, **settings):
    """Run story(controls), a coroutine, with the controls of a playground. Returns the controls."""
    from toolbox.play.controls import Controls

    async def told():
        controls = Controls(Training(ENGINES[engine], **settings))
        try:
            await story(controls)
        finally:
            controls.stop()
        return controls

    return asyncio.run(told())


async def until(condition, seconds=600):
    for _ in range(int(seconds / 0.02)):
        if condition():
            return
        await asyncio.sleep(0.02)
    pytest.fail("it did not happen")


def test_every_control_has_a_label():
    async def story(controls):
        named = [*controls.of.values(), controls.clicked, controls.start_button, controls.step_button]
        assert all(control.description for control in named)
        assert controls.of.keys() == set(NAMES)

    controlled("tensor", story)


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.leg("push")
def test_start_and_stop(engine):
    async def story(controls):
        assert controls.start_button.description == "Start"
        controls.start_button.click()
        assert controls.start_button.description == "Stop" and controls.said.value == "Training."
        first = controls.sides.value
        await until(lambda: len(controls.training.losses) > 3)
        assert controls.sides.value != first and controls.training.facts().split(".")[0] in controls.facts.value
        controls.start_button.click()
        taken = controls.training.steps
        assert controls.start_button.description == "Start"
        assert controls.said.value == f"Stopped. {controls.training.facts()}"
        await asyncio.sleep(0.3)
        assert controls.training.steps == taken

    controlled(engine, story)


def test_a_step_is_one_step_and_begin_anew_begins_anew():
    async def story(controls):
        start = numbers(controls.training)
        controls.step_button.click()
        controls.step_button.click()
        assert controls.training.steps == 2 and not np.allclose(numbers(controls.training), start)
        controls.anew_button.click()
        assert controls.training.steps == 0 and np.array_equal(numbers(controls.training), start)
        assert controls.said.value.startswith("Started over. Step 0: ")

    controlled("tensor", story)


@pytest.mark.parametrize("name", sorted(OTHERS))
@pytest.mark.leg("push")
def test_each_control_changes_its_setting(name):
    async def story(controls):
        controls.of[name].value = OTHERS[name]
        assert getattr(controls.training.settings, name) == OTHERS[name]
        assert controls.said.value.startswith(SAID[name])

    controlled("scalar", story, width=2)


def test_a_rate_may_be_changed_while_it_learns_and_another_net_stops_it():
    async def story(controls):
        controls.start_button.click()
        await until(lambda: controls.training.steps)
        controls.of["learning_rate"].value = 0.01
        assert controls.task and controls.training.net.optimizer.lr == 0.01
        controls.of["width"].value = 4
        assert not controls.task and controls.training.steps == 0 and controls.start_button.description == "Start"

    controlled("tensor", story)


def test_a_line_that_is_wrong_is_told_and_the_points_stay():
    async def story(controls):
        controls.of["points"].value = "0 0 1\n1 1 7"
        assert controls.said.value == "Line 2 of your points: the label must be 0 or 1, but it is '7'."
        assert len(controls.training.x) == 100
        controls.of["points"].value = "0 0 1\n1 1 0"
        assert len(controls.training.x) == 102 and "101" not in controls.facts.value
        assert controls.points.value == picture.points_layer(controls.training)

    controlled("scalar", story, width=2)


def test_trouble_stops_it_and_is_told_with_the_traceback_folded(monkeypatch):
    async def story(controls):
        monkeypatch.setattr(scalar_nn, "train_step", lambda *args: 1 / 0)
        controls.start_button.click()
        await until(lambda: not controls.task)
        assert controls.said.value == "After 0 steps the code stopped. ZeroDivisionError: division by zero"
        assert controls.details.value.startswith("<details><summary>Traceback</summary><pre>Traceback")
        assert controls.start_button.description == "Start"
        monkeypatch.undo()
        controls.step_button.click()
        assert controls.training.steps == 1 and controls.details.value == ""

    controlled("scalar", story, width=2)


@pytest.mark.leg("push")
def test_a_screen_reader_is_told_rarely(monkeypatch):
    from toolbox.play import controls as module

    async def story(controls):
        said = []
        monkeypatch.setattr(module, "SAY_EVERY", 600.0)  # this machine may be slow
        controls.said.observe(lambda change: said.append(change["new"]), "value")
        controls.start_button.click()
        await until(lambda: len(controls.training.losses) > 20)
        assert said == ["Training."]
        monkeypatch.setattr(module, "SAY_EVERY", 0.0)
        await until(lambda: len(said) > 1)
        assert said[1].startswith("Step ")

    controlled("tensor", story)


def test_a_click_that_arrives_in_another_thread_is_done_by_the_loop():
    async def story(controls):
        threads = []
        controls.training.begin = lambda: threads.append(threading.current_thread())
        clicker = threading.Thread(target=controls.anew_button.click)
        clicker.start()
        clicker.join()
        assert threads == []
        await until(lambda: threads)
        assert threads == [threading.current_thread()]

    controlled("tensor", story)


def test_one_learns_at_a_time():
    from toolbox.play.controls import Controls

    async def story(controls):
        other = Controls(Training(ENGINES["tensor"]))
        controls.start_button.click()
        other.start_button.click()
        assert not controls.task and other.task
        other.stop()

    controlled("tensor", story)


def test_it_pauses_when_nobody_stops_it(monkeypatch):
    from toolbox.play import controls as module

    monkeypatch.setattr(module, "LONGEST", 3)

    async def story(controls):
        controls.start_button.click()
        await until(lambda: not controls.task)
        assert controls.training.steps == 15 and controls.said.value.startswith("Paused after 3 pictures. Step 15: ")

    controlled("tensor", story)
