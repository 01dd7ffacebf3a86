"""Minutes are computed by one formula, and each notebook is cut into sittings of fifty minutes at most."""

import re

import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell

from grader.course import catalogue
from grader.maintainer import minutes
from grader.maintainer.clean_notebooks import clean_notebook
from grader.maintainer.sources import NotebookError, markdown_of, sources

NUMBERS = catalogue.numbers()
SHARE_OF_THE_CORE = (0.6, 0.85)  # of all minutes of the notebooks that have a core


@pytest.mark.parametrize("number", NUMBERS)
def test_no_sitting_is_longer_than_fifty_minutes(number):
    assert [m for m in minutes.sittings(minutes.of(number)) if m > minutes.LONGEST_SITTING] == []


def test_the_core_is_neither_all_nor_too_little():
    with_a_core = [nb.number for nb in catalogue.notebooks() if nb.track != minutes.STRETCH]
    found = [part for number in with_a_core for part in minutes.of(number)]
    share = minutes.total(found, minutes.EVENING, minutes.CORE) / minutes.total(found)
    assert SHARE_OF_THE_CORE[0] <= share <= SHARE_OF_THE_CORE[1]


@pytest.mark.parametrize("source", sources(), ids=lambda path: path.stem)
def test_no_source_types_minutes_and_no_mark_stands_inside_a_paragraph(source):
    text = source.read_text(encoding="utf-8")
    assert re.findall(r"^# #+ .*\(\d+ minutes?\b.*$", text, re.MULTILINE) == []
    assert re.findall(r"^# .*\*\(?stretch\)?\*.*$", text, re.MULTILINE) == []
    assert "The next sitting" not in text


@pytest.mark.parametrize("source", sources(), ids=lambda path: path.stem)
def test_heads_and_headings_of_a_notebook_are_those_of_the_count(source):
    found, text = minutes.of(source.name[:2]), markdown_of(clean_notebook(source))
    assert minutes.about(found, catalogue.notebook(source.name[:2])) == text.splitlines()[2]
    lettered = {part.title: part for part in found if minutes.MARKED.match(part.title) and part.rank == 2}
    told = dict(re.findall(r"^## (.*?) \(\d+ minutes?, (\w+)\)$", text, re.MULTILINE))
    assert told == {title: part.mark for title, part in lettered.items()}


# ------------------------------------------------------------------ the formula, on a small notebook

LONG = "\n\n" + " ".join(["one two three"] * 60)


def small():
    return [
        new_markdown_cell("# 02 · A number that remembers" + LONG),
        new_markdown_cell("## Goals" + LONG),
        new_markdown_cell("## A. First\n\none **Predict.** two\n\n```\n# ## no heading\nx = 1\n```"),
        new_code_cell("# prediction 2.A1\n%predict"),
        new_markdown_cell("<details><summary>two</summary>\n\none\n\n</details>"),
        new_code_cell("%%note 2.R1\n\n"),
        new_code_cell("%matplotlib inline\n\nx = 1\ny = 2\n"),
        new_code_cell("hidden = 1", metadata={"jupyter": {"source_hidden": True}}),
        new_markdown_cell("### Exercise 2.7\n\nFill it in."),
        new_markdown_cell(f"{minutes.STOP} So far."),
        new_markdown_cell("## B. Second (stretch)\n\none\n\n### More\n\ntwo\n\n### Still more (stretch)" + 5 * LONG),
    ]


def test_what_is_counted():
    top, goals, first, exercise, second, more, still = minutes.parts(small())
    assert (top.words, top.minutes) == (5 + 180, 185 / minutes.WORDS_A_MINUTE)
    assert goals.minutes == 0
    assert (first.words, first.code, first.predictions) == (2 + 3 + 6, 2 + 2, 1)  # the tags are words as well
    assert (first.questions, first.notes) == (1, 1)
    assert first.minutes == pytest.approx(11 / minutes.WORDS_A_MINUTE + 4 / minutes.CODE_LINES_A_MINUTE + 2 + 1 + 2)
    assert exercise.minutes == pytest.approx((2 + 3 + 7) / minutes.WORDS_A_MINUTE + minutes.for_exercise("2.7"))
    assert (exercise.stops, first.stops) == (True, False)
    assert [part.mark for part in (first, second, more, still)] == ["core", "stretch", "stretch", "stretch"]


def test_sections_lie_where_their_notebook_lies():
    assert {part.mark for part in minutes.of("14")} == {"stretch"}
    assert minutes.row("14").split(" | ")[1] == "0"
    assert "minutes** (stretch), in " in minutes.about(minutes.of("14"), catalogue.notebook("14"))
    cells = [new_markdown_cell("# T\n\n## A. First (core)\n\nText.")]
    with pytest.raises(NotebookError, match=r"'A\. First' is marked core, but 'the top'.* stretch"):
        minutes.parts(cells, "stretch")


def test_an_exercise_takes_longer_if_it_is_harder_and_if_its_answer_is_longer():
    easy, hard = catalogue.exercise("2.1"), catalogue.exercise("3.3")
    assert easy.difficulty < hard.difficulty
    assert minutes.for_exercise("2.1") < minutes.for_exercise("3.3")
    assert minutes.for_exercise("3.3") - minutes.BY_DIFFICULTY[hard.difficulty] == pytest.approx(
        minutes.ANSWER_LINE * minutes.answer_lines()["3.3"]
    )


def test_what_is_put_in():
    cells = small()
    minutes.put_in(cells, catalogue.notebook("02"))
    text = "\n".join(cell.source for cell in cells)
    about = "**About 25 minutes** (15 of them core), in 2 sittings · files: [value.py](../babygrad/value.py)"
    assert f"# 02 · A number that remembers\n\n{about}" in text
    assert "## Goals\n" in text
    assert re.search(r"^## A\. First \(\d+ minutes, core\)$", text, re.MULTILINE)
    exercise, link = re.search(r"^### Exercise 2\.7 (`.*` \(\d+ minutes, ●●○○\)) · (.*)$", text, re.MULTILINE).groups()
    assert exercise.startswith("`Value.exp, log`") and link == "[value.py](../babygrad/value.py#exercise-2.7)"
    assert "## B. Second (9 minutes, stretch)\n" in text
    assert "### More\n" in text and "### Still more\n" in text
    assert "So far. (The next sitting: about 10 minutes.)" in text
    assert "# ## no heading\n" in text


def test_a_mark_that_the_section_around_it_contradicts_is_refused():
    cells = [new_markdown_cell("# T\n\n## A. First (stretch)\n\n### Exercise 2.1\n\nDo it.")]
    with pytest.raises(NotebookError, match=r"'Exercise 2.1' is marked (core|evening), but 'A. First'.* stretch"):
        minutes.parts(cells)


def test_an_exercise_off_the_way_of_its_section_says_so():
    cells = [new_markdown_cell("# T\n\n## A. First\n\nText.\n\n### Exercise 6.9\n\nDo it.")]
    minutes.put_in(cells, catalogue.notebook("06"))
    exercise = r"^### Exercise 6\.9 `.*` \(\d+ minutes, ●●●●, stretch\) · \[ops/arithmetic\.py\]\(.*\)$"
    assert re.search(exercise, cells[0].source, re.MULTILINE)
