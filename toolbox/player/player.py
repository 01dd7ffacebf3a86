"""A sequence of frames, each a picture with a sentence, to be stepped through by hand: one piece of HTML.

Nothing is fetched, nothing runs in a kernel. Without scripts the picture of the last frame and all sentences remain.
"""

import html
import json
import re
from functools import cached_property
from typing import NamedTuple

from ..drawing.svg import as_image, beginning, in_state
from .page import PAGE, SCRIPT, STYLE

NARROW = 330  # pixels: beside such a picture there is room for its sentence, also in half a window


class Frame(NamedTuple):
    """One step of a film.

    sentence: what is to be seen.
    texts: {key: what stands there from now on}, of the parts of the shared picture that change; "" hides a part.
    lit: the keys of what is lit in this frame alone.  main: those of them that it is about.
    picture: the SVG of this frame, where the frames share none.
    place: which line of the list beside the picture has been reached, from 0 on; None for none.
    moved: {key: {attribute: value}}, what of the shared picture's parts is elsewhere, or of another form, from now on.
    """

    sentence: str
    texts: dict = {}
    lit: tuple = ()
    main: tuple = ()
    picture: str = ""
    place: int | None = None
    moved: dict = {}


class Player:
    """Frames to step through: a notebook shows it, str(player) is its text.

    title: what it shows, in a few words.
    frames: Frames, one at least.
    picture: the SVG that they share. Its parts that change have a data-key each.
    lines: the list beside the picture, each there from the frame on that has reached it; list_title: the words above.
    caption: what to look at, above the picture.
    start: the frame to begin with, from 0 on.  pace: seconds that each frame stays while it plays; None for as
        long as its words take to read.
    """

    def __init__(self, title, frames, picture="", lines=(), list_title="", *, caption="", start=0, pace=None):
        self.title, self.frames, self.picture = title, tuple(frames), picture
        self.lines, self.list_title = tuple(lines), list_title
        self.caption, self.start, self.pace = caption, start, pace
        if not self.frames:
            raise ValueError("a player needs one frame at least")
        if not 0 <= start < len(self.frames):
            raise ValueError(f"start must be one of the frames 0 to {len(self.frames) - 1}, but it is {start}")

    def __len__(self):
        return len(self.frames)

    def __repr__(self):
        width = len(str(len(self.frames)))
        lines = [
            f"  {number if line is frame.sentence else '':>{width}}  {line}"
            for number, frame in enumerate(self.frames, 1)
            for line in told(frame)
        ]
        return "\n".join([self.title, *filter(None, [self.caption]), *lines])

    @cached_property
    def html(self):
        """All of it, for a notebook or a page."""
        frames = [_as_data(frame) for frame in self._told_in_full()]
        data = {"frames": frames, "start": self.start, "pace": self.pace}
        return PAGE.format(
            style=STYLE,
            layout=" narrow" if is_narrow(self.picture) else " listed" if self.lines else "",
            title=html.escape(self.title),
            caption=f'<p class="caption">{html.escape(self.caption)}</p>' if self.caption else "",
            picture=each_svg(self.still, as_image),
            sentence=html.escape(self.frames[-1].sentence),
            count=len(self.frames),
            beside=self._beside(),
            text=html.escape(str(self)),
            script=SCRIPT,
            data=json.dumps(data, ensure_ascii=False, separators=(",", ":")).replace("<", r"\u003c"),
        )

    @property
    def still(self):
        """The picture as it is in the last frame."""
        if self.frames[-1].picture:
            return self.frames[-1].picture
        texts, moved = changes(self.frames)
        return each_svg(self.picture, lambda svg: in_state(svg, texts, moved))

    def _told_in_full(self):
        """The frames; the first one says also how everything stands that a later one changes."""
        texts, moved = beginning(self.picture, *changes(self.frames))
        first = self.frames[0]
        moved = {key: places | first.moved.get(key, {}) for key, places in ({**first.moved} | moved).items()}
        return (first._replace(texts=texts | first.texts, moved=moved), *self.frames[1:])

    def _beside(self):
        if not self.lines:
            return ""
        lines = "".join(f"<li>{html.escape(line)}</li>" for line in self.lines)
        return f'<div class="list"><p>{html.escape(self.list_title)}</p><ol>{lines}</ol></div>'

    def save(self, path):
        """Write a page with the player to a file whose name ends in .html.  Raises ValueError for another ending."""
        if not str(path).endswith(".html"):
            raise ValueError(f"a player is saved as .html, but the file is called {path}")
        head = f'<!doctype html><html lang="en"><meta charset="utf-8"><title>{html.escape(self.title)}</title>'
        with open(path, "w", encoding="utf-8") as file:
            file.write(f"{head}<body>{self.html}</body></html>\n")

    def _repr_mimebundle_(self, include=None, exclude=None):
        """For Jupyter."""
        return {"text/html": self.html, "text/plain": str(self)}


def changes(frames):
    """All that frames change, one after the other: (texts, moved)."""
    texts, moved = {}, {}
    for frame in frames:
        texts |= frame.texts
        for key, attributes in frame.moved.items():
            moved[key] = moved.get(key, {}) | attributes
    return texts, moved


def each_svg(page, change):
    """A page with each of its SVGs changed. One may lie in another."""
    done, depth, start, end = [], 0, 0, 0
    for tag in re.finditer(r"<svg\b|</svg>", page):
        opens = tag[0] == "<svg"
        if opens and depth == 0:
            start = tag.start()
        depth += 1 if opens else -1
        if depth == 0:
            done += [page[end:start], change(page[start : tag.end()])]
            end = tag.end()
    return "".join([*done, page[end:]])


def is_narrow(picture):
    width = re.match(r'<svg\b[^>]*?\bwidth="(\d+)"', picture)
    return bool(width) and int(width[1]) <= NARROW


def told(frame):
    """The lines of a frame in a text: its sentence, and what is said below each of several pictures."""
    yield frame.sentence
    yield from (f"{key}: {text}" for key, text in ((k[:-1], t) for k, t in frame.texts.items() if k[-1] == "."))


def _as_data(frame):
    """A Frame as short as it can be said."""
    there = {
        "s": frame.sentence,
        "t": frame.texts,
        "l": frame.lit,
        "m": frame.main,
        "p": frame.picture,
        "a": frame.moved,
    }
    return {key: value for key, value in there.items() if value} | ({} if frame.place is None else {"n": frame.place})
