"""A place with many hand-ins side by side: a folder on disk, or the one zip file that a platform gives a teacher.

Both answer the same questions. Nothing is read before it is asked for.
"""

import io
import os
from datetime import UTC, datetime
from pathlib import Path

from .archives import ZipTree, open_zip, zip_name
from .folders import FolderTree, Refused, open_below
from .limits import MAX_HELD, WHY, Malformed, Unread, safe_path

# A class's own zip comes from the platform, not from a student: it may be long.
MOST_IN_A_CLASS, CONTENTS_OF_A_CLASS = 1_000_000, 128 * 1024 * 1024


class Disk:
    """A folder on disk.  top: the path that the teacher named.  below: the names from there to the hand-ins."""

    def __init__(self, top, below=()):
        self.top, self.below = Path(top), tuple(below)
        self.name = self.below[-1] if self.below else self.top.resolve().name

    def names(self):
        """(name, kind) of each thing in it: folder, file, link or other."""
        with os.scandir(self.top.joinpath(*self.below)) as items:
            return sorted((item.name, _kind(item)) for item in items)

    def inside(self, name):
        return Disk(self.top, (*self.below, name))

    def folder(self, name):
        """The tree of files in one folder."""
        return FolderTree(self.top, (*self.below, name))

    def loose(self, names):
        """The tree of these files."""
        return FolderTree(self.top, self.below, names)

    def open(self, name):
        """One file, open.  Raises Malformed."""
        try:
            return open_below(self.top, (*self.below, name))
        except Refused as refused:
            raise Malformed(WHY[refused.why][0]) from None

    def when(self, name):
        """The file's own date."""
        return datetime.fromtimestamp(os.lstat(self.top.joinpath(*self.below, name)).st_mtime, UTC)


class ClassZip:
    """A zip file of hand-ins.  below: the folders in it down to the hand-ins. Opened once in each process."""

    def __init__(self, path, below=()):
        self.path, self.below = Path(path), tuple(below)
        self.name = self.below[-1] if self.below else self.path.stem
        self._opened = None

    def __getstate__(self):
        return {**vars(self), "_opened": None}

    def names(self):
        """(name, kind) of each thing in it: folder or file."""
        return sorted((name, "folder" if self._folder_infos(name) else "file") for name in self._contents()[1])

    def inside(self, name):
        return ClassZip(self.path, (*self.below, name))

    def folder(self, name):
        """The tree of files in one folder."""
        return _Borrowed(self._contents()[0], self._folder_infos(name), (*self.below, name))

    def loose(self, names):
        """The tree of these files."""
        infos = [self._file_info(name) for name in names]
        return _Borrowed(self._contents()[0], infos, self.below)

    def open(self, name):
        """One file, unpacked into memory.  Raises Malformed."""
        tree = self.loose([name])
        [(_, content)] = tree.read(tree.entries(), MAX_HELD)
        if isinstance(content, Unread):
            raise Malformed(f"is larger than {MAX_HELD >> 20} MB" if content.why == "large" else WHY[content.why][0])
        return io.BytesIO(content)

    def when(self, name):
        """The date that the class's zip gives the file."""
        return self.loose([name]).entries()[0].when

    def _file_info(self, name):
        return [info for depth, info in self._contents()[1][name] if depth == 1][-1]

    def _folder_infos(self, name):
        return [info for depth, info in self._contents()[1][name] if depth > 1]

    def _contents(self):
        """(the open ZipFile, {name: [(how many names down to it, its info)]}). Names that lead outside are left out."""
        if self._opened is None or self._opened[0] != os.getpid():  # a forked process would share the place in the file
            packed = open_zip(open(self.path, "rb"), CONTENTS_OF_A_CLASS, MOST_IN_A_CLASS)  # noqa: SIM115
            groups, skip = {}, len(self.below)
            for info in packed.filelist:
                parts, odd = safe_path(zip_name(info))
                if odd != "outside" and parts[:skip] == self.below and len(parts) > skip:
                    depth = len(parts) - skip + info.filename.endswith("/")
                    groups.setdefault(parts[skip], []).append((depth, info))
            self._opened = os.getpid(), packed, groups
        return self._opened[1:]


class _Borrowed(ZipTree):
    """Some entries of the class's zip, which stays open for the others."""

    def close(self):
        """Nothing: it belongs to the class."""


def _kind(item):
    if item.is_symlink():
        return "link"
    if item.is_dir(follow_symlinks=False):
        return "folder"
    return "file" if item.is_file(follow_symlinks=False) else "other"
