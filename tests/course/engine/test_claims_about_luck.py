"""What notebooks 04 and 11 say of luck: forty first weights are tried (04), or twenty (11), and counted as they count.

Networks of 04 are trained here on Tensors, with the first weights and the batches of the notebook: the same numbers,
in a hundredth of the time. Where steps are large, another machine's rounding may turn a training or two.
"""

import re
from functools import cache

import numpy as np
import pytest

from babygrad import DataLoader, Tensor, load_digits, losses, make_moons, nn, scalar_nn, train_test_split
from babygrad.training import GradientDescent, accuracy, train_epoch
from grader.course.paths import REFERENCE

pytestmark = pytest.mark.thorough
FORTY, TWENTY = range(40), range(20)

POINTS, SIDES = make_moons(100, noise=0.1, seed=1)
SIDES = 2 * SIDES - 1
FOUR_XS = np.array([[2.0, 3.0, -1.0], [3.0, -1.0, 0.5], [0.5, 1.0, 1.0], [1.0, 1.0, -1.0]])
FOUR_YS = np.array([1.0, -1.0, -1.0, 1.0])


def about(count):
    return pytest.approx(count, abs=2)


def told(notebook, sentence):
    """Demands that the notebook still says what is counted here."""
    [source] = (REFERENCE / "notebooks").glob(f"{notebook}_*.py")
    assert sentence in source.read_text(encoding="utf-8")


class Network:
    """A network of notebook 04 on Tensors: (weights, bias, bend) for each layer, as they are drawn there."""

    def __init__(self, nin, nouts, rng, **options):
        drawn = scalar_nn.MLP(nin, nouts, rng=rng, **options)
        self.layers = [
            (
                Tensor([[w.data for w in neuron.weights] for neuron in layer.neurons]),
                Tensor([neuron.bias.data for neuron in layer.neurons]),
                layer.neurons[0].nonlin,
            )
            for layer in drawn.layers
        ]

    def scores(self, xs):
        out = Tensor(xs, requires_grad=False)
        for weights, bias, bend in self.layers:
            out = out @ weights.transpose() + bias
            out = out if bend == "linear" else getattr(out, bend)()
        return out.reshape(len(xs))

    def step(self, loss, rate, forget=True):
        parameters = [p for weights, bias, _ in self.layers for p in (weights, bias)]
        if forget:
            for parameter in parameters:
                parameter.zero_grad()
        loss.backward()
        for parameter in parameters:
            parameter.data -= rate * parameter.grad
        return loss.item()


def on_four_samples(seed, steps=60, **how):
    """The losses of a training on the four samples, and the first step before which all predictions are within 0.1."""
    network, curve, near = Network(3, [4, 4, 1], np.random.default_rng(seed)), [], None
    for step in range(steps):
        scores = network.scores(FOUR_XS)
        if near is None and (abs(scores.data - FOUR_YS) < 0.1).all():
            near = step
        curve.append(network.step(((scores - FOUR_YS) ** 2).sum(), **{"rate": 0.05, **how}))
    return curve, near


def on_moons(seed, nouts, epochs, rate, forget=True, **options):
    """The mean loss of each epoch, and how many of the 100 points are right in the end."""
    rng, curve = np.random.default_rng(seed), []
    network = Network(2, nouts, rng, **options)
    for epoch in range(epochs):
        batches = scalar_nn.minibatches(POINTS, SIDES, 20, rng)
        costs = [network.step(losses.hinge_loss(network.scores(x), y), rate(epoch), forget) for x, y in batches]
        curve.append(np.mean(costs))
    return curve, int((network.scores(POINTS).data * SIDES > 0).sum())


def test_four_samples_are_learned_from_any_start():
    told("04", "40 networks with other first weights got there too, in 17 to 68 steps")
    found = [on_four_samples(seed, 100)[1] for seed in FORTY]
    assert (min(found), max(found)) == (17, 68)


def test_where_a_wrong_sign_and_large_steps_end():
    told("04", "Of 40 networks with other first weights, all end near 8, 12 or 16.")
    assert {round(on_four_samples(seed, rate=-0.05)[0][-1] / 4) * 4 for seed in FORTY} == {8, 12, 16}
    told("04", "Of the 40, 32 end there and three more at 4; the other five are lucky.")
    ends = [round(on_four_samples(seed, rate=1.5)[0][-1]) for seed in FORTY]
    assert (ends.count(8), ends.count(4), ends.count(0)) == (about(32), about(3), about(5))


def test_without_zero_grad_the_four_samples_look_learned():
    told("04", "is *ahead* after 20 steps in 37 of 40 networks, and ends lower in 35.")
    pairs = [(on_four_samples(seed)[0], on_four_samples(seed, forget=False)[0]) for seed in FORTY]
    assert sum(without[20] < right[20] for right, without in pairs) == about(37)
    assert sum(without[-1] < right[-1] for right, without in pairs) == about(35)


@cache
def small_nets_on_moons(rate):
    return [
        [on_moons(s, [8, 8, 1], 20, lambda _: rate, forget, last="linear")[0][-1] for s in FORTY] for forget in (1, 0)
    ]


def test_without_zero_grad_the_moons_are_not_learned():
    told("04", "it ended above the right one every time, typically at 1.8 where the right one is at 0.13.")
    right, without = small_nets_on_moons(0.5)
    assert all(np.less(right, without))
    assert np.median(without) == pytest.approx(1.8, abs=0.1) and np.median(right) == pytest.approx(0.13, abs=0.01)
    told("04", "with a learning rate of 0.1 in place of 0.5, Ben was *ahead* after 20 epochs in 20 of 40 trainings")
    right, without = small_nets_on_moons(0.1)
    assert sum(np.less(without, right)) == about(20)


def test_the_moons_are_learned_with_bends_and_not_without():
    told("04", "all got at least 97 of the points right, and 37 got all 100")
    falling = lambda epoch: 0.5 * (1 - max(epoch - 3, 0) / 27)
    found = [on_moons(seed, [16, 16, 1], 30, falling, last="linear")[1] for seed in FORTY]
    assert (min(found), found.count(100)) == (about(97), about(37))
    told("04", "40 such networks got between 85 and 88 points right")
    slowing = lambda epoch: 0.1 * (1 - epoch / 10)
    straight = [on_moons(seed, [16, 16, 1], 10, slowing, nonlin="linear")[1] for seed in FORTY]
    assert (min(straight), max(straight)) == (about(85), about(88))


@cache
def digits():
    return train_test_split(*load_digits(), test_size=0.2, seed=0)


def read_digits(seed, loss_fn, lr=0.2):
    """The share of digits read after ten epochs, in per cent."""
    x, x_test, y, y_test = digits()
    model = nn.MLP([64, 64, 10], rng=np.random.default_rng(seed))
    optimizer, loader = GradientDescent(model.parameters(), lr), DataLoader(x, y, batch_size=32, seed=seed)
    for _ in range(10):
        train_epoch(model, loss_fn, optimizer, loader)
    return 100 * accuracy(model(Tensor(x_test, requires_grad=False)), y_test)


@pytest.mark.parametrize(
    ("row", "loss_fn"),
    [
        ("| right | 95 %, 96 %, 97 % |", losses.cross_entropy),
        ("| Hal | 49 %, 86 %, 93 % |", lambda scores, y: losses.nll_loss(scores.log_softmax(0), y)),
    ],
)
def test_how_many_digits_are_read(row, loss_fn):
    told("11", row)
    shares = [read_digits(seed, loss_fn) for seed in TWENTY]
    assert [min(shares), np.median(shares), max(shares)] == [about(int(n)) for n in re.findall(r"\d+", row)]
