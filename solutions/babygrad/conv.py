"""Notebook 17: windows of a picture, a convolution as one product, pooling; what a net sees, and how it is fooled.

Yours: 17.1, 17.2, 17.3, 17.4, 17.5, 17.6.

Shapes: pictures (N, channels, height, width); filters (out_channels, channels, size, size), each a small picture.
Layers made of this, and a net of them, are in conv_net.py.
"""

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from .arrays import whole_number
from .autograd import grad
from .losses import cross_entropy
from .nn import modes_kept
from .ops import Function
from .tensor import Tensor


def places(length, size, stride=1, padding=0):
    """How many windows fit along one axis of a picture.

    length: of the axis, without its padding.  size: of a window.  stride: how far apart two windows begin.
    padding: how many zeros are put before the axis, and as many after it.
    Returns an int; 0 or less if not even one fits.
    """
    ### BEGIN SOLUTION 17.1: places
    return (length + 2 * padding - size) // stride + 1
    ### END SOLUTION


class OfWindows(Function):
    """What Windows and Overlay share: size, stride and padding, and a refusal of shapes that do not fit."""

    def __init__(self, size, stride=1, padding=0):
        self.size = whole_number("size", size, 1)
        self.stride = whole_number("stride", stride, 1)
        self.padding = whole_number("padding", padding, 0)

    def __call__(self, x):
        if error := self.explained((x,)):
            raise error
        return super().__call__(x)


class Windows(OfWindows):
    """All square windows of pictures: (N, C, height, width) becomes (N, C, rows, columns, size, size).

    size: of a window.  stride: how far apart two windows begin, downwards and to the right.
    padding: how many rows and columns of zeros are put around each picture first.
    Source: torch.nn.Unfold.
    """

    def forward(self, pictures):
        """pictures: an array.  Returns an array of the same dtype, and without padding a view of the pictures.

        [n, c, i, j] is the window that lies i strides below the first one, and j strides to its right.
        `sliding_window_view(a, (4, 5), axis=(2, 3))` has all windows of 4 rows and 5 columns, stride 1, as a view.
        """
        if self.padding:
            around = (self.padding, self.padding)
            pictures = np.pad(pictures, ((0, 0), (0, 0), around, around))
        ### BEGIN SOLUTION 17.1: Windows.forward
        every = sliding_window_view(pictures, (self.size, self.size), axis=(2, 3))
        return every[:, :, :: self.stride, :: self.stride]
        ### END SOLUTION

    def backward(self, out_grad, node):
        """out_grad (N, C, rows, columns, size, size).  Returns the gradient of the pictures, of their shape.

        Made of operations on Tensors.
        """
        (pictures,) = node._inputs
        ### BEGIN SOLUTION 17.2: Windows.backward
        return overlay(out_grad, pictures.shape[2:], self.stride, self.padding)
        ### END SOLUTION

    def why_refused(self, shape):
        if len(shape) != 4:
            missing = " Give them the missing ones with reshape." if len(shape) < 4 else ""
            return f"pictures have four axes (N, channels, height, width), not {len(shape)}.{missing}"
        return too_small(shape[2:], self.size, self.padding)


class Overlay(OfWindows):
    """Windows laid on an empty picture, each where it was cut: what lies on one place is added up.

    (N, C, rows, columns, size, size) becomes (N, C, height, width).
    shape: (height, width).  size, stride, padding: as in Windows.
    Source: torch.nn.Fold.
    """

    def __init__(self, shape, size, stride=1, padding=0):
        super().__init__(size, stride, padding)
        self.shape = tuple(shape)

    def forward(self, windows):
        """windows: an array.  Returns an array of its dtype; what lies on the padding is left out."""
        height, width = self.shape
        rows, columns = windows.shape[2:4]
        padded = np.zeros((*windows.shape[:2], height + 2 * self.padding, width + 2 * self.padding), windows.dtype)
        ### BEGIN SOLUTION 17.2: Overlay.forward
        for i in range(self.size):
            down = slice(i, i + rows * self.stride, self.stride)
            for j in range(self.size):
                right = slice(j, j + columns * self.stride, self.stride)
                padded[:, :, down, right] += windows[..., i, j]
        ### END SOLUTION
        return padded[:, :, self.padding : self.padding + height, self.padding : self.padding + width]

    def backward(self, out_grad, node):
        """out_grad (N, C, height, width).  Returns the gradient of the windows, made of operations on Tensors."""
        return windows(out_grad, self.size, self.stride, self.padding)

    def why_refused(self, shape):
        if len(shape) != 6:
            return "windows have six axes (N, channels, rows, columns, size, size)."
        fit = tuple([places(length, self.size, self.stride, self.padding) for length in self.shape])
        if shape[2:] != (*fit, self.size, self.size):
            right = f"(N, channels, {', '.join(map(str, (*fit, self.size, self.size)))})"
            return f"pictures of {self.shape} have windows of shape {right}."
        return ""


def too_small(shape, size, padding):
    """Why no window of this size fits into pictures of this (height, width); "" if one does."""
    if min(shape) + 2 * padding >= size:
        return ""
    around = f" With {padding} zeros on each side their shorter side is {min(shape) + 2 * padding}." if padding else ""
    return f"no window of size {size} fits into pictures of {shape}.{around}"


def windows(pictures, size, stride=1, padding=0):
    """All square windows of pictures, a Tensor: see Windows.  Raises ValueError for shapes that do not fit."""
    return Windows(size, stride, padding)(pictures)


def overlay(windows, shape, stride=1, padding=0):
    """Windows laid on empty pictures of shape (height, width), added where they overlap: see Overlay."""
    return Overlay(shape, np.shape(windows)[-1], stride, padding)(windows)


# ------------------------------------------------------------------ convolution and pooling


def conv2d(pictures, weight, bias=None, stride=1, padding=0):
    """Each filter laid on each window: the sum of the products, over all channels, plus the filter's bias.

    pictures (N, channels, height, width), weight (out_channels, channels, size, size), bias (out_channels,): Tensors.
    stride, padding: as in Windows.
    Returns (N, out_channels, rows, columns), a Tensor that leads back to all three; N may be 0.
    Source: torch.nn.functional.conv2d, which does not turn the filters round either.
    """
    demand_filters(pictures, weight, bias)
    count, channels, size, _ = weight.shape
    cut = windows(pictures, size, stride, padding)
    n, _, rows, columns, _, _ = cut.shape
    ### BEGIN SOLUTION 17.3: conv2d
    each_a_column = cut.transpose((1, 4, 5, 0, 2, 3)).reshape(channels * size * size, n * rows * columns)
    answers = weight.reshape(count, channels * size * size) @ each_a_column
    if bias is not None:
        answers = answers + bias.reshape(count, 1)
    return answers.reshape(count, n, rows, columns).transpose((1, 0, 2, 3))
    ### END SOLUTION


def demand_filters(pictures, weight, bias):
    """Raises ValueError, with the shapes, unless the filters fit the pictures."""
    shapes = [x.shape for x in (pictures, weight, bias) if x is not None]
    words = f"conv2d of {' and '.join(map(str, shapes))}: "
    if [len(shape) for shape in shapes] != [4, 4, 1][: len(shapes)]:
        raise ValueError(
            f"{words}pictures are (N, channels, height, width), filters (out_channels, channels, size, size), "
            "a bias is (out_channels,)."
        )
    if shapes[0][1] != shapes[1][1]:
        raise ValueError(f"{words}the pictures have {shapes[0][1]} channels, but the filters {shapes[1][1]}.")
    if shapes[1][2] != shapes[1][3]:
        raise ValueError(f"{words}filters must be as high as they are wide.")
    if bias is not None and shapes[2][0] != shapes[1][0]:
        raise ValueError(f"{words}there are {shapes[1][0]} filters, but {shapes[2][0]} numbers in the bias.")


def max_pool2d(pictures, size, stride=None):
    """The largest number of each window, channel by channel.

    pictures (N, channels, height, width): a Tensor.  size: of a window.  stride: None for windows side by side.
    Returns (N, channels, rows, columns), a Tensor. Winners that tie share the gradient equally.
    Source: torch.nn.functional.max_pool2d, where the first of equal numbers gets all of it.
    """
    ### BEGIN SOLUTION 17.4: max_pool2d
    return in_front(windows(pictures, size, stride or size)).max(0)
    ### END SOLUTION


def avg_pool2d(pictures, size, stride=None):
    """The mean of each window, channel by channel.  Arguments and result as in max_pool2d.

    Source: torch.nn.functional.avg_pool2d.
    """
    return in_front(windows(pictures, size, stride or size)).mean(0)


def in_front(cut):
    """Windows (N, C, rows, columns, size, size) as (size * size, N, C, rows, columns).

    What is taken along axis 0 is taken of each window. NumPy is many times as fast there as along short last axes.
    """
    return cut.transpose((4, 5, 0, 1, 2, 3)).reshape(cut.shape[-1] ** 2, *cut.shape[:4])


# ------------------------------------------------------------------ what a net sees


def saliency(model, pictures, labels):
    """For each picture the gradient of one of its scores with respect to the picture.

    model: a Module whose answers are scores (N, classes), those of a picture made of this picture alone.
    pictures (N, ...): an array, which is left as it is.  labels (N,): ints, the score that is meant for each picture.
    Returns an array of the shape and dtype of pictures. No .grad of the model is touched.
    Source: Simonyan and others 2014, without the absolute value.
    """
    with modes_kept(model):
        model.eval()  # in use
        ### BEGIN SOLUTION 17.5: saliency
        x = Tensor(pictures)
        scores = model(x)[np.arange(len(labels)), labels]
        return grad(scores.sum(), x).data
        ### END SOLUTION


def fooled(model, pictures, labels, step):
    """Pictures, each moved a little so that the loss of its label grows: the fast gradient sign method.

    model: a Module whose answers are scores (N, classes).  pictures (N, ...): an array of numbers from 0 to 1, which is
    left as it is.  labels (N,): ints, what the pictures show.
    step: how much each pixel moves, up or down; where the loss has no slope it stays.
    Returns an array of the shape and dtype of pictures, of numbers from 0 to 1. No .grad of the model is touched.
    Source: Goodfellow and others 2015.
    """
    with modes_kept(model):
        model.eval()  # in use
        ### BEGIN SOLUTION 17.6: fooled
        x = Tensor(pictures)
        loss = cross_entropy(model(x), labels)
        return np.clip(pictures + step * np.sign(grad(loss, x).data), 0, 1)
        ### END SOLUTION
