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

from babygrad import Value, area, draw_graph, make_moons

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
# Exercise 0.1 (area) is not filled in yet: babygrad/warmup.py, line 10.  %hint 0.1 helps; make fill EX=0.1 goes on without it.
# ```
#
# Nothing is broken then. Fill it in, save, and run from there.
#
# And a cell whose `[*]` does not go away is in a loop that never ends: menu Kernel, *Interrupt Kernel*.

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
