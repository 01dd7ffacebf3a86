"""What a teacher chooses for a student edition, as typed: notebooks, given answers, points, dates."""

import re
from dataclasses import replace

from ..console.arguments import numbers
from ..course import catalogue
from ..course.phrases import listed, plural
from ..course.settings import Settings, date, version_of_the_course
from ..course.tracks import EVERYTHING, TRACKS
from ..course.usage import UsageError


def settings(notebooks=None, given=None, points=None, due=(), track=None):
    """The Settings of a student edition.  Raises UsageError.

    notebooks: "2-4" or "2,3"; None for all.  given: the same, ids of exercises ("2.1") too.  points: a file (Path).
    due: ["2026-12-01"] for all notebooks, or ["02=2026-12-01", ...].  track: a name in TRACKS; what is not on it has no
    points, unless points gives it some.
    """
    chosen = tuple(numbers(notebooks)) if notebooks else Settings.of_the_whole_course().notebooks
    return Settings(
        notebooks=chosen,
        given=tuple(ids(given or "")),
        points=_off_the_track(track or EVERYTHING, chosen) | (_points(points) if points else {}),
        due=dict(_due(text) for text in due),
        version=version_of_the_course(),
        edition="student",
    )


def only_these(settings, text):
    """The Settings with these of their notebooks alone; with all of them where text is empty.  Raises UsageError."""
    wanted = tuple(numbers(text)) if text else settings.notebooks
    if others := [number for number in wanted if number not in settings.notebooks]:
        are, here = f"{plural('notebook', len(others))} {listed(others)}", listed(settings.notebooks)
        raise UsageError(
            f"--notebooks {text}: {are} {'is' if len(others) == 1 else 'are'} not in the course.json: there is {here}."
        )
    return replace(settings, notebooks=wanted)


def ids(text):
    """The ids of the exercises that a text such as "0-5" or "2.1,2.2" names, in order."""
    found = set()
    for part in filter(None, re.split(r"[,\s]+", text.strip())):
        if "." in part:
            found.add(catalogue.exercise(part).id)
        else:
            found |= {ex.id for number in numbers(part) for ex in catalogue.exercises_of(number)}
    return [ex.id for ex in catalogue.all_exercises() if ex.id in found]


def _points(path):
    """{exercise id: points} of a file with lines such as "2.1 3"."""
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"{path} cannot be read: {getattr(error, 'strerror', None) or error}.") from None
    found = _once_each(_lines_of(text, path), path)
    Settings.from_dict({"course": "babygrad", "points": found}, str(path))  # raises if one is unknown, or odd
    return found


def _once_each(lines, path):
    """{exercise id: points} of (number of the line, id, points)."""
    found, stands = {}, {}
    for number, id, points in lines:
        if id in found:
            raise UsageError(f"{path}, lines {stands[id]} and {number}: both give points to {id}. Keep one of them.")
        found[id], stands[id] = points, number
    return found


def _lines_of(text, path):
    for number, line in enumerate(text.splitlines(), 1):
        if words := line.partition("#")[0].replace(",", " ").split():
            if len(words) != 2 or not words[1].isdecimal():
                raise UsageError(f"{path}, line {number}: write an exercise and its points, such as 2.1 3.")
            yield number, words[0], int(words[1])


def _off_the_track(track, numbers):
    """{id: 0} of the exercises of these notebooks that are not on the track."""
    exercises = (ex for number in numbers for ex in catalogue.exercises_of(number))
    return {ex.id: 0 for ex in exercises if ex.track not in TRACKS[track]}


def _due(text):
    """(number of a notebook or "" for all, aware datetime)."""
    number, equals, day = text.rpartition("=")
    return catalogue.notebook(number).number if equals else "", date(day, ", or 02=2026-12-01")
