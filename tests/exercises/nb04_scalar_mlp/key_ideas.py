"""What the learner has to decide or find in each exercise of notebook 04. For teachers."""

KEY_IDEAS = {
    "4.1": "find out what the bias is added to, and what the activation function is applied to",
    "4.2": "find what both neurons and layers can be asked for, and make one list of many",
    "4.3": "decide what each layer takes as input, and which output counts",
    "4.4": "put the five verbs in order, and write each as code",
    "4.5": "cut one order into pieces for both points and labels",
    "4.6": "find one rule for both labels that costs nothing beyond 1",
    "4.7": "find data on which two wrong loops are right and one is not",
}

IN_PERSON = (
    "In your train_step, which line can be left out so that the first step is still right, and the second "
    "is not? What does the loss do then?"
)
