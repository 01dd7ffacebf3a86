"""What became of the exercises from one course to the next: the table that update shows."""

from dataclasses import dataclass, field

from ..course import catalogue, regions
from ..course.paths import COURSE_FILE
from ..course.stub_message import unfilled_in


@dataclass(frozen=True)
class Course:
    """An older or a newer course.

    retired: {id of an exercise that it has no more: what became of it}.  notebooks: numbers; None: all.
    """

    retired: dict = field(default_factory=dict)
    notebooks: list | None = None

    @classmethod
    def of(cls, folder):
        """The Course in this folder."""
        settings = folder / COURSE_FILE.name
        released = catalogue.read_settings(settings).get("notebooks") if settings.is_file() else None
        return cls(catalogue.retired(folder), released)

    def releases(self, id):
        return self.notebooks is None or catalogue.number_of(id) in self.notebooks


def moves(old, new, courses, answered, lost):
    """Lines: a heading and a line for each exercise that has moved, is new, is given now or is no more; none if none.

    old, new: {file: text} that the two courses hand out.  courses: the Course of each.
    answered: ids that the learner has written an answer to.  lost: those of them whose answer found no place.
    """
    before, after = _places(old), _places(new)
    rows, (older, newer) = [], courses
    for id in sorted({*before, *after}, key=catalogue.place_of):
        was, is_now = before.get(id), after.get(id)
        if not newer.releases(id) and id not in answered:
            continue
        is_released_now = newer.releases(id) and not older.releases(id)  # a stub there is in every edition
        known = None if is_released_now else was
        what = _what_became(id, known, is_now, newer.retired) or "its stub was rewritten" * (id in lost)
        if what:
            title = next(filter(None, [place.title for place in (is_now, was) if place]), "")
            rows.append((f"{id} {title}".rstrip(), what, _of_the_answer(id, answered, lost)))
    return ["What changed about the exercises:", *_in_columns(rows)] if rows else []


def _in_columns(rows):
    widths = [max(map(len, column)) for column in zip(*rows)]
    return ["  " + "  ".join(f"{cell:<{width}}" for cell, width in zip(row, widths)).rstrip() for row in rows]


class _Place:
    """Where an exercise stands: its file, its title as the stub says it, and whether its answer is handed out."""

    def __init__(self, file, parts):
        self.file = file
        self.given = not any(region.is_stub for region in parts)
        self.title = next((unfilled_in(line).title for r in parts for line in r.body if unfilled_in(line)), "")


def _places(texts):
    parts = {}
    for file, text in texts.items():
        for region in regions.stub_regions(text):
            parts.setdefault((region.id, file), []).append(region)
    return {id: _Place(file, found) for (id, file), found in parts.items()}


def _what_became(id, before, after, retired):
    """In words; "" if it is as it was."""
    if after is None:
        return retired.get(id, "no longer an exercise")
    if before is None:
        return f"new, in {after.file}" + ", given" * after.given
    moved = [f"in {after.file}, no longer in {before.file}"] * (before.file != after.file)
    given = ["given now"] * (after.given and not before.given)
    return ", ".join(moved + given)


def _of_the_answer(id, answered, lost):
    if id in lost:
        return "your answer is in the backup"
    return "your answer is in its place" if id in answered else ""
