# %% [markdown]
# # 07 · Shape operations
#
# The operations of notebook 06 change numbers. Those of this notebook move them to other places, repeat them, or add them up. There is hardly a derivative to find: except in the mean, each of them is 1 or 0. There is one question, again and again: *where did each number go?*
#
# Answer it, and you have the rule. And the rule always turns out to be another operation of this notebook.

# %% jupyter={"source_hidden": true}
%load_ext grader

# %%
import numpy as np

from babygrad import Function, GradcheckError, Tensor, check_rule, hunts, ops
from toolbox import draw_graph
from toolbox.films.cells import travel

# %% [markdown]
# ## Goals
#
# Afterwards you can
#
# - follow a number through reshape, transpose, sum and broadcast, and its gradient back,
# - undo any order of axes, also one with negative axes,
# - give an input that was broadcast a gradient of its own shape,
# - say why sum and broadcast belong together, and test it with two numbers (stretch),
# - choose sizes and axes for which a wrong rule cannot be right by luck.

# %% [markdown]
# ## Recall

# %%
%quiz before 07

# %% [markdown]
# <details class="recall"><summary>From notebook 06, without looking</summary>
#
# 1. `out = a * b` is elementwise, with the upstream gradient `out_grad`. What does the rule give to `a`, and what to `b`?
# 2. Why does a gradient check use a random upstream gradient, and not an array of ones?
# 3. A rule gives its input of shape (2, 3) a gradient of shape (3, 2). What does `check_rule` compare first?
#
# </details>
#
# <details><summary>Answers</summary>
#
# - **1**: `out_grad * b` to `a`, and `out_grad * a` to `b`.
# - **2**: With ones, a rule that forgets `out_grad`, or mixes up its numbers, is right by luck.
# - **3**: The shape. A gradient has the shape of its input, so this one is wrong before any number is looked at.
#
# </details>

# %% [markdown]
# ## A. The same numbers in other rows
#
# Take six numbers in two rows. **Reshape** reads them row by row, and writes them row by row into another shape. On the backward pass the result gets an upstream gradient: one number for each cell of the *result*.
#
# ```text
# x:  1  2  3      reshaped:  1  2      upstream gradient:  10  20
#     4  5  6                 3  4                          30  40
#                             5  6                          50  60
# ```
#
# What is the gradient of `x`? There are two answers:
#
# ```text
# Ada:  10  20  30        Ben:  10  30  50
#       40  50  60              20  40  60
# ```
#
# **Predict.** Which gradient belongs to the 4? Who is right?

# %%
# prediction 7.A1
%predict

# %%
x = np.array([[1, 2, 3], [4, 5, 6]])
travel(lambda t: ops.reshape(t, (3, 2)), x, by_nudging=True)

# %% [markdown]
# **Explain.** There is no rule yet, so the film found each gradient by nudging. If the 4 grows, the cell with the 40 grows. Ada is right.
#
# Ben thought: (2, 3) has become (3, 2), so rows and columns have changed places, and `.T` undoes that. In his answer the 4 gets 20. The *shape* is right. No check of shapes will ever notice.

# %% [markdown]
# ### Exercise 7.1
#
# Open `babygrad/ops/shape.py`. The forwards in this file are given; the rules are yours. At the end of the file each operation is also there as a function, such as `transpose(a, axes)`: use these functions in your rules. (The methods `x.reshape` and `x.T` do the same; section E has them.)

# %%
%check 7.1

# %% [markdown]
# No formula is needed: the numbers stay in the same order, and so do the gradients. *The rule of a reshape is a reshape.*

# %% [markdown]
# ## B. Axes change places
#
# A **transpose** puts the axes in another order. Two axes first: rows become columns. The shapes are those of section A, but the cells are not.
#
# ```text
# transposed:  1  4      upstream gradient:  10  20
#              2  5                          30  40
#              3  6                          50  60
# ```
#
# **Predict.** Which gradient belongs to the 4 now? And what does the whole gradient of `x` look like?

# %%
# prediction 7.B1
%predict

# %%
travel(ops.transpose, x, by_nudging=True)

# %% [markdown]
# **Explain.** The 4 gets 20. The whole gradient is Ben's answer of section A: it was right, to another question.
#
# Now three axes. Ada's temperatures of 2 days, in 3 rooms, at 4 hours have shape (2, 3, 4). `axes` says where each axis of the result comes from. With `axes=(1, 2, 0)`:
#
# | axis of the result | comes from |
# |---|---|
# | 0 | axis 1, rooms |
# | 1 | axis 2, hours |
# | 2 | axis 0, days |
#
# What was at `[day, room, hour]` is now at `[room, hour, day]`.
#
# **Predict.** What shape does the result have? Ben wants the old order back and transposes once more with the same axes: a swap is undone by the same swap, he thinks. What shape does he get?

# %%
# prediction 7.B2
%predict

# %%
temperatures = np.arange(24).reshape(2, 3, 4)
transposed = temperatures.transpose(1, 2, 0)
print("once: ", transposed.shape)
print("twice:", transposed.transpose(1, 2, 0).shape)
print("three times:", transposed.transpose(1, 2, 0).transpose(1, 2, 0).shape)

# %% [markdown]
# **Explain.** Rooms, hours, days. Then hours, days, rooms. Only the third time brings the old order back. Two axes *swap*, and the same swap undoes it. Three axes can *rotate*, and then the same axes do not undo it.
#
# Which axes do? Here is a place to try. Find the way back for (1, 2, 0), then for (2, 0, 1). A wrong idea may work for both, so go on with four axes, (2, 3, 1, 0), until you see how one follows from the other.

# %%
there = (1, 2, 0)
back = (1, 2, 0)  # try others

array = np.arange(120).reshape(2, 3, 4, 5) if len(there) == 4 else temperatures
print("restored:", np.array_equal(array.transpose(there).transpose(back), array))

# %% [markdown]
# ### Exercise 7.2
#
# In `ops/shape.py`. Callers may write axes in different ways: -1 means the last one, and with `None` the *last two* axes change places. The method `order`, below the rule, brings them all into one form.

# %%
%check 7.2

# %% [markdown]
# **A good place to stop.** On a fresh kernel, run the imports and the cell that defines `x`.

# %% [markdown]
# ## C. Adding up
#
# Now several numbers become one. The **sum** over axis 0 adds up each column; afterwards axis 0 is gone. An operation that makes one number out of many along an axis is called a **reduction**.
#
# ```text
# x:  1  2  3      sums:  5  7  9      upstream gradient:  10  20  30
#     4  5  6
# ```
#
# **Predict.** What is the gradient of `x`? Begin with the 4: if it grows by 1, by how much does the 5 grow?

# %%
# prediction 7.C1
%predict

# %%
travel(lambda t: ops.summation(t, 0), x, by_nudging=True)

# %% [markdown]
# **Explain.** The derivative of a sum with respect to each of its numbers is 1, so the rule of a sum *repeats* the upstream gradient. Broadcasting does just that: NumPy uses the row for both rows.
#
# Ben takes that literally: `np.broadcast_to(out_grad, x.shape)`. He tries three sums: shape (2, 3) over axis 0, shape (2, 3) over axis 1, and shape (3, 3) over axis 1.
#
# **Predict.** For each of the three: right, an error, or wrong numbers?

# %%
# prediction 7.C2
%predict

# %%
def broken_sum_rule(out_grad, shape):
    return np.broadcast_to(out_grad, shape)


rng = np.random.default_rng(0)
for shape, axis in (((2, 3), 0), ((2, 3), 1), ((3, 3), 1)):
    out_grad = rng.normal(size=np.zeros(shape).sum(axis).shape)    # the shape of the sum
    wanted = np.stack([out_grad] * shape[axis], axis)    # a copy for each number that went into the sum
    try:
        right = np.array_equal(broken_sum_rule(out_grad, shape), wanted)
        print(shape, "over axis", axis, " ", "right" if right else "wrong numbers")
    except ValueError:
        print(shape, "over axis", axis, " ", "an error")

# %% [markdown]
# **Explain.** NumPy lines shapes up at their right ends. If axis 0 is missing, it puts it in by itself. When axis 1 is missing, (2,) does not fit (2, 3): an error, and you would notice. In the square (3,) fits, but as a *row*, although it holds one number for each row and so should be a column. Nobody is warned.
#
# Next to the rule there is a function that makes a shape, `shape_with_ones`. Its docstring says what it returns. Fill in this table:
#
# | shape of x | axes | `shape_with_ones` |
# |---|---|---|
# | (2, 3, 4) | (0, -1) | (1, 3, 1) |
# | (2, 3, 4) | None | ____ |
# | (3, 3) | (-1,) | ____ |
# | (2, 3) | () | ____ |
#
# <details><summary>Answers</summary>
#
# (1, 1, 1), (3, 1). The last one is a trap: `()` names no axis, so nothing is summed, and the shape stays (2, 3). `None` and `()` are not the same. Nor are `None` and axis 0, although `not x` is True for all three.
#
# </details>
#
# What is such a shape good for in the rule of a sum?

# %% [markdown]
# ### Exercise 7.3
#
# Two places in `ops/shape.py`: the rule of `Summation`, and `shape_with_ones`, further down. `self.axes` is `None` or a tuple. With `keepdims=True` the result keeps the summed axes, with size 1, and your rule has to be right there, too.

# %%
%check 7.3

# %% [markdown]
# Here is what the rule of this reduction has built: a reshape, then a broadcast. The gradient has a computation graph of its own.

# %% tags=["nbval-ignore-output"]
days, out_grad = Tensor(rng.normal(size=(2, 3, 4))), Tensor(rng.normal(size=(2, 4)))
out_grad.label = "out_grad"
total = ops.summation(days, 1)
draw_graph(total._op.backward(out_grad, total))

# %% [markdown]
# **A good place to stop.** Next come the mean, and shapes that broadcast. On a fresh kernel, run the imports.

# %% [markdown]
# ## D. The mean
#
# The mean is a reduction, too. That of 2, 4, 5 and 9 is 5.
#
# **Predict.** The 9 becomes a 10: what is the mean now? And if the upstream gradient is 8, what are the four gradients?

# %%
# prediction 7.D1
%predict

# %%
travel(lambda t: ops.summation(t) * 0.25, [2, 4, 5, 9], out_grad=8, by_nudging=True)

# %% [markdown]
# **Explain.** Each of four numbers counts a quarter. *How many* is the only difficulty. An `x` of shape (2, 3, 4), averaged over axes (0, 2), has 24 numbers and 3 means. Into each mean go ____ numbers.
#
# <details><summary>Answer</summary>
#
# 8.
#
# </details>
#
# ### Exercise 7.4
#
# In `ops/shape.py`. `Mean` is a subclass of `Summation`, so `self.axes` and `self.keepdims` are there, and `super().forward(a)` is the forward of its parent class. The forward calls `count`, and your rule may, too.

# %%
%check 7.4

# %% [markdown]
# ## E. Methods
#
# `sum`, `mean`, `transpose`, `broadcast_to` and `reshape` are methods of Tensors, too. `x.reshape(2, 3)` and `x.reshape((2, 3))` mean the same, and `x.T` is written without brackets.
#
# Which axes change places? That differs from library to library:
#
# | for an x of shape (2, 3, 4) | NumPy | babygrad | PyTorch |
# |---|---|---|---|
# | all axes reversed: (4, 3, 2) | `np.transpose(x)`, `x.T` | `x.T` | `x.permute(2, 1, 0)` |
# | the last two swapped: (2, 4, 3) | `x.swapaxes(-1, -2)` | `ops.transpose(x)`, `x.transpose()` | `x.mT`, `x.transpose(-1, -2)` |
# | any order: (3, 4, 2) | `x.transpose(1, 2, 0)` | `x.transpose((1, 2, 0))` | `x.permute(1, 2, 0)` |
#
# Beware: PyTorch's `transpose` takes *two* axes and swaps them. Our `transpose` is PyTorch's `permute`.

# %% [markdown]
# ## F. Rules for shapes that broadcast
#
# Below are the forwards and rules of `Add` and `Mul`, taken out of their classes. Your own `check_rule` judges them, first on two tables of the same shape, then on a table and a row.
#
# **Predict.** What will it say the second time?

# %%
# prediction 7.F1
%predict

# %% tags=["nbval-ignore-output"]
class AddAlone(Function):
    forward, backward = ops.Add.forward, ops.Add.backward


class MulAlone(Function):
    forward, backward = ops.Mul.forward, ops.Mul.backward


def judged(operation, *inputs):
    try:
        return "right" if check_rule(operation, inputs) else "?"
    except GradcheckError as error:
        return f"wrong: {error}"


rng = np.random.default_rng(7)
table, row = Tensor(rng.normal(size=(2, 3))), Tensor([1.0, 2.0, 3.0])
for alone in (AddAlone(), MulAlone()):
    print(f"{alone.name()} of (2, 3) and (2, 3):", judged(alone, table, Tensor(rng.normal(size=(2, 3)))))
    print(f"{alone.name()} of (2, 3) and (3,):  ", judged(alone, table, row))

# %% [markdown]
# **Explain.** The forward is right: NumPy broadcast the row, and nobody had to ask for it. But the rule gives the row six gradients, and the row has three numbers. Which three are wanted?
#
# ```text
# row:  1  2  3      broadcast:  1  2  3      upstream gradient:  10  20  30
#                                1  2  3                           4   5   6
# ```
#
# There are three candidates:
#
# - Ada: 14, 25, 36, the sum over the copies.
# - Ben: 10, 20, 30. "They are copies, so one of them will do."
# - Cleo: 7, 12.5, 18, the mean. "There are two of them, but only one number."
#
# **Predict.** Who is right?

# %%
# prediction 7.F2
%predict

# %%
travel(lambda t: ops.broadcast_to(t, (2, 3)), [1, 2, 3], out_grad=[[10, 20, 30], [4, 5, 6]], by_nudging=True)

# %% [markdown]
# **Explain.** Ada. A number that is used twice gets two shares, and shares accumulate, as in notebook 03.
#
# Along which axes of the large shape do copies lie? Fill in the last three:
#
# | small | large | copies along the axes |
# |---|---|---|
# | (3, 1) | (2, 3, 4) | (0, 2) |
# | (1, 3, 1) | (2, 3, 4) | ____ |
# | (3,) | (3, 3) | ____ |
# | () | (2, 3) | ____ |
#
# <details><summary>Answers</summary>
#
# (0, 2), (0,) and (0, 1). In the third row it is axis 0: NumPy puts new axes in front, even where the sizes would fit otherwise.
#
# </details>

# %% [markdown]
# Now a product in which *both* sides are stretched: a column times a row is a table. The rule of 06 says that `a` gets `out_grad * b`, six numbers:
#
# ```text
# a:  1      b:  10  20  30      upstream gradient:  1   0  2      times b:  10    0  60
#     2                                              0  -1  1                 0  -20  30
# ```
#
# **Predict.** What is the gradient of the 1? And of the 2? Ben sums the upstream gradient first, and multiplies afterwards. What shape does his gradient have?

# %%
# prediction 7.F3
%predict

# %%
a, b = np.array([[1.0], [2.0]]), np.array([[10.0, 20.0, 30.0]])
out_grad = np.array([[1.0, 0.0, 2.0], [0.0, -1.0, 1.0]])
print("Ben's shape:", (out_grad.sum(axis=1, keepdims=True) * b).shape, "instead of", a.shape)
travel(lambda t: ops.mul(t, b), a, out_grad, by_nudging=True)

# %% [markdown]
# **Explain.** The 1 was used three times, and each cell has a local derivative of its own: 10, 20, 30. After Ben has summed, nobody can tell which part of the 3 in row 0 belonged to the 10 and which to the 30. *Multiply first, add up last.*
#
# No rule of 06 needs to know any of this. They are all subclasses of `Elementwise`, and this class looks at each share that a rule gives: where it is larger than the input, it calls `unbroadcast(share, a.shape)`. `broadcast_to`, the operation that only broadcasts, has the same call as its rule.
#
# One function is missing.

# %% [markdown]
# ### Exercise 7.6
#
# In `ops/shape.py`. `unbroadcast` takes `grad` in the large shape and returns it in the small one; `stretched_axes`, below it, answers the question of the table. The result must have exactly the small shape: its sizes of 1 are there, and no axis too many.
#
# The check asks about these two functions, then about *your rules of 06*. If one of those fails and `unbroadcast` does not, the mistake is in `ops/arithmetic.py`, and has been there since 06.
#
# Before the check, ask your own `check_rule`, with all that `Elementwise` does around the rules:

# %% tags=["nbval-ignore-output"]
for operation in (ops.add, ops.mul):
    print(f"{operation.__name__} of (2, 3) and (3,):", judged(operation, table, row))

# %%
%check 7.6

# %%
pairs = [((2, 3), (3,)), ((3, 1), (1, 4)), ((), (2, 3)), ((2, 1, 4), (3, 1)), ((1, 3), (2, 1, 3))]
for a_shape, b_shape in pairs:
    a, b = (Tensor(rng.uniform(1, 2, size=shape)) for shape in (a_shape, b_shape))
    operations = (ops.add, ops.sub, ops.mul, ops.div)
    print(a_shape, "and", b_shape, " ", all(check_rule(operation, [a, b]) for operation in operations))

# %% [markdown]
# **Predict.** A column of two numbers is broadcast to (2, 2, 3). How many gradients come back to each of the two?

# %%
# prediction 7.F4
%predict

# %%
travel(lambda t: ops.broadcast_to(t, (2, 2, 3)), [[1], [2]])

# %% [markdown]
# It is the film of the sum, played backwards. *The rule of a broadcast is a sum.*

# %% [markdown]
# **A good place to stop.** Next come a reason why sum and broadcast belong together, and a hunt, both stretch. On a fresh kernel, run the imports.

# %% [markdown]
# ### Why sum and broadcast belong together (stretch)
#
# It is no accident that the rule of a sum repeats and the rule of a broadcast sums. Multiply two arrays number by number and add everything up: that is their **inner product**. Take the sum that turns (2, 3) into (3,), and the broadcast from (3,) to (2, 3). There are two ways to combine an `x` of six numbers with a `y` of three:
#
# ```text
# x:  1   2   3        y:  10   1   -1
#     4   5   6
# ```
#
# - sum `x` first, then take the inner product with `y`,
# - broadcast `y` first, then take the inner product with `x`.
#
# **Predict.** What is the first? And is the second larger, smaller, or the same?

# %%
# prediction 7.F6
%predict

# %%
def sum_op(x):
    return ops.summation(x, 0).data


def broadcast_op(y):
    return ops.broadcast_to(y, (2, 3)).data


x, y = np.array([[1, 2, 3], [4, 5, 6]]), np.array([10, 1, -1])
print("y * sum_op(x):      ", y * sum_op(x), " together", np.sum(y * sum_op(x)))
print("broadcast_op(y) * x:", (broadcast_op(y) * x).ravel(), " together", np.sum(broadcast_op(y) * x))

# %% [markdown]
# **Explain.** 50 + 7 - 9 is 48. The second has six terms instead of three, 10 + 2 - 3 + 40 + 5 - 6, and it is 48 too. It *must* be: it is the first with the brackets multiplied out, 10 · (1 + 4) = 10 · 1 + 10 · 4.
#
# Two operations with this property, for all x and y, are each other's transpose, or **adjoint**: the Jacobian of one is that of the other, with rows and columns exchanged.

# %% [markdown]
# This gives a test without nudging: one random `x`, one random `out_grad`, two numbers that must agree. Try it on the row 1, 2, 3 from above. `out_grad` times the result is 172 in all. Ada's gradient times the row is 14 + 50 + 108, also 172. Ben's is 140, Cleo's 86.

# %%
rng = np.random.default_rng(8)


def inner_products(operation, *shape):
    x = Tensor(rng.normal(size=shape))
    out = operation(x)
    out_grad = Tensor(rng.normal(size=out.shape))
    grad_x = out._op.backward(out_grad, out)
    there, back = np.sum(out_grad.data * out.data), np.sum(grad_x.data * x.data)
    return f"{there:9.4f} {back:9.4f}   {'the same' if np.isclose(there, back) else 'not the same'}"


print("reshape     ", inner_products(lambda x: ops.reshape(x, (4, 6)), 2, 3, 4))
print("transpose   ", inner_products(lambda x: ops.transpose(x, (1, 2, 0)), 2, 3, 4))
print("summation   ", inner_products(lambda x: ops.summation(x, (2, 0)), 2, 3, 4))
print("broadcast_to", inner_products(lambda x: ops.broadcast_to(x, (2, 3, 4)), 3, 1))

# %% [markdown]
# The rule of each of the four is one of the four, so a gradient can be differentiated again. (But a broadcast does not *undo* a sum: from 5, 7, 9 nobody can recover the 1 and the 4.)

# %% [markdown]
# ## Bug hunt (stretch)
#
# Three people send you their rule for a sum. Each puts the summed axes back and then repeats the numbers, as it should be. They say:
#
# - A: "I put the axes back one after the other, in the order in which I got them. `np.expand_dims` does that."
# - B: "I go through the axes 0, 1, 2 ... and look for each of them in the list."
# - C: "I don't need the list. I look at which sizes are still there."

# %%
from grader.broken_engines.sum_rules import WRONG, outcome


def compare(shape, axes):
    print(f"{shape} over {axes}:".ljust(24), *(f"{name}: {outcome(name, shape, axes):10}" for name in WRONG))


compare((2, 3, 4), (0, 1))
compare((2, 3, 4), (0, 2))
compare((3, 3), (1,))
compare((4,), (0,))

# %% [markdown]
# ### Exercise 7.7
#
# On these four sums all three are right, even on the square. In `babygrad/hunts.py`, return *one* sum, a shape and its axes, for which A, B and C all fail. How many numbers it leaves is given. An error counts as a failure. Try ideas here first:

# %%
compare((5, 4, 3), (1,))

# %%
%check 7.7

# %% tags=["nbval-ignore-output"]
compare(*hunts.three_sums(3))

# %% [markdown]
# <details><summary>What to learn from it</summary>
#
# A needs its axes sorted, B needs them positive, C needs all sizes different. A test that breaks only one of these catches only one of the three. So a check of shape operations asks about sizes that are all different, and about squares; about axes that are negative, several at once, and out of order.
#
# </details>

# %% [markdown]
# ## Reflection
#
# Write an answer to one of these questions before you unfold ours. Answer the other aloud, as in an interview.
#
# **A bias of shape (10,) is added to outputs of shape (32, 10). What is its gradient?**

# %%
%%note 7.R1

# %% [markdown]
# <details><summary>Our answer</summary>
#
# The upstream gradient has shape (32, 10). The bias was broadcast over 32 rows, so its gradient is the sum over axis 0: (10,). The sum, not the mean: if the loss is a mean over the batch, the upstream gradient contains the 1/32 already.
#
# </details>
#
# **How do you undo a transpose with axes (2, 0, 3, 1)?**

# %%
%%note 7.R2

# %% [markdown]
# <details><summary>Our answer</summary>
#
# For each axis of the input, ask where it is now: 0 at place 1, 1 at place 3, 2 at place 0, 3 at place 2. So (1, 3, 0, 2).
#
# </details>

# %%
%predictions 07

# %% [markdown]
# ## In other books
#
# What the words of this notebook are called elsewhere, and in PyTorch and JAX: [the glossary](../docs/glossary.md#07-shape-operations).

# %% [markdown]
# ## The rule to keep
#
# **What was moved goes back, what was added up is repeated, what was repeated is added up.**

# %% [markdown]
# ## Where you are
#
# `add`, `sub`, `mul` and `div` are right for all shapes that broadcast now, and you have the tools to move, add up and repeat. Notebook 08 builds the rule of `a @ b` from just these.
