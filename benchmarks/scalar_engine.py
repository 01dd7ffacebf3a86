"""The scalar engine against micrograd: one step of training on two moons, in turn, in one run.

micrograd is installed by requirements/bench.txt. Both make the same network with the same weights
and walk the same 100 points. Each runs in a process of its own: what one leaves for Python's cycle
collector must not slow the other down.
"""

import gc
import json
import random
import statistics
import subprocess
import sys
import time

from grader.course.packages import load_package
from grader.course.paths import REFERENCE, ROOT

ROUNDS = 5
STEPS = 5  # in each process
LIMIT = 5.0
SIZES = [16, 16, 1]


def main():
    """Print the table.  Returns True if the limit is kept."""
    rounds = {"babygrad": [], "micrograd": []}
    for _ in range(ROUNDS):
        for name, measured in rounds.items():
            measured.append(_in_a_process(name))
            if measured[-1] is None:
                print("\nmicrograd is not installed: python -m pip install -r requirements/bench.txt", file=sys.stderr)
                return False
    assert len({round(loss, 9) for measured in rounds.values() for loss, _ in measured}) == 1, rounds
    return _table({name: [seconds for _, seconds in measured] for name, measured in rounds.items()})


def _table(times):
    ratio = statistics.median(m / b for m, b in zip(times["micrograd"], times["babygrad"], strict=True))
    print(f"\n{'two moons, 100 points, 2-16-16-1 relu':<44}{'median':>10}")
    for name, seconds in times.items():
        print(f"{name:<44}{statistics.median(seconds):>8.3f} s")
    print(f"{'micrograd takes':<44}{ratio:>5.1f} times as long (promised: at least {LIMIT:g})")
    return ratio >= LIMIT


def _in_a_process(name):
    """(loss, seconds of processor time for a step) of one engine, or None if it is not installed."""
    command = [sys.executable, "-m", "benchmarks.scalar_engine", name]
    run = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, text=True, check=False)
    return json.loads(run.stdout) if run.returncode == 0 else None


def measure(name):
    """Print what _in_a_process reads."""
    step = {"babygrad": _babygrad_step, "micrograd": _micrograd_step}[name]()
    loss = step()
    gc.freeze()  # what the libraries hold is not the engine's: the collector skips it from now on
    begin = time.process_time()
    for _ in range(STEPS):
        step()
    print(json.dumps([loss, (time.process_time() - begin) / STEPS]))


def _moons():
    package = load_package(REFERENCE, "babygrad_bench")
    points, labels = package.make_moons(100, noise=0.1, seed=1)
    return package, points.tolist(), [2 * int(label) - 1 for label in labels]


def _set_weights(model):
    rng = random.Random(0)
    parameters = model.parameters()
    for parameter in parameters:
        parameter.data = rng.uniform(-1, 1)
    return parameters


def _babygrad_step():
    package, points, labels = _moons()
    model = package.MLP(2, SIZES, nonlin="relu", last="linear")
    return _step(model, points, labels)


def _micrograd_step():
    from micrograd.engine import Value
    from micrograd.nn import MLP

    _, points, labels = _moons()
    model = MLP(2, SIZES)
    return _step(model, [[Value(x), Value(y)] for x, y in points], labels)


def _step(model, points, labels):
    """One step, written as micrograd's own example writes it: hinge loss, L2, backward, update."""
    parameters = _set_weights(model)

    def step():
        scores = [model(point) for point in points]
        hinge = sum((1 + -label * score).relu() for label, score in zip(labels, scores, strict=True)) * 0.01
        loss = hinge + 1e-4 * sum(p * p for p in parameters)
        model.zero_grad()
        loss.backward()
        for p in parameters:
            p.data -= 0.0 * p.grad  # the work of an update, without making the next step another one
        return loss.data

    return step


if __name__ == "__main__":
    measure(sys.argv[1])
