"""What documents tell teachers to type: commands and options exist, examples can be read, the trial runs."""

import itertools
import os
import re
import shlex
import shutil
import subprocess

import pytest

from grader import cli
from grader.classroom.collect.platforms import GROUPS, Pattern, label_of
from grader.classroom.collect.submissions import find
from grader.course.paths import ROOT

WAY, DETAILS, SCALING, COURSE, DEVELOPMENT = (
    (ROOT / "docs" / f"{name}.md").read_text(encoding="utf-8")
    for name in ("teaching", "grading", "scaling", "course", "development")
)
TEACHING = WAY + "\n" + DETAILS
FENCE = re.compile(
    r"(?:^<!-- (?P<mark>[^\n]*) -->\n)?^(?P<indent> *)```(?P<language>\w+)\n(?P<text>.*?)^ *```$", re.M | re.S
)
VALUES = {"SLURM_CPUS_PER_TASK": "4", "SLURM_ARRAY_TASK_ID": "2"}  # in place of what a cluster gives
needs_make = pytest.mark.skipif(not shutil.which("make"), reason="there is no make here")
needs_bash = pytest.mark.skipif(not shutil.which("bash"), reason="there is no bash here")


def blocks(text, *languages):
    """(mark, text) of each code block in these languages."""
    found = (block for block in FENCE.finditer(text) if block["language"] in languages)
    return [(block["mark"], re.sub(rf"^{block['indent']}", "", block["text"], flags=re.M)) for block in found]


SCRIPTS = [text for document in (TEACHING, SCALING) for _, text in blocks(document, "sh", "bash")]


def lines(text):
    """Lines of a script, those that go on in the next one joined, without comments."""
    joined = re.sub(r"\\\n\s*", " ", text)
    return [re.sub(r"\s+# .*", "", line).strip() for line in joined.splitlines()]


def graders_words(line):
    """What the command line gives to python -m grader, or None."""
    for name, value in VALUES.items():
        line = line.replace(f"${name}", value)
    words = shlex.split(line)
    return words[words.index("grader") + 1 :] if "grader" in words and "-m" in words else None


def inline_commands(text):
    return [span for span in re.findall(r"`([^`\n]+)`", text) if " " in span]


def all_lines():
    yield from (line for script in SCRIPTS for line in lines(script))
    yield from (line for document in (TEACHING, SCALING, COURSE, DEVELOPMENT) for line in inline_commands(document))


COMMANDS = [words for words in map(graders_words, all_lines()) if words]
TARGETS = [line for line in all_lines() if re.match(r"make (-C \S+ )?[a-z]+ [^…]*$", line)]


def parsed(words):
    """The command's options as the grader reads them."""
    try:
        return cli.parser(words).parse_args(words)
    except SystemExit:
        pytest.fail(f"python -m grader {shlex.join(words)} is no command")


# ---- commands and options ----


def test_the_documents_show_commands():
    assert len(COMMANDS) > 8 and len(TARGETS) > 6


@pytest.mark.parametrize("words", COMMANDS, ids=shlex.join)
def test_every_command_is_one_of_the_graders(words):
    parsed(words)
    assert {word for word in words if word.startswith("--")} <= options_of(words[0])  # argparse takes beginnings too


@needs_make
@pytest.mark.parametrize("line", sorted(set(TARGETS)))
def test_every_make_line_comes_to_a_command(line, environment):
    words = shlex.split(line)[1:]
    words = words[2:] if words[0] == "-C" else words
    made = subprocess.run(["make", "-n", *words], cwd=ROOT, env=environment, capture_output=True, text=True)
    assert made.returncode == 0, made.stderr
    if "grader" in made.stdout:
        parsed(shlex.split(made.stdout.replace("\\\n", " ").split(" grader ")[1].partition(" || ")[0]))


def options_of(*commands):
    parser = next(action for action in cli.parser(commands)._actions if action.choices)
    actions = itertools.chain(*(parser.choices[name]._actions for name in commands))
    return {option for action in actions for option in action.option_strings} - {"-h", "--help", "--mimebundle"}


@pytest.mark.parametrize("document", [TEACHING, SCALING], ids=["teaching", "scaling"])
def test_every_option_that_is_named_exists(document):
    named = set(re.findall(r"`(--[a-z]+(?:-[a-z]+)*)", document))
    assert named and named <= options_of("grade", "release", "check", "submit")


def test_every_option_of_a_teachers_commands_is_explained():
    named = set(re.findall(r"(--[a-z]+(?:-[a-z]+)*)", TEACHING + SCALING))
    assert options_of("grade", "release") <= named


@pytest.mark.parametrize("document", [TEACHING, SCALING], ids=["teaching", "scaling"])
def test_every_file_that_is_named_exists(document):
    named = set(re.findall(r"\brequirements[-/]\w+\.txt", document)) | set(re.findall(r"`(docs/[\w.]+)`", document))
    assert [name for name in named if not (ROOT / name).exists()] == []


def test_a_teachers_way_is_short():
    assert len(WAY.split()) <= 1500


def test_names_that_are_said_to_be_understood_are():
    rows = re.findall(r"^\| (Moodle|Canvas|Blackboard, Brightspace) \|.*?\| (`.*`)", TEACHING, re.M)
    assert len(rows) == 3
    for platforms, names in rows:
        names = [name.replace("…", "") for name in re.findall(r"`([^`]+)`", names) if name[0] != "_"]
        assert [label_of(name).platform for name in names] == platforms.split(", ")


def test_the_pattern_reads_the_names_that_it_is_said_to_read(tmp_path):
    [pattern] = [parsed(words).pattern for words in COMMANDS if "--pattern" in words]
    [names] = re.findall(r"^reads (`.*`)\.$", TEACHING, re.M)
    for name in re.findall(r"`([^`]+)`", names):
        (tmp_path / name).touch()
    ada, boole = find(tmp_path, Pattern(pattern))
    assert (ada.student, boole.student, ada.label.late, boole.label.late) == ("al815", "gb15", False, True)
    assert (ada.submitted.hour, boole.submitted.day, boole.label.file) == (14, 22, "value.py")


def test_the_groups_of_a_pattern_are_those_that_are_explained():
    table = TEACHING[TEACHING.index("| group | what it is |") :].partition("\n\n")[0]
    assert tuple(re.findall(r"^\| `(\w+)`", table, re.M)) == GROUPS


# ---- the examples ----


@needs_bash
@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.splitlines()[0])
def test_every_script_can_be_read_by_bash(script):
    subprocess.run(["bash", "-n"], input=script, text=True, check=True)


def test_the_slurm_array_has_as_many_tasks_as_shards():
    [script] = [script for script in SCRIPTS if "#SBATCH" in script]
    assert re.search(r"--array=1-(\d+)", script)[1] == re.search(r"TASK_ID/(\d+)", script)[1]


# ---- what is typed ----


@pytest.fixture
def environment(environment_in, tmp_path):
    """Variables for make, which then takes this Python's environment for the course's .venv."""
    venv = environment_in(tmp_path / "venv")
    kept = {k: v for k, v in os.environ.items() if k != "PYTHONPATH"}
    return {**kept, "BABYGRAD_VENV": str(venv), "BABYGRAD_MEMORY": str(tmp_path / "memory")}
