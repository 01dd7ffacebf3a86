"""The public names of the package, for notebooks 00 to 13: the one place where they are promised.

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
value.topological_order(root)                                  -> Returns

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
Tensor.sum(axis=None, keepdims=False)                    -> axis Raises
Tensor.mean(axis=None, keepdims=False)                   -> axis
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
Tensor.max(axis=None, keepdims=False)                    -> axis tie Raises
Tensor.logsumexp(axis=-1, keepdims=False)                -> axis 1000 Raises
Tensor.log_softmax(axis=-1)                              -> axis 1000 Raises
Tensor.softmax(axis=-1)                                  -> axis 1000 Raises
Tensor.__getitem__(index)                                -> slice twice Raises
Tensor.__len__()                                         -> first axis Raises
Tensor.__iter__()                                        -> first axis Raises
Tensor.detach()                                          -> grad
Tensor.numpy()                                           -> copy
Tensor.item()                                            -> Raises
Tensor.initial_gradient(grad=None)                       -> ones Raises
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
Function.shares(out_grad, node)                          -> Raises
Function.next_functions                                  -> Source
no_grad()                                                -> Source
grad(output, inputs, grad_output=None, create_graph=False) -> Returns Raises Source shape
check_rule(operation, inputs, *, eps=1e-6, rtol=1e-5, atol=1e-7, seed=0) -> Returns Raises
gradcheck(fn, inputs, *, eps=1e-6, rtol=1e-5, atol=1e-7, seed=0) -> Returns Raises Source
GradcheckError                                           -> input

ops.Elementwise()                                        -> slope
ops.Positive()                                           ->
ops.Sign()                                               ->
ops.Equal()                                              ->
ops.positive(a)                                          ->
ops.sign(a)                                              ->
ops.equal(a, b)                                          ->
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
ops.CrossEntropy(targets)                                -> targets
ops.Gather(index)                                        -> slice NumPy
ops.Scatter(index, shape)                                -> index shape
ops.Max(axis=None, keepdims=False)                       -> axes keepdims
ops.LogSumExp(axis=-1, keepdims=False)                   -> axes keepdims
ops.LogSoftmax(axis=-1)                                  -> axes
ops.Softmax(axis=-1)                                     -> axes
ops.Softplus()                                           -> exp
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
ops.summation(a, axis=None, keepdims=False)              -> axis Raises
ops.broadcast_to(a, shape)                               -> Raises
ops.mean(a, axis=None, keepdims=False)                   -> axis
ops.unbroadcast(grad, shape)                             -> Returns shape
ops.matmul(a, b)                                         -> Raises
ops.affine(x, weight, bias)                              -> x weight bias
ops.cross_entropy(scores, targets)                       -> targets
ops.scatter(a, index, shape)                             -> Raises
ops.max(a, axis=None, keepdims=False)                    -> axis tie Raises
ops.logsumexp(a, axis=-1, keepdims=False)                -> axis 1000 -inf Raises
ops.log_softmax(a, axis=-1)                              -> axis 1000 -inf Raises
ops.softmax(a, axis=-1)                                  -> axis 1000 -inf Raises
ops.softplus(a)                                          -> 1000

layers.Layer()                                           -> forward backward dout
layers.Layer.forward(x)                                  ->
layers.Layer.backward(dout)                              ->
layers.Layer.parameters()                                -> order
layers.Layer.gradients()                                 -> backward None
layers.Layer.named_parameters()                          -> name
layers.Linear(in_features, out_features, rng=None)       -> weight bias dweight dbias rng
layers.Linear.forward(x)                                 -> Returns in_features
layers.Linear.backward(dout)                             -> Returns dweight dbias
layers.ReLU()                                            ->
layers.ReLU.backward(dout)                               -> slope
layers.Tanh()                                            ->
layers.Tanh.backward(dout)                               -> slope
layers.Sigmoid()                                         -> 1000
layers.Sigmoid.backward(dout)                            -> slope
layers.Softmax()                                         ->
layers.Softmax.forward(x)                                -> Returns 1000
layers.Softmax.backward(dout)                            -> Returns Jacobian
layers.CrossEntropyLoss()                                -> mean
layers.CrossEntropyLoss.forward(scores, targets)         -> Returns 1000
layers.CrossEntropyLoss.backward(dout=1.0)               -> Returns
layers.Net(*layers)                                      -> Raises
layers.Net.forward(x)                                    ->
layers.Net.backward(dout)                                -> Returns
layers.softmax_jacobian(p)                               -> Returns
layers.softmax_rows(scores)                              -> Returns
layers.relative_error(a, b)                              -> norm
layers.eval_numerical_gradients(layer, x, *, eps=1e-6, seed=0) -> Returns dout
layers.train_step(net, loss, x, targets, learning_rate)  -> Returns

nn.Parameter(data, *, dtype=None, requires_grad=True)    -> Tensor
nn.Module()                                              -> forward training Source
nn.Module.forward(*inputs)                               ->
nn.Module.named_parameters()                             -> name order once
nn.Module.parameters()                                   -> list
nn.Module.modules()                                      -> once
nn.Module.zero_grad()                                    -> None
nn.Module.train(mode=True)                               -> Returns
nn.Module.eval()                                         -> Returns
nn.Module.state_dict()                                   -> copies
nn.Module.load_state_dict(state)                         -> Raises missing unexpected shape
nn.Module.save(path)                                     -> npz pickle
nn.Module.load(path)                                     -> Raises
nn.Linear(in_features, out_features, bias=True, rng=None) -> weight bias rng Source
nn.Linear.forward(x)                                     -> Returns
nn.ReLU()                                                ->
nn.Tanh()                                                ->
nn.Sigmoid()                                             ->
nn.Sequential(*layers)                                   -> layers Raises
nn.MLP(dims, activation='relu', rng=None)                -> dims activation rng Raises
nn.save(state, path)                                     -> Raises
nn.load(path)                                            -> Raises
storage.save(state, path)                                -> Raises
storage.load(path)                                       -> Raises

init.linear_uniform(fan_in, fan_out, rng, shape=None)    -> sqrt shape
init.kaiming_uniform(fan_in, fan_out, rng)               -> sqrt
init.kaiming_normal(fan_in, fan_out, rng)                -> sqrt
init.xavier_uniform(fan_in, fan_out, rng)                -> sqrt
init.xavier_normal(fan_in, fan_out, rng)                 -> sqrt

losses.mse_loss(predictions, targets)                    -> Returns Raises shape
losses.cross_entropy(scores, targets)                    -> Returns Raises Source
losses.nll_loss(log_probabilities, targets)              -> Returns Raises Source
losses.binary_cross_entropy_with_logits(scores, targets) -> Returns Raises Source 1000
losses.hinge_loss(scores, labels)                        -> Returns Raises

optim.Optimizer(params, lr, weight_decay=0)              -> params lr weight_decay Raises
optim.Optimizer.lr                                       -> learning rate
optim.Optimizer.step()                                   -> Raises gradient
optim.Optimizer.zero_grad()                              -> None
optim.Optimizer.state_dict()                             -> lr copies
optim.Optimizer.load_state_dict(state)                   -> Raises
optim.SGD(params, lr, momentum=0, nesterov=False, weight_decay=0) -> momentum nesterov Source
optim.RMSprop(params, lr=0.01, alpha=0.99, eps=1e-8, weight_decay=0, momentum=0) -> alpha eps Source
optim.Adam(params, lr=0.001, betas=(0.9, 0.999), eps=1e-8, weight_decay=0) -> betas Source
optim.AdamW(params, lr=0.001, betas=(0.9, 0.999), eps=1e-8, weight_decay=0.01) -> decay Source
optim.StepLR(optimizer, step_size, gamma=0.1)            -> step_size gamma Source
optim.StepLR.step()                                      ->
optim.StepLR.lr_at(t)                                    -> learning rate
optim.CosineLR(optimizer, total_steps, warmup=0, min_lr=0) -> warmup total_steps min_lr Source
optim.CosineLR.lr_at(t)                                  -> learning rate
optim.CosineLR.state_dict()                              ->
optim.CosineLR.load_state_dict(state)                    ->
optim.clip_grad_norm_(params, max_norm)                  -> Returns Raises Source

normalize.Dropout(p=0.5, rng=None)                       -> p rng Raises Source
normalize.Dropout.forward(x)                             -> Returns training
normalize.LayerNorm(features, eps=1e-5)                  -> features eps weight bias Source
normalize.LayerNorm.forward(x)                           -> Returns
monitor.gradient_statistics(gradient)                    -> norm mean std
monitor.update_ratio(before, after)                      -> norm
monitor.dead_units(dweight, dbias)                       -> share
GradientMonitor(model)                                   -> history dead total_norm nan
GradientMonitor.record()                                 -> step
GradientMonitor.summary()                                -> means

training.accuracy(scores, targets)                       -> targets Raises
training.train_epoch(model, loss_fn, optimizer, loader)  -> Returns loader
training.evaluate(model, loss_fn, loader)                -> loss accuracy
training.GradientDescent(params, lr)                     -> params lr
trainer.Trainer(model, loss_fn, optimizer, *, checkpoint=None, progress=True, \
scheduler=None, patience=None, log=None)                  -> checkpoint patience log
trainer.Trainer.fit(train_loader, epochs, val_loader=None, resume=False) -> epochs resume history
training.AverageMeter()                                  -> average value
training.AverageMeter.update(value, n=1)                 -> n
training.AverageMeter.average                            -> nan
training.Logger(path, append=False)                      -> path append
training.Logger.log(**row)                               -> Raises

torch_bridge.TorchMLP(dims, activation='relu')           -> dims activation Raises
torch_bridge.copy_weights_to_torch(model, torch_model)   -> Returns Raises
torch_bridge.compare_gradients(model, x, targets, loss='cross_entropy') -> Returns Raises

data.make_moons(n_samples=100, noise=0.1, seed=0)        -> Returns Source
data.load_digits()                                       -> Returns Source
data.load_mnist(root)                                    -> Returns Raises Source
data.load_mnist_part(root, part)                         -> Returns Raises
data.DataLoader(x, y, batch_size, shuffle=True, seed=0, drop_last=False) -> shuffle seed drop_last Raises Source
data.train_test_split(x, y, test_size=0.2, seed=0)       -> Returns Raises Source
draw_graph(root, *, max_nodes=300)                       -> Raises
trace_graph(root, *, max_nodes=300)                      -> Raises
plot_gradients(monitor, ax=None)                         -> Returns Raises
plot_losses(losses, ax=None, xlabel=None)                -> Returns
plot_decision_boundary(model, points, labels, ax=None, resolution=40) -> Returns
"""


def promises():
    """Triples (dotted name, signature such as '(a, b)' or '' for what is not called, words of the docstring)."""
    for line in filter(None, PROMISED.splitlines()):
        called, words = line.split("->")
        name, signature = re.fullmatch(r"([\w.]+)(\(.*\))?", called.strip()).groups()
        yield name, signature or "", words.split()
