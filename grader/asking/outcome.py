"""What comes back when a question was asked."""

from dataclasses import dataclass

CANNOT_BE_READ = ("SyntaxError", "IndentationError", "TabError")  # types of exceptions: of a file


@dataclass(frozen=True)
class Frame:
    """One line of the package that was being run when an exception was raised.

    own: it stands in the region of an exercise, so the learner wrote it.
    """

    file: str
    line: int
    function: str
    code: str
    own: bool = False


@dataclass(frozen=True)
class Stopped:
    """An exception ended a probe.

    stub: the id of the unfilled exercise that was met, or "".
    frames: the lines of the package itself, the innermost last.
    used: what a missing attribute was asked of ("a number", "file value.py", "class Value", ...), or "".
    importing: the file was being imported: nothing in it can be asked.
    graph: the learner's graph of the question, as probing.walking left it, or None.
    above, above_line: the id of the exercise, and where its region ends, if Python could not read a line of the
        course's further down because of what stands in that region.
    column: where in the code of the last frame Python stopped reading, from 0; -1 if that is not what happened.
    region: the id of the exercise in whose region the line stands that Python could not read, or "".
    """

    type: str
    message: str
    frames: tuple = ()
    stub: str = ""
    used: str = ""
    importing: bool = False
    graph: object = None
    above: str = ""
    above_line: int = 0
    column: int = -1
    region: str = ""


@dataclass(frozen=True)
class Outcome:
    """What one probe brought back: named answers, or a Stopped; and what was printed meanwhile."""

    answers: object
    printed: str = ""


@dataclass(frozen=True)
class Other:
    """Something other than a plain value."""

    type: str
    text: str

    def __repr__(self):
        """As a sentence shows it among the inputs of a question."""
        return self.text
