"""One hand-in: finds the package in it, takes the files that count, and notes what was unusual."""

import hashlib
import io
import re
from contextlib import closing
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import PurePosixPath

from ...course.paths import COURSE_FILE
from . import manifest
from .archives import open_archive
from .limits import MAX_FILE, MAX_HELD, NEVER, WHY, Malformed, Unread
from .names import is_archive, shown

NOTEBOOKS = "answers are not in notebooks, but in the files of the folder babygrad, such as value.py"
AGAIN = "Hand it in again: `make submit` writes a .zip with all that is needed."
NAMES_IN_A_NOTE = 4
ALTERED = r"{}([\W_\d].*\.py(\.txt)?|\.py\.txt)"  # what systems and people append to a file's name


@dataclass
class HandIn:
    """files: {"ops/shape.py": bytes}.  notes: sentences.  malformed: a sentence, or "" if it can be graded.

    renamed: {a file that is missing: [files that seem to be it, under other names]}.
    made_with: the version of the course, as its manifest says (manifest.py).
    """

    files: dict = field(default_factory=dict)
    notes: list = field(default_factory=list)
    malformed: str = ""
    renamed: dict = field(default_factory=dict)
    made_with: dict = field(default_factory=dict)

    @property
    def digest(self):
        """sha256 over the names and contents of the files, in hex."""
        total = hashlib.sha256()
        for name, content in sorted(self.files.items()):
            total.update(f"{name}\0{len(content)}\0".encode() + content)
        return total.hexdigest()


def malformed(name, why):
    """The HandIn of something that cannot be read.  why: goes on after its name."""
    return HandIn(malformed=f"{shown(name)} {why}. {AGAIN}")


def take(tree, name, wanted, version="", needed=None, archives=False):
    """The HandIn that a tree of files holds.

    name: what it is called in notes.  version: the course's, "" if it does not matter.
    needed: the files whose absence is noted (default: wanted).
    archives: whether an archive in it is opened if there is nothing else. (A platform puts what a student uploads
    into a folder; an archive in an archive is none of its doing.)  Raises Malformed.
    """
    entries = tree.entries()
    package = find_package(entries, wanted)
    packed = [entry for entry in entries if len(entry.path) <= 2 and is_archive(entry.path[-1]) and not entry.odd]
    if not package and archives and packed:
        return _take_packed(tree, packed, wanted, version, needed)
    if not package:
        raise Malformed(_nothing(entries, packed, wanted))
    result = HandIn(notes=list(_odd_notes(entries, wanted)))
    unread = _fill(result, tree, package)
    result.files = dict(sorted(result.files.items()))
    missing = [name for name in sorted(wanted if needed is None else needed) if name not in result.files]
    result.renamed = _renamed(entries, missing)
    said = manifest.read(tree, entries, package.root)
    result.made_with = manifest.made_with(said or manifest.read(tree, entries, package.root, COURSE_FILE.name))
    result.notes = [*package.notes(result.renamed), *result.notes, *manifest.notes(said, result.files, version)]
    if not result.files:
        why = f"holds none of the course's files that can be read: {_in_one(unread)}"
        return HandIn(notes=result.notes, malformed=malformed(name, why).malformed)
    absent = [name for name in missing if name not in result.renamed]
    result.notes += [f"It does not hold {_listed(absent)}."] * bool(absent)
    return result


def _take_packed(tree, packed, wanted, version, needed):
    """What the newest archive in a folder holds."""
    newest = max(packed, key=lambda entry: (entry.when is not None, entry.when, entry.path))
    inner = shown(newest.path[-1])
    [(_, content)] = tree.read([newest], MAX_HELD)
    if isinstance(content, Unread):
        large = f"is larger than {MAX_HELD >> 20} MB"
        raise Malformed(f"holds {inner}, which {large if content.why == 'large' else WHY[content.why][0]}")
    with closing(_opened(content, inner)) as archive:
        result = take(archive, newest.path[-1], wanted, version, needed)
    if len(packed) > 1:
        result.notes.insert(0, f"It holds {len(packed)} archives; the newest, {inner}, was taken.")
    return result


def _opened(content, name):
    try:
        return open_archive(io.BytesIO(content))
    except Malformed as error:
        raise Malformed(f"holds {name}, which {error}") from None


def _nothing(entries, packed, wanted):
    if packed:
        return f"holds another archive, {shown(packed[0].path[-1])}, instead of the course's files"
    if not entries:
        return "is empty"
    if renamed := _renamed(entries, sorted(wanted)):
        instead = (f"{_listed(others)} in place of {name}" for name, others in renamed.items())
        return f"holds none of the course's files under its own name, but {_listed(instead)}. Give each its own name"
    if notebooks := [entry for entry in entries if entry.path[-1:] and entry.path[-1].endswith(".ipynb")]:
        return f"holds {_listed(map(_path, notebooks))}: {NOTEBOOKS}"
    if odd := list(_odd_notes(entries, wanted)):
        return f"holds none of the course's files that can be read: {_in_one(odd)}"
    if any(_elsewhere(entry.path) for entry in entries):
        return "holds none of the course's files (what lies in solutions/ and in hidden folders does not count)"
    return "holds none of the course's files"


# --- where the package lies ----------------------------------------------------------------------------------


class Package:
    """A folder with files of the course.

    root: the names above them.  found: {name in the package: its Entry}.  twice, odd_case, others: for the notes.
    """

    def __init__(self, root):
        self.root, self.found, self.flat = root, {}, {}
        self.twice, self.odd_case, self.others = [], [], []

    def add(self, name, entry, flat=False):
        """The last of several entries of one name counts, as it does when an archive is unpacked."""
        found = self.flat if flat else self.found
        if name in found:
            self.twice.append(name)
        found[name] = entry

    def settle(self):
        """Files that somebody took out of ops/ count where there is none in ops/."""
        self.found = self.flat | self.found
        return self

    def rank(self):
        """The most files first; then the shallowest; then the folder that has the package's own name."""
        return (-len(self.found), len(self.root), self.root[-1:] != ("babygrad",), self.root)

    def notes(self, renamed):
        """Sentences.  renamed: what is said elsewhere."""
        if self.others:
            here, others = _folder(self.root), _listed(_folder(other.root) for other in self.others)
            yield f"The course's files are in it more than once: in {here}, which was taken, and in {others}."
        if self.twice:
            yield f"It holds {_listed(dict.fromkeys(self.twice))} more than once; the last one was taken."
        for entry, name in [odd for odd in self.odd_case if odd[1] not in renamed][:NAMES_IN_A_NOTE]:
            yield f"{_path(entry)} was not taken: the file's name is {name}, in small letters."


def find_package(entries, wanted):
    """The Package among the entries; None if they hold no file of that name."""
    packages = _packages([entry for entry in entries if not entry.odd and not _elsewhere(entry.path)], wanted)
    if not packages:
        return None
    best, *others = sorted(packages, key=Package.rank)
    taken = {entry.path for entry in best.found.values()}
    best.others = [
        p for p in others if 2 * len(p.found) >= len(best.found) and any(e.path not in taken for e in p.found.values())
    ]
    best.odd_case = _odd_case(entries, best, wanted)
    return best


def _packages(entries, wanted):
    packages = {}
    flat = {name.rpartition("/")[2]: name for name in wanted if "/" in name}
    deepest = max((name.count("/") for name in wanted), default=0) + 1
    for entry in entries:
        for depth in range(1, min(deepest, len(entry.path)) + 1):
            root, name = entry.path[:-depth], "/".join(entry.path[-depth:])
            if name in wanted:
                packages.setdefault(root, Package(root)).add(name, entry)
            elif name in flat:
                packages.setdefault(root, Package(root)).add(flat[name], entry, flat=True)
    return [package.settle() for package in packages.values()]


def _odd_case(entries, package, wanted):
    """(entry, right name) of files whose name differs in capitals only."""
    right = {name.lower(): name for name in wanted}
    for entry in entries:
        if entry.path[: len(package.root)] == package.root:
            name = "/".join(entry.path[len(package.root) :])
            if name not in wanted and name.lower() in right:
                package.odd_case.append((entry, right[name.lower()]))
    return package.odd_case


def _elsewhere(path):
    """Is it in a folder that never holds a learner's work?"""
    return not NEVER.isdisjoint(path[:-1]) or ("solutions", "babygrad") in pairwise(path)


# --- the files, and what is said of them ---------------------------------------------------------------------


def _fill(result, tree, package):
    """Put the files into result.  Returns a sentence for each that could not be read."""
    unread = []
    names = {id(entry): name for name, entry in package.found.items()}
    for entry, content in tree.read(list(package.found.values()), MAX_FILE):
        name = names[id(entry)]
        if isinstance(content, Unread):
            unread.append(f"{name} {WHY[content.why][0]}.")
        else:
            result.files[name] = content
            result.notes += _encoding_note(name, content)
    result.notes += unread
    return unread


def _in_one(sentences):
    """Some sentences as a part of one, without its end."""
    more = len(sentences) - NAMES_IN_A_NOTE
    shown = [sentence.removesuffix(".") for sentence in sentences[:NAMES_IN_A_NOTE]]
    return "; ".join([*shown, f"and {more} more"] if more > 0 else shown)


def _encoding_note(name, content):
    try:
        content.decode("utf-8")
        return []
    except UnicodeDecodeError:
        return [f"{name} is not UTF-8 text: Python may refuse it. Save it as UTF-8 in your editor."]


def _odd_notes(entries, wanted):
    """One sentence for each reason why something is never read; a learner's file is the example if there is one."""
    reasons = {}
    last = {name.rpartition("/")[2] for name in wanted}
    for entry in entries:
        if entry.odd and not _elsewhere(entry.path):
            reasons.setdefault(entry.odd, []).append(entry)
    for why, odd in reasons.items():
        example = _path(min(odd, key=lambda entry: entry.path[-1:] == () or entry.path[-1] not in last))
        yield (
            f"{example} {WHY[why][0]}." if len(odd) == 1 else f"{len(odd):,} entries, such as {example}, {WHY[why][1]}."
        )


def _renamed(entries, missing):
    """{a missing file: [paths of files such as Value.py, value_final.py or value (1).py]}."""
    ours = [entry for entry in entries if entry.path and not entry.odd and not _elsewhere(entry.path)]
    found = {name: sorted(_path(entry) for entry in ours if _is_altered(entry.path[-1], name)) for name in missing}
    return {name: paths for name, paths in found.items() if paths}


def _is_altered(name, right):
    """Is it the name of a file as a system or a person may have changed it?"""
    own = PurePosixPath(right)
    return name != own.name and (name.lower() == own.name or re.fullmatch(ALTERED.format(own.stem), name, re.I))


def _listed(names):
    """ "a, b and 3 more"."""
    names = list(names)
    more = len(names) - NAMES_IN_A_NOTE
    return ", ".join(names[:NAMES_IN_A_NOTE]) + (f" and {more} more" if more > 0 else "")


def _folder(root):
    return shown("/".join(root) + "/") if root else "the top folder"


def _path(entry):
    return shown("/".join(entry.path)) or "a name without letters"
