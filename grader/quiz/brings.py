"""What brings questions: a notebook that is done, and a misconception that a check named (noted by log.add_ideas)."""

from ..course import catalogue
from ..course.exercise import EITHER, IN_PART
from ..course.tracks import MARKS
from .log import Event


def newly_done(log, states, is_failed, now, is_asked=lambda id: True):
    """Events for the notebooks that are done and were not before. What was done once brings its questions for good.

    An exercise counts as done when something is written in it, and it did not fail when it was last checked.
    states: {file: {exercise id: state of its region}, or None}.  is_failed(id): did it, at its last check?
    is_asked(id): does the exercise count here?
    """
    known = {(event.done, event.track) for event in log.events}
    found = {id: state for there in states.values() for id, state in (there or {}).items()}
    given = catalogue.settings_here().get("given", ())

    def is_done(id):
        return found.get(id) in ("changed", "given") and not is_failed(id)

    for number in catalogue.numbers():
        own = [ex for ex in catalogue.exercises_of(number) if ex.id not in given and is_asked(ex.id)]
        for track in tracks_done(is_done, own) if own else ():
            if (number, track) not in known:
                yield Event(now, done=number, track=track)


def named_in(verdicts):
    """(id of an exercise, name) of each misconception that verdicts name; of several that may be it, each."""
    for verdict in verdicts:
        if verdict.misconception and not verdict.misconception.startswith(IN_PART):
            yield from ((verdict.id, name) for name in verdict.misconception.split(EITHER))


def tracks_done(is_done, exercises):
    """The tracks as far as which a notebook is done.  is_done(id): is this exercise?  exercises: its Exercises."""
    for place, mark in enumerate(MARKS):
        asked = [ex for ex in exercises if ex.track in MARKS[: place + 1]] or exercises
        if all(is_done(ex.id) for ex in asked):
            yield mark
