"""python -m grader lab: JupyterLab as a layout, the notebook on the left and the file that it asks for on the right.

Each notebook has a layout of its own, a JupyterLab workspace in .babygrad/layouts; it stays as the learner leaves it.
At each start the notebook and the file are shown, with the cursor in the exercise that is next: layout/ has the small
extension that does it, and turns off the news. The learner's own Jupyter settings hold, and are not changed.
"""

import json
import os
import subprocess
import sys
import time
from pathlib import Path

from ..course import catalogue, regions
from ..course.paths import LEARNER, MEMORY, NOTEBOOKS, ROOT, package_folder
from ..course.tracks import TRACKS
from ..course.usage import UsageError
from . import memory

EXTENSION = Path(__file__).parent / "layout"
NAME = "babygrad-layout"  # of the extension, and of what it reads in a workspace


def add_arguments(parser):
    parser.add_argument("notebook", nargs="?", metavar="NB", help="a notebook (02); default: the one where you are")
    parser.add_argument("--no-browser", action="store_true", help="print the address instead of opening it")


def run(arguments):
    ex = next_exercise(arguments.notebook)
    notebook = catalogue.notebook(arguments.notebook or (ex.notebook if ex else catalogue.numbers()[0]))
    return open_lab(notebook, ex, browser=not arguments.no_browser)


def open_lab(notebook, ex, browser=True):
    """Run JupyterLab on the layout of a Notebook until it is closed.  ex: the Exercise that is next, or None.

    browser: open one.  Returns the exit code of JupyterLab.  Raises UsageError.
    """
    command = [sys.executable, "-m", "jupyterlab", f"--ServerApp.root_dir={ROOT}", *_as_root()]
    try:
        layouts = set_up(notebook, ex)
        command += [f"--LabApp.workspaces_dir={layouts}", f"--LabApp.default_url=/lab/workspaces/{notebook.number}"]
    except OSError:  # a folder that cannot be written in
        command.append(path_of(notebook))
    if not browser:
        command.append("--no-browser")
    return subprocess.call(command, cwd=ROOT, env=environment())


def environment():
    """For JupyterLab: its data are also looked for in layout/.

    Kernels inherit PYTHONPATH: this copy of the course, also where two copies share an environment.
    """
    path = os.pathsep.join(filter(None, [str(EXTENSION), os.environ.get("JUPYTER_PATH")]))
    return {**os.environ, "PYTHONPATH": str(ROOT), "JUPYTER_PATH": path}


def _as_root():
    """JupyterLab refuses to run as root unless told, as in a container."""
    return ["--allow-root"] if hasattr(os, "geteuid") and os.geteuid() == 0 else []


# ------------------------------------------------------------------ where the learner is


def next_exercise(number=None):
    """The first Exercise that is not done, of this notebook if one is named, those on the track first; or None.

    Nothing is checked: nothing is written in it, or it failed when it was last checked.
    """
    exercises = catalogue.exercises_of(catalogue.notebook(number).number) if number else catalogue.all_exercises()
    on_the_track = TRACKS[memory.track()]
    return next(filter(_is_open, sorted(exercises, key=lambda ex: ex.track not in on_the_track)), None)


def _is_open(ex):
    folder = package_folder(LEARNER)
    return (regions.states(folder / ex.file) or {}).get(ex.id) == "untouched" or memory.failed(ex.id, folder)


# ------------------------------------------------------------------ the layout


def set_up(notebook, ex):
    """Write the workspace of a notebook, or into the one that is there what is next.

    Returns the folder of all layouts.  Raises OSError.
    """
    from jupyterlab_server.workspaces_handler import WorkspacesManager

    layouts = WorkspacesManager(str(MEMORY / "layouts"))
    shown = {
        "start": str(time.time_ns()),
        "notebook": path_of(notebook),
        "file": f"babygrad/{ex.file if ex else notebook.files[0]}",
        "exercise": ex.id if ex else "",
    }
    workspace = {
        "data": {**(_kept(layouts, notebook.number) or arrangement(notebook)), NAME: shown},
        "metadata": {"id": notebook.number},
    }
    layouts.save(notebook.number, json.dumps(workspace))
    return layouts.workspaces_dir


def _kept(layouts, name):
    """The data of the workspace of this name, as JupyterLab left them; {} if there are none that can be read."""
    try:
        return dict(layouts.load(name)["data"])
    except (ValueError, KeyError, TypeError):
        return {}


def arrangement(notebook):
    """The data of a workspace: the notebook on the left, its files on the right, a tab each."""
    left, files = f"notebook:{path_of(notebook)}", [f"editor:babygrad/{file}" for file in notebook.files]
    panes = [{"type": "tab-area", "currentIndex": 0, "widgets": tabs} for tabs in ([left], files)]
    dock = {"type": "split-area", "orientation": "horizontal", "sizes": [0.58, 0.42], "children": panes}
    side = {"collapsed": True, "visible": True, "current": None, "widgets": []}
    layout = {"main": {"dock": dock, "current": left}, "left": side, "right": side}
    tabs = {tab: {"data": {"path": tab.partition(":")[2], "factory": "Editor"}} for tab in files}
    tabs[left] = {"data": {"path": path_of(notebook), "factory": "Notebook"}}
    return {"layout-restorer:data": layout, **tabs}


def path_of(notebook):
    """The path of a Notebook's file in the course.  Raises UsageError if it is not there."""
    path = NOTEBOOKS / f"{notebook.name}.ipynb"
    if not path.is_file():
        raise UsageError(f"There is no {path.relative_to(ROOT)}.")
    return path.relative_to(ROOT).as_posix()
