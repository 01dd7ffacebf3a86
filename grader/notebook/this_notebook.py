"""Which copy of the course a notebook belongs to: the one it lies in. One environment may serve several copies."""

import os
import sys
from importlib.util import find_spec
from pathlib import Path

from ..course.commands import typed
from ..course.paths import LEARNER, REFERENCE, ROOT, package_folder

RESTART = "Restart the kernel (menu Kernel, Restart), and run the first cell of the notebook before any other."
package = None  # the folder that holds the babygrad of this notebook, once its first cell has run


def open_course(course):
    """Make the babygrad of a course, the folder above the notebook, the one that is imported.

    Returns a sentence that says why that cannot be; empty if it went well.
    """
    global package
    refusal = _another_grader(course) or _missing_packages()
    if refusal:
        return refusal
    package = _package_of(course)
    sys.path.insert(0, str(package))
    return what_is_imported_elsewhere()


def what_is_imported_elsewhere():
    """Empty, or a sentence: the babygrad of this kernel is not the one of this notebook."""
    expected = package_folder(package)
    loaded = sys.modules.get("babygrad")
    spec = loaded.__spec__ if loaded else find_spec("babygrad")
    found = [Path(folder).resolve() for folder in (spec.submodule_search_locations if spec else ())]
    if expected.resolve() in found:
        return ""
    if not expected.is_dir():
        return f"There is no folder {expected}, which belongs to the course."
    return f"This kernel has imported babygrad from {found[0]}, but this notebook's is {expected}. {RESTART}"


def _package_of(course):
    """BABYGRAD_PACKAGE names another one, for a notebook that is run on it (nbcheck, the recorded outputs)."""
    return Path(os.environ.get("BABYGRAD_PACKAGE") or course)


def _another_grader(course):
    if "BABYGRAD_PACKAGE" in os.environ or Path(course).resolve() in (LEARNER, REFERENCE):
        return ""
    if (Path(course) / "grader").is_dir():
        return f"This notebook belongs to the course {course}, but this kernel has loaded the one in {ROOT}. {RESTART}"
    return f"There is no course in {course}: open the notebook in your copy of the course."


def _missing_packages():
    missing = [name for name in ("numpy", "matplotlib") if not find_spec(name)]
    return f"This kernel ({sys.executable}) has no {missing[0]}. Start with: {typed('make lab')}" if missing else ""
