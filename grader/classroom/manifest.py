"""manifest.json, which `make submit` puts beside the files: the learner's word. It earns nothing, it gives notes."""

import hashlib
import json

from .limits import Unread
from .names import shown

NAME = "manifest.json"
LARGEST = 256 * 1024  # bytes
COURSE = "babygrad"


def notes(tree, entries, root, files, version):
    """Sentences about what the manifest and the files do not agree on; none if there is no manifest.

    root: the names above the package: the manifest stands there or above.  version: the course's; "" if unknown.
    """
    near = [e for e in entries if e.path[-1:] == (NAME,) and not e.odd and e.path[:-1] == root[: len(e.path) - 1]]
    if not near:
        return
    [(_, content)] = tree.read([max(near, key=lambda entry: len(entry.path))], LARGEST)
    said = None if isinstance(content, Unread) else _parsed(content)
    if said is None:
        yield f"Its {NAME} cannot be read and was ignored."
        return
    yield from _other_course(said, version)
    yield from _changed(said, files)


def _parsed(content):
    try:
        said = json.loads(content)
    except (ValueError, RecursionError):
        return None
    return said if isinstance(said, dict) else None


def _other_course(said, version):
    course, made_for = said.get("course"), said.get("version")
    if isinstance(course, str) and course != COURSE:
        yield f"Its {NAME} names another course: {shown(course)}."
    if version and isinstance(made_for, str | int | float) and str(made_for) != version:
        yield f"It was made with version {shown(str(made_for))} of the course, and is graded with version {version}."


def _changed(said, files):
    hashes = said.get("files")
    hashes = hashes if isinstance(hashes, dict) else {}
    for name, content in files.items():
        noted = hashes.get(name, hashes.get(f"{COURSE}/{name}"))
        noted = noted.get("sha256") if isinstance(noted, dict) else noted
        if isinstance(noted, str) and noted.lower() != hashlib.sha256(content).hexdigest():
            yield f"{name} was changed after `make submit` packed it."
