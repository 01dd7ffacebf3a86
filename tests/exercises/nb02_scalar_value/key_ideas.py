"""What the learner has to decide or find in each exercise of notebook 02. For teachers."""

KEY_IDEAS = {
    "2.1": "keep only the local derivatives of the product rule, each beside its input",
    "2.2": "follow every path back to L: multiply along it, then add the paths",
    "2.3": "try the power rule with every exponent, and repair it where it breaks down",
    "2.4": "write it with what exists, so that the graph remembers both inputs",
    "2.5": "decide whose number comes first when the Value is on the right",
    "2.7": "see in a table what the derivative is made of: the result, or x",
    "2.8": "find the derivative from the result, and the form of the fraction that is safe",
    "2.9": "decide value and derivative on both sides of the kink, and at the kink",
    "2.10": "find numbers and an expression that expose three wrong derivatives",
}

SAME_FOR_ALL = {
    "2.10": "1 and 0 are the exercise: at any other numbers the three wrong rules show at once",
}  # why their questions draw nothing

IN_PERSON = "Point at what your x * y keeps for later. Why these numbers and no others? What does y - x keep?"
