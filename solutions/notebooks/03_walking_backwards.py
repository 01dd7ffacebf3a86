# %% [markdown]
# # 03 · Walking backwards
#
# In notebook 02 you did backpropagation by hand. You knew where to start, which node came next, and when to wait. Now the computer has to know it.
#
# It takes three pieces: what one node does (two lines), in which order the nodes do it (the hard one), and the walk itself. In the end `L.backward()` fills in all gradients of a computation graph, however large it is.

# %% jupyter={"source_hidden": true}
%load_ext grader

# %%
import gc

from babygrad import Value, hunts
from babygrad.value import post_order, topological_order
from toolbox import compare_backward, draw_graph, step_through, trace_graph

# %% [markdown]
# ## Goals
#
# Afterwards you can
#
# - say what a node passes back to its inputs, and why shares add up,
# - find an order in which no node passes its gradient back too early, with recursion and without, and name a graph on which another order fails,
# - write `backward`, and say what a second call does,
# - count what a backward pass costs: by nodes, by paths, by inputs,
# - read the same engine in the form that most other courses give it (stretch).

# %% [markdown]
# ## Recall

# %%
%quiz before 03

# %% [markdown]
# <details class="recall"><summary>From notebook 02, without looking</summary>
#
# 1. `u = a * b`, with a = 2 and b = -3. Which local derivatives does `u` remember, and in which order?
# 2. The result at the end changes by 10 for each unit that `u` changes. By how much for each unit that `a` changes? And `b`?
# 3. `x` goes into two results, and its shares are 4 and 1. What is its gradient?
#
# </details>
#
# <details><summary>Answers</summary>
#
# - **1**: (-3, 2): for each side it is the number on the other side.
# - **2**: -3 · 10 = -30 and 2 · 10 = 20. Along a path you multiply.
# - **3**: 5. Where paths meet, shares add up.
#
# </details>

# %% [markdown]
# ## A. One node passes its gradient back (evening)
#
# Take u = a · b, with a = 2 and b = -3, somewhere in the middle of a large graph. The node where the walk back began is called the **root**; call it L. Everything that was made from `u` has done its part already, and the outcome is in `u`'s `grad`: 10. So ∂L/∂u is 10.

# %% tags=["nbval-ignore-output"]
a, b = Value(2.0, label="a"), Value(-3.0, label="b")
u = a * b
u.label = "u"
u.grad = 10.0
draw_graph(u)

# %% [markdown]
# Now `u` **passes its gradient back**: each input gets a share, by the chain rule.
#
# ∂L/∂a = ∂u/∂a · ∂L/∂u
#
# | input | local derivative | gradient of `u` | its share |
# |---|---|---|---|
# | `a` | -3 | 10 | -30 |
# | `b` | 2 | 10 | 20 |
#
# `u` knows nothing of the rest of the graph, and it need not. That is all that a node ever does.

# %% [markdown]
# Ada writes this down, step by step, for a + a. The sum is the root, so its own gradient is ∂L/∂L = 1.
#
# **Predict.** a + a is 2a, so its derivative is 2. What does Ada find? Read the two lines before `print` closely.

# %%
# prediction 3.A1
%predict

# %%
a = Value(3.0, label="a")
total = a + a
total.grad = 1.0

first, second = total._prev
slope_to_first, slope_to_second = total._slopes
first.grad = slope_to_first * total.grad
second.grad = slope_to_second * total.grad

print(a.grad)

# %% [markdown]
# **Explain.** `first` and `second` are two names for the same node. The line of `second` overwrites what that of `first` had put there: one of the two shares is lost. On paper you had both in front of you and added them. Here they arrive one at a time, and neither knows of the other.

# %% [markdown]
# ### Exercise 3.1
#
# Open `babygrad/value.py` and fill in `_backward`: one node passes its gradient back to its own inputs, however many there are, and then it is done. What must happen to a share that is already there?

# %%
%check 3.1

# %% [markdown]
# Now `u` passes its gradient back. Each share is added to what was there before: gradients **accumulate**.

# %% tags=["nbval-ignore-output"]
u._backward()
draw_graph(u)

# %% [markdown]
# ## B. The order matters (evening)
#
# Every node can pass its gradient back now. In the **backward pass** all of them do it, from the root to the leaves. In which order?
#
# Here are three small steps, from x = 3. Note that `y` is used twice: by `z` and by `L`.

# %% tags=["nbval-ignore-output"]
def three_steps(x):
    y = x * x
    z = y * 3
    L = y * z
    y.label, z.label, L.label = "y", "z", "L"
    return L


draw_graph(three_steps(Value(3.0, label="x")), blank=True)

# %% [markdown]
# Each call of a node's `_backward()` passes its gradient back once. Ada and Ben each walk from L to x, on a fresh copy of the graph.
#
# - Ada calls it the *first time* she comes to a node, then goes on to its inputs.
# - Ben calls it *each time* he comes to a node, even if he was there before.
#
# In both, `visit` calls itself for the inputs, and for theirs, down to the leaves, before it turns to the next input: a **depth-first search**.

# %%
def walk_on_first_visit(root):
    visited = set()

    def visit(node):
        if node not in visited:
            visited.add(node)
            node._backward()
            for child in node._prev:
                visit(child)

    root.grad = 1.0
    visit(root)


def walk_on_every_visit(root):
    def visit(node):
        node._backward()
        for child in node._prev:
            visit(child)

    root.grad = 1.0
    visit(root)

# %% [markdown]
# **Predict.** L is 3x⁴, so ∂L/∂x at 3 is 12 · 27 = 324. What does each of them find for `x.grad`: more, less, or exactly that? Write two numbers down.

# %%
# prediction 3.B1
%predict

# %%
for walk in (walk_on_first_visit, walk_on_every_visit):
    x = Value(3.0)
    walk(three_steps(x))
    print(f"{walk.__name__}:  x.grad = {x.grad:g}")

# %% [markdown]
# **Explain.** Every single multiplication was correct. So look at the order: at `y` two shares must arrive, 27 from L, and 9 · 3 = 27 from z.
#
# **Predict.** Which gradient does y pass back in Ada's walk? How often does it pass one back in Ben's, and which?

# %%
# prediction 3.B2
%predict

# %% [markdown]
# Your `_backward` makes these steps. Look at y's box in steps 1 to 4.

# %%
compare_backward(lambda: three_steps(Value(3.0, label="x")), Ada=walk_on_first_visit, Ben=walk_on_every_visit)

# %% [markdown]
# **Explain.** Ada's y passes back 27, before the share of z is there. That comes a step later, and nobody calls y again. Ben's y passes back twice, first 27 and then 54: its first 27 is counted twice.
#
# The cure is one sentence. *A node may pass its gradient back only when every node that used it has done so.* An order with this property is called a **topological order**. Every directed acyclic graph has one, and often several.

# %% [markdown]
# ### Those near the root first? (core)
#
# Cleo thinks a simpler order will do: *those near the root first*. The root, then its inputs, then their inputs, each node once.

# %%
def walk_level_by_level(root):
    waiting, visited = [root], {root}
    root.grad = 1.0
    for node in waiting:                      # the list grows while the loop runs
        node._backward()
        for child in node._prev:
            if child not in visited:
                visited.add(child)
                waiting.append(child)

# %% [markdown]
# The next cell tries all three walks on four expressions. These work for plain numbers too, so nudging gives the right answer to compare with.
#
# **Predict.** The second expression, `z_times_y`, is the first with y · z written as z · y. For which of the three walks does that change `x.grad`, and to what?

# %%
# prediction 3.B3
%predict

# %%
def y_times_z(x):
    y = x * x
    z = y * 3
    return y * z


def z_times_y(x):
    y = x * x
    z = y * 3
    return z * y


def near_and_far(x):
    c = x * x
    return c * c * 5 + c


def cube_plus_x(x):
    return x * x * x + x


print(f"{'':16}{'right':>7}{'Ada':>7}{'Ben':>7}{'Cleo':>7}")
for expression in (y_times_z, z_times_y, near_and_far, cube_plus_x):
    row = [(expression(3.001) - expression(2.999)) / 0.002]
    for walk in (walk_on_first_visit, walk_on_every_visit, walk_level_by_level):
        x = Value(3.0)
        walk(expression(x))
        row.append(x.grad)
    print(f"{expression.__name__:16}", *(f"{number:6.0f}" for number in row))

# %% [markdown]
# **Explain.** It changes for all three: 324, 648 and 324 instead of 162, 486 and 162. Ben is wrong both times. Ada and Cleo owe their second row to luck: with z on the left, z comes first and y has both shares in time. In `near_and_far` c is an input of the root, so Cleo calls it at once, when it has one of its three shares. Ada reaches it later, by luck again.
#
# And all three get the last row right. Only x is used more than once there, and x is a leaf: it has no inputs to pass anything to, so it cannot do that too early. Whoever tests with x³ + x alone will call all three engines right.

# %% [markdown]
# **A good place to stop.** On a fresh kernel, run the imports and the cell that defines `three_steps`.

# %% [markdown]
# ## C. A list with the order in it (evening)
#
# In the backward pass a node comes after every node that *used* it. That is awkward: a node does not know who used it. It knows what it was *made from*.
#
# But "z used y" and "z was made from y" are one fact, seen from its two ends. So write the nodes down as the forward pass makes them, *each after everything it was made from*: x, 3, y, z, L. Now read the list from its end: L, z, y, 3, x. Each node comes *after every node that used it*. (3, x, y, z, L would do as well.)

# %% [markdown]
# Try it on paper, with another graph, in which c is used three times. Write down its nodes so that each comes after everything it was made from. Which must wait for c?

# %% jupyter={"source_hidden": true} tags=["nbval-ignore-output"]
x = Value(3.0, label="x")
c = x * x
square = c * c
large = square * 5
L = large + c
c.label, square.label, large.label, L.label = "c", "square", "large", "L"
draw_graph(L)

# %% [markdown]
# <details><summary>One right list, and one that looks right</summary>
#
# x, c, square, 5, large, L is right. The 5 may come anywhere before large.
#
# x, square, c, 5, large, L is not: square was made from c.
#
# </details>

# %% [markdown]
# ### The same search? (core)
#
# Now let a program write the list. Ada's depth-first search comes to every node once, so she tries it: the same `visit` as above, but instead of running a node's backward step it puts the node on the list.
#
# **Predict.** What is her list for y = x · x, z = y · 3, L = y · z? Is it right, read from its end or from its beginning?

# %%
# prediction 3.C1
%predict

# %%
def broken_list(root):
    nodes, visited = [], set()

    def visit(node):
        if node not in visited:
            visited.add(node)
            nodes.append(node)
            for child in node._prev:
                visit(child)

    visit(root)
    return nodes


print(*(node.label or f"{node.data:g}" for node in broken_list(three_steps(Value(3.0, label="x")))), sep=", ")

# %% [markdown]
# **Explain.** L, y, x, z, 3. It is wrong both ways: y comes before x, from which it was made; and from the end, z comes before y.

# %% [markdown]
# ### Exercise 3.2
#
# In `babygrad/value.py` fill in `post_order`. The name is the field's: a depth-first search that handles a node only *after* its inputs visits the nodes in **post-order**. So each node comes after everything it was made from, the root last.
#
# Write it as Ada did, with a function inside that calls itself. (A Value may be put into a set. The set then asks whether it is *the same node*, not whether it holds the same number.)

# %%
%check 3.2

# %% [markdown]
# Here is your order for both graphs:

# %% tags=["nbval-ignore-output"]
for root in (three_steps(Value(3.0, label="x")), L):
    print(*(node.label or f"{node.data:g}" for node in post_order(root)), sep=", ")

# %% [markdown]
# And the backward pass that Ada meant:

# %%
x = Value(3.0)
root = three_steps(x)
root.grad = 1.0
for node in reversed(post_order(root)):
    node._backward()
print(x.grad)

# %% [markdown]
# **A good place to stop.** A node can pass its gradient back, and you have an order in which all of them may. On a fresh kernel, run the imports and the cells that define `three_steps` (B) and `square` (C).
#
# **The evening's way** goes on with section E. But `backward` needs Exercise 3.3 of section D, the order without recursion. `make fill EX=3.3` puts the answer in, marks it as given, and lets you go on.

# %% [markdown]
# ## D. A long chain
#
# **Predict.** A function that calls itself is recursive. Does your `post_order` manage x + x + x + ..., with 100 additions, with 500, with 5,000?

# %%
# prediction 3.D1
%predict

# %% tags=["nbval-ignore-output"]
def long_sum(x, additions):
    total = x
    for _ in range(additions):
        total = total + x
    return total


for additions in (100, 500, 5_000):
    try:
        print(f"{additions:6,} additions: {len(post_order(long_sum(Value(0.5), additions))):,} nodes")
    except RecursionError as error:
        print(f"{additions:6,} additions: RecursionError: {error}")

# %% [markdown]
# **Explain.** Each call waits for the call inside it, and Python lets about 1,000 of them wait. A loss that adds up 1,000 errors is a longer chain than that.
#
# A loop with a list of your own has no such limit. The list is used as a **stack**: `stack.append(x)` puts x on top, and `x = stack.pop()` takes off what lies on top, the last thing that was put there. Cleo writes a loop with a stack:

# %%
def broken_stack(root):
    nodes, seen, stack = [], set(), [root]
    while stack:
        node = stack.pop()
        if node not in seen:
            seen.add(node)
            nodes.append(node)
            for child in node._prev:
                stack.append(child)
    return nodes


print(*(node.label or f"{node.data:g}" for node in broken_stack(L)), sep=", ")

# %% [markdown]
# There is no limit now, and no order either: read from its end, square comes before c, from which it was made. A call comes *back* to its node when the inputs are done. In this loop nobody comes back: what was taken off the stack is gone.

# %% [markdown]
# ### Exercise 3.3
#
# In `babygrad/value.py` fill in `topological_order`: the same rule as in 3.2, but no function that calls itself. Your `backward` will use this one. `%check 3.3` asks about 100,000 nodes too. (A set finds a node at once; a list is searched from the front each time.)

# %%
%check 3.3

# %% [markdown]
# <details><summary>One way, step by step</summary>
#
# A depth-first search with a stack of notes. Each node comes off the stack twice. The first time it is put back with a note, *my inputs come first*, and its inputs go on top of it. The second time the inputs are done: the node goes on the list. For y = x · x and L = y · x, where the top of the stack is on the right and `!` is the note:
#
# ```text
# stack         taken off    then                                 the list
# L             L            back with its note, y and x on top
# L! y x        x            back with its note
# L! y x!       x!           on the list                          x
# L! y          y            back with its note; x is known       x
# L! y!         y!           on the list                          x, y
# L!            L!           on the list                          x, y, L
# ```
#
# </details>

# %% [markdown]
# **A good place to stop.** On a fresh kernel, run the imports and the cell that defines `three_steps`.

# %% [markdown]
# ## E. The backward pass, once and twice (evening)
#
# What if somebody runs the backward pass twice? Ben tries it by hand, on y = 3x and L = y + 1.
#
# **Predict.** ∂L/∂x is 3, and after the first pass `x.grad` is 3. After the second one: 3, 6, or something else?

# %%
# prediction 3.E1
%predict

# %%
x = Value(2.0)
y = 3 * x
L = y + 1

for which in ("first", "second"):
    L.grad = 1.0
    L._backward()
    y._backward()
    print(f"after the {which} pass:  x.grad = {x.grad:g}")

# %% [markdown]
# **Explain.** 3 would mean: only the last pass counts. 6 would mean: passes add up. 9 means nothing at all.
#
# At the start of the second pass `y` still held the 1 of the first. L added another 1, and y passed back 3 · 2 = 6, on top of the 3 in x.
#
# Inside the graph, what an earlier pass left behind must not be passed back again. Leaves are another matter. They belong to you, and may be part of many graphs, so they accumulate what several passes find: 6.

# %% [markdown]
# ### Exercise 3.4
#
# Fill in `backward` in `value.py`; the order is that of `topological_order`, Exercise 3.3. (If it is missing, see the good place to stop above section D.) The docstring says what must hold afterwards, in leaves and in inner nodes. Call each node's `_backward()`; do not copy its lines, since a node may have another one.

# %%
%check 3.4

# %% [markdown]
# **Predict.** Your `backward` and the three steps once more: in which order do the nodes pass their gradients back?

# %%
# prediction 3.E2
%predict

# %%
x = Value(3.0, label="x")
L = three_steps(x)
step_through(L)

# %% [markdown]
# The player has left all gradients at 0. Now two passes, and then `x.zero_grad()`. Which of x, y and L keeps what?

# %%
y, z = L._prev
L.backward()
L.backward()
print("after two passes:     ", x.grad, y.grad, L.grad)

x.zero_grad()
print("after x.zero_grad():  ", x.grad, y.grad, L.grad)

# %% [markdown]
# The leaf had 324 twice. `y` and `L` were set to 0 and filled again. `zero_grad` is for leaves: you say when their sum begins anew. In notebook 04 your `train_step` will say so before every step, and you will see what happens if it does not.

# %% [markdown]
# ## F. Right, but it takes forever
#
# Ben does not give up. His walk failed because a node passed back *all* it held. So let each visit pass back only the share that it brought. No order, no list, no waiting:

# %%
def walk_every_path(node, share=1.0):
    """Returns the number of visits."""
    node.grad += share
    visits = 1
    for child, slope in zip(node._prev, node._slopes):
        visits += walk_every_path(child, slope * share)
    return visits


x = Value(3.0)
L = three_steps(x)
visits = walk_every_path(L)
print(f"x.grad = {x.grad:g}, with {visits} visits to {len(topological_order(L))} nodes")

# %% [markdown]
# 324: it is right, and always will be. It goes along every path from the root to a leaf, and adds up the products. That is the chain rule, written out in full.
#
# **Predict.** Now a graph that is nothing but reuse: y = y + y, again and again. 15 doublings make 16 nodes. How many visits will Ben need? And for 30 doublings, 31 nodes?

# %%
# prediction 3.F1
%predict

# %%
def doublings(count):
    y = Value(1.0)
    for _ in range(count):
        y = y + y
    return y


counts = range(16)
visits = [walk_every_path(doublings(count)) for count in counts]
nodes = [len(topological_order(doublings(count))) for count in counts]

print("doublings   nodes    visits")
for count in (1, 2, 3, 5, 10, 15):
    print(f"{count:6}{nodes[count]:10}{visits[count]:10,}")

# %% [markdown]
# **Explain.** Each doubling doubles the paths and adds one node. 15 doublings take 65,535 visits. 30 would take 2,147,483,647: at a million visits a second that is 36 minutes, for 31 nodes.
#
# Waiting pays. If y accumulates its shares first and runs its backward step once, that step serves all paths through y. That is the whole secret of the speed: *each node once*, so the cost of the backward pass is the size of the graph.

# %% [markdown]
# ## G. One backward pass for all inputs
#
# With the dual numbers of notebook 01, derivatives travelled forward, with the computation: forward mode, one run for each input. Here gradients travel back from the root, and reach all leaves in one pass: **reverse mode**. The table multiplies n numbers with each other, and counts what all n derivatives cost.

# %%
print("inputs   forward: runs   operations   |   reverse: passes  nodes visited")
for n in (10, 20, 1000):
    inputs = [Value(1.0) for _ in range(n)]
    product = inputs[0]
    for factor in inputs[1:]:
        product = product * factor
    operations = n - 1
    print(f"{n:6}{n:16,}{n * operations:13,}   |{1:18}{len(topological_order(product)):15,}")

# %% [markdown]
# Twice the inputs cost forward mode about four times the work, and reverse mode twice. Networks have thousands or millions of parameters, and *one* number at the end, the loss. That is the case for reverse mode.
#
# With one input and a million results it would be the other way round. And reverse mode has a price, memory: it must keep the whole graph until the backward pass is over.

# %% [markdown]
# **A good place to stop.** Your engine is complete: any expression, all gradients, one call. What follows is for those who want to see it from other sides. On a fresh kernel, run the imports.

# %% [markdown]
# ## H. The same engine with closures (stretch)
#
# Most courses write this engine in another way. There a node keeps no slopes. Each operation makes a little function that passes the gradient back, and gives it to its result. Such a function is a **closure**: it remembers the variables around it, here `self`, `other` and `out`.

# %%
class ClosureValue:
    def __init__(self, data, inputs=()):
        self.data, self.grad, self._prev = data, 0.0, inputs
        self._backward = lambda: None

    def __mul__(self, other):
        out = ClosureValue(self.data * other.data, (self, other))

        def _backward():
            self.grad += other.data * out.grad
            other.grad += self.data * out.grad

        out._backward = _backward
        return out


x = ClosureValue(3.0)
y = x * x
L = y * (y * x)
L.grad = 1.0
for node in reversed(topological_order(L)):
    node._backward()
print(f"x.grad = {x.grad:g}, and 5x⁴ is {5 * 3**4}")

# %% [markdown]
# Your `topological_order` works on this engine too: all that it asks of a node is its `_prev`. If you like closures better, use them: every check accepts an engine that sets `out._backward`.
#
# One thing is different. `out` holds `_backward`, and the closure `_backward` remembers `out`. Python frees an object as soon as nobody holds it, but these two hold each other, until its *garbage collector* comes round and searches for such cycles. In one training step on all 100 points of notebook 04 we counted 460,000 such objects, and the searching made it *ten times slower*. So nodes in this course keep plain slopes.

# %% [markdown]
# ## Bug hunt (stretch)
#
# Three engines, all of them broken, and you see them only from the outside: you give an expression, they give gradients. Each author praises their own:
#
# - A: "My nodes run their backward steps in a perfect order, each of them once."
# - B: "In mine no share gets lost. They are all added up."
# - C: "Mine adds up *and* has a perfect order. I keep a set of what is finished, and nothing in it is done twice."
#
# Each row shows the gradients of a and b, at a = 2 and b = -3. Your own engine is the right one.

# %%
from grader.broken_engines.scalar_engines import ENGINES, beside_the_right_one

engines = {"yours": Value, **ENGINES}


def gradients(engine, expression):
    a, b = engine(2.0), engine(-3.0)
    expression(a, b).backward()
    return f"{a.grad:.3g}, {b.grad:.3g}"


def compare(name, expression):
    print(f"{name:18}", *(f"{who}: {gradients(engine, expression):16}" for who, engine in engines.items()))


compare("a * b + 4", lambda a, b: a * b + 4)
compare("(a - 5) / b", lambda a, b: (a - 5) / b)
compare("tanh(a) * exp(b)", lambda a, b: a.tanh() * b.exp())
compare("a + a", lambda a, b: a + a)

# %% [markdown]
# Only the last row gives anything away: `a + a` exposes A.
#
# ### Exercise 3.5
#
# In `babygrad/hunts.py` write *one* expression of a and b for which A, B and C are all wrong. At most 5 operations; 3 are enough. Try ideas here first. What is used twice needs a name, so a function is handy:

# %%
def idea(a, b):
    y = a * b
    return y + b


compare("my idea", idea)

# %%
%check 3.5

# %% tags=["nbval-ignore-output"]
compare("tell_them_apart", hunts.tell_them_apart)

# %% [markdown]
# **Predict.** Your expression has given B away. At which step does B first differ from the right engine?

# %%
# prediction 3.5a
%predict

# %% [markdown]
# Look for the first node that B calls too early. Then change `"B"` to `"A"` or `"C"`.

# %%
compare_backward(**beside_the_right_one("B", hunts.tell_them_apart))

# %% [markdown]
# <details><summary>What was wrong with them</summary>
#
# A writes `=` where `+=` belongs. B goes level by level, as Cleo did. C puts numbers into its set where nodes belong: when two nodes hold the same number, the second never has its turn. All its tests had passed, since in tests made by hand the numbers are mostly all different. In training many nodes hold the 0.0 that comes out of a relu.
#
# </details>

# %% [markdown]
# ## Reflection
#
# Write an answer to one of these questions before you unfold ours. Answer the other aloud.
#
# **Why `+=` and not `=` in `_backward`?**

# %%
%%note 3.R1

# %% [markdown]
# <details><summary>Answer</summary>
#
# A node may be used twice, and each use contributes a share of its own. With `=` the share that comes last wins. Gradients accumulate because the chain rule sums over all paths; `+=` is that sum, done piece by piece.
#
# </details>
#
# **Why does an engine need a topological order at all?**

# %%
%%note 3.R2

# %% [markdown]
# <details><summary>Answer</summary>
#
# A node passes back its gradient times its local derivatives, so the gradient must be complete first. It is complete when every node that used this one has passed its own back. The smallest example: y = x * x, then y * (y * 3).
#
# </details>

# %%
%predictions 03

# %% [markdown]
# ## In other books
#
# What the words of this notebook are called elsewhere, and in PyTorch and JAX: [the glossary](../docs/glossary.md#03-walking-backwards).

# %% [markdown]
# ## The rule to keep
#
# **Each node passes its gradient back once, after every node that used it.**

# %% [markdown]
# ## Where you are
#
# You have a complete engine: any expression of the operations you have written, all gradients, one call. Notebook 04 builds a network on it, and lets it learn.
