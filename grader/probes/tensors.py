"""Tensors to ask with, and what came back as answers: what the questions of notebooks 05 to 13 have in common."""

from contextlib import contextmanager, nullcontext
from dataclasses import dataclass

import numpy as np

from ..asking import ask
from ..asking.answers import Form
from ..asking.ask import NO_RETURN, NO_TENSOR, NOTHING
from .arrays import watched
from .probing import drawn


def signed(rng, *shape):
    """Numbers of both signs, from 0.3 to 2.5 in size, with two digits; the first is negative."""
    return rng.uniform(0.3, 2.5, shape).round(2) * np.resize([-1.0, 1.0, 1.0, -1.0, 1.0], shape)


def from_above(rng, *shape):
    """A gradient of the result: both signs, no two alike (as good as never), none of them 1."""
    return (rng.uniform(0.2, 0.9, shape) + rng.integers(1, 3, shape)).round(2) * np.resize([1.0, -1.0, 1.0], shape)


def random_tensor(bg, rng, shape, label=""):
    """A Tensor of normal numbers with two digits."""
    return labelled(bg.Tensor(rng.normal(size=shape).round(2)), label)


def labelled(tensor, label):
    """The Tensor, with a name for the drawing."""
    tensor.label = label
    return tensor


def named(**nodes):
    """The nodes by name, each with its name as its label."""
    return {name: labelled(node, name) for name, node in nodes.items()}


def call_in_words(function, *arguments, **options):
    """A call as one writes it.  arguments: texts."""
    return f"{function}({', '.join([*arguments, *(f'{name}={value!r}' for name, value in options.items())])})"


def is_tensor(x):
    """Is it a Tensor, of whatever copy of the package?"""
    return hasattr(x, "_inputs")


def kind_of(x, none=NOTHING):
    """What kind of thing x is, in words.  none: the words for None."""
    if is_tensor(x):
        return "a Tensor"
    if isinstance(x, (tuple, list)):
        return f"a {type(x).__name__} of {len(x)}"
    if isinstance(x, np.ndarray):
        return "a NumPy array"
    if isinstance(x, np.generic):
        return "a NumPy number"
    return none if x is None else ask.kind_of(x)


def name_of(x, known):
    """The name of the object x in known, {name: object}; what kind of thing it is if it is none of them."""
    return next((name for name, each in known.items() if each is x), kind_of(x))


def operation(bg, forward):
    """An operation that is none of the package's own: an object of a Function with this forward(self, *arrays)."""
    return type("Check", (bg.Function,), {"forward": forward})()


def without_minus_zero(array):
    """A copy in which -0.0 is 0.0: it would only puzzle the reader."""
    return np.asarray(array + 0.0)


def array_of(x):
    """The array or number that was wanted, as it is now; words for what came in its place."""
    if isinstance(x, np.ndarray):
        if x.dtype == object and x.shape == () and x.item() is None:  # a forward without return
            return Form(NO_RETURN)
        return without_minus_zero(x) if x.dtype.kind == "f" else x.copy()
    return x if isinstance(x, (int, float, np.number)) else Form(kind_of(x))


def number_of(x):
    """The number that was wanted; an array of shape () is one."""
    return x.item() if isinstance(x, np.ndarray) and x.shape == () else array_of(x)


def array_in(x):
    """The array of a Tensor, as it is now; words for what came in place of the Tensor."""
    return array_of(x.data) if is_tensor(x) else Form(f"{kind_of(x)}{NO_TENSOR}")


def dtype_of(x):
    """The dtype of an array or a Tensor, in words."""
    return Form(str(getattr(x, "dtype", "none")))


def as_lists(x):
    """Lists and plain numbers where that is what is meant: an array, a tuple or a Tensor will do."""
    x = x.data if is_tensor(x) else x
    if isinstance(x, (np.ndarray, np.generic)):
        return x.tolist()
    return [as_lists(each) for each in x] if isinstance(x, (list, tuple)) else x


@contextmanager
def recording_off(bg):
    """As it is during an ordinary walk back."""
    recording = bg.autograd.Recording
    before, recording.on = recording.on, False
    try:
        yield
    finally:
        recording.on = before


@dataclass(frozen=True)
class Asked:
    """What came of a call of asked_of_rule."""

    inputs: dict  # {name: Tensor}
    out: object  # the result, a Tensor
    result: np.ndarray  # its numbers, as they were before the rule was asked; words where there are none
    out_grad: object
    returned: object  # by the rule
    changed: dict  # answers: is all that neither the operation nor its rule may change as it was?


def asked_of_rule(bg, operation, inputs, out_grad_of, result="the result", during=nullcontext, rule="backward"):
    """Carry out an operation, ask its rule, and look at all that neither may change.  Returns an Asked.

    operation(package, *inputs).  inputs: {name: Tensor}.  out_grad_of(shape): what is given to the rule.
    result: what the result is called.  during(package): a block in which the rule is asked.
    rule: "backward", or "shares", which gives a share of its input's shape for each of them.
    """
    inputs_afterwards = watched(inputs)
    out = operation(bg, *inputs.values())
    numbers, out_grad = array_of(out.data), out_grad_of(out.shape)
    if not isinstance(numbers, np.ndarray):  # a forward without return: no rule can say anything of that
        return Asked(inputs, out, numbers, out_grad, None, {})
    afterwards = watched({result: out, "out_grad": out_grad})
    with during(bg):
        returned = getattr(out._op, rule)(out_grad, out)
    return Asked(inputs, out, numbers, out_grad, returned, {**inputs_afterwards(), **afterwards()})


def picture(bg, asked):
    """The learner's graph, with the gradients that the rule gave.  asked: an Asked."""
    shares = asked.returned if isinstance(asked.returned, tuple) else (asked.returned,)
    gradients = [(x, share) for x, share in zip(asked.inputs.values(), shares) if hasattr(share, "shape")]
    return drawn(bg, asked.out, [*gradients, (asked.out, asked.out_grad)])


def share_of(returned):
    """The one share that a rule with one input gives: bare, or in a tuple of one."""
    return returned[0] if isinstance(returned, tuple) and len(returned) == 1 else returned


def share_as_answers(share, name, kind):
    """Answers: what kind of thing a share is, and its numbers; where no Tensor came, the kind says it all.

    name, kind: what the two answers are called.
    """
    answers = {kind: Form(kind_of(share, NO_RETURN))}
    return answers | {name: share.data} if is_tensor(share) else answers


PAIR = Form("a pair of Tensors")


def form_of_pair(returned):
    """What kind of thing a rule with two inputs returned: PAIR is what is wanted."""
    if not isinstance(returned, tuple):
        return Form(kind_of(returned, NO_RETURN))
    kinds = [kind_of(share) for share in returned]
    return PAIR if kinds == ["a Tensor"] * 2 else Form(f"a tuple of {len(kinds)}: {', '.join(kinds[:4])}")


def pair_of(returned):
    """The two shares that a rule with two inputs gave; None in place of one that is no Tensor."""
    is_pair = isinstance(returned, tuple) and len(returned) == 2
    return tuple(share if is_tensor(share) else None for share in returned) if is_pair else (None, None)


def pair_as_answers(returned):
    """Answers: what kind of thing a rule with the inputs a and b returned, and the gradients in it."""
    shares = zip("ab", pair_of(returned))
    gradients = {f"the gradient of {name}": share.data for name, share in shares if share is not None}
    return {"the rule's answer": form_of_pair(returned), **gradients}
