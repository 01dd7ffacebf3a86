"""reveal.js, which shows the slides: copied from npm's packages beside them, so that they need no network."""

import json
import shutil

from ..course.atomic import write_atomically
from ..web import npm

NAME = "reveal.js"  # the package, and the folder beside the slides
THEMES = {"white": "light", "black": "dark"}  # those that fetch no fonts; JupyterLab's beside it
NEEDED = (
    "LICENSE",
    "dist/reveal.css",
    "dist/reveal.js",
    *(f"dist/theme/{theme}.css" for theme in THEMES),
    "dist/theme/fonts/source-sans-pro",
    "plugin/notes/notes.js",
    "plugin/notes/speaker-view.html",
    "package.json",
)


def put_beside(folder):
    """Copy what the slides need into a folder, if it is not there. Raises UsageError if npm is missing or fails."""
    package = npm.node_modules() / NAME
    if _version(package) == _version(folder / NAME):
        return
    for path in NEEDED:  # package.json last: when it is there, all is
        _copy(package / path, folder / NAME / path)


def _version(package):
    try:
        return json.loads((package / "package.json").read_text(encoding="utf-8"))["version"]
    except (OSError, ValueError, KeyError):
        return None


def _copy(source, target):
    target.parent.mkdir(parents=True, exist_ok=True)
    if source.is_dir():
        shutil.copytree(source, target, dirs_exist_ok=True)
    elif source.name == "reveal.css":
        write_atomically(target, for_players(source.read_text(encoding="utf-8")))
    else:
        shutil.copy(source, target)


def for_players(css):
    """reveal.js's style for its own buttons, which lie at the top, and not for those of a player on a slide."""
    return css.replace(".reveal .controls", ".reveal > .controls")
