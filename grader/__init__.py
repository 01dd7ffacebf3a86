"""The tool of the course: it checks, hints, fills and resets exercises, and builds the notebooks."""


def load_ipython_extension(shell):
    """Called by %load_ext grader."""
    from .magics import install

    install(shell)
