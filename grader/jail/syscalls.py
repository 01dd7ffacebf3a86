"""seccomp: system calls that no exercise needs are refused. For this the package pyseccomp must be installed."""

import errno

# What makes processes, reaches the network, other processes or the kernel's odder corners.
REFUSED = """
fork vfork clone3 execve execveat
socket socketpair connect bind listen accept accept4 sendto recvfrom sendmsg recvmsg sendmmsg recvmmsg
unshare setns mount umount2 pivot_root chroot mount_setattr move_mount open_tree fsopen fsmount fsconfig fspick
ptrace process_vm_readv process_vm_writev process_madvise kcmp pidfd_open pidfd_getfd pidfd_send_signal
bpf perf_event_open userfaultfd io_uring_setup io_uring_enter io_uring_register
keyctl add_key request_key init_module finit_module delete_module kexec_load kexec_file_load
open_by_handle_at name_to_handle_at mknod mknodat swapon swapoff reboot acct quotactl syslog
setuid setgid setreuid setregid setresuid setresgid setgroups setfsuid setfsgid capset
personality iopl ioperm modify_ldt lookup_dcookie nfsservctl vmsplice
shmget shmat shmctl semget semop semctl semtimedop msgget msgsnd msgrcv msgctl mq_open mq_unlink
memfd_create memfd_secret fanotify_init inotify_init inotify_init1 timer_create setitimer alarm
prctl arch_prctl seccomp adjtimex clock_settime clock_adjtime settimeofday sethostname setdomainname
""".split()  # noqa: SIM905


def available():
    """Is the package there, and the C library that it needs?"""
    try:
        import pyseccomp  # noqa: F401
    except (ImportError, RuntimeError, OSError):
        return False
    return True


def write_filter(path):
    """Write the program by which the kernel refuses the calls of the list, and `clone`, which makes threads too."""
    import pyseccomp

    rules = pyseccomp.SyscallFilter(pyseccomp.ALLOW)
    for name in (*REFUSED, "clone"):
        try:
            rules.add_rule(pyseccomp.ERRNO(errno.EPERM), name)
        except (RuntimeError, OSError, ValueError):
            continue  # a call that this processor or this library does not know
    with open(path, "wb") as file:
        rules.export_bpf(file)
