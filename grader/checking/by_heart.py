"""Was an answer learnt by heart? Then it says the same whatever it is given, where it does not know better."""

from ..asking.answers import NOT_COMPARED
from ..marking.compare import same


def fails_differently(questions, known, others, by_hand=False):
    """Does a wrong answer depend on the inputs? A computation goes wrong in another way with other ones.

    known: names of the questions that everybody can see the answers to.  others: {probe name: Outcome or Died}, the
    same questions with other inputs. That something was raised, or that an input was handed back, shows nothing; nor
    what is right in a wrong answer, for a question may tell that itself. by_hand: here it does not.
    """
    secret = [q for q in questions if q.wrong and q.probe.name not in known]
    return any(_depends(q, others.get(q.probe.name), by_hand) for q in secret)


def _depends(question, other, by_hand):
    mine, theirs, right = (_answers(each) for each in (question.got, other, question.expected))
    if not mine or not theirs:
        return False
    named = [name for name in mine if name not in NOT_COMPARED]
    telling = [n for n in named if by_hand or not (n in right and same(right[n], mine[n]))]
    return any(not same(mine[n], theirs.get(n)) and not _was_given(mine, n) for n in telling)


def _answers(outcome):
    """The named answers; {} where there are none."""
    answers = getattr(outcome, "answers", None)
    return answers if isinstance(answers, dict) else {}


def _was_given(answers, name):
    """Is this answer one of the inputs that came back with it?"""
    given = answers.get("asked")
    return isinstance(given, dict) and any(same(x, answers[name]) for x in given.values())
