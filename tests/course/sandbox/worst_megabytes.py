"""The functions of the trusted side that touch what a stranger sent, each with its worst megabyte. A script: see main.

A case is a function of a size: it makes the input, and returns the call that is measured. In the output stands for each
how many functions were called for PART bytes and for twice as many, and how much memory these took. Work that no call
shows (copying, regular expressions) is bounded by processor time: a megabyte that takes too much ends the process.
"""

import io
import json
import signal
import sys
import tempfile
import tracemalloc
import zipfile
from functools import cache, partial
from pathlib import Path

if __name__ == "__main__":  # elsewhere it would put the learner's package before the reference
    sys.path.insert(0, str(Path(__file__).resolve().parents[3]))

import numpy as np

from grader.asking.answers import DidNotRaise, Form, Raised
from grader.asking.describe import describe
from grader.asking.encoding import MOST_ITEMS
from grader.asking.outcome import Frame, Other, Outcome, Stopped
from grader.asking.wire import HEADER_LIMIT, WireError, read_frame
from grader.asking.wire import size as size_of
from grader.checking import report
from grader.checking.expected import reference_answers
from grader.checking.judging import Judging
from grader.checking.messages import called
from grader.checking.number_patterns import pattern_in
from grader.checking.question import Question
from grader.checking.verdict import Verdict
from grader.classroom.collect import manifest, platforms, safe_names, times
from grader.classroom.collect.hand_in import take
from grader.classroom.collect.limits import Entry, Malformed, safe_path
from grader.classroom.collect.roster import Roster, Student
from grader.classroom.collect.submissions import find
from grader.classroom.collect.zips import ZipTree, open_zip
from grader.classroom.pages import feedback, results
from grader.classroom.pages.student_folders import safe_folders
from grader.classroom.run.journal import Journal
from grader.classroom.run.student_record import graded
from grader.course import catalogue
from grader.course.regions import states_of
from grader.course.safe_text import visible
from grader.marking.compare import difference, same
from grader.notebook import report_html
from grader.notebook.learners_graph import as_svg

MEGABYTE, PART = 1 << 20, 1 << 16
SECONDS = 20  # of processor time; the slowest takes about a second
CASES, CONTROLS = {}, {}


def case(function):
    CASES[function.__name__] = function
    return function


# ---- what comes over the pipe


def frame(header, body=b""):
    return len(header).to_bytes(4, "big") + len(body).to_bytes(4, "big") + header + body


def reading(header, body=b""):
    """Read a frame; whatever is in it, a frame or a WireError comes of it."""

    def call():
        try:
            return read_frame(io.BytesIO(frame(header[:HEADER_LIMIT], body)))
        except WireError:
            return None

    return call


def filled(size, piece, start=b"", end=b""):
    """So many bytes: the piece again and again, between a start and an end."""
    return start + piece * ((size - len(start) - len(end)) // len(piece)) + end


def row(piece, start=b"[", end=b"],"):
    """A fifth as many of these in one as may be."""
    return start + piece * (MOST_ITEMS // 5 - 1) + piece[:-1] + end


HEADERS = {
    "lists": (b"[],", b"[", b"1]"),
    "rows_of_lists": (row(b"[],"), b"[", b"1]"),
    "rows_of_numbers": (row(b"9,"), b"[", b"1]"),
    "rows_not_finite": (row(b'{"f":"nan"},'), b"[", b"1]"),
    "rows_of_dicts": (row(b'{"d":[]},'), b"[", b"1]"),
    "rows_of_forms": (row(b'{"r":["Form",{"words":""}]},'), b"[", b"1]"),
    "rows_of_empty_arrays": (row(b'{"a":["<f8",[1000000000,0]]},'), b"[", b"1]"),
    "rows_of_names": (row(b'["\\u0000",1],', b'{"d":[', b"]},"), b"[", b"1]"),
    "exceptions_without": (b'{"r":["DidNotRaise",{"returned":' * 5 + b"1" + b"}]}" * 5 + b",", b"[", b"1]"),
    "layers": (b"[", b"", b""),
    "layers_of_dicts": (b'{"d":', b"", b""),
    "digits": (b"9", b"[", b"]"),
    "digits_of_a_fraction": (b"9", b"[0.", b"e-5]"),
    "escapes": (b"\\u00e9", b'["', b'"]'),
    "axes": (b"9,", b'{"a":["<f8",[', b"0]]}"),
    "one_body": (b'{"a":["|u1",[8388608]]},', b"[", b"1]"),
}  # fmt: skip

for name, (piece, start, end) in HEADERS.items():
    body = bytes(8 << 20) if name == "one_body" else b""
    CASES[f"wire_{name}"] = lambda size, p=piece, s=start, e=end, body=body: reading(filled(size, p, s, e), body)


def answers(size):
    """Values as they come out of the wire, each of about this size."""
    some, many = max(1, size // 4000), size // 4
    text = "'\"\\<b>{x}" * 400
    return {
        "a number": float(size),
        "a long number": (1 << 999) - size,
        "no numbers": [float("nan"), float("inf")] * (size // 22),
        "numbers": [float(n) for n in range(many)],
        "texts": [text] * some,
        "a dict of texts": {f"{n} {text}": text for n in range(some // 2 + 1)},
        "lists in lists": [[[[[text[:40]] * 12] * 12] * 12] * (some // 30 + 1)],
        "steps": [["leaf", "x", 2.0]] + [["+", 0, n] for n in range(size // 14)],
        "numbers and steps": [["leaf", "x", 2.0]] + [["number", 1.0]] * (size // 15) + [["*", 0, 1]] * 9,
        "names of nodes": ["x", "y", "z", "L"] * (many // 4),
        "an array": np.arange(size // 8, dtype=float),
        "a square": np.ones((int((size / 8) ** 0.5),) * 2),
        "truth values": np.zeros(size, "?"),
        "a billion rows": np.zeros((10**9, 0)),
        "sixty axes": np.ones((1,) * 60),
        "arrays": [np.zeros((10**9, 0))] * (size // 31),
        "something else": Other(text, text),
        "an exception": Raised(text, (text,) * some, text, text, True),
        "no exception": DidNotRaise([DidNotRaise(text)] * some),
        "a form": Form(text),
        "an outcome": Outcome([text] * some),
    }


def each_answer(work):
    """A case for each of these values, in one: work(value) is called with all of them."""

    def made(size):
        values = answers(size)
        return lambda: [work(value) for value in values.values()]

    return made


CASES["wire_size"] = each_answer(size_of)
CASES["compare_describe"] = each_answer(describe)
CASES["compare_same"] = each_answer(lambda value: same(value, value))
CASES["number patterns"] = each_answer(
    lambda value: [pattern_in(want, value) for want in (1.0, [1.0, 2.0], np.ones((2, 3)), value)]
)


@case
def compare_difference(size):
    """Two answers of one form, in which the last part differs."""
    pairs = list(zip(answers(size).values(), answers(size - 8).values()))
    return lambda: [difference({"returned": a}, {"returned": b}) and 0 for a, b in pairs]


def verdicts_on(ex, given):
    """The Verdicts on an exercise whose questions are all answered with each of these."""
    right = reference_answers([ex], 0)[ex.id]
    keys = {name for outcome in right.values() for name in outcome.answers}
    found = []
    for answer in given:
        got = {
            ex.id: {
                p.name: Outcome(answer if isinstance(answer, Stopped) else dict.fromkeys(keys, answer))
                for p in ex.probes
            }
        }
        judging = Judging([ex], {}, 0)
        judging.missing(got)
        found += judging.verdicts(got)
    return found


JUDGED = ("0.2", "0.3", "1.5", "2.2", "3.3", "8.1", "9.1", "10.12")


@case
def judge(size):
    exercises, given = [catalogue.exercise(id) for id in JUDGED], answers(size // 8).values()
    for ex in exercises:
        verdicts_on(ex, [0])  # so that the reference is there
    return lambda: [verdicts_on(ex, given) for ex in exercises]


def own_comparisons(number):
    """The comparisons of a notebook's questions."""

    def made(size):
        todo, given = [], answers(size // 4).values()
        for ex in catalogue.exercises_of(number):
            right = reference_answers([ex], 0)[ex.id]
            todo += [(p.compare, right[p.name].answers) for p in ex.probes if p.compare]
        return lambda: [compared(*each, value) for each in todo for value in given]

    return made


def compared(compare, expected, value):
    try:
        return compare(expected, {name: value for name in expected if name not in ("asked", "graph")})
    except Exception as error:  # messages.py says what form the answer has
        return type(error).__name__


for notebook in catalogue.notebooks():
    CASES[f"comparisons_{notebook.number}"] = own_comparisons(notebook.number)


@case
def judge_names_in_names(size):
    """Inputs that hold the names of further inputs in braces."""
    ex = catalogue.exercise("1.1")
    wanted = ("f", "x", "h", "a", "b", "c", "d")
    asked = {name: f"{{{further}}}" * (size // 3000) for name, further in zip(wanted, wanted[1:] + wanted[:1])}
    asked |= {f"more {n}": "text" for n in range(size // 100)}
    got = Outcome({"asked": asked, "returned": 0})
    return lambda: [called(Question(probe, got, Outcome({}))) for probe in ex.probes]


@case
def judge_exceptions(size):
    """Words that regular expressions look for: the beginning of each, over and over."""
    ex, words = (
        catalogue.exercise("2.7"),
        ("'", "'a", "(", "(a", "unexpected keyword argument '", "No module named 'babygrad.", "a."),
    )
    many = (Frame("value.py", 3, "exp", "(" * 4000, True),) * (size // 4100)
    types = ("TypeError", "AttributeError", "ModuleNotFoundError", "NameError", "SyntaxError")
    stops = [
        Stopped(kind, (word * 4000)[:4000] + " not iterable", many, used="file ") for kind in types for word in words
    ]
    stops += [Stopped("E", "1." * 2000, many, stub="1." * 2000), Stopped("E", "", stub="9" * 4000, importing=True)]
    return lambda: verdicts_on(ex, stops)


@case
def learners_graph(size):
    texts = ["<b>" * 1300] * (size // 4000)
    node = ["label", "a", "b", texts, [], "", True]
    shapes = [[node] * (size // 4000), [texts] * 60, [{"a": 1}] * 60, [node] * 60]
    return lambda: [as_svg(nodes) for shape in shapes for nodes in (shape, [shape, True, size], [shape, True, 0])]


@case
def reports(size):
    lines = tuple("`<b>` " * 300 for _ in range(size // 2000))
    verdicts = [Verdict("1.1", "a", "b.py", 2, 1, "failed", lines, None, 1, 2), Verdict("1.2", "`" * size, "b.py", 2)]
    return lambda: (list(report.text(verdicts)), report.as_json(verdicts), report_html.bundle(verdicts))


# ---- what is handed in


def text_case(name, piece, start="", end=""):
    CASES[name] = lambda size: partial(states_of, filled(size, piece.encode(), start.encode(), end.encode()))


text_case("regions_opened_and_closed", "# exercise 1.1\n# end of exercise 1.1\n")
text_case("regions_two_to_a_line", "# exercise 1.1\v# end of exercise 1.1\v")
text_case("regions_never_closed", "# exercise 1.1\n")
text_case("regions_spaces", " ", "", "x")
text_case("regions_spaces_behind", " ", "# exercise 1.1", "x")
text_case("regions_digits", "1", "# exercise 1.", "x")
text_case("regions_lines", "\n", "# exercise 1.1\n", "# end of exercise 1.1")


class Tree:
    """A hand-in in memory."""

    def __init__(self, files):
        self.files = files

    def entries(self):
        return [Entry(safe_path(name)[0], name, None, safe_path(name)[1]) for name in self.files]

    def read(self, chosen, limit):
        return [(entry, self.files[entry.key][: limit + 1]) for entry in chosen]


WANTED = frozenset(ex.file for ex in catalogue.all_exercises())


def taking(tree, **options):
    def call():
        try:
            return take(tree, "ada", WANTED, "1", **options)
        except Malformed as error:
            return error

    return call


@case
def hand_in_of_names(size):
    places = [
        f"{a}{n}/{b}" for n in range(size // 800) for a, b in (("v", "value.py"), ("", "value_" + "1" * 200 + ".py"))
    ]
    places += [f"VALUE_{n}" + "_py" * 60 for n in range(size // 800)] + [
        "../" * 40 + str(n) for n in range(size // 800)
    ]
    return taking(Tree(dict.fromkeys(places, b"x") | {"babygrad/value.py": b"\xff"}))


@case
def hand_in_with_a_long_manifest(size):
    size = min(size // 4, manifest.LARGEST)
    said = [filled(size, b"["), filled(size, b"9"), filled(size, b'"a":1,', b'{"files":{', b'"a":1}}')]
    said += [filled(size, b"x", b'{"course":"', b'","version":1e999}'), filled(size, b"9", b'{"version":', b"}")]
    trees = [Tree({"babygrad/value.py": b"x", "manifest.json": content}) for content in said]
    return lambda: [taking(tree)() for tree in trees]


def archive_case(name, content):
    def call(data):
        try:
            return taking(ZipTree(open_zip(io.BytesIO(data))))()
        except Malformed as error:
            return error

    CASES[name] = lambda size: partial(call, content(size))


def zip_of(size, extra=b"", name="babygrad/{}.py"):
    """A zip file with so large a table of contents."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as packed:
        for number in range(1 + size // (60 + len(name) + 2 * len(extra))):
            info = zipfile.ZipInfo(name.format(number))
            info.extra = extra
            packed.writestr(info, b"")
    return file.getvalue()


archive_case("zip_of_files", zip_of)
archive_case("zip_of_extras", partial(zip_of, extra=b"\1\0\0\0" * 1000))
archive_case("zip_of_long_names", partial(zip_of, name="a/" * 20_000 + "{}"))
archive_case("zip_of_dots", partial(zip_of, name="../" * 300 + "{}.py"))
archive_case("noise", lambda size: b"PK\5\6" * (size // 4))

NAMES = {
    "underscores": "_", "digits": "_1", "platforms": "a_LATE_1_1", "attempts": "_attempt_2026-11-20-14-03-59",
    "dashes": "-a", "stamps": " - Mar 29, 2026 1205 PM", "moodle": "_1_assignsubmission_", "spaces": " ",
    "invisible": "\u202e", "accents": "\u0316\u0301", "ligatures": "\ufdfa", "dots": ".tar.gz",
}  # fmt: skip


def naming(text):
    labels = [platforms.label_of(text[n : n + 255]) for n in range(0, len(text), 255)]
    student = safe_names.identity(platforms.label_of(text).name + labels[-1].name)
    shown = safe_names.shown(text), platforms.stem(text), times.read(text), visible(text)
    return student, shown, safe_folders([student, student + " "]), safe_path(text)


def name_case(name, piece):
    CASES[f"names_of_{name}"] = lambda size: partial(naming, (piece * size)[: size // 2])


for name, piece in NAMES.items():
    name_case(name, piece)


@case
def roster(size):
    """Students whose names stand in the platform's list and on the class's list."""
    people = [Student(str(n), "a", n, {str(n)}, {str(n)}, {"a"}) for n in range(100)]
    labels = [
        platforms.Label(p, text, (text,) if not p else ())
        for text in ((piece * size)[: size // 16] for piece in NAMES.values())
        for p in ("", "Canvas")
    ]
    return lambda: [Roster(people)._student(label) for label in labels]


@case
def roster_file(size):
    rows = ["id,name,first name,last name", *(f'{n},"{"a " * (size // 16)}",{"b-" * (size // 16)},x' for n in range(4))]
    path = Path(tempfile.mkdtemp()) / "roster.csv"
    path.write_text("\n".join(rows))
    return lambda: Roster.read(path)


@case
def gradescopes_list(size):
    lines = ["submission_1:", "  :submitters:"] + ["  - :name: '" + "'" * 300 + "'\n    :sid: " + ": " * 50] * (
        size // 400
    )
    lines += ["'" * 100 + ":" + " " * 4000] * (size // 4000) + [
        "  :created_at: '2026-01-01 00:00:00." + "1" * (size // 4)
    ]
    return partial(platforms.gradescope_labels, "\n".join(lines).encode())


@case
def class_folder(size):
    folder = Path(tempfile.mkdtemp())
    for number in range(size // 2048):
        (folder / f"{'_a-1' * 50}{number:06}.zip").touch()
    return lambda: find(folder)


# ---- what is written


@cache
def a_record():
    """A record with one row, and what the pages know besides."""
    import runpy

    sample = runpy.run_path(str(Path(__file__).parents[1].joinpath("classroom", "sample_class.py")))
    return sample["record"](5), sample["context"]()


def worst_record(size):
    record, context = a_record()
    lines = ["`" * 2000, "    " + "<b>" * 700, "-" * 2000, "\u202e" * 2000, "a-" * 1000, "| `x` " * 300, "_a" * 1000]
    message = "\n".join(line for _ in range(size // 20_000 + 1) for line in lines)
    rows = [{**row, "status": "failed", "message": message, "misconception": None} for row in record["exercises"][:2]]
    notes = ["\u0316<`_*[" * 100] * (size // 1000)
    return {**record, "exercises": rows, "notes": notes, "malformed": message}, context


@case
def pages_of_a_student(size):
    record, context = worst_record(size)
    folder = Path(tempfile.mkdtemp())
    return lambda: (feedback.write(folder, record, context), results.text_of(record, context))


@case
def journal(size):
    record, _ = worst_record(size)

    def call():
        with Journal(Path(tempfile.mkdtemp()) / "journal.jsonl") as kept:
            kept.add(record)
            return kept.get(record["student"])

    return call


@case
def record_of_a_job(size):
    from grader.sandbox.outside.grading import Job

    record, _ = worst_record(size)
    job = Job("a", {}, 0, 0, {}, tuple(row["id"] for row in record["exercises"]), "")
    return lambda: graded({}, job, {"exercises": record["exercises"], "isolation": ""})


# ---- what would be found


def control(function):
    CONTROLS[function.__name__] = function


@control
def the_square_in_calls(size):
    return lambda: [[].append(n) for n in range(size // 256) for _ in range(n)]


@control
def the_square_in_copies(size):
    lines = [b"x" * 16] * (size // 16)
    return lambda: [b"".join(lines)[n:] for n in range(len(lines))] and None


@control
def much_memory(size):
    return lambda: [bytes(4000) for _ in range(size)] and None


# ---- measuring


def calls_of(function):
    """How many functions were called, of Python and of C."""
    count = 0

    def watch(_, event, __):
        nonlocal count
        count += event in ("call", "c_call")

    sys.setprofile(watch)
    try:
        function()
    finally:
        sys.setprofile(None)
    return count


def memory_of(function):
    """The bytes at the peak."""
    tracemalloc.start()
    try:
        function()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def measured(name):
    made = CASES.get(name) or CONTROLS[name]
    made(2048)()  # what is made once is made now
    once, call = calls_of(made(PART)), made(2 * PART)
    found = {"once": once, "twice": calls_of(call), "memory": memory_of(call)}
    made(MEGABYTE)()
    return found


def main(seconds, *wanted):
    """Measure these cases, a line of JSON for each. SIGPROF ends the process at one that takes so many seconds."""
    for name in wanted:
        signal.setitimer(signal.ITIMER_PROF, float(seconds))
        print(json.dumps({name: measured(name)}), flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
