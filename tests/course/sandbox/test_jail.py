"""The isolation of a stranger's code: each level that this machine can build, what it keeps, what it says of itself."""

import ast
import json
import os
import re
import select
import shutil
import signal
import socket
import subprocess
import sys
import time
from functools import cache
from pathlib import Path

import pytest

from grader.checking.questioning import Died
from grader.classroom.collect.limits import MAX_FILE
from grader.course import catalogue
from grader.course.paths import EXERCISES, REFERENCE, ROOT, package_folder
from grader.course.settings import Settings
from grader.course.stubs import generated
from grader.course.usage import UsageError
from grader.sandbox.inside import isolation, kernel, rlimits, roots
from grader.sandbox.outside import bundle, client, folder, grading, levels, pipe, server_process, syscalls

FIRST = catalogue.exercise("0.1")
IN_ORDINARY_LIFE = Path(__file__).with_name("jail_of_an_ordinary_user.py")

pytestmark = [pytest.mark.skipif(sys.platform != "linux", reason="isolation is built on Linux"), pytest.mark.bare]


@cache
def chosen(name):
    """The Chosen of a level that this machine has; otherwise the test is skipped."""
    try:
        return levels.choose(wanted=name)
    except UsageError as error:
        return str(error)


NIGHT = pytest.mark.leg("night")
WEAKER = [pytest.param(name, marks=NIGHT) for name in levels.LEVELS[1:]]


@pytest.fixture(params=[levels.LEVELS[0], *WEAKER])
def level(request, do_without):
    found = chosen(request.param)
    if isinstance(found, str):
        if request.param == "namespaces":  # what .ci/run has tried
            do_without("JAIL", found)
        pytest.skip(found)
    return found.level


@pytest.fixture(scope="module")
def jail(isolation):
    """The strongest that there is."""
    with client.Jail(isolation.level) as jail:
        yield jail


def outcomes(jail, code, seconds=600.0):
    """What the questions of exercise 0.1 bring back, if this code stands in its file."""
    return jail.question({"warmup.py": code.encode()}, [FIRST], 1, lambda ex: seconds)["0.1"].values()


def said(jail, expression, before=""):
    """The text of a value that is computed inside."""
    code = f"import os, sys\n{before}\nraise RuntimeError({expression})"
    (outcome, *_) = outcomes(jail, code)
    return outcome.answers.message


def answers(jail):
    """Are the reference's answers to the first exercise brought back?"""
    code = (package_folder(REFERENCE) / "warmup.py").read_text()
    return all(isinstance(outcome.answers, dict) for outcome in outcomes(jail, code))


# ---- the levels ----


def test_a_level_answers_and_is_named(level):
    assert chosen(level.name).level.name == level.name
    sentence, tried = chosen(level.name).sentences()
    assert sentence == f"Isolation: {level.words}." and "ried from inside" in tried
    with client.Jail(level) as jail:
        assert answers(jail)


@pytest.mark.parametrize("name", levels.LEVELS)
def test_a_level_with_all_its_isolation_has_no_leaks(name):
    if isinstance(chosen(name), str) or not chosen(name).level.seccomp:
        pytest.skip("this machine lacks a part of the isolation")
    assert chosen(name).leaks == ()


@pytest.mark.leg("push")
def test_inside_there_are_five_descriptors_and_hardly_an_environment(level):
    with client.Jail(level) as jail:
        opened = "[n for n in range(200) if works(n)]"
        works = "def works(n):\n    try:\n        return bool(os.fstat(n))\n    except OSError:\n        return False"
        assert said(jail, f"str({opened})", works) == "[0, 1, 2, 3, 4]"
        names = "sorted(set(os.environ) - {'LC_ALL', 'PWD', 'OMP_NUM_THREADS', 'OPENBLAS_NUM_THREADS'})"
        assert said(jail, f"str({names})") == "[]"


def test_inside_there_are_limits_on_memory_files_and_processes(level):
    names = {"AS": rlimits.MEMORY, "FSIZE": rlimits.FILE_SIZE, "NOFILE": rlimits.OPEN_FILES, "CORE": 0, "NPROC": 1}
    with client.Jail(level) as jail:
        found = f"{{n: resource.getrlimit(getattr(resource, 'RLIMIT_' + n)) for n in {list(names)}}}"
        limits = ast.literal_eval(said(jail, f"str({found})", "import resource"))
    for name, (soft, hard) in limits.items():
        assert 0 <= soft <= names[name] and soft == hard, name


def test_inside_root_is_nobody(level):
    with client.Jail(level) as jail:
        user = said(jail, "str(os.getuid())")
    assert user != "0" or level.bubblewrap


@pytest.mark.parametrize("missing", ["seccomp", "landlock", "seccomp landlock"])
@pytest.mark.leg("push")
def test_a_machine_without_some_isolation_still_has_the_rest(missing, monkeypatch):
    if isinstance(chosen("namespaces"), str):
        pytest.skip(chosen("namespaces"))
    if "seccomp" in missing:
        monkeypatch.setattr(syscalls, "available", lambda: False)
    if "landlock" in missing:
        monkeypatch.setattr(kernel, "landlock_version", lambda: 0)
    found = levels.choose()
    assert found.level.name == "namespaces" and found.leaks == ()
    assert not any(word in found.level.words.lower() for word in missing.split())


def _refusing(calls, error, unsafe=False):
    """A script that has these system calls refused, as containers and distributions do, and then chooses a level."""
    return f"""
import errno, json, sys
sys.path.insert(0, {str(ROOT)!r})
import pyseccomp
rules = pyseccomp.SyscallFilter(pyseccomp.ALLOW)
for call in {calls!r}:
    rules.add_rule(pyseccomp.ERRNO(errno.{error}), call)
rules.load()
from grader.sandbox.outside import levels
found = levels.choose(unsafe={unsafe})
print(json.dumps([found.level.name, list(found.sentences())]))
"""


FORBIDDEN = ["unshare", "mount", "setns", "pivot_root"]  # what containers forbid


@pytest.mark.parametrize(
    ("calls", "error"),
    [
        (FORBIDDEN, "EPERM"),
        pytest.param(["mount"], "EACCES", marks=NIGHT),
        pytest.param(["unshare"], "ENOSPC", marks=NIGHT),
    ],
    ids=["a container that forbids namespaces", "namespaces without rights", "no more namespaces"],
)
@pytest.mark.leg("push")
def test_where_namespaces_are_forbidden_the_next_level_is_taken_and_named(calls, error):
    if not syscalls.available() or not kernel.landlock_version():
        pytest.skip("this needs seccomp, to forbid, and Landlock, to fall back on")
    done = _python(_refusing(calls, error))
    name, (words, *_) = json.loads(done.stdout or done.stderr)
    assert name in ("bubblewrap", "landlock") and name in words.lower()


@pytest.mark.skipif(not syscalls.available(), reason="this needs seccomp, to forbid")
@pytest.mark.leg("push")
def test_a_machine_on_which_only_limits_and_seccomp_hold_is_refused_unless_told_unsafe():
    calls = [*FORBIDDEN, "landlock_create_ruleset"]
    refusal = _python(_refusing(calls, "EPERM")).stderr.splitlines()[-1]
    assert re.search(r"\(namespaces: .*not permitted.*\| bubblewrap: .*\| landlock: not here\).*add --unsafe", refusal)
    name, (first, second, *_) = json.loads(_python(_refusing(calls, "EPERM", unsafe=True)).stdout)
    assert (name, first) == ("none", "Isolation: none (--unsafe).") and "from reading the answers" in second


def _python(code):
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)


@pytest.mark.leg("night")
@pytest.mark.usefixtures("isolation")
def test_an_ordinary_user_has_the_same_levels():
    """As root: become one, where Python can be read by all, and with temporary files on a noexec mount."""
    command = [sys.executable, "-B", str(IN_ORDINARY_LIFE)]
    if os.geteuid() == 0:
        if not all(map(shutil.which, ("unshare", "setpriv", "mount"))):
            pytest.skip("util-linux is not here")
        if ROOT.is_relative_to("/root"):
            pytest.skip("an ordinary user cannot read the course's folder")
        command = ["unshare", "-m", "sh", "-c", _ORDINARY, "sh", _home_of_python(), *command]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=600)
    assert done.returncode == 0, done.stderr[-2000:]
    for name, (leaks, right, user, writes) in json.loads(done.stdout).items():
        assert right and user != 0, (name, user)
        assert writes == (name == "namespaces"), name
        assert leaks == [], (name, leaks)


_ORDINARY = """
mount --make-rprivate / && mount -t tmpfs -o mode=755 none /mnt && mkdir /mnt/python && mount --bind "$1" /mnt/python &&
mkdir /mnt/temporary && mount -t tmpfs -o noexec,nosuid,nodev,mode=1777 none /mnt/temporary &&
export TMPDIR=/mnt/temporary &&
{ case "$1" in /root/*) mount -t tmpfs -o mode=755 none /root ;; esac; } &&
mkdir -p "$1" && mount --bind /mnt/python "$1" && shift &&
exec setpriv --reuid=4242 --regid=4242 --clear-groups --inh-caps=-all --bounding-set=-all "$@"
"""


def _home_of_python():
    return sys.base_prefix


# ---- choice and refusal ----


def test_where_there_is_no_linux_strangers_are_refused(monkeypatch):
    monkeypatch.setattr(sys, "platform", "darwin")
    with pytest.raises(UsageError, match=r"Grade on Linux.*add --unsafe"):
        levels.choose()
    assert levels.choose(unsafe=True).level is levels.NOTHING
    assert any("Nothing kept them" in sentence for sentence in levels.choose(unsafe=True).sentences())


class _Broken:
    """A jail of a machine on which only some levels work.  seen: the leaks in them."""

    working = ()
    seen = ()

    def __init__(self, level, questions):
        self.level = level

    def __enter__(self):
        if self.level.name not in self.working:
            raise client.JailError(f"no {self.level.name} works")
        return self

    def __exit__(self, *_):
        pass

    def leaks(self):
        return self.seen


@pytest.fixture
def machine(monkeypatch):
    """A function that makes this machine one on which some levels work, with these leaks in them."""

    def of(working, seen=()):
        monkeypatch.setattr(levels, "candidates", lambda: [levels.Level(each, each) for each in levels.LEVELS])
        monkeypatch.setattr(_Broken, "working", working)
        monkeypatch.setattr(_Broken, "seen", seen)
        monkeypatch.setattr(client, "Jail", _Broken)

    return of


@pytest.mark.parametrize("name", levels.LEVELS)
def test_the_strongest_level_that_works_is_chosen(name, machine):
    weaker = levels.LEVELS[levels.LEVELS.index(name) :]
    machine(weaker, [isolation.NETWORK])
    found = levels.choose()
    assert (found.level.name, found.leaks) == (name, (isolation.NETWORK,))
    _, tried, *stronger = found.sentences()
    assert isolation.NETWORK in tried
    assert all(f"no {each} works" in stronger[0] for each in levels.LEVELS if each not in weaker)


def test_where_nothing_works_it_is_refused_with_all_reasons(machine):
    machine(working=())
    with pytest.raises(UsageError, match="memory and time alone keep nobody from reading the answers") as refusal:
        levels.choose()
    assert all(f"no {name} works" in str(refusal.value) for name in levels.LEVELS)


def test_a_level_in_which_files_outside_can_be_read_is_none(machine):
    machine(levels.LEVELS, [isolation.FILES])
    with pytest.raises(UsageError, match=r"landlock: files outside can be read.*add --unsafe"):
        levels.choose()
    assert levels.choose(unsafe=True).level is levels.NOTHING


def test_unsafe_says_aloud_that_there_are_no_walls_and_why(machine):
    machine(working=())
    said = " ".join(levels.choose(unsafe=True).sentences())
    assert said.startswith("Isolation: none (--unsafe). The submissions ran like any program of your own. Nothing kept")
    assert "Isolation could not be built here: namespaces: no namespaces works | bubblewrap: " in said


def test_unsafe_takes_isolation_where_there_is_some(machine):
    machine(working=("landlock",))
    assert levels.choose(unsafe=True).level.name == "landlock"


def test_one_level_can_be_asked_for_and_no_other_is_taken_instead(machine):
    machine(working=("landlock",))
    with pytest.raises(UsageError):
        levels.choose(wanted="namespaces")


def test_what_grades_can_be_imported_where_there_is_no_isolation():
    code = "import sys\nfor name in ('resource', 'fcntl', 'pyseccomp'):\n    sys.modules[name] = None\n"
    code += f"sys.path.insert(0, {str(ROOT)!r})\nimport grader.sandbox.outside.grading"
    subprocess.run([sys.executable, "-c", code], check=True)


# ---- what lies beside a stranger's code ----


@pytest.fixture(scope="module")
def bundled(tmp_path_factory):
    return bundle.make(tmp_path_factory.mktemp("jail") / "bundle")


def test_the_bundle_holds_exactly_the_probes_of_the_course(bundled):
    code = (
        f"import sys, json; sys.path.insert(0, {str(bundled)!r});"
        "from grader.course import questions; questions.load_all();"
        "print(json.dumps({id: [p.name for p in probes] for id, probes in questions._registered.items()}))"
    )
    done = subprocess.run([sys.executable, "-I", "-c", code], capture_output=True, text=True, check=True)
    wanted = {ex.id: [probe.name for probe in ex.probes] for ex in catalogue.all_exercises()}
    assert json.loads(done.stdout) == wanted


def test_the_bundle_tells_nothing_of_hints_misconceptions_and_answers(bundled):
    text = "\n".join(path.read_text() for path in sorted(bundled.rglob("*.py")))
    assert len(_words_of_misconceptions()) > 100
    telling = [*_words_of_hints(), *_words_of_misconceptions(), *_lines_of_answers()]
    assert [words for words in telling if words in text] == []
    assert not list(bundled.rglob("*hunt*"))


def _words_of_hints():
    return [hint for ex in catalogue.all_exercises() for hint in ex.hints if len(hint) > 25]


def _words_of_misconceptions():
    return [each.words for ex in catalogue.all_exercises() for each in catalogue.misconceptions_of(ex)]


def _lines_of_answers():
    """Lines of code that stand in answers of the reference and in no stub. Short ones may stand anywhere."""
    stubs = "\n".join(generated().values())
    for ex in catalogue.all_exercises():
        for line in (package_folder(REFERENCE) / ex.file).read_text().splitlines():
            if len(line.strip()) > 45 and line.strip() not in stubs and not line.strip().startswith(("#", '"')):
                yield line.strip()


BESIDE_A_STRANGER = [
    *("grader/__init__.py", "grader/sandbox/__init__.py", "toolbox/__init__.py", "toolbox/graphs/*.py"),
    *(f"grader/{room}/*.py" for room in ("course", "asking", "probes", "sandbox/inside")),
]


def test_nothing_of_the_course_can_be_read_in_the_jail_but_five_rooms_and_the_questions(jail):
    """And the learner's own package: stubs, and what was handed in."""
    if not jail.level.namespaces:
        pytest.skip(chosen("namespaces"))
    wanted = {path for pattern in BESIDE_A_STRANGER for path in ROOT.glob(pattern)}
    wanted = {path.relative_to(ROOT).as_posix() for path in wanted | set(EXERCISES.glob("nb*/questions.py"))}
    not_ours = ("/usr", "/lib", "/proc", "/sys", "/dev", *map(str, [*roots.python_folders(), *roots.numpy_folders()]))
    listed = "[os.path.join(d, f) for d, _, fs in os.walk('/') for f in fs]"
    ours = f"{{p.partition('/bundle/')[2] or p for p in {listed} if not p.startswith({not_ours})}}"
    ours = f"{{p for p in {ours} if '/babygrad/' not in p}}"
    program = {"filter"}  # of system calls: it is read before the first line of the submission
    assert said(jail, f"sorted({ours} ^ {wanted | program!r})") == "[]"


_OF_LEARNERS = {ex.file for ex in catalogue.all_exercises()}


def test_all_files_of_a_learner_fit_into_the_folder():
    given = generated()
    assert len(_OF_LEARNERS) * MAX_FILE + 2 * sum(map(len, given.values())) < rlimits.FOLDER_SIZE
    assert len(given) * 3 < rlimits.FOLDER_FILES


def test_a_hand_in_as_large_as_may_be_is_asked(jail):
    answer = (package_folder(REFERENCE) / "warmup.py").read_bytes()
    files = dict.fromkeys(_OF_LEARNERS, b"#" * (MAX_FILE - 1) + b"\n") | {"warmup.py": answer}
    got = jail.question(files, [FIRST], 1, lambda ex: 20.0)["0.1"]
    assert all(isinstance(outcome.answers, dict) for outcome in got.values())


# ---- nothing is handed on to the next submission ----


def test_what_one_submission_leaves_the_next_does_not_find(level):
    leave = "for place in ('left', '/tmp/left', '../left'):\n    try:\n        open(place, 'w').write('answer')\n"
    leave += "    except OSError:\n        pass\nsys.modules['grader'].left = os.environ['LEFT'] = 'answer'"
    find = "[p for p in ('left', '../left') if os.path.exists(p)] + [hasattr(sys.modules['grader'], 'left')]"
    with client.Jail(level) as jail:
        said(jail, "''", leave)
        assert said(jail, f"str({find} + ['LEFT' in os.environ])") == "[False, False]"


@pytest.mark.leg("push")
def test_the_folder_of_a_level_without_namespaces_cannot_be_written():
    if isinstance(chosen("landlock"), str):
        pytest.skip(chosen("landlock"))
    attempt = (
        "def written():\n    try:\n        return bool(open('mine', 'w'))\n    except OSError:\n        return False"
    )
    with client.Jail(chosen("landlock").level) as jail:
        assert said(jail, "str(written())", attempt) == "False"


@pytest.mark.usefixtures("isolation")
@pytest.mark.leg("push")
def test_keys_of_the_session_are_left_behind(monkeypatch):
    monkeypatch.setattr(syscalls, "available", lambda: False)
    add = "import ctypes\nadd = lambda ring: ctypes.CDLL(None).syscall(248, b'user', b'k', b'v', 1, ring)\n"
    read = "import ctypes\nfound = lambda ring: ctypes.CDLL(None).syscall(250, 10, ring, b'user', b'k', 0)\n"
    kernel.leave_keyring()  # into one of our own, which the processes would share
    with client.Jail(levels.choose().level) as jail:
        said(jail, "str([add(-3), add(-4), add(-5)])", add)
        # Those of the user, -4 and -5, are left with the user namespace; where there is none seccomp refuses the calls.
        rings = (-3, -4, -5) if jail.level.namespaces else (-3,)
        assert said(jail, f"str([found(ring) for ring in {rings}])", read) == str([-1 for _ in rings])


# ---- the filter of system calls ----


def test_the_package_that_writes_the_filter_is_there(do_without):
    """Where it is not, the tests of the filter are skipped: whoever requires the sandbox is told."""
    if not syscalls.available():
        do_without("JAIL", "pyseccomp or the system's libseccomp is missing")


@pytest.mark.skipif(not syscalls.available(), reason="pyseccomp is not here")
def test_calls_that_are_not_known_are_refused(jail):
    call = "import ctypes\nlibc = ctypes.CDLL(None, use_errno=True)\n"
    call += "tried = lambda n: (libc.syscall(n, 0, 0, 0, 0), ctypes.get_errno())"
    assert said(jail, "str([tried(n) for n in (470, 999, 4000)])", call) == "[(-1, 1), (-1, 1), (-1, 1)]"


@pytest.mark.skipif(not syscalls.available() or os.uname().machine != "x86_64", reason="numbers of x86_64")
def test_the_numbers_of_another_processor_end_the_process(jail):
    code = "import ctypes\nctypes.CDLL(None).syscall(39 | 0x40000000)\n"
    (answer, *_) = outcomes(jail, code)
    assert isinstance(answer, Died) and answer.exit_code == -signal.SIGSYS


# ---- time and size ----


def _pipe(used, limit, ago, allowance=100):
    """A TimedPipe with 4 bytes to read, whose question began some seconds ago."""
    reader, writer = os.pipe()
    os.write(writer, b"data")
    timed = pipe.TimedPipe(reader, lambda: used)
    timed.allowance = pipe.Allowance(allowance)
    begin = time.monotonic() - ago
    timed._start = begin
    timed.set_limit(begin, limit)
    return timed


def test_who_always_has_something_to_say_runs_out_of_time_too():
    with pytest.raises(TimeoutError):
        _pipe(used=5.0, limit=1.0, ago=2.0).read(4)


def test_on_a_busy_machine_the_processor_time_counts():
    assert _pipe(used=100.0, limit=1000.0, ago=2000.0).read(4) == b"data"


def test_who_sleeps_has_three_times_the_limit_and_no_more():
    with pytest.raises(TimeoutError):
        _pipe(used=0.0, limit=1.0, ago=3.1).read(4)


def test_what_an_ended_process_wrote_is_read():
    assert _pipe(used=None, limit=1.0, ago=9.0).read(4) == b"data"


def test_more_bytes_than_allowed_are_not_read():
    with pytest.raises(pipe.TooMuch):
        _pipe(used=0.0, limit=600.0, ago=0.0, allowance=3).read(4)


@pytest.mark.leg("push")
def test_a_flood_of_answers_ends_the_submission_and_not_the_grader(jail, monkeypatch):
    monkeypatch.setattr(client, "ANSWERS", 1 << 20)
    header = '{"d": []}'
    flood = f"import os, struct\nframe = struct.pack('>II', {len(header)}, 60_000) + b'{header}' + bytes(60_000)\n"
    flood += "while True:\n    os.write(4, frame)"
    assert all(isinstance(answer, Died) for answer in outcomes(jail, flood))
    assert answers(jail)


def test_a_process_that_does_not_read_is_not_waited_for(jail, monkeypatch):
    process = client.SubmissionProcess(jail, {"warmup.py": b"while True: pass"}, pipe.Allowance(1 << 20))
    process.send({"questions": [["0.1", "warmup.py", []]], "seed": 1})
    assert "begin" in process.next(time.monotonic(), 600.0)
    monkeypatch.setattr(client, "PATIENCE", 0.1)
    process.send({"questions": [], "text": "x" * (1 << 20), "seed": 1})  # more than a pipe holds: it gives up
    process.end()


# ---- the server ----


def _server(jail):
    return jail.server()._process.pid


def _graded(jail, monkeypatch):
    """Grade the reference's answer to 0.1 in this jail."""
    monkeypatch.setitem(grading._jails, (jail.level.name, (), False), jail)
    files = {"warmup.py": (package_folder(REFERENCE) / "warmup.py").read_bytes()}
    course_ = Settings.of_the_whole_course().as_dict()
    return grading.grade(grading.Job("ada", files, 1, 0, course_, ("0.1",), jail.level.name))["exercises"]


@pytest.mark.leg("push")
def test_a_server_that_died_between_two_submissions_is_replaced(jail, monkeypatch):
    before = _server(jail)
    os.killpg(before, signal.SIGKILL)
    assert _graded(jail, monkeypatch)[0]["status"] == "passed"
    assert _server(jail) != before


@pytest.mark.leg("push")
def test_a_server_that_dies_while_it_is_asked_is_replaced(jail):
    process = client.SubmissionProcess(jail, {}, pipe.Allowance(1 << 20))
    os.killpg(_server(jail), signal.SIGKILL)
    assert process.next(time.monotonic(), 600.0) is None
    assert process.exit_code() == -9
    process.end()
    assert answers(jail)


@pytest.mark.leg("push")
def test_a_server_that_does_not_reply_is_replaced(jail, monkeypatch):
    for module in (client, server_process):
        monkeypatch.setattr(module, "PATIENCE", 0.2)
    stopped = _server(jail)
    os.killpg(stopped, signal.SIGSTOP)
    with pytest.raises(client.JailError):
        client.SubmissionProcess(jail, {}, pipe.Allowance(1 << 20))
    monkeypatch.undo()
    assert answers(jail) and _server(jail) != stopped


def test_a_late_reply_is_not_taken_for_the_next(jail):
    process = client.SubmissionProcess(jail, {}, pipe.Allowance(1 << 20))
    for _ in range(3):
        jail.server()._send("processor")
    process.end()
    for _ in range(3):
        jail.server()._send("processor")
    assert answers(jail)


@pytest.mark.parametrize("message", ["[]", '"x"', '{"process": 1, "ended": "x"}', "{", "9" * 3000, "[" * 3000])
def test_an_odd_message_of_a_server_is_no_reply(message):
    server = server_process.Server.__new__(server_process.Server)
    server._ended, server._number = {}, 0
    server._control, other = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    other.send(message.encode())
    other.close()
    assert server._reply("processor") == {}
    assert server._ended == {}


@pytest.mark.leg("push")
def test_many_processes_leave_no_descriptor_behind(jail):
    answers(jail)
    before = len(os.listdir("/proc/self/fd"))
    for _ in range(4):
        outcomes(jail, "import os\nos._exit(7)")
    assert len(os.listdir("/proc/self/fd")) == before


def test_processes_end_with_what_they_ended_with(jail):
    (answer, *_) = outcomes(jail, "import os\nos._exit(70)")
    assert isinstance(answer, Died) and (answer.kind, answer.exit_code) == ("crashed", 70)


@pytest.mark.leg("push")
def test_a_failure_to_shut_in_is_no_verdict():
    if isinstance(chosen("landlock"), str):
        pytest.skip(chosen("landlock"))
    with client.Jail(chosen("landlock").level) as jail:
        jail._config["readable"] = ["/no such folder"]
        with pytest.raises(client.JailError, match="no such folder"):
            client.SubmissionProcess(jail, {}, pipe.Allowance(1 << 20))


# ---- the end ----


@pytest.mark.leg("push")
def test_a_closed_jail_leaves_nothing(level):
    with client.Jail(level) as jail:
        assert answers(jail)
        place = jail._folder.path
        server = kernel.process_descriptor(_server(jail))
    assert select.select([server], [], [], 600)[0]
    os.close(server)
    assert not place.exists()
    assert str(place) not in Path("/proc/self/mountinfo").read_text()


KILLED = """
import os, sys, time
sys.path.insert(0, sys.argv[1])
from grader.sandbox.outside import client, levels, pipe
jail = client.Jail(levels.named(sys.argv[2]))
process = client.SubmissionProcess(jail, {"warmup.py": b"while True: pass"}, pipe.Allowance(99999))
process.send({"questions": [["0.1", "warmup.py", []]], "seed": 1})
process.next(time.monotonic(), 600)
print(jail._folder.path, jail.server()._process.pid, flush=True)
time.sleep(600)
"""


@pytest.mark.leg("push")
def test_with_a_killed_grader_its_server_ends_and_the_next_jail_cleans_up(level, tmp_path, monkeypatch):
    command = [sys.executable, "-c", KILLED, str(ROOT), level.name]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, text=True, env={**os.environ, "TMPDIR": str(tmp_path)}
    ) as it:
        place, number = it.stdout.readline().split()
        server = kernel.process_descriptor(int(number))
        it.kill()
    assert select.select([server], [], [], 600)[0], "the server lives on"
    os.close(server)
    os.utime(place, (0, 0))
    monkeypatch.setattr(folder.tempfile, "tempdir", str(tmp_path))
    folder.Folder().remove()
    assert list(tmp_path.iterdir()) == []


@pytest.mark.leg("push")
def test_a_process_ends_with_its_server_also_where_it_has_no_namespace_of_its_own():
    if isinstance(chosen("landlock"), str):
        pytest.skip(chosen("landlock"))
    with client.Jail(chosen("landlock").level) as jail:
        process = client.SubmissionProcess(jail, {"warmup.py": b"while True: pass"}, pipe.Allowance(1 << 20))
        process.send({"questions": [["0.1", "warmup.py", []]], "seed": 1})
        process.next(time.monotonic(), 600.0)
        server = _server(jail)
        it = kernel.process_descriptor(int(Path(f"/proc/{server}/task/{server}/children").read_text()))
        os.kill(server, signal.SIGKILL)
        assert select.select([it], [], [], 600)[0], "it lives on"
        os.close(it)
        process.end()


def test_the_folder_of_a_grader_that_runs_is_not_cleaned_up(tmp_path, monkeypatch):
    monkeypatch.setattr(folder.tempfile, "tempdir", str(tmp_path))
    first = folder.Folder()
    os.utime(first.path, (0, 0))
    folder.Folder().remove()
    assert first.path.exists()
    first.remove()
    assert list(tmp_path.iterdir()) == []
