"""Wrong ideas about notebook 08 that are no edit of one answer (mistakes.md has the others)."""

from grader.course.exercise import wrong

from .exercises import vectors


@wrong(
    vectors,
    "out_grad as one row or one column, where 8.2 makes both products first",
    "out_grad was made into a matrix with one row or one column. Beside a single matrix that is right. Beside a "
    "batch, out_grad is a batch as well: its batch axes stay as they are, and only the dropped axis is put back.",
)
def _(bg):
    matrix, unbroadcast = bg.ops.matrix, bg.ops.unbroadcast

    def both_products_first(out_grad, a, b):
        grad_a, grad_b = out_grad @ bg.ops.transpose(b), bg.ops.transpose(a) @ out_grad
        return unbroadcast(grad_a, a.shape), unbroadcast(grad_b, b.shape)

    def one_row_or_column(out_grad, a, b):
        rows = a.reshape((1, -1)) if a.ndim == 1 else a
        columns = b.reshape((-1, 1)) if b.ndim == 1 else b
        out_grad = out_grad.reshape((1, -1) if a.ndim == 1 else (-1, 1))
        grad_a, grad_b = matrix.batch_gradients(out_grad, rows, columns)
        return grad_a.reshape(a.shape), grad_b.reshape(b.shape)

    matrix.batch_gradients, matrix.vector_gradients = both_products_first, one_row_or_column
