"""Attacks on the running interpreter: its end, its hooks, its frames, its threads, its memory."""

from attack import Attack, at_end, at_top, into, with_answer

WRONG = (("derivatives.py", into("1.1", "return 0.0")),)
SLOW = 0.5  # seconds: these use up whatever they are given

AT_IMPORT = {
    "sys_exit": ("The file leaves by sys.exit.", "import sys\nsys.exit(0)"),
    "os_exit": ("The file leaves by os._exit, as if all were well.", "import os\nos._exit(0)"),
    "exit_as_if_not_shut_in": ("The file ends with the number of a jail that failed.", "import os\nos._exit(70)"),
    "abort": ("The file aborts.", "import os\nos.abort()"),
    "segfault": ("The file reads at address 0.", "import ctypes\nctypes.string_at(0)"),
    "keyboard_interrupt": ("The file raises what Ctrl-C raises.", "raise KeyboardInterrupt"),
    "own_base_exception": (
        "The file raises an exception that is no Exception, and that complains when it is printed.",
        """
        class Mine(BaseException):
            def __str__(self):
                raise self

            __repr__ = __str__

        raise Mine
        """,
    ),
    "atexit": (
        "Functions for the end of the process want to have the last word.",
        """
        import atexit
        import sys
        import threading

        def last_words():
            from grader.asking import wire
            wire.write_frame(open(4, "wb", closefd=False), {"done": True})

        atexit.register(last_words)
        threading._register_atexit(last_words)
        sys.exitfunc = sys.excepthook = sys.unraisablehook = threading.excepthook = last_words
        """,
    ),
    "settrace": (
        "Every line of the grader's code is traced, and its local names are overwritten.",
        """
        import ctypes
        import sys

        def trace(frame, event, arg):
            if "asked" in frame.f_code.co_name or frame.f_code.co_filename.endswith("ask.py"):
                for name in ("answers", "outcome", "broken", "returned"):
                    if name in frame.f_locals:
                        frame.f_locals[name] = {"returned": 12.0}
                        ctypes.pythonapi.PyFrame_LocalsToFast(ctypes.py_object(frame), 0)
            return trace

        sys.settrace(trace)
        sys._getframe().f_back.f_trace = trace
        """,
    ),
    "setprofile": (
        "Every call is reported to a function that raises now and then.",
        """
        import sys
        import threading

        def profile(frame, event, arg):
            if event == "return" and frame.f_code.co_name == "ask":
                raise SystemExit

        sys.setprofile(profile)
        threading.setprofile(profile)
        """,
    ),
    "audit_hook": (
        "A hook that cannot be removed forbids every open, import and compile from now on.",
        """
        import sys

        def hook(event, args):
            if event in ("open", "import", "compile", "exec", "object.__getattr__", "sys._getframe"):
                raise RuntimeError("forbidden")

        sys.addaudithook(hook)
        """,
    ),
    "import_hooks": (
        "Finders and path hooks put a module of their own in the place of every other.",
        """
        import sys
        import types

        class Finder:
            @staticmethod
            def find_spec(name, path=None, target=None):
                sys.modules[name] = module = types.ModuleType(name)
                module.__getattr__ = lambda attribute: lambda *args, **kwargs: 12.0
                raise ImportError if name.startswith("_") else SystemExit

        sys.meta_path[:] = [Finder]
        sys.path_hooks[:] = []
        sys.path_importer_cache.clear()
        sys.path[:] = []
        """,
    ),
    "streams": (
        "The streams that the process prints to are replaced by ones that raise, and by none.",
        """
        import sys

        class Raising:
            def __getattr__(self, name):
                raise SystemExit

        sys.stdout = sys.__stdout__ = Raising()
        sys.stderr = sys.__stderr__ = sys.stdin = None
        """,
    ),
    "warnings_and_errstate": (
        "All warnings become errors, in Python and in NumPy.",
        """
        import warnings

        import numpy as np

        warnings.simplefilter("error")
        np.seterr(all="raise")
        np.seterrcall(lambda *args: exit())
        """,
    ),
    "threads": (
        "Threads change every dict and list that they can find while others work.",
        """
        import gc
        import threading

        def meddle():
            while True:
                for x in gc.get_objects():
                    if type(x) is dict and "returned" in x:
                        x["returned"] = 12.0

        for _ in range(3):
            threading.Thread(target=meddle, daemon=True).start()
        """,
    ),
    "interrupts_from_a_thread": (
        "A thread interrupts the main one again and again.",
        """
        import _thread
        import threading

        def interrupt():
            while True:
                _thread.interrupt_main()

        threading.Thread(target=interrupt, daemon=True).start()
        """,
    ),
    "signals": (
        "Handlers for all signals, and an alarm clock that rings all the time.",
        """
        import signal

        for number in range(1, 65):
            try:
                signal.signal(number, lambda *args: exit())
            except (OSError, ValueError):
                continue
        try:
            signal.setitimer(signal.ITIMER_REAL, 0.001, 0.001)
        except OSError:
            pass
        signal.raise_signal(signal.SIGUSR1)
        """,
    ),
    "collected_objects": (
        "Every object of the grader's that the collector knows is searched for and changed.",
        """
        import gc

        for x in gc.get_objects():
            kind = type(x).__name__
            if kind == "Probe":
                object.__setattr__(x, "function", lambda package, rng: {"returned": 12.01})
            elif kind == "Questions":
                x.file = "warmup.py"
            elif kind == "dict" and "questions" in x:
                x["questions"] = []
            elif kind == "module" and x.__name__.startswith(("grader", "toolbox")):
                vars(x).setdefault("RTOL", float("inf"))
        """,
    ),
    "finalizers": (
        "Objects whose __del__ writes, and a callback of the collector that never lets go.",
        """
        import gc

        class Undead:
            def __del__(self):
                Undead()
                raise SystemExit

        one = Undead()
        one.self = one
        del one
        gc.callbacks.append(lambda phase, info: exit())
        gc.collect()
        gc.set_threshold(1, 1, 1)
        gc.freeze()
        """,
    ),
    "recursion": (
        "The limit of recursion is a billion, and a function calls itself until the stack ends.",
        """
        import sys

        sys.setrecursionlimit(10**9)

        def deeper(n):
            return deeper(n + 1) + sorted([n], key=deeper)[0]

        deeper(0)
        """,
    ),
    "low_recursion": (
        "The limit of recursion is so low that nothing can be called.",
        """
        import sys

        def lowest():
            for limit in range(1, 100):
                try:
                    sys.setrecursionlimit(limit)
                    return
                except RecursionError:
                    continue

        lowest()
        """,
    ),
    "deep_parentheses": (
        "A source text that takes the compiler to its limits.",
        """
        try:
            compile("(" * 5000 + ")" * 5000, "x", "exec")
        except (SyntaxError, MemoryError, RecursionError):
            pass
        import ast
        ast.literal_eval("-" * 100_000 + "1")
        """,
    ),
    "switch_interval": (
        "Threads never give way, and one of them works forever in C.",
        """
        import sys
        import threading

        sys.setswitchinterval(10**6)
        threading.Thread(target=lambda: pow(3, 10**9), daemon=True).start()
        """,
    ),
    "frozen_types": (
        "The grader's classes for answers are changed: fields, annotations, constructors.",
        """
        from grader.asking import encoding, wire

        for cls in encoding.CLASSES:
            cls.__dataclass_fields__.clear()
            cls.__init__ = lambda self, *args, **kwargs: None
            cls.__name__ = "Outcome"
        encoding.CLASSES = wire._SENT = ()
        """,
    ),
    "debugger": (
        "The file stops in a debugger, and waits for somebody to type.",
        "breakpoint()\ninput()",
    ),
    "fault_handler": (
        "Python's own watchdog is told to end the process a moment later, and at every fault.",
        """
        import faulthandler
        import time

        try:
            faulthandler.dump_traceback_later(0.05, exit=True, file=4)
            time.sleep(0.2)
        except (OSError, ValueError, RuntimeError):
            pass
        """,
    ),
}  # fmt: skip

SPINNING = ("threads", "interrupts_from_a_thread", "switch_interval", "recursion", "finalizers")

for name, (does, code) in AT_IMPORT.items():
    Attack(
        name=f"interpreter_{name}",
        does=does,
        edits=(*WRONG, ("derivatives.py", at_top(code))),
        honest=("0.2", "2.1"),
        nothing=("1.1",),
        isolation=True,
        seconds=SLOW if name in SPINNING else 1.0,
    )

WHEN_ASKED = {
    "exits_when_called": ("The process is ended when the exercise is asked.", "import os\nos._exit(0)", ("crashed",)),
    "leaves_when_called": ("sys.exit is called when the exercise is asked.", "exit(0)", ("error",)),
    "memory": (
        "Lists grow until there is no memory.",
        "hoard = [bytearray(1 << 26) for _ in range(1 << 20)]",
        None,
    ),
    "memory_in_small_pieces": (
        "A dict and an int grow until there is no memory.",
        """
        hoard = {}
        try:
            while True:
                hoard[len(hoard)] = bytearray(1 << 20)
        except MemoryError:
            return hoard
        """,
        None,
    ),
    "prints_gigabytes": (
        "Gigabytes are printed, and written to the streams themselves.",
        """
        import os
        import sys

        for _ in range(1 << 12):
            print("<script>" * (1 << 16))
            sys.stderr.write("x" * (1 << 19))
        os.write(1, b"x" * (1 << 20))
        os.write(2, b"x" * (1 << 20))
        """,
        None,
    ),
    "walks_the_frames": (
        "The frames of the callers are walked, and every name in them is read and overwritten.",
        """
        import ctypes
        import sys

        frame = sys._getframe()
        while frame := frame.f_back:
            for name, x in list(frame.f_locals.items()):
                if type(x) is dict and name not in ("sys", "modules"):
                    x["returned"] = x.get("expected", x.get("right", 12.0))
                if name in ("answers", "outcome", "rng", "broken"):
                    frame.f_locals[name] = {"returned": 12.0}
            ctypes.pythonapi.PyFrame_LocalsToFast(ctypes.py_object(frame), 0)
        return 12.0
        """,
        None,
    ),
    "reads_the_question": (
        "The source of the question is read, and its asked form is handed back.",
        """
        import inspect

        source = inspect.getsource(sys._getframe(1)) if "sys" in globals() else str(inspect.stack())
        return eval(source.partition("returned")[2][:0] or "12.0")
        """,
        None,
    ),
    "spins": ("A loop in Python without an end.", "while True:\n    pass", ("timeout",)),
    "sleeps": ("It sleeps for an hour.", "import time\ntime.sleep(3600)", ("timeout",)),
    "spins_in_c": ("A power that takes hours in C.", "return float(pow(7, 10**9))", ("timeout",)),
    "waits_for_itself": (
        "A lock that nobody opens.",
        "import threading\nlock = threading.Lock()\nwith lock, lock:\n    pass",
        ("timeout",),
    ),
    "catches_everything": (
        "Whatever ends it is caught, and it goes on.",
        """
        while True:
            try:
                while True:
                    pass
            except BaseException:
                continue
            finally:
                continue
        """,
        ("timeout",),
    ),
}

for name, (does, code, statuses) in WHEN_ASKED.items():
    Attack(
        name=f"interpreter_{name}",
        does=does,
        edits=(("derivatives.py", into("1.1", code)),),
        honest=("0.2", "1.2", "2.1"),
        nothing=("1.1",),
        statuses=statuses,
        isolation=True,
        seconds=SLOW,
    )

Attack(
    name="interpreter_the_end_of_the_file",
    does="All answers are right, but the file ends the process in its last line.",
    edits=(
        ("warmup.py", with_answer("0.1")),
        ("warmup.py", with_answer("0.2")),
        ("warmup.py", at_end("import os\nos._exit(0)")),
    ),
    honest=("1.1", "2.1"),
    nothing=("0.1", "0.2"),
    statuses=("crashed",),
)
Attack(
    name="interpreter_a_file_in_pieces",
    does="Files that are no text, no Python, empty, full of zeros, or in another encoding.",
    edits=(
        ("warmup.py", b"\x00" * 1000),
        ("derivatives.py", "# -*- coding: rot13 -*-\nvzcbeg bf\n"),
        ("scalar_nn.py", "\ufeff" + "((" * 200),
        ("ops/shape.py", b"\xff\xfe\x80"),
        ("layers.py", ""),
        ("optim.py", "x = " + "-" * 100_000 + "1"),
    ),
    honest=("2.1",),
    nothing=("0.1", "1.1", "4.1", "7.1", "10.1", "12.1"),
)
