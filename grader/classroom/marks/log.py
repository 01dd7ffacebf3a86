"""marks-log.jsonl: who changed what, and when: a line for each change. Regrade requests stand in it alone.

    {"when": "2026-12-04T10:31:07.123456+01:00", "who": "mary", "what": "mark", "student": "ada", "item": "2.R1",
     "before": null, "after": {"points": "2", "comment": "[1]"}}

what: a mark, a maximum, a line's comment, a criterion of the rubric, a request, or a decision about one. before, after:
null if there was, or is, none.  undoes: the "when" of what was taken back.
"""

import json
from dataclasses import dataclass, replace
from datetime import datetime


@dataclass(frozen=True)
class Request:
    """A regrade request: what the student says, who entered it; what was decided, "" if nothing is yet.

    points: those that counted when it was entered, and when it was decided; "" for none.
    """

    when: str
    who: str
    text: str
    points: str = ""
    decided: str = ""
    decided_when: str = ""
    decided_by: str = ""
    decided_points: str = ""

    @property
    def is_open(self):
        return not self.decided


def entries(path):
    """What the log holds, in order. What is no entry, such as a line that a power cut cut off, is left out."""
    try:
        lines = path.read_text(encoding="utf-8", errors="replace").split("\n")
    except FileNotFoundError:
        return []
    return [entry for entry in map(_entry, lines) if entry]


def requests(entries):
    """{student: {item: [Request]}}, the earliest first."""
    found, undone = {}, {(e["who"], e["undoes"]) for e in entries if "undoes" in e}
    for entry in entries:
        if entry["what"] not in ("request", "decision") or (entry["who"], entry["when"]) in undone:
            continue
        after = entry["after"] or {}
        asked = found.setdefault(entry["student"], {}).setdefault(entry["item"], [])
        when, who, text, points = entry["when"], entry["who"], after.get("text", ""), after.get("points", "")
        if entry["what"] == "request" and text:
            asked.append(Request(when, who, text, points))
        elif text and asked and asked[-1].is_open:
            decided = {"decided": text, "decided_when": when, "decided_by": who, "decided_points": points}
            asked[-1] = replace(asked[-1], **decided)
    return {student: {item: some for item, some in items.items() if some} for student, items in found.items()}


def line(entry):
    """An entry as it stands in the log."""
    return json.dumps(entry, ensure_ascii=False) + "\n"


def _entry(text):
    try:
        entry = json.loads(text)
        said = {name: str(entry[name]) for name in ("when", "who", "what")}
        datetime.fromisoformat(said["when"])
        named = {name: str(entry.get(name, "")) for name in ("student", "item")}
        known = all(entry[name] is None or isinstance(entry[name], dict) for name in ("before", "after"))
        return {**entry, **said, **named} if known else None
    except (ValueError, KeyError, TypeError, AttributeError):
        return None
