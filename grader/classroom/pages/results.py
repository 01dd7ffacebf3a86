"""results.json as Gradescope's autograder reads it.

The fields are those of https://gradescope-autograders.readthedocs.io/en/latest/specs/. Every text is marked as "text":
what a student wrote must not be read as HTML, which is what Gradescope takes the main output for otherwise.
"""

import json

from ...checking import report
from ...course.safe_text import visible
from . import words

EXTRA = ("student", "seed", "seed_set", "grader", "isolation", "own", "carried")


def text_of(record, context):
    """The file's content."""
    return json.dumps(as_dict(record, context), indent=1) + "\n"


def as_dict(record, context):
    """The results of one hand-in. Gradescope shows extra_data and stdout to teachers only."""
    verdicts = words.verdicts(record)
    return {
        "score": record["earned"],
        "output": "\n".join(_output(record, verdicts, context)),
        "output_format": "text",
        "test_output_format": "text",
        "test_name_format": "text",
        "visibility": "visible",
        "stdout_visibility": "hidden",
        "extra_data": {name: record[name] for name in EXTRA},
        "tests": [*(_test(verdict) for verdict in verdicts), *map(_by_hand, record["marks"])],
    }


def _output(record, verdicts, context):
    """The sentences above the tests."""
    obstacles = words.obstacles(record)
    yield from (sentence for _, sentences in obstacles for sentence in sentences)
    yield f"{words.score(record)}."
    yield from filter(None, [words.other_figure(record, context)])
    if verdicts:
        yield words.standing(record)
        yield from _next(verdicts, obstacles)
    for sentence, comment in words.marked_by_hand(record):
        yield f"{sentence} {comment}".rstrip()
    yield from words.hand_in(record, context)


def _next(verdicts, obstacles):
    wrong = words.to_mend(verdicts)
    if not wrong and not obstacles:
        yield from report.next_step(verdicts)
    yield from (f"Fix {v.id} {v.title} first." for v in wrong[:1])


def _test(verdict):
    """One exercise. Its status is stated: Gradescope would otherwise judge by points alone."""
    return {
        "number": verdict.id,
        "name": verdict.title,
        "score": verdict.earned,
        "max_score": verdict.points,
        "status": "passed" if verdict.done else "failed",
        "output": "\n".join(_lines(verdict)),
        "tags": [f"notebook {report.notebook_number(verdict)}"],
        "visibility": "visible",
        "extra_data": {name: getattr(verdict, name) for name in ("status", "misconception", "own", "carried")},
    }


def _by_hand(item):
    """What somebody marks by hand, as one more test."""
    name, points = visible(item["item"]), item["points"]
    said = {"name": name, "score": points or 0, "max_score": item["of"], "visibility": "visible"}
    status = "passed" if points == item["of"] else "failed"
    return {**said, "status": status, "output": "not marked yet" if points is None else visible(item["comment"])}


def _lines(verdict):
    yield f"{', '.join(filter(None, report.result(verdict)))}."
    yield from report.explanation_lines(verdict, (), "make hint EX={}")
    yield from filter(None, [words.cost([verdict])])
