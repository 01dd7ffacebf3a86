"""Wrong ideas about notebook 08, each as a patch for a private copy of the reference."""

import numpy as np

from grader.course.exercise import wrong

from .exercises import batches, matrices, vectors

# 8.1: two matrices.


def patch_matrices(bg, rule):
    bg.ops.matrix.matrix_gradients = rule


@wrong(
    matrices,
    "no transposes",
    "The factors are in the right order, but neither is transposed. In the sum for a[i, k] the index j comes last in "
    "b[k, j]; a matrix product needs it first in the factor on the right.",
)
def _(bg):
    patch_matrices(bg, lambda g, a, b: (g @ b, a @ g))


@wrong(
    matrices,
    "factors on the wrong side",
    "The right matrix is transposed, but it is on the wrong side of out_grad. Square matrices let that pass, so try "
    "the shapes a (2, 3) and b (3, 4): in which order do the factors fit?",
)
def _(bg):
    t = bg.ops.transpose
    patch_matrices(bg, lambda g, a, b: (t(b) @ g, g @ t(a)))


@wrong(
    matrices,
    "own operand",
    "Each gradient is made from its own input. How much the product changes when a is nudged does not depend on a but "
    "on b: the derivative with respect to one factor is the other factor.",
)
def _(bg):
    t = bg.ops.transpose
    patch_matrices(bg, lambda g, a, b: (g @ t(a), t(b) @ g))


@wrong(
    matrices,
    "out_grad forgotten",
    "These are the other factor's numbers alone, the local derivatives: they say how the product changes. How much "
    "the end result changes with each number of the product is what out_grad says, and every rule has to use it.",
)
def _(bg):
    t = bg.ops.transpose
    patch_matrices(bg, lambda g, a, b: (t(b), t(a)))


@wrong(
    matrices,
    "the rule of a * b",
    "out_grad * b is the rule of the elementwise product. Here each number of a is multiplied by a whole row of b, and "
    "its gradient is a sum of products: @, not *.",
)
def _(bg):
    patch_matrices(bg, lambda g, a, b: (g * b, g * a))


@wrong(
    matrices,
    "elementwise with the transposed factor",
    "The right factor is transposed, but then multiplied elementwise. Each gradient is a sum of products, along a row "
    "and down a column. Which operator computes such sums?",
)
def _(bg):
    t = bg.ops.transpose
    patch_matrices(bg, lambda g, a, b: (g * t(b), t(a) * g))


@wrong(
    matrices,
    "gradients in the other order",
    "Both gradients are right, but they have changed places. The pair follows the order of the inputs: a's gradient "
    "comes first.",
)
def _(bg):
    t = bg.ops.transpose
    patch_matrices(bg, lambda g, a, b: (t(a) @ g, g @ t(b)))


@wrong(
    matrices,
    "transposed results",
    "Both results came out transposed. The transpose of x @ y is transpose(y) @ transpose(x), in that order: here "
    "out_grad was transposed as well, and it need not be.",
)
def _(bg):
    t = bg.ops.transpose
    patch_matrices(bg, lambda g, a, b: (b @ t(g), t(g) @ a))


@wrong(
    matrices,
    "out_grad transposed",
    "Here out_grad is transposed and the other factor is not. The sum for a runs over j. In out_grad[i, j] it comes "
    "last, and so it does in b[k, j]. Which of the two is in the wrong place for a matrix product?",
)
def _(bg):
    t = bg.ops.transpose
    patch_matrices(bg, lambda g, a, b: (t(g) @ b, a @ t(g)))


@wrong(
    matrices,
    "an input transposed for good",
    "The numbers are right, but one of the inputs has changed: it is transposed now. transpose(b) "
    "makes a new Tensor and leaves b alone.",
)
def _(bg):
    def turned_for_good(g, a, b):
        b.data = b.data.T
        return g @ b, bg.ops.transpose(a) @ g

    patch_matrices(bg, turned_for_good)


@wrong(
    matrices,
    "NumPy inside the rule",
    "The numbers are right, but there is no record of what they were made from, as with anything that NumPy computes, "
    "and they cannot be differentiated again. No .data is needed: transpose and @ work on the Tensors.",
)
def _(bg):
    patch_matrices(bg, lambda g, a, b: (bg.Tensor(g.data @ b.data.T), bg.Tensor(a.data.T @ g.data)))


@wrong(
    matrices,
    "arrays instead of Tensors",
    "A rule returns Tensors, and is made of operations on Tensors. The numbers are right, but arrays do not know what "
    "they were made from.",
)
def _(bg):
    patch_matrices(bg, lambda g, a, b: (g.data @ b.data.T, a.data.T @ g.data))


@wrong(
    matrices,
    "nothing for b",
    "Only the gradient of a was computed. In a layer of a network the second factor is the one that learns. Both "
    "inputs need a gradient.",
)
def _(bg):
    patch_matrices(bg, lambda g, a, b: (g @ bg.ops.transpose(b), None))


@wrong(
    matrices,
    "sums over whole rows",
    "The rows of b and of out_grad were summed first, so the pairs are lost: a sum of products is not the product of "
    "the sums. Each out_grad[i, j] must be multiplied by its own b[k, j].",
)
def _(bg):
    def sums_first(g, a, b):
        t = bg.ops.transpose
        return (
            g.sum(1, keepdims=True) @ t(b.sum(1, keepdims=True)),
            t(a.sum(0, keepdims=True)) @ g.sum(0, keepdims=True),
        )

    patch_matrices(bg, sums_first)


@wrong(
    matrices,
    "only the gradient of a",
    "One Tensor came back. Two inputs need two gradients: return both, separated by a comma, that of a first.",
)
def _(bg):
    patch_matrices(bg, lambda g, a, b: g @ bg.ops.transpose(b))


@wrong(
    matrices,
    "nothing returned",
    "The function returns nothing. Return both gradients, separated by a comma.",
)
def _(bg):
    patch_matrices(bg, lambda g, a, b: None)


@wrong(
    matrices,
    "a list",
    "The gradients came in a list. A rule returns a tuple: return first, second",
)
def _(bg):
    t = bg.ops.transpose
    patch_matrices(bg, lambda g, a, b: [g @ t(b), t(a) @ g])


@wrong(
    matrices,
    "out_grad as an array",
    "The numbers are right, but the product has no record of out_grad, as if an array had gone in, and part of the "
    "second derivative is lost. @ and transpose take Tensors.",
)
def _(bg):
    def from_arrays(g, a, b):
        array = bg.Tensor(g.data, dtype=g.dtype)
        return array @ bg.ops.transpose(b), bg.ops.transpose(a) @ array

    patch_matrices(bg, from_arrays)


for _turned, _left in (("a", "b"), ("b", "a")):

    @wrong(
        matrices,
        f"only {_turned} transposed",
        f"{_turned} was transposed, as it should be, and {_left} was not. In both sums an index is in the wrong place: "
        "j comes last in b[k, j], but the right factor needs it first; i comes first in a[i, k], but the left factor "
        "needs it last.",
    )
    def _(bg, turned=_turned):
        t = bg.ops.transpose
        patch_matrices(bg, lambda g, a, b: (g @ (t(b) if turned == "b" else b), (t(a) if turned == "a" else a) @ g))


@wrong(
    matrices,
    "reshaped instead of transposed",
    "The shapes fit, but the factors are not transposed: a square matrix went in as it was. reshape does that, which "
    "keeps the numbers in reading order, and so does a look at the sizes, which are equal there. transpose (7.2) makes "
    "rows and columns change places, whatever the sizes.",
)
def _(bg):
    def other_shape(x):
        return bg.ops.reshape(x, x.shape[::-1])

    patch_matrices(bg, lambda g, a, b: (g @ other_shape(b), other_shape(a) @ g))


for _reshaped in "ab":

    @wrong(
        matrices,
        f"{_reshaped} reshaped instead of transposed",
        f"The shapes fit, but {_reshaped} is not transposed: a square matrix went in as it was. reshape does that, "
        "which keeps the numbers in reading order, and so does a look at the sizes, which are equal there. transpose "
        "(7.2) makes rows and columns change places, whatever the sizes.",
    )
    def _(bg, reshaped=_reshaped):
        def other_shape(x, name):
            return bg.ops.reshape(x, x.shape[::-1]) if name == reshaped else bg.ops.transpose(x)

        patch_matrices(bg, lambda g, a, b: (g @ other_shape(b, "b"), other_shape(a, "a") @ g))


@wrong(
    matrices,
    "both shares of one matrix added up",
    "For a @ a both shares went into the first gradient. Adding them is the backward pass's job: the rule gives each "
    "input a share of its own, even if both inputs are the same matrix.",
)
def _(bg):
    t = bg.ops.transpose
    patch_matrices(bg, lambda g, a, b: (g @ t(b) + t(a) @ g, None) if a is b else (g @ t(b), t(a) @ g))


@wrong(
    matrices,
    "the wrong one left out",
    "Here the gradient of a is left out when b requires no grad, and vice versa. A gradient may be left out when its "
    "own input requires none: a.requires_grad decides about the gradient of a.",
)
def _(bg):
    t = bg.ops.transpose

    def left_out(g, a, b):
        return g @ t(b) if b.requires_grad else None, t(a) @ g if a.requires_grad else None

    patch_matrices(bg, left_out)


for _exercise, _rule in ((matrices, "matrix"), (batches, "batch"), (vectors, "vector")):

    @wrong(
        _exercise,
        ".grad written in the rule",
        "The rule also writes into the .grad of its inputs. In notebook 03 the nodes did that. Here a rule only "
        "returns what each input gets: the backward pass of notebook 09 accumulates it, and writes .grad once.",
    )
    def _(bg, name=f"{_rule}_gradients"):
        right = getattr(bg.ops.matrix, name)

        def written(g, a, b):
            shares = right(g, a, b)
            for x, share in zip((a, b), shares):
                x.grad = share.data if x.requires_grad else None
            return shares

        setattr(bg.ops.matrix, name, written)


@wrong(
    matrices,
    "added to zeros",
    "The numbers are right, but float32 has become float64: zeros that NumPy makes are float64. The product needs no "
    "zeros to begin with: @ gives the whole sum.",
)
def _(bg):
    right = bg.ops.matrix.matrix_gradients
    patch_matrices(bg, lambda g, a, b: tuple(x if x is None else x + np.zeros(x.shape) for x in right(g, a, b)))


for _constant, _other in ("ab", "ba"):

    @wrong(
        matrices,
        f"{_constant} as a constant",
        f"The gradient of {_other} has the right numbers, but no record of {_constant}, and a second derivative needs "
        f"one: .data and detach() leave none. Transpose {_constant} itself.",
    )
    def _(bg, constant=_constant):
        def turned(x, name):
            return bg.ops.transpose(x.detach() if name == constant else x)

        patch_matrices(bg, lambda g, a, b: (g @ turned(b, "b"), turned(a, "a") @ g))


@wrong(
    matrices,
    "the other factor as an array",
    "The numbers are right, but the product has no record of the factor, as if an array had gone in, and the gradient "
    "cannot be differentiated with respect to it. transpose takes the Tensor itself.",
)
def _(bg):
    t = bg.ops.transpose
    patch_matrices(bg, lambda g, a, b: (g @ t(b.data), t(a.data) @ g))


# 8.2: batches.


def patch_batches(bg, add_up, turned=None):
    """The right products, and then add_up(gradient, its input, the other input)."""
    turned = turned or bg.ops.transpose

    def batch_gradients(g, a, b):
        return add_up(g @ turned(b), a, b), add_up(turned(a) @ g, b, a)

    bg.ops.matrix.batch_gradients = batch_gradients


def patch_with_arrays(bg, add_up):
    """The same, where add_up works on the gradient's array. Where nothing was stretched the gradient is kept."""

    def of_tensors(grad, x, other):
        return grad if grad.shape == x.shape else bg.Tensor(add_up(grad.data, x.shape))

    patch_batches(bg, of_tensors)


@wrong(
    batches,
    ".T on a batch",
    ".T reverses all axes. With two axes that is the swap you want; with three, the batch axis ends up last. Only the "
    "last two may change places. Which function of notebook 07 does that?",
)
def _(bg):
    patch_batches(bg, lambda grad, x, other: bg.ops.unbroadcast(grad, x.shape), turned=lambda x: x.T)


@wrong(
    batches,
    "axes (1, 0) written out",
    "transpose(b, (1, 0)) names two axes, but a batch has more. Without axes, transpose swaps the last two, however "
    "many there are.",
)
def _(bg):
    def of_two_axes(x):
        return bg.ops.transpose(x, (1, 0))

    patch_batches(bg, lambda grad, x, other: bg.ops.unbroadcast(grad, x.shape), turned=of_two_axes)


@wrong(
    batches,
    "the first two axes swapped",
    "Here the first two axes change places, so the batch axis becomes the rows. Rows and columns are always the last "
    "two axes.",
)
def _(bg):
    def first_two(x):
        return bg.ops.transpose(x, (1, 0, *range(2, x.ndim)))

    patch_batches(bg, lambda grad, x, other: bg.ops.unbroadcast(grad, x.shape), turned=first_two)


@wrong(
    batches,
    "nothing added up",
    "A matrix that was used in two products gets a share from each, and these still lie side by side. Shares add up, "
    "here as everywhere: a function of notebook 07 brings a gradient to the shape of its input.",
)
def _(bg):
    patch_batches(bg, lambda grad, x, other: grad)


@wrong(
    batches,
    "only new axes added up",
    "The axes that broadcasting put in front are summed, but a batch axis of size 1 was stretched too. (1, 3, 4) "
    "beside (2, 4, 5): both have three axes, and yet one matrix was used twice.",
)
def _(bg):
    def new_axes_only(grad, x, other):
        return grad.sum(tuple(range(grad.ndim - x.ndim))) if grad.ndim > x.ndim else grad

    patch_batches(bg, new_axes_only)


@wrong(
    batches,
    "only size-1 axes added up",
    "A batch axis of size 1 is summed, but a matrix without batch axes acts as a batch of one as well: its gradient "
    "has an axis in front that the matrix does not have.",
)
def _(bg):
    def size_one_only(grad, x, other):
        new = grad.ndim - x.ndim
        ones = tuple(i + new for i in range(x.ndim) if x.shape[i] == 1 != grad.shape[i + new])
        return grad.sum(ones, keepdims=True) if ones else grad

    patch_batches(bg, size_one_only)


@wrong(
    batches,
    "axes of size 1 lost",
    "The sums are right, but an axis of size 1 that was summed is missing from the shape. A gradient has its input's "
    "own shape, the 1 included.",
)
def _(bg):
    def drops_ones(grad, x, other):
        total = bg.ops.unbroadcast(grad, x.shape)
        stretched = grad.shape != x.shape
        return total.reshape(tuple(n for n in x.shape if n != 1)) if stretched else total

    patch_batches(bg, drops_ones)


@wrong(
    batches,
    "the whole batch added up",
    "All batch axes are summed here, however often a matrix was used. In (2, 3, 4) @ (2, 4, 5) each matrix was used "
    "once, and keeps a gradient of its own. Only axes that were stretched are summed.",
)
def _(bg):
    def all_axes(grad, x, other):
        total = grad.sum(tuple(range(grad.ndim - 2)))
        return total.reshape((1,) * (x.ndim - 2) + total.shape)

    patch_batches(bg, all_axes)


@wrong(
    batches,
    "the mean of the batch",
    "Here the shares are averaged. A matrix that is used twice has twice the effect: where paths meet, shares add up. "
    "(If the loss is a mean, out_grad already contains the division.)",
)
def _(bg):
    def mean(grad, x, other):
        total = bg.ops.unbroadcast(grad, x.shape)
        return total * (total.size / grad.size)

    patch_batches(bg, mean)


@wrong(
    batches,
    "one share of the batch",
    "Only one product of the batch was looked at, with an index such as [0]. The matrix went into all of them, and "
    "each gives it a share. Shares add up.",
)
def _(bg):
    def first_one(grad, shape):
        while grad.ndim > len(shape):
            grad = grad[0]
        for axis, size in enumerate(shape):
            grad = grad.take(range(size), axis) if size == 1 else grad
        return grad

    patch_with_arrays(bg, first_one)


@wrong(
    batches,
    "added up before multiplying",
    "out_grad was summed over the batch before the product. But each matrix of out_grad belongs with one matrix of "
    "the other factor: multiply the pairs first, then sum.",
)
def _(bg):
    def batch_gradients(g, a, b):
        def used_by(x):
            axes = [1] * (g.ndim - x.ndim) + list(x.shape[:-2])
            return bg.ops.unbroadcast(g, (*axes, *g.shape[-2:]))

        t, unbroadcast = bg.ops.transpose, bg.ops.unbroadcast
        return unbroadcast(used_by(a) @ t(b), a.shape), unbroadcast(t(a) @ used_by(b), b.shape)

    bg.ops.matrix.batch_gradients = batch_gradients


@wrong(
    batches,
    "out_grad in the shape of the input",
    "out_grad was brought to the input's shape before the product, but it belongs to the result. Multiply first: what "
    "comes out has the input's rows and columns. Sum last, as in 7.6.",
)
def _(bg):
    def batch_gradients(g, a, b):
        t, unbroadcast = bg.ops.transpose, bg.ops.unbroadcast
        return unbroadcast(g, a.shape) @ t(b), t(a) @ unbroadcast(g, b.shape)

    bg.ops.matrix.batch_gradients = batch_gradients


@wrong(
    batches,
    "the other one's shape",
    "unbroadcast got a product and a shape that do not belong together. Is it the shape of the other input? It must be "
    "that of the input whose gradient it is. Or are rows and columns of the product swapped? It must have those of the "
    "input: of (n, k) for a, of (k, m) for b.",
)
def _(bg):
    patch_batches(bg, lambda grad, x, other: bg.ops.unbroadcast(grad, other.shape))


@wrong(
    batches,
    "reshape instead of adding up",
    "reshape keeps every number, and there are more of them here than in the input: a share from each product of the "
    "batch. Shares must be added up.",
)
def _(bg):
    patch_batches(bg, lambda grad, x, other: grad.reshape(x.shape))


for _name, _which in (("a", 0), ("b", 1)):

    @wrong(
        batches,
        f"the gradient of {_name} not added up",
        f"The other gradient goes through unbroadcast, that of {_name} does not. Either input may have been used in "
        "several products: each gradient must be brought to its own input's shape.",
    )
    def _(bg, which=_which):
        def batch_gradients(g, a, b):
            t, unbroadcast = bg.ops.transpose, bg.ops.unbroadcast
            grads = [g @ t(b), t(a) @ g]
            grads[1 - which] = unbroadcast(grads[1 - which], (a, b)[1 - which].shape)
            return tuple(grads)

        bg.ops.matrix.batch_gradients = batch_gradients


@wrong(
    batches,
    "the whole batch added up, and the axes gone",
    "All batch axes are summed here, however often a matrix was used. In (2, 3, 4) @ (2, 4, 5) each matrix was used "
    "once, and keeps a gradient of its own. Only axes that were stretched are summed, and unbroadcast finds them.",
)
def _(bg):
    patch_batches(bg, lambda grad, x, other: grad.sum(tuple(range(grad.ndim - 2))))


@wrong(
    batches,
    "out_grad of the batch as an array",
    "The numbers are right, but the products have no record of out_grad, as if an array had gone in, and part of the "
    "second derivative is lost. @ and transpose take Tensors.",
)
def _(bg):
    right = bg.ops.matrix.batch_gradients
    bg.ops.matrix.batch_gradients = lambda g, a, b: right(bg.Tensor(g.data, dtype=g.dtype), a, b)


@wrong(
    batches,
    "added to zeros",
    "The numbers are right, but float32 has become float64: zeros that NumPy makes are float64. No sum needs zeros to "
    "begin with: unbroadcast gives the whole sum.",
)
def _(bg):
    right = bg.ops.matrix.batch_gradients
    bg.ops.matrix.batch_gradients = lambda g, a, b: tuple(x + np.zeros(x.shape) for x in right(g, a, b))


@wrong(
    batches,
    "NumPy adds up the batch",
    "The numbers are right, but the sum was not recorded, like anything that NumPy computes: it cannot be "
    "differentiated again. unbroadcast sums Tensors.",
)
def _(bg):
    unbroadcast = bg.ops.unbroadcast
    patch_with_arrays(bg, lambda grad, shape: unbroadcast(bg.Tensor(grad), shape).data)


@wrong(
    batches,
    "a None that is handed on",
    "One of the two gradients is None: matrix_gradients may leave out what nobody needs. This function must always "
    "return both: write the two products yourself.",
)
def _(bg):
    def batch_gradients(g, a, b):
        grad_a, grad_b = bg.ops.matrix.matrix_gradients(g, a, b)
        return bg.ops.unbroadcast(grad_a, a.shape), bg.ops.unbroadcast(grad_b, b.shape)

    bg.ops.matrix.batch_gradients = batch_gradients


@wrong(
    batches,
    "None for a constant",
    "The constant's share is None. Return both: 8.3 hands reshaped Tensors to this function, which require no grad "
    "while nothing is recorded, and needs both answers.",
)
def _(bg):
    def only_what_is_needed(grad, x, other):
        return bg.ops.unbroadcast(grad, x.shape) if x.requires_grad else None

    patch_batches(bg, only_what_is_needed)


@wrong(
    batches,
    "the Tensor in place of its shape",
    "unbroadcast takes a gradient and a shape. Here it got the input itself in place of the input's shape.",
)
def _(bg):
    patch_batches(bg, lambda grad, x, other: bg.ops.unbroadcast(grad, x))


# 8.3: vectors.


def patch_vectors(bg, vector_gradients):
    bg.ops.matrix.vector_gradients = vector_gradients


def as_matrices(bg, a, b):
    reshape = bg.ops.reshape
    return reshape(a, (1, -1)) if a.ndim == 1 else a, reshape(b, (-1, 1)) if b.ndim == 1 else b


def product_shape(rows, columns):
    return (*rows.shape[:-2], *columns.shape[:-2], rows.shape[-2], columns.shape[-1])


def by_batches(bg, g, a, b, shape=None):
    """The right way up to the point where the gradients go into the shapes of the inputs."""
    rows, columns = as_matrices(bg, a, b)
    g = bg.ops.reshape(g, shape or product_shape(rows, columns))
    return bg.ops.matrix.batch_gradients(g, rows, columns)


@wrong(
    vectors,
    "a vector as it is",
    "The rule for batches was used as it is. A vector has only one axis: there is nothing for transpose to swap. "
    "First turn it into a matrix, with one row or one column.",
)
def _(bg):
    patch_vectors(bg, lambda g, a, b: bg.ops.matrix.batch_gradients(g, a, b))


@wrong(
    vectors,
    "one of two vectors",
    "One of the two is still a vector. When both are vectors, both need a second axis, and an elif or an else deals "
    "with only one of them. Ask about each side separately.",
)
def _(bg):
    def one_of_two(g, a, b):
        reshape, batch_gradients = bg.ops.reshape, bg.ops.matrix.batch_gradients
        if a.ndim == 1:
            row = reshape(a, (1, -1))
            g = reshape(g, (*g.shape[:-1], 1, *g.shape[-1:]))
            grad_a, grad_b = batch_gradients(g, row, b)
            return reshape(grad_a, a.shape), grad_b
        grad_a, grad_b = batch_gradients(reshape(g, (*g.shape, 1)), a, reshape(b, (-1, 1)))
        return grad_a, reshape(grad_b, b.shape)

    patch_vectors(bg, one_of_two)


MIXED_UP = (
    "On the left a vector is one row, (1, k); on the right it is one column, (k, 1). Write down both shapes: to the "
    "left of (3, 4), a vector of 3 numbers needs a shape that ends in 3; to the right of (2, 3), one that begins with "
    "3."
)


def mixed_up(bg, left, right, shape_of):
    """The right way but for the shapes of a vector on the left and on the right, and how out_grad gets its shape."""

    def vector_gradients(g, a, b):
        reshape = bg.ops.reshape
        rows = reshape(a, left) if a.ndim == 1 else a
        columns = reshape(b, right) if b.ndim == 1 else b
        grads = bg.ops.matrix.batch_gradients(reshape(g, shape_of(rows, columns)), rows, columns)
        return reshape(grads[0], a.shape), reshape(grads[1], b.shape)

    return vector_gradients


@wrong(
    vectors,
    "row and column mixed up",
    MIXED_UP,
)
def _(bg):
    patch_vectors(bg, mixed_up(bg, (-1, 1), (1, -1), product_shape))


@wrong(vectors, "row and column mixed up, out_grad by the product", MIXED_UP)
def _(bg):
    patch_vectors(bg, mixed_up(bg, (-1, 1), (1, -1), lambda rows, columns: (rows @ columns).shape))


@wrong(
    vectors,
    "a row on both sides",
    "A vector becomes a row here, whichever side it is on. On the right it has to be a column: to the right of (2, "
    "3), the shape of a vector of 3 numbers must begin with 3.",
    same_as={
        "row and column mixed up, out_grad by the product": "on the right of a matrix both make a row of a vector"
    },
)
def _(bg):
    patch_vectors(bg, mixed_up(bg, (1, -1), (1, -1), lambda rows, columns: (rows @ columns).shape))


@wrong(
    vectors,
    "a column on both sides",
    "A vector becomes a column here, whichever side it is on. On the left it has to be a row: to the left of (3, 4), "
    "the shape of a vector of 3 numbers must end in 3.",
)
def _(bg):
    patch_vectors(bg, mixed_up(bg, (-1, 1), (-1, 1), lambda rows, columns: (rows @ columns).shape))


@wrong(
    vectors,
    "out_grad without its axis",
    "The vector became a matrix, but out_grad still lacks the axis that NumPy dropped from the result. It needs the "
    "shape of the product of the two matrices.",
)
def _(bg):
    def without(g, a, b):
        rows, columns = as_matrices(bg, a, b)
        grad_a, grad_b = bg.ops.matrix.batch_gradients(g, rows, columns)
        return bg.ops.reshape(grad_a, a.shape), bg.ops.reshape(grad_b, b.shape)

    patch_vectors(bg, without)


@wrong(
    vectors,
    "the axis put at the end on both sides",
    "out_grad always got its axis of size 1 at the end. That is right for a vector on the right. A vector on the left "
    "is a row: the axis that was dropped came before the columns.",
)
def _(bg):
    def at_the_end(g, a, b):
        shape = (1, 1) if g.ndim == 0 else (*g.shape, 1)
        grad_a, grad_b = by_batches(bg, g, a, b, shape)
        return bg.ops.reshape(grad_a, a.shape), bg.ops.reshape(grad_b, b.shape)

    patch_vectors(bg, at_the_end)


@wrong(
    vectors,
    "the axis put in front of the batch",
    "For a vector on the left, the 1 was put in front of all axes of out_grad. Beside a single matrix that is right. "
    "Beside a batch, the dropped axis was between the batch and the columns: (4,) @ (2, 4, 5) is first (2, 1, 5).",
)
def _(bg):
    def in_front(g, a, b):
        shape = (*([1] * (a.ndim == 1)), *g.shape, *([1] * (b.ndim == 1)))
        grad_a, grad_b = by_batches(bg, g, a, b, shape)
        return bg.ops.reshape(grad_a, a.shape), bg.ops.reshape(grad_b, b.shape)

    patch_vectors(bg, in_front)


def with_out_grad_reshaped(bg, reshaped):
    """vector_gradients with another way to the shape of out_grad.  reshaped(out_grad, a, b): out_grad as a matrix."""

    def vector_gradients(g, a, b):
        rows, columns = as_matrices(bg, a, b)
        grad_a, grad_b = bg.ops.matrix.batch_gradients(reshaped(g, a, b), rows, columns)
        return bg.ops.reshape(grad_a, a.shape), bg.ops.reshape(grad_b, b.shape)

    return vector_gradients


@wrong(
    vectors,
    "the last axis of out_grad, which may have none",
    "For two vectors, out_grad is a single number, of shape (): it has no last axis to look up. Both axes of size 1 "
    "were dropped, and both must come back. What else tells you the shape of the product of the two matrices?",
)
def _(bg):
    def reshaped(g, a, b):
        shape = (*g.shape[:-1], 1, g.shape[-1]) if a.ndim == 1 else g.shape
        return bg.ops.reshape(g, (*shape, 1) if b.ndim == 1 else shape)

    patch_vectors(bg, with_out_grad_reshaped(bg, reshaped))


ONE_ROW_OR_COLUMN = (
    "out_grad was made into a matrix with one row or one column. Beside a single matrix that is right. Beside a "
    "batch, out_grad is a batch as well: its batch axes stay as they are, and only the dropped axis is put back."
)


def one_row_or_column(bg):
    patch_vectors(
        bg, with_out_grad_reshaped(bg, lambda g, a, b: bg.ops.reshape(g, (1, -1) if a.ndim == 1 else (-1, 1)))
    )


@wrong(vectors, "out_grad as one row or one column", ONE_ROW_OR_COLUMN)
def _(bg):
    one_row_or_column(bg)


@wrong(vectors, "out_grad as one row or one column, where 8.2 makes both products first", ONE_ROW_OR_COLUMN)
def _(bg):
    t, unbroadcast = bg.ops.transpose, bg.ops.unbroadcast

    def both_products_first(g, a, b):
        grad_a, grad_b = g @ t(b), t(a) @ g
        return unbroadcast(grad_a, a.shape), unbroadcast(grad_b, b.shape)

    bg.ops.matrix.batch_gradients = both_products_first
    one_row_or_column(bg)


@wrong(
    vectors,
    "the rule for two matrices",
    "matrix_gradients does not sum over a batch. There the vector is used with every matrix, and its shares must be "
    "added up: that is what batch_gradients does.",
)
def _(bg):
    def by_two_matrices(g, a, b):
        rows, columns = as_matrices(bg, a, b)
        g = bg.ops.reshape(g, product_shape(rows, columns))
        grad_a, grad_b = bg.ops.matrix.matrix_gradients(g, rows, columns)
        return bg.ops.reshape(grad_a, a.shape), bg.ops.reshape(grad_b, b.shape)

    patch_vectors(bg, by_two_matrices)


@wrong(
    vectors,
    "gradients of matrices",
    "The numbers are right, but the vector's gradient is still a matrix with one row or one column. A gradient has "
    "its input's own shape: take the axis out again.",
)
def _(bg):
    patch_vectors(bg, lambda g, a, b: by_batches(bg, g, a, b))


@wrong(
    vectors,
    "written for one matrix, not for a batch",
    "For a single matrix these formulas are right. A vector beside a batch is used with every matrix of it, and its "
    "shares add up. Turn the vector into a matrix, and the rule of 8.2 does that for you.",
)
def _(bg):
    def for_one_matrix(g, a, b):
        t, reshape = bg.ops.transpose, bg.ops.reshape
        if a.ndim == b.ndim == 1:
            return g * b, g * a
        if a.ndim == 1:
            return g @ t(b), reshape(a, (-1, 1)) * reshape(g, (1, -1))
        return reshape(g, (-1, 1)) * reshape(b, (1, -1)), t(a) @ g

    patch_vectors(bg, for_one_matrix)


@wrong(
    vectors,
    "the matrix's gradient transposed",
    "The gradient of the matrix came out transposed. In matrix @ vector, row i of the matrix makes number i of the "
    "result: so entry (i, k) of the gradient belongs to number i of out_grad and number k of the vector.",
)
def _(bg):
    def turned(g, a, b):
        grad_a, grad_b = by_batches(bg, g, a, b)
        grad_a = bg.ops.reshape(grad_a, a.shape) if a.ndim == 1 else bg.ops.transpose(grad_a)
        grad_b = bg.ops.reshape(grad_b, b.shape) if b.ndim == 1 else bg.ops.transpose(grad_b)
        return grad_a, grad_b

    patch_vectors(bg, turned)


@wrong(
    vectors,
    "two vectors without out_grad",
    "With two vectors, each gets the other as it is. That is the local derivative. It still has to be multiplied by "
    "out_grad, here a single number that need not be 1.",
)
def _(bg):
    right = bg.ops.matrix.vector_gradients
    patch_vectors(bg, lambda g, a, b: (b, a) if a.ndim == b.ndim == 1 else right(g, a, b))


@wrong(
    vectors,
    "two vectors, each with itself",
    "With two vectors, each gets its own numbers times out_grad. The product is a[0] * b[0] + a[1] * b[1] + ...: what "
    "is its derivative with respect to a[0]?",
)
def _(bg):
    right = bg.ops.matrix.vector_gradients
    patch_vectors(bg, lambda g, a, b: (g * a, g * b) if a.ndim == b.ndim == 1 else right(g, a, b))


@wrong(
    vectors,
    "two vectors forgotten",
    "One vector is dealt with, two are not: is there an elif, or a return that comes too early? Ask about each side "
    "separately whether it is a vector.",
)
def _(bg):
    def one_side_only(g, a, b):
        reshape, batch_gradients = bg.ops.reshape, bg.ops.matrix.batch_gradients
        if a.ndim == 1:
            g = reshape(g, (*b.shape[:-2], 1, *b.shape[-1:]))
            grad_a, grad_b = batch_gradients(g, reshape(a, (1, -1)), b)
        else:
            g = reshape(g, (*a.shape[:-1], 1))
            grad_a, grad_b = batch_gradients(g, a, reshape(b, (-1, 1)))
        return reshape(grad_a, a.shape), reshape(grad_b, b.shape)

    patch_vectors(bg, one_side_only)


@wrong(
    vectors,
    "asks the reshaped vector",
    "While nothing is recorded, as in an ordinary backward pass, the matrix that reshape makes from the vector "
    "requires no grad. So its gradient was left out, and the vector gets nothing. Ask the input itself, or do not ask "
    "at all.",
)
def _(bg):
    def ask_the_row(g, a, b):
        t, reshape, unbroadcast = bg.ops.transpose, bg.ops.reshape, bg.ops.unbroadcast
        rows, columns = as_matrices(bg, a, b)
        g = reshape(g, product_shape(rows, columns))
        grad_a = grad_b = None
        if rows.requires_grad:
            grad_a = reshape(unbroadcast(g @ t(columns), rows.shape), a.shape)
        if columns.requires_grad:
            grad_b = reshape(unbroadcast(t(rows) @ g, columns.shape), b.shape)
        return grad_a, grad_b

    patch_vectors(bg, ask_the_row)


@wrong(
    vectors,
    "np.reshape of the numbers",
    "The numbers are right, but the gradients have no record of the inputs, as if NumPy or .data had been at work, "
    "and cannot be differentiated again. reshape of a Tensor is recorded.",
)
def _(bg):
    def from_arrays(g, a, b):
        matrices = [bg.Tensor(x.data) for x in as_matrices(bg, a, b)]
        g = bg.Tensor(g.data.reshape(product_shape(*matrices)))
        grad_a, grad_b = bg.ops.matrix.batch_gradients(g, *matrices)
        return bg.ops.reshape(grad_a, a.shape), bg.ops.reshape(grad_b, b.shape)

    patch_vectors(bg, from_arrays)


@wrong(
    vectors,
    "the vector as an array",
    "The numbers are right, but the row or column has no record of the vector, as if it were made of its .data: the "
    "gradient of the matrix cannot be differentiated with respect to the vector. reshape takes the Tensor itself.",
)
def _(bg):
    def forgetful(g, a, b):
        rows, columns = as_matrices(bg, a, b)
        g = bg.ops.reshape(g, product_shape(rows, columns))
        rows = bg.Tensor(rows.data, dtype=a.dtype) if a.ndim == 1 else rows
        columns = bg.Tensor(columns.data, dtype=b.dtype) if b.ndim == 1 else columns
        grad_a, grad_b = bg.ops.matrix.batch_gradients(g, rows, columns)
        return bg.ops.reshape(grad_a, a.shape), bg.ops.reshape(grad_b, b.shape)

    patch_vectors(bg, forgetful)


@wrong(
    vectors,
    "an input reshaped for good",
    "An input itself was made a row or a column, and it stays one. reshape(a, (1, -1)) makes a new Tensor and leaves "
    "a alone.",
)
def _(bg):
    def reshaped_for_good(g, a, b):
        reshape, shapes = bg.ops.reshape, (a.shape, b.shape)
        if a.ndim == 1:
            a.data = a.data.reshape(1, -1)
        if b.ndim == 1:
            b.data = b.data.reshape(-1, 1)
        grad_a, grad_b = bg.ops.matrix.batch_gradients(reshape(g, (a @ b).shape), a, b)
        return reshape(grad_a, shapes[0]), reshape(grad_b, shapes[1])

    patch_vectors(bg, reshaped_for_good)


@wrong(
    vectors,
    "added to zeros",
    "The numbers are right, but float32 has become float64: zeros that NumPy makes are float64. No sum needs zeros to "
    "begin with: batch_gradients gives the whole sum.",
)
def _(bg):
    right = bg.ops.matrix.vector_gradients
    bg.ops.matrix.vector_gradients = lambda g, a, b: tuple(x + np.zeros(x.shape) for x in right(g, a, b))


@wrong(
    vectors,
    "out_grad without the batch",
    "out_grad was made into a single matrix. Beside a batch it holds one for each product: the batch axes of the "
    "other input come before its rows and columns.",
)
def _(bg):
    def single(g, a, b):
        rows, columns = as_matrices(bg, a, b)
        grad_a, grad_b = by_batches(bg, g, a, b, (rows.shape[-2], columns.shape[-1]))
        return bg.ops.reshape(grad_a, a.shape), bg.ops.reshape(grad_b, b.shape)

    patch_vectors(bg, single)


@wrong(
    vectors,
    "the batch of the left side only",
    "The batch axes were taken from a alone. When a is the vector, b may be the batch. A row has no batch axes: so "
    "the batch axes of both, one after the other, are simply those of the other input.",
)
def _(bg):
    def left_only(g, a, b):
        rows, columns = as_matrices(bg, a, b)
        grad_a, grad_b = by_batches(bg, g, a, b, (*rows.shape[:-1], columns.shape[-1]))
        return bg.ops.reshape(grad_a, a.shape), bg.ops.reshape(grad_b, b.shape)

    patch_vectors(bg, left_only)
