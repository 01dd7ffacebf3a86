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

from ...course.atomic import replacing, write_atomically
from ...course.safe_text import cut, visible
from ...course.settings import Settings
from . import words
from .tally import renamed

LONGEST_CELL = 5000  # characters; a spreadsheet takes 32,767
BEFORE = ["student", "name"]
AFTER = ["total", "possible", "own", "carried", "carried on"]
AFTER += ["submitted", "late", "status", "misconceptions", "seed", "notes"]
# At the start of a cell, and behind what divides cells for a spreadsheet that is set to another language.
FORMULA = re.compile(r"""(^\s*|[,;|"']\s*)(?=[=+\-@＝＋－＠﹢﹣﹦﹫])""")


def write(out, records, context):
    """Write out/grades.csv and out/grades.jsonl."""
    with replacing(out / "grades.jsonl") as new, new.open("w", encoding="utf-8", newline="\n") as file:
        file.writelines(json.dumps(record) + "\n" for record in records)
    write_atomically(out / "grades.csv", csv_text(rows(records, context)))


def csv_text(rows):
    """The rows as a table for spreadsheets: a few hundred characters for each student."""
    table = io.StringIO()
    csv.writer(table, lineterminator="\n").writerows(rows)
    text = table.getvalue()
    return text if text.isascii() else "\ufeff" + text


def rows(records, context):
    """The head, a row for each hand-in, and one for each student of the roster who handed in nothing."""
    ids = [ex.id for ex in Settings.from_dict(context["course"]).exercises()]
    yield [*BEFORE, *ids, *AFTER]
    unknown = set(context.get("unknown", ()))
    for record in records:
        yield _row(record, ids, context, record["student"] in unknown)
    for student in context.get("missing", ()):
        who = [cell(student), cell(words.display_name(student, context))]
        yield [*who, *[""] * len(ids), 0, context["course"]["possible"], 0, 0, *[""] * 3, "missing", *[""] * 3]


def _row(record, ids, context, unknown):
    earned = {row["id"]: row["earned"] for row in record["exercises"]}
    ideas = [f"{row['id']} {row['misconception']}" for row in record["exercises"] if row["misconception"]]
    found = [record["malformed"], *(f"{words}." for words in renamed(record))]
    notes = [*["Not on the roster."] * unknown, *found, words.several(record["student"], context), *record["notes"]]
    return [
        cell(record["student"]),
        cell(words.display_name(record["student"], context)),
        *(earned.get(id, "") for id in ids),
        record["earned"],
        record["possible"],
        record["own"],
        record["carried"],
        cell(", ".join(f"{row['id']} {row['carried']}" for row in record["exercises"] if row["carried"] > row["own"])),
        cell(words.submitted(record)),
        cell(words.late(record, context)),
        "not finished" if record.get("trouble") else cell(record["status"]),
        cell(", ".join(ideas)),
        record["seed"] if record["exercises"] else "",
        cell(" ".join(filter(None, notes))),
    ]


def cell(words):
    """A text that no spreadsheet computes with, on one line."""
    return FORMULA.sub(r"\1'", cut(visible(words).strip(), LONGEST_CELL))
