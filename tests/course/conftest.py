"""The project's own tests run on the reference, whatever PYTHONPATH says: solutions/ goes first.

(Processes that they start, and kernels, inherit that. A test that means another package says so to them.)
What make was asked for (`make test ARGS=...`) is forgotten, so that it does not reach the makes that tests start.

What has the mark `thorough` is left to `make test-all` (pytest --ask=all): more seeds of a test, a larger class.
"""

import os
import sys
from pathlib import Path

import hypothesis
import pytest

REFERENCE = str(Path(__file__).resolve().parents[2] / "solutions")
OF_MAKE = (
    *("MAKEFLAGS", "MFLAGS", "MAKEOVERRIDES", "MAKELEVEL", "ARGS", "VENV", "BABYGRAD_VENV", "PYTHON"),
    *("EX", "NB", "WAY", "DATA", "PACKAGE", "FROM", "NAME", "OUT", "SUBMISSIONS"),
    *("GRADES", "SEED", "NOTEBOOKS", "MINUTES"),
)

for name in OF_MAKE:
    os.environ.pop(name, None)

already = sys.modules.get("babygrad")
if already and not already.__file__.startswith(REFERENCE):
    raise pytest.UsageError("tests/course runs on the reference, but another babygrad was imported before it")

inherited = [entry for entry in os.environ.get("PYTHONPATH", "").split(os.pathsep) if entry]
os.environ["PYTHONPATH"] = os.pathsep.join(dict.fromkeys([REFERENCE, *inherited]))
sys.path[:] = [REFERENCE] + [entry for entry in sys.path if entry != REFERENCE]

# On a busy machine an example takes long, or is long in being drawn, for no reason of its own.
hypothesis.settings.register_profile(
    "busy", deadline=None, suppress_health_check=[hypothesis.HealthCheck.too_slow], parent=hypothesis.settings.default
)
hypothesis.settings.load_profile("busy")

LONGEST = ["test_audit", "test_tryit", "test_same_check", "test_term_of_200"]
LONGEST += ["test_notebooks", "test_attacks", "test_exercises", "test_known_class", "test_student_edition"]
LONGEST += ["test_engine_against_torch", "test_readme", "test_cumulative_walk", "test_check_command"]
ASKED = {"first": "what make test asks", "all": "what make test-all asks", "rest": "all but the first"}


def pytest_addoption(parser):
    words = "; ".join(f"{choice}: {meaning}" for choice, meaning in ASKED.items())
    parser.addoption("--ask", choices=ASKED, default="first", help=words)


def pytest_configure(config):
    config.addinivalue_line("markers", "thorough: more of what another test asks; make test-all asks it")


def pytest_collection_modifyitems(config, items):
    def is_asked(item):
        return asked == "all" or (asked == "rest") == bool(item.get_closest_marker("thorough"))

    asked = config.getoption("--ask")
    config.hook.pytest_deselected(items=[item for item in items if not is_asked(item)])
    items[:] = sorted(filter(is_asked, items), key=_turn)


@pytest.fixture(scope="session")
def do_without():
    """do_without(what, reason): skips a test, or fails it where BABYGRAD_REQUIRE_<what> is 1, as .ci/run sets it."""

    def missing(what, reason):
        (pytest.fail if os.environ.get(f"BABYGRAD_REQUIRE_{what}") == "1" else pytest.skip)(reason)

    return missing


@pytest.fixture(scope="session")
def walls(do_without):
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


def _turn(item):
    """The files that take longest begin, so that at the end no processor waits for one of them."""
    return LONGEST.index(item.path.stem) if item.path.stem in LONGEST else len(LONGEST)
