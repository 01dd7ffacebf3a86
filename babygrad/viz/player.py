"""A sequence of frames, each a picture with a sentence, to be stepped through by hand: one piece of HTML.

Nothing is fetched, nothing runs in a kernel. Without scripts the picture of the last frame and all sentences remain.
"""

import base64
import html
import json
import re
from functools import cached_property
from typing import NamedTuple

from .player_page import PAGE, SCRIPT, STYLE


class Frame(NamedTuple):
    """One step of a film.

    sentence: what is to be seen.
    texts: {key: what stands there from now on}, of the parts of the shared picture that change; "" hides a part.
    lit: the keys of what is lit in this frame alone.  main: those of them that it is about.
    picture: the SVG of this frame, where the frames share none.
    place: which line of the list beside the picture has been reached, from 0 on; None for none.
    """

    sentence: str
    texts: dict = {}
    lit: tuple = ()
    main: tuple = ()
    picture: str = ""
    place: int | None = None


class Player:
    """Frames to step through: a notebook shows it, str(player) is its text.

    title: what it shows, in a few words.
    frames: Frames, one at least.
    picture: the SVG that they share. Its parts that change have a data-key each.
    lines: the list beside the picture; list_title: the words above it.
    """

    def __init__(self, title, frames, picture="", lines=(), list_title=""):
        self.title, self.frames, self.picture = title, tuple(frames), picture
        self.lines, self.list_title = tuple(lines), list_title
        if not self.frames:
            raise ValueError("a player needs one frame at least")

    def __len__(self):
        return len(self.frames)

    def __repr__(self):
        width = len(str(len(self.frames)))
        lines = [
            f"  {number if line is frame.sentence else '':>{width}}  {line}"
            for number, frame in enumerate(self.frames, 1)
            for line in told(frame)
        ]
        return "\n".join([self.title, *lines])

    @cached_property
    def html(self):
        """All of it, for a notebook or a page."""
        data = {"frames": [_as_data(frame) for frame in self.frames]}
        return PAGE.format(
            style=STYLE,
            title=html.escape(self.title),
            picture=SVG.sub(as_image, self.still),
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
        return self.frames[-1].picture or self.picture

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


SVG = re.compile(r"<svg\b.*?</svg>", re.DOTALL)


def as_image(svg):
    """An SVG as an image, which also a page that allows no scripts and no drawings shows. The script opens it."""
    name = re.search(r'aria-label="([^"]*)"', svg[0])
    data = base64.b64encode(svg[0].encode()).decode()
    return f'<img alt="{name[1] if name else ""}" src="data:image/svg+xml;base64,{data}">'


def told(frame):
    """The lines of a frame in a text: its sentence, and what is said below each of several pictures."""
    yield frame.sentence
    yield from (f"{key}: {text}" for key, text in ((k[:-1], t) for k, t in frame.texts.items() if k[-1] == "."))


def _as_data(frame):
    """A Frame as short as it can be said."""
    there = {"s": frame.sentence, "t": frame.texts, "l": frame.lit, "m": frame.main, "p": frame.picture}
    return {key: value for key, value in there.items() if value} | ({} if frame.place is None else {"n": frame.place})
