"""Notebook 04: a neural network made of Values, and the loop that trains it.

Yours: 4.1, 4.2, 4.3, 4.4, 4.5, 4.6.
"""

import numpy as np

from .value import Value

NONLINEARITIES = ("tanh", "relu", "sigmoid", "linear")


class Neuron:
    """Makes one number out of several: it has a weight for each of them, a bias, and an activation.

    nin: how many inputs.  nonlin: the activation, 'tanh', 'relu', 'sigmoid' or 'linear' (which is none).
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
        """The neuron's answer to x, a Value that leads back to the weights, to the bias and to the Values in x.

        x: a list or an array of nin numbers or Values.  Raises ValueError for another length.
        self.nonlin names the neuron's activation: 'tanh', 'relu', 'sigmoid', or 'linear' for none.
        """
        if len(x) != len(self.weights):
            raise ValueError(f"number of inputs: the neuron has weights for {len(self.weights)}, but got {len(x)}")
        # exercise 4.1
        raise NotImplementedError("exercise 4.1: Neuron.__call__")
        # end of exercise 4.1

    def parameters(self):
        """All Values that training may change, in one list: the weights in order, then the bias."""
        return [*self.weights, self.bias]


def parameters_of(parts):
    """Everything that training may change in several parts, in one list.

    parts: the neurons of a layer, or the layers of a network, in a list.
    Returns a list of Values: those of the first part in their own order, then those of the second, and so on. It is
    flat: there are no lists inside it.
    """
    # exercise 4.2
    raise NotImplementedError("exercise 4.2: parameters_of")
    # end of exercise 4.2


class Layer:
    """nout neurons side by side, for nin inputs."""

    def __init__(self, nin, nout, nonlin="tanh", rng=None):
        rng = np.random.default_rng() if rng is None else rng
        self.neurons = [Neuron(nin, nonlin, rng) for _ in range(nout)]

    def __call__(self, x):
        """The neurons' answers to x: a list of Values, or just the Value if there is only one neuron.

        x: a list of nin numbers or Values.
        """
        x = [x] if isinstance(x, Value) else x  # what a layer of one neuron answered
        answers = [neuron(x) for neuron in self.neurons]
        return answers[0] if len(answers) == 1 else answers

    def parameters(self):
        """The parameters of all neurons, in one list."""
        return parameters_of(self.neurons)


class MLP:
    """Layers one after the other: a multi-layer perceptron.

    nin: how many inputs.  nouts: the number of neurons of each layer, such as [4, 4, 1].
    nonlin: every layer's activation.  last: the last layer's, if it should be a different one ('linear', say).
    """

    def __init__(self, nin, nouts, nonlin="tanh", last=None, rng=None):
        rng = np.random.default_rng() if rng is None else rng
        sizes = [nin, *nouts]
        bends = [nonlin] * (len(nouts) - 1) + [last or nonlin]
        self.layers = [Layer(m, n, bend, rng) for m, n, bend in zip(sizes, sizes[1:], bends)]

    def __call__(self, x):
        """The network's answer to x: a Value, or a list of them.

        x: a list or an array of nin numbers or Values.
        """
        # exercise 4.3
        raise NotImplementedError("exercise 4.3: MLP.__call__")
        # end of exercise 4.3

    def parameters(self):
        """The parameters of all layers, in one list."""
        return parameters_of(self.layers)

    def zero_grad(self):
        """Set every parameter's grad to 0.0."""
        for parameter in self.parameters():
            parameter.grad = 0.0


def squared_error(predictions, targets):
    """How wrong the predictions are in total, a Value: 0 only if each of them is right.

    predictions: a list of Values.  targets: a list or an array of numbers, as long.
    Twice as far off costs four times as much, above the target or below it. Two samples together cost what the
    first costs plus what the second costs.
    """
    # exercise 4.4
    raise NotImplementedError("exercise 4.4: squared_error")
    # end of exercise 4.4


def train_step(model, xs, ys, loss_fn, learning_rate):
    """One step of gradient descent: afterwards the parameters of the model hold new numbers.

    model: an MLP.  xs, ys: as many inputs and targets, in lists or in arrays.
    loss_fn(predictions, targets): takes two lists, and returns the loss of all samples together, one Value.
    Returns the loss from before the step, a plain number.

    The model keeps the Values it has; only their numbers change. What another backward pass has left in a grad plays
    no part.
    """
    # exercise 4.4
    raise NotImplementedError("exercise 4.4: train_step")
    # end of exercise 4.4


def minibatches(xs, ys, batch_size, rng):
    """Deal all samples out in shuffled batches: a list of pairs (some xs, the ys that belong to them).

    xs, ys: arrays with one sample in each row.  rng: a numpy Generator.
    Each sample is dealt once.  Each batch holds batch_size samples; the last one holds what is left.
    `order` is given: the row numbers, shuffled.  The same seed of rng deals the same batches.
    """
    order = rng.permutation(len(xs))
    # exercise 4.5
    raise NotImplementedError("exercise 4.5: minibatches")
    # end of exercise 4.5


def hinge_loss(scores, labels):
    """What the scores cost on average, a Value.

    scores: a list of Values.  labels: +1 and -1, as many, in a list or an array.
    A score costs nothing if it is on its label's side of 0, and at least 1 away from 0. Any other score costs the
    distance that it still has to go.
    """
    # exercise 4.6
    raise NotImplementedError("exercise 4.6: hinge_loss")
    # end of exercise 4.6


def fit(model, xs, ys, loss_fn, *, epochs, batch_size, learning_rate, rng, progress=True, watch=None):
    """Train the model; an epoch is one pass over all samples.  Returns the mean loss of each epoch.

    learning_rate: a number, or a function of how much of the training is done (0.0 to 1.0).
    progress: show a progress bar.
    watch: called as watch(model, losses so far) before the first epoch and after each.
    """
    from tqdm import tqdm  # imported here because it is slow

    rate = learning_rate if callable(learning_rate) else lambda done: learning_rate
    losses, watch = [], watch or (lambda model, losses: None)
    watch(model, losses)
    bar = tqdm(range(epochs), desc="training", unit="epoch", disable=not progress, leave=False)
    for epoch in bar:
        batches = minibatches(xs, ys, batch_size, rng)
        steps = [train_step(model, x, y, loss_fn, rate(epoch / epochs)) for x, y in batches]
        losses.append(sum(steps) / len(steps))
        watch(model, losses)
        bar.set_postfix(loss=f"{losses[-1]:.4f}")
    return losses
