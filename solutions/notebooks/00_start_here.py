# %% [markdown]
# # 00 · Start here
#
# A small neural network, a *net* for short, learns to tell two crescents of points apart, the *moons*. In this course you build such a net, and the machine that teaches it, line by line. First you watch one.
#
# A notebook is made of cells. Click on the next one, where three dots show that its code is folded away, and press Shift + Enter: that runs it and goes on to the one below.

# %% jupyter={"source_hidden": true}
%load_ext grader

# %% [markdown]
# ## A. What you will build
#
# Here are a hundred points in two moons: orange circles, label 0, and blue triangles, label 1. A cross marks a point that the net gets wrong. The net draws a boundary between them.
#
# **Predict.** What shape will the boundary have at first, and what shape in the end? Write your guess behind `%predict`, run that cell and the one below it, and press *Play*.
# (A wrong guess is worth more than no guess: it is what you will remember.)

# %%
# prediction 0.A1
%predict

# %% jupyter={"source_hidden": true}
from toolbox.films.moons import moons_learned

moons_learned()

# %% [markdown]
# A net is a **model**: a function with numbers in it that can still be changed. These numbers, 33 of them here, are its **parameters**. At first they are random, and the net calls every point a circle. Ten small steps later it has found a straight line. Then the line bends, until it winds between the moons.
#
# Nobody told the net where the boundary runs. In each step it asked of each parameter: *should you be a little larger, or a little smaller?* Taking such steps again and again is called **training**.
# In notebook 04 you make such a film of a net of your own, trained by an engine of your own.

# %%
import matplotlib.pyplot as plt
import numpy as np

from babygrad import Value, area, sides
from babygrad.hunts import three_measures
from toolbox import draw_graph, make_moons, plot_decision_boundary

# %% [markdown]
# A net is a long computation. Here is a short one, and what the engine does with it.
#
# Ada sells 3 cups of lemonade for 2 euros each, and somebody leaves a tip of 1. She has 7 euros in the end.
#
# **Predict.** How much more would she have if a cup cost 1 euro more? And with 1 cup more, at the old price?

# %%
# prediction 0.A2
%predict

# %% jupyter={"source_hidden": true}
price, cups, tip = Value(2.0, label="price"), Value(3.0, label="cups"), Value(1.0, label="tip")
earned = Value(6.0, (price, cups), "*", (3.0, 2.0), label="earned")
total = earned + tip
total.label = "total"
draw_graph(total)

# %% [markdown]
# **Explain.** A box is a number, a circle is an operation. Each arrow into a circle says how much the result changes for each unit
# that the number at its tail changes. On the arrow from the price that is 3: one euro more for each of the 3 cups. On the arrow from the cups it is 2.
#
# That is the whole idea. Each result remembers the numbers it was made from, and how much it changes with each of them. The engine walks along the arrows,
# from the result back to the start, and finds out for *every* number how much it matters. This is called **automatic differentiation**.
#
# Nothing has been computed backwards in this picture yet, so it says `no gradient yet`. In notebook 02 you write the numbers that remember, in 03 the walk.

# %% [markdown]
# ## Goals
#
# Today you set up your workplace, make your first mistake on purpose, and measure how wrong a guess is. Afterwards you can
#
# - run a check, read its message line by line, and act on it,
# - get a hint, move on without solving an exercise, or reset it,
# - say how wrong a guess is, with a number that notices every small change,
# - find an input that gives a wrong function away.

# %% [markdown]
# ## How to read a notebook
#
# Headings say how many minutes a part takes, one failed try included. **Core** parts carry the story. **Evening** parts, in notebooks 02 to 04, are the shortest way; they are core too. **Stretch** parts go further, and nothing in the core needs them. A long notebook is cut into sittings of at most an hour, each ending at a good place to stop. When you come back, the kernel may be a new one that knows nothing: run the cells above again (menu Run, *Run All Above Selected Cell*), or only those that the stop names. An exercise has one to four dots, from ●○○○ for a single step to ●●●● for a long puzzle.

# %% [markdown]
# Your predictions are kept in `answers/00.md` and shown above the next output. They are never graded.
#
# Three tracks lead through the course: one evening, the core, everything. In a terminal `make check TRACK=core` chooses one (`evening`, `core` or `everything`) and says which exercise is next.

# %% [markdown]
# ## Recall
#
# There is no earlier notebook, so these three are about what you bring with you. Answer first, then unfold.
#
# 1. `def twice(x): print(2 * x)`, and then `y = twice(3)`. What is `y`?
# 2. `x = np.array([[1, 2, 3], [4, 5, 6]])`. What are `x.shape` and `x[0]`?
# 3. A straight line goes through the points (0, 1) and (2, 7). What is its slope?
#
# <details><summary>Answers</summary>
#
# - **1**: `None`. `print` shows 6 on the screen, but nothing is handed back: that is what `return` does.
# - **2**: `(2, 3)`, because there are 2 rows of 3 numbers, and `[1, 2, 3]`, the first row.
# - **3**: 3. It climbs by 6 over a distance of 2.
#
# Two out of three? Go on. Whatever else you need of Python and NumPy is explained where it comes up.
#
# </details>

# %% [markdown]
# ## B. A mistake on purpose
#
# **The notebook on the left, the file on the right.** Your answers go into files, not into the notebook. `make lab` has opened `warmup.py` on the
# right, at the line where you write. (If it is not there, click on its name in the heading of Exercise 0.1. Drag its tab to the right,
# until the right half is highlighted, and let go.)
#
# From now on you read here and write there: change the file, **save** it (Ctrl + S, on a Mac Cmd + S), run the next cell. It uses what you have
# just saved, and says so in one line: *Loaded your changes in warmup.py.*

# %% [markdown]
# In the file you find this **stub**, a function whose body is missing:
#
# ```python
# def area(width, height):
#     """The area of a rectangle.
#
#     width, height: numbers.  Returns a number.
#     """
#     # exercise 0.1
#     raise NotImplementedError("exercise 0.1: area")
#     # end of exercise 0.1
# ```
#
# The text between the triple quotes is the task. Your answer takes the place of the line with `raise`. Leave the two comments where they are: the
# commands of the course find your answer by them.

# %% [markdown]
# ### Exercise 0.1
#
# The width times the height: nothing could be easier. So get it wrong, to see what happens. Delete the line with `raise` and write in its place, with
# the same indentation:
#
# ```python
#     return width + height
# ```
#
# Save the file and run the next cell. The check asks your function about four rectangles.

# %%
%check 0.1

# %% [markdown]
# With `width + height` in the file you read the lines below. (Above it says *passed*? Then this is the solved copy of the notebook, which is made with right answers.)
#
# ```
# 0.1 area: failed, 1 of 4 questions right · babygrad/warmup.py
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
# | 1 | how it went, how many questions were right (each earns its share of the points), and a link to the exercise in its file |
# | 2 | what was asked, so that you can ask it yourself |
# | 3 | what came back, and what should have come |
# | 4 | the idea that is probably behind it |
# | 5 | where to go from here |
#
# Does it say *not started*, or does a check repeat what it said before you changed the line? Then the file is not saved (a check reads it from
# the disk, not from your screen), or the line with `raise` is still there.

# %% [markdown]
# **Predict.** The code is wrong, and still one of the four answers was right. Which rectangle could that have been?

# %%
# prediction 0.B1
%predict

# %%
for width, height in [(2, 2), (3, 5), (0, 7)]:
    print(f"{width} by {height}:   added {width + height:2}   multiplied {width * height:2}")

# %% [markdown]
# **Explain.** 2 by 2, because 2 + 2 and 2 · 2 are both 4. If that rectangle is your only test, you never find the mistake. So a check asks several
# questions, and so should you.

# %% [markdown]
# There are three hints for each exercise. The first gives the idea, the second the direction, the third nearly the code. Each run of this cell shows the next one:

# %% tags=["nbval-ignore-output"]
%hint 0.1

# %% [markdown]
# Now put it right: change the `+` into a `*`, save, and check again.

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
# The menu File, New, Terminal opens a terminal. An answer that was filled in for you counts as *given*: it earns no points, but you can go on.
# Nothing you saved gets lost: before `fill` and `reset` change a file, they keep a copy of it in `.babygrad/backups/`. (Then let the editor read the
# new file: menu File, *Reload … from Disk*.)
#
# `docs/stuck.md` is a list of symptoms ("my change has no effect") with what to look at first. `docs/using.md` has the commands for a machine without `make`.

# %% [markdown]
# One more thing. The menu Run has *Run All Cells*. A cell that needs an exercise you have not done yet stops there, with one plain line:
#
# ```
# Exercise 0.2 (sides) is not filled in yet: babygrad/warmup.py, line 28.  %hint 0.2 helps; make fill EX=0.2 goes on without it.
# ```
#
# Nothing is broken then. Fill it in, save, and run from there.
#
# And a cell whose `[*]` does not go away is in a loop that never ends: menu Kernel, *Interrupt Kernel*.

# %% [markdown]
# ## C. Draw a boundary yourself
#
# Before the net draws the boundary, you do. For now the boundary is a straight line: a model with two parameters, its **start**, how high it is at x = 0, and its **slope**, how much
# it climbs for each 1 to the right. Points above the line get the answer 0, all others a 1.
#
# ### Exercise 0.2
#
# In `babygrad/warmup.py`, fill in `sides`. It is given points and a line, and returns a list with the answer for each point. A loop can take the pairs apart:

# %%
for x, y in [(2, 9), (2, 1)]:
    print("x is", x, "and y is", y)

# %% [markdown]
# The check asks about lines that climb and lines that fall, about a point on the line and points next to it, and about no points at all.

# %%
%check 0.2

# %% [markdown]
# Now draw. Your function colours the plane: each place has the colour of its answer. Change the two numbers in the first line, run the cell again, and get as many points right as you can.
#
# **Predict.** The net got 86 right with a straight line. How many will you get?

# %%
# prediction 0.C1
%predict

# %% tags=["nbval-ignore-output"]
my_slope, my_start = 0.0, 0.25

points, labels = make_moons()


def how_many_right(slope, start):
    return sum(answer == label for answer, label in zip(sides(points, slope, start), labels))


# The plane is coloured by sign, so the answers 0 and 1 become -1 and 1.
ax = plot_decision_boundary(lambda places: 2 * np.array(sides(places, my_slope, my_start)) - 1, points, labels, resolution=150)
ax.set_title(f"slope {my_slope}, start {my_start}: {how_many_right(my_slope, my_start)} of 100 right")
plt.show()

# %% [markdown]
# ### How do you know where to go?
#
# You tried, looked, and tried again. (90 is the most that anybody found, with slope 0.19 and start 0.06: no straight line separates the moons.) A net has no eyes. It can only nudge a parameter and ask whether the result gets better.
#
# **Predict.** A line of slope 0.5 gets 86 points right. We lift it by 0.001, then by 0.01. What becomes of the 86?

# %%
# prediction 0.C2
%predict

# %%
for start in (0, 0.001, 0.01):
    print(f"start {start:<6} {how_many_right(0.5, start)} right")

# %% [markdown]
# **Explain.** Nothing happens. Only when the line passes over a point does the number jump by 1. *How many are right* cannot tell the net which way is better. It needs a measure that responds to every nudge: not whether a guess is wrong, but *how* wrong. Such a measure is called a **loss**.

# %% [markdown]
# ## D. How wrong is a guess?
#
# Ada guesses how many cups she will sell on each of three days: 12, 9, 14. Then she counts them: 10, 9, 16.
#
# **Predict.** The errors are guess minus truth. What is their mean? How good does it make Ada look?

# %%
# prediction 0.D1
%predict

# %%
guessed, sold = [12, 9, 14], [10, 9, 16]

errors = [g - s for g, s in zip(guessed, sold)]
print("errors", errors, "  mean", sum(errors) / len(errors))

# %% [markdown]
# **Explain.** 0, as if each guess had been right: 2 too many and 2 too few cancelled. So square each error first. No square is negative, and a large error counts for more than several small ones. The mean of the squares is the **mean squared error**, the usual loss of nets
# that predict numbers.

# %%
def mean_squared_error(predicted, truth):
    return sum((p - t) ** 2 for p, t in zip(predicted, truth)) / len(truth)


print("mean squared error:", round(mean_squared_error(guessed, sold), 4))
print("first guess nudged:", round(mean_squared_error([12.01, 9, 14], sold), 4))

# %% [markdown]
# A nudge of 0.01 shows. The first guess was too high; nudged, it is higher still, and the loss grew: so this is the wrong way. Notebook 01 begins here.

# %% [markdown]
# ## Bug hunt (stretch)
#
# Three friends, A, B and C, have each written the mean squared error, and each has made one mistake. You cannot see their code. You give it predictions and truths, and compare what it says with the right number.

# %%
from grader.broken_engines.measures import MEASURES


def try_out(predicted, truth):
    print("predicted", predicted, "  truth", truth)
    for name, measure in MEASURES.items():
        print(f"  {name}: {measure(predicted, truth):<7.4g}", end="")
    print()


try_out([4, 4], [3, 3])
try_out([4, 2], [3, 3])
try_out([5, 5], [3, 3])
try_out([4, 3, 4], [3, 3, 3])

# %% [markdown]
# **Predict.** All three get the first lists right. Who gets each of the others wrong, and what do you think A, B and C do?

# %%
# prediction 0.3a
%predict

# %% [markdown]
# Test your idea on lists of your own:

# %% tags=["nbval-ignore-output"]
try_out([4, 4], [3, 3])

# %% [markdown]
# ### Exercise 0.3
#
# Its file is another one: a click on `hunts.py` above brings it to the front. In `three_measures`, you are given two numbers that came true. Return two predictions about which all three are wrong.
#
# The check tries numbers of its own on each of them in turn. Each one that you catch is a point.

# %%
%check 0.3

# %% tags=["nbval-ignore-output"]
try_out(three_measures([3, 3]), [3, 3])

# %% [markdown]
# ## Reflection
#
# Write an answer to one of these questions before you unfold ours. Answer the others aloud, as in an interview. (`%%note` keeps your answer as `%predict` keeps a prediction.)

# %%
%%note 0.R1

# %% [markdown]
# <details><summary><b>Why does a net not learn from the number of right answers?</b></summary>
#
# It stays the same when a parameter is nudged, except at the rare place where an answer changes. So it does not say which way is better. A loss says how wrong the answers are, and changes with every nudge.
#
# </details>
#
# <details><summary><b>What makes a good test input?</b></summary>
#
# One that a wrong function cannot get right by chance. 2 by 2 is a poor rectangle, and errors that are all 1 are poor errors. Take numbers that are all different, and then the edge: 0, nothing at all, one that is exactly right among others that are not.
#
# </details>

# %%
%predictions 00

# %% [markdown]
# ## In other books
#
# What this course says in plain words has names elsewhere. Each notebook ends with such a table; `docs/glossary.md` has all of them.
#
# | here | elsewhere | symbol | PyTorch, JAX |
# |---|---|---|---|
# | a net | model, neural network | f(x; θ) | a `torch.nn.Module`; in JAX a function of parameters and inputs |
# | the numbers in it that change | parameters | θ | `module.parameters()`; in JAX an argument of the function |
# | step after step towards better ones | training, optimisation | – | `torch.optim`; the library Optax |
# | how wrong a guess is | loss, cost function, objective | L | what `backward()` is called on; what `jax.grad` is given |
# | the mean of the squared errors | mean squared error, MSE | (1/n) Σ (p − t)² | `torch.nn.MSELoss` |
# | what the engine does | automatic differentiation, autodiff | – | `torch.autograd`; `jax.grad` |

# %% [markdown]
# ## The rule to keep
#
# **A wrong function can be right by chance: ask it where it cannot be. And ask not whether a guess is wrong, but how wrong.**

# %% [markdown]
# ## Where you are
#
# This asks about every exercise of the course. It takes a few seconds:

# %% tags=["nbval-ignore-output"]
%progress

# %% [markdown]
# You have a workplace, you have made a mistake and read what was said about it, you have drawn a boundary by hand, and you can say how wrong a guess is.
#
# Next: `01_slopes_by_nudging.ipynb`. Ada makes her garden bed a little larger.
