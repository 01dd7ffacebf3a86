"""What the pages of the site are made of, without Sphinx: all of the course has a page, and no answer is on any."""

import html
import json
import re

import pytest

from grader.course import catalogue, regions
from grader.course.paths import LEARNER, NOTEBOOKS, REFERENCE, ROOT
from grader.course.usage import UsageError
from grader.maintainer.sources import without_fences
from grader.site import api, build, exercise_pages, notebook_page, readable, repository, sources, start, wrong_ideas
from grader.site.links import Links
from grader.site.markdown import fenced
from grader.site.mended import mended
from toolbox.drawing import svg as viz_svg

LONG_ENOUGH = 14  # characters: a shorter line, such as "return out", says nothing by itself


@pytest.fixture(scope="module")
def pages():
    """{page: its MyST}, without those that ask all misconceptions (test_book.py reads them too)."""
    quick = {name: page for name, page in sources.pages().items() if not name.startswith("what_goes_wrong/0")}
    quick = {name: page for name, page in quick.items() if not name.startswith("what_goes_wrong/1")}
    return {name: page.text() for name, page in quick.items()}


# ---- no answers


def lines_of(text):
    """The lines of a text that say something, each in one writing."""
    return {line for each in text.splitlines() if len(line := " ".join(each.split())) >= LONG_ENOUGH}


def public():
    """All that a student edition shows: stubs, notebooks, hints, what a check says about misconceptions."""
    texts = [path.read_text(encoding="utf-8") for path in (LEARNER / "babygrad").rglob("*.py")]
    for path in NOTEBOOKS.glob("*.ipynb"):
        texts += ["".join(cell["source"]) for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]]
    for ex in catalogue.all_exercises():
        texts += [*ex.hints, *(idea.words for idea in catalogue.misconceptions_of(ex))]
    return "\n".join(texts)


def answers():
    """{a line of an answer that nothing public has in it: the exercise}."""
    shown, found = " ".join(public().split()), {}
    for path in (REFERENCE / "babygrad").rglob("*.py"):
        for region in regions.solution_regions(path.read_text(encoding="utf-8")):
            found |= {line: region.id for line in lines_of("\n".join(region.body)) if line not in shown}
    return found


def revealed(text):
    """(An exercise, a line of its answer) for each that is in a text."""
    text = " ".join(html.unescape(text).split())
    return sorted((id, line) for line, id in answers().items() if line in text)


@pytest.mark.leg("push")
def test_no_page_has_a_line_of_an_answer(pages):
    assert len(answers()) > 300
    assert revealed("\n".join(pages.values())) == []


def test_an_answer_on_a_page_would_be_seen():
    text = (REFERENCE / "babygrad" / "value.py").read_text(encoding="utf-8")
    region = next(r for r in regions.solution_regions(text) if r.id == "3.3")
    assert {id for id, _ in revealed(html.escape("\n".join(region.body)))} == {"3.3"}


# ---- all of the course


@pytest.mark.leg("push")
def test_what_can_be_done_in_the_browser_is_linked_there_and_nothing_else(pages):
    linked = {
        f"{found[1]}.{found[2]}"
        for text in pages.values()
        for found in re.finditer(r"try/\d\d\.html#exercise-(\d+)-(\d+)", text)
    }
    every = {ex.id for number in sources.TRY_IT for ex in catalogue.exercises_of(number)}
    assert linked == every - {"1.2", "1.3", "4.1", "4.2", "4.3", "4.4", "4.5", "4.6"}  # they need NumPy


def test_everything_has_a_page(pages):
    for nb in catalogue.notebooks():
        assert f"# {nb.number} · {nb.title}\n" in pages[f"notebooks/{nb.name}"]
        assert f"what_goes_wrong/{nb.name}" in sources.pages()
        for ex in catalogue.exercises_of(nb.number):
            assert f"({exercise_pages.label(ex.id)})=\n## {ex.id} `{ex.title}`" in pages[f"exercises/{nb.name}"]
    placed = {*sources.LEARNING, *sources.TEACHING, *sources.PROJECT, *sources.WITHOUT_A_PAGE}
    assert placed == {f"docs/{path.stem}" for path in (ROOT / "docs").glob("*.md")} | {
        path.stem for path in ROOT.glob("*.md") if path.stem != "README"
    }  # fmt: skip


def test_every_page_has_one_title(pages):
    for name, text in pages.items():
        titles = re.findall(r"^# .+$", without_fences(text), re.MULTILINE)
        assert len(titles) == 1 and text.startswith(("# ", "---")), name


@pytest.mark.parametrize("ex", catalogue.all_exercises(), ids=lambda ex: ex.id)
def test_an_exercise_is_shown_as_it_is_handed_out(ex, pages):
    stub = exercise_pages.stub_of(ex)
    assert f"# exercise {ex.id}\n" in stub and f'raise NotImplementedError("exercise {ex.id}: ' in stub
    page = pages[f"exercises/{catalogue.notebook(ex.notebook).name}"].partition(f"({exercise_pages.label(ex.id)})=")[2]
    own = page.partition("\n(exercise-")[0]
    assert stub in own and own.count("<details class='hint'>") == len(ex.hints) == 3
    words = re.sub(r"</?a\b[^>]*>", "", own)  # of a hint, numbers of exercises are links
    assert [html.escape(hint) in words for hint in ex.hints] == [True] * 3
    assert len(own.partition("\n\n")[2].partition("```")[0]) > 60  # something is asked


def test_a_stub_of_methods_is_shown_in_its_class():
    assert exercise_pages.stub_of(catalogue.exercise("2.4")).startswith("class Value:\n    def __sub__(self, other):\n")
    assert exercise_pages.stub_of(catalogue.exercise("0.1")).startswith("def area(width, height):\n")


# ---- notebooks


def notebook(tmp_path, *cells):
    """A page made from cells: text is Markdown; (code, outputs...) is code."""
    made = [{"cell_type": "markdown", "source": ["# 07 · A title"]}]
    for cell in cells:
        if isinstance(cell, str):
            made.append({"cell_type": "markdown", "source": [cell]})
        else:
            source, *outputs = cell
            made.append({"cell_type": "code", "metadata": {}, "source": [source], "outputs": outputs})
    path = tmp_path / "07_x.ipynb"
    path.write_text(json.dumps({"cells": made}))
    return notebook_page.page(path)


def printed(text):
    return {"output_type": "stream", "name": "stdout", "text": [text]}


def shown(**data):
    return {"output_type": "display_data", "data": data, "metadata": {}}


def test_what_was_predicted_is_folded_and_the_next_output_is_not(tmp_path):
    page = notebook(
        tmp_path,
        ("# prediction 7.A1\n%predict",),
        "Look.",
        ("print(6 * 7)", printed("42\n")),
        ("print(5)", printed("5")),
    )
    before, _, after = page.partition("What comes out")
    assert "42" not in before and "Write down what you expect" in before and "print(6 * 7)" in before
    assert after.index("42") < after.index("</details>") < after.index("print(5)")
    assert "comes-out" not in after


def test_what_works_in_a_notebook_only_is_left_out_or_a_quiet_line(tmp_path):
    checked = shown(**{"text/plain": "7.1 passed", "text/html": "<b>passed</b>"})
    page = notebook(
        tmp_path, ("%load_ext grader",), ("%check 7.1", checked), ("%%note 7.R1",), ("%predictions 07", printed("None"))
    )
    assert "load_ext" not in page and "passed" not in page and "%predictions" not in page and "%%note" not in page
    assert "`%check 7.1`. [Its stub and three hints](#exercise-7-1)" in page
    imports = notebook(
        tmp_path, ("import numpy as np\n\nfrom babygrad import (\n    Value,\n    area,\n)",), ("x = 1\nimport os",)
    )
    assert imports.count("What is imported") == 1
    assert "open_course" not in notebook_page.page(sources.executed(catalogue.notebook("00")))


def test_outputs_stand_as_they_are_and_text_is_escaped(tmp_path):
    page = notebook(
        tmp_path,
        ("f()", printed("\x1b[31m<b>```\x1b[0m"), shown(**{"text/html": ["<i>", "drawn</i>"], "text/plain": "x"})),
    )
    assert '<pre class="printed">&lt;b&gt;```</pre>' in page and "<i>drawn</i>" in page and "\x1b" not in page
    assert "\n````{raw} html" in page  # the fence is longer than what it holds


def test_every_picture_of_a_plot_is_there_and_has_words():
    for nb in catalogue.notebooks():
        path = sources.executed(nb)
        names = re.findall(
            r'<img class="plot" src="([^"]+)" alt="[^"]+" width="\d+" height="\d+"', notebook_page.page(path)
        )
        assert [*notebook_page.pictures(path)] == names
        assert all(png.startswith(b"\x89PNG") for png in notebook_page.pictures(path).values())


def test_a_second_title_becomes_a_heading(tmp_path):
    page = notebook(tmp_path, "# Part two\n\nText.\n\n```\n# a comment\n```\n\n### Exercise 7.2 `f`\n\nDo it.")
    assert "\n## Part two\n" in page and "\n# a comment\n" in page
    assert "(asked-7-2)=\n### Exercise 7.2 `f`\n" in page


# ---- links


@pytest.fixture
def links():
    origins = {name: page.origin.relative_to(ROOT).as_posix() for name, page in sources.pages().items()}
    return Links(origins, "https://example.org/course")


@pytest.mark.parametrize(
    ("page", "written", "made"),
    [
        ("docs/teaching", "[here](scaling.md#one-machine)", "[here](scaling.md#one-machine)"),
        ("docs/teaching", "[S](../SECURITY.md)", "[S](../SECURITY.md)"),
        ("docs/teaching", "[all](exercises.md)", "[all](https://example.org/course/blob/main/docs/exercises.md)"),
        ("SECURITY", "[`L`](LICENSE)", "[`L`](https://example.org/course/blob/main/LICENSE)"),
        (
            "docs/notebooks",
            "[02](../solutions/notebooks/02_scalar_value.ipynb)",
            "[02](../notebooks/02_scalar_value.md)",
        ),
        ("notebooks/03_walking_backwards", "[v](../babygrad/value.py#exercise-3.2)", "[v](#exercise-3-2)"),
        ("notebooks/03_walking_backwards", "[v](../babygrad/value.py)", "[v](../package/babygrad.value.md)"),
        ("docs/using", "as in notebook 02.", "as in [notebook 02](../notebooks/02_scalar_value.md)."),
        ("notebooks/02_scalar_value", "as in notebook 02.", "as in notebook 02."),
        ("docs/stuck", "Is it? (3.1, 3.4)", "Is it? ([3.1](#exercise-3-1), [3.4](#exercise-3-4))"),
        ("exercises/06_x", "in 0.1, a rate of 2.5, in 2.4%, in 1.3 s", "in 0.1, a rate of 2.5, in 2.4%, in 1.3 s"),
        (
            "exercises/06_x",
            "as in 1.1; your rules of 6.1 to 6.4",
            "as in [1.1](#exercise-1-1); your rules of [6.1](#exercise-6-1) to [6.4](#exercise-6-4)",
        ),
        ("docs/stuck", "exercise 3.2 and exercise 3.99", "[exercise 3.2](#exercise-3-2) and exercise 3.99"),
        (
            "docs/stuck",
            "# Exercise 3.2\n`notebook 02` [in notebook 02](#x)",
            "# Exercise 3.2\n`notebook 02` [in notebook 02](#x)",
        ),
    ],
)
def test_links_lead_to_pages(page, written, made, links):
    assert links.within(written, page) == made


def test_without_an_address_a_file_without_a_page_is_only_named(links):
    links.address = ""
    assert links.within("[all](exercises.md), [`L`](../LICENSE)", "docs/teaching") == "all, `L`"


def test_the_address_of_the_repository_is_one_setting(tmp_path):
    (tmp_path / "CITATION.cff").write_text('title: x\nrepository-code: "https://example.org/course/"\n')
    assert repository.address(tmp_path) == "https://example.org/course"
    assert repository.edited("https://example.org/course", "a.md") == "https://example.org/course/edit/main/a.md"
    assert repository.opened("https://example.org/course", "a.ipynb") == {}
    (tmp_path / "CITATION.cff").write_text("title: x\n")
    assert repository.address(tmp_path) == "" == repository.shown("", "a.md")


def test_a_notebook_on_github_is_opened_where_it_can_be_run():
    page = sources.pages("https://github.com/owner/name.git")["notebooks/03_walking_backwards"].text()
    path = "notebooks/03_walking_backwards.ipynb"
    assert f'"https://colab.research.google.com/github/owner/name/blob/main/{path}">Open in Colab</a>' in page
    assert f'"https://mybinder.org/v2/gh/owner/name/main?urlpath=lab/tree/{path}">Open in Binder</a>' in page
    assert "mybinder.org/v2/gh/OWNER/REPOSITORY/main?urlpath=lab/tree/notebooks" in (
        ROOT / "docs" / "jupyterhub.md"
    ).read_text(encoding="utf-8")
    for other in ("", "https://example.org/owner/name", "https://github.com/owner", "https://github.com.example/a/b"):
        page = sources.pages(other)["notebooks/03_walking_backwards"].text()
        assert "Open in" not in page and 'href="03_walking_backwards.ipynb" download' in page
        assert 'href="../try/03.html">Try it in the page' in page


def test_a_hint_that_names_an_exercise_leads_to_it():
    made = exercise_pages.html_of("As in 1.1 & 8.2, the product of 8.1, in 99.1.")
    first, product = ("01_slopes_by_nudging", "1-1"), ("08_matmul", "8-1")
    linked = [f'<a href="{page}.html#exercise-{id}">{id.replace("-", ".")}</a>' for page, id in (first, product)]
    assert f"<p>As in {linked[0]} &amp; 8.2, the product of {linked[1]}, in 99.1.</p>" in made


# ---- drawings


def drawn(width, units, *letters):
    words = "".join(f'<text font-size="{size}">x</text>' for size in letters)
    svg = f'<svg width="{width}" height="9" viewBox="0 0 {units} 9">{words}</svg>'
    return viz_svg.as_image(svg, "x")


def test_a_drawing_stays_as_wide_as_its_smallest_letters_need():
    assert 'style="min-width: 500px; max-width: 100%' in readable.readable(drawn(1000, 1000, 20, 40))
    assert 'style="min-width: 750px; max-width: 100%' in readable.readable(drawn(1000, 750, 10))
    assert "min-width: 200px" in readable.readable(drawn(200, 200, 8))  # never wider than it is
    assert "min-width: 0px" in readable.readable(drawn(1000, 1000))
    played = readable.readable(f'<div class="picture">{drawn(1000, 1000, 20)}</div>')
    assert played.startswith('<div class="picture" style="--readable: 500px"><img ')


# ---- what goes wrong


def test_what_an_idea_does_is_told_as_a_check_tells_it():
    ex = catalogue.exercise("3.1")
    idea = next(m for m in catalogue.misconceptions_of(ex) if m.name == "assigns instead of adding")
    told = wrong_ideas.what_it_does(ex, idea)
    assert re.fullmatch(r"Called L\._backward\(\) .*\. a\.grad is [-\d.]+, but [-\d.]+ was expected\.", told)
    page = wrong_ideas.page(catalogue.notebook("03"))
    assert all(html.escape(idea.words) in page for idea in catalogue.misconceptions_of(ex))
    folded = page.partition(f"<summary>{idea.name}</summary>")[2].partition("</details>")[0]
    assert folded.startswith('<div id="wrong-3-1-assigns-instead-of-adding">')
    assert f'<p class="does">{html.escape(told)}</p>' in folded
    assert '"../docs/stuck.html#right-for-a-b-wrong-for-a-a">Stuck? Right for a + b, wrong for a + a</a>' in folded
    assert f"| [3.1](#wrong-3-1) | `{ex.title}` | {len(catalogue.misconceptions_of(ex))} |" in page
    assert page.count("<details") == page.count('<details class="idea"') == page.count("</details>")


def test_every_idea_has_a_name_for_links_of_its_own():
    for ex in catalogue.all_exercises():
        places = wrong_ideas.places(ex)
        assert [*places.values()] == catalogue.misconceptions_of(ex)
        assert all(re.fullmatch(r"wrong-\d+-\d+(-[a-z0-9]+)+(--\d)?", place) for place in places)


def test_what_a_check_says_of_a_symptom_leads_there():
    told = "More in docs/stuck.md, under &#39;A gradient has the wrong shape&#39;."
    made = start.STUCK.sub(lambda found: wrong_ideas.stuck(found[1]), told)
    assert made == 'More in <a style="color: inherit" href="docs/stuck.html#a-gradient-has-the-wrong-shape">Stuck? ' + (
        "A gradient has the wrong shape</a>."
    )


def test_of_what_stops_an_idea_no_code_is_told():
    ex = catalogue.exercise("2.9")
    idea = next(m for m in catalogue.misconceptions_of(ex) if m.name == "a Value compared with 0")
    told = wrong_ideas.what_it_does(ex, idea)
    assert told.endswith("It stopped: TypeError: '>' not supported between instances of 'Value' and 'int'")


def test_answers_that_are_secret_are_not_told():
    ex = catalogue.exercise("2.2")
    assert ex.hashed and {wrong_ideas.what_it_does(ex, idea) for idea in catalogue.misconceptions_of(ex)} == {""}


# ---- the package


def test_the_package_is_told_as_it_is_handed_out(pages):
    page = pages["package/babygrad.value"]
    assert (
        "{py:class} babygrad.value.Value(data, " in page and "{py:method} babygrad.value.Value.__mul__(other)" in page
    )
    assert "[exercise 2.1](#exercise-2-1)" in page and "_backward" not in re.findall(r"\{py:method\} .*", page)
    assert "{py:property} babygrad.optim.Optimizer.lr" in pages["package/babygrad.optim"]
    assert {*api.modules()} <= {*pages}
    assert "[toolbox.player.player](toolbox.player.player.md)" in pages["package/index"]


def test_a_docstring_keeps_its_columns_and_its_lines():
    made = api.prose("Sum of <a>.\n\na: a number,\nlarge.\nReturns one.\n\nkind    what\none     two")
    assert "<p>Sum of &lt;a&gt;.</p>" in made and "<p>a: a number,\nlarge.<br>Returns one.</p>" in made
    assert "<pre>kind    what\none     two</pre>" in made


# ---- the folder


def test_a_package_that_is_missing_is_named(tmp_path, monkeypatch):
    monkeypatch.setattr(build, "NEEDED", ("json", "no_such_package"))
    with pytest.raises(UsageError, match="There is no no_such_package here: `make site`"):
        build.build(tmp_path / "site")
    assert not (tmp_path / "site").exists()


def test_a_folder_with_something_else_in_it_is_left_alone(tmp_path):
    (tmp_path / "thesis.txt").write_text("mine")
    with pytest.raises(UsageError, match="is no folder that a site was written to"):
        build.demand_ours(tmp_path)
    assert (tmp_path / "thesis.txt").read_text() == "mine"


def test_a_fence_is_longer_than_what_it_holds():
    assert fenced("a\n````\nb", "{raw} html") == "`````{raw} html\na\n````\nb\n`````"


def test_a_formula_above_a_column_has_words():
    page = mended('<th class="head"><p><math alttext="x^2" display="inline"></math></p></th>')
    assert '<span class="visually-hidden">x^2</span><math aria-hidden="true" alttext="x^2" ' in page
