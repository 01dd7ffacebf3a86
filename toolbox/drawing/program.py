"""A Program as a picture: who reads whom, and what a pass did to its lines."""

from ..graphs.graph import Graph, Node, counted, details, few_numbers
from .picture import Drawing


def draw_program(program, after=None):
    """A picture of a Program, drawn as a graph is: a box for each name, its operation before it.

    What is given is round, what is constant pale. A box says what is returned and what is a gradient.

    program: a Program, of at most some thirty lines if it is to be read.
    after: what a pass made of it. A line that is not there any more has a dashed box with a word: constant, "same as"
        another one, or gone.
    Returns a Drawing: a notebook shows it.
    """
    return Drawing(read_program(program, after))


class ProgramGraph(Graph):
    """The Graph of a Program."""

    def headline(self):
        lines = sum(bool(node.operation) for node in self.nodes)
        return f"Program: {counted(lines, 'line')}, of which {self.root.name} is the last"


def read_program(program, after=None):
    """The Graph of a Program."""
    given = {name: x.shape for name, x in (program.inputs | program.leaves).items()}
    read = {name for line in program.lines for name in line.inputs} | program.wanted
    names = [name for name in (*given, *program.constants) if name in read] + [line.name for line in program.lines]
    places = {name: place for place, name in enumerate(names)}
    words = ends(program)
    fates = {} if after is None else fates_of(program, after)
    nodes = [plain_node(name, str(given[name]), words.get(name, ())) for name in names if name in given]
    constants = {name: program.constants[name] for name in names if name in program.constants}
    nodes += [plain_node(name, few_numbers(x) or str(x.shape), (), constant=True) for name, x in constants.items()]
    nodes += [line_node(line, places, words.get(line.name, ()), fates.get(line.name)) for line in program.lines]
    return ProgramGraph(tuple(nodes), True, 0)


def plain_node(name, number, words, constant=False):
    """The box of what no line makes."""
    return Node(name, name, "", "", (), (), (), number, (number, *words), "", constant)


def line_node(line, places, words, fate):
    """The box of a line's result, with its operation."""
    shape, function = str(line.like.shape), line.function
    rows = (shape, *words, *([fate] if fate else []))
    inputs = tuple([places[name] for name in line.inputs])
    detail = " ".join(details(function))
    none = ("",) * len(inputs)
    return Node(line.name, line.name, function.name(), detail, inputs, none, none, shape, rows, "", False, bool(fate))


def ends(program):
    """{name: what is done with it at the end, in words}."""
    words = {name: ["returned"] for name in program.outputs}
    for name, gradient in program.gradients.items():
        words.setdefault(gradient, []).append(f"gradient of {name}")
    for name, new in program.writes.items():
        words.setdefault(new, []).append(f"new {name}")
    return words


def fates_of(before, after):
    """{name of a line that a pass has removed: a word for it}."""
    left, same = {line.name for line in after.lines}, renamings(before, after)
    gone = [line.name for line in before.lines if line.name not in left]
    words = {name: f"same as {same[name]}" if name in same else "gone" for name in gone}
    return words | {name: "constant" for name in gone if name in after.constants}


def renamings(before, after):
    """{old name: new name}: where a line, or the end, reads another one than before, and what these were made of."""
    lines = {line.name: line for line in before.lines}
    pairs = [(lines[line.name].inputs, line.inputs) for line in after.lines if line.name in lines]
    pairs.append((before.outputs, after.outputs))
    for old, new in ((before.gradients, after.gradients), (before.writes, after.writes)):
        pairs.append(([old[key] for key in old if key in new], [new[key] for key in old if key in new]))
    found = {}
    while pairs:
        olds, news = pairs.pop()
        for old, new in zip(olds, news):
            if old != new and old not in found:
                found[old] = new
                if old in lines and new in lines:
                    pairs.append((lines[old].inputs, lines[new].inputs))
    return found
