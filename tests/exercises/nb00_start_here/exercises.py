"""The exercises of notebook 00: the area of a floor."""

from grader.course.exercise import Exercise, Notebook

NOTEBOOK = Notebook("00", "start_here", "Start here", minutes=25, files=("warmup.py", "hunts.py"))

area = Exercise(
    "0.1",
    "area",
    file="warmup.py",
    points=1,
    minutes=2,
    difficulty=1,
    hints=[
        "A floor of 3 by 5 metres is covered with tiles of 1 by 1 metre. How many rows of tiles are there, and "
        "how many tiles in each?",
        "The number of tiles is the number of rows, times the number of tiles in a row. In Python * multiplies.",
        "One line is enough: the word return, and after it the two arguments with a * between them.",
    ],
)
