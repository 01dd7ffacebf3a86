"""The students' pages, put into the exchange: each is called as the student's own hand-in, so nobody else finds it."""

from ...course import exchange
from ...course.atomic import replacing
from ...course.phrases import counted, listed
from ...course.usage import UsageError
from ..collect.shared import inbound

NAMED = 5  # students in the sentence


def write(out, folders, hand_ins, submissions):
    """Returns a sentence about it.

    folders: {student: folder in out}.  hand_ins: {student: the name of the student's hand-in in the exchange}.
    """
    place = inbound(submissions).with_name(exchange.FEEDBACK)
    known = sorted(folders.keys() & hand_ins.keys())
    for student in known:
        page = place / exchange.page_of(hand_ins[student])
        try:
            with replacing(page) as new:
                new.write_bytes((out / folders[student] / "feedback.html").read_bytes())
                new.chmod(0o644)
        except OSError as error:
            raise UsageError(f"{page} cannot be written: {error.strerror}. The grades are in {out}.") from None
    others = sorted(folders.keys() - hand_ins.keys())
    alone = f" Nothing of their own is in the exchange: {listed(others, NAMED)}." if others else ""
    return f"Returned: {counted(len(known), 'page')}, which %fetch brings.{alone}"
