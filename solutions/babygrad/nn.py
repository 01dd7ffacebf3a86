"""Notebook 11: parts of a network. A Module keeps Parameters, and modules made of modules.

Yours: 11.1, 11.3.
"""

from contextlib import contextmanager
from functools import reduce
from itertools import pairwise

import numpy as np

from . import init
from .arrays import load, save
from .autograd import no_grad
from .ops import affine
from .tensor import Tensor

__all__ = ["MLP", "Buffer", "Linear", "Module", "Parameter", "ReLU", "Sequential", "Sigmoid", "Tanh", "load", "save"]


class Parameter(Tensor):
    """A Tensor that belongs to a module, and that training may change."""


class Buffer(Tensor):
    """A Tensor that belongs to a module, and that no optimizer changes: it requires no grad."""

    def __init__(self, data):
        super().__init__(data, requires_grad=False)


class Module:
    """A part of a network. A subclass sets its Parameters and parts in __init__, and computes its answer in forward.

    Anything in its attributes that is a Parameter, a Module, or a list, tuple or dict of them belongs to it.
    .training: True after train(), which is how a module begins; False after eval().
    Source: torch.nn.Module.
    """

    training = True

    def __call__(self, *inputs, **options):
        return self.forward(*inputs, **options)

    def forward(self, *inputs, **options):
        """The module's answer. Each kind of module has a forward of its own."""
        raise NotImplementedError(f"{type(self).__name__} has no forward yet: define what the module computes")

    def named_parameters(self):
        """A list of pairs (name, Parameter): every Parameter once, in the order in which the attributes were set.

        A part's parameters have its name in front: "hidden.weight". A list's have the place: "layers.0.weight".
        A Parameter that is found in two places has the first of its names. `walk(self)` gives such names.
        """
        ### BEGIN SOLUTION 11.1: Module.named_parameters
        first = {}
        for name, thing in walk(self):
            if isinstance(thing, Parameter):
                first.setdefault(id(thing), (name, thing))
        return list(first.values())
        ### END SOLUTION

    def parameters(self):
        """All Parameters of the module and its parts, a list."""
        return [parameter for _, parameter in self.named_parameters()]

    def named_state(self):
        """{name: Tensor}: all Parameters and Buffers."""
        buffers = {name: thing for name, thing in walk(self) if isinstance(thing, Buffer)}
        return dict(self.named_parameters()) | buffers

    def modules(self):
        """The module itself and all its parts, each once, a list."""
        return [self, *{id(thing): thing for _, thing in walk(self) if isinstance(thing, Module)}.values()]

    def zero_grad(self):
        """Forget all gradients: each Parameter's .grad is None again."""
        for parameter in self.parameters():
            parameter.zero_grad()

    def train(self, mode=True):
        """Put the module and its parts into training mode.  Returns the module."""
        for module in self.modules():
            module.training = mode
        return self

    def eval(self):
        """Put the module and its parts into inference mode: in use, not in training.  Returns the module."""
        return self.train(False)

    def state_dict(self):
        """{name: array}: copies of the numbers of all Parameters and Buffers."""
        return {name: x.data.copy() for name, x in self.named_state().items()}

    def load_state_dict(self, state):
        """Put the numbers of a state_dict into Parameters and Buffers, in place.

        Raises ValueError that names every key that is missing, unexpected, wrongly shaped or no array of real numbers;
        then nothing was changed.
        """
        own = self.named_state()
        state = {name: x.data if isinstance(x, Tensor) else np.asarray(x) for name, x in state.items()}
        misfits = [f"missing: {name}" for name in own if name not in state]
        misfits += [f"unexpected: {name}" for name in state if name not in own]
        for name in own.keys() & state.keys():
            if state[name].shape != own[name].shape:
                misfits.append(f"shape of {name}: {own[name].shape} here, {state[name].shape} in the state")
            elif state[name].dtype.kind not in "fiub":
                misfits.append(f"no real numbers: {name}")
        if misfits:
            raise ValueError(f"this state does not fit {type(self).__name__}. {'; '.join(sorted(misfits))}")
        for name, x in own.items():
            x.data[...] = state[name]

    def save(self, path):
        """Write its state to a file (npz, no pickle)."""
        save(self.state_dict(), path)

    def load(self, path):
        """Read its state from a file that `save` wrote.

        Raises FileNotFoundError, or ValueError for a file that is damaged or does not fit.
        """
        self.load_state_dict(load(path))


def walk(thing, name="", above=()):
    """Pairs (name, thing) for all that belongs to a module, depth first: what it holds, and what its parts hold.

    above: the ids of what holds the thing. A part that refers back to one of these (its parent, say) is not followed.
    """
    if isinstance(thing, Module):
        inside = vars(thing).items()
    elif isinstance(thing, dict):
        inside = thing.items()
    elif isinstance(thing, (list, tuple)):
        inside = enumerate(thing)
    else:
        return
    above = (*above, id(thing))
    for key, part in inside:
        full = f"{name}.{key}" if name else str(key)
        if id(part) not in above:
            yield full, part
            yield from walk(part, full, above)


class Linear(Module):
    """A fully connected layer: each number of its answer is made from all numbers of a row of x.

    in_features, out_features: the sizes of the last axis of x and of the answer.  bias: False for none.
    rng: a numpy Generator that draws the first numbers, from -1/sqrt(in_features) to 1/sqrt(in_features).
    .weight: (in_features, out_features).  .bias: (out_features,), or None.
    Source: torch.nn.Linear, whose weight is the transpose of this one.
    """

    def __init__(self, in_features, out_features, bias=True, rng=None):
        rng = np.random.default_rng() if rng is None else rng
        self.weight = Parameter(init.linear_uniform(in_features, out_features, rng))
        self.bias = Parameter(init.linear_uniform(in_features, out_features, rng, (out_features,))) if bias else None

    def forward(self, x):
        """x (..., in_features).  Returns (..., out_features), a Tensor that leads back to x, weight and bias."""
        return x @ self.weight if self.bias is None else affine(x, self.weight, self.bias)


class ReLU(Module):
    """x where it is positive, else 0."""

    def forward(self, x):
        return x.relu()


class Tanh(Module):
    """The hyperbolic tangent of each number."""

    def forward(self, x):
        return x.tanh()


class Sigmoid(Module):
    """1 / (1 + e to the power of -x), number by number."""

    def forward(self, x):
        return x.sigmoid()


class Sequential(Module):
    """Modules one after the other: each gets what the one before it answers.  They are kept in .layers.

    Raises TypeError for a layer that cannot be called.
    """

    def __init__(self, *layers):
        for i, layer in enumerate(layers):
            if not callable(layer):
                raise TypeError(
                    f"Sequential(a, b, ...) is made of modules, but place {i} holds a {type(layer).__name__}"
                )
        self.layers = list(layers)

    def forward(self, x):
        """What the last layer answers; x itself if there are no layers."""
        return reduce(lambda answer, layer: layer(answer), self.layers, x)


ACTIVATIONS = {"relu": ReLU, "tanh": Tanh, "sigmoid": Sigmoid}


class MLP(Sequential):
    """A multilayer perceptron: linear layers with activations between them. Its answers are scores: any numbers.

    dims: the sizes from input to output: [2, 32, 32, 2] has three linear layers.
    activation: 'relu', 'tanh' or 'sigmoid'.  rng: a numpy Generator for the first weights, layer after layer.
    Raises ValueError for fewer than two sizes, a size below 1, or an unknown activation.
    """

    def __init__(self, dims, activation="relu", rng=None):
        demand_layers(dims, activation)
        rng = np.random.default_rng() if rng is None else rng
        super().__init__(*mlp_layers(dims, ACTIVATIONS[activation], rng))


def demand_layers(dims, activation):
    """Raises ValueError if no multilayer perceptron has such sizes, or such an activation."""
    if len(dims) < 2 or min(dims) < 1:
        raise ValueError(f"dims must hold at least two sizes, each 1 or more, but it is {list(dims)}")
    if activation not in ACTIVATIONS:
        raise ValueError(f"activation is {activation!r}, but must be one of {', '.join(ACTIVATIONS)}")


def mlp_layers(dims, activation, rng):
    """The layers of an MLP, a list in the order in which x goes through them.

    dims: the sizes from input to output, two or more.  activation: a class such as Tanh; no object is used twice.
    rng: draws the numbers of all linear layers, the first layer's first.
    """
    ### BEGIN SOLUTION 11.3: mlp_layers
    layers = [Linear(dims[0], dims[1], rng=rng)]
    for n_in, n_out in pairwise(dims[1:]):
        layers += [activation(), Linear(n_in, n_out, rng=rng)]
    return layers
    ### END SOLUTION


# Given: a model in use.


@contextmanager
def modes_kept(model):
    """After the block each module is in training or inference mode again, as it was before."""
    modes = [(module, module.training) for module in model.modules()]
    try:
        yield
    finally:
        for module, mode in modes:
            module.training = mode


def predict(model, x):
    """The model's answers, an array. It is called in inference mode, and nothing is recorded.

    model: a Module.  x: an array (N, ...).  Each module's mode is kept.
    """
    with modes_kept(model), no_grad():
        return model.eval()(Tensor(x, requires_grad=False)).data
