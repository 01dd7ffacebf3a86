"""Grading a class: collecting hand-ins, asking them in a sandbox, and telling students and teacher what was found."""
