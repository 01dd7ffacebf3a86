"""make slides: which cells stand on a slide, in which order, what is left to the notes, and the page of them."""

import json
import re
from functools import cache
from types import SimpleNamespace

import nbformat
import pytest

from grader.course import catalogue
from grader.course.usage import UsageError
from grader.maintainer import minutes
from grader.maintainer.executed_notebooks import executed_path
from grader.maintainer.sources import sources
from grader.slides import choosing, command, heights, page, reveal
from grader.slides.choosing import LOOKED_UP, NOT_SHOWN, Item, as_markdown, blocks, shortened, unlinked

NIGHT = pytest.mark.leg("night")

NUMBERS = [nb.number for nb in catalogue.notebooks()]
SMALL = ["00", "08"]


@cache
def executed(number):
    return nbformat.read(executed_path(sources([number])[0]), as_version=4)


@cache
def deck(number):
    return choosing.slides(executed(number), number)


@cache
def shown_in(number):
    """What of a notebook's Markdown may be shown: without the sections that are looked up, and without links."""
    text, skips = [], False
    for cell in executed(number).cells:
        for piece in minutes.pieces(cell.source) if cell.cell_type == "markdown" else ():
            heading = minutes.HEADING.match(piece)
            if heading and len(heading[1]) == 2:
                skips = heading[2].startswith(LOOKED_UP)
            text += [] if skips else [unlinked(piece)]
    return "\n\n".join(text)


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    """The pages of two small notebooks, as the command writes them where reveal.js is there already."""
    out = tmp_path_factory.mktemp("slides")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(reveal, "put_beside", lambda folder: None)
        assert command.run(SimpleNamespace(out=out, which=SMALL, theme="white")) == 0
    return {number: (out / f"{number}.html").read_text(encoding="utf-8") for number in SMALL}


# ---- which cells, in which order ----


@pytest.mark.leg("push")
@pytest.mark.parametrize("number", NUMBERS)
def test_each_section_begins_a_slide(number):
    parts = [part.title for part in minutes.of(number) if part.rank == 2 and part.title not in LOOKED_UP]
    begun = [slide.items[0].markdown.splitlines()[0] for slide in deck(number)[1:] if slide.rank == 2]
    assert begun == [f"## {title}" for title in parts]


@pytest.mark.parametrize("number", NUMBERS)
def test_a_question_stands_before_its_answer(number):
    asked = sum(cell.source.count(minutes.PREDICT) for cell in executed(number).cells if cell.cell_type == "markdown")
    questions = [slide for slide in deck(number) if any(minutes.PREDICT in item.markdown for item in slide.items)]
    assert len(questions) == asked
    for slide in questions:
        place = next(i for i, item in enumerate(slide.items) if minutes.PREDICT in item.markdown)
        assert all(item.paused or item.code for item in slide.items[place + 1 :]), slide.items[place].markdown


@pytest.mark.parametrize("number", NUMBERS)
def test_what_follows_a_pause_waits_as_well(number):
    for slide in deck(number):
        paused = [item.paused for item in slide.items]
        assert paused == sorted(paused) and not paused[0]
        assert all(item.paused for item in slide.items[1:] if item.outputs)


def test_an_explanation_is_never_on_the_slide_of_the_next_question_before_it():
    for number in NUMBERS:
        for slide in deck(number):
            texts = "\n".join(item.markdown for item in slide.items)
            assert not re.search(r"\*\*Explain\b.*\*\*Predict\.", texts, re.DOTALL), (number, texts)


@pytest.mark.parametrize("number", NUMBERS)
def test_what_only_a_learner_needs_is_left_out(number):
    code = [item.code for slide in deck(number) for item in slide.items]
    assert not [source for source in code if source.startswith(NOT_SHOWN) or "%load_ext" in source]
    text = "\n".join(item.markdown for slide in deck(number) for item in slide.items)
    assert not re.search(r"</?(details|summary)|\]\(|unfold", text)


@pytest.mark.parametrize("number", NUMBERS)
def test_code_is_shown_whole(number):
    """Or, of a plot and of what a notebook hides, left to the notes."""
    all_of_it = "\n".join(text for slide in deck(number) for text in (*slide.notes, *(i.code for i in slide.items)))
    lines = set(all_of_it.splitlines())
    for cell in executed(number).cells:
        if cell.cell_type == "code" and not choosing.is_for_one(cell):
            assert set(cell.source.splitlines()) <= lines


# ---- the words ----


def unfolded(number):
    """The blocks of Markdown of a notebook, with summaries as blocks of their own."""
    text = choosing.RECALL.sub(r"\n\n\1:\n\n\2", shown_in(number))
    text = re.sub(r"<summary>.*?</summary>", lambda s: f"\n\n**{as_markdown(s[0])}**\n\n", text)
    return [block.strip() for block in blocks(re.sub(r"</?details[^>]*>", "\n\n", text)) if not block.startswith("#")]


@pytest.mark.parametrize("number", NUMBERS)
def test_a_text_is_whole_or_ends_with_a_sentence(number):
    there = unfolded(number)
    for slide in deck(number):
        for text in (block for item in slide.items for block in blocks(item.markdown) if not block.startswith("#")):
            begun = text.rstrip('")*')[-1] in ".?!" and any(block.startswith(f"{text} ") for block in there)
            assert text.strip() in there or begun


@pytest.mark.parametrize("number", NUMBERS)
def test_what_is_not_shown_is_in_the_notes(number):
    told = "\n\n".join("\n\n".join([*slide.notes, *(item.markdown for item in slide.items)]) for slide in deck(number))
    assert [block for block in unfolded(number) if block not in told] == []


def test_the_notes_have_the_minutes():
    found = minutes.of("03")
    part = next(part for part in found if part.title == "B. The order matters")
    slide = next(slide for slide in deck("03") if "The order matters" in slide.items[0].markdown)
    whole = minutes.total([p for p in found if p is part or part in minutes.above(p)])
    assert slide.notes[0].startswith(f"{round(whole)} minutes in the notebook, evening")
    assert "for exercises" in next(s for s in deck("03") if "C. A list" in s.items[0].markdown).notes[0]
    assert deck("03")[0].notes[0].startswith("**About ")


def test_long_text_loses_its_last_paragraphs_but_no_list_and_no_code():
    words = "A sentence of these six words. "
    first, second, third = ((words * count).strip() for count in (8, 7, 6))
    made = "\n\n".join([first, second, "There are two:\n\n- one\n- two", third])
    assert shortened(made).split("\n\n") == [first, "There are two:", "- one\n- two"]
    assert shortened(first) == first


def test_of_a_paragraph_that_is_too_long_the_first_sentences_stay():
    sentences = [
        f"The {number}th has e.g. words, and more of them, to be as long as a sentence is." for number in range(9)
    ]
    assert shortened(" ".join(sentences)) == " ".join(sentences[:2])


def test_a_paragraph_stays_with_what_it_introduces():
    assert choosing.together("One.\n\nThese:\n\n| a |\n|---|\n\nTwo.") == ["One.", "These:\n\n| a |\n|---|", "Two."]


def test_long_code_is_parted_between_its_functions():
    one = "def f():\n" + "    pass\n" * 10
    parts = choosing.in_parts(f"{one}\n\n{one}\n\n{one}".strip())
    assert len(parts) == 2 and "\n\n\n".join(parts) == f"{one}\n\n{one}\n\n{one}".strip()
    assert all(heights.of_code(part) <= heights.FULL for part in parts)


def test_few_slides_are_nearly_empty():
    lonely = [
        slide.items[0].markdown[:60]
        for number in NUMBERS
        for slide in deck(number)
        if slide.height < 80 and not slide.asks and not slide.items[0].markdown.startswith("#")
    ]
    assert len(lonely) <= 6, lonely


# ---- the page ----


@pytest.mark.leg("push")
def test_a_page_loads_nothing_from_another_place(written):
    loaded = re.compile(r"""(?:\bsrc|\bhref)=["']?([^"'\s>]+)|@import\s+["']?([^"';]+)|url\(["']?([^"')]+)""")
    for text in written.values():
        found = {next(filter(None, match)) for match in loaded.findall(text)}
        kept = {address for address in found if not address.startswith(("data:", "#"))}
        assert {address.split("/")[0] for address in kept} == {reveal.NAME}
        assert not re.search(r"mathjax|require\.js|mermaid", text, re.IGNORECASE)


@pytest.mark.leg("push")
def test_on_the_page_too_the_question_comes_first(written):
    slide = next(part for part in written["08"].split("<section") if "Predict." in part and "fragment" in part)
    assert slide.index("Predict.") < slide.index('<div class="fragment"')
    assert slide.index('<div class="fragment"') < slide.index("jp-OutputArea-output")


def test_the_notes_are_on_the_page_apart(written):
    notes = re.findall(r'<aside class="notes">(.*?)</aside>', written["00"], re.DOTALL)
    assert len(notes) > 10 and any("minutes in the notebook" in note for note in notes)


def test_players_are_on_the_page_with_their_script(written):
    assert 'class="babygrad-player' in written["08"] and "currentScript" in written["08"]


@pytest.mark.parametrize("number", ["01", *(pytest.param(n, marks=NIGHT) for n in ("12", "14", "16", "17"))])
@pytest.mark.leg("push")
def test_formulas_are_mathml_that_says_all(number):
    text = page.html(deck(number), number)
    formulas = re.findall(r"<math\b.*?</math>", text, re.DOTALL)
    assert formulas and "$$" not in re.sub(r"<(script|style).*?</\1>", "", text, flags=re.DOTALL)
    for formula in formulas:
        assert "\\" not in re.sub(r"<[^>]*>", "", formula), formula


def test_a_formula_means_nothing_else_in_markdown():
    assert page.with_mathml("costs `$x$` and $5") == "costs `$x$` and $5"
    made = page.with_mathml("Here $a * b * c_1$ and $$|x|$$")
    assert made.count("<math") == 2 and not set("*_|$") & set(made)


def test_the_dark_theme(written):
    assert f"{reveal.NAME}/dist/theme/white.css" in written["00"]
    assert f"{reveal.NAME}/dist/theme/black.css" in page.html(deck("00")[:2], "00", "black")


# ---- reveal.js beside it ----


def test_reveal_is_copied_once_and_leaves_players_their_buttons(tmp_path, monkeypatch):
    package = tmp_path / "node_modules" / reveal.NAME
    for name in reveal.NEEDED:
        file = package / name / "font.css" if name.endswith("pro") else package / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(".reveal .controls{display:none}.reveal .progress{}")
    (package / "package.json").write_text(json.dumps({"version": "5.2.1"}))
    monkeypatch.setattr(reveal.npm, "node_modules", lambda: package.parent)
    reveal.put_beside(tmp_path / "out")
    beside = tmp_path / "out" / reveal.NAME
    assert all((beside / name).exists() for name in reveal.NEEDED)
    assert (beside / "dist/reveal.css").read_text() == ".reveal > .controls{display:none}.reveal .progress{}"
    (beside / "dist/reveal.js").write_text("ours")
    reveal.put_beside(tmp_path / "out")
    assert (beside / "dist/reveal.js").read_text() == "ours"
    (package / "package.json").write_text(json.dumps({"version": "5.3.0"}))
    reveal.put_beside(tmp_path / "out")
    assert (beside / "dist/reveal.js").read_text() != "ours"


def test_without_npm_it_is_said_before_anything_is_written(tmp_path, monkeypatch):
    monkeypatch.setattr(reveal.npm, "is_there", lambda: False)
    monkeypatch.setattr(reveal.npm, "_is_ready", lambda web: False)
    with pytest.raises(UsageError, match=r"install Node\.js"):
        command.run(SimpleNamespace(out=tmp_path / "out", which=["00"], theme="white"))
    assert not (tmp_path / "out").exists()


def test_an_item_has_a_height():
    assert Item(markdown="## A title").height == heights.HEADINGS[2]
    assert Item(code="a\nb").height == 2 * heights.CODE_LINE + heights.AROUND_CODE
