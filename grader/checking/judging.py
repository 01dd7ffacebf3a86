"""Judges what a package answered: verdicts, and the misconception that explains wrong answers."""

import re
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import combinations, product, takewhile
from math import isfinite

from ..asking.answers import drawn_in
from ..asking.draws import SEED, edition
from ..asking.outcome import Outcome, Stopped
from ..course import regions
from ..course.catalogue import exercise, place_of
from ..course.exercise import EITHER, IN_PART, answer_alike, either, in_part, is_one
from ..course.paths import package_folder
from ..marking.compare import Difference, difference
from . import expected
from .by_heart import fails_differently
from .number_patterns import numbers_in
from .question import Question
from .verdict import earns_nothing, judge, most_telling, not_started, told_once
from .written import UNKNOWN, Written


@dataclass
class Asked:
    """An exercise with its questions as they were answered, the state of its region, and the bytes of its file or None.

    written: what stands in its region, where something is to be said of it.
    """

    exercise: object
    questions: list
    state: str
    data: object = None

    @cached_property
    def written(self):
        return UNKNOWN if self.passed or self.waiting else Written(self.exercise.id, self.exercise.file, self.data)

    @property
    def passed(self):
        return not any(q.wrong for q in self.questions)

    @property
    def waiting(self):
        """Has the learner written nothing in it yet?"""
        return not self.passed and not_started(self.exercise, self.questions, self.state)


class Judging:
    """Compares what a package answered with what was expected, each question once.

    exercises: those that a Verdict is wanted of.  states: {file: {exercise id: state of its region}}, as regions.states
    tells them.  files: {name: bytes} of the package, where they are known.
    otherwise(exercise, seed): the answers to one exercise with other inputs; None: they cannot be asked for.
    In what follows, got is {exercise id: {probe name: Outcome or Died}}.
    """

    def __init__(self, exercises, states, seed, files=None, otherwise=None):
        self.exercises, self.states, self.seed = list(exercises), states, seed
        self.files, self.otherwise = files or {}, otherwise
        self._by_id = {ex.id: ex for ex in self.exercises}
        self._asked = {}

    def asked(self, id, answers):
        """The Asked for the answers to one exercise."""
        before, asked = self._asked.get(id, (None, None))
        if before is not answers:
            ex = self._by_id.get(id) or exercise(id)
            right = expected.reference_answers([ex], self.seed)[id]
            questions = [Question(p, answers.get(p.name), right[p.name]) for p in ex.probes]
            asked = Asked(ex, questions, self._state(ex), self.files.get(ex.file))
            self._asked[id] = answers, asked
        return asked

    def _state(self, ex):
        states = self.states.get(ex.file)
        return "foreign" if states == {} else (states or {}).get(ex.id, "changed")

    def missing(self, got, needs=lambda ex: ex.needs):
        """Exercises that failing ones build on, and that were not asked yet.  needs(exercise): ids."""
        asked = [self.asked(ex.id, got[ex.id]) for ex in self.exercises]
        failed = [a.exercise for a in asked if not a.passed and not a.waiting]
        return [exercise(id) for id in sorted({need for ex in failed for need in needs(ex)} - got.keys(), key=place_of)]

    def verdicts(self, got):
        """A Verdict for each of the exercises."""
        asked = {id: self.asked(id, answers) for id, answers in got.items()}
        return told_once([self._judged(asked[ex.id], asked) for ex in self.exercises])

    def _judged(self, asked, before):
        """The Verdict. Where an exercise that this one builds on fails, no misconception is looked for."""
        needs = [before[id] for id in asked.exercise.needs if id in before and not before[id].passed]
        undone = {need.exercise.id: need.waiting for need in needs}
        found = (
            None if undone or asked.waiting else explaining(asked.exercise, asked.questions, self.seed, asked.written)
        )
        known = frozenset() if asked.passed or asked.waiting else self._known(asked)
        is_told = is_one(found) and not asked.written.is_one_line  # else it is clear which
        at = asked.written.line_with(expected.signs_of(asked.exercise, found)) if is_told else None
        return judge(asked.exercise, asked.questions, asked.state, found, undone, known, asked.written, at)

    def _known(self, asked):
        """Names of the questions that earn nothing by themselves. Where an answer fails differently with other inputs
        it was not learnt by heart, and there are none."""
        known = known_beforehand(asked.exercise.id, self.seed)
        if not self.otherwise or not earns_nothing(asked.exercise, asked.questions, known):
            return known
        others = self.otherwise(asked.exercise, self.seed + 1)
        by_hand = asked.exercise.hashed
        return frozenset() if fails_differently(asked.questions, known, others, by_hand) else known


def states_in(directory):
    """{file: {exercise id: state of its region}} of the package in directory/babygrad."""
    folder = package_folder(directory)
    return {path.relative_to(folder).as_posix(): regions.states(path) for path in folder.rglob("*.py")}


def known_beforehand(id, seed):
    """Names of the questions whose right answer is the same for this seed as for SEED, which everybody can see.

    For SEED: those whose right answer is the same for all. So a check gives the points that a grading gives.
    """
    return _known_beforehand(id, seed, edition(SEED))


@cache
def _known_beforehand(id, seed, _):
    return frozenset(expected.known_beforehand(exercise(id), seed))


def explaining(ex, questions, seed, written=UNKNOWN):
    """The misconception that explains the answers, if there are wrong ones of the learner's own."""
    first = most_telling(questions)
    if not first or (first.stop and (first.stop.stub or first.stop.importing)):
        return None
    return matching_misconception(ex, questions, seed, written)


def matching_misconception(ex, questions, seed, written=UNKNOWN):
    """The misconception of this exercise that gives the same answers as the learner's code, or None.

    First one that agrees on every question. Else the only one that agrees on the question that the message is about
    and is right and wrong where the learner is. Else one that explains that question alone, and is said to: the only
    one that was not ruled out by a right answer before it. Twins are named together. Numbers may agree by chance: what
    does not agree on every question needs more evidence, such as that the answer's text has what it writes.
    What NumPy was heard to say on the way to other answers is no evidence: np.errstate silences any idea.
    """
    telling = most_telling(questions)
    if telling is None:
        return None
    agree = [m for m in expected.misconceptions_of(ex) if _answered_like(m, ex, telling, seed)]
    evident = [q for q in questions if q is telling or not q.probe.listens]
    for asked, found in product((questions, evident), agree):
        if all(_answered_like(found, ex, q, seed) for q in asked):
            return found
    evidence = _Evidence(ex, telling, seed, written)
    rivals = [m for m in agree if not any(_is_otherwise(m, ex, q, seed) for q in evident if q is not telling)]
    if rivals:
        return _the_only_one([m for m in rivals if evidence.is_there(m)])
    agree = [m for m in agree if evidence.is_strong(m)]
    before = list(takewhile(lambda q: q is not telling, evident))
    rivals = [m for m in agree if not any(_is_ruled_out(m, ex, q, seed) for q in before)]
    found = _the_only_one(rivals if len(agree) > 1 else agree)
    return in_part(found) if found else None


class _Evidence:
    """What speaks for a misconception that does not agree on every question, beside the answer that is shown."""

    def __init__(self, ex, question, seed, written):
        self._ex, self._question, self._seed, self._written = ex, question, seed, written
        differs = isinstance(question.wrong, Difference)
        self._numbers = numbers_in(question.got.answers.get(question.wrong.name)) if differs else None

    def is_there(self, idea):
        """Is it more than a few whole numbers, which agree by chance?"""
        return self._numbers is None or self._has_decimals() or self._is_written(idea)

    def is_strong(self, idea):
        """Is it what no chance gives, though another answer speaks against it?"""
        return self._is_written(idea) or (self._has_decimals() and self._is_drawn())

    def _has_decimals(self):
        return any(isfinite(x) and x % 1 for x in self._numbers or ())

    def _is_drawn(self):
        return self._question.probe.name not in known_beforehand(self._ex.id, self._seed)

    def _is_written(self, idea):
        return self._written.has_all(expected.signs_of(self._ex, idea))


def _the_only_one(ideas):
    """The only misconception, or twins as one; None where nobody knows which of several is meant."""
    if len(ideas) > 1 and all(answer_alike(*two) for two in combinations(ideas, 2)):
        return either(ideas)
    return ideas[0] if len(ideas) == 1 else None


def idea_named(ex, name):
    """The misconception of this exercise that has this name, or those of which any may be meant; or None."""
    names = name.removeprefix(IN_PART).split(EITHER)
    ideas = [idea for idea in expected.misconceptions_of(ex) if idea.name in names]
    found = either(ideas) if ideas else None
    return in_part(found) if found and name.startswith(IN_PART) else found


def _is_otherwise(misconception, ex, question, seed):
    """Is this question answered rightly by the learner and wrongly under the misconception, or the other way round?

    Where the learner's answer cannot be compared, nothing is known.
    """
    if not isinstance(question.got, Outcome) or (question.stop and question.stop.stub):
        return False
    return bool(question.wrong) != _fails(misconception, ex, question, seed)


def _is_ruled_out(misconception, ex, question, seed):
    """Was a question answered rightly that this misconception would have failed?"""
    return not question.wrong and _fails(misconception, ex, question, seed)


def _fails(misconception, ex, question, seed):
    answers = expected.misconceived(ex, misconception, question.probe, seed)
    return not _may_be_any(question, answers) and bool(Question(question.probe, answers, question.expected).wrong)


def _answered_like(misconception, ex, question, seed):
    """Is a question answered as under this misconception? Where it has no answers, any right one will do."""
    answers = expected.misconceived(ex, misconception, question.probe, seed)
    any_right_one = not question.wrong and _may_be_any(question, answers)
    return any_right_one or alike(question.got, answers, question.probe.rtol)


def _may_be_any(question, answers):
    """Are these answers untold, since any right one will do?"""
    return question.probe.secret and answers.answers == drawn_in(answers.answers)


# (what Python says since 3.14, what it said before). Recorded answers and a learner may come from different ones.
NEWER_WORDS = (
    ("division by zero", "float division by zero"),
    ("zero to a negative power", "0.0 cannot be raised to a negative power"),
    (r"(too many values to unpack \(expected \d), got \d+\)", r"\1)"),
    (r"expected a (?:positive|nonnegative) input(?:, got [-.\w]*\w)?", "math domain error"),
)
_WHERE = re.compile(r"[\w.<>]*<locals>\.")  # in which function something was defined tells no answer from another


def _words(stopped):
    for newer, older in NEWER_WORDS:
        if same := re.fullmatch(newer, stopped.message):
            return same.expand(older)
    return _WHERE.sub("", stopped.message)


def alike(got, answers, rtol=None):
    """Did two packages answer a question in the same way? An exception is alike if type and words are."""
    if not isinstance(got, Outcome):
        return False
    mine, other = got.answers, answers.answers
    if isinstance(mine, dict) and isinstance(other, dict):
        return difference(other, mine, rtol) is None and difference(mine, other, rtol) is None
    if not (isinstance(mine, Stopped) and isinstance(other, Stopped)):
        return False
    same_words = _words(mine) == _words(other) or mine.type == "RecursionError"  # its words depend on the depth
    return same_words and (mine.type, mine.stub) == (other.type, other.stub)
