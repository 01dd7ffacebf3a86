"""The student edition does what the full one does, and holds no answers.

One release is made for all tests here, at night with all misconceptions, else with three of each exercise. What
they answered while it was recorded is kept, and must be named again from the files.
"""

import ast
import json
import os
import re
import shutil
import subprocess
import sys
import textwrap
import zipfile
from collections import defaultdict
from pathlib import Path

import numpy as np
import pytest

from grader.asking import recorded_draws
from grader.asking.draws import as_in_an_edition
from grader.checking import judging, recorded, reference
from grader.checking.question import Question
from grader.checking.verdict import judge
from grader.course import catalogue, regions, stubs
from grader.course.packages import reference_with
from grader.course.paths import REFERENCE, ROOT
from grader.course.settings import Settings
from grader.edition import release
from grader.maintainer.clean_notebooks import GUARDED_LOAD
from grader.quiz import bank
from grader.quiz.asked import Asked
from grader.quiz.comparing import judged

pytestmark = pytest.mark.leg("push")

EXERCISES = catalogue.all_exercises()
PACKAGE = REFERENCE / "babygrad"


@pytest.fixture(scope="module")
def misconceptions_of(request):
    """misconceptions_of(exercise): those that are recorded here."""
    how_many = None if "night" in (request.config.getoption("--leg") or ()) else 3
    return lambda ex: catalogue.misconceptions_of(ex)[:how_many]


@pytest.fixture(scope="module")
def made(tmp_path_factory, misconceptions_of):
    """(the student edition's folder, [(exercise, misconception, its answers while it was recorded)])."""
    folder, asked = tmp_path_factory.mktemp("release") / "students", []
    answers_of = reference.answers_of

    def noting(package, ex, probes, seed):
        outcomes = answers_of(package, ex, probes, seed)
        if package is not reference.reference():
            asked.append((ex, outcomes))
        return outcomes

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(reference, "answers_of", noting)
        patch.setattr(reference, "misconceptions_of", misconceptions_of)
        release.release(folder)
    waiting = {ex.id: [*misconceptions_of(ex)] for ex in EXERCISES}
    return folder, [(ex, waiting[ex.id].pop(0), outcomes) for ex, outcomes in asked]


@pytest.fixture(scope="module")
def edition(made):
    return made[0]


@pytest.fixture
def copied(edition, tmp_path):
    """A copy that a test may write into."""
    return shutil.copytree(edition, tmp_path / "mine")


@pytest.fixture
def played(edition, monkeypatch):
    """This process reads what was recorded, as one in the student edition does."""
    expected = edition / "tests" / "exercises" / "expected"
    for cached in (recorded_draws._recorded, recorded_draws._file, recorded._book):
        cached.cache_clear()
    monkeypatch.setattr(recorded_draws, "EXPECTED", expected)
    monkeypatch.setattr(recorded_draws, "_HERE", True)
    monkeypatch.setattr(recorded, "EXPECTED", expected)
    for name in ("misconceived", "misconceptions_of", "reference_answers"):
        monkeypatch.setattr(judging.expected, name, getattr(recorded, name))
    with as_in_an_edition(Settings.read(edition).draw):
        yield
    for cached in (recorded_draws._recorded, recorded_draws._file, recorded._book):
        cached.cache_clear()


def grader(folder, *words, code=None):
    """Run a command in the student edition; nothing of the full one is on its path."""
    command = [sys.executable, "-m", "grader", *words]
    run = subprocess.run(command, cwd=folder, env=alone(), capture_output=True, encoding="utf-8")
    assert code is None or run.returncode == code, run.stdout + run.stderr
    return run


def grades(folder, *words):
    run = grader(folder, "check", *words, "--json", "-")
    return {row["id"]: row for row in json.loads(run.stdout)["exercises"]}


def files(folder):
    return [path for path in sorted(folder.rglob("*")) if path.is_file()]


# It works


def test_the_reference_passes_everything_there(edition):
    rows = grades(edition, "--package", str(REFERENCE))
    assert {id: row["status"] for id, row in rows.items()} == dict.fromkeys([ex.id for ex in EXERCISES], "passed")
    assert all(row["earned"] == row["points"] for row in rows.values())


def test_nothing_is_started_in_a_fresh_one(edition):
    assert {row["status"] for row in grades(edition).values()} == {"not_started"}


PLAYS = """
from babygrad import Value
from toolbox import compare_backward, step_through
x = Value(3.0, label="x")
shown = step_through((x * x) * x)
print(shown.frames[-1].sentence, shown.html.count("http"), shown.html.count("<svg"))
"""


@pytest.mark.leg("night")
def test_players_play_there_and_ask_the_network_for_nothing(copied):
    there, here = ({str(p.relative_to(q)): p.read_bytes() for p in files_of(q)} for q in toolboxes(copied))
    assert there == here and {Path(name).suffix for name in here} == {".py", ".json", ".js"}
    shutil.copy(PACKAGE / "value.py", copied / "babygrad" / "value.py")
    run = subprocess.run([sys.executable, "-c", PLAYS], cwd=copied, env=alone(), capture_output=True, encoding="utf-8")
    assert run.stdout == "The backward pass is over: x.grad = 27. 0 0\n", run.stderr


def toolboxes(edition):
    return edition / "toolbox", ROOT / "toolbox"


def files_of(folder):
    return (path for path in folder.rglob("*") if path.is_file() and "__pycache__" not in path.parts)


def alone():
    """An environment in which nothing of the full edition is on Python's path."""
    return {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "BABYGRAD_MEMORY")}


def test_every_misconception_is_named_from_the_recorded_numbers(made, misconceptions_of, played):
    asked = made[1]
    assert len(asked) == sum(len(misconceptions_of(ex)) for ex in EXERCISES)
    wrong = []
    for ex, misconception, outcomes in asked:
        right = recorded.reference_answers([ex], 0)[ex.id]
        questions = [Question(p, outcomes[p.name], right[p.name]) for p in ex.probes]
        verdict = judge(ex, questions, "changed", judging.matching_misconception(ex, questions, 0))
        if verdict.misconception != misconception.name or misconception.words not in verdict.lines:
            wrong.append((ex.id, misconception.name, verdict.misconception))
    assert wrong == []


def test_misconceptions_give_the_recorded_answers_when_their_inputs_are_played(made, played):
    for ex, misconception, outcomes in made[1][::40]:
        with reference_with(misconception) as package:
            again = reference.answers_of(package, ex, ex.probes, 0)
        found = [name for name, outcome in again.items() if not judging.alike(outcome, outcomes[name])]
        assert found == [], (ex.id, misconception.name)


def test_the_words_about_a_catch_are_those_of_the_full_edition(made, played):
    """The right catches are not recorded: what is said of a wrong one must not need them."""
    for ex, misconception, outcomes in made[1]:
        if ex.file == "hunts.py":
            full, here = (
                judge(ex, [Question(p, outcomes[p.name], right[p.name]) for p in ex.probes], found=misconception)
                for right in (reference.reference_answers([ex], 0)[ex.id], recorded.reference_answers([ex], 0)[ex.id])
            )
            assert (here.lines, here.right) == (full.lines, full.right), (ex.id, misconception.name)


@pytest.mark.leg("night")
def test_the_reference_passes_under_a_numpy_that_draws_other_numbers(played, monkeypatch):
    plain = np.random.Generator
    monkeypatch.setattr(np.random, "default_rng", lambda seed=None: plain(np.random.MT19937(99)))
    for ex in EXERCISES:
        got = reference.answers_of(reference.reference(), ex, ex.probes, 0)
        right = recorded.reference_answers([ex], 0)[ex.id]
        questions = [Question(p, got[p.name], right[p.name]) for p in ex.probes]
        assert [q.probe.name for q in questions if q.wrong] == [], ex.id


def test_a_wrong_answer_is_explained_and_its_graph_drawn(copied):
    path = copied / "babygrad" / "ops" / "arithmetic.py"
    for name in ("ops/arithmetic.py", "ops/function.py", "tensor.py", "autograd.py", "ops/shape.py"):
        shutil.copy(PACKAGE / name, copied / "babygrad" / name)
    assert grades(copied, "6.2")["6.2"]["status"] == "passed"
    text = path.read_text()
    right = "return out_grad * b, out_grad * a"
    assert text.count(right) == 1
    path.write_text(text.replace(right, "return out_grad * a, out_grad * b"))
    shown = grader(copied, "check", "6.2", "--mimebundle", "--json", "grades.json").stdout
    (row,) = json.loads((copied / "grades.json").read_text())["exercises"]
    assert row["status"] == "failed" and row["misconception"] and "was expected" in row["message"]
    assert "<svg" in json.loads(shown)["text/html"]


def test_answers_that_somebody_put_into_it_change_nothing_and_that_is_said(copied):
    before = grader(copied, "check", "1.1")
    shutil.copytree(PACKAGE, copied / "solutions" / "babygrad")
    after = grader(copied, "check", "1.1")
    assert (after.returncode, after.stdout) == (before.returncode, before.stdout) and "1.1" in after.stdout
    assert before.stderr == ""
    assert after.stderr == "This is a student edition: it does not use the answers in solutions/babygrad.\n"


def test_a_notebook_runs_there_with_its_check(copied, tmp_path):
    import nbformat
    from nbclient import NotebookClient

    cells = [GUARDED_LOAD, "import babygrad\nbabygrad.__file__", "%check 2.1", "%fill 2.1", "%hint 2.1"]
    cells += ["# prediction 2.A1\n%predict 6", "2 * 3", "%%note 2.R1\nwhy", "%predictions 02"]
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in cells])
    environment = {**os.environ, "IPYTHONDIR": str(tmp_path)}
    environment.pop("BABYGRAD_MEMORY", None)
    NotebookClient(notebook, timeout=600, startup_timeout=600).execute(cwd=str(copied / "notebooks"), env=environment)
    shown = ["".join(str(o.get("text", o.get("data", ""))) for o in cell.outputs) for cell in notebook.cells]
    assert str(copied) in shown[1]
    assert "not started" in shown[2]
    assert "full edition" in shown[3]
    assert "1." in shown[4]
    assert shown[5] == "" and "You predicted: 6" in shown[6] and "2.A1   6\n" in shown[8]
    kept = (copied / "answers" / "02.md").read_text()
    assert "\n## Prediction 2.A1\n\n6\n" in kept and "\n## Note 2.R1\n\nwhy\n" in kept


@pytest.mark.leg("night")
def test_hints_are_there_and_the_last_one_does_not_speak_of_fill(copied):
    said = [grader(copied, "hint", "2.1", code=0).stdout for _ in range(3)]
    assert said[0] != said[1] != said[2]
    assert all(hint in said[2] for hint in catalogue.exercise("2.1").hints)
    assert "That was the last hint" in said[2] and "fill" not in said[2].split("last hint")[1]


def test_the_quiz_asks_what_was_recorded_and_nothing_of_an_exam(copied):
    assert not {path.name for path in files(copied)} & {"exam.py", "solving.py", "live.py"}
    assert [path for path in files(copied / "tests") if path.name in ("quiz.py", "quiz.md")] == []
    there = json.loads((copied / "tests" / "exercises" / "expected" / "quiz.json").read_text(encoding="utf-8"))
    assert list(there) == list(bank.entries()) and all(1 <= len(each["draws"]) <= 12 for each in there.values())
    said = [json.loads(grader(copied, "quiz", "03", "--data", "--seed", seed, code=0).stdout) for seed in "aab"]
    assert said[0] == said[1] != said[2] and {asked["id"].split(".")[0] for asked in said[0]["asked"]} == {"3"}
    asked = Asked.from_data(said[0]["asked"][0])
    assert judged(asked, asked.right).kind == "right" and judged(asked, asked.wrong[0][0]).said == asked.wrong[0][1]
    assert "0 questions are due." in grader(copied, "quiz", "--count", code=0).stdout


def test_reset_brings_the_stub_back_and_keeps_a_backup(copied):
    path = copied / "babygrad" / "value.py"
    fresh = path.read_text()
    shutil.copy(PACKAGE / "value.py", path)
    path.write_text(mine := fresh.replace('raise NotImplementedError("exercise 2.1: Value.__mul__")', "return 7"))
    assert "the stub is back" in grader(copied, "reset", "2.1", code=0).stdout
    assert path.read_text() == fresh
    assert [p.read_text() for p in (copied / ".babygrad" / "backups").rglob("value.py")] == [mine]


@pytest.mark.parametrize("command", ["fill 2.1", "fill 02 --package x", "nbcheck 02", "nbcheck"])
def test_what_needs_the_full_edition_says_so(command, edition):
    assert "full edition" in grader(edition, *command.split(), code=2).stderr


def test_what_needs_the_full_edition_is_not_in_the_help(edition):
    shown = grader(edition, "--help", code=0).stdout
    assert not re.search(r"^ +(fill|nbcheck|stubs|notebooks|release|grade) ", shown, re.MULTILINE)
    listed = re.findall(r"^    (\w+) ", shown, re.MULTILINE)
    assert listed == ["check", "watch", "hint", "reset", "update", "quiz", "lab", "train", "submit"]
    for command in listed:
        grader(edition, command, "--help", code=0)


@pytest.mark.skipif(not shutil.which("make"), reason="there is no make here")
def test_make_lists_only_what_works(edition):
    shown = subprocess.run(["make", "help"], cwd=edition, capture_output=True, encoding="utf-8").stdout
    listed = set(re.findall(r"^  make (\w+)", shown, re.MULTILINE))
    assert listed == {"check", "watch", "hint", "quiz", "lab", "train", "reset", "submit", "update", "clean", "help"}
    for target in listed - {"help"}:
        needs = ["EX=2.1", "DATA=moons", "FROM=x", "NAME=x", f"VENV={edition}"]
        run = subprocess.run(["make", "-n", target, *needs], cwd=edition, capture_output=True, encoding="utf-8")
        assert run.returncode == 0, run.stderr


def test_another_seed_is_refused(edition):
    assert "--seed 0" in grader(edition, "check", "2.1", "--seed", "3", code=2).stderr


def test_every_module_there_can_be_imported(edition):
    modules = [".".join(p.relative_to(edition).with_suffix("").parts) for p in (edition / "grader").rglob("*.py")]
    modules = [m.removesuffix(".__init__") for m in modules if not m.endswith(("__main__", "child"))]
    code = "import importlib, sys; [importlib.import_module(m) for m in sys.argv[1:]]"
    environment = {n: x for n, x in os.environ.items() if n != "PYTHONPATH"}
    subprocess.run([sys.executable, "-c", code, *modules], cwd=edition, env=environment, check=True)


def test_what_make_lab_gives_to_jupyterlab_is_there(edition):
    (extension,) = (edition / "grader").rglob("package.json")
    load = json.loads(extension.read_text(encoding="utf-8"))["jupyterlab"]["_build"]["load"]
    assert (extension.parent / load).read_bytes() == (ROOT / extension.parent.relative_to(edition) / load).read_bytes()


def test_html_of_a_check_and_of_a_hint_can_be_written_there(copied):
    for words in (("check", "0.1"), ("check", "00"), ("hint", "0.1")):
        bundle = json.loads(grader(copied, *words, "--mimebundle").stdout)
        assert "0.1 area" in bundle["text/html"] and bundle["text/html"].startswith("<div style='background:")


@pytest.mark.leg("night")
@pytest.mark.parametrize(("id", "code", "said"), [("0.1", 0, "4 passed"), ("99.1", 4, "There is no exercise 99.1")])
def test_an_exercise_can_be_asked_under_a_debugger_by_pytest(id, code, said, copied):
    environment = {n: x for n, x in os.environ.items() if n != "PYTHONPATH"} | {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    shutil.copy(PACKAGE / "warmup.py", copied / "babygrad")
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "tests/exercises", "--exercise", id]
    run = subprocess.run(command, cwd=copied, env=environment, capture_output=True, encoding="utf-8")
    assert run.returncode == code and said in run.stdout + run.stderr, run.stdout + run.stderr


@pytest.mark.leg("night")
def test_submit_packs_the_learners_files(copied):
    (copied / "answers").mkdir()
    (copied / "answers" / "03.md").write_text("## Prediction 3.C1\n\n162\n")
    said = grader(copied, "submit", "ada", "--timeout", "20", code=0).stdout
    assert "submissions/ada.zip" in said
    with zipfile.ZipFile(copied / "submissions" / "ada.zip") as archive:
        manifest = json.loads(archive.read("manifest.json"))
        packed = {"manifest.json", "answers/03.md", *(f"babygrad/{ex.file}" for ex in EXERCISES)}
        assert packed == set(archive.namelist())
    settings = json.loads((copied / "course.json").read_text())
    assert (manifest["edition"], manifest["version"]) == ("student", settings["version"])
    assert (copied / "submissions" / "ada.zip").stat().st_size < 200_000


def test_the_learners_process_opens_no_answers(copied):
    """It is asked by child.py, as always; the files of answers are made unreadable for it."""
    for path in (copied / "tests" / "exercises" / "expected").glob("*_answers.*"):
        path.unlink()
    request = {
        "package": str(copied),
        "questions": [["2.1", "value.py", [p.name for p in catalogue.exercise("2.1").probes]]],
        "seed": 0,
    }
    command = [sys.executable, "-I", "-B", str(copied / "grader" / "asking" / "child.py")]
    run = subprocess.run(command, input=json.dumps(request).encode() + b"\n", capture_output=True, timeout=600)
    assert b'"done"' in run.stdout and b"NotImplementedError" in run.stdout
    assert "cannot be read" in grader(copied, "check", "2.1", code=2).stderr


# A part, and a newer edition around the answers


@pytest.fixture(scope="module")
def older(tmp_path_factory):
    """An older edition: notebook 02 alone, 0.1 to 0.3 given."""
    folder = tmp_path_factory.mktemp("older") / "out"
    release.release(folder, "2", "0", version="older", points=None)
    return folder


@pytest.mark.leg("night")
def test_a_part_checks_what_was_released(older):
    rows = grades(older)
    assert {row.split(".")[0] for row in rows} == {"2"}
    assert "There is no exercise 3.1 in this course" in grader(older, "check", "3.1", code=2).stderr
    assert "its answer is given" in grader(older, "check", "0.1", code=2).stderr
    assert "There is no notebook 03" in grader(older, "check", "03", code=2).stderr


def test_points_follow_course_json_and_given_answers_count_nothing(tmp_path):
    (tmp_path / "points").write_text("0.2 30")
    release.release(tmp_path / "out", "0", "0.1", tmp_path / "points")
    first = grades(tmp_path / "out")["0.1"]
    assert (first["status"], first["earned"], first["points"]) == ("given", 0, 0)
    rows = grades(tmp_path / "out", "--package", str(REFERENCE))
    assert (rows["0.1"]["earned"], rows["0.2"]["earned"], rows["0.2"]["points"]) == (0, 30, 30)
    path = tmp_path / "out" / "babygrad" / "warmup.py"
    handed_out = path.read_text()
    path.write_text(handed_out.replace("    # end of exercise 0.1", "    return 7\n    # end of exercise 0.1"))
    assert "the answer that the course gives is back" in grader(tmp_path / "out", "reset", "0.1", code=0).stdout
    assert path.read_text() == handed_out


def test_reset_brings_back_what_the_course_gave(older, tmp_path):
    mine = shutil.copytree(older, tmp_path / "mine")
    path = mine / "babygrad" / "warmup.py"
    handed_out = path.read_text()
    path.write_text(handed_out.replace("    # end of exercise 0.1", "    return 7\n    # end of exercise 0.1"))
    assert "There is no exercise 0.1" in grader(mine, "reset", "0.1", code=2).stderr
    grader(mine, "reset", "warmup.py", code=0)
    assert path.read_text() == handed_out


@pytest.mark.leg("night")
def test_update_to_a_newer_edition_keeps_the_answers(older, edition, tmp_path):
    mine = shutil.copytree(older, tmp_path / "mine")
    value, warmup = mine / "babygrad" / "value.py", mine / "babygrad" / "warmup.py"
    answer = "return Value(self.data * other.data, (self, other), '*', (other.data, self.data))  # mine"
    value.write_text(value.read_text().replace('raise NotImplementedError("exercise 2.1: Value.__mul__")', answer))
    assert grades(mine, "2.1")["2.1"]["status"] == "passed"
    grader(mine, "update", str(edition), code=0)
    assert answer in value.read_text()
    assert "(given)" in warmup.read_text()
    rows = grades(mine)
    assert rows.keys() == {ex.id for ex in EXERCISES}
    assert (
        rows["2.1"]["status"] == "passed"
        and rows["0.1"]["status"] == "given"
        and rows["3.1"]["status"] == "not_started"
    )
    assert (mine / "course.json").read_bytes() == (edition / "course.json").read_bytes()
    assert len(list((mine / "notebooks").glob("*.ipynb"))) == len(catalogue.notebooks())


@pytest.mark.leg("night")
def test_update_does_not_mix_editions(copied):
    before = {path: path.read_bytes() for path in files(copied)}
    assert "full edition" in grader(copied, "update", str(ROOT), code=2).stderr
    assert {path: path.read_bytes() for path in before} == before and not (copied / "solutions").exists()


# It holds no answers


def test_only_what_a_student_needs_is_there(edition):
    assert sorted(path.name for path in edition.iterdir()) == sorted(
        [".binder", ".devcontainer", ".github", ".gitignore", "AGENTS.md", "LICENSE", "Makefile", "README.md",
         "babygrad", "conftest.py", "course.json", "docs", "grader", "notebooks", "pyproject.toml",
         "requirements-core.txt", "tests", "toolbox"]
    )  # fmt: skip
    names = {path.relative_to(edition).as_posix() for path in files(edition)}
    assert not [n for n in names if re.search(r"solution|misconception|reference|classroom|jail|edition/|variants", n)]
    assert {path.suffix for path in files(edition / "tests" / "exercises" / "expected")} == {".json", ".npz"}


def test_it_is_small(edition):
    sizes = {path: path.stat().st_size for path in files(edition)}
    assert sum(size for path, size in sizes.items() if "expected" in path.parts) < 10e6
    assert max(sizes.values()) < 1e6


def strings_in(x):
    if isinstance(x, str):
        yield x
    elif isinstance(x, dict):
        for name, value in x.items():
            yield from strings_in(name)
            yield from strings_in(value)
    elif isinstance(x, list):
        for value in x:
            yield from strings_in(value)


def texts_of(path):
    """The texts in a file that could be code: the file, a notebook's cells, each text in JSON or in Python."""
    if path.suffix == ".pyc":  # of a command that ran in this edition, from a source that is looked at
        return []
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".ipynb":
        return ["".join(cell["source"]) for cell in json.loads(text)["cells"]]
    if path.suffix == ".json":
        return list(strings_in(json.loads(text)))
    if path.suffix != ".py":
        return [text]
    inside = [x.value for x in ast.walk(ast.parse(text)) if isinstance(x, ast.Constant) and isinstance(x.value, str)]
    return [text, *inside]


def statements(text):
    """Lists of statements, each as its syntax tree in words, of a text that is Python; nothing of another one."""
    try:
        tree = ast.parse(textwrap.dedent(text))
    except (SyntaxError, ValueError, RecursionError):
        return
    for node in ast.walk(tree):
        for field in ("body", "orelse", "finalbody"):
            block = getattr(node, field, None)
            if isinstance(block, list) and block and isinstance(block[0], ast.stmt):
                yield [ast.dump(statement) for statement in block]


def answers():
    """(file, region) of every answer of the reference."""
    for path in sorted(PACKAGE.rglob("*.py")):
        for region in regions.solution_regions(path.read_text(encoding="utf-8")):
            yield path.relative_to(PACKAGE).as_posix(), region


def body_of(region):
    body = textwrap.indent(textwrap.dedent("\n".join(region.body)), " ")
    return ast.parse(f"def f():\n{body}").body[0].body


def is_telling(body):
    """`return other - self` can be anyone's."""
    return len(body) > 1 or sum(1 for _ in ast.walk(body[0])) > 30


def bodies_found_in(folder):
    """Ids of the regions whose whole answer stands somewhere in the folder's texts, whatever its layout."""
    places = defaultdict(list)
    for path in files(folder):
        if path.suffix != ".npz":
            for text in filter(lambda text: "=" in text or "return" in text, texts_of(path)):
                for block in statements(text):
                    for i, statement in enumerate(block):
                        places[statement].append((block, i))
    for file, region in answers():
        body = body_of(region)
        want = [ast.dump(statement) for statement in body]
        if is_telling(body) and any(block[i : i + len(want)] == want for block, i in places[want[0]]):
            yield file, region.id


def squeezed(text):
    return re.sub(r"\s+", "", text)


def lines_found_in(paths):
    """Lines of answers, not in given code, that stand in one of the files."""
    given = squeezed("\n".join(stubs.generated().values()))
    lines = {line.partition("  #")[0].strip() for _, region in answers() for line in region.body}
    telling = [line for line in lines if len(squeezed(line)) >= 20 and squeezed(line) not in given]
    assert len(telling) > 200
    for path in paths:
        text = squeezed("\n".join(texts_of(path)))
        yield from ((path.name, line) for line in telling if squeezed(line) in text)


def test_no_answer_of_the_reference_is_there(edition):
    assert list(bodies_found_in(edition)) == []


def test_the_search_would_find_an_answer(tmp_path):
    region = next(region for file, region in answers() if region.id == "3.3")
    hidden = {"deep": ["\n".join(region.body).replace("    ", "  ")]}
    (tmp_path / "hidden.json").write_text(json.dumps(hidden))
    assert list(bodies_found_in(tmp_path)) == [("value.py", "3.3")]


def test_no_line_of_an_answer_is_in_what_is_not_written_for_learners(edition):
    """Hints, words about mistakes, puzzles in notebooks and the bug hunts' engines speak of code: they are for that."""
    paths = [*files(edition / "babygrad"), edition / "README.md", edition / "Makefile", *files(edition / "docs")]
    paths += [path for path in files(edition / "grader") if "broken_engines" not in path.parts]
    assert list(lines_found_in(path for path in paths if path.suffix != ".pyc")) == []


def test_recorded_answers_hold_no_line_of_an_answer(edition, tmp_path):
    """The words of the misconceptions are for learners; all else in the files is looked through."""
    for path in (edition / "tests" / "exercises" / "expected").glob("*_answers.json"):
        content = json.loads(path.read_text())
        for wrongs in content["content"]["wrong"].values():
            for wrong in wrongs:
                wrong.update(words="", name="")
        (tmp_path / path.name).write_text(json.dumps(content))
    stubs_file = edition / "tests" / "exercises" / "expected" / "stubs.json"
    assert list(lines_found_in([*files(tmp_path), stubs_file])) == []


def test_no_key_idea_of_an_exercise_is_there(edition):
    key_ideas = [catalogue.key_idea(ex.id) for ex in EXERCISES]
    texts = [path.read_text(encoding="utf-8", errors="ignore") for path in files(edition)]
    assert len(key_ideas) > 50 and not [key_idea for key_idea in key_ideas for text in texts if key_idea in text]


def test_the_catches_of_the_bug_hunts_are_not_recorded(played):
    hunts = [ex for ex in EXERCISES if ex.file == "hunts.py"]
    outcomes = {ex.id: recorded.reference_answers([ex], 0)[ex.id].values() for ex in hunts}
    told = {id for id, all in outcomes.items() if any(set(x.answers) - {"asked"} for x in all)}
    assert len(hunts) > 15 and told <= {"2.2", "13.1"}  # found on paper, and compared with the right numbers or names


def test_no_path_of_this_machine_is_there(edition):
    for path in files(edition):
        data = path.read_bytes()
        for place in (str(ROOT), str(Path.home()), "babygrad_copy_1"):
            assert place.encode() not in data, (path, place)
