"""The exercises of notebook 08: gradients of products of matrices, batches and vectors; @ from the left; a hunt."""

from grader.course.exercise import Exercise, Notebook

NOTEBOOK = Notebook("08", "matmul", "Matrix products", files=("ops/matrix.py", "operators.py", "hunts.py"))

matrices = Exercise(
    "8.1",
    "matrix_gradients",
    file="ops/matrix.py",
    points=3,
    difficulty=2,
    needs=("5.3", "7.2"),
    hints=[
        "Take your notes on a[i, k]: its gradient is a sum over j of out_grad[i, j] * b[k, j]. A product of two "
        "matrices is such a sum too, over the last axis of the left one and the first axis of the right one. On "
        "which axis does j stand in out_grad, and on which in b?",
        "j stands last in out_grad: good, that is the left factor. In b it stands last as well, where a product wants "
        "it first. What brings it there? For the gradient of b the sum goes over i. Which factor must stand on the "
        "left then, and which of the two has to be turned?",
        "Try the shapes of a (2, 3), b (3, 4), out_grad (2, 4). The gradient of a is (2, 4) times something of shape "
        "(4, 3). The gradient of b is something of shape (3, 2) times (2, 4). Each something is a transpose(...).",
    ],
)

batches = Exercise(
    "8.2",
    "batch_gradients",
    file="ops/matrix.py",
    points=3,
    difficulty=3,
    needs=("5.3", "7.2", "7.6", "8.1"),
    hints=[
        "Each product of the batch is a product of two matrices, and for these you know the rule. Which axes does "
        "transpose(b) swap when b has three of them? And when a matrix went into several products, what do its shares "
        "do?",
        "The two lines of 8.1 work on a batch as they stand, if transpose swaps the last two axes only. What they "
        "give has the batch axes of out_grad. Where a or b had fewer of them, or a 1, the shares lie side by side "
        "and must be added up. One function of notebook 07 does just that.",
        "grad_a is the product of 8.1, handed to unbroadcast together with a.shape. grad_b likewise. Multiply first, "
        "add up afterwards.",
    ],
)

vectors = Exercise(
    "8.3",
    "vector_gradients",
    file="ops/matrix.py",
    points=3,
    difficulty=3,
    needs=("5.3", "7.1", "7.2", "7.6", "8.2"),
    hints=[
        "A vector on the left acts as a matrix with one row, on the right as a matrix with one column. The product of "
        "these matrices has one axis more than yours (or two). If you had it, 8.2 would do the rest. How do you get "
        "there, and back?",
        "reshape puts in an axis of size 1, and takes it out again. Three things need it: the vector, out_grad, and "
        "in the end the gradients. For a (3,) and b (3, 4): a as (1, 3), out_grad (4,) as (1, 4), and the gradient "
        "of a from (1, 3) to (3,).",
        "rows = reshape(a, (1, -1)) if a.ndim == 1 else a; columns likewise with (-1, 1). The shape of their product: "
        "the batch axes rows.shape[:-2] and columns.shape[:-2] one behind the other (one of them is empty), then "
        "rows.shape[-2], then columns.shape[-1]. out_grad in this shape goes to batch_gradients with rows and columns; "
        "reshape(grad_a, a.shape) brings the first answer back.",
    ],
)

from_the_left = Exercise(
    "8.4",
    "other @ x",
    file="operators.py",
    points=1,
    difficulty=1,
    needs=("5.3",),
    hints=[
        "For array @ x the array does not know Tensors, so Python asks x: x.__rmatmul__(array), and that is your "
        "function. Which of the two stood on the left?",
        "x + other and other + x are the same number. Are x @ other and other @ x? Look at reflected_minus.",
        "One line with matrix.matmul and the two arguments. The one that stood on the left is the first one.",
    ],
)

hunt = Exercise(
    "8.5",
    "unnoticed",
    file="hunts.py",
    points=2,
    difficulty=2,
    hints=[
        "Take them one at a time. With sizes that are all different, a wrong rule stops or has a wrong shape. Which "
        "sizes let B, who has the factors the wrong way round, get through?",
        "B needs square matrices. A is right for two matrices: what must a shape have, so that reversing all axes "
        "does something else, and which sizes let that pass? C is right whenever nothing has to be added up.",
        "A square matrix on one side, a batch of square matrices on the other. How many of them, so that the batch "
        "axis can be mixed up with a row without an error?",
    ],
)
