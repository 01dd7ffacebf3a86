"""python -m grader release: the student edition in a new folder.

Notebooks, stubs, grader, questions and recorded answers; no solutions.
"""

import hashlib
import json
import os
import re
import shutil
import tempfile
from dataclasses import replace
from pathlib import Path

from ..asking.draws import as_in_an_edition
from ..console import progress_line
from ..course import catalogue, regions, secret, stubs
from ..course.folders import folder_of
from ..course.paths import COURSE_FILE, EXERCISES, EXPECTED, NOTEBOOKS, ROOT, TOOLBOX, is_full_edition
from ..course.phrases import counted
from ..course.tracks import TRACKS
from ..course.usage import UsageError
from ..learner import pristine
from . import choices, grader_files, recording, sharing, texts

AS_THEY_ARE = (
    *(".gitignore", "LICENSE", "conftest.py", "requirements-core.txt"),
    *("docs/accessibility.md", "docs/glossary.md", "docs/graph.svg"),
    *(".devcontainer/devcontainer.json", ".binder/apt.txt", ".binder/postBuild", ".binder/runtime.txt"),
)
OF_EXERCISES = ("exercises", "questions", "marking")  # not: mistakes, other_answers
ON_GITHUB = Path(__file__).with_name("check.yml")
CHANGED = {
    "Makefile": texts.makefile,
    "pyproject.toml": texts.project,
    "docs/stuck.md": texts.stuck,
}


def add_arguments(parser):
    add = parser.add_argument
    add("out", type=Path, metavar="OUT", help="a new folder")
    add("--notebooks", metavar="2-4", help="which notebooks: 2-4, or 2,3,5 (default: all)")
    add("--given", metavar="0-5", help="notebooks or exercises (2.1) whose answers are filled in")
    add("--points", type=Path, metavar="FILE", help="lines such as: 2.1 3")
    add("--track", choices=TRACKS, help="points for the exercises on it alone, such as core (docs/exercises.md)")
    add("--due", nargs="+", metavar="DATE", help="2026-12-01, 2026-12-01T18:00, or 02=2026-12-01")
    add("--version", metavar="TEXT", help="default: made from what is in it")
    add("--private", action="store_true", help="draw what is asked by a secret of your own, written to OUT.secret")
    add("--exchange", type=Path, metavar="DIR", help="put it there, too: a folder where all accounts come")


def run(arguments):
    a = arguments
    chosen = a.out, a.notebooks, a.given, a.points, a.due or (), a.version, a.private, a.track, a.exchange
    print(*release(*chosen), sep="\n")
    return 0


def release(
    out, notebooks=None, given=None, points=None, due=(), version=None, private=False, track=None, exchange=None
):
    """Write the student edition into the folder out.  Returns lines that say what is in it.  Raises UsageError.

    The choices are as typed: see choices.settings. version: a text; None makes one from what is in the edition.
    private: draw by a secret, which is written beside out.  exchange: the folder of one (a Path), or None.
    """
    settings = choices.settings(notebooks, given, points, due, track)
    _demand_a_new_folder(out)
    if exchange:
        exchange = Path(os.path.abspath(exchange))  # without the .. of ../autumn: students may not pass this folder
        settings = replace(settings, exchange=str(exchange))
        sharing.make(exchange)
    out.parent.mkdir(parents=True, exist_ok=True)
    own = secret.new() if private else ""
    if own:
        secret.demand_none(secret.path_for(out))
    settings = _drawing(settings, version, own)
    with tempfile.TemporaryDirectory(prefix=".release-", dir=out.parent) as scratch:
        folder = Path(scratch, "course")
        _write_all(folder, settings)
        settings = replace(settings, version=version or _version(settings, folder))
        _write(folder, "README.md", texts.readme(settings))
        _write(folder, "AGENTS.md", texts.agents(settings))
        _write(folder, COURSE_FILE.name, json.dumps(settings.as_dict(), indent=1) + "\n")
        pristine.keep_others(folder)
        if own:
            secret.keep(own, secret.path_for(out))
        if out.exists():
            out.rmdir()
        folder.chmod(0o755)
        shutil.move(folder, out)
    return [*_summary(out, settings), *(sharing.put(out, exchange) if exchange else ())]


def _drawing(settings, version, own):
    """The settings with what the learners' draws come from: the secret, the version's name, or what was chosen."""
    if own:
        return replace(settings, draw=secret.number_from(own, "students"), private=secret.digest_of(own))
    return replace(settings, draw=secret.number_from(version or json.dumps(settings.as_dict()), "students"))


def _demand_a_new_folder(out):
    if not is_full_edition():
        raise UsageError("release needs the full edition.")
    if out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise UsageError(f"{out} already exists, and nothing in it is overwritten. Name a new folder.")


def _write_all(folder, settings):
    folder.mkdir()
    for name, text in stubs.generated(given=settings.given).items():
        _write(folder, f"babygrad/{name}", text)
    exercises = list(_exercises(settings))
    notebooks = [NOTEBOOKS / f"{catalogue.notebook(number).name}.ipynb" for number in settings.notebooks]
    ours = [
        *exercises,
        *sorted(path for kind in ("py", "json", "js") for path in TOOLBOX.rglob(f"*.{kind}")),
        *grader_files.of_the_grader([*exercises, *notebooks]),
    ]
    for path in [*(path.relative_to(ROOT) for path in ours), *map(Path, AS_THEY_ARE)]:
        _write(folder, path, (ROOT / path).read_text(encoding="utf-8"))
    for name, changed in CHANGED.items():
        _write(folder, name, changed((ROOT / name).read_text(encoding="utf-8")))
    using = (ROOT / "docs/using.md").read_text(encoding="utf-8")
    _write(folder, "docs/using.md", texts.using(using, settings))
    _write(folder, f".github/workflows/{ON_GITHUB.name}", ON_GITHUB.read_text(encoding="utf-8"))
    for path in notebooks:
        _write(folder, f"notebooks/{path.name}", texts.clean_notebook(path.read_text(encoding="utf-8")))
    with as_in_an_edition(settings.draw):
        recording.record(settings.notebooks, folder / EXPECTED.relative_to(ROOT), _tell)
    pristine.keep(stubs.generated(given=settings.given), folder)


def _write(folder, name, text):
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8", newline="\n")


def _exercises(settings):
    """The files about the exercises that are in an edition."""
    yield EXERCISES / "conftest.py"
    yield from sorted(EXERCISES.glob("*.json"))
    for number in settings.notebooks:
        yield from (path for name in OF_EXERCISES if (path := folder_of(number) / f"{name}.py").is_file())


def _version(settings, folder):
    """The course's version and a few letters that are others as soon as anything in the edition is."""
    total = hashlib.sha256(json.dumps(settings.as_dict()).encode())
    for path in sorted(path for path in folder.rglob("*") if path.is_file()):
        total.update(path.relative_to(folder).as_posix().encode() + b"\0" + path.read_bytes())
    return f"{settings.version}+{total.hexdigest()[:8]}"


def _tell(number):
    progress_line.show(f"recording the answers of notebook {number}" if number else "")


def _summary(out, settings):
    size = sum(path.stat().st_size for path in out.rglob("*") if path.is_file()) / 1e6
    span = ", ".join(settings.notebooks)
    yield f"The student edition is in {out} ({size:.0f} MB), version {settings.version}."
    yield f"Notebooks {span}; {counted(len(settings.with_points()), 'exercise')}, {settings.possible} points."
    if others := settings.without_points():
        yield f"There, but without points: {texts.in_short(others)}."
    if settings.given:
        yield f"Given, without points: {texts.in_short(settings.given)}."
    for number, when in settings.due.items():
        yield f"{f'Notebook {number}' if number else 'All'} due {when.isoformat(sep=' ')}."
    if settings.private:
        yield f"Its secret is in {secret.path_for(out)}: make grade needs it, and no student may see it."
    yield from notes(settings)
    yield f"All of this is in {out / COURSE_FILE.name}, which make grade reads."


def notes(settings):
    """That no points can be earned; what is due and not released; what is built on exercises that students neither have
    nor are given."""
    if not settings.possible:
        yield "Note: there are no points to earn, since every exercise is given or worth 0."
    for number in sorted(settings.due.keys() - {"", *settings.notebooks}):
        yield f"Note: notebook {number} has a due date, but is not released."
    at_hand = {ex.id for ex in settings.released()} | set(settings.given)
    for number in settings.notebooks:
        needed = {id for ex in catalogue.exercises_of(number) for id in ex.needs} | set(_imported_by(number))
        if missing := [ex.id for ex in catalogue.all_exercises() if ex.id in needed - at_hand]:
            yield f"Note: notebook {number} builds on {texts.in_short(missing)}, neither released nor given."


def _imported_by(number):
    """Ids of the exercises of earlier notebooks that are a part of what this notebook's cells and films import."""
    text = (NOTEBOOKS / f"{catalogue.notebook(number).name}.ipynb").read_text(encoding="utf-8")
    code = "\n".join("".join(cell["source"]) for cell in json.loads(text)["cells"] if cell["cell_type"] == "code")
    files = stubs.generated()
    lists = re.findall(r"^ *from babygrad[\w.]* import (\([^)]*\)|.*)", _with_films(code), re.MULTILINE)
    names = set(re.findall(r"\w+", " ".join(lists)))
    for stub in files.values():
        for region in regions.stub_regions(stub):
            around = re.findall(r"^(?:def|class) (\w+)", "\n".join(stub.splitlines()[: region.start]), re.MULTILINE)
            if around[-1] in names and catalogue.number_of(region.id) < number:
                yield region.id


def _with_films(code):
    """The code, and that of the films that it imports."""
    films, found = {}, re.findall(r"from toolbox\.films\.(\w+) import", code)
    while found:
        name = found.pop()
        if name not in films:
            films[name] = (TOOLBOX / "films" / f"{name}.py").read_text(encoding="utf-8")
            found += re.findall(r"^from \.(\w+) import", films[name], re.MULTILINE)
    return "\n".join([code, *films.values()])
