"""Exam questions solved: their code is run by the reference, and by copies of it with a misconception."""

import base64
import contextlib
from functools import cache
from importlib import import_module
from typing import NamedTuple

import numpy as np

from toolbox import draw_graph

from ..checking.reference import reference
from ..course import catalogue
from ..course.packages import reference_with

NAMES = (
    *("Value", "Dual", "Tensor", "grad", "no_grad", "SGD", "trace", "compile"),
    *("numerical_derivative", "numerical_gradient"),
)
MODULES = (
    *("derivatives", "value", "scalar_nn", "shapes_and_rules", "autograd", "nn", "losses", "optim", "normalize"),
    *("forward_mode", "higher", "compiler", "transformer", "conv", "conv_net"),
)


class Unsolved(Exception):
    """A wrong idea under which the code gives no answer."""


def solved(drawn):
    """The right answers, as texts: one for each expression that is asked, or for each line that is printed.

    Of a choice without code, the right one.
    """
    if not drawn.question.code:
        return [drawn.filled(drawn.question.answer)]
    return shown(values(drawn, names_of(reference())))


def mistaken(drawn, wrong):
    """What somebody answers who makes this mistake, as solved() has it.  Raises Unsolved."""
    if not drawn.question.code:
        return [drawn.filled(wrong.idea)]
    if isinstance(wrong.idea, str):
        names = names_of(reference())
        answers = values(drawn, names)
        answers[wrong.at or 0] = [_plain(eval(drawn.filled(wrong.idea), names))]
        return shown(answers)
    id, name = wrong.idea
    with _reference_with(id, name) as package:
        try:
            return shown(values(drawn, names_of(package)))
        except Exception as error:
            raise Unsolved(f"{drawn.question.id}, {name}: {error!r}") from error


@contextlib.contextmanager
def keeping_copies():
    """In this block each copy with a misconception is made once, however often it is asked."""
    global _kept
    with contextlib.ExitStack() as stack:
        _kept = cache(lambda id, name: stack.enter_context(reference_with(misconception(id, name))))
        try:
            yield
        finally:
            _kept = None


_kept = None


def _reference_with(id, name):
    """A context: the copy of the reference with this misconception."""
    return contextlib.nullcontext(_kept(id, name)) if _kept else reference_with(misconception(id, name))


def misconception(id, name):
    """The misconception of this exercise with this name.  Raises KeyError."""
    return {idea.name: idea for idea in catalogue.misconceptions_of(catalogue.exercise(id))}[name]


def values(drawn, names, code=""):
    """What is asked: for each expression a list of its value, or for each print() what it was called with.

    code: another one that does the same.
    """
    printed = run(code or drawn.code, names)
    return [[_plain(eval(expression, names))] for expression in drawn.question.answers.values()] or printed


def run(code, names):
    """Run code with these names, to which it adds its own.  Returns what each print() was called with."""
    printed = []
    names["print"] = lambda *things: printed.append(list(things))
    with np.errstate(all="ignore"):
        exec(code, names)
    return printed


def shown(values):
    """Lists of values as texts, as print() writes them; a long float with six digits."""
    return [" ".join(map(_as_text, things)) for things in values]


def _plain(thing):
    """NumPy's numbers and arrays as Python's numbers and lists."""
    if isinstance(thing, (list, tuple)):
        return type(thing)(map(_plain, thing))
    return thing.tolist() if isinstance(thing, (np.ndarray, np.generic)) else thing


def _as_text(thing):
    if isinstance(thing, list):
        return f"[{', '.join(map(_as_text, thing))}]"
    return f"{thing:.6g}" if isinstance(thing, float) and len(str(thing)) > 8 else str(thing)


class Picture(NamedTuple):
    """svg: in base64.  text: the same for those who do not see it."""

    svg: str
    text: str


def picture(drawn):
    """The Picture of a question's graph, with room for results, local derivatives and gradients.

    None where the question has no graph, or nothing is installed that can draw.
    """
    if not drawn.question.graph:
        return None
    names = names_of(reference())
    run(drawn.code, names)
    drawing = draw_graph(names[drawn.question.graph], blank="all")
    return Picture(base64.b64encode(drawing.svg.encode()).decode(), str(drawing)) if drawing.svg else None


def names_of(package):
    """What a question's code can use without importing it."""
    modules = {name: import_module(f"{package.__name__}.{name}") for name in MODULES}
    return {"np": np} | {name: getattr(package, name) for name in NAMES} | modules
