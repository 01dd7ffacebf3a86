"""python -m grader update: a newer course around the learner's answers."""

import contextlib
import tempfile
import zipfile
from pathlib import Path

from ..course import regions
from ..course.atomic import write_atomically
from ..course.catalogue import place_of
from ..course.paths import ROOT, is_full_edition, package_folder
from ..course.usage import UsageError
from . import pristine
from .backups import Backup

COURSE = ("grader", "tests", "docs", "benchmarks", "solutions", "notebooks")
COURSE_FILES = ("course.json", "*.md", "*.txt", "*.toml", "Makefile", "LICENSE*", "conftest.py", ".gitignore")
_EDITIONS = {True: "full", False: "student"}
SKIPPED = {"__pycache__", ".ipynb_checkpoints", ".git", ".venv", ".babygrad"}


def add_arguments(parser):
    parser.add_argument("source", type=Path, help="a folder or a zip")


def run(arguments):
    print(*update(arguments.source), sep="\n")
    return 0


def update(source, root=ROOT):
    """Bring the course in source (a folder or a zip) into root.  Returns lines that say what happened.

    The learner's answers stay: a file whose given code did not change is left alone; in another one
    the answers are carried into the new file. Every file written over is backed up first.
    """
    with _opened(source) as folder:
        if folder.resolve() == root.resolve():
            raise UsageError("That is this course itself. Give the folder or the zip of a newer one.")
        _demand_same_edition(folder, root)
        old, new = pristine.texts(root), pristine.texts(folder)
        backup, lines = Backup(), []
        plans = {name: _merged(root, name, old.get(name), text) for name, text in new.items()}
        for path in _course_files(folder):
            _bring(folder / path, root / path, root, backup)
        for name, (text, notes) in plans.items():
            lines += _bring_package_file(root, name, text, notes, backup)
    return [*lines, "The course is up to date.", *filter(None, [backup.sentence()])]


@contextlib.contextmanager
def _opened(source):
    if source.is_dir():
        yield _course_in(source)
    elif zipfile.is_zipfile(source):
        with tempfile.TemporaryDirectory() as folder:
            with zipfile.ZipFile(source) as archive:
                archive.extractall(folder)  # refuses names that lead outside
            yield _course_in(Path(folder))
    else:
        raise UsageError(f"{source} is neither a folder nor a zip.")


def _course_in(folder):
    """The folder itself, or the one folder inside it, that holds a course."""
    for candidate in (folder, *sorted(path for path in folder.iterdir() if path.is_dir())):
        if (candidate / "grader").is_dir() and package_folder(candidate).is_dir():
            return candidate
    raise UsageError(f"{folder} holds no course: a course has the folders grader and babygrad.")


def _demand_same_edition(folder, root):
    """Raises UsageError if one is a student edition and the other is not."""
    theirs, ours = (_EDITIONS[is_full_edition(course)] for course in (folder, root))
    if theirs != ours:
        raise UsageError(f"{folder} is the {theirs} edition, and this is the {ours} edition. Nothing was changed.")


def _course_files(folder):
    """Paths, relative to folder, of everything that is not the learner's package."""
    for pattern in COURSE_FILES:
        yield from (path.relative_to(folder) for path in sorted(folder.glob(pattern)))
    for name in COURSE:
        for path in sorted((folder / name).rglob("*")):
            if path.is_file() and not SKIPPED & set(path.parts):
                yield path.relative_to(folder)


def _bring(source, target, root, backup):
    data = source.read_bytes()
    if target.is_file() and target.read_bytes() == data:
        return
    if target.suffix == ".ipynb":  # may hold what the learner wrote into it
        backup.keep(target, root)
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_bytes(data)


def _merged(root, name, old_stub, new_stub):
    """(text, notes): the learner's new file, and what to tell about it. text None: leave the file alone."""
    path = package_folder(root) / name
    if not path.is_file():
        return new_stub, [f"babygrad/{name} is new."]
    mine = path.read_text(encoding="utf-8", errors="replace")
    if new_stub == old_stub or mine == new_stub:
        return None, []
    try:
        answers = {r.key: r for r in _answers_in(mine) if not _is_handed_out(r, old_stub, new_stub)}
    except regions.MarkerError as error:
        return None, [f"babygrad/{name} was left as it is: {error}. Mend that and run update again."]
    return _with_answers(name, mine, old_stub, new_stub, answers)


def _answers_in(text):
    return [region for region in regions.stub_regions(text) if not region.is_stub]


def _is_handed_out(region, old_stub, new_stub):
    """Is this answer the one that the course gave, and does the newer course give one too?"""
    gives_one = region.key in {r.key for r in _answers_in(new_stub)}
    return gives_one and any(r.key == region.key and r.body == region.body for r in _answers_in(old_stub or ""))


def _with_answers(name, mine, old_stub, new_stub, answers):
    places = [region for region in regions.stub_regions(new_stub) if region.key in answers]

    def lines_for(region):
        answer = answers[region.key]
        return regions.wrapped(answer, answer.body, answer.given)

    kept = f"babygrad/{name}: brought up to date, {len(places)} filled-in places kept."
    notes = [kept, *_lost(name, answers.keys() - {r.key for r in places}), *_own_lines(name, mine, old_stub)]
    return regions.replaced(new_stub, places, lines_for), notes


def _lost(name, keys):
    if keys:
        ids = ", ".join(sorted({id for id, _ in keys}, key=place_of))
        yield f"babygrad/{name} has no place any more for your answer to {ids}; it is in the backup."


def _own_lines(name, mine, old_stub):
    """A note about lines that the learner wrote outside of the exercises: they are not carried over."""
    given = set(old_stub.splitlines()) if old_stub else set()
    inside = {n for r in regions.stub_regions(mine) for n in range(r.start, r.end)}
    own = [line for n, line in enumerate(mine.splitlines()) if n not in inside and line.strip() and line not in given]
    if own:
        yield f"babygrad/{name}: {len(own)} lines of yours outside of the exercises were not carried over, such as:"
        yield f"    {own[0].strip()}"


def _bring_package_file(root, name, text, notes, backup):
    if text is not None:
        path = package_folder(root) / name
        backup.keep(path, root)
        path.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(path, text, durable=True)
    return notes
