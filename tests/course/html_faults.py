"""What keeps somebody who cannot see it from reading a piece of HTML, found by parsing alone."""

from html.parser import HTMLParser
from itertools import pairwise

VOID = {"img", "input", "br", "hr", "meta", "link", "source", "wbr", "col"}
FIELDS = {"input", "select", "textarea"}
NAMED = {
    "a",
    "button",
    "summary",
    "figure",
    "th",
    "caption",
    "label",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
}  # by their text
NAMES = ("aria-label", "aria-labelledby", "title")
NO_FIELD = ("hidden", "submit", "button")


class Element:
    """One element, with its attributes, the text inside it, and those that it is inside of."""

    def __init__(self, tag, attributes, parents, line):
        self.tag, self.attributes, self.parents, self.line = tag, dict(attributes), tuple(parents), line
        self.text = ""
        self.inside = []

    @property
    def hidden(self):
        """Whether it is out of the tree that assistive technology reads."""
        return any(e.attributes.get("aria-hidden") == "true" or "hidden" in e.attributes for e in (self, *self.parents))

    @property
    def named(self):
        """Whether it has a name: its text, its label, its title, or the words of a picture in it."""
        words = [self.text, *(self.attributes.get(name) for name in NAMES)]
        words += [e.attributes.get("alt") or e.attributes.get("aria-label") for e in self.inside]
        return any(word and word.strip() for word in words)

    def __str__(self):
        shown = "".join(f" {name}={value!r}" for name, value in list(self.attributes.items())[:3])
        return f"line {self.line}: <{self.tag}{shown}> {self.text.strip()[:40]!r}"


class _Reader(HTMLParser):
    def __init__(self):
        super().__init__()
        self.open, self.all = [], []

    def handle_starttag(self, tag, attributes):
        element = Element(tag, attributes, self.open, self.getpos()[0])
        for parent in self.open:
            parent.inside.append(element)
        self.all.append(element)
        if tag not in VOID:
            self.open.append(element)

    def handle_startendtag(self, tag, attributes):
        self.handle_starttag(tag, attributes)
        if tag not in VOID:
            self.open.pop()

    def handle_endtag(self, tag):
        while tag in (element.tag for element in self.open):
            if self.open.pop().tag == tag:
                break

    def handle_data(self, data):
        if not (self.open and self.open[-1].tag in ("style", "script")):
            for element in self.open:
                element.text += data


def elements(html):
    """All elements of a text of HTML, in order."""
    reader = _Reader()
    reader.feed(html)
    return reader.all


def faults(html, page=False):
    """Sentences about what cannot be read.  page: it is a whole page, so it has a language, a title, one h1."""
    seen = [element for element in elements(html) if not element.hidden]
    for element in seen:
        yield from (f"{words}: {element}" for words in _faults(element, seen))
    headings = [int(element.tag[1]) for element in seen if element.tag in {f"h{level}" for level in range(1, 7)}]
    yield from (f"a heading h{b} follows h{a}" for a, b in pairwise(headings) if b > a + 1)
    if page:
        yield from _faults_of_a_page(seen, headings)


def _faults(element, seen):
    tag, attributes = element.tag, element.attributes
    if tag == "img" and "alt" not in attributes:
        yield "an image without alternative text"
    worded = attributes.get("role") == "img" and attributes.get("aria-label", "").strip()
    if tag == "svg" and not worded and not any(e.attributes.get("role") == "img" for e in element.parents):
        yield "a drawing without words"
    if tag in NAMED and (tag != "a" or "href" in attributes) and not element.named:
        yield "nothing says what it is"
    if tag in FIELDS and attributes.get("type") not in NO_FIELD and not _labelled(element, seen):
        yield "a field without a label"
    if tag == "table" and attributes.get("role") != "presentation":
        heads = [e for e in element.inside if e.tag == "th"]
        if not heads:
            yield "a table without headers"
        if any(head.attributes.get("scope") not in ("col", "row", "colgroup", "rowgroup") for head in heads):
            yield "a header that does not say whose it is"
    if int(attributes.get("tabindex", "0") or 0) > 0:
        yield "a place of its own in the order of the keyboard"


def _labelled(field, seen):
    around = any(parent.tag == "label" for parent in field.parents)
    name = field.attributes.get("id")
    beside = name and any(e.tag == "label" and e.attributes.get("for") == name for e in seen)
    return around or beside or any(field.attributes.get(name) for name in NAMES)


def _faults_of_a_page(seen, headings):
    if not [e for e in seen if e.tag == "html" and e.attributes.get("lang")]:
        yield "a page without a language"
    if not [e for e in seen if e.tag == "title" and e.text.strip() and "svg" not in {p.tag for p in e.parents}]:
        yield "a page without a title"
    if headings.count(1) != 1 or headings[0] != 1:
        yield f"headings {headings} do not begin with the one h1"
    if not [e for e in seen if e.tag == "main"]:
        yield "a page without a main part"
