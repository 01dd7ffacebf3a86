"""What is said of the line that a slip is in, after the verdict: never more than that it is there."""

import re
from functools import partial
from typing import NamedTuple

from ..checking import expected
from ..checking.again import ask_changed
from ..checking.line import Line
from ..checking.messages import different
from ..checking.number_patterns import is_nearly
from ..checking.process import LearnersProcess
from ..checking.question import Question
from ..checking.questioning import TIMEOUT, question
from ..checking.verdict import most_telling
from ..checking.written import Written
from ..course.paths import is_full_edition
from ..marking.compare import Difference
from .search import Search, Slip

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
    """lines: Lines to be said of a Verdict besides.  slip: where it is, or None."""

    lines: tuple = ()
    slip: Slip | None = None

    @property
    def words(self):
        """More about what is in that line, for the next hint."""
        return self.slip.kind.words if self.slip and self.slip.kind else ""


def find(verdict, asked, package, seed, ask=None, start=None, stop=lambda: False):
    """The Found: where the slip is, if that can be told.

    package: the folder that was asked.  ask(folder, exercises, seed), start(): as in Again, and in Search; by default
    in processes of their own.  stop(): is it no longer wanted?
    """
    if not is_worth_a_search(verdict, asked):
        return Found()
    wrong = wrong_ones(asked)
    changed = partial(ask_changed, package, ask or _ask)
    return look(asked.exercise, asked.data, wrong, seed, start or partial(LearnersProcess, package), changed, stop)


def wrong_ones(asked):
    """The names of the questions that an answer gets wrong."""
    return [question.probe.name for question in asked.questions if question.wrong]


def look(ex, data, wrong, seed, start, ask, stop):
    """The Found of an answer that is worth a search.

    data: the bytes of its file.  wrong: names of questions.  start(): as in Search.
    ask(files, [exercise], seed): {exercise id: answers} of the package, in which these files {name: bytes} are others.
    """
    text, right = data.decode("utf-8"), expected.reference_answers([ex], seed)[ex.id]
    found = Search(start, ex, text, right, wrong, seed, stop).slip()
    if not found or stop() or not _is_right_anew(ex, found[1], seed, ask):
        return Found()
    is_all_there_is = Written(ex.id, ex.file, data).is_one_line
    return Found(tuple(_lines(ex, text, found[0], is_all_there_is)), found[0])


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


def _is_right_anew(ex, text, seed, ask):
    """Is every question right in a new process too, and with other inputs where these can be drawn?"""
    other = seed + 1 if is_full_edition() else seed
    got = ask({ex.file: text.encode()}, [ex], other)[ex.id]
    right = expected.reference_answers([ex], other)[ex.id]
    return all(p.name in got and not Question(p, got[p.name], right[p.name]).wrong for p in ex.probes)
