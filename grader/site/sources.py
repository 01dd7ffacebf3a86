"""The sources of all pages, as MyST: written to a folder for Sphinx."""

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from ..course import catalogue
from ..course.folders import folder_of
from ..course.paths import NOTEBOOKS, REFERENCE, ROOT
from ..course.phrases import counted
from . import api, exercise_pages, notebook_page, repository, start, wrong_ideas
from .links import Links

# The documents of the repository that have a page, by the headings of the side bar.
LEARNING = ("docs/notebooks", "docs/using", "docs/stuck", "docs/glossary", "docs/accessibility")
TEACHING = ("docs/course", "docs/plans", "docs/teaching", "docs/grading", "docs/scaling", "docs/jupyterhub")
TEACHING += ("docs/privacy",)
PROJECT = ("docs/development", "CONTRIBUTING", "ARCHITECTURE", "CHANGELOG", "SECURITY", "CODE_OF_CONDUCT")
# It says what is to be found in each exercise, for teachers: no learner should meet it by chance.
WITHOUT_A_PAGE = ("docs/exercises", "AGENTS")
HERE = Path(__file__)
TRY_IT = ("01", "02", "03", "04")  # notebooks whose exercises can be done on the site


class Page(NamedTuple):
    """origin: the file that somebody who mends the page edits.  text: gives its MyST."""

    origin: Path
    text: Callable[[], str]


def write(folder, address):
    """Write all sources, and in extra/ what is copied as it is.

    address: of the repository.  Returns {page: the file of the repository that it is made from}.
    """
    made = pages(address)
    origins = {name: page.origin.relative_to(ROOT).as_posix() for name, page in made.items()}
    links = Links(origins, address)
    for name, page in made.items():
        put(folder / f"{name}.md", links.within(page.text(), name).encode())
    for nb in catalogue.notebooks():
        put(folder / "extra" / "notebooks" / f"{nb.name}.ipynb", (NOTEBOOKS / f"{nb.name}.ipynb").read_bytes())
        for name, png in notebook_page.pictures(executed(nb)).items():
            put(folder / "extra" / "notebooks" / name, png)
    return origins


def pages(address=""):
    """{where it is on the site, without .html: Page}.  address: of the repository."""
    found = {"index": Page(HERE.with_name("start.py"), lambda: start.start_page(address) + side_bar())}
    for nb in catalogue.notebooks():
        path, folder = executed(nb), folder_of(nb.number)
        found |= {
            f"notebooks/{nb.name}": Page(
                path.with_suffix(".py"), lambda nb=nb, path=path: _notebook(nb, path, address)
            ),
            f"exercises/{nb.name}": Page(
                folder / "exercises.py", lambda nb=nb, path=path: exercise_pages.page(nb, path, nb.number in TRY_IT)
            ),
            f"what_goes_wrong/{nb.name}": Page(folder / "mistakes.md", lambda nb=nb: wrong_ideas.page(nb)),
        }
    found["exercises/index"] = Page(HERE, _all_exercises)
    found["what_goes_wrong/index"] = Page(HERE, _all_wrong_ideas)
    for name in LEARNING + TEACHING + PROJECT:
        path = ROOT / f"{name}.md"
        found[name] = Page(path, lambda path=path: path.read_text(encoding="utf-8"))
    modules = api.modules()
    found["package/index"] = Page(HERE.with_name("api.py"), lambda: api.contents(modules))
    return found | {name: Page(path, lambda path=path: api.page(path)) for name, path in modules.items()}


def executed(nb):
    """The notebook with the reference's outputs."""
    return REFERENCE / "notebooks" / f"{nb.name}.ipynb"


def _notebook(nb, path, address):
    """The page of a notebook, with what leads to everything else about it below its title."""
    title, _, rest = notebook_page.with_questions(notebook_page.page(path), nb.number).partition("\n")
    opened = repository.opened(address, f"{NOTEBOOKS.name}/{nb.name}.ipynb")
    beside = [
        *[f'<a href="../try/{nb.number}.html">Try it in the page</a>'] * (nb.number in TRY_IT),
        *(f'<a href="{there}">Open in {host}</a>' for host, there in opened.items()),
        f'<a href="{nb.name}.ipynb" download>Download the notebook</a>',
        f'<a href="../exercises/{nb.name}.html">Exercises and hints</a>',
        f'<a href="../what_goes_wrong/{nb.name}.html">What goes wrong</a>',
    ]
    return f"{title}\n\n{notebook_page.quiet('beside', ' · '.join(beside))}\n{rest}"


def _all_exercises():
    rows = ["| notebook | exercises | points |", "|---|---|---|"]
    for nb in catalogue.notebooks():
        found = catalogue.exercises_of(nb.number)
        each = ", ".join(f"[{ex.id}](#{exercise_pages.label(ex.id)})" for ex in found)
        rows.append(f"| [{nb.number} {nb.title}]({nb.name}.md) | {each} | {sum(ex.points for ex in found)} |")
    about = "What each exercise asks, its stub, and three folded hints. No answers: those are yours to find."
    return f"# Exercises\n\n{about}\n\n" + "\n".join(rows) + "\n" + _below()


def _all_wrong_ideas():
    rows = ["| notebook | wrong ideas |", "|---|---|"]
    for nb in catalogue.notebooks():
        known = sum(len(catalogue.misconceptions_of(ex)) for ex in catalogue.exercises_of(nb.number))
        rows.append(f"| [{nb.number} {nb.title}]({nb.name}.md) | {known} |")
    total = sum(len(catalogue.misconceptions_of(ex)) for ex in catalogue.all_exercises())
    about = (
        f"A check does not only say that an answer is wrong: it knows {counted(total, 'wrong idea')} by what they do, "
        "and says which one it was. Is yours missing? [CONTRIBUTING.md](../CONTRIBUTING.md) shows how to add it."
    )
    return f"# What goes wrong\n\n{about}\n\n" + "\n".join(rows) + "\n" + _below()


def _below():
    """Pages of all notebooks in the side bar, below this one."""
    return toctree([f"{nb.number} {nb.title} <{nb.name}>" for nb in catalogue.notebooks()])


def side_bar():
    """What stands in the side bar, as MyST."""
    groups = {
        "Notebooks": [f"notebooks/{nb.name}" for nb in catalogue.notebooks()],
        "Learning": ["exercises/index", "what_goes_wrong/index", *LEARNING],
        "Teaching": TEACHING,
        "The project": ["package/index", *PROJECT],
    }
    return "".join(toctree(pages, title) for title, pages in groups.items())


def toctree(pages, caption=""):
    options = ":hidden:" + (f"\n:caption: {caption}" if caption else "")
    return f"\n```{{toctree}}\n{options}\n\n" + "\n".join(pages) + "\n```\n"


def put(path, data):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
