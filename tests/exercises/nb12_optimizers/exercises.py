"""The exercises of notebook 12: optimizers, schedules, clipping, Dropout, LayerNorm, gradients seen, and a hunt."""

from grader.course.exercise import Exercise, Notebook

NOTEBOOK = Notebook(
    "12",
    "optimizers",
    "Optimizers",
    files=("optim.py", "normalize.py", "monitor.py", "hunts.py"),
)

ONCE_RIGHT = "An optimizer is right once, then wrong"

sgd = Exercise(
    "12.1",
    "SGD",
    file="optim.py",
    points=2,
    difficulty=1,
    hints=[
        "Two lines, both without a loop: the arrays have one shape. Which way is downhill, if the gradient points "
        "uphill? And what is the slope of the penalty weight_decay / 2 times the square of each number?",
        "update: p.data becomes smaller by self.lr times the direction, in place. decayed: a new array, the gradient "
        "plus weight_decay times the numbers of p. p.grad itself stays as it is.",
        "update is one line that ends in -=: the decayed gradient goes into direction, together with memory, and what "
        "comes back is multiplied by self.lr. decayed is one sum: the gradient, and weight_decay times the parameter's "
        "numbers.",
    ],
    stuck=ONCE_RIGHT,
)

momentum = Exercise(
    "12.2",
    "Momentum and Nesterov",
    file="optim.py",
    points=3,
    difficulty=2,
    needs=("12.1",),
    hints=[
        "A ball on a slope: what it has of its speed from before, and what the slope adds. Where must the speed be "
        "kept, so that it is there in the next step, and each parameter has its own? And whose array is it? For "
        "Nesterov's d take g off it, row by row of the table: what is left?",
        'memory.get("velocity", 0.0) is the velocity of the step before, and 0.0 before the first. The new one goes '
        'into memory["velocity"]. The learning rate is no part of it: update multiplies by it afterwards. '
        "Nesterov: d - g is 0.8 in the first row of the table and 2.24 in the second, where v is 1 and 2.8.",
        'velocity = self.momentum * memory.get("velocity", 0.0) + gradient; memory["velocity"] = velocity. Return '
        "velocity; if self.nesterov, return gradient + self.momentum * velocity.",
    ],
    stuck=ONCE_RIGHT,
)

rmsprop = Exercise(
    "12.3",
    "RMSprop",
    file="optim.py",
    points=2,
    difficulty=2,
    hints=[
        "How large is a gradient usually? Its sign does not matter, so squares are averaged, number by number. Which "
        "of the two, the old mean or the new square, gets the weight alpha = 0.99?",
        "Five steps: decay into the gradient, as SGD.decayed does it, the running mean, the division by its root, "
        'momentum on what was divided already, downhill. memory.get("square", 0.0) is the mean so far. '
        "eps is added after the root.",
        "square = alpha * square + (1 - alpha) * gradient**2; step = gradient / (np.sqrt(square) + eps); with "
        'momentum, step = memory["velocity"] = momentum * velocity + step; p.data -= lr * step.',
    ],
    stuck=ONCE_RIGHT,
)

adam = Exercise(
    "12.4",
    "Adam",
    file="optim.py",
    points=3,
    difficulty=3,
    hints=[
        "Two running means, of the gradient and of its square. Both begin at 0, so after one step they hold only "
        "0.1 and 0.001 of what they should. How does one get the rest back, and when is it no longer needed? Which of "
        "the numbers, the plain ones or the corrected ones, does the next step need?",
        "First t, which belongs to this parameter and is kept in memory beside mean and square; then the two means, "
        "kept as they are; then both divided by what the gradients have of them, 1 - beta1 ** t and 1 - beta2 ** t, "
        "for this step only; then the step, where the root comes before eps.",
        't = memory["t"] = memory.get("t", 0) + 1; mean and square likewise, each from memory.get(name, 0.0). Then '
        "p.data -= lr * (mean / (1 - beta1**t)) / (np.sqrt(square / (1 - beta2**t)) + eps).",
    ],
    stuck=ONCE_RIGHT,
)

adamw = Exercise(
    "12.5",
    "AdamW",
    file="optim.py",
    points=2,
    difficulty=1,
    needs=("12.4",),
    hints=[
        "The gradient is divided by its usual size in Adam, and so is all that was added to it. What if the decay is "
        "not added to it, but done to the numbers of the parameter directly?",
        "Two lines. The first multiplies p.data, in place, by a number slightly below 1: it loses the share "
        "lr * weight_decay of itself. The second is Adam's step, which you have: self.move.",
        "First *= on p.data with the factor 1 minus lr times weight_decay. Then self.move gets p, the gradient as it "
        "is, and the memory.",
    ],
    stuck=ONCE_RIGHT,
)

schedules = Exercise(
    "12.6",
    "StepLR and CosineLR",
    file="optim.py",
    points=2,
    difficulty=2,
    hints=[
        "lr_at(t) is a formula of t, and remembers nothing: always begin from self.base. StepLR: how many full "
        "step_sizes have gone by at t? CosineLR: which number goes from 0 to 1 between warmup and the end?",
        "Whole division counts the full steps: t // step_size. For the cosine: d = (t - warmup) / (total_steps - "
        "warmup), but never more than 1. The cosine of pi times d goes from 1 to -1 as d goes from 0 to 1.",
        "StepLR: gamma to the power of the full steps, times self.base. CosineLR: an if for the warmup, a straight "
        "line from base / (warmup + 1) up. After it min_lr plus a share of what lies between min_lr and base; the "
        "share is half of 1 plus the cosine of pi times d.",
    ],
)

clipping = Exercise(
    "12.7",
    "clip_grad_norm_",
    file="optim.py",
    points=2,
    difficulty=2,
    hints=[
        "Put all numbers of all gradients into one long list in your mind. How long is that vector? And which single "
        "factor makes it as long as max_norm, without turning it?",
        "length = the root of the sum, over all gradients, of (gradient**2).sum(). factor = max_norm / (length + "
        "1e-6). If it is below 1, each gradient is multiplied by it in place.",
        "length = math.sqrt(sum(float((g**2).sum()) for g in gradients)); if factor < 1: for g in gradients: "
        "g *= factor. Return length, the one from before.",
    ],
    stuck="The loss is nan or explodes",
)

layers = Exercise(
    "12.8",
    "Dropout and LayerNorm",
    file="normalize.py",
    points=3,
    difficulty=2,
    needs=("5.3", "5.5", "6.1", "6.2", "6.3", "6.4", "6.6", "7.3", "7.4", "7.6", "9.4"),
    hints=[
        "Both are a few operations on Tensors, and the engine finds the way back. Dropout: what is the mean of a "
        "number that is kept with probability 1 - p, and how do you make up for it? LayerNorm: mean and spread of "
        "what?",
        "Dropout: if not self.training, x is the answer. Else x times what self.kept draws, over the share that is "
        "kept. LayerNorm works along the last axis: x.mean(-1, keepdims=True) is a column that can be taken off x.",
        "LayerNorm in three names: the difference from the mean; the variance, a mean of squares that keeps its axis "
        "too; the root of variance and eps together, under the difference. weight and bias have the size of the last "
        "axis, and broadcast.",
    ],
    stuck="Good in training, poor on new samples",
)

looking = Exercise(
    "12.9",
    "Update ratio and dead units",
    file="monitor.py",
    points=2,
    difficulty=1,
    hints=[
        "Each is one line of NumPy. update_ratio: what is the step, and how long is it? Relative to what? dead_units: "
        "which numbers of dweight and dbias belong to one unit, and what are they all if nothing reaches it?",
        "np.linalg.norm of an array without axis takes all its numbers: two norms, one division. A unit is a column of "
        "dweight: (dweight == 0).all(axis=0) gives one truth value for each unit, and the bias gives another.",
        "The ratio is the norm of the difference over the norm of what was there before. For the dead join both arrays "
        "of truth values with &: their mean is the share that you want.",
    ],
)

hunt = Exercise(
    "12.10",
    "four_wrong_momentums",
    file="hunts.py",
    points=2,
    difficulty=2,
    hints=[
        "Follow each of the four by hand, with momentum 0.5 and gradients 1, 1, 1. In which step is it wrong for the "
        "first time? What must be different from step to step, so that you can see it at all?",
        "One of them is right as long as lr stays the same. One is wrong in its first step. One needs a second step "
        "with a gradient that is not 0. One remembers too little: how many steps back does it look?",
        "Three steps; the learning rate must change; the first gradient must not be 0, nor all of the others. Simple "
        "numbers will do. If one of them still ends at the right place, two of its mistakes may cancel: change a "
        "number.",
    ],
)
