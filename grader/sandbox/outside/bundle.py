"""Copies what may lie beside a stranger's code: the questions, and what asks them.

No hint, comparison, misconception or expected number is anywhere near.
"""

import shutil
from pathlib import Path

from ...course.paths import EXERCISES, ROOT, TOOLBOX

ROOMS = ("course", "asking", "probes", "sandbox/inside")  # of the grader, whole
PACKAGES = ("__init__.py", "sandbox/__init__.py")
OF_THE_TOOLBOX = ("__init__.py", "graphs/*.py")


def make(folder, questions=True):
    """Write the bundle into folder, which must not exist.  Returns the folder.

    questions: False leaves the questions out, which is quicker, to try the walls.
    """
    folder, grader = Path(folder), ROOT / "grader"
    files = [grader / name for name in PACKAGES]
    files += [path for room in ROOMS for path in (grader / room).glob("*.py")]
    files += [path for pattern in OF_THE_TOOLBOX for path in TOOLBOX.glob(pattern)]
    files += EXERCISES.glob("nb*/questions.py") if questions else []
    for path in files:
        target = folder / path.relative_to(ROOT)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, target)
    for path in [folder, *folder.rglob("*")]:
        path.chmod(0o755 if path.is_dir() else 0o644)
    return folder
