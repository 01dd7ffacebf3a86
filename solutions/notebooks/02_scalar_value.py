# %% [markdown]
# # 02 · A number that remembers
#
# In notebook 01 you found slopes by nudging, and with numbers that carry a slope along. Both ways find the slope
# for one input at a time. A network has thousands of inputs.
#
# Here you build the number that the whole course stands on. A `Value` computes like any number, and it remembers
# how it was made. From what it remembers, one walk back finds the slopes for all inputs together. In this notebook you build
# the memory, and walk back by hand. In notebook 03 the computer walks.
#
# A few rules you know from notebook 01; they come back as slopes alone. The others you find as you found those: look at slopes found by nudging, guess, write the guess down in code, and let the nudge judge it.

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
# ## A. What a result should remember (evening)
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
# Python calls `a.__add__(b)` when it meets `a + b`. `as_value` leaves a Value as it is, and makes a leaf of a plain number. Then comes
# the result with the four things you saw: the number, the inputs, the operation, and one slope for each input, in the same order. A slope is a
# plain number.

# %% [markdown]
# Now multiplication. What a product does with slopes you found in notebook 01, with `Dual`: a slope came in from each side, was multiplied, and the two were added. Here nothing comes
# in. The result only keeps what it needs for later: the local slopes alone, as plain numbers.
#
# **Predict.** In a · b, with a = 2 and b = 3: which two numbers are left, and which of them stands on the arrow from `a`? Then let your own `numerical_derivative` find them, here and at five other places.

# %%
# bet 2.A1
%bet

# %%
print("     a    b   a * b   slope to a   slope to b")
for a, b in ((2, 3), (2, 5), (2, -1), (4, 3), (-6, 3), (0.5, 10)):
    to_a = numerical_derivative(lambda a: a * b, a)
    to_b = numerical_derivative(lambda b: a * b, b)
    print(f"{a:6}{b:5}{a * b:8}{to_a:13.3f}{to_b:13.3f}")

# %% [markdown]
# Does each column say what you wrote? Then you can fill in a row without nudging: a = 7 and b = -4.

# %% [markdown]
# ### Exercise 2.1
#
# Open `babygrad/value.py` beside this notebook and look for `# exercise 2.1`. Replace the `raise` line, save, and come back. Addition, above it, is your pattern.
# The number of a Value is its `.data`.
#
# The check asks for products of numbers of both signs, for `a * a`, for `a * 10`, and what happens when one side is 0. It looks at the operation's name, and whether a is still the same afterwards. Stuck? `%hint 2.1`

# %%
%check 2.1

# %% [markdown]
# **Explain.** 0.1 more in `a` counts three times, because `b` is 3. The slope to each side is the number on the *other* side.
#
# **Predict.** `square = a * a`, for `a` of 3. How many arrows go into the circle? Which slopes stand on them? And how much
# does the square change, all in all, for each unit of `a`?

# %%
# bet 2.A2
%bet

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
# ## B. A gradient by hand (evening)
#
# Sums and products remember. That is enough for a first gradient, with pencil and paper. Take u = x · y and L = x + u, at x = 3 and y = 4.

# %% tags=["nbval-ignore-output"]
x, y = Value(3.0, label="x"), Value(4.0, label="y")
u = x * y
u.label = "u"
L = x + u
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
# bet 2.B1
%bet

# %%
print(f"gradient of x, by nudging: {numerical_derivative(lambda x: x + x * 4, 3.0):.3f}")
print(f"gradient of y, by nudging: {numerical_derivative(lambda y: 3 + 3 * y, 4.0):.3f}")

# %% [markdown]
# **Explain.** x moves L in two ways at once. Through u it sends the share 4 · 1, straight into L the share 1 · 1. Along a path you
# multiply; shares of different paths add up: 4 + 1 = 5.
#
# Why from the back? Because every step needs the gradient of the result, and at the beginning only L's is known. In return one walk is
# enough for all leaves, be it two or a million.

# %% [markdown]
# ### Exercise 2.2
#
# Your turn, on paper: L = ((a · b) + c) · (a + d), at a = 2, b = 3, c = 4, d = 5. This is its graph, without numbers:
#
# ```text
#    a --+
#        * --> t1 --+
#    b --+          |
#                   + --> t2 --+
#    c -------------+          |
#                              * --> L
#    a --+                     |
#        + --> t3 -------------+
#    d --+
# ```
#
# It shows `a` twice, and `a` is one node. Copy the graph, write the number beside each name and the local slope on each line. Then walk back from L.
#
# Type what you found into `by_hand` in `babygrad/hunts.py`. The check looks at the results, the inner nodes and the leaves one after
# the other, so you may stop and ask in between.

# %%
%check 2.2

# %% [markdown]
# Here is the graph as it remembers itself. Are your local slopes on its arrows?

# %% tags=["nbval-ignore-output"]
a, b, c, d = Value(2.0, label="a"), Value(3.0, label="b"), Value(4.0, label="c"), Value(5.0, label="d")
t1 = a * b
t2 = t1 + c
t3 = a + d
L = t2 * t3
t1.label, t2.label, t3.label, L.label = "t1", "t2", "t3", "L"
draw_graph(L)

# %% [markdown]
# Nudging agrees with you, one leaf at a time. You needed one walk; nudging needs two runs for each leaf.

# %%
def loss(a, b, c, d):
    return (a * b + c) * (a + d)


print(f"L       {loss(2, 3, 4, 5)}")
print(f"to a    {numerical_derivative(lambda a: loss(a, 3, 4, 5), 2.0):.3f}")
print(f"to b    {numerical_derivative(lambda b: loss(2, b, 4, 5), 3.0):.3f}")
print(f"to c    {numerical_derivative(lambda c: loss(2, 3, c, 5), 4.0):.3f}")
print(f"to d    {numerical_derivative(lambda d: loss(2, 3, 4, d), 5.0):.3f}")

# %% [markdown]
# That was **backpropagation**, all of it. What is left are more operations, in this notebook, and a computer that does the walking, in the next.
# A good place to stop for today.

# %% [markdown]
# ## C. Powers: look, guess, write, verify (evening)
#
# x³ could be written as x · x · x. But 1/x and √x, which are x⁻¹ and x to the power of 0.5, could not. So powers get a rule of their own.
#
# You know it from notebook 01, where a `Dual` multiplied what came in by it. Here the slope alone is kept, and for *every* exponent, at *every* x. So this time the question is: where does
# the rule break down? `look` is a table of nudges; it will be your tool in all the sections to come. First x², at six places.

# %%
def look(name, f, places):
    """A table: x, f(x), and the slope of f at x, found by nudging."""
    print(f"     x{name:>12}     slope")
    for x in places:
        print(f"{x:6g}{f(x):12.3f}{round(numerical_derivative(f, x), 3) + 0.0:10.3f}")


look("x^2", lambda x: x**2, (-3, -1, 0.5, 1, 2, 10))

# %% [markdown]
# Look, guess, try the guess at a place where you have not looked. Each slope is twice its x, so at x = 7 it should be 14.

# %%
numerical_derivative(lambda x: x**2, 7.0)

# %% [markdown]
# Here are the slopes of four powers, at six places.

# %%
print("     x   slope of x^2   of x^3     of x^4    of x^-1")
for x in (-2, -1, 1, 2, 3, 10):
    two, three, four, minus_one = (numerical_derivative(lambda x: float(x) ** n, x) for n in (2, 3, 4, -1))
    print(f"{x:6}{two:12.2f}{three:12.2f}{four:11.2f}{minus_one:11.4f}")

# %% [markdown]
# **Predict.** Your rule of 01 should fit all four columns. (If you have forgotten it: the row of 10 is the easiest to read.) Put it in place of `2 * x` and see whether it agrees with the nudge, for the square root
# too.

# %%
# bet 2.C1
%bet

# %% tags=["nbval-ignore-output"]
def guess(x, n):
    return 2 * x  # fits n = 2 and no other: your rule goes here


print("     n   slope of x^n at 3   your guess")
for n in (2, 3, 4, -1, 0.5):
    print(f"{n:6}{numerical_derivative(lambda x: x**n, 3.0):16.3f}{guess(3.0, n):15.3f}")

# %% [markdown]
# And now the new question: what is x⁰, and how steep is it? Ask your rule too, with n = 0: at x = 3, and at x = 0.

# %% [markdown]
# ### Exercise 2.3
#
# In `babygrad/value.py`, fill in `__pow__`. There is one input now, so `(self,)`: the comma makes it a tuple of one. The name for drawings is `f"**{exponent}"`. `as_number(x)`, at the end of `value.py`, gives x as a float or raises.
# The check asks for exponents that are whole, negative, a fraction or 0, at numbers of both signs and at 0, and it tries to get a text and a Value past you.
#
# Before you ask it, verify with your own tool. `verify` sets the slope that your `Value` remembers beside the nudged one.

# %%
def verify(name, f, of_values, places):
    """The slopes of f, found by nudging, beside those that your Value remembers."""
    print(f"{name}\n     x   by nudging     yours")
    for x in places:
        yours = sum(of_values(Value(x))._slopes)
        print(f"{x:6g}{round(numerical_derivative(f, x), 3) + 0.0:13.3f}{round(yours, 3) + 0.0:10.3f}")


for name, power in {"x^5": lambda x: x**5, "x^-0.5": lambda x: x**-0.5}.items():
    verify(name, power, power, (0.3, 0.6, 1.2, 2, 3, 5))

# %%
%check 2.3

# %% [markdown]
# <details><summary>The rule, in one line</summary>
#
# 2x, 3x², 4x³, -x⁻²: the exponent comes in front, and is lowered by one. The slope of xⁿ is n · xⁿ⁻¹. For n = 0 that would be 0 · x⁻¹, which does not exist at 0. But
# x⁰ is 1 everywhere, and what never changes has slope 0.
#
# </details>
#
# Ada types `x ** "3"`; Ben types `x ** y`, and `y` is a Value. If `y` may change too, a second slope is needed, and this rule has none. So both are refused, with a word on what was given:

# %% tags=["nbval-ignore-output"]
for exponent in ("3", Value(3.0), None):
    try:
        Value(2.0) ** exponent
    except TypeError as error:
        print(error)

# %% [markdown]
# ## D. Minus and divide (evening)
#
# Negation is given in `value.py`. It has no rule of its own:
#
# ```python
# def __neg__(self):
#     return self * -1.0
# ```
#
# A product remembers its inputs and slopes. So does everything that is made of products, with no slope written down again.
#
# Ben is in a hurry and takes a shorter way. His number is right.
#
# **Predict.** What will the picture show?

# %%
# bet 2.D1
%bet

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
# ### Exercise 2.4
#
# Fill in `__sub__` and `__truediv__` in `value.py` (`truediv` is Python's name for `/`). No new slope is needed: which operations that you have make x - y, and which make x / y? The check asks for differences and quotients of
# Values and numbers, and whether x is still the same afterwards.

# %%
%check 2.4

# %% [markdown]
# **Predict.** Here is 6 / 2, made of a product and a power. (Did you give your division slopes of its own? They are right, too; then this is another way to the same number.) Find the slope of the quotient to y: multiply along the path from
# y to the result.

# %%
# bet 2.D2
%bet

# %% tags=["nbval-ignore-output"]
x, y = Value(6.0, label="x"), Value(2.0, label="y")
quotient = x * y**-1
quotient.label = "x / y"
draw_graph(quotient)

# %%
print(f"by nudging: {numerical_derivative(lambda y: 6 / y, 2.0):.3f}")

# %% [markdown]
# **Explain.** -0.25 on the first step, 6 on the second: -0.25 · 6 = -1.5. In symbols the first is -1/y², the second is x,
# together -x/y². Nobody had to write that formula down: it comes out of two simpler rules.

# %% [markdown]
# ## E. Numbers on the left (evening)
#
# `x - 5` works: `as_value` makes a leaf of the 5, and refuses what is no number.

# %%
x = Value(2.0, label="x")
print((x - 5).data)
try:
    x - "five"
except TypeError as error:
    print(error)

# %% [markdown]
# What about `5 - x`? Look at it first with a class that can do nothing but subtract.

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
# bet 2.E1
%bet

# %%
BrokenNumber.__rsub__ = BrokenNumber.__sub__
print((5 - BrokenNumber(2)).data)

# %% [markdown]
# **Explain.** In `x.__rsub__(5)` x is `self` although it stands on the right. `__sub__` computes `self` minus `other`, which is 2 - 5.
# No error any more, but a wrong number: that is worse.

# %% [markdown]
# ### Exercise 2.5
#
# For sums and products, where the order does not matter, `__radd__` and `__rmul__` are given: they hand the number to `+` and `*`. In `__rsub__` and `__rtruediv__` it does matter. Their first line has already made a Value of the number on the left.
# The check asks for numbers on the left of both, NumPy's numbers too.

# %%
%check 2.5

# %%
x = Value(2.0)
print((5 - x).data, (10 / x).data, (3 + x).data, (3 * x).data, sum([x, x, x]).data)

# %% [markdown]
# ## F. When the exponent moves (stretch)
#
# One operator is left that can have a number on its left: `2 ** x`. Now the base stands still and the exponent moves.
#
# **Predict.** At x = 2, x² and 2ˣ are both 4. At x = 4 both are 16. Ada says: then they climb equally fast there. Place your bets:
# which one is steeper at 2, and which at 4, or are they the same?

# %%
# bet 2.F1
%bet

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

# %% [markdown]
# So look again. What has the slope of 2ˣ to do with the result, in every row? And for the base 3?

# %%
PLACES = (-2, -1, 0, 1, 2, 3)
look("2^x", lambda x: 2.0**x, PLACES)
look("3^x", lambda x: 3.0**x, PLACES)

# %% [markdown]
# **Predict.** The base decides one number. For 2 it is 0.69, say, and for 3 it is 1.1: find more digits in the tables. A function of `math` makes both of them out of the base. Which one? Try it on 2, on 3, and then on 10.

# %%
# bet 2.F2
%bet

# %%
print(f"slope of 10^x at 0, where the result is 1: {numerical_derivative(lambda x: 10.0**x, 0.0):.4f}")

# %% [markdown]
# ### Exercise 2.6
#
# Fill in `__rpow__` in `value.py`. For `2 ** x` Python calls `x.__rpow__(2)`. The pattern of the last exercise does not help here: it would end in `__pow__`, which
# refuses a Value as exponent. So this one gets a result and a slope of its own, and the name `f"{base}**"`. Verify, then check. The check asks for bases above and below 1, for exponents of both signs, and for a base that is no number.

# %%
for name, power in {"3^x": lambda x: 3.0**x, "0.5^x": lambda x: 0.5**x}.items():
    verify(name, power, power, PLACES)

# %%
%check 2.6

# %% [markdown]
# <details><summary>What the base decides</summary>
#
# Each unit of x doubles 2ˣ, so its slope grows with the result: it is 0.693 · 2ˣ, everywhere. For 3ˣ the factor is 1.099, for 10ˣ it is 2.303. These are the
# natural logarithms of the bases, `math.log(base)`.
#
# </details>

# %% [markdown]
# ## G. sin, exp, log
#
# Three functions of one number, so one slope each. That of the sine you found in notebook 01: the cosine. In `value.py` it is worked: the number, the one input, the name, the one slope.
#
# ```python
# def sin(self):
#     return Value(math.sin(self.data), (self,), "sin", (math.cos(self.data),))
# ```
#
# Now eˣ, which was worked in 01, and the natural logarithm, which is new.
#
# **Predict.** In each table, which number of the row is the slope, or what is it made of?

# %%
# bet 2.G1
%bet

# %%
look("exp(x)", math.exp, PLACES)
look("log(x)", math.log, (0.1, 0.5, 1, 2, 4, 10))

# %% [markdown]
# ### Exercise 2.7
#
# Fill in `exp` and `log` in `value.py`. Verify, then check. The check asks for numbers and slopes, large ones too, and that `exp(1000)` and `log(0)` raise what `math` raises.

# %%
verify("exp", math.exp, Value.exp, PLACES)
verify("log", math.log, Value.log, (0.1, 0.5, 1, 2, 4, 10))

# %%
%check 2.7

# %% [markdown]
# <details><summary>The two rules</summary>
#
# eˣ is its own slope. It is the rule for 2ˣ with the base e = 2.718…, whose logarithm is 1. The slope of the logarithm is 1/x: steep near 0, and flatter and flatter.
#
# </details>
#
# **Predict.** Three things that cannot be computed. Does `Value` answer, or does it stop? Which of the three is merely too large?

# %%
# bet 2.G2
%bet

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
# ## H. Functions that bend (evening)
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
# **Predict.** Now the same curves once more, with the slope drawn against the *result* instead of x. Each dot is a place from -4 to 4. Which expression of t = tanh(x) goes through the dots on the left, and which one of
# s = sigmoid(x) on the right?

# %%
# bet 2.H1
%bet

# %%
def sigmoid(x):
    return 1 / (1 + math.exp(-x))


figure, panels = plt.subplots(1, 2, figsize=(9, 3))
for panel, (name, f) in zip(panels, {"t = tanh(x)": math.tanh, "s = sigmoid(x)": sigmoid}.items()):
    dots = np.linspace(-4, 4, 33)
    panel.plot([f(x) for x in dots], [numerical_derivative(f, x) for x in dots], "o", color="#D55E00", markersize=4)
    panel.set_title(f"Slope and result of {name}", fontsize=11)
    panel.set_xlabel(f"result {name[0]}")
    panel.set_ylim(bottom=0)
    panel.locator_params(axis="x", nbins=5)
    panel.grid(alpha=0.4)
panels[0].set_ylabel("slope")
plt.tight_layout()
plt.show()
look("tanh(x)", math.tanh, (-3, -1, -0.5, 0, 1, 2))
look("sigmoid(x)", sigmoid, (-3, -1, -0.5, 0, 1, 2))

# %% [markdown]
# Both sets of dots are arches. The left one stands on -1 and 1 and is 1 high, the right one stands on 0 and 1 and is a quarter high.
#
# There is a trap in sigmoid, too.
#
# **Predict.** What does its formula give at 0, at 1000, and at -1000?

# %%
# bet 2.H2
%bet

# %%
for x in (0.0, 1000.0, -1000.0):
    try:
        print(f"{x:6.0f}  {sigmoid(x)}")
    except OverflowError as error:
        print(f"{x:6.0f}  OverflowError: {error}")

# %% [markdown]
# **Explain.** At -1000 the right answer is as good as 0, but on the way the formula asks for e¹⁰⁰⁰. `math.exp` gives up at about 710.
#
# The same fraction can be written in another way. Multiply it by eˣ above and below the line:
#
# 1 / (1 + e⁻ˣ) = eˣ / (1 + eˣ)
#
# At x = 2 the left side is 1 / (1 + 0.135) = 0.881, the right side 7.389 / (1 + 7.389) = 0.881.
#
# What does the form on the right ask for, at -1000 and at 1000?

# %% [markdown]
# ### Exercise 2.8
#
# Fill in `tanh` and `sigmoid` in `value.py`. `math.tanh` is safe everywhere. Verify, then check. The check asks for numbers and slopes near 0 and at -1000 and 1000.

# %%
verify("tanh", math.tanh, Value.tanh, PLACES)
verify("sigmoid", sigmoid, Value.sigmoid, PLACES)

# %%
%check 2.8

# %% [markdown]
# <details><summary>The two arches</summary>
#
# 1 - t² is 1 in the middle and 0 at -1 and 1: the slope of tanh. s · (1 - s) is 0 at 0 and at 1, and 0.25 in the middle: the slope of sigmoid. Both need nothing but the result.
#
# </details>

# %% [markdown]
# ## I. A kink (evening)
#
# relu has two straight halves, and a kink at 0.
#
# **Predict.** What are its slopes on the left and on the right? And right at 0: if you nudge to the right only, to the left only, to both sides?

# %%
# bet 2.I1
%bet

# %%
def relu(x):
    return max(x, 0.0)


look("relu(x)", relu, (-3, -0.5, -0.01, 0.01, 0.5, 3))
h = 0.001
print("at 0")
print("to the right:  ", (relu(0 + h) - relu(0)) / h)
print("to the left:   ", (relu(0) - relu(0 - h)) / h)
print("to both sides: ", (relu(0 + h) - relu(0 - h)) / (2 * h))

# %% [markdown]
# **Explain.** At 0 there are three answers, and none of them is wrong: at a kink there is no one slope. Somebody has to choose. We take the left one, as PyTorch does.

# %% [markdown]
# ### Exercise 2.9
#
# Fill in `relu` in `value.py`. The check asks on both sides and at the kink.

# %%
%check 2.9

# %% [markdown]
# ## J. A graph that somebody cares about
#
# A machine predicts w · x + b. For x = 3 it should say 1. How wrong is it? The square of the error says it, and is called the **loss**. To learn means to change w and b so that the loss falls.

# %% tags=["nbval-ignore-output"]
w, x, b = Value(0.5, label="w"), Value(3.0, label="x"), Value(1.0, label="b")
error = w * x + (b + -1)  # w * x + b - 1, in an order that makes a narrow picture
error.label = "error"
loss = error**2
loss.label = "loss"
draw_graph(loss)

# %% [markdown]
# **Predict.** Walk back by hand, from the loss to w and to b. Should each grow or shrink, so that the loss falls? And which of the two matters more?

# %%
# bet 2.J1
%bet

# %%
def loss_at(w, b):
    return (w * 3 + b - 1) ** 2


to_w = numerical_derivative(lambda w: loss_at(w, 1.0), 0.5)
to_b = numerical_derivative(lambda b: loss_at(0.5, b), 1.0)
print(f"slope of the loss to w {to_w:.3f}, to b {to_b:.3f}")
print(f"loss now {loss_at(0.5, 1.0):.3f}, after a small step against both slopes {loss_at(0.5 - 0.02 * to_w, 1.0 - 0.02 * to_b):.3f}")

# %% [markdown]
# **Explain.** The slope of the square is 2 · 1.5 = 3 at the error, and 3 is what comes to b. On the way to w it is multiplied by x, which is 3: 9. Both should shrink, and w matters three times as much.
#
# That one step is what all networks do, with millions of numbers instead of two.

# %% [markdown]
# ## Bug hunt (stretch)
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
# ### Exercise 2.10
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
