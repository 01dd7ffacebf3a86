"""What goes wrong: for each notebook the misconceptions that the checks know. What each does is asked, not written."""

import html
import re
from functools import cache

from ..checking.messages import called
from ..checking.question import Question
from ..checking.reference import difference, misconceived, reference_answers
from ..course import catalogue, regions
from ..course.paths import REFERENCE
from .markdown import raw

LONG_ENOUGH = 14  # characters of a line that gives an answer away
SEED = 0  # of the draws that are shown
ABOUT = """A wrong idea about an exercise usually gives wrong answers of its own, and that is how a check knows it. Here
are those that it knows: the idea, what it does when it is asked, and what a learner is told. (Whoever has not done an
exercise yet learns more by getting it wrong first.)"""


def label(id):
    """The name that links use for the wrong ideas of an exercise."""
    return f"wrong-{id.replace('.', '-')}"


def page(nb):
    """The MyST of a notebook's misconceptions: a table of its exercises, then the ideas of each, folded."""
    exercises = catalogue.exercises_of(nb.number)
    top = f"# What goes wrong in {nb.number} · {nb.title}\n\n{ABOUT}\n\n[The notebook](../notebooks/{nb.name}.md) · "
    links = f"[Its exercises](../exercises/{nb.name}.md)\n"
    return "\n\n".join([top + links, _table(exercises), *map(_of_exercise, exercises)]) + "\n"


def _table(exercises):
    rows = (f"| [{ex.id}](#{label(ex.id)}) | `{ex.title}` | {len(_ideas(ex))} |" for ex in exercises)
    return "\n".join(["| exercise | name | wrong ideas |", "|---|---|---|", *rows])


def _ideas(ex):
    return catalogue.misconceptions_of(ex)


def _of_exercise(ex):
    from .exercise_pages import label as exercise

    ideas = "\n".join(_idea(ex, idea, place) for place, idea in places(ex).items())
    heading = f"({label(ex.id)})=\n## {ex.id} `{ex.title}`\n\n[What is asked](#{exercise(ex.id)})"
    return heading + "\n\n" + (raw(ideas) if ideas else "No wrong idea is known yet.")


def places(ex):
    """{the name that links use for a misconception: it}: the words of its name, numbered where they are another's."""
    found = {}
    for idea in _ideas(ex):
        place = f"{label(ex.id)}-{anchor(idea.name)}"
        alike = sum(other == place or other.startswith(f"{place}--") for other in found)
        found[f"{place}--{alike + 1}" if alike else place] = idea
    return found


def _idea(ex, idea, place):
    """An idea, folded below its name.  What is folded has the name for links: a browser that is led to it opens it."""
    does = html.escape(what_it_does(ex, idea))
    does = f'<p class="does">{does}</p>' if does else ""
    more = f"<p>More: {stuck(html.escape(idea.stuck), '../')}</p>" if idea.stuck else ""
    inside = f'<div id="{place}">{does}{_wrong_lines(idea)}<p>{html.escape(idea.words)}</p>{more}</div>'
    return f'<details class="idea"><summary>{html.escape(idea.name)}</summary>{inside}</details>'


def _wrong_lines(idea):
    """The lines of it that the right answer does not have, but for those that hold a line of an answer and more."""
    lines = [line.removeprefix("+ ") for line in difference(idea) if line.startswith("+ ")]
    lines = [line for line in lines if not any(right in " ".join(line.split()) for right in _lines_of_answers())]
    return f"<pre>{html.escape(chr(10).join(lines))}</pre>" if lines else ""


@cache
def _lines_of_answers():
    """The lines of all answers that say something."""
    texts = [path.read_text(encoding="utf-8") for path in (REFERENCE / "babygrad").rglob("*.py")]
    bodies = [region.body for text in texts for region in regions.solution_regions(text)]
    return {right for body in bodies for line in body if len(right := " ".join(line.split())) >= LONG_ENOUGH}


def stuck(heading, way=""):
    """A link to a heading of docs/stuck.md, which is HTML.  way: from the page to the first folder of the site.

    It has the colour of what is around it: a check has a ground of its own, in the dark too.
    """
    there = f"{way}docs/stuck.html#{anchor(html.unescape(heading))}"
    return f'<a style="color: inherit" href="{there}">Stuck? {heading}</a>'


def anchor(heading):
    """The name that links use for a heading, or an idea: its words."""
    return "-".join(re.findall(r"[a-z0-9]+", heading.lower()))


def what_it_does(ex, idea):
    """The first question that it answers wrongly, and how, in the words of a check; "" for answers that are secret.

    Of what stops it only the error is told: its lines of code are the reference's.
    """
    if ex.hashed:
        return ""
    right = reference_answers([ex], SEED)[ex.id]
    asked = (Question(p, misconceived(ex, idea, p, SEED), right[p.name]) for p in ex.probes)
    question = next(question for question in asked if question.wrong)
    if question.stop:
        return f"{called(question)} It stopped: {question.stop.type}: {question.stop.message}"
    wrong = question.wrong
    return f"{called(question)} {wrong if isinstance(wrong, str) else wrong.sentence()}"
