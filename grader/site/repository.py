"""Where the course's files are shown to everybody: one setting, repository-code in CITATION.cff."""

import re

from ..course.paths import ROOT

BRANCH = "main"
ON_GITHUB = re.compile(r"https://github\.com/([\w.-]+/[\w.-]+?)(?:\.git)?/?")
# Where a notebook of a repository on GitHub can be run, by the addresses that these two hosts document.
ELSEWHERE = {
    "Colab": "https://colab.research.google.com/github/{name}/blob/{branch}/{path}",
    "Binder": "https://mybinder.org/v2/gh/{name}/{branch}?urlpath=lab/tree/{path}",
}


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


def opened(repository, path):
    """{host: the address at which it opens a notebook}; none for a repository that is not on GitHub."""
    found = ON_GITHUB.fullmatch(repository)
    return {host: form.format(name=found[1], branch=BRANCH, path=path) for host, form in ELSEWHERE.items() if found}
