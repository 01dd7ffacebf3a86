"""The texts of a student edition: its README, and the full course's files without what students do not have."""

import json
import re
from pathlib import Path

from ..course.catalogue import exercises_of, notebook, notebooks, number_of
from ..course.phrases import plural
from ..maintainer import minutes
from ..maintainer.readme import HEAD

TARGETS = (
    *("help", "check", "watch", "hint", "quiz", "lab", "train", "reset", "update", "submit", "clean"),
    *("fill", "nbcheck"),
)
NOT_IN_HELP = ("fill", "nbcheck")
README, AGENTS = (Path(__file__).with_name(f"student_{name}.md") for name in ("readme", "agents"))
BY_HAND = "Hand in that file as your teacher told you."
BY_EXCHANGE = """It also hands that file in, under the name of your account, and keeps a receipt:
`sha256sum -c submissions/receipts.sha256` shows that it is there. `%fetch` brings newer notebooks, and feedback."""
TRAIN = "\n  [Training a net](docs/using.md#train-a-net), with `make train`."


def readme(settings):
    """The README of a student edition."""
    first = _first(settings)
    rows = "\n".join([HEAD, *(_row(settings, number) for number in settings.notebooks)])
    remarks = "\n".join(_remarks(settings))
    train = TRAIN if "11" in settings.notebooks else ""
    handing_in = BY_EXCHANGE if settings.exchange else BY_HAND
    said = {
        "handing_in": handing_in,
        "first": first.id,
        "rows": rows,
        "remarks": remarks,
        "version": settings.version,
        "train": train,
    }
    return re.sub(r"\n{3,}", "\n\n", README.read_text(encoding="utf-8").format(**said))


def agents(settings):
    """What an assistant of a student reads, with an exercise of this edition in its commands."""
    return AGENTS.read_text(encoding="utf-8").format(first=_first(settings).id)


def _first(settings):
    """The first Exercise that a student works on."""
    return (settings.exercises() or settings.released())[0]


def _row(settings, number):
    nb, exercises = notebook(number), settings.weighed(exercises_of(number))
    link, files = f"[{nb.number} {nb.title}](notebooks/{nb.name}.ipynb)", " ".join(f"`{file}`" for file in nb.files)
    return f"| {link} | {minutes.row(nb.number)} | {len(exercises)} | {sum(ex.points for ex in exercises)} | {files} |"


def _remarks(settings):
    if settings.given:
        yield f"Given, so without points: {in_short(settings.given)}."
    if others := settings.without_points():
        yield f"To do if you like, without points: {in_short(others)}."
    for number, when in settings.due.items():
        yield f"{f'Notebook {number}' if number else 'Hand in'} by {when:%Y-%m-%d %H:%M} (UTC{when:%z})."


def in_short(ids):
    """Ids of exercises as words: "notebooks 00, 01; 2.1, 2.3", where notebooks stand for all their exercises."""
    whole = [nb for nb in notebooks() if {ex.id for ex in exercises_of(nb.number)} <= set(ids)]
    rest = [id for id in ids if number_of(id) not in {nb.number for nb in whole}]
    named = f"{plural('notebook', len(whole))} {', '.join(nb.number for nb in whole)}" if whole else ""
    return "; ".join(filter(None, [named, ", ".join(rest)]))


def makefile(text):
    """The Makefile with the targets of a student edition."""
    help = rf"^##  make (?!(?:{'|'.join(t for t in TARGETS if t not in NOT_IN_HELP)}) ).*\n(?:##   .*\n)*"
    text = re.sub(rf"{help}|^##for .*\n", "", text, flags=re.MULTILINE)
    text = text.replace('make test ARGS="-k topological"', 'make check ARGS="--timeout 60"')
    text = re.sub(r"^# PACKAGE=solutions .*\n|^to-where:\n.*\n", "", text, flags=re.MULTILINE)
    text = re.sub(r"^# ---- the (?:course|teacher)'s ----\n\n", "", text, flags=re.MULTILINE)
    text = "\n\n".join(part for part in text.split("\n\n") if _belongs(part))
    text = text.replace(" to-where", "")
    return re.sub(r"^\.PHONY: help.*", f".PHONY: {' '.join(TARGETS)}", text, flags=re.MULTILINE)


def _belongs(paragraph):
    """Does this part of the Makefile stay? Not if it is a rule for a target that students do not have."""
    found = re.search(r"^([a-z-]+):(?!=)", paragraph, re.MULTILINE)
    return not found or found[1] in TARGETS or found[1].startswith("which")


def project(text):
    """pyproject.toml without the settings for those who work on the course."""
    text = re.sub(r"^\[tool\.ruff.*?(?=^\[(?!tool\.ruff)|\Z)", "", text, flags=re.MULTILINE | re.DOTALL)
    return re.sub(r"^testpaths.*\n", "", text, flags=re.MULTILINE).rstrip() + "\n"


def stuck(text):
    """docs/stuck.md without what only the full edition can do."""
    return without_answers(text).replace(", not in `solutions/`", "")


def using(text, settings):
    """docs/using.md without what only the full edition can do; exercises and notebooks named are of this edition."""
    first = _first(settings)
    text = re.sub(r"^.*-m grader (?:fill|nbcheck).*\n", "", without_answers(text), flags=re.MULTILINE)
    text = re.sub(r"\s\(`PACKAGE=solutions`[^)]*\)| --package solutions", "", text)
    if "11" not in settings.notebooks:
        text = re.sub(r"^\| `make train.*\n|^.*-m grader train.*\n", "", text, flags=re.MULTILINE)
        text = re.sub(r"^## Train a net\n.*?(?=^## )", "", text, flags=re.MULTILINE | re.DOTALL)
    return text.replace("2.1", first.id).replace("NB=02", f"NB={first.notebook}")


def clean_notebook(text):
    """A notebook's JSON without outputs, and without what only the full edition can do."""
    content = json.loads(text)
    for cell in content["cells"]:
        source = "".join(cell["source"])
        if cell["cell_type"] == "code":
            cell["outputs"], cell["execution_count"] = [], None
        cell["source"] = without_answers(source).splitlines(keepends=True)
    return json.dumps(content, indent=1, ensure_ascii=False) + "\n"


def without_answers(text):
    """The text without the sentences and rows of tables about fill and nbcheck."""
    text = re.sub(r"^\|.*(?:make fill|nbcheck).*\|\n", "", text, flags=re.MULTILINE)
    text = re.sub(r"; make fill EX=[\d.]+ goes on without it", "", text)
    text = re.sub(r" `make fill EX=[\d.]+` puts the answer in, marks it as\s+given, and lets you go on\.", "", text)
    text = text.replace("before `fill` and `reset` change a file, they keep", "before `reset` changes a file, it keeps")
    return text.replace("An answer that was filled in for you counts", "An answer that your teacher filled in counts")
