"""What the names in a platform's download say about each hand-in, and what a teacher's own pattern says (--pattern).

To add a platform: a line in PLATFORMS, its name in PLATFORMS of test_submissions.py, what its lists call their columns
in columns.toml. The groups of a pattern:

    student     what the school calls the person, as on a roster: an id, a user name, an email address
    name        the person's name. Where there is no student: people choose their names, so it proves little
    id          the platform's own number of the person
    upload      the platform's number of the upload: the highest is the last
    time        when it was handed in, as times.py reads it
    late        is there where the platform marks it as late
    file        the name that the student gave the file
    typed       is there where it is text typed into the platform, and no file
"""

import re
import signal
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import takewhile

from ...course import exchange
from ...course.phrases import listed
from ...course.usage import UsageError
from . import times
from .limits import MAX_PART
from .safe_names import shown

PLATFORMS = (
    ("Exchange", exchange.HAND_IN),  # what %submit writes: ada+20261120T140359Z+ and 32 digits, .zip
    # "Download all submissions". With folders: Ada Lovelace_1234567_assignsubmission_file (older: and one more _).
    # Without: Ada Lovelace_1234567_assignsubmission_file_work.zip. No _ is in a name; the default group has no number.
    ("Moodle", r"(?P<name>[^_]+)(_(?P<id>\d+))?_assignsubmission_(file|(?P<typed>[a-z]+))(_(?P<file>.*))?"),
    # "Download submissions": lovelaceada_LATE_12345_67890_work-1.zip, the sortable name in small letters without marks.
    ("Canvas", r"(?P<late>LATE_)?(?P<name>anon_(?P<id>[A-Za-z0-9]+))_(?P<upload>\d+)_(?P<file>.+)"),
    (
        "Canvas",
        r"(?P<name>[^\WA-Z]+?)(?P<late>_LATE)?_(?P<id>\d+)_((?P<upload>\d+)_(?P<file>.+)|(?P<typed>text|link)\.html)",
    ),
    # "Assignment file download": Homework 1_ada_attempt_2026-11-20-14-03-59_work.zip, and one .txt for each. There may
    # be a _ in the user name and in the assignment's: see part_from_assignment.
    ("Blackboard", r".+?_(?P<student>.+?)_attempt_(?P<time>\d{4}(-\d\d){5})(_(?P<file>.+)|(?P<typed>\.txt))"),
    # 13394-80551 - Ada Lovelace - Mar 29, 2026 1205 PM - work.zip, or a folder for several files, without the last.
    ("Brightspace", r"(?P<id>\d+)-\d+ - (?P<name>.+?) - (?P<time>[^-]+? \d{4} \d{3,4} [AP]M)( - (?P<file>.+))?"),
)
TABLE = [(platform, re.compile(pattern, re.S)) for platform, pattern in PLATFORMS]
GROUPS = ("student", "name", "id", "upload", "time", "late", "file")  # that a teacher's own pattern may have
BLACKBOARD, BRIGHTSPACE, CANVAS, MOODLE, EXCHANGE = "Blackboard", "Brightspace", "Canvas", "Moodle", "Exchange"
MAKES_FOLDERS = (BRIGHTSPACE, MOODLE)  # the others' names are those of files
GRADESCOPE, GITHUB, OWN = "Gradescope", "GitHub", "the file name"  # whose names are understood otherwise
ARCHIVE = ".zip"
OTHER_ARCHIVES = re.compile(r"((\.tar)?\.(7z|bz2|gz|lzma|rar|xz|zst)|\.(tar|tgz|tbz2?|txz))\Z", re.I)


@dataclass(frozen=True)
class Label:
    """What is known of a hand-in before it is opened: the groups above.

    known_as: what the school calls the person; () where there is only a name.
    """

    platform: str = ""
    name: str = ""
    known_as: tuple = ()
    id: str = ""
    upload: int = 0
    submitted: datetime | None = None
    late: bool = False
    file: str = ""
    typed: bool = False

    @property
    def person(self):
        """Equal for two hand-ins of one person. A name alone is not enough where the platform has a number."""
        return (self.platform if self.id or self.known_as else "", self.id, *(self.known_as or (self.name,)))

    @property
    def own_file(self):
        """The file as the student called it. Canvas numbers what is handed in again: value-1.py."""
        return re.sub(r"-\d+(?=\.\w+$)", "", self.file) if self.platform == CANVAS else self.file

    @property
    def time_from(self):
        """Where submitted is known from, in words."""
        own = {GRADESCOPE: "the platform's own list", OWN: OWN, EXCHANGE: "the exchange"}
        return own.get(self.platform, "the platform's file name")


def label_of(name, folder=False, pattern=None):
    """The Label of a file's or a folder's name; one without a platform if no pattern fits all of it.

    pattern: the teacher's own, a Pattern, which is tried first.
    """
    table = [(OWN, pattern), *TABLE] if pattern else TABLE
    for platform, known in table if len(name) <= MAX_PART else ():
        found = (not folder or platform in (OWN, *MAKES_FOLDERS)) and known.fullmatch(name)
        said = found.groupdict("") if found else {}
        if said.get("student") or said.get("name"):
            return _label(platform, said)
    return Label(name=stem(name), known_as=(stem(name),), file=name)


def _label(platform, said):
    student, upload = said.get("student", "").strip(), said.get("upload", "")
    return Label(
        platform,
        said.get("name", "").strip() or student,
        (student,) if student else (),
        said.get("id", ""),
        int(upload) if upload.isdecimal() else 0,
        times.read(said.get("time", "")),
        bool(said.get("late")),
        said.get("file", ""),
        bool(said.get("typed")),
    )


def part_from_assignment(labels):
    """The Labels of things that lie side by side, those of Blackboard without the pieces that all of them begin with.

    Pieces are what a _ divides. Such a piece is the assignment's, or all user names begin with it: then a roster can
    say so. Nothing shorter is anybody's user name, for it could be somebody else's. (Of one alone all may be either.)
    """
    pieces = {label.name: label.name.split("_") for label in labels if label.platform == BLACKBOARD}
    columns = list(zip(*pieces.values()))[: min(map(len, pieces.values()), default=0) - 1]
    begin = len(list(takewhile(lambda column: len({*column}) == 1, columns)))
    ends = {name: tuple("_".join(found[n:]) for n in range(begin + 1)) for name, found in pieces.items()}
    which = -1 if len(pieces) > 1 else 0

    def parted(label):
        return replace(label, name=ends[label.name][which], known_as=ends[label.name])

    return [parted(label) if label.platform == BLACKBOARD else label for label in labels]


def is_archive(name):
    return name.lower().endswith(ARCHIVE)


def other_archive(name):
    """The ending of an archive of a kind that is not read, such as .tar.gz; "" for any other name."""
    found = OTHER_ARCHIVES.search(name[-9:])
    return found[0].lower() if found else ""


def stem(name):
    """The name without the ending of an archive."""
    ending = ARCHIVE if is_archive(name) else other_archive(name)
    return name[: len(name) - len(ending)] or name


# --- a teacher's own pattern ---------------------------------------------------------------------------------


class Pattern:
    """A regular expression with named groups, for names that no platform writes.

    A pattern such as (a+)+ can take for ever on a name that somebody has made for that. So each name gets SECONDS of
    processor time, and has no more than MAX_PART characters. slow: names that took longer, and so do not fit; with
    MOST_SLOW of them it is given up.
    """

    SECONDS, MOST_SLOW = 0.1, 100

    def __init__(self, text):
        self.text, self.slow = text, set()
        try:
            self._compiled = re.compile(text, re.S)
        except (re.error, OverflowError, RecursionError) as error:
            raise UsageError(f"--pattern {text} is not a regular expression: {error}.") from None
        groups = self._compiled.groupindex
        if unknown := sorted(groups.keys() - set(GROUPS)):
            raise UsageError(f"--pattern {text} has a group {listed(unknown)}. The groups are {listed(GROUPS)}.")
        if not groups.keys() & {"student", "name"}:
            raise UsageError(
                f"--pattern {text} does not say who handed in a file: write (?P<student>...) around the id, user name "
                "or email address in it, or (?P<name>...) around the name."
            )
        if not hasattr(signal, "setitimer"):
            raise UsageError("--pattern needs a timer, which this system does not have: use Linux or macOS.")

    def fullmatch(self, name):
        """The match of the whole name, or None.  Raises UsageError if it took too long on too many."""
        if name in self.slow:
            return None
        try:
            with _limited(self.SECONDS):
                return self._compiled.fullmatch(name)
        except TimeoutError:
            self.slow.add(name)
        if len(self.slow) == self.MOST_SLOW:
            raise UsageError(
                f"--pattern {self.text} took too long on {self.MOST_SLOW} names, such as {shown(name)}. "
                "A repetition within a repetition can do that: write it without one."
            )

    def notes(self, labels):
        """Sentences about names that it does not fit, or in which it finds no time.  labels: {name: Label}.

        Raises UsageError if it fits none.
        """
        fit = {name for name, label in labels.items() if label.platform == OWN}
        others = sorted(labels.keys() - fit)
        if others and not fit:
            how_many = "the one name" if len(others) == 1 else f"any of the {len(others)} names"
            raise UsageError(
                f"--pattern {self.text} does not match {how_many} there, such as {shown(others[0])}. It must match the "
                "whole name of a file or folder."
            )
        timed = "time" in self._compiled.groupindex
        untimed = sorted(name for name in fit if timed and not labels[name].submitted)
        said = (
            (sorted(self.slow), "took too long on", "A repetition within a repetition can do that."),
            (others, "does not match", "What it does not match counts as it would without it."),
            (untimed, "finds no time in", "There the time of the newest file counts, as it would without that group."),
        )
        return [f"--pattern {does} {listed(map(shown, names), 3)}. {so}" for names, does, so in said if names]


@contextmanager
def _limited(seconds):
    """Raises TimeoutError after so much processor time. A regular expression looks for signals now and then."""

    def stop(*_):
        raise TimeoutError

    before = signal.signal(signal.SIGVTALRM, stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


# --- Gradescope's list ---------------------------------------------------------------------------------------

# In its export folders submission_123, and beside them who handed in, and when. Only the few lines that matter are
# read, by their indentation; the rest of the file (scores, output, history) is long, and partly the students' words.
#
#     submission_123:
#       :submitters:
#       - :name: Ada Lovelace
#         :sid: '1001'
#         :email: ada@example.org
#       :created_at: 2026-11-20 14:03:59.123456000 Z
METADATA = "submission_metadata.yml"
KEY = re.compile(r"(?P<quote>['\"]?)(?P<name>[^\s'\"][^'\"]*)(?P=quote):\s*")
FIELD = re.compile(r"  :(?P<field>\w+):\s*(?P<value>.*)")
PERSON = re.compile(r"  (?P<new>- |  ):(?P<field>name|sid|email):\s*(?P<value>.*)")


def gradescope_labels(content):
    """{folder: [a Label for each student of the group]}.  content: the bytes of METADATA."""
    people, when, folder, field = {}, {}, None, ""
    for line in content.decode("utf-8", "replace").splitlines():
        if key := KEY.fullmatch(line):
            folder, field = key["name"], ""
            people.setdefault(folder, [])
        elif folder is not None and field == "submitters" and (person := PERSON.fullmatch(line)):
            if person["new"] == "- " or not people[folder]:
                people[folder].append({})
            people[folder][-1][person["field"]] = _unquoted(person["value"])
        elif folder is not None and (known := FIELD.fullmatch(line)):
            field = known["field"]
            if field == "created_at":
                when[folder] = times.read(known["value"])
    return {name: [_of_gradescope(person, when.get(name)) for person in group] for name, group in people.items()}


def _of_gradescope(person, when):
    name, number, email = (person.get(field, "") for field in ("name", "sid", "email"))
    known_as = tuple(filter(None, (email, number))) or (name,)
    return Label(GRADESCOPE, name or email or number, known_as, number or email, submitted=when)


def _unquoted(value):
    value = value.strip()
    quoted = len(value) > 1 and value[0] == value[-1] and value[0] in "'\""
    return value[1:-1].replace("''", "'") if quoted else value
