"""For compile() (15): a plain number of a traced step that may change from run to run.

Given.
"""

import math
import operator
import sys

from .refusals import Now, asked_by_step
from .sources import told
from .tensor import Tensor


class Number:
    """A plain number of a traced step, in place of one that an optimizer keeps, or that is read from outside.

    text: Python that computes it.  value: what it is while the step is traced; None for one that nobody may know.
    What is made of it is a Number too. Where a plain number is needed, or a comparison, the program is right only as
    long as it comes out as it does now: that is one of its checks.
    """

    __array_ufunc__ = None  # so that NumPy leaves np.ones(2) * x to x
    __hash__ = None

    def __init__(self, text, value=None):
        self.text, self.value = text, value

    @property
    def __class__(self):
        """What isinstance() tells a step: what its value is."""
        return Number if self.value is None or not asked_by_step(sys._getframe(1)) else type(self.value)

    def known(self):
        if self.value is None:
            raise TypeError("it is not known yet")
        return self.value

    def plain(self):
        """Its value, from now on part of the program."""
        Now.watch.checks[f"{self.text} == {told(self.known())}"] = None
        return self.value

    def __bool__(self):
        return bool(self != 0)


def arithmetic(symbol, function, reflected):
    """The method for an operator.  reflected: with the Number on the right."""
    turn = -1 if reflected else 1

    def method(self, other):
        if isinstance(other, Tensor):
            return NotImplemented
        if not isinstance(other, Number | int | float):
            return function(*(self.plain(), other)[::turn])
        other = other if isinstance(other, Number) else Number(told(other), other)
        sides = (self, other)[::turn]
        text = f"({sides[0].text} {symbol} {sides[1].text})"
        return Number(text, None if None in (self.value, other.value) else function(*[x.value for x in sides]))

    return method


def comparison(symbol, function):
    def method(self, other):
        other = other.plain() if isinstance(other, Number) else other
        found = function(self.known(), other)
        if isinstance(other, int | float):
            Now.watch.checks[f"({self.text} {symbol} {told(other)}) is {bool(found)}"] = None
        else:
            self.plain()
        return found

    return method


for name, symbol in dict(add="+", sub="-", mul="*", truediv="/", pow="**", floordiv="//", mod="%").items():
    setattr(Number, f"__{name}__", arithmetic(symbol, getattr(operator, name), False))
    setattr(Number, f"__r{name}__", arithmetic(symbol, getattr(operator, name), True))
for name, symbol in dict(lt="<", le="<=", gt=">", ge=">=", eq="==", ne="!=").items():
    setattr(Number, f"__{name}__", comparison(symbol, getattr(operator, name)))
for function in (float, int, round, abs, operator.index, operator.neg, math.trunc, math.floor, math.ceil):
    method = lambda self, *more, function=function: function(self.plain(), *more)
    setattr(Number, f"__{function.__name__}__", method)
