"""How many minutes a notebook takes, by one formula, and how they get into its headings.

A source types no minutes. Its headings are "## C. The order matters" and "### Exercise 3.2", with "(evening)", "(core)"
or "(stretch)" behind those that lie on another track than what they stand in; a section stands in its notebook, whose
is in exercises.py. A cell beginning with STOP ends a sitting.
"""

import re
from dataclasses import dataclass
from functools import cache

from ..course import catalogue, regions
from ..course.paths import REFERENCE
from ..course.phrases import counted, listed
from ..course.tracks import CORE, EVENING, STRETCH, TRACKS, longer
from .sources import NotebookError, read, sources

# The formula. An exercise's time has one failed check in it. (docs/course.md tells what it was compared with.)
WORDS_A_MINUTE = 100
CODE_LINES_A_MINUTE = 7
PREDICTION = 2
QUESTION = 1  # to think about before its answer is unfolded
NOTE = 2  # to write down
BY_DIFFICULTY = {1: 3, 2: 8, 3: 12, 4: 22}
ANSWER_LINE = 0.4

LONGEST_SITTING = 50
STOP = "**A good place to stop.**"
PREDICT = "**Predict.**"
UNCOUNTED = ("Goals", "In other books", "The rule to keep", "Where you are")  # glanced at, or looked up
MARKED = re.compile(r"[A-Z]\. |Bug hunt")  # sections that say on which track they lie
FENCED = re.compile(r"(^```.*?^```[ \t]*$)", re.MULTILINE | re.DOTALL)
HEADING = re.compile(r"^(#{2,4}) +(.+?)(?: \((evening|core|stretch)\))?[ \t]*$", re.MULTILINE)
EXERCISE = re.compile(r"Exercise (\d+\.\d+)")
WORD = re.compile(r"\w[\w'’.]*")


@dataclass
class Part:
    """What stands below one heading, up to the next one.

    rank: 2 for a section.  mark: EVENING, CORE or STRETCH.  within: the Part that it belongs to.
    """

    title: str
    rank: int = 1
    mark: str = CORE
    within: "Part" = None
    exercise: str = ""
    words: int = 0
    code: int = 0
    predictions: int = 0
    questions: int = 0
    notes: int = 0
    stops: bool = False

    @property
    def minutes(self):
        """What all of it takes."""
        if self.title in UNCOUNTED:
            return 0
        reading = self.words / WORDS_A_MINUTE + self.code / CODE_LINES_A_MINUTE
        thinking = self.predictions * PREDICTION + self.questions * QUESTION + self.notes * NOTE
        return reading + thinking + (for_exercise(self.exercise) if self.exercise else 0)

    def count(self, cell):
        """Add a cell, or a piece of markdown, to what stands here."""
        if cell.cell_type == "code":
            self.code += code_lines(cell)
            self.notes += cell.source.startswith("%%note ")
            return
        for number, text in enumerate(FENCED.split(cell.source)):
            if number % 2:
                self.code += text.count("\n") - 1
            else:
                self.words += len(WORD.findall(text))
                self.predictions += text.count(PREDICT)
                self.questions += text.count("<details>")
        self.stops = self.stops or cell.source.startswith(STOP)


def code_lines(cell):
    """The lines that a learner reads in a code cell: those shown, without blank lines and magics."""
    hidden = cell.metadata.get("jupyter", {}).get("source_hidden")
    lines = [] if hidden or cell.source.startswith(("# prediction ", "%%note ")) else cell.source.splitlines()
    return sum(bool(line.strip()) and not line.startswith("%") for line in lines)


def parts(cells, track=CORE):
    """The Parts of a notebook's cells, as its source has them, in order.  track: the notebook's own."""
    found = [Part("the top", mark=track)]
    for cell in cells:
        if cell.cell_type == "code":
            found[-1].count(cell)
            continue
        for text in pieces(cell.source):
            if heading := HEADING.match(text):
                found.append(part(heading, found))
            found[-1].count(type(cell)(cell, source=text))
    return found


def pieces(markdown):
    """Markdown, cut before each heading."""
    cuts, place = [0], 0
    for number, text in enumerate(FENCED.split(markdown)):
        cuts += [place + heading.start() for heading in HEADING.finditer(text) if number % 2 == 0]
        place += len(text)
    return [markdown[one:other] for one, other in zip(cuts, [*cuts[1:], None]) if markdown[one:other].strip()]


def part(heading, before):
    """The Part that begins with a heading, after those before it."""
    rank, title = len(heading[1]), heading[2]
    within = next(part for part in reversed(before) if part.rank < rank)
    exercise = EXERCISE.match(title)
    own = catalogue.exercise(exercise[1]).track if exercise else heading[3]
    above = EVENING if within.rank == 1 and within.mark == CORE else within.mark
    if own and longer(own, above) != own:
        raise NotebookError(f"{title!r} is marked {own}, but {within.title!r}, in which it stands, {within.mark}.")
    return Part(title, rank, own or within.mark, within, exercise[1] if exercise else "")


def for_exercise(id):
    """The minutes of an exercise, to think, write and be wrong once; not the text about it."""
    return BY_DIFFICULTY[catalogue.exercise(id).difficulty] + ANSWER_LINE * answer_lines().get(id, 1)


@cache
def answer_lines():
    """{exercise id: the lines of its answer in the reference}."""
    lines = {}
    for path in (REFERENCE / "babygrad").rglob("*.py"):
        for region in regions.solution_regions(path.read_text(encoding="utf-8")):
            lines[region.id] = lines.get(region.id, 0) + sum(bool(line.strip()) for line in region.body)
    return lines


def of(number):
    """The Parts of the notebook with this number."""
    return parts(read(sources([number])[0]).cells, catalogue.notebook(number).track)


def total(found, *marks):
    """The minutes of Parts, of those with these marks if any are given."""
    return sum(part.minutes for part in found if not marks or part.mark in marks)


def cut(found):
    """The Parts of each sitting, in order."""
    sittings = [[]]
    for part in found:
        sittings[-1].append(part)
        if part.stops:
            sittings.append([])
    return sittings


def sittings(found):
    """The minutes of each sitting, in order."""
    return [total(sitting) for sitting in cut(found)]


def rounded(minutes, to=5):
    """Minutes as they are told: nobody knows them better than that. None at all is 0."""
    return max(to, to * round(minutes / to)) if minutes else 0


def row(number):
    """The cells of a table about a notebook: its minutes, those that are core, its sittings."""
    found = of(number)
    return f"{rounded(total(found))} | {rounded(total(found, EVENING, CORE))} | {len(sittings(found))}"


def hours(minutes):
    """Minutes in words: "50 minutes", "about 3 hours"."""
    return f"{rounded(minutes)} minutes" if minutes < 90 else f"{round(minutes / 30) / 2:g} hours"


def tracks():
    """The rows of a table of the tracks through the course: name, what lies on it, exercises, time."""
    there = {nb.number: of(nb.number) for nb in catalogue.notebooks()}
    for name, marks in TRACKS.items():
        count = sum(ex.track in marks for ex in catalogue.all_exercises())
        yield name, _sections(there, marks), count, hours(sum(total(found, *marks) for found in there.values()))


def _sections(there, marks):
    """Which sections lie on a track: "02 A B C, 03 A B", or what they are marked with."""
    if CORE in marks:
        return "all that is not marked stretch" if STRETCH not in marks else "all of it"
    letters = {
        number: [p.title[0] for p in found if p.mark in marks and p.rank == 2] for number, found in there.items()
    }
    return ", ".join(f"{number} {' '.join(of_it)}" for number, of_it in letters.items() if of_it)


def sitting_rows():
    """(Notebook, number of the sitting, titles of its sections, minutes, those of them on the core)."""
    for nb in catalogue.notebooks():
        for count, sitting in enumerate(cut(of(nb.number)), 1):
            titles = [part.title for part in sitting if part.rank == 2 and part.title not in UNCOUNTED]
            yield nb, count, titles, total(sitting), total(sitting, EVENING, CORE)


# ------------------------------------------------------------------ into the notebooks


def put_in(cells, notebook):
    """Write the minutes, and what is known of the notebook and its exercises, into the markdown of its cells."""
    found = parts(cells, notebook.track)
    left, sitting = iter(found[1:]), iter(sittings(found)[1:])
    for cell in cells:
        if cell.cell_type == "markdown":
            texts = FENCED.split(cell.source)
            texts[::2] = [HEADING.sub(lambda _: heading(next(left), found), text) for text in texts[::2]]
            cell.source = "".join(texts)
            if cell.source.startswith(STOP):
                cell.source += f" (The next sitting: about {counted(rounded(next(sitting)), 'minute')}.)"
    if cells[0].cell_type == "markdown":
        title, _, rest = cells[0].source.partition("\n")
        cells[0].source = f"{title}\n\n{about(found, notebook)}\n{rest}".rstrip()


def about(found, notebook):
    """The line below a notebook's title."""
    minutes, core = rounded(total(found)), rounded(total(found, EVENING, CORE))
    count = len(sittings(found))
    shorter = f" ({core} of them core)" if 0 < core < minutes else "" if core else f" ({STRETCH})"
    in_sittings = f", in {counted(count, 'sitting')}" if count > 1 else ""
    files = listed([link(name) for name in notebook.files])
    return f"**About {minutes} minutes**{shorter}{in_sittings} · files: {files}"


def link(file, exercise=""):
    """A learner's file, as a link from a notebook; to an exercise in it, where make lab has started JupyterLab."""
    return f"[{file}](../babygrad/{file}{exercise and f'#exercise-{exercise}'})"


def heading(part, found):
    """A heading as the learner sees it."""
    words = f"{'#' * part.rank} {part.title}"
    if part.exercise:
        return f"{words} {of_exercise(part)}"
    same = [p for p in found if (p is part or part in above(p)) and p.mark == part.mark]
    minutes = round(total(same))
    if part.title in UNCOUNTED or not minutes or (part.rank > 2 and part.mark == part.within.mark):
        return words
    told = f", {part.mark}" if part.rank > 2 or MARKED.match(part.title) else ""
    return f"{words} ({counted(minutes, 'minute')}{told})"


def above(part):
    """All Parts in which a Part stands."""
    while part := part.within:
        yield part


def of_exercise(part):
    """What stands behind an exercise's number: title, minutes, difficulty, a mark that its section has not, file."""
    ex = catalogue.exercise(part.exercise)
    dots = "●" * ex.difficulty + "○" * (4 - ex.difficulty)
    apart = f", {part.mark}" if part.mark != part.within.mark else ""
    return f"`{ex.title}` ({counted(round(for_exercise(ex.id)), 'minute')}, {dots}{apart}) · {link(ex.file, ex.id)}"
