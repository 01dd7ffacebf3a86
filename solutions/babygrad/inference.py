"""A model in use: it answers, and nothing is recorded.

Given.
"""

from contextlib import contextmanager

from .autograd import no_grad
from .tensor import Tensor


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
