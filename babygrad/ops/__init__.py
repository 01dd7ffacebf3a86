"""The operations: each a Function with a forward and a rule for its gradient, and a plain function that uses it.

Like the package itself: a name is looked up in its file when it is first used.
"""

from importlib import import_module

_NAMES_IN = {
    "function": "Function",
    "arithmetic": "Add add Sub sub Mul mul Div div Pow pow Negate negate AddScalar add_scalar MulScalar mul_scalar "
    "DivScalar div_scalar PowerScalar power_scalar",
    "pointwise": "Log log Exp exp Sqrt sqrt Abs abs ReLU relu Sigmoid sigmoid Tanh tanh",
    "shape": "Reshape reshape Transpose transpose Summation summation BroadcastTo broadcast_to Mean mean unbroadcast",
    "matrix": "MatMul matmul",
    "fused": "Affine affine CrossEntropy cross_entropy",
}
_HOME = {name: file for file, names in _NAMES_IN.items() for name in names.split()}

__all__ = sorted(_HOME)


def __getattr__(name):
    if name in _NAMES_IN:
        return import_module(f".{name}", __name__)
    if name in _HOME:
        return getattr(import_module(f".{_HOME[name]}", __name__), name)
    raise AttributeError(f"babygrad.ops has no {name!r}", name=name)


def __dir__():
    return sorted({*globals(), *_HOME, *_NAMES_IN})
