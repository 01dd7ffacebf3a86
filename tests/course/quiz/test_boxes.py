"""When questions come again: for a learner with a known forgetting curve, on clocks that are moved, after a check."""

import random
from datetime import UTC, datetime, timedelta
from itertools import pairwise

import pytest

from grader.course.exercise import Exercise
from grader.course.tracks import CORE, EVENING, STRETCH
from grader.quiz.asked import Entry
from grader.quiz.boxes import A_DAY, DAYS, FORWARD, NEW_A_DAY, Boxes
from grader.quiz.brings import tracks_done
from grader.quiz.log import Event, Log
from grader.quiz.words import nothing, summary

START = datetime(2026, 9, 1, 18, tzinfo=UTC)
NAMED = ("1.1", "a mistake")


def day(number):
    return START + timedelta(days=number)


def questions(notebooks, each=5):
    """So many questions about each of these notebooks; the first shows NAMED."""
    ids = [f"{number}.Q{count}" for number in notebooks for count in range(1, each + 1)]
    return {id: Entry(id, ideas=(NAMED,) if id == ids[0] else ()) for id in ids}


def done(number, at):
    return Event(at, done=f"{number:02}", track=CORE)


def answer(id, at, right=True):
    return Event(at, question=id, right=right)


class Learner:
    """Remembers a question for so long as a curve says, which gets flatter with each time that it is recalled."""

    def __init__(self, seed):
        self.rng, self.seen, self.half_life = random.Random(seed), {}, {}

    def knows(self, id, number):
        recall = 0.5 ** ((number - self.seen.get(id, number)) / self.half_life.get(id, 2.0))
        right = self.rng.random() < recall * 0.95
        self.half_life[id] = self.half_life.get(id, 2.0) * 2.2 if right else 2.0
        self.seen[id] = number
        return right


@pytest.mark.parametrize("seed", [1, 2, pytest.param(3, marks=pytest.mark.leg("night"))])
def test_sixty_days_of_a_learner_who_forgets(seed):
    """Five a day at most, always those that are due longest: so each comes again, ten days late at most."""
    entries, events, learner = questions(range(1, 13)), [], Learner(seed)
    asked, longest = {id: [] for id in entries}, 0
    for number in range(60):
        if number % 5 == 0:
            events.append(done(number // 5 + 1, day(number)))
        boxes = Boxes(entries, Log(tuple(events)), day(number))
        due = {id: card.due for id, card in boxes.cards.items() if card.due is not None and card.due <= boxes.today}
        today = boxes.of_today()
        assert set(today) <= set(due) and len(today) == min(A_DAY, len(due))
        assert sorted(due.values())[: len(today)] == sorted(due[id] for id in today)
        longest = max([longest, *(boxes.today - each for each in due.values())])
        for id in today:
            asked[id].append(number)
            events.append(answer(id, day(number), learner.knows(id, number)))
    never = {id for id, days in asked.items() if not days}
    assert longest <= 10 and never <= {*questions([11, 12])}  # which were done within the last ten days
    gaps = [later - earlier for days in asked.values() for earlier, later in pairwise(days)]
    assert min(gaps) >= DAYS[0] and max(gaps) >= DAYS[2]


def test_right_answers_lead_to_longer_and_longer_pauses_and_a_wrong_one_to_tomorrow():
    events, number = [done(1, day(0))], 0
    for pause in DAYS[1:]:
        events.append(answer("1.Q1", day(number)))
        assert Boxes(questions([1]), Log(tuple(events)), day(number)).cards["1.Q1"].due == day_number(number + pause)
        number += pause
    events.append(answer("1.Q1", day(number), right=False))
    assert Boxes(questions([1]), Log(tuple(events)), day(number)).cards["1.Q1"].due == day_number(number + DAYS[0])


def day_number(number):
    return Boxes({}, Log(), day(number)).today


def test_an_answer_before_its_day_does_not_count_twice():
    events = (done(1, day(0)), answer("1.Q1", day(0)), answer("1.Q1", day(0)), answer("1.Q1", day(1)))
    assert Boxes(questions([1]), Log(events), day(1)).cards["1.Q1"].due == day_number(DAYS[1])


def test_what_is_new_comes_a_few_a_day():
    boxes = Boxes(questions([1, 2]), Log((done(1, day(0)), done(2, day(0)))), day(0))
    assert boxes.due() == ["1.Q1", "1.Q2", "1.Q3"] and len(boxes.due()) == NEW_A_DAY
    later = Boxes(questions([1, 2]), Log((done(1, day(0)), done(2, day(0)))), day(9))
    assert len(later.due()) == 10 and len(later.of_today()) == A_DAY


def test_what_was_answered_today_counts_and_more_are_there_on_request():
    events = [done(1, day(0)), done(2, day(0)), *(answer("1.Q1", day(9), right=False) for _ in range(3))]
    boxes = Boxes(questions([1, 2]), Log(tuple(events)), day(9))
    assert len(boxes.of_today()) == A_DAY - 3 and len(boxes.soonest(A_DAY)) == A_DAY
    assert boxes.next_day() == day_number(10)


def test_what_five_a_day_leaves_over_is_due_tomorrow():
    entries = questions([1, 2])
    known = [done(1, day(0)), done(2, day(0)), *(answer(id, day(3)) for id in list(entries)[:5])]
    assert list(summary(Boxes(entries, Log(tuple(known)), day(3)), 5, 5))[1] == "The next ones are due tomorrow."


def test_what_was_not_asked_because_somebody_stopped_is_still_due():
    boxes = Boxes(questions([1]), Log((done(1, day(0)), answer("1.Q1", day(0)))), day(0))
    assert list(summary(boxes, 1, 1)) == ["1 of 1 right.", "The others are still due today."]


# ------------------------------------------------------------------ a check named a misconception


def test_a_misconception_that_a_check_named_brings_its_question_the_next_day():
    entries = questions([1, 2])
    known = (done(1, day(0)), *(answer(id, day(0)) for id in entries), Event(day(1), idea=NAMED))
    assert Boxes(entries, Log(known), day(1)).due() == []
    assert Boxes(entries, Log(known), day(2)).due() == ["1.Q1"]
    after = (*known, answer("1.Q1", day(2)))
    assert Boxes(entries, Log(after), day(2)).due() == []


@pytest.mark.parametrize("known", [(), (done(1, day(0)), *(answer(id, day(1)) for id in questions([1])))])
def test_on_the_day_of_that_check_its_question_is_spoken_of_and_comes_on_request(known):
    boxes = Boxes(questions([1]), Log((*known, Event(day(1), idea=NAMED))), day(1))
    assert list(summary(boxes, 5, 5))[1] == "The next ones are due tomorrow."
    assert nothing(boxes, "%quiz more").startswith("Nothing is due today. The next ones are due on 2026-09-03;")
    assert boxes.soonest(A_DAY)[0] == "1.Q1"


def test_no_more_than_two_are_brought_forward():
    entries = {id: Entry(id, ideas=(NAMED,)) for id in questions([1])} | questions([2])
    events = (done(1, day(0)), done(2, day(0)), *(answer(id, day(0)) for id in entries), Event(day(0), idea=NAMED))
    assert len(Boxes(entries, Log(events), day(1)).due()) == FORWARD


def test_without_a_question_about_it_those_about_the_outcome_come_as_far_as_their_notebook_is_done():
    entries = {"1.Q1": Entry("1.Q1", exercises=("1.1",)), "1.Q2": Entry("1.Q2", exercises=("1.2",))}
    named = Event(day(1), idea=("1.1", "another"))
    assert Boxes(entries, Log((named,)), day(2)).due() == []
    known = (done(1, day(0)), answer("1.Q1", day(0)), answer("1.Q2", day(0)), named)
    assert Boxes(entries, Log(known), day(2)).due() == ["1.Q1"]


# ------------------------------------------------------------------ clocks


def test_a_clock_that_was_a_year_ahead_keeps_no_question_away():
    ahead = (done(1, day(0)), answer("1.Q1", day(365)), answer("1.Q2", day(365), right=False))
    boxes = Boxes(questions([1]), Log(ahead), day(1))
    assert boxes.cards["1.Q2"].due <= boxes.today and boxes.cards["1.Q1"].due <= boxes.today + DAYS[1]
    corrected = (*ahead, answer("1.Q2", day(1)))
    assert Boxes(questions([1]), Log(corrected), day(1)).cards["1.Q2"].due == day_number(1 + DAYS[1])


def test_a_clock_that_is_years_behind_asks_five_and_goes_on():
    events = [done(1, day(0)), *(answer(id, day(0)) for id in questions([1]))]
    back = START - timedelta(days=2000)
    asked = Boxes(questions([1]), Log(tuple(events)), back).of_today()
    assert len(asked) == A_DAY
    events += [answer(id, back) for id in asked]
    assert Boxes(questions([1]), Log(tuple(events)), back).of_today() == []
    boxes = Boxes(questions([1]), Log(tuple(events)), day(2))
    assert boxes.due() == [] and len(Boxes(questions([1]), Log(tuple(events)), day(8)).due()) == A_DAY


# ------------------------------------------------------------------ what is done


def exercise(id, track):
    return Exercise(id, id, "value.py", 1, 1, [], track=track)


@pytest.mark.parametrize(
    ("done", "tracks"),
    [
        ({"1.1", "1.2", "1.3"}, [EVENING, CORE, STRETCH]),
        ({"1.1", "1.2"}, [EVENING, CORE]),
        ({"1.1"}, [EVENING]),
        ({"1.2", "1.3"}, []),
    ],
)
def test_a_notebook_is_done_as_far_as_a_track_goes(done, tracks):
    exercises = [exercise("1.1", EVENING), exercise("1.2", CORE), exercise("1.3", STRETCH)]
    assert list(tracks_done(done.__contains__, exercises)) == tracks


def test_where_nothing_lies_on_a_track_all_is_asked_for():
    exercises = [exercise("1.1", CORE), exercise("1.2", CORE)]
    assert list(tracks_done({"1.1"}.__contains__, exercises)) == []
    assert list(tracks_done({"1.1", "1.2"}.__contains__, exercises)) == [EVENING, CORE, STRETCH]
