"""python -m grader watch: after each save the exercise that changed is checked; its message replaces the last one."""

import contextlib
import queue
import sys
import threading
from dataclasses import dataclass
from datetime import UTC, datetime

from ..checking import report
from ..checking.again import files_in
from ..checking.check import Request, check, checked
from ..console import arguments as common
from ..course import catalogue, regions
from ..course.paths import package_folder
from ..course.settings import Settings
from ..course.tracks import EVERYTHING, TRACKS
from ..quiz.brings import named_in
from ..quiz.log import add_ideas
from ..slips.found import find
from . import hints, memory
from .keys import pressed_keys

KEYS = "h hint · n next exercise · a check everything · q quit"
BETWEEN_LOOKS = 0.15  # seconds
ALL, HINT, NEXT, QUIT = "a", "h", "n", "q"


def add_arguments(parser):
    common.add_package(parser)
    common.add_time_limit(parser)


def run(arguments):
    """Until q or Ctrl-C.  Returns 0."""
    happenings = queue.Queue()
    request = Request(common.package(arguments.package), arguments.timeout)
    layout = Layout(request, lambda: not happenings.empty())
    stop = threading.Event()
    with contextlib.suppress(KeyboardInterrupt), pressed_keys(happenings, stop):
        threading.Thread(target=saves, args=(layout.folder, happenings, stop), daemon=True).start()
        layout.open()
        while layout.heard(happenings.get()):
            pass
    stop.set()
    return 0


# ------------------------------------------------------------------ what is saved


def saves(folder, happenings, stop):
    """Put the files of a folder that are saved into a queue, as sets of paths, until stop is set.

    They are looked at again and again: not every drive reports a save. One that is being written is waited for.
    """
    told = seen = stamps(folder)
    while not stop.wait(BETWEEN_LOOKS):
        before, seen = seen, stamps(folder)
        if seen == before != told:
            happenings.put({path for path, _ in seen.items() ^ told.items()})
            told = seen


def stamps(folder):
    """{path: time and size} of the files of the package."""
    found = {}
    for path in folder.rglob("*.py"):
        with contextlib.suppress(OSError):  # it is being replaced
            status = path.stat()
            found[str(path)] = status.st_mtime_ns, status.st_size
    return found


# ------------------------------------------------------------------ what is shown


@dataclass
class Layout:
    """The exercise that the learner is at, and the files as they were when they were last looked at.

    is_waited_for(): is there something newer to act on?
    """

    request: Request
    is_waited_for: object = lambda: False

    def __post_init__(self):
        self.folder = package_folder(self.request.package)
        self.exercises = {ex.id: ex for ex in Settings.read().weighed(catalogue.all_exercises())}
        self.bodies = self.read()
        self.at = self.next_open()

    def read(self):
        """{exercise id: the text of its region, or why its file cannot be read}, of all files."""
        found = {}
        for file in dict.fromkeys(ex.file for ex in self.exercises.values()):
            here = [ex.id for ex in self.exercises.values() if ex.file == file]
            try:
                text = (self.folder / file).read_text(encoding="utf-8")
                there = regions.stub_regions(text)
            except (OSError, UnicodeDecodeError, regions.MarkerError) as error:
                found |= dict.fromkeys(here, str(error))
                continue
            for id in here:
                found[id] = tuple((region.body, region.is_stub) for region in there if region.id == id)
        return found

    def is_open(self, id):
        """Has nobody written anything in this exercise yet?"""
        body = self.bodies[id]
        return not isinstance(body, str) and any(is_stub for _, is_stub in body)

    def next_open(self, after=""):
        """The next exercise on the track, after the one with this id, that nothing is written in; or None."""
        ids = list(self.exercises)
        on_the_track = TRACKS[memory.track()]
        later = ids[ids.index(after) + 1 :] if after else ids
        return next((id for id in later if self.exercises[id].track in on_the_track and self.is_open(id)), None)

    def heard(self, happening):
        """Act on a key or on saved files.  Returns whether to go on."""
        if happening == QUIT:
            return False
        if isinstance(happening, set):
            self.saved()
        elif happening == HINT and self.at:
            self.show(*report.hint_lines(hints.next_hint(self.exercises[self.at])))
        elif happening == NEXT:
            self.at = self.next_open(self.at or "") or self.next_open()
            self.open()
        elif happening == ALL:
            self.show("Checking everything ...")
            self.show(*report.text(check(list(self.exercises.values()), self.request), track=memory.track()))
        return True

    def saved(self):
        """Check the exercises whose regions changed; where none did, the one that the learner is at."""
        before, self.bodies = self.bodies, self.read()
        changed = [id for id in self.exercises if before[id] != self.bodies[id]] or [self.at] * bool(self.at)
        if not changed:
            return
        self.show(f"Checking {', '.join(changed)} ...")
        asked = {v.id: (v, a) for v, a in checked([self.exercises[id] for id in changed], self.request)}
        verdicts = [verdict for verdict, _ in asked.values()]
        first = next((v for v in verdicts if not v.done and v.status != "not_started"), verdicts[0])
        self.at = first.id
        add_ideas(named_in([first]), datetime.now(UTC))
        words = list(report.explanation(first, hint="press h"))
        if isinstance(self.bodies[first.id], str):
            words.append(
                f"In babygrad/{first.file} the comments around the exercises are not whole: {self.bodies[first.id]}."
            )
        if all(v.done for v in verdicts):
            self.at = self.next_open(first.id) or self.next_open()
            words += ["", *self.where()]
        self.show(*words)
        package, seed = self.request.package, self.request.seed
        found = find(*asked[first.id], package, seed, stop=self.is_waited_for)
        memory.remember_slip(first.id, files_in(package), found.words)
        if found.lines:
            self.show(*words, *(f"  {line}" for line in found.lines))

    def open(self):
        """Show where the learner is."""
        self.show(*self.where())

    def where(self):
        """The exercise that the learner is at, in words."""
        if not self.at:
            where = "" if memory.track() == EVERYTHING else f' on the track "{memory.track()}"'
            yield f"Every exercise{where} has been started. Press a to check them, and to see what is next."
            return
        ex = self.exercises[self.at]
        yield f"Next: exercise {ex.id} {ex.title}, in babygrad/{ex.file}."
        yield f"Its text is in notebooks/{catalogue.notebook(ex.notebook).name}.ipynb. Saving the file checks it."

    def show(self, *lines):
        """These lines in place of what was there, with the keys below."""
        if sys.stdout.isatty():
            print("\033[2J\033[H", end="")
        print(*lines, *(["", KEYS] if sys.stdin.isatty() else []), sep="\n", flush=True)
