"""Notebook 13 where PyTorch is not installed: every cell runs, and shows what was recorded."""

import os

import pytest

from benchmarks.versus_pytorch import printed_in_the_notebook
from grader.course.paths import ROOT
from grader.maintainer import cell_outputs, clean_notebooks, executed_notebooks, sources
from toolbox import recorded

RECORDED = recorded.read("versus_pytorch")
pytestmark = pytest.mark.leg("push")


@pytest.fixture(scope="module")
def without_torch(tmp_path_factory):
    """The notebook, executed by a kernel that finds no torch."""
    blocker = tmp_path_factory.mktemp("blocker")
    (blocker / "torch.py").write_text("raise ImportError('No module named torch')\n")
    environment_of = executed_notebooks.kernel_environment

    def blocked(package_dir, scratch):
        environment = environment_of(package_dir, scratch)
        return environment | {"PYTHONPATH": os.pathsep.join([str(blocker), environment["PYTHONPATH"]])}

    (source,) = sources.sources(["13"])
    notebook = clean_notebooks.clean_notebook(source)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(executed_notebooks, "kernel_environment", blocked)
        executed_notebooks.run_cells(notebook, source)
    for cell in notebook.cells:
        cell_outputs.tidy_outputs(cell, ROOT)
    return notebook


def printed(cell):
    return "".join(output.text for output in cell.outputs if output.output_type == "stream")


def code_cells(notebook):
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


@pytest.mark.leg("night")
def test_it_says_so_once(without_torch):
    told = [printed(cell) for cell in code_cells(without_torch) if "not installed" in printed(cell)]
    assert told == [
        "PyTorch is not installed here: the cells below print what was recorded with it.\n"
        "To install it: python -m pip install torch, then restart the kernel.\n"
    ]


@pytest.mark.leg("night")
def test_every_cell_shows_what_it_shows_with_pytorch(without_torch):
    import nbformat

    (source,) = sources.sources(["13"])
    executed = nbformat.read(executed_notebooks.executed_path(source), as_version=4)
    pairs = zip(code_cells(without_torch), code_cells(executed), strict=True)
    compared = [(ours, theirs) for ours, theirs in pairs if "not installed here" not in ours.source]
    assert [ours.source for ours, theirs in compared if printed(ours) != printed(theirs)] == []


def test_what_is_recorded_is_what_the_notebook_prints():
    """After a change of such a cell: python -m benchmarks.versus_pytorch --printed."""
    assert printed_in_the_notebook() == RECORDED["PRINTED"]
    assert len(RECORDED["PRINTED"]) >= 8 and all(RECORDED["PRINTED"].values())


def test_the_recorded_run_is_complete():
    assert set(RECORDED["TIMES"]) == {"tiny", "small", "large"}
    assert len(RECORDED["EPOCHS"]) == len(RECORDED["LOSSES"]["babygrad"]) == len(RECORDED["LOSSES"]["PyTorch"])
    assert max(RECORDED["DIFFERENCES"].values()) <= 1e-14
    assert all(accuracy >= 0.95 for accuracy in RECORDED["ACCURACY"].values())
