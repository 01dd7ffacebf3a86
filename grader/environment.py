"""Make .venv, once, and install what the course needs: python -m grader.environment core (or grade, site, all, bench).

The stamp .venv/ready-core, written last of all, names the folder, the Python, and a hash of the requirements; if they
are others now, it is as good as absent. Where pip was broken off there is a stamp that matches nothing (UNFINISHED).
"""

import os
import sys

if os.name == "nt":  # no make
    ANOTHER_PYTHON = "py -3.12 -m grader.environment core"
else:
    ANOTHER_PYTHON = "make check PYTHON=python3.12"

if sys.version_info < (3, 11):  # Python 3.6 can read this file
    sys.exit("babygrad needs Python 3.11 or newer, and this is Python %s. If you have a newer one, name it, for "
             "example `%s`; otherwise install one (from python.org, or your system's packages)."
             % (sys.version.split()[0], ANOTHER_PYTHON))  # fmt: skip

import hashlib
import shutil
import tempfile
from contextlib import contextmanager, suppress
from importlib.util import find_spec
from pathlib import Path
from subprocess import PIPE, STDOUT, Popen, call

COURSE = Path(__file__).resolve().parents[1]
UNFINISHED = "not-ready"
LOG = "pip.log"
BESIDE_PYTORCH = "6.6 GB" if sys.platform == "linux" else "1.8 GB"  # on Linux it comes with its GPU parts
LEVELS = {  # each file includes those above it
    "core": ("requirements-core.txt", "about a minute and 650 MB of disk"),
    "grade": ("requirements/grade.txt", "about a minute and 650 MB of disk"),
    "site": ("requirements/site.txt", "about a minute and 700 MB of disk"),
    "all": ("requirements.txt", f"some minutes and {BESIDE_PYTORCH} of disk"),
    "bench": ("requirements/bench.txt", f"some minutes and {BESIDE_PYTORCH} of disk"),
}


def main(level="", *more):
    levels = [each for each in LEVELS if (COURSE / LEVELS[each][0]).exists()]  # a student edition has one
    if level not in levels or more:
        sys.exit(
            f"Which level? python -m grader.environment {', '.join(levels)} (BABYGRAD_VENV can name another folder)"
        )
    try:
        venv = Path(os.environ.get("BABYGRAD_VENV") or COURSE / ".venv")
        with alone(venv):
            prepare(level, venv)
    except KeyboardInterrupt:
        sys.exit("\nStopped before it was done: the same command starts it again.")
    except OSError as error:
        sys.exit(f"The environment could not be created: {error}.")


@contextmanager
def alone(venv):
    """Wait until no other command works on this environment: a half-made one would be taken for one broken off."""
    name = hashlib.sha256(os.fsencode(venv.resolve())).hexdigest()[:16]
    path = os.path.join(tempfile.gettempdir(), f"babygrad-{name}.lock")
    lock = None
    with suppress(ImportError, OSError):  # Windows; or a folder of somebody else's
        lock = locked(path, venv)
    try:
        yield
    finally:
        if lock:
            with lock, suppress(OSError):
                os.unlink(path)  # while it is held: who waits for it sees that it is gone, and makes a new one


def locked(path, venv):
    """The file of this name, opened and locked."""
    import fcntl

    while True:
        lock = open(path, "ab")  # noqa: SIM115
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            print(f"Another command is at work on {venv}: waiting for it ...", flush=True)
            fcntl.flock(lock, fcntl.LOCK_EX)
        with suppress(FileNotFoundError):
            if os.path.samestat(os.stat(path), os.fstat(lock.fileno())):
                return lock
        lock.close()


def prepare(level, venv):
    ready = venv / f"ready-{level}"
    usable = python_of(venv).exists() and all(old.read_bytes().startswith(place(venv)) for old in stamps(venv))
    if usable and ready.exists() and ready.read_bytes() == stamp(venv):
        with suppress(OSError):  # an environment that we may only read
            ready.touch()  # newer than the requirements, for make
        return
    if usable and not os.access(venv, os.W_OK):
        sys.exit(f"{venv} is not yours to change, and was not made for this course. Whoever set it up types, in this "
                 f"folder or a copy: BABYGRAD_VENV='{venv}' python3 -m grader.environment {level}")  # fmt: skip
    if usable:
        print(f"Bringing {venv} up to date ...", flush=True)
    else:
        print(f"Setting up {venv} (only once, {LEVELS[level][1]}) ...", flush=True)
        make_empty(venv)
    install(LEVELS[level][0], venv, keep=usable)
    for brought in [*LEVELS][: [*LEVELS].index(level) + 1]:
        (venv / f"ready-{brought}").write_bytes(stamp(venv))
    print(f"{venv} is ready.")


def python_of(venv):
    return venv / ("Scripts/python.exe" if os.name == "nt" else "bin/python")


def place(venv):
    return os.fsencode(f"{venv.resolve()}\n{python_of(venv).resolve()}\n")


def stamps(venv):
    names = [UNFINISHED, *(f"ready-{level}" for level in LEVELS)]
    return [venv / name for name in names if (venv / name).exists()]


def stamp(venv):
    lists = [*sorted(COURSE.glob("requirements*.txt")), *sorted(COURSE.glob("requirements/*.txt"))]
    text = "".join(path.read_text(encoding="utf-8") for path in lists)
    return place(venv) + b"requirements " + hashlib.sha256(text.encode()).hexdigest().encode()


def make_empty(venv):
    """A new environment with nothing but pip, in place of what was left of another one."""
    if venv.is_dir() and any(venv.iterdir()) and not stamps(venv):
        sys.exit(f"{venv} is neither empty nor an environment of this course: name another folder.")
    if not find_spec("ensurepip"):  # in Debian it is in a package of its own
        package = "python%d.%d-venv" % sys.version_info[:2]
        sys.exit("This Python cannot create environments, because its venv module is incomplete: install the package "
                 f"{package} (Debian, Ubuntu: sudo apt install {package}), then repeat the command.")  # fmt: skip
    venv.mkdir(parents=True, exist_ok=True)
    (venv / UNFINISHED).touch()
    for path in {*venv.iterdir()} - {venv / UNFINISHED}:
        path.unlink() if path.is_symlink() or path.is_file() else shutil.rmtree(path)
    # Not sys.executable, which may have been the environment's own.
    if call([sys._base_executable, "-m", "venv", "--prompt", "babygrad", venv]):
        sys.exit(f"{venv} could not be created, for the reason above. If the disk is full, make room. Otherwise try "
                 "another Python: " + ANOTHER_PYTHON)  # fmt: skip


def install(requirements, venv, keep):
    """keep: an environment that worked stays if pip fails (but not if pip is broken off)."""
    (venv / UNFINISHED).touch()
    # -I: what PYTHONPATH holds does not count as installed.
    pip = [python_of(venv), "-I", "-m", "pip", "install", "--disable-pip-version-check", "--progress-bar", "off"]
    # --no-compile: it would take one processor. Below, all take part.
    failed = call_in_one_line([*pip, "--no-compile", "-r", COURSE / requirements], venv / LOG)  # negative if killed
    if failed == 0 or (failed > 0 and keep):
        (venv / UNFINISHED).unlink()
    if failed:
        print((venv / LOG).read_text(encoding="utf-8", errors="replace"), flush=True)
        sys.exit("Installing failed, for the reason that pip gives above: often there is no network, or no room on "
                 "the disk. When that is solved, repeat the same command.")  # fmt: skip
    # The course is importable by a .pth file, after PYTHONPATH (`pip install -e .` would need the network). In its own
    # .venv the line is relative: no letters of a path that the system's encoding could get wrong.
    for packages in [*venv.glob("lib/python*/site-packages"), *venv.glob("Lib/site-packages")]:
        call([python_of(venv), "-I", "-m", "compileall", "-qq", "-j", "0", packages])
        inside = COURSE in venv.resolve().parents
        line = os.path.relpath(COURSE, packages.resolve()) if inside else COURSE
        (packages / "babygrad_course.pth").write_text(f"{line}\n")


def call_in_one_line(command, log):
    """What it prints goes into the file log; on a terminal its last line is shown.  Returns the exit code."""
    show = (lambda text: print(f"\r{text[:78]:78}", end="\r", flush=True)) if sys.stdout.isatty() else lambda text: None
    with open(log, "wb") as file, Popen(command, stdout=PIPE, stderr=STDOUT) as process:
        for line in process.stdout:
            file.write(line)
            show(line.decode(errors="replace").strip())
    show("")
    return process.returncode


if __name__ == "__main__":
    main(*sys.argv[1:])
