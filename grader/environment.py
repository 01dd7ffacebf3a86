"""Make .venv and install what the course needs.

    python -m grader.environment core      what a learner needs
    python -m grader.environment grade     core, and what `make grade` shuts strangers' code in with
    python -m grader.environment all       also what the project's own tests need (torch is large)
    python -m grader.environment bench     core, and the engine that the benchmarks compare with

This file starts on any Python, 2.7 included, so that an old one gets a sentence and no SyntaxError:
that is why it has no f-strings, and why it takes nothing from the rest of the course.

What .venv knows about itself: `ready-core`, `ready-grade` and so on say in three lines where the
environment lies, which Python it runs, and the hash of the requirement files that were installed. A stamp
that does not match is as good as absent. (The Makefile reads the first two lines as well, so that Python need
not start to find that all is well.) `unfinished` is there while something is being installed; who finds it
starts afresh.
"""

from __future__ import print_function

import argparse
import hashlib
import os
import shutil
import subprocess
import sys
import time

OLDEST = (3, 11)
COURSE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
UNFINISHED = "unfinished"

# Each level's files; the last one includes the others and is the one to install.
REQUIREMENTS = {
    "core": ["requirements-core.txt"],
    "grade": ["requirements-core.txt", "requirements-grade.txt"],
    "all": ["requirements-core.txt", "requirements-grade.txt", "requirements-dask.txt", "requirements.txt"],
    "bench": [
        "requirements-core.txt",
        "requirements-grade.txt",
        "requirements-dask.txt",
        "requirements.txt",
        "requirements-bench.txt",
    ],
}
LEVELS_BROUGHT = {
    "core": ["core"],
    "grade": ["core", "grade"],
    "all": ["core", "grade", "all"],
    "bench": ["core", "grade", "all", "bench"],
}
COST = {
    "core": "once, about a minute and 620 MB of disk",
    "grade": "once, about a minute and 620 MB of disk",
    "all": "once, about two minutes and 1.5 GB of disk",
    "bench": "once, about two minutes and 1.5 GB of disk",
}


class Problem(Exception):
    """Something the user can cure; the text is the one sentence to show."""


def main(arguments=None):
    """Make the environment ready; the exit status: 0, 2 for a problem, 130 when stopped by Ctrl-C."""
    wanted = read_arguments(arguments)
    try:
        return prepare(wanted.level, os.path.abspath(wanted.venv))
    except Problem as problem:
        print(problem, file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("\nStopped before it was done: the same command starts it again.", file=sys.stderr)
        return 130
    except (OSError, IOError) as error:  # two names in Python 2
        print("The environment could not be written: %s." % error, file=sys.stderr)
        return 2


def read_arguments(arguments):
    default = os.environ.get("BABYGRAD_VENV") or os.path.join(COURSE, ".venv")
    parser = argparse.ArgumentParser(prog="python -m grader.environment", description="Make .venv.")
    parser.add_argument("level", choices=sorted(REQUIREMENTS))
    parser.add_argument("--venv", default=default, help="its folder (default: $BABYGRAD_VENV, else .venv)")
    return parser.parse_args(arguments)


def prepare(level, venv):
    if sys.version_info[:2] < OLDEST:
        return hand_over(level, venv)
    if is_ready(level, venv):
        touch_stamps(level, venv)
    else:
        set_up(level, venv)
    return 0


# ---- which Python ----


def hand_over(level, venv):
    """Too old to go on. But an environment that was made with a newer Python can look after itself."""
    if packages_folder(venv) is None:
        raise Problem(too_old(sys.version.split()[0]))
    return subprocess.call([python_of(venv), "-m", "grader.environment", level, "--venv", venv], cwd=COURSE)


def too_old(found):
    return (
        "babygrad needs Python %d.%d or newer, and this is Python %s: if you have a newer one, name it, for "
        "example `make check PYTHON=python3.12`, else install one (python.org, or your system's packages)."
        % (OLDEST + (found,))
    )


def demand_venv_module():
    """Debian and its relatives ship a Python that cannot make environments until a package is added."""
    from importlib.util import find_spec

    if not (find_spec("venv") and find_spec("ensurepip")):
        package = "python%d.%d-venv" % sys.version_info[:2]
        raise Problem(
            "This Python cannot make environments, for its venv module is not complete: install the package "
            "%s (Debian, Ubuntu: sudo apt install %s), then give the same command again." % (package, package)
        )


def python_of(venv):
    """The environment's own Python."""
    windows = os.path.join(venv, "Scripts", "python.exe")
    return windows if os.name == "nt" else os.path.join(venv, "bin", "python")


def packages_folder(venv):
    """Where venv keeps its packages, or None if its Python or its pip does not work (or is too old)."""
    question = "import pip, sys, sysconfig as s; assert sys.version_info >= %r; print(s.get_path('purelib'))"
    command = [python_of(venv), "-I", "-c", question % (OLDEST,)]
    try:
        asked = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    except OSError:
        return None
    answer = asked.communicate()[0].decode().strip()
    return answer if asked.returncode == 0 and answer else None


# ---- what is there ----


def stamp_file(level, venv):
    return os.path.join(venv, "ready-" + level)


def stamp_text(level, venv):
    """What the stamp says if everything is as it should be."""
    lines = os.path.realpath(venv), os.path.realpath(python_of(venv)), hash_of_requirements(level)
    return "%s\n%s\n%s\n" % lines


def hash_of_requirements(level):
    total = hashlib.sha256()
    for name in REQUIREMENTS[level]:
        with open(os.path.join(COURSE, name), "rb") as file:
            total.update(file.read().replace(b"\r\n", b"\n") + b"\0")
    return total.hexdigest()


def read(path):
    try:
        with open(path) as file:
            return file.read()
    except (OSError, IOError):
        return ""


def is_ready(level, venv):
    return os.path.exists(python_of(venv)) and read(stamp_file(level, venv)) == stamp_text(level, venv)


def is_unfinished(venv):
    return os.path.exists(os.path.join(venv, UNFINISHED))


def has_moved(venv):
    """Was it set up in another folder? Then the programs in its bin/ still call the Python of that folder."""
    stamps = [read(stamp_file(level, venv)) for level in REQUIREMENTS]
    return any(stamp and stamp.split("\n")[0] != os.path.realpath(venv) for stamp in stamps)


def is_ours(venv):
    """May this folder be emptied? If we made it, or if it is an environment inside the course."""
    marks = [UNFINISHED] + ["ready-" + level for level in REQUIREMENTS]
    if any(os.path.exists(os.path.join(venv, mark)) for mark in marks):
        return True
    return os.path.dirname(venv) == COURSE and os.path.exists(os.path.join(venv, "pyvenv.cfg"))


# ---- making it ----


def set_up(level, venv):
    start = time.time()
    packages = None if is_unfinished(venv) or has_moved(venv) else packages_folder(venv)
    fresh = packages is None
    if fresh:
        say("Setting up %s: %s ..." % (short(venv), COST[level]))
        packages = make_environment(venv)
    else:
        say("Bringing %s up to date ..." % short(venv))
    install(level, venv, keep=not fresh)
    make_importable(packages, venv)
    write_stamps(level, venv)
    say("%s is ready, after %.0f seconds." % (short(venv), time.time() - start))


def make_environment(venv):
    """An empty environment in the folder, whatever was left there before; where its packages go."""
    demand_venv_module()
    if os.path.isdir(venv) and os.listdir(venv) and not is_ours(venv):
        raise Problem("%s is neither empty nor an environment of this course: name another folder." % venv)
    mark_unfinished(venv)
    clear(venv)
    # An environment made from inside another one (an activated one, or this very one) must not depend on it.
    python = getattr(sys, "_base_executable", None) or sys.executable
    status = run([python, "-m", "venv", "--prompt", "babygrad", venv])
    packages = packages_folder(venv)
    if status != 0 or packages is None:
        raise Problem("%s could not be made; another Python may do it: make check PYTHON=python3.12" % venv)
    return packages


def mark_unfinished(venv):
    if not os.path.isdir(venv):
        os.makedirs(venv)
    with open(os.path.join(venv, UNFINISHED), "w") as file:
        file.write("being installed; if this file stays, the next call starts afresh\n")


def clear(venv):
    """Empty the folder but for the mark, by which a clearing that is interrupted is known as unfinished."""
    for name in os.listdir(venv):
        path = os.path.join(venv, name)
        if name == UNFINISHED:
            continue
        if os.path.isdir(path) and not os.path.islink(path):
            shutil.rmtree(path)
        else:
            os.remove(path)


def install(level, venv, keep):
    """Let pip install, which shows its progress. keep: an environment that worked stays if pip fails."""
    mark_unfinished(venv)
    # -I: what PYTHONPATH holds must not count as installed.
    pip = [python_of(venv), "-I", "-m", "pip", "install", "--disable-pip-version-check"]
    status = run(pip + ["-r", os.path.join(COURSE, REQUIREMENTS[level][-1])])
    if status == 0 or keep:
        os.remove(os.path.join(venv, UNFINISHED))
    if status != 0:
        raise Problem(
            "Installing failed, for the reason that pip gives above: often there is no network; "
            "give the same command again when that is cured."
        )


def make_importable(packages, venv):
    """Put the course on the environment's import path, for notebooks, by one line in a .pth file.

    Not `pip install -e .`: that takes seconds, and asks the network for a build tool. What a .pth file names
    comes last on the path, so an absolute PYTHONPATH goes before it. In the course's own .venv the line is
    relative, so it holds no letters that a file in the system's encoding could get wrong.
    """
    inside = os.path.realpath(venv).startswith(os.path.join(os.path.realpath(COURSE), ""))
    line = os.path.relpath(os.path.realpath(COURSE), os.path.realpath(packages)) if inside else COURSE
    with open(os.path.join(packages, "babygrad_course.pth"), "w") as file:
        file.write(line + "\n")


def write_stamps(level, venv):
    """Last of all, and each in one piece: a stamp that is there is true."""
    for brought in LEVELS_BROUGHT[level]:
        path = stamp_file(brought, venv)
        with open(path + ".new", "w") as file:
            file.write(stamp_text(brought, venv))
        os.replace(path + ".new", path)


def touch_stamps(level, venv):
    """Newer than the requirement files, which is all that make looks at."""
    try:
        os.utime(stamp_file(level, venv), None)
    except OSError:
        pass  # an environment that we may only read is looked at each time instead


def run(command):
    """Run command with its output shown; its exit status."""
    return subprocess.call(command)


def short(path):
    """As the user would write it: relative if it lies in the course."""
    return os.path.relpath(path, COURSE) if path.startswith(os.path.join(COURSE, "")) else path


def say(line):
    print(line)
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
