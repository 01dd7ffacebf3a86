# %% [markdown]
# # 04 · A network of numbers
#
# **60 minutes** · files: `scalar_nn.py` and `hunts.py`
#
# You have a number that remembers how it was made, and a walk back that finds every slope in one go. That is all a neural network needs.
# Today you put your Values together: a neuron, a layer, a network. Then you write the five lines that let it learn, and it will tell two moons apart.
#
# What is marked *(stretch)* can wait for another day.

# %% jupyter={"source_hidden": true}
%load_ext grader

# %%
import math

import matplotlib.pyplot as plt
import numpy as np

from babygrad import Value, draw_graph, make_moons, plot_decision_boundary, plot_losses
from babygrad.hunts import three_data_sets
from babygrad.scalar_nn import MLP, Layer, Neuron, fit, hinge_loss, l2_penalty, minibatches, squared_error, train_step

# %% [markdown]
# ## Goals
#
# Afterwards you can
#
# - build a network out of Values, and say how many numbers in it can learn,
# - write one training step, and say what each of its lines is for,
# - recognise three classic mistakes by their loss curves,
# - train a network on 100 points, in mini-batches, and draw where it decides.

# %% [markdown]
# ## Recall (2 minutes)
#
# From notebooks 02 and 03, without looking:
#
# 1. `L.backward()` runs twice on the same graph. What does the `grad` of a leaf hold then, and what that of an inner node?
# 2. A leaf w is used in four places of a graph. How many shares arrive in `w.grad`?
# 3. `sum([a, b])` begins with the plain number 0 and computes `0 + a`. Which of your methods does Python call?
#
# <details><summary>Answers</summary>
#
# - **1**: The leaf holds twice its gradient: what is new is added. An inner node starts afresh and holds it once.
# - **2**: Four, one for each use, and they add up.
# - **3**: `a.__radd__(0)`, since a plain 0 does not know how to add a Value.
#
# </details>

# %% [markdown]
# ## A. A neuron (9 minutes)
#
# A **neuron** turns several numbers into one. It has a weight for each input and one more number, its bias. Here is one at work:
#
# | | | | |
# |---|---|---|---|
# | input | 2 | 3 | -1 |
# | weight | 0.5 | -0.25 | 1 |
# | product | 1 | -0.75 | -1 |
#
# The products add up to -0.75. The bias is 0.5, so the sum is -0.25. Last comes the bend: tanh(-0.25) is about -0.24. That is the answer.
#
# **Predict.** What does this neuron answer when all three inputs are 0? And when they are 200, 0, 0?

# %%
def by_hand(x):
    total = 0.5 * x[0] - 0.25 * x[1] + 1 * x[2] + 0.5
    return math.tanh(total)


for x in ([2, 3, -1], [0, 0, 0], [200, 0, 0]):
    print(f"{x!s:12} {by_hand(x):6.2f}")

# %% [markdown]
# **Explain.** With all inputs at 0 the weights have no say, and the bias alone speaks: tanh(0.5). However large the sum becomes, the answer never passes 1.
#
# Now with Values. The weights and the bias are Values, because they are what training changes: they are the **parameters**. `Neuron(3)` makes them for you:
# random weights, bias 0. The inputs may be plain numbers.
# `rng` draws the random numbers; the same number in the brackets gives the same weights each time. `nonlin` names the bend: 'tanh', 'relu', 'sigmoid', or 'linear' for none.
#
# In Python an object can be called like a function: `neuron(x)` runs `neuron.__call__(x)`. That is the method you write.

# %%
neuron = Neuron(3, rng=np.random.default_rng(0))
print([round(w.data, 2) for w in neuron.weights], neuron.bias.data, neuron.nonlin)

# %% [markdown]
# ### Exercise 4.1 `Neuron` (7 minutes, ●●○○)
#
# Open `babygrad/scalar_nn.py` and fill in `Neuron.__call__` and `Neuron.parameters`. Add the products one by one, or with `sum`; `zip(self.weights, x)` gives you weight and input in pairs.
# The sum is a Value and brings its own bends from notebook 02, such as `total.tanh()`. `self.nonlin` is a text that says which one.
#
# The check asks a neuron of each kind for its answer and for the slopes to its weights and bias, and wants its parameters in order.

# %%
%check 4.1

# %% [markdown]
# **Predict.** This neuron gets the inputs 1 and -2. You call `backward()` on its answer. Which of the three parameters gets the largest slope, leaving signs aside?

# %% tags=["nbval-ignore-output"]
neuron = Neuron(2, rng=np.random.default_rng(4))
answer = neuron([1.0, -2.0])
answer.label = "answer"
answer.backward()
draw_graph(answer)

# %% [markdown]
# **Explain.** The slope to a weight is its input times what comes back through tanh. So the weight with the input -2 gets twice the slope of the other, with the sign turned.
# The bias gets what comes back, times 1. The drawing shows your own neuron; everything in it is from notebooks 02 and 03. A neuron is nothing new, only a shape of graph.

# %% [markdown]
# ## B. A layer (4 minutes)
#
# One neuron finds one thing. A **layer** is several neurons side by side. Each of them sees all the inputs, and each has weights of its own:
#
#         inputs           layer of 4              answers
#
#                     neuron 0 (3 weights, bias)   number
#         3 numbers   neuron 1 (3 weights, bias)   number
#                     neuron 2 (3 weights, bias)   number
#                     neuron 3 (3 weights, bias)   number
#
# **Predict.** How many parameters are there in `Layer(3, 4)`, which has 3 inputs and 4 neurons? And in `Layer(4, 4)`?
#
# One thing to fix beforehand: a layer of one neuron answers with a single Value, not with a list that holds one. Then the answer of the last layer can go straight into a loss.

# %% [markdown]
# ### Exercise 4.2 `Layer` (3 minutes, ●○○○)
#
# In `scalar_nn.py`, fill in `Layer.__call__` and `Layer.parameters`. The layer's neurons are in `self.neurons`, and each can be called and asked for its `parameters()`.
# A *flat* list is one with no lists in it: `found.extend(more)` puts everything from the list `more` on the list `found`.

# %%
%check 4.2

# %%
for nin, nout in [(3, 4), (4, 4), (4, 1)]:
    layer = Layer(nin, nout, rng=np.random.default_rng(0))
    print(f"Layer({nin}, {nout}): {len(layer.parameters()):2} parameters")

# %% [markdown]
# **Explain.** Each neuron of `Layer(3, 4)` has 3 weights and a bias, 4 parameters. Four neurons have 16. In `Layer(4, 4)` each has 5, together 20.

# %% [markdown]
# ## C. A network (6 minutes)
#
# A network is a relay of layers: what one layer answers is what the next one reads. `MLP(3, [4, 4, 1])` reads 3 numbers and has layers of 4, 4 and 1 neurons.
# (MLP stands for multi-layer perceptron; a perceptron is an old name for a neuron.)
#
# **Predict.** How many parameters does it have? You have printed the three numbers you need.

# %% [markdown]
# ### Exercise 4.3 `MLP` (4 minutes, ●●○○)
#
# Fill in `MLP.__call__`, `MLP.parameters` and `MLP.zero_grad`. The check follows numbers through networks of different shapes, and looks at every `grad` after `zero_grad()`.

# %%
%check 4.3

# %%
model = MLP(3, [4, 4, 1], rng=np.random.default_rng(7))
print(len(model.parameters()), "parameters, answer", round(model([2.0, 3.0, -1.0]).data, 2))

# %% [markdown]
# 16 + 20 + 5 = 41. Before it is trained, its answer means nothing yet.

# %% [markdown]
# ### The whole picture (stretch)
#
# **Predict.** The next cell draws the smallest network that deserves the name: one input, a layer of two neurons, a layer of one. How many ways lead from the input 3 to the answer, and through how many bends does each go? Then run the cell and follow them; the picture is wide, so scroll it.

# %% tags=["nbval-ignore-output"]
small = MLP(1, [2, 1], rng=np.random.default_rng(1))
answer = small([3.0])
answer.label = "answer"
draw_graph(answer)

# %% [markdown]
# **Explain.** Two ways, one through each neuron of the first layer, and two bends on each: one in every layer. (The input 3 is drawn once for each neuron that reads it.) `backward` needs to know nothing of layers. It sees a graph, as always.

# %% [markdown]
# ### Why the bend?
#
# **Predict.** Ada leaves the bend out: `nonlin='linear'`, so that every neuron only weighs and adds. Her network has one input, two layers of 8 and one of 1: 97 parameters.
# Ben has the same with tanh. Both weights are random. What does Ada's network draw, as x goes from -6 to 6? And Ben's?

# %%
figure, axes = plt.subplots(1, 2, figsize=(8, 2.8), layout="constrained", facecolor="white")
places = np.linspace(-6, 6, 61)
for ax, name, nonlin in zip(axes, ("Ada", "Ben"), ("linear", "tanh")):
    network = MLP(1, [8, 8, 1], nonlin, rng=np.random.default_rng(3))
    ax.plot(places, [network([x]).data for x in places], color="#0072b2", linewidth=2)
    ax.set(title=f"{name}: {nonlin}", xlabel="x", ylabel="answer")
plt.show()

# %% [markdown]
# **Explain.** The left picture shows Ada's answers over x, the right one Ben's. Ada gets a straight line, whatever the weights are. Ben's goes up, down and up again.
#
# Try it with two neurons: first 2x + 1, then 3 times that plus 4. Together: 3 · (2x + 1) + 4 = 6x + 7. Weighing and adding twice is weighing and adding once, with other numbers.
# A hundred layers without a bend are worth one. With a bend between them, each layer can build on shapes that the one before has made.

# %% [markdown]
# ## D. One step downhill (18 minutes)
#
# How does a network get good weights? Start with a network that could not be smaller: one weight w, one sample. The input is 2, and the answer should be 6.
#
# At w = 1 the prediction is 2 and the error -4. How wrong is that? One number says it, the **loss**: here the error squared, 16. Its slope to w is -16: if w grows, the loss falls.
#
# A **step** moves w *against* the slope, since the slope says where the loss grows. How far? The **learning rate** times the slope. Going down like this is called **gradient descent**.

# %%
w = Value(1.0)
for step in range(4):
    loss = (2 * w - 6) ** 2           # predict, and compare
    w.grad = 0.0                      # forget the slope of the step before
    loss.backward()                   # walk back
    print(f"w = {w.data:.3f}   loss = {loss.data:6.3f}   slope = {w.grad:7.3f}")
    w.data -= 0.05 * w.grad           # move

# %% [markdown]
# Each step makes a new graph, from the numbers as they are now. And each step is shorter than the one before, although the learning rate stays: the slope gets smaller near the bottom.
#
# **Predict.** Cleo is in a hurry. From w = 1, where the slope is -16, she takes one step with each of these learning rates: 0.05, 0.125, 0.25, 0.3. Where does each land, and with which loss? Two of them are surprising.

# %%
for rate in (0.05, 0.125, 0.25, 0.3):
    w = 1 - rate * -16
    print(f"rate {rate:<5}  w = {w:.1f}   loss = {(2 * w - 6) ** 2:5.2f}")

# %%
figure, axes = plt.subplots(1, 3, figsize=(10, 3), sharey=True, layout="constrained", facecolor="white")
bowl = np.linspace(-1.5, 7.5, 91)
for ax, rate in zip(axes, (0.05, 0.22, 0.26)):
    path = [1.0]
    for step in range(6):
        path.append(path[-1] - rate * 4 * (2 * path[-1] - 6))
    ax.plot(bowl, (2 * bowl - 6) ** 2, color="#7d8b9b")
    ax.plot(path, [(2 * w - 6) ** 2 for w in path], "o--", color="#d55e00")
    ax.set(title=f"learning rate {rate}", xlabel="w")
axes[0].set_ylabel("loss")
plt.show()

# %% [markdown]
# **Explain.** The grey curve is the loss for every w, a bowl. The dots are six steps that begin at w = 1. With 0.05 they walk down. With 0.22 they jump across the bowl, and still get lower.
# With 0.26 each jump ends higher than it began: the loss explodes. At exactly 0.25 they would jump to and fro for ever, between w = 1 and w = 5.
#
# A network with 41 parameters has such a landscape too, the **loss surface**, in 41 directions at once. Nobody can draw it. But the gradient holds the slope in each direction, and the step is the same: every parameter a little against its slope.

# %% [markdown]
# ### Exercise 4.4 `squared_error and train_step` (12 minutes, ●●●○)
#
# Fill in both functions. `train_step` is your loop from above for any network, any loss, and any number of samples: predict, compare, forget, walk back, move.
# `loss_fn` is a function like any other; it takes the list of predictions first, then the list of targets.
#
# A parameter has to stay the Value that the model holds. So change the number inside it: `parameter.data -= …`. The check takes one step and three steps on samples where you can follow each number by hand, and one where another walk has left something in a grad.

# %%
%check 4.4

# %% [markdown]
# ### Four samples
#
# Four times somebody measured three numbers, and wrote down +1 or -1. Can 41 parameters learn which is which? You are content when each prediction is within 0.1 of its target, and so has the right sign.

# %%
xs = [[2.0, 3.0, -1.0], [3.0, -1.0, 0.5], [0.5, 1.0, 1.0], [1.0, 1.0, -1.0]]
ys = [1.0, -1.0, -1.0, 1.0]


def good_enough(model):
    return all(abs(model(x).data - y) < 0.1 for x, y in zip(xs, ys))


def show_predictions(model):
    for x, y in zip(xs, ys):
        print(f"target {y:+.0f}   prediction {model(x).data:+.2f}")


model = MLP(3, [4, 4, 1], rng=np.random.default_rng(7))
show_predictions(model)

# %%
losses = []
while not good_enough(model) and len(losses) < 200:
    losses.append(train_step(model, xs, ys, squared_error, 0.05))

print(f"{len(losses)} steps, the loss fell from {losses[0]:.2f} to {losses[-1]:.2f}")
show_predictions(model)

# %%
plot_losses(losses)
plt.show()

# %% [markdown]
# The curve shows the loss before each step. This is a **training**: nobody told the network what to look for in the three numbers.

# %% [markdown]
# ### Three ways to spoil it
#
# Every loop gets these wrong once. All start from the same weights as before:
#
# - *no zero_grad*: the line is forgotten, so that each `backward()` adds to the gradients of all steps before,
# - *wrong sign*: `+=` instead of `-=`,
# - *large steps*: the learning rate is 1.5, thirty times as large.
#
# **Predict.** After 20 steps, who has the lowest loss, and who the highest? And after 60 steps? Include the right loop in your bet.

# %%
def train_60_steps(rate=0.05, forget=True, sign=-1):
    model = MLP(3, [4, 4, 1], rng=np.random.default_rng(7))
    losses = []
    for step in range(60):
        loss = squared_error([model(x) for x in xs], ys)
        if forget:
            model.zero_grad()
        loss.backward()
        for parameter in model.parameters():
            parameter.data += sign * rate * parameter.grad
        losses.append(loss.data)
    return losses


right = train_60_steps()
broken = {
    "no zero_grad": train_60_steps(forget=False),
    "wrong sign": train_60_steps(sign=+1),
    "large steps": train_60_steps(rate=1.5),
}
for name, losses in {"right": right, **broken}.items():
    print(f"{name:13}  after 20 steps {losses[20]:5.2f}   at the end {losses[-1]:5.2f}")

# %%
figure, axes = plt.subplots(1, 3, figsize=(11, 3), sharey=True, layout="constrained")
for ax, (name, losses) in zip(axes, broken.items()):
    plot_losses({"right": right, name: losses}, ax)
plt.show()

# %% [markdown]
# Each picture shows the right loop and one broken loop. Did you bet on the loop without `zero_grad` at step 20? It is *ahead* of the right one. A few steps later its loss jumps up to 8 and never comes down again.
#
# **Explain.** Each of its steps uses the sum of all gradients so far. That is a ball rolling without friction: quick on the way down, and not able to stop at the bottom. Here it rolls on until tanh is flat everywhere, so that there is no slope left to come back on.
#
# With other starting weights it may stop in a good place, by luck. That makes the mistake so common: *a falling loss does not prove that the loop is right.*

# %% [markdown]
# The two other mistakes are easier to see. With the wrong sign the loss climbs towards 16, the worst there is: each prediction is on the wrong side, and 4 · 2² = 16.
# Three large steps are enough to land where every tanh is flat: two predictions of four are wrong, 2 · 2² = 8, and no slope is left that would tell them so.

# %% [markdown]
# ### Without the luck (stretch)
#
# Here is the loop without `zero_grad` in a plain bowl, where luck has no say:

# %%
def walk_in_a_bowl(forget):
    w, path = Value(0.0), []
    for step in range(40):
        path.append(w.data)
        loss = (w - 3) ** 2
        if forget:
            w.grad = 0.0
        loss.backward()
        w.data -= 0.1 * w.grad
    return path


ax = plot_losses({"with zero_grad": walk_in_a_bowl(True), "without": walk_in_a_bowl(False)})
ax.set_ylabel("w")
plt.show()

# %% [markdown]
# The picture shows w at each step; the bottom of the bowl is at w = 3. With `zero_grad` w settles there. Without it, w swings past it for ever.

# %% [markdown]
# ## E. A loss for two sides (5 minutes)
#
# Now to something larger: 100 points on two moons. Which moon is a point on?

# %%
points, labels = make_moons(100, noise=0.1, seed=1)
labels = 2 * labels - 1                      # 0 and 1 become -1 and +1
print(points.shape, labels[:8])

# %% [markdown]
# The network will answer with a **score**, any number. Above 0 means +1, below means -1. Squared error would be a poor loss here: a score of 3 for the label +1 is on the right side, and still costs 4.
#
# The *hinge loss* asks only to be on the right side by 1 or more. For each sample it takes relu(1 - label · score).
#
# **Predict.** Fill in the last two columns.
#
# | label | score | label · score | cost |
# |---|---|---|---|
# | +1 | 3 | 3 | 0 |
# | +1 | 0.3 | 0.3 | 0.7 |
# | -1 | 0.3 | ____ | ____ |
# | -1 | -5 | ____ | ____ |

# %%
for label, score in [(1, 3), (1, 0.3), (-1, 0.3), (-1, -5)]:
    print(f"{label:+} {score:5}   {label * score:5}   cost {Value(1 - label * score).relu().data:.1f}")

# %% [markdown]
# **Explain.** 0.3 is on the wrong side for the label -1, so it costs more than 1. The -5 is far on its side and costs nothing: its slope is 0, and no step will be spent on it.
#
# There is a way to cheat. A score of 0.3 on the right side can be brought to 1 by making the weights larger. The border does not move: the loss falls and nothing is learned. A *penalty* keeps the weights small: strength · (sum of all squared parameters). Two parameters 3 and -4 with strength 0.1 cost 0.1 · 25 = 2.5. (It is called L2, after the square.)

# %% [markdown]
# ### Exercise 4.5 `hinge_loss and l2_penalty` (4 minutes, ●●○○)
#
# Fill in both. The hinge loss is the *mean* over the samples, so that batches of different size can be compared. Both give a Value, made of Values, so that `backward()` finds its way.

# %%
%check 4.5

# %% [markdown]
# ## F. Small batches (6 minutes)
#
# For one step on all 100 points, the network computes 100 predictions. But 20 points, picked at random, already say roughly where downhill is. For the same work you can take five steps instead of one.
#
# So shuffle the points, deal them out in **mini-batches** of 20, and take one step on each. When all are dealt, an **epoch** is over. For the next one, shuffle again.
#
# The shuffling is done for you: `order` holds the row numbers in a random order. NumPy takes several row numbers at once:

# %%
letters = np.array(["a", "b", "c", "d", "e"])
piece = np.array([4, 1])
print(letters[piece])

# %% [markdown]
# **Predict.** These five letters are dealt in batches of 2, in the order 2, 0, 3, 1, 4. Write down each batch. And which row numbers must be taken from the labels for the second batch?
#
# <details><summary>Compare</summary>
#
# c a, then d b, then e alone. For the second batch, rows 3 and 1 of the points go with rows 3 and 1 of the labels.
#
# </details>

# %% [markdown]
# ### Exercise 4.6 `minibatches` (4 minutes, ●●○○)
#
# Fill it in: cut `order` into pieces, and take the rows of each piece from `xs` and from `ys`. The check deals rows that can be recognised: is every one dealt once, does each keep its label, are the batches as large as they should be?

# %%
%check 4.6

# %% [markdown]
# ### Two moons
#
# Everything is there. `MLP(2, [16, 16, 1], last="linear")` has 337 parameters; its last layer is linear, since a score may be any number. `fit` is given: in each epoch it deals your `minibatches` and calls your `train_step` on each.
# The learning rate starts at 0.5 and then falls towards 0, so that the network settles down. A progress bar shows each epoch; it takes some seconds.
#
# **Predict.** You will see the boundary between the two sides three times: before training, after 3 epochs, after 30. What shape has it each time?

# %% tags=["nbval-ignore-output"]
rng = np.random.default_rng(9)
model = MLP(2, [16, 16, 1], last="linear", rng=rng)


def loss_fn(scores, labels):
    return hinge_loss(scores, labels) + l2_penalty(model.parameters())


def how_many_right():
    return sum(bool(model(point).data * label > 0) for point, label in zip(points, labels))


figure, axes = plt.subplots(1, 3, figsize=(12, 3.6), sharey=True, layout="constrained")
plot_decision_boundary(model, points, labels, axes[0]).set_title(f"before: {how_many_right()} of 100 right")

losses = fit(model, points, labels, loss_fn, epochs=3, batch_size=20, learning_rate=0.5, rng=rng)
plot_decision_boundary(model, points, labels, axes[1]).set_title(f"3 epochs: {how_many_right()} of 100 right")

falling = lambda done: 0.5 * (1 - done)      # done goes from 0 to 1
losses += fit(model, points, labels, loss_fn, epochs=27, batch_size=20, learning_rate=falling, rng=rng)
plot_decision_boundary(model, points, labels, axes[2]).set_title(f"30 epochs: {how_many_right()} of 100 right")
plt.show()

# %%
print("at least 95 of 100 right:", how_many_right() >= 95)
ax = plot_losses(losses)
ax.set_xlabel("epoch")
plt.show()

# %% [markdown]
# The three pictures show the points with their labels as circles and triangles, and the plane in two shades: which side the network would put each place on. The line between them is where its score is 0. At first it runs anywhere. After 3 epochs it has its first bends, and in the end it winds between the moons.
#
# The curve shows the mean loss of each epoch. It falls quickly and then slowly, and not evenly: each step sees 20 points only.
#
# Every number in this was found by your own `backward`: 150 steps of it.

# %% [markdown]
# ## Bug hunt (8 minutes)
#
# Ada, Ben and Cleo each send you a training loop for a line, w · x + b. All begin at w = 1 and b = 0 and take steps of rate 0.1 against the gradients of the sum of squared errors. All three are wrong, each in one way. You see them only from outside, beside a right one: you give samples (x, y) and a number of steps, and they tell you where they end.

# %%
from grader.suspects.training_loops import LOOPS


def race(samples, steps):
    for name, loop in LOOPS.items():
        w, b = loop(samples, steps)
        print(f"{name:6} w = {w:8.3f}   b = {b:8.3f}")


race([(2, 1), (1, -1), (-1, 3)], steps=3)

# %% [markdown]
# **Predict.** Which of today's mistakes could each of them be? And make it as easy for them as you can: a single sample, a single step. Who still ends elsewhere than the right loop?

# %%
race([(2, 1)], steps=1)

# %% [markdown]
# **Explain.** Two of the mistakes cannot show on one sample and one step. So these data give away Ben's loop, and no other.
#
# For the two others, go on trying in the cell above: two steps, two samples, two equal labels, samples whose errors cancel. Change one thing at a time.

# %% [markdown]
# ### Exercise 4.7 `three_data_sets` (7 minutes, ●●●○)
#
# In `hunts.py`, write three small data sets. The first gives away Ada's loop and *no other*: the two others must end where the right one ends. Likewise the second for Ben's loop and the third for Cleo's. The check runs all loops on each and tells you who gave themselves away.

# %%
%check 4.7

# %% tags=["nbval-ignore-output"]
for name, (samples, steps) in three_data_sets().items():
    print(f"for {name}: {samples}, steps={steps}")
    race(samples, steps)

# %% [markdown]
# <details><summary>What is wrong with each</summary>
#
# Ada never calls `zero_grad`: her first step is right. Ben's `parameters()` has no bias in it: he is right as long as the errors cancel, for then the slope to b is 0. Cleo turns the inputs round and leaves the labels where they were: she is right if all labels are equal.
#
# A test set that is too friendly hides all three. That is why the checks of this course take more than one step, odd numbers of samples, and labels that are all different.
#
# </details>

# %% [markdown]
# ## Reflection (2 minutes)
#
# Answer aloud, as in an interview, then unfold. Two are enough today; keep the others for tomorrow.
#
# **Why does every training loop call `zero_grad`? When would you leave it out on purpose?**
# <details><summary>Answer</summary>
#
# Because `backward` adds to what a leaf's grad holds: without it a step uses the gradients of all steps before. On purpose: to add up the gradients of several small batches when a large one does not fit into memory. Then you call it once for all of them.
#
# </details>
#
# **What is the loss surface, and how much of it does a step see?**
# <details><summary>Answer</summary>
#
# The loss as a function of all parameters, for the given samples. A step sees one point of it and the slope there, nothing else. So it may end in a hollow that is not the deepest, and too large a step leaves the region for which the slope speaks.
#
# </details>
#
# **Why does a network need something that is not linear?**
# <details><summary>Answer</summary>
#
# Without it all layers together weigh and add once: a straight line. No straight line parts the moons.
#
# </details>

# %% [markdown]
# **Why mini-batches, and not all samples, or just one?**
# <details><summary>Answer</summary>
#
# All samples give the exact gradient, at the price of one step for a whole pass. One sample gives a step at once, in a direction that is mostly noise. A batch lies between, and an array engine computes it about as fast as one sample. A little noise even helps to get out of shallow hollows.
#
# </details>
#
# **The update writes `parameter.data -= …`. What would `parameter = parameter - …` do? And what if you change `.data` between the prediction and `backward()`?**
# <details><summary>Answer</summary>
#
# The first makes a new Value that only the loop's variable knows: the network keeps the old one. It would also put the update itself into the graph. The second: the stored slopes belong to the old numbers, so the gradients are those of a network that is gone. Change numbers in place only when the walk back is over.
#
# </details>
#
# **Which leaves has the graph of the loss, and which of them do you move?**
# <details><summary>Answer</summary>
#
# Parameters, inputs, targets, and plain numbers such as the 1 of the hinge loss. All get a gradient; only parameters are moved. PyTorch says `requires_grad=False` for the others, and saves the work.
#
# </details>

# %% [markdown]
# **Why do the weights start at random numbers, and not all at 0?**
# <details><summary>Answer</summary>
#
# Neurons of a layer that start alike get the same gradients and stay alike: sixteen copies of one neuron. All at 0 is worse: every answer is 0, so nearly all slopes are 0 too. Random numbers make them different from the start.
#
# </details>

# %% [markdown]
# ## Self-assessment
#
# The scalar half of the course ends here. Tick what you could do at a whiteboard, without this page. What is left open has its notebook behind it.
#
# - [ ] find the slope of a function by nudging, and say how small the nudge should be (01)
# - [ ] say what forward mode and reverse mode cost for a million inputs and one loss (01)
# - [ ] name the local slope of +, ·, /, xⁿ, exp, log, tanh, relu (02)
# - [ ] draw the graph of (a · b + c) · (a + d) and walk back through it by hand (02)
# - [ ] say why gradients are added, with an example where `=` is wrong (03)
# - [ ] write a topological order, and say what goes wrong in another one (03)
# - [ ] count the parameters of any MLP (04)
# - [ ] write a training step from memory, in the right order (04)
# - [ ] look at a loss curve and say what to check first (04)

# %% [markdown]
# ## The rule to keep
#
# **Predict, compare, forget, walk back, move: a new graph for each step, and always downhill.**
#
# `%progress` in a cell shows where you are. From notebook 05 on a Value becomes a Tensor: whole arrays at once, with the same ideas.
