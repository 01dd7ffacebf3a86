"""Right solutions of notebook 02 in other styles: above all closures, as other courses write them."""

import math

from grader.course.paths import ROOT


def written_into_value_py(bg):
    """A whole engine of closures, whose constructor gives every node an empty _backward."""
    exec((ROOT / "tests/course/checking/foreign_engines/closures.py").read_text(), vars(bg.value))


variant_2_1_an_engine_of_closures = variant_2_3_an_engine_of_closures = written_into_value_py
variant_2_4_an_engine_of_closures = variant_2_5_an_engine_of_closures = written_into_value_py
variant_2_6_an_engine_of_closures = variant_2_7_an_engine_of_closures = written_into_value_py
variant_2_8_an_engine_of_closures = variant_2_9_an_engine_of_closures = written_into_value_py


def closure_of_two(bg, method, op, number, slopes):
    """An operator that keeps a closure in _backward instead of slopes."""

    def operate(self, other):
        other = bg.value.as_value(other)
        out = bg.Value(number(self.data, other.data), (self, other), op)

        def _backward():
            to_self, to_other = slopes(self.data, other.data)
            self.grad += to_self * out.grad
            other.grad += to_other * out.grad

        out._backward = _backward
        return out

    setattr(bg.Value, method, operate)


def closure_of_one(bg, method, number, slope):
    """A function that keeps a closure in _backward. slope gets the number and the result."""

    def operate(self):
        out = bg.Value(number(self.data), (self,), method)

        def _backward():
            self.grad += slope(self.data, out.data) * out.grad

        out._backward = _backward
        return out

    setattr(bg.Value, method, operate)


def stored(bg, method, number, slope):
    """A function that stores its slope, by another formula than the reference's."""

    def operate(self):
        return bg.Value(number(self.data), [self], method, [slope(self.data)])

    setattr(bg.Value, method, operate)


def variant_2_1_closure(bg):
    """A closure in _backward, no slopes."""
    closure_of_two(bg, "__mul__", "*", lambda x, y: x * y, lambda x, y: (y, x))


def variant_2_1_lists_and_another_name(bg):
    """Lists instead of tuples, the result named before it is returned, another name of the operation."""

    def __mul__(self, other):
        if not isinstance(other, bg.Value):
            other = bg.Value(other)
        out = bg.Value(self.data * other.data)
        out._prev, out._op = [self, other], "times"
        out._slopes = [other.data, self.data]
        return out

    bg.Value.__mul__ = __mul__


def variant_2_1_other_side_first(bg):
    """The inputs the other way round, with their slopes."""

    def __mul__(self, other):
        other = bg.value.as_value(other)
        return bg.Value(other.data * self.data, (other, self), "*", (self.data, other.data))

    bg.Value.__mul__ = __mul__


def variant_2_2_computed(bg):
    """More in the dict than asked, and floats."""

    def by_hand(a, b, c, d):
        t1, t3 = a * b, a + d
        t2 = t1 + c
        results = {"a": a, "b": b, "t1": t1, "t2": t2, "t3": t3, "L": t2 * t3}
        inner = {"L.grad": 1.0, "t2.grad": t3, "t3.grad": t2, "t1.grad": t3}
        return results | inner | {"a.grad": b * t3 + t2, "b.grad": a * t3, "c.grad": t3, "d.grad": t2}

    bg.hunts.by_hand = by_hand


def variant_2_3_closure(bg):
    """A closure in _backward, the exponent checked with isinstance."""

    def __pow__(self, n):
        if not isinstance(n, (int, float)):
            raise TypeError(f"the exponent must be a number, not {n!r}")
        out = bg.Value(self.data**n, (self,), f"**{n}")

        def _backward():
            if n != 0:
                self.grad += n * self.data ** (n - 1) * out.grad

        out._backward = _backward
        return out

    bg.Value.__pow__ = __pow__


def variant_2_3_exponent_zero_first(bg):
    """The exponent made a float; exponents 0 and 1 dealt with before the rule."""

    def __pow__(self, exponent):
        n = bg.value.as_number(exponent)
        if n == 0:
            return bg.Value(1.0, (self,), "**0", (0.0,))
        slope = 1.0 if n == 1 else n * self.data ** (n - 1)
        return bg.Value(self.data**n, (self,), f"**{n:g}", (slope,))

    bg.Value.__pow__ = __pow__


def variant_2_4_closures(bg):
    """Two operators with closures of their own."""
    closure_of_two(bg, "__sub__", "-", lambda x, y: x - y, lambda x, y: (1.0, -1.0))
    closure_of_two(bg, "__truediv__", "/", lambda x, y: x / y, lambda x, y: (1 / y, -x / (y * y)))


def variant_2_4_slopes_of_their_own(bg):
    """Each operator with its own two slopes instead of being composed."""

    def __sub__(self, other):
        other = bg.value.as_value(other)
        return bg.Value(self.data - other.data, (self, other), "-", (1.0, -1.0))

    def __truediv__(self, other):
        other = bg.value.as_value(other)
        slopes = 1 / other.data, -self.data * other.data**-2
        return bg.Value(self.data / other.data, (self, other), "/", slopes)

    bg.Value.__sub__, bg.Value.__truediv__ = __sub__, __truediv__


def variant_2_4_minus_one_on_the_right(bg):
    """x - y as x + y * -1, x / y as a power on the right."""
    as_value = bg.value.as_value
    bg.Value.__sub__ = lambda self, other: self + as_value(other) * -1
    bg.Value.__truediv__ = lambda self, other: as_value(other) ** -1.0 * self


def variant_2_5_turned_round(bg):
    """No new Values: each from the operator with self on the left."""
    bg.Value.__rsub__ = lambda self, other: -(self - other)
    bg.Value.__rtruediv__ = lambda self, other: self**-1 * other


def variant_2_5_closures(bg):
    """Closures, with the number on the left a leaf of its own."""

    def on_the_left(method, op, number, slopes):
        closure_of_two(bg, method, op, lambda x, y: number(y, x), lambda x, y: slopes(y, x)[::-1])

    on_the_left("__rsub__", "-", lambda x, y: x - y, lambda x, y: (1.0, -1.0))
    on_the_left("__rtruediv__", "/", lambda x, y: x / y, lambda x, y: (1 / y, -x / y**2))


def variant_2_6_closure(bg):
    """A closure in _backward."""

    def __rpow__(self, base):
        if not isinstance(base, (int, float)):
            raise TypeError(f"{base!r} is no number to raise to a power")
        out = bg.Value(base**self.data, (self,), f"{base}**")

        def _backward():
            self.grad += math.log(base) * out.data * out.grad

        out._backward = _backward
        return out

    bg.Value.__rpow__ = __rpow__


def variant_2_6_by_exp(bg):
    """2 ** x as exp(x * log 2)."""
    bg.Value.__rpow__ = lambda self, base: (self * math.log(bg.value.as_number(base))).exp()


def variant_2_7_closures(bg):
    """Two closures."""
    closure_of_one(bg, "exp", math.exp, lambda x, e: e)
    closure_of_one(bg, "log", math.log, lambda x, out: 1 / x)


def variant_2_7_other_formulas(bg):
    """e ** x, log by another base and its slope as a power."""
    stored(bg, "exp", lambda x: math.e**x, lambda x: math.e**x)
    stored(bg, "log", lambda x: math.log2(x) / math.log2(math.e), lambda x: x**-1)


def variant_2_8_closures(bg):
    """Two closures; sigmoid chosen by the sign of x."""

    def sigmoid(x):
        return 1 / (1 + math.exp(-x)) if x >= 0 else math.exp(x) / (1 + math.exp(x))

    closure_of_one(bg, "tanh", math.tanh, lambda x, t: 1 - t**2)
    closure_of_one(bg, "sigmoid", sigmoid, lambda x, s: s * (1 - s))


def variant_2_8_made_of_values(bg):
    """sigmoid from tanh of half the number, made of Values."""
    bg.Value.sigmoid = lambda self: ((self / 2).tanh() + 1) / 2


def variant_2_8_no_branch(bg):
    """math.tanh for both; overflow caught instead of avoided."""

    def sigmoid(x):
        try:
            return 1 / (1 + math.exp(-x))
        except OverflowError:
            return 0.0

    stored(bg, "sigmoid", sigmoid, lambda x: sigmoid(x) * sigmoid(-x))
    stored(bg, "tanh", math.tanh, lambda x: 4 * sigmoid(2 * x) * sigmoid(-2 * x))


def variant_2_9_closure(bg):
    """A closure; max for the number, the result asked for the slope."""
    closure_of_one(bg, "relu", lambda x: max(0, x), lambda x, out: out > 0)


def variant_2_9_a_product(bg):
    """self times 1 or 0."""
    bg.Value.relu = lambda self: self * float(self.data > 0)


def variant_2_10_one_fraction(bg):
    """A square below the line, and relu added where the slope to b is not lost."""
    bg.hunts.blind_spots = lambda a, b: (a + 2) / (a + a) ** 2 + b.relu()


def variant_2_10_relu_of_something_else(bg):
    """The kink reached from a; b left out."""
    bg.hunts.blind_spots = lambda a, b: (a - 1).relu() + 5 / (a * 3) ** 2


def variant_2_10_subtracted(bg):
    """Pieces subtracted, a negative base."""
    bg.hunts.blind_spots = lambda a, b: (a - 3) ** -3 / (a + 1) - b.relu()
