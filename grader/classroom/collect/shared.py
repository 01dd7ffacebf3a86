"""Hand-ins in an exchange: whose each is, the system says, and when it was changed last; names are only compared.

A student can write any name and set any time of change but one: that of the inode, which the system keeps.
"""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

from ...course import exchange
from ...course.phrases import counted
from ...course.settings import date
from ...course.usage import UsageError
from .platforms import EXCHANGE
from .safe_names import shown
from .submissions import Sources, name_students

SLOW = timedelta(minutes=5)  # more between the time in the name and that of the file is told


def inbound(path):
    """The folder of hand-ins, if the path is that of an exchange or of this folder; else None."""
    path = Path(path)
    folder = path.absolute().parent if path.name == exchange.INBOUND else path
    return folder / exchange.INBOUND if exchange.is_one(folder) else None


def demand_one(options):
    """Raises UsageError if what the options say is not for these submissions: some are for an exchange alone."""
    is_one = inbound(options.submissions)
    if is_one and options.pattern:
        raise UsageError("In an exchange the system says whose each hand-in is: leave --pattern out.")
    for name, given in (("--until", options.until), ("--return", options.give_back)):
        if given and not is_one:
            raise UsageError(f"{name} is for an exchange, and {options.submissions} is none.")


def until(options, before):
    """Up to when hand-ins count, as an ISO text: as --until says, else as before, else now. "" without an exchange.

    So a grading keeps to what was there when it began, whatever is handed in for the next homework.
    """
    if not inbound(options.submissions):
        return ""
    return date(options.until).isoformat() if options.until else before or datetime.now().astimezone().isoformat()


def checked(sources, folder, last=""):
    """The Sources that belong to whoever they are named after, up to a time; with a note on each other.

    folder: as inbound gives it.  last: as until gives it.
    """
    kept, later = Sources(), 0
    kept.notes = list(sources.notes)
    for source in sources:
        try:
            owner, when = _seen(folder / source.first)
        except FileNotFoundError:
            continue  # its owner took it back
        if why := _why_refused(source.label, owner):
            kept.notes.append(f"{source.name} was refused: it belongs to {shown(owner)}, {why}.")
        elif last and when > datetime.fromisoformat(last):
            later += 1
        else:
            kept.append(source)
            if not source.label.submitted or when - source.label.submitted > SLOW:
                kept.notes.append(f"{source.name} was changed later than its name says, {when:%Y-%m-%d %H:%M} (UTC).")
            source.label = replace(source.label, submitted=when)
    name_students(kept)  # anew: what was refused changes nobody's name
    if later:
        kept.notes.append(f"{counted(later, 'hand-in')} after {last[:16]} not looked at: --until can say otherwise.")
    return kept


def _seen(path):
    """(the account that it belongs to, when it was changed last), as the system says."""
    status = path.lstat()
    return exchange.account(status.st_uid), datetime.fromtimestamp(int(status.st_ctime), UTC)


def _why_refused(label, owner):
    if label.platform != EXCHANGE:
        return "and is not called as %submit calls a hand-in"
    return "" if label.name == owner else f"not to {shown(label.name)}"


def hand_ins(sources):
    """{student: the name of the student's own last hand-in} of those that come from an exchange."""
    ours = [source for source in sources if source.label.platform == EXCHANGE]
    return {source.student: source.first for source in sorted(ours, key=lambda source: source.label.submitted)}
