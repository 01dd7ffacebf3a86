"""What the pages show: where one is and what comes next, what was written, and what it was given."""

from urllib.parse import urlencode

from ...course.phrases import counted
from ...course.safe_text import message_lines
from ..marks.line_comments import placed
from ..pages import handed_in, words
from ..pages.at_lines import as_cells
from .acts import shown_points
from .book import Conflict, cells_of_criterion, cells_of_maximum
from .work import EXERCISE, KINDS

QUESTION, STUDENT = "question", "student"
KEYS = {
    "n": "the next that is not marked",
    "j, k": "the next, the one before",
    "1 to 9": "a criterion of the rubric",
    "p": "points",
    "c": "the comment",
    "l": "the lines; then Up, Down, and Enter to comment on one",
    "r": "a new criterion",
    "q": "a regrade request",
    "u": "undo your last change",
    "b": "by question, by student",
    "o": "the overview",
    "Ctrl+Enter": "save what you write",
    "Esc": "leave a field",
}


def page(work, now, item="", student="", by=""):
    """(template, values) of the page at an address: a place to mark, or the overview."""
    items, by = work.items(now), by if by == STUDENT else QUESTION
    if item not in items or student not in work.students or item not in _of_student(work, items, student):
        return "marking.html", overview(work, now, items)
    by = by if student in items[item].who else STUDENT
    return "mark.html", place(work, now, items, items[item], work.students[student], by)


def trouble(work, error):
    """The overview of files that cannot be read: what has to be mended first."""
    return {**_frame(work, "Marking"), "notes": [str(error)], "kinds": [], "people": [], "requests": []}


# ---- the overview ----


def overview(work, now, items):
    """For each item how much is marked, and the open requests."""
    kinds = []
    for kind, heading in KINDS.items():
        rows = [_row(items[id], now) for id in items if items[id].kind == kind]
        kinds += [(heading, rows)] if rows else []
    asked = [
        (items[id].title, student, some[-1].text, _address(id, student.id, STUDENT))
        for student in work.students.values()
        for id, some in now.requests.get(student.id, {}).items()
        if id in _of_student(work, items, student.id) and some[-1].is_open
    ]
    people = [(student, own) for student in work.students.values() if (own := _of_student(work, items, student.id))]
    people = [_person(student, [items[id] for id in own], now) for student, own in people]
    return {**_frame(work, "Marking"), "notes": now.notes, "kinds": kinds, "people": people, "requests": asked}


def _row(item, now):
    """(title, how many are marked, of how many, points, address of the first to mark)."""
    left = [student for student in item.who if not is_marked(now, item, student)]
    address = _address(item.id, (left or item.who)[0], QUESTION)
    return item.title, len(item.who) - len(left), len(item.who), item.most_in(now), address


def _person(student, items, now):
    """(student, how many items are marked, of how many, address of the first)."""
    marked = sum(is_marked(now, item, student.id) for item in items)
    return student, marked, len(items), _address(items[0].id, student.id, STUDENT)


# ---- a place ----


def place(work, now, items, item, student, by):
    """One student's answer to one question, or code of one exercise."""
    text = handed_in.text_of(item.id, student.folder)
    cells = as_cells(text)
    found, gone = placed(now.lines_of(student.id, item.id).values(), cells)
    lines = [(number, line, cell) for (number, line), (_, cell) in zip(text.lines, cells)] if text else []
    row = student.rows.get(item.id)
    message = message_lines(row["message"]) if row else []
    return {
        **_frame(work, f"{item.id}: {student.name}"),
        **_ways(work, now, items, item, student, by),
        **_given_here(work, now, item, student),
        "item": item,
        "student": student,
        "row": row,
        "message": message,
        "text": text,
        "lines": lines,
        "found": found,
        "gone": gone,
    }


def _given_here(work, now, item, student):
    """What stands there of points, rubric, comment and requests, and what of it is sent back as seen."""
    mark, most = now.mark(student.id, item.id), item.most_in(now)
    declared, asked = now.declared_as(item.id), now.requests_of(student.id, item.id)
    criteria = now.rubric.of_item(item.id).items()
    return {
        "most": most,
        "declared": declared if item.most is None else "",
        "seen_most": cells_of_maximum(now.maxima.get(declared)),
        "check_gave": work.check_gave(student.id, item.id),
        "mark": mark,
        "shown_points": shown_points(mark),
        "criteria": [(number, each, number in mark.numbers, cells_of_criterion(each)) for number, each in criteria],
        "requests": [(words.requested(item.id, vars(each)), words.decided(vars(each)), each) for each in asked],
    }


def _ways(work, now, items, item, student, by):
    """Where one can go from here, and how far one is."""
    row = _in_order(work, items, by)
    at = row.index((item.id, student.id))
    around = row[at + 1 :] + row[:at]
    alike = [(id, who) for id, who in around if items[id].kind == item.kind and who in items[id].who]
    unmarked = [(id, who) for id, who in alike if not is_marked(now, items[id], who)]
    if by == STUDENT:
        beside = [(id, items[id].title, items[id], student.id) for id in _of_student(work, items, student.id)]
    else:
        beside = [(who, work.students[who].name, item, who) for who in item.who]
    marked = sum(is_marked(now, each, who) for _, _, each, who in beside)
    return {
        "by": by,
        "other": _address(item.id, student.id, QUESTION if by == STUDENT else STUDENT),
        "previous": _address(*row[at - 1], by) if at else "",
        "next": _address(*row[at + 1], by) if at + 1 < len(row) else "",
        "unmarked": _address(*unmarked[0], by) if unmarked else "",
        "beside": [
            (name, _given(now, each, who), _address(each.id, who, by), (each.id, who) == (item.id, student.id))
            for _, name, each, who in beside
        ],
        "marked": marked,
    }


def _in_order(work, items, by):
    """All (item, student), as one goes through them."""
    if by == STUDENT:
        return [(id, student) for student in work.students for id in _of_student(work, items, student)]
    return [(item.id, student) for item in items.values() for student in item.who]


def _of_student(work, items, student):
    """The ids of the items that a student can be marked for: all of them without a hand-in."""
    return [id for id, item in items.items() if work.students[student].absent or student in item.who]


def is_marked(now, item, student):
    """Has somebody given points, or said anything about the code of an exercise?"""
    mark = now.mark(student, item.id)
    return mark.points is not None or (
        item.kind == EXERCISE
        and not mark.refused
        and bool(mark.words or mark.numbers or now.lines_of(student, item.id))
    )


def _given(now, item, student):
    """What a list says beside a name."""
    points = now.mark(student, item.id).points
    if points is not None:
        return counted(points, "point")
    return "commented" if is_marked(now, item, student) else ""


def _address(item, student, by):
    return f"/?{urlencode({'item': item, 'student': student, 'by': by})}"


def _frame(work, title):
    return {"title": title, "grading": work.name, "keys": KEYS, "words": words}


# ---- what is said after an act ----


def done(work, changes):
    """What was written, in words."""
    return f"Saved: {_what(work, changes)}." if changes else "Nothing has changed."


def undone(work, changes):
    """What was taken back, in words."""
    return f"Taken back: {_what(work, changes)}."


def refused(error):
    """Why nothing was written."""
    if not isinstance(error, Conflict):
        return f"Not saved. {error}"
    return f"Not saved: {error}. The page shows it now."


def _what(work, changes):
    last = changes[-1]
    kinds = {"line": "comment at a line", "criterion": "rubric", "request": "regrade request"}
    said = f"{kinds.get(last.what, last.what)}, {last.where['item']}"
    if student := work.students.get(last.where.get("student")):
        return f"{said} of {student.name}"
    marks = len(changes) - 1
    follow = "follows" if marks == 1 else "follow"
    return f"{said} ({counted(marks, 'mark')} {follow})" if marks else said
