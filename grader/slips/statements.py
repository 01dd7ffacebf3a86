"""Small edits of statements: one left out, moved, or written another way."""

import ast
import copy
import itertools

from .expressions import edits, neighbours_exchanged
from .kinds import Kind

COMPOUND = (ast.For, ast.While, ast.If, ast.With)
MOST_THINGS = 8  # of a statement, each two of which are exchanged
MORE = (ast.Add, ast.Sub, ast.Mult, ast.Div)


def of_a_block(block, place, is_outermost):
    """(Kind, new block) of edits of the statement block[place].  is_outermost: is it the body of the function?"""
    here = block[place]

    def instead(*new):
        return [*block[:place], *new, *block[place + 1 :]]

    yield Kind.GONE, instead() if len(block) > 1 else [ast.Pass()]
    if place + 1 < len(block):
        yield Kind.MOVED, [*block[:place], block[place + 1], here, *block[place + 2 :]]
    if isinstance(here, ast.Expr):
        yield Kind.RETURN, instead(ast.Return(here.value))
    elif isinstance(here, (ast.Break, ast.Continue)):
        yield Kind.NAME, instead(ast.Continue() if isinstance(here, ast.Break) else ast.Break())
    elif isinstance(here, ast.Assign) and len(here.targets) == 1:
        yield from ((kind, instead(*new)) for kind, new in _of_an_assignment(here, place + 1 == len(block)))
    elif isinstance(here, ast.AugAssign):
        yield from ((kind, instead(new)) for kind, new in _of_a_change(here))
    elif isinstance(here, (ast.If, ast.With)):
        yield Kind.DROPPED, [*block[:place], *here.body, *block[place + 1 :]]
    elif isinstance(here, ast.Return) and here.value is not None and not is_outermost:
        yield Kind.RETURN, instead(ast.Expr(here.value))


def _of_an_assignment(here, is_last):
    target, value = here.targets[0], here.value
    loaded = _loaded(target)
    if isinstance(target, (ast.Name, ast.Attribute, ast.Subscript)):
        yield from ((Kind.ASSIGNMENT, [ast.AugAssign(target, op(), value)]) for op in MORE[:3])
        if isinstance(value, ast.BinOp) and ast.dump(value.left) == ast.dump(loaded):
            yield Kind.ASSIGNMENT, [ast.AugAssign(target, value.op, value.right)]
        if not isinstance(target, ast.Subscript):
            whole = ast.Subscript(loaded, ast.Slice(), ast.Store())
            yield Kind.ASSIGNMENT, [ast.Assign([whole], value)]
            yield Kind.FORM, [ast.Assign([ast.Tuple([target], ast.Store())], value)]
    elif isinstance(target, ast.Tuple):
        for items in neighbours_exchanged(target.elts):
            yield Kind.EXCHANGED, [ast.Assign([ast.Tuple(items, ast.Store())], value)]
        if len(target.elts) == 1:
            yield Kind.FORM, [ast.Assign([target.elts[0]], value)]
    if is_last:
        yield Kind.RETURN, [here, ast.Return(loaded)]


def _of_a_change(here):
    yield Kind.ASSIGNMENT, ast.Assign([here.target], here.value)
    yield Kind.ASSIGNMENT, ast.Assign([here.target], ast.BinOp(_loaded(here.target), here.op, here.value))
    for op in MORE:
        if not isinstance(here.op, op):
            yield Kind.OPERATOR, ast.AugAssign(here.target, op(), here.value)


def over_an_edge(block, place):
    """(statement, new block) where the statement goes into the loop or condition block[place], or out of it."""
    here, before, after = block[place], block[:place], block[place + 1 :]
    if not isinstance(here, COMPOUND):
        return
    inside = here.body
    if len(inside) > 1:
        yield inside[-1], [*before, _with_body(here, inside[:-1]), inside[-1], *after]
        yield inside[0], [*before, inside[0], _with_body(here, inside[1:]), *after]
    if after:
        yield after[0], [*before, _with_body(here, [*inside, after[0]]), *after[1:]]
    if before:
        yield before[-1], [*before[:-1], _with_body(here, [before[-1], *inside]), *after]
    if isinstance(here, ast.If) and not here.orelse and after:
        yield after[0], [*before, ast.If(here.test, inside, after)]


def everywhere(statement, scope):
    """(Kind, new statement) of edits at several places of one statement that holds no other."""
    nodes = [node for node in ast.walk(statement) if isinstance(node, ast.expr) and _is_read(node)]
    things = {ast.dump(node): node for node in nodes if _is_a_thing(node, scope)}
    for one, other in itertools.combinations([*things][:MOST_THINGS], 2):
        yield Kind.PLACES, _Exchanged({one: things[other], other: things[one]}).visit(copy.deepcopy(statement))
    dumps = [ast.dump(node) for node in nodes]
    several = {dump: node for dump, node in zip(dumps, nodes, strict=True) if dumps.count(dump) > 1}
    for dump, node in several.items():
        for kind, new in edits(node, "value", scope):
            if kind not in (Kind.WRAPPED, Kind.FACTOR):
                yield Kind.EVERYWHERE, _Everywhere(lambda each, dump=dump: ast.dump(each) == dump, new).made(statement)
    called = [ast.dump(node.func) for node in nodes if isinstance(node, ast.Call) and node.args]
    for dump in {dump for dump in called if called.count(dump) > 1}:
        is_it = lambda each, dump=dump: isinstance(each, ast.Call) and each.args and ast.dump(each.func) == dump
        yield Kind.EVERYWHERE, _Everywhere(is_it, None).made(statement)


class _Everywhere(ast.NodeTransformer):
    """Puts one expression in the place of all that is_it(node) is true of; without one, the call's first argument."""

    def __init__(self, is_it, new):
        self._is_it, self._new = is_it, new

    def made(self, statement):
        return self.visit(copy.deepcopy(statement))

    def visit(self, node):
        if isinstance(node, ast.expr) and _is_read(node) and self._is_it(node):
            return copy.deepcopy(self._new) if self._new else self.visit(node.args[0])
        return self.generic_visit(node)


def _is_read(node):
    return isinstance(getattr(node, "ctx", ast.Load()), ast.Load)


def _is_a_thing(node, scope):
    """Is it a variable, or an attribute of one?"""
    name = node.value if isinstance(node, ast.Attribute) else node
    return isinstance(name, ast.Name) and name.id in (*scope.values, "self")


class _Exchanged(ast.NodeTransformer):
    """Puts other expressions in the places of some.  instead: {ast.dump of what is there: the other}."""

    def __init__(self, instead):
        self._instead = instead

    def visit(self, node):
        other = isinstance(node, ast.expr) and _is_read(node) and self._instead.get(ast.dump(node))
        return copy.deepcopy(other) if other else self.generic_visit(node)


def _with_body(statement, body):
    new = copy.copy(statement)
    new.body = body
    return new


def _loaded(target):
    """The same expression, to be read."""
    new = copy.deepcopy(target)
    for node in ast.walk(new):
        if hasattr(node, "ctx"):
            node.ctx = ast.Load()
    return new
