"""The quiz in a page: which questions are asked, and what is said of an answer. Nothing is kept here.

    {"do": "quiz", "log": text, "about": "", "more" or "03", "seed": text, "failed": [ids of exercises], "files": {...}}
    {"do": "quiz", "log": text, "seed": text, "question": "3.Q1", "typed": [texts], "end": [right before, asked]}

log: of the request, the lines that the page keeps, those of .babygrad/quiz.jsonl; of an answer, those to be added.
failed: at their last check.  end: if it is the round's last question.
"""

from dataclasses import replace
from datetime import UTC, datetime

from ..asking.draws import is_light
from ..checking.judging import states_in
from ..course.paths import LEARNER
from ..quiz import bank, log, words
from ..quiz.boxes import A_DAY, Boxes
from ..quiz.brings import named_in, newly_done
from ..quiz.comparing import RIGHT, UNREADABLE, judged

MORE = '"Five more" above'  # the page's own words


def handle(request):
    """The answer to one request."""
    known, now = log.parsed(request["log"]), datetime.now(UTC)
    return (_answered if "question" in request else _begun)(request, known, now)


def of_a_check(verdict, text):
    """The lines that a check adds to the log with this text."""
    if ideas := list(named_in([verdict])):
        return _lines(log.newly_named(log.parsed(text), ideas, datetime.now(UTC)))
    return ""


def _begun(request, known, now):
    """{"log", "notes": sentences, "asked": questions}. A notebook is done when what a page checks of it is."""
    new = [*newly_done(known, states_in(LEARNER), request["failed"].__contains__, now, is_light)]
    boxes = Boxes(bank.entries(), _with(known, new), now)
    ids = _chosen(boxes, request["about"], request["seed"])
    notes = [*known.notes({event.question for event in known.events})]  # of other notebooks: the log is carried on
    if not ids:
        about = request["about"]
        notes.append(words.nothing(boxes, MORE, f"notebook {about}" if about.isdecimal() else ""))
    return {"log": _lines(new), "notes": notes, "asked": [_as_data(_drawn(id, request)) for id in ids]}


def _chosen(boxes, about, seed):
    if about.isdecimal():
        return boxes.of([about], A_DAY, seed)
    return boxes.soonest(A_DAY) if about else boxes.of_today()


def _answered(request, known, now):
    """{"log", "said": sentences, "counts", "right": bool, "place": where to look, or "", "summary": sentences}"""
    asked = _drawn(request["question"], request)
    verdict = judged(asked, request["typed"])
    counts, right = verdict.kind != UNREADABLE, verdict.kind == RIGHT
    new = [log.Event(now, question=asked.id, right=right)] * counts
    summary = []
    if counts and "end" in request:
        before, count = request["end"]
        summary = [*words.summary(Boxes(bank.entries(), _with(known, new), now), before + right, count)]
    place = asked.place if words.leads_back(verdict) else ""
    said = {"said": words.told(asked, verdict), "place": place, "summary": summary}
    return {"log": _lines(new), "counts": counts, "right": right, **said}


def _drawn(id, request):
    return bank.drawn(bank.entries()[id], request["seed"])


def _with(known, new):
    return replace(known, events=(*known.events, *new))


def _lines(events):
    return "".join(event.line for event in events)


def _as_data(asked):
    """A question for the page: without its answers."""
    return {name: getattr(asked, name) for name in ("id", "number", "section", "text", "code", "names", "lettered")}
