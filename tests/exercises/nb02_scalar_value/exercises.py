"""The exercises of notebook 02: the operators and functions of Value, gradients by hand, and a hunt."""

from grader.course.exercise import Exercise, Notebook

NOTEBOOK = Notebook("02", "scalar_value", "A number that remembers", minutes=60, files=("value.py", "hunts.py"))

mul = Exercise(
    "2.1",
    "Value.__mul__",
    file="value.py",
    points=2,
    minutes=3,
    difficulty=1,
    hints=[
        "If b is 3, how much does a * b grow when a grows by 1? And the other way round?",
        "__add__, just above, has the pattern: the result, its two inputs, the name, one slope for each "
        "input, in the same order. Only the number and the two slopes are others here. Slopes are plain "
        "numbers: .data",
        "Value(self.data * other.data, (self, other), '*', (slope to self, slope to other)), and each "
        "slope is the .data of the side it does not belong to.",
    ],
)

power = Exercise(
    "2.3",
    "Value.__pow__",
    file="value.py",
    points=2,
    minutes=4,
    difficulty=2,
    hints=[
        "x ** 3 has one input, so one slope. What is the slope of x³? Check it at x = 2: from 2 to 2.001, "
        "x³ goes from 8 to 8.012.",
        "The slope of xⁿ is n · xⁿ⁻¹. That breaks down for n = 0 at x = 0, where Python would divide by 0: "
        "x⁰ is 1 everywhere, and what never changes has slope 0. Before anything else, let as_number look "
        "at the exponent.",
        "First as_number(exponent). Then the slope: 0.0 if the exponent is 0, else the exponent times self.data to "
        "the power of (exponent - 1). Then a Value made of the power, (self,), the name f'**{exponent}' and (slope,).",
    ],
)

minus = Exercise(
    "2.4",
    "Value.__sub__ and friends",
    file="value.py",
    points=3,
    minutes=4,
    difficulty=2,
    needs=("2.1", "2.3"),
    hints=[
        "You need no new slopes. Which number turns x into -x when you multiply by it? How do you write x "
        "- y with a plus, and x / y with a power?",
        "Write each as an expression of what works already: multiplication for -x, the sum of self and "
        "something for x - y, the product of self and something for x / y. The results remember their "
        "slopes by themselves.",
        "-x is self * (minus one). x - y is self + (minus other). x / y is self * other ** (minus one). "
        "Each is one line that begins with return.",
    ],
)

reflected = Exercise(
    "2.5",
    "Value.__rsub__ and friends",
    file="value.py",
    points=2,
    minutes=3,
    difficulty=2,
    needs=("2.1", "2.4"),
    stuck="Right with Values, wrong with plain numbers",
    hints=[
        "In 5 - x, which of the two is self, and which is other? Write down what 5 - x is for x = 2, then "
        "what you return.",
        "The line above your code has made a Value of other. Now both sides are Values, and between two "
        "Values all operators work already. Only the order is left to get right: other stands on the left.",
        "Each of the four is one line: return, then other, then the operator, then self.",
    ],
)

exponential = Exercise(
    "2.6",
    "Value.__rpow__",
    file="value.py",
    points=2,
    minutes=3,
    difficulty=2,
    hints=[
        "In 2 ** x the base stands still and the exponent moves. From x = 3 to x = 3.001 the result goes "
        "from 8 to 8.005548. How many times 8 is that slope? Do you know the number from the logarithms?",
        "The slope is the result itself, times the natural logarithm of the base. math.log is the natural "
        "logarithm. There is only one input: self. The base is a plain number.",
        "power = as_number(base) ** self.data. Then a Value made of power, (self,), the name f'{base}**' "
        "and one slope: power times math.log of the base.",
    ],
)

functions = Exercise(
    "2.7",
    "Value.exp, log, sin",
    file="value.py",
    points=3,
    minutes=3,
    difficulty=2,
    hints=[
        "Each has one input and one slope. Which slope belongs to which function stands in its docstring.",
        "The functions themselves are math.exp, math.log, math.sin and math.cos; each takes a plain "
        "number, so give it self.data. exp can use its result twice: as the number and as the slope.",
        "All three are Value(math.f(self.data), (self,), 'f', (slope,)). The slopes: the result for exp, "
        "1 / self.data for log, math.cos(self.data) for sin.",
    ],
)

bends = Exercise(
    "2.8",
    "Value.tanh, sigmoid",
    file="value.py",
    points=3,
    minutes=4,
    difficulty=3,
    hints=[
        "Compute the result first and give it a name: the slope is made from the result, not from self.data. "
        "And what does your sigmoid ask math.exp for when self.data is -1000?",
        "math.tanh is safe everywhere. For sigmoid there are two ways to write the same fraction, 1 / (1 + "
        "e⁻ˣ) and eˣ / (1 + eˣ). One is safe for positive x, the other for negative x: an if chooses.",
        "small = math.exp(-abs(self.data)) is never above 1. Then s is 1 / (1 + small) if self.data >= 0, "
        "else small / (1 + small). The slopes: 1 - t * t for tanh, s * (1 - s) for sigmoid.",
    ],
)

kink = Exercise(
    "2.9",
    "Value.relu",
    file="value.py",
    points=1,
    minutes=2,
    difficulty=1,
    stuck="Slope at a kink",
    hints=[
        "relu has two halves. Left of 0 it is flat. What is the slope of something flat? What is it on the "
        "right, where the result is x itself?",
        "At 0 itself the course takes the left side's slope, as PyTorch does. So one question decides both "
        "the number and the slope: is self.data greater than 0?",
        "positive = self.data > 0. The number: self.data if positive else 0.0. The slope: 1.0 if positive else 0.0.",
    ],
)

by_hand = Exercise(
    "2.2",
    "by_hand",
    file="hunts.py",
    points=4,
    minutes=5,
    difficulty=3,
    sealed=True,
    hints=[
        "Results first, from left to right. Then gradients from right to left: L.grad is 1, because L "
        "changes by 1 for each unit L changes. Which two numbers was L made from, and what are the local "
        "slopes to them?",
        "Each gradient is local slope times the gradient of the result it went into. For t2, which went "
        "into L = t2 * t3: the slope is the other side's number, and L.grad is 1. a went into two results, "
        "t1 and t3.",
        "t2.grad is t3 · 1. t1.grad and c.grad are 1 · t2.grad. t3.grad is t2 · 1. d.grad is 1 · t3.grad. "
        "b.grad is a · t1.grad. a.grad is the sum of two shares: b · t1.grad, and 1 · t3.grad.",
    ],
)

hunt = Exercise(
    "2.10",
    "blind_spots",
    file="hunts.py",
    points=3,
    minutes=4,
    difficulty=3,
    hints=[
        "Take one engine at a time. Which mistake do people make in the slope of a power, of a division, "
        "of relu? Write down right and wrong slope, put in x = 1, then x = 2. Where can you see the "
        "difference?",
        "Ada does not lower the exponent, Ben forgets a square in the slope to what one divides by, and "
        "Cleo's relu has slope 1 at 0. Powers of 1 are all 1, so Ada and Ben need another number: make one "
        "from a. And Cleo?",
        "Let c = a + 1, which is 2. A power of c shows Ada, something divided by c shows Ben, b.relu() "
        "shows Cleo. Put the three together with +, so that each keeps its own way to the result.",
    ],
)
