"""What the learner has to decide or find in each exercise of notebook 10. For teachers."""

KEY_IDEAS = {
    "10.1": "decide what forward keeps, and which product adds up over the rows",
    "10.2": "decide for each layer whether to keep its input or its output",
    "10.3": "find the Jacobian from its numbers, and its product without building it",
    "10.4": "find how the gradient differs from the probabilities, and avoid the logarithm of 0",
    "10.6": "make one number to nudge for, and see what nudging disturbs",
    "10.7": "decide which method is called when, and with what",
    "10.8": "find where each gradient goes when a place is used twice",
    "10.9": "decide who shares with whom, in which shape",
    "10.10": "recognise the derivatives of logsumexp, and write them without a division",
    "10.11": "find which sum the scores share, weighted or not",
    "10.12": "find the cases that expose each of three mistakes",
}

IN_PERSON = (
    "Where in your cross-entropy are the probabilities, the 1 that is subtracted, and the N? Which of the "
    "three would you miss first in a training, and how?"
)
