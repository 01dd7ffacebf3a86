"""A pytest plugin for nbcheck: nbval runs the cells, this lists what each one did.

One JSON line per cell goes to the file named by BABYGRAD_LISTING. What nbval leaves to its reader is done here:
streams that a progress bar emptied are dropped, displays that are updated or cleared show their last state (as in
the recorded notebook), and a kernel that died is noticed at once. What right code may do differently is no
difference, unless BABYGRAD_EXACT is set. Nor is what a learner's bet adds to an output, ever.
"""

import copy
import json
import os
import re
import time
from queue import Empty

import nbval.plugin
import pytest
from nbformat import NotebookNode
from nbval.kernel import RunningKernel

from ..checking.status import STATUSES
from ..course.stub_message import unfilled
from ..notebook import bets
from .cell_outputs import overwritten

nbval_streams = nbval.plugin.coalesce_streams
nbval_message = RunningKernel.get_message
nbval_compare = nbval.plugin.IPyNbCell.compare_outputs
OUTPUT_SECONDS = 600  # for a kernel that has said that a cell is done to send what the cell has put out


class KernelDied(Exception):
    """The kernel ended while a cell ran."""


# ------------------------------------------------------------------ what nbval sees


def tidy_streams(outputs):
    """Joins streams as nbval does, then drops those of which nothing can be seen, and what says a bet."""
    joined = [output for output in nbval_streams(outputs) if output.get("metadata") != bets.A_BET]
    for output in joined:
        if output.output_type == "stream":
            output.text = overwritten(output.text)
    return [output for output in joined if output.output_type != "stream" or output.text.strip()]


def listening(kernel, stream, timeout=None):
    """nbval's get_message, which also keeps displays up to date and the last reply at hand."""
    message = patient_message(kernel, stream, timeout)
    if stream == "shell":
        kernel.reply = message["content"]
    else:
        follow_display(kernel, message["msg_type"], message["content"])
    return message


def patient_message(kernel, stream, timeout):
    """The next message; raises Empty after the timeout, KernelDied as soon as the kernel is gone."""
    patience = timeout or 0 if stream == "shell" else OUTPUT_SECONDS  # nbval's own five are few on a busy machine
    end = time.monotonic() + patience
    while True:
        try:
            return nbval_message(kernel, stream, timeout=min(1, max(0, end - time.monotonic())))
        except Empty:
            if not kernel.is_alive():
                raise KernelDied from None
            if time.monotonic() >= end:
                raise


def follow_display(kernel, kind, content):
    """Brings an updated display up to date where nbval has put it; forgets what a cell cleared."""
    name = content.get("transient", {}).get("display_id")
    if kind == "display_data" and name:
        content["data"] = kernel.__dict__.setdefault("displays", {})[name] = NotebookNode(content["data"])
    elif kind == "update_display_data" and name in kernel.__dict__.get("displays", {}):
        kernel.displays[name].clear()
        kernel.displays[name].update(content["data"])
    elif kind == "clear_output":
        kernel.item.test_outputs.clear()


# ------------------------------------------------------------------ what right code may do differently


STATUS = "|".join(status.words for status in STATUSES.values())
GRADE = re.compile(rf"^\s*(\d+\.\d+)\s.*?\s({STATUS})\b", re.MULTILINE)
GRAPH = "Graph of "
DRAWN = re.compile(r'class="babygrad-(graph|player)\b')
SLOPES = re.compile(r" {2,}slopes? [^\n]*| +(?=\n|$)")


def compare(cell, test, ref, skip_compare=None):
    """nbval's comparison, of what both outputs mean."""
    test, ref = without_plots(test), without_plots(ref)
    if bets.only_bets(cell.cell.source):
        return True
    if not os.environ.get("BABYGRAD_EXACT"):
        magics = {line.split()[0] for line in cell.cell.source.splitlines() if line.strip()}
        if magics <= {"%progress", "%hint"}:
            return True
        as_meant = grades if magics == {"%check"} else drawings
        slopes = has_slopes(test) and has_slopes(ref)
        test, ref = as_meant(test, slopes), as_meant(ref, slopes)
    return nbval_compare(cell, test, ref, skip_compare)


def without_plots(outputs):
    """Nobody compares what a plot looks like, so neither the words for it, which are full of its numbers."""
    outputs = copy.deepcopy(outputs)
    for output in outputs:
        if "image/png" in output.get("data", {}):
            output["data"].pop("text/plain", None)
    return outputs


def grades(outputs, slopes):
    """A check as (exercise, status); an answer that was filled in counts as passed."""
    texts = [output.get("data", {}).get("text/plain", "") for output in outputs]
    found = [f"{id} {status.replace('given', 'passed')}" for text in texts for id, status in GRADE.findall(text)]
    return [NotebookNode(output_type="display_data", data={"text/plain": "\n".join(found)})]


def drawings(outputs, slopes):
    """What is drawn, as the text that comes with it; without slopes where a package (with closures) keeps none."""
    outputs = copy.deepcopy(outputs)
    for output in outputs:
        data = output.get("data", output)
        if DRAWN.search(data.get("text/html", "")) and "text/plain" in data:
            del data["text/html"]
        for kind in ("text/plain", "text"):
            if not slopes and GRAPH in data.get(kind, ""):
                data[kind] = SLOPES.sub("", data[kind])
    return outputs


def has_slopes(outputs):
    """Whether any text among the outputs is a graph with its local slopes."""
    texts = [
        data.get(kind, "")
        for output in outputs
        for data in [output.get("data", output)]
        for kind in ("text/plain", "text")
    ]
    return any(GRAPH in text and re.search(r" {2,}slopes? ", text) for text in texts)


# ------------------------------------------------------------------ what is listed


def pytest_configure(config):
    nbval.plugin.coalesce_streams = tidy_streams
    nbval.plugin.IPyNbCell.compare_outputs = compare
    RunningKernel.get_message = listening


@pytest.hookimpl(trylast=True)  # nbval has started the kernel by then
def pytest_runtest_setup(item):
    item.parent.kernel.item, item.parent.kernel.reply = item, {}
    if getattr(item.parent, "stopped", False):
        pytest.skip("not run")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item, call):
    report = yield
    if call.when == "call" or call.excinfo:
        state = state_of(item, call.excinfo)
        item.parent.stopped = state in ("unfilled", "timeout", "died", "not run")
        write_line({"state": state, "reply": reply_of(item), "outputs": item.test_outputs})
    return report


def state_of(item, excinfo):
    """One word for what became of a cell."""
    reply = reply_of(item)
    if reply["ename"] == "NotImplementedError" and unfilled(reply["evalue"]):
        return "unfilled"
    return state_of_exception(excinfo) if excinfo else "same"


def state_of_exception(excinfo):
    """The same, from the exception that nbval raised for the cell."""
    problem = str(excinfo.value)
    if excinfo.errisinstance(pytest.skip.Exception):
        return "not run" if problem == "not run" else "skipped"
    if excinfo.errisinstance(KernelDied):
        return "died"
    if not excinfo.errisinstance(nbval.plugin.NbCellError):
        raise excinfo.value
    if problem.startswith("Timeout"):
        return "timeout"
    return "differs" if problem == "Cell outputs differ" else "raised"


def reply_of(item):
    """Name and message of the exception that ended the cell, empty if none did."""
    reply = item.parent.kernel.reply
    return {"ename": reply.get("ename", ""), "evalue": reply.get("evalue", "")}


def write_line(record):
    """Adds a line to the listing, for the process that waits for it."""
    with open(os.environ["BABYGRAD_LISTING"], "a", encoding="utf-8") as listing:
        listing.write(json.dumps(record) + "\n")
