"""Where universities run it: the files for images, Codespaces and Binder, read; what can be run without them, run."""

import json
import os
import re
import runpy
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from grader.course.paths import ROOT
from grader.edition import release
from grader.maintainer.clean_notebooks import GUARDED_LOAD

CONTAINERS = ROOT / "containers"
DOCKERFILE = (CONTAINERS / "Dockerfile").read_text(encoding="utf-8")
STUB = 'raise NotImplementedError("exercise 0.2: sides")'
HUB = (ROOT / "docs" / "jupyterhub.md").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def edition(tmp_path_factory):
    folder = tmp_path_factory.mktemp("edition") / "students"
    release.release(folder, notebooks="0")
    return folder


@pytest.mark.leg("push")
def test_the_devcontainer_makes_the_environment_that_make_uses(edition):
    read = json.loads((edition / ".devcontainer" / "devcontainer.json").read_text())
    assert read["postCreateCommand"] == "python3 -m grader.environment core"
    assert read["customizations"]["vscode"]["settings"]["python.defaultInterpreterPath"].endswith("/.venv/bin/python")


def test_binders_files_are_in_the_edition_and_its_script_can_be_read(edition):
    script = edition / ".binder" / "postBuild"
    assert script.read_text().startswith("#!/bin/bash\n")
    assert subprocess.run(["bash", "-n", script], check=False).returncode == 0
    assert re.fullmatch(r"python-3\.\d\d\n", (edition / ".binder" / "runtime.txt").read_text())


def copied():
    """What the Dockerfile copies, as paths of this repository."""
    lines = re.findall(r"^COPY (.*) \S+$", DOCKERFILE, re.M)
    return {name for line in lines for name in line.split()}


def test_an_image_holds_no_answers_and_nothing_but_what_the_builder_is_sent():
    sent = {
        line[1:] for line in (CONTAINERS / "Dockerfile.dockerignore").read_text().splitlines() if line.startswith("!")
    }
    assert copied() == sent and all((ROOT / name).is_file() for name in sent)
    assert not any(name.startswith(("solutions", "tests", "babygrad")) for name in sent)


def test_the_learners_image_is_the_default_and_each_stage_is_made_of_one_before_it():
    stages = re.findall(r"^FROM (\S+) AS (\w+)$", DOCKERFILE, re.M)
    assert [name for _, name in stages] == ["base", "grade", "learner"]
    assert {source for source, _ in stages[1:]} == {"base"}
    assert DOCKERFILE.rstrip().splitlines()[-3:-2] == ["USER learner"]


def test_make_in_a_home_takes_the_images_environment_for_its_own(edition, tmp_path):
    """The stamp names folder, Python and requirements: those of the image and of an edition are the same."""
    course = tmp_path / "course"
    for name in re.findall(r"^COPY (.*) /opt/course", DOCKERFILE, re.M)[0].split() + ["grader/environment.py"]:
        (course / name).parent.mkdir(parents=True, exist_ok=True)
        (course / name).write_bytes((ROOT / name).read_bytes())
    (course / "grader" / "__init__.py").touch()  # or a course that this environment knows would be meant
    code = "import sys; sys.path[0] = sys.argv[1]; from pathlib import Path; from grader import environment as e; "
    code += "print(e.stamp(Path(sys.argv[2])))"
    stamps = [
        subprocess.check_output(
            [sys.executable, "-I", "-c", "import sys; sys.path.insert(0, '');" + code, place, tmp_path]
        )
        for place in map(str, (course, edition))
    ]
    assert stamps[0] == stamps[1]


@pytest.mark.leg("push")
def test_a_home_with_the_edition_and_the_kernel_of_another_course(edition, tmp_path):
    """As on a hub: the kernel's environment knows this course, its server was started elsewhere, nothing is written."""
    kernels = runpy.run_path(str(ROOT / "tests" / "course" / "notebook" / "kernels.py"))
    home = tmp_path / "home" / "ada" / "babygrad"
    shutil.copytree(edition, home)
    own = ("BABYGRAD_PACKAGE", "BABYGRAD_MEMORY", "JPY_SESSION_NAME")
    env = {name: value for name, value in os.environ.items() if name not in own}
    with kernels["running"](
        home / "notebooks", {**env, "PYTHONPATH": str(ROOT), "IPYTHONDIR": str(tmp_path)}
    ) as kernel:
        assert kernel.run(GUARDED_LOAD) == ("", "", "ok")
        assert str(home / "babygrad") in kernel.run("import babygrad; babygrad.__file__")[0]
        assert "not started" in kernel.run("%check 0.2")[0]
        warmup = home / "babygrad" / "warmup.py"
        warmup.write_text(warmup.read_text().replace(STUB, "return [0 if s < 0 else 1 for s in []]"))
        assert "failed" in kernel.run("%check 0.2")[0]


def test_the_link_of_nbgitpuller_opens_a_notebook_that_is_there():
    [path] = re.findall(r"lab%2Ftree%2Fbabygrad%2F(notebooks%2F\w+\.ipynb)", re.sub(r"\s+", "", HUB))
    assert (ROOT / path.replace("%2F", "/")).is_file()


@pytest.mark.leg("push")
def test_the_cell_for_colab_makes_package_and_notebook_one_course(edition, tmp_path):
    """Its lines but the installing, with the edition as a zip on this disk, then the first cell's words and a check."""
    archive = Path(shutil.make_archive(str(tmp_path / "babygrad"), "zip", edition.parent, edition.name))
    [cell] = re.findall(r"```python\n(.*?)```", HUB, re.S)
    cell = cell.replace("https://example.edu/babygrad.zip", archive.as_uri())
    cell = "".join(line for line in cell.splitlines(True) if not line.startswith("%pip"))
    script = tmp_path / "colab.ipy"
    script.write_text(f"{cell}\n{GUARDED_LOAD}\n%check 0.1\nimport babygrad\nprint(babygrad.__file__)\n")
    env = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"} | {"IPYTHONDIR": str(tmp_path)}
    command = [sys.executable, "-I", "-m", "IPython", "--no-banner", script.name]
    run = subprocess.run(command, cwd=tmp_path, env=env, capture_output=True, text=True, check=False)
    assert str(tmp_path / "babygrad-course" / "students" / "babygrad") in run.stdout, run.stdout + run.stderr
    assert "not started" in run.stdout
