"""Which questions a student is asked: those of one of a few sets, so that neighbours are asked different ones."""

import hashlib
import secrets

SETS = 3
_LARGEST = 2**48  # more than anybody tries; fifteen digits, as many as a spreadsheet keeps


def fresh_seed():
    """A seed that nobody can guess, nor find by trial from the seed of one of its sets."""
    return secrets.randbits(128)


def seeds_of_sets(seed):
    """The seed of each set of questions."""
    return [_number(f"{seed} set {k}") % _LARGEST for k in range(SETS)]


def set_of(student, seed):
    """Which set of questions the student is asked: the same on every machine."""
    return _number(f"{seed} student {student}") % SETS


def _number(text):
    return int.from_bytes(hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()[:8], "little")
