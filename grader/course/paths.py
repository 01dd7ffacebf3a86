"""Where everything in the course lies."""

import os
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

LEARNER = ROOT  # holds the folder babygrad/ that learners fill
REFERENCE = ROOT / "solutions"  # holds the folder babygrad/ with the answers
EXERCISES = ROOT / "tests" / "exercises"
RETIRED = EXERCISES / "retired.json"  # {id of an exercise that is no more: what became of it}
TOO_EARLY = EXERCISES / "too_early.json"  # what is said of those that need what comes later
EXPECTED = EXERCISES / "expected"  # recorded numbers; only in a student edition
TOOLBOX = ROOT / "toolbox"  # drawings, films, training runs: given; graphs/ also lies beside a stranger's code
NOTEBOOKS = ROOT / "notebooks"
COURSE_FILE = ROOT / "course.json"  # what a teacher decided; only in a student edition
NOTEBOOK_SOURCES = REFERENCE / "notebooks"
# Folders in which nothing is a learner's. In babygrad/ and notebooks/ learners may have files of their own.
COURSE_FOLDERS = ("benchmarks", "containers", "docs", "grader", "requirements", "solutions", "tests", "toolbox")
# Backups and hints shown: never part of the course itself.
MEMORY = Path(os.environ.get("BABYGRAD_MEMORY") or ROOT / ".babygrad")


def package_folder(directory):
    """The folder babygrad/ inside directory."""
    return Path(directory) / "babygrad"


def is_full_edition(root=ROOT):
    """Does the course in root hold the answers, and what asks them?

    The student edition has recorded numbers instead, also where somebody has put answers into it.
    """
    asking = Path(root) / "grader" / "checking" / "reference.py"
    return package_folder(Path(root) / "solutions").is_dir() and asking.is_file()
