"""The only list of the rooms of grader/ and toolbox/, the lowest first: each imports only from those before it."""

from typing import NamedTuple

from .paths import ROOT


class Room(NamedTuple):
    """A folder without the rooms in it. Which of its files are meant is said in patterns.

    decides: it decides about grades.  beside: what lies beside a stranger's code.
    left_out: what no student edition has.  page: what a page has, where a check is made.
    """

    place: str
    decides: bool = False
    beside: tuple = ()
    left_out: tuple = ()
    page: tuple = ()

    def files(self, patterns, root=ROOT):
        """Those of its files that are meant, in the course in root."""
        return [path for pattern in patterns for path in (root / self.place).glob(pattern)]


def _named(*names):
    return tuple(f"{name}.py" for name in names)


ALL, INIT = _named("*"), _named("__init__")
WHOLLY = ("*",)  # with its templates
_FILMS = _named("films/__init__", "films/nudging", "films/rolling")
_IN_A_QUIZ = _named("__init__", "asked", "bank", "boxes", "brings", "comparing", "log", "recorded", "words")
_IN_A_PAGE = _named("__init__", "cells", "forgetting", "pristine", "process", "quiz", "session", "stack", "stand_ins")

ROOMS = (
    Room("toolbox/graphs", True, beside=ALL, page=ALL),
    Room("grader/course", True, beside=ALL, page=ALL),
    Room("grader/asking", True, beside=ALL, page=ALL),
    Room("grader/probes", True, beside=ALL, page=ALL),
    Room("grader/marking", True, page=ALL),
    Room("grader/broken_engines", True, page=ALL),
    Room("grader/checking", True, left_out=_named("carrying", "reference"), page=ALL),
    Room("grader/slips", True, page=ALL),
    Room("toolbox", beside=INIT, page=(*INIT, *_named("drawing/*", "player/*"), *_FILMS)),
    Room("grader/console"),
    Room("grader/html"),
    Room("grader/exam", left_out=WHOLLY),
    Room("grader/quiz", left_out=_named("live"), page=_IN_A_QUIZ),
    Room("grader/notebook", page=_named("__init__", "learners_graph", "reload", "stub_stop")),
    Room("grader/learner", left_out=_named("fill")),
    Room("grader/maintainer", left_out=WHOLLY),
    Room("grader/edition", left_out=WHOLLY),
    Room("grader/inpage", left_out=WHOLLY, page=_IN_A_PAGE),
    Room("grader/web", left_out=WHOLLY),
    Room("grader/site", left_out=WHOLLY),
    Room("grader/site/tryit", left_out=WHOLLY),
    Room("grader/slides", left_out=WHOLLY),
    Room("grader/sandbox", True, beside=INIT, left_out=WHOLLY),
    Room("grader/sandbox/inside", True, beside=ALL, left_out=WHOLLY),
    Room("grader/sandbox/outside", True, left_out=WHOLLY),
    Room("grader/classroom/collect", left_out=WHOLLY),
    Room("grader/classroom/marks", left_out=WHOLLY),
    Room("grader/classroom/similar", left_out=WHOLLY),
    Room("grader/classroom/pages", left_out=WHOLLY),
    Room("grader/classroom/run", left_out=WHOLLY),
    Room("grader/classroom/mark", left_out=WHOLLY),
    Room("grader/classroom/term", left_out=WHOLLY),
    Room("grader/classroom", left_out=WHOLLY),
    Room("grader", beside=INIT, page=INIT),  # cli.py
)
