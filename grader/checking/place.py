"""In which line of a learner's answer a wrong idea stands: found by what the idea writes and the right answer does not.

Its signs are short rows of tokens (names, operators, numbers), kept as digests: a student edition shows no answer.
"""

import io
import tokenize
from hashlib import blake2b

from ..course import regions

LONGEST = 6  # tokens of a sign
_LAYOUT = {tokenize.COMMENT, tokenize.NL, tokenize.INDENT, tokenize.DEDENT, tokenize.ENCODING, tokenize.ENDMARKER}


def signs(id, right, wrong):
    """The signs of a wrong answer to the exercise with this id, as texts.  right, wrong: the texts of both files.

    The shortest rows of tokens that the right answer has nowhere.
    """
    usual = {row for statement in _statements(right, id) for row, _ in _rows(statement)}
    found = {row for statement in _statements(wrong, id) for row, _ in _rows(statement) if row not in usual}
    return sorted(_digest(id, row) for row in found if not ({row[1:], row[:-1]} - {()}) & found)


def line_with(signs, id, text):
    """The number of the only line of the learner's answer that has one of the signs, or None."""
    statements = _statements(text, id) if signs else []
    lines = {line for each in statements for row, line in _rows(each) if _digest(id, row) in signs}
    return lines.pop() if len(lines) == 1 else None


def rows_in(id, text):
    """All that signs of the learner's answer could be, a set."""
    return {_digest(id, row) for each in _statements(text, id) for row, _ in _rows(each)}


def _statements(text, id):
    """The statements in the regions of an exercise: lists of (token, line).  [] where Python cannot tell them."""
    try:
        found = [*tokenize.generate_tokens(io.StringIO(text).readline)]
        own = [range(r.start + 2, r.end) for r in regions.stub_regions(text) if r.id == id]
    except (tokenize.TokenError, SyntaxError, regions.MarkerError):
        return []
    statements = [[]]
    for token in found:
        if token.type == tokenize.NEWLINE:
            statements.append([])
        elif token.type not in _LAYOUT and any(token.start[0] in lines for lines in own):
            statements[-1].append((token.string, token.start[0]))
    return statements


def _rows(statement):
    """(tokens of one line in a row, its number)."""
    for first in range(len(statement)):
        for end in range(first + 1, min(first + LONGEST, len(statement)) + 1):
            lines = {line for _, line in statement[first:end]}
            if len(lines) == 1:
                yield tuple(token for token, _ in statement[first:end]), *lines


def _digest(id, row):
    return blake2b(f"{id} {' '.join(row)}".encode(), digest_size=5).hexdigest()
