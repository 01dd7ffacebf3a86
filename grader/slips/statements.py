"""Small edits of statements: one left out, moved, or written another way."""

import ast
import copy
import itertools

from .expressions import edits, neighbours_exchanged
from .kinds import Kind

COMPOUND = (ast.For, ast.While, ast.If, ast.With)
MORE = (ast.Add, ast.Sub, ast.Mult, ast.Div)


def of_a_block(block, place, is_outermost):
    """(Kind, new block, the statement that is at fault) of edits of the statement block[place].

    is_outermost: is it the body of the function?
    """
    here = block[place]
    yield from ((kind, new, here) for kind, new in _of_a_statement(block, place, is_outermost))
    if isinstance(here, COMPOUND):
        yield from _of_a_compound(block, place)


def _of_a_statement(block, place, is_outermost):
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


def _of_a_compound(block, place):
    """A statement at the edge of a loop or a condition goes in or out, and is at fault; a condition is left out."""
    here, before, after = block[place], block[:place], block[place + 1 :]
    inside = here.body
    if len(inside) > 1:
        yield Kind.MOVED, [*before, _with_body(here, inside[:-1]), inside[-1], *after], inside[-1]
        yield Kind.MOVED, [*before, inside[0], _with_body(here, inside[1:]), *after], inside[0]
    if after:
        yield Kind.MOVED, [*before, _with_body(here, [*inside, after[0]]), *after[1:]], after[0]
    if before:
        yield Kind.MOVED, [*before[:-1], _with_body(here, [before[-1], *inside]), *after], before[-1]
    if isinstance(here, (ast.If, ast.With)):
        yield Kind.DROPPED, [*before, *inside, *after], here
    if isinstance(here, ast.If) and not here.orelse and after:
        yield Kind.MOVED, [*before, ast.If(here.test, inside, after)], after[0]


def everywhere(statement, scope):
    """(Kind, new statement) of the same edit at several places of one statement that holds no other."""
    nodes = [node for node in ast.walk(statement) if isinstance(node, ast.expr) and _is_read(node)]
    names = dict.fromkeys(node.id for node in nodes if isinstance(node, ast.Name) and node.id in scope.values)
    for one, other in itertools.combinations(names, 2):
        yield Kind.EVERYWHERE, _renamed(statement, {one: other, other: one})
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


def _renamed(statement, names):
    new = copy.deepcopy(statement)
    for node in ast.walk(new):
        if isinstance(node, ast.Name):
            node.id = names.get(node.id, node.id)
    return new


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
