"""What the learner has to decide or find in each exercise of notebook 00. For teachers."""

KEY_IDEAS = {
    "0.1": "read a message: what was asked, what came, what was expected",
    "0.2": "find how high the line is at the point's x",
    "0.3": "find where each wrong measure comes out right, and avoid all those places",
}

IN_PERSON = (
    "Show the line that decides between 0 and 1. A point lies exactly on the line: what comes out, and "
    "which one character would change that?"
)
