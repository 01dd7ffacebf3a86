"""The questions of notebook 14."""

import numpy as np

from grader.asking.answers import Form, raised
from grader.course.questions import probe
from grader.probes.arrays import STILL_NONE, WRITTEN, condensed
from grader.probes.probing import LARGE
from grader.probes.recipe import recipe_of
from grader.probes.tensors import NO_RETURN, array_in, array_of, as_lists, dtype_of, is_tensor, kind_of, signed

TOO_MANY = (
    "This question has more than 65,000 numbers. What is done for each of them, such as nudging it or finding a row of "
    "a Jacobian or a Hessian, takes too long, or more memory than there is. Two backward passes take milliseconds."
)
HELD, ELSE = Form("what was there before"), Form("something else")


def leaves_of(bg, rng, *shapes):
    return [bg.Tensor(signed(rng, *shape)) for shape in shapes]


def moving(rng, *shape):
    """How fast something moves: both signs, two digits, no two alike (as good as never)."""
    return rng.normal(size=shape).round(2)


def held(before, now):
    """An answer: does it hold the same numbers as before?"""
    return HELD if np.array_equal(before, now) else ELSE


def untouched(*leaves):
    """An answer: has any of the leaves got a .grad?"""
    return {"the inputs' .grad afterwards": STILL_NONE if all(x.grad is None for x in leaves) else WRITTEN}


def each_of(returned, names, kind="a tuple of {}"):
    """Answers: is it a sequence with a Tensor for each of the names, and which numbers are in them?"""
    if not isinstance(returned, (tuple, list)) or len(returned) != len(names):
        return {"the answer": Form(kind_of(returned, NO_RETURN))}
    return {"the answer": Form(kind.format(len(names)))} | {name: array_in(x) for name, x in zip(names, returned)}


def in_pair(returned):
    """Answers of jvp."""
    return each_of(returned, ["the result", "the tangent"], "a pair")


def requires_grad(**things):
    """Answers: which of them require grad, and as what?"""
    return {f"requires_grad of the {name}": Form(wish_of(x)) for name, x in things.items()}


def wish_of(x):
    """requires_grad of a Tensor, in words; whatever else it is wants no gradient."""
    if not (is_tensor(x) and x.requires_grad):
        return "False"
    return "True (it is a leaf)" if x._op is None else "True (it was recorded)"


def in_tuple(names):
    """A function of what hvp returned for several inputs: answers."""
    return lambda returned: each_of(returned, [f"the product for {name}" for name in names])


PLACES, NEAR = "the number of places near the inputs at which fn was called", 0.005


def answered(call, fn, inputs, others, told):
    """Answers of call(fn, inputs, others), which is jvp or hvp.  told(returned): answers.

    Who nudges calls fn near the inputs. Nothing else is told then: the numbers depend on how far the nudge goes.
    """
    here, away = in_a_row(inputs if isinstance(inputs, tuple) else (inputs,)), []

    def noting(*things):
        there = in_a_row(things)
        away.append(np.abs(there - here).max() if there.shape == here.shape else np.inf)
        return fn(*things)

    returned = call(noting, inputs, others)
    if any(0 < distance < NEAR for distance in away):
        return {PLACES: Form("more than one")}
    return {PLACES: Form("one")} | told(returned)


def in_a_row(things):
    """All numbers of Tensors, in a new array; none if something else is among them."""
    return np.concatenate([x.data.ravel() for x in things]) if all(map(is_tensor, things)) else np.empty(0)


# 14.1: jvp.


@probe("14.1", asked="jvp(lambda x: x * x, x, v) for x = {x}, v = {v}")
def of_squares(bg, rng):
    (x,), v = leaves_of(bg, rng, (3,)), moving(rng, 3)
    asked = {"asked": {"x": x.data.tolist(), "v": v.tolist()}}
    return asked | answered(bg.higher.jvp, lambda x: x * x, x, v, lambda found: in_pair(found) | untouched(x))


@probe("14.1", asked="jvp(lambda x: x @ w, x, v) for x = {x}, v = {v} and the constant w = {w}")
def of_a_matrix(bg, rng):
    (x,), v = leaves_of(bg, rng, (2,)), moving(rng, 2)
    w = bg.Tensor(moving(rng, 2, 2), requires_grad=False)
    asked = {"asked": {"x": x.data.tolist(), "v": v.tolist(), "w": w.data.tolist()}}
    return asked | answered(bg.higher.jvp, lambda x: x @ w, x, v, in_pair)


@probe("14.1", asked="jvp(lambda x: (x * x).sum(), x, v) for x = {x}, v = {v}")
def of_a_number(bg, rng):
    (x,), v = leaves_of(bg, rng, (3,)), moving(rng, 3)
    asked = {"asked": {"x": x.data.tolist(), "v": v.tolist()}}
    return asked | answered(bg.higher.jvp, lambda x: (x * x).sum(), x, v, in_pair)


@probe("14.1", asked="jvp(lambda x, w: (x @ w).tanh(), (x, w), (v, u)), of shapes (2, 3) and (3, 4)")
def two_inputs(bg, rng):
    x, w = leaves_of(bg, rng, (2, 3), (3, 4))
    tangents = moving(rng, 2, 3), moving(rng, 3, 4)
    before = [tangent.copy() for tangent in tangents]

    def told(found):
        same = all(map(np.array_equal, tangents, before))
        return in_pair(found) | untouched(x, w) | {"what the tangents hold afterwards": HELD if same else ELSE}

    return answered(bg.higher.jvp, lambda x, w: (x @ w).tanh(), (x, w), tangents, told)


@probe("14.1", asked="jvp(lambda x, y: x.exp(), (x, y), (v, u)): fn does not use y")
def one_does_not_matter(bg, rng):
    inputs = tuple(leaves_of(bg, rng, (2,), (3,)))
    return answered(bg.higher.jvp, lambda x, y: x.exp(), inputs, (moving(rng, 2), moving(rng, 3)), in_pair)


@probe("14.1", asked="jvp(lambda x: x.sum(axis=0), x, v), x of shape (3, 2), where fn counts its calls")
def called_once(bg, rng):
    (x,), calls = leaves_of(bg, rng, (3, 2)), []

    def fn(x):
        calls.append(x)
        return x.sum(axis=0)

    def told(found):
        return in_pair(found) | {"the number of calls of fn": len(calls)}

    return answered(bg.higher.jvp, fn, x, moving(rng, 3, 2), told)


@probe("14.1", asked="jvp(lambda x: x * x, x, v), and looked whether what it returned requires grad")
def constants(bg, rng):
    (x,), v = leaves_of(bg, rng, (3,)), moving(rng, 3)
    return answered(bg.higher.jvp, lambda x: x * x, x, v, about_pair(requires_grad))


@probe("14.1", asked="jvp(lambda x: x * x, x, v), where x holds numbers of dtype float32")
def float32_stays_float32(bg, rng):
    x, v = bg.Tensor(signed(rng, 3), dtype="float32"), moving(rng, 3)
    return answered(bg.higher.jvp, lambda x: x * x, x, v, about_pair(dtypes))


def about_pair(told):
    """A function of what jvp returned: answers, of told(result=, tangent=) if it is a pair."""

    def about(returned):
        form = in_pair(returned)["the answer"]
        parts = told(result=returned[0], tangent=returned[1]) if form.words == "a pair" else {}
        return {"the answer": form} | parts

    return about


def dtypes(**things):
    """Answers: which dtype do they have?"""
    return {f"the dtype of the {name}": dtype_of(x) for name, x in things.items()}


@probe("14.1", asked=f"jvp(lambda x, y: x * y + x, (x, y), (v, u)), all of shape {LARGE}", slow=TOO_MANY)
def a_large_one(bg, rng):
    inputs, tangents = tuple(leaves_of(bg, rng, LARGE, LARGE)), (moving(rng, *LARGE), moving(rng, *LARGE))
    return condensed(answered(bg.higher.jvp, lambda x, y: x * y + x, inputs, tangents, in_pair))


# 14.2: hvp.


@probe("14.2", asked="hvp(lambda x: (x * x * x).sum(), x, v) for x = {x}, v = {v}")
def of_cubes(bg, rng):
    (x,), v = leaves_of(bg, rng, (2,)), moving(rng, 2)
    asked = {"asked": {"x": x.data.tolist(), "v": v.tolist()}}

    def told(found):
        return {"returned": array_in(found)} | untouched(x)

    return asked | answered(bg.higher.hvp, lambda x: (x * x * x).sum(), x, v, told)


@probe("14.2", asked="hvp(lambda x: x.sum() ** 3, x, v) for x = {x}, v = {v}")
def all_meet_all(bg, rng):
    (x,), v = leaves_of(bg, rng, (2,)), moving(rng, 2)
    asked = {"asked": {"x": x.data.tolist(), "v": v.tolist()}}
    return asked | answered(bg.higher.hvp, lambda x: x.sum() ** 3, x, v, lambda found: {"returned": array_in(found)})


@probe("14.2", asked="hvp(lambda x, y: (x * y).sum(), (x, y), (v, u)) for v = {v}, u = {u}")
def of_a_product(bg, rng):
    inputs = tuple(leaves_of(bg, rng, (2,), (2,)))
    v, u = moving(rng, 2), moving(rng, 2)
    asked = {"asked": {"v": v.tolist(), "u": u.tolist()}}
    return asked | answered(bg.higher.hvp, lambda x, y: (x * y).sum(), inputs, (v, u), in_tuple("xy"))


@probe("14.2", asked="hvp(lambda w, b: ((x @ w + b).tanh() ** 2).mean(), (w, b), (v, u)), x of shape (5, 3), w (3, 2)")
def of_a_layer(bg, rng):
    inputs = tuple(leaves_of(bg, rng, (3, 2), (2,)))
    x = bg.Tensor(moving(rng, 5, 3), requires_grad=False)
    vectors = moving(rng, 3, 2), moving(rng, 2)
    return answered(bg.higher.hvp, lambda w, b: ((x @ w + b).tanh() ** 2).mean(), inputs, vectors, in_tuple("wb"))


@probe("14.2", asked="hvp(lambda x, y: (x * 3).sum() + y.exp().sum(), (x, y), (v, u)): straight in x")
def one_is_straight(bg, rng):
    inputs = tuple(leaves_of(bg, rng, (2,), (3,)))
    vectors = moving(rng, 2), moving(rng, 3)
    return answered(bg.higher.hvp, lambda x, y: (x * 3).sum() + y.exp().sum(), inputs, vectors, in_tuple("xy"))


@probe("14.2", asked=f"hvp(lambda x: (x * x * x).sum() / 6, x, v), x of shape {LARGE}", slow=TOO_MANY)
def a_large_product(bg, rng):
    (x,), v = leaves_of(bg, rng, LARGE), moving(rng, *LARGE)

    def told(found):
        return {"the product": array_in(found)}

    return condensed(answered(bg.higher.hvp, lambda x: (x * x * x).sum() / 6, x, v, told))


@probe("14.2", asked="hvp(lambda x: (x * x * x).sum(), x, v), and looked whether the product requires grad")
def a_constant_product(bg, rng):
    (x,), v = leaves_of(bg, rng, (2,)), moving(rng, 2)
    return answered(bg.higher.hvp, lambda x: (x * x * x).sum(), x, v, lambda found: requires_grad(product=found))


# 14.3: hessian.


def ask_hessian(name, asked, fn, shape, show=True):
    given = " for x = {x}" if show else f", x of shape {shape}"

    @probe("14.3", asked=f"hessian(lambda x: {asked}, x){given}", name=name)
    def second_derivatives(bg, rng):
        (x,) = leaves_of(bg, rng, shape)
        answers = {"returned": array_in(bg.higher.hessian(fn, x))} | untouched(x)
        return answers | ({"asked": {"x": x.data.tolist()}} if show else {})


ask_hessian("bent_by_itself", "(x * x * x).sum()", lambda x: (x * x * x).sum(), (2,))
ask_hessian("one_number", "x * x * x", lambda x: x * x * x, ())
ask_hessian("all_bent_by_all", "(x * x).sum() * x.sum()", lambda x: (x * x).sum() * x.sum(), (3,))
ask_hessian("straight", "(x * 5).sum()", lambda x: (x * 5).sum(), (2,))
ask_hessian("of_a_table", "(x @ x).tanh().sum()", lambda x: (x @ x).tanh().sum(), (2, 2), show=False)
ask_hessian("a_row_and_a_column", "(x.sum(axis=0) ** 3).sum()", lambda x: (x.sum(axis=0) ** 3).sum(), (2, 3), False)


@probe("14.3", asked="hessian(lambda x: (x * x * x).sum(), x), and looked whether it requires grad")
def a_constant_hessian(bg, rng):
    (x,) = leaves_of(bg, rng, (2,))
    return requires_grad(Hessian=bg.higher.hessian(lambda x: (x * x * x).sum(), x))


@probe("14.3", asked="hessian(lambda x: (x * x * x).sum(), x), where x holds numbers of dtype float32")
def a_float32_hessian(bg, rng):
    x = bg.Tensor(signed(rng, 2), dtype="float32")
    return dtypes(Hessian=bg.higher.hessian(lambda x: (x * x * x).sum(), x))


# 14.4: Newton's method.

SOLVED = 1e-9  # equations can be solved in several ways, which differ in the last digits


def a_parabola(bg, rng, n):
    """A function of a Tensor (n,): a parabola that bends upwards in all directions, its axes askew."""
    root, bottom = rng.normal(size=(n, n)).round(1) + 2 * np.eye(n), bg.Tensor(moving(rng, n), requires_grad=False)
    root = bg.Tensor(root, requires_grad=False)

    def height(x):
        return (((x - bottom) @ root) ** 2).sum()

    return height


def step_as_answers(returned, x, before):
    """Answers: where the step leads, what kind of thing that is, and is x as before?"""
    answers = {"returned": array_in(returned), "what x holds afterwards": held(before, x.data)} | untouched(x)
    if is_tensor(returned):
        fresh = returned._op is None and returned.requires_grad and returned is not x
        answers["what it returned"] = Form("a new leaf" if fresh else "no new leaf that requires grad")
    return answers


@probe("14.4", asked="newton_step(lambda x: (x * x * x).sum() / 3, x) for x = {x}", rtol=SOLVED)
def on_cubes(bg, rng):
    (x,) = leaves_of(bg, rng, (2,))
    before = x.data.copy()
    returned = bg.higher.newton_step(lambda x: (x * x * x).sum() / 3, x)
    return {"asked": {"x": before.tolist()}} | step_as_answers(returned, x, before)


@probe("14.4", asked="newton_step on a parabola of 3 numbers whose axes are askew", rtol=SOLVED)
def on_a_parabola(bg, rng):
    fn, (x,) = a_parabola(bg, rng, 3), leaves_of(bg, rng, (3,))
    return step_as_answers(bg.higher.newton_step(fn, x), x, x.data.copy())


THREE_STEPS = "newton_step(lambda x: x.exp().sum() + x[0] * x[1] * 0.5, x), three steps, from (0.3, -0.2)"


@probe("14.4", asked=THREE_STEPS, rtol=SOLVED)
def three_steps(bg, rng):
    x = bg.Tensor([0.3, -0.2])
    for _ in range(3):
        x = bg.higher.newton_step(lambda x: x.exp().sum() + x[0] * x[1] * 0.5, x)
    return {"the place after three steps": array_in(x)}


@probe("14.4", asked="newton_step(lambda x: (x * 3).sum(), x), where nothing bends")
def where_nothing_bends(bg, rng):
    (x,) = leaves_of(bg, rng, (2,))
    return {"returned": raised(lambda: array_in(bg.higher.newton_step(lambda x: (x * 3).sum(), x)))}


@probe("14.4", asked="newton_step(lambda x: (x * x * x).sum() / 3, x), where x holds numbers of dtype float32")
def a_float32_step(bg, rng):
    x = bg.Tensor(signed(rng, 2), dtype="float32")
    return {"the dtype of what it returned": dtype_of(bg.higher.newton_step(lambda x: (x * x * x).sum() / 3, x))}


# 14.5: the gradient penalty.


class SmallNet:
    """A model of points (N, 2), with two weights."""

    def __init__(self, bg, rng):
        self.weights = bg.Tensor(moving(rng, 2, 4)), bg.Tensor(moving(rng, 4, 1))

    def __call__(self, x):
        w, v = self.weights
        return (x @ w).tanh() @ v

    def parameters(self):
        return list(self.weights)

    def zero_grad(self):
        for weight in self.weights:
            weight.grad = None


@probe("14.5", asked="gradient_penalty(lambda x: x @ w, points) for w = {w} and four points")
def of_a_plane(bg, rng):
    w = bg.Tensor(moving(rng, 2))
    found = bg.higher.gradient_penalty(lambda x: x @ w, moving(rng, 4, 2))
    return {"asked": {"w": w.data.tolist()}, "returned": array_in(found)}


@probe("14.5", asked="gradient_penalty(lambda x: (x * x).sum(axis=1), points) for points = {points}")
def of_a_bowl(bg, rng):
    points = moving(rng, 3, 2)
    found = bg.higher.gradient_penalty(lambda x: (x * x).sum(axis=1), points)
    return {"asked": {"points": points.tolist()}, "returned": array_in(found)}


@probe("14.5", asked="gradient_penalty(net, points) of a net with tanh, scores of shape (6, 1)")
def of_a_net(bg, rng):
    model, points = SmallNet(bg, rng), moving(rng, 6, 2)
    before = points.copy()
    found = bg.higher.gradient_penalty(model, points)
    answers = {"returned": array_in(found), "what the points hold afterwards": held(before, points)}
    return answers | untouched(*model.weights)


@probe("14.5", asked="gradient_penalty(net, points).backward(), and looked at the gradients of the net's weights")
def what_weights_get(bg, rng):
    model = SmallNet(bg, rng)
    found = bg.higher.gradient_penalty(model, moving(rng, 6, 2))
    if not is_tensor(found):
        return {"the penalty": Form(kind_of(found, NO_RETURN))}
    if not found.requires_grad:
        return {"the penalty": Form("a Tensor that requires no grad")}
    found.backward()
    gradients = {f"the gradient of {name}": array_of(x.grad) for name, x in zip("wv", model.weights)}
    return {"the penalty": Form("a Tensor that requires grad")} | gradients


@probe("14.5", asked="gradient_penalty(net, points) of a net whose weights have gathered a gradient already")
def what_was_gathered(bg, rng):
    model = SmallNet(bg, rng)
    for weight in model.weights:
        weight.grad = moving(rng, *weight.shape)
    before = [weight.grad.copy() for weight in model.weights]
    bg.higher.gradient_penalty(model, moving(rng, 6, 2))
    same = all(np.array_equal(old, weight.grad) for old, weight in zip(before, model.weights))
    return {"what the weights have in .grad afterwards": HELD if same else ELSE}


# 14.6: descent that is recorded.


def bent(*weights):
    """A loss in which all weights meet, and none of which is a parabola."""
    first, second = weights
    return (first.exp() * second).sum() + (second**4).sum() + (first * first).sum()


BENT = "(a.exp() * b).sum() + (b ** 4).sum() + (a * a).sum()"


def places_as_answers(returned, names):
    """Answers of descended."""
    return each_of(returned, [f"{name} at the end" for name in names])


def are_tensors(returned, count):
    return isinstance(returned, (tuple, list)) and len(returned) == count and all(map(is_tensor, returned))


@probe("14.6", asked="descended(lambda w: (w * w).sum(), [w], 0.1, 1) for w = {w}")
def one_step(bg, rng):
    (w,) = leaves_of(bg, rng, (2,))
    before = w.data.copy()
    returned = bg.higher.descended(lambda w: (w * w).sum(), [w], 0.1, 1)
    answers = places_as_answers(returned, "w") | {"what w itself holds afterwards": held(before, w.data)} | untouched(w)
    return {"asked": {"w": before.tolist()}} | answers


@probe(
    "14.6", asked="descended(lambda w: (w * w).sum(), [w], lr, 1), then the gradients of the new loss by lr and by w"
)
def one_step_by_lr(bg, rng):
    (w,), lr = leaves_of(bg, rng, (2,)), bg.Tensor(0.1)
    returned = bg.higher.descended(lambda w: (w * w).sum(), [w], lr, 1)
    if not are_tensors(returned, 1):
        return {"the answer": Form(kind_of(returned, NO_RETURN))}
    of_lr, of_w = bg.grad((returned[0] * returned[0]).sum(), [lr, w])
    return {"the gradient of lr": array_in(of_lr), "the gradient of w": array_in(of_w)}


def by_lr(bg, loss_fn, weights, lr, steps):
    returned = bg.higher.descended(loss_fn, weights, lr, steps)
    if not are_tensors(returned, len(weights)):
        return {"the answer": Form(kind_of(returned, NO_RETURN))}
    return {"the gradient of lr": array_in(bg.grad(loss_fn(*returned), lr))}


@probe("14.6", asked=f"descended(loss, [a, b], 0.05, 3) for the loss {BENT}")
def three_steps_of_two(bg, rng):
    return places_as_answers(bg.higher.descended(bent, leaves_of(bg, rng, (2,), (2,)), 0.05, 3), "ab")


@probe("14.6", asked=f"descended(loss, [a, b], lr, 3), then the gradient of the new loss by lr, for the loss {BENT}")
def three_steps_by_lr(bg, rng):
    return by_lr(bg, bent, leaves_of(bg, rng, (2,), (2,)), bg.Tensor(0.05), 3)


@probe("14.6", asked=f"descended(loss, [a, b], 0.05, 3), then the gradient of the new loss by the first a: {BENT}")
def three_steps_by_the_start(bg, rng):
    a, b = leaves_of(bg, rng, (2,), (2,))
    returned = bg.higher.descended(bent, [a, b], 0.05, 3)
    if not are_tensors(returned, 2):
        return {"the answer": Form(kind_of(returned, NO_RETURN))}
    return {"the gradient of the first a": array_in(bg.grad(bent(*returned), a))}


@probe("14.6", asked="descended(lambda w: (w * w).sum(), [w], 0.1, 0): no step at all, w = {w}")
def no_step(bg, rng):
    (w,) = leaves_of(bg, rng, (2,))
    returned = bg.higher.descended(lambda w: (w * w).sum(), [w], 0.1, 0)
    return {"asked": {"w": w.data.tolist()}} | places_as_answers(returned, "w")


# 14.7: the hunt.

LEAVES = {"x": 2.0, "y": 3.0}


def the_question(bg, rng):
    vector, speed = [None], int(rng.integers(2, 10))

    def build(x, y):
        returned = bg.hunts.three_products(x, y, speed)
        if not isinstance(returned, (tuple, list)) or len(returned) != 2:
            return returned
        vector[0] = as_lists(returned[1])
        return returned[0]

    recipe = recipe_of(build, **LEAVES)
    return {"asked": {"speed": speed}, "recipe": recipe, "vector": vector[0]}


for _author in ("Ada", "Ben", "Cleo"):
    _asked = f"three_products(x, y, {{speed}}), and asked {_author} for the product"
    probe("14.7", asked=_asked, name=f"catches_{_author}", secret=True)(the_question)
