"""In the asked process: one question, asked of the package with other functions in the place of the learner's own.

request: {"package", "exercise", "file", "probe", "seed", "trials": [[name of a function, its text], ...]}
frames:  {"trial": place in the list, "outcome": Outcome, or None if an exception ended it}, {"done": true}

At the beginning of each function and of each round of a loop such a text calls STEP.
"""

import contextlib
import gc
import sys
from types import CodeType, FunctionType

from ..course.questions import probes_of
from .ask import ask, import_file, load

MOST_STEPS = 100_000  # rounds of loops and calls of what is tried
RENEWED = 150  # a copy of the package is asked so often: what is tried may leave something behind
STEP = "_one_step_more"


def try_requests(requests, send):
    """Answer requests about one file of one package; messages stand at the top."""
    copy, asked = None, 0
    for request in requests:
        [probe] = [p for p in probes_of(request["exercise"]) if p.name == request["probe"]]
        for number, (name, text) in enumerate(request["trials"]):
            if asked % RENEWED == 0:
                copy = _Copy(request["package"], request["file"])
            asked += 1
            outcome = None
            with contextlib.suppress(BaseException), copy.with_function(name, text) as package:
                outcome = ask(package, probe, request["seed"], stopper=())
            send({"trial": number, "outcome": outcome})
        send({"done": True})


class _Copy:
    """The package, imported anew."""

    def __init__(self, directory, file):
        for name in [name for name in sys.modules if name.partition(".")[0] == "babygrad"]:
            del sys.modules[name]
        self._package, failure = load(directory)
        if failure or import_file(self._package, file):
            raise ImportError(file)
        self._module = sys.modules[f"{self._package.__name__}.{file.removesuffix('.py').replace('/', '.')}"]
        self._functions = {}

    @contextlib.contextmanager
    def with_function(self, name, text):
        """The package, in which for this block the function of this name runs the code of the text."""
        if name not in self._functions:
            self._functions[name] = list(_functions(vars(self._module), name))
        functions = self._functions[name]
        code = _compiled(text, self._module.__file__, name)
        before = [each.__code__ for each in functions]
        vars(self._module)[STEP] = _Steps().one_more
        try:
            for function in functions:
                function.__code__ = code
            yield self._package
        finally:
            for function, own in zip(functions, before, strict=True):
                function.__code__ = own


def _functions(module, name):
    """Every function of this name that a module holds: a class may have it under several."""
    for each in gc.get_objects():
        if type(each) is FunctionType and each.__globals__ is module and each.__code__.co_qualname == name:
            yield each


def _compiled(text, path, name):
    code = compile(text, path, "exec", dont_inherit=True)
    for part in name.split("."):
        code = next(each for each in code.co_consts if isinstance(each, CodeType) and each.co_name == part)
    return code


class TooManySteps(BaseException):
    """It loops, or calls itself, without an end."""


class _Steps:
    def __init__(self):
        self._left = MOST_STEPS

    def one_more(self):
        self._left -= 1
        if self._left < 0:
            raise TooManySteps
