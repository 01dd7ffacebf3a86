"""Compares the hand-ins of a class: which are the same files, and which pairs have answers that are alike."""

from dataclasses import dataclass, field

from ...course.catalogue import all_exercises, place_of
from ...course.paths import REFERENCE
from ...course.regions import solution_regions
from .pairs import ranked
from .tokens import answers, dedented, grams, placed_grams

SHOWN = 5  # exercises of a pair whose texts are shown: those that the fewest share
LINES = 60  # of a text that is shown


@dataclass(frozen=True)
class Answer:
    """What two students wrote for one exercise.  texts: for each, ((line, is it in both and not the reference's), ...).

    sharing: how many students have something of it.
    """

    id: str
    sharing: int
    texts: tuple = ()


@dataclass(frozen=True)
class Alike:
    """Two students, and the Answers that are alike: what the fewest share first, and these with their texts."""

    students: tuple
    answers: tuple


@dataclass(frozen=True)
class Similar:
    """identical: groups of students who handed in the same bytes.  pairs: [Alike], what weighs most first.

    compared: how many hand-ins with an answer of their own there are.
    """

    identical: list = field(default_factory=list)
    pairs: list = field(default_factory=list)
    compared: int = 0


def compare(sources, settings):
    """The Similar of a class.  sources: {student: Source}.  settings: what counts."""
    exercises = settings.exercises()
    wanted, ids = {ex.file for ex in all_exercises()}, {ex.id for ex in exercises}
    reference = reference_answers(exercises)

    def read(student):
        hand_in = sources[student].read(wanted, needed=())
        return hand_in.digest, answers(hand_in.files, ids)

    same, prints = {}, {}
    for student in sorted(sources):
        digest, found = read(student)
        if found:
            same.setdefault(digest, []).append(student)
            if same[digest][0] == student:  # those who handed in the same bytes count once
                prints[student] = {id: grams(text) for id, text in found.items()}
    pairs = ranked(prints, {id: grams(text) for id, text in reference.items()})
    return Similar(
        sorted(tuple(group) for group in same.values() if len(group) > 1),
        [_alike(pair, read, reference) for pair in pairs],
        sum(map(len, same.values())),
    )


def reference_answers(exercises):
    """{exercise id: text} of the reference."""
    found = {}
    for file in sorted({ex.file for ex in exercises}):
        for region in solution_regions((REFERENCE / "babygrad" / file).read_text("utf-8")):
            found[region.id] = "\n".join(filter(None, [found.get(region.id), dedented(region.body)]))
    return found


def _alike(pair, read, reference):
    students = pair.one, pair.other
    written = [read(student)[1] for student in students]
    shared = sorted(pair.shared, key=lambda each: (each[1], place_of(each[0])))
    shown = [
        Answer(id, sharing, _marked([found[id] for found in written], reference.get(id, "")))
        for id, sharing in shared[:SHOWN]
    ]
    return Alike(students, (*shown, *(Answer(id, sharing) for id, sharing in shared[SHOWN:])))


def _marked(texts, reference):
    """For each text its lines, with those marked that hold what both have and the reference has not."""
    both = grams(texts[0]) & grams(texts[1]) - grams(reference)
    return tuple(tuple(_lines(text, both)) for text in texts)


def _lines(text, both):
    marked = {line for print, first, last in placed_grams(text) if print in both for line in range(first, last + 1)}
    lines = text.split("\n")
    yield from ((line, number in marked) for number, line in enumerate(lines[:LINES], 1))
    if lines[LINES:]:
        yield f"({len(lines) - LINES} more lines)", False
