"""Turns what a learner's code answered into a verdict, in words that help."""

import re
from dataclasses import dataclass
from functools import cached_property, partial

from ..asking.answers import NOT_COMPARED
from ..asking.describe import describe
from ..asking.outcome import Outcome, Stopped
from ..course.catalogue import place_of
from ..course.phrases import listed
from ..course.stub_message import unfilled
from ..marking.compare import Difference, difference
from ..probes.probing import TOO_MANY_TO_NUDGE
from .number_patterns import pattern_in
from .questioning import Died

LONGEST_LINE = 2_000  # characters: the message stays readable, whatever a learner's process sends
NUDGED = 1e-4  # relative tolerance of a number that was found by nudging


@dataclass
class Verdict:
    """What is said of one exercise.

    counted: how many of the right answers count for its points; they earn the same share of them.
    lines: the sentences of the message, in order.
    graph: the learner's graph of the question that they are about, as it came back, or None.
    hint: can a hint about the exercise help? Not where the file cannot be read, or something else is used than asked.
    cause: what stopped the code, in words that may be the same for other exercises, or "".
    as_in: the id of the exercise before it that was stopped by the same, and whose message tells it, or "".
    foreign: none of the course's markers is in the file.
    """

    id: str
    title: str
    file: str
    points: int
    earned: int = 0
    status: str = "passed"
    lines: tuple = ()
    misconception: str | None = None
    right: int = 0
    asked: int = 0
    counted: int = 0
    graph: object = None
    hint: bool = True
    cause: str = ""
    as_in: str = ""
    foreign: bool = False

    @property
    def message(self):
        return "\n".join(self.lines)

    @property
    def done(self):
        """Counts as done for the exit code and for the exercises that build on it."""
        return self.status in ("passed", "given")


@dataclass
class Question:
    """One probe with what came back (an Outcome, a Died, or None if it was not asked) and the reference's Outcome."""

    probe: object
    got: object
    expected: object

    @property
    def stop(self):
        """The Stopped that ended it, or None."""
        answers = getattr(self.got, "answers", None)
        return answers if isinstance(answers, Stopped) else None

    @property
    def graph(self):
        """The learner's graph, where the probe drew one."""
        answers = getattr(self.got, "answers", None)
        return answers.get("graph") if isinstance(answers, dict) else None

    @cached_property
    def wrong(self):
        """None if the answer is right; else what is wrong: a Stopped, a Died, a Difference or a text."""
        if self.got is None or isinstance(self.got, Died):
            return self.got or "It was not asked any more."
        if self.stop:
            return self.stop
        if not isinstance(self.got.answers, dict):
            return "The check could not read the answer."
        if self.probe.compare:
            return self._compared()
        return difference(self.expected.answers, self.got.answers, self.probe.rtol)

    def _compared(self):
        """The probe's own comparison. If it raises on an odd answer, the other questions still count."""
        try:
            expected = {} if self.probe.secret else self.expected.answers
            return self.probe.compare(expected, self.got.answers)
        except Exception as error:
            shown = ", ".join(
                f"{name}: {describe(x)}" for name, x in self.got.answers.items() if name not in NOT_COMPARED
            )
            return f"The answer is of a form that the check cannot compare ({type(error).__name__}): {shown}."


def judge(ex, questions, state="changed", found=None, undone=(), known=()):
    """The Verdict for one exercise.

    state: of its region: "untouched", "given" or "changed"; "foreign" in a file without any region.
    found: the Misconception that answers like the learner's code, or None.
    undone: {id of a failing exercise that this one builds on: has it not been started?}
    known: names of questions whose right answers are public. They earn nothing by themselves.
    """
    wrong = [q for q in questions if q.wrong]
    verdict = Verdict(ex.id, ex.title, ex.file, ex.points, right=len(questions) - len(wrong), asked=len(questions))
    if not wrong:
        verdict.status = "given" if state == "given" else "passed"
        return _weighed(verdict, 0 if state == "given" else len(questions))
    first = most_telling(questions)
    verdict.hint = _a_hint_can_help(first)
    verdict.foreign = state == "foreign"
    if not_started(ex, questions, state):
        verdict.status, verdict.right = "not_started", 0
        verdict.lines = _cut(_lines_of_a_waiting_exercise(ex, first, state))
        return verdict
    verdict.status = _status(first)
    verdict.misconception = found.name if found else None
    verdict.graph = first.graph
    verdict.cause = "" if found else " ".join(map(str.strip, _cause(ex, first)))
    verdict.lines = _cut((*_what_happened(ex, first, found), *_what_it_means(ex, first, wrong, found, dict(undone))))
    return _weighed(verdict, 0 if state == "given" else _counted(questions, known))


def _weighed(verdict, counted):
    """The verdict with the points for so many right answers."""
    verdict.counted, verdict.earned = counted, earned(verdict.points, counted, verdict.asked)
    return verdict


def earned(points, counted, asked):
    """The share of an exercise's points that its right answers are, rounded down."""
    return points * counted // asked


def told_once(verdicts):
    """The verdicts, in which each cause is explained once: the exercises after the first one only name it."""
    causes, foreign = {}, {}
    for verdict in verdicts:
        first = causes.setdefault((verdict.file, verdict.cause), verdict.id) if verdict.cause else verdict.id
        if first != verdict.id:
            verdict.as_in, verdict.lines = first, _cut([f"As in {first}: {verdict.cause}"])
        elif verdict.foreign:
            first = foreign.setdefault(verdict.file, verdict.id)
            verdict.lines = (_about_foreign(verdict, first), *verdict.lines)
            verdict.hint = False
    return verdicts


def _about_foreign(verdict, first):
    """first: the id of the exercise of that file that explains it."""
    what = f"babygrad/{verdict.file} is not the course's file: none of its exercise markers"
    if verdict.id != first:
        return f"As in {first}: {what} is in it."
    return (
        f"{what} (comments such as # exercise {first}) is in it. To bring the course's file back: "
        f"python -m grader reset {verdict.file} (yours is kept). Then write each answer between its markers."
    )


def _counted(questions, known):
    """How many right answers count for the points.

    None does if the answers were learnt by heart: then those that cannot be known beforehand are all wrong. None does
    if every number is nudged in place of a rule, which is right as long as there are few numbers.
    """
    secret = [q for q in questions if q.probe.name not in known]
    large = [q for q in questions if q.wrong and q.probe.slow == TOO_MANY_TO_NUDGE]
    small = [q for q in questions if q.wrong and q.probe.slow != TOO_MANY_TO_NUDGE]
    if (known and secret and all(q.wrong for q in secret)) or any(_is_nudged(q, small) for q in large):
        return 0
    return sum(not q.wrong for q in questions)


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


def _cut(lines):
    """The lines, none of them so long that it would hide the others."""
    return tuple(line if len(line) <= LONGEST_LINE else line[:LONGEST_LINE] + " ..." for line in lines)


NO_MATTER_FOR_A_HINT = {
    *("SyntaxError", "IndentationError", "TabError", "ImportError", "ModuleNotFoundError", "EOFError", "SystemExit"),
}


def _a_hint_can_help(question):
    """Is the wrong answer about the exercise, and not about a file that cannot be read or code that asks for input?"""
    stop = question.stop
    if not stop:
        return not getattr(question.got, "importing", "")
    return not (stop.importing or stop.type in NO_MATTER_FOR_A_HINT or _is_gone(stop))


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


def _lines_of_a_waiting_exercise(ex, question, state):
    stop = question.stop
    if stop and stop.importing:
        yield from _lines_of_a_broken_file(ex.file, stop)
        yield "Mend that first: nothing in this file can be asked before."
    elif state in ("changed", "foreign"):
        part = _stub_title(stop) if stop else ex.title
        yield f"The line with raise NotImplementedError of {part} in babygrad/{ex.file} is still reached."
        yield "Fill this part in. If you have, delete that line."
    else:
        yield f"Open babygrad/{ex.file} and fill in exercise {ex.id}."


def _status(question):
    if isinstance(question.got, Died):
        return question.got.kind
    if question.stop and not question.stop.stub:
        return "error"
    return "failed"


def _what_happened(ex, question, found):
    """What was asked, what came back, what was expected."""
    stop = question.stop
    if isinstance(question.got, Died):
        yield from _lines_of_death(question)
    elif stop and stop.importing:
        yield from _lines_of_a_broken_file(ex.file, stop)
    elif stop and stop.stub:
        yield from _about_a_stub(ex, stop)
    elif stop:
        yield called(question)
        yield from _lines_of_an_exception(stop)
        yield from filter(None, ["" if found else _advice(stop)])
    else:
        yield called(question)
        yield question.wrong if isinstance(question.wrong, str) else question.wrong.sentence()


def _cause(ex, question):
    """The sentences about what stopped the code, without the question that was asked; none if nothing did."""
    stop = question.stop
    if getattr(question.got, "importing", ""):
        yield from _lines_of_death(question)
    elif stop and stop.importing:
        yield from _lines_of_a_broken_file(ex.file, stop)
    elif stop and not stop.stub:
        yield from _lines_of_an_exception(stop)


def _what_it_means(ex, question, wrong, found, undone):
    """The idea, where to look, what was printed, what is still open."""
    if found:
        yield found.words
        if found.stuck:
            yield f"More in docs/stuck.md, under {found.stuck!r}."
    elif not undone:
        yield from filter(None, [_pattern(question, wrong)])
    if not (question.stop and question.stop.importing):
        yield from _about_undone(undone)
    printed = getattr(question.got, "printed", "")
    if printed.strip():
        yield "Your code printed: " + _shortened(printed)
    unfilled = dict.fromkeys(_stub_title(q.stop) for q in wrong if q.stop and q.stop.stub == ex.id)
    if unfilled:
        so_far = "All that is filled in is right. " if all(q.stop and q.stop.stub == ex.id for q in wrong) else ""
        yield f"{so_far}Not filled in yet: {', '.join(unfilled)}."


def _about_undone(undone):
    """The exercises that this one builds on: those to do first, those to mend first."""
    waiting = [id for id, not_started in undone.items() if not_started]
    failing = [id for id in undone if id not in waiting]
    if waiting:
        yield f"It builds on {listed(waiting)}, not done yet: do that first."
    if failing:
        verb = "does" if len(failing) == 1 else "do"
        yield f"It builds on {listed(failing)}, which {verb} not pass now. Look there first."


def called(question):
    """The sentence that says what was asked, with the inputs that came back with the answers."""
    fields = {}
    for outcome in (question.expected, question.got):
        answers = getattr(outcome, "answers", None)
        found = answers.get("asked") if isinstance(answers, dict) else None
        fields.update(found if isinstance(found, dict) else {})
    # one pass: what is put in may hold further names in braces, and would grow with each
    return f"Called {re.sub(r'{(.+?)}', partial(_input, fields), question.probe.asked)}."


def _input(fields, name):
    """What stands in the place of {name}: the input itself, if it is known."""
    return str(fields[name[1]])[:LONGEST_LINE] if name[1] in fields else name[0]


def _pattern(question, wrong):
    others = [_different(q) for q in wrong if q is not question and isinstance(q.wrong, Difference)]
    return pattern_in(*_different(question), others) if isinstance(question.wrong, Difference) else ""


def _different(question):
    """(expected, got) of the first answer that differs."""
    return tuple(outcome.answers.get(question.wrong.name) for outcome in (question.expected, question.got))


def _lines_of_death(question):
    died = question.got
    where = f"while babygrad/{died.importing} was being imported" if died.importing else ""
    if not died.importing:
        yield called(question)
    if died.kind == "timeout":
        yield f"No answer within {died.seconds:g} seconds{', ' + where if where else ''}. The process was stopped."
        yield question.probe.slow or (
            "Look for a loop that never ends, for work that doubles with each step, "
            "or for a long list that is searched again and again."
        )
    else:
        yield f"Your code ended the whole process {where or 'while it was asked'} (exit code {died.exit_code})."
        yield "Look for os._exit, or for code that takes all memory or goes too deep."


def _lines_of_a_broken_file(file, stop):
    """The sentences about a file that cannot be imported."""
    at = stop.frames[-1] if stop.frames else None
    where = f"babygrad/{at.file}, line {at.line}" if at else f"babygrad/{file}"
    yield f"Python could not read {where}." if stop.type == "SyntaxError" else f"Importing stopped in {where}."
    if at and at.code:
        yield "    " + at.code
    yield f"{stop.type}: {stop.message}"
    if _advice(stop):
        yield _advice(stop)


def _about_a_stub(ex, stop):
    if stop.stub != ex.id:
        exercise = f"exercise {stop.stub} ({_stub_title(stop)})"
        if place_of(stop.stub) < place_of(ex.id):
            yield f"Your code needs {exercise}, which is not filled in yet. Do that one first."
        else:
            yield f"Your code needs {exercise}, which comes later. Can you do without it?"
            yield from filter(None, [_without(stop.stub, ex.notebook)])


def _without(stub, notebook):
    """How to write it without an exercise that comes later."""
    if stub == "7.6" and notebook == "06":
        return "unbroadcast is for shapes that were stretched. All shapes are equal in 06: is one of yours not?"
    if stub == "8.1" and notebook < "08":
        return "That is @, the matrix product. Number by number it is *."
    if stub == "10.8":
        return (
            "That is x[0], or a loop over x, for a Tensor x. In a rule, operations on whole Tensors do the work; "
            "of a Tensor's array, x.data, you can pick at any time."
        )
    return "If a plain number met a Value there: is a .data missing?" if notebook < "05" else ""


def _stub_title(stop):
    """The title that a stub gives its exercise. A stranger's process may send another message: then all of it."""
    stub = unfilled(stop.message)
    return stub.title if stub and stub.title else stop.message


def _lines_of_an_exception(stop):
    if stop.frames:
        at = _own_line(stop)
        yield f"Your code stopped in babygrad/{at.file}, line {at.line}" + _in_function(at)
        yield "    " + at.code
        yield f"{stop.type}: {stop.message}"
    else:
        yield _without_a_line_of_theirs(stop)


def _own_line(stop):
    """The innermost line that the learner wrote; in given code if there is none."""
    return next((frame for frame in reversed(stop.frames) if frame.own), stop.frames[-1])


def _in_function(frame):
    return f", in {frame.function}." if frame.function not in ("", "<module>") else "."


def _without_a_line_of_theirs(stop):
    """Advice where no line of theirs was running: the check could not call it, or could not use what it returned."""
    if _is_gone(stop):
        return f"babygrad/{stop.used[5:]} has no {_missing_name(stop)}. Was it renamed or deleted?"
    if stop.type == "AttributeError" and stop.used.startswith("class "):
        return f"{stop.used[6:]} has no {_missing_name(stop)}. Was it renamed or deleted?"
    if stop.type == "AttributeError" and stop.used:
        end = " Is a return missing?" if stop.used.startswith("nothing") else ""
        return f"The check went on to read .{_missing_name(stop)} of the answer, but the answer is {stop.used}.{end}"
    return f"Python stopped with {stop.type}: {stop.message}"


def _is_gone(stop):
    """Does the learner's file no longer have what the check asks of it?"""
    return stop.type == "AttributeError" and stop.used.startswith("file ")


def _missing_name(stop):
    names = re.findall(r"'(\w+)'", stop.message)
    return names[-1] if names else stop.message


_ADVICE = {
    "RecursionError": (
        "Something calls itself again and again: an operator that uses itself, say, where plain numbers are meant. "
        "If it would end: Python gives up about 1,000 calls deep, or at the limit that your code sets, and a loop with "
        "a list of your own does not."
    ),
    "SystemExit": "Your code called sys.exit or exit. A function of the course gives its answer back with return.",
    "IndentationError": "Check that the line starts as far to the right as its neighbours.",
    "ModuleNotFoundError": "The package uses only numpy and Python's own modules.",
    "EOFError": "input() cannot be answered during a check. The function gets what it needs as arguments.",
}


def _advice(stop):
    unexpected = re.search(r"unexpected keyword argument '(\w+)'", stop.message)
    if unexpected and stop.frames:
        name = unexpected[1]
        axis = " Of a Tensor's sum and mean it is called axis." if name == "axes" else ""
        return f"The function that this line calls has no argument {name}: look at its def.{axis}"
    if stop.type == "TypeError" and re.search(r"positional argument|keyword argument|required", stop.message):
        if stop.frames:
            return "The call in this line does not fit the function that it calls: count the arguments."
        return "Keep the def line as the stub has it: the names and order of the arguments are part of the task."
    if stop.type == "TypeError" and "not iterable" in stop.message and re.search(r"(?<!\w)\(\w+\)", _code(stop)):
        return "(self) is just self; a tuple with one thing in it is written (self,)."
    if stop.type == "TypeError" and "'float' object is not iterable" in stop.message:
        return "A tuple with one thing in it is written with a comma: (slope,)."
    if stop.type == "TypeError" and re.search(r"of type (Array)?Expression", stop.message):
        return (
            "In a hunt the arguments are stand-ins that write down what is done with them. Compute with them and with "
            "plain numbers: a Value or a Tensor of your own has no place there."
        )
    if stop.type == "TypeError" and re.search(r"must be real number, not Value|instances of 'Value'", stop.message):
        return "This works on plain numbers: a Value's number is its .data."
    if stop.type == "TypeError" and "does not support ufuncs" in stop.message:
        return (
            "NumPy's functions work on arrays. Write x.exp() for a Tensor x, so that the result remembers it; "
            "in a forward you are given plain arrays."
        )
    if "truth value of an array" in stop.message:
        return (
            "An if, max or and wants one truth value, and an array has many. For each number: np.where(x > 0, a, b), "
            "np.maximum(x, 0), or x > 0 as a factor."
        )
    if "invalid decimal literal" in stop.message:
        return "Python needs a * between factors: 2 * h."
    if stop.type == "TypeError" and "for ^" in stop.message:
        return "A power is written ** in Python."
    if stop.frames and stop.type == "AttributeError" and stop.used.startswith("file "):
        return f"{stop.used[5:]} has no {_missing_name(stop)}. What is it called there?"
    if missing := re.search(r"No module named 'babygrad\.([\w.]+)'", stop.message):
        file = missing[1].replace(".", "/") + ".py"
        return f"There is no babygrad/{file}. If the course came with it: python -m grader reset {file} brings it back."
    if stop.type == "NameError":
        return "Python knows no such name here. Is it spelt right, and made before this line?"
    return _ADVICE.get(stop.type, "")


def _code(stop):
    return _own_line(stop).code if stop.frames else ""


def _shortened(text, lines=6, width=200):
    shown = [line[:width] for line in text.strip().splitlines()]
    return " | ".join(shown[:lines]) + (" | ..." if len(shown) > lines else "")
