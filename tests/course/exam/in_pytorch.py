"""The code of a question in PyTorch: the names it can use, meaning PyTorch's things."""

from types import SimpleNamespace

import numpy as np
import torch

from grader.exam import solving


def demand_the_same_answers(drawn):
    """PyTorch gives the same answers to a drawn question as the reference."""
    ours = solving.values(drawn, solving.names_of(solving.reference()))
    theirs = solving.values(drawn, names(), drawn.filled(drawn.question.torch))
    assert len(ours) == len(theirs) > 0
    for mine, its in zip(plain(ours), plain(theirs)):
        if isinstance(mine[0], (str, bool)):
            assert mine == its
        else:
            np.testing.assert_allclose(np.squeeze(mine).astype(float), np.squeeze(its).astype(float), rtol=1e-9)


def tensor(data, requires_grad=True, label=""):
    return torch.tensor(np.array(data, float), requires_grad=requires_grad)


def grad(output, inputs, create_graph=False):
    return torch.autograd.grad(output, inputs, create_graph=create_graph)[0]


def cross_entropy(scores, targets):
    return torch.nn.functional.cross_entropy(scores, torch.as_tensor(targets))


def names():
    """What a question's code can use: the package's names, meaning PyTorch's things."""
    return {
        "np": np,
        "torch": torch,
        "Value": tensor,
        "Tensor": tensor,
        "grad": grad,
        "no_grad": torch.no_grad,
        "SGD": torch.optim.SGD,
        "losses": SimpleNamespace(cross_entropy=cross_entropy),
    }


def plain(thing):
    """A value as PyTorch, NumPy or Python has it, as plain Python."""
    if isinstance(thing, torch.Tensor):
        return thing.detach().numpy().tolist()
    if isinstance(thing, (tuple, list)):
        return [plain(part) for part in thing]
    return thing.tolist() if isinstance(thing, (np.ndarray, np.generic)) else thing
