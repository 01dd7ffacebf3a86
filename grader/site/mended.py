"""What the theme leaves out for those who do not see a page: names of its parts."""

import re

EMPTY_HEAD = re.compile(r"<th\b[^>]*>(?:<p></p>)?</th>")  # above the first column of many a table
# A formula alone above a column: for some screen readers there would be nothing.
FORMULA_HEAD = re.compile(r'<th class="head"><p><math (?=alttext="([^"]*)")')
WITH_WORDS = r'<th class="head"><p><span class="visually-hidden">\1</span><math aria-hidden="true" '
REPLACED = {
    '<p class="caption" role="heading">': '<p class="caption">',  # a heading needs a rank, and this one is a label
    '<aside class="sidebar-drawer">': '<aside class="sidebar-drawer" aria-label="All pages">',
    '<aside class="toc-drawer': '<aside aria-label="On this page" class="toc-drawer',
    '<div class="content-icon-container">': '<div class="content-icon-container" role="region" aria-label="This page">',
}


def mended(html):
    """The HTML of a page of the book."""
    for old, new in REPLACED.items():
        html = html.replace(old, new)
    return FORMULA_HEAD.sub(WITH_WORDS, EMPTY_HEAD.sub("<td></td>", html))


def mend(folder):
    """Mend all pages below a folder."""
    for path in folder.rglob("*.html"):
        path.write_text(mended(path.read_text(encoding="utf-8")), encoding="utf-8")
