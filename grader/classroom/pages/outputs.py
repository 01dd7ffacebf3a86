"""All pages and tables of a class, made from its records; made anew each time, so that they always fit together."""

from ...course.phrases import counted
from ...course.settings import Settings
from ..marks.marks import earned_in
from . import (
    exercises_page,
    feedback,
    feedback_zip,
    gradebook,
    handed_in,
    index_page,
    predictions,
    similar_page,
    tables,
    words,
    written_page,
)
from .student_folders import safe_folders
from .tally import Tally


def write(out, records, context, sources):
    """Write out/<student>/..., the tables and the teacher's pages.  Returns the Tally that the pages were made from.

    sources: {student: Source}, for their predictions and notes.
    """
    context = {**context, "folders": safe_folders(records.students)}
    context["have_prediction"] = predictions.write(out, sources, context["folders"])
    handed_in.write(out, sources, context["folders"], Settings.from_dict(context["course"]))
    totals, names, comments = {}, {}, {}
    for record in records:
        student = record["student"]
        feedback.write(out / context["folders"][student], record, context)
        totals[student], comments[student] = earned_in(record), words.in_short(record)
        if student not in context["partners"]:  # a platform takes one file for each hand-in
            names[student] = record["submission"]["name"]
    context["platforms"] = list(_for_platforms(out, totals, comments, names, context))
    tables.write(out, records, context)
    similar_page.write(out, context)
    written_page.write(out, context)
    tally = Tally.of(records, context)
    exercises_page.write(out, tally)
    index_page.write(out, tally)
    return tally


def _for_platforms(out, totals, comments, names, context):
    """Write what Moodle and Canvas import.  Sentences about it."""
    totals |= {s: earned_in(context["marks"].alone(s, context["possible"])) for s in context["missing"]}
    totals = {student: total for student, total in totals.items() if total is not None}
    yield from gradebook.write(out, context, totals, context["assignment"], comments)
    for name, count in feedback_zip.write(out, context["folders"], names).items():
        yield f"{name}: the feedback of {counted(count, 'student')}, for the platform to import."
