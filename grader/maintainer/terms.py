"""The words of the field: each standard term, and the notebook that introduces it.

A term is introduced where it first stands in **bold**; before that no prose uses it, afterwards it goes on being used,
and the box "In other books" of its notebook has it. docs/glossary.md is made of these boxes.
"""

# {notebook: its terms}. A term may have a pattern of its own: {"term": r"regular expression"}.
TERMS = {
    "00": ("automatic differentiation", "loss", "parameter", "mean squared error"),
    "01": (
        *("derivative", "partial derivative", "gradient", "chain rule", "finite differences", "central difference"),
        *("forward mode", "dual number"),
    ),
    "02": ("computation graph", "node", "local derivative", "forward pass", "activation function", "operator overloading"),
    "03": (
        *("backward pass", "backpropagation", "reverse mode", "accumulate", "topological order", "root", "leaf"),
        *("depth-first search",),
    ),
    "04": (
        *("neuron", "layer", "weight", "bias", "multi-layer perceptron", "activation", "gradient descent"),
        *("learning rate", "epoch", "mini-batch", "hinge loss"),
    ),
    "05": ("broadcasting", "vector-Jacobian product", "Jacobian", "dtype"),
    "06": ("elementwise", "upstream gradient", "gradient check"),
    "07": ("axis", "reduction"),
    "08": ("matrix product", "batch dimension"),
    "09": ("higher-order derivative", "detach", "inference"),
    "10": ("logits", "softmax", "cross-entropy", "one-hot", "log-sum-exp"),
    "11": (
        *("module", "stochastic gradient descent", "initialisation", "overfitting", "training set", "test set"),
        *("hyperparameter",),
    ),
    "12": (
        *("momentum", "Adam", "weight decay", "regularisation", "dropout", "layer normalisation"),
        *("gradient clipping", "learning-rate schedule"),
    ),
    "13": ("Jacobian-vector product", "tape"),
}
