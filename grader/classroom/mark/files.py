"""The files that marking writes. Those of one change are written all or not at all, whatever stops the program.

The whole change goes to the disk first (marks-pending.json); then each file is replaced, and the log gets its lines.
Whoever comes next finishes what was begun. A file that somebody edited in between is left as it is.
"""

import contextlib
import hashlib
import json
import os

from ...course.atomic import alone, sync_folder, write_atomically
from ...course.usage import UsageError
from ..marks import line_comments, log, marks, rubric
from ..marks.by_hand import COMMENTS, LOG, RUBRIC, beside

COLUMNS = {
    "marks": (*marks.COLUMNS, *marks.OPTIONAL), "rubric": rubric.COLUMNS, "comments": line_comments.COLUMNS
}  # fmt: skip


class Files:
    """marks: the path of marks.csv; the others lie beside it."""

    def __init__(self, marks):
        self.paths = {"marks": marks, "rubric": beside(marks, RUBRIC), "comments": beside(marks, COMMENTS)}
        self.log = beside(marks, LOG)
        self._pending, self._lock = beside(marks, "-pending.json"), beside(marks, "-lock")

    @contextlib.contextmanager
    def alone(self):
        """Nobody else writes while the block runs.  Raises UsageError where the disk does not take it."""
        try:
            with alone(self._lock):
                if self._pending.exists():
                    self._carry_out(json.loads(self._pending.read_text(encoding="utf-8")))
                yield
        except (OSError, ValueError) as error:
            why = getattr(error, "strerror", None) or error
            raise UsageError(f"{self.paths['marks'].parent} cannot be written into: {why}.") from None

    def content(self, name):
        """The bytes of a file; b"" if there is none."""
        try:
            return self.paths[name].read_bytes()
        except FileNotFoundError:
            return b""

    def entries(self):
        """What the log holds."""
        return log.entries(self.log)

    def version(self):
        """A text that is another one after each change, also one by an editor."""
        return " ".join(_stamp(path) for path in (*self.paths.values(), self.log))

    def commit(self, new, entries):
        """Write these, and these lines of the log.  new: {name: bytes}."""
        files = {name: [_digest(self.content(name)), content.hex()] for name, content in new.items()}
        change = {"files": files, "log": "".join(map(log.line, entries))}
        write_atomically(self._pending, json.dumps(change), durable=True)
        self._carry_out(change)

    def _carry_out(self, change):
        for name, (before, content) in change["files"].items():
            if _digest(self.content(name)) == before:
                write_atomically(self.paths[name], bytes.fromhex(content), durable=True)
        self._log(change["log"].encode())
        sync_folder(self.log.parent)
        self._pending.unlink()

    def _log(self, lines):
        with self.log.open("a+b") as file:
            file.seek(max(0, file.seek(0, os.SEEK_END) - len(lines) - 1))
            end = file.read()
            if end.endswith(lines):
                return
            file.write((b"" if end[-1:] in (b"", b"\n") else b"\n") + lines)  # a line that was cut off ends here
            file.flush()
            os.fsync(file.fileno())


def _digest(content):
    return hashlib.sha256(content).hexdigest()


def _stamp(path):
    try:
        found = path.stat()
    except OSError:
        return "-"
    return f"{found.st_mtime_ns}.{found.st_size}.{found.st_ino}"
