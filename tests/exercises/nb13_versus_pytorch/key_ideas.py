"""What the learner has to decide or find in each exercise of notebook 13. For teachers."""

KEY_IDEAS = {
    "13.1": "decide which node may be next and which must wait, whatever was met first",
    "13.3": "find how a product changes when both factors do, and in which direction to walk",
    "13.4": "recall each kind of mistake, and find the cases that expose it",
}

SAME_FOR_ALL = {
    "13.1": "a graph that is drawn could be walked by a program alone, and that is 13.3",
    "13.4": "operations and shapes give the twelve engines away, not the numbers in the leaves",
}  # why their questions draw nothing

IN_PERSON = (
    "A function of 1,000 numbers gives one number, another of one number gives 1,000. For each: forward "
    "or backward mode, and how many walks?"
)
