"""Who nudges each input instead of writing the rule runs out of time; who nudges whole arrays loses digits."""

import math
import shutil
import sys
from pathlib import Path

import numpy as np
import pytest

sys.path.append(str(Path(__file__).parent))
from nudging import NUDGING

from grader.asking.ask import import_file
from grader.checking.check import Request, check
from grader.checking.question import Question
from grader.checking.reference import answers_of, reference_answers
from grader.course.catalogue import all_exercises, exercise
from grader.course.packages import private_copy
from grader.course.paths import REFERENCE, package_folder
from grader.marking.compare import difference
from grader.probes.arrays import condensed
from grader.probes.probing import LARGE, TOO_MANY_TO_NUDGE

pytestmark = pytest.mark.leg("push")

SECONDS = 4  # of processor time: enough for all questions but the large one

A_RULE = """
def {name}_by_nudging(self, out_grad, node):
    shares = nudged_shares(self, out_grad, node._inputs)
    return shares if len(shares) > 1 else shares[0]

{name}.backward = {name}_by_nudging
"""

RULES = {
    "6.2": A_RULE.format(name="Mul"),
    "6.8": A_RULE.format(name="Tanh"),
    "8.1": """
def matrix_gradients(out_grad, a, b):
    return nudged_shares(MatMul(), out_grad, (a, b))
""",
    "8.2": """
def batch_gradients(out_grad, a, b):
    return nudged_shares(MatMul(), out_grad, (a, b))
""",
    "9.2": """
def gradients(root, seed):
    order = topological_order(root)

    def loss():
        for node in order:
            if node._op is not None:
                node.data = node._op.forward(*[x.data for x in node._inputs])
        return (seed.data * root.data).sum()

    leaves = [node for node in order if node._op is None]
    return {leaf: type(root)(nudged(leaf.data, loss)) for leaf in leaves} | {root: seed}
""",
    "10.1": """
def linear_by_nudging(self, dout):
    x = self.from_forward().copy()
    arrays = {name: nudged(array, lambda: (dout * self.forward(x)).sum()) for name, array in
              {"weight": self.weight, "bias": self.bias, "x": x}.items()}
    self.dweight, self.dbias = arrays["weight"], arrays["bias"]
    return arrays["x"]

Linear.backward = linear_by_nudging
""",
    "10.11": A_RULE.format(name="Softmax"),
}


# What is done in the place of nudging many numbers.
GIVING_UP = {
    "raises": "raise ValueError('too many')",
    "leaves zeros": "return np.zeros(array.shape)",
    "leaves noise": "return np.sin(np.arange(array.size)).reshape(array.shape)",
    "ends the process": "import os; os._exit(3)",
}


def each_way():
    for number, (name, code) in enumerate(GIVING_UP.items()):
        yield pytest.param(code, id=name, marks=pytest.mark.leg("night") if number else ())


@pytest.mark.parametrize("gives_up", each_way())
def test_nudging_few_numbers_and_giving_up_with_many_earns_nothing(tmp_path, gives_up):
    folder = package_that_nudges(tmp_path, RULES, gives_up)
    verdicts = check([exercise(id) for id in RULES], Request(folder, timeout=SECONDS))
    assert {v.id: v.earned for v in verdicts} == dict.fromkeys(RULES, 0)
    assert all(v.right > 0 for v in verdicts if v.id in ("6.8", "10.1", "10.11"))


def package_that_nudges(folder, rules, gives_up="pass"):
    """A package in which these rules are found by nudging, and all else is the reference's.

    gives_up: a statement in the place of nudging more than 60 numbers.
    """
    nudging = NUDGING.replace("    gradient = ", f"    if array.size > 60:\n        {gives_up}\n    gradient = ")
    shutil.copytree(package_folder(REFERENCE), folder / "babygrad", ignore=shutil.ignore_patterns("__pycache__"))
    for id, rule in rules.items():
        with open(folder / "babygrad" / exercise(id).file, "a") as file:
            file.write(nudging + rule)
    return folder


def nudges_in(package, ex):
    """How many times the questions that are slow to nudge would have a loss computed. It is counted, not done."""
    count = 0

    def counted(array, loss, h=0):
        nonlocal count
        count += 2 * array.size
        return np.zeros(array.shape)

    sys.modules[f"{package.__name__}.{ex.file[:-3].replace('/', '.')}"].nudged = counted
    answers_of(package, ex, [probe for probe in ex.probes if probe.slow == TOO_MANY_TO_NUDGE], 0)
    return count


@pytest.mark.parametrize("id", RULES)
def test_nudging_each_input_means_tens_of_thousands_of_losses(id, tmp_path):
    ex = exercise(id)
    with private_copy(package_that_nudges(tmp_path, {id: RULES[id]})) as package:
        import_file(package, ex.file)
        assert nudges_in(package, ex) >= 2 * math.prod(LARGE)


FIRST, *OTHERS = RULES


@pytest.mark.parametrize("id", [FIRST, *(pytest.param(id, marks=pytest.mark.leg("night")) for id in OTHERS)])
def test_nudging_each_input_ends_as_a_timeout(id, tmp_path):
    folder = package_that_nudges(tmp_path, {id: RULES[id]})
    [verdict] = check([exercise(id)], Request(folder, timeout=SECONDS))
    assert (verdict.status, verdict.earned) == ("timeout", 0)
    assert f"No answer within {SECONDS} seconds" in verdict.message
    assert "256, 256)" in verdict.message
    assert TOO_MANY_TO_NUDGE in verdict.message


def test_a_large_question_says_what_shape_it_asks_with():
    with private_copy(REFERENCE) as package:
        for ex in [ex for ex in all_exercises() if ex.notebook == "06"]:
            for probe in [probe for probe in ex.probes if probe.slow == TOO_MANY_TO_NUDGE]:
                answers = answers_of(package, ex, [probe], 0)[probe.name].answers
                shapes = {form.words for name, form in answers.items() if name.startswith("the shape of")}
                assert [shape for shape in shapes if f"of shape {shape}," not in probe.asked] == []


POINTWISE = [
    ("6.3", "Div", "div"),
    ("6.4", "PowerScalar", "power_scalar"),
    ("6.6", "Exp", "exp"),
    ("6.6", "Log", "log"),
    ("6.6", "Sqrt", "sqrt"),
    ("6.7", "Abs", "abs"),
    ("6.7", "ReLU", "relu"),
    ("6.8", "Sigmoid", "sigmoid"),
    ("6.8", "Tanh", "tanh"),
    ("6.9", "Pow", "pow"),
]


def whole_arrays_nudged(h):
    """A rule that nudges all numbers of an input at once: for an elementwise operation that is quick."""

    def backward(self, out_grad, node):
        arrays = [x.data for x in node._inputs]
        shares = []
        for place in range(len(arrays)):
            above, below = (
                self.forward(*[array + sign * h * (place == n) for n, array in enumerate(arrays)]) for sign in (1, -1)
            )
            shares.append(type(out_grad)(out_grad.data * (above - below) / (2 * h)))
        return tuple(shares) if len(shares) > 1 else shares[0]

    return backward


@pytest.mark.parametrize("h", [1e-4, 2**-16, 3e-6, 1e-8])
@pytest.mark.parametrize(("id", "name", "function"), POINTWISE)
def test_nudging_whole_arrays_is_not_exact_enough(id, name, function, h):
    ex = exercise(id)
    (large,) = [probe for probe in ex.probes if probe.slow == TOO_MANY_TO_NUDGE]
    with private_copy(REFERENCE) as package, np.errstate(all="ignore"):
        getattr(package.ops, name).backward = whole_arrays_nudged(h)
        got = answers_of(package, ex, [large], 0)[large.name]
    question = Question(large, got, reference_answers([ex], 0)[id][large.name])
    assert f" in {function}" in question.wrong.name


def a_wrong_number(array):
    array[200, 3] += 0.001


def a_turned_sign(array):
    array[17, 255] *= -1


def two_that_changed_places(array):
    array[5, [8, 9]] = array[5, [9, 8]]


def another_order_of_axes(array):
    array[...] = array.T.copy()


def a_digit_lost_everywhere(array):
    array *= 1 + 1e-9 * np.random.default_rng(1).normal(size=array.shape)


@pytest.mark.parametrize(
    "change",
    [a_wrong_number, a_turned_sign, two_that_changed_places, another_order_of_axes, a_digit_lost_everywhere],
)
def test_a_large_array_in_few_numbers_still_shows(change):
    array = np.random.default_rng(0).normal(size=LARGE)
    right = condensed({"x": array.copy()})
    change(array)
    assert difference(right, condensed({"x": array})) is not None
    assert sum(np.size(answer) for answer in right.values()) < 100
