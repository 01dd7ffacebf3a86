"""The words of the field: each is introduced in bold, not used before, used afterwards, and in its notebook's table."""

import re

import pytest

from grader.course import catalogue
from grader.maintainer.sources import markdown_of, read, sources
from grader.maintainer.terms import TERMS, table

NAMED = (  # by whoever asked for a course after which one can read a textbook
    *("derivative", "partial derivative", "gradient", "computation graph", "forward pass", "backward pass"),
    *("backpropagation", "chain rule", "vector-Jacobian product", "leaf", "accumulate", "broadcasting", "activation"),
    *("layer", "loss", "mini-batch", "stochastic gradient descent", "epoch", "learning rate", "regularisation"),
    *("overfitting", "inference", "logits", "one-hot", "initialisation"),
)
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
NOT_PROSE = re.compile(r"`[^`]*`|\$[^$]*\$|<[^>]*>")


def form(term):
    """The pattern of a term in prose."""
    plain = r"[\s-]+".join(map(re.escape, re.split(r"[\s-]+", term)))
    return re.compile(rf"(?<![\w-])(?:{FORMS.get(term, f'{plain}s?')})(?![\w-])", re.IGNORECASE)


def paragraphs(number):
    """(section, text) of each paragraph of a notebook, without code, formulas, headings and goals."""
    section = ""
    for text in re.split(r"\n\s*\n", markdown_of(read(sources([number])[0]))):
        for line in re.findall(r"^## (.*)$", text, re.MULTILINE):
            section = line
        text = re.sub(r"^#.*$", "", NOT_PROSE.sub("", text), flags=re.MULTILINE).strip()
        if text and section not in ("Goals", "In other books"):
            yield section or "the top", text


def faults():
    """What is not as the first line of this file says, in words, in the order of the course."""
    prose = [(nb.number, *paragraph) for nb in catalogue.notebooks() for paragraph in paragraphs(nb.number)]
    for number, terms in TERMS.items():
        for term in terms:
            yield from faults_of(term, number, prose)
            if not form(term).search(table(number)):
                yield f'{number}: its table in the glossary lacks "{term}".'


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


def test_every_term_is_introduced_then_used_and_in_its_box():
    assert list(faults()) == []


def test_the_table_has_each_term_once():
    listed = [term for found in TERMS.values() for term in found]
    assert sorted(listed) == sorted(set(listed))
    assert set(NAMED) <= set(listed)


BOLD, LATER = ("02", "A", "This is a **local slope**."), ("03", "B", "Local slopes add up; a local\nslope does not.")


@pytest.mark.parametrize(
    ("prose", "words"),
    [
        ([BOLD, LATER, LATER], []),
        ([BOLD, LATER], ['02: introduces "local slope", and it is used in fewer than 2 paragraphs afterwards.']),
        ([LATER, LATER, LATER], ['02: nowhere introduces "local slope" in bold.']),
        (
            [("01", "C", "Each local slope."), BOLD, LATER, LATER],
            ['01, C: uses "local slope" before 02 introduces it: ... Each local slope. ...'],
        ),
        (
            [("02", "A", "A local slope."), BOLD, LATER, LATER],
            ['02, A: uses "local slope" before 02 introduces it: ... A local slope. ...'],
        ),
    ],
)
def test_what_is_wrong_with_a_term(prose, words):
    assert list(faults_of("local slope", "02", prose)) == words


@pytest.mark.parametrize("text", ["leaf", "Leaves", "a leaf-"])
def test_other_forms_of_a_term(text):
    assert bool(form("leaf").search(text)) == (text != "a leaf-")


def test_a_term_may_stand_with_a_hyphen_or_across_lines():
    assert form("mini-batch").search("two mini\nbatches") is None
    assert form("vector-Jacobian product").search("the vector-Jacobian\nproducts")
