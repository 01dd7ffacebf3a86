"""The film of 16: what its frames say is what an independent computation finds."""

import re

import numpy as np
import pytest

from babygrad.tensor import Tensor
from babygrad.transformer import attention_weights, causal_mask, scaled_dot_product_attention
from grader.course.packages import private_copy
from grader.course.paths import LEARNER
from grader.course.stub_message import unfilled_by
from toolbox.films.looking import one_query_looks
from toolbox.player.player import changes

NUMBER = re.compile(r"-?\d+(?:\.\d+)?")
QUERY, KEY = [[1, 0], [0, 1], [2, 1], [1, 1]], [[1, 0], [0, 2], [1, -1], [3, 3]]
VALUE = [[4, 0], [0, 8], [8, 4], [9, 9]]


def numbers(text):
    return [float(number) for number in NUMBER.findall(text)]


def film_at(at, weights_of=attention_weights, attention=scaled_dot_product_attention):
    return one_query_looks(weights_of, attention, QUERY, KEY, VALUE, causal_mask(4), at)


def by_hand(at):
    """(scores of the query, weights, mixture), in plain NumPy."""
    scores = np.array(KEY) @ np.array(QUERY[at], float)
    powers = np.exp(scores / np.sqrt(2)) * (np.arange(4) <= at)
    return scores, powers / powers.sum(), powers / powers.sum() @ np.array(VALUE, float)


def heights(frame, name):
    return np.array([float(frame.moved[f"{name}{place}"]["height"]) for place in range(4)])


@pytest.mark.parametrize("at", range(4))
def test_the_film_of_a_query_says_its_scores_weights_and_mixture(at):
    scores, weights, mixture = by_hand(at)
    film = film_at(at)
    assert len(film) == 1 + 4 + 1 + (at < 3) + 1 + (at + 1) + 1
    met = [frame for frame in film.frames if frame.sentence.startswith("Key")]
    assert [numbers(frame.sentence)[-1] for frame in met] == scores.tolist()
    divided = next(frame for frame in film.frames if frame.sentence.startswith("Divided"))
    assert numbers(divided.sentence)[2:] == pytest.approx(scores / np.sqrt(2), abs=0.006)
    shared = next(frame for frame in film.frames if frame.sentence.startswith("Softmax"))
    assert numbers(shared.sentence) == pytest.approx([*weights, 1], abs=6e-4)
    assert numbers(film.frames[-1].sentence)[1:] == pytest.approx(mixture, abs=0.006)
    assert numbers(film.frames[-2].sentence)[-2:] == pytest.approx(mixture, abs=0.006)


def test_the_bars_are_as_high_as_the_scores_and_weights_and_the_hidden_ones_go():
    scores, weights, _ = by_hand(2)
    frames = film_at(2).frames
    divided, hidden, shared = frames[5:8]
    each = heights(divided, "score") / np.abs(scores)
    assert np.allclose(each, each[0], rtol=0.01) and each[0] > 1
    assert hidden.texts["score_of3"] == "-inf" and heights(hidden, "score")[3] == 0
    assert np.array_equal(heights(hidden, "score")[:3], heights(divided, "score")[:3])
    of_one = heights(shared, "weight")[2] / weights[2]
    np.testing.assert_allclose(heights(shared, "weight"), of_one * weights, atol=0.1)


def test_the_film_is_made_by_the_functions_it_is_given():
    film = film_at(2, lambda q, k, mask: Tensor(np.full((4, 4), 0.25)), lambda q, k, v, mask: Tensor(v.data + 1))
    assert "Softmax: the weights 0.250, 0.250, 0.250, 0.250." in str(film)
    assert "takes from there: (9.00, 5.00)." in str(film)


def test_where_the_exercise_is_missing_its_stub_is_what_is_met():
    with private_copy(LEARNER) as mine, pytest.raises(NotImplementedError) as error:
        film_at(2, mine.transformer.attention_weights)
    assert unfilled_by(error.value).id == "16.4"


def test_it_is_small_has_a_caption_and_says_the_same_each_time():
    film = film_at(2)
    assert len(film.html.encode()) < 100_000
    assert film.caption and str(film) == str(film_at(2))
    assert "nan" not in str(film) and "nan" not in film.picture


def test_it_plays_backwards_too():
    """Every key that a frame changes is in the picture, so that the player can go back to how it was."""
    film = film_at(1)
    texts, moved = changes(film.frames)
    assert all(f'data-key="{key}"' in film.picture for key in texts | moved)
