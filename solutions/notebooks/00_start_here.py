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
# A net is a **model**: a function with numbers in it that can still be changed. These numbers, 33 of them here, are its **parameters**. At first they are random. Ten small steps later the net has found a straight line, and then the line bends, until it winds between the moons.
#
# Nobody told the net where the boundary runs. In each step it asked of each parameter: *should you be a little larger, or a little smaller?* Taking such steps again and again is called **training**.

# %%
import matplotlib.pyplot as plt
import numpy as np

from babygrad import Value, area, sides
from babygrad.hunts import three_measures
from toolbox import draw_graph, make_moons, plot_decision_boundary

# %% [markdown]
# Here is what that machine, the *engine*, does with a very short computation. Ada sells 3 cups of lemonade for 2 euros each, and somebody leaves a tip of 1. She has 7 euros in the end.

# %% jupyter={"source_hidden": true}
price, cups, tip = Value(2.0, label="price"), Value(3.0, label="cups"), Value(1.0, label="tip")
# put together by hand: what * does, you write in notebook 02
earned = Value(6.0, (price, cups), "*", (3.0, 2.0), label="earned")
total = earned + tip
total.label = "total"
draw_graph(total)

# %% [markdown]
# A box is a number, a circle is an operation. Each arrow into a circle says how much the result changes for each unit
# that the number at its tail changes. From the price that is 3: one euro more for each of the 3 cups. From the cups it is 2.
#
# Each result remembers the numbers it was made from, and how much it changes with each of them. The engine walks along the arrows,
# from the result back to the start, and finds out for *every* number how much it matters. That is the whole idea. It is called **automatic differentiation**. In this picture nobody has walked back yet, so it says `no gradient yet`.

# %% [markdown]
# ## Goals
#
# Afterwards you can
#
# - run a check, read its message line by line, and act on it,
# - get a hint, move on without solving an exercise, or reset it,
# - say how wrong a guess is, with a number that notices every small change,
# - find an input that gives a wrong function away.

# %% [markdown]
# ## How to read a notebook
#
# Headings say how many minutes a part takes, one failed try included, and with circles (●○○○) how hard an exercise is. **Core** parts carry the story. **Evening** parts, in notebooks 02 to 04, are the shortest way; they are core too. **Stretch** parts go further, and nothing in the core needs them.
#
# After a break the kernel may be a new one that knows nothing: run the cells above again (menu Run, *Run All Above Selected Cell*).
#
# Your predictions are kept in `answers/00.md` and shown above the next output. They are never graded.

# %% [markdown]
# ## Recall
#
# These three are about what you bring with you. Answer first, then unfold.
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
# </details>

# %% [markdown]
# ## B. A mistake on purpose
#
# **The notebook on the left, the file on the right.** You read here and write there: change the file, **save** it (Ctrl + S, on a Mac Cmd + S), run the next cell. It uses what you have just saved, and says so: *Loaded your changes in warmup.py.*
#
# `make lab` has opened `warmup.py` on the right, at the line where you write. (If it is not there, click on its name in the heading of Exercise 0.1, and drag its tab to the right.)

# %% [markdown]
# There you find a **stub**, a function whose body is missing. The text between the triple quotes is the task. Your answer takes the place of the line with `raise`. Leave the comments above and below it where they are: by them the course finds your answer.

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
# Save the file and run the next cell.

# %%
%check 0.1

# %% [markdown]
# With `width + height` in the file you read the lines below. (Above it says *passed*? Then this is the solved copy of the notebook.)
#
# ```
# 0.1 area: failed, 1 of 4 questions right · babygrad/warmup.py
# Called area(3, 5).
# It returned 8, but 15 was expected.
# This is the sum of the two sides. A floor of 3 by 5 metres has 3 rows of 5 tiles: count the tiles.
# Hint: %hint 0.1
# ```
#
# Every message is built like that: how it went, what was asked, what came back and what should have come, the idea that is probably behind it, and where to go from here. Each question that was right earns its share of the points.
#
# Does it say *not started*, or what it said before you changed the line? Then the file is not saved, or the line with `raise` is still there.

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
# There are three hints for each exercise: the idea, the direction, and nearly the code. Each run of this cell shows the next one:

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
# The menu File, New, Terminal opens a terminal. There `make check TRACK=core` chooses your track (`evening`, `core` or `everything`) and says which exercise is next.
#
# An answer that was filled in for you counts as *given* and earns no points. Before `fill` and `reset` change a file, they keep a copy of it in `.babygrad/backups/`; then let the editor read the new one (menu File, *Reload … from Disk*). `docs/stuck.md` goes by symptoms.

# %% [markdown]
# A cell that needs an exercise you have not done yet stops with one line. Nothing is broken then:
#
# ```
# Exercise 0.2 (sides) is not filled in yet: babygrad/warmup.py, line 28.  %hint 0.2 helps; make fill EX=0.2 goes on without it.
# ```
#
# A cell whose `[*]` does not go away is in a loop that never ends: menu Kernel, *Interrupt Kernel*.

# %% [markdown]
# ## C. Draw a boundary yourself
#
# Before the net draws the boundary, you do. For now it is a straight line: a model with two parameters, its **start**, how high it is at x = 0, and its **slope**, how much
# it climbs for each 1 to the right. Points above the line get the answer 0, all others a 1.
#
# ### Exercise 0.2
#
# In `babygrad/warmup.py`, fill in `sides`. It is given points and a line, and returns a list with the answer for each point. A loop can take the pairs apart:

# %%
for x, y in [(2, 9), (2, 1)]:
    print("x is", x, "and y is", y)

# %%
%check 0.2

# %% [markdown]
# Now draw. Your function colours each place of the plane with its answer. The net got 86 right with a straight line. Change the two numbers in the first line, run the cell again, and beat it.

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
# You tried, looked, and tried again. (90 is the most that anybody found: no straight line separates the moons.) A net has no eyes. It can only nudge a parameter and ask whether the result gets better.
#
# **Predict.** A line of slope 0.5 gets 86 points right. We lift it by 0.001, then by 0.01. What becomes of the 86?

# %%
# prediction 0.C2
%predict

# %%
for start in (0, 0.001, 0.01):
    print(f"start {start:<6} {how_many_right(0.5, start)} right")

# %% [markdown]
# **Explain.** Nothing happens. Only when the line passes over a point does the number jump by 1. It cannot tell the net which way is better. A net needs a measure that responds to every nudge: not whether a guess is wrong, but *how* wrong. Such a measure is called a **loss**.

# %% [markdown]
# **A good place to stop.** On a fresh kernel, run the imports.

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
# A nudge of 0.01 shows. The first guess was too high; nudged, it is higher still, and the loss grew: so this is the wrong way.

# %% [markdown]
# ## Bug hunt (stretch)
#
# Three friends, A, B and C, have each written the mean squared error, each with one mistake. You cannot see their code. You give it predictions and truths, and compare what it says with the right number.

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
# All three get the first lists right. Who gets each of the others wrong, and what do you think A, B and C do? Test your idea on lists of your own:

# %% tags=["nbval-ignore-output"]
try_out([4, 4], [3, 3])

# %% [markdown]
# ### Exercise 0.3
#
# In `hunts.py` (click on its name above), fill in `three_measures`. You are given two numbers that came true; return two predictions about which all three are wrong. Each one that you catch is a point.

# %%
%check 0.3

# %% tags=["nbval-ignore-output"]
try_out(three_measures([3, 3]), [3, 3])

# %% [markdown]
# ## Reflection
#
# Write an answer to one of these questions before you unfold ours, and say the other aloud. (`%%note` keeps your answer as `%predict` keeps a prediction.)

# %%
%%note 0.R1

# %% [markdown]
# <details><summary><b>Why does a net not learn from the number of right answers?</b></summary>
#
# It stays the same when a parameter is nudged, except where an answer changes. A loss changes with every nudge, so it says which way is better.
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
# What this course says in plain words has names elsewhere; those of each notebook stand in [the glossary](../docs/glossary.md#00-start-here).

# %% [markdown]
# ## The rule to keep
#
# **A wrong function can be right by chance: ask it where it cannot be. And ask not whether a guess is wrong, but how wrong.**

# %% [markdown]
# ## Where you are
#
# This asks about every exercise of the course:

# %% tags=["nbval-ignore-output"]
%progress

# %% [markdown]
# Next: `01_slopes_by_nudging.ipynb`. Ada makes her garden bed a little larger.
