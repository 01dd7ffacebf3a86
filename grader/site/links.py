"""Links: between files of the repository they are paths; on pages they lead to pages."""

import posixpath
import re

from ..course import catalogue
from . import repository
from .exercise_pages import MENTIONED, NUMBER, label
from .markdown import outside_code

LINK = r"(?<!!)\[(?P<words>[^\]\[]*)\]\((?P<to>[^)\s]+)\)"
OUTSIDE = re.compile(r"[a-z]+:|#")
# Where no link is made: in headings, in links, in HTML.
KEPT = r"(?P<kept>^#[^\n]*$|\[[^\]\[]*\]\([^)\s]+\)|<[^>\n]+>)"
NAMED = r"[Nn]otebook (?P<number>\d\d)\b|[Ee]xercise \d+\.\d+\b|(?<=\()(?P<ids>\d+\.\d+(?:, \d+\.\d+)*)(?=\))"
NAMED += f"|{MENTIONED}"


class Links:
    """Where the files of the repository are on the site.

    origins: {page: the file that it is made from}.  address: of the repository, for files that have no page.
    """

    def __init__(self, origins, address):
        self.pages = {origin: page for page, origin in origins.items()}
        self.names = {*origins}
        for nb in catalogue.notebooks():
            for folder in ("notebooks", "solutions/notebooks"):
                self.pages[f"{folder}/{nb.name}.ipynb"] = f"notebooks/{nb.name}"
        self.address = address
        self.notebooks = {nb.number: f"notebooks/{nb.name}" for nb in catalogue.notebooks()}
        self.exercises = {ex.id for ex in catalogue.all_exercises()}

    def within(self, markdown, page):
        """The Markdown of a page with its links to files made links to pages, or to the repository."""
        linked = outside_code(LINK, lambda found: self._link(found, page), markdown)
        return outside_code(f"{KEPT}|{NAMED}", lambda found: self._named(found, page), linked)

    def _link(self, found, page):
        words, to = found["words"], found["to"]
        if OUTSIDE.match(to) or (to.endswith(".md") and self._is_a_page(to, page)):
            return found[0]
        path, _, part = to.partition("#")
        path = posixpath.normpath(posixpath.join(posixpath.dirname(page), path))
        exercise = part.removeprefix("exercise-")
        if exercise in self.exercises:
            return f"[{words}](#{label(exercise)})"
        part = part and f"#{part}"
        if path in self.pages:
            return f"[{words}]({self._from(page, self.pages[path])}.md{part})"
        shown = repository.shown(self.address, path)
        return f"[{words}]({shown}{part})" if shown else words

    def _is_a_page(self, to, page):
        return posixpath.normpath(posixpath.join(posixpath.dirname(page), to))[:-3] in self.names

    def _named(self, found, page):
        """A notebook or exercises that are named become links, except on their own page."""
        if found["kept"]:
            return found[0]
        if found["number"]:
            there = self.notebooks.get(found["number"])
            return f"[{found[0]}]({self._from(page, there)}.md)" if there and there != page else found[0]
        several = found["ids"] or found["mentioned"]
        return NUMBER.sub(self._exercise, found[0]) if several else self._exercise(found)

    def _exercise(self, found):
        id = NUMBER.search(found[0])[0]
        return f"[{found[0]}](#{label(id)})" if id in self.exercises else found[0]

    def _from(self, page, to):
        """The path from a page to another one."""
        return posixpath.relpath(to, posixpath.dirname(page) or ".")
