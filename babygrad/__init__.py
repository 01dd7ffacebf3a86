"""babygrad: an automatic differentiation engine, written to be read.

Given.

A name is looked up in its file when it is first used. So a mistake in one file
does not stop you from using the others.
"""

from importlib import import_module

NAMES_IN = {
    "warmup": "area sides",
    "shapes_and_rules": "broadcast_shape",
    "derivatives": "numerical_derivative numerical_gradient two_step_gradients Dual",
    "value": "Value",
    "scalar_nn": "",
    "tensor": "Tensor",
    "arrays": "DataLoader",
    "autograd": "no_grad grad",
    "ops": "Function",
    "gradient_check": "check_rule gradcheck gradgradcheck GradcheckError",
    "layers": "",
    "init": "",
    "nn": "Parameter Module Linear Sequential MLP",
    "losses": "mse_loss cross_entropy nll_loss binary_cross_entropy_with_logits hinge_loss",
    "optim": "SGD RMSprop Adam AdamW",
    "normalize": "",
    "training": "train_epoch accuracy",
    "compiler": "",
    "tracing": "trace",
    "programs": "compile",
    "forward_mode": "",
    "higher": "jvp hvp hessian",
    "transformer": "",
    "conv": "",
    "conv_net": "",
    "hunts": "",
}


def lazy(package, names_in):
    """What a package's __init__ needs for that: its __getattr__, __dir__ and __all__.

    package: its __name__.  names_in: {file: the names in it that belong to the package, in one text}.
    """
    home = {name: file for file, names in names_in.items() for name in names.split()}

    def __getattr__(name):
        if name in names_in:
            return import_module(f".{name}", package)
        if name in home:
            return getattr(import_module(f".{home[name]}", package), name)
        known_as = ".".join(["babygrad", *package.split(".")[1:]])
        raise AttributeError(f"{known_as} has no {name!r}", name=name)

    def __dir__():
        return sorted({*home, *names_in})

    return __getattr__, __dir__, sorted(home)


__getattr__, __dir__, __all__ = lazy(__name__, NAMES_IN)
