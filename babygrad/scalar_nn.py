"""Notebook 04: a neural network made of Values, and the loop that trains it."""

import numpy as np

from .value import Value

NONLINEARITIES = ("tanh", "relu", "sigmoid", "linear")


class Neuron:
    """Weighs its inputs, adds its bias, and bends the sum.

    nin: how many inputs.  nonlin: 'tanh', 'relu', 'sigmoid' or 'linear' (which leaves the sum alone).
    rng: a numpy Generator that draws the first weights.  Raises ValueError for another nonlin.
    """

    def __init__(self, nin, nonlin="tanh", rng=None):
        if nonlin not in NONLINEARITIES:
            raise ValueError(f"nonlin is {nonlin!r}, but must be one of {', '.join(NONLINEARITIES)}")
        rng = np.random.default_rng() if rng is None else rng
        self.weights = [Value(w, label=f"w{i}") for i, w in enumerate(rng.uniform(-1, 1, nin))]
        self.bias = Value(0.0, label="b")
        self.nonlin = nonlin

    def __call__(self, x):
        """The neuron's answer to x, a Value.

        x: a list of nin numbers or Values.  Raises ValueError for another length.

        1. the sum: each weight times its input, all added up, and the bias once
        2. bend the sum with the Value's own tanh(), relu() or sigmoid(), as self.nonlin says;
           'linear' leaves it alone
        """
        if len(x) != len(self.weights):
            raise ValueError(f"number of inputs: the neuron has weights for {len(self.weights)}, but {len(x)} came")
        # exercise 4.1
        raise NotImplementedError("exercise 4.1: Neuron.__call__")
        # end of exercise 4.1

    def parameters(self):
        """All Values that training may change, in one flat list: the weights in order, then the bias."""
        # exercise 4.1
        raise NotImplementedError("exercise 4.1: Neuron.parameters")
        # end of exercise 4.1


class Layer:
    """nout neurons side by side; each sees all nin inputs."""

    def __init__(self, nin, nout, nonlin="tanh", rng=None):
        rng = np.random.default_rng() if rng is None else rng
        self.neurons = [Neuron(nin, nonlin, rng) for _ in range(nout)]

    def __call__(self, x):
        """The neurons' answers to x: a list of Values, or the Value alone if there is only one neuron."""
        x = [x] if isinstance(x, Value) else x  # what a layer of one neuron answered
        # exercise 4.2
        raise NotImplementedError("exercise 4.2: Layer.__call__")
        # end of exercise 4.2

    def parameters(self):
        """The parameters of the first neuron, then those of the second, and so on, in one flat list."""
        # exercise 4.2
        raise NotImplementedError("exercise 4.2: Layer.parameters")
        # end of exercise 4.2


class MLP:
    """Layers one after the other: a multi-layer perceptron.

    nin: how many inputs.  nouts: the number of neurons of each layer, such as [4, 4, 1].
    nonlin: of every layer.  last: of the last layer, if it is to be another one ('linear', say).
    """

    def __init__(self, nin, nouts, nonlin="tanh", last=None, rng=None):
        rng = np.random.default_rng() if rng is None else rng
        sizes = [nin, *nouts]
        bends = [nonlin] * (len(nouts) - 1) + [last or nonlin]
        self.layers = [Layer(m, n, bend, rng) for m, n, bend in zip(sizes, sizes[1:], bends)]

    def __call__(self, x):
        """The network's answer to x: the first layer reads x, each other one what the layer before answered.

        x: a list of nin numbers or Values.
        Returns what the last layer answers: a Value, or a list of Values.
        """
        # exercise 4.3
        raise NotImplementedError("exercise 4.3: MLP.__call__")
        # end of exercise 4.3

    def parameters(self):
        """The parameters of the first layer, then those of the second, and so on, in one flat list."""
        # exercise 4.3
        raise NotImplementedError("exercise 4.3: MLP.parameters")
        # end of exercise 4.3

    def zero_grad(self):
        """Set every parameter's grad to 0.0."""
        # exercise 4.3
        raise NotImplementedError("exercise 4.3: MLP.zero_grad")
        # end of exercise 4.3


def squared_error(predictions, targets):
    """How wrong the predictions are together: the sum of (prediction - target) squared, a Value.

    predictions: a list of Values.  targets: a list of numbers, as long.
    """
    # exercise 4.4
    raise NotImplementedError("exercise 4.4: squared_error")
    # end of exercise 4.4


def train_step(model, xs, ys, loss_fn, learning_rate):
    """One step of gradient descent on the samples xs with the targets ys.

    model: an MLP.  xs: a list of inputs.  ys: a list of targets, as long.
    loss_fn(predictions, targets): gives the loss of all samples together, one Value.
    Returns that loss, as it was before the step: a plain number.

    1. the model's prediction for each x in a list, and their loss
    2. forget the gradients of the step before
    3. walk back from the loss
    4. move each parameter's data downhill: against its gradient, by learning_rate times the gradient
    """
    # exercise 4.4
    raise NotImplementedError("exercise 4.4: train_step")
    # end of exercise 4.4


def hinge_loss(scores, labels):
    """What the scores cost: the mean over all samples of relu(1 - label * score), a Value.

    scores: a list of Values.  labels: +1 and -1, as many.
    A sample that is on its own side of 0 by 1 or more costs nothing.
    """
    # exercise 4.5
    raise NotImplementedError("exercise 4.5: hinge_loss")
    # end of exercise 4.5


def l2_penalty(parameters, strength=1e-4):
    """strength times the sum of all squared parameters, a Value.  Added to a loss it keeps them small.

    parameters: a list of Values.
    """
    # exercise 4.5
    raise NotImplementedError("exercise 4.5: l2_penalty")
    # end of exercise 4.5


def minibatches(xs, ys, batch_size, rng):
    """Deal all samples out in shuffled batches: a list of pairs (some xs, the ys that belong to them).

    xs, ys: arrays with one sample in each row.  rng: a numpy Generator.
    Each sample is dealt once.  Each batch holds batch_size samples; the last one holds what is left.

    1. order holds the row numbers, shuffled: cut it into pieces of batch_size
    2. for each piece take these rows of xs and the same rows of ys: xs[piece], ys[piece]
    """
    order = rng.permutation(len(xs))
    # exercise 4.6
    raise NotImplementedError("exercise 4.6: minibatches")
    # end of exercise 4.6


def fit(model, xs, ys, loss_fn, *, epochs, batch_size, learning_rate, rng, progress=True):
    """Train the model; an epoch is one pass over all samples.  Returns the mean loss of each epoch.

    learning_rate: a number, or a function of how much of the training is done (0.0 to 1.0).
    progress: show a progress bar.
    """
    from tqdm import tqdm  # imported here because it is slow

    rate = learning_rate if callable(learning_rate) else lambda done: learning_rate
    losses = []
    bar = tqdm(range(epochs), desc="training", unit="epoch", disable=not progress, leave=False)
    for epoch in bar:
        batches = minibatches(xs, ys, batch_size, rng)
        steps = [train_step(model, x, y, loss_fn, rate(epoch / epochs)) for x, y in batches]
        losses.append(sum(steps) / len(steps))
        bar.set_postfix(loss=f"{losses[-1]:.4f}")
    return losses
