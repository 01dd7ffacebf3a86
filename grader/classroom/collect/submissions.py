"""The hand-ins of a class: finds them, and tells who handed in each, when, and which one counts."""

import re
from collections import Counter
from contextlib import closing
from dataclasses import replace
from pathlib import Path

from ...course.usage import UsageError
from . import exports
from .archives import open_archive
from .hand_in import AGAIN, NOTEBOOKS, HandIn, malformed, take
from .limits import MAX_HELD, NEVER, Malformed
from .manifest import NAME as MANIFEST
from .names import Label, digest, identity, is_archive, is_other_archive, label_of, shown
from .shelves import ClassZip, Disk

LEFTOVERS = {"Thumbs.db", "desktop.ini", exports.NAME, "course.json"}  # and what starts with a dot, and tables
FROM_NAME, FROM_LIST = "the platform's file name", "the platform's own list"
FROM_ARCHIVE, FROM_FOLDER = "the newest file in the archive", "the folder's newest file"
FROM_FILE = "the archive's own date"
OF_THE_COURSE = "{name} was ignored: a folder of that name holds no student's work. If it is a hand-in, rename it."


class Sources(list):
    """What find found.  notes: sentences about what is in the class's folder and was left out."""

    notes = ()


class Source:
    """One hand-in, not read yet.

    student: whose it is.  name: what the teacher sees.  label: what its name says (a names.Label).
    late: the platform itself marked it as late.  Travels by pickle: it holds names and paths, no open file.
    """

    def __init__(self, shelf, kind, members, label, student="", broken=""):
        self.shelf, self.kind, self.members, self.label = shelf, kind, tuple(members), label
        self.student, self.broken = student, broken
        self.name = shown(self.members[0], 120) + _and_more(len(self.members) - 1)
        self._time = None

    def __repr__(self):
        return f"Source({self.student!r}, {self.name!r})"

    @property
    def late(self):
        return self.label.late

    @property
    def submitted(self):
        """When it was handed in, with a time zone; None if nothing says so."""
        return self._timed()[0]

    @property
    def time_from(self):
        """Where that is known from, in words."""
        return self._timed()[1]

    def belonging_to(self, student):
        """The same hand-in under another name of the student."""
        other = Source(self.shelf, self.kind, self.members, self.label, student, self.broken)
        other._time = self._time
        return other

    def came(self, when, time_from):
        """From now on this is when it was handed in, unless its platform's own stamp says it.  time_from: in words."""
        self._time = self._stamped() or (when, time_from)

    def read(self, wanted, version="", needed=None):
        """The HandIn: only the files whose names are in wanted ("ops/shape.py").  Never raises for what is in it.

        version: the course's version, for a note if the hand-in was made with another.
        needed: the files whose absence is noted (default: all that are wanted).
        """
        self._timed()  # what cannot even be listed is found out once: a bomb costs a second or two
        if self.broken:
            return malformed(self.name, self.broken)
        try:
            with closing(self._tree()) as tree:
                return take(tree, self.name, frozenset(wanted), version, needed, archives=self.kind == "folder")
        except Malformed as error:
            return malformed(self.name, error)
        except Exception as error:  # one hand-in must never stop the others
            return HandIn(malformed=f"{self.name} cannot be read ({type(error).__name__}). {AGAIN}")

    def _tree(self):
        if self.kind == "folder":
            return self.shelf.folder(self.members[0])
        if self.kind == "loose":
            return _Renamed(self.shelf.loose(self.members))
        return open_archive(self.shelf.open(self.members[0]))

    def _timed(self):
        if self._time is None:
            self._time = self._stamped() or self._newest() or self._own_date()
        return self._time

    def _stamped(self):
        if self.label.submitted:
            return self.label.submitted, FROM_LIST if self.label.platform == "Gradescope" else FROM_NAME

    def _newest(self):
        if self.broken:
            return None
        try:
            with closing(self._tree()) as tree:
                times = [e.when for e in tree.entries() if e.when and not e.odd and NEVER.isdisjoint(e.path[:-1])]
        except Malformed as error:
            self.broken = str(error)
            return None
        except Exception:  # read() says so
            return None
        if times:
            return max(times), FROM_ARCHIVE if self.kind == "archive" else FROM_FOLDER

    def _own_date(self):
        try:
            return self.shelf.when(self.members[0]), FROM_FILE
        except Exception:  # a hand-in without a date is graded all the same
            return None, "nothing"


class _Renamed:
    """Loose files of a flat listing under the names that the student gave them."""

    def __init__(self, tree):
        self.tree, self.read, self.close = tree, tree.read, tree.close

    def entries(self):
        return [replace(entry, path=(_own_name(entry.path[-1]),)) for entry in self.tree.entries()]


def _and_more(count):
    """What is said of several loose files after the first one's name, which the platform knows again."""
    return f" and {count} more file{'s' * (count > 1)}" if count else ""


def _own_name(name):
    """value.py, from what the platform made of it. Canvas numbers what is handed in again: value-1.py."""
    label = label_of(name)
    return re.sub(r"-\d+(?=\.\w+$)", "", label.rest) if label.platform == "Canvas" else label.rest


# --- finding -------------------------------------------------------------------------------------------------


def find(path):
    """The hand-ins in a folder, or in the zip file of a platform: Sources, ordered by name.

    Each folder, .zip and .tar.gz is one; loose files count where the platform's names say whose they are.
    Quick: what they hold is read later.  Raises UsageError if path is nothing of that kind.
    """
    shelf, only = _shelf(Path(path))
    return _Finder(shelf, only).sources()


def _shelf(path):
    """(where the hand-ins lie, the one name that counts there or None)."""
    try:
        if path.is_dir():
            return _downward(Disk(path)), None
        if path.is_file() and is_archive(path.name):
            return _opened_class(path) or (Disk(path.absolute().parent), path.name)
    except (OSError, Malformed) as error:
        raise UsageError(f"{path} cannot be read: {getattr(error, 'strerror', None) or error}.") from None
    raise UsageError(f"{path} is neither a folder of hand-ins nor a .zip file of them from a platform.")


def _opened_class(path):
    """(the shelf in a class's zip, None); None if the archive is the hand-in of one student."""
    if not path.name.lower().endswith(".zip"):
        return None
    shelf = _downward(ClassZip(path))
    things = _things(shelf)
    folders = [name for name, kind in things if kind == "folder"]
    several = len(folders) == len(things) > 1 and not {"babygrad", "ops"} & set(folders)
    if _of_a_platform(shelf) or several or any(kind == "file" and is_archive(name) for name, kind in things):
        return shelf, None
    return None


def _downward(shelf, levels=2):
    """The shelf itself; or what is in the one thing on it, if that is a platform's export and nothing else."""
    things = _things(shelf)
    if levels and len(things) == 1 and not _of_a_platform(shelf):
        try:
            inner = _inner(shelf, *things[0])
            deeper = inner and _downward(inner, levels - 1)
            return deeper if deeper and _of_a_platform(deeper, all) else shelf
        except (OSError, Malformed):
            return shelf  # a student's broken archive, or a folder that cannot be opened: read() says so
    return shelf


def _inner(shelf, name, kind):
    if kind == "folder":
        return shelf.inside(name)
    if kind == "file" and name.lower().endswith(".zip") and isinstance(shelf, Disk) and not label_of(name).platform:
        return ClassZip(shelf.top.joinpath(*shelf.below, name))
    return None


def _of_a_platform(shelf, how_many=any):
    """Whether a platform wrote the names of any, or of all, things on the shelf."""
    things, prefix = _things(shelf), _assignment(shelf)
    if (exports.NAME, "file") in shelf.names():
        return True
    return bool(things) and how_many(
        label_of(name, kind == "folder").platform or (prefix and name.startswith(prefix)) for name, kind in things
    )


def _things(shelf):
    return [(name, kind) for name, kind in shelf.names() if not _leftover(name)]


def _assignment(shelf):
    """What GitHub Classroom's folder homework-submissions puts before each user name: "homework-"; "" elsewhere."""
    return shelf.name.removesuffix("submissions") if shelf.name.endswith("-submissions") else ""


def _leftover(name):
    return name.startswith(".") or name in LEFTOVERS or name in NEVER or name.lower().endswith(".csv")


def _odd_name(name, kind):
    """Whether somebody may have called a hand-in like a folder that holds no work: "stubs", "venv"."""
    return kind == "folder" and name in NEVER and name.isalnum()


class _Finder:
    """Goes once over the names on a shelf and sorts them."""

    def __init__(self, shelf, only=None):
        self.shelf, self.found, self.notes = shelf, Sources(), []
        self.loose, self.useless = {}, []
        self.things = [t for t in shelf.names() if (t[0] == only if only else not _leftover(t[0]))]
        self.notes += [OF_THE_COURSE.format(name=name) for name, kind in shelf.names() if _odd_name(name, kind)]
        self.listed = self._export()

    def sources(self):
        """The Sources, each with its student's name."""
        for name, kind in self.things:
            self._sort_in(name, kind)
        for members in self.loose.values():
            labels = [label for _, label in members]
            self._add("loose", [name for name, _ in members], max(labels, key=lambda label: label.number))
        self._add_useless()
        _name_students(self.found)
        self.found.notes = self.notes
        return self.found

    def _sort_in(self, name, kind):
        label = self._label(name, kind)
        inner = label.rest or name
        if kind == "folder" and not label.typed:
            for one in self.listed.get(name) or [label]:
                self._add("folder", [name], one)
        elif kind == "link" and (is_archive(inner) or "." not in name):
            self._add("archive", [name], label, "is a link, and links are not followed")
        elif kind == "file" and is_archive(inner):
            self._add("archive", [name], label)
        elif kind == "file" and label.platform and inner.endswith((".py", MANIFEST)):
            self.loose.setdefault(label.person, []).append((name, label))
        elif kind in ("file", "folder") and (label.platform or is_other_archive(inner)):
            self.useless.append((name, label))
        else:
            self.notes.append(f"{shown(name)} was ignored: it is not a folder, .zip or .tar.gz.")

    def _label(self, name, kind):
        label = label_of(name, kind == "folder")
        prefix = _assignment(self.shelf)
        if prefix and kind == "folder" and name.startswith(prefix) and name != prefix:
            user = name.removeprefix(prefix)
            return Label("GitHub", user, username=user)
        return label

    def _add(self, kind, members, label, broken=""):
        self.found.append(Source(self.shelf, kind, members, label, broken=broken))

    def _add_useless(self):
        """What cannot be graded is its student's hand-in only if there is no other."""
        people = {source.label.person for source in self.found}
        for name, label in self.useless:
            if label.person not in people:
                people.add(label.person)
                self._add("archive", [name], label, _why_useless(label))

    def _export(self):
        """{folder: Labels} of Gradescope's list, if there is one."""
        if (exports.NAME, "file") not in self.shelf.names():
            return {}
        try:
            with self.shelf.open(exports.NAME) as file:
                return exports.labels(file.read(MAX_HELD))
        except Malformed:
            self.notes.append(f"{exports.NAME} cannot be read: the folders' names are taken as the students'.")
            return {}


def _why_useless(label):
    if label.typed:
        return "is text typed into the platform, not a file"
    if label.rest.endswith(".ipynb"):
        return f"is a notebook: {NOTEBOOKS}"
    return "is not a folder, .zip, .tar.gz or Python file"


def _name_students(sources):
    """A name for each person: the platform's, with its number where several people have one name."""
    people = {source.label.person: source.label for source in sources}
    names = {person: identity(label.name) for person, label in people.items()}
    times = Counter(names.values())
    for person, name in names.items():
        if times[name] > 1:
            number = people[person].id or people[person].email
            names[person] = f"{name} ({identity(number)})" if number else name
    times = Counter(names.values())  # somebody may be called "Ada (12)"
    for source in sources:
        name = names[source.label.person]
        source.student = name if times[name] == 1 else f"{name} {digest(repr(source.label.person))}"


# --- which one counts ----------------------------------------------------------------------------------------


def latest(sources):
    """({student: the Source that counts}, {student with several: a sentence without its beginning}).

    The last one counts: by the platform's stamp or its number of the upload if all have one, else by the time of the
    newest file; then by name.
    """
    groups = {}
    for source in sources:
        groups.setdefault(source.student, []).append(source)
    chosen = {student: _last(group) for student, group in groups.items()}
    return chosen, {student: _several(chosen[student], group) for student, group in groups.items() if len(group) > 1}


def _last(group):
    if len(group) == 1:
        return group[0]
    if not all(source.label.submitted for source in group) and all(source.label.number for source in group):
        return max(group, key=lambda source: (source.label.number, source.name))
    if all(source.submitted for source in group):
        return max(group, key=lambda source: (source.submitted, source.label.number, source.name))
    return max(group, key=lambda source: (source.label.number, source.name))


def _several(last, group):
    names = [source.name for source in group if source is not last]
    others, more = ", ".join(names[:3]), f" and {len(names) - 3} more" if len(names) > 3 else ""
    return f"handed in {len(group)} times: {last.name} counts, not {others}{more}."
