"""The engines of `make bench` train to the same numbers: otherwise a race between them says nothing."""

import numpy as np
import pytest

from benchmarks import engine

SMALL = engine.Step("small", (5, 7, 6, 3), batch=8, nonlin="tanh", most=1.0, calls=1)
SMALL_RELU = engine.Step("small", (5, 7, 3), batch=8, nonlin="relu", most=1.0, calls=1)


@pytest.mark.parametrize("step", [SMALL, SMALL_RELU], ids=lambda step: step.nonlin)
@pytest.mark.parametrize("name", engine.ENGINES)
def test_every_engine_takes_the_same_steps_as_the_limit(name, step):
    racer = engine.made(engine.ENGINES[name], step)
    if racer is None:
        pytest.skip(f"{name} is installed by requirements-bench.txt only")
    limit = engine.Limit(engine.Start(step))
    steps = [racer.step() for _ in range(5)]
    assert np.allclose(steps, [limit.step() for _ in range(5)], rtol=1e-12)
    assert steps[4] < steps[0]


def test_the_four_steps_and_their_promises_are_those_of_the_course():
    assert [(step.name, step.most) for step in engine.STEPS] == [("T1", 2.3), ("T2", 1.9), ("T3", 1.35), ("T4", 1.1)]


def test_a_promise_that_is_not_kept_is_noticed():
    step = engine.STEPS[0]
    good = {engine.OURS: 2.2, engine.TORCH: 4.0, engine.HIPS: 11.0}
    assert all(engine.promises(step, good))
    for name, bad in [(engine.OURS, 2.4), (engine.TORCH, 2.1), (engine.HIPS, 8.0)]:
        assert not all(engine.promises(step, {**good, name: bad}))
