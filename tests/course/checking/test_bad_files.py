"""Whatever a learner's file does, its exercise gets a verdict in plain words and the others are graded."""

import re
import shutil

import pytest

from grader.checking import report
from grader.course.paths import REFERENCE, ROOT
from grader.notebook.report_html import bundle

OTHERS = ("0.1", "1.1")

BAD_CODE = {
    "None instead of a Value": ("pass", "error", ["nothing (None)", "return"]),
    "a text": ("return 'six'", "error", ["a text"]),
    "a number instead of a Value": ("return self.data * other.data", "error", ["a number"]),
    "a text inside the Value": ("return Value('six')", "error", ["'six'", "return Value('six')"]),
    "NaN": (
        "return Value(float('nan'), (self, other), '*', (other.data, self.data))",
        "failed",
        ["nan", "was expected"],
    ),
    "an infinite loop": ("while True:\n    pass", "timeout", ["seconds", "loop"]),
    "sys.exit": ("import sys\nsys.exit(0)", "error", ["sys.exit"]),
    "os._exit": ("import os\nos._exit(0)", "crashed", ["os._exit"]),
    "a call of itself": ("return self * other", "error", ["RecursionError", "is its .data", "return self * other"]),
    "megabytes of printing": ("print('x' * 30_000_000)\nreturn None", "error", ["nothing (None)"]),
    "a tuple without its comma": (
        "return Value(self.data * other.data, (self), '*', (other.data,))",
        "error",
        ["(self,)", "not iterable"],
    ),
    "slopes without their brackets": (
        "return Value(self.data * other.data, (self, other), '*', other.data, self.data)",
        "error",
        ["float' object is not iterable", "(one, other)"],
    ),
    "inputs without their brackets": (
        "return Value(self.data * other.data, self, other, '*')",
        "error",
        ["Value' object is not iterable", "(self, other)"],
    ),
    "a Value compared with a number": ("return max(self, 0)", "error", ["int' and 'Value'", "its .data"]),
    "an empty dict taken for a set": ("seen = {}\nseen.add(self)", "error", ["empty set is written set()"]),
    "a list that becomes the function's own": (
        "nodes = []\ndef visit():\n    nodes = nodes + [self]\nvisit()",
        "error",
        ["UnboundLocalError", "use append or add"],
    ),
    "a name that is not there": ("return Valeu(1.0)", "error", ["NameError", "spelt", "return Valeu(1.0)"]),
    "input": ("input()", "error", ["input()"]),
    "a missing module": ("import scipy_missing\n", "error", ["ModuleNotFoundError"]),
    "a missing file of the package": (
        "from .deleted import x\n",
        "error",
        ["no babygrad/deleted.py", "reset deleted.py"],
    ),
    "an exception of their own": ("raise ValueError('not today')", "error", ["not today", "value.py, line"]),
    "a breakpoint": ("breakpoint()", "error", ["pytest tests/exercises --exercise"]),
    "a changed input": (
        "self.data += 1.0\nreturn Value(self.data * other.data, (self, other), '*', (other.data, self.data))",
        "failed",
        ["was expected"],
    ),
}


CASES = [pytest.param(case, marks=pytest.mark.leg("push" if n % 4 else "test")) for n, case in enumerate(BAD_CODE)]


@pytest.mark.parametrize("case", CASES)
def test_bad_code_gets_its_verdict_and_the_others_are_graded(learner, case):
    code, status, words = BAD_CODE[case]
    learner.write("2.1", code)
    verdicts = learner.check("2.1", *OTHERS, timeout=2.0)
    assert verdicts["2.1"].status == status
    assert [word for word in words if word not in verdicts["2.1"].message] == []
    assert "Traceback" not in verdicts["2.1"].message
    assert len(verdicts["2.1"].message) < 1500
    assert {verdicts[id].status for id in OTHERS} == {"passed"}


NO_MATTER_FOR_A_HINT = {
    "a syntax error": "return (self",
    "input": "input()",
    "a missing module": "import scipy_missing",
    "a missing name of a module": "from math import sinus",
    "sys.exit": "import sys; sys.exit(0)",
}


@pytest.mark.parametrize("case", NO_MATTER_FOR_A_HINT)
def test_no_hint_is_named_where_none_can_help(learner, case):
    learner.write("2.1", NO_MATTER_FOR_A_HINT[case])
    [verdict] = learner.check("2.1", timeout=2.0).values()
    assert verdict.status == "error"
    assert "Hint" not in "\n".join(report.text([verdict])) and "%hint" not in bundle([verdict])["text/html"]


def test_a_hint_is_named_where_the_answer_is_wrong(learner):
    learner.write("2.1", "return self")
    [verdict] = learner.check("2.1").values()
    assert (
        "Hint: make hint EX=2.1" in "\n".join(report.text([verdict])) and "%hint 2.1" in bundle([verdict])["text/html"]
    )


@pytest.mark.leg("night")
@pytest.mark.parametrize("limit", [900, 1500])
def test_a_walk_that_goes_too_deep_is_told_the_limit_in_force(learner, limit):
    """Python's own words say no number, and a learner's file may have set another limit."""
    code = """
import sys

sys.setrecursionlimit(LIMIT)
order, seen = [], set()

def visit(node):
    if id(node) not in seen:
        seen.add(id(node))
        for child in node._prev:
            visit(child)
        order.append(node)

visit(root)
return order
"""
    learner.write("3.3", code.replace("LIMIT", str(limit)))
    message = learner.check("3.3")["3.3"].message
    assert f"RecursionError: {limit:,} nested calls were waiting" in message


@pytest.mark.leg("night")
def test_a_limit_that_is_raised_makes_no_walk_of_calls_right(learner):
    learner.write("3.3", "import sys\n\nsys.setrecursionlimit(10**7)\nreturn post_order(root)")
    verdict = learner.check("3.3")["3.3"]
    assert (verdict.status, verdict.right) == ("failed", verdict.asked - 1)
    assert "limit on nested calls to 10,000,000" in verdict.message and "holds it at 5,000" in verdict.message


@pytest.mark.leg("night")
def test_a_walk_in_the_order_of_post_order_is_told_so(learner):
    learner.write(
        "3.4",
        """
nodes = post_order(self)
for node in nodes:
    if node._prev:
        node.grad = 0.0
self.grad += 1.0
for node in reversed(nodes):
    node._backward()
""",
    )
    assert "backward takes its order from post_order" in learner.check("3.4")["3.4"].message


BAD_FILES = {
    "a syntax error": (lambda t: t.replace("other.data, self.data))", "other.data,"), "error", ["SyntaxError", "line"]),
    "a renamed method": (lambda t: t.replace("def __mul__", "def __mull__"), "error", ["unsupported operand"]),
    "a renamed class": (lambda t: t.replace("class Value:", "class Valu:"), "error", ["has no Value"]),
    "another signature": (lambda t: t.replace("def __mul__(self, other)", "def __mul__(self)"), "error", ["def line"]),
    "an endless loop on import": (lambda t: t + "\nwhile True:\n    pass\n", "timeout", ["imported"]),
    "os._exit on import": (lambda t: t + "\nimport os\nos._exit(0)\n", "crashed", ["imported"]),
    "sys.exit on import": (lambda t: t + "\nimport sys\nsys.exit()\n", "error", ["SystemExit"]),
    "an exception on import": (lambda t: t + "\n1 / 0\n", "error", ["ZeroDivisionError", "1 / 0"]),
    "an empty file": (lambda t: "", "error", ["has no Value"]),
    "no Python at all": (lambda t: "\x00\xff" + t, "error", ["value.py"]),
}  # fmt: skip


@pytest.mark.leg("push")
@pytest.mark.parametrize("case", BAD_FILES)
def test_a_bad_file_spoils_only_its_own_exercises(learner, case):
    change, status, words = BAD_FILES[case]
    learner.edit(change)
    verdicts = learner.check("2.1", *OTHERS, timeout=2.0)
    assert verdicts["2.1"].status == status
    assert [word for word in words if word not in verdicts["2.1"].message] == []
    assert verdicts["2.1"].hint == (case in ("a renamed method", "another signature"))
    assert {verdicts[id].status for id in OTHERS} == {"passed"}


NOTICED = {  # what was written for 2.1, and how Python words it at the next line of the course's
    "a block left empty": ("if other:\n    # to do", "IndentationError: expected an indented block after 'if'"),
    "a line unindented": ("out = 1\n#", "IndentationError: unexpected indent"),
    "a try left alone": ("try:\n    out = 1", "SyntaxError: expected 'except' or 'finally' block"),
}


@pytest.mark.parametrize("case", NOTICED)
def test_what_python_notices_below_a_region_is_looked_for_in_the_region(learner, case):
    code, words = NOTICED[case]
    learner.write("2.1", code)
    if case == "a line unindented":
        learner.edit(lambda text: text.replace("        #\n", "out = 2\n"))
    lines = (learner.folder / "babygrad/value.py").read_text().splitlines()
    end = lines.index("        # end of exercise 2.1") + 1
    verdict = learner.check("2.1")["2.1"]
    line = int(re.fullmatch(r"Python could not read babygrad/value\.py, line (\d+)\.", verdict.lines[0])[1])
    assert verdict.lines[1:2] == (f"    {lines[line - 1].strip()}",) and line > end
    assert verdict.lines[2].startswith(words)
    assert verdict.lines[3] == (
        f"Python notices it at line {line}, which is the course's. The cause stands above it, in what you wrote for "
        f"exercise 2.1: see babygrad/value.py, line {end - 1} and the lines before it."
    )


@pytest.mark.parametrize("broken", ["    def __radd__(self, other)", "\tdef __radd__(self, other):"])
def test_what_no_region_explains_is_not_blamed_on_one(learner, broken):
    """The course's line itself was changed; or 2.1 is as before, with a fault of its own line."""
    learner.edit(lambda text: text.replace("    def __radd__(self, other):", broken))
    assert "what you wrote for" not in learner.check("2.1")["2.1"].message
    learner.edit(lambda text: text.replace("other.data, self.data))", "other.data,"))
    assert "what you wrote for" not in learner.check("2.1")["2.1"].message


@pytest.mark.leg("night")
def test_a_file_that_never_ends_is_waited_for_once_only(learner):
    learner.edit(lambda text: text + "\nwhile True:\n    pass\n")
    verdicts = learner.check("02", timeout=1.5)
    in_value = [v for v in verdicts.values() if v.file == "value.py"]
    assert len(in_value) > 5 and {v.status for v in in_value} == {"timeout"}


def test_a_deleted_file_is_named(learner):
    (learner.folder / "babygrad" / "value.py").unlink()
    verdicts = learner.check("2.1", *OTHERS)
    assert verdicts["2.1"].status == "error" and "value" in verdicts["2.1"].message
    assert {verdicts[id].status for id in OTHERS} == {"passed"}


def test_a_broken_package_file_is_named_for_every_exercise(learner):
    learner.edit(lambda text: text + "\n1 / 0\n", "__init__.py")
    verdicts = learner.check(*OTHERS)
    assert {v.status for v in verdicts.values()} == {"error"}
    assert all("__init__.py" in v.message for v in verdicts.values())


@pytest.mark.leg("push")
def test_an_explicit_error_in_the_learners_file_is_never_passed(learner):
    """The canary: the check asks the learner's file and no other."""
    for path in (learner.folder / "babygrad").rglob("*.py"):
        if path.name != "__init__.py":
            path.write_text(path.read_text() + "\nraise RuntimeError('canary')\n")
    verdicts = learner.check()
    assert {v.status for v in verdicts.values()} == {"error"}
    assert all("canary" in v.message for v in verdicts.values())


def test_what_the_code_printed_is_shown_with_a_failure(learner):
    learner.write("2.1", "print('mul was called with', other)\nreturn self")
    assert "Your code printed: mul was called with" in learner.check("2.1")["2.1"].message


def test_the_learners_own_line_is_named_not_the_given_code(learner):
    learner.write("2.1", "return Value(None)")
    assert "return Value(None)" in learner.check("2.1")["2.1"].message


def test_a_missing_prerequisite_is_named(learner):
    learner.write("2.1", 'raise NotImplementedError("exercise 2.1: Value.__mul__")')
    assert "Your code needs exercise 2.1" in learner.check("2.4")["2.4"].message


def test_a_wrong_prerequisite_is_named(learner):
    learner.write("2.1", "return Value(0.0, (self, other), '*', (0.0, 0.0))")
    assert "builds on 2.1" in learner.check("2.4")["2.4"].message


@pytest.mark.parametrize("expression", ["Value(2.0) ** 3 + b / a", "b / a + Value(2.0)"])
def test_a_value_of_ones_own_in_a_hunt_is_told_from_a_stand_in(learner, expression):
    learner.write("2.10", f"from .value import Value\nreturn {expression}", "hunts.py")
    assert "stand-ins" in learner.check("2.10")["2.10"].message


PASTED = ROOT / "tests/course/checking/foreign_engines/pasted.py"
NOT_THE_COURSES = "babygrad/value.py is not the course's file: it contains none of the exercise markers"


@pytest.fixture
def pasted(learner):
    """The verdicts of notebooks 02 and 03, with another course's engine in value.py."""
    learner.edit(lambda text: PASTED.read_text())
    return [v for v in learner.check("02", "03").values() if v.file == "value.py"]


def test_another_courses_file_is_told_once_with_the_way_back(pasted):
    failed = [v for v in pasted if v.status != "passed"]
    assert len(failed) > 5
    assert failed[0].lines[0].startswith(NOT_THE_COURSES) and "grader reset value.py" in failed[0].lines[0]
    assert [v.id for v in failed[1:] if v.as_in == "" and not v.lines[0].startswith(f"As in {failed[0].id}: ")] == []
    assert sum("grader reset value.py" in v.message for v in failed) == 1


def test_in_a_terminal_and_in_a_notebook_too_it_is_told_once(pasted):
    assert "\n".join(report.text(pasted)).count("grader reset value.py") == 1
    assert bundle(pasted)["text/html"].count("grader reset value.py") == 1


def test_what_another_courses_engine_does_right_is_right(pasted):
    assert {"2.1", "3.1"} <= {v.id for v in pasted if v.status == "passed"}


def test_a_missing_method_and_a_missing_function_are_named_once(pasted):
    messages = {v.id: v.message for v in pasted}
    assert "Value has no exp." in messages["2.7"] and "the answer is a Value" not in messages["2.7"]
    assert messages["3.3"].count("topological_order. Was it renamed or deleted?") == 1
    assert messages["3.3"].count("value.py has no topological_order") == 1


def test_what_stops_several_exercises_is_explained_with_the_first(learner):
    learner.edit(lambda text: text.replace("        self.grad = 0.0\n", "        self.grad = zero\n", 1))
    verdicts = learner.check("2.1", "2.3", "2.7", "2.2")
    assert "NameError: name 'zero' is not defined" in verdicts["2.1"].message and verdicts["2.1"].as_in == ""
    for id in ("2.3", "2.7"):
        assert verdicts[id].as_in == "2.1" and len(verdicts[id].lines) == 1
        assert verdicts[id].message.startswith("As in 2.1: Your code stopped in babygrad/value.py, line")
    assert verdicts["2.2"].status == "passed"


def test_asked_alone_an_exercise_explains_what_stopped_it(learner):
    learner.edit(lambda text: text.replace("        self.grad = 0.0\n", "        self.grad = zero\n", 1))
    assert "self.grad = zero" in learner.check("2.7")["2.7"].message


def test_different_causes_in_one_file_are_each_explained(learner):
    learner.write("2.1", "return self.nothing")
    learner.write("2.7", "return self.more")
    verdicts = learner.check("2.1", "2.7")
    assert [v.as_in for v in verdicts.values()] == ["", ""]
    assert "nothing" in verdicts["2.1"].message and "more" in verdicts["2.7"].message


def test_a_file_whose_markers_do_not_pair_is_still_the_courses(learner):
    learner.edit(lambda text: text.replace("# end of exercise 2.9\n", "", 1))
    learner.edit(lambda text: text.replace("other.data, self.data))", "self.data, self.data))"))
    assert NOT_THE_COURSES not in learner.check("2.1")["2.1"].message


def test_the_references_own_files_are_the_courses(learner, tmp_path_factory):
    """As where a notebook is run on the reference: its markers are others."""
    folder = tmp_path_factory.mktemp("reference")
    shutil.copytree(REFERENCE / "babygrad", folder / "babygrad", ignore=shutil.ignore_patterns("__pycache__"))
    broken = type(learner)(folder)
    broken.edit(lambda text: text.replace("(other.data, self.data)", "(self.data, other.data)"))
    [verdict] = broken.check("2.1").values()
    assert verdict.status == "failed" and not verdict.foreign and "not the course's file" not in verdict.message
