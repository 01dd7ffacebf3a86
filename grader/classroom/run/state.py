"""What a grading was begun with: the seed, the course's settings, a digest of all that decides about grades.

It stands in state.json. Whoever goes on with a grading, or joins its shards, compares.
"""

import hashlib
import json
import secrets
from dataclasses import asdict, dataclass, field
from functools import cache

from ...course.atomic import write_atomically
from ...course.paths import EXERCISES, MISCONCEPTIONS, REFERENCE, ROOT
from ...course.phrases import listed
from ...course.settings import Settings
from ...course.usage import UsageError

SETS = 3  # of questions: more than one, so that neighbours are asked different ones
_LARGEST_SEED = 2**32

_GRADER = ROOT / "grader"
ROOMS = ("course", "asking", "probes", "marking", "suspects", "checking", "sandbox")  # what decides about grades
_PARTS = {
    "grader": [_GRADER.glob, tuple(f"{room}/**/*.py" for room in ROOMS)],
    "exercises": [EXERCISES.glob, ("*.py",)],
    "misconceptions": [MISCONCEPTIONS.glob, ("*.py",)],
    "reference": [(REFERENCE / "babygrad").rglob, ("*.py",)],
}


@dataclass
class State:
    """One grading, or one shard of it.

    parts: {what decides about grades: its digest}.  isolation: the levels it was graded under, in words.
    shard: "" or "2-of-4".  total: how many submissions.  begun: ISO time of its last begin.
    roster: the file that named the students, or "".
    """

    seed: int
    settings: dict
    parts: dict
    isolation: list = field(default_factory=list)
    shard: str = ""
    total: int = 0
    begun: str = ""
    roster: str = ""

    @property
    def seeds(self):
        """The seed of each set of questions."""
        return [_number(f"{self.seed} set {k}") % _LARGEST_SEED for k in range(SETS)]

    @property
    def digest(self):
        """One digest over all parts."""
        return hashlib.sha256(json.dumps(self.parts, sort_keys=True).encode()).hexdigest()[:16]

    def write(self, path):
        """To the disk, whole or not at all."""
        write_atomically(path, json.dumps(asdict(self), indent=1, sort_keys=True) + "\n", durable=True)

    @classmethod
    def read(cls, path):
        """Raises UsageError if it cannot be read."""
        try:
            return cls(**json.loads(path.read_text(encoding="utf-8")))
        except (OSError, ValueError, TypeError) as error:
            raise UsageError(f"{path} cannot be read ({error}): grade into another folder.") from None


def parts(settings):
    """{what decides about what is asked, and which answer is right: its digest} for this course with these settings."""
    counted = json.dumps([settings["notebooks"], settings["given"]])
    return {**parts_of_the_course(), "choice of exercises": _digest([counted.encode()])}


@cache
def parts_of_the_course():
    """The same without the settings: what two machines must have alike."""
    return {name: _digest(_contents(glob, patterns)) for name, (glob, patterns) in _PARTS.items()}


def changed(old, new):
    """What differs between two States, in words: "the exercises and the reference"; "" if all can stay as graded."""
    return _named(name for name in new.parts if old.parts.get(name) != new.parts[name])


def decided_otherwise(old, new):
    """What differs in the teacher's decisions, which need no new grading: "the points and the dates"."""
    before, now = (Settings.from_dict(state.settings) for state in (old, new))
    weights = [{ex.id: ex.points for ex in settings.exercises()} for settings in (before, now)]
    return _named(["points"] * (weights[0] != weights[1]) + ["dates"] * (before.due != now.due))


def _named(names):
    return listed(f"the {name}" for name in names)


def fresh_seed():
    """A seed that nobody can guess."""
    return secrets.randbelow(_LARGEST_SEED)


def set_of(student, seed):
    """Which set of questions the student is asked."""
    return _number(f"{seed} student {student}") % SETS


def _contents(glob, patterns, top=ROOT):
    for pattern in patterns:
        for path in sorted(glob(pattern)):
            yield path.relative_to(top).as_posix().encode()
            yield path.read_bytes().replace(b"\r\n", b"\n")


def _digest(pieces):
    total = hashlib.sha256()
    for piece in pieces:
        total.update(len(piece).to_bytes(8, "little") + piece)
    return total.hexdigest()


def _number(text):
    return int.from_bytes(hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()[:8], "little")
