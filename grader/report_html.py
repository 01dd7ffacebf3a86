"""Verdicts and hints as HTML for a notebook. Every box sets its own colours, so that dark pages do not matter."""

from html import escape
from itertools import groupby

from . import report
from .course import notebook
from .learners_graph import as_svg

# Colour never stands alone: the word of the status is always there too.
EDGE = {"passed": "#1a7f37", "given": "#57606a", "not_started": "#57606a", "failed": "#b35900"}
BROKEN = "#a40e26"
BOX = (
    "background:#f6f8fa;color:#1f2328;border-left:5px solid {edge};border-radius:4px;"
    "padding:8px 12px;margin:4px 0;max-width:{width};line-height:1.45"
)
ROW = "display:flex;flex-wrap:wrap;gap:8px 20px;align-items:flex-start"
FIGURE = "flex:1 1 20em;min-width:0;margin:0;overflow-x:auto;font-size:90%"
CODE = "background:#ffffff;color:#1f2328;padding:2px 6px;display:inline-block;white-space:pre-wrap"


def bundle(verdicts, notes=()):
    """What a notebook shows for a check: {"text/plain": ..., "text/html": ...}."""
    plain = "\n".join(report.text(verdicts, notes, hint="%hint {}"))
    return {"text/plain": plain, "text/html": _page(verdicts, dict(notes))}


def hint_bundle(hints):
    """What a notebook shows for a hint."""
    lines = list(report.hint_lines(hints))
    items = "".join(f"<li>{_inline(text)}</li>" for text in hints.shown)
    rest = "".join(f"<div>{escape(line)}</div>" for line in lines[1 + len(hints.shown) :])
    html = _box("#57606a", f"<b>{escape(lines[0])}</b><ol style='margin:4px 0'>{items}</ol>{rest}")
    return {"text/plain": "\n".join(lines), "text/html": html}


def _page(verdicts, notes):
    if len(verdicts) == 1:
        return _explained(verdicts[0], notes)
    first = next((v for v in verdicts if not v.done and v.status != "not_started"), None)
    return _table(verdicts) + (_explained(first, notes) if first else _next_step(verdicts))


def _explained(verdict, notes):
    edge = EDGE.get(verdict.status, BROKEN)
    lines = report.explanation_lines(verdict, notes, hint="%hint {}")
    body = "".join(f"<div>{_line(line)}</div>" for line in lines)
    svg = as_svg(verdict.graph)
    headline = f"<div><b>{_headline(verdict)}</b></div>"
    return _box(edge, headline + _beside(body, svg), width="88em" if svg else "56em")


def _beside(body, svg):
    """The sentences, and beside them (below, where the page is narrow) the learner's graph."""
    if not svg:
        return body
    picture = f"<figure style='{FIGURE}'><figcaption>Your graph, as the check built it:</figcaption>{svg}</figure>"
    return f"<div style='{ROW}'><div style='flex:1 1 24em'>{body}</div>{picture}</div>"


def _headline(verdict):
    return escape(f"{verdict.id} {verdict.title}: {', '.join(filter(None, report.result(verdict)))}")


def _line(line):
    if line.startswith("    "):
        return f"<code style='{CODE}'>{escape(line.strip())}</code>"
    return _inline(line)


def _inline(text):
    """Escaped, with `code` set as code."""
    parts = text.split("`")
    if len(parts) % 2 == 0:
        return escape(text)
    return "".join(f"<code style='{CODE}'>{escape(p)}</code>" if i % 2 else escape(p) for i, p in enumerate(parts))


def _table(verdicts):
    rows = []
    for number, group in groupby(verdicts, key=report.notebook_number):
        group = list(group)
        earned, possible = report.points(group)
        title = escape(f"{number} {notebook(number).title}")
        rows.append(_row(f"<b>{title}</b>", "", f"<b>{earned} of {possible}</b>"))
        rows += [_row(escape(f"{v.id} {v.title}"), escape(report.WORDS[v.status]), _points(v)) for v in group]
    table = f"<table style='color:#1f2328;background:#f6f8fa;border-collapse:collapse'>{''.join(rows)}</table>"
    return _box("#57606a", f"{_bar(verdicts)}{table}")


def _row(*cells):
    style = "text-align:left;padding:1px 14px 1px 0;background:#f6f8fa;color:#1f2328"
    return "<tr>" + "".join(f"<td style='{style}'>{cell}</td>" for cell in cells) + "</tr>"


def _points(verdict):
    return f"{verdict.earned} of {verdict.points}"


def _bar(verdicts):
    earned, possible = report.points(verdicts)
    share = 100 * earned // possible if possible else 0
    inner = f"<div style='background:#1a7f37;width:{share}%;height:10px'></div>"
    outer = f"<div style='background:#d0d7de;width:20em;height:10px;margin:2px 0 6px'>{inner}</div>"
    return f"<div>{earned} of {possible} points</div>{outer}"


def _next_step(verdicts):
    return _box("#57606a", "".join(f"<div>{escape(line)}</div>" for line in report.next_step(verdicts)))


def _box(edge, body, width="56em"):
    return f"<div style='{BOX.format(edge=edge, width=width)}'>{body}</div>"
