"""HTML: the templates of all rooms, filled in.

Every text is hostile. What a template writes goes through `visible` and is escaped, unless a template made it. The
class's pages hold no script, and their Content-Security-Policy allows nothing but their own style sheet, so that a
mistake here would still run nothing and ask for nothing.
"""

import base64
import hashlib
import re
from functools import cache, partial
from urllib.parse import quote

import jinja2
from markupsafe import Markup, escape

from ..course.paths import ROOT
from ..course.rooms import ROOMS
from ..course.safe_text import cut, visible

# A learner's file, as messages name it: "babygrad/value.py, line 88", "babygrad/value.py: exercise 3.2".
FILE = re.compile(r"babygrad/(?P<file>[\w/]+\.py)\b(?:, line (?P<line>\d{1,6})|(?=: exercise (?P<id>\d+\.\d+)))?")
# nbconvert fills in those of the slides.
FOLDERS = [ROOT / room.place / "templates" for room in ROOMS if room.place != "grader/slides"]


def render(template, **values):
    """The HTML of a template, as text."""
    return _environment().get_template(template).render(values)


def percent(part, whole):
    """How many of a hundred; 0 of nothing is 0."""
    return 100 * part / whole if whole else 0


@cache
def _environment():
    environment = jinja2.Environment(
        autoescape=True,
        finalize=_finalized,
        loader=jinja2.FileSystemLoader(FOLDERS),
        lstrip_blocks=True,
        trim_blocks=True,
        undefined=jinja2.StrictUndefined,
    )
    environment.filters |= {"breakable": _breakable, "cut": cut, "sha256": _sha256, "quoted": partial(quote, safe="")}
    environment.filters["linked"] = _linked
    environment.globals["percent"] = percent
    return environment


def _finalized(value):
    """Nothing stays hidden in a text; HTML that a template made stays as it is."""
    return value if hasattr(value, "__html__") else visible(str(value))


def _breakable(title):
    """The title of an exercise. A long name in it may be broken behind an underscore between words."""
    return Markup(re.sub(r"(?<=[a-z0-9]_)(?=[a-z])", "<wbr>", escape(visible(title))))


def _linked(html, verdict, attributes):
    """A line of a message, with links to the files that it names.  attributes: of a link, as HTML.

    JupyterLab itself follows #line=, from 0; with learner/layout #exercise- too. Where the file of the verdict is
    named alone, the link leads to its exercise.
    """

    def link(found):
        own = verdict and verdict.file == found["file"] and verdict.id
        exercise = found["id"] or own
        place = f"#line={int(found['line']) - 1}" if found["line"] else exercise and f"#exercise-{exercise}"
        return f"<a href='../babygrad/{found['file']}{place or ''}' {attributes}>{found[0]}</a>"

    return Markup(FILE.sub(link, escape(_finalized(html))))


def _sha256(style):
    """As a Content-Security-Policy names it."""
    return base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
