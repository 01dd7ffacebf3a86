"""Outcomes of notebook 03, and exam questions about them."""

from grader.exam.question import Other, Question, Wrong, whole

SHOWN_BY = (  # the exercises that show each goal of the notebook, in order
    "3.1",
    "3.2 3.3 3.5",
    "3.4",
    "",
    "",
)

QUESTIONS = (
    Question(
        "3.E1",
        "say what a node passes back to its inputs, and why shares add up",
        points=4,
        minutes=6,
        text="Calculate these gradients of L. The picture has room for your notes.",
        draw=lambda rng: {"x": whole(rng, 3, 7), "k": whole(rng, 2, 5)},
        code="""
            x = Value({x}, label="x")
            u = x + x
            u.label = "u"
            v = x * {k}
            v.label = "v"
            L = u * v
            L.label = "L"
            L.backward()
        """,
        asked=("u.grad", "v.grad", "x.grad"),
        graph="L",
        torch="""
            x = Value({x})
            u = x + x
            v = x * {k}
            u.retain_grad(), v.retain_grad()
            (u * v).backward()
        """,
        wrong=(
            Wrong(("3.1", "assigns instead of adding"), "What arrived earlier at x was overwritten: += became =."),
            Wrong("v.data", "The same, with v's share first: then that of u, twice the same, is what stays.", at=2),
            Wrong(("3.1", "each different input once"), "x + x was counted as one use of x."),
            Wrong(("3.1", "own gradient forgotten"), "Local derivatives alone: no chain rule."),
        ),
    ),
    Question(
        "3.E2",
        "find an order in which no node passes its gradient back too early, with recursion and without, and name "
        "a graph on which another order fails",
        points=4,
        minutes=7,
        text="The walk goes back level by level: first L, then all inputs of L, then all inputs of those, and "
        "each node passes its gradient on when the walk reaches it for the first time. Calculate x.grad as this "
        "walk gives it, and as it should be. (u is x · {k}, and in the picture u is used three times.)",
        draw=lambda rng: {"x": whole(rng, 2, 6), "k": whole(rng, 2, 5)},
        code="""
            x = Value({x}, label="x")
            u = x * {k}
            u.label = "u"
            v = u * u
            v.label = "v"
            w = v + v
            w.label = "w"
            L = u + w
            L.label = "L"
            L.backward()
            right = x.grad
            for node in (x, u, v, w):
                node.grad = 0.0
            level, seen = [L], set()
            while level:
                level = [node for node in dict.fromkeys(level) if node not in seen]
                for node in level:
                    node._backward()
                seen.update(level)
                level = [below for node in level for below in node._prev]
            level_by_level = x.grad
        """,
        shown=False,
        asked={"level by level": "level_by_level", "as it should be": "right"},
        graph="L",
        wrong=(
            Wrong("right", "The walk was done in a right order: u waits for v there, here it does not.", at=0),
            Wrong("4.0 * {x} * {k} * {k}", "The path from L directly to u is missing.", at=1),
        ),
        torch="""
            x = Value({x})
            u = x * {k}
            (u + 2 * u * u).backward()
            right = x.grad
            level_by_level = 1 * {k}
        """,
    ),
    Question(
        "3.E3",
        "write `backward`, and say what a second call does",
        points=3,
        minutes=4,
        text="",
        draw=lambda rng: {"x": whole(rng, 2, 6), "k": whole(rng, 3, 7)},
        code="""
            x = Value({x}.0)
            u = x * {k}.0
            L = u * u
            L.backward()
            print(x.grad)
            L.backward()
            print(x.grad)
        """,
        torch="""
            x = Value({x}.0)
            u = x * {k}.0
            L = u * u
            L.backward(retain_graph=True)
            print(x.grad.clone())
            L.backward()
            print(x.grad)
        """,
        wrong=(
            Wrong(
                ("3.4", "leaves wiped too"),
                "The second call was thought to start from nothing: leaves keep what they have.",
            ),
            Wrong(("3.4", "inner nodes not wiped"), "The inner node's gradient was counted again: only leaves add up."),
        ),
    ),
    Question(
        "3.E4",
        "count what a backward pass costs: by nodes, by paths, by inputs",
        points=3,
        minutes=5,
        text="y = x, and then ten times y = y + y. How many paths lead from the result to x? How many nodes does "
        "a backward pass in topological order visit? What would a walk cost that follows each path by itself, "
        "for 60 doublings?",
        answer="Each doubling doubles the number of paths: 2 to the power of 10 is 1,024. In topological order "
        "each node is visited once: 11 nodes, x and ten sums. By paths 60 doublings would take 2 to the power of "
        "60 visits, about 10 to the power of 18: it would never end. In topological order it is 61.",
        marking=(
            (1, "1,024 paths."),
            (1, "11 nodes (10 without the leaf is accepted if it is said)."),
            (1, "By paths it grows exponentially and does not end; by nodes it grows with the number of nodes."),
        ),
        wrong=(
            Wrong("20 paths", "Edges were counted, not paths."),
            Wrong("1,024 nodes", "Paths and nodes were confused: a shared node is one node."),
        ),
        other=Other(
            text="Two nodes are made from x. Then, eight times, two new nodes are made, each from both nodes "
            "before; at the end L is made from the last two. How many paths lead from L to x? How many "
            "nodes does a backward pass in topological order visit? What would a walk cost that follows "
            "each path by itself, if the step were repeated 80 times?",
            answer="There are nine pairs of nodes, and at each of them a path chooses one of two: 2 to the power"
            " of 9 is 512. Each node is visited once: x, 18 in the pairs, and L are 20. With 80 "
            "repetitions there are 81 pairs, and 2 to the power of 81 paths, more than 10 to the power of"
            " 24: it would never end. In topological order it is 164.",
            marking=(
                (1, "512 paths."),
                (1, "20 nodes (18 or 19 is accepted if it is said what was left out)."),
                (1, "By paths it grows exponentially and does not end; by nodes it grows with the number of nodes."),
            ),
            wrong=(
                Wrong("256 paths", "One pair was forgotten: there are nine, and a path chooses at each."),
                Wrong("512 nodes", "Paths and nodes were confused: a shared node is one node."),
            ),
        ),
    ),
)
