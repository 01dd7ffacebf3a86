"""What stands in the page for packages that are not in it."""

import contextlib
import sys
from importlib.util import find_spec
from types import ModuleType

NOT_HERE = {"numpy": "NumPy", "matplotlib": "matplotlib"}
TYPES = {"numpy": ("ndarray", "generic")}  # may be asked for all the same: nothing is one


class NotInThePage(ImportError):
    """A package that this page does not have is used."""


class Missing(ModuleType):
    """Stands in for a package that is not here: it can be imported, and says so when it is used."""

    def __init__(self, name):
        super().__init__(name)
        vars(self).update({each: type(each, (), {}) for each in TYPES.get(name, ())})

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        said = NOT_HERE[self.__name__.partition(".")[0]]
        raise NotInThePage(f"{said} is not in this page: this runs in the real course.")


@contextlib.contextmanager
def stand_ins():
    """While this is open, code can import what is not here, as long as it does not use it."""
    absent = [name for name in NOT_HERE if sys.modules.get(name) is None and not find_spec(name)]
    names = absent + ["matplotlib.pyplot"] * ("matplotlib" in absent)
    modules, before = {name: Missing(name) for name in names}, set(sys.modules)
    if "matplotlib" in modules:
        modules["matplotlib"].pyplot = modules["matplotlib.pyplot"]
        modules["matplotlib"].__path__ = []
    sys.modules.update(modules)
    try:
        yield
    finally:
        for name in modules:
            sys.modules[name] = None
            if name not in before:
                del sys.modules[name]
