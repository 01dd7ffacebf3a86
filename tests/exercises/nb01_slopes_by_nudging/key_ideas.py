"""What the learner has to decide or find in each exercise of notebook 01. For teachers."""

KEY_IDEAS = {
    "1.1": "find the two places, and how far apart they are",
    "1.2": "put each element back before the next one moves, whatever happens",
    "1.3": "decide which local derivatives lie on the path from each input",
    "1.4": "find the rules behind measured slopes, and where the incoming slope enters",
    "1.5": "find a curve that shows truncation and rounding error at once",
}

SAME_FOR_ALL = {
    "1.5": "a curve that bends and lies high gives the three away at nearly any place",
}  # why its questions draw nothing

IN_PERSON = (
    "f takes two seconds, and x holds 1,000 numbers. How long does your numerical_gradient take, and what "
    "must hold afterwards if f stops with an error halfway?"
)
