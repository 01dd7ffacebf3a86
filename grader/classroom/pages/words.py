"""The sentences of the classroom: about one hand-in, and about a class."""

from dataclasses import dataclass
from datetime import datetime
from itertools import chain

from ...checking.judging import idea_named
from ...checking.reference import difference as difference_of
from ...checking.verdict import Verdict
from ...course import catalogue
from ...course.exercise import is_one
from ...course.phrases import counted, listed, plural
from ...course.safe_text import message_lines, visible
from ...course.usage import UsageError
from ..collect.earlier import is_graded
from ..marks.late import most_hours
from .tally import was_not_asked

NOT_ASKED = "The grading was stopped before it was finished with this. Your teacher can have it graded again."
BY_HAND = "Marked by hand"
AT_LINES = "Comments at lines"
REQUESTS = "Regrade requests"
MOST_LISTED = 20  # exercises that a sentence names
MOST_SHARED = 3  # misconceptions in the terminal's summary
NAMED = 5  # exercises that a sentence names
MOST_NOTES = 8  # notes about the class there


@dataclass
class Graded(Verdict):
    """A Verdict in a class's grading.

    own, carried: its points as the code is, and with errors carried forward; one of them is what it earned.
    once: what has to be mended for the second: ids, and first of all its file if that cannot be imported.
    """

    own: int = 0
    carried: int = 0
    once: tuple = ()

    @property
    def broken_file(self):
        """The file that has to be mended first, or ""."""
        return next((name for name in self.once if not catalogue.is_an_id(name)), "")

    @property
    def right_by_itself(self):
        """Is nothing wrong but exercises that it builds on?"""
        return self.own < self.carried == self.points and not self.broken_file


def verdicts(record):
    """The Verdicts of a record, their lines safe to show."""
    by_themselves = {row["id"] for row in record["exercises"] if row["own"] < row["carried"] == row["points"]}
    return [_verdict(row, record, by_themselves) for row in record["exercises"]]


def _verdict(row, record, by_themselves):
    names = ("id", "title", "file", "points", "earned", "status", "misconception", "right", "asked", "hint")
    names += ("own", "carried")
    lines = (NOT_ASKED,) if was_not_asked(row, record) else tuple(message_lines(row["message"]))
    once = tuple(name for name in row.get("once", ()) if name not in by_themselves)
    more = {"as_in": row.get("as_in", ""), "once": once}
    return Graded(**{name: row[name] for name in names}, lines=lines, **more)


def to_mend(verdicts):
    """Those that were begun and are wrong."""
    return [v for v in verdicts if not v.done and v.status != "not_started" and v.lines != (NOT_ASKED,)]


def display_name(student, context):
    """What to call a student."""
    return context.get("names", {}).get(student) or student


def moment(iso):
    """A time as people write it."""
    return datetime.fromisoformat(iso).isoformat(sep=" ", timespec="minutes")


def score(record):
    """Such as: 12 of 130 points."""
    return f"{record['earned']} of {counted(record['possible'], 'point')}"


def carried_on(verdict):
    """Such as: 3 of 3 points once 2.1 is right. "" if an exercise gains nothing by that."""
    return f"{_so_much(verdict)} once {_once([verdict])}" if verdict.carried > verdict.own else ""


def right_by_themselves(verdicts):
    """Lines about exercises in which nothing is wrong but what they build on."""
    right, points = "itself" if len(verdicts) == 1 else "themselves", sum(v.points for v in verdicts)
    yield f"Right by {right}: {points} of {counted(points, 'point')} once {_once(verdicts)}. Look there first."


def cost(verdicts):
    """What an error that stops several exercises costs, as a sentence. "" if they have no more without it."""
    gain = [v for v in verdicts if v.carried > v.own]
    if len(verdicts) == 1 or not gain:
        return "".join(f"{carried_on(v)}." for v in gain)
    points, possible = sum(v.carried for v in gain), sum(v.points for v in gain)
    have = "has" if len(gain) == 1 else "have"
    costs = "costs" if sum(v.earned for v in gain) < points else "would cost"
    return (
        f"This one error {costs} {counted(points - sum(v.own for v in gain), 'point')}: "
        f"{listed([v.id for v in gain], most=NAMED)} {have} {points} of {possible} once {_once(gain)}."
    )


def _so_much(verdict):
    return f"{verdict.carried} of {counted(verdict.points, 'point')}"


def _once(verdicts):
    """What has to be right, as the end of a sentence."""
    names = list(dict.fromkeys(name for v in verdicts for name in v.once))
    files, ids = ([n for n in names if catalogue.is_an_id(n) == wanted] for wanted in (False, True))
    if files:
        build = "it builds" if len(verdicts) == 1 else "they build"
        last = f" and what {build} on is right" if ids else ""
        return f"{listed(f'babygrad/{name}' for name in files)} can be imported{last}"
    return f"{listed(ids, most=NAMED)} {'is' if len(ids) == 1 else 'are'} right"


def other_figure(record, context):
    """The total that does not count, as a sentence; "" if both are the same."""
    own, carried, points = record["own"], record["carried"], counted(record["possible"], "point")
    if own == carried:
        return ""
    if context["course"]["count"] == "carried":
        return f"Errors carried forward cost nothing here: as the code is, {own} of {points}."
    return (
        f"With errors carried forward, so if all that a failing exercise builds on were right: {carried} of {points}."
    )


def standing(record):
    """How many exercises have which status. "" for a hand-in that could not be graded."""
    rows, wrong = record["exercises"], len(to_mend(verdicts(record)))
    passed, waiting, given = (_how_many(rows, status) for status in ("passed", "not_started", "given"))
    not_asked = len(rows) - passed - waiting - given - wrong
    counts = {"to mend": wrong, "not started": waiting, "not asked": not_asked, "given, so without points": given}
    parts = [f"{passed} passed", *(f"{count} {words}" for words, count in counts.items() if count)]
    return f"Of {counted(len(rows), 'exercise')}: {', '.join(parts)}." if rows else ""


def _how_many(rows, status):
    return sum(row["status"] == status for row in rows)


def in_short(record):
    """What a student reads first, for a platform that has room for a line.

    The points and what is left to do, or why it could not be graded; then the marks that somebody gave.
    """
    marks = (f"{sentence} {comment}".rstrip() for sentence, comment in marked_by_hand(record))
    if is_graded(record):
        return " ".join([f"{score(record)}.", *filter(None, [standing(record)]), *marks])
    return " ".join([*chain.from_iterable(sentences for _, sentences in obstacles(record)), *marks])


def obstacles(record):
    """[(heading, sentences)] of what stood in the way of grading: what a student has to read before all else."""
    found = []
    if record["status"] == "malformed":
        found.append(("This could not be graded", [visible(record["malformed"])]))
    if record["renamed"]:
        found.append(("Files that do not count", list(map(_renamed, *zip(*record["renamed"].items())))))
    if record.get("trouble"):
        found.append(("The grading of this was not finished", [NOT_ASKED]))
    return found


def _renamed(name, others):
    was, does = ("was", "does") if len(others) == 1 else ("were", "do")
    instead = f"{visible(listed(others))} {was}, and {does} not count."
    return f"{name} was not in your hand-in; {instead} Give it the name {name}, and hand in again."


def hand_in(record, context):
    """Sentences about what was handed in."""
    submission = record["submission"]
    yield from filter(None, [together(record["student"], context)])
    yield several(record["student"], context) or f"What counts is {visible(submission['name'])}."
    if submission["submitted"]:
        yield f"Handed in {submitted(record)}, according to {visible(submission['time_from'])}."
    if submission["late"]:
        yield lateness(record, context)
    if submission["extended"]:
        yield extension(record)
    if submission["marked_late"]:
        marked = submission["marked_late"]
        yield f"{marked[:1].upper()}{marked[1:]} marks it as late."
    yield from map(visible, record["notes"])
    if submission["digest"] and record["status"] != "malformed":
        yield f"The SHA-256 of its files begins with {visible(submission['digest'])[:16]}."


def together(student, context):
    """Who handed in together, as a sentence; "" if the student did alone."""
    return visible(context["together"].get(student, ""))


def several(student, context):
    """Which of several hand-ins counts, as a sentence; "" if there was one."""
    sentence = context["several"].get(student, "")
    return visible(sentence[:1].upper() + sentence[1:])


def submitted(record):
    """When it was handed in, as people write it; "" if nothing says so."""
    when = record["submission"]["submitted"]
    return moment(when) if when else ""


def late(record, context):
    """What came late, and who says so: "notebooks 02, 04", "late (Canvas)", both, or ""."""
    marked = record["submission"]["marked_late"]
    return "; ".join(filter(None, [late_notebooks(record, context), marked and f"late ({marked})"]))


def late_notebooks(record, context):
    """Which came late: "", "all notebooks", or such as "notebooks 02, 04"."""
    late = record["submission"]["late"]
    if late and set(late) >= set(context["course"]["notebooks"]):
        return "all notebooks"
    return f"{plural('notebook', len(late))} {', '.join(sorted(late))}" if late else ""


def lateness(record, context):
    """What came late, and when it was due."""
    dates = context["course"].get("due", {}) | record["submission"]["extended"]
    due = {dates.get(number, dates.get("")) for number in record["submission"]["late"]} - {None}
    times = listed(map(moment, sorted(due, key=datetime.fromisoformat)))
    hours = f" by {counted(most_hours(record), 'hour')}" if record["submission"]["hours_late"] else ""
    return f"Late: {late_notebooks(record, context)}{hours}." + (f" Due was {times}." if times else "")


def extension(record):
    """Which notebooks the student had more time for, and until when."""
    dates = record["submission"]["extended"].items()
    return f"Extension: {listed(f'notebook {number} until {moment(date)}' for number, date in dates)}."


def is_overridden(row):
    """Did somebody give other points for this exercise, or the same ones?"""
    return "mark" in row and row["mark"]["points"] is not None


def marked_by_hand(record):
    """(sentence, comment) of each mark that somebody gave, in the order of the course, then of other work."""
    for row in record["exercises"]:
        if mark := row.get("mark"):
            points = f"{row['earned']} of {counted(row['points'], 'point')}"
            instead = f" by hand; the check gave {mark['check']}" if is_overridden(row) else ""
            yield f"{row['id']} {row['title']}: {points}{instead}.", visible(mark["comment"])
    for item in record["marks"]:
        most = counted(item["of"], "point")
        points = f"not marked yet ({most})" if item["points"] is None else f"{item['points']} of {most}"
        yield f"{visible(item['item'])}: {points}.", visible(item["comment"])


def requests(record):
    """(what was asked, what was decided) of each regrade request, as sentences."""
    for item, asked in record.get("requests", {}).items():
        for request in asked:
            yield requested(item, request), decided(request)


def requested(item, request):
    """Such as: 2.1, regrade request of 2026-12-04 10:31: I meant the other one."""
    return f"{visible(item)}, regrade request of {moment(request['when'])}: {visible(request['text'])}"


def decided(request):
    """What was decided, when, by whom, and what it changed."""
    if not request["decided"]:
        return "Not decided yet."
    before, after = request["points"] or "no points", request["decided_points"] or "no points"
    changed = f"{before}, as before" if before == after else f"{after} instead of {before}"
    who = f"{moment(request['decided_when'])} by {visible(request['decided_by'])}"
    return f"Decided {who} ({changed}): {visible(request['decided'])}"


def other_column(context):
    """The heading of the points that do not count."""
    return "As it is" if context["course"]["count"] == "carried" else "Errors carried forward"


def which_counts(context):
    """Which of the two figures is the mark."""
    if context["course"]["count"] == "carried":
        return (
            "What counts are the points with errors carried forward: as if all that an exercise builds on were right."
        )
    return "What counts are the points for the code as it was handed in, not those with errors carried forward."


def how_graded(record):
    """Sentences about how one hand-in was graded."""
    yield "The questions are those of make check. Their numbers were drawn afresh for this grading."
    yield (
        "An exercise earns points in proportion to the questions answered correctly, rounded down. A question left "
        "open because the code had to be stopped counts as wrong. An exercise earns nothing if the only right answers "
        "are those that are the same in every check and the others do not depend on what is asked: then they were "
        "learnt by heart. It also earns nothing if its derivatives were found by nudging instead of by a rule."
    )
    if record["isolation"]:
        yield f"Isolation while your code ran: {visible(record['isolation']).rstrip('.')}."


def idea(id, misconception):
    """What a learner with this misconception is told; "" if this course does not know it."""
    try:
        found = idea_named(catalogue.exercise(id), misconception)
    except UsageError:
        return ""
    return found.words if found else ""


def difference(id, misconception):
    """Its lines beside the right ones, for the teacher; none if several may be meant, or it has none."""
    found = idea(id, misconception) and idea_named(catalogue.exercise(id), misconception)
    return [f"    {line}" for line in difference_of(found)] if found and is_one(found) else []


def title(id):
    """Such as: 2.1 Value.__mul__."""
    try:
        return f"{id} {catalogue.exercise(id).title}"
    except UsageError:
        return id


def sharing(students):
    """Such as: shared by these two alone, or: 5 students have something of it."""
    return "nobody else has it" if students == 2 else f"{students} have something of it"


def similar(found):
    """How many hand-ins are alike, as a sentence."""
    same = sum(map(len, found.identical))
    return f"{counted(same, 'hand-in')} with the same files as another, {counted(len(found.pairs), 'pair')} to look at."


def alike(pair):
    """What two have in common, as a sentence."""
    ids = listed([answer.id for answer in pair.answers], MOST_LISTED)
    alone = sum(answer.sharing == 2 for answer in pair.answers)
    rest = f" What they share in {alone} of them nobody else has." if alone else ""
    return f"They share what few others wrote in {counted(len(pair.answers), 'exercise')}: {ids}.{rest}"


def hand_ins(tally):
    """Such as: 30 hand-ins: 29 graded, 1 cannot be graded, 3 late. 2 students on the roster handed in nothing."""
    missing, unknown = (len(tally.context.get(who, ())) for who in ("missing", "unknown"))
    parts = [f"{tally.graded} graded"]
    for count, words in ((len(tally.malformed), "cannot be graded"), (len(tally.late), "late")):
        parts += [f"{count} {words}"] if count else []
    sentence = f"{counted(tally.handed_in, 'hand-in')}: {', '.join(parts)}."
    nothing = f" {counted(missing, 'student')} on the roster handed in nothing." if missing else ""
    return sentence + nothing + (f" {unknown} not on the roster." if unknown else "")


def other_course(tally):
    """A sentence if most hand-ins were made with another version of the course than they are graded with. Or ""."""
    named = tally.made_with.total()
    (version, possible), count = next(iter(tally.made_with.most_common(1)), (("", None), 0))
    course, ours = tally.context["course"], tally.context["version"]
    if version == ours or 2 * count <= named:
        return ""
    made = f"{_so_many(count, tally.handed_in)} made with version {version} of the course"
    made += f" ({counted(possible, 'point')})" if possible is not None else ""
    total = counted(course["possible"], "point")
    if course["edition"] == "full":
        return f"{made}; you grade the whole course ({total}). Did you forget --course?"
    return f"{made}; you grade with version {ours} ({total}). Is --course the one that the students were given?"


def _so_many(count, all):
    if count < all:
        return f"{count} of {all} hand-ins {'was' if count == 1 else 'were'}"
    return f"All {all} hand-ins were" if all > 1 else "The hand-in was"


def middle(tally):
    """The median and the middle half of the points. "" if nobody was graded."""
    if not tally.graded:
        return ""
    sentence = f"Median: {tally.median():g} of {counted(tally.possible, 'point')}."
    half = tally.middle_half()
    return sentence + (f" The middle half of the class has {half[0]:g} to {half[1]:g}." if half else "")


def pass_rate(tally, id):
    """Such as: 3 of 20 who began it passed."""
    return f"{tally.statuses[id]['passed']} of {tally.began(id)} who began it passed"


def summary(tally):
    """The lines at the end of `make grade`."""
    context = tally.context
    yield from filter(None, [other_course(tally), hand_ins(tally), middle(tally)])
    yield from _block("Note:", _notes([*context["notes"], *_several(context)]))
    yield from _block("Hardest:", (f"{title(id)}: {pass_rate(tally, id)}" for id in tally.hardest()))
    shared = [idea for idea in tally.shared_ideas() if len(idea[1]) > 1]
    yield from _block("Shared by most:", map(_shared, shared[:MOST_SHARED]))
    isolation = context.get("isolation", ())
    if len(isolation) > 1:  # of one it was said at the beginning
        yield from (f"Isolation: {visible(sentence)}" for sentence in isolation)
    yield "index.html and grades.csv for you, and a folder with feedback.html for each student."


def several_once(context):
    """{student: which of several hand-ins counts}, of a group once."""
    return {student: said for student, said in context["several"].items() if student not in context["partners"]}


def _several(context):
    return [f"{display_name(student, context)} {said}" for student, said in several_once(context).items()]


def _notes(notes):
    yield from map(visible, notes[:MOST_NOTES])
    if len(notes) > MOST_NOTES:
        yield f"{len(notes) - MOST_NOTES} more are in index.html."


def _shared(item):
    (id, misconception), teams = item
    return f"{counted(sum(map(len, teams)), 'student')}: {misconception} ({title(id)})"


def _block(heading, lines):
    lines = [f"  {line}" for line in lines]
    return [heading, *lines] if lines else []
