"""Right solutions of notebook 12 in another style."""

import math

import numpy as np

# Gradient descent.


def variant_12_1_np_subtract(bg):
    """out= instead of -=, and a product turned round."""

    def update(self, p, memory):
        step = self.direction(self.decayed(p), memory) * self.lr
        np.subtract(p.data, step, out=p.data)

    bg.optim.SGD.update = update
    bg.optim.SGD.decayed = lambda self, p: p.data * self.weight_decay + p.grad


def variant_12_1_slice_assignment(bg):
    """p.data[...] = a new array; the decay on a copy."""

    def update(self, p, memory):
        p.data[...] = p.data - self.lr * self.direction(self.decayed(p), memory)

    def decayed(self, p):
        gradient = p.grad.copy()
        gradient += self.weight_decay * p.data
        return gradient

    bg.optim.SGD.update, bg.optim.SGD.decayed = update, decayed


# Momentum.


def variant_12_2_first_step_apart(bg):
    """The first velocity is a copy of the gradient; later ones are changed in place."""

    def direction(self, gradient, memory):
        if not self.momentum:
            return gradient
        if "velocity" not in memory:
            memory["velocity"] = gradient.copy()
        else:
            memory["velocity"] *= self.momentum
            memory["velocity"] += gradient
        if self.nesterov:
            return gradient + self.momentum * memory["velocity"]
        return memory["velocity"]

    bg.optim.SGD.direction = direction


def variant_12_2_zeros_like(bg):
    """Zeros of the gradient's shape and dtype at first."""

    def direction(self, gradient, memory):
        if self.momentum == 0:
            return gradient
        memory.setdefault("velocity", np.zeros_like(gradient))
        memory["velocity"] = memory["velocity"] * self.momentum + gradient
        return memory["velocity"] * self.momentum + gradient if self.nesterov else memory["velocity"].copy()

    bg.optim.SGD.direction = direction


# RMSprop.


def variant_12_3_in_place(bg):
    """Arrays made once, then changed in place."""

    def update(self, p, memory):
        gradient = p.grad + self.weight_decay * p.data
        if "square" not in memory:
            memory["square"], memory["velocity"] = np.zeros_like(p.data), np.zeros_like(p.data)
        memory["square"] *= self.alpha
        memory["square"] += (1 - self.alpha) * gradient * gradient
        memory["velocity"] *= self.momentum
        memory["velocity"] += gradient / (memory["square"] ** 0.5 + self.eps)
        p.data -= self.lr * memory["velocity"]

    bg.optim.RMSprop.update = update


def variant_12_3_by_the_difference(bg):
    """The mean moves by a share of the difference."""

    def update(self, p, memory):
        gradient = p.grad + self.weight_decay * p.data if self.weight_decay else p.grad
        square = memory.get("square", np.zeros_like(p.data))
        memory["square"] = square + (1 - self.alpha) * (np.square(gradient) - square)
        step = gradient / (np.sqrt(memory["square"]) + self.eps)
        if self.momentum > 0:
            memory["velocity"] = self.momentum * memory["velocity"] + step if "velocity" in memory else step
            step = memory["velocity"]
        p.data[...] -= self.lr * step

    bg.optim.RMSprop.update = update


# Adam.


def variant_12_4_as_in_torch(bg):
    """The corrections go into the step size and the divisor."""

    def move(self, p, gradient, memory):
        beta1, beta2 = self.betas
        if not memory:
            memory.update(t=0, mean=np.zeros_like(p.data), square=np.zeros_like(p.data))
        memory["t"] += 1
        memory["mean"] += (1 - beta1) * (gradient - memory["mean"])
        memory["square"] *= beta2
        memory["square"] += (1 - beta2) * gradient**2
        size = np.sqrt(memory["square"]) / math.sqrt(1 - beta2 ** memory["t"]) + self.eps
        p.data -= self.lr / (1 - beta1 ** memory["t"]) * memory["mean"] / size

    bg.optim.Adam.move = move


def variant_12_4_powers_kept(bg):
    """The powers of the betas are kept too."""

    def move(self, p, gradient, memory):
        answers, memory["t"] = [], memory.get("t", 0) + 1
        for name, beta, new in zip(("mean", "square"), self.betas, (gradient, np.multiply(gradient, gradient))):
            memory[name] = beta * memory.get(name, np.zeros_like(gradient)) + (1 - beta) * new
            memory[f"power_of_{name}"] = memory.get(f"power_of_{name}", 1.0) * beta
            answers.append(memory[name] / (1 - memory[f"power_of_{name}"]))
        mean, square = answers
        np.subtract(p.data, self.lr * mean / (square**0.5 + self.eps), out=p.data)

    bg.optim.Adam.move = move


# AdamW.


def variant_12_5_taken_off(bg):
    """The share is taken off; the rest by Adam."""

    def update(self, p, memory):
        p.data -= self.lr * self.weight_decay * p.data
        self.move(p, p.grad, memory)

    bg.optim.AdamW.update = update


def variant_12_5_only_if_there_is_decay(bg):
    """An if, np.multiply, and move called by its class."""

    def update(self, p, memory):
        if self.weight_decay > 0:
            np.multiply(p.data, 1.0 - self.weight_decay * self.lr, out=p.data)
        bg.optim.Adam.move(self, p, p.grad.copy(), memory)

    bg.optim.AdamW.update = update


# Schedules.


def variant_12_6_loops_and_angles(bg):
    """A loop over the stairs; the cosine by its square."""

    def stairs(self, t):
        lr = self.base
        for _ in range(self.step_size, t + 1, self.step_size):
            lr *= self.gamma
        return lr

    def cosine(self, t):
        if t < self.warmup:
            return (t + 1) * self.base / (self.warmup + 1)
        if t >= self.total_steps:
            return self.min_lr
        half = math.pi / 2 * (t - self.warmup) / (self.total_steps - self.warmup)
        return self.min_lr + (self.base - self.min_lr) * math.cos(half) ** 2

    bg.optim.StepLR.lr_at, bg.optim.CosineLR.lr_at = stairs, cosine


def variant_12_6_numpy(bg):
    """np.floor, np.cos, np.clip: NumPy's numbers are numbers."""

    def cosine(self, t):
        done = np.clip((t - self.warmup) / (self.total_steps - self.warmup), 0, 1)
        falling = self.min_lr + 0.5 * (self.base - self.min_lr) * (1 + np.cos(np.pi * done))
        return falling if t >= self.warmup else self.base * ((t + 1) / (self.warmup + 1))

    bg.optim.StepLR.lr_at = lambda self, t: self.base * self.gamma ** np.floor(t / self.step_size)
    bg.optim.CosineLR.lr_at = cosine


# Clipping.


def variant_12_7_one_long_vector(bg):
    """Concatenated; the factor is 1 if nothing is to be done."""

    def clip_grad_norm_(params, max_norm):
        params = [params] if isinstance(params, bg.Tensor) else list(params)
        gradients = [p.grad for p in params if p.grad is not None]
        length = np.linalg.norm(np.concatenate([g.ravel() for g in gradients])) if gradients else 0.0
        for g in gradients:
            np.multiply(g, min(1.0, max_norm / (length + 1e-6)), out=g)
        return length

    bg.optim.clip_grad_norm_ = clip_grad_norm_


def variant_12_7_norm_of_norms(bg):
    """The length of the lengths; slice assignment."""

    def clip_grad_norm_(params, max_norm):
        params = [params] if isinstance(params, bg.Tensor) else params
        with_gradient = [p for p in params if p.grad is not None]
        length = float(np.linalg.norm([np.linalg.norm(p.grad) for p in with_gradient]))
        if length + 1e-6 > max_norm:
            for p in with_gradient:
                p.grad[...] = p.grad / (length + 1e-6) * max_norm
        return length

    bg.optim.clip_grad_norm_ = clip_grad_norm_


# Dropout and LayerNorm.


def variant_12_8_powers_and_constants(bg):
    """A scaled mask as a constant; ** for the square and for the root."""

    def dropout(self, x):
        if self.training:
            mask = bg.Tensor((self.kept(x.shape) / (1 - self.p)).astype(x.dtype), requires_grad=False)
            x = mask * x
        return x

    def norm(self, x):
        centred = x - x.mean(-1, keepdims=True)
        return self.weight * (centred * ((centred**2).mean(-1, keepdims=True) + self.eps) ** -0.5) + self.bias

    bg.normalize.Dropout.forward, bg.normalize.LayerNorm.forward = dropout, norm


def variant_12_8_sums(bg):
    """A mask drawn by hand; sums over the count; a number of its own for each root."""

    def dropout(self, x):
        if not self.training:
            return x * 1.0
        keep = self.rng.random(x.shape) >= self.p
        return x * keep.astype(x.dtype) * (1.0 / (1.0 - self.p))

    def norm(self, x):
        n = x.shape[-1]
        mean = x.sum(-1, keepdims=True) / n
        var = ((x - mean) * (x - mean)).sum(-1, keepdims=True) / n
        return (x - mean) / (var + self.eps).sqrt() * self.weight + self.bias

    bg.normalize.Dropout.forward, bg.normalize.LayerNorm.forward = dropout, norm


# A look at gradients.


def variant_12_9_by_formula(bg):
    """Everything from sums; NumPy's numbers as they come."""

    def update_ratio(before, after):
        return np.sqrt(((before - after) ** 2).sum() / (before**2).sum())

    def dead_units(dweight, dbias):
        both = np.vstack([dweight, dbias])
        return 1 - np.count_nonzero(both.any(axis=0)) / len(dbias)

    bg.monitor.update_ratio, bg.monitor.dead_units = update_ratio, dead_units


def variant_12_9_loops(bg):
    """A loop over the units."""

    def dead_units(dweight, dbias):
        dead = [not dweight[:, j].any() and dbias[j] == 0 for j in range(len(dbias))]
        return sum(dead) / len(dead)

    bg.monitor.dead_units = dead_units


# The hunt.


def variant_12_10_other_numbers(bg):
    """Lists instead of tuples, and a last step without a gradient."""
    bg.hunts.four_wrong_momentums = lambda first: [[first, 0.25], [-1, 1.0], [0, 0.5]]


def variant_12_10_small_numbers(bg):
    """Tiny gradients will do from the second step on."""
    bg.hunts.four_wrong_momentums = lambda first: ((first, 0.1), (0.02, 0.3), (0.01, 0.1))
