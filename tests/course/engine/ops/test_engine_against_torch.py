"""The tensor engine against PyTorch, on random graphs of all operations.

A graph is a short program: one line of Python for each step, once for babygrad and once for PyTorch. So a graph
that shows a difference is printed as the code that it is. A step is one operation, or a few where the domain asks
for more (the logarithm of x * x + 0.5).
"""

import math
import re
import runpy
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
import torch

import babygrad as bg
from babygrad import autograd, tensor
from babygrad.ops import Function
from babygrad.ops.arithmetic import Mul
from babygrad.ops.matrix import MatMul
from babygrad.ops.shape import BroadcastTo

GRAPHS = 5000
BLOCK = 100
LONGEST = 30
LARGEST = 150  # numbers in an array


# What should be 0 comes out as the rounding error of what cancelled: so the largest number counts a little as well.
COMPARISON = """
largest = max(np.abs(array).max(initial=0) for array in (UPSTREAM, *pytorchs()))
for mine, other in zip(ours(), pytorchs()):
    atol = 1e-10 * np.abs(other).max(initial=0) + 1e-13 * largest
    assert mine.shape == other.shape, (mine.shape, other.shape)
    np.testing.assert_allclose(mine, other, rtol=1e-10, atol=atol)
""".strip().splitlines()


class Program:
    """Arrays, leaves and steps, each with a name, and the gradient that the last step's result gets.

    arrays: name -> ndarray.  leaves: name -> does it require grad?  (Its array has the same name as a capital.)
    steps: name -> (the expression for babygrad, the one for PyTorch).
    """

    def __init__(self, arrays, leaves, steps, upstream):
        self.arrays, self.leaves, self.steps, self.upstream = arrays, leaves, steps, upstream

    def code(self):
        """Lines that reproduce the comparison, on their own."""
        wanted = [name for name, requires_grad in self.leaves.items() if requires_grad]
        grads, theirs = (", ".join(f"{name}.grad{end}" for name in wanted) for end in ("", ".numpy()"))
        root = list(self.steps)[-1]
        arrays = {**self.arrays, "UPSTREAM": self.upstream}
        return [
            "import numpy as np, torch, babygrad as bg",
            "from babygrad import ops",
            *[f"{name} = {literal(array)}" for name, array in arrays.items()],
            "def ours():",
            *[f"    {name} = bg.Tensor({name.upper()}, requires_grad={g})" for name, g in self.leaves.items()],
            *[f"    {name} = {ours}" for name, (ours, _) in self.steps.items()],
            f"    {root}.backward(UPSTREAM)",
            f"    return {root}.data, {grads}",
            "def pytorchs():",
            *[f"    {name} = torch.tensor({name.upper()}, requires_grad={g})" for name, g in self.leaves.items()],
            *[f"    {name} = {theirs}" for name, (_, theirs) in self.steps.items()],
            f"    {root}.backward(torch.tensor(UPSTREAM))",
            f"    return {root}.detach().numpy(), {theirs}",
            *COMPARISON,
        ]

    def up_to(self, last):
        """The part of the program that the step `last` needs."""
        needed, names = {last}, list(self.steps)
        for name in reversed(names[: names.index(last) + 1]):
            if name in needed:
                needed |= names_in(self.steps[name])
        return Program(
            {n: a for n, a in self.arrays.items() if n in needed or n.lower() in needed},
            {n: g for n, g in self.leaves.items() if n in needed},
            {n: s for n, s in self.steps.items() if n in needed},
            self.upstream,
        )

    def only(self, last):
        """The step `last` alone; what it was made from are leaves."""
        values, words = pytorchs_values(self), names_in(self.steps[last])
        leaves = {n: values[n].requires_grad for n in [*self.leaves, *self.steps] if n in words}
        arrays = {n.upper(): values[n].detach().numpy() for n in leaves}
        constants = {n: array for n, array in self.arrays.items() if n in words}
        return Program({**constants, **arrays}, leaves, {last: self.steps[last]}, self.upstream)


def names_in(expressions):
    return set(re.findall(r"\w+", " ".join(expressions)))


def literal(array):
    numbers = f"np.array({array.ravel().tolist()}{'' if array.size else ', float'})"
    return numbers if array.ndim == 1 else f"{numbers}.reshape({array.shape})"


def difference(program):
    """None if ours and PyTorch's numbers agree, else what is wrong."""
    try:
        exec("\n".join(program.code()), {})
    except Exception as error:
        return f"{type(error).__name__}: {error}"


def smallest_difference(program, rng):
    """(a part of the program that shows a difference too, what is wrong); a single step if that is enough."""
    for name in program.steps:
        for part in (program.only(name), program.up_to(name)):
            result = pytorchs_values(part)[name]
            if result.requires_grad:
                part.upstream = rounded(rng, tuple(result.shape))
                words = difference(part)
                if words:
                    return part, words
    return program, difference(program)


def pytorchs_values(program):
    values = {"torch": torch, **program.arrays}
    for name, requires_grad in program.leaves.items():
        values[name] = torch.tensor(program.arrays[name.upper()], requires_grad=requires_grad)
    for name, (_, theirs) in program.steps.items():
        values[name] = eval(theirs, values)
    return values


# Growing a program.


def rounded(rng, shape):
    """Short numbers of both signs, now and then a 0."""
    return np.asarray(np.round(rng.normal(size=shape), 2)) + 0.0


class Growing:
    """A program while it grows, with PyTorch's value of each of its names."""

    def __init__(self, rng):
        self.rng = rng
        self.arrays, self.leaves, self.steps, self.values = {}, {}, {}, {}
        self.sizes = rng.choice([1, 1, 2, 3, 4], size=4) * (rng.random(4) > 0.04)
        for _ in range(rng.integers(1, 4)):
            self.leaf(self.shape())

    def shape(self):
        """A shape of 0 to 4 axes; any two of them broadcast."""
        rank = self.rng.choice(5, p=[0.1, 0.2, 0.35, 0.25, 0.1])
        stretched = self.rng.random(rank) < 0.2
        return tuple(int(n) for n in np.where(stretched, 1, self.sizes[4 - rank :]))

    def beside(self, shape):
        """A shape that broadcasts with this one."""
        shape = shape[self.rng.integers(len(shape) + 1) if self.chance(0.3) else 0 :]
        return tuple(1 if self.chance(0.2) else n for n in shape)

    def chance(self, share):
        return self.rng.random() < share

    def leaf(self, shape):
        name = f"a{len(self.leaves)}"
        self.arrays[name.upper()] = rounded(self.rng, shape)
        self.leaves[name] = not self.leaves or self.chance(0.85)
        self.values[name] = torch.tensor(self.arrays[name.upper()], requires_grad=self.leaves[name])
        return name

    def constant(self, shape):
        """The name of an array in both programs; for PyTorch it must be made a tensor."""
        name = f"K{len(self.arrays)}"
        self.arrays[name] = rounded(self.rng, shape)
        return name

    def pick(self):
        """Some earlier name, often one that nothing was made from yet."""
        names = self.chance(0.6) and self.unused()
        return self.any_of(names or list(self.values))

    def unused(self):
        """Names that no step has made anything from."""
        used = names_in([ours for ours, _ in self.steps.values()])
        return [name for name in self.values if name not in used]

    def any_of(self, choices):
        return choices[self.rng.integers(len(choices))]

    def partner(self, fits):
        """An earlier name whose shape fits, or None."""
        names = [y for y in self.values if fits(tuple(self.values[y].shape))]
        return self.any_of(names) if names else None

    def near_a_kink(self, x):
        """Could rounding turn the sign of a number? (A leaf's 0 is a 0 on both sides.)"""
        return x not in self.leaves and bool((self.values[x].abs() < 1e-6).any())

    def near_a_tie(self, x):
        """Could rounding make another number the largest? (Equal numbers of a leaf are equal on both sides.)"""
        numbers = self.values[x].detach().flatten().sort().values
        return x not in self.leaves and bool((numbers.diff() < 1e-6).any())

    def within(self, x, low, high):
        return bool(((self.values[x] > low) & (self.values[x] < high)).all())

    def append(self, ours, theirs):
        """One more step, unless its numbers are too large or too many."""
        value = eval(theirs, {"torch": torch, **self.arrays, **self.values})
        if value.numel() > LARGEST or value.dim() > 5 or not (value.abs() < 30).all():
            return
        name = f"v{len(self.steps)}"
        self.steps[name], self.values[name] = (ours, theirs), value

    def join(self):
        """The loose ends, each weighted, added up to one number."""
        loose = [name for name in self.unused() if name in self.steps]
        weights = [self.constant(tuple(self.values[name].shape)) for name in loose]
        ours = [f"({name} * {k}).sum()" for name, k in zip(loose, weights)]
        theirs = [f"({name} * torch.tensor({k})).sum()" for name, k in zip(loose, weights)]
        self.append(" + ".join(ours), " + ".join(theirs))

    def done(self):
        """The program up to the last result that requires grad, or None."""
        for name in reversed(self.steps):
            if self.values[name].requires_grad:
                whole = Program(self.arrays, self.leaves, self.steps, None).up_to(name)
                whole.upstream = rounded(self.rng, tuple(self.values[name].shape))
                return whole


# One function for each kind of step. It gives the two expressions, or None if it has no fitting inputs.


def squared(x):
    """Never 0, never negative."""
    return f"({x} * {x} + 0.5)"


def two_tensors(g):
    x = g.pick()
    shape = tuple(g.values[x].shape)
    y = g.chance(0.7) and g.partner(lambda other: broadcasts(shape, other))
    y = y or g.leaf(g.beside(shape))
    x, y = (x, y) if g.chance(0.5) else (y, x)
    name, sign = g.any_of([("add", "+"), ("sub", "-"), ("mul", "*"), ("div", "/"), ("pow", "**")])
    if name == "div" and not (g.within(y, 0.2, 9) or g.within(y, -9, -0.2)):
        y = squared(y)
    if name == "pow":
        x, y = x if g.within(x, 0.2, 5) else squared(x), y if g.within(y, -2, 2) else f"{y}.tanh()"
    theirs = f"{x} {sign} {y}"
    return (theirs if g.chance(0.6) else f"ops.{name}({x}, {y})"), theirs


def broadcasts(*shapes):
    try:
        return math.prod(np.broadcast_shapes(*shapes)) <= LARGEST
    except ValueError:
        return False


NUMBERS = [
    ("{x} + 1.5", "ops.add_scalar({x}, 1.5)"),
    ("{x} - 2", "ops.add_scalar({x}, -2)"),
    ("{x} * -0.7", "ops.mul_scalar({x}, -0.7)"),
    ("{x} / 1.3", "ops.div_scalar({x}, 1.3)"),
    ("{x} ** 2", "ops.power_scalar({x}, 2)"),
    ("{x} ** 3", "ops.power_scalar({x}, 3)"),
    ("{x} ** 1", "ops.power_scalar({x}, 1)"),
    ("{x} ** 0", "ops.power_scalar({x}, 0)"),
    ("{s} ** -1.5", "ops.power_scalar({s}, -1.5)"),
    ("{s} ** 0.5", "ops.power_scalar({s}, 0.5)"),
    ("0.5 + {x}", "0.5 + {x}"),
    ("2 - {x}", "2 - {x}"),
    ("3 * {x}", "3 * {x}"),
    ("2 / {s}", "2 / {s}"),
    ("2 ** {x}.tanh()", "2 ** {x}.tanh()"),
    ("-{x}", "ops.negate({x})"),
]


def with_a_number(g):
    x = g.pick()
    theirs, other = (text.format(x=x, s=squared(x)) for text in g.any_of(NUMBERS))
    return (theirs if g.chance(0.6) else other), theirs


ARRAYS = [
    "{x} + {k}",
    "{k} + {x}",
    "{x} - {k}",
    "{k} - {x}",
    "{x} * {k}",
    "{k} * {x}",
    "{k} / {s}",
    "{x} / ({k} ** 2 + 0.5)",
    "({k} ** 2 + 0.5) ** {x}.tanh()",
    "{x} ** {k}.round().clip(0, 3)",
]


def with_an_array(g):
    x = g.pick()
    k = g.constant(g.beside(tuple(g.values[x].shape)))
    text = g.any_of(ARRAYS)
    as_list = text.count("{k}") == 1 and "** {k}" not in text and "{k} **" not in text and g.arrays[k].size
    ours = f"{k}.tolist()" if as_list and g.chance(0.4) else k
    return text.format(x=x, s=squared(x), k=ours), text.format(x=x, s=squared(x), k=f"torch.tensor({k})")


def of_each_number(g):
    x, name = g.pick(), g.any_of(["exp", "log", "sqrt", "abs", "relu", "sigmoid", "tanh"])
    if name in ("log", "sqrt") and not g.within(x, 0.2, math.inf):
        x = squared(x)
    elif name == "exp" and not g.within(x, -5, 3):
        x = f"{x}.tanh()"
    elif name in ("abs", "relu") and g.near_a_kink(x):
        return None
    return (f"{x}.{name}()" if g.chance(0.6) else f"ops.{name}({x})"), f"{x}.{name}()"


def reshaped(g):
    x = g.pick()
    shape = list(g.values[x].shape)
    sizes = list(g.rng.permutation(shape + [1] * g.rng.integers(0, 2)))
    if len(sizes) > 1 and g.chance(0.5):
        sizes[:2] = [sizes[0] * sizes[1]]
    sizes = tuple(int(n) for n in sizes)[:4] if math.prod(map(int, sizes[4:])) == 1 else (-1,)
    if sizes and math.prod(shape) and g.chance(0.3):
        sizes = (-1, *sizes[1:])
    return g.any_of([f"{x}.reshape({sizes})", f"ops.reshape({x}, {sizes})"]), f"{x}.reshape({sizes})"


def transposed(g):
    x = g.pick()
    rank = g.values[x].dim()
    if rank >= 2 and g.chance(0.4):
        return g.any_of([f"{x}.transpose()", f"ops.transpose({x})"]), f"{x}.transpose(-1, -2)"
    if g.chance(0.2):
        return f"{x}.T", f"{x}.permute({tuple(range(rank))[::-1]})"
    axes = tuple(int(n) - rank * g.chance(0.3) for n in g.rng.permutation(rank))
    return g.any_of([f"{x}.transpose({axes})", f"ops.transpose({x}, {axes})"]), f"{x}.permute({axes})"


def summed(g):
    x, name = g.pick(), g.any_of(["sum", "mean"])
    rank, function = g.values[x].dim(), {"sum": "summation", "mean": "mean"}[name]
    if rank == 0 or g.chance(0.15):
        return g.any_of([f"{x}.{name}()", f"ops.{function}({x})"]), f"{x}.{name}()"
    chosen = g.rng.permutation(rank)[: g.rng.integers(1, rank + 1)]
    axes, keep = tuple(int(n) - rank * g.chance(0.3) for n in chosen), g.chance(0.4)
    ours = axes[0] if len(axes) == 1 else g.any_of([axes, list(axes)])
    words = g.any_of([f"{x}.{name}({ours}, {keep})", f"ops.{function}({x}, {ours}, keepdims={keep})"])
    return words, f"{x}.{name}({axes}, {keep})"


def stretched(g):
    x = g.pick()
    shape = tuple(int(g.rng.integers(2, 4)) if n == 1 and g.chance(0.7) else n for n in g.values[x].shape)
    if len(shape) < 4 and g.chance(0.6):
        shape = (int(g.rng.integers(0, 4)), *shape)
    return g.any_of([f"{x}.broadcast_to({shape})", f"ops.broadcast_to({x}, {shape})"]), f"{x}.broadcast_to({shape})"


def multiplied(g):
    x = g.pick()
    shape = tuple(g.values[x].shape)
    if not shape:
        return None
    y = g.chance(0.4) and g.partner(lambda other: other and multiplies(shape, other))
    y = y or g.leaf(factor_for(g, shape))
    if multiplies(tuple(g.values[y].shape), shape) and g.chance(0.5):
        x, y = y, x
    return g.any_of([f"{x} @ {y}", f"ops.matmul({x}, {y})", f"{x}.matmul({y})"]), f"{x} @ {y}"


def multiplies(a, b):
    return not MatMul().why_refused(a, b)


def factor_for(g, shape):
    """The shape of something that the shape can be multiplied by: a vector, a matrix, a batch."""
    if g.chance(0.25):
        return shape[-1:]
    batch = g.beside(shape[:-2]) if g.chance(0.5) else ((2,) if len(shape) <= 2 and g.chance(0.5) else ())
    return (*batch, shape[-1], int(g.rng.integers(1, 4)))


def affine(g):
    x = g.pick()
    if not g.values[x].dim():
        return None
    w = g.leaf((int(g.values[x].shape[-1]), int(g.rng.integers(1, 4))))
    b = g.leaf((int(g.values[w].shape[1]),))
    return f"ops.affine({x}, {w}, {b})", f"{x} @ {w} + {b}"


def cross_entropy(g):
    x = g.pick()
    if g.values[x].dim() != 2 or 0 in g.values[x].shape:
        return None
    rows, columns = g.values[x].shape
    targets = g.rng.integers(columns, size=rows).tolist()
    theirs = f"torch.nn.functional.cross_entropy({x}, torch.tensor({targets}))"
    return f"ops.cross_entropy({x}, {targets})", theirs


def picked(g):
    """Numbers by their places. The same text means the same to both."""
    x = g.pick()
    shape = tuple(g.values[x].shape)
    if not shape or 0 in shape:
        return None
    place = int(g.rng.integers(-shape[0], shape[0]))
    several = g.rng.integers(-shape[0], shape[0], size=3).tolist()  # often one place twice
    choices = [f"{place}", f"{place}:", f"::{g.rng.integers(1, 3)}", f"{several}"]
    if len(shape) > 1:
        columns = g.rng.integers(shape[1], size=3).tolist()
        choices += [f":, {columns[0]}", f":, {columns}", f"{several}, {columns}"]
    text = f"{x}[{g.any_of(choices)}]"
    return text, text


def along_axes(g):
    x, name = g.pick(), g.any_of(["max", "logsumexp", "softmax", "log_softmax"])
    shape = tuple(g.values[x].shape)
    if not shape or 0 in shape or (name == "max" and g.near_a_tie(x)):
        return None
    axis, keep = int(g.rng.integers(-len(shape), len(shape))), g.chance(0.4)
    if name in ("softmax", "log_softmax"):
        return g.any_of([f"{x}.{name}({axis})", f"ops.{name}({x}, {axis})"]), f"{x}.{name}({axis})"
    axes = tuple(range(len(shape))) if g.chance(0.2) else axis
    ours = "None" if axes != axis else axis
    theirs = {"max": "amax", "logsumexp": "logsumexp"}[name]
    words = g.any_of([f"{x}.{name}({ours}, {keep})", f"ops.{name}({x}, axis={ours}, keepdims={keep})"])
    return words, f"{x}.{theirs}({axes}, {keep})"


KINDS = {
    two_tensors: 6,
    with_a_number: 4,
    with_an_array: 3,
    of_each_number: 5,
    reshaped: 2,
    transposed: 2,
    summed: 2,
    stretched: 1,
    multiplied: 3,
    affine: 1,
    cross_entropy: 0.3,
    picked: 2,
    along_axes: 5,
}
SHARES = np.array(list(KINDS.values())) / sum(KINDS.values())


def grown(rng):
    """A random program, or None if it came to nothing."""
    growing = Growing(rng)
    length = rng.integers(1, LONGEST + 1)
    for _ in range(2 * length):
        texts = list(KINDS)[rng.choice(len(KINDS), p=SHARES)](growing)
        if texts:
            growing.append(*texts)
        if len(growing.steps) == length:
            break
    texts = growing.chance(0.2) and cross_entropy(growing)
    if texts:
        growing.append(*texts)
    if growing.steps and len(growing.unused()) > 1 and growing.chance(0.7):
        growing.join()
    return growing.done()


def programs(seed, count=BLOCK):
    rng = np.random.default_rng([2024, seed])
    while count:
        program = grown(rng)
        if program:
            count -= 1
            yield program


def report(program, seed=0):
    """The shortest code that shows the difference."""
    part, words = smallest_difference(program, np.random.default_rng(seed))
    return "\n".join([f"babygrad and PyTorch differ: {words}", "# this code shows it", *part.code()])


@pytest.fixture(autouse=True)
def one_thread():
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize(
    "block",
    [
        *range(2),
        *(pytest.param(n, marks=pytest.mark.leg("push")) for n in range(2, 5)),
        *(pytest.param(n, marks=pytest.mark.leg("night")) for n in range(5, GRAPHS // BLOCK)),
    ],
)
def test_values_and_gradients_equal_pytorchs(block):
    for program in programs(block):
        if difference(program):
            pytest.fail(report(program), pytrace=False)


# Are the graphs what they should be?


@pytest.fixture(scope="module")
def a_tenth():
    return [program for block in range(GRAPHS // BLOCK // 10) for program in programs(block)]


def operations_of(program):
    """The names of the operations that babygrad carries out forwards."""
    names, call = [], Function.__call__
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Function, "__call__", lambda self, *inputs: names.append(self.name()) or call(self, *inputs))
        patch.setattr(bg.Tensor, "backward", lambda self, gradient: 1 / 0)
        assert "ZeroDivisionError" in difference(program)
    return names


OPERATIONS = runpy.run_path(str(Path(__file__).with_name("engine_operations.py")))["IN_RANDOM_GRAPHS"]


@pytest.mark.leg("night")
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_the_graphs_hold_every_operation_and_grow_large(a_tenth):
    made = [operations_of(program) for program in a_tenth]
    graphs_with = Counter(name for names in made for name in set(names))
    assert set(graphs_with) == OPERATIONS
    assert min(graphs_with.values()) >= len(a_tenth) // 20, graphs_with
    assert sum(len(names) >= 15 for names in made) >= len(a_tenth) // 3


@pytest.mark.leg("night")
def test_the_graphs_hold_every_rank_and_sizes_of_0_and_1(a_tenth):
    leaves = [program.arrays[name.upper()].shape for program in a_tenth for name in program.leaves]
    ranks = Counter(map(len, leaves))
    assert sorted(ranks) == [0, 1, 2, 3, 4] and min(ranks.values()) >= 50
    for size in (0, 1):
        assert sum(size in shape for shape in leaves) >= 50


def test_the_graphs_share_nodes_and_have_numbers_and_arrays_on_either_side(a_tenth):
    texts = ["\n".join(ours for ours, _ in program.steps.values()) for program in a_tenth]
    for sight in (r"\b(v\d+)\b.*\n(.*\n)*.*\b\1\b", r"\d [-+*/] [av]", r"[av]\d+ [-+*/] \d", r"K\d+ [-+*/] [av]"):
        assert sum(bool(re.search(sight, text)) for text in texts) >= len(texts) // 20, sight
    assert any(not requires_grad for program in a_tenth for requires_grad in program.leaves.values())


# A rule made wrong is reported as code that shows it.

WRONG_RULES = {
    "Mul": (Mul, lambda self, out_grad, node: (out_grad, out_grad)),
    "MatMul": (MatMul, lambda self, out_grad, node: (None, None)),
    "BroadcastTo": (BroadcastTo, lambda self, out_grad, node: node._inputs[0]),
    "an exception": (Mul, lambda self, out_grad, node: 1 / 0),
}
OTHER_WRONG_RULES = [pytest.param(name, marks=pytest.mark.leg("night")) for name in WRONG_RULES if name != "Mul"]


@pytest.mark.leg("night")
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("name", ["Mul", *OTHER_WRONG_RULES])
def test_a_wrong_rule_is_reported_as_a_few_lines_of_code_that_show_it(name, a_tenth, monkeypatch):
    wrong, rule = WRONG_RULES[name]
    with monkeypatch.context() as patch:
        patch.setattr(wrong, "backward", rule)
        caught = [program for program in a_tenth if difference(program)]
        assert len(caught) >= len(a_tenth) // 10
        code = report(caught[0]).split("# this code shows it\n")[1]
        assert len(code.splitlines()) <= 25
        with pytest.raises((AssertionError, AttributeError, ZeroDivisionError)):
            exec(code, {})
    exec(code, {})  # with the right rule nothing is wrong


@pytest.mark.leg("night")
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_a_wrong_engine_is_reported_as_code_that_shows_it(a_tenth, monkeypatch):
    """The first share of a node is forgotten when a second one comes."""
    with monkeypatch.context() as patch:
        patch.setattr(autograd, "gradients", without_adding_up)
        patch.setattr(tensor, "gradients", without_adding_up)
        caught = [program for program in a_tenth if difference(program)]
        assert len(caught) >= len(a_tenth) // 3
        code = report(caught[0]).split("# this code shows it\n")[1]
        with pytest.raises(AssertionError):
            exec(code, {})
    exec(code, {})


def without_adding_up(root, seed):
    ledger = {root: seed}
    for node in reversed(autograd.topological_order(root)):
        if node._op is not None:
            ledger.update((x, share) for x, share in autograd.shares_of(node, ledger[node]) if share is not None)
    return ledger


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_a_wrong_number_in_the_eleventh_place_is_seen(a_tenth, monkeypatch):
    rule = Mul.backward
    monkeypatch.setattr(Mul, "backward", lambda self, g, node: rule(self, g * (1 + 1e-9), node))
    assert any(map(difference, a_tenth))
