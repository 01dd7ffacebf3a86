"""seccomp: the system calls that Python and NumPy need, and no others. For this the package pyseccomp must be there."""

import contextlib
import errno

# Whatever is not here is refused: what makes processes or threads, signals, sends, mounts, traces, waits for a time,
# changes rights or dates of files, holds memory outside of a process, or did not exist yet when this was written.
ALLOWED = """
read write readv writev pread64 pwrite64 lseek _llseek sendfile close close_range dup dup2 dup3
open openat mkdir mkdirat rmdir unlink unlinkat rename renameat renameat2 ftruncate truncate fsync fdatasync
access faccessat faccessat2 stat lstat fstat fstatat64 newfstatat statx statfs fstatfs readlink readlinkat
getdents getdents64 getcwd chdir fchdir umask select _newselect pselect6 poll ppoll
brk mmap munmap mprotect mremap madvise msync mincore futex set_robust_list rseq
rt_sigaction rt_sigprocmask rt_sigreturn sigaltstack restart_syscall exit exit_group
getpid gettid getppid getuid geteuid getgid getegid getgroups getresuid getresgid getpgrp
uname sysinfo times getrusage getrlimit sched_yield getcpu getrandom
time gettimeofday clock_gettime clock_getres nanosleep clock_nanosleep
""".split()  # noqa: SIM905

# The same for these, if one argument (counted from 0) has one of these values.
ALLOWED_IF = {
    "fcntl": (1, (0, 1, 2, 3, 1030)),  # a copy of a descriptor, the flags of a descriptor: nothing that others see
    "ioctl": (1, (0x5401, 0x5450, 0x5451)),  # is this a terminal; is a descriptor closed when a program is run
    "prlimit64": (0, (0,)),  # of this very process
    "sched_getaffinity": (0, (0,)),
}


def available():
    """Is the package there, and the C library that it needs?"""
    try:
        import pyseccomp  # noqa: F401
    except (ImportError, RuntimeError, OSError):
        return False
    return True


def write_filter(path):
    """Write the seccomp program. A call by the numbers of another processor ends the process."""
    import pyseccomp

    rules = pyseccomp.SyscallFilter(pyseccomp.ERRNO(errno.EPERM))
    for name in ALLOWED:
        _allow(rules, name)
    for name, (argument, values) in ALLOWED_IF.items():
        for value in values:
            _allow(rules, name, pyseccomp.Arg(argument, pyseccomp.EQ, value))
    with open(path, "wb") as file:
        rules.export_bpf(file)


def _allow(rules, name, *arguments):
    import pyseccomp

    with contextlib.suppress(RuntimeError, OSError, ValueError):  # this processor or this library does not know it
        rules.add_rule(pyseccomp.ALLOW, name, *arguments)
