"""What the learner has to decide or find in each exercise of notebook 03. For teachers."""

KEY_IDEAS = {
    "3.1": "write one step for any number of inputs, so that no share is lost",
    "3.2": "find the moment at which a visited node may go on the list",
    "3.3": "remember, without recursion, whose inputs are done and whose are not",
    "3.4": "decide what starts afresh, what accumulates, and in which order nodes pass on their gradients",
    "3.5": "find one graph on which three wrong engines differ from the right one",
}

SAME_FOR_ALL = {
    "3.5": "it is the graph that gives an engine away, whatever numbers its leaves hold",
}  # why their questions draw nothing

IN_PERSON = (
    "Draw y = x * x and L = y + y. In which order does your walk come by, what does each node hold at "
    "each step, and what if y passed on twice?"
)
