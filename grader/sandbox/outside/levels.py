"""Which walls a machine can build. Chosen at the start of a grading run, tried from inside, named in every report."""

import os
import re
import shutil
import sys
from dataclasses import dataclass

from ...course.usage import UsageError
from .folder import PREFIX

REFUSAL = (
    "Nothing on this machine can shut a stranger's code in: on {system} there are no namespaces, no Landlock and no "
    "seccomp. Grade on Linux (a virtual machine or a container will do; docs/teaching.md shows both). "
    "If every submission is by somebody you trust as much as yourself, add --unsafe."
)


@dataclass(frozen=True)
class Level:
    """A set of walls.

    one_each: a new server for each pod, because a pod cannot be shut off from its server.
    """

    name: str
    words: str
    namespaces: bool = False
    bubblewrap: bool = False
    landlock: bool = False
    seccomp: bool = False
    shut_in: bool = True

    @property
    def one_each(self):
        return not self.namespaces


@dataclass(frozen=True)
class Chosen:
    """A Level, the holes that were found in it by trying, and why no stronger one works here."""

    level: Level
    holes: tuple
    failures: tuple = ()

    def sentences(self):
        """What a report says."""
        yield f"Isolation: {self.level.words}."
        if not self.level.shut_in:
            yield "The submissions ran as any program of yours does. Nothing kept them from reading the answers."
        elif self.holes:
            yield f"What did not hold when it was tried from inside: {'; '.join(self.holes)}."
        else:
            yield "Tried from inside: no file outside, no network, no other process could be reached."
        if self.failures:
            yield f"Stronger walls could not be built here: {' | '.join(self.failures)}."


NOTHING = Level("none", "none (--unsafe)", shut_in=False)


def candidates():
    """The Levels that this machine may be able to build, the strongest first."""
    if sys.platform != "linux":
        return
    from ..inside import kernel
    from . import syscalls

    landlock, seccomp = bool(kernel.landlock_version()), syscalls.available()
    more = ", ".join([f"Landlock {kernel.landlock_version()}"] * landlock + ["seccomp"] * seccomp + ["limits"])
    inner = {"landlock": landlock, "seccomp": seccomp}
    yield Level(
        "namespaces",
        "namespaces (users, files, network, processes, ipc), " + more,
        namespaces=True,
        **inner,
    )
    if shutil.which("bwrap"):
        yield Level("bubblewrap", "bubblewrap, " + more, bubblewrap=True, **inner)
    if landlock:
        yield Level("landlock", more, **inner)
    yield Level("rlimits", ", ".join(["seccomp"] * seccomp + ["limits"]) + " only", seccomp=seccomp)


def choose(unsafe=False, wanted=None):
    """The strongest Chosen that works here.

    unsafe: go on with no walls where none can be built.  wanted: the name of one level, and no other.
    Raises UsageError where nothing works.
    """
    from .client import Jail, JailError

    failures = []
    if unsafe and wanted is None and sys.platform != "linux":
        return Chosen(NOTHING, ())
    if wanted == NOTHING.name:
        return Chosen(NOTHING, ())
    for level in candidates():
        if wanted not in (None, level.name):
            continue
        try:
            with Jail(level, questions=False) as jail:
                return Chosen(level, tuple(jail.holes()), tuple(failures))
        except (JailError, OSError) as error:
            failures.append(f"{level.name}: {_without_places(error)}")
    if unsafe and wanted is None:
        return Chosen(NOTHING, ())
    reasons = f" What was tried: {' | '.join(failures)}." if failures else ""
    raise UsageError(REFUSAL.format(system=os.uname().sysname if hasattr(os, "uname") else sys.platform) + reasons)


def named(name):
    """The Level of this name, as this machine has it.  Raises UsageError if it has none; never takes a weaker one."""
    for level in (*candidates(), NOTHING):
        if level.name == name:
            return level
    raise UsageError(f"This machine cannot shut submissions in as the grading's own machine can: it has no {name}.")


def _without_places(error):
    """The text without the name of the jail's folder, which differs in each run."""
    return re.sub(rf"\S*{PREFIX}\w+", "the jail", str(error))
