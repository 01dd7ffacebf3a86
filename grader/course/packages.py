"""Loads a folder babygrad/ under a module name of its own."""

import contextlib
import importlib.util
import itertools
import linecache
import os
import sys
import warnings
from importlib.machinery import SourceFileLoader

from .paths import REFERENCE, package_folder

COPY = "babygrad_copy_"

_running_number = itertools.count()
_edited = {}  # {name of a copy: {path: code}} of files that are not as they stand on the disk


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
def imported_by_name(directory):
    """For this block `import babygrad` means the package in directory, and the toolbox, imported anew, works on it."""
    before = {name: sys.modules.pop(name) for name in _by_name()}
    try:
        yield load_package(directory)
    finally:
        for name in _by_name():
            del sys.modules[name]
        sys.modules.update(before)


def _by_name():
    return [name for name in sys.modules if name.partition(".")[0] in ("babygrad", "toolbox")]


@contextlib.contextmanager
def reference_with(*ideas):
    """A private copy of the reference with these Misconceptions or OtherAnswers in it."""
    with private_copy(REFERENCE, [idea.edit for idea in ideas if idea.edit]) as package:
        for idea in ideas:
            if idea.patch:
                idea.patch(package)
        yield package


@contextlib.contextmanager
def private_copy(directory, edits=()):
    """A copy of the package for this block alone, which may be patched. Removed afterwards.

    edits: Edits of its text, for the reference. Their code has the line numbers of the edited text.
    """
    name = f"{COPY}{next(_running_number)}"
    if _CopyFinder not in sys.meta_path:
        sys.meta_path.insert(0, _CopyFinder)
    try:
        _edited[name] = _compiled(package_folder(directory), edits)
        yield load_package(directory, name)
    finally:
        for path in _edited.pop(name, ()):
            linecache.cache.pop(path, None)
        for module in [m for m in sys.modules if m == name or m.startswith(name + ".")]:
            del sys.modules[module]


def _compiled(folder, edits):
    """{path: code} of the files that are edited."""
    texts = {}
    for edit in edits:
        path = folder / edit.file
        texts[str(path)] = edit.applied(texts.get(str(path)) or path.read_text(encoding="utf-8"))
    for path, text in texts.items():  # what a traceback shows; without a time it is not compared with the file's
        linecache.cache[path] = len(text), None, text.splitlines(keepends=True), path
    with warnings.catch_warnings(action="ignore"):  # a wrong idea may be odd Python
        return {path: compile(text, path, "exec", dont_inherit=True) for path, text in texts.items()}


def spec_in(folder, name, is_there, loader):
    """The spec of a module of the package in this folder: a folder of its own, or a file. None if there is none.

    is_there(path): is there such a file?  loader: the class that gives its code.
    """
    base = os.path.join(folder, name.rpartition(".")[2])
    for file, inside in ((os.path.join(base, "__init__.py"), [base]), (base + ".py", None)):
        if is_there(file):
            return importlib.util.spec_from_file_location(
                name, file, loader=loader(name, file), submodule_search_locations=inside
            )
    return None


class _CopyFinder:
    """Finds the modules of copies. There are hundreds of copies, so each file is compiled once."""

    @staticmethod
    def find_spec(name, path=None, target=None):
        return spec_in(path[0], name, os.path.isfile, _CopyLoader) if path and name.startswith(COPY) else None


class _CopyLoader(SourceFileLoader):
    compiled = {}

    def get_code(self, fullname):
        edited = _edited.get(fullname.partition(".")[0], {})
        if self.path in edited:
            return edited[self.path]
        key = self.path, os.stat(self.path).st_mtime_ns
        if key not in self.compiled:
            self.compiled[key] = super().get_code(fullname)
        return self.compiled[key]
