"""The net of filters of make train DATA=mnist NET=conv: how well and how fast it reads; a compiled step beside NumPy.

First one convolution there and back, compiled, beside the same written by hand in NumPy; the sides take turns, and a
ratio is the median over the rounds. Then the whole run, five times with other first weights and batches: 8,000 of
MNIST's 10,000 test images to learn from, the other 2,000 to ask about. They are shuffled first, since the first half of
the files is easier. Published numbers are for 60,000 images to learn from: they are not to be compared with these.

`python -m benchmarks.reading record` trains once and writes what notebook 17 shows where the files are missing.
"""

import json
import statistics
import sys
import time

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from threadpoolctl import threadpool_limits

import babygrad
from babygrad import conv
from grader.course.paths import ROOT
from toolbox.training import mnist_filters
from toolbox.training.runs import WITH_FILTERS

from .engine import ratio
from .training_runs import mnist_folder

SEEDS = range(5)
AT_LEAST, MOST_SECONDS = 0.975, 180
ROUNDS, MOST_TIMES = 15, 1.1
LAYERS = {"28 x 28, 1 channel, 8 filters of 5 x 5": (1, 28, 8), "12 x 12, 8 channels, 16 filters": (8, 12, 16)}
BATCH, SIZE = 64, 5


def by_hand(x, weight, above):
    """A convolution and its gradients, as one writes them without an engine."""
    count, channels, size, _ = weight.shape
    cut = sliding_window_view(x, (size, size), axis=(2, 3))
    n, _, rows, columns, _, _ = cut.shape
    matrix, flat = cut.transpose(1, 4, 5, 0, 2, 3).reshape(channels * size**2, -1), weight.reshape(count, -1)
    out = (flat @ matrix).reshape(count, n, rows, columns).transpose(1, 0, 2, 3)
    back = above.transpose(1, 0, 2, 3).reshape(count, -1)
    to_weight = (back @ matrix.T).reshape(weight.shape)
    shares = (flat.T @ back).reshape(channels, size, size, n, rows, columns)
    to_x = np.zeros_like(x)
    for i in range(size):
        for j in range(size):
            to_x[:, :, i : i + rows, j : j + columns] += shares[:, i, j].transpose(1, 0, 2, 3)
    return (out * above).sum(), to_x, to_weight


def speed(name, channels, side, count):
    """Measure a layer of both sides in turns, and print a line.  Returns whether they agree and ours is fast enough."""
    rng = np.random.default_rng(0)
    x, weight = (
        babygrad.Tensor(rng.normal(size=(BATCH, channels, side, side))),
        rng.normal(size=(count, channels, 5, 5)),
    )
    weight, rows = babygrad.Tensor(weight), side - SIZE + 1
    above = rng.normal(size=(BATCH, count, rows, rows))

    def step(above):
        x.zero_grad()
        weight.zero_grad()
        out = (conv.conv2d(x, weight) * above).sum()
        out.backward()
        return out

    compiled = babygrad.compile(step)
    sides = {"ours": lambda: compiled(above), "NumPy": lambda: by_hand(x.data, weight.data, above)}
    out, *gradients = sides["NumPy"]()
    found = sides["ours"]().item(), x.grad, weight.grad
    agree = all(np.allclose(one, other) for one, other in zip(found, (out, *gradients)))
    rounds = {side: [] for side in sides}
    for _ in range(ROUNDS):
        for side, call in sides.items():
            begin = time.perf_counter()
            call()
            rounds[side].append(time.perf_counter() - begin)
    times = ratio(rounds["ours"], rounds["NumPy"])
    ours, theirs = (1000 * statistics.median(rounds[side]) for side in sides)
    print(f"  {name:<45}{ours:>8.1f} ms, NumPy {theirs:>6.1f} ms{times:>7.2f} times, at most {MOST_TIMES}")
    return agree and times <= MOST_TIMES


def reads(folder):
    """Train with each seed, and print a line for each.  Returns whether they read well enough, and soon enough."""
    run, found, slowest = WITH_FILTERS["mnist"], [], 0
    for seed in SEEDS:
        split, model = run.split(0, folder), run.model(seed)
        begin = time.perf_counter()
        *_, share = mnist_filters.shares(run, model, split, run.epochs, seed)
        seconds = time.perf_counter() - begin
        found.append(share)
        slowest = max(slowest, seconds)
        print(f"  seed {seed}: {share:.2%} of {len(split.x_val):,} read right, {seconds:.0f} s", flush=True)
    mean = statistics.mean(found)
    print(f"  mean {mean:.2%}, at least {AT_LEAST:.1%}; {slowest:.0f} s at most, allowed {MOST_SECONDS} s")
    return bool(mean >= AT_LEAST and slowest <= MOST_SECONDS)


def main():
    """Print the tables.  Returns True if every promise is kept."""
    print("\nOne convolution, and the gradients of pictures and filters, a batch of 64, on one thread:")
    with threadpool_limits(1):
        kept = [speed(name, *sizes) for name, sizes in LAYERS.items()]
    run = WITH_FILTERS["mnist"]
    print(f"\nMNIST, {mnist_filters.ABOUT}. {run.net}; {run.epochs} epochs, on one thread:")
    try:
        with threadpool_limits(1):
            kept.append(reads(mnist_folder()))
    except FileNotFoundError as missing:
        print(f"  {missing}")
    return all(kept)


def record(reading):
    """Write what reading_mnist shows where the files are not."""
    kept = {
        name: x.round(3).tolist() if isinstance(x, np.ndarray) else x
        for name, x in reading._asdict().items()
        if name != "net"
    }
    path = ROOT / "toolbox" / "recorded" / "mnist_filters.json"
    path.write_text(json.dumps(kept, separators=(",", ":")) + "\n", encoding="utf-8")


if __name__ == "__main__":
    if sys.argv[1:] == ["record"]:
        record(mnist_filters.trained(mnist_folder()))
    else:
        raise SystemExit(not main())
