"""Answers that are no plain values: objects that are equal to everything, or that act when they are looked at."""

from attack import Attack, into

OBJECTS = {
    "equal_to_everything": (
        "An object that is equal to everything, and less, and more.",
        """
        class Anything:
            __eq__ = __ne__ = __lt__ = __le__ = __gt__ = __ge__ = lambda self, other: True
            __hash__ = lambda self: 0
            __bool__ = lambda self: True

        return Anything()
        """,
    ),
    "claims_to_be_a_float": (
        "An object whose __class__ says float, with the methods of one.",
        """
        class Claims:
            __class__ = property(lambda self: float)
            __float__ = lambda self: 12.0
            __getattr__ = lambda self, name: lambda *args, **kwargs: 12.0
            __repr__ = lambda self: "12.0"

        return Claims()
        """,
    ),
    "array_protocol": (
        "An object that NumPy takes for an array, of whatever is needed.",
        """
        class Arrays:
            dtype, shape, ndim, size, nbytes = np.dtype(float), (), 0, 1, 8
            __array__ = lambda self, *args, **kwargs: np.full((), 12.0)
            __array_function__ = lambda self, function, types, args, kwargs: True
            __array_ufunc__ = lambda self, *args, **kwargs: True
            __array_priority__ = 1e9
            __eq__ = lambda self, other: True

        return Arrays()
        """,
    ),
    "array_subclass": (
        "A subclass of ndarray that is equal to everything, and changes its bytes and its dtype when it is read.",
        """
        class Lying(np.ndarray):
            __eq__ = __ne__ = lambda self, other: np.True_
            __array_function__ = lambda self, function, types, args, kwargs: np.True_
            __array_ufunc__ = lambda self, *args, **kwargs: np.True_
            __array_finalize__ = lambda self, other: None
            tobytes = lambda self, *args: b"\\0" * 10**6
            item = lambda self: 12.0
            dtype = property(lambda self: np.dtype("f8"))
            shape = property(lambda self: (10**9, 10**9))
            nbytes = property(lambda self: -1)

        return np.zeros((2, 2)).view(Lying)
        """,
    ),
    "number_subclass": (
        "A float whose comparisons, conversion and repr lie.",
        """
        class Number(float):
            __eq__ = __lt__ = __gt__ = lambda self, other: True
            __abs__ = __sub__ = __rsub__ = lambda self, *other: 0.0
            __float__ = lambda self: exit()
            __repr__ = lambda self: "NaN, \\"v\\": 12.0"
            __hash__ = float.__hash__

        return Number(3.0)
        """,
    ),
    "dict_subclass": (
        "A dict that has every key.",
        """
        class Full(dict):
            __contains__ = lambda self, name: True
            __missing__ = __getitem__ = lambda self, name: 12.0
            items = lambda self: iter([("returned", 12.0)] * 10)

        return Full(returned=12.0)
        """,
    ),
    "huge_repr": (
        "An object whose repr is 32 megabytes.",
        """
        class Huge:
            __repr__ = lambda self: "<script>" * (1 << 22)

        return Huge()
        """,
    ),
    "repr_that_ends_it": (
        "An object whose repr ends the process politely, and whose type has no name.",
        """
        def __repr__(self):
            raise SystemExit(0)

        return type("", (), {"__repr__": __repr__})()
        """,
    ),
    "endless": (
        "A list that holds itself, in a dict that holds both.",
        """
        endless = [1.0]
        endless.append(endless)
        endless.append({"again": endless})
        return endless
        """,
    ),
    "deep": (
        "A list in a list in a list, a hundred thousand times.",
        """
        deep = []
        for _ in range(100_000):
            deep = [deep]
        return deep
        """,
    ),
    "unhashable_names": (
        "A dict with names that are no texts, and a text of ten megabytes.",
        """
        return {(): 1.0, None: 2.0, 12.0: {"r": ["Outcome", {}]}, "x" * 10**7: "y" * 10**7}
        """,
    ),
    "huge_number": (
        "An int with a hundred thousand digits.",
        """
        return 10**100_000
        """,
    ),
    "huge_array": (
        "An array of a terabyte that takes no memory.",
        """
        return np.broadcast_to(12.0, (1 << 20, 1 << 17))
        """,
    ),
    "object_array": (
        "Arrays of objects, of texts, of dates, of complex and of overlong numbers.",
        """
        return [np.array([object()]), np.array(["12.0"]), np.array(["2020-01-01"], "M8[D]"), np.array([12j]),
                np.array([12.0], np.longdouble), np.zeros(3, [("returned", float)]), np.ma.masked]
        """,
    ),
    "records_of_the_wire": (
        "Instances of the classes that the grader itself sends, filled oddly.",
        """
        from grader.asking.answers import DidNotRaise, Form, Raised
        from grader.asking.outcome import Other, Outcome, Stopped

        odd = Raised(None, [1], {}, 3.0, "yes")
        return Outcome({"returned": [Other("", ""), Form(3), DidNotRaise(odd), Stopped(1, 2)]})
        """,
    ),
    "exception_with_evil_text": (
        "An exception whose __str__ raises another, with a type that lies about its name and its bases.",
        """
        class Meta(type):
            __name__ = property(lambda cls: exit())

        class Evil(Exception, metaclass=Meta):
            def __str__(self):
                raise SystemExit(0)

            __repr__ = __str__
            __traceback__ = property(lambda self: 12.0)

        raise Evil
        """,
    ),
    "exception_with_html": (
        "An exception with a megabyte of HTML and control characters.",
        """
        raise ValueError("<script>alert(1)</script>\\x1b[2J\\0\\u202e" * 30_000)
        """,
    ),
    "exception_that_claims_a_stub": (
        "An exception that says it comes from an exercise that does not exist.",
        """
        raise NotImplementedError("exercise " + "9" * 5000 + ".1: ")
        """,
    ),
    "exception_group": (
        "A nested group of exceptions in a chain without an end.",
        """
        error = ValueError("inner")
        for _ in range(200):
            error = ExceptionGroup("<b>", [error, error])
        error.__cause__ = error
        raise error
        """,
    ),
    "generator": (
        "A generator without an end, as an answer.",
        """
        def forever():
            while True:
                yield 12.0

        return forever()
        """,
    ),
    "closures_of_the_caller": (
        "The answer is what the caller itself holds: its own names and values.",
        """
        import sys

        return dict(sys._getframe(1).f_locals)
        """,
    ),
}

for name, (does, code) in OBJECTS.items():
    Attack(
        name=f"object_{name}",
        does=does,
        edits=(("derivatives.py", into("1.1", code)),),
        honest=("1.2",),
        nothing=("1.1",),
    )
