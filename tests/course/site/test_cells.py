"""What of a notebook's code runs in the try page, and what is shown as it was recorded."""

import argparse
import json
import re

import pytest

from grader.checking import expected
from grader.course import catalogue
from grader.maintainer import executed_notebooks, sources
from grader.site import command
from grader.site.tryit import build
from grader.site.tryit.cells import Cell, cells, in_the_page, rules, split


def executed(number):
    [path] = [path for path in map(executed_notebooks.executed_path, sources.sources()) if path.name[:2] == number]
    return json.loads(path.read_text(encoding="utf-8"))


@pytest.mark.parametrize(
    ("source", "kept", "left_out"),
    [
        ("import numpy as np\nx = 1", "x = 1", {"np"}),
        ("from matplotlib import pyplot as plt", "", {"plt"}),
        ("import math\nmath.pi", "import math\nmath.pi", set()),
        ("xs = np.ones(3)\nys = xs + 1\nz = 2", "z = 2", {"xs", "ys"}),
        ("def f(x):\n    return np.sin(x)\nf(1)\ng = 3", "g = 3", {"f"}),
        ("def f(np):\n    return np + 1\nf(1)", "def f(np):\n    return np + 1\nf(1)", set()),
        ("[np for np in (1, 2)]", "[np for np in (1, 2)]", set()),
        ("@np.vectorize\ndef f(x):\n    return x", "", {"f"}),
        ("n = 1\nn = np + n\nn = n + 1", "n = 1", {"n"}),
        ("xs = []\nfor x in np.ones(3):\n    xs.append(x)\nxs[0]", "xs = []", {"x", "xs"}),
        ("from math import pi\nfrom toolbox import make_moons\nmake_moons()", "from math import pi", {"make_moons"}),
        ("from babygrad.scalar_nn import MLP\nmodel = MLP(1, [1])", "", {"MLP", "model"}),
        ("from toolbox.films.boundaries import film_of", "", {"film_of"}),
        ("np = 3\nnp + 1", "np = 3\nnp + 1", {"not np"}),
    ],
)
def test_what_needs_numpy_is_left_out_with_all_that_is_made_from_it(source, kept, left_out):
    missing = {"np", "plt"}
    assert split(source, missing)[0] == kept
    assert missing == ({"np", "plt"} | left_out if left_out != {"not np"} else {"plt"})


def test_a_cell_becomes_what_the_page_shows():
    def code(*lines, outputs=()):
        return {"cell_type": "code", "source": list(lines), "outputs": list(outputs)}

    picture = {"output_type": "display_data", "data": {"image/png": "iVBORw0KGgo="}}
    printed = {"output_type": "stream", "text": ["3\n"]}
    drawn = {"output_type": "display_data", "data": {"text/html": "<svg/>"}}
    notebook = {
        "cells": [
            {"cell_type": "markdown", "source": ["# 02\n", "words"]},
            code("class WrongKernel: ...\n", "open_course()"),
            code("import numpy as np"),
            code("import math\n", "import numpy as np\n", "\n", "math.pi"),
            code("# prediction 2.A1\n", "%predict"),
            code("%check 2.1"),
            code("np.plot()\n", "print(3)", outputs=[printed, picture, drawn]),
            code("f(np)\n", "x = 1", outputs=[printed, drawn]),
            code("%%note 2.R1"),
            code("%predictions 02"),
            code("%progress"),
        ]
    }
    assert list(cells(notebook)) == [
        Cell("words", "# 02\nwords"),
        Cell("code", "import math\n\nmath.pi", number=1, cut=True),
        Cell("prediction", key="2.A1"),
        Cell("check", key="2.1"),
        Cell("code", "np.plot()\nprint(3)", number=2, runs="print(3)", recorded=(picture,)),
        Cell("code", "f(np)\nx = 1", number=3, runs="x = 1", recorded=(printed, drawn)),
        Cell("note", key="2.R1"),
        Cell("predictions"),
    ]


@pytest.mark.parametrize("number", ["02", "03", "04"])
def test_every_cell_of_a_notebook_of_the_page_has_a_kind(number):
    found = list(cells(executed(number)))
    assert {cell.kind for cell in found} == {"words", "code", "prediction", "note", "check", "predictions"}
    assert not [cell for cell in found if cell.kind == "code" and cell.source.lstrip().startswith("%")]


def test_two_pictures_of_02_are_recorded_ones():
    recorded = [cell for cell in cells(executed("02")) if cell.recorded]
    assert len(recorded) == 2
    assert all("image/png" in output["data"] for cell in recorded for output in cell.recorded)


def test_words_keep_their_links_outside_and_lose_those_to_files():
    html = build._prose("[a](../value.py) [b](https://example.org) `[c](d)`\n\n```python\nx = 1\n```\n")
    assert html.startswith('<p>a <a href="https://example.org">b</a> <code>[c](d)</code></p>')
    assert '<pre class="code" tabindex="0">' in html
    assert build._prose("words\n\n    a < b\n").endswith('<pre class="code" tabindex="0">a &lt; b\n</pre>')


def test_the_policy_lets_the_page_ask_nobody_but_where_its_wheels_are():
    assert build._policy("").endswith("connect-src 'self'")
    assert build._policy("https://example.org/wheels/").endswith("connect-src 'self' https://example.org")
    assert "unsafe-eval" not in build._policy("").replace("'wasm-unsafe-eval'", "")


def test_make_site_hands_the_address_of_wheels_on(monkeypatch, tmp_path):
    told, parser = [], argparse.ArgumentParser()
    monkeypatch.setattr(command.build, "build", lambda out, repository, wheels: told.append(wheels) or 1)
    command.add_arguments(parser)
    for given in ([], ["--wheels", "https://example.org/wheels"], ["--wheels", "wheels/"]):
        command.run(parser.parse_args(["--out", str(tmp_path), *given]))
    assert told == ["", "https://example.org/wheels/", "wheels/"]


# ------------------------------------------------------------------ words


ALL_WORDS = [
    "".join(cell["source"])
    for number in ("01", "02", "03", "04")
    for cell in executed(number)["cells"]
    if cell["cell_type"] == "markdown"
]
# What is said of JupyterLab or of a terminal. (What stands in "%hint 2.1" alone is a button in the page.)
OF_ELSEWHERE = re.compile(
    r"%(?!hint \d+\.\d+`)[a-z]+|\bkernel|\bsave\b|Jupyter|terminal|beside this notebook|Open `"
    r"|(?<!In the course, )`make "
)


@pytest.mark.parametrize("rule", rules(), ids=lambda rule: rule[0].pattern)
def test_each_rule_of_words_is_about_a_sentence_of_the_notebooks(rule):
    assert any(rule[0].search(text) for text in ALL_WORDS)


def test_the_page_says_nothing_of_jupyterlab():
    assert [found[0] for text in ALL_WORDS for found in OF_ELSEWHERE.finditer(in_the_page(text))] == []
    assert len([text for text in ALL_WORDS if OF_ELSEWHERE.search(text)]) > 10


def test_words_of_the_page_stand_in_its_cells():
    source = ["`%check 3.2` asks about\n", "chains. On a fresh\nkernel, run it."]
    notebook = {"cells": [{"cell_type": "markdown", "source": source}]}
    [cell] = cells(notebook)
    assert cell.source == "The check asks about\nchains. After a reload of the page, run it."


# ------------------------------------------------------------------ addresses


def test_another_content_has_another_version(tmp_path):
    """Of each file, and of its name; the same content has the same."""
    (tmp_path / "layout.js").write_text("one")
    (tmp_path / "course.zip").write_text("one")
    versions = [build._version(tmp_path)]
    assert build._version(tmp_path) == versions[0]
    (tmp_path / "layout.js").write_text("two")
    versions.append(build._version(tmp_path))
    (tmp_path / "course.zip").write_text("two")
    versions.append(build._version(tmp_path))
    (tmp_path / "course.zip").rename(tmp_path / "course.json")
    versions.append(build._version(tmp_path))
    assert len(set(versions)) == 4
    assert all(re.fullmatch("[0-9a-f]{12}", version) for version in versions)


def test_every_heading_of_stuck_that_a_message_names_has_a_place():
    """Whether it is the place in the page of that document is asked in test_audit.py."""
    named = {found.stuck for ex in catalogue.all_exercises() for found in expected.misconceptions_of(ex) if found.stuck}
    assert named <= set(build._places_in_stuck())
    assert build._places_in_stuck()["The sign is wrong"] == "the-sign-is-wrong"
