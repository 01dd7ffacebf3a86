"""Code that nudges instead of using a rule, for a learner's file."""

# Honest central differences of a sum of out_grad * result: each number is nudged up and down, and put back.
NUDGING = """

def nudged(array, loss, h=1e-6):
    import numpy as np

    gradient = np.zeros(array.shape)
    for index in np.ndindex(array.shape):
        number = array[index]
        array[index] = number + h
        above = loss()
        array[index] = number - h
        gradient[index] = (above - loss()) / (2 * h)
        array[index] = number
    return gradient


def nudged_shares(operation, out_grad, inputs):
    arrays = [x.data.copy() for x in inputs]
    return tuple(
        type(out_grad)(nudged(array, lambda: (out_grad.data * operation.forward(*arrays)).sum())) for array in arrays
    )

"""
