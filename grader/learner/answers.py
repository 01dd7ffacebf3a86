"""Puts answers or stubs into the regions of a learner's files. A backup is kept of every file that is written."""

from ..course import catalogue, regions
from ..course.atomic import write_atomically
from ..course.paths import REFERENCE, is_full_edition, package_folder
from ..course.usage import UsageError
from . import pristine
from .backups import Backup


def fill(words, directory):
    """Put the reference's answer into every named exercise that does not pass.  Returns lines that say so."""
    from ..checking.check import Request, check

    if not is_full_edition():
        raise UsageError("fill puts in the answers of the full edition, and this student edition has none.")
    exercises = catalogue.select(words)
    waiting = [ex for ex, v in zip(exercises, check(exercises, Request(directory)), strict=True) if not v.done]
    if not waiting:
        return ["Nothing to fill in: these exercises pass already."]
    where = _rewrite(waiting, directory, _answers_of, given=True)
    return [*(f"{ex.id} {ex.title}: filled in. It counts as given: no points." for ex in waiting), where]


def reset(words, directory):
    """Put the stub back into every named exercise, or into a whole file.  Returns lines that say so."""
    files = [word for word in words if word.endswith(".py")]
    lines = [_reset_file(file, directory) for file in files]
    if len(files) < len(words):
        exercises = catalogue.select([word for word in words if word not in files])
        where = _rewrite(exercises, directory, _stubs_of, given=False)
        lines += [*(f"{ex.id} {ex.title}: {_BACK[ex.id in _handed_out()]}" for ex in exercises), where]
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
    where = _write({file: fresh[file]}, directory)
    return f"babygrad/{file} is as it was at the beginning. {where}".strip()


def _answers_of(file):
    return regions.solution_regions((package_folder(REFERENCE) / file).read_text(encoding="utf-8"))


def _stubs_of(file):
    return regions.stub_regions(pristine.texts()[file])


def _rewrite(exercises, directory, sources_of, given):
    """Replace the exercises' regions by those of sources_of(file).  Returns the sentence about the backup."""
    files = dict.fromkeys(ex.file for ex in exercises)
    ids = {ex.id for ex in exercises}
    return _write({file: _rewritten(file, ids, directory, sources_of(file), given) for file in files}, directory)


def _rewritten(file, ids, directory, sources, given):
    wanted = {region.key: region for region in sources if region.id in ids}
    text = _learners_text(file, directory)
    found = [region for region in learners_regions(file, text) if region.id in ids]
    missing = wanted.keys() - {region.key for region in found}
    if missing or len(found) > len(wanted):
        raise UsageError(_about_comments(file, sorted({id for id, _ in missing or {r.key for r in found}})))

    def lines_for(region):
        source = wanted[region.key]
        return regions.wrapped(source, source.body, given or source.given)

    return regions.replaced(text, found, lines_for)


def _learners_text(file, directory):
    path = package_folder(directory) / file
    if not path.is_file():
        raise UsageError(f"There is no babygrad/{file}. {_start_over(file)}")
    try:
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise UsageError(f"babygrad/{file} is not saved as UTF-8 text. {_start_over(file)}") from None


def learners_regions(file, text):
    """The regions of a learner's file.  Raises UsageError if its comments do not pair up."""
    try:
        return regions.stub_regions(text)
    except regions.MarkerError as error:
        raise UsageError(f"babygrad/{file}, {error}. {_start_over(file)}") from None


def _about_comments(file, ids):
    return (
        f"The comments '# exercise {ids[0]}' and '# end of exercise {ids[0]}' in babygrad/{file} are not as in the "
        f"stub. Put them back around the answer. {_start_over(file)}"
    )


def _start_over(file):
    return f"To start over with the whole file (a backup is kept): python -m grader reset {file}"


def _write(texts, directory):
    """Write {file: text} into the package, keeping copies.  Returns the sentence about the copies."""
    backup = Backup()
    for file, text in texts.items():
        path = package_folder(directory) / file
        backup.keep(path, directory)
        write_atomically(path, text, durable=True)
    return backup.sentence()
