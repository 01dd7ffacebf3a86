"""Right solutions of notebook 01 in other styles."""

import numpy as np


def variant_1_1_mean_of_two_sides(bg):
    """The mean of the slope to the right and the slope to the left."""

    def numerical_derivative(f, x, h=1e-6):
        here = f(x)
        return ((f(x + h) - here) / h + (here - f(x - h)) / h) / 2

    bg.derivatives.numerical_derivative = numerical_derivative


def variant_1_1_distance_measured(bg):
    """The distance between the two places as it came out after rounding."""

    def numerical_derivative(f, x, h=1e-6):
        right, left = x + h, x - h
        return (f(right) - f(left)) / (right - left)

    bg.derivatives.numerical_derivative = numerical_derivative


def variant_1_2_copies(bg):
    """f sees copies, and x is never touched."""

    def numerical_gradient(f, x, h=1e-6):
        slopes = np.zeros_like(x)
        for index in np.ndindex(*x.shape):
            above, below = x.copy(), x.copy()
            above[index] += h
            below[index] -= h
            slopes[index] = (f(above) - f(below)) / (2 * h)
        return slopes

    bg.derivatives.numerical_gradient = numerical_gradient


def variant_1_2_nditer(bg):
    """np.nditer walks over the places; the array is put back as a whole."""

    def numerical_gradient(f, x, h=1e-6):
        slopes, original = np.zeros(x.shape), x.copy()
        places = np.nditer(x, flags=["multi_index"])
        try:
            for _ in places:
                index = places.multi_index
                x[index] = original[index] + h
                above = f(x)
                x[index] = original[index] - h
                slopes[index] = (above - f(x)) / (2 * h)
                x[index] = original[index]
        finally:
            x[...] = original
        return slopes

    bg.derivatives.numerical_gradient = numerical_gradient


def variant_1_2_list_of_derivatives(bg):
    """numerical_derivative for each element, in a list comprehension, then put into shape."""

    def numerical_gradient(f, x, h=1e-6):
        def moved(i, value):
            copy = x.flatten()
            copy[i] = value
            return f(copy.reshape(x.shape))

        slopes = [
            bg.numerical_derivative(lambda value, i=i: moved(i, value), element, h)
            for i, element in enumerate(x.ravel())
        ]
        return np.array(slopes).reshape(x.shape)

    bg.derivatives.numerical_gradient = numerical_gradient


def variant_1_2_except_and_raise_again(bg):
    """Puts the element back in an except block that raises again, and once more at the end."""

    def numerical_gradient(f, x, h=1e-6):
        slopes = np.empty(x.shape)
        flat = x.reshape(-1)
        for i in range(flat.size):
            original = flat[i]
            try:
                flat[i] = original - h
                below = f(x)
                flat[i] = original + h
                above = f(x)
            except Exception:
                flat[i] = original
                raise
            flat[i] = original
            slopes.reshape(-1)[i] = (above - below) / (2 * h)
        return slopes

    bg.derivatives.numerical_gradient = numerical_gradient


def variant_1_3_from_the_end(bg):
    """Starts with a slope of 1 for each element of d, and returns a list."""

    def two_step_gradients(a, b, w):
        to_d = np.ones_like(w)
        to_c = to_d * w
        return [to_c * b, to_c * a, to_d * (a * b)]

    bg.derivatives.two_step_gradients = two_step_gradients


def variant_1_3_stacked(bg):
    """All answers in one array."""
    bg.derivatives.two_step_gradients = lambda a, b, w: np.stack([w * b, w * a, a * b])


def variant_1_4_made_of_each_other(bg):
    """The product with its parts in another order; whole powers by their factors, others by exp and log."""
    Dual = bg.Dual

    def __mul__(self, other):
        other = other if isinstance(other, Dual) else Dual(other)
        return Dual(other.value * self.value, other.slope * self.value + other.value * self.slope)

    def __pow__(self, exponent):
        if exponent != int(exponent):
            return (self.log() * exponent).exp()
        inverse = Dual(1 / self.value, -self.slope / self.value / self.value) if exponent < 0 else self
        result = Dual(1.0)
        for _ in range(abs(exponent)):
            result = result * inverse
        return result

    Dual.__mul__, Dual.__pow__ = __mul__, __pow__


def variant_1_4_a_shifted_sine(bg):
    """sin's slope by a sine that is a quarter ahead, numbers from NumPy; a product by squares."""
    Dual = bg.Dual
    Dual.sin = lambda self: Dual(np.sin(self.value), self.slope * np.sin(self.value + np.pi / 2))

    def __mul__(self, other):
        other = other if isinstance(other, Dual) else Dual(other)
        return (self + other) ** 2 * 0.5 - self**2 * 0.5 - other**2 * 0.5 if other.slope else half(self, other.value)

    def half(self, factor):
        return Dual(self.value * factor, self.slope * factor)

    Dual.__mul__ = __mul__


def variant_1_5_one_operation(bg):
    """A power so low that the curve is almost flat: its changes are small against its value."""
    bg.hunts.three_nudgers = lambda x: x**1e-7


def variant_1_5_a_factor_more(bg):
    """A product, and the number on the left."""
    bg.hunts.three_nudgers = lambda x: 10_000_000_000 - x * x * x


def variant_1_5_a_function(bg):
    """exp instead of a power."""
    bg.hunts.three_nudgers = lambda x: x.exp() + 1e10
