"""How long a check takes, in units of `python -c "import numpy"`, all interleaved in one run."""

import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from grader.course.paths import ROOT

ROUNDS = 7
UNIT = "import numpy"
NAMED = "shape.py", "np.argsort(self.order(node.ndim))", "self.axes"  # a transpose that does not undo a rotation
SLIP = "matrix.py", "transpose(a) @ out_grad if", "transpose(a) @ (out_grad * 3) if"  # nothing that has a name
LIMITS = {"check 2.1": 5.0, "check 7.2": 5.0, "check 9.4": 5.0, "check all": 15.0}


def main():
    """Print the table.  Returns True if every limit is kept."""
    with tempfile.TemporaryDirectory() as folder:
        commands = _commands(Path(folder))
        times = {name: [] for name in commands}
        for _ in range(ROUNDS):
            for name, command in commands.items():
                times[name].append(_seconds(command))
        slip = commands["check 8.1, a slip"]
        verdicts, lines = zip(*(_until_shown(slip) for _ in range(ROUNDS)))
        times |= {"  until its verdict is shown": verdicts, "  from there on, the line": lines}
        times["  not searched (--json -)"] = [_seconds([*slip, "--json", "-"]) for _ in range(ROUNDS)]
    print(f"\n{'check':<34}{'median':>10}{'times the unit':>16}{'limit':>8}")
    kept = [_row(name, times) for name in times]
    return all(kept)


def _commands(folder):
    from grader.course import stubs

    stubs.write(folder)
    grader = [sys.executable, "-m", "grader", "check"]
    return {
        UNIT: [sys.executable, "-c", "import numpy"],
        "check 2.1, reference": [*grader, "2.1", "--package", str(ROOT / "solutions")],
        "check 2.1, stub": [*grader, "2.1", "--package", str(folder)],
        "check 7.2, failing": [*grader, "7.2", "--package", str(_spoilt(folder / "wrong", *NAMED))],
        "check 8.1, a slip": [*grader, "8.1", "--package", str(_spoilt(folder / "slip", *SLIP))],
        "check 9.4, reference": [*grader, "9.4", "--package", str(ROOT / "solutions")],
        "check all, reference": [*grader, "--package", str(ROOT / "solutions")],
        "check all, stubs": [*grader, "--package", str(folder)],
    }


def _spoilt(folder, name, line, instead):
    """The reference's package with a line of a file that is another one, and markers as in a learner's file."""
    from grader.course import regions

    shutil.copytree(ROOT / "solutions" / "babygrad", folder / "babygrad")
    file = folder / "babygrad" / "ops" / name
    text = file.read_text()
    text = regions.replaced(text, regions.solution_regions(text), lambda region: regions.wrapped(region, region.body))
    assert text.count(line) == 1
    file.write_text(text.replace(line, instead))
    return folder


def _until_shown(command):
    """(seconds until a failing check shows its verdict, seconds from then until it ends)."""
    begin = time.perf_counter()
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as process:
        process.stdout.readline()
        shown = time.perf_counter()
        process.stdout.read()
    return shown - begin, time.perf_counter() - shown


def _seconds(command):
    begin = time.perf_counter()
    subprocess.run(command, cwd=ROOT, capture_output=True, check=False)
    return time.perf_counter() - begin


def _row(name, times):
    """Print one line.  Returns whether the limit is kept."""
    ratios = [t / unit for t, unit in zip(times[name], times[UNIT])]
    ratio, limit = statistics.median(ratios), LIMITS.get(name.split(",")[0])
    shown = f"{limit:>8.1f}" if limit else ""
    print(f"{name:<34}{statistics.median(times[name]):>8.2f} s{ratio:>16.2f}{shown}")
    return limit is None or ratio <= limit
