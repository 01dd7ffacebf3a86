"""The next of an exercise's three hints."""

from dataclasses import dataclass

from . import memory


@dataclass(frozen=True)
class Hints:
    """The hints shown so far. new: the position of the one that is new, or None if all were shown before."""

    exercise: object
    shown: tuple
    new: int | None


def next_hint(ex):
    """Show one more hint than last time; all of them once there is no more."""
    before = memory.hints_shown(ex.id)
    count = min(before + 1, len(ex.hints))
    memory.remember_hint(ex.id, count)
    return Hints(ex, tuple(ex.hints[:count]), count - 1 if count > before else None)
