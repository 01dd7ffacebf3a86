"""Slips in 05 and 06 as learners write them: each is caught, and what is said of it is true.

A misconception is one way to have an idea. Here are others, which nothing that is said must mistake for another idea.
"""

import numpy as np
import pytest

from grader.checking.judging import matching_misconception
from grader.checking.question import Question
from grader.checking.reference import answers_of, reference_answers
from grader.checking.verdict import judge
from grader.course import catalogue
from grader.course.packages import private_copy
from grader.course.paths import REFERENCE

ONLY_A_PART = "remembers only part of how it was made from"
NOT_AT_ALL = "does not remember that it was made from"


def pow_with(to_b):
    def rule(self, g, node, a, b):
        to_a = g * b * a ** (b - 1 + ((a.data == 0) & (b.data == 0))) if a.requires_grad else None
        return to_a, to_b(g, node, a, b) if b.requires_grad else None

    return rule


def change_first(self, g, node, a, b):
    share_of_b = g * a
    g.data *= b.data
    return g, share_of_b


def share_kept(self, g, node, a, b):
    self.share = getattr(self, "share", g / b)
    return self.share, -self.share * node


def write_one_grad(self, g, node, a, b):
    a.grad = (0 if a.grad is None else a.grad) + g.data * b.data
    return g * b, g * a


# {what: (exercise, class, rule of (self, out_grad, node, *inputs), what is said, what would be false)}
RULES = {
    "half of tanh's square": ("6.8", "Tanh", lambda self, g, n, a: g * (1 - n * n.data), ONLY_A_PART, "taken of node"),
    "all of tanh's square": ("6.8", "Tanh", lambda self, g, n, a: g * (1 - n.data**2), NOT_AT_ALL, "taken of node"),
    "half of sigmoid's slope": ("6.8", "Sigmoid", lambda self, g, n, a: g * n * (1 - n.data), ONLY_A_PART, "taken of"),
    "the other half of it": ("6.8", "Sigmoid", lambda self, g, n, a: g * n.data * (1 - n), ONLY_A_PART, "taken of"),
    "all of sigmoid's slope": (
        "6.8",
        "Sigmoid",
        lambda self, g, n, a: g * (n.data * (1 - n.data)),
        NOT_AT_ALL,
        "taken of node",
    ),
    "half of Div's square": (
        "6.3",
        "Div",
        lambda self, g, n, a, b: (g / b, -g * a / (b * b.data)),
        ONLY_A_PART,
        "top as a constant",
    ),
    "Div's top": (
        "6.3",
        "Div",
        lambda self, g, n, a, b: (g / b, -g * a.data / (b * b)),
        NOT_AT_ALL,
        "b.data is a plain array",
    ),
    "Pow's logarithm": (
        "6.9",
        "Pow",
        pow_with(lambda g, n, a, b: g * n * np.log(a.data + ((a.data == 0) & (b.data >= 0)))),
        "a.log() does",
        "no masks",
    ),
    "masks of Tensors compared": (
        "6.9",
        "Pow",
        lambda self, g, n, a, b: (
            g * b * a ** (b - 1 + ((a == 0) & (b == 0))) if a.requires_grad else None,
            g * n * (a + ((a.data == 0) & (b.data >= 0))).log() if b.requires_grad else None,
        ),
        "a == 0 of a Tensor is one plain False",
        "return missing",
    ),
    "a share kept for the next time": (
        "6.3",
        "Div",
        share_kept,
        "What the rule gives when it is asked again, for twice the out_grad, is not twice as much",
        None,
    ),
    "out_grad changed on the way": ("6.2", "Mul", change_first, "out_grad belongs to the result", None),
    "one .grad written": ("6.2", "Mul", write_one_grad, "in 09 the backward pass accumulates all shares", None),
    "the matrix product": (
        "6.2",
        "Mul",
        lambda self, g, n, a, b: (g @ b, g @ a),
        "For number by number the sign is *",
        None,
    ),
    "a mask of float64": (
        "6.7",
        "ReLU",
        lambda self, g, n, a: g * type(g)((n.data > 0).astype(float), requires_grad=False),
        "positive(a) and positive(node) make a mask of the right dtype",
        "The mask is the local derivative alone",
    ),
    "a quarter too small": (
        "6.8",
        "Tanh",
        lambda self, g, n, a: g * (1 - n) * (1 + n) / 4,
        "exactly a quarter of",
        None,
    ),
    "four times too large": ("6.8", "Sigmoid", lambda self, g, n, a: g * 4 * n * (1 - n), "exactly four times", None),
    "the slope of a / -4 as a fraction": (
        "6.1",
        "DivScalar",
        lambda self, g, n, a: g * (1 / -4),
        "-0.25 is right for a / -4 alone",
        None,
    ),
    "a mended bottom": (
        "6.4",
        "PowerScalar",
        lambda self, g, n, a: g * self.scalar * n / (a + (a.data == 0) * 1.0),
        "what is the derivative of x at 0",
        None,
    ),
    "zeros wherever the base is 0": (
        "6.4",
        "PowerScalar",
        lambda self, g, n, a: g * self.scalar * (a + (a.data == 0)) ** (self.scalar - 1) * (a.data != 0),
        "what is the derivative of x at 0",
        "division",
    ),
    "no share at all beside a constant": (
        "6.3",
        "Div",
        lambda self, g, n, a, b: (g / b, -g * n / b) if a.requires_grad and b.requires_grad else (None, None),
        "a.requires_grad decides about the share of a",
        "return missing",
    ),
    "exp computed by NumPy": (
        "6.6",
        "Exp",
        lambda self, g, n, a: g * np.exp(a.data),
        "The Tensor node does",
        "node.data",
    ),
    "None for the exponent 0": (
        "6.4",
        "PowerScalar",
        lambda self, g, n, a: None if self.scalar == 0 else g * (self.scalar * a ** (self.scalar - 1)),
        "A share like any other is wanted here: a Tensor",
        "This is the local derivative alone",
    ),
}


def said_of(id, patch):
    ex = catalogue.exercise(id)
    expected = reference_answers([ex], 0)[id]
    with private_copy(REFERENCE) as package:
        patch(package)
        got = answers_of(package, ex, ex.probes, 0)
    questions = [Question(probe, got[probe.name], expected[probe.name]) for probe in ex.probes]
    return judge(ex, questions, "changed", matching_misconception(ex, questions, 0))


@pytest.mark.leg("night")
@pytest.mark.parametrize("what", RULES)
def test_a_slip_in_a_rule_is_told_as_what_it_is(what):
    id, cls, rule, said, not_said = RULES[what]

    def patch(bg):
        getattr(bg.ops, cls).backward = lambda self, g, node: rule(self, g, node, *node._inputs)

    verdict = said_of(id, patch)
    assert verdict.status in ("failed", "error")
    assert said in verdict.message
    assert not_said is None or not_said not in verdict.message


def test_a_forward_with_a_little_something_added_was_not_found_by_nudging():
    def patch(bg):
        right = bg.ops.Sigmoid.forward
        bg.ops.Sigmoid.forward = lambda self, a: right(self, a + 1e-9)

    verdict = said_of("6.8", patch)
    assert "It is nearly right: off by at most" in verdict.message
    assert "A rule gives" not in verdict.message


def test_inputs_made_constants_are_not_told_to_use_what_they_use():
    def patch(bg):
        function = bg.ops.function

        def __call__(self, *inputs):
            inputs = tuple(function.result(x.data) for x in function.as_tensors(inputs))
            array = self.forward(*[x.data for x in inputs])
            if function.Recording.on and any(x.requires_grad for x in inputs):
                return function.result(array, self, inputs)
            return function.result(array)

        bg.Function.__call__ = __call__

    assert "result is needed" not in said_of("5.3", patch).message.replace("\n", " ")


def test_a_list_is_taken_away_too():
    def patch(bg):
        bg.Tensor.__sub__ = lambda x, other: x + (-other)

    assert "a list has no minus" in said_of("5.5", patch).message


@pytest.mark.leg("night")
def test_who_runs_out_of_memory_hears_what_the_question_is_about():
    def patch(bg):
        right = bg.shapes_and_rules.cumsum_rule

        def cumsum_rule(out_grad):
            if len(out_grad) > 1000:
                raise MemoryError("Unable to allocate a few tables")
            return right(out_grad)

        bg.shapes_and_rules.cumsum_rule = cumsum_rule

    assert "Their Jacobian would take more than 100,000 GB" in said_of("5.6", patch).message


@pytest.mark.leg("night")
def test_who_sums_anew_for_each_place_hears_of_the_hidden_loop():
    def patch(bg):
        def cumsum_rule(out_grad):
            if len(out_grad) > 1000:
                raise MemoryError("in place of the hours")
            return np.array([np.sum(out_grad[j:]) for j in range(len(out_grad))])

        bg.shapes_and_rules.cumsum_rule = cumsum_rule

    message = said_of("5.6", patch).message
    assert "np.sum(out_grad[j:]) for each place in turn" in message
    assert "though no `for` is to be seen" in message
