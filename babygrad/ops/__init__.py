"""The operations: each a Function with a forward and a rule for its gradient, and a plain function that uses it.

Given.
"""

from .. import lazy

NAMES_IN = {
    "function": "Function",
    "arithmetic": "Add add Sub sub Mul mul Div div Pow pow Negate negate AddScalar add_scalar MulScalar mul_scalar "
    "DivScalar div_scalar PowerScalar power_scalar Lerp lerp",
    "pointwise": "Elementwise Log log Exp exp Sqrt sqrt Abs abs ReLU relu Sigmoid sigmoid Tanh tanh "
    "Positive positive Sign sign Equal equal",
    "shape": "Reshape reshape Transpose transpose Summation summation BroadcastTo broadcast_to Mean mean unbroadcast",
    "matrix": "MatMul matmul",
    "gather": "Gather Scatter scatter",
    "stable": "Max max LogSumExp logsumexp LogSoftmax log_softmax Softmax softmax Softplus softplus",
    "fused": "Affine affine CrossEntropy cross_entropy",
}

__getattr__, __dir__, __all__ = lazy(__name__, NAMES_IN)

# Whoever comes first, the circle is entered there: the end of tensor.py says why.
from .. import tensor  # noqa: E402

del tensor
