"""Copies what may lie beside a stranger's code: the questions, and what asks them.

No hint, comparison, misconception or expected number is anywhere near.
"""

import shutil
from pathlib import Path

from ...course.paths import EXERCISES, ROOT
from ...course.rooms import ROOMS


def make(folder, questions=True):
    """Write the bundle into folder, which must not exist.  Returns the folder.

    questions: False leaves the questions out, which is quicker, to try the isolation.
    """
    folder = Path(folder)
    files = [path for room in ROOMS for path in room.files(room.beside)]
    files += EXERCISES.glob("nb*/questions.py") if questions else []
    for path in files:
        target = folder / path.relative_to(ROOT)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, target)
    for path in [folder, *folder.rglob("*")]:
        path.chmod(0o755 if path.is_dir() else 0o644)
    return folder
