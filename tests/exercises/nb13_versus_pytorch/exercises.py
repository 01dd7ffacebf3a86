"""The exercises of notebook 13: the walk over grad_fn by hand, and twelve sabotaged engines."""

from grader.course.exercise import Exercise, Notebook

NOTEBOOK = Notebook("13", "versus_pytorch", "Beside PyTorch", minutes=60, files=("hunts.py",))

by_hand = Exercise(
    "13.1",
    "names_on_the_way",
    file="hunts.py",
    points=2,
    minutes=5,
    difficulty=2,
    hints=[
        "The walk begins where the computing ended. Which operation made the result? What went into that one, from "
        "left to right, and what made those?",
        "Draw each graph with the result on top. The walk goes down on the left as far as it can, then takes the next "
        "branch. In C two ways lead to one Function: it is printed when the first way gets there. For backward ask "
        "another question: who must wait for whom?",
        "Names: + of a number is AddScalar, * of a number is MulScalar, @ is MatMul, .sum() is Summation. B has five "
        "names: what is left of the / first, then what is right of it. In C, Mul is asked when all who used z have "
        "spoken: last.",
    ],
)

hunt = Exercise(
    "13.4",
    "expressions_for_twelve_engines",
    file="hunts.py",
    points=6,
    minutes=14,
    difficulty=4,
    hints=[
        "Begin with expressions of one operation, and see who is given away: nine of the twelve fall to one operation "
        "alone. Think of what each does with signs, zeros, equal numbers and shapes.",
        "A number on the left of a minus; a division; tanh; relu at 0; a stretched column; a sum along axis 0; a batch "
        "times a matrix; the largest of equal numbers. Then the walk: an input that is used twice, a result that is "
        "used twice, an array that two own, and a second walk through a result in the middle.",
        "For the walk the notebook has z = x * x and then z * (z * 3): engines 8, 9, 11. For the array that two own, "
        "let + hand the same gradient to x and to something made of x, and then use x once more: y = x.exp(), "
        "(x + y) + x.",
    ],
)
