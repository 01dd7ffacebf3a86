"""Convolution, pooling and batch norm of notebook 17 against PyTorch, over random shapes; second derivatives."""

import numpy as np
import pytest
import torch

import babygrad as bg
from babygrad import conv, conv_net

functional = torch.nn.functional
CLOSE = 1e-10


def drawn(seed):
    """(N, channels, filters, size, stride, padding, height, width): sometimes no picture, or a single pixel."""
    rng = np.random.default_rng(seed)
    count, channels, filters = (int(rng.integers(*ends)) for ends in ((0, 4), (1, 4), (1, 4)))
    size, stride, padding = (int(rng.integers(*ends)) for ends in ((1, 5), (1, 4), (0, 3)))
    least = max(1, size - 2 * padding)
    height, width = (least + int(rng.integers(0, 6)) for _ in range(2))
    return rng, count, channels, filters, size, stride, padding, height, width


def both_ways(ours, theirs, arrays, rng):
    """Our result and gradients are PyTorch's.  ours, theirs: functions of as many Tensors as there are arrays."""
    mine, others = [bg.Tensor(x) for x in arrays], [torch.tensor(x, requires_grad=True) for x in arrays]
    found, right = ours(*mine), theirs(*others)
    assert found.shape == tuple(right.shape)
    above = rng.normal(size=found.shape)
    found.backward(above)
    right.backward(torch.tensor(above))
    pairs = [(found.data, right.detach()), *((x.grad, y.grad) for x, y in zip(mine, others))]
    for one, other in pairs:
        assert one.shape == tuple(other.shape)
        assert np.abs(one - other.numpy()).max(initial=0) < CLOSE


def check_conv(seed):
    rng, n, channels, filters, size, stride, padding, height, width = drawn(seed)
    shapes = [(n, channels, height, width), (filters, channels, size, size), (filters,)][: 2 + seed % 2]
    arrays = [rng.normal(size=shape) for shape in shapes]
    settings = dict(stride=stride, padding=padding)
    both_ways(lambda *x: conv.conv2d(*x, **settings), lambda *x: functional.conv2d(*x, **settings), arrays, rng)


def check_pool(seed):
    rng, n, channels, _, size, stride, _, height, width = drawn(seed)
    pictures = rng.normal(size=(n, channels, max(height, size), max(width, size)))
    stride = stride if seed % 2 else None
    for ours, theirs in (
        (conv.max_pool2d, functional.max_pool2d),
        (conv.avg_pool2d, functional.avg_pool2d),
    ):
        if n:  # PyTorch refuses no pictures here
            both_ways(pooled_by(ours, size, stride), pooled_by(theirs, size, stride), [pictures], rng)
        else:
            rows, columns = (conv.places(length, size, stride or size) for length in pictures.shape[2:])
            assert ours(bg.Tensor(pictures), size, stride).shape == (0, channels, rows, columns)


def pooled_by(pool, size, stride):
    return lambda x: pool(x, size, stride)


def check_norm(seed):
    rng, n, channels, *_, height, width = drawn(seed)
    n += n * height * width < 2
    n += n * height * width < 2
    ours, theirs = conv_net.BatchNorm2d(channels), torch.nn.BatchNorm2d(channels).double()
    weights = rng.normal(size=(2, channels))
    for mine, other, numbers in zip((ours.weight, ours.bias), (theirs.weight, theirs.bias), weights):
        mine.data[...] = numbers
        other.data = torch.tensor(numbers)
    for training in (True, True, False):
        ours.train(training), theirs.train(training)
        ours.zero_grad(), theirs.zero_grad()
        both_ways(ours, theirs, [rng.normal(2, 3, size=(n, channels, height, width))], rng)
        for mine, other in ((ours.weight.grad, theirs.weight.grad), (ours.bias.grad, theirs.bias.grad)):
            assert np.abs(mine - other.numpy()).max() < CLOSE
        for mine, other in ((ours.running_mean, theirs.running_mean), (ours.running_var, theirs.running_var)):
            assert np.abs(mine.data - other.numpy()).max() < CLOSE


CHECKS = (check_conv, check_pool, check_norm)


@pytest.mark.parametrize("check", CHECKS)
def test_they_are_those_of_torch(check):
    for seed in range(20):
        check(seed)


@pytest.mark.leg("night")
@pytest.mark.parametrize("check", CHECKS)
def test_they_are_those_of_torch_over_many_shapes(check):
    for seed in range(500):
        check(seed)


def check_second_derivatives(seed):
    rng, n, channels, filters, size, stride, padding, height, width = drawn(seed)
    size, height, width = min(size, 3), min(height, 4), min(width, 4)
    n, padding = max(1, min(n, 2)), max(padding, size - min(height, width))
    shapes = (n, channels, height, width), (filters, channels, size, size), (filters,)
    leaves = [bg.Tensor(rng.normal(size=shape)) for shape in shapes]
    bg.gradgradcheck(lambda *x: conv.conv2d(*x, stride, padding), leaves)
    numbers = rng.permutation(n * channels * 20) / 32  # small, and no two are close
    pictures = bg.Tensor(numbers.reshape(n, channels, 4, 5))
    bg.gradgradcheck(lambda x: conv.max_pool2d(x, size, stride) ** 2, [pictures])
    bg.gradgradcheck(lambda x: conv.avg_pool2d(x, size, stride) ** 2, [pictures])


@pytest.mark.parametrize("seed", range(3))
def test_second_derivatives(seed):
    check_second_derivatives(seed)


@pytest.mark.leg("night")
def test_second_derivatives_over_many_shapes():
    for seed in range(100):
        check_second_derivatives(seed)


@pytest.mark.parametrize("training", [True, False])
def test_second_derivatives_of_batch_norm(training):
    rng, norm = np.random.default_rng(0), conv_net.BatchNorm2d(2).train(training)
    bg.gradgradcheck(norm, [bg.Tensor(rng.normal(size=(2, 2, 2, 2)))])


def test_equal_numbers_share_what_comes_to_the_largest():
    x = bg.Tensor([[[[3.0, 3.0], [1.0, 0.0]]]])
    conv.max_pool2d(x, 2).backward([[[[8.0]]]])
    assert x.grad.tolist() == [[[[4, 4], [0, 0]]]]


def test_float32_stays():
    net, x = conv_net.reading_net(8, np.random.default_rng(0)), bg.Tensor(np.ones((3, 64)), dtype="float32")
    for parameter in net.named_state().values():
        parameter.data = parameter.data.astype("float32")
    for training in (True, False):
        answers = net.train(training)(x)
        answers.backward()
        assert answers.dtype == x.grad.dtype == np.float32
        assert {p.grad.dtype for p in net.parameters()} == {np.dtype("float32")}
        assert {p.dtype for p in net.named_state().values()} == {np.dtype("float32")}


def test_windows_are_a_view_unless_they_are_padded():
    pictures = bg.Tensor(np.arange(12.0).reshape(1, 1, 3, 4))
    assert np.shares_memory(conv.windows(pictures, 2, 2).data, pictures.data)
    assert not np.shares_memory(conv.windows(pictures, 2, 2, 1).data, pictures.data)
    assert pictures.data.flags.writeable
