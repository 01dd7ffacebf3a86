"""babygrad beside PyTorch, as notebook 13 shows them: nets of three sizes, and the same training run with both.

python -m benchmarks.versus_pytorch --record writes toolbox/recorded/versus_pytorch.json, which the notebook reads
where PyTorch is not installed, for the large net, and with the reference for all times. What the cells with PyTorch
print is taken from the executed notebook: after a change of these cells build that, then --printed, then build it
again.

Each engine works on each net in a process of its own, in float64 and on one thread.
"""

import json
import os
import re
import statistics
import subprocess
import sys
import time
from dataclasses import dataclass
from functools import cache
from importlib.metadata import version
from pathlib import Path

import numpy as np

from grader.course.paths import NOTEBOOK_SOURCES, REFERENCE, ROOT, TOOLBOX
from toolbox import recorded

from . import machine

RECORDED = TOOLBOX / "recorded" / "versus_pytorch.json"
NOTEBOOK = NOTEBOOK_SOURCES / "13_versus_pytorch.ipynb"
ENGINES = ("babygrad", "PyTorch")
RUNS = 5  # processes for each engine and net
EPOCHS, EVERY = 200, 10  # of the training run; every how many of them a loss is written down


@dataclass(frozen=True)
class Net:
    """A net and an epoch: steps batches of `batch` rows.  warm_up, epochs: before the clock starts, and after."""

    name: str
    dims: tuple
    activation: str
    batch: int
    steps: int
    warm_up: int
    epochs: int


NETS = (
    Net("tiny", (1, 1, 1, 2), "tanh", 1, 16, 5, 40),  # the same operations as the small net, with hardly any numbers
    Net("small", (2, 32, 32, 2), "tanh", 64, 16, 5, 40),
    Net("large", (784, 1024, 1024, 10), "relu", 512, 4, 1, 3),
)


# ------------------------------------------------------------------ in a process of its own


def work(engine, name):
    """Train one engine on one net. Returns a dict of numbers: milliseconds for an epoch, MiB of the process."""
    from threadpoolctl import threadpool_limits

    net = next(net for net in NETS if net.name == name)
    rng = np.random.default_rng(0)
    batches = [(rng.normal(size=(net.batch, net.dims[0])), rng.integers(net.dims[-1], size=net.batch))] * net.steps
    with threadpool_limits(limits=1):
        epoch = {"babygrad": epochs_of_babygrad, "PyTorch": epochs_of_pytorch}[engine](net, batches)
        before = peak_mebibytes()
        for _ in range(net.warm_up):
            epoch()
        times = [seconds(epoch) for _ in range(net.epochs)]
    after = peak_mebibytes()
    return {"ms": statistics.median(times) * 1000, "process": after, "grown": after - before}


def seconds(function):
    started = time.perf_counter()
    function()
    return time.perf_counter() - started


def peak_mebibytes():
    """The most memory that this process ever had, in MiB; 0 where the system does not tell."""
    status = Path("/proc/self/status")
    if status.exists():  # Linux; what getrusage gives there includes the process that started this one
        (line,) = (line for line in status.read_text().splitlines() if line.startswith("VmHWM"))
        return int(line.split()[1]) / 1024
    try:
        import resource
    except ImportError:  # Windows
        return 0.0
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (1 << 20 if sys.platform == "darwin" else 1 << 10)


def epochs_of_babygrad(net, batches):
    """A function that trains for one epoch."""
    import babygrad as bg

    model = bg.nn.MLP(net.dims, net.activation, rng=np.random.default_rng(0))
    optimizer = bg.optim.SGD(model.parameters(), lr=0.01)
    Tensor = bg.Tensor

    def epoch():
        for x, y in batches:
            loss = bg.losses.cross_entropy(model(Tensor(x, requires_grad=False)), y)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()

    return epoch


def epochs_of_pytorch(net, batches):
    """A function that trains for one epoch."""
    import torch

    from toolbox.torch_bridge import TorchMLP

    torch.set_num_threads(1)
    model = TorchMLP(net.dims, net.activation)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    cross_entropy = torch.nn.functional.cross_entropy

    def epoch():
        for x, y in batches:
            loss = cross_entropy(model(torch.from_numpy(x)), torch.from_numpy(y))
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()

    return epoch


# ------------------------------------------------------------------ asking the processes


@cache
def has_torch():
    try:
        import torch  # noqa: F401
    except (ImportError, OSError):  # OSError: on Windows, from one that is broken
        return False
    return True


def engines():
    return ENGINES if has_torch() else ENGINES[:1]


def measured(package_dir=REFERENCE):
    """{net: {engine: {"ms": of an epoch, "grown": MiB, "process": MiB}}}, with the babygrad in package_dir."""
    asked = [(net.name, engine) for net in NETS for engine in engines()]
    found = {pair: [] for pair in asked}
    for _ in range(RUNS):  # one after the other, so that a busy moment hits all of them
        for name, engine in asked:
            found[name, engine].append(in_a_process(package_dir, engine, name))
    return {net.name: {e: least(found[net.name, e]) for e in engines()} for net in NETS}


def least(runs):
    """Of each number the smallest: what other programs do to a run only adds to it."""
    return {key: round(min(run[key] for run in runs), 2) for key in runs[0]}


def in_a_process(package_dir, *words):
    """What `python -m benchmarks.versus_pytorch words` prints, with the babygrad in package_dir."""
    path = os.pathsep.join([str(Path(package_dir).resolve()), str(ROOT)])
    command = [sys.executable, "-P", "-m", "benchmarks.versus_pytorch", *words]
    environment = os.environ | {"PYTHONPATH": path, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    return json.loads(done.stdout.splitlines()[-1])


# ------------------------------------------------------------------ the same run with both


def training_runs():
    """Two moons, 200 epochs with each engine from the same weights: losses, accuracies, the first gradients."""
    import torch

    import babygrad as bg
    from toolbox import make_moons
    from toolbox.torch_bridge import TorchMLP, compare_gradients, copy_weights_to_torch

    x, y = make_moons(1000, noise=0.2, seed=0)
    fresh_x, fresh_y = make_moons(4000, noise=0.2, seed=1)
    model = bg.nn.MLP([2, 32, 32, 2], "tanh", rng=np.random.default_rng(0))
    twin = copy_weights_to_torch(model, TorchMLP([2, 32, 32, 2], "tanh"))
    apart = compare_gradients(model, x[:64], y[:64])
    losses = {"babygrad": trained(bg, model, x, y), "PyTorch": trained_in_pytorch(bg, twin, x, y)}
    scores = {"babygrad": model(bg.Tensor(fresh_x)).data, "PyTorch": twin(torch.from_numpy(fresh_x)).detach().numpy()}
    return {
        "DIFFERENCES": {name: float(f"{difference:.1e}") for name, difference in apart.items()},
        "LOSSES": {name: [round(loss, 4) for loss in (each[0], *each[EVERY - 1 :: EVERY])]
                   for name, each in losses.items()},
        "LOSS_DIFFERENCE": float(f"{np.max(np.abs(np.subtract(*losses.values()))):.0e}"),
        "ACCURACY": {name: round(bg.training.accuracy(each, fresh_y), 4) for name, each in scores.items()},
    }  # fmt: skip


def trained(bg, model, x, y):
    """The mean loss of each epoch."""
    loader, optimizer = bg.DataLoader(x, y, 64, seed=0), bg.optim.SGD(model.parameters(), lr=0.05)
    return [bg.training.train_epoch(model, bg.losses.cross_entropy, optimizer, loader) for _ in range(EPOCHS)]


def trained_in_pytorch(bg, model, x, y):
    """The same, with the same batches, in PyTorch."""
    import torch

    loader, optimizer = bg.DataLoader(x, y, 64, seed=0), torch.optim.SGD(model.parameters(), lr=0.05)
    means = []
    for _ in range(EPOCHS):
        total = 0.0
        for points, labels in loader:
            loss = torch.nn.functional.cross_entropy(model(torch.from_numpy(points)), torch.from_numpy(labels))
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            total += loss.item() * len(points)
        means.append(total / len(x))
    return means


# ------------------------------------------------------------------ what is written down


def printed_in_the_notebook(path=NOTEBOOK):
    """{name of a function marked with @with_torch: what its cell printed}, from the executed notebook."""
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"] if path.exists() else []
    found = {}
    for cell in cells:
        for name in re.findall(r"^@with_torch\ndef (\w+)", "".join(cell["source"]), re.MULTILINE):
            found[name] = "".join("".join(output.get("text", "")) for output in cell["outputs"])
    return found


def record():
    """Measure everything, and write the file."""
    write({
        "MACHINE": f"{machine.line()}, PyTorch {version_of_torch()}; float64, one thread",
        "TIMES": measured(),
        "EPOCHS": [1, *range(EVERY, EPOCHS + 1, EVERY)],
        **in_a_process(REFERENCE, "runs"),
        "PRINTED": printed_in_the_notebook(),
    })  # fmt: skip


def record_what_is_printed():
    """The same file with what the notebook prints now; nothing is measured."""
    write(recorded.read("versus_pytorch") | {"PRINTED": printed_in_the_notebook()})


def write(found):
    RECORDED.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")


def version_of_torch():
    return version("torch").split("+")[0]


def table(times):
    """Lines for what `measured` returns."""
    yield f"{'':46}{'':10}{'an epoch':>12}{'a step':>12}{'memory in training':>20}"
    for net in NETS:
        title = f"{net.name}, {'-'.join(map(str, net.dims))}, {net.steps} batches of {net.batch}"
        for engine, found in times[net.name].items():
            cells = f"{found['ms']:>9.1f} ms{found['ms'] / net.steps:>9.3g} ms{found['grown']:>16.1f} MiB"
            yield f"{title if engine == ENGINES[0] else '':46}{engine:10}{cells}"


def main():
    """python -m benchmarks versus: print the table. True, since there is no bound on it."""
    print("\n".join(table(measured())))
    return True


COMMANDS = {(): main, ("--record",): record, ("--printed",): record_what_is_printed}
ASKED = {("runs",): training_runs}

if __name__ == "__main__":
    words = tuple(sys.argv[1:])
    if words in COMMANDS:
        COMMANDS[words]()
    else:
        print(json.dumps(ASKED[words]() if words in ASKED else work(*words)))
