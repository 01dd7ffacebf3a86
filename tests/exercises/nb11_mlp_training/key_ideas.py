"""What the learner has to decide or find in each exercise of notebook 11. For teachers."""

KEY_IDEAS = {
    "11.1": "decide when two entries are the same Parameter",
    "11.3": "decide which sizes each layer connects, and where no activation goes",
    "11.4": "decide what to check first, and what the mean is taken over",
    "11.5": "pick one number from each row, and decide what the scores go through first",
    "11.6": "find log p in terms of softplus, and simplify the formula",
    "11.8": "put three calls in order, and decide how much a batch's loss counts",
    "11.9": "find where each of four wrong losses is right, and avoid it",
}

IN_PERSON = (
    "The last batch has one sample, the others have 32. What does your train_epoch return, and what would "
    "a mean of the batches' means make of that sample?"
)
