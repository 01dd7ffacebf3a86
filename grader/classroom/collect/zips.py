"""The files in a zip: read where it lies, in memory, with limits. Nothing of a hand-in is ever written to disk."""

import io
import stat
import struct
import zipfile
import zlib
from datetime import UTC, datetime
from functools import cached_property

from ...course.atomic import replacing
from .limits import MAX_ENTRIES, MAX_HELD, WHY, Entry, Malformed, Unread, safe_path

MAX_CONTENTS = 8 * 1024 * 1024  # bytes of a zip file's table of contents
# A class's own zip comes from the platform, not from a student: it may be long.
MOST_IN_A_CLASS, CONTENTS_OF_A_CLASS = 1_000_000, 128 * 1024 * 1024
LOCKED = 0x41  # flags: encrypted, strongly encrypted
UTF8 = 0x800  # flag: the name is UTF-8
# bzip2 and LZMA would unpack a block as a whole, however large it is. A zip that uses them can be packed again without.
READABLE = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
NO_DATE = (1980, 1, 1, 0, 0, 0)  # what packers write that leave the date out


def open_zip(file, limit=MAX_CONTENTS, most=MAX_ENTRIES):
    """A ZipFile whose table of contents is at most limit bytes and most entries.  Raises Malformed.

    file: an open binary file that can seek; it belongs to the ZipFile from now on.
    """
    if not file.read(1):
        raise Malformed("is empty")
    try:
        packed = zipfile.ZipFile(_Capped(file, limit))
    except (zipfile.BadZipFile, struct.error, OSError, ValueError, OverflowError):
        raise Malformed("is not a .zip, or is broken or cut short") from None
    except NotImplementedError:
        raise Malformed("is packed in a way that is not read here") from None
    if len(packed.filelist) > most:
        raise Malformed(f"holds more than {most:,} files")
    return packed


def open_class(file, name):
    """The ZipTree of the zip in which a platform gives a teacher all hand-ins.  Raises Malformed.

    name: what the zip is called, without its ending.
    """
    return ZipTree(open_zip(file, CONTENTS_OF_A_CLASS, MOST_IN_A_CLASS), name=name)


def write_zip(path, files):
    """Write pairs of a name and bytes: the same file for the same pairs. What begins with #! can be run."""
    with replacing(path) as new, zipfile.ZipFile(new, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files:
            entry = zipfile.ZipInfo(name, NO_DATE)
            entry.create_system = 3  # Unix, or the permissions below mean nothing
            entry.external_attr = (0o100755 if data.startswith(b"#!") else 0o100644) << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, data)


class ZipTree:
    """The files in a zip; or those of its entries that infos names, and then it stays open for the others.

    packed: a ZipFile.  below: the names above what counts as the top, which entries' paths leave out.
    It answers the same questions as a FolderTree.
    """

    def __init__(self, packed, infos=None, below=(), name=""):
        self.packed, self.below, self.name, self.is_whole = packed, below, name, infos is None
        self.infos = packed.filelist if infos is None else infos

    def names(self):
        """(name, kind) of each thing that lies directly in it: folder or file."""
        return sorted((name, "folder" if folder else "file") for name, (_, folder) in self._things.items())

    def inside(self, name):
        """The tree of one folder in it."""
        return ZipTree(self.packed, self._things[name][1], (*self.below, name), name)

    def files(self, names):
        """The tree of these files in it."""
        return ZipTree(self.packed, [self._things[name][0][-1] for name in names], self.below)

    def open(self, name):
        """One file in it, unpacked into memory.  Raises Malformed."""
        [(_, content)] = self.read(self.files([name]).entries(), MAX_HELD)
        if isinstance(content, Unread):
            raise Malformed(f"is larger than {MAX_HELD >> 20} MB" if content.why == "large" else WHY[content.why][0])
        return io.BytesIO(content)

    @cached_property
    def _things(self):
        """{name: (the file's infos, the infos below the folder)}. Names that lead outside are left out."""
        things = {}
        for info in self.infos:
            path, odd = safe_path(zip_name(info))
            parts = path[len(self.below) :]
            if parts and odd != "outside":
                is_deeper = len(parts) > 1 or info.filename.endswith("/")
                things.setdefault(parts[0], ([], []))[is_deeper].append(info)
        return things

    def entries(self):
        """An Entry for each file and link, in the archive's order."""
        return [_entry(info, len(self.below)) for info in self.infos if not info.filename.endswith(("/", "\\"))]

    def read(self, chosen, limit):
        """(entry, bytes) for each chosen Entry; (entry, Unread) where that fails or there are more than limit bytes."""
        for entry in chosen:
            yield entry, self._content(entry.key, limit)

    def close(self):
        if self.is_whole:
            self.packed.close()

    def _content(self, info, limit):
        """The stated sizes may be wrong on purpose, so it is read with a limit."""
        try:
            with self.packed.open(info) as file:
                content = file.read(limit + 1)
        except (zipfile.BadZipFile, zlib.error, OSError, EOFError, ValueError, struct.error, NotImplementedError):
            return Unread("broken")
        return content if len(content) <= limit else Unread("large")


def _entry(info, depth):
    path, odd = safe_path(zip_name(info))
    kind = stat.S_IFMT(info.external_attr >> 16) if info.create_system == 3 else 0
    if kind == stat.S_IFLNK:
        odd = "link"
    elif kind not in (0, stat.S_IFREG, stat.S_IFDIR):
        odd = "device"
    elif info.flag_bits & LOCKED:
        odd = "locked"
    elif info.compress_type not in READABLE:
        odd = "packing"
    return Entry(path[depth:], info, _when(info), odd)


def zip_name(info):
    """An entry's name with / between its parts.

    Some packers on Windows write a backslash, and the one of macOS writes UTF-8 without saying so.
    """
    name = info.filename.replace("\\", "/")
    if not info.flag_bits & UTF8 and not name.isascii():
        try:
            return name.encode("cp437").decode("utf-8")
        except UnicodeError:
            return name
    return name


def _when(info):
    """When the file was last written; None if the archive does not say. A plain date is the packer's local time."""
    try:
        if stamp := _unix_time(info.extra):
            return datetime.fromtimestamp(stamp, UTC)
        return datetime(*info.date_time).astimezone() if info.date_time > NO_DATE else None
    except (ValueError, OverflowError, OSError):
        return None


def _unix_time(extra):
    """The time in seconds that some packers add to the plain date: it knows its time zone.  0 if there is none."""
    place = 0
    while place + 4 <= len(extra):
        kind, size = struct.unpack_from("<HH", extra, place)
        if kind == 0x5455 and size >= 5 and len(extra) >= place + 9 and extra[place + 4] & 1:
            return struct.unpack_from("<i", extra, place + 5)[0]
        place += 4 + size
    return 0


class _Capped:
    """A file of which no one read may be larger than limit: zipfile reads as many bytes as the archive says."""

    def __init__(self, file, limit):
        self.file, self.limit = file, limit
        self.seek, self.tell, self.close, self.seekable = file.seek, file.tell, file.close, file.seekable

    def read(self, count=-1):
        if count is None or count < 0:
            count = self.limit
        if count > self.limit:
            raise Malformed("has a table of contents of an absurd size")
        return self.file.read(count)
