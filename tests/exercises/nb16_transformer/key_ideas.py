"""What the learner has to decide or find in each exercise of notebook 16. For teachers."""

KEY_IDEAS = {
    "16.1": "see that each position of a text is an example, and which token is its target",
    "16.3": "see that attention alone cannot tell where a token stands",
    "16.4": "decide along which axis to share out, and how to leave something out before the softmax",
    "16.5": "decide which positions may be seen, by rows and columns",
    "16.6": "tell a reshape from a transpose: which numbers belong together",
    "16.7": "put parts together in their order, and keep a way round each of them",
    "16.8": "use one array of weights at both ends of a net",
    "16.9": "turn scores into what is drawn, with the boundary cases",
    "16.10": "find for three broken attentions the inputs for which each is right",
}

SAME_FOR_ALL = {
    "16.10": "each input is the learner's own, and there are endlessly many: two answers that are alike can be seen",
}  # why its questions draw nothing

IN_PERSON = (
    "Cover your mask with your hand. What does the model learn now, how good does its loss look, and what "
    "does it write?"
)
