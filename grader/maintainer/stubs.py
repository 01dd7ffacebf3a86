"""Keeps babygrad/ as it is made from the reference."""

from ..course.catalogue import place_of
from ..course.paths import LEARNER, package_folder
from ..course.regions import states
from ..course.stubs import generated, write
from ..learner.backups import Backup


def differences(directory=LEARNER):
    """Names of the files in directory/babygrad that differ from the generated ones, missing and extra ones too."""
    folder = package_folder(directory)
    want = generated()
    extra = {p.relative_to(folder).as_posix() for p in folder.rglob("*.py")} - want.keys()
    changed = [n for n, text in want.items() if not (folder / n).is_file() or (folder / n).read_text() != text]
    return sorted({*extra, *changed})


def add_arguments(parser):
    parser.add_argument("--force", action="store_true", help="also over exercises that are filled in (backup kept)")


def run(arguments):
    """python -m grader stubs."""
    different = differences()
    filled = _filled_in(different)
    if filled and not arguments.force:
        print(f"Exercises are filled in ({', '.join(filled)}). To overwrite them, with a backup: add --force.")
        return 2
    backup = Backup()
    for name in generated().keys() & different:
        backup.keep(package_folder(LEARNER) / name, LEARNER)
    write(LEARNER)
    print(f"{len(different)} files written. {backup.sentence()}".strip())
    return 0


def _filled_in(names):
    """Exercises in these files that hold an answer."""
    folder = package_folder(LEARNER)
    found = {id: state for name in names for id, state in (states(folder / name) or {}).items()}
    return sorted((id for id, state in found.items() if state != "untouched"), key=place_of)
