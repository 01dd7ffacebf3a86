"""step_through: frames, kilobytes and seconds to build, for scalar graphs of 20, 40 and 200 nodes.

Each is built in a process of its own, and measured in the processor's time. The first drawing of a process also loads
the renderer; the next one finds it there.
"""

import json
import random
import statistics
import subprocess
import sys
import time

import babygrad
from grader.course.paths import ROOT
from toolbox import step_through

ROUNDS = 5
KB = 1000
# Nodes: the most seconds and the most kilobytes, where some are promised.
LIMITS = {20: (None, 150), 40: (1.0, None), 200: (None, None)}


def main():
    """Print the table.  Returns True if every limit is kept."""
    print(f"\n{'step_through of':<20}{'frames':>8}{'size':>10}{'of 60':>10}{'first':>10}{'next':>10}{'promised':>12}")
    kept = [_row(nodes, *limits) for nodes, limits in LIMITS.items()]
    return all(kept)


def _row(nodes, seconds, size):
    """Print one line.  Returns whether the limits are kept."""
    rounds = [_in_a_process(nodes) for _ in range(ROUNDS)]
    first, again = (statistics.median(r[name] for r in rounds) for name in ("first", "again"))
    frames, kilobytes, of_60 = rounds[0]["frames"], rounds[0]["bytes"] / KB, rounds[0]["bytes_of_60"] / KB
    promised = f"{seconds:g} s" if seconds else f"{size} kB" if size else ""
    print(
        f"{f'{nodes} nodes':<20}{frames:>8}{kilobytes:>7.0f} kB{of_60:>7.0f} kB"
        f"{first:>8.2f} s{again:>8.2f} s{promised:>12}"
    )
    return (not seconds or first <= seconds) and (not size or of_60 <= size)


def _in_a_process(nodes):
    command = [sys.executable, "-m", "benchmarks.players", str(nodes)]
    return json.loads(subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, check=True).stdout)


def measure(nodes):
    """Print what _in_a_process reads."""
    begin = time.process_time()
    shown = step_through(graph(nodes, seed=0))
    size = len(shown.html.encode())
    first = time.process_time() - begin
    root = graph(nodes, seed=1)
    begin = time.process_time()
    len(step_through(root).html)
    again = time.process_time() - begin
    sixty = (shown.frames * 60)[:60]
    long = type(shown)(shown.title, sixty, shown.picture, shown.lines, shown.list_title)
    measured = {"frames": len(shown), "bytes": size, "bytes_of_60": len(long.html.encode())}
    print(json.dumps(measured | {"first": first, "again": again}))


def graph(nodes, seed):
    """The root of a scalar graph of so many nodes, a third of them leaves; much is used more than once."""
    draw = random.Random(seed)
    joins = [lambda a, b: a + b, lambda a, b: a * b]
    waiting = [babygrad.Value(draw.uniform(-2, 2), label=f"x{i}") for i in range(nodes // 3)]
    made = [waiting.pop()]
    while len(made) < nodes - nodes // 3 + 1:
        step = draw.choice(joins if waiting else [*joins, tanh])
        made.append(step(made[-1], waiting.pop() if waiting else draw.choice(made[-4:])))
    return made[-1]


def tanh(a, _):
    return a.tanh()


if __name__ == "__main__":
    measure(int(sys.argv[1]))
