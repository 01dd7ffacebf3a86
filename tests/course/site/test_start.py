"""The start page shows what is computed: the check's own words, the figures measured last, the ways' times."""

import posixpath
import re

import pytest

from grader.course import catalogue
from grader.maintainer import minutes, readme
from grader.site import mended, sources, start

REPOSITORY = "https://code.example/babygrad"


@pytest.fixture(scope="module")
def page():
    return start.start_page(REPOSITORY)


@pytest.mark.leg("push")
def test_the_wrong_answer_is_refused_in_the_words_of_its_misconception(page):
    id, name = start.WRONG
    (idea,) = (idea for idea in catalogue.misconceptions_of(catalogue.exercise(id)) if idea.name == name)
    told = start.verdict()
    assert told.status == "failed" and told.misconception == name and told.right < told.asked
    assert idea.words in page and f"asks {told.asked} questions" in page
    assert f"{id} {told.title}: failed, {told.right} of {told.asked} questions right" in page
    assert "../babygrad/" not in page


@pytest.mark.leg("push")
def test_there_are_the_film_and_the_walk(page):
    assert page.count('class="babygrad-player') == 2
    assert "A net learns to tell two moons apart" in page
    assert re.search(r'"start":[1-9]', page.partition("walked back")[2])


@pytest.mark.leg("push")
def test_figures_and_times_are_those_that_the_readme_has(page):
    figures = readme.figures()
    assert all(figures[name] in page for name in figures)
    assert all(f"| `{name}` | {time} | {count} |" in page for name, _, count, time in minutes.tracks())


@pytest.mark.leg("push")
def test_how_to_get_it_is_said_where_its_address_is_known(page):
    assert f"git clone {REPOSITORY} babygrad" in page
    assert "git clone" not in start.start_page()


def test_every_link_leads_to_a_page(page):
    pages = sources.pages(REPOSITORY)
    linked = re.findall(r"\]\(([^)#]+)\.md\)", page) + re.findall(r'href="([^"#]+)\.html"', page)
    known = {posixpath.normpath(name) for name in pages} | {f"try/{number}" for number in sources.TRY_IT}
    assert len(linked) > 6 and [link for link in linked if link not in known] == []


def test_what_the_theme_leaves_nameless_is_named():
    theme = "".join(mended.REPLACED) + "<th class='head'><p></p></th><th><p>time</p></th>"
    named = mended.mended(theme)
    assert all(new in named for new in mended.REPLACED.values())
    assert named.endswith("<td></td><th><p>time</p></th>")
