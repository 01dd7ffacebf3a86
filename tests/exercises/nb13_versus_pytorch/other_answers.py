"""Right answers to the exercises of notebook 13, in other styles."""


def variant_13_1_tuples(bg):
    """Tuples, and names joined in a text and taken apart."""

    def names_on_the_way():
        return {
            "C backward": ("Add", "Exp", "Mul"),
            "C": ("Add", "Mul", "Exp"),
            "B": tuple("Div Abs Sub AddScalar Exp".split()),  # noqa: SIM905
            "A": tuple("Summation MulScalar Tanh MatMul".split()),  # noqa: SIM905
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
        z = x * x
        c = z + z.exp()
        order = [node._op.name() for node in bg.autograd.topological_order(c) if node._op]
        return {
            "A": walk(((x @ w).tanh() * 2).sum().grad_fn, []),
            "B": walk(((x - y).abs() / (y.exp() + 1)).grad_fn, []),
            "C": walk(c.grad_fn, []),
            "C backward": order[::-1],
        }

    bg.hunts.names_on_the_way = names_on_the_way


def variant_13_2_one_for_each(bg):
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


def variant_13_2_large_ones(bg):
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
