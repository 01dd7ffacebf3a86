"""Which babygrad is imported: what PYTHONPATH says, and otherwise the learner's, which lies beside this file.

Two things would get in the way. `python -m pytest` puts the current folder before PYTHONPATH. And a relative
entry means another folder to the kernel of a notebook, which runs in notebooks/. So the entries are made
absolute, for the kernels too, and put first again; the course's own folder comes after them, before anything
that is installed.
"""

import os
import sys

ROOT = os.path.dirname(os.path.abspath(__file__))

entries = [os.path.abspath(entry) for entry in os.environ.get("PYTHONPATH", "").split(os.pathsep) if entry]
first = list(dict.fromkeys([*entries, ROOT]))
os.environ["PYTHONPATH"] = os.pathsep.join(first)
sys.path[:] = first + [entry for entry in sys.path if entry not in first]
