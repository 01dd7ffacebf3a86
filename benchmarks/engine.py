"""The tensor engine: one step of training (forward, loss, backward, SGD), side by side with its peers, in one run.

The limit is the same step written by hand in NumPy: every array and view is made once and used again. babygrad and
PyTorch each run the step with their own nn and optim, compiled too, and with tensors by hand. HIPS autograd and jax are
installed by requirements/bench.txt; torch.compile needs a C++ compiler. All of them in float64, on one thread, on the
same numbers; each engine's losses over three steps are compared with the limit's before a clock is started.
"""

import os
import shutil
import statistics
import sys
import time
import tracemalloc
from dataclasses import dataclass

import numpy as np
from threadpoolctl import threadpool_limits

from grader.course.packages import load_package
from grader.course.paths import REFERENCE

LEARNING_RATE = 0.001


@dataclass(frozen=True)
class Step:
    """A network and a batch.

    most: how many times the limit babygrad's step may take.  compiled: the same for the compiled one.
    calls: how many steps in one round.
    """

    name: str
    sizes: tuple
    batch: int
    nonlin: str
    most: float
    compiled: float
    calls: int

    @property
    def title(self):
        return f"{self.name}  {'-'.join(map(str, self.sizes))} {self.nonlin}, batch {self.batch}"


STEPS = (
    Step("T1", (2, 16, 16, 2), 64, "tanh", 3.3, 1.1, 200),
    Step("T2", (64, 64, 10), 64, "relu", 2.4, 1.05, 150),
    Step("T3", (784, 128, 10), 32, "relu", 1.7, 1.05, 30),
    Step("T4", (784, 1024, 1024, 1024, 10), 512, "relu", 1.15, 1.05, 1),
)
ROUNDS = 15
MEASURED = {}  # {step: {engine: times the limit}}, as the last table has it
AUTOGRAD_AT_LEAST = 4.0
ADAM_AT_MOST = 1.15  # compiled, times Adam by hand
COMPILING_AT_MOST = 60  # eager steps
MEMORY_AT_MOST = 1.05  # compiled, times by hand


class Start:
    """The numbers that every engine begins with."""

    def __init__(self, step):
        rng = np.random.default_rng(0)
        self.nonlin = step.nonlin
        self.x = rng.normal(size=(step.batch, step.sizes[0]))
        self.targets = rng.integers(step.sizes[-1], size=step.batch)
        pairs = list(zip(step.sizes, step.sizes[1:]))
        self.weights = [rng.normal(size=pair) / np.sqrt(pair[0]) for pair in pairs]
        self.biases = [rng.normal(size=pair[1]) * 0.1 for pair in pairs]


class Limit:
    """By hand, as fast as a hand can: in place, and every array, view and place is made before the first step."""

    def __init__(self, start):
        self.start, self.batch = start, len(start.x)
        self.weights, self.biases = [w.copy() for w in start.weights], [b.copy() for b in start.biases]
        self.dweights, self.dbiases = list(map(np.empty_like, self.weights)), list(map(np.empty_like, self.biases))
        self.parameters = [*zip(self.weights + self.biases, self.dweights + self.dbiases)]
        widths = [w.shape[1] for w in self.weights]
        self.outs = [np.empty((self.batch, width)) for width in widths]
        self.grads = list(map(np.empty_like, self.outs))
        self.masks = [np.empty(out.shape, bool) for out in self.outs]
        self.row, self.right = np.empty((self.batch, 1)), np.empty(self.batch)
        self.flat_scores = self.outs[-1].reshape(-1)
        self.first_of_row = np.arange(self.batch) * widths[-1]
        self.ins = [start.x, *self.outs[:-1]]
        self.ins_transposed, self.weights_transposed = [x.T for x in self.ins], [w.T for w in self.weights]

    def step(self):
        loss = self.forward()
        self.backward()
        self.update()
        return loss

    def update(self):
        for p, g in self.parameters:
            np.multiply(g, LEARNING_RATE, g)
            np.subtract(p, g, p)

    def forward(self):
        last = len(self.weights) - 1
        for layer, (x, w, b, out) in enumerate(zip(self.ins, self.weights, self.biases, self.outs)):
            np.dot(x, w, out)
            np.add(out, b, out)
            if layer < last:
                np.tanh(out, out) if self.start.nonlin == "tanh" else np.maximum(out, 0, out=out)
        scores, row, right = self.outs[-1], self.row, self.right
        np.maximum.reduce(scores, 1, None, row, True)
        np.subtract(scores, row, scores)
        self.places = self.first_of_row + self.start.targets
        self.flat_scores.take(self.places, None, right, "clip")
        np.exp(scores, scores)
        np.add.reduce(scores, 1, None, row, True)
        np.divide(scores, row, scores)
        np.log(row, row)
        return (np.add.reduce(row, None) - np.add.reduce(right)) / self.batch

    def backward(self):
        grad = self.outs[-1]
        self.flat_scores[self.places] -= 1
        np.divide(grad, self.batch, grad)
        for layer in reversed(range(len(self.weights))):
            np.dot(self.ins_transposed[layer], grad, self.dweights[layer])
            np.add.reduce(grad, 0, None, self.dbiases[layer])
            if layer:
                below = np.dot(grad, self.weights_transposed[layer], self.grads[layer - 1])
                self.through_nonlin(layer - 1, self.outs[layer - 1], below)
                grad = below

    def through_nonlin(self, layer, out, grad):
        if self.start.nonlin == "tanh":
            np.multiply(out, out, out)
            np.subtract(1, out, out)
            np.multiply(grad, out, grad)
        else:
            np.multiply(grad, np.greater(out, 0, self.masks[layer]), grad)


class AdamByHand(Limit):
    """The same with Adam, as fast as a hand can."""

    def __init__(self, start):
        super().__init__(start)
        self.t = 0
        self.memories = [(p, g, np.zeros_like(p), np.zeros_like(p), np.empty_like(p)) for p, g in self.parameters]

    def update(self):
        self.t += 1
        first, second = 1 - 0.9**self.t, 1 - 0.999**self.t
        for p, g, mean, square, free in self.memories:
            np.multiply(mean, 0.9, mean)
            np.multiply(g, 1 - 0.9, free)
            np.add(mean, free, mean)
            np.multiply(square, 0.999, square)
            np.multiply(g, g, g)
            np.multiply(g, 1 - 0.999, g)
            np.add(square, g, square)
            np.divide(square, second, free)
            np.sqrt(free, free)
            np.add(free, 1e-8, free)
            np.divide(mean, first, g)
            np.multiply(g, LEARNING_RATE, g)
            np.divide(g, free, g)
            np.subtract(p, g, p)


class Babygrad:
    """The public API, with x @ W + b and the loss as one operation each."""

    def __init__(self, start, fused=True):
        self.package = bg = load_package(REFERENCE, "babygrad_bench")
        self.start = start
        self.affine = bg.ops.affine if fused else lambda x, w, b: x @ w + b
        self.cross_entropy = bg.ops.cross_entropy
        self.x = bg.Tensor(start.x, requires_grad=False)
        self.layers = [(bg.Tensor(w), bg.Tensor(b)) for w, b in zip(start.weights, start.biases)]
        self.parameters = [p for layer in self.layers for p in layer]

    def step(self):
        h, affine = self.x, self.affine
        for w, b in self.layers[:-1]:
            h = affine(h, w, b)
            h = h.tanh() if self.start.nonlin == "tanh" else h.relu()
        loss = self.cross_entropy(affine(h, *self.layers[-1]), self.start.targets)
        for p in self.parameters:
            p.zero_grad()
        loss.backward()
        for p in self.parameters:
            p.data -= LEARNING_RATE * p.grad
        return loss.item()


class Unfused(Babygrad):
    """The same with x @ W + b as two operations."""

    def __init__(self, start):
        super().__init__(start, fused=False)


class BabygradNN:
    """As notebook 11 writes it: a model, a loss and an optimizer."""

    def __init__(self, start):
        bg = load_package(REFERENCE, "babygrad_bench")
        self.targets, self.x = start.targets, bg.Tensor(start.x, requires_grad=False)
        sizes = [start.x.shape[1], *(w.shape[1] for w in start.weights)]
        self.model = bg.nn.MLP(sizes, start.nonlin)
        for layer, w, b in zip(self.model.layers[::2], start.weights, start.biases):
            layer.weight.data[...], layer.bias.data[...] = w, b
        self.loss = bg.losses.cross_entropy
        self.optimizer = bg.optim.SGD(self.model.parameters(), LEARNING_RATE)

    def step(self):
        loss = self.loss(self.model(self.x), self.targets)
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
        return loss.item()


class Compiled(BabygradNN):
    """The same step, compiled."""

    optimizer_of = "SGD"

    def __init__(self, start):
        super().__init__(start)
        bg = load_package(REFERENCE, "babygrad_bench")
        self.optimizer = getattr(bg.optim, self.optimizer_of)(self.model.parameters(), LEARNING_RATE)

        def step(x, targets):
            loss = self.loss(self.model(x), targets)
            self.optimizer.zero_grad()
            loss.backward()
            self.optimizer.step()
            return loss

        self.run = bg.compile(step)

    def step(self):
        return self.run(self.x, self.targets).item()


class CompiledAdam(Compiled):
    """The same with Adam."""

    optimizer_of = "Adam"


class Torch:
    """PyTorch as its tutorials use it: nn.Sequential and optim.SGD."""

    def __init__(self, start):
        import torch

        torch.set_num_threads(1)
        self.model = torch_mlp(zip(start.weights, start.biases), start.nonlin)
        self.optimizer = torch.optim.SGD(self.model.parameters(), LEARNING_RATE)
        self.loss = torch.nn.CrossEntropyLoss()
        self.x, self.targets = torch.tensor(start.x), torch.tensor(start.targets)

    def step(self):
        self.optimizer.zero_grad()
        loss = self.loss(self.model(self.x), self.targets)
        loss.backward()
        self.optimizer.step()
        return loss.item()


def torch_mlp(pairs, nonlin):
    """PyTorch's MLP in float64 with copies of these weights (in, out) and biases (out,)."""
    import torch

    layers = []
    for w, b in pairs:
        layer = torch.nn.Linear(*w.shape, dtype=torch.float64)
        layer.weight.data, layer.bias.data = torch.tensor(w.T.copy()), torch.tensor(b)
        layers += [layer, torch.nn.Tanh() if nonlin == "tanh" else torch.nn.ReLU()]
    return torch.nn.Sequential(*layers[:-1])


class TorchCompiled(Torch):
    """The same with torch.compile, where there is a C++ compiler."""

    def __init__(self, start):
        if not any(map(shutil.which, ("c++", "g++", "clang++"))):
            raise ModuleNotFoundError("torch.compile needs a C++ compiler")
        super().__init__(start)
        import torch

        self.loss_of = torch.compile(lambda: self.loss(self.model(self.x), self.targets))

    def step(self):
        self.optimizer.zero_grad()
        loss = self.loss_of()
        loss.backward()
        self.optimizer.step()
        return loss.item()


class TorchByHand:
    """PyTorch's tensors without its nn and optim."""

    def __init__(self, start):
        import torch

        torch.set_num_threads(1)
        self.torch, self.nonlin = torch, start.nonlin
        pairs = zip(start.weights, start.biases)
        self.layers = [tuple(torch.tensor(p, requires_grad=True) for p in pair) for pair in pairs]
        self.x, self.targets = torch.tensor(start.x), torch.tensor(start.targets)

    def step(self):
        h = self.x
        for w, b in self.layers[:-1]:
            h = self.torch.addmm(b, h, w)
            h = h.tanh() if self.nonlin == "tanh" else h.relu()
        w, b = self.layers[-1]
        loss = self.torch.nn.functional.cross_entropy(self.torch.addmm(b, h, w), self.targets)
        loss.backward()
        with self.torch.no_grad():
            for layer in self.layers:
                for p in layer:
                    p -= LEARNING_RATE * p.grad
                    p.grad = None
        return loss.item()


class HipsAutograd:
    """HIPS autograd: the same functions on NumPy's own names."""

    def __init__(self, start):
        import autograd
        import autograd.numpy as anp

        rows = np.arange(len(start.x))

        def loss(layers):
            h = start.x
            for w, b in layers[:-1]:
                h = anp.dot(h, w) + b
                h = anp.tanh(h) if start.nonlin == "tanh" else anp.maximum(h, 0)
            scores = anp.dot(h, layers[-1][0]) + layers[-1][1]
            shifted = scores - anp.max(scores, axis=1, keepdims=True)
            return anp.mean(anp.log(anp.sum(anp.exp(shifted), axis=1)) - shifted[rows, start.targets])

        self.layers = [(w.copy(), b.copy()) for w, b in zip(start.weights, start.biases)]
        self.value_and_grad = autograd.value_and_grad(loss)

    def step(self):
        loss, grads = self.value_and_grad(self.layers)
        for layer, layer_grads in zip(self.layers, grads):
            for p, g in zip(layer, layer_grads):
                p -= LEARNING_RATE * g
        return float(loss)


class Jax:
    """jax.jit of the whole step, on the CPU: what fusing loops makes of it."""

    def __init__(self, start):
        one_thread = "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1"
        os.environ.setdefault("XLA_FLAGS", one_thread)  # read when jax is imported first
        os.environ.setdefault("JAX_PLATFORMS", "cpu")
        import jax
        import jax.numpy as jnp

        jax.config.update("jax_enable_x64", True)
        nonlin = jnp.tanh if start.nonlin == "tanh" else jax.nn.relu

        def loss(layers, x, targets):
            for w, b in layers[:-1]:
                x = nonlin(x @ w + b)
            logs = jax.nn.log_softmax(x @ layers[-1][0] + layers[-1][1])
            return -jnp.take_along_axis(logs, targets[:, None], 1).mean()

        def step(layers, x, targets):
            value, grads = jax.value_and_grad(loss)(layers, x, targets)
            return value, jax.tree.map(lambda p, g: p - LEARNING_RATE * g, layers, grads)

        self.layers = [(jnp.array(w), jnp.array(b)) for w, b in zip(start.weights, start.biases)]
        self.x, self.targets = jnp.array(start.x), jnp.array(start.targets)
        self.run = jax.jit(step, donate_argnums=0)

    def step(self):
        loss, self.layers = self.run(self.layers, self.x, self.targets)
        return float(loss)


ENGINES = {
    "by hand in NumPy (the limit)": Limit,
    "babygrad": Babygrad,
    "babygrad, x @ W + b in two": Unfused,
    "babygrad, nn and optim": BabygradNN,
    "babygrad, nn and optim, compiled": Compiled,
    "PyTorch, nn and optim": Torch,
    "PyTorch, nn and optim, torch.compile": TorchCompiled,
    "PyTorch, tensors by hand": TorchByHand,
    "HIPS autograd": HipsAutograd,
    "jax.jit": Jax,
    "Adam by hand in NumPy": AdamByHand,
    "babygrad, nn and Adam, compiled": CompiledAdam,
}
LIMIT, OURS, _, WITH_NN, COMPILED, TORCH, TORCH_COMPILED, _, HIPS, JAX, ADAM, COMPILED_ADAM = ENGINES


def main():
    """Print the table.  Returns True if every promise is kept."""
    with threadpool_limits(1):
        kept = [table(step) for step in STEPS]
        kept.append(compiling(STEPS[0]))
        kept.append(memory(STEPS[-1]))
    return all(kept)


def table(step):
    """Measure one step on all engines, and print it.  Returns whether the promises are kept."""
    engines = {name: made(engine, step) for name, engine in ENGINES.items()}
    missing = [name for name, engine in engines.items() if engine is None]
    engines = {name: engine for name, engine in engines.items() if engine}
    losses = {name: [engine.step() for _ in range(3)] for name, engine in engines.items()}
    for name, found in losses.items():
        wanted = losses[ADAM if name in (ADAM, COMPILED_ADAM) else LIMIT]
        assert np.allclose(found, wanted, rtol=1e-9), f"{name} trains to other numbers: {found}"
    rounds = {name: [] for name in engines}
    for _ in range(ROUNDS):
        for name, engine in engines.items():
            rounds[name].append(seconds(engine, step.calls))
    print(f"\n{step.title:<52}{'median':>10}{'times the limit':>17}{'at most':>9}")
    ratios = {name: ratio(rounds[name], rounds[LIMIT]) for name in rounds}
    MEASURED[step.name] = {name: round(ratios[name], 2) for name in ratios}
    for name in rounds:
        most = {OURS: step.most, WITH_NN: step.most, COMPILED: step.compiled}
        most = most.get(name) if name != COMPILED_ADAM else ADAM_AT_MOST * ratios[ADAM]
        most = "" if most is None else f"{most:>9.2f}"
        print(f"{name:<52}{1e6 * statistics.median(rounds[name]):>7.0f} us{ratios[name]:>17.2f}{most}")
    for name in missing:
        print(f"{name} is not installed: python -m pip install -r requirements/bench.txt", file=sys.stderr)
    return not set(missing) - {TORCH_COMPILED} and all(promises(step, ratios))


def promises(step, ratios):
    """Each promise: is it kept?"""
    yield ratios[OURS] <= step.most
    yield ratios[WITH_NN] <= step.most
    yield ratios[COMPILED] <= step.compiled
    yield ratios[COMPILED_ADAM] <= ADAM_AT_MOST * ratios[ADAM]
    if step.name in ("T1", "T2"):
        yield ratios[OURS] < ratios[TORCH]
        yield ratios[WITH_NN] < ratios[TORCH]
    if step.name == "T1":
        yield ratios[HIPS] >= AUTOGRAD_AT_LEAST * ratios[OURS]


def compiling(step):
    """How many eager steps compiling takes: print it.  Returns whether they are few enough."""
    found = []
    for _ in range(ROUNDS):
        eager, compiled = BabygradNN(Start(step)), Compiled(Start(step))
        eager.step()
        found.append(seconds(compiled, 1) / seconds(eager, step.calls))
    steps = statistics.median(found)
    print(f"\n{'compiling ' + step.name + ', in eager steps':<62}{steps:>17.0f}{COMPILING_AT_MOST:>9}")
    return steps <= COMPILING_AT_MOST


def memory(step):
    """The peak of memory in a step, times that by hand: print it.  Returns whether it is low enough."""
    peaks = [peak(engine, step) for engine in (Limit, Compiled)]
    share = peaks[1] / peaks[0]
    print(f"{step.name + ', peak of memory, compiled, times by hand':<62}{share:>17.2f}{MEMORY_AT_MOST:>9.2f}")
    return share <= MEMORY_AT_MOST


def peak(engine, step):
    """Bytes of NumPy's arrays at the peak of a step, all that is kept from step to step included."""
    start = Start(step)
    tracemalloc.start()
    try:
        run = engine(start)
        run.step()
        tracemalloc.reset_peak()
        run.step()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def made(engine, step):
    """The engine at its start, or None if its library is not installed."""
    try:
        return engine(Start(step))
    except ModuleNotFoundError:
        return None


def seconds(engine, calls):
    """Seconds for one step, over so many calls."""
    begin = time.perf_counter()
    for _ in range(calls):
        engine.step()
    return (time.perf_counter() - begin) / calls


def ratio(times, limits):
    """The median over the rounds: what else the machine does in a round slows both."""
    return statistics.median(mine / limit for mine, limit in zip(times, limits))


if __name__ == "__main__":
    raise SystemExit(not main())
