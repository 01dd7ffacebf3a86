"""Which isolation a machine can build. Chosen at the start of a grading, tried from inside, named in every report."""

import re
import shutil
import sys
from dataclasses import dataclass

from ...course.usage import UsageError
from .folder import PREFIX

LEVELS = ("namespaces", "bubblewrap", "landlock")  # the strongest first
REFUSAL = (
    "Nothing on this machine can isolate a stranger's code ({tried}), and limits on memory and time alone keep nobody "
    "from reading the answers. Grade on Linux (a virtual machine or a container will do; docs/teaching.md shows "
    "both). If you trust the author of every submission as much as yourself, add --unsafe."
)


@dataclass(frozen=True)
class Level:
    """What isolates together.  one_each: a new server for each process, since it cannot be shut off from its server."""

    name: str
    words: str
    namespaces: bool = False
    bubblewrap: bool = False
    landlock: bool = False
    seccomp: bool = False
    sandboxed: bool = True

    @property
    def one_each(self):
        return not self.namespaces

    @property
    def own_files(self):
        """Does it see a file system of its own, in which there is nothing else?"""
        return self.namespaces or self.bubblewrap


@dataclass(frozen=True)
class Chosen:
    """A Level, the leaks that were found in it by trying, and why no stronger one works here."""

    level: Level
    leaks: tuple
    failures: tuple = ()

    def sentences(self):
        """What a report says."""
        yield f"Isolation: {self.level.words}."
        if not self.level.sandboxed:
            yield "The submissions ran like any program of your own. Nothing kept them from reading the answers."
        elif self.leaks:
            yield f"What did not hold when it was tried from inside: {'; '.join(self.leaks)}."
        else:
            yield "Tried from inside: no file outside, no network, no other process could be reached."
        if self.failures:
            stronger = "Stronger isolation" if self.level.sandboxed else "Isolation"
            yield f"{stronger} could not be built here: {' | '.join(self.failures)}."


NOTHING = Level("none", "none (--unsafe)", sandboxed=False)


def candidates():
    """The Levels that this machine may be able to build, the strongest first."""
    if sys.platform != "linux":
        return
    from ..inside import kernel
    from . import syscalls

    landlock, seccomp = kernel.landlock_version(), syscalls.available()
    words = ", ".join([*[f"Landlock {landlock}"] * bool(landlock), *["seccomp"] * seccomp, "limits"])
    inner = {"landlock": bool(landlock), "seccomp": seccomp}
    own = "namespaces (users, files, network, processes, ipc)"
    yield Level("namespaces", f"{own}, {words}", namespaces=True, **inner)
    if shutil.which("bwrap"):
        yield Level("bubblewrap", f"bubblewrap, {words}", bubblewrap=True, **inner)
    if landlock:
        yield Level("landlock", words, **inner)


def choose(unsafe=False, wanted=None):
    """The strongest Chosen that works here. One in which files outside can be read does not: the answers are there.

    unsafe: go on without isolation where none can be built.  wanted: the name of one level, and no other.
    Raises UsageError where nothing works.
    """
    from ..inside.isolation import FILES
    from .client import Jail, JailError

    failures = {}
    for level in candidates():
        if wanted not in (None, level.name):
            continue
        try:
            with Jail(level, questions=False) as jail:
                leaks = tuple(jail.leaks())
        except (JailError, OSError) as error:
            failures[level.name] = _without_places(error)
            continue
        if FILES not in leaks:
            return Chosen(level, leaks, _listed(failures))
        failures[level.name] = FILES
    failures = {name: "not here" for name in LEVELS if wanted in (None, name)} | failures
    if unsafe:
        return Chosen(NOTHING, (), _listed(failures))
    raise UsageError(REFUSAL.format(tried=" | ".join(_listed(failures))))


def named(name):
    """The Level of this name, as this machine has it.  Raises UsageError if it has none; never takes a weaker one."""
    for level in (*candidates(), NOTHING):
        if level.name == name:
            return level
    raise UsageError(f"This machine cannot isolate submissions as the machine that grades can: it has no {name}.")


def _without_places(error):
    """The text without the name of the jail's folder, which differs in each run."""
    return re.sub(rf"\S*{PREFIX}\w+", "the jail", str(error))


def _listed(failures):
    return tuple(f"{name}: {reason}" for name, reason in failures.items())
