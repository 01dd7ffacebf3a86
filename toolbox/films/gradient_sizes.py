"""How large each layer's gradient is while a net trains: bars on a scale of powers of ten."""

import math

from ..drawing.colours import LINES
from ..player.player import Frame, Player
from ..player.stage import Stage, side_by_side

CAPTION = (
    "Compare the first and the last layer at the beginning. In the end, compare how high the bars are in the nets. "
    "Each line is ten times as much as the one below."
)


def gradients_move(monitors, every=2):
    """A Player of the norm of each linear layer's gradient after every so many steps, of several nets side by side.

    monitors: {name: a GradientMonitor that has recorded a training}, all of as many steps.
    """
    norms = {name: layer_norms(monitor) for name, monitor in monitors.items()}
    known = [norm for rows in norms.values() for row in rows for norm in row if norm > 0 and math.isfinite(norm)]
    ends = 10.0 ** math.floor(math.log10(min(known))), 10.0 ** math.ceil(math.log10(max(known)))
    stages = [drawn(name, rows, number, ends) for number, (name, rows) in enumerate(norms.items())]
    steps = range(0, min(map(len, norms.values())), every)
    frames = [Frame(told(step, norms), moved=moved_to(step, norms, stages)) for step in steps]
    title = f"How large gradients are: {' | '.join(monitors)}"
    return Player(title, frames, side_by_side(stages), caption=CAPTION, pace=0.4)


def layer_norms(monitor):
    """For each step the norms of the weights' gradients, from the first linear layer to the last."""
    return list(zip(*(monitor.history[f"{name}.weight"]["norm"] for name in monitor.linears)))


def drawn(name, rows, number, ends):
    """The Stage of one net."""
    layers = len(rows[0])
    stage = Stage(name, (0.4, layers + 0.6), ends, log="y", xlabel="layer", ylabel="norm of its gradient")
    for layer in range(layers):
        stage.bar(layer + 1, ends[0], ends[0], f"b{number}.{layer}", width=min(40, 200 / layers), colour=LINES[0])
    return stage


def moved_to(step, norms, stages):
    """How high the bars are after a step."""
    return {
        f"b{number}.{layer}": stage.size_to(10.0**stage.y.low, max(norm, 10.0**stage.y.low))
        for number, (rows, stage) in enumerate(zip(norms.values(), stages))
        for layer, norm in enumerate(rows[step])
    }


def told(step, norms):
    """Such as: Step 1. sigmoid: 3e-05, 2e-03, 0.05; sigmoid, residual: 0.04, 0.05, 0.2."""
    each = (f"{name}: {', '.join(f'{norm:.0e}' for norm in rows[step])}" for name, rows in norms.items())
    return f"Step {step + 1}, from the first layer to the last. {'; '.join(each)}."
