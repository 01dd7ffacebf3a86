"""The student's side of an exchange: puts a hand-in there, keeps the receipt, brings the newer course and feedback.

A receipt is a line of submissions/receipts.sha256, as sha256sum writes and checks it: the digest of the file as it lies
in the exchange, and its place.
"""

import hashlib
import os
import secrets
import stat
import zipfile
from pathlib import Path

from ..course import exchange
from ..course.atomic import write_atomically
from ..course.commands import typed
from ..course.settings import Settings
from ..course.usage import UsageError
from . import pristine

RECEIPTS = "receipts.sha256"
PAGES = "feedback"
NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL


def folder():
    """The exchange of this course, where it is within reach; else None."""
    named = Settings.read().exchange
    return Path(named) if named and exchange.is_one(Path(named)) else None


def own_name():
    """What the account that this process runs as is called."""
    return exchange.account(os.geteuid())


def hand_in(packed, shared, receipts, now):
    """Put a zip (a path) into the exchange, and the receipt into the folder receipts.  Returns lines about it.

    Raises UsageError.
    """
    path = shared / exchange.INBOUND / f"{own_name()}+{exchange.stamp(now)}+{secrets.token_hex(16)}.zip"
    try:
        _drop(packed.read_bytes(), path)
        digest = hashlib.sha256(path.read_bytes()).hexdigest()
    except OSError as error:
        raise UsageError(
            f"Not handed in: {path} cannot be written ({error.strerror}). Send {packed} to your teacher."
        ) from None
    with open(os.open(receipts / RECEIPTS, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600), "w") as file:
        file.write(f"{digest}  {path}\n")
    yield f"Handed in, as {own_name()}, at {now:%Y-%m-%d %H:%M:%S}: {path}"
    yield f"Receipt: {digest[:16]}…, in {receipts.name}/{RECEIPTS}. With it `sha256sum -c` shows that it is there."


def _drop(packed, path):
    """It has its name once it is whole. It is for its owner, and for the teacher: by the folder's group."""
    new = path.with_name(f".{path.name}")
    number = os.open(new, NEW, 0o600)
    try:
        with open(number, "wb") as file:
            file.write(packed)
            file.flush()
            is_the_folders = os.fstat(number).st_gid == path.parent.stat().st_gid
            os.fchmod(number, stat.S_IRUSR | stat.S_IWUSR | stat.S_IRGRP | (0 if is_the_folders else stat.S_IROTH))
            os.fsync(number)
        new.rename(path)
    except BaseException:
        new.unlink()
        raise


def newest(root):
    """The zip of the course in the exchange; None if it is the one in root.  Raises UsageError."""
    shared = folder()
    if not shared:
        named = Settings.read().exchange
        why = f"its exchange, {named}, is not on this machine" if named else "this course has no exchange"
        by_hand = typed("make update FROM=folder-or-zip")
        raise UsageError(f"There is nothing to fetch: {why}. A newer one is brought in by {by_hand}.")
    packed = shared / exchange.COURSE
    try:
        with zipfile.ZipFile(packed) as archive:
            theirs = archive.read(pristine.LIST)
    except (OSError, KeyError, zipfile.BadZipFile) as error:
        raise UsageError(f"{packed} cannot be read: {error}. Tell your teacher.") from None
    ours = root / pristine.LIST
    return None if ours.is_file() and ours.read_bytes() == theirs else packed


def bring_pages(receipts):
    """Copy the feedback on what was handed in into the folder receipts.  Returns what is new: paths."""
    pages = folder() / exchange.FEEDBACK
    for name in _handed_in(receipts):
        page, copy = pages / exchange.page_of(name), receipts / PAGES / exchange.page_of(name)
        if page.is_file() and not (copy.is_file() and copy.read_bytes() == page.read_bytes()):
            copy.parent.mkdir(exist_ok=True)
            write_atomically(copy, page.read_bytes())
            yield copy


def _handed_in(receipts):
    """The names of the files that the receipts are of."""
    try:
        lines = (receipts / RECEIPTS).read_text(encoding="utf-8").splitlines()
    except OSError:
        return []
    return [Path(line.partition("  ")[2]).name for line in lines]
