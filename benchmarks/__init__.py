"""Speed, measured side by side in one run: ratios, since machines differ and are noisy.

`import babygrad` means the reference here, and the toolbox works on it.
"""

import sys

from grader.course.packages import load_package
from grader.course.paths import REFERENCE

if "babygrad" not in sys.modules:
    load_package(REFERENCE)
