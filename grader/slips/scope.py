"""What may stand in the place of something in an answer: names, attributes, texts that are near."""

import ast
from dataclasses import dataclass, field

# Names that are mistaken for each other.
RELATIVES = (
    ("sum", "mean", "prod", "max", "min"),
    ("reshape", "transpose", "broadcast_to", "swapaxes", "expand_dims"),
    ("maximum", "minimum", "max", "min"),
    ("exp", "log", "sqrt", "log1p", "expm1"),
    ("sin", "cos", "tanh", "sinh", "cosh", "tan"),
    ("zeros", "ones", "zeros_like", "ones_like", "empty_like"),
    ("append", "extend", "insert", "appendleft", "add", "update"),
    ("pop", "popleft"),
    ("argmax", "argmin", "max", "min"),
    ("any", "all"),
    ("list", "tuple", "set", "sorted", "reversed"),
    ("int", "float"),
    ("shape", "size", "ndim"),
    ("data", "grad", "value", "slope"),
    ("TypeError", "ValueError", "IndexError", "KeyError", "RuntimeError"),
)
MOST = 40  # of one sort


@dataclass
class Scope:
    """values: names of arguments and variables.  callables: what the file defines or imports.  attributes: those that
    the function and its class use.  texts: short ones of the file."""

    values: list
    callables: list
    attributes: list
    texts: list = field(default_factory=list)

    @classmethod
    def of(cls, tree, function, classes):
        """tree: of the file.  classes: those around the function."""
        arguments = [node.arg for node in ast.walk(function.args) if isinstance(node, ast.arg)]
        stored = [n.id for n in ast.walk(function) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)]
        own = [n.attr for c in classes for n in ast.walk(c) if _is_of_self(n)]
        used = [node.attr for node in ast.walk(function) if isinstance(node, ast.Attribute)]
        constants = [n.value for n in ast.walk(tree) if isinstance(n, ast.Constant) and isinstance(n.value, str)]
        names = [function.name.strip("_"), *(text for text in constants if len(text) < 20)]
        return cls(
            values=_each([name for name in (*arguments, *stored) if name != "self"]),
            callables=_each(_defined(tree)),
            attributes=_each([*used, *own]),
            texts=_each(names),
        )

    @property
    def makers(self):
        """What an expression may have to be put into: classes of the file, or those that it imports."""
        return [name for name in self.callables if name[0].isupper()][:4]

    def names_for(self, name, is_called):
        """Names that may be meant in the place of this one."""
        near = self.callables if is_called or name in self.callables else [*self.values, "self"]
        return [other for other in _each([*_relatives(name), *near]) if other != name]

    def attributes_for(self, name):
        """Attributes that may be meant in the place of this one."""
        return [other for other in _each([*_relatives(name), *self.attributes]) if other != name]


def _is_of_self(node):
    return isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "self"


def _defined(tree):
    for node in tree.body:
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            yield node.name
        elif isinstance(node, ast.ImportFrom):
            yield from (alias.asname or alias.name for alias in node.names)


def _relatives(name):
    return [other for group in RELATIVES if name in group for other in group]


def _each(things):
    """Each once, no more than MOST."""
    return list(dict.fromkeys(things))[:MOST]
