"""What a learner wrote for an exercise: a sentence about the text of an answer is said only where it is true of it.

Where the text is not known, or Python cannot read the file, every question that begins with may is answered with yes.
"""

import ast
import re
from functools import cached_property

from ..course import regions
from . import place

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_SCOPES = (*_FUNCTIONS, ast.Lambda, ast.ClassDef)
_BELOW_A_CONDITION = (ast.If, ast.IfExp, ast.For, ast.While, ast.comprehension, ast.ListComp, ast.GeneratorExp)


class Written:
    """The answer to the exercise with this id.  file: its name.  data: the bytes of the file, or None."""

    def __init__(self, id="", file="", data=None):
        self.file, self._id = file, id
        found = [region for region in regions.regions_in(data or b"") if region.id == id]
        self.lines = frozenset(line for each in found for line in range(each.start + 2, each.end))  # counted from 1
        self.text = "\n".join(line for each in found for line in each.body) if found else None
        self._file_text = data.decode("utf-8") if found else ""
        self._tree = _parsed(data) if found else None
        self._functions = list(_outermost(self._tree, self.lines)) if self._tree else None

    @cached_property
    def _rows(self):
        return place.rows_in(self._id, self._file_text) if self._tree else []

    @property
    def is_one_line(self):
        return len(self.lines) == 1

    def line_with(self, signs):
        """(number, text) of the only line of it that has one of these signs of a misconception, or None."""
        number = place.line_with(signs, self._rows)
        return (number, self._file_text.splitlines()[number - 1].strip()) if number else None

    def has_all(self, signs):
        """Does it have each of these signs, and is there one?"""
        return place.has_all(signs, self._rows)

    def has_line(self, frame):
        """Does this Frame's line stand in it?"""
        return frame.file == self.file and type(frame.line) is int and frame.line in self.lines

    def may_have(self, pattern):
        """Does this occur in it?"""
        return self.text is None or re.search(pattern, self.text) is not None

    def may_lack_a_return(self):
        """Is there a way through one of its functions that ends without a return?"""
        return self._functions is None or any(_lacks_a_return(function) for function in self._functions)

    def may_be_around(self, name):
        """Does the answer stand in a function of this name, or define it?"""
        return self._functions is None or name in [function.name for function in self._functions]

    def assigned_outside(self, name):
        """Do two of its functions assign this name, one inside the other, or is it an argument of the outer one?"""
        binding = [outer for outer in self._functions or () if _binds(outer, name)]
        return any(_binds(inner, name) for outer in binding for inner in _inside(outer))

    def walks_down(self, name):
        """Does a function of the file call itself in a loop or below a condition, as a walk through a graph does?"""
        every = ast.walk(self._tree) if self._tree else ()
        of_that_name = [each for each in every if isinstance(each, _FUNCTIONS) and each.name == name]
        below = [n for each in of_that_name for n in ast.walk(each) if isinstance(n, _BELOW_A_CONDITION)]
        return any(_calls(node, name) for node in below)


def _parsed(data):
    try:
        return ast.parse(data.decode("utf-8"))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def _outermost(node, lines):
    """The functions that the lines stand in, or that begin there: no function inside of another."""
    for inside in ast.iter_child_nodes(node):
        if isinstance(inside, _FUNCTIONS):
            if not lines.isdisjoint(range(inside.lineno, inside.end_lineno + 1)):
                yield inside
        elif isinstance(inside, ast.stmt):
            yield from _outermost(inside, lines)


def _inside(function):
    return (node for node in ast.walk(function) if isinstance(node, _FUNCTIONS) and node is not function)


def _lacks_a_return(function):
    own = list(_own(function))
    if function.name == "__init__" or any(isinstance(node, ast.Yield | ast.YieldFrom) for node in own):
        return False
    handed_out = {node.value.id for node in own if isinstance(node, ast.Return) and isinstance(node.value, ast.Name)}
    inner = [node for node in own if isinstance(node, _FUNCTIONS) and node.name in handed_out]
    return any(map(_lacks_a_return, inner)) or (not _is_a_procedure(function, own) and _falls_off(function.body))


def _is_a_procedure(function, own):
    """Does its docstring promise no result?"""
    words = ast.get_docstring(function) or "returns"
    return "return" not in words.lower() and not any(isinstance(node, ast.Return) and node.value for node in own)


def _own(function):
    """The nodes of a function without those of functions and classes inside."""
    waiting = list(ast.iter_child_nodes(function))
    while waiting:
        node = waiting.pop()
        yield node
        if not isinstance(node, _SCOPES):
            waiting += ast.iter_child_nodes(node)


def _falls_off(statements):
    """May the end of these statements be reached?"""
    return all(map(_goes_on, statements))


def _goes_on(statement):
    """May Python reach what stands after this statement?"""
    match statement:
        case ast.Return() | ast.Raise():
            return False
        case ast.If():
            return _falls_off(statement.body) or _falls_off(statement.orelse)
        case ast.With() | ast.AsyncWith():
            return _falls_off(statement.body)
        case ast.While(test=ast.Constant(value=value)) if value:
            return any(isinstance(node, ast.Break) for node in ast.walk(statement))
        case ast.Try():
            ways = [[*statement.body, *statement.orelse], *(handler.body for handler in statement.handlers)]
            return any(map(_falls_off, ways)) and _falls_off(statement.finalbody)
        case ast.Match():
            caught = any(isinstance(case.pattern, ast.MatchAs) and not case.pattern.pattern for case in statement.cases)
            return not caught or any(_falls_off(case.body) for case in statement.cases)
    return True


def _binds(function, name):
    """Does the function assign this name itself, or take it as an argument?"""
    given = [node.arg for node in ast.walk(function.args) if isinstance(node, ast.arg)]
    stored = [n.id for n in _own(function) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)]
    return name in (*given, *stored)


def _calls(node, name):
    called = [each.func for each in ast.walk(node) if isinstance(each, ast.Call)]
    return name in [getattr(function, "id", getattr(function, "attr", "")) for function in called]


UNKNOWN = Written()
