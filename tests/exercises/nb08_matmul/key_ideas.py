"""What the learner has to decide or find in each exercise of notebook 08. For teachers."""

KEY_IDEAS = {
    "8.1": "find which factor to transpose, and on which side each one belongs",
    "8.2": "find which axes of each gradient must be added up",
    "8.3": "find where the axis of a vector was, and put it back there",
}

IN_PERSON = (
    "In your rule of x @ W, why does x stand on the left, transposed? First by shapes, then for a single number of W."
)
