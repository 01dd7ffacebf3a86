"""Wrong ideas about notebook 04, each as a patch for a private copy of the reference."""

import math

import numpy as np

from grader.course.exercise import wrong

from .exercises import batches, hinge, hunt, mlp, neuron, parts, step


def bent(total, nonlin):
    return total if nonlin == "linear" else getattr(total, nonlin)()


# 4.1: Neuron.


@wrong(
    neuron,
    "no bias in the sum",
    "This is the sum of the products alone: the bias is missing. Put in the inputs 0, 0, 0: what should "
    "the neuron's sum be then?",
)
def _(bg):
    def __call__(self, x):
        return bent(sum(w * number for w, number in zip(self.weights, x)), self.nonlin)

    bg.scalar_nn.Neuron.__call__ = __call__


@wrong(
    neuron,
    "the bias added for every input",
    "The bias went into the sum once for each input. It belongs there once: is its line inside the loop?",
)
def _(bg):
    def __call__(self, x):
        return bent(sum(w * number + self.bias for w, number in zip(self.weights, x)), self.nonlin)

    bg.scalar_nn.Neuron.__call__ = __call__


@wrong(
    neuron,
    "the bias added after the bend",
    "The sum of the products was bent, and the bias came on top of that: so a tanh neuron can answer more "
    "than 1. "
    "The bias is a part of the sum, and the sum is bent last.",
)
def _(bg):
    def __call__(self, x):
        return bent(sum(w * number for w, number in zip(self.weights, x)), self.nonlin) + self.bias

    bg.scalar_nn.Neuron.__call__ = __call__


@wrong(
    neuron,
    "each product bent by itself",
    "Every product was bent by itself, and then the bent numbers were added. First the whole sum, then one"
    " bend: "
    "is the tanh inside the loop?",
)
def _(bg):
    def __call__(self, x):
        return sum(bent(w * number, self.nonlin) for w, number in zip(self.weights, x)) + self.bias

    bg.scalar_nn.Neuron.__call__ = __call__


@wrong(
    neuron,
    "always tanh",
    "This neuron bends with tanh whatever it was told. Its own bend is in self.nonlin: "
    "'tanh', 'relu', 'sigmoid' or 'linear', which means no bend.",
)
def _(bg):
    def __call__(self, x):
        return sum((w * number for w, number in zip(self.weights, x)), self.bias).tanh()

    bg.scalar_nn.Neuron.__call__ = __call__


@wrong(
    neuron,
    "never bent",
    "This is the sum itself: it was never bent. A neuron that is not 'linear' asks the sum for its tanh(),"
    " relu() or sigmoid().",
)
def _(bg):
    bg.scalar_nn.Neuron.__call__ = lambda self, x: sum((w * number for w, number in zip(self.weights, x)), self.bias)


@wrong(
    neuron,
    "plain numbers instead of Values",
    "The number is right, but the slopes to the weights are 0: the answer does not remember that it was "
    "made from them. "
    "A sum of .data is a sum of plain numbers. Leave the .data out: Values can be multiplied and added.",
    stuck="All gradients are 0",
)
def _(bg):
    def __call__(self, x):
        numbers = (getattr(number, "data", number) for number in x)
        total = sum((w.data * number for w, number in zip(self.weights, numbers)), self.bias.data)
        return bent(bg.Value(total), self.nonlin)

    bg.scalar_nn.Neuron.__call__ = __call__


def sum_of_numbers(into_the_bias):
    """A neuron whose products are plain numbers, added to the bias or into its number."""

    def patch(bg):
        def __call__(self, x):
            products = sum(w.data * number for w, number in zip(self.weights, x))
            if not into_the_bias:
                return bent(products + self.bias, self.nonlin)
            self.bias.data += products
            return bent(self.bias, self.nonlin)

        bg.scalar_nn.Neuron.__call__ = __call__

    return patch


wrong(
    neuron,
    "products of plain numbers",
    "The number is right, but only the bias has a slope: with .data the products are plain numbers, and the sum does "
    "not remember the weights. Multiply the weights themselves.",
    "All gradients are 0",
)(sum_of_numbers(into_the_bias=False))

wrong(
    neuron,
    "the sum written into the bias's number",
    "The bias itself has changed: `total = self.bias` is a second name for it, and total.data += ... writes into it. "
    "Leave the .data out: total = total + weight * number makes a new Value each time.",
)(sum_of_numbers(into_the_bias=True))


@wrong(
    neuron,
    "the plain number returned",
    "A plain number came back. The answer must be a Value, so that it remembers the weights: add and bend "
    "the Values themselves, "
    "without .data and without the math module.",
)
def _(bg):
    right = bg.scalar_nn.Neuron.__call__
    bg.scalar_nn.Neuron.__call__ = lambda self, x: right(self, x).data


@wrong(
    neuron,
    "nonlin called as a method",
    "self.nonlin holds a text such as 'tanh', and a Value has no method of the name nonlin. One if for "
    "each text will do, "
    "or getattr(total, self.nonlin)(), which looks the method up by its name.",
)
def _(bg):
    bg.scalar_nn.Neuron.__call__ = lambda self, x: sum(
        (w * number for w, number in zip(self.weights, x)), self.bias
    ).nonlin()


@wrong(
    neuron,
    "the answer kept in the bias",
    "The second call answers something else than the first, with the same inputs: the sum was collected in"
    " self.bias itself, "
    "so the bias grew. Collect it in a variable that begins as the bias.",
)
def _(bg):
    def __call__(self, x):
        for w, number in zip(self.weights, x):
            self.bias = self.bias + w * number
        return bent(self.bias, self.nonlin)

    bg.scalar_nn.Neuron.__call__ = __call__


def bent_by(bend):
    """A neuron that bends with bend(self, total)."""

    def __call__(self, x):
        total = sum((w * number for w, number in zip(self.weights, x)), self.bias)
        return total if self.nonlin == "linear" else bend(self, total)

    return __call__


@wrong(
    neuron,
    "np.tanh of a Value",
    "NumPy does not know a Value. A Value has its own: total.tanh(), and relu() and sigmoid() too.",
)
def _(bg):
    bg.scalar_nn.Neuron.__call__ = bent_by(lambda self, total: np.tanh(total))


@wrong(
    neuron,
    "math.tanh of a Value",
    "The math module works on numbers, and what it answers has forgotten the weights. A Value has its own: "
    "total.tanh(), and relu() and sigmoid() too.",
)
def _(bg):
    bg.scalar_nn.Neuron.__call__ = bent_by(lambda self, total: math.tanh(total))


@wrong(
    neuron,
    "nonlin called as a function",
    "self.nonlin is a text such as 'tanh', and a text cannot be called. Ask with `if` which text it is.",
)
def _(bg):
    bg.scalar_nn.Neuron.__call__ = bent_by(lambda self, total: self.nonlin(total))


# 4.2: parameters_of.


@wrong(
    parts,
    "a list of lists of parameters",
    "There is one list for each part in it. The list should be flat: put each part's parameters on it "
    "one by one, or use extend or +.",
)
def _(bg):
    bg.scalar_nn.parameters_of = lambda parts: [part.parameters() for part in parts]


@wrong(
    parts,
    "copies as parameters",
    "These are the right numbers, but not the neurons' own Values. Training changes what is in this list: a copy that "
    "changes does nothing to the neurons. Put the Values themselves on the list, without .data.",
    stuck="My change has no effect",
)
def _(bg):
    right = bg.scalar_nn.parameters_of
    bg.scalar_nn.parameters_of = lambda parts: [bg.Value(p.data) for p in right(parts)]


@wrong(
    parts,
    "the parameters of the first part",
    "These are the parameters of the first part only. Is the return inside the loop? It ends the function in the "
    "first round.",
)
def _(bg):
    bg.scalar_nn.parameters_of = lambda parts: parts[0].parameters()


@wrong(
    parts,
    "the parameters of the last part",
    "These are the parameters of the last part only. Is the list made anew in each round of the loop?",
)
def _(bg):
    bg.scalar_nn.parameters_of = lambda parts: parts[-1].parameters()


@wrong(
    parts,
    "neurons expected among the parts",
    "The list was made from the parts' weights and biases. That does for neurons, and a layer has none of its own: "
    "part.parameters() works for both.",
)
def _(bg):
    bg.scalar_nn.parameters_of = lambda parts: [p for part in parts for p in [*part.weights, part.bias]]


@wrong(
    parts,
    "all weights, then all biases",
    "All weights stand first, and then all biases. The order goes by part: each one's parameters() as "
    "they are, one part after the other.",
)
def _(bg):
    def parameters_of(parts):
        neurons = [neuron for part in parts for neuron in getattr(part, "neurons", [part])]
        return [w for one in neurons for w in one.weights] + [one.bias for one in neurons]

    bg.scalar_nn.parameters_of = parameters_of


@wrong(
    parts,
    "parameters_of gives nothing back",
    "`parameters_of` gave nothing back. Is a return missing at the end?",
)
def _(bg):
    bg.scalar_nn.parameters_of = lambda parts: None


@wrong(
    parts,
    "extend taken for a list",
    "extend adds to the list and gives nothing back, so that `found = found.extend(...)` makes found None. "
    "Write found.extend(...) alone on its line.",
)
def _(bg):
    def parameters_of(parts):
        found = []
        for part in parts:
            found = found.extend(part.parameters())
        return found

    bg.scalar_nn.parameters_of = parameters_of


@wrong(
    parts,
    "lists added up from 0",
    "sum begins with the number 0, and a list cannot be added to that. Give it another beginning, sum(..., []), or let "
    "a list grow with extend.",
)
def _(bg):
    bg.scalar_nn.parameters_of = lambda parts: sum(part.parameters() for part in parts)


@wrong(
    parts,
    "the parts themselves",
    "The parts themselves stand in the list. Each of them can be asked for its Values: part.parameters().",
)
def _(bg):
    bg.scalar_nn.parameters_of = list


@wrong(
    parts,
    "the method itself in the list",
    "Without () a method is not called: part.parameters is the method itself, and part.parameters() is the list that "
    "it gives.",
)
def _(bg):
    bg.scalar_nn.parameters_of = lambda parts: [part.parameters for part in parts]


@wrong(
    parts,
    "a loop over the method itself",
    "Without () a method is not called: part.parameters is the method itself, and cannot be gone through. "
    "part.parameters() is the list that it gives.",
)
def _(bg):
    bg.scalar_nn.parameters_of = lambda parts: [parameter for part in parts for parameter in part.parameters]


# 4.3: MLP.


@wrong(
    mlp,
    "every layer reads x",
    "Each layer was given the x of the beginning. It should read what the layer before it answered: "
    "which variable holds that, and does it change in the loop?",
)
def _(bg):
    def __call__(self, x):
        for each in self.layers:
            answer = each(x)
        return answer

    bg.scalar_nn.MLP.__call__ = __call__


@wrong(
    mlp,
    "the layers' answers thrown away",
    "The network gave back what it was given: each layer was asked, but its answer got no name. What it answers is "
    "what the next layer reads, so it must become x.",
)
def _(bg):
    def __call__(self, x):
        for each in self.layers:
            each(x)
        return x

    bg.scalar_nn.MLP.__call__ = __call__


@wrong(
    mlp,
    "each layer asked for itself",
    "A layer got another number of inputs than it has weights for: each was given the x of the beginning. Only the "
    "first one reads that; each other reads what the layer before it answered.",
)
def _(bg):
    bg.scalar_nn.MLP.__call__ = lambda self, x: [each(x) for each in self.layers]


@wrong(
    mlp,
    "only the first layer",
    "This is what the first layer answers. Is the return inside the loop? It ends the function in the first round.",
)
def _(bg):
    bg.scalar_nn.MLP.__call__ = lambda self, x: self.layers[0](x)


@wrong(
    mlp,
    "the last layer left out",
    "The last layer was never asked. A loop over self.layers itself, without counting, leaves none out.",
)
def _(bg):
    def __call__(self, x):
        for each in self.layers[:-1]:
            x = each(x)
        return x

    bg.scalar_nn.MLP.__call__ = __call__


@wrong(
    mlp,
    "a list around the network's answer",
    "The answer of the last layer came back inside a list. Return what it answered as it is: a Value if it"
    " has one neuron.",
)
def _(bg):
    def __call__(self, x):
        for each in self.layers:
            x = each(x)
        return [x]

    bg.scalar_nn.MLP.__call__ = __call__


@wrong(
    mlp,
    "the plain number returned",
    "A plain number came back: the Value that remembers how it was made is lost, and no backward can start"
    " from it. Leave the .data out.",
)
def _(bg):
    def __call__(self, x):
        for each in self.layers:
            x = each(x)
        return [v.data for v in x] if isinstance(x, list) else x.data

    bg.scalar_nn.MLP.__call__ = __call__


@wrong(
    mlp,
    "the layers from back to front",
    "The last layer was asked first. The relay goes forwards: self.layers holds the layers in the order in which "
    "they read. Walking back is for gradients.",
)
def _(bg):
    def __call__(self, x):
        for each in reversed(self.layers):
            x = each(x)
        return x

    bg.scalar_nn.MLP.__call__ = __call__


# 4.4: squared_error and train_step.


@wrong(
    step,
    "the mean of the squares",
    "This is the mean of the squared errors. It is a good loss too, but here the sum is asked for: do not "
    "divide by their number.",
)
def _(bg):
    bg.scalar_nn.squared_error = lambda ps, ts: sum((p - t) ** 2 for p, t in zip(ps, ts)) / len(ts)


@wrong(
    step,
    "errors that are not squared",
    "The differences were added as they are, so that an error of 2 and one of -2 cancel: two wrong "
    "answers, loss 0. Square each first.",
)
def _(bg):
    bg.scalar_nn.squared_error = lambda ps, ts: sum(p - t for p, t in zip(ps, ts))


@wrong(
    step,
    "the sum squared",
    "The differences were added first and squared afterwards, so that an error of 2 and one of -2 cancel. "
    "Square each one, then add: which brackets belong together?",
)
def _(bg):
    bg.scalar_nn.squared_error = lambda ps, ts: sum(p - t for p, t in zip(ps, ts)) ** 2


@wrong(
    step,
    "the size of the errors",
    "Each error counts with its size here, not with its square. With squares a large error counts more, "
    "and its slope shrinks "
    "as the error does.",
)
def _(bg):
    def squared_error(ps, ts):
        return sum((p - t) * (1 if p.data > t else -1) for p, t in zip(ps, ts))

    bg.scalar_nn.squared_error = squared_error


@wrong(
    step,
    "a loss made of plain numbers",
    "The number is right, but it is a plain one: it does not remember the predictions, and no backward can"
    " start from it. "
    "Compute with the predictions themselves, not with their .data.",
    stuck="All gradients are 0",
)
def _(bg):
    bg.scalar_nn.squared_error = lambda ps, ts: sum((p.data - t) ** 2 for p, t in zip(ps, ts))


@wrong(
    step,
    "a new Value around a plain loss",
    "The number is right, but the slopes are 0: a sum of .data is a plain number, and Value(...) around it makes a "
    "leaf that remembers nothing. Compute with the predictions themselves.",
    stuck="All gradients are 0",
)
def _(bg):
    bg.scalar_nn.squared_error = lambda ps, ts: bg.Value(sum((p.data - t) ** 2 for p, t in zip(ps, ts)))


@wrong(
    step,
    "only the first error",
    "Only the first prediction counts. Is the return inside the loop? Add all up first.",
)
def _(bg):
    bg.scalar_nn.squared_error = lambda ps, ts: (ps[0] - ts[0]) ** 2


def step_made_of(forget, walk, move, answer=lambda before, after: before.data):
    """A train_step with other parts, in the order: predict, forget, walk back, move."""

    def train_step(model, xs, ys, loss_fn, learning_rate):
        loss = loss_fn([model(x) for x in xs], ys)
        forget(model)
        walk(loss)
        for parameter in model.parameters():
            move(parameter, learning_rate)
        return answer(loss, lambda: loss_fn([model(x) for x in xs], ys))

    return train_step


def forget(model):
    model.zero_grad()


def walk(loss):
    loss.backward()


def move(parameter, learning_rate):
    parameter.data -= learning_rate * parameter.grad


def nothing(*_):
    pass


@wrong(
    step,
    "no zero_grad",
    "The first step is right, and the second is not: it still has the gradients of the first in it, "
    "because backward adds "
    "to what a leaf's grad holds. Which of the five verbs is missing?",
    stuck="Gradients grow with each step",
)
def _(bg):
    bg.scalar_nn.train_step = step_made_of(nothing, walk, move)


@wrong(
    step,
    "zero_grad at the end only",
    "The gradients are forgotten at the end of the step, so they are 0 for the next one. But the first step takes with "
    "it whatever another walk had left in a grad. Forget right before you walk back.",
    stuck="Gradients grow with each step",
)
def _(bg):
    right = step_made_of(nothing, walk, move)

    def train_step(model, *rest):
        loss = right(model, *rest)
        model.zero_grad()
        return loss

    bg.scalar_nn.train_step = train_step


def step_of(loss_of):
    """A train_step with another loss: loss_of(predictions, ys, loss_fn) gives it, and what is returned."""

    def train_step(model, xs, ys, loss_fn, learning_rate):
        predictions = [model(x) for x in xs]
        loss, number = loss_of(predictions, ys, loss_fn)
        model.zero_grad()
        loss.backward()
        for parameter in model.parameters():
            move(parameter, learning_rate)
        return number

    return train_step


@wrong(
    step,
    "the loss of plain predictions",
    "loss_fn was given plain numbers: with .data the predictions have forgotten the model, and what loss_fn makes of "
    "them is no Value that could walk back. Hand it the Values themselves.",
)
def _(bg):
    def plain(predictions, ys, loss_fn):
        loss = loss_fn([prediction.data for prediction in predictions], ys)
        return loss, loss

    bg.scalar_nn.train_step = step_of(plain)


@wrong(
    step,
    "the loss divided by the number of samples",
    "The loss was divided by the number of samples. loss_fn has made one number of all samples already, in its own "
    "way: walk back from that, and return it.",
)
def _(bg):
    def mean(predictions, ys, loss_fn):
        loss = loss_fn(predictions, ys) / len(ys)
        return loss, loss.data

    bg.scalar_nn.train_step = step_of(mean)


@wrong(
    step,
    "the step divided by the number of samples",
    "The loss is right, and the parameters move too little: each step was divided by the number of samples. loss_fn "
    "has made one number of all samples already, in its own way, and the gradient belongs to that number.",
)
def _(bg):
    right = bg.scalar_nn.train_step
    bg.scalar_nn.train_step = lambda model, xs, ys, loss_fn, rate: right(model, xs, ys, loss_fn, rate / len(xs))


@wrong(
    step,
    "moved by its own number",
    "Each parameter moved by the learning rate times its own number. That only makes it smaller. Which of a "
    "parameter's two numbers says where the loss grows?",
)
def _(bg):
    def shrink(parameter, learning_rate):
        parameter.data -= learning_rate * parameter.data

    bg.scalar_nn.train_step = step_made_of(forget, walk, shrink)


@wrong(
    step,
    "backward on each prediction",
    "The walk began at the predictions, not at the loss. Then a gradient says how the predictions grow, and nobody "
    "asks what they cost. There is one root: loss.backward().",
)
def _(bg):
    def train_step(model, xs, ys, loss_fn, learning_rate):
        predictions = [model(x) for x in xs]
        model.zero_grad()
        for prediction in predictions:
            prediction.backward()
        for parameter in model.parameters():
            move(parameter, learning_rate)
        return loss_fn(predictions, ys).data

    bg.scalar_nn.train_step = train_step


@wrong(
    step,
    "the biases do not move",
    "The weights have moved, the bias has not. model.parameters() has both.",
)
def _(bg):
    def train_step(model, xs, ys, loss_fn, learning_rate):
        loss = loss_fn([model(x) for x in xs], ys)
        model.zero_grad()
        loss.backward()
        for each in model.layers:
            for one in each.neurons:
                for weight in one.weights:
                    move(weight, learning_rate)
        return loss.data

    bg.scalar_nn.train_step = train_step


@wrong(
    step,
    "nothing moves",
    "No parameter has moved. Are the gradients forgotten between backward() and the step? Is backward "
    "called at all, with its ()? "
    "And does the step write to parameter.data? `parameter -= ...` makes a new Value that only the loop "
    "knows.",
    stuck="The loss does not fall",
)
def _(bg):
    bg.scalar_nn.train_step = step_made_of(nothing, nothing, nothing)


@wrong(
    step,
    "all samples given to the model at once",
    "The model was given the whole list of samples. It answers one sample at a time: ask it once for each "
    "x, and collect the answers in a list.",
)
def _(bg):
    right = bg.scalar_nn.train_step

    def train_step(model, xs, ys, loss_fn, learning_rate):
        return right(model, [xs], ys, loss_fn, learning_rate)

    bg.scalar_nn.train_step = train_step


@wrong(
    step,
    "a single prediction instead of a list",
    "loss_fn was given a single prediction. It wants all of them in a list, and all targets in another: "
    "first collect, then call it once.",
)
def _(bg):
    def train_step(model, xs, ys, loss_fn, learning_rate):
        for x, y in zip(xs, ys):
            loss = loss_fn(model(x), y)
        return loss.data

    bg.scalar_nn.train_step = train_step


@wrong(
    step,
    "lists subtracted",
    "Python does not subtract one list from another. zip gives you prediction and target in pairs, and "
    "these can be subtracted.",
)
def _(bg):
    bg.scalar_nn.squared_error = lambda predictions, targets: sum((predictions - targets) ** 2)


@wrong(
    step,
    "^ taken for a power",
    "In Python ^ has nothing to do with powers. The power is written with two stars: x ** 2.",
)
def _(bg):
    bg.scalar_nn.squared_error = lambda predictions, targets: sum((p - t) ^ 2 for p, t in zip(predictions, targets))


@wrong(
    step,
    "uphill",
    "Each parameter moved by the right amount, but in the other direction: the loss grows. A gradient "
    "points to where the loss grows.",
    stuck="The sign is wrong",
)
def _(bg):
    def up(parameter, learning_rate):
        parameter.data += learning_rate * parameter.grad

    bg.scalar_nn.train_step = step_made_of(forget, walk, up)


@wrong(
    step,
    "the step itself instead of the sum",
    "Each parameter now is minus the learning rate times its gradient: where it was before is lost. A step"
    " starts from where you are: -= instead of = -.",
)
def _(bg):
    def replace(parameter, learning_rate):
        parameter.data = -learning_rate * parameter.grad

    bg.scalar_nn.train_step = step_made_of(forget, walk, replace)


@wrong(
    step,
    "no learning rate",
    "Each parameter moved by its whole gradient. The learning rate says how much of it to go: multiply.",
    stuck="The loss is nan or explodes",
)
def _(bg):
    bg.scalar_nn.train_step = step_made_of(forget, walk, lambda parameter, rate: move(parameter, 1.0))


@wrong(
    step,
    "the loss as a Value",
    "The whole Value of the loss came back, and with it everything it was made from stays in memory. The "
    "number inside it is asked for.",
)
def _(bg):
    bg.scalar_nn.train_step = step_made_of(forget, walk, move, lambda before, after: before)


@wrong(
    step,
    "the loss after the step",
    "This is the loss after the step. Keep the loss that the step started from: you have it already, "
    "without asking the model again.",
)
def _(bg):
    bg.scalar_nn.train_step = step_made_of(forget, walk, move, lambda before, after: after().data)


@wrong(
    step,
    "the step before backward",
    "The parameters did not move in the first step, and in the next one they use the gradients of the step"
    " before. "
    "First backward, which finds the gradients, then the parameters.",
)
def _(bg):
    def train_step(model, xs, ys, loss_fn, learning_rate):
        loss = loss_fn([model(x) for x in xs], ys)
        for parameter in model.parameters():
            move(parameter, learning_rate)
        model.zero_grad()
        loss.backward()
        return loss.data

    bg.scalar_nn.train_step = train_step


@wrong(
    step,
    "always the squared error",
    "It used another loss than the one it was given. loss_fn is a function like any other: call it with "
    "the predictions and ys.",
)
def _(bg):
    right, squared_error = bg.scalar_nn.train_step, bg.scalar_nn.squared_error

    def train_step(model, xs, ys, loss_fn, learning_rate):
        return right(model, xs, ys, squared_error, learning_rate)

    bg.scalar_nn.train_step = train_step


@wrong(
    step,
    "one step for each sample",
    "There was a step after every sample. Here all samples count together: one list with all predictions, "
    "one loss, one walk back, one step.",
)
def _(bg):
    right = bg.scalar_nn.train_step

    def train_step(model, xs, ys, loss_fn, learning_rate):
        return sum(right(model, [x], [y], loss_fn, learning_rate) for x, y in zip(xs, ys))

    bg.scalar_nn.train_step = train_step


@wrong(
    step,
    "loss_fn asked once for each sample",
    "loss_fn was called once for each sample, and its answers were added up. That is right only for a loss that is a "
    "sum over the samples, and this one is not. Collect all predictions in one list, then call it once.",
)
def _(bg):
    def train_step(model, xs, ys, loss_fn, learning_rate):
        loss = sum(loss_fn([model(x)], [y]) for x, y in zip(xs, ys))
        model.zero_grad()
        loss.backward()
        for parameter in model.parameters():
            move(parameter, learning_rate)
        return loss.data

    bg.scalar_nn.train_step = train_step


@wrong(
    step,
    "a Value in the place of the number",
    "A parameter's data has become a Value. The number inside moves: compute with parameter.data, not with"
    " the parameter itself.",
)
def _(bg):
    def put_a_value(parameter, learning_rate):
        parameter.data = parameter - learning_rate * parameter.grad

    bg.scalar_nn.train_step = step_made_of(forget, walk, put_a_value)


@wrong(
    step,
    "return inside the loop of the step",
    "Only the first parameter has moved. Does the return stand inside the loop, and end it in the first round?",
)
def _(bg):
    def train_step(model, xs, ys, loss_fn, learning_rate):
        loss = loss_fn([model(x) for x in xs], ys)
        model.zero_grad()
        loss.backward()
        move(model.parameters()[0], learning_rate)
        return loss.data

    bg.scalar_nn.train_step = train_step


@wrong(
    step,
    "the loss not returned",
    "The parameters have moved as they should, but nothing came back. Is a return missing? The number inside the "
    "loss is asked for.",
)
def _(bg):
    bg.scalar_nn.train_step = step_made_of(forget, walk, move, nothing)


@wrong(
    step,
    "targets and predictions change places",
    "loss_fn was given ys first. The predictions come first, then ys. A squared error does not notice, others do.",
)
def _(bg):
    right = bg.scalar_nn.train_step

    def train_step(model, xs, ys, loss_fn, learning_rate):
        return right(model, xs, ys, lambda predictions, targets: loss_fn(targets, predictions), learning_rate)

    bg.scalar_nn.train_step = train_step


@wrong(
    step,
    "a list of squared errors",
    "These are the squared errors, one for each prediction. Add them up: a loss is one number, so that backward "
    "has one place to start from.",
)
def _(bg):
    bg.scalar_nn.squared_error = lambda predictions, targets: [(p - t) ** 2 for p, t in zip(predictions, targets)]


# 4.5: hinge_loss.


def hinge_of(cost, total=lambda costs: sum(costs) / len(costs)):
    return lambda scores, labels: total([cost(s, y) for s, y in zip(scores, labels)])


@wrong(
    hinge,
    "the label left out",
    "Every score is pushed above 1 here, whatever its label. The product label * score is positive when "
    "both have the same sign.",
)
def _(bg):
    bg.scalar_nn.hinge_loss = hinge_of(lambda s, y: (1 - s).relu())


@wrong(
    hinge,
    "no relu",
    "A sample far on its own side gives a negative cost here, as if it made up for another one that is "
    "wrong. "
    "relu makes everything below 0 cost nothing.",
)
def _(bg):
    bg.scalar_nn.hinge_loss = hinge_of(lambda s, y: 1 - y * s)


@wrong(
    hinge,
    "the sum instead of the mean",
    "This is the sum of the costs. Divide by their number: then a batch of 5 and one of 50 can be compared.",
)
def _(bg):
    bg.scalar_nn.hinge_loss = hinge_of(lambda s, y: (1 - y * s).relu(), sum)


@wrong(
    hinge,
    "relu of the mean",
    "The samples were added up first, and relu came after that. So a sample far on its side makes up for a wrong "
    "one. Each sample needs a relu of its own.",
)
def _(bg):
    bg.scalar_nn.hinge_loss = hinge_of(lambda s, y: 1 - y * s, lambda costs: (sum(costs) / len(costs)).relu())


@wrong(
    hinge,
    "the hinge squared",
    "Each cost was squared. The hinge loss takes it as it is: twice as far on the wrong side costs twice as much.",
)
def _(bg):
    bg.scalar_nn.hinge_loss = hinge_of(lambda s, y: (1 - y * s).relu() ** 2)


@wrong(
    hinge,
    "a new Value around a plain hinge loss",
    "The number is right, but the slopes are 0: costs of .data are plain numbers, and Value(...) around them makes a "
    "leaf that remembers nothing. Compute with the scores themselves, and with a Value's own relu().",
    stuck="All gradients are 0",
)
def _(bg):
    right = bg.scalar_nn.hinge_loss
    bg.scalar_nn.hinge_loss = lambda scores, labels: bg.Value(right(scores, labels).data)


@wrong(
    hinge,
    "no margin",
    "A score counts as good here as soon as its sign is right. It should be right by 1 or more: where does the 1 go?",
)
def _(bg):
    bg.scalar_nn.hinge_loss = hinge_of(lambda s, y: (-(y * s)).relu())


@wrong(
    hinge,
    "the right side punished",
    "The samples on their own side cost something, and those on the wrong side nothing. Try one: label 1, "
    "score 3. "
    "What should come out of 1 - label * score, and what of relu?",
    stuck="The sign is wrong",
)
def _(bg):
    bg.scalar_nn.hinge_loss = hinge_of(lambda s, y: (y * s - 1).relu())


COMPARED_WITH_0 = (
    "Here a Value is compared with 0, and Values cannot be compared. (Python's max compares as well.) "
    "A Value has a method of its own that cuts off at 0."
)


def _max_instead_of_relu(name, cut):
    @wrong(hinge, name, COMPARED_WITH_0)
    def _(bg):
        bg.scalar_nn.hinge_loss = hinge_of(lambda s, y: cut(1 - y * s))


_max_instead_of_relu("max instead of relu", lambda cost: max(0, cost))
_max_instead_of_relu("max with 0.0", lambda cost: max(0.0, cost))
_max_instead_of_relu("max with the 0 behind", lambda cost: max(cost, 0))
_max_instead_of_relu("max with the 0.0 behind", lambda cost: max(cost, 0.0))


@wrong(
    hinge,
    "a hinge loss of plain numbers",
    "The number is right, but it is a plain one: it does not remember the scores, and no backward can start from it. "
    "Compute with the scores themselves, not with their .data, and with a Value's own relu().",
    stuck="All gradients are 0",
)
def _(bg):
    bg.scalar_nn.hinge_loss = hinge_of(lambda s, y: max(0, 1 - y * s.data))


@wrong(
    hinge,
    "1 plus instead of minus",
    "This is 1 + label * score: the better a score, the more it costs. What is asked for is by how much "
    "label * score falls short of 1.",
)
def _(bg):
    bg.scalar_nn.hinge_loss = hinge_of(lambda s, y: (1 + y * s).relu())


@wrong(
    hinge,
    "label minus score",
    "This is label - score. For the label -1 and the score -5 that is 4, although -5 is far on its own side. "
    "Multiply label and score; the product is compared with 1.",
)
def _(bg):
    bg.scalar_nn.hinge_loss = hinge_of(lambda s, y: (y - s).relu())


@wrong(
    hinge,
    "relu of the score alone",
    "relu was asked of the score alone: y * s.relu() is y * (s.relu()). Put the whole difference in brackets, and "
    ".relu() behind them.",
)
def _(bg):
    bg.scalar_nn.hinge_loss = hinge_of(lambda s, y: 1 - y * s.relu())


@wrong(
    hinge,
    "relu of the product alone",
    "relu was asked of label * score, before the 1 came in. It belongs around the whole difference: "
    "no cost may be below 0.",
)
def _(bg):
    bg.scalar_nn.hinge_loss = hinge_of(lambda s, y: 1 - (y * s).relu())


@wrong(
    hinge,
    "the label outside the difference",
    "This is label * (1 - score). The label turns the score round, not the 1: 1 - label * score.",
)
def _(bg):
    bg.scalar_nn.hinge_loss = hinge_of(lambda s, y: (y * (1 - s)).relu())


@wrong(
    hinge,
    "the mean of the costing samples only",
    "The sum was divided by the number of samples that cost something. All samples count in the mean, those that "
    "cost nothing as well.",
)
def _(bg):
    def mean_of_some(costs):
        return sum(costs) / sum(cost.data > 0 for cost in costs)

    bg.scalar_nn.hinge_loss = hinge_of(lambda s, y: (1 - y * s).relu(), mean_of_some)


def hinge_by_an_if(costs_something, total):
    """A hinge loss that adds up 1 - label * score where costs_something(label * score), from this total on."""

    def hinge_loss(scores, labels):
        cost = total
        for score, label in zip(scores, labels):
            if costs_something(score.data * label):
                cost = cost + (1 - score * label)
        return cost / len(scores)

    return hinge_loss


@wrong(
    hinge,
    "a plain 0 where nothing costs",
    "Where no score costs anything, the total is still the plain number that it began with, and no backward can start "
    "from that. A loss is a Value even then. Let it begin as one, Value(0.0), or give each sample a cost that is a "
    "Value: a method of Values cuts off at 0.",
)
def _(bg):
    bg.scalar_nn.hinge_loss = hinge_by_an_if(lambda product: product < 1, 0)


@wrong(
    hinge,
    "moved although it costs nothing",
    "A score that is just 1 on its own side costs nothing here, as it should, and is moved all the same: its slope is "
    "not 0. It is where it has to be: is a <= in the place of a < ?",
)
def _(bg):
    bg.scalar_nn.hinge_loss = hinge_by_an_if(lambda product: product <= 1, bg.Value(0.0))


@wrong(
    hinge,
    "relu as a function",
    "relu is a method of a Value, as tanh is: it stands behind the Value, with a dot. Put the difference "
    "in brackets first.",
)
def _(bg):
    def relu(value):
        raise NameError("name 'relu' is not defined")

    bg.scalar_nn.hinge_loss = hinge_of(lambda s, y: relu(1 - y * s))


# 4.6: minibatches.


def batches_of(pick):
    """A minibatches with another way to pick: pick(xs, ys, order, batch_size) -> the list of batches."""
    return lambda xs, ys, batch_size, rng: pick(xs, ys, rng.permutation(len(xs)), batch_size)


def starts(order, size):
    return range(0, len(order), size)


@wrong(
    batches,
    "labels not shuffled along",
    "The rows were shuffled, and the labels were not, so that a row meets a stranger's label. Take the "
    "same row numbers from ys as from xs.",
)
def _(bg):
    def pick(xs, ys, order, size):
        return [(xs[order[s : s + size]], ys[s : s + size]) for s in starts(order, size)]

    bg.scalar_nn.minibatches = batches_of(pick)


@wrong(
    batches,
    "not shuffled",
    "The slices were cut out of xs and ys as they are. The shuffled row numbers are in order: cut pieces "
    "out of that, "
    "and take the rows that these numbers name.",
)
def _(bg):
    def pick(xs, ys, order, size):
        return [(xs[s : s + size], ys[s : s + size]) for s in starts(order, size)]

    bg.scalar_nn.minibatches = batches_of(pick)


@wrong(
    batches,
    "the small last batch dropped",
    "What is left over at the end was not dealt. The last batch is smaller then, but these samples count as well.",
)
def _(bg):
    def pick(xs, ys, order, size):
        whole = range(0, len(order) - size + 1, size)
        return [(xs[order[s : s + size]], ys[order[s : s + size]]) for s in whole]

    bg.scalar_nn.minibatches = batches_of(pick)


@wrong(
    batches,
    "the last row left over",
    "The last row is lost whenever it would have a batch of its own. range stops before its end by itself: "
    "range(0, len(order), batch_size), without - 1.",
)
def _(bg):
    def pick(xs, ys, order, size):
        begins = range(0, len(order) - 1, size)
        return [(xs[order[s : s + size]], ys[order[s : s + size]]) for s in begins]

    bg.scalar_nn.minibatches = batches_of(pick)


@wrong(
    batches,
    "an empty batch at the end",
    "When the samples just fill their batches, an empty one comes at the end. A quotient with + 1 counts one batch too "
    "many then. range(0, len(order), batch_size) gives each place where a batch begins, and no other.",
)
def _(bg):
    def pick(xs, ys, order, size):
        begins = [size * i for i in range(len(order) // size + 1)]
        return [(xs[order[s : s + size]], ys[order[s : s + size]]) for s in begins]

    bg.scalar_nn.minibatches = batches_of(pick)


@wrong(
    batches,
    "batches that overlap",
    "A new batch begins at every sample, so that they overlap. The next one begins where the last one ended: "
    "range takes the width of its steps as a third argument.",
)
def _(bg):
    def pick(xs, ys, order, size):
        return [(xs[order[s : s + size]], ys[order[s : s + size]]) for s in range(len(order))]

    bg.scalar_nn.minibatches = batches_of(pick)


@wrong(
    batches,
    "batch_size taken as the number of batches",
    "There are batch_size batches. It should be the number of samples in each of them.",
)
def _(bg):
    def pick(xs, ys, order, size):
        return [(xs[piece], ys[piece]) for piece in np.array_split(order, size)]

    bg.scalar_nn.minibatches = batches_of(pick)


@wrong(
    batches,
    "drawn anew for each batch",
    "Each batch was drawn from all samples again, so that some come twice in an epoch and some never. "
    "Shuffle once, then deal: order is shuffled already.",
)
def _(bg):
    def minibatches(xs, ys, batch_size, rng):
        draws = [rng.permutation(len(xs))[:batch_size] for _ in starts(xs, batch_size)]
        short = len(xs) % batch_size or batch_size
        draws[-1] = draws[-1][:short]
        return [(xs[draw], ys[draw]) for draw in draws]

    bg.scalar_nn.minibatches = minibatches


@wrong(
    batches,
    "the rows' numbers instead of the rows",
    "These are the numbers of the rows, not the rows. xs[piece] gives the rows whose numbers are in piece.",
)
def _(bg):
    def pick(xs, ys, order, size):
        return [(order[s : s + size], ys[order[s : s + size]]) for s in starts(order, size)]

    bg.scalar_nn.minibatches = batches_of(pick)


@wrong(
    batches,
    "only the first batch",
    "Only one batch came back. Is the return inside the loop? Collect the batches in a list, and return "
    "the list after the loop.",
)
def _(bg):
    bg.scalar_nn.minibatches = batches_of(lambda xs, ys, order, size: (xs[order[:size]], ys[order[:size]]))


@wrong(
    batches,
    "every slice ends at batch_size",
    "The later batches are empty: a slice is written [from : to], and `to` must move along with `from`.",
)
def _(bg):
    def pick(xs, ys, order, size):
        return [(xs[order[s:size]], ys[order[s:size]]) for s in starts(order, size)]

    bg.scalar_nn.minibatches = batches_of(pick)


@wrong(
    batches,
    "xs and ys shuffled each for itself",
    "xs and ys were shuffled one after the other, so that a row meets a stranger's label, and the caller's"
    " arrays are changed too. "
    "Leave both as they are, and take the same row numbers from both.",
)
def _(bg):
    def minibatches(xs, ys, batch_size, rng):
        rng.permutation(len(xs))
        rng.shuffle(xs)
        rng.shuffle(ys)
        return [(xs[s : s + batch_size], ys[s : s + batch_size]) for s in starts(xs, batch_size)]

    bg.scalar_nn.minibatches = minibatches


@wrong(
    batches,
    "no labels in the batches",
    "These batches hold no labels. Each is a pair: some rows of xs, and the same rows of ys.",
)
def _(bg):
    bg.scalar_nn.minibatches = batches_of(
        lambda xs, ys, order, size: [xs[order[s : s + size]] for s in starts(order, size)]
    )


@wrong(
    batches,
    "slices that end one too early",
    "One sample is missing from each batch. A slice stops before its end: [0 : 4] holds 0, 1, 2, 3. So the end is "
    "start + batch_size, without - 1.",
)
def _(bg):
    def pick(xs, ys, order, size):
        return [(xs[order[s : s + size - 1]], ys[order[s : s + size - 1]]) for s in starts(order, size)]

    bg.scalar_nn.minibatches = batches_of(pick)


@wrong(
    batches,
    "the list returned too early",
    "The list holds the first batch only. Is the return inside the loop? It ends the function in the first round.",
)
def _(bg):
    bg.scalar_nn.minibatches = batches_of(lambda xs, ys, order, size: [(xs[order[:size]], ys[order[:size]])])


@wrong(
    batches,
    "pieces of equal size",
    "array_split makes its pieces as equal as it can. Here each batch is full, and only the last one may be smaller.",
)
def _(bg):
    def pick(xs, ys, order, size):
        return [(xs[piece], ys[piece]) for piece in np.array_split(order, len(starts(order, size)))]

    bg.scalar_nn.minibatches = batches_of(pick)


@wrong(
    batches,
    "a second order for the labels",
    "xs and ys were shuffled in two different orders, so that a row meets a stranger's label. "
    "One order, made once, is for both.",
)
def _(bg):
    def minibatches(xs, ys, batch_size, rng):
        one, other = rng.permutation(len(xs)), rng.permutation(len(ys))
        return [(xs[one[s : s + batch_size]], ys[other[s : s + batch_size]]) for s in starts(xs, batch_size)]

    bg.scalar_nn.minibatches = minibatches


@wrong(
    batches,
    "two lists",
    "Two lists came back, one with all pieces of xs and one with all pieces of ys. One list is wanted, with one "
    "pair for each batch.",
)
def _(bg):
    def pick(xs, ys, order, size):
        pieces = [order[s : s + size] for s in starts(order, size)]
        return [xs[piece] for piece in pieces], [ys[piece] for piece in pieces]

    bg.scalar_nn.minibatches = batches_of(pick)


@wrong(
    batches,
    "a pair for each sample",
    "Each batch is a list with a pair (x, y) for every sample. A batch is one pair: its rows of xs together, and its "
    "rows of ys together. xs[piece] takes all of them at once.",
)
def _(bg):
    def pick(xs, ys, order, size):
        return [[(xs[row], ys[row]) for row in order[s : s + size]] for s in starts(order, size)]

    bg.scalar_nn.minibatches = batches_of(pick)


# 4.7: the hunt.


@wrong(
    hunt,
    "one data set for all",
    "The same data three times cannot do it: what gives all three away gives no single one away. "
    "For each loop, first find data on which it does everything right.",
)
def _(bg):
    bg.hunts.three_data_sets = lambda: dict.fromkeys(("Ada", "Ben", "Cleo"), ([(1, 2), (2, 3)], 2))


@wrong(
    hunt,
    "always more than one step",
    "With two steps or more Ada's loop gives itself away on any data that moves. How many steps does she do right?",
)
def _(bg):
    ada = bg.hunts.three_data_sets()["Ada"]
    bg.hunts.three_data_sets = lambda: {"Ada": ada, "Ben": ([(1, 3)], 2), "Cleo": ([(1, 3), (-1, -3)], 2)}
