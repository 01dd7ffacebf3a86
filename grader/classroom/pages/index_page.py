"""What the teacher reads: index.html, about the whole class."""

import unicodedata
from itertools import groupby

from ...checking.status import KINDS
from ...course.atomic import write_atomically
from ...course.catalogue import key_idea, notebook
from ...course.phrases import counted
from ...course.settings import Settings
from ...html.pages import percent, render
from . import words
from .needs import needs
from .tally import KEPT, LISTED

SHOWN_IDEAS = 12  # misconceptions shown at once; the others are folded
SHOWN_NAMES = 8  # students named beside a misconception; the others are folded
LISTED_IDEAS = 200
FIRST = 60  # students to talk to first
ORDERED = 500  # students of whom there are tables in several orders


def write(out, tally):
    """Write out/index.html."""
    write_atomically(out / "index.html", html(tally))


def html(tally):
    """The page."""
    return render(
        "index.html",
        title=f"{tally.context['course']['course']}: the class",
        tally=tally,
        words=words,
        kinds=KINDS,
        facts=list(_facts(tally)),
        ideas=_ideas(tally),
        one="hand-in" if tally.context["partners"] else "student",
        shown_names=SHOWN_NAMES,
        kept=KEPT,
        lists=[entry for entry in _open_matters(tally) if entry[1]],
        several=list(words.several_once(tally.context).items())[:LISTED],
        blocks=list(_blocks(tally)),
        listed=LISTED,
        first=_first_to_talk_to(tally),
        orders=list(_orders(tally)),
        how=list(_how(tally)),
    )


def _facts(tally):
    """(heading, number, note) of what stands at the top."""
    missing, unknown = len(tally.context.get("missing", ())), len(tally.context.get("unknown", ()))
    yield "Handed in", tally.handed_in, f"{missing} on the roster missing" if missing else ""
    yield "Graded", tally.graded, f"{len(tally.malformed)} cannot be graded" if tally.malformed else ""
    yield "Late", len(tally.late), ""
    if tally.graded:
        half = tally.middle_half()
        note = f"middle half: {half[0]:g} to {half[1]:g}" if half else ""
        yield "Median", f"{tally.median():g} of {tally.possible}", note
        yield "All points", tally.points[tally.possible], ""
    if tally.by_hand:
        yield "Marks by hand", tally.by_hand, f"for {counted(tally.marked, 'student')}"
    if unknown:
        yield "Not on the roster", unknown, ""


def _ideas(tally):
    """The misconceptions: those that several share, the less common ones, and how many are not shown."""
    ideas = tally.shared_ideas()
    shared = [idea for idea in ideas if len(idea[1]) > 1][:SHOWN_IDEAS]
    folded, left = ideas[len(shared) : LISTED_IDEAS], ideas[LISTED_IDEAS:]
    return {"all": ideas, "shared": shared, "folded": folded, "left": len(left)}


def _open_matters(tally):
    """(heading, students, how many more, do they have a page) of each list."""
    context = tally.context
    for heading, students in (
        ("Late", tally.late),
        ("Handed in something that cannot be graded", tally.malformed),
        ("Files under other names, which do not count", tally.renamed),
        ("Grading not finished; --resume asks again", tally.unfinished),
    ):
        yield heading, *_first(students), True
    yield "On the roster, but handed in nothing", *_first(context.get("missing", ())), False
    yield "Handed in, but not on the roster", *_first(context.get("unknown", ())), True


def _first_to_talk_to(tally):
    """([(section or "", Needs)], how many more there are)."""
    found = needs(tally, lambda student: words.display_name(student, tally.context))
    sections = groupby(found[:FIRST], lambda need: need.section)
    return [(section, list(group)) for section, group in sections], len(found[FIRST:])


def _orders(tally):
    """(id, words, [(heading or "", Lines)]) of each order in which the students are listed."""
    sections = tally.context.get("sections", {})
    yield "by-name", "by name", [("", sorted(tally.listed, key=lambda line: _name(line, tally.context)))]
    if len(tally.listed) <= ORDERED:
        yield "by-points", "fewest points first", [("", sorted(tally.listed, key=lambda line: line.earned))]
        if sections:
            lines = sorted(tally.listed, key=lambda line: _section(line, sections))
            groups = groupby(lines, lambda line: _section(line, sections))
            yield (
                "by-section",
                "by section",
                [(section or "In no section", list(group)) for (_, section), group in groups],
            )


def _name(line, context):
    """The key to sort by: the name that is shown, É beside E."""
    return unicodedata.normalize("NFKD", words.display_name(line.student, context)).casefold()


def _section(line, sections):
    """The key to sort by: those without a section come last."""
    section = sections.get(line.student, "")
    return section == "", section


def _first(students):
    return list(students[:KEPT]), max(0, len(students) - KEPT)


def _blocks(tally):
    """(heading, rows) of each notebook; no rows where nobody began it."""
    exercises = Settings.from_dict(tally.context["course"]).exercises()
    for number, group in groupby(exercises, lambda ex: ex.notebook):
        group = list(group)
        begun = any(tally.began(ex.id) for ex in group)
        yield f"{number} {notebook(number).title}", [_row(ex, tally) for ex in group] if begun else []


def _row(ex, tally):
    """(id, title, its key idea, pass rate, shares of the bar, the bar in words) of an exercise."""
    counts, began = tally.statuses[ex.id], tally.began(ex.id)
    shares = [(kind, percent(counts[kind], counts.total())) for kind in KINDS if counts[kind]]
    said = ", ".join(f"{counts[kind]} {KINDS[kind]}" for kind in KINDS if counts[kind])
    if by_themselves := tally.by_themselves[ex.id]:
        said += f"; {by_themselves} right but for what it builds on"
    if near := tally.near(ex.id):
        said += f"; {near}"
    rate = f"{percent(counts['passed'], began):.0f} %" if began else "none"
    return ex.id, f"{ex.id} {ex.title}", key_idea(ex.id), rate, shares, said


def _how(tally):
    context = tally.context
    yield f"Course version: {context['version'] or 'not named'}. Grading code: {', '.join(sorted(tally.graders))}."
    if len(tally.graders) > 1:
        yield "The grading code changed in between. Regrade without --resume to compare like with like."
    for level, count in sorted(tally.isolation.items()) if len(tally.isolation) > 1 else ():  # one stands at the top
        yield f"{counted(count, 'hand-in')} asked under this isolation: {level.rstrip('.')}."
    yield words.which_counts(context)
    seeds = ", ".join(map(str, context["seeds"]))
    yield f"The inputs of the questions come from these seeds: {seeds}. Each hand-in was given one, as grades.csv says."
    yield "To ask a hand-in the same questions again: `python -m grader check --package DIR --seed S`, with its seed."
    yield "grades.csv opens in a spreadsheet; grades.jsonl holds all answers, one hand-in on each line."
