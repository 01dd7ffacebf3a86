"""babygrad: an automatic differentiation engine, small enough to read in one sitting.

Given.

A name is looked up in its file when it is first used. So a mistake in one file
does not stop you from using the others.
"""

from .lazy import lazy

NAMES_IN = {
    "warmup": "area sides",
    "shapes_and_rules": "broadcast_shape",
    "derivatives": "numerical_derivative numerical_gradient two_step_gradients Dual",
    "dual_functions": "",
    "value": "Value",
    "scalar_nn": "",
    "tensor": "Tensor",
    "arrays": "",
    "autograd": "no_grad grad",
    "ops": "Function",
    "gradient_check": "check_rule gradcheck gradgradcheck GradcheckError",
    "layers": "",
    "init": "",
    "storage": "",
    "nn": "Parameter Module Linear Sequential MLP",
    "losses": "mse_loss cross_entropy nll_loss binary_cross_entropy_with_logits hinge_loss",
    "optim": "SGD RMSprop Adam AdamW",
    "normalize": "",
    "monitor": "GradientMonitor",
    "training": "train_epoch accuracy",
    "loader": "DataLoader",
    "compiler": "",
    "tracing": "trace",
    "programs": "compile",
    "forward_mode": "",
    "higher": "jvp hvp hessian",
    "transformer": "",
    "hunts": "",
}

__getattr__, __dir__, __all__ = lazy(__name__, NAMES_IN)
