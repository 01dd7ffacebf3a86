"""The site: the pages' sources written to a folder, Sphinx run on them, the try page written beside."""

import contextlib
import io
import shutil
import tempfile
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

from ..course.paths import ROOT
from ..course.phrases import listed
from ..course.usage import UsageError
from . import mended, repository, sources

SITE = ROOT / "site"
THEME = Path(__file__).parent / "theme"
NEEDED = ("sphinx", "myst_parser", "furo", "sphinx_copybutton", "latex2mathml")
MADE_HERE = ".buildinfo"  # Sphinx leaves it in every folder that it writes


def build(out, address="", wheels=""):
    """Write the site into the folder out, in place of an older one.  Returns the number of its pages.

    address: of the repository, for links to files that have no page.  wheels: as in tryit.write.  Raises UsageError.
    """
    demand_packages()
    demand_ours(out)
    address = address or repository.address()
    with tempfile.TemporaryDirectory() as folder:
        source, made = Path(folder, "source"), Path(folder, "made")
        origins = sources.write(source, address)
        run_sphinx(source, made, Path(folder, "between"), address, origins)
        mended.mend(made)
        import_module(".tryit", __package__).write(made, wheels)  # a room above this one
        shutil.rmtree(out, ignore_errors=True)
        shutil.copytree(made, out)
    return len(list(out.rglob("*.html")))


def demand_packages():
    """Raises UsageError if a package is missing."""
    if missing := [name for name in NEEDED if not find_spec(name)]:
        raise UsageError(f"There is no {listed(missing)} here: `make site` installs what it needs.")


def demand_ours(out):
    """Raises UsageError if the folder holds anything but an older site."""
    if out.exists() and not (out.is_dir() and ((out / MADE_HERE).exists() or not any(out.iterdir()))):
        raise UsageError(f"{out} is no folder that a site was written to: name another, or empty it.")


def run_sphinx(source, out, between, address, origins):
    """Make the pages of a folder of MyST.  origins: {page: the file of the repository that it is made from}."""
    from sphinx.application import Sphinx
    from sphinx.errors import SphinxError

    told = io.StringIO()
    settings = {**SETTINGS, "babygrad_repository": address, "babygrad_origins": origins}
    with contextlib.redirect_stdout(told):
        app = Sphinx(source, None, out, between, "html", settings, status=told, warning=told, freshenv=True)
        try:
            app.build()
        except SphinxError as error:
            raise UsageError(f"The site could not be made: {error}") from None
    if app._warncount:
        warnings = [line for line in told.getvalue().splitlines() if "WARNING" in line or "ERROR" in line]
        raise UsageError("The site could not be made:\n" + "\n".join(warnings))


SETTINGS = {
    "project": "babygrad",
    "author": "the babygrad authors",
    "html_show_copyright": False,
    "language": "en",
    "root_doc": "index",
    "extensions": ["myst_parser", "sphinx_copybutton", "grader.site.extension"],
    "myst_enable_extensions": ["dollarmath", "attrs_block"],
    "myst_heading_anchors": 4,
    "html_theme": "furo",
    "html_title": "babygrad",
    "html_theme_options": {"top_of_page_buttons": ["edit"]},
    "html_static_path": [str(THEME / "static")],
    "templates_path": [str(THEME)],
    "html_css_files": ["book.css"],
    "html_js_files": [("book.js", {"defer": "defer"})],
    "html_favicon": str(THEME / "favicon.svg"),
    "html_copy_source": False,
    "html_show_sourcelink": False,
    "html_extra_path": ["extra"],
    "html_use_index": False,
    "html_domain_indices": False,
    "smartquotes": False,
    "add_module_names": False,
    "toc_object_entries_show_parents": "hide",
    "html_math_renderer": "mathml",
    "highlight_language": "none",
    "copybutton_selector": "div.code div.highlight pre",
}
