"""How gradients of gradients are compared: what probing.asked_again asked."""

from ..asking.describe import describe
from ..probes.probing import SLOPES_RTOL
from .arrays import close
from .compare import difference


def still_exact(expected, got):
    """The comparison for answers of `asked_again`, after other answers, which are compared as they are.

    Where the gradients themselves are right, only what was forgotten can make their slopes wrong.
    """
    plain = {name: want for name, want in expected.items() if ", differentiated by " not in name}
    found = difference(plain, got, SLOPES_RTOL)
    if found:
        return found.sentence()
    for name in expected:
        if name not in plain and not _near(expected[name], got.get(name)):
            return _forgotten(name, expected[name], got.get(name))
    return None


def _near(want, got):
    if want is None or getattr(got, "shape", None) != want.shape:
        return want is None and got is None
    return close(want, got, SLOPES_RTOL, 2e-6)


def _forgotten(name, want, got):
    gradient, leaf = name.split(", differentiated by ")
    gradient = gradient[0].upper() + gradient[1:]
    if not hasattr(got, "any") or not got.any():
        lost = f"It does not remember that it was made from {leaf}."
    else:
        lost = f"It remembers only part of how it was made from {leaf}."
    return (
        f"{gradient} has the right numbers. Differentiated once more, by {leaf}, it gives {describe(got)}, but "
        f"{describe(want)} was expected. {lost} Only operations on Tensors are remembered."
    )
