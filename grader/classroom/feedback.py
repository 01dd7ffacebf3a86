"""What one student reads: feedback.html and feedback.md, with the same content, and results.json for Gradescope."""

import re
import textwrap
from dataclasses import dataclass
from itertools import groupby

from .. import report
from ..backups import write_safely
from ..course import notebook
from . import results, words
from .page import bar, escape, page, paragraphs, percent, section, text, title, visible
from .tally import kind_of

NAMED = 6  # exercises that the heading of a message names
WIDTH = 88  # characters in a line of feedback.md
MARK = re.compile(r"([\\`*_{}\[\]<>#|~$&!@]|:(?=//)|(?<=www)\.|^[-+=])")  # what Markdown gives a meaning to
HINT = "make hint EX={}"


@dataclass(frozen=True)
class Trouble:
    """One message, and the verdicts it belongs to: a file that cannot be read gives all of its exercises the same."""

    verdicts: tuple

    @property
    def first(self):
        return self.verdicts[0]

    @property
    def heading(self):
        """Such as: 3.2 topological_order: failed, 2 of 3 questions right."""
        if len(self.verdicts) > 1:
            ids = [v.id for v in self.verdicts]
            if len(ids) > NAMED:
                ids = [*ids[: NAMED - 1], f"{len(ids) - NAMED + 1} more"]
            return f"{words.listed(ids)}: {report.WORDS[self.first.status]}"
        return f"{self.first.id} {self.first.title}: {', '.join(filter(None, report.result(self.first)))}"

    @property
    def lines(self):
        return list(report.explanation_lines(self.first, (), HINT))


@dataclass(frozen=True)
class Feedback:
    """The content of both files.

    troubles: what to mend, in the order of the course.  going_on: sentences about what comes next, or ().
    """

    title: str
    verdicts: list
    troubles: list
    going_on: list
    about: list
    how: list

    @classmethod
    def of(cls, record, context):
        verdicts = words.verdicts(record)
        troubles = _troubles(verdicts)
        return cls(
            f"{context['course']['course']}: feedback for {words.display_name(record['student'], context)}",
            verdicts,
            troubles,
            [] if troubles or words.obstacles(record) else list(report.next_step(verdicts)),
            list(words.hand_in(record, context)),
            list(words.how_graded(record)) if verdicts else [],
        )


def write(folder, record, context):
    """Write folder/feedback.html, feedback.md and results.json."""
    folder.mkdir(parents=True, exist_ok=True)
    feedback = Feedback.of(record, context)
    write_safely(folder / "feedback.html", html(feedback, record))
    write_safely(folder / "feedback.md", markdown(feedback, record))
    write_safely(folder / "results.json", results.text_of(record, context))


def _troubles(verdicts):
    """What to mend, one Trouble for each message and for what refers to it."""
    wrong, told = {}, {}
    for verdict in words.to_mend(verdicts):
        told[verdict.id] = message = told.get(verdict.as_in, (verdict.status, verdict.lines))
        wrong.setdefault(message, []).append(verdict)
    return [Trouble(tuple(group)) for group in wrong.values()]


def blocks(verdicts):
    """[(heading, earned, possible, verdicts)] for each notebook; no verdicts where none was begun."""
    for number, group in groupby(verdicts, key=report.notebook_number):
        group = list(group)
        begun = any(v.status != "not_started" for v in group)
        yield f"{number} {notebook(number).title}", *report.points(group), group if begun else []


# ------------------------------------------------------------------ HTML


def html(feedback, record):
    """feedback.html."""
    parts = [f"<h1>{text(feedback.title)}</h1>"]
    for number, (heading, sentences) in enumerate(words.obstacles(record), 1):
        parts.append(section(f"obstacle{number}", heading, _box("stopped", sentences)))
    parts.append(_standing(record))
    first, *rest = feedback.troubles or [None]
    if first:
        parts.append(section("next", "Mend this first", _trouble(first)))
    if feedback.going_on:
        parts.append(section("next", "How to go on", _box("passed", feedback.going_on)))
    if rest:
        parts.append(section("then", "Then these", "\n".join(map(_trouble, rest))))
    if feedback.verdicts:
        parts.append(section("all", "All exercises", _table(feedback)))
    parts.append(section("about", "Your hand-in", _list(feedback.about)))
    if feedback.how:
        parts.append(section("how", "How it was graded", _list(feedback.how)))
    return page(feedback.title, f"<main>\n{chr(10).join(parts)}\n</main>")


def _standing(record):
    share = bar([("passed", percent(record["earned"], record["possible"]))], label=words.score(record))
    return f"<p><strong>{text(words.score(record))}</strong></p>{share}<p>{text(words.standing(record))}</p>"


def _trouble(trouble):
    kind = kind_of(trouble.first.status)
    heading = f'<h3 id="ex{text(trouble.first.id)}">{title(trouble.heading)}</h3>'
    return f'<article class="box {kind}">\n{heading}\n{paragraphs(trouble.lines)}\n</article>'


def _box(kind, lines):
    return f'<div class="box {kind}">\n{paragraphs(lines)}\n</div>'


def _list(sentences):
    return f"<ul>{''.join(f'<li>{escape(sentence)}</li>' for sentence in sentences)}</ul>"


def _table(feedback):
    """A block of rows for each notebook; a notebook that was not begun has one row."""
    place = {v.id: trouble.first.id for trouble in feedback.troubles for v in trouble.verdicts}
    head = '<thead><tr><th scope="col" class="exercise">Exercise</th><th scope="col" class="result">Result</th>'
    head += '<th scope="col" class="number">Points</th></tr></thead>'
    return (
        f'<table class="exercises">{head}{"".join(_rows(*block, place) for block in blocks(feedback.verdicts))}</table>'
    )


def _rows(heading, earned, possible, verdicts, place):
    begun = "" if verdicts else "not started"
    rows = [
        f'<tr class="group"><th scope="rowgroup">{text(heading)}</th><td>{begun}</td>'
        f'<td class="number">{earned} of {possible}</td></tr>'
    ]
    rows += [_row(v, place.get(v.id)) for v in verdicts]
    return f"<tbody>{''.join(rows)}</tbody>"


def _row(verdict, place):
    result = text(_result(verdict))
    linked = f'<a href="#ex{text(place)}">{result}</a>' if place else result
    return (
        f'<tr><th scope="row">{title(f"{verdict.id} {verdict.title}")}</th><td>{linked}</td>'
        f'<td class="number">{verdict.earned} of {verdict.points}</td></tr>'
    )


def _result(verdict):
    """The status; with the number of questions where some are wrong."""
    status, rest = report.result(verdict)
    return status if verdict.done or not rest else f"{status}, {rest}"


# ------------------------------------------------------------------ Markdown


def markdown(feedback, record):
    """feedback.md."""
    return "\n".join(_markdown_lines(feedback, record)) + "\n"


def _markdown_lines(feedback, record):
    yield from (f"# {plain(feedback.title)}", "")
    for heading, sentences in words.obstacles(record):
        yield from (f"## {heading}", "", *fenced(sentences))
    yield from (f"**{words.score(record)}**", "")
    yield from (words.standing(record), "") if feedback.verdicts else ()
    for heading, troubles in (("Mend this first", feedback.troubles[:1]), ("Then these", feedback.troubles[1:])):
        yield from (f"## {heading}", "") if troubles else ()
        for trouble in troubles:
            yield from (f"### {plain(trouble.heading)}", "", *fenced(trouble.lines))
    if feedback.going_on:
        yield from ("## How to go on", "", *fenced(feedback.going_on))
    if feedback.verdicts:
        yield from ("## All exercises", "", *_markdown_table(feedback.verdicts))
    yield from ("## Your hand-in", "", *_bullets(feedback.about))
    yield from ("## How it was graded", "", *_bullets(feedback.how)) if feedback.how else ()


def _markdown_table(verdicts):
    yield from ("| Exercise | Result | Points |", "|---|---|---|")
    for heading, earned, possible, group in blocks(verdicts):
        yield _cells(f"**{plain(heading)}**", "" if group else "not started", f"{earned} of {possible}")
        yield from (_cells(plain(f"{v.id} {v.title}"), plain(_result(v)), f"{v.earned} of {v.points}") for v in group)
    yield ""


def _cells(*cells):
    return f"| {' | '.join(cells)} |"


def _bullets(sentences):
    yield from (f"- {plain(sentence)}" for sentence in sentences)
    yield ""


def plain(words):
    """A text as Markdown on one line, with all markup escaped."""
    return MARK.sub(r"\\\1", visible(words))


def fenced(lines):
    """Lines between two fences that are longer than any row of backticks in them."""
    longest = max((len(run) for line in lines for run in re.findall("`+", line)), default=0)
    fence = "`" * max(3, longest + 1)
    yield f"{fence}text"
    for line in lines:
        yield from [line] if line.startswith("    ") else textwrap.wrap(line, WIDTH, break_long_words=False) or [""]
    yield from (fence, "")
