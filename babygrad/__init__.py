"""babygrad: an automatic differentiation engine, small enough to read in one sitting.

A name is looked up in its file when it is first used. So a mistake in one file
does not stop you from using the others.
"""

from .lazy import lazy

NAMES_IN = {
    "warmup": "area broadcast_shape",
    "derivatives": "numerical_derivative numerical_gradient two_step_gradients Dual",
    "value": "Value topological_order",
    "scalar_nn": "Neuron Layer MLP squared_error hinge_loss l2_penalty train_step fit minibatches",
    "operators": "Tensor",
    "tensor": "",
    "arrays": "",
    "autograd": "no_grad grad",
    "ops": "Function",
    "gradient_check": "gradcheck GradcheckError",
    "layers": "",
    "init": "",
    "storage": "",
    "nn": "",
    "losses": "",
    "optim": "",
    "normalize": "",
    "monitor": "GradientMonitor",
    "training": "",
    "progress": "",
    "guard": "",
    "trainer": "",
    "idx": "",
    "data": "make_moons load_digits load_mnist load_mnist_part DataLoader train_test_split",
    "runs": "",
    "torch_bridge": "",
    "recorded": "",
    "viz": "draw_graph trace_graph plot_losses plot_decision_boundary plot_gradients",
    "hunts": "",
}

__getattr__, __dir__, __all__ = lazy(__name__, NAMES_IN)
