"""The hand-ins of a class: finds them, and tells who handed in each, when, and which one counts."""

from collections import Counter
from contextlib import closing
from dataclasses import replace
from pathlib import Path

from ...course.phrases import counted, listed
from ...course.usage import UsageError
from . import platforms, predictions
from .folders import FolderTree
from .hand_in import AGAIN, IS_READ, NOTEBOOKS, HandIn, malformed, take
from .limits import MAX_HELD, NEVER, Malformed
from .manifest import NAME as MANIFEST
from .platforms import GITHUB, METADATA, Label, is_archive, label_of, other_archive, stem
from .safe_names import digest, identity, shown
from .zips import ZipTree, open_class, open_zip

LEFTOVERS = {"Thumbs.db", "desktop.ini", METADATA, "course.json"}  # and what starts with a dot, and tables
NAMED = 3  # hand-ins in a note
FROM_ARCHIVE, FROM_FOLDER = "the newest file in the archive", "the folder's newest file"
FROM_FILE = "the archive's own date"
OF_THE_COURSE = "{name} was ignored: such a folder does not hold a student's work. If it is a hand-in, rename it."


class Sources(list):
    """What find found.  notes: sentences about what is in the class's folder and was left out."""

    notes = ()


class Source:
    """One hand-in, not read yet.

    place: the tree it lies in.  members: {name there: the student's own name for the file}; of loose files several.
    label: what is known from its name.  student: who handed it in.  name: what the teacher sees.
    """

    def __init__(self, place, kind, members, label, student="", broken=""):
        self.place, self.kind, self.members, self.label = place, kind, members, label
        self.student, self.broken = student, broken
        self.first, *others = members
        self.name = shown(self.first, 120) + (f" and {counted(len(others), 'more file')}" if others else "")
        self._time = None

    def __repr__(self):
        return f"Source({self.student!r}, {self.name!r})"

    @property
    def submitted(self):
        """When it was handed in, with a time zone; None if nothing says so."""
        return self._timed()[0]

    @property
    def time_from(self):
        """Where that is known from, in words."""
        return self._timed()[1]

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

    def predictions(self):
        """{"03.md": text} of the predictions and notes in it, as predictions.py reads them.  Never raises for it."""
        self._timed()
        if self.broken:
            return {}
        try:
            with closing(self._tree()) as tree:
                return predictions.read(tree, archives=self.kind == "folder")
        except Exception:  # read() says what is wrong with it
            return {}

    def _tree(self):
        if self.kind == "folder":
            return self.place.inside(self.first)
        if self.kind == "loose":
            return _Renamed(self.place.files([*self.members]), self.members)
        return ZipTree(open_zip(self.place.open(self.first)))

    def _timed(self):
        if self._time is None:
            self._time = self._stamped() or self._newest() or self._own_date()
        return self._time

    def _stamped(self):
        return (self.label.submitted, self.label.time_from) if self.label.submitted else None

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
        return (max(times), FROM_ARCHIVE if self.kind == "archive" else FROM_FOLDER) if times else None

    def _own_date(self):
        try:
            return self.place.files([self.first]).entries()[0].when, FROM_FILE
        except Exception:  # a hand-in without a date is graded all the same
            return None, "nothing"


class _Renamed:
    """Loose files of a flat listing under the names that the student gave them."""

    def __init__(self, tree, names):
        self.tree, self.names, self.read, self.close = tree, names, tree.read, tree.close

    def entries(self):
        return [replace(entry, path=(self.names[entry.path[-1]],)) for entry in self.tree.entries()]


# --- finding -------------------------------------------------------------------------------------------------


def find(path, pattern=None):
    """The hand-ins in a folder, or in the zip file of a platform: Sources, ordered by name.

    Each folder and .zip is one; loose files count where their names say whose they are.
    pattern: a platforms.Pattern for names that no platform writes.
    Quick: what they hold is read later.  Raises UsageError if path is nothing of that kind.
    """
    listing = _listing(Path(path), pattern)
    sources = listing.sources()
    if pattern:
        sources.notes += pattern.notes({name: labels[0] for name, _, labels in listing.things})
    return sources


def _listing(path, pattern):
    """The _Listing of the hand-ins that the path means."""
    try:
        if path.is_dir():
            return _downward(_Listing(FolderTree(path), pattern))
        if path.is_file() and is_archive(path.name):
            parent = FolderTree(path.absolute().parent)
            inside = _downward(_Listing(open_class(path.open("rb"), path.stem), pattern))
            return inside if inside.is_a_class() else _Listing(parent, pattern, only=path.name)
    except (OSError, Malformed) as error:
        raise UsageError(f"{path} cannot be read: {getattr(error, 'strerror', None) or error}.") from None
    if other_archive(path.name):
        raise UsageError(
            f"{path} is a {other_archive(path.name)} archive, and of archives only a .zip is read: unpack it, and "
            "name the folder."
        )
    raise UsageError(f"{path} is neither a folder of hand-ins nor a .zip file of them from a platform.")


def _downward(listing, levels=2):
    """The listing itself; or that of the one thing in it, if that is a platform's export and nothing else."""
    if levels and len(listing.things) == 1 and not listing.of_a_platform():
        try:
            inside = listing.inside()
            deeper = inside and _downward(inside, levels - 1)
            return deeper if deeper and deeper.of_a_platform(all) else listing
        except (OSError, Malformed):
            return listing  # a student's broken archive, or a folder that cannot be opened: read() says so
    return listing


class _Listing:
    """What lies side by side in one place.  things: (name, kind, its Labels: of a group's hand-in several)."""

    def __init__(self, place, pattern=None, only=None):
        self.place, self.pattern, self.notes = place, pattern, []
        names = place.names()
        self.has_metadata = (METADATA, "file") in names
        listed = self._metadata() if self.has_metadata else {}
        # GitHub Classroom's folder homework-submissions puts before each user name: homework-
        self.prefix = place.name.removesuffix("submissions") if place.name.endswith("-submissions") else ""
        ours = [(name, kind) for name, kind in names if (name == only if only else not _leftover(name))]
        labels = platforms.part_from_assignment([self._label(name, kind) for name, kind in ours])
        self.things = [(name, kind, listed.get(name) or [label]) for (name, kind), label in zip(ours, labels)]
        # Somebody may have called a hand-in like a folder that holds no work: "stubs", "venv".
        odd = [name for name, kind in names if kind == "folder" and name in NEVER and name.isalnum()]
        self.notes += [OF_THE_COURSE.format(name=name) for name in odd]

    def of_a_platform(self, how_many=any):
        """Whether a platform wrote the names of any, or of all, things here."""
        return self.has_metadata or (bool(self.things) and how_many(ls[0].platform for *_, ls in self.things))

    def is_a_class(self):
        """Whether several students handed in what is in a zip."""
        folders = {name for name, kind, _ in self.things if kind == "folder"}
        several = len(folders) == len(self.things) > 1 and folders.isdisjoint({"babygrad", "ops"})
        packed = any(kind == "file" and is_archive(name) for name, kind, _ in self.things)
        return self.of_a_platform() or several or packed

    def inside(self):
        """The _Listing in the one thing here; None if that is no folder and no zip of a class."""
        [(name, kind, _)] = self.things
        if kind == "folder":
            return _Listing(self.place.inside(name), self.pattern)
        if kind == "file" and is_archive(name) and isinstance(self.place, FolderTree):
            return _Listing(open_class(self.place.open(name), stem(name)), self.pattern)
        return None

    def sources(self):
        """The Sources, each with its student's name."""
        self.found, self.loose, self.useless = Sources(), {}, []
        for name, kind, labels in self.things:
            self._sort_in(name, kind, labels)
        for files in self.loose.values():
            last = max(files.values(), key=lambda label: label.upload)
            self._add("loose", {name: label.own_file for name, label in files.items()}, last)
        self._add_useless()
        self._tell_of_other_names()
        name_students(self.found)
        self.found.notes = self.notes
        return self.found

    def _sort_in(self, name, kind, labels):
        label = labels[0]
        file = label.file or name
        if kind == "folder" and not label.typed:
            for one in labels:
                self._add("folder", {name: ""}, one)
        elif kind == "link" and (is_archive(file) or "." not in name):
            self._add("archive", {name: ""}, label, "is a link, and links are not followed")
        elif kind == "file" and is_archive(file):
            self._add("archive", {name: ""}, label)
        elif kind == "file" and label.platform and file.endswith((".py", MANIFEST)):
            self.loose.setdefault(label.person, {})[name] = label
        elif kind in ("file", "folder") and (label.platform or other_archive(file)):
            self.useless.append((name, label))
        else:
            self.notes.append(f"{shown(name)} was ignored: it is not a folder or a .zip.")

    def _label(self, name, kind):
        label = label_of(name, kind == "folder", self.pattern)
        user = name.removeprefix(self.prefix)
        if kind == "folder" and not label.platform and user not in ("", name):
            return Label(GITHUB, user, (user,))
        return label

    def _add(self, kind, members, label, broken=""):
        self.found.append(Source(self.place, kind, members, label, broken=broken))

    def _add_useless(self):
        """What cannot be graded is its student's hand-in only if there is no other."""
        people = {source.label.person for source in self.found}
        for name, label in self.useless:
            if label.person not in people:
                people.add(label.person)
                self._add("archive", {name: ""}, label, _why_useless(name, label))
            elif ending := other_archive(name):
                who = shown(label.name)
                self.notes.append(
                    f"{shown(name)} was ignored: it is a {ending} archive, and {who} handed in something else too."
                )

    def _tell_of_other_names(self):
        """A note where a platform wrote most names, and some are not read as its own."""
        known = {name for name, _ in platforms.PLATFORMS} - {platforms.EXCHANGE}
        platforms_here = known & {source.label.platform for source in self.found}
        odd = [source.name for source in self.found if not source.label.platform]
        if odd and platforms_here and not self.pattern:
            are = "is" if len(odd) == 1 else "are"
            self.notes.append(
                f"{listed(odd, NAMED)} {are} not called like those of {listed(sorted(platforms_here))}, so the "
                "whole name is taken for the student's. --pattern can say how to read it."
            )

    def _metadata(self):
        """{folder: Labels} of Gradescope's list."""
        try:
            with self.place.open(METADATA) as file:
                return platforms.gradescope_labels(file.read(MAX_HELD))
        except Malformed:
            self.notes.append(f"{METADATA} cannot be read: the folders' names are taken as the students'.")
            return {}


def _leftover(name):
    return name.startswith(".") or name in LEFTOVERS or name in NEVER or name.lower().endswith(".csv")


def _why_useless(name, label):
    if label.typed:
        return "is text typed into the platform, not a file"
    if label.file.endswith(".ipynb"):
        return f"is a notebook: {NOTEBOOKS}"
    if ending := other_archive(name):
        return f"is a {ending} archive, and what is read is {IS_READ}"
    return f"is not {IS_READ}"


def name_students(sources):
    """A name for each person: the platform's, with its number where several people have one name."""
    people = {source.label.person: source.label for source in sources}
    names = {person: identity(label.name) for person, label in people.items()}
    times = Counter(names.values())
    for person, name in names.items():
        if times[name] > 1 and people[person].id:
            names[person] = f"{name} ({identity(people[person].id)})"
    times = Counter(names.values())  # somebody may be called "Ada (12)"
    for source in sources:
        name = names[source.label.person]
        source.student = name if times[name] == 1 else f"{name} {digest(repr(source.label.person))}"


# --- which one counts ----------------------------------------------------------------------------------------


def latest(sources, called=lambda source: source.name):
    """({student: the Source that counts}, {student with several: a sentence without its beginning}).

    The last one counts: by the platform's stamp or its number of the upload if all have one, else by the time of the
    newest file; then by name.  called(source): how the sentence names it.
    """
    groups = {}
    for source in sources:
        groups.setdefault(source.student, []).append(source)
    chosen = {student: _last(group) for student, group in groups.items()}
    return chosen, {
        student: _several(chosen[student], group, called) for student, group in groups.items() if len(group) > 1
    }


def _last(group):
    if len(group) == 1:
        return group[0]
    stamped, numbered = (all(values) for values in zip(*((s.label.submitted, s.label.upload) for s in group)))
    by_time = stamped or (not numbered and all(source.submitted for source in group))
    return max(group, key=lambda source: (source.submitted if by_time else 0, source.label.upload, source.name))


def _several(last, group, called):
    others = listed((called(source) for source in group if source is not last), NAMED)
    return f"handed in {len(group)} times: {called(last)} counts, not {others}."
