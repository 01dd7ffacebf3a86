"""A film's stage: places in data coordinates become pixels, and what is moved is where a frame says."""

import math
import re
from itertools import pairwise
from xml.etree import ElementTree

import pytest

from toolbox.drawing.svg import in_state
from toolbox.player.player import Frame, Player
from toolbox.player.stage import Stage, side_by_side

SVG = "{http://www.w3.org/2000/svg}"


def stage(**more):
    return Stage("a line", x=(0, 10), y=(-1, 1), wide=472, high=266, **more)


def parts(svg):
    return {part.get("data-key"): part for part in ElementTree.fromstring(svg).iter() if part.get("data-key")}


def test_the_ends_of_the_axes_are_the_ends_of_the_ground():
    ground = stage()
    assert ground.at(0, -1) == (60, 226) and ground.at(10, 1) == (460, 26) and ground.at(5, 0) == (260, 126)


def test_powers_of_ten_are_equally_far_apart():
    ground = Stage("errors", x=(1e-12, 1), y=(0, 1), log="x")
    places = [ground.at(10.0**p, 0)[0] for p in range(-12, 1)]
    steps = [b - a for a, b in pairwise(places)]
    assert steps == pytest.approx([steps[0]] * 12)
    assert [words for _, words in ground.x.ticks()] == ["1e-12", "1e-9", "1e-6", "1e-3", "1e0"]


@pytest.mark.parametrize("ends", [(0, 10), (-3, 3), (0, 0.02), (17, 1900), (-1e-7, 1e-7), (-250, -240)])
def test_ticks_are_round_few_and_within(ends):
    numbers = [number for number, _ in Stage("", x=ends, y=(0, 1)).x.ticks()]
    assert 3 <= len(numbers) <= 7 and ends[0] - 1e-9 <= numbers[0] and numbers[-1] <= ends[1] + 1e-9
    assert all(re.fullmatch(r"-?[0125]0*|0", f"{(b - a):.0e}".split("e")[0]) for a, b in pairwise(numbers))


def test_a_curve_has_a_gap_where_there_is_no_number():
    points = [(0, 0), (1, 0), (2, math.nan), (3, math.inf), (4, 0), (5, 0)]
    assert stage().curve_to(points)["d"].count("M") == 2


def test_a_bar_reaches_from_one_number_to_the_other_either_way():
    assert stage().size_to(0, 1) == stage().size_to(1, 0) == {"y": "26", "height": "100"}


@pytest.fixture
def film():
    ground = stage()
    ground.curve([(0, 0), (10, 1)], "curve")
    ground.dot(0, 0, "ball", marker="^")
    ground.words(5, 0.5, "5 < 6", "words")
    frames = [
        Frame("It stands."),
        Frame("It rolls.", moved={"ball": ground.to(10, 1)}),
        Frame("It bends.", {"words": "7 < 8"}, moved={"curve": ground.curve_to([(0, -1), (10, -1)])}),
    ]
    return ground, Player("a ball", frames, ground.svg, caption="Look at the ball.", start=1, pace=0.3)


def test_the_still_picture_is_that_of_the_last_frame(film):
    ground, player = film
    there = parts(player.still)
    assert there["ball"].get("style") == ground.to(10, 1)["style"]
    assert there["curve"].get("d") == ground.curve_to([(0, -1), (10, -1)])["d"]
    assert there["words"].text == "7 < 8"


def test_the_first_frame_knows_how_all_stood_that_moves_later(film):
    ground, player = film
    first = player._told_in_full()[0]
    assert first.moved == {"ball": ground.to(0, 0), "curve": ground.curve_to([(0, 0), (10, 1)])}
    assert first.texts == {"words": "5 < 6"}


def test_the_text_has_the_caption_and_every_sentence(film):
    assert str(film[1]).splitlines() == [
        "a ball",
        "Look at the ball.",
        "  1  It stands.",
        "  2  It rolls.",
        "  3  It bends.",
    ]


def test_a_start_that_is_no_frame_is_refused():
    with pytest.raises(ValueError, match="start must be one of the frames 0 to 0, but it is 1"):
        Player("short", [Frame("one")], start=1)


def test_what_is_hidden_at_first_is_shown_later():
    ground = stage()
    ground.dot(1, 0, "late")
    hidden = in_state(ground.svg, {"late": ""}, {})
    assert parts(hidden)["late"].get("visibility") == "hidden"
    assert Player("", [Frame("a"), Frame("b", {"late": "shown"})], hidden)._told_in_full()[0].texts == {"late": ""}


def test_stages_side_by_side_are_pictures_of_their_own():
    panels = ElementTree.fromstring(side_by_side([stage(), stage(), stage()]))
    assert [(each.tag, each.get("width"), each.get("aria-label")) for each in panels] == [
        (SVG + "svg", "472", "a line")
    ] * 3
    assert "--least: 354px" in panels.get("style")  # 12 pixels are 9 then
    assert side_by_side([stage()]) == stage().svg
