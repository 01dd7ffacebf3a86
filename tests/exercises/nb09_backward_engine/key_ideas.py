"""What the learner has to decide or find in each exercise of notebook 09. For teachers."""

KEY_IDEAS = {
    "9.1": "decide which inputs the backward pass may leave out",
    "9.2": "decide which node comes when, and what becomes of each gradient",
    "9.3": "find what a block must remember, and put it back however it ends",
    "9.4": "decide which gradients accumulate, and give each node an array of its own",
    "9.5": "decide when the backward pass is recorded, and what a missing ledger line means",
    "9.6": "find the function whose derivatives are second derivatives, and everything it depends on",
    "9.7": "find for each idea an expression on which it alone fails",
}

SAME_FOR_ALL = {
    "9.7": "it is the graph that gives an engine away, whatever numbers its leaves hold",
}  # why their questions draw nothing

IN_PERSON = (
    "A leaf is used twice, and backward() is called twice. What is in its grad, and which lines of yours decide that?"
)
