"""Times in notebooks: measured with a learner's package, recorded with the reference. No time is compared here."""

import pytest

from toolbox import clock


def counted(calls, name):
    calls[name] = 0

    def call():
        calls[name] += 1

    return call


@pytest.fixture(autouse=True)
def on_the_reference(monkeypatch):
    monkeypatch.setenv("BABYGRAD_RECORDED", "1")


def test_the_reference_shows_what_was_recorded_and_calls_nothing(capsys):
    calls = {}
    assert clock.times({"one": counted(calls, "one")}, {"one": 3.0, "large": 9.0}) == {"one": 3.0, "large": 9.0}
    assert calls == {"one": 0} and capsys.readouterr().out == "recorded with the reference:\n"


def test_with_another_package_all_is_measured_that_is_here(capsys, monkeypatch):
    monkeypatch.setenv("BABYGRAD_RECORDED", "")
    monkeypatch.setattr(clock, "ROUND", 0.001)
    calls = {}
    found = clock.times({"one": counted(calls, "one")}, {"one": None, "large": 9.0})
    assert found["one"] > 0 and found["large"] == 9.0
    assert calls["one"] > 5  # once for what is only done the first time, then rounds
    assert capsys.readouterr().out == "measured here, with your package:\n"


def test_what_was_recorded_and_what_is_measured_stand_in_two_columns(capsys, monkeypatch):
    calls, recorded = {}, {"one": 3.0, "large": 9.0}
    clock.side_by_side({"one": counted(calls, "one")}, recorded)
    assert calls == {"one": 0}
    assert [line.split() for line in capsys.readouterr().out.splitlines()] == [
        ["microseconds", "recorded"],
        ["one", "3"],
        ["large", "9"],
    ]
    monkeypatch.setenv("BABYGRAD_RECORDED", "")
    monkeypatch.setattr(clock, "microseconds", lambda call: 41.0)
    clock.side_by_side({"one": None}, recorded)
    head, one, large = capsys.readouterr().out.splitlines()
    assert head.split() == ["microseconds", "recorded", "here,", "with", "your", "package"]
    assert (one.split(), large.split()) == (["one", "3", "41"], ["large", "9"]) and len(one) == len(head)


def test_a_peak_is_what_one_call_has_in_use_at_a_time(capsys, monkeypatch):
    assert clock.peaks({"one": None}, {"one": 3.0}) == {"one": 3.0}
    monkeypatch.setenv("BABYGRAD_RECORDED", "")
    found = clock.peaks({"at once": lambda: [bytes(500_000), bytes(500_000)], "in turn": in_turn}, {})
    assert 1000 <= found["at once"] < 1010 and 500 <= found["in turn"] < 510
    assert capsys.readouterr().out.split(" here")[0] == "recorded with the reference:\nmeasured"


def in_turn():
    for _ in range(2):
        bytes(500_000)
