"""What the student edition records: draws that are played back, and values in JSON and npz."""

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from grader.asking import draws, recorded_draws
from grader.asking.answers import DidNotRaise, Form, Hashed, Raised
from grader.asking.files import Reader, Writer
from grader.asking.outcome import Other, Outcome, Stopped
from grader.asking.wire import through_the_wire
from grader.checking import recorded
from grader.checking.expected import misconceived, reference_answers
from grader.checking.judging import known_beforehand
from grader.checking.question import Question
from grader.checking.verdict import judge
from grader.course import catalogue
from grader.course.usage import UsageError
from grader.edition.recording import needed
from grader.marking import compare
from grader.probes import node_orders

plain = st.none() | st.booleans() | st.integers(-(2**80), 2**80) | st.floats() | st.text()
arrays = hnp.arrays(
    st.sampled_from(["<f8", "<f4", "<i8", "<u1", "|b1"]), hnp.array_shapes(min_dims=0, max_dims=3, min_side=0)
)
values = st.recursive(
    plain | arrays, lambda x: st.lists(x, max_size=4) | st.dictionaries(st.text(), x, max_size=4), max_leaves=8
)


def there_and_back(folder, *packed):
    writer = Writer()
    writer.save(folder / "file", {"values": [writer.packed(x) for x in packed]})
    reader = Reader(folder / "file")
    return [reader.unpacked(x) for x in reader.content["values"]]


def same(a, b):
    if isinstance(a, np.ndarray):
        return type(b) is np.ndarray and a.dtype == b.dtype and a.shape == b.shape and a.tobytes() == b.tobytes()
    if isinstance(a, dict):
        return list(a) == list(b) and all(same(a[k], b[k]) for k in a)
    if isinstance(a, list):
        return len(a) == len(b) and all(map(same, a, b))
    return type(a) is type(b) and (a == b or (a != a and b != b))


@given(values)
def test_values_come_back_as_they_were(tmp_path_factory, value):
    assert same(there_and_back(tmp_path_factory.mktemp("records"), value)[0], value)


RECORDS = [
    Raised("ValueError", ("ValueError", "Exception"), "no", "x", True),
    DidNotRaise(np.arange(3.0)),
    Form("a list of 4"),
    Other("Value", "Value(3)"),
    Stopped("TypeError", "no", stub="2.1"),
]


@pytest.mark.parametrize("record", RECORDS, ids=lambda record: type(record).__name__)
def test_records_come_back_as_over_a_pipe(record, tmp_path):
    outcome = through_the_wire(Outcome({"answer": record} if not isinstance(record, Stopped) else record))
    (back,) = there_and_back(tmp_path, outcome)
    assert repr(back) == repr(outcome)


def test_equal_arrays_are_kept_once(tmp_path):
    big = np.random.default_rng(0).normal(size=5000)
    there_and_back(tmp_path, *[big.copy() for _ in range(20)])
    assert (tmp_path / "file.npz").stat().st_size < 1.1 * big.nbytes


def test_where_there_are_no_arrays_there_is_no_npz(tmp_path):
    values = [1, -0.0, 2.5, float("nan"), float("-inf"), "text", None, True, {"a": [1, {"b": [0.1]}]}]
    assert same(there_and_back(tmp_path, *values), values)
    assert [path.name for path in tmp_path.iterdir()] == ["file.json"]
    json.loads((tmp_path / "file.json").read_text(), parse_constant=pytest.fail)  # no NaN, which JSON does not know


def test_a_long_order_is_short():
    class Node: ...

    nodes = [Node() for _ in range(100_000)]
    for order in (list, reversed, lambda nodes: nodes[::2] + nodes[1::2]):
        answer = node_orders.in_numbers(lambda _, order=order: list(order(nodes)), nodes)
        assert answer["how many"] == 100_000 and len(json.dumps(answer)) < 100
    shuffled = node_orders.in_numbers(lambda _: nodes[::-3] + nodes[50_000:], nodes)
    assert len(shuffled["runs"]) == 2
    odd = [nodes[place * place % 99_991] for place in range(100_000)]
    assert len(node_orders.in_numbers(lambda _: odd, nodes)["runs"]) == node_orders.MOST_RUNS


# Draws


def seven_draws(rng):
    return [
        rng.normal(size=(2, 3)),
        rng.uniform(-1, 1),
        rng.integers(0, 10, 4),
        rng.permutation(5),
        np.random.default_rng(7).normal(size=2),
        np.random.default_rng((7, 1)).normal(size=2),
        rng.choice(["a", "b", "c"]),
        rng.random(3),
    ]


def note(function):
    with recorded_draws.noted() as noted, draws.generator("6.1", "probe", 0) as rng:
        shown = function(rng)
    return shown, noted["6.1", "probe"]


@pytest.fixture
def playing(monkeypatch):
    """Plays a stream in the place of the recorded ones."""
    return lambda stream: monkeypatch.setattr(recorded_draws, "_recorded", lambda exercise: {"probe": stream})


def play(function, seed=0):
    with draws.generator("6.1", "probe", seed) as rng:
        return function(rng)


def another_numpy(monkeypatch):
    """From here on, NumPy draws other numbers."""
    monkeypatch.setattr(np.random, "default_rng", lambda seed=None: np.random.Generator(np.random.MT19937(99)))


def test_recording_changes_no_draw():
    assert repr(note(seven_draws)[0]) == repr(play(seven_draws))


def test_a_probe_gets_the_recorded_draws_when_numpy_draws_others(playing, monkeypatch):
    shown, streams = note(seven_draws)
    another_numpy(monkeypatch)
    assert repr(play(seven_draws)) != repr(shown)
    playing(streams)
    assert repr(play(seven_draws)) == repr(shown)


def test_who_draws_differently_gets_real_draws_from_there_on(playing, monkeypatch):
    def differently(rng):
        return [rng.normal(size=(2, 3)), rng.normal(), rng.uniform(-1, 1)]

    _, streams = note(seven_draws)
    real = play(differently)
    playing(streams)
    assert repr(play(differently)) == repr(real)


def test_a_recorded_array_that_is_written_into_stays_as_it_was(playing):
    def spoil(rng):
        found = rng.normal(size=3)
        before, found[:] = found.copy(), 0
        return before

    shown, streams = note(spoil)
    playing(streams)
    assert (play(spoil) == shown).all() and (play(spoil) == shown).all()


def test_another_seed_is_not_played(playing):
    real = play(seven_draws, seed=1)
    playing(note(seven_draws)[1])
    assert repr(play(seven_draws, seed=1)) == repr(real)


def test_a_large_draw_takes_little_room_and_has_no_number_twice(playing, monkeypatch):
    shown, stream = note(lambda rng: rng.normal(size=(256, 256)))
    assert sum(np.size(drawn) for _, drawn in stream[""]) == recorded_draws.MOST_RECORDED
    assert len(np.unique(shown)) == shown.size
    another_numpy(monkeypatch)
    playing(stream)
    assert (play(lambda rng: rng.normal(size=(256, 256))) == shown).all()


def test_the_generator_is_one_of_numpys(playing):
    playing(note(seven_draws)[1])
    with draws.generator("6.1", "probe", 0) as rng:
        assert isinstance(rng, np.random.Generator)
        assert repr(rng).startswith("Generator(PCG64)")
        assert all(isinstance(child, np.random.Generator) for child in rng.spawn(2))
        rng.shuffle(numbers := list(range(5)))
        assert sorted(numbers) == list(range(5))


def test_afterwards_numpy_is_as_it_was():
    before = np.random.default_rng
    with pytest.raises(ZeroDivisionError):
        note(lambda rng: 1 / 0)
    assert np.random.default_rng is before


# Draws without NumPy


def light_draws(seed=0, probe="probe"):
    with draws.generator("2.1", probe, seed) as rng:
        return [rng.uniform(-1, 1), rng.integers(3, 7), rng.permutation(5), rng.random()]


def test_light_draws_are_the_same_everywhere():
    """Recorded answers rest on them."""
    assert light_draws() == [-0.19581866384087188, 3, [2, 0, 4, 3, 1], 0.7764947461218724]


def test_light_draws_depend_on_seed_and_question_and_are_not_recorded():
    assert len({repr(light_draws(seed, probe)) for seed in range(3) for probe in "ab"}) == 6
    with recorded_draws.noted() as noted:
        light_draws()
    assert noted == {}


def test_light_draws_lie_where_they_should():
    rng = draws.Draws("any")
    uniform = [rng.uniform(2, 3) for _ in range(2000)]
    assert 2 <= min(uniform) < 2.01 and 2.99 < max(uniform) < 3
    assert {rng.integers(-1, 3) for _ in range(200)} == {-1, 0, 1, 2}
    orders = [tuple(rng.permutation(3)) for _ in range(6000)]
    assert len(set(orders)) == 6 and all(800 < orders.count(order) < 1200 for order in set(orders))


def test_only_the_recorded_seed_has_answers():
    recorded.demand(0)
    with pytest.raises(UsageError, match="full edition"):
        recorded.demand(1)


def test_files_of_answers_hold_no_code(tmp_path):
    class Own:
        pass

    with pytest.raises((TypeError, AttributeError, KeyError)):
        Writer().packed(Own())
    writer = Writer()
    writer.save(tmp_path / "file", {"value": writer.packed({"a": np.arange(3)})})
    assert json.loads((tmp_path / "file.json").read_text())
    with np.load(tmp_path / "file.npz", allow_pickle=False) as arrays:
        assert all(arrays[name].dtype.kind in "fiub" for name in arrays)


# Answers learnt by heart


def replayed(ex, seed):
    """The Verdict of a grading on code that answers what the student edition has recorded: of a Hashed, its digest."""
    recorded_ones, right = needed(ex, reference_answers([ex], 0)[ex.id]), reference_answers([ex], seed)[ex.id]
    got = {
        probe: {name: x.digest if isinstance(x, Hashed) else x for name, x in outcome.answers.items()}
        for probe, outcome in recorded_ones.items()
    }
    return judge(
        ex, [Question(p, Outcome(got[p.name]), right[p.name]) for p in ex.probes], known=known_beforehand(ex.id, seed)
    )


@pytest.mark.parametrize("number", [notebook.number for notebook in catalogue.notebooks()])
def test_whoever_answers_what_is_recorded_earns_nothing_in_a_grading(number):
    earned = {ex.id: replayed(ex, 987_654).earned for ex in catalogue.exercises_of(number)}
    assert earned == dict.fromkeys(earned, 0)


def test_numbers_found_by_hand_are_recorded_so_that_they_can_be_tried_and_not_read(tmp_path):
    ex = catalogue.exercise("2.2")
    right = reference_answers([ex], 0)["2.2"]
    there = {name: there_and_back(tmp_path, outcome)[0] for name, outcome in needed(ex, right).items()}
    told = {
        probe: {name: x for name, x in one.answers.items() if type(x) is not Hashed} for probe, one in there.items()
    }
    drawn = {probe: one.answers["asked"] for probe, one in right.items() if "asked" in one.answers}
    assert told == {p.name: {"asked": drawn[p.name]} if p.name in drawn else {} for p in ex.probes} and len(drawn) == 4
    assert not any(Question(p, right[p.name], there[p.name]).wrong for p in ex.probes)
    for m in catalogue.misconceptions_of(ex):
        questions = [Question(p, misconceived(ex, m, p, 0), there[p.name]) for p in ex.probes]
        full = [Question(p, misconceived(ex, m, p, 0), right[p.name]) for p in ex.probes]
        assert [q.wrong for q in questions] == [q.wrong for q in full] and judge(ex, full).status == "failed"


def test_a_hashed_number_is_the_same_as_itself_alone():
    six = Hashed.of("2.2 t1", 6)
    assert all(compare.same(six, x) and compare.same(x, six) for x in (6, 6.0, 6 + 1e-12, Hashed.of("2.2 t1", 6.0)))
    others = (5, -6, "6", None, six.digest, Hashed.of("2.2 t2", 6), float("nan"), [6])
    assert not any(compare.same(six, x) or compare.same(x, six) for x in others)
