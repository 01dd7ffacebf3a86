"""What the class can do by the end: each goal of the notebooks, the exercises and the exam questions that show it."""

import re
from dataclasses import dataclass

from ...course import catalogue
from ...course.folders import load, number_of
from ...exam.outcomes import shown_by

QUESTION = re.compile(r"\d{1,2}\.E\d{1,2}")  # in the head of a column of results
ENOUGH = 2  # whoever has half of a question's points has answered it


@dataclass(frozen=True)
class Outcome:
    """notebook: its number.  goal: as Markdown.  exercises, questions: ids that show it.

    passed: (who passed all of these exercises, of how many who handed in), or None.
    answered: (who has half of the points of these questions, of how many who were there), or None.
    """

    notebook: str
    goal: str
    exercises: tuple
    questions: tuple
    passed: tuple | None
    answered: tuple | None

    @property
    def share(self):
        """The smaller of the two shares."""
        return min(have / of for have, of in filter(None, (self.passed, self.answered)))

    @property
    def shown(self):
        return bool(self.passed or self.answered)


def outcomes(term, tables=()):
    """The Outcomes that something was asked about, the weakest first.  tables: Results, with columns "1: 3.E1"."""
    passed = [_passed(student) for student in term.students]
    answered = [_answered(table) for table in tables]
    asked = {id for each in passed for id in each} | {id for each in answered for id in each}
    found = []
    for number in sorted({number_of(id) for id in asked} & {*catalogue.numbers()}):
        for goal, exercises, questions in shown_by(number) if load(number, "exam") else ():
            here = tuple(id for id in exercises if id in asked)
            there = tuple(id for id in questions if id in asked)
            both = _by_exercises(passed, here), _by_questions(answered, there)
            found.append(Outcome(number, goal, here, there, *both))
    return sorted((each for each in found if each.shown), key=lambda each: each.share)


def _passed(student):
    """{id of an exercise: passed?} over all gradings."""
    return {id: yes for result in student.results if result for id, yes in result.passed.items()}


def _answered(table):
    """{id of a question: {student: answered?}}."""
    columns = {column: found[0] for column in table.maxima if (found := QUESTION.search(column))}
    return {
        id: {student: ENOUGH * points[column] >= table.maxima[column] for student, points in table.points.items()}
        for column, id in columns.items()
    }


def _by_exercises(passed, ids):
    each = [[mine[id] for id in ids if id in mine] for mine in passed]
    each = [mine for mine in each if mine]
    return (sum(map(all, each)), len(each)) if each else None


def _by_questions(answered, ids):
    mine = {}
    for table in answered:
        for id in ids:
            for student, yes in table.get(id, {}).items():
                mine.setdefault(student, []).append(yes)
    return (sum(map(all, mine.values())), len(mine)) if mine else None
