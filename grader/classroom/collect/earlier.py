"""An earlier grading of the same class, read from its folder."""

import json
from dataclasses import dataclass
from pathlib import Path

from ...course.usage import UsageError


@dataclass(frozen=True)
class Earlier:
    """name: its folder's.  shares: {student: the share of the points, from 0 to 1}."""

    name: str
    shares: dict

    @classmethod
    def read(cls, folder):
        """Raises UsageError if there is no grading in it."""
        records = read_records(folder)
        graded = [record for record in records if record["possible"] and is_graded(record)]
        return cls(named(folder), {record["student"]: record["earned"] / record["possible"] for record in graded})


def is_graded(record):
    """Was something handed in that could be read, and asked to the end? If not, its points mean nothing."""
    return record.get("status", "graded") == "graded" and not record.get("trouble")


def named(folder):
    """What a grading is called: as its folder is."""
    return Path(folder).resolve().name


def read_records(folder):
    """The records of a grading: what make grade wrote into grades.jsonl.  Raises UsageError."""
    file = Path(folder) / "grades.jsonl"
    try:
        with file.open(encoding="utf-8") as lines:
            records = [json.loads(line) for line in lines]
        if all(record["student"] and record["earned"] >= 0 and record["possible"] >= 0 for record in records):
            return records
    except FileNotFoundError:
        raise UsageError(f"{folder} holds no grading: make grade writes {file.name} into its OUT.") from None
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise UsageError(f"{file} cannot be read ({error}).") from None
    raise UsageError(f"{file} cannot be read (a record without a student).")
