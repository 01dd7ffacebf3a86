"""The secret of a private variant: a long random text that draws what its students and its gradings are asked.

An edition holds its digest alone, from which nothing can be computed.
"""

import hashlib
import os
import secrets

from .usage import UsageError

BITS = 128  # of a number made from it: too many to try


def new():
    """A secret that nobody can guess."""
    return secrets.token_hex(32)


def demand_none(path):
    """Raises UsageError if there is a file already: a secret is never written over."""
    if os.path.lexists(path):
        raise UsageError(f"{path} already exists: it may be the secret of an edition that is in use.")


def keep(secret, path):
    """Write the secret into a new file, for its owner alone.  Raises UsageError if there is one."""
    demand_none(path)
    try:
        with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as file:
            file.write(secret + "\n")
    except OSError as error:
        raise UsageError(f"The secret {path} cannot be written: {error.strerror}.") from None


def path_for(folder):
    """Where the secret of the edition in this folder lies: beside the folder, never in it."""
    folder = folder.resolve()
    return folder.with_name(f"{folder.name}.secret")


def read(path, digest):
    """The secret in the file.  Raises UsageError if there is none, or that of another edition (see digest_of)."""
    try:
        secret = path.read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError):
        raise UsageError(
            f"These students have a private variant, and its secret is needed to grade: there is none in {path}. "
            "make release wrote it beside the edition's folder. Name it with --secret FILE. If it is lost, give a "
            "number with --seed."
        ) from None
    if digest_of(secret) != digest:
        raise UsageError(f"{path} holds the secret of another edition than the one that course.json belongs to.")
    return secret


def digest_of(secret):
    """What an edition holds of it."""
    return _digest(secret, "digest").hex()[:32]


def number_from(secret, purpose):
    """A number for this purpose. It tells nothing about the secret, nor about the numbers for other purposes."""
    return int.from_bytes(_digest(secret, purpose)[: BITS // 8], "little")


def _digest(secret, purpose):
    return hashlib.sha256(f"babygrad {purpose} {secret}".encode()).digest()
