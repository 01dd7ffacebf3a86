"""The exercises of notebook 08: gradients of products of matrices, batches and vectors; array @ Tensor; a hunt."""

from grader.course.exercise import Exercise, Notebook

NOTEBOOK = Notebook("08", "matmul", "Matrix products", files=("ops/matrix.py",))

matrices = Exercise(
    "8.1",
    "matrix_gradients",
    file="ops/matrix.py",
    points=3,
    difficulty=2,
    needs=("5.3",),
    hints=[
        "Look at your notes on a[i, k]: its gradient is a sum over j of out_grad[i, j] * b[k, j]. A matrix product is "
        "such a sum too, over the last axis of the left factor and the first axis of the right one. Which axis of "
        "out_grad does j number, and which axis of b?",
        "j comes last in out_grad: good, that can be the left factor. In b it comes last as well, where a product "
        "needs it first. What moves it there? For the gradient of b the sum runs over i. Which factor has to be on "
        "the left then, and which of the two has to be transposed?",
        "Try the shapes a (2, 3), b (3, 4), out_grad (2, 4). The gradient of a is (2, 4) @ something of shape (4, 3). "
        "The gradient of b is something of shape (3, 2) @ (2, 4). Each something is a transpose(...).",
    ],
)

batches = Exercise(
    "8.2",
    "batch_gradients",
    file="ops/matrix.py",
    points=3,
    difficulty=3,
    track="stretch",
    needs=("5.3", "7.6", "8.1"),
    hints=[
        "Each product in the batch is a product of two matrices, and you know the rule for those. Which axes does "
        "transpose(b) swap when b has three of them? And when a matrix went into several products, what happens to "
        "its shares?",
        "The two lines of 8.1 work on a batch as they are, since transpose swaps only the last two axes. What they "
        "give has the batch axes of out_grad. Where a or b had fewer of them, or a 1, the shares lie one behind the "
        "other and must be added up. A function of notebook 07 does just that.",
        "grad_a is the product of 8.1, passed to unbroadcast together with a.shape; grad_b likewise. Multiply first, "
        "add up afterwards.",
    ],
)

vectors = Exercise(
    "8.3",
    "vector_gradients",
    file="ops/matrix.py",
    points=3,
    difficulty=3,
    track="stretch",
    needs=("5.3", "7.6", "8.2"),
    hints=[
        "A vector on the left acts as a matrix with one row, on the right as a matrix with one column. The product of "
        "these matrices has one axis more than yours (or two). If you had matrices, 8.2 would do the rest. How do you "
        "get there, and back?",
        "reshape puts in an axis of size 1, and takes it out again. Three things need it: the vector, out_grad, and "
        "in the end the gradient. For a (3,) and b (3, 4): a becomes (1, 3), out_grad (4,) becomes (1, 4), and the "
        "gradient of a goes from (1, 3) back to (3,).",
        "rows = reshape(a, (1, -1)) if a.ndim == 1 else a; columns likewise with (-1, 1). The shape of their product: "
        "the batch axes rows.shape[:-2] and columns.shape[:-2] one after the other (one of them is empty), then "
        "rows.shape[-2], then columns.shape[-1]. out_grad in this shape goes to batch_gradients with rows and "
        "columns; reshape(grad_a, a.shape) brings the first answer back.",
    ],
)
