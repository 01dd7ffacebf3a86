"""The public names of the package, for notebooks 00 to 09: the one place where they are promised.

Of each a line: the name with its signature, and behind the arrow what its docstring must speak of. A name without
brackets is a property, or a class that is only caught.
"""

import re

PROMISED = """
Value(data, _children=(), _op='', _slopes=(), label='')  -> data grad _prev _slopes _op label Raises
Value._backward()                                        -> gradient leaf
Value.backward()                                         -> leaf Returns
Value.exp()                                              -> slope
Value.log()                                              -> slope
Value.sin()                                              -> slope
Value.tanh()                                             -> slope
Value.sigmoid()                                          -> slope
Value.relu()                                             -> slope
Value.zero_grad()                                        -> 0.0
Value.__add__(other)                                     -> slope
Value.__sub__(other)                                     -> other
Value.__mul__(other)                                     -> slope
Value.__truediv__(other)                                 -> other
Value.__pow__(exponent)                                  -> slope Raises
Value.__neg__()                                          -> self
Value.__radd__(other)                                    -> other
Value.__rsub__(other)                                    -> other
Value.__rmul__(other)                                    -> other
Value.__rtruediv__(other)                                -> other
Value.__rpow__(base)                                     -> slope
topological_order(root)                                  -> Returns

scalar_nn.Neuron(nin, nonlin='tanh', rng=None)           -> nin nonlin rng
scalar_nn.Neuron.parameters()                            -> weights bias
scalar_nn.Layer(nin, nout, nonlin='tanh', rng=None)      ->
scalar_nn.Layer.parameters()                             ->
scalar_nn.MLP(nin, nouts, nonlin='tanh', last=None, rng=None) -> nouts last
scalar_nn.MLP.parameters()                               ->
scalar_nn.MLP.zero_grad()                                ->

derivatives.numerical_derivative(f, x, h=1e-6)           -> Returns
derivatives.numerical_gradient(f, x, h=1e-6)             -> Returns shape exception
derivatives.Dual(value, slope=0.0)                       -> value slope
derivatives.Dual.exp()                                   -> slope
derivatives.Dual.sin()                                   -> slope
derivatives.Dual.log()                                   -> slope
derivatives.Dual.tanh()                                  -> slope

Tensor(data, *, dtype=None, requires_grad=True)          -> data grad requires_grad _op _inputs Raises Source
Tensor.shape                                             -> axes
Tensor.ndim                                              -> axes
Tensor.size                                              -> numbers
Tensor.dtype                                             -> type
Tensor.T                                                 -> axes
Tensor.grad_fn                                           -> Function None
Tensor.sum(axes=None, keepdims=False)                    -> axes Raises
Tensor.mean(axes=None, keepdims=False)                   -> axes
Tensor.reshape(*sizes)                                   -> -1
Tensor.transpose(axes=None)                              -> permutation Raises
Tensor.broadcast_to(shape)                               -> Raises
Tensor.matmul(b)                                         -> Raises
Tensor.exp()                                             -> NumPy
Tensor.log()                                             -> NumPy
Tensor.sqrt()                                            -> NumPy
Tensor.abs()                                             -> slope
Tensor.relu()                                            -> slope
Tensor.sigmoid()                                         -> number
Tensor.tanh()                                            -> number
Tensor.detach()                                          -> grad
Tensor.numpy()                                           -> copy
Tensor.item()                                            -> Raises
Tensor.backward(grad=None)                               -> grad Returns Raises leaf
Tensor.zero_grad()                                       -> None
Tensor.__add__(other)                                    -> other
Tensor.__sub__(other)                                    -> other
Tensor.__mul__(other)                                    -> other
Tensor.__truediv__(other)                                -> other
Tensor.__pow__(other)                                    -> other
Tensor.__neg__()                                         -> -a
Tensor.__matmul__(b)                                     -> Raises
Tensor.__radd__(other)                                   -> other
Tensor.__rsub__(other)                                   -> other
Tensor.__rmul__(other)                                   -> other
Tensor.__rtruediv__(other)                               -> other
Tensor.__rpow__(other)                                   -> other
Tensor.__rmatmul__(other)                                -> other

Function()                                               -> forward backward Source
Function.__call__(*inputs)                               -> Returns Raises
Function.name()                                          -> name
Function.next_functions                                  -> Source
no_grad()                                                -> Source
grad(output, inputs, grad_output=None, create_graph=False) -> Returns Raises Source shape
gradcheck(fn, inputs, *, eps=1e-6, rtol=1e-5, atol=1e-7, seed=0) -> Returns Raises Source
GradcheckError                                           -> input

ops.Add()                                                -> slope
ops.Sub()                                                ->
ops.Mul()                                                ->
ops.Div()                                                -> NumPy
ops.Pow()                                                -> NumPy
ops.Negate()                                             ->
ops.AddScalar(scalar)                                    -> scalar
ops.MulScalar(scalar)                                    -> scalar
ops.DivScalar(scalar)                                    -> scalar
ops.PowerScalar(scalar)                                  -> scalar
ops.Log()                                                -> NumPy
ops.Exp()                                                -> NumPy
ops.Sqrt()                                               -> NumPy
ops.Abs()                                                ->
ops.ReLU()                                               ->
ops.Sigmoid()                                            -> 1000
ops.Tanh()                                               ->
ops.Reshape(shape)                                       -> shape
ops.Transpose(axes=None)                                 -> axes
ops.Summation(axes=None, keepdims=False)                 -> axes
ops.BroadcastTo(shape)                                   -> NumPy
ops.Mean(axes=None, keepdims=False)                      -> axes
ops.MatMul()                                             -> batch vector
ops.Affine()                                             -> shape
ops.add(a, b)                                            -> broadcast
ops.sub(a, b)                                            ->
ops.mul(a, b)                                            ->
ops.div(a, b)                                            -> NumPy
ops.pow(a, b)                                            -> NumPy
ops.negate(a)                                            ->
ops.add_scalar(a, scalar)                                -> number
ops.mul_scalar(a, scalar)                                -> number
ops.div_scalar(a, scalar)                                -> number
ops.power_scalar(a, scalar)                              -> number
ops.log(a)                                               -> NumPy
ops.exp(a)                                               -> NumPy
ops.sqrt(a)                                              -> NumPy
ops.abs(a)                                               -> slope
ops.relu(a)                                              -> slope
ops.sigmoid(a)                                           ->
ops.tanh(a)                                              ->
ops.reshape(a, shape)                                    -> -1 Raises
ops.transpose(a, axes=None)                              -> permutation Raises
ops.summation(a, axes=None, keepdims=False)              -> axes Raises
ops.broadcast_to(a, shape)                               -> Raises
ops.mean(a, axes=None, keepdims=False)                   -> axes
ops.unbroadcast(grad, shape)                             -> Returns shape
ops.matmul(a, b)                                         -> Raises
ops.affine(x, weight, bias)                              -> x weight bias

data.make_moons(n_samples=100, noise=0.1, seed=0)        -> Returns Source
draw_graph(root, *, max_nodes=300)                       -> Raises
trace_graph(root, *, max_nodes=300)                      -> Raises
plot_losses(losses, ax=None)                             -> Returns
plot_decision_boundary(model, points, labels, ax=None, resolution=40) -> Returns
"""


def promises():
    """Triples (dotted name, signature such as '(a, b)' or '' for what is not called, words of the docstring)."""
    for line in filter(None, PROMISED.splitlines()):
        called, words = line.split("->")
        name, signature = re.fullmatch(r"([\w.]+)(\(.*\))?", called.strip()).groups()
        yield name, signature or "", words.split()
