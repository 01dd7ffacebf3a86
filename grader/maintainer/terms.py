"""The words of the field: each standard term, and the notebook that introduces it; what they are called elsewhere.

A term is introduced where it first stands in **bold**; no prose uses it before, later prose goes on using it, and the
table of its notebook in docs/glossary.md has it. terms.toml holds both; a notebook ends with a link to its table.
"""

import re
import tomllib
from pathlib import Path

from ..course import catalogue

_NOTEBOOKS = tomllib.loads(Path(__file__).with_name("terms.toml").read_text(encoding="utf-8"))
TERMS = {number: told["introduces"] for number, told in _NOTEBOOKS.items()}
HEAD = "| here | elsewhere | symbol | PyTorch, JAX |"


def table(number):
    """The rows of a notebook's table, as Markdown."""
    rows = [f"| {' | '.join(row)} |" for row in _NOTEBOOKS[number]["elsewhere"]]
    return "\n".join([HEAD, "|---|---|---|---|", *rows])


GLOSSARY = """# Glossary

The words of the field, in the order of the notebooks: what we call it, what you find in other books, the symbol, and
where PyTorch and JAX show it. The notebooks explain the words.
Written by `python -m grader.maintainer.readme`.

"""


def glossary():
    """The text of docs/glossary.md."""
    places = [(term, catalogue.notebook(number)) for number, terms in TERMS.items() for term in terms]
    index = " · ".join(f"[{term}](#{anchor(nb)})" for term, nb in sorted(places, key=lambda it: it[0].lower()))
    tables = (f"## {nb.number} {nb.title}\n\n{table(nb.number)}\n" for nb in catalogue.notebooks())
    return f"{GLOSSARY}{index}\n\n" + "\n".join(tables)


def anchor(nb):
    """How GitHub names the heading of a notebook."""
    return re.sub(r"[^\w -]", "", f"{nb.number} {nb.title}".lower()).replace(" ", "-")
