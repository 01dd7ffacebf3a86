"""A class with a private variant from end to end: released, learnt by heart, handed in, graded."""

import json
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path
from types import SimpleNamespace

import pytest

sys.path += [str(Path(__file__).parents[1] / name) for name in ("edition", "sandbox/attacks", "classroom")]
from attack import into, submission
from by_heart import by_heart
from classroom_fakes import arguments

from grader import cli
from grader.classroom import gradescope
from grader.classroom.run import grade, private
from grader.classroom.run.round import new_job
from grader.classroom.run.state import State
from grader.course import catalogue, secret
from grader.course.settings import Settings
from grader.course.usage import UsageError
from grader.edition import release
from grader.sandbox.outside.seeds import set_of

pytestmark = [pytest.mark.usefixtures("isolation"), pytest.mark.leg("night")]

SECRETS = {"this": "5eed" * 16, "last": "01d5eed0" * 8}  # always the same: 2.2 draws one of 3,024 questions
IDS = [ex.id for number in ("00", "02") for ex in catalogue.exercises_of(number)]
TOTAL = sum(catalogue.exercise(id).points for id in IDS)
PASTED = ("0.1", "0.3", "2.2")
SPOILT, BUILT_ON_IT = "2.4", "2.5"


@pytest.fixture(scope="module")
def term(tmp_path_factory):
    """A folder with the variants of this year and the last, and of this year's three hand-ins.

    ada has the right answers; ben, for three exercises, those to what this year's students are asked; cleo has an
    error, and everything else right.
    """
    folder = tmp_path_factory.mktemp("term")
    with pytest.MonkeyPatch.context() as patch:
        for year, own in SECRETS.items():
            patch.setattr(secret, "new", lambda own=own: own)
            release.release(folder / year, "0,2", version="the same name", private=True)
    hand_in(folder, "ada", {})
    hand_in(folder, "ben", {id: by_heart(id, Settings.read(folder / "this").draw) for id in PASTED})
    hand_in(folder, "cleo", {SPOILT: "return None"})
    return folder


def hand_in(folder, student, instead):
    """A student's folder, with the right answers but for these, {id: code}; and what make submit writes there."""
    mine = folder / student
    shutil.copytree(folder / "this", mine)
    edits = [(catalogue.exercise(id).file, into(id, code)) for id, code in instead.items()]
    files = submission([id for id in IDS if id not in instead], edits)
    for name in {catalogue.exercise(id).file for id in IDS}:
        (mine / "babygrad" / name).write_bytes(files[name])
    in_edition(mine, "submit", student)
    (folder / "in").mkdir(exist_ok=True)
    shutil.copy(mine / "submissions" / f"{student}.zip", folder / "in")


def in_edition(folder, *words):
    run = subprocess.run([sys.executable, "-m", "grader", *words], cwd=folder, capture_output=True, text=True)
    assert run.returncode in (0, 1), run.stdout + run.stderr
    return run.stdout


def graded(term, out, **others):
    """(exit code, what was said) of grading the class."""
    said = []
    options = {"course": term / "this" / "course.json", "jobs": 1, **others}
    return grade.grade(arguments(term / "in", out, **options), said.append), said


@pytest.fixture(scope="module")
def whole(term):
    """The class graded in one go, by the secret beside the edition: (folder, what was said)."""
    code, said = graded(term, term / "grades")
    assert code == 0
    return term / "grades", said


def records(out):
    lines = (out / "grades.jsonl").read_text(encoding="utf-8").splitlines()
    return {record["student"]: record for record in map(json.loads, lines)}


def points(record, what="earned"):
    return {row["id"]: row[what] for row in record["exercises"]}


def outputs(out):
    """{name: bytes} of what two gradings must have alike."""
    return {name: (out / name).read_bytes() for name in ("grades.csv", "grades.jsonl", "index.html")}


def test_what_was_learnt_by_heart_passes_this_years_check_and_not_last_years(term):
    last = term / "ben, last year"
    shutil.copytree(term / "last", last)
    shutil.copytree(term / "ben" / "babygrad", last / "babygrad", dirs_exist_ok=True)
    for folder, passes in ((term / "ben", True), (last, False)):
        (folder / "checked").mkdir()
        in_edition(folder, "check", *PASTED, "--json", "checked/points.json")
        verdicts = json.loads((folder / "checked" / "points.json").read_text())["exercises"]
        assert [v["id"] for v in verdicts if (v["status"] == "passed") is passes] == list(PASTED)


def test_who_is_right_has_all_points_and_what_was_learnt_by_heart_earns_nothing(whole):
    ada, ben = (records(whole[0])[student] for student in ("ada", "ben"))
    assert ada["earned"] == ada["possible"] == TOTAL
    lost = {id for id, earned in points(ben).items() if earned < catalogue.exercise(id).points}
    assert lost == set(PASTED) and not any(points(ben)[id] for id in PASTED)


def test_errors_are_carried_on_in_a_private_class_too(whole):
    cleo = records(whole[0])["cleo"]
    assert points(cleo)[SPOILT] == points(cleo)[BUILT_ON_IT] == 0
    assert points(cleo, "carried")[BUILT_ON_IT] == catalogue.exercise(BUILT_ON_IT).points


def test_it_says_where_the_seed_is_from_and_no_output_holds_the_secret(whole, term):
    out, said = whole
    assert private.SAID in said
    master = str(secret.number_from(SECRETS["this"], "grading"))
    assert f"The seed was {master}: --seed {master} asks the same questions again." in said
    for path in (path for path in out.rglob("*") if path.is_file()):
        assert SECRETS["this"].encode() not in path.read_bytes(), path
    for_students = [path for student in ("ada", "ben", "cleo") for path in (out / student).rglob("*") if path.is_file()]
    assert len(for_students) >= 9 and not any(master.encode() in path.read_bytes() for path in for_students)


def test_what_a_worker_is_given_tells_neither_the_secret_nor_the_seed_of_the_grading(whole, term):
    state = State.read(whole[0] / "state.json")
    mine = SimpleNamespace(files={})
    for student in ("ada", "ben", "cleo"):
        job = repr(new_job(student, mine, state, tuple(IDS), "none"))
        assert str(state.seeds[set_of(student, state.seed)]) in job
        assert str(state.seed) not in job and SECRETS["this"] not in job


def test_the_secret_may_lie_elsewhere_and_asks_the_same(whole, term, tmp_path):
    shutil.copy(secret.path_for(term / "this"), tmp_path / "kept")
    shutil.copy(term / "this" / "course.json", tmp_path)
    assert graded(term, tmp_path / "out", course=tmp_path / "course.json", secret=tmp_path / "kept")[0] == 0
    assert outputs(tmp_path / "out") == outputs(whole[0])


def test_without_the_secret_it_stops_unless_there_is_a_seed(whole, term, tmp_path):
    shutil.copy(term / "this" / "course.json", tmp_path)
    course, master = tmp_path / "course.json", secret.number_from(SECRETS["this"], "grading")
    with pytest.raises(UsageError, match=r"there is none in .*\.secret\. make release wrote it .*--secret FILE"):
        graded(term, tmp_path / "out", course=course)
    with pytest.raises(UsageError, match="the secret of another edition"):
        graded(term, tmp_path / "out", course=course, secret=secret.path_for(term / "last"))
    assert not (tmp_path / "out" / "state.json").exists()
    code, said = graded(term, tmp_path / "out", course=course, seed=master)
    assert code == 0 and private.SAID not in said
    assert outputs(tmp_path / "out") == outputs(whole[0])


def test_a_grading_goes_on_without_the_secret(whole, term, tmp_path):
    out, waiting = tmp_path / "out", tmp_path / "waiting"
    shutil.copytree(term, tmp_path / "term", ignore=shutil.ignore_patterns("grades"))
    (tmp_path / "term" / "in" / "ben.zip").rename(waiting)
    graded(tmp_path / "term", out)
    secret.path_for(tmp_path / "term" / "this").unlink()
    waiting.rename(tmp_path / "term" / "in" / "ben.zip")
    code, said = graded(tmp_path / "term", out, resume=True)
    assert code == 0 and "Submissions: 1 new, 2 as they were." in said and private.SAID not in said
    assert records(out) == records(whole[0])


def test_shards_need_no_seed(whole, term, tmp_path):
    for shard in ("1/2", "2/2"):
        assert graded(term, tmp_path / "out", shard=shard)[0] == 0
    assert graded(term, tmp_path / "out", merge=True)[0] == 0
    assert records(tmp_path / "out") == records(whole[0])


def test_another_variant_has_everybody_asked_again(whole, term, tmp_path):
    """What its students could know beforehand is something else."""
    shutil.copytree(whole[0], tmp_path / "out")
    _, said = graded(term, tmp_path / "out", course=term / "last" / "course.json", resume=True)
    assert any("the edition's own questions. Everything is regraded, with the same seed." in line for line in said)


def test_gradescope_asks_its_own_questions_and_says_so(term, tmp_path, capsys):
    words = ["grade", "--gradescope", "--out", str(tmp_path), "--course", str(term / "this")]
    assert cli.main(words) == 0
    assert gradescope.PRIVATE in capsys.readouterr().out
    assert cli.main([*words, "--secret", str(secret.path_for(term / "this"))]) == 2
    assert "--gradescope takes no --secret" in capsys.readouterr().err
    root, master = tmp_path / "autograder", str(secret.number_from(SECRETS["this"], "grading"))
    with zipfile.ZipFile(tmp_path / gradescope.NAME) as archive:
        everything = b"".join(map(archive.read, archive.namelist()))
        assert SECRETS["this"].encode() not in everything and master.encode() not in everything
        archive.extractall(root / "source")
    results = {student: on_gradescope(root, term / "in" / f"{student}.zip") for student in ("ada", "ben")}
    assert results["ada"]["score"] == TOTAL
    scores = {test["number"]: test["score"] for test in results["ben"]["tests"]}
    assert scores["0.1"] == 0 < scores["0.2"]


def on_gradescope(root, hand_in):
    """results.json of this zip."""
    shutil.rmtree(root / "submission", ignore_errors=True)
    (root / "results").mkdir(exist_ok=True)
    with zipfile.ZipFile(hand_in) as archive:
        archive.extractall(root / "submission")
    command = [sys.executable, "-B", "-m", "grader.classroom.gradescope", str(root)]
    subprocess.run(command, cwd=root / "source", check=True, capture_output=True)
    return json.loads((root / "results" / "results.json").read_text())
