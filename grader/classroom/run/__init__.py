"""One grading, from hand-ins to records."""
