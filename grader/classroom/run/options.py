"""The options of a grading, as the command was given them."""

from dataclasses import dataclass
from pathlib import Path

from ...course.usage import UsageError


@dataclass(frozen=True)
class Options:
    """What is to be graded, and how."""

    submissions: Path
    out: Path
    course: Path | None = None
    notebooks: str | None = None
    roster: Path | None = None
    pattern: str | None = None
    jobs: int | None = None
    seed: int | None = None
    secret: Path | None = None
    only: tuple = ()
    resume: bool = False
    before: Path | None = None
    shard: str = ""
    merge: bool = False
    executor: str | None = None
    unsafe: bool = False
    count: str | None = None
    marks: Path | None = None
    extensions: Path | None = None
    late: str | None = None
    assignment: str | None = None

    def demand_sense(self):
        """Raises UsageError if they contradict each other, or the folders do."""
        if self.merge and (self.shard or self.only or self.resume or self.executor or self.notebooks):
            raise UsageError(
                "--merge joins what is graded: it goes with no --shard, --only, --notebooks, --resume or --executor."
            )
        if not self.submissions.exists():
            raise UsageError(f"There is no {self.submissions}.")
        if self.out.resolve().is_relative_to(self.submissions.resolve()):
            raise UsageError(
                f"{self.out} is inside the folder of submissions and would count as one: name a folder outside it."
            )
