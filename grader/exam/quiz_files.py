"""Reads quiz.md of a notebook's folder: its questions of the quiz.

    ## 3.Q1 A: say what a node passes back        id, section, and how the goal begins that it is about
    What is x.grad?                               its text, with {x} for a drawn number
    draw: {"x": whole(rng, 3, 9)}                 in Python, with rng and the functions of quiz.py beside it
    code:                                         hidden: where it would tell the way
        x = Value({x}.0)
    torch:                                        the same in PyTorch's words
    asked: x.grad; its place = place              what is asked = expression; without it, what the code prints
    answer: {n} + 1                               in place of all these: the right one of several choices
    - 3.1: each input once => What it shows.      a wrong answer: by a misconception of an exercise
    - at 1: {x} * 2 => What it shows.             by an expression (of the second answer), or a choice
    - {n} | 3.1: each input once => What it shows.       a choice, and the misconception that it shows

A line that goes on is indented by two spaces; code by four.
"""

import re
from functools import cache

from ..course.folders import folder_of, load
from .outcomes import goals
from .question import Question, Wrong, different, whole

TITLE = re.compile(r"(\d+\.Q\d+) ([A-Z]): (.+)")
FIELD = re.compile(r"(draw|code|hidden|torch|asked|answer):(?: (.*))?")
WRONG = re.compile(r"(?:at (\d+): )?(.+?)(?: \| (\d+\.\d+): (.+?))? => (.+)")
NAMED = re.compile(r"(\d+\.\d+): (.+)")


class NoQuestion(Exception):
    """What stands in a quiz.md is no question."""


@cache
def quiz_questions(number):
    """The questions about the notebook with this two-digit number, in order; () if it has none.  Raises NoQuestion."""
    folder = folder_of(number)
    if not folder or not (folder / "quiz.md").is_file():
        return ()
    drawing = load(number, "quiz")
    names = {"whole": whole, "different": different} | (vars(drawing) if drawing else {})
    _, *blocks = re.split(r"^## ", (folder / "quiz.md").read_text(encoding="utf-8"), flags=re.MULTILINE)
    return tuple(question(block, goals(number), names) for block in blocks)


def question(block, outcomes, names):
    """The Question that a block is, after its ##.  outcomes: the notebook's.  names: for draw.  Raises NoQuestion."""
    title, *lines = block.splitlines()
    found = TITLE.fullmatch(title)
    about = [outcome for outcome in outcomes if found and outcome.startswith(found[3])]
    if len(about) != 1:
        raise NoQuestion(f"{title!r}: an id, a section, and the beginning of one goal of the notebook are asked for.")
    parts = _parts(lines)
    fields = {name: text.strip() for name, text in parts if name != "wrong"}
    if "draw" not in fields:
        raise NoQuestion(f"{title!r}: a line draw: is missing.")
    drawing = compile(fields["draw"], title, "eval")
    return Question(
        found[1],
        about[0],
        section=found[2],
        text=fields["text"],
        draw=lambda rng: eval(drawing, names | {"rng": rng}),
        code=fields.get("code") or fields.get("hidden", ""),
        shown="hidden" not in fields,
        torch=fields.get("torch", ""),
        asked=_asked(fields.get("asked", "")),
        answer=fields.get("answer", ""),
        choose="answer" in fields,
        wrong=tuple(_wrong(text, title) for name, text in parts if name == "wrong"),
    )


def _parts(lines):
    """[name of a field, its text] of each, as they come."""
    parts = [["text", ""]]
    for line in lines:
        last = parts[-1]
        if found := FIELD.fullmatch(line):
            parts.append([found[1], found[2] or ""])
        elif line.startswith("- "):
            parts.append(["wrong", line[2:]])
        elif not line or line.startswith(" " * 4):
            last[1] += f"\n{line[4:]}"
        else:
            last[1] += ("\n" if last[1].endswith("\n") else " ") + line.strip()
    return parts


def _asked(text):
    """{what is asked: expression}; a part without a name is both."""
    pairs = [part.partition(" = ") for part in text.split("; ") if part]
    return {name: expression or name for name, _, expression in pairs}


def _wrong(text, title):
    found = WRONG.fullmatch(text.strip())
    if not found:
        raise NoQuestion(f"{title!r}: {text!r} has no => before what it shows.")
    at, idea, id, name, shows = found.groups()
    misconception = NAMED.fullmatch(idea)
    named = (id, name) if id else ()
    return Wrong(misconception.groups() if misconception else idea, shows, int(at) if at else None, named)
