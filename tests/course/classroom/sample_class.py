"""A class of thirty: real messages from known misconceptions, and names and texts that want to break what shows them.

records() and context() are what `make grade` hands to the pages. Page reads a page as a browser would.
"""

import hashlib
import random
import re
from functools import cache
from html.parser import HTMLParser

from grader.checking.question import Question
from grader.checking.reference import misconceived, reference_answers
from grader.checking.verdict import judge
from grader.classroom.marks.marks import Marks
from grader.classroom.pages.student_folders import safe_folders
from grader.classroom.similar.compare import Similar
from grader.course import catalogue
from grader.course.settings import Settings

DUE = "2026-12-01T23:59:00+01:00"
NAMES = [
    "Ada Lovelace", "Zoë Müller", "=cmd|' /C calc'!A0", "+1+1", "-2+3", "@SUM(A1)", "＝1+1", "\t=tab", "two\nlines",
    "<script>alert(1)</script>", '"><img src=x onerror=alert(1)>', "O'Brien, \"Pat\"", "a;=1+1", "`tick` | pipe",
    "gpj.\u202eexe", "half \ud800 character", "\x1b[31mred", "נועה לוי", "محمد علي", "李小龍", "N" * 300,
    "Zal" + "\u0316\u0317\u0318\u0319" * 30 + "go", "&lt;b&gt; &amp;", "[link](javascript:alert(1))", "https://evil.example",
    "Ben", "Cleo", "Dov", "Eve", "Finn",
]  # fmt: skip
HOSTILE = "\n".join(
    [
        "Called mul(a, b).",
        "Your code stopped in babygrad/value.py, line 88, in mul.",
        "    </code></p><script>alert('code')</script>",
        "ValueError: <script>alert('text')</script> `<b>` ```",
        "```",
        "~~~ </details> --> ]]> | \u202e right to left \x1b[31m \ud800 \x00 \u2028",
        "x" * 5000,
        "# heading [link](javascript:alert(2)) ![image](https://evil.example/x.png)",
    ]
)
DIED = "Called mul(a, b).\nNo answer within 10 seconds. The process was stopped.\nLook for a loop that never ends."


def context(**changes):
    """What the pages know besides the records."""
    settings = Settings.of_the_whole_course().as_dict() | {"due": {"": DUE}}
    students = [student(number) for number in range(len(NAMES))]
    return {
        "course": settings,
        "titles": {ex.id: ex.title for ex in catalogue.all_exercises()},
        "isolation": ["user, network, pid, mount and ipc namespaces; Landlock; seccomp; limits on memory and time."],
        "seeds": [11, 22, 33],
        "missing": ["s90", "=missing()"],
        "unknown": [student(3)],
        "names": dict(zip(students, NAMES)) | {"s90": "Gina Nowhere"},
        "folders": safe_folders(students),
        "notes": ["notes.txt is no hand-in and was skipped."],
        "marks": Marks({}),
        "late": None,
        "have_prediction": 2,
        "possible": settings["possible"],
        "several": {},
        "sections": {},
        "together": {},
        "partners": {},
        "before": None,
        "similar": Similar(),
        "grader": "abc123",
        "version": "0.1.0",
    } | changes


@cache
def records():
    """The records of the class, in order of their students."""
    return [record(number) for number in range(len(NAMES))]


def student(number):
    """An id; some are as hostile as the names."""
    return NAMES[number] if number in (2, 9, 12) else f"s{number:02}"


def record(number, **changes):
    """One record: better students have lower numbers; the last hand in less."""
    rows = [] if number == 28 else exercises(number)
    return {
        "student": student(number),
        "submission": {
            "name": f"{NAMES[number]}.zip",
            "digest": hashlib.sha256(bytes([number])).hexdigest(),
            "submitted": "2026-12-02T08:30:00+01:00" if number in (4, 8, 15) else "2026-11-30T18:00:00+01:00",
            "time_from": "the newest file in the archive",
            "marked_late": "",
            "late": list(late := context_notebooks() if number in (4, 8) else ["02", "03"] if number == 15 else []),
            "hours_late": dict.fromkeys(late, 8.52),
            "extended": {},
        },
        "notes": ["Of 2 hand-ins the last counts.", "evil/\u202e\n../x.py was skipped."] if number in (5, 12) else [],
        "renamed": {},
        "made_with": {},
        "status": "graded" if rows else "malformed",
        "malformed": "" if rows else "The archive <b>broken</b>.zip ends in the middle: it cannot be opened.",
        **{figure: sum(row[figure] for row in rows) for figure in ("earned", "own", "carried")},
        "possible": sum(ex.points for ex in catalogue.all_exercises()),
        "seed": [11, 22, 33][number % 3],
        "seed_set": number % 3,
        "isolation": "namespaces, Landlock, seccomp, limits" if rows else "",
        "grader": "abc123",
        "exercises": rows,
        "marks": [],
    } | changes


def context_notebooks():
    return [nb.number for nb in catalogue.notebooks()]


def exercises(number):
    """The rows of one student."""
    if number == 0:
        return [row(ex, "passed") for ex in catalogue.all_exercises()]
    chance, rows = random.Random(number), []
    end = 99 - 3 * number
    for place, ex in enumerate(catalogue.all_exercises()):
        if place >= end:
            rows.append(row(ex, "not_started", f"Open babygrad/{ex.file} and fill in exercise {ex.id}."))
        elif ex.id == "2.1" and number in (9, 10):
            rows.append(row(ex, "error", HOSTILE, right=1))
        elif ex.id in ("2.3", "2.4", "2.5") and number == 13:
            rows.append(
                row(
                    ex,
                    "error",
                    "Python could not read babygrad/value.py, line 3.\n    def f(\nSyntaxError: '(' was never closed",
                )
            )
        elif ex.id == "3.3" and number in (6, 7):
            rows.append(row(ex, "timeout", DIED, right=1))
        elif ex.id == "1.2" and number % 7 == 3:
            rows.append(row(ex, "given"))
        elif chance.random() < 0.12 and place % 4 == 1:
            rows.append(misconceived_row(ex.id, chance.choice([0, 0, 0, 1])))
        else:
            rows.append(row(ex, "passed"))
    return [_carried(each) if number == 13 else each for each in rows]


def _carried(row):
    """A failing exercise that is right but for what it builds on; those of a broken file, but for the file."""
    if row["status"] not in ("failed", "error"):
        return row
    return {**row, "carried": row["points"], "once": ["value.py"] if row["status"] == "error" else ["0.1"]}


def row(ex, status, message="", misconception=None, right=0):
    """A row of a record."""
    asked = len(ex.probes)
    own = ex.points if status == "passed" else ex.points * min(right, asked - 1) // asked
    return {
        "id": ex.id,
        "title": ex.title,
        "file": ex.file,
        "points": ex.points,
        "earned": own,
        "own": own,
        "carried": own,
        "status": status,
        "message": message,
        "misconception": misconception,
        "right": asked if status == "passed" else min(right, asked - 1),
        "asked": asked,
        "counted": asked if status == "passed" else min(right, asked - 1),
        "hint": True,
    }


@cache
def misconceived_row(id, which):
    """What the checks really say of a known misconception (they name it: test_exercises.py)."""
    ex = catalogue.exercise(id)
    known = catalogue.misconceptions_of(ex)
    if not known:
        return row(ex, "passed")
    right = reference_answers([ex], 0)[ex.id]
    for wrong in known[which:] + known:  # the first that answers, and is not stopped
        questions = [Question(p, misconceived(ex, wrong, p, 0), right[p.name]) for p in ex.probes]
        verdict = judge(ex, questions, "changed", wrong)
        if verdict.status == "failed":
            break
    return row(ex, verdict.status, verdict.message, verdict.misconception, verdict.right)


class Page(HTMLParser):
    """What a page is made of: its words, tags, links and whatever has no place in it."""

    TAGS = re.findall(
        r"\w+",
        "html head meta title style body main nav section article header h1 h2 h3 p ul ol li dl dt dd div span strong "
        "small code pre mark h4 fieldset legend label input a bdi wbr table caption thead tbody tr th td svg rect "
        "polyline circle details summary br",
    )
    ATTRIBUTES = re.findall(
        r"\S+",
        "lang charset http-equiv content name id class dir href scope aria-label aria-hidden role viewbox "
        "preserveaspectratio x width height type for checked colspan points cx cy r",
    )

    def __init__(self, html):
        super().__init__()
        self.pieces, self.tags, self.links, self.ids, self.faults = [], [], [], set(), []
        self.feed(html)
        self.close()
        self.faults += [f"hidden: {c!r}" for c in html if not (c.isprintable() or c == "\n")]

    @property
    def words(self):
        """All that is read, with single spaces."""
        return re.sub(r"\s+", " ", "".join(self.pieces))

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.pieces.append("" if tag == "wbr" else " " if tag != "bdi" else "")
        self.faults += [f"<{tag}>"] if tag not in self.TAGS else []
        for name, value in attrs:
            self.faults += [f"{name}={value!r}"] if name not in self.ATTRIBUTES else []
            self.links += [value] if name == "href" else []
            self.ids |= {value} if name == "id" else set()

    def handle_data(self, data):
        self.pieces.append("" if self.tags and self.tags[-1] == "style" and "{" in data else data)
