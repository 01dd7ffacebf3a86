"""What a shut-in process can see of the file system: Python, NumPy and the probes, to be read."""

import os
import sys

from . import kernel


def python_folders():
    """Python's own library, and where its compiled modules are if that is elsewhere."""
    compiled = [path for path in sys.path if path.endswith("lib-dynload") and os.path.isdir(path)]
    folders = sorted({os.path.realpath(path) for path in (os.path.dirname(os.__file__), *compiled)})
    return [path for path in folders if not any(path.startswith(other + os.sep) for other in folders)]


def numpy_folders():
    """NumPy, and the libraries that came with it."""
    from importlib.util import find_spec

    folder = os.path.dirname(os.path.realpath(find_spec("numpy").origin))
    return [path for path in (folder, folder + ".libs") if os.path.isdir(path)]


def build(folders, work):
    """Make a root in which these folders can be read, each at its own path, and an empty folder `work`.

    Python's packages beneath them are covered. Needs the right to mount.
    """
    kernel.mount(None, "/", flags=kernel.MS_REC | kernel.MS_PRIVATE)
    os.umask(0o022)
    _stand_aside()
    kernel.mount("root", "/new", "tmpfs", kernel.MS_NOSUID | kernel.MS_NODEV, "size=1m,mode=755")
    for folder in folders:
        os.makedirs("/new" + folder, exist_ok=True)
        kernel.bind("/old" + folder, "/new" + folder)
        for covered in packages_within("/new" + folder):
            kernel.mount("nothing", covered, "tmpfs", kernel.MS_RDONLY, "size=4k,mode=755")
    _show_nothing("/new/dev/null")
    os.makedirs("/new" + work)
    kernel.new_root("/new")
    kernel.mount(None, "/", flags=kernel.MS_REMOUNT | kernel.MS_RDONLY | kernel.MS_NOSUID | kernel.MS_NODEV)


def _stand_aside():
    """Make a root with nothing but /old, where the old one is, and /new: there any path can be built."""
    stage = "/tmp"
    kernel.mount("stage", stage, "tmpfs", kernel.MS_NOSUID | kernel.MS_NODEV, "size=1m,mode=755")
    os.mkdir(stage + "/old")
    os.mkdir(stage + "/new")
    kernel.swap_root(stage, stage + "/old")


def _show_nothing(path):
    """A /dev/null, which code that prints may need."""
    os.makedirs(os.path.dirname(path), exist_ok=True)
    os.close(os.open(path, os.O_CREAT | os.O_WRONLY, 0o666))
    kernel.mount("/old/dev/null", path, flags=kernel.MS_BIND)


def packages_within(folder):
    """Folders of other packages inside Python's own library."""
    return [path for name in ("site-packages", "dist-packages") if os.path.isdir(path := os.path.join(folder, name))]


def without_packages(folder):
    """What is in a folder except for other packages: Landlock can allow paths, not forbid them."""
    covered = packages_within(folder)
    if not covered:
        return [folder]
    return [path for name in os.listdir(folder) if (path := os.path.join(folder, name)) not in covered]
