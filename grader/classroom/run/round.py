"""One round over a class: each submission is graded, or kept as it was graded before.

Then the exercises that fail along with something they build on are asked again, as if that were right, and of others
the line is searched for that a slip is in. By then the first verdicts are on the disk, so this can change none of them.
"""

import errno
import os
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from typing import NamedTuple

from ...course.catalogue import all_exercises
from ...course.phrases import counted
from ...course.settings import Settings
from ...sandbox.outside.seeds import set_of
from ..collect.class_list import Class
from .journal import Journal
from .meter import meter
from .state import State
from .steady_worker import Lost
from .student_record import carried_on, graded, head, lost, malformed, regraded, searched, to_carry, to_search

GRADED = ("new", "changed", "outdated", "lost", "again")
SAID = {
    "new": "new",
    "changed": "changed since they were graded",
    "outdated": "graded again, for the course had changed",
    "lost": "tried again that were lost",
    "again": "graded again",
    "malformed": "that cannot be read",
    "kept": "as they were",
    "left": "left out that have no grades yet",
    "left changed": "left out that have changed since they were graded",
}


class Again(NamedTuple):
    """What is found out when the first verdicts are on the disk.

    what: in words.  wanted(record): what is to be asked, by exercise id.  job(Job, wanted): the Job for it.
    kept(record, found): the record with what was found.
    """

    what: str
    wanted: Callable
    job: Callable
    kept: Callable


CARRIED = Again("errors carried forward", to_carry, lambda job, shown: replace(job, carried=shown), carried_on)
SLIPS = Again("lines of slips", to_search, lambda job, wrong: replace(job, wrong=wrong), searched)


@dataclass
class Round:
    """What is to be done, and how far it is.

    members: the class.  ids: of the exercises to ask.  level, words: the isolation's name and words.
    workers: an executor.  only: is this a round over some exercises of what is graded?  resume: does it go on?
    lines: are those of slips searched for?
    heads: {student: record without grades} of those that are being graded.
    counts: {why a submission was taken up or left: how many}.  done: submissions that have their grade.
    again: {what for: how many were asked again} of errors carried forward, and of the lines of slips.
    """

    settings: Settings
    state: State
    members: Class
    ids: tuple
    level: str
    words: str
    workers: object
    only: bool = False
    resume: bool = False
    lines: bool = True
    journal: Journal = None
    heads: dict = field(default_factory=dict)
    counts: Counter = field(default_factory=Counter)
    done: int = 0
    again: Counter = field(default_factory=Counter)

    @cached_property
    def wanted(self):
        """The files to take from a submission: all with exercises, for a later notebook builds on earlier ones."""
        return {ex.file for ex in all_exercises()}

    @cached_property
    def released(self):
        """The files that every submission should hold."""
        return {ex.file for ex in self.settings.released()}

    @property
    def total(self):
        return len(self.members.sources)

    def safety(self):
        """A sentence: finished grades are kept."""
        return f"{self.done} of {self.total} submissions are graded and safe: make room, then continue with --resume."

    def go(self, journal):
        """Go once over the class, and then over those that are to be asked again."""
        self.journal = journal
        with self.workers as workers:
            self._go_over(workers, meter(self.total), self._jobs, self._keep)
            for again in [CARRIED, SLIPS] if self.lines else [CARRIED]:
                if students := [student for student in sorted(self.members.sources) if self._to_ask(again, student)]:
                    bar = meter(len(students), what=f"submissions with {again.what}")
                    jobs, keep = partial(self._jobs_again, again, students), partial(self._keep_again, again)
                    self._go_over(workers, bar, jobs, keep)

    @staticmethod
    def _go_over(workers, bar, jobs, keep):
        try:
            for job, result in workers.results(jobs(bar)):
                keep(job, result, bar)
        finally:
            bar.close()

    def said(self):
        """Lines: how many were graded now and how many before, where there was an earlier round."""
        if self.resume or self.only:
            said = [f"{self.counts[why]:,} {words}" for why, words in SAID.items() if self.counts[why]]
            yield f"Submissions: {', '.join(said)}." if said else "Submissions: none."
        for what, count in self.again.items():
            yield f"{what[0].upper()}{what[1:]}: looked for in {counted(count, 'submission')}."
        if self.counts["left"] or self.counts["left changed"]:
            yield "--only grades no hand-in for the first time: --resume does."

    def _jobs(self, bar):
        """A Job for each submission that is to be graded. The others are dealt with on the way."""
        for student in sorted(self.members.sources):
            job = self._job(student)
            if job:
                yield job
            else:
                self._count(bar, graded_now=False)

    def _job(self, student):
        """A Job; None if there is nothing to ask. Then the student's record is up to date afterwards."""
        source, old = self.members.sources[student], self.journal.get(student)
        hand_in = self._read(student)
        new = head(source, hand_in, self.state)
        why = (self._why_again if self.only else _why)(new, hand_in, old)
        self.counts[why] += 1
        if why in GRADED:
            self.heads[student] = new
            return new_job(student, hand_in, self.state, self.ids, self.level)
        if why in ("kept", "malformed"):
            record = {**old, **new} if why == "kept" else malformed(new, hand_in.malformed)
            if record != old:
                self.journal.add(record)
        return None

    def _read(self, student):
        return self.members.sources[student].read(self.wanted, self.settings.version, self.released)

    def _why_again(self, new, hand_in, old):
        """What _why says, in a round of --only."""
        if old is None:
            return "left"
        if not _same_hand_in(old, new):
            return "left changed"
        if old["status"] == "malformed":
            return "malformed"
        done = self.resume and old["grader"] == new["grader"] and not old["trouble"]
        return "kept" if done else "again"

    def _keep(self, job, result, bar):
        """Store the result of a job."""
        new = self.heads.pop(job.student)
        if isinstance(result, Lost):
            _demand_room(result)
            bar.say(f"{self.members.called(job.student)}: {result.why}{result.details and chr(10)}{result.details}")
            record = lost(new, job, result.why, self.words)
        else:
            record = graded(new, job, result)
        old = self.journal.get(job.student) if self.only else None
        self.journal.add(regraded(old, record) if old else record)
        self._count(bar)

    # ---- what is asked again ----

    def _to_ask(self, again, student):
        """What is still to be asked: some ids, of what this round is about."""
        record = self.journal.get(student)
        wanted = again.wanted(record) if record else ()
        return [id for id in wanted if id in self.ids]

    def _jobs_again(self, again, students, bar):
        """A Job for each of them whose hand-in is still the one that was graded."""
        for student in students:
            hand_in, record = self._read(student), self.journal.get(student)
            if hand_in.digest == record["submission"]["digest"]:
                ids = tuple(self._to_ask(again, student))
                yield again.job(new_job(student, hand_in, self.state, ids, self.level), again.wanted(record))
            else:
                bar.advance(False)

    def _keep_again(self, again, job, result, bar):
        """Store what was found. Where there is nothing, --resume asks for it again."""
        if isinstance(result, Lost):
            _demand_room(result)
            bar.say(f"{self.members.called(job.student)}: {result.why} --resume looks for {again.what} again.")
        else:
            self.journal.add(again.kept(self.journal.get(job.student), result))
            self.again[again.what] += 1
        bar.advance()

    def _count(self, bar, graded_now=True):
        self.done += 1
        bar.advance(graded_now)


def new_job(student, hand_in, state, ids, level):
    """What a worker needs to grade a hand-in."""
    from ...sandbox.outside.grading import Job

    number = set_of(student, state.seed)
    return Job(student, hand_in.files, state.seeds[number], number, state.settings, ids, level)


def _why(new, hand_in, old):
    """Why a submission is graded, or not: a key of SAID."""
    if hand_in.malformed:
        return "malformed"
    if old is None:
        return "new"
    if not _same_hand_in(old, new) or old["status"] == "malformed":
        return "changed"
    if old["grader"] != new["grader"]:
        return "outdated"
    return "lost" if old["trouble"] else "kept"


def _same_hand_in(old, new):
    return old["submission"]["digest"] == new["submission"]["digest"]


def _demand_room(result):
    """Stop if the disk is full: every further submission would fail too."""
    if os.strerror(errno.ENOSPC) in result.why:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
