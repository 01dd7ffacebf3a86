# %% [markdown]
# # 05 · Functions
#
# **75 minutes** · files: `ops/function.py`, `ops/arithmetic.py`, `operators.py` and `hunts.py`
#
# Your engine works, one number at a time. A picture has thousands of numbers, a network has millions of parameters, and every product of two numbers is a node of its own, made by Python, one after the other.
#
# NumPy adds up two arrays of a million numbers in one call. From here to notebook 09 you build an engine of such calls: nodes are arrays. Much will look familiar. What is new is the question with which this notebook begins: what is the slope of an *array*?
#
# What is marked *(stretch)* is not in the 75 minutes: leave it out on a first reading.

# %% jupyter={"source_hidden": true}
%load_ext grader

# %%
import numpy as np

from babygrad import Function, Tensor, Value, draw_graph, hunts
from babygrad.ops import Add, AddScalar, add, mul
from babygrad.value import topological_order

# %% [markdown]
# ## Goals
#
# Afterwards you can
#
# - say why nobody keeps the slopes of an array operation, and what takes their place,
# - write what every operation has in common: take arrays out, compute, wrap, record,
# - make `+ - * / **` work with numbers, lists and arrays on either side,
# - walk back through a graph from Function to Function, and read PyTorch's `grad_fn`.

# %% [markdown]
# ## Recall (3 minutes)
#
# From notebooks 00 and 02, without looking:
#
# 1. A result `u = a * b` of two Values remembers four things. Its number is one of them. What are the others?
# 2. `x` is a Value. For `5 - x`, which method of `x` does Python call, and what is `other` there?
# 3. NumPy adds arrays of shape (50, 4) and (4,). What shape has the sum? And what about (2, 3) and (2,)?
#
# <details><summary>Answers</summary>
#
# - **1**: Its inputs, the name of the operation, and the local slope to each input.
# - **2**: `x.__rsub__(5)`, so `other` is 5: what stands on the left.
# - **3**: (50, 4): the missing axis is put in front, and each row gets the same four numbers. (2, 3) and (2,) do not fit: counted from the right, 3 meets 2.
#
# </details>

# %% [markdown]
# ## A. A node for each number (4 minutes)
#
# Cleo marks an exam: 50 pupils, 4 tasks. Each mark is multiplied by the weight of its task, and everybody gets a bonus. With arrays that is one line: `marks * weights + bonus`, of shapes (50, 4), (4,) and (). With Values it takes loops.
#
# **Predict.** How many nodes does her graph have, leaves included?

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
# Thought of in arrays there are two operations and three leaves: *five* nodes, whether there are 50 pupils or 50 million. One node for each array operation: that is the plan. A `Value` gives us the pattern. A result remembers its inputs, its operation, and ... its local slopes?

# %% [markdown]
# ## B. The slope of an array is a matrix (10 minutes)
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
# Now you, on paper. `total = a.sum()` turns three numbers into one. Its matrix has 1 row and 3 columns. What stands in it? And if 10 arrives at the total, what are the shares?

# %%
print("matrix:", table_of_slopes(lambda a: a.sum(keepdims=True), a))

# %% [markdown]
# **Explain.** Each number counts once, so all slopes are 1, and each number of `a` gets 10. The rule: *what arrived, repeated in the shape of the input.* No matrix here either.
#
# You will write a rule for every operation, in notebooks 06 to 08. In this notebook you build what they live in: the arrays that remember, and the operations that compute.

# %% [markdown]
# ## C. Tensor (4 minutes)
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
# There are no slopes in it. The operation has the rule.

# %%
x = Tensor([[1.0, -2.0, 3.0], [4.0, 5.0, -6.0]])
print(x)
print("shape", x.shape, "  grad", x.grad, "  made by", x._op, "  from", x._inputs)

rate = Tensor(0.1, requires_grad=False)
print(rate, " shape", rate.shape)

# %% [markdown]
# A Tensor that you make by hand requires grad, unless you say otherwise. `rate` is a **constant**: numbers that nobody wants to improve, such as the pixels of a picture.
#
# **Predict.** Two things that you may not expect. Ben makes a Tensor of `[1, 2, 3]`, all of them whole. What is its **dtype**, the kind of its numbers? And what does he see when he nudges a NumPy array of whole numbers by 0.5?

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
# ## D. Function (14 minutes)
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

# %% tags=["nbval-ignore-output"]
def broken_add(a, b):
    return Tensor(Add().forward(a.data, b.data))


total = broken_add(a, b)
total.label = "total"
draw_graph(total)

# %% [markdown]
# **Explain.** Right numbers, and no past: one box. It is the mistake of notebook 02, made with arrays. A result must remember its operation and its inputs.
#
# All operations need this in the same way, so it is written once, in the class `Function` on which they are all built. An operation is made, then called: `Add()(a, b)`. Python turns the second pair of brackets into `__call__(a, b)`, as it did with your neurons. The call
#
# 1. makes a Tensor of every input that is none yet: `as_tensors(inputs)`. A Tensor stays the very same one.
# 2. takes the arrays out and lets `self.forward` compute.
# 3. wraps the array again: `result(array, self, inputs)` is a Tensor that remembers, `result(array)` one that does not.

# %% [markdown]
# When should a result remember? Here are three inputs: `a` and `b` require grad, `k` is a constant.
#
# **Predict.** Which of these three sums will anybody walk back through: `a + b`, `a + k`, `k + k`?
#
# <details><summary>Answer</summary>
#
# The first two. If `a` moves, `a + k` moves with it. Nothing in `k + k` can move, so it is a constant as well, and what it was made from may be forgotten. *One input is enough.* Python's `any([...])` is True if something in the list is.
#
# </details>

# %% [markdown]
# ### Exercise 5.3 `Function.__call__` (8 minutes, ●●○○)
#
# Open `babygrad/ops/function.py` and fill in `Function.__call__`, inside the `try:`, which gives errors about shapes better words. This is a frame; without it take five minutes more *(stretch)*.
#
# ```python
# inputs = ____
# array = self.forward(*[____ for x in inputs])
# if Recording.on and any([____ for x in inputs]):
#     return ____
# return ____
# ```
#
# The * hands the items of a list over one by one, so it works for one input, for two, or for three.
#
# `Recording.on` is a second reason to forget: who only wants answers of a trained network needs no graph. It is a switch for the whole engine. In 09 you build its handle.
#
# The check calls `add`, and Functions of its own with one and three inputs. It asks for the numbers, for what the result remembers, for constants, a list beside a float32 Tensor, shapes that do not fit, and `Recording.on` being False.

# %%
%check 5.3

# %% [markdown]
# `add(a, b)` is short for `Add()(a, b)`. Draw the sum of your own.
#
# **Predict.** What will the picture show for the list: a leaf like `a`, or something else?

# %% tags=["nbval-ignore-output"]
total = add(add(a, b), [100, 200, 300])
total.label = "total"
draw_graph(total)

# %% [markdown]
# **Explain.** A pale box: the list became a Tensor, since the rule may want its numbers one day, but a constant one. Two operations, two circles, however long the arrays are. What stands on the arrows is no slope now but the *shape* of what goes in.

# %%
k = Tensor([5.0, 5.0, 5.0], requires_grad=False)
for name, out in {"a + b": add(a, b), "a + k": add(a, k), "k + k": add(k, k)}.items():
    print(f"{name}:  requires_grad {out.requires_grad!s:6} made by {out._op}  from {len(out._inputs)} inputs")

# %% [markdown]
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
# ## E. Nine forwards (8 minutes)
#
# Add was done for you. Negate is half done:
#
# ```python
# class Negate(Function):
#     def forward(self, a):
#         return ____
# ```
#
# Its `a` is a NumPy array. What do you write for the blank, and which shape does the result have?
#
# <details><summary>Answer</summary>
#
# `-a`, and the shape of `a`. NumPy goes through the numbers, in a loop that is written in C. You write no loop in a forward, and no `.data` either: there are no Tensors here.
#
# </details>

# %% [markdown]
# ### Exercise 5.4 `Negate Sub Mul Div Pow` (3 minutes, ●○○○)
#
# Fill in the five forwards in `babygrad/ops/arithmetic.py`. The docstring of each class says what it computes. (The rules, `exercise 6.…`, can wait.)
#
# The check asks for numbers of both signs, for shapes that stretch, for a division by 0 (let NumPy say `inf`), whether float32 stays float32, and whether the inputs are the same afterwards.

# %%
%check 5.4

# %% [markdown]
# *(stretch)* **Predict.** Four pairs of shapes. What shape has each product? One of the pairs does not fit.

# %%
for one, other in [((50, 4), (4,)), ((2, 1), (3,)), ((), (2, 3)), ((2, 3), (2,))]:
    try:
        print(one, "*", other, "has shape", mul(np.ones(one), np.ones(other)).shape)
    except ValueError as error:
        print(error)

# %% [markdown]
# **Explain.** Shapes stretch as in notebook 00: NumPy does it inside `forward`, and you need not think of it, until notebook 07. For the last pair NumPy raised a ValueError. The `try:` around your code put it in words that name the operation and a way out.

# %% [markdown]
# In `x + 5` the 5 is a plain number. As an input it would need a Tensor, a box, a place in the graph, and on the way back somebody would work out its share. For nothing.
#
# So there are four operations to which a number *belongs*. It is given when the operation is made, not when it is called:
#
# | made and called | computes |
# |---|---|
# | `Add()(x, y)` | x + y |
# | `AddScalar(5)(x)` | x + 5 |
#
# `AddScalar` has one input. Its number waits in `self.scalar`. (A **scalar** is a single number, as opposed to an array.)

# %% [markdown]
# ### Exercise 5.8 `AddScalar and its like` (2 minutes, ●○○○)
#
# Four more one-liners in `ops/arithmetic.py`: the forwards of AddScalar, MulScalar, DivScalar and PowerScalar. In all of them the array stands on the left of the sign. The check asks for numbers of both signs, whole ones, fractions and 0, and whether a float32 array stays float32.

# %%
%check 5.8

# %%
for out in (add(a, 5), AddScalar(5)(a)):
    print(f"{out._op!s:12} from {len(out._inputs)} input{'s' if len(out._inputs) > 1 else ''}: {out.data}")

# %% [markdown]
# ## F. Signs (14 minutes)
#
# `add(mul(x, w), b)` is right and reads badly. You want `x * w + b`. In notebook 02 you wrote `__add__` inside the class. Here that would be a circle: `Tensor` would need the operations, and the operations need `Tensor`.
#
# The way out is a third file. `babygrad/operators.py` knows both, and puts functions on the class from outside:
#
# ```python
# Tensor.__add__ = Tensor.__radd__ = plus
# Tensor.__sub__ = minus
# Tensor.__rsub__ = reflected_minus
# ...
# ```
#
# The first line gives the class the methods `__add__` and `__radd__`. From then on Python turns `x + 2` into `plus(x, 2)`.

# %% [markdown]
# `plus(x, other)` has to choose by the kind of `other`: the operation for a plain number, or the one for two Tensors? Such a choice is called **dispatch**.
#
# **Predict.** Write down for each of these which operation should do it:
#
# | | which operation? |
# |---|---|
# | x + 2 | ____ |
# | x + y, for a Tensor y | ____ |
# | x + [10, 20, 30] | ____ |
# | x - 2 | ____ |
#
# <details><summary>Answers</summary>
#
# `AddScalar(2)`; `Add`; `Add` too, since `as_tensors` in your `__call__` makes a Tensor of the list. For the last there is no SubScalar: taking away 2 is adding -2, `AddScalar(-2)`.
#
# </details>

# %% [markdown]
# ### Exercise 5.5 `x + other, and - * / **` (6 minutes, ●●○○)
#
# In `babygrad/operators.py` fill in `plus`, `minus`, `times`, `over` and `power`. One line each. `NUMBER` stands above them: `isinstance(other, NUMBER)` says whether `other` is a plain number. The functions of `ops/arithmetic.py`, each with `arithmetic.` in front:
#
# | | + | - | * | / | ** |
# |---|---|---|---|---|---|
# | a plain number | `add_scalar` | | `mul_scalar` | `div_scalar` | `power_scalar` |
# | a Tensor, list or array | `add` | `sub` | `mul` | `div` | `pow` |
#
# `plus`, for example: `return arithmetic.add_scalar(x, other) if isinstance(other, NUMBER) else ____`. The other four look like it.
#
# The check asks for numbers, Tensors, lists and arrays on the right, for `x / 0`, for float32, and from how many Tensors each result was made. It also computes each result once more from what it remembers, with other numbers in x.

# %%
%check 5.5

# %% tags=["nbval-ignore-output"]
x = Tensor([2.0, -3.0])
outs = {"x + 2": x + 2, "x - 2": x - 2, "x ** 2": x**2, "x * x": x * x, "x / [4, 6]": x / [4, 6]}
for name, out in outs.items():
    print(f"{name:11} {out.data!s:12}  {out._op}")

# %% [markdown]
# Now the other side. For `5 - x` Python asks 5 first. A plain number does not know Tensors, so Python calls `x.__rsub__(5)`. A list does not know them either.
#
# But an *array* on the left feels responsible for everything. Cleo's class has a right `__rsub__`, and she computes `np.ones(2) - x`.
#
# **Predict.** x holds 10 and 20. She expects -9 and -19. How many numbers does she get?

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
# `2 + x` and `3 * x` use `plus` and `times` again, as the first line above says of `2 + x`: there the order does not matter. For the others it does.

# %% [markdown]
# ### Exercise 5.9 `other - x, and / **` (3 minutes, ●●○○)
#
# Fill in `reflected_minus`, `reflected_over` and `reflected_power` in `operators.py`. `other` stands on the left. There is no special case for numbers here: `arithmetic.sub` and its like take anything on either side.
#
# The check asks for numbers, lists and arrays on the left, a negative base, and float32.

# %%
%check 5.9

# %%
x = Tensor([2.0, -4.0])
print((np.ones(2) - x).data, (8 / x).data, (2**x).data)

# %% [markdown]
# *(stretch)* **Predict.** `x` is of float32 now. Which of these four products is float32 too?

# %%
x = Tensor([2.0, -4.0], dtype="float32")
others = {"2": 2, "[1.5, 2.5]": [1.5, 2.5], "np.array([1, 2])": np.array([1, 2]), "np.ones(2)": np.ones(2)}
for name, other in others.items():
    print(f"x * {name:17} {(x * other).dtype}")

# %% [markdown]
# **Explain.** Plain numbers, lists and whole numbers adapt to the Tensor beside them. An array of float64 brings its own precision along, and the finer one wins. In NumPy itself the third line would be float64 too: there one array of labels or counts makes a whole network twice as large, and nobody notices.

# %% [markdown]
# Now Cleo's exam, once more. **Predict** the number of boxes, then count.

# %% tags=["nbval-ignore-output"]
marks = Tensor([[pupil % 7 + task for task in range(4)] for pupil in range(50)])
weights, bonus = Tensor([1.0, 0.5, 2.0, 1.5]), Tensor(3.0)
marks.label, weights.label, bonus.label = "marks", "weights", "bonus"

results = marks * weights + bonus
results.label = "results"
draw_graph(results)

# %% [markdown]
# **Explain.** Five boxes instead of 605. The numbers are the same 200, computed by two calls of NumPy.

# %% [markdown]
# ## G. The way back, one step at a time (8 minutes)
#
# Every result knows the Function that made it. PyTorch calls this `grad_fn`, and so do we: `x.grad_fn` is `x._op` under its public name, and `None` for a leaf.
#
# A Function in its turn knows the Tensors it was called with: `result` has put them into its `inputs`. So from a Function one can go to its inputs, and from each of them to the Function that made *it*. That is `next_functions`.
#
# On paper, for `y = (5 - x * w) / 2` with leaves x and w: which Function made y? Which one comes next? And after that?

# %% [markdown]
# ### Exercise 5.10 `next_functions` (4 minutes, ●●○○)
#
# Back to `babygrad/ops/function.py`. Fill in `next_functions`: for each input a pair of the Function that made it and the number 0. (In PyTorch the number says which of several results is meant. Ours have one each.) It stands under `@property`, so it is read without brackets: `f.next_functions`.
#
# The check asks Functions whose inputs are leaves, results, constants, and the same Tensor twice.

# %%
%check 5.10

# %% [markdown]
# This is what PyTorch says to the expression from above. It was recorded with version 2.13; the addresses in memory are left out.
#
# ```text
# >>> x = torch.tensor([[1.0, -2.0, 3.0], [4.0, 5.0, -6.0]], requires_grad=True)
# >>> w = torch.tensor([0.5, -1.0, 2.0], requires_grad=True)
# >>> y = (5 - x * w) / 2
# >>> y
# tensor([[ 2.2500,  1.5000, -0.5000],
#         [ 1.5000,  5.0000,  8.5000]], grad_fn=<DivBackward0>)
# >>> y.grad_fn.name()
# 'DivBackward0'
# >>> y.grad_fn.next_functions
# ((<RsubBackward1 object>, 0), (None, 0))
# >>> y.grad_fn.next_functions[0][0].next_functions
# ((<MulBackward0 object>, 0),)
# >>> y.grad_fn.next_functions[0][0].next_functions[0][0].next_functions
# ((<AccumulateGrad object>, 0), (<AccumulateGrad object>, 0))
# ```
#
# **Predict.** Ours will differ in a few places. Which pairs will stand in the first two `next_functions`?

# %% tags=["nbval-ignore-output"]
x = Tensor([[1.0, -2.0, 3.0], [4.0, 5.0, -6.0]])
w = Tensor([0.5, -1.0, 2.0])
y = (5 - x * w) / 2

print(y)
print(y.grad_fn.name())
print(y.grad_fn.next_functions)
difference = y.grad_fn.next_functions[0][0]
print(difference.next_functions)
product = difference.next_functions[1][0]
print(product.next_functions)

# %% [markdown]
# **Explain.** The same walk: a division, a difference, a product.
#
# - PyTorch divides by a constant, which has no Function: `(None, 0)`. Our `DivScalar` has one input.
# - PyTorch has an operation of its own for `5 - x`, called Rsub. We take `Sub`, and its first input is the constant 5.
# - A leaf is `None` here. PyTorch puts an `AccumulateGrad` there, whose rule adds to the leaf's `.grad`. In notebook 09 your `backward` will do that.
# - PyTorch's names end in Backward: there the object is only the rule. Ours has the forward as well.

# %% [markdown]
# ## Bug hunt (8 minutes)
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
# ### Exercise 5.7 `three_tables` (7 minutes, ●●●○)
#
# In `babygrad/hunts.py` write *one* expression of x for which A, B and C all find wrong numbers. At most 5 operations of `+ - * / **`; 4 are enough. A number may stand on either side, but not to the left of `**`. The seven minutes are for the frame below; without it take four more *(stretch)*. Try ideas in the next cell first.
#
# <details><summary>The frame: two blanks</summary>
#
# `(x + 1) ? (5 - x) ** ?`
#
# The first blank is a sign, the second an exponent. The sum stands in front, so that it comes before the second x is read.
#
# </details>

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
# ## Reflection (2 minutes)
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
# It has the rule, it may hold a number of its own, and it remembers its inputs: so one can walk from Function to Function.
#
# </details>

# %% [markdown]
# ## The rule to keep
#
# **One node for each array operation, and instead of slopes a rule.**

# %% [markdown]
# ## Where you are
#
# You have arrays that remember, operations that record, and operators that read like mathematics. What an operation cannot do yet is the way back. In notebook 06 you write the rules.
