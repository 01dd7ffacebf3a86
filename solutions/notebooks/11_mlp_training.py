# %% [markdown]
# # 11 · Training an MLP
#
# In notebook 10 you wrote a backward pass by hand. Now `backward()` finds the gradients, and what is left is everything around it: what keeps the weights, how large they are at first, what counts as a mistake, and the loop that learns.
#
# At the end your net tells two moons apart, and reads handwritten digits.

# %% jupyter={"source_hidden": true}
%load_ext grader

# %%
import matplotlib.pyplot as plt
import numpy as np

from babygrad import DataLoader, Tensor, hunts, init, nn, ops
from babygrad.losses import cross_entropy, mse_loss, nll_loss
from babygrad.training import GradientDescent, accuracy, train_epoch
from toolbox import draw_graph, load_digits, make_moons, playground, plot_losses, train_test_split
from toolbox.training.trainer import Trainer, evaluate

# %% [markdown]
# ## Goals
#
# Afterwards you can
#
# - write a module out of Parameters and other modules, and say how they are found,
# - say how large the first weights should be, and what happens if they are not,
# - choose a loss, and know the wrong versions of it that give plausible numbers,
# - write the loop that trains, and tell from loss and accuracy what is wrong with somebody else's.

# %% [markdown]
# ## Recall

# %%
%quiz before 11

# %% [markdown]
# <details class="recall"><summary>From notebooks 09 and 10, without looking</summary>
#
# 1. You call `backward()` twice, on two graphs that share a leaf. What does the leaf's `.grad` hold?
# 2. One row of logits, and its right class. What is the gradient of the cross-entropy with respect to the logits?
# 3. Why is there a `log_softmax`, when there are `log` and `softmax`?
#
# </details>
#
# <details><summary>Answers</summary>
#
# - **1**: The sum of both gradients.
# - **2**: The softmax of the row, minus 1 at the right class. For a batch of N rows, divided by N.
# - **3**: softmax may round a tiny probability to 0, and the log of 0 is -inf.
#
# </details>

# %% [markdown]
# ## A. A module knows its parameters
#
# The parameters of a net are in its layers, layers are in lists, and lists are in nets. To train them we want all of them in one list. Who collects them?
#
# In `nn.py` a `Parameter` is a Tensor that is there to be trained, and a `Module` is a part of a net: a **module** holds Parameters and other modules. Here are two. The second is a little odd.

# %%
class Scale(nn.Module):
    """Each number times a factor that is learnt."""

    def __init__(self, factor):
        self.factor = nn.Parameter([factor])

    def forward(self, x):
        return x * self.factor


class Odd(nn.Module):
    """Attributes of all kinds; no forward."""

    def __init__(self):
        self.left = Scale(2.0)
        self.right = self.left               # the same module, under a second name
        self.size = 7
        self.more = [Scale(2.0), nn.Parameter([0.5])]


odd = Odd()

# %% [markdown]
# `nn.walk` is given (inside `nn.py` it is just `walk`). It goes through a module's attributes, lists and dicts, and the parts of parts, and gives pairs (name, thing) for *everything* that it meets.
#
# **Predict.** How many lines will it give for `odd`? How many of them are Parameters, and how many *different* Parameters are there?

# %%
# prediction 11.A1
%predict

# %%
for name, thing in nn.walk(odd):
    print(f"{name:14} {type(thing).__name__}")

# %% [markdown]
# **Explain.** Nine lines, and four of them are Parameters. But `left.factor` and `right.factor` are one and the same. If it were in the list twice, each training step might move it twice.
#
# And `more.0.factor`? It holds 2.0, too. How could a program find out whether it is the same as `left.factor`?

# %% [markdown]
# ### Exercise 11.1
#
# Open `babygrad/nn.py` and fill in `named_parameters`: a list of pairs (name, Parameter), each Parameter once, under the first of its names.
#
# A plain Tensor is not a Parameter. A Parameter whose `requires_grad` was set to False is held fixed, and belongs in the list all the same.

# %%
%check 11.1

# %%
for name, parameter in odd.named_parameters():
    print(f"{name:14} {parameter.data}")

# %% [markdown]
# Everything else that a module can do rests on this list, and is given: `parameters()`, `zero_grad()`, `train()` and `eval()`, `state_dict()` with all names and numbers, `save` and `load`.

# %% [markdown]
# ## B. Layers without a backward
#
# The `Linear` of notebook 10 kept x for its backward pass of two matrix products and a sum, and named its parameters by hand. Now the graph remembers, `backward()` finds the gradients, and `walk` finds the parameters. Only forward is left, and it is one line (in `nn.py`, given):
#
# ```python
# return x @ self.weight if self.bias is None else affine(x, self.weight, self.bias)
# ```
#
# `affine` is product and sum in one operation. For a batch of 64 points of 2 numbers each, and 32 units (a unit is what 04 called a neuron), the weight has the shape (2, 32) and the bias (32,).
#
# `Sequential`, also given, passes x from layer to layer, as your network of 4.3 did. Such a net for three samples, with the names that your `named_parameters` finds:

# %% tags=["nbval-ignore-output"]
rng = np.random.default_rng(0)
net = nn.Sequential(nn.Linear(2, 4, rng=rng), nn.Tanh(), nn.Linear(4, 2, rng=rng))
for name, parameter in net.named_parameters():
    parameter.label = name
x = Tensor(rng.normal(size=(3, 2)), requires_grad=False)
x.label = "x"
scores = net(x)
scores.backward(rng.normal(size=(3, 2)))
draw_graph(scores)

# %% [markdown]
# Four leaves have a gradient, each of its own shape. x has none: nobody needs it.
#
# ### Exercise 11.3
#
# `nn.MLP(dims)`, a multi-layer perceptron, makes such chains: the sizes say it all. In `nn.py` fill in `mlp_layers`, which makes the list of its layers.
#
# `activation` is a class, such as `nn.Tanh`: calling it makes a module. What comes out at the end are logits, and a logit may be any number: may there be a Tanh after the last Linear? Every Linear is given the same `rng`, so that one seed settles all the weights.

# %%
%check 11.3

# %%
mlp = nn.MLP([2, 32, 32, 2], "tanh", rng=np.random.default_rng(0))
print(*(type(layer).__name__ for layer in mlp.layers))
print(sum(p.size for p in mlp.parameters()), "parameters")

# %% [markdown]
# **A good place to stop.** On a fresh kernel, run the imports.

# %% [markdown]
# ## C. The first weights
#
# All weights 0 would be simple. But on its way back a gradient is multiplied by the weights, so nothing would get past the last layer. And with any other number for all of them, the units of a layer compute the same, get the same gradient, and stay the same for ever. So the first weights are random. How large? That is the question of **initialisation**.
#
# A unit with 100 inputs adds up 100 products. If the inputs are about 1 and the weights about w, each of either sign, then the products partly cancel. Multiply out the square of their sum: the mixed terms have either sign too, and on average they cancel. The 100 squares remain, about 100 · w², so the sum is about 10 w. It grows with the *root* of the number of inputs. To keep the size, w must be about 1/√100.

# %% [markdown]
# The *standard deviation* of some numbers is the root of the mean of their squared distances from their mean.
#
# **Predict.** 500 samples, whose numbers have mean 0 and standard deviation 1, go through six layers of 100 units with tanh. With weights of standard deviation 0.01, or 1: what is the standard deviation of what comes out?

# %%
# prediction 11.C1
%predict

# %%
def spread(draw, activation):
    """The standard deviation of the answers of each of six layers."""
    rng = np.random.default_rng(1)
    answers, spreads = Tensor(rng.normal(size=(500, 100)), requires_grad=False), []
    for _ in range(6):
        answers = getattr(answers @ draw(100, 100, rng), activation)()
        spreads.append(answers.data.std())
    return spreads


WAYS = {
    "size 0.01": lambda n_in, n_out, rng: rng.normal(0, 0.01, (n_in, n_out)),
    "size 1": lambda n_in, n_out, rng: rng.normal(0, 1, (n_in, n_out)),
    "linear_uniform": init.linear_uniform,
    "xavier_uniform": init.xavier_uniform,
    "kaiming_uniform": init.kaiming_uniform,
}
for activation in ("tanh", "relu"):
    print(f"{activation:18}" + "".join(f"{f'layer {i}':>9}" for i in range(1, 7)))
    for name, draw in WAYS.items():
        print(f"  {name:16}" + "".join(f"{s:9.2g}" for s in spread(draw, activation)))

# %% [markdown]
# **Explain.** With 0.01 the activations fade away to nothing. With 1 nearly every tanh is at its ends, where its derivative is nearly 0 (it is *saturated*): 0.96 looks like the healthiest row, and is a bad sign. And relu explodes. The other three depend on the number of inputs:
#
# - `linear_uniform`, from -1/√in to 1/√in, as in `nn.Linear`, here and in PyTorch. A uniform number is on average smaller than its bound, so this fades slowly.
# - `xavier`, made for tanh: the variance, the square of the standard deviation, is 2 / (in + out), a compromise between the forward and the backward pass.
# - `kaiming`: the variance is 2 / in. A relu throws half of the numbers away, and the 2 makes up for it.
#
# Gradients go back through the same weights, so they fade and explode in the same way.

# %% [markdown]
# ## D. How wrong is it?
#
# For answers that are numbers, the loss is the mean of the squared errors. What can go wrong in one line?
#
# A net answers with a column, shape (4, 1). The targets are a row of four, shape (4,). The net is perfect.
#
# **Predict.** What are the errors, `answers - targets`?

# %%
# prediction 11.D1
%predict

# %%
answers = Tensor([[1.0], [2.0], [3.0], [4.0]])
targets = np.array([1.0, 2.0, 3.0, 4.0])
print((answers - targets).data)

# %% [markdown]
# **Explain.** `(4, 1) - (4,)` is broadcast to `(4, 4)`: each answer was compared with each target. Nothing complains, and the mean squared error of a perfect net is 2.5.
#
# So a loss checks the shapes first. `same_shape(predictions, targets)` is given: it returns the targets as an array, or raises.

# %% [markdown]
# ### Exercise 11.4
#
# Open `babygrad/losses.py` and fill in `mse_loss`. A loss is the root of the backward pass, so it is made of operations on Tensors, and it is a single number, whatever shape the predictions have.

# %%
%check 11.4

# %%
try:
    mse_loss(answers, targets)
except ValueError as error:
    print("ValueError:", error)
print("reshaped:", mse_loss(answers.reshape(4), targets).item())

# %% [markdown]
# **A good place to stop.** You have a net that knows its parameters, first weights of the right size, and a loss for numbers. On a fresh kernel, run the imports.

# %% [markdown]
# ## E. Logits and classes
#
# For three classes a net answers with three logits, and a sample costs the cross-entropy: minus the logarithm of the probability that softmax gives to its right class. With the logits 2, 1, 0 that is 0.41 if class 0 is right, and 2.41 if class 2 is. A net that knows nothing gives each of 3 classes 1/3, and pays log 3 = 1.10.
#
# Now two rows. `log_p` holds the logarithms, and the targets are 0 and 2. One number of each row is wanted.
#
# **Predict.** Somebody picks them with `log_p[:, targets]`. What shape comes out?

# %%
# prediction 11.E1
%predict

# %%
log_p = Tensor([[2.0, 1.0, 0.0], [0.0, 0.0, 4.0]]).log_softmax()
targets = np.array([0, 2])
print("log_p")
print(log_p.data.round(2))
print("log_p[:, targets]")
print(log_p[:, targets].data.round(2))
print(f"its mean, with a minus sign: {-log_p[:, targets].mean().item():.3f}")

# %% [markdown]
# **Explain.** The colon means *all rows*: every row with every target. That makes four numbers, and two of them belong to other samples. The mean is still a plausible number. In training it falls a little, but hardly below log C if all C classes are equally frequent.
#
# Which two of the four are wanted, and at which places of `log_p` are they? Your `Gather` of notebook 10 can pick them.

# %% [markdown]
# ### Exercise 11.5
#
# In `losses.py`. `nll_loss` gets logarithms of probabilities (nll: negative log-likelihood), and `cross_entropy` gets logits, of ±1000 and -inf too. The given `class_numbers(scores, targets)` returns the targets as an array of ints. The two rows above cost 0.408 and 0.036.

# %%
%check 11.5

# %% [markdown]
# `ops.cross_entropy` is given, and yours may call it: it takes both steps at once, so there are fewer nodes.
#
# The most frequent mistake around cross-entropy is a **softmax too many**: the net ends with a softmax, and `cross_entropy` applies another one.
#
# **Predict.** A net with ten classes is perfectly sure, and right: probability 1 for its class, 0 for all others. What does it pay, if these go into `cross_entropy` as logits?

# %%
# prediction 11.E2
%predict

# %%
sure = np.eye(10)[[3]]                   # 1 at place 3, the others 0
print(f"{cross_entropy(Tensor(sure), [3]).item():.3f}")

# %% [markdown]
# **Explain.** Logits between 0 and 1 hardly differ. The second softmax gives the right class e / (e + 9) = 0.23, and -log(0.23) is 1.46. The loss *cannot* get any lower. It falls, but from 2.30 to 1.46 at best, and slowly. If a loss stays high while the answers are right, look for a softmax too many.

# %% [markdown]
# ## F. Yes or no (stretch)
#
# For yes or no a single logit s will do: p = sigmoid(s) is the probability of yes. With the target t, 1 for yes and 0 for no, a sample costs the *binary cross-entropy*
#
# $$-\big(t \log p + (1 - t) \log(1 - p)\big)$$
#
# **Predict.** The net is quite sure, s = 40, and no is right. What should that cost, and what do the two lines below make of it?

# %%
# prediction 11.F1
%predict

# %%
with np.errstate(divide="ignore"):
    p = 1 / (1 + np.exp(-40.0))
    print("-log(1 - p):   ", -np.log(1 - p))
print("softplus(40):  ", ops.softplus(Tensor(40.0)).item())

# %% [markdown]
# **Explain.** p is 1 to the last digit of a float, and 1 - p is 0. But -log(1 - sigmoid(s)) is log(1 + exp(s)), and that is 40. This function is called **softplus**; `ops.softplus` is given, right for ±1000.
#
# And what does yes cost? **Find** the rule in this table: how does the last column follow from the first two?

# %%
print("    s   softplus(s)   -log(p)")
for s in (-3, -1, 0, 0.5, 2, 4):
    print(f"{s:5}   {ops.softplus(Tensor(float(s))).item():11.4f}   {np.log(1 + np.exp(-s)):7.4f}")

# %% [markdown]
# ### Exercise 11.6
#
# In `losses.py`. Put both logarithms into the formula, on paper, and simplify until a short line is left, in which no p is computed.

# %%
%check 11.6

# %% [markdown]
# ## G. Batches, and how many are right
#
# Here are the 1797 digits of notebook 10 again, each of 8 × 8 pixels. A fifth of them is put aside, the **test set**; the rest is the **training set**. The net that you will train has 4,810 parameters and can learn much by heart. So what it knows is measured on digits that it has never seen.

# %%
x_all, y_all = load_digits()
x_train, x_test, y_train, y_test = train_test_split(x_all, y_all, test_size=0.2, seed=0)
print("to train on:", x_train.shape, "  to test on:", x_test.shape)

figure, axes = plt.subplots(1, 8, figsize=(8, 1.4), layout="constrained", facecolor="white")
for ax, image, label in zip(axes, x_train, y_train):
    ax.imshow(image.reshape(8, 8), cmap="gray_r")
    ax.set_title(f"label {label}", fontsize=9, color="black")
    ax.axis("off")
plt.show()

# %% [markdown]
# Eight of the digits, each with its label above it.
#
# A `DataLoader` deals the rows in mini-batches: shuffled, each row once in an epoch. A step for each batch of 32 means 45 steps in an epoch.

# %%
loader = DataLoader(x_train, y_train, batch_size=32, seed=0)
batches = list(loader)
print(len(batches), "batches")
for name, (x, y) in {"the first": batches[0], "the last": batches[-1]}.items():
    print(f"{name:10} x {x.shape}  y {y.shape}")

# %% [markdown]
# The loader shuffles x and y *together*. If somebody shuffles them one by one, every digit gets another's label. There is no error, no strange shape, and nothing to learn.
#
# How many are right? The answer of a net is the class with the highest logit. The **accuracy** is the share of rows whose answer is right.
#
# `accuracy(scores, targets)` is given, in `babygrad/training.py`. It has no useful gradient: a step of 0.001 in a weight mostly changes no answer. That is why we train on the loss, and only look at the accuracy.

# %% [markdown]
# **A good place to stop.** You have losses, batches and a way to count what is right. On a fresh kernel, run the imports.

# %% [markdown]
# ## H. One epoch
#
# You wrote such a loop in 4.4: predict, compare, forget, walk back, move. Here an **optimizer** does two of the five. It holds the parameters, and has `zero_grad()`, which forgets their gradients, and `step()`, which moves them against these. `GradientDescent` is given, in `training.py`: `p.data -= lr * p.grad`. With a step for each mini-batch this is **stochastic gradient descent**, SGD: stochastic, because chance chooses the rows.
#
# In which order do the calls belong? Three friends have it wrong:
#
#     Ada:   backward, step                       (no zero_grad)
#     Ben:   backward, zero_grad, step
#     Cleo:  step, zero_grad, backward
#
# **Predict.** Two batches come. Right is a step with the gradient of batch 1, then one with that of batch 2. Which gradient does each friend use in step 1, and which in step 2?

# %%
# prediction 11.H1
%predict

# %% [markdown]
# <details><summary>Compare</summary>
#
# - **Ada**: of batches 1 and 2 added up, and so on: her steps grow.
# - **Ben**: none, each time.
# - **Cleo**: none, then that of batch 1.
#
# Our `GradientDescent` raises an error for a step without gradients. Many optimizers say nothing: there Ben's net stays as it was, and Cleo, always a batch late, looks nearly right.
#
# </details>
#
# ### Exercise 11.8
#
# In `training.py` fill in `train_epoch`. It returns the mean loss of a sample, but `loss.item()` is a mean over its batch. If nine samples come in two batches of 4 and one of 1, with the losses 1, 1 and 10, it returns 2, not 4.
#
# The loader gives arrays. `Tensor(x, requires_grad=False)` makes one a Tensor without a gradient; `y` goes to the loss as it is. And remember that a Tensor keeps the graph alive that it was made from.

# %%
%check 11.8

# %% [markdown]
# Before you train for long: **overfit one batch**. Take eight digits, and train on nothing else. A net with 4,810 parameters can learn eight digits by heart. If its loss does not go towards 0, there is a mistake in the code, and no amount of data will cure it.

# %%
x_all, y_all = load_digits()
x_train, x_test, y_train, y_test = train_test_split(x_all, y_all, test_size=0.2, seed=0)

model = nn.MLP([64, 64, 10], rng=np.random.default_rng(0))
optimizer = GradientDescent(model.parameters(), lr=0.2)
one_batch = [(x_train[:8], y_train[:8])]

print(f"a net that knows nothing pays log 10 = {np.log(10):.2f}")
for step in range(101):
    loss = train_epoch(model, cross_entropy, optimizer, one_batch)
    if step % 25 == 0:
        print(f"step {step:3}   loss {loss:.3f}")

# %% [markdown]
# The first loss is near log 10, as it must be: ten classes, and no idea. (If it is far off, look at the initialisation, or for a softmax too many.) Then it goes towards 0. The code is able to learn.
#
# And the learning rate? It is not learned: like the batch size and the sizes of the layers it is a **hyperparameter**, chosen by you. You saw in 04 what happens if it is too large: each jump is longer than the last, until the numbers are inf, and inf - inf is nan. **Behind a loss of nan there is usually a learning rate that is too large.**

# %% [markdown]
# ## I. Two moons
#
# In notebook 04 a net of Values took seconds for 100 points. Now it is 1,000 points and 3,200 steps, with your own engine and your own loop. A `Trainer` is given. It calls your `train_epoch` for each of 200 epochs, and with `film=True` it records the decision boundary and the loss.
#
# **Predict.** When will the boundary bend: at once, or late? And what does the loss do until then?

# %%
# prediction 11.I1
%predict

# %%
x_moons, y_moons = make_moons(1000, noise=0.2, seed=0)
x_fresh, y_fresh = make_moons(4000, noise=0.2, seed=100)
model = nn.MLP([2, 32, 32, 2], "tanh", rng=np.random.default_rng(0))
trainer = Trainer(model, cross_entropy, GradientDescent(model.parameters(), lr=0.05), film=True, progress=False)
trainer.fit(DataLoader(x_moons, y_moons, batch_size=64, seed=0), epochs=200)
trainer.film()

# %%
loss, right = evaluate(model, cross_entropy, DataLoader(x_fresh, y_fresh, batch_size=500))
print(f"4,000 fresh points: loss {loss:.2f}, accuracy {right:.1%}")

# %% [markdown]
# **Explain.** The loss has a plateau: from epoch 10 to 40 little happens, and the boundary is nearly a straight line. Then it winds between the moons, and the loss falls again. Whoever stops too early gets a straight line. (The moons overlap, so not even the best boundary gets 100 %.)
#
# `evaluate` is given. It calls the model for inference: under `no_grad()`, and after `model.eval()`.

# %% [markdown]
# ## J. Digits
#
# The same loop, now for 64 pixels and 10 classes.

# %%
def read_digits(loss_fn=cross_entropy, labels=y_train, lr=0.2, epochs=10, forget=True):
    """Train a net on the digits.  Returns its losses, and its accuracy on the test digits."""
    model = nn.MLP([64, 64, 10], rng=np.random.default_rng(0))
    optimizer = GradientDescent(model.parameters(), lr)
    if not forget:
        model.zero_grad = optimizer.zero_grad = lambda: None
    loader = DataLoader(x_train, labels, batch_size=32, seed=0)
    losses = [train_epoch(model, loss_fn, optimizer, loader) for _ in range(epochs)]
    return losses, accuracy(model(Tensor(x_test, requires_grad=False)), y_test)


_, share = read_digits(epochs=20)
print(f"digits that it has never seen: {share:.0%} right")

# %% [markdown]
# After each epoch we can look at the loss on the test set as well, without training on it.
#
# **Predict.** Describe both curves over 60 epochs: the loss on the training set, and the loss on the test set.

# %%
# prediction 11.J1
%predict

# %%
reader = nn.MLP([64, 64, 10], rng=np.random.default_rng(0))
descent = GradientDescent(reader.parameters(), lr=0.2)
batches, test_loader = DataLoader(x_train, y_train, batch_size=32, seed=0), DataLoader(x_test, y_test, batch_size=360)
seen, unseen = [], []
for epoch in range(60):
    seen.append(train_epoch(reader, cross_entropy, descent, batches))
    unseen.append(evaluate(reader, cross_entropy, test_loader)[0])

ax = plot_losses({"digits to train on": seen, "digits to test on": unseen})
ax.set(xlabel="epoch", yscale="log")
plt.show()

# %% [markdown]
# **Explain.** Both fall together at first. Then they part. The loss on the training set goes on towards 0; on the test set it stays where it was after 40 epochs, in the end more than four times that on the training set (three other starts: the same). From there on the net learns by heart. That is **overfitting**, and without a test set nobody would have seen it.

# %% [markdown]
# ### Five mistakes (stretch)
#
# Five people make one mistake each, and train for ten epochs.
#
# - Fay never forgets the gradients.
# - Gus applies softmax twice.
# - Hal has the softmax along the wrong axis: down the batch, instead of along the classes.
# - Ida has shuffled the labels, and not the digits.
# - Jon has one hyperparameter wrong: his learning rate is ten times as large.
#
# **Predict.** Order them by how many digits their net reads in the end. Who gets above 80 %?

# %%
# prediction 11.J2
%predict

# %% tags=["nbval-ignore-output"]
shuffled = np.random.default_rng(2).permutation(y_train)
runs = {
    "right": read_digits(),
    "Fay: no zero_grad": read_digits(forget=False),
    "Gus: softmax twice": read_digits(lambda scores, y: cross_entropy(ops.softmax(scores), y)),
    "Hal: wrong axis": read_digits(lambda scores, y: nll_loss(scores.log_softmax(0), y)),
    "Ida: labels shuffled": read_digits(labels=shuffled),
    "Jon: lr 2": read_digits(lr=2.0),
}
for name, (curve, share) in runs.items():
    print(f"{name:24} loss {curve[0]:5.2f} ... {curve[-1]:5.2f}   accuracy {share:4.0%}")

# %% [markdown]
# **Explain.** Not one of them was stopped by an error.
#
# - Fay's first epoch is better than the right one. Then her steps grow and grow, until all of her 64 hidden units answer 0 for every digit.
# - Gus learns, slowly: his loss cannot fall below 1.46.
# - Hal reads nine of ten digits! His loss asks which digit of the batch is most like a 3, and that helps too. But it depends on what else is in the batch. Such a mistake can live for years: only the loss, far above 0, gives it away.
# - Ida's net can only learn by heart which label goes with which row, and ten epochs are too few even for that.
# - Jon's first steps threw all of his units to where relu answers 0. They have no gradient there, and never come back.

# %% [markdown]
# How much of that is luck? Twenty trainings each, with other first weights and shuffles:
#
# | training | digits read: lowest, median, highest |
# |---|---|
# | right | 95 %, 96 %, 97 % |
# | Fay | 9 %, 14 %, 29 % |
# | Gus | 63 %, 73 %, 83 % |
# | Hal | 49 %, 86 %, 93 % |
# | Ida | 3 %, 9 %, 18 % |
# | Jon | 8 %, 9 %, 21 % |
#
# Four of the five losses fell. A falling loss says little: know where it should begin, and how far it should get.

# %%
names = ["right", "Gus: softmax twice", "Jon: lr 2"]
ax = plot_losses({name: runs[name][0] for name in names})
ax.set_xlabel("epoch")
plt.show()

# %% [markdown]
# Three of the curves: the right one falls at once, softmax twice lies far above it, and lr 2 is flat.

# %% [markdown]
# ### Now play (stretch)
#
# The playground of notebook 04, now on Tensors: your layers, your loss, your `train_epoch`. It opens with Fay's loop on the moons, which is ahead at first, and then does not stop in the valley. Tick `zero_grad` after 300 steps, or after 1,000: when is it too late?

# %%
playground("tensor", zero_grad=False)

# %% [markdown]
# **A good place to stop.** You have the loop, two trained nets, and a picture of overfitting. Four wrong losses wait at the end. On a fresh kernel, run the imports.

# %% [markdown]
# ## K. Go on, and keep it (stretch)
#
# The Trainer also makes checkpoints, and stops at the first nan. It measures on samples that are held back, the *validation set*. Here the test set serves as one; whoever chooses hyperparameters by it needs another one for the final result.

# %%
x_train, x_test, y_train, y_test = train_test_split(*load_digits(), test_size=0.2, seed=0)
model = nn.MLP([64, 64, 10], rng=np.random.default_rng(0))
trainer = Trainer(model, cross_entropy, GradientDescent(model.parameters(), lr=0.2), progress=False)
history = trainer.fit(
    DataLoader(x_train, y_train, batch_size=32, seed=0),
    epochs=20,
    val_loader=DataLoader(x_test, y_test, batch_size=360),
)
for name in ("loss", "accuracy", "val_accuracy"):
    print(f"{name:14}", *(f"{history[name][epoch]:.3f}" for epoch in (0, 4, 9, 19)))

# %% [markdown]
# `save` writes names and numbers into a file (npz: arrays and no code), `load` reads them into a net of the same sizes.

# %%
import tempfile
from pathlib import Path

with tempfile.TemporaryDirectory() as folder:
    model.save(Path(folder) / "digits.npz")
    twin = nn.MLP([64, 64, 10])
    twin.load(Path(folder) / "digits.npz")
print("the same answers:", np.array_equal(twin(Tensor(x_test)).data, model(Tensor(x_test)).data))

# %% [markdown]
# The digits of **MNIST** have 28 × 28 pixels, and there are 70,000 of them. `docs/using.md` says where to get the four files, and what `make train` does. The next cell looks for them in `data/mnist`, beside the folder `notebooks`, and trains for three epochs if they are there.

# %% jupyter={"source_hidden": true} tags=["nbval-ignore-output"]
import os

from toolbox import load_mnist


def train_on_mnist(folder):
    (x, y), (x_new, y_new) = load_mnist(folder)
    model = nn.MLP([784, 128, 10], rng=np.random.default_rng(0))
    optimizer = GradientDescent(model.parameters(), lr=0.2)
    loader = DataLoader(x, y, batch_size=64, seed=0)
    for epoch in range(1, 4):
        loss = train_epoch(model, cross_entropy, optimizer, loader)
        share = evaluate(model, cross_entropy, DataLoader(x_new, y_new, batch_size=1000))[1]
        print(f"epoch {epoch}   loss {loss:.3f}   accuracy {share:.1%}")


folders = [os.environ.get("BABYGRAD_MNIST", ""), *(each / "data/mnist" for each in Path.cwd().parents)]
folders = [folder for folder in folders if folder and Path(folder).is_dir()]
try:
    if folders:
        train_on_mnist(folders[0])
    else:
        print("MNIST is not here, and nothing is lost. Put its files into data/mnist to see this.")
except (FileNotFoundError, ValueError) as error:
    print(error)

# %% [markdown]
# ## Bug hunt (stretch)
#
# Four cross-entropies, all of them wrong. Their authors say:
#
# - A: "The targets tell which columns I want: [:, targets]."
# - B: "Large logits are dangerous, so I first subtract the largest logit of the batch from all of them."
# - C: "A logarithm of 0 is dangerous, so I take log(p + 0.0000001)."
# - D: "My classes are not equally frequent. So I take the mean of each class, and then the mean of these."
#
# **Predict.** Three batches come: `[[2, 1, 0]]` with the target 0, then `[[2, 1, 0], [0, 3, 1]]` with the targets 0, 0, and the same with 0, 1. Who is wrong on which?

# %%
# prediction 11.9a
%predict

# %%
from grader.broken_engines.cross_entropies import is_wrong, loss as loss_of


def compare(scores, targets):
    print(f"scores {scores}, targets {targets}: {loss_of('right', scores, targets):.4g} is right")
    for name in "ABCD":
        if is_wrong(name, scores, targets):
            print(f"    {name} says {loss_of(name, scores, targets):.4g}")


compare([[2, 1, 0]], [0])
compare([[2, 1, 0], [0, 3, 1]], [0, 0])
compare([[2, 1, 0], [0, 3, 1]], [0, 1])

# %% [markdown]
# B, C and D were right on all three. That is why such losses live so long.
#
# ### Exercise 11.9
#
# In `babygrad/hunts.py` return *one* batch for which all four are wrong by more than 1 %: up to 3 rows of up to 4 logits, from -1000 to 1000, and a target for each row. The first logit is given. Try ideas here:

# %%
compare([[1, 0], [0, 1]], [0, 0])

# %%
%check 11.9

# %% tags=["nbval-ignore-output"]
compare(*hunts.four_wrong_losses(5))

# %% [markdown]
# <details><summary>Where do these four come from?</summary>
#
# A from half an hour without a test on two different targets. B from code that is right for a single row. C is in thousands of programs; where it caps what a sample can cost, there is no gradient. D is another loss, and should have another name.
#
# </details>

# %% [markdown]
# ## Reflection
#
# Write an answer to one of these questions before you unfold ours. Answer the others aloud, as in an interview.

# %%
%%note 11.R1

# %% [markdown]
# <details><summary><b>A loss does not fall. In which order do you look?</b></summary>
#
# Is the first loss near log C? Does the loss of one batch of eight go towards 0? If not: is there a gradient in every parameter, does the optimizer have these parameters, and in which order are zero_grad, backward and step? Then the learning rate: ten times smaller, ten times larger. Only then the data: look at some rows with their labels.
#
# </details>
#
# <details><summary><b>Why is stochastic gradient descent faster than steps on all the data?</b></summary>
#
# The gradient of 32 rows points roughly in the direction of that of all 1,437, and costs a forty-fifth. In the time of one exact step you take forty-five rough ones.
#
# </details>

# %% [markdown]
# ### More questions (stretch)
#
# <details><summary><b>Building an engine: what does it teach that reading about it does not?</b></summary>
#
# Say what surprised you. For many it is how little there is: a list of nodes, a rule for each operation, one walk. And how many wrong versions give a plausible number.
#
# </details>
#
# <details><summary><b>The forward pass builds a graph, the backward pass walks it. Where else does that happen?</b></summary>
#
# In compilers, where later passes walk the source's tree or graph; in build tools and spreadsheets; in data lineage (which tables was this number made from?). Record how something was made, and many questions can be answered afterwards, in an order that the graph gives.
#
# </details>

# %%
%predictions 11

# %% [markdown]
# ## In other books
#
# What the words of this notebook are called elsewhere, and in PyTorch and JAX: [the glossary](../docs/glossary.md#11-training-an-mlp).

# %% [markdown]
# ## The rule to keep
#
# **Forget, walk back, step; and before you train on everything, overfit one batch.**

# %% [markdown]
# ## Where you are
#
# You have all that it takes to train a net. The next notebook makes better use of the same gradients, and does something about overfitting.
