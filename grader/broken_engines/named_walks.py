"""Notebook 13: expressions that know nothing but the names of their operations, and the walks over them."""


class Named:
    """The result of an operation (its name and its inputs), or a leaf, whose name is ""."""

    def __init__(self, name="", *inputs):
        self.name, self.inputs = name, inputs

    def exp(self):
        return Named("Exp", self)

    def tanh(self):
        return Named("Tanh", self)

    def abs(self):
        return Named("Abs", self)

    def sum(self):
        return Named("Summation", self)


def _of_two(of_tensors, of_a_number=None):
    """The method for a sign: between two results, or with a plain number on its right."""

    def method(self, other):
        return Named(of_tensors, self, other) if isinstance(other, Named) else Named(of_a_number, self)

    return method


Named.__add__, Named.__mul__ = _of_two("Add", "AddScalar"), _of_two("Mul", "MulScalar")
Named.__sub__, Named.__truediv__, Named.__matmul__ = _of_two("Sub"), _of_two("Div"), _of_two("MatMul")


def _a(x, y, w):
    return ((x @ w).abs() / (y.exp() + 1)).sum()


def _b(x, y, w):
    z = x * x
    return z + z.exp()


def _c(x, y, w):
    t = x.exp()
    return t * (t + t * 2).tanh()


def walk(node, seen):
    """The nodes with a name, each when it is first met, then what is behind it.  seen: a set of those met before."""
    if not node.name or node in seen:
        return []
    seen.add(node)
    return [node, *(behind for x in node.inputs for behind in walk(x, seen))]


def asked_by_backward(node, seen):
    """The nodes with a name, each after all that were made from it."""
    return _in_order_of_computing(node, seen)[::-1]


def _in_order_of_computing(node, seen):
    if not node.name or node in seen:
        return []
    seen.add(node)
    return [*(before for x in node.inputs for before in _in_order_of_computing(x, seen)), node]


WALKS = {"A": (walk, _a), "B": (walk, _b), "B backward": (asked_by_backward, _b), "C backward": (asked_by_backward, _c)}


def names_on_the_way(key):
    """The list of names that exercise 13.1 asks for under this key."""
    order, build = WALKS[key]
    return [node.name for node in order(build(Named(), Named(), Named()), set())]
