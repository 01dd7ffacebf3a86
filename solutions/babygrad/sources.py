"""For compile() (15): one place from which a step reads something, and the text that is True while it is as it was.

Given.
"""

import types
from collections import deque
from functools import partial
from operator import delitem, getitem, is_

import numpy as np

from .compiler import kind_of, same_thing

PLAIN = int, float, str, bytes, complex, np.generic, type(None), type(...)
ABSENT = type("Absent", (), {"__repr__": lambda self: "nothing"})()
MOST_ELEMENTS = 64  # of a list or a dict that are guarded one by one


def is_number(x):
    return isinstance(x, int | float | np.number) and not isinstance(x, bool)


def told(number):
    """A number as Python writes it."""
    return repr(number.item() if isinstance(number, np.generic) else number)


class Outdated:
    """In place of a number that a step() may change at the end of the program. What asks for it is refused."""

    def __init__(self, name):
        self.name = name


class Source:
    """A place from which a step reads something.

    .name: for a sentence.  .value: what was there at first.  .shown: what the step finds there while it is traced.
    """

    def __init__(self, owner, key, name):
        self.owner, self.key, self.name = owner, key, name
        self.value = self.shown = self.now()
        self.length = len(self.value) if isinstance(self.value, list | dict) else None
        self.before = self.value.copy() if isinstance(self.value, dict | set) else None

    @property
    def place(self):
        """What tells it from other places."""
        return type(self), id(self.owner), self.key

    def now(self):
        """What is there now; ABSENT for nothing."""
        try:
            return self.read(self.owner, self.key)
        except (ValueError, LookupError, AttributeError):
            return ABSENT

    def show(self, thing):
        """Put something else there for a while."""
        self.put(thing)
        self.shown = thing

    def changed(self):
        """Has the step put something else there? A list may get longer, as a record of what was."""
        now = self.now()
        if now is self.shown or isinstance(now, Outdated):
            return self.before is not None and {*self.value} != {*self.before}
        return not (is_number(now) and type(now) is type(self.shown) and now == self.shown)

    def put_back(self):
        if self.now() is not self.value:
            self.remove(self.owner, self.key) if self.value is ABSENT else self.put(self.value)
        if self.before is not None and {*self.value} != {*self.before}:
            self.value.clear()
            self.value.update(self.before)
        self.shown = self.value

    # Texts that are true as long as a program is right.

    @property
    def is_plain(self):
        """Is it compared by what it is worth, not by which object it is?"""
        value = self.value
        return isinstance(value, (*PLAIN, np.ndarray)) and not isinstance(value, bool | type(None) | type(...))

    def unchanged(self, called):
        """It is as it was.  The length of a list or dict counts unless the step has changed it."""
        text, value, length = self.text(called), self.value, self.length
        the_same = f"{text} is {called(value)}"
        if isinstance(value, set | deque):
            return f"{called(partial(same_members, [*value]))}({text})"
        if self.is_plain:
            equal = f"{called(partial(same_worth, same_thing(value)))}({text})"
            return equal if isinstance(value, np.ndarray) else f"({the_same} or {equal})"
        if length is None or length != len(value):
            return the_same
        members = f"[*{text}] == {called([*value])}" if isinstance(value, dict) else f"len({text}) == {length}"
        far_back = f" and {called(partial(same_elements, [*elements(value)]))}({text})" * (length > MOST_ELEMENTS)
        return f"{the_same} and {members}{far_back}"

    def of_one_kind(self, called):
        """It is an array of the same shape and dtype."""
        return f"{called(kind_or_none)}({self.text(called)}) == {called(kind_of(self.value))}"


def kind_or_none(thing):
    return kind_of(thing) if isinstance(thing, np.ndarray) else None


def same_worth(known, thing):
    return same_thing(thing) == known


def same_members(known, thing):
    """Has a set, or a deque, the members that are known?"""
    return isinstance(thing, set | deque) and same_thing([*thing]) == same_thing(known)


def elements(thing):
    return thing.values() if isinstance(thing, dict) else thing


def same_elements(known, thing):
    """Does a long list or dict hold the very same things?"""
    return all(map(is_, known, elements(thing)))


class Item(Source):
    """A global variable, or an element of a list, a tuple or a dict."""

    read, remove = getitem, delitem

    def text(self, called):
        """Python that reads it.  called: gives a name to an object."""
        return f"{called(self.owner)}[{repr(self.key) if isinstance(self.key, int | str) else called(self.key)}]"

    def put(self, value):
        place = slice(self.key, self.key + 1) if isinstance(self.owner, list) else self.key
        self.owner[place] = [value] if isinstance(self.owner, list) else value  # also where the step has taken it out


class Attribute(Source):
    """An attribute of an object, or of its class; a variable of the function around the step, as that of its cell."""

    read, remove = getattr, delattr

    def __init__(self, owner, key, name):
        self.own = key in getattr(owner, "__dict__", (key,))
        super().__init__(owner, key, name)

    def text(self, called):
        return f"{called(self.owner)}.{self.key}"

    def put(self, value):
        if value is self.value and not self.own:  # it was the class's
            return self.remove(self.owner, self.key)
        setter = setattr if isinstance(self.owner, type | types.ModuleType) else object.__setattr__
        return setter(self.owner, self.key, value)


class Defined(Attribute):
    """What stands in a class where the class gives something else: a classmethod."""

    read = staticmethod(lambda owner, key: vars(owner)[key])

    def text(self, called):
        return f"vars({called(self.owner)})[{self.key!r}]"


class Argument(Item):
    """A plain number among the inputs.  owner: all inputs."""

    place = property(lambda self: (Argument, self.key))

    def text(self, called):
        return f"given[{self.key}]"
