"""Modules, losses and first weights against PyTorch; and what a Module promises about its parameters."""

import math
from itertools import pairwise

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

import babygrad as bg
from babygrad import Tensor, init, losses, nn
from babygrad.normalize import Dropout, LayerNorm

F = torch.nn.functional
sizes = st.integers(1, 5)
seeds = st.integers(0, 999)
anything = settings(deadline=None, max_examples=60)


def assert_close(ours, theirs, tolerance=1e-12):
    theirs = theirs.detach().numpy() if isinstance(theirs, torch.Tensor) else theirs
    assert ours.shape == theirs.shape and ours.dtype == theirs.dtype
    np.testing.assert_allclose(ours, theirs, rtol=tolerance, atol=tolerance)


# The same net in PyTorch.


def twin_of(module):
    """The module in PyTorch, with the same numbers."""
    if isinstance(module, nn.Sequential):
        return torch.nn.Sequential(*map(twin_of, module.layers))
    if isinstance(module, nn.Linear):
        twin = torch.nn.Linear(*module.weight.shape, bias=module.bias is not None, dtype=torch.float64)
        return with_numbers(twin, module.weight.data.T, module.bias)
    if isinstance(module, LayerNorm):
        twin = torch.nn.LayerNorm(module.weight.shape[0], module.eps, dtype=torch.float64)
        return with_numbers(twin, module.weight.data, module.bias)
    if isinstance(module, Dropout):
        return torch.nn.Dropout(module.p).eval()
    return getattr(torch.nn, type(module).__name__)()


def with_numbers(twin, weight, bias):
    with torch.no_grad():
        twin.weight.copy_(torch.tensor(weight))
        if bias is not None:
            twin.bias.copy_(torch.tensor(bias.data))
    return twin


def compare(module, x, upstream_seed=0):
    """Value, gradient of the input and of every parameter, against the twin's."""
    ours, theirs, twin = Tensor(x), torch.tensor(x, requires_grad=True), twin_of(module)
    out, other = module(ours), twin(theirs)
    upstream = np.random.default_rng(upstream_seed).normal(size=out.shape)
    out.backward(upstream)
    other.backward(torch.tensor(upstream))
    assert_close(out.data, other)
    assert_close(ours.grad, theirs.grad)
    for (name, mine), its in zip(module.named_parameters(), twin.parameters(), strict=True):
        turned = name.endswith("weight") and mine.ndim == 2
        assert_close(mine.grad, its.grad.T if turned else its.grad)


def random_module(rng, width, depth):
    """Some modules one after the other, sometimes one inside another.  Returns (Sequential, its last width)."""
    parts = []
    for _ in range(depth):
        kind = rng.choice(["linear", "no bias", "activation", "norm", "nested", "dropout"])
        if kind in ("linear", "no bias"):
            after = int(rng.integers(1, 6))
            parts.append(nn.Linear(width, after, bias=kind == "linear", rng=rng))
            width = after
        elif kind == "nested":
            inner, width = random_module(rng, width, depth // 2)
            parts.append(inner)
        else:
            parts.append(one_of(kind, width, rng))
    return nn.Sequential(*parts), width


def one_of(kind, width, rng):
    if kind == "dropout":
        return Dropout(0.3)
    if kind == "activation":
        return rng.choice([nn.ReLU, nn.Tanh, nn.Sigmoid])()
    norm = LayerNorm(width, eps=0.1)  # where numbers are nearly equal, a small eps makes it a large factor for rounding
    norm.weight.data[...], norm.bias.data[...] = rng.normal(size=(2, width))
    return norm


@settings(deadline=None, max_examples=120)
@given(st.lists(sizes, min_size=1, max_size=4), st.integers(1, 7), seeds)
def test_random_modules_equal_pytorchs(shape, depth, seed):
    rng = np.random.default_rng(seed)
    module, _ = random_module(rng, shape[-1], depth)
    compare(module.eval(), rng.normal(size=shape))


@pytest.mark.parametrize("activation", ["relu", "tanh", "sigmoid"])
@pytest.mark.parametrize("dims", [[3, 2], [2, 32, 32, 2], [1, 1, 1], (4, 5, 6, 7, 1)])
def test_an_mlp_equals_pytorchs(dims, activation):
    rng = np.random.default_rng(0)
    mlp = nn.MLP(dims, activation, rng)
    compare(mlp, rng.normal(size=(7, dims[0])))
    kinds = [type(layer).__name__.lower() for layer in mlp.layers]
    assert kinds == ["linear", activation] * (len(dims) - 2) + ["linear"]


@pytest.mark.parametrize("bias", [True, False])
@pytest.mark.parametrize("shape", [(3,), (2, 3), (4, 2, 3), (2, 4, 1, 3), (0, 3)])
def test_linear_takes_any_number_of_axes(shape, bias):
    rng = np.random.default_rng(0)
    compare(nn.Linear(3, 2, bias=bias, rng=rng), rng.normal(size=shape))


@anything
@given(st.lists(sizes, min_size=1, max_size=3), st.integers(2, 6), st.sampled_from([1e-5, 1e-3, 0.5]), seeds)
def test_layer_norm_equals_pytorchs(batch, features, eps, seed):
    rng = np.random.default_rng(seed)
    norm = LayerNorm(features, eps)
    norm.weight.data[...], norm.bias.data[...] = rng.normal(size=(2, features))
    compare(norm, 3 * rng.normal(size=(*batch, features)))


def test_layer_norm_of_a_row_of_equal_numbers_is_the_bias():
    norm = LayerNorm(3)
    norm.bias.data[...] = [1.0, 2.0, 3.0]
    x = Tensor(np.full((2, 3), 7.0))
    out = norm(x)
    out.sum().backward()
    assert out.data.tolist() == [[1.0, 2.0, 3.0]] * 2 and np.isfinite(x.grad).all()


def test_the_gradients_of_the_modules_equal_differences():
    rng = np.random.default_rng(0)
    net = nn.Sequential(nn.Linear(3, 4, rng=rng), nn.Tanh(), LayerNorm(4), nn.Linear(4, 2, rng=rng), nn.Sigmoid())
    x, upstream = Tensor(rng.normal(size=(5, 3))), rng.normal(size=(5, 2))
    net(x).backward(upstream)
    for leaf in [x, *net.parameters()]:
        slopes = bg.numerical_gradient(lambda _: (net(x).data * upstream).sum(), leaf.data)  # nudges in place
        np.testing.assert_allclose(leaf.grad, slopes, rtol=1e-6, atol=1e-8)


# Dropout.


def test_dropout_keeps_numbers_with_probability_1_minus_p_and_stretches_them():
    drop = Dropout(0.25, np.random.default_rng(0))
    x = Tensor(np.full((200, 500), 3.0))
    out = drop(x)
    assert set(np.unique(out.data)) == {0.0, 4.0}
    kept = (out.data > 0).mean()
    assert abs(kept - 0.75) < 5 * math.sqrt(0.25 * 0.75 / 100_000)
    for axis in (0, 1):  # no row and no column is treated apart
        share = (out.data > 0).mean(axis=axis)
        assert abs(share - 0.75).max() < 5 * math.sqrt(0.25 * 0.75 / 200)


def test_the_gradient_of_dropout_goes_through_the_same_mask():
    x = Tensor(np.random.default_rng(1).normal(size=(20, 30)))
    out = Dropout(0.4, np.random.default_rng(0))(x)
    upstream = np.random.default_rng(2).normal(size=x.shape)
    out.backward(upstream)
    np.testing.assert_allclose(x.grad, upstream * (out.data / x.data), rtol=1e-12)


def test_dropout_draws_anew_each_time_and_the_same_from_the_same_rng():
    x, drop = Tensor(np.ones(100)), Dropout(0.5, np.random.default_rng(0))
    first, second = drop(x).data, drop(x).data
    assert (first != second).any()
    again = Dropout(0.5, np.random.default_rng(0))
    np.testing.assert_array_equal([again(x).data, again(x).data], [first, second])


def test_dropout_in_use_is_the_input_itself_and_p_0_changes_nothing():
    x, drop = Tensor(np.ones(100)), Dropout(0.9)
    assert drop.eval()(x) is x
    assert (drop.train()(x).data == 0).any()
    np.testing.assert_array_equal(Dropout(0)(x).data, x.data)


@pytest.mark.parametrize("p", [1, -0.1, 1.5, np.nan])
def test_dropout_refuses_what_is_no_probability(p):
    with pytest.raises(ValueError, match=r"p, a probability, must be"):
        Dropout(p)


# float32.


def in_float32(module):
    for parameter in module.parameters():
        parameter.data = parameter.data.astype(np.float32)
    return module


def test_a_net_in_float32_stays_in_float32():
    rng = np.random.default_rng(0)
    net = nn.Sequential(nn.Linear(3, 4), nn.Tanh(), LayerNorm(4), Dropout(0.5), nn.Linear(4, 4, bias=False), nn.ReLU())
    net = in_float32(nn.Sequential(net, nn.Linear(4, 2), nn.Sigmoid()))
    x = Tensor(rng.normal(size=(6, 3)).astype(np.float32))
    out = net(x)
    out.backward()
    assert {out.dtype, x.grad.dtype, *[p.grad.dtype for p in net.parameters()]} == {np.dtype(np.float32)}


# The losses.


def two_classes(rng, shape):
    return rng.integers(0, 2, shape).astype(float)


def hinge(scores, labels):
    return torch.relu(1 - scores * labels).mean()


SAME_SHAPE = {
    "mse_loss": (losses.mse_loss, F.mse_loss, lambda rng, shape: rng.normal(size=shape)),
    "bce": (losses.binary_cross_entropy_with_logits, F.binary_cross_entropy_with_logits, two_classes),
    "bce of probabilities": (
        losses.binary_cross_entropy_with_logits,
        F.binary_cross_entropy_with_logits,
        lambda rng, shape: rng.uniform(size=shape),
    ),
    "hinge_loss": (losses.hinge_loss, hinge, lambda rng, shape: 2 * two_classes(rng, shape) - 1),
}


def loss_of_both(name, scores, targets):
    """(value, gradient) of ours and of PyTorch's."""
    ours, theirs, _ = SAME_SHAPE[name]
    x, y = Tensor(scores), torch.tensor(scores, requires_grad=True)
    out, other = ours(x, targets), theirs(y, torch.tensor(targets))
    out.backward()
    other.backward()
    return (out.data, x.grad), (other.detach().numpy(), y.grad.numpy())


@anything
@given(st.sampled_from(sorted(SAME_SHAPE)), st.lists(sizes, max_size=3), st.sampled_from([0.1, 2.0, 50.0]), seeds)
def test_a_loss_and_its_gradient_equal_pytorchs(name, shape, scale, seed):
    rng = np.random.default_rng(seed)
    scores = np.asarray(scale * rng.normal(size=shape))
    for mine, other in zip(*loss_of_both(name, scores, np.asarray(SAME_SHAPE[name][2](rng, shape)))):
        assert_close(np.asarray(mine), np.asarray(other))


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("targets", [0.0, 1.0, 0.5])
@pytest.mark.parametrize("score", [0.0, -0.0, 1000.0, -1000.0, 40.0, -40.0])
def test_binary_cross_entropy_is_right_at_0_and_at_1000(score, targets):
    scores, targets = np.array([score, 0.3]), np.array([targets, 1.0])
    for mine, other in zip(*loss_of_both("bce", scores, targets)):
        assert np.isfinite(mine).all()
        assert_close(np.asarray(mine), np.asarray(other))


def test_binary_cross_entropy_of_score_0_is_log_2_with_slope_one_half():
    x = Tensor([0.0])
    out = losses.binary_cross_entropy_with_logits(x, [1])
    out.backward()
    assert out.item() == math.log(2) and x.grad.tolist() == [-0.5]


def test_the_hinge_costs_nothing_from_1_on_and_has_slope_0_there():
    x = Tensor([1.0, 2.0, 0.5, -1.0, 0.0])
    out = losses.hinge_loss(x, [1, 1, 1, 1, -1])
    out.backward()
    np.testing.assert_allclose(out.item(), (0 + 0 + 0.5 + 2 + 1) / 5, rtol=1e-15)
    np.testing.assert_allclose(x.grad, [0, 0, -0.2, -0.2, 0.2], rtol=1e-15)


@pytest.mark.parametrize("name", ["mse_loss", "hinge_loss", "binary_cross_entropy_with_logits"])
@pytest.mark.parametrize(("one", "other"), [((4, 1), (4,)), ((4,), (4, 1)), ((4,), ()), ((2, 3), (3,)), ((3,), (4,))])
def test_shapes_that_differ_are_refused_and_both_named(name, one, other):
    with pytest.raises(ValueError, match="reshape") as caught:
        getattr(losses, name)(Tensor(np.zeros(one)), np.zeros(other))
    assert str(one) in str(caught.value) and str(other) in str(caught.value)


@pytest.mark.parametrize("kind", [list, np.array, Tensor, lambda x: np.array(x, np.int8), lambda x: Tensor(x).detach()])
@pytest.mark.parametrize("name", ["mse_loss", "hinge_loss", "binary_cross_entropy_with_logits"])
def test_targets_may_be_a_list_an_array_or_a_tensor_and_get_no_gradient(name, kind):
    x, targets = Tensor([0.3, -0.2, 0.9]), kind([1, 1, 0])
    out = getattr(losses, name)(x, targets)
    out.backward()
    expected = getattr(losses, name)(Tensor(x.data), np.array([1.0, 1.0, 0.0]))
    assert out.item() == expected.item()
    assert getattr(targets, "grad", None) is None


@pytest.mark.parametrize("targets", [[0, 1], np.array([0, 1]), np.array([0, 1], np.float32), [False, True]])
@pytest.mark.parametrize("name", ["mse_loss", "hinge_loss", "binary_cross_entropy_with_logits", "cross_entropy"])
def test_a_loss_of_float32_scores_is_float32(name, targets):
    x = Tensor(np.array([0.3, -0.2], np.float32))
    if name == "cross_entropy":
        x, targets = Tensor(np.array([[0.3, 0.1], [0.2, 0.4]], np.float32)), np.array(targets, int)
    out = getattr(losses, name)(x, targets)
    out.backward()
    assert out.dtype == x.grad.dtype == np.float32


SECOND_ORDER = {
    "mse_loss": (losses.mse_loss, F.mse_loss, np.random.default_rng(5).normal(size=(4, 3))),
    "bce": (SAME_SHAPE["bce"][0], SAME_SHAPE["bce"][1], two_classes(np.random.default_rng(5), (4, 3))),
    "cross_entropy": (losses.cross_entropy, F.cross_entropy, np.array([2, 0, 1, 1])),
    "nll_loss of log_softmax": (
        lambda x, y: losses.nll_loss(x.log_softmax(), y),
        lambda x, y: F.nll_loss(torch.log_softmax(x, 1), y),
        np.array([2, 0, 1, 1]),
    ),
}


@pytest.mark.parametrize(("ours", "theirs", "targets"), SECOND_ORDER.values(), ids=SECOND_ORDER)
def test_the_second_derivatives_of_a_loss_through_a_net_equal_pytorchs(ours, theirs, targets):
    rng = np.random.default_rng(0)
    x, w = rng.normal(size=(4, 2)), rng.normal(size=(2, 3))
    mine, other = [Tensor(x), Tensor(w)], [torch.tensor(a, requires_grad=True) for a in (x, w)]
    f, g = ours((mine[0] @ mine[1]).tanh(), targets), theirs(torch.tanh(other[0] @ other[1]), torch.tensor(targets))
    f, g = bg.grad(f, mine, create_graph=True), torch.autograd.grad(g, other, create_graph=True)
    f, g = sum((a * a * a).sum() for a in f), sum((a * a * a).sum() for a in g)
    for a, b in zip(bg.grad(f, mine), torch.autograd.grad(g, other), strict=True):
        assert_close(a.data, b)


@anything
@given(sizes, sizes, seeds)
def test_the_loss_of_a_whole_net_equals_pytorchs(rows, classes, seed):
    rng = np.random.default_rng(seed)
    net = nn.MLP([3, 4, classes], "tanh", rng)
    x, targets, twin = rng.normal(size=(rows, 3)), rng.integers(classes, size=rows), twin_of(net)
    losses.cross_entropy(net(Tensor(x)), targets).backward()
    F.cross_entropy(twin(torch.tensor(x)), torch.tensor(targets)).backward()
    for mine, its in zip(net.parameters(), twin.parameters(), strict=True):
        assert_close(mine.grad, its.grad.T if mine.ndim == 2 else its.grad)


# First weights.

FAN_IN, FAN_OUT = 300, 200
# The function, PyTorch's of this name with its options, and whether the numbers lie within bounds.
FIRST = {
    "kaiming_uniform": (lambda w: torch.nn.init.kaiming_uniform_(w, nonlinearity="relu"), True),
    "kaiming_normal": (lambda w: torch.nn.init.kaiming_normal_(w, nonlinearity="relu"), False),
    "xavier_uniform": (torch.nn.init.xavier_uniform_, True),
    "xavier_normal": (torch.nn.init.xavier_normal_, False),
    "linear_uniform": (lambda w: torch.nn.init.kaiming_uniform_(w, a=math.sqrt(5)), True),
}
BOUNDS = {
    "kaiming_uniform": math.sqrt(6 / FAN_IN),
    "xavier_uniform": math.sqrt(6 / (FAN_IN + FAN_OUT)),
    "linear_uniform": 1 / math.sqrt(FAN_IN),
    "kaiming_normal": math.sqrt(2 / FAN_IN),
    "xavier_normal": math.sqrt(2 / (FAN_IN + FAN_OUT)),
}


@pytest.mark.parametrize("name", FIRST)
def test_first_weights_have_the_bounds_and_the_spread_of_pytorchs(name):
    theirs, bounded = FIRST[name]
    torch.manual_seed(0)
    ours = getattr(init, name)(FAN_IN, FAN_OUT, np.random.default_rng(0))
    its = theirs(torch.empty(FAN_OUT, FAN_IN, dtype=torch.float64)).numpy()
    assert ours.shape == (FAN_IN, FAN_OUT) and ours.dtype == np.float64
    spread = BOUNDS[name] / math.sqrt(3) if bounded else BOUNDS[name]
    for numbers in (ours, its):  # 60,000 of each: their standard deviation is known to about 0.3 %
        assert numbers.std() == pytest.approx(spread, rel=0.015)
        assert abs(numbers.mean()) < 5 * spread / math.sqrt(numbers.size)
        if bounded:
            assert BOUNDS[name] * 0.999 < abs(numbers).max() <= BOUNDS[name]
        else:
            assert abs(numbers).max() > 3.5 * spread


def test_the_first_weights_of_linear_have_the_bounds_of_pytorchs():
    ours = nn.Linear(FAN_IN, FAN_OUT, rng=np.random.default_rng(0))
    its = torch.nn.Linear(FAN_IN, FAN_OUT)
    for mine, other in ((ours.weight, its.weight), (ours.bias, its.bias)):
        for largest in (abs(mine.data).max(), other.abs().max().item()):
            assert 0.97 / math.sqrt(FAN_IN) < largest <= 1.0000001 / math.sqrt(FAN_IN)


def test_the_weights_are_drawn_layer_after_layer_and_the_weight_before_the_bias():
    mlp, rng = nn.MLP([4, 3, 2], rng=np.random.default_rng(3)), np.random.default_rng(3)
    expected = []
    for n_in, n_out in pairwise([4, 3, 2]):
        bound = 1 / np.sqrt(n_in)
        expected += [rng.uniform(-bound, bound, (n_in, n_out)), rng.uniform(-bound, bound, n_out)]
    for parameter, numbers in zip(mlp.parameters(), expected, strict=True):
        np.testing.assert_array_equal(parameter.data, numbers)


# What belongs to a module.


class Everything(nn.Module):
    """Parts in attributes, lists, tuples and dicts; one Parameter and one part that stand in two places."""

    def __init__(self):
        rng = np.random.default_rng(0)
        self.scale = nn.Parameter(2.0)
        self.first = nn.Linear(2, 3, rng=rng)
        self.blocks = [nn.Linear(3, 3, rng=rng), (nn.Tanh(), nn.Linear(3, 3, bias=False, rng=rng))]
        self.heads = {"a": nn.Linear(3, 1, rng=rng), "b": [nn.Parameter(np.ones(3))]}
        self.again = self.first
        self.tied = self.blocks[0].weight
        self.constant = Tensor(np.ones(3))
        self.array, self.name, self.nothing = np.ones(3), "everything", None


NAMES = [
    "scale",
    "first.weight",
    "first.bias",
    "blocks.0.weight",
    "blocks.0.bias",
    "blocks.1.1.weight",
    "heads.a.weight",
    "heads.a.bias",
    "heads.b.0",
]


def test_parameters_are_found_in_attributes_lists_tuples_and_dicts_each_once():
    module = Everything()
    assert [name for name, _ in module.named_parameters()] == NAMES
    assert [id(p) for p in module.parameters()] == [id(p) for _, p in module.named_parameters()]
    assert len({id(p) for p in module.parameters()}) == len(NAMES)


def test_modules_are_found_each_once_the_module_itself_first():
    module = Everything()
    kinds = [type(part).__name__ for part in module.modules()]
    assert kinds == ["Everything", "Linear", "Linear", "Tanh", "Linear", "Linear"]


def test_train_and_eval_reach_every_part_and_return_the_module():
    module = nn.Sequential(Dropout(), nn.Sequential(Dropout()), Everything())
    assert all(part.training for part in module.modules())
    assert module.eval() is module and not any(part.training for part in module.modules())
    assert module.train() is module and all(part.training for part in module.modules())
    assert not any(part.training for part in module.train(False).modules())
    assert nn.Module.training is True


def test_zero_grad_forgets_the_gradient_of_every_parameter():
    module = Everything()
    for parameter in module.parameters():
        parameter.grad = np.ones(parameter.shape)
    module.zero_grad()
    assert all(parameter.grad is None for parameter in module.parameters())


def test_a_parameter_set_later_belongs_to_the_module_and_one_taken_away_does_not():
    module = nn.Linear(2, 2)
    module.extra = nn.Parameter(np.zeros(2))
    module.bias = None
    assert [name for name, _ in module.named_parameters()] == ["weight", "extra"]
    module(Tensor(np.ones((1, 2))))


def test_a_part_that_knows_its_parent_leads_round_no_circle():
    class Child(nn.Module):
        def __init__(self, parent):
            self.parent, self.linear = parent, nn.Linear(1, 1)

    module = nn.Module()
    module.child = Child(module)
    module.itself = [module]
    assert [name for name, _ in module.named_parameters()] == ["child.linear.weight", "child.linear.bias"]
    assert len(module.eval().modules()) == 3 and not module.child.linear.training


def test_a_shared_part_gets_the_gradients_of_both_its_uses():
    rng = np.random.default_rng(0)
    shared = nn.Linear(3, 3, rng=rng)
    net, x = nn.Sequential(shared, nn.Tanh(), shared), rng.normal(size=(2, 3))
    net(Tensor(x)).sum().backward()
    weight, bias = (torch.tensor(p.data, requires_grad=True) for p in net.parameters())
    (torch.tanh(torch.tensor(x) @ weight + bias) @ weight + bias).sum().backward()
    assert_close(shared.weight.grad, weight.grad)
    assert_close(shared.bias.grad, bias.grad)


def test_a_parameter_requires_grad_and_takes_part_in_operations_as_a_tensor():
    parameter = nn.Parameter([1.0, 2.0])
    assert isinstance(parameter, Tensor) and parameter.requires_grad
    out = parameter * 3
    assert not isinstance(out, nn.Parameter)
    out.backward()
    assert parameter.grad.tolist() == [3.0, 3.0]


def test_a_module_without_forward_says_so_by_its_name():
    class Unfinished(nn.Module):
        pass

    with pytest.raises(NotImplementedError, match="Unfinished has no forward yet"):
        Unfinished()(1)


# States.


def test_a_state_dict_holds_copies():
    module = Everything()
    state = module.state_dict()
    assert list(state) == NAMES
    state["first.weight"][...] = 7
    assert (module.first.weight.data != 7).all()


def test_loading_puts_the_numbers_into_the_arrays_that_are_there():
    one, other = nn.MLP([2, 3, 1], rng=np.random.default_rng(0)), nn.MLP([2, 3, 1], rng=np.random.default_rng(1))
    arrays = [p.data for p in other.parameters()]
    other.load_state_dict(one.state_dict())
    for mine, theirs, array in zip(one.parameters(), other.parameters(), arrays, strict=True):
        np.testing.assert_array_equal(mine.data, theirs.data)
        assert theirs.data is array and mine.data is not array


@pytest.mark.parametrize("kind", [np.asarray, lambda a: a.tolist(), Tensor, lambda a: a.astype(np.float32)])
def test_a_state_may_hold_arrays_lists_or_tensors(kind):
    one, other = (nn.MLP([2, 3, 1], rng=np.random.default_rng(seed)) for seed in (0, 1))
    other.load_state_dict({name: kind(array) for name, array in one.state_dict().items()})
    for mine, theirs in zip(one.parameters(), other.parameters(), strict=True):
        np.testing.assert_allclose(mine.data, theirs.data, rtol=1e-6)
        assert theirs.dtype == np.float64


MISFITS = {
    "missing": (lambda s: s.pop("layers.2.bias"), ["missing: layers.2.bias"]),
    "two missing": (lambda s: (s.pop("layers.0.weight"), s.pop("layers.2.bias")), ["layers.0.weight", "layers.2.bias"]),
    "unexpected": (lambda s: s.update(more=1.0), ["unexpected: more"]),
    "unexpected text": (lambda s: s.update(more="words"), ["unexpected: more"]),
    "shape": (lambda s: s.update({"layers.2.bias": np.ones((1, 1))}), ["shape of layers.2.bias", "(1,)", "(1, 1)"]),
    "turned over": (
        lambda s: s.update({"layers.0.weight": s["layers.0.weight"].T}),
        ["shape of layers.0.weight", "(2, 3)", "(3, 2)"],
    ),
    "a number for an array": (lambda s: s.update({"layers.2.bias": 1.0}), ["shape of layers.2.bias", "()"]),
    "texts": (lambda s: s.update({"layers.2.bias": np.array(["a"])}), ["no real numbers: layers.2.bias"]),
    "complex": (lambda s: s.update({"layers.2.bias": np.array([1j])}), ["no real numbers: layers.2.bias"]),
    "all at once": (
        lambda s: (s.pop("layers.0.bias"), s.update({"layers.2.bias": np.ones(2), "more": 1})),
        ["missing: layers.0.bias", "unexpected: more", "shape of layers.2.bias"],
    ),
}


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize(("spoil", "words"), MISFITS.values(), ids=MISFITS)
def test_a_state_that_does_not_fit_is_refused_by_key_and_changes_nothing(spoil, words):
    net = nn.MLP([2, 3, 1], rng=np.random.default_rng(0))
    before, state = net.state_dict(), {name: array + 1 for name, array in net.state_dict().items()}
    spoil(state)
    with pytest.raises(ValueError, match="does not fit MLP") as caught:
        net.load_state_dict(state)
    assert [word for word in words if word not in str(caught.value)] == []
    for name, array in net.state_dict().items():
        np.testing.assert_array_equal(array, before[name])


def test_saving_and_loading_gives_the_same_numbers_bit_for_bit(tmp_path):
    one, other = Everything(), Everything()
    for parameter in one.parameters():
        parameter.data += np.random.default_rng(0).normal(size=parameter.shape)
    one.save(tmp_path / "weights.npz")
    other.load(tmp_path / "weights.npz")
    for mine, theirs in zip(one.parameters(), other.parameters(), strict=True):
        np.testing.assert_array_equal(mine.data, theirs.data)
    with np.load(tmp_path / "weights.npz", allow_pickle=False) as file:
        assert sorted(file.files) == sorted(NAMES)


# What cannot be made.

REFUSED = {
    "one size": (lambda: nn.MLP([2]), ValueError, ["[2]", "two sizes"]),
    "a size of 0": (lambda: nn.MLP([2, 0, 1]), ValueError, ["[2, 0, 1]"]),
    "an activation": (lambda: nn.MLP([2, 1], "gelu"), ValueError, ["'gelu'", "relu, tanh, sigmoid"]),
    "a list for modules": (lambda: nn.Sequential([nn.Tanh()]), TypeError, ["place 0", "list"]),
    "a number as module": (lambda: nn.Sequential(nn.Tanh(), 3), TypeError, ["place 1", "int"]),
    "columns": (lambda: nn.Linear(4, 2)(Tensor(np.ones((3, 5)))), ValueError, ["(3, 5)", "(4, 2)"]),
    "columns, no bias": (lambda: nn.Linear(4, 2, False)(Tensor(np.ones((3, 5)))), ValueError, ["(3, 5)", "(4, 2)"]),
}


@pytest.mark.parametrize(("make", "error", "words"), REFUSED.values(), ids=REFUSED)
def test_what_does_not_fit_is_named(make, error, words):
    with pytest.raises(error) as caught:
        make()
    assert [word for word in words if word not in str(caught.value)] == []


# A call passes keywords on.


def of_two(module, linear):
    """A module of that library whose forward takes an option by its name: the sum of a layer, scaled and shifted."""

    class Shifted(module):
        def __init__(self):
            super().__init__()
            self.linear = linear

        def forward(self, x, scale, *, shift=0.0):
            return self.linear(x) * scale + shift

    return Shifted()


@pytest.mark.parametrize("options", [{"scale": 3.0}, {"scale": 3.0, "shift": -2.0}])
def test_keywords_reach_forward(options):
    linear, x = nn.Linear(3, 2, rng=np.random.default_rng(0)), np.random.default_rng(1).normal(size=(4, 3))
    ours, theirs = of_two(nn.Module, linear), of_two(torch.nn.Module, twin_of(linear))
    wanted = theirs(torch.tensor(x), **options)
    assert_close(ours(Tensor(x), **options).data, wanted)
    assert_close(bg.compile(lambda x: ours(Tensor(x), **options))(x).data, wanted)
    for module in (ours, theirs):
        with pytest.raises(TypeError, match=r"forward\(\) got an unexpected keyword argument 'offset'"):
            module(x, scale=1.0, offset=1.0)
