"""The pages of exercises, one for each notebook: the question, the stub, folded hints. Never an answer."""

import ast
import html
import json
import re

from ..asking.draws import is_light
from ..course import catalogue, regions
from ..course.paths import LEARNER, package_folder
from ..course.phrases import counted
from ..course.tracks import CORE, EVENING, STRETCH
from ..maintainer import minutes
from .markdown import fenced, folded, raw

NUMBER = re.compile(r"\d+\.\d+")
HEADING = re.compile(r"### Exercise (?P<id>\d+\.\d+)\b.*\n(?P<text>(?:(?!#{1,4} ).*\n?)*)", re.MULTILINE)
# Where a text names exercises by their numbers alone: "as in 1.1", "your rules of 6.1 to 6.4". A measure is none.
MENTIONED = (
    r"\b(?:in|after|done|did|asks what|exercises|(?:backward|have) from|(?:rules?|product|lines?|search|network) of) "
    r"(?P<mentioned>[1-9]\d*\.\d+(?: (?:and in|and|to) [1-9]\d*\.\d+)*)(?![\d%]|\.\d| ?(?:m?s|seconds|minutes)\b)"
)
TRACKS = {EVENING: "on all tracks through the course", CORE: "core", STRETCH: "stretch"}
ABOUT = """Each exercise as a learner meets it: what is asked, the stub in `babygrad/`, three hints, from the idea to
almost the code. The answer is yours: `make check EX={id}` says whether it is right, and if not, which idea is wrong."""


def label(id):
    """The name that links use for an exercise, on any page: [3.2](#exercise-3-2)."""
    return f"exercise-{id.replace('.', '-')}"


def page(nb, notebook, tried=False):
    """The MyST of a notebook's exercises.

    notebook: the path of the executed one.  tried: those that need no NumPy are in try/ too.
    """
    exercises = catalogue.exercises_of(nb.number)
    questions = questions_in(notebook)
    about = ABOUT.format(id=exercises[0].id)
    top = f"# Exercises of {nb.number} · {nb.title}\n\n{about}\n\n[The notebook](../notebooks/{nb.name}.md) · "
    links = f"[What goes wrong](../what_goes_wrong/{nb.name}.md)\n"
    return "\n\n".join([top + links, *(_exercise(ex, questions[ex.id], tried) for ex in exercises)]) + "\n"


def questions_in(notebook):
    """{exercise id: what the notebook asks, as Markdown}."""
    cells = json.loads(notebook.read_text(encoding="utf-8"))["cells"]
    texts = ["".join(cell["source"]) + "\n" for cell in cells if cell["cell_type"] == "markdown"]
    return {found["id"]: found["text"].strip() for text in texts for found in HEADING.finditer(text)}


def _exercise(ex, question, tried):
    stub = fenced(stub_of(ex), "{code-block} python", [":class: code", f":caption: babygrad/{ex.file}"])
    hints = [folded(f"Hint {number}", html_of(hint), "hint") for number, hint in enumerate(ex.hints, 1)]
    number = ex.id.replace(".", "-")
    more = f"[In the notebook](#asked-{number}) · [What goes wrong in {ex.id}](#wrong-{number})"
    if tried and is_light(ex.id):
        more = f'<a href="../try/{ex.notebook}.html#{label(ex.id)}">Try it in the page</a> · {more}'
    return "\n\n".join([f"({label(ex.id)})=\n## {ex.id} `{ex.title}`", facts(ex), question, stub, *hints, more])


def facts(ex):
    """One line: points, minutes, difficulty, track, what it builds on."""
    takes = counted(round(minutes.for_exercise(ex.id)), "minute")
    needs = ", ".join(f"[{id}](#{label(id)})" for id in ex.needs)
    builds = f" · builds on {needs}" if needs else ""
    return f"{counted(ex.points, 'point')} · {takes} · difficulty {ex.difficulty} of 4 · {TRACKS[ex.track]}{builds}"


def html_of(hint):
    return raw(f"<p>{re.sub(MENTIONED, lambda found: re.sub(NUMBER, _linked, found[0]), html.escape(hint))}</p>")


def _linked(number):
    """A link from these pages to an exercise, if there is one of this number."""
    if number[0] not in {ex.id for ex in catalogue.all_exercises()}:
        return number[0]
    ex = catalogue.exercise(number[0])
    return f'<a href="{catalogue.notebook(ex.notebook).name}.html#{label(ex.id)}">{ex.id}</a>'


def stub_of(ex):
    """The functions of the learner's file that hold the exercise, as they are handed out; methods in their class."""
    text = (package_folder(LEARNER) / ex.file).read_text(encoding="utf-8")
    lines, tree = text.splitlines(), ast.parse(text)
    shown, within = [], None
    for region in (region for region in regions.stub_regions(text) if region.id == ex.id):
        owner, definition = around(tree, region)
        start, end = span(definition, region)
        if owner is not None and owner is not within:
            shown.append(lines[owner.lineno - 1])
        within = owner
        block = "\n".join(lines[start:end])
        if block not in shown:
            shown.append(block)
    return "\n\n\n".join(shown).replace(":\n\n\n    ", ":\n    ") if within is None else _in_class(shown)


def _in_class(shown):
    """Classes with their methods, one empty line between two."""
    return re.sub(r"(?m)^(class .*:)\n\n(?= )", r"\1\n", "\n\n".join(shown))


def around(tree, region):
    """(The class, the function) around a region, each None if there is none."""
    inside = region.start + 1, region.end - 1
    nodes = [
        node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.ClassDef)
    ]  # the outer ones first
    nodes = [node for node in nodes if node.lineno <= inside[0] and inside[1] <= node.end_lineno]
    count = next((n for n, node in enumerate(nodes) if isinstance(node, ast.FunctionDef)), len(nodes))
    return (nodes[:count] or [None])[-1], (nodes[count:] or [None])[0]


def span(definition, region):
    """The lines (from, to) that are shown: the function with its decorators, or the region alone."""
    if definition is None:
        return region.start, region.end
    first = min([definition.lineno, *(each.lineno for each in definition.decorator_list)])
    return first - 1, max(definition.end_lineno, region.end)
