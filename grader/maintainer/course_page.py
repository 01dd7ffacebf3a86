"""What docs/plans.md shows of the course's own data: outcomes, and plans with their hours."""

from ..course import catalogue
from ..course.folders import load
from ..course.tracks import CORE, EVENING, STRETCH
from ..exam.outcomes import shown_by
from . import minutes

# A plan: for each week the notebooks of which the core is done. "stretch" gives a week to what was left out.
PLANS = {
    4: ("00 01 02 03", "04 05 06", "07 08 09", "10 11 12"),
    7: ("00 01 02", "03 04", "05 06", "07 08", "09 10", "11", "12 13"),
    14: ("00 01", "02", "03", "04", "05", "06", "07", "08", "09", "10", "11", "12", "13", "stretch"),
}


def outcomes():
    """The Markdown tables of all outcomes: the exercises and the exam questions that show them."""
    told = [nb for nb in catalogue.notebooks() if load(nb.number, "exam")]
    return "\n\n".join("\n".join(_outcomes_of(nb)) for nb in told)


def _outcomes_of(nb):
    yield f"**{nb.number} {nb.title}**\n"
    yield "| whoever has done it can | exercises | exam questions |"
    yield "|---|---|---|"
    for goal, exercises, questions in shown_by(nb.number):
        yield f"| {goal} | {', '.join(exercises) or 'none'} | {', '.join(questions) or 'none'} |"


def in_person():
    """The Markdown table of what is asked in person about each notebook."""
    rows = [f"| {nb.number} {nb.title} | {catalogue.in_person(nb.number)} |" for nb in catalogue.notebooks()]
    return "\n".join(["| notebook | ask |\n|---|---|", *rows])


def plan(weeks):
    """The Markdown table of a plan for so many weeks."""
    rows = [_week(week, notebooks) for week, notebooks in enumerate(PLANS[weeks], 1)]
    return "\n".join(
        ["| week | notebooks, the core of each | hours | core exercises to hand in |\n|---|---|---|---|", *rows]
    )


def _week(week, notebooks):
    if notebooks == "stretch":
        left = sum(minutes.total(minutes.of(nb.number), STRETCH) for nb in catalogue.notebooks())
        return f"| {week} | what is marked stretch, by choice; the exam | up to {_hours(left)} | a bug hunt |"
    numbers = notebooks.split()
    takes = sum(minutes.total(minutes.of(number), EVENING, CORE) for number in numbers)
    core = [ex for number in numbers for ex in catalogue.exercises_of(number) if ex.track != STRETCH]
    titles = ", ".join(f"{number} {catalogue.notebook(number).title}" for number in numbers)
    return f"| {week} | {titles} | {_hours(takes)} | {len(core)} |"


def _hours(minutes_):
    return f"{round(minutes_ / 30) / 2:g}"
