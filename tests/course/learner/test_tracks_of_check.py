"""make check TRACK=evening: what is next on the track chosen, which is kept; nothing else changes."""

import pytest

from grader import cli
from grader.checking import report
from grader.checking.verdict import Verdict
from grader.course import catalogue
from grader.course.tracks import EVERYTHING, TRACKS
from grader.learner import memory


def verdicts(done=lambda ex: False):
    return [verdict(ex, "passed" if done(ex) else "not_started") for ex in catalogue.all_exercises()]


def verdict(ex, status):
    return Verdict(ex.id, ex.title, ex.file, ex.points, status=status)


def on(track):
    return lambda ex: ex.track in TRACKS[track]


def last_line(found, track):
    return list(report.text(found, track=track))[-1]


@pytest.mark.parametrize("track", TRACKS)
def test_next_is_the_first_exercise_on_the_track(track):
    first = next(ex for ex in catalogue.all_exercises() if ex.track in TRACKS[track])
    assert last_line(verdicts(), track).endswith(f": exercise {first.id}.")


@pytest.mark.parametrize(("track", "longer"), [("evening", "core"), ("core", "everything")])
def test_at_the_end_of_a_track_the_next_longer_one_is_named(track, longer):
    first = next(ex for ex in catalogue.all_exercises() if ex.track not in TRACKS[track] and ex.track in TRACKS[longer])
    wanted = f'the end of the track "{track}". On the next one, exercise {first.id} is first: make check TRACK={longer}'
    assert last_line(verdicts(on(track)), track) == f"You have reached {wanted}"


def test_one_notebook_done_as_far_as_the_track_goes():
    found = [v for v in verdicts(on("evening")) if report.notebook_number(v) == "03"]
    assert (
        last_line(found, "evening")
        == 'Notebook 03 is done as far as the track "evening" goes. What is next: make check'
    )


def test_exercises_of_two_notebooks_are_not_the_end_of_the_track():
    found = [v for v in verdicts(on("evening")) if v.id == "2.1" or report.notebook_number(v) == "03"]
    wanted = 'All of this is done as far as the track "evening" goes. What is next: make check'
    assert last_line(found, "evening") == wanted


def test_what_is_off_the_track_is_not_said_to_be_waiting():
    lines = [line for line in report.text(verdicts(), track="evening") if line.startswith(("  2.1 ", "  2.5 "))]
    assert lines[0].endswith("not started") and lines[1].endswith("not on this track")


def test_from_the_evening_the_core_is_left_out_if_it_is_done():
    assert last_line(verdicts(on("core")), "evening").endswith("TRACK=everything")


def test_all_of_it_done():
    assert last_line(verdicts(lambda ex: True), "evening") == "All of this is done."


def test_a_table_leaves_out_notebooks_that_the_track_does_not_touch_unless_they_were_begun():
    assert {report.notebook_number(v) for v in report.shown(verdicts(), "evening")} == {"02", "03", "04"}
    begun = verdicts(lambda ex: ex.id == "7.1")
    assert {report.notebook_number(v) for v in report.shown(begun, "evening")} == {"02", "03", "04", "07"}
    assert report.shown(begun, EVERYTHING) == begun


def test_the_track_has_a_line_of_its_own_unless_it_is_everything():
    evening = [ex for ex in catalogue.all_exercises() if ex.track == "evening"]
    wanted = f'The track "evening": 1 of {len(evening)} exercises done. (Those off it: make check TRACK=everything)'
    assert wanted in report.text(verdicts(lambda ex: ex is evening[0]), track="evening")
    begun = verdicts(lambda ex: ex is evening[0])
    assert not [line for line in report.text(begun) if "the track" in line.lower() or "TRACK" in line]
    shorter = "Shorter tracks, one evening or the core: make check TRACK=evening, or TRACK=core"
    assert shorter in report.text(verdicts())


def test_one_notebook_off_the_track_is_shown_all_the_same(capsys, tmp_path, monkeypatch):
    monkeypatch.setattr(memory, "MEMORY", tmp_path)
    monkeypatch.setattr(
        "grader.learner.check.checked", lambda exercises, *_: [(verdict(ex, "not_started"), None) for ex in exercises]
    )
    assert cli.main(["check", "13", "--track", "evening"]) == 1
    assert "13.1" in capsys.readouterr().out


def test_the_track_is_kept(capsys, tmp_path, monkeypatch):
    monkeypatch.setattr(memory, "MEMORY", tmp_path)
    monkeypatch.setattr(
        "grader.learner.check.checked", lambda exercises, *_: [(verdict(ex, "not_started"), None) for ex in exercises]
    )
    said = []
    for words in ([], ["--track", "evening"], [], ["--track", "everything"], []):
        cli.main(["check", *words])
        said.append(capsys.readouterr().out)
    assert said[1] == said[2] != said[0] == said[3] == said[4]
    assert "exercise 2.1." in said[2]


def test_a_track_that_there_is_not_is_named(capsys):
    with pytest.raises(SystemExit):
        cli.main(["check", "--track", "night"])
    assert "'night'" in capsys.readouterr().err


def test_a_memory_with_another_track_in_it_is_everything(capsys, tmp_path, monkeypatch):
    monkeypatch.setattr(memory, "MEMORY", tmp_path)
    (tmp_path / "memory.json").write_text('{"track": ["night"]}')
    monkeypatch.setattr(
        "grader.learner.check.checked", lambda exercises, *_: [(verdict(ex, "not_started"), None) for ex in exercises]
    )
    cli.main(["check"])
    assert "exercise 0.1." in capsys.readouterr().out
