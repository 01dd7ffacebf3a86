"""Exam questions: right answers, wrong answers that differ, sheets, the command."""

import os
import re
from collections import Counter
from dataclasses import replace

import pytest
from markupsafe import escape

from grader.classroom.marks.people import People
from grader.classroom.term.results import Results
from grader.cli import main
from grader.course import catalogue
from grader.course.usage import UsageError
from grader.exam import choosing, sheet, solving
from grader.exam.question import KINDS
from grader.maintainer.sources import markdown_of, read, sources

from .in_pytorch import demand_the_same_answers

QUESTIONS = choosing.all_questions(catalogue.numbers())
WITH_CODE = [question for question in QUESTIONS if question.code]
SEEDS = [f"{seed}A" for seed in range(2)]
OF_THE_DAY = os.environ["BABYGRAD_SEED_OF_THE_DAY"]
MORE_SEEDS = [pytest.param(f"{OF_THE_DAY}{seed}B", marks=pytest.mark.leg("night")) for seed in range(5)]

each_with_code = pytest.mark.parametrize("question", WITH_CODE, ids=lambda question: question.id)
OTHERS = [replace(question, **vars(question.other)) for question in QUESTIONS if question.other]
each = pytest.mark.parametrize("question", QUESTIONS, ids=lambda question: question.id)
each_and_others = pytest.mark.parametrize(
    "question", [*QUESTIONS, *OTHERS], ids=lambda question: f"{question.id} {question in OTHERS or ''}"
)


@pytest.mark.parametrize("seed", [*SEEDS, *MORE_SEEDS])
@each_with_code
def test_pytorch_gives_the_same_answers(question, seed):
    demand_the_same_answers(question.drawn(seed))


@pytest.mark.leg("push")
@pytest.mark.parametrize("seed", [*SEEDS, *MORE_SEEDS])
@each_with_code
def test_each_wrong_answer_is_wrong_and_shows_something_else(question, seed):
    drawn = question.drawn(seed)
    right = solving.solved(drawn)
    wrong = [solving.mistaken(drawn, wrong) for wrong in question.wrong]
    assert all(answers != right and len(answers) == len(right) for answers in wrong), (right, wrong)
    assert len({tuple(answers) for answers in wrong}) == len(wrong) >= 1, wrong


@each_with_code
def test_other_seeds_have_other_numbers(question):
    codes = {question.drawn(f"{seed}A").code for seed in range(50)}
    assert len(codes) >= 6
    assert question.drawn("7A") == question.drawn("7A")


def test_there_are_seventy_and_more_at_least_twenty_of_each_kind():
    assert len(QUESTIONS) == len({question.id for question in QUESTIONS}) >= 74
    counts = [sum(question.kind == kind for question in QUESTIONS) for kind in KINDS]
    assert sum(counts) == len(QUESTIONS) and min(counts) >= 20, counts
    assert {question.number for question in QUESTIONS} == set(catalogue.numbers())


@pytest.mark.leg("push")
@pytest.mark.parametrize("seed", SEEDS)
@each_with_code
def test_a_key_is_written_as_people_write_it(question, seed):
    """No np.float64(32.0), and of what is calculated no [24.  9.], as NumPy prints it."""
    drawn = question.drawn(seed)
    keys = [*solving.solved(drawn), *(text for wrong in question.wrong for text in solving.mistaken(drawn, wrong))]
    assert not any("np." in key for key in keys), keys
    assert question.kind == "print" or not any(re.search(r"\d\.[\s\]]", key) for key in keys), keys


def question_of(id):
    return next(question for question in QUESTIONS if question.id == id).drawn("5A")


def test_where_a_formula_is_asked_for_it_does_not_stand_on_the_sheet():
    assert not question_of("6.E3").question.shown


def test_level_by_level_gives_the_wrong_gradient_whatever_the_order_within_a_level():
    drawn, names = question_of("3.E2"), solving.names_of(solving.reference())
    solving.run(drawn.code, names)
    for turned in (False, True):
        for node in nodes_of(names["L"]):
            node.grad = 0.0
        names["L"].grad, level, seen = 1.0, [names["L"]], set()
        while level:
            new = [node for node in dict.fromkeys(level[:: -1 if turned else 1]) if node not in seen]
            for node in new:
                node._backward()
            seen, level = seen | {*new}, [below for node in new for below in node._prev]
        assert str(names["x"].grad) == solving.solved(drawn)[0] != solving.solved(drawn)[1]


def nodes_of(root):
    return {root}.union(*map(nodes_of, root._prev))


def test_without_the_correction_adams_first_step_has_another_length():
    *_, corrected, uncorrected = solving.solved(question_of("12.E2"))
    assert corrected != uncorrected
    assert len({solving.solved(q.drawn(f"{seed}A"))[2] for seed in range(20) for q in QUESTIONS if q.id == "12.E2"}) > 4


@each
@pytest.mark.leg("push")
def test_it_shows_an_outcome_of_its_notebook(question):
    (source,) = sources([question.number])
    goals = markdown_of(read(source)).partition("## Goals")[2].partition("\n## ")[0]
    assert f"- {question.outcome}" in " ".join(goals.split("\n")), question.outcome


@each_and_others
def test_points_minutes_and_what_wrong_answers_show(question):
    assert 1 <= question.points <= 5 and 2 <= question.minutes <= 8
    assert question.wrong
    assert all(wrong.shows.endswith(".") for wrong in question.wrong)
    if question.kind == "words":
        assert question.answer and sum(points for points, _ in question.marking) == question.points


@each_and_others
def test_no_question_is_answered_by_its_own_wording(question):
    """No seven words of the answer stand in the question."""
    asked, answer = (text.lower().split() for text in (question.text, question.answer))
    pieces = {tuple(answer[i : i + 7]) for i in range(len(answer) - 6)}
    assert not pieces & {tuple(asked[i : i + 7]) for i in range(len(asked) - 6)}


# ------------------------------------------------------------------ sheets


@pytest.mark.parametrize("seed", range(5))
def test_neighbours_have_other_questions_in_words(seed):
    """Of each; and which of the two is on sheet A is drawn."""
    sheets = [[question.drawn(f"{seed}{letter}").text for question in QUESTIONS] for letter in "ABC"]
    words = [n for n, question in enumerate(QUESTIONS) if question.kind == "words"]
    assert len(words) == len(OTHERS) >= 24
    assert all(sheets[0][n] != sheets[1][n] != sheets[2][n] for n in words)
    assert 0 < sum(sheets[0][n] == QUESTIONS[n].text for n in words) < len(words)


def test_a_sheet_has_room_for_name_number_and_points_by_question():
    entries = sheet.entries(QUESTIONS[:14], "3A")
    exam = sheet.html("Autumn", entries, solutions=False)
    assert "<span>Name:</span><span>Number:</span>" in exam and exam.count('<table class="points">') == 2
    points = [entry.question.points for entry in entries]
    cells = re.findall(r'<tr><th scope="row">Points of</th>(.*?)</tr>', exam)
    assert re.findall(r"\d+", " ".join(cells)) == [*map(str, points), str(sum(points))]
    assert 'class="points"' not in sheet.html("Autumn", entries, solutions=True)


def test_fifty_seeds_give_fifty_sheets():
    sheets = {tuple(question.drawn(f"{seed}A").code for question in QUESTIONS) for seed in range(50)}
    assert len(sheets) == 50


def test_a_sheet_holds_no_answer_and_the_other_one_all():
    entries = sheet.entries(QUESTIONS, "3A")
    exam, solutions = (sheet.html("Autumn", entries, solutions=solutions) for solutions in (False, True))
    for entry in entries:
        for text in [entry.question.answer, *(reason for _, reason in entry.question.marking)]:
            assert str(escape(text)) in solutions
            assert len(text) < 20 or str(escape(text)) not in exam
        for _, shows in entry.wrong:
            assert str(escape(shows)) in solutions and str(escape(shows)) not in exam
        for name, right in entry.answers:
            assert f'<th scope="row">{escape(name)}</th><td>{escape(right)}</td>' in solutions
    assert exam.count("<article>") == solutions.count("<article>") == len(QUESTIONS)
    assert "{" not in "".join(entry.drawn.text for entry in entries)


def test_a_choice_has_each_kind_and_many_notebooks():
    for seed in range(20):
        found = choosing.chosen(catalogue.numbers(), seed, 60)
        assert sum(question.minutes for question in found) <= 60
        assert sum(question.minutes for question in found) > 50
        counts = [sum(question.kind == kind for question in found) for kind in KINDS]
        assert max(counts) - min(counts) <= 2, counts
        assert len({question.number for question in found}) >= 6


@pytest.mark.parametrize(("numbers", "minutes"), [(range(2, 10), 60), (range(2, 5), 30), (range(18), 120)])
def test_no_notebook_is_left_out_while_another_has_two_questions(numbers, minutes):
    numbers = [f"{number:02}" for number in numbers]
    for seed in range(50):
        found = choosing.chosen(numbers, seed, minutes)
        counts = Counter(dict.fromkeys(numbers, 0))
        counts.update(question.number for question in found)
        assert max(counts.values()) - min(counts.values()) <= 1, (seed, counts)
        kinds = [sum(question.kind == kind for question in found) for kind in KINDS]
        assert max(kinds) - min(kinds) <= 2, (seed, kinds)


def test_nothing_to_choose_from():
    with pytest.raises(UsageError, match="no exam questions about 99"):
        choosing.chosen(["99"], 0, None)
    with pytest.raises(UsageError, match="as short as 1 minutes"):
        choosing.chosen(["03"], 0, 1)


# ------------------------------------------------------------------ the command


@pytest.mark.leg("push")
def test_the_same_seed_gives_the_same_sheets_and_versions_differ(tmp_path, capsys):
    for folder in ("one", "two"):
        assert main(["exam", str(tmp_path / folder), "--notebooks", "2-3", "--seed", "5"]) == 0
    names = ["exam-A.html", "exam-B.html", "results.csv", "solutions-A.html", "solutions-B.html"]
    assert sorted(path.name for path in (tmp_path / "one").iterdir()) == names
    for name in names:
        assert (tmp_path / "one" / name).read_bytes() == (tmp_path / "two" / name).read_bytes()
    exams = [(tmp_path / "one" / name).read_text(encoding="utf-8") for name in names[:2]]
    assert exams[0] != exams[1]
    assert "8 questions, 29 points" in capsys.readouterr().out


def test_the_table_of_results_is_read_back_and_never_written_over(tmp_path, capsys):
    words = ["exam", str(tmp_path), "--notebooks", "3", "--seed", "5"]
    assert main(words) == 0
    table = tmp_path / "results.csv"
    first = table.read_text()
    assert first == "student,name,1: 3.E1,2: 3.E2,3: 3.E3,4: 3.E4\nmaximum,,4,4,3,3\n", first
    table.write_text(first + "ada,Ada,4,1,0,3\n")
    assert main(words) == 0
    assert table.read_text().endswith("ada,Ada,4,1,0,3\n") and "was there, and stays" in capsys.readouterr().out
    results = Results.read(table, People(["ada"]))
    assert results.possible == 14 and results.earned("ada") == 8


def test_what_cannot_be_asked_for(tmp_path, capsys):
    assert main(["exam", str(tmp_path), "--notebooks", "x"]) == 2
    assert "does not name notebooks" in capsys.readouterr().err
    assert main(["exam", str(tmp_path), "--versions", "27"]) == 2
    assert "26 versions" in capsys.readouterr().err
