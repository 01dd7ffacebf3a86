"""Right solutions of notebook 04 in other styles."""

import functools
import operator

import numpy as np


def variant_4_1_sum_of_products(bg):
    """sum() with the bias as its start, and a ladder of ifs for the bend."""

    def __call__(self, x):
        total = sum((w * number for w, number in zip(self.weights, x)), self.bias)
        if self.nonlin == "tanh":
            return total.tanh()
        if self.nonlin == "relu":
            return total.relu()
        if self.nonlin == "sigmoid":
            return total.sigmoid()
        return total

    bg.scalar_nn.Neuron.__call__ = __call__


def variant_4_1_numpy_dot(bg):
    """np.dot of two arrays of objects, the bias last, and a table of functions for the bend."""

    def __call__(self, x):
        total = np.dot(np.array(self.weights, dtype=object), np.array(list(x), dtype=object)) + self.bias
        bends = {
            "tanh": bg.Value.tanh,
            "relu": bg.Value.relu,
            "sigmoid": bg.Value.sigmoid,
            "linear": lambda v: v,
        }
        return bends[self.nonlin](total)

    bg.scalar_nn.Neuron.__call__ = __call__


def variant_4_1_by_index(bg):
    """Counting through the weights, from the last to the first."""

    def __call__(self, x):
        total = self.bias * 1.0
        for i in reversed(range(len(self.weights))):
            total += x[i] * self.weights[i]
        return total if self.nonlin == "linear" else getattr(total, self.nonlin)()

    bg.scalar_nn.Neuron.__call__ = __call__


def variant_4_2_loops(bg):
    """A list grown by extend."""

    def parameters_of(parts):
        found = []
        for part in parts:
            found.extend(part.parameters())
        return found

    bg.scalar_nn.parameters_of = parameters_of


def variant_4_2_tuple_and_sum(bg):
    """A tuple; the lists of parameters joined with +."""

    def parameters_of(parts):
        return tuple(functools.reduce(operator.add, (part.parameters() for part in parts)))

    bg.scalar_nn.parameters_of = parameters_of


def variant_4_3_reduce(bg):
    """functools.reduce hands the answer from layer to layer."""
    bg.scalar_nn.MLP.__call__ = lambda self, x: functools.reduce(lambda answer, layer: layer(answer), self.layers, x)


def variant_4_3_first_then_the_others(bg):
    """The first layer by its place, the others in a loop over the rest."""

    def __call__(self, x):
        answer = self.layers[0](x)
        for layer in self.layers[1:]:
            answer = layer(answer)
        return answer

    bg.scalar_nn.MLP.__call__ = __call__


def variant_4_4_loops(bg):
    """Sums grown in loops; the gradients forgotten before anything else, in a loop; numbers written as new ones."""

    def squared_error(predictions, targets):
        loss = 0
        for i in range(len(targets)):
            error = targets[i] - predictions[i]
            loss = loss + error * error
        return loss

    def train_step(model, xs, ys, loss_fn, learning_rate):
        for parameter in model.parameters():
            parameter.grad = 0.0
        loss = loss_fn(list(map(model, xs)), ys)
        loss.backward()
        for parameter in model.parameters():
            parameter.data = parameter.data - learning_rate * parameter.grad
        return float(loss.data)

    bg.scalar_nn.squared_error, bg.scalar_nn.train_step = squared_error, train_step


def variant_4_4_zero_first(bg):
    """zero_grad as the first thing of all, and in a tuple of predictions."""

    def train_step(model, xs, ys, loss_fn, learning_rate):
        for parameter in model.parameters():
            parameter.grad = 0.0
        loss = loss_fn(tuple(model(x) for x in xs), ys)
        loss.backward()
        for parameter in model.parameters():
            parameter.data += -learning_rate * parameter.grad
        return loss.data

    bg.scalar_nn.train_step = train_step


def variant_4_5_loops(bg):
    """The mean taken on the way."""

    def hinge_loss(scores, labels):
        total = bg.Value(0.0)
        for score, label in zip(scores, labels):
            total = total + (score * -label + 1).relu() * (1 / len(labels))
        return total

    bg.scalar_nn.hinge_loss = hinge_loss


def variant_4_5_without_relu(bg):
    """Only the samples that cost something are in the sum."""

    def hinge_loss(scores, labels):
        late = [score * label for score, label in zip(scores, labels) if score.data * label < 1]
        return sum((1 - s for s in late), bg.Value(0.0)) / len(scores)

    bg.scalar_nn.hinge_loss = hinge_loss


def variant_4_6_generator(bg):
    """yield hands the batches out one by one."""

    def minibatches(xs, ys, batch_size, rng):
        order = rng.permutation(len(xs))
        for start in range(0, len(xs), batch_size):
            piece = order[start : start + batch_size]
            yield xs[piece], ys[piece]

    bg.scalar_nn.minibatches = minibatches


def variant_4_6_array_split(bg):
    """np.split at the places where a batch ends."""

    def minibatches(xs, ys, batch_size, rng):
        order = rng.permutation(len(xs))
        pieces = np.split(order, range(batch_size, len(order), batch_size))
        return [(xs[piece], ys[piece]) for piece in pieces]

    bg.scalar_nn.minibatches = minibatches


def variant_4_6_lists(bg):
    """Rows taken off a list of row numbers from the back, in lists instead of arrays."""

    def minibatches(xs, ys, batch_size, rng):
        order, batches = list(rng.permutation(len(xs))), []
        while order:
            rows = [order.pop() for _ in range(min(batch_size, len(order)))]
            batches.append(([xs[row] for row in rows], [ys[row] for row in rows]))
        return batches

    bg.scalar_nn.minibatches = minibatches


def variant_4_7_mirrored(bg):
    """Other data: for Ada samples that read the same backwards, for Cleo three of them."""
    bg.hunts.three_data_sets = lambda x: {
        "Ada": [[(x, 2 * x), (-x, -2 * x), (-x, -2 * x), (x, 2 * x)], 5],
        "Ben": ([(x, -2.25), (x, -2.25)], 1),
        "Cleo": (((x, 1), (-x / 2, 4), (-x / 2, -5)), 1),
    }
