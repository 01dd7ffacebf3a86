"""Wrong ideas about notebook 12, each as a patch for a private copy of the reference."""

import math

import numpy as np

from grader.course.exercise import wrong

from .exercises import adam, adamw, clipping, hunt, layers, looking, momentum, rmsprop, schedules, sgd

ONCE_RIGHT = "An optimizer is right once, then wrong"


# 12.1: gradient descent.


def sgd_moves(bg, move):
    """update calls move(self, p, direction)."""

    def update(self, p, memory):
        move(self, p, self.direction(self.decayed(p), memory))

    bg.optim.SGD.update = update


@wrong(
    sgd,
    "uphill",
    "This goes uphill. The gradient points to where the loss grows, so the step is subtracted: -=, not +=.",
    stuck="The sign is wrong",
)
def _(bg):
    def move(self, p, direction):
        p.data += self.lr * direction

    sgd_moves(bg, move)


@wrong(sgd, "without lr", "The learning rate is missing: the whole gradient was subtracted. Multiply it by self.lr.")
def _(bg):
    def move(self, p, direction):
        p.data -= direction

    sgd_moves(bg, move)


@wrong(
    sgd,
    "a new array",
    "The numbers are right, but they are in a new array. Whatever holds the old one (the model, another optimizer, a "
    "view) goes on with the old numbers. p.data -= ... writes into the existing array.",
    stuck=ONCE_RIGHT,
)
def _(bg):
    def move(self, p, direction):
        p.data = p.data - self.lr * direction

    sgd_moves(bg, move)


@wrong(
    sgd,
    "nothing moves",
    "Nothing moved. data = data - ... or p = p - ... only gives a name inside this function to a new array; with "
    "Tensors it is even recorded in the graph. Write into the parameter's own array: p.data -= ...",
    stuck="The loss stays where it began",
)
def _(bg):
    def move(self, p, direction):
        data = p.data
        data = data - self.lr * direction

    sgd_moves(bg, move)


@wrong(
    sgd,
    "a Tensor as data",
    "p.data now holds a Tensor. The update is not part of any graph: it works on plain arrays, p.data and p.grad.",
)
def _(bg):
    def move(self, p, direction):
        p.data = p - self.lr * direction

    sgd_moves(bg, move)


@wrong(
    sgd,
    "set instead of moved",
    "The parameter became the step itself. A step changes what was there: -=, not =.",
)
def _(bg):
    def move(self, p, direction):
        p.data[...] = -self.lr * direction

    sgd_moves(bg, move)


@wrong(
    sgd,
    "the gradient is scaled in place",
    "p.grad was multiplied by the learning rate on the way, and stays changed. Whatever looks at it afterwards, such "
    "as a monitor, sees wrong numbers. Compute the step as a new array.",
)
def _(bg):
    def update(self, p, memory):
        gradient = self.decayed(p)
        gradient *= self.lr
        p.data -= gradient

    bg.optim.SGD.update = update


@wrong(
    sgd,
    "the gradient is forgotten",
    "p.grad is gone after the step. Forgetting it is the job of zero_grad(), which the training loop calls when it is "
    "ready: a monitor, for example, looks at gradients after the step.",
)
def _(bg):
    def move(self, p, direction):
        p.data -= self.lr * direction
        p.grad = None

    sgd_moves(bg, move)


@wrong(
    sgd,
    "lr divides",
    "The step was divided by lr. A small learning rate means small steps: multiply.",
)
def _(bg):
    def move(self, p, direction):
        p.data -= direction / self.lr

    sgd_moves(bg, move)


def decays(bg, decay):
    """decayed calls decay(self, p), if there is weight decay."""
    bg.optim.SGD.decayed = lambda self, p: decay(self, p) if self.weight_decay else p.grad


@wrong(
    sgd,
    "decay makes weights grow",
    "With this sign the weights grow. The penalty is larger for larger weights, so its derivative is +weight_decay * "
    "weight: it is added to the gradient, and the step subtracts both.",
    stuck="The sign is wrong",
)
def _(bg):
    decays(bg, lambda self, p: p.grad - self.weight_decay * p.data)


@wrong(
    sgd,
    "decay goes into p.grad",
    "The decay is in p.grad now. That is the gradient of the loss alone, and others look at it. Keep the sum in a new "
    "array, p.grad + ..., and leave p.grad as it is: neither += nor p.grad = ...",
)
def _(bg):
    def decay(self, p):
        p.grad += self.weight_decay * p.data
        return p.grad

    decays(bg, decay)


@wrong(sgd, "decay without the gradient", "Only the decay is left: the gradient of the loss is missing. Add both.")
def _(bg):
    decays(bg, lambda self, p: self.weight_decay * p.data)


@wrong(
    sgd,
    "decay of the Tensor",
    "weight_decay * p is a Tensor, recorded in a graph. The update works on plain arrays: weight_decay * p.data.",
)
def _(bg):
    decays(bg, lambda self, p: p.grad + self.weight_decay * p)


@wrong(
    sgd,
    "decay forgotten",
    "The weights do not decay. What does a penalty on the square of each weight add to its gradient, if weight_decay "
    "is not 0?",
)
def _(bg):
    decays(bg, lambda self, p: p.grad)


@wrong(
    sgd,
    "decay twice the size",
    "The decay is twice as large as it should be. The penalty is weight_decay / 2 times the square: the 2 that comes "
    "down from the square cancels the half.",
)
def _(bg):
    decays(bg, lambda self, p: p.grad + 2 * self.weight_decay * p.data)


@wrong(
    sgd,
    "decay in decayed and in update",
    "decayed has added the decay, and update adds it once more: self.decayed(p) is the gradient with its decay.",
)
def _(bg):
    def update(self, p, memory):
        p.data -= self.lr * self.direction(self.decayed(p) + self.weight_decay * p.data, memory)

    bg.optim.SGD.update = update


@wrong(
    sgd,
    "the penalty instead of its slope",
    "This adds the penalty itself, with its square. A gradient is made of derivatives: what is the penalty's "
    "derivative?",
)
def _(bg):
    decays(bg, lambda self, p: p.grad + self.weight_decay * p.data**2 / 2)


@wrong(
    sgd,
    "decay by the sign",
    "All weights decay by the same amount here, whatever their size. Each should lose a share of itself: "
    "weight_decay * p.data.",
)
def _(bg):
    decays(bg, lambda self, p: p.grad + self.weight_decay * np.sign(p.data))


@wrong(
    sgd,
    "decay has lr twice",
    "decayed multiplies the decay by lr, and update does so again. There should be no lr in decayed.",
)
def _(bg):
    decays(bg, lambda self, p: p.grad + self.lr * self.weight_decay * p.data)


@wrong(
    sgd,
    "decay of the gradient",
    "weight_decay was multiplied by the gradient. It is the weights that decay: weight_decay * p.data.",
)
def _(bg):
    decays(bg, lambda self, p: p.grad + self.weight_decay * p.grad)


@wrong(
    sgd,
    "lr in place of weight_decay",
    "Here lr says how much the weights decay. That has a number of its own: weight_decay. update multiplies by lr "
    "later.",
)
def _(bg):
    decays(bg, lambda self, p: p.grad + self.lr * p.data)


@wrong(
    sgd,
    "direction is not asked",
    "update does not call self.direction, so momentum will have no effect. The step is lr times what "
    "self.direction(gradient, memory) returns.",
)
def _(bg):
    def update(self, p, memory):
        p.data -= self.lr * self.decayed(p)

    bg.optim.SGD.update = update


@wrong(
    sgd,
    "lr goes into the direction",
    "The gradient was multiplied by lr before self.direction got it. With momentum the velocity is made there, and lr "
    "would be part of it. Multiply by lr what direction returns.",
)
def _(bg):
    def update(self, p, memory):
        p.data -= self.direction(self.lr * self.decayed(p), memory)

    bg.optim.SGD.update = update


@wrong(
    sgd,
    "decayed shrinks the weights itself",
    "decayed changed p.data. It should only return a gradient, with the decay in it: with momentum, the decay must "
    "pass through the velocity too.",
)
def _(bg):
    def decay(self, p):
        p.data *= 1 - self.lr * self.weight_decay
        return p.grad

    decays(bg, decay)


@wrong(
    sgd,
    "decay beside decayed",
    "decayed is right, but update does not call it: the weights are shrunk in update itself. Without momentum the "
    "numbers are the same. With momentum the decay must pass through the velocity: begin with self.decayed(p).",
)
def _(bg):
    def update(self, p, memory):
        p.data -= self.lr * self.weight_decay * p.data
        p.data -= self.lr * self.direction(p.grad, memory)

    bg.optim.SGD.update = update


@wrong(
    sgd, "decay halved", "The decay is half as large as it should be: the derivative of w**2 / 2 is w, without a half."
)
def _(bg):
    decays(bg, lambda self, p: p.grad + self.weight_decay * p.data / 2)


# 12.2: momentum.


def direction_is(bg, direction):
    """With momentum, direction(self, gradient, memory)."""
    bg.optim.SGD.direction = lambda self, g, memory: direction(self, g, memory) if self.momentum else g


def along(self, gradient, velocity):
    """What the reference returns, for a velocity."""
    return gradient + self.momentum * velocity if self.nesterov else velocity


@wrong(
    momentum,
    "the velocity is lost",
    "Each step begins with velocity 0, so nothing is left of the earlier steps. The new velocity must be stored in "
    'memory["velocity"], from the first step on.',
    stuck=ONCE_RIGHT,
)
def _(bg):
    direction_is(bg, lambda self, g, memory: along(self, g, g))


EMPTY_AT_FIRST = (
    "Before the first step memory is empty, so there is nothing under that name. memory.get(name, 0.0) returns what "
    "is stored there, or 0.0."
)


@wrong(momentum, "memory is empty at first", EMPTY_AT_FIRST)
def _(bg):
    def direction(self, g, memory):
        velocity = memory["velocity"] = self.momentum * memory["velocity"] + g
        return along(self, g, velocity)

    direction_is(bg, direction)


@wrong(
    momentum,
    "nothing is returned",
    "direction returned nothing, so update has to work with None. Store the velocity, and return the direction too.",
)
def _(bg):
    def direction(self, g, memory):
        memory["velocity"] = self.momentum * memory.get("velocity", 0.0) + g

    direction_is(bg, direction)


@wrong(
    momentum,
    "only one gradient is remembered",
    "The velocity remembers one step and nothing older. Memory should keep the whole velocity, not the gradient alone.",
)
def _(bg):
    def direction(self, g, memory):
        velocity = self.momentum * memory.get("velocity", 0.0) + g
        memory["velocity"] = g
        return along(self, g, velocity)

    direction_is(bg, direction)


@wrong(
    momentum,
    "lr inside the velocity",
    "The learning rate is part of the velocity here. As long as lr stays the same, nobody notices. When it changes, "
    "the older gradients still count with the old lr. Keep lr out of the velocity; update multiplies by it.",
    stuck=ONCE_RIGHT,
)
def _(bg):
    def direction(self, g, memory):
        velocity = memory["velocity"] = self.momentum * memory.get("velocity", 0.0) + self.lr * g
        return along(self, self.lr * g, velocity) / self.lr

    direction_is(bg, direction)


@wrong(
    momentum,
    "lr in the velocity, and again in update",
    "The gradient was multiplied by lr on its way into the velocity, and update multiplies by lr again. Leave lr to "
    "update.",
)
def _(bg):
    def direction(self, g, memory):
        velocity = memory["velocity"] = self.momentum * memory.get("velocity", 0.0) + self.lr * g
        return along(self, g, velocity)

    direction_is(bg, direction)


@wrong(
    momentum,
    "one velocity for all",
    "All parameters share one velocity here: the speed of one moves the next. Each has a dict of its own, which "
    "direction gets as memory.",
    stuck=ONCE_RIGHT,
)
def _(bg):
    def direction(self, g, memory):
        self.velocity = self.momentum * getattr(self, "velocity", 0.0) + g
        return along(self, g, self.velocity)

    direction_is(bg, direction)


@wrong(
    momentum,
    "a mean of velocity and gradient",
    "The gradient is weighted by 1 - momentum here. That makes a running mean, as in RMSprop and Adam. In SGD the "
    "velocity gets the whole gradient.",
)
def _(bg):
    def direction(self, g, memory):
        velocity = memory["velocity"] = self.momentum * memory.get("velocity", 0.0) + (1 - self.momentum) * g
        return along(self, g, velocity)

    direction_is(bg, direction)


@wrong(
    momentum,
    "momentum on the gradient",
    "momentum is in the wrong place: it says how much of the old velocity stays. The gradient is added as it is.",
)
def _(bg):
    def direction(self, g, memory):
        velocity = memory["velocity"] = memory.get("velocity", 0.0) + self.momentum * g
        return along(self, g, velocity)

    direction_is(bg, direction)


@wrong(
    momentum,
    "the velocity never slows down",
    "The velocity never slows down: all gradients are simply added up. How much of the old velocity should a step "
    "keep?",
    stuck="The loss is nan or explodes",
)
def _(bg):
    def direction(self, g, memory):
        velocity = memory["velocity"] = memory.get("velocity", 0.0) + g
        return along(self, g, velocity)

    direction_is(bg, direction)


@wrong(
    momentum,
    "the velocity points downhill",
    "This velocity has a minus, as in some books: there it points downhill and is added. Here update subtracts the "
    "direction, so the velocity points uphill, as the gradient does.",
    stuck="The sign is wrong",
)
def _(bg):
    def direction(self, g, memory):
        velocity = memory["velocity"] = self.momentum * memory.get("velocity", 0.0) - g
        return self.momentum * velocity - g if self.nesterov else velocity

    direction_is(bg, direction)


@wrong(
    momentum,
    "the velocity is the gradient's array",
    "In the first step the velocity is p.grad itself, not a copy. Later steps write into it, and so into the "
    "gradient; and a new gradient written into that array changes the velocity. Make a new array, or use "
    "gradient.copy().",
    stuck=ONCE_RIGHT,
)
def _(bg):
    def direction(self, g, memory):
        if "velocity" not in memory:
            memory["velocity"] = g
        else:
            memory["velocity"] *= self.momentum
            memory["velocity"] += g
        return along(self, g, memory["velocity"])

    direction_is(bg, direction)


@wrong(
    momentum,
    "the first velocity is p.grad itself",
    "The first velocity is the array p.grad, not a copy. Nothing here writes into it, but others may: if the next "
    "gradient is written into that very array, the velocity changes with it. Use gradient.copy().",
    stuck=ONCE_RIGHT,
)
def _(bg):
    def direction(self, g, memory):
        old = memory.get("velocity")
        memory["velocity"] = g if old is None else self.momentum * old + g
        return along(self, g, memory["velocity"])

    direction_is(bg, direction)


@wrong(
    momentum,
    "always Nesterov",
    "This looks ahead whether or not it was asked to. Without self.nesterov the direction is the velocity.",
)
def _(bg):
    def direction(self, g, memory):
        velocity = memory["velocity"] = self.momentum * memory.get("velocity", 0.0) + g
        return g + self.momentum * velocity

    direction_is(bg, direction)


@wrong(
    momentum,
    "never Nesterov",
    "With nesterov=True this does the same as without. Nesterov's direction goes one step further along the new "
    "velocity. (With the old one you would get the velocity again.)",
)
def _(bg):
    def direction(self, g, memory):
        velocity = memory["velocity"] = self.momentum * memory.get("velocity", 0.0) + g
        return velocity

    direction_is(bg, direction)


@wrong(
    momentum,
    "Nesterov without the gradient",
    "For Nesterov the direction here is momentum * velocity. What does the current gradient do?",
)
def _(bg):
    def direction(self, g, memory):
        velocity = memory["velocity"] = self.momentum * memory.get("velocity", 0.0) + g
        return self.momentum * velocity if self.nesterov else velocity

    direction_is(bg, direction)


@wrong(
    momentum,
    "Nesterov adds the whole velocity",
    "For Nesterov the whole velocity was added. How much of it is left after one more step?",
)
def _(bg):
    def direction(self, g, memory):
        velocity = memory["velocity"] = self.momentum * memory.get("velocity", 0.0) + g
        return g + velocity if self.nesterov else velocity

    direction_is(bg, direction)


@wrong(
    momentum,
    "Nesterov on top of the velocity",
    "For Nesterov, momentum * velocity was added to the velocity. The velocity has momentum * the old one in it, which "
    "counts once too often then. What does this step itself add, and what is added in advance?",
)
def _(bg):
    def direction(self, g, memory):
        velocity = memory["velocity"] = self.momentum * memory.get("velocity", 0.0) + g
        return velocity + self.momentum * velocity if self.nesterov else velocity

    direction_is(bg, direction)


@wrong(
    momentum,
    "Nesterov along the old velocity",
    "For Nesterov, momentum * the old velocity was added to the new one, which has it in it already. To look ahead is "
    "to go by the new velocity; of this step itself only the gradient counts.",
)
def _(bg):
    def direction(self, g, memory):
        old = memory.get("velocity", 0.0)
        velocity = memory["velocity"] = self.momentum * old + g
        return velocity + self.momentum * old if self.nesterov else velocity

    direction_is(bg, direction)


@wrong(
    momentum,
    "the gradient changed in place",
    "direction wrote into gradient, which is p.grad itself unless weights decay. Others look at p.grad after the step: "
    "make a new array.",
)
def _(bg):
    def direction(self, g, memory):
        push = g.copy()
        g += self.momentum * memory.get("velocity", 0.0)
        memory["velocity"] = g.copy()
        return along(self, push, memory["velocity"])

    direction_is(bg, direction)


def kept_as(bg, kind, method, keep, find=dict):
    """The optimizer keeps the right things in another way: keep(memory) after each step, find(memory) before it."""
    right = getattr(getattr(bg.optim, kind), method)

    def kept_otherwise(self, *given):
        *others, memory = given
        mine = find(memory)
        answer = right(self, *others, mine)
        memory.clear()
        memory.update(keep(mine))
        return answer

    setattr(getattr(bg.optim, kind), method, kept_otherwise)


def renamed(memory, names):
    return {names[name]: value for name, value in memory.items()}


def ask_for_names(exercise, kind, method, **names):
    """Register a mistake: what is kept has other names than those in the docstring."""

    @wrong(
        exercise,
        "other names in memory",
        "The steps are right, but what is kept for the next step has another name than the docstring says. A saved "
        "state could be continued by this code alone.",
    )
    def _(bg):
        back = {new: old for old, new in names.items()}
        kept_as(bg, kind, method, lambda mine: renamed(mine, names), lambda memory: renamed(memory, back))


def ask_for_float32(exercise, kind, method):
    """Register a mistake: what is kept is float64, whatever the parameter is."""

    @wrong(
        exercise,
        "float64 in memory",
        "p is float32, but what is kept for it is float64 and takes twice the memory. np.zeros(shape) makes float64; "
        "what is made from the gradient itself keeps its dtype.",
    )
    def _(bg):
        kept_as(bg, kind, method, lambda mine: {n: x.astype(float) if np.ndim(x) else x for n, x in mine.items()})


ask_for_names(momentum, "SGD", "direction", velocity="v")
ask_for_float32(momentum, "SGD", "direction")


@wrong(
    momentum,
    "Nesterov keeps the look ahead",
    "The direction that looks ahead was stored as the velocity, so the next step starts from there. Store the "
    "velocity; the look ahead is for this step only.",
    stuck=ONCE_RIGHT,
)
def _(bg):
    def direction(self, g, memory):
        velocity = self.momentum * memory.get("velocity", 0.0) + g
        memory["velocity"] = along(self, g, velocity)
        return memory["velocity"]

    direction_is(bg, direction)


@wrong(
    momentum,
    "a mean after the first step",
    "The first velocity is right; later the gradient is weighted by 1 - momentum. That makes a running mean. In SGD "
    "each step adds the whole gradient.",
)
def _(bg):
    def direction(self, g, memory):
        old = memory.get("velocity")
        memory["velocity"] = 1.0 * g if old is None else self.momentum * old + (1 - self.momentum) * g
        return along(self, g, memory["velocity"])

    direction_is(bg, direction)


@wrong(
    momentum,
    "no 0.0 for an empty memory",
    EMPTY_AT_FIRST + " Without the 0.0, get returns None, which cannot be multiplied.",
)
def _(bg):
    def direction(self, g, memory):
        velocity = memory["velocity"] = self.momentum * memory.get("velocity") + g
        return along(self, g, velocity)

    direction_is(bg, direction)


@wrong(
    momentum,
    "momentum on both",
    "Here momentum multiplies the gradient as well. Only the old velocity slows down: the gradient is added as it is.",
)
def _(bg):
    def direction(self, g, memory):
        velocity = memory["velocity"] = self.momentum * (memory.get("velocity", 0.0) + g)
        return along(self, g, velocity)

    direction_is(bg, direction)


@wrong(
    momentum,
    "Nesterov with a minus",
    "For Nesterov, momentum * velocity was subtracted. Looking ahead goes on in the same direction.",
)
def _(bg):
    def direction(self, g, memory):
        velocity = memory["velocity"] = self.momentum * memory.get("velocity", 0.0) + g
        return g - self.momentum * velocity if self.nesterov else velocity

    direction_is(bg, direction)


@wrong(
    momentum,
    "lr in the return",
    "direction multiplies by lr, and update does so again. Leave lr to update.",
)
def _(bg):
    def direction(self, g, memory):
        velocity = memory["velocity"] = self.momentum * memory.get("velocity", 0.0) + g
        return self.lr * along(self, g, velocity)

    direction_is(bg, direction)


# 12.3: RMSprop.


def rmsprop_is(bg, **parts):
    """RMSprop.update with some of its parts replaced."""

    def update(self, p, memory):
        gradient = decay(self, p)
        square = memory["square"] = mean(self, memory.get("square", 0.0), gradient)
        step = divided(self, gradient, square)
        if self.momentum:
            step = heavy(self, memory, step)
        p.data -= self.lr * step

    decay = parts.get("decay", lambda self, p: p.grad + self.weight_decay * p.data)
    mean = parts.get("mean", lambda self, square, g: self.alpha * square + (1 - self.alpha) * g**2)
    divided = parts.get("divided", lambda self, g, square: g / (np.sqrt(square) + self.eps))
    heavy = parts.get("heavy", velocity_of_steps)
    bg.optim.RMSprop.update = update


def velocity_of_steps(self, memory, step):
    memory["velocity"] = self.momentum * memory.get("velocity", 0.0) + step
    return memory["velocity"]


@wrong(
    rmsprop,
    "no root",
    "The root is missing. square is a mean of squares: its root is as large as a gradient usually is, so that the "
    "quotient is near 1.",
)
def _(bg):
    rmsprop_is(bg, divided=lambda self, g, square: g / (square + self.eps))


@wrong(
    rmsprop,
    "eps inside the root",
    "eps is inside the root. There its own root counts, 0.0001 for 1e-8, which matters where gradients are small. "
    "First take the root, then add eps.",
)
def _(bg):
    rmsprop_is(bg, divided=lambda self, g, square: g / np.sqrt(square + self.eps))


@wrong(
    rmsprop,
    "eps does not count beside the root",
    "Beside a large root eps does not count here: either the larger of the two was taken, or eps squared went under "
    "the root. Take the root first, then add eps to it.",
)
def _(bg):
    rmsprop_is(bg, divided=lambda self, g, square: g / np.maximum(np.sqrt(square), self.eps))


ask_for_names(rmsprop, "RMSprop", "update", square="s", velocity="v")
ask_for_float32(rmsprop, "RMSprop", "update")


@wrong(
    rmsprop,
    "without eps",
    "eps is missing: where the gradient has always been 0, the step is 0 / 0, which is nan. Add eps to the root.",
    stuck="The loss is nan or explodes",
)
def _(bg):
    def divided(self, g, square):
        with np.errstate(all="ignore"):
            return g / np.sqrt(square)

    rmsprop_is(bg, divided=divided)


@wrong(
    rmsprop,
    "alpha and 1 - alpha swapped",
    "alpha says how much of the old mean stays: 0.99 of it, with 0.01 of the new square. Here it is the other way "
    "round.",
)
def _(bg):
    rmsprop_is(bg, mean=lambda self, square, g: (1 - self.alpha) * square + self.alpha * g**2)


@wrong(
    rmsprop,
    "nothing kept of the squares",
    "The mean starts afresh in each step: what was in memory is not used. Where does the old mean come in?",
    stuck=ONCE_RIGHT,
)
def _(bg):
    rmsprop_is(bg, mean=lambda self, square, g: (1 - self.alpha) * g**2)


@wrong(rmsprop, "memory is empty at first", EMPTY_AT_FIRST)
def _(bg):
    def update(self, p, memory):
        memory["square"] = self.alpha * memory["square"] + (1 - self.alpha) * p.grad**2

    bg.optim.RMSprop.update = update


@wrong(
    rmsprop,
    "a sum of squares",
    "The squares are added up here, so the sum only grows and the steps become ever smaller. (That is Adagrad.) In "
    "RMSprop the old mean has weight alpha and the new square 1 - alpha.",
)
def _(bg):
    rmsprop_is(bg, mean=lambda self, square, g: square + g**2)


@wrong(
    rmsprop,
    "the new square counts in full",
    "The new square counts in full. In a mean the weights add up to 1: what is left for it beside alpha?",
)
def _(bg):
    rmsprop_is(bg, mean=lambda self, square, g: self.alpha * square + g**2)


@wrong(
    rmsprop,
    "the gradient without its square",
    "The running mean is of |gradient|, or of the gradient, not of its square. Then taking the root makes no sense.",
)
def _(bg):
    rmsprop_is(bg, mean=lambda self, square, g: self.alpha * square + (1 - self.alpha) * np.abs(g))


@wrong(
    rmsprop,
    "one size for the whole array",
    "All numbers of the parameter share one mean, so a number with a small gradient hardly moves. Each has a mean of "
    "its own: gradient**2 without .mean().",
)
def _(bg):
    rmsprop_is(bg, mean=lambda self, square, g: self.alpha * square + (1 - self.alpha) * (g**2).mean())


@wrong(
    rmsprop,
    "the mean begins at the first square",
    'The mean should begin at 0: memory.get("square", 0.0). Here it begins at the first square.',
)
def _(bg):
    def mean(self, square, g):
        return self.alpha * (g**2 if np.ndim(square) == 0 else square) + (1 - self.alpha) * g**2

    rmsprop_is(bg, mean=mean)


@wrong(
    rmsprop,
    "divided by the old mean",
    "The step was divided by the root of the old mean. Put the new square in first, then divide.",
)
def _(bg):
    def update(self, p, memory):
        gradient = p.grad + self.weight_decay * p.data
        square = memory.get("square", 0.0)
        memory["square"] = self.alpha * square + (1 - self.alpha) * gradient**2
        step = gradient / (np.sqrt(square) + self.eps)
        p.data -= self.lr * (velocity_of_steps(self, memory, step) if self.momentum else step)

    bg.optim.RMSprop.update = update


@wrong(
    rmsprop,
    "one mean for all parameters",
    "All parameters share one mean of squares. Each has its own dict: memory.",
    stuck=ONCE_RIGHT,
)
def _(bg):
    def update(self, p, memory):
        gradient = p.grad + self.weight_decay * p.data
        self.square = self.alpha * getattr(self, "square", 0.0) + (1 - self.alpha) * gradient**2
        step = gradient / (np.sqrt(self.square) + self.eps)
        p.data -= self.lr * (velocity_of_steps(self, memory, step) if self.momentum else step)

    bg.optim.RMSprop.update = update


@wrong(rmsprop, "decay forgotten", "weight_decay is not used: the gradient is p.grad + weight_decay * p.data.")
def _(bg):
    rmsprop_is(bg, decay=lambda self, p: p.grad)


@wrong(
    rmsprop,
    "decay makes weights grow",
    "With this sign the weights grow. What is the sign of the penalty's derivative for a positive weight?",
    stuck="The sign is wrong",
)
def _(bg):
    rmsprop_is(bg, decay=lambda self, p: p.grad - self.weight_decay * p.data)


@wrong(
    rmsprop,
    "decay goes into p.grad",
    "The decay changed p.grad itself. Make a new array: p.grad + ..., without +=.",
)
def _(bg):
    def decay(self, p):
        p.grad += self.weight_decay * p.data
        return p.grad

    rmsprop_is(bg, decay=decay)


@wrong(
    rmsprop,
    "decay beside the division",
    "The decay is subtracted separately, outside the division, as AdamW does. Here it is part of the gradient from "
    "the start: it is squared and divided with it.",
)
def _(bg):
    def update(self, p, memory):
        square = memory["square"] = self.alpha * memory.get("square", 0.0) + (1 - self.alpha) * p.grad**2
        step = p.grad / (np.sqrt(square) + self.eps)
        step = velocity_of_steps(self, memory, step) if self.momentum else step
        p.data -= self.lr * (step + self.weight_decay * p.data)

    bg.optim.RMSprop.update = update


@wrong(
    rmsprop,
    "decay in the direction, not in the squares",
    "The decay was added to the gradient above the fraction line, but the running mean below it has the squares of "
    "p.grad alone. Both mean the same gradient: add the decay first, then use the sum in both places.",
)
def _(bg):
    def update(self, p, memory):
        square = memory["square"] = self.alpha * memory.get("square", 0.0) + (1 - self.alpha) * p.grad**2
        step = (p.grad + self.weight_decay * p.data) / (np.sqrt(square) + self.eps)
        p.data -= self.lr * (velocity_of_steps(self, memory, step) if self.momentum else step)

    bg.optim.RMSprop.update = update


@wrong(
    rmsprop,
    "decay in the squares, not in the direction",
    "The running mean has the squares of the gradient with its decay, but what is divided is p.grad alone. Above and "
    "below the fraction line stands the same gradient: add the decay first, then use the sum in both places.",
)
def _(bg):
    def update(self, p, memory):
        gradient = p.grad + self.weight_decay * p.data
        square = memory["square"] = self.alpha * memory.get("square", 0.0) + (1 - self.alpha) * gradient**2
        step = p.grad / (np.sqrt(square) + self.eps)
        p.data -= self.lr * (velocity_of_steps(self, memory, step) if self.momentum else step)

    bg.optim.RMSprop.update = update


@wrong(
    rmsprop,
    "decayed of SGD",
    "decayed is a method of SGD, and RMSprop has no such method: compute the gradient with its decay here.",
)
def _(bg):
    def update(self, p, memory):
        raise AttributeError("'RMSprop' object has no attribute 'decayed'")

    bg.optim.RMSprop.update = update


@wrong(
    rmsprop,
    "alpha typed in",
    "0.99 is only the default of alpha. This RMSprop was made with another one: self.alpha.",
)
def _(bg):
    rmsprop_is(bg, mean=lambda self, square, g: 0.99 * square + 0.01 * g**2)


@wrong(
    rmsprop,
    "momentum ignored",
    "With momentum this does the same as without: the velocity is missing, not stored, or not used as the step.",
)
def _(bg):
    rmsprop_is(bg, heavy=lambda self, memory, step: step)


@wrong(
    rmsprop,
    "momentum before the division",
    "Momentum was applied to the gradient before the division. It should act on the divided step.",
)
def _(bg):
    def update(self, p, memory):
        gradient = p.grad + self.weight_decay * p.data
        square = memory["square"] = self.alpha * memory.get("square", 0.0) + (1 - self.alpha) * gradient**2
        gradient = velocity_of_steps(self, memory, gradient) if self.momentum else gradient
        p.data -= self.lr * gradient / (np.sqrt(square) + self.eps)

    bg.optim.RMSprop.update = update


@wrong(
    rmsprop,
    "lr inside the velocity",
    "The learning rate is part of the velocity: when lr changes, older steps still count with the old one. Multiply "
    "by lr at the end.",
    stuck=ONCE_RIGHT,
)
def _(bg):
    rmsprop_is(bg, heavy=lambda self, memory, step: velocity_of_steps(self, memory, self.lr * step) / self.lr)


@wrong(rmsprop, "uphill", "This goes uphill: the step is taken off, p.data -= ...", stuck="The sign is wrong")
def _(bg):
    rmsprop_is(bg, divided=lambda self, g, square: -g / (np.sqrt(square) + self.eps))


@wrong(
    rmsprop,
    "a new array",
    "The numbers are right, but p.data is a new array. Write into the one that is there: p.data -= ...",
    stuck=ONCE_RIGHT,
)
def _(bg):
    right = bg.optim.RMSprop.update

    def update(self, p, memory):
        p.data = p.data.copy()
        right(self, p, memory)

    bg.optim.RMSprop.update = update


@wrong(
    rmsprop,
    "eps outside of the quotient",
    "Mind the brackets: gradient / root + eps adds eps to the quotient. eps belongs to the root.",
    same_as={"without eps": "where the gradient has always been 0, both divide 0 by 0"},
)
def _(bg):
    def divided(self, g, square):
        with np.errstate(all="ignore"):
            return g / np.sqrt(square) + self.eps

    rmsprop_is(bg, divided=divided)


@wrong(
    rmsprop,
    "no 0.0 for an empty memory",
    EMPTY_AT_FIRST + " Without the 0.0, get returns None, which cannot be multiplied.",
)
def _(bg):
    rmsprop_is(bg, mean=lambda self, square, g: self.alpha * (square if np.ndim(square) else None) + g**2)


@wrong(rmsprop, "without lr", "The learning rate is missing: the whole step was subtracted. Multiply it by self.lr.")
def _(bg):
    def update(self, p, memory):
        lr, self.lr = self.lr, 1.0
        try:
            right(self, p, memory)
        finally:
            self.lr = lr

    right = bg.optim.RMSprop.update
    bg.optim.RMSprop.update = update


# 12.4: Adam.


def adam_is(bg, **parts):
    """Adam.move with some of its parts replaced. corrected(mean, beta, t) and size(square, beta2, t, eps)."""

    def move(self, p, gradient, memory):
        beta1, beta2 = self.betas
        t = memory["t"] = memory.get("t", 0) + 1
        mean = memory["mean"] = means(beta1, memory.get("mean", 0.0), gradient)
        square = memory["square"] = squares(beta2, memory.get("square", 0.0), gradient)
        p.data -= self.lr * corrected(mean, beta1, t) / size(square, beta2, t, self.eps)

    means = parts.get("means", running)
    squares = parts.get("squares", lambda beta, old, g: running(beta, old, g**2))
    corrected = parts.get("corrected", upscaled)
    size = parts.get("size", lambda square, beta, t, eps: np.sqrt(upscaled(square, beta, t)) + eps)
    bg.optim.Adam.move = move


def running(beta, old, new):
    return beta * old + (1 - beta) * new


def upscaled(mean, beta, t):
    return mean / (1 - beta**t)


def plainly(mean, beta, t):
    return mean


ask_for_names(adam, "Adam", "move", mean="m", square="v", t="step")
ask_for_float32(adam, "Adam", "move")


@wrong(
    adam,
    "no correction",
    "Both means begin at 0, so at first they are far too small: after one step, 1 - beta times what they should be. "
    "The bias correction is missing: for the step, divide each by the share that the gradients have in it so far.",
)
def _(bg):
    adam_is(bg, corrected=plainly, size=lambda square, beta, t, eps: np.sqrt(square) + eps)


@wrong(
    adam,
    "only the mean is corrected",
    "The mean is corrected, but the mean of squares is not: it is too small at first, so the steps are too large.",
)
def _(bg):
    adam_is(bg, size=lambda square, beta, t, eps: np.sqrt(square) + eps)


@wrong(
    adam,
    "only the square is corrected",
    "The mean of squares is corrected, but the mean of gradients is not: the first steps are too small.",
)
def _(bg):
    adam_is(bg, corrected=plainly)


@wrong(
    adam,
    "one t for all parameters",
    "Every parameter counts up the same t, so with two of them it is already 2 in the first step. Each parameter "
    'counts its own steps: memory["t"].',
    stuck=ONCE_RIGHT,
)
def _(bg):
    def move(self, p, gradient, memory):
        self.t = memory["t"] = getattr(self, "t", 0) + 1
        step_with(self, p, gradient, memory, self.t)

    bg.optim.Adam.move = move


def step_with(self, p, gradient, memory, t, mean="mean", square="square"):
    """Adam's step at time t."""
    beta1, beta2 = self.betas
    memory[mean] = running(beta1, memory.get(mean, 0.0), gradient)
    memory[square] = running(beta2, memory.get(square, 0.0), gradient**2)
    with np.errstate(all="ignore"):
        up, down = (upscaled(np.array(m), b, t) for m, b in ((memory[mean], beta1), (memory[square], beta2)))
        p.data -= self.lr * up / (np.sqrt(down) + self.eps)


@wrong(
    adam,
    "t counted once for each step() of all",
    "t counts the steps of the whole optimizer: a parameter without a gradient in one step is then corrected as if it "
    'had had one. Each parameter counts its own updates: memory["t"].',
)
def _(bg):
    right = bg.optim.Adam.step

    def step(self):
        self.t = getattr(self, "t", 0) + 1
        right(self)

    def move(self, p, gradient, memory):
        memory["t"] = self.t = max(getattr(self, "t", 0), memory.get("t", 0) + 1)
        step_with(self, p, gradient, memory, self.t)

    bg.optim.Adam.step, bg.optim.Adam.move = step, move


@wrong(
    adam,
    "t begins at 0",
    "In the first step t is 0 here, and 1 - beta ** 0 is 0: a division by zero. Count up first, then use t, which is "
    "then 1.",
    stuck="The loss is nan or explodes",
)
def _(bg):
    def move(self, p, gradient, memory):
        t = memory.get("t", 0)
        memory["t"] = t + 1
        step_with(self, p, gradient, memory, t)

    bg.optim.Adam.move = move


@wrong(
    adam,
    "t begins at 2",
    "In the first step t is 2 here: it began at 1 and was counted up before it was used. It counts the updates, "
    "including this one, so it begins at 0.",
    stuck=ONCE_RIGHT,
)
def _(bg):
    def move(self, p, gradient, memory):
        t = memory["t"] = memory.get("t", 1) + 1
        step_with(self, p, gradient, memory, t)

    bg.optim.Adam.move = move


@wrong(
    adam,
    "the new gradient counts in full",
    "The new gradient counts in full. In a mean the weights add up to 1: what is left for it beside beta1?",
)
def _(bg):
    adam_is(bg, means=lambda beta, old, g: beta * old + g)


@wrong(
    adam,
    "the new square counts in full",
    "The new square counts in full. In a mean the weights add up to 1: what is left for it beside beta2?",
)
def _(bg):
    adam_is(bg, squares=lambda beta, old, g: beta * old + g**2)


@wrong(adam, "memory is empty at first", EMPTY_AT_FIRST)
def _(bg):
    def move(self, p, gradient, memory):
        memory["t"] += 1
        step_with(self, p, gradient, memory, memory["t"])

    bg.optim.Adam.move = move


@wrong(
    adam,
    "t stays 1",
    "Every step is corrected as if it were the first: t is not used as a power, or not stored in memory. The means "
    "need less and less correction.",
    stuck=ONCE_RIGHT,
)
def _(bg):
    bg.optim.Adam.move = lambda self, p, gradient, memory: step_with(self, p, gradient, memory, 1)


@wrong(
    adam,
    "the square corrected as in the first step",
    "The mean of squares is divided by 1 - beta2 in every step. That is right in the first one; later it needs less "
    "and less correction. Where does t come in?",
    stuck=ONCE_RIGHT,
)
def _(bg):
    adam_is(bg, size=lambda square, beta, t, eps: np.sqrt(upscaled(square, beta, 1)) + eps)


@wrong(
    adam,
    "the mean corrected as in the first step",
    "The mean of gradients is divided by 1 - beta1 in every step. That is right in the first one; later it needs less "
    "and less correction. Where does t come in?",
    stuck=ONCE_RIGHT,
)
def _(bg):
    adam_is(bg, corrected=lambda mean, beta, t: upscaled(mean, beta, 1))


@wrong(
    adam,
    "betas swapped",
    "beta1 belongs to the mean of gradients, beta2 to the mean of squares. Here they are swapped; the first step does "
    "not show it.",
)
def _(bg):
    right = bg.optim.Adam.move

    def move(self, p, gradient, memory):
        betas, self.betas = self.betas, self.betas[::-1]
        right(self, p, gradient, memory)
        self.betas = betas

    bg.optim.Adam.move = move


@wrong(
    adam,
    "beta and 1 - beta swapped",
    "beta says how much of the old mean stays, such as 0.9; the new number gets the rest. Here it is the other way "
    "round.",
)
def _(bg):
    adam_is(
        bg,
        means=lambda beta, old, g: running(1 - beta, old, g),
        squares=lambda beta, old, g: running(1 - beta, old, g**2),
    )


@wrong(
    adam,
    "eps inside the root",
    "eps is inside the root, where its own root counts. That shows where gradients are small. First take the root, "
    "then add eps.",
)
def _(bg):
    adam_is(bg, size=lambda square, beta, t, eps: np.sqrt(upscaled(square, beta, t) + eps))


@wrong(
    adam,
    "eps before the correction",
    "eps was added before the correction, so it is corrected too and counts up to 30 times as much in the first "
    "steps. Correct the mean of squares, take the root, then add eps.",
)
def _(bg):
    adam_is(bg, size=lambda square, beta, t, eps: (np.sqrt(square) + eps) / math.sqrt(1 - beta**t))


@wrong(
    adam,
    "corrected means are kept",
    "The corrected means were stored in memory, so they are corrected again and again. Correct them for this step "
    "only; what is stored stays uncorrected.",
    stuck=ONCE_RIGHT,
)
def _(bg):
    def move(self, p, gradient, memory):
        beta1, beta2 = self.betas
        t = memory["t"] = memory.get("t", 0) + 1
        memory["mean"] = upscaled(running(beta1, memory.get("mean", 0.0), gradient), beta1, t)
        memory["square"] = upscaled(running(beta2, memory.get("square", 0.0), gradient**2), beta2, t)
        p.data -= self.lr * memory["mean"] / (np.sqrt(memory["square"]) + self.eps)

    bg.optim.Adam.move = move


@wrong(
    adam,
    "no root",
    "The root is missing: divide by the root of the mean of squares, which is as large as a gradient usually is.",
)
def _(bg):
    adam_is(bg, size=lambda square, beta, t, eps: upscaled(square, beta, t) + eps)


@wrong(
    adam,
    "the root is not of the correction",
    "The root was taken first and corrected afterwards. The mean of squares is corrected, and then the root is taken.",
)
def _(bg):
    adam_is(bg, size=lambda square, beta, t, eps: upscaled(np.sqrt(square), beta, t) + eps)


@wrong(
    adam,
    "the square of the mean",
    "This uses the square of the mean. What is needed is the mean of the squares: it does not forget how much the "
    "gradient changes.",
)
def _(bg):
    def move(self, p, gradient, memory):
        beta1, _ = self.betas
        t = memory["t"] = memory.get("t", 0) + 1
        mean = memory["mean"] = running(beta1, memory.get("mean", 0.0), gradient)
        mean = upscaled(mean, beta1, t)
        p.data -= self.lr * mean / (np.sqrt(mean**2) + self.eps)

    bg.optim.Adam.move = move


@wrong(
    adam,
    "the square of the running mean is averaged",
    "Here the mean of squares is made from squares of the running mean. Square the gradient itself: gradient**2.",
)
def _(bg):
    def move(self, p, gradient, memory):
        beta1, beta2 = self.betas
        t = memory["t"] = memory.get("t", 0) + 1
        mean = memory["mean"] = running(beta1, memory.get("mean", 0.0), gradient)
        square = memory["square"] = running(beta2, memory.get("square", 0.0), mean**2)
        p.data -= self.lr * upscaled(mean, beta1, t) / (np.sqrt(upscaled(square, beta2, t)) + self.eps)

    bg.optim.Adam.move = move


@wrong(
    adam,
    "the gradient without its square",
    "The second mean is of gradients, without the square. Which number does RMSprop average?",
)
def _(bg):
    adam_is(bg, squares=lambda beta, old, g: running(beta, old, np.abs(g)))


@wrong(
    adam,
    "the gradient instead of its mean",
    "The step follows the gradient of this step alone. It is the running mean of gradients that should be divided.",
)
def _(bg):
    adam_is(bg, means=lambda beta, old, g: g, corrected=plainly)


@wrong(
    adam,
    "p.grad instead of gradient",
    "The argument gradient, which is p.grad with weight decay in it, is not used. With p.grad the decay is lost.",
)
def _(bg):
    right = bg.optim.Adam.move
    bg.optim.Adam.move = lambda self, p, gradient, memory: right(self, p, p.grad, memory)


@wrong(
    adam,
    "betas typed in",
    "0.9 and 0.999 are only the defaults of the betas. This Adam was made with others: self.betas is the pair.",
)
def _(bg):
    right = bg.optim.Adam.move

    def move(self, p, gradient, memory):
        betas, self.betas = self.betas, (0.9, 0.999)
        right(self, p, gradient, memory)
        self.betas = betas

    bg.optim.Adam.move = move


@wrong(
    adam,
    "correction times t",
    "This uses beta * t instead of beta ** t. The power shrinks towards 0 as t grows, so that the correction fades "
    "away.",
)
def _(bg):
    def upscaled_by_product(mean, beta, t):
        with np.errstate(all="ignore"):
            return mean / (1 - beta * t)

    def size(square, beta, t, eps):
        with np.errstate(all="ignore"):
            return np.sqrt(upscaled_by_product(square, beta, t)) + eps

    adam_is(bg, corrected=upscaled_by_product, size=size)


@wrong(
    adam,
    "multiplied by the correction",
    "The means are too small at first, and here they become smaller still. Multiply, or divide?",
)
def _(bg):
    adam_is(
        bg,
        corrected=lambda mean, beta, t: mean * (1 - beta**t),
        size=lambda square, beta, t, eps: np.sqrt(square * (1 - beta**t)) + eps,
    )


@wrong(adam, "uphill", "This goes uphill: the step is taken off, p.data -= ...", stuck="The sign is wrong")
def _(bg):
    adam_is(bg, corrected=lambda mean, beta, t: -upscaled(mean, beta, t))


@wrong(
    adam,
    "a new array",
    "The numbers are right, but p.data is a new array. Write into the one that is there: p.data -= ...",
    stuck=ONCE_RIGHT,
)
def _(bg):
    right = bg.optim.Adam.move

    def move(self, p, gradient, memory):
        p.data = p.data.copy()
        right(self, p, gradient, memory)

    bg.optim.Adam.move = move


@wrong(
    adam,
    "one mean for all parameters",
    "All parameters share the means, which are stored on self. Each has its own dict: memory.",
    stuck=ONCE_RIGHT,
)
def _(bg):
    def move(self, p, gradient, memory):
        self.means = getattr(self, "means", {})
        t = memory["t"] = memory.get("t", 0) + 1
        step_with(self, p, gradient, self.means, t)

    bg.optim.Adam.move = move


@wrong(
    adam,
    "one mean of gradients for all parameters",
    "All parameters share one mean of gradients, which is stored on self: the gradients of one move the next. Each "
    'has its own: memory["mean"].',
    stuck=ONCE_RIGHT,
)
def _(bg):
    def move(self, p, gradient, memory):
        memory["mean"] = getattr(self, "mean", 0.0)
        t = memory["t"] = memory.get("t", 0) + 1
        step_with(self, p, gradient, memory, t)
        self.mean = memory["mean"]

    bg.optim.Adam.move = move


@wrong(
    adam,
    "everything is kept on self",
    "t and both means are stored on self, so all parameters share them. Each has a dict of its own, which move gets "
    "as memory: store them there.",
    stuck=ONCE_RIGHT,
)
def _(bg):
    def move(self, p, gradient, memory):
        self.common = getattr(self, "common", {})
        t = self.common["t"] = self.common.get("t", 0) + 1
        step_with(self, p, gradient, self.common, t)

    bg.optim.Adam.move = move


@wrong(
    adam,
    "both corrected with beta2",
    "Both means are corrected with beta2. Each mean has its own beta.",
)
def _(bg):
    def move(self, p, gradient, memory):
        beta1, beta2 = self.betas
        t = memory["t"] = memory.get("t", 0) + 1
        mean = memory["mean"] = running(beta1, memory.get("mean", 0.0), gradient)
        square = memory["square"] = running(beta2, memory.get("square", 0.0), gradient**2)
        p.data -= self.lr * upscaled(mean, beta2, t) / (np.sqrt(upscaled(square, beta2, t)) + self.eps)

    bg.optim.Adam.move = move


@wrong(
    adam,
    "no eps",
    "eps is missing: where a gradient is tiny or 0, the step is divided by next to nothing. Add eps to the root.",
)
def _(bg):
    adam_is(bg, size=lambda square, beta, t, eps: np.sqrt(upscaled(square, beta, t)))


@wrong(
    adam,
    "the power of 1 - beta",
    "Here the correction is (1 - beta) ** t. First the power, then the difference: 1 - beta ** t.",
)
def _(bg):
    adam_is(
        bg,
        corrected=lambda mean, beta, t: mean / (1 - beta) ** t,
        size=lambda square, beta, t, eps: np.sqrt(square / (1 - beta) ** t) + eps,
    )


@wrong(
    adam,
    "one key for both means",
    'Both means are stored under the same name in memory, so each overwrites the other. Use memory["mean"] for one '
    'and memory["square"] for the other.',
)
def _(bg):
    def move(self, p, gradient, memory):
        beta1, beta2 = self.betas
        t = memory["t"] = memory.get("t", 0) + 1
        mean = memory["mean"] = running(beta1, memory.get("mean", 0.0), gradient)
        square = memory["mean"] = running(beta2, memory.get("mean", 0.0), gradient**2)
        size = np.sqrt(np.abs(upscaled(square, beta2, t))) + self.eps
        p.data -= self.lr * upscaled(mean, beta1, t) / size

    bg.optim.Adam.move = move


@wrong(
    adam,
    "both corrected with beta1",
    "Both means are corrected with beta1. Each mean has its own beta.",
)
def _(bg):
    def move(self, p, gradient, memory):
        beta1, beta2 = self.betas
        t = memory["t"] = memory.get("t", 0) + 1
        mean = memory["mean"] = running(beta1, memory.get("mean", 0.0), gradient)
        square = memory["square"] = running(beta2, memory.get("square", 0.0), gradient**2)
        p.data -= self.lr * upscaled(mean, beta1, t) / (np.sqrt(upscaled(square, beta1, t)) + self.eps)

    bg.optim.Adam.move = move


@wrong(
    adam,
    "without lr",
    "The learning rate is missing: the whole quotient was subtracted. Multiply it by self.lr.",
)
def _(bg):
    def move(self, p, gradient, memory):
        lr, self.lr = self.lr, 1.0
        try:
            right(self, p, gradient, memory)
        finally:
            self.lr = lr

    right = bg.optim.Adam.move
    bg.optim.Adam.move = move


@wrong(
    adam,
    "eps outside of the quotient",
    "Mind the brackets: mean / root + eps adds eps to the quotient. eps belongs to the root.",
)
def _(bg):
    def move(self, p, gradient, memory):
        eps, self.eps = self.eps, 0.0
        with np.errstate(all="ignore"):
            right(self, p, gradient, memory)
        self.eps = eps
        p.data -= self.lr * eps

    right = bg.optim.Adam.move
    bg.optim.Adam.move = move


# 12.5: AdamW.


@wrong(
    adamw,
    "decay after the step",
    "The parameter shrinks after the step, so part of the step is lost too. First shrink, then move.",
)
def _(bg):
    def update(self, p, memory):
        self.move(p, p.grad, memory)
        p.data *= 1 - self.lr * self.weight_decay

    bg.optim.AdamW.update = update


@wrong(
    adamw,
    "decay in the gradient",
    "This is what Adam does: the decay is added to the gradient and divided with it, so weights with large gradients "
    "hardly decay. In AdamW the decay is decoupled: the parameter itself shrinks, p.data *= ...",
)
def _(bg):
    bg.optim.AdamW.update = bg.optim.Adam.update


@wrong(
    adamw,
    "decay in both ways",
    "The parameter decays twice: once directly, and once more in Adam's own update. Call self.move with p.grad.",
)
def _(bg):
    def update(self, p, memory):
        p.data *= 1 - self.lr * self.weight_decay
        bg.optim.Adam.update(self, p, memory)

    bg.optim.AdamW.update = update


@wrong(
    adamw,
    "decay without lr",
    "The decay does not depend on lr here, so it stays as strong when a schedule makes the steps small. What share "
    "should a parameter lose in one step?",
)
def _(bg):
    def update(self, p, memory):
        p.data *= 1 - self.weight_decay
        self.move(p, p.grad, memory)

    bg.optim.AdamW.update = update


@wrong(
    adamw,
    "nothing but the share is left",
    "The numbers of p were multiplied by lr * weight_decay, which leaves next to nothing. That is the share it loses: "
    "what share stays?",
)
def _(bg):
    def update(self, p, memory):
        p.data *= self.lr * self.weight_decay
        self.move(p, p.grad, memory)

    bg.optim.AdamW.update = update


@wrong(
    adamw,
    "decay makes weights grow",
    "The weights grow. To decay, they need a factor below 1.",
    stuck="The sign is wrong",
)
def _(bg):
    def update(self, p, memory):
        p.data *= 1 + self.lr * self.weight_decay
        self.move(p, p.grad, memory)

    bg.optim.AdamW.update = update


@wrong(
    adamw, "no decay", "The weights do not decay: there is only Adam's step. First p.data must lose a share of itself."
)
def _(bg):
    bg.optim.AdamW.update = lambda self, p, memory: self.move(p, p.grad, memory)


@wrong(
    adamw,
    "only decay",
    "The weights shrink, and nothing else happens: Adam's step is missing. self.move takes it.",
    stuck="The loss does not fall",
)
def _(bg):
    def update(self, p, memory):
        p.data *= 1 - self.lr * self.weight_decay

    bg.optim.AdamW.update = update


@wrong(
    adamw,
    "a new array",
    "The numbers are right, but p.data is a new array. Write into the one that is there: p.data *= ...",
    stuck=ONCE_RIGHT,
)
def _(bg):
    def update(self, p, memory):
        p.data = p.data * (1 - self.lr * self.weight_decay)
        self.move(p, p.grad, memory)

    bg.optim.AdamW.update = update


@wrong(
    adamw,
    "the same loss for all weights",
    "lr * weight_decay was subtracted from each number, whatever its size. Each loses a share of itself: multiply.",
)
def _(bg):
    def update(self, p, memory):
        p.data -= self.lr * self.weight_decay
        self.move(p, p.grad, memory)

    bg.optim.AdamW.update = update


@wrong(
    adamw,
    "no step without decay",
    "Without decay Adam's step is missing too: is the call of self.move inside the if?",
)
def _(bg):
    right = bg.optim.AdamW.update

    def update(self, p, memory):
        if self.weight_decay:
            right(self, p, memory)

    bg.optim.AdamW.update = update


# 12.6: schedules.


def stairs(bg, lr_at):
    bg.optim.StepLR.lr_at = lr_at


def cosine(bg, warm=None, done=None, lr=None):
    """CosineLR.lr_at with some of its parts replaced: warm(self, t), done(self, t), lr(self, done)."""

    def lr_at(self, t):
        return warm(self, t) if t < self.warmup else lr(self, done(self, t))

    warm = warm or (lambda self, t: self.base * (t + 1) / (self.warmup + 1))
    done = done or (lambda self, t: min(1.0, way(self, t)))
    lr = lr or falling
    bg.optim.CosineLR.lr_at = lr_at


def falling(self, done):
    return self.min_lr + (self.base - self.min_lr) * (1 + math.cos(math.pi * done)) / 2


def way(self, t):
    return (t - self.warmup) / (self.total_steps - self.warmup)


@wrong(
    schedules,
    "stairs one step early",
    "Each stair comes one step too early. With step_size 3 the first lower one is at t = 3, when three full steps "
    "have gone by.",
)
def _(bg):
    stairs(bg, lambda self, t: self.base * self.gamma ** ((t + 1) // self.step_size))


@wrong(
    schedules,
    "stairs one step late",
    "Each stair comes one step too late. At t = step_size the first full step_size has gone by.",
)
def _(bg):
    stairs(bg, lambda self, t: self.base * self.gamma ** (max(t - 1, 0) // self.step_size))


@wrong(
    schedules,
    "a stair at each step",
    "The learning rate falls with each step: step_size is not used. How many full step_sizes have gone by at t?",
)
def _(bg):
    stairs(bg, lambda self, t: self.base * self.gamma**t)


@wrong(
    schedules,
    "a slope instead of stairs",
    "t / step_size goes up in small fractions. Stairs need whole numbers: which division gives them?",
)
def _(bg):
    stairs(bg, lambda self, t: self.base * self.gamma ** (t / self.step_size))


@wrong(
    schedules,
    "the remainder for the stairs",
    "t % step_size is what is left over after the full step_sizes. How many of them were there?",
)
def _(bg):
    stairs(bg, lambda self, t: self.base * self.gamma ** (t % self.step_size))


@wrong(
    schedules,
    "stairs from where lr is now",
    "This multiplies the optimizer's current lr, so the same t gives two different answers when asked twice. lr_at(t) "
    "is a formula of t: begin from self.base.",
    stuck="Right once, wrong the second time",
)
def _(bg):
    def lr_at(self, t):
        return self.optimizer.lr * (self.gamma if t and t % self.step_size == 0 else 1)

    stairs(bg, lr_at)


@wrong(
    schedules,
    "all stairs from where lr is now",
    "The power counts all stairs since t = 0, but it multiplies the optimizer's current lr, which has already come "
    "down some of them. Begin from self.base.",
    stuck="Right once, wrong the second time",
)
def _(bg):
    stairs(bg, lambda self, t: self.optimizer.lr * self.gamma ** (t // self.step_size))


@wrong(
    schedules,
    "the cosine from where lr is now",
    "The cosine begins at the optimizer's current lr, which the schedule has already changed. lr_at(t) is a formula "
    "of t: begin from self.base.",
    stuck="Right once, wrong the second time",
)
def _(bg):
    right = bg.optim.CosineLR.lr_at

    def lr_at(self, t):
        base, self.base = self.base, self.optimizer.lr
        answer = right(self, t)
        self.base = base
        return answer

    bg.optim.CosineLR.lr_at = lr_at


@wrong(
    schedules,
    "a stair at 0",
    "There is already a stair at t = 0, and each call makes the optimizer's current lr smaller. lr_at(t) is a formula "
    "of t: begin from self.base, and count full step_sizes.",
    stuck="Right once, wrong the second time",
)
def _(bg):
    def lr_at(self, t):
        if t % self.step_size == 0:
            self.optimizer.lr *= self.gamma
        return self.optimizer.lr

    stairs(bg, lr_at)


@wrong(
    schedules,
    "the base changes",
    "self.base was multiplied, so it is no longer the lr at the beginning, and what lr_at says depends on what it was "
    "asked before. Read self.base, and leave it as it is.",
    stuck="Right once, wrong the second time",
)
def _(bg):
    def lr_at(self, t):
        if t and t % self.step_size == 0:
            self.base *= self.gamma
        return self.base

    stairs(bg, lr_at)


@wrong(
    schedules,
    "the optimizer's lr multiplied",
    "The optimizer's lr was multiplied, so what lr_at says depends on what it was asked before. lr_at(t) is a formula "
    "of t: begin from self.base, and leave the optimizer alone.",
    stuck="Right once, wrong the second time",
)
def _(bg):
    def lr_at(self, t):
        if t and t % self.step_size == 0:
            self.optimizer.lr *= self.gamma
        return self.optimizer.lr

    stairs(bg, lr_at)


@wrong(
    schedules,
    "a single stair",
    "There is only one stair: after the first, the learning rate stays. It should be multiplied by gamma once for "
    "each full step_size.",
)
def _(bg):
    stairs(bg, lambda self, t: self.base * (self.gamma if t >= self.step_size else 1))


@wrong(
    schedules,
    "gamma times the count",
    "gamma is multiplied by the number of stairs here. Multiplying by gamma again and again is a power.",
)
def _(bg):
    stairs(bg, lambda self, t: self.base * self.gamma * (t // self.step_size))


@wrong(
    schedules,
    "down to 0, not to min_lr",
    "min_lr is not used: the curve ends at 0. It should go from base to min_lr: min_lr plus a share of the rest.",
)
def _(bg):
    cosine(bg, lr=lambda self, d: self.base * (1 + math.cos(math.pi * d)) / 2)


@wrong(
    schedules,
    "min_lr on top",
    "min_lr was added on top of the whole curve, so it begins above base. Only the difference base - min_lr should "
    "follow the cosine.",
)
def _(bg):
    cosine(bg, lr=lambda self, d: self.min_lr + self.base * (1 + math.cos(math.pi * d)) / 2)


@wrong(
    schedules,
    "cut off at min_lr",
    "The curve goes to 0 and is cut off at min_lr. It should become flat there: only base - min_lr should follow the "
    "cosine.",
)
def _(bg):
    cosine(bg, lr=lambda self, d: max(self.min_lr, self.base * (1 + math.cos(math.pi * d)) / 2))


@wrong(
    schedules,
    "the warmup begins at 0",
    "The first learning rate is 0, so the first step moves nothing. At t = 0 the warmup has already made its first "
    "step up.",
)
def _(bg):
    cosine(bg, warm=lambda self, t: self.base * t / self.warmup)


def ask_for_a_warmup_from_min_lr(name, share):
    """A warmup that begins at min_lr.  share(self, t): how much of its way it has gone at t."""

    @wrong(
        schedules,
        name,
        "The warmup climbs from min_lr here. That is where the way down ends; the straight line up starts from 0, one "
        "step before t = 0.",
    )
    def _(bg):
        cosine(bg, warm=lambda self, t: self.min_lr + (self.base - self.min_lr) * share(self, t))


ask_for_a_warmup_from_min_lr("the warmup begins above min_lr", lambda self, t: (t + 1) / (self.warmup + 1))
ask_for_a_warmup_from_min_lr("the warmup begins at min_lr", lambda self, t: t / self.warmup)


@wrong(
    schedules,
    "the warmup is over too early",
    "base is reached one step too early, so two steps have it. How many equal steps up does it take from 0 to base, "
    "if base is reached at t = warmup?",
)
def _(bg):
    cosine(bg, warm=lambda self, t: self.base * (t + 1) / self.warmup)


@wrong(
    schedules,
    "no warmup",
    "The learning rate is base from the beginning. During the warmup it should grow in a straight line.",
)
def _(bg):
    cosine(bg, warm=lambda self, t: self.base)


@wrong(
    schedules,
    "warmup ignored altogether",
    "This is the way down alone, from t = 0. Before warmup there is a way up, in a straight line, and the way down "
    "begins after it.",
)
def _(bg):
    cosine(
        bg, warm=lambda self, t: falling(self, t / self.total_steps), done=lambda self, t: min(1, t / self.total_steps)
    )


@wrong(
    schedules,
    "the cosine begins at 0, not after the warmup",
    "The way down is counted from t = 0, warmup included, so there is a jump when the warmup ends. Count from the end "
    "of the warmup.",
)
def _(bg):
    cosine(bg, done=lambda self, t: min(1.0, t / self.total_steps))


@wrong(
    schedules,
    "the cosine comes warmup steps late",
    "total_steps counts all steps, warmup included. How many are left for the way down?",
)
def _(bg):
    cosine(bg, done=lambda self, t: min(1.0, (t - self.warmup) / self.total_steps))


@wrong(
    schedules,
    "up again after the end",
    "After total_steps the cosine turns and goes up again. u, the share of the way down that is done, must never be "
    "more than 1.",
)
def _(bg):
    cosine(bg, done=way)


@wrong(
    schedules,
    "no pi in the cosine",
    "math.cos takes radians: half a turn is math.pi. Here the cosine is of u itself, so it hardly falls.",
)
def _(bg):
    cosine(bg, lr=lambda self, d: self.min_lr + (self.base - self.min_lr) * (1 + math.cos(d)) / 2)


@wrong(
    schedules,
    "a quarter of a turn",
    "cos(pi * u / 2) is a quarter of a turn: it falls fastest at the end. Half a turn goes from 1 to -1; add 1, halve "
    "it, and it goes from 1 to 0.",
)
def _(bg):
    cosine(bg, lr=lambda self, d: self.min_lr + (self.base - self.min_lr) * math.cos(math.pi * d / 2))


@wrong(
    schedules,
    "a whole turn of the cosine",
    "This is a whole turn: down and up again. Half a turn goes down only: math.pi * u.",
)
def _(bg):
    cosine(bg, lr=lambda self, d: self.min_lr + (self.base - self.min_lr) * (1 + math.cos(2 * math.pi * d)) / 2)


@wrong(
    schedules,
    "the curve goes up",
    "The curve goes up: this is 1 - cos instead of 1 + cos. At u = 0 the cosine is 1, and the learning rate should be "
    "base.",
    stuck="The sign is wrong",
)
def _(bg):
    cosine(bg, lr=lambda self, d: self.min_lr + (self.base - self.min_lr) * (1 - math.cos(math.pi * d)) / 2)


@wrong(
    schedules,
    "not halved",
    "1 + cos goes from 2 to 0. Without the half the curve begins at twice the learning rate.",
)
def _(bg):
    cosine(bg, lr=lambda self, d: self.min_lr + (self.base - self.min_lr) * (1 + math.cos(math.pi * d)))


@wrong(
    schedules,
    "an angle in degrees",
    "The cosine was given an angle of up to 180. math.cos takes radians: half a turn is pi.",
)
def _(bg):
    cosine(bg, lr=lambda self, d: self.min_lr + (self.base - self.min_lr) * (1 + math.cos(180 * d)) / 2)


@wrong(
    schedules,
    "a straight line down",
    "This goes down in a straight line. Half a cosine is flat at the top and at the bottom.",
)
def _(bg):
    cosine(bg, lr=lambda self, d: self.min_lr + (self.base - self.min_lr) * (1 - d))


@wrong(
    schedules,
    "self.t for t",
    "This uses self.t. lr_at should answer for the t it is given, which may be one that has not come yet.",
)
def _(bg):
    for kind in (bg.optim.StepLR, bg.optim.CosineLR):
        right = kind.lr_at
        kind.lr_at = lambda self, t, right=right: right(self, self.t)


# 12.7: clipping.


def clip_is(bg, clip):
    """clip(gradients, max_norm), the parameters' gradients without the missing ones; returns what is returned."""

    def clip_grad_norm_(params, max_norm):
        params = [params] if isinstance(params, bg.Tensor) else params
        return clip([p.grad for p in params if p.grad is not None], max_norm)

    bg.optim.clip_grad_norm_ = clip_grad_norm_


def length_of(gradients):
    return math.sqrt(sum(float((g**2).sum()) for g in gradients))


def shorten(gradients, factor):
    for g in gradients:
        g *= factor


def clip_by_length(length, returned=None):
    """The right clipping with another idea of the length: length(gradients)."""

    def clip(gradients, max_norm):
        found = length(gradients)
        if (factor := max_norm / (found + 1e-6)) < 1:
            shorten(gradients, factor)
        return returned(found, gradients) if returned else found

    return clip


def clip_returns(bg, answer):
    """The gradients are clipped rightly; returned is answer(length, max_norm)."""
    right = bg.optim.clip_grad_norm_
    bg.optim.clip_grad_norm_ = lambda params, max_norm: answer(right(params, max_norm), max_norm)


@wrong(
    clipping,
    "each for itself",
    "Each gradient was shortened separately, so they change relative to each other, and the step turns. There is one "
    "length of all of them together (the global norm), and one factor.",
)
def _(bg):
    def clip(gradients, max_norm):
        for g in gradients:
            shorten([g], min(1, max_norm / (length_of([g]) + 1e-6)))
        return length_of(gradients)

    def with_the_length_before(gradients, max_norm):
        before = length_of(gradients)
        clip(gradients, max_norm)
        return before

    clip_is(bg, with_the_length_before)


@wrong(
    clipping,
    "always scaled",
    "Gradients that were short enough were made longer. They should be left alone: use the factor only if it is below "
    "1.",
)
def _(bg):
    def clip(gradients, max_norm):
        length = length_of(gradients)
        shorten(gradients, max_norm / (length + 1e-6))
        return length

    clip_is(bg, clip)


@wrong(
    clipping,
    "cut off number by number",
    "Each number was cut off at max_norm, so large ones lose more than small ones, and the step turns. Multiply all "
    "of them by one factor.",
)
def _(bg):
    def clip(gradients, max_norm):
        length = length_of(gradients)
        for g in gradients:
            np.clip(g, -max_norm, max_norm, out=g)
        return length

    clip_is(bg, clip)


@wrong(clipping, "no root", "The root is missing: the length of (3, 4) is 5, not 25.")
def _(bg):
    clip_is(bg, clip_by_length(lambda gradients: length_of(gradients) ** 2))


@wrong(
    clipping,
    "the lengths are added",
    "The lengths of the gradients were added. The lengths of the parts combine like the sides of a right triangle: "
    "add the squares, and take the root at the end.",
)
def _(bg):
    clip_is(bg, clip_by_length(lambda gradients: sum(length_of([g]) for g in gradients)))


@wrong(
    clipping,
    "no gradient at all",
    "No parameter has a gradient here, and there is nothing to put together. All gradients together have the length 0 "
    "then.",
)
def _(bg):
    def length(gradients):
        return float(np.linalg.norm(np.concatenate([g.ravel() for g in gradients])))

    clip_is(bg, clip_by_length(length))


@wrong(
    clipping,
    "the largest of the lengths",
    "This is the length of the longest gradient. All of them together are longer.",
)
def _(bg):
    clip_is(bg, clip_by_length(lambda gradients: max(length_of([g]) for g in gradients)))


@wrong(
    clipping,
    "the largest number",
    "This is the size of the largest number. The length of a vector is the root of the sum of its squares.",
)
def _(bg):
    clip_is(bg, clip_by_length(lambda gradients: max(float(np.abs(g).max()) for g in gradients)))


@wrong(
    clipping,
    "sizes added up",
    "The absolute values of all numbers were added. The length of a vector is the root of the sum of its squares.",
)
def _(bg):
    clip_is(bg, clip_by_length(lambda gradients: sum(float(np.abs(g).sum()) for g in gradients)))


@wrong(
    clipping,
    "a mean instead of a sum",
    "This takes the mean of the squares, but with more numbers the length should grow. Add up the squares.",
)
def _(bg):
    def length(gradients):
        return math.sqrt(sum(float((g**2).mean()) for g in gradients))

    clip_is(bg, clip_by_length(length))


@wrong(
    clipping,
    "returns the length afterwards",
    "It returned the length after clipping, which tells hardly anything. Return the one from before: it shows when "
    "gradients explode.",
)
def _(bg):
    clip_is(bg, clip_by_length(length_of, returned=lambda before, gradients: length_of(gradients)))


@wrong(
    clipping,
    "returns nothing",
    "It returned nothing. The length before clipping is worth writing down and watching: return it at the end, in any "
    "case.",
)
def _(bg):
    clip_is(bg, clip_by_length(length_of, returned=lambda before, gradients: None))


@wrong(
    clipping,
    "returns at most max_norm",
    "It returned the smaller of two numbers, the length before and max_norm. That says nothing when gradients "
    "explode: return the length before, in any case.",
)
def _(bg):
    clip_returns(bg, min)


@wrong(
    clipping,
    "divided by the length",
    "The gradients were divided by their length, so they have length 1. Which factor gives them length max_norm?",
)
def _(bg):
    def clip(gradients, max_norm):
        length = length_of(gradients)
        if length > max_norm:
            shorten(gradients, 1 / length)
        return length

    clip_is(bg, clip)


@wrong(
    clipping,
    "arrays of different shapes joined",
    "np.concatenate joins arrays with the same number of axes, and gradients have the shapes of their parameters. Add "
    "up the squares of each one separately, then add these sums.",
)
def _(bg):
    clip_is(bg, clip_by_length(lambda gradients: float(np.linalg.norm(np.concatenate(gradients)))))


@wrong(
    clipping,
    "arrays of different shapes in one list",
    "NumPy makes one array of the list it is given, and arrays of different shapes do not fit into one. Add up the "
    "squares of each gradient separately, then add these sums.",
)
def _(bg):
    clip_is(bg, clip_by_length(lambda gradients: math.sqrt(np.sum([g**2 for g in gradients]))))


@wrong(
    clipping,
    "new arrays",
    "The numbers are right, but each p.grad is a new array. Whatever holds the old one does not see the clipping. "
    "Change the array in place.",
)
def _(bg):
    def clip_grad_norm_(params, max_norm):
        params = [p for p in ([params] if isinstance(params, bg.Tensor) else params) if p.grad is not None]
        length = length_of([p.grad for p in params])
        if (factor := max_norm / (length + 1e-6)) < 1:
            for p in params:
                p.grad = p.grad * factor
        return length

    bg.optim.clip_grad_norm_ = clip_grad_norm_


@wrong(
    clipping,
    "nothing is clipped",
    "The length is right, but the gradients have not changed. gradient = gradient * factor gives the name to a new "
    "array; gradient *= factor changes the existing one.",
)
def _(bg):
    clip_is(bg, lambda gradients, max_norm: length_of(gradients))


@wrong(
    clipping,
    "only the first one is scaled",
    "Only the first gradient was made shorter. Is there a return, or an assignment, inside the loop that should go "
    "over all of them?",
)
def _(bg):
    def clip(gradients, max_norm):
        length = length_of(gradients)
        if length > max_norm:
            shorten(gradients[:1], max_norm / (length + 1e-6))
        return length

    clip_is(bg, clip)


@wrong(
    clipping,
    "the factor is upside down",
    "The gradients became longer: the fraction in the factor is upside down.",
)
def _(bg):
    def clip(gradients, max_norm):
        length = length_of(gradients)
        if length > max_norm:
            shorten(gradients, (length + 1e-6) / max_norm)
        return length

    clip_is(bg, clip)


@wrong(
    clipping,
    "made of length 1",
    "The gradients were divided by their length, so together they have length 1. They should have length max_norm.",
)
def _(bg):
    def clip(gradients, max_norm):
        length = length_of(gradients)
        if length > max_norm:
            shorten(gradients, 1 / (length + 1e-6))
        return length

    clip_is(bg, clip)


@wrong(
    clipping,
    "multiplied by max_norm only",
    "The gradients were multiplied by max_norm, but not divided by their length.",
)
def _(bg):
    def clip(gradients, max_norm):
        length = length_of(gradients)
        if length > max_norm:
            shorten(gradients, max_norm)
        return length

    clip_is(bg, clip)


@wrong(
    clipping,
    "without the small number",
    "Nearly: PyTorch divides by length + 1e-6, as the docstring says. The gradients end up a tiny bit shorter than "
    "max_norm.",
)
def _(bg):
    def clip(gradients, max_norm):
        length = length_of(gradients)
        if length > max_norm:
            shorten(gradients, max_norm / length)
        return length

    clip_is(bg, clip)


@wrong(
    clipping,
    "the parameters are scaled",
    "The numbers of the parameters were scaled. It is their gradients that are too long.",
)
def _(bg):
    def clip_grad_norm_(params, max_norm):
        params = [p for p in ([params] if isinstance(params, bg.Tensor) else params) if p.grad is not None]
        length = length_of([p.grad for p in params])
        shorten([p.data for p in params], min(1, max_norm / (length + 1e-6)))
        return length

    bg.optim.clip_grad_norm_ = clip_grad_norm_


@wrong(
    clipping,
    "the factor is returned",
    "The factor was returned. Return the length that all gradients together had before.",
)
def _(bg):
    clip_returns(bg, lambda length, max_norm: max_norm / (length + 1e-6))


# 12.8: Dropout and LayerNorm.


def dropout_is(bg, training=None, in_use=lambda self, x: x):
    """Dropout.forward: training(self, x, kept) in training, in_use(self, x) after eval()."""
    training = training or (lambda self, x, kept: x * kept / (1 - self.p))
    bg.normalize.Dropout.forward = lambda self, x: (
        training(self, x, self.kept(x.shape)) if self.training else in_use(self, x)
    )


@wrong(
    layers,
    "Dropout: not scaled",
    "The numbers that stay do not grow, so the mean of the outputs is smaller in training than in use. What makes up "
    "for the zeros?",
    stuck="Good in training, poor on new samples",
)
def _(bg):
    dropout_is(bg, lambda self, x, kept: x * kept)


@wrong(
    layers,
    "Dropout: made smaller",
    "The numbers that stay were made smaller, by the factor 1 - p. They have to make up for those that were dropped: "
    "divide.",
)
def _(bg):
    dropout_is(bg, lambda self, x, kept: x * kept * (1 - self.p))


@wrong(
    layers,
    "Dropout: divided by p",
    "p is the probability of being dropped. To make up for that, divide by the share that is kept.",
)
def _(bg):
    def training(self, x, kept):
        with np.errstate(all="ignore"):
            return x * kept * (1 / np.float64(self.p))

    dropout_is(bg, training)


@wrong(
    layers,
    "Dropout: in use as well",
    "Numbers are dropped after eval() too: the same x gives a different answer each time. In use (self.training is "
    "False), x comes out as it is.",
    stuck="Good in training, poor on new samples",
)
def _(bg):
    dropout_is(bg, in_use=lambda self, x: x * self.kept(x.shape) / (1 - self.p))


@wrong(
    layers,
    "Dropout: x itself changed",
    "The numbers of x were written over. x belongs to whoever called, and the graph does not see such a change. An "
    "operation on x makes a new Tensor.",
)
def _(bg):
    def forward(self, x):
        if self.training:
            x.data *= self.kept(x.shape) / (1 - self.p)
        return x

    bg.normalize.Dropout.forward = forward


@wrong(
    layers,
    "Dropout: float64 for float32",
    "x is float32, but the answer is float64: was x multiplied by a float64 array or Tensor, such as np.where(...) "
    "or astype(float) make? Truth values and plain numbers do not change a dtype.",
)
def _(bg):
    dropout_is(bg, lambda self, x, kept: x * bg.Tensor(np.where(kept, 1 / (1 - self.p), 0.0), requires_grad=False))


@wrong(
    layers,
    "LayerNorm: squares minus square",
    "Far from 0, the mean of the squares and the square of the mean are large and nearly the same: hardly a digit of "
    "their difference is right. Take the difference from the mean first, then the mean of its square.",
)
def _(bg):
    def forward(self, x):
        mean = x.mean(-1, keepdims=True)
        variance = (x * x).mean(-1, keepdims=True) - mean * mean
        return (x - mean) / (variance + self.eps).sqrt() * self.weight + self.bias

    bg.normalize.LayerNorm.forward = forward


@wrong(
    layers,
    "LayerNorm: NumPy in a rule of its own",
    "The gradient does not remember what it was made from, as if NumPy had made it, so it cannot be differentiated "
    "again. The engine has a rule for each operation that is needed here, and these remember.",
)
def _(bg):
    class Normalised(bg.Function):
        def __init__(self, eps):
            self.eps = eps

        def forward(self, x):
            d = x - x.mean(-1, keepdims=True)
            self.size = np.sqrt((d * d).mean(-1, keepdims=True) + self.eps)
            return d / self.size

        def backward(self, out_grad, node):
            g, y = out_grad.data, node.data
            share = g - g.mean(-1, keepdims=True) - y * (g * y).mean(-1, keepdims=True)
            return bg.Tensor(share / self.size)

    bg.normalize.LayerNorm.forward = lambda self, x: Normalised(self.eps)(x) * self.weight + self.bias


@wrong(
    layers,
    "Dropout: scaled in use",
    'Here the output is scaled after eval(), as in the first papers. Today the scaling is done in training ("inverted '
    'dropout"), and in use there is nothing to do at all.',
)
def _(bg):
    dropout_is(bg, lambda self, x, kept: x * kept, lambda self, x: x * (1 - self.p))


@wrong(
    layers,
    "Dropout: training and use swapped",
    "Numbers are dropped after eval() and not in training. It should be the other way round.",
)
def _(bg):
    right = bg.normalize.Dropout.forward

    def forward(self, x):
        self.training = not self.training
        try:
            return right(self, x)
        finally:
            self.training = not self.training

    bg.normalize.Dropout.forward = forward


@wrong(
    layers,
    "Dropout: the others are kept",
    "The numbers that should stay were dropped, and the others kept: self.kept returns True for those that stay.",
)
def _(bg):
    dropout_is(bg, lambda self, x, kept: x * ~kept / (1 - self.p))


@wrong(
    layers,
    "Dropout: the same for each row",
    "One row of truth values was drawn and used for all rows. Each number needs a draw of its own: self.kept(x.shape).",
)
def _(bg):
    def forward(self, x):
        return x * self.kept(x.shape[-1:]) / (1 - self.p) if self.training else x

    bg.normalize.Dropout.forward = forward


@wrong(
    layers,
    "Dropout: drawn in another way",
    "The idea is right, but the truth values are not drawn by self.kept, so the numbers cannot be compared. Use "
    "self.kept(x.shape).",
)
def _(bg):
    def forward(self, x):
        return x * (self.rng.random(x.shape) < 1 - self.p) / (1 - self.p) if self.training else x

    bg.normalize.Dropout.forward = forward


@wrong(
    layers,
    "Dropout: the same each time",
    "The truth values of the first call were stored and used again. Each forward pass draws new ones.",
)
def _(bg):
    def forward(self, x):
        if not self.training:
            return x
        if not hasattr(self, "mask"):
            self.mask = self.kept(x.shape)
        return x * self.mask / (1 - self.p)

    bg.normalize.Dropout.forward = forward


@wrong(
    layers,
    "Dropout: no way back",
    "The forward pass was computed with arrays, so the output does not remember x, and no gradient comes back. "
    "Compute with the Tensor x itself.",
    stuck="x.grad is None",
)
def _(bg):
    dropout_is(bg, lambda self, x, kept: bg.Tensor(x.data * kept / (1 - self.p)))


def norm_is(bg, middle=None, spread=None, end=None):
    """LayerNorm.forward with some parts replaced: middle(x), spread(difference, eps), end(self, normal)."""

    def forward(self, x):
        difference = x - middle(x)
        return end(self, difference / spread(difference, self.eps))

    middle = middle or (lambda x: x.mean(-1, keepdims=True))
    spread = spread or (lambda d, eps: ((d * d).mean(-1, keepdims=True) + eps).sqrt())
    end = end or (lambda self, normal: normal * self.weight + self.bias)
    bg.normalize.LayerNorm.forward = forward


@wrong(
    layers,
    "LayerNorm: the mean from .data",
    "The output is right, but the backward pass treats the mean as a constant, as if it were that of x.data. Each "
    "number of a row moves its mean too: x.mean(...) remembers that.",
)
def _(bg):
    norm_is(bg, middle=lambda x: x.data.mean(-1, keepdims=True))


@wrong(
    layers,
    "LayerNorm: the variance from .data",
    "The output is right, but the backward pass treats the variance as a constant, as if NumPy had computed it, or as "
    "if it were detached. Each number of a row moves it too: compute it from the difference, with operations on "
    "Tensors.",
)
def _(bg):
    norm_is(bg, spread=lambda d, eps: np.sqrt((d.data**2).mean(-1, keepdims=True) + eps))


@wrong(
    layers,
    "LayerNorm: over the batch",
    "Mean and variance were taken down the columns, over the batch. LayerNorm looks at each row separately: axis -1. "
    "(Over the batch it would be BatchNorm.)",
)
def _(bg):
    norm_is(bg, lambda x: x.mean(0, keepdims=True), lambda d, eps: ((d * d).mean(0, keepdims=True) + eps).sqrt())


@wrong(
    layers,
    "LayerNorm: over everything",
    "There is one mean and one variance for the whole array. Each row has its own: axis -1.",
)
def _(bg):
    norm_is(bg, lambda x: x.mean(), lambda d, eps: ((d * d).mean() + eps).sqrt())


@wrong(
    layers,
    "LayerNorm: N - 1",
    "The squares were divided by N - 1, as when a variance is estimated from a sample. Here it is their plain mean.",
)
def _(bg):
    def spread(d, eps):
        return ((d * d).sum(-1, keepdims=True) / max(d.shape[-1] - 1, 1) + eps).sqrt()

    norm_is(bg, spread=spread)


@wrong(
    layers,
    "LayerNorm: eps outside the root",
    "eps was added after the root. Here it belongs to the variance, inside the root. (In Adam it is outside.)",
)
def _(bg):
    norm_is(bg, spread=lambda d, eps: (d * d).mean(-1, keepdims=True).sqrt() + eps)


@wrong(
    layers,
    "LayerNorm: no eps",
    "eps is missing: a row without any spread becomes 0 / 0, which is nan.",
    stuck="A gradient is nan",
)
def _(bg):
    norm_is(bg, spread=lambda d, eps: (d * d).mean(-1, keepdims=True).sqrt())


@wrong(
    layers,
    "LayerNorm: no root",
    "The difference was divided by the variance. Divide by its root, the standard deviation, which has the size of a "
    "difference.",
)
def _(bg):
    norm_is(bg, spread=lambda d, eps: (d * d).mean(-1, keepdims=True) + eps)


@wrong(
    layers,
    "LayerNorm: the mean stays",
    "The rows were divided by their spread, but their mean was not subtracted.",
)
def _(bg):
    def forward(self, x):
        d = x - x.mean(-1, keepdims=True)
        return x / ((d * d).mean(-1, keepdims=True) + self.eps).sqrt() * self.weight + self.bias

    bg.normalize.LayerNorm.forward = forward


@wrong(
    layers,
    "LayerNorm: variance of the numbers themselves",
    "The squares of x were averaged without subtracting the mean first. The variance is the mean of the squared "
    "differences from the mean.",
)
def _(bg):
    def forward(self, x):
        size = ((x * x).mean(-1, keepdims=True) + self.eps).sqrt()
        return (x - x.mean(-1, keepdims=True)) / size * self.weight + self.bias

    bg.normalize.LayerNorm.forward = forward


@wrong(layers, "LayerNorm: weight forgotten", "The rows are normalised, but not stretched: what is self.weight for?")
def _(bg):
    norm_is(bg, end=lambda self, normal: normal + self.bias)


@wrong(
    layers, "LayerNorm: bias forgotten", "The rows are normalised and stretched, but not moved: what is self.bias for?"
)
def _(bg):
    norm_is(bg, end=lambda self, normal: normal * self.weight)


@wrong(
    layers,
    "LayerNorm: bias before weight",
    "The bias was added first and then stretched with the rest. First multiply by the weight, then add the bias.",
)
def _(bg):
    norm_is(bg, end=lambda self, normal: (normal + self.bias) * self.weight)


@wrong(
    layers,
    "LayerNorm: no way back",
    "The numbers are right, but the output remembers nothing, as if NumPy had computed it, and no gradient comes "
    "back. The same operations on x itself are recorded.",
    stuck="x.grad is None",
)
def _(bg):
    right = bg.normalize.LayerNorm.forward
    bg.normalize.LayerNorm.forward = lambda self, x: bg.Tensor(right(self, x).data)


@wrong(
    layers,
    "LayerNorm: mean and variance as constants",
    "The forward pass is right, but the gradient does not know that mean and variance depend on x: after .data or "
    "detach() they do not. When one number of a row moves, its mean and spread move too.",
    stuck="Right loss, wrong size of the gradient",
)
def _(bg):
    def forward(self, x):
        mean = x.data.mean(-1, keepdims=True)
        size = np.sqrt(((x.data - mean) ** 2).mean(-1, keepdims=True) + self.eps)
        return (x - mean) / size * self.weight + self.bias

    bg.normalize.LayerNorm.forward = forward


@wrong(
    layers,
    "LayerNorm: the axis is lost",
    "Without keepdims=True the means of the rows form a row themselves, which is subtracted along the wrong axis, or "
    "does not fit at all. Keep the axis with size 1.",
    stuck="Right for equal shapes, wrong for stretched ones",
)
def _(bg):
    norm_is(bg, lambda x: x.mean(-1), lambda d, eps: ((d * d).mean(-1) + eps).sqrt())


@wrong(
    layers,
    "Dropout: drawn by np.random",
    "self.kept was not called. It decides, with the rng that the layer was given, which numbers stay, so that a run "
    "can be repeated: use self.kept(x.shape).",
)
def _(bg):
    def forward(self, x):
        other = np.random.default_rng(99).random(x.shape) >= self.p
        return x * other / (1 - self.p) if self.training else x

    bg.normalize.Dropout.forward = forward


@wrong(
    layers,
    "LayerNorm: a sum for the variance",
    "The squared differences were added up. The variance is their mean.",
)
def _(bg):
    norm_is(bg, spread=lambda d, eps: ((d * d).sum(-1, keepdims=True) + eps).sqrt())


def ask_for_what_tensors_lack(method):
    @wrong(
        layers,
        f"LayerNorm: x.{method}()",
        f"A Tensor has no .{method}(), though NumPy's arrays do. Compute it with what a Tensor has: the difference "
        "from the mean, its square, .mean(-1, keepdims=True), and .sqrt().",
    )
    def _(bg):
        norm_is(bg, spread=lambda d, eps: getattr(d, method)(-1, keepdims=True) + eps)


for _method in ("std", "var"):
    ask_for_what_tensors_lack(_method)


# 12.9: a look at gradients.


def ratio_is(bg, ratio):
    bg.monitor.update_ratio = ratio


@wrong(
    looking,
    "over the norm of after",
    "The step was compared with the numbers after it. Compare it with those from before.",
)
def _(bg):
    ratio_is(bg, lambda before, after: float(np.linalg.norm(after - before) / np.linalg.norm(after)))


@wrong(
    looking,
    "the difference of the norms",
    "The norms were taken first, then their difference. A step that turns a vector around does not change its norm at "
    "all. First the difference, then its norm.",
)
def _(bg):
    def ratio(before, after):
        size = np.linalg.norm(before)
        return float((np.linalg.norm(after) - size) / size)

    ratio_is(bg, ratio)


@wrong(
    looking,
    "the ratio upside down",
    "The ratio is upside down: it is the size of the step over the size of what it changed.",
)
def _(bg):
    ratio_is(bg, lambda before, after: float(np.linalg.norm(before) / np.linalg.norm(after - before)))


@wrong(
    looking,
    "a mean of ratios",
    "This takes the ratio for each number, and then a mean. One number near 0 spoils that. It takes two norms and one "
    "division.",
)
def _(bg):
    def ratio(before, after):
        with np.errstate(all="ignore"):
            return float(np.mean(np.abs((after - before) / before)))

    ratio_is(bg, ratio)


@wrong(
    looking,
    "the size of the step alone",
    "The step was not divided by anything. Relative to what is it large or small?",
)
def _(bg):
    ratio_is(bg, lambda before, after: float(np.linalg.norm(after - before)))


def dead_are(bg, dead):
    bg.monitor.dead_units = dead


@wrong(
    looking,
    "dead inputs",
    "This looks at rows. A row of dweight belongs to an input; a unit is a column, and its numbers run along axis 0.",
)
def _(bg):
    def dead_units(dweight, dbias):
        return float((dweight == 0).all(axis=1).mean())

    dead_are(bg, dead_units)


@wrong(
    looking,
    "one zero is enough",
    "A unit counts as dead here as soon as one number of its column is 0. All of them must be.",
)
def _(bg):
    dead_are(bg, lambda dweight, dbias: float(((dweight == 0).any(axis=0) & (dbias == 0)).mean()))


@wrong(
    looking,
    "bias ignored",
    "The bias is ignored. A unit whose bias gets a gradient is not dead, even if all its inputs were 0.",
)
def _(bg):
    dead_are(bg, lambda dweight, dbias: float((dweight == 0).all(axis=0).mean()))


@wrong(
    looking,
    "only the bias",
    "Only the bias was looked at. Its gradient is a sum over the rows of the batch, which can be 0 because they "
    "cancel. The weights of a dead unit get no gradient either.",
)
def _(bg):
    dead_are(bg, lambda dweight, dbias: float((dbias == 0).mean()))


@wrong(
    looking,
    "zeros counted, not units",
    "This is the share of zeros in dweight. A unit is a column, and it is dead if all numbers of that column are 0, "
    "and its bias's gradient too.",
)
def _(bg):
    dead_are(bg, lambda dweight, dbias: float((dweight == 0).mean()))


@wrong(
    looking,
    "weights or bias",
    "A unit counts as dead here if its weights or its bias get nothing. Both must get nothing.",
)
def _(bg):
    dead_are(bg, lambda dweight, dbias: float(((dweight == 0).all(axis=0) | (dbias == 0)).mean()))


@wrong(looking, "a count instead of a share", "This is the number of dead units. Return their share, from 0.0 to 1.0.")
def _(bg):
    dead_are(bg, lambda dweight, dbias: float(((dweight == 0).all(axis=0) & (dbias == 0)).sum()))


@wrong(looking, "the share that lives", "This is the share of the units that do get a gradient.")
def _(bg):
    dead_are(bg, lambda dweight, dbias: 1 - float(((dweight == 0).all(axis=0) & (dbias == 0)).mean()))


@wrong(
    looking,
    "dead because the sum is 0",
    "The numbers of a column were added up: 1 and -1 cancel, but the unit is alive. Each of them must be 0.",
)
def _(bg):
    dead_are(bg, lambda dweight, dbias: float(((dweight.sum(axis=0) == 0) & (dbias == 0)).mean()))


@wrong(
    looking,
    "nearly 0 counts as dead",
    "A tiny gradient is a gradient: it moves the unit, and Adam even moves it as far as any other. Only exactly 0 "
    "counts as dead.",
)
def _(bg):
    dead_are(bg, lambda dweight, dbias: float(((np.abs(dweight) < 1e-6).all(axis=0) & (np.abs(dbias) < 1e-6)).mean()))


@wrong(
    looking,
    "all columns at once",
    "This asks all columns at once, so one living unit makes them all alive. .all(axis=0) answers for each column "
    "separately.",
)
def _(bg):
    dead_are(bg, lambda dweight, dbias: float(((dweight == 0).all() & (dbias == 0)).mean()))


# 12.10: the hunt.


def run_is(bg, lr, *steps):
    """A run: the first gradient with this lr, then the steps."""
    bg.hunts.four_wrong_momentums = lambda first: [(first, lr), *steps]


@wrong(
    hunt,
    "a single step",
    "In a single step there is nothing to remember yet: only C gives itself away. For the others you need a second "
    "step.",
)
def _(bg):
    run_is(bg, 0.5)


@wrong(
    hunt,
    "two steps",
    "After two steps A is still right: it remembers the previous step, and there is nothing older yet. Add a third.",
)
def _(bg):
    run_is(bg, 0.5, (2, 0.1))


@wrong(
    hunt,
    "the same lr throughout",
    "As long as the learning rate stays the same, it does not matter whether it stands inside the velocity: B is "
    "right. Change it.",
)
def _(bg):
    run_is(bg, 0.5, (2, 0.5), (-3, 0.5))


@wrong(
    hunt,
    "one push",
    "One push, and then no gradient any more: D gives later gradients a weight below 1, but here they are all 0. Push "
    "again.",
)
def _(bg):
    run_is(bg, 0.5, (0, 0.1), (0, 0.2))
