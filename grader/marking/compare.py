"""Compares what came back with what was expected. Sees decoded values only: numbers, texts, arrays, lists."""

import math
import re
from dataclasses import dataclass

from ..asking.answers import NOT_COMPARED, DidNotRaise, Form, Hashed, Raised
from ..asking.ask import NO_TENSOR, NOTHING
from ..asking.describe import SHOWN_ELEMENTS, describe, is_array, with_article

RTOL, ATOL = 1e-10, 1e-12
NO_NAMES = "after element every for how it its line recording the what whether with writing"  # of code: plain words


# The name of an answer that was written down somewhere, and not returned: dweight, x.grad, x.grad afterwards.
_ATTRIBUTE = r"(after the second time )?(?!returned$)\w+"
WRITTEN_DOWN = re.compile(rf"{_ATTRIBUTE}|.*\.\w+( afterwards)?( is .*)?|.*(error|requires_grad) of .*", re.DOTALL)
RETURN_MISSING = " Is a return missing?"  # a sentence at the end of others


class Sentence(str):
    """What is wrong, in words.  nothing: does it say that what was called returned nothing?"""

    def __new__(cls, words, nothing=False):
        sentence = super().__new__(cls, words)
        sentence.nothing = nothing
        return sentence


@dataclass(frozen=True)
class Difference:
    """The first answer that differs: its name, and both sides in words.  nothing: as of a Sentence."""

    name: str
    got: str
    expected: str
    words: str = ""
    nothing: bool = False

    def sentence(self):
        """Such as: It returned 5.0, but 6.0 was expected."""
        if self.words:
            return Sentence(self.words)
        when, name = _led(self.name)
        subject = f"{when}it returned" if name == "returned" else f"{when}{name} is"
        return Sentence(f"{_at_the_beginning(subject)} {self.got}, but {self.expected} was expected.", self.nothing)


def _led(name):
    """("for Tanh, ", "the gradient of x"): what an answer's name begins with, and the rest."""
    when, comma, rest = name.rpartition(", ")
    leads = re.match(r"(for|with|after|the (first|second) time)\b", when) and when.count("(") == when.count(")")
    return (when + comma, rest) if leads else ("", name)


def _at_the_beginning(name):
    """The name of an answer as a sentence begins with it."""
    if name == "returned":
        return "It"
    return name[0].upper() + name[1:] if name.split(" ")[0] in NO_NAMES.split() else name


def difference(expected, got, rtol=None):
    """The first Difference between two dicts of named answers, or None. NOT_COMPARED says which names do not count.

    rtol: how far numbers may be apart, for their size; RTOL if None.
    """
    rtol = rtol or RTOL
    for name, want in expected.items():
        if name in NOT_COMPARED:
            continue
        if name not in got:
            return Difference(name, "missing", describe(want))
        if not same(want, got[name], rtol):
            return _difference_of(name, want, got[name], rtol)
    return None


def difference_in_words(expected, got, rtol=None):
    """The first difference between two dicts of named answers as a sentence, or None."""
    found = difference(expected, got, rtol)
    return found and found.sentence()


def same(want, got, rtol=RTOL):
    """Are the two the same? Type first, then shape, then NaN, then value."""
    if isinstance(want, Hashed) or isinstance(got, Hashed):  # two wrong ideas are compared both ways
        return want == got or (want.holds(got) if isinstance(want, Hashed) else got.holds(want))
    if isinstance(want, Raised):
        return _raised_alike(want, got)
    if isinstance(want, DidNotRaise):
        return isinstance(got, DidNotRaise) and same(want.returned, got.returned, rtol)
    if is_array(want):
        return is_array(got) and want.shape == got.shape and _close_arrays(want, got, rtol)
    if isinstance(want, dict):
        return isinstance(got, dict) and want.keys() == got.keys() and all(same(want[k], got[k], rtol) for k in want)
    if isinstance(want, list):
        return isinstance(got, list) and len(want) == len(got) and all(same(w, g, rtol) for w, g in zip(want, got))
    if _is_number(want):
        return _is_number(got) and _close(want, got, rtol)
    return type(want) is type(got) and want == got


def _difference_of(name, want, got, rtol):
    if isinstance(want, Raised):
        return Difference(name, describe(got), describe(want), _about_exceptions(name, want, got))
    if is_array(want) and is_array(got):
        return _difference_of_arrays(name, want, got, rtol)
    if isinstance(want, list) and isinstance(got, list):
        return _difference_of_lists(name, want, got, rtol)
    shown_got, shown_want = _told_apart(got, want)
    nothing = _is_nothing(got) and not WRITTEN_DOWN.fullmatch(name)
    return Difference(name, _kind(got, want) + shown_got, _kind(want, got) + shown_want, nothing=nothing)


def _is_nothing(x):
    words = x.words if isinstance(x, Form) else x
    return words is None or (isinstance(words, str) and words.removesuffix(NO_TENSOR) == NOTHING)


def _told_apart(got, want):
    """Both in words, with as many digits as it takes to see that they differ."""
    precision = 17 if _look_alike(got, want) else 6
    return describe(got, precision), describe(want, precision)


def _look_alike(got, want):
    """Are the first six digits the same? A number that is shown with fewer is not another one."""
    if isinstance(got, float) and isinstance(want, float):
        return f"{got:.6g}" == f"{want:.6g}"
    return describe(want) == describe(got)


def _kind(x, other):
    """The kind of x as a word to put before it, where x and other are of different kinds."""
    words = {list: "the list ", str: "the text ", dict: "the dict "}
    if type(x) is type(other) or x is None:
        return ""
    return "the array " if is_array(x) and x.size <= SHOWN_ELEMENTS else words.get(type(x), "")


def _difference_of_lists(name, want, got, rtol):
    if len(want) != len(got) or max(len(describe(want)), len(describe(got))) < 100:
        return Difference(name, describe(got), describe(want))
    index = next(i for i, pair in enumerate(zip(want, got)) if not same(*pair, rtol))
    return _difference_of(f"{name} at position {index}", want[index], got[index], rtol)


def _difference_of_arrays(name, want, got, rtol):
    if want.shape != got.shape:
        words = f"{_at_the_beginning(name)} has shape {got.shape}, but shape {want.shape} was expected."
        return Difference(name, f"shape {got.shape}", f"shape {want.shape}", words)
    if want.size <= SHOWN_ELEMENTS:
        return Difference(name, *_told_apart(got, want))
    index = _first_place(want, got, rtol)
    at = ", ".join(map(str, index))
    when, what = _led(name)
    what = "what it returned" if what == "returned" else what
    return Difference(f"{when}element ({at}) of {what}", *_told_apart(got[index].item(), want[index].item()))


def _about_exceptions(name, want, got):
    if isinstance(got, DidNotRaise):
        return (
            f"{_at_the_beginning(name)} returned {describe(got.returned)}, but {with_article(want.type)} was expected."
        )
    if not isinstance(got, Raised):
        return f"{_at_the_beginning(name)} is {describe(got)}, but {with_article(want.type)} was expected."
    if want.type not in got.bases:
        return f"It raised {describe(got)}, but {with_article(want.type)} was expected."
    return f"It raised {got.type} saying {got.message!r}, but the message should name {want.naming!r}."


def _raised_alike(want, got):
    return isinstance(got, Raised) and want.type in got.bases and (got.names_it or not want.names_it)


def _is_number(x):
    return isinstance(x, (int, float))


def _close(want, got, rtol):
    if math.isnan(want) or math.isnan(got):
        return math.isnan(want) and math.isnan(got)
    if math.isinf(want) or math.isinf(got):
        return want == got
    return abs(want - got) <= ATOL + rtol * abs(want)


def _close_arrays(want, got, rtol):
    from .arrays import close

    return close(want, got, rtol, ATOL)


def _first_place(want, got, rtol):
    """Where two arrays of one shape differ first."""
    from .arrays import places

    return next(place for place in places(want) if not _close(want[place].item(), got[place].item(), rtol))
