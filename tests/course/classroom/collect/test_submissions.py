"""The hand-ins of a class: found on disk and in platforms' exports, given to the right student, read without harm."""

import hashlib
import io
import json
import os
import socket
import subprocess
import sys
import zipfile
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.classroom.collect import folders, limits, submissions
from grader.classroom.collect.folders import FolderTree
from grader.classroom.collect.hand_in import AGAIN
from grader.classroom.collect.platforms import TABLE, Pattern, label_of
from grader.classroom.collect.safe_names import identity
from grader.classroom.collect.submissions import find, latest
from grader.classroom.pages.student_folders import safe_folders
from grader.course.paths import ROOT
from grader.course.usage import UsageError

WANTED = {"value.py", "warmup.py", "ops/shape.py"}
HONEST = {"ops/shape.py": b"honest = 2\n", "value.py": b"honest = 1\n"}
needs_links = pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no such files")


def put(folder, files=HONEST):
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    return folder


def packed(files=HONEST, under="babygrad/", date=(2026, 11, 20, 14, 0, 0)):
    """A zip file's bytes."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        for name, content in files.items():
            archive.writestr(zipfile.ZipInfo(under + name, date), content)
    return file.getvalue()


def read(source, version=""):
    return source.read(WANTED, version)


def students(sources):
    return [source.student for source in sources]


# --- what is found -------------------------------------------------------------------------------------------


def test_each_folder_and_zip_is_one_hand_in(tmp_path):
    put(tmp_path / "ada")
    put(tmp_path, {"ben.zip": packed(), "cy.ZIP": packed()})
    assert students(find(tmp_path)) == ["ada", "ben", "cy"]


def test_what_no_student_handed_in_is_left_out_with_a_note(tmp_path):
    put(tmp_path / "ada")
    put(tmp_path / "__MACOSX")
    put(tmp_path, {"notes.txt": b"", "roster.csv": b"", ".DS_Store": b"", "course.json": b"", "value.py": b""})
    sources = find(tmp_path)
    assert students(sources) == ["ada"]
    assert [note.split()[0] for note in sources.notes] == ["notes.txt", "value.py"]


@pytest.mark.parametrize(("name", "told"), [("stubs", True), ("venv", True), (".venv", False), ("__pycache__", False)])
def test_a_folder_that_is_called_like_one_without_work_is_named_in_a_note(tmp_path, name, told):
    put(tmp_path / "ada")
    put(tmp_path / name)
    assert [note.split()[0] for note in find(tmp_path).notes] == [name] * told


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere names are always UTF-8")
def test_a_name_that_is_no_utf8_is_shown_by_its_bytes(tmp_path):
    put(Path(os.fsdecode(os.fsencode(tmp_path) + b"/fran\xe7ois")))
    [source] = find(tmp_path)
    assert (source.student, source.name) == ("fran\\udce7ois",) * 2
    assert read(source).files == HONEST


OTHER_ARCHIVES = [".rar", ".7z", ".tar", ".tar.gz", ".tgz", ".TAR.GZ", ".tar.xz", ".txz", ".tar.bz2", ".tar.zst", ".gz"]


@pytest.mark.parametrize("ending", OTHER_ARCHIVES)
def test_an_archive_of_another_kind_is_malformed_and_it_is_said_what_is_read(tmp_path, ending):
    put(tmp_path, {f"ada{ending}": b"x"})
    [source] = find(tmp_path)
    assert source.student == "ada"
    assert read(source).malformed == (
        f"ada{ending} is a {ending.lower()} archive, and what is read is a folder, a .zip or Python files. {AGAIN}"
    )


@pytest.mark.parametrize("ending", OTHER_ARCHIVES)
def test_in_a_students_folder_and_zip_it_is_the_same(tmp_path, ending):
    put(tmp_path / "ada", {f"work{ending}": b"x"})
    put(tmp_path, {"ben.zip": packed({f"work{ending}": b"x"}, under="")})
    for source in find(tmp_path):
        said = f"{source.name} holds work{ending}, a {ending.lower()} archive, and what is read is "
        assert read(source).malformed == f"{said}a folder, a .zip or Python files. {AGAIN}"


def test_an_archive_of_another_kind_beside_what_counts_is_named_in_a_note(tmp_path):
    put(tmp_path, {"ada.tar.gz": b"x", "ada.zip": packed()})
    sources = find(tmp_path)
    assert [read(source).files for source in sources] == [HONEST]
    assert sources.notes == ["ada.tar.gz was ignored: it is a .tar.gz archive, and ada handed in something else too."]


@pytest.mark.parametrize("ending", OTHER_ARCHIVES)
def test_a_whole_class_in_an_archive_of_another_kind_is_a_usage_error_with_a_way_out(tmp_path, ending):
    put(tmp_path, {f"class{ending}": b"x"})
    with pytest.raises(UsageError, match=rf"is a {ending.lower()} archive, .* unpack it, and name the folder\.$"):
        find(tmp_path / f"class{ending}")


def test_the_path_may_be_one_students_archive(tmp_path):
    put(tmp_path, {"ada.zip": packed(), "ben.zip": packed()})
    [source] = find(tmp_path / "ada.zip")
    assert (source.student, read(source).files) == ("ada", HONEST)


@pytest.mark.parametrize("name", ["nothing", "essay.txt"])
def test_a_path_that_is_no_class_is_a_usage_error(tmp_path, name):
    put(tmp_path, {"essay.txt": b""})
    with pytest.raises(UsageError, match=f"{name} is neither a folder of hand-ins"):
        find(tmp_path / name)


def test_finding_opens_no_hand_in(tmp_path, monkeypatch):
    for number in range(300):
        put(tmp_path / f"student{number}")
        put(tmp_path, {f"other{number}.zip": packed()})
    monkeypatch.setattr(submissions, "open_zip", None)
    monkeypatch.setattr(folders, "_open_file", None)
    monkeypatch.setattr(FolderTree, "entries", None)
    assert len(find(tmp_path)) == 600


# --- names in file names -------------------------------------------------------------------------------------

PLATFORMS = {
    "Moodle with folders": "Ada Lovelace_1234567_assignsubmission_file/work.zip",
    "Moodle with folders, before 4.0": "Ada Lovelace_1234567_assignsubmission_file_/work.zip",
    "Moodle without folders": "Ada Lovelace_1234567_assignsubmission_file_work.zip",
    "Canvas": "lovelaceada_12345_67890_work-1.zip",
    "Canvas, late": "lovelaceada_LATE_12345_67890_work.zip",
    "Canvas, anonymous": "anon_A1b2C_67890_work.zip",
    "Blackboard": "Homework 1_al815_attempt_2026-11-20-14-03-59_work.zip",
    "Brightspace": "13394-80551 - Ada Lovelace - Nov 20, 2026 203 PM - my - work.zip",
    "Brightspace with folders": "13394-80551 - Ada Lovelace - Nov 20, 2026 203 PM/work.zip",
    "Exchange": "al815+20261120T140359Z+0123456789abcdef0123456789abcdef.zip",
    "a folder": "al815/babygrad.zip",
    "an archive": "al815.zip",
}
EXPECTED = {"Moodle": "Ada Lovelace", "Canvas": "lovelaceada", "Brightspace": "Ada Lovelace"}


def test_each_platform_in_the_table_has_a_case():
    assert {platform for platform, _ in TABLE} == {
        label_of(name.split("/")[0]).platform for name in PLATFORMS.values()
    } - {""}


def wanted_name(platform):
    return "anon_A1b2C" if "anonymous" in platform else EXPECTED.get(platform.split()[0].strip(","), "al815")


@pytest.fixture(params=["on disk", "in the platform's zip", "in the one zip in the folder", "in a folder in a folder"])
def laid_out(request, tmp_path):
    """Puts files where a teacher may have them; returns the path that the teacher names."""

    def lay(files):
        if request.param == "on disk":
            return put(tmp_path / "class", files)
        if request.param == "in a folder in a folder":
            put(tmp_path / "class" / "download" / "export", files)
            return tmp_path / "class"
        put(tmp_path / "class", {"Homework 1.zip": packed(files, under="")})
        return tmp_path / "class" / ("Homework 1.zip" if request.param == "in the platform's zip" else "")

    return lay


@pytest.mark.parametrize("platform", [name for name in PLATFORMS if not name.startswith("a")])
def test_the_student_is_read_from_the_platforms_file_name(laid_out, platform):
    [source] = find(laid_out({PLATFORMS[platform]: packed()}))
    assert source.student == wanted_name(platform)
    assert read(source).files == HONEST


@pytest.mark.parametrize("platform", ["a folder", "an archive"])
def test_without_a_platform_the_name_of_folder_or_archive_is_the_student(tmp_path, platform):
    [source] = find(put(tmp_path / "class", {PLATFORMS[platform]: packed()}))
    assert source.student == "al815"
    assert read(source).files == HONEST


def test_loose_files_of_a_flat_listing_are_one_hand_in_of_their_student(laid_out):
    names = ["lovelaceada_12_34_value-2.py", "lovelaceada_12_35_shape.py", "boolege_LATE_13_36_value.py"]
    ada, boole = sorted(find(laid_out(dict.fromkeys(names, b"x"))), key=lambda s: s.student, reverse=True)
    assert sorted(read(ada).files) == ["ops/shape.py", "value.py"]
    assert sorted(read(boole).files) == ["value.py"]
    assert (ada.label.late, boole.label.late) == (False, True)
    assert ada.name == "lovelaceada_12_34_value-2.py and 1 more file"


def test_loose_files_are_as_new_as_the_last_of_them(laid_out):
    files = {"lovelaceada_12_5_shape.py": b"5", "lovelaceada_12_7_w.zip": packed(), "lovelaceada_12_8_value.py": b"8"}
    [source] = latest(find(laid_out(files)))[0].values()
    assert read(source).files == {"ops/shape.py": b"5", "value.py": b"8"}


def test_moodles_loose_files_keep_the_folders_that_they_were_in(laid_out):
    top = "Ada Lovelace_12_assignsubmission_file/"
    [source] = find(laid_out({top + name: content for name, content in HONEST.items()}))
    assert read(source).files == HONEST


def test_text_typed_into_the_platform_is_malformed_only_if_there_is_no_file(laid_out):
    typed = {f"{name}_assignsubmission_onlinetext/onlinetext.html": b"hi" for name in ("Ada_1", "Ben_2")}
    sources = find(laid_out({**typed, "Ada_1_assignsubmission_file/work.zip": packed()}))
    malformed = {source.student: read(source).malformed for source in sources}
    assert malformed["Ada"] == ""
    assert "text typed into the platform" in malformed["Ben"]


def test_a_hand_in_that_is_no_archive_is_malformed(laid_out):
    [source] = find(laid_out({"lovelaceada_12_34_essay.pdf": b"%PDF"}))
    assert "is not a folder, a .zip or Python files" in read(source).malformed


def test_a_loose_notebook_is_malformed_and_it_is_said_where_answers_are(laid_out):
    [source] = find(laid_out({"leemo_12_34_02_scalar_value.ipynb": b"{}"}))
    assert " is a notebook: answers belong not in notebooks but in the files of the folder" in read(source).malformed


def test_a_folder_that_is_called_like_a_platforms_file_is_the_student_of_that_name(tmp_path):
    put(tmp_path / "hw_1_2_ada")
    put(tmp_path / "hw_1_2_ben")
    assert students(find(tmp_path)) == ["hw_1_2_ada", "hw_1_2_ben"]


def test_the_only_students_folder_is_not_taken_for_an_export(tmp_path):
    put(tmp_path / "class" / "ada", {"value.py": b"1", "lovelaceada_1_2_w.zip": packed()})
    assert students(find(tmp_path / "class")) == ["ada"]


def test_what_would_lie_outside_of_a_classs_zip_is_nobodys(tmp_path):
    (tmp_path / "class.zip").write_bytes(packed({"ada/value.py": b"", "ben/value.py": b"", "/cy/value.py": b""}, ""))
    assert students(find(tmp_path / "class.zip")) == ["ada", "ben"]


def test_a_students_own_file_name_never_says_whose_it_is():
    assert label_of("eve_1_2_ada_3_4_work.zip").name == "eve"
    assert label_of("Eve_1_assignsubmission_file_Ada_2_assignsubmission_file_x.zip").name == "Eve"
    assert label_of("Hw_eve_attempt_2026-11-20-14-03-59_Hw_ada_attempt_2026-11-21-14-03-59_x.zip").name == "eve"
    assert label_of("1-2 - Eve - Nov 20, 2026 203 PM - 3-4 - Ada - Nov 21, 2026 203 PM - x.zip").name == "Eve"


def test_a_name_that_does_not_fit_where_the_others_do_is_told(tmp_path):
    """Another format of the date, say: graded all the same, under the whole name."""
    odd = ["3-4 - Ben - 20 November 2026 14.03 - w.zip", "5-6 - Cy - 20.11.2026 14.03"]
    put(tmp_path, {PLATFORMS["Brightspace"]: packed(), odd[0]: packed(), f"{odd[1]}/w.zip": packed(), "q.txt": b""})
    sources = find(tmp_path)
    assert students(sources) == ["Ada Lovelace", odd[0].removesuffix(".zip"), odd[1]]
    assert sources.notes[1:] == [
        f"{odd[0]} and {odd[1]} are not called like those of Brightspace, so the whole name is taken for the "
        "student's. --pattern can say how to read it."
    ]
    put(tmp_path / "plain", {"ada.zip": packed(), "ben.zip": packed()})
    assert find(tmp_path / "plain").notes == []


def blackboards(*heads):
    return {f"{head}_attempt_2026-11-14-14-03-{n:02}_w.zip": packed() for n, head in enumerate(heads)}


@pytest.mark.parametrize(
    ("heads", "wanted"),
    [
        (["Homework 1_anna_schmidt", "Homework 1_paul_schmidt"], ["anna_schmidt", "paul_schmidt"]),
        (["HW_1_anna_schmidt", "HW_1_paul_schmidt"], ["anna_schmidt", "paul_schmidt"]),
        (["HW_1_schmidt", "HW_1_anna_schmidt"], ["anna_schmidt", "schmidt"]),
        (["Homework 1_anna_schmidt"], ["anna_schmidt"]),
        (["Homework 1_ada", "Homework 2_ada", "Homework 2_ben"], ["ada", "ada", "ben"]),
    ],
)
def test_a_user_name_of_blackboard_may_have_what_divides_it_from_the_assignment(laid_out, heads, wanted):
    """What all names begin with is the assignment."""
    found = find(laid_out(blackboards(*heads)))
    assert sorted(students(found)) == wanted
    assert len({source.label.person for source in found}) == len({*wanted})


def test_two_students_of_one_name_stay_two_students(laid_out):
    files = {f"Ada_{number}_assignsubmission_file/w.zip": packed() for number in (12, 13)}
    assert students(find(laid_out(files))) == ["Ada (12)", "Ada (13)"]


def test_a_student_cannot_become_another_by_taking_the_name_that_tells_two_apart(tmp_path):
    names = {"Ada_12": 1, "Ada_13": 1, "Ada (12)_14": 1}
    found = students(find(put(tmp_path, {f"{n}_assignsubmission_file_w.zip": packed() for n in names})))
    assert len(set(found)) == 3


GRADESCOPE = """---
submission_77:
  :submitters:
  - :name: Ada Lovelace
    :sid: '1001'
    :email: ada@example.org
  :created_at: 2026-11-20 14:03:59.123456000 Z
  :graders:
  - :name: A Teacher
  :score: 3.0
  :results:
    output: |
      submission_78:
        :submitters:
        - :name: Somebody Else
  :history:
  - :id: 5
    :created_at: 2020-01-01 00:00:00.000000000 Z
submission_78:
  :submitters:
  - :name: Ben
    :sid: '1002'
  - :name: Cy
    :sid: '1003'
  :created_at: 2026-11-20 14:03:59.123456000 Z
"""


def test_gradescopes_list_says_who_and_when(laid_out):
    files = {f"submission_{n}/babygrad/{name}": content for n in (77, 78) for name, content in HONEST.items()}
    ada, ben, cy = find(laid_out({**files, "submission_metadata.yml": GRADESCOPE.encode()}))
    assert students([ada, ben, cy]) == ["Ada Lovelace", "Ben", "Cy"]
    assert (ada.submitted, ada.time_from) == (datetime(2026, 11, 20, 14, 3, 59, tzinfo=UTC), "the platform's own list")
    assert read(ada).files == read(ben).files == read(cy).files == HONEST


# --- a teacher's own pattern ---------------------------------------------------------------------------------

OWN = r"(?P<student>[^_]+)(?P<late>_late)?_(?P<time>\d{8}-\d{4})_(?P<upload>\d+)_(?P<file>.+)"


def found(path, pattern):
    return find(path, Pattern(pattern))


def test_a_pattern_says_who_when_whether_late_and_which_upload(laid_out):
    names = ["al815_20261120-1403_7_work.zip", "gb15_late_20261121-0905_8_work.zip", "al815_20261120-1403_9_new.zip"]
    sources = found(laid_out(dict.fromkeys(names, packed())), OWN)
    assert [(s.student, s.label.late) for s in sources] == [("al815", False), ("al815", False), ("gb15", True)]
    assert sources[2].submitted == datetime(2026, 11, 21, 9, 5).astimezone()
    assert sources[2].time_from == "the file name"
    assert latest(sources)[0]["al815"].name == names[2]
    assert [read(source).files for source in sources] == [HONEST] * 3
    assert sources.notes == []


def test_loose_files_of_a_pattern_are_one_hand_in_under_the_students_own_names(laid_out):
    files = {"al815_20261120-1403_1_value.py": b"1", "al815_20261120-1403_2_shape.py": b"2"}
    [source] = found(laid_out(files), OWN)
    assert read(source).files == {"value.py": b"1", "ops/shape.py": b"2"}


def test_a_pattern_goes_before_the_platforms_names_and_fits_folders_too(tmp_path):
    put(tmp_path / "hw_1_2_ada")
    put(tmp_path, {"hw_1_2_ben.zip": packed()})
    assert students(found(tmp_path, r"hw_1_2_(?P<student>\w+)(\.zip)?")) == ["ada", "ben"]


def test_a_pattern_goes_before_what_github_classroom_writes(tmp_path):
    put(tmp_path / "hw-submissions" / "hw-ada-l")
    assert students(found(tmp_path, r"hw-(?P<student>\w+)-l")) == ["ada"]


def test_a_pattern_knows_namesakes_by_their_number(tmp_path):
    put(tmp_path, {f"Ada-{number}.zip": packed() for number in (12, 13)})
    assert students(found(tmp_path, r"(?P<name>[^-]+)-(?P<id>\d+)\.zip")) == ["Ada (12)", "Ada (13)"]


def test_what_a_pattern_does_not_fit_is_told_and_counts_as_without_it(tmp_path):
    put(tmp_path, {"hw-ada.zip": packed(), "ben.zip": packed(), "hw-.zip": packed()})
    sources = found(tmp_path, r"hw-(?P<student>\w*)\.zip")
    assert sorted(students(sources)) == ["ada", "ben", "hw-"]
    assert sources.notes == [
        "--pattern does not match ben.zip and hw-.zip. What it does not match counts as it would without it."
    ]


def test_a_time_that_cannot_be_read_by_a_pattern_is_told(tmp_path):
    put(tmp_path, {"ada_yesterday.zip": packed()})
    sources = found(tmp_path, r"(?P<student>\w+)_(?P<time>\w+)\.zip")
    assert sources[0].time_from == "the newest file in the archive"
    assert sources.notes == [
        "--pattern finds no time in ada_yesterday.zip. "
        "There the time of the newest file counts, as it would without that group."
    ]


BAD_PATTERNS = {
    "(?P<student>": "is not a regular expression: missing ), unterminated subpattern at position 0",
    "(?P<student>a{99999999999})": "is not a regular expression: ",
    "(.+).zip": r"does not say who handed in a file: write (?P<student>...)",
    r"(?P<late>x)?(?P<id>\d+)": r"does not say who handed in a file: write (?P<student>...)",
    "(?P<student_id>.+)": "has a group student_id. The groups are student, name, id, upload, time, late and file.",
    "hw-(?P<student>.+)": "does not match any of the 2 names there, such as ada.zip. It must match the whole name",
}


@pytest.mark.parametrize("pattern", BAD_PATTERNS)
def test_a_pattern_that_cannot_be_right_is_a_usage_error_that_names_it(tmp_path, pattern):
    put(tmp_path, {"ada.zip": packed(), "ben.zip": packed()})
    with pytest.raises(UsageError) as error:
        found(tmp_path, pattern)
    assert str(error.value).startswith(f"--pattern {pattern} ") and BAD_PATTERNS[pattern] in str(error.value)


EXPONENTIAL = ["(?P<student>(a+)+)b", "(?P<student>(a|aa)+)b", "(?P<student>.*.*.*.*.*.*.*.*.*)b"]


@pytest.mark.parametrize("pattern", EXPONENTIAL)
def test_no_name_keeps_a_pattern_busy_for_ever(tmp_path, pattern):
    """Each would take longer than the universe has existed."""
    hostile = "a" * 200 + ".zip"
    put(tmp_path, {hostile: packed()})
    put(tmp_path / "aab")
    sources = found(tmp_path, pattern)
    assert students(sources)[-1] == "aa"
    assert f"--pattern took too long on {'a' * 79}…. A repetition within a repetition can do that." in sources.notes


def test_a_pattern_that_takes_too_long_on_many_names_is_a_usage_error(tmp_path, monkeypatch):
    monkeypatch.setattr(Pattern, "MOST_SLOW", 3)
    put(tmp_path, {f"{'a' * 100}{number}.zip": b"" for number in range(9)})
    with pytest.raises(UsageError, match=r"took too long on 3 names, such as a+….*: write it without one\.$"):
        found(tmp_path, EXPONENTIAL[0])


def test_a_name_longer_than_any_file_may_have_is_given_to_no_pattern(monkeypatch):
    asked = []
    monkeypatch.setattr(Pattern, "fullmatch", lambda self, name: asked.append(name))
    for length in (255, 256, 100_000):
        assert label_of("a" * length, pattern=Pattern("(?P<student>.*)")).platform == ""
    assert list(map(len, asked)) == [255]


def test_a_pattern_needs_a_timer(monkeypatch):
    monkeypatch.delattr("signal.setitimer")
    with pytest.raises(UsageError, match="--pattern needs a timer"):
        Pattern("(?P<student>.*)")


def test_a_repository_of_github_classroom_is_its_users(tmp_path):
    clones = tmp_path / "hw-1-submissions"
    put(clones / "hw-1-ada-l" / "babygrad")
    put(clones / "hw-1-ada-l" / ".git", {"value.py": b"not this", "config": b""})
    put(clones / "hw-1-ben" / "babygrad")
    for path in (clones, tmp_path):
        ada, ben = find(path)
        assert (ada.student, ben.student) == ("ada-l", "ben")
        assert read(ada).files == HONEST


# --- where the package lies ----------------------------------------------------------------------------------

PLACES = ["babygrad", "ada/babygrad", "work/repository/babygrad", "", "deep/down/here"]


@pytest.fixture
def hand_in(tmp_path):
    """Puts these files into a folder ada; returns the HandIn."""

    def put_in(files, version=""):
        put(tmp_path / "class" / "ada", files)
        [source] = find(tmp_path / "class")
        return read(source, version)

    return put_in


@pytest.mark.parametrize("place", PLACES)
def test_the_package_is_found_wherever_it_lies(hand_in, place):
    result = hand_in({str(Path(place, name)): content for name, content in HONEST.items()})
    assert result.files == HONEST
    assert result.notes == ["It does not hold warmup.py."]


OTHER_PLACES = ["solutions/babygrad", "stubs", ".babygrad/backups/1", "__MACOSX/babygrad", ".venv", ".git"]


@pytest.mark.parametrize("place", [*OTHER_PLACES, "a/solutions/babygrad", ".ipynb_checkpoints", "__pycache__"])
def test_some_places_never_count(hand_in, place):
    everything = {f"{place}/{name}": b"not this" for name in WANTED}
    assert hand_in({**everything, "babygrad/value.py": b"this"}).files == {"value.py": b"this"}


RENAMED = ["value_final.py", "value (1).py", "value - Copy.py", "Value2.py", "Value.py", "value.py.txt"]


@pytest.mark.parametrize("name", RENAMED)
def test_a_file_that_was_renamed_is_named_where_the_course_misses_one(hand_in, name):
    result = hand_in({"warmup.py": b"", "ops/shape.py": b"", name: b""})
    assert result.renamed == {"value.py": [name]} and result.notes == []


@pytest.mark.parametrize("name", ["values.py", "my_value.py", "tests/ex02_value.py", "value_notes.txt"])
def test_a_file_of_another_name_is_not_taken_for_a_renamed_one(hand_in, name):
    result = hand_in({"warmup.py": b"", "ops/shape.py": b"", name: b""})
    assert result.notes == ["It does not hold value.py."] and result.renamed == {}


def test_nothing_but_renamed_files_is_malformed_and_they_are_named(hand_in):
    said = hand_in({"value_final.py": b""}).malformed
    assert said.startswith(
        "ada holds none of the course's files under its own name, but value_final.py in place of value.py. "
        "Give each its own name. Hand it in again:"
    )


def test_notebooks_in_place_of_the_package_are_malformed_and_it_is_said_where_answers_are(hand_in):
    said = hand_in({"mo/02_scalar_value.ipynb": b"{}", "mo/notes.txt": b""}).malformed
    assert said.startswith(
        "ada holds mo/02_scalar_value.ipynb: answers belong not in notebooks but in the files of the folder babygrad, "
        "such as value.py. Hand it in again:"
    )


def test_the_folder_with_most_files_counts_and_then_the_shallowest(hand_in):
    files = {"old/babygrad/value.py": b"old", "old/babygrad/warmup.py": b"old", "value.py": b"astray"}
    assert set(hand_in(files).files.values()) == {b"old"}
    result = hand_in({"babygrad/value.py": b"new", "babygrad/warmup.py": b"new"})
    assert set(result.files.values()) == {b"new"}
    assert "in babygrad/, which was taken, and in old/babygrad/" in result.notes[0]


def test_a_file_of_the_grader_with_a_files_name_is_no_second_package(hand_in):
    files = {f"babygrad/{name}": b"1" for name in WANTED}
    assert hand_in({**files, "grader/broken_engines/value.py": b"other"}).notes == []


def test_files_that_left_their_folder_are_put_back(hand_in):
    result = hand_in({"work/value.py": b"1", "work/shape.py": b"2"})
    assert result.files == {"value.py": b"1", "ops/shape.py": b"2"}


def test_a_file_in_its_folder_goes_before_one_that_left_it(hand_in):
    result = hand_in({"value.py": b"1", "shape.py": b"astray", "ops/shape.py": b"2"})
    assert result.files == {"value.py": b"1", "ops/shape.py": b"2"}


def test_nothing_but_wanted_files_is_taken(hand_in):
    extras = {"babygrad/__init__.py": b"evil", "babygrad/sitecustomize.py": b"evil", "conftest.py": b"evil"}
    assert hand_in({**{f"babygrad/{n}": c for n, c in HONEST.items()}, **extras}).files == HONEST


def test_what_is_not_utf8_is_taken_as_it_is_with_a_note(hand_in):
    result = hand_in({"value.py": "é = 1".encode("latin-1")})
    assert result.files == {"value.py": b"\xe9 = 1"}
    assert any("value.py is not UTF-8" in note for note in result.notes)


def test_the_digest_stands_for_names_and_contents(hand_in):
    before = hand_in({"value.py": b"ab"}).digest
    assert before == hand_in({"essay.txt": b"does not count"}).digest
    assert before != hand_in({"value.py": b"a", "warmup.py": b"b"}).digest
    assert len(before) == 64


# --- the manifest --------------------------------------------------------------------------------------------


def manifest(**changes):
    hashes = {name: hashlib.sha256(content).hexdigest() for name, content in HONEST.items()}
    return {"course": "babygrad", "version": "1.2", "files": hashes} | changes


MANIFESTS = {
    "as it was": (manifest(), []),
    "names with the package": (manifest(files={f"babygrad/{n}": h for n, h in manifest()["files"].items()}), []),
    "another version": (manifest(version="1.1"), ["made with version 1.1 of the course"]),
    "another course": (manifest(course="pottery"), ["another course: pottery"]),
    "a changed file": (manifest(files={"value.py": "0" * 64}), ["value.py was changed after"]),
    "no dictionary": ([], ["manifest.json cannot be read"]),
    "no JSON": ("{", ["manifest.json cannot be read"]),
    "nested without end": ("[" * 100_000, ["manifest.json cannot be read"]),
    "too large": (manifest(name="x" * 2**20), ["manifest.json cannot be read"]),
    "nonsense": (manifest(files=[{}], version={"a": 1}, course=3), []),
}


@pytest.mark.parametrize("case", MANIFESTS)
def test_the_manifest_gives_notes_and_nothing_else(hand_in, case):
    said, words = MANIFESTS[case]
    content = (said if isinstance(said, str) else json.dumps(said)).encode()
    result = hand_in({**{f"babygrad/{n}": c for n, c in HONEST.items()}, "manifest.json": content}, version="1.2")
    assert result.files == HONEST
    notes = [note for note in result.notes if not note.startswith("It does not hold")]
    assert len(notes) == len(words)
    assert all(word in note for word, note in zip(words, notes))


MADE_WITH = {
    "a manifest": ({"manifest.json": {"version": "1+a", "possible": 57}}, {"version": "1+a", "possible": 57}),
    "the whole folder": ({"course.json": {"version": "2", "possible": 9}}, {"version": "2", "possible": 9}),
    "both": (
        {"manifest.json": {"version": "1"}, "course.json": {"version": "2", "possible": 9}},
        {"version": "1", "possible": None},
    ),
    "neither": ({}, {"version": "", "possible": None}),
    "lies": ({"manifest.json": {"version": [1], "possible": 1e9}}, {"version": "", "possible": None}),
    "more lies": ({"manifest.json": {"version": "\u202e" * 99, "possible": True}}, None),
}


@pytest.mark.parametrize("case", MADE_WITH)
def test_the_version_that_a_hand_in_was_made_with_is_known(hand_in, case):
    said, expected = MADE_WITH[case]
    made = hand_in({"babygrad/value.py": b"", **{name: json.dumps(x).encode() for name, x in said.items()}}).made_with
    assert made["version"].isprintable() and len(made["version"]) <= 80 and made["possible"] is not True
    assert expected in (None, made)


@pytest.mark.parametrize(
    ("exercises", "ids"),
    [
        ({"2.1": {"status": "passed"}, "0.1": {"status": "passed"}, "2.3": {"status": "failed"}}, ["0.1", "2.1"]),
        ({"199.1": {"status": "passed"}, "\u202e": {"status": "passed"}, "2.1": "passed", "2.3": {}}, []),
        (["2.1"], []),
        (7, []),
    ],
)
def test_which_exercises_pass_as_the_manifest_has_it(hand_in, exercises, ids):
    content = json.dumps({"course": "babygrad", "exercises": exercises}).encode()
    assert hand_in({"babygrad/value.py": b"1", "manifest.json": content}).claimed == ids


def test_a_manifest_of_something_else_is_not_read(hand_in):
    assert hand_in({"babygrad/value.py": b"1", "website/manifest.json": b"{"}).notes == [
        "It does not hold ops/shape.py and warmup.py."
    ]


# --- folders that do harm ------------------------------------------------------------------------------------


@needs_links
def test_links_pipes_and_devices_are_never_opened(tmp_path, hand_in):
    secret = put(tmp_path / "secret")
    ada = put(tmp_path / "class" / "ada" / "babygrad", {"value.py": b"honest"})
    (ada / "warmup.py").symlink_to(secret / "value.py")
    (ada / "ops").symlink_to(secret / "ops")
    os.mkfifo(ada / "pipe.py")
    with socket.socket(socket.AF_UNIX) as plug:
        plug.bind(str(ada / "s.py")) if len(str(ada)) < 90 else None
        result = hand_in({})
    assert result.files == {"value.py": b"honest"}
    assert any("are links and were not followed" in note for note in result.notes)
    assert any("not ordinary files" in note or "not an ordinary file" in note for note in result.notes)


@needs_links
def test_a_pipe_in_place_of_a_file_keeps_nobody_waiting(tmp_path, hand_in):
    put(tmp_path / "class" / "ada", {"warmup.py": b"1"})
    os.mkfifo(tmp_path / "class" / "ada" / "value.py")
    result = hand_in({})
    assert sorted(result.files) == ["warmup.py"]
    assert "value.py is not an ordinary file and was not read." in result.notes


@needs_links
def test_a_hard_link_is_not_read(tmp_path, hand_in):
    secret = put(tmp_path / "secret")
    put(tmp_path / "class" / "ada", {"warmup.py": b"1"})
    os.link(secret / "value.py", tmp_path / "class" / "ada" / "value.py")
    result = hand_in({})
    assert sorted(result.files) == ["warmup.py"]
    assert "value.py is a hard link and was not read." in result.notes


@needs_links
@pytest.mark.parametrize("name", ["ada", "ada.zip"])
def test_a_hand_in_that_is_itself_a_link_is_malformed(tmp_path, name):
    put(tmp_path / "secret", {"ada.zip": packed()})
    put(tmp_path / "class" / "ben")
    (tmp_path / "class" / name).symlink_to(tmp_path / "secret" / ("" if name == "ada" else name))
    source = find(tmp_path / "class")[0]
    assert source.student == "ada"
    assert f"{name} is a link, and links are not followed." in read(source).malformed


@needs_links
@pytest.mark.parametrize("swapped", ["value.py", "ops", "."])
def test_what_becomes_a_link_after_it_was_listed_is_not_followed(tmp_path, swapped):
    """Each part of a path is opened without following links, so there is no moment in which a swap would work."""
    secret = put(tmp_path / "secret", {"value.py": b"secret", "ops/shape.py": b"secret"})
    ada = put(tmp_path / "class" / "ada")
    tree = FolderTree(tmp_path / "class", ("ada",))
    entries = tree.entries()
    (ada / swapped).resolve().rename(tmp_path / "moved")
    (tmp_path / "class" / "ada" / swapped).parent.mkdir(exist_ok=True)
    link = tmp_path / "class" / "ada" if swapped == "." else ada / swapped
    link.symlink_to(secret if swapped == "." else secret / swapped)
    contents = [content for _, content in tree.read(entries, 1000)]
    assert b"secret" not in contents
    assert limits.Unread("link") in contents


def test_a_folder_that_becomes_a_pipe_after_it_was_listed_is_not_opened(tmp_path):
    ada = put(tmp_path / "ada")
    tree = FolderTree(tmp_path, ("ada",))
    entries = tree.entries()
    (ada / "value.py").unlink()
    os.mkfifo(ada / "value.py")
    assert limits.Unread("device") in [content for _, content in tree.read(entries, 1000)]


AS_NOBODY = """
import os, sys
from grader.classroom.collect.submissions import find
if os.getuid() == 0:
    os.setgroups([]); os.setgid(65534); os.setuid(65534)
for source in find(sys.argv[1]):
    result = source.read({"value.py", "ops/shape.py"})
    print(source.student, source.submitted is not None, sorted(result.files), result.notes, result.malformed, sep="|")
"""


@needs_links
def test_what_may_not_be_read_is_said(tmp_path):
    for folder in ("ada", "ben", "cy", "dan"):
        put(tmp_path / folder)
    put(tmp_path, {"eve.zip": packed()})
    for path, mode in (("ada", 0), ("ben/ops", 0), ("cy/value.py", 0), ("eve.zip", 0)):
        (tmp_path / path).chmod(mode)
    for path in [tmp_path, *tmp_path.parents][:-2]:
        path.chmod(path.stat().st_mode | 0o055)
    command = [sys.executable, "-c", AS_NOBODY, str(tmp_path)]
    done = subprocess.run(
        command, capture_output=True, text=True, cwd=ROOT, env={**os.environ, "PYTHONPATH": str(ROOT)}
    )
    (tmp_path / "ada").chmod(0o755)
    (tmp_path / "ben/ops").chmod(0o755)
    ada, ben, cy, dan, eve = (line.split("|") for line in done.stdout.splitlines())
    assert "ada cannot be opened (permission denied)" in ada[4]
    assert (ben[2], "ops may not be read (permission denied)." in ben[3]) == ("['value.py']", True)
    assert (cy[2], "value.py may not be read (permission denied)." in cy[3]) == ("['ops/shape.py']", True)
    assert dan[2] == "['ops/shape.py', 'value.py']"
    assert "eve.zip may not be read (permission denied)" in eve[4]


def test_very_many_files_in_a_folder_are_malformed(tmp_path, monkeypatch):
    monkeypatch.setattr(folders, "MAX_ENTRIES", 50)
    put(tmp_path / "ada", {f"file{n}": b"" for n in range(51)})
    put(tmp_path / "ben", {f"file{n}": b"" for n in range(40)} | {"value.py": b"1"})
    put(tmp_path / "ben" / ".venv", {f"file{n}": b"" for n in range(51)})  # not looked into, so not counted
    ada, ben = find(tmp_path)
    assert "holds more than 50 files" in read(ada).malformed
    assert read(ben).files


def test_a_very_deep_folder_is_looked_at_only_so_far(hand_in):
    result = hand_in({"value.py": b"1", "d/" * 60 + "warmup.py": b"2"})
    assert sorted(result.files) == ["value.py"]
    assert any("is nested too deep and was not looked at" in note for note in result.notes)


def test_a_large_file_is_not_read(hand_in):
    result = hand_in({"value.py": b"#" * (limits.MAX_FILE + 1), "warmup.py": b"#" * limits.MAX_FILE})
    assert sorted(result.files) == ["warmup.py"]
    assert "value.py is larger than 1 MB and was not read." in result.notes


def test_whatever_goes_wrong_inside_ends_in_a_sentence(tmp_path, monkeypatch):
    put(tmp_path, {"ada.zip": packed()})
    [source] = find(tmp_path)
    for error in (MemoryError, RecursionError, KeyError):

        def fail(file, error=error):
            raise error

        monkeypatch.setattr(submissions, "open_zip", fail)
        assert read(source).malformed.startswith(f"ada.zip cannot be read ({error.__name__}).")


# --- one archive in a student's folder -----------------------------------------------------------------------


def test_the_archive_in_a_folder_is_opened_if_there_is_nothing_else(hand_in):
    assert hand_in({"work.zip": packed(), "essay.pdf": b""}).files == HONEST


def test_loose_files_go_before_an_archive(hand_in):
    assert hand_in({"work.zip": packed(), "value.py": b"loose"}).files == {"value.py": b"loose"}


def test_of_several_archives_in_a_folder_the_newest_is_taken(tmp_path):
    ada = put(tmp_path / "ada", {"a.zip": packed({"value.py": b"new"}), "b.zip": packed({"value.py": b"old"})})
    os.utime(ada / "b.zip", (1, 1))
    [source] = find(tmp_path)
    result = read(source)
    assert result.files == {"value.py": b"new"}
    assert "It holds 2 archives; the newest, a.zip, was taken." in result.notes


def test_only_one_level_of_archives_is_opened(hand_in):
    result = hand_in({"work.zip": packed({"inner.zip": packed()})})
    assert result.files == {}
    assert "holds another archive, inner.zip" in result.malformed


def test_a_broken_archive_in_a_folder_is_named(hand_in):
    assert "ada holds work.zip, which is not a .zip" in hand_in({"work.zip": b"x"}).malformed


# --- when, and which one counts ------------------------------------------------------------------------------


def test_the_time_is_the_platforms_stamp_if_there_is_one(tmp_path):
    put(tmp_path, {PLATFORMS["Blackboard"]: packed()})
    [source] = find(tmp_path)
    assert source.time_from == "the platform's file name"
    assert source.submitted == datetime(2026, 11, 20, 14, 3, 59).astimezone()


def test_else_it_is_that_of_the_newest_file_in_the_archive(tmp_path):
    put(tmp_path, {"ada.zip": packed(date=(2026, 11, 20, 14, 0, 0))})
    [source] = find(tmp_path)
    assert source.time_from == "the newest file in the archive"
    assert source.submitted == datetime(2026, 11, 20, 14, 0, 0).astimezone()


def test_what_git_wrote_does_not_count_as_the_newest_file(tmp_path):
    file = io.BytesIO(packed(date=(2026, 11, 20, 14, 0, 0)))
    with zipfile.ZipFile(file, "a") as archive:
        archive.writestr(zipfile.ZipInfo(".git/index", (2026, 12, 24, 0, 0, 0)), b"")
    put(tmp_path, {"ada.zip": file.getvalue()})
    assert find(tmp_path)[0].submitted == datetime(2026, 11, 20, 14, 0, 0).astimezone()


def test_a_folders_time_is_that_of_its_newest_file(tmp_path):
    ada = put(tmp_path / "ada")
    put(ada / ".git", {"index": b""})
    os.utime(ada / "value.py", (1_700_000_000,) * 2)
    os.utime(ada / "ops/shape.py", (1_600_000_000,) * 2)
    [source] = find(tmp_path)
    assert source.time_from == "the folder's newest file"
    assert source.submitted == datetime.fromtimestamp(1_700_000_000, UTC)


@pytest.mark.parametrize("content", [packed(date=(1980, 1, 1, 0, 0, 0)), b"broken"])
def test_an_archive_without_dates_has_its_own(tmp_path, content):
    put(tmp_path, {"ada.zip": content})
    os.utime(tmp_path / "ada.zip", (1_700_000_000,) * 2)
    [source] = find(tmp_path)
    assert source.time_from == "the archive's own date"
    assert source.submitted == datetime.fromtimestamp(1_700_000_000, UTC)


COUNTING = {
    "the platform's stamp": [
        ("H_ada_attempt_2026-11-20-14-00-00_w.zip", 2027),
        ("H_ada_attempt_2026-11-20-15-00-00_w.zip", 2026),
    ],
    "the platform's number of the upload": [("ada_12_9_w.zip", 2027), ("ada_12_10_w.zip", 2026)],
    "the time in the archive": [
        ("Ada_1_assignsubmission_file_z.zip", 2026),
        ("Ada_1_assignsubmission_file_a.zip", 2027),
    ],
    "the name, where times are equal": [
        ("Ada_1_assignsubmission_file_a.zip", 2026),
        ("Ada_1_assignsubmission_file_b.zip", 2026),
    ],
}


@pytest.mark.parametrize("case", COUNTING)
def test_of_several_hand_ins_the_last_counts_by(tmp_path, case):
    for name, year in COUNTING[case]:
        put(tmp_path, {name: packed(date=(year, 1, 1, 0, 0, 0))})
    chosen, notes = latest(find(tmp_path))
    [source] = chosen.values()
    (other, _), (last, _) = COUNTING[case]
    assert source.name == last
    assert notes == {source.student: f"handed in 2 times: {last} counts, not {other}."}


def test_a_single_hand_in_gives_no_note(tmp_path):
    put(tmp_path, {"ada.zip": packed(), "ben.zip": packed()})
    chosen, notes = latest(find(tmp_path))
    assert (sorted(chosen), notes) == (["ada", "ben"], {})


def test_a_time_in_the_future_or_before_all_computers_is_no_trouble(tmp_path):
    ada = put(tmp_path / "ada")
    os.utime(ada / "value.py", (-(10**9), 2**34))
    [source] = find(tmp_path)
    assert source.submitted > datetime.now(UTC) + timedelta(days=365)


# --- nothing that can be read, and names for people -----------------------------------------------------------


def locked_zip():
    """A zip whose entries say that they are encrypted."""
    data = bytearray(packed())
    for mark, flags in ((b"PK\1\2", 8), (b"PK\3\4", 6)):
        place = -1
        while (place := data.find(mark, place + 1)) >= 0:
            data[place + flags] |= 1
    return bytes(data)


def a_link_to_a_file(folder):
    (folder / "babygrad").mkdir(parents=True)
    (folder / "babygrad" / "value.py").symlink_to("/etc/passwd")


def a_link_to_a_folder(folder):
    folder.mkdir()
    (folder / "babygrad").symlink_to("/etc")


def a_named_pipe(folder):
    (folder / "babygrad").mkdir(parents=True)
    os.mkfifo(folder / "babygrad" / "value.py")


def a_large_file(folder):
    put(folder, {"value.py": b"#" * (limits.MAX_FILE + 1)})


UNREADABLE = {
    "a zip with a password": (lambda folder: folder.with_suffix(".zip").write_bytes(locked_zip()), "encrypted"),
    "a zip with a password in a folder": (
        lambda folder: (folder.mkdir(), (folder / "work.zip").write_bytes(locked_zip())),
        "encrypted",
    ),
    "a link to a file": (a_link_to_a_file, "babygrad/value.py is a link and was not followed"),
    "a link to a folder": (a_link_to_a_folder, "babygrad is a link and was not followed"),
    "a named pipe": (a_named_pipe, "babygrad/value.py is not an ordinary file"),
    "a file that is too large": (a_large_file, "value.py is larger than 1 MB and was not read"),
}


@needs_links
@pytest.mark.parametrize("kind", UNREADABLE)
def test_a_hand_in_of_which_nothing_can_be_read_says_why(tmp_path, kind):
    make, why = UNREADABLE[kind]
    make(tmp_path / "ada")
    [source] = find(tmp_path)
    said = read(source).malformed
    assert "holds none of the course's files that can be read: " in said and why in said, said
    assert said.endswith(AGAIN)


@pytest.mark.parametrize(
    "other", ["zzz-honest ", " zzz-honest", "zzz-honest\n", "zzz\u200b-honest", "zzz honest", "Zzz-honest-"]
)
def test_another_hand_ins_name_does_not_change_what_a_student_is_called(tmp_path, other):
    for name in ("zzz-honest", other):
        put(tmp_path / name / "babygrad")
    found = {source.name: source.student for source in find(tmp_path)}
    assert found["zzz-honest"] == "zzz-honest" and len(set(found.values())) == 2
    assert safe_folders(found.values())["zzz-honest"] == "zzz-honest"


@given(st.lists(st.text(max_size=120), unique=True, max_size=10))
def test_two_names_are_never_shown_as_one_student(names):
    assert len({identity(name) for name in names}) == len(names)
    assert all(identity(name).isprintable() for name in names)
