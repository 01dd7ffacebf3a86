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
            if compiled is step or not is_of_the_compiler(missing):
                raise
            compiled = step
            return step(*inputs)

    return run


def program_text(step, *inputs):
    """The program that a step becomes, as text; in words what is missing, if a stub of the compiler is met."""
    compiled = babygrad.compile(step)
    try:
        compiled(*inputs)
    except NotImplementedError as missing:
        if not is_of_the_compiler(missing):
            raise
        return f"No program to show: your compiler is not there yet ({missing})."
    return compiled.programs[0].text


def is_of_the_compiler(missing):
    """Is this NotImplementedError that of a stub of notebook 15?"""
    return "exercise 15." in str(missing)
