"""What the learner has to decide or find in each exercise of notebook 13. For teachers."""

THOUGHTS = {
    "13.1": "decide who may speak now and who still waits, against who is met first",
    "13.2": "find how a Function gets from what it keeps to the Functions behind it",
    "13.3": "find how a product moves when both sides do, and in which direction to walk",
    "13.4": "recall each kind of mistake, and find the ground on which it shows",
}
