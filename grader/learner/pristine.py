"""What a course hands out: the learner's package with stubs and given answers, and all its other files."""

import ast
import hashlib
import json

from ..course.paths import COURSE_FOLDERS, EXPECTED, ROOT, package_folder
from ..course.stubs import generated

_FILE = (EXPECTED / "stubs.json").relative_to(ROOT)
LIST = (EXPECTED / "files.json").relative_to(ROOT).as_posix()  # of all files of a student edition
LEFT_BEHIND = {"__pycache__", ".ipynb_checkpoints"}


def texts(root=ROOT):
    """{path inside the package: text} for the course in root.

    The full course makes them from solutions/, the student edition keeps them in a file. For a course that has
    neither, its package as it is.
    """
    reference, kept = root / "solutions", root / _FILE
    if package_folder(reference).is_dir():
        return generated(reference)
    if kept.is_file():
        return json.loads(kept.read_text(encoding="utf-8"))
    folder = package_folder(root)
    return {p.relative_to(folder).as_posix(): p.read_text(encoding="utf-8") for p in folder.rglob("*.py")}


def keep(files, root):
    """Write the file that a student edition in root keeps them in."""
    path = root / _FILE
    path.write_text(json.dumps(files, ensure_ascii=False, indent=0) + "\n", encoding="utf-8")


def others(root):
    """{path: its digest, "" if nobody noted it} of all files of the course in root but those of the package.

    A student edition has a list of them. The full one is its maintainers': whatever lies in COURSE_FOLDERS is its own,
    and of the notebooks those that it has a source of.
    """
    if (root / LIST).is_file():
        return json.loads((root / LIST).read_text(encoding="utf-8")) | {LIST: digest((root / LIST).read_bytes())}
    sources = (root / "solutions" / "notebooks").glob("*.py")
    return dict.fromkeys([*within(root, COURSE_FOLDERS), *(f"notebooks/{path.stem}.ipynb" for path in sources)], "")


def course_folders(root):
    """COURSE_FOLDERS of the course in root, which may be newer than this code: read there, and nothing is imported."""
    paths = ast.parse((root / "grader" / "course" / "paths.py").read_text(encoding="utf-8"))
    for line in paths.body:
        if isinstance(line, ast.Assign) and ast.unparse(line.targets[0]) == "COURSE_FOLDERS":
            return ast.literal_eval(line.value)
    return COURSE_FOLDERS


def within(root, folders):
    """Paths, relative to root, of the files in these folders of it; nothing that programs leave behind."""
    found = sorted(path.relative_to(root) for name in folders for path in (root / name).rglob("*") if path.is_file())
    return [path.as_posix() for path in found if not LEFT_BEHIND & set(path.parts)]


def keep_others(root):
    """Write the list that a student edition in root has of its files."""
    package = package_folder(root)
    paths = [path for path in sorted(root.rglob("*")) if path.is_file() and not path.is_relative_to(package)]
    noted = {path.relative_to(root).as_posix(): digest(path.read_bytes()) for path in paths}
    (root / LIST).write_text(json.dumps(noted, indent=0) + "\n", encoding="utf-8")


def digest(data):
    """By which a file that was handed out is known to be as it was."""
    return hashlib.sha256(data).hexdigest()
