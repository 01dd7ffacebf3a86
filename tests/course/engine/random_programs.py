"""Random functions of Tensors, and steps of training, for the compiler.

All operations, sizes 0 and 1 among the shapes, things used twice.
"""

import numpy as np

import babygrad as bg
from babygrad import losses, ops, optim, training
from babygrad.ops import fused

UNARY = [
    ops.negate, ops.exp, ops.sqrt, ops.abs, ops.relu, ops.sigmoid, ops.tanh, ops.softplus, ops.positive, ops.sign,
    lambda x: ops.log(x * x + 0.5), lambda x: x + 1.5, lambda x: x * -0.7, lambda x: x / 1.3, lambda x: x**2,
    lambda x: x**1, lambda x: x**3, lambda x: 1.0 - x, lambda x: 2.0 / (x * x + 1.0), lambda x: 2.0**x,
    lambda x: x.sum(), lambda x: x.mean(), lambda x: x.reshape(-1), lambda x: ops.transpose(x, range(x.ndim)[::-1]),
    lambda x: x * x, lambda x: bg.grad((x * x).sum(), x, create_graph=True) if x.requires_grad else x,
]  # fmt: skip
ALONG = [
    lambda x, axis: x.sum(axis), lambda x, axis: x.sum(axis, keepdims=True), lambda x, axis: x.mean(axis),
    lambda x, axis: x.logsumexp(axis), lambda x, axis: x.softmax(axis), lambda x, axis: x.log_softmax(axis),
    lambda x, axis: x.max(axis, keepdims=True), lambda x, axis: x.max(axis) if x.shape[axis] else x,
]  # fmt: skip
PRODUCTS = [
    lambda a: a @ a.T, lambda a: a.T @ a, lambda a: ops.affine(a, a.T, a.sum(1)),
    lambda a: fused.TimesTransposed()(a, a), lambda a: fused.TransposedTimes()(a, a + 1.0),
]  # fmt: skip
BINARY = [
    ops.add, ops.sub, ops.mul, ops.equal, lambda a, b: ops.div(a, b * b + 0.7), lambda a, b: ops.lerp(a, b, 0.3),
    lambda a, b: ops.pow(a * a + 0.5, b),
]  # fmt: skip


class Made:
    """A random function of x, y (arrays) and places (arrays of 0 and 1 of the sizes 1 to 4); its leaves are .leaves."""

    def __init__(self, seed):
        self.seed = seed
        rng = np.random.default_rng(seed)
        self.shape = tuple(rng.choice([0, 1, 2, 3, 4], p=[0.07, 0.2, 0.3, 0.3, 0.13], size=rng.integers(0, 4)))
        self.leaves = [bg.Tensor(rng.normal(size=self.reduced(rng))) for _ in range(3)]
        self.steps = int(rng.integers(1, 12))

    def reduced(self, rng):
        """A shape that broadcasts to self.shape."""
        shape = [1 if rng.random() < 0.3 else size for size in self.shape]
        return tuple(shape[rng.integers(0, len(shape) + 1) :])

    def inputs(self, seed):
        rng = np.random.default_rng((self.seed, seed))
        return [*(rng.normal(size=self.shape) for _ in "xy"), *(rng.integers(0, 2, size) for size in (1, 2, 3, 4))]

    def __call__(self, x, y, *places):
        rng = np.random.default_rng(self.seed + 1)
        known = [bg.Tensor(x, requires_grad=bool(rng.integers(2))), bg.Tensor(y, requires_grad=False), *self.leaves]
        for _ in range(self.steps):
            known.append(self.one_more(rng, known, places))
        total = known[-1].sum()
        for node in known[2:]:
            total = total + ((node * 0.3).tanh().mean() if node.size else node.sum())
        for leaf in self.leaves:
            leaf.zero_grad()
        total.backward()
        return total, known[-1], known[len(known) // 2]

    def one_more(self, rng, known, places):
        a, b = (known[rng.integers(len(known))] for _ in range(2))
        way = rng.integers(8)
        if way < 3:
            try:
                return BINARY[rng.integers(len(BINARY))](a, b)
            except ValueError:
                return a + b.sum()
        if way == 3 and a.ndim and min(a.shape) > 0:
            return ALONG[rng.integers(len(ALONG))](a, int(rng.integers(a.ndim)))
        if way == 4 and a.ndim == 2:
            return PRODUCTS[rng.integers(len(PRODUCTS))](a)
        if way == 5 and a.ndim and len(a) > 1:
            index = [0, slice(None, None, 2), places[rng.integers(4)], (None, slice(1, None)), (..., slice(1))]
            return a[index[rng.integers(5)]]
        if way == 6 and a.ndim == 2 and 0 < len(a) <= 4 and a.shape[1] > 1:
            targets = places[len(a) - 1]
            return [losses.cross_entropy, lambda s, t: losses.nll_loss(s.log_softmax(), t)][rng.integers(2)](a, targets)
        return UNARY[rng.integers(len(UNARY))](a)


UPDATES = [
    lambda ps: training.GradientDescent(ps, 0.05), lambda ps: optim.SGD(ps, 0.02, momentum=0.9, weight_decay=0.01),
    lambda ps: optim.RMSprop(ps, 0.01), lambda ps: optim.Adam(ps, 0.02), lambda ps: optim.AdamW(ps, 0.02),
]  # fmt: skip


class MadeStep(Made):
    """A random step of training: with leaves, some of them frozen, constants and indices, and an update.

    .optimizer: updates the leaves that are not frozen.  .array, .factor, .index: what lies outside.
    """

    def __init__(self, seed):
        super().__init__(seed)
        rng = np.random.default_rng((seed, 1))
        self.leaves += [bg.Tensor(rng.normal(size=self.reduced(rng)), requires_grad=False) for _ in range(3)]
        for leaf in self.leaves[1:3]:
            leaf.requires_grad = bool(rng.integers(2))
        free = [leaf for leaf in self.leaves if leaf.requires_grad]
        self.optimizer = UPDATES[rng.integers(len(UPDATES))](free)
        self.array, self.factor = rng.normal(size=self.reduced(rng)), float(rng.normal())
        self.index = rng.integers(0, 2, size=3)
        self.order = rng.permutation(9)

    def __call__(self, x, y, *places):
        rng = np.random.default_rng(self.seed + 1)
        frozen = [leaf for leaf in self.leaves if not leaf.requires_grad]
        made = [bg.Tensor(x, requires_grad=False), bg.Tensor(y, requires_grad=False)]
        made += [made[0] * self.array, made[1] + self.factor, made[0] - np.full(x.shape, 0.5), made[1] * np.ones(())]
        made += [self.leaves[0] + leaf * 0.5 for leaf in (*frozen, *self.leaves[1:3])]
        if x.ndim and len(x) > 1:
            made += [made[0][self.index], made[1][np.array([1, 0, 1])]]
        known = [made[i] for i in self.order % len(made)] + self.leaves
        for _ in range(self.steps):
            known.append(self.one_more(rng, known, places))
        total = known[-1].sum()
        for node in known:
            total = total + ((node * 0.3).tanh().mean() if node.size else node.sum())
        total = total + (self.leaves[0] * self.leaves[0]).sum() * 0.1
        self.optimizer.zero_grad()
        total.backward()
        self.optimizer.step()
        return total, known[-1]
