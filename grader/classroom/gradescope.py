"""Gradescope: the zip that its autograder runs, and what runs in it.

Gradescope unpacks the zip to /autograder/source. setup.sh runs once, as root, when the image is built; run_autograder
runs for each hand-in, which lies in /autograder/submission, and leaves results/results.json. All of that stands at
https://gradescope-autograders.readthedocs.io/en/latest/specs/

    python -m grader.classroom.gradescope /autograder [--seed S] [--unsafe]      what run_autograder calls
"""

import argparse
import json
import sys
from dataclasses import replace
from datetime import datetime
from pathlib import Path

from ..course.atomic import write_atomically
from ..course.catalogue import all_exercises
from ..course.paths import EXERCISES, REFERENCE, ROOT, TOOLBOX, package_folder
from ..course.settings import Settings
from ..course.usage import UsageError
from ..sandbox.outside import levels
from ..sandbox.outside.grading import grade
from ..sandbox.outside.seeds import fresh_seed
from .collect.class_list import Class
from .collect.folders import FolderTree
from .collect.platforms import GRADESCOPE, Label
from .collect.safe_names import identity
from .collect.submissions import Source
from .collect.zips import write_zip
from .pages.results import text_of
from .run import digests
from .run.round import new_job
from .run.state import State
from .run.student_record import carried_on, graded, head, malformed, searched, to_carry, to_search, weigher

NAME = "gradescope.zip"
SETTINGS = "settings.json"  # not course.json, by which a student edition is told
OF_EXERCISES = ("exercises", "questions", "marking", "mistakes")  # not: key_ideas, other_answers
NEEDED = ("numpy", "pyseccomp")  # all that grading one hand-in imports
SCRIPTS = Path(__file__).with_name("autograder")

FAILURE = (
    "This could not be graded: the autograder itself failed. This says nothing about your work. (Instructors: the "
    "reason is in the autograder's output, which students do not see.)"
)
PRIVATE = (
    "The edition is a private variant. Its secret is not in the zip and not needed: Gradescope's students see the "
    "feedback at once, so each hand-in is asked fresh questions, or those of --seed."
)


# ---- the zip ----


def build(out, settings, seed=None, unsafe=False):
    """Write out/gradescope.zip, the same bytes for the same course.  Returns sentences about it.

    seed: draws the questions of every hand-in; None: fresh ones each time.
    unsafe: it grades also where nothing can be sandboxed.  Raises UsageError.
    """
    files = {**_scripts(seed, unsafe), **_course(replace(settings, due={}))}
    path = out / NAME
    try:
        out.mkdir(parents=True, exist_ok=True)
        write_zip(path, sorted(files.items()))
    except OSError as error:
        raise UsageError(f"{path} cannot be written: {error.strerror}.") from None
    lines = [
        f"The autograder is {path} ({path.stat().st_size / 1e6:.1f} MB). It contains the answers: keep it from "
        "students.",
        f"Give the assignment {settings.possible} points. Dates, extensions and lateness are up to Gradescope.",
    ]
    return [*lines, PRIVATE] if settings.private else lines


def _scripts(seed, unsafe):
    options = ("" if seed is None else f" --seed {seed}") + (" --unsafe" if unsafe else "")
    failure = {"score": 0, "output": FAILURE, "output_format": "text", "stdout_visibility": "hidden"}
    setup, run = ((SCRIPTS / name).read_text(encoding="utf-8") for name in ("setup.sh", "run_autograder"))
    run = run.replace("@failure@", json.dumps(failure, indent=1)).replace("@options@", options)
    return {"setup.sh": setup.encode(), "run_autograder": run.encode(), "requirements.txt": _requirements()}


def _requirements():
    """The lines about what is needed, as the course's own lists have them."""
    lists = ((ROOT / name).read_text(encoding="utf-8") for name in ("requirements-core.txt", "requirements/grade.txt"))
    return "".join(f"{line}\n" for text in lists for line in text.splitlines() if line.startswith(NEEDED)).encode()


def _course(settings):
    """{name: bytes} of what grading reads: the grader, the reference, the questions, the misconceptions."""
    grader, edition = ROOT / "grader", ROOT / "grader" / "edition"
    paths = [path for path in grader.rglob("*") if path.suffix in (".py", ".toml") and edition not in path.parents]
    paths += [*package_folder(REFERENCE).rglob("*.py"), *TOOLBOX.rglob("*.py"), *TOOLBOX.rglob("*.json")]
    paths += (path for name in OF_EXERCISES for path in EXERCISES.glob(f"nb*/{name}.*"))
    paths += [ROOT / "LICENSE"]
    files = {path.relative_to(ROOT).as_posix(): path.read_text(encoding="utf-8").encode() for path in paths}
    return {**files, SETTINGS: (json.dumps(settings.as_dict(), indent=1) + "\n").encode()}


# ---- in Gradescope's container ----


def main(argv=None):
    """Grade the hand-in in ROOT/submission.  What is printed is for instructors.  Raises whatever goes wrong."""
    parser = argparse.ArgumentParser(prog="run_autograder")
    parser.add_argument("root", type=Path)
    parser.add_argument("--seed", type=int)
    parser.add_argument("--unsafe", action="store_true")
    arguments = parser.parse_args(argv)
    settings, source = Settings.read(ROOT / SETTINGS), _source(arguments.root)
    seed = fresh_seed() if arguments.seed is None else arguments.seed
    course, chosen = settings.as_dict(), levels.choose(arguments.unsafe)
    isolation = " ".join(chosen.sentences())
    print(isolation, flush=True)
    state = State(seed, course, digests.of_a_grading(course), [isolation.removeprefix("Isolation: ")])
    context = Class({source.student: source}, []).context(settings, state, [source.student])
    for record in map(weigher(settings), _records(source, settings, state, chosen.level.name)):
        write_atomically(arguments.root / "results" / "results.json", text_of(record, context))
    print(f"The seed was {record['seed']}: python -m grader check --package DIR --seed {record['seed']} asks the same.")


def _source(root):
    """The hand-in, with what Gradescope says about it."""
    try:
        people, when = _told(root / "submission_metadata.json")
    except (OSError, ValueError, KeyError, TypeError):  # no reason not to grade
        people, when = "", None
    label = Label(GRADESCOPE, people or "submission", submitted=when)
    return Source(FolderTree(root), "folder", {"submission": ""}, label, identity(label.name))


def _told(path):
    """(names, time) as of https://gradescope-autograders.readthedocs.io/en/latest/submission_metadata/"""
    told = json.loads(path.read_text(encoding="utf-8"))
    return ", ".join(user["name"] for user in told["users"]), datetime.fromisoformat(told["created_at"])


def _records(source, settings, state, level):
    """The record; then the same with errors carried on, and with the lines of slips, where there may be any."""
    every, released = ({ex.file for ex in some} for some in (all_exercises(), settings.released()))
    hand_in = source.read(every, settings.version, released)
    new = head(source, hand_in, state)
    if hand_in.malformed:
        yield malformed(new, hand_in.malformed)
        return
    job = new_job(source.student, hand_in, state, tuple(ex.id for ex in settings.exercises()), level)
    yield (record := graded(new, job, grade(job)))
    if shown := to_carry(record):
        yield (record := carried_on(record, grade(replace(job, ids=tuple(shown), carried=shown))))
    if wrong := to_search(record):
        yield searched(record, grade(replace(job, ids=tuple(wrong), wrong=wrong)))


if __name__ == "__main__":
    sys.exit(main())
