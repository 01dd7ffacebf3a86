# %% [markdown]
# # 13 · Beside PyTorch
#
# You have an engine, layers, losses and optimizers. PyTorch has all of these too, and far more people have looked at it. In this notebook the two stand side by side: the same net, the same weights, the same data. Do they agree? Which is faster, and why? What does PyTorch do that yours does not?
#
# At the end twelve broken engines wait for you. What is marked *(stretch)* is not in the 110 minutes.

# %% jupyter={"source_hidden": true}
%load_ext grader

# %%
import textwrap

import matplotlib.pyplot as plt
import numpy as np

from babygrad import DataLoader, Function, Tensor, clock, draw_graph, grad, hunts, make_moons, nn, recorded
from babygrad.derivatives import numerical_gradient
from babygrad.forward_mode import rate_of
from babygrad.losses import cross_entropy
from babygrad.optim import SGD
from babygrad.training import accuracy, train_epoch

# %% [markdown]
# PyTorch is a large package, and it may not be there. Then the cells that need it print what they printed when the course was made. That is what `with_torch` is for: it calls the function below it, or prints the record.

# %% tags=["nbval-ignore-output"]
try:
    import torch

    from babygrad.torch_bridge import TorchMLP, compare_gradients, copy_weights_to_torch

    print("PyTorch is here: the cells below ask it.")
except (ImportError, OSError):
    torch = None
    print("PyTorch is not installed here: the cells below print what was recorded with it.")
    print("To install it: python -m pip install torch, then restart the kernel.")


def with_torch(show):
    if torch is None:
        print(recorded.PRINTED[show.__name__], end="")
    else:
        show()

# %% [markdown]
# ## Goals
#
# Afterwards you can
#
# - say how close two right engines come to each other, and why not closer,
# - read PyTorch's graph, find your own operations in it, and say in which order backward asks them,
# - say which part of a step's time is overhead, and which is arithmetic,
# - name what PyTorch adds to what you have built; for each, which mistake it prevents and what it costs,
# - carry rates forward over a graph, and say when that beats walking back,
# - write tests that give away twelve typical mistakes.

# %% [markdown]
# ## Recall
#
# From notebooks 05, 09 and 01, without looking:
#
# 1. `x * w` was computed from two Tensors that require grad. What does the result remember?
# 2. What does a second `backward()` do to a leaf's `.grad`, and what to that of an inner node?
# 3. A central difference with a nudge of 0.000001: how many digits of it are right?
#
# <details><summary>Answers</summary>
#
# - **1**: The Function that made it, with its rule, and the two inputs.
# - **2**: A leaf adds. An inner node starts afresh.
# - **3**: Eight to ten. The nudge has an error of its own, and so has the rounding.
#
# </details>

# %% [markdown]
# ## A. The same net twice
#
# `torch_bridge.py` is given; it is the only file of the package that imports torch. `TorchMLP` is the twin of your `MLP`. `copy_weights_to_torch` puts your weights into it.
#
# One thing has to be turned over on the way. Your `Linear` keeps its weight as (in, out), and computes `x @ weight`. PyTorch keeps (out, in), and computes `x @ weight.T`.

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
# Now 64 points go through both, then the cross-entropy, then backward. Six parameters get a gradient each, 1,218 numbers in all.
#
# **Predict.** `compare_gradients` gives the largest difference of each parameter. The gradients themselves are around 0.01. Will the largest difference be nearer to 0.0001, to 10⁻¹⁰, or to 10⁻¹⁷?

# %%
# bet 13.A1
%bet

# %% tags=["nbval-ignore-output"]
@with_torch
def largest_differences():
    print("parameter         largest gradient   largest difference")
    for name, difference in compare_gradients(model, x, y, loss="cross_entropy").items():
        gradient = dict(model.named_parameters())[name].grad
        print(f"{name:18}{np.abs(gradient).max():>16.4f}{difference:>21.1e}")

# %% [markdown]
# **Explain.** About 10⁻¹⁷. Numbers around 0.01 are 10⁻¹⁸ apart in float64, so hardly more than the last bits differ. They differ because sums were made in another order, and each order rounds in another place. And the two have different code for tanh and exp.
#
# The two programs share no line of their rules. Nobody can be this close by luck. That is why a second, independent engine is the sharpest check there is.

# %% [markdown]
# The check of notebook 01 needs no second engine: nudge a weight, and look at the loss.
#
# **Predict.** How far will nudging be from your gradient: nearer to 10⁻⁵, 10⁻¹⁰, or 10⁻¹⁷?

# %%
# bet 13.A2
%bet

# %% tags=["nbval-ignore-output"]
def loss_of(model):
    return cross_entropy(model(Tensor(x, requires_grad=False)), y)


def loss_with(weights):
    parameter.data[...] = weights
    return loss_of(model).item()


model.zero_grad()
loss_of(model).backward()
parameter = model.layers[0].weight
before = parameter.data.copy()
nudged = numerical_gradient(loss_with, before.copy())
parameter.data[...] = before

apart = np.abs(parameter.grad - nudged).max()
print(f"the 64 weights of the first layer, backward against nudging: {apart:.0e}")

# %% [markdown]
# **Explain.** It agrees to 10⁻¹⁰. For gradients around 0.01 these are eight digits. It would not see a mistake in the tenth. And it asks for two runs forward for each number: 128 for this weight, where backward went back once.
#
# So each check has its place. Nudging needs no one to compare with. Another engine is exact, where there is one.

# %% [markdown]
# ## B. Two graphs
#
# Here is your graph of a single neuron: a product of two vectors, and a bend.

# %% tags=["nbval-ignore-output"]
p, w = Tensor([1.0, -2.0]), Tensor([0.3, -0.1])
p.label, w.label = "p", "w"
out = (p @ w).tanh()
draw_graph(out)

# %% [markdown]
# PyTorch draws nothing, but one can walk through its graph. Every result knows the Function that made it: its `grad_fn`. A Function in its turn knows what went into its call: from it one step goes back to the Functions behind it, the `next_functions`. This was recorded with version 2.13; the addresses in memory are left out.
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
# In your engine `x.grad_fn` is `x._op` under its public name, and `None` for a leaf. `next_functions` is yet to be written.

# %% [markdown]
# ### Exercise 13.1
#
# Two orders, on paper, before any code. The docstring in `babygrad/hunts.py` has three expressions. The first two lists are walks over `next_functions`, from each Function to those behind it. The other two are another matter, and the real question: in which order does `backward` ask the rules?
#
# The names are those of your own classes. A plain number is no node: `x * 2` is MulScalar of x alone.

# %%
%check 13.1

# %% [markdown]
# ### Exercise 13.2
#
# Now let the engine do it. Open `babygrad/ops/function.py` and fill in `next_functions`. It stands under `@property`, so it is read without brackets: `f.next_functions`. In PyTorch the number in each pair says which of several results is meant; ours have one each.
#
# The check asks Functions whose inputs are leaves, results, constants, and the same Tensor twice. A tuple or a list will do.

# %%
%check 13.2

# %% [markdown]
# **Predict.** Ours will differ from PyTorch's in a few places. Which pairs will stand in the first two `next_functions`?

# %%
# bet 13.B1
%bet

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
# **Explain.** The same walk: a division, a difference, a product.
#
# - PyTorch divides by a constant, which has no Function: `(None, 0)`. Our `DivScalar` has one input.
# - PyTorch has an operation of its own for `5 - x`, called Rsub. We take `Sub`, and its first input is the constant 5.
# - A leaf is `None` here. PyTorch puts an `AccumulateGrad` there, whose rule adds to the leaf's `.grad`. Your `backward` of notebook 09 does that itself.
# - PyTorch's names end in Backward: there the object is only the rule. Ours has the forward as well.

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


def side_by_side(ours, theirs):
    for number in range(max(len(ours), len(theirs))):
        left, right = ("".join(lines[number : number + 1]) for lines in (ours, theirs))
        print(f"{left:32}{right}".rstrip())


x1, y1, w1 = Tensor([[1.0, 2.0]]), Tensor([[3.0, 4.0]]), Tensor([[1.0], [2.0]])
z, t = x1 * x1, x1.exp()
expressions = {"A": ((x1 @ w1).abs() / (y1.exp() + 1)).sum(), "B": z + z.exp(), "C": t * (t + t * 2).tanh()}
for name, expression in expressions.items():
    print(name, *names_behind(expression.grad_fn), sep="\n  ")

# %% [markdown]
# **Predict.** Now the whole net with its loss, in both engines. Your `Affine` computes x @ W + b at once. Will PyTorch have one name for it too? And what stands where your walk meets a leaf?
#
# (Read each column by itself. Their lines do not match, and neither do their indents.)

# %%
# bet 13.B2
%bet

# %% tags=["nbval-ignore-output"]
@with_torch
def graphs_of_both():
    twin = copy_weights_to_torch(model, TorchMLP([2, 32, 32, 2], "tanh"))
    loss = torch.nn.functional.cross_entropy(twin(torch.from_numpy(x)), torch.from_numpy(y))
    side_by_side(["yours", *names_behind(loss_of(model).grad_fn)], ["PyTorch", *names_behind(loss.grad_fn)])

# %% [markdown]
# **Explain.** The same road. `AddmmBackward0` is your `Affine`: a product of matrices with something added. `TBackward0` turns its weight over. Each `AccumulateGrad` is a leaf: it adds what comes to the leaf's `.grad`. The cross-entropy has two names there, `NllLossBackward0` and `LogSoftmaxBackward0`.
#
# The walk prints a Function when it first gets there. It is *not* the order of `backward`, which has to wait until all who used a result have spoken: look at Exp in C. PyTorch keeps a count for each Function: how many still have to speak?

# %% [markdown]
# ## C. The same training
#
# Two moons, 200 epochs, batches of 64, SGD with a learning rate of 0.05. Both engines begin with the same weights, and both loaders have the same seed, so the batches come in the same order.
#
# **Predict.** A step changes the weights, and the changed weights make the next gradient. That is 3,200 steps. Will differences of 10⁻¹⁷ grow until the curves part?

# %%
# bet 13.C1
%bet

# %%
EPOCHS = 200
net = nn.MLP([2, 32, 32, 2], "tanh", rng=np.random.default_rng(0))
optimizer = SGD(net.parameters(), lr=0.05)
loader = DataLoader(points, labels, 64, seed=0)


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


if torch is None:
    theirs = recorded.LOSSES["PyTorch"]
else:
    twin = copy_weights_to_torch(net, TorchMLP([2, 32, 32, 2], "tanh"))
    their_optimizer = torch.optim.SGD(twin.parameters(), lr=0.05)
    their_loader = DataLoader(points, labels, 64, seed=0)
    losses = [epoch_in_pytorch(twin, their_optimizer, their_loader) for _ in range(EPOCHS)]
    theirs = [losses[epoch - 1] for epoch in recorded.EPOCHS]

ours = [train_epoch(net, cross_entropy, optimizer, loader) for _ in range(EPOCHS)]

# %%
figure, ax = plt.subplots(figsize=(7, 3.2), layout="constrained", facecolor="white")
ax.plot(range(1, EPOCHS + 1), ours, color="#0072b2", linewidth=3, label="yours")
ax.plot(recorded.EPOCHS, theirs, "o", color="#d55e00", markerfacecolor="none",
        markersize=8, markeredgewidth=2, label="PyTorch")
ax.set(xlabel="epoch", ylabel="mean loss")
ax.legend()
plt.show()

# %% [markdown]
# The picture shows one falling line, from 0.57 to 0.09, and every one of PyTorch's circles lies on it.

# %%
apart = max(abs(ours[epoch - 1] - loss) for epoch, loss in zip(recorded.EPOCHS, theirs))
fresh_points, fresh_labels = make_moons(4000, noise=0.2, seed=1)
print("the curves differ by less than 0.0001:", apart < 1e-4)
print(f"right on fresh points: {accuracy(net(Tensor(fresh_points)), fresh_labels):.3f}")

# %% [markdown]
# **Explain.** They do not part: after 200 epochs the losses still differed by 10⁻¹⁶ where it was recorded. The loss has one valley nearby, and both runs slide into it. With a learning rate at the edge of exploding, or over millions of steps, a last bit can grow. Then two runs of the *same* program on different machines part as well.

# %% [markdown]
# ## D. How fast, and why
#
# Two nets. The small one is 2-32-32-2 with tanh and batches of 64. The large one is 784-1024-1024-10 with relu and batches of 512. Both engines compute on one thread of one processor, in float64.
#
# **Predict.** Your engine is written in Python, PyTorch's in C++. Which is faster on the small net? And on the large one? By which factor?

# %%
# bet 13.D1
%bet

# %% [markdown]
# The small net takes two seconds: it is measured on your machine and with your code, and so is the tiny net of the next question. The large one was recorded.

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


# %% tags=["nbval-ignore-output"]
took = clock.times(
    epochs_of_both("tiny") | epochs_of_both("small"),
    recorded={
        (size, engine): numbers["ms"] * 1000 for size, both in recorded.TIMES.items() for engine, numbers in both.items()
    },
)
print(f"the large net, recorded on {recorded.MACHINE}\n")
for size in ("small", "large"):
    for engine in ("babygrad", "PyTorch"):
        print(f"{size + ' net':12}{engine:10}{took[size, engine] / 1000:>10.1f} ms for an epoch")

# %% [markdown]
# **Explain.** Where it was recorded yours is faster on the small net, though it is written in Python: PyTorch takes a quarter longer. On the large one they are only 2 % apart. Both facts have one reason: the time of a step has two parts.
#
# - **Overhead**: what each operation costs, whatever its size. A call in Python, a node for the graph, a new array.
# - **Arithmetic**: it grows with the arrays.
#
# To see the first part alone, shrink the net to 1-1-1-2 and the batch to one point. The operations are the same, but there is hardly a number in them.
#
# **Predict.** How much of the small net's step will stay: a tenth, a half, three quarters?

# %%
# bet 13.D2
%bet

# %% tags=["nbval-ignore-output"]
print(f"{'':10}{'1-1-1-2, one point':>22}{'2-32-32-2, 64 points':>24}")
for engine in ("babygrad", "PyTorch"):
    tiny, small = (took[size, engine] / BATCHES for size in ("tiny", "small"))
    print(f"{engine:10}{tiny:>19.0f} µs{small:>21.0f} µs   {tiny / small:.0%} stay")

# %% [markdown]
# **Explain.** Most of it stays: where it was recorded, three quarters of yours. So the small net is mostly overhead. On the large net a step takes 82,000 µs: there the same overhead is about a thousandth.
#
# The arithmetic is not done by your engine, and not by PyTorch's either. Each hands it to a library for matrices, written for the processor. So on the large net they can hardly differ.
#
# On the small net PyTorch pays more for a step. Each of its operations asks more questions first: on which device, of which dtype, is anything watching? These questions are the price of what comes in the next section. (Not all is questions: where this was recorded, its tanh of 64 × 32 numbers in float64 took five times as long as NumPy's.)

# %% [markdown]
# <details><summary>When would you take PyTorch, then?</summary>
#
# For nearly all real work. A net worth training is large. Then overhead does not matter, and other things do: many processors at once, GPUs, float32 and 16-bit numbers, compiled steps, thousands of tested operations. On a GPU the large net is many times faster, and the small one slower still: each operation has to be sent there.
#
# </details>
#
# <details><summary>And the memory?</summary>
#
# On the large net both keep the same things: weights, gradients, and what the graph remembers until the walk has passed. The process with PyTorch is larger from the start, by some 250 MiB of code. Where it was recorded, training the large net added between 70 and 80 MiB in both.
#
# </details>

# %% [markdown]
# ### An estimate by hand (stretch)
#
# Adding two arrays of one number is no arithmetic to speak of. So it gives the price of one operation:

# %% tags=["nbval-ignore-output"]
one, number = Tensor([1.0]), np.ones(1)
sums = {"NumPy": lambda: number + number, "babygrad": lambda: one + one}
if torch is not None:
    theirs = torch.ones(1, dtype=torch.float64, requires_grad=True)
    sums["PyTorch"] = lambda: theirs + theirs
overheads = clock.times(sums, recorded.OVERHEADS)
for engine, microseconds in overheads.items():
    print(f"{engine:10}{microseconds:5.2f} µs for a sum of two numbers")
print(f"\nIn 1 µs a product of large matrices did {recorded.MULTIPLICATIONS:,} multiplications, where it was recorded.")

# %% [markdown]
# One operation on a single number costs as much as tens of thousands of multiplications. How many operations are there in a step? Each goes through `Function.__call__`, forward and backward, so they can be counted there.

# %% jupyter={"source_hidden": true} tags=["nbval-ignore-output"]
def operations_in(step):
    calls, original = [], Function.__call__

    def counted(self, *inputs):
        calls.append(self.name())
        return original(self, *inputs)

    Function.__call__ = counted
    try:
        step()
    finally:
        Function.__call__ = original
    return len(calls)


def multiplications(dims, batch):
    layers = list(zip(dims, dims[1:]))
    forward, weights = (batch * sum(n * m for n, m in layers),) * 2
    inputs = batch * sum(n * m for n, m in layers[1:])    # nobody wants the gradient of the data
    return forward + weights + inputs


nets = {"small": ([2, 32, 32, 2], "tanh", 64, 16), "large": ([784, 1024, 1024, 10], "relu", 512, 4)}
counts = {}
for size, (dims, activation, batch, _) in nets.items():
    with_it = nn.MLP([2, 4, 4, 2], activation)    # the sizes do not change the number of operations
    counts[size] = operations_in(lambda net=with_it: loss_of(net).backward()), multiplications(dims, batch)
    print(f"{size} net: {counts[size][0]} operations, {counts[size][1]:>13,} multiplications")

# %% [markdown]
# **Predict.** Take the price of an operation in babygrad, and the multiplications, from above. What is the estimate for a step of the small net, and of the large one? Fill in the blanks.
#
# | | operations | arithmetic | together |
# |---|---|---|---|
# | small | ____ µs | ____ µs | ____ µs |
# | large | ____ µs | ____ µs | ____ µs |

# %%
# bet 13.D3
%bet

# %% tags=["nbval-ignore-output"]
print(f"{'':8}{'operations':>12}{'arithmetic':>12}{'together':>12}{'measured':>12}   (µs for a step)")
for size, (operations, products) in counts.items():
    overhead, arithmetic = operations * overheads["babygrad"], products / recorded.MULTIPLICATIONS
    step = took[size, "babygrad"] / nets[size][-1]
    print(f"{size:8}{overhead:>12,.0f}{arithmetic:>12,.0f}{overhead + arithmetic:>12,.0f}{step:>12,.0f}")

# %% [markdown]
# **Explain.** For the large net the estimate is good. For the small one it was nearly three times too low, where it was recorded: a Function of a net does more than one call of NumPy. And layers, ledger, checks and optimizer are not counted. All of that is overhead again, and the step of the 1-1-1-2 net has it in it.

# %% [markdown]
# ## E. What PyTorch adds
#
# Two things that your engine does not have, and two more as *(stretch)*. What goes wrong without each of them, and what does it cost?
#
# **An array that is changed too early.** The rule of exp uses the result: the slope of eᵗ is eᵗ. Somebody changes the result before the walk.
#
# **Predict.** t = 0, so e⁰ = 1, and the slope is 1. What will `t.grad` be?

# %%
# bet 13.E1
%bet

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
# **Explain.** Yours gives 100, without a word. PyTorch counts the changes of each tensor. An operation that keeps an array for later (a **saved tensor**) writes down its version too. When the walk comes back and the version is another one, it stops.
#
# The counter sees operations in place, such as `mul_`. Yours has no such operations, so above somebody wrote through `.data`. Who does that goes behind the counter's back in PyTorch too: the same silent mistake.
#
# What it keeps can be looked at. exp keeps its result, and `*` keeps both inputs:

# %%
@with_torch
def saved_tensors():
    a, b = torch.tensor([2.0], requires_grad=True), torch.tensor([5.0], requires_grad=True)
    print("exp keeps its result:", f"{a.exp().grad_fn._saved_result.item():.4f}")
    product = (a * b).grad_fn
    print("a * b keeps a and b: ", product._saved_self.item(), product._saved_other.item())
    print("a + b keeps neither: ", not hasattr((a + b).grad_fn, "_saved_self"))

# %% [markdown]
# **A graph that is walked once.** Saved tensors are often most of the memory of a training. PyTorch frees them while it walks.
#
# **Predict.** Your engine adds up on a second walk, as exercise 9.4 showed. What does PyTorch do?

# %%
# bet 13.E2
%bet

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
# **Explain.** It stops, with the cure in the message. Yours frees the graph as a whole, when the last name of its result is gone. That is simpler, and it holds the memory a little longer.

# %% [markdown]
# ### A hook (stretch)
#
# Sometimes one wants to see a gradient pass, or to change it: print it, cut it off, look for nan. In PyTorch a function can be hung on a tensor.

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
#
# What would it take in yours? A list of functions on each Tensor, and one line in the walk that calls them, where a node's gradient is complete. When is that? Just before it speaks.

# %% [markdown]
# ### Functions in, functions out (stretch)
#
# `torch.func.grad` takes a function and gives another: its slope. `vmap` takes a function of one sample and gives one of a whole batch.
#
# **Predict.** f(t) = t³. What is grad(grad(f)) at 2?

# %%
# bet 13.E3
%bet

# %%
@with_torch
def functions_of_functions():
    from torch.func import grad, vmap

    def cube(t):
        return t**3

    print("second derivative at 2:", grad(grad(cube))(torch.tensor(2.0)).item())
    print("slopes at 1, 2, 3:     ", vmap(grad(cube))(torch.tensor([1.0, 2.0, 3.0])).tolist())

# %% [markdown]
# **Explain.** 12: the second derivative is 6t. PyTorch took this style from JAX, which has it from autograd. `grad` of a function needs nothing new in your engine: three lines. `vmap` would need more: each operation must know of one more axis.

# %%
def slope_of(f):
    """A function that gives the slope of f. It can be given to slope_of again."""
    return lambda t: grad(f(t), t, create_graph=True)


def cube(t):
    return t**3


print("second derivative at 2:", slope_of(slope_of(cube))(Tensor(2.0)).item())
print("third derivative at 2: ", slope_of(slope_of(slope_of(cube)))(Tensor(2.0)).item())

# %% [markdown]
# ## F. The other way round
#
# JAX does not begin with rules for the walk back. Each of its operations has a **forward rule**: *if the inputs move, how fast does the result move?* Your `Dual` of notebook 01 knew such rules for plain numbers. Here they are for arrays, over the graph that your engine has recorded anyway.
#
# Think of moving things. A leaf moves at a given **rate**: so much for each second, in each of its places. How fast does everything that was made from it move? (JAX calls the rate of a leaf its *tangent*, and the whole computation a *Jacobian-vector product*, JVP. The walk back was a VJP.)

# %% [markdown]
# `babygrad/forward_mode.py` has the rules of fourteen operations, enough for a small net. Nine are their own: what only adds up, scales or moves numbers does to rates what it does to numbers. The others are the two products, a sum with a plain number, exp (`rate * node.data`) and tanh. Of any other, such as `x ** 2`, `5 / x`, `relu` or `Affine`, it says that it has no rule, by a `LookupError`; a line in `RULES` would be enough for each.
#
# **Predict.** On paper: a is 3 and moves at 2, b is 5 and moves at -1. How fast does a · b move? If you are not sure, look one thousandth of a second ahead:

# %%
# bet 13.F1
%bet

# %%
a, b, seconds = 3.0, 5.0, 0.001
print(((a + 2 * seconds) * (b - 1 * seconds) - a * b) / seconds)

# %% [markdown]
# ### Exercise 13.3
#
# Two pieces of `babygrad/forward_mode.py` are yours: the rule of a product, one line that serves `*` and `@`; and `rate_of`, which walks over the graph. Nothing is given but the contract. In notebook 03 a node had to wait until all who used it had spoken. Who waits for whom now?
#
# The check asks for products of both kinds, stretched ones too, for leaves that stand still, for constants, for a result that is used twice, a layer with its bias, a leaf as the output, large arrays, and 30 doublings.

# %%
%check 13.3

# %% [markdown]
# A small net with its loss. All of its weights and biases move at once, each number at a rate of its own.
#
# **Predict.** Three ways to find how fast the loss moves: your `rate_of`; a nudge of all weights along their rates; and the gradients of `backward`. How do you get that *one* number from the gradients and the rates?

# %%
# bet 13.F2
%bet

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
print(f"forward, one walk:   {rate_of(loss, rates).item():.9f}")
print(f"nudged, two runs:    {(moved_by(1e-6) - moved_by(-1e-6)) / 2e-6:.7f}")
print(f"backward, one walk:  {sum((leaf.grad * rate).sum() for leaf, rate in rates.items()):.9f}")

# %% [markdown]
# **Explain.** Gradient times rate, added up over all weights: one number tells of the whole net. That the first and the last line agree is a test of *all* rules at once, forward against backward, in one line. Engines are tested like that.
#
# **Predict.** And the other way: how many walks of `rate_of` does it take to find all the gradients of this net?

# %%
# bet 13.F3
%bet

# %%
w2 = leaves[2]
walks = []
for place in np.ndindex(w2.shape):
    rate = np.zeros(w2.shape)
    rate[place] = 1.0
    walks.append(rate_of(loss, {w2: rate}).item())
print("numbers in all leaves:", sum(leaf.size for leaf in leaves))
print(f"the gradient of w2 took {len(walks)} walks; the same as by backward:",
      np.allclose(np.reshape(walks, w2.shape), w2.grad))

# %% [markdown]
# **Explain.** One for each number: 26 here, 1,218 for the moons' net, where `backward` took one walk. For one input and a thousand outputs it is the other way round.
#
# Going forward nobody waits for anybody, no shares are added up, and nothing needs to be kept: a rate can be computed together with its number, as `Dual` did, and forgotten. That is forward mode's whole advantage. JAX gets its reverse mode from the same forward rules: it writes down the steps that rates go through, which are all linear, and turns each of them round.

# %% [markdown]
# ## G. Other roads (stretch)
#
# **JAX's way.** No tensor has a `.grad` there, and nothing is changed in place. One writes pure functions: the answer depends on the inputs alone. `jax.grad`, `jax.vmap` and `jax.jit` turn functions into functions, and can be nested. In `jax.grad` a function runs with stand-ins for its numbers, which write down each operation: a recorder, as your Tensors are.

# %% [markdown]
# **Static and dynamic graphs.** Yours is dynamic: it is what Python has just computed, and a loop or an `if` may make it another one each time. A static graph is known before any number flows. So a compiler can see all of it: put operations together, plan memory, and pay the overhead of section D once. `jax.jit` runs a function once with stand-ins, for each new shape and dtype of its inputs, and compiles what they wrote down. `torch.compile` reads the bytecode of your function instead. It keeps conditions beside the compiled graph (shapes, dtypes, values of plain numbers) and compiles anew when one of them fails; where it meets code that it cannot follow, the graph breaks, Python runs that piece, and another graph begins.

# %% [markdown]
# **GPUs.** A GPU does thousands of multiplications at the same time. But somebody has to send it each operation, and that takes some microseconds: overhead again, and more of it than here. The program does not wait for the answer, it goes on sending. So what a GPU likes is what the large net has: few operations, large arrays. And what is slow is asking for a number back, as `loss.item()` does: then everything must be finished first.
#
# Rules do not change. In an engine for a GPU `np` is another library with the same names, and the walk is yours, line by line.

# %% [markdown]
# ### A page of history (stretch)
#
# | | |
# |---|---|
# | 1960 | Henry J. Kelley, and a year later Arthur Bryson, find the best flight path, or the best plan in many stages, by going back over it, stage by stage. In 1962 Stuart Dreyfus derives it with nothing but the chain rule |
# | 1964 | R. E. Wengert: a program that computes derivatives together with the numbers, operation by operation: forward mode. The list of its steps, the tape, is still called a *Wengert list* |
# | 1970 | Seppo Linnainmaa, a student in Helsinki, describes the walk backwards in his master's thesis, to find out how rounding errors add up |
# | 1974 | Paul Werbos, in his thesis at Harvard: "ordered derivatives", the walk back, to fit models to data. He writes about nets trained with it in 1982; for years hardly anybody takes notice |

# %% [markdown]
# | | |
# |---|---|
# | 1980 | Bert Speelpenning's thesis: a program that takes a program and writes the one for its gradient |
# | 1985 | David Parker, and Yann LeCun in Paris, each find it for nets on their own |
# | 1986 | David Rumelhart, Geoffrey Hinton and Ronald Williams show in *Nature* what nets learn with it. "Back-propagation" becomes a word that everybody knows |
# | 1989 | Andreas Griewank works out what a gradient costs; in 1992, how to trade time for memory (checkpointing) |

# %% [markdown]
# And the programs:
#
# | | |
# |---|---|
# | 2002 | Torch, in C++, later in Lua |
# | 2008 | Theano, Montreal: formulas as static graphs, compiled, on GPUs |
# | 2015 | autograd, Harvard: write NumPy, get gradients; a graph is recorded while the program runs |
# | 2015 | Chainer, Tokyo: "define by run", the dynamic graph, for nets |
# | 2015 | TensorFlow, Google: static graphs on many machines |
# | 2017 | PyTorch: Torch's arrays, with a dynamic graph as in autograd and Chainer |
# | 2018 | JAX, by some of the authors of autograd: NumPy, functions of functions, a compiler |

# %% [markdown]
# The years of programs are those of their first versions for everybody, more or less. The idea was found at least five times, by people who did not know of each other: in control theory, for rounding errors, for statistics, and twice or more for nets.

# %% [markdown]
# Sources: R. E. Wengert, *A simple automatic derivative evaluation program*, Communications of the ACM 7 (1964), 463–464; P. Werbos, *Beyond regression*, Harvard (1974); A. Griewank, *Who invented the reverse mode of differentiation?*, Documenta Mathematica (2012); J. Schmidhuber, *Deep learning in neural networks: an overview*, Neural Networks 61 (2015), section 5.5. Who deserves which part of the credit is still argued about.

# %% [markdown]
# ## Bug hunt
#
# Twelve engines, each sabotaged in one place. The mistakes are those of notebooks 03 to 10: you have been warned of each of them. Nobody tells you which engine has which.
#
# You write expressions. Each is computed by all engines, with `backward` called twice, and 1, 2, 3, ... as the gradient from above. An engine is given away if anything differs from the right engine. These are the leaves:

# %%
from grader.suspects.sabotaged_engines import LEAVES, given_away, given_away_by_each

for name, numbers in LEAVES.items():
    print(f"{name:6} {str(np.shape(numbers)):10} {numbers}")

# %% [markdown]
# **Predict.** Two expressions: x.exp() and x * x. How many of the twelve does each give away?

# %%
# bet 13.4a
%bet

# %%
print("x.exp() ", given_away(lambda x, row, col, w, batch: x.exp()))
print("x * x   ", given_away(lambda x, row, col, w, batch: x * x))

# %% [markdown]
# **Explain.** Hardly anybody. Most mistakes hide on most ground. With x * x an input is used twice, and one engine does not add up.
#
# **A worked example.** A result in the middle has a name, so that it can be used twice: near the end, and farther away.

# %%
def idea(x, row, col, w, batch):
    z = x * x
    return z * (z * 3)


print(given_away(idea))

# %% [markdown]
# **Explain.** Three at once. Engine 9 lets z speak when only the near share has come. Engine 11 still has the first walk's gradient of z when the second walk comes. And 8 cannot add up. Take this as the first of your list.
#
# Nine are left. Eight of them fall to a single operation, if the leaves are well chosen. The hardest is 10: `+` hands one array to both of its inputs. Who else holds it when a share is added?
#
# ### Exercise 13.4
#
# In `babygrad/hunts.py` return a list of at most 8 expressions, each of at most 5 operations. Together they must give away all twelve. Change `idea` above to try one. There are fewer places than ideas: `(5 - x) / row` carries two.
#
# Begin with rules: what does each operation do with signs, zeros, equal numbers, shapes? Then the walk: what do two own?
#
# The check says which engines are still hidden, and from which notebook the first of them comes.

# %%
%check 13.4

# %% tags=["nbval-ignore-output"]
for place, found in enumerate(given_away_by_each(hunts.expressions_for_twelve_engines)):
    print(f"expression {place} gives away", found)

# %% [markdown]
# <details><summary>What was wrong with them</summary>
#
# 1. `5 - x` is computed as `x - 5`
# 2. the minus in the second share of a / b is missing
# 3. the slope of tanh is made of the input, not of the result
# 4. relu lets a gradient through at 0
# 5. stretched axes of size 1 are not summed, new axes are
# 6. `sum(0)` is taken for `sum()`: `if axes:`
# 7. `.T` in the rule of @, which turns the batch axis too
# 8. the last share replaces those before
# 9. a node speaks when it is first met
# 10. shares are added in place, in an array that two own
# 11. inner nodes keep their gradient for the next walk
# 12. equal maxima all get the whole gradient
#
# </details>

# %% [markdown]
# ## Reflection
#
# Answer each question aloud, as in an interview, then unfold it. Two for now, the others are *(stretch)*.
#
# <details><summary><b>What does building an engine teach that reading about one does not?</b></summary>
#
# Where the difficulties are. The chain rule is one line, and it was not the problem: shapes, ties, equal numbers, arrays that two own, a second walk were. Who has met them knows what to suspect when a loss does not fall, and how a test must look that would see it.
#
# </details>
#
# <details><summary><b>Forward builds, backward walks. Where else does that happen?</b></summary>
#
# In a compiler: parsing builds a tree or a graph, and later passes walk over it, some of them from the uses back to the definitions. In data lineage: each step writes down what it was made from, so that a wrong number in a report can be followed to its source. In a build tool, an undo list, a spreadsheet that knows which cells depend on which.
#
# </details>

# %% [markdown]
# <details><summary><b>How do large frameworks organise their backward rules?</b></summary>
#
# PyTorch has a table, `derivatives.yaml`: for each operation the formula of each input's gradient, in one line or a call. A program writes the C++ from it. So each rule is written once, beside the name of its operation, not beside its code. In your `ops` folder the two stand together. JAX has forward rules, as in section F, and for each linear step a rule that turns it round; reverse mode is made of the two.
#
# </details>
#
# <details><summary><b>And how do they test them?</b></summary>
#
# With nudging, in float64: `torch.autograd.gradcheck`, and `gradgradcheck` for second derivatives. PyTorch lists its operations in a database, OpInfo, each with sample inputs: shapes, strides, dtypes, empty and broadcast ones. The same tests run over all of them. It is what `gradcheck` and random shapes did in this course, a few thousand times larger.
#
# </details>

# %% [markdown]
# <details><summary><b>Forward mode or reverse mode?</b></summary>
#
# Forward mode carries slopes along with the values, for one direction in the inputs at a time: n inputs, n runs. It keeps no graph. Reverse mode needs one walk for one output, and keeps what the graph remembers. Many inputs and one loss: reverse. Few inputs and many outputs: forward. For a curvature times a direction one takes both: forward over reverse.
#
# </details>
#
# <details><summary><b>What is checkpointing?</b></summary>
#
# Memory is what reverse mode costs: results are kept until the walk passes. With checkpointing only some are kept, and the rest is computed anew when the walk gets there. With a kept result after every √n of n layers the memory falls to about √n, for the price of one more run forward.
#
# </details>

# %% [markdown]
# ## The rule to keep
#
# **Two right engines agree in all but the last bits; small arrays cost operations, large arrays cost arithmetic.**

# %% [markdown]
# ## What you can do now
#
# Go through the list. What you could not explain to a friend is worth another look; the notebook stands behind it.
#
# - ☐ find any slope by nudging, and say how exact it is (01)
# - ☐ write an engine for numbers: values, local slopes, the walk (02, 03)
# - ☐ say why a node waits until all who used it have spoken (03)
# - ☐ train a net with a loop of five lines (04, 11)
# - ☐ write an operation as a class with forward and backward (05, 06)
# - ☐ get the shape of every gradient right: stretched, summed, transposed (07)
# - ☐ derive both gradients of a product of matrices, also for batches (08)

# %% [markdown]
# - ☐ keep a ledger, and say who may change which array (09)
# - ☐ explain why nobody builds a Jacobian, and what a rule does instead (10)
# - ☐ compute a softmax and a cross-entropy that survive ±1000 (10, 11)
# - ☐ find out why a loss does not fall: zero_grad, shapes, data, learning rate (11)
# - ☐ write SGD with momentum and Adam, and say what each keeps (12)
# - ☐ read PyTorch's graph, and say why a step takes as long as it does (13)
# - ☐ carry rates forward over a graph, and say what that is good for (01, 13)
# - ☐ test an engine so that typical mistakes cannot hide (03, 09, 13)

# %% [markdown]
# ## What to build next
#
# Your engine is a workshop now. Five things that need nothing more than it has, the easiest first. Each has a test with which you can be sure by yourself.
#
# 1. **A hook.** A list of functions on each Tensor, and one line in `Tensor.backward` that calls them. *Test:* the expression of "A hook" above gives 6.
# 2. **A version counter.** A Tensor method `mul_` that changes its array in place and counts. A result writes down its inputs' counts, the walk compares. *Test:* the example with exp raises an error instead of giving 100.
# 3. **Checkpointing.** A Function that runs a piece of a net forward under `no_grad()`, and computes it once more, recorded, when its rule is asked. `grad` does the rest. *Test:* the same gradients as without it; count how many Tensors are alive.

# %% [markdown]
# 4. **A convolution.** Indexing with arrays cuts all windows out of a picture at once, and one `@` does the rest: no new rule. *Test:* `gradcheck`; then the digits, with fewer weights than your MLP has.
# 5. **A maker of names.** Read 200 first names; from three letters predict the next: `x[index]` for a table of letters, `LayerNorm`, `AdamW`, `cross_entropy`. Then let it write, letter by letter. *Test:* with random weights the loss is near log 27 = 3.30, for 26 letters and the end of a name. How far does it fall on names that it has not seen?
#
# And to read: PyTorch's `derivatives.yaml`, where you will know most of the lines; JAX's *Autodidax*, an engine built out of forward rules in one long page; micrograd and tinygrad, two engines whose authors had the same idea as this course.

# %% [markdown]
# ## Where you are
#
# At the end of the road, and at its beginning: from a nudge to a trained net whose every gradient equals PyTorch's. When you open PyTorch the next time, you know what is inside.
