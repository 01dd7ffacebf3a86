"""Cuts out of the course what may lie beside a stranger's code: the probes, and what asks them.

Of each file of exercises the probes and what they call are kept; hints, comparisons and everything else stay behind.
No misconception, no reference, no expected number is anywhere near.
"""

import ast
import shutil
from pathlib import Path

from ...course import catalogue
from ...course.paths import ROOT
from .cutting import cut

# The rooms that run beside the learner's code.
ROOMS = """
    __init__
    course/__init__ course/exercise course/packages course/paths course/regions course/stub_message
    asking/__init__ asking/arrays asking/ask asking/draws asking/encoding asking/files asking/outcome asking/pipes
    asking/tapes asking/wire
    probes/__init__ probes/node_orders probes/probing probes/recipe
    marking/__init__ marking/arrays marking/compare
    sandbox/__init__ sandbox/inside/__init__ sandbox/inside/given_code sandbox/inside/kernel sandbox/inside/landlock
    sandbox/inside/pod sandbox/inside/rlimits sandbox/inside/roots sandbox/inside/server sandbox/inside/walls
""".split()  # noqa: SIM905

_COURSE = '''"""The probes of the course, and nothing else of it."""

from importlib import import_module

from .exercise import Probe

NOTEBOOKS = {notebooks!r}
FILES = {files!r}
_questions = {{}}


class Questions:
    """What the process needs to know of an exercise: its file and its probes."""

    def __init__(self, id):
        self.id, self.file, self.probes = id, FILES[id], []
        _questions[id] = self

    def probe(self):
        """Register the decorated function as a question."""

        def register(function):
            self.probes.append(Probe(function.__name__, "", function))
            return function

        return register


def exercise(id):
    """The Questions of an exercise."""
    return _questions[id]


def load():
    """Import the probes of all notebooks."""
    for name in NOTEBOOKS:
        import_module("." + name, "grader.questions")
'''


def make(folder, questions=True):
    """Write the bundle into folder, which must not exist.  Returns the folder.

    questions: False leaves the probes out, which is quicker, to try the walls.
    """
    folder = Path(folder)
    for room in ROOMS:
        target = folder / "grader" / f"{room}.py"
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(ROOT / "grader" / f"{room}.py", target)
    probes = folder / "grader" / "questions"
    probes.mkdir()
    (probes / "__init__.py").write_text('"""Questions, each notebook\'s in a file."""\n')
    sources = catalogue.exercise_files() if questions else []
    for path in sources:
        (probes / path.name).write_text(probes_of(path.read_text(encoding="utf-8")), encoding="utf-8")
    files = {ex.id: ex.file for path in sources for ex in catalogue.exercises_of(path.stem[2:4])}
    text = _COURSE.format(notebooks=[path.stem for path in sources], files=files)
    (folder / "grader" / "course" / "catalogue.py").write_text(text)
    for path in [folder, *folder.rglob("*")]:
        path.chmod(0o755 if path.is_dir() else 0o644)
    return folder


def probes_of(source):
    """The text of a module with the probes of an exercise file, and the helpers that they call."""
    tree = ast.parse(source)
    _without_answers(tree)
    asking = _asking(tree.body)
    roots = [node for node in tree.body if _register(_run_at_once(node), asking)]
    return f"from grader.course.catalogue import Questions\n\n{cut(tree.body, roots)}\n"


def _without_answers(tree):
    """Exercise("7.6", ...) becomes Questions("7.6"), and of  ex.probe(asked=..., compare=...)  ex.probe() is left."""
    for x in ast.walk(tree):
        if _is_registering(x):
            x.args, x.keywords = [], []
        elif isinstance(x, ast.Call) and getattr(x.func, "id", "") == "Exercise":
            x.func.id, x.args, x.keywords = "Questions", x.args[:1], []


def _asking(body):
    """Names of the functions that register a probe when they are called, themselves or through another."""
    functions = [node for node in body if isinstance(node, ast.FunctionDef)]
    found = {node.name for node in functions if _register(node.body, ())}
    names = {node.name: {x.id for part in node.body for x in ast.walk(part) if isinstance(x, ast.Name)}
             for node in functions}  # fmt: skip
    while more := {name for name in names.keys() - found if names[name] & found}:
        found |= more
    return found


def _run_at_once(node):
    """The parts of a module's statement that run when the module is imported."""
    if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
        return node.decorator_list
    return [node]


def _register(parts, asking):
    """Is there a call of .probe() in these, or a name of one that calls it?"""
    return any(_is_registering(x) or getattr(x, "id", None) in asking for part in parts for x in ast.walk(part))


def _is_registering(x):
    return isinstance(x, ast.Call) and getattr(x.func, "attr", "") == "probe"
