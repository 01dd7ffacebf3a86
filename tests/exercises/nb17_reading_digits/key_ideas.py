"""What the learner has to decide or find in each exercise of notebook 17. For teachers."""

KEY_IDEAS = {
    "17.1": "count where a window can begin; cut at all places, then leave windows out",
    "17.2": "see that a number that lies in several windows gets a share from each",
    "17.3": "lay filters in rows and windows in columns, so that all answers are one product",
    "17.4": "recognise an operation that is there, along two axes at once",
    "17.5": "ask for the gradient of a score, and of the picture instead of the weights",
    "17.6": "go uphill with the picture, equally far with each pixel, and stay a picture",
    "17.7": "find for three broken convolutions the questions for which each is right",
}

SAME_FOR_ALL = {
    "17.7": "each question is the learner's own, and there are endlessly many: two answers that are alike can be seen",
}  # why its questions draw nothing

IN_PERSON = (
    "One pixel lies in four windows. Where in your code do the four shares meet, and what would be seen "
    "if only the last one counted?"
)
