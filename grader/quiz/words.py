"""What is said of an answer, and of what is due."""

from datetime import date

from ..course.phrases import counted
from .comparing import NOT_KNOWN, RIGHT, UNREADABLE, WRONG

NONE_YET = (
    "There are no questions yet. A notebook brings its questions when it is done: when something is written in each of "
    "its exercises, and none failed when it was last checked."
)


def told(asked, verdict):
    """The sentences about an answer. (Where the notebook tells it: asked.place.)"""
    if verdict.kind == UNREADABLE:
        return [verdict.said]
    if verdict.kind == RIGHT:
        return ["Right."]
    first = f"Not right. {verdict.said}".strip() if verdict.kind == WRONG else ""
    return [*filter(None, [first]), f"The answer: {asked.answer}"]


def leads_back(verdict):
    """Is the notebook's section named?"""
    return verdict.kind in (WRONG, NOT_KNOWN)


def summary(boxes, right, count):
    """What is said at the end of a round. boxes: as they are afterwards."""
    yield f"{right} of {count} right."
    if boxes.of_today():
        yield "The others are still due today."
    elif day := boxes.next_day():
        yield f"The next ones are due {'tomorrow' if day == boxes.today + 1 else f'on {date.fromordinal(day)}'}."


def nothing(boxes, more, about=""):
    """Why nothing is asked.  more: what is typed for more.  about: "notebook 03", if that was asked for."""
    if about:
        return f"There are no questions about {about}."
    if boxes.next_day() is None and not boxes.due():
        return NONE_YET
    if boxes.due():
        return f"You have answered {counted(boxes.answered, 'question')} today. More of them: {more}"
    return f"Nothing is due today. The next ones are due on {date.fromordinal(boxes.next_day())}; {more} asks them now."
