"""The way in: any Python gets an answer, .venv is made once and repaired, make is thin, PYTHONPATH is obeyed.

Nothing here uses the network: a new environment gets a pip that only counts its calls.
"""

import contextlib
import itertools
import json
import os
import pty
import re
import shutil
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from grader import environment

ROOT = Path(environment.COURSE)
PLAIN = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}

needs_make = pytest.mark.skipif(not shutil.which("make"), reason="there is no make here")


def run(*command, cwd=ROOT, **variables):
    command, env = [str(part) for part in command], {**PLAIN, **variables}
    return subprocess.run(command, cwd=cwd, env=env, capture_output=True, text=True, timeout=600)


# ---- any Python ----

PRETEND_TO_BE_OLD = """
import sys, runpy
sys.version_info, sys.version = (3, 9, 18, "final", 0), "3.9.18 (pretended)"
sys.argv = ["environment.py"] + sys.argv[1:]
runpy.run_module("grader.environment", run_name="__main__")
"""


def old_interpreters():
    """Each old Python of this machine, and in any case this one, which says that it is 3.9."""
    yield pytest.param([sys.executable, "-c", PRETEND_TO_BE_OLD], "3.9.18", id="pretended")
    for python in sorted(Path.home().glob(".pyenv/versions/3.*/bin/python")):
        version = python.parents[1].name
        if (3, 6) <= tuple(map(int, version.split(".")[:2])) < (3, 11):
            yield pytest.param([str(python), "-m", "grader.environment"], version, id=version)
    for python in filter(None, (shutil.which(f"python3.{minor}") for minor in range(6, 11))):
        if "shims" not in Path(python).resolve().parts:  # pyenv's, which answer for the versions above
            version = run(python, "-c", "import sys; print('%d.%d.%d' % sys.version_info[:3])").stdout.strip()
            yield pytest.param([python, "-m", "grader.environment"], version, id=f"{version} on the PATH")


@pytest.mark.parametrize(("command", "version"), list(old_interpreters()))
def test_a_python_that_is_too_old_gets_one_sentence(command, version, tmp_path):
    answer = run(*command, "core", BABYGRAD_VENV=str(tmp_path / "none"))
    assert answer.returncode == 1
    assert answer.stdout == ""
    assert answer.stderr.count("\n") == 1
    assert f"needs Python 3.11 or newer, and this is Python {version}" in answer.stderr
    assert "make check PYTHON=python3.12" in answer.stderr
    assert not (tmp_path / "none").exists()


@pytest.mark.parametrize("words", [[], ["--help"], ["everything"], ["core", "all"]])
def test_without_a_level_the_levels_are_named(words, tmp_path):
    answer = run(sys.executable, "-m", "grader.environment", *words, BABYGRAD_VENV=str(tmp_path / "none"))
    assert answer.returncode == 1
    assert answer.stderr.startswith("Which level? python -m grader.environment core, grade, site, all, bench")
    assert not (tmp_path / "none").exists()


def test_a_level_that_this_edition_does_not_have_is_not_begun(new_course):
    (new_course.root / "requirements.txt").unlink()
    assert new_course.prepare("all").startswith("Which level? python -m grader.environment core, grade, site, bench ")
    assert not new_course.venv.exists()


# ---- the environment is made once, and repaired ----


class NewCourse:
    """A course folder with nothing but requirement files, and a pip that does not install."""

    def __init__(self, root, monkeypatch):
        self.root, self.venv = root, root / ".venv"
        self.commands, self.answers = [], {}
        root.mkdir()
        for name, _ in environment.LEVELS.values():
            (root / name).parent.mkdir(exist_ok=True)
            (root / name).write_text("numpy\n")
        self.patch = monkeypatch
        self.patch.setattr(environment, "COURSE", root)
        self.patch.setattr(environment, "call", self.run)
        self.patch.setattr(environment, "call_in_one_line", self.pip)

    def prepare(self, level, venv=None):
        """Make the environment ready; the sentence that it ends with, or None if all is well."""
        self.commands.clear()
        self.patch.setenv("BABYGRAD_VENV", str(venv or self.venv))
        try:
            return environment.main(level)
        except SystemExit as end:
            return end.code

    def run(self, command):
        """answers: what "venv" or "pip" does next, instead of working: its status, or an exception."""
        command = list(map(str, command))
        self.commands.append(command)
        answer = self.answers.pop(command[command.index("-m") + 1], 0)
        if isinstance(answer, BaseException):
            raise answer
        if answer == 0 and "venv" in command:
            return subprocess.call([*command, "--without-pip"])
        return answer

    def pip(self, command, log):
        log.write_text("what pip says\n")
        return self.run(command)

    def move_to(self, root):
        self.root.rename(root)
        self.root, self.venv = root, root / ".venv"
        self.patch.setattr(environment, "COURSE", root)

    @property
    def made_and_installed(self):
        """(environments made, calls of pip) in the last call of prepare."""
        return tuple(sum(module in command for command in self.commands) for module in ("venv", "pip"))

    def stamps(self):
        return sorted(path.name for path in self.venv.glob("*ready*"))


@pytest.fixture
def new_course(tmp_path, monkeypatch):
    return NewCourse(tmp_path / "my course", monkeypatch)


def test_the_first_call_makes_the_environment_and_says_so(new_course, capsys):
    assert new_course.prepare("core") is None
    assert new_course.made_and_installed == (1, 1)
    assert new_course.commands[-1][1] == "-I"  # what PYTHONPATH holds does not count as installed
    assert new_course.stamps() == ["ready-core"]
    first, last = capsys.readouterr().out.strip().splitlines()
    assert first.startswith(f"Setting up {new_course.venv} (only once, about a minute")
    assert last == f"{new_course.venv} is ready."


@pytest.mark.parametrize("is_terminal", [False, True])
def test_what_pip_says_is_in_a_file_and_on_a_terminal_one_line(is_terminal, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(sys.stdout, "isatty", lambda: is_terminal)
    said = "import sys; print('Collecting ' + 'x' * 100); print('why', file=sys.stderr); sys.exit(3)"
    assert environment.call_in_one_line([sys.executable, "-c", said], tmp_path / "log") == 3
    assert sorted((tmp_path / "log").read_text().splitlines()) == ["Collecting " + "x" * 100, "why"]
    shown = capsys.readouterr().out
    assert "\n" not in shown and ("Collecting" in shown) == is_terminal
    assert max(map(len, shown.split("\r"))) <= 78


def test_the_second_call_starts_nothing_and_is_quiet(new_course, capsys):
    new_course.prepare("core")
    stamp = new_course.venv / "ready-core"
    os.utime(stamp, (0, 0))
    capsys.readouterr()
    assert new_course.prepare("core") is None
    assert new_course.commands == []
    assert capsys.readouterr().out == ""
    assert stamp.stat().st_mtime > 0  # touched, for make


def test_a_level_includes_those_above_it(new_course):
    lists = [ROOT / name for name, _ in environment.LEVELS.values()]
    for above, path in itertools.pairwise(lists):
        included = re.findall(r"^-r (.+)$", path.read_text(), re.MULTILINE)
        assert above in [(path.parent / name).resolve() for name in included]
    new_course.prepare("all")
    [pip] = [command for command in new_course.commands if "pip" in command]
    assert pip[-1] == str(new_course.root / "requirements.txt")
    assert new_course.stamps() == ["ready-all", "ready-core", "ready-grade", "ready-site"]
    new_course.prepare("core")
    assert new_course.commands == []
    new_course.prepare("bench")
    assert new_course.made_and_installed == (0, 1)


@pytest.mark.leg("night")
def test_a_release_needs_nothing_that_the_makefile_does_not_install_for_it(tmp_path):
    """A teacher's first command in a fresh folder; PATH and the rest are this environment's."""
    level = needs()["release"]
    files = [file for file, _ in environment.LEVELS.values()]
    end = list(environment.LEVELS).index(level) + 1
    had, all_of_them = (set().union(*(named(ROOT / file) for file in part)) for part in (files[:end], files))
    absent = all_of_them - had
    assert {"torch", "hypothesis"} <= absent
    hidden = f"import sys; sys.modules.update(dict.fromkeys({sorted(absent)}))"
    command = f"{hidden}; from grader.cli import main; sys.exit(main())"
    done = run(sys.executable, "-c", command, "release", tmp_path / "students", "--notebooks", "0")
    assert done.returncode == 0, done.stderr


def named(file):
    """What a requirements file asks for."""
    return {found for found in re.findall(r"^([\w-]+)", file.read_text(), re.MULTILINE) if not found.startswith("-")}


@pytest.mark.parametrize("name", ["requirements-core.txt", "requirements/dask.txt"])
def test_changed_requirements_are_installed_into_the_same_environment(name, new_course, capsys):
    new_course.prepare("core")
    (new_course.root / name).write_text("numpy\ntqdm\n")
    assert new_course.prepare("core") is None
    assert new_course.made_and_installed == (0, 1)
    assert f"Bringing {new_course.venv} up to date" in capsys.readouterr().out
    new_course.prepare("core")
    assert new_course.commands == []


def test_line_ends_of_another_system_change_nothing(new_course):
    new_course.prepare("core")
    (new_course.root / "requirements-core.txt").write_bytes(b"numpy\r\n")
    new_course.prepare("core")
    assert new_course.commands == []


# ---- what goes wrong ----


def test_a_python_without_its_venv_module_names_the_package(new_course, monkeypatch):
    monkeypatch.setitem(sys.modules, "ensurepip", None)
    sentence = new_course.prepare("core")
    major, minor = sys.version_info[:2]
    assert f"sudo apt install python{major}.{minor}-venv" in sentence
    assert not new_course.venv.exists()


def test_when_pip_fails_all_that_it_said_is_shown_with_one_sentence_and_no_stamp(new_course, capsys):
    new_course.answers = {"pip": 1}
    sentence = new_course.prepare("core")
    assert "what pip says\n" in capsys.readouterr().out
    assert sentence.startswith("Installing failed, for the reason that pip gives above")
    assert "no network" in sentence and "no room on the disk" in sentence
    assert "ready-core" not in new_course.stamps()
    (new_course.venv / "half-installed").touch()
    assert new_course.prepare("core") is None
    assert new_course.made_and_installed == (1, 1)
    assert not (new_course.venv / "half-installed").exists()


def test_when_pip_fails_a_working_environment_is_kept(new_course):
    new_course.prepare("core")
    (new_course.venv / "kept").touch()
    (new_course.root / "requirements-core.txt").write_text("no-such-package\n")
    new_course.answers = {"pip": 1}
    assert new_course.prepare("core").startswith("Installing failed")
    (new_course.root / "requirements-core.txt").write_text("numpy\n")
    assert new_course.prepare("core") is None
    assert new_course.commands == []
    assert (new_course.venv / "kept").exists()


def test_when_no_environment_can_be_made_there_is_one_sentence_and_then_another_try(new_course):
    new_course.answers = {"venv": 1}
    sentence = new_course.prepare("core")
    assert sentence.startswith(f"{new_course.venv} could not be created, for the reason above. If the disk is full")
    assert new_course.prepare("core") is None
    assert new_course.made_and_installed == (1, 1)


def test_a_folder_that_cannot_be_written_gets_one_sentence(new_course):
    new_course.venv.write_text("a file")
    assert new_course.prepare("core").startswith("The environment could not be created: ")


def test_an_environment_of_somebody_else_is_named_with_the_command_for_its_owner(new_course, monkeypatch):
    """As on a hub whose environment was made from another edition, or without the course."""
    new_course.run([sys.executable, "-m", "venv", new_course.venv])
    monkeypatch.setattr(environment.os, "access", lambda path, mode: path != new_course.venv)
    said = new_course.prepare("core")
    assert "not yours to change" in said
    assert said.endswith(f"BABYGRAD_VENV='{new_course.venv}' python3 -m grader.environment core")
    assert new_course.stamps() == []


@pytest.mark.parametrize("what", ["venv", "pip"])
def test_an_interrupted_installation_starts_afresh(new_course, what):
    new_course.answers = {what: KeyboardInterrupt()}
    assert "Stopped before it was done" in new_course.prepare("core")
    (new_course.venv / "half-installed").touch()
    assert new_course.prepare("core") is None
    assert new_course.made_and_installed == (1, 1)
    assert new_course.stamps() == ["ready-core"]
    assert not (new_course.venv / "half-installed").exists()


@pytest.mark.parametrize("end", [KeyboardInterrupt(), -9])
def test_an_interrupted_change_starts_afresh_whatever_level_it_was_for(new_course, end):
    new_course.prepare("core")
    (new_course.venv / "half-changed").touch()
    new_course.answers = {"pip": end}
    assert new_course.prepare("all").startswith(("\nStopped before it was done", "Installing failed"))
    assert new_course.prepare("core") is None
    assert new_course.made_and_installed == (1, 1)
    assert not (new_course.venv / "half-changed").exists()


def test_a_stamp_that_was_broken_off_is_none(new_course):
    new_course.prepare("core")
    (new_course.venv / "ready-core").write_bytes(b"")
    new_course.prepare("core")
    assert new_course.made_and_installed == (1, 1)


def test_a_folder_that_was_renamed_gets_a_new_environment(new_course, tmp_path):
    new_course.prepare("core")
    new_course.move_to(tmp_path / "renamed")
    assert new_course.prepare("core") is None
    assert new_course.made_and_installed == (1, 1)


def test_an_environment_whose_python_is_gone_is_made_again(new_course):
    new_course.prepare("core")
    for name in ("python", "python3"):
        (new_course.venv / "bin" / name).unlink(missing_ok=True)
    assert new_course.prepare("core") is None
    assert new_course.made_and_installed == (1, 1)


def test_an_environment_whose_python_was_replaced_is_made_again(new_course, tmp_path):
    new_course.prepare("core")
    python, newer = new_course.venv / "bin" / "python", tmp_path / "python3.99"
    newer.touch()
    python.unlink()
    python.symlink_to(newer)
    assert new_course.prepare("core") is None
    assert new_course.made_and_installed == (1, 1)


def test_an_environment_made_by_hand_is_used(new_course):
    new_course.run([sys.executable, "-m", "venv", new_course.venv])
    (new_course.venv / "kept").touch()
    assert new_course.prepare("core") is None
    assert new_course.made_and_installed == (0, 1)
    assert (new_course.venv / "kept").exists()


@pytest.mark.parametrize("name", ["chapter1.txt", "already-read.txt", "ready-for-print"])
def test_a_folder_that_is_not_ours_is_never_emptied(new_course, tmp_path, name):
    (tmp_path / "thesis").mkdir()
    (tmp_path / "thesis" / name).touch()
    assert "name another folder" in new_course.prepare("core", tmp_path / "thesis")
    assert (tmp_path / "thesis" / name).exists()


@pytest.mark.leg("push")
def test_a_second_command_waits_until_the_first_has_made_the_environment(tmp_path):
    """Else it would take a half-made environment for one that was broken off, and empty it."""
    venv = tmp_path / "somebody's"
    venv.mkdir()
    (venv / "work.txt").write_text("mine")
    with environment.alone(venv):
        second = subprocess.Popen(
            [sys.executable, "-m", "grader.environment", "core"], cwd=ROOT, env={**PLAIN, "BABYGRAD_VENV": str(venv)},
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        )  # fmt: skip
        assert second.stdout.readline() == f"Another command is at work on {venv}: waiting for it ...\n"
        with contextlib.suppress(subprocess.TimeoutExpired):
            second.wait(timeout=1)
        assert second.poll() is None
    _, words = second.communicate(timeout=600)
    assert "neither empty nor an environment of this course" in words


def test_no_lock_is_left_behind_and_who_waited_makes_one_of_its_own(tmp_path, monkeypatch):
    monkeypatch.setattr(environment.tempfile, "gettempdir", lambda: str(tmp_path))
    order, held, ended = [], threading.Event(), threading.Event()

    def second():
        held.wait(60)
        with environment.alone(tmp_path / "venv"):
            order.append("second")
            assert len([*tmp_path.glob("babygrad-*.lock")]) == 1
        ended.set()

    thread = threading.Thread(target=second)
    thread.start()
    with environment.alone(tmp_path / "venv"):
        held.set()
        assert not ended.wait(0.5)
        order.append("first")
    thread.join(60)
    assert order == ["first", "second"] and [*tmp_path.iterdir()] == []


def test_an_environment_is_made_without_a_lock_where_none_is_to_be_had(new_course, monkeypatch):
    monkeypatch.setattr(environment.tempfile, "gettempdir", lambda: str(new_course.root / "nowhere"))
    with environment.alone(new_course.venv):
        pass


@pytest.mark.parametrize("folder", ["my course/.venv", "elsewhere"])
def test_the_course_can_be_imported_from_anywhere_but_pythonpath_is_stronger(new_course, tmp_path, folder):
    venv, solutions = tmp_path / folder, tmp_path / "solutions"
    new_course.prepare("core", venv)
    for package in (new_course.root / "babygrad", solutions / "babygrad"):
        package.mkdir(parents=True)
        (package / "__init__.py").touch()
    where = [venv / "bin" / "python", "-c", "import babygrad; print(babygrad.__path__[0])"]
    assert run(*where, cwd=venv).stdout.strip() == str(new_course.root / "babygrad")
    assert run(*where, cwd=venv, PYTHONPATH=str(solutions)).stdout.strip() == str(solutions / "babygrad")


# ---- make ----


@pytest.fixture
def pretended(tmp_path):
    """An environment that make takes for ready. Its Python prints what it is asked, and ends with $STATUS."""
    venv = tmp_path / "my environment"  # make takes a path with a space for two
    python = venv / "bin" / "python"
    python.parent.mkdir(parents=True)
    python.write_text('#!/bin/sh\necho "asked: $*"\nexit ${STATUS:-0}\n')
    python.chmod(0o755)
    for level in environment.LEVELS:
        (venv / f"ready-{level}").write_text(f"{venv}\n{python}\nrequirements hash")
    return venv


def phony_targets():
    makefile = (ROOT / "Makefile").read_text()
    return {name for line in re.findall(r"^\.PHONY: (help .*)$", makefile, re.M) for name in line.split()}


@needs_make
def test_help_lists_every_target_and_nothing_else():
    assert sorted(listed(run("make", "help-all").stdout)) == sorted(phony_targets())


def listed(help):
    """The targets in a help, in its order."""
    return re.findall(r"^  make ([\w-]+) .*  +\S", help, re.M)


@needs_make
def test_the_short_help_lists_what_a_learner_types_and_the_long_one_begins_with_it():
    short = run("make", "help").stdout
    own = ("check", "watch", "hint", "quiz", "lab", "train", "nbcheck", "fill", "reset", "submit", "update")
    assert listed(short) == [*own, "help", "help-all"]
    assert run("make").stdout == short and run("make", "help-all").stdout.startswith(short)


PYTEST = "pytest -n 2 --dist worksteal -p no:nbval --durations=10 -rs"
THIN = {
    "check": "grader check",
    "check EX=2.1": "grader check 2.1",
    "check NB=02": "grader check 02",
    "check TRACK=evening": "grader check --track evening",
    "watch": "grader watch",
    "nbcheck NB=02": "grader nbcheck 02",
    "train DATA=moons": "grader train moons",
    "train DATA=digits PACKAGE=solutions ARGS=--resume": "grader train digits --package solutions --resume",
    "hint EX=2.1": "grader hint 2.1",
    "fill NB=02": "grader fill 02",
    "reset EX=2.1": "grader reset 2.1",
    "update FROM=../new.zip": "grader update ../new.zip",
    "lab": "grader lab",
    "submit NAME=ada": "grader submit ada",
    "release OUT=../students ARGS=--notebooks=2-4": "grader release ../students --notebooks=2-4",
    "release OUT=../students EXCHANGE=/srv/x": "grader release ../students --exchange /srv/x",
    "grade SUBMISSIONS=class": "grader grade class --out grades",
    "grade SUBMISSIONS=class NOTEBOOKS=3": "grader grade class --out grades --notebooks 3",
    "grade SUBMISSIONS=class OUT=marks ARGS=--resume": "grader grade class --out marks --resume",
    "term GRADES=hw1": "grader term hw1 --out term",
    "mark GRADES=grades": "grader mark grades",
    "exam OUT=../exam SEED=7 NOTEBOOKS=2-9": "grader exam ../exam --seed 7 --notebooks 2-9",
    "slides NB=03 ARGS=--theme=black": "grader slides slides 03 --theme=black",
    "test": PYTEST,
    "test-all": f"{PYTEST} -n 3 --leg=test --leg=push --leg=night",
    "elsewhere ARGS=hub": "tests.elsewhere hub",
    "quiz": "grader quiz",
    "quiz NB=03": "grader quiz 03",
    "notebooks": "grader notebooks",
    "stubs": "grader stubs",
    "bench": "benchmarks",
    "site": "grader site",
    "site OUT=../book": "grader site --out ../book",
    "lint": "ruff check",
}


@needs_make
@pytest.mark.parametrize("words", THIN)
def test_a_target_is_one_line_of_python(words, pretended):
    answer = run("make", *words.split(), f"VENV={pretended}")
    assert answer.stdout == f"asked: -m {THIN[words]}\n"
    assert answer.returncode == 0


def test_every_target_is_tried_above():
    assert {words.split()[0] for words in THIN} == phony_targets() - {"help", "help-all", "clean"}


MISSING = ("hint", "nbcheck", "fill", "reset", "update", "train", "submit", "release", "grade", "mark", "term", "exam")


@needs_make
@pytest.mark.parametrize("target", MISSING)
def test_a_target_that_misses_its_subject_says_one_sentence(target, tmp_path):
    answer = run("make", target, f"VENV={tmp_path / 'none'}")
    assert answer.returncode == 2
    assert answer.stdout == ""
    assert answer.stderr.count("\n") == 1
    assert f"make {target}" in answer.stderr
    assert not (tmp_path / "none").exists()


@needs_make
def test_a_check_that_fails_fails_make_in_a_script(pretended):
    assert run("make", "check", f"VENV={pretended}", STATUS="1").returncode == 2


def all_from(terminal):
    """What was written to a terminal that nobody writes to any more: a read gives a line or several."""
    shown = b""
    with contextlib.suppress(OSError), open(terminal, "rb", buffering=0) as end:  # EIO is the end
        while piece := end.read(10_000):
            shown += piece
    return shown.decode()


@needs_make
@pytest.mark.parametrize(("status", "quiet"), [(1, True), (2, False)])
def test_open_exercises_are_no_error_at_a_terminal(status, quiet, pretended):
    ours, terminal = pty.openpty()
    command, env = ["make", "check", f"VENV={pretended}"], {**PLAIN, "STATUS": str(status)}
    ended = subprocess.run(command, cwd=ROOT, env=env, stdout=terminal, stderr=terminal)
    os.close(terminal)
    shown = all_from(ours)
    assert (ended.returncode == 0) is quiet
    assert ("***" not in shown) is quiet


@needs_make
@pytest.mark.parametrize("target", MISSING)
def test_at_a_terminal_it_is_the_question_alone(target, tmp_path):
    ours, terminal = pty.openpty()
    command = ["make", target, f"VENV={tmp_path / 'none'}"]
    ended = subprocess.run(command, cwd=ROOT, env=PLAIN, stdout=terminal, stderr=terminal)
    os.close(terminal)
    assert re.fullmatch(rf"W[^*]*\? For example: make {target} [^\n]*\n", all_from(ours).replace("\r\n", "\n"))
    assert ended.returncode == 0


@needs_make
def test_make_asks_the_environment_again_when_it_was_moved(pretended):
    steps = run("make", "-n", "check", f"VENV={pretended}").stdout
    assert "grader.environment" not in steps
    moved = pretended.rename(pretended.with_name("renamed environment"))
    steps = run("make", "-n", "check", f"VENV={moved}").stdout
    assert f"BABYGRAD_VENV='{moved}' python3 -m grader.environment core" in steps


@needs_make
def test_make_asks_the_environment_again_when_its_python_was_replaced(pretended, tmp_path):
    (pretended / "bin" / "python").rename(tmp_path / "python")
    assert "grader.environment" in run("make", "-n", "check", f"VENV={pretended}").stdout
    (pretended / "bin" / "python").symlink_to(tmp_path / "python")
    assert "grader.environment" in run("make", "-n", "check", f"VENV={pretended}").stdout


@needs_make
@pytest.mark.parametrize(
    "place", ["/old{venv}\n{venv}/bin/python", "{venv}2\n{venv}/bin/python", "{venv}\n{venv}/bin/python3"]
)
def test_make_takes_no_other_place_for_this_one(place, pretended):
    (pretended / "ready-core").write_text(place.format(venv=pretended) + "\nrequirements hash")
    assert "grader.environment" in run("make", "-n", "check", f"VENV={pretended}").stdout


@needs_make
def test_make_says_so_when_there_is_no_python(tmp_path):
    answer = run("make", "check", f"VENV={tmp_path / 'none'}", "PYTHON=no-such-python")
    assert answer.returncode == 2
    assert answer.stderr.startswith("There is no no-such-python here: install Python 3.11 or newer")


@needs_make
def test_make_asks_the_environment_again_after_an_interruption(pretended):
    (pretended / environment.UNFINISHED).touch()
    assert "-m grader.environment core" in run("make", "-n", "check", f"VENV={pretended}").stdout


@needs_make
@pytest.mark.parametrize("level", environment.LEVELS)
def test_make_asks_the_environment_again_when_a_list_of_requirements_is_newer(level, pretended):
    target = next(name for name, needed in needs().items() if needed == level)
    command = ["make", "-n", target, f"VENV={pretended}", "OUT=out", "SUBMISSIONS=class"]
    assert "grader.environment" not in run(*command).stdout
    os.utime(pretended / f"ready-{level}", (0, 0))
    assert f"-m grader.environment {level}\n" in run(*command).stdout


def needs():
    """{target: the level of the environment that it needs}."""
    return dict(re.findall(r"^(\w[\w-]*):.* ready-(\w+)$", (ROOT / "Makefile").read_text(), re.M))


@pytest.mark.bare
@needs_make
@pytest.mark.leg("push")
def test_a_copy_of_the_course_checks_with_the_present_environment(tmp_path):
    unwanted = shutil.ignore_patterns(".git", ".venv", ".babygrad", "__pycache__", ".*_cache")
    copy = shutil.copytree(ROOT, tmp_path / "my course", ignore=unwanted)
    (copy / ".venv" / "bin").mkdir(parents=True)
    python = copy / ".venv" / "bin" / "python"
    python.write_text(f'#!/bin/sh\nexec "{sys.executable}" "$@"\n')
    python.chmod(0o755)
    (copy / ".venv" / "ready-core").write_bytes(environment.stamp(copy / ".venv"))
    os.utime(copy / ".venv" / "ready-core", (0, 0))  # so that the environment is asked once, and touches it
    plain = shutil.copy(python, tmp_path / "python")  # in a folder without spaces, as make wants it
    command = ["make", "check", f"PYTHON={plain}", "EX=2.1"]
    answer = run(*command, cwd=copy)
    assert "2.1" in answer.stdout
    assert ".venv" not in answer.stdout
    assert run("make", "-n", *command[1:], cwd=copy).stdout.count("python") == 1


def test_clean_removes_caches_and_nothing_else(tmp_path):
    shutil.copy(ROOT / "Makefile", tmp_path)
    for name in ("a/__pycache__", ".pytest_cache", ".venv/__pycache__", ".babygrad"):
        (tmp_path / name).mkdir(parents=True)
    assert run("make", "clean", cwd=tmp_path).returncode == 0
    assert sorted(path.name for path in tmp_path.iterdir()) == [".babygrad", ".venv", "Makefile", "a"]
    assert (tmp_path / ".venv" / "__pycache__").exists()


# ---- what CI runs ----


MAKE = """#!/bin/sh
case "$*" in
*=--leg=push) echo '=== 7 tests of the rest ===' ;;
*ARGS*) echo '=== 5 tests on a bare machine ===' ;;
*) echo '=== 3 tests ===' && echo 'make: *** [Makefile:60: test] Error 1' >&2 && exit {status} ;;
esac
"""


@pytest.mark.parametrize(("status", "last"), [(0, "=== 7 tests of the rest ==="), (2, "=== 3 tests ===")])
def test_ci_ends_with_the_summary_that_counts_and_its_exit_code(status, last, tmp_path):
    for name, text in {"make": MAKE.replace("{status}", str(status)), "chromium": "", "bwrap": "", "dot": ""}.items():
        (tmp_path / name).write_text(text or "#!/bin/sh\n")
        (tmp_path / name).chmod(0o755)
    answer = run(ROOT / ".ci" / "run", cwd=tmp_path, PATH=f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    lines = answer.stdout.splitlines()
    assert [line for line in lines if line.startswith("=== ")] == [
        *("=== 3 tests ===", "=== 5 tests on a bare machine ===", "=== 7 tests of the rest ==="),
        last,
    ]
    assert lines[-1] == last
    assert answer.stderr == "" and "***" not in answer.stdout
    assert answer.returncode == status


@pytest.mark.skipif(sys.platform != "linux", reason="this is about Linux")
def test_a_bare_machine_has_no_bubblewrap_no_dot_no_browser_and_no_namespaces(tmp_path):
    for name in ("bwrap", "dot", "chromium"):
        (tmp_path / name).write_text("#!/bin/sh\n")
        (tmp_path / name).chmod(0o755)
    path = f"{tmp_path}{os.pathsep}{os.environ['PATH']}"
    tried = "command -v bwrap dot chromium; command -v sh && unshare --user true; exit 3"
    answer = run(ROOT / ".ci" / "bare", "sh", "-c", tried, cwd=tmp_path, PATH=path)
    *said, shell = answer.stdout.splitlines()
    assert Path(shell).name == "sh"
    assert said in ([], ["Namespaces cannot be taken away here: they are as they are."])
    assert "unshare failed" in answer.stderr or said
    assert answer.returncode == 3


# ---- which babygrad is imported ----

WHERE = """
import json, os, subprocess, sys
import babygrad

def test_where():
    kernel = [sys.executable, "-c", "import babygrad; print(babygrad.WHICH)"]
    from_notebooks = subprocess.check_output(kernel, cwd="notebooks", text=True).strip()
    print("imported:", json.dumps([babygrad.WHICH, from_notebooks]))
"""

NOTEBOOK = {
    "cells": [
        {
            "cell_type": "code",
            "execution_count": 1,
            "id": "which",
            "metadata": {},
            "outputs": [{"name": "stdout", "output_type": "stream", "text": ["reference\n"]}],
            "source": ["import babygrad\n", "print(babygrad.WHICH)"],
        }
    ],
    "metadata": {"kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"}},
    "nbformat": 4,
    "nbformat_minor": 5,
}


@pytest.fixture(scope="module")
def two_packages(tmp_path_factory):
    """A course of two packages that say who they are, with the real conftest.py and pyproject.toml."""
    root = tmp_path_factory.mktemp("course")
    for name in ("pyproject.toml", "conftest.py", "tests/course/conftest.py"):
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, root / name)
    for folder, which in (("babygrad", "learner"), ("solutions/babygrad", "reference")):
        (root / folder).mkdir(parents=True)
        (root / folder / "__init__.py").write_text(f"WHICH = '{which}'\n")
    for folder in ("tests/course", "tests/exercises"):
        (root / folder).mkdir(exist_ok=True)
        (root / folder / "test_where.py").write_text(WHERE)
    (root / "notebooks").mkdir()
    (root / "notebooks" / "which.ipynb").write_text(json.dumps(NOTEBOOK))
    return root


LAUNCHERS = {
    "pytest": [Path(sys.executable).with_name("pytest")],
    "python -m pytest": [sys.executable, "-m", "pytest"],
}


def at_night(*cases):
    return [pytest.param(*case, marks=pytest.mark.leg("night")) for case in cases]


def imported(root, launcher, folder, pythonpath):
    variables = {} if pythonpath is None else {"PYTHONPATH": pythonpath.format(root=root)}
    variables["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"  # they take two seconds to start
    answer = run(*LAUNCHERS[launcher], "-sqp", "no:cacheprovider", folder, cwd=root, **variables)
    return json.loads(re.search(r"imported: (.*)", answer.stdout).group(1))


@pytest.mark.parametrize("launcher", LAUNCHERS)
@pytest.mark.parametrize(
    ("pythonpath", "expected"),
    [
        ("solutions", "reference"),
        *at_night((None, "learner"), ("{root}/solutions", "reference"), ("{root}", "learner")),
    ],
)
@pytest.mark.leg("push")
def test_a_learners_tests_import_what_pythonpath_says(two_packages, launcher, pythonpath, expected):
    assert imported(two_packages, launcher, "tests/exercises", pythonpath) == [expected, expected]


def test_what_make_was_asked_for_does_not_reach_the_makes_of_tests(two_packages):
    makefile = (ROOT / "Makefile").read_text()
    asked = set(re.findall(r"\$\(([A-Z_]+)\)", makefile)) - set(re.findall(r"^([A-Z_]+) :?= ", makefile, re.M))
    asked |= {"MAKEFLAGS", "MAKELEVEL", "VENV"}
    asked -= {"MAKECMDGOALS"}  # make does not hand it on
    assert {"ARGS", "EX", "NAME", "PYTHON", "BABYGRAD_VENV"} <= asked
    code = f"import os\n\ndef test_it():\n    assert os.environ.keys() & {asked} == set()\n"
    (two_packages / "tests" / "course" / "test_variables.py").write_text(code)
    command = [*LAUNCHERS["python -m pytest"], "-qp", "no:cacheprovider", "tests/course/test_variables.py"]
    answer = run(*command, cwd=two_packages, **dict.fromkeys(asked, "x"), PYTEST_DISABLE_PLUGIN_AUTOLOAD="1")
    assert answer.returncode == 0, answer.stdout


@pytest.mark.parametrize("launcher", LAUNCHERS)
@pytest.mark.parametrize("pythonpath", [*at_night((None,), ("solutions",)), "{root}"])
@pytest.mark.leg("push")
def test_the_projects_own_tests_import_the_reference(two_packages, launcher, pythonpath):
    assert imported(two_packages, launcher, "tests/course", pythonpath) == ["reference", "reference"]


@pytest.mark.leg("push")
def test_a_notebook_under_nbval_imports_what_a_relative_pythonpath_says(two_packages):
    nbval = ["--nbval", "--nbval-current-env", "-qp", "no:cacheprovider", "notebooks"]
    answer = run(*LAUNCHERS["python -m pytest"], *nbval, cwd=two_packages, PYTHONPATH="solutions")
    assert answer.returncode == 0, answer.stdout
