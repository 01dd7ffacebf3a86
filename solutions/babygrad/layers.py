"""Notebook 10: layers that know their own gradients, by hand and in NumPy alone. No graph is recorded.

Yours: 10.1, 10.2, 10.3, 10.4, 10.6, 10.7.

A layer keeps in forward what it will need in backward. So forward comes first, every time.
"""

import numpy as np

from .derivatives import numerical_gradient


class Layer:
    """What all layers have in common.

    forward(x): the layer's answer, an array.
    backward(dout): dout is the gradient of forward's last answer, of the same shape. Keeps the gradients of the layer's
        own parameters, and returns the gradient of x, of x's shape. It may be called again after the same forward.
    names: of the arrays that training may change. Each has its gradient beside it: weight has dweight.
    """

    names = ()
    kept = None  # what forward keeps for backward

    def __call__(self, x):
        return self.forward(x)

    def forward(self, x):
        """The layer's output for x. Each kind of layer has its own."""
        raise NotImplementedError(f"{type(self).__name__} has no forward yet: it computes the layer's answer to x")

    def backward(self, dout):
        """The gradient of x, given dout, the gradient of the answer. Each kind of layer has its own."""
        raise NotImplementedError(f"{type(self).__name__} has no backward yet: it computes the gradient of x from dout")

    def from_forward(self):
        """What forward kept.  Raises RuntimeError if there was no forward."""
        if self.kept is None:
            raise RuntimeError(f"{type(self).__name__}.backward came before forward: call forward(x) first")
        return self.kept

    def parameters(self):
        """The arrays that training may change, in order."""
        return list(self.named_parameters().values())

    def gradients(self):
        """The gradient of each parameter, as the last backward left it; None if there was none."""
        return [getattr(self, f"d{name}") for name in self.names]

    def named_parameters(self):
        """{name: array}."""
        return {name: getattr(self, name) for name in self.names}


class Linear(Layer):
    """x @ weight + bias: for each row of x (N, in_features) a row of the answer (N, out_features).

    rng: a numpy Generator that draws the first weights, from -1/sqrt(in_features) to 1/sqrt(in_features).
    .weight: (in_features, out_features).  .bias: (out_features,).  .dweight, .dbias: their gradients.
    """

    names = ("weight", "bias")
    dweight = dbias = None

    def __init__(self, in_features, out_features, rng=None):
        rng = np.random.default_rng() if rng is None else rng
        bound = 1 / np.sqrt(in_features)
        self.weight = rng.uniform(-bound, bound, (in_features, out_features))
        self.bias = rng.uniform(-bound, bound, out_features)

    def forward(self, x):
        """x (N, in_features).  Returns (N, out_features)."""
        ### BEGIN SOLUTION 10.1: Linear.forward
        self.kept = x
        return x @ self.weight + self.bias
        ### END SOLUTION

    def backward(self, dout):
        """dout: the gradient of forward's answer, (N, out_features).  Returns the gradient of x, (N, in_features).

        Sets self.dweight and self.dbias, of the shapes of weight and bias: the gradients of this batch alone.
        Raises RuntimeError if there was no forward (`self.from_forward()` does that).
        """
        ### BEGIN SOLUTION 10.1: Linear.backward
        x = self.from_forward()
        self.dweight = x.T @ dout
        self.dbias = dout.sum(axis=0)
        return dout @ self.weight.T
        ### END SOLUTION


class ReLU(Layer):
    """x where x is positive, else 0."""

    def forward(self, x):
        ### BEGIN SOLUTION 10.2: ReLU.forward
        self.kept = x
        return np.maximum(x, 0)
        ### END SOLUTION

    def backward(self, dout):
        """dout: the gradient of forward's answer.  Returns the gradient of x, of the same shape."""
        ### BEGIN SOLUTION 10.2: ReLU.backward
        return dout * (self.from_forward() > 0)
        ### END SOLUTION


class Tanh(Layer):
    """The hyperbolic tangent of each number."""

    def forward(self, x):
        ### BEGIN SOLUTION 10.2: Tanh.forward
        self.kept = np.tanh(x)
        return self.kept
        ### END SOLUTION

    def backward(self, dout):
        """dout: the gradient of forward's answer.  Returns the gradient of x, of the same shape."""
        ### BEGIN SOLUTION 10.2: Tanh.backward
        return dout * (1 - self.from_forward() ** 2)
        ### END SOLUTION


class Sigmoid(Layer):
    """The logistic function of each number, from 0 to 1, as in 6.8; right for -1000 and 1000 too, without a warning."""

    def forward(self, x):
        ### BEGIN SOLUTION 10.2: Sigmoid.forward
        small = np.exp(-np.abs(x))
        self.kept = np.where(x >= 0, 1, small) / (1 + small)
        return self.kept
        ### END SOLUTION

    def backward(self, dout):
        """dout: the gradient of forward's answer.  Returns the gradient of x, of the same shape."""
        ### BEGIN SOLUTION 10.2: Sigmoid.backward
        answer = self.from_forward()
        return dout * answer * (1 - answer)
        ### END SOLUTION


class Softmax(Layer):
    """Each row of scores (logits) as probabilities: positive numbers that add up to 1."""

    def forward(self, x):
        """x (N, C).  Returns (N, C).  Right for scores of -1000 and 1000 too."""
        ### BEGIN SOLUTION 10.3: Softmax.forward
        self.kept = softmax_rows(x)
        return self.kept
        ### END SOLUTION

    def backward(self, dout):
        """dout (N, C).  Returns the gradient of x, (N, C). Builds no Jacobian, only a few arrays of that shape."""
        ### BEGIN SOLUTION 10.3: Softmax.backward
        p = self.from_forward()
        return p * (dout - (p * dout).sum(axis=1, keepdims=True))
        ### END SOLUTION


def softmax_jacobian(p):
    """The Jacobian of softmax for one row: how much each probability changes for each unit of each score.

    p: a row of probabilities, (C,), which softmax has returned.
    Returns an array (C, C): row i, column j holds the partial derivative of p[i] with respect to score j.
    """
    ### BEGIN SOLUTION 10.3: softmax_jacobian
    return np.diag(p) - np.outer(p, p)
    ### END SOLUTION


def softmax_rows(scores):
    """Softmax of each row.  scores (N, C).  Returns (N, C).  Right for scores of -1000, 1000 and -inf too.

    `softmax_rows(np.array([[0.0, 0.0], [5.0, -np.inf]]))` is [[0.5, 0.5], [1, 0]], without a warning.
    """
    ### BEGIN SOLUTION 10.3: softmax_rows
    small = np.exp(scores - scores.max(axis=1, keepdims=True))
    return small / small.sum(axis=1, keepdims=True)
    ### END SOLUTION


class CrossEntropyLoss(Layer):
    """The cross-entropy: how badly scores (logits) fit the right classes. A batch's loss is the mean over its rows."""

    def __call__(self, scores, targets):
        return self.forward(scores, targets)

    def forward(self, scores, targets):
        """scores (N, C).  targets (N,): each row's right class, an int from 0 to C - 1.  Returns the loss, a number.

        Right for scores of -1000 and 1000 too, where the probability of the right class is rounded to 0.
        """
        ### BEGIN SOLUTION 10.4: CrossEntropyLoss.forward
        self.kept = softmax_rows(scores), targets
        lower = scores - scores.max(axis=1, keepdims=True)
        log_p = lower - np.log(np.exp(lower).sum(axis=1, keepdims=True))
        return -log_p[np.arange(len(scores)), targets].mean()
        ### END SOLUTION

    def backward(self, dout=1.0):
        """dout: the gradient of the loss, a number.  Returns the gradient of scores, (N, C).

        Called twice, it returns the same twice.  Raises RuntimeError if there was no forward.
        """
        ### BEGIN SOLUTION 10.4: CrossEntropyLoss.backward
        probabilities, targets = self.from_forward()
        dscores = probabilities.copy()
        dscores[np.arange(len(dscores)), targets] -= 1
        return dscores / len(dscores) * dout
        ### END SOLUTION


class Net(Layer):
    """Layers one after the other: each gets the answer of the one before it.

    layers: the layers, in order.  Raises TypeError for anything that has no forward.
    """

    def __init__(self, *layers):
        layers = layers[0] if len(layers) == 1 and isinstance(layers[0], (list, tuple)) else layers
        for layer in layers:
            if not callable(getattr(layer, "forward", None)):
                raise TypeError(f"a Net is made of layers, but {layer!r} has no forward(x)")
        self.layers = list(layers)

    def forward(self, x):
        """The last layer's answer."""
        for layer in self.layers:
            x = layer.forward(x)
        return x

    def backward(self, dout):
        """dout: the gradient of the last layer's answer.  Returns the gradient of the net's input."""
        for layer in reversed(self.layers):
            dout = layer.backward(dout)
        return dout

    def gradients(self):
        return [gradient for layer in self.layers for gradient in layer.gradients()]

    def named_parameters(self):
        """{name: array}; the bias of the first layer is "0.bias"."""
        pairs = [(i, *pair) for i, layer in enumerate(self.layers) for pair in layer.named_parameters().items()]
        return {f"{i}.{name}": array for i, name, array in pairs}


def relative_error(a, b):
    """The distance between two arrays relative to their size: |a - b| / (|a| + |b|). 0 if both are 0.

    a, b: arrays of the same shape.  The size |a| of a whole array is the root of its sum of squares,
    np.linalg.norm(a).  Given.
    """
    size = np.linalg.norm(a) + np.linalg.norm(b)
    return float(np.linalg.norm(a - b) / size) if size else 0.0


def eval_numerical_gradients(layer, x, *, eps=1e-6, seed=0):
    """Are a layer's gradients right?  The relative error of each, against central differences.

    layer: any layer with forward(x) and backward(dout). Its forward may write into the gradients that backward left.
    x: a float array; it and the parameters are left as they were.
    eps: how far each number is nudged.  seed: of the random dout, which np.random.default_rng(seed) draws.
    Returns {name: relative error}, for each parameter by its name, and for "x".  A right gradient has less than 1e-6.

    1. by hand: the gradients that the layer finds for a random dout
    2. by nudging: the same gradients, of each parameter and of x
    """
    ### BEGIN SOLUTION 10.6: eval_numerical_gradients
    dout = np.random.default_rng(seed).normal(size=np.shape(layer.forward(x)))
    dx = layer.backward(dout)
    by_hand = {name: gradient.copy() for name, gradient in zip(layer.named_parameters(), layer.gradients())}
    errors = {}
    for name, parameter in layer.named_parameters().items():
        before = parameter.copy()

        def with_parameter(array, parameter=parameter):
            parameter[...] = array
            return np.sum(dout * layer.forward(x))

        nudged = numerical_gradient(with_parameter, before.copy(), eps)
        parameter[...] = before
        errors[name] = relative_error(by_hand[name], nudged)
    nudged = numerical_gradient(lambda array: np.sum(dout * layer.forward(array)), x.copy(), eps)
    return {**errors, "x": relative_error(dx, nudged)}
    ### END SOLUTION


def train_step(net, loss, x, targets, learning_rate):
    """One step of gradient descent with layers alone.

    net: a Net.  loss: a CrossEntropyLoss.  x (N, features), targets (N,).
    Changes the net's parameters in place.  Returns the loss before the step, a number.
    """
    ### BEGIN SOLUTION 10.7: train_step
    cost = loss.forward(net.forward(x), targets)
    net.backward(loss.backward())
    for parameter, gradient in zip(net.parameters(), net.gradients()):
        parameter -= learning_rate * gradient
    return cost
    ### END SOLUTION
