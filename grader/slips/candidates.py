"""All small edits of a learner's answer to one exercise, as texts of functions, the simplest first."""

import ast
import re
from dataclasses import dataclass
from typing import NamedTuple

from ..asking.trying import STEP
from ..checking.place import UNUSUAL
from ..course import regions
from .expressions import edits
from .kinds import DEAREST, Kind
from .scope import Scope
from .statements import COMPOUND, everywhere, of_a_block, over_an_edge

ROLES = {"func": "called", "iter": "looped over", "test": "condition", "target": "written to", "targets": "written to"}
SKIPPED = (ast.JoinedStr, ast.Slice, ast.FormattedValue)  # what a text is made of is not what is wrong

LONGEST = 10_000  # characters of a function that is edited
BEGINS = re.compile(r"^( *)(?:def|for|while)\b.*:$", re.MULTILINE)


class Candidate(NamedTuple):
    """An edit.  kind; line: of the file, where it is made.  name: such as "Value.backward", of the function that is
    edited; text: of that function, inside the classes that it stands in."""

    kind: Kind
    line: int
    name: str
    text: str

    def counted(self):
        """The text, with a step at the beginning of each function and of each round of a loop."""
        return BEGINS.sub(rf"\g<0>\n\1    {STEP}()", self.text)


@dataclass
class Place:
    """A function with a region in it: the outermost one.  classes: those around it.  lines: the region's own."""

    function: ast.FunctionDef
    classes: list
    lines: range

    @property
    def name(self):
        return ".".join([*(each.name for each in self.classes), self.function.name])

    def text(self):
        """The function as it is now, in its classes, without decorators and docstring."""
        own = self.function
        body = own.body[1:] if ast.get_docstring(own, clean=False) is not None else own.body
        bare = ast.FunctionDef(name=own.name, args=own.args, body=body, decorator_list=[], returns=None, lineno=1)
        for each in reversed(self.classes):
            bare = ast.ClassDef(name=each.name, bases=[], keywords=[], body=[bare], decorator_list=[])
        return ast.unparse(bare)


class Answer:
    """A learner's answer to an exercise.  text: of the file.  Raises SyntaxError or MarkerError."""

    def __init__(self, id, text):
        self.id, self.tree = id, ast.parse(text)
        found = [range(r.start + 2, r.end) for r in regions.stub_regions(text) if r.id == id]
        self.places = [place for lines in found for place in _places(self.tree.body, [], lines)]
        fits = all(len(place.text()) <= LONGEST for place in self.places)
        self.is_whole = len(self.places) == len(found) > 0 and fits and not UNUSUAL.search(text)

    def originals(self):
        """The Candidates in which nothing is edited."""
        return [self.of(place) for place in self.places]

    @staticmethod
    def of(place):
        """The Candidate in which nothing of a function is edited."""
        return Candidate(Kind.GONE, 0, place.name, place.text())

    def without(self, place):
        """A Candidate in which a function does nothing but raise an exception."""
        classes = "".join(f"{'    ' * depth}class {each.name}:\n" for depth, each in enumerate(place.classes))
        depth = "    " * len(place.classes)
        arguments = ast.unparse(place.function.args)
        text = f"{classes}{depth}def {place.function.name}({arguments}):\n{depth}    raise AssertionError"
        return Candidate(Kind.GONE, 0, place.name, text)

    def candidates(self, level):
        """The Candidates of this level, each once."""
        seen = {place.text() for place in self.places}
        for place in self.places:
            scope = Scope.of(self.tree, place.function, place.classes)
            for kind, line in _made(place, scope, level):
                text = place.text()
                if text not in seen:
                    seen.add(text)
                    yield Candidate(kind, line, place.name, text)

    def edited(self, file, candidate):
        """The text of the file with the edit in it; layout, comments and docstring of that function are lost."""
        place = next(place for place in self.places if place.name == candidate.name)
        new = ast.parse(candidate.text)
        for _ in place.classes:
            new = new.body[0]
        [function] = new.body
        first = min(node.lineno for node in (place.function, *place.function.decorator_list))
        function.decorator_list, function.returns = place.function.decorator_list, place.function.returns
        indent = " " * place.function.col_offset
        lines = [indent + line for line in ast.unparse(function).splitlines()]
        there = file.splitlines()
        return "\n".join([*there[: first - 1], *lines, *there[place.function.end_lineno :]]) + "\n"

    def block_around(self, lines):
        """(first, last) line of the smallest loop or condition that all these lines lie in, or None."""
        around = [
            (node.lineno, node.end_lineno)
            for place in self.places
            for node in ast.walk(place.function)
            if isinstance(node, COMPOUND) and all(node.lineno <= line <= node.end_lineno for line in lines)
        ]
        return max(around, default=None)


def _places(body, classes, lines):
    """The Place of a region, in a list of none or one."""
    for node in body:
        if node.lineno <= lines.start and lines[-1:] and lines[-1] <= node.end_lineno:
            if isinstance(node, ast.ClassDef):
                yield from _places(node.body, [*classes, node], lines)
            elif isinstance(node, ast.FunctionDef):
                yield Place(node, classes, lines)


class _Site(NamedTuple):
    """A node, and where it stands: parent.field, or parent.field[index]."""

    parent: ast.AST
    field: str
    index: int | None
    node: ast.AST
    line: int

    def put(self, new):
        if self.index is None:
            setattr(self.parent, self.field, new)
        else:
            getattr(self.parent, self.field)[self.index] = new


def _made(place, scope, level):
    """(kind, line) of each edit of this level, which is in the function until the next one is asked for."""
    for site in list(_sites(place.function, place.function, place.lines, 0)):
        if isinstance(site.node, ast.stmt):
            yield from _made_of_a_statement(site, place, scope, level)
        else:
            for kind, new in edits(site.node, ROLES.get(site.field, "value"), scope):
                if kind.level == level:
                    site.put(new)
                    yield kind, site.line
                    site.put(site.node)


def _made_of_a_statement(site, place, scope, level):
    block = getattr(site.parent, site.field)
    edits_here = [(kind, site.line, new) for kind, new in of_a_block(block, site.index, site.parent is place.function)]
    edits_here += [(Kind.MOVED, moved.lineno, new) for moved, new in over_an_edge(block, site.index)]
    for kind, line, new in edits_here:
        if kind.level == level and line in place.lines:
            setattr(site.parent, site.field, [ast.fix_missing_locations(each) for each in new])
            yield kind, line
            setattr(site.parent, site.field, block)
    if level == Kind.EVERYWHERE.level and not isinstance(site.node, (*COMPOUND, ast.FunctionDef, ast.Try)):
        for kind, new in everywhere(site.node, scope):
            site.put(ast.fix_missing_locations(new))
            yield kind, site.line
            site.put(site.node)


def _sites(parent, function, lines, line):
    """The statements and expressions in these lines of a function."""
    for field, value in ast.iter_fields(parent):
        if parent is function and field != "body":
            continue
        for index, node in enumerate(value) if isinstance(value, list) else [(None, value)]:
            if not isinstance(node, ast.AST) or isinstance(node, SKIPPED):
                continue
            at = getattr(node, "lineno", line)
            if at in lines and isinstance(node, (ast.stmt, ast.expr)):
                yield _Site(parent, field, index, node, at)
            yield from _sites(node, function, lines, at)


LEVELS = range(DEAREST + 1)
