"""What documents show of the course's own data: README's table of notebooks and picture of a graph, docs/exercises.md.

python -m grader.maintainer.readme writes all three.
"""

import re

from ..course import catalogue
from ..course.packages import private_copy
from ..course.paths import REFERENCE, ROOT
from . import minutes

README = ROOT / "README.md"
PICTURE = ROOT / "docs" / "graph.svg"
EXERCISES = ROOT / "docs" / "exercises.md"
ABOUT_EXERCISES = """# All exercises, and the thought of each

For teachers: what a learner has to decide or find in each exercise. It is said to no learner, and is in no student
edition. Written by `python -m grader.maintainer.readme`.
"""
HEAD = """| notebook | minutes | core | sittings | exercises | points | your files |
|---|---|---|---|---|---|---|"""
TABLE = re.compile(r"(?<=<!-- notebooks -->\n).*?(?=\n<!-- end of notebooks -->)", re.S)


def table():
    """The Markdown table of all notebooks."""
    rows = [
        "| notebook | minutes | core | sittings | exercises | points | your files |",
        "|---|---|---|---|---|---|---|",
    ]
    return "\n".join([*rows, *map(_row, catalogue.notebooks())])


def _row(nb):
    exercises = catalogue.exercises_of(nb.number)
    points = sum(ex.points for ex in exercises)
    files = " ".join(f"`{file}`" for file in nb.files)
    link = f"[{nb.number} {nb.title}](solutions/notebooks/{nb.name}.ipynb)"
    return f"| {link} | {minutes.row(nb.number)} | {len(exercises)} | {points} | {files} |"


def exercises():
    """The text of docs/exercises.md."""
    return "\n".join([ABOUT_EXERCISES, *("\n".join(_exercises_of(nb)) for nb in catalogue.notebooks())])


def _exercises_of(nb):
    yield f"## {nb.number} {nb.title}\n"
    yield "| exercise | points | minutes | difficulty | the learner has to |\n|---|---|---|---|---|"
    for ex in catalogue.exercises_of(nb.number):
        difficulty, takes = "●" * ex.difficulty + "○" * (4 - ex.difficulty), round(minutes.for_exercise(ex.id))
        yield f"| {ex.id} `{ex.title}` | {ex.points} | {takes} | {difficulty} | {catalogue.thought(ex.id)} |"
    yield ""


def picture():
    """The SVG text of loss = (w * x + b - 1) ** 2 after backward, drawn by the reference. No exercise's answer."""
    with private_copy(REFERENCE) as package:
        w, x, b = (package.Value(number, label=name) for name, number in (("w", 0.5), ("x", 3.0), ("b", 1.0)))
        error = w * x + b + -1
        loss = error**2
        error.label, loss.label = "error", "loss"
        loss.backward()
        return package.draw_graph(loss).svg


def main():
    text = README.read_text(encoding="utf-8")
    README.write_text(TABLE.sub(lambda _: table(), text), encoding="utf-8")
    PICTURE.write_text(picture(), encoding="utf-8")
    EXERCISES.write_text(exercises(), encoding="utf-8")


if __name__ == "__main__":
    main()
