"""10.3 measures the memory of a backward: that of the rule alone, whatever else the process does meanwhile."""

import numpy as np

from grader.checking.reference import misconceived
from grader.course import catalogue, folders
from grader.course.packages import private_copy
from grader.course.paths import REFERENCE

QUESTIONS = folders.load("10", "questions")
EX = catalogue.exercise("10.3")
[MEMORY] = [probe for probe in EX.probes if probe.name == "memory_on_the_way_back"]


def answer_of(answers):
    [answer] = answers.values()
    return str(answer)


def test_the_rule_needs_a_few_arrays_and_may_need_ten():
    with private_copy(REFERENCE) as bg:
        layer, dout = bg.layers.Softmax(), np.ones((1, QUESTIONS.CLASSES))
        layer.forward(dout)
        assert min(QUESTIONS.arrays_made(layer, dout) for _ in range(4)) <= 4
    assert QUESTIONS.MOST_ARRAYS == 10


def test_memory_beside_the_rule_does_not_count():
    with private_copy(REFERENCE) as bg:
        right, times = bg.layers.Softmax.backward, []

        def beside_others(self, dout):
            times.append(len(times))
            beside = bytearray(100 * dout.nbytes if len(times) % 4 else 0)
            return right(self, dout) + 0 * len(beside)

        bg.layers.Softmax.backward = beside_others
        asked = MEMORY.function(bg, np.random.default_rng(0))
    assert answer_of(asked) == answer_of(misconceived_answers("exp forgotten"))


def misconceived_answers(name):
    [idea] = [m for m in catalogue.misconceptions_of(EX) if m.name == name]
    return misconceived(EX, idea, MEMORY, 0).answers


def test_a_jacobian_is_seen():
    assert "2000 or more" in answer_of(misconceived_answers("a Jacobian for each row"))
