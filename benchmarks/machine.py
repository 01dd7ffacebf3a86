"""What a measurement was made on."""

import os
import platform
import sys


def line():
    """Processor count, system and versions, in one line."""
    import numpy

    python = ".".join(map(str, sys.version_info[:3]))
    system = f"{platform.system()} {platform.machine()}"
    return f"{os.cpu_count()} processors, {system}, Python {python}, NumPy {numpy.__version__}"
