"""A look at the gradients while a net trains, layer by layer (notebook 12)."""

import numpy as np

from babygrad.nn import Linear

BINS = np.arange(-12, 3)  # of the histogram: powers of ten


def gradient_statistics(gradient):
    """What a gradient looks like: {"norm", "mean", "std"}, floats.

    gradient: an array.  norm: the root of the sum of squares.  std: the standard deviation.
    """
    return {
        "norm": float(np.linalg.norm(gradient)),
        "mean": float(gradient.mean()),
        "std": float(gradient.std()),
    }


def update_ratio(before, after):
    """The size of a step relative to what it changed: 0.1 if a parameter of length 5 moved by 0.5.

    before, after: arrays of one shape.  inf if before is all 0 and after is not, 0.0 if nothing changed.
    A net usually learns well when it is near 0.001.
    """
    if not before.any():
        return float("inf") if after.any() else 0.0
    return float(np.linalg.norm(after - before) / np.linalg.norm(before))


def dead_units(dweight, dbias):
    """The share of a linear layer's units that get no gradient at all, from 0.0 to 1.0.

    dweight: (in_features, out_features).  dbias: (out_features,).  A unit is dead for this batch if no gradient reaches
    any of the numbers that belong to it.
    """
    return float(((dweight == 0).all(axis=0) & (dbias == 0)).mean())


class GradientMonitor:
    """Records, step by step, how large each parameter's gradient and its update are.

    model: a Module.  Call `record()` after each optimizer.step(), before the gradients are forgotten.
    .history: {parameter's name: {"norm": [...], "mean": [...], "std": [...], "update_ratio": [...],
        "histogram": [...]}}, one entry for each step. A histogram counts |gradient| by powers of ten: how many lie
        between 10**BINS[i] and 10**BINS[i + 1]; smaller ones, 0 too, count as the first, larger ones as the last.
    .dead: {name of a linear layer: [share of its units that are dead]}.
    .total_norm: [the norm of all gradients together].
    A parameter without a gradient in a step has nan there.
    """

    def __init__(self, model):
        self.model = model
        self.before = self.weights()
        self.history = {name: {what: [] for what in MEASURES} for name in self.before}
        self.linears = dict(named_linears(model))
        self.dead = {name: [] for name in self.linears}
        self.total_norm = []

    def weights(self):
        """Copies of all parameters' numbers, by name."""
        return self.model.state_dict()

    def record(self):
        """Write down this step."""
        after = self.weights()
        for name, parameter in self.model.named_parameters():
            measured = measures(parameter.grad, self.before[name], after[name])
            for what, value in measured.items():
                self.history[name][what].append(value)
        for name, layer in self.linears.items():
            self.dead[name].append(share_of_dead(layer))
        norms = [p.grad for p in self.model.parameters() if p.grad is not None]
        self.total_norm.append(float(np.sqrt(sum((g * g).sum() for g in norms))))
        self.before = after

    def summary(self):
        """A text: for each parameter the means over the steps so far."""
        lines = [f"{'parameter':<20}{'norm':>10}{'mean':>12}{'std':>10}{'update':>10}"]
        for name, seen in self.history.items():
            norm, mean, std, ratio = (np.mean(seen[what]) if seen[what] else np.nan for what in MEASURES[:4])
            lines.append(f"{name:<20}{norm:>10.2g}{mean:>12.1e}{std:>10.2g}{ratio:>10.1e}")
        for name, shares in self.dead.items():
            lines.append(f"{name}: {100 * np.mean(shares) if shares else 0:.0f} % of the units get no gradient")
        return "\n".join(lines)


MEASURES = ("norm", "mean", "std", "update_ratio", "histogram")


def measures(gradient, before, after):
    """What is recorded about one parameter in one step, in the order of MEASURES."""
    if gradient is None:
        return {**dict.fromkeys(MEASURES[:4], float("nan")), "histogram": np.zeros(len(BINS) - 1, int)}
    ratio = update_ratio(before, after)
    return {**gradient_statistics(gradient), "update_ratio": ratio, "histogram": histogram(gradient)}


def histogram(gradient):
    """How many numbers of the gradient there are of each size, by powers of ten."""
    sizes = np.clip(np.abs(gradient), 10.0 ** BINS[0], 0.99 * 10.0 ** BINS[-1])
    return np.histogram(np.log10(sizes), BINS)[0]


def named_linears(model):
    """Pairs (name, Linear) of all linear layers in the model, named as their parameters are."""
    names = {id(parameter): name.removesuffix(".weight") for name, parameter in model.named_parameters()}
    return [(names[id(m.weight)], m) for m in model.modules() if isinstance(m, Linear)]


def share_of_dead(layer):
    """dead_units of a linear layer; nan where there is no gradient. A layer without a bias is judged by its weight."""
    if layer.weight.grad is None:
        return float("nan")
    dbias = None if layer.bias is None else layer.bias.grad
    return dead_units(layer.weight.grad, np.zeros(layer.weight.shape[1]) if dbias is None else dbias)
