"""Wrong ideas about notebook 06, each as a patch for a private copy of the reference."""

import numpy as np

from grader.course.exercise import wrong

from .exercises import check, constants, div, growth, hunt, kinks, mul, pow_rule, power, saturating

CONSTANT = ("Sub", "DivScalar")


def wrong_rule(ex, name, words, stuck="", **rules):
    """A misconception that is a wrong rule.  rules: {class: rule(self, out_grad, node, *inputs)}."""

    def patch(bg):
        for cls, rule in rules.items():
            getattr(bg.ops, cls).backward = _with_inputs(rule)

    return wrong(ex, name, words, stuck)(patch)


def _with_inputs(rule):
    return lambda self, g, node: rule(self, g, node, *node._inputs)


def wrong_forward(ex, name, words, stuck="", **forwards):
    """A misconception that is a wrong forward.  forwards: {class: forward(*arrays)}."""

    def patch(bg):
        for cls, forward in forwards.items():
            getattr(bg.ops, cls).forward = _without_self(forward)

    return wrong(ex, name, words, stuck)(patch)


def _without_self(forward):
    return lambda self, *arrays: forward(*arrays)


def plain(tensor, array):
    """array as a Tensor that knows nothing of where it comes from."""
    return type(tensor)(array, requires_grad=False)


def around(ex, name, words, change, classes):
    """A misconception that changes what the right rules of some classes give.  change(shares, out_grad)."""

    def patch(bg):
        for cls in classes:
            _wrap(getattr(bg.ops, cls), change)

    return wrong(ex, name, words)(patch)


def _wrap(cls, change):
    right = cls.backward

    def backward(self, g, node):
        shares = right(self, g, node)
        if isinstance(shares, tuple):
            return tuple(None if share is None else change(share, g) for share in shares)
        return change(shares, g)

    cls.backward = backward


def cut_off(ex, name, classes, look):
    around(
        ex,
        name,
        "The numbers are right, but they have no computation graph, as if NumPy had computed them: a second "
        f"derivative finds nothing to go back through. No .data is needed: {look}",
        lambda share, g: plain(share, share.data),
        classes,
    )


def on_the_side(ex, *classes):
    """Three misconceptions: rules that give the right shares, and change something beside."""
    around(
        ex,
        "float64 made of float32",
        "float32 became float64 along the way. np.ones(...) and the like, a mask taken from .data, and a Tensor made "
        "from a number are float64, and next to float32 the more precise dtype wins. Plain numbers adapt to the "
        "Tensor they are used with.",
        lambda share, g: share * np.ones(share.shape),
        classes,
    )
    also_do(
        ex,
        "writes .grad itself",
        "A rule returns its shares and does nothing else. This one also writes them into .grad, as _backward did in "
        "03. An input may be used more than once: in 09 the backward pass accumulates all shares, and then "
        "writes .grad.",
        _write_grads,
        classes,
    )
    also_do(
        ex,
        "changes out_grad",
        "out_grad belongs to the result, and others may still need it: a rule never changes what it is given. out_grad "
        "* derivative is a new Tensor; out_grad *= derivative would be one too, but out_grad.data *= ... writes into "
        "the old one.",
        _change_out_grad,
        classes,
    )


def also_do(ex, name, words, side_effect, classes):
    """A misconception that is the right rule of some classes, and then side_effect(shares, out_grad, node)."""

    def patch(bg):
        for cls in classes:
            _then(getattr(bg.ops, cls), side_effect)

    return wrong(ex, name, words)(patch)


def _then(cls, side_effect):
    right = cls.backward

    def backward(self, g, node):
        returned = right(self, g, node)
        side_effect(returned if isinstance(returned, tuple) else (returned,), g, node)
        return returned

    cls.backward = backward


def _write_grads(shares, g, node):
    for x, share in zip(node._inputs, shares):
        x.grad = None if share is None else share.data


def _change_out_grad(shares, g, node):
    g.data = next(share.data for share in shares if share is not None) * 1.0


def out_grad_cut(ex, *classes):
    """A misconception: the rules with out_grad.data where out_grad is meant."""

    def patch(bg):
        for cls in classes:
            _with_plain_out_grad(getattr(bg.ops, cls))

    words = (
        "The numbers are right, but the share does not remember out_grad. out_grad may depend on other numbers too, "
        "and a second derivative needs to know. Multiply by out_grad itself, not by its .data or by a constant made "
        "of it."
    )
    return wrong(ex, "out_grad as a constant", words)(patch)


def _with_plain_out_grad(cls):
    right = cls.backward
    cls.backward = lambda self, g, node: right(self, plain(g, g.data), node)


# 6.1: rules with constant derivatives.

wrong_rule(
    constants,
    "both sides of a - b alike",
    "This is the rule of a + b. If b grows by 1, does a - b become larger or smaller? Look at the column d/db "
    "in the table.",
    stuck="The sign is wrong",
    Sub=lambda self, g, node, a, b: (g, g),
)
wrong_rule(
    constants,
    "the two sides of a - b swapped",
    "The minus is on the wrong side: here a gets it. The first share belongs to a, the second to b.",
    stuck="The sign is wrong",
    Sub=lambda self, g, node, a, b: (-g, g),
)
wrong_rule(
    constants,
    "a gradient for a only",
    "Sub has two inputs, and each gets a share. Return both, with a comma between them.",
    Sub=lambda self, g, node, a, b: g,
)
wrong_rule(
    constants,
    "the result handed back",
    "node is the result of the forward pass. The upstream gradient is out_grad.",
    Sub=lambda self, g, node, a, b: (g, -node),
)
wrong_rule(
    constants,
    "the derivative with respect to the scalar",
    "-a / scalar² is the derivative with respect to the scalar. But the scalar is a plain number and gets no "
    "gradient. If a grows by 1, by how much does a / scalar grow?",
    DivScalar=lambda self, g, node, a: -g * a / self.scalar**2,
)
wrong_rule(
    constants,
    "divided by the input",
    "Here out_grad is divided by a. The derivative of a / scalar is the same everywhere: in the table it does not "
    "change from row to row. Which number decides it?",
    DivScalar=lambda self, g, node, a: g / a,
)
wrong_rule(
    constants,
    "the result over the input",
    "node / a is 1 / scalar as long as a is not 0. Where a is 0 it is 0 / 0: nan. The derivative is the same "
    "everywhere, so neither the result nor the input is needed for it.",
    DivScalar=lambda self, g, node, a: g * node / a,
)
wrong_rule(
    constants,
    "the inputs handed back",
    "These are the inputs themselves. A share is made from out_grad, the upstream gradient, times the local "
    "derivative. Do the derivatives in the table depend on a and b at all?",
    Sub=lambda self, g, node, a, b: (a * 1.0, -b),
)
wrong_rule(
    constants,
    "multiplied where it should be divided",
    "If a grows by 1, a / -4 gets smaller by a quarter, not by four. Look at the derivatives in the table.",
    DivScalar=lambda self, g, node, a: g * self.scalar,
)
wrong_rule(
    constants,
    "the number of the table typed in",
    "-0.25 is right for a / -4 alone. The table of a / 5 has another derivative, and the check also tries a scalar "
    "that is not in the tables. Compute the derivative from the scalar that the operation keeps.",
    DivScalar=lambda self, g, node, a: -0.25 * g,
)
wrong_rule(
    constants,
    "a scalar that is not self's",
    "The number belongs to the operation: in its methods it is called self.scalar.",
    DivScalar=lambda self, g, node, a: g / scalar,  # noqa: F821
)
wrong_rule(
    constants,
    "a / scalar with the derivative of scalar / a",
    "-scalar / a² is the derivative of scalar / a. Here a is on top: if it grows by 1, by how much does a / scalar "
    "grow?",
    DivScalar=lambda self, g, node, a: g * (self.scalar * -1.0) / (a * a),
)
wrong_rule(
    constants,
    "out_grad forgotten",
    "These are only the local derivatives. A share says how much the root changes, so the local derivative must be "
    "multiplied by out_grad, which knows what comes after.",
    Sub=lambda self, g, node, a, b: (plain(g, np.ones(g.shape)), plain(g, -np.ones(g.shape))),
    DivScalar=lambda self, g, node, a: plain(g, np.full(g.shape, 1 / self.scalar)),
)
wrong_rule(
    constants,
    "derivatives as plain numbers",
    "A rule returns the share, a Tensor of the input's shape. This is a plain number, the derivative alone. What does "
    "it have to be multiplied by?",
    Sub=lambda self, g, node, a, b: (1.0, -1.0),
    DivScalar=lambda self, g, node, a: 1.0 / self.scalar,
)
around(
    constants,
    "arrays instead of Tensors",
    "The numbers are right, but they came back as a NumPy array. A rule takes Tensors and returns "
    "Tensors, so that the gradient can be differentiated again. out_grad itself understands -, * and /.",
    lambda share, g: share.data,
    CONSTANT,
)
cut_off(constants, "wrapped again after NumPy", CONSTANT, "-out_grad is a Tensor already.")


on_the_side(constants, *CONSTANT)

# 6.2: the product.

wrong_rule(
    mul,
    "multiplied by its own side",
    "a's share was multiplied by a, and b's by b. Take 3 * 5: if the 3 grows by 1, by how much does the product grow? "
    "Whose number is that?",
    Mul=lambda self, g, node, a, b: (g * a, g * b),
)
wrong_rule(
    mul,
    "out_grad forgotten",
    "b and a are the local derivatives. They say how much the product changes; a share says how much the root does. "
    "What is missing?",
    Mul=lambda self, g, node, a, b: (b * 1.0, a * 1.0),
)
wrong_rule(
    mul,
    "multiplied by the result",
    "node is the product a * b itself. The derivative with respect to a is how much the product grows when a grows by "
    "1. Try it with 3 * 5.",
    Mul=lambda self, g, node, a, b: (g * node, g * node),
)
wrong_rule(
    mul,
    "the rule of a sum",
    "Both sides got out_grad unchanged, which is right for a + b. In a product the derivative is not 1: take 3 * 5, "
    "and let the 3 grow by 1.",
    Mul=lambda self, g, node, a, b: (g, g),
)
wrong_rule(
    mul,
    "the matrix product",
    "@ is the matrix product: it makes one number out of two rows. For number by number the sign is *.",
    Mul=lambda self, g, node, a, b: (g @ b, g @ a),
)
wrong_rule(
    mul,
    "added instead of multiplied",
    "out_grad and the local derivative were added. Along a path they are multiplied: that is the chain rule.",
    Mul=lambda self, g, node, a, b: (g + b, g + a),
)
wrong_rule(
    mul,
    "one share for both sides together",
    "The two shares were added up, as the product rule from school does with two functions of one x. Here a and b are "
    "two inputs, and each gets its own share.",
    Mul=lambda self, g, node, a, b: g * b + g * a,
)
wrong_rule(
    mul,
    "divides the result by its own side",
    "node / a is b as long as a is not 0. Where a is 0, it is 0 / 0: nan. Use b itself.",
    Mul=lambda self, g, node, a, b: (g * node / a, g * node / b),
)
around(
    mul,
    "arrays instead of Tensors",
    "The numbers are right, but they are NumPy arrays. Multiply out_grad by the Tensor b, not by b.data.",
    lambda share, g: share.data,
    ["Mul"],
)
cut_off(mul, "wrapped again after NumPy", ["Mul"], "out_grad * b.")
THE_OTHER_INPUT_ASKED = (
    "Beside a constant the other side gets no share here. It is the constant that can do without one: a.requires_grad "
    "decides about the share of a, and b.requires_grad about that of b."
)
wrong_rule(
    mul,
    "the other input asked for requires_grad",
    THE_OTHER_INPUT_ASKED,
    Mul=lambda self, g, node, a, b: (g * b if b.requires_grad else None, g * a if a.requires_grad else None),
)
wrong_rule(
    mul,
    "the other side as a constant",
    "The numbers are right, but the share of a has forgotten b, and that of b has forgotten a. Each does depend on the "
    "other side, and a second derivative needs to know. What NumPy makes of .data remembers nothing, and neither does "
    "what .detach() gives.",
    Mul=lambda self, g, node, a, b: (g * b.data, g * a.data),
)

wrong_rule(
    mul,
    "one side as a constant",
    "The share of a is right. That of b has the right numbers, but it has forgotten a, and a second derivative needs "
    "to know. Multiply out_grad by the Tensor itself: .data and .detach() remember nothing.",
    Mul=lambda self, g, node, a, b: (g * b, g * a.data),
)
wrong_rule(
    mul,
    "b as a constant",
    "The share of b is right. That of a has the right numbers, but it has forgotten b, and a second derivative needs "
    "to know. Multiply out_grad by the Tensor itself: .data and .detach() remember nothing.",
    Mul=lambda self, g, node, a, b: (g * b.data, g * a),
)


def _out_grad_written_over(self, g, node, a, b):
    g.data = g.data * b.data
    return g, g * a


ONE_OUT_GRAD_FOR_BOTH = (
    "The share of b has one factor b too many: out_grad was multiplied by b first, and the share of b was made from "
    "the product. Both shares start from the out_grad that was passed in, and a rule never changes it."
)
wrong_rule(mul, "out_grad written over between the shares", ONE_OUT_GRAD_FOR_BOTH, Mul=_out_grad_written_over)
wrong_rule(
    mul,
    "the second share made of the first",
    ONE_OUT_GRAD_FOR_BOTH,
    Mul=lambda self, g, node, a, b: (g * b, g * b * a),
)
wrong_rule(
    mul,
    "inputs looked for in the result",
    "node keeps its inputs in node._inputs. The line above your code has already unpacked them, as a and b.",
    Mul=lambda self, g, node, a, b: (g * node.b, g * node.a),
)
out_grad_cut(mul, "Mul")
on_the_side(mul, "Mul")

# 6.3: the quotient.

wrong_rule(
    div,
    "the sign of the second share",
    "With a larger number below, the fraction gets smaller: 12 / 2 is 6, 12 / 2.1 is less. What sign does the "
    "derivative with respect to b have, then?",
    stuck="The sign is wrong",
    Div=lambda self, g, node, a, b: (g / b, g * a / (b * b)),
)
wrong_rule(
    div,
    "the square forgotten",
    "Here the derivative with respect to b becomes half when b is twice as large. Compare the rows 12 / 2 and 12 / 4 "
    "of the table: is it half there? (Where b is 1, you cannot see the difference.)",
    Div=lambda self, g, node, a, b: (g / b, -g * a / b),
)
wrong_rule(
    div,
    "twice the bottom for its square",
    "2 · 2 and 2² are the same number: this is right where b is 2, and nowhere else. Look at the row 12 / 8 of the "
    "table.",
    Div=lambda self, g, node, a, b: (g / b, -g * a / (b * 2.0)),
)
wrong_rule(
    div,
    "a forgotten",
    "This is the derivative of 1 / b. Look at the rows 12 / 8, 24 / 8 and 48 / 8: what does a do to the derivative?",
    Div=lambda self, g, node, a, b: (g / b, -g / (b * b)),
)
wrong_rule(
    div,
    "multiplied by b",
    "a is divided by b. If the 12 of 12 / 8 grows by 1, does the fraction grow by 8?",
    Div=lambda self, g, node, a, b: (g * b, -g * node / b),
)
wrong_rule(
    div,
    "out_grad forgotten for b",
    "The share of a is right. For b this is the local derivative alone: out_grad is missing.",
    Div=lambda self, g, node, a, b: (g / b, -node / b),
)
wrong_rule(
    div,
    "top and bottom swapped",
    "These are the shares of b / a. Take 12 / 8: if the 12 grows by 1, does the fraction become larger or smaller?",
    Div=lambda self, g, node, a, b: (-g * b / (a * a), g / a),
)
wrong_rule(
    div,
    "top and bottom swapped for b",
    "The share of a is right. That of b shrinks when a grows. Compare 12 / 8 and 24 / 8 in the table, then 12 / 2 and "
    "12 / 4: which of a and b belongs on top, which below, and which of them is squared?",
    Div=lambda self, g, node, a, b: (g / b, -g * b / (a * a)),
)
wrong_rule(
    div,
    "the other input asked for requires_grad",
    THE_OTHER_INPUT_ASKED,
    Div=lambda self, g, node, a, b: (
        g / b if b.requires_grad else None,
        -g * node / b if a.requires_grad else None,
    ),
)
wrong_rule(
    div,
    "the two shares swapped",
    "Both shares are right, but the first belongs to a and the second to b.",
    Div=lambda self, g, node, a, b: (-g * node / b, g / b),
)
wrong_rule(
    div,
    "divided by the square twice",
    "node is a / b, which already contains one division by b, so node / b² has three. Compare 12 / 2 and 12 / 4 in "
    "the table: how many divisions by b does the derivative contain?",
    Div=lambda self, g, node, a, b: (g / b, -g * node / (b * b)),
)
wrong_rule(
    div,
    "a rule for a only",
    "Div has two inputs, and each gets a share. Here b got None, which says that nobody needs its share.",
    Div=lambda self, g, node, a, b: (g / b, None),
)
around(
    div,
    "arrays instead of Tensors",
    "The numbers are right, but they are NumPy arrays. Compute with the Tensors a, b, node and out_grad, not with "
    "their .data.",
    lambda share, g: share.data,
    ["Div"],
)
cut_off(div, "wrapped again after NumPy", ["Div"], "out_grad / b.")
wrong_rule(
    div,
    "out_grad forgotten",
    "These are only the local derivatives. They say how much the quotient changes; a share says how much the root "
    "does. What is missing?",
    Div=lambda self, g, node, a, b: (1 / b, -node / b),
)
wrong_rule(
    div,
    "brackets of b * b",
    "a / b * b is (a / b) * b: Python works from left to right, and what comes out is just a. Put brackets around (b "
    "* b), or divide twice.",
    Div=lambda self, g, node, a, b: (g / b, -g * a / b * b),
)
wrong_rule(
    div,
    "the result squared over the top",
    "node * node / a is a / b² as long as a is not 0. Where a is 0 it is 0 / 0: nan, though the derivative there is 0. "
    "Which number can you divide by instead?",
    Div=lambda self, g, node, a, b: (g / b, -g * node * node / a),
)
wrong_rule(
    div,
    "the top as a constant",
    "The numbers are right, but the share of b does not remember a, on which it does depend. Somewhere in it an array "
    "(.data) or a constant (.detach()) stands where the Tensor itself belongs.",
    Div=lambda self, g, node, a, b: (g / b, -g * node.data / b),
)

wrong_rule(
    div,
    "half of the bottom as a constant",
    "The numbers are right, but of the two factors b below only one is remembered, so a second derivative misses half "
    "of it. An array (.data) remembers nothing, nor does a constant (.detach()).",
    Div=lambda self, g, node, a, b: (g / b, -g * a / (b * b.data)),
)
wrong_rule(
    div,
    "the bottom as a constant",
    "The numbers are right, but both shares depend on b, and neither remembers it. Divide by the Tensor b itself: an "
    "array (.data) remembers nothing, nor does a constant (.detach()).",
    Div=lambda self, g, node, a, b: (g / b.data, -g * a / b.data**2),
)
wrong_rule(
    div,
    "the result divided by the top",
    "node / a is right as long as a is not 0. Where a is 0, it is 0 / 0: nan. And the derivative with respect to a has "
    "nothing to do with a: compare 12 / 8 and 24 / 8.",
    Div=lambda self, g, node, a, b: (g * node / a, -g * node / b),
)
out_grad_cut(div, "Div")
on_the_side(div, "Div")

# 6.4: a power with a plain exponent.

wrong_rule(
    power,
    "the exponent not lowered",
    "The derivative of x³ is 3x², but here it is 3x³. The exponent comes to the front. What else happens to it?",
    PowerScalar=lambda self, g, node, a: g * (self.scalar * a**self.scalar),
)
wrong_rule(
    power,
    "the exponent not in front",
    "The exponent was lowered, but it does not come to the front: the derivative of x³ is 3x², not x².",
    PowerScalar=lambda self, g, node, a: g * a ** (self.scalar - 1),
)
wrong_rule(
    power,
    "result over input",
    "n * result / x is right as long as x is not 0. There it is 0 / 0, and that is nan. x ** (n - 1) needs no "
    "division.",
    PowerScalar=lambda self, g, node, a: g * (self.scalar * node / a),
)
wrong_rule(
    power,
    "the exponent 0 at 0",
    "Everything is right except the exponent 0 at x = 0: there the formula asks for 0 * 0⁻¹, which is nan in NumPy. "
    "What is x⁰ at -2, at 5 and at 0, and what is its derivative?",
    PowerScalar=lambda self, g, node, a: g * (self.scalar * a ** (self.scalar - 1)),
)


def _lower_the_scalar(self, g, node, a):
    self.scalar -= 1
    return g * ((self.scalar + 1) * a**self.scalar) if self.scalar + 1 else g * 0.0


wrong_rule(
    power,
    "self.scalar changed",
    "The rule changes self.scalar, so it is right only once: the second time it works with another exponent. "
    "self.scalar belongs to the operation. Use self.scalar - 1 without storing it there.",
    PowerScalar=_lower_the_scalar,
)
wrong_rule(
    power,
    "the exponent 0 taken for the exponent 1",
    "For the exponent 0, out_grad was passed on unchanged. That is the derivative 1, of x¹. What are 2⁰ and 5⁰? How "
    "much does the result change from one to the other?",
    PowerScalar=lambda self, g, node, a: g * (self.scalar * a ** (self.scalar - 1)) if self.scalar else g,
)
wrong_rule(
    power,
    "out_grad forgotten",
    "This is the local derivative alone. A share says how much the root changes: what is missing?",
    PowerScalar=lambda self, g, node, a: self.scalar * a ** (self.scalar - 1) if self.scalar else g * 0.0,
)
wrong_rule(
    power,
    "lowered before it comes to the front",
    "The exponent was lowered first, so the number in front is one too small: for x³ it must be 3, not 2.",
    PowerScalar=lambda self, g, node, a: g * ((self.scalar - 1) * a ** (self.scalar - 1)),
)
wrong_rule(
    power,
    "the gradient raised to a power",
    "Here out_grad was raised to a power. It is the input a that is raised to n - 1; out_grad is only a factor.",
    PowerScalar=lambda self, g, node, a: self.scalar * g ** (self.scalar - 1) * a,
)
wrong_rule(
    power,
    "the rule of n ** x",
    "result * log(...) is the derivative when the exponent changes. Here the exponent is fixed and the base changes: "
    "what was the derivative of x³ in notebook 02?",
    PowerScalar=lambda self, g, node, a: plain(g, g.data * node.data * np.log(np.abs(a.data))),
)
wrong_rule(
    power,
    "brackets around the exponent",
    "a ** n - 1 is (a ** n) - 1: Python takes the power first. Put brackets around the exponent, a ** (n - 1).",
    PowerScalar=lambda self, g, node, a: g * self.scalar * a**self.scalar - 1 if self.scalar else g * 0.0,
)
wrong_rule(
    power,
    "a plain 0",
    "The numbers are right. But a rule returns a Tensor of the input's shape, even if every number in it is 0: "
    "out_grad * 0.0 is one.",
    PowerScalar=lambda self, g, node, a: g * (self.scalar * a ** (self.scalar - 1)) if self.scalar else 0,
)
cut_off(power, "wrapped again after NumPy", ["PowerScalar"], "a ** (self.scalar - 1) is a Tensor.")
wrong_rule(
    power,
    "the input as a constant",
    "The numbers are right, but the share has forgotten that it depends on a. An array (.data) remembers nothing, nor "
    "does a constant (.detach()): raise the Tensor a itself to the power.",
    PowerScalar=lambda self, g, node, a: g * (self.scalar * a.data ** (self.scalar - 1)) if self.scalar else g * 0.0,
)

wrong_rule(
    power,
    "a scalar that is not self's",
    "The exponent belongs to the operation: in its methods it is called self.scalar.",
    PowerScalar=lambda self, g, node, a: g * (scalar * a ** (scalar - 1)),  # noqa: F821
)

wrong_rule(
    power,
    "a 1 added below at 0",
    "At x = 0 this gives 0. For x³ that is the right derivative. For x¹ it is not: what is the derivative of x at 0? "
    "n * x ** (n - 1) is right there, and needs care for one exponent alone.",
    PowerScalar=lambda self, g, node, a: g * (self.scalar * node / (a + (a.data == 0))),
)


def _nan_repaired(self, g, node, a):
    share = g * self.scalar * a ** (self.scalar - 1)
    share.data = np.nan_to_num(share.data)
    return share


wrong_rule(
    power,
    "nan repaired afterwards",
    "The numbers that came back are right, but nan was only wiped out of the array: the recorded computation still has "
    "0 * 0⁻¹ in it, and gives nan whenever it is computed again. Which exponent is it, and what is its derivative "
    "everywhere?",
    PowerScalar=_nan_repaired,
)
wrong_rule(
    power,
    "zeros of NumPy's",
    "Everything is right but one thing: the zeros for the exponent 0 are float64, as those of np.zeros are, and next "
    "to float32 the more precise dtype wins. A plain number adapts to the Tensor that it is multiplied by.",
    PowerScalar=lambda self, g, node, a: (
        g * (self.scalar * a ** (self.scalar - 1)) if self.scalar else g * np.zeros(a.shape)
    ),
)
wrong_rule(
    power,
    "None for the exponent 0",
    "For the exponent 0 the rule returns None, which says that no gradient flows to a at all. A share like any other "
    "is wanted, full of zeros: out_grad * 0.0.",
    PowerScalar=lambda self, g, node, a: g * (self.scalar * a ** (self.scalar - 1)) if self.scalar else None,
)
out_grad_cut(power, "PowerScalar")
on_the_side(power, "PowerScalar")

# 6.5: the gradient check.


def is_off(given, nudged, rtol, atol):
    return ~np.isclose(given, nudged, rtol=rtol, atol=atol, equal_nan=True)


def wrong_check(name, words, **changes):
    """A misconception that is compare_with_nudging with a change.

    above(out, seed), off(given, nudged, rtol, atol), positions(inputs), of(every, position), array(given),
    same_shape(given, x, out), slopes, say(...).
    """

    def patch(bg):
        bg.gradient_check.compare_with_nudging = _checker(bg.gradient_check, bg, **changes)

    return wrong(check, name, words)(patch)


def _checker(
    room,
    bg,
    above=None,
    above_for_nudging=None,
    off=is_off,
    positions=lambda inputs: [i for i, x in enumerate(inputs) if x.requires_grad],
    of=lambda every, position: every[position],
    array=lambda given: given.data,
    same_shape=lambda given, x, out: given is not None and given.shape == x.shape,
    slopes=None,
    say="the gradient of input {0} at index {1} is {2:.6g} by backward, but {3:.6g} by nudging",
    say_shape="input {0} has shape {1}, but backward gives it a gradient of shape {2}",
    say_none=None,
    returns=True,
    **fixed,
):
    def compare_with_nudging(fn, inputs, gradients_of, eps, rtol, atol, seed):
        tolerances = {"eps": eps, "rtol": rtol, "atol": atol} | fixed
        inputs = (inputs,) if isinstance(inputs, bg.Tensor) else tuple(inputs)
        out = fn(*inputs)
        out_grad = (above or room.random_gradient)(out, seed)
        for_nudging = above_for_nudging(out, seed) if above_for_nudging else out_grad
        every = gradients_of(out, inputs, out_grad)
        for position in positions(inputs):
            given, x = of(every, position), inputs[position]
            if not same_shape(given, x, out):
                said = say_none or say_shape if given is None else say_shape
                raise room.GradcheckError(said.format(position, x.shape, getattr(given, "shape", None)))
            nudged = (slopes or room.slopes_by_nudging)(fn, inputs, position, for_nudging, tolerances["eps"])
            wrong_places = off(array(given), nudged, tolerances["rtol"], tolerances["atol"])
            if np.any(wrong_places):
                place = tuple(np.argwhere(np.broadcast_to(wrong_places, nudged.shape))[0].tolist())
                numbers = given.data[place], nudged[place]
                raise room.GradcheckError(say.format(position, place, *(float(np.ravel(n)[0]) for n in numbers)))
        return returns

    return compare_with_nudging


def ones(out, seed):
    return plain(out, np.ones(out.shape))


def forward_difference(fn, inputs, position, out_grad, eps):
    """Nudges to one side only."""
    make = type(inputs[position])

    def total(array):
        moved = [make(array) if i == position else x for i, x in enumerate(inputs)]
        return float(np.sum(out_grad.data * fn(*moved).data))

    array = inputs[position].data.copy()
    slopes = np.zeros(array.shape)
    for place in np.ndindex(array.shape):
        before, original = total(array), array[place]
        array[place] = original + eps
        slopes[place] = (total(array) - before) / eps
        array[place] = original
    return slopes


def nudged_in_place(fn, inputs, position, out_grad, eps):
    """Nudges the input itself, and leaves it nudged."""
    array = inputs[position].data
    slopes = np.zeros(array.shape)
    for place in np.ndindex(array.shape):
        array[place] += eps
        above = np.sum(out_grad.data * fn(*inputs).data)
        array[place] -= 2 * eps
        slopes[place] = (above - np.sum(out_grad.data * fn(*inputs).data)) / (2 * eps)
    return slopes


def of_norms(given, nudged, rtol, atol):
    return abs(np.linalg.norm(given) - np.linalg.norm(nudged)) > atol + rtol * np.linalg.norm(nudged)


def norm_of_the_difference(given, nudged, rtol, atol):
    difference = np.linalg.norm(given - nudged) / (np.linalg.norm(given) + np.linalg.norm(nudged) + 1e-12)
    return not difference <= rtol


wrong_check(
    "ones from above",
    "With ones as the upstream gradient, four wrong rules slip through: one that forgets out_grad, one that squares "
    "it, one that reverses it, and one that takes its mean. Which numbers would give them away? One of the three "
    "helpers makes them.",
    above=ones,
)
wrong_check(
    "ones for nudging, random for the rule",
    "The rule got the random gradient, and nudging got ones. Both must answer the same question: pass the same "
    "out_grad to slopes_by_nudging.",
    above_for_nudging=ones,
)
wrong_check(
    "one upstream gradient for the rule, another for nudging",
    "The rule and nudging got two different upstream gradients here, so they answer two different questions. Make one "
    "random out_grad, and pass it to both, gradients_of and slopes_by_nudging.",
    above_for_nudging=lambda out, seed: plain(out, np.random.default_rng(seed + 1).normal(size=out.shape)),
)
wrong_check(
    "no look at the shape",
    "The numbers are compared right away, and NumPy broadcasts (1, 2, 3) and (2, 3) to one shape, or stops with an "
    "error of its own. Compare given.shape with x.shape first. And None, which has no shape, is a fault too.",
    same_shape=lambda given, x, out: True,
)
wrong_check(
    "None seen, shapes not",
    "Shapes first: NumPy broadcasts (1, 2, 3) and (2, 3) to one shape before it compares, or stops with an error of "
    "its own. None is noticed here; compare given.shape with x.shape as well.",
    same_shape=lambda given, x, out: given is not None,
)
wrong_check(
    "the result's shape",
    "The gradient has the input's shape, not the result's: a sum of six numbers has one result and six derivatives. "
    "Compare given.shape with x.shape.",
    same_shape=lambda given, x, out: given is not None and given.shape == out.shape,
)
wrong_check(
    "a Tensor handed to NumPy",
    "given is a Tensor, and np.isclose wants its array: given.data. nudged is an array already.",
    array=lambda given: given,
)
wrong_check(
    "the first gradient for all inputs",
    "For the second input, gradients of two different inputs are compared: one of the two is always that of input 0. "
    "Both are wanted for the same input, the one whose position has been reached.",
    of=lambda every, position: every[0],
)
wrong_check(
    "through the inputs from the last",
    "Two gradients are wrong, and the message should name the first of these inputs. Go through them from position 0 "
    "on.",
    positions=lambda inputs: [i for i, x in enumerate(inputs) if x.requires_grad][::-1],
)
wrong_check(
    "None let pass",
    "An input that requires grad and gets None has no gradient at all. That is an error, just like a wrong shape.",
    positions=lambda inputs: [i for i, x in enumerate(inputs) if x.requires_grad],
    same_shape=lambda given, x, out: given.shape == x.shape,
)
wrong_check(
    "None skipped",
    "An input that requires grad and gets None has no gradient at all. That is an error, not something to skip.",
    same_shape=lambda given, x, out: given is None or given.shape == x.shape,
    array=lambda given: None if given is None else given.data,
    off=lambda given, *others: given is not None and is_off(given, *others),
)
wrong_check(
    "sizes instead of shapes",
    "(3, 2) and (2, 3) hold equally many numbers, but they are two shapes. Compare given.shape with x.shape.",
    same_shape=lambda given, x, out: given is not None and given.size == x.size,
    off=lambda given, nudged, rtol, atol: is_off(given.reshape(nudged.shape), nudged, rtol, atol),
)
wrong_check(
    "only the first input",
    "Only the first input is checked. But a rule may be right for a and wrong for b: go through all inputs that "
    "require grad.",
    positions=lambda inputs: [0],
)
wrong_check(
    "inputs that require no grad too",
    "b requires no grad, so nobody needs its share, and a rule may return None for it. Skip such inputs.",
    positions=lambda inputs: range(len(inputs)),
)
wrong_check(
    "stops at an input that requires no grad",
    "The inputs after the first one that requires no grad are never looked at. `continue` goes on with the next one; "
    "`break` and `return` do not.",
    positions=lambda inputs: [i for i, x in enumerate(inputs) if all(other.requires_grad for other in inputs[: i + 1])],
)


@wrong(
    check,
    "nudged at a position among those that require grad",
    "A right rule is blamed where an input that requires no grad comes first: the position was counted without that "
    "input, so another one was nudged. A position counts all inputs.",
)
def _(bg):
    room = bg.gradient_check

    def slopes(fn, inputs, position, *more):
        return room.slopes_by_nudging(fn, inputs, sum(x.requires_grad for x in inputs[:position]), *more)

    room.compare_with_nudging = _checker(room, bg, slopes=slopes)


wrong_check(
    "wrong everywhere or right",
    "It complains only if *all* places are off. One is enough: any, not all.",
    off=lambda given, nudged, rtol, atol: np.full(nudged.shape, is_off(given, nudged, rtol, atol).all()),
)
wrong_check(
    "lengths compared",
    "Two gradients can have the same length (norm) and point in different directions: a wrong sign does not change "
    "it. Compare number with number.",
    off=of_norms,
)
wrong_check(
    "sums compared",
    "The sums of two gradients can agree by chance, and a wrong place can hide among many right ones. Compare number "
    "with number.",
    off=lambda given, nudged, rtol, atol: not np.isclose(given.sum(), nudged.sum(), rtol=rtol, atol=atol),
)
wrong_check(
    "one difference for all places",
    "One norm over all places says that something is off, but not where, and it leaves out atol. Where the right "
    "derivative is 0, even a tiny difference is a large relative error. Compare place by place with atol + rtol * "
    "size.",
    off=norm_of_the_difference,
)
wrong_check(
    "the absolute difference only",
    "The error of nudging grows with the numbers: at a derivative of 100000000 it is more than atol. Allow atol + rtol "
    "* size, as np.isclose does.",
    rtol=0.0,
)
wrong_check(
    "the relative difference only",
    "Where the right derivative is 0, every difference is infinitely large relative to it, and nudging never quite "
    "hits 0. Allow atol + rtol * size, as np.isclose does.",
    atol=0.0,
)
wrong_check(
    "a coarse tolerance of its own",
    "A rule that is off by half a percent slipped through. rtol and atol are arguments: use them as they are.",
    rtol=1e-2,
    atol=1e-2,
)
wrong_check(
    "np.allclose without rtol and atol",
    "The caller's rtol and atol make no difference here. Does np.isclose get them?",
    rtol=1e-5,
    atol=1e-8,
)
wrong_check(
    "eps not handed on",
    "The caller's eps makes no difference here. Pass it on to slopes_by_nudging.",
    eps=1e-6,
)
wrong_check(
    "nan is never larger",
    "nan > tolerance is False, as every comparison with nan is, so nan slipped through. Ask whether the numbers are "
    "close (np.isclose), and raise where they are not.",
    off=lambda given, nudged, rtol, atol: abs(given - nudged) > atol + rtol * abs(nudged),
)
wrong_check(
    "the size of the rule's own number",
    "The tolerance is computed from the rule's number. If that is inf, the tolerance is inf too, and everything is "
    "close enough. Compute it from the nudged one: np.isclose takes the size of its second argument.",
    off=lambda given, nudged, rtol, atol: ~(abs(given - nudged) <= atol + rtol * abs(given)),
)
wrong_check(
    "differences with a sign",
    "The difference has a sign, and a negative one is never larger than the tolerance. Take its absolute value, with "
    "np.abs, or use np.isclose.",
    off=lambda given, nudged, rtol, atol: ~(given - nudged <= atol + rtol * abs(nudged)),
)
wrong_check(
    "nudges to one side",
    "A nudge to one side only is off by half of eps times the curvature, and exp(100 * x) curves strongly. "
    "slopes_by_nudging nudges to both sides: a central difference.",
    slopes=forward_difference,
)
wrong_check(
    "leaves the inputs nudged",
    "The inputs were nudged in place and not put back, so the caller's numbers have changed. slopes_by_nudging works "
    "on a copy.",
    slopes=nudged_in_place,
)
wrong_check(
    "a message without the place",
    "The message says that something is wrong, but not where. np.argwhere(off)[0] is the first place that is off; "
    "name it, the input's position and both numbers.",
    say="the gradients differ",
)
wrong_check(
    "a message with the input alone",
    "The message names the input, but not where in it. np.allclose says that something is off, not where: ask "
    "np.isclose, then np.argwhere for the first place. Name it and both numbers.",
    say="the gradient of input {0} is wrong",
)
wrong_check(
    "a message without the index",
    "The input and the numbers are named, but not the place. np.argwhere(~close)[0] is the first one that is off, "
    "if close is what np.isclose gave.",
    say="the gradient of input {0} is {2:.6g} by backward, but {3:.6g} by nudging",
)
wrong_check(
    "a message without the numbers",
    "The place is named. Now add both numbers: they show at a glance whether a sign, a factor or everything is wrong.",
    say="the gradient of input {0} at index {1} is wrong",
)
wrong_check(
    "the two numbers changed over",
    "The message mixes up the two numbers: the one that it calls nudging's is backward's, and the other way round. "
    "Whoever debugs with it looks in the wrong place.",
    say="the gradient of input {0} at index {1} is {3:.6g} by backward, but {2:.6g} by nudging",
)
wrong_check(
    "the seed not handed on",
    "The caller's seed makes no difference here. Pass it on to random_gradient.",
    above=lambda out, seed: plain(out, np.random.default_rng(0).normal(size=out.shape)),
)
wrong_check(
    "random numbers without the seed",
    "Each call takes other random numbers, so an error may be gone the next time you look. random_gradient(out, seed) "
    "gives the same ones for the same seed.",
    above=lambda out, seed: plain(out, np.random.default_rng().normal(size=out.shape)),
)
wrong_check(
    "a message without the input",
    "The index and the numbers are named. With several inputs the reader also has to know which one it is: name its "
    "position.",
    say="the gradient at index {1} is {2:.6g} by backward, but {3:.6g} by nudging",
)
wrong_check(
    "a message without the shapes",
    "Shapes are the quickest clue there is. Name both, the input's and the gradient's.",
    say_shape="the gradient of input {0} has a wrong shape",
)
wrong_check(
    "a message about None without the input",
    "That an input got None is noticed, but the message does not say which input it is: name its position.",
    say_none="there is no gradient at all",
)
wrong_check(
    "returns nothing",
    "It should return True when all is well, so that you can write assert check_rule(...). Is the last line missing?",
    returns=None,
)


wrong_check(
    "returns after the first input",
    "After the first input that is right no other is looked at: does return True stand inside the loop? It belongs "
    "after it.",
    positions=lambda inputs: [i for i, x in enumerate(inputs) if x.requires_grad][:1],
)


@wrong(
    check,
    "returns False",
    "It returned False where it should raise. A False is easily overlooked and explains nothing. Raise a "
    "GradcheckError that names the place and both numbers.",
)
def _(bg):
    room = bg.gradient_check
    right = room.compare_with_nudging

    def compare_with_nudging(*arguments):
        try:
            return right(*arguments)
        except room.GradcheckError:
            return False

    room.compare_with_nudging = compare_with_nudging


@wrong(
    check,
    "nothing raised",
    "It returned True for rules that are wrong. What is off has to be raised: a line that prints it, or an exception "
    "that is made and not raised, stops nobody. raise GradcheckError(message) ends the function.",
)
def _(bg):
    room = bg.gradient_check
    right = room.compare_with_nudging

    def compare_with_nudging(*arguments):
        try:
            return right(*arguments)
        except room.GradcheckError:
            return True

    room.compare_with_nudging = compare_with_nudging


@wrong(
    check,
    "assert",
    "It stopped with an AssertionError. Callers expect a GradcheckError, whose message names the place and both "
    "numbers; and Python can be told to skip every assert.",
)
def _(bg):
    room = bg.gradient_check
    right = room.compare_with_nudging

    def compare_with_nudging(*arguments):
        try:
            return right(*arguments)
        except room.GradcheckError:
            raise AssertionError from None

    room.compare_with_nudging = compare_with_nudging


# 6.6: exp, log, sqrt.

wrong_rule(
    growth,
    "exp by the power rule",
    "The power rule is for x ** n, where the base changes. In e ** x the exponent changes, and the derivative is the "
    "result itself.",
    Exp=lambda self, g, node, a: g * a * plain(a, np.exp(a.data - 1)),
)
wrong_rule(
    growth,
    "exp times its input",
    "This multiplies by the input. In the table of exp, is the derivative equal to x or to the result?",
    Exp=lambda self, g, node, a: g * a,
)
wrong_rule(
    growth,
    "exp's out_grad forgotten",
    "That is the local derivative of exp alone. A share says how much the root changes: what is missing?",
    Exp=lambda self, g, node, a: node * 1.0,
)
wrong_rule(
    growth,
    "exp taken twice",
    "This takes exp of node, but node is exp(a) already.",
    Exp=lambda self, g, node, a: g * node.exp(),
)
wrong_rule(
    growth,
    "exp done to the gradient",
    "This takes exp of out_grad. A gradient does not go through the operation again: it is multiplied by the "
    "derivative. Where does that stand in the table?",
    Exp=lambda self, g, node, a: plain(g, np.exp(g.data)),
)
wrong_rule(
    growth,
    "log times its input",
    "This derivative grows with x. In the table of log it gets smaller: the curve becomes flatter to the right. How "
    "does it follow from x?",
    Log=lambda self, g, node, a: g * a,
)
wrong_rule(
    growth,
    "log over its result",
    "This divides by the result. In the table of log, in the row where x is 1, the result is 0 and the derivative is "
    "1. Does the derivative follow from x or from the result?",
    Log=lambda self, g, node, a: g / node,
)
wrong_rule(
    growth,
    "log's out_grad forgotten",
    "That is the local derivative of log alone. A share says how much the root changes: what is missing?",
    Log=lambda self, g, node, a: 1 / a,
)
wrong_rule(
    growth,
    "sqrt's out_grad forgotten",
    "That is the local derivative of sqrt alone. A share says how much the root changes: what is missing?",
    Sqrt=lambda self, g, node, a: 1 / (node * 2.0),
)
wrong_rule(
    growth,
    "sqrt over its input",
    "This divides by twice the input. In the table of sqrt, in the row where x is 4, the derivative is 0.25. Is that "
    "one over twice the input, or over twice something else?",
    Sqrt=lambda self, g, node, a: g / (a * 2.0),
)
wrong_rule(
    growth,
    "the 2 of sqrt forgotten",
    "sqrt(x) is x to the power of one half. The one half comes to the front. What does it make of one over the root?",
    Sqrt=lambda self, g, node, a: g / node,
)
wrong_rule(
    growth,
    "sqrt with the exponent not lowered",
    "The one half came to the front, but the exponent was not lowered: from one half to minus one half, so the root "
    "belongs below. Or brackets are missing: / 2 * node multiplies by node.",
    Sqrt=lambda self, g, node, a: g * node * 0.5,
)
wrong_rule(
    growth,
    "brackets of sqrt's derivative",
    "out_grad / node * 2 is (out_grad / node) * 2: Python works from left to right. Put brackets around (node * 2), "
    "or divide twice.",
    Sqrt=lambda self, g, node, a: g / node * 2.0,
)
wrong_rule(
    growth,
    "NumPy's function of a Tensor",
    "NumPy's functions take arrays, and a Tensor refuses to be taken for one. A rule is made of operations on "
    "Tensors: use node, or a.exp() and the like.",
    Exp=lambda self, g, node, a: g * np.exp(a),
    Log=lambda self, g, node, a: g * np.reciprocal(a),
    Sqrt=lambda self, g, node, a: g / (2 * np.sqrt(a)),
)


cut_off(growth, "wrapped again after NumPy", ["Exp", "Log", "Sqrt"], "out_grad * node.")
wrong_rule(
    growth,
    "the derivative as a constant",
    "The numbers are right, but the share has forgotten that it depends on a. What NumPy makes of .data remembers "
    "nothing, and neither does what .detach() gives. The Tensors node and a remember.",
    Exp=lambda self, g, node, a: g * node.data,
    Log=lambda self, g, node, a: g / a.data,
    Sqrt=lambda self, g, node, a: g / (node.data * 2.0),
)
for _ex, *_names in ((growth, "Exp", "Log", "Sqrt"), (kinks, "Abs", "ReLU"), (saturating, "Sigmoid", "Tanh")):
    wrong_rule(
        _ex,
        "the input not taken out of node",
        "A rule gets out_grad and node, and nothing called a. The line (a,) = node._inputs unpacks the input. (The "
        "result needs no such line: it is node.)",
        **dict.fromkeys(_names, lambda self, g, node, _: g * a),  # noqa: F821
    )
    wrong_rule(
        _ex,
        "the tuple of inputs taken for the input",
        "Did a tuple with a Tensor in it get there? node._inputs is a tuple, even where there is only one input: the "
        "comma in (a,) = node._inputs takes the Tensor out of it.",
        **dict.fromkeys(set(_names) & {"Log", "Abs", "Sigmoid"}, lambda self, g, node, _: g / node._inputs),
    )
for _cls, _remembers, _slope in [
    ("Exp", "node", lambda node, a: node.data),
    ("Log", "a", lambda node, a: 1 / a.data),
    ("Sqrt", "node", lambda node, a: 0.5 / node.data),
]:
    wrong_rule(
        growth,
        f"the derivative of {_cls.lower()} as a constant",
        f"The numbers of {_cls.lower()}'s share are right, but it has forgotten that it depends on a. What NumPy "
        f"makes of .data remembers nothing. The Tensor {_remembers} does.",
        **{_cls: lambda self, g, node, a, slope=_slope: g * slope(node, a)},
    )
out_grad_cut(growth, "Exp", "Log", "Sqrt")
on_the_side(growth, "Exp", "Log", "Sqrt")


def _change_result(shares, g, node):
    node.data = shares[0].data


also_do(
    growth,
    "changes the result",
    "The numbers of node were written over. node is the result of the forward pass, and the rules of other operations "
    "use its numbers too. out_grad * node is a new Tensor.",
    _change_result,
    ["Exp", "Sqrt"],
)
# 6.7: kinks.

wrong_rule(
    kinks,
    "abs slants up at 0",
    "At 0 the derivative of abs is taken as 0 here, as in PyTorch: neither half has a better claim. What is sign(a) "
    "there?",
    stuck="Slope at a kink",
    Abs=lambda self, g, node, a: g * np.where(a.data >= 0, 1.0, -1.0),
)
wrong_rule(
    kinks,
    "abs slants down at 0",
    "At 0 the derivative of abs is taken as 0 here, as in PyTorch: neither half has a better claim. What is sign(a) "
    "there?",
    stuck="Slope at a kink",
    Abs=lambda self, g, node, a: g * np.where(a.data > 0, 1.0, -1.0),
)
wrong_rule(
    kinks,
    "abs as input over size",
    "a / |a| is the sign, but at 0 it is 0 / 0: nan. sign(a) is 0 there.",
    stuck="Slope at a kink",
    Abs=lambda self, g, node, a: g * a / node,
)
wrong_rule(
    kinks,
    "abs multiplied by the input",
    "Here out_grad was multiplied by the input itself. Only its sign is the derivative: abs is as steep at 0.1 as at "
    "100.",
    Abs=lambda self, g, node, a: g * a,
)
wrong_rule(
    kinks,
    "the sign of the result",
    "This takes the sign of the result, which is never negative. Only the input, a, knows whether abs rises or falls "
    "there.",
    Abs=lambda self, g, node, a: g * np.sign(node.data),
)
wrong_rule(
    kinks,
    "abs of the gradient",
    "abs was applied to out_grad. A gradient may be negative, and nobody makes it positive: it is multiplied by the "
    "derivative, 1 or -1.",
    Abs=lambda self, g, node, a: g * np.sign(g.data) * (a.data != 0),
)
wrong_rule(
    kinks,
    "the left half of abs forgotten",
    "This is the derivative of relu. abs falls on the left: there its derivative is -1, not 0.",
    Abs=lambda self, g, node, a: g * (a.data > 0),
)
wrong_rule(
    kinks,
    "relu passes everything",
    "Everything passes here. Where the input is negative, relu is flat and nothing may pass. (The *result* is at least "
    "0 everywhere: a mask made from it has to ask for larger than 0, not for larger or equal.)",
    stuck="Slope at a kink",
    ReLU=lambda self, g, node, a: g * (node.data >= 0),
)
wrong_rule(
    kinks,
    "relu passes at 0",
    "Everything is right except at the kink: at exactly 0 the derivative of relu is taken as 0. Larger than 0, not "
    "larger or equal.",
    stuck="Slope at a kink",
    ReLU=lambda self, g, node, a: g * (a.data >= 0),
)
wrong_rule(
    kinks,
    "half at relu's kink",
    "At exactly 0 the derivative of relu is taken as 0. One half is what nudging to both sides finds there, but "
    "neither half of relu has that derivative.",
    stuck="Slope at a kink",
    ReLU=lambda self, g, node, a: g * (np.sign(a.data) * 0.5 + 0.5),
)
wrong_rule(
    kinks,
    "relu masked by the gradient's sign",
    "The mask was made from out_grad: relu was applied to the gradient. Whether a gradient passes depends on the "
    "input alone, and a negative gradient passes just like a positive one.",
    ReLU=lambda self, g, node, a: g * (g.data > 0),
)
wrong_rule(
    kinks,
    "relu masked twice",
    "Where the input is positive, only positive gradients pass here. relu is applied to the numbers of the forward "
    "pass, not to gradients: negative ones pass too.",
    ReLU=lambda self, g, node, a: g * (g.data > 0) * (a.data > 0),
)
wrong_rule(
    kinks,
    "relu multiplied by its result",
    "out_grad was multiplied by the result. The derivative of relu is 1 on the right side, however large the number "
    "is.",
    ReLU=lambda self, g, node, a: g * node,
)
wrong_rule(
    kinks,
    "relu's mask the other way round",
    "The negative side passes and the positive is blocked. relu is flat on the left and rises on the right.",
    ReLU=lambda self, g, node, a: g * (a.data <= 0),
)
wrong_rule(
    kinks,
    "a mask instead of a gradient",
    "The mask is the local derivative alone. A share says how much the root changes: what is missing?",
    ReLU=lambda self, g, node, a: plain(g, (node.data > 0).astype(float)),
)
wrong_forward(
    kinks,
    "relu as a product with a mask",
    "For -inf this is nan. -inf * 0 is nan, as in a * (a > 0), and so is -inf + inf, as in (a + |a|) / 2. Comparing "
    "makes no nan: the larger of a and 0, number by number.",
    ReLU=lambda a: a * (a > 0),
)
wrong_forward(
    kinks,
    "the largest number of all",
    "np.max finds the largest number along an axis. np.maximum(a, 0) compares number by number.",
    ReLU=lambda a: np.max(a, 0),
)
wrong_forward(
    kinks,
    "relu keeps the size",
    "This is abs. relu gives 0 for everything below 0.",
    ReLU=np.abs,
)
wrong_forward(
    kinks,
    "leaky on the left",
    "This relu lets one percent through on the left: that is another function, leaky ReLU. Here everything below 0 "
    "becomes 0.",
    ReLU=lambda a: np.where(a > 0, a, 0.01 * a),
)


def _relu_in_place(a):
    a[a < 0] = 0
    return a


wrong_forward(
    kinks,
    "relu changes its input",
    "a[a < 0] = 0 changes the array that the input holds: whoever uses it later finds different numbers. Make a new "
    "array.",
    ReLU=_relu_in_place,
)
wrong_forward(
    kinks,
    "float64 for everybody",
    "A float32 array went in and a float64 array came out. np.zeros(a.shape) makes float64; np.maximum and "
    "np.zeros_like keep the input's dtype.",
    ReLU=lambda a: np.maximum(a, np.zeros(a.shape)),
)


def _relu_with_if(a):
    return a if a > 0 else 0.0


wrong_forward(
    kinks,
    "one question for a whole array",
    "`if`, `max` and `min` ask one question, but an array of three numbers has three answers. NumPy has functions that "
    "compare number by number.",
    ReLU=_relu_with_if,
)
wrong_rule(
    kinks,
    "NumPy's function of a Tensor",
    "np.sign and np.where take arrays, and a is a Tensor. Masks of Tensors are made by sign(a) and positive(a).",
    Abs=lambda self, g, node, a: g * np.sign(a),
    ReLU=lambda self, g, node, a: g * np.heaviside(a, 0),
)
wrong_rule(
    kinks,
    "a Tensor compared with a number",
    "Tensors cannot be compared with > or <. positive(a) asks, number by number, whether a is above 0, and answers "
    "with 1 or 0.",
    Abs=lambda self, g, node, a: g * ((a > 0) - (a < 0)),
    ReLU=lambda self, g, node, a: g * (a > 0),
)


@wrong(
    kinks,
    "the operation inside itself",
    "In this file relu is the operation, and calling it runs this very forward: one that calls relu calls itself "
    "without end. NumPy's functions have np in front.",
)
def _(bg):
    bg.ops.ReLU.forward = _without_self(bg.ops.relu)


cut_off(kinks, "wrapped again after NumPy", ["Abs", "ReLU"], "out_grad * sign(a), out_grad * positive(node).")

MASK_OF_FLOAT64 = (
    "The mask has dtype float64, and so a float32 share becomes float64. Tensor(mask) and np.where(mask, 1.0, 0.0) "
    "have that dtype. {} a mask of the right dtype."
)
wrong_rule(
    kinks,
    "relu's mask of float64",
    MASK_OF_FLOAT64.format("positive(a) and positive(node) make"),
    ReLU=lambda self, g, node, a: g * type(g)(node.data > 0),
)
wrong_rule(
    kinks,
    "abs's mask of float64",
    MASK_OF_FLOAT64.format("sign(a) makes"),
    Abs=lambda self, g, node, a: g * type(g)(np.sign(a.data).astype(float)),
)
on_the_side(kinks, "Abs", "ReLU")

# 6.8: saturation.

wrong_rule(
    saturating,
    "sigmoid's derivative from the input",
    "x * (1 - x) was computed from the input. In the picture the derivative is drawn over the *result*: what is the "
    "result called here?",
    Sigmoid=lambda self, g, node, a: g * (a * (1.0 - a)),
)
wrong_rule(
    saturating,
    "tanh's derivative from the input",
    "1 - x² was computed from the input. In the picture the derivative is drawn over the *result*: what is the result "
    "called here?",
    Tanh=lambda self, g, node, a: g * (1.0 - a * a),
)
wrong_rule(
    saturating,
    "the square in tanh's derivative forgotten",
    "1 - y is a straight line, and at y = -1 it is 2. The parabola in the picture is 0 there, as it is at 1. What "
    "could you square so that -1 and 1 give the same?",
    Tanh=lambda self, g, node, a: g * (1.0 - node),
)
wrong_rule(
    saturating,
    "the bracket squared in tanh's derivative",
    "(1 - y)² is 4 at the left end, y = -1. The parabola in the picture is 0 at both ends. Something else must be "
    "squared.",
    Tanh=lambda self, g, node, a: g * (1.0 - node) * (1.0 - node),
)
wrong_rule(
    saturating,
    "a plus in tanh's derivative",
    "1 + y² is lowest in the middle. The parabola in the picture is highest there, and 0 at both ends.",
    Tanh=lambda self, g, node, a: g * (1.0 + node * node),
)
wrong_rule(
    saturating,
    "tanh with sigmoid's derivative",
    "y (1 - y) is the parabola of sigmoid: it is 0 at y = 0. At which y is the parabola of tanh 0, and how high is it "
    "at y = 0?",
    Tanh=lambda self, g, node, a: g * (node * (1.0 - node)),
)
wrong_rule(
    saturating,
    "brackets of tanh's derivative",
    "out_grad multiplies only a part of the derivative here, and the rest is subtracted as it is. It has to multiply "
    "all of it: put brackets around the derivative.",
    Tanh=lambda self, g, node, a: g - node * node,
)
wrong_rule(
    saturating,
    "out_grad forgotten",
    "These are only the local derivatives. A share says how much the root changes: what is missing?",
    Sigmoid=lambda self, g, node, a: node * (1.0 - node),
    Tanh=lambda self, g, node, a: 1.0 - node * node,
)
wrong_rule(
    saturating,
    "sigmoid's derivative without the result in front",
    "1 - y is 0 at y = 1, like the parabola in the picture, but at y = 0 it is 1, and the parabola is 0 there too. "
    "Which second factor achieves that?",
    Sigmoid=lambda self, g, node, a: g * (1.0 - node),
)


wrong_rule(
    saturating,
    "sigmoid taken twice",
    "This takes sigmoid of node, but node is sigmoid(a) already.",
    Sigmoid=lambda self, g, node, a: g * (node.sigmoid() * (1.0 - node.sigmoid())),
)
wrong_rule(
    saturating,
    "tanh taken twice",
    "This takes tanh of node, but node is tanh(a) already.",
    Tanh=lambda self, g, node, a: g * (1.0 - node.tanh() * node.tanh()),
)
wrong_rule(
    saturating,
    "brackets of sigmoid's derivative",
    "node * 1 - node is (node * 1) - node: Python multiplies first. Put brackets around (1 - node).",
    Sigmoid=lambda self, g, node, a: g * node * 1 - node,
)
wrong_forward(
    saturating,
    "exp of a large number on the left",
    "For -1000 this asks for e to the power of 1000: inf, with a warning. The result is right by luck. What "
    "can you make from a that is never positive, neither for -1000 nor for 1000?",
    Sigmoid=lambda a: 1 / (1 + np.exp(-a)),
)
wrong_forward(
    saturating,
    "exp of a large number on the right",
    "For 1000 both eˣ and 1 + eˣ are inf, and inf / inf is nan. What can you make from a that is never positive, "
    "neither for -1000 nor for 1000?",
    Sigmoid=lambda a: np.exp(a) / (1 + np.exp(a)),
)
wrong_forward(
    saturating,
    "np.where computes both sides",
    "The numbers are right, but both sides were computed everywhere before one of them was chosen: np.where skips "
    "nothing. So NumPy still met e to the power of 1000, and warned. Give exp a number that is never positive, and "
    "use its result for both sides.",
    Sigmoid=lambda a: np.where(a >= 0, 1 / (1 + np.exp(-a)), np.exp(a) / (1 + np.exp(a))),
)
wrong_forward(
    saturating,
    "a bound too near to 0",
    "It is nearly right, but off by more than 1e-15 far out. If a is cut off at a bound, e to the power of that bound "
    "is still to be seen in the result. With a number that is never positive, exp needs no bound.",
    Sigmoid=lambda a: 1 / (1 + np.exp(-np.clip(a, -30, 30))),
)
wrong_forward(
    saturating,
    "sigmoid mirrored",
    "This falls from 1 to 0, but sigmoid rises from 0 to 1. On which side does 1 belong on top of the fraction?",
    Sigmoid=lambda a: np.where(a >= 0, np.exp(-np.abs(a)), 1) / (1 + np.exp(-np.abs(a))),
)
wrong_forward(
    saturating,
    "sigmoid right on one side only",
    "This is right for positive a. Try -2: the other way to write sigmoid is eˣ / (1 + eˣ). Which of its parts do you "
    "have already, and which is missing?",
    Sigmoid=lambda a: 1 / (1 + np.exp(-np.abs(a))),
)


def _sigmoid_with_if(a):
    return 1 / (1 + np.exp(-a)) if a >= 0 else np.exp(a) / (1 + np.exp(a))


wrong_forward(
    saturating,
    "one question for a whole array",
    "`if` asks one question, but an array of three numbers has three answers. np.where(a >= 0, one, other) chooses "
    "number by number.",
    Sigmoid=_sigmoid_with_if,
)
cut_off(saturating, "wrapped again after NumPy", ["Sigmoid", "Tanh"], "out_grad * (node * (1.0 - node)).")
wrong_rule(
    saturating,
    "the result as a constant",
    "The numbers are right, but the shares have forgotten that they depend on a. An array (.data) remembers nothing, "
    "nor does a constant (.detach()). node itself remembers.",
    Sigmoid=lambda self, g, node, a: g * (node.data * (1.0 - node.data)),
    Tanh=lambda self, g, node, a: g * (1.0 - node.data**2),
)


for _cls, _slope in {
    "Sigmoid": lambda node: node.data * (1.0 - node.data),
    "Tanh": lambda node: 1.0 - node.data**2,
}.items():
    wrong_rule(
        saturating,
        f"{_cls.lower()}'s result as a constant",
        f"The numbers of {_cls.lower()}'s share are right, but it has forgotten that it depends on a. An array (.data) "
        "remembers nothing, nor does a constant (.detach()). node itself remembers.",
        **{_cls: lambda self, g, node, a, slope=_slope: g * slope(node)},
    )
wrong_rule(
    saturating,
    "half of tanh's square from .data",
    "The numbers are right, but only one of the two factors remembers. The second derivative would be half of what it "
    "should be. An array (.data) remembers nothing: node has to be both factors.",
    Tanh=lambda self, g, node, a: g * (1.0 - node * node.data),
)
wrong_rule(
    saturating,
    "half of sigmoid's derivative from .data",
    "The numbers are right, but one of the two factors remembers nothing. The second derivative loses a part and may "
    "even have the wrong sign. Both factors have to be made from node itself, not from an array (.data).",
    Sigmoid=lambda self, g, node, a: g * node * (1.0 - node.data),
)
out_grad_cut(saturating, "Sigmoid", "Tanh")
on_the_side(saturating, "Sigmoid", "Tanh")
also_do(
    saturating,
    "changes the result",
    "The numbers of node were written over. node is the result of the forward pass, and the rules of other operations "
    "use its numbers too. Compute with node, and return a new Tensor.",
    _change_result,
    ["Sigmoid", "Tanh"],
)

# 6.9: both base and exponent may change.


def wrong_pow(name, words, to_a=None, to_b=None):
    """A misconception that is another share of a, or of b; the other one is right."""

    def patch(bg):
        right = bg.ops.Pow.backward

        def backward(self, g, node):
            a, b = node._inputs
            grad_a, grad_b = right(self, g, node)
            if to_a and a.requires_grad:
                grad_a = to_a(g, node, a, b)
            if to_b:
                grad_b = to_b(g, node, a, b)
            return grad_a, grad_b

        bg.ops.Pow.backward = backward

    return wrong(pow_rule, name, words)(patch)


def only_if_wanted(share):
    return lambda g, node, a, b: share(g, node, a, b) if b.requires_grad else None


def no_zeros(a, b):
    return (a + ((a.data == 0) & (b.data >= 0))).log()


wrong_pow(
    "the logarithm of the result",
    "This takes the logarithm of the result. The derivative with respect to the exponent is the result times the "
    "logarithm of the *base*.",
    to_b=only_if_wanted(lambda g, node, a, b: g * node * no_zeros(node, b)),
)
wrong_pow(
    "the logarithm of the exponent",
    "This takes the logarithm of the exponent. The derivative with respect to the exponent is the result times the "
    "logarithm of the *base*.",
    to_b=only_if_wanted(lambda g, node, a, b: g * node * plain(b, np.log(b.data))),
)
wrong_pow(
    "no logarithm",
    "The share of b is out_grad times the result here. That is right for the base e only; for others the logarithm of "
    "the base comes in. The derivative of 2 ** x is 2 ** x times log(2).",
    to_b=only_if_wanted(lambda g, node, a, b: g * node),
)
wrong_pow(
    "the power rule for both",
    "Here b got the power rule too. In 2 ** x it is the exponent that changes: the derivative is the result times the "
    "logarithm of the base.",
    to_b=only_if_wanted(lambda g, node, a, b: g * a * b ** (a - 1)),
)
wrong_pow(
    "the result forgotten",
    "The logarithm of the base alone is not the derivative: it is multiplied by the result, node.",
    to_b=only_if_wanted(lambda g, node, a, b: g * no_zeros(a, b)),
)
wrong_pow(
    "the exponent not lowered",
    "In the share of a the exponent is b, where it should be b - 1.",
    to_a=lambda g, node, a, b: g * b * node,
)
wrong_pow(
    "the exponent not in front",
    "The share of a has a to the power of b - 1, but b is missing in front.",
    to_a=lambda g, node, a, b: g * a ** (b - 1 + ((a.data == 0) & (b.data == 0))),
)
wrong_pow(
    "result over base",
    "b * result / a is right as long as a is not 0. There it is 0 / 0: nan. a ** (b - 1) needs no division.",
    to_a=lambda g, node, a, b: g * b * node / a,
)
wrong_pow(
    "0 to the power of 0",
    "One place is left: where a and b are both 0 the formula is 0 * 0 ** -1, which is 0 * inf: nan. x⁰ never changes, "
    "so the derivative there is 0. A mask added to the exponent keeps 0 ** -1 from being asked for. If you have one: a "
    "== 0 of a Tensor is one plain False, and equal(a, 0.0) asks number by number.",
    to_a=lambda g, node, a, b: g * b * a ** (b - 1),
)
wrong_pow(
    "the logarithm of 0",
    "Where a is 0, log(a) is -inf, and 0 * -inf is nan. 0 to the power of 2.0 or of 2.1 is 0 all the same: the "
    "derivative is 0. Keep the logarithm away from 0.",
    to_b=only_if_wanted(lambda g, node, a, b: g * node * a.log()),
)
wrong_pow(
    "nan times 0",
    "The logarithm is multiplied by 0 where the base is 0, but then it is -inf already, and -inf * 0 is nan. Add the "
    "mask to the base before the logarithm is taken.",
    to_b=only_if_wanted(lambda g, node, a, b: g * node * (a.log() * (1.0 - ((a.data == 0) & (b.data >= 0))))),
)
wrong_pow(
    "a logarithm that nobody wants",
    "The base is negative, and its logarithm is nan, with a warning. Nobody asked for it: b requires no grad. "
    "Compute the share of b only `if b.requires_grad`, and return None for it otherwise.",
    to_b=lambda g, node, a, b: g * node * no_zeros(a, b),
)
wrong_pow(
    "the logarithm of the size",
    "A negative number has no logarithm, and taking its size hides that: it invents a derivative. Let the logarithm be "
    "nan, so that it shows.",
    to_b=only_if_wanted(lambda g, node, a, b: g * node * no_zeros(a.abs(), b)),
)
wrong_rule(
    pow_rule,
    "the other input asked for requires_grad",
    THE_OTHER_INPUT_ASKED,
    Pow=lambda self, g, node, a, b: (
        g * b * a ** (b - 1 + ((a.data == 0) & (b.data == 0))) if b.requires_grad else None,
        g * node * no_zeros(a, b) if a.requires_grad else None,
    ),
)
wrong_pow(
    "a share for a only",
    "The exponent may change too: where b requires grad it gets a share, the result times the logarithm of the base.",
    to_b=lambda g, node, a, b: None,
)
wrong_rule(
    pow_rule,
    "the two shares swapped",
    "Both shares are right, but the first belongs to a and the second to b.",
    Pow=lambda self, g, node, a, b: (g * node * no_zeros(a, b), g * b * a ** (b - 1)),
)
wrong_rule(
    pow_rule,
    "out_grad forgotten",
    "These are only the local derivatives. A share says how much the root changes: what is missing?",
    Pow=lambda self, g, node, a, b: (
        b * a ** (b - 1 + ((a.data == 0) & (b.data == 0))) if a.requires_grad else None,
        node * no_zeros(a, b) if b.requires_grad else None,
    ),
)
wrong_pow(
    "a logarithm without a memory",
    "NumPy computed all of the derivative with respect to b: the numbers are right, but a second derivative finds no "
    "way back through it. Write node, and a.log(): they remember.",
    to_b=only_if_wanted(
        lambda g, node, a, b: g * plain(node, node.data * np.log(np.where((a.data == 0) & (b.data >= 0), 1, a.data)))
    ),
)

wrong_pow(
    "the logarithm as a constant",
    "The numbers are right, but the logarithm does not remember a, so part of the second derivative is lost. What "
    "NumPy computes remembers nothing; a.log() does.",
    to_b=only_if_wanted(
        lambda g, node, a, b: g * node * np.log(np.where((a.data == 0) & (b.data >= 0), 1, a.data)),
    ),
)
wrong_pow(
    "the exponent in front as a constant",
    "The numbers are right, but the b in front remembers nothing: the share of a has partly forgotten how it depends "
    "on b. Multiply by the Tensor b itself.",
    to_a=lambda g, node, a, b: g * b.data * a ** (b - 1 + ((a.data == 0) & (b.data == 0))),
)
out_grad_cut(pow_rule, "Pow")
on_the_side(pow_rule, "Pow")
wrong_rule(
    pow_rule,
    "NumPy's function of a Tensor",
    "np.log takes arrays, and a is a Tensor. Its own method a.log() is an operation on Tensors, so the share "
    "remembers where it came from.",
    Pow=lambda self, g, node, a, b: (g * b * a ** (b - 1), g * node * np.log(a)),
)
wrong_pow(
    "a mask of the base alone",
    "The mask is True wherever a is 0. It belongs only where b is 0 too: the derivative of x¹ is 1, also at 0.",
    to_a=lambda g, node, a, b: g * b * a ** (b - 1 + (a.data == 0)),
)
wrong_pow(
    "no mask yet",
    "The formulas are right, and so is None; now the zeros. Where a and b are both 0 this asks for 0 ** -1, and where "
    "a is 0 for log(0). Add a mask to the exponent and one to the base: multiplying nan by 0 afterwards keeps it. And "
    "a == 0 of a Tensor is one plain False: equal(a, 0.0) asks number by number.",
    to_a=lambda g, node, a, b: g * b * a ** (b - 1),
    to_b=only_if_wanted(lambda g, node, a, b: g * node * a.log()),
)
wrong_pow(
    "masks multiplied afterwards",
    "The masks come too late: nan times 0 is nan. Add them before, one to the exponent and one to the base, so that "
    "0 ** -1 and log(0) are never asked for.",
    to_a=lambda g, node, a, b: g * b * a ** (b - 1) * ~((a.data == 0) & (b.data == 0)),
    to_b=only_if_wanted(lambda g, node, a, b: g * node * a.log() * ~((a.data == 0) & (b.data >= 0))),
)
wrong_pow(
    "a mask of the base multiplied afterwards",
    "The mask comes too late: nan times 0 is nan. And it hits too much: the derivative of x¹ is 1, also at 0. Add a "
    "mask before, to the exponent, where a and b are both 0.",
    to_a=lambda g, node, a, b: g * b * a ** (b - 1) * (a.data != 0),
    to_b=only_if_wanted(lambda g, node, a, b: g * node * a.log() * (a.data != 0)),
)
wrong_rule(
    pow_rule,
    "and between two masks",
    "`and` asks one question, but an array of three has three answers. Masks are multiplied: equal(a, 0.0) * equal(b, "
    "0.0). Those of NumPy are joined with &, each in brackets.",
    Pow=lambda self, g, node, a, b: (
        g * b * a ** (b - 1 + (a.data == 0 and b.data == 0)) if a.requires_grad else None,
        g * node * (a + (a.data == 0 and b.data >= 0)).log() if b.requires_grad else None,
    ),
)
wrong_rule(
    pow_rule,
    "& without brackets",
    "Python joins 0 & b.data before it compares. Put each mask in brackets: (a.data == 0) & (b.data == 0).",
    Pow=lambda self, g, node, a, b: (
        g * b * a ** (b - 1 + (a.data == 0 & b.data == 0)) if a.requires_grad else None,
        g * node * (a + (a.data == 0 & b.data >= 0)).log() if b.requires_grad else None,
    ),
)


wrong_rule(
    pow_rule,
    "both shares always, and no care for 0",
    "For positive bases everything is right. Now the others: a share is computed only if its input requires grad "
    "(else None), and where the base is 0 a mask keeps 0 ** -1 and log(0) from being asked for.",
    Pow=lambda self, g, node, a, b: (g * b * a ** (b - 1), g * node * a.log()),
)

# 6.10: the hunt.


def wrong_test(name, words, other, out_grad):
    """Register a test whose x are the place that was given, and another."""

    @wrong(hunt, name, words)
    def _(bg):
        bg.hunts.three_wrong_rules = lambda place: ([other, place], out_grad)


wrong_test(
    "only the example",
    "This is the example: ones as the upstream gradient, and no number at a kink. All three look right.",
    -2,
    [1, 1],
)
wrong_test(
    "equal gradients",
    "Ada and Cleo are caught. Ben mixes up the gradients of the two places, but yours are equal, so nobody can see it.",
    0,
    [-1, -1],
)
wrong_test(
    "positive gradients",
    "Ada and Ben are caught. Cleo's rule loses something that only some gradients have, and yours do not.",
    0,
    [1, 3],
)
wrong_test(
    "nothing at the kink",
    "Ben and Cleo are caught. Ada's rule is wrong at one number alone, and neither of yours is that.",
    -2,
    [1, -3],
)
wrong_test(
    "no gradient at the kink",
    "There is a number at the kink, but its upstream gradient is 0, and 0 times anything is 0: Ada escapes.",
    0,
    [0, -1],
)
