"""Outcomes of notebook 15, and exam questions about them."""

from grader.exam.question import Other, Question, Wrong, whole

SHOWN_BY = (  # the exercises that show each goal of the notebook, in order
    "15.1",
    "15.2 15.3 15.4 15.8",
    "15.5 15.6",
    "",
)

QUESTIONS = (
    Question(
        "15.E1",
        "write three passes that shorten a program, and say why each leaves the numbers alone",
        points=4,
        minutes=6,
        text="A program takes x and returns v6. {a} and {b} are constants.\n\n"
        "v0 = {a} + {b}; v1 = x * v0; v2 = exp(x); v3 = x * v0; v4 = v1 + v3; v5 = tanh(v2); v6 = v4 * v1\n\n"
        "Constants are folded, then everything is done only once, then what nobody uses is thrown away. Calculate how "
        "many lines are left after each of the three passes, and what the folded constant is.",
        draw=lambda rng: {"a": whole(rng, 2, 9), "b": whole(rng, 2, 9)},
        code="""
            lines = {
                "v0": ("+", "{a}", "{b}"), "v1": ("*", "x", "v0"), "v2": ("exp", "x"), "v3": ("*", "x", "v0"),
                "v4": ("+", "v1", "v3"), "v5": ("tanh", "v2"), "v6": ("*", "v4", "v1"),
            }
            constant = {a} + {b}
            lines.pop("v0")
            folded = len(lines)
            first, called = {}, {}
            for name, line in list(lines.items()):
                line = tuple(called.get(word, word) for word in line)
                called[name] = first.setdefault(line, name)
            lines = {name: line for line, name in first.items()}
            once = len(lines)
            read, used = {"v6"}, 0
            for name, line in reversed(lines.items()):
                if name in read:
                    read.update(line)
                    used += 1
        """,
        shown=False,
        asked={"constant": "constant", "after folding": "folded", "after each once": "once", "what is used": "used"},
        wrong=(
            Wrong("4", "exp was counted as used: only tanh reads it, and nobody reads tanh.", at=3),
            Wrong("6", "v1 and v3 were not seen to be the same: same operation, same inputs.", at=2),
        ),
    ),
    Question(
        "15.E2",
        "find out who reads an array last, and when a result may be written over an input",
        points=3,
        minutes=5,
        text="Each line is an operation element by element, and out= is the array of an input.",
        draw=lambda rng: {"x": whole(rng, 2, 5), "k": whole(rng, 6, 9)},
        code="""
            x = np.array([{x}.0])
            a = x * {k}
            b = np.add(a, 1.0, out=a)
            c = a * 2
            print(b.item(), c.item())
            a = x * {k}
            b = a + 1.0
            c = np.multiply(a, 2, out=a)
            print(b.item(), c.item())
        """,
        torch="""
            x = torch.tensor([{x}.0])
            a = x * {k}
            b = torch.add(a, 1.0, out=a)
            c = a * 2
            print(b.item(), c.item())
            a = x * {k}
            b = a + 1.0
            c = torch.multiply(a, 2, out=a)
            print(b.item(), c.item())
        """,
        wrong=(
            Wrong(
                "{x}.0 * {k} * 2", "a was thought to keep its numbers: c reads it after it has been written over.", at=0
            ),
            Wrong("{x}.0 * {k} + 2", "Written over at its last reading, a harms nobody: nothing else changes.", at=1),
        ),
    ),
    Question(
        "15.E3",
        "say what a compiler of training steps sees, and what it cannot see",
        points=4,
        minutes=6,
        text="A training step is run once, each operation is written down, and later only the list is run. The "
        "step contains `if loss.item() > 1: ...`, a mask `np.random.rand(...) > 0.5` made inside, and a batch "
        "that is an argument. What happens to each of the three in the list, and what should a careful compiler "
        "do about it?",
        answer="The list has the operations of the branch that was taken, for good: the question itself is no "
        "operation. So a compiler has to refuse reading the number of a traced result. The mask is a constant in "
        "the list: each step would drop the same units; it has to become an input that is drawn anew, or be "
        "refused. The batch is an input: each run reads the numbers that are there, as long as shape and dtype "
        "are the same; another shape needs another list.",
        marking=(
            (1, "The branch taken is baked in."),
            (1, "The mask is baked in as a constant."),
            (1, "The batch is an input, for one shape and dtype."),
            (1, "Refuse, or make it an input, rather than go on with a wrong list."),
        ),
        wrong=(
            Wrong("the if is in the list", "A list of operations has no branches: only what was done is seen."),
            Wrong("the mask is drawn anew", "The drawing was not an operation of the engine, so nobody saw it."),
        ),
        other=Other(
            text="A training step is run once, each operation is written down, and later only the list is run."
            " The step goes over a Python list of layers with `for`, it multiplies a gradient by a plain "
            'Python number that a schedule lowers every epoch, and it calls print("step"). What becomes '
            "of each of the three, and what should a careful compiler do about the number?",
            answer="The loop is gone: its operations stand one after the other, once for each layer that there "
            "was. The number is a constant: the schedule could lower it as it likes, and the program "
            "would go on with the first. It has to become an input that is read at each run, or be "
            "refused. The text is printed while the step is traced, and no more after that: printing is "
            "no operation on arrays.",
            marking=(
                (1, "The loop is unrolled, for the layers that there were."),
                (1, "The number is baked in as a constant."),
                (1, "print is done while tracing alone."),
                (1, "Refuse, or make it an input, rather than go on with a wrong list."),
            ),
            wrong=(
                Wrong("the loop is in the list", "A list of operations has no loops: only what was done is seen."),
                Wrong("it prints in each run", "Printing was not an operation of the engine, so nobody saw it."),
            ),
        ),
    ),
    Question(
        "15.E4",
        "say what is left to gain after that, and who gains it",
        points=3,
        minutes=5,
        text="A compiled step calls NumPy once for each line, and each call goes over whole arrays. y = relu(x * "
        "w + b) is three such calls. What does fusing them into one loop save for large arrays, and what for "
        "small ones? Why can NumPy not do it, and what kind of program can?",
        answer="Large arrays: each call reads its inputs from memory and writes its result there; fused, each "
        "number is read once and written once, and what lies between stays in a register. Small arrays: two of "
        "the three calls, with their fixed price, are gone. NumPy's functions are compiled beforehand, each with "
        "a loop of its own. It takes a compiler that writes the loop when the step is known, such as XLA for "
        "JAX, or torch.compile's.",
        marking=(
            (1, "Large: traffic to memory."),
            (1, "Small: the overhead of calls."),
            (1, "The loop has to be compiled for this very step (just in time)."),
        ),
        wrong=(
            Wrong("it saves multiplications", "The arithmetic is the same; moving numbers and calling is less."),
            Wrong("NumPy could with out=", "out= saves an allocation; there are still three loops."),
        ),
        other=Other(
            text="exp(-(x - 3) ** 2) on an array of 100 million numbers is four calls of NumPy. How many "
            "arrays of that size are read and written in all, and how many by one loop that does "
            "everything for each number? What would that loop save for ten numbers? What does it take to "
            "get it, and why does NumPy have none?",
            answer="Each of the four calls reads one array and writes one: four and four. The one loop reads x "
            "once and writes the result once; what lies between stays in a register. With ten numbers "
            "memory plays no part: three of four calls, with their fixed price, are gone. The loop has to"
            " be compiled for just this expression, when it is known, as XLA and torch.compile do. "
            "NumPy's functions were compiled long before, each by itself.",
            marking=(
                (1, "Large: four and four against one and one; traffic to memory."),
                (1, "Small: the overhead of three calls."),
                (1, "The loop has to be compiled for this very expression (just in time)."),
            ),
            wrong=(
                Wrong("it saves multiplications", "The arithmetic is the same; moving numbers and calling is less."),
                Wrong("NumPy could with out=", "out= saves an allocation; there are still four loops."),
            ),
        ),
    ),
)
