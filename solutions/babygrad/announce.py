"""Where the engine announces what it computes: compile() (15) notes it, step_through() (09) shows it.

Given.

The engine does so in lines of its own, outside of what you write: at the beginning of Function.__call__ and of
shares_of, which asks a rule, and where @announced stands. Each first looks whether anybody listens.
"""

from contextlib import contextmanager
from functools import wraps

listeners = []  # the last one is told


class Listener:
    """Who is told what comes next, inside of `with listener:`.

    What a method returns is taken in place of what the engine would compute. After None the engine goes on.
    """

    def __enter__(self):
        listeners.append(self)
        return self

    def __exit__(self, *_):
        listeners.remove(self)

    def computes(self, function, inputs):
        """A Function is called.  Returns a Tensor, or None."""

    def asks(self, node, gradient):
        """The rule of a node is asked.  Returns pairs as shares_of does, or None."""

    def calls(self, function, *inputs, **named):
        """Anything that is @announced is called.  Returns what it should return: here, what it would."""
        return function.__wrapped__(*inputs, **named)


def unheard(function, *inputs):
    """What the function returns. Nobody is told what it does."""
    before = listeners[:]
    listeners.clear()
    try:
        return function(*inputs)
    finally:
        listeners[:] = before


def announced(function):
    """The function, with each call announced."""

    @wraps(function)
    def call(*inputs, **named):
        return tell(call, inputs, named) if listeners else call.__wrapped__(*inputs, **named)

    return call


def tell(call, inputs, named):
    """Say it to the last listener. It is apart from call: outside.py takes attributes in there for those of a step."""
    return listeners[-1].calls(call, *inputs, **named)


@contextmanager
def replaced(owner, name, new):
    """While it lasts, owner.name is another: for what nobody announces. Who does so says why."""
    there, own = name in vars(owner), vars(owner).get(name)
    setattr(owner, name, new)
    try:
        yield
    finally:
        setattr(owner, name, own) if there else delattr(owner, name)
