"""The verdict on one exercise: its status, its points, and what is said (messages.py)."""

from dataclasses import dataclass, field

from ..asking.outcome import CANNOT_BE_READ, Outcome
from ..marking.compare import Difference, difference
from ..probes.probing import TOO_MANY_TO_NUDGE
from . import messages
from .advice import is_gone
from .line import Line
from .questioning import Died
from .written import UNKNOWN

NUDGED = 1e-4  # relative tolerance of a number that was found by nudging
NO_MATTER_FOR_A_HINT = {
    *(*CANNOT_BE_READ, "ImportError", "ModuleNotFoundError", "EOFError", "SystemExit"),
}


@dataclass
class Verdict:
    """What is said of one exercise.

    expected: what was expected, in words, if the message says it.
    counted: how many of the right answers count for its points; they earn the same share of them.
    lines: the sentences of the message, in order: Lines.
    graph: the learner's graph of the question that they are about, or of another one if the process ended before it
        answered; as it came back, or None.
    hint: can a hint about the exercise help? Not where the file cannot be read, or something else is used than asked.
    cause: what stopped the code, in words that may be the same for other exercises, or "".
    as_in: the id of the exercise before it that was stopped by the same, and whose message tells it, or "".
    foreign: none of the course's markers is in the file.
    idea: the Misconception, or None.
    plain: the lines without it, and without what is said of the exercises that it builds on.
    undone: {id of a failing exercise that it builds on: has it not been started?}
    shown: the name of the question that the message is about, or "".
    """

    id: str
    title: str
    file: str
    points: int
    earned: int = 0
    status: str = "passed"
    lines: tuple = ()
    misconception: str | None = None
    expected: str | None = None
    right: int = 0
    asked: int = 0
    counted: int = 0
    graph: object = None
    hint: bool = True
    cause: str = ""
    as_in: str = ""
    foreign: bool = False
    idea: object = None
    plain: tuple = ()
    undone: dict = field(default_factory=dict)
    shown: str = ""

    @property
    def message(self):
        return "\n".join(self.lines)

    @property
    def done(self):
        """Counts as done for the exit code and for the exercises that build on it."""
        return self.status in ("passed", "given")


def judge(ex, questions, state="changed", found=None, undone=(), known=(), written=UNKNOWN, at=None):
    """The Verdict for one exercise.

    state: of its region: "untouched", "given" or "changed"; "foreign" in a file without any region.
    found: the Misconception that answers like the learner's code, or None.
    undone: {id of a failing exercise that this one builds on: has it not been started?}
    known: names of questions whose right answers are public. They earn nothing by themselves.
    written: what the answer's text is.  at: (number, text) of the line in which the misconception stands, or None.
    """
    wrong = [q for q in questions if q.wrong]
    verdict = Verdict(ex.id, ex.title, ex.file, ex.points, right=len(questions) - len(wrong), asked=len(questions))
    if not wrong:
        verdict.status = "given" if state == "given" else "passed"
        return _weighed(verdict, 0 if state == "given" else len(questions))
    first = most_telling(questions)
    verdict.shown = first.probe.name
    verdict.hint = _a_hint_can_help(first)
    verdict.foreign = state == "foreign"
    if not_started(ex, questions, state):
        verdict.status, verdict.right = "not_started", 0
        verdict.lines = messages.of_a_waiting_exercise(ex, first, state)
        return verdict
    verdict.status = _status(first)
    verdict.idea, verdict.misconception = found, found.name if found else None
    drawn = (first, *wrong) if isinstance(first.got, Died) else (first,)  # a walk without an end: on a small graph
    verdict.graph = next((question.graph for question in drawn if question.graph is not None), None)
    verdict.cause = "" if found else messages.cause(ex, first, written)
    verdict.plain = messages.of_a_failure(ex, first, wrong, written)
    verdict.expected = messages.expected(first)
    if earns_nothing(ex, questions, known):
        verdict.plain = (*verdict.plain, messages.KNOWN)
    verdict.undone = {} if messages.is_about_a_need(first) else dict(undone)
    place = messages.place_of_the_idea(ex.file, at, verdict.plain)
    verdict.lines = messages.explained(verdict.plain, found, messages.perhaps(verdict.undone), place)
    return _weighed(verdict, 0 if state == "given" else _counted(questions, known))


def earns_nothing(ex, questions, known):
    """Do the right answers cost their points because they are all known beforehand?"""
    return earned(ex.points, _counted(questions, ()), len(questions)) > 0 and _is_known(questions, known)


def _weighed(verdict, counted):
    """The verdict with the points for so many right answers."""
    verdict.counted, verdict.earned = counted, earned(verdict.points, counted, verdict.asked)
    return verdict


def earned(points, counted, asked):
    """The share of an exercise's points that its right answers are, rounded down."""
    return points * counted // asked


def told_again(verdict, found, pointer):
    """The verdict, with the idea and the Line that were found by asking once more."""
    if not verdict.as_in:
        verdict.idea, verdict.misconception = found, found.name if found else None
        verdict.lines = messages.explained(verdict.plain, found, pointer)
    return verdict


def told_once(verdicts):
    """The verdicts, in which each cause is explained once: the exercises after the first one only name it."""
    causes, foreign = {}, {}
    for verdict in verdicts:
        first = causes.setdefault((verdict.file, verdict.cause), verdict.id) if verdict.cause else verdict.id
        if first != verdict.id:
            verdict.as_in, verdict.lines = first, messages.as_in(first, verdict.cause)
        elif verdict.foreign:
            first = foreign.setdefault(verdict.file, verdict.id)
            verdict.lines = (Line(messages.about_foreign(verdict, first)), *verdict.lines)
            verdict.hint = False
    return verdicts


def _counted(questions, known):
    """How many right answers count for the points.

    None does if the answers were learnt by heart: then those that cannot be known beforehand are all wrong. None does
    if every number is nudged in place of a rule, which is right as long as there are few numbers.
    """
    large = [q for q in questions if q.wrong and q.probe.slow == TOO_MANY_TO_NUDGE]
    small = [q for q in questions if q.wrong and q.probe.slow != TOO_MANY_TO_NUDGE]
    if _is_known(questions, known) or any(_is_nudged(q, small) for q in large):
        return 0
    return sum(not q.wrong for q in questions)


def _is_known(questions, known):
    """Are no answers right but such as can be known beforehand?"""
    secret = [q for q in questions if q.probe.name not in known]
    return bool(known and secret) and all(q.wrong for q in secret)


def _is_nudged(large, small):
    """Does a wrong answer about many numbers look like that of code which can only deal with few?

    small: the wrong answers about few numbers. A wrong rule gives wrong numbers there too, raises the same, or returns
    the same odd thing. Code that nudges has few numbers right; with many it is stopped, gives up, or answers anything.
    """
    return not isinstance(large.got, Outcome) or not any(_fails_alike(large, each) for each in small)


def _fails_alike(large, small):
    if large.stop and small.stop:
        return large.stop.type == small.stop.type
    if small.stop or small.probe.compare or not isinstance(small.wrong, Difference):
        return False
    wrong = difference(small.expected.answers, small.got.answers, NUDGED)
    if not wrong or wrong.name not in small.expected.answers:  # then it is the name of a number in an array
        return bool(wrong)
    if _is_a_number_or_several(small.expected.answers[wrong.name]) or wrong.name.endswith(" afterwards"):
        return True
    return isinstance(large.wrong, Difference) and large.wrong.name.startswith(wrong.name)


def _is_a_number_or_several(x):
    """Of 64 bits: with fewer, nudging gives wrong numbers as well."""
    return isinstance(x, (int, float)) or getattr(x, "dtype", None) == "float64"


def _status(question):
    if isinstance(question.got, Died):
        return question.got.kind
    if question.stop and not question.stop.stub:
        return "error"
    return "failed"


def not_started(ex, questions, state):
    """Has the learner written nothing in this exercise yet?"""
    stubs = [q.stop and q.stop.stub == ex.id for q in questions]
    return state == "untouched" or all(stubs)


def most_telling(questions):
    """The wrong answer to speak of: one that ended the process, or the first that met no unfilled stub. Or None."""
    wrong = [q for q in questions if q.wrong]
    if dead := [q for q in wrong if isinstance(q.got, Died)]:
        return dead[0]
    return next((q for q in wrong if not (q.stop and q.stop.stub)), wrong[0] if wrong else None)


def _a_hint_can_help(question):
    """Is the wrong answer about the exercise, and not about a file that cannot be read or code that asks for input?"""
    stop = question.stop
    if not stop:
        return not getattr(question.got, "importing", "")
    return not (stop.importing or stop.type in NO_MATTER_FOR_A_HINT or is_gone(stop))
