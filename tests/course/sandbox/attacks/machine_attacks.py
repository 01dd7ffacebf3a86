"""Attacks on the machine: its files, other processes, the network, the kernel's odder corners.

Each runs before the answer to exercise 0.1, which is right. If isolation gives way, nothing is raised, the exercise is
passed, and the test fails. Network is tried on the loopback interface only.
"""

from attack import Attack, at_top, with_answer

from grader.course.paths import EXERCISES, REFERENCE, ROOT
from grader.sandbox.outside import syscalls

PRELUDE = """
import ctypes
import os
import platform
import socket
import struct
import sys

libc = ctypes.CDLL(None, use_errno=True)
BUFFER = ctypes.create_string_buffer(4096)
PARENT = os.getppid() or 1

def checked(result):
    if result in (-1, 0xFFFFFFFF):
        raise OSError(ctypes.get_errno(), "refused")
    return result

def call(number, *arguments):
    number = number[platform.machine()] if isinstance(number, dict) else number
    return checked(libc.syscall(ctypes.c_long(number), *arguments))

def any_of(attempts):
    for attempt in attempts:
        try:
            return attempt()
        except Exception:
            continue
    raise OSError("every attempt failed")

def numbers(x86_64, aarch64):
    return {"x86_64": x86_64, "aarch64": aarch64}
"""


def after(code):
    """The text of warmup.py with the answer to 0.1, which is reached if the code before it raises nothing."""
    return lambda text: at_top(PRELUDE)("\n" + at_top(code)(with_answer("0.1")(text)))


def _try(name, does, code, **more):
    edits = (("warmup.py", after(code)),)
    statuses = ("error", "crashed")
    Attack(name, does, edits, honest=("1.1",), nothing=("0.1",), statuses=statuses, isolation=True, **more)


FILES = {
    "read_reference": ("Reads the reference's answers.", f'open("{REFERENCE}/babygrad/warmup.py").read()'),
    "read_probes_and_hints": (
        "Reads the exercises with their hints.",
        f'open("{EXERCISES}/nb00_start_here/marking.py").read()',
    ),
    "read_misconceptions": (
        "Reads the known wrong answers.",
        f'open("{EXERCISES}/nb00_start_here/mistakes.md").read()',
    ),
    "list_course": ("Lists the course's folder.", f'assert set(os.listdir("{ROOT}")) - {{".venv"}}'),
    "read_the_machine": ("Reads the list of users.", 'open("/etc/passwd").read()'),
    "list_root": ("Looks for the settings of the machine.", 'assert "etc" in os.listdir("/")'),
    "read_home": ("Reads a folder of somebody's home.", 'os.listdir(os.path.expanduser("~root") + "/.ssh")'),
    "environment_of_the_grader": (
        "Reads the environment that processes were started with.",
        'any_of([lambda n=n: open(f"/proc/{n}/environ").read() for n in ("self", PARENT, 1, 2)])',
    ),
    "processes": ("Lists the processes.", 'assert any(name.isdigit() for name in os.listdir("/proc"))'),
    "memory_of_itself": ("Opens its own memory as a file.", 'open("/proc/self/mem", "rb+")'),
    "descriptors_by_name": ("Opens its descriptors again by their names.", 'os.open("/proc/self/fd/3", os.O_WRONLY)'),
    "kernel_settings": ("Reads what the kernel says of itself.", 'open("/sys/kernel/uevent_seqnum").read()'),
    "neighbours_of_the_bundle": (
        "Looks for other jails and other submissions beside the probes.",
        """
        bundle = os.path.dirname(os.path.dirname(sys.modules["grader"].__file__))
        beside = os.listdir(os.path.dirname(os.path.dirname(bundle)))
        assert set(beside) - {os.path.basename(os.path.dirname(bundle))}
        """,
    ),
    "symbolic_link": (
        "Reads a file outside through a link in its own folder.",
        'os.symlink("/etc/passwd", "link")\nopen("link").read()',
    ),
    "hard_link": ("Makes a second name for a file outside.", 'os.link(os.__file__, "link")'),
    "upward": ("Leaves its folder by way of its parents.", 'open("../" * 40 + "etc/passwd").read()'),
    "file_by_handle": (
        "Opens files by their numbers, past all names.",
        """
        handle = (ctypes.c_char * 136)()
        handle[0:1], handle[4:5] = b"\\x80", b"\\x01"
        any_of([lambda path=path: call(numbers(303, 264), -100, path, handle, BUFFER, 0) for path in (b"/", b".")])
        call(numbers(304, 265), os.open("/", os.O_RDONLY), handle, 0)
        """,
    ),
}

WRITING = {
    "write_outside": (
        "Writes where everybody may write.",
        'any_of([lambda d=d: open(d + "/mine", "w") for d in ("/", "/tmp", "/var/tmp", "/dev/shm", "/run", "/dev")])',
    ),
    "write_to_the_grader": (
        "Changes the code that will ask the next submission.",
        """
        import grader.asking.ask

        path = grader.asking.ask.__file__
        any_of([
            lambda: open(path, "a"), lambda: os.truncate(path, 0), lambda: os.unlink(path),
            lambda: os.rename(path, path + "x"), lambda: os.utime(path), lambda: os.setxattr(path, "user.x", b"1"),
        ])
        """,
    ),
    "change_rights": (
        "Changes the rights of files outside (to what they are).",
        """
        import grader

        any_of([lambda p=p: os.chmod(p, os.stat(p).st_mode & 0o777) for p in (os.__file__, grader.__file__, "/")])
        """,
    ),
    "change_rights_by_descriptor": (
        "Changes the rights of /dev/null for the whole machine (to what they are).",
        "any_of([lambda n=n: os.fchmod(n, 0o666) for n in (0, 1, 2)])",
    ),
    "device": (
        "Makes a device: the machine's memory.",
        'os.mknod("mem", 0o20666, os.makedev(1, 1))\nopen("mem", "rb")',
    ),
}

NAMESPACES = {
    "mount": (
        "Mounts a file system.",
        """
        here = os.getcwd().encode()
        any_of([lambda k=k: checked(libc.mount(b"x", here, k, 0, None)) for k in (b"tmpfs", b"proc")])
        """,
    ),
    "mount_writable": (
        "Mounts what is read only once more, to write it.",
        """
        places = (b"/", os.path.dirname(os.__file__).encode())
        any_of(
            [lambda p=p: checked(libc.mount(None, p, None, 32 | 4096, None)) for p in places]
            + [lambda p=p: call(442, -100, p, 0, b"\\0" * 8 + b"\\1" + b"\\0" * 23, 32) for p in places]
        )
        """,
    ),
    "uncover": (
        "Takes away what covers other folders.",
        """
        covered = os.path.join(os.path.dirname(os.__file__), "site-packages").encode()
        any_of([lambda p=p: checked(libc.umount2(p, 2)) for p in (covered, b"/", os.getcwd().encode())])
        """,
    ),
    "new_mounts": (
        "Mounts by the newer calls.",
        'any_of([lambda: call(430, b"tmpfs", 0), lambda: call(428, -100, b"/", 1)])',
    ),
    "user_namespace": (
        "Becomes root of a user namespace of its own.",
        """
        any_of([
            lambda: checked(libc.unshare(0x10000000)),
            lambda: call(numbers(56, 220), 0x10000000 | 17, 0, 0, 0, 0),
            lambda: call(435, b"\\0\\0\\0\\x10" + b"\\0" * 84, 88),
        ])
        """,
    ),
    "other_namespaces": (
        "Makes namespaces of every other kind.",
        """
        kinds = (0x20000, 0x4000000, 0x8000000, 0x20000000, 0x40000000, 0x2000000, 0x80)
        any_of([lambda k=k: checked(libc.unshare(k)) for k in kinds])
        """,
    ),
    "join_a_namespace": (
        "Enters the namespaces of another process.",
        """
        any_of(
            [lambda p=p: checked(libc.setns(call(434, p, 0), 0x20000000)) for p in (PARENT, 1, 2)]
            + [lambda: checked(libc.setns(os.open(f"/proc/{PARENT}/ns/mnt", os.O_RDONLY), 0))]
        )
        """,
    ),
    "chroot": ("Changes the root, to climb out of it.", 'os.mkdir("x")\nos.chroot("x")'),
    "pivot_root": ("Brings the old root back.", 'call(numbers(155, 41), b".", b".")'),
}

PROCESSES = {
    "memory_of_others": (
        "Reads the memory of the processes around it.",
        """
        piece = (ctypes.c_void_p * 2)(id(None), 8)
        others = [p for p in (PARENT, 1, 2, 3) if p != os.getpid()]
        for p in others:
            if libc.process_vm_readv(p, piece, 1, piece, 1, 0) == 8:
                break
        else:
            raise OSError("no memory could be read")
        """,
    ),
    "ptrace": (
        "Holds other processes as a debugger does.",
        "any_of([lambda p=p: checked(libc.ptrace(0x4206, p, 0, 0)) for p in (PARENT, 1, 2, 3)])",
    ),
    "descriptors_of_others": (
        "Takes a descriptor out of another process.",
        """
        others = [p for p in (PARENT, 1, 2) if p != os.getpid()]
        any_of([lambda p=p, n=n: call(438, call(434, p, 0), n, 0) for p in others for n in range(3, 12)])
        """,
    ),
    "kill_the_server": (
        "Reaches the fork server, or anybody else, with signals (of the kind that only asks).",
        "any_of([lambda p=p: os.kill(p, 0) for p in range(2, 400) if p != os.getpid()])",
    ),
    "slow_the_server": (
        "Ties the server to one processor, and makes it wait for others.",
        """
        if PARENT == 1:
            raise OSError("the parent cannot be named")
        any_of([lambda: os.sched_setaffinity(PARENT, {0}), lambda: os.setpriority(0, PARENT, 19)])
        """,
    ),
    "fork": ("Starts a process.", "os.fork()"),
    "spawn": (
        "Starts a process in every way but fork.",
        """
        import multiprocessing
        import subprocess

        any_of([
            lambda: subprocess.run(["/bin/true"]), lambda: multiprocessing.Process(target=print).start(),
            lambda: os.posix_spawn("/bin/true", ["true"], {}),
            lambda: call(435, b"\\0" * 32 + b"\\x11" + b"\\0" * 55, 88),
        ])
        """,
    ),
    "become_another_program": (
        "Becomes another program, from a file or from memory.",
        """
        def from_memory():
            file = checked(libc.memfd_create(b"program", 0))
            os.write(file, open(sys.executable, "rb").read())
            os.execv(file, ["python", "-c", ""])

        any_of([
            from_memory,
            lambda: os.execv(sys.executable, ["python", "-c", ""]),
            lambda: os.execv("/bin/true", ["true"]),
        ])
        """,
    ),
    "daemon": (
        "Leaves its session and lives on as a daemon.",
        """
        for _ in range(2):
            if os.fork():
                os._exit(0)
            os.setsid()
        while True:
            pass
        """,
    ),
    "thread": (
        "Starts a thread that would go on between two questions.",
        "import threading\n\nthreading.Thread(target=print).start()",
    ),
    "prctl": (
        "Lives on when its parent ends; adopts what others leave.",
        "any_of([lambda o=o: checked(libc.prctl(o, 0, 0, 0, 0)) for o in (1, 36)])",
    ),
    "timers": (
        "Asks for signals at a later time.",
        """
        import signal

        any_of([lambda: signal.setitimer(signal.ITIMER_REAL, 9), lambda: checked(libc.alarm(9))])
        """,
    ),
}

LIMITS = {
    "raise_the_limits": (
        "Raises its own limits.",
        """
        import resource

        unlimited = (resource.RLIM_INFINITY, resource.RLIM_INFINITY)
        any_of([lambda k=k: resource.setrlimit(k, unlimited) for k in (0, 1, 4, 6, 7, 9)])
        """,
    ),
    "more_than_others": (
        "Goes before all others.",
        "any_of([lambda: os.nice(-1), lambda: os.sched_setscheduler(0, 1, os.sched_param(1))])",
    ),
    "rights": (
        "Takes root's rights back.",
        """
        header = (ctypes.c_uint32 * 2)(0x20080522, 0)
        any_of([
            lambda: os.setresuid(0, 0, 0) if os.getuid() else os.setresuid(1, 1, 1),
            lambda: call(numbers(126, 91), header, b"\\xff\\xff\\xff\\xff" * 6),
        ])
        """,
    ),
}

KERNEL = {
    "io_uring": ("Opens a ring of requests to the kernel.", "call(425, 8, BUFFER)"),
    "bpf": (
        "Loads a program into the kernel.",
        "call(numbers(321, 280), 0, struct.pack('18I', 2, 4, 4, 1, *[0] * 14), 72)",
    ),
    "perf": (
        "Watches the machine with performance counters.",
        "call(numbers(298, 241), struct.pack('30I', 1, 120, *[0] * 28), 0, -1, -1, 0)",
    ),
    "userfaultfd": ("Handles page faults, to hold the kernel up.", "call(numbers(323, 282), 1)"),
    "filters": (
        "Loads a filter or a ruleset of its own.",
        "any_of([lambda: call(444, 0, 0, 1), lambda: call(numbers(317, 277), 2, 0, BUFFER)])",
    ),
    "keys": (
        "Reads the grader's keys, or leaves one for the next submission.",
        """
        any_of([
            lambda: call(numbers(248, 217), b"user", b"answers", b"0.1", 3, -4),
            lambda: call(numbers(250, 219), 11, -3, BUFFER, 4096),
        ])
        """,
    ),
    "log_of_the_kernel": ("Reads the kernel's log.", "checked(libc.klogctl(3, BUFFER, 4096))"),
    "clock": ("Sets the clock.", "import time\n\ntime.clock_settime(time.CLOCK_REALTIME, time.time())"),
    "watch_files": (
        "Has itself told of what others do with files.",
        "any_of([lambda: checked(libc.inotify_init()), lambda: checked(libc.fanotify_init(0, 0))])",
    ),
    "terminal": (
        "Types into the terminal of whoever grades.",
        """
        import fcntl

        any_of([lambda n=n: fcntl.ioctl(n, 0x5412, b"x") for n in range(10)] + [lambda: open("/dev/tty", "w")])
        """,
    ),
    "other_processors_calls": (
        "Calls the kernel by the numbers of another processor, which a filter may not know.",
        "call(39 | 0x40000000)",
    ),
}

LEFT_BEHIND = {
    "system_v": (
        "Leaves memory, a queue or a semaphore for the next submission.",
        """
        any_of([
            lambda: checked(libc.shmget(7, 4096, 0o1666)), lambda: checked(libc.msgget(7, 0o1666)),
            lambda: checked(libc.semget(7, 1, 0o1666)),
        ])
        """,
    ),
    "message_queue": ("Leaves a named queue.", "call(numbers(240, 180), b'answers', 0o102, 0o600, None)"),
    "flags_of_descriptors": (
        "Leaves a message in the flags of descriptors that it inherited.",
        "import fcntl\n\nany_of([lambda n=n: fcntl.fcntl(n, fcntl.F_SETSIG, 42) for n in range(5)])",
    ),
    "memory_without_a_name": ("Holds memory that no limit counts.", 'checked(libc.memfd_create(b"x", 0))'),
}

NETWORK = {
    "udp": ("Sends a datagram.", 'socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b"?", ("127.0.0.1", 9))'),
    "tcp": (
        "Waits for a connection, and makes one.",
        """
        here = socket.socket()
        here.bind(("127.0.0.1", 0))
        here.listen()
        socket.create_connection(here.getsockname())
        """,
    ),
    "tcp_6": ("Connects by IPv6.", 'socket.socket(socket.AF_INET6).bind(("::1", 0))'),
    "raw_packets": (
        "Writes packets itself.",
        "any_of([lambda f=f: socket.socket(f, socket.SOCK_RAW, 1) for f in (socket.AF_INET, socket.AF_PACKET)])",
    ),
    "unix_sockets": ("Opens a door for others on this machine.", 'socket.socket(socket.AF_UNIX).bind("\\0door")'),
    "netlink": ("Asks the kernel about the network.", "socket.socket(socket.AF_NETLINK, socket.SOCK_RAW).bind((0, 0))"),
    "virtual_machine": ("Opens a socket to the host of a virtual machine.", "socket.socket(40, socket.SOCK_STREAM)"),
    "socket_pair": (
        "Hands a descriptor around, to have more than its limit.",
        "here, there = socket.socketpair()\nsocket.send_fds(here, [b'x'], [3])",
    ),
    "names": ("Asks for the address of a name.", 'socket.getaddrinfo("localhost.", 80)'),
}

# Without seccomp these are not refused. In namespaces they reach nothing of others all the same.
REFUSED_BY_SECCOMP = """
    udp prctl timers io_uring userfaultfd filters keys watch_files system_v flags_of_descriptors
    memory_without_a_name unix_sockets netlink virtual_machine socket_pair
""".split()  # noqa: SIM905

EVERYTHING = {**FILES, **WRITING, **NAMESPACES, **PROCESSES, **LIMITS, **KERNEL, **LEFT_BEHIND, **NETWORK}
for name, (does, code) in EVERYTHING.items():
    if syscalls.available() or name not in REFUSED_BY_SECCOMP:
        _try(name, does, code)
