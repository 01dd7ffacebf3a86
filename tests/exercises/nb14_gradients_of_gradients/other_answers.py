"""Right solutions of notebook 14 in another style. A check must not care."""

import numpy as np


def variant_14_1_one_sum_for_all(bg):
    """The upstream gradient holds ones, and the inner product is written out."""

    def jvp(fn, inputs, tangents):
        inputs, tangents = bg.higher.paired(inputs, tangents, "tangent")
        output = fn(*inputs)
        dummy, total = bg.Tensor(np.ones(output.shape)), 0
        for gradient, tangent in zip(bg.grad(output, inputs, dummy, create_graph=True), tangents):
            total = total + (gradient * tangent).sum()
        return [output.detach(), bg.grad(total, dummy)]

    bg.higher.jvp = jvp


def variant_14_1_a_pass_for_each_number(bg):
    """A backward pass for each number of the result: rows of the Jacobian, each times the tangents."""

    def jvp(fn, inputs, tangents):
        inputs, tangents = bg.higher.paired(inputs, tangents, "tangent")
        output = fn(*inputs)
        if output.size > 100:
            upstream = bg.Tensor(np.zeros(output.shape))
            gradients = bg.grad(output, inputs, upstream, create_graph=True)
            return output.detach(), bg.grad(bg.higher.inner_product(gradients, tangents), upstream)
        rates = np.zeros(output.shape)
        for place in np.ndindex(output.shape):
            one = np.zeros(output.shape)
            one[place] = 1
            rows = bg.grad(output, inputs, one)
            rates[place] = sum((row.data * tangent.data).sum() for row, tangent in zip(rows, tangents))
        return output.detach(), bg.Tensor(rates, requires_grad=False)

    bg.higher.jvp = jvp


def variant_14_2_forward_over_reverse(bg):
    """The rate of the gradient: a jvp of it, input by input."""
    higher = bg.higher

    def hvp(fn, inputs, vectors):
        single = not isinstance(inputs, (tuple, list))
        inputs, vectors = higher.paired(inputs, vectors, "vector")

        def gradient(place):
            return lambda *xs: bg.grad(fn(*xs), xs[place], create_graph=True)

        found = tuple(higher.jvp(gradient(place), inputs, vectors)[1] for place in range(len(inputs)))
        return found[0] if single else found

    higher.hvp = hvp


def variant_14_3_by_products(bg):
    """A column for each number: the Hessian times a vector with a single 1."""
    higher = bg.higher

    def hessian(fn, x):
        found = np.zeros(x.shape + x.shape)
        for place in np.ndindex(x.shape):
            one = np.zeros(x.shape)
            one[place] = 1
            found[(..., *place)] = higher.hvp(fn, x, one).data
        return bg.Tensor(found).detach()

    higher.hessian = hessian


def variant_14_4_with_an_inverse(bg):
    """With the inverse of the Hessian, in reshaped form."""
    higher = bg.higher

    def newton_step(fn, x):
        slopes = bg.grad(fn(x), x).data
        return bg.Tensor(x.data - np.linalg.inv(higher.hessian(fn, x).numpy()) @ slopes)

    higher.newton_step = newton_step


def variant_14_5_by_the_mean(bg):
    """Row by row, then the mean; upstream ones instead of a sum."""

    def gradient_penalty(model, points):
        x = bg.Tensor(points)
        scores = model(x)
        slopes = bg.grad(scores, x, np.ones(scores.shape), create_graph=True)
        return (slopes**2).sum(axis=1).mean()

    bg.higher.gradient_penalty = gradient_penalty


def variant_14_6_calls_itself(bg):
    """One step, then the rest."""

    def descended(loss_fn, weights, lr, steps):
        if steps == 0:
            return list(weights)
        slopes = bg.grad(loss_fn(*weights), list(weights), create_graph=True)
        return descended(loss_fn, [w - slope * lr for w, slope in zip(weights, slopes)], lr, steps - 1)

    bg.higher.descended = descended


def variant_14_7_a_division(bg):
    """One operation is enough."""
    bg.hunts.three_products = lambda x, y, speed: [x / y, [speed, 2.5]]


def variant_14_7_numpy(bg):
    """The vector as an array."""
    bg.hunts.three_products = lambda x, y, speed: ((x * y) ** 2, np.array([speed, -5]))
