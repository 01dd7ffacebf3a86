"""Right solutions of notebook 08 in another style."""


def variant_8_1_nothing_left_out(bg):
    """Both gradients, whether they are wanted or not; with permutations written out and the function matmul."""

    def matrix_gradients(out_grad, a, b):
        turned_a, turned_b = bg.ops.transpose(a, (1, 0)), bg.ops.transpose(b, (-1, -2))
        return bg.ops.matmul(out_grad, turned_b), bg.ops.matmul(turned_a, out_grad)

    bg.ops.matrix.matrix_gradients = matrix_gradients


def variant_8_1_turned_twice(bg):
    """(b @ out_gradᵀ)ᵀ, and .T."""

    def matrix_gradients(out_grad, a, b):
        return (b @ out_grad.T).T, (out_grad.T @ a).T

    bg.ops.matrix.matrix_gradients = matrix_gradients


def variant_8_1_sums_of_stretched_products(bg):
    """The sums as they stand: a product number by number over (n, k, m), then a sum."""

    def matrix_gradients(out_grad, a, b):
        (n, k), m = a.shape, b.shape[1]
        g = out_grad.reshape(n, 1, m)
        return (g * b.reshape(1, k, m)).sum(2), (a.reshape(n, k, 1) * g).sum(0)

    bg.ops.matrix.matrix_gradients = matrix_gradients


def variant_8_2_on_top_of_the_matrix_rule(bg):
    """Calls matrix_gradients, and puts in the product that it left out."""

    def batch_gradients(out_grad, a, b):
        grad_a, grad_b = bg.ops.matrix.matrix_gradients(out_grad, a, b)
        grad_a = out_grad @ bg.ops.transpose(b) if grad_a is None else grad_a
        grad_b = bg.ops.transpose(a) @ out_grad if grad_b is None else grad_b
        return bg.ops.unbroadcast(grad_a, a.shape), bg.ops.unbroadcast(grad_b, b.shape)

    bg.ops.matrix.batch_gradients = batch_gradients


def variant_8_2_sum_and_reshape(bg):
    """Adds up with sum over the axes of the batch that the input lacks or has with size 1."""

    def batch_gradients(out_grad, a, b):
        def turned(x):
            return x.transpose((*range(x.ndim - 2), -1, -2))

        def added(grad, x):
            new = grad.ndim - x.ndim
            axes = [i for i in range(grad.ndim - 2) if i < new or x.shape[i - new] == 1]
            return grad.sum(tuple(axes)).reshape(x.shape) if axes else grad

        return added(out_grad @ turned(b), a), added(turned(a) @ out_grad, b)

    bg.ops.matrix.batch_gradients = batch_gradients


def variant_8_2_stretched_first(bg):
    """The matrices stretched to the batch before the products."""

    def batch_gradients(out_grad, a, b):
        ops, batch = bg.ops, out_grad.shape[:-2]
        wide_a = ops.broadcast_to(a, (*batch, *a.shape[-2:]))
        wide_b = ops.broadcast_to(b, (*batch, *b.shape[-2:]))
        return (
            ops.unbroadcast(out_grad @ ops.transpose(wide_b), a.shape),
            ops.unbroadcast(ops.transpose(wide_a) @ out_grad, b.shape),
        )

    bg.ops.matrix.batch_gradients = batch_gradients


def variant_8_3_case_by_case(bg):
    """Two vectors, a vector on the left, a vector on the right: each for itself."""

    def vector_gradients(out_grad, a, b):
        batch_gradients = bg.ops.matrix.batch_gradients
        if a.ndim == 1 and b.ndim == 1:
            return out_grad * b, out_grad * a
        if a.ndim == 1:
            row = out_grad.reshape(*out_grad.shape[:-1], 1, out_grad.shape[-1])
            grad_a, grad_b = batch_gradients(row, a.reshape(1, a.size), b)
            return grad_a.reshape(a.size), grad_b
        grad_a, grad_b = batch_gradients(out_grad.reshape(*out_grad.shape, 1), a, b.reshape(b.size, 1))
        return grad_a, grad_b.reshape(b.size)

    bg.ops.matrix.vector_gradients = vector_gradients


def variant_8_3_products_number_by_number(bg):
    """Without any matrix product: stretched products, and unbroadcast for the sums."""

    def vector_gradients(out_grad, a, b):
        mul, unbroadcast = bg.ops.mul, bg.ops.unbroadcast
        if a.ndim == 1 and b.ndim == 1:
            return mul(out_grad, b), mul(out_grad, a)
        if b.ndim == 1:
            g = out_grad.reshape(*out_grad.shape, 1)
            return mul(g, b), unbroadcast(mul(g, a), b.shape)
        g = out_grad.reshape(*out_grad.shape[:-1], 1, out_grad.shape[-1])
        column = a.reshape(-1, 1)
        return unbroadcast(mul(g, b), (a.size, 1)).reshape(a.size), mul(column, g)

    bg.ops.matrix.vector_gradients = vector_gradients


def variant_8_3_by_the_product_itself(bg):
    """Makes the matrices, and asks the product of these for the shape; leaves out what requires no grad."""

    def vector_gradients(out_grad, a, b):
        rows = a if a.ndim > 1 else a.reshape((1, a.size))
        columns = b if b.ndim > 1 else b.reshape((b.size, 1))
        shape = (rows.data @ columns.data).shape
        grads = bg.ops.matrix.batch_gradients(out_grad.reshape(shape), rows, columns)
        return tuple(grad.reshape(x.shape) if x.requires_grad else None for x, grad in zip((a, b), grads))

    bg.ops.matrix.vector_gradients = vector_gradients
