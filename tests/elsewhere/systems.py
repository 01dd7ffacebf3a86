"""The course in Debian systems with newer Pythons: set up from a clone, the reference's points, the project's tests."""

import re
import shutil

from grader.course.catalogue import all_exercises
from grader.course.paths import ROOT

from . import roots, trying

PACKAGES = ("python3", "python3-venv", "make", "git", "ca-certificates")
TESTED = ("tests/course/engine", "tests/course/checking")
POINTS = sum(ex.points for ex in all_exercises())
COURSE = "/srv/a course"
PYTHON = ".venv/bin/python"
ROOM_FOR_TORCH = 15e9  # bytes: what is downloaded lies beside what is unpacked


def try_system(scratch, suite):
    """make check in a fresh clone, the reference's points, and the tests that need no PyTorch."""
    system = _with_the_course(scratch, suite)
    shown = system.run("make", "check", inside=COURSE, allowed=(2,), said="make check")  # exercises are open
    assert f"] 0 of {POINTS} points\n" in shown and "\nNext: open notebooks/00_start_here.ipynb" in shown, shown[-2000:]
    known = system.run(PYTHON, "-m", "grader", "check", "--package", "solutions", inside=COURSE, said="the reference")
    assert f"] {POINTS} of {POINTS} points" in known, known[-2000:]
    system.run(PYTHON, "-m", "pip", "install", *_requirements("hypothesis", "jupytext", "pytest-xdist"), inside=COURSE)
    without = [path for folder in TESTED for path in (ROOT / folder).rglob("test_*.py") if _imports_torch(path)]
    tests = _tests(system, *(f"--ignore={path.relative_to(ROOT)}" for path in without))
    return f"{_python(system)}, {POINTS} of {POINTS} points, {tests} without PyTorch"


def try_torch(scratch, suite):
    """The environment of make test as the public index brings it, and the tests beside PyTorch."""
    if shutil.disk_usage(scratch).free < ROOM_FOR_TORCH:
        raise trying.LeftOut(f"the disk has less than {ROOM_FOR_TORCH / 1e9:.0f} GB of room")
    system = _with_the_course(scratch, suite)
    setup = ("python3", "-m", "grader.environment", "all")
    system.run(*setup, inside=COURSE, said="the environment of make test, with the GPU parts of PyTorch")
    size = int(system.run("du", "-s", "--block-size=1MB", ".venv", inside=COURSE).split()[0])
    torch = system.run(PYTHON, "-c", "import torch; print(torch.__version__)", inside=COURSE).strip()
    return f"{_python(system)}, torch {torch}, .venv of {size / 1000:.1f} GB, {_tests(system)}"


def _with_the_course(scratch, suite):
    system = roots.new(scratch, suite, PACKAGES)
    trying.clone(f"{system.folder}{COURSE}")
    return system


def _python(system):
    return system.run("python3", "--version").strip()


def _requirements(*names):
    """The lines about these packages."""
    lists = ROOT / "requirements.txt", ROOT / "requirements" / "grade.txt"
    lines = [line for each in lists for line in each.read_text(encoding="utf-8").splitlines()]
    return [line.partition("#")[0].strip() for line in lines if line.startswith(names)]


def _imports_torch(path):
    return re.search(r"^(import torch|from toolbox\.torch_bridge)\b", path.read_text(encoding="utf-8"), re.MULTILINE)


def _tests(system, *ignored):
    words = ("-m", "pytest", "-q", "-n", "2", "--dist", "loadfile", *TESTED, *ignored)
    told = system.run(PYTHON, *words, inside=COURSE, said=f"pytest {' '.join(TESTED)}")
    return re.search(r"\d+ passed", told)[0]
