"""Right solutions of notebook 06 in other styles."""

import numpy as np


def rule(cls):
    """The decorated function, of (self, out_grad, node, *inputs), becomes the rule of the class."""

    def put(function):
        cls.backward = lambda self, out_grad, node: function(self, out_grad, node, *node._inputs)

    return put


def variant_6_1_products(bg):
    """Every slope as a number that multiplies, and a tuple of one."""
    rule(bg.ops.Sub)(lambda self, g, node, a, b: (g * 1.0, g * -1.0))
    rule(bg.ops.DivScalar)(lambda self, g, node, a: (g * (1 / self.scalar),))


def variant_6_1_functions(bg):
    """With the plain functions of ops instead of the signs."""
    rule(bg.ops.Sub)(lambda self, g, node, a, b: (g, bg.ops.sub(0.0, g)))
    rule(bg.ops.DivScalar)(lambda self, g, node, a: bg.ops.div_scalar(g, self.scalar))


def variant_6_2_other_order(bg):
    """The other side first, by the function mul."""
    rule(bg.ops.Mul)(lambda self, g, node, a, b: (bg.ops.mul(b, g), bg.ops.mul(a, g)))


def variant_6_2_only_what_is_wanted(bg):
    """No share for an input that requires no grad."""

    @rule(bg.ops.Mul)
    def _(self, g, node, a, b):
        return g * b if a.requires_grad else None, g * a if b.requires_grad else None


def variant_6_3_spelt_out(bg):
    """Everything from a and b."""
    rule(bg.ops.Div)(lambda self, g, node, a, b: (g * (1 / b), g * (-a / b**2)))


def variant_6_3_as_a_product(bg):
    """a / b is a times b ** -1."""

    @rule(bg.ops.Div)
    def _(self, g, node, a, b):
        return g * b**-1, g * a * -1 * b**-2


def variant_6_4_other_brackets(bg):
    """The exponent multiplied last; the case of 0 by a mask of zeros."""

    @rule(bg.ops.PowerScalar)
    def _(self, g, node, a):
        n = self.scalar
        return g * np.zeros_like(a.data) if n == 0 else g * a ** (n - 1) * n


def variant_6_4_by_functions(bg):
    """Functions of ops."""

    @rule(bg.ops.PowerScalar)
    def _(self, g, node, a):
        if self.scalar == 0.0:
            return bg.ops.mul_scalar(g, 0)
        lowered = bg.ops.power_scalar(a, self.scalar - 1)
        return bg.ops.mul(g, bg.ops.mul_scalar(lowered, self.scalar))


def variant_6_5_loops(bg):
    """Two plain loops, one comparison for each number, and a gradient of its own from above."""
    room = bg.gradient_check

    def compare_with_nudging(fn, inputs, gradients_of, eps, rtol, atol, seed):
        inputs = [inputs] if isinstance(inputs, bg.Tensor) else list(inputs)
        out = fn(*inputs)
        numbers = np.random.default_rng(seed + 5).uniform(0.5, 2.0, size=out.shape)
        out_grad = bg.Tensor(numbers, requires_grad=False)
        shares = gradients_of(out, inputs, out_grad)
        for k in range(len(inputs)):
            x, share = inputs[k], shares[k]
            if x.requires_grad:
                if share is None:
                    raise room.GradcheckError(f"no gradient for input {k}")
                if share.shape != x.shape:
                    raise room.GradcheckError(f"input {k}: gradient {share.shape}, input {x.shape}")
                slopes = room.slopes_by_nudging(fn, inputs, k, out_grad, eps)
                for place in np.ndindex(x.shape):
                    one, other = share.data[place], slopes[place]
                    if not np.isclose(one, other, rtol, atol, equal_nan=True):
                        raise room.GradcheckError(f"input {k}, index {list(place)}: backward {one}, nudged {other}")
        return True

    room.compare_with_nudging = compare_with_nudging


def variant_6_5_allclose(bg):
    """Asks np.allclose first and looks for the place only when it has to."""
    room = bg.gradient_check

    def compare_with_nudging(fn, inputs, gradients_of, eps, rtol, atol, seed):
        inputs = (inputs,) if isinstance(inputs, bg.Tensor) else tuple(inputs)
        out = fn(*inputs)
        above = room.random_gradient(out, seed)
        given = gradients_of(out, inputs, above)
        for i, x in enumerate(inputs):
            if not x.requires_grad:
                continue
            shape = None if given[i] is None else given[i].shape
            if shape != x.shape:
                raise room.GradcheckError(f"wrong shape {shape} for input {i} of shape {x.shape}")
            nudged = room.slopes_by_nudging(fn, inputs, i, above, eps)
            if not np.allclose(given[i].data, nudged, rtol, atol, equal_nan=True):
                with np.errstate(invalid="ignore"):
                    distance = np.nan_to_num(np.abs(given[i].data - nudged), nan=np.inf)
                worst = np.unravel_index(np.argmax(distance), x.shape)
                raise room.GradcheckError(
                    f"input {i}, index {worst}: got {given[i].data[worst]:.3f}, nudging says {nudged[worst]:.3f}"
                )
        return True

    room.compare_with_nudging = compare_with_nudging


def put_comparison(bg, is_close):
    """compare_with_nudging with another comparison of arrays.  is_close(given, nudged, rtol, atol)"""
    room = bg.gradient_check

    def compare_with_nudging(fn, inputs, gradients_of, eps, rtol, atol, seed):
        inputs = [inputs] if isinstance(inputs, bg.Tensor) else list(inputs)
        out = fn(*inputs)
        out_grad = room.random_gradient(out, seed)
        for place, (x, share) in enumerate(zip(inputs, gradients_of(out, inputs, out_grad))):
            if not x.requires_grad:
                continue
            if share is None or share.shape != x.shape:
                raise room.GradcheckError(f"input {place} of shape {x.shape}: gradient {getattr(share, 'shape', None)}")
            nudged = room.slopes_by_nudging(fn, inputs, place, out_grad, eps)
            for index in np.ndindex(x.shape):
                if not is_close(share.data[index], nudged[index], rtol, atol):
                    numbers = f"{share.data[index]} by backward, {nudged[index]} by nudging"
                    raise room.GradcheckError(f"input {place} at index {index}: {numbers}")
        return True

    room.compare_with_nudging = compare_with_nudging


def variant_6_5_nan_is_never_close(bg):
    """np.isclose without equal_nan: whether nan beside nan passes is up to whoever writes it."""
    put_comparison(bg, lambda p, q, rtol, atol: np.isclose(p, q, rtol=rtol, atol=atol))


def variant_6_5_not_within(bg):
    """A comparison by hand, asked so that nan does not pass."""
    put_comparison(bg, lambda p, q, rtol, atol: abs(p - q) <= atol + rtol * abs(q))


def variant_6_5_nan_beside_nan(bg):
    """The same, and nan passes beside nan."""
    put_comparison(bg, lambda p, q, rtol, atol: abs(p - q) <= atol + rtol * abs(q) or (np.isnan(p) and np.isnan(q)))


def variant_6_6_from_the_input(bg):
    """Rules made from the input where the reference uses the result."""
    ops = bg.ops
    rule(ops.Exp)(lambda self, g, node, a: ops.exp(a) * g)
    rule(ops.Log)(lambda self, g, node, a: g * a**-1)
    rule(ops.Sqrt)(lambda self, g, node, a: g * (0.5 * a**-0.5))


def variant_6_7_masks(bg):
    """np.where in both directions."""
    ops = bg.ops
    ops.ReLU.forward = lambda self, a: np.where(a > 0, a, np.zeros_like(a))

    @rule(ops.ReLU)
    def _(self, g, node, a):
        return g * np.where(a.data > 0, 1.0, 0.0).astype(a.dtype)

    @rule(ops.Abs)
    def _(self, g, node, a):
        x = a.data
        return bg.ops.mul(bg.Tensor((x > 0) * 1.0 - (x < 0) * 1.0, dtype=x.dtype, requires_grad=False), g)


def variant_6_7_masks_of_numpy(bg):
    """Masks straight from .data."""
    rule(bg.ops.ReLU)(lambda self, g, node, a: g * (node.data > 0))
    rule(bg.ops.Abs)(lambda self, g, node, a: g * np.sign(a.data))


def variant_6_7_copies(bg):
    """Copies that are changed in place: they belong to nobody else."""

    def forward(self, a):
        out = a.copy()
        out[out < 0] = 0
        return out

    bg.ops.ReLU.forward = forward


def variant_6_8_by_tanh(bg):
    """sigmoid is a tanh that was moved and squeezed; its slope written with the mirror image."""
    ops = bg.ops
    ops.Sigmoid.forward = lambda self, a: 0.5 * (1 + np.tanh(0.5 * a))
    rule(ops.Sigmoid)(lambda self, g, node, a: g * (node - node**2))
    rule(ops.Tanh)(lambda self, g, node, a: g - g * node**2)


def variant_6_8_two_sides(bg):
    """Two sides by index, and sigmoid asked again in the rules."""
    ops = bg.ops

    def forward(self, a):
        out = np.empty_like(a)
        right = a >= 0
        out[right] = 1 / (1 + np.exp(-a[right]))
        grown = np.exp(a[~right])
        out[~right] = grown / (1 + grown)
        return out

    ops.Sigmoid.forward = forward
    rule(ops.Sigmoid)(lambda self, g, node, a: g * ops.sigmoid(a) * (1 - ops.sigmoid(a)))
    rule(ops.Tanh)(lambda self, g, node, a: (1 - node) * (1 + node) * g)


def variant_6_8_clipped(bg):
    """Numbers beyond 500 are as good as 500."""
    bg.ops.Sigmoid.forward = lambda self, a: 1 / (1 + np.exp(-np.clip(a, -500, 500)))


def variant_6_9_replaced(bg):
    """The awkward numbers are replaced before anything is computed, each share by itself."""

    @rule(bg.ops.Pow)
    def _(self, g, node, a, b):
        zero = a.data == 0
        to_a = to_b = None
        if a.requires_grad:
            exponent = b - 1
            exponent = exponent + (zero & (b.data == 0))
            to_a = b * a**exponent * g
        if b.requires_grad:
            harmless = a + bg.Tensor(zero, dtype=a.dtype, requires_grad=False)
            to_b = g * harmless.log() * node
        return to_a, to_b


def variant_6_9_zero_for_nobody(bg):
    """An input that requires no grad gets zeros instead of None."""
    right = bg.ops.Pow.backward

    def backward(self, g, node):
        shares = right(self, g, node)
        return tuple(g * 0 if share is None else share for share in shares)

    bg.ops.Pow.backward = backward


def variant_6_10_arrays(bg):
    """NumPy arrays, the other place first."""
    bg.hunts.three_wrong_rules = lambda place: (np.array([place, 0.0]), np.array([-2.0, 3.0]))


def variant_6_10_a_list_of_lists(bg):
    """A list instead of a tuple."""
    bg.hunts.three_wrong_rules = lambda place: [(0, place), (-1, -2)]
