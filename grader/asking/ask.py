"""Asks one package the questions of one exercise. Runs in the learner's process, and in ours for the reference."""

import contextlib
import gc
import io
import os
import re
import sys
import traceback
from importlib import import_module
from pathlib import Path

from ..course.packages import load_package
from ..course.questions import probes_of
from ..course.regions import cause_above, id_of_region
from ..course.stub_message import unfilled_by
from .draws import generator
from .outcome import Frame, Outcome, Stopped

PRINT_LIMIT = 2000
FRAME_LIMIT = 16
# Words for None; for None in the place of what is returned; and what follows the kind of what is no Tensor.
NOTHING, NO_RETURN, NO_TENSOR = "nothing (None)", "nothing (is return missing?)", " instead of a Tensor"
WATCHER = str(Path("graphs", "backward_log.py"))  # it stands between two methods that call each other, and is neither


def answer_requests(requests, send):
    """Ask the package of the first request all questions of each, and send what comes back.

    The messages stand at the top of child.py.
    """
    loaded = None
    for request in requests:
        loaded = loaded or load(request["package"])
        answer(request, *loaded, send)


def answer(request, package, failure, send):
    """Ask what one request asks of a package that was loaded, or could not be."""
    for id, file, names in request["questions"]:
        send({"begin": id, "importing": file})
        broken = failure or import_file(package, file)
        for probe in [p for p in probes_of(id) if p.name in names]:
            send({"begin": id, "probe": probe.name})
            outcome = Outcome(broken) if broken else ask(package, probe, request["seed"])
            send({"exercise": id, "probe": probe.name, "outcome": outcome})
    send({"done": True})


def load(directory):
    """The package and None; or None and a Stopped, if even its __init__.py cannot be imported."""
    try:
        return load_package(directory), None
    except BaseException as error:
        return None, stopped(error, sys.modules["babygrad"], importing=True)


def ask(package, probe, seed, stopper=BaseException, passing=(), capture=True):
    """The Outcome of one probe.

    Exceptions of the class `stopper` become a Stopped, those of the classes `passing` do not.
    capture: keep what the code prints.
    """
    prints = _captured_prints() if capture else contextlib.nullcontext(io.StringIO())
    with generator(probe.exercise, probe.name, seed) as rng, _collector_off(), prints as printed:
        try:
            answers = probe.function(package, rng)
        except passing:
            raise
        except stopper as error:
            answers = stopped(error, package)
    return Outcome(answers, without_places(printed.getvalue(), package.__path__[0]))


def import_file(package, file):
    """Import the learner's file.  Returns None, or a Stopped that says what went wrong."""
    try:
        import_module("." + file.removesuffix(".py").replace("/", "."), package.__name__)
    except BaseException as error:  # sys.exit() at the top of a file is the learner's mistake too
        return stopped(error, package, importing=True)
    return None


def stopped(error, package, importing=False):
    """The Stopped for an exception that left the package's code, or the probe."""
    folder, unfilled = package.__path__[0], unfilled_by(error)
    above = _above(error, folder)
    return Stopped(
        type=type(error).__name__,
        message=_message(error, folder).replace(package.__name__ + ".", "babygrad."),  # a copy has a name of its own
        frames=tuple(_frames(error, folder)),
        stub=unfilled.id if unfilled else "",
        used=_used(error, package.__name__),
        importing=importing,
        graph=getattr(error, "graph", None),
        above=above.id if above else "",
        above_line=above.end - 1 if above else 0,
        column=_column(error) if _is_unreadable(error, folder) else -1,
        region=id_of_region(error.filename, error.lineno) if _is_unreadable(error, folder) else "",
    )


def _above(error, folder):
    """The Region that a SyntaxError further down comes from, or None."""
    return cause_above(Path(error.filename), error.lineno) if _is_unreadable(error, folder) else None


def _is_unreadable(error, folder):
    """Is it about a line of the package that Python could not read?"""
    return isinstance(error, SyntaxError) and bool(error.lineno) and str(error.filename).startswith(folder)


def _column(error):
    """Where in its line, without what it is indented by, Python stopped reading; -1 if that is not known."""
    indent = len(error.text or "") - len((error.text or "").lstrip())
    return max((error.offset or 0) - 1 - indent, -1)


def kind_of(x):
    """What x is, in plain words."""
    if x is None:
        return NOTHING
    if isinstance(x, bool):
        return "a truth value"
    if isinstance(x, (int, float)):
        return "a number"
    if isinstance(x, str):
        return "a text"
    return f"a {type(x).__name__}"


def _message(error, folder):
    if isinstance(error, SyntaxError):
        return error.msg
    with contextlib.suppress(Exception):  # an exception's own __str__ is learner code
        return without_places(str(error), folder)[:500]
    return ""


def without_places(text, folder):
    """The text without memory addresses and without the folder that the package lies in."""
    return re.sub(r" at 0x[0-9a-fA-F]+", "", text).replace(folder + os.sep, "")


def _frames(error, folder):
    """The package's own lines, the innermost last; of many only the last ones, and one that the learner wrote."""
    lines = [f for f in traceback.extract_tb(error.__traceback__) if f.filename.startswith(folder)]
    own = [
        f for f in lines if f.name != "__getattr__" and not f.filename.endswith(WATCHER)
    ]  # who looks a name up, or on
    for frame in (*_theirs(own), *own[-FRAME_LIMIT:]):
        yield _frame(frame.filename, frame.lineno, frame.name, frame.line, folder)
    if isinstance(error, SyntaxError) and str(error.filename).startswith(folder):
        yield _frame(error.filename, error.lineno, "", error.text, folder)


def _theirs(frames):
    """The innermost that the learner wrote, where it is not among the last: given code went deep from there."""
    last = {(frame.filename, frame.lineno): n for n, frame in enumerate(frames)}
    found = max((n for place, n in last.items() if _is_own(*place)), default=len(frames))
    return frames[found : found + 1] if found < len(frames) - FRAME_LIMIT else []


def _is_own(filename, line):
    return bool(line and id_of_region(Path(filename), line))


def _frame(filename, line, function, code, folder):
    file = Path(filename).relative_to(folder).as_posix()
    return Frame(file, line or 0, function, (code or "").strip(), _is_own(filename, line))


def _used(error, package):
    if not isinstance(error, AttributeError) or not error.name or hasattr(error.obj, "__path__"):
        return ""
    owner = error.obj
    if _is_module(owner):
        return f"file {owner.__name__.split('.')[-1]}.py"
    cls = owner if isinstance(owner, type) else type(owner)
    return f"class {cls.__name__}" if str(cls.__module__).startswith(package + ".") else kind_of(owner)


def _is_module(x):
    return type(x) is type(sys)


class CappedText(io.StringIO):
    """Keeps the first `limit` characters and lets the rest go."""

    def __init__(self, limit):
        super().__init__()
        self._limit = limit

    def write(self, text):
        room = self._limit - self.tell()
        if room > 0:
            super().write(text[:room])
        return len(text)


@contextlib.contextmanager
def _collector_off():
    """Switches the garbage collector off: it would walk a growing graph of 100,000 nodes again and again."""
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


@contextlib.contextmanager
def _captured_prints():
    text = CappedText(PRINT_LIMIT)
    with contextlib.redirect_stdout(text), contextlib.redirect_stderr(text):
        yield text
