"""The tracks through the course: what lies on a shorter one needs nothing that only a longer one has."""

from grader.course import catalogue
from grader.course.tracks import STRETCH, TRACKS


def test_no_exercise_of_the_core_needs_one_that_is_stretch():
    needed = {(id, ex.id) for ex in catalogue.all_exercises() if ex.track in TRACKS["core"] for id in ex.needs}
    assert [(id, by) for id, by in sorted(needed) if catalogue.exercise(id).track == STRETCH] == []


def test_the_exercises_of_00_to_16_are_at_most_115():
    assert sum(ex.notebook <= "16" for ex in catalogue.all_exercises()) <= 115
