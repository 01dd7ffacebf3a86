"""max, logsumexp, softmax, log_softmax and cross-entropy, where numbers are huge, -inf, equal or missing."""

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

import babygrad as bg
from babygrad import Tensor, losses, ops

NAN, INF = np.nan, np.inf

OURS = {
    "logsumexp": lambda x, axis: ops.logsumexp(x, axis),
    "softmax": lambda x, axis: ops.softmax(x, axis),
    "log_softmax": lambda x, axis: ops.log_softmax(x, axis),
    "max": lambda x, axis: ops.max(x, axis),
}
TORCHS = {
    "logsumexp": torch.logsumexp,
    "softmax": torch.softmax,
    "log_softmax": torch.log_softmax,
    "max": torch.amax,
}
NAMES = list(OURS)
SOFT = ["logsumexp", "softmax", "log_softmax"]


def both(name, array, axis=-1, upstream=None):
    """(value, gradient) of ours and of PyTorch's."""
    x, y = Tensor(array), torch.tensor(array, requires_grad=True)
    ours, theirs = OURS[name](x, axis), TORCHS[name](y, axis)
    upstream = np.random.default_rng(1).normal(size=ours.shape).astype(array.dtype) if upstream is None else upstream
    ours.backward(upstream)
    theirs.backward(torch.tensor(upstream))
    return (ours.data, x.grad), (theirs.detach().numpy(), y.grad.numpy())


def assert_equal(ours, theirs, tolerance=1e-12):
    for mine, other in zip(ours, theirs):
        assert mine.shape == other.shape and mine.dtype == other.dtype
        np.testing.assert_allclose(mine, other, rtol=tolerance, atol=tolerance)


ROWS = {
    "±1000": [[1000.0, -1000.0, 0.0], [-1000.0, -1000.0, -999.0]],
    "all 1000": [[1000.0, 1000.0], [-1000.0, -1000.0]],
    "one row far above another": [[1e5, 1e5 - 1], [-1e5, -1e5 + 1]],
    "some -inf": [[-INF, 2.0, 1.0], [0.5, -INF, -INF]],
    "-inf beside 1000": [[-INF, 1000.0, 999.0], [-1000.0, -INF, -1001.0]],
    "one class": [[3.0], [-1000.0]],
    "one class, 1000": [[1000.0]],
    "no rows": np.zeros((0, 3)),
    "equal scores": [[0.0, 0.0, 0.0]],
}


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("rows", ROWS.values(), ids=ROWS)
@pytest.mark.parametrize("name", NAMES)
def test_value_and_gradient_equal_pytorchs_without_a_warning(name, rows):
    assert_equal(*both(name, np.array(rows)))


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("rows", ROWS.values(), ids=ROWS)
@pytest.mark.parametrize("name", NAMES)
def test_float32_stays_float32(name, rows):
    assert_equal(*both(name, np.array(rows, np.float32)), tolerance=2e-6)


@pytest.mark.parametrize("axis", [0, 1, 2, -1, -2, -3])
@pytest.mark.parametrize("name", NAMES)
def test_every_axis_equals_pytorchs(name, axis):
    array = 20 * np.random.default_rng(0).normal(size=(2, 3, 4))
    assert_equal(*both(name, array, axis))


@pytest.mark.parametrize("name", ["logsumexp", "max"])
@pytest.mark.parametrize("axis", [(0, 1), (2, 0), (-1, -3), (0, 1, 2)])
def test_several_axes_equal_pytorchs(name, axis):
    array = 20 * np.random.default_rng(0).normal(size=(2, 3, 4))
    assert_equal(*both(name, array, axis))


@pytest.mark.parametrize("name", SOFT)
def test_several_axes_of_softmax_are_one_long_axis(name):
    array = np.random.default_rng(0).normal(size=(2, 3, 4))
    whole = OURS[name](Tensor(array), (0, 2)).data
    as_one = array.transpose(1, 0, 2).reshape(3, 8)
    flat = OURS[name](Tensor(as_one), 1).data
    expected = flat if name == "logsumexp" else flat.reshape(3, 2, 4).transpose(1, 0, 2)
    np.testing.assert_allclose(whole, expected, rtol=1e-14)


@settings(deadline=None, max_examples=60)
@given(st.data())
def test_random_shapes_and_axes_equal_pytorchs(data):
    shape = tuple(data.draw(st.lists(st.integers(1, 4), min_size=1, max_size=4)))
    axis = data.draw(st.integers(-len(shape), len(shape) - 1))
    scale = data.draw(st.sampled_from([0.1, 1.0, 300.0]))
    array = scale * np.random.default_rng(data.draw(st.integers(0, 99))).normal(size=shape)
    for name in NAMES:
        assert_equal(*both(name, array, axis))


# Rows in which there is nothing but -inf.


@pytest.mark.filterwarnings("error")
def test_logsumexp_of_nothing_but_minus_infinity_is_minus_infinity():
    array = np.array([[-INF, -INF], [1.0, 2.0]])
    np.testing.assert_array_equal(ops.logsumexp(Tensor(array)).data[0], -INF)
    np.testing.assert_array_equal(ops.logsumexp(Tensor(array), keepdims=True).data[0], [-INF])
    np.testing.assert_array_equal(ops.logsumexp(Tensor(np.full((2, 2), -INF)), None).data, -INF)


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("name", ["softmax", "log_softmax"])
def test_a_row_of_nothing_but_minus_infinity_has_no_probabilities_and_spoils_no_other_row(name):
    ours, theirs = both(name, np.array([[-INF, -INF], [1.0, 2.0]]))
    assert np.isnan(ours[0][0]).all()
    assert_equal(ours, theirs)


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_the_cross_entropy_of_a_row_of_nothing_but_minus_infinity_is_nan_as_pytorchs():
    scores = np.array([[-INF, -INF], [1.0, 2.0]])
    assert np.isnan(losses.cross_entropy(Tensor(scores), [0, 1]).item())
    assert np.isnan(torch.nn.functional.cross_entropy(torch.tensor(scores), torch.tensor([0, 1])).item())


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_plus_infinity_and_nan_give_what_pytorch_gives():
    for name, rows in (
        ("logsumexp", [INF, 1.0]),
        ("logsumexp", [NAN, 1.0]),
        ("softmax", [NAN, 1.0]),
        ("max", [NAN, 1]),
    ):
        ours, theirs = (numbers[0] for numbers in both(name, np.array([rows, [0.0, 1.0]])))
        np.testing.assert_allclose(ours, theirs, rtol=1e-14)


# What must hold, whoever computes it.


@settings(deadline=None, max_examples=40)
@given(st.integers(0, 999), st.floats(-1000, 1000))
def test_a_number_added_to_all_scores_changes_no_probability(seed, shift):
    scores = np.random.default_rng(seed).normal(size=(3, 4))
    np.testing.assert_allclose(
        ops.softmax(Tensor(scores + shift)).data, ops.softmax(Tensor(scores)).data, rtol=1e-10, atol=1e-15
    )
    np.testing.assert_allclose(
        ops.logsumexp(Tensor(scores + shift)).data, ops.logsumexp(Tensor(scores)).data + shift, rtol=1e-12, atol=1e-12
    )


def test_softmax_is_the_exponential_of_log_softmax_and_the_gradient_of_logsumexp():
    x = Tensor(np.random.default_rng(0).normal(size=(3, 4)))
    np.testing.assert_allclose(x.softmax().data, np.exp(x.log_softmax().data), rtol=1e-14)
    np.testing.assert_allclose(bg.grad(x.logsumexp(), x).data, x.softmax().data, rtol=1e-14)


@pytest.mark.parametrize("name", [*SOFT, "max"])
def test_the_operation_changes_neither_its_input_nor_the_upstream_gradient(name):
    array, x = np.random.default_rng(0).normal(size=(3, 4)), None
    x = Tensor(array)
    out = OURS[name](x, 0)
    upstream = np.ones(out.shape)
    out.backward(upstream)
    np.testing.assert_array_equal(x.data, array)
    np.testing.assert_array_equal(upstream, np.ones(out.shape))


@pytest.mark.parametrize("name", SOFT)
def test_the_second_derivative_equals_pytorchs_also_at_1000(name):
    array = np.array([[1000.0, 999.0, -1000.0], [0.3, -0.2, 0.1]])
    x, y = Tensor(array), torch.tensor(array, requires_grad=True)
    weights = np.random.default_rng(0).normal(size=(2, 3))
    weights = weights[:, 0] if name == "logsumexp" else weights
    first = bg.grad((OURS[name](x, -1) * weights).sum(), x, create_graph=True)
    other = torch.autograd.grad((TORCHS[name](y, -1) * torch.tensor(weights)).sum(), y, create_graph=True)[0]
    second = bg.grad((first * first).sum(), x).data
    np.testing.assert_allclose(second, torch.autograd.grad((other * other).sum(), y)[0].numpy(), rtol=1e-12, atol=1e-12)


# Ties.

TIES = [
    ([[2.0, 2.0, 1.0]], 1, [[0.5, 0.5, 0.0]]),
    ([[2.0, 2.0], [2.0, 1.0]], None, [[1 / 3, 1 / 3], [1 / 3, 0.0]]),
    ([[2.0, 2.0], [2.0, 1.0]], 0, [[0.5, 1.0], [0.5, 0.0]]),
    ([[-INF, -INF]], 1, [[0.5, 0.5]]),
    ([[0.0, -0.0, -1.0]], 1, [[0.5, 0.5, 0.0]]),
    ([[5.0], [5.0]], (0, 1), [[0.5], [0.5]]),
]


@pytest.mark.parametrize(("rows", "axis", "shares"), TIES)
@pytest.mark.parametrize("keepdims", [False, True])
def test_those_that_tie_for_the_largest_share_the_gradient_equally(rows, axis, shares, keepdims):
    x = Tensor(rows)
    out = ops.max(x, axis, keepdims)
    out.backward(np.full(out.shape, 3.0))
    np.testing.assert_allclose(x.grad, 3 * np.array(shares), rtol=1e-15)


def test_the_shares_of_a_tie_equal_pytorchs_amax():
    array = np.random.default_rng(0).integers(0, 3, (4, 5, 6)).astype(float)
    for axis in (0, 1, 2, (0, 2)):
        assert_equal(*both("max", array, axis))


# cross_entropy and nll_loss.


def two_ways(scores, targets):
    """cross_entropy in one step, and by log_softmax and nll_loss: (value, gradient) of each."""
    found = []
    for loss in (losses.cross_entropy, lambda x, y: losses.nll_loss(x.log_softmax(), y)):
        x = Tensor(scores)
        out = loss(x, targets)
        out.backward()
        found.append((out.data, x.grad))
    return found


def pytorchs_cross_entropy(scores, targets):
    x = torch.tensor(scores, requires_grad=True)
    out = torch.nn.functional.cross_entropy(x, torch.tensor(targets))
    out.backward()
    return out.detach().numpy(), x.grad.numpy()


LOSSES = {
    "±1000": ([[1000.0, -1000.0, 0.0], [-1000.0, 1000.0, 0.0]], [1, 1]),
    "a wrong answer that was sure": ([[1000.0, 0.0]], [1]),
    "-inf beside the target": ([[-INF, 2.0, 1.0], [0.5, -INF, 0.1]], [1, 0]),
    "one class": ([[3.0], [-1000.0]], [0, 0]),
    "equal scores": ([[0.0, 0.0, 0.0]], [2]),
    "one row": ([[0.1, 0.7]], [0]),
}


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize(("scores", "targets"), LOSSES.values(), ids=LOSSES)
def test_cross_entropy_equals_pytorchs_without_a_warning(scores, targets, dtype):
    scores = np.array(scores, dtype)
    for ours in two_ways(scores, targets):
        assert_equal(ours, pytorchs_cross_entropy(scores, targets), 1e-12 if dtype == np.float64 else 1e-6)


def test_a_target_that_is_impossible_costs_infinity_and_the_gradient_stays_finite():
    scores, targets = np.array([[-INF, 2.0], [0.5, 0.1]]), [0, 1]
    loss = Tensor(scores)
    out = losses.cross_entropy(loss, targets)
    out.backward()
    assert out.item() == INF
    assert_equal((out.data, loss.grad), pytorchs_cross_entropy(scores, targets))


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_the_mean_over_no_rows_is_nan_as_in_pytorch():
    scores, targets = np.zeros((0, 3)), np.zeros(0, int)
    for value, gradient in two_ways(scores, targets):
        assert np.isnan(value) and gradient.shape == (0, 3)
    assert np.isnan(pytorchs_cross_entropy(scores, targets)[0])


@settings(deadline=None, max_examples=40)
@given(st.integers(1, 6), st.integers(1, 6), st.sampled_from([0.1, 3.0, 1000.0]), st.integers(0, 99))
def test_both_ways_to_cross_entropy_equal_pytorchs_for_random_scores(rows, classes, scale, seed):
    rng = np.random.default_rng(seed)
    scores, targets = scale * rng.normal(size=(rows, classes)), rng.integers(classes, size=rows)
    for ours in two_ways(scores, targets):
        assert_equal(ours, pytorchs_cross_entropy(scores, targets))


@pytest.mark.parametrize("kind", [np.int64, np.int32, np.int8, np.uint8, list])
def test_targets_may_be_any_integers(kind):
    scores, targets = np.random.default_rng(0).normal(size=(3, 4)), np.array([3, 0, 2])
    given_as = targets.tolist() if kind is list else targets.astype(kind)
    for ours in two_ways(scores, given_as):
        assert_equal(ours, pytorchs_cross_entropy(scores, targets))


def test_targets_that_change_after_the_loss_change_no_gradient():
    for loss in (losses.cross_entropy, lambda x, y: losses.nll_loss(x.log_softmax(), y)):
        x, targets = Tensor([[0.1, 0.2], [0.3, 0.1]]), np.array([0, 1])
        out = loss(x, targets)
        targets[:] = 1 - targets
        out.backward()
        np.testing.assert_allclose(x.grad, pytorchs_cross_entropy(x.data, [0, 1])[1], rtol=1e-14)


REFUSED = {
    "too high": ([0, 3], ValueError, ["from 0 to 2", "row 1", "3"]),
    "negative": ([-1, 0], ValueError, ["from 0 to 2", "row 0", "-1"]),
    "floats": ([0.0, 1.0], TypeError, ["integers"]),
    "truth values": ([True, False], TypeError, ["integers"]),
    "a Tensor": (Tensor([0, 1]), TypeError, ["Tensor"]),
    "a column": ([[0], [1]], ValueError, ["(2, 1)", "(N,)"]),
    "one-hot rows": ([[1, 0, 0], [0, 1, 0]], ValueError, ["(2, 3)", "(N,)"]),
    "too few": ([0], ValueError, ["(1,)", "(N,)"]),
}


@pytest.mark.parametrize(("targets", "error", "words"), REFUSED.values(), ids=REFUSED)
@pytest.mark.parametrize("loss", [losses.cross_entropy, losses.nll_loss])
def test_targets_that_do_not_fit_are_refused_by_name(loss, targets, error, words):
    with pytest.raises(error) as caught:
        loss(Tensor(np.zeros((2, 3))), targets)
    assert [word for word in words if word not in str(caught.value)] == []


@pytest.mark.parametrize("name", NAMES)
def test_an_axis_that_does_not_exist_is_named(name):
    with pytest.raises(ValueError, match=r"\(2, 3\).*no axis 2"):
        OURS[name](Tensor(np.zeros((2, 3))), 2)


def test_the_largest_of_no_numbers_is_refused():
    with pytest.raises(ValueError, match="no largest of no numbers"):
        Tensor(np.zeros((0, 3))).max()
    assert Tensor(np.zeros((0, 3))).max(1).shape == (0,)


# softplus.


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_softplus_is_right_at_1000_and_infinity(dtype):
    x = Tensor(np.array([-1000.0, -INF, -40.0, 0.0, 40.0, 1000.0, INF], dtype))
    out = ops.softplus(x)
    out.backward()
    assert out.dtype == x.grad.dtype == dtype
    expected = [0.0, 0.0, np.exp(-40.0), np.log(2), 40.0, 1000.0, INF]
    np.testing.assert_allclose(out.data, expected, rtol=1e-6 if dtype == np.float32 else 1e-14)
    np.testing.assert_allclose(x.grad, [0, 0, np.exp(-40.0), 0.5, 1, 1, 1], rtol=1e-6)


# Indexing.


def test_a_list_that_names_no_place_gives_no_rows_as_in_numpy():
    x = Tensor(np.ones((2, 3)))
    x[[]].backward()
    assert x[[]].shape == (0, 3) and x.grad.tolist() == np.zeros((2, 3)).tolist()


def test_a_place_named_twice_gets_both_gradients():
    x = Tensor([1.0, 2.0, 3.0])
    x[[0, 2, 0]].backward([1.0, 10.0, 100.0])
    assert x.grad.tolist() == [101.0, 0.0, 10.0]


def test_an_index_that_changes_later_changes_no_gradient():
    x, index = Tensor([1.0, 2.0, 3.0]), np.array([0, 1])
    out = x[index]
    index[:] = 2
    out.backward()
    assert x.grad.tolist() == [1.0, 1.0, 0.0]


@pytest.mark.parametrize("shape", [(4,), (3,), (2, 2), ()])
def test_scatter_refuses_numbers_that_are_not_of_the_shape_of_the_places(shape):
    with pytest.raises(ValueError, match=r"Scatter.*\(2, 3\)"):
        ops.scatter(Tensor(np.ones(shape)), np.array([[0, 1, 2], [0, 1, 2]]), (3,))


def test_scatter_adds_what_goes_to_one_place():
    x = Tensor([1.0, 2.0, 4.0])
    assert ops.scatter(x, [0, 1, 0], (3,)).data.tolist() == [5.0, 2.0, 0.0]


@pytest.mark.parametrize(("index", "error"), [(5, IndexError), ((0, 3), IndexError), (Tensor([0]), TypeError)])
def test_a_place_that_does_not_exist_and_a_tensor_as_index_are_refused(index, error):
    with pytest.raises(error):
        Tensor(np.ones((2, 3)))[index]


def test_len_and_a_loop_go_along_the_first_axis_and_a_number_has_none():
    x = Tensor([[1.0, 2.0], [3.0, 4.0]])
    assert len(x) == 2 and [row.data.tolist() for row in x] == [[1.0, 2.0], [3.0, 4.0]]
    with pytest.raises(TypeError, match="no length"):
        len(Tensor(1.0))
    with pytest.raises(TypeError, match="no length"):
        list(Tensor(1.0))
