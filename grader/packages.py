"""Loads a folder babygrad/ under a module name of its own."""

import contextlib
import importlib.util
import itertools
import sys

from .places import package_folder

_running_number = itertools.count()


def load_package(directory, name="babygrad"):
    """The package in directory/babygrad, imported afresh as `name`. Nothing else becomes importable."""
    folder = package_folder(directory)
    spec = importlib.util.spec_from_file_location(
        name, folder / "__init__.py", submodule_search_locations=[str(folder)]
    )
    package = importlib.util.module_from_spec(spec)
    sys.modules[name] = package
    spec.loader.exec_module(package)
    return package


@contextlib.contextmanager
def private_copy(directory):
    """A copy of the package that nobody else holds, so that it may be patched. Gone afterwards."""
    name = f"babygrad_copy_{next(_running_number)}"
    try:
        yield load_package(directory, name)
    finally:
        for module in [m for m in sys.modules if m == name or m.startswith(name + ".")]:
            del sys.modules[module]
