"""Loads a folder babygrad/ under a module name of its own."""

import contextlib
import importlib.util
import itertools
import os
import sys
from importlib.machinery import SourceFileLoader

from .paths import package_folder

COPY = "babygrad_copy_"

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
    """A copy of the package for this block alone, which may be patched. Removed afterwards."""
    name = f"{COPY}{next(_running_number)}"
    if _CopyFinder not in sys.meta_path:
        sys.meta_path.insert(0, _CopyFinder)
    try:
        yield load_package(directory, name)
    finally:
        for module in [m for m in sys.modules if m == name or m.startswith(name + ".")]:
            del sys.modules[module]


class _CopyFinder:
    """Finds the modules of copies. There are hundreds of copies, so each file is compiled once."""

    @staticmethod
    def find_spec(name, path=None, target=None):
        if not (path and name.startswith(COPY)):
            return None
        base = os.path.join(path[0], name.rpartition(".")[2])
        inside = [base] if os.path.isdir(base) else None
        file = os.path.join(base, "__init__.py") if inside else base + ".py"
        if not os.path.isfile(file):
            return None
        loader = _CopyLoader(name, file)
        return importlib.util.spec_from_file_location(name, file, loader=loader, submodule_search_locations=inside)


class _CopyLoader(SourceFileLoader):
    compiled = {}

    def get_code(self, fullname):
        key = self.path, os.stat(self.path).st_mtime_ns
        if key not in self.compiled:
            self.compiled[key] = super().get_code(fullname)
        return self.compiled[key]
