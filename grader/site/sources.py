"""The sources of all pages, as MyST: written to a folder for Sphinx."""

from ..course import catalogue
from ..course.paths import REFERENCE, ROOT
from . import notebook_page
from .links import Links
from .start import start_page

# Pages that are documents of the repository, where they lie there, under the headings of the side bar.
HELP = ("docs/stuck.md", "docs/glossary.md", "docs/answers.md")
TEACHING = ("docs/course.md", "docs/teaching.md", "docs/scaling.md", "docs/jupyterhub.md", "docs/privacy.md")
PROJECT = ("ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md", "CODE_OF_CONDUCT.md")
DOCUMENTS = HELP + TEACHING + PROJECT


def write(folder, address):
    """Write all sources, and in extra/ what is copied as it is.

    address: of the repository.  Returns {page: the file of the repository that it is made from}.
    """
    notebooks = [path for nb in catalogue.notebooks() if (path := executed(nb)).is_file()]
    pages = {f"notebooks/{path.stem}": path.with_suffix(".py") for path in notebooks}
    pages |= {name.removesuffix(".md"): ROOT / name for name in DOCUMENTS}
    origins = {page: path.relative_to(ROOT).as_posix() for page, path in pages.items()}
    links = Links(origins, address)
    (folder / "extra").mkdir(parents=True)
    for path in notebooks:
        page = f"notebooks/{path.stem}"
        text, pictures = notebook_page.page(path)
        put(folder, page, links.within(text, page))
        for name, data in pictures.items():
            put_bytes(folder / "extra" / "notebooks" / "pictures" / name, data)
    for name in DOCUMENTS:
        page = name.removesuffix(".md")
        put(folder, page, links.within((ROOT / name).read_text(encoding="utf-8"), page))
    put(folder, "index", start_page() + contents(notebooks))
    return origins


def executed(nb):
    """The notebook with the reference's outputs."""
    return REFERENCE / "notebooks" / f"{nb.name}.ipynb"


def contents(notebooks):
    """What stands in the side bar, as MyST."""
    groups = {
        "Notebooks": [f"notebooks/{path.stem}" for path in notebooks],
        "Help": [name.removesuffix(".md") for name in HELP],
        "For teachers": [name.removesuffix(".md") for name in TEACHING],
        "The project": [name.removesuffix(".md") for name in PROJECT],
    }
    return "".join(toctree(title, pages) for title, pages in groups.items())


def toctree(title, pages):
    return f"\n```{{toctree}}\n:hidden:\n:caption: {title}\n\n" + "\n".join(pages) + "\n```\n"


def put(folder, page, text):
    """Write the source of a page."""
    put_bytes(folder / f"{page}.md", text.encode())


def put_bytes(path, data):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
