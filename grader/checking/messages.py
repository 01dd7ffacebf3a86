"""The sentences of a check: what was asked, what came back, what was expected, what it means, what to do next."""

import re
from functools import partial

from ..asking.ask import NO_RETURN
from ..asking.outcome import CANNOT_BE_READ
from ..course.catalogue import all_exercises, all_needs, exercise, place_of, too_early
from ..course.phrases import listed, plural
from ..course.stub_message import unfilled
from ..course.tracks import TRACKS
from ..marking.compare import RETURN_MISSING, Difference
from ..probes.probing import TOO_MANY_TO_NUDGE
from .advice import advice, is_gone, missing_name, noticed_below, own_line
from .going_on import without_it
from .line import Line
from .number_patterns import pattern_in
from .questioning import Died
from .unreadable import caret, likely_meant, whose
from .written import UNKNOWN

KNOWN = Line(
    "The questions answered right have the same answer in every check: they earn no points by themselves.", "known"
)
GUESSES = ("advice", "pattern")  # kinds of Lines that an idea takes the place of
LAST = ("printed", "open", "known")  # kinds of Lines that stand below it
ONE_BY_ONE = r"\bfor\b|\bmap\b|numerical|ndindex|nditer|ndenumerate|vectorize"  # what an answer that nudges contains
LONGEST_LINE = 2_000  # characters: the message stays readable, whatever a learner's process sends


def of_a_waiting_exercise(ex, question, state):
    """The lines about an exercise that nothing was written for yet."""
    return _cut(_of_a_waiting_exercise(ex, question, state))


def of_a_failure(ex, question, wrong, written=UNKNOWN):
    """The lines about an exercise that fails, as far as it goes by itself.  question: the wrong one to speak of.

    written: what the answer's text is.
    """
    return _cut((*_what_happened(ex, question, written), *_what_it_means(ex, question, wrong, written)))


def explained(lines, found=None, pointer=None, place=()):
    """The lines of of_a_failure with the idea in the place of what was guessed.

    pointer: a Line about what the exercise builds on; then the idea is what is wrong apart from that.
    place: Lines that say where the idea stands.
    """
    left_out = ("pattern",) if pointer else GUESSES if found else ()
    said = [line for line in lines if line.kind not in left_out]
    above, last = ([line for line in said if (line.kind in LAST) == is_last] for is_last in (False, True))
    return _cut([*above, *filter(None, [pointer]), *_idea(found, bool(pointer)), *place, *last])


def _idea(found, besides):
    if found:
        yield Line(f"Apart from that: {found.words}" if besides else found.words, "idea")
        if found.stuck:
            yield f"More in docs/stuck.md, under {found.stuck!r}."


def place_of_the_idea(file, at, lines):
    """Lines that show the line of the learner's file in which the idea stands, if the lines so far do not show it.

    at: (number, text) of it, or None.
    """
    where = f"babygrad/{file}, line {at[0]}" if at else ""
    if where and not any(re.search(rf"{re.escape(where)}\b", line) for line in lines):
        yield Line(f"Look at {where}:")
        yield Line("    " + at[1], "code")


def is_about_a_need(question):
    """Does what happened say already what has to be done first: another exercise, or a file that can be imported?"""
    stop = question.stop
    return bool(stop and (stop.stub or stop.importing)) or bool(getattr(question.got, "importing", ""))


def perhaps(undone):
    """What is said of failing exercises that this one builds on, where it is not known whether they matter; or None.

    undone: {id: has it not been started?}
    """
    return _about_undone(undone, "which you have not done yet", "not pass at the moment: the fault may be there")


def surely(undone):
    """The same, where it is known that more would be right with them."""
    waiting, failing = "which you have not done yet: do that first", "not pass at the moment. Look there first"
    return _about_undone(undone, waiting, failing)


def cause(ex, question, written=UNKNOWN):
    """What stopped the code, in words that may be the same for other exercises; "" if nothing did."""
    return " ".join(map(str.strip, _lines_about_the_cause(ex, question, written)))


def as_in(id, cause):
    """The lines of an exercise that was stopped by the same as that one."""
    return _cut([f"As in {id}: {cause}"])


def about_foreign(verdict, first):
    """first: the id of the exercise of that file that explains it."""
    what = f"babygrad/{verdict.file} is not the course's file: it contains none of the exercise markers"
    if verdict.id != first:
        return f"As in {first}: {what}."
    return (
        f"{what} (comments such as # exercise {first}). To bring the course's file back: "
        f"python -m grader reset {verdict.file} (yours is kept). Then write each answer between its markers."
    )


OF_ONE_ALONE = ("caret", "whose")  # kinds of Lines that are not the same for all exercises of a file


def _cut(lines):
    """The lines, none of them so long that it would hide the others."""
    return tuple((line if isinstance(line, Line) else Line(line)).at_most(LONGEST_LINE) for line in lines)


def _of_a_waiting_exercise(ex, question, state):
    stop = question.stop
    if stop and stop.importing:
        yield from _lines_of_a_broken_file(ex, stop)
        yield "Fix that first: until then nothing in this file can be checked."
    elif state in ("changed", "foreign"):
        part = _stub_title(stop) if stop else ex.title
        yield f"The line with raise NotImplementedError of {part} in babygrad/{ex.file} is still reached."
        yield "Fill this part in. If you have, delete that line."
    else:
        yield f"Open babygrad/{ex.file} and fill in exercise {ex.id}."


def _what_happened(ex, question, written):
    """What was asked, what came back, what was expected."""
    stop = question.stop
    if isinstance(question.got, Died):
        yield from _lines_of_death(question, written)
    elif stop and stop.importing:
        yield from _lines_of_a_broken_file(ex, stop)
    elif stop and stop.stub:
        yield from _about_a_stub(ex, stop, written)
    elif stop:
        yield called(question)
        yield from _lines_of_an_exception(stop, written)
        of_memory = _why_slow(question, written) if stop.type == "MemoryError" else ""
        told = stop.used.startswith("nothing")  # then the line above asks for the return already
        yield from _as("advice", "" if told else advice(stop, written) or of_memory)
    else:
        yield called(question)
        words = question.wrong if isinstance(question.wrong, str) else question.wrong.sentence()
        yield words if written.may_lack_a_return() else words.replace(NO_RETURN, "nothing").replace(RETURN_MISSING, "")


def _lines_about_the_cause(ex, question, written):
    """The sentences about what stopped the code, without the question that was asked; none if nothing did."""
    stop = question.stop
    if getattr(question.got, "importing", ""):
        yield from _lines_of_death(question, written)
    elif stop and stop.importing:
        of_all = _lines_of_a_broken_file(ex, stop)
        yield from (line for line in of_all if getattr(line, "kind", "said") not in OF_ONE_ALONE)
    elif stop and not stop.stub:
        yield from _lines_of_an_exception(stop, written)


def _what_it_means(ex, question, wrong, written):
    """What its numbers tell, what was printed, what is still open."""
    if getattr(question.wrong, "nothing", False):
        if written.may_lack_a_return():
            yield Line(f"A function without a return statement returns None.{RETURN_MISSING}", "advice")
    else:
        yield from _as("pattern", _pattern(question, wrong))
    printed = getattr(question.got, "printed", "")
    if printed.strip():
        yield Line("Your code printed: " + _shortened(printed), "printed")
    unfilled = dict.fromkeys(_stub_title(q.stop) for q in wrong if q.stop and q.stop.stub == ex.id)
    if unfilled:
        so_far = "Everything filled in so far is right. " if all(q.stop and q.stop.stub == ex.id for q in wrong) else ""
        yield Line(f"{so_far}Not filled in yet: {', '.join(unfilled)}.", "open")


def _as(kind, words):
    """A Line of that kind, if there are words."""
    return [Line(words, kind)] if words else []


def _about_undone(undone, of_waiting, of_failing):
    """A Line about the exercises that this one builds on: those to do, those to mend. None if there are none."""
    waiting = [id for id, not_started in undone.items() if not_started]
    failing = [id for id in undone if id not in waiting]
    said = [f"It builds on {listed(waiting)}, {of_waiting}."] if waiting else []
    if failing:
        verb = "does" if len(failing) == 1 else "do"
        said.append(f"It builds on {listed(failing)}, which {verb} {of_failing}.")
    return Line(" ".join(said), "needs") if said else None


def called(question):
    """The sentence that says what was asked, with the inputs that came back with the answers."""
    fields = {}
    for outcome in (question.expected, question.got):
        answers = getattr(outcome, "answers", None)
        found = answers.get("asked") if isinstance(answers, dict) else None
        fields.update(found if isinstance(found, dict) else {})
    # one pass: what is put in may hold further names in braces, and would grow with each
    return Line(f"Called {re.sub(r'{(.+?)}', partial(_input, fields), question.probe.asked)}.", "called")


def _input(fields, name):
    """What stands in the place of {name}: the input itself, if it is known."""
    return str(fields[name[1]])[:LONGEST_LINE] if name[1] in fields else name[0]


def expected(question):
    """What was expected, in words, if the message about the question says it; else None.

    It says it of numbers and of what is returned. It does not of a hunt, nor of numbers found by hand.
    """
    told = question.wrong
    return told.expected if isinstance(told, Difference) and told.expected in told.sentence() else None


def _pattern(question, wrong):
    others = [different(q) for q in wrong if q is not question and isinstance(q.wrong, Difference)]
    return pattern_in(*different(question), others) if isinstance(question.wrong, Difference) else ""


def different(question):
    """(expected, got) of the first answer that differs."""
    return tuple(outcome.answers.get(question.wrong.name) for outcome in (question.expected, question.got))


def _lines_of_death(question, written):
    died = question.got
    where = f"while babygrad/{died.importing} was being imported" if died.importing else ""
    if not died.importing:
        yield called(question)
    if died.kind == "timeout":
        yield f"No answer within {died.seconds:g} seconds{', ' + where if where else ''}. The process was stopped."
        yield _why_slow(question, written) or (
            "Look for a loop that never ends, work that doubles with each step, or a long list that is searched again "
            "and again."
        )
    else:
        yield f"Your code ended the whole process {where or 'while it was asked'} (exit code {died.exit_code})."
        yield "Look for os._exit, or for code that takes up all memory or recurses too deep."


def _why_slow(question, written):
    """What the question itself says of answers that take too long, where it may be true of this one."""
    slow = question.probe.slow
    about_another = slow == TOO_MANY_TO_NUDGE and not written.may_have(ONE_BY_ONE)
    return "" if about_another or getattr(question.got, "importing", "") else slow


def _lines_of_a_broken_file(ex, stop):
    """The sentences about a file that cannot be imported."""
    at = stop.frames[-1] if stop.frames else None
    where = f"babygrad/{at.file}, line {at.line}" if at else f"babygrad/{ex.file}"
    unreadable = stop.type in CANNOT_BE_READ
    yield f"Python could not read {where}." if unreadable else f"Importing stopped in {where}."
    if at and at.code:
        yield Line("    " + at.code, "code")
        yield from [Line("    " + caret(stop), "caret")] if unreadable and caret(stop) else []
    yield f"{stop.type}: {stop.message}"
    if at and stop.above:
        yield noticed_below(at.line, stop.above, at.file, stop.above_line)
    else:
        yield from filter(None, [(unreadable and likely_meant(stop)) or advice(stop)])
        yield from [Line(whose(stop, ex.id), "whose")] if unreadable and whose(stop, ex.id) else []


def _about_a_stub(ex, stop, written):
    if stop.stub != ex.id:
        needed = f"exercise {stop.stub} ({_stub_title(stop)})"
        if place_of(stop.stub) < place_of(ex.id):
            first = f"Do that one first{_off_track(ex, stop.stub)}{_or_without_it(ex, stop.stub)}."
            yield Line(f"Your code needs {needed}, which is not filled in yet. {first}", "needs")
        else:
            yield Line(f"Your code needs {needed}, which comes later. Can you do without it?", "needs")
            yield from _as("said", " ".join(_without(ex, stop, written)))
        yield from _where_it_is_used(ex, stop, written)


def _off_track(ex, id):
    """On which tracks this exercise lies and the other does not, in brackets; "" if there are none."""
    if not any(each.id == id for each in all_exercises()):  # a stranger's process may say anything
        return ""
    mine, other = ex.track, exercise(id).track
    names = [f'"{name}"' for name, marks in TRACKS.items() if mine in marks and other not in marks]
    return f" (it is not on the {plural('track', len(names))} {listed(names)})" if names else ""


def _or_without_it(ex, id):
    """How to go on without an exercise that does not lie on every way that this one lies on."""
    return without_it(id) if id in all_needs(ex.id) and _off_track(ex, id) else ""


def _where_it_is_used(ex, stop, written):
    """The line of this exercise that needs the other one."""
    own = [frame for frame in stop.frames if written.has_line(frame)]
    if own:
        yield f"It is used in babygrad/{own[-1].file}, line {own[-1].line}{_in_function(own[-1])}"
        yield Line("    " + own[-1].code, "code")


def _without(ex, stop, written):
    """How to write it without an exercise that comes later."""
    places = f"{ex.id} {_stub_title(stop)}", ex.id, ex.notebook, ""
    known = (too_early().get(id, {}).get(place) for id in (stop.stub, "any") for place in places)
    for said in next(filter(None, known), ()):
        yield from [said] if isinstance(said, str) else [said[each] for each in said if written.may_have(each)]


def _stub_title(stop):
    """The title that a stub gives its exercise. A stranger's process may send another message: then all of it."""
    stub = unfilled(stop.message)
    return stub.title if stub and stub.title else stop.message


def _lines_of_an_exception(stop, written):
    # In a recursion without end it is chance which given line was the last, so none is named.
    if any(frame.own for frame in stop.frames) or (stop.frames and stop.type != "RecursionError"):
        at = own_line(stop, written)
        none_of_theirs = "" if at.own else " No line of an exercise was running."
        yield f"Your code stopped in babygrad/{at.file}, line {at.line}{_in_function(at)}{none_of_theirs}"
        yield Line("    " + at.code, "code")
        yield f"{stop.type}: {stop.message}"
    else:
        yield _without_a_line_of_theirs(stop, written)


def _in_function(frame):
    return f", in {frame.function}." if frame.function not in ("", "<module>") else "."


def _without_a_line_of_theirs(stop, written):
    """Advice where no line of theirs was running: the check could not call it, or could not use what it returned."""
    if is_gone(stop):
        return f"babygrad/{stop.used[5:]} has no {missing_name(stop)}. Was it renamed or deleted?"
    if stop.type == "AttributeError" and stop.used.startswith("class "):
        return f"{stop.used[6:]} has no {missing_name(stop)}. Was it renamed or deleted?"
    if stop.type == "AttributeError" and stop.used:
        end = RETURN_MISSING if stop.used.startswith("nothing") and written.may_lack_a_return() else ""
        return f"The check then tried to read .{missing_name(stop)} of the answer, but the answer is {stop.used}.{end}"
    return f"Python stopped with {stop.type}: {stop.message}"


def _shortened(text, lines=6, width=200):
    shown = [line[:width] for line in text.strip().splitlines()]
    return " | ".join(shown[:lines]) + (" | ..." if len(shown) > lines else "")
