"""Who imports whom, read from the sources: no circles but one, and rooms import only downwards.

An import inside a function counts like any other: it may make a start quicker, never hide a circle.
"""

import ast
from functools import cache
from graphlib import CycleError, TopologicalSorter

import pytest

from grader.course import catalogue
from grader.course.paths import ROOT
from grader.course.rooms import ROOMS

PLACES = [room.place for room in ROOMS]

# The highest room that such a file of tests/exercises may import.
EXERCISES = {
    "exercises": "grader/course",
    "questions": "grader/probes",
    "marking": "grader/broken_engines",
    "mistakes": "grader/probes",
    "other_answers": "grader/course",
    "exam": "grader/exam",
}
# Operations are made of Tensors, and a Tensor's methods are operations: what imports whom besides.
THE_CIRCLE = {"babygrad/tensor.py": "babygrad/ops/", "babygrad/ops/__init__.py": "babygrad/tensor.py"}
WORKS = "grader/sandbox/outside/grading.py"  # what a worker calls with each submission


def graph_of(top, folders):
    """{file: the files that it imports}, as paths below top."""
    files = sorted(path for folder in folders for path in (top / folder).rglob("*.py"))
    return {path.relative_to(top).as_posix(): imported(path, top) for path in files}


@cache
def imported(path, top):
    """The files below top that a file imports, anywhere in it."""
    package = path.relative_to(top).parent.parts
    found = set()
    for node in ast.walk(ast.parse(path.read_bytes())):
        if isinstance(node, ast.Import):
            found |= {_file(alias.name.split("."), top) for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else ()
            module = [*base, *(node.module or "").split(".")] if node.module else [*base]
            found |= {_file([*module, alias.name], top) or _file(module, top) for alias in node.names}
    return frozenset(found - {None})


def _file(names, top):
    """The module or package with this dotted name, if it is one of those below top."""
    place = top.joinpath(*names)
    candidates = (place.with_suffix(".py"), place / "__init__.py") if names else ()
    return next((path.relative_to(top).as_posix() for path in candidates if path.is_file()), None)


def demand_no_circle(graph):
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        raise AssertionError("a circle: " + " imports ".join(reversed(error.args[1]))) from None


def room_of(file):
    """The place of the room that a file lies in; what is in no other room of the toolbox is in toolbox/."""
    folder = file.rpartition("/")[0]
    return "toolbox" if file.startswith("toolbox/") and folder not in PLACES else folder


def upward(graph):
    """Sentences about the imports of a room by a lower one."""
    floor = {place: number for number, place in enumerate(PLACES)}
    for file, others in graph.items():
        for other in sorted(others):
            of_both = all(each.startswith(("grader/", "toolbox/")) for each in (file, other))
            if of_both and floor[room_of(other)] > floor[room_of(file)]:
                yield f"{file} imports {other}"


def test_no_modules_import_each_other_in_a_circle():
    demand_no_circle(graph_of(ROOT, ["grader", "tests/exercises", "toolbox"]))
    engine = graph_of(ROOT / "solutions", ["babygrad"])
    for file, imports in THE_CIRCLE.items():
        found = {other for other in engine[file] if other.startswith(imports)}
        assert found
        engine[file] -= found
    demand_no_circle(engine)


def test_rooms_import_only_downwards():
    assert list(upward(graph_of(ROOT, ["grader", "toolbox"]))) == []


@pytest.mark.parametrize(("name", "highest"), EXERCISES.items())
def test_a_file_of_exercises_imports_no_higher_room(name, highest):
    """What asks knows nothing that judges, and nothing knows of a check."""
    graph = {path: files for path, files in graph_of(ROOT, ["tests/exercises"]).items() if path.endswith(f"/{name}.py")}
    rooms = {room_of(file) for files in graph.values() for file in files if file.startswith("grader/")}
    there = {path.parent for path in (ROOT / "tests/exercises").glob(f"nb*/{name}.*")}  # a .md has nothing but edits
    assert len(there) == len(catalogue.notebooks()) and rooms <= {*PLACES[: PLACES.index(highest) + 1]}


def test_every_folder_of_the_grader_is_a_room():
    """A new one is put in its place in course/rooms.py, with what holds of it."""
    assert {room_of(file) for file in graph_of(ROOT, ["grader", "toolbox"])} == {*PLACES}


def test_what_is_said_of_the_files_of_a_room_is_said_of_files_that_are_there():
    said = [(room, pattern) for room in ROOMS for pattern in (*room.beside, *room.left_out, *room.page)]
    assert [(room.place, pattern) for room, pattern in said if not room.files([pattern])] == []


def test_what_a_worker_runs_lies_in_rooms_that_decide():
    """Then nobody who changes another room has a class graded again, and nobody who changes these has not."""
    graph = graph_of(ROOT, ["grader", "toolbox"])
    reached, waiting = set(), [WORKS]
    while waiting:
        file = waiting.pop()
        if file not in reached:
            reached.add(file)
            waiting += graph[file]
    deciding = [room.place for room in ROOMS if room.decides]
    elsewhere = {file for file in reached if room_of(file) not in deciding}
    assert elsewhere == set() and len(reached) > 20


# ---- the drawing itself ----


@pytest.fixture
def tree(tmp_path):
    """A package with a circle, closed by imports inside functions, and with one import upwards."""
    texts = {
        "__init__": "",
        "course/__init__": "",
        "course/a": "import ast\nfrom grader.course.b import f\n",
        "course/b": "def f():\n    from . import c\n",
        "course/c": "class C:\n    def f(self):\n        from ..course import a\n",
        "asking/__init__": "",
        "asking/d": "from ..course import a, nothing\nimport grader.course.b\n",
        "course/e": "def f():\n    import grader.asking.d as d\n",
    }
    for name, text in texts.items():
        path = tmp_path / "grader" / f"{name}.py"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return graph_of(tmp_path, ["grader"])


def test_a_circle_is_found_and_told(tree):
    a, b, c = (f"grader/course/{name}.py" for name in "abc")
    chain = " imports ".join([a, b, c, a, b, c])
    with pytest.raises(AssertionError) as told:
        demand_no_circle(tree)
    assert str(told.value).removeprefix("a circle: ") in chain
    demand_no_circle({**tree, c: set()})


def test_an_import_upwards_is_found_and_told(tree):
    assert list(upward(tree)) == ["grader/course/e.py imports grader/asking/d.py"]


def test_a_name_of_a_package_is_an_import_of_its_init(tree):
    assert tree["grader/asking/d.py"] == {
        "grader/course/a.py", "grader/course/__init__.py", "grader/course/b.py"
    }  # fmt: skip
