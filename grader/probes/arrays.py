"""What probes ask about arrays: are they as before, what can be found in large ones, gradients of gradients."""

import warnings
from functools import cache

import numpy as np

from ..asking.answers import Form
from ..course.phrases import listed
from .probing import in_order

MOST_AS_THEY_ARE = 300  # numbers of an array that is answered as it is
MOST_LOOKED_AT = 1 << 20
SAMPLE_EVERY = 4_177  # a prime, so that the samples lie in all rows and columns
GOLDEN = 0.6180339887498949
BANDS = 16

NUDGE = 1e-5
AS_BEFORE, CHANGED = Form("what was there before"), Form("something else")
STILL_NONE, WRITTEN = Form("None"), Form("an array")
TWICE, NOT_TWICE = Form("twice as much"), Form("not twice as much")


def asked_again(shares, leaves, rng):
    """The answers to: how does each gradient that a rule gave change with what it was made from?

    shares: {name: gradient}, one of the shape of each leaf, in their order.
    leaves: {name: Tensor}; out_grad may be one of them, at the end.
    The graph that a gradient recorded is computed anew with each number of each leaf a little larger and smaller. So
    only the rule that gave the gradients is asked; a mask passes if it stays the same under such small changes.
    Returns {words: an array of the leaf's shape}: the slopes of a randomly weighted sum of the gradient's numbers.
    """
    weights = [rng.normal(size=leaf.data.shape) for leaf in leaves.values()]
    return {
        f"{name}, differentiated by {leaf}": _slopes_of_recorded(share, weight, leaves[leaf])
        for (name, share), weight in zip(shares.items(), weights)
        for leaf in leaves
    }


def _slopes_of_recorded(share, weights, leaf):
    if not hasattr(share, "_inputs") or share.data.shape != weights.shape:
        return None
    slopes = np.zeros(leaf.data.shape)
    for place in np.ndindex(slopes.shape):
        nudge = np.zeros(slopes.shape)
        nudge[place] = NUDGE
        above, below = (_recomputed(share, {id(leaf): leaf.data + way * nudge}) for way in (1, -1))
        slopes[place] = (weights * (above - below)).sum() / (2 * NUDGE)
    return np.asarray(slopes.round(6) + 0.0)  # what nudging cannot know is 0, and none of it is -0.0


def recomputed(root, leaf, array):
    """The numbers that root would have if leaf held this array, computed from what root remembers; no node changes."""
    return _recomputed(root, {id(leaf): array})


def _recomputed(root, arrays):
    """The numbers of root, if some nodes had other numbers.  arrays: {id of a node: its array}, filled on the way."""
    for node in _nodes_of_tensors(root):
        if id(node) not in arrays:
            made = getattr(node, "_op", None) is not None
            arrays[id(node)] = node._op.forward(*[arrays[id(x)] for x in node._inputs]) if made else node.data
    return arrays[id(root)]


def _nodes_of_tensors(root):
    """Each node of a graph of Tensors once, after everything it was made from."""
    return in_order(root, lambda node: node._inputs if getattr(node, "_op", None) is not None else ())


def watched(tensors):
    """A function that answers, later: are the Tensors as they are now? None of them has a .grad yet.

    tensors: {name: Tensor}.  The numbers and .grad are looked at, and whether the gradient is wanted.
    """
    before = {name: (np.array(x.data), x.requires_grad) for name, x in tensors.items()}

    def afterwards():
        answers = {}
        for name, x in tensors.items():
            numbers, wanted = before[name]
            same = np.array_equal(x.data, numbers, equal_nan=True) and x.requires_grad == wanted
            answers |= held(name, same)
        still_none = all(x.grad is None for x in tensors.values())
        return answers | {f".grad of {listed(tensors)} afterwards": STILL_NONE if still_none else WRITTEN}

    return afterwards


def held(name, same):
    """The answer to: does something hold what it held before?"""
    return {f"what {name} holds afterwards": AS_BEFORE if same else CHANGED}


def asked_once_more(out, returned, above):
    """An answer to: does a rule say the same of twice the gradient?  It cannot if the first call changed something.

    out: the result.  returned: what its rule gave for a gradient of the numbers `above`.
    """
    about = "what the rule gives when it is asked again, for twice the out_grad,"
    try:
        again = out._op.backward(type(out)(2 * above, dtype=out.data.dtype, requires_grad=False), out)
    except Exception:  # it did not stop before: the first call changed something, and another answer says what
        return {about: NOT_TWICE}
    pairs = zip(*(x if isinstance(x, (tuple, list)) else (x,) for x in (returned, again)))
    return {about: TWICE if all(_is_twice(share, other) for share, other in pairs) else NOT_TWICE}


def _is_twice(share, other):
    if not hasattr(share, "_inputs") or not hasattr(other, "_inputs"):
        return type(share) is type(other)
    same_shape = share.data.shape == other.data.shape
    return same_shape and np.allclose(other.data, 2 * share.data, rtol=1e-6, atol=1e-12, equal_nan=True)


def listened_to(call):
    """What a call returns, and the kinds of NumPy's warnings at it, such as "divide by zero"."""
    with warnings.catch_warnings(record=True) as heard, np.errstate(all="warn", under="ignore"):
        warnings.simplefilter("always")
        returned = call()
    return returned, sorted({str(each.message).partition(" encountered")[0] for each in heard})


def condensed(answers):
    """The answers, with a large array as a few numbers: samples, which are compared one by one, and weighted sums.

    Each number is in one of the sums, with a weight of its own (from 1 to 2), so that a wrong one shows, and so do
    two that changed places. It counts as x + 2|x|, which is never negative: terms that cancel would leave a sum that
    no right answer can know to many digits. Small errors of all numbers, around 0, are seen in the samples.
    """
    return {name: x for about, answer in answers.items() for name, x in _in_short(about, answer).items()}


def _in_short(name, x):
    if not isinstance(x, np.ndarray) or x.dtype.kind not in "fiub":
        return {name: x}
    shape = {f"the shape of {name}": Form(str(x.shape))}
    if x.size <= MOST_AS_THEY_ARE:
        return shape | {name: x}
    if x.size > MOST_LOOKED_AT:
        return shape
    numbers = x.ravel().astype(float, copy=False)
    bands = zip(np.array_split(numbers, BANDS), np.array_split(_weights(x.size), BANDS))
    with np.errstate(all="ignore"):  # of infinities too
        # a sum, and no @: the threads of a BLAS cost more than they save here, above all on a busy machine
        sums = [((part + 2 * np.abs(part)) * weights).sum() for part, weights in bands]
    return shape | {
        f"the samples of {name}": numbers[::SAMPLE_EVERY].copy(),
        f"the weighted sums of {name}": np.array(sums),
    }


@cache
def _weights(count):
    """Numbers from 1 to 2, no two alike, and the same in every version of NumPy."""
    return 1 + np.arange(count) * GOLDEN % 1
