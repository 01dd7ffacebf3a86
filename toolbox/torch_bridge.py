"""Notebook 13: the same net in PyTorch, with the same weights, to compare with. Given code.

This is the only file of the package that imports torch.
"""

from itertools import pairwise

import numpy as np

from babygrad import losses
from babygrad.nn import ACTIVATIONS, Linear, demand_layers
from babygrad.tensor import Tensor

try:
    import torch
except (ImportError, OSError) as error:  # OSError: on Windows, from one that is broken
    raise ImportError(
        "PyTorch is not installed here, and torch_bridge compares with it. To install it: python -m pip install torch "
        "(or requirements.txt of the course). Notebook 13 goes on without it: it shows what was recorded."
    ) from error


class TorchMLP(torch.nn.Module):
    """The twin of nn.MLP in PyTorch: linear layers with an activation after each but the last, in float64.

    dims: the sizes from input to output: [2, 32, 32, 2] has three linear layers.
    activation: 'relu', 'tanh' or 'sigmoid'.
    Its weights are drawn by PyTorch; copy_weights_to_torch puts others there.
    Raises ValueError for fewer than two sizes, a size below 1, or another activation.
    """

    def __init__(self, dims, activation="relu"):
        demand_layers(dims, activation)
        super().__init__()
        layers = []
        for n_in, n_out in pairwise(dims):
            layers += [torch.nn.Linear(n_in, n_out, dtype=torch.float64), getattr(torch.nn, TWINS[activation])()]
        self.layers = torch.nn.Sequential(*layers[:-1])

    def forward(self, x):
        """x (N, dims[0]), a torch tensor in float64.  Returns the scores (N, dims[-1])."""
        return self.layers(x)


TWINS = {"relu": "ReLU", "tanh": "Tanh", "sigmoid": "Sigmoid"}


def copy_weights_to_torch(model, torch_model):
    """Copy the parameters of an MLP into its twin. Each weight (in, out) is transposed: PyTorch keeps (out, in).

    model: an nn.MLP (or nn.Sequential with Linear layers).  torch_model: a TorchMLP with the same sizes.
    Returns torch_model.
    Raises ValueError that names the first layer whose sizes differ; then nothing was copied.
    """
    pairs = linear_pairs(model, torch_model)
    with torch.no_grad():
        for ours, theirs in pairs:
            theirs.weight.copy_(torch.tensor(ours.weight.data.T))
            theirs.bias.copy_(torch.tensor(ours.bias.data))
    return torch_model


def linear_pairs(model, torch_model):
    """Pairs (Linear, its twin), first to last.  Raises ValueError if the sizes differ anywhere."""
    ours = [layer for layer in model.layers if isinstance(layer, Linear)]
    theirs = [layer for layer in torch_model.layers if isinstance(layer, torch.nn.Linear)]
    sizes = [layer.weight.shape for layer in ours], [layer.weight.shape[::-1] for layer in theirs]
    for place, (here, there) in enumerate(zip(*sizes)):
        if tuple(here) != tuple(there):
            raise ValueError(f"linear layer {place} goes from {here[0]} to {here[1]} here, but from {there[0]} to "
                             f"{there[1]} in the TorchMLP: make both with the same dims")  # fmt: skip
    if len(ours) != len(theirs):
        raise ValueError(
            f"the model has {len(ours)} linear layers, the TorchMLP {len(theirs)}: make both with the same dims"
        )
    return list(zip(ours, theirs))


def compare_gradients(model, x, targets, loss="cross_entropy"):
    """How far apart the gradients of our engine and of PyTorch are, for the same weights and the same input.

    model: an nn.MLP; its twin is made here.  x (N, in): an array.
    targets: (N,) ints for "cross_entropy", an array of the shape of the model's answers for "mse_loss".
    loss: "cross_entropy" or "mse_loss".
    Returns {parameter name: the largest absolute difference}, the names as in model.named_parameters().
    Afterwards the .grad of the model's parameters is that of this one backward pass.
    Raises ValueError for another loss, or sizes that do not fit.
    """
    if loss not in LOSSES:
        raise ValueError(f"loss is {loss!r}, but must be one of {', '.join(LOSSES)}")
    twin = copy_weights_to_torch(model, TorchMLP(*sizes_of(model)))
    LOSSES[loss](twin(torch.tensor(np.asarray(x, np.float64))), torch.tensor(np.asarray(targets))).backward()
    model.zero_grad()
    getattr(losses, loss)(model(Tensor(x, dtype=np.float64, requires_grad=False)), targets).backward()
    return differences(model, twin)


LOSSES = {"cross_entropy": torch.nn.functional.cross_entropy, "mse_loss": torch.nn.functional.mse_loss}


def sizes_of(model):
    """(dims, activation) of an MLP, such as TorchMLP takes."""
    linear = [layer for layer in model.layers if isinstance(layer, Linear)]
    names = [name for name, kind in ACTIVATIONS.items() if any(isinstance(layer, kind) for layer in model.layers)]
    return [linear[0].weight.shape[0], *(layer.weight.shape[1] for layer in linear)], (names or ["relu"])[0]


def differences(model, twin):
    """{parameter name: the largest absolute difference of its gradients in both}, after a backward in both."""
    theirs = {}
    for ours, its_twin in linear_pairs(model, twin):
        theirs[id(ours.weight)], theirs[id(ours.bias)] = its_twin.weight.grad.T, its_twin.bias.grad
    return {
        name: float(np.max(np.abs(parameter.grad - theirs[id(parameter)].numpy())))
        for name, parameter in model.named_parameters()
    }
