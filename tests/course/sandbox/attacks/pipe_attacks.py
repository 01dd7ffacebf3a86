"""Attacks on the pipe by which answers come back: forged, replayed, broken and endless frames, and all descriptors."""

import textwrap

from attack import Attack, at_top, into

# What an attacker writes to speak on the pipe. ANSWERS is its descriptor, found among all that are open.
PIPE = """
import json
import os
import stat
import struct


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


def send(message, body=b"", sizes=None):
    header = message if isinstance(message, bytes) else json.dumps(message).encode()
    raw(struct.pack(">II", *(sizes or (len(header), len(body)))) + header + body)


def plain(x):
    return {"k": "plain", "v": x}


def table(**fields):
    return {"k": "dict", "v": [[name, value] for name, value in fields.items()]}


def outcome(answers, printed=plain("")):
    return {"k": "Outcome", "v": {"answers": answers, "printed": printed}}


def begin(id, **more):
    send(table(begin=plain(id), **more))


def answer(id, probe, answers):
    send(table(exercise=plain(id), probe=plain(probe), outcome=outcome(answers)))


FIRST = "a_curve_and_a_wide_nudge"
OTHERS = ["a_curve_and_a_wide_nudge", "a_line_that_falls", "the_bottom_of_a_valley", "a_curve_at_a_random_place",
          "a_nudge_that_is_not_given"]
"""

FRAMES = {
    "done_at_once": (
        "It says that all is answered before anything was.",
        "send(table(done=plain(True)))",
    ),
    "done_oddly": (
        "It says that it is done by an array, a list and a text.",
        """
        array = {"k": "array", "dtype": "<f8", "shape": [2]}
        send(table(done=array), bytes(16))
        send(table(done={"k": "list", "v": [plain(1)]}))
        send(table(done=plain("yes")))
        """,
    ),
    "begin_oddly": (
        "It begins an array, a list, a dict, None, and exercises that there are not.",
        """
        array = {"k": "array", "dtype": "<f8", "shape": [2]}
        for odd in (array, {"k": "list", "v": [plain("1.1")]}, table(x=plain(1)), plain(None), plain("99.9"), plain(1)):
            send(table(begin=odd, probe=odd, importing=odd), bytes(16))
        """,
    ),
    "begin_again": (
        "It begins earlier exercises and the same one again and again, to have their time anew, and works meanwhile.",
        """
        for _ in range(30):
            begin("0.2")
            begin("1.1")
            begin("1.1", probe=plain(FIRST))
            for _ in range(3 * 10**6):
                pass
        """,
    ),
    "begin_the_honest_and_die": (
        "It says that it imports another file, and then that it asks another exercise, and ends.",
        """
        begin("2.1", importing=plain("value.py"), probe=plain("two_numbers"))
        """,
    ),
    "answers_for_others": (
        "It answers questions of other exercises, wrongly, and some that there are not.",
        """
        for id in ("0.2", "2.1", "1.1", "9.9"):
            for probe in ("equal_shapes", "random_shapes", FIRST, "two_numbers", "asked", "", "x" * 4000):
                answer(id, probe, table(returned=plain(0)))
        begin("2.1")
        answer("2.1", "two_numbers", table(returned=plain(0)))
        """,
    ),
    "outcomes_of_other_kinds": (
        "In the place of an outcome stand numbers, texts, arrays and records.",
        """
        form = {"k": "Form", "v": {"words": plain("x")}}
        array = {"k": "array", "dtype": "<f8", "shape": [2]}
        empty = {"k": "list", "v": []}
        odds = (plain(5), plain("passed"), array, empty, table(answers=plain(1)), form, plain(None))
        for probe, odd in zip(OTHERS + OTHERS, odds):
            send(table(exercise=plain("1.1"), probe=plain(probe), outcome=odd), bytes(16))
            send(table(exercise=odd, probe=odd, outcome=odd), bytes(16))
        """,
    ),
    "answers_of_other_kinds": (
        "In the place of named answers stand a number, a list, an array, a form.",
        """
        array = {"k": "array", "dtype": "<f8", "shape": [2]}
        odds = [plain(None), plain(1.5), {"k": "list", "v": [plain(1)]}, outcome(plain(1)), array]
        for probe, odd in zip(OTHERS, odds):
            send(table(exercise=plain("1.1"), probe=plain(probe), outcome=outcome(odd)), bytes(16))
        """,
    ),
    "asked_is_no_dict": (
        "What it says it was asked is a number, a list, and a text of megabytes.",
        """
        odds = (plain(5), {"k": "list", "v": [plain(1)] * 3}, plain(None), table(x=plain("{x}" * 1300)))
        for probe, odd in zip(OTHERS, odds):
            answer("1.1", probe, table(asked=odd, returned=plain(0)))
        """,
    ),
    "records_of_wrong_types": (
        "Records with fields of wrong types, missing fields and fields too many.",
        """
        for fields in ({}, {"words": plain(3)}, {"words": plain("x"), "more": plain(1)}, {"words": table()}):
            send(table(x={"k": "Form", "v": fields}))
        """,
    ),
    "records_of_unknown_kinds": (
        "Records of classes that are none of the wire's.",
        """
        send(table(x={"k": "Died", "v": {"kind": plain("passed")}}))
        send(table(x={"k": "__import__", "v": {}}))
        """,
    ),
    "an_unknown_stub": (
        "An exception claims to come from exercises with odd names.",
        """
        for probe, stub in zip(OTHERS, ("abc", "x.y", "1", "9" * 4000, "99.99")):
            frames = {"k": "list", "v": []}
            answer("1.1", probe, {"k": "Stopped", "v": {
                "type": plain(""), "message": plain("x" * 4000), "frames": frames, "stub": plain(stub),
                "used": plain("file "), "importing": plain(False)}})
        """,
    ),
    "a_type_without_a_name": (
        "Objects whose types have no name, in layers.",
        """
        other = {"k": "Other", "v": {"type": plain(""), "text": plain("")}}
        odds = (other, {"k": "DidNotRaise", "v": {"returned": other}}, {"k": "list", "v": [other]})
        for probe, odd in zip(OTHERS, odds):
            answer("1.1", probe, table(returned=odd))
        """,
    ),
    "html_and_megabytes": (
        "Answers with HTML, terminal codes and as much text as a frame takes.",
        """
        text = plain("<script>alert(1)</script>\\x1b[2J" * 130)
        lists = {"k": "list", "v": [{"k": "list", "v": [text] * 12}] * 12}
        names = {"k": "dict", "v": [["<b>" * 1000 + str(i), text] for i in range(100)]}
        for probe, odd in zip(OTHERS, (text, lists, names)):
            answer("1.1", probe, table(returned=odd))
        """,
    ),
    "odd_numbers": (
        "NaN, infinities, ints of three hundred digits, truth values, as everything.",
        """
        for probe, odd in zip(OTHERS, (float("nan"), float("inf"), (1 << 999), -(1 << 999), True)):
            answer("1.1", probe, table(returned=plain(odd)))
        """,
    ),
    "numbers_too_long_for_python": (
        "An int with a hundred thousand digits stands in the header.",
        'send(b\'{"k": "plain", "v": \' + b"9" * 100_000 + b"}")',
    ),
    "odd_arrays": (
        "Arrays of objects, of sizes that do not fit, outside of the body, with a thousand axes.",
        """
        good = {"k": "array", "dtype": "<f8", "shape": [2]}
        for change in ({"dtype": "|O8"}, {"dtype": "<f16"}, {"dtype": "<c16"}, {"shape": [-2]}, {"shape": [2] * 1000},
                       {"shape": [3]}, {"shape": [1 << 59]}, {"shape": "22"}, {"dtype": 5}, {"shape": [0, 1 << 62]},
                       {"shape": None}):
            send(table(x={**good, **change}), bytes(16))
        """,
    ),
    "one_array_ten_thousand_times": (
        "Ten thousand arrays, each of which says that it is the eight megabytes of the body.",
        """
        array = {"k": "array", "dtype": "|u1", "shape": [1 << 23], "size": 1 << 23, "at": 0}
        for probe in OTHERS:
            answers = outcome(table(returned={"k": "list", "v": [array] * 10_000}))
            send(table(exercise=plain("1.1"), probe=plain(probe), outcome=answers), bytes(1 << 23))
        """,
    ),
    "an_array_with_a_billion_empty_rows": (
        "Answers without a number in them, that would be lists of a billion lists.",
        """
        array = {"k": "array", "dtype": "<f8", "shape": [10**9, 0]}
        for probe in OTHERS:
            answer("1.1", probe, table(asked=table(x=array), returned=array))
        """,
    ),
    "names_in_names": (
        "What it says it was asked holds braces with further names, which hold more of them.",
        """
        names = ["f", "x", "h", "a", "b", "c", "d", "e"]
        inputs = {name: plain(f"{{{further}}}" * 650) for name, further in zip(names, names[1:] + names[:1])}
        for probe in OTHERS:
            answer("1.1", probe, table(asked=table(**inputs), returned=plain(0)))
        """,
    ),
    "arrays_in_the_place_of_numbers": (
        "Arrays of every type that may travel, empty ones and huge ones.",
        """
        for probe, (dtype, shape, size) in zip(OTHERS, (("<f8", [0, 1 << 40], 0), ("|b1", [1], 1), (">u8", [1] * 60, 8),
                                                        ("<f2", [3], 6), ("<f8", [1 << 19], 1 << 22))):
            array = {"k": "array", "dtype": dtype, "shape": shape}
            send(table(exercise=plain("1.1"), probe=plain(probe), outcome=outcome(table(returned=array))), bytes(size))
        """,
    ),
    "deep": (
        "JSON in a hundred thousand layers, and records in a hundred.",
        """
        deep = plain(1)
        for _ in range(100):
            deep = {"k": "DidNotRaise", "v": {"returned": deep}}
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
        "A frame announces a megabyte and ends after a byte.",
        'send(b"{", sizes=(1 << 20, 0))',
    ),
    "waiting_frame": (
        "A frame announces a megabyte, and the rest never comes.",
        'send(b"{", sizes=(1 << 20, 0))\nwhile True:\n    pass',
    ),
    "millions_of_frames": (
        "Frames without end, each of them in order.",
        'while True:\n    send(table(x=plain(1)))',
    ),
    "gigabytes": (
        "Large answers to all questions again and again.",
        """
        array = {"k": "array", "dtype": "<f8", "shape": [1 << 20]}
        while True:
            for probe in OTHERS:
                hoard = outcome(table(returned=array))
                send(table(exercise=plain("1.1"), probe=plain(probe), outcome=hoard), bytes(1 << 23))
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
                encoded = {"k": "list", "v": [{"k": "list", "v": [plain(x) for x in step]} for step in recipe]}
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
            into("1.3", PIPE + "for probe in OTHERS:\n    answer('1.1', probe, table(returned=plain(0)))\nos._exit(0)"),
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
                                answer(id, probe, table(returned=plain(0)))

                threading.Thread(target=forge, daemon=True).start()
                return -1
                """),
            ),
        ),
    ),
    honest=("1.1", "1.3", "2.1"),
    nothing=("0.1",),
)
