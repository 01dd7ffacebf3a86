"""What goes wrong: for each notebook the misconceptions that the checks know. What each does is asked, not written."""

import html

from ..checking.messages import called
from ..checking.question import Question
from ..checking.reference import misconceived, reference_answers
from ..course import catalogue
from .markdown import raw

SEED = 0  # of the draws that are shown
ABOUT = """A wrong idea about an exercise usually gives wrong answers of its own, and that is how a check knows it. Here
are those that it knows: the idea, what it does when it is asked, and what a learner is told. (Whoever has not done an
exercise yet learns more by getting it wrong first.)"""


def label(id):
    """The name that links use for the wrong ideas of an exercise."""
    return f"wrong-{id.replace('.', '-')}"


def page(nb):
    """The MyST of a notebook's misconceptions."""
    exercises = catalogue.exercises_of(nb.number)
    top = f"# What goes wrong in {nb.number} · {nb.title}\n\n{ABOUT}\n\n[The notebook](../notebooks/{nb.name}.md) · "
    links = f"[Its exercises](../exercises/{nb.name}.md)\n"
    return "\n\n".join([top + links, *map(_of_exercise, exercises)]) + "\n"


def _of_exercise(ex):
    from .exercise_pages import label as exercise

    ideas = "\n".join(_idea(ex, idea) for idea in catalogue.misconceptions_of(ex))
    heading = f"({label(ex.id)})=\n## {ex.id} `{ex.title}`\n\n[What is asked](#{exercise(ex.id)})"
    return heading + "\n\n" + raw(f'<dl class="ideas">\n{ideas}\n</dl>')


def _idea(ex, idea):
    does = html.escape(what_it_does(ex, idea))
    does = f'<dd class="does">{does}</dd>' if does else ""
    return f"<dt>{html.escape(idea.name)}</dt>{does}<dd>{html.escape(idea.words)}</dd>"


def what_it_does(ex, idea):
    """The first question that it answers wrongly, and how, in the words of a check; "" for answers that are secret.

    Of what stops it only the error is told: its lines of code are the reference's.
    """
    if ex.sealed:
        return ""
    right = reference_answers([ex], SEED)[ex.id]
    asked = (Question(p, misconceived(ex, idea, p, SEED), right[p.name]) for p in ex.probes)
    question = next(question for question in asked if question.wrong)
    if question.stop:
        return f"{called(question)} It stopped: {question.stop.type}: {question.stop.message}"
    wrong = question.wrong
    return f"{called(question)} {wrong if isinstance(wrong, str) else wrong.sentence()}"
