"""The process of one submission: forked from the server, sandboxed, then asked. It ends with all that it began."""

import contextlib
import json
import os
import sys
from pathlib import Path

from . import isolation, kernel, landlock, rlimits
from .attempts import Attempts
from .given_code import GivenCode

_given = {}  # {file of the package: bytes}, the same for everybody
_filter = []  # the seccomp program, if there is one


def prepare(config):
    """In the server: read the given files and compile them, and import what the shutting in will need."""
    folder = Path(config["given"])
    for path in sorted(folder.rglob("*.py")):
        _given[path.relative_to(folder).as_posix()] = path.read_bytes()
    GivenCode.prepare(_package(config), _given)
    if config["seccomp"]:
        _filter.append(Path(config["seccomp"]).read_bytes())


def run(config, requests, answers):
    """Never returns. Before the first line of a stranger's code is read as code, {"sandboxed": true} is sent."""
    from grader.asking.wire import write_frame

    _only_these_descriptors(requests, answers)
    with os.fdopen(3, "rb") as lines, os.fdopen(4, "wb") as frames:
        try:
            _write_files(config, json.loads(lines.readline())["files"], lines)
            _shut_in(config)
        except (
            Exception
        ) as error:  # a jail in which something is missing does not count: nothing of the submission is run
            write_frame(frames, {"failed": f"{type(error).__name__}: {error}"})
            os._exit(1)
        write_frame(frames, {"sandboxed": True})
        _answer(config, map(json.loads, lines), lambda message: write_frame(frames, message))
    os._exit(0)


def _only_these_descriptors(requests, answers):
    """Requests at 3, answers at 4, nothing at 0 to 2, no other descriptor at all.

    A /dev/null of its own: the flags of one that others have too would be a way to tell them something.
    """
    null = os.open(os.devnull, os.O_RDWR)
    for number, descriptor in enumerate((null, null, null, requests, answers)):
        os.dup2(descriptor, 90 + number)
    for number in range(5):
        os.dup2(90 + number, number)
    os.closerange(5, 4096)


def _write_files(config, files, stream):
    """The package: given files from memory, the learner's from the stream.  files: [[name, size], ...].

    A process with a file system of its own has a new folder for it; in any other it is the only one there ever is.
    """
    if config["namespaces"]:
        options = f"size={rlimits.FOLDER_SIZE},nr_inodes={rlimits.FOLDER_FILES},mode=755"
        kernel.mount("work", config["work"], "tmpfs", kernel.MS_NOSUID | kernel.MS_NODEV | kernel.MS_NOEXEC, options)
    os.chdir(config["work"])
    mine = {name: stream.read(size) for name, size in files}
    files = {**_given, **mine}
    for folder in sorted({os.path.dirname(name) for name in files}):
        os.makedirs(os.path.join("babygrad", folder), exist_ok=True)
    for name, data in files.items():
        _write("babygrad/" + name, data)
    GivenCode.forget(mine)


def _write(path, data):
    """As open() and write(), in a third of the time: there are some forty files for each submission."""
    file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o644)
    written = os.write(file, data)
    os.close(file)
    if written < len(data):
        raise OSError(f"there is no room for {path}")


def _shut_in(config):
    """Builds the isolation, from the widest to the narrowest."""
    kernel.leave_keyring()
    rlimits.set_limits(processes=1)
    if config["namespaces"]:
        _forget_all_users()
        kernel.drop_capabilities()
    else:
        _leave_the_server(config)
    kernel.no_new_privileges()
    if config["landlock"]:
        _restrict_files(config)
    for program in _filter:
        kernel.filter_calls(program)


def _leave_the_server(config):
    """Where no process namespace ends with the server: a session and a user of its own, and an end with the parent."""
    os.setsid()
    if config["nobody"] and not config["bubblewrap"]:  # which has taken even root's rights away
        become(config["nobody"], config["keep"])
        kernel.drop_capabilities(config["keep"])
    else:
        _forget_all_users()
        kernel.drop_capabilities()
    kernel.end_with_parent()


def _forget_all_users():
    """Enter a user namespace that has no users: from there nobody can make one in which they are root."""
    with contextlib.suppress(OSError):  # this machine may not allow even this one
        kernel.unshare(kernel.NEWUSER)


def _restrict_files(config):
    """In a file system of its own: read all, and write to the package's folder, whose size is limited.

    Elsewhere: read what is named, and write nothing.
    """
    if config["namespaces"]:
        landlock.restrict(["/"], [config["work"]])
    else:
        landlock.restrict([*config["readable"], config["work"]])


def become(user, keep=0):
    """Change from root to an ordinary user with these rights of root kept."""
    if keep:
        kernel.keep_capabilities()
    os.setgroups([])
    os.setresgid(user, user, user)
    os.setresuid(user, user, user)


def _package(config):
    return os.path.join(config["work"], "babygrad")


def _answer(config, requests, send):
    from grader.asking.ask import answer_requests
    from grader.asking.pipes import no_debugger
    from grader.asking.trying import try_requests

    first = next(requests)
    if first.get("isolation"):
        send({"isolation": isolation.leaks(config)})
        return
    sys.argv, sys.breakpointhook = ["babygrad"], no_debugger
    sys.meta_path.insert(0, GivenCode)
    ours = (config[name] for name in ("bundle", "packages", "work"))
    Attempts([*config["readable"], *ours, *sys.path], send).watch()
    every = (request for some in ([first], requests) for request in some)
    answered = try_requests if "trials" in first else answer_requests
    answered(({"package": config["work"], **request} for request in every), send)
