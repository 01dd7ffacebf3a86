"""What can be chosen in a playground, and which choices there are."""

import math
from dataclasses import dataclass, fields, replace
from typing import NamedTuple

PLAIN = "gradient descent"
NO_ACTIVATION = "none"
ALL = 0  # as the size of a batch


@dataclass(frozen=True)
class Settings:
    """All that is chosen.  Those of BEGIN_ANEW make another net or other data; the others act at once.

    data: a name in Limits.data.  data_seed: which points of it.
    points: points of one's own, a line "x y label" for each; they are added to the data.
    depth, width: how many hidden layers, and how many neurons in each.  activation: of the hidden layers.
    seed: draws the first weights, and deals the batches.
    optimizer, learning_rate; batch: how many points in a step, 0 for all.
    zero_grad: forget the gradients before each backward pass.
    steps: how many from one picture to the next.
    """

    data: str = "moons"
    data_seed: int = 0
    points: str = ""
    depth: int = 1
    width: int = 8
    activation: str = "tanh"
    seed: int = 0
    optimizer: str = PLAIN
    learning_rate: float = 0.1
    batch: int = 20
    zero_grad: bool = True
    steps: int = 1


BEGIN_ANEW = {"data", "data_seed", "depth", "width", "activation", "seed"}
NAMES = tuple(field.name for field in fields(Settings))
WHOLE = {"data_seed": 0, "seed": 0}  # whole numbers, and the least of each


class Limits(NamedTuple):
    """The choices of one engine: of each setting that has a list."""

    data: tuple
    depth: tuple
    width: tuple
    activation: tuple
    optimizer: tuple
    batch: tuple
    steps: tuple


class SettingError(ValueError):
    """A setting that does not exist or cannot have this value."""


def changed(settings, limits, **changes):
    """The settings with these changes.  Raises SettingError that names what cannot be."""
    for name, value in changes.items():
        if name not in NAMES:
            raise SettingError(f"a playground has no {name!r}; there are {', '.join(NAMES)}")
        demand(name, value, getattr(limits, name, None))
    return replace(settings, **changes)


def demand(name, value, choices):
    """Raises SettingError unless a setting may have this value."""
    if choices is not None and value not in choices:
        raise SettingError(f"{name} is {value!r}, but must be one of {', '.join(map(str, choices))}")
    if name in WHOLE and not (is_number(value) and value == int(value) and value >= WHOLE[name]):
        raise SettingError(f"{name} is {value!r}, but must be a whole number, {WHOLE[name]} or more")
    if name == "learning_rate" and not (is_number(value) and 0 < value < math.inf):
        raise SettingError(f"learning_rate is {value!r}, but must be a number above 0")


def is_number(value):
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)
