"""The seed of a private variant: by its secret, which no student has."""

from pathlib import Path

from ...course import secret
from ...course.paths import ROOT
from ...course.usage import UsageError

SAID = "The seed comes from the secret. Who grades this edition once more is asked the same, unless you give a --seed."


def seed_of(settings, file, course):
    """The seed that the edition's secret draws gradings with; None for an edition that has none.

    file: the secret, or None: beside the folder of course (course.json, or its folder).  Raises UsageError.
    """
    if not settings.private:
        if file:
            raise UsageError(f"--secret {file}: the edition of this course.json is no private variant. Which is yours?")
        return None
    folder = Path(course or ROOT)
    beside = secret.path_for(folder if folder.is_dir() else folder.parent)
    return secret.number_from(secret.read(file or beside, settings.private), "grading")
