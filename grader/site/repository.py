"""Where the course's files are shown to everybody: one setting, repository-code in CITATION.cff."""

import re

from ..course.paths import ROOT

BRANCH = "main"


def address(root=ROOT):
    """The address of the repository, without a slash at its end; "" where CITATION.cff names none."""
    found = re.search(r'^repository-code: *"?([^"\s]+)', (root / "CITATION.cff").read_text(encoding="utf-8"), re.M)
    return found[1].rstrip("/") if found else ""


def shown(repository, path):
    """The address at which a file of the repository is read; "" if it has none."""
    return repository and f"{repository}/blob/{BRANCH}/{path}"


def edited(repository, path):
    """The address at which it is edited."""
    return repository and f"{repository}/edit/{BRANCH}/{path}"
