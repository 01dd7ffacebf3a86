"""Three engines, each with one rule that gives a wrong slope; for the bug hunt of notebook 02."""

import math

from grader.marking.play import play
from grader.probes.recipe import RecipeError

from . import scalar_engines

LEAVES = {"a": 1.0, "b": 0.0}
OPERATIONS = 6  # an expression may be made of that many


class Right(scalar_engines.Right):
    """A number that knows its slope to each leaf. Every rule is right; the engines below change one."""

    def slope_to(self, leaf):
        """How much this number changes for each unit that the leaf changes."""
        leaf.grad = 0.0
        self.backward()
        return leaf.grad


class Ada(Right):
    """Does not lower the exponent."""

    def power_slope(self, x, n):
        return n * x**n


class Ben(Right):
    """Forgets the square in the slope for the divisor."""

    def quotient_slopes(self, x, y):
        return 1 / y, -x / y


class Cleo(Right):
    """Gives relu the slope 1 at 0."""

    def relu_slope(self, x):
        return 1.0 if x >= 0 else 0.0


ENGINES = {"Ada": Ada, "Ben": Ben, "Cleo": Cleo}

OPERATION = {"Ada": ("**", "power"), "Ben": ("/", "division"), "Cleo": ("relu", "relu")}

WHERE_TO_LOOK = {
    "Ada": "Her powers have a wrong slope, but some numbers hide it. Which number did you raise to a power?",
    "Ben": "His divisions have a wrong slope, but some numbers hide it. What did you divide, and by what?",
    "Cleo": "Her relu has a wrong slope, but nearly every number hides it. At which number was your relu?",
}


def verdict(name, recipe, text):
    """None if the engine finds a wrong slope for the recipe's expression; else a sentence or more that say why not.

    text: the expression, to be shown.
    """
    right, found = (slopes_of(engine, recipe) for engine in (Right, ENGINES[name]))
    if not right:
        return f"{text} is not a number at a = 1, b = 0."
    if found != right:
        return None
    why = _why_hidden(name, recipe, right)
    return f"For {text} {name} finds ∂/∂a = {right['a']:.4g} and ∂/∂b = {right['b']:.4g}, and that is right. {why}"


def _why_hidden(name, recipe, right):
    sign, operation = OPERATION[name]
    if not any(step[0] == sign for step in recipe):
        return f"There is no {operation} in it."
    if not any(right.values()):
        return "Slopes that are all 0 hide every mistake: something cancels what the other parts show."
    return WHERE_TO_LOOK[name]


def slopes_of(engine, recipe):
    """{leaf name: slope} of the recipe's expression, as this engine finds it; {} where it is not a number."""
    try:
        result, leaves = play(recipe, engine)
        found = {name: round(result.slope_to(leaf), 9) + 0.0 for name, leaf in leaves.items()}
    except (ArithmeticError, ValueError, RecipeError):
        return {}
    return found if all(map(math.isfinite, found.values())) else {}
