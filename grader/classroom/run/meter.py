"""How far a grading is: a bar on a terminal, a plain line now and then elsewhere."""

import sys
import time

SECONDS_BETWEEN_LINES = 30


def meter(total, stream=None, what="submissions"):
    """A bar or lines, whichever suits the stream (default: stderr)."""
    stream = stream or sys.stderr
    return Bar(total, stream) if stream.isatty() else Lines(total, stream, what=what)


class Bar:
    """tqdm's bar, with count, rate and time left."""

    LOOKS = "{desc} {percentage:3.0f}%|{bar}| {n_fmt} of {total_fmt}, {rate_noinv_fmt}, {remaining} left"

    def __init__(self, total, stream):
        from tqdm import tqdm  # imported here because it is slow

        self._tqdm = tqdm(total=total, desc="grading", unit="", file=stream, bar_format=self.LOOKS, dynamic_ncols=True)

    def advance(self, graded=True):
        """One more.  graded: just now; one that was graded before says nothing about the rate."""
        if not graded:
            self._tqdm.initial += 1
        self._tqdm.update()

    def say(self, line):
        """A line above the bar."""
        self._tqdm.write(line, file=self._tqdm.fp)

    def close(self):
        self._tqdm.close()


class Lines:
    """A line at the begin, at the end, and now and then between."""

    def __init__(self, total, stream, clock=time.monotonic, what="submissions"):
        self._what = what
        self._total, self._stream, self._clock = total, stream, clock
        self._done = self._graded = self._said = 0
        self._begin = self._last = clock()

    def advance(self, graded=True):
        """One more.  graded: just now."""
        self._done, self._graded = self._done + 1, self._graded + graded
        if self._done == self._total or self._clock() - self._last >= SECONDS_BETWEEN_LINES:
            self._tell()

    def say(self, line):
        print(line, file=self._stream, flush=True)

    def close(self):
        if self._said != self._done:
            self._tell()

    def _tell(self):
        self._last, self._said = self._clock(), self._done
        self.say(f"{self._done:,} of {self._total:,} {self._what}{self._speed()}")

    def _speed(self):
        seconds = self._last - self._begin
        if not self._graded or not seconds:
            return ""
        rate = self._graded / seconds
        return f", {rate:.2f} each second, {_in_words((self._total - self._done) / rate)} left"


def _in_words(seconds):
    minutes, seconds = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes} min" if hours else f"{minutes} min" if minutes else f"{seconds} s"
