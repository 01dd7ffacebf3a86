"""Links: between files of the repository, on pages between pages."""

import posixpath
import re

from . import repository
from .markdown import outside_code

LINK = r"(?<!!)\[(?P<words>[^\]\[]*)\]\((?P<to>[^)\s]+)\)"
OUTSIDE = re.compile(r"[a-z]+:|#")


class Links:
    """Where the files of the repository are on the site.

    pages: {page: the file that it is made from}.  address: of the repository, for files that have no page.
    """

    def __init__(self, pages, address):
        self.pages = {origin: page for page, origin in pages.items()}
        self.address = address

    def within(self, markdown, page):
        """The Markdown of a page with its links to files made links to pages, or to the repository."""
        folder = posixpath.dirname(page)

        def link(found):
            words, to = found["words"], found["to"]
            if OUTSIDE.match(to):
                return found[0]
            path, _, part = to.partition("#")
            return self._link(words, posixpath.normpath(posixpath.join(folder, path)), part and f"#{part}", folder)

        return outside_code(LINK, link, markdown)

    def _link(self, words, path, part, folder):
        if path in self.pages:
            return f"[{words}]({posixpath.relpath(self.pages[path], folder or '.')}.md{part})"
        shown = repository.shown(self.address, path)
        return f"[{words}]({shown}{part})" if shown else words
