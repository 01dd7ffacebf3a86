"""Attacks on the pipe by which answers come back: forged, replayed, broken and endless frames, and all descriptors."""

import textwrap

from attack import Attack, at_top, into

from grader.asking.wire import BYTES_LIMIT, HEADER_LIMIT

# What an attacker writes to speak on the pipe. ANSWERS is its descriptor, found among all that are open.
FOUND = """
import os
import stat


def pipes():
    import fcntl

    for number in range(64):
        try:
            if stat.S_ISFIFO(os.fstat(number).st_mode) and fcntl.fcntl(number, fcntl.F_GETFL) & os.O_WRONLY:
                yield number
        except OSError:
            continue


ANSWERS = next(pipes())


def raw(data):
    while data:
        data = data[os.write(ANSWERS, data):]

"""
# In the pipe's own language (wire.py, encoding.py): whatever cannot be read ends the conversation, and tries nothing.
SPOKEN = """
import json
import math
import struct


def send(message, body=b"", sizes=None):
    header = message if isinstance(message, bytes) else json.dumps(message).encode()
    raw(struct.pack(">II", *(sizes or (len(header), len(body)))) + header + body)


def number(x):
    return x if type(x) is not float or math.isfinite(x) else {"f": repr(x)}


def table(**fields):
    return {"d": list(fields.items())}


def array(dtype, shape):
    return {"a": [dtype, shape]}


def record(kind, **fields):
    return {"r": [kind, fields]}


def outcome(answers):
    return record("Outcome", answers=answers, printed="")


def begin(id, **more):
    send(table(begin=id, **more))


def answer(id, probe, answers, body=b""):
    send(table(exercise=id, probe=probe, outcome=outcome(answers)), body)


FIRST = "a_curve_and_a_wide_nudge"
OTHERS = ["a_curve_and_a_wide_nudge", "a_line_that_falls", "the_bottom_of_a_valley", "a_curve_at_a_random_place",
          "a_nudge_that_is_not_given"]
"""
PIPE = FOUND + SPOKEN

FRAMES = {
    "done_at_once": (
        "It says that all is answered before anything was.",
        "send(table(done=True))",
    ),
    "done_oddly": (
        "It says that it is done by an array, a list and a text.",
        """
        send(table(done=array("<f8", [2])), bytes(16))
        send(table(done=[1]))
        send(table(done="yes"))
        """,
    ),
    "begin_oddly": (
        "It begins an array, a list, a dict, None, and exercises that there are not.",
        """
        for odd in (array("<f8", [2]), ["1.1"], table(x=1), None, "99.9", 1):
            send(table(begin=odd, probe=odd, importing=odd), bytes(48))
        """,
    ),
    "begin_again": (
        "It begins earlier exercises and the same one again and again, to have their time anew, and works meanwhile.",
        """
        for _ in range(30):
            begin("0.2")
            begin("1.1")
            begin("1.1", probe=FIRST)
            for _ in range(3 * 10**6):
                pass
        """,
    ),
    "begin_the_honest_and_die": (
        "It says that it imports another file, and then that it asks another exercise, and ends.",
        """
        begin("2.1", importing="value.py", probe="two_numbers")
        """,
    ),
    "answers_for_others": (
        "It answers questions of other exercises, wrongly, and some that there are not.",
        """
        for id in ("0.2", "2.1", "1.1", "9.9"):
            for probe in ("equal_shapes", "random_shapes", FIRST, "two_numbers", "asked", "", "x" * 4000):
                answer(id, probe, table(returned=0))
        begin("2.1")
        answer("2.1", "two_numbers", table(returned=0))
        """,
    ),
    "outcomes_of_other_kinds": (
        "In the place of an outcome stand numbers, texts, arrays and records.",
        """
        odds = (5, "passed", array("<f8", [2]), [], table(answers=1), record("Form", words="x"), None)
        for probe, odd in zip(OTHERS + OTHERS, odds):
            send(table(exercise="1.1", probe=probe, outcome=odd), bytes(16))
            send(table(exercise=odd, probe=odd, outcome=odd), bytes(48))
        """,
    ),
    "answers_of_other_kinds": (
        "In the place of named answers stand a number, a list, an array, a form.",
        """
        for probe, odd in zip(OTHERS, (None, 1.5, [1], outcome(1), array("<f8", [2]))):
            answer("1.1", probe, odd, bytes(16))
        """,
    ),
    "asked_is_no_dict": (
        "What it says it was asked is a number, a list, and a text of megabytes.",
        """
        for probe, odd in zip(OTHERS, (5, [1] * 3, None, table(x="{x}" * 1300))):
            answer("1.1", probe, table(asked=odd, returned=0))
        """,
    ),
    "records_of_wrong_types": (
        "Records with fields of wrong types, missing fields and fields too many.",
        """
        for fields in ({}, {"words": 3}, {"words": "x", "more": 1}, {"words": table()}):
            send(table(x=record("Form", **fields)))
        """,
    ),
    "records_of_unknown_kinds": (
        "Records of classes that are none of the wire's.",
        """
        send(table(x=record("Died", kind="passed")))
        send(table(x=record("__import__")))
        """,
    ),
    "an_unknown_stub": (
        "An exception claims to come from exercises with odd names.",
        """
        for probe, stub in zip(OTHERS, ("abc", "x.y", "1", "9" * 4000, "99.99")):
            answer("1.1", probe, record("Stopped", type="", message="x" * 4000, frames=[], stub=stub, used="file ",
                                        importing=False))
        """,
    ),
    "a_type_without_a_name": (
        "Objects whose types have no name, in layers.",
        """
        other = record("Other", type="", text="")
        for probe, odd in zip(OTHERS, (other, record("DidNotRaise", returned=other), [other])):
            answer("1.1", probe, table(returned=odd))
        """,
    ),
    "html_and_megabytes": (
        "Answers with HTML, terminal codes and as much text as a frame takes.",
        """
        text = "<script>alert(1)</script>\\x1b[2J" * 130
        names = {"<b>" * 1000 + str(i): text for i in range(30)}
        for probe, odd in zip(OTHERS, (text, [[text] * 7] * 7, table(**names))):
            answer("1.1", probe, table(returned=odd))
        """,
    ),
    "odd_numbers": (
        "NaN, infinities, ints of three hundred digits, truth values, as everything.",
        """
        for probe, odd in zip(OTHERS, (float("nan"), float("inf"), (1 << 999), -(1 << 999), True)):
            answer("1.1", probe, table(returned=number(odd)))
        """,
    ),
    "numbers_too_long_for_python": (
        "An int with a hundred thousand digits stands in the header.",
        'send(b\'{"d": [["x", \' + b"9" * 100_000 + b"]]}")',
    ),
    "odd_arrays": (
        "Arrays of objects, of sizes that do not fit, outside of the body, with a thousand axes.",
        """
        for dtype in ("|O8", "<f16", "<c16", 5):
            send(table(x=array(dtype, [2])), bytes(16))
        for shape in ([-2], [2] * 1000, [3], [1 << 59], "22", [0, 1 << 62], None):
            send(table(x=array("<f8", shape)), bytes(16))
        """,
    ),
    "one_array_ten_thousand_times": (
        "Ten thousand arrays, each of which says that it is the eight megabytes of the body.",
        """
        for probe in OTHERS:
            answer("1.1", probe, table(returned=[array("|u1", [1 << 23])] * 9_000), bytes(1 << 23))
        """,
    ),
    "an_array_with_a_billion_empty_rows": (
        "Answers without a number in them, that would be lists of a billion lists.",
        """
        rows = array("<f8", [10**9, 0])
        for probe in OTHERS:
            answer("1.1", probe, table(asked=table(x=rows), returned=rows))
        """,
    ),
    "names_in_names": (
        "What it says it was asked holds braces with further names, which hold more of them.",
        """
        names = ["f", "x", "h", "a", "b", "c", "d", "e"]
        inputs = {name: f"{{{further}}}" * 650 for name, further in zip(names, names[1:] + names[:1])}
        for probe in OTHERS:
            answer("1.1", probe, table(asked=table(**inputs), returned=0))
        """,
    ),
    "arrays_in_the_place_of_numbers": (
        "Arrays of every type that may travel, empty ones and huge ones.",
        """
        for probe, (dtype, shape, size) in zip(OTHERS, (("<f8", [0, 1 << 40], 0), ("|b1", [1], 1), (">u8", [1] * 60, 8),
                                                        ("<f2", [3], 6), ("<f8", [1 << 19], 1 << 22))):
            answer("1.1", probe, table(returned=array(dtype, shape)), bytes(size))
        """,
    ),
    "deep": (
        "JSON in a hundred thousand layers, and records in a hundred.",
        """
        deep = 1
        for _ in range(100):
            deep = record("DidNotRaise", returned=deep)
        send(table(x=deep))
        send(b"[" * 100_000)
        """,
    ),
    "no_json": (
        "A frame whose header is no JSON, and one that is another kind of it.",
        """
        send(b"[1, 2]")
        send(b"\\xff" * 50)
        """,
    ),
    "giant_header": (
        "A frame announces four gigabytes.",
        'send(b"", sizes=((1 << 32) - 1, (1 << 32) - 1))',
    ),
    "cut_frame": (
        "A frame announces as much as one may hold, and ends after a byte.",
        f'send(b"{{", sizes=({HEADER_LIMIT}, {BYTES_LIMIT}))',
    ),
    "waiting_frame": (
        "A frame announces as much as one may hold, and the rest never comes.",
        f'send(b"{{", sizes=({HEADER_LIMIT}, {BYTES_LIMIT}))\nwhile True:\n    pass',
    ),
    "millions_of_frames": (
        "Frames without end, each of them in order.",
        'while True:\n    send(table(x=1))',
    ),
    "gigabytes": (
        "Large answers to all questions again and again.",
        """
        while True:
            for probe in OTHERS:
                answer("1.1", probe, table(returned=array("<f8", [1 << 20])), bytes(1 << 23))
        """,
    ),
    "noise_on_every_descriptor": (
        "Bytes are written to every descriptor, and read from every one.",
        """
        for number in range(64):
            for act, *arguments in ((os.write, b"\\0" * 4000), (os.lseek, 0, 0), (os.ftruncate, 0), (os.read, 100)):
                try:
                    act(number, *arguments)
                except OSError:
                    continue
        """,
    ),
    "descriptors_closed": (
        "All descriptors are closed.",
        "os.closerange(0, 64)",
    ),
    "descriptors_exchanged": (
        "Requests and answers change places, and everything else becomes a copy of the pipe.",
        """
        for number in range(64):
            try:
                if number != ANSWERS:
                    os.dup2(ANSWERS, number)
            except OSError:
                continue
        print("noise", file=open(1, "w"), flush=True)
        """,
    ),
}  # fmt: skip

# After these frames nothing that is read makes sense any more: the process ends, so that nobody waits for it.
UNREADABLE = (
    *("records_of_wrong_types", "records_of_unknown_kinds", "numbers_too_long_for_python", "odd_arrays", "deep"),
    *("one_array_ten_thousand_times", "no_json", "giant_header", "cut_frame", "begin_again"),
    "begin_the_honest_and_die",
)
ENDLESS = ("begin_again", "waiting_frame", "gigabytes", "millions_of_frames")
TIMEOUT = ("begin_again", "waiting_frame")

for name, (does, code) in FRAMES.items():
    end = "os._exit(0)" if name in UNREADABLE else "return 0.0"
    Attack(
        name=f"pipe_{name}",
        does=does,
        edits=(
            ("derivatives.py", at_top(PIPE)),
            ("derivatives.py", into("1.1", f"{textwrap.dedent(code).strip()}\n{end}")),
        ),
        honest=("0.2", "1.2", "2.1"),
        nothing=("1.1",),
        statuses=("timeout",) if name in TIMEOUT else None,
        seconds=0.5 if name in ENDLESS else 1.0,
    )

Attack(
    name="pipe_a_recipe_of_no_numbers",
    does="A hunt is answered with an expression whose constants are NaN, on which no engine agrees with any other.",
    edits=(
        ("hunts.py", at_top(PIPE)),
        (
            "hunts.py",
            into(
                "1.5",
                """
                recipe = [["leaf", "x", 2.0], ["**", 0, 3.0], ["number", float("nan")], ["+", 1, 2]]
                encoded = [[number(x) for x in step] for step in recipe]
                for letter in "ABC":
                    answer("1.5", f"nudger_{letter}", table(recipe=encoded))
                return 0.0
                """,
            ),
        ),
    ),
    honest=("1.1",),
    nothing=("1.5",),
)
Attack(
    name="pipe_beside_an_honest_answer",
    does="An honest answer and forged frames stand in one file.",
    edits=(
        (
            "derivatives.py",
            into("1.3", PIPE + "for probe in OTHERS:\n    answer('1.1', probe, table(returned=0))\nos._exit(0)"),
        ),
    ),
    honest=("1.1", "1.2", "1.4"),
    nothing=("1.3",),
    statuses=("crashed",),
)
Attack(
    name="pipe_answers_from_a_thread",
    does="A thread that outlives its exercise sends wrong answers for all that come later.",
    edits=(
        (
            "warmup.py",
            into(
                "0.1",
                PIPE
                + textwrap.dedent("""
                import threading

                def forge():
                    while True:
                        for id in ("1.1", "1.3", "2.1"):
                            for probe in OTHERS:
                                answer(id, probe, table(returned=0))

                threading.Thread(target=forge, daemon=True).start()
                return -1
                """),
            ),
        ),
    ),
    honest=("1.1", "1.3", "2.1"),
    nothing=("0.1",),
)
