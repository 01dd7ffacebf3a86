"""What the learner has to decide or find in each exercise of notebook 15. For teachers."""

KEY_IDEAS = {
    "15.1": "decide what a Tensor is called in a program, and what is new",
    "15.2": "find the direction in which one walk over the lines is enough",
    "15.3": "decide what is the same in each run, and see that folding makes more of it",
    "15.4": "decide when two lines do the same, and who must be told",
    "15.5": "find who reads an array last, under whatever name",
    "15.6": "decide when a result may be written over something",
    "15.8": "find for four wrong compilers where each shows",
}

SAME_FOR_ALL = {
    "15.8": "it is the operations that give a compiler away, whatever numbers x and y hold",
}  # why its questions draw nothing

IN_PERSON = "Name two lines of a program that may share an array, and two that may not. How does your code know?"
