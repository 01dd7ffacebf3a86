"""Predictions and notes of a class: for the teacher in OUT/ada/answers, as text, and no part of a grade."""

import io
import json
import os
import sys
import zipfile
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).parents[1]))
import classroom_fakes as fakes

from grader.classroom.collect.limits import MAX_FILE
from grader.classroom.collect.submissions import find

PREDICTION = "# 02 · A number\n\n## Prediction 2.A1\n\n6, or ∂L/∂a 🙂 שלום\n"


@pytest.fixture(autouse=True)
def faked(monkeypatch):
    fakes.use(monkeypatch)


@pytest.fixture
def out(tmp_path):
    return tmp_path / "out"


@pytest.fixture
def course(tmp_path):
    return fakes.class_of(tmp_path / "submissions", 2)


def zipped(files):
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name, text in {"babygrad/value.py": "answer", **files}.items():
            archive.writestr(name, text)
    return packed.getvalue()


def predictions_of(course, student="s00"):
    (source,) = [source for source in find(course) if source.student == student]
    return source.predictions()


def write(course, files, student="s00"):
    for name, data in files.items():
        path = course / student / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data if isinstance(data, bytes) else data.encode())
        os.utime(path, (1_700_000_000, 1_700_000_000))  # as fakes.hand_in does: when it was handed in


def in_answers(out):
    return {path.relative_to(out).as_posix(): path.read_text() for path in out.glob("*/answers/*")}


def test_they_are_in_the_students_folder_and_it_is_said(course, out):
    write(course, {"answers/02.md": PREDICTION})
    code, said = fakes.graded(course, out)
    assert code == 0 and in_answers(out) == {"s00/answers/02.md": PREDICTION}
    assert "Predictions and notes of 1 student, as plain text: in each folder answers." in said


def test_where_nobody_predicted_nothing_is_said(course, out):
    assert not [line for line in fakes.graded(course, out)[1] if "Predictions" in line]
    assert in_answers(out) == {}


def test_they_change_no_grade_and_nobody_is_asked_again_for_them(course, out):
    fakes.graded(course, out)
    without = fakes.outputs(out)
    write(course, {"answers/02.md": PREDICTION})
    code, said = fakes.graded(course, out, resume=True)
    assert code == 0 and "Submissions: 2 as they were." in said
    now = fakes.outputs(out)
    assert now.keys() - without.keys() == {"s00/answers/02.md"}
    pages = {"s00/feedback.html", "s00/feedback.md", "index.html"}
    assert {name for name in without if now[name] != without[name]} == pages
    assert now["grades.csv"] == without["grades.csv"] and now["s00/results.json"] == without["s00/results.json"]


def test_those_of_an_earlier_hand_in_do_not_stay(course, out):
    write(course, {"answers/02.md": PREDICTION, "answers/03.md": PREDICTION})
    fakes.graded(course, out)
    (course / "s00" / "answers" / "02.md").unlink()
    fakes.graded(course, out, resume=True)
    assert in_answers(out) == {"s00/answers/03.md": PREDICTION}


def test_those_of_a_hand_in_that_is_gone_stay_as_its_grade_does(course, out):
    write(course, {"answers/02.md": PREDICTION})
    fakes.graded(course, out)
    (course / "s00").rename(course.parent / "gone")
    fakes.graded(course, out, resume=True)
    assert in_answers(out) == {"s00/answers/02.md": PREDICTION}


@pytest.mark.parametrize("above", ["", "course/"])
@pytest.mark.parametrize("in_a_folder", [False, True])
def test_they_are_found_in_an_archive(course, above, in_a_folder):
    data = zipped({f"{above}answers/02.md": PREDICTION, "deeper/than/that/answers/03.md": "another's"})
    if in_a_folder:  # as a platform does it
        (course / "ada").mkdir()
    (course / ("ada/work.zip" if in_a_folder else "ada.zip")).write_bytes(data)
    assert predictions_of(course, "ada") == {"02.md": PREDICTION}


def test_what_is_no_file_of_a_notebook_is_left_out(course):
    names = ["answers/2.md", "answers/99.md", "answers/02.md.html", "answers/deeper/02.md", "02.md", "Answers/02.md"]
    write(course, dict.fromkeys([*names, "answers/diary.md", "venv/answers/02.md"], PREDICTION))
    assert predictions_of(course) == {}


@pytest.mark.skipif(os.name != "posix", reason="links and pipes")
def test_links_and_pipes_are_not_read(course, tmp_path):
    (tmp_path / "secret").write_text("secret")
    write(course, {"answers/04.md": PREDICTION})
    for number, make in {
        "01": lambda path: path.symlink_to(tmp_path / "secret"),
        "02": lambda path: path.hardlink_to(tmp_path / "secret"),
        "03": os.mkfifo,
    }.items():
        make(course / "s00" / "answers" / f"{number}.md")
    assert predictions_of(course) == {"04.md": PREDICTION}


def test_names_in_an_archive_lead_nowhere(course, out):
    names = ["../answers/02.md", "/answers/02.md", "answers/../../02.md", "C:/answers/02.md", "answers\\..\\03.md"]
    (course / "ada.zip").write_bytes(zipped(dict.fromkeys(names, PREDICTION)))
    assert predictions_of(course, "ada") == {}
    fakes.graded(course, out)
    assert in_answers(out) == {}


def test_nothing_is_hidden_in_them(course):
    write(course, {"answers/02.md": b"\xef\xbb\xbfa\x1b[31m\r\n\xe2\x80\xaeb\x00\xff\x07\tc\re\x8d"})
    assert predictions_of(course) == {"02.md": "a\\x1b[31m\n\\u202eb\\x00\ufffd\\x07    c\ne\ufffd"}


def test_html_is_markup_on_no_page(course, out):
    evil = "</pre><script>alert(1)</script>![x](https://example.org/x.png)"
    write(course, {"answers/02.md": evil})
    fakes.graded(course, out)
    assert in_answers(out) == {"s00/answers/02.md": evil}
    pages = {name: data for name, data in fakes.outputs(out).items() if name.endswith(".html")}
    assert [name for name, data in pages.items() if b"<script" in data] == []


@pytest.mark.parametrize("in_an_archive", [False, True])
def test_what_is_too_large_is_said_in_its_place(course, in_an_archive):
    large, student = "a" * (MAX_FILE + 1), "ada" if in_an_archive else "s00"
    if in_an_archive:
        (course / "ada.zip").write_bytes(zipped({"answers/02.md": large, "answers/03.md": PREDICTION}))
    else:
        write(course, {"answers/02.md": large, "answers/03.md": PREDICTION})
    said = "(The file is larger than 1 MB and was not read.)\n"
    assert predictions_of(course, student) == {"02.md": said, "03.md": PREDICTION}


def test_what_cannot_be_read_stops_nobody(course, out):
    (course / "ada.zip").write_bytes(b"PK\x03\x04 cut short")
    write(course, {"answers/02.md": PREDICTION})
    assert predictions_of(course, "ada") == {}
    assert fakes.graded(course, out)[0] == 0 and in_answers(out) == {"s00/answers/02.md": PREDICTION}
    assert {json.loads(line)["student"] for line in (out / "grades.jsonl").open()} == {"ada", "s00", "s01"}
