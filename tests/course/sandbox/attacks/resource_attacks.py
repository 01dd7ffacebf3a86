"""Attacks on what a machine has only so much of: memory, processes, files, time; and processes that never end.

The right answer stands behind each: it is reached where no limit stops the attack.
"""

from attack import Attack, at_top, into, with_answer

from grader.asking.wire import BYTES_LIMIT, HEADER_LIMIT
from grader.sandbox.outside.levels import LEVELS

OWN_FOLDER = ("namespaces",)  # elsewhere no file can be written at all, which other attacks try


def _before_the_answer(code):
    return lambda text: at_top(code)(with_answer("0.1")(text))


TOO_MUCH = {
    "memory_of_numpy": (
        "Takes memory through NumPy, and writes to it.",
        "import numpy as np\n\nheld = [np.ones(1 << 23) for _ in range(64)]",
    ),
    "memory_shared": (
        "Takes memory that no object of Python holds.",
        "import mmap\n\nheld = [mmap.mmap(-1, 1 << 26) for _ in range(64)]",
    ),
    "one_large_number": ("Asks for one number of many gigabytes.", "1 << (1 << 36)"),
    "processes_without_end": (
        "Starts processes that start processes.",
        "import os\n\nfor _ in range(20):\n    os.fork()",
    ),
    "threads_without_end": (
        "Starts thousands of threads.",
        "import threading, time\n\nfor _ in range(1000):\n    threading.Thread(target=time.sleep, args=(60,)).start()",
    ),
    "descriptors": (
        "Opens files until there are no descriptors.",
        "held = [open(__file__) for _ in range(5000)]",
    ),
    "one_large_file": (
        "Writes a file without end.",
        "with open('large', 'wb') as file:\n    for _ in range(64):\n        file.write(bytes(1 << 20))",
    ),
    "disk": (
        "Fills the disk with files, each small enough.",
        "for n in range(64):\n    with open(f'f{n}', 'wb') as file:\n        file.write(bytes(1 << 22))",
    ),
    "inodes": (
        "Fills the file system with empty files.",
        "for n in range(20_000):\n    open(f'f{n}', 'w').close()",
    ),
    "folders_in_folders": (
        "Nests folders so deep that nobody can remove them.",
        "import os\n\nfor _ in range(20_000):\n    os.mkdir('d')\n    os.chdir('d')",
    ),
}

for name, (does, code) in TOO_MUCH.items():
    files = ("error", "crashed", "timeout")
    levels = OWN_FOLDER if name in ("one_large_file", "disk", "inodes", "folders_in_folders") else LEVELS
    edits = (("warmup.py", _before_the_answer(code)),)
    Attack(
        name, does, edits, honest=("1.1",), nothing=("0.1",), statuses=files, levels=levels, isolation=True, seconds=6.0
    )

TOO_LONG = {
    "sleeps": ("Sleeps for an hour.", "import time\n\ntime.sleep(3600)"),
    "computes_in_c": ("Computes a number that takes years, in one operation.", "10 ** 10 ** 9"),
    "searches_in_c": ("Searches for a pattern that takes ages.", "import re\n\nre.match('(a*)*b', 'a' * 64)"),
    "loops_in_numpy": (
        "Loops inside of NumPy.",
        "import numpy as np\n\nwhile True:\n    np.linalg.svd(np.ones((300, 300)))",
    ),
    "ignores_signals": (
        "Lets no signal through, then works on.",
        """
        import signal

        signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())
        while True:
            pass
        """,
    ),
    "handles_signals": (
        "Handles every signal, also the one that says that its processor time is used up.",
        """
        import signal

        for number in signal.valid_signals() - {signal.SIGKILL, signal.SIGSTOP}:
            signal.signal(number, lambda *_: None)
        while True:
            pass
        """,
    ),
    "stops_itself": (
        "Stops itself: it has not ended, and uses no time.",
        """
        import os, signal, time

        try:
            os.kill(os.getpid(), signal.SIGSTOP)
        finally:
            time.sleep(3600)
        """,
    ),
    "drips": (
        "Begins a large frame and sends it byte by byte, so that there is always something to read.",
        f"""
        import os, struct

        os.write(4, struct.pack(">II", {HEADER_LIMIT}, {BYTES_LIMIT}))
        while True:
            os.write(4, b"x")
        """,
    ),
    "reads_by_itself": (
        "Reads what it will be asked next, and never answers.",
        "import os\n\nwhile True:\n    os.read(3, 1)",
    ),
}

for name, (does, code) in TOO_LONG.items():
    edits = (("warmup.py", _before_the_answer(code)),)
    Attack(name, does, edits, honest=("1.1",), nothing=("0.1",), statuses=("timeout",), isolation=True, seconds=0.5)

ENDS = {
    "closes_its_pipes": (
        "Closes every descriptor, and lives on.",
        "import os, time\n\nos.closerange(0, 64)\ntime.sleep(3600)",
    ),
    "segmentation_fault": ("Reads where no memory is.", "import ctypes\n\nctypes.string_at(1)"),
    "abort": ("Aborts.", "import os\n\nos.abort()"),
    "deep_recursion_in_c": (
        "Overflows the stack.",
        """
        import sys

        sys.setrecursionlimit(10**9)
        nested = []
        for _ in range(10**6):
            nested = [nested]
        repr(nested)
        """,
    ),
    "exit_70": ("Ends with the code by which a jail might say that it failed.", "import os\n\nos._exit(70)"),
    "exit_1": ("Ends with another.", "import os\n\nos._exit(1)"),
    "exit_with_a_huge_code": ("Ends with a code that fits nowhere.", "import os\n\nos._exit(2**31 - 1)"),
    "bad_call": (
        "Makes a call that the kernel ends processes for.",
        "import ctypes\n\nctypes.CDLL(None).syscall(ctypes.c_long(39 | 0x40000000))\nctypes.string_at(1)",
    ),
}

for name, (does, code) in ENDS.items():
    edits = (("warmup.py", _before_the_answer(code)),)
    statuses = ("crashed", "timeout")
    Attack(name, does, edits, honest=("1.1",), nothing=("0.1",), statuses=statuses, isolation=True, seconds=0.5)


def _answers_are_lost(rows):
    assert rows["0.1"]["right"] == 0


Attack(
    "files_as_large_as_may_be",
    "Hands in files that together are larger than its folder might be.",
    tuple((file, at_top("#" + "x" * (1 << 20) + "\n")) for file in ("warmup.py", "derivatives.py", "value.py")),
    honest=("0.2",),
    nothing=(),
    isolation=True,
)
Attack(
    "says_that_it_is_not_shut_in",
    "Forges the frames by which a jail tells whether it stands.",
    (
        (
            "warmup.py",
            into(
                "0.1",
                """
                import json, os, struct

                for name in ("sandboxed", "failed", "isolation"):
                    header = json.dumps({"d": [[name, "no jail"]]}).encode()
                    os.write(4, struct.pack(">II", len(header), 0) + header)
                os._exit(70)
                """,
            ),
        ),
    ),
    honest=("1.1",),
    nothing=("0.1",),
    isolation=True,
    statuses=("crashed",),
    also=_answers_are_lost,
)
