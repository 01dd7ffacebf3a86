"""What to say of a line that Python cannot read: where it stops, what is likely meant, whose answer it stands in."""

import keyword
import re

from ..course.catalogue import exercise
from ..course.usage import UsageError

NEAR = 120  # characters that are looked at

# {a sign that text has and Python has not: what Python has}
_SIGNS = {
    "×": "* multiplies",
    "·": "* multiplies",
    "÷": "/ divides",
    "−": "minus is the - of the keyboard",
    "–": "minus is the - of the keyboard",
    "²": "a square is written ** 2",
    "³": "a cube is written ** 3",
    "≤": "<= is less than or equal",
    "≥": ">= is greater than or equal",
    "≠": "!= is not equal",
    **dict.fromkeys("“”„‘’", "quotation marks are straight, ' or \""),
}

# (pattern at the beginning of the line, words): what was copied along with code.
_COPIED = (
    (r">>>", "The >>> is the prompt of Python's console, copied along with the code. Delete it."),
    (r"\.\.\. \S", "The ... is the prompt of Python's console, copied along with the code. Delete it."),
    (r"(In|Out) ?\[\d*\]:", "The number in square brackets was copied along from a notebook. Delete it and the colon."),
    (r"```", "The three backticks mark code in a page of text. Delete the line."),
    (r"[%!]\w", "A line that begins with % or ! is for a cell of a notebook. In a file Python does not know it."),
)

# (pattern in Python's message, words).
_SAID = (
    (
        r"inconsistent use of tabs",
        "Some lines begin with tabs and others with spaces, so Python cannot tell how far in they stand. Delete the "
        "tabs and type spaces.",
    ),
    (
        r"'return' outside function",
        "This return stands outside of every function, because it does not begin far enough in. Let it begin where the "
        "other lines of your answer do.",
    ),
    (r"expected ':'", "A colon is missing at the ^: it ends the line above an indented block."),
    (r"unexpected indent", "This line begins further in than the one above it, and that one ends with no colon."),
    (r"expected an indented block", "A line that ends with a colon is followed by lines that begin further in."),
    (r"unindent does not match", "This line begins between two blocks: let it begin where a line above it does."),
    (
        r"was never closed",
        "The bracket at the ^ is never closed. Count the brackets of this line and of those below it.",
    ),
    (r"unmatched", "The bracket at the ^ closes nothing. Is it one too many, or is the opening one missing?"),
    (r"instead of '='", "= gives a name its value. Whether two things are equal is asked with ==."),
    (r"unterminated string", "A text ends with the quotation mark that it begins with, in the same line."),
    (r"U\+00A0", "At the ^ is a special space, as copied text has it. Delete it and type a space."),
)


def caret(stop):
    """The line below the one that Python could not read, with a ^ where it stopped; "" if that is not known."""
    code = stop.frames[-1].code if stop.frames else ""
    return " " * stop.column + "^" if 0 <= stop.column <= len(code) else ""


def likely_meant(stop):
    """A sentence about a SyntaxError, an IndentationError or a TabError; "" if nothing is known of it."""
    code = stop.frames[-1].code if stop.frames else ""
    said = [words for pattern, words in _COPIED if re.match(pattern, code)]
    said += [words for pattern, words in _SAID if re.search(pattern, stop.message)]
    return next(filter(None, (_about_a_sign(stop), _about_else_if(code), *said, _about_a_product(stop, code))), "")


def whose(stop, id):
    """That the line stands in the answer to another exercise than the one with this id; "" if it does not."""
    if stop.region == id or not re.fullmatch(r"\d{1,2}\.\d{1,2}", stop.region):
        return ""
    try:
        title = f" ({exercise(stop.region).title})"
    except UsageError:  # a stranger's process sent it
        return ""
    return f"This line belongs to exercise {stop.region}{title}. Python reads a file as a whole or not at all."


def _about_a_sign(stop):
    found = re.search(r"invalid character '(.)'", stop.message)
    if not found:
        return ""
    known = _SIGNS.get(found[1])
    return f"Python does not know the sign {found[1]}" + (f": {known}." if known else ". Was it copied along?")


def _about_else_if(code):
    return "In Python, else if is one word: elif." if re.match(r"else\s+if\b", code) else ""


def _about_a_product(stop, code):
    """Two names or numbers with an x between them, or with nothing."""
    if not stop.message.startswith("invalid syntax"):
        return ""
    for left, right in re.findall(r"\b(\w+) x (?=(\w+))", code[:NEAR]):
        if not keyword.iskeyword(left) and not keyword.iskeyword(right):
            return f"x is a name like any other: * multiplies, as in {left} * {right}."
    place = max(stop.column, 0)
    beside = re.search(r"(\w+) +$", code[:place][-NEAR:]), re.match(r"\w+", code[place:][:NEAR])
    if all(beside) and not any(keyword.iskeyword(found[0].strip()) for found in beside):
        return (
            f"{beside[0][1]} and {beside[1][0]} stand side by side with nothing between them. Is a sign missing, such "
            "as * or a comma, or is a word misspelt?"
        )
    return ""
