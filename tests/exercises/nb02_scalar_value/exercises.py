"""The exercises of notebook 02: the operators and functions of Value, gradients by hand, and a hunt."""

from grader.course.exercise import Exercise, Notebook
from grader.course.tracks import EVENING, STRETCH

NOTEBOOK = Notebook("02", "scalar_value", "A number that remembers", files=("value.py", "hunts.py"))

mul = Exercise(
    "2.1",
    "Value.__mul__",
    file="value.py",
    points=2,
    difficulty=1,
    track=EVENING,
    hints=[
        "Look at the table of nudges, row by row. The slope ∂(a * b)/∂a is a number that you know already. Which "
        "one? And ∂(a * b)/∂b?",
        "__add__, just above, has the pattern: the result, its two inputs, the name, one slope for each input, in "
        "the same order. Only the number, the name and the two slopes are different here. Slopes are plain numbers: "
        "what you need is in .data",
        "Value(self.data * other.data, (self, other), '*', (slope for self, slope for other)), and each slope is "
        "the .data of the other side.",
    ],
)

by_hand = Exercise(
    "2.2",
    "by_hand",
    file="hunts.py",
    points=4,
    difficulty=3,
    hashed=True,
    hints=[
        "First the results, from the leaves to L. Then the gradients, from L back to the leaves: L.grad is 1, "
        "because L changes by 1 for each unit that L changes. Which two numbers was L made from, and what are the "
        "two local derivatives there?",
        "The gradient of a node is its local derivative times the gradient of the result it went into. t2 went into "
        "L = t2 * t3: there the local derivative is the other side's number, and L.grad is 1. And a went into two "
        "results, t1 and t3.",
        "t2.grad is t3 · 1. t1.grad and c.grad are 1 · t2.grad. t3.grad is t2 · 1. d.grad is 1 · t3.grad. "
        "b.grad is a · t1.grad. a.grad is the sum of two shares: b · t1.grad, and 1 · t3.grad.",
    ],
)

power = Exercise(
    "2.3",
    "Value.__pow__",
    file="value.py",
    points=2,
    difficulty=2,
    track=EVENING,
    hints=[
        "In the table, read the row for x = 10: 20, 300, 4000. What is the number in front, and how many zeros "
        "follow? Then see whether the other rows agree.",
        "The slope of xⁿ is n · xⁿ⁻¹. That breaks down for n = 0 at x = 0, where Python would divide by 0: x⁰ is 1 "
        "everywhere, and what never changes has slope 0. Before anything else, pass the exponent to as_number.",
        "First as_number(exponent). Then the slope: 0.0 if the exponent is 0, else the exponent times self.data to "
        "the power of (exponent - 1). Then return a Value made of the power, (self,), the name f'**{exponent}' and "
        "(slope,).",
    ],
)

minus = Exercise(
    "2.4",
    "Value.__sub__, __truediv__",
    file="value.py",
    points=2,
    difficulty=2,
    track=EVENING,
    needs=("2.1", "2.3"),
    hints=[
        "You need no new slopes: __neg__, just above, has none either. How do you write x - y with a plus, and x / y "
        "with a power?",
        "Write each with operators that work already: x - y as the sum of self and something, x / y as the product "
        "of self and something. Their results remember the slopes, so you need not write any.",
        "x - y is self + (minus other). x / y is self * other ** (minus one). Each is one line that begins with "
        "return.",
    ],
)

reflected = Exercise(
    "2.5",
    "Value.__rsub__, __rtruediv__",
    file="value.py",
    points=2,
    difficulty=2,
    needs=("2.1", "2.4"),
    stuck="Right with Values, wrong with plain numbers",
    hints=[
        "In 5 - x, which of the two is self, and which is other? Write down what 5 - x is for x = 2, and then what "
        "your code returns.",
        "The line above your code has made a Value of other. Now both sides are Values, and all operators work "
        "between two Values. What is left is the order.",
        "Each of the two is one line: return, then other, then the operator, then self.",
    ],
)

functions = Exercise(
    "2.7",
    "Value.exp, log",
    file="value.py",
    points=2,
    difficulty=2,
    hints=[
        "For exp, compare the two columns of the table with each other. For log, compare the last column with the "
        "first: what is it at 2, at 4, at 10?",
        "sin, just above, has the pattern. math.exp and math.log take a plain number, so give them self.data. The "
        "slope of exp is its result; the slope of log is one over the number.",
        "Both are Value(math.f(self.data), (self,), 'f', (slope,)). For exp compute the result first, give it a name, "
        "and use it twice. For log the slope is 1 divided by self.data.",
    ],
)

bends = Exercise(
    "2.8",
    "Value.tanh, sigmoid",
    file="value.py",
    points=3,
    difficulty=2,
    track=EVENING,
    hints=[
        "The second plot has the result on its horizontal axis. For tanh the slope is 1 where the result t is 0, "
        "and 0 where it is -1 or 1: which expression of t does that? For sigmoid: 0 where s is 0 or 1, and 0.25 in "
        "the middle. And which number does your sigmoid pass to math.exp when self.data is -1000?",
        "The slope of tanh is 1 - t², the slope of sigmoid s · (1 - s). math.tanh is safe everywhere. For sigmoid "
        "there are two ways to write the same fraction, 1 / (1 + e⁻ˣ) and eˣ / (1 + eˣ). One is safe for positive x, "
        "the other for negative x: an if chooses.",
        "small = math.exp(-abs(self.data)) is never above 1. Then s is 1 / (1 + small) if self.data >= 0, "
        "else small / (1 + small). The slopes: 1 - t * t for tanh, s * (1 - s) for sigmoid.",
    ],
)

kink = Exercise(
    "2.9",
    "Value.relu",
    file="value.py",
    points=1,
    difficulty=1,
    track=EVENING,
    stuck="Slope at a kink",
    hints=[
        "relu has two halves. Left of 0 it is flat. What is the slope of something flat? What is it on the "
        "right, where the result is x itself?",
        "At 0 itself the course takes the left side's slope, as PyTorch does. So one question decides both "
        "the number and the slope: is self.data greater than 0?",
        "positive = self.data > 0. The number: self.data if positive else 0.0. The slope: 1.0 if positive else 0.0.",
    ],
)

hunt = Exercise(
    "2.10",
    "blind_spots",
    file="hunts.py",
    points=3,
    difficulty=3,
    track=STRETCH,
    hints=[
        "Take one engine at a time. Which mistake do people make in the slope of a power, of a division, of relu? "
        "Write down the right slope and the wrong one, put in x = 1, then x = 2. Where can you see the difference?",
        "Ada does not lower the exponent, Ben forgets a square in the slope for the divisor, and Cleo's relu has "
        "slope 1 at 0. Powers of 1 are all 1, so Ada and Ben need another number: make one from a. And Cleo?",
        "Let c = a + 1, which is 2. A power of c shows Ada, something divided by c shows Ben, b.relu() "
        "shows Cleo. Put the three together with +, so that each keeps its own way to the result.",
    ],
)
