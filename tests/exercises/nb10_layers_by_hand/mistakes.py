"""Wrong ideas about notebook 10, each as a patch for a private copy of the reference."""

import numpy as np

from grader.course.exercise import wrong

from .exercises import (
    activations,
    by_nudging,
    entropy,
    family,
    hunt,
    largest,
    linear,
    log_sum,
    net,
    picking,
    softmax,
    step,
)

# 10.1: Linear.


def patch_linear(bg, dweight=None, dbias=None, dx=None):
    """Linear.backward with one of its three lines replaced.  Each gets (x, weight, dout)."""
    dweight = dweight or (lambda x, weight, dout: x.T @ dout)
    dbias = dbias or (lambda x, weight, dout: dout.sum(axis=0))
    dx = dx or (lambda x, weight, dout: dout @ weight.T)

    def backward(self, dout):
        arrays = self.from_forward(), self.weight, dout
        self.dweight, self.dbias = dweight(*arrays), dbias(*arrays)
        return dx(*arrays)

    bg.layers.Linear.backward = backward


@wrong(
    linear,
    "no bias",
    "The bias was left out. It is one number for each output, and it is added to every row.",
)
def _(bg):
    def forward(self, x):
        self.kept = x
        return x @ self.weight

    bg.layers.Linear.forward = forward


@wrong(
    linear,
    "* for @",
    "x * weight multiplies number by number, where the shapes allow it. Each output is a sum over the inputs: a "
    "matrix product, @.",
)
def _(bg):
    def forward(self, x):
        self.kept = x
        return x * self.weight + self.bias

    bg.layers.Linear.forward = forward


@wrong(
    linear,
    "weight turned in forward",
    "weight was transposed in forward. Here its shape is (in_features, out_features), so it fits after x as it is. "
    "(PyTorch keeps it the other way round.)",
)
def _(bg):
    def forward(self, x):
        self.kept = x
        return x @ self.weight.T + self.bias

    bg.layers.Linear.forward = forward


@wrong(
    linear,
    "x not kept",
    "forward answers, but keeps nothing, so self.from_forward() has nothing to give to backward. What will backward "
    "need? Put it into self.kept.",
)
def _(bg):
    bg.layers.Linear.forward = lambda self, x: x @ self.weight + self.bias


@wrong(
    linear,
    "the answer kept",
    "forward kept its answer. The derivative with respect to a weight is the x that it was multiplied by: keep x.",
)
def _(bg):
    def forward(self, x):
        self.kept = x @ self.weight + self.bias
        return self.kept

    bg.layers.Linear.forward = forward


@wrong(
    linear,
    "x kept under a name of its own",
    "The numbers are right. But a backward before any forward should say so in words. Keep x in self.kept and get it "
    "with self.from_forward(): that does it.",
)
def _(bg):
    def forward(self, x):
        self.x = x
        return x @ self.weight + self.bias

    def backward(self, dout):
        self.dweight, self.dbias = self.x.T @ dout, dout.sum(axis=0)
        return dout @ self.weight.T

    bg.layers.Linear.forward, bg.layers.Linear.backward = forward, backward


@wrong(
    linear,
    "dweight turned",
    "Rows and columns of dweight have changed places. A gradient has the shape of what it belongs to: weight is (in, "
    "out). Which of x and dout must be transposed for that?",
)
def _(bg):
    patch_linear(bg, dweight=lambda x, weight, dout: dout.T @ x)


@wrong(
    linear,
    "dweight as a mean",
    "dweight was divided by N. If the loss is a mean, its own backward has divided already, and dout includes that. "
    "Here the rows add up.",
)
def _(bg):
    patch_linear(bg, dweight=lambda x, weight, dout: x.T @ dout / len(x))


@wrong(
    linear,
    "dbias as a mean",
    "dbias is the mean over the rows here. The bias served each row, so their gradients add up. If there is a "
    "division by N, dout already includes it.",
)
def _(bg):
    patch_linear(bg, dbias=lambda x, weight, dout: dout.mean(axis=0))


@wrong(
    linear,
    "dbias along the rows",
    "dbias was added up along each row. There is one bias for each output, that is, for each column. Which of the two "
    "axes has to disappear?",
)
def _(bg):
    patch_linear(bg, dbias=lambda x, weight, dout: dout.sum(axis=1))


@wrong(
    linear,
    "dbias with two axes",
    "The numbers of dbias are right, but its shape is (1, out), and bias has one axis only. Which option of the sum "
    "keeps the other one?",
)
def _(bg):
    patch_linear(bg, dbias=lambda x, weight, dout: dout.sum(axis=0, keepdims=True))


@wrong(
    linear,
    "dbias as one number",
    "Everything was added up into one number. Each output has its own bias: along which axis do you add up, so that "
    "one number for each output is left?",
)
def _(bg):
    patch_linear(bg, dbias=lambda x, weight, dout: dout.sum())


@wrong(
    linear,
    "dbias not added up",
    "dbias is dout itself here, with a row for each sample. But there is only one bias for all samples: their shares "
    "add up.",
)
def _(bg):
    patch_linear(bg, dbias=lambda x, weight, dout: dout.copy())


@wrong(
    linear,
    "weight not turned",
    "The weight was not transposed in the gradient of x. dout is (N, out), the gradient of x is (N, in): what shape "
    "must the second factor have? With a square weight nothing warns you.",
)
def _(bg):
    patch_linear(bg, dx=lambda x, weight, dout: dout @ weight)


@wrong(
    linear,
    "x not turned",
    "In dweight, x was not transposed. weight is (in, out), x is (N, in), dout is (N, out): the sum has to run over "
    "N. With N = in nothing warns you.",
)
def _(bg):
    patch_linear(bg, dweight=lambda x, weight, dout: x @ dout)


@wrong(
    linear,
    "x on the right",
    "In dweight, x.T stands to the right of dout. weight is (in, out), x.T is (in, N), dout is (N, out): the sum has "
    "to run over N, so N must be in the middle.",
)
def _(bg):
    patch_linear(bg, dweight=lambda x, weight, dout: dout @ x.T)


@wrong(
    linear,
    "dout forgotten",
    "These are the local derivatives of the layer alone. dout says how much the loss changes for each number of the "
    "answer: every line of backward needs it.",
)
def _(bg):
    ones = np.ones_like
    patch_linear(
        bg,
        lambda x, weight, dout: x.T @ ones(dout),
        lambda x, weight, dout: ones(dout).sum(axis=0),
        lambda x, weight, dout: ones(dout) @ weight.T,
    )


@wrong(
    linear,
    "three gradients returned",
    "backward returned a tuple. Only the gradient of x goes on to the previous layer. The other two stay here, in "
    "self.dweight and self.dbias.",
)
def _(bg):
    right = bg.layers.Linear.backward

    def backward(self, dout):
        dx = right(self, dout)
        return dx, self.dweight, self.dbias

    bg.layers.Linear.backward = backward


@wrong(
    linear,
    "nothing returned from backward",
    "backward returned nothing. The previous layer waits for the gradient of x: return it.",
)
def _(bg):
    right = bg.layers.Linear.backward

    def backward(self, dout):
        right(self, dout)

    bg.layers.Linear.backward = backward


@wrong(
    linear,
    "gradients not written down",
    "The gradient of x is right, but self.dweight and self.dbias are still None. Training needs them: set both.",
)
def _(bg):
    bg.layers.Linear.backward = lambda self, dout: (self.from_forward(), dout @ self.weight.T)[1]


@wrong(
    linear,
    "gradients pile up",
    "dweight and dbias still contain the gradients of the previous batch. Here a backward does not accumulate: it "
    "says anew what this batch gives, with = and not +=. (Within a batch the product adds up the rows already.)",
)
def _(bg):
    right = bg.layers.Linear.backward

    def backward(self, dout):
        before = self.dweight, self.dbias
        dx = right(self, dout)
        if before[0] is not None:
            self.dweight, self.dbias = self.dweight + before[0], self.dbias + before[1]
        return dx

    bg.layers.Linear.backward = backward


@wrong(
    linear,
    "dout changed in place",
    "backward changed dout, which belongs to the next layer. Make new arrays, as a * b and a @ b do; *= and += write "
    "into the old one.",
)
def _(bg):
    def backward(self, dout):
        x = self.from_forward()
        self.dweight, self.dbias = x.T @ dout, dout.sum(axis=0)
        dx = dout @ self.weight.T
        dout *= 0
        return dx

    bg.layers.Linear.backward = backward


@wrong(
    linear,
    "the weight overwritten",
    "The gradient was written into self.weight, so the weight is gone. The gradient has a place of its own: "
    "self.dweight, and self.dbias for the bias.",
)
def _(bg):
    def backward(self, dout):
        self.weight = self.from_forward().T @ dout
        self.dbias = dout.sum(axis=0)
        return dout @ self.weight.T

    bg.layers.Linear.backward = backward


@wrong(
    linear,
    "* for @ in dweight",
    "x and dout were multiplied number by number. A weight served all rows, so its gradient is a sum over them: a "
    "matrix product, @.",
)
def _(bg):
    patch_linear(bg, dweight=lambda x, weight, dout: x.T * dout)


@wrong(
    linear,
    "the first weights remembered",
    "backward still used the weights of the first forward. Training changes their numbers, so ask self.weight itself "
    "each time.",
)
def _(bg):
    right = bg.layers.Linear.forward

    def forward(self, x):
        self.turned = getattr(self, "turned", self.weight.T.copy())
        return right(self, x)

    bg.layers.Linear.forward = forward
    patch_linear_back(bg, lambda self, dout: dout @ self.turned)


def patch_linear_back(bg, dx):
    """Linear.backward with another dx(self, dout)."""
    right = bg.layers.Linear.backward
    bg.layers.Linear.backward = lambda self, dout: (right(self, dout), dx(self, dout))[1]


def kept_for_one_backward(cls):
    """A layer whose backward throws away what forward kept."""

    def backward(self, dout, right=cls.backward):
        dx = right(self, dout)
        self.kept = None
        return dx

    cls.backward = backward


@wrong(
    linear,
    "what was kept thrown away",
    "The second backward found nothing that forward had kept: the first one had thrown it away. backward may be called "
    "again, so leave self.kept as it is.",
)
def _(bg):
    kept_for_one_backward(bg.layers.Linear)


# 10.2: number by number.


def patch_layer(bg, name, answer, kept, slope):
    """A layer that keeps kept(x, answer) and goes back by dout * slope(kept)."""

    def forward(self, x):
        out = answer(x)
        self.kept = kept(x, out)
        return out

    cls = getattr(bg.layers, name)
    cls.forward = forward
    cls.backward = lambda self, dout: dout * slope(self.from_forward())


def of_x(x, out):
    return x


def of_answer(x, out):
    return out


def logistic(x):
    small = np.exp(-np.abs(x))
    return np.where(x >= 0, 1, small) / (1 + small)


def kept_elsewhere(cls):
    """A layer that keeps what it needs in an attribute of its own, which is not there before forward."""

    def backward(self, dout=1.0, right=cls.backward):
        if self.kept is None:
            raise AttributeError(f"'{type(self).__name__}' object has no attribute 'x'")
        return right(self, dout)

    cls.backward = backward


@wrong(
    activations,
    "relu: slope 1 at 0",
    "At 0 the derivative of ReLU is 0 here, as in 6.7: x > 0, not x >= 0. With many exact zeros, as after another "
    "ReLU, it matters.",
)
def _(bg):
    bg.layers.ReLU.backward = lambda self, dout: dout * (self.from_forward() >= 0)


@wrong(
    activations,
    "relu: asks dout",
    "Whether a number gets through depends on x, which forward kept. Here dout itself was asked whether it is "
    "positive.",
)
def _(bg):
    bg.layers.ReLU.backward = lambda self, dout: dout * (dout > 0) + 0 * self.from_forward()


@wrong(
    activations,
    "relu of dout",
    "backward passes on what is positive in dout. The derivative depends on x: 1 where x was positive, else 0, "
    "whatever the sign of dout.",
)
def _(bg):
    bg.layers.ReLU.backward = lambda self, dout: np.maximum(dout, 0) * (self.from_forward() > 0)


@wrong(
    activations,
    "relu: dout times x",
    "Where x is positive, the derivative of ReLU is 1, not x. Here dout was multiplied by the answer.",
)
def _(bg):
    bg.layers.ReLU.backward = lambda self, dout: dout * np.maximum(self.from_forward(), 0)


@wrong(
    activations,
    "relu in place",
    "x itself was changed, as by x[x < 0] = 0, which writes into the array that somebody else still needs. "
    "np.maximum(x, 0) makes a new one.",
)
def _(bg):
    def forward(self, x):
        self.kept = x.copy()
        x[x < 0] = 0
        return x

    bg.layers.ReLU.forward = forward


@wrong(
    activations,
    "relu: dout changed in place",
    "backward wrote into dout, which belongs to the next layer. dout * (...) makes a new array.",
)
def _(bg):
    def backward(self, dout):
        dout[self.from_forward() <= 0] = 0
        return dout

    bg.layers.ReLU.backward = backward


@wrong(
    activations,
    "tanh: 1 - x²",
    "1 - x² squares what went in. The derivative of tanh is 1 - tanh(x)²: which of the two should forward keep, x or "
    "the answer?",
)
def _(bg):
    patch_layer(bg, "Tanh", np.tanh, of_x, lambda x: 1 - x**2)


@wrong(
    activations,
    "tanh: the square forgotten",
    "This is 1 - answer. Something is missing: compare with the rule that you wrote for tanh in 6.8.",
)
def _(bg):
    patch_layer(bg, "Tanh", np.tanh, of_answer, lambda t: 1 - t)


@wrong(
    activations,
    "tanh by exponentials",
    "At 1000 there is nan: exp(x) over exp(x) overflows there. np.tanh is right everywhere.",
    stuck="The loss is nan or explodes",
)
def _(bg):
    def tanh(x):
        return (np.exp(x) - np.exp(-x)) / (np.exp(x) + np.exp(-x))

    patch_layer(bg, "Tanh", tanh, of_answer, lambda t: 1 - t**2)


@wrong(
    activations,
    "sigmoid: exp(-x) overflows",
    "The numbers are right, but 1 / (1 + exp(-x)) computes exp(1000) for x = -1000, and NumPy warns: overflow. With "
    "small = np.exp(-np.abs(x)) no exponent is above 0.",
    stuck="The loss is nan or explodes",
)
def _(bg):
    patch_layer(bg, "Sigmoid", lambda x: 1 / (1 + np.exp(-x)), of_answer, lambda s: s * (1 - s))


@wrong(
    activations,
    "sigmoid: exp(x) over exp(x)",
    "exp(x) / (1 + exp(x)) is infinite over infinite at 1000, which is nan. With small = np.exp(-np.abs(x)) no "
    "exponent is above 0, as in 6.8.",
    stuck="The loss is nan or explodes",
)
def _(bg):
    patch_layer(bg, "Sigmoid", lambda x: np.exp(x) / (1 + np.exp(x)), of_answer, lambda s: s * (1 - s))


@wrong(
    activations,
    "sigmoid of the absolute value",
    "Every answer is above one half: with small = np.exp(-np.abs(x)), 1 / (1 + small) is right for positive x only. "
    "For negative x, small stands in the top of the fraction.",
)
def _(bg):
    patch_layer(bg, "Sigmoid", lambda x: 1 / (1 + np.exp(-np.abs(x))), of_answer, lambda s: s * (1 - s))


@wrong(
    activations,
    "sigmoid of the wrong side",
    "This is sigmoid of -x: for positive x it should be above one half. Is the 1 in the top of the fraction on the "
    "side of x >= 0?",
)
def _(bg):
    patch_layer(bg, "Sigmoid", lambda x: logistic(-x), of_answer, lambda s: s * (1 - s))


@wrong(
    activations,
    "sigmoid: x * (1 - x)",
    "In s * (1 - s), s is the answer, not x. Which of the two should forward keep?",
)
def _(bg):
    patch_layer(bg, "Sigmoid", logistic, of_x, lambda x: x * (1 - x))


@wrong(
    activations,
    "sigmoid: the sigmoid taken twice",
    "backward took the sigmoid of what was kept, but what was kept is the answer already: the sigmoid was taken twice.",
)
def _(bg):
    patch_layer(bg, "Sigmoid", logistic, of_answer, lambda s: logistic(s) * (1 - logistic(s)))


@wrong(
    activations,
    "sigmoid: 1 - answer",
    "The derivative of sigmoid is a product of two factors, and this is one of them. Which one is missing? (You wrote "
    "both in 6.8.)",
)
def _(bg):
    patch_layer(bg, "Sigmoid", logistic, of_answer, lambda s: 1 - s)


@wrong(
    activations,
    "dout forgotten in all three",
    "These are the local derivatives alone. backward multiplies them by dout, which brings along what happened after "
    "this layer.",
)
def _(bg):
    bg.layers.ReLU.backward = lambda self, dout: (self.from_forward() > 0).astype(float)
    bg.layers.Tanh.backward = lambda self, dout: 1 - self.from_forward() ** 2
    bg.layers.Sigmoid.backward = lambda self, dout: self.from_forward() * (1 - self.from_forward())


@wrong(
    activations,
    "kept on the class",
    "What one layer kept was overwritten by another of its kind. Write self.kept = ..., so that each layer has its "
    "own; with the class's name in front of the dot, all layers share one.",
)
def _(bg):
    for name in ("ReLU", "Tanh", "Sigmoid"):
        cls = getattr(bg.layers, name)

        def forward(self, x, right=cls.forward, cls=cls):
            answer = right(self, x)
            cls.kept = self.__dict__.pop("kept")
            return answer

        cls.forward = forward


@wrong(
    activations,
    "kept under a name of its own, number by number",
    "The numbers are right. But a backward before any forward should say so in words. Keep what you need in self.kept, "
    "and get it with self.from_forward().",
)
def _(bg):
    for name in ("ReLU", "Tanh", "Sigmoid"):
        kept_elsewhere(getattr(bg.layers, name))


@wrong(
    activations,
    "what was kept thrown away, number by number",
    "The second backward found nothing that forward had kept: the first one had thrown it away. backward may be called "
    "again, so leave self.kept as it is.",
)
def _(bg):
    for name in ("ReLU", "Tanh", "Sigmoid"):
        kept_for_one_backward(getattr(bg.layers, name))


AMBIGUOUS = "The truth value of an array with more than one element is ambiguous. Use a.any() or a.all()"


def fails_with(error):
    def method(self, x):
        raise error

    return method


@wrong(
    activations,
    "relu: one question for a whole array",
    "A whole array is neither above nor below 0: each of its numbers is. Python's max and if want a single answer; "
    "np.maximum and a comparison such as x > 0 work number by number.",
)
def _(bg):
    bg.layers.ReLU.forward = fails_with(ValueError(AMBIGUOUS))


@wrong(
    activations,
    "tanh: brackets missing",
    "dout * 1 - answer ** 2 multiplies first and subtracts the square afterwards. The whole derivative belongs in "
    "brackets.",
)
def _(bg):
    bg.layers.Tanh.backward = lambda self, dout: dout * 1 - self.from_forward() ** 2


@wrong(
    activations,
    "sigmoid: brackets missing",
    "dout * answer * 1 - answer multiplies first and subtracts the answer at the end. 1 - answer belongs in brackets.",
)
def _(bg):
    bg.layers.Sigmoid.backward = lambda self, dout: dout * self.from_forward() * 1 - self.from_forward()


@wrong(
    activations,
    "sigmoid: the division inside np.where",
    "Only the second choice was divided by 1 + small, so every positive x gives 1. Divide what has been chosen, "
    "whichever it is.",
)
def _(bg):
    def answer(x):
        small = np.exp(-np.abs(x))
        return np.where(x >= 0, 1, small / (1 + small))

    patch_layer(bg, "Sigmoid", answer, of_answer, lambda s: s * (1 - s))


# 10.3: softmax.


def patch_rows(bg, top=lambda s: s.max(axis=1, keepdims=True), total=lambda e: e.sum(axis=1, keepdims=True)):
    def softmax_rows(scores):
        e = np.exp(scores - top(scores))
        return e / total(e)

    bg.layers.softmax_rows = softmax_rows


def patch_softmax_back(bg, rule):
    bg.layers.Softmax.backward = lambda self, dout: rule(self.from_forward(), dout)


def row_sum(x):
    return x.sum(axis=1, keepdims=True)


@wrong(
    softmax,
    "softmax along the wrong axis",
    "Here the columns add up to 1. Each row is one sample, and its probabilities must add up to 1: axis=1. With a "
    "square array only the numbers show the difference.",
)
def _(bg):
    patch_rows(bg, lambda s: s.max(axis=0, keepdims=True), lambda e: e.sum(axis=0, keepdims=True))


@wrong(
    softmax,
    "the sum along the wrong axis",
    "The largest was taken along the rows, but the sum goes down the columns. Both belong to the row: axis=1.",
)
def _(bg):
    patch_rows(bg, total=lambda e: e.sum(axis=0, keepdims=True))


@wrong(
    softmax,
    "no largest taken off",
    "exp was taken of the scores as they are: exp(1000) is infinite, and infinity over infinity is nan. Subtract each "
    "row's largest score first; the probabilities stay the same.",
    stuck="The loss is nan or explodes",
)
def _(bg):
    patch_rows(bg, top=lambda s: 0)


@wrong(
    softmax,
    "the largest of all rows",
    "The largest score of the whole array was subtracted. In a row far below it, every exp(-2000) is 0, and 0 / 0 is "
    "nan. Each row needs its own largest score.",
    stuck="The loss is nan or explodes",
)
def _(bg):
    patch_rows(bg, top=lambda s: s.max())


@wrong(
    softmax,
    "the smallest taken off",
    "The smallest score was subtracted, so the largest exponent is still large. Which number must be subtracted so "
    "that no exponent is above 0?",
    stuck="The loss is nan or explodes",
)
def _(bg):
    patch_rows(bg, top=lambda s: s.min(axis=1, keepdims=True))


@wrong(
    softmax,
    "the mean taken off",
    "The mean was subtracted from each row. That leaves exponents above 0, and they can still be too large. Which "
    "number must be subtracted so that none is above 0?",
    stuck="The loss is nan or explodes",
)
def _(bg):
    patch_rows(bg, top=lambda s: s.mean(axis=1, keepdims=True))


@wrong(
    softmax,
    "the sum of everything",
    "The whole array adds up to 1 here. Each row should: sum with axis=1.",
)
def _(bg):
    patch_rows(bg, total=lambda e: e.sum())


@wrong(
    softmax,
    "keepdims forgotten",
    "A sum with axis=1 alone has shape (N,), and (N, C) beside (N,) broadcasts along the wrong axis, or not at all. "
    "keepdims=True leaves it a column.",
)
def _(bg):
    patch_rows(bg, lambda s: s.max(axis=1), lambda e: e.sum(axis=1))


@wrong(
    softmax,
    "scores changed in place",
    "The scores were changed: scores -= ... writes into the array of whoever called. scores - ... makes a new one.",
)
def _(bg):
    def softmax_rows(scores):
        scores -= scores.max(axis=1, keepdims=True)
        e = np.exp(scores)
        return e / row_sum(e)

    bg.layers.softmax_rows = softmax_rows


@wrong(
    softmax,
    "exp forgotten",
    "The scores themselves were divided by their sum. Scores may be negative: exp makes them positive first.",
)
def _(bg):
    bg.layers.softmax_rows = lambda scores: scores / row_sum(scores)


@wrong(
    softmax,
    "the diagonal alone as the Jacobian",
    "Off the diagonal everything is 0 here. But if one score grows, the other probabilities of its row shrink: "
    "compare with the Jacobian in the notebook.",
)
def _(bg):
    bg.layers.softmax_jacobian = lambda p: np.diag(p * (1 - p))


@wrong(
    softmax,
    "the Jacobian with a plus",
    "Off the diagonal the sign is wrong. Probabilities compete: if the score of class j grows, p[i] shrinks.",
)
def _(bg):
    bg.layers.softmax_jacobian = lambda p: np.diag(p) + np.outer(p, p) - 2 * np.diag(p * p)


@wrong(
    softmax,
    "the outer product added",
    "The products were added. Probabilities compete: if the score of class j grows, p[i] shrinks. So which sign do "
    "the products have, off the diagonal and on it?",
)
def _(bg):
    bg.layers.softmax_jacobian = lambda p: np.diag(p) + np.outer(p, p)


@wrong(
    softmax,
    "the diagonal of the Jacobian forgotten",
    "The products -p[i] * p[j] are there, on the diagonal too. But a score makes its own probability grow: compare "
    "your diagonal with that of the Jacobian in the notebook, number by number. What is missing each time?",
)
def _(bg):
    bg.layers.softmax_jacobian = lambda p: -np.outer(p, p)


@wrong(
    softmax,
    "p instead of p * (1 - p) on the diagonal",
    "The diagonal holds p[i] here. Compare with the diagonal in the notebook: what has to be subtracted? The products "
    "are not only off the diagonal.",
)
def _(bg):
    bg.layers.softmax_jacobian = lambda p: np.diag(p) - np.outer(p, p) + np.diag(p * p)


@wrong(
    softmax,
    "the way back by the diagonal alone",
    "backward is dout * p * (1 - p), as for sigmoid. That leaves out what a score does to the other probabilities of "
    "its row: the sum over the row is missing.",
)
def _(bg):
    patch_softmax_back(bg, lambda p, dout: p * (1 - p) * dout)


@wrong(
    softmax,
    "the way back along the wrong axis",
    "The sum of p * dout runs down the columns here. A score belongs to one row only: along which axis does that row "
    "lie?",
)
def _(bg):
    patch_softmax_back(bg, lambda p, dout: p * (dout - (p * dout).sum(axis=0, keepdims=True)))


@wrong(
    softmax,
    "the way back with the sum of all rows",
    "The sum of p * dout was taken over all rows. Each row has its own: axis=1, keepdims=True. With a single row "
    "nothing shows it.",
)
def _(bg):
    patch_softmax_back(bg, lambda p, dout: p * (dout - (p * dout).sum()))


@wrong(
    softmax,
    "the way back without the sum",
    "backward is p * dout here. That is what diag(p) does to dout. What does the other part of the Jacobian, the "
    "outer product, do to it?",
)
def _(bg):
    patch_softmax_back(bg, lambda p, dout: p * dout)


@wrong(
    softmax,
    "a Jacobian for each row",
    "The numbers are right, but backward builds a Jacobian of C x C numbers for each row. With many classes that "
    "takes too much memory and time, and it is not needed: one sum for each row is enough.",
)
def _(bg):
    def back(p, dout):
        return np.stack([bg.layers.softmax_jacobian(row) @ d for row, d in zip(p, dout)])

    patch_softmax_back(bg, back)


@wrong(
    softmax,
    "a forward of its own, without the largest taken off",
    "The layer Softmax takes exp of the scores as they are, and exp(1000) is infinite. You have the cure already: let "
    "forward call softmax_rows.",
    stuck="The loss is nan or explodes",
)
def _(bg):
    def forward(self, x):
        self.kept = np.exp(x) / row_sum(np.exp(x))
        return self.kept

    bg.layers.Softmax.forward = forward


@wrong(
    softmax,
    "the sum of dout alone",
    "In the sum each dout[j] must be weighted with p[j]. Here dout was added up as it is.",
)
def _(bg):
    patch_softmax_back(bg, lambda p, dout: p * (dout - row_sum(dout)))


@wrong(
    softmax,
    "p in front forgotten",
    "The bracket is right, but it must be multiplied by p: where the probability is small, the score changes little.",
)
def _(bg):
    patch_softmax_back(bg, lambda p, dout: dout - row_sum(p * dout))


@wrong(
    softmax,
    "p in front of dout only",
    "The first p multiplies dout only. It belongs in front of the whole difference: what do brackets change?",
)
def _(bg):
    patch_softmax_back(bg, lambda p, dout: p * dout - row_sum(p * dout))


@wrong(
    softmax,
    "no keepdims on the way back",
    "The sum over each row lost its axis: (N,) with (N, C) broadcasts along the wrong axis, or not at all. "
    "keepdims=True keeps it a column.",
    stuck="A gradient has the wrong shape",
)
def _(bg):
    patch_softmax_back(bg, lambda p, dout: p * (dout - (p * dout).sum(axis=1)))


@wrong(
    softmax,
    "the gradient of the cross-entropy",
    "p - dout is what softmax and cross-entropy give together, with a one-hot row for dout. This layer stands alone: "
    "its backward is the Jacobian times dout.",
)
def _(bg):
    patch_softmax_back(bg, lambda p, dout: p - dout)


@wrong(
    softmax,
    "the answer changed in place",
    "backward changed the probabilities that forward had returned, so a second backward finds different ones. Make a "
    "new array: p * (...), not p *= ...",
)
def _(bg):
    def backward(self, dout):
        p = self.from_forward()
        total = row_sum(p * dout)
        p *= dout - total
        return p

    bg.layers.Softmax.backward = backward


@wrong(
    softmax,
    "p * p for the table",
    "p * p is a row of squares, not a matrix. np.outer(p, p) has a number for each pair: p[i] * p[j].",
)
def _(bg):
    bg.layers.softmax_jacobian = lambda p: np.diag(p) - p * p


@wrong(
    softmax,
    "p @ p for the table",
    "p @ p is one number, the sum of the squares. np.outer(p, p) has a number for each pair: p[i] * p[j].",
)
def _(bg):
    bg.layers.softmax_jacobian = lambda p: np.diag(p) - p @ p


@wrong(
    softmax,
    "Python's max",
    "Python's max compares whole rows with each other, and that has no answer. scores.max(axis=1, keepdims=True) "
    "finds the largest of each row.",
)
def _(bg):
    def softmax_rows(scores):
        return max(scores)

    bg.layers.softmax_rows = softmax_rows


@wrong(
    softmax,
    "the probabilities not kept",
    "forward answers, but keeps nothing, so backward does not find the probabilities. Put them into self.kept, and "
    "return them.",
)
def _(bg):
    bg.layers.Softmax.forward = lambda self, x: bg.layers.softmax_rows(x)


@wrong(
    softmax,
    "the probabilities under a name of their own",
    "The numbers are right. But a backward before any forward should say so in words. Keep the probabilities in "
    "self.kept, and get them with self.from_forward().",
)
def _(bg):
    kept_elsewhere(bg.layers.Softmax)


@wrong(
    softmax,
    "one Jacobian for all rows",
    "softmax_jacobian is for one row, and here it got all of them. Each row has its own Jacobian. Multiply one by "
    "dout on paper: the product, written out, does all rows at once and needs no matrix.",
)
def _(bg):
    patch_softmax_back(bg, lambda p, dout: bg.layers.softmax_jacobian(p) @ dout)


# 10.4: cross-entropy.


def log_p_of(scores):
    lower = scores - scores.max(axis=1, keepdims=True)
    return lower - np.log(row_sum(np.exp(lower)))


def patch_loss(bg, value):
    """value(log_p, scores, targets) is the loss."""

    def forward(self, scores, targets):
        self.kept = bg.layers.softmax_rows(scores), targets
        return value(log_p_of(scores), scores, targets)

    bg.layers.CrossEntropyLoss.forward = forward


def patch_loss_back(bg, rule):
    """rule(p, hot, n, dout) is the gradient of the scores."""

    def backward(self, dout=1.0):
        p, targets = self.from_forward()
        return rule(p, np.eye(p.shape[1])[targets], len(p), dout)

    bg.layers.CrossEntropyLoss.backward = backward


def picked(log_p, targets):
    return log_p[np.arange(len(log_p)), targets]


@wrong(
    entropy,
    "one top for all rows",
    "The largest score of the whole array was subtracted: in a row far below it you take the logarithm of 0. Each row "
    "has its own largest score.",
    stuck="The loss is nan or explodes",
)
def _(bg):
    def forward(self, scores, targets):
        self.kept = bg.layers.softmax_rows(scores), targets
        lower = scores - scores.max()
        return -picked(lower - np.log(np.exp(lower).sum(axis=1, keepdims=True)), targets).mean()

    bg.layers.CrossEntropyLoss.forward = forward


@wrong(
    entropy,
    "the sum of the rows",
    "The loss is the sum over the rows here. The mean is wanted, so that the loss does not grow with the batch.",
)
def _(bg):
    patch_loss(bg, lambda log_p, scores, targets: -picked(log_p, targets).sum())


@wrong(
    entropy,
    "over N times C",
    "The sum was divided by the number of scores, N * C. There is one loss for each row: divide by N.",
)
def _(bg):
    patch_loss(bg, lambda log_p, scores, targets: -picked(log_p, targets).sum() / log_p.size)


@wrong(
    entropy,
    "over C",
    "The sum was divided by the number of classes. There is one loss for each row: divide by N.",
)
def _(bg):
    patch_loss(bg, lambda log_p, scores, targets: -picked(log_p, targets).sum() / log_p.shape[1])


@wrong(
    entropy,
    "the logarithm of the mean",
    "The mean of the probabilities was taken first, then its logarithm. Each row has a loss of its own: first the "
    "logarithms, then their mean.",
)
def _(bg):
    patch_loss(bg, lambda log_p, scores, targets: -np.log(picked(np.exp(log_p), targets).mean()))


@wrong(
    entropy,
    "the minus forgotten",
    "The logarithm of a probability is below 0. A loss should be small when the net is right, so it needs the minus "
    "sign.",
)
def _(bg):
    patch_loss(bg, lambda log_p, scores, targets: picked(log_p, targets).mean())


@wrong(
    entropy,
    "log_p[:, targets]",
    "log_p[:, targets] takes the columns of all targets from every row. One number from each row is wanted, so the "
    "index needs a list of rows that goes with the list of targets.",
)
def _(bg):
    patch_loss(bg, lambda log_p, scores, targets: -log_p[:, targets].mean())


@wrong(
    entropy,
    "all classes counted",
    "The logarithms of all classes were averaged. In each row only that of the right class counts: pick it with the "
    "target.",
)
def _(bg):
    patch_loss(bg, lambda log_p, scores, targets: -log_p.mean())


@wrong(
    entropy,
    "log of the softmax",
    "A probability that was rounded to 0 has the logarithm -inf, so the loss is inf. p is a quotient, and the "
    "logarithm of a quotient is a difference: of which two numbers, and which of them needs no exp at all?",
    stuck="The loss is nan or explodes",
)
def _(bg):
    patch_loss(bg, lambda log_p, scores, targets: -np.log(picked(bg.layers.softmax_rows(scores), targets)).mean())


@wrong(
    entropy,
    "a tiny number added",
    "Adding a tiny number hides the logarithm of 0, but then the loss is wrong: about 14 where 1000 is right. Compute "
    "log p from the scores, without the probability.",
    stuck="The loss is nan or explodes",
)
def _(bg):
    patch_loss(
        bg, lambda log_p, scores, targets: -np.log(picked(bg.layers.softmax_rows(scores), targets) + 1e-12).mean()
    )


def ask_for_a_tiny_number(name, done, size, probability):
    """One more tiny number that hides the logarithm of 0.  probability(p): what the logarithm is taken of."""

    @wrong(
        entropy,
        name,
        f"{done} hides the logarithm of 0, but then the loss is wrong: a row that should cost 2000 costs "
        f"{-np.log(size):.0f}. Compute log p from the scores, without the probability.",
        stuck="The loss is nan or explodes",
    )
    def _(bg):
        def value(log_p, scores, targets):
            return -np.log(probability(picked(bg.layers.softmax_rows(scores), targets))).mean()

        patch_loss(bg, value)


for _size in (1e-15, 1e-10, 1e-9, 1e-8, 1e-7, 1e-6):
    _added, _least = (lambda p, size=_size: p + size), (lambda p, size=_size: np.maximum(p, size))
    ask_for_a_tiny_number(f"{_size:g} added", f"Adding {_size:g}", _size, _added)
    if _size > 1e-10:  # the others cannot be told apart from what is added
        ask_for_a_tiny_number(f"cut off at {_size:g}", f"Cutting probabilities off at {_size:g}", _size, _least)


@wrong(
    entropy,
    "no largest taken off in the loss",
    "log(sum of exp(scores)) overflows at 1000. Subtract the row's largest score first, as in softmax_rows.",
    stuck="The loss is nan or explodes",
)
def _(bg):
    patch_loss(bg, lambda log_p, scores, targets: -picked(scores - np.log(row_sum(np.exp(scores))), targets).mean())


@wrong(
    entropy,
    "the score itself",
    "This is minus the mean score of the right class. A large score says nothing by itself: it must be compared with "
    "the other scores of its row, through log(sum of exp).",
)
def _(bg):
    patch_loss(bg, lambda log_p, scores, targets: -picked(scores, targets).mean())


@wrong(
    entropy,
    "the probability without its logarithm",
    "This is minus the mean probability. The cross-entropy takes its logarithm first: being sure and wrong must cost "
    "much more than being unsure.",
)
def _(bg):
    patch_loss(bg, lambda log_p, scores, targets: -picked(np.exp(log_p), targets).mean())


@wrong(
    entropy,
    "logarithm to base 2",
    "np.log2 counts in bits. The loss, and its simple gradient, use the natural logarithm: np.log.",
)
def _(bg):
    patch_loss(bg, lambda log_p, scores, targets: -picked(log_p, targets).mean() / np.log(2))


@wrong(
    entropy,
    "the gradient not over N",
    "The gradient is not divided by N here. The loss is a mean over N rows, so how much does each row count?",
    stuck="Right loss, wrong size of the gradient",
)
def _(bg):
    patch_loss_back(bg, lambda p, hot, n, dout: (p - hot) * dout)


@wrong(
    entropy,
    "the gradient over N times C",
    "The gradient was divided by the number of scores, N * C. The loss is the mean over N rows: divide by N.",
    stuck="Right loss, wrong size of the gradient",
)
def _(bg):
    patch_loss_back(bg, lambda p, hot, n, dout: (p - hot) / p.size * dout)


@wrong(
    entropy,
    "the gradient over C",
    "The gradient was divided by the number of classes. The loss is the mean over N rows: divide by N.",
    stuck="Right loss, wrong size of the gradient",
)
def _(bg):
    patch_loss_back(bg, lambda p, hot, n, dout: (p - hot) / p.shape[1] * dout)


@wrong(
    entropy,
    "one-hot minus softmax",
    "The sign is the wrong way round. Raising the score of the right class lowers the loss, so which sign does its "
    "gradient have?",
)
def _(bg):
    patch_loss_back(bg, lambda p, hot, n, dout: (hot - p) / n * dout)


@wrong(
    entropy,
    "the one-hot forgotten",
    "This is softmax / N. Compare with the gradient in the notebook: what is different at the target of each row?",
)
def _(bg):
    patch_loss_back(bg, lambda p, hot, n, dout: p / n * dout)


@wrong(
    entropy,
    "only the target's place",
    "Only the targets got a gradient. The other scores matter too: they are part of the sum of exponentials, each "
    "with its own p.",
)
def _(bg):
    patch_loss_back(bg, lambda p, hot, n, dout: (p - 1) * hot / n * dout)


@wrong(
    entropy,
    "1 taken off whole columns",
    "dscores[:, targets] -= 1 subtracts 1 in every row, and only once in a column that is named twice. One place in "
    "each row is meant: the index needs a list of rows too.",
)
def _(bg):
    def backward(self, dout=1.0):
        p, targets = self.from_forward()
        dscores = p.copy()
        dscores[:, targets] -= 1
        return dscores / len(p) * dout

    bg.layers.CrossEntropyLoss.backward = backward


@wrong(
    entropy,
    "dout ignored",
    "dout is 1 by default, but it may be something else: the loss can be part of something larger. Multiply the "
    "gradient by it.",
)
def _(bg):
    patch_loss_back(bg, lambda p, hot, n, dout: (p - hot) / n)


@wrong(
    entropy,
    "through softmax once more",
    "p - one-hot is the gradient of the scores already. Here it went through the backward of softmax as well.",
)
def _(bg):
    def back(p, hot, n, dout):
        g = (p - hot) / n * dout
        return p * (g - row_sum(p * g))

    patch_loss_back(bg, back)


@wrong(
    entropy,
    "the kept probabilities changed",
    "backward subtracted the 1 from the very probabilities that forward keeps, so a second backward subtracts it "
    "again. Change a copy.",
)
def _(bg):
    def backward(self, dout=1.0):
        p, targets = self.from_forward()
        p[np.arange(len(p)), targets] -= 1
        return p / len(p) * dout

    bg.layers.CrossEntropyLoss.backward = backward


@wrong(
    entropy,
    "nothing kept in the loss",
    "forward answers, but keeps nothing. Which two things will backward need? Put both into self.kept, as a pair.",
)
def _(bg):
    bg.layers.CrossEntropyLoss.forward = lambda self, scores, targets: -picked(log_p_of(scores), targets).mean()


@wrong(
    entropy,
    "the scores kept",
    "forward kept the scores, and backward took them for probabilities. Which function makes probabilities of them? "
    "Keep those, and the targets.",
)
def _(bg):
    def forward(self, scores, targets):
        self.kept = scores, targets
        return -picked(log_p_of(scores), targets).mean()

    bg.layers.CrossEntropyLoss.forward = forward


@wrong(
    entropy,
    "kept under a name of its own",
    "The numbers are right. But a backward before any forward should say so in words. Keep the pair in self.kept, and "
    "get it with self.from_forward().",
)
def _(bg):
    kept_elsewhere(bg.layers.CrossEntropyLoss)


@wrong(
    entropy,
    "log_p[targets]",
    "log_p[targets] picks whole rows: the targets were taken for row numbers. One number from each row is wanted, so "
    "the index needs both: a list of rows, then the targets.",
)
def _(bg):
    patch_loss(bg, lambda log_p, scores, targets: -log_p[targets].mean())


@wrong(
    entropy,
    "one sum for all rows",
    "The exponentials of all rows were added up. Each row has its own sum: axis=1, keepdims=True.",
)
def _(bg):
    def value(log_p, scores, targets):
        lower = scores - scores.max(axis=1, keepdims=True)
        return -picked(lower - np.log(np.exp(lower).sum()), targets).mean()

    patch_loss(bg, value)


@wrong(
    entropy,
    "a sum that lost its axis",
    "A sum with axis=1 alone has shape (N,), and (N, C) beside (N,) broadcasts along the wrong axis, or not at all. "
    "keepdims=True leaves it a column.",
)
def _(bg):
    def value(log_p, scores, targets):
        lower = scores - scores.max(axis=1, keepdims=True)
        return -picked(lower - np.log(np.exp(lower).sum(axis=1)), targets).mean()

    patch_loss(bg, value)


@wrong(
    entropy,
    "1 taken off whole rows",
    "dscores[targets] -= 1 subtracts 1 from whole rows: the targets were taken for row numbers. One place in each row "
    "is meant: the index needs a list of rows too.",
)
def _(bg):
    def backward(self, dout=1.0):
        p, targets = self.from_forward()
        dscores = p.copy()
        dscores[targets] -= 1
        return dscores / len(p) * dout

    bg.layers.CrossEntropyLoss.backward = backward


@wrong(
    entropy,
    "divided by dout",
    "The gradient is multiplied by dout, not divided. With dout = 1 both are the same.",
)
def _(bg):
    patch_loss_back(bg, lambda p, hot, n, dout: (p - hot) / n / dout)


# 10.5: Net.


@wrong(
    net,
    "every layer gets the first x",
    "Each layer was given the net's own x. The answer of one layer is the x of the next.",
)
def _(bg):
    def forward(self, x):
        for layer in self.layers:
            out = layer.forward(x)
        return out if self.layers else x

    bg.layers.Net.forward = forward


@wrong(
    net,
    "backward from the front",
    "backward went from the first layer to the last. dout is the gradient of the last layer's answer, so the last "
    "layer is called first.",
)
def _(bg):
    def backward(self, dout):
        for layer in self.layers:
            dout = layer.backward(dout)
        return dout

    bg.layers.Net.backward = backward


@wrong(
    net,
    "forward from the back",
    "forward went through the layers from last to first. Which layer is the net's x meant for?",
)
def _(bg):
    def forward(self, x):
        for layer in reversed(self.layers):
            x = layer.forward(x)
        return x

    bg.layers.Net.forward = forward


@wrong(
    net,
    "every layer gets the last dout",
    "Each layer was given the same dout. What a layer's backward returns is the dout of the layer before it.",
)
def _(bg):
    def backward(self, dout):
        found = dout
        for layer in reversed(self.layers):
            found = layer.backward(dout)
        return found

    bg.layers.Net.backward = backward


@wrong(
    net,
    "the list turned for good",
    "self.layers.reverse() reverses the list itself, and it stays reversed: the next forward goes through the net "
    "backwards. reversed(self.layers) leaves it alone.",
)
def _(bg):
    def backward(self, dout):
        self.layers.reverse()
        for layer in self.layers:
            dout = layer.backward(dout)
        return dout

    bg.layers.Net.backward = backward


@wrong(
    net,
    "nothing returned from the net",
    "Net.backward returns nothing. A net is a layer itself, and may be part of another net: return the gradient of "
    "its input.",
)
def _(bg):
    right = bg.layers.Net.backward

    def backward(self, dout):
        right(self, dout)

    bg.layers.Net.backward = backward


@wrong(
    net,
    "return inside the loop",
    "Only the first layer had its turn. Does return stand inside the loop? It belongs to the left, below it.",
)
def _(bg):
    def forward(self, x):
        for layer in self.layers:
            x = layer.forward(x)
            return x
        return x

    bg.layers.Net.forward = forward


@wrong(
    net,
    "the first layer left out",
    "backward left out the first layer. It has parameters to learn as well, and others may need the gradient of x.",
)
def _(bg):
    def backward(self, dout):
        for layer in self.layers[:0:-1]:
            dout = layer.backward(dout)
        return dout

    bg.layers.Net.backward = backward


@wrong(
    net,
    "forward asked twice",
    "Each layer's forward was called more than once. That costs time, and what a layer keeps may be overwritten: call "
    "it once, and hand on the answer.",
)
def _(bg):
    def forward(self, x):
        for layer in self.layers:
            layer.forward(x)
            x = layer.forward(x)
        return x

    bg.layers.Net.forward = forward


@wrong(
    net,
    "answers thrown away",
    "Each layer was given the net's own x, and its answer was thrown away: x came out as it went in. Give the answer "
    "a name, so that the next layer gets it.",
)
def _(bg):
    def forward(self, x):
        for layer in self.layers:
            layer.forward(x)
        return x

    bg.layers.Net.forward = forward


@wrong(
    net,
    "what came back thrown away",
    "Each layer was given the net's own dout, and what came back was thrown away: dout came out as it went in. Give "
    "what comes back a name, so that the layer before gets it.",
)
def _(bg):
    def backward(self, dout):
        for layer in reversed(self.layers):
            layer.backward(dout)
        return dout

    bg.layers.Net.backward = backward


@wrong(
    net,
    "a loop over .reverse()",
    "self.layers.reverse() reverses the list itself and returns None, so there is nothing to loop over. "
    "reversed(self.layers) gives the layers from the end and leaves the list alone.",
)
def _(bg):
    def backward(self, dout):
        for layer in self.layers.reverse():
            dout = layer.backward(dout)
        return dout

    bg.layers.Net.backward = backward


@wrong(
    net,
    "the way back used up",
    "The second backward returned dout as it is: no layer was called. What reversed(...) returns can be gone through "
    "once only, so backward needs a new one each time.",
)
def _(bg):
    right = bg.layers.Net.forward

    def forward(self, x):
        self.back = reversed(self.layers)
        return right(self, x)

    def backward(self, dout):
        for layer in self.back:
            dout = layer.backward(dout)
        return dout

    bg.layers.Net.forward, bg.layers.Net.backward = forward, backward


# 10.6: by nudging.


def patch_test(
    bg, draw=None, loss=None, copied=True, put_in=True, put_back=True, own_eps=None, with_x=True, error=None
):
    """eval_numerical_gradients with one of its parts replaced."""
    draw = draw or (lambda seed, shape: np.random.default_rng(seed).normal(size=shape))
    loss = loss or (lambda dout, out: np.sum(dout * out))
    error = error or (lambda by_hand, nudged: bg.layers.relative_error(by_hand, nudged))

    def eval_numerical_gradients(layer, x, *, eps=1e-6, seed=0):
        slope = bg.derivatives.numerical_gradient
        eps = own_eps or eps
        dout = draw(seed, layer.forward(x).shape)
        dx = layer.backward(dout)
        by_hand = dict(zip(layer.named_parameters(), layer.gradients()))
        if copied:
            by_hand = {name: g.copy() for name, g in by_hand.items()}
        errors = {}
        for name, parameter in layer.named_parameters().items():
            before = parameter.copy()

            def moved(array, parameter=parameter):
                if put_in:
                    parameter[...] = array
                return loss(dout, layer.forward(x))

            nudged = slope(moved, before.copy(), eps)
            if put_back:
                parameter[...] = before
            errors[name] = error(by_hand[name], nudged)
        if with_x:
            errors["x"] = error(dx, slope(lambda array: loss(dout, layer.forward(array)), x.copy(), eps))
        return errors

    bg.layers.eval_numerical_gradients = eval_numerical_gradients


@wrong(
    by_nudging,
    "backward after the nudging",
    "backward was called after the parameters had been nudged, so it used what the last nudged forward kept. Call "
    "forward and backward first, then nudge.",
)
def _(bg):
    right = bg.layers.eval_numerical_gradients

    class Late:
        """The layer, whose backward uses what a forward with nudged parameters kept."""

        def __init__(self, layer, eps):
            self.layer, self.eps = layer, eps

        def __getattr__(self, name):
            return getattr(self.layer, name)

        def backward(self, dout):
            parameters = self.layer.parameters()
            for p in parameters:
                p -= self.eps
            self.layer.forward(self.x)
            for p in parameters:
                p += self.eps
            return self.layer.backward(dout)

        def forward(self, x):
            self.x = x.copy()
            return self.layer.forward(x)

    def eval_numerical_gradients(layer, x, *, eps=1e-6, seed=0):
        return right(Late(layer, eps), x, eps=eps, seed=seed)

    bg.layers.eval_numerical_gradients = eval_numerical_gradients


@wrong(
    by_nudging,
    "dout of x's shape",
    "dout was drawn in the shape of x. It is the gradient of the answer, so it has the answer's shape: that of "
    "layer.forward(x).",
)
def _(bg):
    right = bg.layers.eval_numerical_gradients

    def eval_numerical_gradients(layer, x, *, eps=1e-6, seed=0):
        dout = np.random.default_rng(seed).normal(size=x.shape)
        np.sum(dout * layer.forward(x))  # stops here where the shapes differ
        return right(layer, x, eps=eps, seed=seed)

    bg.layers.eval_numerical_gradients = eval_numerical_gradients


@wrong(
    by_nudging,
    "eps ignored for the parameters",
    "The nudge of x depends on eps, but that of the parameters does not. Pass eps on in both.",
)
def _(bg):
    right = bg.layers.eval_numerical_gradients

    def eval_numerical_gradients(layer, x, *, eps=1e-6, seed=0):
        of_x = right(layer, x, eps=eps, seed=seed)["x"]
        return {**right(layer, x, seed=seed), "x": of_x}

    bg.layers.eval_numerical_gradients = eval_numerical_gradients


@wrong(
    by_nudging,
    "dout of ones",
    "dout is all ones here. That sees nothing of a softmax: its rows add up to 1, whatever the scores, so every "
    "gradient is 0. Draw dout at random.",
)
def _(bg):
    patch_test(bg, draw=lambda seed, shape: np.ones(shape))


@wrong(
    by_nudging,
    "dout forgotten in the sum",
    "backward was given a random dout, but the nudging looks at the plain sum of the answer. Both must be about the "
    "same number: of which number does backward(dout) return the gradient?",
)
def _(bg):
    patch_test(bg, loss=lambda dout, out: np.sum(out))


@wrong(
    by_nudging,
    "the mean for the sum",
    "The mean of dout * forward is taken here, so every derivative is too small. The gradients from backward belong "
    "to the sum.",
)
def _(bg):
    patch_test(bg, loss=lambda dout, out: np.mean(dout * out))


@wrong(
    by_nudging,
    "the seed ignored",
    "dout does not depend on seed. To repeat a test, or to try another dout, the caller needs it: "
    "np.random.default_rng(seed).",
)
def _(bg):
    patch_test(bg, draw=lambda seed, shape: np.random.default_rng(0).normal(size=shape))


@wrong(
    by_nudging,
    "another dout each time",
    "dout is drawn without a seed: the same test gives a different answer each time. Use np.random.default_rng(seed).",
)
def _(bg):
    generator = np.random.default_rng(99)
    patch_test(bg, draw=lambda seed, shape: generator.normal(size=shape))


@wrong(
    by_nudging,
    "eps ignored",
    "The nudge does not depend on eps. Pass it on: numerical_gradient takes it as its third argument.",
)
def _(bg):
    patch_test(bg, own_eps=1e-6)


@wrong(
    by_nudging,
    "gradients not copied",
    "The gradients of the parameters were not copied: nudging calls forward many times, and a layer may write other "
    "numbers into its gradients there.",
)
def _(bg):
    patch_test(bg, copied=False)


@wrong(
    by_nudging,
    "the nudged numbers not put into the layer",
    "Nudging a parameter changed nothing, as the layer still computed with the old numbers. The nudged ones must get "
    "into the layer's own array before forward is called.",
)
def _(bg):
    patch_test(bg, put_in=False)


@wrong(
    by_nudging,
    "a parameter left nudged",
    "A parameter is not what it was: the last nudge is still in it. Put the old numbers back, with parameter[...] = "
    "... And they must come from a copy, or they were nudged too.",
)
def _(bg):
    patch_test(bg, put_back=False)


@wrong(
    by_nudging,
    "a new array in the layer",
    "The layer has different arrays now. Write the numbers into the array that it has, parameter[...] = array; "
    "otherwise whoever holds that array (an optimizer, say) is left with the old one.",
)
def _(bg):
    right = bg.layers.eval_numerical_gradients

    def eval_numerical_gradients(layer, x, **options):
        errors = right(layer, x, **options)
        for name, parameter in layer.named_parameters().items():
            setattr(layer, name, parameter.copy())
        return errors

    bg.layers.eval_numerical_gradients = eval_numerical_gradients


@wrong(
    by_nudging,
    "x left nudged",
    "x is not what it was. numerical_gradient nudges the array that it is given: give it a copy.",
)
def _(bg):
    right = bg.layers.eval_numerical_gradients

    def eval_numerical_gradients(layer, x, **options):
        errors = right(layer, x, **options)
        x += 1e-6
        return errors

    bg.layers.eval_numerical_gradients = eval_numerical_gradients


@wrong(
    by_nudging,
    "x forgotten",
    "The parameters were tested, but x was not. Its gradient is all that the previous layer gets: add it under the "
    'name "x".',
)
def _(bg):
    patch_test(bg, with_x=False)


@wrong(
    by_nudging,
    "only x",
    "Only x was tested. The parameters have gradients too: layer.named_parameters() and layer.gradients() are in the "
    "same order.",
)
def _(bg):
    right = bg.layers.eval_numerical_gradients
    bg.layers.eval_numerical_gradients = lambda layer, x, **options: {"x": right(layer, x, **options)["x"]}


@wrong(
    by_nudging,
    "an array where one number is wanted",
    "numerical_gradient needs a function that returns one number, and here it got the whole answer of forward. Which "
    "single number has the gradient that backward(dout) returns?",
)
def _(bg):
    patch_test(bg, loss=lambda dout, out: dout * out)


@wrong(
    by_nudging,
    "one number for all",
    "One number came back. The point is to know which gradient is wrong: return a dict, with an error for each "
    "parameter by its name, and for x.",
)
def _(bg):
    right = bg.layers.eval_numerical_gradients
    bg.layers.eval_numerical_gradients = lambda layer, x, **options: max(right(layer, x, **options).values())


@wrong(
    by_nudging,
    "true or false",
    "The errors themselves are wanted, by name. Whether they are small enough is for the caller to decide.",
)
def _(bg):
    right = bg.layers.eval_numerical_gradients
    bg.layers.eval_numerical_gradients = lambda layer, x, **options: {
        name: error < 1e-6 for name, error in right(layer, x, **options).items()
    }


# 10.7: a step.


def patch_step(bg, update, cost_of=None):
    """train_step with another update(parameter, gradient, rate) in place."""

    def train_step(net, loss, x, targets, learning_rate):
        cost = loss.forward(net.forward(x), targets)
        net.backward(loss.backward())
        for parameter, gradient in zip(net.parameters(), net.gradients()):
            update(parameter, gradient, learning_rate, len(x))
        return cost_of(net, loss, x, targets) if cost_of else cost

    bg.layers.train_step = train_step


def moved(parameter, amount):
    parameter -= amount


@wrong(
    step,
    "uphill",
    "The parameters went along the gradient: it points uphill, so the loss grows. Which way is downhill?",
    stuck="The loss does not fall",
)
def _(bg):
    patch_step(bg, lambda p, g, rate, n: moved(p, -rate * g))


@wrong(
    step,
    "a new array under the same name",
    "parameter = parameter - ... makes a new array and gives it the name `parameter` in this function. The layer still "
    "has the old one. parameter -= ... writes into it.",
    stuck="The loss does not fall",
)
def _(bg):
    patch_step(bg, lambda p, g, rate, n: None)


@wrong(
    step,
    "gradients from before backward",
    "net.gradients() was called before net.backward. There are no gradients yet then, or those of the step before.",
    same_as={"a new array under the same name": "after the first step no parameter has changed in either"},
    stuck="The loss does not fall",
)
def _(bg):
    def train_step(net, loss, x, targets, learning_rate):
        cost = loss.forward(net.forward(x), targets)
        gradients = net.gradients()
        net.backward(loss.backward())
        for parameter, gradient in zip(net.parameters(), gradients):
            if gradient is not None:
                parameter -= learning_rate * gradient
        return cost

    bg.layers.train_step = train_step


def patch_step_by_layers(bg, moves):
    """train_step that goes through net.layers, and moves the parameters of those for which moves(layer) is true."""

    def train_step(net, loss, x, targets, learning_rate):
        cost = loss.forward(net.forward(x), targets)
        net.backward(loss.backward())
        for layer in filter(moves, net.layers):
            for name in layer.names:
                moved(getattr(layer, name), learning_rate * getattr(layer, f"d{name}"))
        return cost

    bg.layers.train_step = train_step


@wrong(
    step,
    "only layers of the class Linear",
    "Only the net's own layers of the class Linear moved. Other layers may have parameters too, and a Net may stand in "
    "a Net: net.parameters() and net.gradients() know all of them.",
)
def _(bg):
    patch_step_by_layers(bg, lambda layer: isinstance(layer, bg.layers.Linear))


@wrong(
    step,
    "an inner net left out",
    "The layers of a Net that stands inside the net did not move. net.parameters() and net.gradients() know those too.",
)
def _(bg):
    patch_step_by_layers(bg, lambda layer: True)


def scaled(gradient, rate):
    gradient *= rate
    return gradient


@wrong(
    step,
    "the gradients scaled in place",
    "The gradient was multiplied by the learning rate in place, so the layer's own dweight and dbias are not "
    "gradients any more. learning_rate * gradient is a new array.",
)
def _(bg):
    patch_step(bg, lambda p, g, rate, n: moved(p, scaled(g, rate)))


@wrong(
    step,
    "new arrays in the layers",
    "The layers have different arrays now. parameter -= ... writes into the arrays that they have, so whoever holds "
    "those sees the new numbers.",
)
def _(bg):
    def train_step(net, loss, x, targets, learning_rate):
        cost = loss.forward(net.forward(x), targets)
        net.backward(loss.backward())
        for layer in net.layers:
            for name in layer.names:
                setattr(layer, name, getattr(layer, name) - learning_rate * getattr(layer, f"d{name}"))
        return cost

    bg.layers.train_step = train_step


@wrong(
    step,
    "the learning rate forgotten",
    "The whole gradient was subtracted. How long should the step be? The caller has said.",
)
def _(bg):
    patch_step(bg, lambda p, g, rate, n: moved(p, g))


@wrong(
    step,
    "divided by N once more",
    "The gradient was divided by the number of samples. loss.backward() has done that already: the loss is a mean.",
    stuck="Right loss, wrong size of the gradient",
)
def _(bg):
    patch_step(bg, lambda p, g, rate, n: moved(p, rate * g / n))


@wrong(
    step,
    "a learning rate of its own",
    "The step is a tenth of the gradient, whatever learning_rate is. The caller decides how far to go.",
)
def _(bg):
    patch_step(bg, lambda p, g, rate, n: moved(p, 0.1 * g))


@wrong(
    step,
    "the loss handed to its own backward",
    "loss.backward was given the loss itself, and multiplied every gradient by it. Its argument is the gradient of the "
    "loss, which is 1 unless the loss is part of something larger: loss.backward().",
    stuck="Right loss, wrong size of the gradient",
)
def _(bg):
    def train_step(net, loss, x, targets, learning_rate):
        cost = loss.forward(net.forward(x), targets)
        net.backward(loss.backward(cost))
        for parameter, gradient in zip(net.parameters(), net.gradients()):
            parameter -= learning_rate * gradient
        return cost

    bg.layers.train_step = train_step


@wrong(
    step,
    "the sign of the gradient",
    "Only the sign of the gradient was used. Its size matters too: it says how steep the loss is.",
)
def _(bg):
    patch_step(bg, lambda p, g, rate, n: moved(p, rate * np.sign(g)))


@wrong(
    step,
    "the loss after the step",
    "The parameters are right, but the loss was computed again after the step. The loss before the step is wanted: "
    "the forward pass has given it already, at no extra cost.",
)
def _(bg):
    patch_step(
        bg,
        lambda p, g, rate, n: moved(p, rate * g),
        lambda net, loss, x, targets: loss.forward(net.forward(x), targets),
    )


@wrong(
    step,
    "no loss returned",
    "The parameters are right, but nothing was returned. Return the loss: it shows whether training works.",
)
def _(bg):
    patch_step(bg, lambda p, g, rate, n: moved(p, rate * g), lambda *_: None)


@wrong(
    step,
    "biases left out",
    "Only the weights moved. The biases are parameters too: net.parameters() has all of them.",
)
def _(bg):
    patch_step(bg, lambda p, g, rate, n: moved(p, rate * g) if p.ndim == 2 else None)


@wrong(
    step,
    "only the first layer",
    "Only the first layer moved. net.parameters() and net.gradients() hold those of all layers.",
)
def _(bg):
    def train_step(net, loss, x, targets, learning_rate):
        cost = loss.forward(net.forward(x), targets)
        net.backward(loss.backward())
        first = net.layers[0]
        for parameter, gradient in zip(first.parameters(), first.gradients()):
            parameter -= learning_rate * gradient
        return cost

    bg.layers.train_step = train_step


@wrong(
    step,
    "net.backward with the loss",
    "net.backward got the loss, or some other number. It needs an array (N, C), the gradient of the net's answer. Who "
    "computes that?",
)
def _(bg):
    def train_step(net, loss, x, targets, learning_rate):
        net.backward(loss.forward(net.forward(x), targets))

    bg.layers.train_step = train_step


@wrong(
    step,
    "net.backward forgotten",
    "When net.gradients() was called, the layers had no gradients yet, and None cannot be multiplied. They have them "
    "after net.backward, which needs what loss.backward() returns. Call it first, and ask for the gradients "
    "afterwards.",
)
def _(bg):
    def train_step(net, loss, x, targets, learning_rate):
        cost = loss.forward(net.forward(x), targets)
        loss.backward()
        for parameter, gradient in zip(net.parameters(), net.gradients()):
            parameter -= learning_rate * gradient
        return cost

    bg.layers.train_step = train_step


# What a rule must not do, in 10.8 to 10.11.


def patch_aside(bg, names, aside):
    """The rules of these operations, right, but for what they do on the side: aside(share, out_grad, node)."""
    for name in names:
        cls = getattr(bg.ops, name)

        def backward(self, out_grad, node, right=cls.backward):
            share = right(self, out_grad, node)
            aside(share, out_grad, node)
            return share

        cls.backward = backward


def write_grad(share, out_grad, node):
    node._inputs[0].grad = share.data


def change_out_grad(share, out_grad, node):
    out_grad.data *= 2.0


RULES = (
    (picking, ("Gather", "Scatter")),
    (largest, ("Max",)),
    (log_sum, ("LogSumExp",)),
    (family, ("LogSoftmax", "Softmax")),
)
for _exercise, _names in RULES:
    wrong(
        _exercise,
        "the rule writes .grad",
        "The rule wrote into .grad. A rule only returns shares; the backward pass collects everything that arrives at "
        "a Tensor and puts the sum there. Return the share, and leave .grad alone.",
    )(lambda bg, names=_names: patch_aside(bg, names, write_grad))
    wrong(
        _exercise,
        "the rule changes out_grad",
        "The rule changed the numbers of out_grad in place, with *= or the like. Others may be given the same "
        "out_grad. An operation on Tensors makes a new one.",
    )(lambda bg, names=_names: patch_aside(bg, names, change_out_grad))


# 10.8: picking out and adding in.


def patch_scatter(bg, add):
    """Scatter.forward with another add(zeros, index, a)."""

    def forward(self, a):
        zeros = np.zeros(self.shape, a.dtype)
        add(zeros, self.index, a)
        return zeros

    bg.ops.Scatter.forward = forward


@wrong(
    picking,
    "zeros[index] += a",
    "Where a place is named twice, the number that comes last wins: zeros[index] += a reads all places first and "
    "writes them afterwards, and zeros[index] = a does not even try to add. Which method of np.add adds every number, "
    "one by one?",
)
def _(bg):
    def add(zeros, index, a):
        zeros[index] += a

    patch_scatter(bg, add)


@wrong(
    picking,
    "as many ones as places",
    "The places were counted, but the numbers that belong there were not added: they are in a.",
)
def _(bg):
    patch_scatter(bg, lambda zeros, index, a: np.add.at(zeros, index, 1))


@wrong(
    picking,
    "nothing added",
    "All places hold 0: nothing was added. np.add.at adds in place, into its first argument: is that the array you "
    "return?",
)
def _(bg):
    patch_scatter(bg, lambda zeros, index, a: None)


@wrong(
    picking,
    "zeros made once",
    "The second call added to the result of the first: the zeros were made once and kept. Each call of forward needs "
    "zeros of its own.",
)
def _(bg):
    def forward(self, a):
        self.zeros = getattr(self, "zeros", np.zeros(self.shape, a.dtype))
        np.add.at(self.zeros, self.index, a)
        return self.zeros

    bg.ops.Scatter.forward = forward


@wrong(
    picking,
    "returned what np.add.at returns",
    "np.add.at changes its first argument and returns None. Return the array that it has filled.",
)
def _(bg):
    bg.ops.Scatter.forward = lambda self, a: np.add.at(np.zeros(self.shape, a.dtype), self.index, a)


@wrong(
    picking,
    "always float64",
    "np.zeros makes float64, whatever a is, so a float32 array comes out twice as large. Its second argument is the "
    "dtype.",
)
def _(bg):
    def forward(self, a):
        zeros = np.zeros(self.shape)
        np.add.at(zeros, self.index, a)
        return zeros

    bg.ops.Scatter.forward = forward


@wrong(
    picking,
    "np.take",
    "np.take counts the numbers as if they stood in one long row. NumPy's own a[...] understands axes, slices and "
    "pairs of arrays.",
)
def _(bg):
    def forward(self, a):
        return np.take(a, self.index if isinstance(self.index, (int, np.ndarray)) else self.index[-1])

    bg.ops.Gather.forward = forward


@wrong(
    picking,
    "out_grad handed on",
    "out_grad came back as it is. It has the shape of what was picked; the gradient of a has a's shape, with 0 "
    "wherever nothing was picked. Which operation makes that of it?",
)
def _(bg):
    bg.ops.Gather.backward = lambda self, out_grad, node: out_grad


@wrong(
    picking,
    "picked once more",
    "backward picked from out_grad with the same index. It should go the other way, and put each number back where it "
    "came from: which operation does that?",
)
def _(bg):
    def backward(self, out_grad, node):
        return bg.ops.Gather(self.index)(out_grad)

    bg.ops.Gather.backward = backward


@wrong(
    picking,
    "NumPy in the rule of Gather",
    "The numbers are right, but NumPy made them, so the gradient does not remember out_grad and cannot be "
    "differentiated again. scatter(...) is an operation on Tensors.",
)
def _(bg):
    def backward(self, out_grad, node):
        zeros = np.zeros(node._inputs[0].shape)
        np.add.at(zeros, self.index, out_grad.data)
        return bg.Tensor(zeros)

    bg.ops.Gather.backward = backward


@wrong(
    picking,
    "an array from the rule of Gather",
    "The rule returned a NumPy array. A rule returns Tensors, and scatter(...) makes one.",
)
def _(bg):
    def backward(self, out_grad, node):
        zeros = np.zeros(node._inputs[0].shape)
        np.add.at(zeros, self.index, out_grad.data)
        return zeros

    bg.ops.Gather.backward = backward


@wrong(
    picking,
    "the shape of the result",
    "scatter was given the shape of the result. Whose gradient is this, and what shape must it have?",
    same_as={"zeros in the shape of the numbers": "in the way back of a Gather both take the shape of its result"},
)
def _(bg):
    bg.ops.Gather.backward = lambda self, out_grad, node: bg.ops.Scatter(self.index, node.shape)(out_grad)


@wrong(
    picking,
    "scatter's rule scatters",
    "Each number of a went to one place, and gets the gradient of that place. Here the rule scatters again: which "
    "operation picks numbers from their places?",
)
def _(bg):
    bg.ops.Scatter.backward = lambda self, out_grad, node: bg.ops.Scatter(self.index, out_grad.shape)(
        bg.ops.Gather(self.index)(out_grad)
    )


@wrong(
    picking,
    "scatter's rule hands on out_grad",
    "out_grad has the shape of the large array. Each number of a gets only what stands at its own place: which "
    "operation picks that?",
)
def _(bg):
    bg.ops.Scatter.backward = lambda self, out_grad, node: out_grad


@wrong(
    picking,
    "NumPy in the rule of Scatter",
    "The numbers are right, but they do not remember out_grad, as if they were picked from an array. gather(...) is "
    "an operation on Tensors.",
)
def _(bg):
    bg.ops.Scatter.backward = lambda self, out_grad, node: bg.Tensor(out_grad.data[self.index])


@wrong(
    picking,
    "zeros in the shape of the numbers",
    "The array of zeros has the shape of a, the numbers to be put in. It must have the shape that they are put into: "
    "self.shape.",
)
def _(bg):
    def forward(self, a):
        zeros = np.zeros_like(a)
        np.add.at(zeros, self.index, a)
        return zeros

    bg.ops.Scatter.forward = forward


@wrong(
    picking,
    "the operation inside its own forward",
    "forward works on plain arrays. gather(a, ...) is the operation itself: it makes a Tensor and calls this forward "
    "again. Use NumPy's own indexing.",
)
def _(bg):
    bg.ops.Gather.forward = lambda self, a: bg.ops.Gather(self.index)(a)


# 10.9: max.


def patch_max_back(bg, rule):
    """rule(a, node, kept, axes, out_grad): kept is the result in the shape with the axes kept, as out_grad is."""

    def backward(self, out_grad, node):
        (a,) = node._inputs
        shape = bg.ops.shape.shape_with_ones(a.shape, self.axes)
        kept, above = node.data.reshape(shape), bg.ops.reshape(out_grad, shape)
        return rule(a.data, kept, self.axes, above)

    bg.ops.Max.backward = backward


@wrong(
    largest,
    "always the largest of all",
    "The largest of the whole array came out, whatever the axes. np.max takes axis and keepdims: where does the "
    "operation keep its own?",
)
def _(bg):
    bg.ops.Max.forward = lambda self, a: np.max(a)


@wrong(
    largest,
    "keepdims of max ignored",
    "keepdims was not passed on: with it the axes stay in the shape, with size 1.",
)
def _(bg):
    bg.ops.Max.forward = lambda self, a: np.max(a, axis=self.axes)


@wrong(
    largest,
    "the largest in size",
    "Here -3 beats 2. The largest number is meant, not the one that is farthest from 0.",
)
def _(bg):
    bg.ops.Max.forward = lambda self, a: np.max(np.abs(a), axis=self.axes, keepdims=self.keepdims)


@wrong(
    largest,
    "np.maximum with 0",
    "np.maximum(a, 0) compares every number with 0: that is ReLU. np.max looks for the largest along the axes.",
)
def _(bg):
    bg.ops.Max.forward = lambda self, a: np.maximum(np.max(a, axis=self.axes, keepdims=self.keepdims), 0)


@wrong(
    largest,
    "0 for an infinite largest number",
    "Where all numbers are -inf, the largest is -inf too, and here it is 0. (`highest` gives that 0, so that its "
    "result can always be subtracted; NumPy's max does not.)",
)
def _(bg):
    def forward(self, a):
        top = bg.ops.stable.highest(a, self.axes)
        return top if self.keepdims else np.squeeze(top, self.axes)

    bg.ops.Max.forward = forward


NO_TIE = (
    "Two numbers that nearly tie shared the gradient. 5 and 5.00001 are no tie: only the larger one moves the result. "
    "The result is one of the numbers, not computed from them, so here == is right."
)


@wrong(largest, "winners by isclose", NO_TIE)
def _(bg):
    def close(a, kept, axes, above):
        winners = np.isclose(a, kept)
        return above * winners / winners.sum(axis=axes, keepdims=True)

    patch_max_back(bg, close)


@wrong(largest, "winners up to a tiny number", NO_TIE)
def _(bg):
    def close(a, kept, axes, above):
        winners = a >= kept - 1e-9
        return above * winners / winners.sum(axis=axes, keepdims=True)

    patch_max_back(bg, close)


@wrong(
    largest,
    "ties get all of it",
    "Where two tie, each got the whole gradient. Together they move the result only once, so they share it. How many "
    "winners are there?",
)
def _(bg):
    patch_max_back(bg, lambda a, kept, axes, above: above * (a == kept))


@wrong(
    largest,
    "the first winner alone",
    "Where two tie, the first one got everything. Here they share equally. argmax finds only the first; equal finds "
    "them all.",
)
def _(bg):
    def first_only(a, kept, axes, above):
        winners = a == kept
        flat = np.moveaxis(winners, axes, range(len(axes))) if axes is not None else winners
        count = a.ndim if axes is None else len(axes)
        rows = flat.reshape(int(np.prod(flat.shape[:count])), -1)
        alone = (rows & (np.cumsum(rows, axis=0) == 1)).reshape(flat.shape)
        return above * (np.moveaxis(alone, range(len(axes)), axes) if axes is not None else alone)

    patch_max_back(bg, first_only)


@wrong(
    largest,
    "argmax along one axis",
    "argmax handles one axis only: with several in self.axes it looks along the first of them, and it finds one "
    "winner where two tie. Comparing a with the result, in its shape with ones, finds all winners along any axes.",
)
def _(bg):
    def first_along_the_first(a, kept, axes, above):
        axis = axes[0] if axes else None
        winners = np.zeros(a.shape, a.dtype)
        if axis is None:
            winners.flat[a.argmax()] = 1
        else:
            np.put_along_axis(winners, np.expand_dims(a.argmax(axis), axis), 1, axis)
        return above * winners

    patch_max_back(bg, first_along_the_first)


@wrong(
    largest,
    "the count without its axes",
    "The winners were counted, but the count lost its axes, so it does not line up with its own numbers: it "
    "broadcasts along the wrong axis, or not at all. keepdims=True keeps the axes, with size 1.",
    stuck="A gradient has the wrong shape",
)
def _(bg):
    patch_max_back(bg, lambda a, kept, axes, above: above * (a == kept) / (a == kept).sum(axis=axes))


@wrong(
    largest,
    "the count along the last axis",
    "The winners were always counted along the last axis. self.axes says along which to count.",
)
def _(bg):
    patch_max_back(bg, lambda a, kept, axes, above: above * (a == kept) / (a == kept).sum(axis=-1, keepdims=True))


@wrong(
    largest,
    "the largest along the last axis",
    "The largest was always taken along the last axis. self.axes says which axes it should be: a tuple, or None for "
    "all.",
)
def _(bg):
    bg.ops.Max.forward = lambda self, a: a.max(axis=-1, keepdims=self.keepdims)


@wrong(
    largest,
    "winners in float64",
    "A float32 gradient became float64, because it was multiplied by a float64 array, such as np.where or np.zeros "
    "make. equal(...) has the dtype of its inputs, and truth values do not change a dtype.",
)
def _(bg):
    def by_where(a, kept, axes, above):
        winners = np.where(a == kept, 1.0, 0.0)
        return above * (winners / winners.sum(axis=axes, keepdims=True))

    patch_max_back(bg, by_where)


@wrong(
    largest,
    "shared by all winners of the array",
    "The winners were counted in the whole array. Each row (or whatever the axes say) has its own count: add up along "
    "self.axes, with keepdims=True.",
)
def _(bg):
    patch_max_back(bg, lambda a, kept, axes, above: above * (a == kept) / float((a == kept).sum()))


@wrong(
    largest,
    "the mean for the sum of the winners",
    "The gradient was divided by the mean of the truth values. It should be divided by the number of winners: how do "
    "you count them?",
)
def _(bg):
    patch_max_back(bg, lambda a, kept, axes, above: above * (a == kept) / (a == kept).mean(axis=axes, keepdims=True))


@wrong(
    largest,
    "everybody gets something",
    "Every number got out_grad, as if this were a sum. Only the winners move the result: compare a with the result.",
)
def _(bg):
    patch_max_back(bg, lambda a, kept, axes, above: above * np.ones(a.shape))


@wrong(
    largest,
    "out_grad of max forgotten",
    "The winners got 1, or their share of it. That must be multiplied by what arrives from above: out_grad.",
)
def _(bg):
    patch_max_back(
        bg,
        lambda a, kept, axes, above: (
            bg.ops.broadcast_to(above * 0.0 + 1.0, a.shape) * (a == kept) / (a == kept).sum(axis=axes, keepdims=True)
        ),
    )


@wrong(
    largest,
    "the winner's number",
    "The truth values were multiplied by a itself. The derivative is 1 for the winner, however large it is.",
)
def _(bg):
    patch_max_back(
        bg, lambda a, kept, axes, above: above * ((a == kept) * a) / (a == kept).sum(axis=axes, keepdims=True)
    )


@wrong(
    largest,
    "the result not in its shape with ones",
    "The result has lost the axes, so it does not line up with its own numbers: it broadcasts along the wrong axis, "
    "or not at all. Reshape it to shape_with_ones(a.shape, self.axes), and out_grad too.",
    stuck="A gradient has the wrong shape",
)
def _(bg):
    def backward(self, out_grad, node):
        (a,) = node._inputs
        winners = a.data == node.data
        return out_grad * winners / winners.sum(self.axes, keepdims=True)

    bg.ops.Max.backward = backward


@wrong(
    largest,
    "NumPy in the rule of max",
    "The numbers are right, but NumPy made them, so they do not remember out_grad. reshape(out_grad, shape) keeps it "
    "a Tensor; the truth values may be an array.",
)
def _(bg):
    patch_max_back(
        bg,
        lambda a, kept, axes, above: bg.Tensor(above.data * (a == kept) / (a == kept).sum(axis=axes, keepdims=True)),
    )


@wrong(
    largest,
    "max as it is called in this file",
    "In stable.py, max is the operation itself, defined at the end of the file: it makes a Tensor and calls this "
    "forward again. NumPy's is np.max.",
)
def _(bg):
    bg.ops.Max.forward = lambda self, a: bg.ops.max(a)


@wrong(
    largest,
    "np.maximum for np.max",
    "np.maximum compares two arrays with each other. The largest number along some axes is found by np.max.",
)
def _(bg):
    bg.ops.Max.forward = lambda self, a: np.maximum(a, axis=self.axes)


@wrong(
    largest,
    "Tensors compared",
    "a == node asks whether the two are one and the same Tensor. To compare their numbers use equal(a, node), or the "
    "arrays a.data and node.data.",
)
def _(bg):
    def backward(self, out_grad, node):
        (a,) = node._inputs
        winners = a == node
        return out_grad * winners / winners.sum(self.axes, keepdims=True)

    bg.ops.Max.backward = backward


# 10.10: logsumexp.


def patch_sum(bg, top=None, back=None, shaped=None):
    """LogSumExp with another top(self, a), back(rule of the reference), or shaped(self, out)."""
    top = top or (lambda self, a: bg.ops.stable.highest(a, self.axes))
    shaped = shaped or (lambda self, out: out if self.keepdims else np.squeeze(out, self.axes))
    back = back or (lambda self, out: out)

    def forward(self, a):
        high = top(self, a)
        return shaped(self, np.log(np.exp(a - high).sum(axis=self.axes, keepdims=True)) + back(self, high))

    bg.ops.LogSumExp.forward = forward


def patch_sum_back(bg, rule):
    """rule(a, kept, above): the Tensors, the result and out_grad with the axes kept."""

    def backward(self, out_grad, node):
        (a,) = node._inputs
        shape = bg.ops.shape.shape_with_ones(a.shape, self.axes)
        return rule(a, bg.ops.reshape(node, shape), bg.ops.reshape(out_grad, shape), self.axes)

    bg.ops.LogSumExp.backward = backward


@wrong(
    log_sum,
    "no top",
    "exp(1000) is infinite, and exp(-1000) is 0, whose logarithm is -inf. Subtract the largest number before exp, and "
    "add it after log.",
    stuck="The loss is nan or explodes",
)
def _(bg):
    patch_sum(bg, top=lambda self, a: 0)


@wrong(
    log_sum,
    "one top for all rows",
    "The largest number of the whole array was subtracted. A row far below it becomes a sum of zeros. Each row has "
    "its own top: highest(a, self.axes).",
    stuck="The loss is nan or explodes",
)
def _(bg):
    patch_sum(bg, top=lambda self, a: a.max())


@wrong(
    log_sum,
    "a top of -inf taken off",
    "np.max of a row of -inf is -inf, and -inf - -inf is nan. highest(a, self.axes) gives 0 in that case.",
    stuck="The loss is nan or explodes",
)
def _(bg):
    patch_sum(bg, top=lambda self, a: a.max(axis=self.axes, keepdims=True))


@wrong(
    log_sum,
    "top has the axes, the sum has not",
    "The logarithm of the sum has lost its axes, and top has kept them, so adding the two makes a whole matrix. Which "
    "of the two should have a different shape until they are added?",
    stuck="A gradient has the wrong shape",
)
def _(bg):
    def forward(self, a):
        high = bg.ops.stable.highest(a, self.axes)
        return np.log(np.exp(a - high).sum(axis=self.axes)) + high

    bg.ops.LogSumExp.forward = forward


@wrong(
    log_sum,
    "a warning for nothing but -inf",
    "The numbers are right, but NumPy warns of the logarithm of 0. For a row of nothing but -inf that is intended: "
    'put the line into a block, with np.errstate(divide="ignore"):',
)
def _(bg):
    def forward(self, a):
        high = bg.ops.stable.highest(a, self.axes)
        out = np.log(np.exp(a - high).sum(axis=self.axes, keepdims=True)) + high
        return out if self.keepdims else np.squeeze(out, self.axes)

    bg.ops.LogSumExp.forward = forward


@wrong(
    log_sum,
    "a tiny number in the logarithm",
    "A tiny number was added to the sum, so that no logarithm of 0 is taken. The sum is 0 only if all numbers are "
    "-inf, and then -inf is right: the tiny number turns it into an ordinary score.",
    stuck="The loss is nan or explodes",
)
def _(bg):
    def forward(self, a):
        high = bg.ops.stable.highest(a, self.axes)
        out = np.log(np.exp(a - high).sum(axis=self.axes, keepdims=True) + 1e-300) + high
        return out if self.keepdims else np.squeeze(out, self.axes)

    bg.ops.LogSumExp.forward = forward


@wrong(
    log_sum,
    "top not added again",
    "What was subtracted before exp must be added back after log. (What is log(e^top * s)?)",
)
def _(bg):
    patch_sum(bg, back=lambda self, high: 0 * high)


@wrong(
    log_sum,
    "top multiplied",
    "Subtracting top from the exponents divides the sum by e^top. In the logarithm that is a difference: so how does "
    "top come back?",
)
def _(bg):
    def forward(self, a):
        high = bg.ops.stable.highest(a, self.axes)
        out = np.log(np.exp(a - high).sum(axis=self.axes, keepdims=True)) * high
        return out if self.keepdims else np.squeeze(out, self.axes)

    bg.ops.LogSumExp.forward = forward


@wrong(
    log_sum,
    "axes kept always",
    "The axes are still there, with size 1, though keepdims is False. np.squeeze removes axes of size 1: which ones "
    "should go?",
)
def _(bg):
    patch_sum(bg, shaped=lambda self, out: out)


@wrong(
    log_sum,
    "axes never kept",
    "keepdims was ignored: with it the axes stay in the shape, with size 1.",
)
def _(bg):
    patch_sum(bg, shaped=lambda self, out: np.squeeze(out, self.axes))


@wrong(
    log_sum,
    "every 1 squeezed out",
    "np.squeeze(out) removes all axes of size 1, even those that a had before. Its second argument says which ones to "
    "remove.",
)
def _(bg):
    patch_sum(bg, shaped=lambda self, out: out if self.keepdims else np.squeeze(out))


@wrong(
    log_sum,
    "always along the last axis",
    "The sum always runs along the last axis here. self.axes says which axes it should be: a tuple, or None for all.",
)
def _(bg):
    def forward(self, a):
        high = bg.ops.stable.highest(a, -1)
        return (np.log(np.exp(a - high).sum(axis=-1, keepdims=True)) + high).squeeze(-1)

    bg.ops.LogSumExp.forward = forward


@wrong(
    log_sum,
    "the logarithm of the mean",
    "The mean of the exponentials was taken. logsumexp takes their sum.",
)
def _(bg):
    def forward(self, a):
        high = bg.ops.stable.highest(a, self.axes)
        out = np.log(np.exp(a - high).mean(axis=self.axes, keepdims=True)) + high
        return out if self.keepdims else np.squeeze(out, self.axes)

    bg.ops.LogSumExp.forward = forward


@wrong(
    log_sum,
    "exp(a) as the slope",
    "The derivative with respect to each number is e^a over the sum of all. Here it is not divided by the sum. (How "
    "can you divide by it, if the result is its logarithm?)",
)
def _(bg):
    patch_sum_back(bg, lambda a, kept, above, axes: bg.ops.exp(a) * above)


@wrong(
    log_sum,
    "exp(a) over the result",
    "exp(a) was divided by the result. But the result is the logarithm of the sum: what is the sum, and how do you "
    "divide by it without computing it?",
)
def _(bg):
    patch_sum_back(bg, lambda a, kept, above, axes: bg.ops.exp(a) / kept * above)


@wrong(
    log_sum,
    "exp(a) over exp(result)",
    "The formula is right, but exp(1000) over exp(1000) is infinity over infinity. A quotient of two exponentials is "
    "the exponential of what?",
    stuck="The loss is nan or explodes",
)
def _(bg):
    patch_sum_back(bg, lambda a, kept, above, axes: bg.ops.exp(a) / bg.ops.exp(kept) * above)


@wrong(
    log_sum,
    "a - result without exp",
    "a - result is the logarithm of the derivative. How do you get the derivative itself?",
)
def _(bg):
    patch_sum_back(bg, lambda a, kept, above, axes: (a - kept) * above)


@wrong(
    log_sum,
    "out_grad of logsumexp forgotten",
    "This is the softmax alone. The rule multiplies it by what arrives from above: out_grad, in the shape with the "
    "axes kept.",
)
def _(bg):
    patch_sum_back(bg, lambda a, kept, above, axes: bg.ops.exp(a - kept) + above * 0.0)


@wrong(
    log_sum,
    "out_grad for everyone",
    "Every number got the whole out_grad, as in a plain sum. Here each gets only its fraction of it: which?",
)
def _(bg):
    patch_sum_back(bg, lambda a, kept, above, axes: above + a * 0.0)


@wrong(
    log_sum,
    "the rule of softmax",
    "This is the backward of softmax. logsumexp has one number for each row, and its derivatives are the softmax "
    "itself, not the Jacobian of the softmax.",
)
def _(bg):
    def rule(a, kept, above, axes):
        p = bg.ops.exp(a - kept)
        return p * (above - bg.ops.summation(p * p, axes, keepdims=True) * above)

    patch_sum_back(bg, rule)


@wrong(
    log_sum,
    "the result not in its shape with ones",
    "The result has lost its axes, so it does not line up with its own row: it broadcasts along the wrong axis, or "
    "not at all. Reshape node and out_grad to shape_with_ones(a.shape, self.axes).",
    stuck="A gradient has the wrong shape",
)
def _(bg):
    bg.ops.LogSumExp.backward = lambda self, out_grad, node: bg.ops.exp(node._inputs[0] - node) * out_grad


@wrong(
    log_sum,
    "NumPy in the rule of logsumexp",
    "The numbers are right, but NumPy made them, so they do not remember a and out_grad and cannot be differentiated "
    "again. Use exp, - and * on the Tensors.",
)
def _(bg):
    patch_sum_back(bg, lambda a, kept, above, axes: bg.Tensor(np.exp(a.data - kept.data) * above.data))


@wrong(
    log_sum,
    "the softmax by NumPy",
    "The numbers are right, but the softmax in it does not remember a, as if it were made from arrays. Which "
    "operations on Tensors give the same numbers, from a and node themselves?",
)
def _(bg):
    patch_sum_back(bg, lambda a, kept, above, axes: above * np.exp(a.data - kept.data))


@wrong(
    log_sum,
    "a in place",
    "forward changed a: a -= ... writes into the array of the Tensor that it was given. a - top makes a new one.",
)
def _(bg):
    right = bg.ops.LogSumExp.forward

    def forward(self, a):
        answer = right(self, a)
        a -= bg.ops.stable.highest(a, self.axes)
        return answer

    bg.ops.LogSumExp.forward = forward


@wrong(
    log_sum,
    "np.ones in the rule",
    "A float32 gradient became float64: np.ones and np.zeros make float64. There is no need to stretch anything: * "
    "broadcasts.",
)
def _(bg):
    patch_sum_back(bg, lambda a, kept, above, axes: bg.ops.exp(a - kept) * (above * np.ones(a.shape)))


@wrong(
    log_sum,
    "a top without its axes",
    "top has lost its axes, so it does not line up with its own row. highest(a, self.axes) keeps them, with size 1.",
)
def _(bg):
    patch_sum(bg, top=lambda self, a: np.max(a, self.axes))


@wrong(
    log_sum,
    "softmax along the last axis in the rule",
    "The derivatives are the softmax, but here it always runs along the last axis. Made from a and the result, in the "
    "shape with the axes kept, it is right for any axes.",
)
def _(bg):
    patch_sum_back(bg, lambda a, kept, above, axes: bg.ops.softmax(a) * above)


# 10.11: the family.


def patch_forward(bg, name, forward):
    """forward(a, axes, highest): arrays."""
    getattr(bg.ops, name).forward = lambda self, a: forward(a, self.axes)


def patch_family_back(bg, name, rule):
    """rule(out_grad, node, sum): sum(x) goes along the axes and keeps them."""

    def backward(self, out_grad, node):
        return rule(out_grad, node, lambda x: bg.ops.summation(x, self.axes, keepdims=True))

    getattr(bg.ops, name).backward = backward


def sum_along(a, axes):
    return a.sum(axis=axes, keepdims=True)


def stable_softmax(a, axes):
    e = np.exp(a - a.max(axis=axes, keepdims=True))
    return e / sum_along(e, axes)


@wrong(
    family,
    "log of softmax",
    "Where a probability was rounded to 0, log(softmax) is the logarithm of 0, which is -inf. Subtract the logarithm "
    "of the sum; never take the logarithm of a probability.",
    stuck="The loss is nan or explodes",
)
def _(bg):
    patch_forward(bg, "LogSoftmax", lambda a, axes: np.log(stable_softmax(a, axes)))


@wrong(
    family,
    "log_softmax without a top",
    "exp was taken of the numbers as they are, and exp(1000) is infinite. Subtract highest(a, self.axes) first.",
    stuck="The loss is nan or explodes",
)
def _(bg):
    patch_forward(bg, "LogSoftmax", lambda a, axes: a - np.log(sum_along(np.exp(a), axes)))


@wrong(
    family,
    "log of softmax without a top",
    "exp(1000) is infinite, and infinity over infinity is nan: subtract highest(a, self.axes) first. And never take "
    "the logarithm of a probability, which may have been rounded to 0.",
    stuck="The loss is nan or explodes",
)
def _(bg):
    patch_forward(bg, "LogSoftmax", lambda a, axes: np.log(np.exp(a) / sum_along(np.exp(a), axes)))


@wrong(
    family,
    "log_softmax: top lost",
    "The top was subtracted inside the sum only. It must be subtracted from a as well, or added back to the logarithm.",
)
def _(bg):
    patch_forward(
        bg,
        "LogSoftmax",
        lambda a, axes: a - np.log(sum_along(np.exp(a - a.max(axis=axes, keepdims=True)), axes)),
    )


@wrong(
    family,
    "softmax without a top",
    "exp(1000) over exp(1000) is infinity over infinity, which is nan. Subtract highest(a, self.axes) first.",
    stuck="The loss is nan or explodes",
)
def _(bg):
    patch_forward(bg, "Softmax", lambda a, axes: np.exp(a) / sum_along(np.exp(a), axes))


@wrong(
    family,
    "softmax with one top for all",
    "The largest number of the whole array was subtracted. A row far below it becomes 0 / 0. Each row has its own: "
    "highest(a, self.axes).",
    stuck="The loss is nan or explodes",
)
def _(bg):
    patch_forward(bg, "Softmax", lambda a, axes: np.exp(a - a.max()) / sum_along(np.exp(a - a.max()), axes))


@wrong(
    family,
    "softmax always along the last axis",
    "Softmax always runs along the last axis here. self.axes says which axes it should be.",
)
def _(bg):
    patch_forward(bg, "Softmax", lambda a, axes: stable_softmax(a, -1))


@wrong(
    family,
    "log_softmax always along the last axis",
    "LogSoftmax always runs along the last axis here. self.axes says which axes it should be.",
)
def _(bg):
    def forward(a, axes):
        lower = a - a.max(axis=-1, keepdims=True)
        return lower - np.log(sum_along(np.exp(lower), -1))

    patch_forward(bg, "LogSoftmax", forward)


@wrong(
    family,
    "softmax over the sum of everything",
    "The whole array adds up to 1 here. It should do so along the axes: sum with axis=self.axes and keepdims=True.",
)
def _(bg):
    def forward(a, axes):
        e = np.exp(a - a.max(axis=axes, keepdims=True))
        return e / e.sum()

    patch_forward(bg, "Softmax", forward)


@wrong(
    family,
    "log_softmax: node for exp(node)",
    "The rule of LogSoftmax needs the softmax, but node is its logarithm. How do you get back from one to the other?",
)
def _(bg):
    patch_family_back(bg, "LogSoftmax", lambda g, node, total: g - node * total(g))


@wrong(
    family,
    "log_softmax: the rule of softmax",
    "This is the rule of Softmax. Take the row of numbers in the notebook: score 0 gets 3 directly, with no p in "
    "front, and then a fraction of a sum. Is that sum weighted?",
)
def _(bg):
    def rule(g, node, total):
        p = bg.ops.exp(node)
        return p * (g - total(p * g))

    patch_family_back(bg, "LogSoftmax", rule)


@wrong(
    family,
    "log_softmax: out_grad alone",
    "out_grad came back as it is. But every number also takes part in the logsumexp that is subtracted: what does "
    "arrive there, and which fraction of it does each number get?",
)
def _(bg):
    patch_family_back(bg, "LogSoftmax", lambda g, node, total: g + node * 0.0)


@wrong(
    family,
    "log_softmax: out_grad instead of its sum",
    "Here each number loses its own out_grad times its probability. But all numbers of a row use the same logsumexp: "
    "what arrives there comes from all of them together.",
)
def _(bg):
    patch_family_back(bg, "LogSoftmax", lambda g, node, total: g - bg.ops.exp(node) * g)


@wrong(
    family,
    "log_softmax: a plus",
    "The sign between the two terms is wrong: log_softmax is a minus something, so its rule is out_grad minus "
    "something.",
)
def _(bg):
    patch_family_back(bg, "LogSoftmax", lambda g, node, total: g + bg.ops.exp(node) * total(g))


@wrong(
    family,
    "log_softmax: weighted sum",
    "In the rule of LogSoftmax, out_grad is added up as it is, without weights. (In the rule of Softmax it is "
    "weighted.)",
)
def _(bg):
    def rule(g, node, total):
        p = bg.ops.exp(node)
        return g - p * total(p * g)

    patch_family_back(bg, "LogSoftmax", rule)


@wrong(
    family,
    "softmax: the diagonal alone",
    "node * (1 - node) * out_grad leaves out what a number does to the other probabilities of its row. What did 10.3 "
    "have for that?",
)
def _(bg):
    patch_family_back(bg, "Softmax", lambda g, node, total: node * (1.0 - node) * g)


@wrong(
    family,
    "softmax: the sum without weights",
    "In the rule of Softmax, each out_grad in the sum is weighted with its probability. Here they were added up as "
    "they are.",
)
def _(bg):
    patch_family_back(bg, "Softmax", lambda g, node, total: node * (g - total(g)))


@wrong(
    family,
    "softmax: no node in front",
    "The bracket is right, but something is missing in front of it: a small probability changes little.",
)
def _(bg):
    patch_family_back(bg, "Softmax", lambda g, node, total: g - total(node * g))


@wrong(
    family,
    "softmax: the sum of all",
    "The sum of node * out_grad runs over the whole array. It should run along self.axes, with the axes kept.",
)
def _(bg):
    def backward(self, out_grad, node):
        share = node * out_grad
        return share - node * bg.ops.summation(share)

    bg.ops.Softmax.backward = backward


@wrong(
    family,
    "softmax: keepdims forgotten in the rule",
    "The sum lost its axis, so it broadcasts along the wrong one, or not at all: keepdims=True.",
    stuck="A gradient has the wrong shape",
)
def _(bg):
    def backward(self, out_grad, node):
        share = node * out_grad
        return share - node * bg.ops.summation(share, self.axes)

    bg.ops.Softmax.backward = backward


@wrong(
    family,
    "softmax: keepdims forgotten in the bracket",
    "The sum lost its axis, so it broadcasts along the wrong one, or not at all: keepdims=True.",
    stuck="A gradient has the wrong shape",
)
def _(bg):
    bg.ops.Softmax.backward = lambda self, g, node: node * (g - bg.ops.summation(node * g, self.axes))


@wrong(
    family,
    "softmax: there and back along the last axis",
    "Softmax always runs along the last axis, in forward and in its rule. self.axes says which axes it should be, in "
    "both.",
)
def _(bg):
    patch_forward(bg, "Softmax", lambda a, axes: stable_softmax(a, -1))
    bg.ops.Softmax.backward = lambda self, g, node: node * (g - bg.ops.summation(node * g, -1, keepdims=True))


@wrong(
    family,
    "NumPy in the rules",
    "The numbers are right, but they do not remember node and out_grad, as if they were made from .data, and cannot "
    "be differentiated again. exp, summation and * work on the Tensors.",
)
def _(bg):
    for name in ("LogSoftmax", "Softmax"):
        cls = getattr(bg.ops, name)

        def backward(self, out_grad, node, right=cls.backward):
            return bg.Tensor(right(self, out_grad, node).data)

        cls.backward = backward


@wrong(
    family,
    "log_softmax: the sum of all",
    "In the rule of LogSoftmax, out_grad was added up over the whole array. Each row has its own sum: along which "
    "axes, and with what kept?",
)
def _(bg):
    bg.ops.LogSoftmax.backward = lambda self, g, node: g - bg.ops.exp(node) * bg.ops.summation(g)


@wrong(
    family,
    "arrays from the rules",
    "A rule returns Tensors, and is made of operations on Tensors. The numbers are right, but arrays do not know what "
    "they were made from.",
)
def _(bg):
    for name in ("LogSoftmax", "Softmax"):
        cls = getattr(bg.ops, name)
        cls.backward = lambda self, out_grad, node, right=cls.backward: right(self, out_grad, node).data


@wrong(
    family,
    "Tensors in a forward",
    "exp, summation and logsumexp of this file are operations on Tensors. In a forward you have plain arrays: np.exp, "
    "np.log, and sums with axis=self.axes, keepdims=True.",
)
def _(bg):
    def forward(self, a):
        raise TypeError(
            "NumPy makes no array of a Tensor: its array is x.data. To go on with the Tensor, use its operations."
        )

    bg.ops.LogSoftmax.forward = forward


@wrong(
    log_sum,
    "result without its memory",
    "The gradient does not know that the result depends on a, as if it were made of node.data, and its own derivative "
    "is wrong. reshape(node, shape) remembers.",
)
def _(bg):
    ops, shape_with_ones = bg.ops, bg.ops.shape.shape_with_ones

    def backward(self, out_grad, node):
        (a,) = node._inputs
        shape = shape_with_ones(a.shape, self.axes)
        return ops.exp(a - node.data.reshape(shape)) * ops.reshape(out_grad, shape)

    ops.LogSumExp.backward = backward


@wrong(
    log_sum,
    "a without its memory",
    "The gradient remembers the result but not a, as if it were made of a.data, and half of its own derivative is "
    "lost. Use a, the Tensor.",
)
def _(bg):
    patch_sum_back(bg, lambda a, kept, above, axes: bg.ops.exp(a.data - kept) * above)


@wrong(
    log_sum,
    "out_grad without its memory",
    "The numbers are right, but the gradient does not remember out_grad, as if it were made of out_grad.data. Reshape "
    "the Tensor itself.",
)
def _(bg):
    patch_sum_back(bg, lambda a, kept, above, axes: bg.ops.exp(a - kept) * above.data)


@wrong(
    family,
    "the sum in softmax's rule by NumPy",
    "The numbers are right, but the sum of node * out_grad does not remember what it was made from, as if NumPy had "
    "added it up, so the second derivative is wrong. summation(..., keepdims=True) remembers.",
)
def _(bg):
    def backward(self, out_grad, node):
        return node * (out_grad - np.sum(node.data * out_grad.data, axis=self.axes, keepdims=True))

    bg.ops.Softmax.backward = backward


FORGETFUL = (
    "The numbers are right, but {} does not remember what it was made from, as if NumPy had made it. So the second "
    "derivative is wrong. exp, summation, - and * work on the Tensors."
)


def forgetful(name, part, operation, rule):
    """A rule that takes one part of its formula from .data.  rule: as in patch_family_back."""
    wrong(family, name, FORGETFUL.format(part))(
        lambda bg: patch_family_back(bg, operation, lambda *given: rule(bg, *given))
    )


forgetful(
    "log_softmax: p from .data", "exp(node)", "LogSoftmax", lambda bg, g, node, total: g - np.exp(node.data) * total(g)
)
forgetful(
    "log_softmax: the sum from .data",
    "the sum of out_grad",
    "LogSoftmax",
    lambda bg, g, node, total: g - bg.ops.exp(node) * total(bg.Tensor(g.data, requires_grad=False)),
)
forgetful(
    "log_softmax: out_grad from .data",
    "out_grad in front",
    "LogSoftmax",
    lambda bg, g, node, total: g.data - bg.ops.exp(node) * total(g),
)
forgetful(
    "softmax: p in front from .data",
    "the p in front of the bracket",
    "Softmax",
    lambda bg, g, node, total: node.data * (g - total(node * g)),
)
forgetful(
    "softmax: p in the sum from .data",
    "the p in the sum",
    "Softmax",
    lambda bg, g, node, total: node * (g - total(node.data * g)),
)
forgetful(
    "softmax: out_grad from .data",
    "the out_grad outside the sum",
    "Softmax",
    lambda bg, g, node, total: node * (g.data - total(node * g)),
)


@wrong(
    family,
    "log_softmax: keepdims forgotten in the rule",
    "In the rule of LogSoftmax, the sum of out_grad lost its axis, so it broadcasts along the wrong one, or not at "
    "all: keepdims=True.",
    stuck="A gradient has the wrong shape",
)
def _(bg):
    bg.ops.LogSoftmax.backward = lambda self, g, node: g - bg.ops.exp(node) * bg.ops.summation(g, self.axes)


def sum_of_rows(bg, x):
    return bg.ops.summation(x, -1, keepdims=True)


@wrong(
    family,
    "log_softmax: the rule along the last axis",
    "The sum in LogSoftmax's rule always runs along the last axis. self.axes says which axes it should be.",
)
def _(bg):
    bg.ops.LogSoftmax.backward = lambda self, g, node: g - bg.ops.exp(node) * sum_of_rows(bg, g)


@wrong(
    family,
    "softmax: the rule along the last axis",
    "The sum in Softmax's rule always runs along the last axis. self.axes says which axes it should be.",
)
def _(bg):
    bg.ops.Softmax.backward = lambda self, g, node: node * (g - sum_of_rows(bg, node * g))


@wrong(
    family,
    "the first of the axes alone",
    "self.axes is a tuple, and all of its axes count (None means every axis). Here only the first one was used. NumPy "
    "and summation take the tuple as it is.",
)
def _(bg):
    patch_forward(bg, "Softmax", lambda a, axes: stable_softmax(a, axes[0]))


@wrong(
    family,
    "a tiny number under the fraction",
    "A small number was added to the sum, so that nothing is divided by 0. The sum is never below 1, except when all "
    "numbers are -inf. Then there is no answer, which nan says; a 0 would pretend that there is one.",
)
def _(bg):
    def forward(a, axes):
        e = np.exp(a - bg.ops.stable.highest(a, axes))
        return e / (sum_along(e, axes) + 1e-16)

    patch_forward(bg, "Softmax", forward)


@wrong(
    family,
    "a changed in place",
    "forward changed a: a -= ... writes into the array of the Tensor that it was given. a - ... makes a new one.",
)
def _(bg):
    def forward(a, axes):
        a -= bg.ops.stable.highest(a, axes)
        return a - np.log(sum_along(np.exp(a), axes))

    patch_forward(bg, "LogSoftmax", forward)


@wrong(
    family,
    "the result changed in place",
    "The rule of Softmax wrote over the numbers of node, so the probabilities themselves are gone. node * out_grad "
    "makes a new Tensor, which remembers.",
)
def _(bg):
    def aside(share, out_grad, node):
        node.data *= out_grad.data

    patch_aside(bg, ("Softmax",), aside)


@wrong(
    family,
    "float64 in softmax's forward",
    "float32 scores gave float64 probabilities: somewhere on the way there was a float64 array. The quotient of two "
    "float32 arrays is float32; np.zeros(shape), float and np.float64 bring in float64.",
)
def _(bg):
    def forward(a, axes):
        out = np.zeros(a.shape)
        out[...] = stable_softmax(a, axes)
        return out

    patch_forward(bg, "Softmax", forward)


# 10.12: the hunt.


def answers_with(name, words, scores, out_grad):
    """Register a test.  out_grad: made from its first number."""

    @wrong(hunt, name, words)
    def _(bg):
        bg.hunts.three_wrong_softmaxes = lambda first: (scores, out_grad(first))


answers_with(
    "small scores",
    "Different scores and different gradients catch Ada and Cleo. Ben computes exp of the scores as they are, which "
    "is fine for small ones. From which score on is exp too large?",
    [[1, 2], [0, -1]],
    lambda first: [[first, -1], [2, 5]],
)
answers_with(
    "one large score alone in its row",
    "1000 beside 0 catches Ben. But it leaves the probabilities 1 and 0, whose derivatives are all 0, so Cleo cannot "
    "be wrong there. Give Cleo a row of her own, or scores that are close to each other.",
    [[1000, 0], [0, 1000]],
    lambda first: [[first, 1], [3, -1]],
)
answers_with(
    "all scores the same",
    "With equal scores, and as many rows as columns, sums down the columns and along the rows are the same, so Ada is "
    "right. Let the scores differ.",
    [[1000, 1000], [1000, 1000]],
    lambda first: [[first, -1], [-1, first]],
)
answers_with(
    "a single class",
    "With one score in each row the probability is always 1 and every derivative is 0, so Cleo is right. Take two or "
    "more.",
    [[1000], [0]],
    lambda first: [[first], [3]],
)
