"""A session in a page: nothing stays of a check, an ended one is told in words, and cells run as in a notebook."""

import sys
from pathlib import Path

import pytest

from grader.course import stubs
from grader.course.edits import Change, Edit

sys.path.append(str(Path(__file__).parent))
import pages
from cases import exercises, right

IMPORTS = "from babygrad import Value\nfrom toolbox import draw_graph"
pytestmark = pytest.mark.leg("push")

LEFT_BEHIND = """
import builtins, gc, math, os, random, sys, warnings
builtins.sum = builtins.len = math.exp = math.tanh = None
math.pi = 3
sys.setrecursionlimit(60)
sys.stdout = sys.stderr = None
sys.meta_path.clear()
sys.path.clear()
sys.settrace(lambda *a: None)
sys.modules[__package__].Value = None
os.environ.clear()
os.chdir("/")
gc.disable()
warnings.simplefilter("error")
builtins.left_behind = True
"""
# C code calls itself here, which would end Pyodide; and Python alone, without a limit of its own.
ENDLESS = {
    "__add__": "other + self if False else self + other",
    "__mul__": "[self] == [other] or self * other",
    "__neg__": "-self",
    "__pow__": "max(self ** other, self)",
    "__repr__": "f'{self!r}'",
}


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    return pages.made(tmp_path_factory.mktemp("course"))[1]


def check(id, files, **more):
    return {"do": "check", "exercise": id, "files": files, **more}


def run(code, files=None, **more):
    return {"do": "run", "code": code, "files": files or {}, **more}


def with_value(text):
    return right() | {"value.py": right()["value.py"] + text}


@pytest.mark.leg("night")
def test_nothing_stays_of_a_check(page, tmp_path):
    """Nor of a cell: the next check begins as in a new process."""
    bad = with_value(LEFT_BEHIND)
    requests = [check("2.1", bad), *(check(ex.id, right()) for ex in exercises())]
    requests += [run(LEFT_BEHIND.replace("__package__", "'math'"), right()), check("2.7", right()), run("left_behind")]
    first, *others = pages.in_a_page(page, requests, tmp_path)
    assert first["status"] != "passed"
    assert [answer["status"] for answer in others[:-3]] == ["passed"] * len(exercises())
    assert others[-2]["status"] == "passed" and "NameError" in others[-1]["error"]


@pytest.mark.leg("night")
def test_where_an_interpreter_was_ended_the_check_says_so_and_the_rest_is_asked(page, tmp_path):
    files = right() | {"value.py": right()["value.py"].replace("child.grad += slope", "child.grad = slope")}
    assert files != right()
    ended = {"kind": "timeout", "exercise": "3.4", "probe": "y_times_z_and_z_times_y", "importing": ""}
    asked = exercises_by_id()["3.4"].probes
    ended["probe"] = asked[1].name
    slow, crashed, importing, needed = pages.in_a_page(
        page,
        [
            check("3.4", right(), ended=[ended]),
            check("3.4", right(), ended=[ended | {"kind": "crashed"}]),
            check("3.4", right(), ended=[ended | {"probe": "", "importing": "value.py"}]),
            check("3.4", files, ended=[ended, ended | {"exercise": "3.1", "probe": ""}]),
        ],
        tmp_path,
    )
    assert (slow["status"], slow["right"], slow["asked"]) == ("timeout", 1, len(asked))
    texts = [line["text"] for line in slow["lines"]]
    assert texts[0].startswith("Called ") and "No answer within 10 seconds. The process was stopped." in texts
    assert crashed["status"] == "crashed" and "ended the whole process" in crashed["lines"][1]["text"]
    assert importing["right"] == 0 and "while babygrad/value.py was being imported" in importing["lines"][0]["text"]
    assert needed["status"] == "timeout" and any("It builds on 3.1" in line["text"] for line in needed["lines"])


def test_what_is_asked_once_more_is_told_as_another_place(page, tmp_path):
    """Else an interpreter that ends there would leave the first question without its answer."""
    files = right() | {"value.py": right()["value.py"].replace("child.grad += slope", "child.grad = slope")}
    again = {"kind": "timeout", "exercise": "3.4", "probe": "again: ", "importing": ""}
    again["probe"] += exercises_by_id()["3.4"].probes[0].name
    told = pages.in_a_page(page, [check("3.4", files), check("3.4", files, ended=[again])], tmp_path)
    for answer in told:
        assert answer["status"] == "failed" and answer["right"] == told[0]["right"]
        said = [line["text"] for line in answer["lines"] if line["kind"] == "needs"]
        assert said == ["It builds on 3.1, which does not pass at the moment: the fault may be there."]


def test_each_line_says_what_it_is(page, tmp_path):
    """Where it was made: whatever a sentence begins with, what a learner prints too."""
    body = "print('Called Hint: It builds on')\n            1 / 0\n            child.grad +="
    wrong, stopped, waiting = (
        {"value.py": right()["value.py"].replace("child.grad += slope", what + " slope")}
        for what in ("child.grad =", body, "child.grad = 0 *")
    )
    told = pages.in_a_page(
        page, [check("3.1", wrong), check("3.1", stopped), check("3.4", waiting), check("2.1", right())], tmp_path
    )
    kinds = [[line["kind"] for line in answer["lines"]] for answer in told]
    assert kinds[0][:3] == ["called", "said", "idea"] and kinds[0][-1] == "hint"
    assert kinds[1] == ["called", "said", "code", "said", "printed", "hint"]
    assert "needs" in kinds[2] and kinds[3] == []
    printed = [line["text"] for line in told[1]["lines"] if line["kind"] == "printed"]
    assert printed == ["Your code printed: Called Hint: It builds on"]


def exercises_by_id():
    return {ex.id: ex for ex in exercises()}


def test_a_place_is_told_before_each_question(page, tmp_path):
    """Each question of the exercise, and before them the import: there a page finds what an interpreter died of."""
    (answer,) = pages.in_a_page(page, [check("2.1", right())], tmp_path)
    names = [probe.name for probe in exercises_by_id()["2.1"].probes]
    assert [place["probe"] for place in answer["told"]] == ["", *names]
    assert answer["told"][0] == {"exercise": "2.1", "probe": "", "importing": "value.py"}


def test_cells_share_names_and_follow_the_file(page, tmp_path):
    fresh = {name: text for name, text in stubs.generated().items() if name in right()}
    raised = 'raise NotImplementedError("exercise 2.1: Value.__mul__")'
    requests = [
        run(f"import matplotlib.pyplot as plt\nimport numpy as np\n{IMPORTS}", fresh),
        run("a = Value(2.0, label='a')\nprint(a.data)\na + 3"),
        run("a * 3"),
        run("a * 3", right()),
        run("draw_graph(a * 3)"),
        run("np.linspace(0, 1)"),
        run("display(1, 'two')\n1 / 0"),
        run("exit()"),
        run("Value(1.0) *", {}),
        run("a", again=True),
        run("from babygrad import Value", {"value.py": fresh["value.py"].replace(raised, "if other:")}, again=True),
        run("class Shown:\n    def _repr_html_(self): return '<b>'\nShown()"),
    ]
    told = pages.in_a_page(page, requests, tmp_path)
    assert told[0] == {"printed": "", "shown": [], "error": ""}
    assert told[1]["printed"] == "2.0\n" and told[1]["shown"] == [{"kind": "text", "data": "Value(data=5.0, grad=0.0)"}]
    assert told[2]["error"].startswith("Exercise 2.1 (Value.__mul__) is not filled in yet: babygrad/value.py, line ")
    assert told[3]["printed"] == "Loaded your changes in value.py.\n"
    assert told[3]["shown"][0]["data"] == "Value(data=6.0, grad=0.0)"
    assert told[4]["shown"][0]["kind"] in ("html", "text")
    assert told[5]["error"] == "NumPy is not in this page: this runs in the real course."
    assert [each["data"] for each in told[6]["shown"]] == ["1", "'two'"]
    assert told[6]["error"].endswith("ZeroDivisionError: division by zero") and "line 2" in told[6]["error"]
    assert "SystemExit" in told[7]["error"] and "SyntaxError" in told[8]["error"]
    assert told[10]["error"].startswith("Python could not read babygrad/value.py, line ")
    assert "The cause stands above it, in what you wrote for exercise 2.1: see babygrad/value.py" in told[10]["error"]
    assert "NameError" in told[9]["error"] and told[11]["shown"] == [{"kind": "html", "data": "<b>"}]


@pytest.mark.leg("night")
def test_a_graph_is_drawn_by_what_the_page_gives(page, tmp_path):
    """The DOT text goes to it, its SVG comes back as a picture: of a cell, and beside the words of a check."""
    wrong = right() | {"value.py": right()["value.py"].replace("child.grad += slope", "child.grad = slope")}
    requests = [run(f"{IMPORTS}\ndraw_graph(Value(2.0) + 1)", right()), check("3.1", wrong)]
    drawn, failed = pages.in_a_page(page, requests, tmp_path)
    assert drawn["shown"][0]["kind"] == "html" and "data:image/svg+xml" in drawn["shown"][0]["data"]
    assert failed["status"] == "failed" and "data:image/svg+xml" in failed["player"]


DRAWN = {
    "toolbox": ("draw_graph(L)", "draw_net(net)", "step_through(L)", "compare_backward(A=L, B=L)"),
    "toolbox.films.nudging": ("secants(lambda f, x, h: (f(x + h) - f(x)) / h, lambda x: x * x, 1.0, 2.0)",),
    "toolbox.films.rolling": ("roll(lambda w: w * w, start=1.0, rates=(0.1,), between=(-1, 1))",),
}


@pytest.mark.leg("night")
def test_what_draws_imports_nothing_of_pythons_own_while_it_draws(page, tmp_path):
    """In a page there is hardly room to compile then: what is missing belongs into session.AT_FIRST_USE."""
    wrong = right() | {"value.py": right()["value.py"].replace("child.grad += slope", "child.grad = slope")}
    nets = (
        "from types import SimpleNamespace as N\nnet = N(layers=[N(neurons=[N(weights=[L], bias=L, nonlin='tanh')])])"
    )
    requests = [run("import sys\nbefore = {*sys.modules}", right())]
    requests += [run(f"from babygrad import Value\nL = (Value(2.0, label='a') * 3).tanh()\nL.backward()\n{nets}")]
    for module, calls in DRAWN.items():
        names = ", ".join(call.partition("(")[0] for call in calls)
        requests += [run(f"from {module} import {names}"), *map(run, calls)]
    requests += [check("3.1", wrong), check("3.2", wrong)]
    ours = "name.split('.')[0] in ('babygrad', 'toolbox')"
    requests += [run(f"print(sorted({{name for name in {{*sys.modules}} - before if not {ours}}}))")]
    told = pages.in_a_page(page, requests, tmp_path)
    assert [answer["error"] for answer in told if answer.get("error")] == []
    assert all(told[place]["shown"] for place in range(len(told) - 3) if requests[place]["code"] in str(DRAWN))
    assert any(answer.get("player") for answer in told)
    assert told[-1]["printed"].splitlines()[-1] == "[]"


@pytest.mark.leg("night")
@pytest.mark.usefixtures("node")  # for Pyodide
def test_a_recursion_without_end_does_not_end_pyodide(page, tmp_path):
    """In WebAssembly C code that calls itself fills a stack that nobody can make larger."""
    requests = []
    for name, result in ENDLESS.items():
        arguments = "self" if name in ("__neg__", "__repr__") else "self, other"
        tail = f"\ndef _endless({arguments}):\n    return {result}\nValue.{name} = _endless\n"
        call = {"__neg__": "-a", "__repr__": "repr(a)", "__pow__": "a ** 2"}.get(name, f"a.{name}(Value(3.0))")
        requests += [
            check("2.4", with_value(tail)),
            run(f"from babygrad import Value\na = Value(2.0)\n{call}", again=True),
        ]
    calls = "def f(n):\n    return f(n + 1) + 1\nf(0)"
    nested = "x = []\nfor _ in range(100_000):\n    x = [x]\nrepr(x)"
    requests += [
        run(calls),
        run(f"import sys\nsys.setrecursionlimit(10**6)\n{nested}"),
        check("2.1", right()),
    ]
    told = pages.in_pyodide(page, requests, tmp_path)
    assert [answer for answer in told if "died" in answer] == []
    cells = [answer["error"].splitlines()[-1].partition(":")[0] for answer in told[1 : 2 * len(ENDLESS) : 2]]
    assert cells == ["RecursionError"] * len(ENDLESS)
    assert all("RecursionError" in answer["error"] for answer in told[-3:-1])
    assert told[-1]["status"] == "passed"


SLOTS = ("data", "grad", "_prev", "_op", "_slopes", "label", "__weakref__")
COPIES_AND = "import copy, gc\nfrom babygrad import Value"
CHAIN = "L = Value(1.0)\nfor _ in range(100_000):\n    L = L + 1"


@pytest.mark.leg("night")
@pytest.mark.usefixtures("node")  # for Pyodide
def test_long_chains_are_freed_in_pyodide(page, tmp_path):
    """Nodes with slots, nodes in cycles, of a subclass, copies; when a name is taken again, the file saved, checked."""
    last = "        self.label = label\n"
    cycles = right()["value.py"].replace(last, f"{last}        self._backward = lambda: self\n", 1)
    slots = right()["value.py"].replace("    __array_ufunc__", f"    __slots__ = {SLOTS}\n    __array_ufunc__", 1)
    assert right()["value.py"] not in (cycles, slots)
    subclass = "class Sub(Value):\n    pass\nL = Sub(1.0)\nfor _ in range(100_000):\n    L = Sub(1.0, (L,))\nL = None"
    copies = "L = Value(1.0)\nfor _ in range(50_000):\n    L = copy.copy(L) + L\nL = None"
    requests = [
        run(f"{COPIES_AND}\n{CHAIN}", right()),
        run(CHAIN),
        run(f"L = None\n{CHAIN}\nraise KeyError"),
        run("L = 0"),
    ]
    for text in (cycles, slots):
        requests += [run(f"{COPIES_AND}\n{CHAIN}", right() | {"value.py": text}, again=True), run(f"{CHAIN}\nL = None")]
        requests += [run(f"{CHAIN}\nL = None", right() | {"value.py": f"{text}\n"})]  # its class is filled anew
    requests += [run(f"{COPIES_AND}\n{subclass}", right(), again=True), run(copies), run(CHAIN)]
    requests += [check("3.4", with_value(f"\n{CHAIN}\n")), check("2.1", right())]
    told = pages.in_pyodide(page, requests, tmp_path)
    assert [answer for answer in told if "died" in answer] == []
    assert [n for n, answer in enumerate(told[:-2]) if answer["error"]] == [2]
    assert [answer["status"] for answer in told[-2:]] == ["passed"] * 2


def test_the_line_of_a_slip_is_found_in_the_page(page, tmp_path):
    """The same search, in one process; and of what it cannot find it says nothing."""
    name, text = "derivatives.py", right()["derivatives.py"]
    own, odd = (
        right() | {name: Edit("1.1", name, (change,)).applied(text)}
        for change in (Change("(2 * h)", "(2 * h) * (1 + h)"), Change(None, "return 7.0 * x"))
    )
    requests = [check("1.1", own), {"do": "slip"}, check("1.1", odd), {"do": "slip"}, check("2.7", right())]
    first, found, second, nothing, last = pages.in_a_page(page, requests, tmp_path)
    assert first["slip"] and first["status"] != "passed"
    assert found["lines"][0]["text"].startswith("With one change in babygrad/derivatives.py, line")
    assert second["status"] != "passed" and nothing["lines"] == []
    assert last["status"] == "passed"
