"""The exercises of notebook 00: the area of a floor, the sides of a line, and a hunt."""

from grader.course.exercise import Exercise, Notebook

NOTEBOOK = Notebook("00", "start_here", "Start here", files=("warmup.py", "hunts.py"))

area = Exercise(
    "0.1",
    "area",
    file="warmup.py",
    points=1,
    difficulty=1,
    hints=[
        "A floor of 3 by 5 metres is covered with tiles of 1 by 1 metre. How many rows of tiles are there, and "
        "how many tiles in each?",
        "The number of tiles is the number of rows times the number of tiles in a row. In Python * multiplies.",
        "One line is enough: the word return, followed by the two arguments with a * between them.",
    ],
)

side = Exercise(
    "0.2",
    "sides",
    file="warmup.py",
    points=3,
    difficulty=2,
    hints=[
        "Take one point, (2, 9), and draw it on paper with the line of slope 3 and start 1. What must you know about "
        "the line before you can say whether the point is above it?",
        "Go to the point's x and ask how high the line is there: at x = 0 its height is start, and from there it has "
        "climbed. Compare that height with the point's y. Do this for each point, and collect the answers in a list.",
        "Begin with an empty list, and take the points apart in a loop, as the notebook shows. Inside it, the height "
        "of the line is start plus slope times x. Append 0 if y is larger than that height, and 1 if it is not. "
        "Return the list below the loop.",
    ],
)

hunt = Exercise(
    "0.3",
    "three_measures",
    file="hunts.py",
    points=3,
    difficulty=2,
    track="stretch",
    hints=[
        "Take the measures one at a time. Which of the four calls in the notebook show that A is wrong, which B, "
        "which C? What do the errors in those calls have that the errors in the other calls do not?",
        "A squares too late: it takes the mean of the errors first. B leaves out every prediction that is exactly "
        "right, and divides by the number of those left. C does not square at all. On which errors is each of them "
        "right all the same?",
        "To expose B you need a prediction that is right beside one that is wrong: that exposes A as well. How large "
        "must the error of the wrong one be, so that C is wrong too? An error of 1 stays 1 when it is squared.",
    ],
)
