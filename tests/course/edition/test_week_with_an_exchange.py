"""A week with an exchange, as a student types it in a notebook: the course, %submit, a newer course and feedback."""

import os
import runpy
import zipfile
from pathlib import Path

import pytest

pytest.importorskip("fcntl")  # accounts: no Windows

from grader.classroom.collect import class_list
from grader.classroom.pages import returned
from grader.course import exchange
from grader.course.paths import ROOT
from grader.course.settings import Settings
from grader.edition import release, sharing
from grader.maintainer.clean_notebooks import GUARDED_LOAD

KERNELS = runpy.run_path(str(ROOT / "tests" / "course" / "notebook" / "kernels.py"))
ME = exchange.account(os.geteuid())
OWN = ("BABYGRAD_PACKAGE", "BABYGRAD_MEMORY", "JPY_SESSION_NAME")


@pytest.mark.leg("push")
def test_a_week_with_an_exchange(tmp_path, monkeypatch):
    monkeypatch.setattr(sharing, "_closed_above", lambda folder: None)
    shared, home = tmp_path / "exchange", tmp_path / "home"
    away = Path(os.path.relpath(shared))  # as a teacher types it: ../exchange
    said = release.release(tmp_path / "course1", "0", version="homework-1", exchange=away)
    assert f"%submit hands in to {shared}" in "\n".join(said)
    assert Settings.read(tmp_path / "course1").exchange == str(shared)
    assert "`%fetch` brings newer notebooks" in (tmp_path / "course1" / "README.md").read_text()
    with zipfile.ZipFile(shared / exchange.COURSE) as packed:
        packed.extractall(home)
    env = {name: value for name, value in os.environ.items() if name not in OWN}
    env |= {"PYTHONPATH": str(ROOT), "IPYTHONDIR": str(tmp_path)}
    with KERNELS["running"](home / "notebooks", env) as kernel:
        assert kernel.run(GUARDED_LOAD) == ("", "", "ok")
        plain, html, _ = kernel.run("%submit")
        assert f"Handed in, as {ME}" in plain and "not started" in plain
        assert f"href='../submissions/{ME}.zip'" in html and f" download>{ME}.zip</a>" in html
        found = class_list.read(shared)
        assert found.sources[ME].read({"warmup.py"}).files["warmup.py"] == (home / "babygrad/warmup.py").read_bytes()
        assert "This is the newest course." in kernel.run("%fetch")[0]
        (tmp_path / "grades" / ME).mkdir(parents=True)
        (tmp_path / "grades" / ME / "feedback.html").write_text("well done")
        returned.write(tmp_path / "grades", {ME: ME}, found.hand_ins, shared)
        release.release(tmp_path / "course2", "0-1", version="homework-2", exchange=shared)
        plain, html, _ = kernel.run("%fetch")
        assert "notebooks/01_slopes_by_nudging.ipynb is new." in plain and "Restart the kernel" in plain
        assert "Feedback: 1 new page." in plain and "href='../submissions/feedback/" in html
    assert Settings.read(home).version == "homework-2"
