"""Notebooks 05 and 06: arithmetic. The forward of each operation is a line, and so is its rule.

Yours: 5.4, 6.1, 6.2, 6.3, 6.4, 6.9.

A rule gets out_grad, the gradient of the result, and returns the share of each input. For an elementwise
operation that is out_grad times the local derivative, number by number. What broadcasting needs beyond that,
the class Elementwise (pointwise.py) does for all of them.
"""

from ..value import as_number
from .pointwise import Elementwise, equal, positive


class Add(Elementwise):
    """a + b.  One more on either side is one more in the sum: both local derivatives are 1."""

    def forward(self, a, b):
        return a + b

    def backward(self, out_grad, node):
        return out_grad, out_grad


class Negate(Elementwise):
    """-a"""

    def forward(self, a):
        return -a

    def backward(self, out_grad, node):
        return -out_grad


class Sub(Elementwise):
    """a - b"""

    def forward(self, a, b):
        return a - b

    def backward(self, out_grad, node):
        """The shares of a and b, a pair."""
        # exercise 6.1
        raise NotImplementedError("exercise 6.1: Sub.backward")
        # end of exercise 6.1


class Mul(Elementwise):
    """a * b, number by number."""

    def forward(self, a, b):
        return a * b

    def backward(self, out_grad, node):
        """The shares of a and b, a pair."""
        a, b = node._inputs
        # exercise 6.2
        raise NotImplementedError("exercise 6.2: Mul.backward")
        # end of exercise 6.2


class Div(Elementwise):
    """a / b, number by number.  Where b is 0 the result is inf or nan, with NumPy's warning."""

    def forward(self, a, b):
        return a / b

    def backward(self, out_grad, node):
        """The shares of a and b, a pair."""
        a, b = node._inputs
        # exercise 6.3
        raise NotImplementedError("exercise 6.3: Div.backward")
        # end of exercise 6.3


class Pow(Elementwise):
    """a ** b, number by number; both may change.  nan for a negative a with a fractional b, with NumPy's warning."""

    def forward(self, a, b):
        return a**b

    def backward(self, out_grad, node):
        """The shares of a and b, a pair. An input that requires no grad gets None, and nothing is computed for it.

        Where a and b are both 0, a's derivative counts as 0. Where a is 0 and b is not negative, b's counts as 0.
        """
        a, b = node._inputs
        # exercise 6.9
        raise NotImplementedError("exercise 6.9: Pow.backward")
        # end of exercise 6.9


class WithScalar(Elementwise):
    """An operation that holds a plain number: no gradient goes to that number.

    scalar: the number; forward finds it as self.scalar.
    """

    def __init__(self, scalar):
        self.scalar = as_number(scalar)


class AddScalar(WithScalar):
    """a + scalar"""

    def forward(self, a):
        return a + self.scalar

    def backward(self, out_grad, node):
        return out_grad


class MulScalar(WithScalar):
    """a * scalar"""

    def forward(self, a):
        return a * self.scalar

    def backward(self, out_grad, node):
        return out_grad * self.scalar


class DivScalar(WithScalar):
    """a / scalar"""

    def forward(self, a):
        return a / self.scalar

    def backward(self, out_grad, node):
        """The share of a."""
        # exercise 6.1
        raise NotImplementedError("exercise 6.1: DivScalar.backward")
        # end of exercise 6.1


class PowerScalar(WithScalar):
    """a ** scalar"""

    def forward(self, a):
        return a**self.scalar

    def backward(self, out_grad, node):
        """The share of a, for every scalar. Where a is 0 it is a number too, if there is a derivative."""
        (a,) = node._inputs
        # exercise 6.4
        raise NotImplementedError("exercise 6.4: PowerScalar.backward")
        # end of exercise 6.4

    def parts(self, a):
        return a * a if self.scalar == 2 else None


class Lerp(Elementwise):
    """Part of the way from a to b, number by number.

    weight: how much of the way, a plain number: 0 is at a, 1 at b. It may be less than 0 or more than 1.
    Source: torch.lerp. The name is short for linear interpolation.
    """

    def __init__(self, weight):
        """What a Lerp knows from now on, for every call."""
        # exercise 5.4
        raise NotImplementedError("exercise 5.4: Lerp.__init__")
        # end of exercise 5.4

    def forward(self, a, b):
        """The numbers at that point of the way. a, b: arrays, which stay as they are."""
        # exercise 5.4
        raise NotImplementedError("exercise 5.4: Lerp.forward")
        # end of exercise 5.4

    def backward(self, out_grad, node):
        return self(out_grad, 0.0), self(0.0, out_grad)  # each side as if the other stood still at 0


def add(a, b):
    """a + b, number by number. Shapes broadcast as in NumPy, here and in sub, mul, div and pow."""
    return Add()(a, b)


def sub(a, b):
    """a - b, number by number."""
    return Sub()(a, b)


def mul(a, b):
    """a * b, number by number."""
    return Mul()(a, b)


def div(a, b):
    """a / b, number by number; inf or nan where b is 0, with NumPy's warning."""
    return Div()(a, b)


def pow(a, b):
    """a ** b, number by number; nan for a negative number with a fractional exponent, with NumPy's warning."""
    return Pow()(a, b)


def negate(a):
    """-a"""
    return Negate()(a)


def add_scalar(a, scalar):
    """a + scalar, for a plain number."""
    return AddScalar(scalar)(a)


def mul_scalar(a, scalar):
    """a * scalar, for a plain number."""
    return MulScalar(scalar)(a)


def div_scalar(a, scalar):
    """a / scalar, for a plain number."""
    return DivScalar(scalar)(a)


def power_scalar(a, scalar):
    """a ** scalar, for a plain number."""
    return PowerScalar(scalar)(a)


def lerp(a, b, weight):
    """Part of the way from a to b, for Tensors, lists, arrays or numbers a and b, and a plain number weight.

    Returns a Tensor, made from a and b by one operation: lerp([10.0, 20.0], [14.0, 0.0], 0.25) holds [11.0, 15.0].
    """
    # exercise 5.4
    raise NotImplementedError("exercise 5.4: lerp")
    # end of exercise 5.4
