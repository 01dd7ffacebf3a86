"""The exercises of notebook 05: what an operation on arrays records, the arithmetic forwards, the operators, a hunt."""

from grader.course.exercise import Exercise, Notebook

NOTEBOOK = Notebook(
    "05",
    "functions",
    "Functions",
    minutes=75,
    files=("ops/function.py", "ops/arithmetic.py", "operators.py", "hunts.py"),
)

call = Exercise(
    "5.3",
    "Function.__call__",
    file="ops/function.py",
    points=3,
    minutes=8,
    difficulty=2,
    hints=[
        "Do it by hand for Add()(a, b), with what stands in the notebook. Which line makes arrays of Tensors? Which "
        "one makes a Tensor of the array again? And what does that Tensor have to know about its past?",
        "as_tensors(inputs) gives a tuple of Tensors. self.forward wants their arrays, one after the other: a * in "
        "front of a list hands it over as single arguments. Then one question decides which of the two calls of "
        "result comes: is recording on, and does any input require grad?",
        "inputs = as_tensors(inputs). Then array = self.forward(*[... for x in inputs]) with each x's array. Then "
        "an if with Recording.on and any([...]), a truth value for each x. In it return result with three "
        "arguments, after it with one.",
    ],
)

forwards = Exercise(
    "5.4",
    "Negate Sub Mul Div Pow",
    file="ops/arithmetic.py",
    points=2,
    minutes=3,
    difficulty=1,
    hints=[
        "Look at Add.forward. a and b are plain arrays there, and NumPy knows what + means between two arrays. What "
        "does it call the other four?",
        "NumPy has an operator for each of the five, and it works number by number, stretching shapes where it has "
        "to. A power is written ** in Python.",
        "Each is one line: return, and then what the docstring of the class says. There is no .data here, no loop, "
        "and no Tensor: __call__ sees to all that.",
    ],
)

scalars = Exercise(
    "5.8",
    "AddScalar and its like",
    file="ops/arithmetic.py",
    points=2,
    minutes=2,
    difficulty=1,
    hints=[
        "forward gets one array only. The number was given when the operation was made. Where did WithScalar, the "
        "class above, put it?",
        "self.scalar is the number. Each forward is the array, a sign, and that number.",
        "Each is one line: return, the array a, the sign that the docstring of the class names, and self.scalar. The "
        "array always stands on the left.",
    ],
)

operators = Exercise(
    "5.5",
    "x + other, and - * / **",
    file="operators.py",
    points=3,
    minutes=6,
    difficulty=2,
    needs=("5.3", "5.4", "5.8"),
    hints=[
        "Take x + 2 and x + y for a Tensor y. Which function of ops/arithmetic.py does each of them need? What "
        "tells you which of the two it is?",
        "isinstance(other, NUMBER) is True for a plain number. Then the operation with Scalar in its name; for a "
        "Tensor, a list or an array the other one, and it makes a Tensor of the list by itself. There is no "
        "sub_scalar: how else can 2 be taken away?",
        "Each is one line of the form: return (this) if isinstance(other, NUMBER) else (that). Both sides call a "
        "function of arithmetic with x and other. For x - 2 the first of them adds the number -2.",
    ],
)

reflected = Exercise(
    "5.9",
    "other - x, and / **",
    file="operators.py",
    points=2,
    minutes=3,
    difficulty=2,
    needs=("5.3", "5.4"),
    stuck="Right with Values, wrong with plain numbers",
    hints=[
        "In 5 - x, which of the two is x, and which is other? Write down what 5 - x is for x = [2, -3], and then "
        "what your line gives.",
        "sub, div and pow take numbers, lists and arrays on either side: as_tensors makes Tensors of them. So there "
        "is nothing to convert, and nothing to ask. Only the order counts.",
        "Each is one call of a function of arithmetic with two arguments: first what stands on the left of the "
        "sign, then what stands on the right. In 5 - x the left one is other.",
    ],
)

history = Exercise(
    "5.10",
    "next_functions",
    file="ops/function.py",
    points=2,
    minutes=4,
    difficulty=2,
    needs=("5.3",),
    hints=[
        "self.inputs holds the Tensors of the call, in order. What do you want to know of each of them, and which "
        "attribute of a Tensor knows it?",
        "x.grad_fn is the Function that made x, or None for a leaf, so a leaf is no special case. For each input "
        "make a pair of it and the number 0.",
        "A pair is (x.grad_fn, 0), and tuple(... for x in self.inputs) makes a tuple of them, with nothing left out.",
    ],
)

hunt = Exercise(
    "5.7",
    "three_tables",
    file="hunts.py",
    points=3,
    minutes=7,
    difficulty=3,
    hints=[
        "One table at a time. Run A, B and C on short expressions with one operation, then with two. Remember that "
        "x holds a positive and a negative number, and that an expression may use x twice.",
        "A goes astray when a number stands on the left, unless something later hides the sign. B's sum is right: "
        "look at what happens to x, and use x once more afterwards. C computes whole powers by multiplying again "
        "and again. Which exponents are out of its reach?",
        "Begin with a sum of x and a number, in brackets on the left. Join it by * or / with a second piece, made "
        "of x too: a number minus x. Put an exponent on one of them that C cannot count up to, and that keeps the "
        "sign.",
    ],
)
