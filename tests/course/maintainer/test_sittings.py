"""A sitting on a fresh kernel needs the imports and the cells that the stop before it names, and nothing else.

A stop that names none means that all above it is run again.
"""

import ast
import builtins
import dis
import re

import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell

from grader.maintainer import minutes, sources

GIVEN = {*dir(builtins), "__name__", "display", "get_ipython"}
NAMED = re.compile(r"On a fresh kernel, .*")


def cut(cells):
    """Of each sitting (the stop before it, its pieces of code)."""
    found = [("", [])]
    for cell in cells:
        if cell.cell_type == "code":
            found[-1][1].append(re.sub(r"(?m)^%.*$", "", cell.source))
        elif cell.source.startswith(minutes.STOP):
            found.append((cell.source, []))
    return found


def stored(code):
    """The names that a piece of code defines, at its top level."""
    return {found.argval for found in dis.get_instructions(compile(code, "", "exec")) if found.opname == "STORE_NAME"}


def used(code):
    """The names that a piece of code takes from outside, in its functions too."""
    left, names = [compile(code, "", "exec")], set()
    while left:
        block = left.pop()
        names |= {each.argval for each in dis.get_instructions(block) if each.opname in ("LOAD_NAME", "LOAD_GLOBAL")}
        left += [const for const in block.co_consts if hasattr(const, "co_code")]
    return names - stored(code) - GIVEN


def only_imports(code):
    return all(isinstance(node, (ast.Import, ast.ImportFrom)) for node in ast.parse(code).body)


def faults(cells):
    """Sentences about names that a sitting takes from one before it."""
    sittings, before = cut(cells), []
    for number, (stop, codes) in enumerate(sittings, 1):
        names = re.findall(r"`(\w+)`", "".join(NAMED.findall(stop)))
        again = [code for code in before if only_imports(code) or stored(code) & {*names} or not NAMED.search(stop)]
        there = set()
        for code in again + codes:
            if lacking := used(code) - there:
                yield f"sitting {number}: {code.strip().splitlines()[0]!r} needs {', '.join(sorted(lacking))}"
            there |= stored(code)
        before += codes


@pytest.mark.parametrize("source", sources.sources(), ids=lambda source: source.stem)
def test_a_sitting_needs_what_the_stop_before_it_names(source):
    assert list(faults(sources.read(source).cells)) == []


@pytest.mark.parametrize("number", ["05", "06", "07", "08", "09", "10", "11", "12"])
def test_each_stop_names_what_is_needed(number):
    stops = [stop for stop, _ in cut(sources.read(*sources.sources([number])).cells)[1:]]
    assert stops and [stop for stop in stops if not NAMED.search(stop)] == []


IMPORTS = "On a fresh kernel, run the imports"


@pytest.mark.parametrize(
    ("stop", "last", "lacking"),
    [
        (IMPORTS + ".", "print(double(np.ones(2)))", "needs double"),
        (IMPORTS + ".", "def later():\n    return double(2)", "needs double"),
        (IMPORTS + " and the cell that defines `double`.", "print(double(np.ones(2)))", ""),
        (IMPORTS + " and the cell that defines `size`.", "print(size)", "needs other"),
        (IMPORTS + ".", "double = np.sin\nprint(double(2))", ""),
        (IMPORTS + ".", "%check 3.2", ""),
        ("", "print(double(np.ones(2)))", ""),
    ],
)
def test_what_a_sitting_lacks(stop, last, lacking):
    first = ["import numpy as np", "def double(x):\n    return 2 * x", "other = 3", "size = other + 1"]
    cells = [new_code_cell(code) for code in first]
    cells += [new_markdown_cell(f"{minutes.STOP} It is late. {stop}"), new_code_cell(last)]
    found = list(faults(cells))
    assert bool(found) == bool(lacking) and lacking in "".join(found)
