# %% [markdown]
# # 02 · A number that remembers
#
# **60 minutes** · files: `value.py` and `hunts.py`
#
# In notebook 01 you found slopes by nudging, and with numbers that carry a slope along. Both ways find the slope
# for one input at a time. A network has thousands of inputs.
#
# Here you build the number that the whole course stands on. A `Value` computes like any number, and it remembers
# how it was made. From what it remembers, one walk back finds the slopes for all inputs together. In this notebook you build
# the memory, and then walk back once by hand. In notebook 03 the computer walks.

# %% jupyter={"source_hidden": true}
%load_ext grader

# %%
import math

import matplotlib.pyplot as plt
import numpy as np

from babygrad import Value, draw_graph, numerical_derivative

# %% [markdown]
# ## Goals
#
# After this notebook you can
#
# - make a class of your own work with `+ - * / **`, also when the number on the left is a plain one
# - name the local slope of every operation from `+` to `sigmoid`
# - read a graph: leaves, nodes, operations, local slopes
# - find all slopes of a small expression by hand, from the result back to its leaves

# %% [markdown]
# ## Recall
#
# Three questions on notebook 01. Answer before you unfold.
#
# 1. You nudge x from 2 to 2.001, and f(x) grows from 8 to 8.012. What is the slope of f at 2, nearly?
# 2. c = a · b and d = c · w, with a = 2, b = 4, w = 3. How much does d change for each unit that a changes?
# 3. A function has 1,000 inputs. How many runs with dual numbers give you all 1,000 slopes?
#
# <details><summary>Answers</summary>
#
# 1. 12: the change 0.012 over the nudge 0.001.
# 2. 12: c changes by b = 4 for each unit of a, and d changes by w = 3 for each unit of c. Along the path you multiply: 4 · 3.
# 3. 1,000: one run for each input.
#
# </details>

# %% [markdown]
# ## A. What a result should remember (10 minutes)
#
# With plain numbers, Ada computes 2 + 3:

# %%
a, b = 2.0, 3.0
c = a + b
c

# %% [markdown]
# `c` is 5.0, and that is all it knows. It could just as well be 1 + 4 or 10 / 2. Nobody can tell from `c` that it would grow if
# `a` did.
#
# A `Value` keeps more than its number. `label` is only a name for drawings.

# %%
a = Value(2.0, label="a")
b = Value(3.0, label="b")
c = a + b
c.label = "c"

print("the number   ", c.data)
print("made from    ", c._prev)
print("by           ", c._op)
print("local slopes ", c._slopes)

# %% [markdown]
# Each of these Values is a **node**. `a` and `b` were made by hand: they are **leaves**. Nodes and what they were made from
# form a **graph**.
#
# A **local slope** belongs to one operation and one of its inputs: how much the result changes for each unit that this input changes.
# In a sum both are 1. If `a` is 0.1 larger, so is `c`.

# %%
draw_graph(c)

# %% [markdown]
# A box is a node: its label and its number. Round corners mean a leaf. A circle is an operation, and on each arrow into it
# stands the local slope to that input.
#
# *No gradient yet*, it says: `grad` stays 0.0 in every node until somebody walks back from the result. A 0 in the picture would look
# like an answer.

# %% [markdown]
# This is all of addition, as it stands in `babygrad/value.py`:
#
# ```python
# def __add__(self, other):
#     other = as_value(other)
#     return Value(self.data + other.data, (self, other), "+", (1.0, 1.0))
# ```
#
# Python calls `a.__add__(b)` when it meets `a + b`. `as_value` leaves a Value as it is, makes a leaf of a plain number, and refuses
# anything else. Then comes the result with the four things you saw: the number, the inputs, the operation, and one slope for each
# input, in the same order.

# %%
print((a + 10).data)
try:
    a + "ten"
except TypeError as error:
    print(error)

# %% [markdown]
# Now multiplication, half done.
#
# **Predict.** `a` is 2 and `b` is 3, so the product is 6. Now `a` grows to 2.1. By how much does the product grow, and how much is
# that for each unit of `a`? And if `b` grows to 3.1 instead? Write down both slopes.

# %%
print("slope to a:", round((2.1 * 3 - 2 * 3) / 0.1, 6))
print("slope to b:", round((2 * 3.1 - 2 * 3) / 0.1, 6))

# %% [markdown]
# **Explain.** 0.1 more in `a` counts three times, because `b` is 3. So the slope to each side is the number on the *other* side.
#
# In code it is the sum's line with three things changed:
#
# ```python
# return Value(____, (self, other), "*", (____, ____))
# ```
#
# A slope is a plain number. You find the number of a Value in its `.data`.

# %% [markdown]
# ### Exercise 2.1 `Value.__mul__` (4 minutes, ●○○○)
#
# Open `babygrad/value.py` beside this notebook and look for `# exercise 2.1`. Replace the `raise` line, save, and come back.
# The check asks for products of numbers of both signs, for `a * a`, for `a * 10`, and what happens when one side is 0. It looks at the operation's name, and whether a is still the same afterwards. Stuck? `%hint 2.1`

# %%
%check 2.1

# %% [markdown]
# **Predict.** `square = a * a`, for `a` of 3. How many arrows go into the circle? Which slopes stand on them? And how much
# does the square change, all in all, for each unit of `a`?

# %% tags=["nbval-ignore-output"]
a = Value(3.0, label="a")
square = a * a
square.label = "square"
draw_graph(square)

# %% [markdown]
# **Explain.** Two arrows, both from `a`, with slope 3 each. When `a` moves, both sides of the product move, so the two
# count together: 3 + 3 = 6. That is the slope of x² at 3, as you know it.
#
# Keep this in mind: *what is used twice gets two shares, and they add up.*

# %% [markdown]
# ## B. Powers (6 minutes)
#
# x³ could be written as x · x · x. But 1/x and √x, which are x⁻¹ and x to the power of 0.5, could not. So powers get a rule of their own.
#
# **Predict.** Here are the slopes of x² and x³ at 2, found by nudging. What will x⁴ have?
#
# | power | slope at 2 |
# |---|---|
# | x² | 4 |
# | x³ | 12 |
# | x⁴ | ____ |

# %%
for n in (2, 3, 4):
    print(f"x^{n}:  slope {numerical_derivative(lambda x: x**n, 2.0):.3f}")

# %% [markdown]
# **Explain.** 4 is 2 · 2¹, 12 is 3 · 2², 32 is 4 · 2³. The exponent comes in front, and is lowered by one: the slope of xⁿ is n·xⁿ⁻¹.
#
# Two things need care.
#
# *Exponent 0.* At x = 0 the rule asks for 0 · 0⁻¹, and Python would divide by 0. But x⁰ is 1 everywhere, and what never
# changes has slope 0.
#
# *Exponents that are no plain number.* Ada types `x ** "3"`; Ben types `x ** y` and `y` is a Value. If `y` may change too, a second slope is needed,
# and this rule has none. `as_number` refuses both with a `TypeError` that names what it was given.

# %% [markdown]
# ### Exercise 2.3 `Value.__pow__` (5 minutes, ●●○○)
#
# In `babygrad/value.py`, fill in `__pow__`. There is one input now, so `(self,)`: the comma makes it a tuple of one. `as_number(x)`, at the end of `value.py`, gives x as a float or raises.
# The check asks for exponents that are whole, negative, a fraction or 0, at numbers of both signs and at 0, and it tries to get a text and a Value past you.

# %%
%check 2.3

# %% [markdown]
# What does your own `__pow__` say to an exponent that is no number?

# %% tags=["nbval-ignore-output"]
for exponent in ("3", Value(3.0), None):
    try:
        Value(2.0) ** exponent
    except TypeError as error:
        print(error)

# %% [markdown]
# ## C. Minus and divide (7 minutes)
#
# Three operations can be made of what you have:
#
# | | is the same as |
# |---|---|
# | -x | x times -1 |
# | x - y | x plus -y |
# | x / y | x times y to the power of -1 |
#
# Products, sums and powers remember. So does everything made of them, with no slope written down again.
#
# Ben is in a hurry and takes a shorter way. His number is right.
#
# **Predict.** What will the picture show?

# %%
def broken_negation(x):
    return Value(-x.data)


x = Value(5.0, label="x")
y = broken_negation(x)
y.label = "y"
draw_graph(y)

# %% [markdown]
# **Explain.** One box, and no way back to x. Ben took the number out of the Value and made a new leaf of it. If x moves, this y
# does not know. Whenever a result is made from `.data` alone, the graph ends there.

# %% [markdown]
# ### Exercise 2.4 `Value.__sub__, __truediv__` (4 minutes, ●●○○)
#
# Fill in `__neg__`, `__sub__` and `__truediv__` in `value.py` (`truediv` is Python's name for `/`). One line each. The check asks for differences and quotients of
# Values and numbers, and whether x is still the same afterwards.

# %%
%check 2.4

# %% [markdown]
# **Predict.** Here is 6 / 2, as your `__truediv__` makes it. Find the slope of the quotient to y: multiply along the path from
# y to the result.

# %% tags=["nbval-ignore-output"]
x, y = Value(6.0, label="x"), Value(2.0, label="y")
quotient = x / y
quotient.label = "x / y"
draw_graph(quotient)

# %%
print(f"by nudging: {numerical_derivative(lambda y: 6 / y, 2.0):.3f}")

# %% [markdown]
# **Explain.** -0.25 on the first step, 6 on the second: -0.25 · 6 = -1.5. In symbols the first is -1/y², the second is x,
# together -x/y². You never had to write that formula: it came out of two simpler rules.

# %% [markdown]
# ## D. Numbers on the left (5 minutes)
#
# `x - 5` works. What about `5 - x`? Look at it first with a class that can do nothing but subtract.

# %%
class BrokenNumber:
    def __init__(self, data):
        self.data = data

    def __sub__(self, other):
        return BrokenNumber(self.data - other)


print((BrokenNumber(2) - 5).data)
try:
    5 - BrokenNumber(2)
except TypeError as error:
    print(error)

# %% [markdown]
# Python asks the left side first: `(5).__sub__(x)`. A plain 5 has never heard of your class. Then Python turns to the right side,
# and calls `x.__rsub__(5)`. The r stands for *reflected*. `BrokenNumber` has no such method, so that was the last try.
#
# **Predict.** Cleo adds one line, and the error is gone. What is 5 - 2 now?

# %%
BrokenNumber.__rsub__ = BrokenNumber.__sub__
print((5 - BrokenNumber(2)).data)

# %% [markdown]
# **Explain.** In `x.__rsub__(5)` x is `self` although it stands on the right. `__sub__` computes `self` minus `other`, which is 2 - 5.
# No error any more, but a wrong number: that is worse.

# %% [markdown]
# ### Exercise 2.5 `Value.__rsub__, __rtruediv__` (3 minutes, ●●○○)
#
# Fill in the four reflected operators in `value.py`. Their first line has already made a Value of `other`, the number on the left. The check asks for numbers on the
# left of all four, NumPy's numbers too, and for `sum([x, y, x])`, which Python begins with `0 + x`.

# %%
%check 2.5

# %%
x = Value(2.0)
print((5 - x).data, (10 / x).data, (3 + x).data, (3 * x).data, sum([x, x, x]).data)

# %% [markdown]
# ## E. When the exponent moves (5 minutes)
#
# One operator is left that can have a number on its left: `2 ** x`. Now the base stands still and the exponent moves.
#
# **Predict.** At x = 2, x² and 2ˣ are both 4. At x = 4 both are 16. Ada says: then they climb equally fast there. Place your bets:
# which one is steeper at 2, and which at 4, or are they the same?

# %%
for x in (2.0, 4.0):
    square, double = numerical_derivative(lambda x: x**2, x), numerical_derivative(lambda x: 2**x, x)
    print(f"at {x:.0f}:  slope of x^2  {square:5.2f}   slope of 2^x  {double:5.2f}")

xs = np.linspace(0, 5, 200)
plt.figure(figsize=(7, 3.6))
plt.plot(xs, xs**2, color="#0072B2", label="x²")
plt.plot(xs, 2**xs, color="#D55E00", linestyle="--", label="2ˣ")
plt.plot([2, 4], [4, 16], "o", color="black", label="equal numbers")
plt.title("Equal at 2 and at 4, and never equally steep there")
plt.xlabel("x")
plt.ylabel("result")
plt.legend()
plt.show()

# %% [markdown]
# The plot shows x² as a solid line and 2ˣ as a dashed one. They cross at 2 and at 4. At 2 the square is steeper and gets ahead. At 4 the dashed line is steeper,
# overtakes it, and stays ahead for good.
#
# **Explain.** Where two curves cross they agree in their number, not in their slope. And the rule for xⁿ is about a base that moves: it says nothing about 2ˣ.
# There each unit of x doubles the result, so the slope grows with the result: it is 0.693·2ˣ. The 0.693 is the natural logarithm
# of the base, `math.log(2)`.

# %% [markdown]
# ### Exercise 2.6 `Value.__rpow__` (5 minutes, ●●○○)
#
# Fill in `__rpow__` in `value.py`. For `2 ** x` Python calls `x.__rpow__(2)`. The pattern of the last exercise does not help here: it would end in `__pow__`, which
# refuses a Value as exponent. The check asks for bases above and below 1, for exponents of both signs, and for a base that is no number.

# %%
%check 2.6

# %% [markdown]
# ## F. exp, log, sin (5 minutes)
#
# Three functions of one number, so one slope each:
#
# | function | slope | at x = 2 |
# |---|---|---|
# | eˣ | the result itself | 7.389 |
# | natural logarithm of x | 1 / x | 0.5 |
# | sin x | cos x | -0.416 |
#
# The first is nothing new. It is the rule for 2ˣ with the base e = 2.718…, whose logarithm is 1.
#
# `math.exp`, `math.log`, `math.sin` and `math.cos` compute with plain numbers.

# %% [markdown]
# ### Exercise 2.7 `Value.exp, log` (4 minutes, ●●○○)
#
# Fill in `exp`, `log` and `sin` in `value.py`. The check asks for numbers and slopes, large ones too, and that `exp(1000)` and `log(0)` raise what `math` raises.

# %%
%check 2.7

# %% [markdown]
# **Predict.** Three things that cannot be computed. Does `Value` answer, or does it stop? Which of the three is merely too large?

# %%
attempts = {
    "exp(1000)": lambda: Value(1000.0).exp(),
    "log(0)   ": lambda: Value(0.0).log(),
    "0 ** -1  ": lambda: Value(0.0) ** -1,
}
for name, attempt in attempts.items():
    try:
        print(name, attempt())
    except (OverflowError, ValueError, ZeroDivisionError) as error:
        print(name, type(error).__name__)

# %% [markdown]
# **Explain.** e¹⁰⁰⁰ exists, but no float can hold it. The other two do not exist. `Value` stops where Python's own
# arithmetic stops, in the line where it happens.
#
# PyTorch answers `inf`, `-inf` and `inf` instead, and goes on. Many steps later you meet `nan` and wonder where it came from.

# %% [markdown]
# ## G. Functions that bend (6 minutes)
#
# Sums and products alone would make a dull network. Notebook 04 will need functions that bend: tanh, sigmoid, relu.

# %%
xs = np.linspace(-5, 5, 201)
curves = {
    "tanh(x)": np.tanh(xs),
    "sigmoid(x) = 1 / (1 + e⁻ˣ)": 1 / (1 + np.exp(-xs)),
    "relu(x)": np.maximum(xs, 0),
}
figure, panels = plt.subplots(1, 3, figsize=(9, 2.8))
for panel, (name, ys) in zip(panels, curves.items()):
    panel.plot(xs, ys, color="#0072B2")
    panel.axhline(0, color="gray", linewidth=0.6)
    panel.axvline(0, color="gray", linewidth=0.6)
    panel.set_title(name, fontsize=11)
    panel.set_xlabel("x")
panels[0].set_ylabel("result")
plt.tight_layout()
plt.show()

# %% [markdown]
# The left panel shows tanh, which climbs from -1 to 1, the middle one sigmoid, which climbs from 0 to 1. Both are flat far out on either
# side. The right panel shows relu: 0 for negative numbers, then a straight line.
#
# The slopes of the first two are made from the *result*: 1 - t² for t = tanh(x), and s · (1 - s) for s = sigmoid(x). Far out both are nearly
# 0, as flat curves should have it.
#
# **Predict.** What does the formula for sigmoid give at 0, at 1000, and at -1000?

# %%
def broken_sigmoid(x):
    return 1 / (1 + math.exp(-x))


for x in (0.0, 1000.0, -1000.0):
    try:
        print(f"{x:6.0f}  {broken_sigmoid(x)}")
    except OverflowError as error:
        print(f"{x:6.0f}  OverflowError: {error}")

# %% [markdown]
# **Explain.** At -1000 the right answer is as good as 0, but on the way the formula asks for e¹⁰⁰⁰. `math.exp` gives up at about 710.
#
# The cure is to write the same fraction in another way. Multiply it by eˣ above and below the line:
#
# 1 / (1 + e⁻ˣ) = eˣ / (1 + eˣ)
#
# At -1000 the right-hand form asks for e⁻¹⁰⁰⁰ only, which is as good as 0. At 1000 the left-hand form is the safe one.

# %% [markdown]
# ### Exercise 2.8 `Value.tanh, sigmoid` (6 minutes, ●●●○)
#
# Fill in `tanh` and `sigmoid` in `value.py`. The check asks for numbers and slopes near 0 and at -1000 and 1000. `math.tanh` is safe everywhere.

# %%
%check 2.8

# %% [markdown]
# ## H. A kink (3 minutes)
#
# relu has a kink at 0.
#
# **Predict.** What is its slope right there? Nudge to the right only, to the left only, to both sides.

# %%
def relu(x):
    return max(x, 0.0)


h = 0.001
print("to the right:  ", (relu(0 + h) - relu(0)) / h)
print("to the left:   ", (relu(0) - relu(0 - h)) / h)
print("to both sides: ", (relu(0 + h) - relu(0 - h)) / (2 * h))

# %% [markdown]
# **Explain.** Three answers, and none of them is wrong: at a kink there is no one slope. Somebody has to choose. We take 0, as PyTorch does. So relu has slope 1 where x is greater
# than 0, and slope 0 elsewhere, at 0 too.

# %% [markdown]
# ### Exercise 2.9 `Value.relu` (3 minutes, ●○○○)
#
# Fill in `relu` in `value.py`. The check asks on both sides and at the kink.

# %%
%check 2.9

# %% [markdown]
# ## I. Backwards by hand (8 minutes)
#
# All is remembered. Now use it, once with pencil and paper. Take u = x · y and L = u + x, at x = 3 and y = 4.

# %% tags=["nbval-ignore-output"]
x, y = Value(3.0, label="x"), Value(4.0, label="y")
u = x * y
u.label = "u"
L = u + x
L.label = "L"
draw_graph(L)

# %% [markdown]
# The **gradient** of a node is the answer to one question: how much does L change for each unit that this node changes? Notebook 03 will
# put it into `grad`.
#
# At the end it is easy: L changes by 1 for each unit of L. From there you go back, with one rule: *local slope times the gradient of the result it went
# into.*
#
# - L has gradient 1.
# - u went into L, with local slope 1. Its gradient is 1 · 1 = 1.
# - y went into u, with local slope 3. Its gradient is 3 · 1 = 3.
#
# **Predict.** x went into u, with local slope 4, and into L, with local slope 1. What is its gradient: 1, 3, 4, 5, or something else?

# %%
print(f"gradient of x, by nudging: {numerical_derivative(lambda x: x * 4 + x, 3.0):.3f}")
print(f"gradient of y, by nudging: {numerical_derivative(lambda y: 3 * y + 3, 4.0):.3f}")

# %% [markdown]
# **Explain.** x moves L in two ways at once. Through u it sends the share 4 · 1, straight into L the share 1 · 1. Along a path you
# multiply; shares of different paths add up: 4 + 1 = 5.
#
# Why from the back? Because every step needs the gradient of the result, and at the beginning only L's is known. In return one walk is
# enough for all leaves, be it two or a million.

# %% [markdown]
# ### Exercise 2.2 `by_hand` (8 minutes, ●●●○)
#
# Your turn, on paper: L = ((a · b) + c) · (a + d), at a = 2, b = 3, c = 4, d = 5. Draw the graph of the cell below on paper, with t1 = a · b, t2 = t1 + c and t3 = a + d. Write
# the number into each box and the local slope on each arrow. Then walk back from L.
#
# Type what you found into `by_hand` in `babygrad/hunts.py`; its docstring has the lines to copy. The check looks at the results, the inner nodes and the leaves one after
# the other, so you may stop and ask in between.
#
# (In the picture all leaves are 0, so that it gives nothing away.)

# %% tags=["nbval-ignore-output"]
a, b, c, d = (Value(0.0, label=label) for label in "abcd")
t1 = a * b
t2 = t1 + c
t3 = a + d
L = t2 * t3
t1.label, t2.label, t3.label, L.label = "t1", "t2", "t3", "L"
draw_graph(L)

# %%
%check 2.2

# %% [markdown]
# Nudging agrees, one leaf at a time. You needed one walk; nudging needs two runs for each leaf.

# %%
def loss(a, b, c, d):
    return (a * b + c) * (a + d)


print(f"L       {loss(2, 3, 4, 5)}")
print(f"to a    {numerical_derivative(lambda a: loss(a, 3, 4, 5), 2.0):.3f}")
print(f"to b    {numerical_derivative(lambda b: loss(2, b, 4, 5), 3.0):.3f}")
print(f"to c    {numerical_derivative(lambda c: loss(2, 3, c, 5), 4.0):.3f}")
print(f"to d    {numerical_derivative(lambda d: loss(2, 3, 4, d), 5.0):.3f}")

# %% [markdown]
# ## Bug hunt (5 minutes)
#
# Ada, Ben and Cleo each wrote an engine, and each tested it with a = 1 and b = 0, because these numbers are easy. `Right` is an engine without a mistake. Every row shows the slope to a and the slope to b.

# %%
from grader.suspects.operators import Ada, Ben, Cleo, Right

ENGINES = Right, Ada, Ben, Cleo


def slopes(engine, expression):
    a, b = engine(1.0), engine(0.0)
    out = expression(a, b)
    return [round(out.slope_to(leaf), 4) + 0.0 for leaf in (a, b)]


def compare(name, expression):
    print(f"{name:10}", *(f"{engine.__name__:>6} {slopes(engine, expression)!s:12}" for engine in ENGINES))


compare("a * b", lambda a, b: a * b)
compare("a ** 3", lambda a, b: a**3)
compare("b ** 2", lambda a, b: b**2)
compare("5 / a", lambda a, b: 5 / a)
compare("b / a", lambda a, b: b / a)
compare("a.relu()", lambda a, b: a.relu())

# %% [markdown]
# All tests pass. And yet Ada's powers, Ben's divisions and Cleo's relu have a wrong slope. At 1 and 0 it does not show. Find out how they are wrong: try them on numbers made from a and b, such as a + a.
#
# ### Exercise 2.10 `blind_spots` (6 minutes, ●●●○)
#
# In `hunts.py`, write one expression of a and b, still 1 and 0, for which all three find a wrong slope. At most 6 operations. The check plays it on each engine and tells you which ones still pass. Try ideas here first:

# %%
compare("mine", lambda a, b: a + b)

# %%
%check 2.10

# %% [markdown]
# <details><summary>Why 1 and 0 are poor test numbers</summary>
#
# Powers of 1 are all 1, with whatever exponent. 1 and its square are the same. 0 times anything hides the anything. Test with numbers that are all different,
# of both signs, and none of them 1, and then, for kinks, with exactly 0. The checks of this course do the same.
#
# </details>

# %% [markdown]
# ## Reflection
#
# Answer aloud, as in an interview, then unfold.
#
# **When is the graph built, and what does an `if` in your code do to it?**
# <details><summary>Answer</summary>
#
# While the numbers are computed: each operation adds its node. An `if` or a loop decides which operations run, and only these are in the graph. The next run may build another one. PyTorch works like that too.
#
# </details>
#
# **What is a leaf?**
# <details><summary>Answer</summary>
#
# A node made by hand, from no other node. Inputs and parameters are leaves, and so is the 5 in `5 - x`. The walk back ends there.
#
# </details>
#
# **Why can the slopes be plain numbers, and need no formulas?**
# <details><summary>Answer</summary>
#
# They are wanted at one point only: the numbers that flow right now. At that moment everything in the formula is known, so it is computed at once.
#
# </details>

# %% [markdown]
# **You compute `c = a * b` and then set `a.data = 100`. What is wrong now?**
# <details><summary>Answer</summary>
#
# `c` and its slopes still belong to the old a. The graph says one thing and its numbers another. To be right again, compute `c` again. PyTorch counts such in-place changes and refuses to walk back.
#
# </details>
#
# **What is the slope of relu at 0, and does it matter?**
# <details><summary>Answer</summary>
#
# Anything from 0 to 1 would do; we and PyTorch take 0. With random numbers an exact 0 is rare, so it hardly matters. What matters is to know that nudging to both sides says one half there.
#
# </details>
#
# **x / x is always 1. What does your graph say about its slope at x = 4?**
# <details><summary>Answer</summary>
#
# x is used twice, so there are two shares: 1/4 from above the line and -4/16 = -1/4 from below. They add up to 0, as they must for something that never changes.
#
# </details>

# %% [markdown]
# ## The rule to keep
#
# **A result remembers its inputs and the local slope to each. Along a path multiply; where paths meet, add.**
#
# In notebook 03 the computer takes over the walk back. The question there will be: in which order?
