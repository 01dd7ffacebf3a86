"""The wrong idea about notebook 05 that is no edit: it is in a line outside of the answer."""

from grader.course.exercise import wrong

from .exercises import part_of_the_way


@wrong(
    part_of_the_way,
    "the weight as a third input",
    "forward gets two arrays, those of the inputs. The weight is not an input: it was given when the object was made, "
    "so the object has to keep it. Leave the def lines as they are in the stub.",
)
def _(bg):
    def forward(self, a, b, weight):
        return a + weight * (b - a)

    bg.ops.Lerp.forward = forward
