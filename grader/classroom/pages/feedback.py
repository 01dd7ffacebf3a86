"""What one student reads: feedback.html and feedback.md, with the same content, and results.json for Gradescope."""

import re
import textwrap
from dataclasses import dataclass
from itertools import chain

from markupsafe import Markup

from ...checking import report
from ...checking.status import STATUSES
from ...course.atomic import write_atomically
from ...course.phrases import listed
from ...course.safe_text import visible
from ...html.pages import render
from ...notebook import answers
from ..marks.marks import tidy
from . import at_lines, results, words

MOST_WRITTEN = 100_000  # characters of predictions and notes; all of them are in the folder answers
WIDTH = 88  # characters in a line of feedback.md
MARK = re.compile(r"([\\`*_{}\[\]<>#|~$&!@]|:(?=//)|(?<=www)\.|^[-+=])")  # what Markdown gives a meaning to
HINT = "make hint EX={}"


@dataclass(frozen=True)
class Trouble:
    """One message, and the verdicts it belongs to: a file that cannot be read gives all of its exercises the same.

    by_itself: is nothing wrong with these but what they build on?
    """

    verdicts: tuple
    by_itself: bool = False

    @property
    def first(self):
        return self.verdicts[0]

    @property
    def heading(self):
        """Such as: 3.3 topological_order: failed, 2 of 3 questions right."""
        if len(self.verdicts) > 1:
            return f"{listed([v.id for v in self.verdicts], most=words.NAMED)}: {STATUSES[self.first.status].words}"
        return report.heading(self.first)

    @property
    def kind(self):
        return STATUSES[self.first.status].kind

    @property
    def lines(self):
        if self.by_itself:
            return list(words.right_by_themselves(self.verdicts))
        return [*report.explanation_lines(self.first, (), HINT), *filter(None, [words.cost(self.verdicts)])]


@dataclass(frozen=True)
class Feedback:
    """The content of both files.

    other_figure: a sentence about the total that does not count, or "".
    troubles: what to mend, in the order of the course.  going_on: sentences about what comes next, or ().
    wrote: (Answer, its lines) of the predictions and notes in the hand-in.
    by_hand: (sentence, comment or "") for each mark that somebody gave.  before: {id: points before such a mark}.
    at_lines: [AtLines], comments.  requests: (what was asked, what was decided) of each regrade request.
    """

    title: str
    other_figure: str
    verdicts: list
    troubles: list
    going_on: list
    about: list
    how: list
    by_hand: list
    before: dict
    wrote: list
    at_lines: list
    requests: list

    @property
    def blocks(self):
        """(heading, earned, possible, verdicts) of each notebook; no verdicts where nothing is to be seen."""
        for heading, earned, possible, group in report.blocks(self.verdicts):
            seen = any(v.status != "not_started" or v.id in self.before for v in group)
            yield heading, tidy(earned), possible, group if seen else []

    @property
    def written(self):
        """(heading, (Answer, its lines) of that kind), notes first; none of what there is none of."""
        for kind, heading in (("Note", "Your written answers"), ("Prediction", "Your predictions")):
            if found := [(answer, lines) for answer, lines in self.wrote if answer.kind == kind]:
                yield heading, found

    def points(self, verdict):
        """Such as: 3 of 5, by hand (check: 1)."""
        check = f", by hand (check: {self.before[verdict.id]})" if verdict.id in self.before else ""
        return f"{verdict.earned} of {verdict.points}{check}"

    @classmethod
    def of(cls, record, context, wrote=(), comments=()):
        verdicts = words.verdicts(record)
        troubles = _troubles(verdicts)
        return cls(
            f"{context['course']['course']}: feedback for {words.display_name(record['student'], context)}",
            words.other_figure(record, context),
            verdicts,
            troubles,
            [] if troubles or words.obstacles(record) else list(report.next_step(verdicts)),
            list(words.hand_in(record, context)),
            [*words.how_graded(record), words.which_counts(context)] if verdicts else [],
            list(words.marked_by_hand(record)),
            {row["id"]: row["mark"]["check"] for row in record["exercises"] if words.is_overridden(row)},
            list(wrote),
            list(comments),
            list(words.requests(record)),
        )


def write(folder, record, context):
    """Write folder/feedback.html, feedback.md and results.json."""
    folder.mkdir(parents=True, exist_ok=True)
    wrote = [answer for number in context["course"]["notebooks"] for answer in answers.kept(number, folder)]
    feedback = Feedback.of(record, context, _so_many(wrote), at_lines.of(record, folder))
    write_atomically(folder / "feedback.html", html(feedback, record))
    write_atomically(folder / "feedback.md", markdown(feedback, record))
    write_atomically(folder / "results.json", results.text_of(record, context))


def _so_many(wrote):
    """(Answer, its lines) of the first: no more text than a page can have."""
    left = MOST_WRITTEN
    for answer in wrote:
        left -= len(answer.text)
        if left < 0:
            return
        yield answer, answer.text.split("\n")


def _troubles(verdicts):
    """What to mend: one Trouble for each message and what refers to it, for each file that cannot be imported, and
    for what is right by itself once the same is right.
    """
    wrong, told = {}, {}
    for verdict in words.to_mend(verdicts):
        own = verdict.broken_file or (verdict.status, verdict.lines)
        told[verdict.id] = message = verdict.once if verdict.right_by_itself else told.get(verdict.as_in, own)
        wrong.setdefault((verdict.right_by_itself, message), []).append(verdict)
    return [Trouble(tuple(group), by_itself) for (by_itself, _), group in wrong.items()]


def html(feedback, record):
    """feedback.html."""
    place = {v.id: trouble.first.id for trouble in feedback.troubles for v in trouble.verdicts}
    return _rendered("feedback.html", feedback, record, title=feedback.title, place=place)


def markdown(feedback, record):
    """feedback.md."""
    return _rendered("feedback.md", feedback, record, plain=plain, fenced=fenced).rstrip("\n") + "\n"


def _rendered(template, feedback, record, **more):
    return render(template, feedback=feedback, record=record, words=words, result=_result, **more)


def _result(verdict):
    """The status; with the number of questions where some are wrong, and the points with errors carried forward.

    What a file costs that cannot be read stands once, above the table.
    """
    status, rest = report.result(verdict)
    said = status if verdict.done or not rest else f"{status}, {rest}"
    return "; ".join(filter(None, [said, "" if verdict.broken_file else words.carried_on(verdict)]))


def plain(words):
    """A text as Markdown on one line, with all markup escaped."""
    return Markup(MARK.sub(r"\\\1", visible(words)))


def fenced(lines):
    """Lines between two fences that are longer than any row of backticks in them."""
    longest = max((len(run) for line in lines for run in re.findall("`+", line)), default=0)
    fence = "`" * max(3, longest + 1)
    wrapped = ([x] if x.startswith("    ") else textwrap.wrap(x, WIDTH, break_long_words=False) or [""] for x in lines)
    return Markup("\n".join([f"{fence}text", *chain(*wrapped), fence]))
