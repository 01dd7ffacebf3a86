"""The exercises of notebook 00: the area of a floor, the shape of a stretched sum, and a hunt."""

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

shape = Exercise(
    "0.2",
    "broadcast_shape",
    file="warmup.py",
    points=3,
    minutes=6,
    difficulty=2,
    hints=[
        "Do (4, 3) and (3,) on paper. What do you write down first, and what stands below the 4? Then what "
        "do you decide at each place, and how many different cases are there?",
        "Bring both shapes to the same length first: a tuple of 1s plus the shorter shape. zip then gives "
        "you the two sizes at each place. Of two sizes m and n, which one stays if m is 1? If n is 1? If neither?",
        "length = max(len(a), len(b)), and a = (1,) * (length - len(a)) + a, the same for b. In a loop over "
        "zip(a, b): if m is 1 keep n; if n is 1, or the two are equal, keep m; else raise ValueError. Collect what "
        "you keep in a list and return it as a tuple.",
    ],
)

hunt = Exercise(
    "0.3",
    "three_broadcasters",
    file="hunts.py",
    points=3,
    minutes=3,
    difficulty=3,
    hints=[
        "Take them one at a time and find a pair for each. A shows its mistake in the table above. When does B "
        "never complain? What do the pairs have in common on which C complains?",
        "A looks at the left ends, B takes the larger size, C lets a 1 give way in the second shape only. So C "
        "errs only where a shape is right: there B must be caught without a misfit. Which 1 gives way to "
        "something smaller?",
        "B is wrong where a 1 meets a 0. For C that 1 stands in the first shape. For A make the second shape the "
        "shorter one: only the 0. What can stand in front of the 1, so that A does not like it?",
    ],
)
