"""What was graded, one record in each line, added as each is graded: a grading that is stopped loses nothing.

A record is on the disk (fsync) before the next one is taken up. That costs about a millisecond, and a submission costs
hundreds; so there is no group of records that a power cut could take along.

Of several records of one student the last counts. A last line without its end was cut off by a power cut or a full
disk: it is dropped. No other line is ever removed. Only the place of each record is kept in memory.
"""

import json
import os
from dataclasses import dataclass


@dataclass(frozen=True)
class Place:
    """Where a record stands in the file: its first byte and its length.  name: of the hand-in it is about."""

    start: int
    length: int
    name: str


class Journal:
    """The records in one file, by student."""

    def __init__(self, path):
        self.path, self._places, self._end = path, {}, 0
        self._file = os.open(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_BINARY", 0), 0o600)
        self._index()

    def close(self):
        os.close(self._file)

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self.close()

    def __contains__(self, student):
        return student in self._places

    def students(self):
        """In order."""
        return sorted(self._places)

    def name_of(self, student):
        """What the hand-in was called."""
        return self._places[student].name

    def get(self, student):
        """The student's record, or None."""
        place = self._places.get(student)
        if place is None:
            return None
        with open(self.path, "rb") as file:
            file.seek(place.start)
            return json.loads(file.read(place.length))

    def add(self, record, durable=True):
        """Write a record to the disk (durable=False: at the next sync).  After an OSError the file is as it was."""
        line = json.dumps(record).encode() + b"\n"
        try:
            os.lseek(self._file, self._end, os.SEEK_SET)
            _write(self._file, line)
            if durable:
                os.fsync(self._file)
        except OSError:
            os.ftruncate(self._file, self._end)
            raise
        self._found(record, self._end, len(line))
        self._end += len(line)

    def sync(self):
        """All that was added is on the disk."""
        os.fsync(self._file)

    def _index(self):
        with open(self.path, "rb") as file:
            for line in file:
                if not line.endswith(b"\n"):
                    os.ftruncate(self._file, self._end)
                    break
                record = _decoded(line)
                if record is not None:
                    self._found(record, self._end, len(line))
                self._end += len(line)

    def _found(self, record, start, length):
        self._places[record["student"]] = Place(start, length, record["submission"]["name"])


class Records:
    """The records of these students, in order of their names, read from the disk each time one goes through them.

    form(record): what each becomes.
    """

    def __init__(self, journal, students, form=lambda record: record):
        self._journal, self.students, self._form = journal, sorted(students), form

    def __iter__(self):
        return (self._form(self._journal.get(student)) for student in self.students)

    def __len__(self):
        return len(self.students)


def _decoded(line):
    """The record in a line; None if it is not one: after a power cut the end of the file may hold anything."""
    try:
        record = json.loads(line)
        return record if record["student"] and record["submission"]["name"] else None
    except (ValueError, KeyError, TypeError):
        return None


def _write(file, data):
    while data:
        data = data[os.write(file, data) :]
