"""A class in n parts, each graded by a process of its own, on any machine; and the parts joined again."""

import contextlib
import hashlib
import re
from dataclasses import dataclass, replace

from ...course.atomic import replacing
from ...course.phrases import listed
from ...course.usage import UsageError
from .grades_folder import GradesFolder
from .journal import Journal
from .state import State, changed, decided_otherwise

_FILE = re.compile(r"journal\.(\d+-of-\d+)\.jsonl")


@dataclass(frozen=True)
class Shard:
    """Part `number` (from 1) of `count`."""

    number: int
    count: int

    @classmethod
    def read(cls, text):
        """The shard that "2/4" names.  Raises UsageError."""
        match = re.fullmatch(r"(\d+)/(\d+)", text)
        if not match or not 1 <= int(match[1]) <= int(match[2]):
            raise UsageError(
                f"--shard {text}: a part and the number of parts is expected, from 1/4 to 4/4 for example."
            )
        return cls(int(match[1]), int(match[2]))

    def __str__(self):
        """In the names of files."""
        return f"{self.number}-of-{self.count}"

    @property
    def text(self):
        """As it is typed."""
        return f"{self.number}/{self.count}"

    def holds(self, student):
        """Does this student belong to it? The same on every machine."""
        digest = hashlib.sha256(student.encode("utf-8", "surrogatepass")).digest()
        return int.from_bytes(digest[:8], "little") % self.count == self.number - 1


@dataclass
class Part:
    """A shard that was found: its State and the path of its journal."""

    state: State
    path: object


def find(out):
    """The Parts in the folder and in the folders in it, the one that was begun last at the end.

    Raises UsageError if there is none, or if they were not graded alike.
    """
    paths = [path for pattern in ("journal.*.jsonl", "*/journal.*.jsonl") for path in out.glob(pattern)]
    parts = [_part(path) for path in sorted(paths) if _FILE.fullmatch(path.name)]
    if not parts:
        raise UsageError(f"{out} holds no shards to merge: grade them first, with --shard 1/4 and so on.")
    for part in parts[1:]:
        _demand_alike(parts[0], part)
    return sorted(parts, key=_age)


def missing(parts):
    """The shards that are not there, such as ["3 of 4"]."""
    count = {int(part.state.shard.split("-of-")[1]) for part in parts}
    if len(count) > 1:
        raise UsageError(f"These shards do not belong together: some are parts of {listed(sorted(count))}.")
    here = {int(part.state.shard.split("-of-")[0]) for part in parts}
    n = count.pop()
    return [f"{i} of {n}" for i in range(1, n + 1) if i not in here]


def joined_state(parts):
    """The State of the whole."""
    newest = parts[-1].state
    isolation = list(dict.fromkeys(words for part in parts for words in part.state.isolation))
    return replace(newest, isolation=isolation, shard="", total=sum(part.state.total for part in parts))


@contextlib.contextmanager
def joined(folder, parts, state):
    """The Journal of the whole, written from the parts'.  Of two records of one student the later begun part's counts.

    What an earlier merge left counts as a part, if it was graded alike.
    """
    with replacing(folder.journal_file) as new, Journal(new) as journal:
        for part in sorted([*_earlier(folder, parts), *parts], key=_age):
            _copy(part, journal)
        journal.sync()
    state.write(folder.state_file)
    with Journal(folder.journal_file) as journal:
        yield journal


def _copy(part, journal):
    with Journal(part.path) as shard:
        for student in shard.students():
            journal.add(shard.get(student), durable=False)


def _earlier(folder, parts):
    """The Part that an earlier merge made, if there is one that is not older and of another course."""
    if not folder.state_file.exists() or not folder.journal_file.exists():
        return []
    earlier = Part(State.read(folder.state_file), folder.journal_file)
    if _age(earlier) > _age(parts[-1]):
        _demand_alike(parts[-1], earlier)
    return [] if changed(earlier.state, parts[-1].state) or earlier.state.seed != parts[-1].state.seed else [earlier]


def _age(part):
    return part.state.begun, part.state.shard


def _part(path):
    shard = _FILE.fullmatch(path.name)[1]
    return Part(State.read(GradesFolder(path.parent, shard).state_file), path)


def _demand_alike(first, other):
    where = f"{first.path.name} and {other.path.name}"
    if first.state.seed != other.state.seed:
        raise UsageError(f"{where} were graded with different seeds, {first.state.seed} and {other.state.seed}.")
    if difference := changed(first.state, other.state) or decided_otherwise(first.state, other.state):
        raise UsageError(
            f"{where} were not graded in the same way: they differ in {difference}. Grade both with the same course."
        )
