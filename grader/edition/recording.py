"""Records what a check compares with: the draws of the probes, what the reference answers, what wrong ideas answer."""

import json
import re
from dataclasses import replace

from ..asking.answers import NOT_COMPARED, Hashed, drawn_in
from ..asking.draws import SEED
from ..asking.files import Writer
from ..asking.outcome import Other, Outcome, Stopped
from ..asking.recorded_draws import inputs_file, noted
from ..checking import reference
from ..checking.recorded import answers_file
from ..course import catalogue
from ..course.packages import COPY, reference_with
from ..quiz import bank, live
from ..quiz.recorded import DRAWS, FILE, as_data


def record(numbers, folder, tell=lambda number: None):
    """Write the files of these notebooks into the folder.  tell(number) is called for each, and at the end with ""."""
    folder.mkdir(parents=True)
    for number in numbers:
        tell(number)
        exercises = catalogue.exercises_of(number)
        with noted() as draws:
            right = {ex.id: reference.answers_of(reference.reference(), ex, ex.probes, SEED) for ex in exercises}
        _write_inputs(inputs_file(folder, number), draws)
        with noted():  # large draws must be the same here
            _Answers(right).write(answers_file(folder, number), exercises)
    record_quiz(numbers, folder)
    tell("")


def record_quiz(numbers, folder):
    """Write the questions of the quiz about these notebooks: some draws of each, with their answers."""
    questions = {id: as_data(entry, live.different(entry, DRAWS)) for id, entry in bank.entries(numbers).items()}
    (folder / FILE).write_text(json.dumps(questions, ensure_ascii=False) + "\n", encoding="utf-8")


def _write_inputs(path, draws):
    """Of light exercises nothing was noted: what Python draws is the same everywhere."""
    if not draws:
        return
    writer, content = Writer(), {}
    for (id, probe), streams in draws.items():
        content.setdefault(id, {})[probe] = writer.packed(streams)
    writer.save(path, content)


class _Answers:
    """Outcomes, each kept once however many give it."""

    def __init__(self, right):
        self._right, self._writer, self._places = right, Writer(), {}

    def write(self, path, exercises):
        content = {
            "right": {ex.id: self._all_places(needed(ex, self._right[ex.id])) for ex in exercises},
            "known": {ex.id: reference.known_beforehand(ex, SEED) for ex in exercises},
            "wrong": {ex.id: [self._wrong(ex, m) for m in reference.misconceptions_of(ex)] for ex in exercises},
        }
        self._writer.save(path, content | {"outcomes": [json.loads(text) for text in self._places]})

    def _all_places(self, outcomes):
        return {probe: self._place(_bare(outcome)) for probe, outcome in outcomes.items()}

    def _wrong(self, ex, misconception):
        """A misconception: its words, and its answers where they are not the right ones."""
        with reference_with(misconception) as package:  # one for all questions, as a learner's process has one
            outcomes = reference.answers_of(package, ex, ex.probes, SEED)
        answers = {name: compared(outcome) for name, outcome in outcomes.items()}
        differing = {n: x for n, x in answers.items() if self._text(x) != self._text(compared(self._right[ex.id][n]))}
        differing, m = hashed(ex, differing), misconception
        said = {"name": m.name, "words": m.words, "stuck": m.stuck, "same_as": list(m.same_as)}
        said["signs"] = reference.signs_of(ex, misconception)
        return said | {"answers": self._all_places(differing)}

    def _place(self, outcome):
        return self._places.setdefault(self._text(outcome), len(self._places))

    def _text(self, outcome):
        return json.dumps(self._writer.packed(outcome))


def needed(ex, outcomes):
    """The right answers without the secret ones: nobody is shown how the reference solves a bug hunt."""
    secret = {p.name for p in ex.probes if p.secret}
    return hashed(ex, {name: _untold(outcome) if name in secret else outcome for name, outcome in outcomes.items()})


def _untold(outcome):
    """Any right answer: the comparison looks at what was drawn and at the learner's answer alone."""
    return Outcome(drawn_in(outcome.answers))


def hashed(ex, outcomes):
    """The outcomes of an exercise that is solved by hand, so that its numbers can be tried and not read."""
    if not ex.hashed:
        return outcomes
    return {
        probe: Outcome({name: _hashed(f"{ex.id} {name}", x) for name, x in outcome.answers.items()})
        for probe, outcome in outcomes.items()
    }


def _hashed(salt, x):
    return Hashed.of(salt, x) if isinstance(x, (int, float)) else x


def _bare(outcome):
    """Drops what no check needs: the graph, what was printed, the frames of an exception."""
    answers = outcome.answers
    if isinstance(answers, Stopped):
        return Outcome(replace(answers, frames=()))
    return Outcome({name: _plain(x) for name, x in answers.items() if name != "graph"})


def compared(outcome):
    """Only what two answers are compared by."""
    answers = _bare(outcome).answers
    if isinstance(answers, Stopped):
        message = "" if answers.type == "RecursionError" else answers.message  # its words depend on the depth
        return Outcome(Stopped(answers.type, message, stub=answers.stub))
    return Outcome({name: x for name, x in answers.items() if name not in NOT_COMPARED})


def _plain(x):
    """Names of private copies are not part of an answer."""
    if isinstance(x, Other):
        return Other(x.type, re.sub(rf"{COPY}\d+", "babygrad", x.text))
    return x
