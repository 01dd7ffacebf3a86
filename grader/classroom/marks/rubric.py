"""marks-rubric.csv: for what an item gives or takes points, said once and used by number.

    item,number,points,words
    2.R1,1,2,Says that an `if` is decided while it runs
    2.R1,2,-1,No example

A mark names those that apply at the beginning of its comment:  ada,2.R1,1,[1 2] Which loop do you mean?
They add to 0, or to what the check gave; the mark's own points are what counts.
"""

import re
from dataclasses import dataclass, field

from .marks import item_named, number_of
from .sheet import Sheet

COLUMNS = ("item", "number", "points", "words")
POINTS = re.compile(r"[-+−]?\d{1,6}([.,]\d{1,2})?")
NUMBER = re.compile(r"[1-9]\d{0,2}")
USED = re.compile(r"\[([1-9]\d{0,2}(?: [1-9]\d{0,2})*)\]\s*")


@dataclass(frozen=True)
class Criterion:
    """For what, and how many points it gives or takes."""

    points: int | float
    words: str

    @property
    def signed(self):
        """Such as: +2, or −1."""
        return f"{self.points:+g}".replace("-", "−")


@dataclass
class Rubric:
    """items: {item: {number: Criterion}}.  notes: sentences about lines that cannot count."""

    items: dict = field(default_factory=dict)
    notes: list = field(default_factory=list)

    @classmethod
    def of(cls, sheet):
        rubric = cls()
        for row in sheet.rows:
            points, number = row["points"], row["number"]
            if not (POINTS.fullmatch(points) and NUMBER.fullmatch(number) and row["item"]):
                rubric.notes.append(f"{sheet.place(row)}: it needs an item, a number from 1 on, and points such as -1.")
                continue
            criteria = rubric.items.setdefault(item_named(row["item"]), {})
            criteria[int(number)] = Criterion(number_of(points), row["words"])
        return rubric

    def of_item(self, item):
        """{number: Criterion}, in order."""
        return dict(sorted(self.items.get(item, {}).items()))

    def used(self, item, comment):
        """(numbers, the other words) of a mark's comment."""
        found = USED.match(comment)
        numbers = tuple(map(int, found[1].split())) if found else ()
        if not numbers or not self.items.get(item, {}).keys() >= {*numbers}:
            return (), comment
        return numbers, comment[found.end() :]

    def told(self, item, comment):
        """The comment with the words of what it names."""
        numbers, words = self.used(item, comment)
        criteria = self.items.get(item, {})
        said = [f"{criteria[number].signed} {criteria[number].words}".rstrip(" .") + "." for number in numbers]
        return " ".join([*said, words]).strip()

    def sum(self, item, numbers):
        """The points of these together."""
        return sum(self.items[item][number].points for number in numbers)


def read(path):
    """The Rubric at this path; an empty one if there is no file."""
    return Rubric.of(Sheet.read(path, COLUMNS) if path.exists() else Sheet())


def written(numbers, words):
    """A mark's comment that names these."""
    return f"[{' '.join(map(str, sorted(numbers)))}] {words}".strip() if numbers else words


def moved(points, base, before, after, most):
    """The points of a mark once its criteria give `after` instead of `before`; what was added beside them stays.

    points: None if there are none yet.  base: what the criteria add to.  Never below 0, never above most.
    """

    def within(number):
        return max(0, number if most is None else min(number, most))

    own = 0 if points is None else points - within(base + before)
    return within(within(base + after) + own)
