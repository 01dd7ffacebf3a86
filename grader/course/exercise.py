"""What an exercise is: data, the questions that it asks, and named wrong ideas about it."""

from dataclasses import dataclass, field, replace

from .tracks import CORE


@dataclass(frozen=True)
class Notebook:
    """One numbered notebook and the learner's files that belong to it.

    track: EVENING, CORE or STRETCH, where its sections lie that say nothing else (tracks.py).
    """

    number: str
    slug: str
    title: str
    files: tuple
    track: str = CORE

    @property
    def name(self):
        return f"{self.number}_{self.slug}"


@dataclass
class Exercise:
    """One thing to fill in.

    id: such as "2.1".  file: the learner's file that holds its region.
    points; difficulty from 1 to 4; needs: ids of exercises it builds on;
    hints: three texts, from the idea to almost the code; stuck: a section of docs/stuck.md.
    hashed: its answers are numbers found by hand, the same for everybody: the student edition does not hold them.
    track: EVENING, CORE or STRETCH, on which tracks through the course it lies (tracks.py).
    """

    id: str
    title: str
    file: str
    points: int
    difficulty: int
    hints: list
    needs: tuple = ()
    stuck: str = ""
    hashed: bool = False
    track: str = CORE
    probes: list = field(default_factory=list)
    misconceptions: list = field(default_factory=list)

    @property
    def notebook(self):
        """The number of its notebook, two digits."""
        return f"{int(self.id.split('.')[0]):02}"


@dataclass(frozen=True)
class OtherAnswer:
    """A right answer in another style.  edit: of the reference's answer; or patch(package): for a copy of it."""

    name: str
    edit: object = None
    patch: object = None


@dataclass(frozen=True)
class Misconception:
    """One wrong implementation, and words that help.

    edit: of the reference's answer; where it cannot be one, patch(package) changes a private copy of the reference.
    same_as: {name of another of the same exercise: why nobody could tell the two apart where a message shows them}; of
    those recorded for a student edition the names alone.
    """

    name: str
    words: str
    patch: object = None
    stuck: str = ""
    same_as: dict = field(default_factory=dict)
    edit: object = None


def wrong(exercise, name, words, stuck="", same_as=()):
    """Register the decorated patch function as a misconception of the exercise.  same_as: one of the two says it."""

    def register(patch):
        exercise.misconceptions.append(Misconception(name, words, patch, stuck, dict(same_as)))
        return patch

    return register


def answer_alike(one, other):
    """Was it said of two Misconceptions that they cannot be told apart?"""
    return other.name in one.same_as or one.name in other.same_as


EITHER = " or else "  # between the names of ideas that answered alike


def either(ideas):
    """One Misconception in place of several, of which any may be the learner's."""
    words = " Or: ".join(idea.words for idea in ideas)
    return Misconception(EITHER.join(idea.name for idea in ideas), words, stuck=ideas[0].stuck)


def is_one(idea):
    """Is it a Misconception that explains all answers, and not one of several?"""
    return idea is not None and EITHER not in idea.name and not idea.name.startswith(IN_PART)


IN_PART = "in part: "  # before the name of an idea that one answer fits, and others do not


def in_part(idea):
    """A Misconception for somebody whose other answers rule it out: it is one way to get the answer that is shown."""
    words = f"This would explain the answer above, but not all of your others: {idea.words}"
    return replace(idea, name=IN_PART + idea.name, words=words)
