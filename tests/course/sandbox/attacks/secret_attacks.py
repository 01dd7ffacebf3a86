"""Attacks on what is secret: the reference, the hints, the misconceptions, the expected numbers, other people's work.

A search hands back what it found as its answer, so that the verdict's message tells. What it looks for must not stand
in its own source, or it would find itself: it is written as a pattern, each letter in brackets.
"""

import re
import textwrap
from functools import cache

from attack import Attack, at_top, into

from grader.checking.expected import misconceptions_of
from grader.course import catalogue
from grader.course.paths import REFERENCE, ROOT, package_folder
from grader.course.regions import solution_regions
from grader.sandbox.outside.levels import LEVELS

SECRET_OF = ("0.2", "6.2", "8.1", "9.2", "10.11")
CONTROL = "ledger"  # stands in a docstring of the package, and so lies beside the submission


@cache
def secrets():
    """Texts that only the grader's side may hold: hints, words of misconceptions, comparisons, lines of answers."""
    found = []
    for id in SECRET_OF:
        ex = catalogue.exercise(id)
        found += [hint[:60] for hint in ex.hints]
        found += [m.words[:60] for m in misconceptions_of(ex)]
        text = (package_folder(REFERENCE) / ex.file).read_text(encoding="utf-8")
        lines = [line.strip() for region in solution_regions(text) if region.id == id for line in region.body]
        found += [max(lines, key=len)]
    return sorted({text for text in found if len(text) > 30})


def hidden(text):
    """A pattern for this text, in UTF-8, that does not hold it."""
    return "".join(map(_hidden, text))


def _hidden(letter):
    if not letter.isascii():
        return "".join(rf"\x{byte:02x}" for byte in letter.encode())
    return f"[{letter}]" if letter.isalnum() else re.escape(letter)


def searching(code):
    """An edit: warmup.py searches in one of these ways when exercise 0.1 is asked, and answers what it found."""

    def edited(text):
        patterns = "|".join(map(hidden, (*secrets(), "only the grader's side may hold")))
        found = textwrap.dedent(SEARCH).format(patterns=patterns, control=hidden(CONTROL))
        body = "global told\nif told:\n    return told\n" + textwrap.dedent(code)
        body += '\ntold = f"found {len(found)} of the secrets {found[:2]}, {seen} of the control"\nreturn told'
        return at_top(found)(into("0.1", body)(text))

    return edited


SEARCH = """
    import re

    SECRETS, CONTROL = re.compile(rb\"\"\"{patterns}\"\"\"), re.compile(rb"{control}")
    found, seen, told = [], 0, ""


    def look(data):
        global seen
        found.extend(match[0][:40] for match in SECRETS.finditer(data))
        seen += len(CONTROL.findall(data))
"""


def found_nothing(control):
    """A look at the rows: no secret was found; and the control was, if there is any."""

    def also(rows):
        message = rows["0.1"]["message"]
        assert "found 0 of the secrets" in message, message
        assert not control or not re.search(r"\b0 of the control", message), (
            f"the search itself does not work: {message}"
        )

    return also


SEARCHES = {
    "collected_objects": (
        "Every text that can be reached from the collector's objects is searched for what is secret.",
        """
        import gc

        waiting, known = gc.get_objects(), set()
        while waiting:
            x = waiting.pop()
            if id(x) in known or x is waiting or x is known:
                continue
            known.add(id(x))
            if type(x) is str:
                look(x.encode("utf-8", "replace"))
            elif type(x) is bytes:
                look(x)
            else:
                waiting.extend(gc.get_referents(x))
        """,
        True,
    ),
    "raw_memory": (
        "The memory of the process is read page by page, through a file so that bad addresses do no harm.",
        """
        import ctypes
        import gc
        import os

        PAGE = 4096
        scratch = os.open("scratch", os.O_RDWR | os.O_CREAT)
        libc = ctypes.CDLL(None, use_errno=True)
        stack = ctypes.c_int()
        near = {id(x) >> 20 for x in gc.get_objects()} | {id(x) >> 20 for x in map(str, range(10**5))}
        near |= {ctypes.addressof(stack) >> 20}
        near |= {block + step for block in near for step in range(-4, 5)}
        for block in sorted(near):
            data = b""
            for address in range(block << 20, (block + 1) << 20, PAGE):
                if libc.pwrite(scratch, ctypes.c_void_p(address), PAGE, 0) == PAGE:
                    data += os.pread(scratch, PAGE, 0)
                else:
                    look(data)
                    data = b""
            look(data)
        """,
        True,
    ),
    "files": (
        "Every file that can be opened is read, but for Python's own and NumPy's.",
        f"""
        import itertools
        import os
        import sys

        tops = ("/", *sys.path, os.getcwd(), {str(ROOT)!r})
        for folder, folders, names in itertools.chain.from_iterable(map(os.walk, tops)):
            folders[:] = [name for name in folders if name not in ("numpy", "numpy.libs", "lib-dynload", "proc", "sys")]
            if folder.rstrip("/").endswith(("python3.11", "python3.12", "python3.13")):
                folders[:] = []
            for name in names:
                try:
                    with open(os.path.join(folder, name), "rb") as file:
                        look(file.read(1 << 22))
                except OSError:
                    continue
        """,
        True,
    ),
    "known_places": (
        "The course's own folder is read, where it lies on this machine.",
        f"""
        import os

        for root in ({str(ROOT)!r}, "..", "../..", "/proc/1/root" + {str(ROOT)!r}, "/proc/self/cwd/.."):
            for place in ("solutions/babygrad/warmup.py", "tests/exercises/nb00_start_here/marking.py",
                          "grader/asking/wire.py", "grader/marking/compare.py",
                          "tests/exercises/nb00_start_here/mistakes.md", "tests/exercises/expected/00_answers.json"):
                try:
                    with open(os.path.join(root, place), "rb") as file:
                        found.append(file.read(40))
                except OSError:
                    continue
        """,
        False,
    ),
    "environment": (
        "Arguments, environment, the folder it runs in and the parent's memory are asked for secrets.",
        """
        import os
        import sys

        look(repr((sys.argv, sys.orig_argv, dict(os.environ), os.getcwd(), sys.path, sys.flags)).encode())
        for number in (os.getppid(), 1, 2, os.getpid()):
            for name in ("environ", "mem", "maps", "cmdline", "cwd", "root", "fd"):
                try:
                    with open(f"/proc/{number}/{name}", "rb") as file:
                        found.append(file.read(40))
                except OSError:
                    continue
        """,
        False,
    ),
    "modules": (
        "Everything of the grader that can be imported is imported, and asked for answers.",
        """
        import importlib
        import sys

        for name in ("checking.reference", "checking.expected", "checking.recorded", "checking.judging",
                     "checking.messages", "learner.hints", "checking.questioning", "sandbox.outside.grading",
                     "engines.sabotaged_engines", "sandbox.outside.client", "marking.compare", "learner.rewriting",
                     "edition.recording", "classroom.run.state"):
            try:
                importlib.import_module("grader." + name)
                found.append(name.encode())
            except Exception:
                continue
        for name, module in list(sys.modules.items()):
            if name.startswith(("grader", "toolbox", "babygrad")):
                look(repr(vars(module)).encode())
                kinds = [x for x in vars(module).values() if hasattr(x, "hints") or hasattr(x, "misconceptions")]
                found.extend(repr(x).encode() for x in kinds)
        """,
        False,
    ),
}

OWN_FILE = ("namespaces",)  # to read memory safely there must be a file that can be written

for name, (does, code, control) in SEARCHES.items():
    Attack(
        name=f"secret_{name}",
        does=does,
        isolation=True,
        edits=(("warmup.py", searching(code)),),
        honest=("1.1",),
        nothing=("0.1",),
        seconds=20.0,
        levels=OWN_FILE if name == "raw_memory" else LEVELS,
        each_level=name == "known_places",
        also=found_nothing(control),
    )
