r"""What a learner types: make hint EX=2.1, and on Windows .venv\Scripts\python -m grader hint 2.1."""

import os
import shlex

WINDOWS = os.name == "nt"  # there is no make
PYTHON = r".venv\Scripts\python"
OPTIONS = {"TRACK": ["--track"], "PACKAGE": ["--package"], "OUT": ["--out"]}  # other settings stand for themselves
SEVERAL = ("ARGS", "GRADES")  # settings of several words


def typed(line):
    """The command, here.  line: as make has it; {} in it stays."""
    if not WINDOWS:
        return line
    from subprocess import list2cmdline  # here: elsewhere nobody needs it, and in a page there are no processes

    _, target, *settings = shlex.split(line)
    return " ".join(
        [PYTHON, "-m grader", list2cmdline([target, *(word for each in settings for word in _words(each))])]
    )


def installing(line):
    """The command that first installs what the course needs, as every target of make does."""
    return "py -m grader.environment core" if WINDOWS else line


def _words(setting):
    name, _, value = setting.partition("=")
    return [*OPTIONS.get(name, []), *(shlex.split(value) if name in SEVERAL else [value])]
