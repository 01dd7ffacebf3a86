# %% [markdown]
# # 09 · The backward engine
#
# Every operation has its rule by now. So far somebody had to ask each rule by hand, in the right order, and to add up what came back. In this notebook you write the part that does it: `loss.backward()`.
#
# It is the walk of notebook 03 once more. Three things are new. A gradient is an array, and two nodes may own the same one. Some nodes want no gradient. And the walk itself is made of operations, so it can be walked
# again: that gives second derivatives, and you write the check for them. At the end your engine learns the two moons of 04, and you look at the clock. What is marked *(stretch)* is not in the 95 minutes: leave it out on a first reading.

# %% jupyter={"source_hidden": true}
%load_ext grader

# %%
from contextlib import contextmanager

import matplotlib.pyplot as plt
import numpy as np

from babygrad import Function, GradcheckError, Tensor, draw_graph, grad, gradcheck, gradgradcheck, hunts
from babygrad import clock, make_moons, no_grad, ops, plot_decision_boundary, scalar_nn
from babygrad.autograd import gradients, shares_of, topological_order

# %% [markdown]
# ## Goals
#
# Afterwards you can
#
# - keep the ledger of a walk by hand, and say why a share must never be added in place,
# - say which nodes get a `.grad`, what a second `backward()` does to it, and who may change it,
# - switch recording off, and say what that saves,
# - take gradients of gradients, and write the check that finds rules which forget what they were made from,
# - show on which graphs the recursive `backward` of many tutorials takes for ever.

# %% [markdown]
# ## Recall
#
# From notebooks 03 and 06, without looking:
#
# 1. When may a node speak, that is, hand its gradient on?
# 2. L = a * b, and L gets the gradient g from above. Which share goes to a, and which to b?
# 3. A rule is made of operations on Tensors, and not of NumPy. What for?
#
# <details><summary>Answers</summary>
#
# - **1**: When everyone who used it has spoken.
# - **2**: g * b to a, and g * a to b.
# - **3**: So that the gradient remembers what it was made from, and can be differentiated again.
#
# </details>

# %% [markdown]
# ## A. The same walk, other nodes
#
# Here is a graph of Tensors. `x` is a leaf. `FACTOR` is a constant: it was made with `requires_grad=False`.

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
# **Predict.** Write the nodes down in a good order for the walk back: root first, and each node after everyone who used it. Which node must wait for `z`?
#
# <details><summary>Compare</summary>
#
# L, z, y, x. `FACTOR`, if the walk goes there at all, may stand anywhere after z. `y` must wait for `z`: it is used by `L` and by `z`.
#
# </details>

# %%
# bet 9.A1
%bet

# %% [markdown]
# The walk asks a node what it did in 03, under other names:
#
# | | in notebook 03 | now |
# |---|---|---|
# | what it was made from | `node._prev` | `node._inputs` |
# | how it hands on | `node._backward()` | the rule of `node._op`; None for a leaf |
#
# But in 03 every number got a gradient. Here the largest array of a graph is often the data of a training. Its gradient would be just as large, and nobody would ever look at it.
#
# **Predict.** A walk that spares itself all needless ways, on the graph above and on these two, where `DATA` is a constant too: p = (DATA * DATA) * x, and q = (x * DATA) * DATA. To which boxes does it go? Standing at a node, how can it tell
# where to go on, without a look at what lies behind? And can a leaf that learns be missed that way?
#
# (Write it down. The answer is the next exercise.)

# %%
# bet 9.A2
%bet

# %% [markdown]
# ### Exercise 9.1
#
# Open `babygrad/autograd.py`. `topological_order` is given there: it is your stack of 3.3, and its order is that of computing, root last. It asks one question about each node that it meets, and the answer is yours: to which of its inputs does the walk go on? Fill in `inputs_to_visit`.
#
# The check asks about products with a constant on either side, inner nodes and leaves, results that have no history, constants at random, and the order that comes of it.

# %%
%check 9.1

# %% [markdown]
# Your order for the graph above, turned round as the walk back takes it:

# %%
print(*(node.label for node in reversed(topological_order(L))), sep=", ")

# %% [markdown]
# **Explain.** FACTOR is not among them. From p the walk goes to x alone: DATA * DATA wants no gradient either, since a result requires grad only if *any* of its inputs does. For the same reason no leaf that learns is ever behind a node that is passed by. From q
# it goes to x * DATA, and from there to x: a constant does not stop its neighbour.

# %% [markdown]
# ## B. The ledger
#
# In notebook 03 the gradients stood in the nodes while the walk was going on. Now they are written into a book of their own: a dict, with a node as key and its gradient so far as value. This is the **ledger** of the walk.
#
# A walk that touches no node can be made as often as one likes, by anybody who only wants to know something.
#
# The ledger begins with one line: what the root itself gets. That is the **initial gradient** (in other books: the *seed*). Here it is 1 for each number of L: `L.initial_gradient()` gives ones of L's shape, as a constant.

# %%
nodes = [L, z, y, x]


def print_ledger(who, ledger):
    cells = [str(ledger[node].data) if node in ledger else "" for node in nodes]
    print(f"{who:12}" + "".join(f"{cell:>12}" for cell in cells))


print(" " * 12 + "".join(f"{node.label:>12}" for node in nodes))
ledger = {L: L.initial_gradient()}
print_ledger("at first", ledger)

# %% [markdown]
# Now L speaks. `shares_of(node, gradient)` is given: it gives pairs (input, its share). It asks the node's operation for the shares; the operation asks its rule, and adds up what was stretched (7.6).

# %%
for input, share in shares_of(L, ledger[L]):
    print(input.label, "gets", share.data)

# %% [markdown]
# Both are written down. z has its gradient now, since L is the only one who used it. So z speaks next, and the share of `FACTOR` is not written down.
#
# **Predict.** The numbers are x = [3, -1], FACTOR = [2, 5], y = [9, 1]. Fill in two more lines of the table on paper: what stands in the ledger after z has spoken, and after y? Remember that z = y * FACTOR, and y = x * x.

# %%
# bet 9.B1
%bet

# %%
print(" " * 12 + "".join(f"{node.label:>12}" for node in nodes))
print_ledger("at first", ledger)

ledger[z] = ledger[y] = ledger[L]
print_ledger("L has spoken", ledger)

ledger[y] = ledger[y] + ledger[z] * FACTOR    # its second share
print_ledger("z has spoken", ledger)

ledger[x] = ledger[y] * x                     # y = x * x: one share for each side
ledger[x] = ledger[x] + ledger[y] * x
print_ledger("y has spoken", ledger)

# %% [markdown]
# **Explain.** y got [1, 1] from L, and [2, 5] from z: [3, 6]. It spoke after that, and x got two shares, one for each side of x * x: 3 · 3 twice makes 18, and 6 · (-1) twice makes -12.
#
# When everybody has spoken, the ledger holds the gradient of every node. Nothing was written into a node.

# %% [markdown]
# A share that comes to a line with a number in it is *added*. There are two ways to add arrays in Python. `p = p + q` makes a new array. `p += q` writes the sum into the old one. The second seems thriftier.
#
# Ben keeps a ledger for c = a + b and d = c + a, by hand, with plain arrays. The rule of + hands on what it gets, the very array, to both sides. Why should it make two copies?
#
# **Predict.** d = 2a + b, so a should get 2, and b should get 1. What will Ben's ledger say?

# %%
# bet 9.B2
%bet

# %%
ledger = {"d": np.array([1.0, 1.0])}

ledger["c"] = ledger["d"]             # d speaks: one share to c ...
ledger["a"] = ledger["d"]             # ... and one to a
ledger["a"] += ledger["c"]            # c speaks: a gets a further share ...
ledger["b"] = ledger["c"]             # ... and b its first

for name, gradient in ledger.items():
    print(name, gradient)

# %% [markdown]
# **Explain.** All four lines hold one and the same array. What was added for a, was added for everybody: c had 1, and says 2 by the time b is dealt with. Even the initial gradient has changed, which may belong to somebody else.
#
# Look at who was harmed. a is right, though it is a's sum that was done in the wrong way. **b is wrong, and b is used only once.** Whoever looks for the mistake will look in the wrong place.
#
# With numbers this cannot happen. In notebook 03 `+=` was right: a Python number is never changed in place, and `+=` puts a new one there. For arrays: `ledger[a] = ledger[a] + share`.

# %% [markdown]
# ### Exercise 9.2
#
# Fill in `gradients` in `autograd.py`: the ledger for any graph. You have just done it by hand; how the walk goes on, you decide.
#
# Two facts that the table did without. A rule may say None in place of a share: nobody needs it. And a leaf is made by no operation, so its `_op` is None.
#
# The check asks for trees and reuse, `a * a`, Ben's example, rules of its own, a node that gets nothing, stretched inputs, a leaf as the root, what is left alone, whether float32 stays float32, whether the gradients can be differentiated again, 30 doublings, and 5,000 sums.

# %%
%check 9.2

# %% [markdown]
# Your ledger for the graph above should end like the table:

# %%
found = gradients(L, L.initial_gradient())
for node in nodes:
    print(node.label, found[node].data)
print("FACTOR in it?", FACTOR in found)

# %% [markdown]
# ## C. What need not be remembered
#
# Rules are made of operations, and operations record. So a line of the ledger remembers how it was made, as any Tensor does: if something that it was made from requires grad. The initial gradient is a constant, and so is `FACTOR`.
#
# **Predict.** L was made by 3 operations. How many does the gradient of x remember? (Look at the table above: which products is it made of?)

# %%
# bet 9.C1
%bet

# %% tags=["nbval-ignore-output"]
operations = [node for node in topological_order(found[x]) if node._op is not None]
print("L:", sum(node._op is not None for node in topological_order(L)), "operations")
print("the gradient of x:", len(operations), "operations")

# %% [markdown]
# **Explain.** Three: two products with x, and their sum. What was computed from the initial gradient and `FACTOR` alone is constant. So the walk has drawn a graph of its own, as large as the first, that goes back to x. You will want that in 9.5. In training nobody does: it costs time, and it keeps every intermediate array in memory.
#
# There is one switch for the whole engine, `Recording.on`; you met it in 5.3. It should be off during a block, and afterwards be what it was. In Python that is what `with` is for.
#
# A function with `yield` in it can be made into such a block. What stands before `yield` happens first, then the block, then the rest:

# %%
@contextmanager
def lights_off():
    print("lights off")
    yield
    print("lights on")


with lights_off():
    print("    in the dark")

# %% [markdown]
# **Predict.** Two situations. What is printed after the block that fails? And when two blocks stand one inside the other: are the lights on or off at the place with the question mark?

# %%
# bet 9.C2
%bet

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
# The first has a remedy in Python: what stands in `finally:` is done in any case, whether an exception passes or not.
#
# ```python
# try:
#     yield
# finally:
#     print("lights on")
# ```
#
# For the second there is no new word. What would the inner block have to know, and when can it find out?

# %% [markdown]
# ### Exercise 9.3
#
# In `autograd.py` fill in `no_grad`. The line above its `def` makes a block of it, as it did above. The switch is `Recording.on`, True or False.
#
# The check asks for a block, two of them in a row, one inside another, a block that is left by an exception or stopped with Ctrl-C, and blocks that set the switch themselves.

# %%
%check 9.3

# %%
with no_grad():
    hidden = x * x
print("inside: ", hidden.requires_grad, hidden._inputs)
print("outside:", (x * x).requires_grad)

# %% [markdown]
# `no_grad()` is for a whole block. For a single Tensor there is `detach()`: the same numbers, without the history, as a constant.
#
# **Predict.** At t = 3, what is the gradient of t * t? And of t * t.detach()?

# %%
# bet 9.C3
%bet

# %%
t = Tensor([3.0])
for product in (t * t, t * t.detach()):
    print(gradients(product, Tensor([1.0]))[t].data)

# %% [markdown]
# **Explain.** The value is 9 both times. But for the walk `t.detach()` is just the number 3, so only one of the two shares comes to t.

# %% [markdown]
# ## D. Into `.grad`
#
# `L.backward()` makes a ledger, under `no_grad()`, and puts the gradient of every node in it into the node's `.grad`, as a plain array, so that drawings can show it. A constant keeps None. Two questions are left. Answer both before you read what the stub promises.
#
# *What if there is a `.grad` already?*
#
# **Predict.** x = 2, y = 3 · x, L = y · y, and two walks from L, one after the other. One walk finds 12 for y, and 36 for x. What should `x.grad` and `y.grad` say after the second, if a step of a training may be made of several walks? And what would x
# get, if what the first walk left in `y` were handed on once more? (Notebook 03 had the same question.)
#
# *Which array?* Here is the smallest graph with a trap in it.

# %%
# bet 9.D1
%bet

# %%
a, b = Tensor([1.0, 2.0]), Tensor([3.0, 4.0])
found = gradients(a + b, Tensor([1.0, 1.0]))
grad_of_a, grad_of_b = found[a].data, found[b].data

grad_of_a *= 10           # somebody clips or scales the gradient of a

# %% [markdown]
# **Predict.** What does `grad_of_b` hold now?

# %%
# bet 9.D2
%bet

# %%
print(grad_of_a, grad_of_b, "the same array:", grad_of_a is grad_of_b)

# %% [markdown]
# **Explain.** Two names for one thing: this is called **aliasing**. The ledger itself is innocent, nobody writes into it. But `.grad` is handed to the world. Trainings scale it, cut it off, add to it, mostly in place, and with `b.grad` the same array all of that
# would happen to b as well. What must `backward` put into a `.grad`, if nothing that is done with it is to harm another node?

# %% [markdown]
# ### Exercise 9.4
#
# In `babygrad/tensor.py` fill in `backward`. `self.initial_gradient(grad)` is given. It makes ones of None, and a Tensor of what the caller gives; if that has another shape than the root, it raises a ValueError.
#
# The check asks for every node's `.grad`, a layer with a stretched bias, two walks, graphs that share, a leaf as the root, arrays of their own (also of shape ()), initial gradients of the caller's, dtypes, whether anything is recorded, and 30 doublings.

# %%
%check 9.4

# %% [markdown]
# Now a net of two layers, with nine points of two numbers each. `X` is data, so a constant. The bias is stretched over the nine rows. For a small picture the second layer has no bias, and the mean of the outputs stands for the loss.

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
draw_graph(loss)

# %% [markdown]
# **Predict.** Before you run the next cell: what shapes will the gradients of `W1`, `b1` and `W2` have? And that of `X`?

# %%
# bet 9.D3
%bet

# %% tags=["nbval-ignore-output"]
loss.backward()
draw_graph(loss)

# %%
for name, node in net.items():
    print(f"{name:7} {str(node.shape):8} .grad: {None if node.grad is None else node.grad.shape}")

# %% [markdown]
# **Explain.** Each gradient has its node's shape, also where the bias was stretched. X has none: nobody asked.
#
# The initial gradient, so far, was 1 everywhere. For a loss, one number, that is the gradient of the loss. For an array it is the gradient of the *sum* of its numbers. An initial gradient of your own gives them different weights.
#
# **Predict.** y = 3x, with x = [1, 2]. What do the four prints say?

# %%
# bet 9.D4
%bet

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
# **Explain.** The leaf adds up: [3, 3], and then [3, 30] more. `y` belongs to one walk and starts afresh. (So the two walks from y · y above leave 72 in x and 12 in y. With the first walk's 12 handed on once more, x would have 108.) `zero_grad()` leaves None, as if no walk had ever been.
#
# And a root that nobody recorded has nothing to walk back to:

# %%
with no_grad():
    lost = 3 * x
try:
    lost.backward()
except RuntimeError as error:
    print(error)

# %% [markdown]
# ## E. Gradients of gradients
#
# `backward` answers all questions at once, and writes the answers into the nodes. `grad(output, inputs)` answers the questions that you ask, returns the answers, and leaves every `.grad` alone.
#
# | call | gives |
# |---|---|
# | `grad(L, x)` | one Tensor, of the shape of x |
# | `grad(L, [y, x])` | a tuple of two, in this order; `y` may be an inner node |
# | `grad(L, v)`, where L does not depend on v | zeros, of the shape of v |
# | `grad(L, x, g)` | the same walk, begun with `g` in place of ones |
# | `grad(L, x, create_graph=True)` | the walk is recorded, so the gradient can be differentiated again |
#
# The last line is all there is to second derivatives. The gradient is the result of operations. If they are recorded, it is a node like any other.

# %% [markdown]
# **Predict.** L = x³ at x = 2. The first derivative is 3x², so 12. What are the second and the third? And what would the second be, if the walk for the first had not been recorded?
#
# (Write the numbers down. They come after the exercise.)
#
# ### Exercise 9.5
#
# In `autograd.py` fill in `grad`. Its first lines are given: `wanted` is a tuple of the inputs, `single` says whether one Tensor was asked for.
#
# The check asks for one input and several, inner nodes, inputs that do not matter, initial gradients, what is left alone, three derivatives, several gradients that are differentiated again, a gradient as a part of a larger expression, and what is recorded.

# %%
# bet 9.E1
%bet

# %%
%check 9.5

# %%
x = Tensor(2.0)
first = grad(x**3, x, create_graph=True)
second = grad(first, x, create_graph=True)
third = grad(second, x)
print("recorded:    ", first.item(), second.item(), third.item())

first = grad(x**3, x)
print("not recorded:", first.item(), grad(first, x).item())

# %% [markdown]
# **Explain.** 12, then 6x = 12 again, then 6. Not recorded, the gradient is a constant for all that comes after it, and the gradient of a constant is 0. No error: just a wrong number. That is what a rule with NumPy inside would do, too, and why the rules of 06 to 08 are made of operations.
#
# Here is the graph of a gradient. It was drawn by your rules. Two boxes hold a 1: the one on the right is the initial gradient, the other belongs to 1 - y².

# %% tags=["nbval-ignore-output"]
x = Tensor(2.0)
x.label = "x"
y = x.tanh()
y.label = "y"
slope = grad(y, x, create_graph=True)
slope.label = "slope"
draw_graph(slope)

# %% [markdown]
# ## F. A check for second derivatives
#
# Somebody wrote the rule of tanh like this. `node` is the result y, and the slope is 1 - y²:

# %%
class ForgetfulTanh(Function):
    def forward(self, a):
        return np.tanh(a)

    def backward(self, out_grad, node):
        return out_grad * (1 - node * node.data)


def forgetful_tanh(x):
    return ForgetfulTanh()(x)


# %% [markdown]
# `node.data` has the right numbers. It is an array, so it remembers nothing.
#
# **Predict.** Is its gradient right? Does `gradcheck` pass it? And the second derivative: at 0.7 it should be -0.767. What will come out?

# %%
# bet 9.F1
%bet

# %%
x = Tensor(0.7)
print("gradcheck:", gradcheck(forgetful_tanh, [x]))
for name, function in {"tanh": ops.tanh, "forgetful tanh": forgetful_tanh}.items():
    first = grad(function(x), x, create_graph=True)
    second = grad(first, x)
    print(f"{name:15} first {first.item():.3f}   second {second.item():.3f}")

# %% [markdown]
# **Explain.** Half of it. In y · y each factor has a share in the slope of the slope, and one of the two is not on record. No error, no warning; every first derivative is right to the last digit, so `gradcheck`, which nudges `fn`, has nothing to object to.
#
# Here are the two beside each other, for 120 numbers at once. The dots are second derivatives as well, found by nudging the first.

# %% tags=["nbval-ignore-output"]
def slopes(function, numbers):
    x = Tensor(numbers)
    first = grad(function(x), x, create_graph=True)      # ones for each number: each one's own slope
    return first.data, grad(first, x).data


line, dots, step = np.linspace(-3, 3, 120), np.linspace(-3, 3, 25), 1e-5
nudged = (slopes(ops.tanh, dots + step)[0] - slopes(ops.tanh, dots - step)[0]) / (2 * step)

figure, ax = plt.subplots(figsize=(9, 3.4), layout="constrained", facecolor="white")
ax.plot(line, np.tanh(line), color="#999999", linewidth=1.5, label="tanh")
ax.plot(line, slopes(ops.tanh, line)[0], color="#0072b2", linewidth=2, label="its slope")
ax.plot(line, slopes(ops.tanh, line)[1], color="#009e73", linewidth=2, label="the slope of its slope")
ax.plot(line, slopes(forgetful_tanh, line)[1], color="#d55e00", linewidth=2, linestyle="--", label="the forgetful one")
ax.plot(dots, nudged, "o", color="#009e73", markerfacecolor="none", label="by nudging the slope")
ax.set(xlabel="x")
ax.legend(loc="center left", bbox_to_anchor=(1, 0.5))
plt.show()

# %% [markdown]
# The slope is largest at 0 and falls on both sides, so its own slope is positive on the left and negative on the right. The dots lie on one of the two curves. The dashed one has half the height everywhere.
#
# So nudging can find such a rule. What has to be nudged, and compared with what? Before you write it:
#
# **Predict.** `gradcheck(fn, inputs)` compares the slopes of `fn` with nudging. To compare *second* derivatives with it, what function would you hand it in place of `fn`? And a rule answers `out_grad` · slope: on what does this answer depend, and which of that can a rule forget?
#
# (A remark on what you have: `grad(output, x, out_grad)` takes a Tensor as `out_grad` too, and remembers it. And `gradcheck` holds fixed whatever requires no grad.)

# %%
# bet 9.F2
%bet

# %% [markdown]
# ### Exercise 9.6
#
# In `babygrad/gradient_check.py`, beside `gradcheck`. `random_gradient(out, seed)`, further down, makes random numbers of the shape of `out`.
#
# The check hands it right rules, and rules that forget: an input, the other input, `out_grad`, an input only where `out_grad` is not 1, two inputs in such a way that the mistakes cancel. It asks for constants that stay fixed, which input the message names, for tolerances and the seed, and what is left alone.

# %%
%check 9.6

# %% [markdown]
# Now hand it everything: your rules of 06 to 08. Of the functions of one number you see the first and the second derivative at 0.7, too.
#
# **Predict.** Which of the functions of one number have a second derivative of 0 there?

# %%
# bet 9.F3
%bet

# %%
numbers = np.random.default_rng(0)


def random(*shape):
    return Tensor(numbers.uniform(0.3, 2.0, shape))


ONE_NUMBER = {name: getattr(ops, name) for name in "exp log sqrt abs relu sigmoid tanh".split()}
ONE_NUMBER |= {"-x": ops.negate, "x + 2": lambda x: x + 2, "x * 3": lambda x: x * 3, "x / 4": lambda x: x / 4}
ONE_NUMBER |= {"x ** 3": lambda x: x**3, "forgetful tanh": forgetful_tanh}
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
# **Explain.** Straight lines bend nowhere: the slope of `x * 3` is 3 wherever you stand, and that of `relu` and `abs` is constant on each side of the bend. `exp` is its own slope, and its own slope's slope. And in each rule that you wrote, all that was used is still on record.
#
# `gradgradcheck` alone is no proof: if a rule gives twice the gradient, the slopes of that are right for twice the gradient. It takes both.

# %% [markdown]
# ### A gradient in a loss (stretch)
#
# A gradient can be a part of a loss. Some trainings punish steep places: they add the squared slope of the net to the loss. Such a term is made with `create_graph=True`, and `backward` goes through it.
#
# `check_rule` of 06 asks the rule of one operation. `gradcheck` and `gradgradcheck` take any function of Tensors, so also whole expressions, and gradients. The comparison in all three is the one that you wrote in 6.5.

# %%
rng = np.random.default_rng(0)
W, b, P = (Tensor(rng.normal(size=shape)) for shape in [(3, 2), (2,), (4, 3)])


def expression(P, W, b):
    h = (P @ W + b).tanh()
    return h * h.exp() + P.sum(1, keepdims=True) * h


def steepness(P, W, b):
    slope = grad(expression(P, W, b).sum(), P, create_graph=True)
    return (slope * slope).sum()


print("the expression, once and twice:", gradcheck(expression, [P, W, b]), gradgradcheck(expression, [P, W, b]))
print("its steepness:                 ", gradcheck(steepness, [P, W, b]))

# %% [markdown]
# ## G. Right, but for ever
#
# Many tutorials have no ledger and no order. There `backward` puts the share into `.grad`, and calls `backward` of each input with *its* share. It is short, and you can find it in print. Here it is, with a counter:

# %%
def visits_of_recursive_backward(node, share):
    node.grad = share.data if node.grad is None else node.grad + share.data
    visits = 1
    if node._op is not None:
        for input, its_share in shares_of(node, share):
            if input.requires_grad:
                visits += visits_of_recursive_backward(input, its_share)
    return visits


def visits_of_yours(root):
    root.backward()
    return len(topological_order(root))

# %% [markdown]
# Two graphs, each of n operations. In the *tree* no result is used twice: x1 + x2 + x3 + ... In the *diamonds* each result is used twice: y = y + y, again and again.
#
# **Predict.** For n = 12: how many visits does each `backward` make? And whose numbers are right?

# %%
# bet 9.G1
%bet

# %%
def tree(n):
    leaves = [Tensor([1.0]) for _ in range(n + 1)]
    total = leaves[0]
    for leaf in leaves[1:]:
        total = total + leaf
    return leaves[0], total


def diamonds(n):
    x = y = Tensor([1.0])
    for _ in range(n):
        y = y + y
    return x, y


for build in (tree, diamonds):
    print(f"{build.__name__:10}  n   visits: recursive    yours     x.grad: recursive    yours")
    for n in (3, 6, 12):
        x, root = build(n)
        recursive = visits_of_recursive_backward(root, Tensor([1.0], requires_grad=False))
        theirs = x.grad.item()
        x.zero_grad()
        print(f"{n:14}{recursive:21,}{visits_of_yours(root):9,}{theirs:22,.0f}{x.grad.item():9,.0f}")

# %% [markdown]
# **Explain.** Both are always right. On a tree they make the same visits. On diamonds the recursive one goes every path: 2ⁿ⁺¹ − 1 visits for n + 1 nodes. 30 diamonds would be two billion, and each visit computes with whole arrays.
#
# Real nets are full of diamonds: each shortcut around a layer (a "residual" connection, x + f(x)) is one. Networks with 50 of them are common.

# %% [markdown]
# ## H. Beside PyTorch
#
# Now all of it at once. The expression has a product of matrices, a stretched bias, and an input and a result that are used more than once. PyTorch (float64) printed these numbers for it:

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

# %% [markdown]
# **Predict.** A number of float64 has about 16 digits. The two programs share no line of code. In how many digits will your gradients agree with these?

# %%
# bet 9.H1
%bet

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
    print(f"{name:5} {str(numbers.shape):7} agrees in 14 digits: {off < 1e-14}")

# %% tags=["nbval-ignore-output"]
print("yours:  ", *W.grad[0])
print("PyTorch:", *PYTORCH["W"][0])

# %% [markdown]
# **Explain.** All but the last bit or two. They differ because sums were made in another order: in float64, (p + q) + r and p + (q + r) may differ in the last digit.
#
# The code that did this is yours: the operations, their rules, the shapes, the order, the ledger.

# %% [markdown]
# ## Bug hunt
#
# Four engines for arrays, all of them broken. Their authors say:
#
# - A: "Why make a new array for each sum? My ledger adds a further share into the array that is there."
# - B: "Mine makes new sums. A leaf keeps what the ledger holds, and when you walk again, it adds to that."
# - C: "Shares belong to inputs. So I put those of an operation into a dict, by input."
# - D: "In mine a result requires grad only if everything does that it was made from. That saves a lot."
#
# Each line shows what a leaf holds after `backward()` was called *twice*, so twice its gradient. The leaves are a = [2, 1, 3] and b = [-3, -1.5, -2].
#
# **Predict.** Below are a * b, a.tanh() - b and (a + b) + a. In which line does somebody stumble, and who?

# %%
# bet 9.7a
%bet

# %%
from grader.suspects.tensor_engines import SUSPECTS, Right, gradients_after_two_walks


def compare(name, expression):
    right = gradients_after_two_walks(Right, expression)
    print(f"{name:16} right: a {right['a']}  b {right['b']}")
    for who, engine in SUSPECTS.items():
        found = gradients_after_two_walks(engine, expression)
        wrong = [f"{leaf} {found[leaf]}" for leaf in "ab" if str(found[leaf]) != str(right[leaf])]
        if wrong:
            print(f"{'':16}     {who}: {',  '.join(wrong)}")


compare("a * b", lambda a, b: a * b)
compare("a.tanh() - b", lambda a, b: a.tanh() - b)
compare("(a + b) + a", lambda a, b: (a + b) + a)

# %% [markdown]
# ### Exercise 9.7
#
# A test that fails for everybody says that something is wrong. A good test says *what*. In `babygrad/hunts.py` return four expressions, each with at most 3 operations: the first is wrong in A alone, the second in B alone, and so on.
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
# <details><summary>Which of these mistakes are found in the wild?</summary>
#
# All four. A is the most lasting one: it needs an operation that hands on its gradient as it is, and a further share at the right moment. C hides until somebody writes x * x instead of x ** 2. D seems to work as long as no number stands in the formula.
#
# </details>

# %% [markdown]
# ## I. Two moons again
#
# In notebook 04 a net of Values told two moons apart, and you waited for it. Here are the same hundred points, for a net of 16 hidden units: two matrices, two biases. Below the data stand twelve lines, and every operation, every rule, the order, the ledger and the `.grad` in them are yours.

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
            p.zero_grad()                                # forget, before the next walk

# %% [markdown]
# **Predict.** 300 steps, each with all hundred points. How long will that take? And how long with your Values, for a net of the same size? Write down two times.

# %%
# bet 9.I1
%bet

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

# %% tags=["nbval-ignore-output"]
twin = scalar_nn.MLP(2, [16, 1], last="linear", rng=np.random.default_rng(0))
took = clock.times(
    {
        "Tensors": lambda: train(1),
        "Values": lambda: scalar_nn.train_step(twin, points, sides, scalar_nn.hinge_loss, 0.5),
    },
    recorded={"Tensors": 100, "Values": 30_000},
)
for engine, microseconds in took.items():
    print(f"300 steps with {engine:8}{300 * microseconds / 1e6:6.2f} s")

# %% [markdown]
# Two pictures of the hundred points, with the plane in two shades. Before, the border runs anywhere; after 300 steps it winds between the moons. That is no luck: with the seeds 0 to 19 it ends with 99 or 100 right, each time.
#
# **Explain.** Where it was recorded, it was 0.03 seconds, and 9 with Values: three hundred times as long. The two do the same multiplications. The scalar engine makes an object of Python for each of them, thousands in a step. Here a step has nine operations, and NumPy does the numbers inside.

# %% [markdown]
# ## Reflection
#
# Answer each question aloud, as in an interview, then unfold it. The last two are *(stretch)*.
#
# <details><summary><b>Why is a share not added in place?</b></summary>
#
# The array may belong to others: a rule may hand on its own gradient, to two inputs at once, as + does. Then the sum for one input changes the gradient of another. In place is safe only in an array that you made yourself and have given to nobody.
#
# </details>
#
# <details><summary><b>What do <code>requires_grad=False</code>, <code>detach()</code> and <code>no_grad()</code> each do?</b></summary>
#
# The first says of a leaf that nobody wants its gradient. The second makes a constant of one result. The third stops recording for a block, so that nothing in it remembers anything. PyTorch uses the same three names.
#
# </details>

# %% [markdown]
# <details><summary><b>Why does a leaf add up over several walks, and an inner node not?</b></summary>
#
# A leaf may be part of many graphs, and you may want the sum, as for a batch that was cut into pieces. An inner node belongs to one graph. If its old gradient were handed on again, the leaves would get 9 where 6 is right.
#
# </details>
#
# <details><summary><b>How does one get second derivatives from an engine for first ones?</b></summary>
#
# Record the walk. Its rules are made of operations, so the gradient is a node, and can be the root of another walk. Price: memory for the graph of the walk.
#
# </details>

# %% [markdown]
# <details><summary><b>Here the graph is made anew with each run. What would a static graph be?</b></summary>
#
# Your graph is *dynamic*: it is what Python has just computed, so an `if` or a loop may make it another one each time, and a debugger stops anywhere. A *static* graph is described once, before any number is in it, and then run often. A compiler can look at the whole of it: put operations
# together, plan the memory, spread it over machines. Early TensorFlow was static; PyTorch began dynamic. Today one writes dynamic code, and a tool records one run of it as a static graph (`jax.jit`, `torch.compile`).
#
# </details>
#
# <details><summary><b>PyTorch stops at the second <code>backward()</code>, and keeps no <code>.grad</code> of inner nodes. Why?</b></summary>
#
# To save memory. It frees what the graph has stored while it walks, unless you say `retain_graph=True`; and it keeps the gradient of an inner node only after `node.retain_grad()`.
#
# </details>

# %% [markdown]
# ## The rule to keep
#
# **Every walk keeps a ledger of its own, and every node gets an array of its own.**

# %% [markdown]
# ## Where you are
#
# You have an engine that differentiates any expression of arrays, as often as you like, and it learns. What comes next is built on top of it: layers, losses, optimizers, and larger nets.
