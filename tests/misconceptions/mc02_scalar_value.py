"""Wrong ideas about notebook 02, each as a patch for a private copy of the reference."""

from grader.course import exercise
from grader.exercise import wrong

mul = exercise("2.1")


@wrong(
    mul,
    "each side's slope is its own number",
    "Each slope here is that side's own number. Ask for one side: if b is 3, how much does a * b grow when a grows by 1?",
)
def _(bg):
    def __mul__(self, other):
        other = bg.value.as_value(other)
        return bg.Value(self.data * other.data, (self, other), "*", (self.data, other.data))

    bg.Value.__mul__ = __mul__
