"""Cuts statements out of a module, with all that they need of it and nothing else."""

import ast
from copy import copy
from functools import cache


def cut(body, roots):
    """The text of the statements `roots` of a module's body, with whatever they need of the others, in order."""
    needed = _reached(roots, _definitions(body))
    return "\n\n".join(_cut(node, needed.get(node)) for node in body if node in roots or node in needed)


def _definitions(body):
    """{name: the statements of the module that give it its meaning}."""
    names = {}
    for node in body:
        for name in _defined(node):
            names.setdefault(name, []).append(node)
    return names


@cache
def _defined(node):
    if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
        return [node.name]
    if isinstance(node, (ast.Import, ast.ImportFrom)):
        return [_local_name(alias) for alias in node.names]
    return [x.id for x in ast.walk(node) if isinstance(x, ast.Name) and isinstance(x.ctx, ast.Store)]


def _reached(roots, definitions):
    """{statement: names of it that are used}, of all statements that the roots need."""
    needed, seen, waiting = {}, set(), [name for root in roots for name in _used(root)]
    while waiting:
        name = waiting.pop()
        if name in seen:
            continue
        seen.add(name)
        for node in definitions.get(name, []):
            if node not in needed and not isinstance(node, (ast.Import, ast.ImportFrom)):
                waiting += _used(node)
            needed.setdefault(node, set()).add(name)
    return needed


@cache
def _used(node):
    return [x.id for x in ast.walk(node) if isinstance(x, ast.Name)]


def _cut(node, names):
    """The text of a statement; of an import only the names that are used."""
    if isinstance(node, (ast.Import, ast.ImportFrom)):
        node = copy(node)
        node.names = [alias for alias in node.names if _local_name(alias) in names]
    return ast.unparse(node)


def _local_name(alias):
    return (alias.asname or alias.name).split(".")[0]
