"""Which of a notebook's cells stand on a slide, where a slide ends, and what is left to the speaker's notes.

The rules read what the sources say already. A heading begins a slide; so does a question. What answers it comes after
a pause: a fragment, which the next key shows, or the next slide. Of long text the first paragraphs stay, whole.
"""

import ast
import re
from dataclasses import dataclass, field

from ..course.phrases import counted
from ..maintainer import minutes
from ..maintainer.minutes import HEADING, PREDICT, STOP, UNCOUNTED, WORD, pieces, total
from .heights import FULL, of_code, of_markdown, of_output

LOOKED_UP = ("In other books", "Where you are")  # sections for one reader
LONG = 80  # words of a text that is shortened
SMALL = 130  # pixels: too little for a slide of its own
MORE = 1.2  # so much higher may a slide be if that saves such a one
NOT_SHOWN = ("# prediction ", "%", "class WrongKernel")
EXPLAINED = re.compile(r"\*\*(Explain|Run it)\b")
FOR_READERS = re.compile(r"\bunfold")  # nothing is folded on a slide
RECALL = re.compile(r'<details class="recall"><summary>(.*?)</summary>(.*?)</details>', re.DOTALL)
DETAILS = re.compile(r"<details[^>]*>\s*<summary>(.*?)</summary>(.*?)</details>", re.DOTALL)
LINK = re.compile(r"(?<!!)\[([^\]\n]+)\]\([^)\s]+\)")
BEHIND = re.compile(r" \(\d+ minutes?[^)]*\)( · .*)?$")  # a heading
BLOCK = re.compile(r"```.*?^```[ \t]*$|\$\$.*?\$\$[^\n]*|[^\n]+(?:\n[^\n]+)*", re.MULTILINE | re.DOTALL)
PROSE = re.compile(r"(?![-|#>$<]|\d+\.\s|```|    )")
SENTENCE = re.compile(r".+?[.?!][)\"*]*(?=\s+[\"(*`]?[A-Z])", re.DOTALL)
PLOTTING = re.compile(r"(fig|ax|axes|figure|plt|panels?|left|right)\b.*[.=]")
ALL_BOLD = re.compile(r"\*\*[^*]+\*\*")
ASKS = "A question: let everybody write an answer down before you go on."


@dataclass
class Item:
    """A piece of a slide: Markdown, or a cell's code or outputs.  paused: it comes after a pause."""

    markdown: str = ""
    code: str = ""
    outputs: list = field(default_factory=list)
    paused: bool = False

    @property
    def height(self):
        """In pixels, about."""
        if self.markdown:
            return sum(map(of_markdown, blocks(self.markdown)))
        return of_code(self.code) if self.code else sum(map(of_output, self.outputs))


@dataclass
class Slide:
    """rank: 2 for one that begins a section, 3 for one below it.

    asks: there is a question on it.  answers: it begins with what comes after a pause.
    """

    rank: int
    items: list
    notes: list
    asks: bool = False
    answers: bool = False

    @property
    def height(self):
        return height_of(self.items)

    @property
    def waits(self):
        """Whether something on it comes after a pause."""
        return any(item.paused for item in self.items)

    def add(self, item):
        """Put an item on it. What follows a pause comes after one as well; neighbouring text is one item."""
        item.paused = item.paused or self.waits
        last = self.items[-1]
        if item.markdown and last.markdown and last.paused == item.paused:
            last.markdown += f"\n\n{item.markdown}"
        else:
            self.items.append(item)


def height_of(items):
    return sum(item.height for item in items)


def slides(notebook, number):
    """The Slides of an executed notebook, in order."""
    found = minutes.of(number)
    deck = Deck(found)
    parts = iter(found[1:])
    for cell in notebook.cells:
        if cell.cell_type == "code":
            deck.code(cell)
            continue
        for piece in pieces(cell.source):
            if HEADING.match(piece):
                deck.heading(piece, next(parts))
            else:
                deck.text(piece)
    return deck.slides


class Deck:
    """Slides while they are made."""

    def __init__(self, found):
        self.found, self.slides = found, []
        self.skips = False  # what stands in this section
        self.is_done = False  # the slide asks for an exercise, and what comes now shows its outcome

    # ---- what a notebook has ----

    def heading(self, piece, part):
        """A new slide, with the words below its heading."""
        if part.rank == 2:
            self.skips = part.title in LOOKED_UP
        if self.skips:
            return
        line, _, rest = piece.partition("\n")
        self.is_done = False
        self.slides.append(Slide(part.rank, [Item(markdown=unlinked(BEHIND.sub("", line)))], [self._takes(part)]))
        self.text(rest)

    def text(self, markdown):
        """Markdown: its questions begin slides, its answers come after a pause."""
        markdown = RECALL.sub(r"\1:\2", unlinked(markdown)).strip("\n")
        if self.skips or not markdown:
            return
        if not self.slides:
            self._title(markdown)
        elif markdown.startswith(STOP):
            self.slides[-1].notes.append(markdown)
        else:
            before, asked, question = markdown.partition(PREDICT)
            told, leads = parted(before) if asked else (before, "")
            self._told(told)
            if asked:
                self._ask(f"{self._cut(leads)}\n\n{asked}{question}".strip())

    def code(self, cell):
        """A code cell: what is run, and after a pause what came of it."""
        if cell.source.startswith("%check"):
            self.is_done = True
        if self.skips or is_for_one(cell):
            return
        is_shown = not is_hidden(cell) and not is_plotting(cell)
        if not is_shown:
            self.slides[-1].notes.append(f"```python\n{cell.source}\n```")
        code = [Item(code=part) for part in in_parts(cell.source)] if is_shown else []
        outcome = [Item(outputs=cell.outputs, paused=True)] if cell.outputs else []
        for part in code[:-1]:
            self._add(part)
        last = code[-1:]
        asks = self.slides[-1].asks and last and self._has_room(last)
        if self._has_room(last + outcome) or (height_of(last + outcome) <= FULL and not asks):
            self._add(*last, *outcome)
        else:  # the question with its code, or long code; then the outcome
            self._add(*last)
            self._add(*outcome)

    # ---- how it is put on slides ----

    def _takes(self, part):
        """How long a part takes, for the notes."""
        same = [p for p in self.found if p is part or part in minutes.above(p)]
        if part.title in UNCOUNTED:
            return f"{part.mark.capitalize()}."
        takes = f"{counted(round(total(same)), 'minute')} in the notebook, {part.mark}"
        doing = sum(minutes.for_exercise(p.exercise) for p in same if p.exercise)
        return f"{takes}; {round(doing)} of them for exercises." if doing else f"{takes}."

    def _title(self, markdown):
        title, _, rest = markdown.partition("\n")
        about, _, rest = rest.strip().partition("\n")
        self.slides.append(Slide(2, [Item(markdown=title)], [about]))
        self._told(rest)

    def _told(self, markdown):
        """Text with answers folded in it. What they are folded under is a question, or the answer's heading."""
        texts = DETAILS.split(markdown)
        self._shortened(texts[0])
        for summary, answer, text in zip(texts[1::3], texts[2::3], texts[3::3], strict=True):
            label = f"**{as_markdown(summary)}**"
            if "?" in label or "<b>" in summary:
                self._ask(label)
                label = ""
            self._shortened(answer, label, paused=True)
            self._shortened(text)

    def _shortened(self, text, label="", paused=False):
        """Text, as much of it as is shown, in blocks that stay together. A block that is bold asks a question."""
        items = []
        for block in together(self._cut(text)):
            if ALL_BOLD.fullmatch(block) and not paused:
                self._add_all(items)
                self._ask(block)
                items = []
            else:
                paused = paused or (bool(EXPLAINED.match(block)) and self.slides[-1].asks)
                items.append(Item(markdown=f"{label}\n\n{block}" if label else block, paused=paused))
                label = ""
        self._add_all(items)

    def _cut(self, text):
        """What is shown of a text. If that is not all of it, all of it goes into the notes."""
        shown, text = shortened(text), text.strip("\n")
        if shown != text:
            self.slides[-1].notes.append(text)
        return shown

    def _ask(self, question):
        """A question begins a slide, unless there is little yet on the last one, such as a heading."""
        item, slide = Item(markdown=question), self.slides[-1]
        explains = slide.answers or any(EXPLAINED.search(item.markdown) for item in slide.items)
        little = slide.height <= 2 * SMALL and not slide.asks and not explains
        if little and not self.is_done and self._has_room([item]):
            slide.add(item)
        else:
            self.slides.append(Slide(3, [item], []))
        self.slides[-1].asks, self.is_done = True, False
        self.slides[-1].notes.append(ASKS)

    def _has_room(self, items):
        """Whether items fit on the last slide."""
        height = height_of(items)
        allowed = FULL * MORE if height <= SMALL or self.slides[-1].height <= SMALL else FULL
        return self.slides[-1].height + height <= allowed

    def _add_all(self, items):
        """Text onto one slide if one can hold it."""
        if height_of(items) <= FULL:
            self._add(*items)
        else:
            for item in items:
                self._add(item)

    def _add(self, *items):
        """Onto the slide, or behind it, which is a pause as well: if it is full, or asks for an exercise."""
        if items and (self.is_done or not self._has_room(items)):
            first, *items = [*self._taken_along(items), *items]
            self.slides.append(Slide(3, [first], [], answers=first.paused))
            first.paused, self.is_done = False, False
        for item in items:
            self.slides[-1].add(item)

    def _taken_along(self, items):
        """What goes to a new slide with these items, off the last one: what they are about, or what introduces them."""
        slide = self.slides[-1]
        *above, last = slide.items
        if self.is_done or height_of([last, *items]) > FULL:
            return []
        if last.outputs and height_of(items) <= 2 * SMALL and all(item.markdown for item in items):
            leaves_enough = above and (height_of(above) > SMALL or slide.asks)
            return [slide.items.pop()] if leaves_enough else []
        *before, leads = blocks(last.markdown) or [""]
        if items[0].markdown or not leads.endswith(":") or slide.asks or not (above or before[1:]):
            return []
        slide.items.pop()
        if before:
            slide.items.append(Item(markdown="\n\n".join(before), paused=last.paused))
        return [Item(markdown=leads, paused=last.paused)]


# ------------------------------------------------------------------ cells


def is_for_one(cell):
    """Set-up, predictions, notes, checks: what a learner needs, and nobody who looks at a screen."""
    return cell.source.startswith(NOT_SHOWN) or _only_imports(cell.source) or (is_hidden(cell) and not cell.outputs)


def is_hidden(cell):
    return cell.metadata.get("jupyter", {}).get("source_hidden", False)


def is_plotting(cell):
    """Whether most of its lines make a plot: then it is the plot that is shown."""
    lines = [line.strip() for line in cell.source.splitlines() if line.strip()]
    drawing = sum(bool(PLOTTING.match(line)) for line in lines)
    return 2 * drawing > len(lines) and drawing >= 4 and any("image/png" in out.get("data", {}) for out in cell.outputs)


def _only_imports(source):
    try:
        return all(isinstance(node, (ast.Import, ast.ImportFrom)) for node in ast.parse(source).body)
    except SyntaxError:  # a magic
        return False


def in_parts(source):
    """The source of a cell, parted between its functions where it is too long for a slide."""
    parts = []
    for piece in re.split(r"\n{3,}", source) if of_code(source) > FULL else [source]:
        if parts and of_code(f"{parts[-1]}\n\n\n{piece}") <= FULL:
            parts[-1] += f"\n\n\n{piece}"
        else:
            parts.append(piece)
    return parts


# ------------------------------------------------------------------ text


def unlinked(markdown):
    """Markdown without its links: they lead out of the slides."""
    return LINK.sub(r"\1", markdown)


def as_markdown(summary):
    """What an answer is folded under, written as HTML."""
    marked = re.sub(r"</?code>", "`", re.sub(r"</?(i|em)>", "*", summary))
    return re.sub(r"<[^>]*>", "", marked).strip()


def blocks(markdown):
    """Its paragraphs, lists, tables, code and formulas."""
    return BLOCK.findall(markdown)


def together(markdown):
    """Blocks, and with each what it introduces: a list, a table, code; anything after a colon."""
    joined, last = [], "#"
    for block in blocks(markdown):
        if joined and (last.endswith(":") or (PROSE.match(last) and not PROSE.match(block))):
            joined[-1] += f"\n\n{block}"
        else:
            joined.append(block)
        last = block
    return joined


def parted(before):
    """Text before a question, parted: what explains the last outcome, and what leads to the question."""
    if not EXPLAINED.search(before) and "</details>" not in before:
        return "", before
    *told, last = together(before) or [""]
    leads = told and not EXPLAINED.match(last) and "</details>" not in last
    return ("\n\n".join(told), last) if leads else (before, "")


def shortened(text):
    """Text for a slide: if it is long, its first paragraphs, and with what they introduce all that is no prose."""
    text = text.strip("\n")
    if len(WORD.findall(text)) <= LONG and not FOR_READERS.search(text):
        return text
    kept, left, parts = [], LONG, together(text)
    for number, block in enumerate(parts):
        if FOR_READERS.search(block):
            continue
        words = len(WORD.findall(block))
        introduces = "\n\n" in block or (number == len(parts) - 1 and block.endswith(":"))
        if not PROSE.match(block) or introduces or ALL_BOLD.fullmatch(block):
            kept.append(block)
        elif words <= left:
            kept.append(block)
            left -= words
        else:
            kept += [] if kept else [first_sentences(block)]
            left = 0
    return "\n\n".join(kept)


def first_sentences(paragraph):
    """A paragraph's first sentences, up to half of what a slide may have; one at least."""
    end = 0
    while sentence := SENTENCE.match(paragraph, end):
        if end and len(WORD.findall(paragraph[: sentence.end()])) > LONG / 2:
            break
        end = sentence.end()
    return paragraph[:end] or paragraph
