"""The files of the learner's package as the course hands them out: stubs, and the answers that a teacher gave."""

import json

from ..course.paths import EXPECTED, ROOT, package_folder
from ..course.stubs import generated

_FILE = (EXPECTED / "stubs.json").relative_to(ROOT)


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
