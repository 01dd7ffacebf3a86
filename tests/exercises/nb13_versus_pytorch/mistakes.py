"""Wrong ideas about notebook 13, each as a patch for a private copy of the reference."""

from grader.course.exercise import wrong

from .exercises import by_hand as walk
from .exercises import hunt

A = ["Summation", "MulScalar", "Tanh", "MatMul"]
B = ["Div", "Abs", "Sub", "AddScalar", "Exp"]
C = ["Add", "Mul", "Exp"]
BACKWARD = ["Add", "Exp", "Mul"]


def walk_is(bg, a=A, b=B, c=C, backward=BACKWARD):
    bg.hunts.names_on_the_way = lambda: {"A": a, "B": b, "C": c, "C backward": backward}


# 13.1: the walk by hand.


@wrong(
    walk,
    "in the order of computing",
    "These lists are in the order in which the expression is computed. The walk begins at the result, so the operation "
    "that was computed last comes first.",
)
def forwards(bg):
    walk_is(bg, A[::-1], ["Sub", "Abs", "Exp", "AddScalar", "Div"], ["Mul", "Exp", "Add"], ["Mul", "Exp", "Add"])


@wrong(
    walk,
    "every list turned round",
    "Some walks look right from the other end. But a walk does not go back up: begin at the result, and after each "
    "name go on to what is behind it, the left side first.",
)
def turned_round(bg):
    walk_is(bg, A[::-1], B[::-1], C[::-1], BACKWARD[::-1])


@wrong(
    walk,
    "the leaves are in it",
    "x, w and y are leaves: no Function made them, so their grad_fn is None. The walk prints only names of Functions.",
)
def leaves_too(bg):
    walk_is(bg, [*A, "x", "w"], ["Div", "Abs", "Sub", "x", "y", "AddScalar", "Exp", "y"], ["Add", "Mul", "x", "Exp"])


@wrong(
    walk,
    "None for each leaf",
    "next_functions holds None where a leaf went in. The walk prints nothing there: there is no Function, so no name.",
)
def none_for_leaves(bg):
    walk_is(
        bg,
        [*A, "None", "None"],
        ["Div", "Abs", "Sub", "None", "None", "AddScalar", "Exp", "None"],
        ["Add", "Mul", "None", "None", "Exp"],
    )


@wrong(
    walk,
    "the names of Python",
    "These are the signs and methods that you write. grad_fn gives the name of the operation that they call: + of two "
    "Tensors is Add, @ is MatMul, .sum() is Summation. The table in operators.py says which.",
)
def python_names(bg):
    walk_is(
        bg,
        ["sum", "*", "tanh", "@"],
        ["/", "abs", "-", "+", "exp"],
        ["+", "*", "exp"],
        ["+", "exp", "*"],
    )


@wrong(
    walk,
    "the functions instead of the classes",
    "These are the functions of ops, in small letters. name() gives the name of the class: Tanh, MatMul, Summation.",
)
def small_letters(bg):
    walk_is(
        bg,
        ["summation", "mul_scalar", "tanh", "matmul"],
        ["div", "abs", "sub", "add_scalar", "exp"],
        ["add", "mul", "exp"],
        ["add", "exp", "mul"],
    )


@wrong(
    walk,
    "PyTorch's names",
    "That is what PyTorch would print. It has one name for x * 2 and x * y, and its names end in Backward0. Ours are "
    "the names of your own classes: Summation, MulScalar, ...",
)
def names_of_pytorch(bg):
    def named(*names):
        return [f"{name}Backward0" for name in names]

    walk_is(
        bg,
        named("Sum", "Mul", "Tanh", "Mm"),
        named("Div", "Abs", "Sub", "Add", "Exp"),
        named("Add", "Mul", "Exp"),
        named("Add", "Exp", "Mul"),
    )


@wrong(
    walk,
    "a number is taken for a Tensor",
    "For a plain number on the right there is an operation of its own: x * 2 is MulScalar, and x + 1 is AddScalar. (2 "
    "is no node then.) Add and Mul are for two Tensors.",
)
def no_scalars(bg):
    walk_is(bg, ["Summation", "Mul", "Tanh", "MatMul"], ["Div", "Abs", "Sub", "Add", "Exp"])


@wrong(
    walk,
    "the right side first",
    "The walk takes next_functions from left to right, as the inputs stand in the expression. You took the right side "
    "first.",
)
def right_side_first(bg):
    walk_is(bg, b=["Div", "AddScalar", "Exp", "Abs", "Sub"], c=["Add", "Exp", "Mul"])


@wrong(
    walk,
    "level by level",
    "This goes level by level: all that is one step from the result, then all that is two steps away. The walk "
    "finishes one side with all that is behind it before it begins the other.",
)
def level_by_level(bg):
    walk_is(bg, b=["Div", "Abs", "AddScalar", "Sub", "Exp"])


@wrong(
    walk,
    "a name for each way",
    "Two ways lead to z = x * x. The walk prints a Function when it first gets there, and not again.",
)
def each_way(bg):
    walk_is(bg, c=["Add", "Mul", "Exp", "Mul"], backward=["Add", "Exp", "Mul", "Mul"])


@wrong(
    walk,
    "backward walks like the walk",
    "The walk prints Mul when it first gets there. backward may not: z is used by + and by exp, so Mul can be asked "
    "only when both have spoken. That is the rule of notebook 03.",
)
def backward_like_the_walk(bg):
    walk_is(bg, backward=C)


@wrong(
    walk,
    "the walk waits as backward does",
    "The walk does not wait: it goes to the left side first, and that is Mul. It is backward that must wait until all "
    "who used z have spoken.",
)
def the_walk_waits(bg):
    walk_is(bg, c=BACKWARD)


@wrong(
    walk,
    "backward from the leaves",
    "backward begins at the result, which gets the gradient from above: Add comes first. The order you wrote is that "
    "of computing.",
)
def backward_from_the_leaves(bg):
    walk_is(bg, backward=["Mul", "Exp", "Add"])


# 13.2: the twelve engines.


def hunt_is(bg, function):
    bg.hunts.expressions_for_twelve_engines = function


@wrong(
    hunt,
    "the example",
    "That is the example of the docstring, with which every engine is right. Change one thing about it: an operation "
    "that has two inputs, an input that is used twice, a zero, a stretched shape.",
)
def the_example(bg):
    hunt_is(bg, lambda x, row, col, w, batch: [x.exp()])


@wrong(
    hunt,
    "no list",
    "It should return a list, also for a single expression: square brackets around it.",
)
def no_list(bg):
    hunt_is(bg, lambda x, row, col, w, batch: x.exp())


@wrong(
    hunt,
    "one test for each operation",
    "One expression for each operation is how most engines are tested. It finds wrong rules, but no wrong walk: for "
    "that a result must be used twice, or something must lie between the result and the leaves.",
)
def one_operation_each(bg):
    hunt_is(
        bg,
        lambda x, row, col, w, batch: [5 - x, x / col, x.tanh(), x.relu(), x.sum(0), batch @ w, x.max()],
    )


@wrong(
    hunt,
    "a + a only",
    "x + x and x * x give away the engine that lets the last share win, and no other. The other walks go wrong only "
    "where a result is used twice, and not a leaf.",
)
def leaves_twice(bg):
    hunt_is(bg, lambda x, row, col, w, batch: [x + x, x * x])


@wrong(
    hunt,
    "the two owners have different shapes",
    "(x + row) + x was a good idea for engine 10. But a gradient that was summed for row is a new array, so nobody "
    "shares it with x. Take something of x's own shape in place of row, such as x.exp().",
)
def a_row_is_no_owner(bg):
    hunt_is(bg, lambda x, row, col, w, batch: [(x + row) + x])
