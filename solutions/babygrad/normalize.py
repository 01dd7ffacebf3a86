"""Notebook 12: Dropout and LayerNorm. Only the forward pass is written: the engine knows the backward pass.

Yours: 12.8.
"""

import numpy as np

from .announce import announced
from .nn import Module, Parameter


class Dropout(Module):
    """In training each number becomes 0 with probability p, and the others grow to make up for it.

    p: at least 0 and below 1.  rng: the NumPy Generator that decides.
    Raises ValueError for another p.
    Source: torch.nn.Dropout.
    """

    def __init__(self, p=0.5, rng=None):
        if not 0 <= p < 1:
            raise ValueError(f"p, a probability, must be at least 0 and below 1, but it is {p!r}")
        self.p = p
        self.rng = np.random.default_rng() if rng is None else rng

    def forward(self, x):
        """x: a Tensor, which is left as it is.  Returns a Tensor of its shape and dtype; its mean is that of x, over
        many draws.

        `self.training` is False when the model is in use.  `self.kept(x.shape)` draws which numbers stay.
        """
        ### BEGIN SOLUTION 12.8: Dropout.forward
        if not self.training:
            return x
        return x * self.kept(x.shape) / (1 - self.p)
        ### END SOLUTION

    @announced
    def kept(self, shape):
        """Truth values: True with probability 1 - p."""
        return self.rng.random(shape) >= self.p


class LayerNorm(Module):
    """Each row is normalised to mean 0 and standard deviation 1, then stretched by a weight and moved by a bias.

    features: the size of the last axis.  eps: keeps the division finite.
    .weight, .bias: (features,), at first 1 and 0.
    Source: torch.nn.LayerNorm.
    """

    def __init__(self, features, eps=1e-5):
        self.eps = eps
        self.weight = Parameter(np.ones(features))
        self.bias = Parameter(np.zeros(features))

    def forward(self, x):
        """x (..., features).  Returns a Tensor of its shape, also right for rows far from 0.

        `self.eps` belongs to the variance, a mean (over features, not features - 1).
        """
        ### BEGIN SOLUTION 12.8: LayerNorm.forward
        difference = x - x.mean(-1, keepdims=True)
        variance = (difference * difference).mean(-1, keepdims=True)
        return difference / (variance + self.eps).sqrt() * self.weight + self.bias
        ### END SOLUTION
