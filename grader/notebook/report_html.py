"""Verdicts and hints as HTML for a notebook."""

import os
from urllib.parse import quote

from markupsafe import Markup

from ..checking import report
from ..checking.status import STATUSES
from ..course.paths import NOTEBOOKS
from ..course.tracks import EVERYTHING
from ..html.pages import render
from .learners_graph import as_player, as_svg

HINT = "%hint {}"


def bundle(verdicts, notes=(), track=EVERYTHING):
    """What a notebook shows for a check: {"text/plain": ..., "text/html": ...}."""
    plain = "\n".join(report.text(verdicts, notes, HINT, track))
    return {"text/plain": plain, "text/html": _page(verdicts, notes, track)}


def hint_bundle(hints):
    """What a notebook shows for a hint."""
    heading, *lines = report.hint_lines(hints)
    html = render("hint.html", heading=heading, shown=hints.shown, rest=lines[len(hints.shown) :])
    return {"text/plain": "\n".join([heading, *lines]), "text/html": html}


def quiz_bundle(asked, notes=()):
    """What a notebook shows of questions (Asked) where there is no form for them."""
    questions = [line for number, each in enumerate(asked, 1) for line in _question(number, each)]
    answers = [f"Answer {number}: {each.answer}" for number, each in enumerate(asked, 1)]
    html = render("quiz.html", asked=asked, notes=notes)
    return {"text/plain": "\n".join([*notes, *questions, *answers]), "text/html": html}


def _question(number, asked):
    yield f"{number}. {asked.text}"
    yield from (f"      {line}" for line in asked.code.splitlines())
    yield from (f"   {letter}  {choice}" for letter, choice in asked.lettered)


def submitted_bundle(verdicts, track, said, path):
    """What a notebook shows for a hand-in: the check, and what is said of the zip, with a link to download it."""
    checked, told = bundle(verdicts, track=track), told_bundle(said, [path], download=True)
    return {kind: f"{checked[kind]}\n\n{told[kind]}" for kind in checked}


def told_bundle(lines, files=(), download=False):
    """Sentences, and links to some files (paths).  download: are they kept, and not opened in JupyterLab?"""
    links = [(quote(os.path.relpath(path, NOTEBOOKS).replace(os.sep, "/")), path.name) for path in files]
    html = render("told.html", lines=lines, links=links, download=download)
    return {"text/plain": "\n".join([*lines, *(name for _, name in links)]), "text/html": html}


def _page(verdicts, notes, track):
    earned, possible = report.points(verdicts)
    verdict = report.to_explain(verdicts)
    player = as_player(verdict.graph) if verdict else ""
    return render(
        "check.html",
        statuses=STATUSES,
        blocks=list(report.blocks(report.shown(verdicts, track))) if len(verdicts) > 1 else [],
        earned=earned,
        possible=possible,
        verdict=verdict,
        heading=verdict and report.heading(verdict),
        lines=list(report.explanation_lines(verdict, notes, HINT) if verdict else report.next_step(verdicts, track)),
        words={v.id: report.standing(v, track) for v in verdicts},
        track="".join(report.on_the_track(verdicts, track)),
        svg=Markup(as_svg(verdict.graph)) if verdict and not player else "",
        player=Markup(player),
    )
