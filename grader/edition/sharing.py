"""The exchange, as release makes it. course/exchange.py says what is in it, docs/jupyterhub.md what its rights do."""

import os
import shutil
import stat

from ..course import exchange
from ..course.usage import UsageError

# Of inbound/: 2 gives hand-ins the teacher's group, 1 leaves each to its owner, and without a 4 nobody else lists them.
RIGHTS = {"": 0o755, exchange.INBOUND: 0o3733, exchange.FEEDBACK: 0o711}


def make(folder):
    """Make the folders of an exchange, or mend their rights.  Raises UsageError if other accounts would not come in."""
    for name, rights in RIGHTS.items():
        place = folder / name
        try:
            place.mkdir(parents=True, exist_ok=True)
            place.chmod(rights)
        except OSError as error:
            raise UsageError(f"The exchange {place} cannot be made: {error.strerror}.") from None
        if stat.S_IMODE(place.stat().st_mode) != rights:
            raise UsageError(f"The exchange {place} cannot have the rights {rights:o}: this drive or group keeps none.")
    if closed := _closed_above(folder):
        raise UsageError(f"Students cannot come to the exchange {folder}: {closed} lets no other account through.")


def _closed_above(folder):
    """A folder on the way to it that other accounts cannot pass, or None."""
    return next((above for above in folder.resolve().parents if not above.stat().st_mode & stat.S_IXOTH), None)


def put(edition, folder):
    """Put an edition into an exchange, in place of the one before.  Returns lines about it."""
    packed = shutil.make_archive(str(folder / f".{os.getpid()}"), "zip", edition)
    os.chmod(packed, 0o644)
    os.replace(packed, folder / exchange.COURSE)
    yield f"It is also in the exchange, {folder / exchange.COURSE}: %fetch brings it, %submit hands in to {folder}."
    yield f"Who is in the group {_group(folder / exchange.INBOUND)} can read hand-ins: no student, please."


def _group(place):
    """The name of its group; the number, where it has none here."""
    try:
        return place.group()
    except KeyError:
        return place.stat().st_gid
