"""A long chain of Values that nobody holds any more is forgotten node by node.

Python frees a node, so its inputs, so theirs: each inside the one before. In a page a few thousand of these fill the
stack, and the interpreter dies, with no exception. So what a dying node holds is put into a queue first, and one loop
empties the queue: nothing is freed inside anything. It is the __del__ of each class of the package.
"""

import builtins
import sys
from collections import deque
from contextlib import suppress
from functools import wraps
from types import MemberDescriptorType

from .pristine import PACKAGE

# Bound here: a learner's code may have changed what Python's own names mean.
_attribute, _forget = object.__getattribute__, object.__delattr__
_waiting = deque()
_emptying = False
_if_there = suppress(AttributeError)


def watch_classes():
    """From now on each class statement of the package makes a class whose instances die so."""
    builtins.__build_class__ = _class_statement(builtins.__build_class__)
    sys.unraisablehook = _unless_too_deep(sys.unraisablehook)


def _class_statement(build):
    @wraps(build)
    def class_statement(body, name, /, *bases, **keywords):
        made = build(body, name, *bases, **keywords)
        if _is_of_the_package(body.__globals__) and _is_plain(made):
            made.__del__ = _letting_go(made)
        return made

    return class_statement


def _unless_too_deep(say):
    def hook(unraisable):
        """An object may die where a recursion has left no room for one more call: that needs no words."""
        which = f"{unraisable.err_msg} {unraisable.object!r}"  # since Python 3.14 the first names the function
        if not (issubclass(unraisable.exc_type, RecursionError) and _letting_go.__name__ in which):
            say(unraisable)

    return hook


def _is_of_the_package(names):
    return f"{names.get('__name__')}.".startswith(f"{PACKAGE}.")


def _is_plain(cls):
    """A class, and no metaclass, without a __del__ of its own."""
    return isinstance(cls, type) and not issubclass(cls, type) and not hasattr(cls, "__del__")


def _letting_go(cls):
    """The __del__ of a class."""
    # Their names: when the file is saved, an earlier class gets this function too.
    slots = [name for each in cls.__mro__ for name, slot in vars(each).items() if type(slot) is MemberDescriptorType]
    has_dictionary = bool(cls.__dictoffset__)

    def let_go(self):
        """Queue what a dying object holds, and empty the queue, unless that is being done already."""
        global _emptying
        for slot in slots:
            with _if_there:
                _waiting.append(_attribute(self, slot))
                _forget(self, slot)
        if has_dictionary:
            own = _attribute(self, "__dict__")
            _waiting.extend(own.values())
            own.clear()  # in a cycle too, which the collector takes apart later, without asking again
        if not _emptying:
            _emptying = True
            try:
                while _waiting:
                    _waiting.popleft()
            finally:
                _emptying = False

    return let_go
