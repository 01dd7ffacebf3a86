"""Several gradings joined: a class of two hundred over three homeworks, of which the truth is known."""

import csv
import io
import json
import random
import re
import runpy
from pathlib import Path

import pytest
import sample_class

from grader import cli
from grader.classroom.collect.earlier import Earlier
from grader.classroom.term import gradebook, page
from grader.classroom.term.joined import Term
from grader.course.usage import UsageError

BESIDE = Path(__file__).parent.parent
FAKES = runpy.run_path(str(BESIDE / "classroom_fakes.py"))
Page = sample_class.Page
NAMES, POSSIBLE = ["hw1", "hw2", "hw3"], [40, 50, 80]
IDEAS = ["the last share wins", "level by level", "the axis is lost"]


def record(student, earned, possible, ideas=(), section=""):
    """A record of which write() says the notebook: each grading has one of its own."""
    rows = [
        {"id": str(n), "misconception": idea, "points": 1, "earned": idea is None}
        for n, idea in enumerate([*ideas, None], 1)
    ]
    said = {"student": student, "name": student.upper(), "section": section, "earned": earned, "possible": possible}
    return {**said, "exercises": rows}


def write(folder, records):
    folder.mkdir(parents=True, exist_ok=True)
    notebook = re.sub(r"\D", "", folder.name) or "1"
    for each in records:
        rows = [{**row, "id": f"{notebook}.{row['id'].rpartition('.')[2]}"} for row in each["exercises"]]
        each["exercises"] = rows
    (folder / "grades.jsonl").write_text("".join(json.dumps(record) + "\n" for record in records))
    return folder


@pytest.fixture(scope="module")
def planted(tmp_path_factory):
    """(folders, truth): 200 students; some fade, some stop handing in, some keep a misconception."""
    chance, top = random.Random(5), tmp_path_factory.mktemp("term")
    truth = {"points": {}, "fades": set(), "keeps": {}, "section": {}}
    gradings = [[], [], []]
    for number in range(200):
        student, kind = (
            f"s{number:03}",
            ("steady", "fading", "gone", "keeping", "mending")[chance.choice([0] * 9 + [1, 2, 3, 4])],
        )
        base, section = chance.uniform(0.6, 0.95), f"Group {number % 6}"
        shares = [base, base + chance.uniform(-0.05, 0.05), base + chance.uniform(-0.05, 0.05)]
        if kind == "fading":
            shares[2] = shares[1] - 0.4
        handed = [True, True, kind != "gone"]
        ideas = [[IDEAS[0]], [], [IDEAS[0]]] if kind == "keeping" else [[IDEAS[1]], [IDEAS[1]], []]
        points = []
        for n, possible in enumerate(POSSIBLE):
            points.append(round(shares[n] * possible) if handed[n] else None)
            had = ideas[n] if kind in ("keeping", "mending") else ()
            gradings[n] += [record(student, points[n], possible, had, section)] if handed[n] else []
        truth["points"][student], truth["section"][student] = points, section
        truth["fades"] |= {student} if kind in ("fading", "gone") else set()
        if kind == "keeping":
            truth["keeps"].setdefault(IDEAS[0], set()).add(student)
    return [write(top / name, records) for name, records in zip(NAMES, gradings)], truth


@pytest.fixture(scope="module")
def term(planted):
    return Term.read(planted[0])


def test_points_and_sections_are_as_planted(term, planted):
    assert (term.names, term.possible, len(term.students)) == (NAMES, POSSIBLE, 200)
    truth = planted[1]
    for student in term.students:
        assert [result and result.earned for result in student.results] == truth["points"][student.id]
        assert student.section == truth["section"][student.id] and student.name == student.id.upper()
    assert len(term.sections) == 6


def test_who_fades_is_as_planted(term, planted):
    fading = term.fading()
    assert {student.id for student, _ in fading} == planted[1]["fades"] and len(fading) > 10
    for student, sentence in fading:
        gone = student.results[2] is None
        assert sentence.startswith(
            "Nothing handed in for hw3, after" if gone else f"{100 * student.shares[2]:.0f} % of the points in hw3"
        )


def test_misconceptions_that_stay_are_as_planted(term, planted):
    """In other exercises: no notebook is in two gradings."""
    [(idea, ids, counts, keeping)] = term.ideas()
    assert {idea: {student.id for student in keeping}} == planted[1]["keeps"] and ids == ["1.1", "3.1"]
    assert counts == [len(keeping), 0, len(keeping)]  # not the one that nobody has any more


def test_a_misconception_of_the_last_hand_in_alone_is_not_said_to_be_gone(tmp_path):
    term = small(tmp_path, [record("x", 9, 10)], [record("x", 9, 10, IDEAS[:1])])
    words = Page(page.html(term, Path("out"))).words
    assert term.ideas() == [] and "Misconceptions that stay Nobody keeps one." in words and "no more" not in words


def test_the_gradebook_has_the_points_of_each_and_their_sum(term, planted):
    head, *rows = gradebook.rows(term)
    assert head == ["student", "name", "section", *NAMES, "total", "possible"]
    assert len(rows) == 200
    for id, _, section, *points, total, possible in rows:
        assert points == ["" if each is None else each for each in planted[1]["points"][id]]
        assert (section, total, possible) == (planted[1]["section"][id], sum(each or 0 for each in points if each), 170)


def test_page_has_the_class_its_sections_and_every_student(term):
    html = page.html(term, Path("out"))
    read = Page(html)
    assert read.faults == [] and read.links == []
    assert all(f"Group {n}" in read.words for n in range(6)) and html.count("<svg") == 1 + 6 + 3 * 200  # three orders
    assert all(student.name in read.words for student in term.students)
    first = term.students[0]
    assert f"{first.name} {', '.join(map(page.said, first.shares))} {first.earned}" in read.words


def test_the_command_writes_both_the_same_each_time(planted, tmp_path, capsys):
    words = ["term", *map(str, planted[0]), "--out"]
    for out in ("one", "two"):
        assert cli.main([*words, str(tmp_path / out)]) == 0
    assert FAKES["outputs"](tmp_path / "one") == FAKES["outputs"](tmp_path / "two")
    assert {*FAKES["outputs"](tmp_path / "one")} == {"term.html", "gradebook.csv"}
    assert "200 students in 3 gradings." in capsys.readouterr().out


def test_a_roster_adds_who_never_handed_in_and_says_the_names(planted, tmp_path, capsys):
    roster = tmp_path / "roster.csv"
    roster.write_text("id,name,tutor\ns000,Ada,Grace\nnobody,Nemo,Grace\n")
    assert cli.main(["term", *map(str, planted[0]), "--out", str(tmp_path / "out"), "--roster", str(roster)]) == 0
    rows = list(csv.reader(io.StringIO((tmp_path / "out/gradebook.csv").read_text("utf-8-sig"))))
    assert ["nobody", "Nemo", "Grace", "", "", "", "0", "170"] in rows and len(rows) == 202
    assert ["s000", "Ada", "Grace"] in [row[:3] for row in rows]


def two_notebooks(folder):
    (folder / "course.json").write_text(json.dumps(FAKES["COURSE"] | {"notebooks": ["02", "03"]}))


@pytest.mark.leg("push")
def test_a_notebook_in_two_gradings_is_refused(tmp_path, monkeypatch, capsys):
    FAKES["use"](monkeypatch)
    course, out = FAKES["class_of"](tmp_path / "class", 2), tmp_path / "term"
    two_notebooks(tmp_path)
    for name, notebooks in {"hw1": "2", "hw2": None, "new": "3", "again": "3"}.items():
        assert FAKES["graded"](course, tmp_path / name, notebooks=notebooks)[0] == 0
    for pair, shared in {("hw1", "hw2"): "02", ("new", "again"): "03", ("hw2", "new"): "03"}.items():
        assert cli.main(["term", *(str(tmp_path / name) for name in pair), "--out", str(out)]) == 2
        assert f"{pair[0]} and {pair[1]} both have notebook {shared}: those points" in capsys.readouterr().err
        assert not out.exists()
    assert cli.main(["term", str(tmp_path / "hw1"), str(tmp_path / "new"), "--out", str(out)]) == 0


@pytest.mark.leg("push")
def test_real_gradings_are_joined(tmp_path, monkeypatch):
    FAKES["use"](monkeypatch)
    course = FAKES["class_of"](tmp_path / "class", 5)
    roster = tmp_path / "roster.csv"
    roster.write_text("id,name,section\ns00,Ada,Mon\ns01,Ben,Tue\n")
    two_notebooks(tmp_path)
    for number, name in enumerate(("hw1", "hw2")):
        assert FAKES["graded"](course, tmp_path / name, seed=number, roster=roster, notebooks=f"{2 + number}")[0] == 0
    term = Term.read([tmp_path / "hw1", tmp_path / "hw2"])
    assert [(student.name, student.section) for student in term.students][:2] == [("Ada", "Mon"), ("Ben", "Tue")]
    assert len(term.students) == 5 and all(None not in student.results for student in term.students)


@pytest.mark.leg("push")
def test_marks_by_hand_without_a_hand_in_count_and_what_cannot_be_read_is_not_0(tmp_path, monkeypatch):
    FAKES["use"](monkeypatch)
    course, folders = FAKES["class_of"](tmp_path / "class", 2), [tmp_path / "hw1", tmp_path / "hw2"]
    roster = tmp_path / "roster.csv"
    roster.write_text("id,name\ns00,Ada\ns01,Ben\nminh,Minh Missing\nnemo,Nemo\n")
    (tmp_path / "class" / "s01.zip").write_bytes(b"broken")
    (tmp_path / "class" / "s01").rename(tmp_path / "ben")
    two_notebooks(tmp_path)
    for number, folder in enumerate(folders, 2):
        folder.mkdir()
        (folder / "marks.csv").write_text("student,item,points\nmaximum,talk,10\nMinh Missing,talk,5\n")
        FAKES["graded"](course, folder, roster=roster, notebooks=str(number))
    term = Term.read(folders)
    rows = {row[0]: row[3:6] for row in gradebook.rows(term)}
    assert rows["minh"] == [5, 5, 10] and rows["s01"] == ["", "", 0] and "nemo" not in rows
    shares = {student.id: student.shares for student in term.students}
    assert shares["minh"] == shares["s01"] == [None, None]
    assert Earlier.read(folders[0]).shares.keys() == {"s00"}


# ---- odd terms ----


def small(tmp_path, *gradings):
    return Term.read([write(tmp_path / f"hw{n}", records) for n, records in enumerate(gradings, 1)])


def test_students_of_one_name_are_told_apart_by_their_ids(tmp_path):
    records = [record(id, 9, 10) | {"name": "Jo"} for id in "ab"] + [record("c", 1, 10)]
    assert [student.name for student in small(tmp_path, records, records[:1]).students] == ["C", "Jo (a)", "Jo (b)"]


def test_a_drop_counts_from_the_last_that_was_handed_in(tmp_path):
    term = small(tmp_path, [record("x", 9, 10)], [record("y", 5, 10)], [record("x", 5, 10), record("y", 2, 10)])
    assert [(student.id, said) for student, said in term.fading()] == [
        ("x", "50 % of the points in hw3, after 90 % in hw1."),
        ("y", "20 % of the points in hw3, after 50 % in hw2."),
    ]


def test_a_small_drop_is_not_named(tmp_path):
    assert small(tmp_path, [record("x", 9, 10)], [record("x", 7, 10)]).fading() == []


def test_nothing_handed_in_after_no_points_is_no_drop(tmp_path):
    term = small(tmp_path, [record("x", 0, 10), record("y", 1, 10)], [])
    assert [student.id for student, _ in term.fading()] == ["y"]


def test_more_than_all_points_stay_in_the_picture(tmp_path):
    _, points, _ = page.line([1.2, 0.5, None, 0.0])
    assert points == "5,5 35,15 95,25"


def test_empty_gradings_and_gradings_without_points(tmp_path):
    term = small(tmp_path, [], [record("x", 0, 0)], [])
    assert Page(page.html(term, Path("out"))).faults == [] and "x" in page.html(term, Path("out")).lower()
    assert next(page.summary(small(tmp_path / "none", [], []))) == "0 students in 2 gradings."


def test_a_sum_of_halves_is_written_as_one_reads_it(tmp_path):
    _, row = gradebook.rows(small(tmp_path, [record("x", 2.5, 4.5)], [record("x", 1.5, 3.5)]))
    assert [str(cell) for cell in row[-2:]] == ["4", "8"]


def test_folders_of_one_name_are_told_apart(tmp_path):
    folders = [write(tmp_path / part / name, [record("x", 1, 2)]) for part, name in (("a", "hw1"), ("b", "hw2"))]
    folders[1] = folders[1].rename(folders[1].with_name("hw1"))
    assert Term.read(folders).names == ["a/hw1", "b/hw1"]
    with pytest.raises(UsageError, match=f"{folders[0]} and {folders[0]} both have notebook 01"):
        Term.read([folders[0], folders[0]])


def test_hostile_names_are_text(tmp_path):
    evil = "<script>alert(1)</script>\u202e=1+1"
    records = [record(evil, n, 10, IDEAS[:1], section=evil) | {"name": evil} for n in (9, 1)]
    term = small(tmp_path, *([each] for each in records))
    read = Page(page.html(term, Path("out")))
    assert read.faults == [] and "script" not in read.tags
    assert all("\u202e" not in cell for row in gradebook.rows(term) for cell in map(str, row))
    formula = small(tmp_path / "f", *([record("=1+1", n, 10)] for n in (1, 2)))
    assert list(gradebook.rows(formula))[1][0] == "'=1+1"


@pytest.mark.parametrize("number", [0, 1])
def test_fewer_than_two_gradings_are_no_term(tmp_path, number):
    with pytest.raises(UsageError, match="several gradings"):
        Term.read([write(tmp_path / "hw1", [])] * number)


def test_what_is_no_grading_is_named_and_a_grading_is_not_overwritten(planted, tmp_path, capsys):
    folders = list(map(str, planted[0]))
    assert cli.main(["term", folders[0], str(tmp_path), "--out", str(tmp_path / "out")]) == 2
    assert cli.main(["term", *folders, "--out", folders[0]]) == 2
    said = capsys.readouterr().err
    assert "holds no grading" in said and "holds a grading" in said
    assert not (planted[0][0] / "term.html").exists()


def test_a_share_leads_to_the_students_page_of_that_grading(tmp_path):
    """Where there is one; relative to the page, so that both can be moved together."""
    folders = [write(tmp_path / name, [record("ada b", n, 10), record("c", n, 10)]) for name, n in (("1", 9), ("2", 1))]
    place = folders[0] / "ada_b"
    place.mkdir()
    (place / "feedback.html").touch()
    html = page.html(Term.read(folders), tmp_path / "out")
    assert html.count('href="../1/ada_b/feedback.html" aria-label="1: 90 %"') == 2  # by name, by points
    assert html.count("feedback.html") == 2
