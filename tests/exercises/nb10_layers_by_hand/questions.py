"""The questions of notebook 10."""

import re
import tracemalloc

import numpy as np

from grader.asking.answers import Form, raised
from grader.course.phrases import listed
from grader.course.questions import probe
from grader.probes.arrays import asked_again, asked_once_more, condensed, listened_to
from grader.probes.probing import LARGE, SLOPES_RTOL, TOO_MANY_TO_NUDGE, rules_of
from grader.probes.tensors import (
    array_in,
    array_of,
    as_lists,
    asked_of_rule,
    call_in_words,
    dtype_of,
    from_above,
    is_tensor,
    labelled,
    number_of,
    picture,
    signed,
)

# What the questions have in common.


def in_brackets(array):
    """An array as Python writes a list."""
    return str((np.asarray(array) + 0.0).tolist())


def state(is_as_before):
    """The answer to: which content does it have now?"""
    return Form("the one from before") if is_as_before else Form("another one")


def there_and_back(layer, x, dout):
    """The answer of a layer, and what comes back."""
    answer = array_of(layer.forward(x))
    return {"the answer of forward": answer, "the gradient of x": array_of(layer.backward(dout))}


def ask_far_out(id, name, asked, question):
    """Register two questions: the answers, and then NumPy's warnings on the way to them.

    Whether somebody has silenced a warning says nothing about the numbers, so the two are never compared together.
    """

    def answers(bg, rng):
        with np.errstate(all="ignore"):
            return question(bg, rng)

    def warned(bg, rng):
        return {"the list of NumPy's warnings": listened_to(lambda: question(bg, rng))[1]}

    probe(id, asked=asked, name=name)(answers)
    heard = f"{asked}, and listened for NumPy's warnings"
    probe(id, asked=heard, name=f"{name}_without_a_warning", listens=True)(warned)


# 10.1: Linear.


def linear_layer(bg, weight, bias):
    """A Linear with these numbers."""
    layer = bg.layers.Linear(*weight.shape, rng=np.random.default_rng(0))
    layer.weight, layer.bias = weight.copy(), bias.copy()
    return layer


def a_linear(bg, rng, n_in, n_out):
    """A Linear with random numbers."""
    return linear_layer(bg, signed(rng, n_in, n_out), signed(rng, n_out))


def back_through_linear(layer, dout):
    """The three gradients of a Linear."""
    dx = layer.backward(dout)
    return {
        "the gradient of x": array_of(dx),
        "dweight": array_of(layer.dweight),
        "dbias": array_of(layer.dbias),
    }


def through_linear(bg, rng, n, n_in, n_out):
    """The answer and the gradients of a random Linear for a random batch of n rows."""
    layer = a_linear(bg, rng, n_in, n_out)
    answer = layer.forward(signed(rng, n, n_in))
    return {"the answer of forward": array_of(answer), **back_through_linear(layer, from_above(rng, n, n_out))}


@probe("10.1", asked="forward(x) for x = [[1, -2], [0, 3]], weight = [[2, 0, -1], [1, 4, 0.5]], bias = [10, 20, 30]")
def two_rows_forward(bg, rng):
    layer = linear_layer(bg, np.array([[2.0, 0.0, -1.0], [1.0, 4.0, 0.5]]), np.array([10.0, 20.0, 30.0]))
    return {"returned": array_of(layer.forward(np.array([[1.0, -2.0], [0.0, 3.0]])))}


def ask_one_gradient(name):
    """Register a question: one of the three gradients alone, so that each of several mistakes is told in its turn."""

    @probe(
        "10.1",
        asked="forward(x) and backward(dout) for x = [[2, -3], [1, 4], [0, -1]], weight = [[1, 0], [5, -1]], "
        f"bias = [0.5, -2], dout = [[4, -1], [0.5, 3], [-2, 6]], and looked at {name}",
        name=f"three_rows_{name.replace(' ', '_')}",
    )
    def three_rows_back(bg, rng):
        layer = linear_layer(bg, np.array([[1.0, 0.0], [5.0, -1.0]]), np.array([0.5, -2.0]))
        layer.forward(np.array([[2.0, -3.0], [1.0, 4.0], [0.0, -1.0]]))
        return {name: back_through_linear(layer, np.array([[4.0, -1.0], [0.5, 3.0], [-2.0, 6.0]]))[name]}


for _name in ("the gradient of x", "dweight", "dbias"):
    ask_one_gradient(_name)


@probe(
    "10.1",
    asked="forward(x) and backward(dout) for the one row x = [[2, -3]], weight = [[1, 0, 2], [5, -1, 3]], "
    "bias = [0.5, 1, -2], dout = [[4, -1, 0.5]]",
)
def one_row_back(bg, rng):
    layer = linear_layer(bg, np.array([[1.0, 0.0, 2.0], [5.0, -1.0, 3.0]]), np.array([0.5, 1.0, -2.0]))
    layer.forward(np.array([[2.0, -3.0]]))
    return back_through_linear(layer, np.array([[4.0, -1.0, 0.5]]))


@probe("10.1", asked="forward(x) and backward(dout) for x of shape (4, 3), weight (3, 2), dout (4, 2)")
def rectangles(bg, rng):
    return through_linear(bg, rng, 4, 3, 2)


@probe("10.1", asked="forward(x) and backward(dout) for x of shape (3, 3), weight (3, 3), dout (3, 3)")
def squares(bg, rng):
    return through_linear(bg, rng, 3, 3, 3)


@probe(
    "10.1",
    asked="forward(x), backward(dout) for x of shape (4, 3), and then forward and backward for another x, of shape "
    "(2, 3), in the same layer",
)
def one_batch_after_the_other(bg, rng):
    layer = a_linear(bg, rng, 3, 2)
    for n in (4, 2):
        layer.forward(signed(rng, n, 3))
        answers = back_through_linear(layer, from_above(rng, n, 2))
    return {f"after the second time {name}": answer for name, answer in answers.items()}


@probe(
    "10.1",
    asked="forward(x) and backward(dout), then changed the numbers of weight and bias in place, and called forward and "
    "backward once more",
)
def after_a_step_of_training(bg, rng):
    layer, x, dout = a_linear(bg, rng, 3, 2), signed(rng, 4, 3), from_above(rng, 4, 2)
    there_and_back(layer, x, dout)
    layer.weight *= -0.375
    layer.bias += 2.5
    answers = {"the answer of forward": array_of(layer.forward(x)), **back_through_linear(layer, dout)}
    return {f"after the second time {name}": answer for name, answer in answers.items()}


@probe("10.1", asked="forward(x), backward(dout), and once more backward, with another dout")
def linear_twice_back(bg, rng):
    layer = a_linear(bg, rng, 3, 2)
    layer.forward(signed(rng, 4, 3))
    layer.backward(from_above(rng, 4, 2))
    answers = back_through_linear(layer, from_above(rng, 4, 2))
    return {f"after the second backward {name}": answer for name, answer in answers.items()}


@probe("10.1", asked="forward(x) and backward(dout), and looked at x, weight, bias and dout")
def nothing_is_changed(bg, rng):
    layer, x, dout = a_linear(bg, rng, 3, 2), signed(rng, 4, 3), from_above(rng, 4, 2)
    before = {name: array.copy() for name, array in {"x": x, "dout": dout, **layer.named_parameters()}.items()}
    layer.forward(x)
    layer.backward(dout)
    after = {"x": x, "dout": dout, **layer.named_parameters()}
    return {f"the content of {name}": state(np.array_equal(before[name], after[name])) for name in before}


@probe("10.1", asked="backward(dout) of a new Linear, without any forward")
def linear_backward_first(bg, rng):
    layer = a_linear(bg, rng, 3, 2)
    return {"backward before forward": raised(lambda: layer.backward(from_above(rng, 4, 2)), naming="forward")}


@probe(
    "10.1",
    asked=f"forward(x) and backward(dout) for x, weight and dout of shape {LARGE}, and bias of shape (256,)",
    slow=TOO_MANY_TO_NUDGE,
)
def large(bg, rng):
    layer = linear_layer(bg, rng.normal(size=LARGE), rng.normal(size=256))
    layer.forward(rng.normal(size=LARGE))
    return condensed(back_through_linear(layer, rng.normal(size=LARGE)))


# 10.2: the layers that work number by number.

ACTIVATIONS = ("ReLU", "Tanh", "Sigmoid")


def ask_activation(name):
    """Register a question: a row with a negative number, a positive one and 0, there and back."""
    asked = f"{name}: forward(x) and backward(dout) for x = {{x}}, dout = {{dout}}"

    @probe("10.2", asked=asked, name=f"{name}_of_a_row")
    def a_row(bg, rng):
        x, dout = np.append(signed(rng, 1, 2), [[0.0]], axis=1), from_above(rng, 1, 3)
        answers = there_and_back(getattr(bg.layers, name)(), x, dout)
        return {"asked": {"x": in_brackets(x), "dout": in_brackets(dout)}, **answers}


for _name in ACTIVATIONS:
    ask_activation(_name)


@probe("10.2", asked="forward(x) and backward(dout) of each of the three for x and dout of shape (2, 3, 4)")
def three_axes(bg, rng):
    answers = {}
    for name in ACTIVATIONS:
        found = there_and_back(getattr(bg.layers, name)(), signed(rng, 2, 3, 4), from_above(rng, 2, 3, 4))
        answers |= {f"for {name}, {what}": array for what, array in found.items()}
    return answers


def ask_activation_far_out(name):
    """Register questions: is this layer right for large numbers, and without a warning?"""

    def back(bg, rng):
        x, dout = np.array([[-1000.0, -30.0, 30.0, 1000.0]]), np.array([[2.0, -3.0, 4.0, 5.0]])
        return there_and_back(getattr(bg.layers, name)(), x, dout)

    asked = f"{name}: forward(x) and backward(dout) for x = [[-1000, -30, 30, 1000]], dout = [[2, -3, 4, 5]]"
    ask_far_out("10.2", f"{name}_far_out", asked, back)


for _name in ("Tanh", "Sigmoid"):
    ask_activation_far_out(_name)


@probe(
    "10.2",
    asked="forward(x) of one layer, forward(y) of another of the same kind, and then backward(dout) of the first",
)
def two_of_a_kind(bg, rng):
    answers = {}
    for name in ACTIVATIONS:
        one, other = getattr(bg.layers, name)(), getattr(bg.layers, name)()
        one.forward(signed(rng, 2, 3))
        other.forward(-signed(rng, 2, 3))
        answers[f"for {name}, the gradient of x"] = array_of(one.backward(from_above(rng, 2, 3)))
    return answers


@probe("10.2", asked="forward(x) and backward(dout) of each of the three, and looked at x, dout and the answer")
def nothing_is_changed_number_by_number(bg, rng):
    answers = {}
    for name in ACTIVATIONS:
        layer, x, dout = getattr(bg.layers, name)(), signed(rng, 2, 3), from_above(rng, 2, 3)
        x_before, dout_before = x.copy(), dout.copy()
        answer = layer.forward(x)
        answer_before = np.copy(answer)
        layer.backward(dout)
        answers[f"for {name}, the content of x"] = state(np.array_equal(x, x_before))
        answers[f"for {name}, the content of dout"] = state(np.array_equal(dout, dout_before))
        answers[f"for {name}, the content of forward's answer"] = state(np.array_equal(answer, answer_before))
    return answers


@probe("10.2", asked="forward(x), backward(dout) and once more backward, with another dout, of each of the three")
def activation_twice_back(bg, rng):
    answers = {}
    for name in ACTIVATIONS:
        layer = getattr(bg.layers, name)()
        layer.forward(signed(rng, 2, 3))
        layer.backward(from_above(rng, 2, 3))
        answers[f"for {name}, the gradient of x at the second time"] = array_of(layer.backward(from_above(rng, 2, 3)))
    return answers


@probe("10.2", asked="backward(dout) of a new layer of each of the three kinds, without any forward")
def activation_backward_first(bg, rng):
    return {
        f"{name}.backward before forward": raised(
            lambda name=name: getattr(bg.layers, name)().backward(from_above(rng, 2, 3)), naming="forward"
        )
        for name in ACTIVATIONS
    }


@probe(
    "10.2",
    asked=f"forward(x) and backward(dout) of each of the three for x and dout of shape {LARGE}",
    slow=TOO_MANY_TO_NUDGE,
    rtol=1e-12,  # as in notebook 06: a slope of one line is right to the last digits
)
def large_number_by_number(bg, rng):
    x, dout, answers = 2 * rng.normal(size=LARGE), rng.normal(size=LARGE), {}
    for name in ACTIVATIONS:
        layer = getattr(bg.layers, name)()
        layer.forward(x.copy())
        answers[f"the gradient of x in {name}"] = array_of(layer.backward(dout.copy()))
    return condensed(answers)


# 10.3: Softmax.


@probe("10.3", asked="softmax_rows([[1, 2, 4], [0, 0, 0]])")
def rows_of_scores(bg, rng):
    return {"returned": array_of(bg.layers.softmax_rows(np.array([[1.0, 2.0, 4.0], [0.0, 0.0, 0.0]])))}


@probe("10.3", asked="softmax_rows(scores) for scores of shape (3, 3), and looked at the scores")
def a_square_of_scores(bg, rng):
    scores = signed(rng, 3, 3)
    before = scores.copy()
    answer = array_of(bg.layers.softmax_rows(scores))
    return {"returned": answer, "the content of scores": state(np.array_equal(scores, before))}


def rows_far_out(bg, rng):
    scores = np.array([[1000.0, 999.0, 0.0], [-1000.0, -1001.0, -1002.0], [5.0, -np.inf, 4.0]])
    return {"returned": array_of(bg.layers.softmax_rows(scores))}


ask_far_out(
    "10.3",
    "scores_far_out",
    "softmax_rows([[1000, 999, 0], [-1000, -1001, -1002], [5, -inf, 4]])",
    rows_far_out,
)


@probe("10.3", asked="softmax_jacobian(p) for p = {p}, and looked at p")
def the_jacobian(bg, rng):
    p = np.exp(signed(rng, 3))
    p /= p.sum()
    before = p.copy()
    jacobian = array_of(bg.layers.softmax_jacobian(p))
    return {"asked": {"p": in_brackets(p)}, "returned": jacobian, "the content of p": state(np.array_equal(p, before))}


@probe(
    "10.3",
    asked="Softmax: forward(x) and backward(dout) for x = [[0, log 3], [log 4, 0]], dout = [[5, -1], [2, -3]]",
)
def two_rows_of_softmax(bg, rng):
    x, dout = np.array([[0.0, np.log(3.0)], [np.log(4.0), 0.0]]), np.array([[5.0, -1.0], [2.0, -3.0]])
    return there_and_back(bg.layers.Softmax(), x, dout)


@probe("10.3", asked="Softmax: forward(x) and backward(dout) for x and dout of shape (2, 4)")
def rows_there_and_back(bg, rng):
    return there_and_back(bg.layers.Softmax(), signed(rng, 2, 4), from_above(rng, 2, 4))


@probe("10.3", asked="Softmax: forward(x) and backward(dout) for x and dout of shape (3, 3)")
def a_square_there_and_back(bg, rng):
    return there_and_back(bg.layers.Softmax(), signed(rng, 3, 3), from_above(rng, 3, 3))


@probe("10.3", asked="Softmax: forward(x), backward(dout) and once more backward(dout), and looked at dout")
def softmax_twice_back(bg, rng):
    layer, x, dout = bg.layers.Softmax(), signed(rng, 2, 3), from_above(rng, 2, 3)
    before, answer = dout.copy(), layer.forward(x)
    at_first = np.copy(answer)
    layer.backward(dout)
    return {
        "the gradient of x at the second time": array_of(layer.backward(dout)),
        "the content of dout": state(np.array_equal(dout, before)),
        "the content of forward's answer": state(np.array_equal(answer, at_first)),
    }


@probe("10.3", asked="backward(dout) of a new Softmax, without any forward")
def softmax_backward_first(bg, rng):
    layer = bg.layers.Softmax()
    return {"backward before forward": raised(lambda: layer.backward(from_above(rng, 2, 3)), naming="forward")}


@probe("10.3", asked=f"Softmax: forward(x) and backward(dout) for x and dout of shape {LARGE}", slow=TOO_MANY_TO_NUDGE)
def large_softmax(bg, rng):
    return condensed(there_and_back(bg.layers.Softmax(), rng.normal(size=LARGE), rng.normal(size=LARGE)))


MOST_ARRAYS = 10  # p * dout, the bracket, the product, and as many again
A_TABLE = CLASSES = 2000  # so many rows of the classes are one Jacobian


@probe("10.3", asked=f"Softmax: backward(dout) for one row of {CLASSES} classes, and measured the memory")
def memory_on_the_way_back(bg, rng):
    layer, dout = bg.layers.Softmax(), rng.normal(size=(1, CLASSES))
    layer.forward(rng.normal(size=dout.shape))
    arrays = min(arrays_made(layer, dout) for _ in range(4))
    return {"the memory it takes (counted in arrays like dout)": Form(memory_in_words(arrays))}


def arrays_made(layer, dout):
    """The most memory that a backward held, in arrays like dout.

    What the process does beside it counts too: the least of several is the rule's own.
    """
    tracemalloc.start()
    try:
        layer.backward(dout)
        return tracemalloc.get_traced_memory()[1] // dout.nbytes
    finally:
        tracemalloc.stop()


def memory_in_words(arrays):
    """How many arrays were made: roughly, as it depends on how they were multiplied."""
    if arrays <= MOST_ARRAYS:
        return f"at most {MOST_ARRAYS}"
    return f"{A_TABLE} or more" if arrays >= A_TABLE else str(arrays)


def softmax_far_out(bg, rng):
    x, dout = np.array([[1000.0, 999.0, -1000.0]]), np.array([[2.0, -3.0, 4.0]])
    with np.errstate(all="ignore"):  # the layer alone is listened to
        rows = bg.layers.softmax_rows(x)
    return {"the answer of softmax_rows": array_of(rows), **there_and_back(bg.layers.Softmax(), x, dout)}


ask_far_out(
    "10.3",
    "softmax_far_out",
    "softmax_rows(x), and Softmax: forward(x) and backward(dout), for x = [[1000, 999, -1000]], dout = [[2, -3, 4]]",
    softmax_far_out,
)


# 10.4: CrossEntropyLoss.


def loss_there_and_back(bg, scores, targets, *dout):
    """The loss, and what its backward gives for this dout, or without one."""
    loss = bg.layers.CrossEntropyLoss()
    value = number_of(loss.forward(scores, targets))
    return {"the loss": value, "the gradient of scores": array_of(loss.backward(*dout))}


@probe("10.4", asked="forward(scores, targets) for three rows of scores = [1, 1, 1, 1] and targets = [2, 0, 3]")
def no_idea_at_all(bg, rng):
    return {"returned": number_of(bg.layers.CrossEntropyLoss().forward(np.ones((3, 4)), np.array([2, 0, 3])))}


@probe("10.4", asked="forward(scores, targets) for scores = {scores} and targets = [2, 0]")
def two_samples(bg, rng):
    scores = signed(rng, 2, 3)
    value = number_of(bg.layers.CrossEntropyLoss().forward(scores, np.array([2, 0])))
    return {"asked": {"scores": in_brackets(scores)}, "returned": value}


@probe(
    "10.4",
    asked="forward(scores, targets) and backward() for scores = [[0, log 3, 0], [log 2, 0, 0]] and targets = [1, 0]",
)
def two_uneven_samples(bg, rng):
    scores = np.array([[0.0, np.log(3.0), 0.0], [np.log(2.0), 0.0, 0.0]])
    return loss_there_and_back(bg, scores, np.array([1, 0]))


@probe("10.4", asked="forward and backward(-2.5) for scores of shape (4, 3) and targets = [2, 0, 1, 1]")
def four_samples(bg, rng):
    return loss_there_and_back(bg, signed(rng, 4, 3), np.array([2, 0, 1, 1]), -2.5)


@probe("10.4", asked="forward and backward(0.5) for scores of shape (3, 3) and targets = [1, 2, 1]")
def a_square_of_samples(bg, rng):
    return loss_there_and_back(bg, signed(rng, 3, 3), np.array([1, 2, 1]), 0.5)


def ask_losses_far_out(name, scores, targets):
    """Register questions: is the loss right for scores like these, there and back, and without a warning?"""

    def losses(bg, rng):
        return loss_there_and_back(bg, np.array(scores, float), np.array(targets))

    ask_far_out("10.4", name, f"forward and backward() for scores = {scores} and targets = {targets}", losses)


ask_losses_far_out("a_row_far_below_another", [[1000, 999, 998], [-1000, -1001, -1002]], [1, 0])
ask_losses_far_out("losses_far_out", [[1000, -1000, 0], [-1000, 1000, 999]], [1, 2])


@probe("10.4", asked="forward and backward() for a single class: scores = [[3], [-2]] and targets = [0, 0]")
def a_single_class(bg, rng):
    return loss_there_and_back(bg, np.array([[3.0], [-2.0]]), np.array([0, 0]))


@probe("10.4", asked="forward(scores, targets), backward(), once more backward(), and looked at scores and targets")
def loss_twice_back(bg, rng):
    loss, scores, targets = bg.layers.CrossEntropyLoss(), signed(rng, 2, 3), np.array([2, 0])
    before = scores.copy()
    loss.forward(scores, targets)
    loss.backward()
    return {
        "the gradient of scores at the second time": array_of(loss.backward()),
        "the content of scores": state(np.array_equal(scores, before)),
        "the content of targets": state(targets.tolist() == [2, 0]),
    }


@probe("10.4", asked="backward() of a new CrossEntropyLoss, without any forward")
def loss_backward_first(bg, rng):
    loss = bg.layers.CrossEntropyLoss()
    return {"backward before forward": raised(loss.backward, naming="forward")}


@probe(
    "10.4", asked=f"forward and backward(-2.5) for scores of shape {LARGE} and random targets", slow=TOO_MANY_TO_NUDGE
)
def large_scores(bg, rng):
    return condensed(loss_there_and_back(bg, rng.normal(size=LARGE), rng.integers(0, 256, 256), -2.5))


# 10.6: the test by nudging.

TINY = 1e-6


def measured(error):
    """A relative error in words that do not depend on the last digits of nudging."""
    if isinstance(error, (bool, np.bool_)):
        return Form(str(error))
    if not isinstance(error, (int, float, np.floating)):
        return array_of(error)
    return Form("below 0.000001") if error < TINY else round(float(error), 3) + 0.0


def errors_of(bg, layer, x, **options):
    """The errors that eval_numerical_gradients found."""
    returned = bg.layers.eval_numerical_gradients(layer, x, **options)
    if not isinstance(returned, dict):
        return {"returned": array_of(returned)}
    return {
        "the list of names": sorted(map(str, returned)),
        **{f"the relative error of {name}": measured(returned[name]) for name in sorted(returned)},
    }


def rounded_errors(returned, *names, digits=6):
    """The errors of these names, where nudging is so coarse that they are known to some digits."""
    errors = {name: returned.get(name) if isinstance(returned, dict) else returned for name in names}
    return {f"the relative error of {name}": rounded(error, digits) for name, error in errors.items()}


def rounded(error, digits):
    if isinstance(error, (bool, np.bool_)):
        return Form(str(error))
    return round(float(error), digits) if isinstance(error, float) else array_of(error)


def layer_to_test(bg, factor_off=1.0, shift_off=1.0, x_off=1.0):
    """x² * factor + shift, with gradients that are off by a factor each.

    Each forward writes other numbers into its gradients. It writes down every dout in .seen.
    """

    class Tested(bg.layers.Layer):
        names = ("factor", "shift")

        def __init__(self):
            self.factor, self.shift = np.array([2.0, -0.5, 3.0]), np.array([0.25, 0.5, -4.0])
            self.dfactor, self.dshift, self.seen = np.zeros(3), np.zeros(3), []

        def forward(self, x):
            self.kept = x.copy()
            self.dfactor[...] = self.dshift[...] = 9
            return x**2 * self.factor + self.shift

        def backward(self, dout):
            self.seen.append(dout)
            x = self.from_forward()
            self.dfactor[...] = (dout * x**2).sum(axis=0) * factor_off
            self.dshift[...] = dout.sum(axis=0) * shift_off
            return dout * 2 * x * self.factor * x_off

    return Tested()


@probe("10.6", asked="eval_numerical_gradients(layer, x) for a layer whose gradients are right, x of shape (2, 3)")
def a_right_layer(bg, rng):
    return errors_of(bg, layer_to_test(bg), signed(rng, 2, 3))


@probe(
    "10.6",
    asked="eval_numerical_gradients(layer, x) for a layer whose gradient of factor is twice the right one, that of "
    "shift has the wrong sign, and that of x is 0",
)
def a_wrong_layer(bg, rng):
    return errors_of(bg, layer_to_test(bg, factor_off=2.0, shift_off=-1.0, x_off=0.0), signed(rng, 2, 3))


@probe(
    "10.6",
    asked="eval_numerical_gradients(layer, x) for a layer whose gradients of factor, shift and x are {factor}, {shift} "
    "and {x} times the right ones",
)
def a_layer_off_by_some_factors(bg, rng):
    off = rng.uniform(1.5, 6, 3).round(2).tolist()
    return {
        "asked": dict(zip(("factor", "shift", "x"), off)),
        **errors_of(bg, layer_to_test(bg, *off), signed(rng, 2, 3)),
    }


def softmax_to_test(bg, back):
    """A softmax whose gradient is back(its answer, dout)."""

    class Tested(bg.layers.Layer):
        def forward(self, x):
            e = np.exp(x)
            self.kept = e / e.sum(axis=1, keepdims=True)
            return self.kept

        def backward(self, dout):
            return back(self.from_forward(), dout)

    return Tested()


@probe(
    "10.6",
    asked="eval_numerical_gradients(layer, x) for a right softmax, for one whose backward always answers 0, and for a "
    "right layer that works number by number",
)
def two_softmaxes(bg, rng):
    x = signed(rng, 2, 3)
    right = softmax_to_test(bg, lambda p, dout: p * (dout - (p * dout).sum(axis=1, keepdims=True)))
    lazy = softmax_to_test(bg, lambda p, dout: 0 * dout)
    answers = {}
    layers = {"the right softmax": right, "the one that answers 0": lazy, "the third layer": layer_to_test(bg)}
    for which, layer in layers.items():
        answers |= {f"for {which}, {name}": answer for name, answer in errors_of(bg, layer, x).items()}
    return answers


@probe("10.6", asked="eval_numerical_gradients(layer, x), and looked at x and the layer's parameters")
def all_is_left_as_it_was(bg, rng):
    layer, x = layer_to_test(bg), signed(rng, 2, 3)
    arrays = {"x": x, **layer.named_parameters()}
    before = {name: array.copy() for name, array in arrays.items()}
    bg.layers.eval_numerical_gradients(layer, x)
    after = {"x": x, **layer.named_parameters()}
    answers = {f"the content of {name}": state(np.array_equal(before[name], after[name])) for name in arrays}
    is_same = all(after[name] is arrays[name] for name in arrays)
    return {**answers, "the array of each parameter": state(is_same)}


@probe(
    "10.6",
    asked="eval_numerical_gradients(layer, x, eps=0.1) for a layer that computes x³ + weight³, with x = [[1.0]] and "
    "weight = [2.0]",
)
def with_another_eps(bg, rng):
    class Cube(bg.layers.Layer):
        names = ("weight",)
        weight, dweight = np.array([2.0]), None

        def forward(self, x):
            self.kept = x.copy()
            return x**3 + self.weight**3

        def backward(self, dout):
            self.dweight = (dout * 3 * self.weight**2).sum(axis=0)
            return dout * 3 * self.from_forward() ** 2

    returned = bg.layers.eval_numerical_gradients(Cube(), np.array([[1.0]]), eps=0.1)
    return rounded_errors(returned, "x", "weight")


@probe(
    "10.6",
    asked="eval_numerical_gradients(layer, x, eps=0.1) for a layer that keeps x * factor and answers its square, with "
    "x = [[3.0]] and factor = [2.0]",
)
def what_forward_kept(bg, rng):
    class Squared(bg.layers.Layer):
        names = ("factor",)
        factor, dfactor = np.array([2.0]), None

        def forward(self, x):
            self.kept = x.copy(), x * self.factor
            return self.kept[1] ** 2

        def backward(self, dout):
            x, product = self.from_forward()
            self.dfactor = (2 * dout * product * x).sum(axis=0)
            return 2 * dout * product * self.factor

    returned = bg.layers.eval_numerical_gradients(Squared(), np.array([[3.0]]), eps=0.1)
    return rounded_errors(returned, "factor", "x")


@probe("10.6", asked="eval_numerical_gradients(layer, x) for a layer that answers x of shape (2, 3) with shape (2, 6)")
def an_answer_of_another_shape(bg, rng):
    class Twice(bg.layers.Layer):
        def forward(self, x):
            self.kept = x
            return np.concatenate([x, 2 * x], axis=1)

        def backward(self, dout):
            return dout[:, :3] + 2 * dout[:, 3:]

    returned = bg.layers.eval_numerical_gradients(Twice(), signed(rng, 2, 3))
    return rounded_errors(returned, "x", digits=4)


@probe(
    "10.6",
    asked="eval_numerical_gradients(layer, x, seed=...) with the seeds 1, 1 and 2, and looked at the dout that "
    "backward got",
)
def the_dout(bg, rng):
    douts = []
    for seed in (1, 1, 2):
        layer = layer_to_test(bg)
        bg.layers.eval_numerical_gradients(layer, signed(rng, 2, 3), seed=seed)
        douts += [dout for dout in layer.seen if isinstance(dout, np.ndarray)][:1]
    if len(douts) < 3:
        return {"dout": Form("no array")}
    one, again, other = douts
    return {
        "the shape of dout": str(one.shape),
        "the number of different numbers in dout": len(set(one.ravel().tolist())),
        "with the same seed, the second dout": Form(
            "the first one again" if np.array_equal(one, again) else "another one"
        ),
        "with another seed, the third dout": Form(
            "the first one again" if np.array_equal(one, other) else "another one"
        ),
    }


# 10.7: a step of training.


def small_net(bg, rng):
    """A net of two Linear and a Tanh, and a loss."""
    layers = bg.layers
    return layers.Net(layers.Linear(3, 4, rng), layers.Tanh(), layers.Linear(4, 2, rng)), layers.CrossEntropyLoss()


def parameters_of(whole):
    """The numbers of a net as they are now, by name."""
    return {name: array.copy() for name, array in whole.named_parameters().items()}


@probe(
    "10.7", asked="train_step(net, loss, x, targets, 0.3) for a Net of Linear(3, 4), Tanh, Linear(4, 2) and 7 samples"
)
def one_step(bg, rng):
    whole, loss = small_net(bg, rng)
    cost = bg.layers.train_step(whole, loss, signed(rng, 7, 3), np.array([0, 1, 1, 0, 1, 1, 1]), 0.3)
    return {"returned": number_of(cost), **parameters_of(whole)}


@probe(
    "10.7", asked="train_step three times on the same net, with the learning rates 0.3, 0.05 and 1.7 and other samples"
)
def three_steps(bg, rng):
    whole, loss = small_net(bg, rng)
    costs = []
    for rate in (0.3, 0.05, 1.7):
        costs.append(number_of(bg.layers.train_step(whole, loss, signed(rng, 4, 3), np.array([0, 1, 1, 0]), rate)))
    return {"the list of the three losses": costs, **parameters_of(whole)}


@probe(
    "10.7",
    asked="train_step(net, loss, x, targets, 0.5), and looked at x, targets, the arrays of the net and their gradients",
)
def arrays_after_a_step(bg, rng):
    whole, loss = small_net(bg, rng)
    x, targets, arrays = signed(rng, 4, 3), np.array([0, 1, 1, 0]), whole.named_parameters()
    before = x.copy()
    bg.layers.train_step(whole, loss, x, targets, 0.5)
    same = all(array is arrays[name] for name, array in whole.named_parameters().items())
    return {
        "the array of each parameter": state(same),
        "the content of x": state(np.array_equal(x, before)),
        "the content of targets": state(targets.tolist() == [0, 1, 1, 0]),
        **{f"the gradient of {name} afterwards": g for name, g in zip(arrays, whole.gradients())},
    }


@probe(
    "10.7",
    asked="train_step(net, loss, x, targets, 0.3) for Net(Stretch, Net(Linear(3, 4), Tanh), Linear(4, 2)), where "
    "Stretch is a layer of the check: x * factor, with the parameter factor",
)
def a_net_of_other_layers(bg, rng):
    layers, factor = bg.layers, signed(rng, 3)

    class Stretch(layers.Layer):
        names = ("factor",)

        def __init__(self):
            self.factor = factor

        def forward(self, x):
            self.kept = x
            return x * self.factor

        def backward(self, dout):
            self.dfactor = (dout * self.from_forward()).sum(axis=0)
            return dout * self.factor

    inner = layers.Net(layers.Linear(3, 4, rng), layers.Tanh())
    whole = layers.Net(Stretch(), inner, layers.Linear(4, 2, rng))
    layers.train_step(whole, layers.CrossEntropyLoss(), signed(rng, 4, 3), np.array([0, 1, 1, 0]), 0.3)
    return parameters_of(whole)


@probe(
    "10.7",
    asked="train_step(net, loss, x, targets, 0.3) for a Net of Linear(256, 256), Tanh, Linear(256, 3) and 4 samples",
    slow=TOO_MANY_TO_NUDGE,
)
def a_step_of_a_large_net(bg, rng):
    layers = bg.layers
    whole = layers.Net(layers.Linear(256, 256, rng), layers.Tanh(), layers.Linear(256, 3, rng))
    layers.train_step(whole, layers.CrossEntropyLoss(), rng.normal(size=(4, 256)), np.array([2, 0, 1, 1]), 0.3)
    return condensed(parameters_of(whole))


# What the questions about Functions have in common.


def of(function, **options):
    """The operation on a Tensor that the package has under this name, with these options."""
    return lambda bg, a: getattr(bg.ops, function)(a, **options)


def asked_back(bg, operation, numbers, out_grad_of):
    """The result for an a with these numbers, what its rule answers, and whether all else was left alone.

    out_grad_of(shape): the array that is given to the rule.
    """
    a = labelled(bg.Tensor(numbers), "a")
    asked = asked_of_rule(bg, operation, {"a": a}, lambda shape: bg.Tensor(out_grad_of(shape), requires_grad=False))
    if not isinstance(asked.result, np.ndarray):
        return {"the result": asked.result}
    return {
        "the result": asked.result,
        "the gradient of a": array_in(asked.returned),
        **asked.changed,
        **asked_once_more(asked.out, asked.returned, asked.out_grad.data),
        "graph": picture(bg, asked),
    }


def ask_function(id, name, call, operation, shape):
    """Register a question: the operation on a random a of this shape, and its rule."""

    def question(bg, rng):
        return asked_back(bg, operation, signed(rng, *shape), lambda shape: from_above(rng, *shape))

    probe(id, asked=f"{call} with a of shape {shape}, then its rule with a random out_grad", name=name)(question)


def ask_axes(id, name, function, shape, **options):
    """Register a question: this function of a random a of this shape, with these options, and its rule."""
    ask_function(id, name, call_in_words(function, "a", **options), of(function, **options), shape)


def ask_numbers(id, name, call, operation, numbers, out_grad):
    """Register two questions: the operation on these very numbers, and its rule; and whether NumPy warns there."""

    def question(bg, rng):
        return asked_back(bg, operation, numbers, lambda _: out_grad)

    shown = re.sub(r"\.0\b", "", str(numbers))
    ask_far_out(id, name, f"{call} with a = {shown}, then its rule with out_grad = {out_grad}", question)


def ask_large(id, operations):
    """Register a question: gradients with 65,536 numbers.  operations: {call: operation(package, a)}"""

    def large_array(bg, rng):
        numbers, answers = rng.normal(size=LARGE), {}
        for call, operation in operations.items():
            out = operation(bg, bg.Tensor(numbers))
            above = bg.Tensor(rng.normal(size=out.shape), requires_grad=False)
            answers[f"the gradient of a in {call}"] = array_in(out._op.backward(above, out))
        return condensed(answers)

    asked = f"{listed(operations)} with a of shape {LARGE}, then the rule with a random out_grad"
    probe(id, asked=asked, slow=TOO_MANY_TO_NUDGE)(large_array)


def ask_again(id, operations):
    """Register a question: are the gradients right if they are differentiated again?

    operations: {call: operation(package, a)}.
    """

    def differentiable_again(bg, rng):
        answers = {}
        for call, operation in operations.items():
            a = bg.Tensor(signed(rng, 2, 3))
            out = operation(bg, a)
            above = bg.Tensor(from_above(rng, *out.shape))
            share = out._op.backward(above, out)
            name = f"the gradient of a that the rule of {call} gives"
            shares = {name: share if is_tensor(share) else None}
            answers |= {name: array_in(share), **asked_again(shares, {"a": a, "out_grad": above}, rng)}
        return answers

    asked = f"{rules_of(operations)} with a of shape (2, 3), and differentiated the gradients again"
    probe(id, asked=asked, rtol=SLOPES_RTOL)(differentiable_again)


SMALL_RTOL = 1e-4  # float32 knows seven digits


def ask_small_floats(id, operations):
    """Register a question: does float32 stay float32, there and back?  operations: {call: operation(package, a)}."""

    def small_floats(bg, rng):
        answers = {}
        for call, operation in operations.items():
            out = operation(bg, bg.Tensor(signed(rng, 2, 3), dtype="float32"))
            above = bg.Tensor(from_above(rng, *out.shape), dtype="float32")
            share = out._op.backward(above, out)
            answers[f"the dtype of {call}"] = dtype_of(out.data)
            answers[f"the dtype of the gradient of a in {call}"] = dtype_of(share)
            answers[f"the gradient of a in {call}"] = array_in(share)
            answers[f"what the gradient of a in {call} remembers"] = Form(
                "the operation that made it" if getattr(share, "_op", None) else "nothing"
            )
        return answers

    asked = f"{listed(operations)} with a of dtype float32, then the rule with out_grad of dtype float32"
    probe(id, asked=asked, rtol=SMALL_RTOL)(small_floats)


# 10.8: picking out, and adding in.

ask_numbers(
    "10.8",
    "a_place_named_twice",
    "a[[2, 0, 2]]",
    lambda bg, a: a[[2, 0, 2]],
    [5.0, -6.0, 7.0],
    [10.0, 2.0, -3.0],
)
PICKS = {
    "an_int": ("a[1]", lambda: 1, (3, 4)),
    "a_negative_int": ("a[-1]", lambda: -1, (3, 4)),
    "a_slice": ("a[1:3]", lambda: slice(1, 3), (4, 2)),
    "a_column": ("a[:, 2]", lambda: (slice(None), 2), (3, 4)),
    "truth_values": ("a[[True, False, True]]", lambda: np.array([True, False, True]), (3, 2)),
    "one_of_each_row": (
        "a[[0, 1, 2, 1], [2, 0, 2, 0]]",
        lambda: (np.array([0, 1, 2, 1]), np.array([2, 0, 2, 0])),
        (3, 3),
    ),
    "rows_again_and_again": ("a[[[0, 1], [1, 1]]]", lambda: np.array([[0, 1], [1, 1]]), (2, 3)),
}
for _name, (_call, _index, _shape) in PICKS.items():
    ask_function("10.8", _name, _call, lambda bg, a, i=_index: a[i()], _shape)


def scattered(index, shape):
    """The operation Scatter, to these places of an array of this shape."""
    return lambda bg, a: bg.ops.Scatter(np.array(index), shape)(a)


@probe("10.8", asked="Scatter([1, 1, 3], (4,))(a) with a = {a}, and then its rule with out_grad = {out_grad}")
def scatter_itself(bg, rng):
    numbers, out_grad = signed(rng, 3), from_above(rng, 4)
    answers = asked_back(bg, scattered([1, 1, 3], (4,)), numbers, lambda _: out_grad)
    return {"asked": {"a": in_brackets(numbers), "out_grad": in_brackets(out_grad)}, **answers}


@probe("10.8", asked="Scatter([1, 1], (4, 3))(a) with a of shape (2, 3), and then its rule with a random out_grad")
def scatter_rows(bg, rng):
    return asked_back(bg, scattered([1, 1], (4, 3)), signed(rng, 2, 3), lambda shape: from_above(rng, *shape))


@probe("10.8", asked="one Scatter([1, 1, 3], (4,)) twice, with a and then with b, and looked at the second result")
def scatter_called_twice(bg, rng):
    operation = bg.ops.Scatter(np.array([1, 1, 3]), (4,))
    operation(bg.Tensor(signed(rng, 3)))
    return {"the second result": array_in(operation(bg.Tensor(signed(rng, 3))))}


PICKING = {
    "a[[0, 1, 1]]": lambda bg, a: a[[0, 1, 1]],
    "Scatter([0, 2], (4, 3))(a)": scattered([0, 2], (4, 3)),
}
ask_again("10.8", PICKING)
ask_small_floats("10.8", PICKING)
ask_large(
    "10.8",
    {
        "a[rows], for 300 of its rows": lambda bg, a: a[np.arange(300) * 7 % 256],
        "Scatter(rows, (300, 256))(a)": scattered(np.arange(256) * 7 % 300, (300, 256)),
    },
)


# 10.9: max.

ask_numbers("10.9", "three_numbers", "max(a)", of("max"), [-3.0, -1.5, -2.0], 5.0)
ask_numbers(
    "10.9",
    "ties_along_two",
    "max(a, axis=(0, 2))",
    of("max", axis=(0, 2)),
    [[[2.0, 1.0], [0.0, 5.0]], [[2.0, -1.0], [5.0, 5.0]]],
    [5.0, -3.0],
)
ask_axes("10.9", "max_of_all", "max", (3, 4))
ask_axes("10.9", "max_of_rows", "max", (3, 4), axis=1)
ask_axes("10.9", "max_of_columns_of_a_square", "max", (3, 3), axis=0)
ask_axes("10.9", "max_with_axes_kept", "max", (2, 3, 4), axis=-1, keepdims=True)
ask_axes("10.9", "max_along_the_middle", "max", (2, 3, 4), axis=-2)
ask_axes("10.9", "max_of_one_row", "max", (1, 4), axis=1)
ask_axes("10.9", "max_along_two", "max", (2, 3, 4), axis=(2, 0))
ask_numbers(
    "10.9",
    "ties",
    "max(a, axis=1)",
    of("max", axis=1),
    [[2.0, 2.0, 1.0], [0.0, 0.0, 0.0], [-1.0, 3.0, 2.0]],
    [6.0, -3.0, 5.0],
)


ask_numbers(
    "10.9",
    "nearly_tied",
    "max(a, axis=1)",
    of("max", axis=1),
    [[5.0, 5.00001, 1.0], [2.0000000001, -3.0, 2.0]],
    [6.0, -3.0],
)


@probe("10.9", asked="max(a, axis=1) with a = [[-inf, 2], [-inf, -inf]], then its rule with out_grad = [6, -3]")
def max_of_infinities(bg, rng):
    with np.errstate(all="ignore"):
        return asked_back(bg, of("max", axis=1), [[-np.inf, 2.0], [-np.inf, -np.inf]], lambda _: [6.0, -3.0])


MAX_OF_ROWS = {"max(a, axis=1)": of("max", axis=1)}
ask_again("10.9", MAX_OF_ROWS)
ask_small_floats("10.9", MAX_OF_ROWS)
ask_large("10.9", {**MAX_OF_ROWS, "max(a, axis=0)": of("max", axis=0), "max(a)": of("max")})


# 10.10: logsumexp.


@probe("10.10", asked="logsumexp(a) with a of shape (3, 4), and no rule yet")
def logsumexp_there(bg, rng):
    return {"the result": array_in(bg.ops.logsumexp(bg.Tensor(signed(rng, 3, 4))))}


ask_axes("10.10", "logsumexp_rows", "logsumexp", (3, 4))
ask_axes("10.10", "logsumexp_columns_of_a_square", "logsumexp", (3, 3), axis=0)
ask_axes("10.10", "logsumexp_axes_kept", "logsumexp", (2, 3, 4), axis=1, keepdims=True)
ask_axes("10.10", "logsumexp_the_middle", "logsumexp", (2, 3, 4), axis=-2)
ask_axes("10.10", "logsumexp_one_row_alone", "logsumexp", (1, 4))
ask_axes("10.10", "logsumexp_two_axes", "logsumexp", (2, 3, 4), axis=(2, 0))
ask_axes("10.10", "logsumexp_everything", "logsumexp", (2, 3), axis=None)
ask_axes("10.10", "logsumexp_everything_kept", "logsumexp", (2, 3), axis=None, keepdims=True)

FAR_OUT = [[1000.0, 999.0, 0.0], [-1000.0, -1001.0, -1002.0], [5.0, float("-inf"), 4.0]]

ask_numbers("10.10", "logsumexp_of_a_row", "logsumexp(a)", of("logsumexp"), [0.0, 0.0], 4.0)
ask_numbers("10.10", "logsumexp_far_out", "logsumexp(a)", of("logsumexp"), FAR_OUT, [2.0, -3.0, 4.0])


@probe("10.10", asked="logsumexp(a) with a = [[-inf, -inf], [3, -inf]], then its rule with out_grad = [2, -5]")
def logsumexp_of_nothing(bg, rng):
    with np.errstate(all="ignore"):
        out = bg.ops.logsumexp(bg.Tensor(np.array([[-np.inf, -np.inf], [3.0, -np.inf]])))
        share = out._op.backward(bg.Tensor([2.0, -5.0], requires_grad=False), out)
    return {"the result": array_of(out.data), "the gradient of a": array_in(share)}


_heard = "logsumexp(a) with a = [[-inf, -inf], [3, -inf]], and listened for NumPy's warnings"


@probe("10.10", asked=_heard, listens=True)
def logsumexp_of_nothing_without_a_warning(bg, rng):
    a = bg.Tensor(np.array([[-np.inf, -np.inf], [3.0, -np.inf]]))
    return {"the list of NumPy's warnings": listened_to(lambda: bg.ops.logsumexp(a))[1]}


LOGSUMEXP = {"logsumexp(a)": of("logsumexp")}
ask_small_floats("10.10", LOGSUMEXP)
ask_again("10.10", LOGSUMEXP)
ask_large("10.10", {**LOGSUMEXP, "logsumexp(a, axis=0)": of("logsumexp", axis=0)})


# 10.11: log_softmax and softmax.

OUT_GRAD_FAR_OUT = [[2.0, -3.0, 4.0], [1.5, 0.5, -2.0], [3.0, -1.0, 2.0]]
for _name in ("log_softmax", "softmax"):
    _call, _operation = f"{_name}(a)", of(_name)
    ask_numbers("10.11", f"{_name}_of_a_row", _call, _operation, [0.0, 0.0], [3.0, -1.0])
    ask_axes("10.11", f"{_name}_of_rows", _name, (2, 4))
    ask_axes("10.11", f"{_name}_of_columns_of_a_square", _name, (3, 3), axis=0)
    ask_axes("10.11", f"{_name}_along_the_middle", _name, (2, 3, 4), axis=1)
    ask_numbers("10.11", f"{_name}_far_out", _call, _operation, FAR_OUT, OUT_GRAD_FAR_OUT)
    ask_axes("10.11", f"{_name}_along_two_axes", _name, (2, 3, 4), axis=(1, 0))
    ask_axes("10.11", f"{_name}_along_everything", _name, (2, 3), axis=None)


@probe("10.11", asked="softmax(a) and log_softmax(a) with a = [[-inf, -inf], [0, -inf]]")
def impossible_rows(bg, rng):
    a = bg.Tensor(np.array([[-np.inf, -np.inf], [0.0, -np.inf]]))
    with np.errstate(all="ignore"):
        return {f"{name}(a)": array_of(getattr(bg.ops, name)(a).data) for name in ("softmax", "log_softmax")}


FAMILY = {"log_softmax(a)": of("log_softmax"), "softmax(a)": of("softmax")}
ask_small_floats("10.11", FAMILY)
ask_again("10.11", FAMILY)
ask_large("10.11", FAMILY)


# 10.12: the hunt.


def the_test(bg, rng):
    first = int(rng.integers(2, 100))
    return {"asked": {"first": first}, "the test": as_lists(bg.hunts.three_wrong_softmaxes(first))}


for _author in ("Ada", "Ben", "Cleo"):
    _asked = f"three_wrong_softmaxes({{first}}), and asked {_author}'s softmax"
    probe("10.12", asked=_asked, name=f"catches_{_author}", secret=True)(the_test)
