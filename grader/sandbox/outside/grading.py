"""One submission: asked in a jail, compared here, judged in the words of `make check`.

What fails along with something that it builds on is asked once more, in a jail of its own: see checking/carrying.py.
Of what fails for no known reason, small edits are asked, in processes of their own: see slips/.
"""

import atexit
import time
from dataclasses import dataclass, field
from functools import cache

from ...asking.draws import as_in_an_edition
from ...asking.outcome import CANNOT_BE_READ
from ...checking import carrying, expected
from ...checking.judging import Judging
from ...course import regions, stubs
from ...course.catalogue import all_needs
from ...course.settings import Settings
from ...slips.found import is_worth_a_search, look, wrong_ones
from . import levels
from .client import Attempted, Jail, JailError
from .no_isolation import Unsandboxed

FLOOR = 3.0  # seconds of processor time that every exercise has
FACTOR = 40  # times the reference's own processor time, where that is more
WHOLE = 300.0  # seconds on the clock for one submission. Then the rest is not asked any more
SEARCHING = 30.0  # the same for the lines of its slips: slips/search.py gives each exercise a second


@dataclass(frozen=True)
class Job:
    """What one submission needs to be graded anywhere: plain data.

    files: {name inside babygrad/: bytes} of the student.  seed: draws the inputs; seed_set: its number in the report.
    course: Settings.as_dict().  ids: the exercises to ask.  isolation: the name of a Level.
    carried: {id: the question that its message is about}; then these exercises are asked with what they build on taken
        from the reference.
    wrong: {id: the questions that it got wrong}; then small edits of these exercises are asked, to find the line.
    """

    student: str
    files: dict
    seed: int
    seed_set: int
    course: dict
    ids: tuple
    isolation: str
    carried: dict = field(default_factory=dict)
    wrong: dict = field(default_factory=dict)


def grade(job):
    """{"exercises": [row, ...], "isolation": words, "attempts": what was refused} of one submission.

    Of errors carried forward, and of the lines of slips, {id: found}.
    """
    settings = Settings.from_dict(job.course)
    with as_in_an_edition(settings.draw):
        return _graded(job, settings)


def _graded(job, settings):
    ids = set(job.ids)
    exercises = [ex for ex in settings.exercises() if ex.id in ids]
    jail = _jail(job.isolation, settings.given, bool(job.carried))
    if job.carried:
        return _carried(jail, job, exercises, settings.given)
    if job.wrong:
        return _searched(jail, job, exercises)
    jail.attempts = Attempted()
    states = _states(job.files, settings.given)
    questioning = _Questioning(jail, job.files, exercises, states, job.seed)
    verdicts = questioning.verdicts()
    rows = [row(verdict, questioning.once(verdict), questioning.to_search(verdict)) for verdict in verdicts]
    return {"exercises": rows, "isolation": jail.level.words, "attempts": jail.attempts.found}


def row(verdict, once=(), wrong=()):
    """One exercise of a record. Its points are not known here: they depend on the settings (student_record.py).

    once: what has to be right before it can be. Then the message may be another when that was asked about.
    wrong: the questions that it got wrong, if the line is to be searched for.
    """
    names = ("id", "title", "file", "status", "message", "misconception", "right", "asked", "counted", "hint", "as_in")
    known = {name: getattr(verdict, name) for name in names} | {"once": list(once)}
    known |= {"wrong": list(wrong)} if wrong else {}
    if not once or verdict.as_in or not verdict.undone:
        return known
    plain = [[line.kind, str(line)] for line in verdict.plain]
    return known | {"plain": plain, "undone": verdict.undone, "shown": verdict.shown}


def _carried(jail, job, exercises, given):
    """{exercise id: what is found once what it builds on is right}: yes or no, a number, the name of an idea.

    Nothing else comes out. "cured": is the question that was shown right? None where it cannot be told.
    """
    asking = _Asking(jail, exercises, job.seed, WHOLE)
    found = {ex.id: carrying.carried(ex, job.files, given, job.seed, asking.once_more) for ex in exercises}
    return {id: _as_data(each, job.carried[id]) for id, each in found.items()}


def _as_data(carried, shown):
    if carried is None:
        return {"cured": None, "counted": 0, "idea": None}
    idea = carried.idea and carried.idea.name
    return {"cured": carried.cures(shown), "counted": carried.counted, "idea": idea}


def _searched(jail, job, exercises):
    """{exercise id: None, or {"lines": (first, last), "kind": the name of a Kind or None, "said": [text, ...]}}.

    That is all that comes out: a place in the hand-in, and words of ours with that line.
    """
    asking = _Asking(jail, exercises, job.seed, SEARCHING)
    return {ex.id: _slip(ex, job, asking) for ex in exercises}


def _slip(ex, job, asking):
    def edited(files, exercises, seed):
        return asking.once_more({**job.files, **files}, exercises, seed)

    try:
        with asking.jail.opened(job.files) as start:
            found = look(ex, job.files[ex.file], job.wrong[ex.id], job.seed, start, edited, asking.is_over)
    except JailError:
        asking.jail.broken()
        return None
    kind = found.slip and found.slip.kind
    return found.slip and {
        "lines": list(found.slip.lines),
        "kind": kind and kind.name,
        "said": list(map(str, found.lines)),
    }


def limit(ex, seed):
    """Seconds of processor time for an exercise, from what the reference takes on this machine.

    It doubles from FLOOR on, so that the same limit stands in the messages of two runs.
    """
    seconds = FLOOR
    while seconds < FACTOR * _reference_time(ex, seed):
        seconds *= 2
    return seconds


_times = {}


def _reference_time(ex, seed):
    if (ex.id, seed) not in _times:
        begin = time.process_time()
        expected.reference_answers([ex], seed)
        _times[ex.id, seed] = time.process_time() - begin
    return _times[ex.id, seed]


class _Asking:
    """Asks a jail about one submission, until its time is up.  whole: seconds on the clock."""

    def __init__(self, jail, exercises, seed, whole):
        self.jail, self.seed = jail, seed
        for ex in exercises:
            limit(ex, seed)  # measured before the clock starts
        self.end = time.monotonic() + whole

    def is_over(self):
        """Is the time up?"""
        return time.monotonic() >= self.end

    def asked(self, files, exercises, missing=lambda got: []):
        """{exercise id: answers}, also of what a failing exercise builds on. A jail that breaks is built anew, once."""
        return self._asked(files, exercises, self.seed, missing)

    def once_more(self, files, exercises, seed):
        """The same with a seed of its own."""
        return self._asked(files, exercises, seed, lambda got: [])

    def _asked(self, files, exercises, seed, missing):
        try:
            return self.jail.question(files, exercises, seed, self._seconds, missing)
        except JailError:
            self.jail.broken()
            return self.jail.question(files, exercises, seed, self._seconds, missing)

    def _seconds(self, ex):
        return 0.0 if self.is_over() else limit(ex, self.seed)


class _Questioning:
    """Asks everything in one process first. What fails there for no known reason is asked again, alone:

    the code of another exercise may have broken what this one stands on.
    """

    def __init__(self, jail, files, exercises, states, seed):
        self.files, self.exercises = files, exercises
        self.asking = _Asking(jail, exercises, seed, WHOLE)
        self.judging = Judging(exercises, states, seed, files, self._with_other_inputs)
        self.got = {}

    def verdicts(self):
        self.got = self._asked(self.exercises, self._missing)
        verdicts = self.judging.verdicts(self.got)
        better = self._asked_alone([v.id for v in verdicts if _is_odd(v, self._asked_of(v.id, self.got))], self.got)
        self.got.update(better)
        return self.judging.verdicts(self.got) if better else verdicts

    def once(self, verdict):
        """What has to be right before an exercise that fails can be: the file that cannot be imported, and ids."""
        if verdict.done or verdict.status == "not_started" or self._asked_of(verdict.id, self.got).state == "given":
            return []
        return [*self._broken_file(verdict), *(id for id in all_needs(verdict.id) if self._fails(id))]

    def to_search(self, verdict):
        """The questions that an exercise got wrong whose line is worth a search, or []."""
        asked = self._asked_of(verdict.id, self.got)
        return wrong_ones(asked) if is_worth_a_search(verdict, asked) else []

    def _broken_file(self, verdict):
        """[the file that cannot be imported, where that stopped an exercise], or []. Its name is one of ours."""
        for answer in self.got[verdict.id].values():
            stop = getattr(answer, "answers", None)
            if _ended_while_importing(answer) or getattr(stop, "type", None) in CANNOT_BE_READ:
                frames = getattr(stop, "frames", ())
                return [frames[-1].file if frames and frames[-1].file in self.files else verdict.file]
        return []

    def _fails(self, id):
        return id in self.got and not self._asked_of(id, self.got).passed

    def _missing(self, got):
        return self.judging.missing(got, lambda ex: all_needs(ex.id))

    def _asked_of(self, id, got):
        return self.judging.asked(id, got[id])

    def _asked_alone(self, ids, got):
        """{exercise id: answers} of those that answer more questions rightly when they are asked alone."""
        better, dead_files = {}, set()
        for ex in [ex for ex in self.exercises if ex.id in ids]:
            if ex.file in dead_files:
                continue
            alone = self._asked([ex])[ex.id]
            if any(map(_ended_while_importing, alone.values())):
                dead_files.add(ex.file)
            if _right(self.judging.asked(ex.id, alone)) > _right(self._asked_of(ex.id, got)):
                better[ex.id] = alone
        return better

    def _with_other_inputs(self, ex, seed):
        return self.asking.once_more(self.files, [ex], seed)[ex.id]

    def _asked(self, exercises, missing=lambda got: []):
        return self.asking.asked(self.files, exercises, missing)


def _is_odd(verdict, asked):
    """Did it fail for a reason that might be different in a process of its own?"""
    if verdict.done or verdict.misconception or asked.waiting:
        return False
    stops = [question.stop for question in asked.questions if question.wrong]
    return not all(stop and stop.stub for stop in stops)


def _ended_while_importing(answer):
    """Did it fail while the file was being imported? Takes an Outcome or a Died."""
    return bool(getattr(getattr(answer, "answers", answer), "importing", False))


def _right(asked):
    return sum(not question.wrong for question in asked.questions)


def _states(files, given):
    """{file: {exercise id: state}}; a file that was not handed in is as it was handed out."""
    return {**_states_of_stubs(given), **{name: regions.states_of(data) for name, data in files.items()}}


@cache
def _states_of_stubs(given):
    return {name: regions.states_of(text.encode()) for name, text in stubs.generated(given=given).items()}


_jails = {}


def _jail(name, given, carried):
    """A jail of this process, kept from one submission to the next; another one for errors carried forward."""
    if (name, given, carried) not in _jails:
        level = levels.named(name)
        _jails[name, given, carried] = jail = (Jail if level.sandboxed else Unsandboxed)(level, given)
        atexit.register(jail.close)
    return _jails[name, given, carried]
