"""The exercises of notebook 05: shapes that stretch, what an operation records, operators, rules from a table."""

from grader.course.exercise import Exercise, Notebook

NOTEBOOK = Notebook(
    "05",
    "functions",
    "Functions",
    files=("shapes_and_rules.py", "ops/function.py", "ops/arithmetic.py", "tensor.py", "hunts.py"),
)

broadcasting = Exercise(
    "5.1",
    "broadcast_shape",
    file="shapes_and_rules.py",
    points=3,
    difficulty=2,
    hints=[
        "Do (4, 3) and (3,) on paper. What do you write first, and what stands below the 4? What do you then decide "
        "at each place, and how many different cases are there?",
        "Make both shapes equally long first: a tuple of 1s plus the shorter shape. zip then gives you the two sizes "
        "at each place. Of two sizes m and n, which one stays if m is 1? If n is 1? If neither is?",
        "length = max(len(a), len(b)), and a = (1,) * (length - len(a)) + a; the same for b. In a loop over zip(a, "
        "b): if m is 1 keep n; if n is 1, or the two are equal, keep m; else raise ValueError. Collect what you keep "
        "in a list and return it as a tuple.",
    ],
)

broadcasters = Exercise(
    "5.2",
    "three_broadcasters",
    file="hunts.py",
    points=3,
    difficulty=3,
    track="stretch",
    hints=[
        "Take them one at a time and find a pair for each. A gives its mistake away in the table above. Does B ever "
        "complain? And what do the pairs that C complains about have in common?",
        "A lines the shapes up at their left ends, B takes the larger size, C lets a 1 give way in the second shape "
        "only. So C is wrong only for shapes that do fit, and B has to be wrong for them too. Which size is smaller "
        "than a 1, and wins all the same?",
        "B is wrong where a 1 meets a 0. To catch C, put that 1 in the first shape. To catch A, make the second shape "
        "the shorter one: the 0 alone. What can stand in front of the 1 so that A complains?",
    ],
)

call = Exercise(
    "5.3",
    "Function.__call__",
    file="ops/function.py",
    points=3,
    difficulty=2,
    hints=[
        "Do it by hand for Add()(a, b), with the table in the notebook beside you. Where do the arrays come from? "
        "What turns the sum back into a Tensor? And what must that Tensor know about its past, if anybody is ever "
        "going to ask?",
        "Three steps: make Tensors of all inputs; call self.forward on their arrays (a * in front of a list hands its "
        "items over as separate arguments); and call result in one of its two forms. The form that remembers needs "
        "two things: recording is on, and some input requires grad. How many of the inputs must that be?",
        "inputs = as_tensors(inputs). Then array = self.forward(*[... for x in inputs]), with each x's array. Then an "
        "if with Recording.on and any([...]), with a truth value for each x. Inside the if, return result(...) of the "
        "array, the operation and its inputs; after the if, return result of the array alone.",
    ],
)

part_of_the_way = Exercise(
    "5.4",
    "Lerp and lerp",
    file="ops/arithmetic.py",
    points=3,
    difficulty=2,
    track="stretch",
    needs=("5.3",),
    hints=[
        "A train goes from 10 to 14: where is it after a quarter of the way? And from 20 to 0? Then the class: lerp "
        "has three arguments. Which of them may need a gradient one day, and which one never will?",
        "How long is the whole way from a to b, and where does it begin? The weight belongs to the operation: it is "
        "given when the object is made, and that one object must keep it until it is called. Compare AddScalar and "
        "add_scalar.",
        "__init__ writes an attribute of self, and forward reads it: a, plus that fraction of (b - a). lerp makes a "
        "Lerp from the weight and calls it with the other two: two pairs of brackets, one after the other.",
    ],
)

operators = Exercise(
    "5.5",
    "x - other, and other - x",
    file="tensor.py",
    points=3,
    difficulty=2,
    needs=("5.3",),
    stuck="Right with Values, wrong with plain numbers",
    hints=[
        "x - 3 first: go through the four operations that hold a number of their own. Which of them could do it? Then "
        "5 - x for x = [2, -3]: write down what it should be, and what your line gives.",
        "Taking 3 away is adding some other number, and add_scalar adds numbers. For a Tensor, a list or an array "
        "there is sub. With x on the right there is nothing to convert and nothing to ask: only the order counts. The "
        "operation's first argument is whatever stands to the left of the operator.",
        "__sub__ is built like __add__: (this) if isinstance(other, NUMBER) else (that). The first adds the number "
        "-other, the second is arithmetic.sub with self first. __rsub__, __rtruediv__ and __rpow__ are one call each, "
        "of arithmetic.sub, div and pow, and in 5 - x the left one is other.",
    ],
)

rules = Exercise(
    "5.6",
    "sum_rule, reversed_rule, cumsum_rule",
    file="shapes_and_rules.py",
    points=4,
    difficulty=3,
    track="stretch",
    hints=[
        "Take four numbers and write the Jacobian on paper: a row for each result, a column for each number of a. Say "
        "[10, 1, -1, 5] arrives. Number 0 of a gets column 0 times what arrived, added up. And the next one?",
        "Do all four columns. Then read the four gradients from left to right and ask how you could get them from "
        "out_grad alone. For the running sum: which results did the last number of a go into? And the one before it?",
        "A sum hands the same number to every place: np.full(n, ...) fills an array. What was reversed is reversed "
        "again. A running sum needs running sums from the *end*: reverse, np.cumsum, and reverse back.",
    ],
)

hunt = Exercise(
    "5.7",
    "three_tables",
    file="hunts.py",
    points=3,
    difficulty=3,
    track="stretch",
    hints=[
        "One table at a time. Run A, B and C on short expressions with one operation, then with two. Remember: x "
        "holds a positive and a negative number, and an expression may use x twice.",
        "A goes wrong when a number stands on the left, unless something later hides the sign. B's sum is right: look "
        "at what happens to x, and use x once more afterwards. C computes whole powers by repeated multiplication. "
        "Which exponents are out of its reach?",
        "Begin with a sum of x and a number, in brackets on the left. Join it by * or / to a second piece that also "
        "uses x: a number minus x. Give one of the two an exponent that C cannot count up to and that keeps the sign.",
    ],
)
