"""The start page: what the course is, in ten seconds."""


def start_page():
    """The start page, as MyST."""
    return "# babygrad\n\nA course on automatic differentiation: you write the engine.\n"
