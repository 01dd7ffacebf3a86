"""What a student wrote, line by line: the code of an exercise, or the answer to a question in words.

The code that was handed in is kept as text in the student's folder, OUT/ada/code/value.py, as the answers are
(predictions.py): so the pages, and whoever marks, read what was graded.
"""

import shutil
from dataclasses import dataclass

from ...course.atomic import write_atomically
from ...course.catalogue import all_exercises, is_an_id
from ...course.regions import regions_in
from ...course.safe_text import cut, visible
from ...notebook import answers

CODE = "code"
LONGEST_LINE = 400  # characters of a line that are shown
MOST_LINES = 500
ABOVE, BELOW = 3, 1  # lines shown around one with a comment


@dataclass(frozen=True)
class Text:
    """file: what the student calls it.  lines: ((number there, text), ...).  more: lines left out.

    whole: is it a whole file, because the comments around the exercise are gone?
    """

    file: str
    lines: tuple = ()
    more: int = 0
    whole: bool = False


def write(out, sources, folders, settings):
    """Write the code of everybody whose hand-in is there.  sources: {student: Source}."""
    wanted = {ex.file for ex in settings.exercises()}
    for student in sorted(folders.keys() & sources.keys()):
        place = out / folders[student] / CODE
        shutil.rmtree(place, ignore_errors=True)
        for name, content in sources[student].read(wanted, needed=()).files.items():
            path = place / name
            path.parent.mkdir(parents=True, exist_ok=True)
            write_atomically(path, "".join(f"{visible(line)}\n" for line in _lines(content)))


def text_of(item, folder):
    """The Text of an exercise or a question in a student's folder; None if there is none."""
    if not is_an_id(item):
        return _answer(item, folder)
    return next((_code(ex, folder) for ex in all_exercises() if ex.id == item), None)


def excerpts(lines, numbers):
    """The lines near those with these numbers, in pieces that each end with one of them: [(number, lines)]."""
    found, start = [], 0
    places = {number: place for place, (number, _) in enumerate(lines)}
    for number in sorted(numbers):
        place = places[number]
        found.append((number, lines[max(start, place - ABOVE) : place + 1]))
        start = place + 1
    if found:
        found.append((None, lines[start : start + BELOW]))
    return found


def _code(ex, folder):
    try:
        content = (folder / CODE / ex.file).read_bytes()
    except OSError:
        return None
    lines, file = content.decode("utf-8", errors="replace").split("\n"), f"babygrad/{ex.file}"
    regions = [region for region in regions_in(content) if region.id == ex.id]
    numbers = [number for region in regions for number in range(region.start + 1, region.end + 1)]
    return _text(file, lines, numbers or range(1, len(lines)), not regions)


def _answer(key, folder):
    number = key.split(".")[0] if answers.KEY.fullmatch(key) else None
    found = [answer for answer in answers.kept(number, folder, "Note") if answer.key == key] if number else ()
    if not found:
        return None
    lines = found[0].text.split("\n")
    return _text(f"{answers.FOLDER}/{int(number):02}.md", lines, range(1, len(lines) + 1))


def _text(file, lines, numbers, whole=False):
    shown = tuple((number, cut(visible(lines[number - 1]), LONGEST_LINE)) for number in numbers[:MOST_LINES])
    return Text(file, shown, len(numbers) - len(shown), whole)


def _lines(content):
    text = content.decode("utf-8-sig", errors="replace").replace("\r\n", "\n").replace("\r", "\n")
    return text.removesuffix("\n").split("\n")
