"""The course as data: loads the exercises and the misconceptions, and finds them by number."""

import difflib
import json
import re
from dataclasses import replace
from functools import cache

from . import edit_files
from .edits import Edit
from .exercise import Exercise, Misconception, OtherAnswer
from .folders import folder_of, load, notebook_folders, number_in, number_of
from .paths import COURSE_FILE, RETIRED, ROOT, TOO_EARLY
from .phrases import plural
from .questions import probes_of
from .usage import UsageError


@cache
def notebooks():
    """All Notebooks, in order."""
    return [load(number, "exercises").NOTEBOOK for number in numbers()]


def numbers():
    """The two-digit numbers of the released notebooks, in order."""
    released = settings_here().get("notebooks")
    here = map(number_in, notebook_folders())
    return [number for number in here if released is None or number in released]


@cache
def exercises_of(number):
    """The Exercises of the notebook with this two-digit number, in order."""
    found = [x for x in vars(load(number, "exercises")).values() if isinstance(x, Exercise)]
    for ex in found:
        if ex.id in retired():
            raise ValueError(f"The id {ex.id} is retired: a new exercise needs an id that none had before.")
        ex.needs = tuple(id for id in ex.needs if is_here(id))  # the others are not in this edition
        ex.probes = probes_of(ex.id)
    _give_comparisons(number, {ex.id: ex for ex in found})
    return found


def _give_comparisons(number, exercises):
    """Each probe gets what marking.py compares its answers by: COMPARISONS is {exercise id: {name of a probe: one}}.

    Where one stands for all probes of an exercise there is no second dict.  Raises KeyError for a name of no probe.
    """
    marking = load(number, "marking")
    for id, comparisons in marking.COMPARISONS.items() if marking else ():
        ex = exercises[id]
        left = {p.name: comparisons for p in ex.probes} if callable(comparisons) else dict(comparisons)
        ex.probes = [replace(probe, compare=left.pop(probe.name, None)) for probe in ex.probes]
        if left:
            raise KeyError(f"{id} asks no {', '.join(left)}")


def all_exercises():
    """All Exercises, in order."""
    return [ex for number in numbers() for ex in exercises_of(number)]


def notebook(number):
    """The Notebook of this number ("2" or "02").  Raises UsageError if there is none."""
    found = [nb for nb in notebooks() if nb.number == str(number).zfill(2)]
    if not found:
        raise UsageError(f"There is no notebook {number}. The course has {_what_there_is()}.")
    return found[0]


@cache
def exercise(id):
    """The Exercise with this id, such as "2.1".  Raises UsageError, naming near ones, if there is none."""
    number = number_of(id)
    if is_here(id):
        for ex in exercises_of(number):
            if ex.id == id:
                return ex
    raise UsageError(f"There is no exercise {id}{_instead_of(id)}")


def _instead_of(id):
    """Why an exercise is not here, as the end of a sentence: retired, given, not released, or mistyped."""
    if id in retired():
        return f" any more: {retired()[id]}."
    if id in settings_here().get("given", []):
        return " to do: its answer is given, and stands in the files."
    if not is_here(id) and is_an_id(id):
        return f" in this course, which has {_what_there_is()}."
    near = difflib.get_close_matches(id, [ex.id for ex in all_exercises()], n=3, cutoff=0.5)
    return f". Did you mean {' or '.join(near)}?" if near else "."


def is_here(id):
    """Is the notebook of the exercise with this id among the released ones?"""
    return number_of(id) in numbers()


@cache
def all_needs(id):
    """Ids of all that an exercise builds on, and of what that builds on, in order."""
    direct = exercise(id).needs
    return tuple(sorted({*direct, *(each for need in direct for each in all_needs(need))}, key=place_of))


def select(words):
    """The Exercises that words like "2.1" and "02" name; all of them if there are no words."""
    if not words:
        return all_exercises()
    chosen = []
    for word in words:
        chosen += [exercise(word)] if "." in word else exercises_of(_notebook_number(word))
    return list({ex.id: ex for ex in chosen}.values())


def misconceptions_of(ex):
    """The named wrong implementations of this exercise."""
    _know_the_mistakes(ex.notebook)
    return ex.misconceptions


@cache
def _know_the_mistakes(number):
    """Gives the exercises of a notebook what stands in mistakes.md and mistakes.py, where these are here."""
    for entry, edit in _edits(number, "mistakes.md"):
        idea = Misconception(entry.name, entry.words, None, entry.more, entry.same_as, edit)
        exercise(edit.id).misconceptions.append(idea)
    load(number, "mistakes")


def other_answers_of(ex):
    """Right answers to this exercise in another style, as OtherAnswers."""
    edits = _edits(ex.notebook, "other_answers.md")
    found = [OtherAnswer(entry.name, edit) for entry, edit in edits if edit.id == ex.id]
    begin = f"variant_{ex.id.replace('.', '_')}_"  # such as variant_2_1_a_name(package)
    for name, patch in vars(load(ex.notebook, "other_answers") or object).items():
        if name.startswith(begin):
            found.append(OtherAnswer(name.removeprefix(begin).replace("_", " "), patch=patch))
    return found


def _edits(number, name):
    """(Entry, Edit) of each exercise that an entry of this file is about."""
    folder = folder_of(number)
    for entry in edit_files.read(folder / name) if folder else ():
        for id in entry.ids:
            yield entry, Edit(id, exercise(id).file, tuple(entry.changes))


def key_idea(id):
    """The one thing that the learner decides or finds in an exercise; "" where it is not told (a student edition)."""
    module = load(number_of(id), "key_ideas")
    return module.KEY_IDEAS.get(id, "") if module else ""


def same_for_all(id):
    """Why the questions of an exercise draw nothing, so that one right answer is right for everybody and every year;
    "" where they do, or where it is not told."""
    module = load(number_of(id), "key_ideas")
    return getattr(module, "SAME_FOR_ALL", {}).get(id, "")


def in_person(number):
    """What a teacher asks somebody face to face who has done this notebook; "" where it is not told."""
    return getattr(load(number, "key_ideas"), "IN_PERSON", "")


def place_of(id):
    """Where an exercise stands in the course: 2.9 before 2.10. From a stranger's process any text may come as an id."""
    return tuple(map(int, re.findall(r"\d{1,4}", id)))


def is_an_id(text):
    """Does it look like the id of an exercise?"""
    return isinstance(text, str) and re.fullmatch(r"\d{1,2}\.\d{1,2}", text) is not None


@cache
def retired(root=ROOT):
    """{id of an exercise that the course in root has no more: what became of it}. An id is never used again."""
    path = root / RETIRED.relative_to(ROOT)
    return json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}


@cache
def too_early():
    """What to do without an exercise that comes later: {its id, or "any": {who needs it: sentences}}.

    Who: an exercise, also with the title of one part of the later one; all of a notebook; "" is everybody. A sentence
    is a text, or {a pattern: a text} that is said where the answer's text has the pattern.
    """
    return json.loads(TOO_EARLY.read_text(encoding="utf-8"))


@cache
def settings_here():
    """The course.json of this folder, as plain data; {} in the full course, which has none."""
    return read_settings(COURSE_FILE) if COURSE_FILE.is_file() else {}


def read_settings(path):
    """A course.json as plain data.  Raises UsageError."""
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror}.") from None
    except ValueError as error:
        raise UsageError(f"{path} is not JSON: {error}.") from None
    if not isinstance(found, dict):
        raise UsageError(f"{path} does not contain the settings of a course.")
    return found


def _notebook_number(word):
    if not re.fullmatch(r"\d{1,2}", word):
        raise UsageError(f"{word!r} is neither an exercise (such as 2.1) nor a notebook (such as 02).")
    return notebook(word).number


def _what_there_is():
    """Such as "notebooks 00 to 13", or "notebooks 02, 05" of a part."""
    numbers = [nb.number for nb in notebooks()]
    in_a_row = len(numbers) == int(numbers[-1]) - int(numbers[0]) + 1 > 2
    span = f"{numbers[0]} to {numbers[-1]}" if in_a_row else ", ".join(numbers)
    return f"{plural('notebook', len(numbers))} {span}"
