"""A graph read, its backward pass written down, and where that goes wrong. It imports no babygrad: it takes any."""
