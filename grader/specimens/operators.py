"""Three engines, each with one rule that gives a wrong slope; the prey of the bug hunt in notebook 02.

The numbers here carry their slopes along (forward mode), so that an engine needs no walk backwards.
"""

import math

LEAVES = {"a": 1.0, "b": 0.0}
OPERATIONS = 6  # an expression may be made of that many


class Right:
    """A number with the slope it has to each leaf. Every rule is right; the engines below change one."""

    def __init__(self, data, slopes=None):
        self.data = float(data)
        self.slopes = {self: 1.0} if slopes is None else slopes

    def slope_to(self, leaf):
        """How much this number changes for each unit that the leaf changes."""
        return self.slopes.get(leaf, 0.0)

    # The rules.

    def power_slope(self, x, n):
        return n * x ** (n - 1) if n else 0.0

    def quotient_slopes(self, x, y):
        return 1 / y, -x / y**2

    def relu_slope(self, x):
        return 1.0 if x > 0 else 0.0

    # The operations.

    def __add__(self, other):
        other = self._number(other)
        return self._made(self.data + other.data, (self, 1.0), (other, 1.0))

    def __sub__(self, other):
        other = self._number(other)
        return self._made(self.data - other.data, (self, 1.0), (other, -1.0))

    def __mul__(self, other):
        other = self._number(other)
        return self._made(self.data * other.data, (self, other.data), (other, self.data))

    def __truediv__(self, other):
        other = self._number(other)
        to_self, to_other = self.quotient_slopes(self.data, other.data)
        return self._made(self.data / other.data, (self, to_self), (other, to_other))

    def __pow__(self, exponent):
        return self._made(self.data**exponent, (self, self.power_slope(self.data, exponent)))

    def __neg__(self):
        return self * -1.0

    def __radd__(self, other):
        return self._number(other) + self

    def __rsub__(self, other):
        return self._number(other) - self

    def __rmul__(self, other):
        return self._number(other) * self

    def __rtruediv__(self, other):
        return self._number(other) / self

    def exp(self):
        e = math.exp(self.data)
        return self._made(e, (self, e))

    def log(self):
        return self._made(math.log(self.data), (self, 1 / self.data))

    def sin(self):
        return self._made(math.sin(self.data), (self, math.cos(self.data)))

    def tanh(self):
        t = math.tanh(self.data)
        return self._made(t, (self, 1 - t * t))

    def sigmoid(self):
        s = 0.5 + 0.5 * math.tanh(self.data / 2)
        return self._made(s, (self, s * (1 - s)))

    def relu(self):
        return self._made(max(self.data, 0.0), (self, self.relu_slope(self.data)))

    def _number(self, other):
        return other if isinstance(other, Right) else type(self)(other, {})

    def _made(self, data, *inputs):
        """A result: its slope to a leaf is the sum over its inputs of local slope times the input's slope."""
        slopes = {}
        for number, local_slope in inputs:
            for leaf, slope in number.slopes.items():
                slopes[leaf] = slopes.get(leaf, 0.0) + local_slope * slope
        return type(self)(data, slopes)


class Ada(Right):
    """Does not lower the exponent."""

    def power_slope(self, x, n):
        return n * x**n


class Ben(Right):
    """Forgets the square in the slope to what one divides by."""

    def quotient_slopes(self, x, y):
        return 1 / y, -x / y


class Cleo(Right):
    """Lets a relu pass at 0."""

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
    if any(step[0] == "leaf" and LEAVES.get(step[1]) != step[2] for step in recipe):
        return "It was not built from the a and b that it was given."
    right, found = (slopes_of(engine, recipe) for engine in (Right, ENGINES[name]))
    if not right:
        return f"{text} is no number at a = 1, b = 0."
    if found != right:
        return None
    why = _why_hidden(name, recipe, right)
    return (
        f"For {text} {name} finds slope {right['a']:.4g} to a and {right['b']:.4g} to b: that is right. {why}"
    )


def _why_hidden(name, recipe, right):
    sign, operation = OPERATION[name]
    if not any(step[0] == sign for step in recipe):
        return f"There is no {operation} in it."
    if not any(right.values()):
        return "Slopes that are all 0 hide every mistake: something takes away what the other pieces show."
    return WHERE_TO_LOOK[name]


def slopes_of(engine, recipe):
    """{leaf name: slope} of the recipe's expression, as this engine finds it; {} where it is no number."""
    from grader.recipe import play

    try:
        result, leaves = play(recipe, engine)
    except (ArithmeticError, AttributeError, TypeError, ValueError):
        return {}
    slopes = result.slopes if isinstance(result, Right) else {}
    found = {name: round(slopes.get(leaves.get(name), 0.0), 9) + 0.0 for name in LEAVES}
    return found if all(map(math.isfinite, found.values())) else {}
