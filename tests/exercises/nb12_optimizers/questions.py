"""The questions of notebook 12."""

from types import SimpleNamespace

import numpy as np

from grader.asking.answers import Form
from grader.course.questions import probe
from grader.probes.arrays import asked_again, condensed
from grader.probes.probing import LARGE, SLOPES_RTOL, TOO_MANY_TO_NUDGE, drawn
from grader.probes.tensors import (
    array_in,
    array_of,
    as_lists,
    call_in_words,
    dtype_of,
    from_above,
    is_tensor,
    kind_of,
    signed,
)

# What the questions about optimizers have in common.

SHAPES = {"p": (2, 3), "q": (4,)}
TWINS = {"p": (3,), "q": (3,)}
RATES = (0.3, 0.3, 0.07, 0.2)


def written(kind, options, names):
    """How an optimizer is made, as text: SGD([p, q], lr=0.1)."""
    return call_in_words(kind, f"[{', '.join(names)}]", **options)


def made(bg, kind, options, params):
    """An optimizer of these parameters.  params: {name: Tensor}"""
    return getattr(bg.optim, kind)(list(params.values()), **options)


def leaves(bg, rng, shapes):
    """Parameters of these shapes, by name."""
    return {name: bg.Tensor(signed(rng, *shape)) for name, shape in shapes.items()}


def steps(optimizer, params, rng, rates, first=1, missing=(), size=1.0):
    """The numbers of each parameter after each step, with random gradients.

    missing: pairs (name, number of the step) in which a parameter has no gradient.
    """
    answers = {}
    for step, rate in enumerate(rates, first):
        optimizer.lr = rate
        for name, p in params.items():
            gradient = size * signed(rng, *p.shape)[..., ::-1] * (np.pi / 3)  # digits to the end
            p.grad = None if (name, step) in missing else gradient
        optimizer.step()
        answers |= {f"{name}.data after step {step}": array_of(p.data) for name, p in params.items()}
    return answers


def in_a_row(numbers):
    """Numbers as a sentence shows them, in as few digits as it takes."""
    return ", ".join(f"{number:g}" for number in numbers)


def shapes_in_words(shapes):
    return " and ".join(f"{name} of shape {shape}" for name, shape in shapes.items())


def ask_steps(id, name, kind, options, shapes=SHAPES, rates=RATES, missing=(), size=1.0):
    """Steps with random gradients, over several parameters, with changes of lr."""
    without = "".join(f"; {who} has no gradient in step {step}" for who, step in missing)
    small = f" of size {size:g}" if size != 1 else ""

    def question(bg, rng):
        params = leaves(bg, rng, shapes)
        return steps(made(bg, kind, options, params), params, rng, rates, missing=missing, size=size)

    probe(
        id,
        asked=f"step() {len(rates)} times, of {written(kind, options, shapes)} with {shapes_in_words(shapes)} and "
        f"random gradients{small}; lr is {in_a_row(rates)}{without}",
        name=name,
    )(question)


def ask_numbers(id, name, kind, options, start, gradients):
    """A few steps of one parameter, with numbers that one can follow on paper."""

    def question(bg, rng):
        p = bg.Tensor(np.array(start, float))
        optimizer = made(bg, kind, options, {"p": p})
        answers = {}
        for step, gradient in enumerate(gradients, 1):
            p.grad = np.array(gradient, float)
            optimizer.step()
            answers[f"p.data after step {step}"] = array_of(p.data)
        return answers

    shown = ", then ".join(map(str, gradients))
    asked = f"step() of {written(kind, options, ['p'])} with p = {start} and p.grad = {shown}"
    probe(id, asked=asked, name=name)(question)


def ask_what_it_leaves_alone(id, name, kind, options):
    """The parameter's array object, the gradient, and the leaf."""

    def question(bg, rng):
        params = leaves(bg, rng, {"p": (2, 3)})
        p = params["p"]
        optimizer, array, p.grad = made(bg, kind, options, params), p.data, signed(rng, 2, 3)
        for _ in range(2):
            optimizer.step()
        return {
            "p.grad": array_of(p.grad),
            "the array of p.data": Form("the one from before" if p.data is array else "another one"),
            "p": Form("a leaf that requires grad" if p._op is None and p.requires_grad else "no leaf any more"),
        }

    probe(
        id,
        asked=f"step() twice, of {written(kind, options, ['p'])}; then looked at p.grad, and whether p.data is still "
        "the same array",
        name=name,
    )(question)


def ask_with_one_gradient_array(id, name, kind, options):
    """The gradient of each step is written into the array of the step before."""

    def question(bg, rng):
        params = leaves(bg, rng, {"p": (3,)})
        p = params["p"]
        optimizer, p.grad, answers = made(bg, kind, options, params), np.zeros(3), {}
        for step in range(1, 4):
            p.grad[...] = signed(rng, 3)
            optimizer.step()
            answers[f"p.data after step {step}"] = array_of(p.data)
        return answers

    probe(
        id,
        asked=f"step() three times, of {written(kind, options, ['p'])}; each new gradient is written into the same "
        "array p.grad, over the old one",
        name=name,
    )(question)


def ask_to_go_on(id, name, kind, options):
    """state_dict() after two steps, loaded into a new optimizer for copies of the parameters."""

    def question(bg, rng):
        params = leaves(bg, rng, SHAPES)
        first = made(bg, kind, options, params)
        steps(first, params, rng, (0.3, 0.3))
        copies = {name: bg.Tensor(p.data.copy()) for name, p in params.items()}
        second = made(bg, kind, options, copies)
        second.load_state_dict(first.state_dict())
        return steps(second, copies, rng, (0.3, 0.07), first=3)

    probe(
        id,
        asked=f"step() twice, of {written(kind, options, SHAPES)}; then state_dict() was loaded into a new optimizer "
        "for copies of p and q, and that one took steps 3 and 4",
        name=name,
    )(question)


def ask_what_is_kept(id, name, kind, options, names):
    """What stands in the memory of a float32 parameter after two steps, under these names."""

    def question(bg, rng):
        p = bg.Tensor(signed(rng, 2, 3), dtype="float32")
        optimizer, answers = made(bg, kind, options, {"p": p}), {}
        for _ in range(2):
            p.grad = signed(rng, 2, 3).astype("float32")
            optimizer.step()
        for each in names:
            kept = optimizer.memories[0].get(each)
            answers[f'memory["{each}"]'] = Form("missing") if kept is None else array_of(kept)
            if isinstance(kept, np.ndarray):
                answers[f'the dtype of memory["{each}"]'] = dtype_of(kept)
        return answers

    probe(
        id,
        asked=f"step() twice, of {written(kind, options, ['p'])} for p of dtype float32, then looked at p's memory",
        name=name,
        rtol=1e-4,  # float32 knows seven digits
    )(question)


# 12.1: gradient descent.

PLAIN = {"lr": 0.3}
DECAYING = {"lr": 0.3, "weight_decay": 0.4}

ask_numbers("12.1", "one_step", "SGD", PLAIN, [1.0, -2.0, 0.5], [[3.0, -0.5, 0.0]])
ask_what_it_leaves_alone("12.1", "what_a_step_leaves_alone", "SGD", PLAIN)
ask_steps("12.1", "two_parameters", "SGD", PLAIN, missing=[("q", 2)])


@probe(
    "12.1",
    asked="decayed(p) alone, of SGD([p], lr=0.3, weight_decay=0.4) with p = [10, -10, 0] and p.grad = [1, 0, -2]",
)
def decayed_alone(bg, rng):
    p = bg.Tensor(np.array([10.0, -10.0, 0.0]))
    optimizer, p.grad = bg.optim.SGD([p], lr=0.3, weight_decay=0.4), np.array([1.0, 0.0, -2.0])
    returned = optimizer.decayed(p)
    return {"returned": array_of(returned), "p.data afterwards": array_of(p.data)}


ask_numbers("12.1", "one_step_with_decay", "SGD", DECAYING, [10.0, -10.0, 0.0], [[1.0, 0.0, -2.0]])
ask_steps("12.1", "two_parameters_with_decay", "SGD", DECAYING)
ask_what_it_leaves_alone("12.1", "what_a_step_with_decay_leaves_alone", "SGD", DECAYING)


@probe("12.1", asked="step() of SGD([p], lr=0.3), where a second Tensor shares the array of p")
def somebody_else_has_the_array(bg, rng):
    p = bg.Tensor(np.array([1.0, 2.0]))
    view = p.data[:1]
    optimizer, p.grad = bg.optim.SGD([p], lr=0.3), np.array([5.0, 0.0])
    optimizer.step()
    return {"what the second one sees": array_of(view)}


@probe("12.1", asked="step() of an SGD whose direction(gradient, memory) gives 1 - 4 * gradient")
def update_asks_for_the_direction(bg, rng):
    p = bg.Tensor(np.array([1.0, -2.0]))
    optimizer, p.grad = bg.optim.SGD([p], lr=0.3), np.array([3.0, 0.5])
    optimizer.direction = lambda gradient, memory: 1 - 4 * gradient
    optimizer.step()
    return {"p.data afterwards": array_of(p.data), "p.grad afterwards": array_of(p.grad)}


@probe("12.1", asked="step() of an SGD with weight_decay=0.4 whose decayed(p) gives -4 times the gradient")
def update_asks_for_the_decay(bg, rng):
    p = bg.Tensor(np.array([1.0, -2.0]))
    optimizer, p.grad = bg.optim.SGD([p], lr=0.3, weight_decay=0.4), np.array([3.0, 0.5])
    optimizer.decayed = lambda parameter: -4 * parameter.grad
    optimizer.step()
    return {"p.data afterwards": array_of(p.data), "p.grad afterwards": array_of(p.grad)}


# 12.2: momentum.

HEAVY = {"lr": 0.3, "momentum": 0.9}
AHEAD = {"lr": 0.3, "momentum": 0.8, "nesterov": True}


@probe(
    "12.2",
    asked="direction(gradient, memory) alone, of SGD([p], lr=0.3, momentum=0.9), three times with one memory: gradient "
    "[2, -1], then [3, 5], then with lr = 0.07 again [2, -1]",
)
def direction_alone(bg, rng):
    optimizer, memory, returned = bg.optim.SGD([bg.Tensor(np.zeros(2))], lr=0.3, momentum=0.9), {}, []
    for lr, gradient in ((0.3, [2.0, -1.0]), (0.3, [3.0, 5.0]), (0.07, [2.0, -1.0])):
        optimizer.lr = lr
        direction = optimizer.direction(np.array(gradient), memory)
        returned.append(direction.tolist() if isinstance(direction, np.ndarray) else array_of(direction))
    return {"the list of what it returned": returned}


ask_numbers("12.2", "three_gradients", "SGD", HEAVY, [0.0], [[1.0], [2.0], [3.0]])
ask_numbers("12.2", "three_gradients_nesterov", "SGD", AHEAD, [0.0], [[1.0], [2.0], [3.0]])
ask_steps("12.2", "two_of_one_shape", "SGD", HEAVY, shapes=TWINS)
ask_steps("12.2", "two_parameters", "SGD", HEAVY, missing=[("q", 2)])
ask_steps("12.2", "two_parameters_nesterov", "SGD", AHEAD, missing=[("p", 3)])
ask_steps("12.2", "with_decay", "SGD", {**HEAVY, "weight_decay": 0.4})
ask_with_one_gradient_array("12.2", "one_gradient_array", "SGD", HEAVY)
ask_what_it_leaves_alone("12.2", "what_it_leaves_alone", "SGD", HEAVY)
ask_what_it_leaves_alone("12.2", "what_nesterov_leaves_alone", "SGD", AHEAD)
ask_to_go_on("12.2", "goes_on_from_a_state", "SGD", HEAVY)
ask_what_is_kept("12.2", "what_is_kept", "SGD", HEAVY, ["velocity"])


# 12.3: RMSprop.

USUAL = {"lr": 0.3, "alpha": 0.9}

ask_numbers("12.3", "no_gradient_at_all", "RMSprop", USUAL, [1.0, -2.0], [[0.0, 0.0], [0.0, 0.0]])
ask_numbers("12.3", "three_gradients", "RMSprop", USUAL, [0.0, 0.0], [[2.0, -200.0], [1.0, -100.0], [0.0, 0.0]])
ask_steps("12.3", "two_of_one_shape", "RMSprop", USUAL, shapes=TWINS)
ask_steps("12.3", "two_parameters", "RMSprop", {"lr": 0.3}, missing=[("q", 2)])
ask_steps("12.3", "tiny_gradients", "RMSprop", {**USUAL, "eps": 1e-6}, size=1e-4)
ask_steps("12.3", "with_decay", "RMSprop", {**USUAL, "weight_decay": 0.4})
ask_steps("12.3", "with_momentum", "RMSprop", {**USUAL, "momentum": 0.8}, missing=[("p", 3)])
ask_steps("12.3", "with_momentum_and_decay", "RMSprop", {**USUAL, "momentum": 0.8, "weight_decay": 0.4})
ask_with_one_gradient_array("12.3", "one_gradient_array", "RMSprop", {**USUAL, "momentum": 0.8})
ask_what_it_leaves_alone("12.3", "what_it_leaves_alone", "RMSprop", {**USUAL, "weight_decay": 0.4, "momentum": 0.8})
ask_to_go_on("12.3", "goes_on_from_a_state", "RMSprop", {**USUAL, "momentum": 0.8})
ask_what_is_kept("12.3", "what_is_kept", "RMSprop", {**USUAL, "momentum": 0.8}, ["square", "velocity"])


# 12.4: Adam.

ADAM = {"lr": 0.3}
SHORT = {"lr": 0.3, "betas": (0.8, 0.95)}

ask_numbers("12.4", "three_gradients", "Adam", SHORT, [0.0], [[1.0], [3.0], [-2.0]])
ask_numbers("12.4", "the_usual_betas", "Adam", ADAM, [0.0, 0.0], [[2.0, -200.0], [-1.0, 50.0]])
ask_steps("12.4", "two_of_one_shape", "Adam", SHORT, shapes=TWINS)
ask_steps("12.4", "two_parameters", "Adam", ADAM)
ask_steps("12.4", "one_without_a_gradient", "Adam", SHORT, missing=[("q", 2), ("p", 3)])
ask_steps("12.4", "tiny_gradients", "Adam", {**ADAM, "eps": 1e-6}, size=1e-4)
ask_steps("12.4", "with_decay", "Adam", {**SHORT, "weight_decay": 0.4})
ask_with_one_gradient_array("12.4", "one_gradient_array", "Adam", SHORT)
ask_what_it_leaves_alone("12.4", "what_it_leaves_alone", "Adam", ADAM)
ask_to_go_on("12.4", "goes_on_from_a_state", "Adam", SHORT)
ask_what_is_kept("12.4", "what_is_kept", "Adam", SHORT, ["mean", "square", "t"])


# 12.5: AdamW.

ADAMW = {"lr": 0.3, "weight_decay": 0.4}

ask_numbers("12.5", "no_gradient_but_decay", "AdamW", ADAMW, [10.0, -4.0], [[0.0, 0.0], [0.0, 0.0]])
ask_numbers("12.5", "gradient_and_decay", "AdamW", ADAMW, [10.0, -4.0], [[1.0, 1.0], [1.0, -3.0]])
ask_steps("12.5", "two_parameters", "AdamW", ADAMW, missing=[("q", 2)])
ask_steps("12.5", "the_usual_decay", "AdamW", {"lr": 0.3})


@probe(
    "12.5",
    asked="step() of AdamW([p], lr=0.3, weight_decay=0.4) and of AdamW([q], lr=0.3, weight_decay=0), with p = q = "
    "[10, -4] and the gradients [2, -5]",
)
def with_decay_and_without(bg, rng):
    answers = {}
    for name, decay in {"p": 0.4, "q": 0}.items():
        p = bg.Tensor(np.array([10.0, -4.0]))
        optimizer, p.grad = bg.optim.AdamW([p], lr=0.3, weight_decay=decay), np.array([2.0, -5.0])
        optimizer.step()
        answers[f"{name}.data afterwards"] = array_of(p.data)
    return answers


ask_steps("12.5", "no_decay", "AdamW", {"lr": 0.3, "weight_decay": 0})
ask_what_it_leaves_alone("12.5", "what_it_leaves_alone", "AdamW", ADAMW)
ask_to_go_on("12.5", "goes_on_from_a_state", "AdamW", ADAMW)


# 12.6: schedules.


def schedule_in_words(kind, options):
    return f"{call_in_words(kind, 'optimizer', **options)} for an optimizer with lr = 0.4"


def ask_schedule(name, kind, options, times):
    """lr_at for several t, in the given order, from an optimizer with lr = 0.4."""

    def question(bg, rng):
        schedule = getattr(bg.optim, kind)(bg.optim.SGD([bg.Tensor(1.0)], lr=0.4), **options)
        answers = {f"lr_at({t})": array_of(schedule.lr_at(t)) for t in times}
        return answers | {"schedule.base afterwards": schedule.base, "the optimizer's lr": schedule.optimizer.lr}

    asked = f"lr_at({in_a_row(times)}) of {schedule_in_words(kind, options)}, one after the other"
    probe("12.6", asked=asked, name=name)(question)


def ask_to_run(name, kind, options, count):
    """The optimizer's lr after each step() of the schedule."""

    def question(bg, rng):
        optimizer = bg.optim.SGD([bg.Tensor(1.0)], lr=0.4)
        schedule = getattr(bg.optim, kind)(optimizer, **options)
        answers = {"lr at the beginning": optimizer.lr}
        for t in range(1, count + 1):
            schedule.step()
            answers[f"lr after {t} steps"] = optimizer.lr
        return answers

    probe("12.6", asked=f"step() {count} times, of {schedule_in_words(kind, options)}", name=name)(question)


ask_schedule("stairs", "StepLR", {"step_size": 3, "gamma": 0.5}, range(8))
ask_schedule("stairs_out_of_order", "StepLR", {"step_size": 2}, (5, 0, 4, 1))
ask_to_run("stairs_run", "StepLR", {"step_size": 2, "gamma": 0.5}, 6)
ask_schedule("half_a_cosine", "CosineLR", {"total_steps": 4}, range(5))
ask_schedule("to_a_minimum", "CosineLR", {"total_steps": 6, "min_lr": 0.1}, range(7))
ask_schedule("warm_up", "CosineLR", {"total_steps": 10, "warmup": 4, "min_lr": 0.01}, range(11))
ask_schedule("after_the_end", "CosineLR", {"total_steps": 4, "warmup": 1, "min_lr": 0.05}, (4, 5, 7, 20))
ask_schedule("cosine_out_of_order", "CosineLR", {"total_steps": 5, "warmup": 1}, (4, 0, 2))
ask_to_run("cosine_run", "CosineLR", {"total_steps": 5, "warmup": 2, "min_lr": 0.02}, 7)


def ask_drawn_schedule(name, kind, draw, given, times):
    """lr_at for several t, from an optimizer with a random lr.

    draw(rng): the schedule's options.  given: their names.
    """

    def question(bg, rng):
        lr, options = round(float(rng.uniform(0.1, 0.9)), 2), draw(rng)
        schedule = getattr(bg.optim, kind)(bg.optim.SGD([bg.Tensor(1.0)], lr=lr), **options)
        return {"asked": {"lr": lr, **options}} | {f"lr_at({t})": array_of(schedule.lr_at(t)) for t in times}

    schedule = f"{kind}(optimizer, {', '.join(f'{option}={{{option}}}' for option in given)})"
    asked = f"lr_at({in_a_row(times)}) of {schedule} for an optimizer with lr = {{lr}}, one after the other"
    probe("12.6", asked=asked, name=name)(question)


def any_stairs(rng):
    return {"step_size": int(rng.integers(2, 5)), "gamma": round(float(rng.uniform(0.3, 0.9)), 2)}


def any_cosine(rng):
    total, warmup = int(rng.integers(7, 10)), int(rng.integers(2, 4))
    return {"total_steps": total, "warmup": warmup, "min_lr": round(float(rng.uniform(0.01, 0.09)), 2)}


ask_drawn_schedule("any_stairs_at_all", "StepLR", any_stairs, ("step_size", "gamma"), range(9))
ask_drawn_schedule("any_cosine_at_all", "CosineLR", any_cosine, ("total_steps", "warmup", "min_lr"), range(11))


# 12.7: clipping.


def clipped(bg, gradients, max_norm):
    """What is seen after clip_grad_norm_ for parameters with these gradients (None for none)."""
    params = {name: bg.Tensor(np.ones(np.shape(g))) for name, g in gradients.items()}
    for name, p in params.items():
        p.grad = None if gradients[name] is None else np.array(gradients[name], float)
    arrays = {name: p.grad for name, p in params.items()}
    returned = bg.optim.clip_grad_norm_(list(params.values()), max_norm)
    return {
        "returned": array_of(returned),
        **{f"{name}.grad afterwards": array_of(p.grad) for name, p in params.items()},
        **{
            f"the array of {name}.grad": Form("the one from before" if p.grad is arrays[name] else "another one")
            for name, p in params.items()
        },
        **{f"{name}.data": array_of(p.data) for name, p in params.items()},
    }


def ask_clip(name, gradients, max_norm):
    """Register a question: clip_grad_norm_ with these gradients, {name of a parameter: numbers or None}."""
    shown = ", ".join(f"{who}.grad = {numbers}" for who, numbers in gradients.items())
    names = ", ".join(gradients)

    def question(bg, rng):
        return clipped(bg, gradients, max_norm)

    probe("12.7", asked=f"clip_grad_norm_([{names}], {max_norm:g}) with {shown}", name=name)(question)


ask_clip("too_long", {"p": [2.0, 1.0], "q": [[-2.0], [4.0]]}, 2.0)
ask_clip("short_enough", {"p": [0.3, 0.0], "q": [[0.0], [-0.4]]}, 1.0)
ask_clip("one_large_one_small", {"p": [0.1, -0.2], "q": [20.0, 10.0, -20.0]}, 3.0)
ask_clip("each_short_but_long_together", {"p": [0.8, 0.0], "q": [0.0, 0.9]}, 1.0)
ask_clip("nothing_but_zeros", {"p": [0.0, 0.0]}, 1.0)
ask_clip("none_with_a_gradient", {"p": None, "q": None}, 5.0)
ask_clip("one_without_a_gradient", {"p": None, "q": [6.0, -8.0]}, 5.0)


@probe("12.7", asked="clip_grad_norm_([p, q, r], 2) with random gradients of shapes (2, 3), (4,) and ()")
def three_shapes(bg, rng):
    return clipped(bg, {"p": signed(rng, 2, 3), "q": signed(rng, 4), "r": float(signed(rng, 1)[0])}, 2)


@probe("12.7", asked="clip_grad_norm_(p, 0.5) for a single Tensor with a random gradient of shape (3, 2)")
def a_single_tensor(bg, rng):
    p = bg.Tensor(np.ones((3, 2)))
    p.grad = signed(rng, 3, 2)
    return {"returned": array_of(bg.optim.clip_grad_norm_(p, 0.5)), "p.grad afterwards": array_of(p.grad)}


# 12.8: Dropout and LayerNorm.


def answer_and_way_back(bg, rng, module, x, named):
    """The answer of the module, and the gradients of the named Tensors for a random gradient from above."""
    out = module(x)
    answers = {"the answer": array_in(out)}
    if is_tensor(out) and out.requires_grad:
        out.backward(signed(rng, *out.shape))
    return answers | {f"{name}.grad": array_of(each.grad) for name, each in named.items()}


def random_dropout(bg, rng, p, shape, training=True):
    """A random x and a Dropout."""
    x, module = bg.Tensor(signed(rng, *shape)), bg.normalize.Dropout(p, np.random.default_rng(7))
    module.train(training)
    return x, module


class Counted(np.random.Generator):
    """A random generator that counts the numbers that random() drew."""

    def __init__(self, seed):
        super().__init__(np.random.PCG64(seed))
        self.count = 0

    def random(self, *args, **kwargs):
        numbers = super().random(*args, **kwargs)
        self.count += np.size(numbers)
        return numbers


@probe("12.8", asked="Dropout(p=0.75, rng)(x) in training, with 40 ones as x, and looked at what rng was asked for")
def dropout_asks_its_rng(bg, rng):
    counted = Counted(7)
    out = bg.normalize.Dropout(0.75, counted)(bg.Tensor(np.ones((4, 10))))
    return {
        "returned": Form(kind_of(out)),
        "how many numbers rng.random drew": counted.count,
        "the number of zeros in the answer": Form("more than 0" if np.any(getattr(out, "data", 1) == 0) else "0"),
    }


@probe(
    "12.8",
    asked="Dropout(p=0.8)(x) with x = [[1, -2, 3, -4]], where the second and fourth are kept: in training, and after "
    "eval()",
)
def dropout_of_a_row(bg, rng):
    module = bg.normalize.Dropout(0.8, SimpleNamespace(random=lambda shape: np.array([[0.1, 0.9, 0.3, 0.85]])))
    return {
        f"the answer {when}": array_in(module.train(on)(bg.Tensor([[1.0, -2.0, 3.0, -4.0]])))
        for when, on in {"in training": True, "in use": False}.items()
    }


@probe("12.8", asked="Dropout(p=0.4)(x) in training, with random x of shape (4, 5), and then backward")
def dropout_and_back(bg, rng):
    x, module = random_dropout(bg, rng, 0.4, (4, 5))
    return answer_and_way_back(bg, rng, module, x, {"x": x})


@probe("12.8", asked="Dropout(p=0.25)(x) in training, twice, with random x of shape (2, 3, 4)")
def dropout_twice(bg, rng):
    x, module = random_dropout(bg, rng, 0.25, (2, 3, 4))
    return {f"the answer the {time} time": array_in(module(x)) for time in ("first", "second")}


@probe("12.8", asked="Dropout(p=0.4)(x) after eval(), with random x of shape (4, 5), and then backward")
def dropout_in_use(bg, rng):
    x, module = random_dropout(bg, rng, 0.4, (4, 5), training=False)
    return answer_and_way_back(bg, rng, module, x, {"x": x})


@probe("12.8", asked="Dropout(p=0.4)(x) in training, with random x of shape (4, 5), and looked at x afterwards")
def dropout_leaves_x_alone(bg, rng):
    x, module = random_dropout(bg, rng, 0.4, (4, 5))
    before = x.data.copy()
    module(x)
    return {"the content of x.data": Form("the one from before" if np.array_equal(x.data, before) else "another one")}


@probe("12.8", asked="Dropout(p=0.4)(x) in training, with x of dtype float32")
def dropout_of_small_floats(bg, rng):
    out = bg.normalize.Dropout(0.4, np.random.default_rng(7))(bg.Tensor(signed(rng, 4, 5), dtype="float32"))
    return {"the dtype of the answer": dtype_of(out)}


@probe("12.8", asked="Dropout(p=0)(x) in training, and looked at x afterwards")
def dropout_of_nothing(bg, rng):
    x, module = random_dropout(bg, rng, 0, (3, 2))
    return {"the answer": array_in(module(x)), "x afterwards": array_of(x.data)}


def normalizer(bg, rng, features, **options):
    """A LayerNorm with random numbers."""
    module = bg.normalize.LayerNorm(features, **options)
    module.weight.data[...], module.bias.data[...] = signed(rng, features), signed(rng, features)
    return module


@probe("12.8", asked="LayerNorm(3)(x) with x = [[1, 2, 6], [-4, 0, 4]], weight [1, 1, 1] and bias [0, 0, 0]")
def norm_of_two_rows(bg, rng):
    x = bg.Tensor([[1.0, 2.0, 6.0], [-4.0, 0.0, 4.0]])
    out = bg.normalize.LayerNorm(3)(x)
    return {"returned": array_in(out), "graph": drawn(bg, out)}


def ask_norm(name, shape, words="random x", offset=0.0, rtol=None, **options):
    """Register a question: LayerNorm of an x of this shape, there and back.  words, offset: about the numbers of x."""

    def question(bg, rng):
        x, module = bg.Tensor(offset + signed(rng, *shape)), normalizer(bg, rng, shape[-1], **options)
        return answer_and_way_back(bg, rng, module, x, {"x": x, "weight": module.weight, "bias": module.bias})

    layer = call_in_words("LayerNorm", str(shape[-1]), **options)
    asked = f"{layer}(x) and then backward, with {words} of shape {shape}, and a random weight and bias"
    probe("12.8", asked=asked, name=name, rtol=rtol)(question)


ask_norm("norm_of_rows", (4, 3))
ask_norm("norm_of_a_square", (3, 3))
ask_norm("norm_of_a_batch_of_rows", (2, 3, 4))
ask_norm("norm_of_one_row", (5,))
ask_norm("norm_far_from_zero", (2, 4), "x near 1000", offset=1000.0, rtol=1e-6)
ask_norm("norm_with_a_large_eps", (4, 3), eps=0.5)


@probe("12.8", asked="LayerNorm(3)(x) with x = [[100000001, 100000002, 100000006]]", rtol=1e-6)
def norm_very_far_from_zero(bg, rng):
    with np.errstate(all="ignore"):
        return {"returned": array_in(bg.normalize.LayerNorm(3)(bg.Tensor([[100000001.0, 100000002.0, 100000006.0]])))}


@probe(
    "12.8",
    asked="grad(LayerNorm(3)(x), x, out_grad, create_graph=True) with random x of shape (2, 3), and differentiated the "
    "gradient again",
    rtol=SLOPES_RTOL,
)
def norm_differentiated_again(bg, rng):
    x, above = bg.Tensor(signed(rng, 2, 3)), bg.Tensor(from_above(rng, 2, 3))
    share = bg.grad(normalizer(bg, rng, 3)(x), x, above, create_graph=True)
    name = "the gradient of x"
    return {name: array_in(share), **asked_again({name: share}, {"x": x, "out_grad": above}, rng)}


@probe("12.8", asked="LayerNorm(3)(x) with x = [[2, 2, 2], [0, 0, 0]]: rows without any spread")
def norm_of_constant_rows(bg, rng):
    with np.errstate(all="ignore"):
        return {"returned": array_in(normalizer(bg, rng, 3)(bg.Tensor([[2.0, 2.0, 2.0], [0.0, 0.0, 0.0]])))}


@probe(
    "12.8",
    asked=f"Dropout(p=0.4)(x) in training, and LayerNorm(256)(x), each with x of shape {LARGE} and then backward",
    slow=TOO_MANY_TO_NUDGE,
)
def large(bg, rng):
    numbers, above, answers = rng.normal(size=LARGE), rng.normal(size=LARGE), {}
    for module in (bg.normalize.Dropout(0.4, np.random.default_rng(7)), normalizer(bg, rng, 256)):
        x, name = bg.Tensor(numbers), type(module).__name__
        out = module(x)
        answers[f"the answer of {name}"] = array_in(out)
        if is_tensor(out) and out.requires_grad:
            out.backward(above)
        answers[f"x.grad after {name}"] = array_of(x.grad)
    return condensed(answers)


# 12.10: the hunt.


def the_run(bg, rng):
    first = round(float(rng.uniform(1, 9)), 1)
    return {"asked": {"first": first}, "the run": as_lists(bg.hunts.four_wrong_momentums(first))}


for _author in "ABCD":
    _asked = f"four_wrong_momentums({{first}}), and let {_author} run"
    probe("12.10", asked=_asked, name=f"catches_{_author}", secret=True)(the_run)
