"""Which questions stand on a sheet."""

import random
from itertools import chain, zip_longest

from ..course.folders import load
from ..course.usage import UsageError
from .question import KINDS


def all_questions(numbers):
    """The exam questions of the notebooks with these two-digit numbers, in order."""
    modules = [load(number, "exam") for number in numbers]
    return [question for module in modules if module for question in module.QUESTIONS]


def chosen(numbers, seed, minutes):
    """Questions for so many minutes: of each kind and each notebook about as many.  minutes: None for all of them.

    Raises UsageError if there are none.
    """
    found = all_questions(numbers)
    if not found:
        raise UsageError(f"There are no exam questions about {', '.join(numbers) or 'no notebook'}.")
    if minutes is None:
        return found
    taken, left = [], minutes
    for question in _in_turns(found, random.Random(f"{seed} which")):
        if question.minutes <= left:
            taken.append(question)
            left -= question.minutes
    if not taken:
        raise UsageError(f"No question is as short as {minutes} minutes.")
    return [question for question in found if question in taken]


def _in_turns(found, rng):
    """All questions: one of each kind in turn, and of each kind one about each notebook in turn."""
    kinds = [_by_notebook([question for question in found if question.kind == kind], rng) for kind in KINDS]
    return [question for question in chain(*zip_longest(*kinds)) if question]


def _by_notebook(questions, rng):
    rows = {}
    for question in rng.sample(questions, len(questions)):
        rows.setdefault(question.number, []).append(question)
    return [question for question in chain(*zip_longest(*rows.values())) if question]
