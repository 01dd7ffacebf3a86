"""Wrong ideas about notebook 14, each as a patch for a private copy of the reference."""

import numpy as np

from grader.course.exercise import wrong

from .exercises import forward, hunt, matrix, newton, penalty, product, unrolled


def in_steps(bg, inputs, others, name):
    """What every function of higher.py begins with: (single, inputs, others)."""
    return (isinstance(inputs, bg.Tensor), *bg.higher.paired(inputs, others, name))


# 14.1: jvp.


def jvp_is(bg, tangent_of):
    """tangent_of(output, inputs, tangents) in place of the second half of jvp."""

    def jvp(fn, inputs, tangents):
        _, inputs, tangents = in_steps(bg, inputs, tangents, "tangent")
        output = fn(*inputs)
        return output.detach(), tangent_of(output, inputs, tangents)

    bg.higher.jvp = jvp


def by_upstream(bg, output, inputs, tangents, create_graph=True, requires_grad=True):
    upstream = bg.Tensor(np.ones(output.shape), requires_grad=requires_grad)
    gradients = bg.grad(output, inputs, upstream, create_graph=create_graph)
    return bg.grad(bg.higher.inner_product(gradients, tangents), upstream)


@wrong(
    forward,
    "a vector-Jacobian product",
    "The tangent was used as an upstream gradient. That is the product from the other side, a VJP. A tangent has the "
    "input's shape and goes forward: the upstream gradient is something that you differentiate with respect to.",
)
def _(bg):
    jvp_is(bg, lambda output, inputs, tangents: bg.grad(output, inputs[0], tangents[0]))


@wrong(
    forward,
    "an upstream gradient of the input's shape",
    "The upstream gradient got the shape of the input. It begins a backward pass at the result, so it has the shape of "
    "the result.",
)
def _(bg):
    def of_the_input(output, inputs, tangents):
        upstream = bg.Tensor(np.ones(inputs[0].shape))
        gradients = bg.grad(output, inputs, upstream, create_graph=True)
        return bg.grad(bg.higher.inner_product(gradients, tangents), upstream)

    jvp_is(bg, of_the_input)


@wrong(
    forward,
    "the result keeps its history",
    "The result still leads back to the inputs: as long as somebody keeps it, all of its graph is kept. detach() gives "
    "the same numbers without a history.",
)
def _(bg):
    def jvp(fn, inputs, tangents):
        _, inputs, tangents = in_steps(bg, inputs, tangents, "tangent")
        output = fn(*inputs)
        return output, by_upstream(bg, output, inputs, tangents)

    bg.higher.jvp = jvp


@wrong(
    forward,
    "the tangent is recorded",
    "The second pass was recorded too. The tangent is not differentiated again, so only the first pass needs "
    "create_graph=True.",
)
def _(bg):
    def recorded(output, inputs, tangents):
        upstream = bg.Tensor(np.ones(output.shape))
        gradients = bg.grad(output, inputs, upstream, create_graph=True)
        return bg.grad(bg.higher.inner_product(gradients, tangents), upstream, create_graph=True)

    jvp_is(bg, recorded)


@wrong(
    forward,
    "the tangent is a leaf",
    "The numbers are right, but the tangent is a new leaf that requires grad, and nothing leads from it back to the "
    "inputs. Make it with requires_grad=False, or let grad make it.",
)
def _(bg):
    jvp_is(bg, lambda *asked: bg.Tensor(by_upstream(bg, *asked).data))


@wrong(
    forward,
    "the first pass was not recorded",
    "The tangent is 0 everywhere. Without create_graph=True the first backward pass leaves constants, and constants do "
    "not depend on the upstream gradient.",
)
def _(bg):
    jvp_is(bg, lambda *args: by_upstream(bg, *args, create_graph=False))


@wrong(
    forward,
    "differentiated by the input",
    "You differentiated the inner product with respect to the input: that is a second derivative. The gradient is "
    "linear in the upstream gradient: differentiate with respect to that.",
)
def _(bg):
    def second(output, inputs, tangents):
        gradients = bg.grad(output, inputs, create_graph=True)
        return bg.grad(bg.higher.inner_product(gradients, tangents), inputs[0])

    jvp_is(bg, second)


@wrong(
    forward,
    "the upstream gradient is a constant",
    "You differentiate with respect to the upstream gradient, so it must be a leaf that requires grad: a Tensor is "
    "one unless you "
    "say otherwise, detach() and result() make constants.",
)
def _(bg):
    jvp_is(bg, lambda *args: by_upstream(bg, *args, requires_grad=False))


@wrong(
    forward,
    "all outputs added up",
    "This is one number: gradient times tangent, added up. It says how fast the sum of the result moves. But each "
    "number of the result has a rate of its own.",
)
def _(bg):
    def added(output, inputs, tangents):
        return bg.higher.inner_product(bg.grad(output, inputs), tangents)

    jvp_is(bg, added)


@wrong(
    forward,
    "only the first input moves",
    "Here the first input moves, and the others stand still. All of them move, and their effects add up.",
)
def _(bg):
    jvp_is(bg, lambda output, inputs, tangents: by_upstream(bg, output, inputs[:1], tangents[:1]))


@wrong(
    forward,
    "the tangent alone",
    "A pair was expected: fn's result, and its tangent. You have computed the result anyway.",
)
def _(bg):
    right = bg.higher.jvp
    bg.higher.jvp = lambda *args: right(*args)[1]


@wrong(
    forward,
    "the tangent first",
    "The two changed places: first fn's result, then its tangent.",
)
def _(bg):
    right = bg.higher.jvp
    bg.higher.jvp = lambda *args: right(*args)[::-1]


@wrong(
    forward,
    "nudged",
    "fn was called more than once. A nudge finds about eight digits; two backward passes find all of them, from one "
    "call of fn.",
)
def _(bg):
    def jvp(fn, inputs, tangents):
        _, inputs, tangents = in_steps(bg, inputs, tangents, "tangent")

        def at(h):
            return fn(*(bg.Tensor(x.data + h * v.data) for x, v in zip(inputs, tangents)))

        return fn(*inputs).detach(), bg.Tensor((at(1e-5).data - at(-1e-5).data) / 2e-5, requires_grad=False)

    bg.higher.jvp = jvp


# 14.2: hvp.


def hvp_is(bg, products_of):
    """products_of(fn, output, inputs, vectors): a tuple, in place of the way to the products."""

    def hvp(fn, inputs, vectors):
        single, inputs, vectors = in_steps(bg, inputs, vectors, "vector")
        products = products_of(fn, fn(*inputs), inputs, vectors)
        return products[0] if single else products

    bg.higher.hvp = hvp


@wrong(
    product,
    "with respect to the vectors",
    "The second pass is asked about the vectors, and they are constants: how they move is given. The question is how "
    "the sum changes while the inputs move, so differentiate it with respect to the inputs.",
)
def _(bg):
    def by_vectors(fn, output, inputs, vectors):
        slopes = bg.grad(output, inputs, create_graph=True)
        return bg.grad(bg.higher.inner_product(slopes, vectors), vectors)

    hvp_is(bg, by_vectors)


@wrong(
    product,
    "the first gradient was not recorded",
    "The product is 0 everywhere. Without create_graph=True a gradient is a constant: it does not remember how it "
    "depends on the inputs.",
)
def _(bg):
    def forgotten(fn, output, inputs, vectors):
        return bg.grad(bg.higher.inner_product(bg.grad(output, inputs), vectors), inputs)

    hvp_is(bg, forgotten)


@wrong(
    product,
    "the product is recorded",
    "The second pass was recorded too. The product is not differentiated again, so only the first pass needs "
    "create_graph=True.",
)
def _(bg):
    def recorded(fn, output, inputs, vectors):
        gradients = bg.grad(output, inputs, create_graph=True)
        return bg.grad(bg.higher.inner_product(gradients, vectors), inputs, create_graph=True)

    hvp_is(bg, recorded)


@wrong(
    product,
    "gradient times vector",
    "This is the gradient times the vector, number by number: a first derivative. How does the gradient *change*?",
)
def _(bg):
    def once(fn, output, inputs, vectors):
        return tuple(gradient * v for gradient, v in zip(bg.grad(output, inputs), vectors))

    hvp_is(bg, once)


@wrong(
    product,
    "the vector too late",
    "You added up the gradient, differentiated, and multiplied by the vector afterwards: that is the sum of each row "
    "of the Hessian, times one number. The vector must be in the sum before it is differentiated.",
)
def _(bg):
    def late(fn, output, inputs, vectors):
        total = sum(gradient.sum() for gradient in bg.grad(output, inputs, create_graph=True))
        return tuple(row * v for row, v in zip(bg.grad(total, inputs), vectors))

    hvp_is(bg, late)


@wrong(
    product,
    "each input by itself",
    "Each input's gradient was differentiated with respect to this input alone. But it depends on the other inputs "
    "too: all "
    "products of gradients and vectors belong in one sum.",
)
def _(bg):
    def apart(fn, output, inputs, vectors):
        gradients = bg.grad(output, inputs, create_graph=True)
        return tuple(bg.grad((g * v).sum(), x) for g, v, x in zip(gradients, vectors, inputs))

    hvp_is(bg, apart)


@wrong(
    product,
    "a whole step",
    "This is the gradient one whole vector further, minus the gradient here: a difference. It agrees with the "
    "derivative for parabolas alone.",
)
def _(bg):
    def stepped(fn, output, inputs, vectors):
        there = tuple(bg.Tensor(x.data + v.data) for x, v in zip(inputs, vectors))
        pairs = zip(bg.grad(fn(*there), there), bg.grad(output, inputs))
        return tuple(further - here for further, here in pairs)

    hvp_is(bg, stepped)


@wrong(
    product,
    "the number vᵀHv",
    "The product was multiplied by the vector once more, and added up: how much the function bends along the vector. "
    "The Hessian times a vector is a vector.",
)
def _(bg):
    right = bg.higher.hvp

    def hvp(fn, inputs, vectors):
        single, inputs, vectors = in_steps(bg, inputs, vectors, "vector")
        bends = bg.higher.inner_product(right(fn, inputs, vectors), vectors)
        return bends if single else (bends,) * len(inputs)

    bg.higher.hvp = hvp


# 14.3: hessian.


def hessian_is(bg, array_of):
    """array_of(slopes, x): the second derivatives, from the recorded gradient."""

    def hessian(fn, x):
        return bg.Tensor(array_of(bg.grad(fn(x), x, create_graph=True), x), requires_grad=False)

    bg.higher.hessian = hessian


def rows(bg, slopes, x):
    return [bg.grad(slopes[place], x).data for place in np.ndindex(x.shape)]


@wrong(
    matrix,
    "the sum of the rows",
    "All slopes at once were differentiated: their derivatives are added up, and it has the shape of x. Differentiate "
    "one slope at a time; each gives a row.",
)
def _(bg):
    hessian_is(bg, lambda slopes, x: bg.grad(slopes, x).data)


@wrong(
    matrix,
    "the diagonal alone",
    "Only the diagonal is filled. Each slope may change with every number of x, not with its own alone.",
)
def _(bg):
    def diagonal(slopes, x):
        found = np.reshape(rows(bg, slopes, x), (x.size, x.size))
        return np.diag(np.diag(found)).reshape(x.shape + x.shape)

    hessian_is(bg, diagonal)


@wrong(
    matrix,
    "products of slopes",
    "These are products of two first derivatives, an outer product. A second derivative says how a slope changes.",
)
def _(bg):
    hessian_is(bg, lambda slopes, x: np.multiply.outer(slopes.data, slopes.data))


@wrong(
    matrix,
    "always a square",
    "The numbers are right, but an x of shape (2, 3) has a Hessian of shape (2, 3, 2, 3): its places are pairs of "
    "places of x.",
)
def _(bg):
    hessian_is(bg, lambda slopes, x: np.reshape(rows(bg, slopes, x), (x.size, x.size)))


@wrong(
    matrix,
    "the first gradient was not recorded",
    "All second derivatives are 0: the gradient was not recorded, so it does not depend on x. Which option of grad "
    "records it?",
)
def _(bg):
    bg.higher.hessian = lambda fn, x: bg.Tensor(np.zeros(x.shape + x.shape))


@wrong(
    matrix,
    "one row for each row of x",
    "A loop over slopes, or over range(len(x)), goes through the first axis alone: a row of x is then differentiated "
    "as a sum. np.ndindex(x.shape) goes through all places. (A number has no len.)",
)
def _(bg):
    hessian_is(bg, lambda slopes, x: np.array([bg.grad(slopes[i], x).data for i in range(len(x.data))]))


@wrong(
    matrix,
    "a Hessian that requires grad",
    "The numbers are right, but Tensor(...) makes a leaf that requires grad, and nothing leads from it back to x. "
    "result(array) makes a constant of an array.",
)
def _(bg):
    right = bg.higher.hessian
    bg.higher.hessian = lambda fn, x: bg.Tensor(right(fn, x).data)


# 14.4: Newton's method.


def newton_is(bg, place_of):
    """place_of(x, gradient, Hessian), arrays, in place of the step."""

    def newton_step(fn, x):
        gradient = bg.grad(fn(x), x).data
        return bg.Tensor(place_of(x.data, gradient, bg.higher.hessian(fn, x).data))

    bg.higher.newton_step = newton_step


@wrong(
    newton,
    "the other way",
    "The step goes in the opposite direction: H d must be minus the gradient, so that nothing of it is left.",
)
def _(bg):
    newton_is(bg, lambda x, g, H: x + np.linalg.solve(H, g))


@wrong(
    newton,
    "a step of gradient descent",
    "This is x minus the gradient: a step of gradient descent. How far to go, and in which direction, is what the "
    "Hessian says.",
)
def _(bg):
    newton_is(bg, lambda x, g, H: x - g)


@wrong(
    newton,
    "multiplied by the Hessian",
    "The gradient was multiplied by the Hessian. Where a function bends strongly a step must be *short*: what is "
    "wanted is the d for which H d is the gradient.",
)
def _(bg):
    newton_is(bg, lambda x, g, H: x - H @ g)


@wrong(
    newton,
    "divided by the diagonal",
    "Each slope was divided by its own second derivative. That is right if the axes of the valley are those of x; "
    "here they are askew. Solve all equations together.",
)
def _(bg):
    newton_is(bg, lambda x, g, H: x - np.linalg.solve(np.diag(np.diag(H)), g))


@wrong(
    newton,
    "divided by each number of the Hessian",
    "Matrices are not divided number by number. H d = gradient is a system of equations: np.linalg.solve.",
)
def _(bg):
    def divided(x, g, H):
        with np.errstate(all="ignore"):
            return x - (g / H).sum(axis=0)

    newton_is(bg, divided)


@wrong(
    newton,
    "x was moved",
    "x itself was changed in place. The step makes a new Tensor: somebody may still need the old place.",
)
def _(bg):
    right = bg.higher.newton_step

    def newton_step(fn, x):
        x.data[...] = right(fn, x).data
        return x

    bg.higher.newton_step = newton_step


@wrong(
    newton,
    "not a leaf that requires grad",
    "The numbers are right, but the next step wants a gradient with respect to this place: return Tensor(...), a leaf "
    "that requires grad.",
)
def _(bg):
    right = bg.higher.newton_step
    bg.higher.newton_step = lambda fn, x: right(fn, x).detach()


@wrong(
    newton,
    "least squares",
    "Where nothing bends, no step is the right one. lstsq and pinv give one without a word; np.linalg.solve raises "
    "LinAlgError.",
)
def _(bg):
    newton_is(bg, lambda x, g, H: x - np.linalg.pinv(H) @ g)


# 14.5: the gradient penalty.


def penalty_is(bg, of_slopes, scores=lambda s: s.sum(), create_graph=True):
    """of_slopes(slopes, number of points): the penalty."""

    def gradient_penalty(model, points):
        x = bg.Tensor(points)
        return of_slopes(bg.grad(scores(model(x)), x, create_graph=create_graph), len(points))

    bg.higher.gradient_penalty = gradient_penalty


def mean_square(slopes, n):
    return (slopes * slopes).sum() / n


@wrong(
    penalty,
    "not recorded",
    "The number is right, but training cannot use it: the weights got no gradient from it, since the slopes were not "
    "recorded. Which option of grad does that?",
)
def _(bg):
    penalty_is(bg, mean_square, create_graph=False)


@wrong(
    penalty,
    "a new Tensor of the number",
    "The number is right, but it was put into a new Tensor: a leaf, from which nothing leads back to the weights. Stay "
    "with operations on Tensors until the end.",
)
def _(bg):
    penalty_is(bg, lambda slopes, n: bg.Tensor(mean_square(slopes, n).data))


@wrong(
    penalty,
    "gathered gradients forgotten",
    "The weights had gathered a gradient, and it is gone. grad changes no .grad, so there is nothing to tidy up: when "
    "gradients are forgotten is decided in the training loop.",
)
def _(bg):
    right = bg.higher.gradient_penalty

    def gradient_penalty(model, points):
        if hasattr(model, "zero_grad"):
            model.zero_grad()
        return right(model, points)

    bg.higher.gradient_penalty = gradient_penalty


@wrong(
    penalty,
    "the sum over the points",
    "This is the sum over all points. With the mean the penalty does not grow with the batch.",
)
def _(bg):
    penalty_is(bg, lambda slopes, n: mean_square(slopes, 1))


@wrong(
    penalty,
    "the mean over all numbers",
    "This was divided by the number of all coordinates. Add up the squares of a point's coordinates, then take the "
    "mean over the points.",
)
def _(bg):
    penalty_is(bg, lambda slopes, n: (slopes * slopes).mean())


@wrong(
    penalty,
    "the length itself",
    "This is the mean length of the gradients. The square is wanted: its derivative exists where the length is 0, too.",
)
def _(bg):
    penalty_is(bg, lambda slopes, n: (slopes * slopes).sum(axis=1).sqrt().mean())


@wrong(
    penalty,
    "the mean before the square",
    "The gradients of all points were averaged first. Slopes in opposite directions cancel then, and a steep model "
    "passes for a flat one. Square first.",
)
def _(bg):
    penalty_is(bg, lambda slopes, n: ((slopes.sum(axis=0) / n) ** 2).sum())


@wrong(
    penalty,
    "the gradient of the mean score",
    "The gradient of the mean of all scores is N times too small for each point, and its square N² times. Add the "
    "scores up instead: each point sees its own score alone.",
)
def _(bg):
    penalty_is(bg, mean_square, scores=lambda s: s.mean())


@wrong(
    penalty,
    "an array",
    "This is no Tensor: nothing of it was recorded, and it has no backward. Stay with operations on Tensors.",
)
def _(bg):
    penalty_is(bg, lambda slopes, n: (slopes.data**2).sum() / n)


# 14.6: descent that is recorded.


def descended_is(bg, step, before=lambda weights: weights):
    """step(loss_fn, weights, lr): the next weights."""

    def descended(loss_fn, weights, lr, steps):
        weights = tuple(weights)
        for _ in range(steps):
            weights = step(loss_fn, weights, lr)
        return weights

    bg.higher.descended = descended


def moved(bg, loss_fn, weights, lr, create_graph=True):
    slopes = bg.grad(loss_fn(*weights), weights, create_graph=create_graph)
    return tuple(w - lr * slope for w, slope in zip(weights, slopes))


@wrong(
    unrolled,
    "the gradients were not recorded",
    "The weights are right, but after several steps the derivative is not: later gradients depend on lr as well, and "
    "without create_graph=True they are constants.",
)
def _(bg):
    descended_is(bg, lambda *args: moved(bg, *args, create_graph=False))


@wrong(
    unrolled,
    "every step begins afresh",
    "The weights are right, but each step begins with new leaves: the last weights remember the last step alone.",
)
def _(bg):
    descended_is(bg, lambda f, ws, lr: moved(bg, f, tuple(bg.Tensor(w.data) for w in ws), lr))


@wrong(
    unrolled,
    "the new weights are leaves",
    "The weights are right, but each new one was made of numbers: it is a leaf, and remembers neither lr nor the step "
    "before. Subtract Tensors, not their numbers.",
)
def _(bg):
    descended_is(bg, lambda *asked: tuple(bg.Tensor(w.data) for w in moved(bg, *asked)))


@wrong(
    unrolled,
    "lr as a plain number",
    "The weights are right, but only lr's number was used, so none of them depends on lr. Multiply by lr itself, be it "
    "a Tensor or a number.",
)
def _(bg):
    descended_is(bg, lambda f, ws, lr: moved(bg, f, ws, lr.item() if isinstance(lr, bg.Tensor) else lr))


@wrong(
    unrolled,
    "uphill",
    "The weights go uphill: the gradient points to where the loss grows.",
)
def _(bg):
    descended_is(bg, lambda f, ws, lr: moved(bg, f, ws, -1 * lr))


@wrong(
    unrolled,
    "the first gradient in every step",
    "Every step took the gradient of the beginning. After a step the weights are elsewhere, and so is the slope.",
)
def _(bg):
    def descended(loss_fn, weights, lr, steps):
        weights = tuple(weights)
        slopes = bg.grad(loss_fn(*weights), weights, create_graph=True)
        return tuple(w - lr * slope * steps for w, slope in zip(weights, slopes))

    bg.higher.descended = descended


@wrong(
    unrolled,
    "one weight after the other",
    "The second weight's gradient was taken when the first had already moved. In a step of gradient descent all "
    "gradients are taken at the same place.",
)
def _(bg):
    def in_turn(loss_fn, weights, lr):
        weights = list(weights)
        for place in range(len(weights)):
            weights[place] = weights[place] - lr * bg.grad(loss_fn(*weights), weights[place], create_graph=True)
        return tuple(weights)

    descended_is(bg, in_turn)


@wrong(
    unrolled,
    "changed in place",
    "The weights that were given have been changed. Make new ones: an array that changes in place changes what the "
    "graph has recorded.",
)
def _(bg):
    def in_place(loss_fn, weights, lr):
        new = moved(bg, loss_fn, weights, lr)
        for w, moved_w in zip(weights, new):
            w.data[...] = moved_w.data
        return weights

    descended_is(bg, in_place)


@wrong(
    unrolled,
    "one step too many",
    "There is one step too many. With no step at all the weights are what they were.",
)
def _(bg):
    right = bg.higher.descended
    bg.higher.descended = lambda loss_fn, weights, lr, steps: right(loss_fn, weights, lr, steps + 1)


# 14.7: the hunt.


def question_is(bg, build):
    bg.hunts.three_products = build


@wrong(
    hunt,
    "nothing meets",
    "x and y meet nowhere in your expression: its Hessian is diagonal, and then Ada's row sums do no harm. Multiply "
    "the two, or divide.",
)
def _(bg):
    question_is(bg, lambda x, y, speed: (x.exp() + y, (speed, 1)))


@wrong(
    hunt,
    "nothing bends",
    "In a product of x and y no local derivative is taken for a constant wrongly: a product's rule keeps both sides. "
    "Ben needs a function, a power or a division.",
)
def _(bg):
    question_is(bg, lambda x, y, speed: (x * y, (speed, 0)))


@wrong(
    hunt,
    "both move alike",
    "With two equal rates the product is the sum of each row times the rate, and that is what Ada computes. Let x and "
    "y move at different rates.",
)
def _(bg):
    question_is(bg, lambda x, y, speed: (x.exp() * y, (speed, speed)))


@wrong(
    hunt,
    "an expression without a vector",
    "A pair was expected: the expression, and two numbers that say how fast x and y move.",
)
def _(bg):
    question_is(bg, lambda x, y, speed: x.exp() * y)
