"""Optimizers, schedules and clipping: the numbers of torch.optim, over 50 steps; and what they leave alone."""

import itertools
import math

import numpy as np
import pytest
import torch

from babygrad import Tensor, losses, nn, optim
from toolbox.training import monitor

STEPS = 50
SHAPES = (3, 4), (2,), ()


def learning_rate(step, lr):
    """It changes now and then: what has the learning rate inside its velocity is found out."""
    return lr * (1.0, 0.3, 2.0, 0.7)[step // 7 % 4]


def starting_arrays(seed=0):
    rng = np.random.default_rng(seed)
    return [np.asarray(rng.normal(size=shape)) for shape in SHAPES]


def gradients(step, seed=1):
    """Of all sizes from 1e-5 to 10: eps in the wrong place is found out."""
    rng = np.random.default_rng([seed, step])
    return [np.asarray(rng.normal(size=shape) * 10.0 ** rng.uniform(-5, 1, shape)) for shape in SHAPES]


def in_both(name, options, lr=0.02, seed=0):
    """Both optimizers with parameters of equal numbers."""
    ours = [Tensor(array) for array in starting_arrays(seed)]
    theirs = [torch.tensor(array, requires_grad=True) for array in starting_arrays(seed)]
    return ours, getattr(optim, name)(ours, lr=lr, **options), theirs, torchs(name, theirs, lr, options)


def torchs(name, params, lr, options):
    return getattr(torch.optim, name)(params, lr=lr, **options)


def take_step(step, ours, optimizer, theirs, other, lr=0.02, missing=lambda step, i: False):
    optimizer.lr = learning_rate(step, lr)
    other.param_groups[0]["lr"] = learning_rate(step, lr)
    for i, (p, q, gradient) in enumerate(zip(ours, theirs, gradients(step), strict=True)):
        p.grad = None if missing(step, i) else gradient.copy()
        q.grad = None if missing(step, i) else torch.tensor(gradient)
    optimizer.step()
    other.step()


def assert_same(ours, theirs, tolerance=1e-12):
    for p, q in zip(ours, theirs, strict=True):
        np.testing.assert_allclose(p.data, q.detach().numpy(), rtol=tolerance, atol=tolerance)


def grid(**choices):
    """Every combination."""
    return [dict(zip(choices, values)) for values in itertools.product(*choices.values())]


OPTIONS = {
    "SGD": [
        *grid(weight_decay=[0, 0.1], momentum=[0, 0.5, 0.9]),
        *grid(weight_decay=[0, 0.1], momentum=[0.5, 0.9], nesterov=[True]),
    ],
    "RMSprop": [
        *grid(alpha=[0.99, 0.5, 0], weight_decay=[0, 0.1], momentum=[0, 0.9]),
        *grid(eps=[1e-3, 0], momentum=[0, 0.5]),
    ],
    "Adam": [
        *grid(betas=[(0.9, 0.999), (0.5, 0.9), (0.0, 0.99), (0.9, 0.5)], weight_decay=[0, 0.1]),
        *grid(eps=[1e-3, 1e-4]),
    ],
    "AdamW": [
        *grid(betas=[(0.9, 0.999), (0.5, 0.9)], weight_decay=[0, 0.01, 0.5]),
        *grid(eps=[1e-3, 1e-4]),
    ],
}
CASES = [pytest.param(name, options, id=f"{name} {options}") for name in OPTIONS for options in OPTIONS[name]]
MISSING = {
    "every gradient is there": lambda step, i: False,
    "the first comes late": lambda step, i: i == 0 and step < 5,
    "each is missing now and then": lambda step, i: (step + i) % 3 == 0,
    "one never comes": lambda step, i: i == 1,
}


ALL, *SOME = MISSING
OF_EACH = [ALL, *(pytest.param(name, marks=pytest.mark.leg("push")) for name in SOME)]


@pytest.mark.parametrize("missing", OF_EACH)
@pytest.mark.parametrize(("name", "options"), CASES)
def test_50_steps_equal_pytorchs(name, options, missing):
    both = in_both(name, options)
    for step in range(STEPS):
        take_step(step, *both, missing=MISSING[missing])
        assert_same(both[0], both[2])


@pytest.mark.parametrize("name", ["RMSprop", "Adam", "AdamW"])
def test_the_options_that_are_not_given_are_pytorchs(name):
    ours, theirs = [Tensor(np.ones(3))], [torch.ones(3, dtype=torch.float64, requires_grad=True)]
    optimizer, other = getattr(optim, name)(ours), getattr(torch.optim, name)(theirs)
    for step in range(10):
        ours[0].grad = np.random.default_rng(step).normal(size=3)
        theirs[0].grad = torch.tensor(ours[0].grad.copy())
        optimizer.step()
        other.step()
    assert_same(ours, theirs)


@pytest.mark.parametrize("name", OPTIONS)
def test_a_net_trained_by_both_has_the_same_weights(name):
    rng = np.random.default_rng(0)
    x, targets = rng.normal(size=(30, 3)), rng.integers(2, size=30)
    net = nn.MLP([3, 5, 2], "tanh", rng)
    weights = [torch.tensor(p.data, requires_grad=True) for p in net.parameters()]
    optimizer, other = getattr(optim, name)(net.parameters(), lr=0.01), torchs(name, weights, 0.01, {})
    for start in list(range(0, 30, 10)) * 17:
        rows = slice(start, start + 10)
        optimizer.zero_grad()
        losses.cross_entropy(net(Tensor(x[rows])), targets[rows]).backward()
        optimizer.step()
        other.zero_grad()
        hidden = torch.tanh(torch.tensor(x[rows]) @ weights[0] + weights[1])
        torch.nn.functional.cross_entropy(hidden @ weights[2] + weights[3], torch.tensor(targets[rows])).backward()
        other.step()
    assert_same(net.parameters(), weights, 1e-10)  # Adam turns the rounding of a tiny gradient into a step


# Hands off.

EVERY = pytest.mark.parametrize(
    ("name", "options"),
    [
        ("SGD", {}),
        ("SGD", dict(momentum=0.9, nesterov=True, weight_decay=0.1)),
        ("SGD", dict(momentum=0.9)),
        ("RMSprop", dict(momentum=0.9, weight_decay=0.1)),
        ("Adam", dict(weight_decay=0.1)),
        ("AdamW", {}),
    ],
)


@EVERY
def test_a_step_keeps_the_arrays_builds_no_graph_and_leaves_the_gradients_alone(name, options):
    params = [Tensor(array) for array in starting_arrays()]
    optimizer, arrays = getattr(optim, name)(params, lr=0.1, **options), [p.data for p in params]
    for step in range(3):
        given = gradients(step)
        for p, gradient in zip(params, given, strict=True):
            p.grad = gradient
        optimizer.step()
        for p, array, gradient, before in zip(params, arrays, given, gradients(step), strict=True):
            assert p.data is array and p.grad is gradient
            np.testing.assert_array_equal(gradient, before)
            assert p._op is None and p._inputs == () and p.requires_grad


@EVERY
def test_a_gradient_that_changes_after_the_step_changes_nothing_that_was_kept(name, options):
    params, others = ([Tensor(array) for array in starting_arrays()] for _ in range(2))
    one, other = (getattr(optim, name)(tensors, lr=0.1, **options) for tensors in (params, others))
    for step in range(4):
        for p, q, gradient in zip(params, others, gradients(step), strict=True):
            p.grad, q.grad = gradient.copy(), gradient.copy()
        one.step()
        other.step()
        for p in params:
            p.grad *= 0
    for p, q in zip(params, others, strict=True):
        np.testing.assert_array_equal(p.data, q.data)


@EVERY
def test_float32_stays_float32(name, options):
    params = [Tensor(array.astype(np.float32)) for array in starting_arrays()]
    theirs = [torch.tensor(p.data, requires_grad=True) for p in params]
    optimizer, other = getattr(optim, name)(params, lr=0.02, **options), torchs(name, theirs, 0.02, options)
    for step in range(10):
        for p, q, gradient in zip(params, theirs, gradients(step), strict=True):
            p.grad = gradient.astype(np.float32)
            q.grad = torch.tensor(p.grad)
        optimizer.step()
        other.step()
    assert {p.dtype for p in params} == {np.dtype(np.float32)}
    kept = {v.dtype for k, v in optimizer.state_dict().items() if k not in ("kind", "lr", "0.t", "1.t", "2.t")}
    assert kept <= {np.dtype(np.float32)}
    assert_same(params, theirs, 2e-5)


def test_zero_grad_forgets_every_gradient():
    params = [Tensor(array) for array in starting_arrays()]
    for p in params:
        p.grad = np.ones(p.shape)
    optim.SGD(params, 0.1).zero_grad()
    assert [p.grad for p in params] == [None] * 3


def test_each_parameter_has_a_memory_of_its_own():
    a, b = Tensor([1.0]), Tensor([1.0])
    optimizer = optim.SGD([a, b], 0.1, momentum=0.9)
    for gradient in (1.0, -3.0):
        a.grad, b.grad = np.array([gradient]), np.array([0.0])
        optimizer.step()
    assert b.data.tolist() == [1.0] and a.data.tolist() != [1.0]


# Saved in the middle.


@pytest.mark.parametrize("through", ["a file", "the dict"])
@pytest.mark.parametrize("missing", MISSING.values(), ids=MISSING)
@EVERY
def test_an_optimizer_that_was_saved_and_loaded_goes_on_bit_for_bit(name, options, missing, through, tmp_path):
    def run(ours, optimizer, steps):
        for step in steps:
            optimizer.lr = learning_rate(step, 0.02)
            for i, (p, gradient) in enumerate(zip(ours, gradients(step), strict=True)):
                p.grad = None if missing(step, i) else gradient
            optimizer.step()

    whole, halves = ([Tensor(array) for array in starting_arrays()] for _ in range(2))
    run(whole, getattr(optim, name)(whole, lr=0.02, **options), range(20))
    first = getattr(optim, name)(halves, lr=0.02, **options)
    run(halves, first, range(9))
    state = first.state_dict()
    if through == "a file":
        nn.save(state, tmp_path / "state.npz")
        state = nn.load(tmp_path / "state.npz")
    second = getattr(optim, name)(halves, lr=5.0, **options)
    second.load_state_dict(state)
    assert second.lr == first.lr
    run(halves, second, range(9, 20))
    for p, q in zip(whole, halves, strict=True):
        np.testing.assert_array_equal(p.data, q.data)


@pytest.mark.parametrize("loaded", [False, True])
@EVERY
def test_a_state_holds_copies_both_when_it_is_made_and_when_it_is_loaded(name, options, loaded):
    params = [Tensor(array) for array in starting_arrays()]
    optimizer = getattr(optim, name)(params, lr=0.02, **options)
    for p, gradient in zip(params, gradients(0), strict=True):
        p.grad = gradient
    optimizer.step()
    state = optimizer.state_dict()
    if loaded:
        optimizer.load_state_dict(state)
    for kept in state.values():
        if isinstance(kept, np.ndarray):
            kept[...] = 77
    assert all((np.asarray(kept) != 77).all() for kept in optimizer.state_dict().values())


def adams(state):
    return {"kind": "Adam", "lr": 0.1, **state}


WRONG_STATES = {
    "no lr": ({"kind": "Adam"}, "not the state_dict of Adam: 'lr' is missing"),
    "no kind": ({"lr": 0.1}, "'kind' is missing"),
    "another class": ({"kind": "SGD", "lr": 0.1}, "made by SGD, but it is loaded into Adam"),
    "another parameter": (adams({"3.mean": np.ones(2)}), "no parameter for '3.mean'"),
    "no number in front": (adams({"weight": np.ones(2)}), "no parameter for 'weight'"),
    "a shape": (adams({"1.mean": np.ones(5)}), r"1.mean has shape \(5,\), the parameter \(2,\)"),
    "texts": (adams({"1.mean": np.array(["a", "b"])}), "1.mean does not hold numbers"),
    "a wrong lr": (adams({"lr": -1.0, "1.mean": np.ones(2)}), "lr, the learning rate,"),
}


@pytest.mark.parametrize(("state", "words"), WRONG_STATES.values(), ids=WRONG_STATES)
def test_a_state_that_does_not_fit_is_refused_and_changes_nothing(state, words):
    params = [Tensor(array) for array in starting_arrays()]
    optimizer = optim.Adam(params, lr=0.02)
    for p, gradient in zip(params, gradients(0), strict=True):
        p.grad = gradient
    optimizer.step()
    before = optimizer.state_dict()
    with pytest.raises(ValueError, match=words):
        optimizer.load_state_dict(state)
    after = optimizer.state_dict()
    assert before.keys() == after.keys()
    for key, kept in before.items():
        np.testing.assert_array_equal(kept, after[key])


@pytest.mark.parametrize("stepped", [False, True])
@pytest.mark.parametrize(
    ("made_by", "loaded_into"), list(itertools.permutations(["SGD", "RMSprop", "Adam", "AdamW"], 2))
)
def test_a_state_of_another_optimizer_is_refused_whatever_it_holds(made_by, loaded_into, stepped, tmp_path):
    def optimizer(name):
        params = [Tensor(array) for array in starting_arrays()]
        for p, gradient in zip(params, gradients(0), strict=True):
            p.grad = gradient
        made = getattr(optim, name)(params, lr=0.02)
        if stepped:
            made.step()
        return made

    nn.save(optimizer(made_by).state_dict(), tmp_path / "state.npz")
    with pytest.raises(ValueError, match=f"made by {made_by}, but it is loaded into {loaded_into}"):
        optimizer(loaded_into).load_state_dict(nn.load(tmp_path / "state.npz"))


# What an optimizer refuses.


def one():
    return Tensor([1.0, 2.0])


NET = nn.MLP([2, 1])
REFUSED = {
    "lr 0": (lambda: optim.SGD([one()], 0), ValueError, ["learning rate", "above 0", "0"]),
    "lr below 0": (lambda: optim.SGD([one()], -0.1), ValueError, ["learning rate", "above 0", "-0.1"]),
    "lr nan": (lambda: optim.Adam([one()], math.nan), ValueError, ["learning rate", "nan"]),
    "lr inf": (lambda: optim.Adam([one()], math.inf), ValueError, ["learning rate", "inf"]),
    "lr text": (lambda: optim.SGD([one()], "0.1"), TypeError, ["learning rate", "number", "'0.1'"]),
    "no lr": (lambda: optim.SGD([one()], None), TypeError, ["learning rate", "None"]),
    "lr set to nan": (lambda: setattr(optim.SGD([one()], 1), "lr", math.nan), ValueError, ["learning rate", "nan"]),
    "lr set below 0": (lambda: setattr(optim.SGD([one()], 1), "lr", -1), ValueError, ["learning rate", "-1"]),
    "no parameters": (lambda: optim.SGD([], 0.1), ValueError, ["params is empty"]),
    "an empty generator": (lambda: optim.SGD((p for p in []), 0.1), ValueError, ["params is empty"]),
    "an array": (lambda: optim.SGD([one(), np.ones(2)], 0.1), TypeError, ["params[1]", "ndarray"]),
    "names": (lambda: optim.SGD(NET.named_parameters(), 0.1), TypeError, ["params[0]", "tuple"]),
    "a dict": (lambda: optim.SGD(NET.state_dict(), 0.1), TypeError, ["params[0]", "str"]),
    "one Tensor": (lambda: optim.SGD(one(), 0.1), TypeError, ["one Tensor", "list"]),
    "the model": (lambda: optim.SGD(NET, 0.1), TypeError, ["MLP", ".parameters()"]),
    "nothing": (lambda: optim.SGD(None, 0.1), TypeError, ["NoneType"]),
    "the same twice": (lambda: optim.SGD([one()] * 2, 0.1), ValueError, ["the same Tensor twice"]),
    "a constant": (lambda: optim.SGD([Tensor(1.0, requires_grad=False)], 0.1), ValueError, ["params[0]", "grad"]),
    "a result": (lambda: optim.SGD([one(), one() * 2], 0.1), ValueError, ["params[1]", "result"]),
    "momentum": (lambda: optim.SGD([one()], 0.1, momentum=-0.9), ValueError, ["momentum", "-0.9"]),
    "nesterov alone": (lambda: optim.SGD([one()], 0.1, nesterov=True), ValueError, ["nesterov needs momentum"]),
    "weight decay": (lambda: optim.Adam([one()], weight_decay=-1), ValueError, ["weight_decay", "-1"]),
    "alpha": (lambda: optim.RMSprop([one()], alpha=1), ValueError, ["alpha", "below 1"]),
    "eps": (lambda: optim.RMSprop([one()], eps=-1e-8), ValueError, ["eps", "-1e-08"]),
    "a beta": (lambda: optim.Adam([one()], betas=(0.9, 1.0)), ValueError, ["betas", "below 1", "1.0"]),
    "one beta": (lambda: optim.Adam([one()], betas=0.9), ValueError, ["betas must be a pair", "0.9"]),
    "step_size": (lambda: optim.StepLR(optim.SGD([one()], 0.1), 0), ValueError, ["step_size", "0"]),
    "gamma": (lambda: optim.StepLR(optim.SGD([one()], 0.1), 2, -1), ValueError, ["gamma", "-1"]),
    "warmup": (lambda: optim.CosineLR(optim.SGD([one()], 0.1), 5, 5), ValueError, ["warmup", "below total_steps", "5"]),
    "total_steps": (lambda: optim.CosineLR(optim.SGD([one()], 0.1), 0), ValueError, ["total_steps = 0"]),
    "min_lr": (lambda: optim.CosineLR(optim.SGD([one()], 0.1), 5, min_lr=-1), ValueError, ["min_lr", "-1"]),
    "max_norm 0": (lambda: optim.clip_grad_norm_([one()], 0), ValueError, ["max_norm must be above 0", "0"]),
    "max_norm nan": (lambda: optim.clip_grad_norm_([one()], math.nan), ValueError, ["max_norm must be above 0", "nan"]),
}


@pytest.mark.parametrize(("make", "error", "words"), REFUSED.values(), ids=REFUSED)
def test_what_cannot_be_is_named(make, error, words):
    with pytest.raises(error) as caught:
        make()
    assert [word for word in words if word not in str(caught.value)] == []


def test_a_step_without_any_gradient_is_an_error_that_says_what_to_do():
    optimizer = optim.Adam([one(), one()])
    with pytest.raises(RuntimeError, match=r"no parameter has a gradient.*loss.backward\(\)"):
        optimizer.step()


def test_what_is_called_before_a_step_comes_before_any_change_one_after_the_other():
    p = Tensor(np.array([3.0]))
    p.grad = np.array([1.0])
    optimizer, seen = optim.SGD([p], 1.0), []
    optimizer.before_step = [lambda: seen.append(p.item()), lambda: p.grad.fill(2.0)]
    optimizer.step()
    assert seen == [3.0] and p.item() == 1.0
    assert optim.SGD([p], 1.0).before_step == () and set(optimizer.state_dict()) == {"kind", "lr"}


def test_the_parameters_may_come_from_a_generator():
    params = [one(), one()]
    optimizer = optim.SGD((p for p in params), 0.1)
    assert [id(p) for p in optimizer.params] == [id(p) for p in params]


def test_a_learning_rate_of_0_may_be_set_and_changes_nothing():
    p = one()
    optimizer = optim.SGD([p], 0.1)
    optimizer.lr, p.grad = 0, np.ones(2)
    optimizer.step()
    assert optimizer.lr == 0.0 and p.data.tolist() == [1.0, 2.0]


# Schedules.


def learning_rates(schedule, steps):
    """The optimizer's lr at the beginning, and after each step."""
    return [schedule.optimizer.lr, *[schedule.step() or schedule.optimizer.lr for _ in range(steps)]]


def torchs_learning_rates(make, lr, steps):
    optimizer = torch.optim.SGD([torch.ones(1, requires_grad=True)], lr)
    schedule, found = make(optimizer), [optimizer.param_groups[0]["lr"]]
    for _ in range(steps):
        optimizer.step()
        schedule.step()
        found.append(optimizer.param_groups[0]["lr"])
    return found


@pytest.mark.parametrize("gamma", [0.1, 0.5, 1.0, 2.0])
@pytest.mark.parametrize("step_size", [1, 3, 10, 100])
def test_step_lr_equals_pytorchs(step_size, gamma):
    ours = learning_rates(optim.StepLR(optim.SGD([one()], 0.3), step_size, gamma), 35)
    theirs = torchs_learning_rates(lambda o: torch.optim.lr_scheduler.StepLR(o, step_size, gamma), 0.3, 35)
    np.testing.assert_allclose(ours, theirs, rtol=1e-12)


@pytest.mark.parametrize("min_lr", [0, 0.01])
@pytest.mark.parametrize("total", [1, 2, 7, 50])
def test_cosine_lr_without_warmup_equals_pytorchs(total, min_lr):
    ours = learning_rates(optim.CosineLR(optim.SGD([one()], 0.3), total, min_lr=min_lr), total)
    annealing = torch.optim.lr_scheduler.CosineAnnealingLR
    theirs = torchs_learning_rates(lambda o: annealing(o, total, min_lr), 0.3, total)
    np.testing.assert_allclose(ours, theirs, rtol=1e-12, atol=1e-15)


@pytest.mark.filterwarnings("ignore:.*epoch parameter:UserWarning")
@pytest.mark.parametrize(("total", "warmup"), [(10, 1), (10, 4), (50, 9), (3, 2)])
def test_cosine_lr_with_warmup_equals_pytorchs_two_schedules_one_after_the_other(total, warmup):
    def two(optimizer):
        kinds = torch.optim.lr_scheduler
        up = kinds.LinearLR(optimizer, 1 / (warmup + 1), 1, warmup)
        down = kinds.CosineAnnealingLR(optimizer, total - warmup, 0.01)
        return kinds.SequentialLR(optimizer, [up, down], [warmup])

    ours = learning_rates(optim.CosineLR(optim.SGD([one()], 0.3), total, warmup, 0.01), total)
    np.testing.assert_allclose(ours, torchs_learning_rates(two, 0.3, total), rtol=1e-12)


def test_cosine_lr_goes_up_in_equal_steps_then_down_and_stays_at_the_end():
    ours = learning_rates(optim.CosineLR(optim.SGD([one()], 1.0), 8, warmup=3, min_lr=0.1), 12)
    np.testing.assert_allclose(ours[:4], [0.25, 0.5, 0.75, 1.0], rtol=1e-15)
    assert all(a > b for a, b in itertools.pairwise(ours[3:9]))
    np.testing.assert_allclose(ours[8:], 0.1, rtol=1e-15)


@pytest.mark.parametrize("make", [lambda o: optim.StepLR(o, 3, 0.5), lambda o: optim.CosineLR(o, 20, 4, 0.01)])
def test_a_schedule_that_was_saved_and_loaded_goes_on(make, tmp_path):
    whole = learning_rates(make(optim.SGD([one()], 0.3)), 20)
    first = make(optim.SGD([one()], 0.3))
    begun = learning_rates(first, 8)
    nn.save(first.state_dict(), tmp_path / "schedule.npz")
    second = make(optim.SGD([one()], first.optimizer.lr))  # as one is made again beside an optimizer that was loaded
    second.load_state_dict(nn.load(tmp_path / "schedule.npz"))
    assert [*begun[:-1], *learning_rates(second, 12)] == whole


def test_a_schedule_refuses_the_state_of_another_one():
    step, cosine = (
        make(optim.SGD([one()], 0.3)) for make in (lambda o: optim.StepLR(o, 3), lambda o: optim.CosineLR(o, 9))
    )
    with pytest.raises(ValueError, match="made by StepLR, but it is loaded into CosineLR"):
        cosine.load_state_dict(step.state_dict())
    with pytest.raises(ValueError, match="'base' is missing"):
        step.load_state_dict({"kind": "StepLR", "t": 3})
    assert (step.t, cosine.t) == (0, 0)


# Clipping.


def clipped(seed, max_norm, missing=()):
    rng = np.random.default_rng(seed)
    ours, theirs = [], []
    for i, shape in enumerate(SHAPES):
        p, q = Tensor(np.zeros(shape)), torch.zeros(shape, dtype=torch.float64, requires_grad=True)
        if i not in missing:
            p.grad = np.asarray(3 * rng.normal(size=shape))
            q.grad = torch.tensor(p.grad)
        ours.append(p)
        theirs.append(q)
    arrays = [p.grad for p in ours]
    lengths = optim.clip_grad_norm_(ours, max_norm), torch.nn.utils.clip_grad_norm_(theirs, max_norm).item()
    assert all(p.grad is array for p, array in zip(ours, arrays, strict=True))  # in place
    return ours, theirs, lengths


@pytest.mark.parametrize("missing", [(), (1,), (0, 2)])
@pytest.mark.parametrize("max_norm", [1e-3, 1.0, 5.0, 1e6, math.inf])
def test_clipping_equals_pytorchs(max_norm, missing):
    for seed in range(5):
        ours, theirs, (length, its) = clipped(seed, max_norm, missing)
        assert type(length) is float and length == pytest.approx(its, rel=1e-12)
        for p, q in zip(ours, theirs, strict=True):
            if p.grad is not None:
                np.testing.assert_allclose(p.grad, q.grad.numpy(), rtol=1e-12, atol=1e-15)


def test_clipping_keeps_the_direction_and_gives_the_length_before():
    p, q = one(), Tensor(1.0)
    p.grad, q.grad = np.array([3.0, 0.0]), np.array(4.0)
    assert optim.clip_grad_norm_([p, q], 1.0) == 5.0
    np.testing.assert_allclose([*p.grad, q.grad], [0.6, 0, 0.8], rtol=1e-6)
    assert optim.clip_grad_norm_([p, q], 1.0) == pytest.approx(1.0, rel=1e-6)


def test_clipping_of_no_gradients_or_of_one_tensor_works():
    p = one()
    assert optim.clip_grad_norm_([p], 1.0) == 0.0 and p.grad is None
    p.grad = np.array([3.0, 4.0])
    assert optim.clip_grad_norm_(p, 10.0) == 5.0 and p.grad.tolist() == [3.0, 4.0]


def test_clipping_keeps_float32():
    p = Tensor(np.zeros(2, np.float32))
    p.grad = np.array([3.0, 4.0], np.float32)
    optim.clip_grad_norm_([p], 1.0)
    assert p.grad.dtype == np.float32


# What GradientMonitor writes down of the steps.


def monitored(steps=3):
    """(net, its monitor, for each step {name: (gradient, numbers before, numbers after)})."""
    rng = np.random.default_rng(0)
    net = nn.Sequential(nn.Linear(3, 4, rng=rng), nn.ReLU(), nn.Linear(4, 2, bias=False, rng=rng))
    net.layers[0].bias.data[1] = -100  # unit 1 is dead
    watch, optimizer, seen = monitor.GradientMonitor(net), optim.SGD(net.parameters(), 0.1), []
    for _ in range(steps):
        before = net.state_dict()
        optimizer.zero_grad()
        losses.cross_entropy(net(Tensor(rng.normal(size=(20, 3)))), rng.integers(2, size=20)).backward()
        optimizer.step()
        watch.record()
        seen.append({name: (p.grad, before[name], p.data.copy()) for name, p in net.named_parameters()})
    return net, watch, seen


def test_the_monitor_writes_down_norm_mean_spread_and_update_ratio_of_every_step():
    _, watch, seen = monitored()
    for step, arrays in enumerate(seen):
        for name, (gradient, before, after) in arrays.items():
            its, written = torch.tensor(gradient), watch.history[name]
            assert written["norm"][step] == pytest.approx(its.norm().item(), rel=1e-12)
            assert written["mean"][step] == pytest.approx(its.mean().item(), rel=1e-12, abs=1e-16)
            assert written["std"][step] == pytest.approx(its.std(correction=0).item(), rel=1e-12)
            ratio = np.linalg.norm(after - before) / np.linalg.norm(before)
            assert written["update_ratio"][step] == pytest.approx(ratio, rel=1e-12)
        whole = math.sqrt(sum((gradient**2).sum() for gradient, _, _ in arrays.values()))
        assert watch.total_norm[step] == pytest.approx(whole, rel=1e-12)


def test_the_monitor_counts_gradients_by_powers_of_ten():
    numbers = np.array([0.0, 1e-20, 2e-3, -5e-3, 0.5, -20.0, 1e9])
    counts = dict(zip(monitor.BINS[:-1].tolist(), monitor.histogram(numbers).tolist(), strict=True))
    assert {power: count for power, count in counts.items() if count} == {-12: 2, -3: 2, -1: 1, 1: 2}


def test_the_monitor_finds_the_units_without_a_gradient():
    net, watch, _ = monitored()
    assert watch.dead["layers.0"] == [0.25] * 3 and watch.dead["layers.2"] == [0.0] * 3
    net.layers[0].bias.grad = None  # a bias that is held fixed: the weight decides
    assert monitor.share_of_dead(net.layers[0]) == 0.25


def test_a_parameter_without_a_gradient_is_written_down_as_nan():
    net, watch, _ = monitored(1)
    net.zero_grad()
    watch.record()
    assert math.isnan(watch.history["layers.0.weight"]["norm"][1]) and math.isnan(watch.dead["layers.0"][1])
    assert watch.total_norm[1] == 0.0 and "layers.0.weight" in watch.summary()


@pytest.mark.parametrize(
    ("before", "after", "ratio"), [([0, 0], [0, 0], 0.0), ([0, 0], [1, 0], math.inf), ([3, 4], [3, 3], 0.2)]
)
def test_an_update_ratio_is_the_step_for_the_size_of_what_it_changed(before, after, ratio):
    assert monitor.update_ratio(np.array(before, float), np.array(after, float)) == ratio
