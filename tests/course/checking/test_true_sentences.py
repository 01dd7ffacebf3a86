"""Answers that were once told something false of themselves."""

from types import SimpleNamespace

import numpy as np
import pytest

from grader.asking.outcome import Other, Outcome
from grader.checking import messages
from grader.checking.question import Question
from grader.marking.compare import difference

NO_RETURN = """order = []
def visit(node):
    for below in node._prev:
        visit(below)
    order.append(node)
visit(root)"""
CLASS_FOR_OBJECT = """inputs = as_tensors(inputs)
return result(self.forward(*[x.data for x in inputs]), type(self), inputs)"""
FROM_LEFT_TO_RIGHT = "return [0 if x < (y - start) / slope else 1 for x, y in points]"
FACTOR_BY_FACTOR = """as_number(exponent)
power = Value(1.0)
for _ in range(abs(int(exponent))):
    power = power * self
return power"""
LISTED_AGAIN = """order, stack = [], [root]
while stack:
    node = stack.pop()
    if node in order:
        order.remove(node)
    order.append(node)
    stack.extend(node._prev)
return order[::-1]"""
STAIRS_OF_ONE_STEP = """if t and t % self.step_size == 0:
    return self.base * self.gamma
return self.base"""
A_SUM_CHANGED = """out = self + other
out.data, out._slopes = self.data * other.data, (other.data, self.data)
return out"""

LINE = """answers = []
for x, y in points:
    line = {}
    answers.append(0 if y > line else 1)
return answers"""
ONE_SUM = """gradient = 0
for index in np.ndindex(x.shape):
    up, down = x.copy(), x.copy()
    up[index] += h
    down[index] -= h
    gradient += (f(up) - f(down)) / (2 * h)
return gradient"""
ONE_LESS = """costs = [(1 - label * score).relu() for score, label in zip(scores, labels)]
return sum(costs) / (len(costs) - 1)"""
TIMES_COST = """cost = loss.forward(net.forward(x), targets)
net.backward(loss.backward())
for parameter, gradient in zip(net.parameters(), net.gradients()):
    parameter -= learning_rate * gradient * cost
return cost"""
GIVEN_THE_RATE = """cost = loss.forward(net.forward(x), targets)
net.backward(loss.backward(learning_rate))
for parameter, gradient in zip(net.parameters(), net.gradients()):
    parameter -= gradient
return cost"""
BY_OPERATION = """for x in inputs:
    if x not in names:
        names[x] = fresh("p" if x._op is None else "c", names)
names[out] = fresh("v", names)
return Line(names[out], function, tuple(names[x] for x in inputs), out.data)"""
READ_BY_ANY = """needed, lines = set(program.wanted), []
for line in reversed(program.lines):
    if line.name in needed:
        lines.append(line)
    needed.update(line.inputs)
return program._replace(lines=tuple(lines[::-1]))"""
HIDDEN_BY_100 = """scores = query @ key.transpose() / math.sqrt(query.shape[-1])
if mask is not None:
    scores = scores - 1e2 * ~np.asarray(mask)
return scores.softmax(-1)"""
IN_BITS = """self.kept = softmax_rows(scores), targets
lower = scores - scores.max(axis=1, keepdims=True)
log_p = (lower - np.log(np.exp(lower).sum(axis=1, keepdims=True))) / np.log(2)
return -log_p[np.arange(len(scores)), targets].mean()"""

TWO_SLOPES = """right = (f(x + h) - f(x)) / h
left = (f(x) - f(x - h)) / h
return right + left"""
X_ITSELF = """gradient = np.empty_like(x)
for i, old in np.ndenumerate(x):
    try:
        x[i] = old + h
        up = f(x)
        x[i] = old
        down = f(x)
    finally:
        x[i] = old
    gradient[i] = (up - down) / (2 * h)
return gradient"""
ROOT_NOT_RESET = """order = topological_order(self)
for node in order[:-1]:
    if node._prev:
        node.grad = 0.0
self.grad = 1.0
while order:
    order.pop()._backward()"""
CLASS_ASKED = """order = topological_order(self)
for node in order:
    if node._prev:
        node.grad = 0.0
self.grad += 1.0
for node in reversed(order):
    Value._backward(node)"""
ORDER_CUT = """batches = []
for start in range(0, len(order), batch_size):
    order = order[start:start + batch_size]
    batches.append((xs[order], ys[order]))
return batches"""

# (exercise, its file, an answer, what was said of it and is false)
FALSE = [
    ("5.5", "tensor.py", "return self + other * -1", ["Or:", "reflected"]),
    ("6.9", "ops/arithmetic.py", "return None, out_grad * node", ["Is a return missing?", "without a return"]),
    ("3.5", "hunts.py", "import numpy as np\nreturn np.exp(a)", ["Tensor", "forward"]),
    ("2.1", "value.py", "return self * other", ["loop", "too deep"]),
    ("5.3", "ops/function.py", CLASS_FOR_OBJECT, ["def line"]),
    ("0.2", "warmup.py", FROM_LEFT_TO_RIGHT, ["changed places"]),
    ("2.1", "value.py", A_SUM_CHANGED, ["copied"]),
    ("2.3", "value.py", FACTOR_BY_FACTOR, ["stands among the inputs"]),
    ("3.3", "value.py", LISTED_AGAIN, ["only notices"]),
    ("7.1", "ops/shape.py", "return None", ["return missing"]),
    ("0.3", "hunts.py", "return None", ["return missing"]),
    ("3.5", "hunts.py", "return None", ["return missing"]),
    ("0.1", "warmup.py", "return 2 * width * height", ["perimeter"]),
    ("0.2", "warmup.py", LINE.format("(start + slope) * x"), ["slope and x"]),
    ("0.2", "warmup.py", LINE.format("-slope * x"), ["changed places", "from start"]),
    ("0.2", "warmup.py", LINE.replace("append(", "insert(0, ").format("start + slope * x"), ["changed places"]),
    ("1.2", "derivatives.py", ONE_SUM, ["at the same time"]),
    ("4.6", "scalar_nn.py", ONE_LESS, ["that cost something"]),
    ("10.4", "layers.py", IN_BITS, ["np.log2"]),
    ("10.7", "layers.py", TIMES_COST, ["was given the loss"]),
    ("12.6", "optim.py", STAIRS_OF_ONE_STEP, ["optimizer's current lr"]),
    ("10.7", "layers.py", GIVEN_THE_RATE, ["in place"]),
    ("15.1", "compiler.py", BY_OPERATION, ["All new inputs"]),
    ("15.2", "compiler.py", READ_BY_ANY, ["Begin at the end"]),
    ("16.4", "transformer.py", HIDDEN_BY_100, ["1000 was taken"]),
    ("17.1", "conv.py", "return (length + 2 * padding) // stride - size // stride + 1", ["Round down"]),
]
FALSE_TOO = [
    ("0.2", "warmup.py", "return [1 - np.sign(y - slope * x - start) for x, y in points]", ["math does"]),
    ("1.1", "derivatives.py", TWO_SLOPES, ["change is right"]),
    ("1.2", "derivatives.py", X_ITSELF, ["The second nudge started"]),
    ("2.1", "value.py", "return other.__rmul__(self)", ["meets the *"]),
    ("2.5", "value.py", "return other.__rsub__(self)", ["is for"]),
    ("3.4", "value.py", ROOT_NOT_RESET, ["just before"]),
    ("3.4", "value.py", CLASS_ASKED, ["multiplies slopes"]),
    ("4.5", "scalar_nn.py", ORDER_CUT, ["must move"]),
]


@pytest.mark.parametrize(
    ("id", "file", "code", "false"),
    [
        *(pytest.param(*case, marks=pytest.mark.leg("push" if n % 4 else "test")) for n, case in enumerate(FALSE)),
        *(pytest.param(*case, marks=pytest.mark.leg("night")) for case in FALSE_TOO),
    ],
    ids=[case[0] for case in [*FALSE, *FALSE_TOO]],
)
def test_what_is_false_of_an_answer_is_not_said_to_it(learner, id, file, code, false):
    learner.write(id, code, file)
    verdict = learner.check(id)[id]
    assert not verdict.done and [words for words in false if words in verdict.message] == []


def test_an_idea_that_other_answers_rule_out_is_said_of_the_one_that_is_shown(learner):
    for right, mean in (("x.T @ dout", "x.T @ dout / len(x)"), ("dout.sum(axis=0)", "dout.mean(axis=0)")):
        learner.edit(lambda text, right=right, mean=mean: text.replace(right, mean), "layers.py")
    verdict = learner.check("10.1")["10.1"]
    only_there = "This would explain the answer above, but not all of your others: dweight was divided by N."
    assert any(line.startswith(only_there) for line in verdict.lines)


@pytest.mark.parametrize(
    ("name", "begins"),
    [
        ("returned", "It returned 1,"),
        ("x.grad", "x.grad is 1,"),
        ("every 7th number", "Every 7th number is 1,"),
        ("the second time, returned", "The second time, it returned 1,"),
        ("for shape (2, 3), the sum", "For shape (2, 3), the sum is 1,"),
    ],
)
def test_a_sentence_begins_as_one(name, begins):
    assert difference({name: 2}, {name: 1}).sentence().startswith(begins)


def test_an_element_stands_beside_its_array():
    name, right = "for f(2, 3), the gradient", np.zeros((9, 9))
    found = difference({name: right}, {name: right + 1})
    assert found.sentence() == "For f(2, 3), element (0, 0) of the gradient is 1.0, but 0.0 was expected."


@pytest.mark.leg("push")
def test_what_was_changed_is_told_in_a_sentence(learner):
    learner.write("16.9", "logits /= temperature\nreturn np.exp(logits) / np.exp(logits).sum()", "transformer.py")
    said = "What logits holds afterwards is something else, but what was there before was expected."
    assert said in learner.check("16.9")["16.9"].message


def test_a_return_that_is_missing_is_asked_for_once(learner):
    learner.write("3.2", NO_RETURN)
    assert learner.check("3.2")["3.2"].message.lower().count("return missing") == 1


def test_the_line_is_shown_that_needs_what_comes_later(learner):
    learner.write("2.5", 'raise NotImplementedError("exercise 2.5: Value.__rsub__")')
    learner.write("2.1", "return 1 - self")
    lines = learner.check("2.1")["2.1"].lines
    assert lines[0] == "Your code needs exercise 2.5 (Value.__rsub__), which comes later. Can you do without it?"
    assert lines[-1] == "    return 1 - self" and lines[-2].endswith("in __mul__.")


def test_no_inside_of_the_grader_is_shown_among_the_inputs():
    """Lists in lists in lists come back as texts."""
    deep = Outcome({"asked": {"x": [[Other("float", "-1.9"), Other("float", "0.5")]]}})
    question = Question(SimpleNamespace(asked="f({x})"), deep, deep)
    assert messages.called(question) == "Called f([[-1.9, 0.5]])."
