"""One hand-in: finds the package in it, takes the files that count, and notes what was unusual."""

import hashlib
import io
import re
from contextlib import closing
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import PurePosixPath

from ...course.paths import COURSE_FILE
from ...course.phrases import listed
from . import manifest
from .limits import MAX_FILE, MAX_HELD, NEVER, WHY, Malformed, Unread
from .platforms import is_archive, other_archive
from .safe_names import shown
from .zips import ZipTree, open_zip

NOTEBOOKS = "answers belong not in notebooks but in the files of the folder babygrad, such as value.py"
AGAIN = "Hand it in again: `make submit` writes a .zip with all that is needed."
IS_READ = "a folder, a .zip or Python files"
NAMES_IN_A_NOTE = 4
ALTERED = r"{}([\W_\d].*\.py(\.txt)?|\.py\.txt)"  # what systems and people append to a file's name


@dataclass
class HandIn:
    """files: {"ops/shape.py": bytes}.  notes: sentences.  malformed: a sentence, or "" if it can be graded.

    renamed: {a file that is missing: [files that seem to be it, under other names]}.
    made_with, claimed: the version of the course, and the exercises that pass, as its manifest says (manifest.py).
    """

    files: dict = field(default_factory=dict)
    notes: list = field(default_factory=list)
    malformed: str = ""
    renamed: dict = field(default_factory=dict)
    made_with: dict = field(default_factory=dict)
    claimed: list = field(default_factory=list)

    @property
    def digest(self):
        """sha256 over the names and contents of the files, in hex."""
        total = hashlib.sha256()
        for name, content in sorted(self.files.items()):
            total.update(f"{name}\0{len(content)}\0".encode() + content)
        return total.hexdigest()


def malformed(name, why, notes=()):
    """The HandIn of something that cannot be read.  why: goes on after its name."""
    return HandIn(notes=[*notes], malformed=f"{shown(name)} {why}. {AGAIN}")


def take(tree, name, wanted, version="", needed=None, archives=False):
    """The HandIn that a tree of files holds.

    name: what it is called in notes.  version: the course's, "" if it does not matter.
    needed: the files whose absence is noted (default: wanted).
    archives: whether an archive in it is opened if there is nothing else. (A platform puts what a student uploads
    into a folder; an archive in an archive is none of its doing.)  Raises Malformed.
    """
    entries = tree.entries()
    # What counts: not what is never read, nor a folder that never holds a learner's work.
    ours = [entry for entry in entries if not elsewhere(entry.path)]
    odd = list(_odd_notes([entry for entry in ours if entry.odd], wanted))
    ours = [entry for entry in ours if not entry.odd]
    package = find_package(ours, wanted)
    packed = [entry for entry in ours if len(entry.path) <= 2 and is_archive(entry.path[-1])]
    if not package and archives and packed:
        return _take_packed(tree, packed, wanted, version, needed)
    if not package:
        raise Malformed(_nothing(entries, ours, odd, packed, wanted))
    files, notes, unread = _contents(tree, package)
    missing = [name for name in sorted(wanted if needed is None else needed) if name not in files]
    renamed = _renamed(ours, missing)
    said = manifest.read(tree, entries, package.root)
    made_with = manifest.made_with(said or manifest.read(tree, entries, package.root, COURSE_FILE.name))
    absent = [name for name in missing if name not in renamed]
    notes = [*package.notes, *odd, *notes, *unread, *manifest.notes(said, files, version)]
    if not files:
        return malformed(name, f"holds none of the course's files that can be read: {_in_one(unread)}", notes)
    notes += [f"It does not hold {_some(absent)}."] if absent else []
    return HandIn(files, notes, "", renamed, made_with, manifest.claimed(said))


def _take_packed(tree, packed, wanted, version, needed):
    """What the newest archive in a folder holds."""
    name, archive = newest_archive(tree, packed)
    with closing(archive):
        result = take(archive, name, wanted, version, needed)
    if len(packed) > 1:
        result.notes.insert(0, f"It holds {len(packed)} archives; the newest, {shown(name)}, was taken.")
    return result


def newest_archive(tree, packed):
    """(name, ZipTree) of the newest of some entries that are archives.  Raises Malformed."""
    newest = max(packed, key=lambda entry: (entry.when is not None, entry.when, entry.path))
    inner = shown(newest.path[-1])
    [(_, content)] = tree.read([newest], MAX_HELD)
    if isinstance(content, Unread):
        large = f"is larger than {MAX_HELD >> 20} MB"
        raise Malformed(f"holds {inner}, which {large if content.why == 'large' else WHY[content.why][0]}")
    try:
        return newest.path[-1], ZipTree(open_zip(io.BytesIO(content)))
    except Malformed as error:
        raise Malformed(f"holds {inner}, which {error}") from None


def _nothing(entries, ours, odd, packed, wanted):
    """Why there is no package in it."""
    if packed:
        return f"holds another archive, {shown(packed[0].path[-1])}, instead of the course's files"
    if not entries:
        return "is empty"
    if renamed := _renamed(ours, sorted(wanted)):
        instead = (f"{_some(others)} in place of {name}" for name, others in renamed.items())
        return f"holds none of the course's files under its own name, but {_some(instead)}. Give each its own name"
    if notebooks := [entry for entry in ours if entry.path[-1].endswith(".ipynb")]:
        return f"holds {_some(map(_path, notebooks))}: {NOTEBOOKS}"
    if odd:
        return f"holds none of the course's files that can be read: {_in_one(odd)}"
    if others := [entry for entry in ours if other_archive(entry.path[-1])]:
        ending = other_archive(others[0].path[-1])
        return f"holds {_path(others[0])}, a {ending} archive, and what is read is {IS_READ}"
    if len(ours) < len(entries):
        return "holds none of the course's files (what is in solutions/ and in hidden folders does not count)"
    return "holds none of the course's files"


# --- where the package lies ----------------------------------------------------------------------------------


@dataclass
class Package:
    """A folder with files of the course.  root: the names above them.  found: {name in the package: its Entry}."""

    root: tuple
    found: dict
    notes: list

    @property
    def rank(self):
        """The most files first; then the shallowest; then the folder that has the package's own name."""
        return (-len(self.found), len(self.root), self.root[-1:] != ("babygrad",), self.root)


def find_package(entries, wanted):
    """The Package among the entries; None if they hold no file of that name."""
    packages = sorted(_packages(entries, wanted), key=lambda package: package.rank)
    if not packages:
        return None
    best, *others = packages
    paths = {entry.path for entry in best.found.values()}
    more = [
        _folder(package.root)
        for package in others
        if 2 * len(package.found) >= len(best.found) and not paths.issuperset(e.path for e in package.found.values())
    ]
    if more:
        here = f"in {_folder(best.root)}, which was taken, and in {_some(more)}"
        best.notes.insert(0, f"The course's files are in it more than once: {here}.")
    best.notes += _other_case(entries, best)
    return best


def _packages(entries, wanted):
    """A Package for each folder with files of the course.

    The last of several entries of one name counts, as it does when an archive is unpacked. Files that somebody took out
    of ops/ count where there is none in ops/.
    """
    last = {}
    for name in wanted:
        last.setdefault(name.rpartition("/")[2], []).append(name.split("/"))
    at_home, astray = {}, {}
    for entry in entries:
        for parts in last.get(entry.path[-1], ()):
            if list(entry.path[-len(parts) :]) == parts:
                at_home.setdefault(entry.path[: -len(parts)], {}).setdefault("/".join(parts), []).append(entry)
            if len(parts) > 1:
                astray.setdefault(entry.path[:-1], {}).setdefault("/".join(parts), []).append(entry)
    for root in at_home.keys() | astray.keys():
        found = astray.get(root, {}) | at_home.get(root, {})
        twice = [name for name, several in found.items() if len(several) > 1]
        notes = [f"It holds {_some(twice)} more than once; the last one was taken."] if twice else []
        yield Package(root, {name: several[-1] for name, several in found.items()}, notes)


def _other_case(entries, package):
    """Sentences about files beside the package's own whose names differ from theirs in capitals only."""
    right = {name.lower(): name for name in package.found}
    depth = len(package.root)
    inside = {"/".join(e.path[depth:]): e for e in entries if e.path[:depth] == package.root}
    odd = [name for name in inside if name not in package.found and name.lower() in right]
    for name in odd[:NAMES_IN_A_NOTE]:
        yield f"{_path(inside[name])} was not taken: the file must be called {right[name.lower()]}, in small letters."


def elsewhere(path):
    """Is it in a folder that never holds a learner's work?"""
    return not NEVER.isdisjoint(path[:-1]) or ("solutions", "babygrad") in pairwise(path)


# --- the files, and what is said of them ---------------------------------------------------------------------


def _contents(tree, package):
    """({name: bytes} of the package, notes about them, a sentence for each file that could not be read)."""
    files, notes, unread = {}, [], []
    names = {id(entry): name for name, entry in package.found.items()}
    for entry, content in tree.read(list(package.found.values()), MAX_FILE):
        name = names[id(entry)]
        if isinstance(content, Unread):
            unread.append(f"{name} {WHY[content.why][0]}.")
            continue
        files[name] = content
        try:
            content.decode("utf-8")
        except UnicodeDecodeError:
            notes.append(f"{name} is not UTF-8 text: Python may refuse it. Save it as UTF-8 in your editor.")
    return dict(sorted(files.items())), notes, unread


def _odd_notes(odd, wanted):
    """One sentence for each reason why something is never read; a learner's file is the example if there is one."""
    reasons, last = {}, {name.rpartition("/")[2] for name in wanted}
    for entry in odd:
        reasons.setdefault(entry.odd, []).append(entry)
    for why, entries in reasons.items():
        example = _path(min(entries, key=lambda entry: entry.path[-1:] == () or entry.path[-1] not in last))
        one, many = WHY[why]
        yield f"{example} {one}." if len(entries) == 1 else f"{len(entries):,} entries, such as {example}, {many}."


def _renamed(ours, missing):
    """{a missing file: [paths of files such as Value.py, value_final.py or value (1).py]}."""
    found = {name: sorted(_path(entry) for entry in ours if _is_altered(entry.path[-1], name)) for name in missing}
    return {name: paths for name, paths in found.items() if paths}


def _is_altered(name, right):
    """Is it the name of a file as a system or a person may have changed it?"""
    own = PurePosixPath(right)
    return name != own.name and (name.lower() == own.name or re.fullmatch(ALTERED.format(own.stem), name, re.I))


def _in_one(sentences):
    """Some sentences as a part of one, without its end."""
    more = len(sentences) - NAMES_IN_A_NOTE
    some = [sentence.removesuffix(".") for sentence in sentences[:NAMES_IN_A_NOTE]]
    return "; ".join([*some, f"and {more} more"] if more > 0 else some)


def _some(names):
    return listed(names, NAMES_IN_A_NOTE)


def _folder(root):
    return shown("/".join(root) + "/") if root else "the top folder"


def _path(entry):
    return shown("/".join(entry.path)) or "a name without letters"
