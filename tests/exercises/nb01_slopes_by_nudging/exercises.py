"""The exercises of notebook 01: slopes by nudging, slopes along a path, numbers that carry their slope, and a hunt."""

from grader.course.exercise import Exercise, Notebook

NOTEBOOK = Notebook("01", "slopes_by_nudging", "Slopes by nudging", files=("derivatives.py", "hunts.py"))

derivative = Exercise(
    "1.1",
    "numerical_derivative",
    file="derivatives.py",
    points=2,
    difficulty=1,
    hints=[
        "Think of the two square beds: Ada's side grew by h, Ben's shrank by h. By how much do their areas differ, "
        "and by how much do their sides?",
        "You need f at two places, h above x and h below it. The slope is the difference of the two results divided "
        "by the distance between the two places. How far is it from one to the other?",
        "Compute above = f(x + h) and below = f(x - h). Subtract, then divide by the distance from x - h to "
        "x + h. Mind the brackets: / comes before -, and a / 2 * h is not a / (2 * h).",
    ],
)

gradient = Exercise(
    "1.2",
    "numerical_gradient",
    file="derivatives.py",
    points=3,
    difficulty=2,
    needs=("1.1",),
    hints=[
        "Do for each element what you did in 1.1 for a number, while all others stay where they are. What is f "
        "handed each time, a number or an array? And what must be true of x before you turn to the next element?",
        "Three parts. First make room for the answer: one partial derivative for each element of x. Then, for each "
        "index: remember the element, set it to h more, call f(x), set it to h less, call f(x). Last, put the "
        "remembered element back, whatever happened in between, before the next one has its turn.",
        "Before the loop gradient = np.zeros(x.shape) makes room. In it, original = x[index] keeps the number. Under "
        "try, put h more there and call f, then put h less there and call f again. Under finally, the original goes "
        "back. Then store the central difference, as in 1.1, in gradient[index].",
    ],
)

chain = Exercise(
    "1.3",
    "two_step_gradients",
    file="derivatives.py",
    points=2,
    difficulty=1,
    hints=[
        "Take the first elements only: a = 2, b = 4, w = 3. Draw the two steps, with an arrow from each number to what "
        "is made from it. Which arrows lie on the way from a to d, from b to d, from w to d?",
        "From a two arrows lead to d, and from b two; the second arrow is the same for both. Along a path derivatives "
        "multiply. From w a single arrow leads to d: by how much does c * w grow when w grows by 1?",
        "∂d/∂c is w. Multiply it by ∂c/∂a for the first answer, and by ∂c/∂b for the second. The third is ∂d/∂w: that "
        "is c, which you compute from a and b. Return all three, separated by commas.",
    ],
)

dual = Exercise(
    "1.4",
    "Dual",
    file="derivatives.py",
    points=4,
    difficulty=3,
    track="stretch",
    hints=[
        "Go back to the two tables. In the first, look at the rows in which only one side moves: the area grows by a "
        "strip. In the second, compare rows that differ in only one of the three numbers. And what does exp do with "
        "the slope that comes in?",
        "Every answer is a Dual made of two numbers. For a product, each side's slope is multiplied by the length of "
        "the other side, and the two strips are added. For a power and for the sine it is the chain rule: their own "
        "derivative at self.value, times the slope that comes in.",
        "Each region ends in return Dual(value, slope). The derivative of ** is the exponent times the value, raised "
        "to exponent - 1 (in brackets); that of the sine is math.cos(self.value).",
    ],
)

hunt = Exercise(
    "1.5",
    "three_nudgers",
    file="hunts.py",
    points=3,
    difficulty=3,
    track="stretch",
    hints=[
        "Take the nudgers one at a time. To expose A you need a curve: try x * x on paper. Is B wrong there too? And "
        "what must the values look like for C to lose its digits?",
        "x * x bends equally everywhere, so B's two errors cancel. Take a curve that bends more on one side than on "
        "the other. C subtracts two values: it is lost when nearly all of their 16 digits agree.",
        "A power higher than 2 is enough for A and B. For C lift the whole curve by a number so large that a change "
        "of 0.000000001 is lost beyond its 16 digits; adding a number changes no slope. A straight line will not do, "
        "however high you lift it: A and B would not be wrong because of what they do.",
    ],
)
