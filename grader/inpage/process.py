"""A learner's package that is asked in this process, where no other one can be started."""

import io
from collections import deque

from ..asking.ask import answer, load
from ..asking.trying import try_requests
from ..asking.wire import framed, read_frame


class _Ended(BaseException):
    """This is the place where an earlier process was ended.  kind: in which way."""

    def __init__(self, kind):
        self.kind = kind


class TriesInThisProcess:
    """Tries what the search for a slip sends about the package in a folder, in this process."""

    def __init__(self, directory, mend):
        self._directory, self._mend, self._frames = directory, mend, deque()

    def send(self, request):
        """Try {"trials": [...], ...}: see asking/trying.py."""
        try:
            try_requests([{"package": self._directory, **request}], self._note)
        except BaseException:  # it broke what asks it: a process of its own would end here
            self._mend()

    def _note(self, message):
        self._frames.append(read_frame(io.BytesIO(framed(message))))

    def next(self, begin, limit):
        """The next frame; None at the end."""
        return self._frames.popleft() if self._frames else None

    def spent(self):
        """It spends the time of this process, which is known."""
        return None

    def end(self):
        """There is nothing to end."""


class InThisProcess:
    """Answers questions about the package in a folder, like checking/process.py, but before next() asks for them.

    deaths: {(exercise id, name of the probe, or "" while its file is imported): "timeout" or "crashed"}: there an
        earlier process was ended, so what stands there is not asked again.
    mend(): called where the code that is asked broke what asks it; it counts as crashed.
    tell(id, probe, importing) is called before each question, and before each import: then the probe is "".
    """

    def __init__(self, directory, deaths, mend, tell):
        self._directory, self._deaths, self._mend, self._tell = directory, deaths, mend, tell
        self._loaded, self._frames = None, deque()

    def send(self, request):
        """Ask {"questions": [[exercise id, file, [probe names]], ...], "seed": n}."""
        try:
            self._loaded = self._loaded or load(self._directory)
            answer(request, *self._loaded, self._note)
        except _Ended as place:
            self._frames.append(place.kind)
        except BaseException:  # it made len() something else, say: a process of its own would end here
            self._mend()
            self._frames.append("crashed")

    def _note(self, message):
        self._frames.append(read_frame(io.BytesIO(framed(message))))
        if "begin" in message:
            place = message["begin"], message.get("probe", "")
            if place in self._deaths:
                raise _Ended(self._deaths[place])
            self._tell(*place, message.get("importing", ""))

    def next(self, begin, limit):
        """The next frame; None at the end.  Raises TimeoutError where the time was up."""
        frame = self._frames.popleft() if self._frames else None
        if frame == "timeout":
            raise TimeoutError
        return None if frame == "crashed" else frame

    def exit_code(self):
        """As of a process that an exception ended."""
        return 1

    def end(self):
        """There is nothing to end."""
