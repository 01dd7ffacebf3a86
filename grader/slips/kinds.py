"""The kinds of small edits, the simplest first, and the sentence for each. No sentence says what to write instead."""

from enum import Enum


class Kind(Enum):
    """level: edits of a higher level are looked at only where no lower one helps.  words: about what is there."""

    UNWRAPPED = 0, "Something here is done to a number, a list or a Tensor that the rest does not need."
    DROPPED = 0, "Something here is too much: what would happen without it?"
    GONE = 0, "What happens if this line is not there?"
    EXCHANGED = 0, "Two things here stand in an order: is it the right one?"
    NUMBER = 0, "Each number here: is it the one you want?"
    NAME = 1, "Each name in this line: is it the one you want?"
    SIGN = 1, "Think about the signs in this line."
    OPERATOR = 1, "Each operator in this line: is it the one you want?"
    COMPARISON = 1, "Read the condition in this line aloud: is it the one you want?"
    ASSIGNMENT = 1, "This line gives something a value: should it replace what was there, or be added to it?"
    RETURN = 1, "What is returned, and when?"
    MOVED = 1, "This line may be fine, but not at this place."
    BRACKETS = 2, "What is computed first in this line?"
    EVERYWHERE = 2, "Something in this line is used more than once: is it right each time?"
    PLACES = 2, "Is each thing in this line in its own place?"
    FORM = 2, "Is what this line makes of the right form: one thing or several, a list or a tuple?"
    WRAPPED = 3, "Something in this line is used as it is: does it need something done to it first?"
    FACTOR = 3, "A factor or a term is missing in this line."

    def __init__(self, level, words):
        self.level, self.words = level, words


DEAREST = max(kind.level for kind in Kind)
