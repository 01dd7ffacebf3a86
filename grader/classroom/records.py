"""What is known of one student after grading: a dict that JSON can hold, the same for the same hand-in and seed."""

from ..settings import Settings


def head(source, hand_in, settings, state):
    """The part of a record that is known before grading.  source, hand_in: as submissions.py gives them."""
    when = source.submitted
    return {
        "student": source.student,
        "submission": {
            "name": source.name,
            "digest": hand_in.digest,
            "submitted": when.isoformat() if when else None,
            "time_from": source.time_from,
            "late": [number for number in settings.notebooks if settings.late(number, when)],
        },
        "notes": [*["The platform marks it as late."] * source.late, *hand_in.notes],
        "possible": settings.possible,
        "grader": state.digest,
    }


def malformed(head, sentence):
    """The record of a hand-in that cannot be read."""
    body = {"status": "malformed", "malformed": sentence, "exercises": [], "isolation": "", "trouble": ""}
    return {**head, **body, "earned": 0, "seed": 0, "seed_set": 0}


def graded(head, job, answer, trouble=""):
    """The record of what `grade` answered.  trouble: "", or what kept it from being asked properly."""
    rows = [row for row in answer["exercises"] if row["id"] in job.ids]
    body = {"status": "graded", "malformed": "", "exercises": rows, "isolation": answer["isolation"]}
    seeds = {"seed": job.seed, "seed_set": job.seed_set, "trouble": trouble}
    return _added_up({**head, **body, **seeds})


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
    return _added_up({**new, "exercises": sorted(merged + list(rows.values()), key=_place), "trouble": trouble})


def _added_up(record):
    return {**record, "earned": sum(row["earned"] for row in record["exercises"])}


def _crashed(ex, why):
    said = {"id": ex.id, "title": ex.title, "file": ex.file, "points": ex.points, "earned": 0, "status": "crashed"}
    return {**said, "message": why, "misconception": None, "right": 0, "asked": len(ex.probes)}


def _place(row):
    return tuple(map(int, row["id"].split(".")))
