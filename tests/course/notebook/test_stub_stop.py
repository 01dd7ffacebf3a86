"""A cell that meets an unfilled exercise stops with one plain line; other errors keep their traceback.

One notebook is run in a real kernel, on a small package in a temporary folder.
"""

import os

import nbformat
import pytest
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError

from grader.course.paths import ROOT

VALUE = '''
class Value:
    def __init__(self, data):
        self.data = data

    def __mul__(self, other):
        """The product."""
        # exercise 2.1
        raise NotImplementedError("exercise 2.1: Value.__mul__")
        # end of exercise 2.1


def in_words(a):
    try:
        return a * a
    except NotImplementedError as error:
        raise ValueError("no product yet") from error


def in_passing(a):
    try:
        return a * a
    except NotImplementedError:
        return 1 / 0


def unknown():
    raise NotImplementedError("nobody knows how")
'''
NEURON = "def activation(a):\n    return sum(x * x for x in [a])\n"
BROKEN = "def f(x)\n    return x\n"
SHAPE = 'def unbroadcast():\n    raise NotImplementedError("exercise 12.10: unbroadcast")\n'
FILES = {"__init__": "", "value": VALUE, "scalar_nn": NEURON, "ops/shape": SHAPE, "broken": BROKEN}

START = """
import grader.notebook.stub_stop as s; s.install(get_ipython())
from babygrad.value import *
from babygrad.scalar_nn import activation
from babygrad.ops.shape import unbroadcast
a = Value(2)
"""
FAILING = {
    "a stub": "print('before')\na * a",
    "deep in a given function": "activation(a)",
    "in a folder of the package": "unbroadcast()",
    "while another error is handled": "try:\n    1 / 0\nexcept ZeroDivisionError:\n    a * a",
    "awaited": "async def later():\n    return a * a\nawait later()",
    "a syntax error in a file": "import babygrad.broken",
    "a syntax error in the cell": "exec('1 +')",
    "another message": "unknown()",
    "the notebook's own": "raise NotImplementedError('exercise 2.1: mine')",
    "cause of another error": "in_words(a)",
    "context of another error": "in_passing(a)",
    "no stub at all": "1 / 0",
}
LINE_2_1 = (
    "Exercise 2.1 (Value.__mul__) is not filled in yet: babygrad/value.py, line 9.  "
    "%hint 2.1 helps; make fill EX=2.1 goes on without it."
)
LINE_12_10 = (
    "Exercise 12.10 (unbroadcast) is not filled in yet: babygrad/ops/shape.py, line 2.  "
    "%hint 12.10 helps; make fill EX=12.10 goes on without it."
)


def code_cell(source, may_fail=False):
    return nbformat.v4.new_code_cell(source, metadata={"tags": ["raises-exception"] if may_fail else []})


@pytest.fixture(scope="module")
def run_all(tmp_path_factory):
    """(the cells after "run all", the error that stopped it)"""
    folder = tmp_path_factory.mktemp("course")
    for name, source in FILES.items():
        file = folder / "babygrad" / f"{name}.py"
        file.parent.mkdir(exist_ok=True)
        file.write_text(source)
    cells = [code_cell(START), *(code_cell(code, may_fail=True) for code in FAILING.values())]
    notebook = nbformat.v4.new_notebook(cells=[*cells, code_cell("a * a"), code_cell("print('too far')")])
    env = dict(os.environ, PYTHONPATH=os.pathsep.join([str(folder), str(ROOT)]))
    with pytest.raises(CellExecutionError) as stopped:
        NotebookClient(notebook, timeout=600, startup_timeout=600).execute(env=env)
    return notebook.cells, stopped.value


def outputs(run_all, name):
    cells, _ = run_all
    return cells[1 + list(FAILING).index(name)].outputs


def error(run_all, name):
    return outputs(run_all, name)[-1]


@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("a stub", LINE_2_1),
        ("deep in a given function", LINE_2_1),
        ("in a folder of the package", LINE_12_10),
        ("while another error is handled", LINE_2_1),
        ("awaited", LINE_2_1),
    ],
)
def test_stub_gives_one_plain_line_with_exercise_and_file(run_all, name, line):
    assert error(run_all, name).traceback == [line]


def test_a_syntax_error_in_a_file_is_one_line_and_the_line_itself(run_all):
    line = "Python could not read babygrad/broken.py, line 1: expected ':'.\n    def f(x)"
    assert error(run_all, "a syntax error in a file").traceback == [line]


def test_a_syntax_error_elsewhere_is_shown_as_always(run_all):
    shown = "\n".join(error(run_all, "a syntax error in the cell").traceback)
    assert "SyntaxError" in shown and "Python could not read" not in shown


def test_only_the_line_is_shown_after_what_the_cell_printed(run_all):
    printed, error = outputs(run_all, "a stub")
    assert (printed.text, error.output_type, error.ename) == ("before\n", "error", "NotImplementedError")


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("another message", "NotImplementedError"),
        ("the notebook's own", "NotImplementedError"),
        ("cause of another error", "ValueError"),
        ("context of another error", "ZeroDivisionError"),
        ("no stub at all", "ZeroDivisionError"),
    ],
)
def test_other_errors_keep_their_traceback(run_all, name, kind):
    assert error(run_all, name).ename == kind
    shown = "\n".join(error(run_all, name).traceback)
    assert "Traceback (most recent call last)" in shown
    assert "stub_stop" not in shown


def test_run_all_stops_at_a_stub(run_all):
    cells, stopped = run_all
    assert LINE_2_1 in str(stopped)
    assert [output.output_type for output in cells[-2].outputs] == ["error"]
    assert cells[-1].outputs == []
    assert cells[-1].execution_count is None
