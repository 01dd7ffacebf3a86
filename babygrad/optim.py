"""Notebook 12: optimizers, schedules of the learning rate, and clipping. Names and numbers are those of torch.optim.

Yours: 12.1, 12.2, 12.3, 12.4, 12.5, 12.6, 12.7.
"""

import math
import numbers
from collections.abc import Iterable

import numpy as np

from .announce import announced
from .tensor import Tensor


class Optimizer:
    """What all optimizers share: the parameters, and for each of them a dict for the arrays that the optimizer keeps.

    params: a sequence of Tensors that require grad, such as model.parameters().
    lr: the learning rate, above 0. It may be set: optimizer.lr = 0.01.
    weight_decay: 0 or more.

    .before_step: functions that step() calls first, one after the other, without arguments. It may be set:
        optimizer.before_step = [lambda: clip_grad_norm_(params, 1.0)]. Source: torch's register_step_pre_hook.
    Raises TypeError for anything that is not a Tensor, ValueError for no parameters or a number out of range.
    """

    before_step = ()

    def __init__(self, params, lr, weight_decay=0):
        self.params = checked_parameters(params)
        self.memories = [{} for _ in self.params]
        if isinstance(lr, numbers.Real) and not lr > 0:
            raise ValueError(f"lr, the learning rate, must be above 0, but it is {lr!r}")
        self.lr = lr
        self.weight_decay = checked("weight_decay", weight_decay)

    @property
    def lr(self):
        """The learning rate."""
        return self._lr

    @lr.setter
    def lr(self, lr):
        self._lr = float(checked("lr, the learning rate,", lr))

    @announced
    def step(self):
        """Call the callbacks, then update in place every parameter that has a gradient. One without is left out.

        Raises RuntimeError if none has a gradient.
        """
        for callback in self.before_step:
            callback()
        missing = True
        for p, memory in zip(self.params, self.memories):
            if p.grad is not None:
                missing = False
                self.update(p, memory)
        if missing:
            raise RuntimeError("no parameter has a gradient: call loss.backward() before step()")

    def update(self, p, memory):
        raise NotImplementedError(f"{type(self).__name__} has no update(p, memory) yet")

    def zero_grad(self):
        """Forget all gradients: each parameter's .grad is None again."""
        for p in self.params:
            p.grad = None

    def state_dict(self):
        """{name: value}: the class ("kind"), lr, and what is kept for each parameter, such as "0.velocity". Copies."""
        state = {"kind": type(self).__name__, "lr": self.lr}
        for i, memory in enumerate(self.memories):
            state.update({f"{i}.{name}": np.copy(kept) for name, kept in memory.items()})
        return state

    def load_state_dict(self, state):
        """Continue from the state_dict of an optimizer of the same class, for parameters of the same shapes.

        Raises ValueError that names what does not fit; then nothing was changed.
        """
        require_state_of(self, state, {"lr"})
        memories = [{} for _ in self.params]
        for key in state.keys() - {"kind", "lr"}:
            i, _, name = key.partition(".")
            if not i.isdecimal() or int(i) >= len(self.params):
                raise ValueError(f"this state does not fit: there is no parameter for {key!r}")
            kept, shape = np.array(state[key]), self.params[int(i)].shape
            if kept.dtype.kind not in "fiu":
                raise ValueError(f"this state does not fit: {key} does not hold numbers")
            if kept.shape not in (shape, ()):
                raise ValueError(f"this state does not fit: {key} has shape {kept.shape}, the parameter {shape}")
            memories[int(i)][name] = kept if kept.shape or not shape else kept.item()
        self.lr = float(state["lr"])
        self.memories = memories


def require_state_of(thing, state, names):
    """Raise ValueError unless state is a state_dict of an optimizer or schedule of thing's class, with these names."""
    own = type(thing).__name__
    missing = sorted({"kind", *names} - state.keys())
    if missing:
        raise ValueError(f"this is not the state_dict of {own}: {missing[0]!r} is missing")
    if str(state["kind"]) != own:
        raise ValueError(f"this state_dict was made by {state['kind']}, but it is loaded into {own}")


def checked_parameters(params):
    """params as a list.  Raises TypeError or ValueError that says what is wrong."""
    if isinstance(params, Tensor):
        raise TypeError("params must be a list of Tensors, but it is one Tensor: put it in a list")
    if not isinstance(params, Iterable):
        words = ": try its .parameters()" if hasattr(params, "parameters") else ""
        raise TypeError(f"params must be a list of Tensors, but it is of type {type(params).__name__}{words}")
    params = list(params)
    if not params:
        raise ValueError("params is empty: there is nothing to train. Is there a Parameter in the model?")
    for i, p in enumerate(params):
        if not isinstance(p, Tensor):
            raise TypeError(f"params must be a list of Tensors, but params[{i}] is of type {type(p).__name__}")
        if not p.requires_grad or p._op is not None:
            raise ValueError(
                f"params[{i}] cannot be trained: it does not require grad, or it is the result of an operation"
            )
    if len({id(p) for p in params}) < len(params):
        raise ValueError("params holds the same Tensor twice: it would be updated twice in each step")
    return params


def checked(name, number, below=math.inf):
    """The number.  Raises ValueError that names it if it is not from 0 to below, TypeError if it is not a number."""
    if not isinstance(number, numbers.Real):
        raise TypeError(f"{name} must be a number, but it is {number!r}")
    if not 0 <= number < below:
        limit = f"below {below}" if below < math.inf else "finite"
        raise ValueError(f"{name} must be at least 0 and {limit}, but it is {number!r}")
    return number


class SGD(Optimizer):
    """Gradient descent, with momentum if it is above 0.

    nesterov: look ahead along the velocity; needs momentum.  Source: torch.optim.SGD.
    """

    def __init__(self, params, lr, momentum=0, nesterov=False, weight_decay=0):
        super().__init__(params, lr, weight_decay)
        self.momentum = checked("momentum", momentum)
        if nesterov and not momentum:
            raise ValueError("nesterov needs momentum above 0")
        self.nesterov = nesterov

    def update(self, p, memory):
        """Change p.data in place: one step downhill.

        p: a parameter with p.data and p.grad, arrays of one shape; p.grad is left as it is.
        memory: p's own dict, empty before the first step; it is passed on to `self.direction(gradient, memory)`.
        """
        # exercise 12.1
        raise NotImplementedError("exercise 12.1: SGD.update")
        # end of exercise 12.1

    def decayed(self, p):
        """The gradient of the loss plus its penalty on large weights: an array of p's shape. p itself is left alone."""
        if not self.weight_decay:
            return p.grad
        # exercise 12.1
        raise NotImplementedError("exercise 12.1: SGD.decayed")
        # end of exercise 12.1

    def direction(self, gradient, memory):
        """Where to go, an array of gradient's shape: with momentum along the velocity, or ahead of it if self.nesterov.

        gradient: an array, which is left as it is. Others may write into it after this step.
        memory["velocity"]: an array of its shape and dtype, kept from step to step. Before the first step there is
            none: it counts as 0.
        """
        if not self.momentum:
            return gradient
        # exercise 12.2
        raise NotImplementedError("exercise 12.2: SGD.direction")
        # end of exercise 12.2


class RMSprop(Optimizer):
    """Divides each number's step by the usual size of its gradient.

    alpha: how much of the running mean of squares stays in each step.  eps: keeps the division finite.
    Source: torch.optim.RMSprop.
    """

    def __init__(self, params, lr=0.01, alpha=0.99, eps=1e-8, weight_decay=0, momentum=0):
        super().__init__(params, lr, weight_decay)
        self.alpha = checked("alpha", alpha, below=1)
        self.eps = checked("eps", eps)
        self.momentum = checked("momentum", momentum)

    def update(self, p, memory):
        """Change p.data in place; p.grad is left as it is.

        memory["square"]: the running mean of the squares.  memory["velocity"]: for the momentum.
        Both are of p's shape and dtype, and count as 0 before the first step.
        """
        # exercise 12.3
        raise NotImplementedError("exercise 12.3: RMSprop.update")
        # end of exercise 12.3


class Adam(Optimizer):
    """Momentum together with the division by the usual size, both corrected for their start at 0.

    betas: how much of the running mean of gradients, and of their squares, stays in each step.
    Source: torch.optim.Adam; Kingma and Ba 2015.
    """

    def __init__(self, params, lr=0.001, betas=(0.9, 0.999), eps=1e-8, weight_decay=0):
        super().__init__(params, lr, weight_decay)
        if np.shape(betas) != (2,):
            raise ValueError(f"betas must be a pair of numbers, but it is {betas!r}")
        self.betas = tuple(checked("each of betas", beta, below=1) for beta in betas)
        self.eps = checked("eps", eps)

    def update(self, p, memory):
        """Change p.data in place: add weight decay to the gradient, then `self.move`."""
        gradient = p.grad + self.weight_decay * p.data if self.weight_decay else p.grad
        self.move(p, gradient, memory)

    def move(self, p, gradient, memory):
        """One step of Adam: p.data is changed in place.

        gradient: an array of p's shape.
        memory["mean"], memory["square"]: arrays of p's shape and dtype.  memory["t"]: an int.  All count as 0 before
            the first step.
        """
        # exercise 12.4
        raise NotImplementedError("exercise 12.4: Adam.move")
        # end of exercise 12.4


class AdamW(Adam):
    """Adam with decoupled weight decay: each step first shrinks the parameter, and the gradient is left alone.

    Source: torch.optim.AdamW; Loshchilov and Hutter 2019.
    """

    def __init__(self, params, lr=0.001, betas=(0.9, 0.999), eps=1e-8, weight_decay=0.01):
        super().__init__(params, lr, betas, eps, weight_decay)

    def update(self, p, memory):
        """Change p.data in place: decay first, then a step of Adam, with `self.move`."""
        # exercise 12.5
        raise NotImplementedError("exercise 12.5: AdamW.update")
        # end of exercise 12.5


class Schedule:
    """Sets an optimizer's learning rate. step() is called once after each epoch (or each step).

    .base: the optimizer's lr at the beginning.  .t: how many times step() was called.
    """

    def __init__(self, optimizer):
        self.optimizer = optimizer
        self.base = optimizer.lr
        self.t = 0
        optimizer.lr = self.lr_at(0)

    @announced
    def step(self):
        """Go on by one."""
        self.t += 1
        self.optimizer.lr = self.lr_at(self.t)

    def lr_at(self, t):
        raise NotImplementedError(f"{type(self).__name__} has no lr_at(t) yet")

    def state_dict(self):
        """{name: value}: the class ("kind"), t and base."""
        return {"kind": type(self).__name__, "t": self.t, "base": self.base}

    def load_state_dict(self, state):
        """Continue from the state_dict of a schedule of the same class.  Raises ValueError for any other."""
        require_state_of(self, state, {"t", "base"})
        self.t, self.base = int(state["t"]), float(state["base"])
        self.optimizer.lr = self.lr_at(self.t)


class StepLR(Schedule):
    """Every step_size steps the learning rate is multiplied by gamma.  Source: torch.optim.lr_scheduler.StepLR."""

    def __init__(self, optimizer, step_size, gamma=0.1):
        if step_size < 1:
            raise ValueError(f"step_size must be at least 1, but it is {step_size!r}")
        self.step_size = step_size
        self.gamma = checked("gamma", gamma)
        super().__init__(optimizer)

    def lr_at(self, t):
        """The learning rate after t steps, for any t from 0 on, asked in any order; nothing is changed.

        At t = 0 it is `self.base`.
        """
        # exercise 12.6
        raise NotImplementedError("exercise 12.6: StepLR.lr_at")
        # end of exercise 12.6


class CosineLR(Schedule):
    """Goes up in a straight line for `warmup` steps, then down along half a cosine, to min_lr after total_steps.

    Source: torch.optim.lr_scheduler.CosineAnnealingLR, for warmup 0.  (PyTorch's rises again after the end.)
    """

    def __init__(self, optimizer, total_steps, warmup=0, min_lr=0):
        if not 0 <= warmup < total_steps:
            raise ValueError(f"warmup must be at least 0 and below total_steps = {total_steps!r}, but it is {warmup!r}")
        self.total_steps, self.warmup = total_steps, warmup
        self.min_lr = checked("min_lr", min_lr)
        super().__init__(optimizer)

    def lr_at(self, t):
        """The learning rate after t steps, for any t from 0 on, asked in any order; nothing is changed.

        With warmup = 3 it is 1/4, 2/4 and 3/4 of `self.base` at t = 0, 1 and 2, and `self.base` itself at t = 3.
        At total_steps and ever after it is min_lr.
        """
        # exercise 12.6
        raise NotImplementedError("exercise 12.6: CosineLR.lr_at")
        # end of exercise 12.6


@announced
def clip_grad_norm_(params, max_norm):
    """Shorten all gradients together, in place, to at most the length max_norm. Their direction stays.

    params: a sequence of Tensors; those without a gradient do not count.  max_norm: above 0.
    Returns the length that all gradients together had before, as one vector: a float, 0 if there are none.
    As in PyTorch, 1e-6 is added to the length before dividing by it, so that zeros do not become nan.
    Raises ValueError for max_norm <= 0.
    Source: torch.nn.utils.clip_grad_norm_.
    """
    gradients = [p.grad for p in ([params] if isinstance(params, Tensor) else params) if p.grad is not None]
    if not max_norm > 0:
        raise ValueError(f"max_norm must be above 0, but it is {max_norm!r}")
    # exercise 12.7
    raise NotImplementedError("exercise 12.7: clip_grad_norm_")
    # end of exercise 12.7
