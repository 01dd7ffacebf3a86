"""The pad without a browser: a drawing becomes a picture as the data are, and the learner's net reads it."""

import runpy
import sys
from pathlib import Path

import numpy as np
import pytest

from babygrad import nn
from babygrad.conv_net import reading_net
from toolbox import Pad
from toolbox.play import pad as play_pad
from toolbox.play.pad import as_the_data_are, moved
from toolbox.training.small_digits import trained, x, x_new, y_new

DRAWN = runpy.run_path(str(Path(__file__).with_name("digits_drawn.py")))["DRAWN"]
EACH_SIDE = pytest.mark.parametrize("side", [8, 28])
NOTHING = {"strokes": [], "digit": None, "moved": [0, 0]}


@pytest.fixture(scope="module")
def pad():
    return Pad(trained(reading_net(8, np.random.default_rng(0)), x, epochs=6), x_new, y_new)


def read(pad, **drawn):
    return pad.read(NOTHING | drawn)


@pytest.mark.leg("push")
def test_digits_that_are_drawn_are_read(pad):
    said = {digit: read(pad, strokes=strokes)["said"] for digit, strokes in DRAWN.items()}
    assert {digit: text for digit, text in said.items() if not text.startswith(f"Read as {digit}: ")} == {}


@EACH_SIDE
@pytest.mark.parametrize("digit", [1, 4, 8])
def test_where_on_the_pad_and_how_large_it_is_drawn_does_not_matter(side, digit):
    smaller = [(0.1 + 0.4 * np.array(stroke)).tolist() for stroke in DRAWN[digit]]
    assert as_the_data_are(smaller, side) == pytest.approx(as_the_data_are(DRAWN[digit], side), abs=0.02)


@pytest.mark.parametrize("digit", DRAWN)
def test_it_is_as_large_as_the_data_are_and_where_they_are(digit):
    """The first and last row and column with ink, of scikit-learn's digits and of MNIST's."""
    small, large = (as_the_data_are(DRAWN[digit], side) for side in (8, 28))
    assert small.any(axis=1).all() and x_new.reshape(-1, 8, 8).any(axis=2)[:, [0, 7]].all()
    inked = [np.flatnonzero((large > 0.3).any(axis=axis)) for axis in (0, 1)]
    assert max(np.ptp(each) + 1 for each in inked) == pytest.approx(20, abs=1)
    middle = [(large.sum(axis) * np.arange(0.5, 28)).sum() / large.sum() for axis in (0, 1)]
    assert middle == pytest.approx([14, 14], abs=0.1)


def test_it_has_about_as_much_ink_as_the_data():
    drawn = np.mean([as_the_data_are(strokes, 8).sum() for strokes in DRAWN.values()])
    assert drawn == pytest.approx(x.sum(axis=1).mean(), rel=0.15)


@EACH_SIDE
@pytest.mark.parametrize("strokes", [[[[0.2, 0.9]]], [[], [[0.5, 0.5], [0.505, 0.502]]]])
def test_a_speck_stays_a_speck(side, strokes):
    picture = as_the_data_are(strokes, side)
    assert 0.4 < picture.max() <= 1 and picture.sum() < 12


def test_what_is_moved_out_of_the_picture_is_lost():
    picture = np.arange(9.0).reshape(3, 3)
    assert moved(picture, 1, 0).tolist() == [[0, 0, 1], [0, 3, 4], [0, 6, 7]]
    assert moved(picture, 0, -2).tolist() == [[6, 7, 8], [0, 0, 0], [0, 0, 0]]
    assert not moved(picture, 50, 0).any() and not moved(picture, 0, -50).any()


def test_a_chosen_digit_is_one_of_the_data_and_can_be_moved(pad):
    chosen = x_new[y_new == 4][0]
    as_it_is, shifted = read(pad, digit=4), read(pad, digit=4, moved=[2, 0])
    assert as_it_is["pixels"] == pytest.approx(chosen, abs=1e-3)
    assert shifted["pixels"] == pytest.approx(moved(chosen.reshape(8, 8), 2, 0).ravel(), abs=1e-3)


def test_the_probabilities_are_softmax_of_the_scores_of_the_net_in_use(pad):
    pad.model.train()
    seen, scores = read(pad, digit=3), nn.predict(pad.model, x_new[y_new == 3][:1])[0]
    assert seen["shares"] == pytest.approx(np.exp(scores) / np.exp(scores).sum())
    best = int(np.argmax(scores))
    assert seen["said"].startswith(f"Read as {best}: {seen['shares'][best]:.0%}. Next comes ")


def test_an_empty_pad_asks_for_a_digit(pad):
    for strokes in ([], [[]]):
        assert read(pad, strokes=strokes) == {"pixels": [], "shares": [], "said": "Draw a digit, or choose one."}


def test_what_goes_wrong_in_the_learners_code_is_told():
    seen = read(Pad(nn.MLP([64, 4, 10]).layers[0].weight, x_new, y_new), digit=0)
    assert seen["said"].startswith("Your net could not read it. AttributeError: ")
    assert seen["shares"] == [] and len(seen["pixels"]) == 64


@pytest.mark.parametrize("pixels", [60, 100])
def test_pictures_of_another_size_are_refused(pixels):
    with pytest.raises(ValueError, match=f"64 or 784 pixels in a row, but these have {pixels}"):
        Pad(None, np.zeros((10, pixels)), np.arange(10))


def test_what_the_page_says_is_drawn_is_read(pad):
    page = pad.box()
    assert page.seen["said"] == "Draw a digit, or choose one." and page.digits == list(range(10))
    page.drawn = NOTHING | {"digit": 7}
    assert page.seen == read(pad, digit=7)
    assert "/* OWN_KEYS */" not in page._esm and "data-lm-suppress-shortcuts" in page._esm


def test_without_anywidget_it_says_what_to_install(pad, shown, monkeypatch):
    still, live = shown(pad)
    assert still["text/plain"] == f"A pad of 8 × 8 pixels, to draw a digit that the net reads.\n{play_pad.RUN}"
    assert list(live) == ["application/vnd.jupyter.widget-view+json"]
    monkeypatch.setitem(sys.modules, "anywidget", None)
    monkeypatch.delitem(sys.modules, "toolbox.play.pad_page", raising=False)
    [still] = shown(pad)
    assert "python -m pip install anywidget" in still["text/plain"] and play_pad.NEEDS in still["text/html"]
