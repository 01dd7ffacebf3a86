"""Errors carried forward: a submission that meets part of the reference takes nothing out of there but a number.

The hand-ins here have 2.1 wrong, which is in 2.4's and 2.5's way: these are asked with the reference's 2.1.
"""

import json
import sys
import textwrap
from dataclasses import replace
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).parent))
from attack import at_top, into, job, submission
from pipe_attacks import FOUND, SPOKEN

from grader.asking.outcome import Stopped
from grader.checking import carrying
from grader.classroom.run.student_record import carried_on, to_carry
from grader.course import catalogue, regions
from grader.course.exercise import IN_PART
from grader.course.paths import REFERENCE, package_folder
from grader.course.usage import UsageError
from grader.sandbox.outside import client, grading, levels

pytestmark = pytest.mark.leg("push")

SEED = 20261122
IDS = ("2.1", "2.4", "2.5")
WRONG = into("2.1", "return Value(0.0)")


NOTHING = {"cured": False, "counted": 0, "idea": None}
EX = catalogue.exercise("2.4")


def all_right(id):
    number = len(catalogue.exercise(id).probes)
    return {"cured": True, "counted": number, "idea": None}


WEAKER = [pytest.param(name, marks=pytest.mark.leg("night")) for name in levels.LEVELS[1:]]


@pytest.fixture(params=[None, *WEAKER])
def level(request, do_without):
    """The strongest level of this machine; in make test-all each that it has."""
    try:
        return levels.choose(wanted=request.param).level.name
    except UsageError as error:
        if request.param is None:
            do_without("JAIL", str(error))
        pytest.skip(str(error))


@pytest.fixture
def seen(monkeypatch):
    """A list that grows with all that came back from the jail of errors carried forward: {exercise id: answers}."""
    came = []
    answered = carrying._answered

    def noted(ex, files, seed, ask):
        return answered(ex, files, seed, lambda *asked: came.append(ask(*asked)) or came[-1])

    monkeypatch.setattr(carrying, "_answered", noted)
    return came


def line_of(id):
    """The longest line of the reference's answer."""
    text = (package_folder(REFERENCE) / catalogue.exercise(id).file).read_text(encoding="utf-8")
    return max((line.strip() for r in regions.solution_regions(text) if r.id == id for line in r.body), key=len)


def graded(level, *edits, honest=("2.3",), ids=IDS):
    """(rows as they are, {exercise id: what is found}) of a hand-in."""
    files = submission(honest, [("value.py", edit) for edit in edits])
    asked = job(files, ids, SEED, level)
    record = {"exercises": grading.grade(asked)["exercises"]}
    wanted = to_carry(record)
    return record, grading.grade(replace(asked, ids=tuple(wanted), carried=wanted)) if wanted else {}


# ---- the text of the reference ----

TELLING = """
    text = open(__file__, encoding="utf-8").read()
    print(text)
    self.__class__.__name__ = self.__class__.__qualname__ = text[:3000]
    Stolen = type(text[-2000:], (Exception,), {})
    def tell(self): return text
    Value.__repr__ = Value.__str__ = tell
    raise Stolen(text[text.index("# exercise 2.1"):])
"""
ANSWERING = """
    text = open(__file__, encoding="utf-8").read()
    result = Value(0.0, (self, other), text, (0.0, 0.0))
    result.data = result._op = text[text.index("# exercise 2.1"):]
    return result
"""


@pytest.mark.parametrize("code", [TELLING, ANSWERING], ids=["in an exception", "in answers"])
def test_no_text_comes_out(code, level, seen):
    record, numbers = graded(level, WRONG, into("2.4", code))
    assert line_of("2.1") in repr(seen), "the attack itself does not work: it did not find the reference"
    assert numbers == {"2.4": NOTHING}
    kept = json.dumps(carried_on(record, numbers))
    assert line_of("2.1") not in kept and json.dumps(line_of("2.1"))[1:-1] not in kept


SEARCHING = """
    import itertools, os, sys
    found = []
    tops = ["/", os.path.dirname(__file__), *sys.path]  # a weaker level shows files, and no list of those in "/"
    for folder, _, names in itertools.chain(*map(os.walk, tops)):
        if folder.startswith(("/proc", "/sys")):
            continue
        for name in names:
            if name.endswith((".py", ".pyc", ".json", ".txt")):
                try:
                    found.append(open(os.path.join(folder, name), "rb").read())
                except OSError:
                    pass
    import gc
    here = [x.encode("utf-8", "replace") for x in gc.get_objects() if type(x) is str]
    all = b"".join(found + here)
    raise ValueError([all.count(bytes(pattern)) for pattern in PATTERNS])
"""


@pytest.mark.leg("night")
def test_the_answer_to_what_is_asked_is_nowhere_in_there(level, seen, monkeypatch):
    monkeypatch.setattr(grading, "FLOOR", 60.0)  # it reads all files that there are, once for each question
    texts = [line_of(id) for id in ("2.4", "2.5", "3.4", "2.1")]
    patterns = repr([list(text.encode()) for text in texts])  # as numbers: it would find itself
    graded(level, WRONG, into("2.4", SEARCHING.replace("PATTERNS", patterns)), ids=("2.1", "2.4"))
    outcomes = [outcome.answers for answers in seen for outcome in answers["2.4"].values()]
    told = {stopped.message for stopped in outcomes if isinstance(stopped, Stopped)}
    counts = [json.loads(message) for message in told]
    assert counts and all(found[:3] == [0, 0, 0] and found[3] > 0 for found in counts)


@pytest.mark.leg("night")
def test_no_package_holds_the_answer_to_what_is_asked_or_to_what_it_does_not_need():
    texts = {ex.id: line_of(ex.id) for ex in catalogue.all_exercises()}
    own_words = [text for name, text in carrying._handed_out(()).items()]
    secret = {id: text for id, text in texts.items() if len(text) > 30 and not any(text in own for own in own_words)}
    assert len(secret) > 60
    for ex in catalogue.all_exercises():
        held = "".join(carrying._with_needs(ex.id, ()).values())
        needed = [texts[id] for id in catalogue.all_needs(ex.id)]
        forbidden = [id for id in secret.keys() - {*catalogue.all_needs(ex.id)} if secret[id] not in needed]
        assert ex.id not in catalogue.all_needs(ex.id)
        assert [id for id in forbidden if secret[id] in held] == [], ex.id


# ---- into another exercise's marks ----

LEAVING = """
    import builtins, os, sys
    text = open(__file__, encoding="utf-8").read()
    start = text.index("# exercise 2.1")
    loot = text[start:text.index("# end of exercise 2.1")]
    builtins.LOOT = os.environ["LOOT"] = sys.modules["LOOT"] = loot
    places = [".", "babygrad", "/tmp", "/dev/shm", "/var/tmp", "/run", os.path.dirname(__file__), *sys.path]
    for place in places:
        try:
            with open(os.path.join(place, "loot.py"), "w") as file:
                file.write(loot)
        except OSError:
            pass
    for name in list(sys.modules):
        if name.startswith(("grader", "toolbox")):
            sys.modules[name].LOOT = loot
    raise ValueError("left " + loot)
"""
FINDING = """
    import builtins, glob, os, sys, textwrap
    places = ["loot.py", "babygrad/loot.py", *(f"/{folder}/loot.py" for folder in ("tmp", "dev/shm", "var/tmp", "run"))]
    places += [os.path.join(place, "loot.py") for place in sys.path] + glob.glob("/proc/*/cwd/loot.py")
    found = [getattr(builtins, "LOOT", None), os.environ.get("LOOT"), sys.modules.get("LOOT")]
    ours = [module for name, module in list(sys.modules.items()) if name.startswith(("grader", "toolbox"))]
    found += [getattr(module, "LOOT", None) for module in ours]
    for place in places:
        try:
            found.append(open(place).read())
        except OSError:
            pass
    for text in filter(None, found):
        names = {"self": self, "other": other, "Value": Value, "as_value": as_value}
        exec("def stolen(self, other):\\n" + textwrap.indent(textwrap.dedent(text), "    "), names)
        return names["stolen"](self, other)
    return Value(0.0)
"""


@pytest.mark.leg("night")
def test_what_one_exercise_finds_does_not_reach_another(level, seen):
    """The file cannot be read, so 2.1 has a second figure too; graded twice, for 2.1 comes first."""
    broken = [into("2.1", FINDING), into("2.4", LEAVING), lambda text: text + "\nsum((1, 2)\n"]
    for _ in range(2):
        record, numbers = graded(level, *broken)
        assert numbers["2.1"] == numbers["2.4"] == NOTHING
        assert {row["counted"] for row in record["exercises"]} == {0}
    assert line_of("2.1") in repr(seen), "the attack itself does not work: it did not find the reference"


def test_what_was_left_would_be_found(level):
    """The same within one process: what 2.1 looks for is what 2.4 leaves."""
    leaving = LEAVING.replace('text.index("# exercise 2.1")', "0").replace(
        'text[start:text.index("# end of exercise 2.1")]', '"return Value(self.data * other.data, (self, other), '
        '\'*\', (other.data, self.data))"'
    )  # fmt: skip
    finding = "if not hasattr(Value, 'tried'):\n    Value.tried = True\n    try:\n        Value.leave(self)\n" \
        "    except ValueError:\n        pass\n" + textwrap.dedent(FINDING)  # fmt: skip
    method = "\n\ndef leave(self):\n" + textwrap.indent(textwrap.dedent(leaving), "    ") + "\n\nValue.leave = leave\n"
    record, _ = graded(level, into("2.1", finding), lambda text: text + method, ids=("2.1",))
    assert record["exercises"][0]["status"] == "passed", record


def speaking(code):
    """An edit: what 2.4 sends by itself, in the language of the pipe."""
    return [at_top(FOUND + SPOKEN), into("2.4", code)]


FORGING = """
    for id in ("2.1", "2.5", "2.4"):
        begin(id, importing="value.py")
        for probe in @names@[id]:
            begin(id, probe=probe)
            answer(id, probe, table(asked="2.1", carried=number(99)))
    send(table(carried=table(a=4)))
    send(table(done=True))
    import os
    os._exit(0)
"""


def test_forged_answers_count_for_nothing(level, seen):
    names = {id: [probe.name for probe in catalogue.exercise(id).probes] for id in IDS}
    record, numbers = graded(level, WRONG, *speaking(FORGING.replace("@names@", repr(names))))
    assert numbers == {"2.4": NOTHING}
    assert "'carried': 99" in repr(seen), "the attack itself does not work: its frames did not come"
    assert {id for answers in seen for id in answers} == {"2.4"}
    assert all(row["counted"] == 0 for row in record["exercises"] if row["id"] != "2.4")


# ---- time, and what is kept ----


@pytest.mark.leg("night")
@pytest.mark.parametrize("code", ["while True: pass", "import os; os._exit(1)"], ids=["no end", "an early end"])
def test_an_exercise_that_ends_its_process_is_not_asked_a_second_time(code, level, monkeypatch):
    monkeypatch.setattr(grading, "FLOOR", 0.5)
    processes, process = [], client.SubmissionProcess
    files = submission(
        ("2.3",), [("value.py", WRONG), ("value.py", into("2.4", code)), ("value.py", at_top("own = 1"))]
    )
    asked = job(files, ("2.4",), SEED, level)
    shown = grading.grade(asked)["exercises"][0]["shown"]
    monkeypatch.setattr(
        client, "SubmissionProcess", lambda *arguments: processes.append(process(*arguments)) or processes[-1]
    )
    assert grading.grade(replace(asked, carried={"2.4": shown})) == {"2.4": NOTHING}
    assert len(processes) <= len(catalogue.exercise("2.4").probes)


def test_after_its_time_a_submission_is_asked_nothing_more(level, monkeypatch):
    files = submission(("2.3", "2.4"), [("value.py", WRONG)])
    asked = replace(job(files, ("2.4",), SEED, level), carried={"2.4": EX.probes[0].name})
    assert grading.grade(asked) == {"2.4": all_right("2.4")}
    monkeypatch.setattr(grading, "WHOLE", 0.0)
    assert grading.grade(asked) == {"2.4": NOTHING}


def test_what_is_kept_is_yes_or_no_a_number_and_the_name_of_an_idea(level):
    """What is said afterwards is made from these, and from what was said before."""
    record, found = graded(level, WRONG, honest=("2.3", "2.4", "2.5"))
    assert found == {id: all_right(id) for id in ("2.4", "2.5")}
    mistaken = into("2.4", "return Value(self.data - other.data)")
    _, found = graded(level, WRONG, mistaken, honest=("2.3",), ids=("2.1", "2.4"))
    assert [type(x) for x in found["2.4"].values()][:2] == [bool, int]
    idea = (found["2.4"]["idea"] or "").removeprefix(IN_PART)
    assert idea in {"", *(each.name for each in catalogue.misconceptions_of(EX))}
    kept = carried_on(record, {"2.4": all_right("2.4"), "2.5": {**all_right("2.5"), "idea": None}})
    changing = ("counted_carried", "message", "misconception", "plain", "shown", "undone")
    fixed = [
        [{k: v for k, v in row.items() if k not in changing} for row in each["exercises"]] for each in (record, kept)
    ]
    assert fixed[0] == fixed[1]


@pytest.mark.leg("night")
def test_errors_carried_on_have_a_server_of_their_own(level):
    graded(level, WRONG, honest=("2.3", "2.4"))
    jails = {carried: jail for (name, _, carried), jail in grading._jails.items() if name == level}
    assert jails[True] is not jails[False]


def test_afterwards_nothing_is_left():
    """The last test of the file."""
    for jail in grading._jails.values():
        jail.close()
    grading._jails.clear()
