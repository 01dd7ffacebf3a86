"""The zip for Gradescope: unpacked as Gradescope would, run on hand-ins, its results.json read."""

import json
import os
import re
import runpy
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import jsonschema
import pytest

from grader import cli
from grader.classroom import gradescope
from grader.course.paths import REFERENCE, ROOT
from grader.course.settings import Settings
from grader.course.usage import UsageError
from grader.sandbox.outside import syscalls

SCHEMA = runpy.run_path(str(Path(__file__).with_name("test_results_json.py")))["SCHEMA"]
SETTINGS = Settings.from_dict(
    {
        "course": "babygrad",
        "version": "7",
        "notebooks": ["00"],
        "given": ["0.2"],
        "points": {"0.1": 5},
        "due": {"": "2020-01-01T12:00:00+00:00"},
    }
)
METADATA = {
    "created_at": "2026-07-01T14:22:32.365935-07:00",
    "users": [{"email": "ada@example.org", "id": 1, "name": "Ada Lovelace"}, {"name": "Bo", "id": 2}],
    "assignment": {"due_date": "2026-06-01T23:00:00.000000-07:00"},
}
# What Gradescope's image does not have is not there for the grading either.
WITHOUT = """
import sys
MISSING = "jinja2 matplotlib sklearn scipy tqdm torch graphviz IPython pytest".split()
class Nothing:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in MISSING:
            raise ImportError(f"{name} is not on this image")
sys.meta_path.insert(0, Nothing())
"""


@pytest.fixture(scope="module")
def package(tmp_path_factory):
    """The zip of a part of the course."""
    out = tmp_path_factory.mktemp("gradescope")
    gradescope.build(out, SETTINGS, seed=5)
    return out / "gradescope.zip"


@pytest.fixture
def autograder(package, tmp_path):
    """A folder as Gradescope makes it: the zip's content in source/, an empty submission/ beside it."""
    root = tmp_path / "autograder"
    with zipfile.ZipFile(package) as archive:
        for entry in archive.infolist():
            Path(archive.extract(entry, root / "source")).chmod(entry.external_attr >> 16)
    shutil.copy(root / "source" / "run_autograder", root)
    (root / "submission").mkdir()
    (root / "submission_metadata.json").write_text(json.dumps(METADATA))
    return root


# Nor is there isolation, in a container that forbids all of it.
NO_WALLS = """
import errno
import pyseccomp
rules = pyseccomp.SyscallFilter(pyseccomp.ALLOW)
for call in ("unshare", "mount", "setns", "pivot_root", "landlock_create_ruleset"):
    rules.add_rule(pyseccomp.ERRNO(errno.EPERM), call)
rules.load()
"""


def graded(root, python=sys.executable, before=WITHOUT):
    """(results.json, what was printed) after run_autograder.  before: code that its Python begins with."""
    blocked = root.parent / "blocked"
    blocked.mkdir(exist_ok=True)
    (blocked / "sitecustomize.py").write_text(before)
    ours = {"AUTOGRADER_ROOT": str(root), "AUTOGRADER_PYTHON": str(python), "PYTHONPATH": str(blocked)}
    run = subprocess.run(
        [root / "run_autograder"], env={**os.environ, **ours}, cwd=root, capture_output=True, text=True
    )
    assert (run.returncode, run.stderr) == (0, "")
    results = json.loads((root / "results" / "results.json").read_text())
    jsonschema.validate(results, SCHEMA)
    return results, run.stdout


def hand_in(root, folder="babygrad"):
    """The reference's answers as a hand-in.  Returns the folder with the files."""
    place = root / "submission" / folder
    place.mkdir(parents=True)
    for name in ("warmup.py", "hunts.py"):
        shutil.copy(REFERENCE / "babygrad" / name, place)
    return place


def score_of(results, id):
    [test] = [test for test in results["tests"] if test["number"] == id]
    return test["score"]


# ---- what run_autograder does ----


@pytest.mark.usefixtures("isolation")
@pytest.mark.leg("push")
def test_an_honest_hand_in_has_all_points(autograder):
    hand_in(autograder)
    results, printed = graded(autograder)
    assert results["score"] == SETTINGS.possible and results["extra_data"]["student"] == "Ada Lovelace, Bo"
    assert score_of(results, "0.1") == 5 and [test["number"] for test in results["tests"]] == ["0.1", "0.3"]
    assert "Late" not in results["output"]  # it is, by two dates. That is Gradescope's matter
    assert printed.startswith(f"Isolation: {results['extra_data']['isolation']}")


@pytest.mark.usefixtures("isolation")
def test_a_mistake_costs_its_points_and_is_named(autograder):
    file = hand_in(autograder) / "warmup.py"
    file.write_text(file.read_text().replace("width * height", "width + height"))
    results, _ = graded(autograder)
    failed = results["tests"][0]
    assert (failed["score"], failed["extra_data"]["misconception"]) == (1, "adds the sides")  # of 5: 2 + 2 is 2 * 2
    assert results["score"] == SETTINGS.possible - 4


@pytest.mark.leg("night")
@pytest.mark.usefixtures("isolation")
def test_a_zip_inside_is_opened_and_what_gradescope_says_of_the_student_may_be_missing(autograder):
    """Gradescope unpacks what students upload as .zip; one that lies in a folder or in a repository stays."""
    (autograder / "submission_metadata.json").write_text("{}")
    place = hand_in(autograder)
    with zipfile.ZipFile(autograder / "submission" / "ada.zip", "w") as archive:
        archive.write(place / "warmup.py", "babygrad/warmup.py")
    shutil.rmtree(place)
    results, _ = graded(autograder)
    assert score_of(results, "0.1") == 5 and results["extra_data"]["student"] == "submission"


@pytest.mark.usefixtures("isolation")
@pytest.mark.leg("push")
def test_a_hand_in_that_cannot_be_read_scores_nothing_and_is_told_why(autograder):
    (autograder / "submission" / "work.zip").write_bytes(b"no archive at all")
    results, _ = graded(autograder)
    assert results["score"] == 0 and results["tests"] == [] and "Hand it in again" in results["output"]


@pytest.mark.leg("night")
@pytest.mark.parametrize("broken", ["source/settings.json", "source/solutions/babygrad/warmup.py"])
def test_there_is_a_result_even_if_the_autograder_fails(autograder, broken):
    hand_in(autograder)
    (autograder / broken).write_text("(")
    results, printed = graded(autograder)
    assert (
        results["score"] == 0 and results["output"] == gradescope.FAILURE and results["stdout_visibility"] == "hidden"
    )
    assert "This was not graded." in printed and len(printed) > 40


def test_there_is_a_result_even_if_there_is_no_python(autograder):
    results, printed = graded(autograder, autograder / "no_python")
    assert results["score"] == 0 and "no_python" in printed


@pytest.mark.leg("night")
@pytest.mark.skipif(not syscalls.available(), reason="this needs seccomp, to forbid")
def test_where_there_is_no_isolation_nothing_is_graded_unless_the_zip_was_built_unsafe(autograder):
    hand_in(autograder)
    results, printed = graded(autograder, before=WITHOUT + NO_WALLS)
    assert (results["score"], results["output"]) == (0, gradescope.FAILURE)
    assert "Nothing on this machine can isolate a stranger's code" in printed
    script = autograder / "run_autograder"
    script.write_bytes(gradescope._scripts(5, unsafe=True)["run_autograder"])
    results, printed = graded(autograder, before=WITHOUT + NO_WALLS)
    assert results["score"] == SETTINGS.possible
    assert printed.startswith("Isolation: none (--unsafe). The submissions ran like any program of your own.")


@pytest.mark.leg("push")
@pytest.mark.skipif(os.name != "posix", reason="the folders of Gradescope's container")
def test_other_users_are_shut_out_of_answers_and_results(autograder):
    graded(autograder, "false")
    for name in ("source", "results", "submission", "submission_metadata.json"):
        assert not (autograder / name).stat().st_mode & 0o077


# ---- the zip ----


def test_scripts_can_be_executed_and_nothing_else(package):
    modes = {entry.filename: entry.external_attr >> 16 for entry in zipfile.ZipFile(package).infolist()}
    scripts = {"setup.sh", "run_autograder"}
    assert {name for name, mode in modes.items() if mode & 0o111} == scripts and set(modes.values()) == {
        0o100755,
        0o100644,
    }


@pytest.mark.parametrize("script", ["setup.sh", "run_autograder"])
def test_scripts_are_bash(autograder, script):
    subprocess.run(["bash", "-n", autograder / "source" / script], check=True)


def test_the_same_course_gives_the_same_bytes(tmp_path):
    for folder in ("one", "other"):
        gradescope.build(tmp_path / folder, SETTINGS, seed=5)
    one, other = ((tmp_path / folder / "gradescope.zip").read_bytes() for folder in ("one", "other"))
    assert one == other


def test_it_holds_what_grading_needs_and_no_more(package):
    names = set(zipfile.ZipFile(package).namelist())
    assert {"settings.json", "solutions/babygrad/value.py", "tests/exercises/nb00_start_here/mistakes.md"} <= names
    assert not [
        name
        for name in names
        if re.search(r"__pycache__|notebooks/|tests/course|\.git|grader/edition|key_ideas|other_answers", name)
    ]
    assert package.stat().st_size < 2_000_000


def test_it_names_no_path_of_this_machine(package):
    archive = zipfile.ZipFile(package)
    holders = [name for name in archive.namelist() if str(ROOT).encode() in archive.read(name)]
    assert holders == [] or str(ROOT) in ("/", "/autograder")


def test_only_numpy_and_what_makes_filters_is_installed(package):
    lines = zipfile.ZipFile(package).read("requirements.txt").decode().splitlines()
    assert [re.match(r"\w+", line)[0] for line in lines] == ["numpy", "pyseccomp"]


@pytest.mark.parametrize(
    ("options", "arguments"),
    [
        ([], '"$root" 2>&1'),
        (["--seed", "12"], '"$root" --seed 12 2>&1'),
        (["--unsafe"], '"$root" --unsafe 2>&1'),
    ],
)
def test_questions_are_fresh_and_isolation_is_demanded_unless_the_command_says_otherwise(tmp_path, options, arguments):
    assert cli.main(["grade", "--gradescope", "--out", str(tmp_path), *options]) == 0
    assert arguments in zipfile.ZipFile(tmp_path / "gradescope.zip").read("run_autograder").decode()


def test_a_folder_that_cannot_be_written_is_named(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(UsageError, match=r"gradescope\.zip cannot be written"):
        gradescope.build(tmp_path / "file", SETTINGS)


def test_the_command_builds_it(tmp_path, capsys):
    course = tmp_path / "course.json"
    course.write_text(json.dumps(SETTINGS.as_dict()))
    assert cli.main(["grade", "--gradescope", "--out", str(tmp_path), "--course", str(course)]) == 0
    said = capsys.readouterr().out
    assert "keep it from students" in said and f"{SETTINGS.possible} points" in said
    assert (tmp_path / "gradescope.zip").is_file()


# ---- setup.sh ----

FAKE = """#!/bin/sh
echo "$(basename "$0") $*" >> "$LOG"
case "$(basename "$0") $1" in "python3 -c") exit {too_old};; esac
"""


@pytest.mark.leg("push")
@pytest.mark.parametrize(("too_old", "python"), [(1, "python3.11"), (0, "python3")])
def test_setup_brings_a_newer_python_only_where_the_images_own_is_too_old(autograder, tmp_path, too_old, python):
    tools, venv = tmp_path / "tools", tmp_path / "venv" / "bin"
    for place in (tools, venv):
        place.mkdir(parents=True)
        for name in ("apt-get", "python3", "python3.11", "python"):
            (place / name).write_text(FAKE.format(too_old=too_old))
            (place / name).chmod(0o755)
    ours = {"AUTOGRADER_ROOT": autograder, "AUTOGRADER_VENV": venv.parent, "LOG": tmp_path / "log"}
    env = {**os.environ, "PATH": f"{tools}:{os.environ['PATH']}", **{name: str(path) for name, path in ours.items()}}
    subprocess.run([autograder / "source" / "setup.sh"], env=env, check=True)
    done = (tmp_path / "log").read_text().splitlines()
    assert f"{python} -m venv {venv.parent}" in done
    assert ("apt-get install -y python3.11 python3.11-venv" in done) == bool(too_old)
    assert done[-1] == f"python -m pip install -r {autograder}/source/requirements.txt"
