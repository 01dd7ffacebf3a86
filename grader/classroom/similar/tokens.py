"""An answer as tokens in which names, comments and layout do not count, and as fingerprints of some in a row.

The units are Moss's k-grams. A region is short, so all of them are kept: winnowing, which keeps a few of each window,
saves memory on whole programs and would lose half of what little there is here.
"""

import builtins
import io
import keyword
import textwrap
import tokenize
from functools import lru_cache

from ...course.regions import regions_in

GRAM = 5  # tokens in a row
LONGEST = 20_000  # characters of an answer that are looked at: twenty times the reference's longest
KNOWN = {*keyword.kwlist, *dir(builtins)}
LAYOUT = {tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER}
STARTS = {tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT}  # behind one of these a string is a docstring


def answers(files, ids):
    """{exercise id: text} of what somebody wrote, for these ids.  files: {name: bytes}, as a HandIn has them."""
    found = {}
    for content in files.values():
        for region in regions_in(content):
            if region.id in ids and not (region.given or region.is_stub):
                found[region.id] = "\n".join(filter(None, [found.get(region.id), dedented(region.body)]))[:LONGEST]
    return found


def dedented(lines):
    """A region's lines as a text that begins at the margin."""
    return textwrap.dedent("\n".join(lines)[:LONGEST]).strip("\n")


def grams(text):
    """The fingerprints of an answer: a frozenset."""
    return frozenset(print for print, *_ in placed_grams(text))


@lru_cache(maxsize=4096)
def placed_grams(text):
    """[(fingerprint, first line, last line)]. Many write the same, so that what was found is kept for a while."""
    tokens = list(_tokens(text))
    windows = (tokens[n : n + GRAM] for n in range(len(tokens) - GRAM + 1))
    return [(hash(tuple(word for word, _ in window)), window[0][1], window[-1][1]) for window in windows]


def _tokens(text):
    """(what counts of it, its line) of each token; of an answer that Python cannot read those before the error."""
    try:
        yield from _counting(tokenize.generate_tokens(io.StringIO(text).readline))
    except (SyntaxError, tokenize.TokenError):
        return


def _counting(tokens):
    before, at_start = "", True
    for kind, word, (line, _), *_ in tokens:
        if kind not in LAYOUT and not (kind == tokenize.STRING and at_start):
            yield _normal(kind, word, before), line
        if kind not in (tokenize.COMMENT, tokenize.NL):
            before, at_start = word, kind in STARTS


def _normal(kind, word, before):
    """A name that the author chose becomes a v. One behind a dot, such as .data or .exp, is somebody else's."""
    if kind == tokenize.NAME:
        return word if word in KNOWN or before == "." else "v"
    if kind == tokenize.STRING:
        return "s"
    return word.rstrip("0").rstrip(".") if kind == tokenize.NUMBER and word.endswith(".0") else word
