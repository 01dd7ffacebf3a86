# %% [markdown]
# # 06 · Local gradients
#
# **90 minutes** · files: `ops/arithmetic.py`, `ops/pointwise.py`, `gradient_check.py` and `hunts.py`
#
# Every operation of notebook 05 computes, records, and then knows no way back. Now each gets its rule. A rule is one line, and there are sixteen of them.
#
# Short lines are easy to get wrong, and a wrong gradient does not crash: the network just learns badly. So halfway through you build the tool that finds out, a gradient check, and let it judge all that you wrote.
#
# All shapes are equal in this notebook. Shapes that stretch come in 07. What is marked *(stretch)* is not in the 90 minutes: leave it out on a first reading.

# %% jupyter={"source_hidden": true}
%load_ext grader

# %%
import numpy as np

from babygrad import Function, GradcheckError, Tensor, check_rule, draw_graph, hunts, numerical_gradient, ops

# %% [markdown]
# ## Goals
#
# Afterwards you can
#
# - turn a local slope into a rule for arrays, made of operations that can be differentiated again,
# - say which rules need the input, and which the result,
# - write a gradient check, and say what it must not do,
# - deal with the places where slopes misbehave: kinks, zeros, far-out numbers.

# %% [markdown]
# ## Recall (3 minutes)
#
# From notebooks 02 and 05, without looking:
#
# 1. `a` holds 2, -3, 5 and `b` holds 4, 1, -2. At `c = a * b` the gradient 10, 1, -1 arrives. What is the share of `b`?
# 2. What is the local slope of `a / b` to `b`, and what is that of `exp(x)`?
# 3. `y = x + 5` for a Tensor `x`. How many inputs has `y`, and where is the 5?
#
# <details><summary>Answers</summary>
#
# - **1**: 20, -3, -5: what arrived times `a`, number by number.
# - **2**: -a / b². And exp(x) itself.
# - **3**: One input, `x`. The 5 belongs to the operation, `AddScalar(5)`, as its `scalar`.
#
# </details>

# %% [markdown]
# ## A. From a slope to a rule (14 minutes)
#
# What arrives at a result on the way back is called its **upstream gradient**, or the gradient from above: it comes from further up, where the root is. In the code it is `out_grad`. For each number of the result it says how much the root changes for each unit of that number.
#
# An operation that works number by number is called *elementwise*. Number 3 of the result is made from number 3 of the inputs alone, so the rule is what you know from single numbers:
#
# > share of an input = upstream gradient · local slope
#
# And only the slope is different from operation to operation.

# %% [markdown]
# Here is the rule of `Add`. It is complete, in `babygrad/ops/arithmetic.py`:
#
# ```python
# class Add(Elementwise):
#     def backward(self, out_grad, node):
#         return out_grad, out_grad
# ```
#
# - Both slopes are 1, so both shares are `out_grad` itself.
# - Two inputs, two shares: a tuple. With one input, one Tensor.
# - `node` is the result, a Tensor. `Add` does not need it. Other rules do: `node._inputs` are the inputs.
# - `Elementwise` is a `Function` of the kind that works number by number. Where a shape was stretched, it adds up what comes back, for all rules at once: yours need not think of it.
#
# This helper asks a rule, and notes the shares for the drawing:

# %%
def ask_rule(out, out_grad):
    """Asks the rule of the operation that made out.  Puts the shares into .grad, and draws."""
    out.grad = np.array(out_grad, dtype=float)
    shares = out._op.shares(Tensor(out.grad, requires_grad=False), out)  # a tuple in any case
    for x, share in zip(out._inputs, shares):
        x.grad = share.data
    return draw_graph(out)


def named(**arrays):
    """Tensors with labels."""
    tensors = [Tensor(array) for array in arrays.values()]
    for x, name in zip(tensors, arrays):
        x.label = name
    return tensors

# %% tags=["nbval-ignore-output"]
a, b = named(a=[2.0, -3.0], b=[4.0, 1.0])
out = a + b
out.label = "out"
ask_rule(out, [10.0, -1.0])

# %% [markdown]
# Now half of a rule. `Negate` computes -a:
#
# ```python
#     def backward(self, out_grad, node):
#         return ____
# ```
#
# If 10, -1 arrives, what is the share, and what do you write?
#
# <details><summary>Answer</summary>
#
# -10, 1. The slope is -1, so `-out_grad`. `out_grad` is a Tensor, and thanks to your operators of notebook 05 the minus is an operation like any other.
#
# </details>
#
# That last remark is worth a second look. Ben writes the rule of `3 * a` with NumPy. Ada uses the Tensor itself.
#
# **Predict.** Both shares hold the same numbers. What does the picture of each show?

# %% tags=["nbval-ignore-output"]
class BrokenTriple(Function):
    def forward(self, a):
        return 3 * a

    def backward(self, out_grad, node):
        return Tensor(3 * out_grad.data)


class Triple(BrokenTriple):
    def backward(self, out_grad, node):
        return 3 * out_grad


(out_grad,) = named(out_grad=[10.0, -1.0])
for made_by in (BrokenTriple(), Triple()):
    out = made_by(a)
    share = out._op.backward(out_grad, out)
    share.label = "share of a"
    display(draw_graph(share))

# %% [markdown]
# **Explain.** Ada's share remembers. A gradient is a result like others, with a graph of its own, so one can ask for *its* gradient: that is the second derivative. Ben's share is a leaf. Ask him for a second derivative, and he will say 0.
#
# Hence the rule for rules: *made of Functions only*. Take the Tensors `out_grad`, `node`, `a`, `b`, and leave their `.data` alone. They must not be changed either: others may still need them.

# %% [markdown]
# ### Exercise 6.1 `five rules with constant slopes` (6 minutes, ●○○○)
#
# In `babygrad/ops/arithmetic.py` fill in the `backward` of Negate, Sub, AddScalar, MulScalar and DivScalar. The docstring of each says what the slope is. (Stubs of other exercises in between can wait.)
#
# The check calls each rule with an upstream gradient of random numbers, and looks at shapes and numbers, and whether float32 stays float32. It differentiates the shares once more, by nudging what they were made from. And it looks at all that a rule must leave alone: the inputs, the result, `out_grad`, every `.grad`. The checks of the other rules do the same.

# %%
%check 6.1

# %% [markdown]
# ### Exercise 6.2 `Mul.backward` (3 minutes, ●○○○)
#
# Next to it: the rule of `Mul`. Its slopes are not constant any more, but you had them in the recall. The check asks for products of numbers and zeros, and for `a * a`.

# %%
%check 6.2

# %% [markdown]
# **Predict.** For `a * a` the rule gives two shares. The slope of a² is 2a, and a holds 2, -3. If 10, -1 arrives, what are the two shares? And what has to happen to them later?

# %%
out = a * a
for share in out._op.backward(Tensor([10.0, -1.0]), out):
    print(share.data)

# %% [markdown]
# **Explain.** 20, 3 twice. Together they are 40, 6, which is 10 · 2a and -1 · 2a. A rule does not add them up: it says what each *use* sends. Adding up is the walk's business, in 09.

# %% [markdown]
# ## B. Quotients and powers (13 minutes)
#
# Take 12 / 2 = 6 and nudge one number at a time.
#
# | | result | change | slope |
# |---|---|---|---|
# | 12.1 / 2 | 6.05 | 0.05 for 0.1 | ____ |
# | 12 / 2.1 | 5.714 | -0.286 for 0.1 | ____ |
#
# **Predict** the exact slopes. The formulas are 1 / b and -a / b².
#
# <details><summary>Answers</summary>
#
# 0.5, and -3. The nudge of 0.1 finds -2.86: it is not small enough to be exact.
#
# </details>
#
# The second slope can be written without a square. The result, `node`, is a / b already: -a / b² is -node / b. A rule may use the inputs or the result, whatever is shorter.

# %% [markdown]
# ### Exercise 6.3 `Div.backward` (5 minutes, ●●○○)
#
# In `ops/arithmetic.py`. One line will do, two are easier to read. The check has numbers of both signs, and one question in which b is 1 wherever a is not 0: a rule that forgets the square is right there.

# %%
%check 6.3

# %% [markdown]
# Powers with a fixed exponent: the slope of xⁿ is n · xⁿ⁻¹. Cleo saves an operation. xⁿ is there already, it is the result, so she takes n · result / x. She tests with 2 and -3, and all is well.
#
# **Predict.** What do the three ways give at x = 0: hers for x³, the formula for x³, the formula for x⁰?
#
# (`np.errstate(all="ignore")` silences NumPy's warnings.)

# %%
zero = np.array(0.0)
with np.errstate(all="ignore"):
    print("n * result / x,   for x³:", 3 * zero**3 / zero)
    print("n * x ** (n - 1), for x³:", 3 * zero**2)
    print("n * x ** (n - 1), for x⁰:", 0 * zero**-1.0)

# %% [markdown]
# **Explain.** 0 / 0 is `nan`, not a number. And 0 · 0⁻¹ is 0 · inf: `nan` too, from the textbook's own formula.
#
# x⁰ is 1 for every x, and flat, so its slope is 0 everywhere. The exponent 0 needs a line of its own. (One `nan` in a gradient, one step of training, and every parameter that it touches is `nan`, for good.)

# %% [markdown]
# ### Exercise 6.4 `PowerScalar.backward` (5 minutes, ●●○○)
#
# In `ops/arithmetic.py`. The exponent is `self.scalar`. A share is always a Tensor, also when it is full of zeros.
#
# The check asks for the exponents 2, 3, 0.5, -2, 1 and 0, at 0 too where that makes sense.

# %%
%check 6.4

# %% tags=["nbval-ignore-output"]
(x,) = named(x=[2.0, 0.0, -3.0])
out = x**3
out.label = "x³"
ask_rule(out, [1.0, 5.0, -1.0])

# %% [markdown]
# ## C. Who checks the rules? (24 minutes)
#
# So far `%check` knew what is right. Outside of a course nobody does. But one can nudge, as in notebook 01.
#
# A rule answers for *one* upstream gradient at a time. What does nudging have to compute, so that both answer the same question? Say 10, 1 arrives at `f(x)`. Number 0 of `f(x)` counts ten times, number 1 once. So the root changes like this weighted sum:
#
# > 10 · f(x)[0] + 1 · f(x)[1], in NumPy `np.sum(out_grad * f(x))`
#
# That is one number, and `numerical_gradient` can take its slopes.
#
# On paper: f(x) = x³ and x = 2, -1. What are the two slopes of the weighted sum?

# %%
x = np.array([2.0, -1.0])
out_grad = np.array([10.0, 1.0])
print(numerical_gradient(lambda x: np.sum(out_grad * x**3), x).round(6))

# %% [markdown]
# 10 · 3 · 4 = 120 and 1 · 3 · 1 = 3: the same as the rule, `out_grad * 3 * x ** 2`.
#
# Which upstream gradient should a test take? Nearly everybody's first idea is ones. The weighted sum is then a plain sum.
#
# Here are four rules for x³: a right one and three wrong ones. Ada forgets `out_grad`. Ben turns it round. Cleo takes its mean.

# %%
class Cube(Function):
    def forward(self, a):
        return a**3

    def backward(self, out_grad, node):
        (a,) = node._inputs
        return self.rule(out_grad, 3 * a**2)

    def rule(self, out_grad, slope):
        return out_grad * slope


class CubeOfAda(Cube):
    def rule(self, out_grad, slope):
        return slope


class CubeOfBen(Cube):
    def rule(self, out_grad, slope):
        return slope * out_grad.data[::-1]


class CubeOfCleo(Cube):
    def rule(self, out_grad, slope):
        return slope * out_grad.data.mean()

# %% [markdown]
# **Predict.** Which of the three wrong rules does a test with ones find out? And a test with random numbers?

# %%
def largest_difference(cube, above):
    """Between the rule and nudging, over all numbers."""
    x = Tensor([1.5, -0.5, 2.0])
    out = cube(x)
    given = out._op.backward(Tensor(above), out)
    nudged = numerical_gradient(lambda array: np.sum(above * array**3), x.data.copy())
    return np.max(np.abs(given.data - nudged))


upstream = {"ones": np.ones(3), "random": np.random.default_rng(0).normal(size=3)}
print(f"{'':12}", *(f"{name:>8}" for name in upstream))
for cube in (Cube(), CubeOfAda(), CubeOfBen(), CubeOfCleo()):
    print(f"{cube.name():12}", *(f"{largest_difference(cube, above):8.3f}" for above in upstream.values()))

# %% [markdown]
# **Explain.** None! Multiplying by 1, turning ones round, the mean of ones: nobody can see any of it. The test with ones calls all four right.
#
# Random numbers find all three out. So a gradient check takes those.

# %% [markdown]
# More traps lie in the comparison itself.
#
# **Predict.** Three lines, each a way in which a wrong gradient could pass for a right one. True or False?
#
# (`np.linalg.norm` is the length of an array, also called its norm: the root of the sum of squares.)

# %%
right = np.ones((2, 3))
print("a single 1.0 is close to it:      ", np.allclose(1.0, right))
print("the length of the difference is 0:", np.linalg.norm(np.ones((1, 1, 3)) - right) == 0)
print("nan is off by more than 0.001:    ", abs(np.nan - 1.0) > 0.001)

# %% [markdown]
# **Explain.** True, True, False, and all three are bad news. NumPy stretches shapes before it compares, so a gradient of a wrong shape can look perfect: *shape before value*. And every comparison with `nan` is False. So never ask *is it far off?* Ask *is it close?*, and complain if not.
#
# How close? Nudging is off by a little for the size of the numbers, so the tolerance grows with them: `atol + rtol * size`, an absolute and a relative part. `np.isclose(given.data, nudged, rtol=rtol, atol=atol, equal_nan=True)` does that, number by number. It wants arrays: of a Tensor take `.data`.

# %% [markdown]
# ### Exercise 6.5 `compare_with_nudging` (14 minutes, ●●●○)
#
# Open `babygrad/gradient_check.py`. `check_rule(operation, inputs)` stands there, and asks whether the rule of one operation is right. What it is made of, `compare_with_nudging`, is empty. Three helpers are ready to use:
#
# | helper | gives |
# |---|---|
# | `random_gradient(out, seed)` | a random Tensor of `out`'s shape |
# | `gradients_of(out, inputs, out_grad)`, an argument | a list: for each input what backward gives, a Tensor or None |
# | `slopes_by_nudging(fn, inputs, position, out_grad, eps)` | for one input the slopes of the weighted sum, an array |
#
# Fill in `compare_with_nudging`, by the four steps of its docstring. It raises `GradcheckError(message)` at the first thing that is wrong, and returns True if nothing is.
#
# `check_rule` hands it a `gradients_of` that asks the rule. In notebook 09 `gradcheck`, beside it, will hand it one that walks back through a whole graph.

# %% [markdown]
# The check hands it right rules, also for a result of another shape than its input, and wrong ones: the three from above, a sign in one place, `nan`, wrong shapes, None, a fault in the second input only. It gives tolerances, an `eps` and seeds of its own. Then it reads your messages: which input, where, and whose number is which.

# %% [markdown]
# A frame for it. The thinking is in the blanks:
#
# ```python
#     out = ____
#     out_grad = ____
#     every = gradients_of(____)
#     for position, (x, given) in enumerate(zip(inputs, every)):
#         if ____:                    # nobody needs this one
#             continue
#         if ____:                    # shape before value; None has none
#             raise GradcheckError(f"input {position} has shape ____")
#         nudged = slopes_by_nudging(____)
#         close = np.isclose(____)
#         if ____:
#             place = tuple(np.argwhere(~close)[0].tolist())
#             raise GradcheckError(f"the gradient of input ____")
#     return ____
# ```
#
# `~close` is True where `close` is False, and `np.argwhere` lists the places that are True. With `place` you get the two numbers: `given.data[place]` and `nudged[place]`.

# %%
%check 6.5

# %% [markdown]
# Now let it judge. First the four cubes:

# %% tags=["nbval-ignore-output"]
def judged(fn, *inputs):
    try:
        return "right" if check_rule(fn, inputs) else "?"
    except GradcheckError as error:
        return f"wrong: {error}"


x = Tensor([1.5, -0.5, 2.0])
for cube in (Cube(), CubeOfAda(), CubeOfBen(), CubeOfCleo()):
    print(f"{cube.name():11} {judged(cube, x)}")

# %% [markdown]
# Then your own rules of 6.1 to 6.4.

# %%
rng = np.random.default_rng(6)
a, b = Tensor(rng.normal(size=(2, 3))), Tensor(rng.normal(size=(2, 3)))

for name, fn in {"a - b": ops.sub, "a * b": ops.mul, "a / b": ops.div}.items():
    print(f"{name:7} {judged(fn, a, b)}")
for name, fn in {"-a": ops.negate, "a / -4": lambda a: a / -4, "a ** 3": lambda a: a**3}.items():
    print(f"{name:7} {judged(fn, a)}")

# %% [markdown]
# ## D. Input or result? (8 minutes)
#
# Now `babygrad/ops/pointwise.py`: functions of one array. Three slopes from school, each written in two ways.
#
# | | from the input x | from the result y |
# |---|---|---|
# | exp | eˣ | ____ |
# | log | 1 / x | 1 / eʸ |
# | sqrt | 1 / (2 · √x) | ____ |
#
# Fill in the blanks. Which of the two ways would you take in each row?
#
# <details><summary>Answers</summary>
#
# y, and 1 / (2y). For exp and sqrt the result is there already, so nothing is computed twice. For log it would mean an exp to get back what you have: take the input.
#
# </details>
#
# This is also a question of memory. What a rule needs must be kept until the walk back. A rule that needs only the result lets the input go, if nobody else wants it. Large engines choose their rules by that.

# %% [markdown]
# ### Exercise 6.6 `Exp, Log, Sqrt` (6 minutes, ●●○○)
#
# In `ops/pointwise.py`: three forwards and three rules. A forward gets a NumPy array and returns one. In a rule, `out_grad` and `node` are Tensors. Where the input is of use, a line `(a,) = node._inputs` stands there already: it takes the only thing out of a tuple of one.
#
# The check asks for small and large numbers, for exp of 60, and for three axes. Where there is no answer, as for the logarithm of -1, let NumPy say `nan` or `inf`, with its warning.

# %%
%check 6.6

# %%
positive = Tensor(rng.uniform(0.5, 2.0, size=(2, 3)))
for fn in (ops.exp, ops.log, ops.sqrt):
    print(f"{fn.__name__:5} {judged(fn, positive)}")

# %% [markdown]
# ## E. Kinks (9 minutes)
#
# `abs` and `relu` are made of two straight halves, and between them is a kink. At 0 there is no slope: whatever one takes is a decision. We take 0, as PyTorch does.
#
# The slopes are then a **mask**: -1, 0 and 1, or 0 and 1. Two functions make masks of a Tensor: `positive(x)` is 1 where x is above 0 and 0 elsewhere, `sign(x)` is 1, -1 or 0. A mask does not move when x is nudged a little, so no gradient flows back through it: it counts as a constant, and the share is `out_grad * mask`.

# %% [markdown]
# Since it is a constant, NumPy may make it too, from `.data`. That is right for *these* numbers. But `positive(x)` is an operation, and stands in the graph: whoever computes the recorded graph once more, for another x, gets the mask of that x.
#
# On paper: x is 3, -2, 0 and 5, -4, 7 arrives. What are the shares of relu, and of abs? Mind that a gradient may well be negative: it is not the gradient that goes through relu.
#
# <details><summary>Answers</summary>
#
# relu: 5, 0, 0. abs: 5, 4, 0.
#
# </details>

# %% [markdown]
# ### Exercise 6.7 `Abs, ReLU` (6 minutes, ●●○○)
#
# Two forwards and two rules in `ops/pointwise.py`. The check asks left, right and at 0, with gradients of both signs. And the forwards at ±inf, where `a * (a > 0)` has a surprise.

# %%
%check 6.7

# %% [markdown]
# **Predict.** Your rules are right, or `%check` would have said so. What does `check_rule` say about relu at 3, -2 and 0? What slope does a nudge to both sides find at the kink?

# %% tags=["nbval-ignore-output"]
print("at 3, -2:   ", judged(ops.relu, Tensor([3.0, -2.0])))
print("at 3, -2, 0:", judged(ops.relu, Tensor([3.0, -2.0, 0.0])))

# %%
slope = numerical_gradient(lambda x: np.sum(np.maximum(x, 0)), np.array([0.0]))
print("nudged at 0:", slope.round(6))

# %% [markdown]
# **Explain.** It complains, and the rule is right all the same. One side rises, the other is flat, and the nudge sees the mean of both: a half, a slope that neither side has.
#
# The tool has a blind spot: near a kink, nudging is what is wrong. Keep test inputs away from kinks, and test the kink itself by hand, as `%check` did.

# %% [markdown]
# ## F. Far out (9 minutes)
#
# In notebook 02 sigmoid stopped with an OverflowError at -1000. NumPy does not stop. Two ways to write the same fraction:
#
# **Predict.** What do they give at -1000 and at 1000?

# %%
far = np.array([-1000.0, 1000.0])
with np.errstate(all="ignore"):
    print("1 / (1 + exp(-x)):     ", 1 / (1 + np.exp(-far)))
    print("exp(x) / (1 + exp(x)): ", np.exp(far) / (1 + np.exp(far)))

# %% [markdown]
# **Explain.** exp(1000) is `inf`. 1 / inf is 0, by luck; inf / inf is `nan`. In training that is one number among thousands, and soon all of them.
#
# The cure is a number that never gets large: `small = exp(-|x|)`, at most 1. On the right the fraction is 1 / (1 + small), on the left small / (1 + small). `np.where(mask, one, other)` chooses number by number. But it does not *skip* anything: both of its sides are computed everywhere, so both must be harmless.

# %% [markdown]
# ### Exercise 6.8 `Sigmoid, Tanh` (7 minutes, ●●●○)
#
# Two forwards and two rules in `ops/pointwise.py`. Both rules use the result: with s = sigmoid(x) the slope is s · (1 - s), with t = tanh(x) it is 1 - t². NumPy's tanh is safe everywhere.
#
# The check goes out to ±1000 and listens for NumPy's warnings.

# %%
%check 6.8

# %% [markdown]
# **Predict.** The slope of sigmoid is 0.25 at 0. Guess it at 2, 5, 10 and 40.

# %%
for number in (0.0, 2.0, 5.0, 10.0, 40.0):
    out = ops.sigmoid(Tensor(number))
    print(f"x = {number:4g}   slope {out._op.backward(Tensor(1.0), out).item():.2g}")

# %% [markdown]
# **Explain.** Beyond 10 hardly anything comes through: one says that sigmoid **saturates**. At 40 the result is 1.0 to the last digit, and 1 - s is exactly 0.
#
# And even in the best case it is a quarter. Here is a chain of ten sigmoids, and the walk back by hand: each rule's answer is what the next one gets.

# %%
node = Tensor(0.0)
chain = []
for _ in range(10):
    node = ops.sigmoid(node)
    chain.append(node)

gradient = Tensor(1.0)
for node in reversed(chain):
    gradient = node._op.backward(gradient, node)
print(f"after ten rules {gradient.item():.1g} is left of 1")

# %% [markdown]
# In a network of ten such layers the first one learns more than a million times more slowly than the last. That is one reason why relu took over: its slope on the right is 1.

# %% [markdown]
# Let `check_rule` judge the rules of these two sections. Then the table of them all: it is the whole of elementwise differentiation.

# %%
for fn in (ops.abs, ops.relu, ops.sigmoid, ops.tanh):
    print(f"{fn.__name__:8} {judged(fn, a)}")

# %% [markdown]
# | uses nothing but `out_grad` | uses the input | uses the result |
# |---|---|---|
# | add, sub, negate, + - * / with a plain number | mul, powers, log, abs | exp, sqrt, sigmoid, tanh, relu |
#
# (Div as you like, with its inputs or with the result.)

# %% [markdown]
# ## G. When both move (stretch)
#
# One rule is left, the longest: a quarter of an hour. Notebooks 07 to 09 do not need it. In `a ** b` the base or the exponent may move, or both. That is why it had to wait: it needs your `log`.
#
# - If a moves, it is the power rule: b · aᵇ⁻¹.
# - If b moves, it is growth: aᵇ · log(a). For 2ˣ that is 2ˣ · 0.693.
#
# **Predict.** Ben computes both shares always. Then somebody squares -2, as `pow(x, two)` with a constant Tensor `two`. What is log(-2)? Does the gradient of x suffer?

# %%
with np.errstate(all="ignore"):
    print("log(-2) =", np.log(-2.0), "   log(0) =", np.log(0.0), "   0 * log(0) =", 0 * np.log(0.0))

# %% [markdown]
# **Explain.** The gradient of x is all right: 2 · (-2) = -4. But the share of `two`, which nobody asked for, is `nan`, with a warning that sends people searching.
#
# So: *compute a share only if its input requires grad*, and give `None` for it otherwise.

# %% [markdown]
# The base 0 needs care, twice:
#
# | where | what the formula does | right |
# |---|---|---|
# | a = 0 and b = 0 | b · aᵇ⁻¹ is 0 · inf | 0, since x⁰ is flat |
# | a = 0 and b ≥ 0 | aᵇ · log(a) is 0 · (-inf), or -inf at b = 0 | 0, by decision at b = 0 |
#
# Do not mend the `nan` afterwards: multiplying it by 0 keeps it. Add a mask *before*, so that the bad number is never asked for:
#
# - At a = 0, b = 0 the exponent b - 1 + mask is 0, and 0⁰ is 1. So the share is 0 · 1.
# - Where log(0) would be asked for, a + mask is 1, and log(1) is 0.

# %% [markdown]
# `equal(a, 0.0)`, beside `positive` and `sign`, is 1 where a is 0, and `a == 0` of a Tensor is one plain False. Two masks are joined by multiplying them: the product is 1 where both are. NumPy's masks from `.data` will do as well; those are joined with `&`, each in brackets: `(a.data == 0) & (b.data == 0)`. `True` counts as 1.

# %% [markdown]
# ### Exercise 6.9 `Pow.backward` (15 minutes, ●●●●)
#
# *(stretch)* In `ops/arithmetic.py`. Return a pair; begin with `grad_a = grad_b = None`. The logarithm is `.log()` of a Tensor, so that the share remembers.
#
# The check begins with positive bases: the two formulas alone answer six of its nine questions. Then come a negative base with a constant exponent, a constant base, and the zeros.

# %%
%check 6.9

# %%
c = Tensor([[2.0, 3.0, -1.0], [1.0, 2.0, 2.0]], requires_grad=False)
for name, inputs in {"positive ** b": (positive, b), "a ** constant": (a, c)}.items():
    print(f"{name:14} {judged(ops.pow, *inputs)}")

# %% [markdown]
# ## Bug hunt (6 minutes)
#
# Three authors, three rules, all of them wrong: Ada's for relu, Ben's for sigmoid, Cleo's for abs. All three have passed the same test. You see them from the outside: you give x and the upstream gradient, they give the gradient of x.

# %%
from grader.suspects.local_rules import SUSPECTS, answers_of


def compare(x, out_grad):
    for author, suspect in SUSPECTS.items():
        found, right = (answer.round(3) + 0.0 for answer in answers_of(suspect, x, out_grad))
        print(f"{author:5} {suspect.function:8} finds {found!s:24} right: {right}")


compare([3, -2, 1], [1, 1, 1])

# %% [markdown]
# ### Exercise 6.10 `three_wrong_rules` (5 minutes, ●●○○)
#
# In `babygrad/hunts.py` write *one* test that catches all three: x and `out_grad`, with at most two numbers each. Try ideas here first.

# %%
compare([3, -2], [2, 2])

# %%
%check 6.10

# %% tags=["nbval-ignore-output"]
compare(*hunts.three_wrong_rules())

# %% [markdown]
# <details><summary>What was wrong with them</summary>
#
# Ada asks `x >= 0`: wrong at the kink only. Ben takes the mean of the upstream gradient: right as long as all of it is the same. Cleo does the abs to the upstream gradient as well: right as long as it is positive.
#
# The test that they had passed has no number at a kink, and ones from above, which are equal *and* positive. Two numbers are enough for all three, if they are the right ones.
#
# </details>

# %% [markdown]
# ## Reflection (4 minutes)
#
# Answer each question aloud, as in an interview, then unfold it.
#
# <details><summary><b>Why does a gradient check take a random upstream gradient?</b></summary>
#
# Ones hide every fault in how the upstream gradient is used: forgotten, turned round, averaged, squared. Random numbers are all different, of both signs, and none of them is 1.
#
# </details>
#
# <details><summary><b>Why shape before value?</b></summary>
#
# NumPy stretches shapes when it compares, so a gradient of a wrong shape can agree everywhere. And a wrong shape is the quickest clue to what went wrong.
#
# </details>
#
# <details><summary><b>Why must a rule be made of Functions?</b></summary>
#
# So that the gradient has a graph of its own and can be differentiated again. What NumPy computed is a constant, and its derivative is 0. (A mask is a constant indeed. `positive` and `sign` are better all the same: they give the right mask for other numbers too.)
#
# </details>

# %% [markdown]
# <details><summary><b>The gradient check complains about relu at 0. Who is right?</b></summary>
#
# The rule: 0 is the agreed slope. A nudge to both sides finds the mean of left and right, a half. Test kinks by hand.
#
# </details>
#
# <details><summary><b>Where can a gradient become nan although the result is fine?</b></summary>
#
# x ** 0 at 0, n · result / x at 0, the logarithm of a base that is 0 or negative: everywhere where 0 meets inf on the way back. Keep the bad number from being asked for; multiplying by 0 does not take it away.
#
# </details>

# %% [markdown]
# ## The rule to keep
#
# **Upstream gradient times local slope, and trust it only when random numbers agree.**

# %% [markdown]
# ## Where you are
#
# Every elementwise operation knows its way back (`a ** b` as soon as you have done 6.9), and you have a tool that says so. But `x + bias` with shapes (50, 4) and (4,) does not work yet: `Elementwise` hands a share that is too large to a function called `unbroadcast`, and that one is empty. In notebook 07 shapes move, and you fill it.
