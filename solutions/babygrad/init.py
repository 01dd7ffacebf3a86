"""First weights: random numbers whose size depends on how many numbers go into a unit, and out of it.

Given.

Each function returns an array (fan_in, fan_out), as Linear.weight. fan_in: how many inputs a unit has. fan_out: how
many units there are. rng: a numpy Generator.
Source: the functions of these names in torch.nn.init, for relu (kaiming) and with gain 1 (xavier).
"""

import numpy as np


def linear_uniform(fan_in, fan_out, rng, shape=None):
    """From -1/sqrt(fan_in) to 1/sqrt(fan_in): what torch.nn.Linear begins with.  shape: another shape, for a bias."""
    bound = 1 / np.sqrt(fan_in)
    return rng.uniform(-bound, bound, (fan_in, fan_out) if shape is None else shape)


def kaiming_uniform(fan_in, fan_out, rng):
    """From -b to b, with b = sqrt(6 / fan_in): relu keeps the size of its inputs.  He and others 2015."""
    bound = np.sqrt(6 / fan_in)
    return rng.uniform(-bound, bound, (fan_in, fan_out))


def kaiming_normal(fan_in, fan_out, rng):
    """Normal, with standard deviation sqrt(2 / fan_in).  He and others 2015."""
    return rng.normal(0, np.sqrt(2 / fan_in), (fan_in, fan_out))


def xavier_uniform(fan_in, fan_out, rng):
    """From -b to b, with b = sqrt(6 / (fan_in + fan_out)).  Glorot and Bengio 2010."""
    bound = np.sqrt(6 / (fan_in + fan_out))
    return rng.uniform(-bound, bound, (fan_in, fan_out))


def xavier_normal(fan_in, fan_out, rng):
    """Normal, with standard deviation sqrt(2 / (fan_in + fan_out)).  Glorot and Bengio 2010."""
    return rng.normal(0, np.sqrt(2 / (fan_in + fan_out)), (fan_in, fan_out))
