"""The next of an exercise's three hints."""

from dataclasses import dataclass

from ..course.paths import is_full_edition
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


def helping(id, asking):
    """The sentence on how to go on with an exercise that is not filled in.  asking: what shows a hint."""
    from ..course.catalogue import is_here

    if not is_here(id):
        return "It is not a part of your course: ask your teacher."
    return f"{asking} helps{without_it(id)}."


def without_it(id):
    """How to go on without an exercise, as the end of a sentence; "" in the student edition, which has no answers."""
    return f"; make fill EX={id} goes on without it" if is_full_edition() else ""
