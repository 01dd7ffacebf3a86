"""Right answers to the exercises of notebook 13, in other styles."""

import numpy as np


def variant_13_1_tuples(bg):
    """Tuples, and names joined in a text and taken apart."""

    def names_on_the_way():
        return {
            "B backward": ("Add", "Exp", "Mul"),
            "B": ("Add", "Mul", "Exp"),
            "C backward": tuple("Mul Tanh Add MulScalar Exp".split()),  # noqa: SIM905
            "A": tuple("Summation Div Abs MatMul AddScalar Exp".split()),  # noqa: SIM905
        }

    bg.hunts.names_on_the_way = names_on_the_way


def variant_13_1_asked_the_engine(bg):
    """Not by hand: the engine is asked."""

    def walk(function, seen):
        if function is None or function in seen:
            return []
        seen.append(function)
        return [function.name()] + [name for behind, _ in function.next_functions for name in walk(behind, seen)]

    def names_on_the_way():
        x, y, w = bg.Tensor([[1.0, 2.0]]), bg.Tensor([[3.0, 4.0]]), bg.Tensor([[1.0], [2.0]])
        z, t = x * x, x.exp()
        b, c = z + z.exp(), t * (t + t * 2).tanh()

        def asked(root):
            return [node._op.name() for node in bg.autograd.topological_order(root) if node._op][::-1]

        return {
            "A": walk(((x @ w).abs() / (y.exp() + 1)).sum().grad_fn, []),
            "B": walk(b.grad_fn, []),
            "B backward": asked(b),
            "C backward": asked(c),
        }

    bg.hunts.names_on_the_way = names_on_the_way


def variant_13_3_recursion(bg):
    """Recursion with a memory, and each side of a product by itself."""
    mode = bg.forward_mode

    def of_a_product(node, rate_a, rate_b):
        a, b = node._inputs
        sides = [(rate_a, b.data), (a.data, rate_b)]
        return sum(x @ y if node._op.name() == "MatMul" else x * y for x, y in sides)

    def rate_of(output, rates):
        memory = {}

        def rate(node):
            if node not in memory:
                if node._op is None:
                    memory[node] = np.array(rates.get(node, np.zeros_like(node.data)))
                else:
                    memory[node] = mode.moved(node, list(map(rate, node._inputs)))
            return memory[node]

        return rate(output)

    mode.rate_of = rate_of
    for name in ("Mul", "MatMul"):
        mode.RULES[name] = of_a_product
    mode.of_a_product = of_a_product


def variant_13_3_zeros_first(bg):
    """Every leaf is given a rate before the walk."""
    mode, order_of = bg.forward_mode, bg.autograd.topological_order

    def rate_of(output, rates):
        known = {}
        for node in order_of(output):
            for x in node._inputs:
                known.setdefault(x, rates.get(x, 0 * x.data))
            known[node] = (
                mode.moved(node, [known[x] for x in node._inputs]) if node._op else rates.get(node, 0 * node.data)
            )
        return known[output]

    mode.rate_of = rate_of


def variant_13_4_one_for_each(bg):
    """As many expressions as are allowed, a small idea in each, or two."""

    def expressions_for_twelve_engines(x, row, col, w, batch):
        middle = x * 2
        return (
            1 - x.tanh(),
            x * col / row,
            x.relu().sum(0),
            batch @ w,
            x.max(1, keepdims=True),
            middle * (middle + 1),
            middle + x + middle,
            (row.exp() + row) + row,
        )

    bg.hunts.expressions_for_twelve_engines = expressions_for_twelve_engines


def variant_13_4_large_ones(bg):
    """Few expressions, five operations in each."""

    def expressions_for_twelve_engines(x, row, col, w, batch):
        y = x.tanh()
        t = 5 - x
        found = [(t / col + t).relu(), (x + y) + x]
        found.append((batch @ w).sum(axis=0).max(axis=0))
        z = row * row
        found += [z * (z * row), x.relu() - x.sum(0)]
        found.append(x.max())
        return found

    bg.hunts.expressions_for_twelve_engines = expressions_for_twelve_engines
