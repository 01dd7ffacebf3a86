"""The start page: what the course is, in ten seconds. Everything that it shows is computed when the site is built."""

import re
from dataclasses import replace

from markupsafe import Markup

from toolbox.films.moons import moons_learned
from toolbox.player.steps import step_through

from ..asking.draws import SEED
from ..checking.judging import Judging
from ..checking.reference import answers_of
from ..course import catalogue
from ..course.packages import private_copy, reference_with
from ..course.paths import REFERENCE
from ..html.pages import render
from ..maintainer import minutes, readme
from ..notebook import report_html
from . import wrong_ideas

WRONG = "3.1", "assigns instead of adding"  # an exercise, and the name of one of its misconceptions
STUCK = re.compile(r"docs/stuck\.md, under &#39;(.*?)&#39;")
LINK = re.compile(r"<a href='\.\./babygrad/[^>]*>(.*?)</a>")


def start_page(repository=""):
    """The start page, as MyST.  repository: its address, if it is known."""
    checked = verdict()
    with private_copy(REFERENCE) as package:
        film, walk = moons(), walked_back(package)
    return render(
        "start.md",
        film=Markup(film),
        walk=Markup(walk),
        check=Markup(as_html(checked)),
        asked=checked.asked,
        wrong=catalogue.exercise(WRONG[0]),
        repository=repository,
        notebooks=catalogue.notebooks(),
        exercises=len(catalogue.all_exercises()),
        misconceptions=sum(len(catalogue.misconceptions_of(ex)) for ex in catalogue.all_exercises()),
        speed=readme.speed(),
        tracks={name: {"exercises": count, "time": time} for name, _, count, time in minutes.tracks()},
    )


def moons():
    """The film of a net that learns to tell the moons apart, as HTML."""
    return moons_learned().html


def walked_back(package):
    """The walk back through the three steps of notebook 03, as HTML; open where a second share reaches y."""
    x = package.Value(3.0, label="x")
    y = x * x
    z = 3 * y
    L = y * z
    y.label, z.label, L.label = "y", "z", "L"
    player = step_through(L)
    player.start = next(
        number for number, frame in enumerate(player.frames) if "z passes its gradient" in frame.sentence
    )
    return player.html


def verdict():
    """The Verdict of the check on a wrong answer."""
    id, name = WRONG
    ex = catalogue.exercise(id)
    (idea,) = (idea for idea in catalogue.misconceptions_of(ex) if idea.name == name)
    with reference_with(idea) as package:
        got = answers_of(package, ex, ex.probes, SEED)
    return Judging([ex], {ex.file: {id: "changed"}}, SEED).verdicts({id: got})[0]


def as_html(checked):
    """What a notebook shows of a Verdict, without links to the learner's files, and without its graph: one walk back
    is on the page already."""
    told = LINK.sub(r"\1", report_html.bundle([replace(checked, graph=None)])["text/html"])
    return STUCK.sub(lambda found: wrong_ideas.stuck(found[1]), told)
