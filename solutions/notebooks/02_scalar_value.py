# %% [markdown]
# # 02 · A number that remembers
#
# Here you build the number that the whole course stands on. A `Value` computes like any number, and it remembers how it was made. From that, one walk back finds the derivatives with respect to
# all inputs. Here you walk by hand; in notebook 03 the computer does it.
#
# You can begin here. Of 00 you need this: write into the file, *save* it, run the next cell; `%check` says whether it is right, `%hint` helps, `%predict` keeps your guess, and `make fill`, in a terminal (menu File, New, Terminal), puts an answer in. Of 01 you need one thing. The **derivative** of f at x, its *slope* there, says how much f(x) changes for each unit that x changes. Nudge x from 3 to 3.001: if f(x) grows from 9 to 9.006,
# the derivative is nearly 0.006 / 0.001 = 6. `nudge`, below, measures it a little better, to both sides.

# %% jupyter={"source_hidden": true}
%load_ext grader

# %%
import math

import matplotlib.pyplot as plt
import numpy as np

from babygrad import Value
from toolbox import draw_graph


def nudge(f, x, h=1e-6):
    """The slope of f at x, measured: what your numerical_derivative of notebook 01 finds, too."""
    return (f(x + h) - f(x - h)) / (2 * h)

# %% [markdown]
# ## Goals
#
# Afterwards you can
#
# - make a class of your own work with `+ - * / **`, also when the number on the left is a plain one,
# - name the local derivative of every operation from `+` to `sigmoid`,
# - read a computation graph: leaves, inner nodes, operations, local derivatives,
# - find all derivatives of a small expression by hand, from the result back to its leaves.

# %% [markdown]
# ## Recall

# %%
%quiz before 02

# %% [markdown]
# <details class="recall"><summary>Three questions on notebook 01 (if you begin here, the first two)</summary>
#
# 1. You nudge x from 2 to 2.001, and f(x) grows from 8 to 8.012. What is the derivative of f at 2, nearly?
# 2. c = a · b and d = c · w, with a = 2, b = 4, w = 3. How much does d change for each unit that a changes?
# 3. A function has 1,000 inputs. How many runs with dual numbers give you all 1,000 derivatives?
#
# </details>
#
# <details><summary>Answers</summary>
#
# 1. 12: the change 0.012 divided by the nudge 0.001.
# 2. 12: c changes by b = 4 for each unit of a, and d changes by w = 3 for each unit of c. Along the path you multiply: 4 · 3. That is the chain rule.
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
# `c` is 5.0, and that is all it knows. Nobody can tell from `c` that it would grow if `a` did. A `Value` keeps more than its number. (`label` is only a name for drawings.)

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
# Each of these Values is a **node**. `a` and `b` were made by hand: a node that was made from no other is a **leaf**. `c` was made from others: it is an **inner node**. Nodes, each linked to those it was made from, form a **computation graph**. Its links have a direction, and no path ever comes back to where it began, since nothing is made from itself. Such a graph is called a **directed acyclic graph**, a DAG.
#
# A *local slope* belongs to one operation and one of its inputs: it says how much the result changes for each unit that this input changes, while the other input stays as it is. Its usual name is **local derivative**. It is a partial derivative, written ∂c/∂a and read "the derivative
# of c with respect to a". In a sum both are 1: if `a` is 0.1 larger, so is `c`.

# %%
draw_graph(c)

# %% [markdown]
# A box is a node, with its label and its number. Round corners mean a leaf. A circle is an operation, and each arrow into it shows the local derivative for that input, as *slope*.
#
# *No gradient yet*, it says: `grad` stays 0.0 in every node until somebody walks back from the result.

# %% [markdown]
# This is addition, as it stands in `babygrad/value.py`:
#
# ```python
# def __add__(self, other):
#     other = as_value(other)
#     return Value(self.data + other.data, (self, other), "+", (1.0, 1.0))
# ```
#
# Python calls `a.__add__(b)` when it meets `a + b`: there `self` is `a`. `as_value` leaves a Value as it is, and makes a leaf of a plain number. Then comes the result: the number, the inputs, the operation, and one
# slope for each input, in the same order. A slope is a plain number.

# %% [markdown]
# Now multiplication.
#
# **Predict.** In a · b, with a = 2 and b = 3: what is ∂(a · b)/∂a, the number on the arrow from `a`? And ∂(a · b)/∂b? Then nudge, here and at five other places.

# %%
# prediction 2.A1
%predict

# %% jupyter={"source_hidden": true}
print("     a    b   a · b   ∂(a · b)/∂a   ∂(a · b)/∂b")
for a, b in ((2, 3), (2, 5), (2, -1), (4, 3), (-6, 3), (0.5, 10)):
    to_a = nudge(lambda a: a * b, a)
    to_b = nudge(lambda b: a * b, b)
    print(f"{a:6}{b:5}{a * b:8}{to_a:14.3f}{to_b:14.3f}")

# %% [markdown]
# ### Exercise 2.1
#
# Open `babygrad/value.py` beside this notebook and look for `# exercise 2.1`. Replace the `raise` line, save, and come back. Addition, just above it, shows the pattern. The number in a Value is its `.data`. The operation's name is its sign, and `a * a` has two inputs as well.

# %%
%check 2.1

# %% [markdown]
# **Explain.** 0.1 more in `a` counts three times, because `b` is 3. The local derivative for each side is the number on the *other* side.
#
# **Predict.** `square = a * a`, for `a` = 3. How many arrows go into the circle? Which slopes do they have? And how much does the square change, all in all, for each unit of `a`?

# %%
# prediction 2.A2
%predict

# %% tags=["nbval-ignore-output"]
a = Value(3.0, label="a")
square = a * a
square.label = "square"
draw_graph(square)

# %% [markdown]
# **Explain.** Two arrows, both from `a`, with slope 3 each. When `a` moves, both sides of the product move, so the two count together: 3 + 3 = 6, the derivative of x² at 3.
#
# *What is used twice contributes twice, and the contributions add up.* From here on we call each of them a *share*, or contribution.

# %% [markdown]
# ## B. A gradient by hand (evening)
#
# Sums and products remember. That is enough for a first gradient, with pencil and paper. Take u = x · y and L = x + u, at x = 3 and y = 4. Computing the numbers, from the leaves to the result, is called the **forward pass**. The gradients are left blank for you:

# %% tags=["nbval-ignore-output"]
x, y = Value(3.0, label="x"), Value(4.0, label="y")
u = x * y
u.label = "u"
L = x + u
L.label = "L"
draw_graph(L, blank=True)

# %% [markdown]
# The **gradient** of L with respect to a node is the answer to one question: how much does L change for each unit that this node changes? For the node u it is ∂L/∂u. We also say *the gradient of u*, for short.
#
# At the end it is easy: L changes by 1 for each unit that L changes. From there you go back. The gradient of a node is its *local derivative times the gradient of the result it went into*:
#
# - ∂L/∂L = 1.
# - u went into L, with local derivative 1. So ∂L/∂u = 1 · 1 = 1.
# - y went into u, with local derivative 3. So ∂L/∂y = 3 · ∂L/∂u = 3 · 1 = 3.
#
# **Predict.** x went into u, with local derivative 4, and into L, with local derivative 1. What is ∂L/∂x: 1, 3, 4, 5, or something else?

# %%
# prediction 2.B1
%predict

# %%
print(f"∂L/∂x, by nudging: {nudge(lambda x: x + x * 4, 3.0):.3f}")
print(f"∂L/∂y, by nudging: {nudge(lambda y: 3 + 3 * y, 4.0):.3f}")

# %% [markdown]
# **Explain.** x moves L in two ways at once. Through u it sends the share 4 · 1, straight into L the share 1 · 1. This is the **chain rule**: *along a path multiply, where paths meet add.*
#
# ∂L/∂x = 4 · ∂L/∂u + 1 · ∂L/∂L = 4 + 1 = 5
#
# Why from the back? Because every step needs the gradient of the result, and at first only L's is known. The reward: one walk is enough for all leaves, whether there are two or a million. Walking back like this, from the result to its leaves, is called **backpropagation**.
#
# The evening's way goes on with section C.

# %% [markdown]
# ### Exercise 2.2
#
# Your turn, on paper: L = ((a · b) + c) · (a + d). This is its computation graph, for you to fill in:

# %% tags=["nbval-ignore-output"]
a, b, c, d = Value(2.0, label="a"), Value(3.0, label="b"), Value(4.0, label="c"), Value(5.0, label="d")
t1 = a * b
t2 = t1 + c
t3 = a + d
L = t2 * t3
t1.label, t2.label, t3.label, L.label = "t1", "t2", "t3", "L"
draw_graph(L, blank="all")

# %% [markdown]
# Copy the graph; fill in each number, and on each arrow the local derivative (*slope*). Then walk back from L.
#
# Type what you found into `by_hand` in `babygrad/hunts.py`; you may fill in a part and ask `%check`. Half of its questions have other leaves. For those replace each number by what it was made from: `"t1": a * b`.

# %%
%check 2.2

# %% [markdown]
# Here is the graph as it remembers itself. Are your local derivatives on its arrows?

# %% tags=["nbval-ignore-output"]
draw_graph(L)

# %% [markdown]
# **A good place to stop.** You have done all of backpropagation by hand. On a fresh kernel, run the imports, which define `nudge` too.

# %% [markdown]
# ## C. Powers: look, guess, write, verify (evening)
#
# Rules are found by experiment here: look at nudged slopes, guess, write the rule in code, and let the nudge judge it.
#
# x³ could be written as x · x · x. But 1/x and √x, which are x⁻¹ and x to the power of 0.5, could not. So powers get a rule of their own, for *every* exponent and at *every* x.
#
# `look` prints a table of nudged slopes. First x².

# %% jupyter={"source_hidden": true}
PLACES = (-2, -1, 0, 1, 2, 3)


def look(name, f, places=PLACES):
    """A table: x, f(x), and the slope of f at x, found by nudging."""
    print(f"     x{name:>12}     slope")
    for x in places:
        print(f"{x:6g}{f(x):12.3f}{round(nudge(f, x), 3) + 0.0:10.3f}")

# %%
look("x^2", lambda x: x**2)

# %% [markdown]
# Each slope is twice its x. And here are the slopes of four powers:

# %% jupyter={"source_hidden": true}
print("     x   slope of x^2   of x^3     of x^4    of x^-1")
for x in (-2, -1, 1, 2, 3, 10):
    two, three, four, minus_one = (nudge(lambda x: float(x) ** n, x) for n in (2, 3, 4, -1))
    print(f"{x:6}{two:12.2f}{three:12.2f}{four:11.2f}{minus_one:11.4f}")

# %% [markdown]
# Which rule fits all four columns? (The row for x = 10 is the easiest to read.) Write it in place of `2 * x` in the next cell, and see whether it agrees with the nudge, for the square root too.

# %% tags=["nbval-ignore-output"]
def guess(x, n):
    return 2 * x  # fits n = 2 and no other: your rule goes here


print("     n   slope of x^n at 3   your guess")
for n in (2, 3, 4, -1, 0.5):
    print(f"{n:6}{nudge(lambda x: x**n, 3.0):16.3f}{guess(3.0, n):15.3f}")

# %% [markdown]
# And where does the rule break down? What is x⁰, and how steep is it? Ask your rule too, with n = 0: at x = 3, and at x = 0.

# %% [markdown]
# ### Exercise 2.3
#
# In `babygrad/value.py`, fill in `__pow__`. There is only one input now, so the inputs are `(self,)`: the comma makes it a tuple of one. The name for drawings is `f"**{exponent}"`.
#
# The exponent must be a plain number. If it were a Value, it might change too: a second slope would be needed, and this rule has only one. `as_number(x)`, at the end of `value.py`, returns x as a float, or raises a TypeError that says what x was.
#
# Before you ask the check, verify for yourself: `verify` shows the slope that your `Value` remembers beside the nudged one.

# %% jupyter={"source_hidden": true}
def verify(name, f, of_values, places=PLACES):
    """The slopes of f, found by nudging, beside those that your Value remembers."""
    print(f"{name}\n     x   by nudging     yours")
    for x in places:
        yours = sum(of_values(Value(x))._slopes)
        print(f"{x:6g}{round(nudge(f, x), 3) + 0.0:13.3f}{round(yours, 3) + 0.0:10.3f}")

# %%
for name, power in {"x^5": lambda x: x**5, "x^-0.5": lambda x: x**-0.5}.items():
    verify(name, power, power, (0.3, 0.6, 1.2, 2, 3, 5))

# %%
%check 2.3

# %% [markdown]
# <details><summary>The rule, in one line</summary>
#
# The exponent comes in front, and is lowered by one: the derivative of xⁿ is n · xⁿ⁻¹. For n = 0 that would be 0 · x⁻¹, which does not exist at 0. But x⁰ is 1 everywhere, and what never changes has derivative 0.
#
# </details>

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
# A product remembers its inputs and slopes. So does everything that is made of products.

# %% [markdown]
# ### A shortcut (core)
#
# Ben takes a shortcut, in the next cell. His number is right.
#
# **Predict.** What will the picture of y show?

# %%
# prediction 2.D1
%predict

# %%
def broken_negation(x):
    return Value(-x.data)


x = Value(5.0, label="x")
y = broken_negation(x)
y.label = "y"
draw_graph(y)

# %% [markdown]
# **Explain.** One box, and no way back to x. Ben took the number out of the Value and made a new leaf of it. Whenever a result is made from `.data` alone, the graph ends there.

# %% [markdown]
# ### Exercise 2.4
#
# Fill in `__sub__` and `__truediv__` in `value.py` (`truediv` is Python's name for `/`). No new slope is needed: which of the operations that you have make x - y, and which make x / y? (The evening's way then goes on with section H.)

# %%
%check 2.4

# %% [markdown]
# ### The derivative of a quotient (core)
#
# Here is 6 / 2, made of a product and a power. What is the derivative of the quotient with respect to y? Multiply along the path from y to the result.

# %% tags=["nbval-ignore-output"]
x, y = Value(6.0, label="x"), Value(2.0, label="y")
quotient = x * y**-1
quotient.label = "x / y"
draw_graph(quotient)

# %% [markdown]
# -0.25 on the first step, 6 on the second: -0.25 · 6 = -1.5. In symbols the first is -1/y² and the second is x. So
#
# ∂(x/y)/∂y = -x/y²
#
# It comes out of two simpler rules.

# %% [markdown]
# **A good place to stop.** On a fresh kernel, run the imports, which define `nudge`, and the cells of C that define `look` and `verify`.

# %% [markdown]
# ## E. Numbers on the left
#
# `x - 5` works: `as_value` makes a leaf of the 5. What about `5 - x`? Look at it first with a class that can do nothing but subtract.

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
# Telling Python what `+` or `-` means for a class of your own is called **operator overloading**. Python asks the left side first: `(5).__sub__(x)`. A plain 5 has never heard of your class. Then Python turns to the right side, and calls
# `x.__rsub__(5)`. The r stands for *reflected*. `BrokenNumber` has no such method.
#
# **Predict.** Cleo adds one line, `__rsub__ = __sub__`, and the error is gone. What is 5 - 2 now?

# %%
# prediction 2.E1
%predict

# %%
BrokenNumber.__rsub__ = BrokenNumber.__sub__
print((5 - BrokenNumber(2)).data)

# %% [markdown]
# **Explain.** In `x.__rsub__(5)`, x is `self`, although it stands on the right. `__sub__` computes `self` minus `other`, which is 2 - 5. Now there is no error, only a wrong number, which is worse.

# %% [markdown]
# ### Exercise 2.5
#
# For sums and products, where the order does not matter, `__radd__` and `__rmul__` are given. Fill in `__rsub__` and `__rtruediv__`. Their first line has already made a Value of the number on the left.

# %%
%check 2.5

# %% [markdown]
# ## F. When the exponent moves (stretch)
#
# One case of operator overloading is left: `2 ** x`. The rule for xⁿ is about a base that moves; here the base stands still and the exponent moves. So look again. In every row, how is the slope of 2ˣ related to the result? And for the base 3?

# %%
look("2^x", lambda x: 2.0**x)
look("3^x", lambda x: 3.0**x)

# %% [markdown]
# The base decides one number. For 2 it begins with 0.69, and for 3 with 1.1: find more digits in the tables. A function in `math` turns the base into that number. Which one? What will it be for 10?

# %%
print(f"slope of 10^x at 0, where the result is 1: {nudge(lambda x: 10.0**x, 0.0):.4f}")

# %% [markdown]
# For `2 ** x` Python calls `x.__rpow__(2)`. The pattern of the last exercise does not help here: it would end in `__pow__`, which refuses a Value as exponent. So `__rpow__`, which is given, has a result and a slope of its own. Read it in `value.py`: it has the number you are looking for.

# %%
for name, power in {"3^x": lambda x: 3.0**x, "0.5^x": lambda x: 0.5**x}.items():
    verify(name, power, power)

# %% [markdown]
# <details><summary>What the base decides</summary>
#
# The slope of 2ˣ is 0.693 · 2ˣ, everywhere. For 3ˣ the factor is 1.099, for 10ˣ it is 2.303. These are the natural logarithms of the bases, `math.log(base)`.
#
# </details>

# %% [markdown]
# ## G. sin, exp, log
#
# Three functions of one number, so one slope each. Python has no signs for them, so there is no operator overloading: they are methods, `x.sin()`. The derivative of the sine is the cosine. In `value.py` it is worked out for you:
#
# ```python
# def sin(self):
#     return Value(math.sin(self.data), (self,), "sin", (math.cos(self.data),))
# ```
#
# **Predict.** Here are three things that cannot be computed: e¹⁰⁰⁰ (e is about 2.718), the logarithm of 0, and 0 ** -1. Which of them is merely too large? And will Python answer, or stop with an error?

# %%
# prediction 2.G1
%predict

# %%
attempts = {
    "exp(1000)": lambda: math.exp(1000.0),
    "log(0)   ": lambda: math.log(0.0),
    "0 ** -1  ": lambda: 0.0**-1,
}
for name, attempt in attempts.items():
    try:
        print(name, attempt())
    except (OverflowError, ValueError, ZeroDivisionError) as error:
        print(name, type(error).__name__)

# %% [markdown]
# **Explain.** e¹⁰⁰⁰ exists, but no float can hold it. The other two do not exist. `Value` should stop where Python's own arithmetic stops, in the line where it happens.
#
# Now eˣ and its inverse, the natural logarithm. In each table, which number of the row is the slope, or what is it made of?

# %%
look("exp(x)", math.exp)
look("log(x)", math.log, (0.1, 0.5, 1, 2, 4, 10))

# %% [markdown]
# ### Exercise 2.7
#
# Fill in `exp` and `log` in `value.py`. Where `math` raises an exception, they raise it too. Verify, then check.

# %%
verify("exp", math.exp, Value.exp)
verify("log", math.log, Value.log, (0.1, 0.5, 1, 2, 4, 10))

# %%
%check 2.7

# %% [markdown]
# <details><summary>The two rules</summary>
#
# eˣ is its own derivative: where it is 7, its slope is 7. The derivative of the logarithm is 1/x.
#
# </details>

# %% [markdown]
# **A good place to stop.** On a fresh kernel, run the imports, which define `nudge`, and the cells of C that define `look` and `verify`.

# %% [markdown]
# ## H. Functions that bend (evening)
#
# Notebook 04 will need functions that bend: tanh, sigmoid, relu. A function used like that is called an **activation function**.

# %% jupyter={"source_hidden": true}
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
# (e is about 2.718, and `math.exp(x)` is eˣ.) tanh climbs from -1 to 1, sigmoid from 0 to 1, and both are flat far out on either side. relu is 0 for negative numbers, then a straight line.
#
# Now the slopes of tanh and sigmoid in tables, then drawn against the *result* instead of x. Each dot is a place between -4 and 4.

# %%
def sigmoid(x):
    return 1 / (1 + math.exp(-x))


look("tanh(x)", math.tanh, (-3, -1, -0.5, 0, 1, 2))
look("sigmoid(x)", sigmoid, (-3, -1, -0.5, 0, 1, 2))

# %% jupyter={"source_hidden": true}
figure, panels = plt.subplots(1, 2, figsize=(9, 3))
for panel, (name, f) in zip(panels, {"t = tanh(x)": math.tanh, "s = sigmoid(x)": sigmoid}.items()):
    dots = np.linspace(-4, 4, 33)
    panel.plot([f(x) for x in dots], [nudge(f, x) for x in dots], "o", color="#D55E00", markersize=4)
    panel.set_title(f"Slope and result of {name}", fontsize=11)
    panel.set_xlabel(f"result {name[0]}")
    panel.set_ylim(bottom=0)
    panel.locator_params(axis="x", nbins=5)
    panel.grid(alpha=0.4)
panels[0].set_ylabel("slope")
plt.tight_layout()
plt.show()

# %% [markdown]
# Both sets of dots are arches. The left one goes from -1 to 1 and is 1 high, the right one goes from 0 to 1 and is a quarter high.
#
# Which expression of t = tanh(x) goes through the dots on the left, and which one of s = sigmoid(x) through those on the right? Write both into the next cell, in place of two that are not quite right, and see whether they agree with the nudge.

# %% tags=["nbval-ignore-output"]
def from_t(t):
    return 1 - abs(t)  # 1 in the middle, 0 at both ends, and no arch: your expression goes here


def from_s(s):
    return s / 2  # your expression goes here


print("     x   tanh: slope   yours   sigmoid: slope   yours")
for x in (-2, -1, 0, 0.5, 3):
    print(f"{x:6}{nudge(math.tanh, x):14.3f}{from_t(math.tanh(x)):8.3f}{nudge(sigmoid, x):17.3f}{from_s(sigmoid(x)):8.3f}")

# %% [markdown]
# A trap: the formula of sigmoid fails far to the left.

# %% jupyter={"source_hidden": true}
for x in (0.0, 1000.0, -1000.0):
    try:
        print(f"{x:6.0f}  {sigmoid(x)}")
    except OverflowError as error:
        print(f"{x:6.0f}  OverflowError: {error}")

# %% [markdown]
# At -1000 the right answer is as good as 0, but on the way the formula asks for e¹⁰⁰⁰, and `math.exp` gives up at about 710. Multiply numerator and denominator by eˣ, and the same fraction looks different:
#
# 1 / (1 + e⁻ˣ) = eˣ / (1 + eˣ)
#
# Neither form is safe everywhere. For which x is each of them?

# %% [markdown]
# ### Exercise 2.8
#
# Fill in both activation functions, `tanh` and `sigmoid`, in `value.py`, so that they answer at -1000 and 1000 too. `math.tanh` is safe everywhere. Verify, then check.

# %%
verify("tanh", math.tanh, Value.tanh)
verify("sigmoid", sigmoid, Value.sigmoid)

# %%
%check 2.8

# %% [markdown]
# <details><summary>The two arches</summary>
#
# The derivative of tanh is 1 - t², that of sigmoid s · (1 - s). Both need nothing but the result.
#
# </details>

# %% [markdown]
# ## I. A kink (evening)
#
# relu is one of the most common activation functions. It has two straight halves, and a kink at 0.
#
# **Predict.** What are its slopes on the left and on the right? And right at 0: if you nudge to the right only, to the left only, to both sides?

# %%
# prediction 2.I1
%predict

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
# **Explain.** Three answers: at a kink there is no derivative. Somebody has to choose one. We take the left one, as PyTorch does.

# %% [markdown]
# ### Exercise 2.9
#
# Fill in `relu` in `value.py`: the number and the slope, on both sides of the kink and at the kink.

# %%
%check 2.9

# %% [markdown]
# **A good place to stop.** On a fresh kernel, run the imports.

# %% [markdown]
# ## Bug hunt (stretch)
#
# Ada, Ben and Cleo each wrote an engine, and each tested it with a = 1 and b = 0, because these numbers are easy. `Right` is an engine without a mistake. Every row shows ∂/∂a and ∂/∂b.

# %%
from grader.broken_engines.operators import Ada, Ben, Cleo, Right

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
# All tests pass. And yet Ada's powers, Ben's divisions and Cleo's relu have a wrong slope. Find out how they are wrong: try them on numbers made from a and b, such as a + a.
#
# ### Exercise 2.10
#
# In `hunts.py`, write one expression of a and b, still 1 and 0, for which all three find a wrong slope. Use at most 6 operations. Try ideas here first:

# %%
compare("mine", lambda a, b: a + b)

# %%
%check 2.10

# %% [markdown]
# <details><summary>Why 1 and 0 are poor test numbers</summary>
#
# Every power of 1 is 1, and 0 times anything hides the anything. Test with numbers that are all different, of both signs, and none of them 1; then, for kinks, with exactly 0.
#
# </details>

# %% [markdown]
# ## Reflection
#
# Write an answer to one of these questions before you unfold ours, and say the other aloud.
#
# **When is the computation graph built, and what does an `if` in your code do to it?**

# %%
%%note 2.R1

# %% [markdown]
# <details><summary>Answer</summary>
#
# During the forward pass: each operation adds its node. An `if` or a loop decides which operations run, and only these are in the graph. The next run may build another one.
#
# </details>
#
# **Why can the local derivatives be plain numbers, and need no formulas?**

# %%
%%note 2.R2

# %% [markdown]
# <details><summary>Answer</summary>
#
# They are wanted at one point only: at the numbers of this forward pass. At that moment everything in the formula is known, so it is computed at once.
#
# </details>

# %%
%predictions 02

# %% [markdown]
# ## In other books
#
# What the words of this notebook are called elsewhere, and in PyTorch and JAX: [the glossary](../docs/glossary.md#02-a-number-that-remembers).

# %% [markdown]
# ## The rule to keep
#
# **A result remembers its inputs and the local derivative for each. Along a path multiply; where paths meet, add.**
#
# In notebook 03 the computer takes over the walk back. In which order?
