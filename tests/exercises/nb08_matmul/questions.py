"""The questions of notebook 08."""

from contextlib import nullcontext

from grader.asking.answers import Form
from grader.course.questions import probe
from grader.probes.arrays import asked_again, asked_once_more, condensed
from grader.probes.probing import LARGE, LARGER, SLOPES_RTOL, TOO_MANY_TO_NUDGE
from grader.probes.tensors import (
    asked_of_rule,
    dtype_of,
    form_of_pair,
    is_tensor,
    kind_of,
    pair_as_answers,
    pair_of,
    picture,
    random_tensor,
    recording_off,
)

# What the questions have in common.


def matmul(bg, a, b):
    return bg.ops.matmul(a, b)


def random_pair(bg, rng, a_shape, b_shape):
    """a and b, Tensors of these shapes."""
    return random_tensor(bg, rng, a_shape, "a"), random_tensor(bg, rng, b_shape, "b")


def random_out_grad(bg, rng):
    return lambda shape: random_tensor(bg, rng, shape)


def asked_back(bg, a, b, out_grad_of, during=nullcontext):
    """The product, what its rule answers for a and b, and what neither may change.  The picture shows both gradients.

    out_grad_of(shape): what the rule is given.  during(package): a block in which the rule is asked.
    """
    asked = asked_of_rule(bg, matmul, {"a": a, "b": b}, out_grad_of, "the product", during)
    a.label, b.label = a.label or "a", b.label or "b"
    return {
        "the product": asked.result,
        **pair_as_answers(asked.returned),
        **asked.changed,
        **asked_once_more(asked.out, asked.returned, asked.out_grad.data),
        "graph": picture(bg, asked),
    }


def ask_rule(id, name, a_shape, b_shape):
    """Register a question: a product of random numbers of these shapes, then its rule."""

    def question(bg, rng):
        return asked_back(bg, *random_pair(bg, rng, a_shape, b_shape), random_out_grad(bg, rng))

    asked = f"matmul(a, b) for a of shape {a_shape} and b of shape {b_shape}, and then its backward"
    probe(id, asked=asked, name=name)(question)


def ask_again(id, *cases):
    """Register two questions: are the gradients right if they are differentiated again, and does float32 stay so?

    cases: pairs of the shapes of a and b.
    """

    def differentiable_again(bg, rng):
        answers = {}
        for a_shape, b_shape in cases:
            a, b = random_pair(bg, rng, a_shape, b_shape)
            out = bg.ops.matmul(a, b)
            out_grad = random_tensor(bg, rng, out.shape)
            returned = out._op.backward(out_grad, out)
            about = f"in {a_shape} @ {b_shape}"
            shares = {f"the gradient of {name} {about}": share for name, share in zip("ab", pair_of(returned))}
            answers[f"the rule's answer {about}"] = form_of_pair(returned)
            answers |= {name: getattr(share, "data", None) for name, share in shares.items()}
            answers |= asked_again(shares, {"a": a, "b": b, "out_grad": out_grad}, rng)
        return answers

    def float32_stays_float32(bg, rng):
        answers = {}
        for a_shape, b_shape in cases:
            a, b = (bg.Tensor(rng.normal(size=shape), dtype="float32") for shape in (a_shape, b_shape))
            out = bg.ops.matmul(a, b)
            returned = out._op.backward(bg.Tensor(rng.normal(size=out.shape), dtype="float32"), out)
            answers["the dtype of the product"] = dtype_of(out)
            shares = zip("ab", pair_of(returned))
            answers |= {f"the dtype of the gradient of {name}": dtype_of(share) for name, share in shares}
        return answers

    shapes = " and ".join(f"for a of shape {a}, b of shape {b}" for a, b in cases)
    asked = f"backward of matmul(a, b) {shapes}"
    probe(id, asked=f"{asked}, and differentiated the gradients again", rtol=SLOPES_RTOL)(differentiable_again)
    probe(id, asked=f"{asked}, where a, b and out_grad have dtype float32")(float32_stays_float32)


def large_in_short(bg, rng, a_shape, b_shape):
    """The gradients of a large product, of random numbers that nobody will see."""
    a, b = bg.Tensor(rng.normal(size=a_shape)), bg.Tensor(rng.normal(size=b_shape))
    out = bg.ops.matmul(a, b)
    returned = out._op.backward(bg.Tensor(rng.normal(size=out.shape)), out)
    return condensed(pair_as_answers(returned))


# 8.1: two matrices.


def shapes_of_gradients(bg, rng, a_shape, b_shape):
    """The shapes of what the rule answers; or that it stopped, since shapes did not fit."""
    out = bg.ops.matmul(*random_pair(bg, rng, a_shape, b_shape))
    try:
        shares = pair_of(out._op.backward(random_tensor(bg, rng, out.shape), out))
    except ValueError:
        return Form("none: the rule stops there with an error")
    return Form(" and ".join(str(share.data.shape) if is_tensor(share) else kind_of(share) for share in shares))


@probe(
    "8.1",
    asked="matmul(a, b) for a = [[1, -2], [0, 3]], b = [[2, 0], [-1, 4]], and then its backward with out_grad = "
    "[[0.5, -1], [2, 0.25]]; and backward for shapes (2, 3) and (3, 4)",
)
def few_numbers(bg, rng):
    a, b = bg.Tensor([[1.0, -2.0], [0.0, 3.0]]), bg.Tensor([[2.0, 0.0], [-1.0, 4.0]])
    answers = asked_back(bg, a, b, lambda _: bg.Tensor([[0.5, -1.0], [2.0, 0.25]]))
    return answers | {"the shapes of the gradients for (2, 3) and (3, 4)": shapes_of_gradients(bg, rng, (2, 3), (3, 4))}


ask_rule("8.1", "rectangles", (2, 3), (3, 4))
ask_rule("8.1", "square", (3, 3), (3, 3))


@probe("8.1", asked="matmul(a, b) for a of shape (2, 2) and b = a, and then its backward")
def one_matrix_on_both_sides(bg, rng):
    a = random_tensor(bg, rng, (2, 2))
    return asked_back(bg, a, a, random_out_grad(bg, rng))


@probe(
    "8.1",
    asked="backward of matmul(a, b) for a of shape (2, 3) and b of shape (3, 4), once where a requires no grad, once "
    "where b does not, and looked at the gradient of the other",
)
def one_of_them_is_a_constant(bg, rng):
    answers = {}
    for place in (1, 0):
        inputs = random_pair(bg, rng, (2, 3), (3, 4))
        inputs[1 - place].requires_grad = False
        out = bg.ops.matmul(*inputs)
        returned = out._op.backward(random_tensor(bg, rng, out.shape), out)
        if not isinstance(returned, tuple) or len(returned) != 2:
            return {"the rule's answer": form_of_pair(returned)}
        share = returned[place]
        answers[f"the gradient of {'ab'[place]}"] = share.data if is_tensor(share) else Form(kind_of(share))
    return answers


ask_again("8.1", ((2, 3), (3, 4)))


@probe(
    "8.1", asked=f"matmul(a, b) for matrices a and b of shape {LARGE}, and then its backward", slow=TOO_MANY_TO_NUDGE
)
def large(bg, rng):
    return large_in_short(bg, rng, LARGE, LARGE)


# 8.2: batches.

ask_rule("8.2", "equal_batches", (2, 3, 4), (2, 4, 5))
ask_rule("8.2", "cubes", (3, 3, 3), (3, 3, 3))


@probe(
    "8.2",
    asked="matmul(a, b), and then its backward, for a of shape (1, 3, 4) and b of shape (2, 4, 5); then for shapes "
    "(2, 3, 4) and (4, 5), (3, 4) and (2, 4, 5), (2, 3, 4) and (1, 4, 5)",
)
def one_matrix_for_many(bg, rng):
    answers = {}
    for a_shape, b_shape in (((1, 3, 4), (2, 4, 5)), ((2, 3, 4), (4, 5)), ((3, 4), (2, 4, 5)), ((2, 3, 4), (1, 4, 5))):
        out = bg.ops.matmul(*random_pair(bg, rng, a_shape, b_shape))
        returned = out._op.backward(random_tensor(bg, rng, out.shape), out)
        about = f"in {a_shape} @ {b_shape}"
        answers |= {f"{name} {about}": answer for name, answer in pair_as_answers(returned).items()}
    return answers


ask_rule("8.2", "both_stretched", (2, 1, 3, 4), (5, 4, 6))
ask_rule("8.2", "both_stretched_the_other_way", (5, 3, 4), (2, 1, 4, 6))


@probe(
    "8.2",
    asked="matmul(a, b) for a of shape (3, 4), which requires no grad, and b of shape (2, 4, 5), and then its backward",
)
def a_constant_matrix(bg, rng):
    a, b = random_tensor(bg, rng, (3, 4)).detach(), random_tensor(bg, rng, (2, 4, 5))
    return asked_back(bg, a, b, random_out_grad(bg, rng))


ask_again("8.2", ((1, 2, 3), (2, 3, 1)), ((2, 1, 2), (2, 1)))


@probe(
    "8.2",
    asked=f"matmul(a, b) for a of shape (2, 16, 256) and b of shape {LARGE}, and then its backward",
    slow=TOO_MANY_TO_NUDGE,
)
def large_batch(bg, rng):
    return large_in_short(bg, rng, (2, 16, 256), LARGE)


# 8.3: vectors.

ask_rule("8.3", "a_vector_on_the_right", (2, 3), (3,))
ask_rule("8.3", "a_vector_on_the_left", (2,), (2, 3))


@probe(
    "8.3",
    asked="matmul(a, b) for the vectors a = [1, -2, 0.5] and b = [3, 0, -4], "
    "and then its backward with out_grad = -0.5",
)
def two_vectors(bg, rng):
    a, b = bg.Tensor([1.0, -2.0, 0.5]), bg.Tensor([3.0, 0.0, -4.0])
    return asked_back(bg, a, b, lambda _: bg.Tensor(-0.5))


ask_rule("8.3", "a_vector_and_a_square", (3,), (3, 3))
ask_rule("8.3", "a_batch_and_a_vector", (2, 3, 4), (4,))
ask_rule("8.3", "a_vector_and_a_batch", (4,), (2, 4, 5))


@probe(
    "8.3",
    asked="backward of matmul(a, b) for a of shape (3,) and b of shape (3, 4), with recording off, as in an ordinary "
    "backward pass",
)
def while_nothing_is_recorded(bg, rng):
    a, b = random_tensor(bg, rng, (3,)), random_tensor(bg, rng, (3, 4))
    return asked_back(bg, a, b, random_out_grad(bg, rng), during=recording_off)


ask_again("8.3", ((2, 3), (3,)), ((2,), (2, 2, 1)))


@probe(
    "8.3",
    asked=f"matmul(a, b) for a of shape {LARGER} and b of shape (256,), and then for a of shape (256,) and b of shape "
    f"{LARGER}, each with its backward",
    slow=TOO_MANY_TO_NUDGE,
)
def large_with_a_vector(bg, rng):
    cases = {"with the vector on the right": (LARGER, (256,)), "with the vector on the left": ((256,), LARGER)}
    return {
        f"{name} {where}": x for where, shapes in cases.items() for name, x in large_in_short(bg, rng, *shapes).items()
    }
