"""The layers of notebook 17: what they refuse, their state, compiled steps; what a net sees, and how it is fooled."""

import gc
import tracemalloc

import numpy as np
import pytest
from numpy.lib.stride_tricks import sliding_window_view

import babygrad as bg
from babygrad import conv, conv_net
from toolbox.training import small_digits


def some(*shape, seed=0):
    return bg.Tensor(np.random.default_rng(seed).normal(size=shape))


# ------------------------------------------------------------------ what is refused


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (
            lambda: conv.windows(some(3, 4), 2),
            r"Windows of \(3, 4\): pictures have four axes .*, not 2\. Give them the",
        ),
        (
            lambda: conv.windows(some(1, 2, 3, 3, 3), 2),
            r"pictures have four axes \(N, channels, height, width\), not 5\.$",
        ),
        (lambda: conv.windows(some(1, 1, 2, 5), 3), r"no window of size 3 fits into pictures of \(2, 5\)\.$"),
        (lambda: conv.windows(some(1, 1, 1, 5), 4, padding=1), "With 1 zeros on each side their shorter side is 3"),
        (lambda: conv.windows(some(1, 1, 3, 3), 0), "size must be at least 1, but it is 0"),
        (lambda: conv.windows(some(1, 1, 3, 3), 2, 0), "stride must be at least 1"),
        (lambda: conv.windows(some(1, 1, 3, 3), 2, 1, -1), "padding must be at least 0"),
        (lambda: conv.overlay(some(1, 1, 2, 2, 2, 2), (5, 5)), r"have windows of shape \(N, channels, 4, 4, 2, 2\)"),
        (lambda: conv.overlay(some(2, 2), (5, 5)), "windows have six axes"),
        (lambda: conv.conv2d(some(1, 2, 3, 3), some(4, 3, 2, 2)), "have 2 channels, but the filters 3"),
        (
            lambda: conv.conv2d(some(2, 3, 3), some(4, 3, 2, 2)),
            r"conv2d of \(2, 3, 3\) and \(4, 3, 2, 2\): pictures are",
        ),
        (lambda: conv.conv2d(some(1, 1, 3, 3), some(4, 1, 2, 1)), "filters must be as high as they are wide"),
        (lambda: conv.conv2d(some(1, 1, 3, 3), some(4, 1, 2, 2), some(3)), "4 filters, but 3 numbers in the bias"),
        (
            lambda: conv.conv2d(some(1, 1, 1, 1), some(4, 1, 2, 2)),
            r"no window of size 2 fits into pictures of \(1, 1\)",
        ),
        (lambda: conv_net.BatchNorm2d(3)(some(1, 2, 3, 3)), r"needs \(N, 3, height, width\), not \(1, 2, 3, 3\)"),
        (lambda: conv_net.BatchNorm2d(2)(some(1, 2, 1, 1)), "has no spread"),
        (lambda: conv_net.BatchNorm2d(2)(some(0, 2, 3, 3)), "has no spread"),
    ],
)
def test_bad_shapes_are_named(call, words):
    with pytest.raises(ValueError, match=words):
        call()


def test_one_picture_of_one_pixel_may_be_normalised_in_use():
    assert conv_net.BatchNorm2d(2).eval()(some(1, 2, 1, 1)).shape == (1, 2, 1, 1)


# ------------------------------------------------------------------ state


def test_running_numbers_belong_to_the_state_and_to_no_optimizer(tmp_path):
    net, other = (conv_net.reading_net(8, np.random.default_rng(seed)) for seed in (0, 1))
    net(some(5, 64))
    assert {"layers.2.running_mean", "layers.2.running_var"} <= net.state_dict().keys()
    assert not any("running" in name for name, _ in net.named_parameters())
    net.save(tmp_path / "net.npz")
    other.load(tmp_path / "net.npz")
    x = some(4, 64, seed=2)
    np.testing.assert_array_equal(other.eval()(x).data, net.eval()(x).data)


def test_what_a_picture_gets_in_use_does_not_depend_on_the_others():
    net, x = conv_net.reading_net(8, np.random.default_rng(0)), some(6, 64)
    net(x)
    together = net.eval()(x).data
    np.testing.assert_allclose(together[2:3], net(x[2:3]).data, rtol=1e-12)


def test_reading_nets():
    for side, inner in ((8, 16 * 2 * 2), (28, 16 * 4 * 4)):
        net = conv_net.reading_net(side, np.random.default_rng(0))
        assert net(some(2, side * side)).shape == (2, 10)
        assert net.layers[-3].weight.shape == (inner, 64)


# ------------------------------------------------------------------ what notebook 17 says was measured


@pytest.mark.leg("push")
def test_with_batch_norm_the_net_learns_faster():
    """After three epochs, with three first weights each."""
    found = {"with": [], "without": []}
    for seed in range(3):
        for name, shares in found.items():
            net = conv_net.reading_net(8, np.random.default_rng(seed))
            if name == "without":
                net.layers = [layer for layer in net.layers if not isinstance(layer, conv_net.BatchNorm2d)]
            shares.append(small_digits.right(small_digits.trained(net, small_digits.x, epochs=3), small_digits.x_new))
    ends = {name: [round(100 * end) for end in (min(shares), max(shares))] for name, shares in found.items()}
    assert ends == {"with": [92, 95], "without": [74, 82]}


# ------------------------------------------------------------------ compiled


def steps_of(compiled, twice=False):
    """Losses and state of some steps; with `twice` each goes through the net two times."""
    rng, net = np.random.default_rng(1), conv_net.reading_net(8, np.random.default_rng(0))
    optimizer = bg.SGD(net.parameters(), 0.1, 0.9)

    def step(x, y):
        loss = bg.cross_entropy(net(x), y)
        if twice:
            loss = loss + bg.cross_entropy(net(1 - x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        return loss

    run = bg.compile(step) if compiled else step
    batches = [(bg.Tensor(rng.random((6, 64)), requires_grad=False), rng.integers(0, 10, 6)) for _ in range(4)]
    return [run(*batch).item() for batch in batches], net.state_dict()


@pytest.mark.parametrize("twice", [False, True], ids=["once", "twice"])
def test_compiled_steps_are_the_eager_ones_running_numbers_too(twice):
    (losses, eager), (others, compiled) = steps_of(False, twice), steps_of(True, twice)
    np.testing.assert_allclose(others, losses, rtol=1e-10)
    for name in eager:
        np.testing.assert_allclose(compiled[name], eager[name], rtol=1e-8, atol=1e-12, err_msg=name)


def test_what_reads_running_numbers_after_they_moved_reads_the_new_ones():
    def answers(compiled):
        norm = conv_net.BatchNorm2d(2)

        def step(x):
            return norm(x), norm.running_mean * 2

        run = bg.compile(step) if compiled else step
        found = [run(some(3, 2, 2, 2, seed=seed)) for seed in range(3)]
        return [y.data for pair in found for y in pair]

    for compiled, eager in zip(answers(True), answers(False), strict=True):
        np.testing.assert_allclose(compiled, eager, rtol=1e-12)


def test_a_compiled_net_in_use_reads_the_running_numbers_anew():
    norm, x = conv_net.BatchNorm2d(2).eval(), some(3, 2, 2, 2)
    compiled = bg.compile(lambda x: norm(x))
    compiled(x)
    norm.load_state_dict({name: numbers + 1 for name, numbers in norm.state_dict().items()})
    np.testing.assert_allclose(compiled(x).data, norm(x).data)


def by_hand(x, weight, above):
    """A convolution and its gradients in NumPy, as one writes them without an engine."""
    count, channels, size, _ = weight.shape
    cut = sliding_window_view(x, (size, size), axis=(2, 3))
    n, _, rows, columns, _, _ = cut.shape
    columns_of = cut.transpose(1, 4, 5, 0, 2, 3).reshape(channels * size**2, -1)
    flat = weight.reshape(count, -1)
    out = (flat @ columns_of).reshape(count, n, rows, columns).transpose(1, 0, 2, 3)
    back = above.transpose(1, 0, 2, 3).reshape(count, -1)
    to_weight = (back @ columns_of.T).reshape(weight.shape)
    shares = (flat.T @ back).reshape(channels, size, size, n, rows, columns)
    to_x = np.zeros_like(x)
    for i in range(size):
        for j in range(size):
            to_x[:, :, i : i + rows, j : j + columns] += shares[:, i, j].transpose(1, 0, 2, 3)
    return out, to_x, to_weight


def peak(make):
    """The most bytes that are there at once in the second call of what make() returns, its own arrays included."""
    tracemalloc.start()
    try:
        before = tracemalloc.get_traced_memory()[0]
        call = make()
        call()
        gc.collect()
        tracemalloc.reset_peak()
        call()
        return tracemalloc.get_traced_memory()[1] - before
    finally:
        tracemalloc.stop()


@pytest.mark.leg("push")
def test_memory_of_a_compiled_step_is_that_of_numpy():
    """(An eager step needs 2.4 times as much: each node keeps its gradient.)"""
    x, weight = some(16, 4, 20, 20), some(8, 4, 5, 5, seed=1)
    above = np.random.default_rng(2).normal(size=(16, 8, 16, 16))

    def step(above):
        x.zero_grad(), weight.zero_grad()
        (conv.conv2d(x, weight) * above).sum().backward()

    def compiled():
        program = bg.compile(step)
        return lambda: program(above)

    most = peak(compiled)
    for found, right in zip((x.grad, weight.grad), by_hand(x.data, weight.data, above)[1:]):
        np.testing.assert_allclose(found, right, atol=1e-10)
    assert most <= 1.5 * peak(lambda: lambda: by_hand(x.data, weight.data, above))


# ------------------------------------------------------------------ what a net sees


def test_saliency_is_the_slope_of_one_score():
    net, x = conv_net.reading_net(8, np.random.default_rng(0)), np.random.default_rng(1).random((3, 64))
    net(bg.Tensor(x))
    labels = np.array([7, 0, 3])
    found = conv.saliency(net, x, labels)
    net.eval()
    for row, label in enumerate(labels):
        slopes = bg.derivatives.numerical_gradient(
            lambda p, label=label: net(bg.Tensor(p[None])).data[0, label], x[row]
        )
        np.testing.assert_allclose(found[row], slopes, atol=1e-5)
    assert all(p.grad is None for p in net.parameters())


def test_fooled_pictures_have_a_higher_loss_and_stay_pictures():
    net, rng = conv_net.reading_net(8, np.random.default_rng(0)), np.random.default_rng(1)
    x, labels = rng.random((5, 64)), rng.integers(0, 10, 5)
    before = x.copy()
    moved = conv.fooled(net, x, labels, 0.01)
    assert net.training and np.array_equal(x, before)
    assert moved.min() >= 0 and moved.max() <= 1 and np.abs(moved - x).max() <= 0.01 + 1e-12
    net.eval()
    assert bg.cross_entropy(net(bg.Tensor(moved)), labels).item() > bg.cross_entropy(net(bg.Tensor(x)), labels).item()


def test_float32_pictures_stay():
    net, x = conv_net.reading_net(8, np.random.default_rng(0)), np.ones((2, 64), "float32")
    for tensor in net.named_state().values():
        tensor.data = tensor.data.astype("float32")
    assert conv.saliency(net, x, [1, 2]).dtype == conv.fooled(net, x, [1, 2], 0.1).dtype == np.float32
