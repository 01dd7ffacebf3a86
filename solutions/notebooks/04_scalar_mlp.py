# %% [markdown]
# # 04 · A network of numbers
#
# You have a number that remembers how it was made, and a backward pass that finds every partial derivative in one go. That is all a neural network needs. Now you put hundreds of your Values together, and write the few lines that let them learn. They will tell two moons apart.

# %% jupyter={"source_hidden": true}
%load_ext grader

# %%
import math

import matplotlib.pyplot as plt
import numpy as np

from babygrad import Value
from babygrad.hunts import three_data_sets
from babygrad.scalar_nn import MLP, Layer, Neuron, fit, hinge_loss, minibatches, squared_error, train_step
from toolbox import draw_graph, draw_net, make_moons, playground, plot_decision_boundary, plot_losses
from toolbox.films.boundaries import BoundaryFilm, film_of
from toolbox.films.rolling import roll

# %% [markdown]
# ## Goals
#
# Afterwards you can
#
# - build a network out of Values, and say how many of its numbers can learn,
# - write one training step, and say what each of its lines is for,
# - recognise three classic mistakes, and say which of them a falling loss can hide,
# - train a network on 100 points, in mini-batches, and draw where it decides.

# %% [markdown]
# ## Recall

# %%
%quiz before 04

# %% [markdown]
# <details class="recall"><summary>From notebooks 02 and 03, without looking</summary>
#
# 1. `L.backward()` runs twice on the same graph. What does the `grad` of a leaf hold then, and what does that of an inner node?
# 2. A leaf w is used in four places of a graph. How many shares accumulate in `w.grad`?
# 3. t = tanh(x) comes out as 1, or as good as 1. What is ∂t/∂x there?
#
# </details>
#
# <details><summary>Answers</summary>
#
# - **1**: The leaf holds twice its gradient: what is new is added to what is there. An inner node starts afresh and holds its gradient once.
# - **2**: Four, one for each use, and they add up.
# - **3**: 1 - t², so nearly 0: far out tanh is flat.
#
# </details>

# %% [markdown]
# ## A. A neuron (evening)
#
# A **neuron** makes one number out of several. It has a **weight** for each input, one more number called its **bias**, and an activation function. Here is one, seen from outside: its weights are 0.5, -0.25 and 1, its bias is 0.5, and its activation function is tanh. Somebody tried it on five rows of inputs:
#
# | inputs | answer |
# |---|---|
# | 0, 0, 0 | 0.46 |
# | 1, 0, 0 | 0.76 |
# | 0, 2, 0 | 0.00 |
# | 2, 3, -1 | -0.24 |
# | 200, 0, 0 | 1.00 |
#
# **Find out** what it computes. The first row shows what the bias does alone, and the last one what happens to a huge input. Write your idea into the next cell, and change it until all five answers come out.

# %% tags=["nbval-ignore-output"]
def my_idea(x):
    weights, bias = [0.5, -0.25, 1], 0.5
    return 0.0                                # your idea, with math.tanh


for x, answer in [([0, 0, 0], 0.46), ([1, 0, 0], 0.76), ([0, 2, 0], 0.0), ([2, 3, -1], -0.24), ([200, 0, 0], 1.0)]:
    print(f"{x!s:12} answer {answer:5.2f}   your idea {my_idea(x):5.2f}")

# %% [markdown]
# Now with Values. The weights and the bias are Values, because training changes them: they are the neuron's parameters. `Neuron(3)` makes them: random weights, bias 0. The inputs may be plain numbers. `rng` draws the random numbers; the number in its brackets is the **seed**: the same seed gives the same weights each time.
#
# For activation function most people just say **activation**, and mean the function or the number that comes out of it. `nonlin` names it: 'tanh', 'relu', 'sigmoid', or 'linear' for none. A neuron without an activation only weighs and adds: it is **linear**.
#
# In Python an object can be called like a function: `neuron(x)` runs `neuron.__call__(x)`. That is the method you write.

# %%
neuron = Neuron(3, rng=np.random.default_rng(0))
print([round(w.data, 2) for w in neuron.weights], neuron.bias.data, neuron.nonlin)

# %% [markdown]
# ### Exercise 4.1
#
# Open `babygrad/scalar_nn.py` and fill in `Neuron.__call__`: what you found out, with Values and with any activation. `zip(self.weights, x)` gives you weight and input in pairs, and `self.nonlin` is a text. (`getattr(v, "tanh")` is `v.tanh`.)

# %%
%check 4.1

# %% [markdown]
# The bias is in the sum before the activation, and the activation comes last, once. With φ for the activation:
#
# $$\text{answer} = \varphi(w_0 x_0 + w_1 x_1 + \dots + b)$$

# %% [markdown]
# ### Gradients in a neuron (core)
#
# **Predict.** This neuron gets the inputs 1 and -2. You call `backward()` on its answer. Which of its three parameters gets the largest gradient, leaving signs aside?

# %%
# prediction 4.A1
%predict

# %% tags=["nbval-ignore-output"]
neuron = Neuron(2, rng=np.random.default_rng(4))
answer = neuron([1.0, -2.0])
answer.label = "answer"
answer.backward()
draw_graph(answer)

# %% [markdown]
# **Explain.** The gradient of a weight is its input times what comes back through tanh. So the weight with the input -2 gets twice the gradient of the other, with the sign turned. The bias gets what comes back, times 1. A neuron is nothing new, only a computation graph of a certain shape.

# %% [markdown]
# ## B. A layer (evening)
#
# One neuron gives one number. A **layer** is several neurons side by side, all reading the same inputs:
#
#         inputs           layer of 4              answers
#
#                     neuron 0                     number
#         3 numbers   neuron 1                     number
#                     neuron 2                     number
#                     neuron 3                     number
#
# `Layer.__call__` is given: it calls each neuron with the whole of x. A layer of one neuron answers with a single Value, not with a list that holds one. What is missing is the list of everything that training may change. How many parameters are there in `Layer(3, 4)`, which has 3 inputs and 4 neurons? And in `Layer(4, 4)`?

# %% [markdown]
# ### Exercise 4.2
#
# In `scalar_nn.py`, fill in `parameters_of`. A layer calls it with its neurons, and a network with its layers, so it is written only once. What can you ask both of them for?

# %%
%check 4.2

# %%
for nin, nout in [(3, 4), (4, 4), (4, 1)]:
    layer = Layer(nin, nout, rng=np.random.default_rng(0))
    print(f"Layer({nin}, {nout}): {len(layer.parameters()):2} parameters")

# %% [markdown]
# Each neuron of `Layer(3, 4)` has 3 weights and a bias, 4 parameters. Four neurons have 16. In `Layer(4, 4)` each has 5, together 20.

# %% [markdown]
# ## C. A network (evening)
#
# After the first layer comes another one. `MLP(3, [4, 4, 1])` reads 3 numbers and is made of `Layer(3, 4)`, `Layer(4, 4)` and `Layer(4, 1)`. MLP stands for **multi-layer perceptron**; a perceptron is an old name for a neuron. The layers before the last one are its **hidden layers**: nobody outside sees their answers.

# %% [markdown]
# ### Exercise 4.3
#
# Fill in `MLP.__call__`. Why do the neurons of `Layer(4, 4)` have 4 weights each, when x holds 3 numbers?

# %%
%check 4.3

# %%
model = MLP(3, [4, 4, 1], rng=np.random.default_rng(7))
print(len(model.parameters()), "parameters, answer", round(model([2.0, 3.0, -1.0]).data, 2))
draw_net(model)

# %% [markdown]
# 16 + 20 + 5 = 41. The second layer reads the 4 answers of the first. A circle is a neuron, a line a weight: the wider the line, the larger the weight; dashed means negative. Until the network is trained, its own answer means nothing.

# %% [markdown]
# ### Why an activation? (core)
#
# **Predict.** Ada leaves the activation out, so that her neurons only weigh and add. Her first neuron answers 2x + 1. Her second one reads that, and answers 3 times it plus 4. Which single neuron gives the same answers as both together?

# %%
# prediction 4.C2
%predict

# %%
for x in (0, 1, 2, 10):
    print(f"x = {x:2}:   both {3 * (2 * x + 1) + 4:3}   6x + 7 is {6 * x + 7:3}")

# %% [markdown]
# **Explain.** 3 · (2x + 1) + 4 = 6x + 7: a neuron with weight 6 and bias 7. Weighing and adding twice is weighing and adding once, with other numbers. So a hundred layers without activations are worth one. With them, a layer can make a curve out of the curves of the one before.

# %% [markdown]
# **A good place to stop.** You have a network, and a list of its parameters. Next comes the training. On a fresh kernel, run the imports.

# %% [markdown]
# ## D. One step downhill (evening)
#
# How does a network get good weights? Start with the smallest: one weight w, and one example to learn from, one **sample**. Its input is 2, and the answer should be 6: that is its **target**.
#
# At w = 1 the prediction is 2 and the error -4. How wrong is that? One number says it, the loss: here L is the error squared, 16. Its derivative ∂L/∂w is -16: if w grows, the loss falls.
#
# A step, or **update**, moves w *against* the derivative, by the derivative times a small number, the **learning rate**, for which books write η (eta):
#
# $$w \;\leftarrow\; w - \eta \, \frac{\partial L}{\partial w}$$
#
# Going downhill like this, step by step, is called **gradient descent**.

# %%
w = 1.0
for step in range(4):
    error = 2 * w - 6
    slope = 2 * error * 2             # chain rule: 2 · error from the square, times the input, 2
    print(f"w = {w:.3f}   loss = {error**2:6.3f}   slope = {slope:7.3f}")
    w -= 0.05 * slope

# %% [markdown]
# Each step is shorter than the one before, at the same learning rate: the slope gets smaller near the bottom of the loss, its **minimum**.
#
# **Predict.** The film below starts at w = 1, where the slope is -16, with each of four learning rates: 0.01, 0.05, 0.25, 0.3. Where does each weight land after one step, and where is it after eight? Two of them are surprising.

# %%
# prediction 4.D1
%predict

# %%
roll(lambda w: (2 * w - 6) ** 2, start=1.0, rates=(0.01, 0.05, 0.25, 0.3), between=(-1, 7))

# %% [markdown]
# **Explain.** Each curve is the loss for every w, a bowl. With 0.01 the weight is on its way, but slowly. With 0.05 it is nearly at the bottom. With 0.25 each step jumps across the bowl and lands as high as before, to and fro forever. With 0.3 each jump ends higher than it began: the loss explodes.
#
# A network with 41 parameters has such a landscape too, the **loss surface**, in 41 directions at once. It may have many hollows, and the bottom of each is a **local minimum**; a descent may end in one that is not the lowest. But the step is the same: every parameter a little against its partial derivative.

# %% [markdown]
# ### Exercise 4.4
#
# Fill in `squared_error` and `train_step`. For one weight there was a formula for the slope. For 41 there is your `backward`. In `train_step` five things happen. In alphabetical order they are: *compare*, *forget*, *move*, *predict*, *walk back*. In which order must they come, and what is each of them in code?
#
# `loss_fn` takes the list of predictions first, then the list of targets. (In `squared_error` take prediction minus target. Target minus prediction needs Exercise 2.5.)
#
# First try it yourself, on one weight and one sample as above, now with a bias.
#
# **Predict.** What will the weight be after one step, and what the bias?

# %%
# prediction 4.D2
%predict

# %%
one = MLP(1, [1], "linear")
one.layers[0].neurons[0].weights[0].data = 1.0
loss = train_step(one, [[2.0]], [6.0], squared_error, 0.05)
print(f"loss {loss:.1f}, then [w, b] =", [round(parameter.data, 3) for parameter in one.parameters()])

# %%
%check 4.4

# %% [markdown]
# The loss was 16, and w is 1.8, as by hand. The bias went half as far: ∂L/∂b is -8, since w is multiplied by 2 and b is not. And the five verbs: predict, compare, forget, walk back, move. In the field's words: forward pass, loss, zero the gradients, backward pass, update. A program that repeats them is a **training loop**.
#
# ### Four samples
#
# Four times somebody measured three numbers, and wrote down +1 or -1. Can 41 parameters learn which is which? Training stops when each prediction is within 0.1 of its target.

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

# %% tags=["nbval-ignore-output"]
draw_net(model)

# %% [markdown]
# The network below the curve started as the one drawn in section C. It is not a lucky start: 40 networks with other first weights got there too, in 17 to 68 steps.

# %% [markdown]
# ### Two ways to spoil it (core)
#
# Both start from the same weights as before:
#
# - *wrong sign*: `+=` instead of `-=` (here by a negative rate),
# - *large steps*: the learning rate is 1.5, thirty times as large.
#
# **Predict.** The loss is a sum of four squares, and every answer lies between -1 and 1. Where does each of the two losses end?

# %%
# prediction 4.D3
%predict

# %%
def train_60_steps(rate):
    model = MLP(3, [4, 4, 1], rng=np.random.default_rng(7))
    return [train_step(model, xs, ys, squared_error, rate) for step in range(60)]


right = train_60_steps(0.05)
broken = {"wrong sign": train_60_steps(-0.05), "large steps": train_60_steps(1.5)}
for name, losses in {"right": right, **broken}.items():
    print(f"{name:12}  after 20 steps {losses[20]:5.2f}   at the end {losses[-1]:5.2f}")

# %%
figure, axes = plt.subplots(1, 2, figsize=(8, 3), sharey=True, layout="constrained")
for ax, (name, losses) in zip(axes, broken.items()):
    plot_losses({"right": right, name: losses}, ax)
plt.show()

# %% [markdown]
# **Explain.** With the wrong sign the loss climbs, here towards 16, the worst there is: each prediction is on the wrong side, and 4 · 2² = 16. A few large steps are enough to land where every tanh, and so the loss surface, is flat: two predictions of four are wrong, 2 · 2² = 8; the derivative of tanh is nearly 0 there, so no step corrects them. Of 40 networks with other first weights, 32 end at 8.

# %% [markdown]
# ### The line that is forgotten (core)
#
# The most frequent mistake of all: the gradients are not zeroed, so each `backward()` adds to those of all steps before. Here it is in a bowl, (w - 3)², with a single weight.
#
# **Predict.** w starts at 0. Describe its path: with `w.grad = 0.0` before each backward pass, and without.

# %%
# prediction 4.D4
%predict

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


ax = plot_losses({"with w.grad = 0.0": walk_in_a_bowl(True), "without": walk_in_a_bowl(False)})
ax.set_ylabel("w")
plt.show()

# %% [markdown]
# **Explain.** Gradients accumulate, so each step uses the sum of all gradients so far. That is a ball rolling without friction: quick on the way down, and not able to stop at the bottom, w = 3.
#
# The treacherous thing is how well that can go. On the four samples above the loop without `zero_grad` is *ahead* after 20 steps in 37 of 40 networks, and ends lower in 35. The other five fly past, end at 4 or at 8, and never come back. *A falling loss does not prove that the loop is right.*

# %% [markdown]
# **A good place to stop.** You have a network, and the five lines that train it. On a fresh kernel, run the imports.

# %% [markdown]
# ## E. Small batches (evening)
#
# Now to something larger: 100 points on two moons. Which moon is a point on? The **label** says: -1 or +1.

# %%
points, labels = make_moons(100, noise=0.1, seed=1)
labels = 2 * labels - 1                      # 0 and 1 become -1 and +1
print(points.shape, labels[:8])

# %% [markdown]
# For one step on all 100 points, the network computes 100 predictions. But 20 points, picked at random, already say roughly where downhill is, and for the same work you can take five steps.
#
# So shuffle the points, deal them out in **mini-batches** of 20, and take one step on each. When all are dealt, an **epoch** is over. For the next one, shuffle again.
#
# The shuffling is done for you: `order` holds the row numbers in a random order. NumPy takes several row numbers at once:

# %%
letters = np.array(["a", "b", "c", "d", "e"])
piece = np.array([4, 1])
print(letters[piece])

# %% [markdown]
# ### Exercise 4.5
#
# Fill in `minibatches`. Five rows in the order 2, 0, 3, 1, 4, dealt in batches of 2, are three batches. Which rows of xs are in each, and which of ys?

# %%
%check 4.5

# %% [markdown]
# ### Two moons
#
# `MLP(2, [16, 16, 1])` has 337 parameters. `fit` is given: in each epoch it deals your `minibatches` and calls your `train_step` on each. The learning rate starts at 0.02 and falls towards 0, so that the network settles down. It takes some seconds, on a slow machine half a minute.
#
# An answer above 0 counts as +1, below 0 as -1. The line where the answer is 0 is the **decision boundary**.
#
# **Predict.** You will see a film of the boundary, one frame for each epoch. What shape does it have before training, after a few epochs, and after 30?

# %%
# prediction 4.E2
%predict

# %% tags=["nbval-ignore-output"]
def how_many_right(model):
    return sum(bool(model(point).data * label > 0) for point, label in zip(points, labels))


def falling(done):
    """The learning rate; done goes from 0 to 1."""
    return 0.02 * min(1, (1 - done) / 0.9)


rng = np.random.default_rng(9)
model = MLP(2, [16, 16, 1], rng=rng)
film = BoundaryFilm(points, labels)
fit(model, points, labels, squared_error, epochs=30, batch_size=20, learning_rate=falling, rng=rng, watch=film.look)
film.player()

# %%
print("at least 95 of 100 right:", how_many_right(model) >= 95)

# %% [markdown]
# **Explain.** At first the decision boundary runs anywhere, after a few epochs it is nearly straight, and in the end it winds between the moons. The curve beside it is the mean loss of a batch in each epoch. It does not fall evenly: each step sees 20 points only.
#
# Every gradient in this was found by your own `backward`, in 150 backward passes. Does it need a lucky start, or end in a bad local minimum? Of 40 networks with other first weights, all got at least 90 of the points right, and 35 got all 100.
#
# This is the end of the evening's track: you have built an engine, and a network that learns with it. `make check TRACK=core` goes on with what it has skipped, beginning with notebook 00.

# %% [markdown]
# ### Now play (core)
#
# Everything you have written, with buttons on it: each step is your `train_step`, each answer your network's. (Its loss is the mean of the squared errors.) Below are 50 points on a circle, and 50 on a larger one around it.
#
# For each neuron of the first layer a straight line divides the plane: on one side of it the sum is above 0, on the other below. The next layer puts those halves together.
#
# **Predict.** With how few neurons in one hidden layer does the network get at least 95 of these points right? Start with 2, and let it take 500 steps.

# %%
# prediction 4.E3
%predict

# %%
playground("scalar", data="circles", width=2)

# %% [markdown]
# **Explain.** With 3: three lines can close round the inner circle, as the sides of a triangle do; two leave it open. Of 40 networks with 3 neurons, 39 had at least 95 points right after 500 steps. Of 40 with 2, none had more than 81.
#
# More to try:
#
# - Choose the activation `none`. What shape does the boundary have now, however many layers there are?
# - Switch `zero_grad` off in the middle of training.
# - The spirals. Which helps more, a wider layer or a second one?

# %% [markdown]
# **A good place to stop.** On a fresh kernel, run the imports and the cell of E that defines `points`.

# %% [markdown]
# ### Without forgetting (core)
#
# Ben trains on the moons, and his loop has no `zero_grad`. Beside it runs a right one.
#
# **Predict.** What do Ben's boundary and his loss look like beside the right ones?

# %%
# prediction 4.E4
%predict

# %% tags=["nbval-ignore-output"]
def train(forget, epochs=20):
    rng, losses, film = np.random.default_rng(3), [], BoundaryFilm(points, labels, resolution=49)
    model = MLP(2, [8, 8, 1], rng=rng)
    film.look(model)
    for _ in range(epochs):
        costs = []
        for x, y in minibatches(points, labels, 20, rng):
            loss = squared_error([model(point) for point in x], y)
            if forget:
                model.zero_grad()
            loss.backward()
            for parameter in model.parameters():
                parameter.data -= 0.02 * parameter.grad
            costs.append(loss.data)
        losses.append(sum(costs) / len(costs))
        film.look(model, losses)
    return film


film_of({"with zero_grad": train(True), "no zero_grad": train(False)}, "Two training loops on the moons")

# %% [markdown]
# **Explain.** Ben's boundary jumps about at first. Then it stops moving, and his loss stays high. With 40 other seeds it ended above the right one every time, typically at 16 where the right one is at 2.4. A point at the wrong end of tanh costs 2² = 4, so 16 means that about four of the twenty in a batch are there (in this film 3.4, on average). The derivative of tanh is nearly 0 there, so no step corrects them.

# %% [markdown]
# ## F. A loss for two sides (stretch)
#
# Suppose a network may answer with any number, a **score**, and only the sign counts. Will squared error still do as a loss? Try it on six numbers and a line, w · x + b. Those below 0 have the label -1, those above 0 the label +1, and one of them lies far out.
#
# **Predict.** The boundary between -1 and +1 is where the line crosses 0. It could be anywhere between -1 and 1. Where will training put it?

# %%
# prediction 4.F1
%predict

# %%
def train_a_line(loss_fn, rate):
    line = MLP(1, [1], "linear", rng=np.random.default_rng(0))
    for step in range(1000):
        train_step(line, [[x] for x in line_xs], line_ys, loss_fn, rate)
    return line


def show_line(line):
    w, b = (parameter.data for parameter in line.parameters())
    print(f"boundary at x = {-b / w:.2f}, scores", *(f"{line([x]).data:.2f}" for x in line_xs))


line_xs = [-3.0, -2.0, -1.0, 1.0, 2.0, 12.0]
line_ys = [-1, -1, -1, 1, 1, 1]
show_line(train_a_line(squared_error, 0.002))

# %% [markdown]
# **Explain.** The boundary is at 1.5, and the 1 is on the wrong side of it. The far number is to blame: a line that suits the others gives it a score near 12. That is on the right side, and for squared error it is 11 too much, at a cost of 121. So the whole line is laid flat to please it.
#
# The **hinge loss** does not mind a score that is too good. **Find** its rule: what do the last two rows cost? And can one rule serve both labels, with no `if`?
#
# | label | score | cost |
# |---|---|---|
# | +1 | 3 | 0 |
# | +1 | 1 | 0 |
# | +1 | 0.3 | 0.7 |
# | -1 | 0.3 | 1.3 |
# | -1 | -0.5 | ____ |
# | -1 | -5 | ____ |
#
# <details><summary>Compare</summary>
#
# 0.5 and 0: -0.5 is on its side, and halfway to -1. The -5 is farther than it has to be, and costs nothing: its gradient is 0, and no step will be spent on it.
#
# </details>

# %% [markdown]
# ### Exercise 4.6
#
# Fill in `hinge_loss`. The hinge loss of several samples is the *mean* of their costs, so that batches of different sizes can be compared.

# %%
%check 4.6

# %%
show_line(train_a_line(hinge_loss, 0.1))

# %% [markdown]
# With your loss the boundary is at 0, in the middle, and all six are on their side. The 12 has a score far above 1, and nobody minds.

# %% [markdown]
# **A good place to stop.** On a fresh kernel, run the imports.

# %% [markdown]
# ## Bug hunt (stretch)
#
# Ada, Ben and Cleo each send you a training loop for a line, w · x + b. All start at w = 1 and b = 0 and take steps with learning rate 0.1 on the sum of squared errors. All three are wrong, each in one way. You give samples (x, y) and a number of steps, and they tell you where they end, beside a right one.

# %%
from grader.broken_engines.training_loops import LOOPS


def race(samples, steps):
    for name, loop in LOOPS.items():
        w, b = loop(samples, steps)
        print(f"{name:6} w = {w:8.3f}   b = {b:8.3f}")


race([(2, 1), (1, -1), (-1, 3)], steps=3)

# %% [markdown]
# **Predict.** Make it as easy for them as you can: a single sample, a single step. Who still does not end where the right loop does?

# %%
# prediction 4.7a
%predict

# %%
race([(2, 1)], steps=1)

# %% [markdown]
# **Explain.** Two of the mistakes cannot show on one sample and one step. So these data give away Ben's loop, and no other. For the two others, go on trying in the cell above: two steps, two samples, two equal labels, samples whose errors cancel. Change one thing at a time.

# %% [markdown]
# ### Exercise 4.7
#
# In `hunts.py`, write three small data sets. The x of the first sample is given; the check takes one of its own. The first gives away Ada's loop and *no other*: the two others must end where the right one ends. Likewise the second for Ben's loop and the third for Cleo's.

# %%
%check 4.7

# %% tags=["nbval-ignore-output"]
for name, (samples, steps) in three_data_sets(2).items():
    print(f"for {name}: {samples}, steps={steps}")
    race(samples, steps)

# %% [markdown]
# <details><summary>What is wrong with each</summary>
#
# Ada never calls `zero_grad`: her first step is right. Ben's `parameters()` leaves out the bias: he is right as long as the errors cancel, for then ∂L/∂b is 0. Cleo reverses the order of the inputs and leaves the labels where they were: she is right if all labels are equal.
#
# Data that are too friendly hide all three.
#
# </details>

# %% [markdown]
# ## Reflection
#
# Write an answer to one of these questions before you unfold ours. Answer the other aloud.
#
# **Why does every training loop call `zero_grad`? When would you leave it out on purpose?**

# %%
%%note 4.R1

# %% [markdown]
# <details><summary>Answer</summary>
#
# Because gradients accumulate: `backward` adds to what a leaf's grad holds, and without `zero_grad` a step uses the gradients of all steps before. On purpose: to add up the gradients of several small batches when a large one does not fit into memory. Then you call it once for all of them.
#
# </details>
#
# **Why mini-batches, and not all samples, or just one?**

# %%
%%note 4.R2

# %% [markdown]
# <details><summary>Answer</summary>
#
# All samples give the exact gradient, at the price of one step for a whole epoch. One sample gives a step at once, in a direction that is mostly noise. A mini-batch lies between, and an array engine computes it about as fast as one sample. Its noise can even help to get out of a shallow local minimum of the loss surface.
#
# </details>

# %%
%predictions 04

# %% [markdown]
# ## Self-assessment
#
# The scalar half of the course ends here. Which of these could you do without this page? The number in brackets is the notebook to reread. (The evening's way leaves out those marked *.)
#
# - find a derivative by nudging, and say how small the nudge should be (01 *)
# - say what forward mode and reverse mode cost for a million inputs and one loss (01, 03 *)
# - name the local derivatives of +, ·, /, xⁿ, tanh, relu (02), exp and log (02 *)
# - draw the computation graph of (a · b + c) · (a + d), and do its backward pass by hand (02)
# - say why gradients are added, with an example where `=` is wrong (03)
# - write a topological order, and say what goes wrong in another one (03)
# - count the parameters of any multi-layer perceptron (04)
# - write a training step from memory, in the right order (04)
# - look at a loss curve and say what to check first (04 *)

# %% [markdown]
# ## In other books
#
# What the words of this notebook are called elsewhere, and in PyTorch and JAX: [the glossary](../docs/glossary.md#04-a-network-of-numbers).

# %% [markdown]
# ## The rule to keep
#
# **Predict, compare, forget, walk back, move: a new graph for each step, and always downhill.**
#
# `%progress` in a cell shows where you are. From notebook 05 on a Value becomes a Tensor: whole arrays at once, with the same ideas.
