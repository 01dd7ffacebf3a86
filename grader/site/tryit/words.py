"""What a notebook says of JupyterLab and of a terminal, in the words of the page."""

import re

# (What the notebooks say, what the page says): a space stands for a line's end, too.
RULES = (
    (r"Open `babygrad/(\w+\.py)` and fill in", r"In `babygrad/\1`, in the editor, fill in"),
    (
        r"Open `babygrad/(\w+\.py)` beside this notebook and look for `(# exercise [\d.]+)`\. "
        r"Replace the `raise` line, save, and come back\.",
        r"In `babygrad/\1`, in the editor, look for `\2` and replace the `raise` line. What you type is kept.",
    ),
    (r"write yours in its place, save, and run the next cell\.", "write yours in its place, and press Check."),
    (r"you may fill in a part and ask `%check`", "you may fill in a part and press Check"),
    (r"`%check [\d.]+` asks", "The check asks"),
    (r"and `%check` says", "and the check says"),
    (
        r"Whether the file is saved\. A check reads the file as it is on the disk, in a process of its own\.",
        "Whether the file is saved: in the course, a check reads it as it is on the disk. In this page nothing has "
        "to be saved. A check reads what stands in the editor.",
    ),
    (r"In a fresh kernel, run the first two cells", "After a reload of the page, run the first cell"),
    (r"On a fresh kernel, run", "After a reload of the page, run"),
    (
        r"`make fill EX=3\.3` puts the answer in, marks it as given, and lets you go on\.",
        "In this page you write it yourself, and its third hint is almost the code.",
    ),
    (r"`make check WAY=core` goes on", "In the course, `make check WAY=core` goes on"),
    (r"`%progress` in a cell shows where you are\.", "Your points stand at the top of the page."),
)


def _pattern(words):
    return re.compile(words.replace(" ", r"\s+"))


PATTERNS = tuple((_pattern(words), instead) for words, instead in RULES)


def in_the_page(markdown):
    """The Markdown of a cell as the page says it."""
    for pattern, instead in PATTERNS:
        markdown = pattern.sub(instead, markdown)
    return markdown
