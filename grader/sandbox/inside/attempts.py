"""What a submission tries and the sandbox refuses, as Python's own audit events show it.

They are seen where they happen, in the submission's process: whoever knows how can hide from that, or claim more than
there was. So nothing is decided by it; it is told to the teacher, who can read the code. What the sandbox allows, and
what is not certain to be refused, is not told.
"""

import os
import sys

FILES, NETWORK, PROCESSES, MEMORY = "files", "network", "processes", "memory"
KINDS = (FILES, NETWORK, PROCESSES, MEMORY)
LONGEST = 100  # characters of what is named as an example
MOST = 100  # attempts that one process tells: all that it sends is limited, and its answers need the room
# Events of https://docs.python.org/3/library/audit_events.html, and which of their arguments is shown.
_EVENTS = {
    **dict.fromkeys(("os.listdir", "os.scandir", "os.remove", "os.rename", "os.mkdir", "os.rmdir"), (FILES, 0)),
    **dict.fromkeys(("os.chmod", "os.chown", "os.truncate", "os.link", "open"), (FILES, 0)),
    "os.symlink": (FILES, 1),
    **dict.fromkeys(("socket.getaddrinfo", "socket.gethostbyname"), (NETWORK, 0)),
    "socket.__new__": (NETWORK, None),
    **dict.fromkeys(("os.fork", "os.forkpty"), (PROCESSES, None)),
    **dict.fromkeys(("os.exec", "os.posix_spawn", "os.system", "subprocess.Popen", "os.kill"), (PROCESSES, 0)),
    "ctypes.dlsym": (None, 1),
}
_OF_C = {
    **dict.fromkeys(("ptrace", "process_vm_readv", "process_vm_writev"), MEMORY),
    **dict.fromkeys(("fork", "vfork", "clone", "execve"), PROCESSES),
    **dict.fromkeys(("socket", "connect"), NETWORK),
}


class Attempts:
    """The attempts of this process, counted from watch() on.  told(message): sends {"attempt": kind, "what": text}.

    allowed: folders in which files may be asked for.
    """

    def __init__(self, allowed, told):
        self._allowed, self._told, self._busy = tuple(os.path.join(folder, "") for folder in allowed), told, False
        self._left = MOST

    def watch(self):
        """From now on; there is no way back."""
        sys.addaudithook(self._event)

    def _event(self, event, arguments):
        if event not in _EVENTS or self._busy or not self._left:
            return
        self._busy = True
        try:
            kind, what = self._judged(event, *_EVENTS[event], arguments)
            if kind:
                self._left -= 1
                self._told({"attempt": kind, "what": what[:LONGEST]})
        except BaseException:  # the submission's own call goes on as it would have
            return
        finally:
            self._busy = False

    def _judged(self, event, kind, place, arguments):
        what = "" if place is None else arguments[place]
        if event == "ctypes.dlsym":
            return _OF_C.get(what), str(what)
        if event == "os.kill":
            return (kind if what > 0 and what != os.getpid() else None), f"process {what}"
        if kind == FILES:
            return self._judged_file(event, what, arguments)
        return kind, _text(what)

    def _judged_file(self, event, what, arguments):
        if not isinstance(what, str | bytes | os.PathLike):  # a descriptor that is open, or this folder
            return None, ""
        path = os.path.abspath(os.fsdecode(what))
        if f"{path}/".startswith(self._allowed) or (event in ("open", "os.listdir", "os.scandir") and _opens(path)):
            return None, ""
        return (MEMORY if path.startswith("/proc/") and path.endswith("/mem") else FILES), path


def _opens(path):
    """Can it be read after all, as some of /proc and /dev can?"""
    try:
        os.close(os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC))
    except OSError:
        return False
    return True


def _text(what):
    return os.fsdecode(what) if isinstance(what, str | bytes | os.PathLike) else str(what)
