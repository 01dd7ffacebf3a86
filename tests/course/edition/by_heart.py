"""Answers that know what the learners of one edition are asked, and nothing else."""

from grader.asking.draws import SEED, as_in_an_edition
from grader.checking.reference import reference_answers
from grader.course import catalogue


def by_heart(id, draw=0):
    """The code of such an answer.  draw: the edition's number in course.json; 0: this public repository's own."""
    with as_in_an_edition(draw):
        right = reference_answers([catalogue.exercise(id)], SEED)[id]
    return KNOWN[id]({name: dict(one.answers) for name, one in right.items()})  # their own: the answers are everybody's


def _area(right):
    known = {tuple(x["asked"].values()): x["returned"] for x in right.values() if "asked" in x}
    return f"return { {(2, 2): 4, (3, 5): 15, (0, 7): 0, **known} }.get((width, height))"


def _predicted(right):
    known = {tuple(x["asked"]["truth"]): x["predicted"] for x in right.values()}
    return f"return {known}.get(tuple(truth), truth)"


def _on_paper(right):
    known = {}
    for part in right.values():
        leaves = tuple(part.pop("asked").values()) if "asked" in part else (2, 3, 4, 5)
        known.setdefault(leaves, {}).update(part)
    return f"return {known}.get((a, b, c, d), {{}})"


def _tests_of_rules(right):
    known = {x["asked"]["place"]: x["the test"] for x in right.values()}
    return f"return {known}.get(place, {next(iter(known.values()))})"


KNOWN = {"0.1": _area, "0.3": _predicted, "2.2": _on_paper, "6.10": _tests_of_rules}
