"""From a clean notebook to the executed one: run on the reference, with its outputs."""

import os
import subprocess
import tempfile
from contextlib import contextmanager
from pathlib import Path
from textwrap import indent

from ..course.paths import REFERENCE, ROOT
from .cell_outputs import ANSI, tidy_outputs
from .clean_notebooks import as_text, clean_notebook, write
from .sources import NotebookError, sources, with_headings

CELL_SECONDS = 600


def executed_path(source):
    """Where the notebook with its outputs is: beside its source."""
    return source.with_suffix(".ipynb")


def execute(number, root=ROOT):
    """Runs a notebook on the reference and writes it with its outputs. Gives the path."""
    (source,) = sources([number], root)
    notebook = clean_notebook(source)
    run_cells(notebook, source)
    for cell in notebook.cells:
        tidy_outputs(cell, root)
    write(executed_path(source), as_text(notebook))
    return executed_path(source)


def run_cells(notebook, source):
    """Fills in the outputs of every code cell, from one kernel in which babygrad is the reference."""
    with running_kernel(notebook, source) as client:
        for index, (cell, heading) in enumerate(with_headings(notebook.cells)):
            run_cell(client, cell, index, f"{source.name}, under {heading!r}")
        require_reference(client, source)


@contextmanager
def running_kernel(notebook, source, package_dir=None, seconds=CELL_SECONDS):
    """A kernel of this Python, beside the source, with settings of its own: no startup files, no history.

    package_dir: what holds its babygrad; the reference unless told.  seconds: for each cell.
    """
    from jupyter_client import AsyncKernelManager
    from jupyter_client.kernelspec import KernelSpecManager
    from nbclient import NotebookClient

    with tempfile.TemporaryDirectory() as settings:
        manager = AsyncKernelManager(kernel_name="python3", kernel_spec_manager=KernelSpecManager(kernel_dirs=[]))
        client = NotebookClient(
            notebook,
            km=manager,
            timeout=seconds,
            startup_timeout=CELL_SECONDS,
            record_timing=False,
            resources={"metadata": {"path": str(source.parent)}},
        )
        environment = kernel_environment(package_dir or source.parents[1], settings)
        with client.setup_kernel(
            cleanup_kc=True, env=environment, stderr=subprocess.DEVNULL
        ):  # a kernel greets with warnings
            yield client


def kernel_environment(package_dir, scratch):
    """The environment in which a kernel imports babygrad from package_dir, and keeps what is kept in scratch."""
    environment = {
        name: value
        for name, value in os.environ.items()
        if name not in ("PYTHONSTARTUP", "PYTHONWARNINGS", "PYTHONHOME", "JPY_SESSION_NAME")
    }
    folders = dict.fromkeys([str(Path(package_dir).resolve()), str(ROOT)])
    return environment | {
        "PYTHONPATH": os.pathsep.join(folders),
        "BABYGRAD_PACKAGE": str(Path(package_dir).resolve()),
        "BABYGRAD_RECORDED": "1" if Path(package_dir).resolve() == REFERENCE else "",
        "PYTHONHASHSEED": "0",
        "IPYTHONDIR": str(scratch),
        "BABYGRAD_MEMORY": str(scratch),
        "BABYGRAD_ANSWERS": str(scratch),
    }


def run_cell(client, cell, index, place):
    """Runs one cell; a failure names the place, the cell and the exception."""
    from nbclient.exceptions import CellExecutionError, CellTimeoutError, DeadKernelError

    code = indent(cell.source, "    ")
    try:
        client.execute_cell(cell, index)
    except CellExecutionError as error:
        message, trace = ANSI.sub("", error.evalue), ANSI.sub("", error.traceback)
        raised = f"this cell raised {error.ename}: {message}\n\n{code}\n\n{trace}"
        how = 'A cell that should raise carries tags=["raises-exception"].'
        raise NotebookError(f"{place}: {raised}\n\n{how}") from None
    except CellTimeoutError:
        running = f"this cell was still running after {CELL_SECONDS} seconds"
        raise NotebookError(f"{place}: {running}.\n\n{code}") from None
    except DeadKernelError:
        raise NotebookError(f"{place}: the kernel died in this cell.\n\n{code}") from None


def require_reference(client, source):
    """Refuses outputs that came from another package than the reference."""
    import nbformat

    question = "import sys; print(getattr(sys.modules.get('babygrad'), '__file__', None) or '')"
    cell = nbformat.v4.new_code_cell(question)
    client.nb.cells.append(cell)
    client.execute_cell(cell, len(client.nb.cells) - 1)
    client.nb.cells.pop()
    imported = "".join(output.get("text", "") for output in cell.outputs).strip()
    if imported and source.parents[1].resolve() not in Path(imported).resolve().parents:
        raise NotebookError(f"{source.name} ran on {imported}, not on the reference in {source.parents[1]}.")
