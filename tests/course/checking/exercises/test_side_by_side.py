"""Notebook 06: the helper that puts a rule beside nudging says it plainly when a share is no Tensor."""

import numpy as np
import pytest

from babygrad import Function, Tensor, numerical_gradient, ops
from grader.course.paths import ROOT
from grader.maintainer.clean_notebooks import clean_notebook

NAMES = {"np": np, "Tensor": Tensor, "numerical_gradient": numerical_gradient}


def side_by_side():
    cells = clean_notebook(ROOT / "solutions" / "notebooks" / "06_local_gradients.py").cells
    (code,) = [cell.source for cell in cells if cell.cell_type == "code" and "def side_by_side" in cell.source]
    names = dict(NAMES)
    exec(code, names)
    return names["side_by_side"]


class PlainSlopes(Function):
    def forward(self, a, b):
        return a - b

    def backward(self, out_grad, node):
        return 1, -1


@pytest.mark.leg("push")
def test_a_plain_number_is_named_as_one(capsys):
    side_by_side()(PlainSlopes(), [2.0, -3.0], [4.0, 1.0])
    first, second = capsys.readouterr().out.splitlines()
    assert "rule: 1, which is no Tensor   nudging: [10. -1.]" in first
    assert "rule: -1, which is no Tensor" in second


def test_shares_stand_beside_their_nudges(capsys):
    side_by_side()(ops.mul, [2.0, -3.0], [4.0, 1.0])
    assert "rule: [40. -1.]   nudging: [40. -1.]" in capsys.readouterr().out
