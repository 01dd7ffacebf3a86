"""What the learner has to decide or find in each exercise of notebook 05. For teachers."""

KEY_IDEAS = {
    "5.1": "find which sizes of two shapes meet, and what becomes of each pair",
    "5.2": "find the cases in which each broadcaster errs, and one pair that covers all of them",
    "5.3": "decide which results remember anything, and what exactly they remember",
    "5.4": "decide what an operation keeps, and what comes with each call",
    "5.5": "decide how to subtract a number without making a Tensor, and which side comes first",
    "5.6": "read each gradient off a column of the table, then do without the table",
    "5.7": "find what each table cannot do, and an expression that hides none of it",
}

SAME_FOR_ALL = {
    "5.7": "it is the place of x in the expression that counts, not the numbers that x holds",
}  # why their questions draw nothing

IN_PERSON = (
    "Shapes (3, 1) and (2, 1, 4): what comes out, and where does your code decide it? Why are (3, 2) and (3,) refused?"
)
