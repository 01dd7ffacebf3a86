"""Slips in 00 to 04 as learners write them, each called by the name of its idea.

A misconception is one way to have an idea. Here are others that a check must not mistake for another idea.
"""

import textwrap

import pytest

from grader.checking.judging import matching_misconception
from grader.checking.question import Question
from grader.checking.reference import answers_of, reference_answers
from grader.checking.verdict import judge
from grader.checking.written import Written
from grader.course import catalogue
from grader.course.exercise import IN_PART
from grader.course.packages import private_copy
from grader.course.paths import REFERENCE

SLIPS = {
    "1.2: a second name for the array": (
        IN_PART + "one h down from the upper place",
        "derivatives",
        "numerical_gradient",
        """
        def numerical_gradient(f, x, h=1e-6):
            gradient = np.zeros(x.shape)
            for index in np.ndindex(x.shape):
                original = x
                x[index] += h
                above = f(x)
                x = original
                x[index] -= h
                below = f(x)
                gradient[index] = (above - below) / (2 * h)
            return gradient
        """,
    ),
    "1.2: one copy for all elements": (
        "the element of a copy is not put back",
        "derivatives",
        "numerical_gradient",
        """
        def numerical_gradient(f, x, h=1e-6):
            gradient, nudged = np.zeros(x.shape), x.copy()
            for index in np.ndindex(x.shape):
                nudged[index] += h
                above = f(nudged)
                nudged[index] -= 2 * h
                gradient[index] = (above - f(nudged)) / (2 * h)
            return gradient
        """,
    ),
    "1.2: two names, nudged before f is asked": (
        "two names for one array",
        "derivatives",
        "numerical_gradient",
        """
        def numerical_gradient(f, x, h=1e-6):
            gradient = np.zeros_like(x)
            for index in np.ndindex(x.shape):
                above_x = x
                below_x = x
                above_x[index] = x[index] + h
                below_x[index] = x[index] - h
                gradient[index] = (f(above_x) - f(below_x)) / (2 * h)
            return gradient
        """,
    ),
    "1.2: exercise 1.1 asked for each element": (
        "a number is handed to f",
        "derivatives",
        "numerical_gradient",
        """
        def numerical_gradient(f, x, h=1e-6):
            gradient = np.zeros(x.shape)
            for index in np.ndindex(x.shape):
                gradient[index] = numerical_derivative(f, x[index], h)
            return gradient
        """,
    ),
    "1.2: exercise 1.1 asked in a row": (
        "a number is handed to f",
        "derivatives",
        "numerical_gradient",
        """
        def numerical_gradient(f, x, h=1e-6):
            return np.array([numerical_derivative(f, each, h) for each in x.flatten()]).reshape(x.shape)
        """,
    ),
    "1.4: sin alone changes x": (
        IN_PART + "x itself is changed",
        "derivatives",
        "Dual.sin",
        """
        def sin(self):
            self.slope = math.cos(self.value) * self.slope
            self.value = math.sin(self.value)
            return self
        """,
    ),
    "1.4: a power alone changes x": (
        IN_PART + "x itself is changed",
        "derivatives",
        "Dual.__pow__",
        """
        def __pow__(self, exponent):
            self.slope = exponent * self.value ** (exponent - 1) * self.slope
            self.value = self.value**exponent
            return self
        """,
    ),
    "1.4: a product alone changes x": (
        IN_PART + "x itself is changed",
        "derivatives",
        "Dual.__mul__",
        """
        def __mul__(self, other):
            other = _as_dual(other)
            self.slope = self.slope * other.value + self.value * other.slope
            self.value = self.value * other.value
            return self
        """,
    ),
    "2.1: inputs and slopes in another order": (
        "each side's slope is its own number",
        "value",
        "Value.__mul__",
        """
        def __mul__(self, other):
            other = as_value(other)
            return Value(self.data * other.data, (other, self), "*", (other.data, self.data))
        """,
    ),
    "2.1: the copied line with the name left": (
        "the name of a sum",
        "value",
        "Value.__mul__",
        """
        def __mul__(self, other):
            other = as_value(other)
            return Value(self.data * other.data, (self, other), "+", (other.data, self.data))
        """,
    ),
    "2.3: a case for x = 0": (
        "slope 0 at 0",
        "value",
        "Value.__pow__",
        """
        def __pow__(self, n):
            n = as_number(n)
            s = 0.0 if self.data == 0 else n * self.data ** (n - 1)
            return Value(self.data**n, (self,), f"**{n}", (s,))
        """,
    ),
    "2.3: a product in a loop": (
        "the product of so many factors",
        "value",
        "Value.__pow__",
        """
        def __pow__(self, n):
            n = as_number(n)
            p = 1.0
            for _ in range(int(n)):
                p *= self.data
            return Value(p, (self,), f"**{n}", (n * self.data ** (n - 1) if n else 0.0,))
        """,
    ),
    "2.3: a refusal that names nothing": (
        "a TypeError that does not say what was given",
        "value",
        "Value.__pow__",
        """
        def __pow__(self, n):
            if type(n) not in (int, float):
                raise TypeError("only numbers, please")
            return Value(self.data**n, (self,), f"**{n}", (n * self.data ** (n - 1) if n else 0.0,))
        """,
    ),
    "2.4: one over the other": (
        "x / y made of another division",
        "value",
        "Value.__truediv__",
        """
        def __truediv__(self, other):
            return self * (1 / as_value(other))
        """,
    ),
    "2.4: turned round twice": (
        "x - y made of another subtraction",
        "value",
        "Value.__sub__",
        """
        def __sub__(self, other):
            return -(as_value(other) - self)
        """,
    ),
    "2.7: exp alone has name and inputs exchanged": (
        "name and inputs have changed places in exp",
        "value",
        "Value.exp",
        """
        def exp(self):
            r = math.exp(self.data)
            return Value(r, "exp", (self,), (r,))
        """,
    ),
    "3.1: slope plus gradient": (
        "slope and gradient added",
        "value",
        "Value._backward",
        """
        def _backward(self):
            for c, s in zip(self._prev, self._slopes):
                c.grad += s + self.grad
        """,
    ),
    "3.3: the inputs put on the stack before the note": (
        "on the list when first met",
        "value",
        "topological_order",
        """
        def topological_order(root):
            order, seen, stack = [], set(), [(root, False)]
            while stack:
                n, noted = stack.pop()
                if noted:
                    order.append(n)
                elif n not in seen:
                    seen.add(n)
                    for c in n._prev:
                        stack.append((c, False))
                    stack.append((n, True))
            return order
        """,
    ),
    "3.3: sorted by number, the largest first": (
        None,
        "value",
        "topological_order",
        """
        def topological_order(root):
            seen, stack = set(), [root]
            while stack:
                n = stack.pop()
                if n not in seen:
                    seen.add(n)
                    stack.extend(n._prev)
            return sorted(seen, key=lambda n: -n.data)
        """,
    ),
    "3.3: sorted by number": (
        "sorted by number",
        "value",
        "topological_order",
        """
        def topological_order(root):
            seen, stack = set(), [root]
            while stack:
                n = stack.pop()
                if n not in seen:
                    seen.add(n)
                    stack.extend(n._prev)
            return sorted(seen, key=lambda n: n.data)
        """,
    ),
    "3.2: calls whose lists are lost": (
        "only the root listed",
        "value",
        "post_order",
        """
        def post_order(root):
            order = []
            for c in root._prev:
                post_order(c)
            order.append(root)
            return order
        """,
    ),
    "3.2: the node before its inputs": (
        "on the list when first met",
        "value",
        "post_order",
        """
        def post_order(root):
            order, seen = [], set()
            def visit(n):
                if n in seen:
                    return
                seen.add(n)
                order.append(n)
                for c in n._prev:
                    visit(c)
            visit(root)
            return order
        """,
    ),
    "3.2: arguments that remember": (
        "a list that outlives the call",
        "value",
        "post_order",
        """
        def post_order(root, order=[], seen=set()):
            if root not in seen:
                seen.add(root)
                for c in root._prev:
                    post_order(c, order, seen)
                order.append(root)
            return order
        """,
    ),
    "3.2: nothing is marked": (
        "no marks",
        "value",
        "post_order",
        """
        def post_order(root):
            order = []
            for c in root._prev:
                order = order + post_order(c)
            return order + [root]
        """,
    ),
    "3.2: each call with a set of its own": (
        "a set of its own for each call",
        "value",
        "post_order",
        """
        def post_order(root):
            order, seen = [], set()
            for c in root._prev:
                if c not in seen:
                    seen.add(c)
                    order = order + post_order(c)
            return order + [root]
        """,
    ),
    "3.3: marked when put down, asked for when taken up": (
        "only the root listed",
        "value",
        "topological_order",
        """
        def topological_order(root):
            order, seen, stack = [], set(), [(root, False)]
            while stack:
                n, noted = stack.pop()
                if noted:
                    order.append(n)
                elif n not in seen:
                    seen.add(n)
                    stack.append((n, True))
                    for c in n._prev:
                        if c not in seen:
                            seen.add(c)
                            stack.append((c, False))
            return order
        """,
    ),
    "3.2: the node visited again": (
        "only the root listed",
        "value",
        "post_order",
        """
        def post_order(root):
            order, seen = [], set()
            def visit(n):
                if n not in seen:
                    seen.add(n)
                    for c in n._prev:
                        visit(n)
                    order.append(n)
            visit(root)
            return order
        """,
    ),
    "3.2: a list in each visit": (
        "nobody is visited",
        "value",
        "post_order",
        """
        def post_order(root):
            order, seen = [], set()
            def visit(n):
                order = []
                if n not in seen:
                    seen.add(n)
                    for c in n._prev:
                        visit(c)
                    order.append(n)
            visit(root)
            return order
        """,
    ),
    "3.3: a stack without notes": (
        "on the list when first met",
        "value",
        "topological_order",
        """
        def topological_order(root):
            order, seen, stack = [], set(), [root]
            while stack:
                n = stack.pop()
                if n not in seen:
                    seen.add(n)
                    for c in reversed(n._prev):
                        stack.append(c)
                    order.append(n)
            return order
        """,
    ),
    "3.4: the root's 1.0 after the loop": (
        "_backward named but not called",
        "value",
        "Value.backward",
        """
        def backward(self):
            order = topological_order(self)
            for n in reversed(order):
                if n._prev:
                    n.grad = 0.0
                n._backward()
            self.grad += 1.0
        """,
    ),
    "3.4: the root left out of the loop": (
        "_backward named but not called",
        "value",
        "Value.backward",
        """
        def backward(self):
            order = topological_order(self)
            for n in order:
                if n._prev:
                    n.grad = 0.0
            self.grad += 1.0
            for n in reversed(order[:-1]):
                n._backward()
        """,
    ),
    "4.1: np.dot of the numbers": (
        "products of plain numbers",
        "scalar_nn",
        "Neuron.__call__",
        """
        def __call__(self, x):
            total = np.dot([w.data for w in self.weights], x) + self.bias
            return total if self.nonlin == "linear" else getattr(total, self.nonlin)()
        """,
    ),
    "4.4: the weights of the neurons": (
        "the biases do not move",
        "scalar_nn",
        "train_step",
        """
        def train_step(model, xs, ys, loss_fn, learning_rate):
            loss = loss_fn([model(x) for x in xs], ys)
            model.zero_grad()
            loss.backward()
            for layer in model.layers:
                for n in layer.neurons:
                    for w in n.weights:
                        w.data -= learning_rate * w.grad
            return loss.data
        """,
    ),
    "4.4: zeroed at the end": (
        "zero_grad at the end only",
        "scalar_nn",
        "train_step",
        """
        def train_step(model, xs, ys, loss_fn, learning_rate):
            loss = loss_fn([model(x) for x in xs], ys)
            loss.backward()
            for p in model.parameters():
                p.data -= learning_rate * p.grad
            model.zero_grad()
            return loss.data
        """,
    ),
    "4.5: a range that ends too early": (
        "the last row left over",
        "scalar_nn",
        "minibatches",
        """
        def minibatches(xs, ys, batch_size, rng):
            order = rng.permutation(len(xs))
            pieces = [order[i : i + batch_size] for i in range(0, len(order) - 1, batch_size)]
            return [(xs[piece], ys[piece]) for piece in pieces]
        """,
    ),
}
MORE_SEEDS = [pytest.param(seed, marks=pytest.mark.leg("night")) for seed in (1, 2, 7, 1_836_311_903)]


def verdict_on(id, file, name, code, seed=0):
    ex = catalogue.exercise(id)
    with private_copy(REFERENCE) as package:
        module, place = getattr(package, file), name.rpartition(".")
        scope = vars(module)
        owner = scope[place[0]] if place[0] else module
        made = {}
        exec(textwrap.dedent(code), scope, made)
        setattr(owner, place[2], made[place[2]])
        given = answers_of(package, ex, ex.probes, seed)
    right = reference_answers([ex], seed)[ex.id]
    asked = [Question(p, given[p.name], right[p.name]) for p in ex.probes]
    answer = f"# exercise {id}\n{textwrap.dedent(code).strip()}\n# end of exercise {id}\n"
    written = Written(id, f"{file}.py", answer.encode())
    return judge(ex, asked, "changed", matching_misconception(ex, asked, seed, written))


@pytest.mark.parametrize("seed", [0, *MORE_SEEDS])
@pytest.mark.parametrize("case", SLIPS)
@pytest.mark.leg("push")
def test_a_slip_fails_and_is_called_by_its_name(case, seed):
    idea, *where = SLIPS[case]
    verdict = verdict_on(case.partition(":")[0], *where, seed)
    assert verdict.status in ("failed", "error")
    assert verdict.misconception == idea


def test_what_the_message_of_an_error_should_contain_is_quoted():
    _, *where = SLIPS["2.3: a refusal that names nothing"]
    assert "but the message should name '3'." in verdict_on("2.3", *where).message


@pytest.mark.parametrize("title", ["__rsub__", "__rtruediv__"])
def test_a_number_on_the_left_in_2_4_is_not_taken_for_a_missing_data(title):
    """What a learner of 2.4 meets who writes self * (1 / other), while 2.5 is a stub."""
    code = f"""
    def __truediv__(self, other):
        raise NotImplementedError("exercise 2.5: Value.{title}")
    """
    message = verdict_on("2.4", "value", "Value.__truediv__", code).message
    assert "There is a plain number to the left of a minus or a slash." in message
    assert ".data" not in message
