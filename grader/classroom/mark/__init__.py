"""make mark: a page on the teacher's own machine to mark with, which writes marks.csv and what lies beside it."""
