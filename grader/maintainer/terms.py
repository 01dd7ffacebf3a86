"""The words of the field: each standard term, and the notebook that introduces it.

A term is introduced where it first stands in **bold**; no prose uses it before, later prose goes on using it, and the
box "In other books" of its notebook has it. docs/glossary.md is made of these boxes.
"""

import re

from ..course import catalogue
from .sources import markdown_of, read, sources

TERMS = {
    "00": ("model", "parameter", "training", "automatic differentiation", "loss", "mean squared error"),
    "01": (
        *("derivative", "partial derivative", "gradient", "local derivative", "chain rule", "finite differences"),
        *("central difference", "forward mode", "dual number"),
    ),
    "02": (
        *("computation graph", "directed acyclic graph", "node", "inner node", "leaf", "forward pass"),
        *("backpropagation", "activation function", "operator overloading"),
    ),
    "03": (
        *("backward pass", "reverse mode", "accumulate", "topological order", "root", "depth-first search"),
        *("closure",),
    ),
    "04": (
        *("neuron", "layer", "weight", "bias", "multi-layer perceptron", "activation", "gradient descent"),
        *("seed", "linear", "sample", "target", "update", "minimum", "local minimum", "training loop"),
        *("hidden layer", "learning rate", "loss surface", "epoch", "mini-batch", "decision boundary", "hinge loss"),
    ),
    "05": ("axis", "broadcasting", "dtype", "Jacobian", "vector-Jacobian product", "Jacobian-vector product"),
    "06": ("elementwise", "upstream gradient", "gradient check", "mask", "saturation", "vanishing gradient"),
    "07": ("transpose", "reduction"),
    "08": ("matrix product", "batch dimension"),
    "09": ("higher-order derivative", "detach", "inference"),
    "10": ("logits", "softmax", "cross-entropy", "one-hot", "log-sum-exp"),
    "11": (
        *("module", "stochastic gradient descent", "initialisation", "overfitting", "training set", "test set"),
        *("hyperparameter",),
    ),
    "12": (
        *("regularisation", "weight decay", "momentum", "exponential moving average", "Adam", "bias correction"),
        *("learning-rate schedule", "gradient clipping", "dropout", "layer normalisation"),
        *("residual connection",),
    ),
    "13": ("dynamic graph", "tape", "saved tensor", "hook", "tangent"),
    "14": ("Hessian", "curvature", "Hessian-vector product", "Newton's method", "gradient penalty", "hypergradient"),
    "15": (
        *("intermediate representation", "dead code elimination", "constant folding"),
        *("common subexpression elimination", "liveness analysis"),
        *("just-in-time compilation", "operator fusion"),
    ),
    "16": (
        *("transformer", "token", "bits per character", "perplexity", "context length", "embedding"),
        *("positional embedding", "query", "self-attention", "causal mask", "attention head", "weight tying"),
        *("temperature", "greedy decoding"),
    ),
}
BOX = "In other books"
HEAD = "| here | elsewhere | symbol | PyTorch, JAX |"


def box(number):
    """The rows of a notebook's box, as Markdown; "" if it has none."""
    markdown = markdown_of(read(sources([number])[0]))
    found = re.search(rf"^## {BOX}$(.*?)(?=^## |\Z)", markdown, re.MULTILINE | re.DOTALL)
    return "\n".join(re.findall(r"^\|.*$", found[1], re.MULTILINE)) if found else ""


GLOSSARY = """# Glossary

The words of the field, in the order of the notebooks: what we call it, what you find in other books, the symbol, and
where PyTorch and JAX show it. Each table closes its notebook, which explains the words.
Written by `python -m grader.maintainer.readme`.

"""


def glossary():
    """The text of docs/glossary.md."""
    places = [(term, catalogue.notebook(number)) for number, terms in TERMS.items() for term in terms]
    index = " · ".join(f"[{term}](#{anchor(nb)})" for term, nb in sorted(places, key=lambda it: it[0].lower()))
    boxes = (f"## {nb.number} {nb.title}\n\n{box(nb.number)}\n" for nb in catalogue.notebooks() if box(nb.number))
    return f"{GLOSSARY}{index}\n\n" + "\n".join(boxes)


def anchor(nb):
    """How GitHub names the heading of a notebook."""
    return f"{nb.number} {nb.title}".lower().replace(" ", "-")
