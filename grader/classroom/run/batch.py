"""Grades a class: from the folder of submissions to grades, pages, and the words at the end.

What was graded stands in a journal (journal.py), and what it was graded with in state.json (state.py). So a grading
that is stopped, in whatever way, goes on with --resume, to the results that it would have had.
"""

import contextlib
import errno
import os
import signal
import threading
from collections import Counter
from dataclasses import dataclass, field
from datetime import datetime

from ...course.catalogue import all_exercises
from ...course.settings import Settings
from ...course.usage import UsageError
from ..collect import class_list
from ..pages import outputs, words
from . import shards
from .executors import executor
from .journal import Journal, Records
from .lock import locked
from .order import demand_a_folder, demand_sense, demand_the_roster, ids_of, old_state, seed_of, settings_of
from .progress import progress
from .state import State, changed, decided_otherwise, parts, set_of
from .steady_worker import Lost
from .student_record import graded, head, lost, malformed, regraded, weigher

GRADE = "grader.sandbox.outside.grading:grade"
GRADED = ("new", "changed", "outdated", "lost", "again")
NO_HAND_IN = "There is no hand-in in {folder}: a folder, a .zip or a .tar.gz for each student is expected."
SHOWN_NOTES = 5
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


@dataclass
class Batch:
    """One grading under way.

    members: the class.  ids: of the exercises to ask.  level, walls: the isolation's name and words.
    workers: an executor.
    heads: {student: record without grades} of those that are being graded.
    counts: {why a submission was taken up or left: how many}.  done: submissions that have their grade.
    """

    order: object
    settings: Settings
    state: State
    members: class_list.Class
    ids: tuple
    level: str
    walls: str
    workers: object = None
    journal: Journal = None
    heads: dict = field(default_factory=dict)
    counts: Counter = field(default_factory=Counter)
    done: int = 0

    @property
    def wanted(self):
        """The files to take from a submission: all with exercises, for a later notebook builds on earlier ones."""
        return {ex.file for ex in all_exercises()}

    @property
    def released(self):
        """The files that every submission should hold."""
        return {ex.file for ex in self.settings.released()}

    @property
    def total(self):
        return len(self.members.sources)

    def safety(self):
        """A sentence: finished grades are kept."""
        return f"{self.done} of {self.total} submissions are graded, and safe: make room, then go on with --resume."


def grade(order, say=None):
    """Grade, or merge.  Returns the exit code: 0 graded, 2 something is missing, 130 stopped.

    say(line): shows a line.  Raises UsageError, also where the disk is full.
    """
    say = say or print
    shard = str(shards.Shard.read(order.shard)) if order.shard else ""
    demand_sense(order)
    demand_a_folder(order)
    with _stopped_by_signals(), locked(order.out, shard, say):
        return _merge(order, say) if order.merge else _grade(order, shard, say)


def _grade(order, shard, say):
    batch = _begin(order, shard, say)
    with _disk_errors(order.out, batch.safety), Journal(shards.journal_file(order.out, shard)) as batch.journal:
        try:
            _grade_all(batch)
            _say_counts(batch, say)
            if shard:
                say(f"Part {order.shard} is graded. When all parts are, give --merge instead of --shard {order.shard}.")
                return 0
            _write_outputs(order.out, batch.state, batch.members, batch.journal, say)
        except KeyboardInterrupt:
            say(f"Stopped after {batch.done} of {batch.total}; go on with --resume.")
            return 130
    return 0


# ---- before ----


def _begin(order, shard, say):
    """A Batch that is ready to grade; its state is on the disk."""
    old = old_state(order, shard)
    demand_the_roster(order, old)
    settings = settings_of(order, old)
    ids = ids_of(order, settings)
    seed = seed_of(order, old)
    members = class_list.read(order)
    if not (members.sources or old):
        raise UsageError(" ".join([NO_HAND_IN.format(folder=order.submissions), *members.notes[:SHOWN_NOTES]]))
    if shard:
        members.keep(shards.Shard.read(order.shard).holds)
    workers = executor(order.executor, GRADE, order.jobs)
    level, walls, isolation = choose_isolation(order.unsafe)
    state = State(seed, settings.as_dict(), parts(settings.as_dict()), [isolation], shard, len(members.sources))
    _say_how(order, old, state, ids, say)
    if old:
        state.isolation = list(dict.fromkeys([*old.isolation, isolation]))
    state.begun, state.roster = datetime.now().astimezone().isoformat(), str(order.roster or "")
    with _disk_errors(
        order.out, "Nothing was begun, and what was graded before is safe: make room, and type the same again."
    ):
        state.write(shards.state_file(order.out, shard))
    return Batch(order, settings, state, members, ids, level, walls, workers)


def choose_isolation(unsafe):
    """(name, words, sentences) of the level to grade under.

    Raises UsageError where nothing can shut a stranger's code in.
    """
    from ...sandbox.outside import levels

    chosen = levels.choose(unsafe=unsafe, wanted=None)
    return chosen.level.name, chosen.level.words, " ".join(chosen.sentences()).removeprefix("Isolation: ")


def _say_how(order, old, state, ids, say):
    difference = changed(old, state) if old else ""
    if difference and order.only:
        asked = ", ".join(ids)
        say(f"Changed since the grading began: {difference}. {asked} is graded with what is here now, nothing else.")
    elif difference:
        say(f"Changed since the grading began: {difference}. All is graded again, with the same seed.")
    if old and (other := decided_otherwise(old, state)):
        say(f"Changed since the grading began: {other}. All grades follow. Nothing is asked again for that.")
    if old and state.isolation[0] not in old.isolation:
        say(f"Graded so far under another isolation: {old.isolation[-1]}")
    say(f"Isolation: {state.isolation[0]}")


# ---- grading ----


def _grade_all(batch):
    with batch.workers as workers:
        bar = progress(batch.total)
        try:
            for job, result in workers.results(_jobs(batch, bar)):
                _keep(batch, job, result, bar)
        finally:
            bar.close()


def _jobs(batch, bar):
    """A Job for each submission that is to be graded. The others are dealt with on the way."""
    for student in sorted(batch.members.sources):
        job = _job(batch, student)
        if job:
            yield job
        else:
            _count(batch, bar, graded_now=False)


def _job(batch, student):
    """A Job; None if there is nothing to ask. Then the student's record is up to date afterwards."""
    source, old = batch.members.sources[student], batch.journal.get(student)
    hand_in = source.read(batch.wanted, batch.settings.version, batch.released)
    new = head(source, hand_in, batch.state)
    why = (_why_again if batch.order.only else _why)(batch, new, hand_in, old)
    batch.counts[why] += 1
    if why in GRADED:
        batch.heads[student] = new
        return _new_job(batch, student, hand_in)
    if why in ("kept", "malformed"):
        _add_if_new(batch, {**old, **new} if why == "kept" else malformed(new, hand_in.malformed), old)
    return None


def _new_job(batch, student, hand_in):
    from ...sandbox.outside.grading import Job

    number = set_of(student, batch.state.seed)
    seed, course = batch.state.seeds[number], batch.state.settings
    return Job(student, hand_in.files, seed, number, course, batch.ids, batch.level)


def _why(batch, new, hand_in, old):
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


def _why_again(batch, new, hand_in, old):
    """The same for --only."""
    if old is None:
        return "left"
    if not _same_hand_in(old, new):
        return "left changed"
    if old["status"] == "malformed":
        return "malformed"
    done = batch.order.resume and old["grader"] == new["grader"] and not old["trouble"]
    return "kept" if done else "again"


def _same_hand_in(old, new):
    return old["submission"]["digest"] == new["submission"]["digest"]


def _keep(batch, job, result, bar):
    """Store the result of a job."""
    new = batch.heads.pop(job.student)
    if isinstance(result, Lost):
        _demand_room(result)
        bar.say(f"{batch.members.called(job.student)}: {result.why}{result.details and chr(10)}{result.details}")
        record = lost(new, job, result.why, batch.walls)
    else:
        record = graded(new, job, result)
    old = batch.journal.get(job.student) if batch.order.only else None
    batch.journal.add(regraded(old, record) if old else record)
    _count(batch, bar)


def _add_if_new(batch, record, old):
    if record != old:
        batch.journal.add(record)


def _demand_room(result):
    """Stop if the disk is full: every further submission would fail too."""
    if os.strerror(errno.ENOSPC) in result.why:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def _count(batch, bar, graded_now=True):
    batch.done += 1
    bar.advance(graded_now)


def _say_counts(batch, say):
    """Say how many were graded now and how many before, when a grading was resumed."""
    if batch.order.resume or batch.order.only:
        said = [f"{batch.counts[why]:,} {words}" for why, words in SAID.items() if batch.counts[why]]
        say(f"Submissions: {', '.join(said)}." if said else "Submissions: none.")
    if batch.counts["left"] or batch.counts["left changed"]:
        say("--only grades no hand-in for the first time: --resume does.")


# ---- after ----


def _write_outputs(out, state, members, journal, say):
    settings, shown = Settings.from_dict(state.settings), members.shown(journal)
    records = Records(journal, shown, weigher(settings))
    context = outputs.write(out, records, members.context(settings, state, shown))
    for line in words.summary(records, context):
        say(line)
    say(f"The seed was {state.seed}: --seed {state.seed} asks the same questions again.")


def _merge(order, say):
    """Join the shards in the folder, and write tables and pages."""
    found = shards.found(order.out)
    gone, state = shards.missing(found), shards.joined_state(found)
    members = class_list.read(order)
    with _disk_errors(order.out, "Merge again."), shards.joined(order.out, found, state) as journal:
        _write_outputs(order.out, state, members, journal, say)
        waiting = len(members.without_grades(journal))
    for shard in gone:
        say(f"Shard {shard} is missing.")
    if waiting:
        say(f"{waiting} of {len(members.sources)} submissions have no grade yet: grade their shards, then merge again.")
    return 2 if waiting or gone else 0


# ---- trouble ----


@contextlib.contextmanager
def _stopped_by_signals():
    """SIGTERM and a closed terminal stop it as Ctrl-C does."""

    def stop(*_):
        raise KeyboardInterrupt

    names = [name for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]
    before = {}
    if threading.current_thread() is threading.main_thread():
        before = {name: signal.signal(getattr(signal, name), stop) for name in names}
    try:
        yield
    finally:
        for name, handler in before.items():
            signal.signal(getattr(signal, name), handler)


@contextlib.contextmanager
def _disk_errors(out, go_on):
    """A full disk gets one sentence.  go_on: the next one, a text or a function that gives it."""
    try:
        yield
    except BrokenPipeError:
        raise  # the reader of our output has closed the pipe
    except OSError as error:
        full = error.errno in (errno.ENOSPC, getattr(errno, "EDQUOT", None))
        where = error.filename or out
        why = f"The disk of {out} is full" if full else f"{where} cannot be written: {error.strerror or error}"
        raise UsageError(f"{why}. {go_on if isinstance(go_on, str) else go_on()}") from None
