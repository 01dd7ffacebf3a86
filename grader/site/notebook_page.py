"""A page of the book from an executed notebook: what works in a notebook only becomes a quiet line, or nothing."""

import base64
import html
import json
import re
import struct

from ..html.pages import render
from ..quiz import bank
from .exercise_pages import label
from .markdown import fenced, folded, outside_code, raw
from .readable import readable

PREDICTION, NOTE, CHECK = (
    re.compile(r"^%predict\b", re.MULTILINE),
    re.compile(r"%%note\b"),
    re.compile(r"%check (\d+\.\d+)"),
)
LEFT_OUT = re.compile(r"%(load_ext|predictions|progress|hint|quiz)\b")
OPENS_THE_COURSE = "def open_course():"  # the first cell of 00
IMPORTS = re.compile(r"(?:(?:import|from) .+\n?(?:    .+\n|\)\n?)*|#.*\n?|\s*\n)+")
COLOURS = re.compile(r"\x1b\[[0-9;]*m")  # of a terminal
SEED = "book"  # of the questions' numbers: the same course makes the same book


def page(path):
    """The MyST of a notebook."""
    parts, prediction = [], False
    for number, cell in enumerate(_cells(path)):
        source = "".join(cell["source"])
        if cell["cell_type"] == "markdown":
            parts.append(_labelled(_one_title(source)) if parts else source)
            continue
        parts += _code(cell, source, prediction, f"{path.stem[:2]}-{number}")
        prediction = bool(PREDICTION.search(source))
    return "\n\n".join(parts) + "\n"


def with_questions(markdown, number):
    """The MyST of a notebook with a question of the quiz at the end of each section that has some, folded."""
    entries = {}
    for entry in bank.entries([number]).values():
        entries.setdefault(entry.section, entry)
    above = None

    def put_before(heading):
        nonlocal above
        before = f"{_question(entries[above])}\n\n" if above else ""
        above = next((section for section in entries if heading["title"].startswith(section)), None)
        return before + heading[0]

    return outside_code(r"^## (?P<title>[^\n]+)$", put_before, markdown)


def _question(entry):
    return raw(render("quiz_question.html", asked=bank.drawn(entry, SEED)))


def pictures(path):
    """{where the page looks for it, from its folder: the PNG}."""
    return {
        picture_name(f"{path.stem[:2]}-{number}", count): base64.b64decode(output["data"]["image/png"])
        for number, cell in enumerate(_cells(path))
        for count, output in enumerate(cell.get("outputs", []))
        if _is_png(output)
    }


def picture_name(cell, count):
    return f"pictures/{cell}-{count}.png"


def _cells(path):
    return json.loads(path.read_text(encoding="utf-8"))["cells"]


def _one_title(markdown):
    """Markdown in which a further heading of the first rank is one of the second."""
    return outside_code(r"^# (?P<title>[^\n]+)$", lambda found: f"## {found['title']}", markdown)


def _labelled(markdown):
    """Markdown with a name for links before each exercise: #asked-3-2."""
    named = r"^### Exercise (?P<number>\d+)\.(?P<count>\d+)"
    return outside_code(named, lambda found: f"(asked-{found['number']}-{found['count']})=\n{found[0]}", markdown)


def _code(cell, source, prediction, name):
    """The parts of the page that a code cell becomes.  prediction: it shows what was predicted."""
    if LEFT_OUT.match(source) or OPENS_THE_COURSE in source:
        return
    if PREDICTION.search(source):
        yield quiet("prediction", "Write down what you expect, before you read on.")
    elif NOTE.match(source):
        yield quiet("note", "Say it in your own words first.")
    elif CHECK.match(source):
        id = CHECK.match(source)[1]
        yield f"{{.quiet}}\nChecked in the course by `%check {id}`. [Its stub and three hints](#{label(id)})"
    else:
        yield from _shown(cell, source, prediction, name)


def quiet(kind, words):
    """One line in place of a cell.  words: HTML."""
    return raw(f'<p class="quiet {kind}">{words}</p>')


def _shown(cell, source, prediction, name):
    code = fenced(source, "{code-block} ipython3", [":class: code"])
    hidden = cell["metadata"].get("jupyter", {}).get("source_hidden")
    title = "The code of this picture" if hidden else "What is imported" if IMPORTS.fullmatch(source) else ""
    shown = "\n".join(filter(None, (_output(each, name, count) for count, each in enumerate(cell["outputs"]))))
    outputs = [raw(f'<div class="outputs">{shown}</div>')] if shown else []
    if outputs and prediction:
        outputs = [folded("What comes out", *outputs, "comes-out")]
    code = folded(title, code, "set-up") if title else code
    yield from [*outputs, code] if hidden else [code, *outputs]


def _output(output, name, count):
    """The HTML of one output; "" of an empty one."""
    if output["output_type"] == "stream":
        return _printed("".join(output["text"]))
    data = {kind: found if isinstance(found, str) else "".join(found) for kind, found in output["data"].items()}
    if "text/html" in data:
        return f'<div class="made">{readable(data["text/html"])}</div>'
    if _is_png(output):
        return _picture(output, picture_name(name, count))
    return _printed(data.get("text/plain", ""))


def _is_png(output):
    return "image/png" in output.get("data", {}) and "text/html" not in output["data"]


def _printed(text):
    return f'<pre class="printed">{html.escape(COLOURS.sub("", text))}</pre>' if text.strip() else ""


def _picture(output, address):
    width, height = struct.unpack(">II", base64.b64decode(output["data"]["image/png"])[16:24])
    told = output.get("metadata", {}).get("image/png", {}).get("alt", "") or "What the code above draws."
    size = f'width="{width}" height="{height}"'
    return f'<img class="plot" src="{address}" alt="{html.escape(told)}" {size} loading="lazy">'
