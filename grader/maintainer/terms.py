"""The words of the field: each standard term, and the notebook that introduces it.

A term is introduced where it first stands in **bold**; no prose uses it before, later prose goes on using it, and the
box "In other books" of its notebook has it. docs/glossary.md is made of these boxes.

python -m grader.maintainer.terms says what is not so.
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
# What a term looks like in prose, where that is more than itself with an s behind it.
FORMS = {
    "accumulate": r"accumulat(?:e[sd]?|ing|ion)",
    "axis": r"ax[ie]s",
    "broadcasting": r"broadcast(?:s|ing)?",
    "directed acyclic graph": r"directed acyclic graphs?|DAGs?",
    "detach": r"detach(?:e[sd]|ing)?",
    "leaf": r"lea(?:f|ves(?! (?:an?|one|it|no)\b))",  # somebody leaves a tip
    "activation": r"activations?(?! functions?)",
    "loss": r"loss(?:es)?",
    "mini-batch": r"mini-batch(?:es)?",
    "root": r"(?<!square )roots?",
    "regularisation": r"regularis(?:e[sd]?|ing|ation)",
    "query": r"quer(?:y|ies)",
    "temperature": r"temperature",  # 07 has a table of temperatures
    "tangent": r"tangents?(?! line)",
    "saturation": r"saturat(?:e[sd]?|ion)",
    "transpose": r"transpos(?:e[sd]?|ing)",
    "initialisation": r"initialis(?:e[sd]?|ing|ation)",
    "intermediate representation": r"intermediate representations?|IR",
    "dead code elimination": r"dead code(?: elimination)?",
    "constant folding": r"constant folding|constants? folded",
    "common subexpression elimination": r"common subexpression(?:s| elimination)|CSE",
    "just-in-time compilation": r"just-in-time compil(?:ation|er|ed)|JIT",
}
AGAIN = 2  # paragraphs at least that use a term after the one that introduces it
BOX = "In other books"
HEAD = "| here | elsewhere | symbol | PyTorch, JAX |"
NOT_PROSE = re.compile(r"`[^`]*`|\$[^$]*\$|<[^>]*>")


def form(term):
    """The pattern of a term in prose."""
    plain = r"[\s-]+".join(map(re.escape, re.split(r"[\s-]+", term)))
    return re.compile(rf"(?<![\w-])(?:{FORMS.get(term, f'{plain}s?')})(?![\w-])", re.IGNORECASE)


def paragraphs(number):
    """(section, text) of each paragraph of a notebook, without code, formulas, headings, goals and the box."""
    section = ""
    for text in re.split(r"\n\s*\n", _markdown(number)):
        for line in re.findall(r"^## (.*)$", text, re.MULTILINE):
            section = line
        text = re.sub(r"^#.*$", "", NOT_PROSE.sub("", text), flags=re.MULTILINE).strip()
        if text and section not in ("Goals", BOX):
            yield section or "the top", text


def box(number):
    """The rows of a notebook's box, as Markdown; "" if it has none."""
    found = re.search(rf"^## {BOX}$(.*?)(?=^## |\Z)", _markdown(number), re.MULTILINE | re.DOTALL)
    return "\n".join(re.findall(r"^\|.*$", found[1], re.MULTILINE)) if found else ""


def _markdown(number):
    return markdown_of(read(sources([number])[0]))


def faults():
    """What is not as the first lines of this file say, in words, in the order of the course."""
    prose = [(nb.number, *paragraph) for nb in catalogue.notebooks() for paragraph in paragraphs(nb.number)]
    for number, terms in TERMS.items():
        table = box(number)
        if not table.startswith(HEAD):
            yield f'{number}: has no box "{BOX}" that begins with {HEAD}'
        for term in terms:
            yield from faults_of(term, number, prose)
            if table and not form(term).search(table):
                yield f'{number}: its box "{BOX}" lacks "{term}".'


def faults_of(term, number, prose):
    """What is wrong with one term."""
    pattern = form(term)
    used = [place for place, (_, _, text) in enumerate(prose) if pattern.search(text)]
    bold = [place for place in used if prose[place][0] == number and in_bold(pattern, prose[place][2])]
    if not bold:
        yield f'{number}: nowhere introduces "{term}" in bold.'
        return
    for early in [place for place in used if place < bold[0]]:
        there, section, text = prose[early]
        yield f'{there}, {section}: uses "{term}" before {number} introduces it: {around(pattern, text)}'
    if len(used) - used.index(bold[0]) <= AGAIN:
        yield f'{number}: introduces "{term}", and it is used in fewer than {AGAIN} paragraphs afterwards.'


def in_bold(pattern, text):
    """Does the term stand in bold, alone or with other words?"""
    return any(pattern.search(bold) for bold in re.findall(r"\*\*(.+?)\*\*", text, re.DOTALL))


def around(pattern, text):
    """The place where the term stands, with some words about it."""
    text = " ".join(text.split())
    found = pattern.search(text)
    return f"... {text[max(0, found.start() - 40) : found.end() + 40]} ..."


# ------------------------------------------------------------------ the glossary

GLOSSARY = """# Glossary

The words of the field, in the order of the notebooks: what we call it, what you find in other books, the symbol, and
where PyTorch and JAX show it. Each table closes its notebook, which explains the words.
Written by `python -m grader.maintainer.readme`.

"""


def glossary():
    """The text of docs/glossary.md."""
    index = " · ".join(f"[{term}](#{anchor(nb)})" for term, nb in sorted(_places(), key=lambda it: it[0].lower()))
    boxes = (f"## {nb.number} {nb.title}\n\n{box(nb.number)}\n" for nb in catalogue.notebooks() if box(nb.number))
    return f"{GLOSSARY}{index}\n\n" + "\n".join(boxes)


def _places():
    return [(term, catalogue.notebook(number)) for number, terms in TERMS.items() for term in terms]


def anchor(nb):
    """How GitHub names the heading of a notebook."""
    return f"{nb.number} {nb.title}".lower().replace(" ", "-")


if __name__ == "__main__":
    print("\n".join(faults()) or "Each term is introduced, used and in its box.")
