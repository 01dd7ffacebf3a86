"""Runs a notebook on the learner's package and compares every output with the one recorded on the reference.

nbval does both, in a pytest of its own with the plugin nbval_listing. This file starts it, shows how far it is, and
says in plain words which cells give something else, under the heading of their section.
"""

import html
import importlib.util
import json
import re
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path

from ..console import progress_line
from ..course.commands import installing
from ..course.paths import LEARNER, ROOT, package_folder
from ..course.stub_message import unfilled
from . import cell_outputs, clean_notebooks, executed_notebooks
from .sources import last_heading

CELL_SECONDS = 120
LINES_SHOWN = 4
WIDTH = 100


@dataclass
class CellResult:
    """What one code cell of a notebook did on a package.

    count: the number in brackets that Jupyter shows beside it.
    state: same, differs, raised, unfilled, timeout, died, not run or skipped.
    reply: name and message of the exception that ended it ({"ename": "", "evalue": ""} if none did).
    """

    heading: str
    count: int
    source: str
    state: str
    reply: dict
    outputs: list
    recorded: list


class NoResult(Exception):
    """nbval itself could not run. The message says why."""


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
    try:
        results = results_of(path, package_dir, progress=show_progress)
    except NoResult as error:
        print(error, file=sys.stderr)
        return 2
    print(report(path, results))
    return 0 if all(fine(result) for result in results) else 1


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


# ------------------------------------------------------------------ nbval, in a process of its own


def results_of(path, package_dir, *, exact=False, progress=lambda done, total: None):
    """Runs the notebook at path with babygrad from package_dir. Gives a CellResult for each code cell.

    exact: also what right code may do differently must be the same (nbval_listing.py says what that is).
    """
    recorded = json.loads(path.read_text(encoding="utf-8"))
    total = sum(cell["cell_type"] == "code" for cell in recorded["cells"])
    with tempfile.TemporaryDirectory() as scratch:
        listing = Path(scratch, "listing")
        listing.touch()
        environment = executed_notebooks.kernel_environment(package_dir, scratch) | {
            "BABYGRAD_EXACT": "1" if exact else ""
        }
        lines = run_nbval(path, environment, listing, lambda done: progress(done, total))
    progress(None, total)
    return [cell_result(*pair) for pair in zip(code_cells(recorded), lines, strict=True)]


def run_nbval(path, environment, listing, progress):
    """The listing that nbval and the plugin write: one dict for each code cell."""
    environment = environment | {
        "BABYGRAD_LISTING": str(listing),
        "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
        "PYTEST_ADDOPTS": "",
        "PYTEST_PLUGINS": "",
    }
    log = listing.with_name("log")
    with log.open("wb") as stream:
        process = subprocess.Popen(
            nbval_command(path, listing.parent),
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=stream,
            stderr=stream,
        )
        watch(process, listing, progress)
    lines = [json.loads(line) for line in listing.read_text(encoding="utf-8").splitlines()]
    if process.returncode not in (0, 1) or not lines:
        raise NoResult(
            "nbval could not run the notebook:\n\n" + clean_notebooks.indented(log.read_text(errors="replace")[-2000:])
        )
    return lines


def nbval_command(path, scratch):
    """pytest with nbval and nothing else: none of the caller's settings or plugins."""
    settings = scratch / "pytest.ini"
    settings.write_text("[pytest]\n")
    return [
        sys.executable,
        "-P",
        "-m",
        "pytest",
        "-c",
        str(settings),
        "--rootdir",
        str(scratch),
        "--noconftest",
        "-q",
        "--tb=no",
        "-p",
        "no:cacheprovider",
        "-p",
        "nbval.plugin",
        "-p",
        "grader.maintainer.nbval_listing",
        "--nbval",
        "--nbval-current-env",
        "--nbval-sanitize-with",
        str(cell_outputs.PATTERNS_FILE),
        "--nbval-cell-timeout",
        str(CELL_SECONDS),
        "--nbval-kernel-startup-timeout",
        "600",
        str(path),
    ]


def watch(process, listing, progress):
    """Waits for the process, telling now and then how many cells are done; never leaves it behind."""
    try:
        while process.poll() is None:
            progress(listing.read_bytes().count(b"\n"))
            time.sleep(0.1)
    finally:
        if process.poll() is None:
            process.terminate()
            process.wait()


def show_progress(done, total):
    """How many cells are done; None when all is."""
    progress_line.show(f"  cell {done} of {total}" if done is not None else "")


def code_cells(notebook):
    """(code cell, heading above it) for each code cell of a notebook read as JSON."""
    heading = "the top"
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            yield cell, heading
        else:
            heading = last_heading("".join(cell["source"])) or heading


def cell_result(cell_and_heading, line):
    """The result of one cell, from the recorded notebook and a line of the listing."""
    cell, heading = cell_and_heading
    source, ours = "".join(cell["source"]), line["outputs"] or []
    return CellResult(heading, cell["execution_count"], source, line["state"], line["reply"], ours, cell["outputs"])


# ------------------------------------------------------------------ the report, in plain words


def fine(result):
    """Whether a cell does what it should, as far as it was asked."""
    return result.state in ("same", "skipped")


def report(path, results):
    """All that differs, by section, and a line that sums up."""
    lines = [title_of(path)]
    heading = None
    for result in results:
        if not fine(result) and result.state != "not run":
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
    same, missing = (
        sum(fine(result) for result in results),
        sum(result.state == "not run" for result in results),
    )
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
    lines = re.findall(r"(babygrad/[\w/]+\.py):(\d+)", cell_outputs.steady(all_text(result.outputs)))
    place = f" ({lines[-1][0]}, line {lines[-1][1]})" if lines else ""
    return [shortened(f"stops with {result.reply['ename']}: {result.reply['evalue']}") + place]


def about_stub(result):
    """Which exercise the cell waits for."""
    exercise = unfilled(result.reply["evalue"]).id
    return [f"needs exercise {exercise}, which is not filled in yet. The cells below were not run."]


WORDS = {
    "differs": about_difference,
    "raised": about_exception,
    "unfilled": about_stub,
    "timeout": lambda result: [f"was still running after {CELL_SECONDS} seconds. The cells below were not run."],
    "died": lambda result: ["ended the kernel. The cells below were not run."],
}


def all_text(outputs):
    """Every text of some outputs, tracebacks included, without colours."""
    nodes = [json.dumps(output, ensure_ascii=False) for output in outputs]
    return re.sub(r"\\u001b\[[0-9;]*m", "", "\n".join(nodes))


def visible(outputs):
    """What a reader sees of some outputs, as text: {"stdout": ..., "result": ..., "drawing": ...}."""
    seen = {}
    for output in outputs:
        for kind, text in visible_parts(output):
            seen[kind] = seen.get(kind, "") + cell_outputs.steady(text).rstrip("\n") + "\n"
    return seen


def visible_parts(output):
    """(kind, text) for each part of one output."""
    if output["output_type"] == "stream":
        return [(output["name"], joined(output["text"]))]
    if output["output_type"] == "error":
        return [("exception", f"{output['ename']}: {output['evalue']}")]
    return [(kind, READERS[kind](joined(content))) for kind, content in output["data"].items() if kind in READERS]


def joined(text):
    """nbformat keeps long texts as lists of lines."""
    return text if isinstance(text, str) else "".join(text)


def text_of_markup(markup):
    """The words in HTML or SVG, a line for each piece."""
    bare = re.sub(r"<(style|script|title|desc)\b.*?</\1>|<!--.*?-->", "", markup, flags=re.DOTALL)
    pieces = (html.unescape(piece).strip() for piece in re.split(r"<[^>]*>", bare))
    return "\n".join(piece for piece in pieces if piece)


READERS = {
    "text/plain": str,
    "text/html": text_of_markup,
    "image/svg+xml": text_of_markup,
    "text/markdown": str,
    "text/latex": str,
}
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
