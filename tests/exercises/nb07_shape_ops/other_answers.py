"""Right solutions of notebook 07 in another style."""

import math

import numpy as np


def variant_7_1_plain_functions(bg):
    """np.reshape in the forward; the rule makes its own operation, and returns a tuple of one."""
    bg.ops.Reshape.forward = lambda self, a: np.reshape(a, self.shape)
    bg.ops.Reshape.backward = lambda self, out_grad, node: (bg.ops.Reshape(node._inputs[0].shape)(out_grad),)


def variant_7_1_number_by_number(bg):
    """The forward copies the numbers one by one; the rule uses the method."""

    def forward(self, a):
        numbers = list(a.flat)
        out = np.zeros(a.size, a.dtype)
        for place, number in enumerate(numbers):
            out[place] = number
        return out.reshape(self.shape)

    bg.ops.Reshape.forward = forward
    bg.ops.Reshape.backward = lambda self, out_grad, node: out_grad.reshape(*node._inputs[0].shape)


def variant_7_2_back_by_a_loop(bg):
    """The way back in a list that is filled place by place; np.transpose in the forward."""

    def backward(self, out_grad, node):
        back = [0] * node.ndim
        for place, axis in enumerate(self.order(node.ndim)):
            back[axis] = place
        return out_grad.transpose(back)

    bg.ops.Transpose.forward = lambda self, a: np.transpose(a, self.order(a.ndim))
    bg.ops.Transpose.backward = backward


def variant_7_2_back_by_index(bg):
    """Where does each axis stand?"""

    def backward(self, out_grad, node):
        order = self.order(node.ndim)
        return bg.ops.transpose(out_grad, tuple(order.index(axis) for axis in range(node.ndim)))

    bg.ops.Transpose.backward = backward


def variant_7_2_einsum_forward(bg):
    """The forward names the axes with numbers."""
    bg.ops.Transpose.forward = lambda self, a: np.einsum(a, [*range(a.ndim)], [*self.order(a.ndim)])


def variant_7_2_forward_without_order(bg):
    """The forward leaves all to NumPy, the rule makes its own axes positive."""

    def forward(self, a):
        return np.swapaxes(a, -2, -1) if self.axes is None else np.transpose(a, self.axes)

    def backward(self, out_grad, node):
        if self.axes is None:
            return bg.ops.transpose(out_grad)
        return bg.ops.transpose(out_grad, np.argsort([axis % node.ndim for axis in self.axes]))

    bg.ops.Transpose.forward = forward
    bg.ops.Transpose.backward = backward


def variant_7_3_a_list_of_sizes(bg):
    """shape_with_ones changes a list; the forward is a.sum; the rule multiplies ones by what arrives."""

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
    bg.ops.Summation.forward = lambda self, a: a.sum(axis=self.axes, keepdims=self.keepdims)
    bg.ops.Summation.backward = backward


def variant_7_3_axis_by_axis(bg):
    """The forward sums one axis after the other, from the last to the first."""

    def forward(self, a):
        axes = range(a.ndim) if self.axes is None else [axis % a.ndim for axis in self.axes if -a.ndim <= axis < a.ndim]
        if self.axes is not None and len({*axes}) < len(self.axes):
            raise ValueError
        for axis in sorted(axes, reverse=True):
            a = np.sum(a, axis, keepdims=self.keepdims)
        return a

    bg.ops.Summation.forward = forward


def variant_7_3_keepdims_when_kept(bg):
    """The rule leaves a shape alone that has its axes already."""

    def backward(self, out_grad, node):
        (a,) = node._inputs
        if not self.keepdims:
            out_grad = out_grad.reshape(bg.ops.shape.shape_with_ones(a.shape, self.axes))
        return out_grad.broadcast_to(a.shape)

    bg.ops.Summation.backward = backward


def variant_7_4_from_the_right(bg):
    """stretched_axes walks from the right and counts from the end; sizes of 1 that stay 1 count as stretched."""

    def stretched_axes(small, large):
        axes = []
        for place in range(1, len(large) + 1):
            if place > len(small) or (small[-place] == 1 and large[-place] != 1):
                axes.append(-place)
        return axes

    bg.ops.shape.stretched_axes = stretched_axes


def variant_7_4_in_two_steps(bg):
    """New axes first, then the ones with keepdims, without stretched_axes."""

    def backward(self, out_grad, node):
        (a,) = node._inputs
        new = out_grad.ndim - a.ndim
        out_grad = bg.ops.summation(out_grad, tuple(range(new)))
        ones = tuple(axis for axis, size in enumerate(a.shape) if size == 1)
        return bg.ops.summation(out_grad, ones, keepdims=True)

    bg.ops.BroadcastTo.backward = backward


def variant_7_4_padded_shape(bg):
    """The small shape gets its missing ones first."""

    def stretched_axes(small, large):
        padded = (1,) * (len(large) - len(small)) + tuple(small)
        new = set(range(len(large) - len(small)))
        return tuple(new | {axis for axis, (m, n) in enumerate(zip(padded, large)) if m != n})

    bg.ops.shape.stretched_axes = stretched_axes


def variant_7_5_np_mean(bg):
    """np.mean in the forward; the rule divides afterwards."""

    def backward(self, out_grad, node):
        (a,) = node._inputs
        return bg.ops.Summation.backward(self, out_grad, node) * (1 / self.count(a.shape))

    bg.ops.Mean.forward = lambda self, a: np.mean(a, axis=self.axes, keepdims=self.keepdims)
    bg.ops.Mean.backward = backward


def variant_7_5_count_by_sizes(bg):
    """The count is how many times larger the input is."""

    def backward(self, out_grad, node):
        (a,) = node._inputs
        with_ones = bg.ops.shape.shape_with_ones(a.shape, self.axes)
        count = math.prod(m for m, n in zip(a.shape, with_ones) if n == 1)
        return bg.ops.broadcast_to(bg.ops.reshape(out_grad, with_ones), a.shape) / count

    bg.ops.Mean.backward = backward


def patch_unbroadcast(bg, function):
    for module in (bg.ops.shape, bg.ops.elementwise, bg.ops.matrix, bg.ops.fused):
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


def variant_7_6_the_rule_of_broadcast_to(bg):
    """Asks the rule of BroadcastTo, with a stand-in for its input."""

    def unbroadcast(grad, shape):
        stretched = bg.ops.broadcast_to(bg.Tensor(np.zeros(shape)), grad.shape)
        return stretched._op.backward(grad, stretched)

    patch_unbroadcast(bg, unbroadcast)


def variant_7_7_one_liners(bg):
    """The methods in other words."""

    def reshaped(x, *sizes):
        if len(sizes) == 1 and isinstance(sizes[0], (tuple, list)):
            (sizes,) = sizes
        return bg.ops.Reshape(sizes)(x)

    bg.Tensor.reshape = reshaped
    bg.Tensor.T = property(lambda x: x.transpose(tuple(reversed(range(x.ndim)))))


def variant_7_8_another_sum(bg):
    """Another sum, as lists; A stops with an error here."""
    bg.hunts.three_sums = lambda: [[3, 3, 3], [2, -3]]
