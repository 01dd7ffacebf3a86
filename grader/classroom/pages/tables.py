"""grades.csv for a spreadsheet and grades.jsonl for programs, written record by record.

grades.csv is made for Excel and LibreOffice, and read by csv and pandas as well:
- UTF-8. If it holds anything but ASCII it begins with a byte order mark, without which Excel takes it for the
  encoding of the machine. Python reads both kinds with encoding="utf-8-sig", pandas as it is.
- Commas between the cells, one line for each student: line breaks within a cell become spaces.
- A text that a spreadsheet could take for a formula gets an apostrophe in front. Numbers are numbers. The text as it
  was stands in grades.jsonl.
"""

import csv
import io
import json
import re
from itertools import chain

from ...course.atomic import replacing, write_atomically
from ...course.safe_text import cut, visible
from ...course.settings import Settings
from ..marks.late import most_hours
from ..marks.marks import earned_in
from . import words
from .tally import renamed

LONGEST_CELL = 5000  # characters; a spreadsheet takes 32,767
BEFORE = ["student", "name"]
AFTER = ["own", "carried", "carried on"]
AFTER += ["submitted", "late", "hours late", "status", "misconceptions", "seed", "notes"]
# At the start of a cell, and behind what divides cells for a spreadsheet that is set to another language.
FORMULA = re.compile(r"""(^\s*|[,;|"']\s*)(?=[=+\-@＝＋－＠﹢﹣﹦﹫])""")


def write(out, records, context):
    """Write out/grades.csv and out/grades.jsonl."""
    with replacing(out / "grades.jsonl") as new, new.open("w", encoding="utf-8", newline="\n") as file:
        marked = (record for record in _without_hand_in(context) if earned_in(record) is not None)
        for record in chain(records, marked):
            file.write(json.dumps({**record, **_who(record["student"], context)}) + "\n")
    write_atomically(out / "grades.csv", csv_text(rows(records, context)))


def _who(student, context):
    """What make term needs to know beside the record."""
    return {"name": words.display_name(student, context), "section": context["sections"].get(student, "")}


def csv_text(rows):
    """The rows as a table for spreadsheets: a few hundred characters for each student."""
    table = io.StringIO()
    csv.writer(table, lineterminator="\n").writerows(rows)
    text = table.getvalue()
    return text if text.isascii() else "\ufeff" + text


def rows(records, context):
    """The head, a row for each hand-in, and one for each student of the roster who handed in nothing."""
    ids, items = [ex.id for ex in Settings.from_dict(context["course"]).exercises()], list(context["marks"].maxima)
    totals = ["total", "possible", *["suggested total"] * bool(context["late"])]
    yield [*BEFORE, *ids, *map(cell, items), *totals, *AFTER]
    unknown = set(context.get("unknown", ()))
    for record in records:
        yield _row(record, ids + items, context, record["student"] in unknown)
    for record in _without_hand_in(context):
        student, marks, total = record["student"], record["marks"], record["earned"]
        who, earned = [cell(student), cell(words.display_name(student, context))], _by_item(marks)
        points = [*(earned.get(id, "") for id in ids + items), total, context["possible"]]
        suggested = [total] * bool(context["late"])
        yield [*who, *points, *suggested, total, total, *[""] * 4, "missing", "", "", cell(_by_hand([], marks))]


def _without_hand_in(context):
    """A record for each student of the roster who handed in nothing."""
    return (context["marks"].alone(student, context["possible"]) for student in context.get("missing", ()))


def _by_item(marks):
    """{item: points} of what has points."""
    return {mark["item"]: mark["points"] for mark in marks if mark["points"] is not None}


def _by_hand(rows, marks):
    """What was marked by hand, in words."""
    said = [f"{row['id']} by hand, the check gave {row['mark']['check']}" for row in rows if words.is_overridden(row)]
    comments = [(row["id"], row["mark"]["comment"]) for row in rows if "mark" in row]
    comments += [(mark["item"], mark["comment"]) for mark in marks]
    said += [f"{item}: {comment}" for item, comment in comments if comment]
    return " ".join(words if words.endswith((".", "!", "?")) else f"{words}." for words in said)


def _row(record, ids, context, unknown):
    earned = {row["id"]: row["earned"] for row in record["exercises"]} | _by_item(record["marks"])
    ideas = [f"{row['id']} {row['misconception']}" for row in record["exercises"] if row["misconception"]]
    found = [record["malformed"], *(f"{words}." for words in renamed(record))]
    about = [say(record["student"], context) for say in (words.together, words.several)]
    notes = [*["Not on the roster."] * unknown, *found, *about, *record["notes"]]
    notes.append(_by_hand(record["exercises"], record["marks"]))
    unsure = "" if not context["late"] or record["suggested"] is None else record["suggested"]
    return [
        cell(record["student"]),
        cell(words.display_name(record["student"], context)),
        *(earned.get(id, "") for id in ids),
        record["earned"],
        record["possible"],
        *[unsure] * bool(context["late"]),
        record["own"],
        record["carried"],
        cell(", ".join(f"{row['id']} {row['carried']}" for row in record["exercises"] if row["carried"] > row["own"])),
        cell(words.submitted(record)),
        cell(words.late(record, context)),
        most_hours(record),
        "not finished" if record.get("trouble") else cell(record["status"]),
        cell(", ".join(ideas)),
        record["seed"] if record["exercises"] else "",
        cell(" ".join(filter(None, notes))),
    ]


def cell(words):
    """A text that no spreadsheet computes with, on one line."""
    return FORMULA.sub(r"\1'", cut(visible(words).strip(), LONGEST_CELL))
