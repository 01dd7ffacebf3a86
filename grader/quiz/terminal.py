"""The quiz in a terminal."""

import textwrap

from .comparing import RIGHT, UNREADABLE, judged
from .words import leads_back, told

WIDTH = 88
HELP = "Type each answer. Nothing but Enter: you do not know. Ctrl-C ends the quiz; what you have answered counts."


def ask(questions, count, note, write, read):
    """Ask questions (an iterable of so many Asked).  Returns (how many answers were right, how many there were).

    note(asked, verdict) is called as soon as one was answered.  write, read: as print and input. The end of the input
    is the end.
    """
    right = answered = 0
    write(HELP)
    try:
        for number, asked in enumerate(questions, 1):
            write("", *_lines(asked, f"Question {number} of {count}, about notebook {asked.number}"), sep="\n")
            verdict = _answered(asked, write, read)
            note(asked, verdict)
            answered, right = answered + 1, right + (verdict.kind == RIGHT)
            if leads_back(verdict):
                write(textwrap.fill(f"Look at {asked.place}.", WIDTH))
    except EOFError:
        write("")
    return right, answered


def _lines(asked, heading):
    yield from (heading, "")
    if asked.code:
        yield from (textwrap.indent(asked.code, "    "), "")
    yield from textwrap.wrap(asked.text, WIDTH)
    yield from (f"  {letter}  {choice}" for letter, choice in asked.lettered)


def _answered(asked, write, read):
    """The Verdict on the first answer that can be read."""
    while True:
        verdict = judged(asked, [read(f"{name}: ") for name in asked.names or ("letter",)])
        write(*(textwrap.fill(line, WIDTH) for line in told(asked, verdict)), sep="\n")
        if verdict.kind != UNREADABLE:
            return verdict
