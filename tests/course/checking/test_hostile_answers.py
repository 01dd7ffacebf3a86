"""The comparisons of exercises see whatever a learner's process sends: odd answers get words, never a crash."""

import io
import json
import struct

import numpy as np
import pytest

from grader.asking.answers import DidNotRaise, Form, Hashed, Raised
from grader.asking.encoding import DEPTH_LIMIT
from grader.asking.outcome import Other
from grader.asking.wire import WireError, read_frame, through_the_wire
from grader.checking.expected import reference_answers
from grader.course import catalogue

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
    for odd in (x for x in ODD if id != "0.3" or str(x) != "[1, 2]"):  # there, it is a fair answer
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
    for odd in ODD:
        assert probe.compare(expected, through_the_wire({**expected, "asked": odd})) is None, odd


def framed(value):
    header, body = json.dumps(value).encode(), bytes(8)
    return io.BytesIO(struct.pack(">II", len(header), len(body)) + header + body)


# Arrays that NumPy could make, but no answer is made of: objects, records, texts, more digits; and odd shapes.
ODD_ARRAYS = [
    *([dtype, [1]] for dtype in ("|O8", "<f8,<f8", "f8", "<f16", "<c16", "|S8", "<U2", "<M8", "|V8")),
    *(["<f8", shape] for shape in ([1] * 65, [-1], [-1, -1], [2], [1 << 61, 8], "1", [[1]], None, [1.0], ["1"])),
    *([dtype, [1]] for dtype in (None, 5, "", ["<f8"])), [], ["<f8"], ["<f8", [1], 0], None, "<f8", {"<f8": [1]},
]  # fmt: skip


@pytest.mark.parametrize("array", ODD_ARRAYS, ids=str)
def test_an_array_of_another_kind_is_no_frame(array):
    assert read_frame(framed({"a": ["<f8", [1]]})).tolist() == [0.0]
    with pytest.raises(WireError):
        read_frame(framed({"a": array}))


SIX = Hashed.of("2.2 t1", 6)
ODD_VALUES = [
    {}, {"k": "plain", "v": 1}, {"d": [], "a": []}, {"x": 1}, {"f": "1.0"}, {"f": 1}, {"f": ["nan"]}, {"d": {"a": 1}},
    {"d": [["a"]]}, {"d": [[1, 2]]}, {"d": [[["a"], 2]]}, {"d": "ab"}, [0] * 10_001,
    {"d": [["a", 1]] * 10_001},
    1 << 1000, {"r": ["Form"]}, {"r": ["Form", {}]}, {"r": ["Form", {"words": 1}]}, {"r": ["Exercise", {}]},
    {"r": [["Form"], {"words": ""}]}, {"r": ["Stopped", {"type": "a", "message": "b"}]}, {"r": ["Hashed", vars(SIX)]},
    {"r": ["Raised", {"type": "a", "bases": [1], "message": "", "naming": "", "names_it": True}]},
]  # fmt: skip


@pytest.mark.parametrize("value", ODD_VALUES, ids=lambda value: str(value)[:60])
def test_a_value_that_would_not_have_been_written_is_no_frame(value):
    assert read_frame(framed([{"d": [["a", {"f": "-inf"}]]}, {"r": ["Form", {"words": "b"}]}]))[1] == Form("b")
    for sent in (value, [value], {"d": [["a", value]]}):
        with pytest.raises(WireError):
            read_frame(framed(sent))


@pytest.mark.parametrize("layers", [DEPTH_LIMIT, 300, 50_000])
@pytest.mark.parametrize(("opening", "closing"), [("[", "]"), ('{"d": [["a", ', "]]}")], ids=["lists", "dicts"])
def test_lists_in_lists_without_end_are_no_frame(opening, closing, layers):
    def nested(layers):
        header = (opening * layers + "1" + closing * layers).encode()
        return io.BytesIO(struct.pack(">II", len(header), 0) + header)

    assert read_frame(nested(DEPTH_LIMIT - 1))
    with pytest.raises(WireError):
        read_frame(nested(layers + 1))


def test_a_hashed_number_cannot_be_sent():
    """The student edition holds its digest: whoever sends that does not know the number."""
    assert isinstance(through_the_wire({"t1": SIX})["t1"], Other)


def test_what_cannot_be_sent_arrives_as_something_else():
    class Odd:
        def __repr__(self):
            raise ValueError

    sent = [Odd(), {1, 2}, 1 << 1000, [0] * 10_001, [[[[[[[[0]]]]]]]], np.array([None]), np.longdouble(1), range(3)]
    assert [type(x) for x in through_the_wire(sent)] == [Other, Other, Other, Other, list, Other, Other, Other]
    deep = through_the_wire(sent)[4]
    while isinstance(deep, list):
        (deep,) = deep
    assert isinstance(deep, Other)


def test_numbers_of_other_classes_arrive_as_pythons_own():
    class Mine(float): ...

    sent = [Mine(2), np.float64(2), np.float32(0.5), np.int8(3), np.bool_(True), np.float64("nan"), 1 << 999]
    back = through_the_wire(sent)
    assert repr(back) == repr([2.0, 2.0, 0.5, 3, True, float("nan"), 1 << 999])
    assert [type(x) for x in back] == [float, float, float, int, bool, float, int]
