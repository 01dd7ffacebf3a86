"""manifest.json, which `make submit` puts beside the files: the learner's own statement. It only leads to notes."""

import hashlib
import json

from ...course.catalogue import is_an_id, place_of
from .limits import Unread
from .safe_names import shown

NAME = "manifest.json"
LARGEST = 256 * 1024  # bytes
COURSE = "babygrad"
MOST_POINTS = 100_000  # more than that is no number of points


def read(tree, entries, root, name=NAME):
    """What the manifest says, a dict; {} if there is none, None if it cannot be read.

    root: the names above the package: the manifest stands there or above.
    name: course.json says the same of version and points, where somebody handed in the whole folder.
    """
    near = [e for e in entries if e.path[-1:] == (name,) and not e.odd and e.path[:-1] == root[: len(e.path) - 1]]
    if not near:
        return {}
    [(_, content)] = tree.read([max(near, key=lambda entry: len(entry.path))], LARGEST)
    try:
        said = None if isinstance(content, Unread) else json.loads(content)
    except (ValueError, RecursionError):
        return None
    return said if isinstance(said, dict) else None


def made_with(said):
    """{"version": of the course it was made with, "possible": all points of that} as far as the manifest says it."""
    version, possible = (said or {}).get("version"), (said or {}).get("possible")
    known = isinstance(version, str | int | float) and str(version)
    number = type(possible) is int and 0 <= possible <= MOST_POINTS
    return {"version": shown(str(version)) if known else "", "possible": possible if number else None}


def claimed(said):
    """What looks like an id of an exercise and passes, as the manifest has it, in the course's order."""
    exercises = said.get("exercises") if isinstance(said, dict) else None
    rows = exercises if isinstance(exercises, dict) else {}
    passed = [id for id, row in rows.items() if isinstance(row, dict) and row.get("status") == "passed"]
    return sorted(filter(is_an_id, passed), key=place_of)


def notes(said, files, version):
    """Sentences about what the manifest and the files do not agree on.

    said: as from read.  version: the course's; "" if unknown.
    """
    if said is None:
        yield f"Its {NAME} cannot be read and was ignored."
        return
    course, made_for = said.get("course"), made_with(said)["version"]
    if isinstance(course, str) and course != COURSE:
        yield f"Its {NAME} names another course: {shown(course)}."
    if version and made_for and made_for != version:
        yield f"It was made with version {made_for} of the course, and is graded with version {version}."
    hashes = said.get("files") if isinstance(said.get("files"), dict) else {}
    for name, content in files.items():
        noted = hashes.get(name, hashes.get(f"{COURSE}/{name}"))
        noted = noted.get("sha256") if isinstance(noted, dict) else noted
        if isinstance(noted, str) and noted.lower() != hashlib.sha256(content).hexdigest():
            yield f"{name} was changed after `make submit` packed it."
