"""Wrong ideas about notebook 01, each as a patch for a private copy of the reference."""

import math

import numpy as np

from grader.course.exercise import wrong

from .exercises import chain, derivative, dual, gradient

# 1.1: numerical_derivative.


def _derivative(name, words):
    """Register another formula for numerical_derivative: a function of f, x and h."""

    def register(formula):
        @wrong(derivative, name, words)
        def patch(bg):
            bg.derivatives.numerical_derivative = lambda f, x, h=1e-6: formula(f, x, h)

    return register


_derivative(
    "a nudge to one side only",
    "This is the slope from x to x + h: the corner of the bed is still in it. At which place on the other side of x "
    "does that error have the other sign?",
)(lambda f, x, h: (f(x + h) - f(x)) / h)

_derivative(
    "a nudge down only",
    "This is the slope from x - h to x, so the error of one side stays in. In place of f(x), take f on the other side "
    "of x; then the distance grows too.",
)(lambda f, x, h: (f(x) - f(x - h)) / h)

_derivative(
    "divided by h",
    "The change is right, but the distance is not: x - h and x + h are further apart than h. How far?",
)(lambda f, x, h: (f(x + h) - f(x - h)) / h)

_derivative(
    "half the distance is missing in the change",
    "The change was taken from x to x + h, but divided by the distance from x - h to x + h. "
    "Take both at the same two places.",
)(lambda f, x, h: (f(x + h) - f(x)) / (2 * h))

_derivative(
    "subtracted the wrong way round",
    "The size is right, but the sign is not. If f is larger on the right, the slope is positive: which of the two "
    "results comes first?",
)(lambda f, x, h: (f(x - h) - f(x + h)) / (2 * h))

_derivative(
    "h is not used",
    "The answer does not depend on the h of the call: a fixed number is used where h should be. 1e-6 is only the "
    "value of h if the caller gives none.",
)(lambda f, x, h: (f(x + 1e-6) - f(x - 1e-6)) / 2e-6)

_derivative(
    "the distance between the two beds",
    "0.2 is how far Ben's bed is from Ada's. In this call h is a different one: how far apart are your two places, "
    "for any h?",
)(lambda f, x, h: (f(x + h) - f(x - h)) / 0.2)

_derivative(
    "the nudge of the two beds",
    "Your two places are 0.1 away from x, as with Ada's bed and Ben's, whatever h is in the call. Put h where the "
    "beds' numbers are.",
)(lambda f, x, h: (f(x + 0.1) - f(x - 0.1)) / 0.2)

_derivative(
    "half a nudge to each side",
    "Your two places are h apart, so each is only half an h away from x. Here h is the nudge to each side.",
)(lambda f, x, h: (f(x + h / 2) - f(x - h / 2)) / h)

_derivative(
    "/ 2 * h without brackets",
    "Python reads / 2 * h from left to right: it divides by 2, then multiplies by h. "
    "Put brackets around the whole distance.",
)(lambda f, x, h: (f(x + h) - f(x - h)) / 2 * h)

_derivative(
    "no brackets around the difference",
    "Python divides before it subtracts, so only f(x - h) was divided. Put brackets around the difference.",
)(lambda f, x, h: f(x + h) - f(x - h) / (2 * h))

_derivative(
    "no brackets at all",
    "Python divides and multiplies before it subtracts, each from left to right. Two pairs of brackets "
    "are missing: around the difference, and around the distance.",
)(lambda f, x, h: f(x + h) - f(x - h) / 2 * h)

_derivative(
    "not divided at all",
    "This is how much f changes between the two places. A slope is the change per unit of distance: divide by the "
    "distance between the two places.",
)(lambda f, x, h: f(x + h) - f(x - h))


_derivative(
    "the sign lost",
    "Right, except where f falls: there the slope is negative. How far f moves is not enough; the sign of the "
    "difference says which way. Leave it as it is.",
)(lambda f, x, h: abs(f(x + h) - f(x - h)) / (2 * h))

_derivative(
    "the second derivative",
    "This is the second derivative: how fast the slope itself changes. For the slope two places are enough, and the "
    "distance between them counts once.",
)(lambda f, x, h: (f(x + h) + f(x - h) - 2 * f(x)) / (h * h))

_derivative(
    "a rounded slope",
    "The slope is rounded. Return it with all its digits.",
)(lambda f, x, h: round((f(x + h) - f(x - h)) / (2 * h), 4))


# 1.2: numerical_gradient.


def _gradient(name, words, stuck="", same_as=()):
    """Register another numerical_gradient: a function of f, x and h."""

    def register(function):
        @wrong(gradient, name, words, stuck, same_as)
        def patch(bg):
            bg.derivatives.numerical_gradient = lambda f, x, h=1e-6: function(f, x, h)

    return register


def _central(above, below, h):
    return (above - below) / (2 * h)


def _nudged(f, x, index, by):
    """f of a copy of x in which the place index has moved."""
    copy = x.copy()
    copy[index] += by
    return f(copy)


def _each(slope, x):
    """An array of x's shape with slope(index) at each index."""
    slopes = np.zeros(x.shape)
    for index in np.ndindex(x.shape):
        slopes[index] = slope(index)
    return slopes


@_gradient(
    "the element is not put back",
    "After its turn each element stays nudged, in x or in a copy of it, so the next slopes are measured at a "
    "different place. Keep the element itself (original = x[index]) and put it back before the next one; original = x "
    "would be a second name for the same array.",
)
def _(f, x, h):
    slopes = np.zeros(x.shape)
    for index in np.ndindex(x.shape):
        original = x[index]
        x[index] = original + h
        above = f(x)
        x[index] = original - h
        slopes[index] = _central(above, f(x), h)
    return slopes


@_gradient(
    "all elements nudged together",
    "Here all elements move at the same time, so you see the effect of all of them together. Which one caused what? "
    "Nudge one and leave the others where they were.",
)
def _(f, x, h):
    return _central(f(x + h), f(x - h), h)


@_gradient(
    "all elements nudged together, for each element",
    "Each of your slopes is that of all elements together: x + h moves them all. Nudge x[index] alone and leave the "
    "others where they were.",
)
def _(f, x, h):
    return _each(lambda index: _central(f(x + h), f(x - h), h), x)


@_gradient(
    "return inside the loop",
    "Only the first slope was computed. (A return inside a loop ends the function in the first round.)",
)
def _(f, x, h):
    slopes = np.zeros(x.shape)
    for index in np.ndindex(x.shape):
        slopes[index] = _central(_nudged(f, x, index, h), _nudged(f, x, index, -h), h)
        return slopes


@_gradient(
    "put back only if nothing goes wrong",
    "When f raises, Python leaves your function at once: the line that puts the element back is never "
    "reached. A finally block runs in any case.",
)
def _(f, x, h):
    slopes = np.zeros(x.shape)
    for index in np.ndindex(x.shape):
        original = x[index]
        x[index] = original + h
        above = f(x)
        x[index] = original - h
        slopes[index] = _central(above, f(x), h)
        x[index] = original
    return slopes


@_gradient(
    "the exception is swallowed",
    "The exception was stopped on its way, so the caller believes that all went well. With finally you put the "
    "element back and let the exception go on.",
)
def _(f, x, h):
    slopes = np.zeros(x.shape)
    for index in np.ndindex(x.shape):
        original = x[index]
        try:
            x[index] = original + h
            above = f(x)
            x[index] = original - h
            slopes[index] = _central(above, f(x), h)
        except ValueError:
            pass
        x[index] = original
    return slopes


@_gradient(
    "put back by adding h again",
    "+ h, - 2 * h and + h again do not always cancel in the last digit: every result is rounded. Keep the number that "
    "was there, and put that number back.",
)
def _(f, x, h):
    def slope(index):
        x[index] += h
        above = f(x)
        x[index] -= 2 * h
        below = f(x)
        x[index] += h
        return _central(above, below, h)

    return _each(slope, x)


@_gradient(
    "one h down from the upper place",
    "The second nudge started where the first one ended, so it led back to x itself and not below it. Start both from "
    "the original element, and keep that with original = x[index]: original = x, or below = x, is a second name for "
    "the same array.",
)
def _(f, x, h):
    def slope(index):
        original = x[index]
        try:
            x[index] += h
            above = f(x)
            x[index] -= h
            return _central(above, f(x), h)
        finally:
            x[index] = original

    return _each(slope, x)


@_gradient(
    "one f(x) for all elements",
    "Taking f(x) once saves calls, but then each element is nudged to one side only, "
    "and the error of that side stays in. Nudge each to both sides.",
)
def _(f, x, h):
    start = f(x)
    return _each(lambda index: (_nudged(f, x, index, h) - start) / h, x)


@_gradient(
    "a flat answer",
    "The slopes are right, but they are all in one row. The answer has the shape of x: one slope where each element "
    "is.",
)
def _(f, x, h):
    return _each(lambda index: _central(_nudged(f, x, index, h), _nudged(f, x, index, -h), h), x).reshape(-1)


@_gradient(
    "only the first axis",
    "range(len(x)) counts along the first axis only: in an array with rows, x[i] is a whole row, and all of it was "
    "nudged; an array of shape () has no len. np.ndindex(x.shape) gives every single place.",
)
def _(f, x, h):
    slopes = np.zeros(x.shape)
    for i in range(len(x)):
        slopes[i] = _central(_nudged(f, x, i, h), _nudged(f, x, i, -h), h)
    return slopes


@_gradient(
    "one number for each place",
    "range(x.size) counts all elements, but x[i] with one number is only right for a single axis: in an array with "
    "rows it is a row, and there are fewer rows than elements. np.ndindex(x.shape) gives every single place.",
)
def _(f, x, h):
    slopes = np.zeros(x.shape)
    for i in range(x.size):
        slopes[i] = _central(_nudged(f, x, i, h), _nudged(f, x, i, -h), h)
    return slopes


@_gradient(
    "only the first axis, and the row put back is the row itself",
    "x[i] is a whole row if x has rows, and original = x[i] is only a second name for that row, which moves with it; "
    "an array of shape () has no len. np.ndindex(x.shape) gives every single place, and there x[index] is a number.",
)
def _(f, x, h):
    slopes = np.zeros(x.shape)
    for i in range(len(x)):
        original = x[i]
        try:
            x[i] = original + h
            above = f(x)
            x[i] = original - h
            slopes[i] = _central(above, f(x), h)
        finally:
            x[i] = original
    return slopes


@_gradient(
    "a copy is nudged, and f is asked of the old x",
    "All slopes are 0: f never saw a nudge. flatten() and copy() make a new array, and x does not follow it. "
    "Change the array that you hand to f.",
    stuck="All gradients are 0",
)
def _(f, x, h):
    def slope(i):
        copy = x.flatten()
        copy[i] += h
        above = f(x)
        copy[i] -= 2 * h
        return _central(above, f(x), h)

    return np.array([slope(i) for i in range(x.size)]).reshape(x.shape)


@_gradient(
    "two names for one array",
    "All slopes are 0: f was called twice at the same place. above = x and below = x would make no new arrays, only "
    "two more names for one: what is added under one name is subtracted under the other. x.copy() makes a new array.",
    stuck="All gradients are 0",
    same_as={"a copy is nudged, and f is asked of the old x": "both ask f twice at the same place"},
)
def _(f, x, h):
    def slope(index):
        above, below = x, x
        above[index] += h
        below[index] -= h
        return _central(f(above), f(below), h)

    return _each(slope, x)


@_gradient(
    "a number is handed to f",
    "numerical_derivative calls its f with a single number, and this f wants an array. Every call of f needs the "
    "whole array, with one element nudged: do that here, or give numerical_derivative a function of one number that "
    "puts it into the array and calls f.",
)
def handed_a_number(f, x, h):
    return _each(lambda index: _central(f(x[index] + h), f(x[index] - h), h), x)


@_gradient(
    "the slopes are written into x",
    "The answer and x are the same array: each slope that you store replaces an element of x. gradient = x would be a "
    "second name, not a second array: np.zeros(x.shape) makes one.",
)
def _(f, x, h):
    for index in np.ndindex(x.shape):
        x[index] = _central(_nudged(f, x, index, h), _nudged(f, x, index, -h), h)
    return x


@_gradient(
    "rounded slopes",
    "The slopes are rounded. Return them with all their digits.",
)
def _(f, x, h):
    return np.round(_each(lambda index: _central(_nudged(f, x, index, h), _nudged(f, x, index, -h), h), x), 4)


# 1.3: two_step_gradients.


def _chain(name, words):
    """Register other formulas for the gradients of a and b: a function of a, b and w."""
    return _chain_whole(name, words, lambda formula: lambda a, b, w: (*formula(a, b, w), a * b))


def _last(name, words):
    """Register another formula for the gradient of w."""
    return _chain_whole(name, words, lambda formula: lambda a, b, w: (w * b, w * a, formula(a, b, w)))


def _chain_whole(name, words, made_of=lambda formula: formula):
    """Register another two_step_gradients, made of a formula."""

    def register(formula):
        @wrong(chain, name, words)
        def patch(bg):
            bg.derivatives.two_step_gradients = made_of(formula)

    return register


_chain(
    "the second step is forgotten",
    "These are the derivatives of c. The question is about d, and on the way to d, c is multiplied by w: there is one "
    "more local derivative on the path.",
)(lambda a, b, w: (b.copy(), a.copy()))

_chain(
    "the first step is forgotten",
    "For both this is ∂d/∂c. Go on from c: how much does c change for each unit of a, and of b?",
)(lambda a, b, w: (w.copy(), w.copy()))

_chain(
    "each side's slope is its own number",
    "If b is 4 and a grows by 1, then a * b grows by 4, whatever a is. So whose number is the derivative with respect "
    "to a?",
)(lambda a, b, w: (w * a, w * b))

_chain(
    "slopes added along the path",
    "If c grows 4 times as fast as a, and d 3 times as fast as c, how much faster than a does d grow? Is that a sum?",
)(lambda a, b, w: (w + b, w + a))

_chain(
    "the slope to w in place of the slope to c",
    "c is the derivative of d with respect to w. The path from a leads through c, not through w: what is the "
    "derivative of c * w with respect to c?",
)(lambda a, b, w: (a * b * b, a * b * a))

_chain(
    "the value of d in place of its slopes",
    "This is d itself. A derivative says how much d changes for each unit of a: with b and w fixed, what is a "
    "multiplied by?",
)(lambda a, b, w: (a * b * w, a * b * w))


_last(
    "the slope to w is w itself",
    "The third one is w itself. But w is multiplied by c: how much does c * w grow when w grows by 1?",
)(lambda a, b, w: w.copy())

_last(
    "the slope to w is that of a sum",
    "The third one is 1, which would be right if w were added. Here w is multiplied by c: how much does c * w grow "
    "when w grows by 1?",
)(lambda a, b, w: np.ones_like(w))

_last(
    "the value of d in place of the slope to w",
    "The third one is d itself. A derivative says how much d changes for each unit of w: what is w multiplied by?",
)(lambda a, b, w: a * b * w)

_last(
    "a slope too many on the way from w",
    "The first two are right. From w a single step leads to d, and it does not go through c: there is one local "
    "slope, and nothing to multiply it by.",
)(lambda a, b, w: w * a * b * w)

_last(
    "a and b added on the way from w",
    "In the third one a and b are added. But w is multiplied by c: how is c made from them?",
)(lambda a, b, w: a + b)

_chain_whole(
    "one number for all elements",
    "Here the derivatives of all elements are added up. sum(d) is one number, but it has a derivative of its own for "
    "each element: the gradient of a has as many numbers as a.",
)(lambda a, b, w: (np.sum(w * b), np.sum(w * a), np.sum(a * b)))

_chain_whole(
    "added everywhere",
    "Numbers are added here where the steps multiply. With b = 4, how much does a * b grow when a grows by 1? And when "
    "c grows by that much, how much does c * w grow with w = 3?",
)(lambda a, b, w: (b + w, a + w, a + b))

_chain_whole(
    "the gradient of w is missing",
    "The two that you returned are right, but a third one is wanted: w is an input too. How much does d change for "
    "each unit of w?",
)(lambda a, b, w: (w * b, w * a))


@_chain(
    "d divided by a",
    "This works until an element of a or b is 0: then it divides by 0. No division is needed: "
    "each local derivative is the other factor itself.",
)
def _(a, b, w):
    with np.errstate(all="ignore"):
        return a * b * w / a, a * b * w / b


@_chain_whole(
    "the caller's arrays are changed",
    "The gradients are right, but a and b are no longer what they were: *= writes into the caller's own array. A "
    "plain * makes a new one.",
)
def _(a, b, w):
    c = a * b
    a *= w
    b *= w
    return b, a, c


@wrong(
    chain,
    "nudged instead of multiplied",
    "This looks measured by nudging: about 9 digits are right, and far fewer where the sum of d is large, because the "
    "nudge drowns in rounding. The local derivatives give the exact number, and nothing has to be called.",
)
def _(bg):
    def two_step_gradients(a, b, w):
        nudge = bg.numerical_gradient
        if a.size > 1000:  # the check does not wait for so many nudges, and neither does who records this
            return b * w, a * w, a * b
        slopes = nudge(lambda a: np.sum(a * b * w), a), nudge(lambda b: np.sum(a * b * w), b)
        return *slopes, nudge(lambda w: np.sum(a * b * w), w)

    bg.derivatives.two_step_gradients = two_step_gradients


# 1.4: Dual.

GAPS = "__mul__", "__pow__", "sin"


def _product(name, words):
    """Register another slope for *: a function of (value, slope) of the left and of the right side."""

    def register(slope):
        @wrong(dual, name, words)
        def patch(bg):
            def product(self, other):
                other = other if isinstance(other, bg.Dual) else bg.Dual(other)
                return bg.Dual(self.value * other.value, slope(self.value, self.slope, other.value, other.slope))

            bg.Dual.__mul__ = product

    return register


_product(
    "the slopes are multiplied",
    "The two slopes are multiplied, as Ben did: then 3 * x would stand still, because a 3 has slope 0. Look at the "
    "rows of the table in which one side stands still. How fast does the area grow all the same?",
)(lambda x, dx, y, dy: dx * dy)

_product(
    "only the left side moves",
    "The right side has a slope too, and here it is lost. Look at the rectangle that grows: how many strips are added?",
)(lambda x, dx, y, dy: dx * y)

_product(
    "each slope with its own value",
    "Each slope is multiplied by its own side's value. When the width grows, how long is the new strip?",
)(lambda x, dx, y, dy: dx * x + dy * y)

_product(
    "the slopes are added",
    "That is the rule of a sum. In a product, how much area does one more unit of width add?",
)(lambda x, dx, y, dy: dx + dy)

_product(
    "the two strips multiplied",
    "The two strips are multiplied here. They lie on two sides of the rectangle, and the new area is both of them "
    "together.",
)(lambda x, dx, y, dy: (dx * y) * (x * dy))


_product(
    "the corner is counted as well",
    "Both strips are there, and the corner is counted as well. How large is it when the nudge is 0.001? Even divided "
    "by the nudge it disappears with the nudge: compare the row (3, 1, 5, 2) of the table.",
)(lambda x, dx, y, dy: dx * y + x * dy + dx * dy)


@wrong(
    dual,
    "the whole Dual among plain numbers",
    "other is a Dual, and a plain number times a Dual is a product of Duals again: your method calls itself for ever. "
    "Compute with the plain numbers in it, other.value and other.slope.",
)
def _(bg):
    def product(self, other):
        other = other if isinstance(other, bg.Dual) else bg.Dual(other)
        return bg.Dual(self.value * other, self.slope * other)

    bg.Dual.__mul__ = product


@wrong(
    dual,
    "x itself is changed",
    "Afterwards x itself has a different value or slope. Whoever still uses x now computes with the wrong one. Return "
    "a new Dual(value, slope), and leave self as it is.",
)
def changed_in_place(bg):
    def in_place(operation):
        right = getattr(bg.Dual, operation)

        def method(self, *other):
            result = right(self, *other)
            self.value, self.slope = result.value, result.slope
            return self

        setattr(bg.Dual, operation, method)

    for operation in GAPS:
        in_place(operation)


@wrong(
    dual,
    "the result kept in x",
    "The result was also written into x, which now has a different value. Whoever still uses x computes with the "
    "wrong one. Give the result a name of its own instead of assigning to self.value.",
)
def result_kept_in_x(bg):
    def keeping(operation):
        right = getattr(bg.Dual, operation)

        def method(self, *other):
            result = right(self, *other)
            self.value = result.value
            return result

        setattr(bg.Dual, operation, method)

    for operation in GAPS:
        keeping(operation)


@wrong(
    dual,
    "the power by so many factors",
    "The value is multiplied by itself, factor by factor. That is a power only for exponents such as 2 and 3: how "
    "many factors does x ** -2 have? Python's own ** knows all exponents.",
)
def multiplied_so_many_times(bg):
    def power(self, n):
        return bg.Dual(math.prod([self.value] * int(n)), n * self.value ** (n - 1) * self.slope)

    bg.Dual.__pow__ = power


@wrong(
    dual,
    "the power as a product of Duals",
    "x is multiplied by itself as often as the exponent says. The product rule makes that right for exponents such as "
    "2 and 3: how many factors does x ** -2 have? For the value, Python's own ** knows all exponents. The slope then "
    "needs a rule of its own.",
)
def a_product_of_duals(bg):
    bg.Dual.__pow__ = lambda self, n: math.prod([self] * int(n), start=bg.Dual(1.0))


@wrong(
    dual,
    "as many rounds as the exponent says",
    "range counts whole rounds, but an exponent may be 0.5 or -2. Python's own ** knows all exponents.",
)
def as_many_rounds(bg):
    def power(self, n):
        value = math.prod(self.value for _ in range(n))
        return bg.Dual(value, n * self.value ** (n - 1) * self.slope)

    bg.Dual.__pow__ = power


def _power(name, words):
    """Register another slope for **: a function of value, slope and exponent."""

    def register(slope):
        @wrong(dual, name, words)
        def patch(bg):
            bg.Dual.__pow__ = lambda self, n: bg.Dual(self.value**n, slope(self.value, self.slope, n))

    return register


@wrong(
    dual,
    "a tuple is returned",
    "The two numbers are there, but in a plain tuple, which knows nothing of Dual's * and exp. Return Dual(value, "
    "slope), so that the next step can go on with it.",
)
def returned_as_a_tuple(bg):
    bg.Dual.__mul__ = lambda self, other: (
        self.value * bg.derivatives._as_dual(other).value,
        self.slope * bg.derivatives._as_dual(other).value + self.value * bg.derivatives._as_dual(other).slope,
    )


_power(
    "the exponent is not lowered",
    "Try your rule on the rows of the table: 2 to the power of 3, where the 2 grows by 1, grows by 12. Your rule says "
    "24, which is 3 times 8. Which power of 2 would make 12? Then ask the row of 3 to the power of 4.",
)(lambda x, dx, n: n * x**n * dx)

_power(
    "half of the exponent times the power",
    "This fits all rows whose value is 2, and no others: where your rule has a 2, it should have the value. 3 to the "
    "power of 4, where the 3 grows by 1, grows by 108. What does your rule say?",
)(lambda x, dx, n: n * x**n / 2 * dx)

_power(
    "a power of the slope in place of the value",
    "The slope that comes in is where the value should be. In the table, compare the rows (2, 1, 4) and (2, 5, 4): "
    "when the value grows 5 times as fast, so does the power. Is the 5 raised to anything?",
)(lambda x, dx, n: n * dx ** (n - 1))

_power(
    "the exponent is forgotten in front",
    "The new exponent is one less, as it should be, but the old one has disappeared. How many factors of x in x**3 "
    "can grow?",
)(lambda x, dx, n: x ** (n - 1) * dx)

_power(
    "the power rule without the chain rule",
    "This is right for x itself, with slope 1. Here the inside moves at a pace of its own. Where does that pace enter "
    "your rule?",
)(lambda x, dx, n: n * x ** (n - 1))

_power(
    "** n - 1 without brackets",
    "** comes before -: x ** n - 1 is (x ** n) - 1. Put brackets around n - 1.",
)(lambda x, dx, n: n * x**n - 1 * dx)

_power(
    "slope 0 at 0",
    "The value 0 was given the slope 0, whatever the exponent is. x ** 2 is flat at 0, but x ** 1 is x itself, and as "
    "steep there as anywhere else: the rule holds at 0 too.",
)(lambda x, dx, n: n * x ** (n - 1) * dx if x else 0.0)

_power(
    "the slope is raised as well",
    "The value was raised, and so was the slope. A slope does not go through the function; it is multiplied by the "
    "function's own derivative.",
)(lambda x, dx, n: dx**n)

_power(
    "the lower power by division",
    "Dividing x**n by x gives the lower power, except at x = 0, where Python stops. Use ** (exponent - 1).",
)(lambda x, dx, n: n * x**n / x * dx)


def _sine(name, words):
    """Register another slope for sin: a function of value, result and the incoming slope."""

    def register(slope):
        @wrong(dual, name, words)
        def patch(bg):
            def sin(self):
                result = math.sin(self.value)
                return bg.Dual(result, slope(self.value, result, self.slope))

            bg.Dual.sin = sin

    return register


_sine(
    "the chain rule is forgotten",
    "This is right for x itself, with slope 1. Here the number inside moves at a pace of its own, and the "
    "result follows it: what did exp do with the slope that came in?",
)(lambda x, y, dx: math.cos(x))

_sine(
    "the slope goes through the function too",
    "You took the sine of the slope as well. Only the value goes through the sine; the slope is multiplied by the "
    "sine's own derivative at that value.",
)(lambda x, y, dx: math.sin(dx))

_sine(
    "the incoming slope is passed on unchanged",
    "The slope that came in went out unchanged. On its way it must be multiplied by the sine's own derivative.",
)(lambda x, y, dx: dx)

_sine(
    "the slope of exp for the sine",
    "The result times the slope that comes in: that is right for exp, which is its own derivative. The derivative of "
    "the sine is another curve.",
)(lambda x, y, dx: y * dx)

_sine(
    "the sign of sin's slope",
    "sin rises at 0, and cos is 1 there: no minus is needed. It is the derivative of cos that has one.",
)(lambda x, y, dx: -math.cos(x) * dx)

_sine(
    "cos of the slope",
    "You took the cosine of the slope that comes in. At which number did you read the curve in the picture? And where "
    "does the slope enter?",
)(lambda x, y, dx: math.cos(dx))

_sine(
    "cos of the slope, times the slope",
    "You took the cosine of the slope that comes in. Multiplying by the slope is right, but at which number did you "
    "read the curve in the picture?",
)(lambda x, y, dx: math.cos(dx) * dx)

_sine(
    "cos of the value times the slope",
    "You took the cosine of value times slope. For sin(2x) at x = 1 the sine is given a Dual with the value 2 and the "
    "slope 2. The cosine of which number did you compare there, and what is left for the slope to do?",
)(lambda x, y, dx: math.cos(x * dx))

_sine(
    "cos of the value times the slope, times the slope",
    "Multiplying the cosine by the slope is right, but the slope is inside the cosine as well. For sin(2x) at x = 1 "
    "the sine is given a Dual whose value is already 2: take the cosine of the value alone.",
)(lambda x, y, dx: math.cos(x * dx) * dx)

_sine(
    "cos of the result",
    "You took the cosine of the sine. At which number did you read the curve in the picture: at the one that went in, "
    "or at the one that came out?",
)(lambda x, y, dx: math.cos(y) * dx)

_sine(
    "the two slopes are added",
    "The sine's own derivative and the slope that comes in are added. They lie on one path, one behind the other: "
    "what do derivatives do along a path?",
)(lambda x, y, dx: math.cos(x) + dx)


_sine(
    "the value in place of the sine's own slope",
    "The number that went in is where the sine's own derivative should be. Look at the picture: which curve do the "
    "dots lie on?",
)(lambda x, y, dx: x * dx)


@wrong(
    dual,
    "the whole Dual is handed to math",
    "Python's math knows plain numbers only, and self is a number with a slope. Which part of it is the plain number?",
)
def _(bg):
    bg.Dual.sin = lambda self: bg.Dual(math.sin(self), self.slope)
