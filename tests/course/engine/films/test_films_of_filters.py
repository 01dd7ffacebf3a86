"""The films of 17: what their frames say is what an independent computation finds."""

import numpy as np
import pytest

from babygrad.conv import windows
from babygrad.tensor import Tensor
from grader.course.packages import private_copy
from grader.course.paths import LEARNER
from grader.course.stub_message import unfilled_by
from toolbox.films.filters import colour, filters_film
from toolbox.films.windows import window_slides

PICTURE = np.array([[1, 2, 3, 4], [5, 6, 7, 8], [9, 10, 11, 12]])


@pytest.mark.parametrize("stride", [1, 2])
def test_each_window_is_told_with_its_numbers_and_their_places_in_memory(stride):
    film = window_slides(windows, PICTURE, 2, stride)
    corners = [(i, j) for i in range(0, 2, stride) for j in range(0, 3, stride)]
    assert len(film) == len(corners) + 2
    for place, ((i, j), frame) in enumerate(zip(corners, film.frames[1:-1])):
        numbers = PICTURE[i : i + 2, j : j + 2].ravel()
        told = f"Window ({i // stride}, {j // stride}) begins in row {i}, column {j}. Its numbers are "
        told += f"{', '.join(map(str, numbers))}; in memory they lie at {', '.join(str(n - 1) for n in numbers)}. "
        assert frame.sentence == f"{told}They become column {place}."
        lit = {key for key, change in frame.moved.items() if key[0] == "m" and change["visibility"] == "visible"}
        assert lit == {f"m{n - 1}" for n in numbers}


def test_the_last_frame_tells_the_strides():
    last = window_slides(windows, PICTURE, 2, 2).frames[-1].sentence
    assert "below it is 8 places in memory, to the one on the right 2; inside a window 4 downwards and 1 to" in last


def test_the_film_is_made_by_the_windows_it_is_given():
    film = window_slides(lambda x, size, stride: Tensor(np.full((1, 1, 1, 1, 2, 2), 7.0)), PICTURE, 2)
    assert "Its numbers are 7, 7, 7, 7;" in str(film)


def test_where_the_exercise_is_missing_its_stub_is_what_is_met():
    with private_copy(LEARNER) as mine, pytest.raises(NotImplementedError) as error:
        window_slides(mine.conv.windows, PICTURE, 2)
    assert unfilled_by(error.value).id in ("5.3", "17.1")  # whichever comes first: no operation works without 5.3


def test_filters_are_drawn_epoch_by_epoch():
    before = np.zeros((8, 3, 3))
    after = before.copy()
    after[2, 1, 1], after[5, 0, 0] = 4.0, -2.0
    film = filters_film({0: before, 1: after, 2: after}, [0.9, 0.975])
    assert [frame.sentence for frame in film.frames] == [
        "Before the first step: the filters are random numbers.",
        "After epoch 1: 90.0% right. Filter 2 has changed most.",
        "After epoch 2: 97.5% right. Filter 0 has changed most.",
    ]
    fills = film.frames[1].moved
    assert (fills["f2_4"]["fill"], fills["f5_0"]["fill"]) == ("#0072b2", colour(-0.5))
    assert fills["f0_0"]["fill"] == "#ffffff"
    assert film.caption and len(film.html) < 100_000


def test_of_a_resumed_run_the_first_filters_are_not_called_random():
    film = filters_film({3: np.ones((8, 3, 3))}, [0.1, 0.2, 0.3])
    assert [frame.sentence for frame in film.frames] == ["After epoch 3: 30.0% right."]
