"""What is kept of a cell's outputs: the same on every machine, at any time."""

import os
import re
from pathlib import Path

from ..course.paths import ROOT

PATTERNS_FILE = Path(__file__).with_name("nbval_sanitize.cfg")
ANSI = re.compile(r"\x1b\[[0-9;]*m")
ESCAPED_PATTERN = re.compile(r"^regex: (.*)$\n^replace: (.*)$", re.MULTILINE)  # as nbval reads them


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


def tidy_outputs(cell, root=ROOT):
    """Keeps of a cell's outputs what a reader should see, as it would be on any machine, at any time."""
    cell.metadata.pop("execution", None)
    if cell.cell_type == "code":
        cell.outputs = [output for output in with_joined_streams(cell.outputs) if tidy_output(output, root)]


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
        if isinstance(content, str) and kind != "image/png":
            output.data[kind] = steady(content, root)
    return bool(output.data)


def overwritten(text):
    """What is left on a terminal of lines that a progress bar wrote over each other."""
    return re.sub(r"^[^\n]*\r(?!\n)", "", text, flags=re.MULTILINE)


def texts(output):
    """Every text of an output that a reader could see."""
    if output.output_type == "stream":
        return [output.text]
    if output.output_type == "error":
        return [output.evalue, *(ANSI.sub("", line) for line in output.traceback)]
    return [content for kind, content in output.data.items() if isinstance(content, str) and kind != "image/png"]


def players(cells):
    """The HTML of each player among the outputs."""
    html = (out.get("data", {}).get("text/html", "") for cell in cells for out in cell.get("outputs", []))
    return [text for text in html if 'class="babygrad-player' in text]
