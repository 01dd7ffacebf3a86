"""The tool of the course: it checks, hints, fills and resets exercises, and builds the notebooks."""
