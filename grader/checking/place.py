"""In which line of a learner's answer a wrong idea stands: found by what the idea writes and the right answer does not.

Its signs are short rows of tokens (names, operators, numbers), kept as digests: a student edition shows no answer.
"""

import io
import tokenize
from hashlib import blake2b

from ..course import regions

LONGEST = 6  # tokens of a sign
TURNED = "[::-1]"  # what an idea turns round at one end, an answer may have turned at the other: no sign
BRACKETS, ARITHMETIC = {*"()[]{},:.;"}, {*"+-*/"}
_LAYOUT = {tokenize.COMMENT, tokenize.NL, tokenize.INDENT, tokenize.DEDENT, tokenize.ENCODING, tokenize.ENDMARKER}


def signs(id, right, wrong):
    """The signs of a wrong answer to the exercise with this id, as texts.  right, wrong: the texts of both files.

    The shortest rows of tokens that the right answer does not have in the same region.
    """
    usual = {(part, row) for part, each in _statements(right, id) for row, _ in _rows(each)}
    found = set()
    for part, each in _statements(wrong, id):
        tokens = [token for token, _ in each]
        new = [(i, j) for i, j in _spans(each) if (part, tuple(tokens[i:j])) not in usual]
        shortest = [(i, j) for i, j in new if not {(i + 1, j), (i, j - 1)} & {*new}]
        found |= {(part, _telling(tokens, *span)) for span in shortest}
    return sorted(_digest(part, row) for part, row in found if row)


def _telling(tokens, first, end):
    """tokens[first:end], with those beside it where such a row may stand in any line; () where it says nothing."""
    row = tokens[first:end]
    words = [token for token in row if token not in BRACKETS]
    if not words:
        return tuple(row) if ":" in row else ()
    number = words[0][0].isdigit()
    is_enough = len(words) > 1 or (len(row) == 1 and not number and row[0] not in ARITHMETIC)
    return tuple(row if is_enough else tokens[max(0, first - 1) : end + number])


def line_with(signs, id, text):
    """The number of the only line of the learner's answer that has one of the signs, or None."""
    rows = _statements(text, id) if signs else []
    lines = {line for part, each in rows for row, line in _rows(each) if _digest(part, row) in signs}
    return lines.pop() if len(lines) == 1 else None


def rows_in(id, text):
    """All that signs of the learner's answer could be, a set."""
    return {_digest(part, row) for part, each in _statements(text, id) for row, _ in _rows(each)}


def _statements(text, id):
    """(region, [(token, line), ...]) of the statements in the regions of an exercise; [] where Python cannot tell."""
    try:
        found = [*tokenize.generate_tokens(io.StringIO(text.replace(TURNED, "")).readline)]
        own = [region for region in regions.stub_regions(text) if region.id == id]
    except (tokenize.TokenError, SyntaxError, regions.MarkerError):
        return []
    part_of = {line: f"{id} {r.number}" for r in own for line in range(r.start + 2, r.end)}
    statements = [("", [])]
    for token in found:
        if token.type == tokenize.NEWLINE:
            statements.append(("", []))
        elif token.type not in _LAYOUT and (part := part_of.get(token.start[0])):
            statements[-1] = part, statements[-1][1]
            statements[-1][1].append((token.string, token.start[0]))
    return statements


def _rows(statement):
    """(tokens of one line in a row, its number)."""
    for first, end in _spans(statement):
        yield tuple(token for token, _ in statement[first:end]), statement[first][1]


def _spans(statement):
    """(first, end) of the tokens of one line in a row."""
    for first in range(len(statement)):
        for end in range(first + 1, min(first + LONGEST, len(statement)) + 1):
            if statement[first][1] == statement[end - 1][1]:
                yield first, end


def _digest(part, row):
    return blake2b(f"{part} {' '.join(row)}".encode(), digest_size=5).hexdigest()
