"""For notebook 17: layers of filters, pooling and batch norm, and a net that reads digits.

Given.
"""

import math

import numpy as np

from . import init
from .announce import announced
from .conv import avg_pool2d, conv2d, max_pool2d, places
from .nn import Buffer, Linear, Module, Parameter, ReLU, Sequential


class Conv2d(Module):
    """A layer of filters: each looks at each window of a picture, at all channels of it.

    in_channels, out_channels: how many channels the pictures have, and how many filters there are.
    kernel_size: of a filter.  stride, padding: as in Windows.  bias: False for none.
    rng: draws the first numbers, from -1/sqrt(n) to 1/sqrt(n), where n is how many numbers a filter has.
    .weight: (out_channels, in_channels, kernel_size, kernel_size).  .bias: (out_channels,), or None.
    Source: torch.nn.Conv2d.
    """

    def __init__(self, in_channels, out_channels, kernel_size, stride=1, padding=0, bias=True, rng=None):
        rng = np.random.default_rng() if rng is None else rng
        shape = (out_channels, in_channels, kernel_size, kernel_size)
        fan_in = in_channels * kernel_size**2
        self.stride, self.padding = stride, padding
        self.weight = Parameter(init.linear_uniform(fan_in, out_channels, rng, shape))
        self.bias = Parameter(init.linear_uniform(fan_in, out_channels, rng, (out_channels,))) if bias else None

    def forward(self, x):
        """x (N, in_channels, height, width).  Returns (N, out_channels, rows, columns)."""
        return conv2d(x, self.weight, self.bias, self.stride, self.padding)


class MaxPool2d(Module):
    """The largest number of each window.  kernel_size, stride: size and stride of max_pool2d."""

    def __init__(self, kernel_size, stride=None):
        self.size, self.stride = kernel_size, stride

    def forward(self, x):
        return max_pool2d(x, self.size, self.stride)


class AvgPool2d(MaxPool2d):
    """The mean of each window.  kernel_size, stride: size and stride of avg_pool2d."""

    def forward(self, x):
        return avg_pool2d(x, self.size, self.stride)


class BatchNorm2d(Module):
    """Each channel with mean 0 and standard deviation 1, then stretched by a weight and moved by a bias. Given.

    In training, mean and variance are those of this batch, over pictures and places; they also move the running
    numbers a little. In use it is these running numbers: what a picture gets does not depend on the others.
    channels: how many.  eps: keeps the division finite.  momentum: the share of each batch in the running numbers.
    .weight, .bias: Parameters.  .running_mean, .running_var: Buffers, all (channels,).
    Raises ValueError in training if a channel has fewer than two numbers.
    Source: torch.nn.BatchNorm2d.
    """

    def __init__(self, channels, eps=1e-5, momentum=0.1):
        self.eps, self.momentum = eps, momentum
        self.weight = Parameter(np.ones(channels))
        self.bias = Parameter(np.zeros(channels))
        self.running_mean = Buffer(np.zeros(channels))
        self.running_var = Buffer(np.ones(channels))

    def forward(self, x):
        """x (N, channels, height, width).  Returns a Tensor of its shape."""
        self.demand(x.shape)
        if self.training:
            mean = x.mean((0, 2, 3), keepdims=True)
            difference = x - mean
            variance = (difference * difference).mean((0, 2, 3), keepdims=True)
            count = x.size // x.shape[1]
            follow(self.running_mean, mean.reshape(-1), self.momentum)
            follow(self.running_var, variance.reshape(-1) * (count / (count - 1)), self.momentum)
        else:
            difference = x - self.running_mean.reshape(-1, 1, 1)
            variance = self.running_var.reshape(-1, 1, 1)
        return difference / (variance + self.eps).sqrt() * self.weight.reshape(-1, 1, 1) + self.bias.reshape(-1, 1, 1)

    def demand(self, shape):
        """Raises ValueError for a shape that cannot be normalised."""
        channels = len(self.weight.data)
        if len(shape) != 4 or shape[1] != channels:
            raise ValueError(f"BatchNorm2d of {channels} channels needs (N, {channels}, height, width), not {shape}")
        if self.training and math.prod(shape) < 2 * channels:
            raise ValueError(f"a batch of shape {shape} has no spread: in training each channel needs two numbers")


@announced
def follow(buffer, numbers, share):
    """Move a Buffer's numbers towards others by this share of the way, in place; nothing is recorded.

    It is announced, since a compiled step has to do so each time.
    """
    buffer.data += share * (numbers.data - buffer.data)


class Flatten(Module):
    """(N, ...) becomes (N, all the rest)."""

    def forward(self, x):
        return x.reshape(x.shape[0], math.prod(x.shape[1:]))


class Pictures(Module):
    """Rows of pixels, (N, side * side), as pictures, (N, 1, side, side)."""

    def __init__(self, side):
        self.side = side

    def forward(self, x):
        return x.reshape(x.shape[0], 1, self.side, self.side)


def reading_net(side, rng=None):
    """A small net that reads digits, in the manner of LeNet: filters, pooling, filters, pooling, an MLP.

    side: 28 for MNIST's pictures, 8 for scikit-learn's.  It takes rows of side * side pixels.
    rng: draws the first weights.
    Source: LeNet-5 (LeCun and others 1998), with relu, batch norm, max pooling and fewer weights.
    """
    rng = np.random.default_rng() if rng is None else rng
    size, padding = (5, 0) if side > 8 else (3, 1)
    first = places(side, size, 1, padding) // 2
    second = places(first, size, 1, padding) // 2
    return Sequential(
        Pictures(side),
        Conv2d(1, 8, size, padding=padding, rng=rng),
        BatchNorm2d(8),
        ReLU(),
        MaxPool2d(2),
        Conv2d(8, 16, size, padding=padding, rng=rng),
        BatchNorm2d(16),
        ReLU(),
        MaxPool2d(2),
        Flatten(),
        Linear(16 * second**2, 64, rng=rng),
        ReLU(),
        Linear(64, 10, rng=rng),
    )
