"""What the learner has to decide or find in each exercise of notebook 07. For teachers."""

KEY_IDEAS = {
    "7.1": "see that no number overtakes another, so only the shape goes back",
    "7.2": "find the order of axes that undoes an order",
    "7.3": "decide what shape a sum's gradient needs before it can be repeated",
    "7.4": "work out how many numbers share the upstream gradient of a mean",
    "7.6": "find the axes along which copies lie, and what becomes of their shares",
    "7.7": "find one sum that three different rules get wrong",
}

IN_PERSON = (
    "A gradient of shape (2, 3, 4) arrives for an input of shape (3, 1). Which axes go, which one stays "
    "with size 1, and why is it a sum and not a mean?"
)
