"""A page of the book from an executed notebook: what only works in a notebook becomes a quiet line, or nothing."""

import base64
import html
import json
import re
import struct

from .markdown import fenced, raw

BET = re.compile(r"^%bet\b", re.MULTILINE)
NOTE, CHECK = re.compile(r"%%note\b"), re.compile(r"%check (\d+\.\d+)")
LEFT_OUT = re.compile(r"%(load_ext|bets|progress)\b")
SET_UP = re.compile(r"(?:(?:import|from) .+\n?(?:    .+\n|\)\n?)*|#.*\n?|\s*\n)+")
COLOURS = re.compile(r"\x1b\[[0-9;]*m")


def page(path):
    """The MyST of a notebook, and its pictures: {name of a file: bytes}."""
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    pictures, parts, bet = {}, [], False
    for number, cell in enumerate(cells):
        source = "".join(cell["source"])
        if cell["cell_type"] == "markdown":
            parts.append(source)
            continue
        parts += _code(cell, source, bet, lambda png: _kept(pictures, f"{path.stem[:2]}-{number}", png))  # noqa: B023
        bet = bool(BET.search(source)) or (bet and LEFT_OUT.match(source) is not None)
    return "\n\n".join(parts) + "\n", pictures


def _kept(pictures, name, png):
    """Put the bytes of a picture aside.  Returns where the page finds it."""
    name = f"{name}{'abcdefgh'[sum(each.startswith(name) for each in pictures)]}.png"
    pictures[name] = png
    return f"pictures/{name}"


def _code(cell, source, bet, keep):
    """The parts of the page that a code cell becomes.  bet: something was predicted about it."""
    if LEFT_OUT.match(source) or "open_course" in source:
        return
    if BET.search(source):
        yield quiet("bet", "Write down what you expect, before you read on.")
    elif NOTE.match(source):
        yield quiet("note", "Say it in your own words first.")
    elif CHECK.match(source):
        yield quiet("check", f"Here a learner checks exercise {CHECK.match(source)[1]}.")
    else:
        yield from _shown(cell, source, bet, keep)


def quiet(kind, words):
    """One line in place of a cell."""
    return raw(f'<p class="quiet {kind}">{html.escape(words)}</p>')


def _shown(cell, source, bet, keep):
    code = fenced(source, "{code-block} ipython3", [":class: code"])
    hidden = cell["metadata"].get("jupyter", {}).get("source_hidden")
    if hidden or SET_UP.fullmatch(source):
        yield from _folded("The code of this picture" if hidden else "Set-up: what is imported", code, "hidden-code")
    else:
        yield code
    outputs = "\n".join(filter(None, (output(each, keep) for each in cell["outputs"])))
    if outputs:
        shown = raw(f'<div class="outputs">{outputs}</div>')
        yield from _folded("What comes out", shown, "what-comes-out") if bet else [shown]


def _folded(title, block, kind):
    return raw(f'<details class="{kind}"><summary>{title}</summary>'), block, raw("</details>")


def output(output, keep):
    """The HTML of one output.  keep: takes the bytes of a PNG, returns its address."""
    if output["output_type"] == "stream":
        return text("".join(output["text"]))
    data = {kind: "".join(found) for kind, found in output.get("data", {}).items() if isinstance(found, str | list)}
    if "text/html" in data:
        return f'<div class="made">{data["text/html"]}</div>'
    if "image/png" in data:
        return picture(base64.b64decode(data["image/png"]), output.get("metadata", {}).get("image/png", {}), keep)
    return text(data.get("text/plain", ""))


def text(printed):
    return f'<pre class="printed">{html.escape(COLOURS.sub("", printed))}</pre>' if printed.strip() else ""


def picture(png, metadata, keep):
    width, height = struct.unpack(">II", png[16:24])
    alt = html.escape(metadata.get("alt") or "What the code above draws.")
    return f'<img class="plot" src="{keep(png)}" alt="{alt}" width="{width}" height="{height}" loading="lazy">'
