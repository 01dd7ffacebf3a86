"""The options of a grading, and whether it can be done in the folder as it is."""

from dataclasses import dataclass
from pathlib import Path

from ...course.catalogue import select
from ...course.settings import Settings
from ...course.usage import UsageError
from .shards import journal_file, state_file
from .state import State, fresh_seed

OURS = ("lock", "state.", "journal.")  # how the names of a grading's own files begin


@dataclass
class Order:
    """What is to be graded, and how: the options of the command."""

    submissions: Path
    out: Path
    course: Path | None = None
    roster: Path | None = None
    jobs: int | None = None
    seed: int | None = None
    only: tuple = ()
    resume: bool = False
    shard: str = ""
    merge: bool = False
    executor: str | None = None
    unsafe: bool = False


def demand_sense(order):
    """Raises UsageError if the options contradict each other, or the folders do."""
    if order.merge and (order.shard or order.only or order.resume or order.executor):
        raise UsageError("--merge joins what is graded: it goes with no --shard, --only, --resume or --executor.")
    if not order.submissions.exists():
        raise UsageError(f"There is no {order.submissions}.")
    if order.out.resolve().is_relative_to(order.submissions.resolve()):
        raise UsageError(f"{order.out} lies in the folder of submissions and would be one: name a folder outside.")


def demand_a_folder(order):
    """Make the folder for the grades.  Raises UsageError if it cannot be made, or holds anything else."""
    try:
        order.out.mkdir(parents=True, exist_ok=True)
        foreign = [path for path in order.out.iterdir() if not path.name.startswith(OURS)]
    except OSError as error:
        raise UsageError(f"{order.out} cannot be the folder for the grades: {error.strerror}.") from None
    if foreign and not any(order.out.glob("state.*json")) and not order.merge:
        raise UsageError(f"{order.out} holds files, and no grading: name a new folder, or an empty one.")


def old_state(order, shard):
    """The State of the grading to resume, or None.  Raises UsageError if there is one without --resume or --only."""
    path = state_file(order.out, shard)
    if not path.exists():
        return _demand_nothing_else(order, shard)
    if not (order.resume or order.only):
        raise UsageError(
            f"{order.out} holds a grading already: --resume goes on with it and keeps what is graded; "
            "for a new one name another folder."
        )
    return State.read(path)


def _demand_nothing_else(order, shard):
    """A folder without the state that is looked for must hold no grading of another kind."""
    others = [path.name for path in order.out.glob("state.*json")]
    if shard and "state.json" in others:
        raise UsageError(f"{order.out} holds a grading of the whole class: name another folder for its shards.")
    if others and not shard:
        raise UsageError(f"{order.out} holds shards: --merge joins them; for another grading name another folder.")
    if not others and journal_file(order.out, shard).exists():
        raise UsageError(f"{order.out} holds grades, but its state.json is gone: name another folder.")
    if order.only:
        raise UsageError(f"--only grades again, and {order.out} holds no grading yet: grade everything first.")
    return None


def settings_of(order, old):
    """The Settings of --course; without it those of the course.json that the grading to go on with was begun with."""
    if old and order.course is None and old.settings.get("edition") == "student":
        return Settings.from_dict(old.settings)
    return Settings.read(order.course)


def demand_the_roster(order, old):
    """Raises UsageError if the roster of an earlier grading is left out now: students would get other ids."""
    if old and old.roster and order.roster is None:
        raise UsageError(f"The students in {order.out} have their names from a roster: add --roster {old.roster}.")


def seed_of(order, old):
    """The seed to grade with: that of the grading to go on with, the one that was given, or a fresh one."""
    if old:
        if order.seed not in (None, old.seed):
            raise UsageError(f"{order.out} has --seed {old.seed}: leave --seed out, or name another folder.")
        return old.seed
    if order.seed is not None:
        return order.seed
    if order.shard:
        example = f"for example --seed {fresh_seed()}"
        raise UsageError(f"All shards must ask the same questions: give each the same seed, {example}.")
    return fresh_seed()


def ids_of(order, settings):
    """The ids to ask: all that count, or those of --only.  Raises UsageError for one that does not count."""
    counted = tuple(ex.id for ex in settings.exercises())
    wanted = tuple(ex.id for ex in select(order.only)) if order.only else counted
    for id in wanted:
        if id not in counted:
            raise UsageError(f"--only {id}: its answer was given or it was not released, so it is not graded.")
    return wanted
