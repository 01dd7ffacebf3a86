"""What is missing is skipped, and fails where it is required; .ci/run requires what is there, and names the rest."""

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from grader.course.paths import ROOT

# What .ci/run itself needs, and programs that a test may need.
NEEDED = ("bash", "dirname", "env", "grep", "id", "mktemp", "rm", "sh", "tail", "tee", "unshare")
MAKE = '#!/bin/sh\necho "node: $BABYGRAD_REQUIRE_NODE"\n'


@pytest.mark.parametrize(("value", "outcome"), [("1", pytest.fail), ("0", pytest.skip), ("", pytest.skip)])
def test_what_is_required_is_not_skipped(value, outcome, do_without, monkeypatch):
    monkeypatch.setenv("BABYGRAD_REQUIRE_TEAPOT", value)
    with pytest.raises(outcome.Exception, match="no teapot"):
        do_without("TEAPOT", "no teapot")


def test_ci_requires_all_that_tests_do_without():
    texts = [path.read_text(encoding="utf-8") for path in (ROOT / "tests" / "course").rglob("*.py")]
    known = {name for text in texts for name in re.findall(r'do_without\("(\w+)"', text)} - {"TEAPOT"}
    assert known >= {"BROWSER", "JAIL", "NODE", "STUBS"}
    assert set(re.findall(r"export BABYGRAD_REQUIRE_(\w+)=1", (ROOT / ".ci" / "run").read_text())) == known


@pytest.mark.parametrize("there", [True, False])
def test_ci_requires_node_where_it_is_and_names_it_where_it_is_not(there, tmp_path):
    for path in filter(None, map(shutil.which, NEEDED)):
        (tmp_path / Path(path).name).symlink_to(path)
    for name in ("chromium", *(("node", "npm") if there else ())):
        (tmp_path / name).symlink_to(tmp_path / "sh")
    (tmp_path / "make").write_text(MAKE)
    (tmp_path / "make").chmod(0o755)
    plain = {name: value for name, value in os.environ.items() if not name.startswith("BABYGRAD_REQUIRE_")}
    command = [tmp_path / "bash", ROOT / ".ci" / "run"]
    done = subprocess.run(command, env={**plain, "PATH": str(tmp_path)}, capture_output=True, text=True, timeout=600)
    assert f"node: {'1' if there else ''}" in done.stdout.splitlines(), done.stdout + done.stderr
    named = [line for line in done.stdout.splitlines() if "No Node.js" in line]
    assert [line.partition("No")[0] for line in named] == ([] if there else ["", "==== "])
