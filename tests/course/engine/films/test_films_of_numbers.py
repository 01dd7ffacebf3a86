"""The films of notebooks 00, 01 and 04 against computations of their own: what each frame says and where things are."""

import math
import re
import runpy
from importlib import import_module
from pathlib import Path

import numpy as np
import pytest

from babygrad import numerical_derivative
from babygrad.scalar_nn import MLP, fit, squared_error
from grader.course.packages import imported_by_name
from grader.course.paths import LEARNER
from toolbox import make_moons
from toolbox.films.boundaries import BoundaryFilm, film_of
from toolbox.films.moons import LEARNED, moons_learned, scores_after
from toolbox.films.nudging import secants
from toolbox.films.rolling import roll
from toolbox.player.player import changes

crosses_shown = runpy.run_path(str(Path(__file__).with_name("crosses.py")))["crosses_shown"]
NUMBER = r"-?\d[\d,]*(?:\.\d+)?(?:e[-+]?\d+)?"
LARGEST = 150_000  # bytes of 60 frames


def numbers(text):
    return [float(found.replace(",", "")) for found in re.findall(NUMBER, text)]


def place(frame, key):
    """The pixels to which a frame moves a part."""
    return numbers(frame.moved[key]["style"])


# ------------------------------------------------------------------ a secant that becomes the tangent


def of_the_sine():
    return secants(numerical_derivative, math.sin, 1.0, right=math.cos(1.0))


sine = pytest.fixture(scope="module")(of_the_sine)


def nudge_of(frame):
    return float(re.match(rf"h = ({NUMBER})", frame.sentence)[1])


def test_each_frame_has_the_slope_that_was_measured(sine):
    for frame in sine.frames[:-1]:
        h = nudge_of(frame)
        measured = (math.sin(1 + h) - math.sin(1 - h)) / (2 * h)
        told, off = re.search(rf"the slope ({NUMBER}), off by ({NUMBER})", frame.sentence).groups()
        assert told == f"{measured:.9f}"
        assert float(off) == pytest.approx(abs(measured - math.cos(1)), rel=0.5)


def test_the_nudges_shrink_from_wide_to_nothing(sine):
    nudges = [nudge_of(frame) for frame in sine.frames[:-1]]
    assert nudges == sorted(nudges, reverse=True) and nudges[0] == 1.5 and nudges[-1] == pytest.approx(1e-17)
    assert 8 <= len(sine) <= 60 and len(sine.html) < LARGEST


def test_the_dots_lie_where_the_function_was_asked(sine):
    first = sine.frames[0]
    (left, low), (right, high) = sorted([place(first, "asked0"), place(first, "asked1")])
    assert (low - high) / (right - left) == pytest.approx(0.3593, abs=0.01)  # pixels go down
    assert "at -0.5 and 2.5" in first.sentence


def test_a_secant_goes_through_its_dots(sine):
    for frame in sine.frames[:-5]:  # smaller nudges are rounded themselves
        x0, y0, x1, y1 = numbers(frame.moved["secant"]["d"].replace("L", " "))
        for key in ("asked0", "asked1"):
            x, y = place(frame, key)
            assert y == pytest.approx(y0 + (y1 - y0) * (x - x0) / (x1 - x0), abs=1.5), frame.sentence


def test_a_wrong_slope_leaves_its_dots():
    forgot_the_two = secants(lambda f, x, h: (f(x + h) - f(x - h)) / h, math.sin, 1.0, right=math.cos(1.0))
    frame = forgot_the_two.frames[3]
    x0, y0, x1, y1 = numbers(frame.moved["secant"]["d"].replace("L", " "))
    x, y = place(frame, "asked0")
    assert abs(y - (y0 + (y1 - y0) * (x - x0) / (x1 - x0))) > 5


def test_one_side_alone_is_asked_at_x_itself():
    one_side = secants(lambda f, x, h: (f(x + h) - f(x)) / h, math.sin, 1.0, right=math.cos(1.0))
    assert "at 1 and 1.7" in one_side.frames[2].sentence
    assert sum(frame.texts["asked1"] == "shown" for frame in one_side.frames[:-1]) >= 20


def test_it_becomes_straight_and_then_a_staircase(sine):
    points = {nudge_of(frame): len(numbers(frame.moved["curve"]["d"])) // 2 for frame in sine.frames[:-1]}
    assert points[1.5] > 5 and points[1e-5] == 2 and points[1e-15] > 20


def test_the_smallest_nudges_lose_their_digits(sine):
    told = {nudge_of(frame): frame.sentence for frame in sine.frames[:-1]}
    apart = round((math.sin(1 + 1e-12) - math.sin(1 - 1e-12)) / math.ulp(math.sin(1)))
    assert f"differ by {apart:,} of the smallest steps between floats" in told[1e-12]
    assert "the same: nothing is left to measure" in told[min(told)] and "steps" not in told[1e-7]


def test_in_the_end_the_best_nudge_is_named_and_all_wide_secants_are_there(sine):
    best = min(sine.frames[:-1], key=lambda frame: numbers(frame.sentence)[-1] if "differ" not in frame.sentence else 1)
    last = sine.frames[-1]
    assert f"h = {nudge_of(best):g} came closest" in last.sentence
    assert sum(bool(last.moved[f"old{i}"]["d"]) for i in range(5)) == 5
    assert 'd="M' in sine.still and "secant" in sine.still


def test_the_secants_of_a_steep_curve_are_in_the_picture_too():
    film = secants(numerical_derivative, lambda x: 100 * x * x, 3.0, right=600.0)
    assert "the slope 600.000000000, off by 0" in film.frames[0].sentence


# ------------------------------------------------------------------ a weight that rolls


RATES = (0.01, 0.05, 0.25, 0.3)


def four_bowls():
    return roll(lambda w: (2 * w - 6) ** 2, 1.0, RATES, between=(-1, 7))


bowls = pytest.fixture(scope="module")(four_bowls)


def by_hand(rate, steps):
    w = 1.0
    for _ in range(steps):
        w -= rate * 4 * (2 * w - 6)
    return w


def test_each_weight_is_where_gradient_descent_takes_it(bowls):
    assert len(bowls) == 9 and len(bowls.html) < LARGEST
    for step, frame in enumerate(bowls.frames):
        for number, rate in enumerate(RATES):
            w = by_hand(rate, step)
            assert frame.texts[f"{number}.words"].startswith(f"w = {w:.2f}, loss ")
            assert f"rate {rate}: w = {w:.2f}".lower() in frame.sentence.lower() or step == 0


def test_the_dots_are_where_the_words_say(bowls):
    at_one, at_five = place(bowls.frames[0], "2.dot"), place(bowls.frames[1], "2.dot")
    assert at_one[1] == at_five[1] and at_one[0] < at_five[0]  # as high as before, across the bowl
    across = (at_five[0] - at_one[0]) / 4  # pixels of a unit of w
    assert place(bowls.frames[1], "1.dot")[0] == pytest.approx(at_one[0] + 0.8 * across, abs=0.2)


def test_the_end_says_what_became_of_each(bowls):
    last = bowls.frames[-1].sentence
    assert "rate 0.25: w = 1.00, loss 16.00, as high as at first" in last and "higher than at any step before" in last
    assert "still on its way down" in last and "practically at the bottom" in last
    assert bowls.frames[-1].texts["3.out"] == "out of the picture"


# ------------------------------------------------------------------ a boundary


def test_the_first_film_counts_what_is_right():
    points, labels = make_moons()
    film = moons_learned()
    assert len(film) == len(LEARNED) and len(film.html) < LARGEST / 2
    for step, frame, crosses in zip(LEARNED, film.frames, crosses_shown(film, "0."), strict=True):
        right = int(np.sum((scores_after(step, points) > 0) == labels))
        assert f"{right} of 100 points right" in frame.sentence
        assert frame.sentence.startswith(f"After {step} step" if step else "At first")
        assert crosses == 100 - right


def test_the_boundary_is_crossed_where_the_score_changes_its_sign():
    points, _ = make_moons()
    middle = (points.min(0)[1] + points.max(0)[1]) / 2
    across = np.linspace(points.min(0)[0] - 0.4, points.max(0)[0] + 0.4, 2000)
    for step, frame in zip(LEARNED, moons_learned().frames):
        side = scores_after(step, np.stack([across, np.full(2000, middle)], axis=1)) > 0
        found = across[1:][side[1:] != side[:-1]]
        told = re.search(
            r"Halfway up the picture the boundary is(?: at \w+ places:)? at x₀ = ([^ ].*?)\.(?: |$)", frame.sentence
        )
        assert numbers(told[1]) == pytest.approx(found, abs=0.1) if told else len(found) == 0


def learned(epochs=3, **how):
    points, labels = make_moons(40, seed=2)
    model, film = MLP(2, [4, 1], rng=np.random.default_rng(0)), BoundaryFilm(points, 2 * labels - 1, resolution=13)
    rng = np.random.default_rng(0)
    how = {"batch_size": 20, "learning_rate": 0.02, "rng": rng, "progress": False} | how
    losses = fit(model, points, 2 * labels - 1, squared_error, epochs=epochs, watch=film.look, **how)
    right = sum(model(point).data * label > 0 for point, label in zip(points, 2 * labels - 1))
    return film, losses, right


def test_a_learners_net_is_filmed_epoch_by_epoch():
    film, losses, right = learned()
    shown = film.player()
    beginnings = ["Before the training", "After 1 epoch", "After 2 epochs", "After 3 epochs"]
    assert [frame.sentence.split(":")[0] for frame in shown.frames] == beginnings
    assert all(f"loss {loss:.2f}" in frame.sentence for loss, frame in zip(losses, shown.frames[1:]))
    assert f"{right} of 40 points right" in shown.frames[-1].sentence
    assert "loss" not in shown.frames[0].sentence


def test_few_places_are_asked_and_the_boundary_is_where_all_would_have_it():
    points, labels = make_moons()
    asked = []

    def model(places):
        asked.append(len(places))
        return scores_after(400, places)

    film = BoundaryFilm(points, labels, resolution=49)
    film.look(model)
    exact = film.plane.boundary(lambda places: scores_after(400, places))
    assert 625 + 100 < sum(asked) < 1000 < 49 * 49
    lengths = [
        np.nansum(np.hypot(*np.diff(boundary.sides[0], axis=0).T)) for boundary in (film.moments[0].boundary, exact)
    ]
    assert lengths[0] == pytest.approx(lengths[1], rel=0.002)
    assert np.nansum(film.moments[0].boundary.sides[0]) == pytest.approx(np.nansum(exact.sides[0]), abs=1)


def test_a_boundary_is_followed_out_of_the_squares_where_it_was_looked_for():
    film = BoundaryFilm(*make_moons(), resolution=25)
    sliver, fine = (
        film.plane.across[9],
        film.plane.across[1] - film.plane.across[0],
    )  # between two places of the wide grid

    def model(places):
        return np.sign(np.maximum(-0.5 - places[:, 1], 0.5 * fine - abs(places[:, 0] - sliver)))

    film.look(model)
    assert np.array_equal(film.moments[0].boundary.sides[0], film.plane.boundary(model).sides[0], equal_nan=True)


def test_what_was_seen_stays_when_the_net_learns_on():
    points, labels = make_moons(20, seed=1)
    model, film = MLP(2, [3, 1], rng=np.random.default_rng(1)), BoundaryFilm(points, labels, resolution=9)
    film.look(model)
    before = str(film.player().frames)
    for parameter in model.parameters():
        parameter.data = 5.0
    assert str(film.player().frames) == before


def test_two_films_side_by_side_keep_apart():
    one, other = learned()[0], learned(learning_rate=0.5)[0]
    both = film_of({"small": one, "large": other}, "Two rates")
    last, (_, moved) = both.frames[-1], changes(both.frames)
    assert {"0.side1", "1.side1", "curves0", "d0.0", "d0.1"} <= moved.keys()
    assert last.moved["0.side1"] != last.moved["1.side1"] and last.moved["d0.0"] != last.moved["d0.1"]
    assert re.search(r"small: \d+ of 40 points right, loss [\d.]+; large: \d+ of 40", last.sentence)
    assert all(f'data-key="{key}"' in both.picture for key in moved)


def test_a_net_that_answers_with_no_number_is_filmed():
    points, labels = make_moons(20, seed=1)
    film = BoundaryFilm(points, labels, resolution=9)
    film.look(lambda places: np.full(len(places), np.nan))
    assert "of 20 points right" in film.player().frames[0].sentence


def all_films():
    nets = film_of({"small": learned()[0], "large": learned(learning_rate=0.5)[0]}, "Two rates")
    return {"moons": moons_learned(), "secant": of_the_sine(), "bowls": four_bowls(), "nets": nets}


def test_films_play_backwards_too():
    """Every key that a frame moves is in the picture, so that the player can go back to how it was."""
    for film in all_films().values():
        texts, moved = changes(film.frames)
        assert all(f'data-key="{key}"' in film.picture for key in texts | moved)


def test_what_is_said_does_not_depend_on_the_run():
    assert str(moons_learned()) == str(moons_learned()) and str(learned()[0].player()) == str(learned()[0].player())


# ------------------------------------------------------------------ a package whose exercises are not filled in


def film_module(name):
    return import_module(f"toolbox.films.{name}")


def test_an_empty_stub_stops_a_film_with_its_own_words():
    with imported_by_name(LEARNER) as package:
        nudging, rolling, boundaries = (film_module(name) for name in ("nudging", "rolling", "boundaries"))
        net = package.scalar_nn.MLP(2, [2, 1], rng=np.random.default_rng(0))
        with pytest.raises(NotImplementedError, match=r"exercise 1\.1"):
            nudging.secants(package.numerical_derivative, math.sin, 1.0, right=math.cos(1.0))
        with pytest.raises(NotImplementedError, match=r"exercise \d\.\d"):
            rolling.roll(lambda w: w * w, 1.0, (0.1, 0.2), between=(-1, 1))
        with pytest.raises(NotImplementedError, match=r"exercise 4\.\d"):
            boundaries.BoundaryFilm(*make_moons(20, seed=1)).look(net)


def test_the_first_film_needs_no_exercise():
    with imported_by_name(LEARNER):
        assert str(film_module("moons").moons_learned()) == str(moons_learned())
