"""Notebooks 05 and 13: what every operation on Tensors has in common.

Yours: 5.3.
"""

import numpy as np

from ..announce import listeners
from ..autograd import Recording
from ..tensor import as_tensors, result


class Function:
    """One operation on arrays. A subclass says what is computed, and by which rule gradients go back.

    forward(*arrays): plain ndarrays in, an ndarray (or NumPy number) out. It changes none of them.
    backward(out_grad, node): the rule, a vector-Jacobian product.  out_grad: the gradient of the result, a Tensor of
        the same shape.  node: the result itself, with `node._inputs`.  Returns a Tensor for each input, of the input's
        shape (or None if nothing flows to it): the Tensor alone for one input, a tuple for several.
        It is made only of operations on out_grad, node and the inputs. So it can be differentiated again,
        and the graph that it leaves is right for other numbers too.

    An object of a subclass is called with the inputs: Mul()(a, b). What is not an input but belongs to
    the operation (axes, a shape, a number) is given when the object is made: Reshape((2, 3))(x).
    Source: torch.autograd.Function, with the result handed to backward in place of a context.
    """

    inputs = ()  # of the call, once there has been one

    def __call__(self, *inputs):
        """Compute the operation, and record how the result was made.

        inputs: Tensors; numbers, lists and arrays become Tensors that require no grad.
        Returns a Tensor. It remembers its past only if a backward pass may go through it: then its `_op` is
        this object, `_inputs` is the tuple of inputs, and it requires grad. While recording is off, nothing does.
        Raises ValueError, naming the operation and the shapes, if the shapes do not fit.
        """
        if listeners and (answer := listeners[-1].computes(self, inputs)) is not None:  # notebook 15: announce.py
            return answer
        try:
            # exercise 5.3
            raise NotImplementedError("exercise 5.3: Function.__call__")
            # end of exercise 5.3
        except ValueError as error:
            raise (self.explained(inputs) or error) from None

    def forward(self, *arrays):
        raise NotImplementedError(f"{self.name()} has no forward yet")

    def backward(self, out_grad, node):
        raise NotImplementedError(f"{self.name()} has no backward yet")

    def parts(self, *inputs):
        """For the compiler: the same, made of smaller operations that others need too; None if there are none."""
        return None

    def shares(self, out_grad, node):
        """What the rule returns, as a tuple: a share for each input.  Raises ValueError if there are more or fewer."""
        shares = self.backward(out_grad, node)
        shares = shares if type(shares) is tuple else (shares,)
        if len(shares) != len(node._inputs):
            raise ValueError(f"the rule of {self.name()} gave {len(shares)} gradients for {len(node._inputs)} inputs")
        return shares

    def __repr__(self):
        return f"<{self.name()}>"

    def name(self):
        """The name of the operation, such as Mul."""
        return type(self).__name__

    @property
    def next_functions(self):
        """The Functions that made this call's inputs, one step back in the graph: a tuple, or a list, of pairs.

        For y = a * b and z = y + a, where a and b are leaves, z._op.next_functions is ((<Mul>, 0), (None, 0)).
        A constant counts as a leaf.
        Source: PyTorch's attribute of this name, where the number says which of several results is meant.
        """
        return tuple((x.grad_fn, 0) for x in self.inputs)

    def explained(self, inputs):
        """A ValueError that names the operation and the shapes; None if the shapes are not to blame."""
        try:
            shapes = [x.shape for x in as_tensors(inputs)]
        except (TypeError, ValueError):
            return None  # they are not arrays, as the error says already
        words = self.why_refused(*shapes)
        return ValueError(f"{self.name()} of {' and '.join(map(str, shapes))}: {words}") if words else None

    def why_refused(self, *shapes):
        """What is wrong with these shapes, and the way out: words for the ValueError. "" if they are not to blame."""
        try:
            np.broadcast_shapes(*shapes)
        except ValueError:
            return "these shapes do not broadcast. From the right, sizes must be equal, or one of them 1: try reshape."
        return ""
