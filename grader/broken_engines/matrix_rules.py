"""Rules for the gradients of a @ b, on arrays: a right one and a wrong one."""


def right(out_grad, a, b):
    return _added_up(out_grad @ _turned(b), a.shape), _added_up(_turned(a) @ out_grad, b.shape)


def all_axes_reversed(out_grad, a, b):
    """It takes .T, which turns the batch axes round as well."""
    return _added_up(out_grad @ b.T, a.shape), _added_up(a.T @ out_grad, b.shape)


def _turned(a):
    return a.swapaxes(-1, -2)


def _added_up(gradient, shape):
    """The gradient in the input's shape: new axes in front and stretched ones are added up."""
    new = gradient.ndim - len(shape)
    stretched = [axis + new for axis, size in enumerate(shape) if size == 1 != gradient.shape[axis + new]]
    added = gradient.sum(axis=(*range(new), *stretched), keepdims=True)
    return added.reshape(added.shape[new:])
