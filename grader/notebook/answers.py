"""Predictions and notes in a learner's own words: answers/03.md for notebook 03, Markdown, to be edited by hand too.

A section for each question, under a heading such as "## Prediction 3.C1" or "## Note 3.R1". All else in the file, and
sections with other headings, are left as they are. docs/using.md is the description for learners and teachers.
"""

import errno
import os
import re
from dataclasses import dataclass
from pathlib import Path

from ..course.atomic import alone, write_atomically
from ..course.usage import UsageError

FOLDER = "answers"
KINDS = ("Prediction", "Note")
# The notebook, then a section's letter and a count (3.C1; R is the reflection), or an exercise and a letter (3.5a).
KEY = re.compile(r"(\d|[1-9]\d)\.([A-Z]?)([1-9]\d?)([a-z]?)")
EXERCISES, REFLECTION = "a", "b"  # in the place of a section's letter: after all of them
HEADING = re.compile(r"## (Prediction|Note) (\S+)[ \t]*")
ESCAPED = re.compile(r"^(\\*)(?=## )", re.M)  # one backslash more in the file than in what was written
UNSEEN = re.compile(r"[\x00-\x08\x0b-\x1f\x7f\u2028\u2029\ud800-\udfff]")
LONGEST = 20_000  # characters of one answer


@dataclass(frozen=True)
class Answer:
    """One section.  kind: "Prediction" or "Note".  key: which question, such as "3.C1"."""

    kind: str
    key: str
    text: str

    @property
    def place(self):
        """Where it stands: predictions, then notes; of each kind sections, exercises, then the reflection."""
        number, section, count, letter = KEY.fullmatch(self.key).groups()
        section = REFLECTION if section == "R" else section or EXERCISES
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
        raise UsageError(f"{key[:40]!r} is not the name of a question, such as 3.C1, 3.5a or 3.R1.")
    text = tidy(text)
    if len(text) > LONGEST:
        raise UsageError(f"That is {len(text):,} characters. An answer has room for {LONGEST:,}.")
    answer, path = Answer(kind, key, text), path_of(key.split(".")[0], course)
    try:
        path.parent.mkdir(exist_ok=True)
        with alone(path.with_name(".lock")):  # two notebooks may be open at once
            before = _read(path) if path.exists() else f"# {title}\n"
            after = "\n".join(_with(before, answer)).rstrip() + "\n"
            if after != before:
                _demand_writable(path)
                write_atomically(path, after, durable=True)
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "it is not UTF-8 text"
        raise UsageError(f"{FOLDER}/{path.name} cannot be written: {reason}.") from None


def tidy(text):
    """The text as it is kept: without what no editor shows."""
    return UNSEEN.sub("", text.replace("\r\n", "\n").replace("\r", "\n")).strip()


def kept(number, course, kind=None):
    """The Answers in the file of a notebook, in order; none if there is no file, or none that can be read."""
    try:
        text = _read(path_of(number, course))
    except (OSError, UnicodeDecodeError):
        return []
    found = [answer for answer in map(_answer, _parts(text)) if answer and kind in (None, answer.kind)]
    return sorted(found, key=lambda answer: answer.place)


def _read(path):
    """The text of a file, from any editor: some put a mark before it."""
    return path.read_text(encoding="utf-8-sig")


def _demand_writable(path):
    """A file that takes another's place asks nobody, so ask here."""
    if path.exists() and not os.access(path, os.W_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))


def _with(text, answer):
    """The parts of a file with this answer in it."""
    parts = [(part.rstrip("\n") + "\n", _answer(part)) for part in _parts(text) if part]
    same = [n for n, (_, there) in enumerate(parts) if there and there.place == answer.place]
    later = (n for n, (_, there) in enumerate(parts) if there and there.place > answer.place)
    place = same[0] if same else next(later, len(parts))
    kept = [[part] if n not in same else [] for n, (part, _) in enumerate(parts)]
    kept.insert(place, [answer.section] if answer.text else [])
    return [part for some in kept for part in some]


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
