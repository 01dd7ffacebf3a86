# %% [markdown]
# # 15 · From a walk to a program
#
# A training step does the same operations each time. Your engine finds that out anew in each step: it makes nodes, sorts them, looks up rules, creates arrays and throws them away. For a small net that takes longer than the arithmetic. Here the whole step, forward, backward and update, becomes one list of operations: you shorten it, find a place for each result, and let Python run it as plain NumPy.

# %% jupyter={"source_hidden": true}
%load_ext grader

# %%
import numpy as np

import babygrad
from babygrad import Tensor, hunts, nn, trace
from babygrad.autograd import topological_order
from babygrad.compiler import function_of, last_readers, optimized
from babygrad.compiler import with_each_once, with_folded, without_unused
from babygrad.losses import cross_entropy
from babygrad.normalize import Dropout
from babygrad.optim import SGD, Adam
from babygrad.tracing import CannotCompile
from toolbox import clock
from toolbox.drawing.program import draw_program
from toolbox.films.arrays import arrays_at_work

# %% [markdown]
# ## Goals
#
# Afterwards you can
#
# - say what a compiler of training steps sees, and what it cannot see,
# - write three passes that shorten a program, and say why each leaves the numbers alone,
# - find out who reads an array last, and when a result may be written over an input,
# - say what is left to gain after that, and who gains it.

# %% [markdown]
# ## Recall

# %%
%quiz before 15

# %% [markdown]
# <details class="recall"><summary>From notebooks 09, 11 and 13, without looking</summary>
#
# 1. What are the five lines of a training step?
# 2. What is a *dynamic graph*, and when is yours thrown away?
# 3. Which operations compute a number of the result from one number of each input alone? Name three, and two others.
#
# </details>
#
# <details><summary>Answers</summary>
#
# - **1**: Forward pass, loss, `zero_grad()`, `backward()`, `step()`.
# - **2**: One that is made anew while Python runs, in each step. Yours goes when the step's loss goes.
# - **3**: The elementwise ones: +, *, tanh. Others are a sum and a matrix product.
#
# </details>

# %% [markdown]
# ## A. The same again
#
# A small net, and two steps with different batches. The cell lists the operations of the forward pass, each time.

# %%
rng = np.random.default_rng(0)
points, classes = rng.normal(size=(64, 2)), rng.integers(2, size=64)
net = nn.MLP([2, 16, 16, 2], "tanh", rng=np.random.default_rng(0))


def forward_operations(x, targets):
    loss = cross_entropy(net(Tensor(x, requires_grad=False)), targets)
    return [node._op.name() for node in topological_order(loss) if node._op]


first, second = forward_operations(points, classes), forward_operations(points[::-1] * 3, 1 - classes)
print(*first, sep=", ")
print("the same again:", first == second)

# %% [markdown]
# The backward pass and the update are the same each time too. In NumPy, by hand, a whole step of this net takes 36 microseconds, on the machine where it was recorded. Every array is there before the first step, and each line writes into one.
#
# **Predict.** How long does your step take there, with `nn`, `cross_entropy` and `SGD`? And PyTorch's?

# %%
# prediction 15.A1
%predict

# %% tags=["nbval-ignore-output"]
def step_of(net, optimizer):
    def step(x, targets):
        loss = cross_entropy(net(Tensor(x, requires_grad=False)), targets)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        return loss

    return step


step = step_of(net, SGD(net.parameters(), lr=0.1))
clock.side_by_side(
    {"your engine": lambda: step(points, classes)},
    recorded={"by hand in NumPy": 36, "your engine": 114, "PyTorch": 141},
)

# %% [markdown]
# **Explain.** In the recorded column, two thirds of your step's time are not arithmetic. PyTorch is no better: it does the same bookkeeping, in C++, for more cases.
#
# All that bookkeeping finds out what is known already: the list is the same again.

# %% [markdown]
# ## B. Written down
#
# Let the step run once, and note each call of a Function, forward and backward. That is **tracing**, and the list is a **trace**: no `if`, no loop, one line after the other. A compiler calls such a form of a program, between what you wrote and what will run, its **intermediate representation** (IR).
#
# Ours has names in place of Tensors: x for an input, t for an input taken into a Tensor (`trace` names these two), p for a parameter, c for a constant, v for a result.

# %% [markdown]
# ### Exercise 15.1
#
# In `babygrad/compiler.py` a `Line` and a `Program` are given, and `noted` is missing: it makes a Line of one call. A dictionary says what each Tensor is called. `trace` (given, in `tracing.py`) needs `noted` for each call of a Function.

# %%
%check 15.1

# %%
rng = np.random.default_rng(3)
w = Tensor(rng.normal(size=(2, 1)).round(1))


def small(x):
    s = (Tensor(x, requires_grad=False) @ w).tanh()
    loss = (s * s).mean()
    w.zero_grad()
    loss.backward()
    return s


four_points = rng.normal(size=(4, 2)).round(1)
program = trace(small, four_points)
print(program)

# %% [markdown]
# **Explain.** Read it as a page (`taken` is the array that the step was given, as a Tensor): what is given, then a line for each operation with the shape of its result, then the ends. The four operations of the loss have become so many lines with the backward pass, which begins at v4. It computes s² once more, and the same product twice, for the two factors of `s * s`. No graph is left, no walk, no rule: what they did is noted.
#
# `small` returns s, and leaves the gradient of w in w.grad. So these two are *wanted* at the end.

# %% [markdown]
# **What a trace cannot see.** It notes operations on Tensors, and nothing else that Python does. A program that was written down for one batch must be right for the next. What would go wrong with each of these four steps, if `trace` did not refuse it?

# %%
def by_data(x):
    return Tensor((x * 2).data) * w.sum()


def by_if(x):
    loss = (x * w.sum()).mean()
    return loss * 2 if loss.item() > 1 else loss


def by_mask(x):
    s = x * w.sum()
    return s * Tensor(np.where(s.data > 0, 1.0, 0.0))


def by_luck(x):
    return x * Tensor(np.random.default_rng().normal(size=(4, 2)), requires_grad=False)


for each in (by_data, by_if, by_mask, by_luck):
    try:
        trace(each, Tensor(four_points))
    except CannotCompile as refusal:
        print(f"{each.__name__}: {refusal}\n")

# %% [markdown]
# **Explain.** In the first three, a number or a choice comes from *this* batch and would be frozen. `trace` runs the step twice, with other numbers the second time, and hides the numbers of traced Tensors. What differs from run to run must be an input, or come from one. That is how `Dropout` works here: its random numbers are inputs, drawn anew in each run. And a new shape or dtype is a new program.

# %% [markdown]
# A step also reads from outside, by name: a weight of the loss, a mask, a layer. An array out there is read anew in each run. Everything else is checked before each run, and if it has changed, the step is traced again. Such a check is called a **guard**.
#
# **Predict.** The next step puts its loss into a list. Say it is traced once, and then its program runs five times. How many losses are in the list in the end?

# %%
# prediction 15.B3
%predict

# %%
history = []


def by_append(x):
    loss = (x * w.sum()).mean()
    history.append(loss)
    return loss


print(trace(by_append, Tensor(four_points)))
print("in the list after tracing:", len(history))

# %% [markdown]
# **Explain.** Two, however often the program runs: `trace` ran the step twice, and no line of the page is about the list. This step is *not* refused. What a function does besides returning something is called a **side effect**, and a trace cannot see it. So a step returns what you want to keep, and you append or print outside of it.
#
# If you do not trust a step, `babygrad.compile(step, checked=True)` runs it beside its program in each call, and stops at the first line that does something else.

# %% [markdown]
# **A good place to stop.** You have a program. On a fresh kernel, run the imports, and the cells that define `points`, `step_of` and `program`.

# %% [markdown]
# ## C. Three passes
#
# A **pass** goes through the IR and makes a program out of a program. The new one does the same in fewer lines. No pass looks at what an operation computes.
#
# **Dead code elimination** comes first: away with the lines whose result is of no use.

# %% [markdown]
# ### Exercise 15.2
#
# `small` returns s, not the loss. Which two lines of the page above are of no use? Fill in `without_unused`. `program.wanted` is the set of all names that must be there at the end; `program._replace(lines=...)` makes a program with other lines.

# %%
%check 15.2

# %% [markdown]
# The drawing shows the program before the pass. A box with a dashed border is not there any more, and says why.

# %%
draw_program(program, after=without_unused(program))

# %% [markdown]
# **Explain.** The square and its mean were dead code: the loss itself. Its *gradient* never looks at it: it begins with 1 at the end, whatever the loss is. A walk from the front could not know this. From the back, one round is enough: when a line is reached, all its possible readers have been judged.

# %% [markdown]
# The backward pass begins with a 1, divides it by 4, and stretches it. These numbers are the same in each run. To compute them now is **constant folding**.

# %% [markdown]
# ### Exercise 15.3
#
# Fill in `with_folded`. Each line's `like` holds the result that it had when it was traced. Why must the lines that read w stay, though its numbers are there already?

# %%
%check 15.3

# %%
draw_program(program, after=with_folded(program))

# %% [markdown]
# **Explain.** Three lines became constants. w is a leaf: it changes in each step. So a line that reads it is computed anew in each run, as one that reads x is.

# %% [markdown]
# **A good place to stop.** On a fresh kernel, run the imports and the cells that define `program`, `classes`, `net`, `points` and `step_of`.

# %% [markdown]
# The third pass is **common subexpression elimination** (CSE): what is computed twice is computed once, and both readers read the one.

# %% [markdown]
# ### Exercise 15.4
#
# Which lines do what an earlier one does? Is `x.sum(0)` the same as `x.sum(1)`, is `a - b` the same as `b - a`? Fill in `with_each_once`. `first` remembers who did a thing first, `called` which name stands for which. With equal constants this has been done for you.

# %%
%check 15.4

# %%
folded = with_folded(program)
draw_program(folded, after=with_each_once(folded))

# %% [markdown]
# **Explain.** Two products were the same. The square of s, from the forward pass, is found again in the rule of tanh, 1 - s². Nobody who wrote that rule knew of it.
#
# Now the order of the passes matters: is s² still dead code? Constant folding makes constants, and CSE can find equal ones; CSE leaves names that nobody reads. `optimized` runs constant folding, CSE and dead code elimination, in this order, and last a small pass that is given: it writes a sum along an axis as a product with ones, which NumPy does faster. (Constants that nobody reads may stay on the page.)

# %%
print(optimized(program))
step = step_of(net, SGD(net.parameters(), lr=0.1))
whole = trace(step, points, classes)
print(f"\na whole step of the net: {len(whole.lines)} lines, optimized {len(optimized(whole).lines)}")

# %% [markdown]
# **A good place to stop.** The program is as short as it gets. On a fresh kernel, run the imports, and the cells that define `points`, `step_of` and `program`.

# %% [markdown]
# ## D. Arrays that are used again
#
# Each line still makes a new array, and new memory costs time. By hand one writes `np.tanh(a, out=a)`. When is that allowed? When nobody reads the old a any more.
#
# From where a result is made to its last reader it is *live*. To find these spans is **liveness analysis**.

# %% [markdown]
# ### Exercise 15.5
#
# Fill in `last_readers`. A transpose of v1 is a *view*, the same memory seen in another way: whoever reads it reads the array in which it lies. `owner` tells for each name which one that is.

# %%
%check 15.5

# %%
page = optimized(program)
for name, place in last_readers(page).items():
    print(f"{name} is read last by", page.lines[place] if place < len(page.lines) else "the end")

# %% [markdown]
# **Explain.** v1 is s, which is returned: the end reads it, and nothing may be written over it. x0 itself stands in the first line only, but v13 is a view of it, and v14 reads that.
#
# Now each line gets an array. If an input dies with this line, the result may be written over it: an **in-place operation**. For tanh that is right: it reads one number and writes one, to the same place. A product a @ b, written over a, would not be: it reads each row of a once for each column of b, and after the first number the row is damaged.

# %% [markdown]
# ### Exercise 15.6
#
# Fill in `array_for`. An array that dies with this line, one that is free already, a new one: which is tried first, and when may the first kind not be taken? What must agree? The docstring has the rules.

# %%
%check 15.6

# %% [markdown]
# Last, `written` (given) makes each line a line of Python that calls NumPy with `out=`, such as `add(v1, v2, out=v3)`.
#
# The film runs a whole step of a small net, line by line. Your `last_readers` and `array_for` choose.
#
# **Predict.** The program has 35 lines. How many arrays of its own does it need: about 30, about 20, about 10?

# %%
# prediction 15.D3
%predict

# %%
small_net = nn.MLP([2, 8, 3], "tanh", rng=np.random.default_rng(0))
small_step = step_of(small_net, SGD(small_net.parameters(), lr=0.1))
arrays_at_work(optimized(trace(small_step, points[:16], classes[:16])))

# %% [markdown]
# **Explain.** Thirteen, for 33 results (two lines only take an input): your liveness analysis knows when each is free again. The hidden layer's array holds the sums, their tanh, and later the tanh's local derivative. Another, made for exp of the scores, holds the softmax next, then its gradient. At the end each new weight is written into the parameter itself: the old one is read for the last time by the subtraction.

# %% [markdown]
# **A good place to stop.** All parts are there. On a fresh kernel, run the imports, and the cells that define `points`, `step_of` and `program`.

# %% [markdown]
# ## E. It runs
#
# `function_of` (given) joins the lines, and Python translates the text once. This is the program of `small`, as it runs:

# %%
print(function_of(optimized(program)).text)

# %% [markdown]
# The first line holds the guards: `Tensor` and `w` are still what they were. If not, the step is traced anew. (`f_v13` transposes the input, another array in each run.)
#
# `babygrad.compile(step)` does everything: it traces a step when it first sees a shape, and runs the function from then on. To translate a program at the moment when it is first needed is **just-in-time compilation** (JIT). Two copies of a net are trained for 200 steps, with Adam and dropout, one step by step, one compiled:

# %%
def trained(compiled, steps=200):
    """The weights after some steps with dropout, whose random numbers are seeded."""
    rng = np.random.default_rng(5)
    net = nn.Sequential(nn.Linear(2, 16, rng=rng), nn.Tanh(), Dropout(0.2, rng=rng), nn.Linear(16, 2, rng=rng))
    step = step_of(net, Adam(net.parameters(), lr=0.01))
    step = babygrad.compile(step) if compiled else step
    batches = np.random.default_rng(6)
    for _ in range(steps):
        x = batches.normal(size=(32, 2))
        step(x, (x[:, 0] * x[:, 1] > 0).astype(int))
    return net.parameters()


apart = max(np.abs(p.data - q.data).max() for p, q in zip(trained(False), trained(True)))
print("after 200 steps, apart by less than 1e-12:", bool(apart < 1e-12))

# %% [markdown]
# **Explain.** Constant folding and CSE change no number, and neither does the place where a result lies. Only a sum may be taken in another order, which is a matter of the last bits. The learning rate and Adam's count of steps are inputs too: a schedule may change lr, and no new program is needed.
#
# A batch with another shape is another program:

# %%
compiled = babygrad.compile(step)
for size in (64, 64, 40, 64, 40):
    compiled(points[:size], classes[:size])
print("programs:", len(compiled.programs))

# %% [markdown]
# Now the times: the step of section A, beside PyTorch with `torch.compile`, and JAX, whose `jax.jit` traces a function as you do.
#
# **Predict.** Where it was recorded, the step takes 36 microseconds by hand, 114 with your engine. And compiled? Can anything be faster than by hand?

# %%
# prediction 15.E2
%predict

# %% tags=["nbval-ignore-output"]
eager = step_of(net, SGD(net.parameters(), lr=0.1))
compiled = babygrad.compile(eager)
clock.side_by_side(
    {"your engine": lambda: eager(points, classes), "your engine, compiled": lambda: compiled(points, classes)},
    recorded={
        "by hand in NumPy": 36,
        "your engine": 114,
        "your engine, compiled": 37,
        "PyTorch": 141,
        "PyTorch, torch.compile": 177,
        "jax.jit": 25,
    },
)

# %% [markdown]
# **Explain.** Where this was recorded, the compiled step is as fast as by hand, and three times as fast as *eager*, operation by operation. `torch.compile` got the forward pass, the loss and their backward pass, not the optimizer; the checks around it cost more than it saved.
#
# `jax.jit` beats the hand. NumPy goes through memory once for each line. JAX's compiler makes one loop of both, so a number stays in the processor while tanh, the square and the product are done. That is **operator fusion**. It takes a compiler that writes machine code: XLA for JAX, Triton for PyTorch on GPUs. NumPy cannot do it.

# %% [markdown]
# What does JIT compilation cost? To trace and translate this step takes as long as about 30 eager steps, once for each shape. `Trainer(compile=True)` does it for a whole training. For a net whose arrays are large there is little to gain: with 3 million weights the eager step is 2 % slower than by hand, since nearly all of its time is matrix products.

# %% [markdown]
# ## Bug hunt
#
# Four people wrote a compiler. Each made one mistake.
#
# - Ada merges two lines with the same operation and the same inputs, whatever their settings.
# - Ben writes over any input of the right shape that is the program's own, if the operation goes number by number, without asking for the last reader.
# - Cleo does constant folding for a line if *one* of its inputs is a constant.
# - Dora does matrix products in place as well, over an operand that dies.
#
# Each program is written down for one pair of matrices, and run for another.
#
# **Predict.** Who is wrong about `3 - x * y`? Who about `(x * y) @ x`?

# %%
# prediction 15.8a
%predict

# %%
from grader.broken_engines.compilers import outcomes_of


def who_is_wrong(function):
    return [name for name, off in outcomes_of(function).items() if off > 1e-6]


def difference(x, y):
    return 3 - x * y


print(trace(difference, *(Tensor(array) for array in np.random.default_rng(0).uniform(0.5, 1.5, (2, 3, 3)))))
print()
print("3 - x * y:  ", who_is_wrong(difference))
print("(x * y) @ x:", who_is_wrong(lambda x, y: (x * y) @ x))

# %% [markdown]
# **Explain.** Cleo froze `3 - x * y`: one of the subtraction's inputs is the constant c0. (About `x * y - 3` she is right: a number to the right is a setting of its line, like an exponent.) Dora wrote the product over `x * y`, which was still being read. Nobody reads it later, so Ben does no harm, and nothing is there twice for Ada.

# %% [markdown]
# ### Exercise 15.8
#
# In `babygrad/hunts.py`, return one function of x and y, with at most four operations, for which all four are wrong. The cell below tries yours.

# %%
%check 15.8

# %% tags=["nbval-ignore-output"]
print(who_is_wrong(hunts.four_compilers))

# %% [markdown]
# ## Reflection
#
# Write an answer to one of these questions before you unfold ours. Answer the other aloud, as in an interview.

# %%
%%note 15.R1

# %% [markdown]
# <details><summary><b>What does a tracing compiler demand of your code, and why?</b></summary>
#
# That what it does depends on shapes and dtypes alone, not on numbers. A trace is one way through the code: an `if` on a number would freeze the way that this batch took. A JIT compiler runs the code only once for each shape. What changes from run to run must be an input.
#
# </details>
#
# <details><summary><b>Your program calls NumPy once for each line. What would operator fusion change?</b></summary>
#
# Lines that go number by number would share one loop: each number is read once, goes through all of them, and is written once. Memory traffic is what costs, and most of it would go. It needs code that is translated to machine code.
#
# </details>

# %%
%predictions 15

# %% [markdown]
# ## In other books
#
# What the words of this notebook are called elsewhere, and in PyTorch and JAX: [the glossary](../docs/glossary.md#15-from-a-walk-to-a-program).

# %% [markdown]
# ## The rule to keep
#
# **What is the same each time can be found out once. What a program may forget or write over is decided by who reads it last.**

# %% [markdown]
# ## Where you are
#
# Your engine has two ways now: the eager one for looking inside, the JIT compiler for speed. Liveness analysis, dead code, an IR: every compiler has them. What is missing is operator fusion. The next notebook builds a model that writes.
