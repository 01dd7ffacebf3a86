"""Questions from quiz.md of each notebook, drawn and solved here: where the answers are. recorded.py has the same."""

import re
from functools import cache
from random import Random

from ..course import catalogue
from ..course.tracks import STRETCH
from ..exam import solving
from ..exam.outcomes import shown_by, text_of
from ..exam.question import CHOICE, KINDS
from ..exam.quiz_files import quiz_questions
from .asked import Asked, Entry

SECTION = re.compile(r"^## (([A-Z])\. .+?)(?: \((evening|core|stretch)\))?$", re.MULTILINE)


@cache
def entries_of(number):
    """The Entries about a notebook, in order."""
    found = quiz_questions(number)
    exercises = {goal: tuple(ids) for goal, ids, _ in shown_by(number)} if found else {}
    return tuple(_entry(question, exercises) for question in found)


def _entry(question, exercises):
    ideas = dict.fromkeys(w.named or w.idea for w in question.wrong if w.named or not isinstance(w.idea, str))
    heading, mark = _sections(question.number)[question.section]
    if f"{question.outcome} ({STRETCH})" in text_of(question.number):
        mark = STRETCH
    return Entry(question.id, heading, mark, tuple(ideas), exercises.get(question.outcome, ()))


@cache
def _sections(number):
    """{letter: (heading, track)} of a notebook."""
    own = catalogue.notebook(number).track
    return {letter: (heading, mark or own) for heading, letter, mark in SECTION.findall(text_of(number))}


def _question(entry):
    return next(q for q in quiz_questions(entry.number) if q.id == entry.id)


def different(entry, count):
    """So many Asked of an Entry that ask different things; fewer where there are fewer."""
    found, question = {}, _question(entry)
    for seed in map(str, range(5 * count)):
        numbers = question.drawn(seed)
        found.setdefault((numbers.text, numbers.code), seed)
    with solving.keeping_copies():
        return [drawn(entry, seed) for seed in [*found.values()][:count]]


def drawn(entry, seed):
    """The Asked of an Entry with the numbers of this seed, a text."""
    question = _question(entry)
    drawn = question.drawn(seed)
    right = tuple(solving.solved(drawn))
    wrong = tuple(_wrong(drawn, right))
    lines = tuple(f"line {n}" for n in range(1, len(right) + 1)) if len(right) > 1 else ("it prints",)
    choices, names = (), tuple(question.answers) or lines
    if question.kind == CHOICE:
        choices, names = [*right, *(text for answers, _ in wrong for text in answers)], ()
        Random(f"{seed} {entry.id} order").shuffle(choices)
    code = drawn.code if question.shown else ""
    text = drawn.text if "?" in drawn.text or question.kind != "print" else f"{drawn.text} {KINDS['print']}".strip()
    return Asked(entry.id, text, code, names, right, wrong, tuple(choices), entry.section)


def _wrong(drawn, right):
    """(answers, what they show). What is right by chance with these numbers, or has no answer, is left out."""
    for wrong in drawn.question.wrong:
        try:
            answers = tuple(solving.mistaken(drawn, wrong))
        except solving.Unsolved:
            continue
        if answers != right and len(answers) == len(right):
            yield answers, drawn.filled(wrong.shows)
