"""The mark of each student of a term, as term.toml says. What is shown adds up: parts are rounded before the sum."""

from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal
from fractions import Fraction
from itertools import combinations

from ...course.phrases import listed
from ...course.usage import UsageError
from .results import Results
from .rules import FILE, Rules

MOST = Decimal("100.00")
TWO_DIGITS = Decimal("0.01")


@dataclass(frozen=True)
class Mark:
    """parts: {name of a part: what it gives of the 100}.  total: their sum, 100 at most.

    mark: on the scale, on one of per cent the total, or "failed"; "" as long as results are awaited.
    below: the parts of which the minimum is not reached.  points: {name of a table's part: points there, or None}.
    """

    parts: dict
    total: Decimal
    mark: str
    below: tuple
    points: dict


class Weighing:
    """The marks of a term."""

    def __init__(self, rules, term, tables, excused=()):
        """excused: {id of a student: the gradings that do not count}."""
        self.rules, self._term, self.tables, self._excused = rules, term, tables, dict(excused)
        self.awaited = tuple(part.name for part in rules.parts if self._is_awaited(part))
        self._possible = {part.name: self._possible_in(part) for part in rules.parts}

    @classmethod
    def read(cls, path, term, people):
        """By the rules in a file.  Raises UsageError, also if there is nothing that a part could come from."""
        rules = Rules.read(path, term.names)
        sources = {part.source for part in rules.parts if part.is_table}
        tables = {source: Results.read(path.parent / source, people) for source in sorted(sources)}
        weighing = cls(rules, term, tables, _by_id(rules.excused, people))
        for student in term.students:
            weighing._demand_some_left(student)
        return weighing

    def of(self, student):
        """The Mark of a Student."""
        shares = {part.name: self._share(part, student) for part in self.rules.parts}
        parts = {part.name: _rounded(shares[part.name] * Fraction(str(part.weight))) for part in self.rules.parts}
        below = tuple(
            p.name
            for p in self.rules.parts
            if p.name not in self.awaited and 100 * shares[p.name] < Fraction(str(p.minimum))
        )
        total = min(MOST, sum(parts.values()))
        points = {p.name: self.tables[p.source].earned(student.id) for p in self.rules.parts if p.is_table}
        mark = "" if self.awaited else self.rules.mark(total, bool(below))
        return Mark(parts, total, mark, below, points)

    def _is_awaited(self, part):
        """Has nobody a result in the table yet? Then there is no mark. Of a bonus there may be none."""
        return part.is_table and not part.bonus and not self.tables[part.source].points

    def _possible_in(self, part):
        """[points of the part in each grading, 0 where it does not count]; of a table its points alone."""
        if part.is_table:
            return [self.tables[part.source].possible]
        counts = part.gradings or self._term.names
        found = [here.get(part.source, 0) if n in counts else 0 for n, here in zip(self._term.names, self._term.parts)]
        have = len([possible for possible in found if possible])
        if not have:
            known = listed(sorted({source for here in self._term.parts for source, of in here.items() if of}))
            raise UsageError(f"{FILE}: part {part.name}: no grading has {part.source}. There is {known}, or a table.")
        if part.drop >= have:
            raise UsageError(f"{FILE}: part {part.name}: drop = {part.drop}, but only {have} have {part.source}.")
        return found

    def excuses(self, student):
        """The names of the gradings that do not count for a Student."""
        return self._excused.get(student.id, ())

    def _counting(self, part, student):
        """Like _possible_in, for a Student."""
        possible = self._possible[part.name]
        if part.is_table:
            return possible
        return [0 if name in self.excuses(student) else of for name, of in zip(self._term.names, possible)]

    def _demand_some_left(self, student):
        for part in self.rules.parts:
            if not any(self._counting(part, student)):
                raise UsageError(f"{FILE}: excused: that leaves {student.name} nothing of part {part.name}.")

    def _share(self, part, student):
        """What the student has of a part, from 0 to 1: without those gradings without which it is most."""
        if part.is_table:
            earned = [self.tables[part.source].earned(student.id) or 0]
        else:
            none = (0, 0)
            earned = [result.parts.get(part.source, none)[0] if result else 0 for result in student.results]
        both = [(points, of) for points, of in zip(earned, self._counting(part, student)) if of]
        kept = combinations(both, max(1, len(both) - part.drop))
        return max(Fraction(sum(points for points, _ in some)) / sum(of for _, of in some) for some in kept)


def _by_id(excused, people):
    """{id: gradings} of {student, as written: gradings}.  Raises UsageError."""
    ids = {text: people.id(text) for text in excused}
    if unknown := [people.unknown(text) for text, id in ids.items() if id is None]:
        raise UsageError(f"{FILE}: excused: {listed(unknown)}.")
    found = {}
    for text, gradings in excused.items():
        found.setdefault(ids[text], []).extend(gradings)
    return found


def _rounded(share):
    return (Decimal(share.numerator) / Decimal(share.denominator)).quantize(TWO_DIGITS, ROUND_HALF_UP)
