"""The parent's side of the learner's process: starts it, limits its time, and goes on after it died."""

import contextlib
import json
import os
import queue
import signal
import subprocess
import sys
import threading
import time
from dataclasses import dataclass
from pathlib import Path

from .wire import WireError, read_frame

STARTING_TIME = 60  # seconds for a process to start on a busy machine, before the first question
_CHILD = Path(__file__).with_name("child.py")


@dataclass(frozen=True)
class Died:
    """The process ended, or was ended, before it answered.

    kind: "timeout" or "crashed".  importing: the file that was being imported, or "".
    exit_code: what the process ended with (crashed), seconds: how long it was given (timeout).
    """

    kind: str
    importing: str = ""
    exit_code: int = 0
    seconds: float = 0.0


def question(directory, exercises, seed, timeout, told=lambda id: None, more=lambda results: []):
    """Ask the package in directory all probes of the exercises.

    Returns {exercise id: {probe name: Outcome or Died}}; a probe that was not asked is missing.
    told(id): called when one of the exercises is begun.
    more(results): which exercises to ask besides, once these are answered.
    """
    results, dead_files = {}, {}
    waiting = list(exercises)
    while waiting:
        results.update({ex.id: {} for ex in waiting if ex.id not in results})
        ex = waiting[0]
        if ex.file in dead_files:
            results[ex.id] = {p.name: dead_files[ex.file] for p in ex.probes}
            waiting = waiting[1:] or more(results)
            continue
        ended_in, death = _one_process(directory, waiting, seed, timeout, results, told, more)
        if death is None:
            break
        if death.importing:
            dead_files[death.importing] = death
        waiting = waiting[[ex.id for ex in waiting].index(ended_in) + (not death.importing) :] or more(results)
    return results


def _one_process(directory, waiting, seed, timeout, results, told, more):
    """Ask until all is answered or the process dies.  Returns (id of the exercise it died in, Died).

    waiting: the exercises; those that `more` adds are appended.
    """
    process = _start()
    _send(process, directory, waiting, seed)
    frames = _frames_of(process)
    current, begun, begin = waiting[0].id, {}, time.monotonic()
    limit = STARTING_TIME
    try:
        while True:
            frame = frames.get(timeout=max(0.0, begin + limit - time.monotonic()))
            if frame is None:
                death = Died("crashed", begun.get("importing", ""), exit_code=process.wait())
                return current, _recorded(death, begun, results)
            if frame.get("done"):
                further = more(results)
                if not further:
                    return None, None
                results |= {ex.id: {} for ex in further}
                waiting += further
                _send(process, directory, further, seed)
                begin = time.monotonic()
                continue
            if "outcome" in frame:
                results[frame["exercise"]][frame["probe"]] = frame["outcome"]
                continue
            begun = frame
            if frame["begin"] != current or limit == STARTING_TIME:
                current, begin, limit = frame["begin"], time.monotonic(), timeout
                told(current)
    except queue.Empty:
        death = Died("timeout", begun.get("importing", ""), seconds=timeout)
        return current, _recorded(death, begun, results)
    finally:
        _end(process)


def _recorded(death, begun, results):
    if "probe" in begun:
        results[begun["begin"]][begun["probe"]] = death
    return death


def _start():
    return subprocess.Popen(
        [sys.executable, "-I", "-B", str(_CHILD)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        start_new_session=os.name == "posix",
    )


def _send(process, directory, exercises, seed):
    questions = [[ex.id, [probe.name for probe in ex.probes]] for ex in exercises]
    request = {"package": str(directory), "questions": questions, "seed": seed}
    with contextlib.suppress(BrokenPipeError):  # it died; the missing frames will say so
        process.stdin.write(json.dumps(request).encode() + b"\n")
        process.stdin.flush()


def _frames_of(process):
    """A queue of the process's frames; None stands for the end of the pipe."""
    frames = queue.Queue()

    def read():
        try:
            while (frame := read_frame(process.stdout)) is not None:
                frames.put(frame)
        except (WireError, OSError, ValueError):
            pass
        frames.put(None)

    threading.Thread(target=read, daemon=True).start()
    return frames


def _end(process):
    """End the process and everything that it started."""
    if os.name == "posix":
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
    process.kill()
    process.wait()
    with contextlib.suppress(BrokenPipeError):
        process.stdin.close()
