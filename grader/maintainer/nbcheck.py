"""Runs a notebook on the learner's package and compares every output with the one recorded on the reference.

It says in plain words which cells give something else, under the heading of their section.
"""

import copy
import html
import importlib.util
import json
import re
import sys
from dataclasses import dataclass, field
from itertools import zip_longest
from pathlib import Path

from ..console import progress_line
from ..course.commands import installing
from ..course.paths import LEARNER, ROOT, package_folder
from ..course.stub_message import unfilled
from . import cell_outputs, executed_notebooks
from .sources import with_headings

CELL_SECONDS = 120
LINES_SHOWN = 4
WIDTH = 100
ENDS_ALL = ("unfilled", "timeout", "died")  # states of a cell below which none is run


@dataclass
class CellResult:
    """What one code cell of a notebook did on a package.

    count: the number in brackets that Jupyter shows beside it.
    state: same, differs, raised, unfilled, timeout, died or not run.
    error: name and message of the exception that ended it ({"ename": "", "evalue": ""} if none did).
    """

    heading: str
    count: int
    source: str
    recorded: list
    state: str = "not run"
    outputs: tuple = ()
    error: dict = field(default_factory=lambda: {"ename": "", "evalue": ""})


# ------------------------------------------------------------------ the command


def add_arguments(parser):
    parser.add_argument("notebook", help="such as 02")


def run(arguments):
    return nbcheck(arguments.notebook)


def nbcheck(number, package_dir=LEARNER, root=ROOT):
    """Run the notebook, and report: 0 if every cell gives what is recorded, 1 if not, 2 if it cannot be asked."""
    obstacle = what_is_missing(number, Path(package_dir), root)
    if obstacle:
        print(obstacle, file=sys.stderr)
        return 2
    path = recorded_path(number, root)
    results = results_of(path, package_dir, progress=progress_line.show)
    print(report(path, results))
    return 0 if all(result.state == "same" for result in results) else 1


def what_is_missing(number, package_dir, root=ROOT):
    """One sentence about what nbcheck lacks; empty if it can start."""
    if not (root / "solutions" / "notebooks").is_dir():
        return "nbcheck compares with outputs recorded in the folder solutions, so it needs the full edition."
    if not recorded_path(number, root):
        return f"There is no recorded notebook {number} in solutions/notebooks."
    if not package_folder(package_dir).is_dir():
        return f"There is no folder babygrad in {package_dir}."
    if not importlib.util.find_spec("nbval"):
        return f"nbcheck needs nbval, which is not installed here: {installing('make nbcheck')} installs what it needs."
    return ""


def recorded_path(number, root=ROOT):
    """The executed notebook of a number, or None."""
    found = sorted((root / "solutions" / "notebooks").glob(f"{str(number).zfill(2)}_*.ipynb"))
    return found[0] if found else None


# ------------------------------------------------------------------ the cells, run


def results_of(path, package_dir, *, exact=False, progress=lambda words="": None):
    """Runs the notebook at path with babygrad from package_dir. Gives a CellResult for each code cell.

    exact: also what right code may do differently must be the same (same_outputs.py says what that is).
    """
    import nbformat

    recorded = nbformat.read(path, as_version=4)
    notebook = copy.deepcopy(recorded)
    results = [
        CellResult(heading, cell.execution_count, cell.source, cell.outputs)
        for cell, heading in with_headings(recorded.cells)
        if cell.cell_type == "code"
    ]
    cells = [(index, cell) for index, cell in enumerate(notebook.cells) if cell.cell_type == "code"]
    with executed_notebooks.running_kernel(notebook, path, package_dir, CELL_SECONDS) as client:
        for number, ((index, cell), result) in enumerate(zip(cells, results, strict=True)):
            progress(f"  cell {number} of {len(results)}")
            run_cell(client, index, cell, result, exact)
            if result.state in ENDS_ALL:
                break
    progress()
    return results


def run_cell(client, index, cell, result, exact):
    """Runs one cell, and writes into its result what became of it."""
    from nbclient.exceptions import CellExecutionError, CellTimeoutError, DeadKernelError

    from .same_outputs import are_same

    def keep(execute_reply, **_):
        result.error = execute_reply["content"]

    states = {CellExecutionError: "raised", CellTimeoutError: "timeout", DeadKernelError: "died"}
    client.on_cell_error = keep
    try:
        client.execute_cell(cell, index)
        result.state = "same"
    except tuple(states) as error:
        result.state = states[type(error)]
    cell_outputs.tidy_outputs(cell)
    result.outputs = cell.outputs
    if result.error["ename"] == "NotImplementedError" and unfilled(result.error["evalue"]):
        result.state = "unfilled"
    ignored = "nbval-ignore-output" in cell.metadata.get("tags", ())
    if result.state == "same" and not ignored and not are_same(cell.source, cell.outputs, result.recorded, exact):
        result.state = "differs"


# ------------------------------------------------------------------ the report, in plain words


def report(path, results):
    """All that differs, by section, and a line that sums up."""
    lines = [title_of(path)]
    heading = None
    for result in results:
        if result.state not in ("same", "not run"):
            lines += [] if result.heading == heading else ["", f"  {result.heading}"]
            lines += ["", *description(result)]
            heading = result.heading
    return "\n".join([*lines, "", summary(results)])


def title_of(path):
    """The notebook's own title."""
    first = json.loads(path.read_text(encoding="utf-8"))["cells"][0]
    return "".join(first["source"]).splitlines()[0].lstrip("# ")


def summary(results):
    """How many cells agree, differ and were not run."""
    same, missing = (sum(result.state == state for result in results) for state in ("same", "not run"))
    if same == len(results):
        return f"All {same} cells give the recorded outputs."
    others = len(results) - same - missing
    not_run = f", {missing} not run" if missing else ""
    verb = "does" if others == 1 else "do"
    return f"{same} of {len(results)} cells give the recorded outputs, {others} {verb} not{not_run}."


def description(result):
    """The lines about one cell: how it begins, then what happened."""
    begins = next(line for line in result.source.splitlines() if line.strip())
    return [f"    [{result.count}] {shortened(begins)}", *(f"      {line}" for line in WORDS[result.state](result))]


def about_difference(result):
    """What the cell shows here and what is recorded, from the first line that differs."""
    ours, recorded = visible(result.outputs), visible(result.recorded)
    kinds = [kind for kind in KINDS if ours.get(kind) != recorded.get(kind)]
    if not kinds:
        return ["draws something else than the recorded picture."]
    here, there = cut_to_difference(ours.get(kinds[0], ""), recorded.get(kinds[0], ""))
    return ["on your package:", *here, "recorded:", *there]


def about_exception(result):
    """The exception of a cell that should have none, and the learner's line if it came from there."""
    texts = [text for output in result.outputs for text in cell_outputs.texts(output)]
    lines = re.findall(r"(babygrad/[\w/]+\.py):(\d+)", "\n".join(texts))
    place = f" ({lines[-1][0]}, line {lines[-1][1]})" if lines else ""
    return [shortened(f"stops with {result.error['ename']}: {result.error['evalue']}") + place]


def about_stub(result):
    """Which exercise the cell waits for."""
    exercise = unfilled(result.error["evalue"]).id
    return [f"needs exercise {exercise}, which is not filled in yet. The cells below were not run."]


WORDS = {
    "differs": about_difference,
    "raised": about_exception,
    "unfilled": about_stub,
    "timeout": lambda result: [f"was still running after {CELL_SECONDS} seconds. The cells below were not run."],
    "died": lambda result: ["ended the kernel. The cells below were not run."],
}


def visible(outputs):
    """What a reader sees of some outputs, as text: {"stdout": ..., "result": ..., "drawing": ...}."""
    seen = {}
    for output in outputs:
        for kind, text in visible_parts(output):
            seen[kind] = seen.get(kind, "") + text.rstrip("\n") + "\n"
    return seen


def visible_parts(output):
    """(kind, text) for each part of one output."""
    if output["output_type"] == "stream":
        return [(output["name"], output["text"])]
    if output["output_type"] == "error":
        return [("exception", f"{output['ename']}: {output['evalue']}")]
    return [(kind, READERS[kind](content)) for kind, content in output["data"].items() if kind in READERS]


def text_of_markup(markup):
    """The words in HTML, a line for each piece."""
    bare = re.sub(r"<(style|script|title|desc)\b.*?</\1>|<!--.*?-->", "", markup, flags=re.DOTALL)
    pieces = (html.unescape(piece).strip() for piece in re.split(r"<[^>]*>", bare))
    return "\n".join(piece for piece in pieces if piece)


READERS = {"text/plain": str, "text/html": text_of_markup}
KINDS = ["exception", "stdout", *READERS, "stderr"]  # the first of them that differs is shown


def cut_to_difference(ours, recorded):
    """Both texts from the first line in which they differ, a few lines each."""
    ours, recorded = ours.splitlines(), recorded.splitlines()
    pairs = zip_longest(ours, recorded)
    same = next((count for count, (here, there) in enumerate(pairs) if here != there), len(ours))
    return excerpt(ours, same), excerpt(recorded, same)


def excerpt(lines, start):
    """A few lines from start on, marked where something was left out."""
    end = start + LINES_SHOWN
    shown = [f"  {shortened(line)}" for line in lines[start:end]]
    nothing = "  (nothing more)" if lines else "  (nothing)"
    return ["  ..."] * (start > 0) + (shown or [nothing]) + ["  ..."] * (len(lines) > end)


def shortened(line):
    """A line that fits a terminal."""
    return line if len(line) <= WIDTH else line[: WIDTH - 4] + " ..."
