"""The right answers and those of each misconception: computed by the code in solutions/, or read where they were
recorded (the student edition has no solutions/)."""

from ..course.paths import is_full_edition

if is_full_edition():
    from .reference import demand, known_beforehand, misconceived, misconceptions_of, reference_answers, signs_of
else:
    from .recorded import demand, known_beforehand, misconceived, misconceptions_of, reference_answers, signs_of

__all__ = ["demand", "known_beforehand", "misconceived", "misconceptions_of", "reference_answers", "signs_of"]
