"""A player in a real browser, on a page of its own: by keyboard, beside another, narrow and wide, without scripts."""

import re
import runpy
from io import BytesIO
from pathlib import Path

import nbformat
import numpy as np
import pytest
from matplotlib.image import imread

from babygrad import Value
from grader.maintainer.cell_outputs import players
from toolbox import compare_backward, step_through
from toolbox.player.player import Frame, Player
from toolbox.player.stage import Stage

pytestmark = pytest.mark.leg("push")

MEASURES = runpy.run_path(str(Path(__file__).with_name("test_browser.py")))
browser, violations, hard_to_read = (MEASURES[name] for name in ("browser", "violations", "hard_to_read"))
WORDS_OF_DRAWINGS, EXECUTED = MEASURES["WORDS_OF_DRAWINGS"], MEASURES["EXECUTED"]
WIDTHS = (700, 1280)


def graph(factor=3.0):
    x = Value(3.0, label="x")
    y = x * x
    L = y * (y * factor)
    y.label, L.label = "y", "L"
    return L


@pytest.fixture(scope="module")
def page_of_two(tmp_path_factory):
    """A page with two players, and what each of them says."""
    players = [
        step_through(graph()),
        compare_backward(graph, one=lambda r: r.backward(), other=lambda r: r._backward()),
    ]
    file = tmp_path_factory.mktemp("players") / "two.html"
    file.write_text(
        "<!doctype html><meta charset='utf-8'>" + "".join(shown.html for shown in players), encoding="utf-8"
    )
    return file, players


class Seen:
    """One player on a page."""

    def __init__(self, page, number=0):
        self.page, self.me = page, page.locator(".babygrad-player").nth(number)

    def says(self):
        return self.me.locator(".sentence").inner_text()

    def press(self, *keys):
        self.me.locator("input").focus()
        for key in keys:
            self.page.keyboard.press(key)
        return self.says()

    def text(self, key):
        part = self.me.locator(f'[data-key="{key}"]')
        return part.text_content() if part.is_visible() else None


@pytest.fixture
def seen(browser, page_of_two, request):
    """The two players of the page, each as Seen; and what the page complained of or asked for."""
    options = getattr(request, "param", {})
    page = browser.new_page(viewport={"width": 900, "height": 700}, **options)
    noise = []
    page.on("pageerror", lambda error: noise.append(str(error)))
    page.on("request", lambda asked: noise.append(asked.url))
    page.goto(page_of_two[0].as_uri())
    yield Seen(page, 0), Seen(page, 1)
    assert noise == [page_of_two[0].as_uri()]
    page.close()


def test_the_keyboard_alone_goes_through_all_frames(seen, page_of_two):
    one, frames = seen[0], page_of_two[1][0].frames
    assert one.says() == frames[0].sentence
    assert [one.press("ArrowRight") for _ in frames[1:]] == [frame.sentence for frame in frames[1:]]
    assert one.press("ArrowRight") == frames[-1].sentence
    assert one.press("ArrowLeft") == frames[-2].sentence
    assert one.press("Home") == frames[0].sentence
    assert one.press("End") == frames[-1].sentence


def test_the_buttons_are_reached_by_tab_and_say_what_they_do(seen, page_of_two):
    one, frames = seen[0], page_of_two[1][0].frames
    seen[0].page.keyboard.press("Tab")
    names = []
    for _ in range(5):
        names.append(one.page.evaluate("document.activeElement.textContent"))
        one.page.keyboard.press("Tab")
    assert names == ["First", "Back", "Play", "Forward", "Last"]
    one.me.get_by_role("button", name="Last").press("Enter")
    assert one.says() == frames[-1].sentence
    one.me.get_by_role("button", name="Back").press("Enter")
    assert one.says() == frames[-2].sentence


@pytest.mark.leg("night")
def test_each_frame_shows_its_texts_and_going_back_shows_the_earlier_ones_again(seen, page_of_two):
    one, frames = seen[0], page_of_two[1][0].frames
    texts = {}
    forward = []
    for number, frame in enumerate(frames):
        texts |= frame.texts
        forward.append({key: one.text(key) for key in texts if key[0] in "gt"})
        assert forward[-1] == {k: t if shown_box(texts, k) else None for k, t in texts.items() if k[0] in "gt"}, number
        one.press("ArrowRight")
    one.press("Home")
    assert {key: one.text(key) for key in frames[0].texts if key[0] in "gt"} == forward[0]


def shown_box(texts, key):
    """Is the box or arrow in which a text stands there yet?"""
    group = {"g": "n", "t": "e"}[key[0]] + key[1:]
    return texts.get(group, "shown") != ""


@pytest.mark.leg("night")
def test_two_players_do_not_meet(seen, page_of_two):
    one, other = seen
    first = other.says()
    one.press("End")
    assert other.says() == first
    assert other.press("ArrowRight").startswith("Step 1")
    assert one.says() == page_of_two[1][0].frames[-1].sentence
    assert one.page.evaluate("Object.keys(window).filter(name => /babygrad|player/i.test(name))") == []


def playing(browser, tmp_path, **pace):
    """A player of three frames, playing; and the page that it is on."""
    Player("three", [Frame("one " * 20), Frame("two"), Frame("three")], **pace).save(tmp_path / "three.html")
    page = browser.new_page()
    page.clock.install(time=0)
    page.goto((tmp_path / "three.html").as_uri())
    page.clock.pause_at(86_400_000)  # from here on it goes when it is told to, on a busy machine too
    page.get_by_role("button", name="Play").click()
    assert page.get_by_role("button", name="Pause").is_visible()
    return page, page.locator(".sentence")


@pytest.mark.leg("night")
def test_play_runs_to_the_end_and_stops(browser, tmp_path):
    page, sentence = playing(browser, tmp_path, pace=0.2)
    page.clock.run_for(10_000)
    page.get_by_role("button", name="Play").wait_for()
    assert sentence.inner_text() == "three"
    page.close()


@pytest.mark.leg("night")
def test_without_a_pace_a_frame_stays_until_it_has_been_read(browser, tmp_path):
    page, sentence = playing(browser, tmp_path)
    page.clock.run_for(2500)
    assert sentence.inner_text().startswith("one")
    page.clock.run_for(2500)
    assert sentence.inner_text() == "two"
    page.close()


@pytest.mark.leg("night")
def test_what_is_lit_is_thicker_too(seen):
    one = seen[0]
    one.press("End", "ArrowLeft")
    widths = "part => getComputedStyle(part.querySelector('path, polygon')).strokeWidth"
    lit, dark = one.me.locator("g.node.lit").first, one.me.locator("g.node:not(.lit)[data-key^=n]").first
    assert float(lit.evaluate(widths)[:-2]) > float(dark.evaluate(widths)[:-2])


@pytest.mark.leg("night")
@pytest.mark.parametrize("seen", [{"java_script_enabled": False}], indirect=True)
def test_without_scripts_the_last_frame_and_the_text_are_there(seen, page_of_two):
    one, frames = seen[0], page_of_two[1][0].frames
    assert one.says() == frames[-1].sentence
    assert one.me.locator("img").evaluate("picture => picture.naturalWidth") > 300
    assert one.me.locator("button, input").count() == 0
    assert one.me.locator("details pre").text_content() == str(page_of_two[1][0])


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.leg("night")
def test_nothing_is_wider_than_the_page(browser, page_of_two, width, scheme):
    page = browser.new_page(viewport={"width": width, "height": 700}, color_scheme=scheme)
    page.goto(page_of_two[0].as_uri())
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    names = page.locator("button, input, [role=group], svg").evaluate_all(
        "parts => parts.filter(p => !(p.textContent.trim() || p.getAttribute('aria-label'))).length"
    )
    assert names == 0
    page.close()


# ------------------------------------------------------------------ for everybody


LIGHT, DARK = {"color_scheme": "light"}, pytest.param({"color_scheme": "dark"}, marks=pytest.mark.leg("night"))


@pytest.mark.parametrize("seen", [LIGHT, DARK], indirect=True, ids=str)
def test_every_frame_can_be_read_and_used(seen, page_of_two):
    for number, (one, player) in enumerate(zip(seen, page_of_two[1])):
        one.press("Home")
        for _ in player.frames:
            words = one.page.evaluate(WORDS_OF_DRAWINGS, f".babygrad-player:nth-of-type({number + 1}) svg text")
            assert words and list(filter(None, map(hard_to_read, words))) == []
            one.press("ArrowRight")
    one.page.locator("summary").first.click()
    assert violations(one.page, ".babygrad-player") == []


@pytest.mark.leg("night")
def test_with_forced_colours_the_picture_keeps_its_own_and_the_words_take_the_readers(browser, page_of_two):
    """What is painted, for computed styles do not tell of forced colours."""
    pictures = {}
    for forced in ("none", "active"):
        page = browser.new_page(color_scheme="dark", forced_colors=forced)
        page.goto(page_of_two[0].as_uri())
        page.locator("[data-go=last]").first.press("Enter")
        parts = [page.locator(part).first for part in (".picture svg", ".sentence")]
        pictures[forced] = [imread(BytesIO(part.screenshot()))[8:-8, 8:-8, :3] for part in parts]
        page.close()
    (drawn, words), (drawn_forced, words_forced) = pictures.values()
    assert np.array_equal(drawn, drawn_forced)
    assert np.median(words) > 0.9 and np.median(words_forced) < 0.1 and words_forced.max() > 0.9


@pytest.mark.leg("night")
def test_without_scripts_everybody_can_use_what_is_left(browser, page_of_two, tmp_path):
    """Scripts are taken out, as an untrusted notebook does. axe-core is one, so the browser must allow them."""
    bare = tmp_path / "bare.html"
    text = page_of_two[0].read_text(encoding="utf-8")
    bare.write_text(re.sub(r"<script>.*?</script>", "", text, flags=re.DOTALL), encoding="utf-8")
    page = browser.new_page()
    page.goto(bare.as_uri())
    assert page.locator("button, script").count() == 0
    assert violations(page, ".babygrad-player") == []
    page.close()


@pytest.mark.leg("night")
def test_a_line_of_the_list_is_there_when_it_has_been_reached(seen, page_of_two):
    """Before that neither who looks nor who listens is told the order; going back takes lines away again."""
    one, player = seen[0], page_of_two[1][0]
    assert list(player.lines) == ["L", "v2", "y"]
    lines = one.me.locator(".list")
    for number in (*range(len(player)), *reversed(range(len(player)))):
        one.press("Home", *["ArrowRight"] * number)
        reached = max([frame.place for frame in player.frames[: number + 1] if frame.place is not None], default=-1)
        listed = list(player.lines[: reached + 1])
        assert [line.inner_text() for line in lines.locator("li").filter(visible=True).all()] == listed
        spoken = re.findall(r"listitem: (.*)", lines.aria_snapshot())
        assert [line.strip('"').removesuffix(" ◀") for line in spoken] == listed
    assert reached == -1


@pytest.mark.leg("night")
def test_a_long_list_scrolls_in_its_room_to_what_was_reached_and_the_page_stays(browser, tmp_path):
    frames = [Frame("Before."), *(Frame(f"Line {place}.", place=place) for place in range(60)), Frame("After.")]
    Player("A long program", frames, "", [f"line {place}" for place in range(60)]).save(tmp_path / "long.html")
    page = browser.new_page(viewport={"width": 700, "height": 500})
    page.goto((tmp_path / "long.html").as_uri())
    one = Seen(page)
    for number, last in ((1, 0), (2, 1), (40, 39), (61, 59), (20, 19)):
        one.press("Home", *["ArrowRight"] * number)
        room, line = (page.locator(part).bounding_box() for part in (".list ol", f".list li:nth-child({last + 1})"))
        assert room["height"] < 400
        assert room["y"] - 1 <= line["y"] and line["y"] + line["height"] <= room["y"] + room["height"] + 1
        assert page.evaluate("scrollY") == 0
    page.locator(".list ol").focus()
    assert page.evaluate("document.activeElement.tagName") == "OL"
    assert violations(page, ".babygrad-player") == []
    page.close()


@pytest.mark.leg("night")
def test_the_list_stands_beside_its_picture(browser, tmp_path):
    picture = '<svg xmlns="http://www.w3.org/2000/svg" width="450" height="300"></svg>'
    frames = [Frame("One.", place=0), Frame("Two.", place=1)]
    Player("Two lines", frames, picture, ["one", "two"], "Lines:").save(tmp_path / "two.html")
    page = browser.new_page(viewport={"width": 1280, "height": 700})
    page.goto((tmp_path / "two.html").as_uri())
    drawn, listed = (page.locator(part).bounding_box() for part in (".picture", ".list"))
    assert drawn["x"] + 450 < listed["x"] < drawn["x"] + 500 and abs(listed["y"] - drawn["y"]) < 5
    page.close()


@pytest.mark.leg("night")
def test_a_short_list_is_no_stop_of_the_tab_key(seen):
    assert seen[0].me.locator(".list ol").get_attribute("tabindex") == "-1"


@pytest.mark.leg("night")
def test_each_step_is_read_aloud_once(seen, page_of_two):
    """By the sentence, which announces itself; the slider says only which step it is."""
    one, frames = seen[0], page_of_two[1][0].frames
    one.press("Home", "ArrowRight")
    assert one.me.locator("[aria-live=polite]").all_inner_texts() == [frames[1].sentence]
    assert one.me.locator("input").get_attribute("aria-valuetext") == f"2 of {len(frames)}"


@pytest.mark.leg("night")
def test_on_paper_the_frame_stands_with_its_number_and_all_sentences(seen, page_of_two):
    one, frames = seen[0], page_of_two[1][0].frames
    one.press("Home", "ArrowRight")
    one.page.emulate_media(media="print")
    assert one.me.locator(".count").inner_text() == f"2 of {len(frames)}"
    assert one.says() == frames[1].sentence
    assert not one.me.locator("button, input").filter(visible=True).count()
    height = one.me.locator("details pre").bounding_box()["height"]
    assert height > 15 * len(frames)


MOVES = "parts => parts.map(part => getComputedStyle(part).transitionDuration).filter(time => time !== '0s')"


@pytest.fixture(scope="module")
def film(tmp_path_factory):
    """A page with a film of a dot that moves."""
    ground = Stage("A dot", (0, 4), (0, 4))
    ground.dot(0, 1, "dot")
    frames = [Frame(f"The dot is at {x}.", moved={"dot": ground.to(x, 1)}) for x in range(4)]
    file = tmp_path_factory.mktemp("film") / "dot.html"
    Player("A dot", frames, ground.svg, pace=0.4).save(file)
    return file


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
@pytest.mark.leg("night")
def test_nothing_glides_where_motion_is_not_wanted(browser, film, motion):
    page = browser.new_page(reduced_motion=motion)
    page.clock.install(time=0)
    page.goto(film.as_uri())
    gliding = page.locator("[data-key=dot]").evaluate_all(MOVES)
    assert bool(gliding) == (motion == "no-preference")
    page.clock.pause_at(86_400_000)
    page.locator("[data-go=play]").press("Enter")
    page.clock.run_for(1500)
    assert page.locator(".count").inner_text() == ("1 of 4" if motion == "reduce" else "4 of 4")
    page.close()


# ------------------------------------------------------------------ the films of the notebooks


FILMS = {path.stem: html for path in EXECUTED if (html := players(nbformat.read(path, 4).cells))}


@pytest.mark.leg("night")
@pytest.mark.parametrize("notebook", FILMS)
def test_films_can_be_read_and_used_in_half_a_window(browser, notebook, tmp_path):
    """Of each the first frame, one from the middle, the last. A word lies on a ground that the picture itself has."""
    page = browser.new_page(viewport={"width": 580, "height": 900}, color_scheme="dark", reduced_motion="reduce")
    file = tmp_path / "films.html"
    head = '<!doctype html><html lang="en"><meta charset="utf-8"><title>Films</title><body style="background: #111">'
    file.write_text(head + "".join(FILMS[notebook]), encoding="utf-8")
    page.goto(file.as_uri())
    for number in range(len(FILMS[notebook])):
        one = Seen(page, number)
        middle = int(one.me.locator("input").get_attribute("max")) // 2
        for keys in (["Home"], ["ArrowRight"] * middle, ["End"]):
            one.press(*keys)
            words = page.evaluate(WORDS_OF_DRAWINGS, f".babygrad-player:nth-of-type({number + 1}) svg text")
            assert words and list(filter(None, map(hard_to_read, words))) == [], (number, one.says())
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert violations(page, ".babygrad-player") == []
    page.close()
