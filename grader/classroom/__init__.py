"""Grading a class: collecting hand-ins, asking them shut in, and telling students and teacher what was found."""
