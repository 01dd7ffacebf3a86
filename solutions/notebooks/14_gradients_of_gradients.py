# %% [markdown]
# # 14 · Gradients of gradients
#
# Each rule of your engine is made of operations. So the backward pass computes like any other code: it can be recorded, and differentiated again. In notebook 09 that was one option, `create_graph=True`. Here it gives you forward mode without a single forward rule, a step that knows how far to go, a net that is told to be smooth, and a learning rate that is learned.

# %% jupyter={"source_hidden": true}
%load_ext grader

# %%
import matplotlib.pyplot as plt
import numpy as np

from babygrad import Dual, Tensor, grad, hunts, nn
from babygrad.autograd import topological_order
from babygrad.higher import descended, gradient_penalty, hessian, hvp, jvp, newton_step
from babygrad.losses import binary_cross_entropy_with_logits
from babygrad.optim import Adam
from babygrad.training import accuracy
from toolbox import clock, make_moons
from toolbox.drawing.plots import GRID, INK, LINES, axes_on_a_card
from toolbox.films.boundaries import BoundaryFilm, film_of

# %% [markdown]
# ## Goals
#
# Afterwards you can
#
# - get a Jacobian-vector product from two backward passes, and say when forward mode is cheaper,
# - multiply by a Hessian that is never built, and say what a backward pass through a backward pass costs,
# - write Newton's method, and say why nobody trains large nets with it,
# - put a gradient into a loss, and differentiate through a training loop.

# %% [markdown]
# ## Recall

# %%
%quiz before 14

# %% [markdown]
# <details class="recall"><summary>From notebooks 01, 09 and 13, without looking</summary>
#
# 1. What does a `Dual` carry, and what does its slope say?
# 2. What does `grad(L, x, create_graph=True)` return, and what without that option?
# 3. y has m numbers, x has n. Which product does one backward pass compute, and what shapes go in and come out?
#
# </details>
#
# <details><summary>Answers</summary>
#
# - **1**: A value, and how fast it moves if the input moves at the given rate.
# - **2**: The gradient, recorded: it knows how it depends on x. Without it the gradient is a constant.
# - **3**: A vector-Jacobian product Jᵀu: u has the shape of y, the result that of x.
#
# </details>

# %% [markdown]
# ## A. The third derivative of tanh
#
# The derivatives of $t = \tanh x$ can be found on paper:
#
# $$t' = 1 - t^2, \qquad t'' = -2t\,(1 - t^2), \qquad t''' = -2\,(1 - t^2)(1 - 3t^2)$$
#
# Your rule of tanh has the first of them in it. The next cell calls `grad` four times, each time on what came out before, compares the first three, and counts the nodes of each result's graph.
#
# **Predict.** The graph of tanh has two nodes. About how many does that of the second derivative have, and that of the fourth?

# %%
# prediction 14.A1
%predict

# %% tags=["nbval-ignore-output"]
x = Tensor(0.7)
derivative = t = x.tanh()
on_paper = [1 - t**2, -2 * t * (1 - t**2), -2 * (1 - t**2) * (1 - 3 * t**2)]
for order in range(1, 5):
    derivative = grad(derivative, x, create_graph=True)
    formula = f"{on_paper[order - 1].item():.12f}" if order <= 3 else ""
    print(f"{order}  {derivative.item():18.12f}  {formula:>16}  nodes: {len(topological_order(derivative)):5}")

# %% [markdown]
# **Explain.** All twelve digits agree. But the graph grows, in the end by a factor of two and a half with each order: a backward pass goes through everything that the one before it recorded, and adds its own operations.

# %% [markdown]
# ## B. Forward, out of two backward passes
#
# `Dual`, the forward mode of notebook 01, needs a rule of its own for each operation. Here is a trick that needs none.
#
# Let y have m numbers and x n, so J is of shape (m, n). Forward mode finds the Jacobian-vector product J v. A recorded backward pass takes an upstream gradient u and returns $g = J^{\top} u$. Now x stays where it is: look at g as a function *of u*. What is its Jacobian? And what comes out of a backward pass through this function, begun with a vector v of x's shape?

# %% [markdown]
# ### Exercise 14.1
#
# In `babygrad/higher.py`, `jvp` has called the function once, and must not call it again. The result's tangent is missing. Which numbers must u hold?
#
# Neither of the two that you return requires grad: `detach()` gives the result without its history. `inner_product`, at the end of the file, adds up the products of two lists of Tensors.

# %%
%check 14.1

# %% [markdown]
# **Explain.** g is a matrix times u. So the matrix itself is its Jacobian, $J^{\top}$, whatever numbers u holds. A backward pass through it multiplies by the transpose: $(J^{\top})^{\top} v = J v$. This is the *double-backward trick*. With numbers, for m = 2 and n = 3:
#
# $$J = \begin{pmatrix} 1 & 2 & 0 \\ 0 & 1 & 3 \end{pmatrix}, \quad J^{\top} u = \begin{pmatrix} u_1 \\ 2u_1 + u_2 \\ 3u_2 \end{pmatrix}, \quad J v = \begin{pmatrix} v_1 + 2v_2 \\ v_2 + 3v_3 \end{pmatrix}$$
#
# In $J^{\top} u$, $u_1$ stands once in the first number and twice in the second: from v it gets v₁ + 2v₂.
#
# One function, by a Dual and by `jvp`, both at the rate 1:

# %%
def wave(x):
    return (x * x).exp() / (x + 3) - x.tanh()


moving = wave(Dual(0.7, 1.0))
output, tangent = jvp(wave, Tensor(0.7), 1.0)
print(f"Dual:  {moving.value:.12f}  {moving.slope:.12f}")
print(f"jvp:   {output.item():.12f}  {tangent.item():.12f}")

# %% [markdown]
# **Which, and when?** If only one input moves, the JVP is a column of J. If only one output has an upstream gradient, the VJP is a row. So the whole Jacobian takes n of the one or m of the other. Below, `wide` makes 300 numbers out of 3, and `narrow` 3 out of 300.
#
# **Predict.** By columns (a `jvp` for each input, which is two backward passes) or by rows (a backward pass for each output): which is faster for `wide`, and by what factor? Which for `narrow`?

# %%
# prediction 14.B2
%predict

# %% tags=["nbval-ignore-output"]
rng = np.random.default_rng(0)
out_of_3, out_of_300 = Tensor(rng.normal(size=3)), Tensor(rng.normal(size=300))
to_300, to_3 = Tensor(rng.normal(size=(3, 300))), Tensor(rng.normal(size=(300, 3)))


def wide(x):
    return (x @ to_300).tanh()


def narrow(x):
    return (x @ to_3).tanh()


def columns(fn, x):
    return np.stack([jvp(fn, x, direction)[1].data for direction in np.eye(x.size)], axis=1)


def rows(fn, x):
    y = fn(x)
    return np.stack([grad(y, x, direction).data for direction in np.eye(y.size)])


print("the same matrix:", np.allclose(columns(wide, out_of_3), rows(wide, out_of_3)))
took = clock.times(
    {
        "wide, columns": lambda: columns(wide, out_of_3),
        "wide, rows": lambda: rows(wide, out_of_3),
        "narrow, columns": lambda: columns(narrow, out_of_300),
        "narrow, rows": lambda: rows(narrow, out_of_300),
    },
    recorded={"wide, columns": 429, "wide, rows": 8_633, "narrow, columns": 43_073, "narrow, rows": 112},
)
for name, microseconds in took.items():
    print(f"{name:16}{microseconds / 1000:8.2f} ms")

# %% [markdown]
# **Explain.** Few inputs, many outputs: forward. Where this was recorded it took a twentieth of the time. Many inputs, few outputs: reverse. A loss is one output, and its inputs are all weights: that is why nets are trained backwards.
#
# Forward rules, such as those of `Dual`, need one pass, and no tape. The trick saves writing them.

# %% [markdown]
# **A good place to stop.** You have forward mode for every operation of your engine. On a fresh kernel, run the imports.

# %% [markdown]
# ## C. How a gradient changes
#
# A function of n numbers has n slopes, and each slope changes with each of the n numbers: n² second derivatives. The table of them is the **Hessian** H, the Jacobian of the gradient. It describes the **curvature**: how the function bends, in each direction.
#
# $$H_{ij} = \frac{\partial^2 f}{\partial x_i \, \partial x_j}$$
#
# Where the second derivatives are continuous it is symmetric (take this as a fact). And it is large: 11 MB for a net with 1,185 weights, 123 million gigabytes for a small language model with 124 million.
#
# But often it is wanted for one direction only: if the weights move along v, how does the gradient move? That is Hv, the **Hessian-vector product**.

# %% [markdown]
# ### Exercise 14.2
#
# You have the recorded gradient $g(x)$, and v, a constant. Of which single number is Hv the gradient? Fill in `hvp`, in the same file. It takes a function whose result is one number, such as a loss.

# %%
%check 14.2

# %% [markdown]
# **Explain.** Of the inner product $g(x) \cdot v$. Its derivative with respect to $x_j$ adds up $\partial g_i / \partial x_j$ times $v_i$: the transpose of H, times v. And H is symmetric. With ∇ for the gradient with respect to x:
#
# $$\nabla \big(g(x) \cdot v\big) = H^{\top} v = H v$$

# %% [markdown]
# ### Exercise 14.3
#
# Fill in `hessian`, for functions of a few numbers. If x has the shape (2, 3), the Hessian has the shape (2, 3, 2, 3): each place is a pair of places of x.

# %%
%check 14.3

# %% [markdown]
# The next cell measures time and memory, for a net with 1,185 weights and 512 points: of the loss alone, the gradient, the product Hv along a random direction, and one order more.
#
# **Predict.** How many times as long as a gradient does a Hessian-vector product take? And how many times as much memory?

# %%
# prediction 14.C3
%predict

# %% tags=["nbval-ignore-output"]
rng = np.random.default_rng(1)
net = nn.MLP([2, 32, 32, 1], "tanh", rng=rng)
inputs = Tensor(rng.normal(size=(512, 2)), requires_grad=False)
weights = net.parameters()
direction = [rng.normal(size=w.shape) for w in weights]


def loss(*_):
    return (net(inputs) ** 2).mean()


def bend(*_):
    """How much the loss bends along the direction: a number, recorded."""
    slopes = grad(loss(), weights, create_graph=True)
    along = sum((slope * d).sum() for slope, d in zip(slopes, direction))
    return sum((slope * d).sum() for slope, d in zip(grad(along, weights, create_graph=True), direction))


calls = {
    "the loss": loss,
    "its gradient": lambda: grad(loss(), weights),
    "a product Hv": lambda: hvp(loss, weights, direction),
    "third order": lambda: grad(bend(), weights),
}
took = clock.times(calls, {"the loss": 85, "its gradient": 497, "a product Hv": 1491, "third order": 4485})
most = clock.peaks(calls, {"the loss": 535, "its gradient": 1207, "a product Hv": 3395, "third order": 9267})
for name in calls:
    print(f"{name:14}{took[name] / 1000:8.1f} ms{most[name] / 1000:8.1f} MB")

# %% [markdown]
# **Explain.** Where this was recorded: three times the time of a gradient, and nearly three times its memory. The second pass goes through the forward pass and through the first backward pass, so the arrays of both must be kept. Still, it is a handful of passes; the whole Hessian would take 1,185.

# %% [markdown]
# ## D. A valley, and a short cut
#
# A famous test: the valley of Rosenbrock (1960). Its floor is a bent, nearly flat trough, its walls are steep, and the minimum is at (1, 1).
#
# $$f(x, y) = (1 - x)^2 + 100\,(y - x^2)^2$$
#
# **Newton's method** looks at the curvature too. Near x a function is almost a parabola; its gradient, a step d further, is about $g + H d$: the slope here, and how much it changes on the way. Where is the parabola's bottom? Where this is zero:
#
# $$H d = -g$$
#
# So there is no learning rate: the curvature says how far to go, in each direction.

# %% [markdown]
# ### Exercise 14.4
#
# Fill in `newton_step`. NumPy solves the equations: `np.linalg.solve(A, b)` finds the d for which `A @ d` is b.

# %%
%check 14.4

# %% [markdown]
# Gradient descent and Newton's method both start at (-1.2, 1). The first gets 2,000 steps, with a learning rate of 0.001, the other six.
#
# **Predict.** Who is nearer to (1, 1) in the end? And does the height fall in each of Newton's steps?

# %%
# prediction 14.D1
%predict

# %%
def valley(p):
    x, y = p[0], p[1]
    return (1 - x) ** 2 + 100 * (y - x * x) ** 2


def walked(step, count):
    """The places of a walk from (-1.2, 1), an array (count + 1, 2)."""
    places = [Tensor([-1.2, 1.0])]
    for _ in range(count):
        places.append(step(places[-1]))
    return np.array([place.data for place in places])


downhill = walked(lambda p: Tensor(p.data - 0.001 * grad(valley(p), p).data), 2000)
by_newton = walked(lambda p: newton_step(valley, p), 6)
print("the Hessian at (1, 1):", hessian(valley, Tensor([1.0, 1.0])).numpy().tolist())
for number, place in enumerate(by_newton):
    print(f"Newton, step {number}: ({place[0]:6.3f}, {place[1]:6.3f})  height {valley(Tensor(place)).item():9.4f}")
print(f"downhill, 2,000:  ({downhill[-1][0]:6.3f}, {downhill[-1][1]:6.3f})  height {valley(Tensor(downhill[-1])).item():9.4f}")

# %% jupyter={"source_hidden": true}
across, up = np.meshgrid(np.linspace(-1.6, 1.6, 200), np.linspace(-3.5, 2, 200))
ax = axes_on_a_card(None, (7, 4))
ax.contour(across, up, (1 - across) ** 2 + 100 * (up - across**2) ** 2, levels=[1, 10, 50, 200, 600, 1200], colors="#9aa7b4")
ax.plot(*downhill.T, color=LINES[1], linewidth=3, label="gradient descent, 2,000 steps")
ax.plot(*by_newton.T, "o--", color=LINES[0], markersize=6, label="Newton's method, 6 steps")
for number, place in enumerate(by_newton[:4]):
    ax.annotate(str(number), place, xytext=(6, 6), textcoords="offset points", color=INK)
ax.plot(1, 1, "*", color=INK, markersize=14)
ax.set(xlabel="x", ylabel="y")
ax.legend(loc="lower left")
plt.show()

# %% [markdown]
# The picture: contour lines of a trough in the shape of a parabola. Gradient descent drops to its floor and crawls along it, and has come to (0.72, 0.52). Newton's path drops to the floor, leaps far off the floor to (0.76, -3.18), returns to the floor, and is at the star.
#
# **Explain.** The second step goes *up*, to 1,412, and the fourth too. There the parabola was a bad picture of the function: Newton's method goes to the parabola's bottom and does not look where it lands. In the end the distance to (1, 1) is 0.06, then 0.00001, then 0.00000000002. Gradient descent is still 0.0003 away after twenty thousand steps.

# %% [markdown]
# And it does not look for a minimum, but for a flat place.
#
# **Predict.** $f(x) = x^4 - x^2$ has a maximum at 0, and minima at ±0.707. Newton's method starts at 0.2. Where does it arrive?

# %%
# prediction 14.D2
%predict

# %%
place = Tensor([0.2])
for _ in range(3):
    place = newton_step(lambda x: (x**4 - x * x).sum(), place)
    print(f"{place.item():9.1e}")

# %% [markdown]
# **Explain.** At the maximum. Where the curvature is negative, the parabola's flat point is its top. This, the size of H, and the cost of solving with it (about n³ operations) are why nets are trained with gradients.

# %% [markdown]
# **A good place to stop.** You have second derivatives, one direction at a time or all of them. On a fresh kernel, run the imports.

# %% [markdown]
# ## E. A net that is told to be smooth
#
# Sixty points of the two moons, with a lot of noise. A net with 1,185 weights can bend its boundary around single points. There the net is steep: a small step in the plane changes the score a lot. A **gradient penalty** is the squared length of the score's gradient with respect to the *point*, averaged over the points:
#
# $$\frac{1}{N} \sum_{i} \left\| \frac{\partial\, \text{score}_i}{\partial\, \text{point}_i} \right\|^2$$
#
# It contains a gradient, and training needs *its* gradient, with respect to the weights: a pass through a pass.

# %% [markdown]
# ### Exercise 14.5
#
# Fill in `gradient_penalty`. There are N scores, and yet one backward pass finds the gradients of all of them. Of which number?

# %%
%check 14.5

# %% [markdown]
# **Explain.** Of their sum. The score of a point depends on this point alone, so row i of the gradient is that of score i.
#
# Two nets begin with the same weights. One has the cross-entropy alone as its loss, the other 0.1 times the gradient penalty besides.
#
# **Predict.** Which of the two is right about more of the 60 points, and which about more of 2,000 fresh ones? What will the second boundary look like?

# %%
# prediction 14.E2
%predict

# %% tags=["nbval-ignore-output"]
points, labels = make_moons(60, noise=0.35, seed=3)
fresh, fresh_labels = make_moons(2000, noise=0.35, seed=9)


def trained(strength, steps=400):
    """(the net, a film of its decision boundary) after some steps of Adam."""
    net = nn.MLP([2, 32, 32, 1], "tanh", rng=np.random.default_rng(0))
    optimizer, film = Adam(net.parameters(), lr=0.01), BoundaryFilm(points, labels)
    for step in range(steps + 1):
        if step % 25 == 0:
            film.look(net, when=f"After {step} steps" if step else "Before the training")
        if step == steps:
            return net, film
        scores = net(Tensor(points, requires_grad=False)).reshape(-1)
        loss = binary_cross_entropy_with_logits(scores, labels)
        if strength:
            loss = loss + strength * gradient_penalty(net, points)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


runs = {"without": trained(0), "with the penalty": trained(0.1)}
for name, (model, _) in runs.items():
    right = accuracy(model(Tensor(points)), labels), accuracy(model(Tensor(fresh)), fresh_labels)
    print(f"{name:17} right: {right[0]:.3f} of the 60, {right[1]:.3f} of the fresh ones")
film_of({name: film for name, (_, film) in runs.items()}, "The decision boundary, without and with a gradient penalty")

# %% [markdown]
# **Explain.** Without the penalty the boundary ends in bays and islands around single points, and all 60 are right. With it the boundary stays one smooth curve, gives up a few points that lie deep in the other moon, and is right about more of the fresh ones. (Over ten other first weights it was better each time, with 80.9 % on average against 79.3 %.) Weight decay keeps weights small; a gradient penalty keeps the *function* from being steep.

# %% [markdown]
# ## F. A learning rate that is learned
#
# Ten steps of gradient descent, from fixed first weights. How good the net is then depends on the learning rate. So there is a derivative. If all ten steps are recorded, with their gradients, one backward pass through the whole training gives it.
#
# Its name is the **hypergradient**: the gradient of a loss on data held back (a validation loss) with respect to a hyperparameter.
#
# **Predict.** Each step takes a gradient of the loss. If those gradients were constants, not recorded, would the derivative with respect to the learning rate be right after one step? After two?

# %%
# prediction 14.F1
%predict

# %% [markdown]
# <details><summary>Compare</summary>
#
# After one step, yes: $w_1 = w_0 - \eta\, g(w_0)$, and $g(w_0)$ does not depend on η. After two, no: $g(w_1)$ does, through $w_1$. How it changes with $w_1$ is the Hessian: each step multiplies by it, as a Hessian-vector product.
#
# </details>

# %% [markdown]
# ### Exercise 14.6
#
# Fill in `descended`. It is a training loop in which nothing is changed in place. For the hypergradient the last weights must know the learning rate: what must be recorded?

# %%
%check 14.6

# %% [markdown]
# The learning rate begins at 0.1. It must stay above 0, so its logarithm is what learns. Each round is ten steps of training from the same first weights, one backward pass through all of them, and one step of `log_lr`.
#
# **Predict.** Will it grow or shrink? And how far: to 0.3, to 3, to 30?

# %%
# prediction 14.F2
%predict

# %% tags=["nbval-ignore-output"]
points, labels = make_moons(200, noise=0.2, seed=0)
held_back, their_labels = make_moons(200, noise=0.2, seed=5)
start = [Tensor(w.data) for w in nn.MLP([2, 16, 1], "tanh", rng=np.random.default_rng(0)).parameters()]


def loss_on(points, labels):
    """A function of the four weights."""
    points = Tensor(points, requires_grad=False)

    def loss(w1, b1, w2, b2):
        return binary_cross_entropy_with_logits(((points @ w1 + b1).tanh() @ w2 + b2).reshape(-1), labels)

    return loss


train_loss, validation_loss = loss_on(points, labels), loss_on(held_back, their_labels)


def after_ten_steps(lr):
    return validation_loss(*descended(train_loss, start, lr, 10))


log_lr, rounds = Tensor(np.log(0.1)), []
for _ in range(25):
    found = after_ten_steps(log_lr.exp())
    rounds.append((np.exp(log_lr.item()), found.item()))
    log_lr = Tensor(log_lr.data - 4 * grad(found, log_lr).data)
for number in (0, 5, 10, 15, 20, 24):
    print(f"round {number:2}: lr {rounds[number][0]:.2f}, validation loss {rounds[number][1]:.3f}")

# %% jupyter={"source_hidden": true}
rates = np.geomspace(0.05, 6, 40)
ax = axes_on_a_card(None, (7, 3.2))
ax.plot(rates, [after_ten_steps(rate).item() for rate in rates], color=LINES[0], linewidth=2, label="every learning rate")
ax.plot(*np.transpose(rounds), "o", color=LINES[1], markersize=5, label="25 rounds of learning")
ax.set(xscale="log", xlabel="learning rate", ylabel="validation loss after 10 steps")
ax.grid(color=GRID)
ax.legend()
plt.show()

# %% [markdown]
# The picture: the loss falls from 0.55 on the left to a flat minimum of 0.28 between 2 and 4, and from 5 on it leaps up. The dots run down the curve, and end in the minimum.
#
# **Explain.** It grows, from 0.1 to about 2.8, and then swings a little, since the curve is flat there. To the right the curve is rugged, and a hypergradient tells little. And all ten steps are kept until the backward pass.

# %% [markdown]
# **A good place to stop.** On a fresh kernel, run the imports.

# %% [markdown]
# ## Bug hunt
#
# Three people compute Hessian-vector products of functions of two numbers. Ada takes the recorded gradient, adds it up, differentiates, and multiplies by the vector. Ben's rules take their local derivatives from `.data`, except for `+`, `-` and `*`. Cleo finds how much the function bends along the vector v, vᵀHv, divides it by v · v, and returns v times that.
#
# A fourth, Dora, multiplies by the transpose of the Hessian.
#
# **Predict.** Which function and which vector give Dora away? And who is wrong about x · y, with the vector (1, 2)?

# %%
# prediction 14.7a
%predict

# %%
from grader.broken_engines.second_orders import products_of

for name, product in products_of(lambda x, y: x * y, (1, 2)).items():
    print(f"{name:6} {product}")

# %% [markdown]
# **Explain.** Nothing gives Dora away: a Hessian is symmetric. The Hessian of x · y is 0 on the diagonal and 1 beside it, so (1, 2) becomes (2, 1). Ada finds row sums times the vector, (1, 2). Cleo's answer points along (1, 2). Ben is right: his product keeps both sides, and no other rule is asked.

# %% [markdown]
# ### Exercise 14.7
#
# In `babygrad/hunts.py`, return an expression of at most two operations, and a vector, for which all three are wrong. x is 2 and y is 3, and the first number of the vector is given.

# %%
%check 14.7

# %% tags=["nbval-ignore-output"]
vector = hunts.three_products(Tensor(2.0), Tensor(3.0), 4)[1]
for name, product in products_of(lambda x, y: hunts.three_products(x, y, 4)[0], vector).items():
    print(f"{name:6} {product.round(3)}")

# %% [markdown]
# ## Reflection
#
# Write an answer to one of these questions before you unfold ours. Answer the other aloud, as in an interview.

# %%
%%note 14.R1

# %% [markdown]
# <details><summary><b>How do you multiply by the Hessian of a net with a billion weights?</b></summary>
#
# Without building it. Either the gradient of the inner product of the gradient with v (reverse over reverse), or a Jacobian-vector product of the gradient (forward over reverse): `jvp` of a function that calls `grad`.
#
# </details>
#
# <details><summary><b>If Newton's method needs six steps, why does everybody train with gradients?</b></summary>
#
# H has n² numbers, and solving takes about n³ operations. It goes to a flat place, and that may be a maximum, or a saddle point: a minimum one way, a maximum the other. And the gradient of a mini-batch is noisy: a precise step towards the minimum of the wrong function is wasted.
#
# </details>

# %%
%predictions 14

# %% [markdown]
# ## In other books
#
# What the words of this notebook are called elsewhere, and in PyTorch and JAX: [the glossary](../docs/glossary.md#14-gradients-of-gradients).

# %% [markdown]
# ## The rule to keep
#
# **A gradient is a Tensor like any other, if the rules that made it are operations: it can be differentiated again.**

# %% [markdown]
# ## Where you are
#
# Your engine has passed through itself, and no line of `backward` was changed. The next notebook makes a program of a whole training step.
