"""Writes what a page needs: course.zip (Python, for the interpreter) and course.json (for the page itself)."""

import importlib.util
import json
import tempfile
import zipfile
from importlib import metadata
from pathlib import Path

from ..asking.draws import is_light
from ..checking.questioning import TIMEOUT
from ..course import catalogue, regions
from ..course.paths import EXERCISES, ROOT, package_folder
from ..course.phrases import counted
from ..course.rooms import ROOMS, WHOLLY
from ..edition import release
from ..maintainer import minutes

NOTEBOOKS = ("01", "02", "03", "04")
OF_THE_PACKAGE = ("__init__.py", "derivatives.py", "hunts.py", "scalar_nn.py", "value.py")
WHY = "This one needs NumPy, and NumPy is not in this page: check it in the real course. The hints are here."
OF_THE_EXERCISES = (
    *("retired.json", "too_early.json", "nb*/*.py"),
    *(f"expected/{name}" for name in ("*_answers.*", "*_inputs.json", "quiz.json")),
)
DATE = (2020, 1, 1, 0, 0, 0)  # of all files: the same course gives the same zip


def bundle(folder):
    """Write course.zip and course.json into the folder."""
    with tempfile.TemporaryDirectory() as scratch:
        edition = Path(scratch, "course")
        release.release(edition, ",".join(NOTEBOOKS))
        write(folder, edition)


def write(folder, edition):
    """The same, from a student edition of these notebooks."""
    files = {**dict(_of_the_edition(edition)), **dict(_of_the_rooms(edition)), **dict(_graphviz())}
    told = {
        "seconds": TIMEOUT,
        "ended": _ended(),
        "files": {name: (package_folder(edition) / name).read_text(encoding="utf-8") for name in _editable()},
        "notebooks": [_notebook(number, edition) for number in NOTEBOOKS],
    }
    with zipfile.ZipFile(folder / "course.zip", "w") as archive:
        for name in sorted(files):
            archive.writestr(zipfile.ZipInfo(name, DATE), files[name], zipfile.ZIP_DEFLATED, 9)
    (folder / "course.json").write_text(json.dumps(told, ensure_ascii=False) + "\n", encoding="utf-8")


def _editable():
    return sorted({ex.file for number in NOTEBOOKS for ex in catalogue.exercises_of(number)})


def _of_the_edition(edition):
    """(name in the zip, bytes) of what a check and a cell may import, and of the recorded answers."""
    exercises = EXERCISES.relative_to(ROOT).as_posix()
    patterns = (
        *("course.json", "LICENSE"),
        *(f"babygrad/{pattern}" for pattern in OF_THE_PACKAGE),
        *(f"{exercises}/{pattern}" for pattern in OF_THE_EXERCISES),
    )
    for path in {path for pattern in patterns for path in edition.glob(pattern)}:
        yield path.relative_to(edition).as_posix(), path.read_bytes()


def _of_the_rooms(edition):
    """The same of the grader and the toolbox. What no edition has is the course's own."""
    for room in ROOMS:
        top = ROOT if room.left_out == WHOLLY else edition
        for path in room.files(room.page, top):
            yield path.relative_to(top).as_posix(), path.read_bytes()


def _graphviz():
    """The package that writes DOT: Python alone, and its licence."""
    folder = Path(importlib.util.find_spec("graphviz").origin).parent
    for path in folder.rglob("*.py"):
        yield f"graphviz/{path.relative_to(folder).as_posix()}", path.read_bytes()
    licence = next(file for file in metadata.files("graphviz") if file.name == "LICENSE.txt")
    yield "graphviz/LICENSE.txt", licence.locate().read_bytes()


def _ended():
    """What is said where a cell ended its interpreter. (Of a check the session tells, as the grader does.)"""
    anew = "Python was started again: run the cells that this one needs."
    return {
        "timeout": f"This cell did not finish within {counted(int(TIMEOUT), 'second')}, and was stopped. {anew}",
        "crashed": f"This cell ended the whole Python of the page: it may recurse too deep. {anew}",
    }


def _notebook(number, edition):
    nb = catalogue.notebook(number)
    return {
        "number": number,
        "name": nb.name,
        "title": nb.title,
        "exercises": [_exercise(ex, edition) for ex in catalogue.exercises_of(number)],
    }


def _exercise(ex, edition):
    text = (package_folder(edition) / ex.file).read_text(encoding="utf-8")
    lines = text.splitlines()
    own = [region for region in regions.stub_regions(text) if region.id == ex.id]
    return {
        "id": ex.id,
        "title": ex.title,
        "points": ex.points,
        "difficulty": ex.difficulty,
        "minutes": round(minutes.for_exercise(ex.id)),
        "track": ex.track,
        "file": ex.file,
        "regions": ["\n".join(lines[region.start : region.end]) for region in own],
        "hints": ex.hints,
        "needs": list(ex.needs),
        "inpage": is_light(ex.id),
        "why": "" if is_light(ex.id) else WHY,
    }
