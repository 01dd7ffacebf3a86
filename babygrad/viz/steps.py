"""A walk through a graph as it happens: what each node hands on, observed on the learner's own methods.

step_through(root) shows it, compare_walks(make, ...) shows several side by side. Nothing is computed here that the
learner's code computes: the methods are watched while they run, and afterwards each grad is what it was before.
"""

import html
from contextlib import contextmanager
from typing import NamedTuple

from .dot import LEFT_TO_RIGHT, TOP_DOWN
from .graph import few_numbers, nodes_to_show, read_graph, shape_of, short
from .player import Frame, Player
from .svg import CANNOT_DRAW, COLUMN, LEAST_SCALE, as_svg, to_show, width
from .text import formula

MAX_NODES = 200  # of which a drawing can still be read
ROOM = COLUMN - 26  # pixels: a player has a frame around it
ONE_BY_ONE = 30  # nodes: a graph up to here is built up step by step, a larger one is there at once


class Share(NamedTuple):
    """What one operand got: its position, the local slope if there is one, and the amount, in a few letters."""

    position: int
    operand: object
    slope: str
    amount: str


class Spoke(NamedTuple):
    """One node handed on.

    gradient: its own, in a few letters.  shares: a Share for each operand that got one.
    held: of each operand, once: (operand, what it held before, what it holds now).
    """

    node: object
    gradient: str
    shares: tuple
    held: tuple


class Walk(NamedTuple):
    """All that spoke, in order; what each node was left with; and what ended the walk, "" if it came to its end."""

    spoken: tuple
    left: dict
    error: str


# ------------------------------------------------------------------ watching


def watch(root, walk):
    """The Walk of walk(root), which calls the learner's own methods. All grads are put back."""
    nodes, _ = nodes_to_show(root, max_nodes=10**9)
    before = [(node, getattr(node, "grad", None)) for node in nodes]
    spoken, error = [], ""
    try:
        with WATCHED[kind(root)](root, spoken):
            walk(root)
    except Exception as stopped:  # the learner's own: an unfilled stub, a slip
        error = f"{type(stopped).__name__}: {stopped}".splitlines()[0]
    finally:
        left = {id(node): told(node.grad) for node in nodes}
        for node, grad in before:
            node.grad = grad
    return Walk(tuple(spoken), left, error)


def kind(root):
    return "Value" if hasattr(root, "_prev") else "Tensor"


@contextmanager
def watched_values(root, spoken):
    """While it lasts, each Value._backward() is written down."""
    cls = type(root)
    own = cls._backward

    def watched(node):
        operands = tuple(node._prev)
        before = {id(x): short(x.grad) for x in operands}
        gradient = short(node.grad)
        own(node)
        products = zip(operands, node._slopes)
        shares = [Share(i, x, short(slope), short(slope * node.grad)) for i, (x, slope) in enumerate(products)]
        held = {id(x): (x, before[id(x)], short(x.grad)) for x in operands}
        spoken.append(Spoke(node, gradient, tuple(shares), tuple(held.values())))

    cls._backward = watched
    try:
        yield
    finally:
        cls._backward = own


@contextmanager
def watched_tensors(root, spoken):
    """While it lasts, each node's shares are written down; what has arrived at an input is summed up beside it."""
    from .. import autograd

    own, arrived = autograd.shares_of, {}

    def watched(node, gradient):
        pairs = own(node, gradient)
        shares, held = [], {}
        for position, (x, share) in enumerate(pairs):
            if share is not None and x.requires_grad:
                shares.append(Share(position, x, "", numbers(share.data)))
                before = arrived.get(id(x))
                arrived[id(x)] = share.data if before is None else before + share.data
                first = held[id(x)][1] if id(x) in held else told(before)
                held[id(x)] = (x, first, numbers(arrived[id(x)]))
        spoken.append(Spoke(node, numbers(gradient.data), tuple(shares), tuple(held.values())))
        return pairs

    autograd.shares_of = watched
    try:
        yield
    finally:
        autograd.shares_of = own


WATCHED = {"Value": watched_values, "Tensor": watched_tensors}


def numbers(array):
    return few_numbers(array) or shape_of(array)


def told(grad):
    """A gradient in a few letters; "" if there is none."""
    return "" if grad is None else numbers(grad) if hasattr(grad, "shape") else short(grad)


# ------------------------------------------------------------------ telling


class Scene:
    """A graph and one walk through it, as frames.

    keys of the picture's parts as in svg.put_keys, each with the prefix before it.
    """

    def __init__(self, root, walk, max_nodes, prefix="", directions=(LEFT_TO_RIGHT, TOP_DOWN)):
        self.walk, self.prefix, self.directions = walk, prefix, directions
        self.nodes, _ = nodes_to_show(root, max_nodes)
        self.graph = read_graph(root, max_nodes)
        plainly = (n._replace(name=n.number) if n.constant and not n.label else n for n in self.graph.nodes)
        self.named = self.graph._replace(nodes=tuple(plainly))
        self.places = {id(node): place for place, node in enumerate(self.nodes)}
        self.speakers = [spoke for spoke in walk.spoken if spoke.shares and id(spoke.node) in self.places]
        self.lines = [self.name(spoke.node) for spoke in self.speakers]
        self.frames = [*self.forward(), *self.backward()]

    def name(self, node):
        place = self.places.get(id(node))
        return "a node that is not shown" if place is None else self.named.nodes[place].name

    def forward(self):
        """As the graph was made: one operation after the other, or all at once."""
        there = self.at_once()
        made = [place for place, node in enumerate(self.graph.nodes) if node.operation]
        if len(self.nodes) > ONE_BY_ONE:
            yield Frame(f"The graph of {self.graph.root.name}: {len(self.nodes)} nodes.", self.at_once())
            return
        yield Frame(
            "Forward. It begins with the leaves.", there | {key: "" for place in made for key in self.parts(place)}
        )
        for place in made:
            node = self.graph.nodes[place]
            keys = self.parts(place)
            yield Frame(f"{formula(self.named, node)}: {node.number}.", dict.fromkeys(keys, "shown"), lit=keys[:2])

    def at_once(self):
        """What stands in boxes and on arrows before anybody speaks."""
        boxes = {f"g{place}": grad_row(told(node.grad)) for place, node in enumerate(self.nodes)}
        return boxes | {f"t{p}.{i}": words for p, n in enumerate(self.graph.nodes) for i, words in enumerate(n.arrows)}

    def parts(self, place):
        """The keys of what an operation draws: its result, its sign, its arrows."""
        return [
            f"n{place}",
            f"o{place}",
            f"r{place}",
            *(f"e{place}.{i}" for i in range(len(self.graph.nodes[place].inputs))),
        ]

    def backward(self):
        """One frame for each node that speaks, and one for the end."""
        before = {}
        for number, spoke in enumerate(self.speakers):
            texts = before | self.heard(spoke)
            before = self.after(spoke)
            yield Frame(
                self.sentence(spoke), texts, self.lit(spoke), (f"n{self.places[id(spoke.node)]}",), place=number
            )
        ends = {f"g{place}": grad_row(self.walk.left[id(node)]) for place, node in enumerate(self.nodes)}
        yield Frame(self.end(), before | ends)

    def heard(self, spoke):
        """What stands where while a node speaks: gradient, arithmetic on its arrows, the change in its inputs."""
        place = self.places[id(spoke.node)]
        texts = {f"g{place}": grad_row(spoke.gradient)}
        for share in spoke.shares:
            texts[f"t{place}.{share.position}"] = product(share, spoke)
        for x, held, holds in spoke.held:
            texts |= self.grad_of(x, f"grad {held or 'none'} → {holds}")
        return texts

    def after(self, spoke):
        """What stands in the inputs from the next frame on."""
        return {key: text for x, _, holds in spoke.held for key, text in self.grad_of(x, grad_row(holds)).items()}

    def grad_of(self, x, text):
        place = self.places.get(id(x))
        return {} if place is None else {f"g{place}": text}

    def lit(self, spoke):
        place = self.places[id(spoke.node)]
        arrows = [f"e{place}.{share.position}" for share in spoke.shares]
        return (f"n{place}", *arrows, *(f"n{self.places[id(x)]}" for x, _, _ in spoke.held if id(x) in self.places))

    def sentence(self, spoke):
        """Such as: y hands on 27. To x: 3 · 27 = 81 and 3 · 27 = 81; x held 0, and holds 162 now."""
        parts = []
        for x, held, holds in spoke.held:
            shares = " and ".join(product(share, spoke) for share in spoke.shares if share.operand is x)
            parts.append(f"To {self.name(x)}: {shares}; {self.name(x)} held {held or 'none'}, and holds {holds} now.")
        return f"{self.name(spoke.node)} has {spoke.gradient}, and hands on. {' '.join(parts)}"

    def end(self):
        if self.walk.error:
            return f"Here the walk stopped. {self.walk.error}"
        if not self.walk.spoken:
            return "The walk is over, and no node has handed on anything."
        leaves = [(x, n) for x, n in zip(self.nodes, self.graph.nodes) if not n.operation and not n.constant]
        found = [f"{n.name}.grad = {self.walk.left[id(x)] or 'None'}" for x, n in leaves]
        return f"The walk is over: {', '.join(found)}."

    def keyed(self, texts):
        return {self.prefix + key: text for key, text in texts.items()}

    @property
    def picture(self):
        """The graph with room for the longest words of all frames."""
        widest = {}
        for frame in self.frames:
            for key, text in frame.texts.items():
                widest[key] = max(widest.get(key, ""), text, key=len)
        nodes = tuple(self.roomy(place, node, widest) for place, node in enumerate(self.graph.nodes))
        roomy = self.graph._replace(nodes=nodes, has_gradient=True)
        svg = as_svg(roomy, keys=True, words=self.graph, directions=self.directions, room=ROOM)
        if svg is None:
            return f"<p>{CANNOT_DRAW}</p>"
        picture = svg.replace('data-key="', f'data-key="{self.prefix}')
        return to_show(svg, picture, ROOM)

    def roomy(self, place, node, widest):
        arrows = tuple(widest.get(f"t{place}.{i}", words) for i, words in enumerate(node.arrows))
        return node._replace(grad=widest[f"g{place}"].removeprefix("grad ") + "  ", arrows=arrows)


def grad_row(grad):
    """The row of a box that tells its gradient; "" if there is none."""
    return f"grad {grad}" if grad else ""


def product(share, spoke):
    """What is handed on, as on its arrow: "3 · 27 = 81"; of Tensors the numbers or the shape."""
    return f"{share.slope} · {spoke.gradient} = {share.amount}" if share.slope else share.amount


# ------------------------------------------------------------------ for everybody


def step_through(root, order=None, *, max_nodes=MAX_NODES):
    """A player of root's graph: forward as it was made, then backward as your own code walks it.

    Each step lights the node that hands on and its arrows, with the arithmetic; an input's box shows what it held and
    what it holds now. Where an exercise is missing, or an error stops the walk, the player ends and says so. The
    graph is left as it was: all gradients are put back.

    root: the Value or Tensor to start from.
    order: of Values, the nodes to call _backward() on, one after the other, instead of root.backward().
    max_nodes: of a larger graph only the part near root is shown.
    Returns a Player: a notebook shows it.  Raises TypeError if root has no graph.
    """
    walk = watch(root, in_order(order) if order is not None else lambda start: start.backward())
    scene = Scene(root, walk, max_nodes)
    title = f"{scene.graph.headline()}, step by step"
    return Player(title, scene.frames, scene.picture, scene.lines, "Who handed on, in order:" if scene.lines else "")


def in_order(order):
    """A walk that calls _backward() on the nodes of a list, from a fresh start: inner nodes 0, the root 1."""

    def walk(root):
        for node in nodes_to_show(root, max_nodes=10**9)[0]:
            if node._prev:
                node.grad = 0.0
        root.grad = 1.0
        for node in order:
            node._backward()

    return walk


def compare_walks(make, *, max_nodes=MAX_NODES, **walks):
    """A player of several walks through the same graph, side by side, and where they part.

    make: a function without inputs that makes the graph anew, and returns its root.
    walks: a name and a function for each; it gets the root and calls _backward() on nodes.
    Returns a Player.  Raises ValueError for fewer than two walks.
    """
    if len(walks) < 2:
        raise ValueError(f"compare_walks needs two walks or more, but it got {len(walks)}")
    scenes = {}
    for name, walk in walks.items():
        root = make()
        scenes[name] = Scene(root, watch(root, walk), max_nodes, prefix=f"{name}.", directions=[TOP_DOWN])
    return Player(f"{' and '.join(walks)}, side by side", list(side_by_side(scenes)), pictures(scenes))


def pictures(scenes):
    """The pictures of Scenes, as many side by side as can be read, with their names and what each says above."""
    drawn = {name: scene.picture for name, scene in scenes.items()}
    least = max([200, *(round(width(picture) * LEAST_SCALE) for picture in drawn.values() if "<svg" in picture)])
    figures = (
        f'<figure style="flex-basis: min({least}px, 100%)"><b>{html.escape(name)}</b>'
        f'<figcaption aria-live="polite" data-key="{name}.">{html.escape(scenes[name].end())}</figcaption>'
        f"{picture}</figure>"
        for name, picture in drawn.items()
    )
    return f'<div class="several">{"".join(figures)}</div>'


def side_by_side(scenes):
    """The frames of several Scenes of one graph, one beside the other, the last of each held until all have ended."""
    told = {name: list(scene.backward()) for name, scene in scenes.items()}
    start = {key: text for scene in scenes.values() for key, text in scene.keyed(scene.at_once()).items()}
    yield Frame("Before the walks.", start | {f"{name}.": "…" for name in scenes})
    parted = first_difference(scenes.values())
    for number in range(max(map(len, told.values()))):
        texts, lit, main = {}, [], []
        for name, frames in told.items():
            frame = frames[min(number, len(frames) - 1)]
            texts |= scenes[name].keyed(frame.texts) | {f"{name}.": frame.sentence}
            lit += [f"{name}.{key}" for key in frame.lit]
            main += [f"{name}.{key}" for key in frame.main]
        here = ". Here they differ for the first time." if number == parted else "."
        yield Frame(f"Step {number + 1}{here}", texts, tuple(lit), tuple(main))


def first_difference(scenes):
    """The number of the first step at which walks do not do the same; None if they all do."""
    steps = [[(scene.name(spoke.node), scene.sentence(spoke)) for spoke in scene.speakers] for scene in scenes]
    for number in range(max(map(len, steps))):
        if len({tuple(one[number : number + 1]) for one in steps}) > 1:
            return number
    return None
