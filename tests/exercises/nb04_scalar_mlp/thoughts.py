"""What the learner has to decide or find in each exercise of notebook 04. For teachers."""

THOUGHTS = {
    "4.1": "find out what the bias goes through, and what is bent",
    "4.2": "find what neurons and layers can both be asked, and make one list of many",
    "4.3": "decide what each layer reads, and whose answer counts",
    "4.4": "put the five verbs in order, and say each in code",
    "4.5": "cut one order into pieces that serve points and labels",
    "4.6": "find one rule for both labels that costs nothing beyond 1",
    "4.7": "find data on which two wrong loops are right and one is not",
}
