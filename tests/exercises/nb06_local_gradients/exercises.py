"""The exercises of notebook 06: elementwise rules, functions of one array, the gradient check, and a hunt."""

from grader.course.exercise import Exercise, Notebook

NOTEBOOK = Notebook(
    "06",
    "local_gradients",
    "Local gradients",
    files=("ops/arithmetic.py", "ops/pointwise.py", "gradient_check.py", "hunts.py"),
)

constants = Exercise(
    "6.1",
    "Sub.backward, DivScalar.backward",
    file="ops/arithmetic.py",
    points=2,
    difficulty=1,
    needs=("5.3",),
    hints=[
        "Forget the arrays and think of one place in them. If a grows by 1 there, by how much does the result change? "
        "And if the result changes by that much, by how much does the root? out_grad knows the second answer.",
        "The share of an input is out_grad times the local derivative, which is a plain number here. For a - b read "
        "both off the table. For a / scalar the number is one over the scalar. out_grad is a Tensor, so -, * and / "
        "work on it.",
        "Sub: a tuple of two, first what a gets, then what b gets; one of them has a minus in front. DivScalar: "
        "out_grad over the number that belongs to the operation, self.scalar.",
    ],
)

mul = Exercise(
    "6.2",
    "Mul.backward",
    file="ops/arithmetic.py",
    points=2,
    difficulty=1,
    needs=("5.3",),
    hints=[
        "Take one place: 3 * 5. If the 3 grows by 1, the product grows by 5. So whose number is the derivative with "
        "respect to a?",
        "a's share is out_grad times the other side, and so is b's. Multiply the Tensors themselves, not their .data: "
        "then the share remembers how it was made.",
        "Return two things with a comma between them. The first is for a: out_grad times b. The second is for b: what "
        "is on the other side of it?",
    ],
)

div = Exercise(
    "6.3",
    "Div.backward",
    file="ops/arithmetic.py",
    points=2,
    difficulty=2,
    needs=("5.3",),
    hints=[
        "Look at one column of the table after the other. The derivative with respect to a does not change with a: "
        "what does it do when b is twice as large? The derivative with respect to b is -0.1875 for 12 / 8 and -0.375 "
        "for 24 / 8: it grows with a. And when b is twice as large, from 12 / 2 to 12 / 4, is it half, or a quarter?",
        "The derivative with respect to a is 1 / b. The one with respect to b grows with a and falls with the square "
        "of b, and it is negative: -a / b². The result, node, is a / b already, so it can be written without a square.",
        "share = out_grad / b is the whole answer for a. For b take the same share once more: -share * node. Or spell "
        "it out: -out_grad * a / (b * b).",
    ],
    stuck="The sign is wrong",
)

power = Exercise(
    "6.4",
    "PowerScalar.backward",
    file="ops/arithmetic.py",
    points=2,
    difficulty=2,
    needs=("5.3",),
    hints=[
        "The derivative of x³ is 3x². In words: the exponent comes to the front, and the power becomes one less. For "
        "which of the exponents 2, 1 and 0 does one less mean a division by 0 at x = 0?",
        "Write the derivative as self.scalar * a ** (self.scalar - 1) and multiply by out_grad. The exponent 0 needs a "
        "line of its own: x⁰ is 1 for every x, so its derivative is 0 everywhere.",
        "if self.scalar == 0: return out_grad * 0.0. Otherwise out_grad times (self.scalar times a to the power of "
        "self.scalar - 1).",
    ],
)

check = Exercise(
    "6.5",
    "compare_with_nudging",
    file="gradient_check.py",
    points=4,
    difficulty=3,
    needs=("1.2", "5.3"),
    hints=[
        "Two arrays for each input: what the rule gives, and what nudging gives. They answer the same question only "
        "if both use the same random upstream gradient. What must be compared before the numbers? And what do you ask "
        "of two numbers, so that nan cannot pass?",
        "First out = fn(*inputs), a random out_grad for it, and all that backward gives: gradients_of(out, inputs, "
        "out_grad), a list. Then for each input, with its position (enumerate): nothing to do if it requires no grad; "
        "the shape, or None; the derivatives by nudging; and whether the numbers are close, by np.isclose. The message "
        "wants the first place that is not: a loop over np.ndindex(x.shape) finds it.",
        "In the loop: continue if the input requires no grad; GradcheckError if given is None or given.shape is not "
        "x.shape; then np.isclose of given.data and the nudged derivatives, with rtol, atol and equal_nan=True. Unless "
        "all are close, tuple(np.argwhere(~close)[0].tolist()) is the first place that is not, and both arrays can be "
        "asked there. After the loop return True.",
    ],
)

growth = Exercise(
    "6.6",
    "Exp, Log, Sqrt: rules",
    file="ops/pointwise.py",
    points=3,
    difficulty=2,
    needs=("5.3",),
    hints=[
        "In the table, look for the derivative among the numbers of its row: is it x, or the result, or one over one "
        "of them, or half of that? The same must hold in every row.",
        "exp: the derivative is the result, node. log: one over the input, and (a,) = node._inputs unpacks the input. "
        "sqrt: one over twice the result.",
        "For exp multiply out_grad by the result, for log divide it by the input, for sqrt divide it by twice the "
        "result. A division by a product needs brackets.",
    ],
)

kinks = Exercise(
    "6.7",
    "Abs.backward, ReLU",
    file="ops/pointwise.py",
    points=3,
    difficulty=2,
    needs=("5.3",),
    hints=[
        "Draw |x| and relu. Each has two straight halves. What is the derivative of each half? At 0 there is a kink, "
        "and the course takes 0 there.",
        "So the derivative is a mask: -1, 0 and 1 for abs, 0 and 1 for relu. The functions sign and positive, which "
        "this file imports, make such masks of a Tensor. For relu's forward NumPy has a function that takes the larger "
        "of two numbers, place by place.",
        "Multiply out_grad by the mask. abs needs the sign of its input: the result has lost it. relu may use the "
        "input or the result: both are positive in the same places. Its forward is np.maximum of a and 0.",
    ],
    stuck="Slope at a kink",
)

saturating = Exercise(
    "6.8",
    "Sigmoid, Tanh.backward",
    file="ops/pointwise.py",
    points=3,
    difficulty=3,
    needs=("5.3", "5.5"),
    hints=[
        "The forward: there are two ways to write the same fraction, 1 / (1 + e⁻ˣ) and eˣ / (1 + eˣ). Which is safe "
        "for positive x, which for negative x? The rules: which parabola goes through the points of each picture? "
        "Where is it 0, and how high is it in the middle?",
        "Make an array that is never above 1: small = np.exp(-np.abs(a)). For positive a it is e⁻ᵃ, for negative a it "
        "is eᵃ. So below the line of the fraction stands 1 + small, on both sides. What stands above it? The "
        "derivative of sigmoid is y (1 - y), that of tanh 1 - y², with y for the result.",
        "Above it stands 1 where a is not negative, and small elsewhere: np.where takes a mask and the two, and you "
        "divide what it returns. In the rules use node, without .data, as the result: for sigmoid it is multiplied by "
        "one minus itself, for tanh its square is subtracted from 1; and out_grad multiplies the whole derivative.",
    ],
)

pow_rule = Exercise(
    "6.9",
    "Pow.backward",
    file="ops/arithmetic.py",
    points=3,
    difficulty=4,
    track="stretch",
    needs=("5.3", "5.5"),
    hints=[
        "Two derivatives, each with the other side held fixed. With b fixed it is the rule of PowerScalar. With a "
        "fixed it is a growing power such as 2 ** x: its derivative is the result times a number that depends on the "
        "base alone. Which function of the base is it? The cell with four bases, at the beginning of the section, "
        "prints its values.",
        "To a: out_grad * b * a ** (b - 1). To b: out_grad * node * a.log(). Compute each only if its input requires "
        "grad, and start with None for both. Then the two zeros: where would 0 ** -1 be asked for, where log(0)? Add a "
        "mask before: one to the exponent, one to the base.",
        "Where a and b are both 0, which is equal(a, 0.0) * equal(b, 0.0), add 1 to the exponent, and 0 ** -1 is never "
        "asked for. Where a is 0 and b is not negative, add 1 to a before you take the logarithm: log(1) is 0. Not "
        "negative is 1 - positive(-b).",
    ],
)

hunt = Exercise(
    "6.10",
    "three_wrong_rules",
    file="hunts.py",
    points=3,
    difficulty=2,
    track="stretch",
    hints=[
        "All three passed a test with the numbers 3, -2, 1 and ones as the upstream gradient. Change one thing at a "
        "time: another number, then another gradient. Which of the three reacts to which change?",
        "One of them is wrong at one single number only. One mixes up the gradients of different places, which nobody "
        "sees as long as they are equal. And one takes something away from the gradient that ones and other positive "
        "numbers do not have.",
        "Two places are enough: one where x is at the kink, with a gradient that is not 0; and one where x is not 0, "
        "with a gradient of the other sign. So the gradients are different, and one of them is negative.",
    ],
)
