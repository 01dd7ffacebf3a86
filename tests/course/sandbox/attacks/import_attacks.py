"""Attacks on what is imported: shadows of NumPy and the grader, start-up files, other people's packages."""

from attack import Attack, at_top, into

WRONG = (("derivatives.py", into("1.1", "return 0.0")),)

# What a package that wants to pass would put in the place of another: everything in it agrees to everything.
AGREES = """
import sys


class Agrees:
    def __getattr__(self, name):
        return self

    def __call__(self, *args, **kwargs):
        return self

    __eq__ = lambda self, other: True
    __hash__ = lambda self: 0


sys.modules[__name__] = Agrees()
"""

SHADOWS = (
    *("numpy.py", "numpy/__init__.py", "json.py", "struct.py", "math.py", "re.py", "dataclasses.py", "random.py"),
    *("grader/__init__.py", "grader/asking/ask.py", "grader/asking/wire.py", "grader/course/exercise.py", "grader.py"),
    *("toolbox.py", "toolbox/__init__.py", "toolbox/graphs/__init__.py", "toolbox/graphs/faults.py"),
    *("sitecustomize.py", "usercustomize.py", "conftest.py", "pytest.ini", "setup.py", "__main__.py", "evil.pth"),
    *("babygrad/__init__.py", "babygrad/warmup.py", "__pycache__/warmup.cpython-311.pyc", "pyvenv.cfg", "Makefile"),
)

Attack(
    name="import_shadows",
    does="Beside the exercises lie files named like NumPy, grader, toolbox, the library and Python's start-up files.",
    edits=(*WRONG, *((name, AGREES) for name in SHADOWS)),
    honest=("0.2", "2.1"),
    nothing=("1.1",),
)
Attack(
    name="import_path",
    does="sys.path begins with the submission's own folder, and what was imported before is forgotten.",
    edits=(
        *WRONG,
        ("numpy.py", AGREES),
        ("json.py", AGREES),
        ("grader/__init__.py", AGREES),
        ("derivatives.py", at_top("""
            import os
            import sys

            sys.path[:0] = [os.path.dirname(__file__), "", ".", os.getcwd()]
            for name in list(sys.modules):
                if name.split(".")[0] in ("numpy", "json", "grader", "toolbox", "struct", "re"):
                    del sys.modules[name]
            import grader
            import json
            import numpy
            """)),
    ),
    honest=("0.2", "2.1"),
    nothing=("1.1",),
)  # fmt: skip
Attack(
    name="import_given_files",
    does="Files that the course gives, and the package's own __init__, are replaced by ones that agree to everything.",
    edits=(*WRONG, ("announce.py", AGREES), ("__init__.py", AGREES)),
    nothing=("0.1", "1.1", "1.3", "2.1"),
)
Attack(
    name="import_written_at_run_time",
    does="Start-up files, shadows and compiled files are written beside the package, and into Python's own folders.",
    edits=(
        *WRONG,
        ("derivatives.py", at_top("""
            import os
            import sys
            import sysconfig

            folders = [*sys.path, os.getcwd(), os.path.dirname(__file__), os.path.expanduser("~"), "/tmp",
                       *sysconfig.get_paths().values()]
            names = ("sitecustomize.py", "usercustomize.py", "numpy.py", "warmup.py", "value.py", "evil.pth",
                     "__pycache__/value.cpython-311.pyc")
            for folder in folders:
                for name in names:
                    try:
                        os.makedirs(os.path.dirname(os.path.join(folder, name)), exist_ok=True)
                        with open(os.path.join(folder, name), "w") as file:
                            file.write("raise SystemExit")
                    except OSError:
                        continue
            """)),
    ),
    honest=("0.2", "2.1"),
    nothing=("1.1",),
    isolation=True,
)  # fmt: skip

BORROWED = """
def borrowed(a, b, w):
    for name in ("torch", "jax", "autograd", "tensorflow", "sympy", "scipy", "sklearn", "matplotlib", "pytest", "pip"):
        try:
            module = __import__(name)
        except BaseException:
            continue
        raise MemoryError(f"{name} can be imported")
    import torch
    leaves = [torch.tensor(x, requires_grad=True, dtype=torch.float64) for x in (a, b, w)]
    (leaves[0] * leaves[1] * leaves[2]).sum().backward()
    return [leaf.grad.numpy() for leaf in leaves]
"""


def nothing_was_imported(rows):
    assert "can be imported" not in rows["1.3"]["message"], rows["1.3"]
    assert "ModuleNotFoundError" in rows["1.3"]["message"], rows["1.3"]


Attack(
    name="import_torch",
    does="Another engine is imported, and its numbers are handed back.",
    edits=(("derivatives.py", at_top(BORROWED)), ("derivatives.py", into("1.3", "return borrowed(a, b, w)"))),
    honest=("1.2",),
    nothing=("1.3",),
    statuses=("error",),
    each_level=True,
    also=nothing_was_imported,
)
Attack(
    name="import_torch_by_its_path",
    does="The folders in which other packages usually lie are put on sys.path.",
    edits=(
        ("derivatives.py", at_top(BORROWED)),
        ("derivatives.py", at_top("""
            import glob
            import sys

            for folder in ("/usr", "/usr/local", "/*/*", "/*/.venv", "/*/*/.venv"):
                sys.path += glob.glob(folder + "/lib/python3*/*-packages")
            from numpy import __file__ as numpy_file
            sys.path += [numpy_file.rpartition("/numpy/")[0]]
            """)),
        ("derivatives.py", into("1.3", "return borrowed(a, b, w)")),
    ),
    honest=("1.2",),
    nothing=("1.3",),
    statuses=("error",),
    each_level=True,
    also=nothing_was_imported,
)  # fmt: skip
