"""Whoever forgets a return reads of it, in every exercise, by a misconception's words or the general ones."""

import ast
import functools
import importlib

import numpy as np
import pytest

from grader.checking.judging import matching_misconception
from grader.checking.question import Question
from grader.checking.reference import answers_of, reference_answers
from grader.checking.verdict import judge
from grader.course import catalogue
from grader.course.packages import private_copy
from grader.course.paths import REFERENCE
from grader.course.regions import solution_regions
from grader.marking.compare import _difference_of

NOT_REACHED = ("hunts.py",)  # bound where the package is imported: a patch comes too late
SAID_OTHERWISE = {"10.6"}  # that all names are missing


def functions_of(ex):
    """Dotted names of the functions of its file that an answer of the exercise returns something from."""
    text = (REFERENCE / "babygrad" / ex.file).read_text()
    lines = {r.start + 1 for r in solution_regions(text) if r.id == ex.id}
    return list(_functions(ast.parse(text), lines, []))


def _functions(node, lines, way):
    for inside in ast.iter_child_nodes(node):
        if isinstance(inside, ast.ClassDef):
            yield from _functions(inside, lines, [*way, inside.name])
        is_asked = isinstance(inside, ast.FunctionDef) and lines & set(range(inside.lineno, inside.end_lineno + 1))
        if is_asked and any(isinstance(each, ast.Return) and each.value for each in ast.walk(inside)):
            yield ".".join([*way, inside.name])


def cases():
    for ex in catalogue.all_exercises():
        if ex.file not in NOT_REACHED and ex.id not in SAID_OTHERWISE:
            for place, name in enumerate(functions_of(ex)):
                marks = [pytest.mark.leg("night")] if place else []
                yield pytest.param(ex.id, name, marks=marks)


def forget_the_return(package, file, name):
    """The function does its work and gives back nothing, under every name that the package has for it."""
    module = importlib.import_module(f"{package.__name__}.{file.removesuffix('.py').replace('/', '.')}")
    *way, last = name.split(".")
    holder = functools.reduce(getattr, way, module)
    found = vars(holder)[last]
    function = found.fget if isinstance(found, property) else found

    @functools.wraps(function)
    def forgetful(*given, **named):
        function(*given, **named)

    setattr(holder, last, property(forgetful) if isinstance(found, property) else forgetful)


def verdict_without_the_return(ex, name):
    right = reference_answers([ex], 0)[ex.id]
    with private_copy(REFERENCE) as package:
        forget_the_return(package, ex.file, name)
        got = answers_of(package, ex, ex.probes, 0)
    questions = [Question(p, got[p.name], right[p.name]) for p in ex.probes]
    return judge(ex, questions, "changed", matching_misconception(ex, questions, 0))


@pytest.mark.parametrize(("id", "name"), cases())
def test_a_forgotten_return_is_spoken_of(id, name):
    verdict = verdict_without_the_return(catalogue.exercise(id), name)
    assert verdict.status in ("failed", "error")
    assert "return" in verdict.message


def test_where_the_check_goes_on_to_read_nothing_the_return_is_asked_for_once():
    message = verdict_without_the_return(catalogue.exercise("4.1"), "Neuron.__call__").message
    assert "the answer is nothing (None). Is a return missing?" in message
    assert "A function without a return" not in message


@pytest.mark.parametrize("name", ["dweight", "after the second time dweight", "x.grad", "x.grad afterwards"])
def test_what_is_written_down_lacks_no_return(name):
    assert not _difference_of(name, np.ones(2), None, 1e-9).nothing


@pytest.mark.parametrize("name", ["returned", "the gradient of x", "after the second time the gradient of x"])
def test_what_is_returned_may_lack_one(name):
    assert _difference_of(name, np.ones(2), None, 1e-9).nothing
