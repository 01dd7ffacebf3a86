"""What an exercise builds on is what its questions come upon, in the reference's answer or in other right ones."""

import builtins
import re
import shutil
import sys
import warnings
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).parents[2] / "sandbox" / "attacks"))

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


@pytest.mark.leg("push")
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
