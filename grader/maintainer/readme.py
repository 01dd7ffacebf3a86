"""What documents show of the course's own data: figures in README.md, files and tables in docs/, a picture, a version.

python -m grader.maintainer.readme writes all of it.
"""

import json
import re

from toolbox.drawing.svg import as_svg
from toolbox.graphs.graph import read_graph

from ..course import catalogue
from ..course.packages import private_copy
from ..course.paths import REFERENCE, ROOT
from ..course.settings import version_of_the_course
from . import course_page, minutes, terms

README = ROOT / "README.md"
NOTEBOOKS = ROOT / "docs" / "notebooks.md"
CITATION = ROOT / "CITATION.cff"
PICTURE = ROOT / "docs" / "graph.svg"
PAGE = 830  # pixels: its room on a code host
EXERCISES = ROOT / "docs" / "exercises.md"
GLOSSARY = ROOT / "docs" / "glossary.md"
ABOUT_EXERCISES = """# All exercises, and the key idea of each

For teachers: what a learner has to decide or find in each exercise. It is said to no learner, and is in no student
edition. "Core" includes what is marked evening; `make release TRACK=core` gives points for nothing else, and leaves
what is marked stretch to who likes it. Written by `python -m grader.maintainer.readme`.
"""
ABOUT_THE_SAME = """## The same for all

The questions of all other exercises draw their inputs anew for each grading. Those of the exercises below draw nothing:
one right answer is right for everybody, every year. A teacher may give them fewer points (`--points`).
"""
HEAD = """| notebook | minutes | core | sittings | exercises | points | your files |
|---|---|---|---|---|---|---|"""
SPEED = """| what is timed | PyTorch takes so many times as long |
|---|---|
| one step of training a small network, with the engine that you write | {written} |
| the same step, compiled as in notebook 15 | {compiled} |
| a whole training on two half moons of points, compiled | {moons} |
| a whole training on digits of 8x8 pixels, compiled | {digits} |

A step learns from 64 points; the network has two hidden layers of 16. All in float64, on one thread; measured by
`make bench` on {date} ({machine})."""
TEACHING = ROOT / "docs" / "teaching.md"
COURSE = ROOT / "docs" / "course.md"
PLANS = ROOT / "docs" / "plans.md"
ABOUT_PLANS = """# Plans, hours and outcomes

For teachers: the tables of [the course page](course.md#plans). Written by `python -m grader.maintainer.readme`.
"""
ABOUT_SITTINGS = """## How long it takes

The minutes of each sitting, by the formula of `grader/maintainer/minutes.py`. "Core" is what remains without the parts
marked stretch.
"""
ABOUT_OUTCOMES = """
## Outcomes

What a student can do afterwards, the exercises that show it, and the exam questions about it (`make exam`).
"""
ABOUT_IN_PERSON = """
## One question in person

Beside the student's own code, in three minutes; nobody types. Who wrote it finds the line and says what would happen.
"""
MEASURED = ROOT / "benchmarks" / "measured.json"
OURS, COMPILED = "babygrad, nn and optim", "babygrad, nn and optim, compiled"


def between(name):
    """The pattern of what is generated between two comments of a document."""
    return re.compile(rf"(?<=<!-- {name} -->\n).*?(?=\n<!-- end of {name} -->)", re.DOTALL)


def tracks():
    """The Markdown table of the tracks through the course."""
    rows = [f"| `{name}` | {sections} | {count} | {time} |" for name, sections, count, time in minutes.tracks()]
    return "\n".join(["| `make check TRACK=` | sections | exercises | takes about |\n|---|---|---|---|", *rows])


def sittings():
    """The Markdown table of all sittings."""
    rows = [
        f"| {nb.number} {nb.title} | {count} | {', '.join(map(short, titles))} | {round(takes)} | {round(core)} |"
        for nb, count, titles, takes, core in minutes.sitting_rows()
    ]
    return "\n".join(["| notebook | sitting | sections | minutes | core |\n|---|---|---|---|---|", *rows])


def short(title):
    """The letter of a section; its name if it has none."""
    return title[0] if title[1:3] == ". " else title


def plans():
    """The text of docs/plans.md."""
    weeks = [f"## {weeks} weeks\n\n{course_page.plan(weeks)}\n" for weeks in sorted(course_page.PLANS, reverse=True)]
    later = [ABOUT_OUTCOMES, course_page.outcomes(), ABOUT_IN_PERSON, course_page.in_person()]
    return "\n".join([ABOUT_PLANS, *weeks, ABOUT_SITTINGS, sittings(), *later, ""])


def figures():
    """What `make bench` measured last: how many times as long PyTorch takes as the engine, and where and when."""
    parts = json.loads(MEASURED.read_text(encoding="utf-8"))
    step, runs = parts["engine"]["measured"]["T1"], parts["runs"]["measured"]
    torch, ours, compiled = (step[name] for name in ("PyTorch, nn and optim", OURS, COMPILED))
    moons, digits = (runs[name]["babygrad, compiled"] for name in ("moons", "digits"))
    times = {"written": torch / ours, "compiled": torch / compiled, "moons": moons, "digits": digits}
    return {name: f"{ratio:.1f}" for name, ratio in times.items()} | {
        "date": parts["engine"]["date"],
        "machine": parts["engine"]["machine"],
    }


def speed():
    """The Markdown of these figures, for README.md and the site."""
    return SPEED.format(**figures())


def table():
    """The Markdown table of all notebooks."""
    return "\n".join([HEAD, *map(_row, catalogue.notebooks())])


def _row(nb):
    exercises = catalogue.exercises_of(nb.number)
    points = sum(ex.points for ex in exercises)
    files = " ".join(f"`{file}`" for file in nb.files)
    link = f"[{nb.number} {nb.title}](../solutions/notebooks/{nb.name}.ipynb)"
    return f"| {link} | {minutes.row(nb.number)} | {len(exercises)} | {points} | {files} |"


def exercises():
    """The text of docs/exercises.md."""
    tables = ["\n".join(_exercises_of(nb)) for nb in catalogue.notebooks()]
    return "\n".join([ABOUT_EXERCISES, *tables, ABOUT_THE_SAME, *_the_same(), ""])


def _the_same():
    for ex in catalogue.all_exercises():
        if why := catalogue.same_for_all(ex.id):
            yield f"- {ex.id} `{ex.title}`: {why}."


def _exercises_of(nb):
    yield f"## {nb.number} {nb.title}\n"
    yield "| exercise | track | points | minutes | difficulty | the learner has to |\n|---|---|---|---|---|---|"
    for ex in catalogue.exercises_of(nb.number):
        difficulty, takes = "●" * ex.difficulty + "○" * (4 - ex.difficulty), round(minutes.for_exercise(ex.id))
        says = f"{ex.track} | {ex.points} | {takes} | {difficulty} | {catalogue.key_idea(ex.id)}"
        yield f"| {ex.id} `{ex.title}` | {says} |"
    yield ""


def citation():
    """CITATION.cff with the version that pyproject.toml names."""
    text = CITATION.read_text(encoding="utf-8")
    return re.sub(r"^version:.*$", f"version: {version_of_the_course()}", text, flags=re.MULTILINE)


def picture():
    """The SVG text of loss = (w * x + b - 1) ** 2 after backward, drawn by the reference. No exercise's answer."""
    with private_copy(REFERENCE) as package:
        w, x, b = (package.Value(number, label=name) for name, number in (("w", 0.5), ("x", 3.0), ("b", 1.0)))
        error = w * x + b + -1
        loss = error**2
        error.label, loss.label = "error", "loss"
        loss.backward()
        return as_svg(read_graph(loss, max_nodes=300), room=PAGE)


def put(document, **tables):
    """Write each table between its comments in a document."""
    text = document.read_text(encoding="utf-8")
    for name, rows in tables.items():
        text = between(name).sub(lambda _, rows=rows: rows, text)
    document.write_text(text, encoding="utf-8")


def main():
    put(README, tracks=tracks(), speed=speed())
    put(NOTEBOOKS, notebooks=table())
    PLANS.write_text(plans(), encoding="utf-8")
    CITATION.write_text(citation(), encoding="utf-8")
    PICTURE.write_text(picture(), encoding="utf-8")
    EXERCISES.write_text(exercises(), encoding="utf-8")
    GLOSSARY.write_text(terms.glossary(), encoding="utf-8")


if __name__ == "__main__":
    main()
