# %% [markdown]
# # 08 · Matrix products
#
# A layer of a network is a product of two matrices, a **matrix product**, and a little more. A large network spends nearly all of its time in such products. Now you find their rule, and you need no new theory: a matrix product is made of many small products and sums, and you know the derivatives of those.

# %% jupyter={"source_hidden": true}
%load_ext grader

# %%
import numpy as np

from babygrad import Tensor, check_rule, ops
from toolbox import draw_graph
from toolbox.films.products import row_meets_column

# %% [markdown]
# ## Goals
#
# Afterwards you can
#
# - derive the rule of `a @ b` from three loops, and say why there are transposes in it,
# - use shapes to find a formula, and say when shapes prove nothing,
# - find the gradient of a matrix that was used for a whole batch,
# - reduce a new case (vectors) to one that is solved (stretch).

# %% [markdown]
# ## Recall

# %%
%quiz before 08

# %% [markdown]
# <details class="recall"><summary>From notebook 07, without looking</summary>
#
# 1. `x` has shape (2, 3, 4). What shape does `transpose(x)` have, without axes? And `x.T`?
# 2. `b` of shape (4,) was stretched to (3, 4), so each of its numbers has three copies. What is the gradient of a number of `b`?
# 3. `grad` has shape (2, 3). What shapes do `unbroadcast(grad, (1, 3))` and `unbroadcast(grad, (3,))` have?
#
# </details>
#
# <details><summary>Answers</summary>
#
# - **1**: (2, 4, 3): the last two axes change places. `.T` reverses all of them: (4, 3, 2).
# - **2**: the sum of the gradients of its three copies.
# - **3**: (1, 3) and (3,). In both, the numbers are summed over axis 0.
#
# </details>

# %% [markdown]
# ## A. From three loops to two transposes
#
# The matrix product, written as nobody would compute it, but as everybody can read it:

# %%
def product_by_loops(a, b):
    out = np.zeros((a.shape[0], b.shape[1]))
    for i in range(a.shape[0]):              # rows of a
        for j in range(b.shape[1]):          # columns of b
            for k in range(a.shape[1]):      # along the row, down the column
                out[i, j] += a[i, k] * b[k, j]
    return out


a = np.array([[1.0, 2.0, 3.0],
              [4.0, 5.0, 6.0]])
b = np.array([[1.0, 0.0],
              [2.0, -1.0],
              [0.0, 3.0]])
print(product_by_loops(a, b))
print("the same as NumPy's:", np.array_equal(product_by_loops(a, b), a @ b))

# %% [markdown]
# Now nudge. The number `a[0, 1]` is 2.
#
# **Predict.** It grows by 1. Which of the four numbers of the product change, and by how much? Look at nothing but the innermost line of the loops.

# %%
# prediction 8.A1
%predict

# %%
nudged = a.copy()
nudged[0, 1] += 1
print(nudged @ b - a @ b)

# %% [markdown]
# **Explain.** Row 0 of the product changes, by 2 and -1: that is row 1 of `b`. In the loops, `a[0, 1]` appears with i = 0, k = 1 and *every* j, each time multiplied by `b[1, j]`. So each `out[0, j]` has a local derivative of its own:
#
# ∂out[0, j] / ∂a[0, 1] = b[1, j]

# %% [markdown]
# The backward pass brings the upstream gradient, `out_grad`, one number for each number of the product:
#
# ```text
#   10   100
#    1    -2
# ```
#
# Two paths lead from `a[0, 1]`: to `out[0, 0]` with derivative 2, and to `out[0, 1]` with derivative -1. Multiply along each path, and add where paths meet:
#
# 10 · 2 + 100 · (-1) = -80
#
# That is the gradient of `a[0, 1]`. Now two more, on paper:
#
# | number | appears in | its gradient |
# |---|---|---|
# | `a[1, 2]` = 6 | row ____ of the product | ____ |
# | `b[1, 0]` = 2 | column ____ of the product | ____ |
#
# <details><summary>Answers</summary>
#
# `a[1, 2]`: row 1, with the derivatives 0 and 3: 1 · 0 + (-2) · 3 = -6. `b[1, 0]`: column 0, with the derivatives `a[0, 1]` = 2 and `a[1, 1]` = 5: 10 · 2 + 1 · 5 = 25.
#
# </details>

# %% [markdown]
# For all numbers at once: the same three loops, with two lines for each step, one for each factor.

# %%
def gradients_by_loops(out_grad, a, b):
    grad_a, grad_b = np.zeros_like(a), np.zeros_like(b)
    for i in range(a.shape[0]):
        for j in range(b.shape[1]):
            for k in range(a.shape[1]):
                grad_a[i, k] += out_grad[i, j] * b[k, j]
                grad_b[k, j] += a[i, k] * out_grad[i, j]
    return grad_a, grad_b


out_grad = np.array([[10.0, 100.0],
                     [1.0, -2.0]])
grad_a, grad_b = gradients_by_loops(out_grad, a, b)
print(grad_a)
print(grad_b)

# %% [markdown]
# Your -80, -6 and 25 are there. All of it is right, but far too slow. Look at the three sums:
#
# | number | the sum | runs over | position of that index (left factor, right factor) |
# |---|---|---|---|
# | `out[i, j]` | `a[i, k]` · `b[k, j]` | k | last, first |
# | `grad_a[i, k]` | `out_grad[i, j]` · `b[k, j]` | j | last, last |
# | `grad_b[k, j]` | `a[i, k]` · `out_grad[i, j]` | i | first, first |
#
# The first line *is* the product `a @ b`: it sums over the last index of the left factor and the first index of the right one.
#
# In each of the other two lines, that index is in the wrong place in one of the factors. What moves a last index to the front?

# %% [markdown]
# There is another way to the same formula: *shapes force it*. A gradient has the shape of its input. Ada's `a` has shape (2, 3) and her `b` (3, 4), so her `out_grad` has shape (2, 4). Out of `out_grad` and `b` something of shape (2, 3) must come.
#
# Each of the two may be transposed or not, and either may be on the left. That makes 8 products.
#
# **Predict.** How many of the 8 have shape (2, 3)? Ben's `a` and `b` both have shape (3, 3): how many of his 8 have the right shape? And how many have the right numbers?

# %%
# prediction 8.A2
%predict

# %%
def eight_products(x, y):
    """Both orders, each factor transposed or not; None where the shapes do not fit."""
    for left, right in ((x, y), (y, x)):
        for p in (left, left.T):
            for q in (right, right.T):
                yield p @ q if p.shape[1] == q.shape[0] else None


rng = np.random.default_rng(0)
for who, a_shape, b_shape in (("Ada", (2, 3), (3, 4)), ("Ben", (3, 3), (3, 3))):
    a, b = rng.normal(size=a_shape), rng.normal(size=b_shape)
    out_grad = rng.normal(size=(a @ b).shape)
    wanted, _ = gradients_by_loops(out_grad, a, b)
    fit = [p for p in eight_products(out_grad, b) if p is not None and p.shape == a.shape]
    right = [p for p in fit if np.allclose(p, wanted)]
    print(f"{who}: {len(fit)} of 8 have the right shape, {len(right)} of 8 the right numbers")

# %% [markdown]
# **Explain.** With three different sizes only one product fits, and it is the right one. So you can find the rule again at any time, with a pencil and three sizes.
#
# With square matrices everything fits: no shape is wrong, and seven of the eight are nonsense. Real networks come close to that. With 32 samples and 64 neurons in every layer, x has shape (32, 64) and w has (64, 64). Then `out_grad @ w`, with the transpose forgotten, has the right shape and the wrong numbers. So test with sizes that all differ, where a mistake shows in the shape; and once with square matrices, where only the numbers can show it.

# %% [markdown]
# ### Exercise 8.1
#
# Open `babygrad/ops/matrix.py` and fill in `matrix_gradients`, the rule for two matrices, made of operations on Tensors: `transpose(x)`, in books xᵀ, is imported there, and @ works on Tensors.

# %%
%check 8.1

# %% [markdown]
# Now see your rule at work on the numbers from above. In `a @ b`, rows of `a` meet columns of `b`.
#
# **Predict.** For the gradient of `a`, what meets: rows or columns of the upstream gradient, rows or columns of `b`? And for the gradient of `b`?

# %%
# prediction 8.A3
%predict

# %%
row_meets_column([[1, 2, 3], [4, 5, 6]], [[1, 0], [2, -1], [0, 3]], out_grad=[[10, 100], [1, -2]])

# %% [markdown]
# In a layer, `x @ w`, each row of `x` is one sample, and all samples use the same weights `w`. The gradient of `w` is a sum over i, that is, over the samples. Nobody had to write that sum: it is inside the product.
#
# The backward pass has two products where the forward pass has one: if they are large, a step of training costs about three times the forward pass.

# %% [markdown]
# **A good place to stop.** On a fresh kernel, run the imports and the cells that define `gradients_by_loops`, `rng`, `a` and `b`.

# %% [markdown]
# ## B. Batches (stretch)
#
# NumPy multiplies whole stacks of matrices with one @. Such a stack is called a *batch*. (The mini-batch of 04 was some of the samples: the rows of a single matrix.) Two rules say what fits:
#
# - The *last two* axes are rows and columns, and they multiply: (n, k) @ (k, m) gives (n, m).
# - The axes *in front* only say which matrix is multiplied by which. They are called **batch dimensions**, and they broadcast, as in a sum.
#
# | a | b | a @ b | which matrices are multiplied |
# |---|---|---|---|
# | (2, 3, 4) | (2, 4, 5) | (2, 3, 5) | the first is multiplied by the first, the second by the second |
# | (2, 3, 4) | (4, 5) | (2, 3, 5) | both are multiplied by one matrix |
# | (1, 3, 4) | (2, 4, 5) | (2, 3, 5) | a batch of one: it is multiplied by both |
# | (7, 1, 3, 4) | (5, 4, 6) | (7, 5, 3, 6) | each of seven is multiplied by each of five |

# %% [markdown]
# Ben has written the rule of 8.1 with NumPy's `.T`. He tries it on two pairs of batches: first with sizes that differ, then with 3 everywhere.
#
# **Predict.** For each of the two: right, an error, or wrong numbers?

# %%
# prediction 8.B2
%predict

# %%
def loop_over_batch(out_grad, a, b):
    """The truth: one pair of matrices at a time."""
    return np.stack([gradients_by_loops(g, x, y)[0] for g, x, y in zip(out_grad, a, b)])


def broken_gradient_of_a(out_grad, a, b):
    return out_grad @ b.T


for a_shape, b_shape in (((2, 3, 4), (2, 4, 5)), ((3, 3, 3), (3, 3, 3))):
    a, b = rng.normal(size=a_shape), rng.normal(size=b_shape)
    out_grad = rng.normal(size=(a @ b).shape)
    try:
        right = np.allclose(broken_gradient_of_a(out_grad, a, b), loop_over_batch(out_grad, a, b))
        outcome = "right" if right else "wrong numbers"
    except ValueError:
        outcome = "an error"
    print(f"{a_shape} @ {b_shape}: {outcome}")

# %% [markdown]
# **Explain.** `.T` reverses *all* axes. A batch of shape (2, 4, 5) becomes (5, 4, 2): its matrices are mixed up. With 3 everywhere the product still works, and nobody is warned.
#
# Only the last two axes may change places. Your `transpose` does just that when it gets no axes, so the rule of 8.1 works on a batch as it is.

# %% [markdown]
# Almost. What if one matrix is multiplied by a whole batch? Take the smallest case, on paper: one number, a = 2, is multiplied by b = 3 and by b = 5. The upstream gradients are 10 and 1. What is the gradient of a?
#
# <details><summary>Compare</summary>
#
# 35. It gets 10 · 3 from one product and 1 · 5 from the other: shares accumulate. For a matrix it is the same, number by number.
#
# </details>
#
# Cleo has the transposes right. Her fix for the rest: *as long as the gradient has more axes than the input, sum over the first one*.
#
# **Predict.** `b` has shape (2, 4, 5). For which of these shapes of `a` does she get the input's own shape back: (3, 4), (1, 3, 4), (2, 3, 4)?

# %%
# prediction 8.B3
%predict

# %%
def broken_add_up(gradient, shape):
    while gradient.ndim > len(shape):
        gradient = gradient.sum(axis=0)
    return gradient


share = np.ones((2, 3, 4))    # the rule of 8.1 gives a matrix for each of the two products, whatever the shape of a
for a_shape in ((3, 4), (1, 3, 4), (2, 3, 4)):
    print(f"a has shape {a_shape}, its gradient {broken_add_up(share, a_shape).shape}")

# %% [markdown]
# **Explain.** (1, 3, 4) is the trap. It has as many axes as (2, 4, 5), so nothing looks new. But its batch dimension of size 1 was stretched: one matrix was used twice, and its two shares still lie one behind the other in (2, 3, 4).

# %% [markdown]
# ### Exercise 8.2
#
# Also in `ops/matrix.py`. The function is called when both inputs have at least two axes and one of them has more. What you need is imported there. Return both gradients here, also that of a matrix that requires no grad: 8.3 will hand this function matrices that it has made itself, and in an ordinary backward pass, where recording is off, they require none.

# %%
%check 8.2

# %% [markdown]
# Does nudging agree?

# %%
rng = np.random.default_rng(8)


def random(*shape):
    return Tensor(rng.normal(size=shape))


for a_shape, b_shape in (((1, 3, 4), (2, 4, 5)), ((3, 4), (2, 4, 5)), ((2, 1, 3, 4), (5, 4, 6))):
    print(a_shape, "@", b_shape, check_rule(ops.matmul, [random(*a_shape), random(*b_shape)]))

# %% [markdown]
# **A good place to stop.** Your rule works for matrices and for batches of them, and networks need no more than that. The rest is about vectors, and an array on the left of @. On a fresh kernel, run the imports and the cell above, which defines `random`.

# %% [markdown]
# ## C. Vectors (stretch)
#
# A vector has one axis, and a matrix product needs two. NumPy does this:
#
# - on the *left* a vector acts as one row: (k,) becomes (1, k),
# - on the *right* it acts as one column: (k,) becomes (k, 1),
# - and afterwards that axis of size 1 is dropped from the result.
#
# So (3,) @ (3, 4) is computed as (1, 3) @ (3, 4). That gives (1, 4), and without the 1 it is (4,).
#
# **Predict.** Three more: (2, 3) @ (3,), then (3,) @ (3,), then (4,) @ (2, 4, 5). For each, write down the two shapes that are multiplied, and the shape that comes out.

# %%
# prediction 8.C1
%predict

# %%
for a_shape, b_shape in (((2, 3), (3,)), ((3,), (3,)), ((4,), (2, 4, 5))):
    print(a_shape, "@", b_shape, "gives", (np.ones(a_shape) @ np.ones(b_shape)).shape)

# %% [markdown]
# **Explain.** (2, 3) @ (3, 1) is (2, 1), so (2,). Two vectors are (1, 3) @ (3, 1), which gives (1, 1), and both axes are dropped: one number, their *dot product*. And (1, 4) is multiplied by both matrices of the batch: (2, 1, 5), so (2, 5).
#
# What happens to the rule of 8.2?

# %%
v = Tensor([1.0, -2.0, 0.5])
try:
    ops.transpose(v)
except ValueError as error:
    print(error)

# %% [markdown]
# The message says what to do. Give the vector a second axis, and everything is a product of matrices.
#
# First the smallest case: v of shape (3,) on the left of a matrix B of shape (3, 4). The product has shape (4,), and so has its gradient. Your rule of 8.2 does the work, between two changes of shape:

# %%
v, B, out_grad = random(3), random(3, 4), random(4)

row = ops.reshape(v, (1, 3))                          # as NumPy takes it
out_grad_row = ops.reshape(out_grad, (1, 4))          # the shape of row @ B
grad_row, grad_B = ops.matrix.batch_gradients(out_grad_row, row, B)
print("as matrices:", grad_row.shape, grad_B.shape)
print("v's own:    ", ops.reshape(grad_row, (3,)).shape)

# %% [markdown]
# That is one case of five. The other four are yours. Begin on paper, with a batch of shape (2, 3, 4) and a vector v of shape (4,) on its right: `v` becomes ____, and `out_grad`, of shape (2, 3), becomes ____.
#
# <details><summary>Compare</summary>
#
# (4, 1), a column, and (2, 3, 1). The gradient of the column has shape (4, 1), summed over the batch, and goes back to (4,).
#
# </details>

# %% [markdown]
# ### Exercise 8.3
#
# In `ops/matrix.py` again; `reshape` is imported there. You need no new rule. One of the sizes that you give to `reshape` may be -1. All of it has to work with recording off, too, as in an ordinary backward pass.

# %%
%check 8.3

# %% [markdown]
# ## D. `array @ Tensor` (stretch)
#
# In `array @ x` the array does not know what to do with a Tensor, so Python calls `x.__rmatmul__(array)`. It is given: one call of `matmul`, with the array as the left factor.
#
# Ada rotates her points by 90 degrees, with a matrix of plain numbers on the left. The points get a gradient, the array does not.

# %% tags=["nbval-ignore-output"]
quarter_turn = np.array([[0.0, -1.0], [1.0, 0.0]])
points = Tensor([[1.0, 2.0, 0.0], [0.0, 1.0, -3.0]])  # one point in each column
points.label = "points"
rotated = quarter_turn @ points
rotated.label = "rotated"
draw_graph(rotated)

# %% [markdown]
# ## Reflection
#
# Write an answer to one of these questions before you unfold ours. Answer the other aloud, as in an interview.
#
# **Derive the gradients of a @ b, as at a whiteboard.**

# %%
%%note 8.R1

# %% [markdown]
# <details><summary>Our answer</summary>
#
# out[i, j] is the sum over k of a[i, k] · b[k, j]. So ∂out[i, j]/∂a[i, k] = b[k, j], for each j. Times out_grad[i, j], summed over j: out_grad @ bᵀ. Likewise for b, summed over i: aᵀ @ out_grad. Check it with the shapes.
#
# </details>
#
# **x has shape (32, 10, 64), w has shape (64, 8). How does the gradient of w get its shape?** (stretch)

# %%
%%note 8.R2

# %% [markdown]
# <details><summary>Our answer</summary>
#
# x transposed has shape (32, 64, 10), out_grad (32, 10, 8): their product is (32, 64, 8), a share from each of the 32. They are summed over the batch dimension, which leaves (64, 8).
#
# </details>

# %%
%predictions 08

# %% [markdown]
# ## In other books
#
# What the words of this notebook are called elsewhere, and in PyTorch and JAX: [the glossary](../docs/glossary.md#08-matrix-products).

# %% [markdown]
# ## The rule to keep
#
# **Each factor gets out_grad times the other one, transposed; and the shares of one matrix that was multiplied by many are added up.**

# %% [markdown]
# ## Where you are
#
# Every operation of a network has its rule now: arithmetic, functions, shapes and products. In notebook 09 you make them work together: one call, and each rule is called at the right time.
