"""The exercises of notebook 01: slopes by nudging, slopes along a path, numbers that carry their slope, and a hunt."""

from grader.course.exercise import Exercise, Notebook

NOTEBOOK = Notebook("01", "slopes_by_nudging", "Slopes by nudging", minutes=50, files=("derivatives.py", "hunts.py"))

derivative = Exercise(
    "1.1",
    "numerical_derivative",
    file="derivatives.py",
    points=2,
    minutes=3,
    difficulty=1,
    hints=[
        "Think of the two square beds: Ada's side grew by h, Ben's shrank by h. By how much do their areas "
        "differ, and by how much their sides?",
        "You need f at two places, h above x and h below it. The slope is the difference of the two results "
        "over the distance between the two places, which is more than h.",
        "Compute above = f(x + h) and below = f(x - h). Subtract, then divide by the distance from x - h to "
        "x + h. Mind the brackets: / comes before -, and a / 2 * h is not a / (2 * h).",
    ],
)

gradient = Exercise(
    "1.2",
    "numerical_gradient",
    file="derivatives.py",
    points=3,
    minutes=6,
    difficulty=2,
    needs=("1.1",),
    hints=[
        "It is exercise 1.1, once for each element, while all others stay where they are. What must be true "
        "of x before you turn to the next element?",
        "for index in np.ndindex(x.shape) gives every place of an array of any shape, and x[index] reads and "
        "writes it. Keep the number that was there in a variable of its own, and put that one back.",
        "Before the loop gradient = np.zeros(x.shape) makes room. In it, original = x[index] keeps the number. Under "
        "try: put h more there and ask f, put h less there and ask f again. Under finally: the original goes back. "
        "Then the slope of 1.1 goes to gradient[index].",
    ],
)

chain = Exercise(
    "1.3",
    "two_step_gradients",
    file="derivatives.py",
    points=2,
    minutes=3,
    difficulty=1,
    hints=[
        "Take the first elements only: a = 2, b = 4, w = 3. If a grows by 1, by how much does c = a * b "
        "grow? And when c grows by that much, by how much does d = c * w grow?",
        "Two slopes lie on the path from a to d: the slope of c to a, and the slope of d to c. The first is "
        "one of the three arrays, the second another one. Along a path slopes multiply.",
        "The slope of d to c is w, for both paths. Multiply it by the slope of c to a for the first answer, "
        "and by the slope of c to b for the second; return both, separated by a comma.",
    ],
)

dual = Exercise(
    "1.4",
    "Dual",
    file="derivatives.py",
    points=4,
    minutes=8,
    difficulty=3,
    hints=[
        "Every answer is a Dual made of two numbers: the value, as if there were no slopes, and the "
        "slope, by the sentence in the docstring. Nudge by hand where a sentence surprises you.",
        "The slope that comes in must appear in the slope that goes out: an input that does not move "
        "(slope 0) gives a result that does not move. In a product and a quotient each side brings a "
        "slope of its own.",
        "Each region ends in return Dual(value, slope). For a function: value = math.exp(self.value), and "
        "slope = (its slope at self.value) * self.slope. exp and tanh use their own result there; "
        "math.cos and math.log are there too.",
    ],
)

hunt = Exercise(
    "1.5",
    "three_nudgers",
    file="hunts.py",
    points=3,
    minutes=4,
    difficulty=3,
    hints=[
        "Take the nudgers one at a time. A needs a curve: try x * x on paper. Is B wrong there too? And what "
        "must the values look like for C to lose its digits?",
        "x * x bends equally everywhere, so B's two errors cancel. Take a curve that bends more on one "
        "side than on the other. C subtracts two values: it is lost when they agree in nearly all their "
        "16 digits.",
        "A power higher than 2 is enough for A and B. For C raise the whole curve by a number so large "
        "that a change of 0.000000001 falls off its end; adding a number changes no slope.",
    ],
)
