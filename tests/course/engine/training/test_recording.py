"""Trainer(film=True): what is recorded, how much, and that the run itself is the one without."""

from itertools import pairwise

import numpy as np
import pytest

from babygrad import losses, nn, optim, training
from babygrad.arrays import DataLoader
from babygrad.normalize import Dropout
from toolbox.data.sets import load_digits, make_moons
from toolbox.films import recording
from toolbox.training.trainer import Trainer, TrainingDiverged, predict

POINTS, LABELS = make_moons(40, 0.1, seed=3)


def loader(batch=16):
    return DataLoader(POINTS, LABELS, batch, seed=5)


def net(sizes=(2, 8, 2)):
    rng = np.random.default_rng(0)
    return nn.Sequential(nn.MLP(sizes, "tanh", rng), Dropout(0.1, rng))


def trainer(model=None, lr=0.1, **options):
    model = model or net()
    options = {"film": True, "progress": False, **options}
    return Trainer(model, losses.cross_entropy, optim.SGD(model.parameters(), lr), **options)


def run(epochs=4, batches=None, **options):
    trained = trainer(**options)
    trained.fit(batches or loader(), epochs)
    return trained


def by_hand(steps):
    """After each of so many steps: the losses of its batch, and which points are on the wrong side. A plain loop."""
    model, batches = net(), loader()
    optimizer = optim.SGD(model.parameters(), 0.1)
    found = [(None, wrong(model))]
    while len(found) <= steps:
        for batch in batches:
            loss = training.train_epoch(model, losses.cross_entropy, optimizer, [batch])
            found.append((loss, wrong(model)))
    return found


def wrong(model):
    return (predict(model, POINTS).argmax(axis=1) != LABELS).tolist()


def test_the_run_is_the_one_that_is_not_filmed():
    filmed, plain = run(), run(film=False)
    assert filmed.history == plain.history
    assert all(
        np.array_equal(*pair) for pair in zip(filmed.model.state_dict().values(), plain.model.state_dict().values())
    )


def test_nothing_is_recorded_unless_it_is_asked_for():
    plain = run(film=False)
    assert plain.recording is None
    with pytest.raises(RuntimeError, match="film=True"):
        plain.film()
    with pytest.raises(RuntimeError, match="call fit"):
        trainer().film()


def test_a_short_run_is_recorded_step_by_step():
    recorded = run(epochs=4).recording
    wanted = by_hand(12)
    assert [moment.step for moment in recorded.moments] == list(range(13))
    assert [moment.epoch for moment in recorded.moments] == [1, *np.repeat([1, 2, 3, 4], 3)]
    costs = [loss for loss, _ in wanted[1:]]
    np.testing.assert_allclose([moment.loss for moment in recorded.moments], [costs[0], *costs])
    assert [moment.boundary.wrong.tolist() for moment in recorded.moments] == [which for _, which in wanted]


@pytest.mark.parametrize("epochs", [19, 20, 39, 41, 100, 700])
@pytest.mark.leg("push")
def test_a_long_run_has_as_many_moments_and_each_has_the_mean_loss_since_the_one_before(epochs):
    recorded = run(epochs=epochs).recording
    steps = [moment.step for moment in recorded.moments]
    assert recording.MOMENTS / 2 <= len(steps) <= recording.MOMENTS + 2
    assert steps[0] == 0 and steps[-1] == 3 * epochs
    assert {b - a for a, b in pairwise(steps[:-1])} == {recorded.every}
    wanted = by_hand(3 * epochs)
    for before, moment in zip(recorded.moments, recorded.moments[1:]):
        since = [loss for loss, _ in wanted[before.step + 1 : moment.step + 1]]
        assert moment.loss == pytest.approx(np.mean(since), rel=1e-9)
        assert moment.boundary.wrong.tolist() == wanted[moment.step][1]


def test_the_outlines_part_the_places_as_the_model_does():
    recorded = run(epochs=60).recording
    boundary = recorded.plane.boundary(recorded.model)
    places = np.random.default_rng(0).uniform(recorded.plane.low, recorded.plane.high, (400, 2))
    scores = predict(recorded.model, places)
    clear = np.abs(scores[:, 1] - scores[:, 0]) > 0.3  # near the boundary a grid of 40 x 40 is too coarse
    assert clear.sum() > 200
    inside = np.array([crossings(boundary.sides[0], place) % 2 for place in places])
    assert np.array_equal(inside[clear], scores.argmax(axis=1)[clear])


def crossings(outlines, place):
    """How often a ray from a place to the right crosses closed outlines, with nan between them."""
    (x0, y0), (x1, y1) = outlines[:-1].T, outlines[1:].T
    crosses = (y0 > place[1]) != (y1 > place[1])
    with np.errstate(all="ignore"):
        return int((crosses & (x0 + (place[1] - y0) / (y1 - y0) * (x1 - x0) > place[0])).sum())


@pytest.mark.parametrize(
    ("x", "y", "loss", "sizes", "words"),
    [
        (*load_digits(), losses.cross_entropy, (64, 10), "a sample has 64 numbers"),
        (np.zeros((8, 3, 3)), np.zeros(8, int), losses.cross_entropy, None, "a sample has 3 x 3 numbers"),
        (POINTS, POINTS[:, :1], losses.mse_loss, (2, 4, 1), "the targets are no classes"),
    ],
)
def test_where_there_is_no_boundary_it_says_why(x, y, loss, sizes, words):
    recorded = recording.Recording(None)
    recorded.before_batch(1, [], (x, y))
    assert words in recorded.why_no_boundary
    if sizes:
        model = nn.MLP(sizes, "tanh", np.random.default_rng(0))
        trained = Trainer(model, loss, optim.SGD(model.parameters(), 0.01), film=True, progress=False)
        trained.fit(DataLoader(x, y, 16), 2)
        assert words in trained.recording.why_no_boundary
        assert all(moment.boundary is None for moment in trained.recording.moments)


def test_a_loader_that_is_a_list_shows_the_points_of_its_first_batch():
    recorded = run(epochs=2, batches=list(loader())).recording
    assert len(recorded.plane.points) == 16
    assert len(run(epochs=2).recording.plane.points) == len(POINTS)


def test_of_many_points_only_some_are_kept():
    x, y = make_moons(1000, 0.1, seed=0)
    assert len(run(epochs=1, batches=DataLoader(x, y, 500)).recording.plane.points) == 200


def test_a_second_fit_is_recorded_anew():
    trained = run(epochs=4)
    trained.fit(loader(), 2)
    assert trained.recording.moments[-1].step == 6


def test_a_resumed_run_is_recorded_from_where_it_goes_on(tmp_path):
    run(epochs=3, checkpoint=tmp_path / "run.npz")
    again = trainer(checkpoint=tmp_path / "run.npz")
    again.fit(loader(), 5, resume=True)
    assert again.recording.began == 3
    assert [moment.epoch for moment in again.recording.moments] == [4, 4, 4, 4, 5, 5, 5]


def test_a_run_that_diverges_is_recorded_up_to_there():
    trained = trainer(nn.MLP((2, 8, 8, 2), "relu", np.random.default_rng(0)), lr=1e150)
    with np.errstate(all="ignore"), pytest.raises(TrainingDiverged):
        trained.fit(loader(), 3)
    assert 1 <= len(trained.recording.moments) < 4
