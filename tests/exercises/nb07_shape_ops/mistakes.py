"""Wrong ideas about notebook 07, each as a patch for a private copy of the reference."""

import math
from itertools import zip_longest

import numpy as np

from grader.course.exercise import wrong

from .exercises import hunt, mean, methods, reshape, stretched, summation, transpose


def no_such_name(*arguments):
    raise NameError("name 'Tensor' is not defined")


def tensor_made_by_hand(ex, cls):
    """A rule that wants to make a Tensor, which ops/shape.py does not know."""

    @wrong(
        ex,
        f"Tensor(...) in the rule of {cls}",
        "A rule needs no Tensor(...): the functions of this file, such as reshape and summation, work on out_grad as "
        "it is, and return Tensors. No .data is needed either.",
    )
    def _(bg):
        getattr(bg.ops, cls).backward = no_such_name


def array_from_the_rule(ex, cls):
    """A rule with the right numbers that returns an array."""

    @wrong(
        ex,
        f"an array from the rule of {cls}",
        "A rule takes Tensors and returns Tensors. An array does not know what it was made from. The functions at the "
        "end of this file work on out_grad itself.",
    )
    def _(bg):
        right = getattr(bg.ops, cls).backward
        getattr(bg.ops, cls).backward = lambda self, out_grad, node: right(self, out_grad, node).data


def grad_written(ex, cls):
    """A rule with the right answer that does what the backward pass of notebook 09 does."""

    @wrong(
        ex,
        f".grad written in the rule of {cls}",
        "The rule also writes into its input's .grad. In notebook 03 the nodes did that. Here a rule only returns "
        "what the input gets: the backward pass of notebook 09 accumulates it, and writes .grad once.",
    )
    def _(bg):
        right = getattr(bg.ops, cls).backward

        def backward(self, out_grad, node):
            share = right(self, out_grad, node)
            node._inputs[0].grad = share.data.copy()
            return share

        getattr(bg.ops, cls).backward = backward


# 7.1


@wrong(
    reshape,
    "still in the shape of the result",
    "The numbers and their order are right, but they still have the shape of the result, self.shape. What shape must "
    "the gradient of a have?",
)
def _(bg):
    bg.ops.Reshape.backward = lambda self, out_grad, node: out_grad


@wrong(
    reshape,
    "transposed instead of reshaped",
    "There are two ways from shape (3, 2) to shape (2, 3): transpose exchanges rows and columns, reshape reads the "
    "numbers row by row into new rows. Follow one number through the forward pass, and bring its gradient back to the "
    "same cell.",
)
def _(bg):
    def backward(self, out_grad, node):
        (a,) = node._inputs
        turned = bg.ops.transpose(out_grad, range(out_grad.ndim)[::-1])
        return turned if turned.shape == a.shape else bg.ops.reshape(turned, a.shape)

    bg.ops.Reshape.backward = backward


@wrong(
    reshape,
    "NumPy inside the rule of Reshape",
    "The numbers are right, but they do not know what they were made from: nothing that NumPy computes does. No .data "
    "is needed: the function reshape works on the Tensor out_grad.",
)
def _(bg):
    bg.ops.Reshape.backward = lambda self, out_grad, node: bg.Tensor(out_grad.data.reshape(node._inputs[0].shape))


@wrong(
    reshape,
    "an array from the rule of Reshape",
    "A rule takes Tensors and returns Tensors. An array does not know what it was made from. The function reshape "
    "works on out_grad itself.",
)
def _(bg):
    bg.ops.Reshape.backward = lambda self, out_grad, node: out_grad.data.reshape(node._inputs[0].shape)


@wrong(
    reshape,
    "an operation that was not called",
    "Reshape(shape) only makes the operation. It computes when it is called with a Tensor: Reshape(shape)(out_grad), "
    "or for short reshape(out_grad, shape).",
)
def _(bg):
    bg.ops.Reshape.backward = lambda self, out_grad, node: bg.ops.Reshape(node._inputs[0].shape)


@wrong(
    reshape,
    "the operation given another shape",
    "The gradient is right, but the operation is another one afterwards: it now computes something else. A rule "
    "changes nothing, and self.shape belongs to the operation. reshape(out_grad, shape) makes one of its own.",
)
def _(bg):
    def backward(self, out_grad, node):
        self.shape = node._inputs[0].shape
        return bg.ops.reshape(out_grad, self.shape)

    bg.ops.Reshape.backward = backward


@wrong(
    reshape,
    "out_grad reshaped for good",
    "The gradient is right, but out_grad has changed. Others may still need it. "
    "reshape(out_grad, ...) makes a new Tensor and leaves out_grad alone.",
)
def _(bg):
    def backward(self, out_grad, node):
        out_grad.data = out_grad.data.reshape(node._inputs[0].shape)
        return out_grad

    bg.ops.Reshape.backward = backward


tensor_made_by_hand(reshape, "Reshape")
grad_written(reshape, "Reshape")


# 7.2


def patch_back(bg, axes_back):
    """The rule of Transpose with other axes for the way back.  axes_back(order, node)"""

    def backward(self, out_grad, node):
        return bg.ops.transpose(out_grad, axes_back(self.order(node.ndim), node))

    bg.ops.Transpose.backward = backward


@wrong(
    transpose,
    "the same axes again",
    "Axes that rotate are not put back by the same axes. A swap of two is its own way back, a rotation of three or "
    "four is not. For each axis of x, find the place where it stands in the result.",
)
def _(bg):
    bg.ops.Transpose.backward = lambda self, out_grad, node: bg.ops.transpose(out_grad, self.axes)


@wrong(
    transpose,
    "axes in the opposite order",
    "The list of axes was reversed. That is another order, and not the way back: for (1, 2, 0) it gives (0, 2, 1), "
    "which leaves the first axis where it is. Ask for each axis of x where it stands now.",
)
def _(bg):
    patch_back(bg, lambda order, node: order[::-1])


@wrong(
    transpose,
    "each axis with a minus",
    "A minus in front of an axis does not undo it: -1 is the last axis, counted from the end, and -0 is still axis 0. "
    "Ask for each axis of x where it stands now, and try your way in the cell above the exercise.",
)
def _(bg):
    patch_back(bg, lambda order, node: [-axis for axis in order])


@wrong(
    transpose,
    "all axes reversed",
    "The way back reverses all axes, as .T does. With two axes that is right. With three it undoes only that one "
    "order, (2, 1, 0).",
)
def _(bg):
    patch_back(bg, lambda order, node: range(node.ndim)[::-1])


@wrong(
    transpose,
    "always the last two back",
    "The way back swaps the last two axes, whatever the way there was. That undoes only a transpose without axes.",
)
def _(bg):
    patch_back(bg, lambda order, node: None)


@wrong(
    transpose,
    "np.argsort of negative axes",
    "This is right for axes counted from 0. But -1 is the last axis, and in a sorted list it comes first. Make all of "
    "them positive before you look for the way back: self.order(node.ndim) does that.",
)
def _(bg):
    bg.ops.Transpose.backward = lambda self, out_grad, node: bg.ops.transpose(
        out_grad, self.axes and np.argsort(self.axes)
    )


@wrong(
    transpose,
    "np.argsort of None",
    "self.axes may be None, and then there is nothing to sort. self.order(node.ndim) gives the order of the axes in "
    "every case.",
)
def _(bg):
    bg.ops.Transpose.backward = lambda self, out_grad, node: bg.ops.transpose(out_grad, np.argsort(self.axes))


@wrong(
    transpose,
    "places looked up in None",
    "self.axes may be None, and None has no .index. self.order(node.ndim) gives the order of the axes in every case.",
)
def _(bg):
    bg.ops.Transpose.backward = lambda self, out_grad, node: bg.ops.transpose(
        out_grad, [self.axes.index(axis) for axis in range(node.ndim)]
    )


@wrong(
    transpose,
    "the order applied to itself",
    "order[order[i]] goes two steps forward. For three axes that rotate this is one step back, for two that swap it is "
    "no step at all. You want the place i at which order[i] is the axis.",
)
def _(bg):
    patch_back(bg, lambda order, node: [order[axis] for axis in order])


@wrong(
    transpose,
    "reshaped to the input's shape",
    "The shape is right, but the numbers are not where they belong: reshape reads them row by row, and the forward "
    "pass has changed their order. Follow one number there, and bring its gradient back.",
)
def _(bg):
    bg.ops.Transpose.forward = lambda self, a: (
        a.swapaxes(-1, -2) if self.axes is None else a.transpose(self.order(a.ndim))
    )
    bg.ops.Transpose.backward = lambda self, out_grad, node: bg.ops.reshape(out_grad, node._inputs[0].shape)


@wrong(
    transpose,
    "out_grad not transposed back",
    "out_grad was passed on unchanged. It has the shape of the result, and its cells are where the result's cells "
    "are. Each of them belongs back where its number came from.",
)
def _(bg):
    bg.ops.Transpose.backward = lambda self, out_grad, node: out_grad


@wrong(
    transpose,
    "NumPy inside the rule of Transpose",
    "The numbers are right, but NumPy transposed them, so they remember nothing. Let the function transpose work on "
    "the Tensor out_grad.",
)
def _(bg):
    bg.ops.Transpose.backward = lambda self, out_grad, node: bg.Tensor(
        out_grad.data.transpose(np.argsort(self.order(node.ndim)))
    )


@wrong(
    transpose,
    "self.order without brackets in the rule",
    "self.order is a method, and here it was not called. self.order(node.ndim) gives the order.",
)
def _(bg):
    bg.ops.Transpose.backward = lambda self, out_grad, node: bg.ops.transpose(out_grad, np.argsort(self.order))


@wrong(
    transpose,
    "the operation turned round",
    "The gradient is right, but the operation is another one afterwards, and its rule is wrong the next time it is "
    "asked. A rule changes nothing, and self.axes belongs to the operation. transpose(out_grad, axes) makes one of its "
    "own.",
)
def _(bg):
    def backward(self, out_grad, node):
        self.axes = self.axes and tuple(np.argsort(self.order(node.ndim)).tolist())
        return bg.ops.transpose(out_grad, self.axes)

    bg.ops.Transpose.backward = backward


@wrong(
    transpose,
    "no a in the rule",
    "A rule gets out_grad and node; nothing here is called a. The result has as many axes as a: "
    "self.order(node.ndim). (The input itself is node._inputs[0].)",
)
def _(bg):
    def backward(self, out_grad, node):
        raise NameError("name 'a' is not defined")

    bg.ops.Transpose.backward = backward


grad_written(transpose, "Transpose")
array_from_the_rule(transpose, "Transpose")
tensor_made_by_hand(transpose, "Transpose")


# 7.3


def patch_ones(bg, shape_with_ones):
    bg.ops.shape.shape_with_ones = shape_with_ones


def patch_sum(bg, share):
    """The rule of Summation.  share(self, out_grad, a)"""
    bg.ops.Summation.backward = lambda self, out_grad, node: share(self, out_grad, *node._inputs)


@wrong(
    summation,
    "axis 0 taken for none",
    "Axis 0 is treated as if no axis had been given. For Python 0 counts as False, so `if axes` and any(axes) say no "
    "to it. Ask `if axes is None` instead.",
)
def _(bg):
    def shape_with_ones(shape, axes):
        if axes is None or not any(axes):
            return (1,) * len(shape)
        summed = {axis % len(shape) for axis in axes}
        return tuple(1 if axis in summed else size for axis, size in enumerate(shape))

    patch_ones(bg, shape_with_ones)


@wrong(
    summation,
    "None not thought of",
    "axes may be None, and then all axes were summed. What does the shape with ones look like then?",
)
def _(bg):
    def shape_with_ones(shape, axes):
        sizes = list(shape)
        for axis in axes:
            sizes[axis] = 1
        return tuple(sizes)

    patch_ones(bg, shape_with_ones)


@wrong(
    summation,
    "an axis looked for in None",
    "axes may be None, and `axis in None` is an error. None means that all axes were summed: ask `if axes is None` "
    "first.",
)
def _(bg):
    def shape_with_ones(shape, axes):
        return tuple(1 if axis in axes or axis - len(shape) in axes else size for axis, size in enumerate(shape))

    patch_ones(bg, shape_with_ones)


@wrong(
    summation,
    "no axes taken for all axes",
    "() means that no axis is summed, so the shape stays as it is. `if not axes` is true for () as well as for None. "
    "Ask `if axes is None`.",
)
def _(bg):
    right = bg.ops.shape.shape_with_ones
    patch_ones(bg, lambda shape, axes: right(shape, axes or None))


@wrong(
    summation,
    "no summed axes put back",
    "out_grad is stretched without its summed axes. NumPy lines shapes up at the right, so with the last axis missing "
    "they do not fit, or, in a square, fit in the wrong place. What has to stand where an axis was summed?",
)
def _(bg):
    patch_sum(bg, lambda self, out_grad, a: bg.ops.broadcast_to(out_grad, a.shape))


@wrong(
    summation,
    "axes put in front",
    "The sizes of 1 are put in front, wherever the summed axes were. That is right for axis 0 only. Each must stand "
    "where it stood in x.",
)
def _(bg):
    def shape_with_ones(shape, axes):
        summed = range(len(shape)) if axes is None else {axis % len(shape) for axis in axes}
        kept = [size for axis, size in enumerate(shape) if axis not in summed]
        return (1,) * (len(shape) - len(kept)) + tuple(kept)

    patch_ones(bg, shape_with_ones)


@wrong(
    summation,
    "axes found by their sizes",
    "The axes that stayed are found by comparing sizes. Where two axes have the same size, as in a square, that picks "
    "the wrong one. self.axes says which were summed.",
)
def _(bg):
    def share(self, out_grad, a):
        left = list(out_grad.shape)
        kept = [bool(left and left[0] == size and left.pop(0)) for size in a.shape]
        with_ones = [size if keep else 1 for size, keep in zip(a.shape, kept)]
        return bg.ops.broadcast_to(
            bg.ops.reshape(out_grad, with_ones if not self.keepdims else out_grad.shape), a.shape
        )

    patch_sum(bg, share)


@wrong(
    summation,
    "negative axes ignored",
    "-1 is the last axis, but a count from 0 on never comes to it. In a shape of three axes -1 "
    "is another name for 2, and -3 for 0: how do you get from one name to the other?",
)
def _(bg):
    def shape_with_ones(shape, axes):
        return tuple(1 if axes is None or axis in axes else size for axis, size in enumerate(shape))

    patch_ones(bg, shape_with_ones)


@wrong(
    summation,
    "only negative axes found",
    "Counted from -len(shape) up, the axes of the shape are never found where the caller named them from 0 on. Both "
    "are allowed, even mixed: bring all of them to one way of counting before you compare.",
)
def _(bg):
    def shape_with_ones(shape, axes):
        places = range(-len(shape), 0)
        return tuple(1 if axes is None or axis in axes else size for axis, size in zip(places, shape))

    patch_ones(bg, shape_with_ones)


@wrong(
    summation,
    "axes put back in the given order",
    "The axes are put in one after the other, as they were given. After the first one the places of the others have "
    "moved, so that works only from the smallest to the largest. Sort them, or look at all sizes of x in one go.",
)
def _(bg):
    def share(self, out_grad, a):
        axes = range(a.ndim) if self.axes is None else [axis % a.ndim for axis in self.axes]
        array = out_grad.data
        for axis in () if self.keepdims else axes:
            array = np.expand_dims(array, axis)
        return bg.ops.broadcast_to(bg.ops.reshape(out_grad, array.shape), a.shape)

    patch_sum(bg, share)


@wrong(
    summation,
    "only the first of the axes",
    "One axis of the tuple was put back, and the others were not. All the axes in it were summed, so all of them come "
    "back with size 1.",
)
def _(bg):
    right = bg.ops.shape.shape_with_ones
    patch_ones(bg, lambda shape, axes: right(shape, axes and axes[:1]))


@wrong(
    summation,
    "the 1s put in one after the other as the axes stand",
    "Each 1 was put into the shape of out_grad at its axis, in the order of the tuple. That is right for (0, 1), but "
    "for (1, 0) the second 1 pushes the first one along. Begin with the shape of x, and change its sizes.",
)
def _(bg):
    def backward(self, out_grad, node):
        (a,) = node._inputs
        sizes = [1] * a.ndim if self.axes is None else [*out_grad.shape]
        for axis in () if self.axes is None or self.keepdims else self.axes:
            sizes.insert(axis % a.ndim, 1)
        return bg.ops.broadcast_to(bg.ops.reshape(out_grad, sizes), a.shape)

    bg.ops.Summation.backward = backward


@wrong(
    summation,
    "the sizes of the summed axes",
    "These are the sizes of the axes that were summed, with a 1 where one stayed. It is the other way round: the "
    "summed ones have size 1.",
)
def _(bg):
    def shape_with_ones(shape, axes):
        summed = range(len(shape)) if axes is None else {axis % len(shape) for axis in axes}
        return tuple(size if axis in summed else 1 for axis, size in enumerate(shape))

    patch_ones(bg, shape_with_ones)


@wrong(
    summation,
    "shape_with_ones without the summed axes",
    "The summed axes are missing from the shape. They must be there, with size 1, so that broadcast_to knows which "
    "axes to stretch.",
)
def _(bg):
    def shape_with_ones(shape, axes):
        summed = range(len(shape)) if axes is None else {axis % len(shape) for axis in axes}
        return tuple(size for axis, size in enumerate(shape) if axis not in summed)

    patch_ones(bg, shape_with_ones)


@wrong(
    summation,
    "the gradient of a mean",
    "This divides by how many numbers were summed, as a mean does. In a sum, how much does each number count?",
)
def _(bg):
    right = bg.ops.Summation.backward

    def backward(self, out_grad, node):
        count = node._inputs[0].size / max(1, node.size)
        return right(self, out_grad / count, node)

    bg.ops.Summation.backward = backward


@wrong(
    summation,
    "the rule of a product",
    "The gradient is multiplied by x. If the 4 in a sum grows by 1, the sum grows by 1, and so it does for a 7: the "
    "slope does not depend on x.",
)
def _(bg):
    right = bg.ops.Summation.backward
    bg.ops.Summation.backward = lambda self, out_grad, node: right(self, out_grad, node) * node._inputs[0]


@wrong(
    summation,
    "ones instead of out_grad",
    "The derivatives are all 1, but a rule has to multiply them by the upstream gradient. If the sum counts half for "
    "what comes later, so does each number that went into it.",
)
def _(bg):
    patch_sum(bg, lambda self, out_grad, a: bg.Tensor(np.ones(a.shape)))


@wrong(
    summation,
    "zeros made of the input",
    "x * 0 has the shape of x, and is 0 as long as x is finite. But inf * 0 is nan, and -inf is a number like any "
    "other in a sum: the slope there is 1 too. broadcast_to repeats numbers without any zeros.",
)
def _(bg):
    right = bg.ops.Summation.backward
    bg.ops.Summation.backward = lambda self, out_grad, node: right(self, out_grad, node) + node._inputs[0] * 0


@wrong(
    summation,
    "axes added once more",
    "The axes are put back even where keepdims=True has kept them, so there are too many. reshape to the shape with "
    "ones is right in both cases.",
)
def _(bg):
    right = bg.ops.Summation.backward

    def backward(self, out_grad, node):
        if not self.keepdims:
            return right(self, out_grad, node)
        summed = range(node.ndim) if self.axes is None else sorted(axis % node.ndim for axis in self.axes)
        shape = np.expand_dims(out_grad.data, tuple(summed)).shape
        return bg.ops.broadcast_to(bg.ops.reshape(out_grad, shape), node._inputs[0].shape)

    bg.ops.Summation.backward = backward


@wrong(
    summation,
    "out_grad changed in place",
    "The gradient is right, but out_grad has changed. Others may still need it. "
    "reshape(out_grad, ...) gives a new Tensor and leaves out_grad alone.",
)
def _(bg):
    def share(self, out_grad, a):
        out_grad.data = out_grad.data.reshape(bg.ops.shape.shape_with_ones(a.shape, self.axes))
        return bg.ops.broadcast_to(out_grad, a.shape)

    patch_sum(bg, share)


@wrong(
    summation,
    "NumPy inside the rule of Summation",
    "The numbers are right, but NumPy repeated them, so they remember nothing. The functions reshape and broadcast_to "
    "work on the Tensor out_grad.",
)
def _(bg):
    def share(self, out_grad, a):
        with_ones = bg.ops.shape.shape_with_ones(a.shape, self.axes)
        return bg.Tensor(np.broadcast_to(out_grad.data.reshape(with_ones), a.shape))

    patch_sum(bg, share)


@wrong(
    summation,
    "a reshape to the input's shape",
    "The rule reshapes out_grad to a.shape. But reshape repeats nothing, and out_grad has fewer numbers than a. Which "
    "operation repeats numbers, and what shape does it need to begin with?",
)
def _(bg):
    patch_sum(bg, lambda self, out_grad, a: bg.ops.reshape(out_grad, a.shape))


@wrong(
    summation,
    "not stretched",
    "The summed axes are back, but with size 1: each sum's gradient stands there once. All the numbers that went into "
    "the sum get it, so one more operation has to repeat it.",
)
def _(bg):
    patch_sum(bg, lambda self, out_grad, a: bg.ops.reshape(out_grad, bg.ops.shape.shape_with_ones(a.shape, self.axes)))


@wrong(
    summation,
    "shape_with_ones of the result's shape",
    "shape_with_ones got the shape of the result, in which the summed axes are already missing. It needs the shape of "
    "what was summed.",
)
def _(bg):
    def backward(self, out_grad, node):
        with_ones = bg.ops.shape.shape_with_ones(node.shape, self.axes)
        return bg.ops.broadcast_to(bg.ops.reshape(out_grad, with_ones), node._inputs[0].shape)

    bg.ops.Summation.backward = backward


@wrong(
    summation,
    "ones put in between",
    "insert adds a 1 and keeps the old size, so there are more axes than before. The 1 should replace the old size.",
)
def _(bg):
    def shape_with_ones(shape, axes):
        if axes is None:
            return (1,) * len(shape)
        sizes = list(shape)
        for axis in axes:
            sizes.insert(axis, 1)
        return tuple(sizes)

    patch_ones(bg, shape_with_ones)


@wrong(
    summation,
    "a tuple changed",
    "A shape is a tuple, and a tuple cannot be changed. Make a list of it first, sizes = list(shape); a list will do "
    "as the result.",
)
def _(bg):
    def shape_with_ones(shape, axes):
        if axes is None:
            return (1,) * len(shape)
        for axis in axes:
            shape[axis] = 1
        return shape

    patch_ones(bg, shape_with_ones)


for _name, _shape in (("a single 1 for None", (1,)), ("no sizes for None", ())):

    @wrong(
        summation,
        _name,
        f"For None shape_with_ones gives {_shape}. All axes were summed, and each of them stays with size 1: as many "
        "1s as the shape has axes.",
    )
    def _(bg, found=_shape):
        right = bg.ops.shape.shape_with_ones
        patch_ones(bg, lambda shape, axes: found if axes is None else right(shape, axes))


@wrong(
    summation,
    "a 1 where there is no axis",
    "A single number has the shape (): there is no axis, so there is no 1 either. For all other shapes this is right.",
)
def _(bg):
    right = bg.ops.shape.shape_with_ones
    patch_ones(bg, lambda shape, axes: right(shape, axes) or (1,))


@wrong(
    summation,
    "repeated by NumPy's ones",
    "The numbers are right, but float32 has become float64: an array that NumPy makes, such as np.ones, has a dtype "
    "of its own. broadcast_to repeats the numbers and keeps theirs.",
)
def _(bg):
    patch_sum(
        bg,
        lambda self, out_grad, a: (
            bg.ops.reshape(out_grad, bg.ops.shape.shape_with_ones(a.shape, self.axes)) * np.ones(a.shape)
        ),
    )


grad_written(summation, "Summation")
array_from_the_rule(summation, "Summation")
tensor_made_by_hand(summation, "Summation")


# 7.4


@wrong(
    mean,
    "the gradient of the sum",
    "This is the rule of a sum. In a mean each number is one of many: if it grows by 1, by how much does the mean "
    "grow?",
)
def _(bg):
    bg.ops.Mean.backward = bg.ops.Summation.backward


def counted(bg, count):
    """count(axes, shape), where axes may be None, in place of Mean.count."""
    bg.ops.Mean.count = lambda self, shape: count(self.axes, shape)


@wrong(
    mean,
    "all numbers counted",
    "All cells of the array are counted. Only those along the axes go into one mean: with axis 1 of a shape (2, 3) "
    "there are two means, of three numbers each.",
)
def _(bg):
    counted(bg, lambda axes, shape: math.prod(shape))


@wrong(
    mean,
    "the means counted",
    "This is how many means there are. What matters is how many numbers go into each of them.",
)
def _(bg):
    counted(bg, lambda axes, shape: math.prod([] if axes is None else np.delete(shape, axes).tolist()))


@wrong(
    mean,
    "as many as there are axes",
    "len(self.axes) is how many axes there are. How many numbers lie along them?",
)
def _(bg):
    counted(bg, lambda axes, shape: len(shape if axes is None else axes))


@wrong(
    mean,
    "None not thought of",
    "self.axes may be None, and then all numbers go into the one mean: the product of all sizes.",
)
def _(bg):
    counted(bg, lambda axes, shape: math.prod([shape[axis] for axis in axes]))


@wrong(
    mean,
    "no axes counted as all",
    "() means that no axis is averaged over: each number is its own mean, and the count is 1. `if not self.axes` is "
    "true for () as well as for None. Ask `if self.axes is None`.",
)
def _(bg):
    counted(bg, lambda axes, shape: math.prod([shape[axis] for axis in axes] if axes else shape))


@wrong(
    mean,
    "only the first axis counted",
    "With several axes only the size of one of them counts. Into each mean go the numbers along all of them: the "
    "product of their sizes.",
)
def _(bg):
    counted(bg, lambda axes, shape: [*(shape if axes is None else (shape[axis] for axis in axes)), 1][0])


@wrong(
    mean,
    "sizes added up",
    "The sizes are added up. A table of 2 rows and 4 columns holds 2 * 4 numbers, not 2 + 4.",
)
def _(bg):
    counted(bg, lambda axes, shape: sum(shape if axes is None else (shape[axis] for axis in axes)))


@wrong(
    mean,
    "a count of NumPy's",
    "The numbers are right, but float32 has become float64. A count made by NumPy, with np.prod or np.size, brings "
    "its own dtype along. A plain number adapts: math.prod, or int(...) around it.",
)
def _(bg):
    counted(bg, lambda axes, shape: np.prod(shape if axes is None else [shape[axis] for axis in axes]))


@wrong(
    mean,
    "multiplied by the count",
    "This grows with the count, but it should shrink: the more numbers there are, the less each one matters to the "
    "mean.",
)
def _(bg):
    right = bg.ops.Summation.backward
    bg.ops.Mean.backward = lambda self, out_grad, node: right(
        self, out_grad * float(self.count(node._inputs[0].shape)), node
    )


@wrong(
    mean,
    "stretched without the averaged axes",
    "The division is right. But before out_grad can be repeated, the averaged axes must be there again, as in the "
    "sum: super().backward(...) is the rule that you wrote in 7.3, and does all of that.",
)
def _(bg):
    bg.ops.Mean.backward = lambda self, out_grad, node: bg.ops.broadcast_to(
        out_grad / self.count(node._inputs[0].shape), node._inputs[0].shape
    )


@wrong(
    mean,
    "divided twice",
    "This divides by the count twice. super().backward gives the rule of the sum, without a division; one is enough.",
)
def _(bg):
    right = bg.ops.Mean.backward
    bg.ops.Mean.backward = lambda self, out_grad, node: right(self, out_grad / self.count(node._inputs[0].shape), node)


@wrong(
    mean,
    "a mean of the result's shape",
    "self.count got the shape of the result. It needs the shape of the input, of what was averaged.",
)
def _(bg):
    right = bg.ops.Summation.backward
    bg.ops.Mean.backward = lambda self, out_grad, node: right(self, out_grad / self.count(node.shape), node)


@wrong(
    mean,
    "a Tensor counted",
    "count takes a shape, such as (2, 3), and here it got the Tensor itself: its shape is a.shape.",
)
def _(bg):
    right = bg.ops.Summation.backward
    bg.ops.Mean.backward = lambda self, out_grad, node: right(self, out_grad / self.count(node._inputs[0]), node)


@wrong(
    mean,
    "zeros made of the input",
    "x * 0 has the shape of x, and is 0 as long as x is finite. But inf * 0 is nan, and -inf is a number like any "
    "other in a mean. The rule of the sum repeats numbers without any zeros.",
)
def _(bg):
    right = bg.ops.Mean.backward
    bg.ops.Mean.backward = lambda self, out_grad, node: right(self, out_grad, node) + node._inputs[0] * 0


@wrong(
    mean,
    "divided and not repeated",
    "out_grad is divided, and comes back in the shape of the mean. Each of the numbers that went into a mean gets its "
    "share of it: the rule of the sum, super().backward(...), repeats what it is given, and returns the result.",
)
def _(bg):
    bg.ops.Mean.backward = lambda self, out_grad, node: out_grad / self.count(node._inputs[0].shape)


@wrong(
    mean,
    "float64 crept into the rule",
    "The numbers are right, but the gradient of float32 numbers has become float64: an array of ones, or a count made "
    "by NumPy, brings its own dtype along. self.count gives a plain number, which adapts.",
)
def _(bg):
    right = bg.ops.Mean.backward
    bg.ops.Mean.backward = lambda self, out_grad, node: right(self, out_grad, node) * np.ones(node._inputs[0].shape)


grad_written(mean, "Mean")
array_from_the_rule(mean, "Mean")
tensor_made_by_hand(mean, "Mean")


# 7.5


@wrong(
    methods,
    "sizes handed on as they are",
    "x.reshape((2, 3)) comes in as sizes = ((2, 3),): a tuple in a tuple. What is the shape if sizes holds only one "
    "thing?",
)
def _(bg):
    bg.Tensor.reshape = lambda x, *sizes: bg.ops.reshape(x, sizes)


@wrong(
    methods,
    "the first of the sizes only",
    "x.reshape(3, 2) comes in as sizes = (3, 2), and only the 3 was used. What is the shape if sizes holds several "
    "numbers?",
)
def _(bg):
    bg.Tensor.reshape = lambda x, *sizes: bg.ops.reshape(x, sizes[0])


@wrong(
    methods,
    "T swaps the last two",
    "transpose without axes swaps the last two. .T reverses all of them, as in NumPy: (2, 3, 4) becomes (4, 3, 2).",
)
def _(bg):
    bg.Tensor.T = property(lambda x: bg.ops.transpose(x))


@wrong(
    methods,
    "T for two axes only",
    "The axes (1, 0) are those of a matrix. .T works for any number of axes: name them from x.ndim - 1 down to 0.",
)
def _(bg):
    bg.Tensor.T = property(lambda x: bg.ops.transpose(x, (1, 0)))


@wrong(
    methods,
    "T as a reshape",
    "The shape is reversed, but the numbers stay in their order: reshape reads them row by row. Axes change places in "
    "a transpose.",
)
def _(bg):
    bg.Tensor.T = property(lambda x: bg.ops.reshape(x, x.shape[::-1]))


@wrong(
    methods,
    "a method that forgets",
    "The numbers are right, but NumPy made them, and the result does not remember x. shape.reshape and shape.transpose "
    "work on the Tensor itself.",
)
def _(bg):
    bg.Tensor.reshape = lambda x, *sizes: bg.Tensor(x.data.reshape(*sizes))
    bg.Tensor.T = property(lambda x: bg.Tensor(x.data.T))


@wrong(
    methods,
    "arrays from the methods",
    "The method returns an array of NumPy's. A Tensor's method returns a Tensor that remembers x: "
    "shape.reshape and shape.transpose work on x itself.",
)
def _(bg):
    bg.Tensor.reshape = lambda x, *sizes: x.data.reshape(*sizes)
    bg.Tensor.T = property(lambda x: x.data.T)


@wrong(
    methods,
    "sizes with a star",
    "shape.reshape takes two things: x and one shape. With a star the sizes are handed over one by one, and there are "
    "too many. If sizes holds several, sizes itself is the shape.",
)
def _(bg):
    def reshape(a, shape):
        return bg.ops.reshape(a, shape)

    bg.Tensor.reshape = lambda x, *sizes: reshape(x, *sizes)


@wrong(
    methods,
    "a tuple only",
    "A tuple is unpacked, a list is not, and neither is an int such as -1 alone. What kind of thing it is does not "
    "matter: if sizes holds only one, that is the shape.",
)
def _(bg):
    bg.Tensor.reshape = lambda x, *sizes: bg.ops.reshape(x, sizes[0] if isinstance(sizes[0], tuple) else sizes)


@wrong(
    methods,
    "axes counted from 1",
    "range(x.ndim, 0, -1) goes from x.ndim down to 1. Axes are counted from 0: from x.ndim - 1 down to 0.",
)
def _(bg):
    bg.Tensor.T = property(lambda x: bg.ops.transpose(x, range(x.ndim, 0, -1)))


# 7.6


def patch_unbroadcast(bg, function):
    """In each file that has it by name.  Where the shapes are equal grad comes back, as given."""

    def unbroadcast(grad, shape):
        return grad if grad.data.shape == shape else function(grad, shape)

    for module in (bg.ops.shape, bg.ops.pointwise, bg.ops.matrix, bg.ops.fused):
        module.unbroadcast = unbroadcast


def axes_of(bg, grad, shape):
    return bg.ops.shape.stretched_axes(shape, grad.shape)


def patch_stretched(bg, stretched_axes):
    bg.ops.shape.stretched_axes = stretched_axes


@wrong(
    stretched,
    "compared from the left",
    "The two shapes are lined up at their left ends. NumPy lines them up at the right, so new axes are in front: how "
    "many are there? In a square only the numbers show the difference.",
)
def _(bg):
    def stretched_axes(small, large):
        padded = (*small, *[None] * (len(large) - len(small)))
        return tuple(axis for axis, size in enumerate(large) if padded[axis] != size)

    patch_stretched(bg, stretched_axes)


@wrong(
    stretched,
    "only the first size of 1",
    "The search ends at the first axis that was stretched. There may be several: go on to the end of the shape.",
)
def _(bg):
    def stretched_axes(small, large):
        new = len(large) - len(small)
        ones = [axis for axis in range(new, len(large)) if small[axis - new] != large[axis]]
        return (*range(new), *ones[:1])

    patch_stretched(bg, stretched_axes)


@wrong(
    stretched,
    "only new axes",
    "Axes that were new are found, but axes of size 1 that were stretched are not. There, too, each number has "
    "several copies.",
)
def _(bg):
    patch_stretched(bg, lambda small, large: tuple(range(len(large) - len(small))))


@wrong(
    stretched,
    "only sizes of 1",
    "Axes of size 1 that were stretched are found, but new axes in front are not. A missing axis counts as a 1.",
)
def _(bg):
    def stretched_axes(small, large):
        new = len(large) - len(small)
        return tuple(axis for axis in range(new, len(large)) if small[axis - new] != large[axis])

    patch_stretched(bg, stretched_axes)


@wrong(
    stretched,
    "places in the small shape",
    "The stretched axes are counted in the small shape. What is summed is out_grad, which has the large shape: with "
    "new axes in front, every place moves that far to the right.",
)
def _(bg):
    def stretched_axes(small, large):
        new = len(large) - len(small)
        return (*range(new), *[axis for axis, size in enumerate(small) if size != large[axis + new] and axis >= new])

    patch_stretched(bg, stretched_axes)


@wrong(
    stretched,
    "axes found by size",
    "An axis counts as stretched if its size does not appear in the small shape. For (3,) broadcast to (3, 3) it then "
    "finds none. Compare sizes that stand at the same place, lined up at the right.",
)
def _(bg):
    patch_stretched(bg, lambda small, large: tuple(axis for axis, size in enumerate(large) if size not in small))


@wrong(
    stretched,
    "the axes that were not stretched",
    "The sum goes over the axes that stayed the same, and leaves the stretched ones. It should be the other way "
    "round: along which axes do the copies lie?",
)
def _(bg):
    right = bg.ops.shape.stretched_axes
    patch_stretched(bg, lambda small, large: tuple(sorted({*range(len(large))} - {*right(small, large)})))


@wrong(
    stretched,
    "zip from the left",
    "zip lines the two shapes up at their left ends, and stops where the small one ends. NumPy lines them up at the "
    "right: new axes are in front. How many are there?",
)
def _(bg):
    patch_stretched(bg, lambda small, large: tuple(axis for axis, (n, m) in enumerate(zip(small, large)) if n != m))


@wrong(
    stretched,
    "places counted from the right",
    "Reversed, the shapes are lined up at the right, as NumPy does it. But enumerate now counts from there: place 0 is "
    "the *last* axis of large. And zip ends with the small shape, so the new axes in front are missing.",
)
def _(bg):
    def stretched_axes(small, large):
        pairs = zip(reversed(small), reversed(large))
        return tuple(place for place, (n, m) in enumerate(pairs) if n != m)

    patch_stretched(bg, stretched_axes)


@wrong(
    stretched,
    "places counted from the right, new axes too",
    "All stretched axes are found, but they are counted from the right end: place 0 is the *last* axis of large. Axes "
    "are counted from the left.",
)
def _(bg):
    def stretched_axes(small, large):
        pairs = zip_longest(reversed(small), reversed(large))
        return tuple(place for place, (n, m) in enumerate(pairs) if n != m)

    patch_stretched(bg, stretched_axes)


@wrong(
    stretched,
    "places counted from the right, new axes from the left",
    "New axes are counted from the left, and that is right. The others are counted from the right end, where the "
    "shapes were reversed: place 0 is the *last* axis of large.",
)
def _(bg):
    def stretched_axes(small, large):
        pairs = zip(reversed(small), reversed(large))
        new = range(len(large) - len(small))
        return (*new, *[place for place, (n, m) in enumerate(pairs) if n != m])

    patch_stretched(bg, stretched_axes)


@wrong(
    stretched,
    "the 1s of the small shape",
    "These are the places of the 1s in the small shape. That leaves out the new axes in front, and those move every "
    "place to the right.",
)
def _(bg):
    patch_stretched(bg, lambda small, large: tuple(axis for axis, size in enumerate(small) if size == 1))


@wrong(
    stretched,
    "sizes for axes",
    "These are the sizes of the stretched axes. What is wanted is their numbers, from 0 on: enumerate(large) gives "
    "both.",
)
def _(bg):
    right = bg.ops.shape.stretched_axes
    patch_stretched(bg, lambda small, large: tuple(large[axis] for axis in right(small, large)))


@wrong(
    stretched,
    "nothing added up",
    "The gradient still has the large shape. Where a number was used in several places, the gradients of these "
    "places are added up, and the shape is that of the input.",
)
def _(bg):
    patch_unbroadcast(bg, lambda grad, shape: grad)


@wrong(
    stretched,
    "leading axes only",
    "New axes in front are added up, but axes of size 1 that were stretched are not. (3, 1) broadcast to (2, 3, 4) "
    "needs both.",
)
def _(bg):
    def leading(grad, shape):
        return bg.ops.summation(grad, tuple(range(grad.ndim - len(shape))))

    patch_unbroadcast(bg, leading)


@wrong(
    stretched,
    "sizes of 1 only",
    "Axes of size 1 that were stretched are added up, but new axes in front are still there. They have to be summed, "
    "too.",
)
def _(bg):
    def ones(grad, shape):
        new = grad.ndim - len(shape)
        axes = [axis + new for axis, size in enumerate(shape) if size == 1 != grad.shape[axis + new]]
        return bg.ops.summation(grad, axes, keepdims=True)

    patch_unbroadcast(bg, ones)


@wrong(
    stretched,
    "size-1 axes without keepdims",
    "The numbers are right, but the axes of size 1 are gone. The input has them, so its gradient has them: reshape to "
    "the shape, or sum these axes with keepdims=True.",
)
def _(bg):
    patch_unbroadcast(bg, lambda grad, shape: bg.ops.summation(grad, axes_of(bg, grad, shape)))


@wrong(
    stretched,
    "new axes kept as ones",
    "The numbers are right, but the axes that were new are still there, with size 1. The input never had them: "
    "keepdims suits the stretched axes only.",
)
def _(bg):
    patch_unbroadcast(bg, lambda grad, shape: bg.ops.summation(grad, axes_of(bg, grad, shape), keepdims=True))


@wrong(
    stretched,
    "a mean of the shares",
    "The shares are averaged. But each copy has an effect of its own on the root. What happens to the effects of "
    "several uses?",
)
def _(bg):
    patch_unbroadcast(bg, lambda grad, shape: bg.ops.reshape(bg.ops.mean(grad, axes_of(bg, grad, shape)), shape))


@wrong(
    stretched,
    "the first share only",
    "Only the share of the first copy was kept. But every copy has a share.",
)
def _(bg):
    def first(grad, shape):
        axes = axes_of(bg, grad, shape)
        places = tuple(slice(0, 1) if axis in axes else slice(None) for axis in range(grad.ndim))
        return bg.Tensor(grad.data[places].reshape(shape) if grad.size else np.zeros(shape))

    patch_unbroadcast(bg, first)


@wrong(
    stretched,
    "grad[0]",
    "grad[0] would be the gradient of the first copy alone (and Tensors cannot be indexed before notebook 10). Each "
    "copy has a gradient, and the number answers for all of them.",
)
def _(bg):
    patch_unbroadcast(bg, lambda grad, shape: grad[0])


@wrong(
    stretched,
    "one copy times their number",
    "The first copy's gradient is taken as many times as there are copies. The copies are equal, but their gradients "
    "need not be: what comes later may treat each of them differently. What does each of them get?",
)
def _(bg):
    def times(grad, shape):
        axes = axes_of(bg, grad, shape)
        places = tuple(slice(0, 1) if axis in axes else slice(None) for axis in range(grad.ndim))
        copies = math.prod(grad.shape[axis] for axis in axes)
        return bg.Tensor(grad.data[places].reshape(shape) * copies if grad.size else np.zeros(shape))

    patch_unbroadcast(bg, times)


@wrong(
    stretched,
    "axis 0 always",
    "Axis 0 is added up, whatever was stretched. Along which axes copies lie depends on the two shapes: "
    "stretched_axes tells you.",
)
def _(bg):
    patch_unbroadcast(bg, lambda grad, shape: bg.ops.summation(grad, 0))


@wrong(
    stretched,
    "everything added up",
    "summation without axes adds up everything, and one number is left. Only the stretched axes are to be summed: "
    "summation takes them as its second argument.",
)
def _(bg):
    patch_unbroadcast(bg, lambda grad, shape: bg.ops.reshape(bg.ops.summation(grad), shape))


@wrong(
    stretched,
    "the last axes taken for the new ones",
    "This sums the axes at the end, as many as are missing. But new axes come in front: shapes are lined up at the "
    "right.",
)
def _(bg):
    def last(grad, shape):
        padded = (*shape, *[1] * (grad.ndim - len(shape)))
        axes = [axis for axis, (n, m) in enumerate(zip(padded, grad.shape)) if n != m or axis >= len(shape)]
        return bg.ops.reshape(bg.ops.summation(grad, axes), shape)

    patch_unbroadcast(bg, last)


@wrong(
    stretched,
    "stretched even more",
    "broadcast_to makes a shape larger. Here the gradient must come back to the smaller one. Which operation is the "
    "rule of a broadcast?",
)
def _(bg):
    patch_unbroadcast(bg, lambda grad, shape: bg.ops.broadcast_to(grad, shape))


@wrong(
    stretched,
    "a reshape for a sum",
    "reshape adds nothing up, so a larger gradient cannot fit. What has to happen to the copies' gradients first? (If "
    "you do add them up: stretched_axes takes the small shape first.)",
)
def _(bg):
    patch_unbroadcast(bg, lambda grad, shape: bg.ops.reshape(grad, shape))


@wrong(
    stretched,
    "arguments of stretched_axes swapped",
    "stretched_axes wants the small shape first, then the large one. The small one is the input's: shape. The large "
    "one is that of grad.",
)
def _(bg):
    def swapped(grad, shape):
        return bg.ops.reshape(bg.ops.summation(grad, bg.ops.shape.stretched_axes(grad.shape, shape)), shape)

    patch_unbroadcast(bg, swapped)


@wrong(
    stretched,
    "NumPy inside unbroadcast",
    "The numbers are right, but what unbroadcast returns remembers nothing, as if NumPy had added up, and every rule "
    "that uses it is cut off there. summation and reshape work on the Tensor grad.",
)
def _(bg):
    patch_unbroadcast(bg, lambda grad, shape: bg.Tensor(grad.data.sum(axes_of(bg, grad, shape)).reshape(shape)))


@wrong(
    stretched,
    "an array from unbroadcast",
    "unbroadcast takes a Tensor and returns a Tensor. No .data is needed: summation and reshape work on grad itself.",
)
def _(bg):
    patch_unbroadcast(bg, lambda grad, shape: np.asarray(grad.data.sum(axes_of(bg, grad, shape)).reshape(shape)))


def adds_up_itself(operation, name, words, shares):
    """A rule of notebook 06 that calls unbroadcast itself, and wrongly.  shares(unbroadcast, out_grad, a, b)"""

    @wrong(
        stretched,
        f"{operation}: {name}",
        f"Look at {operation}.backward in ops/arithmetic.py: {words} A rule is about one place, and needs no "
        "unbroadcast: what was stretched is added up afterwards, for all of them. With equal shapes nobody could see "
        "it.",
    )
    def _(bg):
        def backward(self, out_grad, node):
            return shares(bg.ops.unbroadcast, out_grad, *node._inputs)

        getattr(bg.ops, operation).backward = backward


adds_up_itself(
    "Mul",
    "added up before multiplying",
    "it calls unbroadcast on out_grad and multiplies afterwards. But each copy has a slope of its own, so the products "
    "come first, and then the sum.",
    lambda down, out_grad, a, b: (down(out_grad, a.shape) * b, down(out_grad, b.shape) * a),
)
adds_up_itself(
    "Mul",
    "the shapes swapped",
    "it brings each share to the shape of the other input. out_grad * b is the share of a.",
    lambda down, out_grad, a, b: (down(out_grad * b, b.shape), down(out_grad * a, a.shape)),
)
adds_up_itself(
    "Div",
    "added up before dividing",
    "out_grad is added up first and divided afterwards. But each copy has a slope of its own, so every place is "
    "divided first.",
    lambda down, out_grad, a, b: (down(out_grad, a.shape) / b, -out_grad * a / (b * b)),
)


@wrong(
    stretched,
    "NumPy for the sizes of 1",
    "New axes are added up by summation, but sizes of 1 by NumPy: the numbers are right, but after the second step "
    "they remember nothing. summation can add up both kinds.",
)
def _(bg):
    def second_step_by_numpy(grad, shape):
        total = bg.ops.summation(grad, tuple(range(grad.ndim - len(shape))))
        ones = tuple(axis for axis, size in enumerate(shape) if size == 1 != total.shape[axis])
        return bg.Tensor(total.data.sum(ones, keepdims=True), dtype=grad.dtype) if ones else total

    patch_unbroadcast(bg, second_step_by_numpy)


@wrong(
    stretched,
    "added to zeros",
    "The numbers are right, but float32 has become float64: zeros that NumPy makes have a dtype of their own. The sum "
    "needs no zeros to begin with.",
)
def _(bg):
    right = bg.ops.shape.unbroadcast
    patch_unbroadcast(bg, lambda grad, shape: right(grad, shape) + np.zeros(shape))


@wrong(
    stretched,
    "grad changed for good",
    "The answer is right, but grad has changed. Others may still need it. summation and "
    "reshape make new Tensors and leave grad alone.",
)
def _(bg):
    def in_place(grad, shape):
        grad.data = grad.data.sum(axes_of(bg, grad, shape)).reshape(shape)
        return grad

    patch_unbroadcast(bg, in_place)


@wrong(
    stretched,
    "Tensor(...) in unbroadcast",
    "unbroadcast needs no Tensor(...): summation and reshape work on grad as it is, and return Tensors. No .data is "
    "needed either.",
)
def _(bg):
    patch_unbroadcast(bg, no_such_name)


# 7.7


def _answer(name, words, shape, axes):
    """Register a sum over these axes.  shape: made from how many numbers the sum leaves."""

    @wrong(hunt, name, words)
    def _(bg):
        bg.hunts.three_sums = lambda left: (shape(left), axes)


_answer(
    "only a square",
    "Equal sizes give C away. A and B stumble over the way the axes are named: look at what each of them does with "
    "the axes.",
    lambda left: (left, left),
    (0,),
)
_answer(
    "only a negative axis",
    "A negative axis gives B away. C only fails if sizes are equal, and A only with more than one axis.",
    lambda left: (left, left - 1),
    (-1,),
)
_answer(
    "only an odd order",
    "With the larger axis first, A gives itself away. B only fails if an axis has another name than 0, 1 or 2, and C "
    "only if sizes are equal.",
    lambda left: (left - 1, left % 40 + 1, left),
    (1, 0),
)
_answer(
    "negative, but in order",
    "Equal sizes and a negative axis: B and C fail. A puts the axes back in the order given, and in this order that "
    "works.",
    lambda left: (left, left, left),
    (0, -2),
)
