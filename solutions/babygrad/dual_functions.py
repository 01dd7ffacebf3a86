"""More functions of a Dual. Their rules are found in notebook 02: this file spoils them.

Given.
"""

import math


class DualFunctions:
    """log and tanh, for derivatives.Dual."""

    def log(self):
        """The natural logarithm of self.  Where it is e times as large, it grows e times more slowly."""
        return type(self)(math.log(self.value), self.slope / self.value)

    def tanh(self):
        """The hyperbolic tangent of self: an S-shaped curve, steepest at 0 and flat on both sides."""
        t = math.tanh(self.value)
        return type(self)(t, (1 - t * t) * self.slope)
