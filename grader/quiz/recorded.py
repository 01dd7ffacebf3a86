"""Questions of the quiz as a release has recorded them: some draws of each, with their answers. No code is run."""

import json
from functools import cache
from random import Random

from ..course.paths import EXPECTED
from ..course.usage import UsageError
from .asked import Asked, Entry

FILE = "quiz.json"
DRAWS = 12


def entries_of(number):
    """The Entries about a notebook, in order."""
    fields = ("section", "mark", "ideas", "exercises")
    ideas = {id: tuple(map(tuple, each["ideas"])) for id, each in _questions().items()}
    found = (
        Entry(id, **{name: each[name] for name in fields} | {"ideas": ideas[id]}) for id, each in _questions().items()
    )
    return tuple(entry for entry in found if entry.number == number)


def drawn(entry, seed):
    """The Asked of an Entry: the draw that this seed, a text, chooses."""
    data = Random(f"{seed} {entry.id}").choice(_questions()[entry.id]["draws"])
    return Asked.from_data({"id": entry.id, "section": entry.section, **data})


def as_data(entry, draws):
    """What is recorded of an Entry and of some of its Asked."""
    said = [{name: x for name, x in asked.as_data().items() if name not in ("id", "section")} for asked in draws]
    about = {"section": entry.section, "mark": entry.mark, "ideas": entry.ideas, "exercises": entry.exercises}
    return {**about, "draws": said}


@cache
def _questions():
    try:
        return json.loads((EXPECTED / FILE).read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except (OSError, ValueError) as error:
        raise UsageError(
            f"The recorded questions of the quiz cannot be read ({error}). Unpack the course again, or bring it in "
            "with update: your answers stay."
        ) from None
