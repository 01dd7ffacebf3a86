"""Copies of a learner's files, kept before any command writes over them."""

import shutil
from datetime import datetime

from ..course.atomic import write_atomically
from ..course.paths import MEMORY, ROOT


class Backup:
    """One folder of copies, made when the first file is kept."""

    def __init__(self):
        self.folder = None

    def keep(self, path, base):
        """Copy the file, if there is one. base: the folder that its place in the backup is relative to."""
        if not path.is_file():
            return
        self.folder = self.folder or _new_folder()
        copy = self.folder / path.relative_to(base)
        copy.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(copy, path.read_bytes(), durable=True)
        shutil.copystat(path, copy)

    def sentence(self):
        """Where the copies are; "" if nothing was kept."""
        if not self.folder:
            return ""
        folder = self.folder.relative_to(ROOT) if self.folder.is_relative_to(ROOT) else self.folder
        return f"The files as they were before are in {folder.as_posix()}."


def _new_folder():
    """A new folder named after the time; two in one second get a number."""
    stamp = datetime.now().strftime("%Y-%m-%d_%H-%M-%S")
    folder, number = MEMORY / "backups" / stamp, 1
    while folder.exists():
        number += 1
        folder = MEMORY / "backups" / f"{stamp}_{number}"
    folder.mkdir(parents=True)
    return folder
