"""A stub's docstring is a contract: it says what is wanted, and not how to write it.

An answer is taken as a row: the functions that it calls, its operators, its loops and questions, as they follow one
another. What of this row a reader meets in the docstring, in the same order, in words or in signs, is given away.
Hunts are left out: their docstrings list what an expression may be made of.
"""

import ast
import re
import statistics
from dataclasses import dataclass
from pathlib import Path
from textwrap import dedent

import pytest

from grader.course.catalogue import place_of
from grader.course.paths import REFERENCE
from grader.course.regions import solution_regions

AT_THE_START = 0.45  # the median, when docstrings were still the answers in words
MOST = 0.34  # of a row that is long enough to tell anything: what the contracts stay below that readers liked best
FEW = 2  # parts that a purpose or a result may name by chance
SIGNS = {ast.Add: "+", ast.Sub: "-", ast.USub: "-", ast.Mult: "*", ast.Div: "/", ast.Pow: "**", ast.Mod: "%"} | {
    ast.MatMult: "@", ast.FloorDiv: "//", ast.Lt: "<", ast.Gt: "<", ast.LtE: "<", ast.GtE: "<", ast.Eq: "==",
    ast.NotEq: "==",
}  # fmt: skip
STEPS = {ast.For: "each", ast.comprehension: "each", ast.While: "while", ast.If: "if", ast.IfExp: "if", ast.Try: "try"}
WORDS = {
    "+": "plus sum sums add adds added adding + +=",
    "-": "minus negated less difference - −",
    "*": "times product products multiply multiplied * ·",
    "/": "over divided divide divides quotient /",
    "**": "power powers square squared squares root ** ² ³",
    "@": "@ matrix-product",
    "<": "positive negative above below larger smaller < > <= >=",
    "==": "equal equals ==",
    "each": "every loop",
    "while": "while until",
    "if": "if where unless when else",
    "try": "finally whatever",
}
MEANS = {word: sign for sign, words in WORDS.items() for word in words.split()} | {"for each": "each"}


@dataclass(frozen=True)
class Told:
    """What the docstrings of one exercise tell.  told, asked: how many parts of its answers' rows, of how many."""

    id: str
    told: int
    asked: int

    @property
    def share(self):
        return self.told / self.asked


def told_by_docstrings(folder=REFERENCE):
    """A Told for each exercise of the package in folder whose answer has a row at all, in the order of the course."""
    counts = {}
    for path in sorted((Path(folder) / "babygrad").rglob("*.py")):
        text = path.read_text(encoding="utf-8")
        tree = ast.parse(text)
        for region in solution_regions(text) if path.name != "hunts.py" else ():
            around = functions_around(tree, region.start + 1)
            row = [part for part in row_of(dedent("\n".join(region.body))) if part not in given_names(around)]
            said = words_of(docstring_of(around), set(row))
            told, asked = counts.get(region.id, (0, 0))
            counts[region.id] = told + longest_common(row, said), asked + len(row)
    return [Told(id, *counts[id]) for id in sorted(counts, key=place_of) if counts[id][1]]


def row_of(code):
    """The functions that code calls, its operators, loops and questions, as they stand one after the other."""
    body = ast.parse("def answer():\n" + "\n".join("    " + line for line in code.splitlines())).body[0].body
    return [part for statement in body for part in _parts(statement)]


def _parts(node):
    """An operator stands between its sides, a call before its arguments, as they are read."""
    if isinstance(node, ast.BinOp):
        return [*_parts(node.left), *_sign(node.op), *_parts(node.right)]
    if isinstance(node, ast.Compare):
        sides = [part for op, side in zip(node.ops, node.comparators) for part in (*_sign(op), *_parts(side))]
        return [*_parts(node.left), *sides]
    if isinstance(node, ast.AugAssign):
        return [*_parts(node.target), *_sign(node.op), *_parts(node.value)]
    own = _sign(node.op) if isinstance(node, ast.UnaryOp) else [STEPS[type(node)]] if type(node) in STEPS else []
    if isinstance(node, ast.Call):
        name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        own = [name.lower()] if name else []
    return own + [part for child in ast.iter_child_nodes(node) for part in _parts(child)]


def _sign(op):
    return [SIGNS[type(op)]] if type(op) in SIGNS else []


def functions_around(tree, line):
    """The functions and classes that this line stands in, the innermost first."""
    kinds = (ast.FunctionDef, ast.ClassDef)
    around = [node for node in ast.walk(tree) if isinstance(node, kinds) and node.lineno <= line <= node.end_lineno]
    return sorted(around, key=lambda node: node.lineno, reverse=True)


def docstring_of(around):
    """The docstring of the function, or if it has none that of the class around it; "" if that has none either."""
    return next(filter(None, map(ast.get_docstring, around)), "")


def given_names(around):
    """What a contract has to name: the function itself and its arguments."""
    inner = around[0]
    arguments = [a.arg for a in ast.walk(inner.args) if isinstance(a, ast.arg)] if hasattr(inner, "args") else []
    return {name.lower() for name in (inner.name, *arguments)}


def words_of(docstring, names):
    """What a docstring says of an answer: names that the answer calls, and its signs, each as it is met."""
    met = re.findall(r"for each|[A-Za-z_]+|\*\*|[-+*/@<>=]=?|[·−²³]", docstring)
    return [word if word in names else MEANS.get(word, "") for word in map(str.lower, met)]


def longest_common(row, said):
    """How many parts of the row stand in said, in the same order."""
    best = [0] * (len(row) + 1)
    for word in filter(None, said):
        before = best[:]
        for i, part in enumerate(row):
            best[i + 1] = max(best[i], before[i + 1], before[i] + (part == word))
    return best[-1]


TOLD = told_by_docstrings()


def test_little_of_an_answer_stands_in_its_docstring():
    assert statistics.median(told.share for told in TOLD) <= AT_THE_START / 3


@pytest.mark.parametrize("told", TOLD, ids=[told.id for told in TOLD])
def test_no_docstring_is_the_answer(told):
    assert told.told <= FEW or told.share <= MOST


SIGMOID = "small = math.exp(-abs(x))\nreturn (1.0 if x >= 0 else small) / (1.0 + small)"
IN_WORDS = """1. exp of minus abs(x)
2. if x is positive 1, divided by 1 plus that"""


def test_a_row_is_read_as_the_code_is():
    assert row_of(SIGMOID) == ["exp", "-", "abs", "if", "<", "/", "+"]
    assert row_of("for x in xs:\n    total += x.dot(w) ** 2") == ["each", "+", "dot", "**"]


@pytest.mark.parametrize(
    ("said", "told"),
    [
        (IN_WORDS, 7),
        ("exp(-abs(x)), then / and +", 5),
        ("Between 0 and 1. Raises nothing at -1000 and 1000.", 1),
        ("plus, divided, positive", 1),
        ("", 0),
    ],
)
def test_what_stands_in_a_docstring_counts_in_its_order(said, told):
    row = row_of(SIGMOID)
    assert longest_common(row, words_of(said, set(row))) == told
