"""Whom to talk to first: who needs the teacher, one sentence for each, what is most urgent first.

What is one event is one line: a team that handed in together, students who handed in the same files.
"""

from dataclasses import dataclass
from statistics import median

from ...course.phrases import counted, listed
from ...course.safe_text import cut
from ...sandbox.inside.attempts import MOST

HIDDEN = 3  # exercises that one error must hide at least
FEW = 4  # exercises that half of the class must have begun before somebody can have stopped early
DROP = 0.3  # a share of the points: so much less than the last time is far below
LONGEST = 80  # characters of a name
NAMED = 3  # students with the same files, or exercises, that a sentence names
ATTEMPTS = {"files": "files", "network": "the network", "processes": "other processes", "memory": "others' memory"}
SAME = "The same files, byte for byte"


@dataclass(frozen=True)
class Need:
    """students: ids of all whom it is about.  sentence: why.  section: that of the first of them, or ""."""

    students: tuple
    sentence: str
    section: str = ""


def needs(tally, called):
    """The Needs of a class, by section, in each the most urgent first.  called(student): what to call the student."""
    sections, events = tally.context.get("sections", {}), {}
    for line in tally.lines:
        reasons = enumerate(_reasons(line, tally))
        if first := next(((place, reason) for place, reason in reasons if reason), None):
            events.setdefault((*first, _event(line.student, tally)), []).append(line.student)
    found = []
    for (place, sentence, _), students in events.items():
        section = sections.get(students[0], "")
        need = Need(tuple(students), _told(sentence, students, tally, called), section)
        found.append((section == "", section, place, need))
    return [need for *_, need in sorted(found, key=lambda each: each[:3])]


def percents(share):
    """A share from 0 to 1 as people read it."""
    return f"{100 * share:.0f} %"


def hidden_by_one_error(record):
    """A sentence about the error that most exercises of a hand-in share; "" if it is fewer than HIDDEN."""
    rows = {row["id"]: row for row in record["exercises"]}
    hidden = {}
    for row in rows.values():
        if first := row.get("as_in"):
            hidden.setdefault(first, []).append(row["id"])
    first = max(hidden, key=lambda id: len(hidden[id]), default=None)
    if first not in rows or len(hidden[first]) < HIDDEN:
        return ""
    message = next(iter(rows[first]["message"].split("\n")), "").rstrip(".: ")
    return f"One error hides {counted(len(hidden[first]) + 1, 'exercise')}, from {first} on: {message}."


def attempts(record):
    """A sentence about what a hand-in tried and the sandbox refused; "" if there was nothing."""
    found = record.get("attempts", {})
    said = [
        f"{ATTEMPTS[kind]}{f' ({cut(what, LONGEST)})' if what else ''} {_times(count)}"
        for kind, (count, what) in found.items()
    ]
    return f"Tried what the sandbox refuses: {listed(said)}. Read the code before you ask about it." if said else ""


def _times(count):
    return "once" if count == 1 else f"{count} times" if count < MOST else f"{MOST} times or more"


def contradiction(record):
    """A sentence about what passes by the manifest alone; "" if it is fewer than HIDDEN exercises, or not known."""
    rows = {row["id"]: row["status"] for row in record["exercises"]}
    wrong = [id for id in record.get("claimed", ()) if rows.get(id, "passed") not in ("passed", "given")]
    if len(wrong) < HIDDEN or record.get("trouble"):
        return ""
    return f"Its manifest.json says that {listed(wrong, NAMED)} pass, and they do not: was it made for these files?"


def begun(record):
    """How many exercises of a hand-in were begun, and the id of the last."""
    ids = [row["id"] for row in record["exercises"] if row["status"] not in ("given", "not_started")]
    return len(ids), ids[-1] if ids else ""


def _event(student, tally):
    """What is the same for all who handed in the same, together or byte for byte."""
    lead = tally.context["partners"].get(student, student)
    return _with_the_same_files(lead, tally) or (lead,)


def _with_the_same_files(lead, tally):
    return next((tuple(group) for group in tally.context["similar"].identical if lead in group), ())


def _told(sentence, students, tally, called):
    """The sentence; with those who handed in the same files, where it is about them and they are not in the line."""
    partners = tally.context["partners"]
    leads = {partners.get(student, student) for student in students}
    same = _with_the_same_files(partners.get(students[0], students[0]), tally)
    others = [cut(called(student), LONGEST) for student in same if student not in leads]
    if sentence == SAME:
        return f"{SAME}, as {listed(others, NAMED)}." if others else f"{SAME}."
    return f"{sentence} {SAME}." if len(leads) > 1 else sentence


def _reasons(line, tally):
    """A sentence or "" for each kind of need."""
    yield line.obstacle
    yield line.attempts
    yield line.hidden
    yield line.contradiction
    yield SAME if _with_the_same_files(tally.context["partners"].get(line.student, line.student), tally) else ""
    yield _below_the_last(line, tally)
    yield _stopped_early(line, tally)
    yield _below_the_class(line, tally)


def _below_the_last(line, tally):
    earlier = tally.context.get("before")
    before = earlier and earlier.shares.get(line.student)
    if before is None or not tally.possible:
        return ""
    now = line.earned / tally.possible
    return f"{percents(now)} of the points, after {percents(before)} in {earlier.name}." if now <= before - DROP else ""


def _stopped_early(line, tally):
    middle = median(tally.begun.elements()) if tally.begun else 0
    if middle < FEW or not 2 * line.begun < middle:
        return ""
    where = f"stopped after {line.last}, " if line.last else ""
    said = f"{where}{counted(line.begun, 'exercise')} begun; half of the class began {middle:g} or more."
    return said[0].upper() + said[1:]


def _below_the_class(line, tally):
    middle = tally.median()
    if not middle or not 2 * line.earned < middle:
        return ""
    return f"{line.earned:g} of {tally.possible:g} points; half of the class has {middle:g} or more."
