"""Nothing exists twice by hand: stubs and tables in the repository equal the generated ones."""

import ast
import re
from pathlib import Path

import pytest

from benchmarks import engine, measured, training_runs
from grader.course import regions
from grader.course.paths import LEARNER, REFERENCE, ROOT, package_folder
from grader.course.stubs import generated
from grader.maintainer import readme, stubs, terms

LEARNERS_TREE_IS_FILLED = any(
    state != "untouched"
    for name in generated()
    for state in (regions.states(package_folder(LEARNER) / name) or {}).values()
)


def test_the_stubs_in_the_repository_equal_the_generated_ones(do_without):
    if LEARNERS_TREE_IS_FILLED:
        do_without("STUBS", "somebody is working through this copy of the course")
    assert stubs.differences() == []


def test_a_stub_holds_no_line_of_an_answer():
    for name, text in generated().items():
        assert "SOLUTION" not in text
        for line in answer_lines(name):
            assert line not in text.splitlines(), (name, line)


def test_the_head_of_each_file_says_what_of_it_is_the_learners():
    for name, text in generated().items():
        ids = list(dict.fromkeys(region.id for region in regions.stub_regions(text)))
        yours = f"Yours: {', '.join(sorted(ids, key=lambda id: [*map(int, id.split('.'))]))}." if ids else "Given."
        assert yours in " ".join(ast.get_docstring(ast.parse(text)).split()), name
        assert ids or not text.startswith('"""Notebook'), f"{name} is given, and begins like a learner's file"


def answer_lines(name):
    """Lines of answers that stand nowhere in given code."""
    text = (package_folder(REFERENCE) / name).read_text()
    regions = re.findall(r"### BEGIN SOLUTION.*?\n(.*?)### END SOLUTION", text, flags=re.S)
    given = re.sub(r"### BEGIN SOLUTION.*?### END SOLUTION", "", text, flags=re.S).splitlines()
    return [line for region in regions for line in region.splitlines() if line.strip() and line not in given]


@pytest.mark.parametrize("name", generated())
def test_a_stub_is_valid_python_and_keeps_every_docstring(name):
    stub, reference = generated()[name], (package_folder(REFERENCE) / name).read_text()
    assert docstrings(stub) == docstrings(reference)


def docstrings(text):
    documented = (ast.FunctionDef, ast.ClassDef, ast.Module)
    found = [ast.get_docstring(node) for node in ast.walk(ast.parse(text)) if isinstance(node, documented)]
    return [docstring for docstring in found if docstring]  # a function within an answer has none


@pytest.mark.parametrize("name", generated())
def test_every_function_with_a_stub_has_a_docstring_that_says_the_task(name):
    """A forward may leave that to its class, whose docstring says what the operation computes."""
    tree = ast.parse(generated()[name])
    classes = {f: ast.get_docstring(c) for c in ast.walk(tree) if isinstance(c, ast.ClassDef) for f in c.body}
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef) and "exercise " in ast.dump(node):
            own = ast.get_docstring(node)
            assert own or (node.name == "forward" and classes[node]), f"{name}: {node.name}"


def test_the_tables_of_notebooks_and_of_ways_equal_the_generated_ones():
    assert readme.table() in readme.NOTEBOOKS.read_text(encoding="utf-8")
    assert readme.tracks() in readme.README.read_text(encoding="utf-8")


def test_the_readmes_figures_are_what_the_benchmark_measured_last():
    text, parts = (ROOT / "README.md").read_text(encoding="utf-8"), measured.read()
    assert readme.speed() in text and "faster than PyTorch on small networks" in text
    step = parts["engine"]["measured"]["T1"]
    assert step[engine.OURS] < step[engine.TORCH] and step[engine.WITH_NN] < step[engine.TORCH]
    assert (readme.OURS, readme.COMPILED) == (engine.WITH_NN, engine.COMPILED)
    assert parts["runs"]["measured"].keys() >= training_runs.AT_LEAST.keys()


@pytest.mark.parametrize(
    ("page", "generated"),
    [(readme.EXERCISES, readme.exercises), (readme.GLOSSARY, terms.glossary), (readme.PLANS, readme.plans)],
    ids=["exercises", "glossary", "plans"],
)
def test_the_pages_that_are_generated_equal_the_generated_ones(page, generated):
    assert page.read_text(encoding="utf-8") == generated()


def test_the_package_imports_nothing_it_should_not():
    """No check imports torch, scikit-learn or pyplot."""
    import subprocess
    import sys

    code = (
        "import sys; from grader.course import catalogue\n"
        "from grader.checking.check import Request, check; from grader.course.paths import REFERENCE\n"
        "check(catalogue.all_exercises(), Request(REFERENCE))\n"
        "print([m for m in ('torch', 'sklearn', 'matplotlib') if m in sys.modules])"
    )
    run = subprocess.run([sys.executable, "-P", "-c", code], capture_output=True, text=True, cwd=ROOT)
    assert run.stdout.strip() == "[]", run.stderr


def test_no_file_of_the_repository_names_a_machine():
    pattern = re.compile(r"(?<![\w.])/(?:home|Users|root|work|tmp)/[A-Za-z._-]+")
    for path in [path for path in tracked_files() if path.parent.parent != Path(__file__).parents[1]]:
        for line in path.read_text(encoding="utf-8", errors="ignore").splitlines():
            assert not pattern.search(line) or "re.compile" in line or "/tmp/ipykernel" in line, (path, line[:200])


def tracked_files():
    folders = ("grader", "solutions", "babygrad", "notebooks", "docs", "tests", "benchmarks")
    paths = [path for folder in folders for path in (ROOT / folder).rglob("*")]
    texts = {".py", ".md", ".ipynb", ".txt", ".toml", ".cfg", ".json", ".svg"}
    return [p for p in [*paths, *ROOT.glob("*.*")] if p.suffix in texts and "__pycache__" not in p.parts]


def test_no_file_is_over_one_megabyte():
    assert [path for path in tracked_files() if path.stat().st_size > 1_000_000] == []
