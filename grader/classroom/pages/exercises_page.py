"""exercises.html: for each exercise the students who do not pass it, with their messages. For the teacher."""

from ...checking.status import STATUSES
from ...course.atomic import write_atomically
from ...course.safe_text import cut, message_lines
from ...course.settings import Settings
from ...html.pages import render
from ...slips.kinds import Kind
from . import words

LONGEST = 300  # characters of one of its lines
SHOWN_SLIPS = 8
LINES = 8  # of a message; the student's page has all


def write(out, tally):
    """Write out/exercises.html."""
    write_atomically(out / "exercises.html", html(tally))


def html(tally):
    """The page."""
    exercises = Settings.from_dict(tally.context["course"]).exercises()
    return render(
        "exercises.html",
        title=f"{tally.context['course']['course']}: who does not pass which exercise",
        context=tally.context,
        blocks=[_block(ex.id, tally) for ex in exercises if tally.faults[ex.id]],
        words=words,
    )


def _block(id, tally):
    """(id, sentences, lines with slips, [(misconception, students)], [(student, status, lines)], how many more)."""
    faults, ideas = tally.faults[id], {}
    for fault in faults:
        if fault.misconception:
            ideas.setdefault(fault.misconception, []).append(fault.student)
    others = [
        (
            fault.student,
            STATUSES[fault.status].words,
            [cut(line, LONGEST) for line in message_lines(fault.message)[:LINES]],
        )
        for fault in faults
        if not fault.misconception
    ]
    left = tally.wrong(id) - len(faults)
    ordered = sorted(ideas.items(), key=lambda item: (-len(item[1]), item[0]))
    said = filter(None, [words.pass_rate(tally, id), tally.near(id)])
    return id, " ".join(f"{sentence}." for sentence in said), list(_slips(id, tally)), ordered, others, left


def _slips(id, tally):
    """(how many, the line of code, words about its slip) of the lines that most of them are in."""
    for (code, kind), students in tally.slips[id].most_common(SHOWN_SLIPS):
        if code:
            yield students, code, Kind[kind].words if kind in Kind.__members__ else ""
