"""The layers by hand: values and gradients against PyTorch, and against differences that this file takes itself."""

from itertools import pairwise

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

import babygrad as bg
from babygrad import layers

F = torch.nn.functional
ACTIVATIONS = {
    "ReLU": (layers.ReLU, torch.relu),
    "Tanh": (layers.Tanh, torch.tanh),
    "Sigmoid": (layers.Sigmoid, torch.sigmoid),
    "Softmax": (layers.Softmax, lambda x: torch.softmax(x, 1)),
}
sizes = st.integers(1, 6)
seeds = st.integers(0, 999)
anything = settings(deadline=None, max_examples=60)


def assert_equal(ours, theirs):
    theirs = theirs.detach().numpy()
    assert ours.shape == theirs.shape
    np.testing.assert_allclose(ours, theirs, rtol=1e-12, atol=1e-12)


def signed(rng, shape):
    """None near 0, where relu has its kink."""
    return rng.uniform(0.3, 2.0, shape) * rng.choice([-1.0, 1.0], shape)


def differences(f, array, h=1e-6):
    """The slope of f() to each number of the array, by nudging it in place."""
    slopes = np.empty(array.shape)
    for i in range(array.size):
        kept = array.flat[i]
        array.flat[i] = kept + h
        above = f()
        array.flat[i] = kept - h
        below = f()
        array.flat[i] = kept
        slopes.flat[i] = (above - below) / (2 * h)
    return slopes


def assert_gradients_equal_differences(layer, x, dout):
    layer.forward(x)
    dx = layer.backward(dout)
    by_hand = [gradient.copy() for gradient in layer.gradients()]
    f = lambda: (layer.forward(x) * dout).sum()
    np.testing.assert_allclose(dx, differences(f, x), rtol=1e-6, atol=1e-7)
    for parameter, gradient in zip(layer.parameters(), by_hand, strict=True):
        np.testing.assert_allclose(gradient, differences(f, parameter), rtol=1e-6, atol=1e-7)


# Linear.


@anything
@given(sizes, sizes, sizes, seeds)
def test_linear_equals_pytorchs(rows, n_in, n_out, seed):
    rng = np.random.default_rng(seed)
    layer, x, dout = layers.Linear(n_in, n_out, rng), rng.normal(size=(rows, n_in)), rng.normal(size=(rows, n_out))
    tx, weight, bias = (torch.tensor(a, requires_grad=True) for a in (x, layer.weight, layer.bias))
    out = tx @ weight + bias
    out.backward(torch.tensor(dout))
    assert_equal(layer.forward(x), out)
    assert_equal(layer.backward(dout), tx.grad)
    assert_equal(layer.dweight, weight.grad)
    assert_equal(layer.dbias, bias.grad)


def test_linear_draws_its_first_weights_as_nn_does():
    by_hand, module = (kind(5, 3, rng=np.random.default_rng(7)) for kind in (layers.Linear, bg.nn.Linear))
    np.testing.assert_array_equal(by_hand.weight, module.weight.data)
    np.testing.assert_array_equal(by_hand.bias, module.bias.data)


# The activations.


@anything
@given(st.sampled_from(sorted(ACTIVATIONS)), sizes, sizes, seeds)
def test_an_activation_equals_pytorchs(name, rows, columns, seed):
    rng = np.random.default_rng(seed)
    kind, theirs = ACTIVATIONS[name]
    layer, x, dout = kind(), 3 * rng.normal(size=(rows, columns)), rng.normal(size=(rows, columns))
    tx = torch.tensor(x, requires_grad=True)
    out = theirs(tx)
    out.backward(torch.tensor(dout))
    assert_equal(layer.forward(x), out)
    assert_equal(layer.backward(dout), tx.grad)


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("name", ACTIVATIONS)
def test_an_activation_is_right_at_1000_and_0_without_a_warning(name):
    kind, theirs = ACTIVATIONS[name]
    x = np.array([[1000.0, -1000.0, 0.0], [-1000.0, -1000.0, -999.0]])
    dout = np.array([[1.0, -2.0, 3.0], [0.5, 0.1, -0.7]])
    layer, tx = kind(), torch.tensor(x, requires_grad=True)
    out = theirs(tx)
    out.backward(torch.tensor(dout))
    assert_equal(layer.forward(x), out)
    assert_equal(layer.backward(dout), tx.grad)


@pytest.mark.parametrize("rows", [[[-np.inf, 1.0, 2.0]], [[3.0]], np.zeros((0, 2))])
def test_softmax_is_right_with_minus_infinity_one_class_and_no_rows(rows):
    x = np.array(rows)
    layer, tx = layers.Softmax(), torch.tensor(x, requires_grad=True)
    out = torch.softmax(tx, 1)
    out.backward(torch.full(x.shape, 0.7, dtype=torch.float64))
    assert_equal(layer.forward(x), out)
    assert_equal(layer.backward(np.full(x.shape, 0.7)), tx.grad)


@anything
@given(sizes, seeds)
def test_the_compact_form_of_softmax_is_its_jacobian_times_the_gradient(classes, seed):
    rng = np.random.default_rng(seed)
    x, dout = rng.normal(size=(3, classes)), rng.normal(size=(3, classes))
    layer = layers.Softmax()
    probabilities = layer.forward(x)
    rows = [layers.softmax_jacobian(p).T @ d for p, d in zip(probabilities, dout)]
    np.testing.assert_allclose(layer.backward(dout), rows, rtol=1e-12, atol=1e-15)


@anything
@given(sizes, seeds)
def test_the_jacobian_of_softmax_equals_pytorchs(classes, seed):
    x = np.random.default_rng(seed).normal(size=classes)
    theirs = torch.autograd.functional.jacobian(lambda t: torch.softmax(t, 0), torch.tensor(x))
    assert_equal(layers.softmax_jacobian(layers.softmax_rows(x[None])[0]), theirs)


# The loss.


@pytest.mark.filterwarnings("error")
@anything
@given(sizes, sizes, st.sampled_from([0.1, 1.0, 1000.0]), st.floats(-3, 3), seeds)
def test_the_cross_entropy_equals_pytorchs(rows, classes, scale, dout, seed):
    rng = np.random.default_rng(seed)
    scores, targets = scale * rng.normal(size=(rows, classes)), rng.integers(classes, size=rows)
    loss, theirs = layers.CrossEntropyLoss(), torch.tensor(scores, requires_grad=True)
    out = F.cross_entropy(theirs, torch.tensor(targets))
    out.backward(torch.tensor(dout, dtype=torch.float64))
    assert_equal(np.asarray(loss.forward(scores, targets)), out)
    assert_equal(loss.backward(dout), theirs.grad)


@anything
@given(sizes, sizes, seeds)
def test_the_gradient_of_the_cross_entropy_equals_differences(rows, classes, seed):
    rng = np.random.default_rng(seed)
    scores, targets = rng.normal(size=(rows, classes)), rng.integers(classes, size=rows)
    loss = layers.CrossEntropyLoss()
    loss.forward(scores, targets)
    gradient = loss.backward()
    expected = differences(lambda: loss.forward(scores, targets), scores)
    np.testing.assert_allclose(gradient, expected, rtol=1e-6, atol=1e-8)


def test_two_calls_of_backward_give_the_same_gradient():
    rng = np.random.default_rng(0)
    scores, dout = rng.normal(size=(3, 4)), rng.normal(size=(3, 4))
    loss = layers.CrossEntropyLoss()
    loss.forward(scores, np.array([0, 3, 1]))
    np.testing.assert_array_equal(loss.backward(), loss.backward())
    for name in ("Linear", *ACTIVATIONS):
        layer = layers.Linear(4, 4) if name == "Linear" else ACTIVATIONS[name][0]()
        layer.forward(scores)
        np.testing.assert_array_equal(layer.backward(dout), layer.backward(dout))


# Differences, ours and the layer file's.


def make(name, rng, n_in, n_out):
    return layers.Linear(n_in, n_out, rng) if name == "Linear" else ACTIVATIONS[name][0]()


@settings(deadline=None, max_examples=40)
@given(st.sampled_from(["Linear", *sorted(ACTIVATIONS)]), sizes, sizes, sizes, seeds)
def test_the_gradients_of_a_layer_equal_differences(name, rows, n_in, n_out, seed):
    rng = np.random.default_rng(seed)
    layer, x = make(name, rng, n_in, n_out), signed(rng, (rows, n_in))
    dout = rng.normal(size=layer.forward(x).shape)
    assert_gradients_equal_differences(layer, x, dout)


@settings(deadline=None, max_examples=40)
@given(st.sampled_from(["Linear", *sorted(ACTIVATIONS)]), sizes, sizes, st.integers(2, 6), seeds)
def test_eval_numerical_gradients_finds_a_right_layer_right_and_leaves_it_alone(name, rows, n_in, n_out, seed):
    rng = np.random.default_rng(seed)
    layer, x = make(name, rng, n_in, n_out), signed(rng, (rows, n_in))
    before = [array.copy() for array in (x, *layer.parameters())]
    errors = layers.eval_numerical_gradients(layer, x, seed=seed)
    assert list(errors) == [*layer.named_parameters(), "x"]
    assert max(errors.values()) < 1e-6, errors
    for array, old in zip((x, *layer.parameters()), before, strict=True):
        np.testing.assert_array_equal(array, old)


# Which gradient is wrong, the rule that makes it, and where the rule puts it (None: backward returns it).
WRONG_RULES = {
    "dweight is a mean": ("weight", lambda self, dout: self.kept.T @ dout / len(dout), "dweight"),
    "dbias keeps its rows": ("bias", lambda self, dout: dout[0], "dbias"),
    "dx forgets the weight": ("x", lambda self, dout: dout @ np.ones_like(self.weight.T), None),
    "dx a millionth too large": ("x", lambda self, dout: dout @ self.weight.T * (1 + 1e-5), None),
}


@pytest.mark.parametrize(("named", "rule", "where"), WRONG_RULES.values(), ids=WRONG_RULES)
def test_eval_numerical_gradients_names_the_gradient_that_is_wrong(named, rule, where):
    class Wrong(layers.Linear):
        def backward(self, dout):
            dx = super().backward(dout)
            if where is None:
                return rule(self, dout)
            setattr(self, where, rule(self, dout))
            return dx

    rng = np.random.default_rng(0)
    errors = layers.eval_numerical_gradients(Wrong(4, 3, rng), rng.normal(size=(5, 4)))
    assert [name for name, error in errors.items() if error > 1e-6] == [named]


def test_a_relative_error_is_0_for_equal_arrays_1_for_one_against_0_and_looks_at_sizes():
    a = np.array([[3.0, 4.0]])
    assert layers.relative_error(a, a) == 0 and layers.relative_error(a, 0 * a) == 1
    assert layers.relative_error(0 * a, 0 * a) == 0
    assert layers.relative_error(a, -a) == 1
    assert layers.relative_error(1e-9 * a, 3e-9 * a) == pytest.approx(0.5)


# The net.


def random_net(rng, widths):
    parts = []
    for n_in, n_out in pairwise(widths):
        parts += [layers.Linear(n_in, n_out, rng), rng.choice([layers.Tanh, layers.Sigmoid, layers.ReLU])()]
    return layers.Net(*parts[:-1])


def same_net_in_torch(net, x):
    leaves = {name: torch.tensor(array, requires_grad=True) for name, array in net.named_parameters().items()}
    for i, layer in enumerate(net.layers):
        linear = isinstance(layer, layers.Linear)
        x = x @ leaves[f"{i}.weight"] + leaves[f"{i}.bias"] if linear else ACTIVATIONS[type(layer).__name__][1](x)
    return x, leaves


@anything
@given(st.lists(sizes, min_size=2, max_size=5), sizes, seeds)
def test_a_net_with_its_loss_equals_pytorchs(widths, rows, seed):
    rng = np.random.default_rng(seed)
    net, loss = random_net(rng, widths), layers.CrossEntropyLoss()
    x, targets = rng.normal(size=(rows, widths[0])), rng.integers(widths[-1], size=rows)
    tx = torch.tensor(x, requires_grad=True)
    scores, leaves = same_net_in_torch(net, tx)
    theirs = F.cross_entropy(scores, torch.tensor(targets))
    theirs.backward()
    assert_equal(np.asarray(loss.forward(net.forward(x), targets)), theirs)
    assert_equal(net.backward(loss.backward()), tx.grad)
    for leaf, gradient in zip(leaves.values(), net.gradients(), strict=True):
        assert_equal(gradient, leaf.grad)


def test_a_net_of_nets_names_its_parameters_by_place():
    net = layers.Net([layers.Linear(2, 3), layers.Tanh(), layers.Net(layers.Linear(3, 2))])
    assert list(net.named_parameters()) == ["0.weight", "0.bias", "2.0.weight", "2.0.bias"]
    assert [array.shape for array in net.parameters()] == [(2, 3), (3,), (3, 2), (2,)]
    x = np.random.default_rng(0).normal(size=(4, 2))
    assert max(layers.eval_numerical_gradients(net, x).values()) < 1e-6


def test_a_net_by_hand_and_one_of_modules_take_the_same_steps():
    rng = np.random.default_rng(0)
    x, targets = rng.normal(size=(20, 4)), rng.integers(3, size=20)
    by_hand = layers.Net(layers.Linear(4, 5, rng), layers.Tanh(), layers.Linear(5, 3, rng))
    module = bg.nn.MLP([4, 5, 3], "tanh")
    module.load_state_dict({f"layers.{name}": array for name, array in by_hand.named_parameters().items()})
    optimizer = bg.optim.SGD(module.parameters(), 0.3)
    for _ in range(20):
        cost = layers.train_step(by_hand, layers.CrossEntropyLoss(), x, targets, 0.3)
        loss = bg.losses.cross_entropy(module(bg.Tensor(x)), targets)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        assert cost == pytest.approx(loss.item(), rel=1e-12)
    for mine, other in zip(by_hand.parameters(), module.parameters(), strict=True):
        np.testing.assert_allclose(mine, other.data, rtol=1e-12, atol=1e-14)


def test_a_training_step_changes_the_arrays_in_place_and_lowers_the_loss():
    rng = np.random.default_rng(0)
    net, x, targets = random_net(rng, [3, 4, 2]), rng.normal(size=(10, 3)), rng.integers(2, size=10)
    arrays = net.parameters()
    costs = [layers.train_step(net, layers.CrossEntropyLoss(), x, targets, 0.1) for _ in range(30)]
    assert all(one is other for one, other in zip(arrays, net.parameters(), strict=True))
    assert costs[-1] < costs[0]


# What cannot be.


def test_backward_before_forward_names_the_layer():
    for layer in (layers.Linear(2, 2), *[kind() for kind, _ in ACTIVATIONS.values()], layers.CrossEntropyLoss()):
        with pytest.raises(RuntimeError, match=f"{type(layer).__name__}.backward came before forward"):
            layer.backward(np.ones((1, 2)))


def test_a_layer_without_forward_or_backward_says_so():
    class Doubled(layers.Layer):
        pass

    with pytest.raises(NotImplementedError, match="Doubled has no forward yet"):
        layers.Net(Doubled()).forward(np.ones((1, 2)))
    with pytest.raises(NotImplementedError, match="Doubled has no backward yet"):
        Doubled().backward(np.ones((1, 2)))


def test_a_net_of_something_else_than_layers_is_refused():
    with pytest.raises(TypeError, match="3 has no forward"):
        layers.Net(layers.Tanh(), 3)
