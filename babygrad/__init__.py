"""babygrad: an automatic differentiation engine, small enough to read in one sitting.

A name is looked up in its file when it is first used. So a mistake in one file
does not stop you from using the others.
"""

from importlib import import_module

_NAMES_IN = {
    "warmup": "area broadcast_shape",
    "derivatives": "numerical_derivative numerical_gradient two_step_gradients Dual",
    "value": "Value topological_order",
    "scalar_nn": "Neuron Layer MLP squared_error hinge_loss l2_penalty train_step fit minibatches",
    "operators": "Tensor",
    "tensor": "",
    "autograd": "no_grad grad",
    "ops": "Function",
    "gradient_check": "gradcheck GradcheckError",
    "data": "make_moons",
    "viz": "draw_graph trace_graph plot_losses plot_decision_boundary",
    "hunts": "",
}
_HOME = {name: file for file, names in _NAMES_IN.items() for name in names.split()}

__all__ = sorted(_HOME)


def __getattr__(name):
    if name in _NAMES_IN:
        return import_module(f".{name}", __name__)
    if name in _HOME:
        return getattr(import_module(f".{_HOME[name]}", __name__), name)
    raise AttributeError(f"babygrad has no {name!r}", name=name)


def __dir__():
    return sorted({*globals(), *_HOME, *_NAMES_IN})
