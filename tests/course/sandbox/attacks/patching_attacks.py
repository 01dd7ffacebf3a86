"""Attacks on what the grader's side of the process is made of: NumPy, Python's own names, the grader's modules.

All of them change the process of the submission only. What compares is in another.
"""

from attack import Attack, at_top, into

WRONG = (("derivatives.py", into("1.1", "return 0.0")),)

PATCHES = {
    "numpy_testing": (
        "All of NumPy's comparisons say that everything is equal.",
        """
        import numpy as np

        yes = lambda *args, **kwargs: True
        for name in dir(np.testing):
            if name.startswith("assert"):
                setattr(np.testing, name, yes)
        np.allclose = np.isclose = np.array_equal = np.array_equiv = np.all = np.equal = yes
        """,
    ),
    "numpy_itself": (
        "NumPy's ways to make and write an array are replaced.",
        """
        import numpy as np

        zeros = np.zeros
        np.array = np.asarray = np.ascontiguousarray = lambda *args, **kwargs: zeros(3)
        np.ndindex = lambda *shape: iter(())
        """,
    ),
    "builtins": (
        "isinstance, issubclass, type checks and equality of built-in functions are bent.",
        """
        import builtins

        for name in ("isinstance", "issubclass", "callable", "hasattr", "all", "any"):
            setattr(builtins, name, lambda *args: True)
        for name in ("abs", "sum", "len", "hash", "id", "repr", "max", "min", "round"):
            setattr(builtins, name, lambda *args, **kwargs: 0)
        """,
    ),
    "no_builtins": (
        "open, __import__, exec, compile and print are gone.",
        """
        import builtins

        def never(*args, **kwargs):
            raise MemoryError

        for name in ("open", "__import__", "exec", "eval", "compile", "print", "getattr", "setattr"):
            setattr(builtins, name, never)
        """,
    ),
    "float_equality": (
        "The machine code behind == of floats, ints and texts is replaced through ctypes.",
        """
        import ctypes

        SIGNATURE = ctypes.CFUNCTYPE(ctypes.py_object, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int)
        always = SIGNATURE(lambda one, other, how: True)
        address = ctypes.cast(always, ctypes.c_void_p).value
        for kind in (float, str):
            ctypes.c_void_p.from_address(id(kind) + 200).value = address
        """,
    ),
    "json": (
        "json writes what it likes.",
        """
        import json

        answers = {"r": ["Outcome", {"answers": {"d": [["returned", 12.0]]}, "printed": ""}]}
        fake = json.dumps({"d": [["exercise", "1.1"], ["probe", "a_curve_and_a_wide_nudge"], ["outcome", answers]]})
        json.dumps = json.JSONEncoder.encode = lambda *args, **kwargs: fake
        json.loads = lambda *args, **kwargs: {}
        """,
    ),
    "struct": (
        "The prefix of a frame is packed wrongly.",
        """
        import struct
        import sys

        class Prefix:
            size = 8

            def pack(self, *sizes):
                return b""

        sys.modules["grader.asking.wire"]._prefix = Prefix()
        struct.pack = struct.unpack = struct.Struct = lambda *args: Prefix()
        """,
    ),
    "modules_replaced": (
        "The grader's modules and NumPy are replaced in sys.modules by things that agree to everything.",
        """
        import sys

        class Anything:
            def __getattr__(self, name):
                return self

            def __call__(self, *args, **kwargs):
                return self

        for name in list(sys.modules):
            if name.startswith(("grader", "toolbox", "numpy")):
                sys.modules[name] = Anything()
        """,
    ),
    "asking_replaced": (
        "The functions that ask are replaced by some that know the form of an answer.",
        """
        import sys

        asking = sys.modules["grader.asking.ask"]
        asking.ask = lambda package, ex, probe, seed, **options: asking.Outcome({"returned": 12.0})
        asking.import_file = lambda package, file: None
        asking.stopped = lambda error, package, importing=False: asking.Outcome({"returned": 12.0})
        """,
    ),
    "probes_replaced": (
        "The questions are replaced by ones that ask for nothing.",
        """
        import sys

        questions = sys.modules["grader.course.questions"]
        for probes in questions._registered.values():
            for probe in probes:
                object.__setattr__(probe, "function", lambda package, rng: {})
                object.__setattr__(probe, "compare", lambda expected, got: None)
            del probes[1:]
        """,
    ),
    "comparisons_replaced": (
        "A compare.py of its own stands where the grader's does, and says that all is the same.",
        """
        import sys
        from types import ModuleType

        compare = ModuleType("grader.marking.compare")
        compare.same = lambda *args, **kwargs: True
        compare.difference = lambda *args, **kwargs: None
        compare.RTOL = compare.ATOL = float("inf")
        sys.modules["grader.marking"] = sys.modules["grader.marking.compare"] = compare
        for questions in [m for name, m in sys.modules.items() if name.endswith(".questions")]:
            questions.difference = compare.difference
            questions.COMPARISONS = {}
        """,
    ),
    "encoder": (
        "The encoder sends an object that claims to have raised every exception there is.",
        """
        from grader.asking import encoding, wire

        real = encoding.encode
        names = ["ValueError", "TypeError", "RuntimeError", "KeyError", "Exception", "GradcheckError"]
        raised = {"type": "ValueError", "bases": names, "message": "", "naming": "", "names_it": True}

        def encode(x, store):
            return {"r": ["Raised", raised]} if type(x) is float else real(x, store)

        encoding.encode = wire.encode = encode
        """,
    ),
    "importlib": (
        "import_module hands out the same module for every name.",
        """
        import importlib
        import sys

        importlib.import_module = lambda *args, **kwargs: sys.modules[__name__]
        sys.modules["grader.asking.ask"].import_module = importlib.import_module
        """,
    ),
    "pickle_and_copy": (
        "Objects with __reduce__ wait for somebody who pickles or copies them.",
        """
        import copyreg

        class Reduced(float):
            def __reduce_ex__(self, protocol):
                return eval, ("__import__('os')._exit(0)",)

        copyreg.pickle(Reduced, lambda x: (eval, ("12.0",)))
        """,
    ),
    "the_file_rewrites_itself": (
        "The file executes a copy of itself in which no exercise is a stub, and hides its own name.",
        """
        import pathlib

        source = pathlib.Path(__file__).read_text().partition("# the end of it")[2]
        exec(source.replace("raise NotImplementedError", "return"))
        # the end of it
        """,
    ),
}

for name, (does, code) in PATCHES.items():
    Attack(
        name=f"patched_{name}",
        does=does,
        edits=(*WRONG, ("derivatives.py", at_top(code))),
        honest=("0.2", "2.1"),
        nothing=("1.1",),
    )

Attack(
    name="patched_beside_an_honest_answer",
    does="In one file an honest answer stands above an attack on NumPy, made when its own exercise is asked.",
    edits=(("derivatives.py", into("1.3", "np.zeros = np.ones = np.array = None\nreturn a, b")),),
    honest=("1.2", "1.4"),
    nothing=("1.3",),
)
Attack(
    name="patched_before_the_honest_file",
    does="The first exercise that is asked breaks NumPy for all that come later.",
    edits=(
        ("warmup.py", into("0.1", "import numpy as np\nnp.array = np.zeros = np.asarray = None\nreturn -1")),
        ("warmup.py", into("0.2", "import sys\nsys.modules['numpy'] = None\nreturn ()")),
    ),
    honest=("1.2", "1.3", "2.1", "10.1"),
    nothing=("0.1", "0.2"),
)
