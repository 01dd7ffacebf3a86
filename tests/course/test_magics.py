"""%check, %hint, %progress in a real kernel, on stubs that are filled while it runs."""

import os

import pytest
from jupyter_client.manager import start_new_kernel

from grader import magics, stubs
from grader.notebooks import GUARDED_LOAD
from grader.places import ROOT


@pytest.fixture(scope="module")
def kernel(tmp_path_factory):
    """A kernel whose babygrad is a folder of fresh stubs."""
    folder = tmp_path_factory.mktemp("learner")
    stubs.write(folder)
    environment = {**os.environ, "PYTHONPATH": f"{folder}{os.pathsep}{ROOT}"}
    manager, client = start_new_kernel(kernel_name="python3", env=environment, cwd=str(folder))
    yield Kernel(client, folder)
    client.stop_channels()
    manager.shutdown_kernel(now=True)


class Kernel:
    def __init__(self, client, folder):
        self.client, self.folder = client, folder
        self.run("%load_ext grader")

    def run(self, code):
        """(all output as text, all output as HTML, status) of a cell."""
        plain, html = [], []

        def hear(message):
            content = message["content"]
            if message["msg_type"] == "stream":
                plain.append(content["text"])
            elif message["msg_type"] in ("display_data", "execute_result"):
                plain.append(content["data"].get("text/plain", ""))
                html.append(content["data"].get("text/html", ""))
            elif message["msg_type"] == "error":
                plain.append("\n".join(content["traceback"]))

        reply = self.client.execute_interactive(code, timeout=60, output_hook=hear)
        return "\n".join(plain), "\n".join(html), reply["content"]["status"]

    def fill(self, code):
        path = self.folder / "babygrad" / "value.py"
        lines = path.read_text().splitlines()
        at = next(n for n, line in enumerate(lines) if line.strip() == "# exercise 2.1") + 1
        lines[at] = "        " + code
        path.write_text("\n".join(lines) + "\n")


WRONG = "return Value(self.data * other.data, (self, other), '*', (self.data, other.data))"
RIGHT = "return Value(self.data * other.data, (self, other), '*', (other.data, self.data))"


def test_a_learner_goes_from_stub_to_points_without_restarting_the_kernel(kernel):
    plain, _, status = kernel.run("from babygrad import Value\nValue(2.0) * 3")
    assert status == "error" and "Exercise 2.1" in plain and "Traceback" not in plain
    assert "not started" in kernel.run("%check 2.1")[0]

    kernel.fill(WRONG)
    plain, html, _ = kernel.run("%check 2.1")
    assert "failed" in plain and "Called a * b" in plain and "Hint: %hint 2.1" in plain
    assert "background:" in html and "color:" in html and "Called a * b" in html
    assert "has not changed since the last check" in kernel.run("%check 2.1")[0]

    kernel.fill(RIGHT)
    assert "passed" in kernel.run("%check 2.1")[0]
    assert "Value(data=6.0" in kernel.run("Value(2.0) * 3")[0]


def test_a_check_of_a_notebook_shows_its_table(kernel):
    plain, html, _ = kernel.run("%check 02")
    assert "2.2" in plain and "<table" in html


def test_progress_shows_every_notebook(kernel):
    plain, html, _ = kernel.run("%progress")
    assert "00 " in plain and "04 " in plain and "points" in html


def test_a_hint_is_shown(kernel):
    assert "1. " in kernel.run("%hint 2.2")[0]


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("%check", "Say which"),
        ("%hint", "Say which"),
        ("%check 99.9", "no exercise 99.9"),
        ("%hint 2.1 2.2", "Say which"),
        ("%check nonsense", "nonsense"),
        ("%reset 2.1", "make reset EX=2.1"),
        ("%fill 2.1", "make fill EX=2.1"),
    ],
)
def test_a_magic_that_makes_no_sense_gets_one_sentence(kernel, line, words):
    plain, _, status = kernel.run(line)
    assert words in plain and status == "ok" and len(plain.strip().splitlines()) == 1


def test_ipythons_own_reset_still_works(kernel):
    kernel.run("forgotten = 1")
    assert kernel.run("%reset_selective -f forgotten")[2] == "ok"
    assert kernel.run("%reset -f out")[2] == "ok"


def test_a_kernel_of_another_copy_of_the_course_says_so_in_one_sentence(tmp_path, capsys):
    for name in ("grader", "notebooks"):
        (tmp_path / name).mkdir()
    magics._say_if_this_is_another_course(tmp_path)
    assert len(capsys.readouterr().out.splitlines()) == 1
    magics._say_if_this_is_another_course(ROOT)
    assert capsys.readouterr().out == ""


def test_the_first_cell_of_a_notebook_on_another_python_says_one_sentence(kernel):
    """A kernel that does not know the course, pretended: nothing named grader can be imported for one cell."""
    kernel.run(NO_GRADER)
    plain, _, status = kernel.run(GUARDED_LOAD)
    kernel.run("sys.meta_path.remove(no_grader)")
    assert status == "error"
    assert plain == "This kernel does not know the course. Start the notebook with: make lab"


NO_GRADER = """
import sys

class NoGrader:
    def find_spec(self, name, path=None, target=None):
        if name == "grader":
            raise ModuleNotFoundError(name, name=name)

no_grader = NoGrader()
sys.meta_path.insert(0, no_grader)
for name in [name for name in sys.modules if name == "grader"]:
    del sys.modules[name]
get_ipython().extension_manager.loaded.discard("grader")
"""
