"""How answers to notebook 16 are compared. What is not here is compared as grader/marking/compare.py does."""

from grader.asking.describe import describe
from grader.broken_engines import attentions

# 16.10: the hunt.

LOOK = {
    "Ada": "Ada does not divide the scores. By what does the right one divide them here?",
    "Ben": "To Ben what is hidden has the score 0. Is there something hidden here, and does it get any weight?",
    "Cleo": "Cleo also sees the next position. Is there one here, and does it get any weight?",
}
WANTED_KEYS = 'Return a dict with the keys "Ada", "Ben" and "Cleo", written like this.'


def gives_away_only(name):
    """A comparison: for this input the attention differs from the right one, and none of the others does."""

    def compare(expected, got):
        if "the answer" in got:
            return f"It returned {describe(got['the answer'])}. {WANTED_KEYS}"
        inputs = got.get(f"the input for {name}")
        complaint = attentions.complaint(inputs)
        if complaint:
            return f"For {name} you gave {describe(inputs)}: {complaint}."
        return about_the_hunt(name, inputs)

    return compare


def about_the_hunt(name, inputs):
    shown = "query {}, key {}, value {}".format(*map(describe, inputs))
    if not attentions.differ(inputs, name):
        return f"For {shown} {name}'s attention returns {returned(name, inputs)}, which is right. {LOOK[name]}"
    others = [other for other in attentions.WRONG if other != name and attentions.differ(inputs, other)]
    if not others:
        return None
    too = " and ".join(f"{other}'s" for other in others)
    astray, right = returned(others[0], inputs), returned("right", inputs)
    return (
        f"{shown} gives {name}'s attention away, but {too} too: {others[0]}'s returns {astray}, the right one {right}."
    )


def returned(name, inputs):
    return describe(attentions.ATTENTIONS[name](*inputs).round(4) + 0.0)


COMPARISONS = {"16.10": {f"only_{name}": gives_away_only(name) for name in attentions.WRONG}}
