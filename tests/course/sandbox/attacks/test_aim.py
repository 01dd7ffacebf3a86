"""Attacks hit what is there: modules and names that they take from the grader are the grader's.

An attack on a name that is gone only stops at its own mistake, and would be held off by anything.
"""

import ast
import sys
import textwrap
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import pytest

sys.path += [str(Path(__file__).parent), str(Path(__file__).parents[2] / "checking" / "mistakes")]
from attack import ATTACKS, submission

for path in sorted(Path(__file__).parent.glob("*_attacks.py")):
    import_module(path.stem)


@pytest.mark.leg("push")
def test_what_an_attack_takes_hold_of_is_there():
    texts = {(attack.name, text) for attack in ATTACKS.values() for _, text in attack_sources(attack)}
    missing = {(attack, name) for attack, text in texts for name in names_in(text) if not is_there(name)}
    assert not missing


def attack_sources(attack):
    """(file, text) of what is handed in otherwise than by the honest, where it is Python."""
    honest, files = submission(attack.honest), submission(attack.honest, attack.edits)
    for file, data in files.items():
        if data != honest.get(file):
            try:
                ast.parse(data)
            except (SyntaxError, ValueError, RecursionError, MemoryError):
                continue  # that is the attack
            yield file, data


def names_in(text):
    """(module, attribute or None) of the grader that a source imports or reads through a name of such a module."""
    modules, tree = {}, ast.parse(text)
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.level == 0 and (node.module or "").split(".")[0] == "grader":
            for alias in node.names:
                yield node.module, alias.name
                modules[alias.asname or alias.name] = f"{node.module}.{alias.name}"
        elif isinstance(node, ast.Import):
            yield from ((alias.name, None) for alias in node.names if alias.name.split(".")[0] == "grader")
        elif isinstance(node, ast.Assign) and (module := _from_sys_modules(node.value)):
            yield module, None
            modules.update({target.id: module for target in node.targets if isinstance(target, ast.Name)})
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute):
            module = modules.get(node.value.id) if isinstance(node.value, ast.Name) else _from_sys_modules(node.value)
            if module and find_spec_of(module):
                yield module, node.attr


def _from_sys_modules(node):
    """The module of the grader that sys.modules["grader. ..."] is, or None."""
    if isinstance(node, ast.Subscript) and ast.unparse(node.value) == "sys.modules":
        name = getattr(node.slice, "value", None)
        return name if isinstance(name, str) and name.startswith("grader.") else None
    return None


def is_there(name):
    module, attribute = name
    if not find_spec_of(module):
        return False
    return attribute is None or hasattr(import_module(module), attribute) or find_spec_of(f"{module}.{attribute}")


def find_spec_of(module):
    try:
        return find_spec(module) is not None
    except (ImportError, ValueError):
        return False


def test_a_name_that_is_gone_is_found():
    text = textwrap.dedent("""
        import sys
        from grader.asking import wire
        from grader import gone
        wire._nothing = sys.modules["grader.asking.ask"].ask = sys.modules["grader.asking.lost"] = 1
    """)
    missing = {name for name in names_in(text) if not is_there(name)}
    assert missing == {("grader", "gone"), ("grader.asking.wire", "_nothing")}
