"""The folder for the grades: what a grading's own files are called, and whether it can be graded into as it is."""

import os
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from ...course.usage import UsageError
from ..marks import by_hand
from .state import State

# How the names of a grading's own files, and of a teacher's, begin.
OURS = ("lock", "state.", "journal.", *by_hand.OURS)


@dataclass(frozen=True)
class GradesFolder:
    """Where a class is graded into, or one shard of it.  shard: such as "2-of-4", or ""."""

    path: Path
    shard: str = ""

    @property
    def state_file(self):
        return self.path / (f"state.{self.shard}.json" if self.shard else "state.json")

    @property
    def journal_file(self):
        return self.path / (f"journal.{self.shard}.jsonl" if self.shard else "journal.jsonl")

    @contextmanager
    def made(self, for_merge=False):
        """Make it, if it is not there; where the block refuses (UsageError), what was made and is empty goes again.

        Raises UsageError if it cannot be made, or holds anything but a grading.
        """
        new = [path for path in (self.path, *self.path.parents) if not os.path.exists(path)]
        try:
            self._make(for_merge)
            yield
        except UsageError:
            with suppress(OSError):
                for path in new:
                    path.rmdir()
            raise

    def _make(self, for_merge):
        try:
            self.path.mkdir(parents=True, exist_ok=True)
            foreign = [path for path in self.path.iterdir() if not path.name.startswith(OURS)]
        except OSError as error:
            raise UsageError(f"{self.path} cannot be the folder for the grades: {error.strerror}.") from None
        if foreign and not self._states() and not for_merge:
            raise UsageError(f"{self.path} holds files but no grading: name a new folder, or an empty one.")

    def state(self):
        """The State of the grading that was begun here, or None.  Raises UsageError if there is one of another kind."""
        if self.state_file.exists():
            return State.read(self.state_file)
        others = self._states()
        if self.shard and "state.json" in others:
            raise UsageError(f"{self.path} holds a grading of the whole class: name another folder for its shards.")
        if others and not self.shard:
            raise UsageError(f"{self.path} holds shards: --merge joins them; for another grading name another folder.")
        if not others and self.journal_file.exists():
            raise UsageError(f"{self.path} holds grades, but its state.json is gone: name another folder.")
        return None

    def _states(self):
        return [path.name for path in self.path.glob("state.*json")]
