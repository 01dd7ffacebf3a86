"""A cell that meets an exercise which is not filled in yet stops with one plain line instead of a traceback.

So does one that imports a file of the package with a syntax error. IPython hands every NotImplementedError and
SyntaxError to our handler (set_custom_exc). To the error of a stub the handler gives the method by which an
exception words its own traceback (_render_traceback_), and then lets IPython show it as always: so the cell fails,
and "run all" stops there.
"""

import traceback

from ..checking.advice import noticed_at
from ..checking.going_on import helping
from ..course.stub_message import unfilled
from .reload import PACKAGE, name_in_package


def install(shell):
    """From now on this shell shows both errors as one line each; every other error stays as it is."""
    shell.set_custom_exc((NotImplementedError, SyntaxError), show)


def show(shell, kind, error, trace, tb_offset=None):
    """Called by IPython in place of its own way to show such an error."""
    if isinstance(error, SyntaxError) and syntax_line(error):
        shell._showtraceback(kind, error, [syntax_line(error)])  # there is no public way: IPython words these itself
        return
    line = stub_line(error, trace)
    if line:
        error._render_traceback_ = lambda: [line]
    shell.showtraceback((kind, error, trace), tb_offset=tb_offset, running_compiled_code=True)


def syntax_line(error):
    """The line for a syntax error in a file of the package, with the learner's own below it; None for any other."""
    file = name_in_package(error.filename) if error.filename else None
    if not file:
        return None
    own = f"    {error.text.strip()}" if error.text else ""
    said = f"Python could not read {PACKAGE}/{file}, line {error.lineno}: {error.msg}."
    return "\n".join(filter(None, [said, own, noticed_at(error.filename, error.lineno, file)]))


def in_one_line(error, asking="%hint {}"):
    """Either line for the error of a stub or a file with a syntax error; None for any other.  asking: for a hint."""
    return syntax_line(error) if isinstance(error, SyntaxError) else stub_line(error, error.__traceback__, asking)


def stub_line(error, trace, asking="%hint {}"):
    """The line for an error that a stub of the package raised; None for any other."""
    stub = unfilled(str(error))
    raised = traceback.extract_tb(trace)[-1:]
    file = name_in_package(raised[0].filename) if raised else None
    if not (stub and file):
        return None
    title = f" ({stub.title})" if stub.title else ""
    what = f"Exercise {stub.id}{title} is not filled in yet: {PACKAGE}/{file}, line {raised[0].lineno}."
    return f"{what}  {helping(stub.id, asking.format(stub.id))}"
