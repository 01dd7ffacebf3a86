# %% [markdown]
# # 13 · Beside PyTorch
#
# You have an engine, layers, losses and optimizers. PyTorch has all of these too, and far more people have tested it. In this notebook the two stand side by side: the same net, the same weights, the same data. Do they agree? Which is faster, and why? What does PyTorch do that yours does not?
#
# In between, twelve broken engines wait for you.

# %% jupyter={"source_hidden": true}
%load_ext grader

# %%
import textwrap

import matplotlib.pyplot as plt
import numpy as np

from babygrad import DataLoader, Tensor, hunts, nn
from babygrad.forward_mode import rate_of
from babygrad.losses import cross_entropy
from babygrad.optim import SGD
from babygrad.training import accuracy, train_epoch
from toolbox import clock, draw_graph, make_moons, recorded

# %% [markdown]
# PyTorch may not be installed here. Then the cells that need it print what they printed when the course was made: `with_torch` calls the function below it, or prints the record.

# %% tags=["nbval-ignore-output"]
RECORDED = recorded.read("versus_pytorch")
try:
    import torch

    from toolbox.torch_bridge import TorchMLP, compare_gradients, copy_weights_to_torch

    print("PyTorch is here: the cells below ask it.")
except (ImportError, OSError):
    torch = None
    print("PyTorch is not installed here: the cells below print what was recorded with it.")
    print("To install it: python -m pip install torch, then restart the kernel.")


def with_torch(show):
    if torch is None:
        print(RECORDED["PRINTED"][show.__name__], end="")
    else:
        show()

# %% [markdown]
# ## Goals
#
# Afterwards you can
#
# - say how close two right engines come to each other, and why not closer,
# - read PyTorch's graph, find your own operations in it, and say in which order backward calls their rules,
# - say which part of a step's time is overhead, and which is arithmetic,
# - name what PyTorch adds to what you have built; for each, which mistake it prevents and what it costs,
# - say what a Jacobian-vector product is, and when forward mode beats a backward pass,
# - write tests that expose twelve typical mistakes.

# %% [markdown]
# ## Recall

# %%
%quiz before 13

# %% [markdown]
# <details class="recall"><summary>From notebooks 05, 09 and 01, without looking</summary>
#
# 1. `x * w` was computed from two Tensors that require grad. What does the result remember?
# 2. What does a second `backward()` do to a leaf's `.grad`, and what to that of an inner node?
# 3. A central difference with a nudge of 0.000001: how many digits of it are right?
#
# </details>
#
# <details><summary>Answers</summary>
#
# - **1**: The Function that made it, with its rule, and the two inputs.
# - **2**: A leaf accumulates: the second gradient is added to the first. An inner node starts afresh.
# - **3**: Eight to ten. Truncation and rounding spoil the others.
#
# </details>

# %% [markdown]
# ## A. The same net twice
#
# `TorchMLP`, in the given `toolbox/torch_bridge.py`, is the twin of your `MLP`. `copy_weights_to_torch` puts your weights into it, and transposes each on the way: your `Linear` keeps its weight as (in, out), PyTorch as (out, in).

# %% tags=["nbval-ignore-output"]
points, labels = make_moons(1000, noise=0.2, seed=0)
model = nn.MLP([2, 32, 32, 2], "tanh", rng=np.random.default_rng(0))
x, y = points[:64], labels[:64]


@with_torch
def the_twin():
    twin = copy_weights_to_torch(model, TorchMLP([2, 32, 32, 2], "tanh"))
    print(twin)
    print("first weight, ours:  ", model.layers[0].weight.shape)
    print("first weight, theirs:", tuple(twin.layers[0].weight.shape))

# %% [markdown]
# Now 64 points go through both: forward pass, cross-entropy, backward pass. The gradients are around 0.01.
#
# **Predict.** Will the largest differences be nearer to 0.0001, to 10⁻¹⁰, or to 10⁻¹⁷?

# %%
# prediction 13.A1
%predict

# %% tags=["nbval-ignore-output"]
@with_torch
def largest_differences():
    print("parameter         largest gradient   largest difference")
    for name, difference in compare_gradients(model, x, y, loss="cross_entropy").items():
        gradient = dict(model.named_parameters())[name].grad
        print(f"{name:18}{np.abs(gradient).max():>16.4f}{difference:>21.1e}")

# %% [markdown]
# **Explain.** About 10⁻¹⁷. Numbers around 0.01 are about 2 · 10⁻¹⁸ apart in float64, so only the last bits differ. They differ because the two add numbers up in a different order, which rounds in different places, and because their code for tanh and exp is not the same.
#
# Nobody comes this close by luck: a second, independent engine is the sharpest check there is. Finite differences would agree to 10⁻¹⁰ only.

# %% [markdown]
# ## B. Two graphs
#
# Here is your graph of a single neuron: a product of two vectors, and an activation.

# %% tags=["nbval-ignore-output"]
p, w = Tensor([1.0, -2.0]), Tensor([0.3, -0.1])
p.label, w.label = "p", "w"
out = (p @ w).tanh()
draw_graph(out)

# %% [markdown]
# It was recorded while Python computed: next time the program may take another branch, and then the graph is different. Such a graph is called a **dynamic graph**, and the record itself, the list of steps that backward goes through, a **tape**.
#
# PyTorch keeps one too. Every result knows the Function that made it, its `grad_fn`. A Function in its turn knows the Functions that made its inputs, one step back: its `next_functions`. This was recorded; the addresses in memory are left out.
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
# In your engine `x.grad_fn` is `x._op` under its public name, and `None` for a leaf.

# %% [markdown]
# ### Exercise 13.1
#
# Two orders, on paper, before any code:
#
# ```text
# A: ((x @ w).abs() / (y.exp() + 1)).sum()
# B: z + z.exp()                 with   z = x * x
# C: t * (t + t * 2).tanh()      with   t = x.exp()
# ```
#
# The function in `babygrad/hunts.py` asks for four lists of names, those of the classes in `babygrad/ops`: `.sum()` is Summation there. The first two, for A and B, are walks over `next_functions`, from each Function to those behind it: a depth-first search. The other two, for B and C, are the real question: in which order does `backward` call the rules?
#
# A plain number is not a node: `x * 2` is MulScalar of x alone.

# %%
%check 13.1

# %% [markdown]
# `next_functions` is given, in `babygrad/ops/function.py`. In PyTorch the number in each pair says which of several results is meant; our Functions have one result each.
#
# The next cell takes the same walk as the recorded one, in your engine.

# %% tags=["nbval-ignore-output"]
xs = Tensor([[1.0, -2.0, 3.0], [4.0, 5.0, -6.0]])
ws = Tensor([0.5, -1.0, 2.0])
ys = (5 - xs * ws) / 2

print(ys)
print(ys.grad_fn.name())
print(ys.grad_fn.next_functions)
difference = ys.grad_fn.next_functions[0][0]
print(difference.next_functions)
product = difference.next_functions[1][0]
print(product.next_functions)

# %% [markdown]
# **Explain.** Three places differ.
#
# - In PyTorch the 2 is a second input of the division, and no Function made it: `(None, 0)`. Our `DivScalar` has one input.
# - PyTorch has an operation of its own for `5 - x`, called Rsub. We take `Sub`, and its first input is the constant 5.
# - For a leaf we have `None`. PyTorch has an `AccumulateGrad`, whose rule adds to the leaf's `.grad`. Your `backward` of notebook 09 does that itself.

# %% [markdown]
# The names of the attributes are the same in both engines. So one little function walks through both:

# %%
def names_behind(function, depth=0, seen=None):
    """The lines of the walk over grad_fn: each Function once, when it is first met."""
    seen = [] if seen is None else seen
    if function is None or function in seen:
        return []
    seen.append(function)
    lines = ["  " * depth + function.name().split("::")[-1]]
    for behind, _ in function.next_functions:
        lines += names_behind(behind, depth + 1, seen)
    return lines


x1, y1, w1 = Tensor([[1.0, 2.0]]), Tensor([[3.0, 4.0]]), Tensor([[1.0], [2.0]])
z, t = x1 * x1, x1.exp()
expressions = {"A": ((x1 @ w1).abs() / (y1.exp() + 1)).sum(), "B": z + z.exp(), "C": t * (t + t * 2).tanh()}
for name, expression in expressions.items():
    print(name, *names_behind(expression.grad_fn), sep="\n  ")

# %% jupyter={"source_hidden": true}
def loss_of(model):
    return cross_entropy(model(Tensor(x, requires_grad=False)), y)


def side_by_side(ours, theirs):
    for number in range(max(len(ours), len(theirs))):
        left, right = ("".join(lines[number : number + 1]) for lines in (ours, theirs))
        print(f"{left:32}{right}".rstrip())

# %% [markdown]
# Now the whole net with its loss, in both engines. The given `Affine` computes x @ W + b at once. (In the output read each column by itself: its lines and indents do not match those of the other.)

# %% tags=["nbval-ignore-output"]
@with_torch
def graphs_of_both():
    twin = copy_weights_to_torch(model, TorchMLP([2, 32, 32, 2], "tanh"))
    loss = torch.nn.functional.cross_entropy(twin(torch.from_numpy(x)), torch.from_numpy(y))
    side_by_side(["yours", *names_behind(loss_of(model).grad_fn)], ["PyTorch", *names_behind(loss.grad_fn)])

# %% [markdown]
# **Explain.** The same graph. `AddmmBackward0` is our `Affine`: a matrix product with something added. `TBackward0` transposes its weight. There are six `AccumulateGrad`, one for each parameter.
#
# The walk prints a Function when it first gets there. That is *not* the order of `backward`, which calls a rule only when every share to that result's gradient has arrived: look at Exp in C. PyTorch keeps a count for each Function: how many shares have yet to arrive?

# %% [markdown]
# ## C. The same training
#
# Two moons, 200 epochs, mini-batches of 64, SGD with a learning rate of 0.05. Both engines begin with the same weights, and both loaders have the same seed, so the mini-batches come in the same order. This is PyTorch's twin of your `train_epoch`:

# %%
def epoch_in_pytorch(twin, optimizer, batches):
    """The twin of train_epoch."""
    total = rows = 0
    for x, y in batches:
        loss = torch.nn.functional.cross_entropy(twin(torch.from_numpy(x)), torch.from_numpy(y))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total, rows = total + loss.item() * len(x), rows + len(x)
    return total / rows

# %% [markdown]
# Each of the 3,200 steps changes the weights, and the changed weights make the next gradient.
#
# **Predict.** Will differences of 10⁻¹⁷ grow until the curves part?

# %%
# prediction 13.C1
%predict

# %% jupyter={"source_hidden": true}
EPOCHS = 200
net = nn.MLP([2, 32, 32, 2], "tanh", rng=np.random.default_rng(0))
optimizer = SGD(net.parameters(), lr=0.05)
loader = DataLoader(points, labels, 64, seed=0)
if torch is None:
    theirs = RECORDED["LOSSES"]["PyTorch"]
else:
    twin = copy_weights_to_torch(net, TorchMLP([2, 32, 32, 2], "tanh"))
    their_optimizer = torch.optim.SGD(twin.parameters(), lr=0.05)
    their_loader = DataLoader(points, labels, 64, seed=0)
    losses = [epoch_in_pytorch(twin, their_optimizer, their_loader) for _ in range(EPOCHS)]
    theirs = [losses[epoch - 1] for epoch in RECORDED["EPOCHS"]]

ours = [train_epoch(net, cross_entropy, optimizer, loader) for _ in range(EPOCHS)]

figure, ax = plt.subplots(figsize=(7, 3.2), layout="constrained", facecolor="white")
ax.plot(range(1, EPOCHS + 1), ours, color="#0072b2", linewidth=3, label="yours")
ax.plot(RECORDED["EPOCHS"], theirs, "o", color="#d55e00", markerfacecolor="none",
        markersize=8, markeredgewidth=2, label="PyTorch")
ax.set(xlabel="epoch", ylabel="mean loss")
ax.legend()
plt.show()

# %% [markdown]
# The picture shows one falling line, from 0.57 to 0.09, and every one of PyTorch's circles lies on it.

# %%
apart = max(abs(ours[epoch - 1] - loss) for epoch, loss in zip(RECORDED["EPOCHS"], theirs))
fresh_points, fresh_labels = make_moons(4000, noise=0.2, seed=1)
print("the curves differ by less than 0.0001:", apart < 1e-4)
print(f"right on fresh points: {accuracy(net(Tensor(fresh_points)), fresh_labels):.3f}")

# %% [markdown]
# **Explain.** They do not part: on the machine where this was recorded the losses still differed by no more than 10⁻¹⁶ after 200 epochs. Both runs slide into the same valley. With a learning rate on the edge of divergence, or over millions of steps, a difference in the last bit can grow. Then even two runs of the *same* program on different machines part.

# %% [markdown]
# **A good place to stop.** The two engines agree, in one step and in 3,200. Next: twelve broken engines. (In a fresh kernel, run the first three cells again.)

# %% [markdown]
# ## Bug hunt
#
# Twelve engines, each sabotaged in one place. The mistakes are those that notebooks 03 to 10 warned you about. None of your code runs in them. Did you skip 8.2 and 10.9? Then two facts will do: `batch @ w` multiplies each matrix of the batch by w, and numbers that tie in `.max()` share its gradient equally.
#
# You write expressions. Each is computed by all engines, with `backward` called twice, and 1, 2, 3, ... as the initial gradient. An engine is given away if anything it returns differs from the right engine's. These are the leaves:

# %%
from grader.broken_engines.sabotaged_engines import LEAVES, given_away, given_away_by_each

for name, numbers in LEAVES.items():
    print(f"{name:6} {str(np.shape(numbers)):10} {numbers}")

# %% [markdown]
# **Predict.** How many of the twelve does `x.exp()` give away, and how many does `x * x`?

# %%
# prediction 13.4a
%predict

# %%
print("x.exp() ", given_away(lambda x, row, col, w, batch: x.exp()))
print("x * x   ", given_away(lambda x, row, col, w, batch: x * x))

# %% [markdown]
# **Explain.** Hardly any. On most inputs most mistakes do not show. With x * x an input is used twice, and one engine does not accumulate.
#
# **A worked example.** Give an intermediate result a name, so that you can use it twice: near the end, and farther away.

# %%
def idea(x, row, col, w, batch):
    z = x * x
    return z * (z * 3)


print(given_away(idea))

# %% [markdown]
# **Explain.** Three at once. Engine 9 calls the rule of z when only the nearer share to its gradient has arrived. Engine 11 still has z's gradient from the first backward pass when the second one comes. And 8 does not accumulate. Make this the first expression of your list.
#
# Nine are left. Eight of them fall to a single operation, if you choose the leaves well. The hardest is 10: `+` hands one array to both of its inputs. Who else holds it when a share is added?

# %% [markdown]
# ### Exercise 13.4
#
# In `babygrad/hunts.py` return a list of at most 8 expressions, each of at most 5 operations. Together they must give away all twelve. Change `idea` above to try one. You may need to put two ideas into one expression, as in `(5 - x) / row`.
#
# Begin with the rules: what does each operation do with signs, zeros, equal numbers, shapes? Then the backward pass: in which order are rules called, what is left over from the first pass, which array has two owners?

# %%
%check 13.4

# %% tags=["nbval-ignore-output"]
for place, found in enumerate(given_away_by_each(hunts.expressions_for_twelve_engines)):
    print(f"expression {place} gives away", found)

# %% [markdown]
# <details><summary>What was wrong with them</summary>
#
# 1. `5 - x` is computed as `x - 5`
# 2. the minus in the second gradient of a / b is missing
# 3. the derivative of tanh is computed from the input, not from the result
# 4. relu lets a gradient through at 0
# 5. new axes are summed, but stretched axes of size 1 are not
# 6. `sum(0)` is taken for `sum()`: `if axes:`
# 7. `.T` in the rule of @, which moves the batch axis too
# 8. gradients do not accumulate: the last share replaces those before it
# 9. a node's rule is called when the node is first reached
# 10. shares are added in place, in an array with two owners
# 11. inner nodes keep their gradients for the next backward pass
# 12. each of several equal maxima gets the whole gradient
#
# </details>

# %% [markdown]
# **A good place to stop.** The rest is stretch. (In a fresh kernel, run the first three cells again, and the one in C that defines `epoch_in_pytorch`.)

# %% [markdown]
# ## D. How fast, and why (stretch)
#
# Two nets. The small one is 2-32-32-2 with tanh and mini-batches of 64. The large one is 784-1024-1024-10 with relu and mini-batches of 512. Both engines compute on one thread of one processor, in float64. Yours is written in Python, PyTorch's in C++. The small net is measured here, with your code; the large one was recorded.

# %% jupyter={"source_hidden": true}
BATCHES = 16
NETS = {"tiny": ([1, 1, 1, 2], 1), "small": ([2, 32, 32, 2], 64)}


def epochs_of_both(name):
    """For each engine that is here a function without arguments: an epoch of 16 batches."""
    dims, rows = NETS[name]
    rng = np.random.default_rng(0)
    batches = [(rng.normal(size=(rows, dims[0])), rng.integers(dims[-1], size=rows)) for _ in range(BATCHES)]
    net = nn.MLP(dims, "tanh", rng=np.random.default_rng(0))
    optimizer = SGD(net.parameters(), lr=0.01)
    epochs = {"babygrad": lambda: train_epoch(net, cross_entropy, optimizer, batches)}
    if torch is not None:
        torch.set_num_threads(1)
        twin = copy_weights_to_torch(net, TorchMLP(dims, "tanh"))
        their_optimizer = torch.optim.SGD(twin.parameters(), lr=0.01)
        epochs["PyTorch"] = lambda: epoch_in_pytorch(twin, their_optimizer, batches)
    return {(name, engine): epoch for engine, epoch in epochs.items()}


# %% [markdown]
# **Predict.** Which is faster on the small net, which on the large one, and by what factor?

# %%
# prediction 13.D1
%predict

# %% tags=["nbval-ignore-output"]
took = clock.times(
    epochs_of_both("tiny") | epochs_of_both("small"),
    recorded={
        (size, engine): numbers["ms"] * 1000
        for size, both in RECORDED["TIMES"].items()
        for engine, numbers in both.items()
    },
)
print(f"the large net, recorded on {RECORDED['MACHINE']}\n")
for size in ("small", "large"):
    for engine in ("babygrad", "PyTorch"):
        print(f"{size + ' net':12}{engine:10}{took[size, engine] / 1000:>10.1f} ms for an epoch")

# %% [markdown]
# **Explain.** On the machine where it was recorded, yours is faster on the small net, though it is written in Python: PyTorch takes a quarter longer. On the large one they are only 2 % apart. Both facts have one reason: the time of a step has two parts.
#
# - **Overhead**: what each operation costs, whatever its size. A call in Python, a node for the graph, a new array.
# - **Arithmetic**: it grows with the arrays.
#
# To see the first part alone, shrink the net to 1-1-1-2 and the mini-batch to one point.
#
# **Predict.** How much of the small net's time for a step will be left: a tenth, a half, three quarters?

# %%
# prediction 13.D2
%predict

# %% tags=["nbval-ignore-output"]
print(f"{'':10}{'1-1-1-2, one point':>22}{'2-32-32-2, 64 points':>24}")
for engine in ("babygrad", "PyTorch"):
    tiny, small = (took[size, engine] / BATCHES for size in ("tiny", "small"))
    print(f"{engine:10}{tiny:>19.0f} µs{small:>21.0f} µs   {tiny / small:.0%} left")

# %% [markdown]
# **Explain.** Most of it: three quarters of yours, where it was recorded. So the small net is mostly overhead. On the large net a step takes 82,000 µs (its epoch has 4), and the same overhead is about a thousandth of that.
#
# Neither engine does the arithmetic itself. Each hands it to a matrix library written for the processor. So on the large net they can hardly differ. On the small one PyTorch pays more for a step, partly because each of its operations asks more questions first: on which device, of which dtype, is anything watching?

# %% [markdown]
# <details><summary>When would you take PyTorch, then?</summary>
#
# For nearly all real work. A net worth training is large. Then other things than overhead matter: many processors at once, GPUs, float32 and 16-bit numbers, compiled steps, thousands of tested operations.
#
# </details>

# %% [markdown]
# ## E. What PyTorch adds (stretch)
#
# PyTorch guards against mistakes that your engine lets pass.
#
# **An array that is changed too early.** The rule of exp uses the result: the derivative of eᵗ is eᵗ. At t = 0 it is 1. Somebody writes 100 into the result before the backward pass.
#
# **Predict.** What will `t.grad` be?

# %%
# prediction 13.E1
%predict

# %%
t = Tensor([0.0])
result = t.exp()
result.data[0] = 100.0    # somebody scales, clips, or reuses the array
result.backward()
print("t.grad:", t.grad)

# %%
@with_torch
def changed_in_place():
    t = torch.zeros(1, requires_grad=True)
    result = t.exp()
    print("version of the result:", result._version)
    result.mul_(100)
    print("after a change in place:", result._version)
    try:
        result.sum().backward()
    except RuntimeError as error:
        print(str(error).split(":")[0] + " ...")

# %% [markdown]
# **Explain.** Yours gives 100, without a word. PyTorch counts the changes of each tensor. An operation that keeps an array for the backward pass (a **saved tensor**) writes down its version too. If the version has changed when the backward pass gets there, it stops. The counter sees in-place operations, such as `mul_`. A change through `.data`, as above, goes behind its back in PyTorch too.
#
# You can look at saved tensors. exp keeps its result, and `*` keeps both inputs:

# %%
@with_torch
def saved_tensors():
    a, b = torch.tensor([2.0], requires_grad=True), torch.tensor([5.0], requires_grad=True)
    print("exp keeps its result:", f"{a.exp().grad_fn._saved_result.item():.4f}")
    product = (a * b).grad_fn
    print("a * b keeps a and b: ", product._saved_self.item(), product._saved_other.item())
    print("a + b keeps neither: ", not hasattr((a + b).grad_fn, "_saved_self"))

# %% [markdown]
# **A graph for one backward pass.** Saved tensors often take up most of the memory in training, so somebody has to say when they may go. In your engine a second `backward()` accumulates, as exercise 9.4 showed.
#
# **Predict.** What does a second `backward()` do in PyTorch?

# %%
# prediction 13.E2
%predict

# %%
@with_torch
def a_second_walk():
    t = torch.tensor([3.0], requires_grad=True)
    result = t * t
    result.backward()
    try:
        result.backward()
    except RuntimeError as error:
        print(textwrap.fill(str(error), 90))
    t.grad = None
    result = t * t
    result.backward(retain_graph=True)
    result.backward()
    print("with retain_graph=True:", t.grad.item())

# %% [markdown]
# **Explain.** It stops, with the cure in the message: PyTorch frees the saved tensors during the backward pass. Yours frees the graph as a whole, once no name refers to its result any more.

# %% [markdown]
# ### A hook
#
# To see a gradient on its way, or to change it, you can register a function on a tensor in PyTorch: a **hook**.

# %%
@with_torch
def a_hook():
    t = torch.tensor([3.0], requires_grad=True)
    middle = t * t
    middle.register_hook(lambda gradient: print("passing the middle:", gradient.item()))
    middle.register_hook(lambda gradient: gradient.clamp(max=1.0))
    (middle * 10).sum().backward()
    print("t.grad:", t.grad.item())

# %% [markdown]
# **Explain.** 10 came to the middle. The second hook cut it to 1, so t got 1 · 2 · 3 = 6 instead of 60.

# %% [markdown]
# ### Functions in, functions out
#
# `torch.func.grad` takes a function and gives another: its derivative. `vmap` takes a function of one sample and gives one of a whole batch. For f(t) = t³:

# %%
@with_torch
def functions_of_functions():
    from torch.func import grad, vmap

    def cube(t):
        return t**3

    print("second derivative at 2:", grad(grad(cube))(torch.tensor(2.0)).item())
    print("derivatives at 1, 2, 3:", vmap(grad(cube))(torch.tensor([1.0, 2.0, 3.0])).tolist())

# %% [markdown]
# **Explain.** PyTorch took this style from JAX. In your engine `grad` of a function is one line, `lambda t: grad(f(t), t, create_graph=True)`. `vmap` would need more: each operation must know about one more axis.

# %% [markdown]
# **A good place to stop.** On a fresh kernel, run the imports.

# %% [markdown]
# ## F. The other way round (stretch)
#
# JAX does not begin with rules for the backward pass. Nearly every operation there has a forward rule: *if the inputs move, how fast does the result move?* Your `Dual` of notebook 01 had such rules for plain numbers. Here they are for arrays, over the graph that your engine has recorded anyway.
#
# A leaf moves at a given *rate*: so much per second, in each of its places. The field calls it the leaf's **tangent** v. The result then moves at the rate J v, where J is the Jacobian, which is never built: a **Jacobian-vector product**, JVP. The backward pass was the vector-Jacobian product, VJP:
#
# $$\text{forward:}\quad v \mapsto J\,v \qquad\qquad \text{backward:}\quad \bar{y} \mapsto \bar{y}^{\top} J$$

# %% [markdown]
# One JVP needs one run forward and no tape: a rate can be computed together with its number and forgotten. It tells how the outputs move for *one* direction of the inputs. One VJP needs the tape, and tells how *one* output, such as a loss, depends on all inputs. So nets are trained with VJPs.
#
# **Predict.** a is 3 and moves at 2, b is 5 and moves at −1. How fast does a · b move? (If you are not sure, think of where a, b and their product are one thousandth of a second later. The next cell does that.)

# %%
# prediction 13.F1
%predict

# %%
a, b, seconds = 3.0, 5.0, 0.001
print(((a + 2 * seconds) * (b - 1 * seconds) - a * b) / seconds)

# %% [markdown]
# ### Exercise 13.3
#
# `babygrad/forward_mode.py` has the rules of some operations, enough for a small net. Most of them are linear: what only adds, scales or moves numbers does to rates what it does to numbers.
#
# Two pieces are yours: the rule of a product, one line that serves `*` and `@`; and `rate_of`, which propagates the rates through the graph. In the backward pass a node waits for every share to its gradient. Which node waits for which now?

# %%
%check 13.3

# %% [markdown]
# A small net with its loss. All of its weights and biases move at once, each number at a rate of its own. Three ways to find how fast the loss moves: your `rate_of`; a nudge of all weights along their rates; and the gradients that `backward` finds, each times its tangent, added up.

# %%
rng = np.random.default_rng(3)
data = Tensor(rng.normal(size=(5, 3)), requires_grad=False)
leaves = [Tensor(rng.normal(size=shape)) for shape in [(3, 4), (4,), (4, 2), (2,)]]
rates = {leaf: rng.normal(size=leaf.shape) for leaf in leaves}


def loss_of_net():
    w1, b1, w2, b2 = leaves
    out = (data @ w1 + b1).tanh() @ w2 + b2
    return (out * out).mean()


def moved_by(seconds):
    for leaf, rate in rates.items():
        leaf.data += seconds * rate
    try:
        return loss_of_net().item()
    finally:
        for leaf, rate in rates.items():
            leaf.data -= seconds * rate


loss = loss_of_net()
loss.backward()
print(f"forward, one pass:   {rate_of(loss, rates).item():.9f}")
print(f"nudged, two runs:    {(moved_by(1e-6) - moved_by(-1e-6)) / 2e-6:.7f}")
print(f"backward, one pass:  {sum((leaf.grad * rate).sum() for leaf, rate in rates.items()):.9f}")

# %% [markdown]
# **Explain.** That the first and the last line agree is a test of *all* rules at once: a Jacobian-vector product against a vector-Jacobian product. Engines are tested like that.

# %% [markdown]
# ## G. Other roads (stretch)
#
# **JAX's way.** No array has a `.grad` there, and nothing is changed in place. You write pure functions, whose answer depends on the inputs alone. `jax.grad`, `jax.vmap` and `jax.jit` turn functions into functions. Inside them a function runs with stand-ins for its numbers, called *tracers*, which record each operation, as your Tensors do.

# %% [markdown]
# **Static graphs.** A dynamic graph is what Python has just computed. A static graph is known before any number flows. So a compiler can see all of it: fuse operations, plan memory, and pay the overhead of section D once. `jax.jit` runs a function once with tracers, for each new shape and dtype of its inputs, and compiles what they recorded. `torch.compile` reads the bytecode of your function instead.

# %% [markdown]
# **GPUs.** A GPU does thousands of multiplications at the same time. But the program has to send it each operation: overhead again. So a GPU does best what the large net asks for: few operations on large arrays. And to ask for a number back, as `loss.item()` does, is slow: everything before it must be finished first.
#
# The rules do not change. In an engine for a GPU `np` is another library with the same names, and the backward pass is yours, line by line.
#
# **Thousands of rules.** PyTorch keeps its rules in a table, `derivatives.yaml`: for each operation the formula of each input's gradient, from which a program writes the C++. An operation of your own is a `torch.autograd.Function`, with a forward and a backward, as in notebook 05. All are compared with finite differences, on sample inputs of many shapes, by the same tests.

# %% [markdown]
# ### A page of history (stretch)
#
# | year | what was found, and built |
# |---|---|
# | 1960 | Henry J. Kelley, then Arthur Bryson and Stuart Dreyfus: the best flight path, by going back over it stage by stage |
# | 1964 | R. E. Wengert: forward mode, operation by operation. The tape is still called a *Wengert list* |
# | 1970 | Seppo Linnainmaa, a student in Helsinki: reverse mode, to find out how rounding errors add up |
# | 1974 | Paul Werbos, in his thesis: reverse mode again, to fit models to data. Hardly anybody takes notice |
# | 1986 | David Rumelhart, Geoffrey Hinton and Ronald Williams show what nets learn with "back-propagation"; a year before, David Parker and Yann LeCun found it for nets, each on his own |
# | 2008 | Theano: formulas as static graphs, compiled, on GPUs; in 2015 TensorFlow |
# | 2015 | autograd and Chainer: the dynamic graph, recorded while the program runs; in 2017 PyTorch |
# | 2018 | JAX: NumPy, functions of functions, a compiler |
#
# (More in A. Griewank, *Who invented the reverse mode of differentiation?*, Documenta Mathematica, 2012.)

# %% [markdown]
# ## Reflection
#
# Write an answer to one of these questions before you unfold ours. Answer the other aloud, as in an interview.

# %%
%%note 13.R1

# %% [markdown]
# <details><summary><b>Forward mode or reverse mode: when do you take which, and why?</b></summary>
#
# Forward mode computes a Jacobian-vector product: it carries tangents along with the values, for one direction of the inputs at a time. So n inputs take n runs, and no tape. Reverse mode needs one backward pass for one output, and keeps the tape with its saved tensors until then. Many inputs and one loss: reverse. Few inputs and many outputs: forward.
#
# </details>
#
# <details><summary><b>Reverse mode needs memory. What is <i>checkpointing</i>?</b></summary>
#
# Results are kept until the backward pass gets to them. With checkpointing only some are saved, and the others are computed again when they are needed. With n layers, and a result kept after every √n of them, memory falls from about n to about √n, for the price of one more forward pass.
#
# </details>

# %%
%predictions 13

# %% [markdown]
# ## In other books
#
# What the words of this notebook are called elsewhere, and in PyTorch and JAX: [the glossary](../docs/glossary.md#13-beside-pytorch).

# %% [markdown]
# ## The rule to keep
#
# **Two right engines agree in all but the last bits. Small arrays cost overhead, large arrays cost arithmetic.**

# %% [markdown]
# ## What you can do now
#
# What you could not explain to a friend is worth another look.
#
# - ☐ measure any derivative by finite differences, and say how exact it is (01)
# - ☐ write an engine for numbers: computation graph, local derivatives, backpropagation (02, 03)
# - ☐ say why the backward pass visits the nodes in reverse topological order (03)
# - ☐ train a net with a loop of five lines (04, 11)
# - ☐ write an operation as a class with forward and backward (05, 06)
# - ☐ get the shape of every gradient right, also of matrix products and batches (07, 08)
# - ☐ keep a ledger of gradients, and say which code may change which array (09)
# - ☐ explain why nobody builds a Jacobian, and what a rule does instead (10)
# - ☐ compute a softmax and a cross-entropy that survive ±1000, and find out why a loss does not fall (10, 11)
# - ☐ write SGD with momentum and Adam, and say what each remembers (12)
# - ☐ read PyTorch's graph (13)
# - ☐ say what a Jacobian-vector product is good for (01, 13)
# - ☐ test an engine so that typical mistakes cannot hide (03, 09, 13)

# %% [markdown]
# ## What to build next
#
# Three things that need no more than your engine has, the easiest first.
#
# 1. **A hook.** A list of functions on each Tensor, and one line in `Tensor.backward` that calls them, just before a node's rule is called. *Test:* the expression of "A hook" above gives 6.
# 2. **A version counter.** A Tensor method `mul_` that changes its array in place and counts. A result writes down the counts of the arrays it keeps, and the backward pass compares. *Test:* the example with exp raises an error instead of giving 100.
# 3. **Checkpointing.** A Function that runs a piece of a net under `no_grad()`, and runs it once more, recorded, when its rule is called. *Test:* the same gradients as without it.

# %% [markdown]
# ## Where you are
#
# You have come from a nudge to a trained net whose every gradient equals PyTorch's. When you open PyTorch the next time, you know what is inside.
#
# The road goes on, if you like: a gradient is differentiated again (14), the walk becomes a program (15), and your engine trains a small language model (16) and a net of filters that reads digits (17).
