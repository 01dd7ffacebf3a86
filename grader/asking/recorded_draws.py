"""Draws from NumPy's generator, recorded and played back.

The student edition has recorded answers, so its inputs must be the recorded ones too, also under a NumPy whose
generators draw other numbers. What a package draws from a generator of its own, such as default_rng(7), is a stream
of its own. This runs in the learner's process: it opens the files of inputs, never those of answers.
"""

import contextlib
import copy
import hashlib
from functools import cache

import numpy as np

from ..course.folders import number_of
from ..course.paths import EXPECTED
from .files import Reader

MOST_RECORDED = 1021  # numbers of one draw. A prime number: rows of a matrix differ
_NOT_DRAWING = ("bit_generator", "spawn")
_noted = []  # where draws are recorded, while they are: one dict


@contextlib.contextmanager
def generator(exercise, probe, seeds, played):
    """The generator for one probe of an exercise (its id), made from these seeds.

    played: recorded draws are played back, where there are some.
    """
    if _noted:
        streams = _noted[0].setdefault((exercise, probe), {})
        stream = lambda name: _Recorder(streams.setdefault(name, []))
    elif played and probe in _recorded(exercise):
        streams = _recorded(exercise)[probe]
        stream = lambda name: _Player(streams.get(name, []))
    else:
        yield np.random.default_rng(seeds)
        return
    with _passed_through(seeds, stream) as rng:
        yield rng


@contextlib.contextmanager
def noted():
    """While this context is open, all draws of probes are recorded, and large ones are made from few numbers:
    {(exercise, probe): {name of a stream: [[what was asked, drawn], ...]}}."""
    _noted.append({})
    try:
        yield _noted[0]
    finally:
        _noted.clear()


@contextlib.contextmanager
def _passed_through(seeds, stream):
    """A generator whose draws pass through stream(""); inside, the first default_rng(7) goes through stream("7 1").

    stream(name) is a function of (what was asked, what was drawn) that returns what is handed out.
    """
    plain, counts = np.random.default_rng, {}

    def default_rng(seed=None):
        made, name = plain(seed), repr(seed)
        if not _is_fixed(seed):
            return made
        counts[name] = counts.get(name, 0) + 1
        return Generator(made.bit_generator, stream(f"{name} {counts[name]}"))

    rng = Generator(plain(seeds).bit_generator, stream(""))
    np.random.default_rng = default_rng
    try:
        yield rng
    finally:
        np.random.default_rng = plain


def _is_fixed(seed):
    """Is the seed a whole number, or several? Then the same numbers are drawn each time."""
    return type(seed) is int or (isinstance(seed, (tuple, list)) and all(type(x) is int for x in seed))


class Generator(np.random.Generator):
    """NumPy's generator, and each draw passes through hand_out, a function of what was asked and what was drawn."""

    def __init__(self, bit_generator, hand_out=lambda asked, drawn: drawn):
        super().__init__(bit_generator)
        self._hand_out, self._inside = hand_out, False


def _drawing(name):
    real = getattr(np.random.Generator, name)

    def draw(self, *args, **kwargs):
        if self._inside:  # NumPy's own methods call each other
            return real(self, *args, **kwargs)
        self._inside = True
        try:
            asked = _digest(name, args, kwargs)
            drawn = real(self, *args, **kwargs)
        finally:
            self._inside = False
        own = any(drawn is x for x in (*args, *kwargs.values()))  # drawn into an array of the caller's
        handed = self._hand_out(asked, None if own else drawn)
        return drawn if handed is None else handed

    draw.__name__ = name
    return draw


# All: a question, or what it asks, may draw by any of them. One that is not recorded would move all draws after it.
for _name in dir(np.random.Generator):
    if not _name.startswith("_") and _name not in _NOT_DRAWING:
        setattr(Generator, _name, _drawing(_name))


def _first(drawn):
    """What is kept of a draw: of many numbers only the first, small enough for a file."""
    return np.ravel(drawn)[:MOST_RECORDED].copy() if _is_large(drawn) else copy.copy(drawn)


def _spread(first, drawn):
    """A draw as large as this one, made from its first numbers.

    Each time round a little is added, so that no two numbers are equal.
    """
    if not _is_large(drawn):
        return np.asarray(first)[()] if isinstance(drawn, np.generic) else first  # a file knows arrays alone
    rounds, places = np.divmod(np.arange(drawn.size), MOST_RECORDED)
    return (first[places] * (1 + rounds * 2.0**-20)).reshape(drawn.shape)


def _is_large(drawn):
    return np.size(drawn) > MOST_RECORDED and drawn.dtype.kind == "f"


def _digest(*asked):
    """A short text that is the same for the same call."""
    return hashlib.sha256(repr(_plainly(asked)).encode()).hexdigest()[:12]


def _plainly(x):
    if isinstance(x, (np.ndarray, np.generic)):
        return x.dtype.str, x.tolist()
    if isinstance(x, dict):
        return sorted((name, _plainly(value)) for name, value in x.items())
    if isinstance(x, (list, tuple)):
        return [_plainly(value) for value in x]
    return x if x is None or isinstance(x, (bool, int, float, str)) else str(x)


class _Recorder:
    """Records what is drawn."""

    def __init__(self, stream):
        self._stream = stream

    def __call__(self, asked, drawn):
        self._stream.append([asked, _first(drawn)])
        return _spread(_first(drawn), drawn)


class _Player:
    """Plays recorded draws back as long as the calls are the recorded ones; after that it draws anew."""

    def __init__(self, recorded):
        self._waiting = list(reversed(recorded))

    def __call__(self, asked, drawn):
        if self._waiting and self._waiting[-1][0] == asked:
            return _spread(copy.copy(self._waiting.pop()[1]), drawn)
        self._waiting = []
        return _spread(_first(drawn), drawn)


def inputs_file(folder, notebook):
    """Where the draws of a notebook's probes are (without .json and .npz)."""
    return folder / f"{notebook}_inputs"


@cache
def _recorded(exercise):
    """{probe: {name of a stream: [[what was asked, what was drawn], ...]}} of one exercise; {} in the full course."""
    if not _HERE:
        return {}
    found = _file(number_of(exercise))
    return {probe: found.unpacked(streams) for probe, streams in found.content.get(exercise, {}).items()}


@cache
def _file(notebook):
    return Reader(inputs_file(EXPECTED, notebook))


_HERE = EXPECTED.is_dir()  # asked once: a learner's process may be sandboxed later
