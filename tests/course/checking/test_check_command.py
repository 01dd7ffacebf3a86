"""python -m grader check: selection, exit codes, JSON, options, from any folder."""

import json
import os
import select
import shutil
import subprocess
import sys
import time

import pexpect
import pytest

from grader.checking.check import Request, check
from grader.checking.process import LearnersProcess
from grader.course import catalogue, stubs
from grader.course.catalogue import exercise
from grader.course.paths import REFERENCE, ROOT
from grader.learner import fill, memory

WITHOUT_PLUGINS = {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}  # they take two seconds to start
KEYS = {
    *("id", "title", "points", "earned", "status", "message", "misconception"),
    *("question", "expected", "idea", "section", "hints"),
}


def grader(*words, cwd=ROOT):
    return subprocess.run([sys.executable, "-m", "grader", *map(str, words)], capture_output=True, text=True, cwd=cwd)


@pytest.fixture(scope="module")
def half_done(tmp_path_factory):
    """A package with 0.1 passed, 0.2 given, 2.1 failed and the rest not started."""
    folder = tmp_path_factory.mktemp("half")
    stubs.write(folder)
    write(folder, "0.1", "return width * height", "warmup.py")
    swapped = 'return Value(self.data * other.data, (self, other), "*", (self.data, other.data))'
    write(folder, "2.1", swapped, "value.py")
    fill.fill(["0.2"], folder)
    return folder


def write(folder, id, code, file):
    path = folder / "babygrad" / file
    lines = path.read_text().splitlines()
    stub = f'raise NotImplementedError("exercise {id}:'
    at = next(n for n, line in enumerate(lines) if line.strip().startswith(stub))
    indent = lines[at][: len(lines[at]) - len(lines[at].lstrip())]
    lines[at] = indent + code
    path.write_text("\n".join(lines) + "\n")


def test_all_passed_exits_with_0():
    run = grader("check", "0.1", "2.1", "--package", REFERENCE)
    assert run.returncode == 0, run.stdout


def test_not_all_passed_exits_with_1(half_done):
    assert grader("check", "0.1", "2.1", "--package", half_done).returncode == 1


@pytest.mark.leg("push")
def test_a_given_exercise_counts_as_done(half_done):
    assert grader("check", "0.2", "--package", half_done).returncode == 0


@pytest.mark.parametrize(
    ("words", "named"),
    [
        (["99.1"], "99.1"),
        (["2.99"], "Did you mean 2.9"),
        (["77"], "77"),
        (["two"], "two"),
        (["--package", "no/such/folder"], "no/such/folder"),
        (["--timeout", "0"], "timeout"),
        (["--timeout", "soon"], "timeout"),
        (["--seed", "-1"], "seed"),
        (["0.1", "--json", "no/such/folder/grades.json"], "grades.json"),
    ],
)
@pytest.mark.leg("push")
def test_a_usage_error_exits_with_2_and_names_it(words, named):
    run = grader("check", *words)
    assert run.returncode == 2
    assert named in run.stderr and "Traceback" not in run.stderr


def test_the_json_is_as_promised(half_done, tmp_path):
    grader("check", "00", "2.1", "2.3", "--package", half_done, "--json", tmp_path / "grades.json")
    grades = json.loads((tmp_path / "grades.json").read_text())
    assert grades.keys() == {"course", "earned", "possible", "exercises"} and grades["course"] == "babygrad"
    rows = {row["id"]: row for row in grades["exercises"]}
    assert all(row.keys() == KEYS for row in rows.values())
    assert (rows["0.1"]["status"], rows["0.2"]["status"]) == ("passed", "given")
    assert rows["0.2"]["earned"] == 0 and rows["0.1"]["earned"] == rows["0.1"]["points"]
    assert rows["2.1"]["status"] == "failed" and rows["2.1"]["misconception"]
    assert rows["2.3"]["status"] == "not_started" and rows["2.3"]["misconception"] is None
    assert grades["possible"] == sum(row["points"] for row in rows.values())
    assert grades["earned"] == sum(row["earned"] for row in rows.values())


@pytest.mark.leg("push")
def test_the_json_tells_whoever_helps_what_the_learner_was_told(half_done, tmp_path):
    told = {"BABYGRAD_MEMORY": str(tmp_path / "memory")}
    hint = [sys.executable, "-m", "grader", "hint", "2.1"]
    subprocess.run(hint, cwd=ROOT, env={**os.environ, **told}, check=True, capture_output=True)
    words = [sys.executable, "-m", "grader", "check", "0.1", "2.1", "2.3", "--package", half_done, "--json", "-"]
    run = subprocess.run(words, cwd=ROOT, env={**os.environ, **told}, capture_output=True, text=True)
    right, wrong, waiting = json.loads(run.stdout)["exercises"]
    assert wrong["question"].startswith("Called ") and wrong["question"] in wrong["message"]
    assert f"but {wrong['expected']} was expected" in wrong["message"] and wrong["idea"] in wrong["message"]
    assert wrong["section"] == "notebooks/02_scalar_value.ipynb, A. What a result should remember"
    assert wrong["hints"] == exercise("2.1").hints[:1] and right["hints"] == []
    for row in (right, waiting):
        assert [row[name] for name in ("question", "expected", "idea")] == [None] * 3


BY_HAND = 'return {"t1": 1, "t2": 1, "t3": 1, "L": 1}'


@pytest.mark.parametrize(
    ("id", "code", "file"),
    [("0.3", "return [truth[0] + 2, truth[1] + 2]", "hunts.py"), ("2.2", BY_HAND, "hunts.py")],
    ids=["a hunt", "found by hand"],
)
def test_the_json_does_not_say_what_would_be_the_answer(id, code, file, tmp_path):
    stubs.write(tmp_path)
    write(tmp_path, id, code, file)
    [row] = json.loads(grader("check", id, "--package", tmp_path, "--json", "-").stdout)["exercises"]
    assert row["status"] == "failed" and row["question"] and row["expected"] is None


def test_partial_credit_is_by_question(half_done):
    run = grader("check", "2.1", "--package", half_done, "--json", "-")
    row = json.loads(run.stdout)["exercises"][0]
    assert 0 <= row["earned"] < row["points"]


@pytest.mark.leg("push")
def test_the_table_names_every_notebook_and_explains_the_first_failure(half_done):
    text = grader("check", "--package", half_done).stdout
    assert all(f"\n{nb.number} {nb.title} " in f"\n{text}" for nb in catalogue.notebooks())
    at_hand = [ex.id for ex in catalogue.all_exercises() if f"\n  {ex.id} " in text]
    assert at_hand == [ex.id for ex in catalogue.exercises_of("02")]
    assert "Called a * b" in text and "points" in text and "[" in text
    assert text.count("Called ") == 1


@pytest.mark.leg("night")
def test_all_names_every_exercise(half_done):
    text = grader("check", "--all", "--package", half_done).stdout
    assert all(f"\n  {ex.id} " in text for ex in catalogue.all_exercises())


@pytest.mark.leg("night")
def test_a_fresh_table_says_what_to_open_first(tmp_path):
    stubs.write(tmp_path)
    text = grader("check", "--package", tmp_path).stdout
    assert "Next: open notebooks/00_start_here.ipynb" in text and "warmup.py" in text
    assert sum(1 + len(line) // 80 for line in text.splitlines()) <= 35  # one screen


def test_it_works_from_another_folder(half_done, tmp_path):
    run = grader("check", "0.1", "--package", half_done, cwd=tmp_path)
    assert run.returncode == 0, run.stderr


def test_a_relative_package_is_relative_to_where_one_stands(half_done):
    assert grader("check", "0.1", "--package", half_done.name, cwd=half_done.parent).returncode == 0


@pytest.mark.leg("night")
def test_a_seed_repeats_a_grading(half_done):
    words = ("check", "2.1", "--package", half_done, "--json", "-", "--seed")
    first, again, other = (grader(*words, seed).stdout for seed in (5, 5, 6))
    assert first == again != other


def test_the_time_limit_is_kept(half_done, tmp_path):
    stubs.write(tmp_path)
    write(tmp_path, "0.1", "while True: pass", "warmup.py")
    run = grader("check", "0.1", "--package", tmp_path, "--timeout", "0.5")
    assert "0.5 seconds" in run.stdout


@pytest.mark.parametrize(
    ("spent", "may_go_on"),
    [((5.0, 95.0), True), ((10.1, 89.0), False), ((0.1, 75.0), True), ((0.1, 60.0), False), (None, False)],
    ids=["held up", "used up", "has slept", "sleeps on", "nobody knows"],
)
def test_the_limit_is_of_the_time_in_which_the_process_could_run(spent, may_go_on, monkeypatch, tmp_path):
    """It was asked 100 seconds ago and has 10.  spent: how long it ran, and how long others had all processors."""
    asked = LearnersProcess(tmp_path)
    monkeypatch.setattr("grader.checking.process._spent", lambda number: spent)
    asked._begin, asked._before = time.monotonic() - 100, (0.0, 0.0)
    assert bool(asked._left(10.0)) == may_go_on
    asked.end()


def test_nothing_is_left_of_a_process_that_was_stopped(tmp_path):
    """A process that it began holds a pipe open for writing as long as it lives."""
    stubs.write(tmp_path)
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    child = f"import time; pipe = open({str(pipe)!r}, 'wb', 0); pipe.write(b'lives'); print(); time.sleep(600)"
    begin = f"process = subprocess.Popen([{sys.executable!r}, '-uc', {child!r}], stdout=subprocess.PIPE)"
    write(tmp_path, "0.1", f"import subprocess; {begin}; process.stdout.readline(); 1 / 0", "warmup.py")
    grader("check", "0.1", "--package", tmp_path)
    assert b"lives" in os.read(reader, 99)
    assert select.select([reader], [], [], 600)[0], "it lives on"
    assert os.read(reader, 99) == b""
    os.close(reader)


@pytest.mark.leg("push")
def test_an_unchanged_file_is_mentioned(half_done):
    grader("check", "2.1", "--package", half_done)
    assert "has not changed since the last check" in grader("check", "2.1", "--package", half_done).stdout


@pytest.mark.leg("push")
def test_who_works_on_another_file_is_not_asked_whether_this_one_is_saved(half_done, tmp_path):
    shutil.copytree(half_done, tmp_path, dirs_exist_ok=True)
    grader("check", "2.1", "--package", tmp_path)
    write(tmp_path, "1.1", "return (f(x + h) - f(x - h)) / (2 * h)", "derivatives.py")
    assert "Did you save it?" not in grader("check", "2.1", "--package", tmp_path).stdout
    assert "Did you save it?" in grader("check", "2.1", "--package", tmp_path).stdout


def test_a_helpful_name_beside_numpy_does_no_harm(half_done):
    """A file of the learner's named like a library is not imported in its place."""
    (half_done / "numpy.py").write_text("raise RuntimeError('shadowed')")
    assert grader("check", "0.1", "--package", half_done).returncode == 0
    (half_done / "numpy.py").unlink()


@pytest.mark.leg("push")
def test_help_is_there():
    for command in ("check", "hint", "fill", "reset", "update", "lab", "nbcheck", "stubs", "notebooks"):
        assert grader(command, "--help").returncode == 0


def test_hints_come_one_by_one(tmp_path, monkeypatch, capsys):
    from grader.cli import main

    monkeypatch.setattr(memory, "MEMORY", tmp_path)
    shown = []
    for _ in range(4):
        main(["hint", "2.1"])
        shown.append(capsys.readouterr().out)
    hints = catalogue.exercise("2.1").hints
    assert [sum(h in text for h in hints) for text in shown] == [1, 2, 3, 3]
    assert "stuck.md" in shown[-1] and "stuck.md" not in shown[0]


@pytest.mark.leg("push")
def test_pytest_asks_the_same_questions_in_its_own_process(half_done):
    def run(id):
        words = ["tests/exercises", "-q", "-p", "no:cacheprovider", "--exercise", id, "--package", str(half_done)]
        command, environment = [sys.executable, "-m", "pytest", *words], {**os.environ, **WITHOUT_PLUGINS}
        return subprocess.run(command, capture_output=True, text=True, cwd=ROOT, env=environment)

    assert run("0.1").returncode == 0
    failed = run("2.1")
    assert failed.returncode == 1 and "Called a * b" in failed.stdout


@pytest.mark.leg("push")
def test_the_learners_process_loads_no_answers():
    """Neither the reference, nor wrong ideas, nor the engines of hunts."""
    questions = [[ex.id, ex.file, [p.name for p in ex.probes]] for ex in catalogue.all_exercises()]
    request = {"package": str(REFERENCE), "questions": questions, "seed": 0}
    code = (
        "import sys; from grader.asking.ask import answer_requests\n"
        f"answer_requests([{request!r}], lambda message: None)\n"
        "not_here = ('engines', 'mistakes', 'marking', 'babygrad_reference')\n"
        "print([m for m in sys.modules if any(name in m for name in not_here)])"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT)
    assert run.stdout.strip() == "[]", run.stdout + run.stderr


@pytest.mark.leg("push")
def test_a_breakpoint_in_a_stub_opens_the_debugger_and_q_leaves_it(tmp_path):
    stubs.write(tmp_path)
    write(tmp_path, "0.1", "breakpoint()  # here", "warmup.py")
    words = ["-m", "pytest", "tests/exercises", "--exercise", "0.1", "--package", str(tmp_path)]
    environment = {**os.environ, **WITHOUT_PLUGINS}
    terminal = pexpect.spawn(sys.executable, words, cwd=str(ROOT), encoding="utf-8", timeout=600, env=environment)
    terminal.expect(r"\(Pdb\)")
    terminal.sendline("p width, height")
    terminal.expect(r"\(\d+, \d+\)")
    terminal.sendline("q")
    terminal.expect(pexpect.EOF)
    assert "Quitting debugger" in terminal.before


def test_what_a_failing_exercise_builds_on_is_asked_in_the_same_process(tmp_path, monkeypatch):
    started = []
    noted = lambda where: started.append(1) or LearnersProcess(where)
    monkeypatch.setattr("grader.checking.check.LearnersProcess", noted)
    monkeypatch.setattr("grader.checking.again.Again.looked_into", lambda self, judging, verdicts, got: verdicts)
    stubs.write(tmp_path)
    file = tmp_path / "babygrad" / "value.py"
    file.write_text(file.read_text().replace('raise NotImplementedError("exercise 2.4: Value.__sub__")', "return self"))
    verdict = check([exercise("2.4")], Request(tmp_path))[0]
    assert "It builds on 2.1" in verdict.message
    assert started == [1]
