"""Writes both kinds of notebook from their one source, solutions/notebooks/NN_title.py (percent format).

notebooks/NN_title.ipynb            clean: what a learner opens; the same source gives the same bytes, always
solutions/notebooks/NN_title.ipynb  executed on the reference with its outputs: what nbval compares with
"""

import base64
import hashlib
import os
import re
import subprocess
import sys
import tempfile
import time
from contextlib import contextmanager
from pathlib import Path

from ..course.paths import ROOT
from ..course.phrases import counted
from ..course.usage import UsageError

PATTERNS_FILE = Path(__file__).with_name("nbval_sanitize.cfg")
METADATA = {
    "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}
CELL_METADATA = {"tags", "jupyter"}  # anything else in a source is a mistake
LOAD = "%load_ext grader"
# The folder is told by VS Code or by Jupyter's server; elsewhere a kernel starts in it.
GUARDED_LOAD = """class WrongKernel(Exception):
    _render_traceback_ = lambda self: [str(self)]  # one line, no traceback

def open_course():  # it is the folder above this notebook
    import os, sys

    told = globals().get("__vsc_ipynb_file__", ""), os.environ.get("JPY_SESSION_NAME", ""), os.path.abspath("notebook")
    folder = next(filter(os.path.isdir, map(os.path.dirname, told)))
    course = os.path.dirname(os.path.abspath(folder))
    sys.path.insert(0, course)
    try:
        from grader.notebook.magics import install
    except ImportError:
        raise WrongKernel(f"There is no course in {course}: open the notebook in your copy of the course.") from None
    if refusal := install(get_ipython(), course):
        raise WrongKernel(refusal)

open_course()"""
CELL_SECONDS = 300
IMAGE_BYTES = 150_000
NOTEBOOK_BYTES = 1_000_000
ANSI = re.compile(r"\x1b\[[0-9;]*m")
MACHINE_PATH = re.compile(
    r"""(?<![\w.:/<])(?:/(?:home|Users|root|tmp|var|private|opt|usr|work|mnt)/|[A-Z]:\\\\?Users)[^\s"']*"""
)
ESCAPED_PATTERN = re.compile(r"^regex: (.*)$\n^replace: (.*)$", re.MULTILINE)  # as nbval reads them


class NotebookError(Exception):
    """A source that cannot become a notebook. The message names the notebook, the section and the cell."""


# ------------------------------------------------------------------ which notebooks there are


def sources(numbers=(), root=ROOT):
    """The source files of the named notebooks (all if none is named), in order."""
    found = sorted((root / "solutions" / "notebooks").glob("[0-9][0-9]_*.py"))
    by_number = {path.name[:2]: path for path in found}
    wanted = [str(number).zfill(2) for number in numbers] or sorted(by_number)
    for number in wanted:
        if number not in by_number:
            raise UsageError(f"There is no notebook {number}. There are: {', '.join(sorted(by_number)) or 'none'}.")
    return [by_number[number] for number in wanted]


def clean_path(source):
    """Where a learner finds the notebook of a source."""
    return source.parents[2] / "notebooks" / source.with_suffix(".ipynb").name


def executed_path(source):
    """Where the notebook with its outputs is: beside its source."""
    return source.with_suffix(".ipynb")


# ------------------------------------------------------------------ from source to clean notebook


def clean_notebook(source):
    """The notebook of a source: no outputs, ids that stay when other cells are edited."""
    import jupytext
    import nbformat

    notebook = jupytext.read(source, fmt="py:percent")
    notebook.nbformat, notebook.nbformat_minor = 4, 5
    notebook.metadata = nbformat.from_dict(METADATA)
    taken = set()
    for cell, heading in with_headings(notebook.cells):
        cell.source = GUARDED_LOAD if cell.source == LOAD else cell.source
        tidy_cell_metadata(cell, f"{source.name}, under {heading!r}")
        cell["id"] = cell_id(cell, taken)
    nbformat.validate(notebook)
    return notebook


def with_headings(cells):
    """Pairs of a cell and the last heading at or above its end."""
    heading = "the top"
    for cell in cells:
        if cell.cell_type == "markdown":
            heading = last_heading(cell.source) or heading
        yield cell, heading


def last_heading(markdown):
    """The text of the last heading in a markdown cell, or None."""
    headings = re.findall(r"^#{1,4} +(.+?)\s*$", without_fences(markdown), re.MULTILINE)
    return headings[-1] if headings else None


def without_fences(markdown):
    """Markdown without its fenced code, in which a # is a comment."""
    return re.sub(r"^```.*?^```", "", markdown, flags=re.MULTILINE | re.DOTALL)


def tidy_cell_metadata(cell, place):
    """Removes what jupytext notes for itself; refuses unknown metadata, and what nbval would run differently."""
    for key in ("lines_to_next_cell", "lines_to_end_of_cell_marker", "cell_marker"):
        cell.metadata.pop(key, None)
    if "id" in cell.metadata:
        cell["own_id"] = cell.metadata.pop("id")
    unknown = set(cell.metadata) - CELL_METADATA
    if unknown:
        raise NotebookError(
            f"{place}: a cell has {', '.join(sorted(unknown))} on its %% line; known are id, tags and jupyter."
        )
    if not cell.source.strip():
        raise NotebookError(f"{place}: there is an empty cell.")
    if cell.cell_type == "code" and cell.source.rstrip().endswith(";"):
        raise NotebookError(
            f"{place}: a cell ends in a semicolon, which nbval does not obey. Write `_ = ...` or `plt.show()`."
            f"\n\n{indented(cell.source)}"
        )


def cell_id(cell, taken):
    """The id given in the source, or one made from the cell's own text; never one that is taken."""
    own = cell.pop("own_id", None)
    if own in taken or (own and not re.fullmatch(r"[a-zA-Z0-9_-]{1,64}", own)):
        raise NotebookError(f"The cell id {own!r} is used twice, or holds more than letters, digits, - and _.")
    stem = own or hashlib.sha1(f"{cell.cell_type}\n{cell.source}".encode()).hexdigest()[:10]
    unique, count = stem, 1
    while unique in taken:
        count += 1
        unique = f"{stem}-{count}"
    taken.add(unique)
    return unique


def as_text(notebook):
    """The bytes of a notebook file, as text."""
    import nbformat

    return nbformat.writes(notebook).rstrip("\n") + "\n"


def write(path, text):
    """Writes a notebook file, the same on every system. True if it changed."""
    if path.exists() and path.read_bytes() == text.encode():
        return False
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode())
    return True


def write_clean(number, root=ROOT):
    """Writes notebooks/NN_title.ipynb. True if it changed."""
    (source,) = sources([number], root)
    return write(clean_path(source), as_text(clean_notebook(source)))


# ------------------------------------------------------------------ from clean to executed notebook


def execute(number, root=ROOT):
    """Runs a notebook on the reference and writes it with its outputs. Gives the path."""
    (source,) = sources([number], root)
    notebook = clean_notebook(source)
    run_cells(notebook, source)
    for cell, heading in with_headings(notebook.cells):
        tidy_outputs(cell, f"{source.name}, under {heading!r}", root)
    text = as_text(notebook)
    size = len(text.encode())
    if size > NOTEBOOK_BYTES:
        raise NotebookError(f"{source.name}: with its outputs it has {size:,} bytes; {NOTEBOOK_BYTES:,} are allowed.")
    write(executed_path(source), text)
    return executed_path(source)


def run_cells(notebook, source):
    """Fills in the outputs of every code cell, from one kernel in which babygrad is the reference."""
    with running_kernel(notebook, source) as client:
        for index, (cell, heading) in enumerate(with_headings(notebook.cells)):
            run_cell(client, cell, index, f"{source.name}, under {heading!r}")
        require_reference(client, source)


@contextmanager
def running_kernel(notebook, source):
    """A kernel of this Python, beside the source, with settings of its own: no startup files, no history."""
    from jupyter_client import AsyncKernelManager
    from jupyter_client.kernelspec import KernelSpecManager
    from nbclient import NotebookClient

    with tempfile.TemporaryDirectory() as settings:
        manager = AsyncKernelManager(kernel_name="python3", kernel_spec_manager=KernelSpecManager(kernel_dirs=[]))
        client = NotebookClient(
            notebook,
            km=manager,
            timeout=CELL_SECONDS,
            record_timing=False,
            resources={"metadata": {"path": str(source.parent)}},
        )
        environment = kernel_environment(source.parents[1], settings)
        with client.setup_kernel(
            cleanup_kc=True, env=environment, stderr=subprocess.DEVNULL
        ):  # a kernel greets with warnings
            yield client


def kernel_environment(package_dir, scratch):
    """The environment in which a kernel imports babygrad from package_dir and keeps its memory in scratch."""
    environment = {
        name: value
        for name, value in os.environ.items()
        if name not in ("PYTHONSTARTUP", "PYTHONWARNINGS", "PYTHONHOME", "JPY_SESSION_NAME")
    }
    folders = dict.fromkeys([str(Path(package_dir).resolve()), str(ROOT)])
    return environment | {
        "PYTHONPATH": os.pathsep.join(folders),
        "BABYGRAD_PACKAGE": str(Path(package_dir).resolve()),
        "PYTHONHASHSEED": "0",
        "IPYTHONDIR": str(scratch),
        "BABYGRAD_MEMORY": str(scratch),
    }


def run_cell(client, cell, index, place):
    """Runs one cell; a failure names the place, the cell and the exception."""
    from nbclient.exceptions import CellExecutionError, CellTimeoutError, DeadKernelError

    try:
        client.execute_cell(cell, index)
    except CellExecutionError as error:
        raise NotebookError(
            f"{place}: this cell raised {error.ename}: {ANSI.sub('', error.evalue)}\n\n{indented(cell.source)}\n\n"
            f'{ANSI.sub("", error.traceback)}\n\nA cell that should raise carries tags=["raises-exception"].'
        ) from None
    except CellTimeoutError:
        raise NotebookError(
            f"{place}: this cell was still running after {CELL_SECONDS} seconds.\n\n{indented(cell.source)}"
        ) from None
    except DeadKernelError:
        raise NotebookError(f"{place}: the kernel died in this cell.\n\n{indented(cell.source)}") from None


def indented(text):
    """A piece of code as it stands in a message."""
    return "\n".join("    " + line for line in text.splitlines())


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


# ------------------------------------------------------------------ outputs worth keeping


def patterns():
    """(pattern, replacement) pairs for text that differs between two right runs."""
    return ESCAPED_PATTERN.findall(PATTERNS_FILE.read_text(encoding="utf-8"))


def steady(text, root=ROOT):
    """Text as it would be on any machine, at any time."""
    for folder in (str(root.resolve()), str(root.resolve()).replace(str(Path.home()), "~")):
        text = text.replace(folder + os.sep, "/course/")
    for pattern, replacement in patterns():
        text = re.sub(pattern, replacement, text)
    return text.replace("/course/", "")


def tidy_outputs(cell, place, root=ROOT):
    """Keeps what a reader of the recorded notebook should see, as any machine would have written it."""
    cell.metadata.pop("execution", None)
    if cell.cell_type != "code":
        return
    cell.outputs = [output for output in with_joined_streams(cell.outputs) if tidy_output(output, root)]
    for output in cell.outputs:
        refuse_large_images(output, place)
        refuse_machine_paths(output, place)


def with_joined_streams(outputs):
    """One stdout and one stderr, each where it began: a kernel sends pieces, and neighbours in any order."""
    kept, streams = [], {}
    for output in outputs:
        if output.output_type == "stream" and output.name in streams:
            streams[output.name].text += output.text
            continue
        if output.output_type == "stream":
            streams[output.name] = output
        kept.append(output)
    if len(streams) == 2:
        stderr = kept.index(streams["stderr"])
        if kept[stderr + 1 : stderr + 2] == [streams["stdout"]]:
            kept[stderr : stderr + 2] = [streams["stdout"], streams["stderr"]]
    return kept


def tidy_output(output, root):
    """Steadies one output in place. False if nothing is left of it."""
    if output.output_type == "stream":
        output.text = steady(overwritten(output.text), root)
        return bool(output.text.strip())
    if output.output_type == "error":
        output.evalue = steady(output.evalue, root)
        output.traceback = [steady(line, root) for line in output.traceback]
        return True
    output.data.pop("application/vnd.jupyter.widget-view+json", None)
    for kind, content in output.data.items():
        if isinstance(content, str) and not is_binary(kind):
            output.data[kind] = steady(content, root)
    return bool(output.data)


def overwritten(text):
    """What is left on a terminal of lines that a progress bar wrote over each other."""
    return re.sub(r"^[^\n]*\r(?!\n)", "", text, flags=re.MULTILINE)


def is_binary(kind):
    """Whether nbformat keeps outputs of this kind in base64."""
    return kind.startswith("image/") and kind != "image/svg+xml"


def texts(output):
    """Every text of an output that a reader could see."""
    if output.output_type == "stream":
        return [output.text]
    if output.output_type == "error":
        return [output.evalue, *(ANSI.sub("", line) for line in output.traceback)]
    return [content for kind, content in output.data.items() if isinstance(content, str) and not is_binary(kind)]


def refuse_large_images(output, place):
    """Refuses pictures that would make the repository large."""
    for kind, content in output.get("data", {}).items():
        size = (
            len(base64.b64decode(content))
            if is_binary(kind)
            else len(content.encode())
            if kind.startswith("image/")
            else 0
        )
        if size > IMAGE_BYTES:
            raise NotebookError(
                f"{place}: an {kind} output has {size:,} bytes; {IMAGE_BYTES:,} are allowed. Draw less."
            )


def refuse_machine_paths(output, place):
    """What a notebook shows must not depend on where the course lies."""
    for text in texts(output):
        found = MACHINE_PATH.search(text)
        if found:
            raise NotebookError(f"{place}: an output holds the path {found.group()} of this machine.")


# ------------------------------------------------------------------ is everything up to date?


def differences(numbers=(), root=ROOT):
    """Where the notebooks in the repository are not what their sources give, in words."""
    found = []
    for source in sources(numbers, root):
        notebook = clean_notebook(source)
        found += clean_differences(source, notebook) + executed_differences(source, notebook)
    return found


def clean_differences(source, notebook):
    """The clean notebook must equal the generated one byte for byte."""
    path = clean_path(source)
    if not path.exists():
        return [f"notebooks/{path.name} is missing."]
    if path.read_bytes() != as_text(notebook).encode():
        return [f"notebooks/{path.name} is not what its source gives."]
    return []


def executed_differences(source, notebook):
    """The executed notebook must hold the same cells; its outputs are compared by nbval."""
    import nbformat

    path = executed_path(source)
    if not path.exists():
        return [f"solutions/notebooks/{path.name} is missing."]
    executed = nbformat.read(path, as_version=4)
    if [identity(cell) for cell in executed.cells] != [identity(cell) for cell in notebook.cells]:
        return [f"solutions/notebooks/{path.name} was made from other cells than its source has."]
    if any(cell.cell_type == "code" and cell.execution_count is None for cell in executed.cells):
        return [f"solutions/notebooks/{path.name} has cells that were not run."]
    return []


def identity(cell):
    """All that a cell is, but for its outputs."""
    return cell.id, cell.cell_type, cell.source, cell.metadata


# ------------------------------------------------------------------ headings against the exercise data


def heading_differences(root=ROOT):
    """Where a notebook's headings say something else than the exercise data, in words."""
    from ..course import catalogue

    found = []
    by_number = {source.name[:2]: source for source in sources(root=root)}
    for notebook in catalogue.notebooks():
        if notebook.number in by_number:
            source = by_number[notebook.number]
            text = markdown_of(clean_notebook(source))
            exercises = catalogue.exercises_of(notebook.number)
            wrong = title_differences(text, notebook) + exercise_differences(text, exercises)
            found += [f"{source.name}: {words}" for words in wrong]
    return found


def markdown_of(notebook):
    """All markdown of a notebook, without fenced code."""
    return "\n\n".join(without_fences(cell.source) for cell in notebook.cells if cell.cell_type == "markdown")


def title_differences(text, notebook):
    """The first two lines that are not empty: title, then minutes and files."""
    title, minutes, *_ = [line.strip() for line in text.splitlines() if line.strip()] + ["", ""]
    wanted_title, wanted_minutes = (
        f"# {notebook.number} · {notebook.title}",
        f"**{notebook.minutes} minutes** · files: ",
    )
    found = []
    if title != wanted_title:
        found.append(f"begins with {title!r} instead of {wanted_title!r}.")
    if not minutes.startswith(wanted_minutes):
        found.append(f"the line below the title is {minutes!r}; it should begin with {wanted_minutes!r}.")
    return found + [
        f"the line below the title does not name the file {name}." for name in notebook.files if name not in minutes
    ]


def exercise_differences(text, exercises):
    """Each of the notebook's exercises has one heading, in order, with its title, minutes and difficulty."""
    written = re.findall(r"^### Exercise .*$", text, re.MULTILINE)
    wanted = [exercise_heading(exercise) for exercise in exercises]
    plain = {heading.replace("`", "") for heading in written}
    found = [
        f"has the heading {heading!r}, which no exercise of the data has."
        for heading in written
        if heading.replace("`", "") not in wanted
    ]
    found += [f"lacks the heading {heading!r}." for heading in wanted if heading not in plain]
    if not found and [heading.replace("`", "") for heading in written] != wanted:
        found.append("has an exercise heading twice, or not in the order of the data.")
    return found


def exercise_heading(exercise):
    """The heading of an exercise, without the backticks that may stand around code."""
    dots = "●" * exercise.difficulty + "○" * (4 - exercise.difficulty)
    minutes = counted(exercise.minutes, "minute")
    return f"### Exercise {exercise.id} {exercise.title} ({minutes}, {dots})".replace("`", "")


# ------------------------------------------------------------------ the command


def build_all(numbers=(), *, execute_too=True, root=ROOT):
    """Writes both kinds of every named notebook; one line for each while it goes."""
    for source in sources(numbers, root):
        written = "written" if write_clean(source.name[:2], root) else "unchanged"
        executed = f"executed in {seconds_to_execute(source, root):.1f} s" if execute_too else "not executed"
        print(f"{source.stem:<24} clean: {written:<10} {executed}", flush=True)


def seconds_to_execute(source, root):
    """Executes a notebook. Gives the time it took."""
    started = time.perf_counter()
    execute(source.name[:2], root)
    return time.perf_counter() - started


def add_arguments(parser):
    parser.add_argument("which", nargs="*", metavar="NN", help="notebooks (02); default: all")
    parser.add_argument("--no-execute", action="store_true", help="write the clean ones only")
    parser.add_argument("--check", action="store_true", help="only say what differs")


def run(arguments):
    """python -m grader notebooks: 0 if done or up to date, 1 if not."""
    try:
        if arguments.check:
            return report_differences(arguments.which)
        build_all(arguments.which, execute_too=not arguments.no_execute)
        return 0
    except NotebookError as error:
        print(error, file=sys.stderr)
        return 1


def report_differences(numbers):
    """Says what is out of date. 0 if nothing is."""
    found = differences(numbers) + heading_differences()
    print("\n".join(found) or "All notebooks are what their sources give.")
    if found:
        print("Write them again with: python -m grader notebooks")
    return 1 if found else 0
