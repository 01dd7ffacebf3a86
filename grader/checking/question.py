"""One question that was asked: what came back, what was expected, and whether it is right."""

from dataclasses import dataclass
from functools import cached_property

from ..asking.answers import NOT_COMPARED, drawn_in
from ..asking.describe import describe
from ..asking.outcome import Stopped
from ..marking.compare import difference
from .questioning import Died


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
        return answers.get("graph") if isinstance(answers, dict) else getattr(self.stop, "graph", None)

    @cached_property
    def wrong(self):
        """None if the answer is right; else what is wrong: a Stopped, a Died, a Difference or a text."""
        if self.got is None or isinstance(self.got, Died):
            return self.got or "This question was no longer asked."
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
            expected = self.expected.answers
            return self.probe.compare(drawn_in(expected) if self.probe.secret else expected, self.got.answers)
        except Exception as error:
            shown = ", ".join(
                f"{name}: {describe(x)}" for name, x in self.got.answers.items() if name not in NOT_COMPARED
            )
            return f"The check cannot compare an answer of this form ({type(error).__name__}): {shown}."
