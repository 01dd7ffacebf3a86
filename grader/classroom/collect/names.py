"""Names from outside: whose hand-in a name says it is, how it is shown, and folder names that are safe everywhere."""

import hashlib
import re
import unicodedata
from collections import Counter
from dataclasses import dataclass
from datetime import datetime

ARCHIVES = (".tar.gz", ".tgz", ".zip")
SPACE = "\\x20"
OTHER_ARCHIVES = (".7z", ".bz2", ".gz", ".rar", ".tar", ".tbz", ".txz", ".xz", ".zst")  # known, and not read


@dataclass(frozen=True)
class Label:
    """What the name of a file or folder says about a hand-in.

    rest: the name that the student gave the file; "" for a folder.  typed: text typed into the platform, no file.
    id and number: the platform's numbers of the person and of the upload.  late: the platform says so.
    """

    platform: str = ""
    name: str = ""
    id: str = ""
    username: str = ""
    email: str = ""
    rest: str = ""
    typed: bool = False
    number: int = 0
    submitted: datetime | None = None
    late: bool = False

    @property
    def person(self):
        """Equal for two hand-ins of one person. A name alone is not enough where the platform has a number."""
        number = self.id or self.email
        return (self.platform if number or self.username else "", number, self.username or self.name)


# Moodle, "Download all submissions". With folders: Ada Lovelace_1234567_assignsubmission_file (older: and one more _).
# Without: Ada Lovelace_1234567_assignsubmission_file_work.zip. No _ is in a name; the default group has no number.
MOODLE = re.compile(r"(?P<name>[^_]+)(_(?P<id>\d+))?_assignsubmission_(?P<kind>[a-z]+)(_(?P<rest>.*))?", re.S)

# Canvas, "Download submissions": lovelaceada_LATE_12345_67890_work-1.zip, the sortable name without its marks,
# the person's number, the upload's number. Anonymous: anon_A1b2C_67890_work.zip.
CANVAS = re.compile(
    r"(?P<name>\w+?)(?P<late>_LATE)?_(?P<id>\d+)_((?P<number>\d+)_(?P<rest>.+)|(?P<typed>text|link)\.html)", re.S
)
CANVAS_ANONYMOUS = re.compile(r"(?P<late>LATE_)?(?P<name>anon_(?P<id>[A-Za-z0-9]+))_(?P<number>\d+)_(?P<rest>.+)", re.S)

# Blackboard, "Assignment file download": Homework 1_ada_attempt_2026-11-20-14-03-59_work.zip, and one .txt for each.
BLACKBOARD = re.compile(
    r".+?_(?P<username>[^_]+)_attempt_(?P<when>\d{4}(-\d\d){5})(_(?P<rest>.+)|(?P<typed>\.txt))", re.S
)

# Brightspace: 13394-80551 - Ada Lovelace - Mar 29, 2026 1205 PM - work.zip
BRIGHTSPACE = re.compile(r"(?P<id>\d+)-\d+ - (?P<name>.+?) - (?P<when>[^-]+? \d{4} \d{3,4} [AP]M) - (?P<rest>.+)", re.S)


def label_of(name, folder=False):
    """The Label of a file's or a folder's name; one without a platform if no platform writes such names."""
    return _moodle(name) or (not folder and (_canvas(name) or _blackboard(name) or _brightspace(name))) or _plain(name)


def _moodle(name):
    if found := MOODLE.fullmatch(name):
        typed = found["kind"] != "file"
        return Label("Moodle", found["name"].strip(), found["id"] or "", rest=found["rest"] or "", typed=typed)


def _canvas(name):
    found = CANVAS_ANONYMOUS.fullmatch(name) or CANVAS.fullmatch(name)
    if found and (found["name"] == found["name"].lower() or found["name"].startswith("anon_")):
        said, late = found.groupdict(), bool(found["late"])
        number, rest = int(said["number"] or 0), said["rest"] or ""
        return Label(
            "Canvas", said["name"], said["id"], rest=rest, typed=bool(said.get("typed")), number=number, late=late
        )


def _blackboard(name):
    if found := BLACKBOARD.fullmatch(name):
        when, user = _local(found["when"], "%Y-%m-%d-%H-%M-%S"), found["username"]
        return Label(
            "Blackboard", user, username=user, rest=found["rest"] or "", typed=bool(found["typed"]), submitted=when
        )


def _brightspace(name):
    if found := BRIGHTSPACE.fullmatch(name):
        when = _local(found["when"], "%b %d, %Y %I%M %p", "%d %B, %Y %I%M %p", "%B %d, %Y %I%M %p")
        return Label("Brightspace", found["name"], found["id"], rest=found["rest"], submitted=when)


def _plain(name):
    return Label(name=stem(name), rest=name)


def _local(text, *formats):
    """A platform's stamp, which names no time zone, as this machine's time; None if it is none."""
    for form in formats:
        try:
            return datetime.strptime(text, form).astimezone()
        except (ValueError, OverflowError, OSError):
            continue
    return None


def is_archive(name):
    return name.lower().endswith(ARCHIVES)


def is_other_archive(name):
    """Whether it is packed in a way that is not read here."""
    return name.lower().endswith(OTHER_ARCHIVES) and not is_archive(name)


def stem(name):
    """The name without the ending of an archive."""
    ending = next((e for e in ARCHIVES + OTHER_ARCHIVES if name.lower().endswith(e)), "")
    return name[: len(name) - len(ending)] or name


# --- how a name is shown -------------------------------------------------------------------------------------


def shown(name, length=80):
    """A name of unknown origin on one line: what cannot be seen, or changes what can, is written as \\u202e."""
    text = "".join(_visible(letter) for letter in name[: length + 1])
    return text if len(text) <= length else text[: length - 1] + "…"


def identity(name):
    """The name as a student's name in all output: like shown, but two different names never become one.

    Spaces around it are written out too: a hand-in called "ada " must not turn "ada" into one of two of that name.
    """
    inner = name[:1000].strip(" ")
    before, _, after = name[:1000].partition(inner) if inner else (name[:1000], "", "")
    text = before.replace(" ", SPACE) + "".join(map(_visible, inner)) + after.replace(" ", SPACE)
    return text if text and len(text) <= 100 and len(name) <= 1000 else f"{text[:80]}…{digest(name)}"


def _visible(letter):
    if letter == "\\":
        return "\\\\"
    return letter if letter.isprintable() else letter.encode("unicode_escape").decode()


def digest(text):
    """Hex digits that stand for the text; so many that no second text with the same digits can be found."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:DIGEST]


# --- folder names --------------------------------------------------------------------------------------------

LONGEST = 64
DIGEST = 16
WINDOWS = {"con", "prn", "aux", "nul", "conin$", "conout$", *(f"{d}{n}" for d in ("com", "lpt") for n in range(10))}
OUTPUT = {"index", "grades", "state", "journal", "lock"}  # what stands beside the students' folders


def safe_folders(students):
    """A folder's name for each student: {student: name}.

    Only ASCII letters, digits, - _ and . ; no name that a system keeps for itself; no two that differ in case only.
    Where several would be the same, each gets a digest of the student's whole name; not so the one who is called
    exactly like the folder, if there is one.
    """
    plain = {student: _safe(student) for student in students}
    times = Counter(name.lower() for name in plain.values())
    exact = Counter(name.lower() for student, name in plain.items() if student == name)
    rivals = {student: (exact if student == name else times)[name.lower()] for student, name in plain.items()}
    alone = {student: rivals[student] == 1 and not _needs_digest(name) for student, name in plain.items()}
    return {student: name if alone[student] else _with_digest(student, name) for student, name in plain.items()}


def _safe(student):
    ascii_only = unicodedata.normalize("NFKD", student).encode("ascii", "ignore").decode()
    name = re.sub(r"[^A-Za-z0-9._-]+", "_", ascii_only).strip("._-")
    return "_" + name if name.lower().split(".")[0] in WINDOWS | OUTPUT else name


def _needs_digest(name):
    """Nothing left, too long, or one that could be another name with its digest."""
    return not name or len(name) > LONGEST or bool(re.search(rf"-[0-9a-f]{{{DIGEST}}}$", name.lower()))


def _with_digest(student, name):
    return f"{name[: LONGEST - DIGEST - 1].rstrip('._-') or 'student'}-{digest(student)}"
