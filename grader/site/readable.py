"""Drawings on a small screen: none becomes so small that its words cannot be read. Its box is scrolled sideways."""

import base64
import re
from math import ceil

LEAST = 10  # pixels: the smallest letters
DRAWN = r'max-width: 100%; height: auto" src="data:image/svg\+xml;base64,(?P<svg>[^"]+)"'
GRAPH = re.compile(f'style="(?={DRAWN})')
# A script puts the picture in the image's place.
PLAYED = re.compile(f'<div class="picture"(?=><img [^>]*?style="{DRAWN})')


def readable(html):
    """The HTML of an output, its drawings with the width that they need."""
    played = PLAYED.sub(lambda found: f'{found[0]} style="--readable: {least(found["svg"])}px"', html)
    return GRAPH.sub(lambda found: f'style="min-width: {least(found["svg"])}px; ', played)


def least(data):
    """The width at which the smallest letters of an SVG can be read, and never more than its own; 0 without letters.

    data: the SVG, in base 64.
    """
    svg = base64.b64decode(data).decode()
    letters = [float(size) for size in re.findall(r'font-size[=:] ?"?([\d.]+)', svg)]
    if not letters:
        return 0
    own = float(re.search(r'<svg\b[^>]*?\bwidth="([\d.]+)', svg)[1])
    units = float(re.search(r'viewBox="[\d.-]+ [\d.-]+ ([\d.]+)', svg)[1])
    return ceil(min(own, units * LEAST / min(letters)))
