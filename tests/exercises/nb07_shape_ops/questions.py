"""The questions of notebook 07."""

import warnings
from contextlib import contextmanager

import numpy as np

from grader.asking.answers import Form
from grader.course.phrases import listed
from grader.course.questions import probe
from grader.probes.arrays import asked_again, asked_once_more, condensed, recomputed, watched
from grader.probes.probing import LARGE, LARGER, SLOPES_RTOL, TOO_MANY_TO_NUDGE, rules_of
from grader.probes.tensors import (
    array_in,
    asked_of_rule,
    call_in_words,
    dtype_of,
    is_tensor,
    labelled,
    pair_as_answers,
    picture,
    random_tensor,
    share_as_answers,
    share_of,
)

GRADIENT = "the gradient of x"


# What the questions have in common.


def holding(bg, array):
    """A Tensor that holds this very array, and no copy of it."""
    tensor = labelled(bg.Tensor(0.0), "x")
    tensor.data = array
    return tensor


def every_other_column(rng, shape):
    """An array whose numbers lie apart in memory."""
    return rng.normal(size=(*shape[:-1], 2 * shape[-1])).round(3)[..., ::2]


def read_only(rng, shape):
    """An array that nobody can write to."""
    array = rng.normal(size=shape).round(3)
    array.flags.writeable = False
    return array


def x_as_answers(share):
    """The answers about the share of x."""
    return share_as_answers(share, GRADIENT, "the rule's answer")


def asked_back(bg, operation, x, out_grad_of):
    """Carry out the operation, ask its rule, and give back all that matters."""
    asked = asked_of_rule(bg, operation, {"x": x}, out_grad_of)
    return {
        "the result": asked.result,
        **x_as_answers(share_of(asked.returned)),
        **asked.changed,
        **asked_twice(asked),
        "graph": picture(bg, asked),
    }


def asked_twice(asked):
    """Answers to: is the operation as it was, after its rule was asked?  asked: an Asked."""
    if not isinstance(asked.result, np.ndarray):
        return {}
    (x,) = asked.inputs.values()
    try:
        same = np.array_equal(recomputed(asked.out, x, x.data), asked.result, equal_nan=True)
    except ValueError:
        same = False
    return {
        **asked_once_more(asked.out, asked.returned, asked.out_grad.data),
        "what the operation gives when it is asked again, after its rule,": Form(
            "the same" if same else "not the same"
        ),
    }


def call_on_x(operation, shape, arguments, options):
    """Such as sum(x of shape (2, 3), axis=0)."""
    return call_in_words(operation, f"x of shape {shape}", *map(repr, arguments), **options)


def ask(id, name, operation, shape, *arguments, **options):
    """Register a question: the operation on an x of this shape, then its rule with a random out_grad."""

    def question(bg, rng):
        def call(bg, x):
            return getattr(bg.ops, operation)(x, *arguments, **options)

        x = random_tensor(bg, rng, shape, "x")
        return asked_back(bg, call, x, lambda shape: random_tensor(bg, rng, shape, "out_grad"))

    asked = f"{call_on_x(operation, shape, arguments, options)} and asked for the gradient"
    probe(id, asked=asked, name=name)(question)


def ask_numbers(id, name, call, operation, x, out_grad):
    """Register a question with numbers that can be followed by hand."""

    def question(bg, rng):
        above = labelled(bg.Tensor(out_grad), "out_grad")
        return asked_back(bg, operation, labelled(bg.Tensor(x), "x"), lambda _: above)

    asked = f"{call} for x = {x}, and asked for the gradient with out_grad = {out_grad}"
    probe(id, asked=asked, name=name)(question)


def ask_odd_arrays(id, call, operation, shape, empty=(0, 3)):
    """Register a question about arrays that NumPy treats in another way.  operation(package, x)"""

    def odd_arrays(bg, rng):
        arrays = {
            "the columns": every_other_column(rng, shape),
            "the transposed x": rng.normal(size=shape[::-1]).round(3).T,
            "the read-only x": read_only(rng, shape),
            "the empty x": np.zeros(empty),
        }
        answers = {}
        for about, array in arrays.items():
            with warnings.catch_warnings(action="ignore"):  # np.mean warns of what is empty
                asked = asked_of_rule(
                    bg, operation, {"x": holding(bg, array)}, lambda shape: holding(bg, read_only(rng, shape))
                )
            share = share_of(asked.returned)
            answers[f"the result for {about}"] = asked.result
            answers |= share_as_answers(share, f"the gradient of {about}", f"the rule's answer for {about}")
            answers |= {f"for {about}, {what}": how for what, how in asked.changed.items()}
        return answers

    words = (
        f"{call} and asked for the gradient: for an x that is every other column of a larger array, for one that was "
        f"transposed with .T, for a read-only x (all of shape {shape}), and for an empty x of shape {empty}"
    )
    probe(id, asked=words)(odd_arrays)


def ask_forward(id, operation, *calls):
    """Register a question about the forward alone.  calls: (shape of x, arguments, options)"""
    written = {call_on_x(operation, *call): call for call in calls}

    def forward_alone(bg, rng):
        function = getattr(bg.ops, operation)
        return {
            f"the result of {text}": array_in(function(random_tensor(bg, rng, shape, "x"), *arguments, **options))
            for text, (shape, arguments, options) in written.items()
        }

    probe(id, asked=" and ".join(written))(forward_alone)


def ask_large(id, calls, shape=LARGE):
    """Register a question about gradients with 65,536 numbers and more.  calls: {call: operation(package, x)}"""

    def large(bg, rng):
        numbers, answers = rng.normal(size=shape), {}
        for call, operation in calls.items():
            out = operation(bg, bg.Tensor(numbers))
            share = share_of(out._op.backward(bg.Tensor(rng.normal(size=out.shape)), out))
            answers |= share_as_answers(share, f"the gradient of x in {call}", f"the rule's answer in {call}")
        return condensed(answers)

    asked = f"{listed(calls)} for an x of shape {shape}, and asked for the gradient"
    probe(id, asked=asked, slow=TOO_MANY_TO_NUDGE)(large)


SMALL = (2, 1, 3)


def ask_again(id, calls):
    """Register two questions: is the gradient right if it is differentiated again, and do float32 numbers stay so?

    calls: {call: operation(package, x)}; x has the shape SMALL.
    """

    def differentiable_again(bg, rng):
        answers = {}
        for call, operation in calls.items():
            x, name = random_tensor(bg, rng, SMALL, "x"), f"the gradient that the rule of {call} gives"
            out = operation(bg, x)
            out_grad = random_tensor(bg, rng, out.shape, "out_grad")
            share = share_of(out._op.backward(out_grad, out))
            answers |= share_as_answers(share, name, f"the rule's answer in {call}")
            answers |= asked_again({name: share}, {"x": x, "out_grad": out_grad}, rng)
        return answers

    def float32_stays_float32(bg, rng):
        answers = {}
        for call, operation in calls.items():
            x = bg.Tensor(rng.normal(size=SMALL), dtype="float32")
            out = operation(bg, x)
            share = share_of(out._op.backward(bg.Tensor(rng.normal(size=out.shape), dtype="float32"), out))
            answers[f"the dtype of the result of {call}"] = dtype_of(out)
            answers[f"the dtype of the gradient in {call}"] = dtype_of(share)
        return answers

    rules = f"{rules_of(calls)}, with an x of shape {SMALL}"
    probe(id, asked=f"{rules}, and differentiated the gradient again", rtol=SLOPES_RTOL)(differentiable_again)
    probe(id, asked=f"{rules}, where x and out_grad have dtype float32")(float32_stays_float32)


# 7.1: Reshape.

ask_numbers(
    "7.1",
    "six_numbers",
    "reshape(x, (3, 2))",
    lambda bg, x: bg.ops.reshape(x, (3, 2)),
    [[1, -2, 0], [4, 5, -6]],
    [[10, 20], [-30, 40], [50, 0.5]],
)
ask("7.1", "one_size_worked_out", "reshape", (2, 3, 4), (4, -1))
ask("7.1", "into_one_row", "reshape", (3, 4), -1)
ask("7.1", "square", "reshape", (4, 4), (2, 8))
ask("7.1", "axes_of_size_1", "reshape", (3,), [1, 3, 1])
ask_odd_arrays("7.1", "reshape(x, (4, -1))", lambda bg, x: bg.ops.reshape(x, (4, -1)), (2, 4))


ask_again("7.1", {"reshape": lambda bg, x: bg.ops.reshape(x, (3, -1))})
ask_large(
    "7.1",
    {
        "reshape(x, (64, 4096))": lambda bg, x: bg.ops.reshape(x, (64, 4096)),
        "reshape(x, -1)": lambda bg, x: bg.ops.reshape(x, -1),
    },
    LARGER,
)


# 7.2: Transpose.

ask("7.2", "four_axes", "transpose", (2, 3, 4, 5), axes=(3, 0, 1, 2))
ask("7.2", "rotated", "transpose", (2, 3, 4), axes=(2, 0, 1))
ask("7.2", "last_two_axes", "transpose", (2, 3))
ask("7.2", "last_two_of_three_axes", "transpose", (2, 3, 4))
ask("7.2", "negative_axes", "transpose", (2, 3, 4), axes=(-1, 0, 1))
ask("7.2", "last_two_of_four_axes", "transpose", (2, 3, 4, 5))
ask("7.2", "list_of_four", "transpose", (2, 3, 4, 5), axes=[2, 3, 1, 0])
ask("7.2", "cube", "transpose", (3, 3, 3), axes=(1, 2, 0))
ask_odd_arrays("7.2", "transpose(x, (1, 0))", lambda bg, x: bg.ops.transpose(x, (1, 0)), (2, 4))


ask_again(
    "7.2",
    {
        "transpose": lambda bg, x: bg.ops.transpose(x),
        "transpose with axes=(1, 2, 0)": lambda bg, x: bg.ops.transpose(x, (1, 2, 0)),
    },
)
ask_large(
    "7.2",
    {
        "transpose(x)": lambda bg, x: bg.ops.transpose(x),
        "transpose(x, (1, 0))": lambda bg, x: bg.ops.transpose(x, (1, 0)),
    },
)


# 7.3: Summation.


def sizes_of(found):
    """A shape as an answer, written as a tuple also if it is a list."""
    if not isinstance(found, (list, tuple)) or not all(isinstance(size, (int, np.integer)) for size in found):
        return found
    return Form(str(tuple(map(int, found))))


@probe(
    "7.3",
    asked="shape_with_ones(shape, axes) for the shapes (2, 3, 4) and (3, 3), with all kinds of axes",
)
def shapes_with_ones(bg, rng):
    calls = [
        ((2, 3, 4), (0, -1)),
        ((2, 3, 4), None),
        ((3, 3), (0,)),
        ((3, 3), (-1,)),
        ((2, 3, 4), (2, 0)),
        ((2, 3), ()),
    ]
    answers = {}
    for shape, axes in calls:
        found = bg.ops.shape.shape_with_ones(shape, axes)
        answers[f"shape_with_ones({shape}, {axes})"] = sizes_of(found)
    return answers


ask_numbers(
    "7.3",
    "axis_0_of_a_square",
    "summation(x, 0)",
    lambda bg, x: bg.ops.summation(x, 0),
    [[1, -2, 0], [4, 5, -6], [7, 8, 9]],
    [10, -20, 0.5],
)
ask_numbers(
    "7.3",
    "all_numbers",
    "summation(x)",
    lambda bg, x: bg.ops.summation(x),
    [[1, -2, 0], [4, 5, -6]],
    0.5,
)
ask_numbers(
    "7.3",
    "one_of_them_infinite",
    "summation(x)",
    lambda bg, x: bg.ops.summation(x),
    [1.5, -np.inf, 2.25],
    -0.375,
)
ask("7.3", "axis_in_the_middle", "summation", (2, 3, 4), 1)
ask("7.3", "last_axis_of_a_square", "summation", (3, 3), -1)
ask("7.3", "unsorted_axes", "summation", (2, 3, 4), (2, 0))
ask("7.3", "neighbours_in_the_opposite_order", "summation", (2, 3, 4), (1, 0))
ask("7.3", "negative_axes_in_a_list", "summation", (2, 3, 4), [-1, 1])
ask("7.3", "keepdims", "summation", (2, 3, 4), (-1, 0), keepdims=True)
ask("7.3", "all_with_keepdims", "summation", (2, 3), keepdims=True)
ask("7.3", "no_axes_at_all", "summation", (2, 3), ())
ask("7.3", "axes_of_size_1", "summation", (1, 3, 1), (0, 2))
ask("7.3", "a_single_number", "summation", ())
ask_odd_arrays("7.3", "summation(x, 0)", lambda bg, x: bg.ops.summation(x, 0), (2, 4))


ask_again(
    "7.3",
    {
        "summation": lambda bg, x: bg.ops.summation(x),
        "summation with axes=(0, 2)": lambda bg, x: bg.ops.summation(x, (0, 2)),
    },
)
ask_large(
    "7.3",
    {
        "summation(x, (0, -1))": lambda bg, x: bg.ops.summation(x, (0, -1)),
        "summation(x)": lambda bg, x: bg.ops.summation(x),
    },
    LARGER,
)


# 7.4: Mean.

WHAT_IS_COUNTED = "what self.count was given"


class CountedATensor(Exception):
    """count was called with a Tensor."""


@contextmanager
def count_watched(bg):
    """In this block the count of a mean stops where it is given a Tensor in place of a shape."""
    count = bg.ops.Mean.count

    def watched_count(self, shape):
        if is_tensor(shape):
            raise CountedATensor
        return count(self, shape)

    bg.ops.Mean.count = watched_count
    try:
        yield
    finally:
        bg.ops.Mean.count = count


TWO_MEANS = [[1, -2, 4], [4, 5, -6]], [-6.0, 1.5]


@probe("7.4", asked="mean(x, 1) for x = {}, and asked for the gradient with out_grad = {}".format(*TWO_MEANS))
def two_means_of_three(bg, rng):
    numbers, out_grad = TWO_MEANS
    x, above = labelled(bg.Tensor(numbers), "x"), labelled(bg.Tensor(out_grad), "out_grad")
    try:
        with count_watched(bg):
            answers = asked_back(bg, lambda bg, x: bg.ops.mean(x, 1), x, lambda _: above)
    except CountedATensor:
        return {WHAT_IS_COUNTED: Form("a Tensor")}
    return {WHAT_IS_COUNTED: Form("a shape"), **answers}


ask_numbers(
    "7.4",
    "a_mean_of_one_that_is_infinite",
    "mean(x)",
    lambda bg, x: bg.ops.mean(x),
    [1.5, -np.inf, 2.25, 8.0],
    -1.5,
)
ask("7.4", "mean_over_unsorted_axes", "mean", (2, 3, 4), (2, 0))
ask_forward("7.4", "mean", ((2, 3), (), {}), ((2, 3, 4), ((-1, 0),), {"keepdims": True}))
ask("7.4", "mean_over_one_axis", "mean", (2, 3, 4), 1)
ask("7.4", "mean_over_rows_of_a_square", "mean", (3, 3), 0)
ask("7.4", "mean_with_keepdims", "mean", (2, 3, 4), (-1, 0), keepdims=True)
ask("7.4", "mean_over_no_axes", "mean", (2, 3), ())
ask_odd_arrays("7.4", "mean(x, 0)", lambda bg, x: bg.ops.mean(x, 0), (2, 4), empty=(2, 0))  # no mean of nothing
ask_again("7.4", {"mean with axes=(0, 2)": lambda bg, x: bg.ops.mean(x, (0, 2))})
ask_large(
    "7.4",
    {
        "mean(x, (0, -1))": lambda bg, x: bg.ops.mean(x, (0, -1)),
        "mean(x)": lambda bg, x: bg.ops.mean(x),
    },
    (4, 512, 256),  # no square in it
)


# 7.6: stretched inputs of what works number by number.


def ask_unbroadcast(name, what, *pairs):
    """Register a question: unbroadcast itself, from each large shape to the small one."""

    def question(bg, rng):
        answers = {}
        for large, small in pairs:
            about = f"the answer from {large} to {small}"
            grad = random_tensor(bg, rng, large, "grad")
            afterwards = watched({"grad": grad})
            share = bg.ops.unbroadcast(grad, small)
            answers |= share_as_answers(share, about, f"the kind of answer from {large} to {small}")
            answers |= {f"for shape {large}, {what}": how for what, how in afterwards().items()}
        return answers

    written = ", ".join(f"from {large} to {small}" for large, small in pairs)
    probe("7.6", asked=f"unbroadcast(grad, shape) {what}: {written}", name=name)(question)


def ask_both(name, operation, a_shape, b_shape):
    """Register a question: both gradients of an operation on stretched shapes."""

    def question(bg, rng):
        a, b = random_tensor(bg, rng, a_shape, "a"), random_tensor(bg, rng, b_shape, "b")
        b.data = b.data + np.where(b.data < 0, -1.0, 1.0)  # not too near to 0, for the sake of div
        asked = asked_of_rule(
            bg,
            lambda bg, a, b: getattr(bg.ops, operation)(a, b),
            {"a": a, "b": b},
            lambda shape: random_tensor(bg, rng, shape, "out_grad"),
            rule="shares",
        )
        return {**pair_as_answers(asked.returned), **asked.changed, "graph": picture(bg, asked)}

    words = f"{operation}(a of shape {a_shape}, b of shape {b_shape}) and asked for both gradients"
    probe("7.6", asked=words, name=name)(question)


@probe("7.6", asked="stretched_axes(small, large) for seven pairs of shapes")
def axes_that_were_stretched(bg, rng):
    pairs = [
        ((3, 1), (2, 3, 4)),
        ((2, 1), (2, 3)),
        ((1, 3, 1), (2, 3, 4)),
        ((3,), (3, 3)),
        ((), (2, 3)),
        ((2, 3), (2, 3)),
        ((1, 3), (0, 3)),
    ]
    answers = {}
    for small, large in pairs:
        found = bg.ops.shape.stretched_axes(small, large)
        if isinstance(found, (list, tuple, set)):  # in any order; negative ones mean the same axes
            found = sorted(int(axis) % len(large) for axis in found)
        answers[f"stretched_axes({small}, {large})"] = found
    return answers


SIX_NUMBERS = [[10, 20, -30], [0.5, -4, 7]]


@probe("7.6", asked=f"unbroadcast(grad, shape) for grad = {SIX_NUMBERS} and the shapes (2, 1), (1, 3), (3,) and ()")
def six_numbers_added_up(bg, rng):
    answers = {}
    for shape in ((2, 1), (1, 3), (3,), ()):
        share = bg.ops.unbroadcast(bg.Tensor(SIX_NUMBERS), shape)
        answers |= share_as_answers(share, f"the answer for {shape}", f"the kind of answer for {shape}")
    return answers


ask_unbroadcast(
    "both_kinds",
    "where axes are new and sizes of 1 were stretched",
    ((2, 3, 4), (3, 1)),
    ((2, 3, 4), (1, 1)),
    ((2, 3, 4), (1, 4)),
)
ask_unbroadcast("new_axes", "where axes are new", ((2, 3), (3,)), ((2, 3, 4), (4,)), ((2, 3), ()))
ask_unbroadcast(
    "sizes_of_1", "where sizes of 1 were stretched", ((2, 3, 4), (1, 3, 4)), ((2, 3, 4), (2, 1, 4)), ((2, 3), (2, 1))
)
ask_unbroadcast("squares", "with equal sizes", ((3, 3), (3,)), ((3, 3), (3, 1)), ((3, 3), (1, 3)))
ask_unbroadcast("nothing_there", "with sizes of 0", ((0, 3), (3,)), ((0, 3), (1, 3)), ((2, 0), (2, 1)))
ask("7.6", "the_rule_of_broadcast_to", "broadcast_to", (3, 1), (2, 3, 4))
ask_both("sum_with_a_row", "add", (2, 3), (3,))
ask_both("row_times_column", "mul", (3, 1), (1, 4))
ask_both("product_with_a_size_1_in_the_middle", "mul", (2, 1, 4), (3, 1))
ask_both("quotient_of_a_row", "div", (1, 4), (2, 3, 1))
ask_both("difference_with_one_number", "sub", (), (2, 3))


@probe(
    "7.6",
    asked="unbroadcast of a gradient from (2, 3) to (3,) and to (2, 1), then the rules of mul and div for a of shape "
    "(2, 3) and b of shape (3,), and differentiated what they give again",
    rtol=SLOPES_RTOL,
)
def stretched_and_differentiable_again(bg, rng):
    a, b, answers = random_tensor(bg, rng, (2, 3), "a"), bg.Tensor(rng.uniform(1, 2, size=3).round(3)), {}
    out_grad = random_tensor(bg, rng, (2, 3), "out_grad")
    for shape in ((3,), (2, 1)):
        name, share = f"what unbroadcast gives for {shape}", bg.ops.unbroadcast(out_grad, shape)
        answers |= share_as_answers(share, name, f"the kind of what unbroadcast gives for {shape}")
        answers |= asked_again({name: share}, {"the input": bg.Tensor(np.ones(shape)), "grad": out_grad}, rng)
    for operation in ("mul", "div"):
        out = getattr(bg.ops, operation)(a, b)
        shares = zip("ab", out._op.shares(out_grad, out))
        shares = {f"the gradient of {name} that the rule of {operation} gives": share for name, share in shares}
        for name, share in shares.items():
            answers |= share_as_answers(share, name, f"the kind of {name}")
        answers |= asked_again(shares, {"a": a, "b": b, "out_grad": out_grad}, rng)
    return answers


@probe(
    "7.6",
    asked="unbroadcast of a float32 gradient from (2, 3) to (3,), and mul(a of shape (2, 3), b of shape (3,)) in "
    "float32 with the rule",
)
def stretched_float32(bg, rng):
    a, b, out_grad = (bg.Tensor(rng.normal(size=shape), dtype="float32") for shape in ((2, 3), (3,), (2, 3)))
    out = bg.ops.mul(a, b)
    shares = zip("ab", out._op.shares(out_grad, out))
    return {
        "the dtype of what unbroadcast gives": dtype_of(bg.ops.unbroadcast(out_grad, (3,))),
        **{f"the dtype of the gradient of {name}": dtype_of(share) for name, share in shares},
    }


@probe(
    "7.6",
    asked=f"mul(a of shape {LARGER}, b of shape {LARGE}) and asked for both gradients, and then unbroadcast of a "
    f"gradient from {LARGER} to {LARGE}",
    slow=TOO_MANY_TO_NUDGE,
)
def large(bg, rng):
    a, b, above = (bg.Tensor(rng.normal(size=shape)) for shape in (LARGER, LARGE, LARGER))
    out = bg.ops.mul(a, b)
    answers = pair_as_answers(out._op.shares(above, out))
    share = bg.ops.unbroadcast(above, LARGE)
    return condensed(answers | share_as_answers(share, "what unbroadcast gave", "the kind of what unbroadcast gave"))


# 7.7: the hunt.


MOST_LEFT = 40  # so that the number of a grading is seldom the one that everybody has seen


def the_sum(bg, rng):
    left = int(rng.integers(2, MOST_LEFT + 1))
    return {"asked": {"left": left}, "the sum": bg.hunts.three_sums(left)}


for _rule in "ABC":
    _asked = f"three_sums({{left}}), and tried rule {_rule} on this sum"
    probe("7.7", asked=_asked, name=f"rule_{_rule}", secret=True)(the_sum)
