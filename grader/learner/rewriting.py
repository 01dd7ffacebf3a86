"""Rewrites the regions of a learner's files. A backup is kept of every file that is written."""

from ..course import regions
from ..course.atomic import write_atomically
from ..course.catalogue import place_of
from ..course.paths import package_folder
from ..course.usage import UsageError
from .backups import Backup


def rewrite(exercises, directory, sources_of, given):
    """Replace the exercises' regions by those of sources_of(file).  Returns the sentence about the backup."""
    files = dict.fromkeys(ex.file for ex in exercises)
    ids = {ex.id for ex in exercises}
    return write({file: _rewritten(file, ids, directory, sources_of(file), given) for file in files}, directory)


def _rewritten(file, ids, directory, sources, given):
    wanted = {region.key: region for region in sources if region.id in ids}
    text = learners_text(file, directory)
    found = [region for region in learners_regions(file, text) if region.id in ids]
    missing = wanted.keys() - {region.key for region in found}
    if missing or len(found) > len(wanted):
        named = {id for id, _ in missing or {region.key for region in found}}
        raise UsageError(_about_comments(file, sorted(named, key=place_of)))

    def lines_for(region):
        source = wanted[region.key]
        return regions.wrapped(source, source.body, given or source.given)

    return regions.replaced(text, found, lines_for)


def learners_text(file, directory):
    """The text of a file of the package.  Raises UsageError if it cannot be read."""
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
        f"The comments '# exercise {ids[0]}' and '# end of exercise {ids[0]}' in babygrad/{file} are not as they were "
        f"in the stub. Put them back around the answer. {_start_over(file)}"
    )


def _start_over(file):
    return f"To start over with the whole file (a backup is kept): python -m grader reset {file}"


def write(texts, directory):
    """Write {file: text} into the package, keeping copies of what changes.  Returns the sentence about the copies."""
    backup = Backup()
    for file, text in texts.items():
        path = package_folder(directory) / file
        if path.is_file() and path.read_bytes() == text.encode():
            continue
        backup.keep(path, directory)
        write_atomically(path, text, durable=True)
    return backup.sentence()
