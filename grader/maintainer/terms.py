"""The words of the field: each standard term, and the notebook that introduces it.

A term is introduced where it first stands in **bold**; no prose uses it before, later prose goes on using it, and the
box "In other books" of its notebook has it. docs/glossary.md is made of these boxes.
"""

import re
import tomllib
from pathlib import Path

from ..course import catalogue
from .sources import markdown_of, read, sources

TERMS = tomllib.loads(Path(__file__).with_name("terms.toml").read_text(encoding="utf-8"))
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
