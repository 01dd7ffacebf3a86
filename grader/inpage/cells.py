"""A notebook's cells, run where there is no Jupyter."""

import ast
import contextlib
import linecache
import traceback
from types import SimpleNamespace

from ..asking.ask import CappedText, without_places
from ..course.paths import ROOT
from ..notebook.reload import Watch
from ..notebook.stub_stop import in_one_line
from .pristine import taken_out
from .stand_ins import NotInThePage, stand_ins

MOST_PRINTED = 50_000  # characters
KINDS = {"image/svg+xml": "svg", "text/html": "html", "text/plain": "text"}  # the first that something has is shown


class Cells:
    """The names that cells share, and the package as it was last saved.

    mend(): called after each cell, which may have broken what everything needs.
    """

    def __init__(self, mend):
        self._mend = mend
        self._names = {"__name__": "__main__", "display": self._show}
        self._watch = Watch(SimpleNamespace(user_ns=self._names))
        self._count, self._shown = 0, []

    def run(self, code):
        """{"printed", "shown": [{"kind", "data"}], "error"}"""
        self._count, self._shown = self._count + 1, []
        file, text, error = f"<cell {self._count}>", CappedText(MOST_PRINTED), ""
        linecache.cache[file] = len(code), None, code.splitlines(True), file
        with contextlib.redirect_stdout(text), contextlib.redirect_stderr(text), stand_ins():
            self._watch.before_cell(None)
            try:
                self._run(ast.parse(code, file), file)
            except BaseException as raised:  # a sys.exit() must not end the page
                error = _in_words(raised, file)
            finally:
                self._mend()
            self._watch.after_cell(None)
        return {"printed": text.getvalue(), "shown": self._shown, "error": error}

    def _run(self, tree, file):
        """Run the cell; what its last expression gives is shown."""
        last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
        exec(compile(tree, file, "exec"), self._names)
        if last is not None:
            result = eval(compile(ast.Expression(last.value), file, "eval"), self._names)
            if result is not None:
                self._show(result)

    def _show(self, *things):
        self._shown += map(_shown, things)

    def forget(self):
        """The package is imported anew by the next cells, with all names gone."""
        taken_out()
        self.__init__(self._mend)


def _shown(thing):
    """{"kind", "data"}: as Jupyter would show it."""
    asked = getattr(thing, "_repr_mimebundle_", None)
    if asked:
        found = asked()
    else:
        plain = {"image/svg+xml": "_repr_svg_", "text/html": "_repr_html_"}
        found = {kind: getattr(thing, name)() for kind, name in plain.items() if hasattr(thing, name)}
    for mime, kind in KINDS.items():
        if data := found.get(mime):
            return {"kind": kind, "data": data}
    return {"kind": "text", "data": repr(thing)}


def _in_words(error, file):
    """One line for a stub, for a file with a syntax error and for what is not here; a short traceback for the rest."""
    said = in_one_line(error)
    if said or isinstance(error, NotInThePage):
        return said or str(error)
    own = [frame for frame in traceback.extract_tb(error.__traceback__) if _is_theirs(frame.filename)]
    lines = traceback.format_list(own[:3] + own[-3:] if len(own) > 6 else own)
    return without_places("".join([*lines, *traceback.format_exception_only(error)]).rstrip(), str(ROOT))


def _is_theirs(file):
    return file.startswith(("<cell ", str(ROOT / "babygrad")))
