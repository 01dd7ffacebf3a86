"""A program at work: which array each of its lines is written into, and which arrays are used again."""

from babygrad.compiler import Arrays

from ..drawing.colours import INK, LEAF, LINE, RESULT, SOFT_INK
from ..graphs.graph import counted
from ..player.player import Frame, Player
from .grid import card

WIDE, HIGH, GAP, ABREAST = 106, 36, 6, 2  # a box, in pixels, and how many stand in a row
MOST = 60  # lines
FILLED, FREE = {"stroke-dasharray": "none"}, {"stroke-dasharray": "5 4"}


def arrays_at_work(program):
    """A film of a program that runs, line by line, with the arrays that your own functions choose.

    A box is an array, with the name of the result that it holds. The border of a free one is dashed.
    program: a Program of at most 60 lines.
    Returns a Player: a notebook shows it.  Raises ValueError for a longer one, NotImplementedError where an exercise
    is missing.
    """
    if len(program.lines) > MOST:
        raise ValueError(f"a film has room for {MOST} lines, but this program has {len(program.lines)}")
    film = Film(program)
    frames = list(film.frames())
    lines = [step.text or f"{step.name}: a view, nothing to do" for step in film.arrays.steps]
    caption = "Which arrays are written over, and which are free for a while? A dashed box is free."
    return Player(film.title, frames, film.picture(), lines, "The text of the program", caption=caption)


class Step:
    """What happened to one line: its text, its array, and who was free before and after."""

    def __init__(self, line, text, array, free_before, free_after, new):
        self.line, self.name, self.text, self.array = line, line.name, text, array
        self.free_before, self.free_after, self.new = free_before, free_after, new


class Watched(Arrays):
    """Arrays that remembers each of its steps."""

    def __init__(self, program):
        self.steps = []
        super().__init__(program)

    def put(self, line, inputs, place):
        lines, free, own = len(self.text), set(self.free), set(self.own)
        super().put(line, inputs, place)
        array = self.array_of[line.name]
        self.steps.append(Step(line, "; ".join(self.text[lines:]), array, free, set(self.free), array not in own))


class Film:
    """The frames and the picture.  Parts: b and the name of an array for its box, h for what it holds."""

    title = "A program at work, and its arrays"

    def __init__(self, program):
        self.program, self.arrays = program, Watched(program)
        self.given = [*program.leaves]
        self.boxes = [*self.given, *self.arrays.own]
        self.owner = self.arrays.owner

    def frames(self):
        count = counted(len(self.arrays.own), "array")
        texts = {f"h{name}": "empty" for name in self.arrays.own}
        free = {f"b{name}": FREE for name in self.arrays.own}
        yield Frame(f"Before the first run {count} are made, empty. Let the lines run one by one.", texts, moved=free)
        for place, step in enumerate(self.arrays.steps):
            yield self.frame(place, step)
        results = sum(bool(step.text) for step in self.arrays.steps)
        yield Frame(
            f"The end: {counted(results, 'result')} in {count}. In the next run the same ones are filled again."
        )

    def frame(self, place, step):
        if not step.text or self.owner[step.name] != step.name:
            return Frame(
                f"{step.name} is a view: the numbers of {self.owner[step.name]}, seen in another way.", place=place
            )
        if step.array not in self.boxes:
            return Frame(
                f"{step.name} gets a new array in each run: NumPy has no function that fills one.", place=place
            )
        texts = {f"h{step.array}": f"holds {step.name}"} | {f"h{name}": "free" for name in self.freed(step)}
        moved = {f"b{name}": FREE for name in self.freed(step)} | {f"b{step.array}": FILLED}
        lit = (f"b{step.array}",)
        return Frame(self.sentence(step), texts, lit, lit, place=place, moved=moved)

    def freed(self, step):
        return sorted(step.free_after - step.free_before - {step.array})

    def sentence(self, step):
        """Where the result goes, why it may, and who is free now."""
        if step.array in self.given:
            where = f"goes into the parameter {step.array}, which nobody reads in its old form any more"
        elif step.new:
            where = "is written into an array of its own"
        elif step.array in step.free_before:
            where = f"goes into {step.array}, which was free"
        else:
            where = f"is written over an input, in {step.array}, which nobody reads after this line"
        freed = self.freed(step)
        words = f" Then {' and '.join(freed)} {'is' if len(freed) == 1 else 'are'} free." if freed else ""
        return f"{step.name} {where}.{words}"

    def picture(self):
        rows = -(-len(self.boxes) // ABREAST)
        boxes = "".join(self.box(place, name) for place, name in enumerate(self.boxes))
        return card(boxes, ABREAST * (WIDE + GAP) + GAP, rows * (HIGH + GAP) + GAP, self.title)

    def box(self, place, name):
        row, column = divmod(place, ABREAST)
        x, y = GAP + column * (WIDE + GAP), GAP + row * (HIGH + GAP)
        given = name in self.given
        shape = self.arrays.space[name].shape
        fill, holds = (LEAF, f"holds {name}") if given else (RESULT, "free")
        middle = x + WIDE // 2
        return (
            f'<rect data-key="b{name}" x="{x}" y="{y}" width="{WIDE}" height="{HIGH}" rx="{8 if given else 0}" '
            f'fill="{fill}" stroke="{LINE}" stroke-width="2"/>'
            f'<text x="{middle}" y="{y + 15}" font-size="11" fill="{SOFT_INK}">{name} {shape}</text>'
            f'<text data-key="h{name}" x="{middle}" y="{y + 29}" font-size="11" fill="{INK}">{holds}</text>'
        )
