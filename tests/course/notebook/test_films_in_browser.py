"""Films of 00, 01, 04, 10 to 12, 15 and 16 in a real browser: each frame as it should, two widths, light, dark."""

import runpy
from pathlib import Path

import pytest

pytestmark = pytest.mark.leg("push")

HERE = Path(__file__)
MEASURES = runpy.run_path(str(HERE.with_name("test_browser.py")))
browser, violations, hard_to_read = (MEASURES[name] for name in ("browser", "violations", "hard_to_read"))
FILMS, NUMBERS, ATTENTION, PROGRAMS = (
    runpy.run_path(str(HERE.parents[1] / "engine" / what))
    for what in (
        *(f"films/test_films_of_{films}.py" for films in ("training", "numbers", "attention")),
        "viz/test_program_pictures.py",
    )
)
OF_TRAINING = ("boundary", "gradients", "valley", "curves", "softmax", "units")
NAMES = (*OF_TRAINING, "moons", "secant", "bowls", "nets", "query", "arrays")
# Of each part that moves: the attributes that it has now.
STANDING = """(player, keys) => keys.map(key => {
    const part = player.querySelector(`[data-key="${key}"]`);
    return Object.fromEntries([...part.attributes].map(each => [each.name, each.value]));
})"""


@pytest.fixture(scope="module")
def films(tmp_path_factory):
    """{name: (the page of a film, the film)}."""
    folder = tmp_path_factory.mktemp("films")
    made = dict(zip(OF_TRAINING, FILMS["all_films"](FILMS["filmed_moons"]()[0]), strict=True))
    made |= NUMBERS["all_films"]() | {"query": ATTENTION["film_at"](2)}
    made["arrays"] = PROGRAMS["arrays_at_work"](PROGRAMS["step_program"]())
    for name, film in made.items():
        film.save(folder / f"{name}.html")
    return {name: (folder / f"{name}.html", film) for name, film in made.items()}


@pytest.mark.leg("night")
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(
    ("width", "scheme"), [(700, "dark"), pytest.param(1280, "light", marks=pytest.mark.leg("night"))]
)
def test_each_frame_stands_as_it_says(browser, films, name, width, scheme):
    file, film = films[name]
    page = browser.new_page(viewport={"width": width, "height": 700}, color_scheme=scheme, reduced_motion="reduce")
    noise = []
    page.on("pageerror", lambda error: noise.append(str(error)))
    page.goto(file.as_uri())
    player, moved = page.locator(".babygrad-player"), {}
    player.locator("input").focus()
    for frame in film.frames:
        moved |= frame.moved
        assert player.locator(".sentence").inner_text() == frame.sentence
        standing = player.evaluate(STANDING.replace("(player, keys)", "player").replace("keys.", f"{list(moved)}."))
        for (key, wanted), there in zip(moved.items(), standing):
            assert {attribute: there.get(attribute) for attribute in wanted} == wanted, key
        page.keyboard.press("ArrowRight")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    words = page.evaluate(MEASURES["WORDS_OF_DRAWINGS"], ".babygrad-player svg text")
    assert words and list(filter(None, map(hard_to_read, words))) == []
    assert violations(page, ".babygrad-player") == []
    assert noise == []
    page.close()


@pytest.mark.leg("night")
def test_the_array_that_a_line_is_written_into_is_lit(browser, films):
    page = browser.new_page(viewport={"width": 700, "height": 700})
    page.goto(films["arrays"][0].as_uri())
    for frame in films["arrays"][1].frames:
        strokes = page.locator(".picture rect[data-key]").evaluate_all(
            "all => all.filter(x => getComputedStyle(x).strokeWidth === '3px').map(x => x.dataset.key)"
        )
        assert tuple(strokes) == frame.lit
        page.locator("[data-go=forward]").press("Enter")
    page.close()


LEAST_LETTERS = """() => Math.min(...[...document.querySelectorAll('.picture text')].filter(word => word.textContent)
    .map(word => [word.getScreenCTM(), parseFloat(getComputedStyle(word).fontSize)])
    .map(([matrix, size]) => size * Math.hypot(matrix.c, matrix.d)))"""


@pytest.mark.leg("night")
@pytest.mark.parametrize("room", [420, 560])
@pytest.mark.parametrize("name", NAMES)
def test_letters_can_be_read_in_a_narrow_column(browser, films, name, room):
    page = browser.new_page(viewport={"width": room + 16, "height": 700})  # 8 pixels are the page's margin
    page.goto(films[name][0].as_uri())
    assert page.locator(".babygrad-player").bounding_box()["width"] == room
    assert page.evaluate(LEAST_LETTERS) >= 9
    page.close()
