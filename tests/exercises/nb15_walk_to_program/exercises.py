"""The exercises of notebook 15: how a walk becomes a program, and how the program becomes short and fast."""

from grader.course.exercise import Exercise, Notebook
from grader.course.tracks import STRETCH

NOTEBOOK = Notebook(
    "15",
    "walk_to_program",
    "From a walk to a program",
    files=("compiler.py", "hunts.py"),
    track=STRETCH,
)

call = Exercise(
    "15.1",
    "noted",
    file="compiler.py",
    points=2,
    difficulty=2,
    track="stretch",
    hints=[
        "A call has a function, inputs and a result. In a line each Tensor is only a name. Which of them have a name "
        "already, and which get one now?",
        "Go through the inputs in their order, and give a name to each that is not in names yet. The result is always "
        "new. `fresh(letter, names)` tells the next name; you put it into names.",
        'For each x of inputs, unless it is in names: names[x] = fresh("p" if x.requires_grad else "c", names). Then '
        'names[out] = fresh("v", names). Return Line(that name, function, a tuple of the names of inputs, out.data).',
    ],
)

unused = Exercise(
    "15.2",
    "without_unused",
    file="compiler.py",
    points=2,
    difficulty=2,
    track="stretch",
    hints=[
        "At the end you know what is wanted. Is the last line of any use? And the one before it: who could still "
        "read it?",
        "Walk through the lines from the last to the first, with a set of names that somebody reads. It begins as "
        "program.wanted. A line whose name is in the set stays, and its inputs join the set.",
        "read = set(program.wanted), kept = []. For each line of reversed(program.lines): if line.name is in read, "
        "read.update(line.inputs) and append the line to kept. Return program._replace(lines=tuple(reversed(kept))).",
    ],
)

folded = Exercise(
    "15.3",
    "with_folded",
    file="compiler.py",
    points=2,
    difficulty=2,
    track="stretch",
    hints=[
        "A line whose inputs are the same numbers in each run has the same result in each run. Where is that result "
        "already?",
        "In line.like. Go through the lines in order, with a dictionary of constants that grows: what has been folded "
        "may make the next line constant too. A line that reads nothing is not made of constants.",
        "constants = dict(program.constants), so that the given one is left alone. If line.inputs is not empty and all "
        "its names are in constants: constants[line.name] = line.like. Otherwise the line goes into a list. Return "
        "program._replace(lines=..., constants=constants).",
    ],
)

once = Exercise(
    "15.4",
    "with_each_once",
    file="compiler.py",
    points=3,
    difficulty=3,
    track="stretch",
    hints=[
        "When do two lines give the same numbers without a look at the numbers? And who read the second one: what "
        "must they read now?",
        "Rename the inputs of each line before you look at it: called has the names that stand for others. Then make a "
        "key of all that a line does: the type of its function, its settings, its inputs. first remembers who did it "
        "first.",
        "For each line: line = line._replace(inputs=tuple([called.get(name, name) for name in line.inputs])). The key "
        "is (type(line.function), same_thing(tuple(settings(line.function).items())), line.inputs). "
        "called[line.name] = first.setdefault(key, line.name); the line stays if that is its own name.",
    ],
)

readers = Exercise(
    "15.5",
    "last_readers",
    file="compiler.py",
    points=2,
    difficulty=2,
    track="stretch",
    hints=[
        "If you go through the lines in order and write down each time who reads what, what is left in your notes at "
        "the end?",
        "The last reader of each. Write it down under the owner's name: who reads a view reads the array it lies in. "
        "Then there is the end of the program, which reads all that is wanted.",
        "last = {}. For place, line in enumerate(program.lines): for each name of line.inputs, last[owner[name]] = "
        "place. Then for each name of program.wanted: last[owner[name]] = len(program.lines). Return last.",
    ],
)

arrays = Exercise(
    "15.6",
    "array_for",
    file="compiler.py",
    points=3,
    difficulty=3,
    track="stretch",
    hints=[
        "Three sources, in this order: an input's array that dies now, a free one, a new one. What must be true of "
        "the array? And of the operation, for the first source?",
        "Shape and dtype must be those of line.like: kind_of compares both. An operation that is not in "
        "NUMBER_BY_NUMBER still reads its inputs while it writes: for it nothing of dying can be used.",
        "If line.function.name() is in NUMBER_BY_NUMBER, look through dying first: the first name whose array has the "
        "kind of line.like. Then the same with free. If nothing fits, line.name.",
    ],
)

hunt = Exercise(
    "15.8",
    "four_compilers",
    file="hunts.py",
    points=3,
    difficulty=3,
    track="stretch",
    hints=[
        "Write down the lines of your function, and do with them what each of the four would do. Which line would "
        "be missing, frozen, or written to the wrong place?",
        "Ada needs two lines with the same operation and the same input, but with different settings, such as two "
        "powers. Ben needs a result with two readers. Cleo needs a line that reads a constant. Dora needs a product of "
        "matrices with an operand that nobody reads afterwards.",
        "Begin with a number divided by x: this result is read by two powers with different exponents, 3 and 4. What "
        "do you do with the two powers, so that Dora is wrong too?",
    ],
)
