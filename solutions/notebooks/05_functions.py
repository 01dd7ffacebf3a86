# %% [markdown]
# # 05 · Functions
#
# Your engine works, one number at a time. A picture has thousands of numbers, a network has millions of parameters, and every product of two numbers is a node of its own, made by Python, one after the other.
#
# NumPy adds up two arrays of a million numbers in one call. From here to notebook 09 you build an engine of such calls: nodes are arrays. Much will look familiar. One question is new, and the notebook ends with it: what is the slope of an *array*?
#
# What is marked *(stretch)* is not in the 120 minutes: leave it out on a first reading.

# %% jupyter={"source_hidden": true}
%load_ext grader

# %%
import numpy as np

from babygrad import Function, Tensor, Value, broadcast_shape, clock, draw_graph, hunts, shapes_and_rules
from babygrad.ops import Add, AddScalar, add, lerp, mul
from babygrad.value import topological_order

# %% [markdown]
# ## Goals
#
# Afterwards you can
#
# - say what shape `a + b` has before you run it, or that it has none,
# - write what every operation has in common: take arrays out, compute, wrap, record,
# - make `+ - * / **` work with numbers, lists and arrays on either side,
# - say why nobody keeps the slopes of an array operation, and find the rule that takes their place.

# %% [markdown]
# ## Recall
#
# From notebooks 02 and 03, without looking:
#
# 1. A result `u = a * b` of two Values remembers four things. Its number is one of them. What are the others?
# 2. `x` is a Value. For `5 - x`, which method of `x` does Python call, and what is `other` there?
# 3. On the walk back 10 arrives at `u = a * b`. What is the share of `a`?
#
# <details><summary>Answers</summary>
#
# - **1**: Its inputs, the name of the operation, and the local slope to each input.
# - **2**: `x.__rsub__(5)`, so `other` is 5: what stands on the left.
# - **3**: 10 · b: the local slope, times what arrived.
#
# </details>

# %% [markdown]
# ## A. A node for each number
#
# Cleo marks an exam: 50 pupils, 4 tasks. Each mark is multiplied by the weight of its task, and everybody gets a bonus. With arrays that is one line: `marks * weights + bonus`, of shapes (50, 4), (4,) and (). With Values it takes loops.
#
# **Predict.** How many nodes does her graph have, leaves included?

# %%
# bet 5.A1
%bet

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
# **Explain.** 200 marks, 4 weights and a bonus are 205 leaves. Then 200 products and 200 sums: 605.
#
# Thought of in arrays there are two operations and three leaves: *five* nodes, whether there are 50 pupils or 50 million. One node for each array operation: that is the plan. A `Value` gives us the pattern. A result remembers its inputs, its operation, and ... its local slopes? Keep this question in mind, until section H.

# %% [markdown]
# ## B. Shapes that stretch
#
# Before arrays can remember, look at what NumPy does with them. In `marks * weights` 200 numbers met 4, and nobody complained. Here are two of Cleo's pupils and three tasks:

# %%
marks = np.array([[10, 0, 4], [7, 5, 2]])
weights = np.array([2, 3, 1])
print("marks  ", marks.shape)
print("weights", weights.shape)

# %% [markdown]
# The **shape** of an array lists its sizes, one for each **axis**. `marks` has two axes, 2 pupils and 3 tasks; `weights` has one. The comma in `(3,)` makes it
# a tuple with one thing in it; `(3)` is only a 3.
#
# **Predict.** Six numbers times three numbers: what is `marks * weights`? An error? If not, what shape does it have, and which numbers?

# %%
# bet 5.B1
%bet

# %%
print(marks * weights)

# %% [markdown]
# **Explain.** NumPy laid the row of weights over both pupils. Each weight was used twice. That is called **broadcasting**: the smaller array is stretched until it fits.
#
# **Predict.** The second pupil was ill and counts half. Ben writes down a factor for each pupil, 1 and 0.5, and multiplies. What does he get?

# %%
# bet 5.B2
%bet

# %%
factor = np.array([1, 0.5])
try:
    print(marks * factor)
except ValueError as error:
    print("ValueError:", error)

# %% [markdown]
# (What stands under `except` is done when the line under `try` raises that exception. Without it the notebook would stop here.)
#
# **Explain.** Two pupils, two factors, and yet they do not fit. Nobody told NumPy that Ben's 2 means pupils. If the factors are made a column, of shape (2, 1), it works:

# %%
print(marks * factor.reshape(2, 1))

# %% [markdown]
# **Find the rule.** There is a single rule behind all this, and it knows nothing of pupils: it only looks at the sizes. Below are eleven pairs of shapes. An array of shape `()` is a single number; a size of 0 means that there are no numbers at all.
#
# Bet on each pair before you run the cell: a shape, or an error?
#
#     (4, 3) and (3,)         (4, 1) and (1, 3)           (2, 3) and ()
#     (4, 3) and (4,)         (5, 1, 3) and (4, 3)        (2, 3) and (3, 2)
#     (4, 3) and (4, 1)       (8, 1, 6) and (7, 1)        (2,) and (0,)
#     (3,) and (2, 1)                                     (1,) and (0,)

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
# Two questions hide in this list, and the answers to them are the rule. If the shapes are of different length: *which size meets which?* And when two sizes meet: *what becomes of them?* Try your rule on all eleven. The last two decide between two rules that agree on the first nine.
#
# ### Exercise 5.1
#
# In `babygrad/shapes_and_rules.py`, fill in `broadcast_shape`: the shape that NumPy would give, or a `ValueError` for two shapes that do not fit. You raise one with
# `raise ValueError("...")`, and between the quotes you say what was wrong, best with both shapes. It ends the function at that line.
#
# Of Python you may want two things: for tuples `+` puts one behind the other, and `zip` walks through two of them side by side.

# %%
print((5, 4) + (3,))
for m, n in zip((5, 4, 3), (1, 1, 3)):
    print(m, "meets", n)

# %% [markdown]
# Try it here first, on the pairs above and on pairs of your own. NumPy is the judge:

# %%
for a, b in [((4, 1), (4,)), ((6, 1, 5), (7, 1)), ((0,), (1, 1))]:
    print(a, "and", b, "as NumPy:", tuple(broadcast_shape(a, b)) == np.broadcast_shapes(a, b))

# %% [markdown]
# The check asks about equal shapes, 1s on either side, shapes of different length, an axis of size 0, and shapes that do not fit. (`np.broadcast_shapes` is all of this. It would pass, and you would have learned a name.)

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
# | one of them is 1 | it gives way to the other one, also to 0 |
# | anything else | `ValueError` |
#
# A 1 gives way because one row, or one column, can serve for all of them. It gives way to 0 too: no pupils, no marks.
#
# </details>

# %% [markdown]
# ### A debt of notebook 00
#
# Cleo's net was perfect, and its mean squared error was not 0: sixteen differences in place of four, and no error message. Its predictions were a column, of shape (4, 1), the truths had shape (4,).
#
# **Predict.** What shape does the difference have, by your rule? What would the predictions have to look like for her four differences?

# %%
# bet 5.B3
%bet

# %%
predicted = np.array([[2.0], [3.0], [5.0], [8.0]])
truth = np.array([2.0, 3.0, 5.0, 8.0])
print(broadcast_shape(predicted.shape, truth.shape), "and not", truth.shape)
print(np.mean((predicted - truth) ** 2), "and not", np.mean((predicted.reshape(4) - truth) ** 2))

# %% [markdown]
# **Explain.** The column was stretched to the right and the row downwards: every prediction minus every truth. What is a trap here is useful when it is meant: `x.reshape(3, 1) + y` gives all sums of a number of `x` and one of `y`.

# %% [markdown]
# ### Three broadcasters
#
# Three people have written broadcasters too, A, B and C. All are broken, each in its own way, and you see them from outside only: you give two shapes and look at what they say. (*error* is a `ValueError`.)

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

# %%
# bet 5.B4
%bet

# %% tags=["nbval-ignore-output"]
try_out((2, 3), (2, 3))

# %% [markdown]
# ### Exercise 5.2
#
# In `babygrad/hunts.py`, return *one* pair of shapes on which all three are wrong. Two axes are enough.
#
# The check hands your pair to each of them in turn. Each one that you catch is a point.

# %%
%check 5.2

# %% tags=["nbval-ignore-output"]
try_out(*hunts.three_broadcasters())

# %% [markdown]
# ## C. Tensor
#
# A `Tensor` is an array that remembers how it was made. The class is given, in `babygrad/tensor.py`. Its names are those of PyTorch:
#
# | | |
# |---|---|
# | `x.data` | the NumPy array |
# | `x.grad` | an array of the same shape after the walk back, `None` before |
# | `x.requires_grad` | does anybody want the gradient of it? |
# | `x._op`, `x._inputs` | the operation that made it, and the Tensors it was made from |
# | `x.label` | a name for drawings |
#
# There are no slopes in it. What stands in their place comes in section H.

# %%
x = Tensor([[1.0, -2.0, 3.0], [4.0, 5.0, -6.0]])
print(x)
print("shape", x.shape, "  grad", x.grad, "  made by", x._op, "  from", x._inputs)

rate = Tensor(0.1, requires_grad=False)
print(rate, " shape", rate.shape)

# %% [markdown]
# A Tensor that you make by hand is a **leaf**. It requires grad, unless you say otherwise. (PyTorch has the *opposite* default: there a tensor made by hand requires none, unless you say `requires_grad=True`.) `rate` is a **constant**: numbers that nobody wants to improve, such as the pixels of a picture.
#
# **Predict.** Two things that you may not expect. Ben makes a Tensor of `[1, 2, 3]`, all of them whole. What is its **dtype**, the kind of its numbers? And what does he see when he nudges a NumPy array of whole numbers by 0.5?

# %%
# bet 5.C1
%bet

# %%
print("a Tensor of whole numbers:", Tensor([1, 2, 3]).dtype)

array = np.array([1, 2, 3])
array[0] += 0.5
print("nudged by 0.5:", array)

# %% [markdown]
# **Explain.** Nothing happens! An array of whole numbers cannot hold 1.5, so NumPy cuts it to 1, without a word. Numbers that cannot be nudged have no slope. So a Tensor turns whole numbers into floats.
#
# What is a float already stays as it is: float64, NumPy's own, or float32, half as large, in which most networks are trained.
#
# *(stretch)* And what is no number at all is refused:

# %%
print(Tensor(np.array([1, 2], dtype=np.float32)))
for data in (["1", "2"], None, [[1, 2], [3]]):
    try:
        Tensor(data)
    except (TypeError, ValueError) as error:
        print(f"{type(error).__name__}: {error}")

# %% [markdown]
# ## D. Function
#
# An operation is an object too. `babygrad/ops/arithmetic.py` begins with the simplest one, and it is complete:
#
# ```python
# class Add(Function):
#     """a + b.  One more on either side is one more in the sum: both slopes are 1."""
#
#     def forward(self, a, b):
#         return a + b
#
#     def backward(self, out_grad, node):
#         ...
# ```
#
# It can do two things. `forward` is for the way there: plain NumPy arrays in, an array out. `backward` is the rule, and waits for notebook 06.
#
# What `forward` does not know: Tensors, graphs, gradients. That makes it one line. Here it is at work.

# %%
a, b = Tensor([1.0, 2.0, 3.0]), Tensor([10.0, 20.0, 30.0])
a.label, b.label = "a", "b"

Add().forward(a.data, b.data)

# %% [markdown]
# Somebody has to go from Tensors to arrays and back again. Ben does it the short way.
#
# **Predict.** What will be in the picture?

# %%
# bet 5.D1
%bet

# %% tags=["nbval-ignore-output"]
def broken_add(a, b):
    return Tensor(Add().forward(a.data, b.data))


total = broken_add(a, b)
total.label = "total"
draw_graph(total)

# %% [markdown]
# **Explain.** Right numbers, and no past: one box. It is the mistake of notebook 02, made with arrays. A result must remember its operation and its inputs.
#
# All operations need this in the same way, so it is written once, in the class `Function` on which they are all built. An operation is made, then called: `Add()(a, b)`. Python turns the second pair of brackets into `__call__(a, b)`, as it did with your neurons. The call is the bridge: Tensors come in, `forward` wants arrays, a Tensor must come out. `ops/function.py` imports what it is built with:
#
# | | |
# |---|---|
# | `as_tensors(inputs)` | a tuple of Tensors. What is a Tensor already stays the very same one; of anything else it makes a constant |
# | `result(array, op, inputs)` | a Tensor that remembers its operation and the tuple of its inputs |
# | `result(array)` | a Tensor that remembers nothing |
# | `Recording.on` | True, unless somebody has switched recording off for the whole engine: whoever only wants the outputs of a trained network needs no graph. In 09 you build the handle of this switch |

# %% [markdown]
# ### Exercise 5.3
#
# Open `babygrad/ops/function.py` and fill in `Function.__call__`, inside the `try:`, which gives errors about shapes better words.
#
# When should a result remember? Take three inputs: `a` and `b` require grad, `k` is a constant.
#
# **Predict.** Which of these three sums will anybody ever walk back through: `a + b`, `a + k`, `k + k`? And what would be the price of remembering where nobody walks?
#
# One thing of Python: `f(*items)` hands the items of a list over one by one, so it works for one input, for two, or for three.
#
# The check calls `add`, and Functions of its own with one and three inputs. It asks for the numbers, for what the result remembers, for constants, a list beside a float32 Tensor, shapes that do not fit, and `Recording.on` being False.

# %%
# bet 5.D2
%bet

# %%
%check 5.3

# %% [markdown]
# `add(a, b)` is short for `Add()(a, b)`. Draw the sum of your own.
#
# **Predict.** What will the picture show for the list: a leaf like `a`, or something else?

# %%
# bet 5.D3
%bet

# %% tags=["nbval-ignore-output"]
total = add(add(a, b), [100, 200, 300])
total.label = "total"
draw_graph(total)

# %% [markdown]
# **Explain.** A pale box: the list became a Tensor, since the rule may want its numbers one day, but a constant one. Two operations, two circles, however long the arrays are. What stands on the arrows is no slope now but the *shape* of what goes in.

# %% [markdown]
# And the three sums of the question above:

# %%
k = Tensor([5.0, 5.0, 5.0], requires_grad=False)
for name, out in {"a + b": add(a, b), "a + k": add(a, k), "k + k": add(k, k)}.items():
    print(f"{name}:  requires_grad {out.requires_grad!s:6} made by {out._op}  from {len(out._inputs)} inputs")

# %% [markdown]
# **Explain.** If `a` moves, `a + k` moves with it: *one input is enough.* Nothing in `k + k` can move, so it is a constant as well, and what it was made from may be freed.
#
# And this is what you have gained. A new operation is two lines, and your `__call__` does all the rest:

# %%
class Cube(Function):
    def forward(self, a):
        return a**3


print(Cube()(a))
print(Cube()([1, 2, 3]))

# %% [markdown]
# **Explain.** `grad_fn` names the operation that made a Tensor. The second result was made from a list alone, so it has none.

# %% [markdown]
# ## E. Forwards
#
# In `ops/arithmetic.py` Negate, Sub, Mul, Div and Pow are given, and look as you expect. A forward has no loop: NumPy goes through the numbers, in a loop that is written in C. It has no `.data` either: there are no Tensors in it.
#
# One thing is new. In `x + 5` the 5 is a plain number. As an input it would need a Tensor, a box, a place in the graph, and on the way back somebody would work out its share. For nothing. So there are four operations to which a number *belongs*. It is given when the operation is made, not when it is called:
#
# | made and called | computes |
# |---|---|
# | `Add()(x, y)` | x + y |
# | `AddScalar(5)(x)` | x + 5 |
#
# (A **scalar** is a single number, as opposed to an array.)

# %% [markdown]
# ### Exercise 5.4
#
# An operation of your own, all of it. `lerp` goes part of the way from one array to another, number by number; `torch.lerp` does the same. One uses it to fade one picture into another, or for a mean that slowly forgets.
#
# In `babygrad/ops/arithmetic.py` write the class `Lerp`, and the function `lerp` that uses it. What does an object have to know for its calls? And where on the way does one stand? (The rules of the other classes, `exercise 6.…`, can wait.)
#
# The check asks for several weights, also below 0 and above 1, for two objects at the same time and one that is called twice, whether float32 stays float32, whether the inputs are the same afterwards, and what the result of `lerp` remembers.

# %%
%check 5.4

# %%
for out in (lerp(a, b, 0.25), add(a, 5), AddScalar(5)(a)):
    print(f"{out._op!s:12} from {len(out._inputs)} input{'s' if len(out._inputs) > 1 else ''}: {out.data}")

# %% [markdown]
# Shapes stretch inside `forward`: NumPy does it, and you need not think of it, until notebook 07. What does not fit, NumPy refuses; the `try:` around your code puts that in words that name the operation and a way out.

# %%
for one, other in [((50, 4), (4,)), ((2, 3), (2,))]:
    try:
        print(one, "*", other, "has shape", mul(np.ones(one), np.ones(other)).shape)
    except ValueError as error:
        print(error)

# %% [markdown]
# ## F. Signs
#
# `add(mul(x, w), b)` is right and reads badly. You want `x * w + b`. In notebook 02 you wrote `__add__` inside the class. Here that would be a circle: `Tensor` would need the operations, and the operations need `Tensor`.
#
# The way out is a third file. `babygrad/operators.py` knows both, and puts functions on the class from outside:
#
# ```python
# Tensor.__add__ = Tensor.__radd__ = plus
# Tensor.__sub__ = minus
# Tensor.__rsub__ = reflected(arithmetic.sub)
# ...
# ```
#
# The first line gives the class the methods `__add__` and `__radd__`. From then on Python turns `x + 2` into `plus(x, 2)`.

# %% [markdown]
# `plus(x, other)` has to choose by the kind of `other`: the operation for a plain number, or the one for two Tensors? Such a choice is called **dispatch**. This one is given:
#
# ```python
# def plus(x, other):
#     """x + other"""
#     return arithmetic.add_scalar(x, other) if isinstance(other, NUMBER) else arithmetic.add(x, other)
# ```
#
# **Predict.** Which operation does it choose for `x + 2`, for `x + y` with a Tensor y, and for `x + [10, 20, 30]`?
#
# <details><summary>Answers</summary>
#
# `AddScalar(2)`; `Add`; `Add` too, since `as_tensors` in your `__call__` makes a Tensor of the list.
#
# </details>

# %%
# bet 5.F1
%bet

# %% [markdown]
# Now the other side. For `5 - x` Python asks 5 first. A plain number does not know Tensors, so Python calls `x.__rsub__(5)`. A list does not know them either.
#
# But an *array* on the left feels responsible for everything. Cleo's class has a right `__rsub__`, and she computes `np.ones(2) - x`.
#
# **Predict.** x holds 10 and 20. She expects -9 and -19. How many numbers does she get?

# %%
# bet 5.F2
%bet

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
# **Explain.** Four! NumPy did not ask `x` at all. It took `x` for one single thing, of a kind unknown to it, and subtracted that thing from each number of the array: 1 - x, and once more 1 - x. Each time `__rsub__` was called with one number, and gave two. The result is an array of *objects*.
#
# With 1,000 numbers on each side there would be a million. Often nothing fails, and one wonders why training is so slow.
#
# One line in the class is the cure. It tells NumPy to keep its hands off, and Python goes on to `__rsub__`:

# %%
class MendedTensor(BrokenTensor):
    __array_ufunc__ = None


print(np.ones(2) - MendedTensor([10, 20]))

# %% [markdown]
# (It says BrokenTensor because that is what Cleo's `__rsub__` makes.) You find the same line in `tensor.py`. So numbers, lists and arrays on the left all arrive at your functions in the same way.
#
# `2 + x` and `3 * x` use `plus` and `times` again, as the first line above says of `2 + x`: there the order does not matter. For the other three signs `reflected` makes a method out of an operation: `reflected(arithmetic.sub)` is what Python calls for `5 - x`, `reflected(arithmetic.div)` for `5 / x`, `reflected(arithmetic.pow)` for `5 ** x`.

# %% [markdown]
# ### Exercise 5.5
#
# Two lines are missing in `babygrad/operators.py`.
#
# - `minus`. Look for the operation that takes a plain number away. Is there one?
# - The inner function of `reflected`. It has to be right for all three signs, and it does not know for which of them it was made.
#
# The check asks for numbers, Tensors, lists and arrays on the right of the minus and on the left of all three signs, for float32, and from how many Tensors `x - 3` was made. It also computes each result once more from what it remembers, with other numbers in x.

# %%
%check 5.5

# %% tags=["nbval-ignore-output"]
x = Tensor([2.0, -3.0])
outs = {"x + 2": x + 2, "x - 2": x - 2, "x ** 2": x**2, "x / [4, 6]": x / [4, 6], "8 / x": 8 / x, "2 ** x": 2**x}
for name, out in outs.items():
    print(f"{name:11} {out.data!s:20}  {out._op}")
print("ones - x   ", (np.ones(2) - x).data)

# %% [markdown]
# *(stretch)* **Predict.** `x` is of float32 now. Which of these four products is float32 too?

# %%
# bet 5.F3
%bet

# %%
x = Tensor([2.0, -4.0], dtype="float32")
others = {"2": 2, "[1.5, 2.5]": [1.5, 2.5], "np.array([1, 2])": np.array([1, 2]), "np.ones(2)": np.ones(2)}
for name, other in others.items():
    print(f"x * {name:17} {(x * other).dtype}")

# %% [markdown]
# **Explain.** Plain numbers, lists and whole numbers adapt to the Tensor beside them. An array of float64 brings its own precision along, and the finer one wins. In NumPy itself the third line would be float64 too: there one array of labels or counts makes a whole network twice as large, and nobody notices.

# %% [markdown]
# ## G. Cleo's exam by the clock
#
# Now Cleo's exam, once more, with Tensors. **Predict** the number of boxes, then count.

# %%
# bet 5.G1
%bet

# %% tags=["nbval-ignore-output"]
table = [[pupil % 7 + task for task in range(4)] for pupil in range(50)]
marks, weights, bonus = Tensor(table), Tensor([1.0, 0.5, 2.0, 1.5]), Tensor(3.0)
marks.label, weights.label, bonus.label = "marks", "weights", "bonus"

results = marks * weights + bonus
results.label = "results"
draw_graph(results)

# %% [markdown]
# **Explain.** Five boxes instead of 605. The numbers are the same 200, computed by two calls of NumPy.
#
# Boxes are one thing, time is another. **Predict.** By which factor is the exam with Tensors faster than with Values: 2, 10, 30, or 400? And with a thousand times as many pupils, 50,000 of them: how many times longer do the Tensors take than for 50?

# %%
# bet 5.G2
%bet

# %% tags=["nbval-ignore-output"]
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
# **Explain.** Where it was recorded, 244 µs became 8: thirty times faster. With Values each of the 400 operations costs the same, about 0.6 µs. With Tensors there are two operations, and what they cost is nearly all Python: calls, a node, a new array. So a thousand times the pupils do not take a thousand times as long, but 190 times. The larger the arrays, the less it matters that the engine is written in Python. In notebook 13 you take this apart.

# %% [markdown]
# ## H. The slope of an array is a matrix
#
# One question was left open: what does an array operation remember, where a `Value` had its local slopes?
#
# Take a small case. `a` holds three numbers, and so does `b`. Their product, number by number, is `c`:
#
# | | | | |
# |---|---|---|---|
# | a | 2 | -3 | 5 |
# | b | 4 | 1 | -2 |
# | c = a * b | 8 | -3 | -10 |
#
# A local slope says how much *the* result changes for each unit of *the* input. But there are three results here, and three inputs. Each pair of them has a slope of its own.
#
# So we nudge, as in notebook 01: each number of `a` in turn, and each time we look at all of `c`.
#
# **Predict.** That gives a table of slopes, with a row for each number of `c` and a column for each number of `a`. How many slopes are in it? Which of them are 0, and what are the others?

# %%
# bet 5.H1
%bet

# %%
def table_of_slopes(f, x, h=1e-6):
    """Row i, column j: how much number i of f(x) changes for each unit of number j of x."""
    columns = []
    for j in range(x.size):
        nudge = np.zeros(x.size)
        nudge[j] = h
        columns.append((f(x + nudge) - f(x - nudge)) / (2 * h))
    return np.stack(columns, axis=-1).round(3) + 0.0


a = np.array([2.0, -3.0, 5.0])
b = np.array([4.0, 1.0, -2.0])
slopes = table_of_slopes(lambda a: a * b, a)
print(slopes)

# %% [markdown]
# **Explain.** 9 slopes for 3 numbers. Number 0 of `c` is made from number 0 of `a` alone, so all slopes off the diagonal are 0. On the diagonal stands `b`.
#
# This table is a matrix, called the **Jacobian**. Its size is the number of results times the number of inputs.
#
# **Predict.** How many numbers would the matrix have for two arrays of 1,000 by 1,000? (The cell below also sizes the first layer of a small network: 64 pictures of 784 pixels become 64 rows of 256 numbers. A number takes 8 bytes.)

# %%
# bet 5.H2
%bet

# %%
def print_size(what, results, inputs):
    print(f"{what:40}{results * inputs:22,} slopes{results * inputs * 8 / 1e9:12,.1f} GB")


print_size("a * b, of 1,000 by 1,000 numbers", 1000 * 1000, 1000 * 1000)
print_size("(64, 784) @ (784, 256), to the pictures", 64 * 256, 64 * 784)
print_size("(64, 784) @ (784, 256), to the weights", 64 * 256, 784 * 256)

# %% [markdown]
# **Explain.** A million million slopes, 8,000 GB, for one product. All but a millionth of them are 0. The layer fills 33 GB in each step, mostly with 0 too. Nobody wants to build that.
#
# And nobody has to. Ask what the slopes are *for*. On the walk back, a gradient arrives at `c`: one number for each number of `c`. What the walk wants from the operation is the share for `a`: one number for each number of `a`.
#
# Say `[10, 1, -1]` arrives at `c`. Number 0 of `a` gets, from each number of `c`, slope times gradient: 4 · 10 + 0 · 1 + 0 · (-1) = 40. That is column 0 of the matrix, times what arrived.

# %%
arrived = np.array([10.0, 1.0, -1.0])

by_the_matrix = np.array([np.sum(slopes[:, j] * arrived) for j in range(3)])
print("with the matrix:   ", by_the_matrix)
print("without the matrix:", arrived * b)

# %% [markdown]
# The same three numbers. The second line has no matrix in it: 3 multiplications instead of 9, and for the million numbers a million instead of a million million.
#
# So an array operation does not remember slopes. It knows a **rule**: *given the gradient of the result, this is the share of each input.* Gradients go in, gradients come out, all of them as large as the arrays they belong to. For `a * b` the rule is: to `a` what arrived times `b`, to `b` what arrived times `a`.
#
# A gradient is a row of numbers, a *vector*, and it is multiplied by the Jacobian from the left. So what a rule computes is called a **vector-Jacobian product**, VJP for short. Every engine is a collection of them: PyTorch's `backward` methods, JAX's `vjp`, and what you write from here to notebook 08.

# %% [markdown]
# ### From the table to the rule
#
# Now three operations that are no product. The way is the same each time: nudge, look at the table, work out a few shares with it by hand, and then find how to get them *without* the table. Here are two of the tables, for an `a` of four numbers:

# %%
a = np.array([2.0, -3.0, 5.0, 7.0])
print("a.sum():", table_of_slopes(lambda a: a.sum(keepdims=True), a), sep="\n")
print("a[::-1], the numbers from the end:", table_of_slopes(lambda a: a[::-1], a), sep="\n")

# %% [markdown]
# The third is the running sum, `np.cumsum(a)`: place i holds the sum of a[0] to a[i]. For our `a` that is 2, -1, 4, 11.
#
# **Predict.** Draw its table before you run the cell. What stands in row 0? In the last row? Then forget the rows: what stands in *column* 0, and in the last one?

# %%
# bet 5.H3
%bet

# %%
print(table_of_slopes(np.cumsum, a))

# %% [markdown]
# Say this arrives at the four results: `[10, 1, -1, 5]`. (At the sum, one number arrives: 10.) The next cell has all shares by the table. Work out two of them yourself first: column times what arrived, added up.

# %%
def shares_by_the_table(f, x, arrived):
    slopes = table_of_slopes(f, x)
    return np.array([np.sum(slopes[:, j] * arrived) for j in range(x.size)])


arrived = np.array([10.0, 1.0, -1.0, 5.0])
print("a.sum():     ", shares_by_the_table(lambda a: a.sum(keepdims=True), a, np.array([10.0])))
print("a[::-1]:     ", shares_by_the_table(lambda a: a[::-1], a, arrived))
print("np.cumsum(a):", shares_by_the_table(np.cumsum, a, arrived))

# %% [markdown]
# ### Exercise 5.6
#
# Back to `babygrad/shapes_and_rules.py`. Write the three rules, on plain arrays. The check asks for 4,200,000 numbers too. There the table would take more than 100,000 GB, so none of them may build it; and none may add up anew for each place, which takes hours, even where NumPy does the adding.
#
# Try them here before you ask the check, against the table, with gradients of your own:

# %%
arrived = np.array([3.0, -2.0, 0.5, 8.0])
rules = {
    "sum": (shapes_and_rules.sum_rule(3.0, a.size), lambda a: a.sum(keepdims=True), arrived[:1]),
    "reversed": (shapes_and_rules.reversed_rule(arrived), lambda a: a[::-1], arrived),
    "cumsum": (shapes_and_rules.cumsum_rule(arrived), np.cumsum, arrived),
}
for name, (share, f, above) in rules.items():
    print(f"{name:9} as by the table:", np.allclose(share, shares_by_the_table(f, a, above)))

# %%
%check 5.6

# %% [markdown]
# <details><summary>What the three have in common</summary>
#
# The sum used each number once, for one result: what arrived is handed to all of them. What was turned round is turned round again. In the running sum number j went into result j and all later ones: it gets the sum of what arrived *there*, a running sum from the end.
#
# Each time, the row of the table tells how a result was made, and the column tells to whom a number has been of use. Going back means reading columns. None of the three rules undoes anything: differences would turn a running sum into `a` again, but they are not its rule.
#
# </details>

# %% [markdown]
# ## Bug hunt
#
# Three people have written a table of operators for arrays. Each praises it:
#
# - A: "One function for `x - 5` and `5 - x`. Less code, fewer mistakes."
# - B: "For `x + 5` mine needs no new array. That saves memory."
# - C: "My powers are plain multiplication: x ** 3 is x · x · x. No logarithms anywhere."
#
# Your own table is the right one. `x` is an array of 2 and -3.

# %%
from grader.suspects.operator_tables import SUSPECTS

tables = {"yours": Tensor, **SUSPECTS}


def compare(name, expression):
    found = {who: expression(table([2.0, -3.0])).data.round(3) + 0.0 for who, table in tables.items()}
    print(f"{name:18}", *(f"{who}: {numbers!s:18}" for who, numbers in found.items()))


compare("x * 4 + 1", lambda x: x * 4 + 1)
compare("x ** 3 - 2", lambda x: x**3 - 2)
compare("(5 - x) ** 2", lambda x: (5 - x) ** 2)
compare("5 - x", lambda x: 5 - x)

# %% [markdown]
# Three rows tell nothing, though the third one has a `5 - x` in it. Why does A get away with that?
#
# ### Exercise 5.7
#
# In `babygrad/hunts.py` write *one* expression of x for which A, B and C all find wrong numbers. At most 5 operations of `+ - * / **`; 4 are enough. A number may stand on either side, but not to the left of `**`. Try ideas in the next cell first.

# %%
compare("my idea", lambda x: 2 / x - 1)

# %%
%check 5.7

# %% tags=["nbval-ignore-output"]
compare("three_tables", hunts.three_tables)

# %% [markdown]
# <details><summary>What was wrong with them</summary>
#
# A: for `5 - x` it gives x - 5. An even power hides the sign. B: `x + 5` writes the sum into x itself. The sum is right, but whoever reads x later reads other numbers, and only if the sum was computed *first*. C: it multiplies for whole exponents from 1 up, and for 0, -1 or 0.5 it gives x.
#
# B is the worst of them. Its results depend on the order of the lines, and the rule of `x * x` would later read numbers that were not there when the product was computed. So here: *no operation changes its inputs.*
#
# </details>

# %% [markdown]
# ## Reflection
#
# Answer each question aloud, as in an interview, then unfold it. Two are enough; the others are *(stretch)*.
#
# <details><summary><b>Why does no engine keep the Jacobian of an array operation?</b></summary>
#
# It has as many numbers as results times inputs: a million million for two arrays of a million. Nearly all are 0 or repeat themselves. The walk back needs only its product with one gradient, and a rule gives that directly.
#
# </details>
#
# <details><summary><b>Why does <code>forward</code> get arrays and not Tensors?</b></summary>
#
# So that an operation says only what it computes. Wrapping and recording are the same for all, and stand in one place. And computing with Tensors inside a forward would record operations inside an operation.
#
# </details>
#
# <details><summary><b>When does a result require grad, and why does it matter?</b></summary>
#
# When any of its inputs does, and recording is on. Otherwise it remembers nothing, so that what it was made from can be freed.
#
# </details>

# %% [markdown]
# <details><summary><b>What happens to <code>np.ones(2) - x</code> without <code>__array_ufunc__ = None</code>?</b></summary>
#
# NumPy takes x for a single object and subtracts it from each number: an array of objects, in each of them a whole Tensor.
#
# </details>
#
# <details><summary><b>Why is there an AddScalar beside Add?</b></summary>
#
# Nobody wants the gradient of a plain number. As a part of the operation it needs no Tensor, no node and no share.
#
# </details>
#
# <details><summary><b>Why is <code>Add</code> an object that is made anew for each result, and not just a function?</b></summary>
#
# It has the rule, it may hold a number of its own, and it remembers its inputs.
#
# </details>
#
# <details><summary><b><code>x</code> has shape (N, 1) and <code>y</code> has shape (N,). What is the shape of <code>x - y</code>, and why do people fear it?</b></summary>
#
# (N, N). It raises nothing, and a mean or a sum afterwards hides it: one number comes out in any case. Compare the shapes before you subtract, or bring both to one shape with reshape.
#
# </details>
#
# <details><summary><b>Does NumPy copy the smaller array when it stretches it?</b></summary>
#
# No. It reads the same numbers again. Remember that: a number that is used n times has n ways to matter for the result.
#
# </details>

# %% [markdown]
# ## The rule to keep
#
# **One node for each array operation, and instead of slopes a rule.**

# %% [markdown]
# | In other books | here | elsewhere |
# |---|---|---|
# | | a table of slopes | Jacobian, the matrix of partial derivatives |
# | | a rule | vector-Jacobian product (VJP), backward function, pullback |
# | | shapes that stretch | broadcasting |
# | | a Tensor made by hand, a constant | leaf, a tensor with `requires_grad=False` |

# %% [markdown]
# ## Where you are
#
# You have arrays that remember, operations that record, operators that read like mathematics, and you have seen three rules come out of their tables. What your operations cannot do yet is the way back. In notebook 06 you write their rules.
