"""Notebook 07, before its rules are filled: the films play by nudging, and before 7.6 the learner's own check says that
the gradient of a stretched row is too large."""

import sys
from importlib import import_module
from pathlib import Path

import numpy as np
import pytest

sys.path.append(str(Path(__file__).parents[2] / "sandbox" / "attacks"))
from attack import submission

from grader.course import catalogue
from grader.course.packages import imported_by_name
from grader.course.paths import ROOT, package_folder
from grader.maintainer.clean_notebooks import clean_notebook


def codes_of(text):
    """The code cells of notebook 07 in which this text stands."""
    cells = clean_notebook(ROOT / "solutions" / "notebooks" / "07_shape_ops.py").cells
    return [cell.source for cell in cells if cell.cell_type == "code" and text in cell.source]


def code_of(text):
    (code,) = codes_of(text)
    return code


@pytest.fixture
def open_exercises():
    return ["7.6"]


@pytest.fixture
def bg(tmp_path, monkeypatch, open_exercises):
    """A learner's package in which all is filled but these exercises."""
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    honest = [ex.id for ex in catalogue.all_exercises() if ex.id not in open_exercises]
    for name, data in submission(honest=honest).items():
        path = package_folder(tmp_path) / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    with imported_by_name(tmp_path) as package:
        yield package


def test_the_learners_check_names_the_shape_before_the_cure_is_there(bg, capsys):
    names = {name: getattr(bg, name) for name in ("Function", "GradcheckError", "Tensor", "check_rule", "ops")}
    exec(code_of("class AddAlone"), names | {"np": np, "rng": np.random.default_rng(0)})
    said = capsys.readouterr().out.splitlines()
    assert [line.endswith("right") for line in said] == [True, False, True, False]
    wrong = "wrong: input 1 has shape (3,), but backward gives it a gradient of shape (2, 3)"
    assert all(line.endswith(wrong) for line in said[1::2])


@pytest.mark.parametrize("open_exercises", [["7.1", "7.2", "7.3", "7.4", "7.6"]])
def test_a_film_before_an_exercise_plays_by_nudging_and_one_after_it_waits_for_the_rule(bg):
    names = {"np": np, "ops": bg.ops, "travel": import_module("toolbox.films.cells").travel}
    films = codes_of("\ntravel(") + [code for code in codes_of("travel(") if code.startswith("travel(")]
    assert len(films) == 7
    for code in films:
        *lines, film = code.splitlines()
        exec("\n".join(lines), names)
        if "by_nudging" in film:
            assert len(eval(film, names)) >= 8
        else:
            with pytest.raises(NotImplementedError, match=r"exercise 7\."):
                eval(film, names)


def test_with_all_around_the_rules_7_6_is_what_is_missing(bg):
    table, row = bg.Tensor(np.ones((2, 3))), bg.Tensor(np.ones(3))
    with pytest.raises(NotImplementedError, match=r"exercise 7\.6"):
        bg.check_rule(bg.ops.mul, [table, row])
