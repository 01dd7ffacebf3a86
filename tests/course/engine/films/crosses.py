"""What a film shows of the points that lie wrong."""

import re


def crosses_shown(film, prefix=""):
    """For each frame the number of crosses that are to be seen."""
    drawn = re.findall(rf'<path data-key="({re.escape(prefix)}x\d+)" d="([^"]*)"/>', film.picture)
    shown = {}
    for frame in film.frames:
        shown |= frame.texts
        yield sum(path.count("M") for key, path in drawn if shown[key])
