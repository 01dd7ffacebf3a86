"""What the learner has to decide or find in each exercise of notebook 06. For teachers."""

KEY_IDEAS = {
    "6.1": "decide whose share changes its sign, and how steep a quotient is",
    "6.2": "decide which side's number is the derivative with respect to which side",
    "6.3": "read the derivative with respect to the bottom of a fraction off a table of nudges",
    "6.4": "find the exponent for which the power rule breaks down",
    "6.5": "decide what to compare first, and find a question that nan cannot pass",
    "6.6": "decide for each derivative whether it is made from the input or the result",
    "6.7": "decide what the derivative is on each side of a kink",
    "6.8": "find a form in which exp stays small, and derivatives as functions of the result",
    "6.9": "decide where a share must not be computed, and keep nan from arising",
    "6.10": "find one test that exposes three different wrong rules",
}

IN_PERSON = "a is 6, b is 3, and b grows a little. What happens to a / b, and which part of your rule says so?"
