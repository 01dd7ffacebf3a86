# %% [markdown]
# # 12 · Optimizers
#
# A gradient says which way is down. How far to go, and how far to trust it, is another matter. In this notebook you write the update rules that people really train with, and they race on the digits. Then you see what helps against overfitting, and against gradients that explode or vanish.

# %% jupyter={"source_hidden": true}
%load_ext grader

# %%
import matplotlib.pyplot as plt
import numpy as np

from babygrad import DataLoader, Tensor, gradcheck, hunts, init, nn, no_grad
from babygrad.losses import cross_entropy
from babygrad.normalize import Dropout, LayerNorm
from babygrad.optim import SGD, Adam, AdamW, CosineLR, RMSprop, StepLR, clip_grad_norm_
from babygrad.training import accuracy, train_epoch
from toolbox import GradientMonitor, load_digits, make_moons, plot_losses, train_test_split
from toolbox.drawing.plots import GRID, INK, LINES, axes_on_a_card
from toolbox.films.dead_units import lights_go_out
from toolbox.films.gradient_sizes import gradients_move
from toolbox.films.races import race_down, race_on

# %% [markdown]
# ## Goals
#
# Afterwards you can
#
# - write SGD with momentum, RMSprop, Adam and AdamW from memory, and say what each of them keeps,
# - say why Adam corrects its means, and how long its first step would be if it did not,
# - say why a learning rate should change during training, and rescue a run whose gradients explode,
# - see a net overfit, and say what helps against it, and when,
# - look at the gradients of a deep net, layer by layer, and name four cures if they vanish,
# - write the forward pass of a new layer and leave the backward pass to your engine.

# %% [markdown]
# ## Recall

# %%
%quiz before 12

# %% [markdown]
# <details class="recall"><summary>From notebooks 09 and 11, without looking</summary>
#
# 1. In which order do `backward()`, `step()` and `zero_grad()` come in a training loop?
# 2. What does `p.data -= ...` do that `p.data = p.data - ...` does not?
# 3. Why should the update not be recorded in the graph?
#
# </details>
#
# <details><summary>Answers</summary>
#
# - **1**: `zero_grad()`, `backward()`, `step()`. The first may also come last, if no gradient was left over from before.
# - **2**: It writes into the existing array, so everybody who holds that array sees the new numbers.
# - **3**: The graph would grow with each step. And p would no longer be a leaf.
#
# </details>

# %% [markdown]
# ## A. One step
#
# An optimizer's `step()` reads each `p.grad` and changes each `p.data`. The simplest rule is stochastic gradient descent, **SGD**.
#
# Often the loss gets an extra term: a penalty on large weights, λ/2 · w² for each weight w, with a small λ called `weight_decay`. It keeps a net from leaning on a few large weights. Whatever is added to training for such a purpose is called **regularisation**.
#
# A weight of 10 whose gradient is 1 goes with λ = 0.5 and lr = 0.1 not to 9.9, but to 9.4. Without a gradient of its own it would lose 5 % in each step: hence the name **weight decay**.

# %% [markdown]
# ### Exercise 12.1
#
# `step()` is given. It calls `update(p, memory)` for each parameter that has a gradient. `update` has two helpers. `self.decayed(p)` returns the gradient of loss and penalty together. From that, `self.direction(gradient, memory)` makes d, and the step goes against d:
#
# $$p \leftarrow p - \mathrm{lr} \cdot d$$
#
# Open `babygrad/optim.py` and fill in `SGD.update` and `SGD.decayed`. Leave `direction` for later, but call it already: with `momentum=0` it returns the gradient as it is. Somebody else may hold the array `p.data`, and `p.grad` still belongs to the engine.

# %%
%check 12.1

# %% [markdown]
# ## B. A narrow valley
#
# Real losses are steep in some directions and flat in others. The smallest such loss has two numbers: f(x, y) = 0.5 x² + 10 y², along y 20 times as steep as along x. A step turns x into (1 - lr) · x, and y into (1 - 20 · lr) · y.
#
# **Predict.** We start at (-8, 1.5) with lr 0.05, 0.09, or 0.11. Along y the factors are 0, -0.8, and -1.2. What does each run look like? What happens to x meanwhile?

# %%
# prediction 12.B1
%predict

# %%
CURVATURE = np.array([0.5, 10.0])


def height(p):
    return (p * p * CURVATURE).sum()


def descend(make_optimizer, steps=40, start=(-8.0, 1.5)):
    p = Tensor(np.array(start))
    optimizer = make_optimizer([p])
    places = [p.data.copy()]
    for _ in range(steps):
        optimizer.zero_grad()
        height(p).backward()
        optimizer.step()
        places.append(p.data.copy())
    return np.array(places)


for lr in (0.05, 0.09, 0.11):
    places = descend(lambda params: SGD(params, lr))
    first = ", ".join(f"{y:5.2f}" for y in places[:5, 1])
    print(f"lr {lr}:  y goes {first}   after 40 steps x = {places[-1, 0]:.2f}, y = {places[-1, 1]:.2f}")

# %% [markdown]
# **Explain.** With 0.05 the steep direction is finished in one step, but x creeps: it loses 5 % in each step. With 0.09 x is faster, and y jumps from wall to wall. With 0.11 each jump is larger.
#
# So the steepest direction limits lr, to below 2 / 20 = 0.1, and the flattest has to wait. That is the whole problem. There are two answers to it.

# %% [markdown]
# **Momentum** is the first. Think of a heavy ball. It keeps a part μ of its velocity v and adds the gradient g:
#
# $$v \leftarrow \mu \, v + g, \qquad d = v$$
#
# Along y the gradients change sign, and cancel in the velocity. Along x they all have the same sign. If μ is 0.9 and the gradient 1 in each step, the velocity is 1, 1.9, 2.71, and in the end 10, since 0.9 · 10 + 1 is 10 again: you go ten times as fast.

# %% [markdown]
# **Nesterov's** idea: the velocity will carry us on anyway, by lr · μ v in the next step, whatever the gradient is there. So go there first, and measure the gradient *at that place*. A ball that is about to run past the bottom feels the gradient beyond it one step earlier, and brakes.
#
# In books the weights q stay behind, and g is measured at the place ahead, p:
#
# $$v \leftarrow \mu \, v + g, \qquad q \leftarrow q - \mathrm{lr} \cdot v, \qquad p = q - \mathrm{lr} \cdot \mu \, v$$
#
# In PyTorch, and here, there is no q: the parameter *is* p. So its direction d, in p ← p - lr · d, must be made of g, μ and the new v alone.

# %% [markdown]
# **Predict.** Here are the book's numbers for μ = 0.8 and lr = 1, all starting from 0. With lr = 1, d is how much p decreases. What belongs in the third row, and what is the formula for d in every row? Type the four numbers in their order, then the formula.
#
# | step | g | v | q | p | d |
# |---|---|---|---|---|---|
# | 1 | 1 | 1 | -1 | -1.8 | 1.8 |
# | 2 | 2 | 2.8 | -3.8 | -6.04 | 4.24 |
# | 3 | 3 | ____ | ____ | ____ | ____ |

# %%
# prediction 12.B3
%predict

# %% [markdown]
# <details><summary>The third row</summary>
#
# v = 5.24, q = -9.04, p = -13.232, d = 7.192.
#
# </details>
#
# ### Exercise 12.2
#
# In `optim.py` fill in `SGD.direction`. Each parameter has a dict of its own, `memory`, which is empty at first.
#
# Two traps show only later. `p.grad` may be overwritten before the next step. And somebody may change lr between two steps: is it part of the velocity?

# %%
%check 12.2

# %% [markdown]
# <details><summary>Why Nesterov's d is right for all numbers</summary>
#
# $$d = g + \mu \, v \quad \text{with the new } v$$
#
# Put q = p + lr · μ v and μ v = v' - g into the book's step, where v' is the new velocity: what remains is p' = p - lr · (g + μ v').
#
# </details>
#
# Now the race. The rings are contour lines of the loss, the star is the bottom.
#
# **Predict.** Do all three begin with the same step? Which gets to the star first?

# %%
# prediction 12.B4
%predict

# %%
racers = {
    "SGD": lambda params: SGD(params, 0.05),
    "momentum 0.8": lambda params: SGD(params, 0.05, momentum=0.8),
    "Nesterov 0.8": lambda params: SGD(params, 0.05, momentum=0.8, nesterov=True),
}
race_down(racers, descend, CURVATURE)

# %% [markdown]
# **Explain.** SGD creeps along the axis. The ball with momentum swings from side to side and runs past the star: its height is below 0.01 for good after 37 steps. Nesterov's runs past it too, but swings less, since it brakes before the turn: 24. Its first step is longer: the new velocity is the gradient itself, so d = g + 0.8 g.

# %% [markdown]
# **A good place to stop.** On a fresh kernel, run the imports and the cell that defines `descend`.

# %% [markdown]
# ## C. Each number at its own pace
#
# The second answer: if y is 20 times as steep as x, make its steps 20 times as small. How steep is it? Look at how large its gradients usually are.
#
# **RMSprop** keeps a running mean s of the squared gradients, one for each number. Since old squares count less and less, it is an **exponential moving average**. The direction is the gradient divided by the root of that mean:
#
# $$s \leftarrow \alpha \, s + (1 - \alpha) \, g^2, \qquad d = \frac{g}{\sqrt{s} + \varepsilon}$$
#
# The size of the gradient is gone. What is left is its sign, and how it differs from what is usual. The small ε, outside the root, keeps the division finite where a gradient has always been 0.

# %% [markdown]
# ### Exercise 12.3
#
# Fill in `RMSprop.update`. It may have weight decay, which changes the gradient as in SGD (but `decayed` is a method of SGD alone), and momentum: the ball is pushed by d, not by the plain gradient. Where does weight decay go, and where momentum?

# %%
%check 12.3

# %%
for alpha in (0.9, 0.99):
    places = descend(lambda params: RMSprop(params, lr=0.3, alpha=alpha))
    x, y = np.abs(np.diff(places, axis=0))[:3].T.round(2)
    print(f"alpha {alpha}: the first three steps move x by {x} and y by {y}")

# %% [markdown]
# **Explain.** The gradients at the start are -8 and 30, yet x and y move equally far in the first step. For RMSprop the valley is round.
#
# But the running mean begins at 0, so after one step it holds only 1 - α of the first square. With α = 0.99 the root is ten times too small, and the first step ten times too long: 3 instead of 0.3.

# %% [markdown]
# **A good place to stop.** You have two answers to the narrow valley. Next they are combined, and the beginning is mended. On a fresh kernel, run the imports and the cell in B that defines `descend`.

# %% [markdown]
# ## D. Adam
#
# **Adam** combines both answers: an exponential moving average of the gradients, as in momentum, divided by the root of an exponential moving average of their squares. And it repairs the beginning.
#
# Say the gradient is 2 in each step, and both means begin at 0, with $\beta_1$ = 0.9 for the gradients and $\beta_2$ = 0.999 for their squares. The true means are 2 and 4, so mean / root should be 1. But after the first step they are 0.2 and 0.004, and mean / root is 3.16.
#
# After t steps the start at 0 still counts for $0.9 \cdot 0.9 \cdots = 0.9^t$ of the mean. The gradients make up the rest, $1 - 0.9^t$. Dividing by that rest is the **bias correction**: 0.2 / 0.1 is 2, and 0.004 / 0.001 is 4.

# %% [markdown]
# ### Exercise 12.4
#
# Fill in `Adam.move`: both exponential moving averages, the bias correction, and the step, which has the same form as RMSprop's. You have two things to decide. Which numbers go into `memory`, the plain ones or the corrected ones? And what is t: whose steps does it count, if a parameter has no gradient in some step?

# %%
%check 12.4

# %% [markdown]
# **Predict.** Three numbers have the gradients 1000, 1, and -0.001. How far does each of them go in the first step of Adam, with lr 0.1?

# %%
# prediction 12.D2
%predict

# %%
p = Tensor(np.zeros(3))
p.grad = np.array([1000.0, 1.0, -0.001])
Adam([p], lr=0.1).step()
print(p.data.round(5))

# %% [markdown]
# **Explain.** Each goes 0.1, against its gradient. At t = 1 the corrected mean is g and the corrected square is $g^2$, so the quotient is g / |g|. In Adam lr is a length: about how far a number goes in one step. You could multiply the loss by a million, and Adam would take the same steps.

# %% [markdown]
# **Predict.** Momentum, RMSprop and Adam go down the valley. In which direction does each leave the start? And does Adam run past the star?

# %%
# prediction 12.D3
%predict

# %%
racers = {
    "momentum 0.8": lambda params: SGD(params, 0.05, momentum=0.8),
    "RMSprop": lambda params: RMSprop(params, 0.3, alpha=0.9),
    "Adam": lambda params: Adam(params, 0.5),
}
race_down(racers, descend, CURVATURE)

# %% [markdown]
# **Explain.** RMSprop and Adam leave diagonally, as if the valley were round. Adam's ball runs past the star too, and takes longest: its height is below 0.01 for good after 79 steps. RMSprop creeps up to it, but does not stay: divided by their usual size, even tiny gradients make long steps, unless lr shrinks.

# %% [markdown]
# ### Exercise 12.5
#
# In Adam a penalty inside the gradient does something odd: it is divided too. Beside large gradients it disappears; beside tiny ones it dominates.
#
# **AdamW** takes the decay out of the gradient (*decoupled* weight decay). The parameter first shrinks by the factor 1 - lr · λ; then Adam takes its step with the plain gradient. Fill in `AdamW.update`.

# %%
%check 12.5

# %% [markdown]
# ## E. The race on the digits
#
# Here is a net with 2,410 parameters, and the digits of notebook 10 in batches of 32. All four optimizers begin with the same weights and see the same batches.

# %%
pictures, digits = load_digits()
x_train, x_test, y_train, y_test = train_test_split(pictures, digits, seed=0)


def trained(make_optimizer, epochs=8, seed=0, batch_size=32, make_schedule=None):
    """For each epoch its mean loss, and the accuracy on the digits held back."""
    net = nn.MLP([64, 32, 10], "relu", rng=np.random.default_rng(seed))
    optimizer = make_optimizer(net.parameters())
    schedule = make_schedule(optimizer) if make_schedule else None
    losses, read, loader = [], [], DataLoader(x_train, y_train, batch_size, seed=seed)
    for _ in range(epochs):
        losses.append(train_epoch(net, cross_entropy, optimizer, loader))
        with no_grad():
            read.append(accuracy(net(Tensor(x_test)), y_test))
        if schedule:
            schedule.step()
    return losses, read


# %% [markdown]
# **Predict.** SGD and momentum have lr 0.05, RMSprop and Adam 0.003. After eight epochs, who reads best? By how much?

# %%
# prediction 12.E1
%predict

# %%
racers = {
    "SGD 0.05": lambda params: SGD(params, 0.05),
    "momentum 0.9": lambda params: SGD(params, 0.05, momentum=0.9),
    "RMSprop 0.003": lambda params: RMSprop(params, 0.003),
    "Adam 0.003": lambda params: Adam(params, 0.003),
}
race_on(racers, trained)

# %% [markdown]
# **Explain.** Momentum, RMSprop and Adam are far down after three epochs, and SGD is still on its way. Over 20 sets of first weights SGD had 89.5 % on average, the others 96.1 to 96.5 %.
#
# Is SGD a bad optimizer, then? No: with lr 1.0 instead of 0.05 it has 96.2 %, and momentum with ten times its lr only 63.7 %. To compare optimizers, look for the best lr of *each*. What Adam buys is that 0.001 to 0.01 is rarely far off for nets of this size. So it is the usual choice for a new problem.

# %% [markdown]
# **A good place to stop.** On a fresh kernel, run the imports.

# %% [markdown]
# ## Bug hunt (stretch)
#
# Here are four implementations of momentum 0.5, for a single number that begins at 0. You see them only from the outside: you give steps (gradient, lr), and they say where they are. All four are wrong. A dot means: right so far.

# %%
from grader.broken_engines.momentums import ENGINES, places, right


def compare(run):
    wanted = places(right, run)
    print("right: " + "".join(f"{place:9.4f}" for place in wanted))
    for name, engine in ENGINES.items():
        found = places(engine, run)
        off = [abs(place - want) > 1e-9 for place, want in zip(found, wanted)]
        shown = [f"{place:9.4f}" if wrong else f"{'.':>9}" for place, wrong in zip(found, off)]
        print(f"{name}:     " + "".join(shown))


compare([(1, 0.1), (1, 0.1)])

# %% [markdown]
# Two have given themselves away here. What could the other two be doing?
#
# ### Exercise 12.10
#
# In `hunts.py` return one run of up to three steps after which all four are in a wrong place: what counts is where they end. The first gradient is given. Try ideas here:

# %%
compare([(1, 0.1), (0, 0.1)])

# %%
%check 12.10

# %% tags=["nbval-ignore-output"]
compare(hunts.four_wrong_momentums(2))

# %% [markdown]
# <details><summary>What is wrong with each</summary>
#
# A keeps the last gradient instead of the velocity. B has lr inside the velocity. C always looks ahead, like Nesterov. D takes a mean of velocity and gradient after its first step. With a well-chosen lr nobody would notice from a loss curve. That is why optimizers are tested with several steps, several parameters, and a change of lr.
#
# </details>

# %% [markdown]
# **A good place to stop.** You have written the optimizers that most nets are trained with. The rest is stretch. On a fresh kernel, run the imports; for K also the cell of E that defines `trained`.

# %% [markdown]
# ## F. Schedules (stretch)
#
# Long steps are good at the beginning, short ones at the end. A **learning-rate schedule** sets `optimizer.lr` after each epoch, or after each step. If the first lr is 0.4:
#
# - **StepLR** multiplies lr by gamma after every `step_size` steps. With 0.5 and 3 it is 0.4, 0.4, 0.2, 0.1 after t = 0, 2, 3, 6 steps.
# - **CosineLR** goes down to `min_lr` along half a cosine. With 4 steps down to 0 it is 0.4, 0.2, 0 at t = 0, 2, 4.
# - With a **warmup**, lr first grows in a straight line, while Adam's means know little. With 3 steps it is 0.1, 0.2, 0.3, 0.4 at t = 0, 1, 2, 3.
#
# A cosine that goes from 1 down to 0, while u goes from 0 to 1, is
#
# $$\frac{1 + \cos(\pi \, u)}{2}$$

# %% [markdown]
# ### Exercise 12.6
#
# Fill in `lr_at(t)` for both learning-rate schedules. Each is a formula in t and remembers nothing. Find the formulas from the numbers above. After a warmup the cosine has fewer steps for its way down, and it ends at `min_lr`, not at 0.

# %%
%check 12.6

# %%
def curve(kind, **options):
    schedule = kind(SGD([Tensor(0.0)], lr=0.4), **options)
    rates = [schedule.optimizer.lr]
    for _ in range(59):
        schedule.step()
        rates.append(schedule.optimizer.lr)
    return rates


ax = axes_on_a_card(None, (7, 2.8))
stairs = curve(StepLR, step_size=15, gamma=0.5)
ax.plot(stairs, color=LINES[0], drawstyle="steps-post", linewidth=2, label="StepLR")
down = curve(CosineLR, total_steps=50, min_lr=0.02)
ax.plot(down, color=LINES[1], linestyle="--", linewidth=2, label="CosineLR")
up_and_down = curve(CosineLR, total_steps=50, warmup=10)
ax.plot(up_and_down, color=LINES[2], linestyle="-.", linewidth=2, label="CosineLR with warmup")
ax.set(xlabel="step", ylabel="lr")
ax.grid(color=GRID)
ax.legend()
plt.show()

# %% [markdown]
# The picture shows stairs that halve, a curve that ends flat at 0.02 and stays there, and one that climbs for ten steps before it falls to 0.

# %% [markdown]
# ## G. When gradients explode (stretch)
#
# Some nets use the same weight again and again, such as those that read a text letter by letter. Here is a small model: twelve factors w, and the product should be 1.
#
# **Predict.** The loss is (w¹² - 1)². We begin at w = 1.3, where w¹² is 23. The derivative there is 24 · w¹¹ · 22. About how far does a step of lr 0.001 go?

# %%
# prediction 12.G1
%predict

# %%
def twelve_times(lr=0.001, max_norm=None, steps=5):
    w = Tensor(np.array(1.3))
    optimizer = SGD([w], lr=lr)
    for step in range(steps):
        out = w
        for _ in range(11):
            out = out * w
        loss = (out - 1) ** 2
        optimizer.zero_grad()
        loss.backward()
        before = abs(w.grad)
        if max_norm is not None:
            clip_grad_norm_([w], max_norm)
        optimizer.step()
        print(f"loss {loss.item():9.3g}   norm {before:9.3g} -> {abs(w.grad):9.3g}   w {w.item():9.3g}")


with np.errstate(over="ignore"):   # infinite numbers are what we came for
    twelve_times(steps=3)

# %% [markdown]
# **Explain.** The gradient is 9,600, so the step goes 9.6 down, to -8.3. After the next step the loss overflows. The direction was right. Only the length was absurd.
#
# **Gradient clipping** keeps the direction and shortens the length: all gradients together are seen as one long vector, and if its length (the *global norm*) is more than `max_norm`, every number is multiplied by the same factor. If two parameters have the gradients [3, 0] and [0, 4], the length is 5. With max_norm 1 they become [0.6, 0] and [0, 0.8]. Clipped one by one they would be [1, 0] and [0, 1]: another direction.
#
# ### Exercise 12.7
#
# In `optim.py` fill in `clip_grad_norm_`. The underscore at the end says that it changes its arguments in place. It returns the norm from before the clipping, because that is the number to watch.

# %%
%check 12.7

# %%
twelve_times(lr=0.04, max_norm=1.0, steps=10)

# %% [markdown]
# **Explain.** The left number is the norm before gradient clipping, the right one after. While the gradient is absurd, each step goes lr · 1 = 0.04 downhill, and no further. w comes down to 1, with a learning rate 40 times as large as before.

# %% [markdown]
# **A good place to stop.** On a fresh kernel, run the imports.

# %% [markdown]
# ## H. Two layers of a new kind (stretch)
#
# Your engine differentiates whatever you compute. So a new layer needs a forward pass, and nothing else.
#
# **Dropout** sets each number to 0 with probability p, in training only. Then a net cannot rely on any single number, so dropout is regularisation too. The numbers that stay are made larger, so that on average the next layer gets as much as before. In use (at inference), after `eval()`, everything passes through unchanged.
#
# **LayerNorm** (**layer normalisation**) takes each row, moves its mean to 0 and scales its standard deviation to 1. Then it multiplies each column by a weight of its own and adds a bias; both are learnt.
#
# A row by hand: [1, 2, 6]. Mean 3. Differences -2, -1, 3. Variance (4 + 1 + 9) / 3 = 4.67, its root 2.16. Result: -0.93, -0.46, 1.39.

# %% [markdown]
# ### Exercise 12.8
#
# Open `babygrad/normalize.py` and fill in both `forward` methods. With p = 0.75 a quarter of 10,000 ones stay. What must these become, for the mean to be 1 again? Use operations on Tensors throughout: what NumPy computes from `.data` is not recorded, so no gradient comes back through it.

# %%
%check 12.8

# %%
ones, layer = Tensor(np.ones(10_000)), Dropout(0.75, rng=np.random.default_rng(0))
for name, training in {"in training": True, "in use": False}.items():
    out = layer.train(training)(ones).data
    print(f"{name}: {np.unique(out)}, mean {out.mean():.1f}")

# %% [markdown]
# In layer normalisation each input reaches the output on three paths: directly, through the mean, and through the variance.
#
# **Predict.** One row is [1, 2, 6], another is 100 times that. Compare their outputs. And compare the gradients of the first output: the same, 100 times larger, or 100 times smaller?

# %%
# prediction 12.H2
%predict

# %%
layer = LayerNorm(3)
print("gradcheck:", gradcheck(layer, [Tensor([[1.0, 2.0, 6.0], [-4.0, 0.0, 4.0]])]))
for factor in (1, 100):
    x = Tensor(factor * np.array([[1.0, 2.0, 6.0]]))
    out = layer(x)
    out.backward([[1.0, 0.0, 0.0]])
    print(f"{factor:4} times the row:  out {out.data[0].round(3)}   gradient {x.grad[0].round(6)}")

# %% [markdown]
# **Explain.** The output is the same, and the gradient is 100 times smaller: if x is 100 times larger, a step of 1 means 100 times less.

# %% [markdown]
# ## I. Learnt by heart (stretch)
#
# Regularisation is said to help against overfitting. Here are 300 digits to learn from. For 30 % of them the label was replaced by one drawn at random, so the net is told some 80 lies. The other 1,497, with true labels, are for measuring.
#
# **Predict.** How does the loss on its own 300 behave? And on the others: does it fall to the end? Which helps more, a dropout of 0.5 or a weight decay of 1?

# %%
# prediction 12.I1
%predict

# %%
pictures, digits = load_digits()


def learnt_by_heart(seed=0, samples=300, lies=0.3, dropout=0.0, decay=0.0, epochs=60):
    """The losses on the samples of the training, on the others, and the share of others read."""
    rng = np.random.default_rng(seed)
    order = rng.permutation(len(pictures))
    own, others = order[:samples], order[samples:]
    told = digits[own].copy()
    lied_to = rng.random(samples) < lies
    told[lied_to] = rng.integers(0, 10, lied_to.sum())

    middle = [nn.Linear(64, 128, rng=rng), nn.ReLU()] + ([Dropout(dropout, rng)] if dropout else [])
    net = nn.Sequential(*middle, nn.Linear(128, 10, rng=rng))
    optimizer = AdamW(net.parameters(), lr=0.01, weight_decay=decay)
    loader, on_own, on_others = DataLoader(pictures[own], told, 20, seed=seed), [], []
    for _ in range(epochs):
        train_epoch(net.train(), cross_entropy, optimizer, loader)
        net.eval()
        with no_grad():
            on_own.append(cross_entropy(net(Tensor(pictures[own])), told).item())
            scores = net(Tensor(pictures[others]))
            on_others.append(cross_entropy(scores, digits[others]).item())
    return on_own, on_others, accuracy(scores, digits[others])


figure, axes = plt.subplots(1, 3, figsize=(9, 3), sharey=True, layout="constrained")
for ax, (name, options) in zip(axes, {"neither": {}, "Dropout 0.5": {"dropout": 0.5}, "decay 1": {"decay": 1.0}}.items()):
    on_own, on_others, read = learnt_by_heart(**options)
    plot_losses({"its own 300": on_own, "the others": on_others}, ax, xlabel="epoch")
    ax.set_title(f"{name}: {read:.1%} of the others read", color=INK, fontsize=10)
plt.show()

# %% [markdown]
# **Explain.** On the left the picture shows two curves that part: the loss on its own samples falls towards 0, while that on the others turns around and climbs. The net has learnt the lies by heart. With dropout the curves part later and less, with weight decay hardly at all: to learn a lie by heart, a net needs large weights, or units that rely on one another. And if nobody lies (`lies=0.0`)? The share of the others that was read, on average over 20 draws:
#
# | training | with lies | with true labels |
# |---|---|---|
# | neither | 72.5 % | 94.2 % |
# | dropout 0.5 | 81.4 % | 94.4 % |
# | weight decay 1 | 83.5 % | 92.6 % |
#
# Both help where the data hold something that should *not* be learnt.

# %% [markdown]
# **A good place to stop.** You can clip gradients, write layers without a backward pass, and see a net overfit. On a fresh kernel, run the imports; for K also the cell of E that defines `trained`.

# %% [markdown]
# ## J. Looking at gradients (stretch)
#
# A deep net: ten layers of 16 units, and the moons as data.
#
# **Predict.** The derivative of a sigmoid is at most 1/4. From layer 10 to layer 1 a gradient has to go back through nine of them, and through nine matrices of small weights. How large is the gradient of layer 1, if that of layer 10 is about 0.04?

# %%
# prediction 12.J1
%predict

# %% jupyter={"source_hidden": true}
points, labels = make_moons(256, noise=0.2, seed=0)


class Residual(nn.Module):
    """x plus what the layers make of it."""

    def __init__(self, *layers):
        self.inside = nn.Sequential(*layers)

    def forward(self, x):
        return x + self.inside(x)


def deep_net(activation, start=init.linear_uniform, residual=False, norm=False, depth=10, width=16):
    rng = np.random.default_rng(1)
    blocks = []
    for n_in in [2, *[width] * (depth - 1)]:
        linear = nn.Linear(n_in, width, rng=rng)
        linear.weight.data[...] = start(n_in, width, rng)
        linear.bias.data[...] = 0
        layers = [linear, LayerNorm(width), activation()] if norm else [linear, activation()]
        block = Residual if residual and n_in == width else nn.Sequential
        blocks.append(block(*layers))
    return nn.Sequential(*blocks, nn.Linear(width, 2, rng=rng))


def norms_of(net):
    """The norm of each weight matrix's gradient, from the first layer to the last."""
    net.zero_grad()
    cross_entropy(net(Tensor(points, requires_grad=False)), labels).backward()
    return [np.linalg.norm(p.grad) for p in net.parameters() if p.ndim == 2]


def show_norms(nets):
    print(f"{'gradient in layer':32}" + "".join(f"{i:>9}" for i in (1, 4, 7, 10)))
    for name, net in nets.items():
        norms = norms_of(net)
        print(f"{name:32}" + "".join(f"{norms[i - 1]:9.0e}" for i in (1, 4, 7, 10)))

# %%
show_norms({"sigmoid": deep_net(nn.Sigmoid)})

# %% [markdown]
# **Explain.** Between layer 10 and layer 1 the gradient shrinks by a factor of twenty million: each of nine layers divides it by about 6.5. The first layers learn nothing. Such a **vanishing gradient** was for twenty years a main reason why deep nets did not work.
#
# **Predict.** Here are four cures: another activation function; first weights that fit it; shortcuts x + f(x), called **residual connections**; LayerNorm. How much does each help? And does the second or the third save the sigmoid?

# %%
# prediction 12.J2
%predict

# %%
def far_too_large(n_in, n_out, rng):
    return rng.normal(size=(n_in, n_out))


show_norms({
    "sigmoid": deep_net(nn.Sigmoid),
    "sigmoid, xavier": deep_net(nn.Sigmoid, init.xavier_normal),
    "sigmoid, residual": deep_net(nn.Sigmoid, residual=True),
    "tanh": deep_net(nn.Tanh),
    "tanh, xavier": deep_net(nn.Tanh, init.xavier_normal),
    "relu": deep_net(nn.ReLU),
    "relu, kaiming": deep_net(nn.ReLU, init.kaiming_normal),
    "relu, LayerNorm": deep_net(nn.ReLU, norm=True),
    "relu, weights far too large": deep_net(nn.ReLU, far_too_large),
})

# %% [markdown]
# **Explain.** Look along each row: is it level? And look at its size.
#
# - tanh and relu have derivatives up to 1: their rows are level.
# - **A good initialisation** keeps the size of what goes through: xavier for tanh, kaiming for relu. It does not save the sigmoid.
# - **Residual connections** save even the sigmoid. In x + f(x) the gradient goes back through the + unchanged.
# - **Layer normalisation** repairs the size of what goes forward: the relu row is no longer small.
# - Weights that are too large do the opposite: the numbers *explode* on their way forward, and so does the loss.

# %% [markdown]
# To see vanishing gradients during training, `GradientMonitor` (in `toolbox/training/monitor.py`) writes down for every parameter: norm, mean and standard deviation of the gradient, a histogram, the size of the update relative to the parameter (rule of thumb: about 1/1000), and the share of *dead* units, which get no gradient at all.

# %% [markdown]
# ### Lights out
#
# A relu that answers 0 for every sample gets no gradient: it is dead. Each square is one of 64 such units. It is on as long as one of the 1,437 digits gives it a gradient, according to `dead_units`.
#
# **Predict.** Plain SGD trains two such nets, with lr 1 and with lr 2. When do units die: early or late? Does one come back?

# %%
# prediction 12.J3
%predict

# %% tags=["nbval-ignore-output"]
x_train, x_test, y_train, y_test = train_test_split(*load_digits(), seed=0)
nets = {}
for lr in (1.0, 2.0):
    net = nn.MLP([64, 64, 10], "relu", rng=np.random.default_rng(0))
    nets[f"lr {lr:g}"] = net, SGD(net.parameters(), lr)
lights_go_out(nets, cross_entropy, DataLoader(x_train, y_train, 32, seed=0))

# %% [markdown]
# **Explain.** They die early, while the steps are long, and none comes back: without a gradient its weights stay as they are. With lr 1 ten of 64 are lost, and the others do the work. With lr 2 nearly all die, and the net answers every digit alike. (With 20 other sets of first weights: 5 to 23 dead units with lr 1, 60 to 64 with lr 2.)
#
# ### Watching it train
#
# Two nets of four sigmoid layers and an output layer, layer 5, train for 60 steps, one plain, one with residual connections.
#
# **Predict.** Which layer of the plain net has the smallest gradient at first? Does that change while the net learns? And in the net with residual connections?

# %%
# prediction 12.J4
%predict

# %%
def train(net, optimizer, steps=60, batches=None):
    monitor = GradientMonitor(net)
    for x, y in batches or [(points, labels)] * steps:
        loss = cross_entropy(net(Tensor(x, requires_grad=False)), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        monitor.record()
    return monitor, loss.item()


monitors = {}
for name, residual in {"sigmoid": False, "sigmoid, residual": True}.items():
    net = deep_net(nn.Sigmoid, residual=residual, depth=4)
    monitors[name], loss = train(net, SGD(net.parameters(), lr=0.1, momentum=0.9))
    print(f"{name}: loss {loss:.2f} after 60 steps")
gradients_move(monitors)

# %% [markdown]
# **Explain.** In the plain net the first layer's gradient is at first 300 times smaller than the last one's. In the end the bars are level too, but all near 0.0005: the last layers' gradients have shrunk as well, and the loss is still 0.69, that of guessing. With residual connections the bars stay high, and the loss falls.

# %% [markdown]
# ## K. Beat it (stretch)
#
# The same net, five epochs: who reads the most of the 360 digits held back? Optimizer, lr, momentum, learning-rate schedule, batch size, weight decay, gradient clipping (`optimizer.before_step = [lambda: clip_grad_norm_(params, 1.0)]`): anything goes. Each try is the mean over three first weights, since a single one may be lucky.
#
# The cell keeps a table of your tries: change `name` and the line below it, and run it again.

# %% tags=["nbval-ignore-output"]
tries = {}


def attempt(name, make_optimizer, **options):
    tries[name] = np.mean([trained(make_optimizer, epochs=5, seed=seed, **options)[1][-1] for seed in range(3)])
    for who, read in sorted(tries.items(), key=lambda pair: -pair[1]):
        print(f"{read:7.2%}  {who}" + ("   <- this one" if who == name else ""))


attempt("SGD 0.05", lambda params: SGD(params, 0.05))
print()
attempt("Adam 0.003", lambda params: Adam(params, 0.003))

# %% tags=["nbval-ignore-output"]
name = "momentum 0.9, 0.1"
attempt(name, lambda params: SGD(params, 0.1, momentum=0.9), batch_size=32, make_schedule=None)

# %% [markdown]
# A learning-rate schedule goes in as `make_schedule=lambda optimizer: CosineLR(optimizer, 5)`.
#
# <details><summary>What we reached</summary>
#
# 97.8 %, with Adam 0.02, batches of 16, and a cosine over the five epochs. Three first weights are few: over 20 it has 97.4 %, and 95.8 % without the cosine.
#
# If you try 50 settings and take the best on these 360 digits, you have fitted them, a little. For an honest number you need a third part of the data.
#
# </details>

# %% [markdown]
# ## Reflection
#
# Write an answer to one of these questions before you unfold ours. Answer the other aloud, as in an interview.

# %%
%%note 12.R1

# %% [markdown]
# <details><summary><b>What does each optimizer keep for a parameter, and what does that cost in memory?</b></summary>
#
# SGD keeps nothing, momentum one array, RMSprop one (two with momentum), Adam two and a count. So Adam's memory is twice the model's size.
#
# </details>
#
# <details><summary><b>Why does Adam need a bias correction, and momentum none?</b></summary>
#
# Adam's means should be true means from the first step on: their size counts, since one is divided by the other. A velocity that is small at first only means a soft start.
#
# </details>

# %%
%predictions 12

# %% [markdown]
# ## In other books
#
# What the words of this notebook are called elsewhere, and in PyTorch and JAX: [the glossary](../docs/glossary.md#12-optimizers).

# %% [markdown]
# ## The rule to keep
#
# **A gradient gives a direction; memory, scale and schedule turn it into a step, in place and outside the graph.**

# %% [markdown]
# ## Where you are
#
# You have everything that training needs, from the product rule to Adam. In notebook 13 you put it beside PyTorch.
