"""Wrong ideas about notebook 11, each as a patch for a private copy of the reference."""

from itertools import pairwise

import numpy as np

from grader.course.exercise import wrong

from .exercises import binary, distances, entropy, epoch, hunt, layers, mlp, names_of_all, share

# 11.1: the parameters of a module.


def first_of(pairs, key):
    """The pairs whose key comes for the first time."""
    first = {}
    for name, thing in pairs:
        first.setdefault(key(name, thing), (name, thing))
    return list(first.values())


def patch_names(bg, pairs_of):
    """named_parameters is pairs_of(the pairs of the walk that are Parameters)."""

    def named_parameters(self):
        return pairs_of([(n, t) for n, t in bg.nn.walk(self) if isinstance(t, bg.nn.Parameter)])

    bg.nn.Module.named_parameters = named_parameters


@wrong(
    names_of_all,
    "a Parameter each time it comes",
    "One Parameter is in the list twice, so the optimizer would take two steps with it each time. Keep a record of "
    "those you have seen, by id(thing).",
)
def _(bg):
    patch_names(bg, lambda pairs: pairs)


@wrong(
    names_of_all,
    "the list of the first call",
    "The list of the first call was kept and returned again, so a part that was added later is missing. Walk through "
    "the module at each call.",
)
def _(bg):
    right = bg.nn.Module.named_parameters

    def named_parameters(self):
        if "_found" not in vars(self):
            self.__dict__["_found"] = right(self)
        return self._found

    bg.nn.Module.named_parameters = named_parameters


@wrong(
    names_of_all,
    "those held fixed left out",
    "A Parameter with requires_grad = False is missing. It belongs to the module all the same: it is saved and "
    "loaded with the others. Ask only whether isinstance(thing, Parameter).",
)
def _(bg):
    patch_names(bg, lambda pairs: first_of([(n, t) for n, t in pairs if t.requires_grad], lambda n, t: id(t)))


@wrong(
    names_of_all,
    "the last name",
    "A Parameter that is found in two places should have the name of the first one, and here it has that of the "
    "second. A new entry in your dict has replaced the old one: make an entry only if there is none yet, as "
    "setdefault does.",
)
def _(bg):
    patch_names(bg, lambda pairs: list({id(t): (n, t) for n, t in pairs}.values()))


@wrong(
    names_of_all,
    "those with equal numbers counted as one",
    "Two Parameters with equal numbers are still two Parameters: after one step of training the numbers differ. "
    "id(thing) says which one it is; its contents do not.",
)
def _(bg):
    patch_names(bg, lambda pairs: first_of(pairs, lambda n, t: t.data.tobytes()))


@wrong(
    names_of_all,
    "one for each last name",
    "Two parts may each have a weight. Only the full name, with the part's name in front, tells them apart: that is "
    "the name that walk gives.",
)
def _(bg):
    patch_names(bg, lambda pairs: first_of(pairs, lambda n, t: n.split(".")[-1]))


@wrong(
    names_of_all,
    "names without the part",
    "The name of a part's parameter has the part's name in front, as walk gives it: hidden.weight. Otherwise two "
    "weights would share a name, and a saved file could hold only one of them.",
)
def _(bg):
    def pairs_of(pairs):
        first = {}
        for n, t in pairs:
            first.setdefault(id(t), (n.split(".")[-1], t))
        return list(first.values())

    patch_names(bg, pairs_of)


@wrong(
    names_of_all,
    "every Tensor",
    "The list has a Tensor in it that is not a Parameter. Not every Tensor of a module is there to be trained: "
    "those that are, are Parameters. Which class does your isinstance ask about?",
)
def _(bg):
    def named_parameters(self):
        first = {}
        for n, t in bg.nn.walk(self):
            if isinstance(t, bg.Tensor):
                first.setdefault(id(t), (n, t))
        return list(first.values())

    bg.nn.Module.named_parameters = named_parameters


@wrong(
    names_of_all,
    "its own attributes only",
    "The Parameters of the module's parts are missing. vars(self) gives only what the module itself holds; "
    "walk(self) goes on into its parts, and into lists and dicts.",
)
def _(bg):
    def named_parameters(self):
        own = [(n, t) for n, t in vars(self).items() if isinstance(t, bg.nn.Parameter)]
        return first_of(own, lambda n, t: id(t))

    bg.nn.Module.named_parameters = named_parameters


@wrong(
    names_of_all,
    "parts of parts left out",
    "The Parameters that lie deeper are missing: those in a list, in a dict, or in a part of a part. walk(self) "
    "finds them all, however deep they are.",
)
def _(bg):
    def pairs_of(pairs):
        first = {}
        for n, t in pairs:
            if n.count(".") < 2:
                first.setdefault(id(t), (n, t))
        return list(first.values())

    patch_names(bg, pairs_of)


@wrong(
    names_of_all,
    "the Parameters without their names",
    "The list holds Parameters. Pairs (name, Parameter) are wanted; parameters(), which is given, takes them apart.",
)
def _(bg):
    patch_names(bg, lambda pairs: list({id(t): t for _, t in pairs}.values()))


@wrong(
    names_of_all,
    "pairs the other way round",
    "In each pair the name comes first, then the Parameter.",
)
def _(bg):
    patch_names(bg, lambda pairs: [(t, n) for n, t in {id(t): (n, t) for n, t in pairs}.values()])


@wrong(
    names_of_all,
    "a dict",
    "A dict {name: Parameter} holds the right things, but a list of pairs is wanted: list(your_dict.items()).",
)
def _(bg):
    patch_names(bg, lambda pairs: dict({id(t): (n, t) for n, t in reversed(pairs)}.values()))


@wrong(
    names_of_all,
    "a dict of ids",
    "This is a dict, or its values() as they are. What is wanted is the pairs in it, as a list.",
)
def _(bg):
    def pairs_of(pairs):
        first = {}
        for n, t in pairs:
            first.setdefault(str(id(t)), (n, t))
        return first.values()

    patch_names(bg, pairs_of)


@wrong(
    names_of_all,
    "the end at the first repetition",
    "Everything after the first Parameter that came a second time is missing. Leave out "
    "only that one (continue), and go on.",
)
def _(bg):
    def named_parameters(self):
        found, seen = [], set()
        for name, thing in bg.nn.walk(self):
            if isinstance(thing, bg.nn.Parameter):
                if id(thing) in seen:
                    break
                seen.add(id(thing))
                found.append((name, thing))
        return found

    bg.nn.Module.named_parameters = named_parameters


@wrong(
    names_of_all,
    "in the order of the alphabet",
    "The names are in a different order: sorted, or taken from a set, which has none. The order in which walk gives "
    "them is wanted: it is the order in which the net was built, and optimizers remember parameters by their place.",
)
def _(bg):
    def pairs_of(pairs):
        first = {}
        for n, t in pairs:
            first.setdefault(id(t), (n, t))
        return sorted(first.values(), key=lambda pair: pair[0])

    patch_names(bg, pairs_of)


@wrong(
    names_of_all,
    "yield",
    "The pairs come one by one, from a generator. A list is wanted: collect them, and return the list. (list(...) "
    "turns a generator into one.)",
)
def _(bg):
    patch_names(bg, lambda pairs: (pair for pair in pairs))


@wrong(
    names_of_all,
    "all that walk meets",
    "walk gives everything: numbers, lists and modules too. Keep those that are Parameters.",
)
def _(bg):
    bg.nn.Module.named_parameters = lambda self: list(bg.nn.walk(self))


@wrong(
    names_of_all,
    "the names alone",
    "The list holds only names. Pairs are wanted: (name, Parameter).",
)
def _(bg):
    patch_names(bg, lambda pairs: [n for n, _ in {id(t): (n, t) for n, t in pairs}.values()])


# 11.2: Linear.


@wrong(
    layers,
    "the bias forgotten",
    "The product is right, but it is not everything. What does a Linear hold besides its weight?",
)
def _(bg):
    bg.nn.Linear.forward = lambda self, x: x @ self.weight


@wrong(
    layers,
    "always a bias",
    "Linear(..., bias=False) has no bias: self.bias is None, and None cannot be added. Check for that first.",
)
def _(bg):
    bg.nn.Linear.forward = lambda self, x: x @ self.weight + self.bias


@wrong(
    layers,
    "weight first",
    "The product is the wrong way round. x is (N, in) and weight is (in, out): which order fits?",
)
def _(bg):
    bg.nn.Linear.forward = lambda self, x: self.weight @ x + (0.0 if self.bias is None else self.bias)


@wrong(
    layers,
    "weight turned round",
    "PyTorch stores its weight as (out, in), and transposes it in forward. Here it is (in, out) already: no "
    "transpose is needed.",
)
def _(bg):
    bg.nn.Linear.forward = lambda self, x: x @ self.weight.T + (0.0 if self.bias is None else self.bias)


@wrong(
    layers,
    "number by number",
    "The sign * multiplies number by number, if the shapes allow it. A layer needs the matrix product: which sign "
    "is that?",
)
def _(bg):
    bg.nn.Linear.forward = lambda self, x: x * self.weight + (0.0 if self.bias is None else self.bias)


@wrong(
    layers,
    ".data of the weight",
    "The numbers are right, but no gradient can reach the weight: .data is a plain array, and the graph does not "
    "know where it came from. Use self.weight and self.bias as they are.",
    stuck="x.grad is None",
)
def _(bg):
    bg.nn.Linear.forward = lambda self, x: x @ self.weight.data + (0.0 if self.bias is None else self.bias.data)


@wrong(
    layers,
    ".data of everything",
    "A plain array comes out, and it remembers nothing. The layer must be made of operations on Tensors, or the "
    "backward pass ends here.",
    stuck="x.grad is None",
)
def _(bg):
    bg.nn.Linear.forward = lambda self, x: x.data @ self.weight.data + (0.0 if self.bias is None else self.bias.data)


@wrong(
    layers,
    "a bias made in forward",
    "The layer was made without a bias, and has one afterwards. forward should change nothing in the layer: without "
    "a bias, the product is the answer.",
)
def _(bg):
    right = bg.nn.Linear.forward

    def forward(self, x):
        if self.bias is None:
            self.bias = bg.nn.Parameter(np.zeros(self.weight.shape[1]))
        return right(self, x)

    bg.nn.Linear.forward = forward


@wrong(
    layers,
    "a new Tensor of .data",
    "A Tensor comes out, but it does not know what it was made from, and no gradient gets past a .data. None is "
    "needed.",
    stuck="x.grad is None",
)
def _(bg):
    bg.nn.Linear.forward = lambda self, x: bg.Tensor(
        x.data @ self.weight.data + (0.0 if self.bias is None else self.bias.data)
    )


@wrong(
    layers,
    "asked whether the bias is true",
    "`if self.bias` asks whether its number is other than 0, and it holds several numbers. What you want to know is "
    "whether there is a bias at all: is it None?",
)
def _(bg):
    bg.nn.Linear.forward = lambda self, x: x @ self.weight + self.bias if self.bias else x @ self.weight


@wrong(
    layers,
    "the bias taken off",
    "The sign of the bias is wrong: it was subtracted.",
)
def _(bg):
    bg.nn.Linear.forward = lambda self, x: x @ self.weight - (0.0 if self.bias is None else self.bias)


@wrong(
    layers,
    "an activation in Linear",
    "A Linear has no activation, but here its answers are cut off below 0. ReLU is a module of its own.",
)
def _(bg):
    bg.nn.Linear.forward = lambda self, x: (x @ self.weight + (0.0 if self.bias is None else self.bias)).relu()


# 11.3: MLP.


def patch_mlp(bg, mlp_layers):
    bg.nn.mlp_layers = mlp_layers


@wrong(
    mlp,
    "an activation at the end",
    "The last layer has an activation behind it, too. Its answers are scores, and a score may be any number: after "
    "a tanh none could leave -1 to 1, after a relu none could be negative.",
)
def _(bg):
    def mlp_layers(dims, activation, rng):
        return [layer for a, b in pairwise(dims) for layer in (bg.nn.Linear(a, b, rng=rng), activation())]

    patch_mlp(bg, mlp_layers)


@wrong(
    mlp,
    "no activations",
    "There is nothing between the linear layers. Two linear layers in a row can do no more than one: an activation "
    "belongs between them.",
)
def _(bg):
    patch_mlp(bg, lambda dims, activation, rng: [bg.nn.Linear(a, b, rng=rng) for a, b in pairwise(dims)])


@wrong(
    mlp,
    "an activation at the beginning",
    "The first thing in the net is an activation, and it would squash the data themselves. Linear comes first.",
)
def _(bg):
    def mlp_layers(dims, activation, rng):
        return [layer for a, b in pairwise(dims) for layer in (activation(), bg.nn.Linear(a, b, rng=rng))]

    patch_mlp(bg, mlp_layers)


@wrong(
    mlp,
    "one activation for all places",
    "The same object is in every place. ReLU would not mind, but a module that keeps something would: make a new "
    "one for each place, with activation().",
)
def _(bg):
    def mlp_layers(dims, activation, rng):
        act, made = activation(), []
        for a, b in pairwise(dims):
            made += [bg.nn.Linear(a, b, rng=rng), act]
        return made[:-1]

    patch_mlp(bg, mlp_layers)


def alternating(bg, linear, between):
    """mlp_layers made of linear(a, b, rng) and of between(activation), as it should be."""

    def mlp_layers(dims, activation, rng):
        made = []
        for a, b in pairwise(dims):
            made += [linear(a, b, rng), between(activation)]
        return made[:-1]

    patch_mlp(bg, mlp_layers)


@wrong(
    mlp,
    "the class instead of an object",
    "There is a class in the list where an object is wanted. activation is a class: activation() makes an object.",
)
def _(bg):
    alternating(bg, lambda a, b, rng: bg.nn.Linear(a, b, rng=rng), lambda activation: activation)


@wrong(
    mlp,
    "always ReLU",
    "The argument activation is not used: whatever the caller wants, there is a ReLU. activation is a class: call "
    "it, and you have a layer.",
)
def _(bg):
    alternating(bg, lambda a, b, rng: bg.nn.Linear(a, b, rng=rng), lambda activation: bg.nn.ReLU())


@wrong(
    mlp,
    "rng not handed on",
    "Nothing was drawn from rng. Without it a Linear makes a generator of its own (or you made one here), and then "
    "one seed does not settle all the weights. Pass it by name, rng=rng: the third argument of Linear is bias.",
)
def _(bg):
    alternating(bg, lambda a, b, rng: bg.nn.Linear(a, b, rng=type(rng)()), lambda activation: activation())


@wrong(
    mlp,
    "sizes the other way round",
    "Linear(in, out): the number of inputs comes first. The first layer takes dims[0] numbers.",
)
def _(bg):
    alternating(bg, lambda a, b, rng: bg.nn.Linear(b, a, rng=rng), lambda activation: activation())


@wrong(
    mlp,
    "no bias",
    "These linear layers have no bias. Without one, every layer answers 0 to an input of 0.",
)
def _(bg):
    alternating(bg, lambda a, b, rng: bg.nn.Linear(a, b, bias=False, rng=rng), lambda activation: activation())


@wrong(
    mlp,
    "the last layer missing",
    "There is one linear layer too few. n sizes make n - 1 pairs of neighbours, and each pair is a layer.",
)
def _(bg):
    def mlp_layers(dims, activation, rng):
        made = []
        for a, b in pairwise(dims[:-1]):
            made += [bg.nn.Linear(a, b, rng=rng), activation()]
        return made

    patch_mlp(bg, mlp_layers)


@wrong(
    mlp,
    "one layer too many",
    "A size was asked for that dims does not have. dims may hold any number of sizes, and its last one has no "
    "neighbour on its right. How many pairs of neighbours are there?",
)
def _(bg):
    def mlp_layers(dims, activation, rng):
        return [bg.nn.Linear(dims[i], dims[i + 1], rng=rng) for i in range(len(dims))]

    patch_mlp(bg, mlp_layers)


@wrong(
    mlp,
    "drawn from the last to the first",
    "The layers are right, but their weights were drawn in a different order: make the linear layers from first to "
    "last.",
)
def _(bg):
    def mlp_layers(dims, activation, rng):
        made = [bg.nn.Linear(a, b, rng=rng) for a, b in reversed(list(pairwise(dims)))]
        return [each for linear in reversed(made) for each in (linear, activation())][:-1]

    patch_mlp(bg, mlp_layers)


@wrong(
    mlp,
    "dims eaten up",
    "Afterwards dims has lost its sizes: pop takes them out of the caller's own list. Loop over the places instead.",
)
def _(bg):
    def mlp_layers(dims, activation, rng):
        made, a = [], dims.pop(0)
        while dims:
            b = dims.pop(0)
            made += [bg.nn.Linear(a, b, rng=rng), activation()]
            a = b
        return made[:-1]

    patch_mlp(bg, mlp_layers)


@wrong(
    mlp,
    "a Sequential",
    "A Sequential came back, but the list of its layers is wanted: MLP is a Sequential itself, and puts them in.",
)
def _(bg):
    def mlp_layers(dims, activation, rng):
        made = []
        for a, b in pairwise(dims):
            made += [bg.nn.Linear(a, b, rng=rng), activation()]
        return bg.nn.Sequential(*made[:-1])

    patch_mlp(bg, mlp_layers)


@wrong(
    mlp,
    "pairs in the list",
    "The list holds lists. All layers belong in one flat list, one after the other: += [a, b] adds two things, "
    "append([a, b]) adds one list.",
)
def _(bg):
    def mlp_layers(dims, activation, rng):
        made = [bg.nn.Linear(dims[0], dims[1], rng=rng)]
        for a, b in pairwise(dims[1:]):
            made.append([activation(), bg.nn.Linear(a, b, rng=rng)])
        return made

    patch_mlp(bg, mlp_layers)


# 11.4: mse_loss.


def patch_mse(bg, loss):
    """mse_loss is loss(predictions, targets), for targets of the same shape."""
    bg.losses.mse_loss = lambda predictions, targets: loss(predictions, bg.losses.same_shape(predictions, targets))


@wrong(
    distances,
    "the sum of the squares",
    "The squares were added up, but not divided by their number. With twice as many samples the loss would be twice "
    "as large, and so would each step of the training. Take the mean.",
)
def _(bg):
    patch_mse(bg, lambda p, t: ((p - t) ** 2).sum())


@wrong(
    distances,
    "half of it",
    "Some books put ½ in front, so that the derivative has no 2. This loss has no ½.",
)
def _(bg):
    patch_mse(bg, lambda p, t: ((p - t) ** 2).mean() / 2)


@wrong(
    distances,
    "the mean over the rows only",
    "The sum was divided by the number of rows. The mean is over all numbers, including those within a row.",
)
def _(bg):
    patch_mse(bg, lambda p, t: ((p - t) ** 2).sum() / len(t))


@wrong(
    distances,
    "the root of it",
    "This is the square root of the mean. The loss is the mean itself.",
)
def _(bg):
    patch_mse(bg, lambda p, t: ((p - t) ** 2).mean().sqrt())


@wrong(
    distances,
    "the distance without the square",
    "This is the mean of the errors without their signs (the mean absolute error). Square them instead.",
)
def _(bg):
    patch_mse(bg, lambda p, t: (p - t).abs().mean())


@wrong(
    distances,
    "the errors with their signs",
    "Errors of +3 and -3 make a loss of 0 here. Square each error first.",
)
def _(bg):
    patch_mse(bg, lambda p, t: (p - t).mean())


@wrong(
    distances,
    "the square of the mean",
    "The mean was taken first, then the square, so errors of +3 and -3 cost nothing together. Square first.",
)
def _(bg):
    patch_mse(bg, lambda p, t: (p - t).mean() ** 2)


@wrong(
    distances,
    "one loss for each sample",
    "There is one number for each sample. A loss is a single number, so that backward() has one place to start: "
    "take the mean.",
)
def _(bg):
    patch_mse(bg, lambda p, t: (p - t) ** 2)


@wrong(
    distances,
    "NumPy in the loss",
    "The number is right, but no gradient can reach the predictions: none gets past .data, or a function of NumPy. A "
    "loss is made of operations on Tensors.",
    stuck="x.grad is None",
)
def _(bg):
    patch_mse(bg, lambda p, t: bg.Tensor(((p.data - t) ** 2).mean()))


@wrong(
    distances,
    "a plain number",
    "A plain number came back, and it has no backward(). .data leads out of the graph: compute with predictions "
    "itself.",
    stuck="x.grad is None",
)
def _(bg):
    patch_mse(bg, lambda p, t: ((p.data - t) ** 2).mean())


@wrong(
    distances,
    "np.mean",
    "np.mean is for arrays. A Tensor has a method of its own for that, which the graph records.",
)
def _(bg):
    patch_mse(bg, lambda p, t: np.mean((p - t) ** 2))


@wrong(
    distances,
    "no look at the shapes",
    "Shapes (4, 1) and (4,) were broadcast, so that each prediction met each target (16 errors instead of 4), or "
    "were silently reshaped. same_shape is there to stop that: call it first.",
)
def _(bg):
    bg.losses.mse_loss = lambda p, t: ((p - bg.Tensor(t, dtype=p.dtype, requires_grad=False)) ** 2).mean()


@wrong(
    distances,
    "shapes compared by hand",
    "np.asarray and np.shape are for arrays and lists. The targets may be a Tensor, too: same_shape takes all "
    "three, and returns an array.",
)
def _(bg):
    def mse_loss(predictions, targets):
        targets = np.asarray(targets, predictions.dtype)
        if targets.shape != predictions.shape:
            raise ValueError(f"{predictions.shape} and {targets.shape}")
        return ((predictions - targets) ** 2).mean()

    bg.losses.mse_loss = mse_loss


@wrong(
    distances,
    "targets in float64",
    "float32 predictions gave a float64 loss: the targets were turned into float64 numbers. same_shape returns them "
    "in the dtype of the predictions.",
)
def _(bg):
    patch_mse(bg, lambda p, t: ((p - t.astype(float)) ** 2).mean())


# 11.5: nll_loss and cross_entropy.


def composed(bg):
    """cross_entropy as two steps, so that a wrong nll_loss is a wrong cross_entropy too."""
    bg.losses.cross_entropy = lambda scores, targets: bg.losses.nll_loss(scores.log_softmax(), targets)


def patch_nll(bg, loss):
    """nll_loss is loss(log probabilities, targets), for targets that fit; cross_entropy is built on it."""
    bg.losses.nll_loss = lambda p, targets: loss(p, bg.losses.class_numbers(p, targets))
    composed(bg)


def picked(p, targets):
    return p[np.arange(len(targets)), targets]


@wrong(
    entropy,
    "every row with every target",
    "[:, targets] takes the targets of all rows from every row: N x N numbers instead of N. You want one place in "
    "each row: what do you get when you index with two arrays of equal length?",
)
def _(bg):
    patch_nll(bg, lambda p, t: -p[:, t].mean())


@wrong(
    entropy,
    "the sum over the rows",
    "The rows were added up. With the sum, a batch twice as large makes steps twice as large: take the mean.",
)
def _(bg):
    patch_nll(bg, lambda p, t: -picked(p, t).sum())


@wrong(
    entropy,
    "the mean over all classes",
    "The sum was divided by rows times classes. One number was picked from each row, so divide by the number of rows.",
)
def _(bg):
    patch_nll(bg, lambda p, t: -picked(p, t).sum() / p.size)


@wrong(
    entropy,
    "divided by the number of classes",
    "The sum was divided by the number of classes. One number was picked from each row, so divide by the number of "
    "rows.",
)
def _(bg):
    patch_nll(bg, lambda p, t: -picked(p, t).sum() / p.shape[1])


@wrong(
    entropy,
    "the minus sign forgotten",
    "The loss is below 0, and training would make the right class less and less likely. The logarithm of a "
    "probability is never positive, and a cost is never negative: what is missing?",
)
def _(bg):
    patch_nll(bg, lambda p, t: picked(p, t).mean())


@wrong(
    entropy,
    "the logarithm once more",
    "nll_loss is given logarithms already. One more logarithm is one too many, and a negative number has none.",
)
def _(bg):
    patch_nll(bg, lambda p, t: -picked(p, t).log().mean())


@wrong(
    entropy,
    "the probability without its logarithm",
    "This is minus the probability itself. A probability of 0.01 should cost far more than one of 0.1: the cost is "
    "minus the logarithm, and the logarithm is what nll_loss was given.",
)
def _(bg):
    bg.losses.nll_loss = lambda p, targets: -picked(p, bg.losses.class_numbers(p, targets)).exp().mean()


@wrong(
    entropy,
    "the likeliest class instead of the target",
    "The highest number of each row was taken, whatever the target is. The loss has to know which class is right.",
)
def _(bg):
    patch_nll(bg, lambda p, t: -p.max(1).mean())


@wrong(
    entropy,
    "classes counted from 1",
    "In each row the number one place to the left of the right class was taken (for class 0 that is the last one). "
    "Targets count from 0: each is a place as it is.",
)
def _(bg):
    patch_nll(bg, lambda p, t: -picked(p, t - 1).mean())


@wrong(
    entropy,
    "rows and targets changed places",
    "An index is written [row, column]. Which of your two arrays holds the rows?",
)
def _(bg):
    patch_nll(bg, lambda p, t: -p[t, np.arange(len(t))].mean())


@wrong(
    entropy,
    "whole rows",
    "[targets] alone picks whole rows: those whose numbers are the targets. Name both, the row and the column.",
)
def _(bg):
    patch_nll(bg, lambda p, t: -p[t].mean())


@wrong(
    entropy,
    "one loss for each row",
    "There is one number for each row. A loss is a single number: take the mean.",
)
def _(bg):
    patch_nll(bg, lambda p, t: -picked(p, t))


@wrong(
    entropy,
    "no look at the targets",
    "Targets that do not fit went straight into the index. For a class that is too high NumPy stops with an error "
    "of its own, and -1 silently means the last class. Call class_numbers first: it returns the targets as an "
    "array, or says what is wrong with them.",
)
def _(bg):
    bg.losses.nll_loss = lambda p, t: -picked(p, np.asarray(t)).mean()
    composed(bg)


@wrong(
    entropy,
    "floats cut down to ints",
    "Targets such as 0.7 were taken for class 0. Floats among the targets are a mistake of the caller's, most often "
    "scores passed in their place: class_numbers refuses them, so give it the targets as they came.",
)
def _(bg):
    bg.losses.nll_loss = lambda p, t: -picked(p, bg.losses.class_numbers(p, np.asarray(t).astype(int))).mean()


@wrong(
    entropy,
    "times a one-hot",
    "Each row was multiplied by its one-hot. The logarithm of an impossible class is -inf, and 0 times -inf is nan. "
    "Picking the one number by its place touches no other.",
    stuck="The loss is nan or explodes",
)
def _(bg):
    def by_one_hot(p, targets):
        targets = bg.losses.class_numbers(p, targets)
        return -(p * np.eye(p.shape[1])[targets]).sum() / len(targets)

    bg.losses.nll_loss = by_one_hot


@wrong(
    entropy,
    "NumPy in nll_loss",
    "The numbers are right, but no gradient can get through: none gets past .data. Index the Tensor itself, as 10.8 "
    "allows.",
    stuck="x.grad is None",
)
def _(bg):
    patch_nll(bg, lambda p, t: bg.Tensor(-picked(p.data, t).mean()))


@wrong(
    entropy,
    "a plain number from nll_loss",
    "A plain number came back, and it has no backward(). Index the Tensor itself, not its .data.",
    stuck="x.grad is None",
)
def _(bg):
    patch_nll(bg, lambda p, t: -picked(p.data, t).mean())


@wrong(
    entropy,
    "softmax twice",
    "The scores went through softmax before log_softmax took them, so it was applied twice. Such a loss still "
    "falls, and the net still learns, but slowly, and the loss cannot get near 0. Pass on the scores as they are.",
)
def _(bg):
    bg.losses.cross_entropy = lambda scores, t: bg.losses.nll_loss(bg.ops.softmax(scores).log_softmax(), t)


@wrong(
    entropy,
    "softmax without the logarithm",
    "nll_loss was given probabilities, but it wants their logarithms. Which function gives those?",
)
def _(bg):
    bg.losses.cross_entropy = lambda scores, t: bg.losses.nll_loss(bg.ops.softmax(scores), t)


@wrong(
    entropy,
    "log of softmax",
    "softmax rounds a tiny probability to 0, and the logarithm of that is -inf. log_softmax does both in one step, "
    "and never meets the 0.",
    stuck="The loss is nan or explodes",
)
def _(bg):
    bg.losses.cross_entropy = lambda scores, t: bg.losses.nll_loss(bg.ops.softmax(scores).log(), t)


@wrong(
    entropy,
    "a little added inside the logarithm",
    "The small number that you add keeps the logarithm finite, but wrong: a target of probability 0 should cost as "
    "much as its score says, and here it costs the same however far off it is. log_softmax needs no such help.",
)
def _(bg):
    def cross_entropy(scores, targets):
        return bg.losses.nll_loss((bg.ops.softmax(scores) + 1e-12).log(), targets)

    bg.losses.cross_entropy = cross_entropy


@wrong(
    entropy,
    "along the wrong axis",
    "The probabilities add up to 1 down the columns. The classes of one sample are in a row: the last axis, -1.",
)
def _(bg):
    bg.losses.cross_entropy = lambda scores, t: bg.losses.nll_loss(scores.log_softmax(0), t)


@wrong(
    entropy,
    "scores taken for logarithms",
    "The scores went to nll_loss as they are, but they are not logarithms of probabilities yet. log_softmax turns "
    "them into that.",
)
def _(bg):
    bg.losses.cross_entropy = lambda scores, t: bg.losses.nll_loss(scores, t)


@wrong(
    entropy,
    "exp without the shift",
    "e to the power of 1000 is too large for a float, and the result is inf over inf. log_softmax subtracts the "
    "largest score of the row first.",
    stuck="The loss is nan or explodes",
)
def _(bg):
    def cross_entropy(scores, targets):
        log_p = scores - scores.exp().sum(1, keepdims=True).log()
        return bg.losses.nll_loss(log_p, targets)

    bg.losses.cross_entropy = cross_entropy


# 11.6: binary cross-entropy.


def patch_binary(bg, loss):
    """The loss of scores and targets of the same shape."""
    bg.losses.binary_cross_entropy_with_logits = lambda s, t: loss(s, bg.losses.same_shape(s, t))


@wrong(
    binary,
    "the logarithm of sigmoid",
    "For a score of 1000 the sigmoid is 1, to the last digit, and the logarithm of 1 - 1 is -inf. Do not compute p "
    "at all: softplus goes from the score to the logarithm in one step.",
    stuck="The loss is nan or explodes",
)
def _(bg):
    patch_binary(bg, lambda s, t: -(t * s.sigmoid().log() + (1 - t) * (1 - s.sigmoid()).log()).mean())


@wrong(
    binary,
    "softplus written out",
    "The formula is right, but e to the power of 1000 is too large for a float: it becomes inf. This very logarithm "
    "is softplus, and ops.softplus stays finite.",
    stuck="The loss is nan or explodes",
)
def _(bg):
    patch_binary(bg, lambda s, t: ((1 + s.exp()).log() - s * t).mean())


@wrong(
    binary,
    "a little added inside the logarithms",
    "The small number keeps the logarithm finite, but wrong: a score of 1000 for the wrong class should cost 1000. "
    "softplus needs no such help.",
)
def _(bg):
    def loss(s, t):
        p = s.sigmoid()
        return -(t * (p + 1e-12).log() + (1 - t) * (1 - p + 1e-12).log()).mean()

    patch_binary(bg, loss)


@wrong(
    binary,
    "0 and 1 changed places",
    "This is the cost of the other class: a high score is expensive here when the target is 1. A high score means "
    "that 1 is likely.",
)
def _(bg):
    patch_binary(bg, lambda s, t: (bg.ops.softplus(s) - s * (1 - t)).mean())


@wrong(
    binary,
    "the sign of the score",
    "The second part has the wrong sign: the higher the score, the more it costs, even when the target is 1. "
    "Multiply out once more: which sign does t * s get?",
)
def _(bg):
    patch_binary(bg, lambda s, t: (bg.ops.softplus(s) + s * t).mean())


@wrong(
    binary,
    "softplus of the other side",
    "softplus(-s) has the score in it already: it is softplus(s) - s. So what stands beside it is not what stands "
    "beside softplus(s). Write both formulas down for t = 1, then for t = 0.",
)
def _(bg):
    patch_binary(bg, lambda s, t: (bg.ops.softplus(-s) - s * t).mean())


@wrong(
    binary,
    "softplus for target 0 only",
    "softplus(s) was multiplied by 1 - target. Multiply out: target * softplus(s) comes from the first part, and "
    "once more from the second, with the opposite sign. How much softplus is left?",
)
def _(bg):
    patch_binary(bg, lambda s, t: (bg.ops.softplus(s) * (1 - t) - s * t).mean())


@wrong(
    binary,
    "the targets in float64",
    "float32 scores gave a float64 loss: the targets were turned into float64 numbers. same_shape returns them in "
    "the dtype of the scores.",
)
def _(bg):
    patch_binary(bg, lambda s, t: (bg.ops.softplus(s) - s * t.astype(float)).mean())


@wrong(
    binary,
    "relu and abs at the score 0",
    "relu(s) - s * target + softplus(-|s|) is the right number everywhere, but its derivative is wrong where the "
    "score is exactly 0: relu and abs have a kink there, and the engine takes both derivatives as 0. What is left "
    "after multiplying out has no kink.",
)
def _(bg):
    patch_binary(bg, lambda s, t: (s.relu() - s * t + bg.ops.softplus(-s.abs())).mean())


@wrong(
    binary,
    "only the samples with target 1",
    "The part for target 0 is missing: where 0 is right, a high score costs nothing here.",
)
def _(bg):
    patch_binary(bg, lambda s, t: (t * (bg.ops.softplus(s) - s)).mean())


@wrong(
    binary,
    "the targets forgotten",
    "softplus alone is the cost for target 0. What a sample costs depends on its target.",
)
def _(bg):
    patch_binary(bg, lambda s, t: bg.ops.softplus(s).mean())


@wrong(
    binary,
    "the score not multiplied by the target",
    "The score was subtracted for every sample: that is the cost for target 1. How much of it should be subtracted "
    "for target 0?",
)
def _(bg):
    patch_binary(bg, lambda s, t: (bg.ops.softplus(s) - s).mean())


@wrong(
    binary,
    "the target without the score",
    "The target itself was subtracted. Multiply out once more: what is it multiplied by?",
)
def _(bg):
    patch_binary(bg, lambda s, t: (bg.ops.softplus(s) - t).mean())


@wrong(
    binary,
    "log(1 - p) without its minus",
    "The logarithm of 1 - p was taken to be softplus(s), without a minus. The logarithm of a probability is never "
    "above 0.",
)
def _(bg):
    patch_binary(bg, lambda s, t: -(t * (s - bg.ops.softplus(s)) + (1 - t) * bg.ops.softplus(s)).mean())


@wrong(
    binary,
    "one loss for each score",
    "There is one number for each score. A loss is a single number: .mean() makes one, and a division by their "
    "number does not.",
)
def _(bg):
    patch_binary(bg, lambda s, t: bg.ops.softplus(s) - s * t)


@wrong(
    binary,
    "sigmoid first",
    "The scores went through sigmoid before softplus, and softplus has a sigmoid in it already. Use the scores as "
    "they are.",
)
def _(bg):
    patch_binary(bg, lambda s, t: (bg.ops.softplus(s.sigmoid()) - s.sigmoid() * t).mean())


@wrong(
    binary,
    "scores turned in place",
    "softplus(-score) for target 1 and softplus(score) for target 0 is right. But the signs were changed in the "
    "array of the scores itself: the caller's scores are no longer the same, and their gradients have the wrong "
    "sign.",
)
def _(bg):
    def loss(s, t):
        s.data[t == 1] *= -1
        return bg.ops.softplus(s).mean()

    patch_binary(bg, loss)


@wrong(
    binary,
    "relu for softplus",
    "relu looks like softplus from far away, but at 0 it costs 0 where log 2 is right: a sample in doubt should "
    "cost something.",
)
def _(bg):
    patch_binary(bg, lambda s, t: (s.relu() - s * t).mean())


@wrong(
    binary,
    "the sum of all",
    "The costs were added up. Take the mean.",
)
def _(bg):
    patch_binary(bg, lambda s, t: (bg.ops.softplus(s) - s * t).sum())


@wrong(
    binary,
    "the minus in front",
    "The loss is below 0. The minus of the formula was used up already when you put the logarithms in.",
)
def _(bg):
    patch_binary(bg, lambda s, t: -(bg.ops.softplus(s) - s * t).mean())


@wrong(
    binary,
    "no comparison of the shapes",
    "Shapes (4, 1) and (4,) were broadcast: each score met each target. Call same_shape first.",
)
def _(bg):
    bg.losses.binary_cross_entropy_with_logits = lambda s, t: (bg.ops.softplus(s) - s * np.asarray(t, s.dtype)).mean()


@wrong(
    binary,
    "softplus with NumPy",
    "The numbers are right, but no gradient can get through: np.logaddexp and np.log give plain arrays, which are "
    "not in the graph. Use ops.softplus.",
    stuck="x.grad is None",
)
def _(bg):
    patch_binary(bg, lambda s, t: bg.Tensor((np.logaddexp(0, s.data) - s.data * t).mean()))


# 11.7: accuracy.


def patch_accuracy(bg, measure):
    """accuracy is measure(scores, targets), for arrays."""

    def accuracy(scores, targets):
        return measure(np.asarray(getattr(scores, "data", scores)), np.asarray(targets))

    bg.training.accuracy = accuracy


@wrong(
    share,
    "argmax down the columns",
    "axis=0 looks down the columns: it finds, for each class, the row that likes it best. You want the best class "
    "of each row: which axis is that?",
)
def _(bg):
    patch_accuracy(bg, lambda s, t: float((s.argmax(axis=0)[: len(t)] == t[: s.shape[1]]).mean()))


@wrong(
    share,
    "argmax down the columns, not cut",
    "axis=0 looks down the columns: it finds, for each class, the row that likes it best. You want the best class "
    "of each row: which axis is that?",
)
def _(bg):
    patch_accuracy(bg, lambda s, t: float(np.mean(s.argmax(axis=0) == t)))


@wrong(
    share,
    "argmax of all numbers",
    "argmax() without an axis gives one place for the whole array. You want one place for each row: along which axis?",
)
def _(bg):
    patch_accuracy(bg, lambda s, t: float((s.argmax() == t).mean()))


@wrong(
    share,
    "max instead of argmax",
    "max gives the highest score, argmax the place where it is. A target is a place.",
)
def _(bg):
    patch_accuracy(bg, lambda s, t: float((s.max(axis=1) == t).mean()))


@wrong(
    share,
    "a number of rows",
    "This is how many rows are right. What share of all rows is it?",
)
def _(bg):
    patch_accuracy(bg, lambda s, t: float((s.argmax(axis=1) == t).sum()))


@wrong(
    share,
    "percent",
    "The share goes from 0 to 1: do not multiply by 100.",
)
def _(bg):
    patch_accuracy(bg, lambda s, t: float(100 * (s.argmax(axis=1) == t).mean()))


@wrong(
    share,
    "the share of wrong rows",
    "This is the share of rows that are wrong. Count with ==.",
)
def _(bg):
    patch_accuracy(bg, lambda s, t: float((s.argmax(axis=1) != t).mean()))


@wrong(
    share,
    "the lowest score",
    "The lowest score was taken for the answer: argmin. It is the highest that counts.",
)
def _(bg):
    patch_accuracy(bg, lambda s, t: float((s.argmin(axis=1) == t).mean()))


@wrong(
    share,
    "all or nothing",
    "This asks whether all rows are right (or // was written for /). The share of those that are is the mean of the "
    "truth values.",
)
def _(bg):
    patch_accuracy(bg, lambda s, t: float((s.argmax(axis=1) == t).all()))


@wrong(
    share,
    "divided by all numbers",
    "The number of right rows was divided by rows times classes. Each row is right or wrong once, so divide by the "
    "number of rows.",
)
def _(bg):
    patch_accuracy(bg, lambda s, t: float((s.argmax(axis=1) == t).sum() / s.size))


@wrong(
    share,
    "the last of a tie",
    "Where several scores tie, the last of them was taken. The first one is the answer, as with argmax.",
)
def _(bg):
    patch_accuracy(bg, lambda s, t: float((s.shape[1] - 1 - s[:, ::-1].argmax(axis=1) == t).mean()))


@wrong(
    share,
    "a tie counts as right",
    "All scores are equal, and every row counts as right: the net says nothing, and gets full marks. Where several "
    "tie, the first of them is the answer, as with argmax.",
)
def _(bg):
    patch_accuracy(bg, lambda s, t: float((s[np.arange(len(t)), t] == s.max(axis=1)).mean()))


@wrong(
    share,
    "one truth value for each row",
    "These are the truth values, one for each row. Their mean is the share of True.",
)
def _(bg):
    patch_accuracy(bg, lambda s, t: s.argmax(axis=1) == t)


@wrong(
    share,
    "scores changed in place",
    "The answer is right, but the scores were changed: -= writes into the caller's array. scores - ... makes a new "
    "one; argmax needs neither.",
)
def _(bg):
    def measure(s, t):
        s -= s.max(axis=1, keepdims=True)
        return float((s.argmax(axis=1) == t).mean())

    patch_accuracy(bg, measure)


@wrong(
    share,
    "a score above 0",
    "Here a row counts as right when its target has a score above 0. Scores may all be negative, or all positive: "
    "it is the highest that counts.",
)
def _(bg):
    patch_accuracy(bg, lambda s, t: float((s[np.arange(len(t)), t] > 0).mean()))


@wrong(
    share,
    "the score farthest from 0",
    "The score that is farthest from 0 was taken for the answer, and it may be below 0. It is the highest that counts.",
)
def _(bg):
    patch_accuracy(bg, lambda s, t: float((np.abs(s).argmax(axis=1) == t).mean()))


# 11.8: train_epoch.


def answers_of(bg, model, x):
    return model(bg.Tensor(x, requires_grad=False))


def patch_epoch(bg, one_batch, returned=lambda total, samples, losses: total / samples, before=lambda optimizer: None):
    """train_epoch: one_batch(model, loss_fn, optimizer, x, y) gives the loss of a batch.

    returned: what is made of the sum over the samples, their number, and the list of the losses.
    """

    def train_epoch(model, loss_fn, optimizer, loader):
        total, samples, losses = 0.0, 0, []
        before(optimizer)
        for x, y in loader:
            loss = one_batch(model, loss_fn, optimizer, x, y)
            total += loss * len(x)
            samples += len(x)
            losses.append((loss, len(x)))
        return returned(total, samples, losses)

    bg.training.train_epoch = train_epoch


def right_batch(bg):
    def one_batch(model, loss_fn, optimizer, x, y):
        loss = loss_fn(answers_of(bg, model, x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        return loss.item()

    return one_batch


def in_order(bg, *names):
    """A batch that does these things in this order: zero_grad, backward, step."""

    def one_batch(model, loss_fn, optimizer, x, y):
        loss = loss_fn(answers_of(bg, model, x), y)
        for name in names:
            getattr(loss if name == "backward" else optimizer, name)()
        return loss.item()

    return one_batch


@wrong(
    epoch,
    "one step after the loop",
    "optimizer.step() was called once: one step for the whole epoch, by the gradient of the last batch. Each batch "
    "has a step of its own, inside the loop.",
)
def _(bg):
    def train_epoch(model, loss_fn, optimizer, loader):
        total, samples = 0.0, 0
        for x, y in loader:
            loss = loss_fn(model(bg.Tensor(x, requires_grad=False)), y)
            optimizer.zero_grad()
            loss.backward()
            total, samples = total + loss.item() * len(x), samples + len(x)
        optimizer.step()
        return total / samples

    bg.training.train_epoch = train_epoch


@wrong(
    epoch,
    "a loss that grows with the batch",
    "The loss was multiplied by len(x) before backward, so the steps grow with the batch. Call backward on the loss "
    "as it is, and multiply only the number that you add up.",
)
def _(bg):
    def train_epoch(model, loss_fn, optimizer, loader):
        total, samples = 0.0, 0
        for x, y in loader:
            loss = loss_fn(model(bg.Tensor(x, requires_grad=False)), y) * len(x)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            total, samples = total + loss.item(), samples + len(x)
        return total / samples

    bg.training.train_epoch = train_epoch


@wrong(
    epoch,
    "no zero_grad",
    "Gradients accumulate in .grad, so each step also goes by those of all batches before it. Which of the three "
    "calls is missing?",
    stuck="Gradients grow with each step",
)
def _(bg):
    patch_epoch(bg, in_order(bg, "backward", "step"))


@wrong(
    epoch,
    "zero_grad only at the beginning",
    "The gradients are forgotten once, before the first batch. From the second batch on, each step goes by all "
    "batches so far. Does zero_grad stand outside the loop?",
    stuck="Gradients grow with each step",
)
def _(bg):
    patch_epoch(bg, in_order(bg, "backward", "step"), before=lambda optimizer: optimizer.zero_grad())


@wrong(
    epoch,
    "zero_grad between backward and step",
    "The gradients are forgotten before the step can use them: it sees none. Which of the three calls finds the "
    "gradients, which one uses them, and which one destroys them?",
    stuck="The loss stays where it began",
)
def _(bg):
    patch_epoch(bg, in_order(bg, "backward", "zero_grad", "step"))


@wrong(
    epoch,
    "zero_grad after the step",
    "Within one epoch this is right. But the first batch adds its gradients to whatever was there before, left over "
    "from somebody else. Forget right before the backward pass, and nothing can be left over.",
)
def _(bg):
    patch_epoch(bg, in_order(bg, "backward", "step", "zero_grad"))


@wrong(
    epoch,
    "step before backward",
    "The step is taken before the backward pass, so it sees no gradients. Which call finds them, and which one uses "
    "them?",
)
def _(bg):
    patch_epoch(bg, in_order(bg, "zero_grad", "step", "backward"))


@wrong(
    epoch,
    "the gradients of the batch before",
    "The step comes first, and goes by the gradients of the batch before. Walk back first, then step.",
)
def _(bg):
    patch_epoch(bg, in_order(bg, "step", "zero_grad", "backward"))


@wrong(
    epoch,
    "no step",
    "The parameters did not change: the optimizer took no step. What has to happen once the gradients are there?",
    stuck="The loss stays where it began",
)
def _(bg):
    patch_epoch(bg, in_order(bg, "zero_grad", "backward"))


@wrong(
    epoch,
    "no walk back",
    "There are no gradients for the step to go by: nobody called loss.backward().",
    stuck="The loss stays where it began",
)
def _(bg):
    patch_epoch(bg, in_order(bg, "zero_grad", "step"))


@wrong(
    epoch,
    "backward twice",
    "loss.backward() was called twice for a batch, and leaves accumulate: each step goes by twice the gradient. "
    "Once is enough.",
    stuck="Right loss, wrong size of the gradient",
)
def _(bg):
    patch_epoch(bg, in_order(bg, "zero_grad", "backward", "backward", "step"))


@wrong(
    epoch,
    "a second pass to count",
    "The training is right, but then the loader was gone through once more to count the samples. A loader may give "
    "its batches only once, and one that shuffles would go on to its next epoch. Count in the loop.",
)
def _(bg):
    def train_epoch(model, loss_fn, optimizer, loader):
        total = sum(right_batch(bg)(model, loss_fn, optimizer, x, y) * len(x) for x, y in loader)
        return total / sum(len(x) for x, _ in loader)

    bg.training.train_epoch = train_epoch


@wrong(
    epoch,
    "two steps for each batch",
    "The optimizer took two steps for each batch. It should take one.",
)
def _(bg):
    patch_epoch(bg, in_order(bg, "zero_grad", "backward", "step", "step"))


@wrong(
    epoch,
    "the mean of the batches' means",
    "Each batch counts the same, however small it is: the single sample of a small last batch weighs as much as a "
    "whole batch of others. Count each loss once for each of its len(x) samples, and divide by all samples.",
)
def _(bg):
    patch_epoch(bg, right_batch(bg), lambda total, samples, losses: sum(each for each, _ in losses) / len(losses))


@wrong(
    epoch,
    "the sum over the samples",
    "The losses of all samples were added up, but not divided by their number.",
)
def _(bg):
    patch_epoch(bg, right_batch(bg), lambda total, samples, losses: total)


@wrong(
    epoch,
    "the sum over the batches",
    "The losses of the batches were added up. With another batch size this would be another number: return the mean "
    "over the samples.",
)
def _(bg):
    patch_epoch(bg, right_batch(bg), lambda total, samples, losses: sum(each for each, _ in losses))


@wrong(
    epoch,
    "not weighted, but divided by the samples",
    "loss.item() is a mean over its batch already. Divided by the number of samples once more, it is too small: "
    "multiply it by len(x) when you add it up.",
)
def _(bg):
    patch_epoch(bg, right_batch(bg), lambda total, samples, losses: sum(each for each, _ in losses) / samples)


@wrong(
    epoch,
    "weighted, but divided by the batches",
    "You add up the losses of samples, but divide by the number of batches. Divide by the number of samples.",
)
def _(bg):
    patch_epoch(bg, right_batch(bg), lambda total, samples, losses: total / len(losses))


@wrong(
    epoch,
    "the loss of the last batch",
    "This is the loss of the last batch alone. All batches count, each as often as it has samples.",
)
def _(bg):
    patch_epoch(bg, right_batch(bg), lambda total, samples, losses: losses[-1][0])


@wrong(
    epoch,
    "nothing returned by the epoch",
    "The training is right, but nothing was returned. Return the mean loss of a sample.",
)
def _(bg):
    patch_epoch(bg, right_batch(bg), lambda total, samples, losses: None)


@wrong(
    epoch,
    "return inside the loop of batches",
    "The function ended after the first batch. The return belongs after the loop: how far is it indented?",
)
def _(bg):
    def train_epoch(model, loss_fn, optimizer, loader):
        for x, y in loader:
            return right_batch(bg)(model, loss_fn, optimizer, x, y)

    bg.training.train_epoch = train_epoch


@wrong(
    epoch,
    "the last batch dropped",
    "The last batch was left out because it is smaller. Its samples count as much as any others: multiplying by "
    "len(x) takes care of that.",
)
def _(bg):
    def train_epoch(model, loss_fn, optimizer, loader):
        total, samples, full = 0.0, 0, None
        for x, y in loader:
            full = full or len(x)
            if len(x) == full:
                total += right_batch(bg)(model, loss_fn, optimizer, x, y) * len(x)
                samples += len(x)
        return total / samples

    bg.training.train_epoch = train_epoch


@wrong(
    epoch,
    "losses added up as Tensors",
    "The losses were kept as Tensors, in a sum or in a list: each one keeps the graph of its batch alive, until the "
    "memory is full. Keep loss.item(), the plain number.",
)
def _(bg):
    def one_batch(model, loss_fn, optimizer, x, y):
        loss = loss_fn(answers_of(bg, model, x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        return loss

    patch_epoch(bg, one_batch)


@wrong(
    epoch,
    "the last loss kept",
    "The training is right, but a loss was kept somewhere that is still there after the epoch, and with it the graph "
    "of its batch. Keep loss.item(), the plain number.",
)
def _(bg):
    right = bg.training.train_epoch

    def train_epoch(model, loss_fn, optimizer, loader):
        def noted(answers, targets):
            model.last = loss_fn(answers, targets)
            return model.last

        return right(model, noted, optimizer, loader)

    bg.training.train_epoch = train_epoch


@wrong(
    epoch,
    "the answers of all batches kept",
    "The answers of all batches were kept in a list: each one keeps the graph of its batch alive, until the memory "
    "is full. Nobody needs them after the step.",
)
def _(bg):
    kept, right = [], bg.training.train_epoch

    class Keeping:
        def __init__(self, model):
            self.model = model

        def __call__(self, x):
            kept.append(self.model(x))
            return kept[-1]

    bg.training.train_epoch = lambda model, *rest: right(Keeping(model), *rest)


@wrong(
    epoch,
    "the loss after the step",
    "The model was called again after its step, so this is the loss with the new parameters. The one that backward "
    "started from is wanted: you have it already, and calling the model again takes time.",
)
def _(bg):
    def one_batch(model, loss_fn, optimizer, x, y):
        right_batch(bg)(model, loss_fn, optimizer, x, y)
        return loss_fn(answers_of(bg, model, x), y).item()

    patch_epoch(bg, one_batch)


@wrong(
    epoch,
    "data that require a gradient",
    "The data require a gradient here. Nobody needs it, and the backward pass computes it all the same: Tensor(x, "
    "requires_grad=False).",
)
def _(bg):
    def one_batch(model, loss_fn, optimizer, x, y):
        loss = loss_fn(model(bg.Tensor(x)), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        return loss.item()

    patch_epoch(bg, one_batch)


@wrong(
    epoch,
    "a plain array for the model",
    "The model was given a NumPy array. Some layers can handle that, others cannot: give it Tensor(x, "
    "requires_grad=False).",
)
def _(bg):
    def one_batch(model, loss_fn, optimizer, x, y):
        loss = loss_fn(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        return loss.item()

    patch_epoch(bg, one_batch)


@wrong(
    epoch,
    "answers and targets changed places",
    "The loss function takes the model's answers first, then the targets.",
)
def _(bg):
    def one_batch(model, loss_fn, optimizer, x, y):
        return loss_fn(y, answers_of(bg, model, x))

    patch_epoch(bg, one_batch)


@wrong(
    epoch,
    "steps of its own",
    "The parameters were changed here, and the optimizer was never called. How a step is taken is the optimizer's "
    "business: optimizer.step(). In the next notebook it will do more than this.",
)
def _(bg):
    def one_batch(model, loss_fn, optimizer, x, y):
        loss = loss_fn(answers_of(bg, model, x), y)
        model.zero_grad()
        loss.backward()
        for p in model.parameters():
            p.data -= 0.1 * p.grad
        return loss.item()

    patch_epoch(bg, one_batch)


@wrong(
    epoch,
    "targets as a Tensor",
    "The targets were put into a Tensor. That turns class numbers into floats, and cross_entropy refuses those. "
    "Give y to the loss as it is.",
)
def _(bg):
    def one_batch(model, loss_fn, optimizer, x, y):
        loss = loss_fn(answers_of(bg, model, x), bg.Tensor(y, requires_grad=False))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        return loss.item()

    patch_epoch(bg, one_batch)


@wrong(
    epoch,
    "in use while it is trained",
    "model.eval() puts the model into inference mode, but it is being trained: a layer such as Dropout would do "
    "nothing. Leave it out.",
)
def _(bg):
    def one_batch(model, loss_fn, optimizer, x, y):
        model.eval()
        return right_batch(bg)(model, loss_fn, optimizer, x, y)

    patch_epoch(bg, one_batch)


@wrong(
    epoch,
    "nothing recorded",
    "The model was called where nothing is recorded, as under no_grad, and there is no backward pass. That is for "
    "inference; here the model is being trained.",
)
def _(bg):
    def one_batch(model, loss_fn, optimizer, x, y):
        with bg.no_grad():
            loss = loss_fn(answers_of(bg, model, x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        return loss.item()

    patch_epoch(bg, one_batch)


@wrong(
    epoch,
    "one step for all batches",
    "The gradients of all batches were accumulated, and then there was a single step. A step for each batch is the "
    "point of mini-batches.",
)
def _(bg):
    def train_epoch(model, loss_fn, optimizer, loader):
        total, samples = 0.0, 0
        optimizer.zero_grad()
        for x, y in loader:
            loss = loss_fn(answers_of(bg, model, x), y)
            loss.backward()
            total += loss.item() * len(x)
            samples += len(x)
        optimizer.step()
        return total / samples

    bg.training.train_epoch = train_epoch


# 11.9: the hunt.


@wrong(hunt, "one row", "With one row there is nothing to mix up and nothing to weigh: A and D need more rows.")
def _(bg):
    bg.hunts.four_wrong_losses = lambda first: ([[first, first - 1000]], [1])


@wrong(
    hunt,
    "all targets equal",
    "All rows have the same target. Then A takes the right numbers, and D sees only one class. Use two classes.",
)
def _(bg):
    bg.hunts.four_wrong_losses = lambda first: ([[first, first + 50], [0, 0], [-1000, -1000]], [0, 0, 0])


@wrong(
    hunt,
    "small scores",
    "With scores of a few units B and C are right: B fails only where a row lies some 750 below the largest score, "
    "and C where a probability is tiny.",
)
def _(bg):
    bg.hunts.four_wrong_losses = lambda first: ([[first, first + 1, first - 1], [0, 3, 1], [2, 2, 5]], [0, 1, 1])


@wrong(
    hunt,
    "each class once",
    "Each class has one row. Then the mean of the classes is the mean of the rows, and D is right. Let one class have "
    "two rows.",
)
def _(bg):
    bg.hunts.four_wrong_losses = lambda first: ([[first, first - 1000], [-999, -998]], [1, 0])
