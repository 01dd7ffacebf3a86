"""Attacks on inputs and numbers: drawn by somebody else, learnt by heart, found without a rule."""

import base64
import textwrap
import zlib
from functools import cache

from attack import Attack, at_end, at_top, into, with_answer
from nudging import NUDGING

from grader.asking.draws import SEED as PUBLISHED
from grader.asking.outcome import Outcome
from grader.asking.wire import framed
from grader.checking.expected import reference_answers
from grader.course import catalogue

# ---- inputs: they are drawn beside the submission, which can draw what it likes. The grader draws its own. ----

DRAWS = {
    "zeros": ("Every draw is zero, so that a trivial rule is right.", "return np.zeros(size) if size else 0.0"),
    "ones": ("Every draw is one.", "return np.ones(size) if size else 1.0"),
    "the_same": ("Every draw is the same as every other.", "return np.random.RandomState(0).normal(size=size)"),
    "raises": ("Drawing raises what the questions expect to be raised.", "raise ValueError"),
}
FAKE = """
import contextlib
import sys

import numpy as np


class Fake:
    def __getattr__(self, name):
        return self._draw

    def integers(self, low, high=None, size=None, **more):
        return np.full(size, low) if size else low

    def permutation(self, x):
        return np.asarray(x)

    def _draw(self, *args, size=None, **more):
        size = size or next((x for x in args if isinstance(x, tuple)), None)
        {draw}


np.random.default_rng = lambda *args, **more: Fake()
np.random.Generator = Fake
for name in ("ask", "draws", "recorded_draws"):
    if module := sys.modules.get("grader.asking." + name):
        module.Generator = module.generator = lambda *args, **more: contextlib.nullcontext(Fake())
"""
TRIVIAL = (
    ("warmup.py", into("0.1", "return 0.0")),
    ("warmup.py", into("0.2", "return [0] * len(points)")),
    ("derivatives.py", into("1.2", "return np.zeros(x.shape)")),
    ("derivatives.py", into("1.3", "return a * 0, b * 0, w * 0")),
    ("layers.py", into("10.1", "return np.zeros((len(self.weight), self.bias.shape[-1]))")),
    ("optim.py", into("12.1", "return p.data")),
)

for name, (does, draw) in DRAWS.items():
    fake = FAKE.format(draw=draw)
    Attack(
        name=f"input_drawn_{name}",
        does=does,
        edits=(*TRIVIAL, *((file, at_top(fake)) for file in ("warmup.py", "derivatives.py", "layers.py", "optim.py"))),
        honest=("2.1",),
        nothing=("0.1", "0.2", "1.2", "1.3", "10.1", "12.1"),
    )

Attack(
    name="input_drawn_low",
    does="Every draw of a light question is the lowest that there may be, and the products of these are known.",
    edits=(
        ("value.py", at_top("""
            import sys

            sys.modules["grader.asking.draws"].Draws.uniform = lambda self, low, high: low
            """)),
        ("value.py", into("2.1", """
            known = {(1.2, -2.2): -2.64, (3.0, 3.0): 9.0, (-2.0, 10.0): -20.0, (0.0, 7.0): 0.0}
            numbers = self.data, other.data
            return Value(known.get(numbers, 0.0), (self, other), "*", numbers[::-1])
            """)),
    ),
    honest=("1.2",),
    nothing=("2.1",),
)  # fmt: skip
Attack(
    name="input_forgotten_seed",
    does="The seed is changed to the one whose answers are published, and those are handed back.",
    edits=(
        ("warmup.py", at_top("""
            import sys

            asking = sys.modules["grader.asking.ask"]
            real = asking.ask
            asking.ask = lambda package, ex, probe, seed, **more: real(package, ex, probe, 0, **more)
            """)),
        ("warmup.py", into("0.1", "return {(2, 2): 4, (3, 5): 15, (0, 7): 0}.get((width, height), 0)")),
    ),
    honest=("1.2",),
    nothing=("0.1",),
)  # fmt: skip

# ---- answers that were learnt by heart ----

LEARNT = (
    *("0.1", "0.2", "1.1", "1.2", "1.3", "2.1", "2.7", "3.4", "4.1", "5.4", "6.2", "6.9", "7.3", "8.1", "9.2"),
    *("10.1", "10.6", "11.4", "12.1", "3.3", "4.5", "9.3", "11.3"),
    *("0.3", "2.2", "4.7", "5.2", "6.10", "7.7", "10.12", "11.9", "12.10", "14.7"),  # hunts, and by hand
)
REPLAY = """
import base64
import os
import zlib

data = zlib.decompress(base64.b85decode({packed!r}))
while data:
    data = data[os.write(4, data):]
os._exit(0)
"""


@cache
def recorded_frames():
    """The frames of a process that answers every question as the recorded numbers of the student edition say."""
    frames = []
    for id in LEARNT:
        frames.append({"begin": id, "importing": ""})
        for name, outcome in reference_answers([catalogue.exercise(id)], PUBLISHED)[id].items():
            frames += [
                {"begin": id, "probe": name},
                {"exercise": id, "probe": name, "outcome": Outcome(outcome.answers)},
            ]
    data = b"".join(map(framed, [*frames, {"done": True}]))
    return base64.b85encode(zlib.compress(data)).decode()


def replayed(text):
    return at_top(REPLAY.format(packed=recorded_frames()))(text)


def replayed_by(file):
    """The edits that make every region of the file look begun, and replay when it is imported."""
    begun = [(file, into(ex.id, "return None")) for ex in map(catalogue.exercise, LEARNT) if ex.file == file]
    return (*begun, (file, replayed))


Attack(
    name="learnt_all_recorded_numbers",
    does="The recorded answers of the student edition are sent, all of them, before the first question is asked.",
    edits=tuple(edit for file in {catalogue.exercise(id).file: 0 for id in LEARNT} for edit in replayed_by(file)),
    nothing=LEARNT,
    by_heart=True,
)
Attack(
    name="learnt_by_the_inputs",
    does="A table holds the answers to all questions whose inputs are known.",
    edits=(
        ("warmup.py", into("0.1", "return {(2, 2): 4, (3, 5): 15, (0, 7): 0}.get((width, height), 0)")),
        ("derivatives.py", into("1.3", """
            known = {54.0: ([12.0, 10.0], [6.0, 6.0], [8.0, 15.0])}
            return tuple(map(np.array, known.get(float(np.sum(a * b * w)), (a * 0, b * 0, w * 0))))
            """)),
        ("value.py", into("2.1", "return Value({6.0: 6.0, -6.0: -6.0}.get(self.data * 1.0, 0.0), (self, other), '*')")),
    ),
    honest=("1.2",),
    nothing=("0.1", "1.3", "2.1"),
)  # fmt: skip

# ---- answers that are found without a rule ----

MIMICRY = {
    "first": ("Every answer is the first thing that was given.", "return list(locals().values())[0]"),
    "last": ("Every answer is the last thing that was given.", "return list(locals().values())[-1]"),
    "none": ("Nothing is returned, anywhere.", "return None"),
    "zero": ("Every answer is zero.", "return 0.0"),
    "complaint": ("Every answer is a ValueError that names all that was given.", "raise ValueError(str(locals()))"),
}
MIMICKED = ("0.2", "1.1", "1.3", "2.4", "5.4", "6.2", "7.2", "8.1", "9.2", "10.1", "10.8", "11.4", "12.2")

for name, (does, code) in MIMICRY.items():
    Attack(
        name=f"mimicry_{name}",
        does=does,
        edits=tuple((catalogue.exercise(id).file, into(id, code)) for id in MIMICKED),
        nothing=MIMICKED,
    )

NUDGED = NUDGING.replace("h=1e-6", "h=2.0**-13")  # a power of two: hardly anything is rounded
BEFORE = ("5.3", "7.1", "7.2", "7.3", "7.4", "7.6")


def given(*ids):
    """Edits that fill in what an exercise builds on."""
    return tuple((catalogue.exercise(id).file, with_answer(id)) for id in ids)


Attack(
    name="finite_differences",
    does="The gradients of a product of matrices are found by nudging every number.",
    edits=(
        *given(*BEFORE, "8.1"),
        ("ops/matrix.py", at_end(textwrap.dedent(NUDGED) + """
def matrix_gradients(out_grad, a, b):
    return nudged_shares(MatMul(), out_grad, (a, b))
""")),
    ),
    nothing=("8.1",),
    statuses=("timeout",),
)  # fmt: skip
