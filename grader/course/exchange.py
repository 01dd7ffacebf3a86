"""The exchange: a folder that the accounts of one machine share, for the course, hand-ins and what comes back.

    course.zip    the edition that was released last
    inbound/      hand-ins: every account can put files in, and only the teacher's sees which there are
    feedback/     students' pages, each called as the hand-in is: every account can read a page whose name it knows

edition/sharing.py makes it, learner/sharing.py hands in and fetches, classroom/collect/shared.py reads, and
classroom/pages/returned.py gives back.

A hand-in's name ends in 128 random bits, which only the student and the teacher know.
"""

from datetime import UTC

try:
    import pwd
except ImportError:  # Windows, and Python in a page
    pwd = None

COURSE, INBOUND, FEEDBACK = "course.zip", "inbound", "feedback"
PAGE = ".html"
HAND_IN = r"(?P<student>.+)\+(?P<time>\d{8}T\d{6}Z)\+(?P<file>[0-9a-f]{32}\.zip)"  # ada+20261201T113014Z+9f...c2.zip


def is_one(folder):
    """Is this folder an exchange?"""
    return (folder / COURSE).is_file() and (folder / INBOUND).is_dir()


def account(number):
    """The name of the account with this number; the number, where it has none here."""
    try:
        return pwd.getpwuid(number).pw_name
    except (KeyError, AttributeError):
        return str(number)


def stamp(when):
    """The time in a hand-in's name."""
    return when.astimezone(UTC).strftime("%Y%m%dT%H%M%SZ")


def page_of(hand_in):
    """What the page about a hand-in is called.  hand_in: its file's name."""
    return hand_in.removesuffix(".zip") + PAGE
