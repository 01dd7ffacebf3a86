"""A notebook's outcomes, which are its goals, and what shows each: exercises and exam questions."""

import re

from ..course.folders import load
from ..course.paths import NOTEBOOK_SOURCES


def text_of(number):
    """The source of a notebook without the marks of its markdown."""
    (source,) = NOTEBOOK_SOURCES.glob(f"{number}_*.py")
    return re.sub(r"^# ?", "", source.read_text(encoding="utf-8"), flags=re.MULTILINE)


def goals(number):
    """The goals of a notebook, in order, as Markdown without what marks them as stretch."""
    section = text_of(number).partition("## Goals")[2].partition("\n## ")[0]
    return [_unmarked(goal.rstrip(",.")) for goal in re.findall(r"^- (.+)$", section, re.MULTILINE)]


def shown_by(number):
    """[(goal, ids of the exercises, ids of the exam questions that show it)] of a notebook with exam questions."""
    module = load(number, "exam")
    for goal, exercises in zip(goals(number), module.SHOWN_BY, strict=True):
        asked = [q.id for q in module.QUESTIONS if _unmarked(q.outcome) == goal]
        yield goal, exercises.split(), asked


def _unmarked(goal):
    return re.sub(r" \(stretch\)$", "", goal)
