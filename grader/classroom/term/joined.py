"""What several gradings say about each student, in the order in which they were given."""

from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median, quantiles

from ...course.catalogue import place_of
from ...course.commands import typed
from ...course.folders import number_of
from ...course.phrases import listed, plural
from ...course.usage import UsageError
from ..collect.earlier import is_graded, named, read_records
from ..collect.safe_names import told_apart
from ..marks.marks import earned_in, tidy
from ..pages.needs import DROP, percents
from ..pages.student_folders import safe_folders
from .parts import parts_of


@dataclass(frozen=True)
class Result:
    """One student in one grading.  ideas: {(exercise id, misconception)}.  page: the student's, or None.

    earned: None if nothing was graded, nor marked by hand.  handed_in: or is there nothing but marks by hand?
    share: of the points, from 0 to 1; None if nothing was graded.
    parts: as parts_of has them.  passed: {id of an exercise: has it all its points, or is right where it has none?}
    """

    earned: float | None
    share: float | None
    ideas: frozenset
    page: Path | None = None
    handed_in: bool = True
    parts: dict = field(default_factory=dict)
    passed: dict = field(default_factory=dict)

    @property
    def names(self):
        """Of the misconceptions."""
        return frozenset(name for _, name in self.ideas)

    @classmethod
    def of(cls, record, page):
        """That of a record of a grading."""
        ideas = ((row["id"], row["misconception"]) for row in record["exercises"] if row["misconception"])
        share = record["earned"] / record["possible"] if record["possible"] else 0.0
        handed_in = record.get("status") != "missing"
        passed = {row["id"]: _is_passed(row) for row in record["exercises"]} if is_graded(record) else {}
        share = share if is_graded(record) else None
        return cls(earned_in(record), share, frozenset(ideas), page, handed_in, parts_of(record), passed)


@dataclass
class Student:
    """results: a Result for each grading, None where nothing was handed in."""

    id: str
    name: str
    section: str = ""
    results: list = field(default_factory=list)

    @property
    def shares(self):
        return [result and result.share for result in self.results]

    @property
    def earned(self):
        return tidy(sum(result.earned or 0 for result in self.results if result))

    def fades(self, names):
        """(how much was lost, a sentence) if the last result is far below the one before; else None."""
        given = [(share, name) for share, name in zip(self.shares, names) if share is not None]
        if given and given[-1][0] > 0 and self.shares[-1] is None:
            last = self.results[-1]
            what = "that could be graded" if last and last.handed_in else "handed in"
            return given[-1][0], f"Nothing {what} for {names[-1]}, after {percents(given[-1][0])} in {given[-1][1]}."
        if len(given) < 2 or self.shares[-1] is None:
            return None
        (before, earlier), (now, last) = given[-2:]
        if now <= before - DROP:
            return before - now, f"{percents(now)} of the points in {last}, after {percents(before)} in {earlier}."
        return None

    def staying(self):
        """The names of misconceptions in the last hand-in that an earlier one had too, in another exercise."""
        given = [result.names for result in self.results if result and result.share is not None]
        return frozenset().union(*given[:-1]) & given[-1] if given else frozenset()


@dataclass(frozen=True)
class Term:
    """names: of the gradings.  possible: the points of each.  students: sorted by section, then name.

    parts: for each grading {what parts_of names: all its points}.
    """

    names: list
    possible: list
    students: list
    parts: list = field(default_factory=list)

    @classmethod
    def read(cls, folders, roster=None):
        """The Term of some folders of gradings.  Raises UsageError."""
        if len(folders) < 2:
            example = typed('make term GRADES="hw1 hw2" OUT=term')
            raise UsageError(f"A term joins several gradings, for example: {example}")
        names = [named(folder) for folder in folders]
        if len({*names}) < len(names):
            names = _told_apart([Path(folder).resolve().parts for folder in folders])
        listed = {student.id: student for student in roster.students} if roster else {}
        students = {id: Student(id, on_list.name, on_list.section) for id, on_list in listed.items()}
        possible, graded = [], [read_records(folder) for folder in folders]
        _demand_other_notebooks(names, graded)
        for number, (folder, records) in enumerate(zip(folders, graded)):
            possible.append(max((record["possible"] for record in records), default=0))
            folders_here = safe_folders([record["student"] for record in records])
            for record in records:
                feedback = Path(folder) / folders_here[record["student"]] / "feedback.html"
                _add(students, listed, number, record, feedback if feedback.is_file() else None)
        for student in students.values():
            student.results += [None] * (len(folders) - len(student.results))
        for id, name in told_apart({id: student.name for id, student in students.items()}).items():
            students[id].name = name
        order = sorted(students.values(), key=lambda s: (s.section == "", s.section, s.name.casefold(), s.id))
        parts = [{name: of for record in records for name, (_, of) in parts_of(record).items()} for records in graded]
        return cls(names, possible, order, parts)

    @property
    def sections(self):
        """{section: its students}; only {"": all} if nobody has one."""
        found = {}
        for student in self.students:
            found.setdefault(student.section, []).append(student)
        return found

    def fading(self):
        """[(student, sentence)], who lost most first."""
        found = [(student, student.fades(self.names)) for student in self.students]
        lost = [(student, *loss) for student, loss in found if loss]
        return [(student, said) for student, much, said in sorted(lost, key=lambda each: -each[1])]

    def ideas(self):
        """[(misconception, in which exercises, how many had it in each grading, who keeps it)], most of them first."""
        counts, stay, places = [Counter() for _ in self.names], {}, {}
        for student in self.students:
            for count, result in zip(counts, student.results):
                count.update(result.names if result else ())
                for id, name in result.ideas if result else ():
                    places.setdefault(name, set()).add(id)
            for name in student.staying():
                stay.setdefault(name, []).append(student)
        ordered = sorted(stay, key=lambda name: (-len(stay[name]), name))
        return [(n, sorted(places[n], key=place_of), [count[n] for count in counts], stay[n]) for n in ordered]


def _is_passed(row):
    """0 of 0 points says nothing: what was released without points must be right."""
    return row["earned"] >= row["points"] if row["points"] else row["status"] == "passed"


def _told_apart(paths):
    """The ends of these paths, as short as they can be and differ; whole where one folder is named twice."""
    ends = ([str(Path(*parts[-length:])) for parts in paths] for length in range(2, max(map(len, paths)) + 1))
    return next((names for names in ends if len({*names}) == len(names)), [str(Path(*parts)) for parts in paths])


def _demand_other_notebooks(names, graded):
    """Raises UsageError if two gradings have a notebook in common: its points would count twice."""
    first = {}
    for name, records in zip(names, graded):
        here = {number_of(row["id"]) for record in records for row in record["exercises"]}
        if twice := sorted(here & first.keys()):
            both = f"{first[twice[0]]} and {name} both have {plural('notebook', len(twice))} {listed(twice)}"
            raise UsageError(
                f"{both}: those points would count twice. Grade the later homework into a new folder with its new "
                "notebooks alone, for example NOTEBOOKS=3. Of two rounds of one homework name the one that counts."
            )
        first |= dict.fromkeys(here, name)


def _add(students, listed, number, record, page):
    """One record of a grading with this number, and the student's page there.

    The roster's names go before those of the gradings.
    """
    id = record["student"]
    student = students.setdefault(id, Student(id, id))
    if id not in listed:
        student.name, student.section = record.get("name") or id, record.get("section") or student.section
    student.results += [None] * (number - len(student.results))
    student.results.append(Result.of(record, page))


def middle(students, number):
    """(lower quartile, median, upper quartile, how many handed in) of the shares in one grading; None for nobody."""
    shares = [student.shares[number] for student in students if student.shares[number] is not None]
    if not shares:
        return None
    low, _, high = quantiles(shares, n=4, method="inclusive") if len(shares) > 1 else [shares[0]] * 3
    return low, median(shares), high, len(shares)
