"""What the learner has to decide or find in each exercise of notebook 12. For teachers."""

KEY_IDEAS = {
    "12.1": "find the penalty's derivative, and change the array without touching the gradient",
    "12.2": "decide what is remembered, where, and whether lr is part of it",
    "12.3": "decide which mean divides which step, and where decay and momentum come in",
    "12.4": "decide what is stored uncorrected and what is corrected, and who counts t",
    "12.5": "decide what decays instead of the gradient, and by how much",
    "12.6": "turn numbers and a curve into a formula in t",
    "12.7": "decide whose norm counts, and find the one factor",
    "12.8": "decide how to make up for zeros, and along which axis to measure a row",
    "12.10": "find steps after which none of four mistakes is hidden",
}

IN_PERSON = (
    "The very first gradient is 0.001 for one parameter and 10 for another. How far does your Adam move "
    "each, and which lines make it so?"
)
