"""All pages and tables of a class, made from its records; made anew each time, so that they always fit together."""

from . import bets, exercises_page, feedback, index_page, similar_page, tables, written_page
from .student_folders import safe_folders
from .tally import Tally


def write(out, records, context, sources):
    """Write out/<student>/..., the tables and the teacher's pages.  Returns the context that the pages got.

    sources: {student: Source}, for their bets and notes.
    """
    context = {**context, "folders": safe_folders(records.students)}
    context["have_bet"] = bets.write(out, sources, context["folders"])
    for record in records:
        feedback.write(out / context["folders"][record["student"]], record, context)
    tables.write(out, records, context)
    similar_page.write(out, context)
    written_page.write(out, context)
    tally = Tally.of(records, context)
    exercises_page.write(out, tally)
    index_page.write(out, tally)
    return context
