"""term.toml: how the points of a term become one mark.

    scale = "1.0 to 5.0"    # or "A to F", "percent", or a table: each mark, and from how many per cent it is given

    [parts.homework]
    weight = 50
    from = "exercises"      # or "written", other work such as "presentation", or a table of results, "exam.csv"
    drop = 1                # the worst of the gradings does not count

    [parts.exam]
    weight = 40
    from = "exam.csv"       # beside term.toml
    minimum = 40            # per cent of this part, or the term is failed

    [parts.bonus]
    bonus = 5               # on top of the 100
    from = "presentation"

    [excused]
    ada = ["grades2"]       # this grading does not count for ada, and the others count for more

Whatever does not add up is refused: a mark that is not what its rules say is worse than none.
"""

import tomllib
from dataclasses import dataclass

from ...course.phrases import counted, listed
from ...course.usage import UsageError

FILE = "term.toml"
TABLE = ".csv"
PERCENT = "percent"
FAILED = "failed"  # where per cent are the marks, none is the lowest
OF_1_TO_5 = ("1.0", 95), ("1.3", 90), ("1.7", 85), ("2.0", 80), ("2.3", 75), ("2.7", 70), ("3.0", 65), ("3.3", 60)
SCALES = {
    "1.0 to 5.0": dict([*OF_1_TO_5, ("3.7", 55), ("4.0", 50), ("5.0", 0)]),
    "A to F": {"A": 90, "B": 80, "C": 70, "D": 60, "F": 0},
    PERCENT: {},
}
KEYS = {"weight": (int, float), "bonus": (int, float), "from": str, "gradings": list, "drop": int}
KEYS["minimum"] = KEYS["weight"]
SAYS = {str: "a text in quotation marks", list: "a list", int: "a whole number", (int, float): "a number"}


@dataclass(frozen=True)
class Part:
    """A part of the mark.

    weight: how much of the 100 it is, or with bonus, how much it adds to them.  source: what parts.py names
    or the name of a table.  gradings: names of those that count; () for all.
    drop: how many of them do not count.  minimum: per cent of the part that must be reached; 0 if none.
    """

    name: str
    weight: float
    source: str
    bonus: bool = False
    gradings: tuple = ()
    drop: int = 0
    minimum: float = 0

    @property
    def is_table(self):
        return self.source.lower().endswith(TABLE)


@dataclass(frozen=True)
class Rules:
    """parts: of which the weights are 100.  scale: {mark: from how many per cent}, the best first; {} for per cent.

    excused: {student, as written: names of the gradings that do not count for them}.
    """

    parts: tuple
    scale: dict
    excused: dict

    @classmethod
    def read(cls, path, gradings):
        """The rules in a file.  gradings: the names of those that are joined.  Raises UsageError."""
        try:
            said = tomllib.loads(path.read_text(encoding="utf-8"))
        except OSError as error:
            raise UsageError(f"{path} cannot be read: {error.strerror}.") from None
        except ValueError as error:
            raise UsageError(f"{path} is not TOML: {error}.") from None
        return _Reader(path.name, gradings).rules(said)

    def mark(self, percents, failed):
        """The mark for so many per cent, as a text: on a scale of per cent alone they themselves."""
        if failed:
            return next(reversed(self.scale), FAILED)
        return next((mark for mark, least in self.scale.items() if percents >= least), str(percents))


class _Reader:
    """Reads the fields, and says which one is wrong."""

    def __init__(self, file, gradings):
        self.file, self.names = file, gradings

    def wrong(self, why):
        return UsageError(f"{self.file}: {why}.")

    def rules(self, said):
        self._demand_known(said, ("scale", "parts", "excused"), "")
        named = said.get("parts")
        if not isinstance(named, dict) or not named:
            raise self.wrong(
                "it has no parts. Write [parts.homework], and below it weight = 100 and from = 'exercises'"
            )
        parts = tuple(self._part(name, fields) for name, fields in named.items())
        weights = [part.weight for part in parts if not part.bonus]
        if round(sum(weights), 6) != 100:
            sums = " + ".join(f"{weight:g}" for weight in weights) or "nothing"
            raise self.wrong(f"the weights must add up to 100, and {sums} is {sum(weights):g}")
        return Rules(parts, self._scale(said.get("scale", PERCENT)), self._excused(said.get("excused", {})))

    def _excused(self, said):
        if not isinstance(said, dict):
            raise self.wrong('excused: write [excused], and below it who from what, such as ada = ["hw2"]')
        for student, gradings in said.items():
            if not isinstance(gradings, list) or not gradings:
                raise self.wrong(f'excused: {student} needs a list of gradings, such as ["{self.names[0]}"]')
            self._demand_gradings(gradings, f"excused, {student}: ")
        return said

    def _demand_gradings(self, gradings, where):
        if unknown := [str(name) for name in gradings if name not in self.names]:
            raise self.wrong(f"{where}no grading is called {listed(unknown)}: there is {listed(self.names)}")

    def _demand_known(self, fields, known, where):
        if others := [key for key in fields if key not in known]:
            raise self.wrong(f"{where}{listed(others)} is not understood: there is {listed(known)}")

    def _part(self, name, fields):
        where = f"part {name}: "
        if not isinstance(fields, dict):
            raise self.wrong(f"{where}write [parts.{name}], and below it weight and from")
        self._demand_known(fields, KEYS, where)
        for key, value in fields.items():
            if not isinstance(value, KEYS[key]) or isinstance(value, bool):
                raise self.wrong(f"{where}{key} must be {SAYS[KEYS[key]]}")
        if ("weight" in fields) == ("bonus" in fields):
            raise self.wrong(f"{where}it needs a weight, or a bonus, and not both")
        if not fields.get("from"):
            raise self.wrong(f"{where}from is missing: 'exercises', 'written', 'presentation' or a table, 'exam.csv'")
        bonus = "bonus" in fields
        part = Part(
            name,
            fields["bonus" if bonus else "weight"],
            fields["from"],
            bonus,
            tuple(fields.get("gradings", ())),
            fields.get("drop", 0),
            fields.get("minimum", 0),
        )
        self._demand_possible(part, where)
        return part

    def _demand_possible(self, part, where):
        if not 0 < part.weight <= 100:
            raise self.wrong(f"{where}{'bonus' if part.bonus else 'weight'} must lie between 0 and 100")
        if not 0 <= part.minimum <= 100:
            raise self.wrong(f"{where}minimum is in per cent, from 0 to 100")
        self._demand_gradings(part.gradings, where)
        if len({*part.gradings}) < len(part.gradings):
            raise self.wrong(f"{where}gradings names one of them twice")
        if part.is_table and (part.gradings or part.drop):
            raise self.wrong(f"{where}gradings and drop are about gradings, and {part.source} is a table")
        if part.bonus and part.minimum:
            raise self.wrong(f"{where}a bonus has no minimum")
        count = len(part.gradings or self.names)
        if not 0 <= part.drop < count:
            raise self.wrong(f"{where}drop = {part.drop} leaves nothing of {counted(count, 'grading')}")

    def _scale(self, said):
        if isinstance(said, str):
            if said not in SCALES:
                known = listed([f'"{name}"' for name in SCALES])
                raise self.wrong(f'scale = "{said}" is not known: there is {known}, or a table of your own')
            return SCALES[said]
        if not isinstance(said, dict) or len(said) < 2:
            raise self.wrong("scale must be a text, or a table with two marks or more, such as A = 90 and F = 0")
        for mark, least in said.items():
            if isinstance(least, bool) or not isinstance(least, int | float) or not 0 <= least <= 100:
                raise self.wrong(f"scale, mark {mark}: a number from 0 to 100 is needed")
        ordered = sorted(said.values(), reverse=True)
        if [*said.values()] != ordered or len({*ordered}) < len(ordered) or ordered[-1] != 0:
            raise self.wrong("scale must begin with the best mark, each with fewer per cent than the one before, to 0")
        return said
