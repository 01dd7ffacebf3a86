"""The regions of exercises: in the reference between SOLUTION markers, in a stub between two comments."""

import re
import warnings
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from .stub_message import is_statement, statement

BEGIN = re.compile(r"^(?P<indent>\s*)### BEGIN SOLUTION (?P<id>\d+\.\d+): (?P<title>.+)$")
END = re.compile(r"^\s*### END SOLUTION\s*$")
OPEN = re.compile(r"^(?P<indent>\s*)# exercise (?P<id>\d+\.\d+)(?P<given> \(given\))?\s*$")
CLOSE = re.compile(r"^\s*# end of exercise (?P<id>\d+\.\d+)\s*$")


class MarkerError(Exception):
    """The comments around exercises do not pair up. The message names the line."""


@dataclass(frozen=True)
class Region:
    """One region: lines[start:end] with its two marker lines.  id and number (of that id in the file) name it."""

    id: str
    number: int
    title: str
    indent: str
    start: int
    end: int
    body: tuple
    given: bool = False

    @property
    def key(self):
        return self.id, self.number

    @property
    def is_stub(self):
        code = [line.strip() for line in self.body if line.strip() and not line.strip().startswith("#")]
        return len(code) == 1 and is_statement(code[0], self.id)


def solution_regions(text):
    """The regions of a reference file."""
    return _regions(text, BEGIN, END)


def stub_regions(text):
    """The regions of a learner's file.  Raises MarkerError."""
    return _regions(text, OPEN, CLOSE)


def regions_in(data):
    """The same, of the bytes of a file; [] where they cannot be told."""
    try:
        return stub_regions(data.decode("utf-8"))
    except (UnicodeDecodeError, MarkerError):
        return []


@lru_cache(maxsize=32)  # a file of many exercises is asked about each of them
def _regions(text, begin, end):
    found, opened, counts, lines = [], None, {}, text.splitlines()
    for number, line in enumerate(lines):
        if begin.match(line):
            if opened:
                raise MarkerError(f"line {number + 1}: the exercise opened in line {opened[0] + 1} is not closed")
            opened = number, begin.match(line).groupdict()
        elif end.match(line):
            if not opened or end.match(line).groupdict().get("id", opened[1]["id"]) != opened[1]["id"]:
                raise MarkerError(f"line {number + 1}: this comment closes an exercise that was not opened")
            found.append(_region(lines, opened, number, counts))
            opened = None
    if opened:
        raise MarkerError(f"line {opened[0] + 1}: the exercise opened here is not closed")
    return tuple(found)


def _region(lines, opened, last, counts):
    first, match = opened
    counts[match["id"]] = counts.get(match["id"], 0) + 1
    return Region(
        id=match["id"],
        number=counts[match["id"]],
        title=match.get("title") or "",
        indent=match["indent"],
        start=first,
        end=last + 1,
        body=tuple(lines[first + 1 : last]),
        given=bool(match.get("given")),
    )


def stub_text(reference_text):
    """The learner's file, made from the reference's: every region holds a stub."""
    return replaced(reference_text, solution_regions(reference_text), stub_lines)


def stub_lines(region):
    """The lines of a region in which nothing is filled in."""
    return wrapped(region, [region.indent + statement(region.id, region.title)])


def wrapped(region, body, given=False):
    """Lines of a region in a learner's file: the body between the two comments."""
    suffix = " (given)" if given else ""
    return [
        f"{region.indent}# exercise {region.id}{suffix}",
        *body,
        f"{region.indent}# end of exercise {region.id}",
    ]


def replaced(text, regions, lines_for):
    """The text with each region's lines (markers included) replaced by lines_for(region)."""
    lines = text.splitlines()
    for region in reversed(regions):
        lines[region.start : region.end] = lines_for(region)
    return "\n".join(lines) + "\n"


def id_of_region(path, line):
    """The id of the exercise in whose region this line (counted from 1) of a learner's file stands, or ""."""
    return next((region.id for region in _readable_regions(Path(path)) if region.start < line <= region.end), "")


def cause_above(path, line):
    """The Region above a course's line (from 1) that Python could not read because of what stands in it, or None.

    A block left empty or a line unindented is noticed at the next line of code. It was this region, if with a stub in
    it Python reads on past that line.
    """
    found = [region for region in _readable_regions(path) if region.start < line]
    if not found or line <= found[-1].end:
        return None
    text = path.read_text(encoding="utf-8")
    mended = replaced(text, found[-1:], stub_lines)
    moved = len(mended.splitlines()) - len(text.splitlines())
    return found[-1] if _first_fault(mended) > line + moved else None


def _first_fault(text):
    """The line that Python cannot read; beyond all lines if it can read them."""
    with warnings.catch_warnings(action="ignore"):
        try:
            compile(text, "", "exec", dont_inherit=True)
        except SyntaxError as error:
            return error.lineno or 0
        except Exception:  # too deep, say: nothing is known
            return 0
    return len(text.splitlines()) + 1


def states(path):
    """{exercise id: "untouched", "given" or "changed"} of a learner's file: {} if it holds no region at all.

    None if it cannot be told: the file cannot be read, or its markers do not pair up.
    """
    try:
        return states_of(path.read_bytes())
    except OSError:
        return None


def states_of(data):
    """The same, of the bytes of a file. In the reference's own, which has other markers, it cannot be told."""
    try:
        text = data.decode("utf-8")
        return _states(stub_regions(text)) or (None if "### BEGIN SOLUTION" in text else {})
    except (UnicodeDecodeError, MarkerError):
        return None


def _states(regions):
    by_id = {}
    for region in regions:
        by_id.setdefault(region.id, []).append(region)
    return {id: _state(parts) for id, parts in by_id.items()}


def _readable_regions(path):
    try:
        return regions_in(path.read_bytes())
    except OSError:
        return []


def _state(parts):
    if any(region.given for region in parts):
        return "given"
    return "untouched" if all(region.is_stub for region in parts) else "changed"
