"""The exercises of notebook 13: two orders by hand, one step back, rates that go forward, twelve sabotaged engines."""

from grader.course.exercise import Exercise, Notebook

NOTEBOOK = Notebook(
    "13",
    "versus_pytorch",
    "Beside PyTorch",
    files=("hunts.py", "forward_mode.py"),
)

by_hand = Exercise(
    "13.1",
    "names_on_the_way",
    file="hunts.py",
    points=3,
    difficulty=2,
    hints=[
        "Both orders begin where the computation ended. Which operation made the result? What were its inputs, from "
        "left to right, and which operations made those? For backward there is another question: which node must wait "
        "for which?",
        "Draw each graph with the result on top. The walk goes down on the left as far as it can, then takes the next "
        "branch. In B two paths lead to one Function: it is printed when the walk first gets there. backward calls no "
        "rule whose node is still waiting for a share. In C, count how many operations use t.",
        "Names: + with a number is AddScalar, * with a number is MulScalar, @ is MatMul, .sum() is Summation. A has "
        "six names: those left of the / first, then those right of it. In backward the operation that made z, or t, "
        "comes last, when every share to its gradient has arrived.",
    ],
)

rates = Exercise(
    "13.3",
    "of_a_product, rate_of",
    file="forward_mode.py",
    points=4,
    difficulty=3,
    track="stretch",
    needs=("5.3", "5.5", "9.1"),
    hints=[
        "A product first: a is 3 and moves at 2, b is 5 and stands still. How fast does a * b move? And if b moves "
        "too? Then the graph: which rates do you know at the start, and which can you work out next?",
        "A product's rate has two parts, one for each side that moves. node._op.forward is the product itself, * or "
        "@, and it can be given a rate in place of an array. In rate_of go through topological_order from its "
        "beginning, and keep the rate of each node in a dict; what is not in the dict stands still.",
        "known = dict(rates). For each node of the order that has an _op: collect a list with known[x], or zeros of "
        "x.shape, for each x in node._inputs, and pass it to moved. In a product: the rate of a with b, plus a with "
        "the rate of b, each computed by node._op.forward.",
    ],
)

hunt = Exercise(
    "13.4",
    "expressions_for_twelve_engines",
    file="hunts.py",
    points=6,
    difficulty=4,
    hints=[
        "Begin with expressions of one operation, and see which engines they give away: nine of the twelve fall to a "
        "single operation. Think of what each does with signs, zeros, equal numbers and shapes.",
        "A number on the left of a minus; a division; tanh; relu at 0; a stretched column; a sum along axis 0; a "
        "batch times a matrix; the maximum of equal numbers. Then the backward pass: an input that is used twice, a "
        "result that is used twice, an array with two owners, and a second pass through an intermediate result.",
        "For the backward pass the notebook has z = x * x and then z * (z * 3): engines 8, 9, 11. For the array with "
        "two owners, let + hand the same gradient to x and to something made from x, and then use x once more: y = "
        "x.exp(), (x + y) + x.",
    ],
)
