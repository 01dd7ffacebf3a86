"""A step of training, compiled where the compiler of notebook 15 is there."""

import babygrad


def quick(step):
    """A function that does what step does: its compiled program, or step itself while a stub of the compiler is met."""
    compiled = babygrad.compile(step)

    def run(*inputs):
        nonlocal compiled
        try:
            return compiled(*inputs)
        except NotImplementedError as missing:
            if compiled is step or "exercise 15." not in str(missing):
                raise
            compiled = step
            return step(*inputs)

    return run
