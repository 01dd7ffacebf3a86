# %% [markdown]
# # 05 · Functions
#
# Your engine works, one number at a time, and Python creates a node for every single product. NumPy adds two arrays of a million numbers in one call. From here to notebook 09 you build an engine of such calls: nodes are arrays. One question is new: what is the derivative of an *array*?

# %% jupyter={"source_hidden": true}
%load_ext grader

# %%
import numpy as np

from babygrad import Tensor, Value, broadcast_shape, hunts, shapes_and_rules
from babygrad.ops import Add, AddScalar, add, lerp, mul
from babygrad.value import topological_order
from toolbox import clock, draw_graph

# %% [markdown]
# ## Goals
#
# Afterwards you can
#
# - say what shape `a + b` has before you run it, or that it has none,
# - write what every operation has in common: unwrap the arrays, compute, wrap the result, record it,
# - make `+ - * / **` work with numbers, lists and arrays on either side,
# - say why nobody stores the Jacobian of an array operation, and find the vector-Jacobian product that takes its place.

# %% [markdown]
# ## Recall

# %%
%quiz before 05

# %% [markdown]
# <details class="recall"><summary>From notebooks 02 and 03, without looking</summary>
#
# 1. A result `u = a * b` of two Values remembers four things. Its number is one of them. What are the others?
# 2. `x` is a Value. For `5 - x`, which method of `x` does Python call, and what is `other` there?
# 3. In the backward pass 10 arrives at `u = a * b`. What does `a` get?
#
# </details>
#
# <details><summary>Answers</summary>
#
# - **1**: Its inputs, the name of the operation, and the local derivative with respect to each input.
# - **2**: `x.__rsub__(5)`, so `other` is 5: what stands on the left.
# - **3**: 10 · b: what arrived, times the local derivative.
#
# </details>

# %% [markdown]
# ## A. A node for each number
#
# Cleo marks an exam: 50 pupils, 4 tasks. Each mark is multiplied by the weight of its task, and everybody gets a bonus. With arrays that is one line: `marks * weights + bonus`. With Values it takes loops.
#
# **Predict.** How many nodes does her computation graph have, leaves included?

# %%
# prediction 5.A1
%predict

# %%
marks = [[Value(pupil % 7 + task) for task in range(4)] for pupil in range(50)]
weights = [Value(weight) for weight in (1.0, 0.5, 2.0, 1.5)]
bonus = Value(3.0)

results = [mark * weight + bonus for row in marks for mark, weight in zip(row, weights)]

nodes = set()
for result in results:
    nodes.update(topological_order(result))
print(len(nodes), "nodes for 2 operations")

# %% [markdown]
# **Explain.** 200 marks, 4 weights and a bonus are 205 leaves. Then there are 200 products and 200 sums: 605.
#
# In terms of arrays there are two operations and three leaves: *five* nodes, whether there are 50 pupils or 50 million. One node for each array operation: that is the plan. As with `Value`, a result remembers its inputs, its operation, and ... its local derivatives? Section C answers that.

# %% [markdown]
# ## B. Shapes that stretch
#
# In `marks * weights` 200 numbers met 4, and nobody complained. Here are two of Cleo's pupils and three tasks:

# %%
marks = np.array([[10, 0, 4], [7, 5, 2]])
weights = np.array([2, 3, 1])
print("shapes", marks.shape, "and", weights.shape)
print(marks * weights)

# %% [markdown]
# The **shape** of an array lists its sizes, one for each **axis**. `marks` has two axes, 2 pupils and 3 tasks; `weights` has one.
#
# NumPy laid the row of weights over both pupils. The smaller array is stretched until it fits: that is called **broadcasting**.
#
# The second pupil was ill and counts half. Ben writes down a factor for each pupil, 1 and 0.5, and multiplies:

# %%
factor = np.array([1, 0.5])
try:
    print(marks * factor)
except ValueError as error:
    print("ValueError:", error)

# %% [markdown]
# Two pupils, two factors, and yet they do not fit: nobody told NumPy that Ben's 2 means pupils. If the factors form a column, of shape (2, 1), it works:

# %%
print(marks * factor.reshape(2, 1))

# %% [markdown]
# **Find the rule.** A single rule is behind all this, and it only looks at the sizes. An array of shape `()` is a single number; a size of 0 means that there are no numbers at all.
#
#     (4, 3) and (3,)         (4, 1) and (1, 3)           (2, 3) and ()
#     (4, 3) and (4,)         (5, 1, 3) and (4, 3)        (2, 3) and (3, 2)
#     (4, 3) and (4, 1)       (8, 1, 6) and (7, 1)        (2,) and (0,)
#     (3,) and (2, 1)                                     (1,) and (0,)
#
# **Predict.** What does each pair give: a shape, or an error?

# %%
# prediction 5.B1
%predict

# %%
def show(a, b):
    try:
        print(f"{a!s:>10} and {b!s:7} give", (np.zeros(a) + np.zeros(b)).shape)
    except ValueError:
        print(f"{a!s:>10} and {b!s:7} do not fit")


for a, b in [((4, 3), (3,)), ((4, 3), (4,)), ((4, 3), (4, 1)), ((3,), (2, 1)), ((4, 1), (1, 3)), ((5, 1, 3), (4, 3)),
             ((8, 1, 6), (7, 1)), ((2, 3), ()), ((2, 3), (3, 2)), ((2,), (0,)), ((1,), (0,))]:
    show(a, b)

# %% [markdown]
# Two questions hide in this list, and their answers are the rule. If one shape is longer than the other: *which size meets which?* And when two sizes meet: *what becomes of them?* Try your rule on all eleven. The last two decide between two rules that agree on the first nine.
#
# ### Exercise 5.1
#
# In `babygrad/shapes_and_rules.py`, fill in `broadcast_shape`: it returns the shape that NumPy would give; `raise ValueError("...")` ends it for two shapes that do not fit. (`np.broadcast_shapes` does all of this. It would pass, and you would have learned a name.)
#
# Two things in Python may help:

# %%
print((5, 4) + (3,))
for m, n in zip((5, 4, 3), (1, 1, 3)):
    print(m, "meets", n)

# %% [markdown]
# Try your function here first. NumPy is the judge:

# %%
for a, b in [((4, 1), (4,)), ((6, 1, 5), (7, 1)), ((0,), (1, 1))]:
    print(a, "and", b, "as NumPy:", tuple(broadcast_shape(a, b)) == np.broadcast_shapes(a, b))

# %%
%check 5.1

# %% [markdown]
# <details><summary>The rule, when you have found yours</summary>
#
# The shapes are lined up at their *right* ends; a missing size counts as a 1. Then, at each place:
#
# | the two sizes | what becomes of them |
# |---|---|
# | are equal | the size stays |
# | one of them is 1 | the result is the other size, even 0 |
# | anything else | `ValueError` |
#
# </details>

# %% [markdown]
# ### A perfect net
#
# Cleo has trained a net. Its four predictions are a column, of shape (4, 1), and all four are exactly right. The true values have shape (4,). She subtracts, squares, and takes the mean: that is the mean squared error.
#
# **Predict.** What shape does the difference have, by your rule? Is the error 0?

# %%
# prediction 5.B2
%predict

# %%
predicted = np.array([[2.0], [3.0], [5.0], [8.0]])
truth = np.array([2.0, 3.0, 5.0, 8.0])
print(broadcast_shape(predicted.shape, truth.shape), "and not", truth.shape)
print(np.mean((predicted - truth) ** 2), "and not", np.mean((predicted.reshape(4) - truth) ** 2))

# %% [markdown]
# **Explain.** The column was stretched to the right and the row downwards: sixteen differences instead of four, every prediction minus every true value. No error, no warning, and a mean or a sum hides the shape. So when a result is strange, *look at the shapes first.*

# %% [markdown]
# ### Three broadcasters (stretch)
#
# A, B and C have written broadcasters too. Each is broken in its own way, and you see them only from the outside.

# %%
from grader.broken_engines.broadcasters import BROADCASTERS, said


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
# On the first two pairs all of them are right; on each of the others one is wrong. What do A, B and C do? Test your idea on pairs of your own:

# %% tags=["nbval-ignore-output"]
try_out((2, 3), (2, 3))

# %% [markdown]
# ### Exercise 5.2
#
# In `babygrad/hunts.py`, return *one* pair of shapes on which all three are wrong. One of the sizes is given. Neither shape needs more than two axes, and the last two pairs of section B are worth another look.

# %%
%check 5.2

# %% tags=["nbval-ignore-output"]
try_out(*hunts.three_broadcasters(3))

# %% [markdown]
# **A good place to stop.** You know what shape two arrays make together, before NumPy says so. On a fresh kernel, run the imports.

# %% [markdown]
# ## C. Tensor
#
# A `Tensor` is an array that remembers how it was made. The class is given, in `babygrad/tensor.py`:
#
# | attribute | what it is |
# |---|---|
# | `x.data` | the NumPy array |
# | `x.grad` | an array of the same shape after the backward pass, `None` before |
# | `x.requires_grad` | should its gradient be computed? |
# | `x._op`, `x._inputs` | the operation that made it, and the Tensors it was made from |
# | `x.label` | a name for drawings |
#
# It holds no derivatives. Each number of a result may depend on each number of an input, so the derivatives of an array operation form a table, the **Jacobian**. For large arrays no memory holds it.
#
# And nobody needs it. In the backward pass a gradient arrives at the result: one number for each of its numbers, a vector v. What an input gets is the **vector-Jacobian product**, v times the Jacobian: multiply along each path, and add where paths meet. Each operation has a *rule* that finds it without the table. For `c = a * b`, `a` gets v · b, number by number, and `b` gets v · a.

# %%
x = Tensor([[1.0, -2.0, 3.0], [4.0, 5.0, -6.0]])
print(x)
print("shape", x.shape, "  grad", x.grad, "  made by", x._op, "  from", x._inputs)

rate = Tensor(0.1, requires_grad=False)
print(rate, " shape", rate.shape)

# %% [markdown]
# A Tensor that you make by hand is a leaf. It requires grad, unless you say otherwise. (In PyTorch it is the *opposite*: there a leaf requires none, unless you say `requires_grad=True`.) `rate` is a **constant**: numbers that nobody wants to improve, such as the pixels of a picture.
#
# **Predict.** Ben makes a Tensor of `[1, 2, 3]`, three whole numbers. What is its **dtype**, the kind of its numbers? And what does `array[0] += 0.5` do to a NumPy array of whole numbers?

# %%
# prediction 5.C1
%predict

# %%
print("a Tensor of whole numbers:", Tensor([1, 2, 3]).dtype)

array = np.array([1, 2, 3])
array[0] += 0.5
print("nudged by 0.5:", array)

# %% [markdown]
# **Explain.** Nothing happens! An array of whole numbers cannot hold 1.5, so NumPy cuts it to 1, without a word. Numbers that cannot be nudged have no derivative. So a Tensor turns whole numbers into floats.
#
# Floats keep their dtype: float64, NumPy's default, or float32. Numbers and lists beside a Tensor adapt to its dtype; of two float arrays the finer dtype wins.

# %% [markdown]
# ## D. Function
#
# An operation is an object too. `babygrad/ops/arithmetic.py` begins with the simplest one, shortened here:
#
# ```python
# class Add(Function):
#     def forward(self, a, b):
#         return a + b
#
#     def backward(self, out_grad, node):
#         ...
# ```
#
# `forward` belongs to the forward pass: plain NumPy arrays in, an array out. It knows nothing about Tensors, graphs or gradients. `backward` is the rule; it waits for notebook 06.

# %%
a, b = Tensor([1.0, 2.0, 3.0]), Tensor([10.0, 20.0, 30.0])
a.label, b.label = "a", "b"

Add().forward(a.data, b.data)

# %% [markdown]
# Somebody has to go from Tensors to arrays and back again. Ben's short way, `Tensor(Add().forward(a.data, b.data))`, gives a result that remembers nothing, the mistake of notebook 02.
#
# All operations need this in the same way, so it is written once, in the class `Function`. `Add(Function)` makes `Add` a *subclass*: it gets all methods of `Function`. An operation is made, then called: `Add()(a, b)` runs `__call__(a, b)`. `ops/function.py` imports what you build it with:
#
# | name | what it gives |
# |---|---|
# | `as_tensors(inputs)` | a tuple of Tensors. A Tensor stays the very same one; anything else becomes a constant |
# | `result(array, op, inputs)` | a Tensor that remembers its operation and the tuple of its inputs |
# | `result(array)` | a Tensor that remembers nothing |
# | `Recording.on` | True, unless somebody has switched recording off: using a trained network needs no graph. In 09 you write `no_grad`, which turns it off for a block |

# %% [markdown]
# When should a result remember? Say `a` and `b` require grad, and `k` is a constant. Through which of these three sums will a backward pass ever go: `a + b`, `a + k`, `k + k`?

# %% [markdown]
# ### Exercise 5.3
#
# Open `babygrad/ops/function.py` and fill in `Function.__call__`, inside the `try:` (which puts errors about shapes into better words). In Python, `f(*items)` hands over the items of a list one by one, so it works for one input, for two, or for three.

# %%
%check 5.3

# %% [markdown]
# `add(a, b)` is short for `Add()(a, b)`. Here are the three sums, and a drawing of one with a list in it:

# %%
k = Tensor([5.0, 5.0, 5.0], requires_grad=False)
for name, out in {"a + b": add(a, b), "a + k": add(a, k), "k + k": add(k, k)}.items():
    print(f"{name}:  requires_grad {out.requires_grad!s:6} made by {out._op}  from {len(out._inputs)} inputs")

# %% tags=["nbval-ignore-output"]
total = add(add(a, b), [100, 200, 300])
total.label = "total"
draw_graph(total)

# %% [markdown]
# If `a` moves, `a + k` moves with it: *one input is enough.* Nothing in `k + k` requires a gradient, so it is a constant as well, and what it was made from can be freed.
#
# In the drawing the list is a pale box: a constant. The arrows no longer show a local derivative, but the *shape* of what goes in.

# %% [markdown]
# **A good place to stop.** On a fresh kernel, run the imports and the cells that define `a` and `b`.

# %% [markdown]
# ## E. Forwards
#
# In `ops/arithmetic.py` Negate, Sub, Mul, Div and Pow are given. A forward has no loop (NumPy's loops are written in C) and no `.data` (there are no Tensors in it).
#
# One thing is new. In `x + 5` the 5 is a plain number. As an input it would need a Tensor and a gradient, for nothing. So there are four operations that *hold* a number, which is given when the operation is made, not when it is called:
#
# | made and called | computes |
# |---|---|
# | `Add()(x, y)` | x + y |
# | `AddScalar(5)(x)` | x + 5 |
#
# (A **scalar** is a single number, as opposed to an array.)

# %%
for out in (add(a, b), add(a, 5), AddScalar(5)(a)):
    print(f"{out._op!s:12} from {len(out._inputs)} input{'s' if len(out._inputs) > 1 else ''}: {out.data}")

# %% [markdown]
# NumPy stretches shapes inside `forward`. If they do not fit, the `try:` around your code names the operation and a way out:

# %%
try:
    mul(np.ones((2, 3)), np.ones(2))
except ValueError as error:
    print(error)

# %% [markdown]
# ### Exercise 5.4
#
# An operation of your own, all of it. `lerp` goes part of the way from one array to another, number by number.
#
# In `babygrad/ops/arithmetic.py` write the class `Lerp`, and the function `lerp` that uses it. What does the object have to know when it is called? Which formula gives the point that far along? (The rules of the other classes, `exercise 6.…`, can wait.)

# %%
%check 5.4

# %%
for out in (lerp(a, b, 0.25), lerp(a, b, 1.5)):
    print(f"{out._op!s:12} from {len(out._inputs)} inputs: {out.data}")

# %% [markdown]
# ## F. Operators
#
# You want `x * w + b` and not `add(mul(x, w), b)`. The operators stand in `class Tensor`, in `babygrad/tensor.py`:
#
# ```python
#     def __add__(self, other):
#         """self + other"""
#         return arithmetic.add_scalar(self, other) if isinstance(other, NUMBER) else arithmetic.add(self, other)
# ```
#
# A plain number gets the operation that holds a number. A Tensor or a list goes to `add`, and your `__call__` makes a Tensor of the list.

# %% [markdown]
# Now the other side. For `5 - x` Python asks 5 first. A plain number does not know Tensors, so Python calls `x.__rsub__(5)`. A list does not know them either.
#
# But an *array* on the left tries to handle the operation itself. Cleo's class has a correct `__rsub__`, and she computes `np.ones(2) - x`.
#
# **Predict.** x holds 10 and 20. She expects -9 and -19. How many numbers does she get?

# %%
# prediction 5.F1
%predict

# %%
class BrokenTensor:
    def __init__(self, data):
        self.data = np.asarray(data, dtype=float)

    def __repr__(self):
        return f"BrokenTensor({self.data.tolist()})"

    def __rsub__(self, other):
        return BrokenTensor(other - self.data)


broken = np.ones(2) - BrokenTensor([10, 20])
print(repr(broken))

# %% [markdown]
# **Explain.** Four! NumPy took `x` for one single thing of unknown kind, and subtracted that thing from each number of the array: 1 - x, and once more 1 - x. Each time `__rsub__` was called with one number and returned two.
#
# One line in the class is the cure, and `tensor.py` has it: `__array_ufunc__ = None`. It tells NumPy to leave the operation to the other operand, so Python goes on to `__rsub__`. Now numbers, lists and arrays on the left all arrive at your functions in the same way.
#
# For `2 + x` and `3 * x` the order does not matter: `__radd__` is `__add__`, and `__rmul__` is `__mul__`. The other three need a method each: `__rsub__` is what Python calls for `5 - x`, `__rtruediv__` for `5 / x`, `__rpow__` for `5 ** x`.

# %% [markdown]
# ### Exercise 5.5
#
# Four lines are missing in `class Tensor`, in `babygrad/tensor.py`.
#
# - `__sub__`. Look for the operation that takes a plain number away. Is there one?
# - `__rsub__`, `__rtruediv__`, `__rpow__`. Here nothing has to be asked: only the order counts.
#
# Compute with the Tensor, not with `x.data`: the result must remember x.

# %%
%check 5.5

# %% tags=["nbval-ignore-output"]
x = Tensor([2.0, -3.0])
outs = {"x + 2": x + 2, "x - 2": x - 2, "x ** 2": x**2, "x / [4, 6]": x / [4, 6], "8 / x": 8 / x, "2 ** x": 2**x}
for name, out in outs.items():
    print(f"{name:11} {out.data!s:20}  {out._op}")
print("ones - x   ", (np.ones(2) - x).data)

# %% [markdown]
# ## G. Cleo's exam by the clock (stretch)
#
# Cleo's exam once more, with Tensors: `marks * weights + bonus`, five nodes instead of 605.
#
# **Predict.** By which factor is it faster than with Values: 2, 10, 30, or 400? And with a thousand times as many pupils, 50,000 of them: how many times longer do the Tensors take than for 50?

# %%
# prediction 5.G1
%predict

# %% tags=["nbval-ignore-output"]
table = [[pupil % 7 + task for task in range(4)] for pupil in range(50)]
marks, weights, bonus = Tensor(table), Tensor([1.0, 0.5, 2.0, 1.5]), Tensor(3.0)
marks_of_values = [[Value(mark) for mark in row] for row in table]
weights_of_values, bonus_of_values = [Value(w) for w in weights.data.tolist()], Value(3.0)
many = Tensor(table * 1000)


def exam_with_values():
    return [mark * weight + bonus_of_values for row in marks_of_values for mark, weight in zip(row, weights_of_values)]


took = clock.times(
    {
        "50 pupils, Values": exam_with_values,
        "50 pupils, Tensors": lambda: marks * weights + bonus,
        "50,000 pupils, Tensors": lambda: many * weights + bonus,
    },
    recorded={"50 pupils, Values": 244.0, "50 pupils, Tensors": 7.8, "50,000 pupils, Tensors": 1470.0},
)
for name, microseconds in took.items():
    print(f"{name:24}{microseconds:8.0f} µs")

# %% [markdown]
# **Explain.** Where it was recorded, 244 µs became 8: thirty times faster. What two operations cost is nearly all Python, so a thousand times as many pupils take only 190 times as long. The larger the arrays, the less it matters that the engine is written in Python.

# %% [markdown]
# **A good place to stop.** You have operations that record what they did, and operators that call them. On a fresh kernel, run the imports.

# %% [markdown]
# ## H. The derivative of an array is a matrix (stretch)
#
# What does the Jacobian of section C look like? Take a small case. `a` holds three numbers, and so does `b`. Their product, number by number, is `c`:
#
# | element | first | second | third |
# |---|---|---|---|
# | a | 2 | -3 | 5 |
# | b | 4 | 1 | -2 |
# | c = a * b | 8 | -3 | -10 |
#
# Each pair of a result and an input has a partial derivative of its own, ∂cᵢ/∂aⱼ. So nudge each number of `a` in turn, and look at all of `c`. That gives a table, with a row for each number of `c` and a column for each number of `a`.
#
# **Predict.** How many numbers are in the table? Which of them are 0, and what are the others?

# %%
# prediction 5.H1
%predict

# %%
def table_by_nudging(f, x, h=1e-6):
    """Row i, column j: how much number i of f(x) changes for each unit of number j of x."""
    columns = []
    for j in range(x.size):
        nudge = np.zeros(x.size)
        nudge[j] = h
        columns.append((f(x + nudge) - f(x - nudge)) / (2 * h))
    return np.stack(columns, axis=-1).round(3) + 0.0  # side by side


a = np.array([2.0, -3.0, 5.0])
b = np.array([4.0, 1.0, -2.0])
J = table_by_nudging(lambda a: a * b, a)
print(J)

# %% [markdown]
# **Explain.** 9 partial derivatives for 3 numbers. Number 0 of `c` is made from number 0 of `a` alone, so everything off the diagonal is 0. On the diagonal stands `b`.
#
# This matrix is the Jacobian:
#
# $$J_{ij} = \frac{\partial c_i}{\partial a_j}$$
#
# **Predict.** How many numbers does the Jacobian have for the product of two arrays of 1,000 by 1,000?

# %%
# prediction 5.H2
%predict

# %%
def print_size(what, results, inputs):
    print(f"{what:40}{results * inputs:22,} numbers{results * inputs * 8 / 1e9:12,.1f} GB")


print_size("a * b, of 1,000 by 1,000 numbers", 1000 * 1000, 1000 * 1000)
print_size("(64, 784) @ (784, 256), for the pictures", 64 * 256, 64 * 784)
print_size("(64, 784) @ (784, 256), for the weights", 64 * 256, 784 * 256)

# %% [markdown]
# **Explain.** A Jacobian has as many numbers as results times inputs: here a million million, 8,000 GB, for one product, and all but a millionth of them are 0. The other two lines are the first layer of a small network, for 64 pictures of 784 pixels: 33 GB at each step.
#
# And nobody has to build that. Say `[10, 1, -1]` arrives at `c`. Number 0 of `a` gets something from each number of `c`, by the chain rule what arrived there times the derivative: 10 · 4 + 1 · 0 + (-1) · 0 = 40. That is what arrived, times column 0 of the Jacobian.

# %%
arrived = np.array([10.0, 1.0, -1.0])

by_the_matrix = np.array([np.sum(arrived * J[:, j]) for j in range(3)])
print("with the matrix:   ", by_the_matrix)
print("without the matrix:", arrived * b)

# %% [markdown]
# The same three numbers, with 3 multiplications instead of 9, and for a million numbers a million instead of a million million.
#
# So an operation has a **backward rule**: *given the gradient of the result, this is what each input gets.* What arrives is a row of numbers, v, multiplied by the Jacobian from the left: v · J is the vector-Jacobian product, VJP for short. (With v as a column it is Jᵀ · v, the same numbers.)
#
# Forward mode does it the other way round. One run with dual numbers gives J · v, a **Jacobian-vector product** (JVP): if v is 1 for one input and 0 for all others, that is a column of the Jacobian.

# %% [markdown]
# ### From the Jacobian to the rule
#
# Now three operations that are not products. The way is the same each time: nudge, look at the Jacobian, work out a few gradients with it by hand, and then find out how to get them *without* it. Here are two of the Jacobians. (`a[::-1]` is `a` read from the end.)

# %%
a = np.array([2.0, -3.0, 5.0, 7.0])
print("a.sum():", table_by_nudging(lambda a: a.sum(keepdims=True), a), sep="\n")
print("a[::-1]:", table_by_nudging(lambda a: a[::-1], a), sep="\n")

# %% [markdown]
# The third is the running sum, `np.cumsum(a)`: place i holds the sum of a[0] to a[i], here 2, -1, 4, 11.
#
# **Predict.** Draw its Jacobian. What stands in row 0, and in the last row? Then forget the rows: what stands in *column* 0, and in the last one?

# %%
# prediction 5.H3
%predict

# %%
print(table_by_nudging(np.cumsum, a))

# %% [markdown]
# Say `[10, 1, -1, 5]` arrives at the four results. (At the sum one number arrives: 10.) Work out two numbers of the gradient before the next cell does: what arrived times the column, added up.

# %%
def by_the_jacobian(f, x, arrived):
    J = table_by_nudging(f, x)
    return np.array([np.sum(arrived * J[:, j]) for j in range(x.size)])


arrived = np.array([10.0, 1.0, -1.0, 5.0])
print("a.sum():     ", by_the_jacobian(lambda a: a.sum(keepdims=True), a, np.array([10.0])))
print("a[::-1]:     ", by_the_jacobian(lambda a: a[::-1], a, arrived))
print("np.cumsum(a):", by_the_jacobian(np.cumsum, a, arrived))

# %% [markdown]
# ### Exercise 5.6
#
# Back to `babygrad/shapes_and_rules.py`. Write the three rules, each a vector-Jacobian product of plain arrays. The check asks for 4,200,000 numbers too.
#
# Try them here first, against the Jacobian:

# %%
arrived = np.array([3.0, -2.0, 0.5, 8.0])
rules = {
    "sum": (shapes_and_rules.sum_rule(3.0, a.size), lambda a: a.sum(keepdims=True), arrived[:1]),
    "reversed": (shapes_and_rules.reversed_rule(arrived), lambda a: a[::-1], arrived),
    "cumsum": (shapes_and_rules.cumsum_rule(arrived), np.cumsum, arrived),
}
for name, (found, f, above) in rules.items():
    print(f"{name:9} as by the Jacobian:", np.allclose(found, by_the_jacobian(f, a, above)))

# %%
%check 5.6

# %% [markdown]
# <details><summary>What the three have in common</summary>
#
# A row of the Jacobian tells how a result was made; a column tells which results a number went into. Going back means reading columns. In the running sum number j went into result j and all later ones: it gets the sum of what arrived *there*, a running sum from the end. None of the three rules undoes anything.
#
# </details>

# %% [markdown]
# **A good place to stop.** On a fresh kernel, run the imports.

# %% [markdown]
# ## Bug hunt (stretch)
#
# Three people have written a table of operators for arrays. Each praises their own:
#
# - A: "One function for `x - 5` and `5 - x`. Less code, fewer mistakes."
# - B: "For `x + 5` mine needs no new array. That saves memory."
# - C: "My powers are plain multiplication: x ** 3 is x · x · x. No logarithms anywhere."
#
# Here they are beside yours, for an `x` of 2 and -3:

# %%
from grader.broken_engines.operator_tables import ENGINES

tables = {"yours": Tensor, **ENGINES}


def compare(name, expression):
    found = {who: expression(table([2.0, -3.0])).data.round(3) + 0.0 for who, table in tables.items()}
    print(f"{name:18}", *(f"{who}: {numbers!s:18}" for who, numbers in found.items()))


compare("x * 4 + 1", lambda x: x * 4 + 1)
compare("x ** 3 - 2", lambda x: x**3 - 2)
compare("(5 - x) ** 2", lambda x: (5 - x) ** 2)
compare("5 - x", lambda x: 5 - x)

# %% [markdown]
# The first three rows expose nobody, though the third one has a `5 - x` in it: there the square hides what A does.
#
# ### Exercise 5.7
#
# In `babygrad/hunts.py` write *one* expression of x for which A, B and C all find wrong numbers. It may have at most 5 operations out of `+ - * / **`; 4 are enough. A number may stand on either side, but not to the left of `**`.

# %%
compare("my idea", lambda x: 2 / x - 1)

# %%
%check 5.7

# %% tags=["nbval-ignore-output"]
compare("three_tables", hunts.three_tables)

# %% [markdown]
# <details><summary>What was wrong with them</summary>
#
# A: for `5 - x` it gives x - 5. An even power hides the sign. B: `x + 5` writes the sum into x itself: whoever reads x later reads other numbers, such as the rule of `x * x`. So here *no operation changes its inputs.* C: it multiplies for whole exponents from 1 up; for 0, -1 or 0.5 it gives x.
#
# </details>

# %% [markdown]
# ## Reflection
#
# Write an answer to one of these questions before you unfold ours. Answer the other aloud.
#
# **Why does no engine store the Jacobian of an array operation?**

# %%
%%note 5.R1

# %% [markdown]
# <details><summary>Our answer</summary>
#
# It has as many numbers as results times inputs: a million million for two arrays of a million. Nearly all are 0 or repeat. The backward pass needs only a vector-Jacobian product, and a rule gives that directly.
#
# </details>
#
# **Why does `forward` get arrays and not Tensors?**

# %%
%%note 5.R2

# %% [markdown]
# <details><summary>Our answer</summary>
#
# So that an operation says only what it computes. Wrapping and recording are the same for all, and stand in one place.
#
# </details>

# %%
%predictions 05

# %% [markdown]
# ## In other books
#
# What the words of this notebook are called elsewhere, and in PyTorch and JAX: [the glossary](../docs/glossary.md#05-functions).

# %% [markdown]
# ## The rule to keep
#
# **One node for each array operation, and instead of its Jacobian a rule.**

# %% [markdown]
# ## Where you are
#
# You have arrays that record how they were made. In notebook 06 every operation gets its rule.
