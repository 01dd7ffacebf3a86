"""Those who hand in together: one hand-in counts for a whole group, is graded once, and its record is each member's.

The record stands in the journal under the first member on the roster, whoever handed in: the group's lead.
"""

from ...course.phrases import counted, listed
from .submissions import latest

NAMED = 3  # groups in a note


class Groups:
    """leads: {student: the group's lead} for all who hand in with others, leads too."""

    def __init__(self, groups=(), names=()):
        """groups: {student: group}, in the roster's order.  names: {student: what to show}."""
        self._members, self._names = {}, dict(names)
        for student, group in dict(groups).items():
            self._members.setdefault(group, []).append(student)
        self._members = {group: members for group, members in self._members.items() if len(members) > 1}
        self.leads = {student: members[0] for members in self._members.values() for student in members}

    @property
    def partners(self):
        """{student: lead} without the leads."""
        return {student: lead for student, lead in self.leads.items() if student != lead}

    def latest(self, sources):
        """As submissions.latest; the last hand-in of a group is its lead's.  Also {student: who handed that in}."""
        by_whom, one_each = {}, {}
        for source in sources:
            by_whom.setdefault(source, source.student)
            source.student = self.leads.get(source.student, source.student)
            once = source.name if source.student in self.leads else source  # a platform may list it for each member
            one_each.setdefault((source.student, once), source)
        chosen, several = latest(one_each.values(), lambda source: self._shown(source, by_whom[source]))
        several |= {student: several[lead] for student, lead in self.partners.items() if lead in several}
        return chosen, several, {student: by_whom[source] for student, source in chosen.items()}

    def _shown(self, source, student):
        return f"{source.name} ({self._called(student)})" if source.student in self.leads else source.name

    def _called(self, student):
        return self._names.get(student) or student

    def words(self):
        """{student: a sentence for their pages}."""
        return {
            student: f"Handed in together as {group}, with one grade: {listed(map(self._called, members))}."
            for group, members in self._members.items()
            for student in members
        }

    def notes(self):
        """A sentence about them all, if there are any."""
        if self._members:
            each = [f"{group} ({listed(map(self._called, members))})" for group, members in self._members.items()]
            yield f"{counted(len(each), 'group')} of the roster hand in once for all members: {listed(each, NAMED)}."


class Shared:
    """A journal in which each member of a group has the record of its hand-in."""

    def __init__(self, journal, partners):
        self._journal, self._partners = journal, partners

    def get(self, student):
        record = self._journal.get(self._partners.get(student, student))
        return record and {**record, "student": student}
