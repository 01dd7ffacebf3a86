"""Right solutions of notebook 10 in another style."""

import numpy as np


def variant_10_1_einsum(bg):
    """The sums over indices, written out."""

    def forward(self, x):
        self.kept = x
        return np.einsum("ni,io->no", x, self.weight) + self.bias[None, :]

    def backward(self, dout):
        x = self.from_forward()
        self.dweight = np.einsum("ni,no->io", x, dout)
        self.dbias = np.einsum("no->o", dout)
        return np.einsum("no,io->ni", dout, self.weight)

    bg.layers.Linear.forward, bg.layers.Linear.backward = forward, backward


def variant_10_1_row_by_row(bg):
    """A loop over the samples, each with an outer product; what is kept is a copy in a tuple."""

    def forward(self, x):
        self.kept = (x.copy(),)
        return np.stack([row @ self.weight + self.bias for row in x])

    def backward(self, dout):
        (x,) = self.from_forward()
        self.dweight, self.dbias = np.zeros_like(self.weight), np.zeros_like(self.bias)
        for row, above in zip(x, dout):
            self.dweight += np.outer(row, above)
            self.dbias += above
        return np.stack([self.weight @ above for above in dout])

    bg.layers.Linear.forward, bg.layers.Linear.backward = forward, backward


def variant_10_1_ones_for_the_bias(bg):
    """dbias as a product with a row of ones, dweight turned twice."""

    def backward(self, dout):
        x = self.from_forward()
        self.dweight = (dout.T @ x).T
        self.dbias = np.ones(len(x)) @ dout
        return (self.weight @ dout.T).T

    bg.layers.Linear.backward = backward


def variant_10_2_masks_and_where(bg):
    """ReLU keeps a mask; Tanh keeps x; Sigmoid by tanh."""
    relu, tanh, sigmoid = bg.layers.ReLU, bg.layers.Tanh, bg.layers.Sigmoid

    def relu_forward(self, x):
        self.kept = x > 0
        return np.where(self.kept, x, 0.0)

    def tanh_forward(self, x):
        self.kept = x
        return np.tanh(x)

    def sigmoid_forward(self, x):
        self.kept = 0.5 + 0.5 * np.tanh(x / 2)
        return self.kept

    relu.forward, relu.backward = relu_forward, lambda self, dout: np.where(self.from_forward(), dout, 0.0)
    tanh.forward, tanh.backward = tanh_forward, lambda self, dout: dout - dout * np.tanh(self.from_forward()) ** 2
    sigmoid.forward = sigmoid_forward


def variant_10_2_keeps_the_slope(bg):
    """Each computes its slope in forward already; sigmoid with two fills."""

    def sigmoid(x):
        out = np.empty_like(x)
        positive = x >= 0
        out[positive] = 1 / (1 + np.exp(-x[positive]))
        e = np.exp(x[~positive])
        out[~positive] = e / (1 + e)
        return out

    functions = {
        "ReLU": (lambda x: x * (x > 0), lambda x, out: (x > 0).astype(float)),
        "Tanh": (np.tanh, lambda x, out: (1 - out) * (1 + out)),
        "Sigmoid": (sigmoid, lambda x, out: out - out**2),
    }
    for name, (function, slope) in functions.items():

        def forward(self, x, function=function, slope=slope):
            out = function(x)
            self.kept = slope(x, out)
            return out

        cls = getattr(bg.layers, name)
        cls.forward, cls.backward = forward, lambda self, dout: self.from_forward() * dout


def variant_10_3_row_by_row(bg):
    """Each row for itself, there and back; the Jacobian by two loops."""

    def softmax_rows(scores):
        rows = [np.exp(row - np.max(row)) for row in scores]
        return np.array([row / np.sum(row) for row in rows])

    def softmax_jacobian(p):
        n = len(p)
        return np.array([[p[i] * ((i == j) - p[j]) for j in range(n)] for i in range(n)])

    def backward(self, dout):
        rows = zip(self.from_forward(), dout)
        return np.stack([p * (above - p @ above) for p, above in rows])

    bg.layers.softmax_rows, bg.layers.softmax_jacobian = softmax_rows, softmax_jacobian
    bg.layers.Softmax.backward = backward


def variant_10_3_turned(bg):
    """Works on the transpose, so that no axis must be kept; an eye for the diagonal."""

    def softmax_rows(scores):
        turned = scores.T - scores.max(1)
        e = np.exp(turned)
        return (e / e.sum(0)).T

    def backward(self, dout):
        share = self.from_forward() * dout
        return share - self.from_forward() * share.sum(-1)[:, None]

    bg.layers.softmax_rows = softmax_rows
    bg.layers.softmax_jacobian = lambda p: (np.eye(len(p)) - p) * p[:, None]
    bg.layers.Softmax.backward = backward


def variant_10_4_one_hot(bg):
    """With a one-hot array in both directions, and the gradient computed in forward."""

    def forward(self, scores, targets):
        hot = np.zeros(scores.shape)
        hot[range(len(targets)), targets] = 1.0
        top = scores.max(axis=1, keepdims=True)
        total = np.log(np.exp(scores - top).sum(axis=1, keepdims=True)) + top
        self.kept = (np.exp(scores - total) - hot) / len(scores)
        return float(np.mean(total[:, 0] - scores[range(len(targets)), targets]))

    bg.layers.CrossEntropyLoss.forward = forward
    bg.layers.CrossEntropyLoss.backward = lambda self, dout=1.0: dout * self.from_forward()


def variant_10_4_sample_by_sample(bg):
    """A loop over the samples."""

    def forward(self, scores, targets):
        self.kept = scores, targets
        losses = [np.logaddexp.reduce(row) - row[t] for row, t in zip(scores, targets)]
        return sum(losses) / len(losses)

    def backward(self, dout=1.0):
        scores, targets = self.from_forward()
        rows = []
        for row, t in zip(bg.layers.softmax_rows(scores), targets):
            row[t] -= 1.0
            rows.append(row * dout / len(scores))
        return np.array(rows)

    bg.layers.CrossEntropyLoss.forward, bg.layers.CrossEntropyLoss.backward = forward, backward


def variant_10_5_reduce(bg):
    """functools.reduce, and the list read from its end."""
    from functools import reduce

    bg.layers.Net.forward = lambda self, x: reduce(lambda x, layer: layer.forward(x), self.layers, x)
    bg.layers.Net.backward = lambda self, dout: reduce(lambda g, layer: layer.backward(g), self.layers[::-1], dout)


def variant_10_5_by_calling(bg):
    """Calls the layers, and counts down."""

    def forward(self, x):
        for layer in self.layers:
            x = layer(x)
        return x

    def backward(self, dout):
        for i in range(len(self.layers) - 1, -1, -1):
            dout = self.layers[i].backward(dout)
        return dout

    bg.layers.Net.forward, bg.layers.Net.backward = forward, backward


def variant_10_6_own_nudging(bg):
    """Nudges the layer's own arrays one number at a time, and puts each back; x as a copy."""

    def slopes(array, value, eps):
        found = np.zeros(array.shape)
        for place in np.ndindex(array.shape):
            before = array[place]
            array[place] = before + eps
            up = value()
            array[place] = before - eps
            found[place] = (up - value()) / (2 * eps)
            array[place] = before
        return found

    def eval_numerical_gradients(layer, x, *, eps=1e-6, seed=0):
        x = np.array(x)
        dout = np.random.default_rng(seed).normal(size=layer.forward(x).shape)
        given = {"x": layer.backward(dout).copy()}
        given.update({name: np.array(g) for name, g in zip(layer.named_parameters(), layer.gradients())})
        arrays = {"x": x, **layer.named_parameters()}

        def value():
            return (layer.forward(x) * dout).sum()

        error = bg.layers.relative_error
        return {name: error(given[name], slopes(array, value, eps)) for name, array in arrays.items()}

    bg.layers.eval_numerical_gradients = eval_numerical_gradients


def variant_10_6_parameters_themselves(bg):
    """Gives the parameter itself to numerical_gradient, which puts back what it nudged."""

    def eval_numerical_gradients(layer, x, *, eps=1e-6, seed=0):
        dout = np.random.default_rng(seed).normal(size=layer.forward(x).shape)
        by_hand = {"x": layer.backward(dout)}
        by_hand |= {name: g + 0 for name, g in zip(layer.named_parameters(), layer.gradients())}
        arrays = {"x": x, **layer.named_parameters()}
        slope, error = bg.derivatives.numerical_gradient, bg.layers.relative_error
        return {
            name: error(by_hand[name], slope(lambda _: np.sum(dout * layer.forward(x)), arrays[name], eps))
            for name in by_hand
        }

    bg.layers.eval_numerical_gradients = eval_numerical_gradients


def variant_10_7_layer_by_layer(bg):
    """Calls net and loss, and goes through the layers' own names, into an inner net too."""

    def move(layer, learning_rate):
        for inner in getattr(layer, "layers", ()):
            move(inner, learning_rate)
        for name in layer.names:
            parameter = getattr(layer, name)
            parameter[...] = parameter - learning_rate * getattr(layer, "d" + name)

    def train_step(net, loss, x, targets, learning_rate):
        cost = loss(net(x), targets)
        net.backward(loss.backward(1.0))
        move(net, learning_rate)
        return cost

    bg.layers.train_step = train_step


def variant_10_7_step_in_the_gradient(bg):
    """All steps first, then all changes."""

    def train_step(net, loss, x, targets, learning_rate):
        cost = float(loss.forward(net.forward(x), targets))
        net.backward(loss.backward())
        steps = [learning_rate * gradient for gradient in net.gradients()]
        for parameter, change in zip(net.parameters(), steps):
            np.subtract(parameter, change, out=parameter)
        return cost

    bg.layers.train_step = train_step


def variant_10_8_by_the_place_of_each_number(bg):
    """Scatter with the flat places of the numbers, and bincount."""

    def forward(self, a):
        places = np.arange(int(np.prod(self.shape))).reshape(self.shape)[self.index]
        total = np.bincount(np.ravel(places), np.ravel(a), minlength=int(np.prod(self.shape)))
        return total.reshape(self.shape).astype(a.dtype)

    bg.ops.Scatter.forward = forward
    bg.ops.Gather.forward = lambda self, a: np.array(a[self.index])


def variant_10_8_by_the_objects(bg):
    """The rules make the operations themselves; Gather gives a copy by __getitem__."""

    def back(self, out_grad, node):
        return bg.ops.Scatter(self.index, node._inputs[0].shape)(out_grad)

    bg.ops.Gather.forward = lambda self, a: a.__getitem__(self.index)
    bg.ops.Gather.backward = back
    bg.ops.Scatter.backward = lambda self, out_grad, node: out_grad[self.index]


def variant_10_9_by_np_max(bg):
    """np.max; the shares as an array first."""

    def backward(self, out_grad, node):
        (a,) = node._inputs
        top = np.max(a.data, axis=self.axes, keepdims=True)
        winners = a.data == top
        return out_grad.reshape(top.shape) * winners / np.sum(winners, axis=self.axes, keepdims=True)

    bg.ops.Max.forward = lambda self, a: np.max(a, axis=self.axes, keepdims=self.keepdims)
    bg.ops.Max.backward = backward


def variant_10_9_stretched(bg):
    """The result stretched to the input's shape, and a constant Tensor of the shares."""

    def backward(self, out_grad, node):
        (a,) = node._inputs
        shape = bg.ops.shape.shape_with_ones(a.shape, self.axes)
        wide = np.broadcast_to(node.data.reshape(shape), a.shape)
        winners = np.where(a.data == wide, 1.0, 0.0).astype(a.dtype)
        shares = bg.Tensor(winners / winners.sum(self.axes, keepdims=True), requires_grad=False)
        return shares * bg.ops.broadcast_to(bg.ops.reshape(out_grad, shape), a.shape)

    bg.ops.Max.backward = backward


def variant_10_10_by_logaddexp(bg):
    """NumPy's own logaddexp where it can reduce: one axis, or all of them in a row."""

    def forward(self, a):
        axes = self.axes if self.axes is not None else tuple(range(a.ndim))
        for axis in axes:
            a = np.expand_dims(np.logaddexp.reduce(a, axis=axis), axis)
        return a if self.keepdims else np.squeeze(a, self.axes)

    def backward(self, out_grad, node):
        (a,) = node._inputs
        shape = bg.ops.shape.shape_with_ones(a.shape, self.axes)
        return out_grad.reshape(shape) * (a - node.reshape(shape)).exp()

    bg.ops.LogSumExp.forward, bg.ops.LogSumExp.backward = forward, backward


def variant_10_10_log_then_top(bg):
    """The top taken by hand, infinite ones replaced; reshaped instead of squeezed."""

    def forward(self, a):
        top = np.max(a, axis=self.axes, keepdims=True)
        top[~np.isfinite(top)] = 0
        with np.errstate(divide="ignore"):
            total = top + np.log(np.sum(np.exp(a - top), axis=self.axes, keepdims=True))
        return total if self.keepdims else total.reshape(np.sum(a, axis=self.axes).shape)

    bg.ops.LogSumExp.forward = forward


def variant_10_11_each_from_the_other(bg):
    """log_softmax by logsumexp's forward; softmax as its exp; the rules with methods."""

    def lower(self, a):
        return a - bg.ops.LogSumExp(self.axes, keepdims=True).forward(a)

    bg.ops.LogSoftmax.forward = lower
    bg.ops.Softmax.forward = lambda self, a: np.exp(lower(self, a))
    bg.ops.LogSoftmax.backward = lambda self, g, node: g - node.exp() * g.sum(self.axes, keepdims=True)
    bg.ops.Softmax.backward = lambda self, g, node: (g - (g * node).sum(self.axes, keepdims=True)) * node


def variant_10_11_from_the_input(bg):
    """The rule of log_softmax asks for the softmax of its input, as an operation."""

    def log_back(self, out_grad, node):
        (a,) = node._inputs
        return out_grad - bg.ops.Softmax(self.axes)(a) * bg.ops.summation(out_grad, self.axes, keepdims=True)

    def forward(self, a):
        e = np.exp(a - a.max(axis=self.axes, keepdims=True))
        return e / e.sum(axis=self.axes, keepdims=True)

    bg.ops.LogSoftmax.backward = log_back
    bg.ops.Softmax.forward = forward


def variant_10_12_one_row(bg):
    """Two large scores that are near each other."""
    bg.hunts.three_wrong_softmaxes = lambda first: ([[1000, 999.5]], [[first, -2]])


def variant_10_12_arrays(bg):
    """Arrays, three rows, and scores that are all far below 0."""
    bg.hunts.three_wrong_softmaxes = lambda first: (
        np.array([[-1000, -999, -1000], [0, 1, 2], [3, 3, 0]]),
        np.array([[first, 2, 3], [3, -1, 0], [0, 1, 0]]),
    )
