"""Comments at the lines of what a student wrote: which line each belongs to, with the lines around it."""

from dataclasses import dataclass

from ..marks.line_comments import LineComment, placed
from . import handed_in
from .tables import cell


@dataclass(frozen=True)
class AtLines:
    """The comments on one item.  file: what the student calls it, "" if it is gone.

    pieces: (lines, comment or "") of what is shown: [(((number, text), ...), what is said of the last of them)].
    gone: the LineComments whose line is not there any more.
    """

    item: str
    file: str
    pieces: list
    gone: list


def as_cells(text):
    """((number, the line as a table has it), ...) of a Text."""
    return tuple((number, cell(line)) for number, line in text.lines) if text else ()


def of(record, folder):
    """[AtLines] of a record, for the student whose folder it is."""
    return [_of(item, comments, folder) for item, comments in record.get("comments", {}).items()]


def _of(item, comments, folder):
    text = handed_in.text_of(item, folder)
    found, gone = placed([LineComment(**comment) for comment in comments], as_cells(text))
    lines = text.lines if text else ()
    pieces = [(some, found[number].comment if number else "") for number, some in handed_in.excerpts(lines, found)]
    return AtLines(item, text.file if text else "", [piece for piece in pieces if piece[0]], gone)
