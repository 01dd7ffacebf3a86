"""An exercise that fails along with one that it builds on: whose fault it is, and what is said of it."""

import pytest

from grader.checking import again, leaning
from grader.course import catalogue

ONE_SIDE = "return (f(x + h) - f(x)) / h"
ADDED_BACK = """gradient = np.zeros(x.shape)
for index in np.ndindex(x.shape):
    x[index] += h
    above = f(x)
    x[index] -= 2 * h
    gradient[index] = (above - f(x)) / (2 * h)
    x[index] += h
return gradient"""
OWN_SLOPES = "return Value(self.data * other.data, (self, other), '*', (self.data, other.data))"
LEFT_ALONE = "return Value(self.data - other.data, (self, other), '-', (1.0, 3.0))"
NEW_LEAF = "return Value(self.data - other.data)"
POINTER = "It builds on 2.1, which does not pass at the moment. Look there first."
DOUBT = "It builds on 2.1, which does not pass at the moment: the fault may be there."


@pytest.fixture(params=[True, False], ids=["full edition", "student edition"])
def is_full(request, monkeypatch):
    """Is the reference there to be asked? A student edition has its numbers alone."""
    if not request.param:
        monkeypatch.setattr(again, "carrying", None)
    return request.param


@pytest.mark.leg("push")
def test_nobody_is_sent_to_what_the_answer_does_not_use_and_its_own_idea_is_named(learner, is_full):
    learner.write("1.1", ONE_SIDE, "derivatives.py")
    learner.write("1.2", ADDED_BACK, "derivatives.py")
    verdict = learner.check("1.1", "1.2")["1.2"]
    assert verdict.misconception == "put back by adding h again"
    assert "Keep the number that was there" in verdict.lines[-1] and "builds on" not in verdict.message


def test_what_is_right_by_itself_is_sent_to_what_is_not(learner, is_full):
    learner.write("2.1", OWN_SLOPES)
    verdict = learner.check("2.1", "2.4")["2.4"]
    assert verdict.lines[-1] == (POINTER if is_full else DOUBT) and verdict.misconception is None


def test_the_pointer_comes_also_where_that_was_not_asked_for(learner):
    learner.write("2.1", OWN_SLOPES)
    assert learner.check("2.4")["2.4"].lines[-1] == POINTER


def test_an_idea_is_named_that_is_wrong_apart_from_what_lies_below(learner):
    """x - y would be right with a right product; x / y is a new leaf, whatever a product is."""
    learner.write("2.1", OWN_SLOPES)
    learner.edit(lambda text: text.replace("return self * other**-1", "return Value(self.data / other.data)"))
    verdict = learner.check("2.4")["2.4"]
    idea = next(m for m in catalogue.misconceptions_of(catalogue.exercise("2.4")) if m.name == verdict.misconception)
    at = verdict.lines.index(POINTER)
    assert verdict.lines[at + 1] == f"Apart from that: {idea.words}"


@pytest.mark.leg("push")
@pytest.mark.parametrize(("code", "idea"), [(NEW_LEAF, True), (LEFT_ALONE, False)])
def test_nobody_is_sent_away_from_a_question_that_is_wrong_by_itself(learner, is_full, code, idea):
    """x - y, which is shown, is wrong whatever a product is; x / y, which is not shown, would be right."""
    learner.write("2.1", OWN_SLOPES)
    learner.write("2.4", code)
    verdict = learner.check("2.4")["2.4"]
    assert "Called x - y" in verdict.message and "builds on" not in verdict.message
    assert bool(verdict.misconception) == idea


def test_an_exercise_that_is_not_filled_in_is_named_once_and_with_a_way_past_it(learner, is_full):
    """3.3 does not lie on the way on which 3.4 lies."""
    learner.write("3.3", 'raise NotImplementedError("exercise 3.3: topological_order")')
    message = learner.check("3.4")["3.4"].message
    assert message.count("3.3 (") == 1 and "builds on" not in message
    wanted = 'Do that one first (it is not on the track "evening"); make fill EX=3.3 goes on without it.'
    assert wanted in message
    assert "It is used in babygrad/value.py, line " in message and "topological_order(self)" in message


def test_what_fails_by_itself_is_not_asked_again(learner, monkeypatch):
    monkeypatch.setattr(again.Again, "_ask_changed", None)
    learner.write("2.4", NEW_LEAF)
    assert learner.check("2.4")["2.4"].status != "passed"


def test_where_the_regions_cannot_be_told_it_is_only_said_what_may_be(learner):
    learner.write("2.1", OWN_SLOPES)
    learner.edit(lambda text: text.replace("# end of exercise 2.9", "", 1))
    assert learner.check("2.4")["2.4"].lines[-1] == DOUBT


def test_stubs_are_put_in_the_place_of_failing_exercises_alone(learner):
    data = (learner.folder / "babygrad" / "value.py").read_bytes()
    emptied = leaning._emptied(data, ("2.1",)).decode()
    assert emptied.count("raise NotImplementedError") == data.decode().count("raise NotImplementedError") + 1
    assert leaning._emptied(b"# exercise 2.1", ("2.1",)) is None


def test_what_is_not_filled_in_is_only_named_where_it_is_used(learner, is_full):
    learner.write("2.1", 'raise NotImplementedError("exercise 2.1: Value.__mul__")')
    learner.write("2.4", NEW_LEAF)
    verdict = learner.check("2.4")["2.4"]
    assert verdict.misconception
    if not is_full:
        assert "builds on 2.1, which you have not done yet" in verdict.message  # x / y does use it


def test_where_there_is_no_room_for_a_copy_it_stays_open(learner, monkeypatch):
    def full(*_, **__):
        raise OSError("the disk is full")

    monkeypatch.setattr(again.tempfile, "TemporaryDirectory", full)
    learner.write("2.1", OWN_SLOPES)
    assert learner.check("2.4")["2.4"].lines[-1] == DOUBT
