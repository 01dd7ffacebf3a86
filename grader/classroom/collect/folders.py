"""The files in a folder on disk: links are never followed, and nothing but ordinary files is ever read.

Each part of a path is opened below the one before it, and never through a link, so that swapping a folder for a link
in the meantime leads nowhere. (Where the system cannot do that, each part is looked at just before.)
"""

import errno
import os
import stat
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path

from .limits import MAX_DEPTH, MAX_ENTRIES, NEVER, WHY, Entry, Malformed, Unread

BELOW = os.open in os.supports_dir_fd and os.scandir in os.supports_fd  # not on Windows
ANY = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)
FILE = ANY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOCTTY", 0)  # opening a pipe must not block
FOLDER = ANY | getattr(os, "O_DIRECTORY", 0)


class FolderTree:
    """The files below a folder, or only those of these names that lie directly in it.

    top: the path that the teacher named, where links are the teacher's own.  below: names from there on.
    """

    def __init__(self, top, below=(), only=None):
        self.top, self.below, self.only = Path(top), tuple(below), only
        self.name = self.below[-1] if self.below else self.top.resolve().name

    def names(self):
        """(name, kind) of each thing that lies directly in it: folder, file, link or other."""
        with os.scandir(self.top.joinpath(*self.below)) as items:
            return sorted((item.name, _kind(item)) for item in items)

    def inside(self, name):
        """The tree of one folder in it."""
        return FolderTree(self.top, (*self.below, name))

    def files(self, names):
        """The tree of these files in it."""
        return FolderTree(self.top, self.below, names)

    def open(self, name):
        """One file in it, open.  Raises Malformed."""
        try:
            return _open_file(self.top, (*self.below, name))
        except Unread as unread:
            raise Malformed(WHY[unread.why][0]) from None

    def entries(self):
        """An Entry for each file, link and device, ordered by name.  Raises Malformed."""
        found = self._walk() if self.only is None else self._named()
        return sorted(found, key=lambda entry: entry.path)

    def read(self, chosen, limit):
        """(entry, bytes) for each chosen Entry; (entry, Unread) where that fails or there are more than limit bytes."""
        for entry in chosen:
            yield entry, self._content(entry.key, limit)

    def close(self):
        """Nothing stays open."""

    def _content(self, parts, limit):
        try:
            with _open_file(self.top, self.below + parts) as file:
                content = file.read(limit + 1)
        except Unread as unread:
            return unread
        except OSError:
            return Unread("gone")
        return content if len(content) <= limit else Unread("large")

    def _named(self):
        with _opened(self.top, self.below) as folder:
            for name in self.only:
                with suppress(OSError):
                    yield _entry((name,), _lstat(folder, name))

    def _walk(self):
        """Folder by folder, not deeper than MAX_DEPTH, leaving out those that never hold a learner's work."""
        waiting, count = [()], 0
        while waiting:
            parts = waiting.pop()
            for name, status in self._scan(parts):
                count += 1
                if count > MAX_ENTRIES:
                    raise Malformed(f"holds more than {MAX_ENTRIES:,} files")
                if not isinstance(status, str) and stat.S_ISDIR(status.st_mode) and len(parts) < MAX_DEPTH:
                    waiting += [(*parts, name)] if name not in NEVER else []
                else:
                    yield _entry((*parts, name), status)

    def _scan(self, parts):
        """(name, its status) of what is in a folder; ("", why) if the folder cannot be looked into."""
        try:
            with _opened(self.top, self.below + parts) as folder, os.scandir(folder) as found:
                for item in found:
                    with suppress(FileNotFoundError):
                        yield item.name, item.stat(follow_symlinks=False)
        except OSError as error:
            if not parts:
                raise Malformed(f"cannot be opened ({(error.strerror or 'unknown error').lower()})") from None
            yield "", _why(error)


def _open_file(top, parts):
    """An ordinary file below top, opened for reading.  Raises Unread."""
    try:
        with _opened(top, parts[:-1]) as folder:
            number = _open(folder, parts[-1], FILE)
    except OSError as error:
        raise Unread(_why(error)) from None
    if odd := _odd(os.fstat(number)):
        os.close(number)
        raise Unread(odd)
    return os.fdopen(number, "rb")


@contextmanager
def _opened(top, parts):
    """The folder top/parts: a file descriptor, or a path where the system knows none for folders."""
    if not BELOW:
        yield _checked(Path(top), parts)
        return
    number = os.open(top, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        for part in parts:
            upper, number = number, os.open(part, FOLDER, dir_fd=number)
            os.close(upper)
        yield number
    finally:
        os.close(number)


def _checked(path, parts):
    for part in parts:
        path /= part
        if path.is_symlink() or (hasattr(path, "is_junction") and path.is_junction()):
            raise OSError(errno.ELOOP, "a link")
    return path


def _open(folder, name, flags):
    if BELOW:
        return os.open(name, flags, dir_fd=folder)
    return os.open(_checked(folder, (name,)), flags)


def _kind(item):
    if item.is_symlink():
        return "link"
    if item.is_dir(follow_symlinks=False):
        return "folder"
    return "file" if item.is_file(follow_symlinks=False) else "other"


def _lstat(folder, name):
    return os.lstat(folder / name) if not BELOW else os.stat(name, dir_fd=folder, follow_symlinks=False)


def _entry(parts, status):
    if isinstance(status, str):
        return Entry(parts[:-1], parts, None, status)
    odd = "deep" if stat.S_ISDIR(status.st_mode) else _odd(status)
    return Entry(parts, parts, _time(status.st_mtime), odd)


def _odd(status):
    """Why it is not read; "" for an ordinary file. A hard link could be somebody else's file under another name."""
    if stat.S_ISREG(status.st_mode):
        return "hard" if status.st_nlink > 1 else ""
    return "link" if stat.S_ISLNK(status.st_mode) else "device"


def _time(seconds):
    try:
        return datetime.fromtimestamp(seconds, UTC)
    except (ValueError, OverflowError, OSError):
        return None


def _why(error):
    """A key of limits.WHY. A link that is not followed fails with ELOOP, a folder that became one with ENOTDIR."""
    if isinstance(error, PermissionError):
        return "closed"
    return "link" if error.errno in (errno.ELOOP, errno.EMLINK, errno.ENOTDIR) else "gone"
