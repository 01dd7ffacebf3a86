"""The random numbers that a probe draws: each probe has a generator of its own."""

import contextlib
import random
import zlib
from functools import cache

from ..course.catalogue import settings_here
from ..course.folders import load, number_of

SEED = 0  # the one that learners are asked with. The student edition has its draws (recorded_draws.py)
_of_others = []  # the draw of an edition that is made or graded here


@contextlib.contextmanager
def as_in_an_edition(draw):
    """While this context is open, SEED draws as for the learners of an edition with this "draw" in its course.json."""
    _of_others.append(draw)
    try:
        yield
    finally:
        _of_others.pop()


def edition(seed):
    """By which number an edition's learners differ from those of other editions; 0 for every seed but theirs."""
    if seed != SEED:
        return 0
    return _of_others[-1] if _of_others else _here()


@cache
def _here():
    return settings_here().get("draw", 0)


def is_light(exercise):
    """Is this exercise (its id) about numbers alone, so that it can be checked where there is no NumPy?

    LIGHT in the questions of its notebook says so: True of all, or their ids.
    """
    light = getattr(load(number_of(exercise), "questions"), "LIGHT", ())
    return light is True or exercise in light


@contextlib.contextmanager
def generator(exercise, probe, seed):
    """The generator for one probe of an exercise (its id)."""
    own = [edition(seed)] if edition(seed) else []
    if is_light(exercise):
        yield Draws(" ".join(map(str, [exercise, probe, seed, *own])))
        return
    from . import recorded_draws

    seeds = [seed, zlib.crc32(f"{exercise} {probe}".encode()), *own]
    with recorded_draws.generator(exercise, probe, seeds, played=seed == SEED) as rng:
        yield rng


class Draws:
    """Draws single numbers, under the names of NumPy's generator, and the same ones in every Python.

    Of Python's own generator this is promised for random() alone: the others are made from it.
    """

    def __init__(self, seed):
        self.random = random.Random(seed).random

    def uniform(self, low, high):
        return low + (high - low) * self.random()

    def integers(self, low, high):
        """A whole number, at least low and less than high."""
        return low + int((high - low) * self.random())

    def permutation(self, count):
        """The numbers below count in any order."""
        numbers = list(range(count))
        for last in range(count - 1, 0, -1):
            place = self.integers(0, last + 1)
            numbers[last], numbers[place] = numbers[place], numbers[last]
        return numbers
