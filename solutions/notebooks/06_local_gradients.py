# %% [markdown]
# # 06 · Local gradients
#
# Every operation of notebook 05 computes and records. Each needs a rule for the backward pass: some are given, a dozen are yours.
#
# No derivative is given. You nudge, look at the numbers, guess the local derivative, write the rule, and nudge again. A wrong gradient does not crash anything: the network just learns badly. So halfway through you build a tool that finds wrong rules, and let it judge everything you have written.

# %% jupyter={"source_hidden": true}
%load_ext grader

# %%
import matplotlib.pyplot as plt
import numpy as np

from babygrad import Function, GradcheckError, Tensor, check_rule, hunts, numerical_gradient, ops
from toolbox import draw_graph

# %% [markdown]
# The next cell, which is folded, defines four helpers for the whole notebook.

# %% jupyter={"source_hidden": true}
def nudge_table(fn, **inputs):
    """A row for each place: the numbers, the result, and its derivative for each input, by nudging.  fn: of arrays."""
    arrays = [np.array(numbers, dtype=float) for numbers in inputs.values()]
    columns = {**dict(zip(inputs, arrays)), "result": fn(*arrays)}
    for name, derivative in zip(inputs, derivatives_of(fn, arrays)):
        columns[f"d/d{name}"] = derivative
    print("".join(f"{name:>12}" for name in columns))
    for row in zip(*columns.values()):
        print("".join(f"{number + 0.0:12.4g}" for number in row))


def derivatives_of(fn, arrays):
    """For each input: how much does the result change in each place, for each unit there?"""
    for place, array in enumerate(arrays):
        yield numerical_gradient(
            lambda nudged: np.sum(fn(*arrays[:place], nudged, *arrays[place + 1 :])), array.copy()
        ).round(6)


def side_by_side(operation, *inputs):
    """For each input: the share that your rule gives, and what nudging finds."""
    tensors = [Tensor(numbers) for numbers in inputs]
    out = operation(*tensors)
    out_grad = np.resize([10.0, -1.0, 3.0], out.shape)
    shares = out._op.shares(Tensor(out_grad, requires_grad=False), out)
    nudged = derivatives_of(lambda *arrays: operation(*map(Tensor, arrays)).data, [x.data for x in tensors])
    for place, (share, derivative) in enumerate(zip(shares, nudged)):
        given = share.data.round(4) + 0.0 if isinstance(share, Tensor) else f"{share!r}, which is no Tensor"
        print(f"input {place}   rule: {given}   nudging: {(out_grad * derivative).round(4) + 0.0}")


def judged(fn, *inputs):
    """What your check_rule (6.5) says of the rule of fn: right, or what is wrong with it."""
    try:
        return "right" if check_rule(fn, inputs) else "?"
    except GradcheckError as error:
        return f"wrong: {error}"

# %% [markdown]
# ## Goals
#
# Afterwards you can
#
# - turn a local derivative into a rule for arrays, made of operations, so that it can be differentiated again,
# - say which rules need the input, and which the result,
# - write a gradient check, and name the traps it must avoid,
# - deal with the places where derivatives misbehave: kinks, zeros, very large numbers.

# %% [markdown]
# ## Recall

# %%
%quiz before 06

# %% [markdown]
# <details class="recall"><summary>From notebooks 02 and 05, without looking</summary>
#
# 1. `a` holds 2, -3, 5 and `b` holds 4, 1, -2. The gradient of `c = a * b` is 10, 1, -1. What is the share of `b`?
# 2. Nobody tells you the derivative of a function at a point. How do you find it?
# 3. `y = x + 5` for a Tensor `x`. How many inputs does `y` have, and where is the 5?
#
# </details>
#
# <details><summary>Answers</summary>
#
# - **1**: 20, -3, -5.
# - **2**: With a central difference: nudge it a little to both sides, and divide the change of the result by that of the number.
# - **3**: One input, `x`. The 5 belongs to the operation, `AddScalar(5)`, as its `scalar`.
#
# </details>

# %% [markdown]
# ## A. From a derivative to a rule
#
# On the backward pass, a gradient arrives at a result. It is called the **upstream gradient**, because it comes from further up, where the root is; in the code it is `out_grad`. For each number of the result it says how much the root changes per unit of that number: ∂L/∂y.
#
# An operation that works number by number is called **elementwise**. Number 3 of the result is made from number 3 of the inputs alone, so its rule is the chain rule for single numbers:
#
# $$\frac{\partial L}{\partial a} = \frac{\partial L}{\partial y} \cdot \frac{\partial y}{\partial a}$$
#
# In words: the share of an input is the upstream gradient times the local derivative. Only the local derivative differs from operation to operation.

# %% [markdown]
# Here is the rule of `Add`. It is complete, in `babygrad/ops/arithmetic.py`:
#
# ```python
# class Add(Elementwise):
#     def backward(self, out_grad, node):
#         return out_grad, out_grad
# ```
#
# - Both local derivatives are 1, so both shares are `out_grad` itself.
# - Two inputs, two shares: a tuple. With one input, just one Tensor.
# - `node` is the result, a Tensor, and `node._inputs` are the inputs. `Add` needs neither.
# - `Elementwise` is a subclass of `Function`, for operations that work number by number. Your rules may assume that all shapes are equal: broadcasting comes in 07.
#
# `Negate`, `AddScalar` and `MulScalar` are complete as well. The rule of `Negate` is `-out_grad`. Since `out_grad` is a Tensor, this minus is recorded like any other operation.
#
# Does that matter? For an operation that squares, the local derivative is 2a. Ben writes its rule with NumPy's arrays. Ada uses the Tensors themselves.
#
# **Predict.** Both shares hold the same numbers. What does the computation graph of each look like?

# %%
# prediction 6.A1
%predict

# %% tags=["nbval-ignore-output"]
class BrokenSquare(Function):
    def forward(self, a):
        return a**2

    def backward(self, out_grad, node):
        (a,) = node._inputs
        return Tensor(2 * a.data * out_grad.data)


class Square(BrokenSquare):
    def backward(self, out_grad, node):
        (a,) = node._inputs
        return 2 * a * out_grad


a, out_grad = Tensor([2.0, -3.0]), Tensor([10.0, -1.0])
a.label, out_grad.label = "a", "out_grad"
for made_by in (BrokenSquare(), Square()):
    out = made_by(a)
    share = out._op.backward(out_grad, out)
    share.label = "share of a"
    display(draw_graph(share))

# %% [markdown]
# **Explain.** Ada's share has a computation graph of its own, so you can ask for *its* gradient, a second derivative. With respect to a it is 2 · `out_grad`, here 20 and -2. Ben's share is a leaf. Ask it the same question, and you get 0, which is wrong.
#
# Hence the rule for rules: *made of Functions only*. Use the Tensors `out_grad`, `node`, `a`, `b`, not their `.data`. And change none of them: other rules may still need them.

# %% [markdown]
# Two of the helpers come now. `nudge_table` nudges each number of each input: the column d/da is the partial derivative of the result with respect to a, place by place. `side_by_side` puts your rule's answer beside it.

# %%
nudge_table(lambda a, b: a - b, a=[2, -3, 5], b=[4, 1, -2])
nudge_table(lambda a: a / -4, a=[2, -3, 5])
nudge_table(lambda a: a / 5, a=[2, -3, 5])

# %% [markdown]
# ### Exercise 6.1
#
# In `babygrad/ops/arithmetic.py`. The local derivatives are in the tables. (The stubs of other exercises in between can wait.) Then compare:

# %% tags=["nbval-ignore-output"]
side_by_side(ops.sub, [2.0, -3.0, 5.0], [4.0, 1.0, -2.0])
for scalar in (-4.0, 5.0):
    side_by_side(lambda a, scalar=scalar: ops.div_scalar(a, scalar), [2.0, -3.0, 5.0])

# %% [markdown]
# Do they agree? Only then run the check. It calls each rule with a random upstream gradient, differentiates the shares again, and looks at everything that a rule must leave alone: the inputs, the result, `out_grad`, every `.grad`.

# %%
%check 6.1

# %% [markdown]
# ### Exercise 6.2
#
# In the same file: the rule of `Mul`. Its local derivatives are no longer constant: they differ from place to place.

# %% tags=["nbval-ignore-output"]
side_by_side(ops.mul, [2.0, -3.0, 5.0], [4.0, 1.0, -2.0])

# %%
%check 6.2

# %% [markdown]
# **Predict.** For `a * a` the rule gives two shares. The derivative of a² is 2a, and a holds 2, -3. If the upstream gradient is 10, -1, what are the two shares?

# %%
# prediction 6.A2
%predict

# %%
out = a * a
for share in out._op.backward(Tensor([10.0, -1.0]), out):
    print(share.data)

# %% [markdown]
# **Explain.** 20, 3, twice. Together they are 40, 6: the upstream gradient times 2a. A rule does not add them up: it says what each *use* contributes. Accumulating is the engine's business, in 09.

# %% [markdown]
# **A good place to stop.** On a fresh kernel, run the imports and the cells that define `nudge_table` and `side_by_side`.

# %% [markdown]
# ## B. Quotients and powers
#
# **Predict.** 12 / 2 is 6. If the 12 grows a little, by how much does the 6 grow? And if the 2 grows by the same little bit, does the 6 rise or fall, and by more than before, or less?

# %%
# prediction 6.B1
%predict

# %%
nudge_table(lambda a, b: a / b, a=[12, 12, 12, 24, 48, -24], b=[2, 4, 8, 8, 8, 8])

# %% [markdown]
# There are two formulas in this table. Go down the first three rows, in which only `b` changes, then down from the third, where only `a` does. What happens to the two derivatives?
#
# ### Exercise 6.3
#
# In `ops/arithmetic.py`. A rule may use the inputs or the result, `node`, whichever is shorter.

# %% tags=["nbval-ignore-output"]
side_by_side(ops.div, [12.0, -5.0, 3.0], [2.0, 4.0, -1.5])

# %%
%check 6.3

# %% [markdown]
# In symbols: ∂(a/b)/∂a = 1/b and ∂(a/b)/∂b = -a/b².
#
# Next, powers with a fixed exponent: you found their derivative in notebook 02. Cleo wants to save an operation. xⁿ is there already, as the result, so she takes n · result / x. She tests it at 2 and -3, and all is well.
#
# **Predict.** What does her formula give at x = 0? And what should it give?

# %%
# prediction 6.B2
%predict

# %%
nudge_table(lambda x: x**3, x=[-2, -1, 0, 1, 2])
zero = np.array(0.0)
with np.errstate(all="ignore"):    # this silences NumPy's warnings
    print("n * result / x at 0:", 3 * zero**3 / zero)

# %% [markdown]
# **Explain.** 0 / 0 is `nan`, not a number. One `nan` in a gradient, one step of training, and every parameter that it reaches is `nan` from then on. So a rule has to be right where the input is 0, too.
#
# ### Exercise 6.4
#
# In `ops/arithmetic.py`. The exponent is `self.scalar`. Return a Tensor in every case, also where all derivatives are 0.
#
# It has to be right for every exponent, and for 0 as the base, wherever there is a derivative. Compare first:

# %% tags=["nbval-ignore-output"]
for exponent in (3.0, 2.0, 1.0, 0.0):
    print("exponent", exponent)
    side_by_side(lambda x, n=exponent: ops.power_scalar(x, n), [-2.0, 0.0, 5.0])

# %%
%check 6.4

# %% [markdown]
# <details><summary>What is special about one of them</summary>
#
# For x⁰ the textbook formula gives 0 · x⁻¹, and at x = 0 that is 0 · inf: `nan`. But x⁰ is 1 for every x, so its derivative is 0 everywhere.
#
# </details>

# %% [markdown]
# **A good place to stop.** Next you build the tool that compares for you. On a fresh kernel, run the imports and the cell below them, which defines `nudge_table`.

# %% [markdown]
# ## C. Who checks the rules?
#
# So far you compared by eye, and `%check` knew the right answer. Outside of a course nobody knows it. A **gradient check** compares the gradients that a rule gives with those that nudging finds.
#
# A rule answers for *one* upstream gradient at a time. Which number must you watch while you nudge x, so that nudging answers the same question? Say the upstream gradient of `f(x)` is 10, 1. Then number 0 of `f(x)` counts ten times, and number 1 once. So the root changes like this weighted sum:
#
# > 10 · f(x)[0] + 1 · f(x)[1], in NumPy `np.sum(out_grad * f(x))`
#
# That is a single number, and `numerical_gradient` can find its gradient. For f(x) = x³ and x = 2, -1:

# %%
x = np.array([2.0, -1.0])
out_grad = np.array([10.0, 1.0])
print(numerical_gradient(lambda x: np.sum(out_grad * x**3), x).round(6))

# %% [markdown]
# 10 · 3 · 4 = 120 and 1 · 3 · 1 = 3: just what the rule gives, `out_grad * 3 * x ** 2`.
#
# Which upstream gradient should a test use? Nearly everybody's first idea is ones.
#
# Here are four rules for x³, a right one and three wrong ones. Ada forgets `out_grad`. Ben reverses it. Cleo takes its mean.

# %%
class Cube(Function):
    def forward(self, a):
        return a**3

    def backward(self, out_grad, node):
        (a,) = node._inputs
        return self.rule(out_grad, 3 * a**2)

    def rule(self, out_grad, derivative):
        return out_grad * derivative


class CubeOfAda(Cube):
    def rule(self, out_grad, derivative):
        return derivative


class CubeOfBen(Cube):
    def rule(self, out_grad, derivative):
        return derivative * out_grad.data[::-1]


class CubeOfCleo(Cube):
    def rule(self, out_grad, derivative):
        return derivative * out_grad.data.mean()

# %% [markdown]
# **Predict.** Which of the three wrong rules does a test with ones catch? And a test with random numbers?

# %%
# prediction 6.C1
%predict

# %%
def largest_difference(cube, out_grad):
    """Between the rule and nudging, over all numbers."""
    x = Tensor([1.5, -0.5, 2.0])
    out = cube(x)
    given = out._op.backward(Tensor(out_grad), out)
    nudged = numerical_gradient(lambda array: np.sum(out_grad * array**3), x.data.copy())
    return np.max(np.abs(given.data - nudged))


upstream = {"ones": np.ones(3), "random": np.random.default_rng(0).normal(size=3)}
print(f"{'':12}", *(f"{name:>8}" for name in upstream))
for cube in (Cube(), CubeOfAda(), CubeOfBen(), CubeOfCleo()):
    print(f"{cube.name():12}", *(f"{largest_difference(cube, out_grad):8.3f}" for out_grad in upstream.values()))

# %% [markdown]
# **Explain.** The test with ones catches none of them. Forgotten, reversed or averaged, ones are still ones. Random numbers catch all three, so a gradient check uses those.

# %% [markdown]
# There are more traps in the comparison itself. Each line of the next cell is a way in which a wrong gradient could pass for a right one. (`np.linalg.norm` is the length of an array, also called its norm: the square root of the sum of squares.)
#
# **Predict.** Does each line print True or False?

# %%
# prediction 6.C2
%predict

# %%
right = np.ones((2, 3))
print("a single 1.0 is close to it:      ", np.allclose(1.0, right))
print("the length of the difference is 0:", np.linalg.norm(np.ones((1, 1, 3)) - right) == 0)
print("nan is off by more than 0.001:    ", abs(np.nan - 1.0) > 0.001)

# %% [markdown]
# **Explain.** True, True, False, and all three are bad news. NumPy broadcasts before it compares, so a gradient of the wrong shape can look perfect: *shape before value*. And <, > and == with `nan` are all False. So never ask *is it far off?* Ask *is it close?*, and complain if it is not.
#
# How close? The error of nudging grows with the numbers, so the tolerance has to grow as well: `atol + rtol * size`, an absolute and a relative part. `np.isclose` does that, number by number, for arrays: give it the `.data` of a Tensor. Whether two `nan` count as close is up to you: `equal_nan`.
#
# *Where* is it off? If `close` is what `np.isclose` returned, `np.argwhere(~close)` lists the places where it is False. An array can be indexed with a tuple: `nudged[(0, 2)]` is `nudged[0, 2]`.

# %% [markdown]
# ### Exercise 6.5
#
# Open `babygrad/gradient_check.py`. There `check_rule(operation, inputs)` asks whether the rule of one operation is right. The function that does the work for it, `compare_with_nudging`, is empty. Three helpers are ready:
#
# | helper | gives |
# |---|---|
# | `random_gradient(out, seed)` | a random Tensor of `out`'s shape |
# | `gradients_of(out, inputs, out_grad)` (passed in as an argument) | a list: for each input, its gradient by the rule, a Tensor or None |
# | `slopes_by_nudging(fn, inputs, position, out_grad, eps)` | for one input, the gradient of the weighted sum, an array; `eps`: the width of a nudge |
#
# The docstring of `compare_with_nudging` says what it returns, when it raises `GradcheckError(message)`, and what the message names. In what order do you compare things?

# %%
%check 6.5

# %% [markdown]
# Now let it judge. The helper `judged` calls `check_rule` and says what came of it. First the four cubes:

# %% tags=["nbval-ignore-output"]
x = Tensor([1.5, -0.5, 2.0])
for cube in (Cube(), CubeOfAda(), CubeOfBen(), CubeOfCleo()):
    print(f"{cube.name():11} {judged(cube, x)}")

# %% [markdown]
# Then your own rules of 6.1 to 6.4. From here on this is your judge: show each new rule to `check_rule` first, then to `%check`.

# %%
rng = np.random.default_rng(6)
a, b = Tensor(rng.normal(size=(2, 3))), Tensor(rng.normal(size=(2, 3)))

for name, fn in {"a - b": ops.sub, "a * b": ops.mul, "a / b": ops.div}.items():
    print(f"{name:7} {judged(fn, a, b)}")
for name, fn in {"a / -4": lambda a: a / -4, "a ** 3": lambda a: a**3, "a ** 0": lambda a: a**0}.items():
    print(f"{name:7} {judged(fn, a)}")

# %% [markdown]
# **A good place to stop.** On a fresh kernel, run the imports, the cell below them, which defines `nudge_table`, and the one that defines `rng`.

# %% [markdown]
# ## D. Input or result?
#
# Now to `babygrad/ops/pointwise.py`, functions of one array. First nudge them.

# %%
for fn, numbers in ((np.exp, [-1, 0, 1, 2]), (np.log, [0.5, 1, 2, 4]), (np.sqrt, [1, 4, 9, 16])):
    print(fn.__name__)
    nudge_table(fn, x=numbers)

# %% [markdown]
# Each derivative can be computed from another number in its row: from x, or from the result. From which, and how? Where both ways exist, which is less work?

# %% [markdown]
# ### Exercise 6.6
#
# Three rules in `ops/pointwise.py`. Where you need the input, the line `(a,) = node._inputs` unpacks a tuple of one. Ask your judge first:

# %% tags=["nbval-ignore-output"]
above_zero = Tensor(rng.uniform(0.5, 2.0, size=(2, 3)))
for fn in (ops.exp, ops.log, ops.sqrt):
    print(f"{fn.__name__:5} {judged(fn, above_zero)}")

# %%
%check 6.6

# %%
numbers = np.array([1.0, 4.0, 9.0])
for fn, formula, by_formula in (
    (np.exp, "the result", np.exp(numbers)),
    (np.log, "1 / x", 1 / numbers),
    (np.sqrt, "1 / (2 * result)", 1 / (2 * np.sqrt(numbers))),
):
    (derivative,) = derivatives_of(fn, [numbers])
    print(f"{fn.__name__:5} {formula:17} the same as nudging: {np.allclose(derivative, by_formula, atol=1e-5)}")

# %% [markdown]
# What a rule needs must be kept until the backward pass. So the choice between input and result is also a question of memory: where the result is enough, the input need not be kept.

# %% [markdown]
# **A good place to stop.** You have the rules of eight operations, and a tool that judges them. Next come functions with a kink, and very large numbers. On a fresh kernel, run the imports and the cell below them, which defines `nudge_table`.

# %% [markdown]
# ## E. Kinks
#
# `abs` and `relu` each consist of two straight halves, with a kink between them.
#
# **Predict.** What derivative does nudging find on the left, on the right, and at the kink?

# %%
# prediction 6.E1
%predict

# %%
for name, fn in {"abs": np.abs, "relu": lambda x: np.maximum(x, 0)}.items():
    print(name)
    nudge_table(fn, x=[-2, -0.5, 0, 0.5, 3])

# %% [markdown]
# **Explain.** At 0 there is no derivative. A nudge to both sides finds the mean of left and right; for relu that is a half, the derivative on neither side. What counts as the derivative there is a decision. We take 0, as PyTorch does.

# %% [markdown]
# Derivatives like these, 1 in some places and 0 in the others, form a **mask**. Two functions make masks from a Tensor: `positive(x)` is 1 where x is above 0 and 0 elsewhere, `sign(x)` is 1, -1 or 0. A mask does not change when x is nudged a little, so no gradient flows back through it: it counts as a constant.
#
# NumPy can make the mask too, from `.data`. But `positive(x)` is recorded: if the computation graph is evaluated again for another x, as in notebook 15, it gives the mask of that x.

# %% [markdown]
# ### Exercise 6.7
#
# Two rules and one forward, that of relu, in `ops/pointwise.py`. An upstream gradient may well be negative: relu is applied to x, not to the gradient. The forward has to take ±inf, too, where `a * (a > 0)` fails.

# %% tags=["nbval-ignore-output"]
both_signs = Tensor([[1.5, -0.5, 2.0], [-1.2, 0.7, -2.1]])
for fn in (ops.abs, ops.relu):
    print(f"{fn.__name__:5} {judged(fn, both_signs)}")

# %%
%check 6.7

# %% [markdown]
# **Predict.** Your rules are right, or `%check` would have said so. What does `check_rule` say about relu at 3, -2 and 0?

# %%
# prediction 6.E2
%predict

# %% tags=["nbval-ignore-output"]
print("at 3, -2:   ", judged(ops.relu, Tensor([3.0, -2.0])))
print("at 3, -2, 0:", judged(ops.relu, Tensor([3.0, -2.0, 0.0])))

# %% [markdown]
# **Explain.** It complains, and yet the rule is right: at 0, nudging finds the half that you saw in the table. Close to a kink it is nudging that is wrong. Keep test inputs away from kinks, and test the kink itself by hand.

# %% [markdown]
# ## F. Far out
#
# In notebook 02, sigmoid stopped with an OverflowError at -1000. NumPy does not stop: it goes on with `inf`. Here are two ways to write the same fraction: 1 / (1 + exp(-x)) and exp(x) / (1 + exp(x)).
#
# **Predict.** What do they give at -1000 and at 1000?

# %%
# prediction 6.F1
%predict

# %%
far = np.array([-1000.0, 1000.0])
with np.errstate(all="ignore"):
    print("1 / (1 + exp(-x)):     ", 1 / (1 + np.exp(-far)))
    print("exp(x) / (1 + exp(x)): ", np.exp(far) / (1 + np.exp(far)))

# %% [markdown]
# **Explain.** exp(1000) is `inf`. 1 / inf is 0, which is right by luck; inf / inf is `nan`.
#
# So `exp` must never be given a large number, on either side. `np.where(mask, one, other)` chooses between two arrays, number by number. But it does not *skip* anything: both are computed everywhere, so both must be harmless.
#
# Now the derivatives over the *result* y:

# %% tags=["nbval-ignore-output"]
x = np.linspace(-5, 5, 21)
fig, axes = plt.subplots(1, 2, figsize=(9, 3.2))
for ax, (name, fn) in zip(axes, {"sigmoid": lambda x: 1 / (1 + np.exp(-x)), "tanh": np.tanh}.items()):
    (derivative,) = derivatives_of(fn, [x])
    ax.plot(fn(x), derivative, "o")
    ax.set(title=name, xlabel="result y", ylabel="derivative, by nudging")
    ax.grid(True)
fig.tight_layout()
plt.show()

# %% [markdown]
# <details><summary>The pictures in words</summary>
#
# In both, the points form a parabola that opens downwards. That of sigmoid goes from (0, 0) up to (0.5, 0.25) and down to (1, 0). That of tanh goes from (-1, 0) up to (0, 1) and down to (1, 0).
#
# </details>
#
# These are the arches of notebook 02. Which formulas in y did you find there?

# %% [markdown]
# ### Exercise 6.8
#
# The forward of sigmoid and two rules, in `ops/pointwise.py`. NumPy's tanh is safe everywhere, so that forward is given. The check goes out to ±1000 and fails if NumPy warns.

# %% tags=["nbval-ignore-output"]
for fn in (ops.sigmoid, ops.tanh):
    print(f"{fn.__name__:8} {judged(fn, both_signs)}")

# %%
%check 6.8

# %%
x = np.linspace(-5, 5, 21)
for fn, formula, by_formula in ((ops.sigmoid, "y * (1 - y)", lambda y: y * (1 - y)), (ops.tanh, "1 - y * y", lambda y: 1 - y * y)):
    (derivative,) = derivatives_of(lambda x, fn=fn: fn(Tensor(x)).data, [x])
    same = np.allclose(derivative, by_formula(fn(Tensor(x)).data), atol=1e-5)
    print(f"{fn.__name__:8} {formula:12} the same as nudging: {same}")

# %% [markdown]
# The derivative of sigmoid is 0.25 at 0. And further out?

# %%
for number in (0.0, 2.0, 5.0, 10.0, 40.0):
    out = ops.sigmoid(Tensor(number))
    print(f"x = {number:4g}   derivative {out._op.backward(Tensor(1.0), out).item():.2g}")

# %% [markdown]
# Beyond 10 hardly anything comes through: sigmoid **saturates**. At 40 the result is 1.0 to the last digit, so 1 - y is exactly 0.
#
# And even without saturation the derivative is a quarter at best. Here is a chain of ten sigmoids, with the backward pass by hand: what one rule gives is the upstream gradient of the next.

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
# Ten such layers, weights aside, let through less than a millionth of the gradient. That is the **vanishing gradient**, and one reason why relu took over: it does not saturate to the right of 0, where its derivative is 1.

# %% [markdown]
# All elementwise rules so far, in one table:
#
# | uses only `out_grad` | uses the input | uses the result |
# |---|---|---|
# | add, sub, negate, + - * / with a plain number | mul, powers, log, abs | exp, sqrt, sigmoid, tanh |
#
# (For div and relu it is up to you: input or result.)

# %% [markdown]
# **A good place to stop.** All elementwise rules that a network needs are written and judged. Next come one long rule and a hunt, both stretch. On a fresh kernel, run the imports and the cell below them, which defines `nudge_table`.

# %% [markdown]
# ## G. When both change (stretch)
#
# One rule is left, the longest. Notebooks 07 to 09 do not need it. In `a ** b` the base may change, or the exponent, or both.
#
# If a changes, it is your rule of 6.4. If b changes, it is growth, as in `2 ** x` in notebook 02:

# %%
exponents = np.array([1.0, 2.0, 3.0])
for base in (0.5, 2.0, np.e, 10.0):
    (derivative,) = derivatives_of(lambda b: base**b, [exponents])
    print(f"base {base:5.2f}   derivative / result at 1, 2, 3: {(derivative / base**exponents).round(4)}")

# %% [markdown]
# The derivative is the result times a number that depends only on the base. Which function of the base is that? It is among the operations of section D.
#
# Ben has found it, and always computes both shares. Then somebody squares -2, as `pow(x, two)` with a constant Tensor `two`.

# %%
with np.errstate(all="ignore"):
    print("log(-2) =", np.log(-2.0), "   log(0) =", np.log(0.0), "   0 * log(0) =", 0 * np.log(0.0))

# %% [markdown]
# The gradient of `x` is fine: 2 · (-2) = -4. But the share of `two`, which nobody asked for, is `nan`, and NumPy prints a warning that sends people searching.
#
# So: *compute a share only if its input requires grad*, and return `None` for it otherwise.

# %% [markdown]
# The base 0 needs care, twice. The docstring says what counts as the derivative there.
#
# Do not try to repair the `nan` afterwards: multiplied by 0, it stays `nan`. Make sure that the bad number is never asked for.

# %% [markdown]
# `equal(a, 0.0)` is a mask like `positive(a)` and `sign(a)`: 1 where a is 0. (`a == 0` of a Tensor is just one plain False.) To join two masks, multiply them: the product is 1 where both are 1.

# %% [markdown]
# ### Exercise 6.9
#
# In `ops/arithmetic.py`. Return a pair; begin with `grad_a = grad_b = None`.
#
# The check begins with positive bases: the two formulas alone answer six of its nine questions. Then come a negative base with a constant exponent, a constant base, and the zeros.

# %%
%check 6.9

# %%
a, b = Tensor([[1.5, 0.7, 2.2], [0.6, 1.1, 1.9]]), Tensor([[0.5, -1.2, 2.0], [1.3, 0.0, -0.4]])
negative, c = Tensor(-a.data), Tensor([[2.0, 3.0, -1.0], [1.0, 2.0, 2.0]], requires_grad=False)
for name, inputs in {"positive ** b": (a, b), "negative ** constant": (negative, c)}.items():
    print(f"{name:21} {judged(ops.pow, *inputs)}")

# %% [markdown]
# **A good place to stop.** On a fresh kernel, run the imports.

# %% [markdown]
# ## Bug hunt (stretch)
#
# Three authors, three rules, all of them wrong: Ada's for relu, Ben's for sigmoid, Cleo's for abs. All three have passed the same test. You see them from outside: you give x and the upstream gradient, they give the gradient of x.

# %%
from grader.broken_engines.local_rules import ENGINES, answers_of


def compare(x, out_grad):
    for author, engine in ENGINES.items():
        found, right = (answer.round(3) + 0.0 for answer in answers_of(engine, x, out_grad))
        print(f"{author:5} {engine.function:8} finds {found!s:24} right: {right}")


compare([3, -2, 1], [1, 1, 1])

# %% [markdown]
# ### Exercise 6.10
#
# In `babygrad/hunts.py`, write *one* test that catches all three: x and `out_grad`, with at most two numbers each. One place, a number that is not 0, is given. Try ideas here first:

# %%
compare([3, -2], [2, 2])

# %%
%check 6.10

# %% tags=["nbval-ignore-output"]
compare(*hunts.three_wrong_rules(2))

# %% [markdown]
# <details><summary>What was wrong with them</summary>
#
# Ada asks `x >= 0`: wrong at the kink only. Ben takes the mean of the upstream gradient: right as long as all its numbers are equal. Cleo applies abs to the upstream gradient as well: right as long as it is positive.
#
# The test that they had passed has no number at a kink, and ones as the upstream gradient, which are equal *and* positive.
#
# </details>

# %% [markdown]
# ## Reflection
#
# Write an answer to one of these questions before you unfold ours. Answer the other aloud, as in an interview.
#
# **Why does a gradient check use a random upstream gradient?**

# %%
%%note 6.R1

# %% [markdown]
# <details><summary>Our answer</summary>
#
# Ones hide every fault in how the upstream gradient is used: forgotten, reversed, averaged, squared. Random numbers are all different, of both signs, and none of them is 1.
#
# </details>
#
# **Why must a rule be made of Functions?**

# %%
%%note 6.R2

# %% [markdown]
# <details><summary>Our answer</summary>
#
# So that the gradient has a computation graph of its own and can be differentiated again. What NumPy computed is a constant, and its derivative is 0.
#
# </details>

# %%
%predictions 06

# %% [markdown]
# ## In other books
#
# What the words of this notebook are called elsewhere, and in PyTorch and JAX: [the glossary](../docs/glossary.md#06-local-gradients).

# %% [markdown]
# ## The rule to keep
#
# **Upstream gradient times local derivative, and trust it only when random numbers agree.**

# %% [markdown]
# ## Where you are
#
# Every elementwise operation now has its rule, and you have a tool that checks rules. But `x + bias` with shapes (50, 4) and (4,) does not work yet: the row gets a gradient for each of its copies.
