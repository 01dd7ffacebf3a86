"""A script: is every wrong idea about 02 and 03 found and named where there is no NumPy?

python without_numpy.py FOLDER: asked of the code in solutions/, and compared once with that and once with what the
student edition in FOLDER recorded for its own draw. Writes what went wrong, as JSON.
"""
# ruff: noqa: E402

import json
import sys
from pathlib import Path

sys.modules["numpy"] = None  # from here on, importing it fails
sys.path.insert(0, str(Path(__file__).resolve().parents[3]))

from grader.asking.draws import as_in_an_edition
from grader.checking import judging, recorded, reference
from grader.checking.question import Question
from grader.checking.verdict import judge
from grader.course import catalogue
from grader.course.packages import reference_with
from grader.course.settings import Settings

EXERCISES = [ex for number in ("02", "03") for ex in catalogue.exercises_of(number)]


def answers():
    """(exercise, misconception, its answers) of all; None and the answers of the reference among them."""
    for ex in EXERCISES:
        yield ex, None, reference.answers_of(reference.reference(), ex, ex.probes, 0)
        for misconception in catalogue.misconceptions_of(ex):
            with reference_with(misconception) as package:
                yield ex, misconception, reference.answers_of(package, ex, ex.probes, 0)


def complaints(asked):
    """What is not as it should be, judging by what judging.expected knows."""
    for ex, misconception, outcomes in asked:
        right = judging.expected.reference_answers([ex], 0)[ex.id]
        questions = [Question(p, outcomes[p.name], right[p.name]) for p in ex.probes]
        verdict = judge(ex, questions, "changed", judging.matching_misconception(ex, questions, 0))
        name, words = (misconception.name, misconception.words) if misconception else (None, "")
        named = verdict.misconception == name and (not words or words in verdict.lines)
        if not named or (verdict.status == "passed") != (misconception is None):
            yield [ex.id, name, verdict.status, verdict.misconception]


def main(edition):
    found = list(complaints(answers()))
    recorded.EXPECTED = Path(edition, "tests", "exercises", "expected")
    with as_in_an_edition(Settings.read(Path(edition)).draw):
        asked = list(answers())
        for name in ("misconceived", "misconceptions_of", "reference_answers"):
            setattr(judging.expected, name, getattr(recorded, name))
        print(json.dumps({"asked": len(asked), "complaints": found, "recorded": list(complaints(asked))}))


if __name__ == "__main__":
    main(*sys.argv[1:])
