"""Who handed in, who did not, and what the teacher should know about it."""

from dataclasses import dataclass, field

from ...course.phrases import listed
from . import shared
from .earlier import Earlier
from .groups import Groups
from .platforms import Pattern
from .roster import Roster
from .safe_names import told_apart
from .submissions import find, latest

NAMED = 5  # students in a note
WORKSHEET = "Moodle's grading worksheet (read as a time of this machine's time zone)"


def read(submissions, roster=None, pattern=None, before=None, until=""):
    """The Class that handed in these submissions.

    submissions, roster: paths.  pattern: a regular expression.  before: the folder of an earlier grading.
    until: of an exchange, as shared.until gives it.
    The students are called as the roster says, if there is one, else by the names of their files.
    """
    inbound = shared.inbound(submissions)
    sources = find(inbound or submissions, None if pattern is None else Pattern(pattern))
    sources = shared.checked(sources, inbound, until) if inbound else sources
    earlier = before and Earlier.read(before)
    if roster is None:
        chosen, several = latest(sources)
        return Class(chosen, sources.notes, several, before=earlier, hand_ins=shared.hand_ins(sources))
    matched = Roster.read(roster).match(sources)
    hand_ins = shared.hand_ins(matched.sources)
    groups = Groups(matched.groups, told_apart(matched.names))
    chosen, several, by_whom = groups.latest(matched.sources)
    for student, source in chosen.items():
        if by_whom[student] in matched.came:
            source.came(matched.came[by_whom[student]], WORKSHEET)
    return Class(
        chosen,
        [*matched.notes, *sources.notes, *groups.notes()],
        several,
        [student for student in matched.missing if groups.leads.get(student) not in chosen],
        matched.unknown,
        matched.names,
        matched.sections,
        groups,
        earlier,
        hand_ins,
    )


@dataclass
class Class:
    """The hand-ins and the roster.

    sources: {student: Source}.  notes: sentences.  several: {student: which of several hand-ins counts, in words}.
    missing: students of the roster without a hand-in.  unknown: the other way round.
    names: {student: the student's name}.  sections: {student: section} of those who have one.
    groups: those who hand in together: a group's hand-in stands in sources under its lead.
    before: an earlier grading (earlier.py), or None.  hand_ins: as shared.hand_ins has them.
    """

    sources: dict
    notes: list
    several: dict = field(default_factory=dict)
    missing: list = field(default_factory=list)
    unknown: list = field(default_factory=list)
    names: dict = field(default_factory=dict)
    sections: dict = field(default_factory=dict)
    groups: Groups = field(default_factory=Groups)
    before: object = None
    hand_ins: dict = field(default_factory=dict)

    def keep(self, holds):
        """Keep only the students for whom holds(student) is true."""
        self.sources = {student: source for student, source in self.sources.items() if holds(student)}

    def called(self, student):
        """What to call the student."""
        return told_apart(self.names).get(student) or student

    def shown(self, journal):
        """The students whose records belong on the pages.

        Not that of a hand-in which counts as another student's by now, as with a roster that came later.
        """
        names, partners = {source.name for source in self.sources.values()}, self.groups.partners
        own = [s for s in journal.students() if s in self.sources or journal.name_of(s) not in names]
        return [s for s in own if s not in partners] + [s for s, lead in partners.items() if lead in own]

    def everybodys_sources(self):
        """{student: Source}, also of those who handed in with others."""
        partners = self.groups.partners.items()
        return self.sources | {student: self.sources[lead] for student, lead in partners if lead in self.sources}

    def context(self, settings, state, shown):
        """What the pages need beside the records."""
        shown = set(shown)
        return {
            "course": state.settings,
            "titles": {ex.id: ex.title for ex in settings.released()},
            "isolation": state.isolation,
            "seeds": state.seeds,
            "missing": [student for student in self.missing if student not in shown],
            "unknown": self.unknown,
            "names": told_apart(self.names),
            "sections": self.sections,
            "before": self.before,
            "together": self.groups.words(),
            "partners": self.groups.partners,
            "several": {student: words for student, words in self.several.items() if student in shown},
            "notes": [*self.notes, *self._oddities(shown)],
            "grader": state.digest,
            "version": settings.version,
        }

    def without_grades(self, journal):
        """Students who handed in, and have no record."""
        return [student for student in sorted(self.sources) if student not in journal]

    def _oddities(self, shown):
        gone = sorted(shown - self.everybodys_sources().keys())
        if gone:
            names = listed(map(self.called, gone), NAMED)
            yield f"{len(gone)} graded earlier and no longer among the hand-ins: their grades stay ({names})."
        waiting = len(self.sources.keys() - shown)
        if waiting:
            yield f"{waiting} handed in but not graded yet."
