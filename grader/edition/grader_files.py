"""Which files of the grader a student edition needs: its commands, and what they and its exercises import."""

import ast
from pathlib import Path

from ..course.paths import EXERCISES, ROOT

STARTS = ("__init__.py", "__main__.py", "asking/child.py", "environment.py", "notebook/magics.py", "learner/*.py")
# Rooms that work with answers or with a whole class. What imports them does so only in the full edition.
FULL_EDITION = (
    "grader.maintainer", "grader.checking.reference", "grader.classroom", "grader.edition", "grader.sandbox",
    "grader.learner.fill",
)  # fmt: skip


def of_the_grader(exercise_files, root=ROOT):
    """Paths, relative to root, of the grader's files that are needed with these files of exercises, in order."""
    starts = {path for pattern in STARTS for path in (root / "grader").glob(pattern) if not _is_left_out(path, root)}
    found, waiting = set(), [*exercise_files, *sorted(starts)]
    waiting.append(EXERCISES / "conftest.py")
    while waiting:
        for path in _imported(waiting.pop(), root):
            if path not in found:
                found.add(path)
                waiting.append(path)
    templates = set((root / "grader" / "html" / "templates").glob("*"))
    return sorted(path.relative_to(root) for path in found | starts | templates)


def _is_left_out(path, root):
    return ".".join(path.relative_to(root).with_suffix("").parts).startswith(FULL_EDITION)


def _imported(path, root):
    """The files of the grader that a file imports, anywhere in it."""
    for name in _names(ast.parse(path.read_bytes()), path, root):
        if name.startswith("grader") and not name.startswith(FULL_EDITION):
            yield from filter(Path.is_file, _files(root.joinpath(*name.split("."))))


def _files(place):
    return place.with_suffix(".py"), *(folder / "__init__.py" for folder in (place, *place.parents[:3]))


def _names(tree, path, root):
    """What could be modules among the imported names, absolutely."""
    package = path.relative_to(root).parent.parts
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else ()
            module = ".".join([*base, *filter(None, [node.module])])
            yield module
            yield from (f"{module}.{alias.name}" for alias in node.names)
