# %% [markdown]
# # 01 · Slopes by nudging
#
# A net learns by asking one question of each of its parameters: *if you were a little larger, how much would the result change?* Today you answer it in three ways.

# %% jupyter={"source_hidden": true}
%load_ext grader

# %%
import math

import matplotlib.pyplot as plt
import numpy as np

from babygrad import Dual, numerical_derivative, numerical_gradient, two_step_gradients
from babygrad.hunts import three_nudgers
from toolbox.films.nudging import secants

# %% [markdown]
# ## Goals
#
# Afterwards you can
#
# - measure the derivative of any function by nudging, and say how far off you are,
# - say why a smaller nudge is sometimes a worse one,
# - find the gradient of a function of many inputs, and say how many calls it needs,
# - multiply derivatives along a path: the chain rule,
# - build a number that carries its derivative, and say why nets need yet another way.

# %% [markdown]
# ## Recall

# %%
%quiz before 01

# %% [markdown]
# <details class="recall"><summary>From notebook 00, without looking</summary>
#
# 1. A line starts 1 high and climbs by 3 for each 1 to the right. How high is it at x = 4?
# 2. Why does a net learn from a loss, and not from the *number* of right answers?
# 3. You corrected a line, and `%check` says what it said before. What do you look at first?
#
# </details>
#
# <details><summary>Answers</summary>
#
# - **1**: 13. It starts at 1 and has climbed by 3 four times.
# - **2**: The number of right answers stays the same when a parameter is nudged a little. A loss changes with every nudge.
# - **3**: Whether the file is saved.
#
# </details>

# %% [markdown]
# ## A. A slope is a nudge, measured
#
# Ada and Ben each have a square garden bed, 3 metres by 3 metres. Ada makes all sides of hers 0.1 metres longer. How much does her bed grow for each metre that a side grows?

# %%
side, h = 3.0, 0.1

before = side * side
after = (side + h) * (side + h)
print(f"area before    {before:.2f}")
print(f"area after     {after:.2f}")
print(f"growth         {after - before:.2f}")
print(f"per metre      {(after - before) / h:.2f}")

# %% jupyter={"source_hidden": true}
def draw_bed(pieces, title, edge, name):
    fig, ax = plt.subplots(figsize=(5.2, 3.6))
    for (x, y), width, height, color, hatch, text, at in pieces:
        ax.add_patch(plt.Rectangle((x, y), width, height, facecolor=color, edgecolor="#555555", hatch=hatch))
        label = ax.text(*at, text, ha="center", va="center", fontsize=11)
        label.set_bbox({"facecolor": "white", "edgecolor": "none", "pad": 1.5})
    ax.set(xlim=(-0.1, 3.8), ylim=(-0.1, 3.8), aspect="equal", xticks=sorted([0, 3, edge]), yticks=sorted([0, 3, edge]))
    ax.set(xlabel="one side (metres)", ylabel="the other side", title=title)
    ticks = ["0", *sorted(["3", name], key=float)]
    ax.set_xticklabels(ticks)
    ax.set_yticklabels(ticks)
    plt.show()


draw_bed([((0, 0), 3, 3, "#F0E9D8", "", "9.00", (1.5, 1.5)),
          ((3, 0), 0.6, 3, "#9BC8E8", "//", "0.30", (3.3, 1.5)),
          ((0, 3), 3, 0.6, "#9BC8E8", "//", "0.30", (1.5, 3.3)),
          ((3, 3), 0.6, 0.6, "#F2B880", "xx", "0.01", (3.3, 3.3))], "Ada's bed after the nudge", 3.6, "3.1")

# %% [markdown]
# The picture shows the old bed and what was added: two strips of 3 × 0.1 (striped), and a corner of 0.1 × 0.1 (crossed). They are drawn wider than they are.
#
# For a nudge of any size h, the strips are 3h each and the corner is h². The bed grows by 6h + h², and per metre by **6 + h**.
#
# The strips are what counts. 6 is the *slope* of the area at side 3: how much the result changes for each unit that the input changes. The corner is the error of the measurement.
# It shrinks with the nudge.
#
# Books call the slope the **derivative**. For an area A and a side s they write it dA/ds: the value the fraction approaches as h shrinks to 0.
#
# $$\frac{dA}{ds} = \lim_{h \to 0} \frac{A(s + h) - A(s)}{h}$$

# %% [markdown]
# Ben makes the sides of *his* bed 0.1 metres shorter, and divides the area he loses by 0.1. Then the two compare their beds: how much larger is Ada's than Ben's, for each metre that its sides are longer?
#
# **Predict.** Does Ben alone find more than 6, less than 6, or 6? And the two together?

# %%
# prediction 1.A1
%predict

# %%
for whose, side in [("Ben's bed", 2.9), ("before", 3.0), ("Ada's bed", 3.1)]:
    print(f"{whose:<10} side {side}   area {side * side:.2f}")

# %% [markdown]
# <details><summary>Compare</summary>
#
# Ben finds 5.9, and Ada had 6.1. Together they find exactly 6.
#
# </details>

# %% jupyter={"source_hidden": true}
draw_bed([((0, 0), 2.4, 2.4, "#F0E9D8", "", "8.41", (1.2, 1.2)),
          ((2.4, 0), 0.6, 3, "#9BC8E8", "//", "0.30", (2.7, 1.2)),
          ((0, 2.4), 3, 0.6, "#9BC8E8", "//", "0.30", (1.2, 2.7)),
          ((2.4, 2.4), 0.6, 0.6, "#F2B880", "xx", "0.01", (2.7, 2.7))], "Ben's bed after the nudge", 2.4, "2.9")

# %% [markdown]
# **Explain.** The two strips that Ben loses are 3 long, as Ada's are. But his overlap in the corner, and that corner can be removed only once: 0.30 + 0.30 − 0.01, which is 0.1 per metre too little. Ada gets her corner in addition: 0.1 too much. From his bed to hers the two errors cancel.
#
# For a square they cancel completely. Now a cube with sides of 2 metres. Its volume has the derivative 12 (three faces of 4 square metres each move outwards), and Ada's method is well off:

# %%
def cube(side):
    return side**3


def broken_derivative(f, x, h):
    return (f(x + h) - f(x)) / h


for h in (0.1, 0.01, 0.001):
    print(f"h = {h:<6} one side: {broken_derivative(cube, 2.0, h):.6f}")

# %% [markdown]
# ### Exercise 1.1
#
# Open `babygrad/derivatives.py` and fill in `numerical_derivative`: what Ada and Ben do together, for any `f`, `x` and `h`. The check takes large nudges, so that the answers of different formulas lie far apart.

# %%
%check 1.1

# %%
for h in (0.1, 0.01, 0.001):
    print(f"h = {h:<6} both sides: {numerical_derivative(cube, 2.0, h):.6f}")

# %% [markdown]
# With an h ten times smaller, the error of one side becomes ten times smaller, and the error of both sides a *hundred* times smaller.
#
# Derivatives measured by nudging are called **finite differences**. What Ada does alone, (f(x + h) − f(x)) / h, is a *forward difference*; what you have written is the **central difference**.
#
# ### How small a nudge?
#
# Your function finds the slope of a *secant*, the line through two points of the curve. The derivative is the slope of the *tangent line*, which only touches it. For the sine at 1 that is 0.540302305868.
#
# The film measures it with your function and ever smaller nudges, under a magnifying glass. On the right you see the error of each.
#
# **Predict.** Which nudge comes closest? And what does the curve look like, magnified ten million times, and 10¹⁶ times?

# %%
# prediction 1.A2
%predict

# %% tags=["nbval-ignore-output"]
RIGHT = 0.5403023058681398

secants(numerical_derivative, math.sin, 1.0, right=RIGHT)

# %% [markdown]
# The smallest nudge finds no slope at all. Why? A computer keeps about 16 digits of a number. Look at the two values that are subtracted when h is 0.000000000001:

# %% tags=["nbval-ignore-output"]
print(f"{math.sin(1 + 1e-12):.16f}")
print(f"{math.sin(1 - 1e-12):.16f}")
print("1 + 1e-17 == 1 is", 1 + 1e-17 == 1)

# %% [markdown]
# **Explain.** The first 11 digits are the same: they cancel, and 4 or 5 digits of the slope are left. What rounding did to them is then divided by a tiny number. And a nudge of 1e-17 is lost altogether: 1 + 1e-17 is 1, so f is called twice at the same place.
#
# So two errors pull in opposite directions:
#
# - **truncation**: the curve bends on the way, so the nudge should be small;
# - **rounding**: the digits cancel, so the nudge should not be too small.
#
# Down to about 0.00001 the secant becomes the tangent line, a hundred times closer with each step. Below 0.00000001 it jitters, and at last the curve is a staircase: between two neighbouring floats there is no other.
# Between them both errors are small. That is why `numerical_derivative` has `h=1e-6` as its default.

# %% [markdown]
# ## B. Many inputs
#
# Cleo sells lemonade. Her profit depends on three numbers: the price of a cup, the number of cups, and what a cup costs her.

# %%
def profit(x):
    price, cups, cost = x
    return cups * (price - cost)


x = np.array([2.0, 30.0, 0.5])
print("profit:", profit(x))

# %% [markdown]
# A price higher by 1 brings her 30 (she sells 30 cups). One more cup brings 1.50. A cost higher by 1 takes 30 away. The slope for one of several inputs, while the others stand still, is a **partial derivative**, and is written with a round ∂:
#
# $$\frac{\partial\,\mathrm{profit}}{\partial\,\mathrm{price}} = 30 \qquad \frac{\partial\,\mathrm{profit}}{\partial\,\mathrm{cups}} = 1.5 \qquad \frac{\partial\,\mathrm{profit}}{\partial\,\mathrm{cost}} = -30$$
#
# All of them together, in the shape of the inputs, are the **gradient**.
#
# Cleo is in a hurry. She nudges all three inputs at once and divides by the nudge.
#
# **Predict.** What does she find, and what can she learn from it?

# %%
# prediction 1.B1
%predict

# %%
h = 0.5
print("all at once:", (profit(x + h) - profit(x - h)) / (2 * h))

# %% [markdown]
# **Explain.** The higher price and the higher cost cancelled, and only the cups were left. So she must nudge one input at a time. Cleo writes a loop, and it is still wrong:

# %%
def broken_gradient(f, x, h):
    slopes = np.zeros(x.shape)
    for i in range(3):
        original = x[i]
        x[i] = original + h
        above = f(x)
        x[i] = original - h
        below = f(x)
        slopes[i] = (above - below) / (2 * h)
    return slopes


x = np.array([2.0, 30.0, 0.5])
print("gradient:    ", broken_gradient(profit, x, 0.5))
print("x afterwards:", x)

# %% [markdown]
# Only the 30 is right; 1.5 and −30 should follow. And Cleo's own numbers have changed under her hands. Find out why before you write your function: what values do price and cups have when the loop reaches cost?

# %% [markdown]
# NumPy's `np.ndindex` gives every place of an array, whatever its shape, even that of shape (), which holds a single number. Whoever nudges x itself has to put it back, and in Python the code under `finally` always runs, even when an exception ends the function:

# %%
print(list(np.ndindex((2, 3))))
print(list(np.ndindex(())))


def risky():
    try:
        return 1 / 0
    finally:
        print("tidied up")


try:
    risky()
except ZeroDivisionError as error:
    print("the caller still hears of it:", error)

# %% [markdown]
# ### Exercise 1.2
#
# In `babygrad/derivatives.py`, fill in `numerical_gradient`: the partial derivative for each element of an array of any shape. `f` wants the whole array in every call. Change `x` itself for a moment and put it back, or nudge a fresh copy for each element: then there is nothing to put back.
# Afterwards `x` must hold what it held before, to the last digit, even if `f` raised an exception.

# %%
%check 1.2

# %% tags=["nbval-ignore-output"]
def counted_calls(n):
    calls = []

    def f(x):
        calls.append(1)
        return np.sum(x * x)

    numerical_gradient(f, np.ones(n))
    return len(calls)


for n in (3, 10, 100, 1000):
    print(f"{n:>5} inputs: f is called {counted_calls(n):>5} times")

# %% [markdown]
# Twice for each input, and each call of f is a whole run of the net. With a million parameters, that is two million runs for one of thousands of steps.
#
# So finite differences do not train nets. But they need no knowledge of f at all, so they can *check* every cleverer way.

# %% [markdown]
# **A good place to stop.** You can measure any gradient, and you know what that costs. (In a fresh kernel, run the first two cells again.)

# %% [markdown]
# ## C. Slopes along a path multiply
#
# Ben runs a café. A kilo of beans makes 60 cups, a tin of cocoa 40; a cup earns 2 euros, and the rent is 90. With k kilos and t tins these are two steps: **c = 60k + 40t** cups, then **d = 2c − 90** euros. What is a kilo of beans worth? Nobody would say 62. At k = 5 and t = 3, nudge k by 0.1:
#
# | quantity | before | after | change for each unit of k |
# |---|---|---|---|
# | k | 5 | 5.1 | 1 |
# | c | 420 | 426 | 60 |
# | d | 750 | 762 | 120 = 60 · 2 |

# %% [markdown]
# The derivative of a single step, with respect to one of its inputs, is its local slope, the **local derivative**. Here ∂c/∂k is 60, and ∂d/∂c is 2, whatever the rent. Their product is ∂d/∂k. This is the **chain rule**:
#
# $$\frac{\partial d}{\partial k} = \frac{\partial d}{\partial c} \cdot \frac{\partial c}{\partial k} = 2 \cdot 60$$

# %% [markdown]
# What is ∂d/∂t, the derivative with respect to the tins? Nudging needs a function of one number: `lambda k: earned(k, 3.0)` makes one on the spot.

# %%
def earned(k, t):
    c = 60 * k + 40 * t
    return 2 * c - 90


print("∂d/∂k:", round(numerical_derivative(lambda k: earned(k, 3.0), 5.0), 4))
print("∂d/∂t:", round(numerical_derivative(lambda t: earned(5.0, t), 3.0), 4))

# %% [markdown]
# ### Exercise 1.3
#
# Two other steps: **c = a · b**, then **d = c · w**. Find the local derivatives: take a = 2, b = 4, w = 3, and nudge one of them, on paper or with your own tool.
#
# In `babygrad/derivatives.py`, fill in `two_step_gradients`, for arrays, element by element. The result is the sum of d, and the answers are the gradients of that sum with respect to a, b and w, from local derivatives alone. Each d[i] depends only on a[i], b[i] and w[i], and adding 1 to d[i] adds 1 to the sum: so treat each position separately. Then verify them by nudging:

# %%
a, b, w = np.array([2.0, 3.0]), np.array([4.0, 5.0]), np.array([3.0, 2.0])

nudged = [
    numerical_gradient(lambda a: np.sum(a * b * w), a),
    numerical_gradient(lambda b: np.sum(a * b * w), b),
    numerical_gradient(lambda w: np.sum(a * b * w), w),
]
for name, path, measured in zip("abw", two_step_gradients(a, b, w), nudged):
    print(f"gradient of {name}, along the path:", np.round(path, 4), "  by nudging:", np.round(measured, 4))

# %%
%check 1.3

# %% [markdown]
# Nudging ran the function 12 times. Along the paths you did not run it once. And compare your answers for a and b: ∂d/∂c stands in both. If you start from d, you compute it once.

# %% [markdown]
# ## D. Numbers that carry their slope (stretch)
#
# Rules give the exact derivative. You will find three of them, with your own measuring tool.
#
# ### A product that grows
#
# A rectangle is 3 wide and 5 high. Each second its width grows by 1 and its height by 2. Ben says that its area grows by 1 · 2 = 2 each second.
#
# **Predict.** What do you say?

# %%
# prediction 1.D1
%predict

# %%
h = 0.001
print("Ben:   ", 1 * 2)
print("nudged:", round(((3 + 1 * h) * (5 + 2 * h) - 3 * 5) / h, 2))

# %% [markdown]
# Neither 2 nor 1 + 2. What is the rule? Measure other rectangles that grow, with your own tool:

# %%
def measure_areas(rows):
    print("width  grows by   height  grows by   the area grows by")
    for width, pace, height, other_pace in rows:
        area_grows = numerical_derivative(lambda t: (width + pace * t) * (height + other_pace * t), 0.0)
        print(f"{width:>5}  {pace:>8}   {height:>6}  {other_pace:>8}   {area_grows:>17.4f}")


measure_areas([(3, 1, 5, 0), (3, 0, 5, 2), (3, 1, 5, 2), (4, 1, 5, 2)])

# %% [markdown]
# Find one rule that makes the last number of each row from the four before it. The first two rows, in which one side stands still, are the easiest. If you are stuck, draw the rectangle with its new strips.
#
# **Predict.** What does your rule say of the row 4, 1, 7, 2? And of the row 4, 3, 7, −2?

# %%
# prediction 1.D2
%predict

# %%
measure_areas([(4, 1, 7, 2), (4, 3, 7, -2)])

# %% [markdown]
# Did it hold? Write your rule down: you need it soon.
#
# ### Two numbers in one
#
# If each number knows *its value and its slope*, the product can know both as well. Such a pair is called a **dual number**; here it is the class `Dual`. Addition is given; values and slopes are added separately:

# %%
width, height = Dual(3.0, 1.0), Dual(5.0, 2.0)
print(width + height)
print(10 - width)

# %% [markdown]
# With respect to what? To the one input that you ask about: give that one slope 1 and all others slope 0. A plain number, such as the 10 in `10 - width`, gets slope 0: it never changes.
#
# ### Powers and the sine
#
# Now a power of a number that grows:

# %%
def measure_powers(rows):
    print("value  grows by   exponent   the power grows by")
    for value, pace, n in rows:
        power_grows = numerical_derivative(lambda t: (value + pace * t) ** n, 0.0)
        print(f"{value:>5}  {pace:>8}   {n:>8}   {power_grows:>18.4f}")


measure_powers([(2, 1, 2), (2, 1, 3), (2, 1, 4), (2, 5, 4)])

# %% [markdown]
# Again one rule makes the last number from the three before it. (Powers of 2 are 2, 4, 8, 16, those of 3 are 3, 9, 27, 81.)
#
# **Predict.** What does your rule say of the row 3, 1, 4? And of the row 3, 2, 3?

# %%
# prediction 1.D3
%predict

# %%
measure_powers([(3, 1, 4), (3, 2, 3)])

# %% [markdown]
# And the sine. The next cell measures its derivative at 25 places and draws a dot for each. Which curve do the dots lie on?

# %%
places = np.linspace(-np.pi, np.pi, 25)

fig, ax = plt.subplots(figsize=(6.4, 3))
ax.plot(places, np.sin(places), color="#0072B2", label="sin x")
ax.plot(places, [numerical_derivative(math.sin, x) for x in places], "o", color="#D55E00", label="its slope, nudged")
ax.set(xlabel="x", xticks=[-3, -2, -1, 0, 1, 2, 3])
ax.grid(alpha=0.3)
ax.legend()
plt.show()

# %% [markdown]
# <details><summary>Compare</summary>
#
# On the cosine: `math.cos(1.0)` is 0.540302305868.
#
# </details>
#
# That is the derivative if x itself goes into the sine.
#
# **Predict.** What is the derivative of sin(2x) at x = 0? And at x = 1?

# %%
# prediction 1.D5
%predict

# %%
print("sin(2x) at 0:", round(numerical_derivative(lambda x: math.sin(2 * x), 0.0), 4))
print("sin(2x) at 1:", round(numerical_derivative(lambda x: math.sin(2 * x), 1.0), 4), "  the cosine of 2:", round(math.cos(2), 4))

# %% [markdown]
# **Explain.** 2x is a number that comes with a slope, 2. The sine is the second step of a path: that is the chain rule.
#
# ### Exercise 1.4
#
# In `babygrad/derivatives.py`, the class `Dual` has three gaps: `*`, `**` and `sin`. The rest is given: `exp` is a worked example, and `/` is made of your `*` and `**`. A result is a new `Dual(value, slope)`, with rules that fit every row above; exponents such as 0.5 and −2 are asked as well.
# `math.sin` and `math.cos` take plain numbers.
#
# Begin with `*`. Verify each rule with your own tool: carried and nudged must agree. (The cell stops at the first gap that is still empty.)

# %%
def carried_and_nudged(f, x):
    carried = f(Dual(x, 1.0)).slope
    nudged = numerical_derivative(lambda x: f(Dual(x)).value, x)
    print(f"carried {carried:>9.4f}   nudged {nudged:>9.4f}")


carried_and_nudged(lambda x: x * (10 - x) * 3, 2.0)
carried_and_nudged(lambda x: (2 * x) ** 4, 1.5)
carried_and_nudged(lambda x: (2 * x).sin(), 1.0)

# %%
%check 1.4

# %% [markdown]
# Value and derivative come out together, in one run. They travel forward through the program, from the input to the result: this is **forward mode**.

# %% [markdown]
# Cleo again. She wants three partial derivatives, but in each run only one input can be the one that moves:

# %%
inputs = {"price": 2.0, "cups": 30.0, "cost": 0.5}
for moving in inputs:
    x = [Dual(value, 1.0 if name == moving else 0.0) for name, value in inputs.items()]
    print(f"∂profit/∂{moving:<5} {profit(x).slope:>6.1f}")

# %% [markdown]
# **A good place to stop.** You have built automatic differentiation, in forward mode. (In a fresh kernel, run the first two cells again, and the one in B that defines `profit`.)

# %% [markdown]
# ## E. Three ways to a derivative
#
# There are three, and this course builds the third:
#
# | way | how | answer | price |
# |---|---|---|---|
# | **numeric** | finite differences: nudge and measure | about 9 digits | 2 calls for each input |
# | **symbolic** | rules turn a formula into a formula, as at school | exact | formulas swell: every part that is used twice is copied |
# | **automatic** | rules, applied to the *numbers* while the program runs | exact, but for rounding | a few times the program's own work, for each input (forward) or each result (from the end) |
#
# ### Count the runs
#
# **Predict.** In forward mode each number carries its slope along (a dual number), with respect to one input: Cleo's three inputs take three runs. How many runs are needed for 1,000 inputs? And how many if you start from the result, as at the end of section C?

# %%
# prediction 1.E1
%predict

# %%
print("   inputs |   nudging | forward mode | from the end")
for n in (2, 1_000, 1_000_000):
    print(f"{n:>9,} | {2 * n:>9,} | {n:>12,} | 1 and 1 back")

# %% [markdown]
# **Explain.** Nudging and forward mode start at an input, so they must start once for each input.
#
# Walk from the result back to the inputs, and every derivative found on the way, as ∂d/∂c in exercise 1.3, serves all inputs behind it. One run forward, one walk back, for two inputs or a million. For that walk a number must remember where it came from: that is notebook 02.

# %% [markdown]
# ## Bug hunt (stretch)
#
# Three colleagues send you their ways to measure a slope. All of them return 5 for `5 * x`, and all are broken:
#
# - **A** nudges to one side only, by 0.1.
# - **B** nudges to both sides, by 1.
# - **C** nudges to both sides, by 0.0000000001.

# %%
from grader.broken_engines.nudgers import NUDGERS


def try_out(expression, right):
    found = [f"{name}: {nudger(expression, 2.0):.4g}" for name, nudger in NUDGERS.items()]
    print("   ".join(found), f"  right: {right}")


try_out(lambda x: 5 * x, right=5)

# %% [markdown]
# **Predict.** At x = 2, the right slope of `x * x` is 4. Which of the three does it expose? And which does `x * x + 1e12` expose, whose slope is 4 as well? (`1e12` is a 1 with twelve zeros.)

# %%
# prediction 1.5a
%predict

# %%
try_out(lambda x: x * x, right=4)
try_out(lambda x: x * x + 1e12, right=4)

# %% [markdown]
# ### Exercise 1.5
#
# In `babygrad/hunts.py`, write *one* expression of x that exposes all three at x = 2: each must be off by more than 1 % of the right slope. At most three operations; two are enough. (There is one with a single operation. Can you find it?)
#
# A straight line plus 1e18 will not do: all three find no slope there, but only because digits are lost, which is C's weakness.

# %%
%check 1.5

# %% tags=["nbval-ignore-output"]
right = three_nudgers(Dual(2.0, 1.0)).slope
try_out(lambda x: three_nudgers(Dual(x)).value, right=f"{right:.4g}")

# %% [markdown]
# ## Reflection
#
# Write an answer to one of these questions before you unfold ours, and say the other aloud.

# %%
%%note 1.R1

# %% [markdown]
# <details><summary><b>How does automatic differentiation differ from numeric and from symbolic differentiation?</b></summary>
#
# Numeric: measures with two runs for each input, so it is approximate. Symbolic: turns the formula into another formula, which is exact, but grows with every part that is used twice. Automatic: applies the same rules to the numbers while the program runs. It is exact, but for rounding, and costs a few times the run itself.
#
# </details>
#
# <details><summary><b>Somebody uses h = 1e-14 "to be as exact as possible". What do you tell them?</b></summary>
#
# f(x + h) and f(x − h) then agree in nearly all of their 16 digits. The subtraction leaves one or two digits, and dividing by a tiny number makes their rounding errors large. For central differences 1e-5 or 1e-6 is best, for forward differences about 1e-8.
#
# </details>

# %%
%predictions 01

# %% [markdown]
# ## In other books
#
# What the words of this notebook are called elsewhere, and in PyTorch and JAX: [the glossary](../docs/glossary.md#01-slopes-by-nudging).

# %% [markdown]
# ## The rule to keep
#
# **A derivative is how much the result changes for each unit that the input changes. Along a path, derivatives multiply.**

# %% [markdown]
# ## Where you are
#
# Next: `02_scalar_value.ipynb`, a number that remembers how it was made.
