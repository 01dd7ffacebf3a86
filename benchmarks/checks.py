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
LIMITS = {"check 2.1": 5.0, "check 7.2": 5.0, "check 9.4": 5.0, "check all": 15.0}


def main():
    """Print the table.  Returns True if every limit is kept."""
    with tempfile.TemporaryDirectory() as folder:
        commands = _commands(Path(folder))
        times = {name: [] for name in commands}
        for _ in range(ROUNDS):
            for name, command in commands.items():
                times[name].append(_seconds(command))
    print(f"\n{'check':<34}{'median':>10}{'times the unit':>16}{'limit':>8}")
    kept = [_row(name, times) for name in commands]
    return all(kept)


def _commands(folder):
    from grader.course import stubs

    stubs.write(folder)
    grader = [sys.executable, "-m", "grader", "check"]
    return {
        UNIT: [sys.executable, "-c", "import numpy"],
        "check 2.1, reference": [*grader, "2.1", "--package", str(ROOT / "solutions")],
        "check 2.1, stub": [*grader, "2.1", "--package", str(folder)],
        "check 7.2, failing": [*grader, "7.2", "--package", str(_with_a_wrong_rule(folder / "wrong"))],
        "check 9.4, reference": [*grader, "9.4", "--package", str(ROOT / "solutions")],
        "check all, reference": [*grader, "--package", str(ROOT / "solutions")],
        "check all, stubs": [*grader, "--package", str(folder)],
    }


def _with_a_wrong_rule(folder):
    """The reference's package with a transpose that does not undo a rotation."""
    shutil.copytree(ROOT / "solutions" / "babygrad", folder / "babygrad")
    file = folder / "babygrad" / "ops" / "shape.py"
    right = file.read_text()
    wrong = right.replace("np.argsort(self.order(node.ndim))", "self.axes")
    assert wrong != right
    file.write_text(wrong)
    return folder


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
