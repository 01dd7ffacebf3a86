"""What a grading was begun with: the seed, the course's settings, a digest of all that decides about grades.

It is kept in state.json. --resume and --merge compare it with what is asked for now.
"""

import hashlib
import json
from dataclasses import asdict, dataclass, field

from ...course.atomic import write_atomically
from ...course.phrases import listed
from ...course.settings import Settings
from ...course.usage import UsageError
from ...sandbox.outside.seeds import seeds_of_sets


@dataclass
class State:
    """One grading, or one shard of it.

    digests: {what decides about grades: its digest}.  isolation: the levels it was graded under, in words.
    shard: "" or "2-of-4".  total: how many submissions.  begun: ISO time of its last begin.
    roster: the file that named the students, or "".  pattern: that of --pattern, or "".
    marks, extensions: the teacher's tables, if options named them, or "".  late: what --late says, or "".
    assignment: the column of the Canvas gradebook, or "".  notebooks: those of --notebooks, or "".
    until: of an exchange, up to when hand-ins count (shared.py), or "".
    """

    seed: int
    settings: dict
    digests: dict
    isolation: list = field(default_factory=list)
    shard: str = ""
    total: int = 0
    begun: str = ""
    roster: str = ""
    pattern: str = ""
    marks: str = ""
    extensions: str = ""
    late: str = ""
    assignment: str = ""
    notebooks: str = ""
    until: str = ""

    @property
    def seeds(self):
        """The seed of each set of questions."""
        return seeds_of_sets(self.seed)

    @property
    def digest(self):
        """One digest over all of them."""
        return hashlib.sha256(json.dumps(self.digests, sort_keys=True).encode()).hexdigest()[:16]

    def write(self, path):
        """To the disk, whole or not at all."""
        write_atomically(path, json.dumps(asdict(self), indent=1, sort_keys=True) + "\n", durable=True)

    def decide(self, options, old=None):
        """Take what the options say that only the outputs need; what they leave out stays as in old."""
        for name in ("marks", "extensions"):
            path = getattr(options, name)
            setattr(self, name, str(path.absolute()) if path else getattr(old or self, name))
        for name in ("late", "assignment", "notebooks"):
            text = getattr(options, name)
            setattr(self, name, getattr(old or self, name) if text is None else text.strip())

    @classmethod
    def read(cls, path):
        """Raises UsageError if it cannot be read."""
        try:
            return cls(**json.loads(path.read_text(encoding="utf-8")))
        except (OSError, ValueError, TypeError) as error:
            raise UsageError(f"{path} cannot be read ({error}): grade into another folder.") from None


def changed(old, new):
    """What differs between two States, in words: "the exercises and the reference"; "" if all can stay as graded."""
    return listed(f"the {name}" for name in new.digests if old.digests.get(name) != new.digests[name])


def decided_otherwise(old, new):
    """What differs in the teacher's decisions, which need no new grading: "the points and the dates"."""
    before, now = (Settings.from_dict(state.settings) for state in (old, new))
    weights = [{ex.id: ex.points for ex in settings.exercises()} for settings in (before, now)]
    differs = {
        "the points": weights[0] != weights[1],
        "the dates": before.due != now.due,
        "whether errors carried forward cost points": before.count != now.count,
    }
    return listed([name for name, differs_here in differs.items() if differs_here])
