"""Reads mistakes.md and other_answers.md: edits of answers, with a name and words for each.

    # 12.4                              the exercise; "# 6.1 6.2" is about each of them
    ## both corrected with beta1        a name
        beta2**t => beta1**t            four spaces: a text of one line of the answer, and what it becomes
    Both means are corrected with beta1. Each mean has a beta of its own.
    > More: The sign is wrong           a heading of docs/stuck.md
    > Same as lr forgotten: why nobody can tell the two apart

After `=>` may stand nothing, or new lines, four spaces deeper. `re: ` begins a regular expression, for all places where
it fits. Lines without `=>` are the whole answer. In `a title`: above them says of which part, if there are several.
"""

import re
from dataclasses import dataclass, field

from .edits import Change, DoesNotFit

ARROW = re.compile(r"^(.*\S)\s+=>(?:\s+(.*))?$")
PART = re.compile(r"^In `(.+)`:$")
SAME = re.compile(r"^Same as (.+?): (.+)$")
PATTERN = "re: "
DEEPER = " " * 4


@dataclass
class Entry:
    """One edit as it is written.  where: the file and the name, for messages.  more, same_as: as in Misconception."""

    ids: list
    name: str
    where: str
    changes: list = field(default_factory=list)
    words: str = ""
    more: str = ""
    same_as: dict = field(default_factory=dict)


def read(path):
    """The Entries of a file; none if it is not there.  Raises DoesNotFit, naming the entry."""
    return [_Reader(path.name, ids, block).entry() for ids, block in _blocks(path)] if path.is_file() else []


def _blocks(path):
    """(ids, the lines of an entry: its name first)."""
    ids, blocks = [], []
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith("# "):
            ids = re.findall(r"\d+\.\d+", line)
        elif line.startswith("## "):
            blocks.append((ids, [line[3:].strip()]))
        elif blocks:
            blocks[-1][1].append(line.rstrip())
    return blocks


class _Reader:
    """Reads the lines of one entry."""

    def __init__(self, file, ids, lines):
        self._lines, self._part, self._code, self._words = lines[1:], "", [], []
        self._entry = Entry(ids, lines[0], f"{file}, {' '.join(ids)}, {lines[0]!r}")

    def entry(self):
        for line in self._lines:
            if line.startswith(DEEPER) or (self._code and not line):
                self._code.append(line.removeprefix(DEEPER))
            else:
                self._end_of_code()
                self._other(line)
        self._end_of_code()
        self._entry.words = " ".join(self._words)
        if not self._entry.ids or not self._entry.changes:
            missing = "no change of the answer" if self._entry.ids else "no exercise: a line `# 2.1` above it"
            raise DoesNotFit(f"{self._entry.where}: there is {missing}.")
        return self._entry

    def _other(self, line):
        if found := PART.match(line):
            self._part = found[1]
        elif not line.startswith("> "):
            self._words += [line.strip()] if line else []
        elif line.startswith("> More: "):
            self._entry.more = line.removeprefix("> More: ")
        elif found := SAME.match(line[2:]):
            self._entry.same_as[found[1]] = found[2]
        else:
            raise DoesNotFit(f"{self._entry.where}: after > comes More: or Same as ...:, not {line[2:]!r}.")

    def _end_of_code(self):
        while self._code and not self._code[-1]:
            self._code.pop()
        if self._code:
            try:
                self._entry.changes += _changes(self._code, self._part)
            except DoesNotFit as error:
                raise DoesNotFit(f"{self._entry.where}: {error}") from None
        self._code, self._part = [], ""


def _changes(lines, part):
    """The Changes of a piece of code: one for each arrow, or the whole answer."""
    if lines[0].startswith(DEEPER):
        raise DoesNotFit(f"{lines[0].strip()!r} stands too deep: an edit begins with four spaces, no more.")
    outer = [line for line in lines if not line.startswith(DEEPER)]
    if not any(ARROW.match(line) for line in outer):
        return [Change(None, "\n".join(lines), part=part)]
    changes = []
    for line in lines:
        if found := (None if line.startswith(DEEPER) else ARROW.match(line)):
            old = found[1].removeprefix(PATTERN)
            changes.append(Change(old, found[2] or "", old != found[1], part))
        elif line and not line.startswith(DEEPER):
            raise DoesNotFit(f"{line!r} has no => as the lines around it have. (New lines stand four spaces deeper.)")
        else:
            last = changes.pop()
            new = line.removeprefix(DEEPER)
            changes.append(last._replace(new=f"{last.new}\n{new}" if last.new else new))
    return [change._replace(new=change.new.rstrip("\n")) for change in changes]
