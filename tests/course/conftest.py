"""The project's own tests run on the reference, whatever PYTHONPATH says: solutions/ goes first.

(Processes that they start, and kernels, inherit that. A test that means another package says so to them.)
"""

import os
import sys
from pathlib import Path

import pytest

REFERENCE = str(Path(__file__).resolve().parents[2] / "solutions")

already = sys.modules.get("babygrad")
if already and not already.__file__.startswith(REFERENCE):
    raise pytest.UsageError("tests/course runs on the reference, but another babygrad was imported before it")

inherited = [entry for entry in os.environ.get("PYTHONPATH", "").split(os.pathsep) if entry]
os.environ["PYTHONPATH"] = os.pathsep.join(dict.fromkeys([REFERENCE, *inherited]))
sys.path[:] = [REFERENCE] + [entry for entry in sys.path if entry != REFERENCE]
