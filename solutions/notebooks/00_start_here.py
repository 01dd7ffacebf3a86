# %% [markdown]
# # 00 · Start here
#
# **25 minutes** · files: `warmup.py` and `hunts.py`
#
# In this course you write, line by line, the machine behind every neural network: the one that finds out how to change each of
# its numbers so that it makes fewer mistakes.
#
# Today you set up your workplace, make your first mistake on purpose, and meet the rule about arrays that most often goes wrong
# without telling anybody.
#
# A notebook is made of cells. Click into the next one and press Shift + Enter: that runs it and goes on to the one below.

# %%
%load_ext grader

# %%
import matplotlib.pyplot as plt
import numpy as np

from babygrad import Value, area, broadcast_shape, draw_graph, make_moons
from babygrad.hunts import three_broadcasters

# %% [markdown]
# ## Goals
#
# Afterwards you can
#
# - run a check, read its message line by line, and act on it,
# - get a hint, go on without an answer, or start one over,
# - say which shape `a + b` has before you run it, or that it has none,
# - find the input that gives a wrong function away.

# %% [markdown]
# ## Recall (1 minute)
#
# There is no earlier notebook, so these three are about what you bring along. Answer first, then unfold.
#
# 1. `def twice(x): print(2 * x)`, and then `y = twice(3)`. What is `y`?
# 2. `x = np.array([[1, 2, 3], [4, 5, 6]])`. What are `x.shape` and `x[0]`?
# 3. A straight line goes through the points (0, 1) and (2, 7). What is its slope?
#
# <details><summary>Answers</summary>
#
# - **1**: `None`. `print` shows 6 on the screen, but nothing is handed back: that is what `return` does.
# - **2**: `(2, 3)`, because there are 2 rows of 3 numbers, and `[1, 2, 3]`, the first row.
# - **3**: 3. It climbs by 6 on a way of 2.
#
# Two out of three? Go on. Whatever else of Python and NumPy is needed is explained when it comes.
#
# </details>

# %% [markdown]
# ## A. What you will build (2 minutes)
#
# Here are a hundred points, in two moons that reach into each other. (The code of some cells is folded away. Click on the three dots if you
# want to see it; Shift + Enter runs it in any case.)

# %% jupyter={"source_hidden": true}
points, labels = make_moons()
fig, ax = plt.subplots(figsize=(5.6, 3.6))
for label, color, marker in [(0, "#D55E00", "o"), (1, "#0072B2", "s")]:
    x, y = points[labels == label].T
    ax.scatter(x, y, s=28, color=color, marker=marker, edgecolor="white", linewidth=0.5, label=f"moon {label}")
ax.set(xlabel="first number of a point", ylabel="second number", title="Two moons")
ax.grid(alpha=0.3)
ax.legend()
plt.show()

# %% [markdown]
# The plot shows round orange points in an upper moon, square blue ones in a lower moon. No straight line separates the two.
#
# In notebook 04 a net with a few hundred numbers in it learns where the border runs. Every part of it will be code of yours:
# its neurons, its steps, and the engine that tells each number which way to go.

# %% [markdown]
# A net is a long computation. Here is a short one, and what the engine does with it.
#
# Ada sells 3 cups of lemonade for 2 euros each, and somebody leaves a tip of 1. She has 7 euros in the end.
#
# **Predict.** How much more would she have, if a cup cost 1 euro more? And with 1 cup more, at the old price? Write down both numbers,
# then run the cell. (A wrong guess is worth more than no guess: it is what you will remember.)

# %% jupyter={"source_hidden": true}
price, cups, tip = Value(2.0, label="price"), Value(3.0, label="cups"), Value(1.0, label="tip")
earned = Value(6.0, (price, cups), "*", (3.0, 2.0), label="earned")
total = earned + tip
total.label = "total"
draw_graph(total)

# %% [markdown]
# **Explain.** A box is a number, a circle is an operation. Each arrow into a circle says how much the result changes, for each unit
# that the number at its tail changes. From the price that is 3: one euro more for each of the 3 cups. From the cups it is 2.
#
# That is the whole idea. A number remembers what it was made from, and how much it depends on it. The engine walks along the arrows,
# from the result back to the start, and finds out for *every* number how much it matters.
#
# *No gradient yet* means that nobody has walked so far. In notebook 02 you write the numbers that remember, in 03 the walk.

# %% [markdown]
# ## B. A mistake on purpose (5 minutes)
#
# **The notebook on the left, the file on the right.** Your answers go into files, not into the notebook. In the list of files at the far left
# go up to the top folder (the folder symbol above the list), open `babygrad`, then `warmup.py`. Drag its tab to the right,
# until half of the window turns blue, and let go. Ctrl + B (on a Mac Cmd + B) hides the list of files: more room for both.
#
# From now on you read here and write there: change the file, **save** it (Ctrl + S, on a Mac Cmd + S), run the next cell. It uses what you have
# just saved, and says so in one line: *Loaded your changes in warmup.py.*

# %% [markdown]
# In the file you find this **stub**, a function without its inside:
#
# ```python
# def area(width, height):
#     """The area of a rectangle.
#
#     width, height: numbers.  Returns a number: the width times the height.
#     """
#     # exercise 0.1
#     raise NotImplementedError("exercise 0.1: area")
#     # end of exercise 0.1
# ```
#
# The text between the triple quotes is the task. Your answer takes the place of the line with `raise`. Leave the two comments where they are: the
# commands of the course find your answer by them.

# %% [markdown]
# ### Exercise 0.1 `area` (2 minutes, ●○○○)
#
# The width times the height: nothing could be easier. So get it wrong, to see what happens. Delete the line with `raise` and write in its place, with
# the same space in front:
#
# ```python
#     return width + height
# ```
#
# Save the file and run the next cell. The check asks your function about four rectangles.

# %%
%check 0.1

# %% [markdown]
# With `width + height` in the file, this is what the check says:
#
# ```
# 0.1 area: failed, 1 of 4 questions right
# Called area(3, 5).
# It returned 8, but 15 was expected.
# This is the sum of the two sides. A floor of 3 by 5 metres has 3 rows of 5 tiles: count the tiles.
# Hint: %hint 0.1
# ```
#
# Every message is built like that:
#
# | line | says |
# |---|---|
# | 1 | how it went, and how many questions were right; each earns its share of the points |
# | 2 | what was asked, so that you can ask it yourself |
# | 3 | what came back, and what should have come |
# | 4 | the thought that is probably behind it |
# | 5 | the way on |
#
# Does it say *not started*? Then the file is not saved, or the line with `raise` is still there. And when a check repeats what it said before,
# although you changed the line: is the file saved? A check reads it from the disk, not from your screen.

# %% [markdown]
# **Predict.** The code is wrong, and still one of the four answers was right. Which rectangle can that have been?
#
# <details><summary>Answer</summary>
#
# 2 by 2, because 2 + 2 and 2 · 2 are both 4. Whoever tests with that rectangle alone will never find the mistake. So a check asks several
# questions, and so should you.
#
# </details>

# %% [markdown]
# There are three hints for each exercise. The first gives the idea, the second the direction, the third nearly the code. Each run of this cell shows one more:

# %% tags=["nbval-ignore-output"]
%hint 0.1

# %% [markdown]
# Now put it right: make a `*` of the `+`, save, and ask again.

# %%
%check 0.1

# %%
print(f"6 by 7: {area(6, 7):g}")

# %% [markdown]
# That was the whole loop: write, save, check, read. Everything else is for when you are stuck:
#
# | you want | in the notebook | in a terminal |
# |---|---|---|
# | to know whether it is right | `%check 0.1` | `make check EX=0.1` |
# | the next hint | `%hint 0.1` | `make hint EX=0.1` |
# | to see where you are | `%progress` | `make check` |
# | the answer, to go on without it | | `make fill EX=0.1` |
# | the empty stub again | | `make reset EX=0.1` |
#
# The menu File, New, Terminal opens a terminal. An answer that was filled in for you counts as *given*: no points, and no obstacle either.
# Nothing you saved gets lost: before `fill` and `reset` change a file, they keep a copy of it in `.babygrad/backups/`. (Then let the editor read the
# new file: menu File, *Reload … from Disk*.)
#
# `docs/stuck.md` is a list of symptoms ("my change has no effect") with what to look at first. `README.md` has the commands for a machine without `make`.

# %% [markdown]
# One more thing. The menu Run has *Run All Cells*. A cell that needs an exercise you have not done yet stops there, with one plain line:
#
# ```
# Exercise 0.2 (broadcast_shape) is not filled in yet: babygrad/warmup.py, line 25.  %hint 0.2 helps; make fill EX=0.2 goes on without it.
# ```
#
# Nothing is broken then. Fill it in, save, and run from there.
#
# And a cell whose `[*]` does not go away is in a loop that never ends: menu Kernel, *Interrupt Kernel*.

# %% [markdown]
# ## C. Shapes that stretch (11 minutes)
#
# Ada sells three drinks. Below is what she sold on two days, a row for each day, and the price of each drink.

# %%
sold = np.array([[10, 0, 4], [7, 5, 2]])
price = np.array([2, 3, 1])
print("sold ", sold.shape)
print("price", price.shape)

# %% [markdown]
# The **shape** of an array lists its sizes, one for each **axis**. `sold` has two axes, 2 days and 3 drinks; `price` has one. The comma in `(3,)` makes it
# a tuple with one thing in it; `(3)` is only a 3.
#
# **Predict.** Six numbers times three numbers: what is `sold * price`? An error? If not, which shape, and which numbers?

# %%
print(sold * price)

# %% [markdown]
# **Explain.** NumPy laid the row of prices over both days. Each price was used twice. That is called **broadcasting**: the smaller array is stretched until it fits.
#
# **Predict.** On the second day Ada sold everything at half price. Ben writes down a factor for each day, 1 and 0.5, and multiplies. What does he get?

# %%
factor = np.array([1, 0.5])
try:
    print(sold * factor)
except ValueError as error:
    print("ValueError:", error)

# %% [markdown]
# (What stands under `except` is done when the line under `try` raises that exception. Without it the notebook would stop here.)
#
# **Explain.** Two days, two factors, and yet they do not fit. Shapes are lined up at their *right* ends, and nobody told NumPy that Ben's 2 means days:
#
# ```
# sold    2  3        sold    2  3
# price      3        factor     2
#         ----                ----
#         2  3                2  ?
# ```

# %% [markdown]
# The rule, place by place from the right:
#
# | the two sizes | what becomes of them |
# |---|---|
# | are equal | the size stays |
# | one of them is 1, or missing | it gives way to the other one |
# | anything else | `ValueError` |
#
# A missing size counts as a 1 in front. And a 1 gives way because one row, or one column, can serve for all of them.
#
# Ben's factors must stand below the 2. So they become a column, of shape (2, 1): now the 1 meets the 3 and gives way.

# %%
print(sold * factor.reshape(2, 1))

# %% [markdown]
# **Predict.** The first one is begun for you. Finish it on paper, then do the other two: a shape, or an error?
#
# ```
# 8  1  6      4  1      5  1  3
#    7  1      1  3         4  3
# -------      ----      -------
# 8  _  _
# ```
#
# And two more: (2, 3) with (3, 2), and (2, 3) with `()`, the shape without any size.

# %%
def show(a, b):
    try:
        print(a, "and", b, "give", (np.zeros(a) + np.zeros(b)).shape)
    except ValueError:
        print(a, "and", b, "do not fit")


show((8, 1, 6), (7, 1))
show((4, 1), (1, 3))
show((5, 1, 3), (4, 3))
show((2, 3), (3, 2))
show((2, 3), ())

# %% [markdown]
# **Explain.** In (4, 1) and (1, 3) *both* arrays are stretched. And the shape `()` belongs to a single number, which fits everything: that is why `2 * x` works.
#
# ### A bet
#
# Cleo has trained a net. It gives its four predictions as a column, and all four are exactly right. She squares the errors and takes their mean.
#
# **Predict.** Which number does she see?

# %%
predicted = np.array([[2.0], [3.0], [5.0], [8.0]])
truth = np.array([2.0, 3.0, 5.0, 8.0])
print("mean squared error:", np.mean((predicted - truth) ** 2))

# %% [markdown]
# It should be 0. What happened? Take the shapes of the two arrays, (4, 1) and (4,), and line them up before you run this:

# %%
print(predicted - truth)

# %% [markdown]
# **Explain.** The column was stretched to the right and the row downwards: every prediction minus every truth, sixteen differences. The four that she wanted are the zeros
# on the diagonal.
#
# No error, no warning. A net that is trained on this number learns something else, and you would look for the reason everywhere but here. So when a result is strange: *look at the shapes first.*

# %% [markdown]
# One more. An axis may have size 0: an array without any numbers in it. Nobody came today, and Ada adds a tip of 1 to each sale that she made.
#
# **Predict.** Shapes (0,) and (1,): what comes out? (0,), (1,), or an error?

# %%
sales_today = np.zeros(0)
tip = np.ones(1)
print((sales_today + tip).shape)

# %% [markdown]
# **Explain.** A 1 gives way to *any* other size, also to a smaller one. No sales, no tips.
#
# Now you write the rule. Two things of Python help. `*` and `+` build tuples (for tuples + does not add: it puts one behind the other), and `zip` walks through two of them side by side:

# %%
print((1,) * 2 + (3,))
for m, n in zip((5, 4, 3), (1, 1, 3)):
    print(m, "meets", n)

# %% [markdown]
# ### Exercise 0.2 `broadcast_shape` (6 minutes, ●●○○)
#
# In `babygrad/warmup.py`, fill in `broadcast_shape`: the shape that NumPy would give, or a `ValueError` for two shapes that do not fit. You raise one with
# `raise ValueError("...")`, and between the quotes you say what was wrong, best with both shapes. It ends the function at that line.
#
# The check asks about equal shapes, 1s on either side, shapes of different length, an axis of size 0, and shapes that do not fit.
#
# (`np.broadcast_shapes` is all of this. It would pass, and you would have learned a name.)

# %%
%check 0.2

# %% [markdown]
# Do not believe the check alone. NumPy knows the answers too:

# %%
for a, b in [((4, 1), (4,)), ((6, 1, 5), (7, 1)), ((0,), (1, 1))]:
    show(a, b)
    same = tuple(broadcast_shape(a, b)) == np.broadcast_shapes(a, b)
    print("  you say the same:", same)

# %% [markdown]
# ## Bug hunt (4 minutes)
#
# Three people have written broadcasters, A, B and C. All are broken, each in its own way, and you see them from outside only: you give two shapes and look at what they say. (*error* is a `ValueError`.)

# %%
from grader.suspects.broadcasters import BROADCASTERS, said


def try_out(a, b):
    print(a, "and", b)
    for name, broadcaster in BROADCASTERS.items():
        print(f"  {name}: {said(broadcaster, a, b)!s:<8}", end="")
    print()


try_out((2, 3), (2, 3))
try_out((2, 3), (2, 1))
try_out((2, 3), (3,))
try_out((2, 3), (4, 3))
try_out((1, 3), (2, 3))

# %% [markdown]
# **Predict.** On the first two pairs all of them are right, on each other pair one is wrong. What do you think A, B and C do? Test your idea on pairs of your own:

# %% tags=["nbval-ignore-output"]
try_out((2, 3), (2, 3))

# %% [markdown]
# ### Exercise 0.3 `three_broadcasters` (3 minutes, ●●●○)
#
# Open `babygrad/hunts.py` beside the notebook, as you did with `warmup.py`. In `three_broadcasters`, return *one* pair of shapes on which all three are
# wrong. Two axes are enough.
#
# The check hands your pair to each of them in turn. Each one that you catch is a point.

# %%
%check 0.3

# %% tags=["nbval-ignore-output"]
try_out(*three_broadcasters())

# %% [markdown]
# ## Reflection (2 minutes)
#
# 1. What makes a good test input?
#    <details><summary>Answer</summary>
#    One for which a wrong answer cannot be right by chance. 2 by 2 is a poor rectangle, a square a poor array, 1 a poor size. Take sizes and numbers that are all different, and then the edge: 0, nothing at all, one against many.
#    </details>
# 2. `x` has shape (N, 1) and `y` has shape (N,). What is the shape of `x - y`, and why do people fear it?
#    <details><summary>Answer</summary>
#    (N, N). It raises nothing, and a mean or a sum afterwards hides it: one number comes out in any case. Compare the shapes before you subtract, or bring both to one shape with reshape.
#    </details>
# 3. `x` has shape (3,), `y` has shape (4,). How do you get all 12 sums of a number of `x` and one of `y`?
#    <details><summary>Answer</summary>
#    `x.reshape(3, 1) + y`: shapes (3, 1) and (4,) give (3, 4). What was Cleo's accident is useful when it is meant.
#    </details>
# 4. Does NumPy copy the smaller array when it stretches it?
#    <details><summary>Answer</summary>
#    No. It reads the same numbers again. Remember that: a number that is used n times has n ways to matter for the result. Both in notebook 03 and with arrays later that is where most mistakes are made.
#    </details>

# %% [markdown]
# ## The rule to keep
#
# **Line the shapes up at their right ends: equal sizes stay, a 1 gives way, anything else is an error.**

# %% [markdown]
# ## Where you are
#
# This asks about every exercise of the course. It takes a few seconds:

# %% tags=["nbval-ignore-output"]
%progress

# %% [markdown]
# You have a workplace, you have made a mistake and read what was said about it, and you know the rule that goes wrong in silence.
#
# Next: `01_slopes_by_nudging.ipynb`. Ada makes her garden bed a little larger.
