"""The pairs of a class whose answers share what few others wrote.

How it weighs: what is in the reference counts nothing, nor what many wrote (as with Moss's base file and its option
-m). For an exercise a pair gets 1 if nobody else wrote what they share, and the less the more others did; once, however
much more they share there, and only from ENOUGH fingerprints on: a short answer has not so many that are rare, and
accuses nobody. So a pair weighs the same in a small class as in a large one. Those who handed in the same bytes count
as one here.

The time is proportional to the fingerprints of the class times what COMMON allows; of the pairs only the best are held.
"""

import heapq
import math
from collections import Counter
from dataclasses import dataclass

ENOUGH = 6  # shared fingerprints before an exercise counts
COMMON = 0.2, 3, 50  # what so many of a class wrote is common: a share, but at least and at most so many students
FEW = 3  # answers to an exercise that say nothing about who wrote alike
LEAST = 0.75, 2  # what a pair needs to be shown: so much of an exercise, for each of the homework's, but of two at most
MOST = 25  # pairs shown


@dataclass(frozen=True)
class Pair:
    """Two students.  weight: see above, over all exercises.  shared: ((exercise id, how many share it), ...)."""

    one: str
    other: str
    weight: float
    shared: tuple


def ranked(prints, ignored):
    """The Pairs, what weighs most first.

    prints: {student: {exercise id: frozenset of fingerprints}}.  ignored: {exercise id: those of the reference}.
    """
    students = sorted(prints)
    answers = Counter(id for found in prints.values() for id in found)
    groups = {id: _groups(id, students, prints, ignored.get(id, frozenset())) for id in sorted(answers)}
    least, best = LEAST[0] * min(LEAST[1], len(groups)), []
    for student in students:
        for other, shared in _shared_with(student, groups).items():
            weight = sum(_rarity(answers[id], count) for id, count in shared)
            if weight >= least:
                best.append(Pair(student, other, weight, tuple(shared)))
        best = heapq.nsmallest(MOST, best, key=_order)
    return best


def common(answers):
    """How many may share something before it is common."""
    share, least, most = COMMON
    return min(max(least, int(share * answers)), most)


def rare(id, students, prints, ignored):
    """{fingerprint: the students who have it} of those that are neither the reference's nor common nor one's alone."""
    having = {}
    for student in students:
        for gram in prints[student].get(id, frozenset()) - ignored:
            having.setdefault(gram, []).append(student)
    most = common(sum(id in prints[student] for student in students))
    return {gram: tuple(group) for gram, group in having.items() if 2 <= len(group) <= most}


def _rarity(answers, sharing):
    """1 of what two share, near 0 of what all do."""
    return math.log(answers / sharing) / math.log(answers / 2) if answers > FEW else 0.0


def _groups(id, students, prints, ignored):
    """{student: [(students who share something, how many fingerprints)]}, the rarest first."""
    groups = {}
    sizes = Counter(rare(id, students, prints, ignored).values())
    for group, size in sorted(sizes.items(), key=lambda item: (len(item[0]), item[0])):
        for student in group:
            groups.setdefault(student, []).append((group, size))
    return groups


def _shared_with(student, groups):
    """{a later student: [(exercise id, how many share it)]}."""
    found = {}
    for id, by_student in groups.items():
        seen = Counter()
        for group, size in by_student.get(student, ()):
            for other in group:
                if other > student:
                    seen[other] += size
                    if seen[other] - size < ENOUGH <= seen[other]:
                        found.setdefault(other, []).append((id, len(group)))
    return found


def _order(pair):
    return -round(pair.weight, 9), pair.one, pair.other
