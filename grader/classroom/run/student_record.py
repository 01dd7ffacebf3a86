"""What is known of one student after grading: a dict that JSON can hold, the same for the same hand-in and seed.

The journal keeps what was found out by asking. What the teacher decides beside that, points and dates, is added by
`weigher` each time something is written: so a change of it counts for everybody, and nobody is asked again for it.
"""

from ...checking.judging import idea_named
from ...checking.line import Line
from ...checking.messages import explained, surely
from ...checking.verdict import earned
from ...course.catalogue import exercise, place_of
from ...course.settings import Settings
from ..marks.extensions import Extensions
from ..marks.late import with_lateness


def head(source, hand_in, state):
    """The part of a record that is known before grading.  source, hand_in: as submissions.py gives them."""
    when = source.submitted
    return {
        "student": source.student,
        "submission": {
            "name": source.name,
            "digest": hand_in.digest,
            "submitted": when.isoformat() if when else None,
            "time_from": source.time_from,
            "marked_late": source.label.platform if source.label.late else "",
        },
        "notes": hand_in.notes,
        "renamed": hand_in.renamed,
        "made_with": hand_in.made_with,
        "claimed": hand_in.claimed,
        "grader": state.digest,
    }


def malformed(head, sentence):
    """The record of a hand-in that cannot be read."""
    body = {"status": "malformed", "malformed": sentence, "exercises": [], "isolation": "", "trouble": ""}
    return {**head, **body, "seed": 0, "seed_set": 0}


def graded(head, job, answer, trouble=""):
    """The record of what `grade` answered.  trouble: "", or what kept it from being asked properly."""
    rows = [row for row in answer["exercises"] if row["id"] in job.ids]
    body = {"status": "graded", "malformed": "", "exercises": rows, "isolation": answer["isolation"]}
    body["attempts"] = answer.get("attempts", {})
    seeds = {"seed": job.seed, "seed_set": job.seed_set, "trouble": trouble}
    return {**head, **body, **seeds}


def lost(head, job, why, isolation):
    """The record of a hand-in that brought its process down, or met a fault of ours: no points, and why."""
    exercises = {ex.id: ex for ex in Settings.from_dict(job.course).exercises()}
    rows = [_crashed(exercises[id], why) for id in job.ids]
    return graded(head, job, {"exercises": rows, "isolation": isolation}, trouble=why)


def regraded(old, new):
    """The old record with the new one's rows, and with all else that is new."""
    rows = {row["id"]: row for row in new["exercises"]}
    merged = [rows.pop(row["id"], row) for row in old["exercises"]]
    trouble = new["trouble"] or old["trouble"]
    merged = sorted([*merged, *rows.values()], key=lambda row: place_of(row["id"]))
    attempts = old.get("attempts", {}) | new.get("attempts", {})
    return {**new, "exercises": merged, "trouble": trouble, "attempts": attempts}


def to_carry(record):
    """{id: the question that its message is about, or ""} of the exercises that may fail only because of what they
    build on, and were not asked about that yet."""
    rows = [row for row in record["exercises"] if row.get("once") and "counted_carried" not in row]
    return {row["id"]: row.get("shown", "") for row in rows}


def carried_on(record, found):
    """The record with what was found once all that an exercise builds on is right: {id: as in grading.grade}."""
    return {**record, "exercises": [_carried(row, found.get(row["id"])) for row in record["exercises"]]}


def _carried(row, found):
    if not found:
        return row
    row = row | {"counted_carried": found["counted"]}
    plain, undone, _ = (row.pop(name, None) for name in ("plain", "undone", "shown"))
    if plain is None or found["cured"] is None:
        return row
    idea = idea_named(exercise(row["id"]), found["idea"]) if found["idea"] else None
    pointer = surely(undone) if found["cured"] else None
    lines = explained([Line(text, kind) for kind, text in plain], idea, pointer)
    return row | {"message": "\n".join(lines), "misconception": found["idea"]}


def to_search(record):
    """{id: the questions that it got wrong} of the exercises in which a slip's line is still to be searched for."""
    return {row["id"]: row["wrong"] for row in record["exercises"] if "wrong" in row}


def searched(record, found):
    """The record with the lines that were found, which are said after all else: {id: as in grading.grade}."""
    return {**record, "exercises": [_searched(row, found) for row in record["exercises"]]}


def _searched(row, found):
    if row["id"] not in found:
        return row
    row, slip = {name: value for name, value in row.items() if name != "wrong"}, found[row["id"]]
    if slip is None:
        return row
    said = slip["said"]
    message = "\n".join([row["message"], *said])
    return row | {"message": message, "slip": {"lines": slip["lines"], "kind": slip["kind"], "code": said[1].strip()}}


def weigher(settings, extensions=None):
    """A function from a record to the same with points and lateness, and with the exercises that count.

    earned: what counts.  own, carried: the points for the code as it is, and with errors carried forward.
    extensions: who has more time; None: nobody.
    """
    extensions = extensions or Extensions(settings)
    points = {ex.id: ex.points for ex in settings.exercises()}
    possible = settings.possible

    def weighed(record):
        rows = [_weighed(row, points[row["id"]], settings.count) for row in record["exercises"] if row["id"] in points]
        totals = {name: sum(row[name] for row in rows) for name in ("earned", "own", "carried")}
        late = with_lateness(record["submission"], record["student"], settings, extensions)
        return {**record, "submission": late, "exercises": rows, "marks": [], **totals, "possible": possible}

    return weighed


def _weighed(row, points, count):
    right = {"own": row["counted"], "carried": max(row["counted"], row.get("counted_carried", 0))}
    figures = {name: earned(points, number, row["asked"]) for name, number in right.items()}
    return {**row, "points": points, "earned": figures[count], **figures}


def _crashed(ex, why):
    said = {"id": ex.id, "title": ex.title, "file": ex.file, "status": "crashed", "message": why, "misconception": None}
    return {**said, "right": 0, "asked": len(ex.probes), "counted": 0, "hint": False}
