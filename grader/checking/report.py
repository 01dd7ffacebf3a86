"""Verdicts as text for a terminal and as JSON."""

import json
from itertools import groupby

from ..course.catalogue import all_exercises, exercise, notebook
from ..course.commands import typed
from ..course.phrases import counted
from ..course.sections import section_of
from ..course.tracks import EVERYTHING, TRACKS, after
from .going_on import without_it
from .line import Line
from .status import STATUSES

BAR = 30


def as_json(verdicts, hints=lambda id: ()):
    """The grades as plain data, for --json.  hints(id): those that were shown of an exercise."""
    rows = [
        {
            "id": v.id,
            "title": v.title,
            "points": v.points,
            "earned": v.earned,
            "status": v.status,
            "message": v.message,
            "misconception": v.misconception,
            "question": next((line for line in v.plain if line.kind == "called"), None),
            "expected": v.expected,
            "idea": v.idea and v.idea.words,
            "section": section_of(v.id),
            "hints": list(hints(v.id)),
        }
        for v in verdicts
    ]
    earned, possible = points(verdicts)
    return json.dumps({"course": "babygrad", "earned": earned, "possible": possible, "exercises": rows}, indent=1)


def points(verdicts):
    """(earned, possible)."""
    return sum(v.earned for v in verdicts), sum(v.points for v in verdicts)


def headline(verdict, width=28, track=EVERYTHING):
    """Such as: 3.3  topological_order   failed   2 of 3 questions right.  width: of the column of titles."""
    return f"{verdict.id:<4} {verdict.title:<{width}} {standing(verdict, track):<12} {result(verdict)[1]}".rstrip()


def result(verdict):
    """The status, and how many points or questions, in words."""
    status = STATUSES[verdict.status].words
    if verdict.status == "passed":
        return status, counted(verdict.points or "no", "point")
    if verdict.status in ("not_started", "given"):
        return status, ""
    return status, f"{verdict.right} of {counted(verdict.asked, 'question')} right"


def heading(verdict):
    """Such as: 3.3 topological_order: failed, 2 of 3 questions right."""
    return f"{verdict.id} {verdict.title}: {', '.join(filter(None, result(verdict)))}"


def notebook_number(verdict):
    """The two-digit number of the verdict's notebook."""
    return f"{int(verdict.id.split('.')[0]):02}"


def progress_bar(verdicts):
    """Such as: [#####.........] 12 of 60 points."""
    earned, possible = points(verdicts)
    filled = BAR * earned // possible if possible else 0
    return f"[{'#' * filled}{'.' * (BAR - filled)}] {earned} of {counted(possible, 'point')}"


def blocks(verdicts):
    """(title, earned, possible, its verdicts) of each notebook."""
    for number, group in groupby(verdicts, key=notebook_number):
        group = list(group)
        yield f"{number} {notebook(number).title}", *points(group), group


def standing(verdict, track=EVERYTHING):
    """Its status in words, also that nothing is asked of it on this track."""
    off = verdict.status == "not_started" and not lies_on(track, verdict)
    return "not on this track" if off else result(verdict)[0]


def table(verdicts, track=EVERYTHING, opened=None):
    """A line for each notebook, and one for each of its exercises: of all, or of the opened notebook alone."""
    width = max([28, *(len(v.title) for v in verdicts)])
    for title, earned, possible, group in blocks(verdicts):
        yield f"{title:<30} {earned} of {counted(possible, 'point')}"
        if opened in (None, notebook_number(group[0])):
            yield from (f"  {headline(v, width, track)}" for v in group)
            yield ""


def text(verdicts, notes=(), hint="", track=EVERYTHING, everything=False):
    """What `check` prints: the table, the bar, the first failure explained, what to open next.

    notes: {exercise id: a sentence to add to its explanation}.  hint: how to ask for one; "" as in a terminal.
    track: which one was chosen.  everything: the exercises of every notebook, not only of the one at hand?
    """
    if len(verdicts) == 1:
        yield from explanation(verdicts[0], notes, hint)
        return
    there = shown(verdicts, track)
    yield from table(there, track, None if everything else at_hand(there, track))
    yield from [""] * (not everything and notebook_number(there[-1]) != at_hand(there, track))
    yield progress_bar(verdicts)
    if not everything and len({notebook_number(v) for v in there}) > 1:
        yield f"All exercises of all notebooks: {typed('make check ARGS=--all')}"
    yield from on_the_track(verdicts, track)
    yield ""
    first = to_explain(verdicts)
    yield from explanation(first, notes, hint) if first else next_step(verdicts, track)


def shown(verdicts, track):
    """The verdicts that a table shows: of several notebooks those that the track touches, or that were begun."""
    there = {notebook_number(v) for v in verdicts if lies_on(track, v) or v.status != "not_started"}
    return [v for v in verdicts if notebook_number(v) in there] or verdicts


def at_hand(verdicts, track):
    """The number of the notebook that a learner is in: with the first failure, or with what is next."""
    waiting = (v for v in verdicts if v.status == "not_started" and lies_on(track, v))
    return notebook_number(to_explain(verdicts) or next(waiting, verdicts[-1]))


def on_the_track(verdicts, track):
    """A line about the track, if it is not all there is; before anything was begun, about the shorter ones."""
    if track == EVERYTHING and all(v.status == "not_started" for v in verdicts):
        yield f"Shorter tracks, one evening or the core: {typed('make check TRACK=evening')}, or TRACK=core"
    there = [v for v in verdicts if lies_on(track, v)]
    if len(there) < len(verdicts):
        done = f"{sum(v.done for v in there)} of {counted(len(there), 'exercise')} done"
        yield f'The track "{track}": {done}. (Those off it: {typed(f"make check TRACK={EVERYTHING}")})'


def lies_on(track, verdict):
    """Does the verdict's exercise lie on the track of this name?"""
    return exercise(verdict.id).track in TRACKS[track]


def to_explain(verdicts):
    """The only verdict, or of several the first that was begun and is wrong; None if none is."""
    if len(verdicts) == 1:
        return verdicts[0]
    return next((v for v in verdicts if not v.done and v.status != "not_started"), None)


def explanation(verdict, notes=(), hint=""):
    """The headline, and under it the message and the way on.  hint: as in text."""
    yield headline(verdict)
    yield from (f"  {line}" for line in explanation_lines(verdict, notes, hint or typed("make hint EX={}")))


def explanation_lines(verdict, notes, hint):
    """The Lines of the message and the way on."""
    yield from verdict.lines
    if verdict.status == "given":
        yield Line("The answer was filled in for you: it counts as done, without points.")
    if not verdict.done:
        yield from map(Line, filter(None, [dict(notes).get(verdict.id)]))
        yield from [Line(f"Hint: {hint.format(verdict.id)}", "hint")] * verdict.hint


def next_step(verdicts, track=EVERYTHING):
    """What to open next."""
    left = [v for v in verdicts if v.status == "not_started"]
    waiting = next((v for v in left if lies_on(track, v)), None)
    if left and not waiting:
        yield end_of_the_track(verdicts, left, track)
        return
    if not waiting:
        given = [v.id for v in verdicts if v.status == "given"]
        yield "All of this is done."
        if given:
            anew = typed(f"make reset EX={given[0]}")
            yield f"Given, so without points: {', '.join(given)}. To write one yourself: {anew}"
        return
    name = notebook(notebook_number(waiting)).name
    lab = typed("make lab")
    yield f"Next: open notebooks/{name}.ipynb ({lab}), and beside it babygrad/{waiting.file}: exercise {waiting.id}."


def end_of_the_track(verdicts, left, track):
    """What is said when only exercises off the track are left.  left: the verdicts of those that were checked."""
    if len(verdicts) < len(all_exercises()):  # others may wait on this track
        numbers = {notebook_number(v) for v in verdicts}
        what = f"Notebook {min(numbers)}" if len(numbers) == 1 else "All of this"
        return f'{what} is done as far as the track "{track}" goes. What is next: {typed("make check")}'
    longer = next_track(left, track)
    first = next(v.id for v in left if lies_on(longer, v))
    end = f'You have reached the end of the track "{track}".'
    return f"{end} On the next one, exercise {first} is first: {typed(f'make check TRACK={longer}')}"


def next_track(left, track):
    """The shortest track on which one of the verdicts lies."""
    while not any(lies_on(track, v) for v in left):
        track = after(track)
    return track


def hint_lines(hints):
    """The hints shown so far."""
    ex = hints.exercise
    yield f"{ex.id} {ex.title}"
    yield from (f"  {number}. {text}" for number, text in enumerate(hints.shown, 1))
    if hints.slip:
        yield f"And about the line that the check named: {hints.slip}"
    if len(hints.shown) == len(ex.hints):
        yield f"That was the last hint. docs/stuck.md helps by symptom{without_it(ex.id)}."
