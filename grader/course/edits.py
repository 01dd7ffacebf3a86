"""Edits of an answer: what a wrong idea, or a right answer in another style, changes in the reference's text."""

import difflib
import re
from dataclasses import dataclass, replace
from typing import NamedTuple

from . import regions
from .phrases import listed


class DoesNotFit(ValueError):
    """An edit that cannot be made. The message says which, and what stands there."""


class Change(NamedTuple):
    """One change of an answer: old becomes new.

    old: a text that stands in the answer exactly once; None: new is the whole answer.  pattern: old is a regular
    expression, and every place where it fits is changed.  part: the title of a region, where there are several.
    """

    old: str | None
    new: str
    pattern: bool = False
    part: str = ""


class _Span(NamedTuple):
    """body[start:end] of a region becomes new."""

    start: int
    end: int
    new: str


@dataclass(frozen=True)
class Edit:
    """Changes of the answer to one exercise, all made at once.  id: the exercise's.  file: where its regions are."""

    id: str
    file: str
    changes: tuple

    def applied(self, text):
        """The reference's file with this answer, in regions as a learner's file has them.  Raises DoesNotFit."""
        own = [r for r in regions.solution_regions(text) if r.id == self.id]
        bodies = {r.key: "\n".join(line.removeprefix(r.indent) for line in r.body) for r in own}
        spans = {key: [] for key in bodies}
        for change in self.changes:
            for key, span in _fitting(change, {r.key: bodies[r.key] for r in _parts(change, own)}):
                spans[key].append(span)
        new = {r.key: _indented(_changed(bodies[r.key], spans[r.key]), r.indent) for r in own}
        return regions.replaced(text, own, lambda r: regions.wrapped(r, new[r.key]))

    def difference(self, text):
        """Its lines beside the right ones: "- " before a line that is right, "+ " before one of this answer."""
        both = [self._lines(each.applied(text)) for each in (replace(self, changes=()), self)]
        return [line for line in difflib.ndiff(*both) if line.startswith(("- ", "+ "))]

    def _lines(self, text):
        own = [region for region in regions.stub_regions(text) if region.id == self.id]
        return [line.removeprefix(region.indent) for region in own for line in region.body]


def _parts(change, own):
    """The regions that a change may be about."""
    parts = [r for r in own if change.part == r.title] or [r for r in own if change.part in r.title]
    if not parts:
        raise DoesNotFit(f"no part is called {change.part!r}: there are {listed([r.title for r in own])}")
    if change.old is None and len(parts) > 1:
        there = listed([f"In `{r.title}`:" for r in parts])
        raise DoesNotFit(f"above a whole answer stands of which part it is, one of {there}")
    return parts


def _fitting(change, bodies):
    """(key of a region, span in its body) of the places of a change.  Raises DoesNotFit."""
    if change.old is None:
        return [(key, _Span(0, len(body), change.new)) for key, body in bodies.items()]
    old = re.compile(change.old if change.pattern else re.escape(change.old))
    found = [(key, match) for key, body in bodies.items() for match in old.finditer(body)]
    if not found or (len(found) > 1 and not change.pattern):
        raise DoesNotFit(_why(change.old, [_line(bodies[key], match.start()) for key, match in found], bodies))
    return [(key, _span(bodies[key], match, change)) for key, match in found]


def _span(body, match, change):
    """new with the indentation of the line in which old stands; nothing at all where a whole line is to go."""
    line = _line(body, match.start())
    new = match.expand(change.new) if change.pattern else change.new
    start, end = match.span()
    if not new and line.strip() == match[0].strip():
        return _Span(body.rfind("\n", 0, start) + 1, min(end + 1, len(body)), "")
    indent = line[: len(line) - len(line.lstrip())]
    return _Span(start, end, new.replace("\n", "\n" + indent))


def _line(body, place):
    return body[body.rfind("\n", 0, place) + 1 :].partition("\n")[0]


def _why(old, lines, bodies):
    if lines:
        places = "".join(f"\n    {line.strip()}" for line in lines)
        return f"{old!r} stands there {len(lines)} times; write more of the line that is meant:{places}"
    there = [line.strip() for body in bodies.values() for line in body.splitlines() if line.strip()]
    near = difflib.get_close_matches(old, there, n=1, cutoff=0) or [""]
    return f"{old!r} does not stand there. The line most like it:\n    {near[0]}"


def _changed(body, spans):
    for before, after in zip(sorted(spans), sorted(spans)[1:], strict=False):
        if before.end > after.start:
            raise DoesNotFit(f"two changes are about the same place: {body[after.start : before.end]!r}")
    for start, end, new in sorted(spans, reverse=True):
        body = body[:start] + new + body[end:]
    return body


def _indented(body, indent):
    return [indent + line if line.strip() else "" for line in body.splitlines()]
