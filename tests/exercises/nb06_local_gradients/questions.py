"""The questions of notebook 06."""

import re
from itertools import pairwise

import numpy as np

from grader.asking.answers import Form
from grader.course.phrases import listed
from grader.course.questions import probe
from grader.probes.arrays import asked_again, asked_once_more, condensed, held, listened_to, recomputed
from grader.probes.gradient_checks import ended
from grader.probes.probing import LARGE, LARGER, SLOPES_RTOL, TOO_MANY_TO_NUDGE, rules_of
from grader.probes.tensors import (
    NO_RETURN,
    array_in,
    as_lists,
    asked_of_rule,
    dtype_of,
    from_above,
    is_tensor,
    kind_of,
    named,
    picture,
    signed,
    without_minus_zero,
)

# A rule of one line is right to the last digits. The best nudge of a whole array at once is not: 1e-11 or so is lost.
ELEMENTWISE = 1e-12
SEVEN_DIGITS = 1e-5  # as many as float32 has, or a few less


# The inputs of the questions.


def positive(rng, *shape):
    return rng.uniform(0.3, 2.5, shape).round(2)


def any_sign(rng, *shape):
    return rng.normal(size=shape)


def spread(rng, *shape):
    """Positive numbers from 0.03 to 30: for no nudge are all of them neither too large nor too small."""
    return 10 ** rng.uniform(-1.5, 1.5, shape)


def spread_signed(rng, *shape):
    return spread(rng, *shape) * np.resize([1.0, -1.0, 1.0, -1.0, -1.0], shape)


def beside_the_kink(rng, *shape):
    """Both signs, some of them so near to 0 that a nudge goes over it."""
    return signed(rng, *shape) * np.resize([1.0, 1e-9, 1.0], shape)


def exactly(*numbers):
    """A maker of these very numbers."""
    return lambda rng, *shape: np.array(numbers, dtype=float)


def op(name, *arguments):
    """A function of the package by its name.  arguments: what it takes beside its Tensors."""
    return lambda bg, *tensors: getattr(bg.ops, name)(*tensors, *arguments)


def leaves(bg, arrays):
    """{name: Tensor} with labels for the drawing."""
    return named(**{name: bg.Tensor(array) for name, array in arrays.items()})


# What a rule returned, as answers.

TENSORS = {1: "a Tensor", 2: "a tuple of two Tensors"}


def parts_of(returned, count):
    """The shares, one for each input; None if there are not that many."""
    if isinstance(returned, tuple):
        return returned if len(returned) == count else None
    return (returned,) if count == 1 else None


def array_of_share(share):
    """The array in a share, or None; words for what it is instead of a Tensor."""
    return None if share is None else array_in(share)


def shares_as_answers(returned, names):
    """Answers: what the rule returned, and the gradient of each input."""
    parts = parts_of(returned, len(names))
    if returned is None or parts is None:
        return {"the answer of the rule": Form(kind_of(returned, NO_RETURN))}
    shares = {f"the gradient of {name}": array_of_share(part) for name, part in zip(names, parts)}
    return {"the answer of the rule": Form(TENSORS[len(names)]), **shares}


def told_of_rule(bg, operation, tensors, out_grad, names=None):
    """What one rule gave, as answers, and as it was asked: (answers, an Asked).

    names: of the inputs in the answers, if they are not those of the tensors.
    """
    names = names or list(tensors)
    asked = asked_of_rule(bg, operation, tensors, lambda shape: bg.Tensor(out_grad, requires_grad=False))
    if not isinstance(asked.result, np.ndarray):
        return {"the result": asked.result}, asked
    answers = {"the result": asked.result, **shares_as_answers(asked.returned, names), **asked.changed}
    answers |= asked_once_more(asked.out, asked.returned, out_grad)
    return answers, asked


def asked_back(bg, operation, tensors, out_grad):
    """The answers of `told_of_rule`, with what was asked and a picture."""
    numbers = {name: x.data.tolist() for name, x in tensors.items()} | {"out_grad": out_grad.tolist()}
    try:
        with np.errstate(all="ignore"):
            answers, asked = told_of_rule(bg, operation, tensors, out_grad)
    except RecursionError:  # its words are not the same in each version of Python
        return {"the result": Form("never reached: something calls itself without end")}
    if out_grad.ndim == 1:
        answers["asked"] = numbers
    return answers | ({"graph": picture(bg, asked)} if isinstance(asked.result, np.ndarray) else {})


def gradients_by_rule(bg, operation, tensors, out_grad):
    """(the result, the share of each input): None for all of them if their number is another."""
    with np.errstate(all="ignore"):
        out = operation(bg, *tensors.values())
        returned = out._op.backward(out_grad, out)
    return out, parts_of(returned, len(tensors)) or [None] * len(tensors)


# The kinds of questions. operations: {call: (operation, names of its inputs)}, each operation a function of the
# package and Tensors.


def ask(id, name, call, operation, inputs, shape=(3,)):
    """Register a question about one rule.

    call: the operation in words.  inputs: {name: maker of its array}.
    The message shows the numbers of small arrays and the shape of larger ones.
    """
    if len(shape) == 1:
        given = ", ".join(f"{each} = {{{each}}}" for each in inputs)
        asked = f"{call} with {given}, then its rule with out_grad = {{out_grad}}"
    else:
        asked = f"{call} with {' and '.join(inputs)} of shape {shape}, then its rule with a random out_grad"

    @probe(id, asked=asked, name=name)
    def question(bg, rng):
        arrays = {each: make(rng, *shape) for each, make in inputs.items()}
        out_grad = from_above(rng, *next(iter(arrays.values())).shape)
        return asked_back(bg, operation, leaves(bg, arrays), out_grad)


def ask_large(id, operations, shape=LARGE, **inputs):
    """Register a question about rules for many numbers.  inputs: the maker of each array, the same for all of them."""
    calls = f"{listed(operations)} for {' and '.join(inputs)} of shape {shape}"
    one_or_all = "its rule" if len(operations) == 1 else "the rule of each"
    asked = f"{calls}, then {one_or_all} with a random out_grad"

    @probe(id, asked=asked, slow=TOO_MANY_TO_NUDGE, rtol=ELEMENTWISE)
    def large(bg, rng):
        arrays = {name: make(rng, *shape) for name, make in inputs.items()}
        above, answers = bg.Tensor(rng.normal(size=shape), requires_grad=False), {}
        for call, (operation, names) in operations.items():
            tensors = [bg.Tensor(arrays[name]) for name in names]
            with np.errstate(all="ignore"):
                out = operation(bg, *tensors)
                shares = shares_as_answers(out._op.backward(above, out), names)
            answers |= {f"{answer} in {call}": x for answer, x in shares.items()}
        return condensed(answers)


def ask_float32(id, operations):
    """Register a question: do float32 numbers, given to an operation and to its rule, stay float32?"""
    asked = f"{listed(operations)} with numbers of dtype float32, then the rule with a float32 out_grad"

    @probe(id, asked=asked, rtol=SEVEN_DIGITS)
    def float32_stays_float32(bg, rng):
        answers = {}
        for call, (operation, names) in operations.items():
            tensors = leaves(bg, {name: positive(rng, 2).astype(np.float32) for name in names})
            above = bg.Tensor(from_above(rng, 2).astype(np.float32), requires_grad=False)
            out, parts = gradients_by_rule(bg, operation, tensors, above)
            told = {call: out} | {f"the gradient of {n} in {call}": part for n, part in zip(names, parts)}
            answers |= {about: array_of_share(x) for about, x in told.items()}
            answers |= {f"the dtype of {about}": dtype_of(x) for about, x in told.items()}
        return answers


def ask_again(id, operations, make=signed):
    """Register a question: are the gradients right if they are differentiated again?"""
    asked = f"{rules_of(operations)}, and differentiated the gradients again"

    @probe(id, asked=asked, rtol=SLOPES_RTOL)
    def differentiable_again(bg, rng):
        answers = {}
        for call, (operation, names) in operations.items():
            tensors = leaves(bg, {name: make(rng, 2) for name in names})
            above = bg.Tensor(from_above(rng, 2))
            _, parts = gradients_by_rule(bg, operation, tensors, above)
            shares = {f"the gradient of {name} that the rule of {call} gives": part for name, part in zip(names, parts)}
            answers |= {name: array_of_share(part) for name, part in shares.items()}
            answers |= asked_again(shares, {**tensors, "out_grad": above}, rng)
        return answers


def ask_beside_a_constant(id, call, operation):
    """Register a question about a rule with two inputs, one of which requires no grad: what does the other get?"""
    asked = (
        f"{call}, once where b requires no grad, and its rule asked for the share of a; once where a requires none, "
        "and its rule asked for the share of b"
    )

    @probe(id, asked=asked)
    def beside_a_constant(bg, rng):
        answers = {}
        for moves, fixed in ("ab", "ba"):
            tensors = leaves(bg, {name: signed(rng, 3) for name in "ab"})
            tensors[fixed].requires_grad = False
            above = bg.Tensor(from_above(rng, 3), requires_grad=False)
            shares = dict(zip("ab", gradients_by_rule(bg, operation, tensors, above)[1]))
            answers[f"the gradient of {moves} beside a constant {fixed}"] = array_of_share(shares[moves])
        return answers


# 6.1: the rules with constant derivatives.

ask("6.1", "sub", "sub(a, b)", op("sub"), {"a": signed, "b": signed})
ask("6.1", "div_scalar", "div_scalar(a, -4.0)", op("div_scalar", -4.0), {"a": signed})


@probe("6.1", asked="div_scalar(a, {scalar}) with a = {a}, then its rule with out_grad = {out_grad}")
def another_scalar(bg, rng):
    scalar = round(float(rng.uniform(1.5, 9.5)), 2)
    answers = asked_back(bg, op("div_scalar", scalar), leaves(bg, {"a": signed(rng, 3)}), from_above(rng, 3))
    return answers | {"asked": answers["asked"] | {"scalar": scalar}}


ask("6.1", "zeros_divided", "div_scalar(a, 4.0)", op("div_scalar", 4.0), {"a": exactly(0.0, 2.0, -3.0)})
ask_beside_a_constant("6.1", "sub(a, b)", op("sub"))
ask("6.1", "sub_with_three_axes", "sub(a, b)", op("sub"), {"a": signed, "b": signed}, (2, 3, 4))
CONSTANT_SLOPES = {
    "sub": (op("sub"), "ab"),
    "div_scalar": (op("div_scalar", 2.5), "a"),
}
ask_float32("6.1", CONSTANT_SLOPES)
ask_again("6.1", CONSTANT_SLOPES)
ask_large("6.1", CONSTANT_SLOPES, LARGER, a=any_sign, b=any_sign)


# 6.2: Mul.

ask("6.2", "three_products", "mul(a, b)", op("mul"), {"a": signed, "b": signed})
ask("6.2", "products_with_zeros", "mul(a, b)", op("mul"), {"a": exactly(0.0, 2.0, -3.0), "b": exactly(5.0, 0.0, 0.5)})
ask_beside_a_constant("6.2", "mul(a, b)", op("mul"))
ask("6.2", "products_with_three_axes", "mul(a, b)", op("mul"), {"a": signed, "b": signed}, (2, 3, 4))


@probe("6.2", asked="mul(a, a) with a = {a}, then its rule with out_grad = {out_grad}")
def one_tensor_on_both_sides(bg, rng):
    tensors, above = leaves(bg, {"a": signed(rng, 3)}), from_above(rng, 3)
    asked = {"a": tensors["a"].data.tolist(), "out_grad": above.tolist()}
    names = ["the left a", "the right a"]
    return told_of_rule(bg, lambda bg, a: bg.ops.mul(a, a), tensors, above, names)[0] | {"asked": asked}


ask_float32("6.2", {"mul(a, b)": (op("mul"), "ab")})
ask_again("6.2", {"mul": (op("mul"), "ab")})
ask_large("6.2", {"mul(a, b)": (op("mul"), "ab")}, LARGER, a=any_sign, b=any_sign)


# 6.3: Div.

ask(
    "6.3", "three_quotients", "div(a, b)", op("div"), {"a": signed, "b": lambda rng, *shape: -signed(rng, *shape)[::-1]}
)
ask("6.3", "divided_by_one", "div(a, b)", op("div"), {"a": exactly(2.0, -3.0, 0.0), "b": exactly(1.0, 1.0, -1.0)})
ask_beside_a_constant("6.3", "div(a, b)", op("div"))
ask("6.3", "quotients_with_three_axes", "div(a, b)", op("div"), {"a": signed, "b": signed}, (2, 3, 4))
ask_float32("6.3", {"div(a, b)": (op("div"), "ab")})
ask_again("6.3", {"div": (op("div"), "ab")})
ask_large("6.3", {"div(a, b)": (op("div"), "ab")}, a=signed, b=spread_signed)


# 6.4: PowerScalar.


def ask_power(name, exponent, make, shape=(3,)):
    ask("6.4", name, f"power_scalar(a, {exponent})", op("power_scalar", exponent), {"a": make}, shape)


ask_power("cubes_at_zero_too", 3.0, exactly(-2.0, 0.0, 0.5))
ask_power("squares", 2.0, signed)
ask_power("roots_with_three_axes", 0.5, positive, (2, 3, 4))
ask_power("one_over_a_square", -2.0, signed)
ask_power("to_the_power_of_one", 1.0, exactly(-2.0, 0.0, 0.5))
ask_power("to_the_power_of_zero", 0.0, exactly(-2.0, 0.0, 0.5))
POWERS = {f"power_scalar(a, {n})": (op("power_scalar", n), "a") for n in (3.0, 0.5, -2.0, 0.0)}
ask_float32("6.4", POWERS)
ask_again("6.4", POWERS, positive)


@probe(
    "6.4",
    asked="the rule of power_scalar(a, n) for n = 3, 2, 1 and 0, with a = [-2, 0, 0.5], and computed what it recorded "
    "again, for a = [1.5, 0, -1]",
)
def recorded_at_zero_too(bg, rng):
    answers = {}
    with np.errstate(all="ignore"):
        for n in (3.0, 2.0, 1.0, 0.0):
            tensors, above = leaves(bg, {"a": np.array([-2.0, 0.0, 0.5])}), bg.Tensor(from_above(rng, 3))
            _, (share,) = gradients_by_rule(bg, op("power_scalar", n), tensors, above)
            name = f"the gradient that the rule of power_scalar(a, {n:g}) gives"
            answers[name] = array_of_share(share)
            again = recomputed(share, tensors["a"], np.array([1.5, 0.0, -1.0])) if is_tensor(share) else None
            answers[f"{name}, computed again,"] = again
    return answers


ask_large("6.4", {"power_scalar(a, 3.0)": (op("power_scalar", 3.0), "a")}, a=spread_signed)


# 6.5: compare_with_nudging, asked through check_rule. The operations that it is asked about are made here.

TENSOR_FOR_NUMPY = "it stopped inside NumPy, which was handed a Tensor"
# np.isclose takes the size of a difference, by abs of a Tensor if it is handed one: exercise 6.7, if that is empty.
NUMPY_MET_A_TENSOR = re.compile(r"^exercise 6\.7: Abs|between instances of 'Tensor'|operand 'Tensor' does not support")


def operation(bg, forward, rule):
    """A function of Tensors, with a forward and a rule that are given as functions of arrays.

    rule(out_grad, *inputs) returns an array or None for each input: for several inputs a tuple.
    """

    class Made(bg.ops.Function):
        def forward(self, *arrays):
            return forward(*arrays)

        def backward(self, out_grad, node):
            shares = rule(out_grad.data, *[x.data for x in node._inputs])
            if isinstance(shares, tuple):
                return tuple(None if share is None else bg.Tensor(share) for share in shares)
            return None if shares is None else bg.Tensor(shares)

    return lambda *inputs: Made()(*inputs)


def cube(x):
    return x**3


def outcome(bg, *arguments, **options):
    """How a check_rule ended, in words that do not depend on its own; and what it said."""
    try:
        how, said = ended(bg, bg.check_rule, *arguments, **options)
    except NotImplementedError as stub:
        if not NUMPY_MET_A_TENSOR.search(str(stub)):
            raise
        how, said = "", str(stub)
    return (TENSOR_FOR_NUMPY, "") if NUMPY_MET_A_TENSOR.search(said) else (how, said)


def checks(asked):
    """Register a question of several checks: the decorated function returns {what each is about: arguments}.

    arguments: the function, its inputs, and a dict of options if there are any.
    """

    def register(cases):
        @probe("6.5", asked=asked, name=cases.__name__)
        def question(bg, rng):
            answers = {"asked": {}}
            with np.errstate(all="ignore"):
                for about, (fn, inputs, *options) in cases(bg, rng).items():
                    answers[about], answers["asked"][about] = outcome(bg, fn, inputs, **(options[0] if options else {}))
            return answers

        return cases

    return register


@checks("check_rule on wrong rules")
def stops_wrong_rules(bg, rng):
    x, y = bg.Tensor(signed(rng, 2, 3)), bg.Tensor(signed(rng, 2, 3))
    fixed = bg.Tensor(signed(rng, 2, 3), requires_grad=False)
    last, more = np.ones((2, 3)), np.zeros((2, 3))
    last[1, 2], more[0, 1] = -1.0, 0.5
    minus = operation(bg, lambda a, b: a - 2 * b, lambda g, a, b: (g, 2 * g))
    return {
        "x³ with a rule that forgets the 3": (operation(bg, cube, lambda g, x: x**2 * g), [x]),
        "a - 2b with a right share for a and the wrong sign for b": (minus, [x, y]),
        "a - 2b with the wrong sign for b, where a requires no grad": (minus, [fixed, y]),
        "x³ with a rule that is too large by 0.5 in one place only": (
            operation(bg, cube, lambda g, x: 3 * x**2 * g + more),
            [x],
        ),
        "x³ with a rule that is wrong in the last place only, by its sign": (
            operation(bg, cube, lambda g, x: 3 * x**2 * g * last),
            [x],
        ),
        "x³ with a rule that gives the right numbers, but with the rows in the opposite order": (
            operation(bg, cube, lambda g, x: (3 * x**2 * g)[::-1]),
            [x],
        ),
        "x³ with a rule that is half a percent too large": (operation(bg, cube, lambda g, x: 3.015 * x**2 * g), [x]),
        "0.001 * x with a rule that is one percent too large": (
            operation(bg, lambda x: 0.001 * x, lambda g, x: 0.00101 * g),
            [x],
        ),
    }


@checks("check_rule on rules that out_grad = 1, 1, 1, 1 cannot tell apart")
def sees_what_ones_hide(bg, rng):
    x = bg.Tensor(positive(rng, 4))
    return {
        "x³ with a rule that forgets out_grad": (operation(bg, cube, lambda g, x: 3 * x**2), [x]),
        "x³ with a rule that multiplies by out_grad twice": (operation(bg, cube, lambda g, x: 3 * x**2 * g * g), [x]),
        "x³ with a rule that reverses out_grad": (operation(bg, cube, lambda g, x: 3 * x**2 * g[::-1]), [x]),
        "x³ with a rule that takes the mean of out_grad": (operation(bg, cube, lambda g, x: 3 * x**2 * g.mean()), [x]),
    }


@checks("check_rule on right rules")
def passes_right_rules(bg, rng):
    x, y = bg.Tensor(signed(rng, 2, 3)), bg.Tensor(signed(rng, 2, 3))
    fixed = bg.Tensor(signed(rng, 2, 3), requires_grad=False)
    cubed = operation(bg, cube, lambda g, x: 3 * x**2 * g)
    times = operation(bg, lambda a, b: a * b, lambda g, a, b: (g * b, g * a))
    times_fixed = operation(bg, lambda a, b: a * b, lambda g, a, b: (g * b, None))
    total = operation(bg, np.sum, lambda g, x: g * np.ones(x.shape))
    minus = operation(bg, lambda a, b: a - 2 * b, lambda g, a, b: (g, -2 * g))
    return {
        "x³ with a right rule and x of shape (2, 3)": (cubed, [x]),
        "the same with x itself in place of [x]": (cubed, x),
        "x³ with a right rule and x of shape ()": (cubed, [bg.Tensor(-1.5)]),
        "a * b with a right rule": (times, (x, y)),
        "x * x with a right rule": (lambda x: times(x, x), [x]),
        "a * b with a right rule, where b requires no grad and gets None": (times_fixed, [x, fixed]),
        "a - 2b with a right rule, where a requires no grad": (minus, [fixed, y]),
        "the sum of all numbers of x, of shape (2, 3), with a right rule": (total, [x]),
    }


@checks("check_rule on rules that give a wrong shape")
def shape_before_value(bg, rng):
    x, number = bg.Tensor(signed(rng, 2, 3)), bg.Tensor(1.5)

    def shaped(change):
        return operation(bg, cube, lambda g, x: change(3 * x**2 * g))

    return {
        "x of shape (2, 3) whose rule gives the right numbers in shape (1, 2, 3)": (shaped(lambda s: s[None]), [x]),
        "x of shape () whose rule gives the right number in shape (1,)": (shaped(lambda s: s.reshape(1)), [number]),
        "x of shape (2, 3) whose rule gives shape (3, 2)": (shaped(lambda s: s.reshape(3, 2)), [x]),
        "the sum of all numbers of x, of shape (2, 3), whose rule gives shape ()": (
            operation(bg, np.sum, lambda g, x: g),
            [x],
        ),
        "x of shape (2, 3) whose rule gives None": (operation(bg, cube, lambda g, x: None), [x]),
    }


@checks("check_rule on rules that give nan or inf")
def nan_and_inf(bg, rng):
    x = bg.Tensor(positive(rng, 3))

    def with_a(number):
        return operation(bg, cube, lambda g, x: np.where([False, True, False], number, 3 * x**2 * g))

    return {
        "x³ with a rule that gives nan in one place": (with_a(np.nan), [x]),
        "x³ with a rule that gives inf in one place": (with_a(np.inf), [x]),
    }


@checks("check_rule on right rules for which nudging is less exact")
def uneasy_but_right(bg, rng):
    large = operation(bg, lambda x: 1e8 * x, lambda g, x: 1e8 * g)
    steep = operation(bg, lambda x: np.exp(100 * x), lambda g, x: 100 * np.exp(100 * x) * g)
    flat = operation(bg, np.cos, lambda g, x: -np.sin(x) * g)
    return {
        "100000000 * x with a right rule (nudging is off by little, relative to the derivative)": (
            large,
            [bg.Tensor([0.7, -1.3])],
        ),
        "exp(100 * x) with a right rule (it curves strongly)": (steep, [bg.Tensor([0.013, -0.021])]),
        "cos(x) at π with a right rule (the derivative is 0; nudging never quite hits 0)": (flat, [bg.Tensor([np.pi])]),
        "cos(x) at π and 1 with a right rule (only the derivative at π is 0)": (flat, [bg.Tensor([np.pi, 1.0])]),
    }


@checks("check_rule with the caller's own rtol, atol and eps")
def its_tolerances(bg, rng):
    x = bg.Tensor([0.5, -0.7, 1.1])
    relative = operation(bg, cube, lambda g, x: 3.15 * x**2 * g)
    absolute = operation(bg, cube, lambda g, x: 3 * x**2 * g + 0.01)
    right = operation(bg, cube, lambda g, x: 3 * x**2 * g)
    return {
        "a rule that is 5 percent too large, with rtol=0.1": (relative, [x], {"rtol": 0.1}),
        "a rule that is 5 percent too large, with rtol=0.01": (relative, [x], {"rtol": 0.01}),
        "a rule that is 0.01 too large, with atol=0.1": (absolute, [x], {"atol": 0.1}),
        "x³ with a right rule and eps=0.5 (with so wide a nudge, it is off by 0.25)": (right, [x], {"eps": 0.5}),
    }


@probe("6.5", asked="check_rule(fn, [x], seed=...) with the seeds 1, 2 and 1, and looked at out_grad each time")
def its_seed(bg, rng):
    def out_grad_for(seed):
        given = []
        fn = operation(bg, cube, lambda g, x: given.append(g.copy()) or 3 * x**2 * g)
        bg.check_rule(fn, [bg.Tensor([0.5, -0.7, 1.1])], seed=seed)
        return given[0]

    first, second, again = (out_grad_for(seed) for seed in (1, 2, 1))
    return {
        "out_grad for the seed 2": Form("the same as for 1" if np.array_equal(first, second) else "another one"),
        "out_grad for the seed 1 again": Form("the same as before" if np.array_equal(first, again) else "another one"),
    }


@checks("check_rule on twelve rules for x³, some of them right")
def right_or_wrong(bg, rng):
    x = bg.Tensor(signed(rng, 3))
    factors = rng.integers(3, 5, 12).tolist()

    def ruled(factor):
        return operation(bg, cube, lambda g, x: factor * x**2 * g)

    return {
        f"x³ with the rule {factor} * x² * out_grad, number {place} of 12": (ruled(factor), [x])
        for place, factor in enumerate(factors, 1)
    }


NUMBER = r"-?\d+(?:\.\d*)?(?:e[+-]?\d+)?"
BACKWARD, NUDGING = r"(?:backward|(?:the )?rule)", r"nudg\w+"


def numbers_in(message):
    """The numbers of a text, as texts. The 64 of float64 is none."""
    return re.findall(rf"(?<![\w.]){NUMBER}", message)


def said_of(who, message):
    """The number that a message gives to somebody, in a list: "4.5 by backward", "nudging says 9"; [] if none."""
    found = re.search(rf"({NUMBER}) by {who}", message) or re.search(rf"{who}(?: \w+)?[:=]? ({NUMBER})", message)
    return [float(found[1])] if found else []


def message(asked, not_named):
    """Register a question about a message: the decorated function(bg, rng) returns a function and its inputs.

    not_named(message): a list of what the message does not say, each in a word of marking.py's table.
    """

    def register(case):
        @probe("6.5", asked=asked, name=case.__name__)
        def question(bg, rng):
            ended, said = outcome(bg, *case(bg, rng))
            return {"asked": {"said": said}, "it": ended, "missing": not_named(said)}

        return case

    return register


def not_named_of_a_number(said):
    """For input 2, index (0, 1), and a rule's number 1.5 times too large."""
    numbers = numbers_in(said)
    whole = [text for text in numbers if text.isdigit()]
    ratios = [float(a) / float(b) for a in numbers for b in numbers if float(b)]
    turned = [a / b for a, b in zip(said_of(BACKWARD, said), said_of(NUDGING, said)) if b]
    named = {
        "position": "2" in whole,
        "index": ("0", "1") in pairwise(whole),
        "numbers": any(abs(ratio - 1.5) < 0.02 for ratio in ratios),
        "whose": not any(abs(ratio - 1 / 1.5) < 0.02 for ratio in turned),
    }
    return [what for what, is_named in named.items() if not is_named]


@message(
    "check_rule(fn, [a, b, c]) where only the gradient of c, input 2, at index (0, 1) is wrong", not_named_of_a_number
)
def a_message_about_a_number(bg, rng):
    factor = np.ones((2, 3))
    factor[0, 1] = 1.5
    fn = operation(bg, lambda a, b, c: a + b + 5 * c, lambda g, a, b, c: (g, g, 5 * g * factor))
    return fn, [bg.Tensor(signed(rng, 2, 3)) for _ in "abc"]


def not_named_of_the_first(said):
    """For inputs 1 and 2, both wrong at index (0, 0)."""
    whole = [text for text in numbers_in(said) if text.isdigit()]
    return [] if "1" in whole and "2" not in whole else ["first"]


@message(
    "check_rule(fn, [a, b, c]) where the gradients of b, input 1, and of c, input 2, are wrong at index (0, 0)",
    not_named_of_the_first,
)
def a_message_about_the_first_fault(bg, rng):
    factor = np.ones((2, 3))
    factor[0, 0] = 1.5
    fn = operation(bg, lambda a, b, c: a + 3 * b + 5 * c, lambda g, a, b, c: (g, 3 * g * factor, 5 * g * factor))
    return fn, [bg.Tensor(signed(rng, 2, 3)) for _ in "abc"]


def not_named_of_none(said):
    """For input 1, whose gradient is None."""
    return [] if "1" in numbers_in(said) else ["position"]


@message("check_rule(fn, [a, b]) where b, input 1, gets None", not_named_of_none)
def a_message_about_none(bg, rng):
    fn = operation(bg, lambda a, b: a + b, lambda g, a, b: (g, None))
    return fn, [bg.Tensor(signed(rng, 3, 4)) for _ in "ab"]


def not_named_of_a_shape(said):
    """For input 1 of shape (3, 4), and a gradient of shape (4, 3)."""
    whole = [text for text in numbers_in(said) if text.isdigit()]
    named = {
        "position": "1" in whole,
        "shape_given": ("4", "3") in pairwise(whole),
        "shape_of_input": ("3", "4") in pairwise(whole),
    }
    return [what for what, is_named in named.items() if not is_named]


@message(
    "check_rule(fn, [a, b]) where the gradient of b, input 1, has shape (4, 3) and b has shape (3, 4)",
    not_named_of_a_shape,
)
def a_message_about_a_shape(bg, rng):
    fn = operation(bg, lambda a, b: a + b, lambda g, a, b: (g, g.T))
    return fn, [bg.Tensor(signed(rng, 3, 4)) for _ in "ab"]


@probe("6.5", asked="check_rule(fn, [a, b]) for a * b with a right rule, and looked at a and b afterwards")
def leaves_everything_as_it_was(bg, rng):
    a, b = (bg.Tensor(signed(rng, 2, 2)) for _ in "ab")
    b.requires_grad = False
    fn = operation(bg, lambda a, b: a * b, lambda g, a, b: (g * b, g * a))
    before = a.data.copy(), b.data.copy()
    bg.check_rule(fn, [a, b])
    return {
        **held("a", np.array_equal(a.data, before[0])),
        **held("b", np.array_equal(b.data, before[1])),
        "a.grad": a.grad,
        "whether a requires grad": a.requires_grad,
        "whether b requires grad": b.requires_grad,
    }


# 6.6: Exp, Log, Sqrt.


def ask_function(id, name, function, make, shape=(3,)):
    ask(id, name, f"{function}(a)", op(function), {"a": make}, shape)


def of_a(*functions):
    """{call: (operation, names of its inputs)} of functions of one array."""
    return {f"{name}(a)": (op(name), "a") for name in functions}


ask_function("6.6", "exp_of_both_signs", "exp", signed)
ask_function("6.6", "log_of_small_and_large", "log", exactly(0.25, 1.0, 8.0))
ask_function("6.6", "sqrt_of_small_and_large", "sqrt", exactly(0.25, 1.0, 9.0))
ask_function("6.6", "exp_far_out", "exp", exactly(-60.0, 0.0, 60.0))
ask_function("6.6", "exp_with_three_axes", "exp", signed, (2, 3, 4))
ask_function("6.6", "log_with_two_axes", "log", positive, (4, 3))
ask_function("6.6", "sqrt_with_two_axes", "sqrt", positive, (4, 3))


ask_float32("6.6", of_a("exp", "log", "sqrt"))
ask_again("6.6", of_a("exp", "log", "sqrt"), positive)
ask_large(
    "6.6",
    {
        "exp(a)": (op("exp"), "a"),
        "log(b)": (op("log"), "b"),
        "sqrt(b)": (op("sqrt"), "b"),
    },
    a=lambda rng, *shape: 4 * signed(rng, *shape),
    b=spread,
)


# 6.7: Abs, ReLU.

ask_function("6.7", "abs_left_and_right", "abs", signed)
ask_function("6.7", "relu_left_and_right", "relu", signed)
ask_function("6.7", "abs_at_the_kink", "abs", exactly(0.0, -2.0, 0.0, 3.0))
ask_function("6.7", "relu_at_the_kink", "relu", exactly(0.0, -2.0, 0.0, 3.0))
ask_function("6.7", "abs_with_three_axes", "abs", signed, (2, 3, 4))
ask_function("6.7", "relu_with_three_axes", "relu", signed, (2, 3, 4))


@probe("6.7", asked="relu(a) with a = [-inf, -1e300, 1e300, inf]")
def very_large_numbers(bg, rng):
    a = bg.Tensor([-np.inf, -1e300, 1e300, np.inf])
    with np.errstate(all="ignore"):
        return {"relu(a)": without_minus_zero(bg.ops.relu(a).data)}


ask_float32("6.7", of_a("abs", "relu"))
ask_again("6.7", of_a("abs", "relu"))
ask_large("6.7", of_a("abs", "relu"), a=beside_the_kink)


# 6.8: Sigmoid, Tanh.

ask_function("6.8", "sigmoid_of_both_signs", "sigmoid", signed)
ask_function("6.8", "tanh_of_both_signs", "tanh", signed)
ask_function("6.8", "sigmoid_with_three_axes", "sigmoid", signed, (2, 3, 4))
ask_function("6.8", "tanh_with_three_axes", "tanh", signed, (2, 3, 4))


def ask_far_out(function):
    """Register a question at ±1000: numbers, and NumPy's warnings."""
    asked = f"{function}(a) with a = [-1000, -30, 0, 30, 1000], then its rule with out_grad = [2, -3, 0.5, 4, -1.5]"

    @probe("6.8", asked=asked, name=f"{function}_far_out")
    def question(bg, rng):
        tensors = {"a": bg.Tensor([-1000.0, -30.0, 0.0, 30.0, 1000.0])}
        above = np.array([2.0, -3.0, 0.5, 4.0, -1.5])
        (answers, _), heard = listened_to(lambda: told_of_rule(bg, op(function), tensors, above))
        return answers | {"the list of NumPy's warnings": heard}


ask_far_out("sigmoid")
ask_far_out("tanh")


@probe("6.8", asked="sigmoid(a) with a = [-1000, -40, -30, -10, 0, 10, 30, 40, 1000]")
def fifteen_digits(bg, rng):
    a = np.array([-1000.0, -40.0, -30.0, -10.0, 0.0, 10.0, 30.0, 40.0, 1000.0])
    small = np.exp(-np.abs(a))
    off = np.abs(bg.ops.sigmoid(bg.Tensor(a)).data - np.where(a >= 0, 1, small) / (1 + small))
    return {"the list of the places in a where it is off by more than 1e-15": a[~(off <= 1e-15)].tolist()}


ask_float32("6.8", of_a("sigmoid", "tanh"))
ask_again("6.8", of_a("sigmoid", "tanh"))
ask_large("6.8", of_a("sigmoid", "tanh"), a=signed)


# 6.9: Pow, where both may change.


ask("6.9", "three_powers", "pow(a, b)", op("pow"), {"a": positive, "b": signed})
ask("6.9", "powers_with_three_axes", "pow(a, b)", op("pow"), {"a": positive, "b": signed}, (2, 3, 4))


def asked_of_pow(bg, a, b, a_moves=True, b_moves=True):
    """The answers for pow(a, b), about the inputs that move; and NumPy's warnings."""
    tensors = leaves(bg, {"a": a, "b": b})
    tensors["a"].requires_grad, tensors["b"].requires_grad = a_moves, b_moves
    above = np.array([2.0, -3.0, 0.5, 4.0, 2.5][: len(a)])
    (answers, _), heard = listened_to(lambda: told_of_rule(bg, op("pow"), tensors, above))
    fixed = [f"the gradient of {name}" for name, x in tensors.items() if not x.requires_grad]
    return {name: x for name, x in answers.items() if name not in fixed} | {"the list of NumPy's warnings": heard}


@probe(
    "6.9",
    asked="pow(a, b) with a = [-2, -0.5, 3, 0], b = [2, 3, -1, 2] where b requires no grad, "
    "then its rule with out_grad = [2, -3, 0.5, 4]",
)
def a_negative_base_with_a_fixed_exponent(bg, rng):
    return asked_of_pow(bg, [-2.0, -0.5, 3.0, 0.0], [2.0, 3.0, -1.0, 2.0], b_moves=False)


@probe(
    "6.9",
    asked="pow(a, b) with a = [2, 0.5, 3], b = [3, -2, 0] where a requires no grad, "
    "then its rule with out_grad = [2, -3, 0.5]",
)
def a_fixed_base(bg, rng):
    return asked_of_pow(bg, [2.0, 0.5, 3.0], [3.0, -2.0, 0.0], a_moves=False)


@probe(
    "6.9",
    asked="pow(a, b) with a = [0, 0, 0, 2, -2], b = [0, 1, 3, 0, 3] where both require grad, "
    "then its rule with out_grad = [2, -3, 0.5, 4, 2.5]",
)
def a_base_of_zero_and_a_moving_exponent(bg, rng):
    answers = asked_of_pow(bg, [0.0, 0.0, 0.0, 2.0, -2.0], [0.0, 1.0, 3.0, 0.0, 3.0])
    return {name: x for name, x in answers.items() if name != "the list of NumPy's warnings"}


@probe(
    "6.9",
    asked="pow(a, b) with a = [0, 0, 0, -2], b = [0, 1, 3, 2] where b requires no grad, "
    "then its rule with out_grad = [2, -3, 0.5, 4]",
)
def a_base_of_zero(bg, rng):
    answers = asked_of_pow(bg, [0.0, 0.0, 0.0, -2.0], [0.0, 1.0, 3.0, 2.0], b_moves=False)
    return {name: x for name, x in answers.items() if name != "the list of NumPy's warnings"}


ask_float32("6.9", {"pow(a, b)": (op("pow"), "ab")})
ask_again("6.9", {"pow": (op("pow"), "ab")}, positive)
ask_large("6.9", {"pow(a, b)": (op("pow"), "ab")}, a=spread, b=signed)


# 6.10: the hunt.


def ask_hunt(name):
    @probe("6.10", asked=f"three_wrong_rules({{place}}), and asked {name}'s rule", name=f"catches_{name}", secret=True)
    def question(bg, rng):
        place = float(rng.choice([-1, 1])) * round(float(rng.uniform(1, 9)), 1)
        return {"asked": {"place": place}, "the test": as_lists(bg.hunts.three_wrong_rules(place))}


for _name in ("Ada", "Ben", "Cleo"):
    ask_hunt(_name)
