"""What a learner's code may have changed for the whole interpreter, put back: each check begins as in a new process."""

import builtins
import collections
import copy
import functools
import gc
import importlib
import io
import itertools
import linecache
import math
import operator
import os
import random
import sys
import time
import warnings

from ..asking.pipes import no_debugger

PACKAGE = "babygrad"
SHARED = (builtins, collections, copy, functools, itertools, math, operator, random, time)  # and what they hold
HOOKS = ("breakpointhook", "displayhook", "excepthook", "unraisablehook")
CALLS = 1000  # nested ones, Python's own limit


class Pristine:
    """How the interpreter is now. back() makes it so again, as far as a learner's code is likely to reach."""

    def __init__(self):
        self._shared = [(module, dict(module.__dict__)) for module in SHARED]
        self._hooks = {name: getattr(sys, name) for name in HOOKS}
        self._pipes = sys.stdout, sys.stderr
        self._lists = [(each, list(each)) for each in (sys.path, sys.meta_path, sys.path_hooks, warnings.filters)]
        self._environment, self._folder = dict(os.environ), os.getcwd()

    def back(self):
        """Put everything back, and forget what is known of files."""
        sys.settrace(None)
        sys.setprofile(None)
        self.names_back()
        sys.setrecursionlimit(CALLS)
        for name, hook in self._hooks.items():
            setattr(sys, name, hook)
        sys.stdin, (sys.stdout, sys.stderr) = io.StringIO(), self._pipes
        sys.breakpointhook = no_debugger
        for each, items in self._lists:
            each[:] = items
        os.environ.clear()
        os.environ.update(self._environment)
        os.chdir(self._folder)
        gc.enable()
        linecache.checkcache()
        importlib.invalidate_caches()

    def names_back(self):
        """Only what modules hold, Python's own names among them: without these nothing goes on."""
        for module, names in self._shared:
            there = module.__dict__
            for name in {*there} - {*names}:
                del there[name]
            there.update(names)


def taken_out(package=PACKAGE):
    """{name: module} of a package that is imported no longer."""
    names = [name for name in sys.modules if name == package or name.startswith(package + ".")]
    return {name: sys.modules.pop(name) for name in names}
