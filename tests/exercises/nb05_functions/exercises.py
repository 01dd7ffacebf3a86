"""The exercises of notebook 05: shapes that stretch, what an operation records, operators, rules from a table."""

from grader.course.exercise import Exercise, Notebook

NOTEBOOK = Notebook(
    "05",
    "functions",
    "Functions",
    files=("shapes_and_rules.py", "ops/function.py", "ops/arithmetic.py", "operators.py", "hunts.py"),
)

broadcasting = Exercise(
    "5.1",
    "broadcast_shape",
    file="shapes_and_rules.py",
    points=3,
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

broadcasters = Exercise(
    "5.2",
    "three_broadcasters",
    file="hunts.py",
    points=3,
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

call = Exercise(
    "5.3",
    "Function.__call__",
    file="ops/function.py",
    points=3,
    difficulty=2,
    hints=[
        "Do it by hand for Add()(a, b), with what stands in the notebook. Where do the arrays come from? What makes a "
        "Tensor of the sum again? And what does that Tensor have to know about its past, if anybody wants its past?",
        "Three steps: Tensors of all inputs; self.forward of their arrays, where a * in front of a list hands its "
        "items over as single arguments; and one of the two calls of result. Two things have to come together for the "
        "one that remembers: recording is on, and there is somebody who requires grad. How many of the inputs must "
        "that be?",
        "inputs = as_tensors(inputs). Then array = self.forward(*[... for x in inputs]) with each x's array. Then an "
        "if with Recording.on and any([...]), a truth value for each x. Inside the if return result(...) with array, "
        "the operation and its inputs; after the if return it with array alone.",
    ],
)

part_of_the_way = Exercise(
    "5.4",
    "Lerp and lerp",
    file="ops/arithmetic.py",
    points=3,
    difficulty=2,
    needs=("5.3",),
    hints=[
        "A train goes from 10 to 14: where is it after a quarter of the way? And on the way from 20 to 0? Then the "
        "class: lerp has three arguments. Which of them may want a gradient one day, and which one never?",
        "How long is the whole way from a to b, and where does it begin? The weight belongs to the operation: it comes "
        "when the object is made, and must wait in that one object until the call. Compare AddScalar and add_scalar.",
        "__init__ writes an attribute of self, and forward reads it: a, plus that much of (b - a). lerp makes a Lerp "
        "of the weight and calls it with the two others: two pairs of brackets, one behind the other.",
    ],
)

operators = Exercise(
    "5.5",
    "x - other, and other - x",
    file="operators.py",
    points=3,
    difficulty=2,
    needs=("5.3",),
    stuck="Right with Values, wrong with plain numbers",
    hints=[
        "x - 3 first: go through the four operations that have a number of their own. Which of them could do it? Then "
        "5 - x for x = [2, -3]: write down what it is, and what your line gives.",
        "To take 3 away is to add another number, and add_scalar adds numbers. For a Tensor, a list or an array there "
        "is sub. With x on the right there is nothing to convert and nothing to ask: only the order counts. The "
        "operation's first argument is what stands on the left of the sign.",
        "minus is built like plus: (this) if isinstance(other, NUMBER) else (that). This adds the number -other, that "
        "is arithmetic.sub with x first. The inner function of reflected is one call of `operation` with two "
        "arguments, and in 5 - x the left one is other.",
    ],
)

rules = Exercise(
    "5.6",
    "sum_rule, reversed_rule, cumsum_rule",
    file="shapes_and_rules.py",
    points=4,
    difficulty=3,
    hints=[
        "Take four numbers, and write the table of slopes on paper: a row for each result, a column for each number of "
        "a. Say [10, 1, -1, 5] arrives. The share of number 0 of a is column 0 times what arrived, added up. And the "
        "next?",
        "Do all four columns. Then read the four shares from left to right and ask how one could get them from "
        "out_grad alone. For the running sum: which results did the last number of a go into? The one before it?",
        "A sum hands the same number to every place: np.full(n, ...) fills an array. What was turned round is turned "
        "round again. A running sum needs running sums from the *end*: turn round, np.cumsum, and turn back.",
    ],
)

hunt = Exercise(
    "5.7",
    "three_tables",
    file="hunts.py",
    points=3,
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
