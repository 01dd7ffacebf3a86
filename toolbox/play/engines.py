"""The two engines of a playground, Values and Tensors. All that learns here is code of the learner's own package.

Its files are imported where they are used: a mistake in one of them is told in the playground.
"""

from itertools import pairwise

import numpy as np

from .points import MAKERS
from .settings import ALL, NO_ACTIVATION, PLAIN, Limits, Settings

MOMENTUM = 0.9


class ScalarNet:
    """An MLP of Values. Its one answer, behind tanh, is the score. Labels are -1 and +1; mean squared error."""

    title, loss_name, samples = "A network of Values", "mean squared error", 100
    start = Settings(learning_rate=0.4, steps=2)
    limits = Limits(
        data=tuple(MAKERS),
        depth=(1, 2, 3),
        width=(1, 2, 3, 4, 6, 8, 12, 16),
        activation=("tanh", "relu", "sigmoid", NO_ACTIVATION),
        optimizer=(PLAIN,),
        batch=(1, 5, 20, 50, ALL),
        steps=(1, 2, 5, 10),
    )

    def __init__(self, settings):
        from babygrad.scalar_nn import MLP

        activation = "linear" if settings.activation == NO_ACTIVATION else settings.activation
        rng = np.random.default_rng(settings.seed)
        self.model = MLP(2, [settings.width] * settings.depth + [1], activation, "tanh", rng)
        self.order = np.random.default_rng(settings.seed)

    @staticmethod
    def optimizers():
        """({name: how it is made}, what is said of those that are missing)."""
        return {PLAIN: None}, ""

    def choose(self, optimizer, learning_rate):
        """Begin with an optimizer of optimizers()."""
        self.learning_rate = learning_rate

    def set_rate(self, learning_rate):
        self.learning_rate = learning_rate

    def batches(self, x, y, size):
        """One epoch: pairs (some rows of x, their labels)."""
        from babygrad.scalar_nn import minibatches

        dealt = minibatches(x, signs(y), size, self.order)
        return [(np.asarray(some).tolist(), np.asarray(labels).tolist()) for some, labels in dealt]

    def step(self, x, y, zero_grad):
        """One step of gradient descent.  Returns the loss from before it."""
        from babygrad.scalar_nn import train_step

        if zero_grad:
            return train_step(self.model, x, y, mean_squared_error, self.learning_rate)
        loss = mean_squared_error([self.model(point) for point in x], y)
        loss.backward()
        for parameter in self.model.parameters():
            parameter.data -= self.learning_rate * parameter.grad
        return loss.data

    def answers(self, places):
        """What the net answers at each of the places, an array (n, 2): a list of Values."""
        return [self.model(place) for place in places.tolist()]

    def scores(self, answers):
        """An array (n,): above 0 is the side of label 1."""
        return np.array([value(answer).data for answer in answers], dtype=float)

    def loss(self, answers, y):
        return mean_squared_error(answers, signs(y).tolist()).data

    def size(self):
        """How many numbers learn."""
        return len(self.model.parameters())

    def resolution(self):
        """How many places across and up are asked for a picture: a large net is asked at fewer."""
        places = max(108, min(560, 25_000 // self.size()))
        return round((places * 4 / 3) ** 0.5), round((places * 3 / 4) ** 0.5)


def mean_squared_error(predictions, targets):
    """The learner's squared_error, divided by the number of samples: a step is as long for any batch."""
    from babygrad.scalar_nn import squared_error

    return squared_error(predictions, targets) * (1 / len(predictions))


def signs(y):
    return 2 * y - 1


def value(answer):
    """The answer of a net of Values.  Raises TypeError if it is something else."""
    if not hasattr(answer, "_prev"):
        raise TypeError(f"the network should answer with one Value, but it answered with {answer!r}")
    return answer


class TensorNet:
    """An nn.MLP with two scores for each point, one for each label. The loss is cross_entropy."""

    title, loss_name, samples = "A network of Tensors", "cross-entropy", 200
    start = Settings(depth=2, width=16, learning_rate=0.1, batch=50, steps=5)
    limits = Limits(
        data=tuple(MAKERS),
        depth=(1, 2, 3, 4),
        width=(1, 2, 3, 4, 8, 16, 32, 64),
        activation=("tanh", "relu", "sigmoid", NO_ACTIVATION),
        optimizer=(PLAIN, "SGD with momentum", "RMSprop", "Adam", "AdamW"),
        batch=(1, 10, 50, 100, ALL),
        steps=(1, 2, 5, 10, 25),
    )

    def __init__(self, settings):
        from babygrad import nn

        sizes = [2, *[settings.width] * settings.depth, 2]
        rng = np.random.default_rng(settings.seed)
        if settings.activation == NO_ACTIVATION:
            self.model = nn.Sequential(*(nn.Linear(m, n, rng=rng) for m, n in pairwise(sizes)))
        else:
            self.model = nn.MLP(sizes, settings.activation, rng)
        self.seed, self.epoch = settings.seed, 0

    @classmethod
    def optimizers(cls):
        """({name: how it is made}, what is said of those that are missing)."""
        from babygrad.tensor import Tensor

        made, missing = {}, []
        for name, make in makers().items():
            probe = Tensor([1.0])
            try:
                optimizer = make([probe], 0.1)
                for _ in range(2):  # the first step may need less than the second
                    probe.grad = np.ones(1)
                    optimizer.step()
            except NotImplementedError as unfilled:
                missing.append(f"{name} ({unfilled})")
                continue
            except Exception:  # a mistake in it shows when it is chosen
                pass
            made[name] = make
        return made, f"Not filled in yet: {', '.join(missing)}." if missing else ""

    def choose(self, optimizer, learning_rate):
        """Begin with an optimizer of optimizers()."""
        self.optimizer = makers()[optimizer](self.model.parameters(), learning_rate)

    def set_rate(self, learning_rate):
        self.optimizer.lr = learning_rate

    def batches(self, x, y, size):
        """One epoch: pairs (some rows of x, their labels)."""
        from babygrad.arrays import DataLoader

        loader = DataLoader(x, y, size, seed=self.seed)
        loader.epoch = self.epoch
        self.epoch += 1
        return loader

    def step(self, x, y, zero_grad):
        """One step of the optimizer.  Returns the loss from before it."""
        from babygrad.losses import cross_entropy
        from babygrad.tensor import Tensor
        from babygrad.training import train_epoch

        if zero_grad:
            return train_epoch(self.model, cross_entropy, self.optimizer, [(x, y)])
        loss = cross_entropy(self.model(Tensor(x, requires_grad=False)), y)
        loss.backward()
        self.optimizer.step()
        return loss.item()

    def answers(self, places):
        """What the net answers at each of the places, an array (n, 2): an array (n, 2) of scores."""
        from babygrad.nn import predict

        return predict(self.model, places)

    def scores(self, answers):
        """An array (n,): above 0 is the side of label 1."""
        if answers.shape[1:] != (2,):
            raise TypeError(f"the network's answers should have the shape (n, 2), but it is {answers.shape}")
        return answers[:, 1] - answers[:, 0]

    def loss(self, answers, y):
        from babygrad.losses import cross_entropy
        from babygrad.tensor import Tensor

        return cross_entropy(Tensor(answers, requires_grad=False), y).item()

    def size(self):
        """How many numbers learn."""
        return sum(parameter.size for parameter in self.model.parameters())

    def resolution(self):
        """How many places across and up are asked for a picture."""
        return 41, 31


def makers():
    """{name: make(parameters, learning rate)} of the optimizers."""
    from babygrad import optim
    from babygrad.training import GradientDescent

    return {
        PLAIN: GradientDescent,
        "SGD with momentum": lambda params, lr: optim.SGD(params, lr, MOMENTUM),
        "RMSprop": optim.RMSprop,
        "Adam": optim.Adam,
        "AdamW": optim.AdamW,
    }


ENGINES = {"scalar": ScalarNet, "tensor": TensorNet}
