"""Questions of the quiz about notebook 03."""

from grader.exam.question import Question, Wrong, whole

QUESTIONS = (
    Question(
        "3.Q1",
        "say what a node passes back to its inputs, and why shares add up",
        section="A",
        text="What is x.grad?",
        draw=lambda rng: {"x": whole(rng, 3, 9), "k": whole(rng, 2, 9)},
        code="""
            x = Value({x}.0)
            L = x * x + x * {k}
            L.backward()
        """,
        asked=("x.grad",),
        wrong=(
            Wrong(("3.1", "assigns instead of adding"), "Only the share that arrived last is there: shares add up."),
            Wrong(("3.1", "each different input once"), "x * x uses x twice, and each use brings a share."),
        ),
    ),
    Question(
        "3.Q2",
        "count what a backward pass costs: by nodes, by paths, by inputs",
        section="F",
        text="A graph doubles a number {n} times: y = y + y. How many nodes does a backward pass in topological order "
        "visit, the leaf counted?",
        draw=lambda rng: {"n": whole(rng, 5, 40)},
        choose=True,
        answer="{n} + 1",
        wrong=(
            Wrong("2 to the power of {n}", "That is the number of paths; each node is visited once."),
            Wrong("2 · {n} + 1", "Each doubling makes one node, though it uses its input twice."),
        ),
    ),
)
