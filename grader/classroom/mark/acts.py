"""What a marker can do: each act is a function from what is there now to Changes.

`seen` is what the page showed of it. Where something else is there now, the act raises Conflict with what it is about.
"""

from dataclasses import replace

from ...course.phrases import counted, listed
from ...course.safe_text import visible
from ...course.usage import UsageError
from ...notebook import answers
from ..marks import rubric
from ..marks.line_comments import LineComment, placed
from ..marks.marks import POINTS, number_of
from ..marks.rubric import POINTS as SIGNED
from ..marks.rubric import Criterion
from ..pages.at_lines import as_cells
from ..pages.handed_in import text_of
from .book import Change, Conflict, cells_of_criterion, cells_of_line, cells_of_maximum

LONGEST = 10_000  # characters of a comment
NAMED = 3


def points(work, now, act):
    """Points that were typed; "" takes them away, and what they were given for."""
    student, item = _who_and_what(work, now, act)
    mark, given = now.mark(student, item.id), _number(act["points"])
    if given is not None and given > _most(item, now):
        raise UsageError(f"{given} points for {item.id}, which has {_most(item, now)}.")
    _demand_seen(shown_points(mark), act, "mark", student=student, item=item.id)
    return [_marked(student, item, mark, replace(mark, points=given, numbers=() if given is None else mark.numbers))]


def use(work, now, act):
    """A criterion of the rubric applies, or does no more."""
    student, item = _who_and_what(work, now, act)
    mark, number, most = now.mark(student, item.id), act["number"], _most(item, now)
    if number not in now.rubric.of_item(item.id):
        raise UsageError(f"{item.id} has no criterion {number}.")
    _demand_seen(shown_points(mark), act, "mark", student=student, item=item.id)
    numbers = tuple(sorted({*mark.numbers} ^ {number}))
    base = base_of(work, student, item)
    before, after = (now.rubric.sum(item.id, some) for some in (mark.numbers, numbers))
    given = rubric.moved(mark.points, base, before, after, most)
    nothing = not numbers and given == base  # neither criteria nor points beside them: not marked
    return [_marked(student, item, mark, replace(mark, points=None if nothing else given, numbers=numbers))]


def comment(work, now, act):
    """The comment on the whole."""
    student, item = _who_and_what(work, now, act)
    mark = now.mark(student, item.id)
    text = _text(act["text"])
    if text != mark.words:
        _demand_seen(mark.words, act, "mark", student=student, item=item.id)
    return [_marked(student, item, mark, replace(mark, words=text))]


def line(work, now, act):
    """The comment at a line; "" takes it away.  act["cell"]: the line's text, as a table has it."""
    student, item = _who_and_what(work, now, act)
    kept, number, text = now.lines_of(student, item.id), int(act["line"]), _text(act["text"])
    found, _ = placed(kept.values(), as_cells(text_of(item.id, work.students[student].folder)))
    old = found.get(number)
    if old is None and number in kept:  # made before another hand-in moved the lines
        if kept[number].text != act["cell"]:
            raise UsageError(f"A comment from before has the number {number}: take that one away first.")
        old = kept[number]
    said = old.comment if old else ""
    if text != said:
        _demand_seen(said, act, "line", student=student, item=item.id, line=number)
    where = {"student": student, "item": item.id, "line": old.line if old else number}
    new = LineComment(number, act["cell"], text) if text else None
    return [Change("line", where, cells_of_line(old), cells_of_line(new))]


def criterion(work, now, act):
    """A new criterion (number: None), another text or other points of one, or none any more (no words, no points).

    Other points change all marks that name it.
    """
    item, criteria = _item(work, now, act), now.rubric.of_item(act["item"])
    number = act["number"] or max(criteria, default=0) + 1
    old, new = criteria.get(number), _criterion(act)
    if act["number"]:
        _demand_seen(cells_of_criterion(old), act, "criterion", item=item.id, number=number)
    using = [(student, mark) for (student, id), mark in now.marks.items() if id == item.id and number in mark.numbers]
    if new is None and using:
        names = listed((work.students[student].name for student, _ in using), NAMED)
        raise UsageError(f"{names} {'has' if len(using) == 1 else 'have'} it: take it off there first.")
    moved = [_moved(work, now, item, each, new.points - old.points) for each in using] if old and new else []
    where = {"item": item.id, "number": number}
    return [*moved, Change("criterion", where, cells_of_criterion(old), cells_of_criterion(new))]


def maximum(work, now, act):
    """How many points an item has that is no exercise."""
    item, most = _item(work, now, act), _number(act["points"])
    declared = now.declared_as(item.id)
    old = now.maxima.get(declared)
    if item.most is not None:
        raise UsageError(f"{item.id} has {counted(item.most, 'point')}; other points are set in course.json.")
    if not most:
        raise UsageError("It needs a number of points, such as 3.")
    _demand_seen(cells_of_maximum(old), act, "maximum", item=declared)
    marks = [(s, mark) for (s, id), mark in now.marks.items() if now.declared_as(id) == declared]
    above = dict.fromkeys(student for student, mark in marks if (mark.points or 0) > most)
    if above:
        names = listed((work.students[student].name for student in above), NAMED)
        raise UsageError(f"{names} {'has' if len(above) == 1 else 'have'} more than {counted(most, 'point')}.")
    return [Change("maximum", {"item": declared}, cells_of_maximum(old), cells_of_maximum(most))]


def request(work, now, act):
    """A regrade request, in the student's words or one's own."""
    return [_about_request("request", False, work, now, act)]


def decision(work, now, act):
    """What was decided about the open one."""
    return [_about_request("decision", True, work, now, act)]


ACTS = {act.__name__: act for act in (points, use, comment, line, criterion, maximum, request, decision)}


def shown_points(mark):
    """What a page shows of a mark's points, to be sent back as seen."""
    return [None if mark.points is None else str(mark.points), list(mark.numbers)]


def base_of(work, student, item):
    """What the criteria add to."""
    return work.check_gave(student, item.id) or 0


def counting(work, now, student, item):
    """The points that count now, as a text; "" for none."""
    mark = now.mark(student, item)
    found = work.check_gave(student, item) if mark.points is None else mark.points
    return "" if found is None else str(found)


def _about_request(what, is_open, work, now, act):
    student, item = _who_and_what(work, now, act)
    asked, text = now.requests_of(student, item.id), _text(act["text"])
    if not text:
        raise UsageError("It needs words.")
    if bool(asked and asked[-1].is_open) != is_open:
        raise UsageError("There is no open request." if is_open else "There is an open request: decide that first.")
    after = {"text": text, "points": counting(work, now, student, item.id)}
    return Change(what, {"student": student, "item": item.id}, None, after)


def _moved(work, now, item, student_and_mark, more):
    """The Change of a mark one of whose criteria gives so many points more."""
    student, mark = student_and_mark
    before, base = now.rubric.sum(item.id, mark.numbers), base_of(work, student, item)
    given = mark.points
    if given is not None:
        given = rubric.moved(given, base, before, before + more, item.most_in(now))
    return _marked(student, item, mark, replace(mark, points=given))


def _marked(student, item, old, new):
    return Change("mark", {"student": student, "item": item.id}, old.cells, new.cells)


def _who_and_what(work, now, act):
    """(student, Item).  Raises UsageError for what is not there."""
    if act["student"] not in work.students:
        raise UsageError("This student is not in the grading any more.")
    return act["student"], _item(work, now, act)


def _item(work, now, act):
    found = work.items(now).get(act["item"])
    if not found:
        raise UsageError("This is not to be marked here any more.")
    return found


def _most(item, now):
    if (most := item.most_in(now)) is None:
        raise UsageError(f"How many points does {item.id} have? Enter that first.")
    return most


def _demand_seen(now, act, what, **where):
    if now != act["seen"]:
        raise Conflict(what, where)


def _number(text):
    """Points, or None for an empty text.  Raises UsageError."""
    text = text.strip()
    if text and not POINTS.fullmatch(text):
        raise UsageError(f"{visible(text)[:30]} is no number of points, such as 3 or 2.5.")
    return number_of(text) if text else None


def _criterion(act):
    given, words = act["points"].strip(), " ".join(_text(act["words"]).split())
    if not given and not words:
        return None
    if not SIGNED.fullmatch(given) or not words:
        raise UsageError("A criterion has points, such as 2 or -1, and words.")
    return Criterion(number_of(given), words)


def _text(text):
    """A marker's words, without what no editor shows.  Raises UsageError for too many."""
    text = answers.tidy(text)
    if len(text) > LONGEST:
        raise UsageError(f"That is {len(text):,} characters. A comment has room for {LONGEST:,}.")
    return text
