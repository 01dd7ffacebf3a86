# %% [markdown]
# # 10 · Layers by hand
#
# Your engine finds gradients by itself. Before there were engines, people worked out the gradient of each layer on paper and wrote it down, once and for all. The fastest programs are still made that way. You do it here, in NumPy alone, and the net that comes out reads handwritten digits.
#
# Then your engine gets what it lacks for nets that sort things into classes: indexing, and a safe way from scores to probabilities.

# %% jupyter={"source_hidden": true}
%load_ext grader

# %%
import matplotlib.pyplot as plt
import numpy as np

from babygrad import Tensor, hunts
from toolbox import load_digits, plot_losses, train_test_split
from babygrad.layers import (
    CrossEntropyLoss,
    Linear,
    Net,
    ReLU,
    Sigmoid,
    Softmax,
    Tanh,
    eval_numerical_gradients,
    softmax_jacobian,
    softmax_rows,
    train_step,
)
from toolbox.films.softmaxes import one_logit_moves

# %% [markdown]
# ## Goals
#
# Afterwards you can
#
# - say what a derivative, a gradient and a Jacobian are, and why no program ever builds the Jacobian of a layer,
# - derive the backward pass of a layer: find the matrix product by its shapes, and say why rows are added up and not averaged,
# - say why softmax and cross-entropy are simpler together than apart,
# - test a layer by nudging, and say why a gradient of all ones sees nothing of a softmax,
# - index a Tensor, and compute softmax and its logarithm where `exp` overflows.

# %% [markdown]
# ## Recall

# %%
%quiz before 10

# %% [markdown]
# <details class="recall"><summary>From notebooks 01, 07 and 08, without looking</summary>
#
# 1. How does nudging find the derivative of a function at x = 2?
# 2. A bias of shape (4,) was stretched over the 9 rows of a batch. How does its gradient come back to (4,)?
# 3. c = a @ b, with a of shape (2, 3) and b of shape (3, 4). What shapes do c and the gradients of a and b have?
#
# </details>
#
# <details><summary>Answers</summary>
#
# - **1**: (f(2 + h) - f(2 - h)) / 2h, with a small h.
# - **2**: It is added up over the 9 rows: each of them used the bias.
# - **3**: c has (2, 4). A gradient has the shape of what it belongs to: (2, 3) for a, (3, 4) for b.
#
# </details>

# %% [markdown]
# ## A. Derivative, gradient, Jacobian
#
# A partial derivative belongs to a pair: one number of the answer, one number of the input. So how many are there?
#
# | from | to | the partial derivatives are | there are |
# |---|---|---|---|
# | a number | a number | the derivative | 1 |
# | an array of shape (3,) | a number | the gradient | 3, in shape (3,) |
# | an array of shape (3,) | an array of shape (2,) | the Jacobian | 6, in shape (2, 3) |
# | any shape | any shape | the Jacobian, with more axes | the answer's shape, then the input's |
#
# Here they all are by nudging:

# %%
def jacobian(f, x, eps=1e-6):
    x = np.array(x, float)
    slopes = []
    for place in np.ndindex(x.shape):
        up, down = x.copy(), x.copy()
        up[place] += eps
        down[place] -= eps
        slopes.append((f(up) - f(down)) / (2 * eps))
    J = np.stack(slopes, axis=-1).reshape(f(x).shape + x.shape)
    return J.round(6) + 0.0


def two_answers(x):
    return np.array([x[0] * x[1], x[0] + 3 * x[1]])


J, dout = jacobian(two_answers, [2.0, 5.0]), np.array([10.0, 1.0])
print("Jacobian:", *J, sep="\n")
print("gradient of x:", J.T @ dout)

# %% [markdown]
# The first row belongs to the first answer, x₀ · x₁: its derivatives are 5 and 2. The second row belongs to x₀ + 3x₁.
#
# Now backwards. The upstream gradient is `dout = [10, 1]`. What is ∂L/∂x₀? There are two paths: 10 · 5 through the first answer, 1 · 1 through the second. Paths add up: 51. Each input goes down its own *column* of J. That is why J is transposed: `dx = J.T @ dout`, the same numbers as `dout @ J`. It is the vector-Jacobian product of notebook 05.

# %% [markdown]
# Every backward in this course is this one product, for any shapes. If answer and input have two axes each, the Jacobian has four: multiply it by dout[n, o], and add up over n and o.
#
# But take a usual first layer: 784 inputs, 128 outputs, a batch of 64. Its Jacobian with respect to the weights alone would fill 6.6 GB, nearly all zeros. So the recipe is always the same: find out what J.T @ dout *comes to*, on paper, and write down that.

# %% [markdown]
# ## B. A layer
#
# Here a layer is an object with two methods.
#
# - `forward(x)` returns the answer, and keeps in `self.kept` what it will need later.
# - `backward(dout)` gets the gradient of that answer. It returns the gradient of x. If the layer has weights, it puts their gradients beside them: `self.dweight` beside `self.weight`.
#
# `Linear` answers `x @ weight + bias`. One number of the answer is
#
# $$\mathrm{answer}[n, o] = \sum_i x[n, i] \cdot \mathrm{weight}[i, o] + \mathrm{bias}[o]$$
#
# Who used weight[1, 2]? Every row n, for its answer[n, 2], with the derivative x[n, 1]. So its gradient is the sum over n of x[n, 1] · dout[n, 2].

# %% [markdown]
# Ask the same for one number of the bias and one number of x:
#
# | number | used by | derivative | its gradient |
# |---|---|---|---|
# | bias[2] | ____ | ____ | ____ |
# | x[0, 1] | ____ | ____ | ____ |
#
# <details><summary>Compare</summary>
#
# - bias[2]: answer[n, 2] of every row n, with the derivative 1. Its gradient is the sum over n of dout[n, 2].
# - x[0, 1]: every answer[0, o] of its own row, with the derivative weight[1, o]. Its gradient is the sum over o of weight[1, o] · dout[0, o].
#
# </details>
#
# So each of the three gradients is a sum, and NumPy can do all sums of a kind at once. The shapes tell you which product it must be. One thing they cannot tell: whether the rows are added up or averaged, since a mean has the shape of a sum. Paths add up.

# %% [markdown]
# ### Exercise 10.1
#
# Open `babygrad/layers.py` and fill in `forward` and `backward` of `Linear`, without any loop. Of all that forward had in its hands, what does backward need? That goes into `self.kept`; `self.from_forward()` gives it back.

# %%
%check 10.1

# %% [markdown]
# ## C. Number by number
#
# ReLU, tanh and sigmoid are elementwise: they treat each number alone. So each answer depends on its own input only:

# %%
print(jacobian(np.tanh, [-1.0, 0.0, 2.0]).round(2))

# %% [markdown]
# A diagonal, and zeros. Multiplied by dout, that is a product number by number: dout times the local derivative.
#
# ### Exercise 10.2
#
# Three layers in `layers.py`. You found the derivatives in exercises 6.7 and 6.8. Decide for each layer what forward has to keep: x, or the answer?

# %%
%check 10.2

# %% [markdown]
# **A good place to stop.** On a fresh kernel, run the imports and the cell in A that defines `jacobian`.

# %% [markdown]
# ## D. Scores become probabilities
#
# A net that sorts pictures into classes answers one score for each class. Such raw scores are called **logits**. To train the net we want probabilities. **Softmax** makes them: exp of each score, over the sum of all. For the logits 1, 2, 4:
#
# | class | 0 | 1 | 2 | sum |
# |---|---|---|---|---|
# | score | 1 | 2 | 4 | |
# | exp | 2.7 | 7.4 | 54.6 | 64.7 |
# | softmax | 0.042 | 0.114 | 0.844 | 1 |
#
# **Predict.** Add the same number to all three logits: 100, or 1000. What becomes of the probabilities?

# %%
# prediction 10.D1
%predict

# %%
def softmax_by_the_book(scores):
    return np.exp(scores) / np.exp(scores).sum()


with np.errstate(all="ignore"):
    for more in (0, 100, 1000):
        print(f"{more:5} more: ", softmax_by_the_book(np.array([1.0, 2.0, 4.0]) + more).round(3))

# %% [markdown]
# **Explain.** Nothing should change: with 100 more, every term of numerator and denominator gets a factor of e¹⁰⁰, which cancels. But e¹⁰⁰⁰ is too large for a float. It is `inf`, and inf / inf is nan.
#
# That is also the way out. If adding does not matter, *subtract* the largest score from all of them. Then the largest exponent is 0, and nothing can overflow.
#
# Now the derivatives:

# %%
J = jacobian(softmax_by_the_book, [1.0, 2.0, 4.0])
print(J.round(3))
print("sums down the columns:", J.sum(axis=0).round(3) + 0.0)

# %% [markdown]
# Look down the third column: the third score grows a little. Its own probability grows by 0.132; together the others shrink by just as much: the sum stays 1. Probabilities compete.
#
# Every number of this Jacobian is made of the probabilities 0.042, 0.114 and 0.844, of one of them or of two. Which rule makes the diagonal, and which one the rest? Try your ideas here until they agree with the Jacobian:

# %%
p = softmax_by_the_book(np.array([1.0, 2.0, 4.0]))
print("p:                 ", p.round(3))
print("the diagonal:      ", J.diagonal().round(3))
print("an idea about it:  ", (p / 2).round(3))
print("row 1, column 2:   ", J[1, 2].round(3))
print("an idea about it:  ", (p[1] + p[2]).round(3))

# %% [markdown]
# A backward needs J.T @ dout, and with many classes a Jacobian for each row takes a lot of memory. So multiply on paper, for three classes and with letters: what is the first number of J.T @ dout, and what the second? What do they have in common?
#
# ### Exercise 10.3
#
# In `layers.py`: `softmax_rows` for a batch, `softmax_jacobian` for one row, and the layer `Softmax`, whose backward builds no Jacobian.

# %%
%check 10.3

# %% [markdown]
# **Explain.** On the diagonal stands p (1 - p), as for sigmoid; off it, minus the product of the two: -0.114 · 0.844 = -0.096.
#
# $$\frac{\partial p_i}{\partial s_j} = p_i (1 - p_i) \ \text{ if } i = j, \qquad -p_i \, p_j \ \text{ otherwise}$$
#
# The quotient rule says why: a class's own score stands in the numerator and in the denominator, any other in the denominator alone.
#
# <details><summary>J.T @ dout, multiplied out</summary>
#
# $$p_j \, \big( \mathrm{dout}_j - \sum_i p_i \, \mathrm{dout}_i \big)$$
#
# The sum is the same for every class.
#
# </details>
#
# **Predict.** The logits 1 and 2 stay, and the third goes from -4 to 4. What happens to the ratio of the first two probabilities? And what is the third probability when it grows fastest?

# %%
# prediction 10.D3
%predict

# %%
one_logit_moves(softmax_rows, softmax_jacobian, logits=[1, 2, 4], low=-4, high=4)

# %% [markdown]
# **Explain.** The ratio stays: exp(2) / exp(1) = 2.72, whatever the third logit is. And p (1 - p) is largest at 1/2, where it is 1/4. A probability near 0 or 1 hardly moves: there softmax is *saturated*.

# %% [markdown]
# **A good place to stop.** On a fresh kernel, run the imports.

# %% [markdown]
# ## E. How wrong was it?
#
# The loss asks one thing only: what probability did the *right* class get? The **cross-entropy** is minus its logarithm. With the probabilities from above:
#
# | right class | its probability | loss |
# |---|---|---|
# | 2 | 0.844 | 0.17 |
# | 0 | 0.042 | 3.17 |
#
# Being sure and right costs nearly nothing. Being sure and wrong costs a lot. The loss of a batch is the mean over its N rows.
#
# **Predict.** A net has no idea and gives each of 10 digits the same score. What is its loss? (You will see that number again.)

# %%
# prediction 10.E1
%predict

# %%
print(f"{-np.log(1 / 10):.3f}")

# %% [markdown]
# The gradient goes through two Jacobians. First from the loss to the probabilities: -1 / p at the right class, 0 elsewhere. Then through the softmax. Take p = 0.042, 0.114, 0.844 and class 0: -1 / 0.042 is about -24.
#
# **Predict.** Will the gradient of the logits be that large, too?

# %%
# prediction 10.E2
%predict

# %%
p = softmax_rows(np.array([[1.0, 2.0, 4.0]]))[0]
dp = np.array([-1 / p[0], 0.0, 0.0])
print("gradient of the probabilities:", dp.round(2) + 0.0)
print("gradient of the logits:       ", (softmax_jacobian(p).T @ dp).round(2))
print("the probabilities:            ", p.round(2))

# %% [markdown]
# **Explain.** The large number has gone. What remains is surprisingly simple. Compare the last two lines: how do you get from one to the other?
#
# The forward has a trap. Take two classes, logits 0 and 1000, and class 0 is right:

# %%
with np.errstate(divide="ignore"):
    print("-log(softmax):", -np.log(softmax_rows(np.array([[0.0, 1000.0]]))[0, 0]))

# %% [markdown]
# The probability e⁻¹⁰⁰⁰ was rounded to 0, and the logarithm of 0 is -inf. The loss should be 1000. Once the probability has been computed, it is too late for its logarithm. What is log(exp(s) / S), before anything is rounded?
#
# ### Exercise 10.4
#
# In `layers.py`, fill in `CrossEntropyLoss`. `targets` holds the number of the right class for each row. For an array `table` of three rows, `table[[0, 1, 2], [4, 0, 4]]` picks one number from each row: 4, 0 and 4 are the columns.

# %%
%check 10.4

# %% [markdown]
# **Explain.** The row that would have been perfect, 1 at the right class and 0 elsewhere, is called **one-hot**. The gradient is the probabilities less that row, over N: *softmax minus one-hot.* So each logit is told how far its probability is from where it should be.
#
# $$\frac{\partial L}{\partial s} = \frac{p - y}{N}, \qquad y \text{ one-hot}$$

# %%
loss = CrossEntropyLoss()
print("logits 0 and 1000:", loss.forward(np.array([[0.0, 1000.0]]), np.array([0])))
print("gradient:         ", loss.backward())

# %% [markdown]
# **A good place to stop.** You have softmax, and a loss. On a fresh kernel, run the imports and the cell in A that defines `jacobian`.

# %% [markdown]
# ## F. A net, and a test for it
#
# Layers in a row are a net: each gets the answer of the one before it, and on the way back the gradient of the one behind it. In `layers.py` that is `Net`, which is given:
#
# ```python
# def backward(self, dout):
#     for layer in reversed(self.layers):
#         dout = layer.backward(dout)
#     return dout
# ```

# %% [markdown]
# ### Is a backward right?
#
# A gradient check tells you. It needs one number to nudge for: the sum of dout * forward(x). The gradient of that number with respect to x is just what `backward(dout)` should return.
#
# Which dout? All ones would be the simplest. Here is a softmax whose backward does not work at all. It is tested beside yours, once with ones for dout and once with random numbers.
#
# **Predict.** In which of the four tests do backward and nudging agree?

# %%
# prediction 10.F1
%predict

# %%
class LazySoftmax(Softmax):
    def backward(self, dout):
        return np.zeros_like(dout)


x, random = np.array([[1.0, 2.0, 4.0]]), np.array([[0.3, -1.2, 0.8]])
for name, dout in {"all ones": np.ones((1, 3)), "random": random}.items():
    for layer in (Softmax(), LazySoftmax()):
        layer.forward(x)
        nudged = np.tensordot(dout, jacobian(layer.forward, x), axes=2)
        agree = np.allclose(layer.backward(dout), nudged, atol=1e-5)
        print(f"{name:9} {type(layer).__name__:12} nudging says {(nudged.round(3) + 0.0)[0]}   agree: {agree}")

# %% [markdown]
# **Explain.** With ones the lazy layer passes. The sum of the answer is 1, whatever the scores, so its gradient is 0 everywhere: there is *nothing to see*. A random dout gives each probability a weight of its own, and the lazy one is found out.
#
# And how near is near enough? A difference of 0.001 is a lot beside 0.002, and nothing beside 1000. So the difference is compared with the size of both:
#
# $$\mathrm{relative\ error} = \frac{|a - b|}{|a| + |b|}$$
#
# It is 0 for equal arrays, and 1 for the wrong sign. In float64 a right layer has less than 0.000001 here.

# %% [markdown]
# ### Exercise 10.6
#
# In `layers.py`, write the test itself, which works for any layer. `numerical_gradient` is yours, from exercise 1.2; `relative_error` is given.
#
# One thing is new: forward takes x, but it takes no weight. A parameter must be nudged *inside* the layer, and afterwards everything must be as it was.

# %%
%check 10.6

# %% [markdown]
# Some of your layers, and a whole net:

# %%
rng = np.random.default_rng(0)
x = rng.normal(size=(5, 3))
net = Net(Linear(3, 4, rng), Tanh(), Linear(4, 2, rng), Softmax())
for layer in (Linear(3, 2, rng), ReLU(), Sigmoid(), LazySoftmax(), net):
    errors = eval_numerical_gradients(layer, x)
    verdict = {name: "right" if error < 1e-6 else f"off: {error:.1f}" for name, error in errors.items()}
    print(f"{type(layer).__name__:12}", verdict)

# %% [markdown]
# **A good place to stop.** On a fresh kernel, run the imports.

# %% [markdown]
# ## G. It reads
#
# 1797 handwritten digits come with scikit-learn, each of 8 × 8 pixels, from 0 (paper) to 1 (ink). A fifth is held back: the net never sees it in training.

# %%
x, y = load_digits()
x_train, x_test, y_train, y_test = train_test_split(x, y, seed=0)
print("to learn from:", x_train.shape, "  held back:", x_test.shape)

figure, panels = plt.subplots(1, 10, figsize=(8, 1.3), layout="constrained")
for digit, panel in enumerate(panels):
    panel.imshow(x_train[y_train == digit][0].reshape(8, 8), cmap="gray_r")
    panel.set_title(digit)
    panel.axis("off")
plt.show()

# %% [markdown]
# One of each digit, with its label above. Some would puzzle you, too.
#
# ### Exercise 10.7
#
# In `layers.py`, fill in `train_step`: forward, loss, backward, and a step of gradient descent. The parameters are changed in place, with `-=`, since the layers must see the new numbers.

# %%
%check 10.7

# %% [markdown]
# Twenty epochs, in mini-batches of about 50. What the net reads is the place of the highest score in each row: NumPy's `argmax(axis=1)`.
#
# **Predict.** What will the loss be at the start? And of 100 digits that it has never seen, how many will the net read correctly after 20 epochs?

# %%
# prediction 10.G1
%predict

# %%
rng = np.random.default_rng(0)
net = Net(Linear(64, 32, rng), Tanh(), Linear(32, 10, rng))
loss = CrossEntropyLoss()

costs = []
for epoch in range(20):
    order = rng.permutation(len(x_train))
    for rows in np.array_split(order, 28):
        costs.append(train_step(net, loss, x_train[rows], y_train[rows], learning_rate=0.5))

read = net.forward(x_test).argmax(axis=1)
print(f"loss at the start {costs[0]:.1f}, at the end {np.mean(costs[-28:]):.2f}")
print(f"read correctly: {np.mean(read == y_test):.1%} of {len(y_test)} digits that it had never seen")

# %%
axes = plot_losses(costs)
axes.axhline(np.log(10), color="#555555", linestyle=":")
axes.text(560, np.log(10) - 0.04, "no idea: log 10 = 2.3", ha="right", va="top", color="#1c2733")
axes.set_title("The loss, batch by batch")
plt.show()

# %% [markdown]
# **Explain.** The curve begins at the dotted line, the loss of a net without any idea, and falls steeply in the first 100 steps. Each mini-batch is a little different, so it is not smooth.
#
# About 97 of 100, after a fraction of a second. (With 20 other splits and first weights it was between 93.6 and 98.3 %.) Which digits does it get wrong?

# %%
wrong = np.flatnonzero(read != y_test)[:6]
figure, panels = plt.subplots(1, 6, figsize=(7, 1.6), layout="constrained")
for panel, row in zip(panels, wrong):
    panel.imshow(x_test[row].reshape(8, 8), cmap="gray_r")
    panel.set_title(f"{y_test[row]}, read as {read[row]}", fontsize=9)
    panel.axis("off")
plt.show()

# %% [markdown]
# Six of its mistakes: what was meant, and what it read. Some are badly written, or lack a stroke.
#
# ### A digit of your own (stretch)
#
# `#` is ink, everything else is paper.

# %% tags=["nbval-ignore-output"]
DRAWN = """
..####..
.##..##.
.....##.
...###..
.....##.
.....##.
.##..##.
..####..
"""


def as_picture(drawing):
    """One row of 64 numbers: 1 for each #, 0 for each other character."""
    return np.array([[float(character == "#") for line in drawing.split() for character in line]])


for digit, p in enumerate(softmax_rows(net.forward(as_picture(DRAWN)))[0]):
    print(f"{digit}  {p:4.2f}  {'#' * round(40 * p)}")

# %% [markdown]
# Change the drawing and run the cell again. Write another digit. Rub out the upper half of the 3, move it by a column to the left and to the right, or fill the whole field with ink. When is the net unsure, and when is it sure and wrong? Does the direction matter?
#
# <details><summary>What to look for</summary>
#
# Moved to the right by a column, our 3 was still read as a 3 by 16 of 20 nets, and 19 were less sure than before. Moved to the left, by all 20, and 19 were surer: their own 3s have their ink further left than ours. A field full of ink gets ten probabilities too: *none of these* is not among the answers.
#
# </details>

# %% [markdown]
# **A good place to stop.** You have written a net from nothing but arrays, and it reads handwriting. On a fresh kernel, run the imports; for J also the cell in A that defines `jacobian`.

# %% [markdown]
# Your engine finds its way back through any expression. But it lacks the logarithms of probabilities (J), and first of all a way to pick numbers out of an array.
#
# ## H. Picking out
#
# `x[index]` is an operation like any other, called **gather**. Its backward puts each gradient where the number came from.
#
# Take x = [5, 6, 7] and x[[2, 0, 2]] = [7, 5, 7]. The upstream gradient is [10, 1, 4]. Ben starts with zeros, and then writes one line: `zeros[[2, 0, 2]] += out_grad`.
#
# **Predict.** What is the gradient of x? And what does Ben find?

# %%
# prediction 10.H1
%predict

# %%
out_grad = np.array([10.0, 1.0, 4.0])
zeros = np.zeros(3)
zeros[[2, 0, 2]] += out_grad
print("Ben:    ", zeros)

# %% [markdown]
# **Explain.** The 7 was picked twice, and paths add up: its gradient is 14. Ben's line has lost the 10. `zeros[index] += g` first *reads* all the places, then adds, and then writes: place 2 is written twice, and the last one wins.

# %% [markdown]
# ### Exercise 10.8
#
# In `babygrad/ops/gather.py`. Scatter is the operation that goes the other way: it starts with zeros, and adds each number at the place that an index names. Its forward must do better than Ben, for any index that NumPy understands. (`np.add` is an object with methods. One of them adds one by one; `dir(np.add)` lists them, and `help` explains each.) Then: what is the backward of a Gather, and what is that of a Scatter?

# %%
%check 10.8

# %%
x = Tensor([5.0, 6.0, 7.0])
picked = x[[2, 0, 2]]
picked.backward([10.0, 1.0, 4.0])
print(picked.data, "  gradient of x:", x.grad)

# %% [markdown]
# ## I. The largest (stretch)
#
# `x.max(axis)` gives the largest number of each row. If it grows, the result grows with it; the others do not matter. So the winner takes the whole gradient.
#
# And if two tie? There is no derivative, as at the kink of relu, and we have to agree on something. Here those that tie *share equally*, as in PyTorch's `amax`. So if 6 arrives at the largest of [4, 4, 0], each 4 gets 3.
#
# ### Exercise 10.9
#
# In `babygrad/ops/stable.py`, fill in `Max`. Which numbers win is not differentiated: `equal(a, b)` is given, 1 where two Tensors hold the same number, else 0, like `positive` in notebook 06.

# %%
%check 10.9

# %% tags=["nbval-ignore-output"]
x = Tensor([[1.0, 5.0, 2.0], [4.0, 4.0, 0.0], [3.0, 3.0, 3.0]])
x.max(axis=1).backward([6.0, 6.0, 6.0])
print(x.grad)

# %% [markdown]
# **A good place to stop.** On a fresh kernel, run the imports and the cell in A that defines `jacobian`.

# %% [markdown]
# ## J. Logarithms of probabilities
#
# You know the trap from `CrossEntropyLoss`, and the way out has a name. The **log-sum-exp** of some numbers is log(exp(s₀) + exp(s₁) + ...). It is a soft kind of maximum:
#
# | numbers | largest | log-sum-exp |
# |---|---|---|
# | 0, 0 | 0 | 0.69 |
# | 1, 2, 4 | 4 | 4.17 |
# | 1000, 999 | 1000 | 1000.31 |
# | 5, -inf | 5 | 5 |

# %% [markdown]
# A logit of -inf says: *this class is impossible*. Its exp is 0, and it drops out of every sum. Such a *mask* may cover a whole row, and then there are two traps:
#
# - The largest number is -inf too, and -inf - -inf is nan. So `highest(a, axes)`, which is given in `stable.py`, is the largest number along the axes, kept with size 1, but 0 where that is infinite.
# - The sum is 0, and NumPy warns of its logarithm. But -inf is the right answer here, so silence the warning: `with np.errstate(divide="ignore"):`

# %% [markdown]
# Now its partial derivatives, by nudging, for the logits 1, 2 and 4. You have met these three numbers:

# %%
print(jacobian(lambda s: np.log(np.exp(s).sum()), [1.0, 2.0, 4.0]).round(3))

# %% [markdown]
# How can a rule make them from `a` and `node`, the result, so that nothing overflows, and without a single division? Try 4 and 4.17 on a calculator.
#
# ### Exercise 10.10
#
# In `ops/stable.py`, fill in `LogSumExp`: forward on arrays, and a rule made of Tensors.

# %%
%check 10.10

# %% [markdown]
# `log_softmax` is s less its log-sum-exp: the logarithms of probabilities, without any probability. Take one row: logits with p = (0.25, 0.75), and the upstream gradient (3, -1).
#
# | gradient of | directly, from its own log p | through the log-sum-exp, which both log p have used |
# |---|---|---|
# | log-sum-exp | | -(3 + -1) = -2 |
# | logit 0 | 3 | 0.25 · -2 = -0.5 |
# | logit 1 | ____ | ____ |
#
# What are the gradients of the two logits? What must they add up to, and why?

# %%
row = np.log([1.0, 3.0])  # p = (0.25, 0.75)
J = jacobian(lambda s: s - np.log(np.exp(s).sum()), row)
print(J.T @ np.array([3.0, -1.0]))

# %% [markdown]
# 3 - 0.5 = 2.5, and -1 - 1.5 = -2.5. They add up to 0: if both logits grow by the same amount, no probability changes.
#
# ### Exercise 10.11
#
# In `ops/stable.py`: this row of numbers as a rule for any axes, and the softmax, whose backward you have from 10.3. In a rule `node` is the result. What is it in each of the two?

# %%
%check 10.11

# %% [markdown]
# **A good place to stop.** On a fresh kernel, run the imports.

# %% [markdown]
# ## K. The same net, both ways (stretch)
#
# With Tensors the cross-entropy is one line now: multiply the log-probabilities by one-hot rows, so that only those of the right classes are left, and take minus the mean. Here is a small net of hand-written layers, and one of Tensors that has copies of the same weights.

# %%
rng = np.random.default_rng(4)
x, targets = rng.normal(size=(6, 5)), np.array([0, 2, 1, 1, 0, 2])
net, loss = Net(Linear(5, 4, rng), Tanh(), Linear(4, 3, rng)), CrossEntropyLoss()

W1, b1, W2, b2 = (Tensor(array.copy()) for array in net.parameters())
X = Tensor(x, requires_grad=False)

one_hot = np.eye(3)[targets]
scores = (X @ W1 + b1).tanh() @ W2 + b2
tensor_loss = (scores.log_softmax() * one_hot).sum() / -6
tensor_loss.backward()

cost = loss.forward(net.forward(x), targets)
net.backward(loss.backward())

print(f"loss: by hand {cost:.6f}, with Tensors {tensor_loss.item():.6f}")
for name, by_hand, tensor in zip(["W1", "b1", "W2", "b2"], net.gradients(), (W1, b1, W2, b2)):
    difference = np.abs(by_hand - tensor.grad).max()
    print(f"{name}  {str(by_hand.shape):7} largest difference below 1e-15: {difference < 1e-15}")

# %% [markdown]
# The gradients agree to 15 or 16 digits, and a float has no more. Both ways are in use: an engine for whatever people think up, and hand-written layers for what is used a million times a day.

# %% [markdown]
# ## Bug hunt (stretch)
#
# Three softmaxes for the rows of a batch, each with its backward. Their authors say:
#
# - Ada: "Sums go along axis 0, as always."
# - Ben: "Mine is by the book: exp, over the sum of exp."
# - Cleo: "p * (1 - p) * out_grad, as for sigmoid. My test of the probabilities was perfect."

# %%
from grader.broken_engines.softmaxes import RIGHT, ENGINES, answers_of, is_right


def compare(scores, out_grad):
    for who, engine in {"right": RIGHT, **ENGINES}.items():
        p, gradient = answers_of(engine, scores, out_grad)
        p, gradient = ((array.round(2) + 0.0).tolist() for array in (p, gradient))
        verdict = "" if is_right(engine, scores, out_grad) else "   <- wrong"
        print(f"{who:6} p {p}  gradient {gradient}{verdict}")


compare([[1, 2]], [[3, -1]])

# %% [markdown]
# ### Exercise 10.12
#
# In `babygrad/hunts.py` return *one* test, scores and out_grad, for which all three fail. The first number of out_grad is given. Up to 3 rows of up to 4 numbers, from -1000 to 1000. Try ideas here:

# %%
compare([[0, 1], [2, 0]], [[1, 1], [1, 1]])

# %%
%check 10.12

# %% tags=["nbval-ignore-output"]
compare(*hunts.three_wrong_softmaxes(3))

# %% [markdown]
# ## Reflection
#
# Write an answer to one of these questions before you unfold ours. Answer the other aloud, as in an interview.

# %%
%%note 10.R1

# %% [markdown]
# <details><summary><b>The loss is 2.3 and does not move. There are ten classes. What does the number tell you?</b></summary>
#
# log 10 = 2.3: the net gives every class the same probability. It learns nothing, or it is never asked to: look at the update and at the labels.
#
# </details>
#
# <details><summary><b>Why are softmax and cross-entropy nearly always one function?</b></summary>
#
# Together they are simpler and safer than apart. Forward never takes the logarithm of a rounded 0, and backward is softmax minus one-hot, without the -1 / p that may be huge.
#
# </details>

# %%
%predictions 10

# %% [markdown]
# ## In other books
#
# What the words of this notebook are called elsewhere, and in PyTorch and JAX: [the glossary](../docs/glossary.md#10-layers-by-hand).

# %% [markdown]
# ## The rule to keep
#
# **Backward is the Jacobian's transpose times dout: derive what it comes to, test it with a random dout, and never build it.**

# %% [markdown]
# ## Where you are
#
# You have written a net without an engine, and an engine that can do the same.
