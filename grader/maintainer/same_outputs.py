"""Whether a cell puts out what is recorded, as nbval compares it; what right code may do differently is no difference.

Nor is what a learner's prediction adds to an output, ever.
"""

import copy
import re
from types import SimpleNamespace

from nbformat import NotebookNode

from ..checking.status import STATUSES
from ..notebook import predictions

STATUS = "|".join(status.words for status in STATUSES.values())
GRADE = re.compile(rf"^\s*(\d+\.\d+)\s.*?\s({STATUS})\b", re.MULTILINE)
GRAPH = "Graph of "
DRAWN = re.compile(r'class="babygrad-(graph|player)\b')
SLOPES = re.compile(r" {2,}slopes? [^\n]*| +(?=\n|$)")
NOT_COMPARED = ("metadata", "traceback", "output_type", "name", "execution_count", "image/png", "image/jpeg")


def are_same(source, ours, recorded, exact):
    """Do both outputs of a cell mean the same?  exact: also what right code may do differently must be the same."""
    if predictions.only_predictions(source):
        return True
    ours, recorded = (
        without_plots(out for out in some if out.get("metadata") != predictions.A_PREDICTION)
        for some in (ours, recorded)
    )
    if not exact:
        magics = {line.split()[0] for line in source.splitlines() if line.strip()}
        if magics <= {"%progress", "%hint", "%quiz"}:
            return True
        as_meant = grades if magics == {"%check"} else drawings
        slopes = has_slopes(ours) and has_slopes(recorded)
        ours, recorded = as_meant(ours, slopes), as_meant(recorded, slopes)
    return _nbval_finds_them_equal(ours, recorded)


def _nbval_finds_them_equal(ours, recorded):
    """The comparison of nbval's own cell. Both are steady already (cell_outputs.py), so it has nothing to sanitize."""
    from nbval.plugin import IPyNbCell, nocolors

    cell = SimpleNamespace(parent=SimpleNamespace(skip_compare=NOT_COMPARED), colors=nocolors)
    cell.sanitize, cell.format_output_compare = lambda text: text, lambda *difference: None
    return IPyNbCell.compare_outputs(cell, ours, recorded)


def without_plots(outputs):
    """Nobody compares what a plot looks like, so neither the words for it, which are full of its numbers."""
    outputs = copy.deepcopy(list(outputs))
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
    found = (output.get("data", output) for output in outputs)
    texts = (data.get(kind, "") for data in found for kind in ("text/plain", "text"))
    return any(GRAPH in text and re.search(r" {2,}slopes? ", text) for text in texts)
