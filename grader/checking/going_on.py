"""How a learner goes on with an exercise that is not filled in, in words."""

from ..course.catalogue import is_here
from ..course.commands import typed
from ..course.paths import is_full_edition


def helping(id, asking):
    """The sentence on how to go on with an exercise that is not filled in.  asking: what shows a hint."""
    if not is_here(id):
        return "It is not part of your course: ask your teacher."
    return f"{asking} helps{without_it(id)}."


def without_it(id):
    """How to go on without an exercise, as the end of a sentence; "" in the student edition, which has no answers."""
    return f"; {typed(f'make fill EX={id}')} goes on without it" if is_full_edition() else ""
