# %% [markdown]
# # 09 · The backward engine
#
# Every operation has its rule by now. But so far somebody had to call each rule by hand, in the right order, and add up what came back. In this notebook you write the part that does all this: `loss.backward()`, backpropagation for arrays.
#
# It is the backward pass of notebook 03 once more. Three things are new. A gradient is an array, and two nodes may refer to the same one. Some nodes require no gradient. And the backward pass is itself made of operations, so it can be differentiated too.

# %% jupyter={"source_hidden": true}
%load_ext grader

# %%
from contextlib import contextmanager

import matplotlib.pyplot as plt
import numpy as np

from babygrad import Function, GradcheckError, Tensor, grad, gradcheck
from babygrad import gradgradcheck, hunts, no_grad, ops, scalar_nn
from babygrad.autograd import gradients, shares_of, topological_order
from toolbox import clock, draw_graph, make_moons, plot_decision_boundary, step_through

# %% [markdown]
# ## Goals
#
# Afterwards you can
#
# - keep the ledger of a backward pass by hand, and say why a share must never be added in place,
# - say which nodes get a `.grad`, what a second `backward()` does to it, and who may change it,
# - switch recording off, and say what that saves,
# - take gradients of gradients, and write the check that finds rules whose second derivative is wrong (stretch).

# %% [markdown]
# ## Recall

# %%
%quiz before 09

# %% [markdown]
# <details class="recall"><summary>From notebooks 03 and 06, without looking</summary>
#
# 1. When may a node pass its gradient on to its inputs?
# 2. L = a * b, and its upstream gradient is g. What does the rule give to a, and what to b?
# 3. A rule is made of operations on Tensors, not of NumPy's. What for?
#
# </details>
#
# <details><summary>Answers</summary>
#
# - **1**: When every node that used it has passed on its own.
# - **2**: g * b to a, and g * a to b.
# - **3**: So that the gradient remembers what it was made from, and can itself be differentiated.
#
# </details>

# %% [markdown]
# ## A. The same backward pass, other nodes
#
# Here is a computation graph of Tensors. `x` is a leaf. `FACTOR` is a constant: it was made with `requires_grad=False`.

# %% tags=["nbval-ignore-output"]
x = Tensor([3.0, -1.0])
FACTOR = Tensor([2.0, 5.0], requires_grad=False)
y = x * x
z = y * FACTOR
L = z + y
for name, node in dict(x=x, FACTOR=FACTOR, y=y, z=z, L=L).items():
    node.label = name
draw_graph(L)

# %% [markdown]
# The backward pass goes from the root to the leaves: L, z, y, x. `y` must wait for `z`, since `z` used it too. What was `node._prev` in 03 is `node._inputs` now. In place of `node._backward()` there is the rule of `node._op`, which is None for a leaf.
#
# In 03 every number got a gradient. Here the largest array of a graph is often the training data. Its gradient would be just as large, and nobody would ever look at it.
#
# So the backward pass should visit no node without need. At each node something must decide where to go on, without looking at what lies behind. And no leaf that is trained may be missed.

# %% [markdown]
# ### Exercise 9.1
#
# Open `babygrad/autograd.py`. `topological_order` is given there: it is your depth-first search of 3.3, and lists the nodes of a directed acyclic graph in the order of the forward pass, root last. At each node it asks one question, and the answer is yours: on which of its inputs does the search go on? Fill in `inputs_to_visit`.
#
# Test your idea on two more graphs, where `DATA` is a constant as well: p = (DATA * DATA) * x, and q = (x * DATA) * DATA.

# %%
%check 9.1

# %% [markdown]
# Your order for the graph above and for p and q, reversed, as the backward pass takes it:

# %%
DATA = Tensor([4.0, 4.0], requires_grad=False)
squares, products = DATA * DATA, x * DATA
p, q = squares * x, products * DATA
for name, node in {"DATA": DATA, "DATA * DATA": squares, "x * DATA": products, "p": p, "q": q}.items():
    node.label = name

for root in (L, p, q):
    print(*(node.label for node in reversed(topological_order(root))), sep=", ")

# %% [markdown]
# **Explain.** FACTOR is not among them. From p it goes to x alone: DATA * DATA requires no grad either, since a result requires grad only if *any* of its inputs does. For the same reason, no leaf that is trained can lie behind a node that was left out. From q it goes to x * DATA, and from there to x: that the other input is a constant makes no difference.

# %% [markdown]
# ## B. The ledger
#
# In notebook 03 the nodes held the gradients during the backward pass. Now they stand in a book of their own: a dict with nodes as keys, and for each node v what is known of ∂L/∂v so far. This is the **ledger** of the backward pass. No node is changed, so a backward pass can be repeated as often as you like.
#
# The ledger begins with a single line: what the root itself gets, the **initial gradient**. Here it is 1 for each number of L: `L.initial_gradient()` gives ones of L's shape, as a constant.

# %%
nodes = [L, z, y, x]


def print_ledger(when, ledger):
    cells = [str(ledger[node].data) if node in ledger else "" for node in nodes]
    print(f"{when:12}" + "".join(f"{cell:>12}" for cell in cells))


print(" " * 12 + "".join(f"{node.label:>12}" for node in nodes))
ledger = {L: L.initial_gradient()}
print_ledger("at first", ledger)

# %% [markdown]
# Now the rule of L is called. `shares_of(node, gradient)` is given and does that. The rule computes the vector-Jacobian product of notebook 05; what it gives is summed over the axes that were broadcast (7.6). `shares_of` returns pairs (input, its share).

# %%
for input, share in shares_of(L, ledger[L]):
    print(input.label, "gets", share.data)

# %% [markdown]
# Both are written down. z has its whole gradient now, since nothing but L used it. So its rule is called next. What it gives to `FACTOR` is not written down.
#
# **Predict.** The numbers are x = [3, -1], FACTOR = [2, 5], y = [9, 1]. What is in the ledger after the rule of z has been called, and what after that of y? Remember that z = y * FACTOR, and y = x * x.

# %%
# prediction 9.B1
%predict

# %%
print(" " * 12 + "".join(f"{node.label:>12}" for node in nodes))
print_ledger("at first", ledger)

ledger[z] = ledger[y] = ledger[L]
print_ledger("after L", ledger)

ledger[y] = ledger[y] + ledger[z] * FACTOR    # the second share
print_ledger("after z", ledger)

ledger[x] = ledger[y] * x                     # y = x * x: one share for each side
ledger[x] = ledger[x] + ledger[y] * x
print_ledger("after y", ledger)

# %% [markdown]
# **Explain.** y got [1, 1] from L, and [2, 5] from z, so ∂L/∂y = [3, 6]. Only then was its rule called, and x got two shares, one for each side of x * x: 3 · 3 twice makes 18, and 6 · (-1) twice makes -12.

# %% [markdown]
# Gradients accumulate: if a node has a gradient in the ledger already, the next share is added to it. There are two ways to add arrays in Python. `p = p + q` makes a new array. `p += q` writes the sum into the old one. The second seems to save memory.
#
# Ben keeps a ledger for c = a + b and d = c + a, by hand, with plain arrays. The rule of + passes the gradient that it gets on to both sides, the very same array.
#
# **Predict.** d = 2a + b, so a should get 2, and b should get 1. What will Ben's ledger say?

# %%
# prediction 9.B2
%predict

# %%
ledger = {"d": np.array([1.0, 1.0])}

ledger["c"] = ledger["d"]             # the rule of d: one share to c ...
ledger["a"] = ledger["d"]             # ... and one to a
ledger["a"] += ledger["c"]            # the rule of c: a further share to a ...
ledger["b"] = ledger["c"]             # ... and the first one to b

for name, gradient in ledger.items():
    print(name, gradient)

# %% [markdown]
# **Explain.** All four lines hold one and the same array. What was added for a was added in all four: c had 1, but holds 2 by the time it is passed on to b. Even the initial gradient has changed, and that may belong to the caller.
#
# Look which one is wrong. a is right, although the sum for a is the one that was done in the wrong way. **b is wrong, and b is used only once.**
#
# In notebook 03 `+=` was right: a Python number never changes in place. For arrays: `ledger[a] = ledger[a] + share`.

# %% [markdown]
# ### Exercise 9.2
#
# Fill in `gradients` in `autograd.py`: the ledger for any graph. You have just done it by hand; how to get from node to node, you decide.
#
# Two facts that were not needed above. A rule may give None in place of a share: then nobody needs it. And a leaf was made by no operation, so its `_op` is None.
#
# Each rule is called once. The check doubles a number 30 times, so that a billion paths lead to it. The recursive `backward` of many tutorials has no ledger, and follows them all, as Ben did in 03 F. Real nets are full of such forks.

# %%
%check 9.2

# %% [markdown]
# Your ledger for the graph above should end like the table:

# %%
found = gradients(L, L.initial_gradient())
for node in (L, z, y, x):
    print(node.label, found[node].data)
print("FACTOR in it?", FACTOR in found)

# %% [markdown]
# Ben's example with your ledger, step by step: d = c + a, and c = a + b. Look at the boxes of a, b and c in the step of c.

# %%
a, b = Tensor([1.0, 1.0]), Tensor([1.0, 1.0])
c = a + b
d = c + a
a.label, b.label, c.label, d.label = "a", "b", "c", "d"
step_through(d)

# %% [markdown]
# **A good place to stop.** You have the ledger of a whole backward pass, for any graph. On a fresh kernel, run the imports, the cell in A that defines `FACTOR`, and the one in B that defines `found`.

# %% [markdown]
# ## C. What need not be recorded
#
# Rules are made of operations, and operations are recorded. So a gradient in the ledger remembers how it was made, as any Tensor does, if something that it was made from requires grad:

# %% tags=["nbval-ignore-output"]
operations = [node for node in topological_order(found[x]) if node._op is not None]
print("L:", sum(node._op is not None for node in topological_order(L)), "operations")
print("the gradient of x:", len(operations), "operations")

# %% [markdown]
# Three: two products with x, and their sum. What was computed from the initial gradient and `FACTOR` alone is constant. So the backward pass has made a graph of its own, as large as the first, that leads back to x. Only a derivative of a derivative needs it. In training it costs time, and keeps every intermediate array in memory. And when a trained network only gives answers, there is no backward pass at all, so not even the forward pass need be recorded. That is called **inference**.
#
# The whole engine has one switch, `Recording.on`. It should be off during a block, and afterwards be what it was. In Python that is what `with` is for. A function with `yield` in it can be made into such a block. What comes before `yield` happens first, then the block, then the rest:

# %%
@contextmanager
def lights_off():
    print("lights off")
    yield
    print("lights on")


with lights_off():
    print("    in the dark")

# %% [markdown]
# **Predict.** Two situations. What is printed after the block that fails? And when one block is inside another, are the lights on or off at the line with the question mark?

# %%
# prediction 9.C2
%predict

# %%
try:
    with lights_off():
        print("    in the dark")
        raise KeyError("fell over a chair")
except KeyError as error:
    print("stopped by", error)

print("---")
with lights_off():
    with lights_off():
        print("    in the dark")
    print("    ?")

# %% [markdown]
# **Explain.** After an exception the rest of the function is not reached: the lights stay off for good. And the inner block turns them on in the middle of the outer one.
#
# For the first there is a remedy in Python: what is in `finally:` is done in any case, exception or not.
#
# ```python
# try:
#     yield
# finally:
#     print("lights on")
# ```
#
# For the second Python has no word. What would the inner block have to know, and when can it find out?

# %% [markdown]
# ### Exercise 9.3
#
# In `autograd.py` fill in `no_grad`. The line above its `def` makes it a block, as for `lights_off`. The switch is `Recording.on`, True or False.

# %%
%check 9.3

# %%
with no_grad():
    hidden = x * x
print("inside: ", hidden.requires_grad, hidden._inputs)
print("outside:", (x * x).requires_grad)

# %% [markdown]
# `no_grad()` is for a whole block, as in inference. To **detach** a single Tensor from its history there is `t.detach()`: the same numbers, as a constant.
#
# **Predict.** At t = 3, what is the gradient of t * t? And of t * t.detach()?

# %%
# prediction 9.C3
%predict

# %%
t = Tensor([3.0])
for product in (t * t, t * t.detach()):
    print(gradients(product, Tensor([1.0]))[t].data)

# %% [markdown]
# **Explain.** The value is 9 both times. But to the backward pass the detached factor is just the number 3, so only one of the two shares reaches t.

# %% [markdown]
# **A good place to stop.** On a fresh kernel, run the imports.

# %% [markdown]
# ## D. Filling in `.grad`
#
# `L.backward()` makes a ledger, under `no_grad()`, and puts the gradient of every node in it into the node's `.grad`, as a plain array. A constant keeps None. Two questions are left.
#
# *What if there is a `.grad` already?* Take x = 2, y = 3 · x, L = y · y, and two backward passes from L, one after the other. One pass finds 12 for y, and 36 for x. What should `x.grad` and `y.grad` say after the second, if a training step may consist of several passes? And what would x get, if what the first pass left in `y` were passed on once more?
#
# <details><summary>Compare</summary>
#
# A leaf accumulates: 36 + 36 = 72 for x. An inner node belongs to a single pass and starts afresh: 12 for y. If the first 12 were passed on once more, the second pass would find 24 for y and 72 for x, and x would have 108.
#
# </details>
#
# *Which array?* Take the ledger of the smallest graph with a trap in it, a + b, and scale the gradient of a in place:

# %%
a, b = Tensor([1.0, 2.0]), Tensor([3.0, 4.0])
ledger = gradients(a + b, Tensor([1.0, 1.0]))
grad_of_a, grad_of_b = ledger[a].data, ledger[b].data

grad_of_a *= 10
print(grad_of_a, grad_of_b, "the same array:", grad_of_a is grad_of_b)

# %% [markdown]
# Two names for one thing: this is called **aliasing**. For the ledger itself that does no harm: nobody writes into its arrays. But everybody may use `.grad`. Training code scales it, clips it, adds to it, mostly in place. What must `backward` put into a `.grad`, so that nothing that is done to it changes that of another node?

# %% [markdown]
# ### Exercise 9.4
#
# In `babygrad/tensor.py` fill in `backward`. `self.initial_gradient(grad)` is given. For None it returns ones, and from anything else that the caller gives it makes a Tensor; if the shape is not the root's, it raises a ValueError.

# %%
%check 9.4

# %% [markdown]
# Now a net of two layers, with a mini-batch of nine points. `X` is data, so a constant. The bias is broadcast over the nine rows. To keep the picture small, the second layer has no bias, and the mean of the outputs takes the place of the loss.

# %% tags=["nbval-ignore-output"]
def two_layer_net():
    rng = np.random.default_rng(1)
    X = Tensor(rng.normal(size=(9, 2)), requires_grad=False)
    W1, b1, W2 = (Tensor(rng.normal(size=shape)) for shape in [(2, 8), (8,), (8, 1)])
    hidden = (X @ W1 + b1).relu()
    out = hidden @ W2
    loss = out.mean()
    named = dict(X=X, W1=W1, b1=b1, W2=W2, hidden=hidden, out=out, loss=loss)
    for name, node in named.items():
        node.label = name
    return named


net = two_layer_net()
loss = net["loss"]
draw_graph(loss, blank=True)

# %%
loss.backward()
for name, node in net.items():
    print(f"{name:7} {str(node.shape):8} .grad: {None if node.grad is None else node.grad.shape}")

# %% [markdown]
# Each gradient has its node's shape, even where the bias was broadcast. X has none: it requires no grad. As each matrix product has two gradients, the backward pass of such a net takes about twice as long as its forward pass.
#
# So far the initial gradient was 1 everywhere. For an array that gives the gradient of the *sum* of its numbers. An initial gradient of your own gives them different weights: it is the vector in the vector-Jacobian product.
#
# (PyTorch keeps a `.grad` in leaves only, unless you call `retain_grad()` on an inner node, and wants an initial gradient for every root that is not a single number.)

# %%
x = Tensor([1.0, 2.0])
y = 3 * x

y.backward()
print("ones:            ", x.grad, "  y.grad:", y.grad)
y.backward([1.0, 10.0])
print("then [1, 10]:    ", x.grad, "  y.grad:", y.grad)
x.zero_grad()
print("after zero_grad: ", x.grad)
try:
    y.backward([1.0, 1.0, 1.0])
except ValueError as error:
    print("ValueError:      ", error)

# %% [markdown]
# The leaf accumulates: [3, 3], and then [3, 30] more. `y` starts afresh with each pass. `zero_grad()` leaves None, as if there had never been a backward pass.
#
# And a root that was not recorded has nothing behind it:

# %%
with no_grad():
    lost = 3 * x
try:
    lost.backward()
except RuntimeError as error:
    print(error)

# %% [markdown]
# **A good place to stop.** `loss.backward()` works, and fills in every `.grad`. On a fresh kernel, run the imports.

# %% [markdown]
# ## E. Compared with PyTorch (stretch)
#
# The expression has a matrix product, a broadcast bias, and an input and a result that are used more than once. PyTorch (in float64) printed these numbers for it:

# %%
PYTORCH = {
    "loss": 1.317760073763926,
    "X": [
        [0.11789613481080441, 0.47979544114369344, 0.6305422363924406],
        [0.17777637662140833, -0.3797337547306958, 0.10995329299904004],
        [0.06716589084142217, 0.014676640076102782, 0.16368930365085974],
        [0.17677683930483776, -0.04892417494271656, 0.3051317288948985],
    ],
    "W": [
        [0.45921058402064957, 0.14446969184561176],
        [0.060958157135537, -0.3695987658953044],
        [0.013378328213107221, 0.78748159250455],
    ],
    "b": [0.6197314795562943, 0.534762977641034],
}

# %%
X = Tensor([[0.5, -1.2, 2.0], [1.5, 0.3, -0.7], [-0.9, 0.8, 1.1], [0.2, -0.4, 0.6]])
W = Tensor([[0.7, -0.3], [-1.1, 0.9], [0.4, 1.3]])
b = Tensor([0.25, -0.6])

h = (X @ W + b).tanh()
loss = (h * h.exp() + X.sum(1, keepdims=True) * h).mean()
loss.backward()

yours = {"loss": loss.data, "X": X.grad, "W": W.grad, "b": b.grad}
for name, numbers in yours.items():
    off = np.max(np.abs(numbers - PYTORCH[name])) / np.max(np.abs(PYTORCH[name]))
    print(f"{name:5} {str(numbers.shape):7} agrees to 14 digits: {off < 1e-14}")

# %% tags=["nbval-ignore-output"]
print("yours:  ", *W.grad[0])
print("PyTorch:", *PYTORCH["W"][0])

# %% [markdown]
# They agree to all but the last bit or two, though the two programs share no line of code. Sums were computed in another order: in float64, (p + q) + r and p + (q + r) may differ in the last digit.

# %% [markdown]
# ## F. Gradients of gradients (stretch)
#
# `backward` answers all questions at once, and writes the answers into the nodes. `grad(output, inputs)` answers the questions that you ask, returns the answers, and leaves every `.grad` alone.
#
# | call | gives |
# |---|---|
# | `grad(L, x)` | one Tensor, of the shape of x |
# | `grad(L, [y, x])` | a tuple of two, in this order; `y` may be an inner node |
# | `grad(L, v)`, where L does not depend on v | zeros, of the shape of v (PyTorch raises an error) |
# | `grad(L, x, g)` | one Tensor again, but the backward pass begins with `g` in place of ones |
# | `grad(L, x, create_graph=True)` | one Tensor again, but recorded, so that it can be differentiated again |
#
# The last line is all there is to a second derivative, or to any **higher-order derivative**. A gradient is the result of operations. If they are recorded, it is a node like any other.

# %% [markdown]
# ### Exercise 9.5
#
# In `autograd.py` fill in `grad`. Its first lines are given: `wanted` is a tuple of the inputs, and `single` says whether one Tensor was asked for.

# %%
%check 9.5

# %% [markdown]
# **Predict.** L = x³ at x = 2. The first derivative is 3x², so 12. What are the second and the third? And what does `grad` give for the second, if the backward pass for the first was not recorded?

# %%
# prediction 9.F1
%predict

# %%
x = Tensor(2.0)
first = grad(x**3, x, create_graph=True)
second = grad(first, x, create_graph=True)
third = grad(second, x)
print("recorded:    ", first.item(), second.item(), third.item())

first = grad(x**3, x)
print("not recorded:", first.item(), grad(first, x).item())

# %% [markdown]
# **Explain.** 12, then 6x = 12 again, then 6. Not recorded, the first derivative is a constant: it does not depend on x, so `grad` gives 0, as in the third line of the table. (It cannot raise an error: the derivative of x + 2 *is* a constant, and its second derivative 0 is right.) A rule with NumPy inside would do the same to any higher-order derivative, and that is why the rules of 06 to 08 are made of operations.
#
# Here is the computation graph of a gradient. Your rules made it. Two nodes hold a 1: the one on the right is the initial gradient, the other belongs to 1 - y².

# %% tags=["nbval-ignore-output"]
x = Tensor(2.0)
x.label = "x"
y = x.tanh()
y.label = "y"
gradient = grad(y, x, create_graph=True)
gradient.label = "gradient"
draw_graph(gradient)

# %% [markdown]
# **A good place to stop.** Your engine does backpropagation on any graph of arrays, and can differentiate its own gradients. The rest is stretch, but for the two moons of 04 at the end. On a fresh kernel, run the imports.

# %% [markdown]
# ## G. A check for second derivatives (stretch)
#
# Ben wrote the rule of tanh like this. `node` is the result y, and the derivative is 1 - y²:

# %%
class BensTanh(Function):
    def forward(self, a):
        return np.tanh(a)

    def backward(self, out_grad, node):
        return out_grad * (1 - node * node.data)


def bens_tanh(x):
    return BensTanh()(x)


# %% [markdown]
# **Predict.** Is the gradient right? Does `gradcheck` pass it? And the second derivative at 0.7 should be -0.767: what will come out?

# %%
# prediction 9.G1
%predict

# %%
x = Tensor(0.7)
print("gradcheck:", gradcheck(bens_tanh, [x]))
for name, function in {"tanh": ops.tanh, "Ben's tanh": bens_tanh}.items():
    first = grad(function(x), x, create_graph=True)
    second = grad(first, x)
    print(f"{name:15} first {first.item():.3f}   second {second.item():.3f}")

# %% [markdown]
# **Explain.** Half of it. `node.data` has the right numbers, but it is an array, so how it depends on x was not recorded. In y · y each factor contributes to the second derivative, and one of the two is missing. From here on every higher-order derivative is wrong. No error, no warning; the first derivatives are right to the last digit, so `gradcheck` finds nothing wrong.
#
# Here are the two side by side, for 120 numbers at once. The dots are second derivatives as well, found by nudging the first.

# %% tags=["nbval-ignore-output"]
def two_derivatives(function, numbers):
    x = Tensor(numbers)
    first = grad(function(x), x, create_graph=True)      # begins with ones: each number's own derivative
    return first.data, grad(first, x).data


line, dots, step = np.linspace(-3, 3, 120), np.linspace(-3, 3, 25), 1e-5
above, below = (two_derivatives(ops.tanh, dots + h)[0] for h in (step, -step))
nudged = (above - below) / (2 * step)

figure, ax = plt.subplots(figsize=(9, 3.4), layout="constrained", facecolor="white")
ax.plot(line, np.tanh(line), color="#999999", linewidth=1.5, label="tanh")
first, second = two_derivatives(ops.tanh, line)
ax.plot(line, first, color="#0072b2", linewidth=2, label="first derivative")
ax.plot(line, second, color="#009e73", linewidth=2, label="second derivative")
_, of_ben = two_derivatives(bens_tanh, line)
ax.plot(line, of_ben, color="#d55e00", linewidth=2, linestyle="--", label="second, by Ben's rule")
ax.plot(dots, nudged, "o", color="#009e73", markerfacecolor="none", label="by nudging the first")
ax.set(xlabel="x")
ax.legend(loc="center left", bbox_to_anchor=(1, 0.5))
plt.show()

# %% [markdown]
# The first derivative is largest at 0 and falls on both sides, so the second is positive on the left and negative on the right. The dots lie on the second derivative of `ops.tanh`. The dashed curve, by Ben's rule, has half its height everywhere. So nudging can find such a rule.

# %% [markdown]
# ### Exercise 9.6
#
# In `babygrad/gradient_check.py`, below `gradcheck(fn, inputs)`, which compares the derivatives of `fn` with nudging. To compare *second* derivatives with it, what function would you give it in place of `fn`? A rule's answer is `out_grad` times the derivative. What does it depend on? Which of these dependences can a rule leave unrecorded?
#
# Three facts to build on. `grad(output, x, out_grad)` also takes a Tensor as `out_grad`, and can record what is done with it. `gradcheck` keeps fixed whatever requires no grad. And `random_gradient(out, seed)`, further down, makes a constant: random numbers of the shape of `out`.

# %%
%check 9.6

# %% [markdown]
# Now give it everything: your rules of 06 to 08. Of the functions of one number you also see the first and the second derivative at 0.7.

# %%
numbers = np.random.default_rng(0)


def random(*shape):
    return Tensor(numbers.uniform(0.3, 2.0, shape))


ONE_NUMBER = {name: getattr(ops, name) for name in "exp log sqrt abs relu sigmoid tanh".split()}
ONE_NUMBER |= {"-x": ops.negate, "x + 2": lambda x: x + 2, "x * 3": lambda x: x * 3, "x / 4": lambda x: x / 4}
ONE_NUMBER |= {"x ** 3": lambda x: x**3, "Ben's tanh": bens_tanh}
OTHERS = {
    "a + b": (ops.add, random(2, 3), random(3)),
    "a - b": (ops.sub, random(2, 1), random(2, 3)),
    "a * b": (ops.mul, random(2, 3), random(2, 3)),
    "a / b": (ops.div, random(3), random(2, 3)),
    "a ** b": (ops.pow, random(2, 3), random(3)),
    "reshape": (lambda a: a.reshape(3, 2), random(2, 3)),
    "transpose": (ops.transpose, random(2, 3, 4)),
    "sum": (lambda a: a.sum(1), random(2, 3)),
    "mean": (lambda a: a.mean(0), random(2, 3)),
    "broadcast_to": (lambda a: a.broadcast_to((2, 3)), random(3)),
    "a @ b": (ops.matmul, random(2, 3), random(3, 4)),
    "a @ b, batches": (ops.matmul, random(1, 2, 3), random(2, 3, 2)),
    "v @ b": (ops.matmul, random(3), random(2, 3, 2)),
}


def ends(check, function, inputs):
    try:
        check(function, inputs)
    except GradcheckError:
        return "WRONG"
    except NotImplementedError:
        return "not written"
    return "right"


print(f"{'':16}{'gradcheck':12}{'gradgradcheck':16}{'first':>8}{'second':>9}")
for name, (function, *inputs) in {**{name: (f, random(2, 3)) for name, f in ONE_NUMBER.items()}, **OTHERS}.items():
    derivatives = ""
    if name in ONE_NUMBER:
        x = Tensor(0.7)
        first = grad(function(x), x, create_graph=True)
        derivatives = f"{first.item():8.3f}{grad(first, x).item():9.3f}"
    print(f"{name:16}{ends(gradcheck, function, inputs):12}{ends(gradgradcheck, function, inputs):16}{derivatives}")

# %% [markdown]
# In each rule that you wrote, everything it used was recorded.
#
# `gradgradcheck` alone is no proof. Suppose that a rule, made of its input, gives twice the gradient. Then nudging finds twice the second derivative, and so does `grad`. It takes both checks.

# %% [markdown]
# **A good place to stop.** You have a check for second derivatives too. On a fresh kernel, run the imports.

# %% [markdown]
# ## Bug hunt (stretch)
#
# Four engines for arrays, all of them broken. Their authors say:
#
# - A: "Why make a new array for each sum? My ledger adds a further share into the array that is there."
# - B: "Mine makes new sums. A leaf's `.grad` is the array in the ledger, and a second pass adds to it."
# - C: "Shares belong to inputs. So I put those of an operation into a dict, by input."
# - D: "In mine a result requires grad only if everything it was made from does. That saves a lot."
#
# Each line shows what a leaf holds after `backward()` was called *twice*, so twice its gradient. The leaves are a = [2, 1, 3] and b = [-3, -1.5, -2].
#
# **Predict.** The cell below tries a * b, a.tanh() - b and (a + b) + a. Which engine is wrong on which expression?

# %%
# prediction 9.7a
%predict

# %%
from grader.broken_engines.tensor_engines import ENGINES, Right, gradients_after_two_passes, where_they_part


def compare(name, expression):
    right = gradients_after_two_passes(Right, expression)
    print(f"{name:16} right: a {right['a']}  b {right['b']}")
    for who, engine in ENGINES.items():
        found = gradients_after_two_passes(engine, expression)
        wrong = [f"{leaf} {found[leaf]}" for leaf in "ab" if str(found[leaf]) != str(right[leaf])]
        if wrong:
            print(f"{'':16}     {who}: {',  '.join(wrong)}")


compare("a * b", lambda a, b: a * b)
compare("a.tanh() - b", lambda a, b: a.tanh() - b)
compare("(a + b) + a", lambda a, b: (a + b) + a)

# %% [markdown]
# ### Exercise 9.7
#
# A test that fails for everybody says that something is wrong. A good test says *what*. In `babygrad/hunts.py` return four expressions, each with at most 3 operations: on the first A alone is wrong, on the second B alone, and so on.
#
# `(a + b) + a`, above, is one of them. Try ideas here:

# %%
compare("my idea", lambda a, b: a * b + a)

# %%
%check 9.7

# %% tags=["nbval-ignore-output"]
for who in "ABCD":
    compare(f"for {who}", lambda a, b: hunts.one_test_each(a, b)[who])

# %% [markdown]
# Below, the right engine and A work on your first expression, until they part. What lies between leaves and result is called v1, v2. Then put B, C or D in A's place.

# %% tags=["nbval-ignore-output"]
who = "A"
print(where_they_part(who, lambda a, b: hunts.one_test_each(a, b)[who]))

# %% [markdown]
# <details><summary>Which of these mistakes are found in the wild?</summary>
#
# All four. A survives longest: to show it takes an operation that passes its gradient on as it is, and a further share at the right moment. C hides until somebody writes x * x instead of x ** 2. D seems to work as long as there is no number in the formula.
#
# </details>

# %% [markdown]
# ## H. Two moons again
#
# In notebook 04 a net of Values told two moons apart, and you waited for it. Here are the same hundred points, for a net of 16 hidden units. The loss is the hinge loss: a point whose side is y and whose score is s costs 1 - y · s, or nothing if that is below 0. Nearly all that these lines run is yours.

# %%
points, labels = make_moons(100, noise=0.1, seed=1)
sides = 2 * labels - 1                                   # -1 and +1, as in 04

rng = np.random.default_rng(0)
X, Y = Tensor(points, requires_grad=False), Tensor(sides[:, None], requires_grad=False)
W1, b1, W2, b2 = params = [Tensor(rng.normal(size=shape)) for shape in [(2, 16), (16,), (16, 1), (1,)]]


def score(x):
    return (x @ W1 + b1).tanh() @ W2 + b2


def train(steps):
    for _ in range(steps):
        loss = (1 - Y * score(X)).relu().mean()          # the hinge loss of 04
        loss.backward()
        for p in params:
            p.data -= 0.5 * p.grad
            p.zero_grad()                                # forget it before the next backward pass

# %% [markdown]
# **Predict.** 300 steps, each with all hundred points. How long will that take? And how long with your Values, for a net of the same size?

# %%
# prediction 9.H2
%predict

# %% tags=["nbval-ignore-output"]
untrained = [p.data.copy() for p in params]
twin = scalar_nn.MLP(2, [16, 1], last="linear", rng=np.random.default_rng(0))
took = clock.times(
    {
        "Tensors": lambda: train(1),
        "Values": lambda: scalar_nn.train_step(twin, points, sides, scalar_nn.squared_error, 0.01),
    },
    recorded={"Tensors": 100, "Values": 30_000},
)
for engine, microseconds in took.items():
    print(f"300 steps with {engine:8}{300 * microseconds / 1e6:6.2f} s")
for p, data in zip(params, untrained):
    p.data = data

# %% [markdown]
# **Explain.** Where this was recorded, it took 0.03 seconds, and 9 with Values: three hundred times as long. The two do about the same multiplications. The scalar engine makes a Python object for each of them, thousands in a step. Here a step has nine operations, and NumPy does the arithmetic inside. And what have the 300 steps brought?

# %% tags=["nbval-ignore-output"]
figure, axes = plt.subplots(1, 2, figsize=(9, 3.6), sharey=True, layout="constrained")


def draw(ax, title):
    right = int((score(X).data * Y.data > 0).sum())
    plot_decision_boundary(lambda places: score(Tensor(places)).data[:, 0], points, sides, ax)
    ax.set_title(f"{title}: {right} of 100 right")


draw(axes[0], "before")
train(300)
draw(axes[1], "after 300 steps")
plt.show()

# %%
print("at least 95 of 100 right:", int((score(X).data * Y.data > 0).sum()) >= 95)

# %% [markdown]
# Two pictures of the hundred points, with the plane in two shades. Before, the decision boundary runs anywhere; after 300 steps it winds between the moons. That is no accident: with each of the seeds 0 to 19, 99 or 100 points end up right.

# %% [markdown]
# ## Reflection
#
# Write an answer to one of these questions before you unfold ours. Answer the other aloud, as in an interview.
#
# **Why is a share not added in place?**

# %%
%%note 9.R1

# %% [markdown]
# <details><summary>Our answer</summary>
#
# The array may belong to others: a rule may pass on its own gradient, to two inputs at once, as + does. Then the sum for one input changes the gradient of another. In place is safe only in an array that you made yourself and have given to nobody.
#
# </details>
#
# **What do `requires_grad=False`, `detach()` and `no_grad()` each do?**

# %%
%%note 9.R2

# %% [markdown]
# <details><summary>Our answer</summary>
#
# The first says that nobody wants the gradient of this leaf. The second detaches one result from its history: a constant. The third stops recording for a block: that is for inference, and for the backward pass itself. PyTorch uses the same three names.
#
# </details>

# %%
%predictions 09

# %% [markdown]
# ## In other books
#
# What the words of this notebook are called elsewhere, and in PyTorch and JAX: [the glossary](../docs/glossary.md#09-the-backward-engine).

# %% [markdown]
# ## The rule to keep
#
# **Every backward pass keeps a ledger of its own, and every node gets an array of its own.**

# %% [markdown]
# ## Where you are
#
# You have an engine that differentiates any expression of arrays, as often as you like, and it learns. What comes next is built on top of it: layers, losses, optimizers, and larger nets.
