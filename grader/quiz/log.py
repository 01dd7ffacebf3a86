"""What happened in the quiz, a line for each: .babygrad/quiz.jsonl. Lines are added and never changed.

{"at": "2026-12-01T18:00:00Z", "question": "3.Q1", "right": true}    an answer
{"at": "...", "idea": ["3.1", "assigns instead of adding"]}          a check named this misconception
{"at": "...", "done": "03", "track": "core"}                         as far as this track goes, the notebook was done

Everything else is made of these lines (boxes.py). So two files are merged by having the lines of both, two windows may
write at once, and what a newer course writes stays where an older one does not understand it.
"""

import contextlib
import json
import os
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from ..course.paths import MEMORY
from ..course.phrases import counted
from ..course.safe_text import cut, visible

FILE = "quiz.jsonl"
YEARS = range(1970, 3000)  # in which each system knows its own time
LONG_AGO = datetime(YEARS[0], 1, 1, tzinfo=UTC)


@dataclass(frozen=True)
class Event:
    """One line.  at: when, by the clock of that time.  One of question (with right), idea and done (with track)."""

    at: datetime
    question: str = ""
    right: bool = False
    idea: tuple = ()
    done: str = ""
    track: str = ""

    @property
    def line(self):
        """As it stands in the file."""
        told = {"at": self.at.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")}
        if self.question:
            told |= {"question": self.question, "right": self.right}
        elif self.idea:
            told["idea"] = list(self.idea)
        else:
            told |= {"done": self.done, "track": self.track}
        return json.dumps(told, ensure_ascii=False) + "\n"


@dataclass(frozen=True)
class Log:
    """What a file says.  events: as they stand in it.  unknown: how many lines cannot be understood."""

    events: tuple = ()
    unknown: int = 0

    def in_order(self, now):
        """The Events as they happened, each with its time.

        One more than a day ahead was written while a clock was wrong: it counts as having happened right after the one
        above it in the file. Up to a day ahead is where a computer is set to another time zone.
        """
        placed, last = [], LONG_AGO
        for event in self.events:
            last = event.at if event.at <= now + timedelta(days=1) else last
            placed.append((last, event))
        return sorted(placed, key=lambda each: each[0])

    def notes(self, known):
        """Sentences about what is passed over.  known: ids of the questions that there are."""
        if self.unknown:
            yield (
                f"{counted(self.unknown, 'line')} of .babygrad/{FILE} cannot be understood here, and "
                f"{'is' if self.unknown == 1 else 'are'} passed over. Nothing of the file was changed."
            )
        others = {event.question for event in self.events} - {"", *known}
        if others:
            yield (
                f".babygrad/{FILE} has answers to {counted(len(others), 'question')} that this course does not have, "
                f"such as {cut(visible(min(others)), 40)}. They stay there."
            )


def parsed(text):
    """The Log that a file's text is. A last line that was not written to its end is no line."""
    events, unknown = [], 0
    for line in text.split("\n"):
        if line.strip():
            event = _event(line)
            events += [event] if event else []
            unknown += not event and line.rstrip().endswith("}")
    return Log(tuple(events), unknown)


def joined(one, other):
    """The text of a file that has the lines of both."""
    lines = dict.fromkeys(line for text in (one, other) for line in text.split("\n") if line.strip())
    return "".join(f"{line}\n" for line in lines)


def _event(line):
    try:
        told = json.loads(line)
        at = datetime.strptime(told["at"], "%Y-%m-%dT%H:%M:%SZ").replace(tzinfo=UTC)
        if at.year not in YEARS:
            return None
        if isinstance(told.get("question"), str) and isinstance(told.get("right"), bool):
            return Event(at, question=told["question"], right=told["right"])
        if isinstance(told.get("done"), str) and isinstance(told.get("track"), str):
            return Event(at, done=told["done"], track=told["track"])
        id, name = told["idea"]
        return Event(at, idea=(id, name)) if isinstance(id, str) and isinstance(name, str) else None
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return None


def read(folder=None):
    """The Log in a folder (.babygrad); an empty one if there is no file."""
    try:
        return parsed(_path(folder).read_bytes().decode("utf-8", errors="replace"))
    except FileNotFoundError:
        return Log()


def add(*events, folder=None):
    """Write Events at the end of the file.  Raises OSError.

    Each goes there in one piece, behind those of other processes.
    """
    if not events:
        return
    path = _path(folder)
    path.parent.mkdir(exist_ok=True)
    file = os.open(path, os.O_RDWR | os.O_APPEND | os.O_CREAT | getattr(os, "O_BINARY", 0), 0o666)
    try:
        lines = "".join(event.line for event in events)
        os.write(file, (_mending(file) + lines).encode())
    finally:
        os.close(file)


def add_ideas(ideas, now):
    """Note the misconceptions that a check named: see newly_named. Where nothing can be written nothing is."""
    with contextlib.suppress(OSError):
        add(*newly_named(read(), ideas, now))


def newly_named(log, ideas, now):
    """Events for the misconceptions that a check named: pairs of an exercise's id and a name.

    Those that were noted since the last answer are noted already.
    """
    noted = set()
    for event in log.events:
        noted = set() if event.question else noted | {event.idea}
    return [Event(now, idea=idea) for idea in dict.fromkeys(ideas) if idea not in noted]


def _mending(file):
    """What ends a line that was not written to its end."""
    size = os.fstat(file).st_size
    if not size:
        return ""
    os.lseek(file, size - 1, os.SEEK_SET)
    return "" if os.read(file, 1) == b"\n" else "\n"


def _path(folder):
    return (folder or MEMORY) / FILE
