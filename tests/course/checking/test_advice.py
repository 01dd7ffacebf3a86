"""What an exception gets: a line that is advised works where it is advised."""

import shutil
import sys

import numpy as np
import pytest

from babygrad import Tensor
from grader.asking.outcome import Frame, Stopped
from grader.checking.advice import advice
from grader.course import catalogue
from grader.course.packages import load_package
from grader.course.paths import REFERENCE

FILES = sorted({ex.file for ex in catalogue.all_exercises()})


def stopped(type, message, file="training.py", code=""):
    return Stopped(type, message, (Frame(file, 3, "f", code, own=True),))


def unknown(name, file):
    return advice(stopped("NameError", f"name '{name}' is not defined", file))


@pytest.mark.parametrize(
    ("name", "file", "said"),
    [
        ("np", "training.py", "Put this at the top of the file: import numpy as np"),
        ("np", "value.py", "without NumPy"),
        ("random", "hunts.py", "import random"),
        ("Tensor", "ops/gather.py", "begin the function with: from ..tensor import Tensor"),
        ("Tensor", "normalize.py", "begin the function with: from .tensor import Tensor"),
        ("valeu", "value.py", "Is it spelt right"),
    ],
)
def test_a_name_that_is_not_imported_gets_its_line(name, file, said):
    assert said in unknown(name, file)


def test_a_key_or_an_index_that_is_not_there_is_explained():
    assert "d.get(key, other)" in advice(stopped("KeyError", "'x0'", "compiler.py", "called[x]"))
    said = "index -11 is out of bounds for axis 0 with size 3"
    assert "Print what you use as an index" in advice(stopped("IndexError", said, "transformer.py"))
    assert advice(stopped("IndexError", "list index out of range")) == ""


@pytest.mark.parametrize("file", FILES)
def test_the_lines_that_are_advised_work_in_every_file_of_a_learner(file, tmp_path):
    lines = [unknown(name, file).rpartition(": ")[2] for name in ("math", "random", "Tensor", "Value")]
    shutil.copytree(REFERENCE / "babygrad", tmp_path / "babygrad", ignore=shutil.ignore_patterns("__pycache__"))
    path = tmp_path / "babygrad" / file
    tried = ["def tried():", *(f"    {line}" for line in lines[2:]), "    return math, random, Tensor, Value"]
    path.write_text("\n".join([path.read_text(), *lines[:2], *tried, ""]))
    name = f"tried_{file.removesuffix('.py').replace('/', '_')}"
    try:
        module = load_package(tmp_path, name)
        for part in file.removesuffix(".py").split("/"):
            __import__(f"{module.__name__}.{part}")
            module = sys.modules[f"{module.__name__}.{part}"]
        assert module.tried()[2:] == (sys.modules[f"{name}.tensor"].Tensor, sys.modules[f"{name}.value"].Value)
    finally:
        for loaded in [each for each in sys.modules if each.split(".")[0] == name]:
            del sys.modules[loaded]


@pytest.mark.parametrize(("code", "method"), [("np.sqrt(x)", "x.sqrt()"), ("np.square(x)", "x.exp()")])
def test_a_function_of_numpy_on_a_tensor_gets_the_method_of_that_name(code, method):
    assert f"Write {method} for" in advice(stopped("TypeError", "operand 'Tensor' does not support ufuncs", code=code))


def test_none_where_something_was_expected_is_asked_about():
    assert "without a return statement" in advice(
        stopped("TypeError", "unsupported operand type(s) for *: 'float' and 'NoneType'")
    )


@pytest.mark.parametrize("name", ["std", "var"])
def test_what_a_tensor_does_not_have_is_made_of_what_it_has(name):
    said = advice(stopped("AttributeError", f"'Tensor' object has no attribute '{name}'"))
    assert "mean, -, * and sqrt" in said


def met(code):
    """Words for the exception that a line with Tensors stops with."""
    x, mask = Tensor(np.eye(2)), np.eye(2) > 0
    with pytest.raises(TypeError) as error:
        exec(code, {"x": x, "mask": mask})
    return advice(stopped("TypeError", str(error.value), code=code))


@pytest.mark.parametrize("code", ["x[mask] = 0", "x[0] = 1", "x[:, 0] += 1", "x[mask]=0"])
def test_who_sets_numbers_of_a_tensor_is_told_to_compute_a_new_one(code):
    assert "cannot be set" in met(code)


def test_no_other_index_is_taken_for_a_number_that_is_set():
    assert "cannot be set" not in met("y = [0, 1][mask]") and "cannot be set" not in met("[0][mask] == 0")


def test_the_axes_of_transpose_go_into_one_tuple():
    assert "in one tuple" in met("x.transpose(0, 1)")
