"""What the learner has to decide or find in each exercise of notebook 14. For teachers."""

KEY_IDEAS = {
    "14.1": "find what the gradient is linear in, and differentiate with respect to that",
    "14.2": "find the number whose gradient is the Hessian times a vector",
    "14.3": "see a row of the Hessian in the gradient of each slope",
    "14.4": "find where a gradient that changes linearly becomes zero",
    "14.5": "decide what gets the gradient, and what must be differentiated again",
    "14.6": "decide what has to be recorded for the last weights to know the learning rate",
    "14.7": "find for three wrong ways to multiply by a Hessian where each shows",
}

IN_PERSON = "Where does your hvp avoid the Hessian? Say of each gradient in it what it is the gradient of."
