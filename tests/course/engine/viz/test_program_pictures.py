"""Programs as pictures: what a pass has removed, and the film of arrays that are used again."""

import numpy as np
import pytest

import babygrad as bg
from babygrad import Tensor, compiler, nn
from babygrad.compiler import optimized, with_each_once, with_folded, without_unused
from babygrad.losses import cross_entropy
from babygrad.optim import SGD
from toolbox.drawing.program import draw_program, fates_of
from toolbox.films.arrays import Watched, arrays_at_work


def small_program():
    w = Tensor(np.array([[1.0], [-0.5]]))

    def small(x):
        s = (Tensor(x, requires_grad=False) @ w).tanh()
        w.zero_grad()
        (s * s).mean().backward()
        return s

    return bg.trace(small, np.random.default_rng(0).normal(size=(4, 2)))


def fates(before, change):
    """{operation: words}, of the lines that are gone."""
    operations = {line.name: line.function.name() for line in before.lines}
    return [(operations[name], words) for name, words in fates_of(before, change(before)).items()]


def test_a_drawing_says_why_a_line_is_gone():
    program = small_program()
    folded = with_folded(program)
    assert fates(program, without_unused) == [("Mul", "gone"), ("Mean", "gone")]
    assert {words for _, words in fates(program, with_folded)} == {"constant"}
    once = fates(folded, with_each_once)
    assert [operation for operation, _ in once] == ["Mul", "Mul"]
    assert all(words.startswith("same as v") for _, words in once)


def test_of_a_chain_that_is_there_twice_each_line_says_whose_it_is():
    w = Tensor(np.ones((2, 2)))
    program = bg.trace(lambda x: (x @ w).exp() * (x @ w).exp(), Tensor(np.ones((3, 2)), requires_grad=False))
    assert [words for _, words in fates(program, with_each_once)] == ["same as v0", "same as v1"]


def test_the_drawing_marks_by_form_and_words():
    program = small_program()
    drawing = draw_program(program, after=without_unused(program))
    text = str(drawing)
    assert text.count("gone") == 2 and "returned" in text and "gradient of p0" in text
    assert drawing.source.count("filled,dashed") == 2
    assert "dashed" not in draw_program(program).source and "gone" not in str(draw_program(program))
    for line in program.lines:
        assert f"  {line.name} = {line.function.name()}(" in text


def step_program(batch=16):
    net = nn.MLP([2, 8, 3], "tanh", rng=np.random.default_rng(0))
    optimizer = SGD(net.parameters(), lr=0.1)

    def step(x, targets):
        loss = cross_entropy(net(Tensor(x, requires_grad=False)), targets)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        return loss

    rng = np.random.default_rng(1)
    return optimized(bg.trace(step, rng.normal(size=(batch, 2)), rng.integers(3, size=batch)))


def test_the_film_tells_what_the_arrays_did():
    program = step_program()
    film, arrays = arrays_at_work(program), compiler.Arrays(program)
    assert len(film) == len(program.lines) + 2 == len(film.lines) + 2
    assert [line for line in film.lines if "nothing to do" not in line] == [
        "; ".join(step.text.split("; ")) for step in Watched(program).steps if step.text
    ]
    holds = {}
    for line, frame in zip(program.lines, film.frames[1:]):
        array = arrays.array_of[line.name]
        if f"h{array}" in frame.texts:
            assert frame.texts[f"h{array}"] == f"holds {line.name}"
            assert frame.lit == (f"b{array}",)
            holds[array] = line.name
        for key in [key for key, text in frame.texts.items() if text == "free"]:
            assert key[1:] in arrays.own and frame.moved[f"b{key[1:]}"]["stroke-dasharray"] != "none"
    assert set(arrays.own) <= holds.keys()
    assert {leaf: holds[leaf] for leaf in program.leaves} == dict(program.writes)


def test_all_arrays_stand_there_empty_before_the_first_line():
    program = step_program()
    own, first = compiler.Arrays(program).own, arrays_at_work(program).frames[0]
    assert first.texts == {f"h{name}": "empty" for name in own} and f"{len(own)} arrays" in first.sentence
    assert {key for key, looks in first.moved.items() if looks["stroke-dasharray"] != "none"} == {f"b{n}" for n in own}


def test_the_film_is_made_by_the_learners_functions(monkeypatch):
    program = step_program()
    few = len(compiler.Arrays(program).own)
    monkeypatch.setattr(compiler, "array_for", lambda line, dying, free: line.name)
    film = arrays_at_work(program)
    assert len(Watched(program).own) > few
    assert "is written over" not in str(film) and "was free" not in str(film)


def test_the_film_is_small_and_refuses_what_is_too_long():
    program = step_program()
    assert len(arrays_at_work(program).html) < 60_000
    longer = program._replace(lines=program.lines * 2)
    with pytest.raises(ValueError, match="room for 60 lines, but this program has"):
        arrays_at_work(longer)
