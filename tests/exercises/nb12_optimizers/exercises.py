"""The exercises of notebook 12: optimizers, schedules, clipping, Dropout, LayerNorm, gradients seen, and a hunt."""

from grader.course.exercise import Exercise, Notebook

NOTEBOOK = Notebook(
    "12",
    "optimizers",
    "Optimizers",
    files=("optim.py", "normalize.py", "hunts.py"),
)

ONCE_RIGHT = "An optimizer is right once, then wrong"

sgd = Exercise(
    "12.1",
    "SGD",
    file="optim.py",
    points=2,
    difficulty=1,
    hints=[
        "Two lines, neither with a loop: the arrays have one shape. Which way is downhill, if the gradient points "
        "uphill? And what is the derivative of the penalty, weight_decay / 2 times the square of each number?",
        "update: p.data is reduced by self.lr times the direction, in place. decayed: a new array, the gradient plus "
        "weight_decay times the numbers of p. p.grad itself stays as it is.",
        "update is one line with -=: direction gets the decayed gradient and memory, and what it returns is "
        "multiplied by self.lr. decayed is one sum: the gradient, and weight_decay times the parameter's numbers.",
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
        "A ball on a slope: how much speed is left from before, and what does the slope add? Where must the speed be "
        "kept, so that it is there in the next step, and each parameter has its own? And whose array is it? For "
        "Nesterov, subtract g from d in each row of the table: what is left?",
        'memory.get("velocity", 0.0) is the velocity of the previous step, and 0.0 before the first. The new one goes '
        'into memory["velocity"]. The learning rate is not part of it: update multiplies by it afterwards. Nesterov: '
        "d - g is 0.8 in the first row of the table and 2.24 in the second, where v is 1 and 2.8.",
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
        "gets the weight alpha = 0.99: the old mean or the new square?",
        "Five steps: add the decay to the gradient, as SGD.decayed does; update the running mean; divide by its root; "
        'apply momentum to the result; go downhill. memory.get("square", 0.0) is the mean so far. eps is added after '
        "the root.",
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
        "Two running means, of the gradient and of its square. Both begin at 0, so after one step they hold only 0.1 "
        "and 0.001 of what they should. How do you make up for that, and when is it no longer needed? Which means "
        "does the next step need, the plain or the corrected ones?",
        "First t, which belongs to this parameter and is kept in memory beside mean and square; then the two means, "
        "stored uncorrected; then, for this step only, each divided by the share that the gradients have in it, 1 - "
        "beta1 ** t and 1 - beta2 ** t; then the step, where the root comes before eps.",
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
    track="stretch",
    needs=("12.4",),
    hints=[
        "Adam divides the gradient by its usual size, and with it everything that was added to the gradient. What if "
        "the decay is not added to it, but acts on the numbers of the parameter directly?",
        "Two lines. The first multiplies p.data, in place, by a number slightly below 1: it loses the share "
        "lr * weight_decay of itself. The second is Adam's step, which you have: self.move.",
        "First *= on p.data, with the factor 1 minus lr times weight_decay. Then self.move gets p, the gradient as it "
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
    track="stretch",
    hints=[
        "lr_at(t) is a formula in t and remembers nothing: always begin from self.base. StepLR: how many full "
        "step_sizes have gone by at t? CosineLR: which number goes from 0 to 1 between the warmup and the end?",
        "Integer division counts the full steps: t // step_size. For the cosine: u = (t - warmup) / (total_steps - "
        "warmup), but never more than 1. The cosine of pi times u goes from 1 to -1 as u goes from 0 to 1.",
        "StepLR: self.base times gamma to the power of the number of full steps. CosineLR: an if for the warmup, a "
        "straight line up from base / (warmup + 1). After that, min_lr plus a share of the difference between base "
        "and min_lr; the share is half of 1 plus the cosine of pi times u.",
    ],
)

clipping = Exercise(
    "12.7",
    "clip_grad_norm_",
    file="optim.py",
    points=2,
    difficulty=2,
    track="stretch",
    hints=[
        "In your mind, put all numbers of all gradients into one long vector. What is its length? And which single "
        "factor makes it as long as max_norm, without turning it?",
        "length = the root of the sum, over all gradients, of (gradient**2).sum(). factor = max_norm / (length + "
        "1e-6). If it is below 1, each gradient is multiplied by it in place.",
        "length = math.sqrt(sum(float((g**2).sum()) for g in gradients)); if factor < 1: for g in gradients: g *= "
        "factor. Return length, the one from before the clipping.",
    ],
    stuck="The loss is nan or explodes",
)

layers = Exercise(
    "12.8",
    "Dropout and LayerNorm",
    file="normalize.py",
    points=3,
    difficulty=2,
    track="stretch",
    needs=("5.3", "5.5", "6.1", "6.2", "6.3", "6.4", "6.6", "7.3", "7.4", "7.6", "9.4", "9.5"),
    hints=[
        "Both are a few operations on Tensors; the engine knows the backward pass. Dropout: if a number is kept with "
        "probability 1 - p and is 0 otherwise, what is its mean, and how do you make up for that? LayerNorm: mean and "
        "spread of what?",
        "Dropout: if not self.training, x is the answer. Otherwise x times what self.kept draws, divided by the share "
        "that is kept. LayerNorm works along the last axis: x.mean(-1, keepdims=True) is a column that can be "
        "subtracted from x.",
        "LayerNorm in three steps: the difference from the mean; the variance, a mean of its squares that keeps its "
        "axis too; the difference divided by the root of variance plus eps. weight and bias have the size of the last "
        "axis, and broadcast.",
    ],
    stuck="Good in training, poor on new samples",
)

hunt = Exercise(
    "12.10",
    "four_wrong_momentums",
    file="hunts.py",
    points=2,
    difficulty=2,
    track="stretch",
    hints=[
        "Follow each of the four by hand, with momentum 0.5 and gradients 1, 1, 1. In which step does each first go "
        "wrong? What must change from step to step, so that you can see it at all?",
        "One of them is right as long as lr stays the same. One is wrong in its very first step. One needs a second "
        "step with a gradient that is not 0. One remembers too little: how many steps back does it look?",
        "Three steps; the learning rate must change; the first gradient must not be 0, and the others must not all be "
        "0. Simple numbers will do. If one of the four still ends at the right place, two of its mistakes may cancel: "
        "change a number.",
    ],
)
