"""Data sets and texts to learn from."""
