"""The packages from npm: pinned, from no named host, installed once."""

import json
import re
import sys
from pathlib import Path

import pytest

from grader.course.usage import UsageError
from grader.web import npm

LOCK = json.loads((npm.HERE / "package-lock.json").read_text(encoding="utf-8"))
PACKAGE = json.loads((npm.HERE / "package.json").read_text(encoding="utf-8"))


def test_the_lock_names_no_host_and_a_digest_for_each_package():
    packages = {name: package for name, package in LOCK["packages"].items() if name}
    assert len(packages) > 20
    assert [name for name, package in packages.items() if "resolved" in package] == []
    assert [name for name, package in packages.items() if not package["integrity"].startswith("sha512-")] == []
    assert "://" not in json.dumps(LOCK)


def test_versions_are_exact_and_the_lock_has_the_same():
    versions = PACKAGE["dependencies"]
    assert all(re.fullmatch(r"\d+\.\d+\.\d+", version) for version in versions.values())
    assert LOCK["packages"][""]["dependencies"] == versions
    assert PACKAGE["private"] is True


@pytest.fixture
def bare(tmp_path, monkeypatch):
    """An environment without packages, and without npm."""
    monkeypatch.setattr(sys, "prefix", str(tmp_path))
    monkeypatch.setattr(npm.shutil, "which", lambda name: None)
    return tmp_path


def test_without_node_it_is_said_what_to_install(bare):
    with pytest.raises(UsageError, match=r"install Node\.js"):
        npm.node_modules()


def test_they_are_installed_once_and_again_when_the_lock_changes(bare, monkeypatch):
    def install(words, folder):
        asked.append(words[:2])
        (Path(folder) / "node_modules").mkdir()

    asked = []
    monkeypatch.setattr(npm, "is_there", lambda: True)
    monkeypatch.setattr(npm, "_told", install)
    assert npm.node_modules() == npm.node_modules() == bare / "web" / "node_modules"
    assert asked == [("npm", "ci")] and (bare / "web" / "node_modules").is_dir()
    monkeypatch.setattr(npm, "_stamp", lambda: "another lock")
    npm.node_modules()
    assert len(asked) == 2 and (bare / "web" / "ready").read_text() == "another lock"
    assert [path.name for path in bare.iterdir()] == ["web"]


def test_what_npm_says_when_it_fails_is_told(bare, monkeypatch):
    monkeypatch.setattr(npm, "is_there", lambda: True)
    monkeypatch.setattr(npm, "CI", ("-c", "import sys; sys.exit('no network')"))
    words = npm.subprocess.run

    def run(asked, **options):
        return words([sys.executable, *asked[1:]], **options)

    monkeypatch.setattr(npm.subprocess, "run", run)
    with pytest.raises(UsageError, match="no network"):
        npm.node_modules()
    assert [*bare.iterdir()] == []


@pytest.mark.leg("night")
def test_npm_installs_what_the_lock_says(node, tmp_path, monkeypatch):
    monkeypatch.setattr(sys, "prefix", str(tmp_path))
    folder = node.node_modules()
    assert all((folder / name / "package.json").is_file() for name in PACKAGE["dependencies"])
    assert node.node("-p", "1 + 1") == "2\n"
