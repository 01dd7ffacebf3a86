"""What somebody typed, compared with the right answers and with the wrong ones that are known.

Numbers may be rounded or written as fractions; brackets around all of it, commas and spaces do not matter.
"""

import re
from dataclasses import dataclass
from math import isclose

from ..course.phrases import listed
from .asked import LETTERS

NOT_KNOWN, RIGHT, WRONG, UNREADABLE = "not known", "right", "wrong", "unreadable"
NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?(/\d+)?")
TOKEN = re.compile(r"[\[\](),\s]|[^\[\](),\s]+")
HOLDER = re.compile(r"^[a-z_][\w.]*(?:(?=\[)|\((?=[\[(])(.*)\)$)")  # of y[2, 3] and array([2, 3])
OPEN, CLOSED = "[(", "])"
SIGNS = str.maketrans({"−": "-", "–": "-", "⁄": "/", "\u00a0": " "})
LONGEST = 200  # characters of an answer: the right ones have a tenth of it
ROUNDED = 6  # digits: with so many an answer was rounded when it was solved


@dataclass(frozen=True)
class Verdict:
    """kind: NOT_KNOWN, RIGHT, WRONG or UNREADABLE.  said: what a wrong answer shows, why it cannot be read, or ""."""

    kind: str
    said: str = ""


def judged(asked, typed):
    """The Verdict on what was typed.  asked: an Asked.  typed: a text for each answer, or the one that was chosen."""
    typed = [text.translate(SIGNS).strip() for text in typed]
    if not any(typed):
        return Verdict(NOT_KNOWN)
    if asked.choices:
        typed = [chosen(typed[0], asked.choices)]
        if typed == [None]:
            return Verdict(UNREADABLE, f"Type one letter, {LETTERS[0]} to {LETTERS[len(asked.choices) - 1]}.")
    elif why := _why_unreadable(asked, typed):
        return Verdict(UNREADABLE, why)
    compare = str.__eq__ if asked.choices else _nearest(asked)
    if all(map(compare, typed, asked.right)):
        return Verdict(RIGHT)
    return Verdict(WRONG, _shown(asked, typed, compare))


def _why_unreadable(asked, typed):
    """Why these texts cannot be the answers that are asked for, as a sentence; "" if they can."""
    if not all(typed):  # Enter in the first of two fields
        return _missing(asked.names, typed)
    if len(max(typed, key=len)) > LONGEST:  # brackets may be too deep to be read, digits take seconds
        return f"No answer has more than {LONGEST} characters. Try again."
    for text, right, *wrong in zip(typed, asked.right, *(answers for answers, _ in asked.wrong)):
        why = unreadable(text, right)
        if why and not any(same(text, answer) for answer in wrong):
            return why
    return ""


def _missing(names, typed):
    """The sentence that asks for what was left empty."""
    empty = [name for name, text in zip(names, typed) if not text]
    is_missing = "is still missing" if len(empty) == 1 else "are still missing"
    return f"{listed(empty)} {is_missing}. Give every answer, or none if you do not know."


def _shown(asked, typed, compare):
    """What it shows: of the wrong answers that it is the one, or else one that has the same in its wrong places.

    If there is none, one that is wrong in some of these places alone, and has the same there.
    """
    everywhere = range(len(typed))
    its_wrong = [n for n in everywhere if not compare(typed[n], asked.right[n])]
    for places in (lambda _: everywhere, lambda _: its_wrong, lambda known: _differing(known, asked.right)):
        for known, shows in asked.wrong:
            if all(compare(typed[n], known[n]) for n in places(known)):
                return shows
    return ""


def _differing(one, other):
    """The places in which two tuples differ."""
    return [n for n, pair in enumerate(zip(one, other)) if pair[0] != pair[1]]


def _nearest(asked):
    """A comparison in which a typed number that may be several of the known answers, rounded, is the nearest one."""
    known = {text for answers in (asked.right, *(answers for answers, _ in asked.wrong)) for text in answers}

    def compare(text, answer):
        fitting = [other for other in known if same(text, other)]
        return answer in fitting and _distance(text, answer) <= min(_distance(text, other) for other in fitting)

    return compare


def _distance(text, answer):
    """How far apart the numbers are; equal texts are nearer than equal numbers."""
    values = [(_value(one), _value(other)) for one, other in zip(flat(read(text)), flat(read(answer)))]
    return sum(abs(one - other) for one, other in values if None not in (one, other)), text != answer


def chosen(text, choices):
    """Which of the choices is meant, by its letter, its place or its text; None if none is."""
    plain = [_squeezed(choice) for choice in choices]
    if _squeezed(text) in plain:
        return choices[plain.index(_squeezed(text))]
    letter = text.upper().strip(" .)(")
    places = {LETTERS[n]: n for n in range(len(choices))}
    if not any(NUMBER.match(choice.lstrip("[(")) for choice in plain):  # a 2 may mean "2 ms"
        places |= {str(n + 1): n for n in range(len(choices))}
    return choices[places[letter]] if letter in places else None


def _squeezed(text):
    return re.sub(r"\s+", "", text).casefold()


def unreadable(text, right):
    """Why a text cannot be an answer, as a sentence; "" if it can.  right: the right answer."""
    there, wanted = read(text), read(right)
    if there is None:
        return "The brackets do not pair up. Try again."
    if not all(_value(word) is not None for word in flat(wanted)):
        return ""
    words = [word for word in flat(there) if _value(word) is None]
    one = not isinstance(wanted, list)
    if words:
        what = "A number is asked for" if one else "Numbers are asked for"
        return f"{what}, such as {'-1.5 or 3/4' if one else '(2, 3)'}, and {words[0]!r} is none. Try again."
    if one and len(flat(there)) > 1:
        return "One number is asked for, without commas or spaces in it. Try again."
    return ""


def same(text, answer):
    """Is what was typed this answer?"""
    there = read(text)
    return there is not None and _same(there, read(answer))


def _same(there, answer):
    if isinstance(there, list) and isinstance(answer, list):
        return len(there) == len(answer) and all(map(_same, there, answer))
    if isinstance(there, list) or isinstance(answer, list):
        one, other = there if isinstance(there, list) else [there], answer if isinstance(answer, list) else [answer]
        return len(one) == len(other) == 1 and _same(one[0], other[0])
    if _value(there) is None or _value(answer) is None:
        return there == answer
    return _equal(there, answer)


def _equal(there, answer):
    """Are two numbers the same? A typed one may be rounded, to two digits or more."""
    one, other = _value(there), _value(answer)
    if isclose(one, other, rel_tol=1e-5 if _may_be_rounded(answer, one) else 1e-9, abs_tol=1e-12):
        return True
    decimals = there.partition("e")[0].partition(".")[2] if not {"/", "e"} & {*there} else ""
    return bool(decimals) and len(_digits(there)) >= 2 and isclose(one, round(other, len(decimals)), abs_tol=1e-12)


def _may_be_rounded(answer, typed):
    """Was the answer rounded when it was solved, as far as somebody knows who types this number?

    What ends with .0 was not. A whole number was not where a whole number is typed.
    """
    exact = typed.is_integer() and not {".", "e"} & {*answer}
    return len(_digits(answer)) >= ROUNDED and not exact and not answer.endswith(".0")


def _digits(number):
    """The digits that count, of a number as it is written."""
    return re.sub(r"\D", "", number.partition("e")[0].partition("/")[0]).lstrip("0")


def _value(word):
    """The number that a word is; None if it is none."""
    if not NUMBER.fullmatch(word):
        return None
    above, _, below = word.partition("/")
    if not below:
        return float(above)
    return float(above) / float(below) if float(below) else None


def read(text):
    """A text as nested lists of words; one word alone as it is. None if its brackets do not pair up.

    What stands before a = is left out, and what holds the brackets of y[2, 3] or array([2, 3]); so are the outermost
    brackets.
    """
    lists = [[]]
    for token in TOKEN.findall(HOLDER.sub(r"\1", text.rpartition("=")[2].strip().casefold())):
        if token in OPEN:
            lists.append([])
        elif token in CLOSED:
            if len(lists) == 1:
                return None
            closed = lists.pop()
            lists[-1].append(closed)
        elif token.strip(", \t") or (token == "," and not lists[-1]):  # ,5 is no 5
            lists[-1].append(token)
    if len(lists) > 1:
        return None
    (found,) = lists
    if len(found) == 1:
        return found[0]
    return found


def flat(found):
    """All words of nested lists, in order."""
    if not isinstance(found, list):
        return [found] if found is not None else []
    return [word for each in found for word in flat(each)]
