"""python -m grader reset: exercises, or a whole file, as they were at the beginning."""

from ..console import arguments as common
from ..course import catalogue, regions
from ..course.usage import UsageError
from . import pristine
from .rewriting import rewrite, write


def add_arguments(parser):
    common.add_exercises(parser)
    common.add_package(parser)


def run(arguments):
    print(*reset(arguments.which, common.package(arguments.package)), sep="\n")
    return 0


def reset(words, directory):
    """Put the stub back into every named exercise, or into a whole file.  Returns lines that say so."""
    files = [word for word in words if word.endswith(".py")]
    lines = [_reset_file(file, directory) for file in files]
    if len(files) < len(words):
        exercises = catalogue.select([word for word in words if word not in files])
        where = rewrite(exercises, directory, _stubs_of, given=False)
        lines += [f"{ex.id} {ex.title}: {_BACK[ex.id in _handed_out()]}" for ex in exercises]
        lines += filter(None, [where])
    return lines


_BACK = {False: "the stub is back.", True: "the answer that the course gives is back."}


def _handed_out():
    """Ids of the exercises whose answers this course gives."""
    return catalogue.settings_here().get("given", [])


def _reset_file(file, directory):
    file = file.removeprefix("babygrad/")
    fresh = pristine.texts()
    if file not in fresh:
        raise UsageError(f"The course has no file babygrad/{file}. It has {', '.join(sorted(fresh))}.")
    where = write({file: fresh[file]}, directory)
    return f"babygrad/{file} is as it was handed out. {where}".strip()


def _stubs_of(file):
    return regions.stub_regions(pristine.texts()[file])
