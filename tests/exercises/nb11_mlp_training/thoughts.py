"""What the learner has to decide or find in each exercise of notebook 11. For teachers."""

THOUGHTS = {
    "11.1": "decide when two entries are the same Parameter",
    "11.2": "read the product off the shapes, and allow for no bias",
    "11.3": "decide which sizes a layer stands between, and where no activation goes",
    "11.4": "decide what is looked at first, and what the mean goes over",
    "11.5": "pick one number of each row, and decide what scores go through first",
    "11.6": "find log p in terms of softplus, and simplify the formula",
    "11.7": "find out along which axis a row's answer is looked for",
    "11.8": "put three calls in order, and decide how often a loss counts",
    "11.9": "find where each of four wrong losses is right, and leave it",
}
