"""marks-comments.csv: comments at a line of a student's code or written answer.

    student,item,line,text,comment
    ada,2.1,31,out._slopes = (1, 1),Is that so for a product?

The text is the line's own: after another hand-in the comment is found by it.
"""

from dataclasses import dataclass

from ..collect.safe_names import shown
from .marks import item_named
from .sheet import Sheet

COLUMNS = ("student", "item", "line", "text", "comment")


@dataclass(frozen=True)
class LineComment:
    """line: its number in the file, or in the answer.  text: what stood there, as a cell."""

    line: int
    text: str
    comment: str


def of(sheet, people):
    """({student: {item: [LineComment]}}, sentences about lines that do not count).  people: the People."""
    found, notes = {}, []
    for row in sheet.rows:
        student = people.id(row["student"])
        if student is None:
            notes.append(f"{sheet.place(row)}: {people.unknown(row['student'])}.")
        elif not row["line"].isdecimal() or not row["item"]:
            notes.append(f"{sheet.place(row)}: {shown(row['line'], 30) or 'an empty cell'} is no number of a line.")
        elif row["comment"]:
            comment = LineComment(int(row["line"]), row["text"], row["comment"])
            found.setdefault(student, {}).setdefault(item_named(row["item"]), {})[comment.line] = comment
    return {student: {item: _in_order(each) for item, each in items.items()} for student, items in found.items()}, notes


def read(path):
    """The Sheet at this path; an empty one if there is no file."""
    return Sheet.read(path, COLUMNS) if path.exists() else Sheet()


def placed(comments, lines):
    """({number of a line: its comment}, [LineComment whose line is gone]).  lines: ((number, its text as a cell), ...).

    A comment stays at its number if its text is still there; else it goes where its text now stands once.
    """
    there, places, gone = dict(lines), {}, []
    for number, text in lines:
        places.setdefault(text, []).append(number)
    found = {}
    for comment in comments:
        moved = places.get(comment.text, [])
        number = comment.line if there.get(comment.line) == comment.text else moved[0] if len(moved) == 1 else None
        if number is None or number in found:
            gone.append(comment)
        else:
            found[number] = comment
    return found, gone


def _in_order(comments):
    return [comments[line] for line in sorted(comments)]
