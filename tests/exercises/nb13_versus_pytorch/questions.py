"""The questions of notebook 13."""

from grader.asking.answers import Form
from grader.course.questions import probe
from grader.probes.recipe import recipes_of

# 13.1: the walk by hand.


def ask_names(key):
    """Register a question: the list of names under this key."""
    name = "list_" + key.replace(" ", "_")

    @probe("13.1", asked=f"names_on_the_way()['{key}']", name=name, secret=True)
    def names(bg, rng):
        returned = bg.hunts.names_on_the_way()
        if not isinstance(returned, dict):
            return {"returned": returned}
        return {"names": returned.get(key, Form(f"missing: there is no '{key}' in the dict"))}


for _key in ("A", "B", "C", "C backward"):
    ask_names(_key)


# 13.2: the hunt.

SHAPES = {"x": (2, 3), "row": (3,), "col": (2, 1), "w": (3, 2), "batch": (2, 2, 3)}  # of the leaves
MOST_EXPRESSIONS = 8


def the_expressions(bg, rng):
    found = recipes_of(bg.hunts.expressions_for_twelve_engines, **SHAPES)
    return {"recipes": found[: MOST_EXPRESSIONS + 1] if isinstance(found, list) else found}


for _number in range(1, 13):
    _asked = (
        f"expressions_for_twelve_engines(x, row, col, w, batch) and played the expressions on engine {_number}, "
        "two walks each"
    )
    probe("13.4", asked=_asked, name=f"engine_{_number}", secret=True)(the_expressions)
