"""The comparisons of exercises see whatever a learner's process sends: odd answers get words, never a crash."""

import io
import json
import struct

import numpy as np
import pytest

from grader.asking.wire import Other, WireError, read_frame, through_the_wire
from grader.checking.expected import reference_answers
from grader.course import catalogue
from grader.course.exercise import DidNotRaise, Raised

ODD = [
    None, True, 0, -1, 3.5, float("nan"), float("inf"), "", "text", [], [[]], [1, 2], ["a", None], [[1], 2],
    [["leaf", "a", 2.0], ["+", 0, 5]], [["leaf"]], [[["x"]]], [["+", True, False]], {}, {"a": None}, {"a": [1]},
    np.zeros(0), np.ones((2, 3)), np.array(1), Other("Value", "Value(1)"), DidNotRaise(3),
    Raised("KeyError", ("KeyError",), "no", "", True),
]  # fmt: skip
COMPARED = [(ex.id, probe.name) for ex in catalogue.all_exercises() for probe in ex.probes if probe.compare]


@pytest.mark.parametrize(("id", "name"), COMPARED)
def test_an_odd_answer_is_wrong_in_words(id, name):
    ex = catalogue.exercise(id)
    probe = next(probe for probe in ex.probes if probe.name == name)
    expected = reference_answers([ex], 0)[id][name].answers
    keys = [key for key in expected if key != "asked"]
    for odd in ODD:
        got = through_the_wire(dict.fromkeys(keys, odd))
        words = probe.compare(expected, got)
        assert isinstance(words, str) and words, (odd, words)
    assert isinstance(probe.compare(expected, {}), str)


@pytest.mark.parametrize(("id", "name"), COMPARED)
def test_the_references_answer_is_right(id, name):
    ex = catalogue.exercise(id)
    probe = next(probe for probe in ex.probes if probe.name == name)
    expected = reference_answers([ex], 0)[id][name].answers
    assert probe.compare(expected, expected) is None


# Arrays that NumPy could make, but no answer is made of: objects, records, texts, more digits; and odd shapes.
ODD_ARRAYS = [
    *({"dtype": dtype, "shape": [1]} for dtype in ("|O8", "<f8,<f8", "f8", "<f16", "<c16", "|S8", "<U2", "<M8", "|V8")),
    *({"dtype": "<f8", "shape": shape} for shape in ([1] * 65, [-1], [-1, -1], [2], [1 << 61, 8], "1", [[1]], None)),
    *({"dtype": dtype, "shape": [1]} for dtype in (None, 5, "", ["<f8"])),
]


def framed(array):
    header, body = json.dumps({"k": "array", **array}).encode(), bytes(8)
    return io.BytesIO(struct.pack(">II", len(header), len(body)) + header + body)


@pytest.mark.parametrize("array", ODD_ARRAYS, ids=str)
def test_an_array_of_another_kind_is_no_frame(array):
    assert read_frame(framed({"dtype": "<f8", "shape": [1]})).tolist() == [0.0]
    with pytest.raises(WireError):
        read_frame(framed(array))
