"""In which line of a learner's answer a wrong idea stands: found by what the idea writes and the right answer does not.

Its signs are short rows of tokens (names, operators, numbers), kept as digests: a student edition shows no answer.
"""

import io
import keyword
import re
import tokenize
from functools import lru_cache
from hashlib import blake2b
from itertools import takewhile

from ..course import regions

LONGEST = 6  # tokens of a sign
MOST = 5_000  # tokens of an answer in which a line is looked for
UNUSUAL = re.compile(r"[\x0b\x0c\x1c-\x1e\x85\u2028\u2029]")  # ends a line for str.splitlines, and not for Python
TURNED = "[::-1]"  # what an idea turns round at one end, an answer may have turned at the other: no sign
END = "\n"  # of a statement: where the rest of it was left out, nothing may follow
NOT = "not "  # before a sign that must be missing: what the idea leaves out, an answer may have in another line
BRACKETS, ARITHMETIC = {*"()[]{},:.;"}, {*"+-*/"}
_LAYOUT = {tokenize.COMMENT, tokenize.NL, tokenize.INDENT, tokenize.DEDENT, tokenize.ENCODING, tokenize.ENDMARKER}


def signs(id, right, wrong):
    """The signs of a wrong answer to the exercise with this id, texts: a list for each statement that it changes.

    right, wrong: the texts of both files.  The shortest rows of tokens that the right answer does not have in the same
    region; and with a NOT before it a row that was left out and stands nowhere else.
    """
    right, wrong = right.replace(TURNED, ""), wrong.replace(TURNED, "")
    as_it_is, usual = _of_the_right_answer(right, id)
    found, as_it_became = [], _statements(wrong, id)
    for part, each in as_it_became:
        tokens = _tokens(each)
        new = [(i, j) for i, j in _spans(each) if (part, tuple(tokens[i:j])) not in usual]
        if not new:
            continue
        shortest = [(i, j) for i, j in new if not {(i + 1, j), (i, j - 1)} & {*new}]
        whole = [_tokens(other) for other_part, other in as_it_is if other_part == part and _is_left_of(tokens, other)]
        shortest = _as_one(shortest) if whole else shortest
        rows = {row for row in (_telling(tokens, *span, bool(whole)) for span in shortest) if row}
        kept = {row for other_part, other in as_it_became if other_part == part for row, _ in _rows(other)}
        gone = {row for row in (_left_out(tokens, other) for other in whole) if row} - kept
        found.append(sorted(_digest(part, row) for row in rows) + [NOT + _digest(part, row) for row in gone if rows])
    return sorted(filter(None, found))


@lru_cache(maxsize=8)
def _of_the_right_answer(text, id):
    """Its statements, and all their rows."""
    statements = _statements(text, id)
    return statements, {(part, row) for part, each in statements for row, _ in _rows(each)}


def _left_out(tokens, whole):
    """The one row of tokens that the statement has besides these; () where several are missing, or it is no sign."""
    first = next((i for i, token in enumerate(tokens) if whole[i] != token), len(tokens))
    row = whole[first : first + len(whole) - len(tokens)]
    is_sign = 1 < len(row) <= LONGEST and any(token[0].isidentifier() for token in row)
    return tuple(row) if is_sign and whole[:first] + whole[first + len(row) :] == tokens else ()


def _tokens(statement):
    return [token for token, _ in statement]


def _is_left_of(tokens, statement):
    """Are these the tokens of the statement, with some left out?"""
    rest = iter(_tokens(statement))
    return all(token in rest for token in tokens)


def _as_one(spans):
    """Where something was left out, one side alone may look the same in other words: both sides, if they are near."""
    first, end = min((i for i, _ in spans), default=0), max((j for _, j in spans), default=0)
    are_apart = sum(j - i for i, j in spans) < end - first
    return [(first, end)] if are_apart and end - first <= LONGEST else spans


def _telling(tokens, first, end, ends=False):
    """tokens[first:end], with those beside it where such a row may stand in any line; () where it says nothing.

    ends: does the end of the statement say something, too?
    """
    row = tokens[first:end]
    words = [token for token in row if token not in BRACKETS]
    if not words:
        return tuple(row) if ":" in row else ()
    if len(words) > 1 and all(map(keyword.iskeyword, words)):
        return ()  # such as: is None
    number = words[0][0].isdigit()
    is_enough = len(words) > 1 or (len(row) == 1 and not number and row[0] not in ARITHMETIC)
    row = tuple(row if is_enough else tokens[max(0, first - 1) : end + number])
    return (*row, END) if ends and end == len(tokens) else row


def line_with(signs, rows):
    """The number of the only line of the learner's answer that has one of the signs, or None.

    rows: what rows_in gives.  Where an idea changes several statements, one of them alone may be right in another
    answer: all signs must be there.
    """
    wanted, unwanted = _parted(signs)
    there = {sign for _, sign in rows}
    if unwanted & there or (len(signs) > 1 and not wanted <= there):
        return None
    lines = {line for line, sign in rows if sign in wanted}
    return lines.pop() if len(lines) == 1 else None


def has_all(signs, rows):
    """Does the learner's answer have each of the signs, and is there one?"""
    there = {sign for _, sign in rows}
    wanted, unwanted = _parted(signs)
    return bool(wanted) and wanted <= there and not unwanted & there


def _parted(signs):
    """Those that must be there, those that must be missing: sets."""
    all_signs = {sign for each in signs for sign in each}
    unwanted = {sign for sign in all_signs if sign.startswith(NOT)}
    return all_signs - unwanted, {sign.removeprefix(NOT) for sign in unwanted}


def rows_in(id, text):
    """[(line, what could be a sign)] of the learner's answer; [] where it is far too long, or lines end oddly."""
    if UNUSUAL.search(text):
        return []
    own = _statements(text, id)
    if sum(len(statement) for _, statement in own) > MOST:
        return []
    return [(line, _digest(part, row)) for part, each in own for row, line in _rows(each)]


def _statements(text, id):
    """(region, [(token, line), ...]) of the statements in the regions of an exercise; [] where Python cannot tell."""
    try:
        own = [region for region in regions.stub_regions(text) if region.id == id]
        part_of = {line: f"{id} {r.number}" for r in own for line in range(r.start + 2, r.end)}
        statements = [("", [])]
        for token in _tokens_up_to(max(part_of, default=0), text):
            if token.type == tokenize.NEWLINE:
                statements.append(("", []))
            elif token.type not in _LAYOUT and (part := part_of.get(token.start[0])):
                statements[-1] = part, statements[-1][1]
                statements[-1][1].append((_plain(token), token.start[0]))
    except (tokenize.TokenError, SyntaxError, regions.MarkerError):
        return []
    return [(part, statement) for part, statement in statements if statement]


def _tokens_up_to(line, text):
    return takewhile(lambda token: token.start[0] <= line, tokenize.generate_tokens(io.StringIO(text).readline))


def _plain(token):
    """Its text; of a string with double quotes, whatever quotes it has."""
    text = token.string
    is_single = token.type == tokenize.STRING and text[0] == "'" and not {'"', "\\"} & {*text}
    return f'"{text[1:-1]}"' if is_single else text


def _rows(statement):
    """(tokens of one line in a row, its number); those that reach the end of the statement also with an END."""
    for first, end in _spans(statement):
        row, line = tuple(token for token, _ in statement[first:end]), statement[first][1]
        yield row, line
        if end == len(statement):
            yield (*row, END), line


def _spans(statement):
    """(first, end) of the tokens of one line in a row."""
    for first in range(len(statement)):
        for end in range(first + 1, min(first + LONGEST, len(statement)) + 1):
            if statement[first][1] == statement[end - 1][1]:
                yield first, end


def _digest(part, row):
    return blake2b(f"{part} {' '.join(row)}".encode(), digest_size=5).hexdigest()
