# %% [markdown]
# # 06 · Local gradients
#
# Every operation of notebook 05 computes, records, and then knows no way back. Now each gets its rule. A rule is one line. Some stand there; a dozen are yours.
#
# No formula is given. You nudge, look at the numbers, guess the slope, write the rule, and nudge again to see whether it holds. Short lines are easy to get wrong, and a wrong gradient does not crash: the network just learns badly. So halfway through you build a tool that finds out, a gradient check, and let it judge all that you wrote.
#
# All shapes are equal in this notebook. Shapes that stretch come in 07. What is marked *(stretch)* is not in the 95 minutes: leave it out on a first reading.

# %% jupyter={"source_hidden": true}
%load_ext grader

# %%
import matplotlib.pyplot as plt
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
# ## Recall
#
# From notebooks 02 and 05, without looking:
#
# 1. `a` holds 2, -3, 5 and `b` holds 4, 1, -2. At `c = a * b` the gradient 10, 1, -1 arrives. What is the share of `b`?
# 2. Nobody tells you the slope of a function at a point. How do you find it out?
# 3. `y = x + 5` for a Tensor `x`. How many inputs does `y` have, and where is the 5?
#
# <details><summary>Answers</summary>
#
# - **1**: 20, -3, -5.
# - **2**: Nudge the number a little to both sides, and divide the change of the result by that of the number.
# - **3**: One input, `x`. The 5 belongs to the operation, `AddScalar(5)`, as its `scalar`.
#
# </details>

# %% [markdown]
# ## A. From a slope to a rule
#
# What arrives at a result on the way back is called its **upstream gradient**, or the gradient from above: it comes from further up, where the root is. In the code it is `out_grad`. For each number of the result it says how much the root changes for each unit of that number.
#
# An operation that works number by number is called *elementwise*. Number 3 of the result is made from number 3 of the inputs alone, so the rule is what you know from single numbers:
#
# > share of an input = upstream gradient · local slope
#
# And only the slope is different from operation to operation. (In the tables of notebook 05 this is the case in which only the diagonal is not 0. So the vector-Jacobian product is a product number by number.)

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
# - `Elementwise` is a `Function` of the kind that works number by number. Your rules may take all shapes as equal.
#
# `Negate`, `AddScalar` and `MulScalar` are complete as well. Have a look at them: each is one line. If 10, -1 arrives at `-a`, what does the rule of `Negate` give?
#
# <details><summary>Answer</summary>
#
# -10, 1. The slope is -1, and the rule says `-out_grad`. `out_grad` is a Tensor, and thanks to your operators of notebook 05 the minus is an operation like any other.
#
# </details>
#
# That last remark is worth a second look. Ben writes the rule of `3 * a` with NumPy. Ada uses the Tensor itself.
#
# **Predict.** Both shares hold the same numbers. What does the picture of each show?

# %%
# bet 6.A1
%bet

# %% tags=["nbval-ignore-output"]
class BrokenTriple(Function):
    def forward(self, a):
        return 3 * a

    def backward(self, out_grad, node):
        return Tensor(3 * out_grad.data)


class Triple(BrokenTriple):
    def backward(self, out_grad, node):
        return 3 * out_grad


a, out_grad = Tensor([2.0, -3.0]), Tensor([10.0, -1.0])
a.label, out_grad.label = "a", "out_grad"
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
# Two helpers for this notebook. The first nudges each number of each input (by your `numerical_gradient`), and prints a table. The second puts your rule beside it.

# %%
def nudge_table(fn, **inputs):
    """A row for each place: the numbers, the result, and the slope to each input, by nudging.  fn: of arrays."""
    arrays = [np.array(numbers, dtype=float) for numbers in inputs.values()]
    columns = {**dict(zip(inputs, arrays)), "result": fn(*arrays)}
    for name, slopes in zip(inputs, slopes_of(fn, arrays)):
        columns[f"slope to {name}"] = slopes
    print("".join(f"{name:>12}" for name in columns))
    for row in zip(*columns.values()):
        print("".join(f"{number + 0.0:12.4g}" for number in row))


def slopes_of(fn, arrays):
    """For each input: how much does the result change in each place, for each unit there?"""
    for place, array in enumerate(arrays):
        yield numerical_gradient(
            lambda moved: np.sum(fn(*arrays[:place], moved, *arrays[place + 1 :])), array.copy()
        ).round(6)


def side_by_side(operation, *inputs):
    """For each input: the share that your rule gives, and the one that nudging gives."""
    tensors = [Tensor(numbers) for numbers in inputs]
    out = operation(*tensors)
    out_grad = np.resize([10.0, -1.0, 3.0], out.shape)
    shares = out._op.shares(Tensor(out_grad, requires_grad=False), out)
    slopes = slopes_of(lambda *arrays: operation(*map(Tensor, arrays)).data, [x.data for x in tensors])
    for place, (share, slope) in enumerate(zip(shares, slopes)):
        given = share.data.round(4) + 0.0 if isinstance(share, Tensor) else f"{share!r}, which is no Tensor"
        print(f"input {place}   rule: {given}   nudging: {(out_grad * slope).round(4) + 0.0}")

# %%
nudge_table(lambda a, b: a - b, a=[2, -3, 5], b=[4, 1, -2])
nudge_table(lambda a: a / -4, a=[2, -3, 5])
nudge_table(lambda a: a / 5, a=[2, -3, 5])

# %% [markdown]
# ### Exercise 6.1
#
# In `babygrad/ops/arithmetic.py`. The slopes stand in the tables. (Stubs of other exercises in between can wait.) Then compare:

# %% tags=["nbval-ignore-output"]
side_by_side(ops.sub, [2.0, -3.0, 5.0], [4.0, 1.0, -2.0])
for scalar in (-4.0, 5.0):
    side_by_side(lambda a, scalar=scalar: ops.div_scalar(a, scalar), [2.0, -3.0, 5.0])

# %% [markdown]
# Do they agree? Only then ask the check. It calls each rule with an upstream gradient of random numbers (and `a / scalar` with a scalar that is in no table), and looks at shapes and numbers, and whether float32 stays float32. It differentiates the shares once more, by nudging what they were made from. And it looks at all that a rule must leave alone: the inputs, the result, `out_grad`, every `.grad`. The checks of the other rules do the same.

# %%
%check 6.1

# %% [markdown]
# ### Exercise 6.2
#
# Next to it: the rule of `Mul`. Its slopes are not constant any more: each is different from place to place. The check asks for products of numbers and zeros, and for `a * a`.

# %% tags=["nbval-ignore-output"]
side_by_side(ops.mul, [2.0, -3.0, 5.0], [4.0, 1.0, -2.0])

# %%
%check 6.2

# %% [markdown]
# **Predict.** For `a * a` the rule gives two shares. The slope of a² is 2a, and a holds 2, -3. If 10, -1 arrives, what are the two shares? And what has to happen to them later?

# %%
# bet 6.A2
%bet

# %%
out = a * a
for share in out._op.backward(Tensor([10.0, -1.0]), out):
    print(share.data)

# %% [markdown]
# **Explain.** 20, 3 twice. Together they are 40, 6, which is 10 · 2a and -1 · 2a. A rule does not add them up: it says what each *use* sends. Adding up is the walk's business, in 09.

# %% [markdown]
# ## B. Quotients and powers
#
# In `a / b` one number may move, or the other.
#
# **Predict.** 12 / 2 is 6. If the 12 grows by a little, how much of it arrives at the 6? And if the 2 grows, does the 6 become larger or smaller? By more than that, or less?

# %%
# bet 6.B1
%bet

# %%
nudge_table(lambda a, b: a / b, a=[12, 12, 12, 24, 48, -24], b=[2, 4, 8, 8, 8, 8])

# %% [markdown]
# Two formulas are in this table. Go down the first three rows, in which only `b` changes, then down from the third, where only `a` does. How do the two slopes follow? When you have a guess, try it on a row of your own.
#
# ### Exercise 6.3
#
# In `ops/arithmetic.py`. One line will do, two are easier to read. A rule may use the inputs or the result, `node`, whatever is shorter. The check has numbers of both signs, and one question in which b is 1 wherever a is not 0: some wrong formulas are right there.

# %% tags=["nbval-ignore-output"]
side_by_side(ops.div, [12.0, -5.0, 3.0], [2.0, 4.0, -1.5])

# %%
%check 6.3

# %% [markdown]
# <details><summary>Shorter still</summary>
#
# The slope to b is -a / b². The result, `node`, is a / b already. So it can be written without a square: -node / b.
#
# </details>

# %% [markdown]
# Powers with a fixed exponent: you found their slope in notebook 02. Cleo saves an operation. xⁿ is there already, it is the result, so she takes n · result / x. She tests with 2 and -3, and all is well.
#
# **Predict.** What does her way give at x = 0? And what should it?

# %%
# bet 6.B2
%bet

# %%
nudge_table(lambda x: x**3, x=[-2, -1, 0, 1, 2])
zero = np.array(0.0)
with np.errstate(all="ignore"):    # this silences NumPy's warnings
    print("n * result / x at 0:", 3 * zero**3 / zero)

# %% [markdown]
# **Explain.** 0 / 0 is `nan`, not a number. One `nan` in a gradient, one step of training, and every parameter that it touches is `nan`, for good. So a rule has to be right where the input is 0, too.
#
# ### Exercise 6.4
#
# In `ops/arithmetic.py`. The exponent is `self.scalar`. A share is always a Tensor.
#
# The check asks for the exponents 2, 3, 0.5, -2, 1 and 0, at 0 too where there is a slope. Compare before you ask it:

# %% tags=["nbval-ignore-output"]
for exponent in (3.0, 2.0, 1.0, 0.0):
    print("exponent", exponent)
    side_by_side(lambda x, n=exponent: ops.power_scalar(x, n), [-2.0, 0.0, 5.0])

# %%
%check 6.4

# %% [markdown]
# <details><summary>What is special about one of them</summary>
#
# For x⁰ the textbook's own formula is 0 · x⁻¹, and at x = 0 that is 0 · inf: `nan`. But x⁰ is 1 for every x, and flat, so its slope is 0 everywhere.
#
# </details>

# %% [markdown]
# ## C. Who checks the rules?
#
# So far you compared by eye, and `%check` knew what is right. Outside of a course nobody does, and nobody looks at a thousand numbers. You will build a tool that does.
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
# bet 6.C1
%bet

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
# bet 6.C2
%bet

# %%
right = np.ones((2, 3))
print("a single 1.0 is close to it:      ", np.allclose(1.0, right))
print("the length of the difference is 0:", np.linalg.norm(np.ones((1, 1, 3)) - right) == 0)
print("nan is off by more than 0.001:    ", abs(np.nan - 1.0) > 0.001)

# %% [markdown]
# **Explain.** True, True, False, and all three are bad news. NumPy stretches shapes before it compares, so a gradient of a wrong shape can look perfect: *shape before value*. And every comparison with `nan` is False. So never ask *is it far off?* Ask *is it close?*, and complain if not.
#
# How close? Nudging is off by a little for the size of the numbers, so the tolerance grows with them: `atol + rtol * size`, an absolute and a relative part. NumPy has a function for that, `np.isclose`; number by number it says True or False. It wants arrays: of a Tensor take `.data`. What it makes of two `nan` you can tell it: `equal_nan`.

# %% [markdown]
# ### Exercise 6.5
#
# Open `babygrad/gradient_check.py`. `check_rule(operation, inputs)` stands there, and asks whether the rule of one operation is right. What it is made of, `compare_with_nudging`, is empty. Three helpers are ready to use:
#
# | helper | gives |
# |---|---|
# | `random_gradient(out, seed)` | a random Tensor of `out`'s shape |
# | `gradients_of(out, inputs, out_grad)`, an argument | a list: for each input what backward gives, a Tensor or None |
# | `slopes_by_nudging(fn, inputs, position, out_grad, eps)` | for one input the slopes of the weighted sum, an array |
#
# Fill in `compare_with_nudging`. Its docstring says what it returns, when it raises `GradcheckError(message)`, and what the message names. In which order do you ask? Three traps lie behind you.
#
# `check_rule` hands it a `gradients_of` that asks the rule. In notebook 09 `gradcheck`, beside it, will hand it one that walks back through a whole graph.

# %% [markdown]
# The check hands it right rules, also for a result of another shape than its input, and wrong ones: the three from above, a sign in one place, `nan`, wrong shapes, None, a fault in the second input only. It gives tolerances, an `eps` and seeds of its own. Then it reads your messages: which input, where, and whose number is which.

# %% [markdown]
# *Where* is it off? If `close` holds what `np.isclose` says, `~close` is True where it is False, and `np.argwhere` lists the places that are True. A place as a tuple may stand in brackets behind an array: `nudged[0, 2]` and `nudged[(0, 2)]` are the same number.

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
# Then your own rules of 6.1 to 6.4. From here on this is your judge: a new rule goes to `check_rule` first, then to `%check`.

# %%
rng = np.random.default_rng(6)
a, b = Tensor(rng.normal(size=(2, 3))), Tensor(rng.normal(size=(2, 3)))

for name, fn in {"a - b": ops.sub, "a * b": ops.mul, "a / b": ops.div}.items():
    print(f"{name:7} {judged(fn, a, b)}")
for name, fn in {"a / -4": lambda a: a / -4, "a ** 3": lambda a: a**3, "a ** 0": lambda a: a**0}.items():
    print(f"{name:7} {judged(fn, a)}")

# %% [markdown]
# ## D. Input or result?
#
# Now `babygrad/ops/pointwise.py`: functions of one array. Nudge them.

# %%
for fn, numbers in ((np.exp, [-1, 0, 1, 2]), (np.log, [0.5, 1, 2, 4]), (np.sqrt, [1, 4, 9, 16])):
    print(fn.__name__)
    nudge_table(fn, x=numbers)

# %% [markdown]
# **Predict.** Each slope can be had from another number of its row: from x, or from the result. From which, and how? Write down three guesses, and the next row of each table. Where both ways exist, which one computes less?
#
# This is also a question of memory. What a rule needs must be kept until the walk back. A rule that needs only the result lets the input go, if nobody else wants it. Large engines choose their rules by that.

# %%
# bet 6.D1
%bet

# %% [markdown]
# ### Exercise 6.6
#
# In `ops/pointwise.py`: three rules; the forwards are there. `out_grad` and `node` are Tensors. The inputs are a tuple, so a line `(a,) = node._inputs` takes the only thing out of a tuple of one: write it where you need the input. First your judge:

# %% tags=["nbval-ignore-output"]
positive = Tensor(rng.uniform(0.5, 2.0, size=(2, 3)))
for fn in (ops.exp, ops.log, ops.sqrt):
    print(f"{fn.__name__:5} {judged(fn, positive)}")

# %%
%check 6.6

# %% [markdown]
# ## E. Kinks
#
# `abs` and `relu` are made of two straight halves, and between them is a kink.
#
# **Predict.** What slope does nudging find on the left, on the right, and at the kink?

# %%
# bet 6.E1
%bet

# %%
for name, fn in {"abs": np.abs, "relu": lambda x: np.maximum(x, 0)}.items():
    print(name)
    nudge_table(fn, x=[-2, -0.5, 0, 0.5, 3])

# %% [markdown]
# **Explain.** At 0 there is no slope: a nudge to both sides finds the mean of left and right, and for relu that is a half, a slope that neither side has. Whatever one takes there is a decision. We take 0, as PyTorch does.
#
# Slopes like these are a **mask**. Two functions make masks of a Tensor: `positive(x)` is 1 where x is above 0 and 0 elsewhere, `sign(x)` is 1, -1 or 0. A mask does not move when x is nudged a little, so no gradient flows back through it: it counts as a constant.

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
# ### Exercise 6.7
#
# Two rules and a forward, that of relu, in `ops/pointwise.py`. The check asks left, right and at 0, with gradients of both signs. And the forward at ±inf, where `a * (a > 0)` has a surprise.

# %% tags=["nbval-ignore-output"]
for fn in (ops.abs, ops.relu):
    print(f"{fn.__name__:5} {judged(fn, a)}")

# %%
%check 6.7

# %% [markdown]
# **Predict.** Your rules are right, or `%check` would have said so. What does `check_rule` say about relu at 3, -2 and 0?

# %%
# bet 6.E2
%bet

# %% tags=["nbval-ignore-output"]
print("at 3, -2:   ", judged(ops.relu, Tensor([3.0, -2.0])))
print("at 3, -2, 0:", judged(ops.relu, Tensor([3.0, -2.0, 0.0])))

# %% [markdown]
# **Explain.** It complains, and the rule is right all the same: the nudge sees the half that you saw in the table.
#
# The tool has a blind spot: near a kink, nudging is what is wrong. Keep test inputs away from kinks, and test the kink itself by hand, as `%check` did.

# %% [markdown]
# ## F. Far out
#
# In notebook 02 sigmoid stopped with an OverflowError at -1000. NumPy does not stop. Two ways to write the same fraction:
#
# **Predict.** What do they give at -1000 and at 1000?

# %%
# bet 6.F1
%bet

# %%
far = np.array([-1000.0, 1000.0])
with np.errstate(all="ignore"):
    print("1 / (1 + exp(-x)):     ", 1 / (1 + np.exp(-far)))
    print("exp(x) / (1 + exp(x)): ", np.exp(far) / (1 + np.exp(far)))

# %% [markdown]
# **Explain.** exp(1000) is `inf`. 1 / inf is 0, by luck; inf / inf is `nan`. In training that is one number among thousands, and soon all of them.
#
# So `exp` must never be asked for a large number, on either side. `np.where(mask, one, other)` chooses number by number between two arrays. But it does not *skip* anything: both of them are computed everywhere, so both must be harmless.
#
# Now the slopes. In notebook 02 you met them; here is a picture of them, over the *result* y in place of x.

# %% tags=["nbval-ignore-output"]
x = np.linspace(-5, 5, 21)
fig, axes = plt.subplots(1, 2, figsize=(9, 3.2))
for ax, (name, fn) in zip(axes, {"sigmoid": lambda x: 1 / (1 + np.exp(-x)), "tanh": np.tanh}.items()):
    (slopes,) = slopes_of(fn, [x])
    ax.plot(fn(x), slopes, "o")
    ax.set(title=name, xlabel="result y", ylabel="slope to x, nudged")
    ax.grid(True)
fig.tight_layout()
plt.show()

# %% [markdown]
# <details><summary>The pictures in words</summary>
#
# Both are arches. That of sigmoid goes from (0, 0) up to (0.5, 0.25) and down to (1, 0). That of tanh goes from (-1, 0) up to (0, 1) and down to (1, 0).
#
# </details>
#
# **Predict.** The points lie on a parabola each. Which formula in y is 0, highest, and 0 again at these places? Draw your guess into the picture, with `ax.plot(y, ...)`, before you write a rule of it.

# %%
# bet 6.F2
%bet

# %% [markdown]
# ### Exercise 6.8
#
# The forward of sigmoid and two rules in `ops/pointwise.py`. NumPy's tanh is safe everywhere, so that forward is given. The check goes out to ±1000 and listens for NumPy's warnings.

# %% tags=["nbval-ignore-output"]
for fn in (ops.sigmoid, ops.tanh):
    print(f"{fn.__name__:8} {judged(fn, a)}")

# %%
%check 6.8

# %% [markdown]
# **Predict.** The slope of sigmoid is 0.25 at 0. Guess it at 2, 5, 10 and 40.

# %%
# bet 6.F3
%bet

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
# The table of all rules. It is the whole of elementwise differentiation:
#
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
# If a moves, it is your rule of 6.4. If b moves, it is growth, as in `2 ** x` of notebook 02:

# %%
for base in (0.5, 2.0, np.e, 10.0):
    (slopes,) = slopes_of(lambda b: base**b, [np.array([1.0, 2.0, 3.0])])
    print(f"base {base:5.2f}   slope / result at 1, 2, 3: {(slopes / base ** np.array([1.0, 2.0, 3.0])).round(4)}")

# %% [markdown]
# The slope is the result times a number that depends on the base alone. Which function of the base is that? It is among the operations of section D.
#
# **Predict.** Ben has found it, and computes both shares always. Then somebody squares -2, as `pow(x, two)` with a constant Tensor `two`. What is log(-2)? Does the gradient of x suffer?

# %%
# bet 6.G1
%bet

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
# | where | the share of | what the formula does | right |
# |---|---|---|---|
# | a = 0 and b = 0 | a | 0 · inf | 0, since x⁰ is flat |
# | a = 0 and b ≥ 0 | b | 0 · (-inf), or -inf at b = 0 | 0, by decision at b = 0 |
#
# Do not mend the `nan` afterwards: multiplying it by 0 keeps it. See that the bad number is never asked for: what is there to be added, and to which number, *before* the power and the logarithm are taken?

# %% [markdown]
# `equal(a, 0.0)`, beside `positive` and `sign`, is 1 where a is 0, and `a == 0` of a Tensor is one plain False. Two masks are joined by multiplying them: the product is 1 where both are. NumPy's masks from `.data` will do as well; those are joined with `&`, each in brackets: `(a.data == 0) & (b.data == 0)`. `True` counts as 1.

# %% [markdown]
# ### Exercise 6.9
#
# *(stretch)* In `ops/arithmetic.py`. Return a pair; begin with `grad_a = grad_b = None`. All functions are those of Tensors, so that the share remembers.
#
# The check begins with positive bases: the two formulas alone answer six of its nine questions. Then come a negative base with a constant exponent, a constant base, and the zeros.

# %%
%check 6.9

# %%
c = Tensor([[2.0, 3.0, -1.0], [1.0, 2.0, 2.0]], requires_grad=False)
for name, inputs in {"positive ** b": (positive, b), "a ** constant": (a, c)}.items():
    print(f"{name:14} {judged(ops.pow, *inputs)}")

# %% [markdown]
# ## Bug hunt
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
# ### Exercise 6.10
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
# ## Reflection
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
# Every elementwise operation knows its way back (`a ** b` as soon as you have done 6.9), and you have a tool that says so. But `x + bias` with shapes (50, 4) and (4,) does not work yet: the row gets a gradient for each cell that it was laid over. In notebook 07 shapes move, and you find out what to do with them.
