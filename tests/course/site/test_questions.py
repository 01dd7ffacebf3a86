"""Questions of the quiz on the pages of the book: one below each section that has some, its answer folded in it."""

import re

import pytest

from grader.course import catalogue
from grader.html.pages import render
from grader.quiz import bank
from grader.quiz.asked import Asked
from grader.site import notebook_page, sources

from . import test_sources

NUMBERS = sorted({entry.number for entry in bank.entries().values()})
FOLDED = '<details class="question">'


def sections(markdown):
    """{heading: what stands below it}."""
    parts = re.split(r"^## (.+)$", markdown, flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2]))


@pytest.mark.parametrize("number", NUMBERS)
def test_each_section_that_has_questions_ends_with_one_of_them(number):
    page = notebook_page.page(sources.executed(catalogue.notebook(number)))
    having = {entry.section for entry in bank.entries([number]).values()}
    found = sections(notebook_page.with_questions(page, number))
    assert [*found] == [*sections(page)]
    for heading, text in found.items():
        one = sum(heading.startswith(section) for section in having)
        assert text.count(FOLDED) == one, heading
        if one:
            question = text[text.index(FOLDED) :]
            assert f"<summary>A question about section {heading[0]}</summary>" in question
            assert question.endswith("</details>\n</details>\n```\n\n"), heading
    assert sum(text.count(FOLDED) for text in found.values()) == len(having)


def test_a_notebook_without_questions_is_as_it_was():
    assert notebook_page.with_questions("# 99\n\n## A. One\n\nText.\n", "99") == "# 99\n\n## A. One\n\nText.\n"


def test_the_book_is_the_same_each_time_and_a_page_of_it_has_the_questions():
    first, again = (sources.pages()["notebooks/03_walking_backwards"].text() for _ in range(2))
    assert first == again and FOLDED in first


def test_only_who_opens_it_sees_the_answer_and_what_others_show():
    asked = Asked("7.Q1", "<b>?", "a < b\nb", ("x", "y"), ("1<", "2"), ((("3", "4&"), "No."),), section="C. Order")
    html = render("quiz_question.html", asked=asked)
    before, answer = re.fullmatch(r"(.*)<details>\s*<summary>Its answer</summary>(.*)", html, re.DOTALL).groups()
    assert before.split("\n")[:3] == [FOLDED, "<summary>A question about section C</summary>", "<pre>a &lt; b"]
    assert "<p>&lt;b&gt;?</p>" in before and "<p>x: ?; y: ?</p>" in before and "1&lt;" not in before
    assert "<strong>x: 1&lt;; y: 2</strong>" in answer and "<li>3; 4&amp;: No.</li>" in answer


def test_what_is_chosen_from_is_listed_with_the_right_one_among_it():
    asked = Asked("7.Q1", "Which?", "", (), ("b",), ((("a",), "No."),), ("a", "b"), "C. Order")
    before, answer = render("quiz_question.html", asked=asked).split("Its answer")
    assert "<li>a</li>\n<li>b</li>" in before and "<strong>b</strong>" in answer


@pytest.mark.leg("night")
def test_no_question_of_the_quiz_shows_a_line_of_an_answer():
    asked = [bank.drawn(entry, notebook_page.SEED) for entry in bank.entries().values()]
    assert test_sources.revealed("\n".join(render("quiz_question.html", asked=each) for each in asked)) == []
