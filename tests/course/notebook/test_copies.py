"""Several copies of the course and one environment, as on a JupyterHub: a notebook belongs to the copy it lies in."""

import json
import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from contextlib import contextmanager
from pathlib import Path

import pytest

from grader.course.paths import ROOT
from grader.maintainer.clean_notebooks import GUARDED_LOAD

sys.path.append(str(Path(__file__).parent))
import kernels

pytestmark = pytest.mark.leg("push")

COURSE = ("grader", "babygrad", "notebooks", "tests/exercises", "solutions")
SKIPPED = shutil.ignore_patterns("__pycache__", ".*", "*.png")
STUB = """        raise NotImplementedError("exercise 2.1: Value.__mul__")"""
RIGHT = "        return Value(self.data * other.data, (self, other), '*', (other.data, self.data))"

OWN = ("BABYGRAD_PACKAGE", "BABYGRAD_MEMORY", "JPY_SESSION_NAME")
WITHOUT_OWN = {name: value for name, value in os.environ.items() if name not in OWN}


@pytest.fixture(scope="module")
def copies(tmp_path_factory):
    """The folders of Ada's copy, which the environment belongs to, and of Ben's, in which 2.1 is right."""
    home = tmp_path_factory.mktemp("home")
    for name in ("ada", "ben"):
        for part in COURSE:
            shutil.copytree(ROOT / part, home / name / part, ignore=SKIPPED)
    path = home / "ben" / "babygrad" / "value.py"
    text = path.read_text()
    assert text.count(STUB) == 1
    path.write_text(text.replace(STUB, RIGHT))
    return home / "ada", home / "ben"


@pytest.fixture
def kernel_in(copies, tmp_path):
    """Start a kernel of Ada's environment in a folder."""
    ada, _ = copies

    def start(folder, **told):
        environment = {**WITHOUT_OWN, "PYTHONPATH": str(ada), "IPYTHONDIR": str(tmp_path), **told}
        return kernels.running(folder, environment)

    return start


@pytest.mark.leg("night")
def test_package_checks_hints_and_reload_are_those_of_the_copy_around_the_notebook(copies, kernel_in):
    ada, ben = copies
    with kernel_in(ben / "notebooks") as kernel:
        belongs_to(ben, kernel)
        assert "1. " in kernel.run("%hint 2.3")[0]
        assert "0.1" in kernel.run("%progress")[0]
        assert (ben / ".babygrad").is_dir() and not (ada / ".babygrad").exists()
        kernel.run("from babygrad import Value")
        value = ben / "babygrad" / "value.py"
        value.write_text(value.read_text() + "\nSAVED = 'by Ben'\n")
        assert "Loaded your changes in value.py" in kernel.run("babygrad.value.SAVED")[0]


def belongs_to(course, kernel):
    assert kernel.run(GUARDED_LOAD) == ("", "", "ok")
    assert str(course / "babygrad") in kernel.run("import babygrad; babygrad.__file__")[0]
    assert ("not started" if course.name == "ada" else "passed") in kernel.run("%check 2.1")[0]


@pytest.mark.leg("night")
def test_a_notebook_of_the_copy_that_the_environment_belongs_to_still_works(copies, kernel_in):
    with kernel_in(copies[0] / "notebooks") as kernel:
        belongs_to(copies[0], kernel)


def test_the_notebook_counts_that_jupyters_server_names(copies, kernel_in):
    """Its kernel may have gone elsewhere (%cd), or may have been started elsewhere."""
    ada, ben = copies
    with kernel_in(ada / "notebooks", JPY_SESSION_NAME=str(ben / "notebooks" / "02_scalar_value.ipynb")) as kernel:
        belongs_to(ben, kernel)


@pytest.mark.leg("night")
def test_a_server_above_both_copies_opens_the_notebooks_of_each(copies, tmp_path):
    """As a hub does: one server, one environment, Ada's, and a folder with everybody's copies."""
    ada, _ = copies
    with server(ada.parent, {"PYTHONPATH": str(ada), "IPYTHONDIR": str(tmp_path)}, tmp_path) as opened:
        for course in copies:
            with kernels.connected(opened(f"{course.name}/notebooks/02_scalar_value.ipynb")) as kernel:
                belongs_to(course, kernel)


@contextmanager
def server(root, environment, scratch):
    """Jupyter's server. Gives a function that opens a notebook and returns the file by which its kernel is found."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "jupyter_server", "--no-browser", f"--port={port}", "--ServerApp.port_retries=0"]
    command += [f"--ServerApp.root_dir={root}", "--IdentityProvider.token=", "--ServerApp.disable_check_xsrf=True"]
    command += ["--allow-root"] if hasattr(os, "geteuid") and os.geteuid() == 0 else []
    settings = {"JUPYTER_RUNTIME_DIR": str(scratch / "run"), "JUPYTER_CONFIG_DIR": str(scratch / "config")}
    with (scratch / "log").open("w") as log:
        process = subprocess.Popen(command, env={**WITHOUT_OWN, **environment, **settings}, stdout=log, stderr=log)

    def opened(path):
        kernel = {"kernel": {"name": "python3"}, "name": Path(path).name, "path": path, "type": "notebook"}
        request = urllib.request.Request(f"http://127.0.0.1:{port}/api/sessions", json.dumps(kernel).encode())
        while True:
            try:
                with urllib.request.urlopen(request, timeout=600) as answer:
                    return scratch / "run" / f"kernel-{json.load(answer)['kernel']['id']}.json"
            except urllib.error.URLError as error:
                if process.poll() is not None or isinstance(error, urllib.error.HTTPError):
                    pytest.fail((scratch / "log").read_text())
                time.sleep(0.1)

    try:
        yield opened
    finally:
        process.terminate()
        process.wait()


@pytest.mark.parametrize("session", [{}, {"JPY_SESSION_NAME": "notebooks/gone/02_scalar_value.ipynb"}])
@pytest.mark.leg("night")
def test_vs_code_starts_kernels_in_the_workspace_and_names_the_notebook(copies, kernel_in, session):
    ada, ben = copies
    with kernel_in(ada, **session) as kernel:
        kernel.run(f"__vsc_ipynb_file__ = {str(ben / 'notebooks' / '02_scalar_value.ipynb')!r}")
        belongs_to(ben, kernel)


@pytest.mark.leg("night")
def test_a_path_that_vs_code_gives_on_another_machine_does_not_count(copies, kernel_in):
    with kernel_in(copies[1] / "notebooks") as kernel:
        kernel.run("__vsc_ipynb_file__ = 'C:/Users/ben/course/notebooks/02_scalar_value.ipynb'")
        belongs_to(copies[1], kernel)


# ------------------------------------------------------------------ where it refuses


def refused(kernel, *words):
    """The first cell says one sentence or two, and there is no %check."""
    plain, _, status = kernel.run(GUARDED_LOAD)
    assert status == "error" and len(plain.splitlines()) == 1
    assert [word for word in words if word not in plain] == []
    assert "not found" in kernel.run("%check 2.1")[0]


@pytest.mark.parametrize("path", ["/", "{ben}", "{ben}/notebooks/mine"])
@pytest.mark.leg("night")
def test_where_no_copy_is_around_the_notebook_it_refuses(copies, kernel_in, path):
    folder = path.format(ben=copies[1])
    os.makedirs(folder, exist_ok=True)
    with kernel_in(folder) as kernel:
        refused(kernel, "There is no course in", "open the notebook in your copy of the course")


@pytest.mark.leg("night")
def test_without_any_course_it_refuses_in_the_same_words(kernel_in, tmp_path):
    with kernel_in(tmp_path) as kernel:
        kernel.run(NOTHING.format(name="grader"))
        refused(kernel, f"There is no course in {tmp_path.parent}: open the notebook in your copy of the course.")


def test_a_kernel_without_the_courses_packages_is_refused(copies, kernel_in):
    with kernel_in(copies[1] / "notebooks") as kernel:
        kernel.run(NOTHING.format(name="matplotlib"))
        refused(kernel, "has no matplotlib", "make lab")


# From now on nothing of this name is found, whatever the environment knows.
NOTHING = """
import sys
from importlib.machinery import PathFinder

class Finder(PathFinder):
    @classmethod
    def find_spec(cls, name, path=None, target=None):
        return None if name == "{name}" else super().find_spec(name, path, target)

sys.meta_path[:] = [Finder if finder is PathFinder else finder for finder in sys.meta_path]
"""


IMPORTS = ["import grader", "import grader.notebook.magics", "from grader.course import catalogue"]


@pytest.mark.parametrize("code", IMPORTS)
def test_a_kernel_that_has_loaded_another_grader_is_refused(copies, kernel_in, code):
    ada, ben = copies
    with kernel_in(ben / "notebooks") as kernel:
        kernel.run(code)
        refused(kernel, str(ada), str(ben), "Restart the kernel")


@pytest.mark.leg("night")
@pytest.mark.parametrize("code", ["import babygrad", "from babygrad import Value"])
def test_a_kernel_that_has_imported_another_babygrad_is_refused(copies, kernel_in, code):
    ada, ben = copies
    with kernel_in(ben / "notebooks") as kernel:
        kernel.run(code)
        refused(kernel, str(ada / "babygrad"), str(ben / "babygrad"), "Restart the kernel")


@pytest.mark.parametrize("line", ["%check 2.1", "%hint 2.1", "%progress"])
@pytest.mark.leg("night")
def test_no_check_of_a_babygrad_that_was_exchanged_later(copies, kernel_in, line):
    ada, ben = copies
    with kernel_in(ben / "notebooks") as kernel:
        kernel.run(GUARDED_LOAD)
        kernel.run(f"import sys; sys.path.insert(0, {str(ada)!r}); import babygrad")
        plain, html, _ = kernel.run(line)
        assert html == "" and len(plain.splitlines()) == 1
        assert str(ada / "babygrad") in plain and str(ben / "babygrad") in plain


def test_a_course_whose_package_is_gone_is_refused(copies, kernel_in, tmp_path):
    course = tmp_path / "course"
    (course / "notebooks").mkdir(parents=True)
    shutil.copytree(copies[0] / "grader", course / "grader")
    with kernel_in(course / "notebooks") as kernel:
        refused(kernel, f"There is no folder {course / 'babygrad'}")
