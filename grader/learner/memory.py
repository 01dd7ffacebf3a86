"""What is remembered between runs, in .babygrad/: hints shown, the track chosen, files at the last failed check, and
what was said of a slip in them.

Never what is done: that is asked anew each time.
"""

import hashlib
import json

from ..course.paths import MEMORY
from ..course.tracks import EVERYTHING, TRACKS

_FILE = "memory.json"


def hints_shown(id):
    """How many hints of this exercise were shown."""
    return _read().get("hints", {}).get(id, 0)


def remember_hint(id, count):
    """Note that the first `count` hints of the exercise were shown."""
    memory = _read()
    memory.setdefault("hints", {})[id] = max(count, memory.get("hints", {}).get(id, 0))
    _write(memory)


def track():
    """The name of the way that was chosen last; everything if none was."""
    kept = _read().get("track")
    return kept if kept in list(TRACKS) else EVERYTHING


def remember_track(name):
    """Note which track was chosen."""
    memory = _read()
    memory["track"] = name
    _write(memory)


def remember_slip(id, files, words):
    """Note what is said of the line that the slip is in, as long as the files are as they are now."""
    memory = _read()
    kept = memory.setdefault("slips", {})
    before = kept.pop(id, None)
    if words:
        kept[id] = [digest(files), words]
    if before != kept.get(id):
        _write(memory)


def slip(id, files):
    """What was noted of these files, or ""."""
    kept = _read().get("slips", {}).get(id)
    return kept[1] if kept and kept[0] == digest(files) else ""


def digest(files):
    """What changes as soon as one of them does.  files: {name: bytes}."""
    return hashlib.sha256(repr(sorted(files.items())).encode()).hexdigest()[:16]


def unchanged_since_failure(verdict, folder, digest):
    """Did the exercise fail before with this digest of the folder? If it fails now, it is remembered."""
    memory, key = _read(), f"{folder}:{verdict.id}"
    failures = memory.setdefault("failures", {})
    before = failures.pop(key, None)
    if not verdict.done:
        failures[key] = digest
    if before != failures.get(key):
        _write(memory)
    return not verdict.done and before == digest


def failed(id, folder):
    """Did the exercise fail when the files of the folder were last checked?"""
    return f"{folder}:{id}" in _read().get("failures", {})


def _read():
    try:
        memory = json.loads((MEMORY / _FILE).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return memory if isinstance(memory, dict) else {}


def _write(memory):
    try:
        MEMORY.mkdir(exist_ok=True)
        (MEMORY / _FILE).write_text(json.dumps(memory, indent=1), encoding="utf-8")
    except OSError:
        pass  # a read-only course folder: hints and checks work all the same
