"""make lab: which notebook and which file the layout shows, what of it is kept. test_layout_in_browser.py sees it."""

import json
import os
from pathlib import Path

import pytest

from grader import cli
from grader.checking.verdict import Verdict
from grader.course import catalogue, stubs
from grader.course.paths import package_folder
from grader.learner import fill, lab, memory


@pytest.fixture
def course(tmp_path, monkeypatch):
    """A folder with fresh stubs and a memory of its own, which the course of this process takes for the learner's."""
    monkeypatch.setattr(lab, "LEARNER", tmp_path)
    monkeypatch.setattr(lab, "MEMORY", tmp_path / "memory")
    monkeypatch.setattr(memory, "MEMORY", tmp_path / "memory")
    stubs.write(tmp_path)
    return tmp_path


@pytest.fixture
def started(course, monkeypatch):
    """What JupyterLab would be started with: a list of (command, environment), in place of starting it."""
    calls = []
    monkeypatch.setattr(lab.subprocess, "call", lambda command, cwd, env: calls.append((command, env)) or 0)
    return calls


def next_id(number=None):
    ex = lab.next_exercise(number)
    return ex and ex.id


def option(command, name):
    (value,) = [word.partition("=")[2] for word in command if word.startswith(f"{name}=")]
    return value


def workspace_of(command):
    (path,) = Path(option(command, "--LabApp.workspaces_dir")).glob("*.jupyterlab-workspace")
    return path, json.loads(path.read_text())


# ------------------------------------------------------------------ where the learner is


def test_it_is_the_first_open_exercise_of_the_course_or_of_a_notebook(course):
    assert (next_id(), next_id("03"), next_id("3")) == ("0.1", "3.1", "3.1")
    fill.fill(["3.1", "3.2"], course)
    assert (next_id(), next_id("03")) == ("0.1", "3.3")


def test_those_on_the_track_come_first(course):
    memory.remember_track("evening")
    assert next_id() == "2.1"
    fill.fill(["3.1", "3.2"], course)
    assert next_id("03") == "3.4"  # 3.3 is not on this track
    assert next_id("01") == "1.1"  # nothing of 01 is on it


def test_one_that_failed_when_it_was_last_checked_is_open(course):
    fill.fill(["0.1"], course)
    assert next_id() == "0.2"
    ex, folder = catalogue.exercise("0.1"), package_folder(course)
    for status, found in (("failed", "0.1"), ("passed", "0.2")):
        memory.unchanged_since_failure(Verdict(ex.id, ex.title, ex.file, 1, status=status), folder, "as it is")
        assert next_id() == found


def test_files_that_cannot_be_read_are_passed_over(course):
    file = package_folder(course) / "warmup.py"
    file.write_text(file.read_text().replace("# end of exercise 0.1", ""))
    (package_folder(course) / "hunts.py").unlink()
    assert next_id() == "1.1"
    assert next_id("00") is None


# ------------------------------------------------------------------ the layout


def test_the_notebook_is_on_the_left_and_its_files_on_the_right(started):
    assert cli.main(["lab", "03", "--no-browser"]) == 0
    ((command, environment),) = started
    assert option(command, "--LabApp.default_url") == "/lab/workspaces/03" and "--no-browser" in command
    _, workspace = workspace_of(command)
    dock = workspace["data"]["layout-restorer:data"]["main"]["dock"]
    (left, right), (wide, narrow) = dock["children"], dock["sizes"]
    assert wide * (1280 - 66) > 700 and narrow >= 0.4  # half a window, as 00 says, less the side bars
    assert left["widgets"] == ["notebook:notebooks/03_walking_backwards.ipynb"]
    assert right["widgets"] == ["editor:babygrad/value.py", "editor:babygrad/hunts.py"]
    assert {*left["widgets"], *right["widgets"]} <= workspace["data"].keys()
    shown = workspace["data"][lab.NAME]
    assert (shown["file"], shown["exercise"]) == ("babygrad/value.py", "3.1")
    first, *rest = environment["JUPYTER_PATH"].split(os.pathsep)
    assert (Path(first) / "labextensions" / lab.NAME / "package.json").is_file()
    assert rest == list(filter(None, [os.environ.get("JUPYTER_PATH")]))


def test_without_a_number_it_is_the_notebook_where_the_learner_is(started, course):
    fill.fill([ex.id for ex in catalogue.exercises_of("00")], course)
    cli.main(["lab"])
    ((command, _),) = started
    assert option(command, "--LabApp.default_url") == "/lab/workspaces/01" and "--no-browser" not in command


def test_where_all_is_done_the_first_file_is_shown(started, course, monkeypatch):
    monkeypatch.setattr(lab, "_is_open", lambda ex: False)
    for words, address in ((["lab"], "00"), (["lab", "05"], "05")):
        started.clear()
        cli.main(words)
        command = started[0][0]
        assert option(command, "--LabApp.default_url") == f"/lab/workspaces/{address}"
        _, workspace = workspace_of(command)
        shown = workspace["data"][lab.NAME]
        assert shown["file"] == f"babygrad/{catalogue.notebook(address).files[0]}" and shown["exercise"] == ""
        (course / "memory" / "layouts").rename(course / "memory" / address)


def test_the_learners_own_arrangement_is_kept_and_what_is_next_is_new(started, course):
    cli.main(["lab", "03"])
    path, workspace = workspace_of(started[0][0])
    before = workspace["data"][lab.NAME]
    workspace["data"]["layout-restorer:data"] = {"main": {"dock": None}}
    path.write_text(json.dumps(workspace))
    fill.fill(["3.1"], course)
    cli.main(["lab", "03"])
    workspace = json.loads(path.read_text())
    assert workspace["data"]["layout-restorer:data"] == {"main": {"dock": None}}
    assert workspace["data"][lab.NAME]["exercise"] == "3.2"
    assert workspace["data"][lab.NAME]["start"] != before["start"]


@pytest.mark.parametrize("text", ["", "{", "[]", "{}", '{"data": 3, "metadata": {}}'])
def test_a_layout_that_cannot_be_read_is_made_anew(started, text):
    cli.main(["lab", "03"])
    path, workspace = workspace_of(started[0][0])
    path.write_text(text)
    assert cli.main(["lab", "03"]) == 0
    del workspace["data"][lab.NAME]
    assert workspace["data"].items() <= json.loads(path.read_text())["data"].items()


def test_where_nothing_can_be_written_the_notebook_alone_is_opened(started, course):
    (course / "memory").write_text("no folder")
    assert cli.main(["lab", "03"]) == 0
    ((command, _),) = started
    assert "notebooks/03_walking_backwards.ipynb" in command and not any("workspaces" in word for word in command)


def test_a_notebook_that_is_not_there_is_named(started, capsys, monkeypatch, tmp_path):
    assert cli.main(["lab", "99"]) == 2
    assert "There is no notebook 99. The course has notebooks 00 to" in capsys.readouterr().err
    monkeypatch.setattr(lab, "NOTEBOOKS", lab.ROOT / "notebooks" / "gone")
    assert cli.main(["lab", "03"]) == 2
    assert "There is no notebooks/gone/03_walking_backwards.ipynb." in capsys.readouterr().err
    assert started == []
