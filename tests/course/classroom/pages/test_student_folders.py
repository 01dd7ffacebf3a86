"""Each student has a folder, whatever the student is called."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.classroom.pages.student_folders import LONGEST, safe_folders


@given(st.lists(st.text(max_size=80), unique=True, max_size=30))
@pytest.mark.leg("push")
def test_every_student_has_a_folder_of_their_own_that_every_system_can_make(names):
    found = safe_folders(names)
    assert len({folder.lower() for folder in found.values()}) == len(names)
    for folder in found.values():
        assert folder.isascii() and set(folder) <= set(
            "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-"
        )
        assert 0 < len(folder) <= LONGEST
        assert not folder.startswith((".", "-")) and not folder.endswith(".")


FOLDERS = {
    "ada": "ada",
    "Ada Lovelace": "Ada_Lovelace",
    "José": "Jose",
    "../../etc": "etc",
    "con": "_con",
    "LPT1.txt": "_LPT1.txt",
    "index.html": "_index.html",
    "lock": "_lock",
    "ada.": "ada",
    "-rf": "rf",
}


@pytest.mark.parametrize("student", FOLDERS)
def test_a_folders_name_is_the_students_as_far_as_it_is_safe(student):
    assert safe_folders([student]) == {student: FOLDERS[student]}


@pytest.mark.parametrize("students", [["Ada", "ada"], ["a b", "a_b"], ["李", "明"], ["x" * 99 + "1", "x" * 99 + "2"]])
def test_students_whose_folders_would_be_one_get_a_digest(students):
    one, two = safe_folders(students).values()
    assert one.lower() != two.lower()
    assert len(one.rpartition("-")[2]) == 16


def test_a_student_cannot_take_the_folder_of_another_by_guessing_the_digest():
    victim = safe_folders(["Ada", "ada"])["Ada"]
    assert len({folder.lower() for folder in safe_folders(["Ada", "ada", victim]).values()}) == 3
