# %% [markdown]
# # 07 · Shape operations
#
# The operations of notebook 06 change numbers. Those of this one move them to other places, repeat them, or add them up. There is hardly a slope to find: but for the mean, each of them is 1 or 0. There is one question, again and again: *where did each number go?*
#
# Whoever can answer it has the rule. And it always turns out to be another operation of this notebook.
#
# At the end you settle a debt. Your rules of 06 are right for equal shapes only. One short function, and they are right for all. What is marked *(stretch)* is not in the 80 minutes: leave it out on a first reading.

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
# - follow a number through reshape, transpose, sum and broadcast, and its gradient back,
# - undo any order of axes, negative ones included,
# - give a stretched input a gradient of its own shape,
# - say why sum and broadcast belong together (and test it with two numbers: stretch),
# - choose sizes and axes for which a wrong rule cannot be right by luck.

# %% [markdown]
# ## Recall
#
# From notebook 06, without looking:
#
# 1. `out = a * b`, number by number, and `out_grad` arrives. What does the rule give to `a`, and what to `b`?
# 2. Why does `check_rule` send a random gradient from above, and no array of ones?
# 3. A rule gives its input of shape (2, 3) a gradient of shape (3, 2). What does `check_rule` compare first?
#
# <details><summary>Answers</summary>
#
# - **1**: `out_grad * b` to `a`, and `out_grad * a` to `b`.
# - **2**: With ones a rule that forgets `out_grad`, or mixes up its numbers, is right by luck.
# - **3**: The shape. A gradient has the shape of its input, so this one is wrong before any number is looked at.
#
# </details>

# %% [markdown]
# ## A. The same numbers in other rows
#
# Six numbers in two rows. **Reshape** reads them row by row, and writes them row by row into another shape. Everything that comes after it is dealt with, and a gradient arrives. It has one number for each cell of the *result*.
#
# This cell draws it. Cells with the same small letter, and the same colour, belong together.

# %% jupyter={"source_hidden": true}
COLOURS = ["#E69F00", "#56B4E9", "#009E73", "#F0E442", "#D55E00", "#CC79A7"]


def draw_cells(ax, title, numbers, groups):
    """A table with a letter for each cell: groups holds their numbers.  nan is a question mark."""
    rows, groups = np.atleast_2d(numbers), np.atleast_2d(groups)
    for (i, j), number in np.ndenumerate(rows):
        ax.add_patch(plt.Rectangle((j, i), 1, 1, facecolor=COLOURS[groups[i, j]], edgecolor="black", linewidth=1))
        text = "?" if np.isnan(number) else f"{number:g}"
        ax.text(j + 0.5, i + 0.58, text, ha="center", va="center", fontsize=13, color="black")
        ax.text(j + 0.08, i + 0.08, "abcdef"[groups[i, j]], ha="left", va="top", fontsize=9, color="black")
    ax.set(xlim=(-0.1, 3.1), ylim=(len(rows) + 0.1, -0.1), aspect="equal", anchor="N")
    ax.set_title(f"{title}\nshape {np.shape(numbers)}", fontsize=10)
    ax.axis("off")


def show_tables(*tables):
    """Tables side by side, each a title, its numbers, and the groups of its cells."""
    height = max(len(np.atleast_2d(numbers)) for _, numbers, _ in tables)
    fig, axes = plt.subplots(1, len(tables), figsize=(min(2.4 * len(tables), 9.6), 0.8 + 0.7 * height))
    for ax, table in zip(axes, tables):
        draw_cells(ax, *table)
    fig.tight_layout()
    plt.show()


def show_cells(name, x, result, arrives, groups_of_x, groups_of_result, grad_x=None):
    """x, the result, what arrives at it, and the gradient of x: with question marks, or as a rule gives it."""
    show_tables(
        ("x", x, groups_of_x),
        (f"{name} →", result, groups_of_result),
        ("gradient that arrives", arrives, groups_of_result),
        ("→ gradient of x", np.full(np.shape(x), np.nan) if grad_x is None else grad_x, groups_of_x),
    )


def asked(out, arrives):
    """What the rule of the operation that made out gives to its input."""
    return out._op.backward(Tensor(arrives), out).data

# %%
x = np.array([[1, 2, 3], [4, 5, 6]])
letters = np.arange(6).reshape(2, 3)
arrives_3x2 = np.array([[10, 20], [30, 40], [50, 60]])
show_cells("reshape", x, x.reshape(3, 2), arrives_3x2, letters, letters.reshape(3, 2))

# %% [markdown]
# <details><summary>The picture in words</summary>
#
# Four small tables. In `x` the six cells a to f hold 1 to 6, in two rows of three. In the result they stand in three rows of two, still in the order a to f. What arrives there is 10, 20, then 30, 40, then 50, 60. The fourth table, the gradient of `x`, has question marks.
#
# </details>
#
# **Predict.** What belongs to the 4? And what stands in the fourth table? Write down two rows of three numbers. Then look what two others have:
#
# ```text
# Ada:  10  20  30        Ben:  10  30  50
#       40  50  60              20  40  60
# ```
#
# **Explain.** The 4 is cell d. In the result d stands in row 1, column 1. There 40 arrives, so 40 belongs to the 4. Ada has it so.
#
# Ben thought: (2, 3) has become (3, 2), so rows and columns have changed places, and `.T` undoes that. In his answer the 4 gets 20. The *shape* is right. No check of shapes will ever find this.

# %%
# bet 7.A1
%bet

# %% [markdown]
# ### Exercise 7.1
#
# Open `babygrad/ops/shape.py`. The forwards of this file are given; the rules are yours. All operations also stand at the end of the file as functions, such as `transpose(a, axes)`: use these in rules. (As methods, `sum` and `transpose` work already; `x.mean` comes in 7.4, `x.reshape` and `x.T` in 7.5.)
#
# The check asks for a size of -1, for a square, for arrays that NumPy keeps in an unusual way (numbers apart in memory, turned with `.T`, read-only, or none at all), whether float32 stays float32, and whether the gradient can be differentiated again. As in all that follows, a rule only answers: inputs, result, `out_grad` and every `.grad` must be as before.

# %%
%check 7.1

# %%
out = ops.reshape(Tensor(x), (3, 2))
show_cells("reshape", x, out.data, arrives_3x2, letters, letters.reshape(3, 2), asked(out, arrives_3x2))

# %% [markdown]
# There is no formula in this rule, only a way home. No number overtook another, so the gradients stood in the right order already. *The rule of a reshape is a reshape.*

# %% [markdown]
# ## B. Axes change places
#
# **Transpose** puts the axes in another order. Two axes first: rows become columns. The shapes are those of section A, the cells are not.

# %%
show_cells("transpose", x, x.T, arrives_3x2, letters, letters.T)

# %% [markdown]
# **Predict.** What belongs to the 4 now? And to the others?
#
# <details><summary>Answer</summary>
#
# Cell d stands at the top right of the result, and there 20 arrives. The first row is 10, 30, 50 and the second 20, 40, 60. So Ben's answer was right, to another question.
#
# </details>
#
# With more axes it gets interesting. Ada writes down temperatures: 2 days, 3 rooms, 4 hours. Her array has shape (2, 3, 4). For a plot by rooms she wants another order. `axes` says where each axis of the result comes from. With `axes=(1, 2, 0)`:
#
# | axis of the result | comes from |
# |---|---|
# | 0 | axis 1, rooms |
# | 1 | axis 2, hours |
# | 2 | axis 0, days |
#
# What stood at `[day, room, hour]` now stands at `[room, hour, day]`.
#
# **Predict.** What shape does the result have? Ben wants it back as it was, and turns it once more with the same axes: after all, a swap is undone by the same swap. What shape does he have then?

# %%
# bet 7.B1
%bet

# %%
# bet 7.B2
%bet

# %%
temperatures = np.arange(24).reshape(2, 3, 4)
turned = temperatures.transpose(1, 2, 0)
print("once: ", turned.shape)
print("twice:", turned.transpose(1, 2, 0).shape)
print("three times:", turned.transpose(1, 2, 0).transpose(1, 2, 0).shape)

# %% [markdown]
# **Explain.** Rooms, hours, days. Then hours, days, rooms. Only the third turn brings it home. Two axes *swap*, and the same swap undoes it. Three axes *rotate*: the same axes do not undo it.
#
# Which axes do? Here is a place to try. Find the way back for (1, 2, 0), then for (2, 0, 1). With three axes these two are the only orders that do not undo themselves, and many an idea fits both by luck. So go on with four axes, (2, 3, 1, 0), until you see how one follows from the other.

# %%
there = (1, 2, 0)
back = (1, 2, 0)  # try others

array = np.arange(120).reshape(2, 3, 4, 5) if len(there) == 4 else temperatures
print("home again:", np.array_equal(array.transpose(there).transpose(back), array))

# %% [markdown]
# ### Exercise 7.2
#
# In `ops/shape.py`. A caller may write axes as he likes: -1 for the last one, or nothing at all, `None`, and then the *last two* axes change places. (That is what products of matrices will want in 08.) `order`, below the rule, writes them all in one way.
#
# The check asks for two, three and four axes (with and without `axes`), for three axes that rotate, negative ones and a list; and for a cube, where no shape can be wrong.

# %%
%check 7.2

# %%
out = ops.transpose(Tensor(x))
show_cells("transpose", x, out.data, arrives_3x2, letters, letters.T, asked(out, arrives_3x2))

# %% [markdown]
# Cleo has found a trick. `np.argsort` says in which order the places of a list must be taken, so that their contents are sorted: first the place that holds 0, then the one that holds 1, and so on. These places are the way back!
#
# **Predict.** What does her trick give for (1, 2, 0), and what for (-1, 0, 1)? Which of them is a way back?

# %%
# bet 7.B3
%bet

# %%
for order in ((1, 2, 0), (-1, 0, 1)):
    back = np.argsort(order)
    home = temperatures.transpose(order).transpose(back)
    print(order, " way back", back, " home again:", home.shape == temperatures.shape)

# %% [markdown]
# **Explain.** In a sorted list -1 comes *first*. But it means the *last* axis. (-1, 0, 1) seems to be in order already, so the trick turns nothing. Written as (2, 0, 1) it is the same order, and the trick works. So: no negative axes first, then the way back.

# %% [markdown]
# ## C. Adding up
#
# Now numbers meet. The **sum** over axis 0 adds up each column; axis 0 is gone afterwards. Here a letter stands for a *sum*: the cells of `x` that go into it have its letter.

# %%
columns = np.array([0, 1, 2])
two_rows = np.stack([columns, columns])
arrives_3 = np.array([10, 20, 30])
show_cells("sum over axis 0", x, x.sum(0), arrives_3, two_rows, columns)

# %% [markdown]
# <details><summary>The picture in words</summary>
#
# Each column of `x` has one letter, a, b or c. The sums 5, 7 and 9 stand in one row, and 10, 20 and 30 arrive there. The fourth table, in the shape of `x`, has question marks.
#
# </details>
#
# **Predict.** What is the gradient of `x`? Begin with the 4: if it grows by 1, by how much does the 5 grow? Then ask your nudges of notebook 01:

# %%
# bet 7.C1
%bet

# %%
print(numerical_gradient(lambda x: np.sum(arrives_3 * x.sum(0)), x.astype(float)).round(6))

# %% [markdown]
# **Explain.** 1 and 4 went into the same sum. Each counts fully there, so each has slope 1 and gets the 10. The rule of a sum *repeats* what arrives. That is what broadcasting does: NumPy lays the row over both rows.
#
# Ben takes this as it stands: `np.broadcast_to(out_grad, x.shape)`. He tries three sums.
#
# **Predict.** For each of the three: right, an error, or wrong numbers?
#
# | shape of x | summed over | Ben's rule |
# |---|---|---|
# | (2, 3) | axis 0 | ____ |
# | (2, 3) | axis 1 | ____ |
# | (3, 3) | axis 1 | ____ |

# %%
# bet 7.C2
%bet

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
# **Explain.** NumPy lines shapes up at their right ends. A missing axis 0 it can put in by itself. When axis 1 is missing, (2,) does not fit (2, 3): an error, and you would find it. In the square (3,) fits, as a *row*, though it holds one number for each row, and so should be a column. Nobody is told.
#
# A function beside the rule, `shape_with_ones`, makes a shape. Its docstring says what it returns. Fill in what it says here:
#
# | shape of x | axes | `shape_with_ones` |
# |---|---|---|
# | (2, 3, 4) | (1,) | (2, 1, 4) |
# | (2, 3, 4) | (0, -1) | (1, 3, 1) |
# | (2, 3, 4) | (2, 0) | ____ |
# | (2, 3, 4) | None | ____ |
# | (3, 3) | (-1,) | ____ |
# | (2, 3) | () | ____ |
#
# <details><summary>Answers</summary>
#
# (1, 3, 1), (1, 1, 1), (3, 1). The last is a trap: `()` names no axis, so nothing is summed, and the shape stays (2, 3). `None` and `()` are not the same. Neither are `None` and axis 0, though Python takes all three for False.
#
# </details>
#
# What is such a shape good for, on the way back of a sum?

# %% [markdown]
# ### Exercise 7.3
#
# Two places in `ops/shape.py`: the rule of `Summation`, and `shape_with_ones`, further down. Whatever axes the caller gave, an int, a tuple or a list: `self.axes` is `None` or a tuple. With `keepdims=True` the sum keeps its axes, of size 1, and your rule has to be right there too.
#
# The check asks for all these kinds of axes, for squares, sizes of 1, a single number, empty arrays, for `shape_with_ones` itself, and whether the gradient can be differentiated again.

# %%
%check 7.3

# %%
out = ops.summation(Tensor(x), 0)
show_cells("sum over axis 0", x, out.data, arrives_3, two_rows, columns, asked(out, arrives_3))

# %% [markdown]
# And here is what the rule has built on the way: a reshape, then a broadcast. The gradient is a result like any other, with a past.

# %% tags=["nbval-ignore-output"]
days, from_above = Tensor(rng.normal(size=(2, 3, 4))), Tensor(rng.normal(size=(2, 4)))
from_above.label = "out_grad"
total = ops.summation(days, 1)
draw_graph(total._op.backward(from_above, total))

# %% [markdown]
# ## D. The mean
#
# 2, 3 and 7 have the mean 4. **Predict.** The 7 becomes an 8: what is the mean now? And if 6 arrives at the mean, what are the three gradients? Nudge them:

# %%
# bet 7.D1
%bet

# %%
numbers = np.array([2.0, 3.0, 8.0])
print(f"mean {numbers.mean():.4f}, gradients {numerical_gradient(lambda x: 6 * x.mean(), numbers).round(6)}")

# %% [markdown]
# **Explain.** The mean grew by a third: of three numbers each counts a third. So with 6 from above each gets 2.
#
# *How many* is the whole difficulty. An `x` of shape (2, 3, 4), averaged over axes (0, 2), has 24 numbers and 3 means. Into each mean go ____ numbers.
#
# <details><summary>Answer</summary>
#
# 8.
#
# </details>
#
# ### Exercise 7.4
#
# In `ops/shape.py`. `Mean` is built on `Summation`, so `self.axes` and `self.keepdims` are there, and `super()` means *as in the class it is built on*. `count` is asked by the forward, and by your rule if you like. The check asks for one axis, several, all and none, and whether float32 stays float32.

# %%
%check 7.4

# %% [markdown]
# ## E. Methods
#
# The table in `operators.py` gives Tensors the methods `sum`, `mean`, `transpose` and `broadcast_to` as they are. Two want a few words more. `x.reshape(2, 3)` and `x.reshape((2, 3))` shall mean the same. And `x.T` takes no brackets.
#
# Who turns what? It is not the same everywhere:
#
# | for an x of shape (2, 3, 4) | NumPy | babygrad | PyTorch |
# |---|---|---|---|
# | all axes reversed: (4, 3, 2) | `np.transpose(x)`, `x.T` | `x.T` | `x.permute(2, 1, 0)` |
# | the last two swapped: (2, 4, 3) | `x.swapaxes(-1, -2)` | `ops.transpose(x)`, `x.transpose()` | `x.mT`, `x.transpose(-1, -2)` |
# | any order: (3, 4, 2) | `x.transpose(1, 2, 0)` | `x.transpose((1, 2, 0))` | `x.permute(1, 2, 0)` |
#
# Mind the trap: PyTorch's `transpose` takes *two* axes and swaps them. Ours is PyTorch's `permute`.
#
# ### Exercise 7.5
#
# In `babygrad/operators.py` fill in `reshaped` and `all_axes_reversed`. A star in `*sizes` collects all arguments in a tuple. The operations of `ops/shape.py` are called `shape.reshape` and `shape.transpose` there.

# %%
%check 7.5

# %% [markdown]
# ## F. The debt of notebook 06
#
# Time to settle it. Below are the forwards and rules of `Add` and `Mul`, yours of notebook 06, with nothing around them. Your own `check_rule` judges them, first on two tables of the same shape, then on a table and a row.
#
# **Predict.** What will it say the second time?

# %%
# bet 7.F1
%bet

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


table, row = Tensor(rng.normal(size=(2, 3))), Tensor([1.0, 2.0, 3.0])
for alone in (AddAlone(), MulAlone()):
    print(f"{alone.name()} of (2, 3) and (2, 3):", judged(alone, table, Tensor(rng.normal(size=(2, 3)))))
    print(f"{alone.name()} of (2, 3) and (3,):  ", judged(alone, table, row))

# %% [markdown]
# **Explain.** The forward is right: NumPy laid the row over both rows, without asking anybody. But the rule hands the row six gradients, and the row has three numbers. Which three are wanted?

# %%
arrives_2x3 = np.array([[10, 20, 30], [4, 5, 6]])
show_cells("laid over (2, 3)", row.data, np.broadcast_to(row.data, (2, 3)), arrives_2x3, columns, two_rows)

# %% [markdown]
# **Predict.** What is the gradient of the row 1, 2, 3? Three candidates:
#
# - Ada: 14, 25, 36, all that arrives at the copies.
# - Ben: 10, 20, 30. "They are copies, so one of them will do."
# - Cleo: 7, 12.5, 18, the mean. "There are two of them, but only one number."

# %%
# bet 7.F2
%bet

# %%
print(numerical_gradient(lambda row: np.sum(arrives_2x3 * np.broadcast_to(row, (2, 3))), row.data.copy()).round(6))

# %% [markdown]
# **Explain.** Ada. If the 1 grows, both its copies grow, and each has an effect of its own. A number that is used twice gets two shares, and shares add up: it is `+=` from notebook 03 once more.
#
# Along which axes of the large shape do copies lie? Fill in the last three:
#
# | small | large | copies along the axes |
# |---|---|---|
# | (3,) | (2, 3) | (0,) |
# | (3, 1) | (2, 3, 4) | (0, 2) |
# | (1, 3, 1) | (2, 3, 4) | ____ |
# | (3,) | (3, 3) | ____ |
# | () | (2, 3) | ____ |
#
# <details><summary>Answers</summary>
#
# (0, 2), (0,) and (0, 1). In the fourth it is axis 0: NumPy puts new axes in front, even if the sizes would fit otherwise.
#
# </details>

# %% [markdown]
# Now a product in which *both* sides are stretched: a column times a row is a table. The rule of 06 says that `a` gets `out_grad * b`. Here are these six numbers, with the letters of the cells of `a` that they belong to.

# %%
a, b = np.array([[1.0], [2.0]]), np.array([[10.0, 20.0, 30.0]])
arrives = np.array([[1.0, 0.0, 2.0], [0.0, -1.0, 1.0]])
used_in = np.array([[0, 0, 0], [1, 1, 1]])
show_tables(
    ("a", a, used_in[:, :1]),
    ("a * b →", a * b, used_in),
    ("gradient that arrives", arrives, used_in),
    ("times b", arrives * b, used_in),
    ("→ gradient of a", np.full(a.shape, np.nan), used_in[:, :1]),
)

# %% [markdown]
# <details><summary>The picture in words</summary>
#
# Five tables. The column `a` holds 1 (cell a) and 2 (cell b). The product with the row 10, 20, 30 has the rows 10, 20, 30 (all a) and 20, 40, 60 (all b). What arrives: 1, 0, 2 and 0, -1, 1. Times b that is 10, 0, 60 and 0, -20, 30. The gradient of `a`, a column of two, has question marks.
#
# </details>
#
# **Predict.** What is the gradient of the 1? And that of the 2? Ben adds up what arrives first, and multiplies afterwards. What shape does his gradient have?

# %%
# bet 7.F3
%bet

# %%
print("gradient of a:", (arrives * b).sum(axis=1), "as a column")
print("Ben's shape:  ", (arrives.sum(axis=1, keepdims=True) * b).shape, "instead of", a.shape)

# %% [markdown]
# **Explain.** The 1 was used three times, in the cells with 10, 20 and 30. From these it has the shares 10, 0 and 60, together 70. The 2 has 0 - 20 + 30 = 10. After Ben's adding up nobody knows any more which part of the 3 in row 0 belonged to the 10 and which to the 30. Each cell has a slope of its own: *multiply first, add up last.*
#
# No rule of 06 has to know any of this. They are all built on `Elementwise`, and this class looks at each share that a rule gives: where it is larger than the input, it calls `unbroadcast(share, a.shape)`, once for all rules. `out._op.shares(out_grad, out)` gives the shares after that. The rule of `broadcast_to`, which is stretching as an operation of its own, is the same call.
#
# One function is missing.

# %% [markdown]
# ### Exercise 7.6
#
# In `ops/shape.py`. `unbroadcast` gets `grad` in the large shape and gives it back in the small one; `stretched_axes`, below it, answers the question of the table. The sizes of 1 of the small shape have to be there in the end, and no others.
#
# The check asks `stretched_axes`, then `unbroadcast` for new axes, sizes of 1 in every place, both at once, squares and a single number. Then it asks *your rules of 06*: `add`, `sub`, `mul` and `div` on stretched shapes, and `pow` if you have written its rule in 06. If one of these fails and `unbroadcast` does not, the mistake has been sitting in `ops/arithmetic.py` since then.
#
# Before the check, let your own judge speak. It is the pair from above, with all that `Elementwise` does around the rules:

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

# %%
out = ops.broadcast_to(row, (2, 3))
show_cells("laid over (2, 3)", row.data, out.data, arrives_2x3, columns, two_rows, asked(out, arrives_2x3))

# %% [markdown]
# The picture is that of the sum, read from right to left. *The rule of a broadcast is a sum.*
#
# *(stretch)* Have you written the rule of `Pow` in 06? Then add `ops.pow` to the operations, and run the cell with the pairs again.
#
# Back to Cleo's exam of notebook 05: 50 pupils, 4 tasks, and one bonus for all. The results have shape (50, 4), the bonus has shape ().
#
# **Predict.** She adds up all results in the end, so 1 arrives at each of them. What is the gradient of the bonus?

# %%
# bet 7.F4
%bet

# %%
marks, bonus = Tensor(np.ones((50, 4))), Tensor(3.0)
results = ops.add(marks, bonus)
_, grad_bonus = results._op.shares(Tensor(np.ones((50, 4))), results)
print(grad_bonus.data, "of shape", grad_bonus.shape)

# %% [markdown]
# **Explain.** One number, used 200 times. In a network the bonus is called a bias: one for each neuron, stretched over all the samples of a batch. Without this sum its gradient would have 200 numbers, and the step would not fit the bias.

# %% [markdown]
# ### Why sum and broadcast belong together (stretch)
#
# That a sum's rule repeats and a broadcast's rule sums is no accident. Take a sum that turns (2, 3) into (3,), and the broadcast from (3,) to (2, 3). Multiply two arrays number by number and add everything up: that is their **inner product**. There are two ways to combine an `x` of six numbers with a `y` of three:
#
# ```text
# x:  1   2   3        y:  10   1   -1
#     4   5   6
# ```
#
# - sum `x` first, then multiply by `y` and add up,
# - broadcast `y` first, then multiply by `x` and add up.
#
# **Predict.** Work out the first: ____. And the second, larger or smaller?

# %%
# bet 7.F5
%bet

# %%
def sum_op(x):
    return ops.summation(x, 0).data


def broadcast_op(y):
    return ops.broadcast_to(y, (2, 3)).data


x, y = np.array([[1, 2, 3], [4, 5, 6]]), np.array([10, 1, -1])
print("y * sum_op(x):      ", y * sum_op(x), " together", np.sum(y * sum_op(x)))
print("broadcast_op(y) * x:", (broadcast_op(y) * x).ravel(), " together", np.sum(broadcast_op(y) * x))

# %% [markdown]
# **Explain.** 50 + 7 - 9 is 48. The second line has six terms instead of three, 10 + 2 - 3 + 40 + 5 - 6, and it is 48 too. It *must* be: it is the first line with the brackets multiplied out, 10 · (1 + 4) = 10 · 1 + 10 · 4.
#
# Two operations with this property, for all x and y, are each other's **transpose**. In notebook 05 you saw an operation's slopes as a matrix. That of the sum has 3 rows and 6 columns, that of the broadcast 6 rows and 3 columns, and one is the other with rows and columns exchanged.
#
# Read the matrix of the sum by rows: row 0 says which of the six numbers go into sum 0. Read it by columns: column 0 says into which sums number 0 has gone, and from there its gradient comes. So the rule reads the columns where the operation read the rows. It is the same matrix, turned; for the sum, the broadcast. Sum and broadcast are each other's rule.

# %% [markdown]
# It makes a test without nudging: one random `x`, one random `out_grad`, two numbers that must agree. Try it on the row 1, 2, 3 from above. `out_grad` times the result is 172 in all. Ada's gradient times the row is 14 + 50 + 108, also 172. Ben's is 140, Cleo's 86.
#
# **Predict.** For which of these will the two numbers agree: `reshape`, `transpose`, `summation`, `broadcast_to`? And which operation is the rule of each of the first two?

# %%
# bet 7.F6
%bet

# %%
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
# **Explain.** For all four. For the first two the rule is the way back: a reshape to the old shape, a transpose with the axes undone. They only move numbers, so it makes no difference whether you multiply before or after the move.
#
# The four are a box of tools in which the rule of each tool is a tool from the box. (Mind that a broadcast does not *undo* a sum: from 5, 7, 9 nobody finds the 1 and the 4 again.) That is why a rule can be made of operations, and be differentiated again.

# %% [markdown]
# ## Bug hunt
#
# Three people send you their rule for a sum. Each puts the summed axes back and then repeats, as it should be. What they say about it:
#
# - A: "I put the axes back one after the other, in the order in which I got them. `np.expand_dims` does that."
# - B: "I go through the axes 0, 1, 2 ... and look for each of them in the list."
# - C: "I do not need the list. I look which sizes are still there."

# %%
from grader.suspects.sum_rules import WRONG, outcome


def compare(shape, axes):
    print(f"{shape} over {axes}:".ljust(24), *(f"{name}: {outcome(name, shape, axes):10}" for name in WRONG))


compare((2, 3, 4), (0, 1))
compare((2, 3, 4), (0, 2))
compare((3, 3), (1,))
compare((4,), (0,))

# %% [markdown]
# ### Exercise 7.7
#
# Four sums, and all three are right in all of them, a square included. In `babygrad/hunts.py` return *one* sum, a shape and its axes, for which A, B and C all fail. An error counts as a failure. Try ideas here first:

# %%
compare((5, 4, 3), (1,))

# %%
%check 7.7

# %% tags=["nbval-ignore-output"]
compare(*hunts.three_sums())

# %% [markdown]
# <details><summary>What to learn from it</summary>
#
# A needs its axes sorted, B needs them positive, C needs all sizes different. Each of the three kinds of test is missed by two of them. So a check of shape operations asks for sizes that are all different, and for a square over axis 0; for axes that are negative, in a tuple, and out of order. Yours did.
#
# </details>

# %% [markdown]
# ## Reflection
#
# Answer each question aloud, as in an interview, then unfold it. One is enough; the others are *(stretch)*.
#
# <details><summary><b>A bias of shape (10,) is added to outputs of shape (32, 10). What is its gradient?</b></summary>
#
# What arrives has shape (32, 10). The bias was laid over 32 rows, so it is summed over axis 0: (10,). The sum, not the mean: if the loss is a mean over the batch, the 1/32 has come from above already.
#
# </details>
#
# <details><summary><b>How do you undo a transpose with axes (2, 0, 3, 1)?</b></summary>
#
# For each axis of the input ask where it stands: 0 at place 1, 1 at place 3, 2 at place 0, 3 at place 2. So (1, 3, 0, 2). np.argsort of the axes gives it, if none is negative.
#
# </details>
#
# <details><summary><b>Why are sum and broadcast each other's rule?</b></summary>
#
# One adds up the cells that the other filled with copies. For all x and y the inner products agree: y · sum(x) is broadcast(y) · x. So the matrix of slopes of one is that of the other, turned.
#
# </details>

# %% [markdown]
# <details><summary><b>Does <code>broadcast_to</code> copy its numbers?</b></summary>
#
# No. NumPy reads the same numbers again, and makes the result read-only, so that nobody writes into all the copies by changing one. The gradient of a sum over a million numbers takes up one number.
#
# </details>
#
# <details><summary><b>Why must a reshape never be used in place of a transpose?</b></summary>
#
# The shapes agree, the cells do not. A reshape keeps the order in which the numbers are read, a transpose changes it. Only numbers can show the difference, no shape can.
#
# </details>
#
# <details><summary><b>How would you test the rule of a shape operation without nudging?</b></summary>
#
# With a random x and a random out_grad: the inner product of out_grad and the result must be that of the rule's answer and x. It works where each result is a sum of inputs, each times a fixed number: for shape operations and means, not for a product, a power or exp.
#
# </details>

# %% [markdown]
# ## The rule to keep
#
# **What was moved goes back, what was added up is repeated, what was repeated is added up.**

# %% [markdown]
# ## Where you are
#
# `add`, `sub`, `mul` and `div` are right on every shape now, and you have the tools to move, add up and repeat. Notebook 08 builds the rule of `a @ b` from just these: a transpose, and for batches `unbroadcast`.
