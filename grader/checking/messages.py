"""The sentences of a check: what was asked, what came back, what was expected, what it means, what to do next."""

import re
from functools import partial

from ..asking.outcome import CANNOT_BE_READ
from ..course.catalogue import place_of
from ..course.phrases import listed
from ..course.stub_message import unfilled
from ..marking.compare import Difference
from .advice import advice, is_gone, missing_name, noticed_below, own_line
from .line import Line
from .number_patterns import pattern_in
from .questioning import Died
from .unreadable import caret, likely_meant, whose

# Such as "It returned nothing (None), but 5 was expected."; not where an exception was expected, ...
NOTHING = re.compile(r"(?:returned|is) '?nothing \(None\)'?(?: instead of a Tensor)?, but (?!an? \w*Error )")
# ... nor of what was to be written down somewhere, such as "x.grad is nothing (None), but ...".
WRITTEN_DOWN = re.compile(r"^\w+ is |\.\w+(?: afterwards)? is |(?:error|requires_grad) of ")
KNOWN = Line("What is right here is the same in every check, and earns no points by itself.")
POINTER = re.compile(r"It builds on .*(do that first|Look there first)\.")  # as _about_undone writes it
LONGEST_LINE = 2_000  # characters: the message stays readable, whatever a learner's process sends


def of_a_waiting_exercise(ex, question, state):
    """The lines about an exercise that nothing was written for yet."""
    return _cut(_of_a_waiting_exercise(ex, question, state))


def of_a_failure(ex, question, wrong, found, undone):
    """The lines about an exercise that fails.  question: the wrong one to speak of.  The rest is as in judge."""
    return _cut((*_what_happened(ex, question, found), *_what_it_means(ex, question, wrong, found, undone)))


def cause(ex, question):
    """What stopped the code, in words that may be the same for other exercises; "" if nothing did."""
    return " ".join(map(str.strip, _lines_about_the_cause(ex, question)))


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


def _what_happened(ex, question, found):
    """What was asked, what came back, what was expected."""
    stop = question.stop
    if isinstance(question.got, Died):
        yield from _lines_of_death(question)
    elif stop and stop.importing:
        yield from _lines_of_a_broken_file(ex, stop)
    elif stop and stop.stub:
        yield from _about_a_stub(ex, stop)
    elif stop:
        yield called(question)
        yield from _lines_of_an_exception(stop)
        of_memory = question.probe.slow if stop.type == "MemoryError" else ""
        told = found or stop.used.startswith("nothing")  # then the line above asks for the return already
        yield from filter(None, ["" if told else advice(stop) or of_memory])
    else:
        yield called(question)
        yield question.wrong if isinstance(question.wrong, str) else question.wrong.sentence()


def _lines_about_the_cause(ex, question):
    """The sentences about what stopped the code, without the question that was asked; none if nothing did."""
    stop = question.stop
    if getattr(question.got, "importing", ""):
        yield from _lines_of_death(question)
    elif stop and stop.importing:
        of_all = _lines_of_a_broken_file(ex, stop)
        yield from (line for line in of_all if getattr(line, "kind", "said") not in OF_ONE_ALONE)
    elif stop and not stop.stub:
        yield from _lines_of_an_exception(stop)


def _what_it_means(ex, question, wrong, found, undone):
    """The idea, where to look, what was printed, what is still open."""
    if found:
        yield Line(found.words, "idea")
        if found.stuck:
            yield f"More in docs/stuck.md, under {found.stuck!r}."
    elif _is_nothing(question.wrong):
        yield "A function without a return statement returns None. Is a return missing?"
    elif not undone:
        yield from filter(None, [_pattern(question, wrong)])
    if not (question.stop and question.stop.importing):
        yield from _about_undone(undone)
    printed = getattr(question.got, "printed", "")
    if printed.strip():
        yield Line("Your code printed: " + _shortened(printed), "printed")
    unfilled = dict.fromkeys(_stub_title(q.stop) for q in wrong if q.stop and q.stop.stub == ex.id)
    if unfilled:
        so_far = "Everything filled in so far is right. " if all(q.stop and q.stop.stub == ex.id for q in wrong) else ""
        yield f"{so_far}Not filled in yet: {', '.join(unfilled)}."


def _about_undone(undone):
    """The exercises that this one builds on: those to do first, those to mend first."""
    waiting = [id for id, not_started in undone.items() if not_started]
    failing = [id for id in undone if id not in waiting]
    if waiting:
        yield Line(f"It builds on {listed(waiting)}, which you have not done yet: do that first.", "needs")
    if failing:
        verb = "does" if len(failing) == 1 else "do"
        yield Line(f"It builds on {listed(failing)}, which {verb} not pass at the moment. Look there first.", "needs")


def by_itself(message):
    """The message of an exercise that has no more right answers where all that it builds on is right."""
    return "\n".join(line for line in message.split("\n") if not POINTER.fullmatch(line))


def called(question):
    """The sentence that says what was asked, with the inputs that came back with the answers."""
    fields = {}
    for outcome in (question.expected, question.got):
        answers = getattr(outcome, "answers", None)
        found = answers.get("asked") if isinstance(answers, dict) else None
        fields.update(found if isinstance(found, dict) else {})
    # one pass: what is put in may hold further names in braces, and would grow with each
    return Line(f"Called {re.sub(r'{(.+?)}', partial(_input, fields), question.probe.asked)}.", "called")


def _is_nothing(wrong):
    """Is the wrong answer that nothing came back from what was called?"""
    words = wrong.sentence() if isinstance(wrong, Difference) else wrong
    return isinstance(words, str) and bool(NOTHING.search(words)) and not WRITTEN_DOWN.search(words)


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
            "Look for a loop that never ends, work that doubles with each step, or a long list that is searched again "
            "and again."
        )
    else:
        yield f"Your code ended the whole process {where or 'while it was asked'} (exit code {died.exit_code})."
        yield "Look for os._exit, or for code that takes up all memory or recurses too deep."


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


def _about_a_stub(ex, stop):
    if stop.stub != ex.id:
        exercise = f"exercise {stop.stub} ({_stub_title(stop)})"
        if place_of(stop.stub) < place_of(ex.id):
            yield Line(f"Your code needs {exercise}, which is not filled in yet. Do that one first.", "needs")
        else:
            yield Line(f"Your code needs {exercise}, which comes later. Can you do without it?", "needs")
            yield from filter(None, [_without(ex, stop)])


def _without(ex, stop):
    """How to write it without an exercise that comes later."""
    stub, notebook = stop.stub, ex.notebook
    if ex.id == "7.2" and _stub_title(stop) == "x.reshape":
        return (
            "And reshape does something else: it keeps the numbers in their order, while a transpose has changed that "
            "order. The shape would be right, the numbers would not."
        )
    if stub == "7.5":
        return "The functions at the end of ops/shape.py, reshape and transpose, do the same without it."
    if stub == "7.6" and notebook == "06":
        return "unbroadcast is for shapes that were stretched. In 06 all shapes are equal: is one of yours not?"
    if stub == "10.8":
        return (
            "That is x[0], or a loop over x, for a Tensor x. In a rule, operations on whole Tensors do the work; you "
            "can always index a Tensor's array, x.data."
        )
    if stub == "2.5" and notebook == "02":
        return (
            "There is a plain number to the left of a minus or a slash. In 2.4 a plus, a product and a power are "
            "enough, each with a Value on its left."
        )
    if stub == "8.4":
        return (
            "There is an array to the left of @ and a Tensor to the right. Did you take .data, or use NumPy? "
            "transpose and @ work on the Tensors themselves."
        )
    return "Was a plain number combined with a Value there? Is a .data missing?" if notebook < "05" else ""


def _stub_title(stop):
    """The title that a stub gives its exercise. A stranger's process may send another message: then all of it."""
    stub = unfilled(stop.message)
    return stub.title if stub and stub.title else stop.message


def _lines_of_an_exception(stop):
    if stop.frames:
        at = own_line(stop)
        yield f"Your code stopped in babygrad/{at.file}, line {at.line}" + _in_function(at)
        yield Line("    " + at.code, "code")
        yield f"{stop.type}: {stop.message}"
    else:
        yield _without_a_line_of_theirs(stop)


def _in_function(frame):
    return f", in {frame.function}." if frame.function not in ("", "<module>") else "."


def _without_a_line_of_theirs(stop):
    """Advice where no line of theirs was running: the check could not call it, or could not use what it returned."""
    if is_gone(stop):
        return f"babygrad/{stop.used[5:]} has no {missing_name(stop)}. Was it renamed or deleted?"
    if stop.type == "AttributeError" and stop.used.startswith("class "):
        return f"{stop.used[6:]} has no {missing_name(stop)}. Was it renamed or deleted?"
    if stop.type == "AttributeError" and stop.used:
        end = " Is a return missing?" if stop.used.startswith("nothing") else ""
        return f"The check then tried to read .{missing_name(stop)} of the answer, but the answer is {stop.used}.{end}"
    return f"Python stopped with {stop.type}: {stop.message}"


def _shortened(text, lines=6, width=200):
    shown = [line[:width] for line in text.strip().splitlines()]
    return " | ".join(shown[:lines]) + (" | ..." if len(shown) > lines else "")
