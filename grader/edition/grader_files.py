"""Which files of the grader a student edition has: its rooms without those that work with answers or with a class."""

import re

from ..course.paths import ROOT
from ..course.rooms import ROOMS


def of_the_grader(using, root=ROOT):
    """Paths, in order.  using: files (of exercises, of notebooks) whose engines are needed."""
    grader = root / "grader"
    left_out = {path for room in ROOMS for path in room.files(room.left_out, root)}
    left_out |= {*_not_broken(grader / "broken_engines", using)}
    files = [path for path in grader.rglob("*") if path.suffix in (".py", ".html", ".js", ".json")]
    return sorted(path for path in files if not left_out & {path, *path.parents})


def _not_broken(engines, using):
    """The modules of engines that none of these files names, nor any that they name."""
    left, waiting = {path.stem: path for path in engines.glob("[a-z]*.py")}, list(using)
    while waiting:
        text = waiting.pop().read_text(encoding="utf-8")
        names = [name for name in left if re.search(rf"(engines|from \. import).*\b{name}\b|\.{name} import", text)]
        waiting += map(left.pop, names)
    return left.values()
