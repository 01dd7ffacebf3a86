"""Wrong ideas about notebook 07 that no edit of its own regions is: rules of notebook 06 that add up themselves."""

from grader.course.exercise import wrong

from .exercises import stretched


def adds_up_itself(operation, name, words, shares):
    """A rule of notebook 06 that calls unbroadcast itself, and wrongly.  shares(unbroadcast, out_grad, a, b)"""

    @wrong(
        stretched,
        f"{operation}: {name}",
        f"Look at {operation}.backward in ops/arithmetic.py: {words} A rule is about one place, and needs no "
        "unbroadcast: what was stretched is added up afterwards, for all of them. With equal shapes nobody could see "
        "it.",
    )
    def _(bg):
        def backward(self, out_grad, node):
            return shares(bg.ops.unbroadcast, out_grad, *node._inputs)

        getattr(bg.ops, operation).backward = backward


adds_up_itself(
    "Mul",
    "added up before multiplying",
    "it calls unbroadcast on out_grad and multiplies afterwards. But each copy has a slope of its own, so the products "
    "come first, and then the sum.",
    lambda down, out_grad, a, b: (down(out_grad, a.shape) * b, down(out_grad, b.shape) * a),
)
adds_up_itself(
    "Mul",
    "the shapes swapped",
    "it brings each share to the shape of the other input. out_grad * b is the share of a.",
    lambda down, out_grad, a, b: (down(out_grad * b, b.shape), down(out_grad * a, a.shape)),
)
adds_up_itself(
    "Div",
    "added up before dividing",
    "out_grad is added up first and divided afterwards. But each copy has a slope of its own, so every place is "
    "divided first.",
    lambda down, out_grad, a, b: (down(out_grad, a.shape) / b, -out_grad * a / (b * b)),
)
