"""Reads what a stranger's process writes, with a limit in time and one in bytes."""

import os
import select
import time

from ...checking.questioning import SLOWNESS

DRAINING = 5.0  # seconds to read what an ended process has written
SHORTEST = 0.02  # seconds, at least, between two looks at the processor time


class TooMuch(OSError):
    """More bytes than a submission may answer."""


class Allowance:
    """How many bytes may still be read, from all processes of a submission together."""

    def __init__(self, left):
        self.left = left

    def use(self, count):
        """Raises TooMuch when nothing is left."""
        self.left -= count
        if self.left < 0:
            raise TooMuch("the answers are too long")


class TimedPipe:
    """Reads from a descriptor as a file does, until the time is up.

    processor_time(): what the writing process has used so far, or None if it has ended. It is asked when the clock on
    the wall has run out, because on a busy machine that says little.
    allowance: of a submission's answers. Until there is one, what is read is not the submission's.
    """

    def __init__(self, descriptor, processor_time):
        self._descriptor, self._processor_time, self.allowance = descriptor, processor_time, None
        self._waiting = bytearray()
        self._start = time.monotonic()
        self._begin = self._limit = self._deadline = 0.0
        self._has_ended = False

    def set_limit(self, begin, limit):
        """`limit` seconds from the time `begin`."""
        if (begin, limit) != (self._begin, self._limit):
            self._begin, self._limit, self._deadline = begin, limit, begin + limit

    def read(self, size):
        """Exactly `size` bytes; fewer only at the end.  Raises TimeoutError, or TooMuch."""
        while len(self._waiting) < size:
            self._wait()
            data = os.read(self._descriptor, 1 << 20)
            if not data:
                break
            if self.allowance:
                self.allowance.use(len(data))
            self._waiting += data
        taken = bytes(self._waiting[:size])
        del self._waiting[:size]
        return taken

    def _wait(self):
        """Wait until there is something to read, or the end. The time also runs out while a process keeps writing."""
        while (left := self._deadline - time.monotonic()) <= 0 or not self._can_be_read(left):
            self._extend()

    def _can_be_read(self, seconds):
        return select.select([self._descriptor], [], [], seconds)[0]

    def _extend(self):
        """The clock has run out: wait as much longer as there is processor time left.

        What the process used before this question began is not counted: at most what the clock showed until then.
        """
        used, now = self._processor_time(), time.monotonic()
        if used is None:
            self._drain(now)
            return
        last = self._begin + SLOWNESS * self._limit
        left = self._limit - (used - max(0.0, self._begin - self._start))
        if left <= 0 or now >= last:
            raise TimeoutError
        self._deadline = min(last, now + max(left, SHORTEST))

    def _drain(self, now):
        if self._has_ended:
            raise TimeoutError  # somebody else has the other end
        self._has_ended, self._deadline = True, now + DRAINING
