"""python -m grader update: a newer course around the learner's answers."""

import argparse
import contextlib
import json
import re
import shutil
import tempfile
import zipfile
from pathlib import Path

from ..course.atomic import write_atomically
from ..course.paths import MEMORY, ROOT, is_full_edition, package_folder
from ..course.phrases import counted, listed
from ..course.usage import UsageError
from ..quiz import log
from . import pristine, sharing
from .backups import Backup
from .merging import merged
from .moves import Course
from .rewriting import learners_text
from .submit import FOLDER

# What is brought in, beside the package and COURSE_FOLDERS: a newer course may have more than it was released with.
BROUGHT = ("notebooks", ".github", ".devcontainer", ".binder")
BESIDE_THEM = ("course.json", "*.md", "*.txt", "*.toml", "Makefile", "LICENSE*", "conftest.py", ".gitignore")
QUIZ = f"{MEMORY.name}/{log.FILE}"
_IMPORTED = re.compile(r"\b(?:from|import) babygrad\.(\w+)")
RELOAD = "Restart the kernel (menu Kernel), and open this notebook again (menu File, Reload Notebook from Disk)."
_EDITIONS = {True: "full", False: "student"}


def add_arguments(parser):
    parser.add_argument("source", nargs="?", type=Path, help="a folder or a zip (default: the course in the exchange)")
    parser.add_argument("--mimebundle", action="store_true", help=argparse.SUPPRESS)  # for the notebooks


def run(arguments):
    lines, pages = (update(arguments.source), []) if arguments.source else fetch()
    if arguments.mimebundle:
        from ..notebook.report_html import told_bundle

        print(json.dumps(told_bundle(lines, pages)))
    else:
        print(*lines, *pages, sep="\n")
    return 0


def fetch(root=ROOT):
    """Bring the course in the exchange, if it is another, and feedback.  Returns (lines, paths of pages)."""
    packed = sharing.newest(root)
    lines = [*update(packed, root), RELOAD] if packed else ["This is the newest course."]
    pages = list(sharing.bring_pages(FOLDER))
    return [*lines, f"Feedback: {counted(len(pages), 'new page') if pages else 'nothing new'}."], pages


def update(source, root=ROOT):
    """Bring the course in source (a folder or a zip), or the try page's zip, into root.  Returns lines that say it.

    The learner's answers stay: a file whose given code did not change is left alone; in another one
    the answers are carried into the new file. What the newer course does not have any more is removed; what the older
    one did not hand out is not touched. A file is backed up first, unless it is known to be as it was handed out.
    """
    with _opened(source) as folder:
        if _is_of_the_page(folder):
            return _bring_back(folder, root)
        if folder.resolve() == root.resolve():
            raise UsageError("That is this course itself. Name the folder or the zip of a newer one.")
        _demand_same_edition(folder, root, source)
        old, new = pristine.texts(root), pristine.texts(folder)
        texts, lines = _merged(root, old, new, (Course.of(root), Course.of(folder)))
        place = _Place(root, old)
        for name, text in texts.items():
            if text is None:
                place.remove(f"babygrad/{name}")
            else:
                place.put(f"babygrad/{name}", text.encode(), durable=True)
        brought = _to_bring(folder)
        lines += [f"{path} is new." for path in sorted(brought) if _is_new_notebook(path, root)]
        for path in brought - {pristine.LIST}:
            place.put(path, (folder / path).read_bytes())
        lines += place.remove_others(brought)
        for path in brought & {pristine.LIST}:  # if the machine stops before, the older list says what is to be removed
            place.put(path, (folder / path).read_bytes())
        lines += _imports_of_what_left(root, brought)
    changed = f": {counted(place.written, 'file')} new or changed" if place.written else ""
    return [*lines, f"The course is up to date{changed}.", *filter(None, [place.backup.sentence()])]


@contextlib.contextmanager
def _opened(source):
    if source.is_dir():
        yield _course_in(source, source)
    elif zipfile.is_zipfile(source):
        with tempfile.TemporaryDirectory() as folder:
            with zipfile.ZipFile(source) as archive:
                archive.extractall(folder)  # refuses names that lead outside
            yield _course_in(Path(folder), source)
    else:
        raise UsageError(f"{source} is neither a folder nor a zip.")


def _course_in(folder, source):
    """The folder itself, or the one folder inside it, that holds a course.  source: what the learner named."""
    if _is_of_the_page(folder):
        return folder
    for candidate in (folder, *sorted(path for path in folder.iterdir() if path.is_dir())):
        if (candidate / "grader").is_dir() and package_folder(candidate).is_dir():
            return candidate
    is_hand_in = package_folder(folder).is_dir()
    way = " Unpacked over a new copy of the course, a hand-in brings the answers back." if is_hand_in else ""
    raise UsageError(f"{source} contains no course: a course has the folders grader and babygrad.{way}")


def _is_of_the_page(folder):
    """Does it hold a learner's files and quiz, and no course, as the zip of the try page does?"""
    return (folder / QUIZ).is_file() and not (folder / "grader").exists()


def _bring_back(folder, root):
    """Put a learner's files into root; the quiz has the lines of both.  Returns lines that say what happened."""
    place = _Place(root, pristine.texts(root))
    for path in pristine.within(folder, ("babygrad", "answers")):
        place.put(path, (folder / path).read_bytes(), durable=True)
    texts = [path.read_text("utf-8", "replace") for path in (root / QUIZ, folder / QUIZ) if path.is_file()]
    place.put(QUIZ, log.joined("", "\n".join(texts)).encode(), durable=True)
    changed = f"Your files are here: {counted(place.written, 'file')} new or changed."
    return [changed, "The quiz has the lines of both.", *filter(None, [place.backup.sentence()])]


def _demand_same_edition(folder, root, source):
    """Raises UsageError if one is a student edition and the other is not."""
    theirs, ours = (_EDITIONS[is_full_edition(course)] for course in (folder, root))
    if theirs != ours:
        raise UsageError(f"{source} is the {theirs} edition, and this is the {ours} edition. Nothing was changed.")


def _merged(root, old, new, courses):
    try:
        return merged(_learners_files(root, old, new), old, new, courses)
    except UsageError as error:
        raise UsageError(f"{error} Then run update again: nothing was changed.") from None


def _learners_files(root, old, new):
    """{file: text} of what the learner has of the package. What stays as it is need not be read."""
    there = [name for name in {**old, **new} if (package_folder(root) / name).is_file()]
    return {name: learners_text(name, root) if old.get(name) != new.get(name) else "" for name in there}


def _to_bring(folder):
    """Paths of the newer course's files."""
    beside = {path.name for pattern in BESIDE_THEM for path in folder.glob(pattern)}
    return {*beside, *pristine.within(folder, (*pristine.course_folders(folder), *BROUGHT))}


def _is_new_notebook(path, root):
    return path.endswith(".ipynb") and not (root / path).exists()


def _imports_of_what_left(root, brought):
    """Lines about notebooks of the learner's own that import a module which babygrad does not have any more."""
    package = package_folder(root)
    for path in sorted(set(pristine.within(root, ["notebooks"])) - brought):
        named = dict.fromkeys(_IMPORTED.findall((root / path).read_text(encoding="utf-8", errors="replace")))
        gone = [f"babygrad.{n}" for n in named if not ((package / f"{n}.py").is_file() or (package / n).is_dir())]
        if gone:
            yield f"{path} imports {listed(gone)}: not there any more. Look in toolbox/, where drawings and data are."


class _Place:
    """The course that is brought up to date. What is not as it was handed out is kept in the backup.

    written: how many files are not as they were.
    """

    def __init__(self, root, package):
        self.root, self.backup, self.written = root, Backup(), 0
        self._others = pristine.others(root)
        of_package = {f"babygrad/{name}": pristine.digest(text.encode()) for name, text in package.items()}
        self._digests = {**self._others, **of_package}

    def put(self, path, data, durable=False):
        """Write a file."""
        target = self.root / path
        if target.is_file() and (target.read_bytes() == data or self._is_the_same_notebook(path, data)):
            return
        self._is_kept(path)
        target.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(target, data, durable)
        self.written += 1

    def remove_others(self, brought):
        """Remove what was handed out and is not among these paths.  Lines that say what it was."""
        stays = {path.casefold() for path in brought}  # on many machines Notes.md and notes.md are one file
        gone = [path for path in self._others if path.casefold() not in stays and (self.root / path).is_file()]
        for path in gone:
            if self.remove(path) and (self._others[path] or path.endswith(".ipynb")):
                yield f"{path} is no longer part of the course."
        if gone:
            yield f"{counted(len(gone), 'file')} that the newer course no longer has: removed."

    def remove(self, path):
        """Remove a file, and the folders that are empty without it.  Is it in the backup?"""
        target, is_kept = self.root / path, self._is_kept(path)
        target.unlink()
        for folder in target.parents:
            if folder == self.root or {inside.name for inside in folder.iterdir()} - pristine.LEFT_BEHIND:
                break
            shutil.rmtree(folder)
        return is_kept

    def _is_the_same_notebook(self, path, data):
        """Is it a notebook that was handed out just so? Then the learner's own stays, with its outputs."""
        return path.endswith(".ipynb") and self._digests.get(path) == pristine.digest(data)

    def _is_kept(self, path):
        """Copies the file into the backup, unless it is known to be as it was handed out."""
        target = self.root / path
        if not target.is_file() or pristine.digest(target.read_bytes()) == self._digests.get(path):
            return False
        self.backup.keep(target, self.root)
        return True
