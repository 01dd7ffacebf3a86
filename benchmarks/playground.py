"""The playground: how many pictures a second each engine computes, steps and drawing and all, and how large they are.

A page shows at most one each PACE seconds (viz/play/controls.py); what is left over is the kernel's.
"""

import time

from toolbox import playground
from toolbox.play import picture

SECONDS = 4
LEAST = {"tensor": 10.0, "scalar": 2.0}  # pictures a second, as promised


def main():
    """Print the table.  Returns True if the promises are kept."""
    print(f"\n{'playground, moons':<34}{'pictures a second':>18}{'promised':>10}{'bytes of each':>15}")
    kept = []
    for engine, least in LEAST.items():
        rate, size, name = measured(playground(engine).training, picture)
        print(f"{name:<34}{rate:>18.1f}{least:>10g}{size:>15,}")
        kept.append(rate >= least)
    return all(kept)


def measured(training, picture, seconds=SECONDS):
    """(pictures a second, the bytes of the last one, a name) of a training."""
    settings, pictures, begun = training.settings, 0, time.perf_counter()
    while time.perf_counter() < begun + seconds:
        training.advance(settings.steps)
        sent = picture.sides_layer(training, training.facts()) + picture.loss_curve(training)
        pictures += 1
    net = f"{settings.depth} x {settings.width}, {settings.steps} steps of {settings.batch}"
    rate = pictures / (time.perf_counter() - begun)
    return rate, len(sent.encode()), f"{training.engine.title.removeprefix('A network of ')} {net}"


if __name__ == "__main__":
    raise SystemExit(0 if main() else 1)
