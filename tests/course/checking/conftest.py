"""A learner's package that tests write wrong answers into."""

import re
import shutil

import pytest

from grader.checking.check import Request, check
from grader.course import catalogue
from grader.course.paths import REFERENCE

REGION = r"(?P<indent> *)# exercise {id}\n.*?# end of exercise {id}"


@pytest.fixture
def learner(tmp_path):
    """A package with the reference's answers in the learner's form."""
    shutil.copytree(REFERENCE / "babygrad", tmp_path / "babygrad", ignore=shutil.ignore_patterns("__pycache__"))
    for path in (tmp_path / "babygrad").rglob("*.py"):
        text = re.sub(r"### BEGIN SOLUTION (\d+\.\d+): .*", r"# exercise \1", path.read_text())
        closed = r"# exercise \1\n\2# end of exercise \1"
        text = re.sub(r"# exercise (\d+\.\d+)\n(.*?)### END SOLUTION", closed, text, flags=re.S)
        path.write_text(text)
    return Learner(tmp_path)


class Learner:
    def __init__(self, folder):
        self.folder = folder

    def write(self, id, code, file="value.py"):
        """Put code into the first region of an exercise."""

        def region(match):
            lines = [f"# exercise {id}", *code.splitlines(), f"# end of exercise {id}"]
            return "\n".join(match["indent"] + line for line in lines)

        self.edit(lambda text: re.sub(REGION.format(id=id), region, text, count=1, flags=re.S), file)

    def edit(self, change, file="value.py"):
        path = self.folder / "babygrad" / file
        before = path.read_text()
        assert change(before) != before
        path.write_text(change(before))

    def check(self, *words, timeout=5.0):
        verdicts = check(catalogue.select(words), Request(self.folder, timeout))
        return {v.id: v for v in verdicts}
