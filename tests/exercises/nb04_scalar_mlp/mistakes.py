"""Wrong ideas about notebook 04, each as a patch for a private copy of the reference."""

import itertools
import math
import random

import numpy as np

from grader.course.exercise import wrong

from .exercises import batches, hinge, hunt, mlp, neuron, parts, step


def bent(total, nonlin):
    return total if nonlin == "linear" else getattr(total, nonlin)()


# 4.1: Neuron.


@wrong(
    neuron,
    "no bias in the sum",
    "This is the sum of the products alone: the bias is missing. If all inputs are 0, what should the sum be?",
)
def _(bg):
    def __call__(self, x):
        return bent(sum(w * number for w, number in zip(self.weights, x)), self.nonlin)

    bg.scalar_nn.Neuron.__call__ = __call__


@wrong(
    neuron,
    "the bias added for every input",
    "The bias was added once for each input, but it belongs in the sum only once. Is it done once for each of them?",
)
def _(bg):
    def __call__(self, x):
        return bent(sum(w * number + self.bias for w, number in zip(self.weights, x)), self.nonlin)

    bg.scalar_nn.Neuron.__call__ = __call__


@wrong(
    neuron,
    "the bias added after the bend",
    "The activation was applied to the sum of the products, and the bias was added afterwards: so a tanh neuron can "
    "answer more than 1. According to the table, which of the two comes last?",
)
def _(bg):
    def __call__(self, x):
        return bent(sum(w * number for w, number in zip(self.weights, x)), self.nonlin) + self.bias

    bg.scalar_nn.Neuron.__call__ = __call__


@wrong(
    neuron,
    "each product bent by itself",
    "The activation was applied to every product, and then the results were added. It is the whole sum that goes "
    "through it, once: is the tanh inside the loop?",
)
def _(bg):
    def __call__(self, x):
        return sum(bent(w * number, self.nonlin) for w, number in zip(self.weights, x)) + self.bias

    bg.scalar_nn.Neuron.__call__ = __call__


@wrong(
    neuron,
    "always tanh",
    "This neuron applies tanh whatever it was told. self.nonlin names its own activation: 'tanh', 'relu', "
    "'sigmoid', or 'linear' for none.",
)
def _(bg):
    def __call__(self, x):
        return sum((w * number for w, number in zip(self.weights, x)), self.bias).tanh()

    bg.scalar_nn.Neuron.__call__ = __call__


@wrong(
    neuron,
    "never bent",
    "This is the sum itself. Unless self.nonlin is 'linear', the sum still has to go through the activation that it "
    "names: tanh(), relu() or sigmoid(). (A relu leaves a sum above 0 as it is.)",
)
def _(bg):
    bg.scalar_nn.Neuron.__call__ = lambda self, x: sum((w * number for w, number in zip(self.weights, x)), self.bias)


@wrong(
    neuron,
    "plain numbers instead of Values",
    "The number is right, but the gradients of the weights are 0: the answer does not know that it was made from "
    "them. A sum of .data is a plain number. No .data is needed: Values can be multiplied and added.",
    stuck="All gradients are 0",
)
def _(bg):
    def __call__(self, x):
        numbers = (number.data if hasattr(number, "_prev") else number for number in x)
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
    "The number is right, but only the bias has a gradient: the products are plain numbers, and the sum knows nothing "
    "of the weights. Multiply the weights themselves.",
    "All gradients are 0",
)(sum_of_numbers(into_the_bias=False))

wrong(
    neuron,
    "the sum written into the bias's number",
    "The bias itself has changed: after `total = self.bias` total is only a second name for it, and total.data += ... "
    "writes into it. No .data is needed: adding Values makes a new one each time, and changes no old one.",
)(sum_of_numbers(into_the_bias=True))


@wrong(
    neuron,
    "the plain number returned",
    "A plain number came back. The answer must be a Value that knows the weights it was made from: compute with the "
    "Values themselves, without .data and without the math module.",
)
def _(bg):
    right = bg.scalar_nn.Neuron.__call__
    bg.scalar_nn.Neuron.__call__ = lambda self, x: right(self, x).data


@wrong(
    neuron,
    "nonlin called as a method",
    "self.nonlin holds a text such as 'tanh', and a Value has no method called nonlin. Ask with `if` which text it "
    "is, and call the method of that name.",
)
def _(bg):
    bg.scalar_nn.Neuron.__call__ = lambda self, x: sum(
        (w * number for w, number in zip(self.weights, x)), self.bias
    ).nonlin()


@wrong(
    neuron,
    "the answer kept in the bias",
    "A second call with the same inputs gave a different answer: the sum was collected in self.bias itself, so the "
    "bias grew. Collect it in a variable of its own that starts as the bias.",
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
    "NumPy's functions do not know what a Value is. A Value has methods of its own: total.tanh(), relu() and "
    "sigmoid().",
)
def _(bg):
    bg.scalar_nn.Neuron.__call__ = bent_by(lambda self, total: np.tanh(total))


@wrong(
    neuron,
    "math.tanh of a Value",
    "The math module works on plain numbers, and its results know nothing of the weights. A Value has methods of "
    "its own: total.tanh(), relu() and sigmoid().",
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


@wrong(
    neuron,
    "the inputs' numbers alone",
    "Nothing is passed back to the inputs: only their numbers were taken. In a network they are the answers of the "
    "layer before, whose weights learn from what arrives there. Multiply the inputs themselves, whether they are "
    "Values or plain numbers.",
    stuck="All gradients are 0",
)
def _(bg):
    def __call__(self, x):
        numbers = [number.data if hasattr(number, "_prev") else number for number in x]
        return bent(sum((w * number for w, number in zip(self.weights, numbers)), self.bias), self.nonlin)

    bg.scalar_nn.Neuron.__call__ = __call__


@wrong(
    neuron,
    "the first answer for every row",
    "The second row got the answer of the first: the neuron keeps its answer. It must be computed anew for each x.",
)
def _(bg):
    right = bg.scalar_nn.Neuron.__call__

    def __call__(self, x):
        if not hasattr(self, "_answer"):
            self._answer = right(self, x)
        return self._answer

    bg.scalar_nn.Neuron.__call__ = __call__


# 4.2: parameters_of.


@wrong(
    parts,
    "a list of lists of parameters",
    "The list holds a list for each part, but it should be flat. append adds a list as it is; extend and + add what "
    "is in it.",
)
def _(bg):
    bg.scalar_nn.parameters_of = lambda parts: [part.parameters() for part in parts]


@wrong(
    parts,
    "copies as parameters",
    "These are the right numbers, but not the neurons' own Values. Training changes what is in this list, and "
    "changing a copy does nothing to the neuron. Put the Values themselves on the list, without .data.",
    stuck="My change has no effect",
)
def _(bg):
    right = bg.scalar_nn.parameters_of
    bg.scalar_nn.parameters_of = lambda parts: [bg.Value(p.data) for p in right(parts)]


@wrong(
    parts,
    "the parameters of the first part",
    "These are the parameters of the first part only. (A return inside a loop ends the function in the first round.)",
)
def _(bg):
    bg.scalar_nn.parameters_of = lambda parts: parts[0].parameters()


@wrong(
    parts,
    "the parameters of the last part",
    "These are the parameters of the last part only. Is the list started anew in each round of the loop?",
)
def _(bg):
    bg.scalar_nn.parameters_of = lambda parts: parts[-1].parameters()


@wrong(
    parts,
    "neurons expected among the parts",
    "The list was built from the parts' weights and biases. That works for neurons, but a layer has no weights of "
    "its own. What can you ask both of them for?",
)
def _(bg):
    bg.scalar_nn.parameters_of = lambda parts: [p for part in parts for p in [*part.weights, part.bias]]


@wrong(
    parts,
    "all weights, then all biases",
    "All weights come first, then all biases. The list should go part by part: each one's parameters() as they are, "
    "one part after the other.",
)
def _(bg):
    def parameters_of(parts):
        neurons = [neuron for part in parts for neuron in getattr(part, "neurons", [part])]
        return [w for one in neurons for w in one.weights] + [one.bias for one in neurons]

    bg.scalar_nn.parameters_of = parameters_of


@wrong(
    parts,
    "parameters_of gives nothing back",
    "`parameters_of` returned nothing. Is a return missing at the end?",
)
def _(bg):
    bg.scalar_nn.parameters_of = lambda parts: None


@wrong(
    parts,
    "extend taken for a list",
    "extend changes the list and returns None, so after `found = found.extend(...)` found is None. Write "
    "found.extend(...) on a line of its own.",
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
    "sum starts from the number 0, and a list cannot be added to a number. Give it something else to start from, as "
    "a second argument, or let a list grow with extend.",
)
def _(bg):
    bg.scalar_nn.parameters_of = lambda parts: sum(part.parameters() for part in parts)


@wrong(
    parts,
    "the parts themselves",
    "The list holds the parts themselves. Ask each of them for its Values: part.parameters().",
)
def _(bg):
    bg.scalar_nn.parameters_of = list


@wrong(
    parts,
    "the method itself in the list",
    "Without () a method is not called: the list holds part.parameters, the method itself. With () you get the list "
    "that it returns.",
)
def _(bg):
    bg.scalar_nn.parameters_of = lambda parts: [part.parameters for part in parts]


@wrong(
    parts,
    "a loop over the method itself",
    "Without () a method is not called: part.parameters is the method itself, and there is no looping over that. "
    "With () you get the list that it returns.",
)
def _(bg):
    bg.scalar_nn.parameters_of = lambda parts: [parameter for part in parts for parameter in part.parameters]


# 4.3: MLP.


@wrong(
    mlp,
    "every layer reads x",
    "This is what the last layer makes of the original x. Each layer but the first should read what the layer before "
    "it answered: which variable holds that, and does the next layer get it?",
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
    "The network returned what it was given: each layer was called, but its answer was not kept. The next layer has "
    "to read that answer: which variable should hold it?",
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
    "Every layer was asked about the original x, and all their answers were put into a list. Only the first layer "
    "reads x; every other one reads what the layer before it answered.",
)
def _(bg):
    bg.scalar_nn.MLP.__call__ = lambda self, x: [each(x) for each in self.layers]


@wrong(
    mlp,
    "plain numbers between the layers",
    "The answer is right, but no gradient gets through to the first layer: between the layers only the numbers were "
    "taken. Hand the Values themselves to the next layer.",
    stuck="All gradients are 0",
)
def _(bg):
    def __call__(self, x):
        for each in self.layers:
            x = [getattr(number, "data", number) for number in x] if isinstance(x, list) else x
            x = each(x)
        return x

    bg.scalar_nn.MLP.__call__ = __call__


@wrong(
    mlp,
    "a list made of each answer",
    "A layer of one neuron answers with a single Value, and a Value is not a list of anything. Hand each answer to the "
    "next layer as it is: a layer can read both.",
)
def _(bg):
    def __call__(self, x):
        for each in self.layers:
            x = each(list(x))
        return x

    bg.scalar_nn.MLP.__call__ = __call__


@wrong(
    mlp,
    "only the first layer",
    "This is the answer of the first layer. (A return inside a loop ends the function in the first round.)",
)
def _(bg):
    bg.scalar_nn.MLP.__call__ = lambda self, x: self.layers[0](x)


@wrong(
    mlp,
    "the last layer left out",
    "The last layer was never called. A loop over self.layers itself, without counting, leaves none out.",
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
    "The last layer's answer came back wrapped in a list. Return it as it is: a Value, if the layer has one neuron.",
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
    "A plain number came back: the Value that knows how it was made is lost, and backward() has nowhere to start. No "
    ".data is needed.",
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
    "The last layer was called first. The forward pass goes forwards: self.layers holds the layers in the order in "
    "which they read. Only gradients go from back to front.",
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
    "This is the mean of the squared errors. That is a good loss too, but here the sum is asked for: do not divide.",
)
def _(bg):
    bg.scalar_nn.squared_error = lambda ps, ts: sum((p - t) ** 2 for p, t in zip(ps, ts)) / len(ts)


@wrong(
    step,
    "errors that are not squared",
    "The differences were added as they are, so an error of 2 and one of -2 cancel: two wrong answers, loss 0. "
    "Square each one first.",
)
def _(bg):
    bg.scalar_nn.squared_error = lambda ps, ts: sum(p - t for p, t in zip(ps, ts))


@wrong(
    step,
    "the sum squared",
    "The differences were added first and squared afterwards, so an error of 2 and one of -2 cancel. Square each "
    "one, then add: where do the brackets go?",
)
def _(bg):
    bg.scalar_nn.squared_error = lambda ps, ts: sum(p - t for p, t in zip(ps, ts)) ** 2


@wrong(
    step,
    "the size of the errors",
    "Each error counts with its size here, not with its square. Squares make large errors count more, and the "
    "gradient shrinks along with the error.",
)
def _(bg):
    def squared_error(ps, ts):
        return sum((p - t) * (1 if p.data > t else -1) for p, t in zip(ps, ts))

    bg.scalar_nn.squared_error = squared_error


@wrong(
    step,
    "a loss made of plain numbers",
    "The number is right, but it is a plain one: it knows nothing of the predictions, and backward() has nowhere to "
    "start. Compute with the predictions themselves, not with their .data.",
    stuck="All gradients are 0",
)
def _(bg):
    bg.scalar_nn.squared_error = lambda ps, ts: sum((p.data - t) ** 2 for p, t in zip(ps, ts))


@wrong(
    step,
    "a new Value around a plain loss",
    "The number is right, but the gradients are 0: a sum of .data is a plain number, and Value(...) around it makes "
    "a leaf, which knows nothing of the predictions. Compute with the predictions themselves.",
    stuck="All gradients are 0",
)
def _(bg):
    bg.scalar_nn.squared_error = lambda ps, ts: bg.Value(sum((p.data - t) ** 2 for p, t in zip(ps, ts)))


@wrong(
    step,
    "only the first error",
    "Only the first prediction counts. Add them all up before you return.",
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
    "The first step is right, and the second is not: the gradients of the first are still in it, because backward() "
    "accumulates: it adds to what a leaf's grad holds. Which of the five verbs is missing?",
    stuck="Gradients grow with each step",
)
def _(bg):
    bg.scalar_nn.train_step = step_made_of(nothing, walk, move)


@wrong(
    step,
    "zero_grad at the end only",
    "The gradients are set to 0 at the end of the step, ready for the next one. But the first step still uses "
    "whatever another backward pass had left in a grad. Forget right before you walk back.",
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
    "loss_fn was given plain numbers: they have lost the model they came from, and what loss_fn makes of them is not "
    "a Value, so it has no backward(). Give it the Values themselves.",
)
def _(bg):
    def plain(predictions, ys, loss_fn):
        loss = loss_fn([prediction.data for prediction in predictions], ys)
        return loss, loss

    bg.scalar_nn.train_step = step_of(plain)


@wrong(
    step,
    "the loss divided by the number of samples",
    "The loss was divided by the number of samples. loss_fn has already made one number of all samples, in its own "
    "way: walk back from that one, and return it.",
)
def _(bg):
    def mean(predictions, ys, loss_fn):
        loss = loss_fn(predictions, ys) / len(ys)
        return loss, loss.data

    bg.scalar_nn.train_step = step_of(mean)


@wrong(
    step,
    "the step divided by the number of samples",
    "The loss is right, but the parameters move too little: each step was divided by the number of samples. loss_fn "
    "has already made one number of all samples, in its own way, and the gradient belongs to that number.",
)
def _(bg):
    right = bg.scalar_nn.train_step
    bg.scalar_nn.train_step = lambda model, xs, ys, loss_fn, rate: right(model, xs, ys, loss_fn, rate / len(xs))


@wrong(
    step,
    "moved by its own number",
    "Each parameter moved by the learning rate times its own number. That only makes it smaller. Which of a "
    "parameter's two numbers says in which direction the loss grows?",
)
def _(bg):
    def shrink(parameter, learning_rate):
        parameter.data -= learning_rate * parameter.data

    bg.scalar_nn.train_step = step_made_of(forget, walk, shrink)


@wrong(
    step,
    "backward on each prediction",
    "The backward pass started at the predictions, not at the loss. Those gradients say how the predictions grow, "
    "and not how the loss does. What is the one root to start from?",
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
    "The weights have moved, but the bias has not. model.parameters() has both.",
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
    "new Values in the model",
    "The numbers are right, but the model holds other Values than before: whoever has kept its parameters() holds "
    "the old ones. Leave the Values where they are, and change their data.",
    stuck="My change has no effect",
)
def _(bg):
    right = bg.scalar_nn.train_step

    def train_step(model, *rest):
        for layer in model.layers:
            for each in layer.neurons:
                each.weights, each.bias = [bg.Value(w.data) for w in each.weights], bg.Value(each.bias.data)
        return right(model, *rest)

    bg.scalar_nn.train_step = train_step


NOT_ASKED_OF_AN_ARRAY = (
    "The targets may come in an array, and Python cannot say whether a whole array is true. A list or an array is "
    "empty if its len is 0. (Must that case be asked for at all?)"
)


@wrong(step, "targets asked whether they are true", NOT_ASKED_OF_AN_ARRAY)
def _(bg):
    right = bg.scalar_nn.squared_error
    bg.scalar_nn.squared_error = lambda ps, ts: right(ps, ts) if ts else bg.Value(0.0)


@wrong(step, "ys asked whether they are true", NOT_ASKED_OF_AN_ARRAY)
def _(bg):
    right = bg.scalar_nn.train_step
    bg.scalar_nn.train_step = lambda model, xs, ys, *rest: right(model, xs, ys, *rest) if ys else 0.0


@wrong(
    step,
    "nothing moves",
    "No parameter has moved. Does the loss lead back to the model, or were the predictions taken out as numbers? Are "
    "the gradients set to 0 between backward() and the step? Is backward called at all, with its ()? And does the "
    "step write to parameter.data? `parameter -= ...` makes a new Value that the model knows nothing of.",
    stuck="The loss does not fall",
)
def _(bg):
    bg.scalar_nn.train_step = step_made_of(nothing, nothing, nothing)


@wrong(
    step,
    "only the last layer moves",
    "Only the parameters of the last layer have moved; those of the layers before it learn too. What gives you the "
    "parameters of the whole model?",
)
def _(bg):
    def train_step(model, xs, ys, loss_fn, learning_rate):
        loss = loss_fn([model(x) for x in xs], ys)
        forget(model)
        walk(loss)
        for parameter in model.layers[-1].parameters():
            move(parameter, learning_rate)
        return loss.data

    bg.scalar_nn.train_step = train_step


@wrong(
    step,
    "all samples given to the model at once",
    "The model was given the whole list of samples. It takes one sample at a time: call it once for each x, and "
    "collect the answers in a list.",
)
def _(bg):
    right = bg.scalar_nn.train_step

    def train_step(model, xs, ys, loss_fn, learning_rate):
        return right(model, [xs], ys, loss_fn, learning_rate)

    bg.scalar_nn.train_step = train_step


@wrong(
    step,
    "a single prediction instead of a list",
    "loss_fn was given a single prediction. It expects all of them in one list, and all targets in another: collect "
    "first, then call it once.",
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
    "Python cannot subtract one list from another. zip gives you prediction and target in pairs, and those can be "
    "subtracted.",
)
def _(bg):
    bg.scalar_nn.squared_error = lambda predictions, targets: sum((predictions - targets) ** 2)


@wrong(
    step,
    "^ taken for a power",
    "In Python ^ is not a power (it compares bits). A power is written with two stars: x ** 2.",
)
def _(bg):
    bg.scalar_nn.squared_error = lambda predictions, targets: sum((p - t) ^ 2 for p, t in zip(predictions, targets))


@wrong(
    step,
    "uphill",
    "Each parameter moved by the right amount in the wrong direction: the loss grows. A gradient points to where "
    "the loss grows.",
    stuck="The sign is wrong",
)
def _(bg):
    def up(parameter, learning_rate):
        parameter.data += learning_rate * parameter.grad

    bg.scalar_nn.train_step = step_made_of(forget, walk, up)


@wrong(
    step,
    "the step itself instead of the sum",
    "Each parameter is now minus the learning rate times its gradient: where it was before is lost. A step starts "
    "from where you are. Did you write = - for -= ?",
)
def _(bg):
    def replace(parameter, learning_rate):
        parameter.data = -learning_rate * parameter.grad

    bg.scalar_nn.train_step = step_made_of(forget, walk, replace)


@wrong(
    step,
    "no learning rate",
    "Each parameter moved by its whole gradient. How much of it should it go by? The learning rate says so.",
    stuck="The loss is nan or explodes",
)
def _(bg):
    bg.scalar_nn.train_step = step_made_of(forget, walk, lambda parameter, rate: move(parameter, 1.0))


@wrong(
    step,
    "the loss as a Value",
    "The whole Value of the loss was returned, and it keeps everything it was made from in memory. The number "
    "inside it is wanted.",
)
def _(bg):
    bg.scalar_nn.train_step = step_made_of(forget, walk, move, lambda before, after: before)


@wrong(
    step,
    "the loss after the step",
    "This is the loss after the step. The one from before the step is wanted: you have it already, without calling "
    "the model again.",
)
def _(bg):
    bg.scalar_nn.train_step = step_made_of(forget, walk, move, lambda before, after: after().data)


@wrong(
    step,
    "the step before backward",
    "In the first step the parameters did not move, and in the next one they used the gradients of the step before. "
    "Which line finds the gradients, and which one uses them?",
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
    "Another loss was used than the one that was given. loss_fn is a function like any other: call it with the "
    "predictions and ys.",
)
def _(bg):
    right, squared_error = bg.scalar_nn.train_step, bg.scalar_nn.squared_error

    def train_step(model, xs, ys, loss_fn, learning_rate):
        return right(model, xs, ys, squared_error, learning_rate)

    bg.scalar_nn.train_step = train_step


@wrong(
    step,
    "one step for each sample",
    "There was a step after every sample. Here all samples count together: one list of predictions, one loss, one "
    "backward pass, one step.",
)
def _(bg):
    right = bg.scalar_nn.train_step

    def train_step(model, xs, ys, loss_fn, learning_rate):
        return sum(right(model, [x], [y], loss_fn, learning_rate) for x, y in zip(xs, ys))

    bg.scalar_nn.train_step = train_step


@wrong(
    step,
    "loss_fn asked once for each sample",
    "loss_fn was called once for each sample, and the results were added up. That is right only for a loss that is "
    "a sum over the samples, and this one is not. Collect all predictions in one list, then call it once.",
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
    "A parameter's data has become a Value. It should stay a plain number: compute with parameter.data, not with "
    "the parameter itself.",
)
def _(bg):
    def put_a_value(parameter, learning_rate):
        parameter.data = parameter - learning_rate * parameter.grad

    bg.scalar_nn.train_step = step_made_of(forget, walk, put_a_value)


@wrong(
    step,
    "return inside the loop of the step",
    "Only the first parameter has moved. (A return inside a loop ends the function in the first round.)",
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
    "The parameters have moved as they should, but nothing was returned. Is a return missing? The number inside the "
    "loss is wanted.",
)
def _(bg):
    bg.scalar_nn.train_step = step_made_of(forget, walk, move, nothing)


@wrong(
    step,
    "targets and predictions change places",
    "loss_fn was given ys first. The predictions come first, then ys. Squared error does not mind, but other losses "
    "do.",
)
def _(bg):
    right = bg.scalar_nn.train_step

    def train_step(model, xs, ys, loss_fn, learning_rate):
        return right(model, xs, ys, lambda predictions, targets: loss_fn(targets, predictions), learning_rate)

    bg.scalar_nn.train_step = train_step


@wrong(
    step,
    "a list of squared errors",
    "These are the squared errors, one for each prediction. Add them up: a loss is one number, so that backward() "
    "has one place to start.",
)
def _(bg):
    bg.scalar_nn.squared_error = lambda predictions, targets: [(p - t) ** 2 for p, t in zip(predictions, targets)]


# 4.5: minibatches.


def batches_of(pick):
    """A minibatches with another way to pick: pick(xs, ys, order, batch_size) -> the list of batches."""
    return lambda xs, ys, batch_size, rng: pick(xs, ys, rng.permutation(len(xs)), batch_size)


def starts(order, size):
    return range(0, len(order), size)


@wrong(
    batches,
    "labels not shuffled along",
    "The rows were shuffled and the labels were not, so a row meets a stranger's label. Take the same row numbers "
    "from ys as from xs.",
)
def _(bg):
    def pick(xs, ys, order, size):
        return [(xs[order[s : s + size]], ys[s : s + size]) for s in starts(order, size)]

    bg.scalar_nn.minibatches = batches_of(pick)


@wrong(
    batches,
    "a shuffle of its own",
    "The same seed deals different batches: the rows were shuffled by something other than rng. `order` is shuffled "
    "already, and with the same seed in the same way, so that a training can be repeated.",
)
def _(bg):
    shuffles = map(random.Random, itertools.count())

    def pick(xs, ys, order, size):
        order = sorted(order)
        next(shuffles).shuffle(order)
        return [(xs[order[s : s + size]], ys[order[s : s + size]]) for s in starts(order, size)]

    bg.scalar_nn.minibatches = batches_of(pick)


@wrong(
    batches,
    "not shuffled",
    "The samples came in the order of xs and ys. The shuffled row numbers are in order, as it is given: cut that into "
    "pieces, and take the rows with these numbers.",
)
def _(bg):
    def pick(xs, ys, order, size):
        return [(xs[s : s + size], ys[s : s + size]) for s in starts(order, size)]

    bg.scalar_nn.minibatches = batches_of(pick)


@wrong(
    batches,
    "the small last batch dropped",
    "The samples left over at the end were not dealt. The last batch is smaller then, but its samples count as well.",
)
def _(bg):
    def pick(xs, ys, order, size):
        whole = range(0, len(order) - size + 1, size)
        return [(xs[order[s : s + size]], ys[order[s : s + size]]) for s in whole]

    bg.scalar_nn.minibatches = batches_of(pick)


@wrong(
    batches,
    "the last row left over",
    "The last row is lost whenever it would have a batch of its own. range stops before its end by itself: is there a "
    "- 1 too many?",
)
def _(bg):
    def pick(xs, ys, order, size):
        begins = range(0, len(order) - 1, size)
        return [(xs[order[s : s + size]], ys[order[s : s + size]]) for s in begins]

    bg.scalar_nn.minibatches = batches_of(pick)


@wrong(
    batches,
    "an empty batch at the end",
    "When the samples fill their batches exactly, an empty one comes at the end: a quotient with + 1 counts one "
    "batch too many then. Count in steps of batch_size instead: range can.",
)
def _(bg):
    def pick(xs, ys, order, size):
        begins = [size * i for i in range(len(order) // size + 1)]
        return [(xs[order[s : s + size]], ys[order[s : s + size]]) for s in begins]

    bg.scalar_nn.minibatches = batches_of(pick)


@wrong(
    batches,
    "batches that overlap",
    "A new batch begins at every sample, so they overlap. Each one should begin where the last one ended: range "
    "takes the width of its steps as a third argument.",
)
def _(bg):
    def pick(xs, ys, order, size):
        return [(xs[order[s : s + size]], ys[order[s : s + size]]) for s in range(len(order))]

    bg.scalar_nn.minibatches = batches_of(pick)


@wrong(
    batches,
    "batch_size taken as the number of batches",
    "There are batch_size batches. batch_size should be the number of samples in each of them.",
)
def _(bg):
    def pick(xs, ys, order, size):
        return [(xs[piece], ys[piece]) for piece in np.array_split(order, size)]

    bg.scalar_nn.minibatches = batches_of(pick)


@wrong(
    batches,
    "drawn anew for each batch",
    "Each batch was drawn from all samples again, so some come twice in an epoch and some never. Shuffle once, then "
    "deal: order is shuffled already.",
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
    "These are the row numbers, not the rows. xs[piece] gives the rows whose numbers are in piece.",
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
    "xs and ys were shuffled one after the other, so a row meets a stranger's label, and the caller's arrays have "
    "changed too. Leave both as they are, and take the same row numbers from both.",
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
    "These batches hold no labels. Each should be a pair: some rows of xs, and the same rows of ys.",
)
def _(bg):
    bg.scalar_nn.minibatches = batches_of(
        lambda xs, ys, order, size: [xs[order[s : s + size]] for s in starts(order, size)]
    )


@wrong(
    batches,
    "slices that end one too early",
    "One sample is missing from each batch. A slice stops before its end by itself: [0 : 4] holds 0, 1, 2, 3. What "
    "is the - 1 for?",
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
    "array_split makes its pieces as equal as it can. Here every batch is full, except perhaps the last.",
)
def _(bg):
    def pick(xs, ys, order, size):
        return [(xs[piece], ys[piece]) for piece in np.array_split(order, len(starts(order, size)))]

    bg.scalar_nn.minibatches = batches_of(pick)


@wrong(
    batches,
    "a second order for the labels",
    "xs and ys were shuffled in two different orders, so a row meets a stranger's label. Make one order, once, and "
    "use it for both.",
)
def _(bg):
    def minibatches(xs, ys, batch_size, rng):
        one, other = rng.permutation(len(xs)), rng.permutation(len(ys))
        return [(xs[one[s : s + batch_size]], ys[other[s : s + batch_size]]) for s in starts(xs, batch_size)]

    bg.scalar_nn.minibatches = minibatches


@wrong(
    batches,
    "two lists",
    "Two lists came back, one with all pieces of xs and one with all pieces of ys. One list is wanted, with a pair "
    "for each batch.",
)
def _(bg):
    def pick(xs, ys, order, size):
        pieces = [order[s : s + size] for s in starts(order, size)]
        return [xs[piece] for piece in pieces], [ys[piece] for piece in pieces]

    bg.scalar_nn.minibatches = batches_of(pick)


@wrong(
    batches,
    "a pair for each sample",
    "Each batch is a list with a pair (x, y) for every sample. A batch should be one pair: its rows of xs together, "
    "and its rows of ys together. xs[piece] takes all of them at once.",
)
def _(bg):
    def pick(xs, ys, order, size):
        return [[(xs[row], ys[row]) for row in order[s : s + size]] for s in starts(order, size)]

    bg.scalar_nn.minibatches = batches_of(pick)


# 4.6: hinge_loss.


def hinge_of(cost, total=lambda costs: sum(costs) / len(costs)):
    return lambda scores, labels: total([cost(s, y) for s, y in zip(scores, labels)])


@wrong(
    hinge,
    "the label left out",
    "Every score is pushed above 1 here, whatever its label. The label has to come in: what does the sign of label "
    "* score tell you?",
)
def _(bg):
    bg.scalar_nn.hinge_loss = hinge_of(lambda s, y: (1 - s).relu())


@wrong(
    hinge,
    "no relu",
    "A sample far on its own side has a negative cost here, as if it made up for another that is wrong. It should "
    "cost nothing: which method of a Value cuts off what is below 0?",
)
def _(bg):
    bg.scalar_nn.hinge_loss = hinge_of(lambda s, y: 1 - y * s)


@wrong(
    hinge,
    "the sum instead of the mean",
    "This is the sum of the costs. Take the mean, so that a batch of 5 and one of 50 can be compared.",
)
def _(bg):
    bg.scalar_nn.hinge_loss = hinge_of(lambda s, y: (1 - y * s).relu(), sum)


@wrong(
    hinge,
    "relu of the mean",
    "The samples were added up first, and relu came after that. So a sample far on its own side makes up for one on "
    "the wrong side. Each sample needs a relu of its own.",
)
def _(bg):
    bg.scalar_nn.hinge_loss = hinge_of(lambda s, y: 1 - y * s, lambda costs: (sum(costs) / len(costs)).relu())


@wrong(
    hinge,
    "the hinge squared",
    "Each cost was squared. The hinge loss takes it as it is: twice as far to go costs twice as much.",
)
def _(bg):
    bg.scalar_nn.hinge_loss = hinge_of(lambda s, y: (1 - y * s).relu() ** 2)


@wrong(
    hinge,
    "a new Value around a plain hinge loss",
    "The number is right, but the gradients are 0: costs of .data are plain numbers, and Value(...) around them "
    "makes a leaf, which knows nothing of the scores. Compute with the scores themselves, and with a Value's own "
    "relu().",
    stuck="All gradients are 0",
)
def _(bg):
    right = bg.scalar_nn.hinge_loss
    bg.scalar_nn.hinge_loss = lambda scores, labels: bg.Value(right(scores, labels).data)


@wrong(
    hinge,
    "no margin",
    "A score counts as good here as soon as its sign is right. It should be right with a margin of 1: where does "
    "the 1 go?",
)
def _(bg):
    bg.scalar_nn.hinge_loss = hinge_of(lambda s, y: (-(y * s)).relu())


@wrong(
    hinge,
    "the right side punished",
    "The samples on their own side cost something, and those on the wrong side nothing. Try one by hand: label 1, "
    "score 3. By how much does label * score fall short of 1?",
    stuck="The sign is wrong",
)
def _(bg):
    bg.scalar_nn.hinge_loss = hinge_of(lambda s, y: (y * s - 1).relu())


COMPARED_WITH_0 = (
    "Here a Value is compared with 0, and Values cannot be compared. (Python's max compares, too.) "
    "One of a Value's own methods cuts off at 0."
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
    "The number is right, but it is a plain one: it knows nothing of the scores, and backward() has nowhere to "
    "start. Compute with the scores themselves, not with their .data, and with a Value's own relu().",
    stuck="All gradients are 0",
)
def _(bg):
    bg.scalar_nn.hinge_loss = hinge_of(lambda s, y: max(0, 1 - y * s.data))


@wrong(
    hinge,
    "1 plus instead of minus",
    "This is 1 + label * score: the better a score, the more it costs. By how much does label * score fall short of 1?",
)
def _(bg):
    bg.scalar_nn.hinge_loss = hinge_of(lambda s, y: (1 + y * s).relu())


@wrong(
    hinge,
    "label minus score",
    "This is label - score. For the label -1 and the score -5 that is 4, although -5 is far on its own side. "
    "Multiply label and score; it is the product that is compared with 1.",
)
def _(bg):
    bg.scalar_nn.hinge_loss = hinge_of(lambda s, y: (y - s).relu())


@wrong(
    hinge,
    "relu of the score alone",
    "relu was applied to the score alone: y * s.relu() means y * (s.relu()). Put the whole difference in brackets, "
    "and .relu() after them.",
)
def _(bg):
    bg.scalar_nn.hinge_loss = hinge_of(lambda s, y: 1 - y * s.relu())


@wrong(
    hinge,
    "relu of the product alone",
    "relu was applied to label * score, before the 1 came in. It belongs around the whole difference: no cost may "
    "be below 0.",
)
def _(bg):
    bg.scalar_nn.hinge_loss = hinge_of(lambda s, y: 1 - (y * s).relu())


@wrong(
    hinge,
    "the label outside the difference",
    "This is label * (1 - score). The label should turn the score round, not the 1: where do the brackets go?",
)
def _(bg):
    bg.scalar_nn.hinge_loss = hinge_of(lambda s, y: (y * (1 - s)).relu())


@wrong(
    hinge,
    "the mean of the costing samples only",
    "The sum was divided by the number of samples that cost something. The mean is over all samples, including "
    "those that cost nothing.",
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
    "Where no score costs anything, the total is still the plain number that it started as, and that has no "
    "backward(). A loss is a Value even then. Let it start as one, Value(0.0), or give each sample a cost that is a "
    "Value: one of its methods cuts off at 0.",
)
def _(bg):
    bg.scalar_nn.hinge_loss = hinge_by_an_if(lambda product: product < 1, 0)


@wrong(
    hinge,
    "moved although it costs nothing",
    "A score of exactly 1 on its own side costs nothing here, as it should, but its gradient is not 0, so a step "
    "would move it. It is where it has to be: did you write <= where < is meant?",
)
def _(bg):
    bg.scalar_nn.hinge_loss = hinge_by_an_if(lambda product: product <= 1, bg.Value(0.0))


@wrong(
    hinge,
    "relu as a function",
    "relu is a method of a Value, as tanh is: it comes after the Value, with a dot. Put the difference in brackets "
    "first.",
)
def _(bg):
    def relu(value):
        raise NameError("name 'relu' is not defined")

    bg.scalar_nn.hinge_loss = hinge_of(lambda s, y: relu(1 - y * s))


# 4.7: the hunt.


@wrong(
    hunt,
    "one data set for all",
    "The same data three times cannot work: what gives all three away gives no single one away. For each loop, "
    "first find data on which it does everything right.",
)
def _(bg):
    bg.hunts.three_data_sets = lambda x: dict.fromkeys(("Ada", "Ben", "Cleo"), ([(x, x + 1), (x + 1, x + 3)], 2))


@wrong(
    hunt,
    "always more than one step",
    "With two steps or more, Ada's loop gives itself away on any data that makes it move. How many steps does it "
    "get right?",
)
def _(bg):
    right = bg.hunts.three_data_sets
    bg.hunts.three_data_sets = lambda x: {name: (samples, 2) for name, (samples, _) in right(x).items()}
