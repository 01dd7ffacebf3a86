"""The table of notebooks in README.md, made from the data."""

from . import course


def table():
    """The Markdown table of all notebooks."""
    rows = ["| notebook | minutes | exercises | points | your files |", "|---|---|---|---|---|"]
    return "\n".join([*rows, *map(_row, course.notebooks())])


def _row(nb):
    exercises = course.exercises_of(nb.number)
    points = sum(ex.points for ex in exercises)
    files = " ".join(f"`{file}`" for file in nb.files)
    link = f"[{nb.number} {nb.title}](solutions/notebooks/{nb.name}.ipynb)"
    return f"| {link} | {nb.minutes} | {len(exercises)} | {points} | {files} |"
