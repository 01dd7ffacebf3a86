"""The transformers of make train: bits per character beside models that count, tokens per second beside PyTorch.

All in float64, on one thread, with the same first weights, batches, clipping and AdamW. The sides take turns, some
steps each; a ratio is the median over the rounds: what else the machine does in a round slows all. Then each run is
trained as make train does: the cities to the end, the manual until its validation part costs less than it costs the
model that counts. What is promised is measured on text that neither of them has seen.
"""

import math
import statistics
import sys
import time
from contextlib import suppress
from dataclasses import dataclass

import numpy as np
from threadpoolctl import threadpool_limits

import babygrad
from toolbox.data import text
from toolbox.training import runs
from toolbox.training.trainer import Trainer

from .engine import ratio

ROUNDS = 9
SEED = 0
AGREE = 1e-9  # how far apart the losses of a step may be


@dataclass(frozen=True)
class Promise:
    """Of a run of make train.

    order: of the count model that it beats.  seconds: in which it does.  to_the_end: or only until it does?
    faster: how many times as fast as PyTorch its compiled steps are.  steps: in a round.
    """

    name: str
    order: int
    seconds: float
    to_the_end: bool
    faster: float
    steps: int


PROMISES = (
    Promise("cities", order=2, seconds=60, to_the_end=True, faster=1.0, steps=20),
    Promise("manual", order=3, seconds=15 * 60, to_the_end=False, faster=0.0, steps=4),
)


def run_of(promise):
    return runs.RUNS[promise.name]


def batches_of(run, count):
    """The first pairs (x, y) of a run."""
    loader, _ = run.loaders(run.split(SEED), SEED)
    return [batch for _, batch in zip(range(count), loader)]


# ------------------------------------------------------------------ tokens per second


class Babygrad:
    """A model at its start, trained with eager steps."""

    def __init__(self, run):
        self.run = run
        self.model = run.model(SEED)
        self.optimizer = run.optimizer(self.model)

    def step(self, x, y):
        """One step.  Returns the loss before it, a float."""
        return self.update(x, y).item()

    def update(self, x, y):
        loss = self.run.loss_fn(self.model(x), y)
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
        return loss


class Compiled(Babygrad):
    """The same, with compiled steps."""

    def __init__(self, run):
        super().__init__(run)
        self.compiled = babygrad.compile(self.update)

    def step(self, x, y):
        return self.compiled(x, y).item()


class Torch:
    """The same net in PyTorch, eager, with its own attention, LayerNorm and AdamW."""

    def __init__(self, run):
        import torch

        torch.set_num_threads(1)
        self.torch, self.run = torch, run
        self.model = torch_transformer(run.model(SEED))
        self.optimizer = torch.optim.AdamW(self.model.parameters(), run.lr, weight_decay=run.weight_decay)

    def step(self, x, y):
        x, y = self.torch.tensor(x), self.torch.tensor(y)
        loss = self.torch.nn.functional.cross_entropy(self.model(x).flatten(0, 1), y.flatten())
        self.optimizer.zero_grad()
        loss.backward()
        self.torch.nn.utils.clip_grad_norm_(self.model.parameters(), self.run.max_norm)
        self.optimizer.step()
        return loss.item()


def torch_transformer(model):
    """PyTorch's twin of a Transformer, with copies of its weights."""
    import torch
    from torch import nn
    from torch.nn import functional

    def embedding(ours):
        return nn.Embedding(*ours.weight.shape, dtype=torch.float64)

    def linear(ours):
        return nn.Linear(*ours.weight.shape, bias=ours.bias is not None, dtype=torch.float64)

    def norm(ours):
        return nn.LayerNorm(model.tokens.weight.shape[1], dtype=torch.float64)

    class Attention(nn.Module):
        def __init__(self, ours):
            super().__init__()
            self.query, self.key, self.value = linear(ours.query), linear(ours.key), linear(ours.value)
            self.output, self.heads = linear(ours.output), ours.num_heads

        def forward(self, x):
            batch, length, features = x.shape
            heads = [
                layer(x).view(batch, length, self.heads, -1).transpose(1, 2)
                for layer in (self.query, self.key, self.value)
            ]
            mixed = functional.scaled_dot_product_attention(*heads, is_causal=True)
            return self.output(mixed.transpose(1, 2).reshape(batch, length, features))

    class Block(nn.Module):
        def __init__(self, ours):
            super().__init__()
            self.norm1, self.attention = norm(ours.norm1), Attention(ours.attention)
            first, _, second = ours.mlp.layers
            self.norm2, self.mlp = norm(ours.norm2), nn.Sequential(linear(first), nn.ReLU(), linear(second))

        def forward(self, x):
            x = x + self.attention(self.norm1(x))
            return x + self.mlp(self.norm2(x))

    class Transformer(nn.Module):
        def __init__(self, ours):
            super().__init__()
            self.tokens, self.positions = embedding(ours.tokens), embedding(ours.positions)
            self.blocks = nn.Sequential(*map(Block, ours.blocks))
            self.norm = norm(ours.norm)

        def forward(self, tokens):
            x = self.tokens(tokens) + self.positions(torch.arange(tokens.shape[1]))
            return self.norm(self.blocks(x)) @ self.tokens.weight.T

    twin = Transformer(model)
    theirs = twin.parameters()
    for (name, ours), copy in zip(model.named_parameters(), theirs, strict=True):
        numbers = torch.tensor(ours.data)
        copy.data = numbers.T.contiguous() if numbers.ndim == 2 and not name.startswith(("tokens", "pos")) else numbers
    return twin


SIDES = {"babygrad": Babygrad, "babygrad, compiled": Compiled, "PyTorch": Torch}
OURS, COMPILED, TORCH = SIDES


def speed(promise):
    """Measure the sides in turns, and print a line for each.  Returns whether they agree, and are fast enough."""
    run = run_of(promise)
    batches = batches_of(run, promise.steps)
    sides = {name: side(run) for name, side in SIDES.items()}
    losses = {name: [side.step(*batch) for batch in batches] for name, side in sides.items()}  # a round to warm up
    rounds = {name: [] for name in sides}
    for _ in range(ROUNDS):
        for name, side in sides.items():
            begin = time.perf_counter()
            for batch in batches:
                side.step(*batch)
            rounds[name].append((time.perf_counter() - begin) / len(batches))
    for name, times in rounds.items():
        tokens = run.batch * run.context / statistics.median(times)
        print(f"  {name:<50}{tokens:>10,.0f} tokens/s{ratio(rounds[TORCH], times):>8.2f}")
    apart = max(np.abs(np.subtract(losses[name], losses[TORCH])).max() for name in sides)
    faster = ratio(rounds[TORCH], rounds[COMPILED])
    print(f"  {'losses apart by at most':<50}{apart:>10.0e}")
    if promise.faster:
        print(f"  {'PyTorch, times compiled':<50}{faster:>10.2f}   at least {promise.faster:.2f}")
    return bool(apart <= AGREE and faster >= promise.faster)


# ------------------------------------------------------------------ bits per character


def learned(promise):
    """Train, and print what a character costs.  Returns whether it costs less than it does the count model."""
    run = run_of(promise)
    counts = {order: text.best_counts(run.corpus, order) for order in (1, 2, 3)}
    seconds, epochs, model = trained(promise, run, counts[promise.order].bits(run.corpus.validation))
    rows = {f"after {epochs} of {run.epochs} epochs": text.bits_per_character(model, run.corpus.test)}
    rows |= {
        f"{name}gram model": counts[order].bits(run.corpus.test) for order, name in enumerate(("uni", "bi", "tri"), 1)
    }
    rows["all characters equally likely"] = math.log2(len(run.corpus.vocabulary))
    for name, cost in rows.items():
        print(f"  {name:<50}{cost:>10.3f} bits per character")
    print(f"  {'trained for':<50}{seconds:>10.1f} s, at most {promise.seconds} s")
    return bool(next(iter(rows.values())) < counts[promise.order].bits(run.corpus.test) and seconds <= promise.seconds)


def trained(promise, run, goal):
    """Train as make train does, until the validation part costs less than `goal` bits, or to the end.

    Returns the seconds, the epochs, and the model.
    """
    model = run.model(SEED)
    optimizer = run.optimizer(model)

    def after_epoch(trainer):
        if not promise.to_the_end and text.bits(trainer.history["val_loss"][-1]) < goal:
            raise StopIteration

    trainer = Trainer(
        model,
        run.loss_fn,
        optimizer,
        scheduler=run.scheduler(optimizer, run.epochs),
        progress=False,
        compile=True,
        after_epoch=after_epoch,
    )
    train, validation = run.loaders(run.split(SEED), SEED)
    begin = time.perf_counter()
    with suppress(StopIteration):
        trainer.fit(train, run.epochs, validation)
    return time.perf_counter() - begin, trainer.done, model


def main():
    """Print the table.  Returns True if every promise is kept."""
    kept = []
    with threadpool_limits(1):
        for promise in PROMISES:
            run = run_of(promise)
            print(f"\n{promise.name}: {run.net}, {run.batch} windows in each step. {run.corpus.note}".rstrip())
            try:
                kept += [speed(promise), learned(promise)]
            except ModuleNotFoundError as error:
                print(
                    f"{error.name} is not installed: python -m pip install -r requirements/bench.txt", file=sys.stderr
                )
                kept.append(False)
    print("The last column of the first lines: how many times as fast as PyTorch.")
    return all(kept)


if __name__ == "__main__":
    raise SystemExit(not main())
