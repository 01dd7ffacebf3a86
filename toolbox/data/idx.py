"""IDX files, the format of MNIST: read with every byte accounted for, and each kind of damage told in its own words.

Source: the description of the format with the MNIST database of LeCun, Cortes and Burges. A file is two zero bytes,
one byte for the type of the numbers, one for how many dimensions there are, the size of each dimension as 4 bytes
(the highest first), then the numbers, row after row.
"""

import gzip
import math
import struct
import zlib
from pathlib import Path

import numpy as np

GZIP_MAGIC = b"\x1f\x8b"
UNSIGNED_BYTES = 0x08
TYPES = {
    UNSIGNED_BYTES: "unsigned bytes",
    0x09: "signed bytes",
    0x0B: "16-bit integers",
    0x0C: "32-bit integers",
    0x0D: "32-bit floats",
    0x0E: "64-bit floats",
}
MOST_DIMENSIONS = 32
PLAUSIBLE_BYTES = 10**9  # all of MNIST's training images are 47 million
MAGIC = {"images": 2051, "labels": 2049}
KIND = {magic: kind for kind, magic in MAGIC.items()}
IMAGE_SHAPE = (28, 28)
CLASSES = 10

AGAIN = "Delete it and download it again: docs/using.md says where from."
WHOSE = "Were files swapped or renamed?"


class IdxError(ValueError):
    """A file is not what it should be. The message names the file, what is wrong with it and the way out."""


def read_images_and_labels(images_path, labels_path):
    """A file of 28x28 images and the file of their labels.

    Returns (images, labels): uint8 arrays of shape (N, 28, 28), values 0 to 255, and of shape (N,), values 0 to 9.
    Raises IdxError for a damaged file and for two that do not belong together, OSError for one that cannot be opened.
    """
    images, labels = read_kind(images_path, "images"), read_kind(labels_path, "labels")
    if images.shape[1:] != IMAGE_SHAPE:
        rows, columns = images.shape[1:]
        raise IdxError(f"{images_path} holds images of {rows}x{columns} pixels, but MNIST's are 28x28. {WHOSE}")
    if labels.max() >= CLASSES:
        at = int(np.argmax(labels >= CLASSES))
        raise IdxError(f"{labels_path} holds the label {labels[at]} at position {at}, but a digit is 0 to 9. {AGAIN}")
    if len(images) != len(labels):
        raise IdxError(
            f"{images_path} holds {len(images)} images, but {labels_path} holds {len(labels)} labels: "
            f"they do not belong together. {WHOSE}"
        )
    return images, labels


def read_kind(path, kind):
    """What read_idx reads from a file that must hold "images" (three dimensions) or "labels" (one)."""
    array = read_idx(path)
    magic = 256 * UNSIGNED_BYTES + array.ndim
    if magic == MAGIC[kind]:
        return array
    if magic in KIND:
        raise IdxError(f"{path} holds {KIND[magic]} (magic {magic}) where {kind} (magic {MAGIC[kind]}) belong. {WHOSE}")
    raise IdxError(f"{path} has {array.ndim} dimensions (magic {magic}): neither images nor labels. {WHOSE}")


def read_idx(path):
    """The numbers of an IDX file of unsigned bytes, plain or gzipped, whatever its name ends in.

    Returns a uint8 array of the shape that the header tells.
    Raises IdxError for a damaged file, OSError for one that cannot be opened.
    """
    path = Path(path)
    content = unpacked(path)
    sizes = sizes_in_header(path, content)
    start = header_length(len(sizes))
    compare_sizes(path, sizes, len(content) - start)
    return np.frombuffer(content, np.uint8, offset=start).reshape(sizes).copy()  # a buffer of bytes is read-only


def unpacked(path):
    """The bytes of the file, after gzip if it is gzipped."""
    content = path.read_bytes()
    refuse_nothing_and_pages(path, content)
    if content.startswith(GZIP_MAGIC):
        content = gunzipped(path, content)
        refuse_nothing_and_pages(path, content)
    elif path.suffix == ".gz":
        raise IdxError(
            f"{path} is not gzipped, although its name ends in .gz. If it was unpacked already, take .gz off its name. "
            f"If not: {AGAIN}"
        )
    return content


def refuse_nothing_and_pages(path, content):
    if not content:
        raise IdxError(f"{path} is empty. {AGAIN}")
    if content.removeprefix(b"\xef\xbb\xbf").lstrip().startswith(b"<"):
        raise IdxError(f"{path} is a web page that was saved under this name, perhaps a server's apology. {AGAIN}")


def gunzipped(path, packed):
    try:
        return gzip.decompress(packed)
    except EOFError:
        raise IdxError(f"{path} is cut short: its gzip data end too early. {AGAIN}") from None
    except (gzip.BadGzipFile, zlib.error) as error:
        raise IdxError(f"{path} is corrupt: gzip cannot unpack it ({error}). {AGAIN}") from None


def sizes_in_header(path, content):
    """The size of each dimension."""
    if len(content) < header_length(1):
        raise IdxError(f"{path} is too short for an IDX header: it has {len(content)} bytes. {AGAIN}")
    zeros, type_code, ndim = struct.unpack_from(">HBB", content)
    if zeros or type_code not in TYPES or not 1 <= ndim <= MOST_DIMENSIONS:
        raise IdxError(f"{path} is not an IDX file: it begins with the bytes {content[:4].hex(' ')}. {AGAIN}")
    if type_code != UNSIGNED_BYTES:
        raise IdxError(f"{path} holds {TYPES[type_code]}, but MNIST's files hold unsigned bytes. {WHOSE}")
    if len(content) < header_length(ndim):
        raise IdxError(f"{path} ends inside its header: {ndim} sizes should stand there. {AGAIN}")
    return struct.unpack_from(f">{ndim}I", content, 4)


def header_length(ndim):
    """In bytes."""
    return 4 + 4 * ndim


def compare_sizes(path, sizes, there):
    """Refuse sizes that do not fit the number of bytes that are there. Nothing is allocated before that."""
    promised = math.prod(sizes)
    promise = f"its header promises {' x '.join(map(str, sizes))} = {promised} bytes"
    if promised == 0:
        raise IdxError(f"{path} holds no items: {promise}. {AGAIN}")
    if promised > max(there, PLAUSIBLE_BYTES):
        raise IdxError(f"{path} has a damaged header: {there} bytes are there, but {promise}. {AGAIN}")
    if promised > there:
        raise IdxError(f"{path} is incomplete: {promise}, but only {there} are there. {AGAIN}")
    if promised < there:
        raise IdxError(f"{path} is too long: {promise}, but {there - promised} more are there. {AGAIN}")
