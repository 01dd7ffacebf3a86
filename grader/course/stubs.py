"""The learner's package as the course hands it out, made from the reference: the one place where stubs come from."""

from .atomic import write_atomically
from .paths import REFERENCE, package_folder
from .regions import replaced, solution_regions, stub_regions, stub_text, wrapped


def generated(reference=REFERENCE, given=()):
    """{path inside the package: text} of every file of a fresh learner's package.

    given: ids of the exercises whose answers are in it.
    """
    folder = package_folder(reference)
    paths = sorted(path for path in folder.rglob("*.py") if "__pycache__" not in path.parts)
    return {p.relative_to(folder).as_posix(): _generated(p.read_text(encoding="utf-8"), given) for p in paths}


def write(directory, given=()):
    """Write a fresh learner's package to directory/babygrad, over whatever is there."""
    for name, text in generated(given=given).items():
        path = package_folder(directory) / name
        path.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(path, text)


def _generated(reference, given):
    """The learner's file that is made from the text of a file of the reference."""
    stub = stub_text(reference)
    if not given:
        return stub
    answers = {region.key: region.body for region in solution_regions(reference)}
    places = [region for region in stub_regions(stub) if region.id in given]
    return replaced(stub, places, lambda region: wrapped(region, answers[region.key], given=True))
