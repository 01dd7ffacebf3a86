"""Errors carried forward: how many answers of an exercise would be right if all that it builds on were.

The learner's own regions of the exercise are asked in a package that has the reference's answers to what it needs.
In a grading that code is there to read for the learner's, so an exercise has a process of its own, in which the
reference's answer to this exercise, and to all that it does not build on, is not; and of what comes back is kept
whether the question that is shown became right, how many answers count, and the name of a misconception of ours.
"""

from dataclasses import dataclass
from functools import cache

from ..course import regions, stubs
from ..course.catalogue import all_needs
from .judging import Judging
from .questioning import Died


@dataclass(frozen=True)
class Carried:
    """How many answers are right, and how many of them count; and the Misconception that explains the others.

    wrong: the names of the questions that are still answered wrongly.
    """

    right: int
    counted: int
    idea: object = None
    wrong: frozenset = frozenset()

    def cures(self, question):
        """Is the question with this name right now? "" is none."""
        return bool(question) and question not in self.wrong


def carried(ex, files, given, seed, ask):
    """The Carried, or None if it cannot be told.  files: {name: bytes}.  given: ids of what was handed out.

    ask(files, [exercise], seed): {exercise id: answers}.

    Asked first is the exercise's own region, with stubs for whatever it does not need. If that is not all right, and
    the learner's other code may be missing there, it is asked with that code around it. The better number counts.
    """
    alone = _alone(ex, files, given)
    if alone is None:
        return None
    first, questions = _answered(ex, alone, seed, ask)
    if first.right == len(questions) or _died(questions):
        return first
    if not (_met_a_stub(ex, questions) or _has_own_lines(files, given)):
        return first
    second, _ = _answered(ex, _with_all_else(ex, files, given), seed, ask)
    return max(first, second, key=lambda each: (each.counted, each.right))


def _answered(ex, files, seed, ask):
    """(the Carried of this package, the Questions as it answers them)"""
    got = ask(files, [ex], seed)[ex.id]
    judging = Judging([ex], {}, seed, otherwise=lambda ex, other: ask(files, [ex], other)[ex.id])
    (verdict,), questions = judging.verdicts({ex.id: got}), judging.asked(ex.id, got).questions
    wrong = frozenset(question.probe.name for question in questions if question.wrong)
    return Carried(verdict.right, verdict.counted, verdict.idea, wrong), questions


def _died(questions):
    return any(isinstance(question.got, Died) for question in questions)


def _met_a_stub(ex, questions):
    return any(question.stop and question.stop.stub not in ("", ex.id) for question in questions)


# ---- the packages ----


def _alone(ex, files, given):
    """{name: bytes} of what differs from the files handed out; None if no region can be found in the learner's file."""
    answers = {region.key: region for region in regions.regions_in(files.get(ex.file, b"")) if region.id == ex.id}
    if not answers:
        return None
    package = _with_needs(ex.id, given)
    return {**_changed(ex.id, given), ex.file: _filled(package[ex.file], answers).encode()}


def _with_all_else(ex, files, given):
    """The learner's files, in which the regions of what the exercise needs have the reference's answers."""
    package, needs = _with_needs(ex.id, given), all_needs(ex.id)
    mine = {name: _mended(data, package.get(name, ""), needs) for name, data in files.items()}
    return {**_changed(ex.id, given), **{name: text.encode() for name, text in mine.items() if text is not None}}


def _mended(data, right, needs):
    """The learner's file with the regions of `needs` as they are in the text `right`; None if they cannot be found."""
    if not regions.regions_in(data):
        return None
    return _filled(data.decode("utf-8"), {r.key: r for r in regions.regions_in(right.encode()) if r.id in needs})


def _filled(text, answers):
    """The text, in which regions have these: {their key: Region}."""
    places = [region for region in regions.stub_regions(text) if region.key in answers]
    return regions.replaced(text, places, lambda r: regions.wrapped(answers[r.key], answers[r.key].body))


def _has_own_lines(files, given):
    """Has the learner code outside of the exercises?"""
    return any(
        _outside(data) != _outside_handed_out(name, given) for name, data in files.items() if regions.regions_in(data)
    )


def _outside(data):
    """What is written outside of the regions, without empty lines."""
    inside = {line for region in regions.regions_in(data) for line in range(region.start, region.end)}
    lines = enumerate(data.decode("utf-8").splitlines())
    return [line.rstrip() for number, line in lines if number not in inside and line.strip()]


@cache
def _outside_handed_out(name, given):
    return _outside(_handed_out(given).get(name, "").encode())


@cache
def _handed_out(given):
    return stubs.generated(given=given)


def stubs_of(files):
    """{name: bytes} of those files as the course hands them out."""
    return {name: text.encode() for name, text in _handed_out(()).items() if name in files}


@cache
def _with_needs(id, given):
    """{name: text} of the files handed out, with the reference's answers to what the exercise builds on."""
    return stubs.generated(given=(*given, *all_needs(id)))


@cache
def _changed(id, given):
    """{name: bytes} of those in which that makes a difference."""
    old = _handed_out(given)
    return {name: text.encode() for name, text in _with_needs(id, given).items() if text != old[name]}
