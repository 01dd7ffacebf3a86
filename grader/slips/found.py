"""What is said of the line that a slip is in, after the verdict: never more than that it is there."""

import re
import shutil
import tempfile
from functools import partial
from pathlib import Path
from typing import NamedTuple

from ..checking import expected
from ..checking.line import Line
from ..checking.messages import different
from ..checking.number_patterns import is_nearly
from ..checking.process import LearnersProcess
from ..checking.question import Question
from ..checking.questioning import TIMEOUT, question
from ..checking.verdict import most_telling
from ..course.paths import is_full_edition, package_folder
from ..marking.compare import Difference
from .search import Search

# An edit could turn around what such an answer asks before it does something.
UNSAFE = r"\b(open|import|exec|eval|compile|input|exit|quit|os|sys|subprocess|shutil|pathlib|socket|__\w+__)\b"
BY_HAND = "hunts.py"  # a hunt is solved by thinking, not by trying


def is_worth_a_search(verdict, asked):
    """Does an answer fail of which nothing more is known than its numbers, and may it be run with small edits?"""
    code = asked.written.text
    return (
        verdict.status in ("failed", "error")
        and verdict.idea is None
        and not (verdict.undone or verdict.as_in or verdict.foreign)
        and verdict.hint
        and code is not None
        and asked.exercise.file != BY_HAND
        and not asked.exercise.hashed
        and not any(line.kind in ("open", "needs") for line in verdict.lines)
        and not re.search(UNSAFE, code)
        and not _is_nearly_right(most_telling(asked.questions))
    )


def _is_nearly_right(question):
    """Is it off by a little? What helps would be a trick."""
    return isinstance(question.wrong, Difference) and is_nearly(*different(question))


class Found(NamedTuple):
    """lines: Lines to be said of a Verdict besides.  words: more about what is in that line, for the next hint."""

    lines: tuple = ()
    words: str = ""


def find(verdict, asked, package, seed, ask=None, start=None, stop=lambda: False):
    """The Found: where the slip is, if that can be told.

    package: the folder that was asked.  ask(folder, exercises, seed), start(): as in Again, and in Search; by default
    in processes of their own.  stop(): is it no longer wanted?
    """
    if not is_worth_a_search(verdict, asked):
        return Found()
    ex, text = asked.exercise, asked.data.decode("utf-8")
    found = Search(start or partial(LearnersProcess, package), ex, text, asked.questions, seed, stop).slip()
    if not found or stop() or not _is_right_anew(package, ex, found[1], seed, ask or _ask):
        return Found()
    slip, lines = found[0], len(asked.written.lines)
    return Found(tuple(_lines(ex, text, slip, lines == 1)), slip.kind.words if slip.kind else "")


def _ask(folder, exercises, seed):
    return question(partial(LearnersProcess, folder), exercises, seed, lambda ex: TIMEOUT)


def _lines(ex, text, slip, is_all_there_is):
    """is_all_there_is: has the answer only one line? Then it is clear which, and more is said of it."""
    first, last = slip.lines
    where = f"line {first}" if first == last else f"lines {first} to {last}"
    yield Line(f"With one change in babygrad/{ex.file}, {where}, every question is right. The rest may stay as it is:")
    yield Line("    " + text.splitlines()[first - 1].strip(), "code")
    if slip.kind and is_all_there_is:
        yield Line(slip.kind.words, "advice")


def _is_right_anew(package, ex, text, seed, ask):
    """Is every question right in a new process too, and with other inputs where these can be drawn?"""
    other = seed + 1 if is_full_edition() else seed
    with tempfile.TemporaryDirectory(prefix="babygrad-", ignore_cleanup_errors=True) as folder:
        copy = package_folder(folder)
        shutil.copytree(package_folder(package), copy, ignore=shutil.ignore_patterns("__pycache__"))
        Path(copy, ex.file).write_text(text, encoding="utf-8")
        got = ask(folder, [ex], other)[ex.id]
    right = expected.reference_answers([ex], other)[ex.id]
    return all(p.name in got and not Question(p, got[p.name], right[p.name]).wrong for p in ex.probes)
