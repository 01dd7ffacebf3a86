"""Writes the learner's package from the reference: the one place where stubs come from."""

from ..course.paths import LEARNER, REFERENCE, package_folder
from ..course.regions import replaced, solution_regions, states, stub_regions, stub_text, wrapped
from ..learner.backups import Backup, write_safely


def generated(reference=REFERENCE, given=()):
    """{path inside the package: text} of every file of a fresh learner's package.

    given: ids of the exercises whose answers are in it.
    """
    folder = package_folder(reference)
    paths = sorted(path for path in folder.rglob("*.py") if "__pycache__" not in path.parts)
    return {p.relative_to(folder).as_posix(): _generated(p.read_text(encoding="utf-8"), given) for p in paths}


def _generated(reference, given):
    """The learner's file that is made from the text of a file of the reference."""
    stub = stub_text(reference)
    if not given:
        return stub
    answers = {region.key: region.body for region in solution_regions(reference)}
    places = [region for region in stub_regions(stub) if region.id in given]
    return replaced(stub, places, lambda region: wrapped(region, answers[region.key], given=True))


def write(directory=LEARNER, given=()):
    """Write a fresh learner's package to directory/babygrad, over whatever is there.  Returns where the backup is."""
    backup = Backup()
    for name, text in generated(given=given).items():
        path = package_folder(directory) / name
        if path.is_file() and path.read_text(encoding="utf-8") == text:
            continue
        if directory == LEARNER:
            backup.keep(path, directory)
        path.parent.mkdir(parents=True, exist_ok=True)
        write_safely(path, text)
    return backup.sentence()


def differences(directory=LEARNER):
    """Names of the files in directory/babygrad that differ from the generated ones, missing and extra ones too."""
    folder = package_folder(directory)
    want = generated()
    extra = {p.relative_to(folder).as_posix() for p in folder.rglob("*.py")} - want.keys()
    changed = [n for n, text in want.items() if not (folder / n).is_file() or (folder / n).read_text() != text]
    return sorted({*extra, *changed})


def command(check=False, force=False):
    """python -m grader stubs.  Returns the exit code."""
    different = differences()
    if check:
        print("\n".join(f"babygrad/{name} is not as generated" for name in different) or "babygrad/ is as generated.")
        return 1 if different else 0
    filled = _filled_in(different)
    if filled and not force:
        print(f"Exercises are filled in ({', '.join(filled)}). To write over them, with a backup: add --force.")
        return 2
    where = write()
    print(f"{len(different)} files written. {where}".strip())
    return 0


def _filled_in(names):
    """Exercises in these files that hold an answer."""
    folder = package_folder(LEARNER)
    return sorted(id for name in names for id, state in (states(folder / name) or {}).items() if state != "untouched")
