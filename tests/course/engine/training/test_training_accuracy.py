"""Two moons and digits are learnt from every one of five seeds: of the data, the first weights and the order."""

import numpy as np
import pytest

from babygrad import Tensor, losses, nn, optim
from babygrad.arrays import DataLoader
from babygrad.training import accuracy, train_epoch
from toolbox.data.sets import load_digits, make_moons, train_test_split
from toolbox.training.trainer import evaluate

MORE_SEEDS = [pytest.param(seed, marks=pytest.mark.leg("night")) for seed in range(1, 5)]
each_seed = pytest.mark.parametrize("seed", [0, *MORE_SEEDS])
PROMISED = 0.95
EPOCHS = 30


def trained(net, optimizer, loader, epochs):
    """The mean loss of each epoch."""
    return [train_epoch(net, losses.cross_entropy, optimizer, loader) for _ in range(epochs)]


def accuracy_on(net, x, y):
    return evaluate(net, losses.cross_entropy, DataLoader(x, y, 1000, shuffle=False))[1]


def moons_run(seed, epochs=200):
    """The run of notebook 11: (net, losses of the epochs)."""
    x, y = make_moons(1000, 0.2, seed)
    net = nn.MLP([2, 32, 32, 2], "tanh", np.random.default_rng(seed))
    optimizer = optim.SGD(net.parameters(), 0.05)
    return net, trained(net, optimizer, DataLoader(x, y, 64, seed=seed), epochs)


def digits_run(seed, make_optimizer, epochs):
    """(net, the part of the digits that it was not trained on)."""
    x_train, x_test, y_train, y_test = train_test_split(*load_digits(), test_size=0.2, seed=seed)
    net = nn.MLP([64, 64, 10], rng=np.random.default_rng(seed))
    trained(net, make_optimizer(net.parameters()), DataLoader(x_train, y_train, 64, seed=seed), epochs)
    return net, x_test, y_test


@each_seed
def test_two_moons_are_told_apart_on_4000_fresh_points(seed):
    net, costs = moons_run(seed)
    assert accuracy_on(net, *make_moons(4000, 0.2, 1000 + seed)) >= PROMISED
    assert costs[-1] < costs[0] / 4


OPTIMIZERS = {
    "SGD with momentum": lambda params: optim.SGD(params, 0.1, momentum=0.9),
    "SGD": lambda params: optim.SGD(params, 0.5),
    "Adam": lambda params: optim.Adam(params, 0.005),
}


@each_seed
@pytest.mark.parametrize("name", OPTIMIZERS)
def test_digits_are_read(name, seed):
    assert accuracy_on(*digits_run(seed, OPTIMIZERS[name], EPOCHS)) >= PROMISED


def test_a_net_that_was_not_trained_reads_no_digits():
    """What the tests above promise comes from training."""
    assert accuracy_on(*digits_run(0, OPTIMIZERS["SGD"], 0)) < 0.3


def test_the_same_seed_gives_the_same_weights_bit_for_bit_and_another_one_does_not():
    one, again, other = (moons_run(seed, epochs=3)[0].state_dict() for seed in (0, 0, 1))
    for name, numbers in one.items():
        np.testing.assert_array_equal(numbers, again[name])
        assert (numbers != other[name]).any()


def test_one_batch_is_learnt_by_heart():
    x, y = load_digits()
    net = nn.MLP([64, 32, 10], rng=np.random.default_rng(0))
    costs = trained(net, optim.Adam(net.parameters(), 0.01), DataLoader(x[:32], y[:32], 32), 200)
    assert costs[-1] < 0.01 and accuracy_on(net, x[:32], y[:32]) == 1.0


def test_an_epochs_loss_counts_each_sample_once_also_in_a_smaller_last_batch():
    x, y = make_moons(10, 0.2, 0)
    net = nn.MLP([2, 4, 2], rng=np.random.default_rng(0))
    standing_still = optim.SGD(net.parameters(), 0.1)
    standing_still.lr = 0
    loss = train_epoch(net, losses.cross_entropy, standing_still, DataLoader(x, y, 4))
    whole, _ = evaluate(net, losses.cross_entropy, DataLoader(x, y, 10))
    assert loss == pytest.approx(whole, rel=1e-12)


ACCURACIES = {
    "classes": ([[1.0, 2.0], [3.0, 0.0], [0.0, 1.0], [5.0, 4.0]], [1, 0, 0, 0], 0.75),
    "a column of targets": ([[1.0, 2.0], [3.0, 0.0]], [[1], [0]], 1.0),
    "one score for each row": ([2.0, -1.0, 0.5], [1, 0, 0], 2 / 3),
    "one score, labels -1 and 1": ([[2.0], [-1.0], [0.5]], [1, -1, -1], 2 / 3),
}


@pytest.mark.parametrize("kind", [np.array, Tensor])
@pytest.mark.parametrize(("scores", "targets", "share"), ACCURACIES.values(), ids=ACCURACIES)
def test_the_accuracy_is_the_share_of_rows_that_are_right(scores, targets, share, kind):
    assert accuracy(kind(scores), np.array(targets)) == pytest.approx(share)


@pytest.mark.parametrize("targets", [[0, 1, 0], np.eye(2, dtype=int)])
def test_an_accuracy_needs_one_target_for_each_row(targets):
    with pytest.raises(ValueError, match="each row of scores needs one target"):
        accuracy(np.eye(2), targets)
