"""The exercises of notebook 06: elementwise rules, functions of one array, the gradient check, and a hunt."""

from grader.course.exercise import Exercise, Notebook

NOTEBOOK = Notebook(
    "06",
    "local_gradients",
    "Local gradients",
    minutes=90,
    files=("ops/arithmetic.py", "ops/pointwise.py", "gradient_check.py", "hunts.py"),
)

constants = Exercise(
    "6.1",
    "five rules with constant slopes",
    file="ops/arithmetic.py",
    points=2,
    minutes=6,
    difficulty=1,
    needs=("5.3", "5.4", "5.8", "5.5"),
    hints=[
        "Forget the arrays and think of one place in them. If a grows by 1 there, by how much does the result change? "
        "And if the result changes by that much, by how much does the root? out_grad knows the second answer.",
        "The share of an input is out_grad times the local slope, and the slope is a plain number in all five: -1, "
        "1 and -1, 1, the scalar, one over the scalar. out_grad is a Tensor, so -, * and / work on it.",
        "Negate: out_grad with a minus in front. Sub: a tuple of two, the second with a minus. The scalars: out_grad "
        "as it is, out_grad times self.scalar, out_grad over self.scalar.",
    ],
)

mul = Exercise(
    "6.2",
    "Mul.backward",
    file="ops/arithmetic.py",
    points=2,
    minutes=3,
    difficulty=1,
    needs=("5.3", "5.4", "5.5"),
    hints=[
        "Take one place: 3 * 5. If the 3 grows by 1, the product grows by 5. So whose number is the slope to a?",
        "a's share is out_grad times the other side, and so is b's. Multiply the Tensors themselves, not their .data: "
        "then the share remembers how it was made.",
        "Return two things with a comma between them. The first is for a: out_grad times b. The second is for b: "
        "what stands on the other side there?",
    ],
)

div = Exercise(
    "6.3",
    "Div.backward",
    file="ops/arithmetic.py",
    points=2,
    minutes=5,
    difficulty=2,
    needs=("5.3", "5.4", "5.5"),
    hints=[
        "a / b is a times 1 / b. What is the slope to a? For b try numbers: 12 / 2 is 6, and 12 / 2.1 is about 5.71. "
        "Is the slope positive or negative, and is it nearer to -1, -3 or -6?",
        "The slope to b is -a / b². The result, node, is a / b already: with it the second slope is -node / b.",
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
    minutes=5,
    difficulty=2,
    needs=("5.3", "5.4", "5.8", "5.5"),
    hints=[
        "The slope of x³ is 3x². In words: the exponent comes to the front, and is then one less. For which exponent "
        "does one less mean a division by 0, at x = 0?",
        "Write the slope as self.scalar * a ** (self.scalar - 1) and multiply by out_grad. The exponent 0 needs a "
        "line of its own: x⁰ is 1 for every x, so its slope is 0 everywhere.",
        "if self.scalar == 0: return out_grad * 0.0. Otherwise out_grad times (self.scalar times a to the power of "
        "self.scalar - 1).",
    ],
)

check = Exercise(
    "6.5",
    "compare_with_nudging",
    file="gradient_check.py",
    points=4,
    minutes=14,
    difficulty=3,
    needs=("1.2", "5.3"),
    hints=[
        "Two arrays for each input: what the rule gives, and what nudging gives. Both answer the same question only "
        "if both use the same random gradient from above. What must be compared before the numbers?",
        "gradients_of(out, inputs, out_grad) gives a list with one entry for each input, so go through it with "
        "enumerate: the position is what the message and slopes_by_nudging want. A plain loop over "
        "np.ndindex(x.shape) finds the first place that is off. And nan is never larger than anything: ask whether "
        "it is close, not whether it is far.",
        "For each position: continue if the input requires no grad; GradcheckError if given is None or given.shape is "
        "not x.shape; then the slopes by nudging, and np.isclose of given.data and these, with rtol, atol and "
        "equal_nan=True. Unless all are close, np.argwhere of those that are not lists their places: name the first. "
        "After the loop return True.",
    ],
)

growth = Exercise(
    "6.6",
    "Exp, Log, Sqrt",
    file="ops/pointwise.py",
    points=3,
    minutes=6,
    difficulty=2,
    needs=("5.3", "5.4", "5.8", "5.5"),
    hints=[
        "Each forward is a NumPy function of the same name. For the rules take the slopes of notebook 02: which of "
        "them is shortest if you have the result at hand, which if you have the input?",
        "exp: the slope is the result, node. log: one over the input. sqrt: the slope of x to the power of 0.5 is "
        "half of one over sqrt(x), and sqrt(x) is node.",
        "The forwards are NumPy's, with np in front, of the array a. The rules: for exp multiply out_grad by the "
        "result, for log divide it by the input, for sqrt divide it by twice the result. A division by a product "
        "needs brackets.",
    ],
)

kinks = Exercise(
    "6.7",
    "Abs, ReLU",
    file="ops/pointwise.py",
    points=3,
    minutes=6,
    difficulty=2,
    needs=("5.3", "5.4", "5.5"),
    hints=[
        "Draw |x| and relu. Each has two straight halves. What is the slope of each half? At 0 there is a kink, and "
        "the course takes 0 there.",
        "So the slope is a mask: -1, 0 and 1 for abs, 0 and 1 for relu. The functions sign and positive, which this "
        "file imports, make such masks of a Tensor. For the forwards NumPy has a function each: of the size, and of "
        "the larger of two numbers.",
        "Multiply out_grad by the mask. abs wants the sign of its input: the result has lost it. relu may ask the "
        "input or the result: both are positive in the same places. Its forward is np.maximum with 0 on the other "
        "side.",
    ],
    stuck="Slope at a kink",
)

saturating = Exercise(
    "6.8",
    "Sigmoid, Tanh",
    file="ops/pointwise.py",
    points=3,
    minutes=7,
    difficulty=3,
    needs=("5.3", "5.4", "5.5", "5.9"),
    hints=[
        "np.tanh is safe everywhere. For sigmoid there are two ways to write the same fraction: 1 / (1 + e⁻ˣ), and "
        "eˣ / (1 + eˣ). Which is safe for positive x, which for negative x? Both rules use the result, node.",
        "Make an array that is never above 1: small = np.exp(-np.abs(a)). For positive a it is e⁻ᵃ, for negative a "
        "it is eᵃ. So the bottom of the fraction is 1 + small on both sides. What is the top?",
        "The top is 1 where a is not negative, and small elsewhere: np.where takes a mask and the two, and you divide "
        "what it gives. In the rules take node, without .data, for the result: for sigmoid it is multiplied by one "
        "minus itself, for tanh its square is taken from 1; and out_grad multiplies the whole slope.",
    ],
)

pow_rule = Exercise(
    "6.9",
    "Pow.backward",
    file="ops/arithmetic.py",
    points=3,
    minutes=15,
    difficulty=4,
    needs=("5.3", "5.4", "5.8", "5.5", "5.9", "6.6"),
    hints=[
        "Two slopes, each with the other side held fixed. With b fixed it is the rule of PowerScalar. With a fixed "
        "it is a growing power such as 2 ** x: how was the slope of that found in notebook 02?",
        "To a: out_grad * b * a ** (b - 1). To b: out_grad * node * a.log(). Compute each only if its input requires "
        "grad, and start with None for both. Then the two zeros: where would 0 ** -1 be asked for, where log(0)?",
        "A mask mends each place. Where a and b are both 0, which is equal(a, 0.0) * equal(b, 0.0), add 1 to the "
        "exponent, and 0 ** -1 is never asked for. Where a is 0 and b is not negative, add 1 to a before you take the "
        "logarithm: log(1) is 0. Not negative is 1 - positive(-b).",
    ],
)

hunt = Exercise(
    "6.10",
    "three_wrong_rules",
    file="hunts.py",
    points=3,
    minutes=5,
    difficulty=2,
    hints=[
        "All three passed a test with the numbers 3, -2, 1 and ones from above. Change one thing at a time: another "
        "number, then another gradient. Which of the three reacts to which change?",
        "One of them is wrong at one single number only. One mixes up the gradients of different places, which "
        "nobody sees as long as they are equal. And one loses something of a gradient that ones and other positive "
        "numbers do not have.",
        "Two places are enough: one where x is at the kink, with a gradient that is not 0; and one where x is not 0, "
        "with a gradient of the other sign. So the gradients are different, and one of them is negative.",
    ],
)
