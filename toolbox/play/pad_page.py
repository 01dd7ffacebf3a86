"""A pad on a page: an anywidget around a Pad, its style and its script."""

from pathlib import Path

import anywidget
import traitlets

from ..drawing.colours import CARD, EDGE_OF_CARD, INK, LINES, LIT, PLOT, SOFT_INK
from ..drawing.svg import FONTS
from ..player.page import OWN_KEYS

NOTHING = {"strokes": [], "digit": None, "moved": [0, 0]}


class Page(anywidget.AnyWidget):
    """.drawn: what the page says is on the pad.  .seen: what the net makes of it, what the page shows."""

    _esm = Path(__file__).with_name("pad.js").read_text(encoding="utf-8").replace("/* OWN_KEYS */", OWN_KEYS)
    _css = f"""
.babygrad-pad {{ color: {INK}; background: {CARD}; border: 1px solid {EDGE_OF_CARD}; border-radius: 8px;
  padding: 8px 12px; font: 13px/1.45 {FONTS}; max-width: 640px; box-sizing: border-box; --ink: {INK} }}
.babygrad-pad .parts {{ display: flex; flex-wrap: wrap; gap: 8px 20px }}
.babygrad-pad .answers {{ flex: 1 1 190px; min-width: 0 }}
.babygrad-pad canvas {{ display: block; background: {PLOT}; border: 1px solid {SOFT_INK} }}
.babygrad-pad .pad {{ width: 224px; height: 224px; cursor: crosshair; touch-action: none }}
.babygrad-pad .net {{ width: 112px; height: 112px; image-rendering: pixelated }}
.babygrad-pad figure {{ width: 132px; margin: 0 }}
.babygrad-pad .said {{ font-weight: bold; min-height: 2.9em; margin: 0 0 4px }}
.babygrad-pad .controls {{ display: flex; gap: 6px; align-items: center; margin: 6px 0 }}
.babygrad-pad :is(button, select) {{ font: inherit; color: {INK}; background: {PLOT}; border: 1px solid {SOFT_INK};
  border-radius: 4px; padding: 2px 8px; min-width: 28px; min-height: 28px }}
.babygrad-pad :focus-visible {{ outline: 3px solid {LIT}; outline-offset: 1px }}
.babygrad-pad table {{ width: 100%; border-collapse: collapse; color: {INK}; font: inherit; margin: 0 }}
.babygrad-pad caption {{ text-align: left; color: {INK} }}
.babygrad-pad :is(th, td) {{ padding: 1px 4px; text-align: right; white-space: nowrap;
  font-weight: normal; background: {CARD} }}
.babygrad-pad td:nth-child(2) {{ width: 100% }}
.babygrad-pad td > div {{ height: 12px; background: {LINES[0]}; forced-color-adjust: none }}
.babygrad-pad .most :is(th, td) {{ font-weight: bold }}
.jp-OutputArea-child:has(.babygrad-pad-still):has(~ .jp-OutputArea-child .babygrad-pad) {{ display: none }}
"""
    side = traitlets.Int().tag(sync=True)
    digits = traitlets.List().tag(sync=True)
    words = traitlets.Unicode().tag(sync=True)
    drawn = traitlets.Dict(NOTHING).tag(sync=True)
    seen = traitlets.Dict().tag(sync=True)

    def __init__(self, pad):
        size, placed = f"{pad.side} × {pad.side} pixels", pad.fit.words
        words = f"What the net gets: {size}. What you draw is {placed}, as its data are."
        super().__init__(side=pad.side, digits=list(pad.samples), words=words, seen=pad.read(NOTHING))
        self.observe(lambda change: self.set_trait("seen", pad.read(change["new"])), "drawn")
