"""Right solutions of notebook 07 in another style."""

import numpy as np


def variant_7_1_its_own_operation(bg):
    """The rule makes its own operation, and returns a tuple of one."""
    bg.ops.Reshape.backward = lambda self, out_grad, node: (bg.ops.Reshape(node._inputs[0].shape)(out_grad),)


def variant_7_1_the_method(bg):
    """The rule uses the method, with sizes one by one."""
    bg.ops.Reshape.backward = lambda self, out_grad, node: out_grad.reshape(*node._inputs[0].shape)


def variant_7_2_the_modulo(bg):
    """The rule makes its own axes positive."""

    def backward(self, out_grad, node):
        if self.axes is None:
            return bg.ops.transpose(out_grad)
        return bg.ops.transpose(out_grad, np.argsort([axis % node.ndim for axis in self.axes]))

    bg.ops.Transpose.backward = backward


def variant_7_2_back_by_a_loop(bg):
    """The way back in a list that is filled place by place."""

    def backward(self, out_grad, node):
        back = [0] * node.ndim
        for place, axis in enumerate(self.order(node.ndim)):
            back[axis] = place
        return out_grad.transpose(back)

    bg.ops.Transpose.backward = backward


def variant_7_2_back_by_index(bg):
    """Where does each axis stand?"""

    def backward(self, out_grad, node):
        order = self.order(node.ndim)
        return bg.ops.transpose(out_grad, tuple(order.index(axis) for axis in range(node.ndim)))

    bg.ops.Transpose.backward = backward


def variant_7_3_a_list_of_sizes(bg):
    """shape_with_ones changes a list; the rule multiplies ones by out_grad."""

    def shape_with_ones(shape, axes):
        sizes = list(shape)
        for axis in range(len(sizes)) if axes is None else axes:
            sizes[axis] = 1
        return sizes

    def backward(self, out_grad, node):
        (a,) = node._inputs
        with_ones = bg.ops.reshape(out_grad, shape_with_ones(a.shape, self.axes))
        return bg.ops.mul(with_ones, np.ones(a.shape, a.dtype))

    bg.ops.shape.shape_with_ones = shape_with_ones
    bg.ops.Summation.backward = backward


def variant_7_3_keepdims_when_kept(bg):
    """The rule leaves a shape alone that has its axes already."""

    def backward(self, out_grad, node):
        (a,) = node._inputs
        if not self.keepdims:
            out_grad = out_grad.reshape(bg.ops.shape.shape_with_ones(a.shape, self.axes))
        return out_grad.broadcast_to(a.shape)

    bg.ops.Summation.backward = backward


def variant_7_4_divided_afterwards(bg):
    """A loop counts, and the rule divides at the end."""

    def count(self, shape):
        numbers = 1
        for axis in range(len(shape)) if self.axes is None else self.axes:
            numbers *= shape[axis]
        return numbers

    def backward(self, out_grad, node):
        (a,) = node._inputs
        return bg.ops.Summation.backward(self, out_grad, node) * (1 / self.count(a.shape))

    bg.ops.Mean.count, bg.ops.Mean.backward = count, backward


def variant_7_4_by_the_sizes(bg):
    """The count is how many times larger the input is than the result."""
    bg.ops.Mean.count = lambda self, shape: int(
        np.prod([m for m, n in zip(shape, bg.ops.shape.shape_with_ones(shape, self.axes)) if n == 1])
    )


def variant_7_6_from_the_right(bg):
    """stretched_axes walks from the right and counts from the end; sizes of 1 that stay 1 count as stretched."""

    def stretched_axes(small, large):
        axes = []
        for place in range(1, len(large) + 1):
            if place > len(small) or (small[-place] == 1 and large[-place] != 1):
                axes.append(-place)
        return axes

    bg.ops.shape.stretched_axes = stretched_axes


def variant_7_6_padded_shape(bg):
    """The small shape gets its missing ones first."""

    def stretched_axes(small, large):
        padded = (1,) * (len(large) - len(small)) + tuple(small)
        new = set(range(len(large) - len(small)))
        return tuple(new | {axis for axis, (m, n) in enumerate(zip(padded, large)) if m != n})

    bg.ops.shape.stretched_axes = stretched_axes


def variant_7_6_every_size_of_1(bg):
    """A size of 1 over a size of 1 counts, too; a list."""

    def stretched_axes(small, large):
        new = len(large) - len(small)
        return [axis for axis in range(len(large)) if axis < new or small[axis - new] == 1]

    bg.ops.shape.stretched_axes = stretched_axes


def patch_unbroadcast(bg, function):
    for module in (bg.ops.shape, bg.ops.pointwise, bg.ops.matrix, bg.ops.fused):
        module.unbroadcast = lambda grad, shape: grad if grad.data.shape == shape else function(grad, shape)


def variant_7_6_two_loops(bg):
    """New axes one at a time, then each size of 1 with keepdims."""

    def unbroadcast(grad, shape):
        while grad.ndim > len(shape):
            grad = grad.sum(0)
        for axis, size in enumerate(shape):
            if size == 1:
                grad = grad.sum(axis, keepdims=True)
        return grad

    patch_unbroadcast(bg, unbroadcast)


def variant_7_5_one_liners(bg):
    """The methods in other words."""

    def reshaped(x, *sizes):
        if len(sizes) == 1 and isinstance(sizes[0], (tuple, list)):
            (sizes,) = sizes
        return bg.ops.Reshape(sizes)(x)

    bg.Tensor.reshape = reshaped
    bg.Tensor.T = property(lambda x: x.transpose(tuple(reversed(range(x.ndim)))))


def variant_7_7_another_sum(bg):
    """Another sum, as lists; A stops with an error here."""
    bg.hunts.three_sums = lambda left: [[left] * 3, [2, -3]]
