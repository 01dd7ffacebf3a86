"""A stranger's text with nothing hidden in it: for pages, for tables, and for terminals."""

import unicodedata

LONGEST_LINE = 1000  # characters of one line of a message
MOST_LINES = 40  # lines of one message
MARKS = 4  # accents on one letter: more of them reach over the lines above and below
# File names that Windows keeps for devices, whatever their ending.
DEVICES = {"con", "prn", "aux", "nul", "conin$", "conout$", *(f"{d}{n}" for d in ("com", "lpt") for n in range(10))}
JOINERS = "\u200c\u200d"  # invisible, but names in Persian and in Indian scripts are spelt with them


def visible(words):
    """The same text with nothing hidden in it, on one line.

    A control character, a direction override or half a character becomes its code, such as \\u202e.
    """
    return "".join(_shown(words)) if not (words.isascii() and words.isprintable()) else words


def cut(words, length):
    """At most so many characters of it."""
    return words if len(words) <= length else words[: length - 4] + " ..."


def message_lines(message):
    """The lines of a message, safe to show: nothing hidden, and no more than anybody would read."""
    lines = [cut(visible(line), LONGEST_LINE) for line in message.split("\n")] if message else []
    rest = len(lines) - MOST_LINES
    return lines if rest <= 0 else [*lines[:MOST_LINES], f"({rest} more lines)"]


def _shown(words):
    marks = 0
    for character in words:
        marks = marks + 1 if unicodedata.category(character)[0] == "M" else 0
        if marks <= MARKS:
            yield _as_shown(character)


def _as_shown(character):
    if character.isprintable() or character in JOINERS:
        return character
    if character == "\t":
        return "    "
    if character.isspace() and character not in "\x1c\x1d\x1e\x1f\x85":
        return " "
    return character.encode("unicode_escape").decode()
