"""docs/privacy.md: a student is deleted by the steps on that page, and nobody else's grade changes."""

import json
import re
import runpy
import shutil
import subprocess
from pathlib import Path

import pytest

pytest.importorskip("fcntl")  # locks: no Windows

from grader.course.paths import ROOT

FAKES = runpy.run_path(str(Path(__file__).with_name("classroom_fakes.py")))
STUDENT = "adalovelace"


@pytest.mark.skipif(not shutil.which("sed"), reason="there is no sed here")
@pytest.mark.leg("push")
def test_nothing_is_left_of_a_student_who_is_deleted(tmp_path, monkeypatch):
    FAKES["use"](monkeypatch)
    folder, out = FAKES["class_of"](tmp_path / "class", 4), tmp_path / "grades"
    FAKES["hand_in"](folder, STUDENT, "answer 2")  # the same bytes as s02: a pair to be shown
    roster = tmp_path / "roster.csv"
    roster.write_text(f"id,name,section\n{STUDENT},Ada,A\ns00,Ben,A\n")
    out.mkdir()
    (out / "marks.csv").write_text(f"student,item,points,comment\n{STUDENT},2.1,1,fine\ns00,2.1,1,fine\n")
    (out / "marks-comments.csv").write_text(f"student,item,line,text,comment\n{STUDENT},2.1,1,x,why\ns00,2.1,1,x,why\n")
    asked = {"when": "2026-12-04T10:00:00+01:00", "who": "mary", "what": "request", "item": "2.1", "before": None}
    said = [{**asked, "student": student, "after": {"text": "why?"}} for student in (STUDENT, "s00")]
    (out / "marks-log.jsonl").write_text("".join(json.dumps(entry) + "\n" for entry in said))
    assert FAKES["graded"](folder, out, roster=roster)[0] == 0
    before = others(out)
    assert STUDENT in (out / "journal.jsonl").read_text() and (out / STUDENT / "feedback.html").is_file()

    shutil.rmtree(folder / STUDENT)
    for path in (roster, out / "marks.csv", out / "marks-comments.csv"):
        path.write_text("".join(line for line in path.read_text().splitlines(True) if STUDENT not in line))
    page = (ROOT / "docs" / "privacy.md").read_text(encoding="utf-8")
    steps = re.search(r"```sh\n( +rm .*?\n +sed .*?)\n", page, re.S)[1].replace("grades/ada", f"grades/{STUDENT}")
    subprocess.run(["bash", "-e", "-c", steps.replace('"ada"', f'"{STUDENT}"')], cwd=folder, check=True)
    assert FAKES["graded"](folder, out, roster=roster, resume=True, seed=None)[0] == 0

    left = [path for path in out.rglob("*") if path.is_file() and STUDENT.encode() in path.read_bytes()]
    assert left == [] and not (out / STUDENT).exists()
    assert others(out) == before and "s00" in (out / "marks-log.jsonl").read_text()


def others(out):
    records = map(json.loads, (out / "grades.jsonl").read_text().splitlines())
    return {r["student"]: (r["earned"], r["seed"]) for r in records if r["student"] != STUDENT}
