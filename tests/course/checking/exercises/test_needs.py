"""What an exercise builds on is what its questions come upon, in the reference's answer or in other right ones."""

import builtins
import re
import shutil
import sys
import warnings
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).parents[2] / "sandbox" / "attacks"))
from attack import into, submission

from grader.checking.check import Request, check
from grader.checking.reference import answers_of
from grader.course import catalogue, regions
from grader.course.packages import private_copy
from grader.course.paths import REFERENCE, package_folder

IDS = [ex.id for ex in catalogue.all_exercises()]
MARK = "_come_upon"  # a set of ids, among the builtins while this module runs
SEED = 7


@pytest.fixture(scope="module")
def marked(tmp_path_factory):
    """A folder with a copy of the reference in which each exercise's regions say that they are run."""
    folder = tmp_path_factory.mktemp("marked")
    shutil.copytree(package_folder(REFERENCE), folder / "babygrad", ignore=shutil.ignore_patterns("__pycache__"))
    for path in (folder / "babygrad").rglob("*.py"):
        path.write_text(with_marks(path.read_text(encoding="utf-8")), encoding="utf-8")
    setattr(builtins, MARK, set())
    yield folder
    delattr(builtins, MARK)


def with_marks(text):
    return re.sub(
        r"^( *)### BEGIN SOLUTION ([\d.]+):.*\n",
        lambda begin: f'{begin[0]}{begin[1]}__import__("builtins").{MARK}.add("{begin[2]}")\n',
        text,
        flags=re.MULTILINE,
    )


def come_upon(marked, id, other=None):
    """Ids of the other exercises whose code is run when this one is asked, with this OtherAnswer to it."""
    ex, seen = catalogue.exercise(id), getattr(builtins, MARK)
    with private_copy(marked, [other.edit] if other and other.edit else ()) as bg, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        if other and other.patch:
            other.patch(bg)
        seen.clear()
        answers_of(bg, ex, ex.probes, SEED)
    return seen - {id}


@pytest.mark.parametrize("id", IDS)
def test_what_an_exercise_builds_on_is_what_its_questions_come_upon(marked, id):
    ex, met = catalogue.exercise(id), come_upon(marked, id)
    assert met <= set(catalogue.all_needs(id))
    for other in catalogue.other_answers_of(ex) if set(ex.needs) - met else ():
        met |= come_upon(marked, id, other)
    assert set(ex.needs) <= met


def test_every_region_says_that_it_is_run():
    text = (package_folder(REFERENCE) / "value.py").read_text(encoding="utf-8")
    assert with_marks(text).count(MARK) == len(regions.solution_regions(text)) > 10


def checked(folder, id, open):
    """The Verdict on an exercise that returns None, where one other exercise is open and the rest is right."""
    others = [one for one in IDS if one not in (id, open)]
    for name, data in submission(others, [(catalogue.exercise(id).file, into(id, "return None"))]).items():
        path = package_folder(folder) / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    return check([catalogue.exercise(id)], Request(folder))[0]


def test_a_stretch_that_was_left_for_later_is_no_reason_why_an_exercise_of_the_core_fails(tmp_path):
    assert "6.9" in catalogue.exercise("7.6").needs and "6.2" in catalogue.exercise("7.6").needs
    stretch, core = (checked(tmp_path / id, "7.6", open=id) for id in ("6.9", "6.2"))
    assert stretch.undone == {} and core.undone == {"6.2": True}
    assert "builds on" not in stretch.message + core.message  # it would return None, whatever 6.2 did
