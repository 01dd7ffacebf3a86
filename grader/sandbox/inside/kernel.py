"""The calls to the Linux kernel that Python 3.11 has no function for, through the C library.

Each raises OSError if the kernel refuses. Sources: the manual pages of unshare(2), mount(2), pivot_root(2), prctl(2),
capabilities(7), keyctl(2) and landlock(7).
"""

import contextlib
import ctypes
import os
import struct

NEWNS, NEWUTS, NEWIPC, NEWUSER, NEWPID, NEWNET = 0x20000, 0x4000000, 0x8000000, 0x10000000, 0x20000000, 0x40000000
MS_RDONLY, MS_NOSUID, MS_NODEV, MS_NOEXEC, MS_REMOUNT = 1, 2, 4, 8, 32
MS_BIND, MS_REC, MS_PRIVATE = 4096, 16384, 1 << 18
_KEPT_BY_MOUNTS = MS_RDONLY | MS_NOSUID | MS_NODEV | MS_NOEXEC  # statvfs(3) has the same numbers for them
MNT_DETACH = 2
MAY_READ_ALL = 1 << 2  # the capability CAP_DAC_READ_SEARCH

_PR_SET_PDEATHSIG, _PR_SET_DUMPABLE, _PR_SET_KEEPCAPS, _PR_SET_SECCOMP, _PR_SET_NO_NEW_PRIVS = 1, 4, 8, 22, 38
_PIVOT_ROOT = {"x86_64": 155, "aarch64": 41}
_CAPSET = {"x86_64": 126, "aarch64": 91}
_KEYCTL = {"x86_64": 250, "aarch64": 219}
_KEYCTL_JOIN_SESSION_KEYRING = 1
_CAPABILITY_VERSION_3 = 0x20080522
# The same on all processors.
_PIDFD_OPEN = 434
_LANDLOCK_CREATE_RULESET, _LANDLOCK_ADD_RULE, _LANDLOCK_RESTRICT_SELF = 444, 445, 446

_libc = ctypes.CDLL(None, use_errno=True) if os.name == "posix" else None


def unshare(flags):
    """Leave the namespaces named by the flags."""
    _checked(_libc.unshare(ctypes.c_int(flags)), "unshare")


def mount(source, target, kind=None, flags=0, options=None):
    """mount(2). kind and options may be None."""
    names = [_bytes(x) for x in (source, target, kind)]
    _checked(_libc.mount(*names, ctypes.c_ulong(flags), _bytes(options)), f"mount {target}")


def bind(source, target):
    """Make source, a file or a folder, appear at target, to be read only."""
    mount(source, target, flags=MS_BIND | MS_REC)
    kept = os.statvfs(target).f_flag & _KEPT_BY_MOUNTS  # without root one may add flags, not remove them
    mount(None, target, flags=MS_REMOUNT | MS_BIND | MS_RDONLY | MS_NOSUID | MS_NODEV | kept)


def swap_root(folder, old):
    """Make folder, a mount, the root. What was the root is seen at `old`, a folder in it."""
    _call(_PIVOT_ROOT, _bytes(folder), _bytes(old))
    os.chdir("/")


def new_root(folder):
    """Make folder, a mount, the root of everything. What was visible before is gone."""
    os.chdir(folder)
    swap_root(".", ".")
    _checked(_libc.umount2(b".", MNT_DETACH), "umount the old root")
    os.chdir("/")


def process_descriptor(number):
    """A descriptor that can be read when the process has ended. (Not each Python has os.pidfd_open.)"""
    return _checked(_libc.syscall(ctypes.c_long(_PIDFD_OPEN), ctypes.c_int(number), ctypes.c_uint(0)), "pidfd_open")


def no_new_privileges():
    """Nothing that this process runs can gain rights, as sudo would."""
    _prctl(_PR_SET_NO_NEW_PRIVS, 1)


def stay_inspectable():
    """After a change of user the files in /proc/self would belong to root."""
    _prctl(_PR_SET_DUMPABLE, 1)


def end_with_parent():
    """When the parent ends, so does this process. To be called after the last change of user, which forgets it."""
    _prctl(_PR_SET_PDEATHSIG, 9)


def keep_capabilities():
    """The next change from root to another user takes none of root's rights away."""
    _prctl(_PR_SET_KEEPCAPS, 1)


def leave_keyring():
    """The kernel's keys of the grader's session are not ours. Where the kernel keeps none, there is none to leave."""
    with contextlib.suppress(OSError):
        _call(_KEYCTL, ctypes.c_long(_KEYCTL_JOIN_SESSION_KEYRING), None)


def filter_calls(program):
    """From now on the kernel asks this seccomp program (bytes) about each system call. Needs no_new_privileges()."""
    buffer = ctypes.create_string_buffer(program, len(program))
    header = struct.pack("HxxxxxxQ", len(program) // 8, ctypes.addressof(buffer))
    _checked(_libc.prctl(_PR_SET_SECCOMP, ctypes.c_ulong(2), header, 0, 0), "seccomp")


def shared_memory_works():
    """Can System V memory be made? It outlives its maker, so it is removed at once."""
    number = _checked(_libc.shmget(0, ctypes.c_size_t(4096), 0o600), "shmget")
    _checked(_libc.shmctl(number, 0, None), "shmctl")
    return True


def drop_capabilities(keep=0):
    """Give up every right that a root user has but those of `keep`; for good, with no_new_privileges()."""
    header = struct.pack("Ii", _CAPABILITY_VERSION_3, 0)
    _call(_CAPSET, header, struct.pack("6I", keep, keep, 0, 0, 0, 0))


def landlock_version():
    """The version of Landlock that the kernel has; 0: none."""
    version = _libc.syscall(ctypes.c_long(_LANDLOCK_CREATE_RULESET), None, ctypes.c_size_t(0), ctypes.c_uint(1))
    return max(0, version)


def landlock_ruleset(files, network, scoped):
    """A descriptor of a new ruleset that governs these rights."""
    attributes = struct.pack("QQQ", files, network, scoped)
    size = 24 if scoped else 16 if network else 8
    return _checked(
        _libc.syscall(ctypes.c_long(_LANDLOCK_CREATE_RULESET), attributes, ctypes.c_size_t(size), ctypes.c_uint(0)),
        "landlock_create_ruleset",
    )


def landlock_allow(ruleset, path, rights):
    """Allow these rights on path, and on everything below it."""
    descriptor = os.open(path, os.O_PATH | os.O_CLOEXEC)
    try:
        rule = struct.pack("=Qi", rights, descriptor)
        number = ctypes.c_long(_LANDLOCK_ADD_RULE)
        done = _libc.syscall(number, ctypes.c_int(ruleset), ctypes.c_int(1), rule, ctypes.c_uint(0))
        _checked(done, f"landlock_add_rule {path}")
    finally:
        os.close(descriptor)


def landlock_restrict(ruleset):
    """From now on this process has the rights of the ruleset, and no others. Needs no_new_privileges()."""
    number = ctypes.c_long(_LANDLOCK_RESTRICT_SELF)
    _checked(_libc.syscall(number, ctypes.c_int(ruleset), ctypes.c_uint(0)), "landlock_restrict_self")


def _prctl(option, value):
    _checked(_libc.prctl(option, ctypes.c_ulong(value), 0, 0, 0), f"prctl {option}")


def _call(numbers, *arguments):
    machine = os.uname().machine
    if machine not in numbers:
        raise OSError(f"the system calls of {machine} are not known here")
    return _checked(_libc.syscall(ctypes.c_long(numbers[machine]), *arguments), "syscall")


def _bytes(x):
    return None if x is None else os.fsencode(x)


def _checked(result, what):
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{what}: {os.strerror(number)}")
    return result
