"""Wrong ideas about notebook 02, each as a patch for a private copy of the reference."""

import math
import operator

from grader.course.exercise import wrong
from grader.probes.probing import slopes_to

from .exercises import bends, by_hand, exponential, functions, kink, minus, mul, power, reflected

# Results that keep a closure in _backward instead of slopes, as in other courses, and compute with them in a wrong way.


def handing_on(method, hand_on):
    """A patch: what this method makes keeps a closure that calls hand_on(inputs, slopes, its own gradient)."""

    def patch(bg):
        right = getattr(bg.Value, method)

        def operate(self, *arguments):
            others = [bg.value.as_value(each) for each in arguments] if method in OF_TWO else []
            inputs = [self, *others]
            copies = [bg.Value(value.data) for value in inputs]
            made = right(*copies) if others else right(*copies, *arguments)
            slopes = slopes_to(made, copies)
            out = bg.Value(made.data, inputs, method)

            out._backward = lambda: hand_on(inputs, slopes, out.grad)
            return out

        setattr(bg.Value, method, operate)

    return patch


def share_by_share(way):
    """Each input's new grad, one after the other: way(what it holds, the slope to it, the result's gradient)."""

    def hand_on(inputs, slopes, arrived):
        for value, slope in zip(inputs, slopes):
            value.grad = way(value.grad, slope, arrived)

    return hand_on


def all_read_first(inputs, slopes, arrived):
    grads = [value.grad + slope * arrived for value, slope in zip(inputs, slopes)]
    for value, grad in zip(inputs, grads):
        value.grad = grad


OF_TWO = ("__mul__", "__sub__", "__truediv__", "__rsub__", "__rtruediv__")
CLOSURES = {
    "a closure that assigns": (
        "The _backward of the result assigns: with =, a share wipes out what the input's grad held before. A "
        "number that is used twice gets two shares: what must happen to them?",
        lambda held, slope, arrived: slope * arrived,
    ),
    "a closure without the result's gradient": (
        "The _backward of the result passes back the local slope alone, whatever out.grad is. The chain rule has two "
        "factors. Which one is missing?",
        lambda held, slope, arrived: held + slope,
    ),
    "a closure that loses the sign": (
        "The _backward of the result passes back the right size, but loses the sign of out.grad. A gradient may be "
        "negative: multiply by out.grad as it is.",
        lambda held, slope, arrived: held + slope * abs(arrived),
    ),
    "a closure for positive gradients only": (
        "The _backward of the result adds nothing when out.grad is negative. A gradient may have any sign; only "
        "relu asks for a sign, and it is its input's. Multiply by out.grad as it is.",
        lambda held, slope, arrived: held + slope * max(arrived, 0.0),
    ),
    "a closure with a limit": (
        "The _backward of the result works as if out.grad were never larger than 1. A gradient may have any size: "
        "multiply by out.grad as it is.",
        lambda held, slope, arrived: held + slope * max(-1.0, min(1.0, arrived)),
    ),
}


def _closures(ex, *methods):
    for name, (words, way) in CLOSURES.items():
        stuck = "Right for a + b, wrong for a + a" if "assigns" in name else ""

        @wrong(ex, name, words, stuck)
        def _(bg, way=way):
            for method in methods:
                handing_on(method, share_by_share(way))(bg)


def _read_first(ex, *methods):
    @wrong(
        ex,
        "a closure that reads all grads first",
        "The _backward of the result reads the grads of both inputs before it writes either of them. When both "
        "inputs are the same node, the second write wipes out the first share. Finish with one input before "
        "you read the other.",
        stuck="Right for a + b, wrong for a + a",
    )
    def _(bg):
        for method in methods:
            handing_on(method, all_read_first)(bg)


_read_first(mul, "__mul__")
_read_first(minus, "__sub__", "__truediv__")
_closures(mul, "__mul__")
_closures(power, "__pow__")
_closures(minus, "__sub__", "__truediv__")
_closures(reflected, "__rsub__", "__rtruediv__")
_closures(exponential, "__rpow__")
_closures(functions, "exp", "log")
_closures(bends, "tanh", "sigmoid")
_closures(kink, "relu")


# 2.1: Value.__mul__.


def product(inputs, slopes, op="*"):
    """A patch: Value.__mul__ with other inputs or slopes, each a function of the two sides."""

    def patch(bg):
        def __mul__(self, other):
            other = bg.value.as_value(other)
            return bg.Value(self.data * other.data, inputs(self, other), op, slopes(self, other))

        bg.Value.__mul__ = __mul__

    return patch


def both(x, y):
    return x, y


wrong(
    mul,
    "each side's slope is its own number",
    "Each input has its own number as its local slope. If b is 3, how much does a * b grow when a grows by 1? (Or "
    "are your inputs in one order, and your slopes in another?)",
)(product(both, lambda x, y: (x.data, y.data)))

wrong(
    mul,
    "the slopes of a sum",
    "Both slopes are 1, as in a sum. In a product it depends on the other side: 2 * 3 is 6, and 3 * 3 is 9. By how "
    "much did it grow when the first factor grew by 1?",
)(product(both, lambda x, y: (1.0, 1.0)))

wrong(
    mul,
    "the slopes are Values",
    "Here a slope is stored as a Value. Slopes are plain numbers: nobody asks later how they were made. The number "
    "in a Value is its .data.",
)(product(both, lambda x, y: (y, x)))

wrong(
    mul,
    "no slopes remembered",
    "The result remembers its inputs, but not its local derivatives: how much it changes for each unit that an "
    "input changes. Which argument of Value(...) holds them in __add__?",
)(product(both, lambda x, y: ()))

wrong(
    mul,
    "only one input remembered",
    "The result remembers only one of its two inputs, so no gradient can ever reach the other one. a * b was made "
    "from both: name both, and give a slope for each.",
)(product(lambda x, y: (x,), lambda x, y: (y.data,)))

wrong(
    mul,
    "the inputs in a set",
    "a * a has the same input twice, and here it was remembered once. A set keeps equal things only once, and in no "
    "order, so that a slope may meet the wrong input. What keeps both, and their order?",
)(product(lambda x, y: dict.fromkeys((x, y)), lambda x, y: (y.data, x.data)))

wrong(
    mul,
    "the result is a new leaf",
    "The number is right, but the result does not remember what it was made from: it is a leaf, as if typed by "
    "hand. Value(...) needs the inputs, the name and the slopes as well.",
    stuck="All gradients are 0",
)(product(lambda x, y: (), lambda x, y: (), ""))

wrong(
    mul,
    "copies as inputs",
    "The inputs of the result are new Values with the same numbers, and no gradient ever reaches a and b. self and "
    "other themselves are what it was made from.",
    stuck="All gradients are 0",
)(product(lambda x, y: (type(x)(x.data), type(x)(y.data)), lambda x, y: (y.data, x.data)))

wrong(
    mul,
    "one input for a * a",
    "Number and slope are right. But the result should remember two inputs, for a * a as well: a stands on both sides, "
    "each side has a slope of its own, and the two shares add up by themselves.",
)(product(lambda x, y: (x,) if x is y else (x, y), lambda x, y: (2 * x.data,) if x is y else (y.data, x.data)))

wrong(
    mul,
    "an operation without a name",
    "All numbers are right, but the operation has no name: '' is for a number made by hand, and a drawing would not "
    "say what happened here. Its sign is the third argument of Value(...).",
)(product(both, lambda x, y: (y.data, x.data), ""))


@wrong(
    mul,
    "a rounded product",
    "The product is rounded. Keep all its digits: drawings and messages round by themselves.",
)
def _(bg):
    def __mul__(self, other):
        other = bg.value.as_value(other)
        return bg.Value(round(self.data * other.data, 4), (self, other), "*", (other.data, self.data))

    bg.Value.__mul__ = __mul__


@wrong(
    mul,
    "gradients passed back while computing",
    "Afterwards the grads of a and b have changed. An operation leaves its inputs as they are: it computes, and "
    "remembers the slopes. Gradients wait for the walk back, in notebook 03.",
)
def _(bg):
    right = bg.Value.__mul__

    def __mul__(self, other):
        other = bg.value.as_value(other)
        self.grad += other.data
        other.grad += self.data
        return right(self, other)

    bg.Value.__mul__ = __mul__


@wrong(
    mul,
    "an older result for equal numbers",
    "c * d was answered with the product of a and b, because the numbers are equal. But c and d are other Values: no "
    "gradient would reach them. Each multiplication makes a new node.",
)
def _(bg):
    right, made = bg.Value.__mul__, {}

    def __mul__(self, other):
        other = bg.value.as_value(other)
        key = self.data, other.data
        if key not in made:
            made[key] = right(self, other)
        return made[key]

    bg.Value.__mul__ = __mul__


@wrong(
    mul,
    "a product of Values inside",
    "A * with a Value on either side of it, inside __mul__, calls __mul__ again, which meets the * again, without end. "
    "Compute with the numbers: each Value's number is its .data.",
)
def _(bg):
    bg.Value.__mul__ = lambda self, other: self * other


wrong(
    mul,
    "the name of a sum",
    "All numbers are right, but the operation is called '+', as in __add__: drawings show a product as a sum. Give it "
    "its own sign.",
)(product(both, lambda x, y: (y.data, x.data), "+"))


@wrong(
    mul,
    "the number of a sum",
    "Slopes and name are those of a product, but the number is still a sum, as in a line that this one may be copied "
    "from.",
)
def _(bg):
    def __mul__(self, other):
        other = bg.value.as_value(other)
        return bg.Value(self.data + other.data, (self, other), "*", (other.data, self.data))

    bg.Value.__mul__ = __mul__


@wrong(
    mul,
    "a plain number returned",
    "self.data times other.data is a plain number and remembers nothing. Put it into a Value, together with the "
    "inputs, the name and the slopes.",
)
def _(bg):
    bg.Value.__mul__ = lambda self, other: self.data * other.data


@wrong(
    mul,
    "a * changes a itself",
    "Afterwards a itself holds another number, and everything that still uses a computes with the wrong one. An "
    "operation makes a new Value and leaves its inputs as they are.",
)
def _(bg):
    def __mul__(self, other):
        self.data *= bg.value.as_value(other).data
        return self

    bg.Value.__mul__ = __mul__


wrong(
    mul,
    "the slope as the result divided by the side",
    "The result divided by one side gives the other side, until that side is 0. You have the other side's "
    "number at hand: no division is needed.",
)(product(both, lambda x, y: (x.data * y.data / x.data, x.data * y.data / y.data)))


# 2.2: by_hand.


PAPER = {
    "t1": 6,
    "t2": 10,
    "t3": 7,
    "L": 70,
    "L.grad": 1,
    "t2.grad": 7,
    "t3.grad": 10,
    "t1.grad": 7,
    "c.grad": 7,
    "d.grad": 10,
    "b.grad": 14,
    "a.grad": 31,
}


def found_by_hand(wrong_ones):
    """A patch: by_hand with some wrong numbers.  wrong_ones(a, b, c, d, t2, t3): {name: number}."""

    def patch(bg):
        right = bg.hunts.by_hand

        def by_hand(*leaves):
            found = right(*leaves)
            return found | wrong_ones(*leaves, found["t2"], found["t3"])

        bg.hunts.by_hand = by_hand

    return patch


wrong(
    by_hand,
    "the last share wins",
    "This is what comes along one of a's two paths, the one through t1. The share that comes through t3 "
    "is missing. Both count: nudge a, and L changes along both paths at once.",
    stuck="Right for a + b, wrong for a + a",
)(found_by_hand(lambda a, b, c, d, t2, t3: {"a.grad": b * t3}))

wrong(
    by_hand,
    "the first share is taken for the whole",
    "This is what comes along the shorter of a's two paths, through t3. a also went into t1: "
    "a second share is still on its way.",
    stuck="Right for a + b, wrong for a + a",
)(found_by_hand(lambda a, b, c, d, t2, t3: {"a.grad": t2}))

wrong(
    by_hand,
    "the shares of two paths multiplied",
    "Along one path slopes are multiplied. Contributions of different paths are added: each path "
    "changes L by its own amount.",
)(found_by_hand(lambda a, b, c, d, t2, t3: {"a.grad": b * t3 * t2}))


@wrong(
    by_hand,
    "L's gradient is L",
    "L.grad is not L: it says how much L changes for each unit that L itself changes. All other gradients are "
    "multiples of this one.",
)
def _(bg):
    right = bg.hunts.by_hand

    def by_hand(*leaves):
        found = right(*leaves)
        return {name: x * found["L"] if name.endswith("grad") else x for name, x in found.items()}

    bg.hunts.by_hand = by_hand


wrong(
    by_hand,
    "each side's slope is its own number",
    "In L = t2 * t3 each slope is the other side's number: if t2 grows by 1, L grows by t3. Swap the two, and go on "
    "from there.",
)(
    found_by_hand(
        lambda a, b, c, d, t2, t3: {
            **dict.fromkeys(("t2.grad", "t1.grad", "c.grad"), t2),
            **dict.fromkeys(("t3.grad", "d.grad"), t3),
            "b.grad": a * t2,
            "a.grad": b * t2 + t3,
        }
    )
)

wrong(
    by_hand,
    "local slopes alone",
    "These are local derivatives: each says how much the next result changes, and nothing about L yet. By what must "
    "each be multiplied, so that it is about L?",
)(
    found_by_hand(
        lambda a, b, c, d, t2, t3: {**dict.fromkeys(("t1.grad", "c.grad", "d.grad"), 1), "b.grad": a, "a.grad": b + 1}
    )
)

wrong(
    by_hand,
    "right on paper alone",
    "These are the numbers for 2, 3, 4, 5, whatever a, b, c and d are. Write each with the names of the numbers it is "
    "made from, as in t1 = a * b.",
)(found_by_hand(lambda *_: PAPER))


# 2.3: Value.__pow__.


def powers(slope, look=lambda bg, exponent: bg.value.as_number(exponent)):
    """A patch: Value.__pow__ with another slope, or another way to look at the exponent."""

    def patch(bg):
        def __pow__(self, exponent):
            exponent = look(bg, exponent)
            to_self = slope(self.data, exponent)
            return bg.Value(self.data**exponent, (self,), f"**{exponent}", (to_self,))

        bg.Value.__pow__ = __pow__

    return patch


def power_slope(x, n):
    return n * x ** (n - 1) if n else 0.0


wrong(
    power,
    "the exponent is not lowered",
    "The slope uses the exponent unchanged. Check it with the square: from 3 to 3.001, x² grows from 9 to 9.006, so "
    "the slope is 6, twice x. Which exponent does x have there?",
)(powers(lambda x, n: n * x**n))

wrong(
    power,
    "the exponent is lowered after the power",
    "Python takes the power first: x ** n - 1 is one less than x to the n. To lower the exponent itself, you need "
    "brackets.",
)(powers(lambda x, n: n * x**n - 1 if n else 0.0))

wrong(
    power,
    "the rule of the square for every exponent",
    "2x is the slope of x², and of no other power. In the row for x = 10 the slopes are 20, 300, 4000: what does "
    "the exponent decide there?",
)(powers(lambda x, n: 2 * x))

wrong(
    power,
    "slope 1 for exponent 0",
    "x⁰ is 1, but that is its number. Work it out at x = 2, 3 and 10. How steep is it?",
)(powers(lambda x, n: n * x ** (n - 1) if n else 1.0))

wrong(
    power,
    "the exponent does not come in front",
    "The exponent is lowered, but it must also multiply. Near x = 1 a square grows twice as fast as x, "
    "a cube three times as fast.",
)(powers(lambda x, n: x ** (n - 1) if n else 0.0))

wrong(
    power,
    "the slope as n times the result divided by x",
    "n times the result divided by x is the right slope, except at x = 0, where it divides 0 by 0. The square has a "
    "slope there like anywhere else: lower the exponent instead of dividing.",
)(powers(lambda x, n: n * x**n / x))

wrong(
    power,
    "x ** 0 at 0",
    "Here the rule asks for 0 to the power of -1, which does not exist. Which exponent leads there? Work out x to "
    "the power of that exponent at x = 2, 3 and 10. How steep is it?",
)(powers(lambda x, n: n * x ** (n - 1)))


wrong(
    power,
    "slope 0 at 0",
    "Your special case is for the wrong 0: it is the exponent 0 that makes the slope 0, whatever x is. At x = 0 the "
    "rule holds: x ** 1 has slope 1 there too.",
)(powers(lambda x, n: n * x ** (n - 1) if x and n else 0.0))


wrong(
    power,
    "an endless slope made harmless",
    "At x = 0 the square root rises vertically: it has no slope there, and here it got the slope 0 without a word. "
    "Which exponent needs a case of its own? Deal with that one alone, and let Python stop at the others.",
    stuck="The loss is nan or explodes",
)(powers(lambda x, n: n * x ** (n - 1) if x or n >= 1 else 0.0))


@wrong(
    power,
    "the exponent as a second input",
    "A power has one input, self, and one slope. The exponent is a plain number: it is not among the inputs. (Do you "
    "multiply factor by factor? Then this is the last of your products, and a product has two inputs. Python's ** on "
    "self.data makes the power in one step, for every exponent.)",
)
def _(bg):
    def __pow__(self, exponent):
        n = bg.value.as_number(exponent)
        return bg.Value(self.data**n, (self, bg.Value(n)), f"**{n}", (power_slope(self.data, n), 0.0))

    bg.Value.__pow__ = __pow__


@wrong(
    power,
    "a leaf for exponent 0",
    "x ** 0 is 1, whatever x is, but it is still made from x: here it is a number made by hand, and the graph ends "
    "there. Its input is self, and the slope is 0.",
)
def _(bg):
    right = bg.Value.__pow__

    def __pow__(self, exponent):
        return right(self, exponent) if bg.value.as_number(exponent) else bg.Value(1.0)

    bg.Value.__pow__ = __pow__


@wrong(
    power,
    "the product of so many factors",
    "The power is multiplied together, factor by factor. That works for exponents such as 2 and 3, but nobody can "
    "multiply -1 factors, or half a factor. Python's ** handles them all.",
)
def _(bg):
    def __pow__(self, exponent):
        exponent = bg.value.as_number(exponent)
        number = math.prod([self.data] * int(exponent))
        return bg.Value(number, (self,), f"**{exponent}", (power_slope(self.data, exponent),))

    bg.Value.__pow__ = __pow__


def anything(bg, exponent):
    return exponent


def assert_number(bg, exponent):
    assert isinstance(exponent, (int, float)), f"not a number: {exponent!r}"
    return exponent


def refused(words):
    """A look at an argument that refuses what is no number, with the same words for all."""

    def look(bg, argument):
        if not isinstance(argument, (int, float)):
            raise TypeError(words)
        return argument

    return look


def whole_number(bg, exponent):
    if not isinstance(exponent, int):
        raise TypeError(f"the exponent must be an int, not {exponent!r}")
    return exponent


wrong(
    power,
    "the exponent is not looked at",
    "The error does not say which exponent was typed: it is Python's own complaint. Begin with as_number(exponent): "
    "it refuses anything that is not a number, and names it.",
)(powers(power_slope, anything))

wrong(
    power,
    "a TypeError that does not say what was given",
    "The exponent is refused, but the message does not say what it was. Begin with as_number(exponent): it refuses "
    "anything that is not a number, and names it.",
)(powers(power_slope, refused("the exponent must be a number")))

wrong(
    power,
    "assert instead of TypeError",
    "assert raises AssertionError, and python -O skips all asserts. An argument of the wrong type calls for a "
    "TypeError: as_number(exponent) raises it and names the exponent.",
)(powers(power_slope, assert_number))

wrong(
    power,
    "whole exponents only",
    "Roots are powers too: x ** 0.5 is the square root, and the rule for its slope is the same. Refuse what is not "
    "a number, and accept numbers that are not whole. as_number knows the difference.",
)(powers(power_slope, whole_number))

wrong(
    power,
    "the exponent's data is taken",
    "An exponent that is a Value may change too, and its slope would be lost without a word: the graph has only one "
    "input here. So it is refused. Give as_number the exponent itself, not its .data.",
)(powers(power_slope, lambda bg, exponent: bg.value.as_number(getattr(exponent, "data", exponent))))


# 2.4: Value.__sub__, __truediv__.


def composed(method, made):
    """A patch: an operator made of others, in a wrong way; made gets self and other, both Values."""

    def patch(bg):
        setattr(bg.Value, method, lambda self, other: made(self, bg.value.as_value(other)))

    return patch


wrong(
    minus,
    "x - y computed as x + y",
    "This is the sum. What must be added to x to take y away?",
)(composed("__sub__", lambda x, y: x + y))

wrong(
    minus,
    "x - y computed as y - x",
    "The other one is negated: this is y minus x. self stands on the left of the minus.",
    stuck="The sign is wrong",
)(composed("__sub__", lambda x, y: y + -x))

wrong(
    minus,
    "x / y made of another division",
    "A / between two Values inside __truediv__ calls __truediv__ again, which meets the / again, without end. Which "
    "operator that you already have turns y into 1 / y?",
)(composed("__truediv__", lambda x, y: x * 1 / y))

wrong(
    minus,
    "x - y made of another subtraction",
    "A - between two Values inside __sub__ calls __sub__ again, which meets the - again, without end. The minus in "
    "front of a single number is another operator, __neg__, and you have that one.",
)(composed("__sub__", lambda x, y: x * 1 - y))

wrong(
    minus,
    "x / y computed as y / x",
    "This is y divided by x. self is divided by other, so which of the two gets the power of -1?",
)(composed("__truediv__", lambda x, y: y * x**-1))

wrong(
    minus,
    "both to the power of -1",
    "This is 1 divided by the product: both numbers got the power of -1. Python takes the power before the product, "
    "so without brackets only one of them gets it.",
)(composed("__truediv__", lambda x, y: (x * y) ** -1))

for _sign, _method, _number in (("-", "__sub__", operator.sub), ("/", "__truediv__", operator.truediv)):
    wrong(
        minus,
        f"x {_sign} y is a plain number",
        "The answer is a plain number and remembers nothing. Compute with self and other themselves, not with their "
        ".data: an operation between Values gives back a Value that remembers.",
    )(lambda bg, method=_method, number=_number: setattr(bg.Value, method, lambda x, y: number(x.data, y.data)))


def binary(method, op, number, slopes):
    """A patch: an operator with a rule of its own."""

    def patch(bg):
        def operate(self, other):
            other = bg.value.as_value(other)
            x, y = self.data, other.data
            return bg.Value(number(x, y), (self, other), op, slopes(x, y))

        setattr(bg.Value, method, operate)

    return patch


def new_leaves(method, number):
    """A patch: the results of an operator are leaves."""

    def patch(bg):
        setattr(bg.Value, method, lambda self, other: bg.Value(number(self.data, bg.value.as_value(other).data)))

    return patch


A_NEW_LEAF = (
    "The number is right, but the result does not remember what it was made from: Value(...) around numbers is a "
    "leaf. Compute with self and other themselves: .data leads out of the graph."
)
for _sign, _method, _number in (("-", "__sub__", operator.sub), ("/", "__truediv__", operator.truediv)):
    _words = (minus, f"x {_sign} y is a new leaf", A_NEW_LEAF, "All gradients are 0")
    wrong(*_words)(new_leaves(_method, _number))


def without_other(method, made):
    """A patch: an operator that remembers self, and has taken the number out of other."""

    def patch(bg):
        setattr(bg.Value, method, lambda self, other: made(self, bg.value.as_value(other).data))

    return patch


ITS_NUMBER_ALONE = (
    "No gradient can reach y: the result has y's number alone, and does not remember y. Compute with other itself."
)
wrong(minus, "x - y with y's number alone", ITS_NUMBER_ALONE, "All gradients are 0")(
    without_other("__sub__", lambda x, y: x + (-y))
)
wrong(minus, "x / y with y's number alone", ITS_NUMBER_ALONE, "All gradients are 0")(
    without_other("__truediv__", lambda x, y: x * (1 / y))
)

wrong(
    minus,
    "x - y has slope 1 to y",
    "What is taken away counts the other way round: one more in y is one less in x - y. What is the sign of ∂(x - "
    "y)/∂y, then?",
    stuck="The sign is wrong",
)(binary("__sub__", "-", lambda x, y: x - y, lambda x, y: (1.0, 1.0)))

wrong(
    minus,
    "the sign of the division's second slope",
    "If y is 2 and grows, x / y gets smaller. So what sign must ∂(x / y)/∂y have when x is positive?",
    stuck="The sign is wrong",
)(binary("__truediv__", "/", lambda x, y: x / y, lambda x, y: (1 / y, x / y**2)))

wrong(
    minus,
    "the square in the division's second slope",
    "∂(x / y)/∂y is not -x / y: there is one division by y too few. x / y is x times y to the power of -1. What is "
    "the exponent in the slope of y to the power of -1?",
)(binary("__truediv__", "/", lambda x, y: x / y, lambda x, y: (1 / y, -x / y)))

wrong(
    minus,
    "x / y with the slopes of a product",
    "The slope for y is x here, as in a product. But y is the divisor: the larger it is, the less happens when it "
    "grows. Write x / y as x times y to the power of -1, and both slopes come by themselves.",
)(binary("__truediv__", "/", lambda x, y: x / y, lambda x, y: (1 / y, x)))


@wrong(
    minus,
    "x - x is a leaf",
    "x - x is 0, whatever x is, but it is still made from x: the graph of the result must lead there. A case of its "
    "own is not needed.",
)
def _(bg):
    right = bg.Value.__sub__
    bg.Value.__sub__ = lambda self, other: bg.Value(0.0) if self is other else right(self, other)


@wrong(
    minus,
    "division by 0 made harmless",
    "3 / 0 does not exist, and here it becomes a huge number that nobody asked for. The real mistake is wherever the 0 "
    "came from: let Python raise its ZeroDivisionError.",
    stuck="The loss is nan or explodes",
)
def _(bg):
    right = bg.Value.__truediv__

    def __truediv__(self, other):
        other = bg.value.as_value(other)
        return right(self, other) if other.data else self * 1e12

    bg.Value.__truediv__ = __truediv__


# 2.5: Value.__rsub__, __rtruediv__.


@wrong(
    reflected,
    "a number minus self",
    "A plain number on the left of the minus and a Value on its right: that is what __rsub__ is for, so Python calls "
    "it again, without end. The line above yours has made a Value of the number: compute with that.",
)
def _(bg):
    bg.Value.__rsub__ = lambda self, other: bg.value.as_value(other).data - self


@wrong(
    reflected,
    "a number divided by self",
    "A plain number on the left of the / and a Value on its right: that is what __rtruediv__ is for, so Python calls "
    "it again, without end. The line above yours has made a Value of the number: compute with that.",
)
def _(bg):
    bg.Value.__rtruediv__ = lambda self, other: bg.value.as_value(other).data / self


@wrong(
    reflected,
    "5 - x computed as x - 5",
    "This is x minus the number. For 5 - x Python calls x.__rsub__(5), with x as self, although x stands "
    "on the right: whose number comes first?",
    stuck="Right with Values, wrong with plain numbers",
)
def _(bg):
    bg.Value.__rsub__ = bg.Value.__sub__


@wrong(
    reflected,
    "5 / x computed as x / 5",
    "This is x divided by the number. For 5 / x Python calls x.__rtruediv__(5), with x as self, although x stands "
    "on the right: which one is divided by which?",
    stuck="Right with Values, wrong with plain numbers",
)
def _(bg):
    bg.Value.__rtruediv__ = bg.Value.__truediv__


@wrong(
    reflected,
    "5 - x is a new leaf",
    "The number is right, but the result does not remember x. Compute with other and self, not with their numbers: "
    ".data leads out of the graph.",
    stuck="All gradients are 0",
)
def _(bg):
    def __rsub__(self, other):
        return bg.Value(bg.value.as_value(other).data - self.data)

    bg.Value.__rsub__ = __rsub__


_words = (reflected, "5 / x is a new leaf", A_NEW_LEAF, "All gradients are 0")
wrong(*_words)(new_leaves("__rtruediv__", lambda x, number: number / x))


@wrong(
    reflected,
    "5 - x as -x - 5",
    "Reversing x - 5 changes both signs: 5 - x is -x + 5. Here the 5 is subtracted as well.",
    stuck="The sign is wrong",
)
def _(bg):
    bg.Value.__rsub__ = lambda self, other: -self - other


# 2.6: Value.__rpow__.


def exponentials(number, slope):
    """A patch: Value.__rpow__ with another number or slope."""

    def patch(bg):
        def __rpow__(self, base):
            bg.value.as_number(base)
            to_self = slope(self.data, base)
            return bg.Value(number(self.data, base), (self,), f"{base}**", (to_self,))

        bg.Value.__rpow__ = __rpow__

    return patch


def to_the(x, base):
    return base**x


wrong(
    exponential,
    "no logarithm in the slope",
    "The result is its own slope only if the base is e, as in exp. At 2³ = 8 the slope is 5.5, not 8. Which number "
    "turns 8 into 5.5, and what has it to do with the base?",
)(exponentials(to_the, to_the))

wrong(
    exponential,
    "the logarithm of 2 for every base",
    "The factor is right for 2 ** x. 3 ** x climbs faster than 2 ** x, so where must the base come in?",
)(exponentials(to_the, lambda x, base: base**x * math.log(2)))

wrong(
    exponential,
    "the logarithm of 2 typed by hand",
    "0.693 belongs to the base 2, and has only three of its digits. Another base has another number: which function "
    "in math computes it from the base?",
)(exponentials(to_the, lambda x, base: 0.693 * base**x))

wrong(
    exponential,
    "the logarithm to the base 10",
    "math.log10 counts powers of ten: math.log10(2) is 0.301. The tables say 0.693 for the base 2, and 1.099 for 3: "
    "which logarithm is that?",
)(exponentials(to_the, lambda x, base: base**x * math.log10(base)))

wrong(
    exponential,
    "the logarithm to the base 2",
    "math.log2 counts powers of two: math.log2(2) is 1. The tables say 0.693 for the base 2, and 1.099 for 3: which "
    "logarithm is that?",
)(exponentials(to_the, lambda x, base: base**x * math.log2(base)))

wrong(
    exponential,
    "the logarithm alone",
    "The logarithm of the base is one factor of the slope. The other one grows with x. Look at a row of the table: "
    "which of its numbers is the slope a multiple of?",
)(exponentials(to_the, lambda x, base: math.log(base)))


wrong(
    exponential,
    "the logarithm times x",
    "The logarithm of the base is one factor of the slope, but x is not the other. In the table for the base 2, at "
    "x = 0, the slope is 0.693, not 0. In that row and in all others, which number is the slope a multiple of?",
)(exponentials(to_the, lambda x, base: math.log(base) * x))


@wrong(
    exponential,
    "the exponent's number alone",
    "No gradient can reach x: the result has x's number alone, and does not remember x. Name self as its input, with "
    "a slope.",
    stuck="All gradients are 0",
)
def _(bg):
    bg.Value.__rpow__ = lambda self, base: bg.value.as_value(base) ** self.data


@wrong(
    exponential,
    "the base is not looked at",
    "The error does not say which base was typed: it is Python's own complaint, or a message without the base in "
    "it. Begin with as_number(base): it refuses anything that is not a number, and names it.",
)
def _(bg):
    def __rpow__(self, base):
        power = base**self.data
        return bg.Value(power, (self,), f"{base}**", (power * math.log(base),))

    bg.Value.__rpow__ = __rpow__


wrong(
    exponential,
    "the logarithm of x instead of the base",
    "The logarithm is the base's, which stands still. Here it is the logarithm of x, which does not even exist for "
    "negative x.",
)(exponentials(to_the, lambda x, base: base**x * math.log(x)))

wrong(
    exponential,
    "the power rule for 2 ** x",
    "Bringing the exponent down and lowering it is the rule for x ** 2, where the base moves. In 2 ** x the "
    "exponent moves: one more in x doubles the result, so the slope grows with the result.",
)(exponentials(to_the, lambda x, base: x * base ** (x - 1)))

wrong(
    exponential,
    "2 ** x computed as x ** 2",
    "This is x ** 2 instead of 2 ** x. For 2 ** x Python calls x.__rpow__(2): which of the two, self or the "
    "argument, is the exponent?",
    stuck="Right with Values, wrong with plain numbers",
)(exponentials(lambda x, base: x**base, lambda x, base: base * x ** (base - 1)))


@wrong(
    exponential,
    "written like the other reflected operators",
    "With a Value as the exponent you are back in __pow__, which refuses it. This is the only reflected operator "
    "that needs a rule of its own: a result and its slope.",
)
def _(bg):
    bg.Value.__rpow__ = lambda self, base: bg.value.as_value(base) ** self


# 2.7: Value.exp, log.


def function(name, number, slope, op=""):
    """A patch: a function of one number. slope gets the number and the result."""

    def patch(bg):
        def operate(self):
            out = number(self.data)
            return bg.Value(out, (self,), op or name, (slope(self.data, out),))

        setattr(bg.Value, name, operate)

    return patch


@wrong(
    functions,
    "the slopes are left out",
    "The results remember their input, but not the local derivative: how much they change for each unit that it "
    "changes. Where does sin, just above, put it?",
)
def _(bg):
    for name, number in {"exp": math.exp, "log": math.log}.items():
        setattr(bg.Value, name, lambda self, n=name, f=number: bg.Value(f(self.data), (self,), n))


@wrong(
    functions,
    "name and inputs have changed places",
    "The name is where the inputs should be, so its letters were taken for inputs. The order is: the number, the "
    "inputs, the name, the slopes.",
)
def _(bg):
    for name, number in {"exp": math.exp, "log": math.log}.items():
        setattr(bg.Value, name, lambda self, n=name, f=number: bg.Value(f(self.data), n, (self,), (f(self.data),)))


wrong(
    functions,
    "the name of the line before",
    "All numbers are right, but the operation has another one's name, as in a line that this one may be copied from. "
    "Drawings show the name: each function has its own.",
)(function("log", math.log, lambda x, out: 1 / x, op="exp"))

wrong(
    functions,
    "e typed by hand",
    "2.718 is only the first four digits of e, and a float holds 16. math.exp knows them all.",
)(function("exp", lambda x: 2.718**x, lambda x, out: out))


@wrong(
    functions,
    "a power of e typed by hand",
    "2.718 is only the first four digits of e, and a float holds 16. math.exp knows them all, and then the slope "
    "needs no logarithm.",
)
def _(bg):
    bg.Value.exp = lambda self: 2.718**self


wrong(
    functions,
    "the power rule for exp",
    "In eˣ the exponent moves, so the rule for xⁿ does not apply. Look at the table again: which number appears "
    "twice in each row?",
)(function("exp", math.exp, lambda x, e: x * math.exp(x - 1)))

wrong(
    functions,
    "the exponent in front for exp",
    "In xⁿ, where x moves, the exponent comes down in front. In eˣ it is the exponent that moves. At x = 0 your "
    "rule gives 0: which slope does the table have there?",
)(function("exp", math.exp, lambda x, e: x * e))

wrong(
    functions,
    "the input as the slope of exp",
    "The input is not the slope: at x = 0 the table has slope 1. With which column of the table does the slope agree?",
)(function("exp", math.exp, lambda x, e: x))

wrong(
    functions,
    "the slope of the line of sin",
    "The slope is still the cosine, as in a line that this one may be copied from. That belongs to sin. Look at the "
    "table again: which number is the slope of eˣ?",
)(function("exp", math.exp, lambda x, e: math.cos(x)))

wrong(
    functions,
    "the slope of log is x",
    "A logarithm is steep near 0 and gets flatter: at 0.5 its slope is 2, at 10 it is 0.1. What have 0.5 and 2, and "
    "10 and 0.1, to do with each other?",
)(function("log", math.log, lambda x, out: x))

wrong(
    functions,
    "the slope of log from the result",
    "Here the slope is one over the result. At x = 0.5 the logarithm is -0.69, and the slope in the table is 2: one "
    "over what is that?",
)(function("log", math.log, lambda x, out: 1 / out))

wrong(
    functions,
    "another logarithm",
    "log is the natural logarithm, to the base e = 2.718…: log(e) is 1. math.log10 counts powers of ten instead.",
)(function("log", math.log10, lambda x, out: 1 / x))


def functions_of_the_value_itself(*names):
    """A patch: functions of math that are given the Value instead of its number."""

    def patch(bg):
        for name in names:
            setattr(bg.Value, name, lambda self: bg.Value(math.exp(self), (self,)))

    return patch


wrong(
    functions,
    "math's functions of a Value",
    "math.exp and math.log compute with plain numbers and know nothing of Values. The number in a Value is its .data.",
)(functions_of_the_value_itself("exp", "log"))


wrong(
    functions,
    "inf where exp is too large",
    "Here exp(1000) is inf, and inf spoils everything after it. A Value does what Python's own arithmetic does and "
    "says at once that the number is too large: let math.exp raise its OverflowError.",
    stuck="The loss is nan or explodes",
)(function("exp", lambda x: math.exp(x) if x < 709 else math.inf, lambda x, out: out))

wrong(
    functions,
    "log(0) made harmless",
    "log(0) does not exist, and here it becomes a large negative number that nobody asked for. The real mistake is "
    "wherever the 0 came from: let math.log raise its ValueError.",
    stuck="The loss is nan or explodes",
)(function("log", lambda x: math.log(max(x, 1e-8)), lambda x, out: 1 / max(x, 1e-8)))


wrong(
    functions,
    "log of the size alone",
    "A negative number has no logarithm, and here its sign is dropped without a word. The real mistake is wherever the "
    "negative number came from: let math.log raise its ValueError.",
    stuck="The loss is nan or explodes",
)(function("log", lambda x: math.log(abs(x)), lambda x, out: 1 / x))

wrong(
    functions,
    "the slope of log by nudging",
    "This slope is only nearly right, as nudged slopes are. You have a rule: read it from the table.",
)(function("log", math.log, lambda x, out: (math.log(x + x / 1e6) - math.log(x - x / 1e6)) / (2e-6 * x)))

wrong(
    functions,
    "exp cut off far below 0",
    "Far below 0 this exp stands still. e⁻⁶⁰ is tiny, but it is a number like any other, and math.exp finds it.",
)(function("exp", lambda x: math.exp(max(x, -50)), lambda x, out: out))


# 2.8: Value.tanh, sigmoid.


def logistic(x):
    return 0.5 * (1 + math.tanh(x / 2))


wrong(
    bends,
    "the slope of tanh from the input",
    "1 minus the square of the input is not the slope: at x = -3 it would be -8, and tanh never falls. What was on "
    "the horizontal axis of the plot with the arch?",
)(function("tanh", math.tanh, lambda x, t: 1 - x * x))

wrong(
    bends,
    "another arch for tanh",
    "This arch is right where t is -1, 0 and 1, and wrong in between. Take a row of the table: where tanh(x) is "
    "0.762, its slope is 0.420. Which expression of t turns 0.762 into 0.420?",
)(function("tanh", math.tanh, lambda x, t: math.cos(math.pi * t / 2)))

wrong(
    bends,
    "a tent for sigmoid",
    "A tent of two straight lines is right where s is 0, 0.5 and 1, and wrong in between: the dots bend. Take a row "
    "of the table: where sigmoid(x) is 0.731, its slope is 0.197. Which expression of s turns 0.731 into 0.197?",
)(function("sigmoid", logistic, lambda x, s: 0.5 * min(s, 1 - s)))

wrong(
    bends,
    "another arch for sigmoid",
    "This arch is right where s is 0, 0.5 and 1, and wrong in between. Take a row of the table: where sigmoid(x) is "
    "0.731, its slope is 0.197. Which expression of s turns 0.731 into 0.197?",
)(function("sigmoid", logistic, lambda x, s: math.sin(math.pi * s) / 4))

wrong(
    bends,
    "plus in the slope of tanh",
    "Far out tanh is flat: its result is nearly 1, and its slope nearly 0. With a plus the slope would be nearly 2.",
    stuck="The sign is wrong",
)(function("tanh", math.tanh, lambda x, t: 1 + t * t))

wrong(
    bends,
    "tanh without its square",
    "1 minus the result is 0 far out on the right, but 2 far out on the left, where tanh is just as flat. Which "
    "expression of t is 0 at both ends?",
)(function("tanh", math.tanh, lambda x, t: 1 - t))

wrong(
    bends,
    "a half circle for tanh",
    "The square root of 1 - t² is a half circle, which rises vertically from -1 and 1. The dots rise from there at "
    "an angle: at t = 0.76 the slope is 0.42, and a half circle is 0.65 high. Leave the root out.",
)(function("tanh", math.tanh, lambda x, t: math.sqrt(1 - t * t)))

wrong(
    bends,
    "a tent for tanh",
    "1 - |t| goes up and down in straight lines, like a tent. The dots make an arch: at t = 0.46 the slope is 0.79, "
    "and the tent is only 0.54 high. Which power of t makes a rounded top?",
)(function("tanh", math.tanh, lambda x, t: 1 - abs(t)))

wrong(
    bends,
    "sigmoid's arch in the wrong place",
    "This arch has its top where the result is 0. The dots of sigmoid begin at 0, end at 1, and have their top in "
    "the middle. Which factor is 0 at one end, and which at the other?",
)(function("sigmoid", logistic, lambda x, s: 0.25 - s * s))

wrong(
    bends,
    "one factor of sigmoid's slope",
    "1 - s is 0 far out on the right, where s is 1. Far out on the left sigmoid is just as flat, and 1 - s is 1 "
    "there. A factor is missing that is 0 where the result is 0.",
)(function("sigmoid", logistic, lambda x, s: 1 - s))

wrong(
    bends,
    "tanh asks exp for too much",
    "math.exp and math.cosh give up at about 710. Which function in math is safe everywhere? And its result is all "
    "that the slope needs.",
    stuck="The loss is nan or explodes",
)(function("tanh", lambda x: (math.exp(2 * x) - 1) / (math.exp(2 * x) + 1), lambda x, t: 1 - t * t))

wrong(
    bends,
    "math's functions of a Value",
    "math.tanh and math.exp compute with plain numbers and know nothing of Values. The number in a Value is its .data.",
)(functions_of_the_value_itself("tanh", "sigmoid"))

wrong(
    bends,
    "the slope of sigmoid is sigmoid",
    "Far out on the right sigmoid is nearly 1 and flat, so its slope cannot be the result alone. "
    "A factor is missing that is 0 where the result is 1.",
)(function("sigmoid", logistic, lambda x, s: s))

wrong(
    bends,
    "the slope of sigmoid from the input",
    "x · (1 - x) is made from the input. At x = -3 it would be -12, and sigmoid never falls. What was on the "
    "horizontal axis of the plot with the arch?",
)(function("sigmoid", logistic, lambda x, s: x * (1 - x)))

wrong(
    bends,
    "no brackets in the slope of sigmoid",
    "Python multiplies before it subtracts: s * 1 - s is s - s, which is 0. Put brackets around 1 - s.",
    stuck="All gradients are 0",
)(function("sigmoid", logistic, lambda x, s: s * 1 - s))

wrong(
    bends,
    "tanh's slope for sigmoid",
    "1 minus the square of the result is the slope of tanh, which climbs from -1 to 1. sigmoid climbs from 0 to 1: "
    "which expression of s is 0 at both of these?",
)(function("sigmoid", logistic, lambda x, s: 1 - s * s))

wrong(
    bends,
    "sigmoid's slope for tanh",
    "result * (1 - result) is the slope of sigmoid, which climbs from 0 to 1. tanh climbs from -1 to 1: which "
    "expression of t is 0 at both of these?",
)(function("tanh", math.tanh, lambda x, t: t * (1 - t)))

wrong(
    bends,
    "sigmoid mirrored",
    "This falls where sigmoid climbs: sigmoid is nearly 0 far out on the left and nearly 1 far out on the "
    "right. Check the sign in the exponent: 1 / (1 + e⁻ˣ).",
    stuck="The sign is wrong",
)(function("sigmoid", lambda x: 1 - logistic(x), lambda x, s: s * (1 - s)))

wrong(
    bends,
    "sigmoid asks exp for too much",
    "math.exp gives up at about 710, and e¹⁰⁰⁰ was asked for. Is it the number? Then for which x is each form of the "
    "fraction safe? Is it the slope? Then the result is all that it needs.",
    stuck="The loss is nan or explodes",
)(function("sigmoid", lambda x: 1 / (1 + math.exp(-x)), lambda x, s: s * (1 - s)))


@wrong(
    bends,
    "a leaf far out",
    "Far out the result hardly changes, but it is still made from x: here it is a number made by hand, and the graph "
    "ends there. No case of its own is needed for large numbers.",
)
def _(bg):
    for name in ("tanh", "sigmoid"):
        right = getattr(bg.Value, name)

        def operate(self, right=right):
            return right(self) if abs(self.data) < 100 else bg.Value(right(self).data)

        setattr(bg.Value, name, operate)


wrong(
    bends,
    "tanh flat too early",
    "Here tanh is exactly 1 or -1 as soon as x is large. It comes near, but is not there: at 10.5 about 0.0000000015 "
    "is missing. math.tanh knows all its digits.",
)(function("tanh", lambda x: math.tanh(x) if abs(x) < 10 else math.copysign(1.0, x), lambda x, t: 1 - t * t))


# 2.9: Value.relu.


@wrong(
    kink,
    "a leaf left of 0",
    "Left of 0 the result is 0, whatever x is, but it is still made from x: here it is a number made by hand, and the "
    "graph ends there. Its input is self, and the slope is 0.",
)
def _(bg):
    right = bg.Value.relu
    bg.Value.relu = lambda self: right(self) if self.data > 0 else bg.Value(0.0)


wrong(
    kink,
    "slope 0 just right of 0",
    "A small positive number is positive: right of 0 the slope is 1, however near to 0 it is. Compare with 0 itself.",
)(function("relu", lambda x: max(x, 0.0), lambda x, out: 1.0 if x > 1e-3 else 0.0))


wrong(
    kink,
    "slope 1 at 0",
    "At 0 itself the slope is 0 by convention, and yours is 1. Is 0 greater than 0? Mind the difference between > "
    "and >=.",
    stuck="Slope at a kink",
)(function("relu", lambda x: max(x, 0.0), lambda x, out: 1.0 if x >= 0 else 0.0))

wrong(
    kink,
    "slope one half at 0",
    "One half is the mean of the two sides, and what nudging to both sides finds. The course takes the left side's "
    "slope, as PyTorch does. What is it?",
    stuck="Slope at a kink",
)(function("relu", lambda x: max(x, 0.0), lambda x, out: 0.5 if x == 0 else float(x > 0)))

wrong(
    kink,
    "slope 1 everywhere",
    "The number is cut off at 0, but the slope is not. Left of 0 the result stays 0 however x moves: what is the "
    "slope of something flat?",
    stuck="Slope at a kink",
)(function("relu", lambda x: max(x, 0.0), lambda x, out: 1.0))

wrong(
    kink,
    "the absolute value",
    "Left of 0 this flips the sign: that is the absolute value, with slope -1 there. relu is 0 everywhere left of "
    "0, and flat.",
)(function("relu", abs, lambda x, out: 1.0 if x > 0 else -1.0))

wrong(
    kink,
    "the result as the slope",
    "Here the slope is the result. Where relu lets x through, one more in x is one more in the result, whether x is "
    "0.1 or 100. What slope is that?",
)(function("relu", lambda x: max(x, 0.0), lambda x, out: out))


@wrong(
    kink,
    "a Value compared with 0",
    "A Value has no > and <. What in it does?",
)
def _(bg):
    bg.Value.relu = lambda self: bg.Value(self.data if self > 0 else 0.0, (self,))


@wrong(
    kink,
    "x itself returned",
    "Where x is positive, the result is x itself, and no operation is remembered. A label or a gradient given to "
    "the result would be given to x. Make a new Value from self.data, with self as its input.",
)
def _(bg):
    bg.Value.relu = lambda self: self if self.data > 0 else bg.Value(0.0)


@wrong(
    kink,
    "relu changes x itself",
    "Afterwards x itself holds another number, and everything that still uses x computes with the wrong one. An "
    "operation makes a new Value and leaves its input as it is.",
)
def _(bg):
    def relu(self):
        slope = float(self.data > 0)
        self.data = max(self.data, 0.0)
        return bg.Value(self.data, (self,), "relu", (slope,))

    bg.Value.relu = relu
