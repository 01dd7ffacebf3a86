"""What the learner has to decide or find in each exercise of notebook 09. For teachers."""

THOUGHTS = {
    "9.1": "decide which inputs the walk may leave out",
    "9.2": "decide who speaks when, and what becomes of each share",
    "9.3": "find what a block must remember, and put it back however it ends",
    "9.4": "decide who adds up, and give each node an array of its own",
    "9.5": "decide when the walk is recorded, and what a missing line means",
    "9.6": "find the function whose derivatives are second derivatives, and all it depends on",
    "9.7": "find for each idea an expression on which it alone fails",
}
