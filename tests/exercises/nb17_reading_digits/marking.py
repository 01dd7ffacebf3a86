"""How answers to notebook 17 are compared. What is not here is compared as grader/marking/compare.py does."""

from grader.asking.describe import describe
from grader.broken_engines import convolutions

# 17.7: the hunt.

LOOK = {
    "Ada": "Ada turns the filter round. Does this one look any different then?",
    "Ben": "Ben goes wrong where windows overlap. Does any number of the picture lie in two of them?",
    "Cleo": "Cleo's padding lets in what lies on the opposite side. Is there any padding?",
}
HIDDEN = {  # where the answer to that question is yes
    "Ada": "Ada turns the filter round, and this one does look different then. But part of it lies on padding, and on "
    "the pixels it makes no difference. With all windows inside the picture, each weight would lie on a pixel.",
    "Ben": "Ben goes wrong where windows overlap, and these do. But he keeps the share that comes last, and on each "
    "pixel the shares before it come to 0. Which weights does a pixel meet, window after window?",
    "Cleo": "Cleo's padding lets in what lies on the opposite side, and windows do reach into it. But all that leaks "
    "in comes to 0. Which weights of the filter lie on the padding?",
}
GIVEN_AWAY = {
    "Ada": "The filter looks different when it is turned round.",
    "Ben": "Windows overlap, and he keeps the last share alone.",
    "Cleo": "Weights lie on padding, where she has what lies on the opposite side.",
}
WANTED_KEYS = 'Return a dict with the keys "Ada", "Ben" and "Cleo", written like this.'


def gives_away_only(name):
    """A comparison: for this question the convolution differs from the right one, and none of the others does."""

    def compare(expected, got):
        if "the answer" in got:
            return f"It returned {describe(got['the answer'])}. {WANTED_KEYS}"
        question = got.get(f"the question for {name}")
        complaint = convolutions.complaint(question)
        if complaint:
            return f"For {name} you gave {describe(question)}: {complaint}."
        return about_the_hunt(name, question)

    return compare


def about_the_hunt(name, question):
    shown = "picture {}, filter {}, stride {}, padding {}".format(*map(describe, question))
    if not convolutions.differ(question, name):
        look = HIDDEN if convolutions.could_differ(question, name) else LOOK
        return f"For {shown} {name}'s answer and gradient are right: {returned(name, question)}. {look[name]}"
    others = [other for other in convolutions.WRONG if other != name and convolutions.differ(question, other)]
    if not others:
        return None
    too = " and ".join(f"{other}'s" for other in others)
    astray, right = returned(others[0], question), returned("right", question)
    return (
        f"{shown} gives {name}'s convolution away, but {too} too: {others[0]} finds {astray}; right would be {right}. "
        f"{GIVEN_AWAY[others[0]]}"
    )


def returned(name, question):
    answer, gradient = convolutions.CONVOLUTIONS[name](*question)
    return f"{describe(answer + 0.0)}, and the gradient {describe(gradient + 0.0)}"


COMPARISONS = {"17.7": {f"only_{name}": gives_away_only(name) for name in convolutions.WRONG}}
