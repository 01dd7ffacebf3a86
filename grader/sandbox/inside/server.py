"""The fork server: a process that has NumPy and the probes in memory and nothing to hide.

It sandboxes itself, and forks for each submission a process (submission_process.py), which is sandboxed further.
It is started by path:

    python -I -S -B server.py CONFIG      CONFIG: JSON, see client.py

Commands and replies are JSON messages on a socket whose descriptor the config names. Each command has a number, which
its reply repeats; what is too late for one command is not taken for the reply to the next.

{"number": n, "start": true}, with two descriptors, for requests and for answers -> {"started": true} or {"failed": why}
{"number": n, "kill": true} -> nothing.  {"number": n, "processor": true} -> {"processor": seconds}
When the process that command n started has ended: {"process": n, "ended": exit code}
"""

import array
import contextlib
import json
import os
import select
import signal
import socket
import sys
import time


def main():
    config = json.loads(sys.argv[1])
    sys.path[:0] = [config["bundle"], config["packages"]]
    control = socket.socket(fileno=config["control"])
    os.set_inheritable(config["control"], False)
    os.umask(0o022)
    _offer_itself()
    try:
        _preload(config)
        if config["namespaces"]:
            _enter_namespaces(config)
    except Exception as error:
        _say(control, {"failed": f"{type(error).__name__}: {error}"})
        return
    _say(control, {"ready": True})
    Server(control, config).run()


def _offer_itself():
    """If the machine runs out of memory, the kernel ends a process before anything else."""
    with contextlib.suppress(OSError), open("/proc/self/oom_score_adj", "w") as file:
        file.write("1000")


def _preload(config):
    """Whatever a process needs to import from outside of Python, NumPy and the probes, and what is slow to import."""
    import numpy  # noqa: F401

    from grader.asking import arrays, ask, pipes, recorded_draws, wire  # noqa: F401
    from grader.course import questions
    from grader.sandbox.inside import submission_process

    questions.load_all()
    submission_process.prepare(config)


def _enter_namespaces(config):
    """Leave everything: users, files, network, processes. As root, become nobody first."""
    from grader.sandbox.inside import kernel, roots, submission_process

    proc = os.open("/proc", os.O_PATH | os.O_DIRECTORY)
    others = kernel.NEWPID | kernel.NEWIPC | kernel.NEWNET | kernel.NEWUTS
    if config["nobody"]:
        kernel.unshare(kernel.NEWNS)
        roots.build(config["readable"], config["work"])
        submission_process.become(config["nobody"])
        kernel.stay_inspectable()
        _leave(proc, kernel.NEWUSER | kernel.NEWNS | others)
    else:
        _leave(proc, kernel.NEWUSER | kernel.NEWNS | others)
        roots.build(config["readable"], config["work"])
    os.close(proc)
    _be_the_first_process()


def _leave(proc, namespaces):
    """Into new namespaces. Inside we are root, outside the user that we were."""
    from grader.sandbox.inside import kernel

    user, group = os.geteuid(), os.getegid()
    kernel.unshare(namespaces)
    for name, text in (("uid_map", f"0 {user} 1"), ("setgroups", "deny"), ("gid_map", f"0 {group} 1")):
        file = os.open(f"self/{name}", os.O_WRONLY, dir_fd=proc)
        try:
            os.write(file, text.encode())
        finally:
            os.close(file)


def _be_the_first_process():
    """Go on in a child, the first process of the new namespace: when it ends, so do all others in it."""
    child = os.fork()
    if child:
        for descriptor in range(3, 64):
            try:
                os.close(descriptor)
            except OSError:
                continue
        _, status = os.waitpid(child, 0)
        os._exit(os.waitstatus_to_exitcode(status) & 0xFF)


def _say(control, message):
    control.sendall(json.dumps(message).encode())


class Server:
    """Starts one process at a time, ends it on command, and says when it ended."""

    def __init__(self, control, config):
        self.control, self.config = control, config
        self.process = self.ended = self.number = None

    def run(self):
        while True:
            waiting = [self.control.fileno()] + ([self.ended] if self.process else [])
            ready, _, _ = select.select(waiting, [], [])
            if self.process and self.ended in ready:
                self._reap()
            if self.control.fileno() in ready and not self._command():
                return

    def _command(self):
        """Carry out one command.  False at the end of all."""
        size = array.array("i").itemsize
        message, extra, _, _ = self.control.recvmsg(1000, socket.CMSG_SPACE(2 * size))
        if not message:
            self._kill()
            return False
        descriptors = array.array("i", b"".join(data for *_, data in extra))
        command = json.loads(message)
        number = command["number"]
        if "start" in command:
            _say(self.control, {"number": number, **self._start(number, *descriptors)})
        elif "kill" in command:
            self._kill()
        elif "processor" in command:
            _say(self.control, {"number": number, "processor": self._processor_time()})
        return True

    def _start(self, number, requests, answers):
        from grader.sandbox.inside import kernel

        try:
            self.process = self._forked(requests, answers)
            self.ended, self.number = kernel.process_descriptor(self.process), number
            return {"started": True}
        except OSError as error:
            self._kill()
            self.process = None
            return {"failed": str(error)}
        finally:
            os.close(requests)
            os.close(answers)

    def _forked(self, requests, answers):
        """Its process id, as it is here."""
        if not self.config["namespaces"]:
            return os.fork() or self._be_a_process(requests, answers)
        reader, writer = os.pipe()
        between = os.fork()
        if not between:
            self._fork_into_namespaces(writer, requests, answers)
        os.close(writer)
        with os.fdopen(reader, "rb") as pipe:
            number = pipe.read()
        os.waitpid(between, 0)
        if not number.isdigit():
            raise OSError(number.decode() or "no namespaces for a process")
        return int(number)

    def _fork_into_namespaces(self, writer, requests, answers):
        """New namespaces take effect in the child of the process that asks for them. The server inherits that child."""
        from grader.sandbox.inside import kernel

        try:
            kernel.unshare(kernel.NEWPID | kernel.NEWNS | kernel.NEWIPC)
            child = os.fork()
            if not child:
                os.close(writer)
                self._be_a_process(requests, answers)
            os.write(writer, str(child).encode())
        except OSError as error:
            os.write(writer, str(error).encode())
        os._exit(0)

    def _be_a_process(self, requests, answers):
        from grader.sandbox.inside import submission_process

        try:
            submission_process.run(self.config, requests, answers)
        finally:
            os._exit(1)

    def _kill(self):
        if self.process:
            os.kill(self.process, signal.SIGKILL)

    def _processor_time(self):
        """Seconds of processor time that the process has used."""
        try:
            return time.clock_gettime(~self.process << 3 | 2) if self.process else 0.0
        except OSError:
            return 0.0

    def _reap(self):
        _, status = os.waitpid(self.process, 0)
        os.close(self.ended)
        self.process = None
        _say(self.control, {"process": self.number, "ended": os.waitstatus_to_exitcode(status)})


if __name__ == "__main__":
    main()
