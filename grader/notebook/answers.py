"""Bets and notes in a learner's own words: answers/03.md for notebook 03, Markdown that can be edited by hand too.

A section for each question, under a heading such as "## Bet 3.C1" or "## Note 3.2b". Everything else in the file, and
sections with other headings, are left as they are. docs/answers.md is the description for learners and teachers.
"""

import contextlib
import re
from dataclasses import dataclass
from pathlib import Path

from ..course.atomic import write_atomically
from ..course.usage import UsageError

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None

FOLDER = "answers"
KINDS = ("Bet", "Note")
KEY = re.compile(r"(\d{1,2})\.([A-Z]?)(\d{1,2})([a-z]?)")
HEADING = re.compile(r"## (Bet|Note) (\S+)[ \t]*")
ESCAPED = re.compile(r"^(\\*)(?=## )", re.M)  # one backslash more in the file than in what was written
UNSEEN = re.compile(r"[\x00-\x08\x0b-\x1f\x7f\u2028\u2029\ud800-\udfff]")
LONGEST = 20_000  # characters of one answer


@dataclass(frozen=True)
class Answer:
    """One section.  kind: "Bet" or "Note".  key: which question, such as "3.C1"."""

    kind: str
    key: str
    text: str

    @property
    def place(self):
        """Where it stands in the course's order: bets by section, then notes by exercise."""
        number, section, count, letter = KEY.fullmatch(self.key).groups()
        return int(number), KINDS.index(self.kind), section, int(count), letter

    @property
    def section(self):
        return f"## {self.kind} {self.key}\n\n{ESCAPED.sub(_one_more, self.text)}\n"


def path_of(number, course):
    """The file of the notebook with this number in the course in a folder."""
    return Path(course) / FOLDER / f"{int(number):02}.md"


def keep(kind, key, text, title, course):
    """Put an answer into the file of its notebook, in place of the one to this question that is there.

    title: the first line of a new file.  An empty text takes the section away.
    Raises UsageError if the key is none, the text too long, or the file cannot be read or written.
    """
    if not KEY.fullmatch(key):
        raise UsageError(f"{key[:40]!r} is not the name of a question, such as 3.C1 or 3.2b.")
    text = UNSEEN.sub("", text.replace("\r\n", "\n").replace("\r", "\n")).strip()
    if len(text) > LONGEST:
        raise UsageError(f"That is {len(text):,} characters. An answer has room for {LONGEST:,}.")
    answer, path = Answer(kind, key, text), path_of(key.split(".")[0], course)
    try:
        path.parent.mkdir(exist_ok=True)
        with _alone(path):
            before = path.read_text(encoding="utf-8") if path.exists() else f"# {title}\n"
            after = "\n".join(_with(before, answer)).rstrip() + "\n"
            if after != before:
                write_atomically(path, after, durable=True)
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "it is no UTF-8 text"
        raise UsageError(f"{FOLDER}/{path.name} cannot be written: {reason}.") from None


def kept(number, course, kind=None):
    """The Answers in the file of a notebook, in order; none if there is no file, or none that can be read."""
    try:
        text = path_of(number, course).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return []
    found = [answer for answer in map(_answer, _parts(text)) if answer and kind in (None, answer.kind)]
    return sorted(found, key=lambda answer: answer.place)


def _with(text, answer):
    """The parts of a file with this answer in it."""
    parts, written = [], False
    for part in _parts(text):
        there = _answer(part)
        if there and (there.kind, there.key) == (answer.kind, answer.key):
            part, written = ("" if written else answer.section if answer.text else ""), True
        elif there and not written and answer.text and answer.place < there.place:
            parts.append(answer.section)
            written = True
        parts.append(part.rstrip("\n") + "\n" if part else "")
    if answer.text and not written:
        parts.append(answer.section)
    return [part for part in parts if part]


def _parts(text):
    """The text, cut before each line that begins with ##."""
    return re.split(r"(?m)^(?=## )", text)


def _answer(part):
    """The Answer that a part is; None for one with another heading."""
    heading, _, text = part.partition("\n")
    found = HEADING.fullmatch(heading)
    if not found or not KEY.fullmatch(found[2]):
        return None
    return Answer(found[1], found[2], re.sub(r"(?m)^\\(?=\\*## )", "", text).strip())


def _one_more(backslashes):
    return backslashes[1] + "\\"


@contextlib.contextmanager
def _alone(path):
    """Hold the file while the block runs: two notebooks may be open at once. A drive without locks goes without."""
    with path.with_name(".lock").open("a") as file:
        with contextlib.suppress(OSError):
            if fcntl:
                fcntl.flock(file, fcntl.LOCK_EX)
        yield
