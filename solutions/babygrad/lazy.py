"""Names that are looked up in their file when they are first used: a mistake in one file leaves the others usable.

Given.
"""

from importlib import import_module


def lazy(package, names_in):
    """What a package's __init__ needs for that: its __getattr__, __dir__ and __all__.

    package: its __name__.  names_in: {file: the names in it that belong to the package, in one text}.
    """
    home = {name: file for file, names in names_in.items() for name in names.split()}

    def __getattr__(name):
        if name in names_in:
            return import_module(f".{name}", package)
        if name in home:
            return getattr(import_module(f".{home[name]}", package), name)
        known_as = ".".join(["babygrad", *package.split(".")[1:]])
        raise AttributeError(f"{known_as} has no {name!r}", name=name)

    def __dir__():
        return sorted({*home, *names_in})

    return __getattr__, __dir__, sorted(home)
