"""The questions of notebook 13."""

from grader.asking.answers import Form
from grader.course.questions import probe
from grader.probes.recipe import recipes_of

WALKS_BY_HAND = ("A", "B", "C", "C backward")


def _ask_for_names(key):
    def names(bg, rng):
        returned = bg.hunts.names_on_the_way()
        if not isinstance(returned, dict):
            return {"returned": returned}
        return {"names": returned.get(key, Form(f"missing: there is no '{key}' in the dict"))}

    names.__name__ = "list_" + key.replace(" ", "_")
    probe("13.1", asked=f"names_on_the_way()['{key}']", secret=True)(names)


for _key in WALKS_BY_HAND:
    _ask_for_names(_key)

# The shapes of the leaves. Their numbers stay with the engines: no part of these is loaded beside the learner's code.
SHAPES = {"x": (2, 3), "row": (3,), "col": (2, 1), "w": (3, 2), "batch": (2, 2, 3)}
MOST_EXPRESSIONS = 8


def _ask_for_engine(number):
    def recorded(bg, rng):
        found = recipes_of(bg.hunts.expressions_for_twelve_engines, **SHAPES)
        return {"recipes": found[: MOST_EXPRESSIONS + 1] if isinstance(found, list) else found}

    recorded.__name__ = f"engine_{number}"
    probe(
        "13.2",
        asked=f"expressions_for_twelve_engines(x, row, col, w, batch) and played the expressions on engine {number}, "
        "two walks each",
        secret=True,
    )(recorded)


for _number in range(1, 13):
    _ask_for_engine(_number)
