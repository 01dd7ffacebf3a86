"""What an exception gets: a line that is advised works where it is advised."""

import shutil
import sys
from types import SimpleNamespace

import numpy as np
import pytest

from babygrad import Tensor
from grader.asking.outcome import Frame, Stopped
from grader.checking import messages
from grader.checking.advice import advice, own_line
from grader.checking.number_patterns import pattern_in
from grader.checking.question import Question
from grader.checking.questioning import Died
from grader.checking.written import Written
from grader.course import catalogue
from grader.course.packages import load_package
from grader.course.paths import REFERENCE
from grader.probes.probing import TOO_MANY_TO_NUDGE

FILES = sorted({ex.file for ex in catalogue.all_exercises()})
DEEP = """

def deep(x, layers):
    if not layers:
        raise TypeError("this is too deep")
    return deep(x, layers - 1)
"""


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


def test_no_tensor_is_offered_where_one_would_only_cut_the_graph():
    said = unknown("Tensor", "transformer.py")
    assert "by themselves" in said and "import Tensor" not in said


def test_a_key_or_an_index_that_is_not_there_is_explained():
    assert "d.get(key, other)" in advice(stopped("KeyError", "'x0'", "compiler.py", "called[x]"))
    said = "index -11 is out of bounds for axis 0 with size 3"
    assert "Print what you use as an index" in advice(stopped("IndexError", said, "transformer.py"))
    assert advice(stopped("IndexError", "list index out of range")) == ""


@pytest.mark.parametrize("file", FILES)
def test_the_lines_that_are_advised_work_in_every_file_of_a_learner(file, tmp_path):
    of_tensor = "losses.py" if file == "transformer.py" else file
    asked = ("math", file), ("random", file), ("Tensor", of_tensor), ("Value", file)
    lines = [unknown(*each).rpartition(": ")[2] for each in asked]
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


def test_an_argument_of_a_rule_is_no_attribute_of_the_operation():
    said = advice(stopped("AttributeError", "'Gather' object has no attribute 'out_grad'", "ops/gather.py"))
    assert "arguments of backward" in said
    assert advice(stopped("AttributeError", "'Gather' object has no attribute 'shape'", "ops/gather.py")) == ""


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


def written(*lines, file="value.py", id="2.1"):
    """An answer of these lines, which begins in line 4 of its file."""
    body = "".join(f"    {line}\n" for line in lines)
    text = f'def f(x):\n    """Returns a number."""\n    # exercise {id}\n{body}    # end of exercise {id}\n'
    return Written(id, file, text.encode())


def test_a_loop_is_advised_to_a_walk_that_goes_deep_and_to_no_operator():
    deep = Stopped("RecursionError", "maximum recursion depth exceeded", (Frame("value.py", 6, "visit", "", own=True),))
    walk = written("def visit(node):", "    for each in node:", "        visit(each)", "visit(x)", "return x")
    assert "A loop with a list" in advice(deep, walk)
    itself = advice(deep, written("return x * x"))
    assert "calls itself again and again" in itself and "loop" not in itself


@pytest.mark.parametrize("code", ["if node.grad:", "old = node.grad or 0", "if node.grad == None:"])
def test_who_asks_an_array_whether_it_is_there_is_told_of_none(code):
    said = advice(stopped("ValueError", "The truth value of an array with more than one element", code=code))
    assert "`is None`" in said and "np.where" not in said


def test_who_decides_for_each_number_is_told_how():
    said = advice(stopped("ValueError", "The truth value of an array with more than one element", code="if x > 0:"))
    assert "np.where" in said


def test_a_name_without_a_value_is_no_list_of_another_function():
    stop = stopped("UnboundLocalError", "cannot access local variable 'z' where it is not associated with a value")
    assert advice(stop, written("for y in []:", "    z = y", "return z")).startswith("No line that gives z a value")
    nested = written("z = []", "def add(y):", "    z = z + [y]", "add(x)", "return z")
    assert "use append or add" in advice(stop, nested)


def test_tuples_of_a_value_are_spoken_of_only_where_one_is_made():
    stop = stopped("TypeError", "'float' object is not iterable", "value.py", "for y in x:")
    assert advice(stop, written("for y in x:", "    pass")) == ""
    assert "local derivatives" in advice(stop, written("return Value(1.0, (self,), '', 2.0)"))


def test_a_name_in_brackets_is_called_by_its_name():
    stop = stopped("TypeError", "'Tensor' object is not iterable", code="return result(y, self, (x))")
    assert advice(stop) == "(x) is just x; a tuple with one element is written (x,)."


def test_the_def_line_is_spoken_of_only_if_it_is_that_function_that_was_called():
    stop = Stopped("TypeError", "Function.name() missing 1 required positional argument: 'self'")
    assert "def line" not in advice(stop, written("return x"))
    own = Stopped("TypeError", "f() takes 1 positional argument but 2 were given")
    assert "Keep the def line" in advice(own, written("return x"))


def test_where_something_is_none_a_return_is_missed_only_where_one_is_missing():
    stop = stopped("TypeError", "unsupported operand type(s) for *: 'float' and 'NoneType'")
    assert "return" not in advice(stop, written("return x * x.axes"))
    assert "A function without a return" in advice(stop, written("x * x.axes"))


def test_in_a_hunt_nobody_is_told_of_tensors():
    said = advice(stopped("TypeError", "operand 'Expression' does not support ufuncs", "hunts.py", "np.exp(a)"))
    assert "stand-ins" in said and "Tensor x" not in said


def test_where_given_code_refuses_something_the_line_that_handed_it_over_is_shown():
    mine, theirs = Frame("value.py", 4, "f", "return x / node", own=True), Frame("tensor.py", 9, "g", "h(x)", own=True)
    refused = Stopped("TypeError", "no array", (mine, theirs, Frame("ops/gather.py", 102, "no_array", "raise")))
    assert own_line(refused, written("return x / node")) == mine
    assert own_line(refused) == theirs
    assert own_line(Stopped("TypeError", "", (mine, theirs)), written("return x / node")) == theirs


def test_a_tuple_of_inputs_is_no_input(learner):
    """What given code refuses is told with the line of the learner's that handed it over."""
    learner.write("6.6", "a = node._inputs\nreturn out_grad / a", "ops/pointwise.py")
    lines = learner.check("6.6")["6.6"].lines
    assert lines[1].startswith("Your code stopped in babygrad/ops/pointwise.py, line ")
    assert lines[2] == "    return out_grad / a"
    assert lines[-1] == "node._inputs is a tuple, also if there is only one input: (a,) = node._inputs unpacks it."


def test_an_array_made_of_a_tensor_is_told_with_the_line_that_makes_it(learner):
    learner.edit(
        lambda text: text.replace("arithmetic.sub(self, other)", "arithmetic.sub(self, np.array(other))"), "tensor.py"
    )
    lines = learner.check("5.5")["5.5"].lines
    assert lines[1].startswith("Your code stopped in babygrad/tensor.py, line ") and "np.array(other)" in lines[2]


def test_a_line_of_theirs_is_shown_however_deep_given_code_went_from_there(learner):
    learner.edit(lambda text: text + DEEP, "ops/gather.py")
    learner.write("6.6", "from .gather import deep\nreturn deep(out_grad, 30)", "ops/pointwise.py")
    lines = learner.check("6.6")["6.6"].lines
    assert lines[1].startswith("Your code stopped in babygrad/ops/pointwise.py, line ")
    assert lines[2:4] == ("    return deep(out_grad, 30)", "TypeError: this is too deep")


def test_where_no_line_of_an_exercise_was_running_it_is_said():
    stop = Stopped("TypeError", "no", (Frame("ops/gather.py", 102, "no_array", "raise TypeError"),))
    said = next(messages._lines_of_an_exception(stop, written("return x")))
    assert said.endswith("in babygrad/ops/gather.py, line 102, in no_array. No line of an exercise was running.")


def test_a_tuple_of_inputs_has_no_methods_of_a_tensor():
    stop = stopped("AttributeError", "'tuple' object has no attribute 'exp'", code="return out_grad * a.exp()")
    assert "(a,) = node._inputs unpacks it" in advice(stop, written("a = node._inputs"))
    assert advice(stop, written("a = 1, 2")) == ""


def test_numbers_that_are_nan_beside_those_that_should_be():
    want, have = np.array([1.0, np.nan, 2.0]), np.array([np.nan, np.nan, 2.0])
    assert pattern_in(want, have) == "1 of its 3 numbers is nan or inf and should not be."
    assert pattern_in(np.ones(3), have) == "2 of its 3 numbers are nan or inf."


def test_who_loops_without_an_end_is_told_nothing_of_nudging():
    question = Question(SimpleNamespace(slow=TOO_MANY_TO_NUDGE, asked="f(x)"), Died("timeout", seconds=1.0), None)
    told = messages._lines_of_death(question, written("while True:", "    pass"))
    assert "Look for a loop that never ends" in list(told)[-1]
    assert list(messages._lines_of_death(question, written("for y in x:", "    pass")))[-1] == TOO_MANY_TO_NUDGE
