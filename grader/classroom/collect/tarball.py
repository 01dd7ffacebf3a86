"""The entries of a .tar or .tar.gz, read from front to back, with every number in them checked.

Python's own tarfile takes the sizes of its long headers as they are stated and keeps what it reads: a file of a few
kilobytes can ask for gigabytes. Here a header may be 64 kB, the whole may unpack to MAX_UNPACKED, and only what
was chosen is kept.
"""

import io
import zlib
from datetime import UTC, datetime
from itertools import islice

from .limits import MAX_ENTRIES, MAX_UNPACKED, Entry, Malformed, Unread, safe_path

BLOCK = 512
LONGEST_HEADER = 64 * 1024
MAX_HEADERS = 8 * 1024 * 1024  # bytes of all long names and pax records: reading these takes longer than skipping data
FILE, LINK, DIRECTORY = (b"0", b"\0", b"7"), (b"1", b"2"), b"5"
ODD = {b"3": "device", b"4": "device", b"6": "device", b"S": "sparse"}
NO_DATA = (b"1", b"2", b"3", b"4", b"5", b"6")


class TarTree:
    """The files in a tar archive. file: an open binary file, which belongs to this object from now on."""

    def __init__(self, file):
        self.file = file

    def entries(self):
        """An Entry for each file, link and device, in order.  Raises Malformed."""
        return [entry for entry, _ in self._walk() if entry]

    def read(self, chosen, limit):
        """(entry, bytes) for each chosen Entry; where it has more than limit bytes, (entry, Unread)."""
        wanted = {entry.key: entry for entry in chosen}
        for entry, data in self._walk():
            if entry and entry.key in wanted:
                content = data.read(limit + 1)
                yield wanted[entry.key], content if len(content) <= limit else Unread("large")

    def close(self):
        self.file.close()

    def _walk(self):
        """(Entry or None for a folder, its _Data) for each header of the archive."""
        self.file.seek(0)
        stream = _Stream(self.file)
        for number, (header, data) in enumerate(islice(_headers(stream), MAX_ENTRIES + 1)):
            if number == MAX_ENTRIES:
                raise Malformed(f"holds more than {MAX_ENTRIES:,} files")
            yield header.entry(number), data
            data.skip()


class _Header:
    """One header of 512 bytes. A long name or the modern (pax) records that stood before it come with it."""

    def __init__(self, block, before):
        if sum(block[:148]) + 8 * 32 + sum(block[156:]) != _number(block[148:156]):
            raise Malformed("is broken (a header's check sum is wrong)")
        self.kind = block[156:157]
        self.size = _number(before.get("size", block[124:136]))
        self.when = _time(before.get("mtime", block[136:148]))
        self.name = before.get("path") or self._own_name(block)
        self.sparse = any(key.startswith("GNU.sparse.") for key in before)
        self.extended = self.kind == b"S" and block[482:483] == b"\1"  # an old sparse file: more blocks of its map
        if self.kind in NO_DATA:
            self.size = 0

    def _own_name(self, block):
        prefix = _text(block[345:500]) if block[257:263] == b"ustar\0" else b""
        return prefix + b"/" * bool(prefix) + _text(block[:100])

    def entry(self, number):
        """What it says as an Entry; None for a folder."""
        if self.kind == DIRECTORY or self.name.endswith(b"/"):
            return None
        path, odd = safe_path(self.name.decode("utf-8", "surrogateescape"))
        if self.kind in LINK:
            odd = "link"
        elif self.kind not in FILE or self.sparse:
            odd = ODD.get(self.kind, "sparse" if self.sparse else "device")
        return Entry(path, number, self.when, odd)


def _headers(stream):
    """(_Header, _Data) for each entry. Long names and pax records are put to the entry that they belong to."""
    before, extra, room = {}, 0, MAX_HEADERS
    while (block := stream.exactly(BLOCK)).strip(b"\0"):
        header = _Header(block, before)
        data = _Data(stream, header.size)
        if header.kind in (b"L", b"K", b"x", b"X", b"g"):
            room -= data.left
            before |= _records(header.kind, data, room)
            data.skip()
            extra += 1
            if extra > MAX_ENTRIES:
                raise Malformed(f"holds more than {MAX_ENTRIES:,} files")
            continue
        while header.extended:
            header.extended = stream.exactly(BLOCK)[504:505] == b"\1"
        yield header, data
        before = {}


def _records(kind, data, room):
    """What a header that only describes the next one says about it.  room: below 0 if all together say too much."""
    if kind not in (b"L", b"x", b"X"):
        return {}
    if data.left > LONGEST_HEADER or room < 0:
        raise Malformed("has a header of an absurd size")
    content = data.read(data.left)
    return {"path": _text(content)} if kind == b"L" else dict(_pax(content))


def _pax(content):
    """(keyword, value) of each record: "length keyword=value" and the end of a line, the length counting itself."""
    content, place = content.rstrip(b"\0"), 0
    while place < len(content):
        length, space, _ = content[place : place + 6].partition(b" ")
        end = place + int(length) if space and length.isdigit() else 0
        if not place + len(length) + 1 < end <= len(content):
            raise Malformed("is broken (a header cannot be read)")
        keyword, _, value = content[place + len(length) + 1 : end - 1].partition(b"=")
        if keyword in (b"path", b"size", b"mtime") or keyword.startswith(b"GNU.sparse."):
            yield keyword.decode("ascii", "replace"), value if keyword == b"path" else _decimal(value)
        place = end


def _decimal(value):
    try:
        return int(float(value))
    except (ValueError, OverflowError):
        return 0


class _Data:
    """The bytes of one entry: what was not read is skipped, up to the next block."""

    def __init__(self, stream, size):
        if size < 0:
            raise Malformed("is broken (a file of a size below zero)")
        self.stream, self.left = stream, size
        self.padding = -size % BLOCK

    def read(self, count):
        count = min(count, self.left)
        self.left -= count
        return self.stream.exactly(count)

    def skip(self):
        self.stream.skip(self.left + self.padding)
        self.left = self.padding = 0


class _Stream:
    """The unpacked bytes of a .tar or .tar.gz, in order, and never more than MAX_UNPACKED of them."""

    def __init__(self, file):
        packed = file.read(2) == b"\x1f\x8b"
        file.seek(0)
        self.source = io.BufferedReader(_Gunzip(file), 256 * 1024) if packed else file
        self.allowed = MAX_UNPACKED

    def exactly(self, count):
        """count bytes.  Raises Malformed if there are not so many."""
        self._allow(count)
        content = self.source.read(count)
        if len(content) < count:
            raise Malformed("is cut short")
        return content

    def skip(self, count):
        self._allow(count)
        while count:
            got = len(self.source.read(min(count, 256 * 1024)))
            if not got:
                raise Malformed("is cut short")
            count -= got

    def _allow(self, count):
        self.allowed -= count
        if self.allowed < 0:
            raise Malformed(f"unpacks to more than {MAX_UNPACKED >> 20:,} MB")


class _Gunzip(io.RawIOBase):
    """A gzip file as a stream. One member, as every packer writes it; what follows it is not looked at."""

    def __init__(self, file):
        self.file, self.unpacker, self.rest = file, zlib.decompressobj(31), b""

    def readable(self):
        return True

    def readinto(self, buffer):
        """Fill the buffer as far as one piece of the file goes.  0 at the end.  Raises Malformed."""
        while not self.unpacker.eof:
            packed = self.rest or self.file.read(64 * 1024)
            if not packed:
                raise Malformed("is cut short")
            try:
                content = self.unpacker.decompress(packed, len(buffer))
            except zlib.error:
                raise Malformed("is broken (it cannot be unpacked)") from None
            self.rest = self.unpacker.unconsumed_tail
            if content:
                buffer[: len(content)] = content
                return len(content)
        return 0


def _number(field):
    """A number of a header: octal digits, or for large ones base 256. Pax records bring theirs as an int."""
    if isinstance(field, int):
        return field
    if field[0] in (0x80, 0xFF):
        return int.from_bytes(field[1:], "big") - (256 ** (len(field) - 1) if field[0] == 0xFF else 0)
    digits = _text(field).strip()
    if not all(digit in b"01234567" for digit in digits):
        raise Malformed("is broken (a header holds no number where one should be)")
    return int(digits or b"0", 8)


def _time(field):
    try:
        return datetime.fromtimestamp(_number(field), UTC) if _number(field) else None
    except (ValueError, OverflowError, OSError):
        return None


def _text(field):
    return field.partition(b"\0")[0]
