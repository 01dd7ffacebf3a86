"""The project's own tests run on the reference, whatever PYTHONPATH says: solutions/ goes first.

(Processes that they start, and kernels, inherit that. A test that means another package says so to them.)
What make was asked for (`make test ARGS=...`) is forgotten, so that it does not reach the makes that tests start.

Which leg a test is in says its mark `leg`, or that it has none: docs/development.md.
"""

import gc
import os
import re
import signal
import sys
from collections import Counter
from datetime import date
from pathlib import Path

import hypothesis
import pytest

REFERENCE = str(Path(__file__).resolve().parents[2] / "solutions")
OF_MAKE = (
    *("MAKEFLAGS", "MFLAGS", "MAKEOVERRIDES", "MAKELEVEL", "ARGS", "VENV", "BABYGRAD_VENV", "PYTHON"),
    *("EX", "NB", "TRACK", "DATA", "PACKAGE", "FROM", "NAME", "OUT", "SUBMISSIONS", "EXCHANGE"),
    *("GRADES", "SEED", "NOTEBOOKS", "MINUTES", "NET"),
)

for name in OF_MAKE:
    os.environ.pop(name, None)

# Two processes run tests, with small arrays: threads of a matrix product would only wait for each other.
for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(name, "1")

# Tests start a thousand processes: what one of them compiled, the others read.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False

already = sys.modules.get("babygrad")
if already and not already.__file__.startswith(REFERENCE):
    raise pytest.UsageError("tests/course runs on the reference, but another babygrad was imported before it")

inherited = [entry for entry in os.environ.get("PYTHONPATH", "").split(os.pathsep) if entry]
os.environ["PYTHONPATH"] = os.pathsep.join(dict.fromkeys([REFERENCE, *inherited]))
sys.path[:] = [REFERENCE] + [entry for entry in sys.path if entry != REFERENCE]

# Where tests run in the background Ctrl-C may be ignored, and the programs that they start would inherit that.
if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# On a busy machine an example takes long, or is long in being drawn, for no reason of its own.
hypothesis.settings.register_profile(
    "busy", deadline=None, suppress_health_check=[hypothesis.HealthCheck.too_slow], parent=hypothesis.settings.default
)
hypothesis.settings.load_profile("busy")

LEGS = {
    "test": "what make test asks, all that has no mark",
    "push": "what .ci/run asks besides",
    "night": "what make test-all asks besides both",
}
# Tried at night with numbers that nobody has tried. The same for all processes of a run; pytest prints it.
os.environ.setdefault("BABYGRAD_SEED_OF_THE_DAY", str(date.today().toordinal()))


def pytest_addoption(parser):
    words = "; ".join(f"{leg}: {meaning}" for leg, meaning in LEGS.items())
    parser.addoption("--leg", choices=LEGS, action="append", help=f"{words}. May be given several times")


def pytest_configure(config):
    config.addinivalue_line("markers", "leg(name): the test is left to .ci/run (push) or to make test-all (night)")
    config.addinivalue_line("markers", "bare: .ci/run asks it again on a bare machine, without dot, bwrap and browser")


def pytest_report_header(config):
    return f"BABYGRAD_SEED_OF_THE_DAY={os.environ['BABYGRAD_SEED_OF_THE_DAY']} asks the same at night again"


class FromTheEnd(pytest.Dir):
    """A folder whose files are looked at in reverse."""

    def collect(self):
        return [*super().collect()][::-1]


def pytest_collect_directory(path, parent):
    """One worker begins with the first file, one with the last: in a fresh clone each finds half of them compiled."""
    return FromTheEnd.from_parent(parent, path=path) if os.environ.get("PYTEST_XDIST_WORKER") == "gw1" else None


def pytest_collection_modifyitems(config, items):
    """Files whose tests share a fixture begin, and one worker has all of each: a browser, a kernel, a release, a class.

    Then come the others, those of few tests first: at the end small tests share out evenly. Tests about one exercise
    follow each other, of whichever file of checking/: they share its answers.
    """
    asked, others, legs = [], [], config.getoption("--leg") or ["test"]
    for item in items:
        (asked if _leg_of(item) in legs else others).append(item)
    config.hook.pytest_deselected(items=others)
    sizes = Counter(map(_together, asked))
    sharing = {_together(item) for item in asked if _shares_a_fixture(item)}

    def place(item):
        together = _together(item)
        rank = (0, -sizes[together], "") if together in sharing else (1, sizes[together], _exercise_of(item))
        return *rank, item.path  # the workers' lists must be alike

    items[:] = sorted(asked, key=place)


def _together(item):
    return "exercises" if _exercise_of(item) else item.path


def _exercise_of(item):
    """The id of the exercise that a test of checking/ is about, or nothing."""
    id = item.callspec.params.get("id") if "checking" in item.path.parts and hasattr(item, "callspec") else None
    return id if isinstance(id, str) and re.fullmatch(r"\d+\.\d+", id) else ""


def _shares_a_fixture(item):
    fixtures = item._fixtureinfo.name2fixturedefs.values() if hasattr(item, "_fixtureinfo") else ()
    return any(each[-1].scope in ("module", "class") for each in fixtures)


def pytest_collection_finish(session):
    """What all tests are made of is not looked through again each time that garbage is collected."""
    gc.collect()
    gc.freeze()


@pytest.fixture
def a_quick_collector():
    """The cycle collector looks at nothing that was there before the test."""
    gc.freeze()


def _leg_of(item):
    """What is nearest counts: the mark of a parameter, of the test, of its file."""
    own = [mark for mark in item.own_markers if mark.name == "leg"]  # pytest puts those of parameters last
    mark = own[-1] if own else item.get_closest_marker("leg")
    leg = mark.args[0] if mark else "test"
    if leg not in LEGS:
        raise pytest.UsageError(f"{item.nodeid}: there is no leg {leg}")
    return leg


@pytest.fixture(scope="session")
def environment_in():
    """environment_in(folder): makes a folder that make takes for an environment; its Python is this one."""

    def made(venv):
        python = venv / "bin" / "python"
        python.parent.mkdir(parents=True)
        python.write_text(f'#!/bin/sh\nexec "{sys.executable}" "$@"\n')
        python.chmod(0o755)
        for level in ("core", "grade", "site", "all", "bench"):
            (venv / f"ready-{level}").write_text(f"{venv}\n{python}\nrequirements hash")
            os.utime(venv / f"ready-{level}", (2e9, 2e9))  # newer than any list of requirements
        return venv

    return made


@pytest.fixture(scope="session")
def do_without():
    """do_without(what, reason): skips a test, or fails it where BABYGRAD_REQUIRE_<what> is 1, as .ci/run sets it."""

    def missing(what, reason):
        (pytest.fail if os.environ.get(f"BABYGRAD_REQUIRE_{what}") == "1" else pytest.skip)(reason)

    return missing


@pytest.fixture(scope="session")
def isolation(do_without):
    """The levels.Chosen of this machine. Where nothing but limits holds, what needs one is skipped."""
    from grader.course.usage import UsageError
    from grader.sandbox.outside import levels

    try:
        return levels.choose()
    except UsageError as error:
        do_without("JAIL", str(error))


@pytest.fixture(scope="session")
def node(do_without):
    """The module web/npm.py. Where there is no Node.js with npm, what needs it is skipped."""
    from grader.web import npm

    if not npm.is_there():
        do_without("NODE", "there is no Node.js here, or no npm")
    return npm
