"""A small graded class to be marked: code of notebook 02, written answers, and texts that want to be more than text."""

import os
import re

import classroom_fakes as fakes

from grader.course import regions
from grader.course.paths import REFERENCE, package_folder

HOSTILE = "</textarea></code><script>document.title = 'taken'</script><img src=x onerror=alert(1)> \u202etxet"
HOSTILE_LINE = f"        # {HOSTILE} {{{{ 7 * 7 }}}}"
ANSWERS = {
    "ada": "While it runs.\nAn `if` decides then.",
    "ben": f"Before it runs.\n{HOSTILE}",
    "cleo": "word " * 200_000,  # 1 MB on one line
}
NAMES = {"ada": "Ada Lovelace", "ben": "Ben <b>Böhm</b>", "cleo": "Cleo نועה", "dov": "Dov"}


def value_file(extra=""):
    """value.py with the reference's answers, and a line more in the first of them."""
    text = (package_folder(REFERENCE) / "value.py").read_text(encoding="utf-8")
    found = regions.solution_regions(text)
    lines = {found[0].key: [extra]} if extra else {}
    return regions.replaced(text, found, lambda r: regions.wrapped(r, [*r.body, *lines.get(r.key, [])]))


def make(folder, patch):
    """Grade the class in folder with fakes; patch: pytest's.  Returns (submissions, grades)."""
    fakes.use(patch)
    submissions = fakes.class_of(folder / "class", 0)
    for student in NAMES:
        fakes.hand_in(submissions, student, value_file(HOSTILE_LINE if student == "ben" else ""))
        if student in ANSWERS:
            path = submissions / student / "answers" / "02.md"
            path.parent.mkdir()
            path.write_text(f"## Note 2.R1\n\n{ANSWERS[student]}\n", encoding="utf-8")
            os.utime(path, (1_700_000_000, 1_700_000_000))
    roster = "".join(f"{id},{name},{'Mon' if id < 'c' else 'Tue'}\n" for id, name in NAMES.items())
    (folder / "roster.csv").write_text(f"id,name,section\n{roster}eve,Eve,Tue\n", encoding="utf-8")
    grade(submissions, folder / "grades")
    return submissions, folder / "grades"


def grade(submissions, out, **others):
    code, said = fakes.graded(submissions, out, roster=submissions.parent / "roster.csv", **others)
    assert code == 0
    return said


def first_exercise():
    """(id, number of a line in its region) of value.py as it is handed in."""
    region = regions.stub_regions(value_file())[0]
    return region.id, region.start + 2


def text_of(page):
    """The words of some HTML."""
    return re.sub(r"\s+", " ", re.sub(r"<[^>]*>", " ", page))
