"""Notebook 07, before 7.6 is filled: the learner's own check says that the gradient of a stretched row is too large."""

import sys
from pathlib import Path

import numpy as np
import pytest

sys.path.append(str(Path(__file__).parents[1] / "sandbox" / "attacks"))
from attack import submission

from grader.course import catalogue
from grader.course.packages import private_copy
from grader.course.paths import ROOT, package_folder
from grader.maintainer.clean_notebooks import clean_notebook


def code_of(text):
    """The code cell of notebook 07 in which this text stands."""
    cells = clean_notebook(ROOT / "solutions" / "notebooks" / "07_shape_ops.py").cells
    (code,) = [cell.source for cell in cells if cell.cell_type == "code" and text in cell.source]
    return code


@pytest.fixture
def bg(tmp_path, monkeypatch):
    """A learner's package in which all is filled but 7.6."""
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    for name, data in submission(honest=[ex.id for ex in catalogue.all_exercises() if ex.id != "7.6"]).items():
        path = package_folder(tmp_path) / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    with private_copy(tmp_path) as package:
        yield package


def test_the_learners_check_names_the_shape_before_the_cure_is_there(bg, capsys):
    names = {name: getattr(bg, name) for name in ("Function", "GradcheckError", "Tensor", "check_rule", "ops")}
    exec(code_of("class AddAlone"), names | {"np": np, "rng": np.random.default_rng(0)})
    said = capsys.readouterr().out.splitlines()
    assert [line.endswith("right") for line in said] == [True, False, True, False]
    wrong = "wrong: input 1 has shape (3,), but backward gives it a gradient of shape (2, 3)"
    assert all(line.endswith(wrong) for line in said[1::2])


def test_with_all_around_the_rules_7_6_is_what_is_missing(bg):
    table, row = bg.Tensor(np.ones((2, 3))), bg.Tensor(np.ones(3))
    with pytest.raises(NotImplementedError, match=r"exercise 7\.6"):
        bg.check_rule(bg.ops.mul, [table, row])
