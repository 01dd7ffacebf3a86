"""The package and the toolbox as their docstrings tell it: a page for each module, as learners have them."""

import ast
import html
import re
from textwrap import dedent

from ..course import regions
from ..course.paths import LEARNER, TOOLBOX, package_folder
from .exercise_pages import label
from .markdown import fenced, raw


def modules():
    """{page: the path of a module}, in order."""
    folders = package_folder(LEARNER), TOOLBOX
    found = [path for folder in folders for path in sorted(folder.rglob("*.py"))]
    paths = [path for path in found if path.parent in folders or path.name != "__init__.py"]
    return {f"package/{name_of(path)}": path for path in paths}


def name_of(path):
    """The dotted name of a module."""
    parts = path.relative_to(LEARNER).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def contents(pages):
    """The page that leads to all of them: {page: path}."""
    names = {page.removeprefix("package/"): path for page, path in pages.items()}
    rows = [f"| [{name_of(path)}]({name}.md) | {first_line(path)} |" for name, path in names.items()]
    hidden = "\n".join(names)
    table = "\n".join(["| module | what it is for |", "|---|---|", *rows])
    return f"# The package\n\n{ABOUT}\n\n{table}\n\n```{{toctree}}\n:hidden:\n\n{hidden}\n```\n"


BEGINS = re.compile(r"\n(?=\.?\w+(?:, \.?\w+)*: |Returns |Raises |Source: )")  # a line about something else
ABOUT = """What `babygrad/` offers, from its docstrings: arguments, shapes, results, errors. What is marked as an
exercise is written by the learner; the rest is there from the start, and so is all of `toolbox/`, which draws, plays
and trains."""


def first_line(path):
    return escaped((ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or "").partition("\n")[0])


def page(path):
    """The MyST of a module."""
    text = path.read_text(encoding="utf-8")
    tree, name = ast.parse(text), name_of(path)
    theirs = exercises_in(text, tree)
    told = [_told(node, name, theirs) for node in tree.body if is_public(node)]
    return "\n\n".join([f"# {escaped(name)}", prose(ast.get_docstring(tree) or ""), *told]) + "\n"


def exercises_in(text, tree):
    """{a function: ids of the exercises whose regions are in it}."""
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
    found = {}
    for region in regions.stub_regions(text):
        for node in functions:
            if node.lineno <= region.start + 1 <= node.end_lineno + 1 and region.id not in found.get(node, []):
                found.setdefault(node, []).append(region.id)
    return found


def is_public(node):
    """Is it a function or class with a docstring that others may use?"""
    kinds = ast.FunctionDef | ast.ClassDef
    return isinstance(node, kinds) and not re.match(r"_(?!_\w+__$)", node.name) and ast.get_docstring(node) is not None


def _told(node, within, theirs):
    if isinstance(node, ast.ClassDef):
        return _class(node, within, theirs)
    decorators = {each.id for each in node.decorator_list if isinstance(each, ast.Name)}
    ids = ", ".join(f"[exercise {id}](#{label(id)})" for id in theirs.get(node, []))
    inside = "\n\n".join(filter(None, [ids, prose(ast.get_docstring(node))]))
    if "property" in decorators:
        return fenced(inside, f"{{py:property}} {within}.{node.name}")
    options = [f":{kind}:" for kind in ("classmethod", "staticmethod") if kind in decorators]
    kind = "method" if is_a_class(within) else "function"
    return fenced(inside, f"{{py:{kind}}} {within}.{node.name}{signature(node, kind)}", [*options, ""])


def is_a_class(name):
    return name.rpartition(".")[2][:1].isupper()


def _class(node, within, theirs):
    name = f"{within}.{node.name}"
    started = next((each for each in node.body if getattr(each, "name", "") == "__init__"), None)
    parts = [_told(each, name, theirs) for each in node.body if is_public(each)]
    inside = "\n\n".join([prose(ast.get_docstring(node)), *parts])
    return fenced(inside, f"{{py:class}} {name}{signature(started, 'method') if started else ''}", [""])


def signature(node, kind):
    """The arguments of a function, as they are written; of a method without self."""
    arguments = node.args
    if kind == "method" and arguments.args and arguments.args[0].arg in ("self", "cls"):
        arguments.args = arguments.args[1:]
    return f"({ast.unparse(arguments)})"


def prose(docstring):
    """A docstring: its paragraphs, and as they are typed those with columns or code."""
    return raw("\n".join(map(_paragraph, re.split(r"\n\s*\n", docstring))))


def _paragraph(text):
    if re.match(r" {4}", text) or re.search(r"\S {3,}\S", text):
        return f"<pre>{html.escape(dedent(text))}</pre>"
    return f"<p>{BEGINS.sub('<br>', html.escape(text))}</p>"


def escaped(text):
    """Text that Markdown leaves alone."""
    return re.sub(r"([\\`*_{}\[\]<>$|#])", r"\\\1", text)
