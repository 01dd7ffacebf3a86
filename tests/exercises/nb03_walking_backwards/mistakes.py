"""Wrong ideas about notebook 03 that are no edit of the answer (mistakes.md has the others)."""

from grader.course.exercise import wrong

from .exercises import calls


@wrong(
    calls,
    "a list that outlives the call",
    "From the second call on, the list still holds the nodes of the first. Python makes a default value (what "
    "follows = in the def line) once, for all calls; a list outside the function lives on too. Make the list and "
    "the set inside.",
)
def _(bg):
    right, kept = bg.value.post_order, []

    def post_order(root):
        kept.extend(right(root))
        return list(kept)

    bg.value.post_order = post_order
